//! The nouns and the interfaces of the memory as Python: dataclasses, literals, exceptions, and classes of calls.
//!
//! Owns the mapping from WIT to Python. How a value becomes JSON and back is written by hand in the package
//! (`twiceshy/_codec.py`). Modules are loaded when a name of theirs is first used, because making a dataclass takes a
//! third of a millisecond and there are two hundred of them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use anyhow::{Context, Result, bail, ensure};
use wit_parser::{Docs, Function, InterfaceId, Type, TypeDefKind, TypeId, TypeOwner, Variant};

use crate::{Contract, python_docs::Names, snake, upper_camel};

/// Where the files are written.
pub(crate) const PLACE: &str = "packages/python/twiceshy/contract";

/// The packages whose nouns functions of the memory take or give.
const DESCRIBED: [&str; 2] = ["adapter", "memory"];

/// A line that is longer than this is broken.
pub(crate) const WIDTH: usize = 120;

impl Contract {
    /// The files of the Python package: one for each interface, and one each that names the nouns, the interfaces and
    /// the exceptions.
    pub(crate) fn python_files(&self) -> Result<BTreeMap<String, String>> {
        let names = Names::of(&self.resolve);
        let mut files = BTreeMap::new();
        let mut places: BTreeMap<String, String> = BTreeMap::new();
        let cases = self.variant_cases()?;
        for package in DESCRIBED {
            for (name, id) in self.interfaces(package)? {
                let module = self.module_of(id)?;
                let mut python = PythonModule {
                    contract: self,
                    names: &names,
                    module: module.clone(),
                    cases: &cases,
                    imports: BTreeMap::new(),
                    defined: Vec::new(),
                };
                let body = python.body(name, id)?;
                if body.is_empty() {
                    continue;
                }
                for noun in &python.defined {
                    if let Some(other) = places.insert(noun.clone(), module.clone()) {
                        bail!("{noun} is defined in {other} and in {module}");
                    }
                }
                let code = python.whole(&format!("`twiceshy:{package}/{name}`"), &body)?;
                files.insert(format!("{PLACE}/{module}.py"), code);
            }
        }
        files.insert(format!("{PLACE}/errors.py"), self.python_errors(&names)?);
        files.insert(
            format!("{PLACE}/interfaces.py"),
            self.python_interfaces(&names)?,
        );
        files.insert(format!("{PLACE}/__init__.py"), python_index(&places)?);
        Ok(files)
    }

    /// The case that a record is the payload of. A variant is the union of its payloads in Python, so each of them has
    /// to be a record that is nothing else.
    fn variant_cases(&self) -> Result<BTreeMap<String, String>> {
        let mut cases = BTreeMap::new();
        for (_, definition) in self.resolve.types.iter() {
            let TypeDefKind::Variant(variant) = &definition.kind else {
                continue;
            };
            if definition.name.as_deref() == Some("error") || !self.is_described(definition.owner) {
                continue;
            }
            for case in &variant.cases {
                let payload = case
                    .ty
                    .as_ref()
                    .map(|ty| self.record_name(ty))
                    .transpose()?
                    .flatten();
                let payload =
                    payload.with_context(|| format!("{}: its payload is no record", case.name))?;
                let other = cases.insert(payload, case.name.clone());
                ensure!(
                    other.is_none(),
                    "{}: its payload is that of another case",
                    case.name
                );
            }
        }
        Ok(cases)
    }

    fn is_described(&self, owner: TypeOwner) -> bool {
        let TypeOwner::Interface(interface) = owner else {
            return false;
        };
        let package = self.resolve.interfaces[interface].package;
        package.is_some_and(|id| DESCRIBED.contains(&self.resolve.packages[id].name.name.as_str()))
    }

    /// The name of a record in Python, if a type is one.
    fn record_name(&self, ty: &Type) -> Result<Option<String>> {
        let Type::Id(id) = ty else { return Ok(None) };
        let id = self.definition(*id);
        let definition = &self.resolve.types[id];
        let name = definition.name.as_deref();
        Ok(match &definition.kind {
            TypeDefKind::Record(_) => Some(upper_camel(name.context("a record without a name")?)),
            _ => None,
        })
    }

