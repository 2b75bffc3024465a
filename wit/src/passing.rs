//! Writes the code that passes calls on: from a component's exports to whoever implements the memory, and from
//! the memory's traits to a component's exports.
//!
//! Owns how an argument is passed on each side. What an argument is in Rust is the generator's business.

use std::fmt::Write as _;

use anyhow::{Context, Result};
use wit_parser::{Function, InterfaceId, Type, TypeDefKind};

use crate::{Generator, snake, upper_camel};

impl Generator<'_> {
    /// The trait of a memory with all its interfaces.
    pub(crate) fn memory_trait(&self, interfaces: &[InterfaceId]) -> Result<String> {
        let mut traits = Vec::new();
        for id in interfaces {
            traits.push(format!(
                "memory::{}",
                upper_camel(self.interface_name(*id)?)
            ));
        }
        let traits = traits.join(" + ");
        Ok(format!(
            "/// A memory with all its interfaces.\npub trait Memory: {traits} {{}}\n\
             impl<M> Memory for M where M: {traits} {{}}\n"
        ))
    }

    /// The macro with which a guest serves its exports by a memory.
    pub(crate) fn serve_exports(&self, interfaces: &[InterfaceId]) -> Result<String> {
        let mut code = String::new();
        for id in interfaces {
            let name = self.interface_name(*id)?;
            let (module, rust) = (snake(name), upper_camel(name));
            writeln!(
                code,
                "        impl exports::{module}::Guest for $component {{"
            )?;
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
                    "            fn {function}({parameters}){result} {{ {rust}::{function}(&$memory(){passes}) }}"
                )?;
            }
            code.push_str("        }\n");
        }
        Ok(format!(
            "/// Serves a component's exports, found under the path `$exports`, by the memory that `$memory()` gives.\n\
             #[macro_export]\nmacro_rules! serve_exports {{\n    \
             ($component:ident, $memory:path, $($exports:tt)+) => {{ const _: () = {{\n        \
             use $crate::memory::*;\n        use $($exports)+ as exports;\n{code}    }}; }};\n}}\n"
        ))
    }

    /// The macro with which a host serves the memory's traits by a component's exports.
    pub(crate) fn serve_memory(&self, interfaces: &[InterfaceId]) -> Result<String> {
        let mut code = String::new();
        for id in interfaces {
            let name = self.interface_name(*id)?;
            let (module, rust) = (snake(name), upper_camel(name));
            writeln!(code, "        impl {rust} for $memory {{")?;
            for function in self.resolve.interfaces[*id].functions.values() {
                let (mut parameters, mut passes) = (String::new(), String::new());
                for parameter in &function.params {
                    let (name, ty) = (snake(&parameter.name), &parameter.ty);
                    let borrowed = self.borrowed(ty)?;
                    write!(parameters, ", {name}: {borrowed}")?;
                    // Whatever has no text or list in it is passed by value.
                    let copied = borrowed.starts_with('&') && !self.has_list(ty);
                    write!(passes, ", {name}{}", if copied { ".clone()" } else { "" })?;
                }
                let fallible = match self.is_fallible(function) {
                    true => "?",
                    // The contract has no error here: what can't be said at all is empty.
                    false => ".unwrap_or_default()",
                };
                let (function, result) = (snake(&function.name), self.result(function)?);
                writeln!(
                    code,
                    "            fn {function}(&self{parameters}){result} {{ self.with(|instance| instance.exports.twiceshy_memory_{module}().call_{function}(&mut instance.store{passes})){fallible} }}"
                )?;
            }
            code.push_str("        }\n");
        }
        Ok(format!(
            "/// Serves the traits of a memory by the exports of the instances that its method `with` lends.\n\
             #[macro_export]\nmacro_rules! serve_memory {{\n    \
             ($memory:ident) => {{ const _: () = {{\n        use $crate::memory::*;\n{code}    }}; }};\n}}\n"
        ))
    }

    pub(crate) fn is_fallible(&self, function: &Function) -> bool {
        matches!(&function.result, Some(Type::Id(id))
            if matches!(self.resolve.types[*id].kind, TypeDefKind::Result(_)))
    }

    pub(crate) fn interface_name(&self, id: InterfaceId) -> Result<&str> {
        let name = self.resolve.interfaces[id].name.as_deref();
        name.context("an interface without a name")
    }

    fn result(&self, function: &Function) -> Result<String> {
        Ok(match &function.result {
            Some(ty) => format!(" -> {}", self.rust(ty)?),
            None => String::new(),
        })
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
                let payloads = variant.cases.iter().filter_map(|case| case.ty.as_ref());
                payloads.into_iter().any(|ty| self.has_list(ty))
            }
            _ => false,
        }
    }
}
