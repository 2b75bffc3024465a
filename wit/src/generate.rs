//! Writes the Rust types of the contracts from the `.wit` files.
//!
//! Owns the mapping from WIT to Rust and to JSON shapes. Knows nothing of what the types mean.

use std::{collections::BTreeSet, env, fmt::Write as _, fs, path::Path};

use anyhow::{Context, Result, bail};
use wit_parser::{
    Docs, Enum, Function, InterfaceId, Record, Resolve, Type, TypeDef, TypeDefKind, TypeId,
    TypeOwner, Variant, WorldItem,
};

#[path = "audit.rs"]
mod audit;
#[path = "passing.rs"]
mod passing;

/// The packages, each after those that it uses.
const PACKAGES: [&str; 3] = ["adapter", "host", "memory"];

fn main() -> Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR")?;
    let out = env::var("OUT_DIR")?;
    let mut resolve = Resolve::default();
    for package in PACKAGES {
        let directory = Path::new(&root).join(package);
        println!("cargo:rerun-if-changed={}", directory.display());
        let (id, _) = resolve
            .push_dir(&directory)
            .with_context(|| format!("the contract in wit/{package} does not parse"))?;
        let generator = Generator { resolve: &resolve };
        let mut code = String::new();
        let mut used = BTreeSet::new();
        for (name, interface) in &resolve.packages[id].interfaces {
            used.extend(generator.uses(*interface)?);
            if name.ends_with("types") {
                for (_, id) in &resolve.interfaces[*interface].types {
                    code.push_str(&generator.type_definition(*id)?);
                }
            } else if name != "rpc" {
                code.push_str(&generator.interface(*interface)?);
            }
        }
        code.extend(used);
        fs::write(Path::new(&out).join(format!("{package}.rs")), code)?;
    }
    fs::write(
        Path::new(&out).join("audit.rs"),
        audit::constants(&resolve)?,
    )?;
    let generator = Generator { resolve: &resolve };
    let interfaces = generator.exports("memory")?;
    let files = [
        ("functions.rs", generator.functions(&interfaces)?),
        ("dispatch.rs", generator.dispatch(&interfaces)?),
        ("memory_trait.rs", generator.memory_trait(&interfaces)?),
        ("serve_exports.rs", generator.serve_exports(&interfaces)?),
        ("serve_memory.rs", generator.serve_memory(&interfaces)?),
    ];
    for (file, code) in files {
        fs::write(Path::new(&out).join(file), code)?;
    }
    Ok(())
}

struct Generator<'a> {
    resolve: &'a Resolve,
}