    /// Where a type that is only used is defined.
    fn definition(&self, id: TypeId) -> TypeId {
        match &self.resolve.types[id].kind {
            TypeDefKind::Type(Type::Id(target)) if self.resolve.types[*target].name.is_some() => {
                self.definition(*target)
            }
            _ => id,
        }
    }

    /// One exception for each case of the memory's error.
    fn python_errors(&self, names: &Names) -> Result<String> {
        let error = self
            .resolve
            .types
            .iter()
            .find_map(|(_, one)| match &one.kind {
                TypeDefKind::Variant(variant)
                    if self.is_memory_error(one.name.as_deref(), one.owner) =>
                {
                    Some((&one.docs, variant))
                }
                _ => None,
            });
        let (docs, variant): (&Docs, &Variant) = error.context("no error")?;
        let mut code = format!(
            "\"\"\"Why a call failed: one class for each case of the contract. Generated from the contract.\"\"\"\n\n\n\
             class TwiceshyError(Exception):\n{}\n    \
             kind: str = \"\"\n    \"\"\"The name of the case in the contract.\"\"\"\n",
            names.docstring(docs, "    "),
        );
        let mut kinds = String::new();
        for case in &variant.cases {
            let class = format!("{}Error", upper_camel(&case.name));
            write!(
                code,
                "\n\nclass {class}(TwiceshyError):\n{}\n    kind = \"{}\"\n",
                names.docstring(&case.docs, "    "),
                case.name,
            )?;
            writeln!(kinds, "    \"{}\": {class},", case.name)?;
        }
        write!(
            code,
            "\n\nBY_KIND: dict[str, type[TwiceshyError]] = {{\n{kinds}}}\n\"\"\"The classes by the names of their cases.\"\"\"\n"
        )?;
        Ok(code)
    }

    fn is_memory_error(&self, name: Option<&str>, owner: TypeOwner) -> bool {
        let TypeOwner::Interface(id) = owner else {
            return false;
        };
        name == Some("error") && self.module_of(id).is_ok_and(|module| module == "memory")
    }

    /// The interfaces as attributes of a memory.
    fn python_interfaces(&self, names: &Names) -> Result<String> {
        let mut code = String::from(
            "\"\"\"The interfaces of a memory as its attributes, each loaded when it is first used. Generated from the contract.\"\"\"\n\n\
             from __future__ import annotations\n\n\
             from functools import cached_property\n\
             from typing import TYPE_CHECKING\n\n\
             from .._calls import Caller\n\n\
             if TYPE_CHECKING:\n",
        );
        let mut exports = self.exports()?;
        exports.sort();
        for (name, _) in &exports {
            let class = upper_camel(name);
            writeln!(
                code,
                "    from .{} import Async{class}, {class}",
                snake(name)
            )?;
        }
        for (prefix, docs) in [
            ("", "The interfaces, called directly."),
            (
                "Async",
                "The interfaces, called from asyncio: each call waits in a thread of its own.",
            ),
        ] {
            write!(
                code,
                "\n\nclass {prefix}Interfaces:\n    \"\"\"{docs}\"\"\"\n\n    \
                 def __init__(self, caller: Caller) -> None:\n        self._caller = caller\n"
            )?;
            for (name, id) in &exports {
                let class = format!("{prefix}{}", upper_camel(name));
                let module = snake(name);
                write!(
                    code,
                    "\n    @cached_property\n    def {module}(self) -> {class}:\n{}        \
                     from .{module} import {class}\n\n        return {class}(self._caller)\n",
                    names.docstring(&self.resolve.interfaces[*id].docs, "        "),
                )?;
            }
        }
        Ok(code)
    }
}

/// One module in the making.
struct PythonModule<'a> {
    contract: &'a Contract,
    names: &'a Names,
    module: String,
    cases: &'a BTreeMap<String, String>,
    /// What is used of other modules, by their names.
    imports: BTreeMap<String, BTreeSet<String>>,
    defined: Vec<String>,
}

