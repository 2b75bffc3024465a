//! The nouns and the interfaces of the contracts as Rust types and traits.
//!
//! Owns the mapping from WIT to Rust, with the layout that is expected of records that cross as bytes. Knows nothing of
//! what the types mean.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use anyhow::{Context, Result, bail};
use wit_parser::{
    Docs, Enum, Function, InterfaceId, Record, SizeAlign, Type, TypeDef, TypeDefKind, TypeId,
    TypeOwner, Variant,
};

use crate::{Contract, PACKAGES, snake, upper_camel};

/// Members under an earlier name, as stores that were written before have them.
const FORMER_NAMES: [(&str, &str, &str); 1] = [("trace-step", "event-id", "event")];

impl Contract {
    /// The files of `twiceshy-wit` with types and traits: one for each interface, and one that names them.
    pub(crate) fn rust_files(&self) -> Result<BTreeMap<String, String>> {
        let mut files = BTreeMap::new();
        let mut root = String::from("//! The Rust that is generated from the `.wit` files.\n\n");
        for package in PACKAGES {
            let (mut modules, mut uses) = (String::new(), String::new());
            for (name, id) in self.interfaces(package)? {
                if name == "rpc" {
                    continue;
                }
                let module = snake(name);
                writeln!(modules, "mod {module};")?;
                writeln!(uses, "pub use {module}::*;")?;
                files.insert(
                    format!("wit/src/generated/{package}/{module}.rs"),
                    self.module(package, name, id)?,
                );
            }
            for used in self.uses_of_other_packages(package)? {
                writeln!(uses, "pub use super::{used};")?;
            }
            files.insert(
                format!("wit/src/generated/{package}.rs"),
                format!(
                    "//! The nouns and interfaces of `twiceshy:{package}`.\n\n{modules}\n{uses}"
                ),
            );
            writeln!(root, "pub mod {package};")?;
        }
        root.push_str("#[rustfmt::skip]\npub mod description;\npub(crate) mod dispatch;\n");
        files.insert("wit/src/generated.rs".into(), root);
        Ok(files)
    }

    fn module(&self, package: &str, name: &str, id: InterfaceId) -> Result<String> {
        let interface = &self.resolve.interfaces[id];
        let mut code = format!("//! `twiceshy:{package}/{name}`: generated from the contract.\n\n");
        let mut types = String::new();
        for id in interface.types.values() {
            types.push_str(&self.type_definition(*id)?);
        }
        if types.contains("derive(") {
            code.push_str(
                "use serde::{Deserialize, Serialize};\n#[cfg(feature = \"wasmtime\")]\n\
                 use wasmtime::component::{ComponentType, Lift, Lower};\n\n",
            );
        }
        let used: BTreeSet<_> = interface
            .types
            .iter()
            .filter(|(_, id)| self.is_use(**id))
            .map(|(name, _)| upper_camel(name))
            .collect();
        if !used.is_empty() {
            let used: Vec<_> = used.into_iter().collect();
            writeln!(code, "use super::{{{}}};\n", used.join(", "))?;
        }
        code.push_str(&types);
        if !interface.functions.is_empty() {
            code.push_str(&self.interface(name, id)?);
        }
        Ok(code)
    }

    /// Whether a type is another interface's, and only used.
    fn is_use(&self, id: TypeId) -> bool {
        matches!(&self.resolve.types[id].kind, TypeDefKind::Type(Type::Id(target))
            if self.resolve.types[*target].name.is_some())
    }

    fn type_definition(&self, id: TypeId) -> Result<String> {
        let definition = &self.resolve.types[id];
        let wit_name = definition
            .name
            .as_deref()
            .context("a type without a name")?;
        let name = upper_camel(wit_name);
        let docs = docs(&definition.docs, "");
        Ok(match &definition.kind {
            _ if self.is_use(id) => String::new(),
            TypeDefKind::Record(record) => self.record(wit_name, &docs, record, id)?,
            TypeDefKind::Variant(variant) => self.variant(&name, &docs, variant)?,
            TypeDefKind::Enum(cases) => enumeration(&name, &docs, cases)?,
            TypeDefKind::Type(target) => {
                format!("{docs}pub type {name} = {};\n\n", self.rust(target)?)
            }
            other => bail!("type {wit_name}: {} has no mapping to Rust", other.as_str()),
        })
    }

