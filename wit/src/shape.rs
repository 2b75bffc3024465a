//! The JSON shape of a type, for a reader: `{"id"?: string | null, "tags"?: [string]}`.
//!
//! `?` marks what may be left out, `|` separates choices. A brief shape only names the records within it.

use crate::description::{Function, Record, Type};

impl Function {
    /// The shape of its arguments as one JSON object.
    pub fn arguments(&self) -> String {
        if let Some(record) = self.only_record() {
            return record.shape();
        }
        let members: Vec<_> = self
            .parameters
            .iter()
            .map(|parameter| member(parameter.name, parameter.may_be_left_out(), &parameter.ty))
            .collect();
        format!("{{{}}}", members.join(", "))
    }

    /// The brief shape of what it gives.
    pub fn answer(&self) -> String {
        self.result
            .map_or_else(|| "null".to_owned(), |ty| ty.brief_shape())
    }
}

impl Record {
    /// Its shape.
    pub fn shape(&self) -> String {
        let members: Vec<_> = self
            .fields
            .iter()
            .map(|field| member(field.name, field.ty.may_be_left_out(), &field.ty))
            .collect();
        format!("{{{}}}", members.join(", "))
    }
}

impl Type {
    /// Its shape.
    pub fn shape(&self) -> String {
        match self {
            Type::Record(record) => record.shape(),
            other => other.shape_with(&Type::shape),
        }
    }

    /// Its shape, in which records within a record are only named.
    pub fn brief_shape(&self) -> String {
        match self {
            Type::Record(record) => {
                let members: Vec<_> = record
                    .fields
                    .iter()
                    .map(|field| format!("{:?}: {}", field.name, field.ty.named_shape()))
                    .collect();
                format!("{{{}}}", members.join(", "))
            }
            other => other.shape_with(&Type::brief_shape),
        }
    }

    fn named_shape(&self) -> String {
        match self {
            Type::Record(record) => format!("<{}>", record.name),
            other => other.shape_with(&Type::named_shape),
        }
    }

    fn shape_with(&self, inner: &dyn Fn(&Type) -> String) -> String {
        match self {
            Type::Bool => "bool".into(),
            Type::U8 | Type::U32 | Type::U64 | Type::Timestamp => "integer".into(),
            Type::F32 | Type::F64 => "number".into(),
            Type::Text => "string".into(),
            Type::Json => "json".into(),
            Type::List(item) => format!("[{}]", inner(item)),
            Type::Option(item) => format!("{} | null", inner(item)),
            Type::Enum(one) => {
                let names: Vec<_> = one.cases.iter().map(|c| format!("{:?}", c.name)).collect();
                names.join(" | ")
            }
            Type::Variant(variant) => {
                let cases = variant.cases.iter().map(|case| match &case.payload {
                    Some(payload) => format!("{{{:?}: {}}}", case.name, inner(payload)),
                    None => format!("{:?}", case.name),
                });
                cases.collect::<Vec<_>>().join(" | ")
            }
            Type::Record(_) => inner(self),
        }
    }
}

fn member(name: &str, may_be_left_out: bool, ty: &Type) -> String {
    let mark = if may_be_left_out { "?" } else { "" };
    format!("{name:?}{mark}: {}", ty.shape())
}
