//! Every limit holds, and the error says which: memory, time, what goes in and what comes out, handles, last words.

use std::{
    hint,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use twiceshy::{Adapter, AdapterLimits, PluginError, PluginErrorKind, limits};

use super::fixture::{Contract, Made, made, step};

/// What becomes of one step.
fn assess(made: &Made, limits: AdapterLimits) -> Result<(), PluginError> {
    let adapter = Adapter::with_limits("odd", &made.component(), limits).expect("an adapter");
    let (goal, step) = step("odd");
    let first = adapter.assess(&goal, &[], &step).map(|_| ());
    // Whatever happened, the next call is answered in the same way: by an instance of its own.
    let second = adapter.assess(&goal, &[], &step).map(|_| ());
    assert_eq!(first, second);
    first
}

fn assessing(instructions: &str) -> Made {
    let mut odd = made("odd");
    odd.assessing = instructions.into();
    odd
}

#[track_caller]
fn assert_error(made: &Made, kind: PluginErrorKind, said: &str) {
    let error = assess(made, AdapterLimits::default()).expect_err("a failure");
    assert_eq!(error.kind, kind, "{error}");
    assert!(error.message.contains(said), "{said:?} is not in {error}");
}

/// An adapter that imports one function of an interface, given as text, and calls it when it judges.
fn calling(interface: &str, wit: &str, import: &str, call: &str) -> Made {
    let types = std::fs::read_to_string(crate::support::repository().join("wit/adapter/types.wit"));
    let world = std::fs::read_to_string(crate::support::repository().join("wit/adapter/world.wit"));
    let text = types.expect("the contract") + &world.expect("the contract");
    let dated = |line: &&str| !line.trim().starts_with("@since");
    let text: Vec<_> = text.lines().filter(dated).collect();
    let text = text
        .join("\n")
        .replace("import diagnostics;", &format!("import {interface};"));
    let mut odd = assessing(call);
    odd.imports = import.into();
    odd.contract = Contract::Text(format!("{text}\n{wit}"));
    odd
}

/// How long this thread has worked.
fn worked() -> Duration {
    let clock = nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID;
    nix::time::clock_gettime(clock).expect("a clock").into()
}

#[test]
fn a_guest_that_never_returns_is_stopped_within_twice_its_time() {
    let limits = AdapterLimits {
        time_ms: 500,
        ..AdapterLimits::default()
    };
    let endless = assessing("(loop (br 0))").component();
    let adapter = Adapter::with_limits("odd", &endless, limits).expect("an adapter");
    let (goal, step) = step("odd");
    let before = worked();
    let error = adapter.assess(&goal, &[], &step).expect_err("a timeout");
    // What the loop itself took: a busy machine makes it wait, and not work.
    let took = worked() - before;
    assert_eq!(error.kind, PluginErrorKind::Timeout);
    assert!(error.message.contains("more than 500 ms"), "{error}");
    assert!(took < Duration::from_millis(1_000), "{took:?}");
}

#[test]
fn instructions_that_take_long_are_stopped_without_a_loop_around_them() {
    // A hundred MB at a time, some thousand times: minutes, and no branch back in between.
    let fill = "(memory.fill (i32.const 131072) (i32.const 7) (i32.const 100000000))";
    let all = format!(
        "(drop (memory.grow (i32.const 1600))) {}",
        fill.repeat(5_000)
    );
    let limits = AdapterLimits {
        time_ms: 200,
        ..AdapterLimits::default()
    };
    let before = worked();
    let error = assess(&assessing(&all), limits).expect_err("a timeout");
    let took = worked() - before;
    assert_eq!(error.kind, PluginErrorKind::Timeout, "{error}");
    assert!(took < Duration::from_secs(60), "{took:?}");
}

#[test]
fn an_honest_adapter_is_not_struck_because_the_machine_is_busy() {
    let counts = "(local.set 0 (i32.const 0))
        (loop $again
            (local.set 0 (i32.add (local.get 0) (i32.const 1)))
            (br_if $again (i32.lt_u (local.get 0) (i32.const 100000000))))";
    let honest = assessing(counts).component();
    let (goal, step) = step("odd");
    // What its work is worth here, with all the time in the world.
    let generous = AdapterLimits {
        time_ms: limits::MOST_ADAPTER_TIME_MS,
        ..AdapterLimits::default()
    };
    let adapter = Adapter::with_limits("odd", &honest, generous).expect("an adapter");
    let before = worked();
    adapter.assess(&goal, &[], &step).expect("an answer");
    let work = worked() - before;

    // A little more than it needs, and many who want the processor, too: on the wall it takes several times as long.
    let time_ms = u32::try_from((4 * work).as_millis())
        .expect("a time")
        .max(20);
    let limits = AdapterLimits {
        time_ms,
        ..AdapterLimits::default()
    };
    let adapter = Adapter::with_limits("odd", &honest, limits).expect("an adapter");
    let busy = AtomicBool::new(true);
    let crowd = 8 * thread::available_parallelism().map_or(2, usize::from);
    thread::scope(|scope| {
        for _ in 0..crowd {
            scope.spawn(|| {
                while busy.load(Ordering::Relaxed) {
                    hint::spin_loop();
                }
            });
        }
        let answer = adapter.assess(&goal, &[], &step);
        busy.store(false, Ordering::Relaxed);
        answer.expect("an answer");
    });
}

#[test]
fn a_start_that_never_returns_is_stopped() {
    let mut odd = made("odd");
    odd.fields = "(func $start (loop (br 0))) (start $start)".into();
    let limits = AdapterLimits {
        time_ms: 50,
        ..AdapterLimits::default()
    };
    let error = Adapter::with_limits("odd", &odd.component(), limits).expect_err("a timeout");
    assert_eq!(error.kind, PluginErrorKind::Timeout, "{error}");
}

#[test]
fn memory_is_bounded_also_before_the_first_instruction() {
    let grows =
        "(loop (br_if 0 (i32.ge_s (memory.grow (i32.const 16)) (i32.const 0)))) unreachable";
    assert_error(
        &assessing(grows),
        PluginErrorKind::Memory,
        "more than 128 MiB",
    );
    let mut odd = made("odd");
    odd.fields = "(memory $second 4000)".into();
    let error = Adapter::from_bytes("odd", &odd.component()).expect_err("too much");
    assert_eq!(error.kind, PluginErrorKind::Memory, "{error}");
}

#[test]
fn a_refusal_of_memory_that_a_guest_copes_with_is_no_failure() {
    let copes = "(drop (memory.grow (i32.const 60000)))";
    assert_eq!(assess(&assessing(copes), AdapterLimits::default()), Ok(()));
}

#[test]
fn an_answer_that_is_too_long_or_lies_outside_of_memory_is_refused() {
    // The text of the action: its place and length stand at 2056 and 2060.
    let text = |place: u32, length: u32| {
        assessing(&format!(
            "(i32.store (i32.const 2056) (i32.const {place})) (i32.store (i32.const 2060) (i32.const {length}))"
        ))
    };
    assert_error(
        &text(4096, 5000),
        PluginErrorKind::BadOutput,
        "action-text has 5000 bytes",
    );
    assert_error(
        &text(0, 0x7000_0000),
        PluginErrorKind::BadOutput,
        "can't be read",
    );
    let mut large = text(0, 3 << 20);
    large.fields = "(memory $second 1)".into();
    large.assessing = format!("(drop (memory.grow (i32.const 64))) {}", large.assessing);
    assert_error(&large, PluginErrorKind::BadOutput, "larger than 2048 KiB");
    let mut invalid = text(6000, 1);
    invalid.fields = "(data (i32.const 6000) \"\\ff\")".into();
    assert_error(&invalid, PluginErrorKind::BadOutput, "can't be read");
}

#[test]
fn a_signal_that_is_no_number_in_its_range_is_refused() {
    for value in ["nan", "inf", "1.5", "-1.01"] {
        let odd = assessing(&format!(
            "(i32.store8 (i32.const 2096) (i32.const 1)) (f64.store (i32.const 2104) (f64.const {value}))"
        ));
        assert_error(&odd, PluginErrorKind::BadOutput, "progress-signal");
    }
}

#[test]
fn what_is_too_large_for_an_adapter_is_refused_before_the_call() {
    let adapter =
        Adapter::from_bytes("odd", &assessing("unreachable").component()).expect("an adapter");
    let (goal, mut step) = step("odd");
    step.observation = "x".repeat(limits::PAYLOAD_BYTES + 1);
    let error = adapter.assess(&goal, &[], &step).expect_err("too large");
    assert_eq!(error.kind, PluginErrorKind::Refused, "{error}");
    assert!(
        error.message.contains("observation has 4194305 bytes"),
        "{error}"
    );
}

#[test]
fn a_crash_has_the_last_words_of_the_guest_in_its_error_and_only_the_end_of_many() {
    let mut odd = made("odd");
    odd.imports =
        r#"(import "twiceshy:adapter/diagnostics@0.1.0" "report" (func $report (param i32 i32)))"#
            .into();
    odd.fields = r#"(data (i32.const 6000) "the lamp\n is broken")"#.into();
    odd.assessing = "(call $report (i32.const 6000) (i32.const 19)) unreachable".into();
    assert_error(&odd, PluginErrorKind::Trap, "the lamp is broken");
    odd.assessing = "(loop (call $report (i32.const 6000) (i32.const 19)) (br 0))".into();
    let limits = AdapterLimits {
        time_ms: 100,
        ..AdapterLimits::default()
    };
    let error = assess(&odd, limits).expect_err("a flood");
    assert_eq!(error.kind, PluginErrorKind::Timeout, "{error}");
    odd.assessing = "(loop $again
        (call $report (i32.const 6000) (i32.const 19))
        (global.set $free (i32.add (global.get $free) (i32.const 1)))
        (br_if $again (i32.lt_u (global.get $free) (i32.const 66536)))) unreachable"
        .into();
    let error = assess(&odd, AdapterLimits::default()).expect_err("a flood");
    assert_eq!(error.kind, PluginErrorKind::Trap, "{error}");
    assert!(
        (3_800..4_200).contains(&error.message.len()),
        "{}",
        error.message.len()
    );
}

