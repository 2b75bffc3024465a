//! The contract for JavaScript: its nouns and interfaces as TypeScript with their documentation, and a table by which
//! values are named as JavaScript names them.
//!
//! Members and functions are in camel case, cases keep the contract's names unless they carry something. What the table
//! says of a type is one letter and, where needed, more: `s` is passed as it is, `j` is a JSON value, `y` bytes, `[` a list, `?` an
//! option, `@` a record and `#` a variant, each followed by what it holds.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use anyhow::{Context, Result, bail, ensure};
use wit_parser::{Docs, InterfaceId, Type, TypeDefKind, TypeId, TypeOwner};

use crate::{Contract, upper_camel};

/// Where all of it is written.
pub(crate) const DIRECTORY: &str = "packages/npm/src/contract";

/// The packages whose nouns functions of the memory take or give.
const PACKAGES: [&str; 2] = ["adapter", "memory"];

/// What every other file uses.
const GIVEN: &str = "\
/** What is said of values in general: generated with the contract. */

/** A JSON value. In an answer it is `undefined` if there is none. */
export type Json = unknown;

/** Milliseconds since the Unix epoch. */
export type Timestamp = number;

type MayBeLeftOut<T> = unknown extends T ? true : T extends readonly unknown[] ? true : false;

/** A value as it is given to a function: lists and JSON values may be left out in it. */
export type Given<T> = unknown extends T
  ? T
  : T extends string | number | boolean | Uint8Array | undefined
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Given<Item>[]
      : { [K in keyof T as MayBeLeftOut<T[K]> extends true ? K : never]?: Given<T[K]> } & {
          [K in keyof T as MayBeLeftOut<T[K]> extends true ? never : K]: Given<T[K]>;
        };
";

/// The types of one file that other files have.
type Imports = BTreeMap<String, BTreeSet<String>>;

impl Contract {
    /// One file for each interface, one that names them, and the table.
    pub(crate) fn typescript_files(&self) -> Result<BTreeMap<String, String>> {
        let mut files = BTreeMap::new();
        let exports = self.exports()?;
        let (mut index, mut known) = (String::new(), BTreeSet::new());
        let (mut records, mut variants) = (String::new(), String::new());
        for package in PACKAGES {
            for (name, id) in self.interfaces(package)? {
                let is_exported = exports.iter().any(|(_, export)| *export == id);
                let (mut code, mut imports) = (String::new(), Imports::new());
                for (noun, ty) in &self.resolve.interfaces[id].types {
                    if self.defined(*ty) != *ty || noun == "json" || noun == "error" {
                        continue;
                    }
                    ensure!(known.insert(noun.clone()), "two nouns are called {noun}");
                    code.push_str(&self.noun(noun, *ty, &mut imports)?);
                    self.row(noun, *ty, &mut records, &mut variants)?;
                }
                if is_exported {
                    code.push_str(&self.methods(name, id, &mut imports)?);
                }
                if code.is_empty() {
                    continue;
                }
                let module = self.file_of(id)?;
                let mut head =
                    format!("/** `twiceshy:{package}/{name}`: generated from the contract. */\n\n");
                imports.remove(&module);
                for (from, names) in imports {
                    let names: Vec<_> = names.into_iter().collect();
                    writeln!(
                        head,
                        "import type {{ {} }} from './{from}.js';",
                        names.join(", ")
                    )?;
                }
                files.insert(
                    format!("{DIRECTORY}/{module}.d.ts"),
                    format!("{head}\n{}\n", code.trim_end()),
                );
                writeln!(index, "export type * from './{module}.js';")?;
            }
        }
        files.insert(format!("{DIRECTORY}/given.d.ts"), GIVEN.into());
        let mut members = String::new();
        for (name, id) in &exports {
            members.push_str(&documented(&self.resolve.interfaces[*id].docs, "  "));
            writeln!(
                members,
                "  readonly {}: {};",
                camel(name),
                upper_camel(name)
            )?;
        }
        let names: Vec<_> = exports.iter().map(|(name, _)| upper_camel(name)).collect();
        files.insert(
            format!("{DIRECTORY}/index.d.ts"),
            format!(
                "/** The contract of the memory: generated from the `.wit` files. */\n\n\
                 import type {{ {} }} from './index.js';\n\n{index}export type * from './given.js';\n\n\
                 /** Every function of the memory, by interface. */\nexport interface Interfaces {{\n{members}}}\n",
                names.join(", ")
            ),
        );
        files.insert(
            format!("{DIRECTORY}/table.js"),
            format!(
                "// The contract as a table: generated from the `.wit` files. What its letters mean is in `wire.js`.\n\n\
                 export const records = {{\n{records}}};\n\nexport const variants = {{\n{variants}}};\n\n{}",
                self.function_table(&exports)?
            ),
        );
        Ok(files)
    }

