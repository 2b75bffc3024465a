//! `twiceshy health`: the report as text, as JSON and as a page.

use std::fs;

use crate::{
    lessons::{with_gizmo, work},
    support::Scratch,
};

#[test]
fn an_empty_memory_has_a_report_and_is_not_made_by_it() {
    let scratch = Scratch::new();
    let ran = scratch.run(&["health"]);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    assert!(
        ran.stdout().contains("0 candidate, 0 promoted"),
        "{}",
        ran.stdout()
    );
    assert!(!scratch.memory().exists());
}

#[test]
fn the_report_says_what_recurs_what_helps_and_how_tasks_go() {
    let scratch = with_gizmo();
    work(&scratch, "make the report", &["--old", "--older", "--new"]);
    for _ in 0..2 {
        work(&scratch, "make the report", &["--new"]);
    }
    // A failure that nothing is known about.
    for _ in 0..3 {
        scratch.run(&[
            "run",
            "--quiet",
            "--",
            "sh",
            "-c",
            "echo 'widget: broken' >&2; exit 9",
        ]);
    }
    let report = scratch.run(&["health", "--json"]).json();
    assert!(report["shown"].as_u64().expect("a number") >= 2, "{report}");
    assert!(
        report["helped"].as_u64().expect("a number") >= 2,
        "{report}"
    );
    assert_eq!(report["harmed"], 0);
    assert_eq!(report["retrieval-precision"], 1.0);
    let task = &report["stability"][0];
    assert_eq!(task["task"], "make the report");
    assert_eq!(
        (&task["first-failures"], &task["last-failures"]),
        (&2.into(), &0.into())
    );
    assert_eq!(task["regressed"], false);
    let text = scratch.run(&["health"]).stdout();
    for part in [
        "precision",
        "1.00",
        "failures that recur",
        "widget: broken",
        "tasks",
        "failures 2 → 0",
    ] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
}

#[test]
fn a_task_that_became_worse_is_marked() {
    let scratch = with_gizmo();
    for _ in 0..3 {
        work(&scratch, "make the report", &["--new"]);
    }
    for _ in 0..3 {
        work(&scratch, "make the report", &["--old", "--older", "--new"]);
    }
    let ran = scratch.run(&["health"]);
    assert_eq!(ran.code(), 0);
    assert!(ran.stdout().contains("REGRESSED"), "{}", ran.stdout());
    let report = scratch.run(&["health", "--json"]).json();
    assert_eq!(report["stability"][0]["regressed"], true);
}

#[test]
fn the_page_stands_alone_and_holds_no_markup_from_outside() {
    let scratch = with_gizmo();
    let hostile = "<script>alert(1)</script>\"onload='x' & make";
    work(
        &scratch,
        hostile,
        &["--old", "<img src=x onerror=alert(2)>", "--new"],
    );
    work(&scratch, hostile, &["--new"]);
    let ran = scratch.run(&["health", "--html", "health.html"]);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    let page = fs::read_to_string(scratch.path().join("health.html")).expect("the page");
    assert!(page.starts_with("<!doctype html>"));
    assert!(page.contains("&lt;script&gt;alert(1)"), "{page}");
    for foreign in [
        "<script", "<img", "http:", "https:", "<link", "@import", "url(",
    ] {
        assert!(!page.contains(foreign), "{foreign}: {page}");
    }
    assert!(page.contains("candidate"), "{page}");
    let ran = scratch.run(&["health", "--html", "/no/such/place/health.html"]);
    assert_eq!(ran.code(), 1);
    assert!(ran.stderr().contains("/no/such/place"), "{}", ran.stderr());
}
