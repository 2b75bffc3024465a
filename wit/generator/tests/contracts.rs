//! The contracts in `wit/`: every item is documented, a change of them is a visible act, and every language can speak
//! their names.

use std::collections::BTreeSet;

use twiceshy_wit::{FUNCTIONS, INTERFACES, Type};
use twiceshy_wit_generator::{Contract, contract, names, root};
use wit_component::WitPrinter;
use wit_parser::{Docs, Resolve, Stability, TypeDefKind};

fn contracts() -> Contract {
    contract(&root()).expect("the contracts")
}

/// The contracts without their documentation.
fn printed(resolve: &Resolve) -> String {
    let mut printed = String::new();
    for (id, package) in resolve.packages.iter() {
        let mut printer = WitPrinter::default();
        printer
            .emit_docs(false)
            .print(resolve, id, &[])
            .expect("a text");
        printed.push_str(&format!("// {}\n{}\n", package.name, printer.output));
    }
    printed
}

#[test]
fn the_contracts_are_what_the_snapshot_says() {
    insta::assert_snapshot!(printed(&contracts().resolve));
}

#[test]
fn no_embedder_has_to_return_an_error_beside_an_option() {
    // Hosts in Python can't tell the cases of `result<option<T>, E>` apart.
    assert!(!printed(&contracts().resolve).contains("result<option<"));
}

#[test]
fn no_two_names_are_one_without_hyphens_and_case() {
    assert_eq!(names::clashes(&contracts()), [""; 0]);
}

#[test]
fn no_name_is_a_reserved_word_of_a_language_that_may_call_the_memory() {
    assert_eq!(names::reserved(&contracts()), [""; 0]);
}

#[test]
fn names_that_clash_or_are_reserved_are_found() {
    let mut resolve = Resolve::default();
    let text = "package a:b; interface c { record handoff { event: string } \
                hand-off: func(arguments: string) -> handoff; delete: func(); undelete: func(); }";
    resolve.push_str("c.wit", text).expect("a contract");
    let contract = Contract { resolve };
    assert_eq!(names::clashes(&contract), ["b/c: hand-off and handoff"]);
    let reserved = ["b/c.hand-off.arguments", "b/c.delete", "b/c.handoff.event"];
    assert_eq!(names::reserved(&contract), reserved);
}

#[test]
fn every_item_is_documented_and_says_since_when() {
    let mut items = Items::default();
    items.collect(&contracts().resolve);
    assert_eq!(items.undocumented, [""; 0], "without documentation");
    assert_eq!(items.undated, [""; 0], "without @since");
}

#[test]
fn every_function_of_the_memory_is_described_for_callers() {
    let resolve = contracts().resolve;
    let mut functions = BTreeSet::new();
    for (_, package) in resolve
        .packages
        .iter()
        .filter(|(_, p)| p.name.name == "memory")
    {
        for (name, id) in package.interfaces.iter().filter(|(name, _)| *name != "rpc") {
            let names = resolve.interfaces[*id].functions.keys();
            functions.extend(names.map(|function| format!("{name}.{function}")));
        }
    }
    let described: BTreeSet<_> = FUNCTIONS.iter().map(|function| function.method()).collect();
    assert_eq!(described, functions);
    assert!(FUNCTIONS.iter().all(|function| !function.docs.is_empty()));
    assert!(
        INTERFACES
            .iter()
            .all(|interface| !interface.docs.is_empty())
    );
    for function in FUNCTIONS {
        let mut types: Vec<_> = function.parameters.iter().map(|one| one.ty).collect();
        types.extend(function.result);
        for ty in types {
            described_throughout(&ty);
        }
    }
}

fn described_throughout(ty: &Type) {
    match ty {
        Type::List(item) | Type::Option(item) => described_throughout(item),
        Type::Record(record) => {
            assert!(!record.docs.is_empty(), "{}", record.name);
            for field in record.fields {
                assert!(!field.docs.is_empty(), "{}.{}", record.name, field.name);
                described_throughout(&field.ty);
            }
        }
        Type::Enum(one) => assert!(!one.docs.is_empty() && !one.cases.is_empty()),
        Type::Variant(variant) => {
            let payloads = variant
                .cases
                .iter()
                .filter_map(|case| case.payload.as_ref());
            payloads.for_each(described_throughout);
        }
        _ => {}
    }
}

#[test]
fn an_argument_given_by_its_members_is_never_taken_for_one_given_by_its_name() {
    for function in FUNCTIONS {
        let Some(record) = function.only_record() else {
            continue;
        };
        // A member with the argument's own name is told apart by not being an object.
        let field = record.field(function.parameters[0].name);
        let may_be_object = field.is_some_and(|field| {
            matches!(
                field.ty,
                Type::Record(_) | Type::Variant(_) | Type::Json | Type::Option(_)
            )
        });
        assert!(!may_be_object, "{}", function.method());
    }
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
            if matches!(definition.kind, TypeDefKind::Type(wit_parser::Type::Id(_))) {
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
