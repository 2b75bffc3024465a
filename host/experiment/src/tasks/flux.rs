//! The tasks for fluxtool.

use super::Task;
use crate::tools::Tool;

const TEMPERATURES: &str = "2\n4\n6\n20\n6\n4\n2\n12\n";

/// Smoothing, clipping, scaling, leaving out.
#[rustfmt::skip] // A table is read by its rows.
pub(super) static USUAL: Task = Task {
    name: "calm temperatures",
    tool: Tool::Fluxtool,
    text: "With fluxtool: smooth temps.sig over 2 values into calm.sig, clip temps.sig at 10 into low.sig, scale \
           low.sig by 3 into loud.sig, leave out what is lower than 5 in temps.sig into warm.sig, smooth warm.sig \
           over 2 values and clip it at 12 into soft.sig, and scale calm.sig by 2, leaving out what is lower than \
           10, into peaks.sig.",
    files: &[("temps.sig", TEMPERATURES)],
    intents: &[
        &[("source", "temps.sig"), ("connector", ""), ("smooth", ""), ("window", "2"), ("connector", ""), ("sink", "calm.sig")],
        &[("source", "temps.sig"), ("connector", ""), ("clip", ""), ("ceiling", "10"), ("connector", ""), ("sink", "low.sig")],
        &[("source", "low.sig"), ("connector", ""), ("scale", ""), ("factor", "3"), ("connector", ""), ("sink", "loud.sig")],
        &[("source", "temps.sig"), ("connector", ""), ("reject", ""), ("floor", "5"), ("connector", ""), ("sink", "warm.sig")],
        &[("source", "warm.sig"), ("connector", ""), ("smooth", ""), ("window", "2"), ("connector", ""), ("clip", ""), ("ceiling", "12"), ("connector", ""), ("sink", "soft.sig")],
        &[("source", "calm.sig"), ("connector", ""), ("scale", ""), ("factor", "2"), ("connector", ""), ("reject", ""), ("floor", "10"), ("connector", ""), ("sink", "peaks.sig")],
    ],
    expected: &[
        ("calm.sig", "2\n3\n5\n13\n13\n5\n3\n7\n"),
        ("low.sig", "2\n4\n6\n10\n6\n4\n2\n10\n"),
        ("loud.sig", "6\n12\n18\n30\n18\n12\n6\n30\n"),
        ("warm.sig", "6\n20\n6\n12\n"),
        ("soft.sig", "6\n12\n12\n9\n"),
        ("peaks.sig", "10\n26\n26\n10\n14\n"),
    ],
};

/// Sampling, differences, running sums; smoothing and leaving out again.
#[rustfmt::skip] // A table is read by its rows.
pub(super) static OTHER: Task = Task {
    name: "changes",
    tool: Tool::Fluxtool,
    text: "With fluxtool: take every 2nd value of flow.sig into thin.sig, the differences of flow.sig into steps.sig, \
           the running sum of flow.sig into sums.sig, smooth thin.sig over 2 values into calm.sig, leave out what is \
           lower than 9 in sums.sig and take every 3rd value into marks.sig, and scale the differences of sums.sig by \
           10 into rate.sig.",
    files: &[("flow.sig", "1\n3\n5\n2\n8\n4\n")],
    intents: &[
        &[("source", "flow.sig"), ("connector", ""), ("sample", ""), ("interval", "2"), ("connector", ""), ("sink", "thin.sig")],
        &[("source", "flow.sig"), ("connector", ""), ("difference", ""), ("connector", ""), ("sink", "steps.sig")],
        &[("source", "flow.sig"), ("connector", ""), ("accumulate", ""), ("connector", ""), ("sink", "sums.sig")],
        &[("source", "thin.sig"), ("connector", ""), ("smooth", ""), ("window", "2"), ("connector", ""), ("sink", "calm.sig")],
        &[("source", "sums.sig"), ("connector", ""), ("reject", ""), ("floor", "9"), ("connector", ""), ("sample", ""), ("interval", "3"), ("connector", ""), ("sink", "marks.sig")],
        &[("source", "sums.sig"), ("connector", ""), ("difference", ""), ("connector", ""), ("scale", ""), ("factor", "10"), ("connector", ""), ("sink", "rate.sig")],
    ],
    expected: &[
        ("thin.sig", "1\n5\n8\n"),
        ("steps.sig", "2\n2\n-3\n6\n-4\n"),
        ("sums.sig", "1\n4\n9\n11\n19\n23\n"),
        ("calm.sig", "1\n3\n6.5\n"),
        ("marks.sig", "9\n23\n"),
        ("rate.sig", "30\n50\n20\n80\n40\n"),
    ],
};
