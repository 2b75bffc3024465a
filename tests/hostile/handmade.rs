//! The guests that are made by hand: what each does, and what the host has to say of those that are hostile.

use wit_parser::{PackageId, Resolve};

use super::{
    guests::Guest,
    module::{ANSWER, Answer, Module, Text, ZEROS, another_contract, contract, encode},
};

/// The kinds of errors, by the names that the host gives them.
const BAD_OUTPUT: &str = "bad-output";
const INCOMPATIBLE: &str = "incompatible";
const MEMORY: &str = "memory";
const TIMEOUT: &str = "timeout";
const TRAP: &str = "trap";

/// A guest that a host does not stop, by its name.
pub fn other(name: &str) -> Vec<u8> {
    let others = others();
    let (_, module) = others
        .iter()
        .find(|(other, _)| *other == name)
        .expect("a guest of that name");
    module.component()
}

fn others() -> Vec<(&'static str, Module<'static>)> {
    let good = Module::default;
    let counting = Module {
        items: "(global $calls (mut i32) (i32.const 0))
            (func $called (result i32)
              (global.set $calls (i32.add (global.get $calls) (i32.const 1))) (global.get $calls))",
        ..good()
    };
    let counts = |assess| Module { assess, ..counting };
    vec![
        // Finds nothing wrong with any step.
        ("good", good()),
        // Crashes at every third step.
        (
            "fickle",
            counts("(if (i32.eq (call $called) (i32.const 3)) (then unreachable)) (i32.const 256)"),
        ),
        // Sees a little less progress at every call.
        (
            "stateful",
            counts(
                "(f64.store (i32.const 312) (f64.div (f64.const 1) (f64.convert_i32_u (call $called)))) (i32.const 256)",
            ),
        ),
        // Says another version each time: the length of the text grows.
        (
            "changing",
            Module {
                describe: "(i32.store (i32.const 84) (i32.add (i32.const 4) (call $called))) (i32.const 64)",
                ..counting
            },
        ),
        // The observation is the last argument: its place and its length.
        // Crashes where an observation is no JSON object.
        (
            "brittle",
            Module {
                assess: "(if (i32.ne (i32.load8_u (local.get 12)) (i32.const 0x7b)) (then unreachable)) (i32.const 256)",
                ..good()
            },
        ),
        // Never comes to an end with a long observation.
        (
            "slow",
            Module {
                assess: "(if (i32.gt_u (local.get 13) (i32.const 1000000)) (then (loop (br 0)))) (i32.const 256)",
                ..good()
            },
        ),
        // Takes the length of an observation for progress.
        (
            "boundless",
            Module {
                assess: "(f64.store (i32.const 312) (f64.convert_i32_u (local.get 13))) (i32.const 256)",
                ..good()
            },
        ),
        // Would turn the terminal red, and write more lines than one.
        (
            "escaping",
            Module {
                answer: Answer {
                    action_text: Text::Bytes(b"\x1b[31mred\x1b[0m\r\nand\x07 more"),
                    ..Answer::default()
                },
                ..good()
            },
        ),
    ]
}

const LOOP: &str = "(loop (br 0)) unreachable";

/// All that must be stopped.
pub fn hostile() -> Vec<Guest> {
    [time(), room(), answers(), numbers(), abi(), files()]
        .into_iter()
        .flatten()
        .collect()
}

fn guest(name: &str, kind: &'static str, says: &'static str, module: &Module) -> Guest {
    Guest {
        name: name.to_owned(),
        bytes: module.component(),
        kind,
        says,
    }
}

/// What never ends.
fn time() -> Vec<Guest> {
    let late = |name, module: Module| guest(name, TIMEOUT, "ms", &module);
    vec![
        late(
            "loop-in-assess",
            Module {
                assess: LOOP,
                ..Module::default()
            },
        ),
        late(
            "loop-in-describe",
            Module {
                describe: LOOP,
                ..Module::default()
            },
        ),
        late(
            "loop-at-the-start",
            Module {
                items: "(func $start (loop (br 0))) (start $start)",
                ..Module::default()
            },
        ),
        late(
            "loop-in-the-allocator",
            Module {
                allocate: "(loop (br 0))",
                ..Module::default()
            },
        ),
        late(
            "loop-after-the-answer",
            Module {
                afterwards: "(loop (br 0))",
                ..Module::default()
            },
        ),
        late(
            "endless-tail-calls",
            Module {
                items: "(func $again (result i32) (return_call $again))",
                assess: "(call $again)",
                ..Module::default()
            },
        ),
        // One instruction that takes long, over and over: the clock is looked at between them.
        late(
            "endless-filling",
            Module {
                pages: 800,
                assess: "(loop (memory.fill (i32.const 65536) (i32.const 0) (i32.const 50000000)) (br 0)) unreachable",
                ..Module::default()
            },
        ),
        guest(
            "endless-recursion",
            TRAP,
            "stack",
            &Module {
                items: "(func $down (result i32) (i32.add (call $down) (i32.const 1)))",
                assess: "(call $down)",
                ..Module::default()
            },
        ),
    ]
}

