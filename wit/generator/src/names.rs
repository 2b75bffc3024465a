//! Names that other languages can't use: two that are one without hyphens, and words that a language keeps to itself.
//!
//! Runtimes compare names without hyphens and without regard to case, so `hand-off` beside `handoff` is one name twice.
//! Bindings spell functions, parameters and members as the contract does, so a reserved word is escaped differently by
//! each of them. Cases are not affected: bindings write them as texts, in capitals or behind the name of their type.

use std::collections::BTreeMap;

use wit_parser::TypeDefKind;

use crate::Contract;

/// What JavaScript, TypeScript, Python, Go and C# keep to themselves, in lower case.
const RESERVED: &str = "\
    abstract and arguments as assert async await base bool break byte case catch chan char checked class \
    const continue debugger decimal def default defer del delegate delete do double elif else enum eval \
    event except explicit export extends extern fallthrough false finally fixed float for foreach from func function \
    global go goto if implements implicit import in instanceof int interface internal is lambda let lock long map \
    namespace new nonlocal not null object operator or out override package params pass private \
    protected public raise range readonly ref return sbyte sealed select short sizeof stackalloc static string \
    struct super switch this throw true try type typeof uint ulong unchecked unsafe ushort using var virtual \
    void volatile while with yield";

/// One name in its place, such as `episodes.trace.first`.
struct Named {
    place: String,
    name: String,
    is_spelled_out: bool,
}

/// Every pair of names in one place that differ in hyphens or case alone.
pub fn clashes(contract: &Contract) -> Vec<String> {
    let mut clashes = Vec::new();
    let mut seen: BTreeMap<(String, String), String> = BTreeMap::new();
    for named in names(contract) {
        let folded = named.name.replace('-', "").to_lowercase();
        let key = (named.place.clone(), folded);
        if let Some(other) = seen.insert(key, named.name.clone()) {
            clashes.push(format!("{}: {other} and {}", named.place, named.name));
        }
    }
    clashes
}

/// Every function, parameter or member whose name is a reserved word of another language.
pub fn reserved(contract: &Contract) -> Vec<String> {
    names(contract)
        .into_iter()
        .filter(|named| named.is_spelled_out)
        .filter(|named| RESERVED.split_whitespace().any(|word| word == named.name))
        .map(|named| format!("{}.{}", named.place, named.name))
        .collect()
}

fn names(contract: &Contract) -> Vec<Named> {
    let mut names = Vec::new();
    let mut add = |place: &str, name: &str, is_spelled_out| {
        names.push(Named {
            place: place.to_owned(),
            name: name.to_owned(),
            is_spelled_out,
        });
    };
    for (_, package) in contract.resolve.packages.iter() {
        let package_name = &package.name.name;
        for (interface_name, id) in &package.interfaces {
            add(package_name, interface_name, false);
            let interface = &contract.resolve.interfaces[*id];
            let place = format!("{package_name}/{interface_name}");
            for function in interface.functions.values() {
                add(&place, &function.name, true);
                for parameter in &function.params {
                    add(&format!("{place}.{}", function.name), &parameter.name, true);
                }
            }
            for (type_name, id) in &interface.types {
                add(&place, type_name, false);
                let place = format!("{place}.{type_name}");
                match &contract.resolve.types[*id].kind {
                    TypeDefKind::Record(record) => {
                        for field in &record.fields {
                            add(&place, &field.name, true);
                        }
                    }
                    TypeDefKind::Variant(variant) => {
                        for case in &variant.cases {
                            add(&place, &case.name, false);
                        }
                    }
                    TypeDefKind::Enum(cases) => {
                        for case in &cases.cases {
                            add(&place, &case.name, false);
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    names
}
