//! The code that passes calls on: from JSON to the memory's traits, from those traits to a component's exports, and
//! from the exports to the implementation of the memory.
//!
//! Owns how an argument is passed on each side. What an argument is in Rust is the business of `rust`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use anyhow::Result;
use wit_parser::{Function, InterfaceId, Type, TypeDefKind};

use crate::{Contract, snake, upper_camel};

impl Contract {
    /// The flat entry of `twiceshy-wit`, the entries of the host and the exports of the guest.
    pub(crate) fn call_files(&self) -> Result<BTreeMap<String, String>> {
        let exports = self.exports()?;
        let mut files = BTreeMap::new();
        files.insert(
            "wit/src/generated/dispatch.rs".into(),
            self.dispatch(&exports)?,
        );
        files.insert(
            "guest/memory/src/exports_to_engine.rs".into(),
            self.guest_exports(&exports)?,
        );
        let mut entries = String::from(
            "//! The contract of the memory, served by the component, each call by a lent instance,\n\
             //! or by a service.\n\
             //!\n//! Generated from the contract, one file an interface.\n\n",
        );
        let mut modules: Vec<_> = exports.iter().map(|(name, _)| snake(name)).collect();
        modules.sort();
        for module in modules {
            writeln!(entries, "mod {module};")?;
        }
        files.insert("host/src/entries.rs".into(), entries);
        for (name, id) in exports {
            files.insert(
                format!("host/src/entries/{}.rs", snake(name)),
                self.host_entries(name, id)?,
            );
        }
        Ok(files)
    }

    /// One arm for each function: arguments from JSON, the answer as JSON.
    fn dispatch(&self, exports: &[(&str, InterfaceId)]) -> Result<String> {
        let traits: Vec<_> = exports.iter().map(|(name, _)| upper_camel(name)).collect();
        let bounds = traits.join(" + ");
        let mut arms = String::new();
        let mut used: BTreeSet<String> = traits.iter().cloned().collect();
        used.insert("Error".into());
        for (interface, id) in exports {
            for function in self.resolve.interfaces[*id].functions.values() {
                let mut passes = String::new();
                for parameter in &function.params {
                    let borrowed = self.borrowed(&parameter.ty)?;
                    let rust = match borrowed.as_str() {
                        "&str" => "::<String>".into(),
                        list if list.starts_with("&[") => {
                            used.extend(self.list_item(&parameter.ty));
                            format!("::<{}>", self.rust(&parameter.ty)?)
                        }
                        _ => String::new(),
                    };
                    let borrow = if borrowed.starts_with('&') { "&" } else { "" };
                    write!(
                        passes,
                        ", {borrow}arguments.take{rust}({:?})?",
                        parameter.name
                    )?;
                }
                writeln!(
                    arms,
                    "\"{interface}.{}\" => reply({}::{}(memory{passes}){}),",
                    function.name,
                    upper_camel(interface),
                    snake(&function.name),
                    if self.is_fallible(function) { "?" } else { "" },
                )?;
            }
        }
        let used: Vec<_> = used.into_iter().collect();
        Ok(format!(
            "//! The functions of the memory by their names: generated from the contract.\n\n\
             use crate::{{memory::{{{}}}, rpc::{{Arguments, reply, unknown}}}};\n\n\
             /// A memory with all its interfaces.\npub trait Memory: {bounds} {{}}\n\n\
             impl<M> Memory for M where M: {bounds} {{}}\n\n\
             pub(crate) fn dispatch(memory: &impl Memory, method: &str, mut arguments: Arguments) -> Result<String, Error> {{\n\
             match method {{\n{arms}_ => Err(unknown(method)),\n}}\n}}\n",
            used.join(", ")
        ))
    }