    fn function_table(&self, exports: &[(&str, InterfaceId)]) -> Result<String> {
        let mut code = String::from(
            "/** By interface and function: the arguments, and the result. */\nexport const functions = {\n",
        );
        for (name, id) in exports {
            writeln!(code, "  '{name}': {{")?;
            for function in self.resolve.interfaces[*id].functions.values() {
                let mut arguments = Vec::new();
                for parameter in &function.params {
                    arguments.push(format!(
                        "'{}': '{}'",
                        parameter.name,
                        self.letter(&parameter.ty)?
                    ));
                }
                let result = match self.answer(function.result.as_ref()) {
                    Some(ty) => self.letter(ty)?,
                    None => "s".into(),
                };
                writeln!(
                    code,
                    "    '{}': [{{ {} }}, '{result}'],",
                    function.name,
                    arguments.join(", ")
                )?;
            }
            code.push_str("  },\n");
        }
        code.push_str("};\n");
        Ok(code)
    }

    /// The rows of a noun in the table, if it is converted at all.
    fn row(
        &self,
        noun: &str,
        id: TypeId,
        records: &mut String,
        variants: &mut String,
    ) -> Result<()> {
        match &self.resolve.types[id].kind {
            TypeDefKind::Record(record) => {
                let mut fields = Vec::new();
                for field in &record.fields {
                    fields.push(format!("'{}': '{}'", field.name, self.letter(&field.ty)?));
                }
                writeln!(records, "  '{noun}': {{ {} }},", fields.join(", "))?;
            }
            TypeDefKind::Variant(variant) => {
                let mut cases = Vec::new();
                for case in &variant.cases {
                    if let Some(ty) = &case.ty {
                        cases.push(format!("'{}': '{}'", case.name, self.letter(ty)?));
                    }
                }
                writeln!(variants, "  '{noun}': {{ {} }},", cases.join(", "))?;
            }
            _ => {}
        }
        Ok(())
    }

    fn letter(&self, ty: &Type) -> Result<String> {
        let Type::Id(id) = ty else {
            return Ok("s".into());
        };
        let definition = &self.resolve.types[self.defined(*id)];
        Ok(match (&definition.kind, definition.name.as_deref()) {
            (TypeDefKind::Type(_), Some("json")) => "j".into(),
            (TypeDefKind::Type(_) | TypeDefKind::Enum(_), _) => "s".into(),
            (TypeDefKind::List(Type::U8), _) => "y".into(),
            (TypeDefKind::List(item), _) => format!("[{}", self.letter(item)?),
            (TypeDefKind::Option(item), _) => format!("?{}", self.letter(item)?),
            (TypeDefKind::Record(_), Some(name)) => format!("@{name}"),
            (TypeDefKind::Variant(_), Some(name)) => format!("#{name}"),
            (other, _) => bail!("{} has no place in the table", other.as_str()),
        })
    }

    /// An interface of functions: each gives a promise.
    fn methods(&self, name: &str, id: InterfaceId, imports: &mut Imports) -> Result<String> {
        let interface = &self.resolve.interfaces[id];
        let mut code = documented(&interface.docs, "");
        writeln!(code, "export interface {} {{", upper_camel(name))?;
        for function in interface.functions.values() {
            code.push_str(&documented(&function.docs, "  "));
            let mut parameters = Vec::new();
            let last_needed = function
                .params
                .iter()
                .rposition(|one| !self.is_optional(&one.ty));
            for (index, parameter) in function.params.iter().enumerate() {
                let may_be_left_out = last_needed.is_none_or(|last| index > last);
                let mut ty = self.typescript(&parameter.ty, imports)?;
                if self.has_members(&parameter.ty) {
                    imports
                        .entry("given".into())
                        .or_default()
                        .insert("Given".into());
                    ty = format!("Given<{ty}>");
                }
                let mark = if may_be_left_out { "?" } else { "" };
                parameters.push(format!("{}{mark}: {ty}", camel(&parameter.name)));
            }
            let result = match self.answer(function.result.as_ref()) {
                Some(ty) => self.typescript(ty, imports)?,
                None => "void".into(),
            };
            writeln!(
                code,
                "  {}({}): Promise<{result}>;",
                camel(&function.name),
                parameters.join(", ")
            )?;
        }
        code.push_str("}\n");
        Ok(code)
    }

