//! Guests whose answers break the contract, or can't be read at all.

use super::{
    super::{
        guests::Guest,
        module::{Answer, Module, Text, ZEROS},
    },
    BAD_OUTPUT, TRAP, guest,
};

pub(super) fn all() -> Vec<Guest> {
    [large(), numbers(), abi()].concat()
}

/// Answers that are too large.
fn large() -> Vec<Guest> {
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
            "larger than",
            600,
            Answer {
                action_text: Text::At(ZEROS, 32 << 20),
                ..Answer::default()
            },
        ),
        large(
            "a-huge-list",
            "larger than",
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
            "larger than",
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
