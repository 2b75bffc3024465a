//! Guests that want more than there is: time, memory, instances, handles.

use super::{
    super::{
        guests::Guest,
        module::{ANSWER, Module, another_contract, encode},
    },
    MEMORY, TIMEOUT, TRAP, guest,
};

const LOOP: &str = "(loop (br 0)) unreachable";

pub(super) fn all() -> Vec<Guest> {
    [time(), room()].concat()
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
