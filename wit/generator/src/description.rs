//! The contracts as data: every function, record, enum and variant with its documentation, as Rust statics.

use std::{collections::BTreeMap, fmt::Write as _};

use anyhow::{Context, Result, bail};
use wit_parser::{Docs, InterfaceId, Type, TypeDefKind, TypeId, TypeOwner};

use crate::{Contract, snake};

/// The packages whose nouns functions of the memory take or give.
const DESCRIBED: [&str; 2] = ["adapter", "memory"];

impl Contract {
    /// The files of `twiceshy-wit` that describe the contracts: one for each interface with nouns, and the functions.
    pub(crate) fn description_files(&self) -> Result<BTreeMap<String, String>> {
        let mut files = BTreeMap::new();
        let mut modules = BTreeMap::new();
        for package in DESCRIBED {
            for (name, id) in self.interfaces(package)? {
                let nouns = self.nouns(id)?;
                if nouns.is_empty() {
                    continue;
                }
                let module = self.module_of(id)?;
                files.insert(
                    format!("wit/src/generated/description/{module}.rs"),
                    format!(
                        "//! The nouns of `twiceshy:{package}/{name}` as data: generated from the contract.\n\n\
                         use crate::description::*;\n\n{nouns}"
                    ),
                );
                modules.insert(module, format!("`twiceshy:{package}/{name}`"));
            }
        }
        let mut root = String::from(
            "//! The contracts as data: generated from the `.wit` files.\n\nmod functions;\n",
        );
        for (module, of) in modules {
            write!(root, "/// The nouns of {of}.\npub mod {module};\n")?;
        }
        root.push_str("\npub use functions::{FUNCTIONS, INTERFACES};\n");
        files.insert("wit/src/generated/description.rs".into(), root);
        files.insert(
            "wit/src/generated/description/functions.rs".into(),
            self.functions()?,
        );
        Ok(files)
    }

    /// The statics of an interface's own types.
    fn nouns(&self, id: InterfaceId) -> Result<String> {
        let mut code = String::new();
        for (name, id) in &self.resolve.interfaces[id].types {
            let definition = &self.resolve.types[*id];
            let (kind, members) = match &definition.kind {
                TypeDefKind::Record(record) => {
                    let mut members = String::new();
                    for field in &record.fields {
                        let ty = self.described(&field.ty)?;
                        let docs = words(&field.docs);
                        writeln!(
                            members,
                            "    Field {{ name: {:?}, ty: {ty}, docs: docs!({docs:?}) }},",
                            field.name
                        )?;
                    }
                    ("Record", members)
                }
                TypeDefKind::Variant(variant) => {
                    let mut members = String::new();
                    for case in &variant.cases {
                        let payload = match &case.ty {
                            Some(ty) => format!("Some({})", self.described(ty)?),
                            None => "None".into(),
                        };
                        let docs = words(&case.docs);
                        writeln!(
                            members,
                            "    Case {{ name: {:?}, payload: {payload}, docs: docs!({docs:?}) }},",
                            case.name
                        )?;
                    }
                    ("Variant", members)
                }
                TypeDefKind::Enum(cases) => {
                    let mut members = String::new();
                    for case in &cases.cases {
                        let docs = words(&case.docs);
                        writeln!(
                            members,
                            "    Case {{ name: {:?}, payload: None, docs: docs!({docs:?}) }},",
                            case.name
                        )?;
                    }
                    ("Enum", members)
                }
                _ => continue,
            };
            let docs = words(&definition.docs);
            write!(
                code,
                "/// `{name}`\npub static {}: {kind} = {kind} {{ name: {name:?}, docs: docs!({docs:?}), {}: &[\n{members}] }};\n\n",
                shouting(name),
                if kind == "Record" { "fields" } else { "cases" },
            )?;
        }
        Ok(code)
    }