    fn record(&self, wit_name: &str, docs: &str, record: &Record, id: TypeId) -> Result<String> {
        let name = upper_camel(wit_name);
        let is_copy = record.fields.iter().all(|field| self.is_copy(&field.ty));
        let copy = if is_copy { "Copy, " } else { "" };
        let default = if self.has_default(record) {
            "Default, "
        } else {
            ""
        };
        let crosses_as_bytes = self.resolve.all_bits_valid(&Type::Id(id));
        let layout = if crosses_as_bytes { "#[repr(C)]\n" } else { "" };
        let mut code = format!(
            "{docs}#[derive(Debug, Clone, {copy}{default}PartialEq, Serialize, Deserialize)]\n\
             #[serde(rename_all = \"kebab-case\", deny_unknown_fields)]\n\
             {}{layout}pub struct {name} {{\n",
            component("record")
        );
        for field in &record.fields {
            code.push_str(&self::docs(&field.docs, "    "));
            if self.is_json(&field.ty) {
                code.push_str(
                    "    #[serde(default, deserialize_with = \"crate::rpc::json_text\")]\n",
                );
            } else if self.may_be_left_out(&field.ty) {
                code.push_str("    #[serde(default)]\n");
            }
            for (of, now, former) in FORMER_NAMES {
                if of == wit_name && now == field.name {
                    writeln!(code, "    #[serde(alias = {former:?})]")?;
                }
            }
            if field.name.contains('-') {
                code.push_str(&component_name(&field.name));
            }
            let (member, rust) = (snake(&field.name), self.rust(&field.ty)?);
            writeln!(code, "    pub {member}: {rust},")?;
        }
        code.push_str("}\n\n");
        if crosses_as_bytes {
            code.push_str(&self.layout(&name, record)?);
        }
        Ok(code)
    }

    /// What bindings expect of a record that they copy as bytes: the layout of the canonical ABI.
    fn layout(&self, name: &str, record: &Record) -> Result<String> {
        let mut sizes = SizeAlign::default();
        sizes.fill(&self.resolve);
        let types = || record.fields.iter().map(|field| &field.ty);
        let whole = sizes.record(types());
        let mut code = format!(
            "// Lists of it are copied as bytes, so its layout is that of the canonical ABI.\nconst _: () = {{\n\
             assert!(size_of::<{name}>() == {} && align_of::<{name}>() == {});\n",
            whole.size.size_wasm32(),
            whole.align.align_wasm32(),
        );
        for (field, (offset, _)) in record.fields.iter().zip(sizes.field_offsets(types())) {
            writeln!(
                code,
                "assert!(std::mem::offset_of!({name}, {}) == {});",
                snake(&field.name),
                offset.size_wasm32()
            )?;
        }
        code.push_str("};\n\n");
        Ok(code)
    }

    fn variant(&self, name: &str, docs: &str, variant: &Variant) -> Result<String> {
        let mut code = format!(
            "{docs}#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]\n\
             #[serde(rename_all = \"kebab-case\")]\n{}pub enum {name} {{\n",
            component("variant")
        );
        for case in &variant.cases {
            code.push_str(&self::docs(&case.docs, "    "));
            code.push_str(&component_name(&case.name));
            let payload = match &case.ty {
                Some(ty) => format!("({})", self.rust(ty)?),
                None => String::new(),
            };
            writeln!(code, "    {}{payload},", upper_camel(&case.name))?;
        }
        code.push_str("}\n\n");
        if name == "Error" {
            code.push_str(&error_methods(variant)?);
        }
        Ok(code)
    }

    pub(crate) fn rust(&self, ty: &Type) -> Result<String> {
        Ok(match ty {
            Type::Bool => "bool".into(),
            Type::U8 => "u8".into(),
            Type::U32 => "u32".into(),
            Type::U64 => "u64".into(),
            Type::F32 => "f32".into(),
            Type::F64 => "f64".into(),
            Type::String => "String".into(),
            Type::Id(id) => match &self.resolve.types[*id] {
                TypeDef {
                    name: Some(name), ..
                } => upper_camel(name),
                TypeDef {
                    kind: TypeDefKind::List(item),
                    ..
                } => format!("Vec<{}>", self.rust(item)?),
                TypeDef {
                    kind: TypeDefKind::Option(item),
                    ..
                } => {
                    format!("Option<{}>", self.rust(item)?)
                }
                TypeDef {
                    kind: TypeDefKind::Result(result),
                    ..
                } => {
                    let side = |side: &Option<Type>| match side {
                        Some(ty) => self.rust(ty),
                        None => Ok("()".into()),
                    };
                    format!("Result<{}, {}>", side(&result.ok)?, side(&result.err)?)
                }
                other => bail!("{} has no mapping to Rust", other.kind.as_str()),
            },
            other => bail!("{other:?} has no mapping to Rust"),
        })
    }