impl PythonModule<'_> {
    fn body(&mut self, name: &str, id: InterfaceId) -> Result<String> {
        let interface = &self.contract.resolve.interfaces[id];
        let mut code = String::new();
        // In the order of the parser, which puts what is used before what uses it.
        let mut types: Vec<_> = interface.types.values().copied().collect();
        types.sort();
        for id in types {
            code.push_str(&self.type_definition(id)?);
        }
        if !interface.functions.is_empty()
            && self.contract.exports()?.iter().any(|(_, one)| *one == id)
        {
            for is_async in [false, true] {
                code.push_str(&self.calls(name, id, is_async)?);
            }
        }
        Ok(code)
    }

    /// The file: what it is, what it uses, and its body.
    fn whole(&self, of: &str, body: &str) -> Result<String> {
        let mut code = format!("\"\"\"{of}: generated from the contract.\"\"\"\n\n");
        let mut typing = Vec::new();
        if body.contains("Sequence[") {
            code.push_str("from collections.abc import Sequence\n");
        }
        if body.contains("@dataclass(") {
            code.push_str("from dataclasses import dataclass\n");
        }
        for name in ["ClassVar", "Literal"] {
            if body.contains(&format!("{name}[")) {
                typing.push(name);
            }
        }
        if !typing.is_empty() {
            writeln!(code, "from typing import {}", typing.join(", "))?;
        }
        if code.contains("import") {
            code.push('\n');
        }
        if body.contains("(Interface)") {
            code.push_str("from .._calls import AsyncInterface, Interface\n");
        }
        if body.contains("Json") {
            code.push_str("from .._codec import Json\n");
        }
        for (module, names) in &self.imports {
            let names: Vec<_> = names.iter().map(String::as_str).collect();
            let line = format!("from .{module} import {}", names.join(", "));
            match line.len() <= WIDTH {
                true => writeln!(code, "{line}")?,
                false => writeln!(
                    code,
                    "from .{module} import (\n    {},\n)",
                    names.join(",\n    ")
                )?,
            }
        }
        code.push_str(body);
        Ok(code)
    }

    fn type_definition(&mut self, id: TypeId) -> Result<String> {
        let definition = &self.contract.resolve.types[id];
        let wit_name = definition
            .name
            .as_deref()
            .context("a type without a name")?;
        let name = upper_camel(wit_name);
        // Exceptions have a file of their own, and a JSON value and a moment are written by hand.
        let is_elsewhere = self.contract.definition(id) != id
            || ["error", "json", "timestamp"].contains(&wit_name);
        if is_elsewhere {
            return Ok(String::new());
        }
        self.defined.push(name.clone());
        let docs = self.names.docstring(&definition.docs, "");
        Ok(match &definition.kind {
            TypeDefKind::Record(record) => {
                let mut code = format!(
                    "\n\n@dataclass(frozen=True, slots=True, kw_only=True)\nclass {name}:\n{}",
                    self.names.docstring(&definition.docs, "    ")
                );
                if let Some(case) = self.cases.get(&name) {
                    write!(code, "\n    CASE: ClassVar[str] = \"{case}\"\n")?;
                }
                for field in &record.fields {
                    let ty = self.python(&field.ty)?;
                    let default = self
                        .default(&field.ty)
                        .map_or(String::new(), |default| format!(" = {default}"));
                    write!(
                        code,
                        "\n    {}: {ty}{default}\n{}",
                        snake(&field.name),
                        self.names.docstring(&field.docs, "    ")
                    )?;
                }
                code
            }
            TypeDefKind::Enum(cases) => {
                let values: Vec<_> = cases
                    .cases
                    .iter()
                    .map(|case| format!("\"{}\"", case.name))
                    .collect();
                let mut words = definition.docs.contents.clone().unwrap_or_default();
                words.push('\n');
                for case in &cases.cases {
                    let of_case = case.docs.contents.as_deref().unwrap_or_default();
                    write!(words, "\n* `{}`: {}", case.name, of_case.trim())?;
                }
                let line = format!("{name} = Literal[{}]", values.join(", "));
                let line = match line.len() <= WIDTH {
                    true => line,
                    false => format!("{name} = Literal[\n    {},\n]", values.join(",\n    ")),
                };
                format!("\n\n{line}\n{}", self.names.quoted(&words, ""))
            }
            TypeDefKind::Variant(variant) => {
                let mut payloads = Vec::new();
                for case in &variant.cases {
                    payloads
                        .push(self.python(case.ty.as_ref().context("a case without a payload")?)?);
                }
                format!("\n\n{name} = {}\n{docs}", payloads.join(" | "))
            }
            TypeDefKind::Type(target) => format!("\n\n{name} = {}\n{docs}", self.python(target)?),
            other => bail!(
                "type {wit_name}: {} has no mapping to Python",
                other.as_str()
            ),
        })
    }

    /// A type as it is written in Python; notes what of other modules it takes.
    fn python(&mut self, ty: &Type) -> Result<String> {
        Ok(match ty {
            Type::Bool => "bool".into(),
            Type::U8 | Type::U32 | Type::U64 => "int".into(),
            Type::F32 | Type::F64 => "float".into(),
            Type::String => "str".into(),
            Type::Id(id) => {
                let id = self.contract.definition(*id);
                let definition = &self.contract.resolve.types[id];
                match (&definition.kind, definition.name.as_deref()) {
                    (_, Some("json")) => "Json".into(),
                    (_, Some("timestamp")) => "int".into(),
                    (_, Some(name)) => {
                        let TypeOwner::Interface(owner) = definition.owner else {
                            bail!("{name} belongs to no interface");
                        };
                        let (module, name) = (self.contract.module_of(owner)?, upper_camel(name));
                        if module != self.module {
                            self.imports.entry(module).or_default().insert(name.clone());
                        }
                        name
                    }
                    (TypeDefKind::List(Type::U8), None) => "bytes".into(),
                    (TypeDefKind::List(item), None) => format!("Sequence[{}]", self.python(item)?),
                    (TypeDefKind::Option(item), None) => format!("{} | None", self.python(item)?),
                    (other, None) => bail!("{} has no mapping to Python", other.as_str()),
                }
            }
            other => bail!("{other:?} has no mapping to Python"),
        })
    }

    /// What stands for a member or an argument that is left out, if it may be.
    fn default(&self, ty: &Type) -> Option<String> {
        let Type::Id(id) = ty else { return None };
        let id = self.contract.definition(*id);
        let definition = &self.contract.resolve.types[id];
        match &definition.kind {
            _ if definition.name.as_deref() == Some("json") => Some("\"\"".into()),
            TypeDefKind::Option(_) => Some("None".into()),
            TypeDefKind::List(Type::U8) => Some("b\"\"".into()),
            TypeDefKind::List(_) => Some("()".into()),
            _ => None,
        }
    }

    /// The same for an argument, which may also be a record of which everything may be left out.
    fn default_of_argument(&self, ty: &Type) -> Option<String> {
        if let Type::Id(id) = ty {
            let definition = &self.contract.resolve.types[self.contract.definition(*id)];
            if let (TypeDefKind::Record(record), Some(name)) = (&definition.kind, &definition.name)
            {
                let may_be_empty = record
                    .fields
                    .iter()
                    .all(|field| self.default(&field.ty).is_some());
                return may_be_empty.then(|| format!("{}()", upper_camel(name)));
            }
        }
        self.default(ty)
    }

    /// A class with a method for each function of an interface.
    fn calls(&mut self, name: &str, id: InterfaceId, is_async: bool) -> Result<String> {
        let prefix = if is_async { "Async" } else { "" };
        let class = format!("{prefix}{}", upper_camel(name));
        self.defined.push(class.clone());
        let interface = &self.contract.resolve.interfaces[id];
        let mut code = format!(
            "\n\nclass {class}({prefix}Interface):\n{}",
            self.names.docstring(&interface.docs, "    ")
        );
        for function in interface.functions.values() {
            code.push_str(&self.method(name, function, is_async)?);
        }
        Ok(code)
    }

    fn method(&mut self, interface: &str, function: &Function, is_async: bool) -> Result<String> {
        let mut parameters = vec!["self".to_owned()];
        let mut passes = String::new();
        let defaults: Vec<_> = function
            .params
            .iter()
            .map(|one| self.default_of_argument(&one.ty))
            .collect();
        for (index, parameter) in function.params.iter().enumerate() {
            let (name, ty) = (snake(&parameter.name), self.python(&parameter.ty)?);
            // Only what nothing follows that has to be given.
            let is_last = defaults[index..].iter().all(Option::is_some);
            let default = defaults[index].as_ref().filter(|_| is_last);
            let default = default.map_or(String::new(), |default| format!(" = {default}"));
            parameters.push(format!("{name}: {ty}{default}"));
            write!(passes, ", {name}={name}")?;
        }
        let (answer, by, class) = match self.contract.answer(function.result.as_ref()).copied() {
            None => ("None".to_owned(), "_do", String::new()),
            Some(ty) => match self.list_item(&ty) {
                Some(item) => {
                    let item = self.python(&item)?;
                    (format!("Sequence[{item}]"), "_list", format!(", {item}"))
                }
                None => {
                    let one = self.python(&ty)?;
                    (one.clone(), "_call", format!(", {one}"))
                }
            },
        };
        let (define, wait) = if is_async {
            ("async def", "await ")
        } else {
            ("def", "")
        };
        let name = snake(&function.name);
        let line = format!(
            "    {define} {name}({}) -> {answer}:",
            parameters.join(", ")
        );
        let line = match line.len() <= WIDTH {
            true => line,
            false => format!(
                "    {define} {name}(\n        {},\n    ) -> {answer}:",
                parameters.join(",\n        ")
            ),
        };
        let give = if by == "_do" { "" } else { "return " };
        Ok(format!(
            "\n{line}\n{}        {give}{wait}self.{by}(\"{interface}.{}\"{class}{passes})\n",
            self.names.docstring(&function.docs, "        "),
            function.name
        ))
    }

    /// What a list has, unless it is one of bytes.
    fn list_item(&self, ty: &Type) -> Option<Type> {
        let Type::Id(id) = ty else { return None };
        match &self.contract.resolve.types[*id].kind {
            TypeDefKind::List(Type::U8) => None,
            TypeDefKind::List(item) => Some(*item),
            _ => None,
        }
    }
}