    /// The impls with which the guest serves its exports by the engine.
    fn guest_exports(&self, exports: &[(&str, InterfaceId)]) -> Result<String> {
        let mut code = String::from(
            "//! The component's exports, served by the engine: generated from the contract.\n\n\
             use twiceshy_wit::memory::*;\n\n\
             use crate::{Component, exports::twiceshy::memory as exports, ports_from_imports::engine};\n\n\
             impl exports::rpc::Guest for Component {\n    \
             fn call(method: String, args: String) -> Result<String, Error> {\n        \
             twiceshy_wit::rpc::call(&engine(), &method, &args)\n    }\n}\n",
        );
        for (name, id) in exports {
            let (module, rust) = (snake(name), upper_camel(name));
            writeln!(code, "\nimpl exports::{module}::Guest for Component {{")?;
            for function in self.resolve.interfaces[*id].functions.values() {
                let (mut parameters, mut passes) = (String::new(), String::new());
                for parameter in &function.params {
                    let (name, ty) = (snake(&parameter.name), &parameter.ty);
                    write!(parameters, "{name}: {}, ", self.rust(ty)?)?;
                    let borrow = self.borrowed(ty)?.starts_with('&');
                    write!(passes, ", {}{name}", if borrow { "&" } else { "" })?;
                }
                let (function, result) = (snake(&function.name), self.result(function)?);
                writeln!(
                    code,
                    "fn {function}({parameters}){result} {{ {rust}::{function}(&engine(){passes}) }}"
                )?;
            }
            code.push_str("}\n");
        }
        Ok(code)
    }

    /// The impl with which the host serves one of the memory's traits by the component's exports.
    fn host_entries(&self, interface: &str, id: InterfaceId) -> Result<String> {
        let (module, rust) = (snake(interface), upper_camel(interface));
        let mut code = format!(
            "//! `{interface}` of the memory, served by the component or a service: generated from the contract.\n\n\
             use serde_json::json;\nuse twiceshy_wit::memory::*;\n\nuse crate::memory::Memory;\n\nimpl {rust} for Memory {{\n"
        );
        for function in self.resolve.interfaces[id].functions.values() {
            let (mut passes, mut members) = (String::new(), String::new());
            for parameter in &function.params {
                let (name, ty) = (snake(&parameter.name), &parameter.ty);
                write!(members, "\"{}\": {name},", parameter.name)?;
                // Whatever has no text or list in it is passed by value.
                let is_copied = self.borrowed(ty)?.starts_with('&') && !self.has_list(ty);
                let pass = if is_copied { format!("*{name}") } else { name };
                write!(passes, ", {pass}")?;
            }
            let (fallible, remote) = match self.is_fallible(function) {
                true => ("?", ""),
                // The contract has no error here: what can't be said at all is empty.
                false => (".unwrap_or_default()", ".unwrap_or_default()"),
            };
            writeln!(
                code,
                "{} {{\nif let Some(service) = self.service() {{\n\
                 return service.ask(\"{interface}.{}\", &json!({{ {members} }})){remote};\n}}\n\
                 self.with(|instance| {{\nlet exports = instance.exports.twiceshy_memory_{module}();\n\
                 exports.call_{}(&mut instance.store{passes})\n}}){fallible}\n}}\n",
                self.signature(function)?,
                function.name,
                snake(&function.name)
            )?;
        }
        code.push_str("}\n");
        Ok(code)
    }

    pub(crate) fn is_fallible(&self, function: &Function) -> bool {
        matches!(&function.result, Some(Type::Id(id))
            if matches!(self.resolve.types[*id].kind, TypeDefKind::Result(_)))
    }

    /// The name of what a list holds, if it has one.
    fn list_item(&self, ty: &Type) -> Option<String> {
        let Type::Id(id) = ty else { return None };
        match &self.resolve.types[*id].kind {
            TypeDefKind::List(item @ Type::Id(_)) => self.rust(item).ok(),
            _ => None,
        }
    }

    /// Whether a text or a list is somewhere in a type.
    fn has_list(&self, ty: &Type) -> bool {
        let Type::Id(id) = ty else {
            return *ty == Type::String;
        };
        match &self.resolve.types[*id].kind {
            TypeDefKind::List(_) => true,
            TypeDefKind::Type(inner) | TypeDefKind::Option(inner) => self.has_list(inner),
            TypeDefKind::Record(record) => {
                record.fields.iter().any(|field| self.has_list(&field.ty))
            }
            TypeDefKind::Variant(variant) => {
                let mut payloads = variant.cases.iter().filter_map(|case| case.ty.as_ref());
                payloads.any(|ty| self.has_list(ty))
            }
            _ => false,
        }
    }
}