    /// An interface as a Rust trait: the port or the entry that it is.
    fn interface(&self, name: &str, id: InterfaceId) -> Result<String> {
        let interface = &self.resolve.interfaces[id];
        let mut code = format!(
            "{}pub trait {} {{\n",
            docs(&interface.docs, ""),
            upper_camel(name)
        );
        for function in interface.functions.values() {
            code.push_str(&docs(&function.docs, "    "));
            writeln!(code, "    {};\n", self.signature(function)?)?;
        }
        code.push_str("}\n");
        Ok(code)
    }

    /// A function as a method that borrows what it is given.
    pub(crate) fn signature(&self, function: &Function) -> Result<String> {
        let mut parameters = String::from("&self");
        for parameter in &function.params {
            let (name, ty) = (snake(&parameter.name), self.borrowed(&parameter.ty)?);
            write!(parameters, ", {name}: {ty}")?;
        }
        let (name, result) = (snake(&function.name), self.result(function)?);
        Ok(format!("fn {name}({parameters}){result}"))
    }

    pub(crate) fn result(&self, function: &Function) -> Result<String> {
        Ok(match &function.result {
            Some(ty) => format!(" -> {}", self.rust(ty)?),
            None => String::new(),
        })
    }

    /// A type as a parameter, borrowed where that saves a copy.
    pub(crate) fn borrowed(&self, ty: &Type) -> Result<String> {
        Ok(match ty {
            Type::String => "&str".into(),
            Type::Id(id) => match &self.resolve.types[*id].kind {
                TypeDefKind::List(item) => format!("&[{}]", self.rust(item)?),
                TypeDefKind::Enum(_) => self.rust(ty)?,
                TypeDefKind::Option(_) if self.is_copy(ty) => self.rust(ty)?,
                TypeDefKind::Type(target) if !matches!(target, Type::Id(_)) => self.rust(target)?,
                TypeDefKind::Type(target) => match self.borrowed(target)?.as_str() {
                    borrowed if borrowed.starts_with('&') => format!("&{}", self.rust(ty)?),
                    _ => self.rust(ty)?,
                },
                _ => format!("&{}", self.rust(ty)?),
            },
            _ => self.rust(ty)?,
        })
    }

    /// Whether a record may be empty: neither an enum nor a variant is needed in it.
    fn has_default(&self, record: &Record) -> bool {
        let mut fields = record.fields.iter();
        fields.all(|field| self.may_be_empty(&field.ty))
    }

    fn may_be_empty(&self, ty: &Type) -> bool {
        let Type::Id(id) = ty else { return true };
        match &self.resolve.types[*id].kind {
            TypeDefKind::Record(record) => self.has_default(record),
            TypeDefKind::Type(inner) => self.may_be_empty(inner),
            TypeDefKind::List(_) | TypeDefKind::Option(_) => true,
            _ => false,
        }
    }

    fn is_copy(&self, ty: &Type) -> bool {
        match ty {
            Type::String => false,
            Type::Id(id) => match &self.resolve.types[*id].kind {
                TypeDefKind::Type(inner) | TypeDefKind::Option(inner) => self.is_copy(inner),
                TypeDefKind::Enum(_) => true,
                _ => false,
            },
            _ => true,
        }
    }

    pub(crate) fn is_json(&self, ty: &Type) -> bool {
        matches!(ty, Type::Id(id) if self.resolve.types[*id].name.as_deref() == Some("json"))
    }

    fn may_be_left_out(&self, ty: &Type) -> bool {
        matches!(ty, Type::Id(id) if matches!(
            self.resolve.types[*id].kind,
            TypeDefKind::Option(_) | TypeDefKind::List(_)
        ))
    }