/// The file that names everything, and loads a module when one of its names is asked for.
fn python_index(places: &BTreeMap<String, String>) -> Result<String> {
    let mut by_module: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, module) in places {
        by_module.entry(module).or_default().push(name);
    }
    let mut code = String::from(
        "\"\"\"The contract of the memory in Python: its nouns and its interfaces. Generated from the contract.\"\"\"\n\n\
         from importlib import import_module\n\
         from typing import TYPE_CHECKING, Any\n\n\
         if TYPE_CHECKING:\n",
    );
    for (module, names) in &by_module {
        writeln!(code, "    from .{module} import (")?;
        for name in names {
            writeln!(code, "        {name} as {name},")?;
        }
        code.push_str("    )\n");
    }
    code.push_str("\n_MODULES = {\n");
    for (module, names) in &by_module {
        writeln!(code, "    \"{module}\": \"{}\",", names.join(" "))?;
    }
    code.push_str(
        "}\n_PLACES = {name: module for module, names in _MODULES.items() for name in names.split()}\n\n\
         __all__ = sorted(_PLACES)  # pyright: ignore[reportUnsupportedDunderAll]\n\n\n\
         def __getattr__(name: str) -> Any:\n    \
         if name not in _PLACES:\n        \
         raise AttributeError(f\"module {__name__!r} has no attribute {name!r}\")\n    \
         value = getattr(import_module(f\"{__name__}.{_PLACES[name]}\"), name)\n    \
         globals()[name] = value\n    \
         return value\n\n\n\
         def __dir__() -> list[str]:\n    \
         return list(__all__)\n",
    );
    Ok(code)
}
