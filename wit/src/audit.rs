//! What tests ask of the contracts: their text, and whether every item is documented and dated.
//!
//! Part of the build script, because the tools that read WIT are there anyway.

use anyhow::Result;
use wit_component::WitPrinter;
use wit_parser::{Docs, Resolve, Stability, Type, TypeDefKind};

/// The answers as Rust constants.
pub(crate) fn constants(resolve: &Resolve) -> Result<String> {
    let mut printed = String::new();
    for (id, package) in resolve.packages.iter() {
        let mut printer = WitPrinter::default();
        printer.emit_docs(false).print(resolve, id, &[])?;
        printed.push_str(&format!("// {}\n{}\n", package.name, printer.output));
    }
    let mut items = Items::default();
    items.collect(resolve);
    Ok(format!(
        "/// The contracts without their documentation.\npub static CONTRACTS: &str = {printed:?};\n\
         /// Items without documentation.\npub static UNDOCUMENTED: &[&str] = &{:?};\n\
         /// Items that do not say since when they are there.\npub static UNDATED: &[&str] = &{:?};\n",
        items.undocumented, items.undated
    ))
}

#[derive(Default)]
struct Items {
    undocumented: Vec<String>,
    undated: Vec<String>,
}

impl Items {
    fn collect(&mut self, resolve: &Resolve) {
        for (_, package) in resolve.packages.iter() {
            self.documented(package.name.to_string(), &package.docs);
        }
        for (_, world) in resolve.worlds.iter() {
            self.documented(world.name.clone(), &world.docs);
            self.dated(&world.name, &world.stability);
        }
        for (_, interface) in resolve.interfaces.iter() {
            let name = interface.name.clone().unwrap_or_default();
            self.documented(name.clone(), &interface.docs);
            self.dated(&name, &interface.stability);
            for function in interface.functions.values() {
                self.documented(format!("{name}.{}", function.name), &function.docs);
                self.dated(&format!("{name}.{}", function.name), &function.stability);
            }
        }
        for (_, definition) in resolve.types.iter() {
            let Some(name) = &definition.name else {
                continue;
            };
            self.dated(name, &definition.stability);
            // A `use` takes its documentation from where the type is defined.
            if matches!(definition.kind, TypeDefKind::Type(Type::Id(_))) {
                continue;
            }
            self.documented(name.clone(), &definition.docs);
            let members: Vec<(&String, &Docs)> = match &definition.kind {
                TypeDefKind::Record(record) => {
                    record.fields.iter().map(|m| (&m.name, &m.docs)).collect()
                }
                TypeDefKind::Variant(variant) => {
                    variant.cases.iter().map(|m| (&m.name, &m.docs)).collect()
                }
                TypeDefKind::Enum(cases) => {
                    cases.cases.iter().map(|m| (&m.name, &m.docs)).collect()
                }
                _ => Vec::new(),
            };
            for (member, docs) in members {
                self.documented(format!("{name}.{member}"), docs);
            }
        }
    }

    fn documented(&mut self, name: String, docs: &Docs) {
        if docs
            .contents
            .as_deref()
            .unwrap_or_default()
            .trim()
            .is_empty()
        {
            self.undocumented.push(name);
        }
    }

    fn dated(&mut self, name: &str, stability: &Stability) {
        if !matches!(stability, Stability::Stable { .. }) {
            self.undated.push(name.to_owned());
        }
    }
}