/// What wants more than there is.
fn room() -> Vec<Guest> {
    let greedy = |name, module: Module| guest(name, MEMORY, "more than", &module);
    let memories: String = (0..60).map(|_| "(memory 40)".to_owned()).collect();
    let growing: String = (1..40)
        .map(|memory| format!("(drop (memory.grow {memory} (i32.const 64)))"))
        .collect();
    let grown = format!(
        "{growing} (if (i32.lt_u (memory.size 39) (i32.const 64)) (then unreachable)) (i32.const {ANSWER})"
    );
    let empty: String = (1..40).map(|_| "(memory 0)".to_owned()).collect();
    vec![
        greedy(
            "memory-bomb",
            Module {
                assess: "(loop (br_if 0 (i32.ne (memory.grow (i32.const 1)) (i32.const -1)))) unreachable",
                ..Module::default()
            },
        ),
        greedy(
            "memory-bomb-at-the-start",
            Module {
                pages: 4_000,
                ..Module::default()
            },
        ),
        greedy(
            "many-memories",
            Module {
                items: &memories,
                ..Module::default()
            },
        ),
        greedy(
            "many-growing-memories",
            Module {
                items: &empty,
                assess: &grown,
                ..Module::default()
            },
        ),
        greedy(
            "a-memory-of-64-bits",
            Module {
                items: "(memory i64 0x10000000)",
                ..Module::default()
            },
        ),
        greedy(
            "a-huge-table",
            Module {
                items: "(table 9000000 funcref)",
                ..Module::default()
            },
        ),
        greedy(
            "table-bomb",
            Module {
                items: "(table $table 0 funcref)",
                assess: "(loop (br_if 0 (i32.ne (table.grow $table (ref.null func) (i32.const 1000)) (i32.const -1)))) unreachable",
                ..Module::default()
            },
        ),
        Guest {
            name: "many-instances".to_owned(),
            bytes: instantiated(&Module::default().component(), 500),
            kind: MEMORY,
            says: "more than",
        },
        Guest {
            name: "handle-bomb".to_owned(),
            bytes: handles(),
            kind: TRAP,
            says: "handles",
        },
    ]
}

/// A component whose first core module is instantiated so many times more, by a further section at its end.
fn instantiated(component: &[u8], times: usize) -> Vec<u8> {
    let mut section = leb128(times);
    // Instantiate a module, the first one, with no arguments.
    section.extend([0, 0, 0].repeat(times));
    let core_instances = 2;
    let mut bytes = component.to_vec();
    bytes.push(core_instances);
    bytes.extend(leb128(section.len()));
    bytes.extend(section);
    bytes
}