    /// The types that a package takes from others, as `package::Type`.
    fn uses_of_other_packages(&self, own: &str) -> Result<BTreeSet<String>> {
        let mut uses = BTreeSet::new();
        for (_, interface) in self.interfaces(own)? {
            for (name, id) in &self.resolve.interfaces[interface].types {
                if let TypeDefKind::Type(target) = &self.resolve.types[*id].kind
                    && let Some(package) = self.package_of(target)
                    && package != own
                {
                    uses.insert(format!("{package}::{}", upper_camel(name)));
                }
            }
        }
        Ok(uses)
    }

    fn package_of(&self, ty: &Type) -> Option<&str> {
        let Type::Id(id) = ty else { return None };
        let TypeOwner::Interface(interface) = self.resolve.types[*id].owner else {
            return None;
        };
        let package = self.resolve.interfaces[interface].package?;
        Some(&self.resolve.packages[package].name.name)
    }
}

/// What makes an error variant, whose cases all carry their words, an error of Rust.
fn error_methods(variant: &Variant) -> Result<String> {
    let (mut kinds, mut patterns) = (String::new(), Vec::new());
    for case in &variant.cases {
        let rust = upper_camel(&case.name);
        writeln!(kinds, "            Self::{rust}(_) => {:?},", case.name)?;
        patterns.push(format!("Self::{rust}(message)"));
    }
    let patterns = patterns.join(" | ");
    Ok(format!(
        "impl Error {{\n    \
             /// The name of the case in the contract.\n    \
             pub fn kind(&self) -> &'static str {{\n        match self {{\n{kinds}        }}\n    }}\n\n    \
             /// What happened, and what to do.\n    \
             pub fn message(&self) -> &str {{\n        match self {{\n            {patterns} => message,\n        }}\n    }}\n\
         }}\n\n\
         impl std::fmt::Display for Error {{\n    \
             fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {{\n        \
                 formatter.write_str(self.message())\n    }}\n\
         }}\n\n\
         impl std::error::Error for Error {{}}\n\n"
    ))
}

fn enumeration(name: &str, docs: &str, cases: &Enum) -> Result<String> {
    let mut code = format!(
        "{docs}#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]\n\
         #[serde(rename_all = \"kebab-case\")]\n{}#[repr(u8)]\npub enum {name} {{\n",
        component("enum")
    );
    let (mut all, mut names) = (String::new(), String::new());
    for case in &cases.cases {
        let rust = upper_camel(&case.name);
        code.push_str(&self::docs(&case.docs, "    "));
        code.push_str(&component_name(&case.name));
        writeln!(code, "    {rust},")?;
        write!(all, "Self::{rust}, ")?;
        writeln!(names, "            Self::{rust} => {:?},", case.name)?;
    }
    // A runtime passes only numbers of cases. The last one stands for the rest instead of a panic, whose message would
    // carry the path of the generated file into the guests.
    write!(
        code,
        "}}\n\n\
         impl {name} {{\n    \
             /// All cases, in the order of the contract.\n    \
             pub const ALL: [Self; {count}] = [{all}];\n\n    \
             /// The name of the case in the contract.\n    \
             pub fn as_str(self) -> &'static str {{\n        match self {{\n{names}        }}\n    }}\n\n    \
             /// The case with this number, and the last one for what is none; the guests' bindings call it.\n    \
             #[doc(hidden)]\n    \
             pub fn _lift(number: u8) -> Self {{\n        \
                 Self::ALL[usize::from(number).min({last})]\n    }}\n\
         }}\n\n",
        count = cases.cases.len(),
        last = cases.cases.len() - 1,
    )?;
    Ok(code)
}

fn component(kind: &str) -> String {
    format!(
        "#[cfg_attr(feature = \"wasmtime\", derive(ComponentType, Lift, Lower), component({kind}))]\n"
    )
}

fn component_name(name: &str) -> String {
    format!("    #[cfg_attr(feature = \"wasmtime\", component(name = {name:?}))]\n")
}

pub(crate) fn docs(docs: &Docs, indent: &str) -> String {
    let text = docs.contents.as_deref().unwrap_or_default();
    text.lines()
        .map(|line| format!("{indent}/// {}\n", line.trim()))
        .collect()
}