    fn noun(&self, noun: &str, id: TypeId, imports: &mut Imports) -> Result<String> {
        let definition = &self.resolve.types[id];
        let name = upper_camel(noun);
        let mut code = documented(&definition.docs, "");
        match &definition.kind {
            TypeDefKind::Record(record) => {
                writeln!(code, "export interface {name} {{")?;
                for field in &record.fields {
                    code.push_str(&documented(&field.docs, "  "));
                    let mark = if self.is_optional(&field.ty) { "?" } else { "" };
                    let ty = self.typescript(&field.ty, imports)?;
                    writeln!(code, "  {}{mark}: {ty};", camel(&field.name))?;
                }
                code.push_str("}\n\n");
            }
            TypeDefKind::Variant(variant) => {
                writeln!(code, "export type {name} =")?;
                for case in &variant.cases {
                    code.push_str(&documented(&case.docs, "  "));
                    match &case.ty {
                        Some(ty) => {
                            let ty = self.typescript(ty, imports)?;
                            writeln!(code, "  | {{ {}: {ty} }}", camel(&case.name))?;
                        }
                        None => writeln!(code, "  | '{}'", case.name)?,
                    }
                }
                code = format!("{};\n\n", code.trim_end());
            }
            TypeDefKind::Enum(cases) => {
                writeln!(code, "export type {name} =")?;
                for case in &cases.cases {
                    code.push_str(&documented(&case.docs, "  "));
                    writeln!(code, "  | '{}'", case.name)?;
                }
                code = format!("{};\n\n", code.trim_end());
            }
            TypeDefKind::Type(target) => {
                writeln!(
                    code,
                    "export type {name} = {};\n",
                    self.typescript(target, imports)?
                )?;
            }
            other => bail!("{noun}: {} has no mapping to TypeScript", other.as_str()),
        }
        Ok(code)
    }

    fn typescript(&self, ty: &Type, imports: &mut Imports) -> Result<String> {
        let id = match ty {
            Type::Bool => return Ok("boolean".into()),
            Type::String => return Ok("string".into()),
            Type::U8 | Type::U32 | Type::U64 | Type::F32 | Type::F64 => return Ok("number".into()),
            Type::Id(id) => self.defined(*id),
            other => bail!("{other:?} has no mapping to TypeScript"),
        };
        let definition = &self.resolve.types[id];
        Ok(match (&definition.kind, definition.name.as_deref()) {
            (_, Some("json")) => {
                imports
                    .entry("given".into())
                    .or_default()
                    .insert("Json".into());
                "Json".into()
            }
            (_, Some(name)) => {
                let TypeOwner::Interface(owner) = definition.owner else {
                    bail!("{name} belongs to no interface");
                };
                // Times belong to the ports, which have no file here.
                if name == "timestamp" {
                    imports
                        .entry("given".into())
                        .or_default()
                        .insert("Timestamp".into());
                    return Ok("Timestamp".into());
                }
                let name = upper_camel(name);
                imports
                    .entry(self.file_of(owner)?)
                    .or_default()
                    .insert(name.clone());
                name
            }
            (TypeDefKind::List(Type::U8), _) => "Uint8Array".into(),
            (TypeDefKind::List(item), _) => format!("{}[]", self.typescript(item, imports)?),
            (TypeDefKind::Option(item), _) => self.typescript(item, imports)?,
            (other, None) => bail!("{} has no mapping to TypeScript", other.as_str()),
        })
    }

    /// The type that a `use` stands for.
    fn defined(&self, id: TypeId) -> TypeId {
        match &self.resolve.types[id].kind {
            TypeDefKind::Type(Type::Id(target)) => self.defined(*target),
            _ => id,
        }
    }

    fn is_optional(&self, ty: &Type) -> bool {
        matches!(ty, Type::Id(id) if matches!(self.resolve.types[self.defined(*id)].kind, TypeDefKind::Option(_)))
    }

    /// Whether a type has members, some of which may be left out where it is given.
    fn has_members(&self, ty: &Type) -> bool {
        let Type::Id(id) = ty else { return false };
        match &self.resolve.types[self.defined(*id)].kind {
            TypeDefKind::List(item) | TypeDefKind::Option(item) => self.has_members(item),
            TypeDefKind::Record(_) | TypeDefKind::Variant(_) => true,
            _ => false,
        }
    }

    fn file_of(&self, id: InterfaceId) -> Result<String> {
        let interface = &self.resolve.interfaces[id];
        let name = interface.name.as_deref().context("no name")?;
        let package = interface.package.context("no package")?;
        Ok(match name {
            "types" => format!("{}-types", self.resolve.packages[package].name.name),
            name => name.into(),
        })
    }
}

pub(crate) fn camel(name: &str) -> String {
    let mut words = name.split('-');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &upper_camel(word))
}

fn documented(docs: &Docs, indent: &str) -> String {
    let text = docs
        .contents
        .as_deref()
        .unwrap_or_default()
        .replace("*/", "* /");
    let lines: Vec<_> = text.lines().map(str::trim).collect();
    match lines.as_slice() {
        [] => String::new(),
        [line] => format!("{indent}/** {line} */\n"),
        lines => {
            let body: String = lines
                .iter()
                .map(|line| format!("{indent} * {line}\n"))
                .collect();
            format!("{indent}/**\n{body}{indent} */\n")
        }
    }
}