fn leb128(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 0x7f {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// An adapter that has a resource of its own and makes handles to it for ever.
fn handles() -> Vec<u8> {
    let contract = another_contract(
        "    export assess;",
        "    export assess;\n    export things: interface { resource thing { constructor(); } }",
    );
    let text = Module {
        items: r#"(func (export "things#[constructor]thing") (result i32) (call $new (i32.const 7)))"#,
        assess: "(loop (drop (call $new (i32.const 7))) (br 0)) unreachable",
        ..Module::default()
    }
    .text()
    .replacen(
        "(module",
        r#"(module (import "[export]things" "[resource-new]thing" (func $new (param i32) (result i32)))"#,
        1,
    );
    encode(&text, &contract, "adapter")
}

/// Answers that are too large.
fn answers() -> Vec<Guest> {
    let large = |name, says, pages, answer| {
        guest(
            name,
            BAD_OUTPUT,
            says,
            &Module {
                pages,
                answer,
                ..Module::default()
            },
        )
    };
    let long = [b'x'; 5_000];
    vec![
        large(
            "a-huge-text",
            "KiB at once",
            600,
            Answer {
                action_text: Text::At(ZEROS, 32 << 20),
                ..Answer::default()
            },
        ),
        large(
            "a-huge-list",
            "KiB at once",
            600,
            Answer {
                violations: (ZEROS, 2 << 20),
                ..Answer::default()
            },
        ),
        large(
            "a-long-action",
            "action-text",
            2,
            Answer {
                action_text: Text::Bytes(&long),
                ..Answer::default()
            },
        ),
        large(
            "too-many-violations",
            "constraint-failure",
            3,
            Answer {
                // Beyond what is allocated for the arguments.
                violations: (2 * ZEROS, 65),
                ..Answer::default()
            },
        ),
        guest(
            "a-huge-manifest",
            BAD_OUTPUT,
            "KiB at once",
            &Module {
                pages: 600,
                manifest: [Text::At(ZEROS, 32 << 20); 7],
                ..Module::default()
            },
        ),
    ]
}

/// Numbers that are none, or that are beyond their range.
fn numbers() -> Vec<Guest> {
    let progress = |name, number| {
        let answer = Answer {
            progress: Some(number),
            ..Answer::default()
        };
        guest(
            name,
            BAD_OUTPUT,
            "progress-signal",
            &Module {
                answer,
                ..Module::default()
            },
        )
    };
    let efficiency = |name, number| {
        let answer = Answer {
            efficiency: Some(number),
            ..Answer::default()
        };
        guest(
            name,
            BAD_OUTPUT,
            "efficiency-signal",
            &Module {
                answer,
                ..Module::default()
            },
        )
    };
    vec![
        progress("nan", f64::NAN),
        progress("infinite", f64::INFINITY),
        progress("minus-infinite", f64::NEG_INFINITY),
        progress("more-than-reached", 1.000_001),
        progress("less-than-away", -1.5),
        efficiency("nan-efficiency", f64::NAN),
        efficiency("negative-efficiency", -0.000_001),
        efficiency("endless-efficiency", f64::MAX),
    ]
}

/// What breaks the rules by which values cross the boundary.
fn abi() -> Vec<Guest> {
    let broken = |name, says, module: Module| guest(name, BAD_OUTPUT, says, &module);
    let answer = |name, says, answer| {
        broken(
            name,
            says,
            Module {
                answer,
                ..Module::default()
            },
        )
    };
    let text = |action_text| Answer {
        action_text,
        ..Answer::default()
    };
    let mut names = Module::default().manifest;
    names[0] = Text::Bytes(b"\xff\xfe");
    vec![
        answer("invalid-utf-8", "utf-8", text(Text::Bytes(b"caf\xe9 \xff"))),
        broken(
            "invalid-utf-8-in-the-manifest",
            "utf-8",
            Module {
                manifest: names,
                ..Module::default()
            },
        ),
        answer(
            "a-pointer-out-of-bounds",
            "bounds",
            text(Text::At(0xffff_0000, 16)),
        ),
        answer(
            "a-length-out-of-bounds",
            "bounds",
            text(Text::At(1_024, 0xffff_ffff)),
        ),
        answer(
            "a-list-out-of-bounds",
            "bounds",
            Answer {
                violations: (ZEROS, 0x0fff_ffff),
                ..Answer::default()
            },
        ),
        answer(
            "a-misaligned-list",
            "aligned",
            Answer {
                violations: (ZEROS + 1, 2),
                ..Answer::default()
            },
        ),
        broken(
            "a-misaligned-answer",
            "aligned",
            Module {
                assess: "(i32.const 257)",
                ..Module::default()
            },
        ),
        broken(
            "an-answer-out-of-bounds",
            "bounds",
            Module {
                assess: "(i32.const 0xfffffff8)",
                ..Module::default()
            },
        ),
        answer(
            "neither-feedback-nor-error",
            "discriminant",
            Answer {
                result: 7,
                ..Answer::default()
            },
        ),
        answer(
            "neither-some-nor-none",
            "discriminant",
            Answer {
                hard_failure: 2,
                ..Answer::default()
            },
        ),
        // The place of the action's text is where an error has its case: 0x10000 ends in 0, so another one is used.
        answer(
            "no-such-error",
            "discriminant",
            Answer {
                result: 1,
                action_text: Text::At(ZEROS + 9, 0),
                ..Answer::default()
            },
        ),
        broken(
            "memory-for-arguments-out-of-bounds",
            "bounds",
            Module {
                allocate: "(return (i32.const 0xfffffff0))",
                ..Module::default()
            },
        ),
        guest(
            "unreachable-in-the-allocator",
            TRAP,
            "unreachable",
            &Module {
                allocate: "unreachable",
                ..Module::default()
            },
        ),
        guest(
            "unreachable-after-the-answer",
            TRAP,
            "unreachable",
            &Module {
                afterwards: "unreachable",
                ..Module::default()
            },
        ),
        guest(
            "a-load-out-of-bounds",
            TRAP,
            "bounds",
            &Module {
                assess: "(i32.load (i32.const 0x7fffffff))",
                ..Module::default()
            },
        ),
        guest(
            "a-division-by-zero",
            TRAP,
            "divide by zero",
            &Module {
                assess: "(i32.div_u (i32.const 1) (i32.const 0))",
                ..Module::default()
            },
        ),
    ]
}

/// Files that are no adapter.
fn files() -> Vec<Guest> {
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
            "package of contracts",
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