impl Generator<'_> {
    fn type_definition(&self, id: TypeId) -> Result<String> {
        let definition = &self.resolve.types[id];
        let wit_name = definition
            .name
            .as_deref()
            .context("a type without a name")?;
        let name = upper_camel(wit_name);
        let docs = docs(&definition.docs, "");
        Ok(match &definition.kind {
            TypeDefKind::Record(record) => self.record(&name, &docs, record)?,
            TypeDefKind::Variant(variant) => self.variant(&name, &docs, variant)?,
            TypeDefKind::Enum(cases) => enumeration(&name, &docs, cases),
            // A type of another interface is defined there.
            TypeDefKind::Type(Type::Id(target)) if self.resolve.types[*target].name.is_some() => {
                String::new()
            }
            TypeDefKind::Type(target) => {
                format!("{docs}pub type {name} = {};\n", self.rust(target)?)
            }
            other => bail!("type {wit_name}: {} has no mapping to Rust", other.as_str()),
        })
    }

    fn record(&self, name: &str, docs: &str, record: &Record) -> Result<String> {
        let copy = if record.fields.iter().all(|field| self.is_copy(&field.ty)) {
            "Copy, "
        } else {
            ""
        };
        let default = if self.has_default(record) {
            "Default, "
        } else {
            ""
        };
        let mut code = format!(
            "{docs}#[derive(Debug, Clone, {copy}{default}PartialEq, serde::Serialize, serde::Deserialize)]\n\
             #[serde(rename_all = \"kebab-case\", deny_unknown_fields)]\n\
             {}pub struct {name} {{\n",
            component("record")
        );
        for field in &record.fields {
            code.push_str(&self::docs(&field.docs, "    "));
            if self.is_json(&field.ty) {
                code.push_str(
                    "    #[serde(default, deserialize_with = \"crate::function::json_text\")]\n",
                );
            } else if self.may_be_left_out(&field.ty) {
                code.push_str("    #[serde(default)]\n");
            }
            let rust = self.rust(&field.ty)?;
            writeln!(
                code,
                "    {}pub {}: {rust},",
                component_name(&field.name),
                snake(&field.name)
            )?;
        }
        code.push_str("}\n");
        Ok(code)
    }

    fn variant(&self, name: &str, docs: &str, variant: &Variant) -> Result<String> {
        let mut code = format!(
            "{docs}#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]\n\
             #[serde(rename_all = \"kebab-case\")]\n{}pub enum {name} {{\n",
            component("variant")
        );
        for case in &variant.cases {
            code.push_str(&self::docs(&case.docs, "    "));
            let payload = match &case.ty {
                Some(ty) => format!("({})", self.rust(ty)?),
                None => String::new(),
            };
            writeln!(
                code,
                "    {}{}{payload},",
                component_name(&case.name),
                upper_camel(&case.name)
            )?;
        }
        code.push_str("}\n");
        if name == "Error" {
            code.push_str(&error_methods(variant)?);
        }
        Ok(code)
    }

    fn rust(&self, ty: &Type) -> Result<String> {
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

    /// The package whose `types` interface owns a named type.
    fn package_of(&self, ty: &Type) -> Option<String> {
        let Type::Id(id) = ty else { return None };
        let TypeOwner::Interface(interface) = self.resolve.types[*id].owner else {
            return None;
        };
        let package = self.resolve.interfaces[interface].package?;
        Some(self.resolve.packages[package].name.name.clone())
    }

    /// Whether a record may be empty: neither an enum nor a variant is needed in it.
    fn has_default(&self, record: &Record) -> bool {
        record
            .fields
            .iter()
            .all(|field| self.may_be_empty(&field.ty))
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

    fn is_json(&self, ty: &Type) -> bool {
        matches!(ty, Type::Id(id) if self.resolve.types[*id].name.as_deref() == Some("json"))
    }

    fn may_be_left_out(&self, ty: &Type) -> bool {
        matches!(ty, Type::Id(id) if matches!(
            self.resolve.types[*id].kind,
            TypeDefKind::Option(_) | TypeDefKind::List(_)
        ))
    }

    /// The types that an interface takes from another package.
    fn uses(&self, id: InterfaceId) -> Result<Vec<String>> {
        let interface = &self.resolve.interfaces[id];
        let own = &self.resolve.packages[interface.package.context("no package")?]
            .name
            .name;
        let mut uses = Vec::new();
        for (name, id) in &interface.types {
            if let TypeDefKind::Type(target) = &self.resolve.types[*id].kind
                && let Some(package) = self.package_of(target)
                && package != *own
            {
                uses.push(format!(
                    "pub use super::{package}::{};\n",
                    upper_camel(name)
                ));
            }
        }
        Ok(uses)
    }

    /// An interface as a Rust trait: the port or the entry that it is.
    fn interface(&self, id: InterfaceId) -> Result<String> {
        let interface = &self.resolve.interfaces[id];
        let name = self.interface_name(id)?;
        let mut code = format!(
            "{}pub trait {} {{\n",
            docs(&interface.docs, ""),
            upper_camel(name)
        );
        for function in interface.functions.values() {
            let mut parameters = String::from("&self");
            for parameter in &function.params {
                write!(
                    parameters,
                    ", {}: {}",
                    snake(&parameter.name),
                    self.borrowed(&parameter.ty)?
                )?;
            }
            let result = match &function.result {
                Some(ty) => format!(" -> {}", self.rust(ty)?),
                None => String::new(),
            };
            code.push_str(&docs(&function.docs, "    "));
            writeln!(
                code,
                "    fn {}({parameters}){result};",
                snake(&function.name)
            )?;
        }
        code.push_str("}\n");
        Ok(code)
    }

    /// A type as a parameter, borrowed where that saves a copy.
    fn borrowed(&self, ty: &Type) -> Result<String> {
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

    /// The interfaces that a package's world of the same name exports, `rpc` left out.
    fn exports(&self, package: &str) -> Result<Vec<InterfaceId>> {
        let (_, world) = self
            .resolve
            .worlds
            .iter()
            .find(|(_, world)| world.name == package)
            .with_context(|| format!("no world {package}"))?;
        let mut interfaces = Vec::new();
        for item in world.exports.values() {
            let WorldItem::Interface { id, .. } = item else {
                bail!("the world {package} exports something that is not an interface");
            };
            if self.resolve.interfaces[*id].name.as_deref() != Some("rpc") {
                interfaces.push(*id);
            }
        }
        Ok(interfaces)
    }

    /// All functions of the interfaces as a Rust array.
    fn functions(&self, interfaces: &[InterfaceId]) -> Result<String> {
        let mut code = String::from("&[\n");
        for id in interfaces {
            let interface = &self.resolve.interfaces[*id];
            let name = self.interface_name(*id)?;
            for function in interface.functions.values() {
                code.push_str(&self.function(name, function)?);
            }
        }
        code.push_str("]\n");
        Ok(code)
    }

    /// The body of the flat entry: one arm for each function of the interfaces.
    fn dispatch(&self, interfaces: &[InterfaceId]) -> Result<String> {
        let mut code = String::from("match method {\n");
        for id in interfaces {
            let interface = &self.resolve.interfaces[*id];
            let name = self.interface_name(*id)?;
            for function in interface.functions.values() {
                let names: Vec<_> = function.params.iter().map(|p| p.name.as_str()).collect();
                let mut takes = String::new();
                let mut passes = String::new();
                for parameter in &function.params {
                    let rust = snake(&parameter.name);
                    writeln!(
                        takes,
                        "        let {rust}: {} = arguments.take({:?})?;",
                        self.rust(&parameter.ty)?,
                        parameter.name
                    )?;
                    let borrow = if self.borrowed(&parameter.ty)?.starts_with('&') {
                        "&"
                    } else {
                        ""
                    };
                    write!(passes, ", {borrow}{rust}")?;
                }
                writeln!(
                    code,
                    "    \"{name}.{}\" => {{\n        let {}arguments = Arguments::parse(method, arguments, &{names:?})?;\n{takes}        arguments.end()?;\n        reply({}::{}(memory{passes}){})\n    }}",
                    function.name,
                    if names.is_empty() { "" } else { "mut " },
                    upper_camel(name),
                    snake(&function.name),
                    if self.is_fallible(function) { "?" } else { "" },
                )?;
            }
        }
        code.push_str("    _ => Err(unknown(method)),\n}\n");
        Ok(code)
    }

    fn function(&self, interface: &str, function: &Function) -> Result<String> {
        let mut parameters = String::new();
        for parameter in &function.params {
            write!(
                parameters,
                "Parameter {{ name: {:?}, shape: {:?} }}, ",
                parameter.name,
                self.shape(&parameter.ty, false)?
            )?;
        }
        let result = match &function.result {
            Some(ty) => self.shape(ty, true)?,
            None => "null".into(),
        };
        let docs = function.docs.contents.as_deref().unwrap_or_default();
        Ok(format!(
            "    Function {{ interface: {interface:?}, name: {:?}, docs: {:?}, parameters: &[{parameters}], result: {result:?} }},\n",
            function.name,
            docs.split_whitespace().collect::<Vec<_>>().join(" "),
        ))
    }

    /// The shape of a type in JSON, for a reader. A brief one only names the records within it.
    fn shape(&self, ty: &Type, brief: bool) -> Result<String> {
        Ok(match ty {
            Type::Bool => "bool".into(),
            Type::U8 | Type::U32 | Type::U64 => "integer".into(),
            Type::F32 | Type::F64 => "number".into(),
            Type::String => "string".into(),
            Type::Id(id) => match &self.resolve.types[*id].kind {
                TypeDefKind::Type(_) if self.is_json(ty) => "json".into(),
                TypeDefKind::Type(target) => self.shape(target, brief)?,
                TypeDefKind::List(item) => format!("[{}]", self.shape(item, brief)?),
                TypeDefKind::Option(item) => format!("{} | null", self.shape(item, brief)?),
                TypeDefKind::Enum(cases) => {
                    let names: Vec<_> = cases
                        .cases
                        .iter()
                        .map(|case| format!("{:?}", case.name))
                        .collect();
                    names.join(" | ")
                }
                TypeDefKind::Result(result) => match &result.ok {
                    Some(ok) => self.shape(ok, brief)?,
                    None => "null".into(),
                },
                TypeDefKind::Record(record) => {
                    let mut members = Vec::new();
                    for field in &record.fields {
                        let optional = self.is_json(&field.ty) || self.may_be_left_out(&field.ty);
                        let mark = if optional && !brief { "?" } else { "" };
                        let shape = match self.record_name(&field.ty).filter(|_| brief) {
                            Some(name) => name,
                            None => self.shape(&field.ty, brief)?,
                        };
                        members.push(format!("{:?}{mark}: {shape}", field.name));
                    }
                    format!("{{{}}}", members.join(", "))
                }
                TypeDefKind::Variant(variant) => {
                    let mut cases = Vec::new();
                    for case in &variant.cases {
                        cases.push(match &case.ty {
                            Some(ty) => format!("{{{:?}: {}}}", case.name, self.shape(ty, brief)?),
                            None => format!("{:?}", case.name),
                        });
                    }
                    cases.join(" | ")
                }
                other => bail!("{} has no shape in JSON", other.as_str()),
            },
            other => bail!("{other:?} has no shape in JSON"),
        })
    }

    /// The name of a record, also within a list or an option.
    fn record_name(&self, ty: &Type) -> Option<String> {
        let Type::Id(id) = ty else { return None };
        let definition = &self.resolve.types[*id];
        match &definition.kind {
            TypeDefKind::Record(_) => Some(format!("<{}>", definition.name.as_deref()?)),
            TypeDefKind::Type(target) => self.record_name(target),
            TypeDefKind::List(item) => Some(format!("[{}]", self.record_name(item)?)),
            TypeDefKind::Option(item) => Some(format!("{} | null", self.record_name(item)?)),
            _ => None,
        }
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
         }}\n\
         impl std::fmt::Display for Error {{\n    \
             fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {{\n        \
                 formatter.write_str(self.message())\n    }}\n\
         }}\n\
         impl std::error::Error for Error {{}}\n"
    ))
}

