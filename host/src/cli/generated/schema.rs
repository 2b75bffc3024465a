//! What a function of the contract takes, as far as a command line has to tell types apart.

use twiceshy::wit::{self, Case, Function};

/// A type of the contract. Nothing is said of options: whether something may be left out is the member's business.
#[derive(Debug, Clone)]
pub(super) enum Type {
    Bool,
    Integer,
    Number,
    Text,
    /// A date for a person, milliseconds since the Unix epoch for the contract.
    Time,
    /// Any JSON.
    Json,
    /// A content: a file for a person.
    Bytes,
    Choice(&'static [Case]),
    Record(Vec<Member>),
    /// A choice of shapes, written as JSON.
    Variant,
    List(Box<Type>),
}

/// A parameter, or a member of a record.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) name: &'static str,
    pub(super) docs: &'static str,
    /// It may be left out.
    pub(super) optional: bool,
    pub(super) ty: Type,
}

/// What a function takes, in order.
pub(super) fn parameters(function: &Function) -> Vec<Member> {
    let parameters = function.parameters.iter();
    let member = |parameter: &wit::Parameter| member(parameter.name, "", &parameter.ty);
    parameters.map(member).collect()
}

fn member(name: &'static str, docs: &'static str, ty: &wit::Type) -> Member {
    let optional = matches!(ty, wit::Type::Option(_) | wit::Type::List(_));
    Member {
        name,
        docs: if docs.is_empty() { ty.docs() } else { docs },
        optional: optional && !matches!(ty, wit::Type::List(wit::Type::U8)),
        ty: of(ty),
    }
}

fn of(ty: &wit::Type) -> Type {
    match ty {
        wit::Type::Bool => Type::Bool,
        wit::Type::U8 | wit::Type::U32 | wit::Type::U64 => Type::Integer,
        wit::Type::F32 | wit::Type::F64 => Type::Number,
        wit::Type::Text => Type::Text,
        wit::Type::Json => Type::Json,
        wit::Type::Timestamp => Type::Time,
        wit::Type::Option(inner) => of(inner),
        wit::Type::List(wit::Type::U8) => Type::Bytes,
        wit::Type::List(item) => Type::List(Box::new(of(item))),
        wit::Type::Enum(one) => Type::Choice(one.cases),
        wit::Type::Variant(_) => Type::Variant,
        wit::Type::Record(record) => {
            let members = record.fields.iter();
            let member = |field: &wit::Field| member(field.name, field.docs, &field.ty);
            Type::Record(members.map(member).collect())
        }
    }
}