    fn functions(&self) -> Result<String> {
        let mut code = String::from(
            "//! The functions of the memory as data: generated from the contract.\n\n\
             use crate::description::*;\n\n",
        );
        let (mut interfaces, mut functions) = (String::new(), String::new());
        for (name, id) in self.exports()? {
            let interface = &self.resolve.interfaces[id];
            let docs = words(&interface.docs);
            writeln!(
                interfaces,
                "    Interface {{ name: {name:?}, docs: docs!({docs:?}) }},"
            )?;
            for function in interface.functions.values() {
                let mut parameters = Vec::new();
                for parameter in &function.params {
                    let ty = self.described(&parameter.ty)?;
                    parameters.push(format!(
                        "Parameter {{ name: {:?}, ty: {ty} }}",
                        parameter.name
                    ));
                }
                let result = match self.answer(function.result.as_ref()) {
                    Some(ty) => format!("Some({})", self.described(ty)?),
                    None => "None".into(),
                };
                writeln!(
                    functions,
                    "    Function {{ interface: {name:?}, name: {:?}, parameters: &[{}], result: {result}, docs: docs!({:?}) }},",
                    function.name,
                    parameters.join(", "),
                    words(&function.docs),
                )?;
            }
        }
        write!(
            code,
            "/// The interfaces that the memory exports, `rpc` left out, in the order of the contract.\n\
             pub static INTERFACES: &[Interface] = &[\n{interfaces}];\n\n\
             /// Every function that the memory exports, `rpc` left out, in the order of the contract.\n\
             pub static FUNCTIONS: &[Function] = &[\n{functions}];\n"
        )?;
        Ok(code)
    }

    /// What a function gives if nothing goes wrong.
    pub(crate) fn answer<'a>(&'a self, result: Option<&'a Type>) -> Option<&'a Type> {
        match result {
            Some(Type::Id(id)) => match &self.resolve.types[*id].kind {
                TypeDefKind::Result(result) => result.ok.as_ref(),
                _ => result,
            },
            other => other,
        }
    }

    /// A type as an expression of `twiceshy_wit::description::Type`.
    fn described(&self, ty: &Type) -> Result<String> {
        Ok(match ty {
            Type::Bool => "Type::Bool".into(),
            Type::U8 => "Type::U8".into(),
            Type::U32 => "Type::U32".into(),
            Type::U64 => "Type::U64".into(),
            Type::F32 => "Type::F32".into(),
            Type::F64 => "Type::F64".into(),
            Type::String => "Type::Text".into(),
            Type::Id(id) => self.described_definition(*id)?,
            other => bail!("{other:?} has no description"),
        })
    }

    fn described_definition(&self, id: TypeId) -> Result<String> {
        let definition = &self.resolve.types[id];
        Ok(match (&definition.kind, definition.name.as_deref()) {
            (TypeDefKind::Type(Type::Id(target)), Some(_)) => self.described_definition(*target)?,
            (TypeDefKind::Type(_), Some("json")) => "Type::Json".into(),
            (TypeDefKind::Type(_), Some("timestamp")) => "Type::Timestamp".into(),
            (TypeDefKind::Type(target), _) => self.described(target)?,
            (TypeDefKind::List(item), _) => format!("Type::List(&{})", self.described(item)?),
            (TypeDefKind::Option(item), _) => format!("Type::Option(&{})", self.described(item)?),
            (kind, Some(name)) => {
                let kind = match kind {
                    TypeDefKind::Record(_) => "Record",
                    TypeDefKind::Variant(_) => "Variant",
                    TypeDefKind::Enum(_) => "Enum",
                    other => bail!("{name}: {} has no description", other.as_str()),
                };
                let TypeOwner::Interface(owner) = definition.owner else {
                    bail!("{name} belongs to no interface");
                };
                let module = self.module_of(owner)?;
                format!("Type::{kind}(&super::{module}::{})", shouting(name))
            }
            (other, None) => bail!("{} has no description", other.as_str()),
        })
    }

    /// The module that describes an interface: its name, and for `types` the package's.
    pub(crate) fn module_of(&self, id: InterfaceId) -> Result<String> {
        let interface = &self.resolve.interfaces[id];
        let name = interface.name.as_deref().context("no name")?;
        let package = interface.package.context("no package")?;
        Ok(match name {
            "types" => self.resolve.packages[package].name.name.clone(),
            name => snake(name),
        })
    }
}

/// A documentation as one line.
fn words(docs: &Docs) -> String {
    let text = docs.contents.as_deref().unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn shouting(name: &str) -> String {
    snake(name).to_uppercase()
}