#[test]
fn what_a_guest_asks_of_the_system_is_refused_by_its_name() {
    for (package, interface, said) in [
        ("filesystem", "preopens", "an adapter gets no files"),
        ("sockets", "instance-network", "an adapter gets no network"),
        ("clocks", "wall-clock", "an adapter gets no clock"),
        ("random", "random", "an adapter gets no randomness"),
    ] {
        let name = format!("wasi:{package}/{interface}@0.2.6");
        let odd = calling(
            &name,
            &format!(
                "package wasi:{package}@0.2.6 {{ interface {interface} {{ ask: func() -> u32; }} }}"
            ),
            &format!("(import \"{name}\" \"ask\" (func $ask (result i32)))"),
            "(drop (call $ask))",
        );
        assert_error(
            &odd,
            PluginErrorKind::Refused,
            &format!("it asked for wasi:{package}/{interface}#ask, but {said}"),
        );
    }
}

#[test]
fn a_guest_that_exits_is_told_apart_from_one_that_crashes() {
    let odd = calling(
        "wasi:cli/exit@0.2.6",
        "package wasi:cli@0.2.6 { interface exit { exit: func(status: result); } }",
        r#"(import "wasi:cli/exit@0.2.6" "exit" (func $exit (param i32)))"#,
        "(call $exit (i32.const 1))",
    );
    assert_error(
        &odd,
        PluginErrorKind::Trap,
        "it exited (failure) instead of answering",
    );
}

#[test]
fn a_guest_that_hoards_handles_is_stopped() {
    let odd = calling(
        "wasi:cli/stderr@0.2.6",
        "package wasi:io@0.2.6 { interface streams { resource output-stream; } }
         package wasi:cli@0.2.6 { interface stderr {
            use wasi:io/streams@0.2.6.{output-stream};
            get-stderr: func() -> output-stream; } }",
        r#"(import "wasi:cli/stderr@0.2.6" "get-stderr" (func $stderr (result i32)))"#,
        "(loop (drop (call $stderr)) (br 0))",
    );
    let error = assess(&odd, AdapterLimits::default()).expect_err("too many");
    assert_eq!(error.kind, PluginErrorKind::Trap, "{error}");
    assert!(error.message.contains("more than 64 handles"), "{error}");
}
