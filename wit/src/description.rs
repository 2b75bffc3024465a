//! The contract as data: its functions, and the nouns that they take and give, with their documentation.
//!
//! Owns what such a description is. What it says is generated; what becomes of it (a shape for a reader, a JSON Schema,
//! a command) is made of it elsewhere. In a component all documentation is empty: nobody reads it there.

use serde::{Serialize, Serializer, ser::SerializeStruct};

/// A group of functions.
#[derive(Debug, Clone, Copy)]
pub struct Interface {
    /// Its name, such as `lessons`.
    pub name: &'static str,
    /// What it is about.
    pub docs: &'static str,
}

/// An exported function.
#[derive(Debug, Clone, Copy)]
pub struct Function {
    /// The interface it belongs to, such as `lessons`.
    pub interface: &'static str,
    /// Its name within the interface, such as `propose`.
    pub name: &'static str,
    /// What it does.
    pub docs: &'static str,
    /// What it takes.
    pub parameters: &'static [Parameter],
    /// What it gives, if it gives anything.
    pub result: Option<Type>,
}

/// An argument of a function.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// The argument's name.
    pub name: &'static str,
    /// What it is.
    pub ty: Type,
}

/// A type of the contract.
#[derive(Debug, Clone, Copy)]
pub enum Type {
    /// True or false.
    Bool,
    /// A whole number of 8 bits.
    U8,
    /// A whole number of 32 bits.
    U32,
    /// A whole number of 64 bits.
    U64,
    /// A number of 32 bits.
    F32,
    /// A number of 64 bits.
    F64,
    /// A text.
    Text,
    /// A JSON value, as text or as the value itself. Empty: no value.
    Json,
    /// Milliseconds since the Unix epoch.
    Timestamp,
    /// Any number of something.
    List(&'static Type),
    /// Something, or nothing.
    Option(&'static Type),
    /// Named members.
    Record(&'static Record),
    /// One of several names.
    Enum(&'static Enum),
    /// One of several cases, which may carry something.
    Variant(&'static Variant),
}

/// Named members.
#[derive(Debug)]
pub struct Record {
    /// Its name in the contract.
    pub name: &'static str,
    /// What it is.
    pub docs: &'static str,
    /// Its members.
    pub fields: &'static [Field],
}

/// A member of a record.
#[derive(Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub ty: Type,
    /// What it says.
    pub docs: &'static str,
}

/// One of several names.
#[derive(Debug)]
pub struct Enum {
    /// Its name in the contract.
    pub name: &'static str,
    /// What it is.
    pub docs: &'static str,
    /// Its cases, none of which carries anything.
    pub cases: &'static [Case],
}

/// One of several cases.
#[derive(Debug)]
pub struct Variant {
    /// Its name in the contract.
    pub name: &'static str,
    /// What it is.
    pub docs: &'static str,
    /// Its cases.
    pub cases: &'static [Case],
}

/// A case of an enum or a variant.
#[derive(Debug)]
pub struct Case {
    /// Its name.
    pub name: &'static str,
    /// What it carries.
    pub payload: Option<Type>,
    /// What it says.
    pub docs: &'static str,
}

impl Function {
    /// The function with this name, such as `lessons.propose`. `_` may stand for `-`.
    pub fn named(method: &str) -> Option<&'static Function> {
        let method = method.replace('_', "-");
        let (interface, name) = method.split_once('.')?;
        let mut functions = crate::FUNCTIONS.iter();
        functions.find(|function| function.interface == interface && function.name == name)
    }

    /// Its full name, such as `lessons.propose`.
    pub fn method(&self) -> String {
        format!("{}.{}", self.interface, self.name)
    }

    /// The record whose members are the function's arguments, where a record is all that it takes.
    pub fn only_record(&self) -> Option<&'static Record> {
        match self.parameters {
            [
                Parameter {
                    ty: Type::Record(record),
                    ..
                },
            ] => Some(record),
            _ => None,
        }
    }
}

impl Parameter {
    /// What it says: the documentation of its type, where that has a name.
    pub fn docs(&self) -> &'static str {
        self.ty.docs()
    }

    /// Whether it may be left out.
    pub fn may_be_left_out(&self) -> bool {
        self.ty.may_be_left_out()
    }
}

impl Type {
    /// Whether a member of this type may be left out: an option, a list, or a JSON value.
    pub fn may_be_left_out(&self) -> bool {
        matches!(self, Type::Option(_) | Type::List(_) | Type::Json)
    }

    /// The documentation of the type, also within a list or an option; empty where it has no name.
    pub fn docs(&self) -> &'static str {
        match self {
            Type::List(item) | Type::Option(item) => item.docs(),
            Type::Record(record) => record.docs,
            Type::Enum(one) => one.docs,
            Type::Variant(variant) => variant.docs,
            _ => "",
        }
    }
}

impl Record {
    /// The member with this name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// A documentation, which a component does not carry.
macro_rules! docs {
    ($docs:literal) => {
        if cfg!(target_family = "wasm") {
            ""
        } else {
            $docs
        }
    };
}
pub(crate) use docs;

/// As `call --list --json` shows it: names, shapes and documentation.
impl Serialize for Function {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_struct("Function", 5)?;
        members.serialize_field("interface", self.interface)?;
        members.serialize_field("name", self.name)?;
        members.serialize_field("docs", self.docs)?;
        members.serialize_field("parameters", self.parameters)?;
        members.serialize_field("result", &self.answer())?;
        members.end()
    }
}

impl Serialize for Parameter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_struct("Parameter", 3)?;
        members.serialize_field("name", self.name)?;
        members.serialize_field("docs", self.docs())?;
        members.serialize_field("shape", &self.ty.shape())?;
        members.end()
    }
}