fn enumeration(name: &str, docs: &str, cases: &Enum) -> String {
    let mut code = format!(
        "{docs}#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]\n\
         #[serde(rename_all = \"kebab-case\")]\n{}#[repr(u8)]\npub enum {name} {{\n",
        component("enum")
    );
    let (mut lift, mut names) = (String::new(), String::new());
    for (discriminant, case) in cases.cases.iter().enumerate() {
        code.push_str(&self::docs(&case.docs, "    "));
        let rust = upper_camel(&case.name);
        code.push_str(&format!("    {}{rust},\n", component_name(&case.name)));
        // A runtime passes only numbers of cases. The last one stands for the rest instead of a panic, whose
        // message would carry the path of this generated file into the guests.
        let is_last = discriminant + 1 == cases.cases.len();
        let number = if is_last {
            "_".to_owned()
        } else {
            discriminant.to_string()
        };
        lift.push_str(&format!("            {number} => Self::{rust},\n"));
        names.push_str(&format!("            Self::{rust} => {:?},\n", case.name));
    }
    code.push_str(&format!(
        "}}\n\
         impl {name} {{\n    \
             /// The name of the case in the contract.\n    \
             pub fn as_str(self) -> &'static str {{\n        match self {{\n{names}        }}\n    }}\n\n    \
             /// The case with this number; the guests' bindings call it.\n    \
             #[doc(hidden)]\n    \
             pub fn _lift(number: u8) -> Self {{\n        match number {{\n{lift}        }}\n    }}\n\
         }}\n"
    ));
    code
}

fn component(kind: &str) -> String {
    format!(
        "#[cfg_attr(feature = \"wasmtime\", derive(wasmtime::component::ComponentType, wasmtime::component::Lift, wasmtime::component::Lower))]\n\
         #[cfg_attr(feature = \"wasmtime\", component({kind}))]\n"
    )
}

fn component_name(name: &str) -> String {
    format!("#[cfg_attr(feature = \"wasmtime\", component(name = {name:?}))] ")
}

fn docs(docs: &Docs, indent: &str) -> String {
    let text = docs.contents.as_deref().unwrap_or_default();
    text.lines()
        .map(|line| format!("{indent}/// {}\n", line.trim()))
        .collect()
}

fn upper_camel(name: &str) -> String {
    name.split('-')
        .map(|word| word[..1].to_uppercase() + &word[1..])
        .collect()
}

fn snake(name: &str) -> String {
    name.replace('-', "_")
}
