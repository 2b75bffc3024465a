//! Files that are no adapter, and adapters for another host.

use wit_parser::{PackageId, Resolve};

use super::{
    super::{
        guests::Guest,
        module::{Module, another_contract, contract, encode},
    },
    INCOMPATIBLE,
};

pub(super) fn all() -> Vec<Guest> {
    let none = |name: &str, says, bytes| Guest {
        name: name.to_owned(),
        bytes,
        kind: INCOMPATIBLE,
        says,
    };
    let own = contract();
    let good = Module::default().component();
    let truncated = good[..good.len() / 2].to_vec();
    // Waiting is no instruction that the clock could end.
    let shared = Module {
        items: "(memory $waiting 1 1 shared)",
        assess: "(drop (memory.atomic.wait32 $waiting (i32.const 0) (i32.const 0) (i64.const -1))) unreachable",
        ..Module::default()
    };
    vec![
        none("empty", "not a WebAssembly component", Vec::new()),
        none(
            "a-text",
            "not a WebAssembly component",
            b"#!/bin/sh\nrm -rf /\n".to_vec(),
        ),
        none("random-bytes", "not a WebAssembly component", random(4_096)),
        none(
            "a-magic-number-and-random-bytes",
            "not a valid component",
            [&b"\0asm\x0d\0\x01\0"[..], &random(4_096)].concat(),
        ),
        none("truncated", "not a valid component", truncated),
        none(
            "a-core-module",
            "core module",
            wat::parse_str(Module::default().text()).expect("a module"),
        ),
        none(
            "a-contract",
            "WIT package",
            wit_component::encode(&own, package(&own)).expect("a package"),
        ),
        none(
            "another-version",
            "needs twiceshy:adapter@0.2, this host offers 0.1",
            {
                let contract = another_contract("0.1.0", "0.2.0");
                Module::default().encoded(&contract, "adapter")
            },
        ),
        none("no-export", "assess", {
            let contract = another_contract(
                "    export assess;",
                "    export else: interface { nothing: func(); }",
            );
            encode(
                r#"(module (func (export "else#nothing")))"#,
                &contract,
                "adapter",
            )
        }),
        none("another-type", "type mismatch", {
            let contract =
                another_contract("describe: func() -> manifest;", "describe: func() -> u32;");
            Module::default().encoded(&contract, "adapter")
        }),
        none("a-foreign-import", "powers", {
            let contract = another_contract(
                "    export assess;",
                "    export assess;\n    import powers: interface { more: func(); }",
            );
            let importing = r#"(module (import "powers" "more" (func $more))"#;
            encode(
                &Module::default().text().replacen("(module", importing, 1),
                &contract,
                "adapter",
            )
        }),
        none("shared-memory", "threads", shared.component()),
    ]
}

fn package(contract: &Resolve) -> PackageId {
    contract.packages.iter().next().expect("a package").0
}

/// Bytes without any sense, the same every time.
fn random(length: usize) -> Vec<u8> {
    let mut chance = fastrand::Rng::with_seed(7);
    std::iter::repeat_with(|| chance.u8(..))
        .take(length)
        .collect()
}
