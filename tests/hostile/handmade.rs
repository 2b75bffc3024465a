//! The guests that are made by hand: what each does, and what the host has to say of those that are hostile.

mod answers;
mod files;
mod resources;

use super::{
    guests::Guest,
    module::{Answer, Module, Text},
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
        // Never comes to an end with any.
        (
            "endless",
            Module {
                assess: "(loop (br 0)) unreachable",
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

/// All that must be stopped.
pub fn hostile() -> Vec<Guest> {
    [resources::all(), answers::all(), files::all()].concat()
}

fn guest(name: &str, kind: &'static str, says: &'static str, module: &Module) -> Guest {
    Guest {
        name: name.to_owned(),
        bytes: module.component(),
        kind,
        says,
    }
}
