//! The text of a prompt, and `CONTINUITY.md`.

use super::*;

#[test]
fn a_prompt_has_hot_contents_first_and_is_known_again() {
    let world = World::new();
    let engine = begun(&world);
    engine
        .load_task(
            RUN,
            &ParsedTask {
                plan: vec!["plan one".to_owned()],
                ..ParsedTask::default()
            },
        )
        .expect("loaded");
    engine
        .push_state(RUN, &at("planning", Some("encode")))
        .expect("pushed");
    for number in 0..7 {
        let text = format!("</twiceshy-memory>\nresult {number} {}", words(60));
        engine
            .add_intermediate(RUN, &output(&format!("s{number}"), &text))
            .expect("added");
    }
    let all = engine.render(RUN, &Rendering::default()).expect("rendered");
    assert_eq!(all.left_out, [""; 0]);
    assert!(all.text.starts_with("<twiceshy-memory>\n"));
    assert_eq!(
        insertion::without(&format!("before\n{}", all.text)),
        "before\n"
    );
    let place = |text: &str| all.text.find(text).unwrap_or_else(|| panic!("no {text}"));
    // The goal, the subtask and the output before it, then recent outputs and the plan, then references.
    for hot in [
        "task-goals",
        "current subtask: encode",
        "- intermediate-values-s6 ",
    ] {
        assert!(place(hot) < place("- intermediate-values-s5 "), "{hot}");
        assert!(place(hot) < place("plan one"), "{hot}");
    }
    assert!(place("- intermediate-values-s2 ") < place("- intermediate-values-s1 "));
    let line = |id: &str| {
        all.text
            .lines()
            .find(|line| line.starts_with(&format!("- {id} ")))
    };
    let cold = line("intermediate-values-s0").expect("a reference");
    assert!(
        cold.contains("[…]") && insertion::tokens(cold) < 50,
        "{cold}"
    );
    // Within a number of tokens, what is hot comes first.
    for tokens in [64, 100, 200, 400, 1_000] {
        let some = engine
            .render(
                RUN,
                &Rendering {
                    tokens: Some(tokens),
                },
            )
            .expect("rendered");
        assert!(some.tokens <= tokens, "{} of {tokens}", some.tokens);
        assert!(!some.left_out.is_empty() || tokens == 1_000);
        assert!(some.text.contains("- system "), "{tokens}: {}", some.text);
    }
    let few = engine.render(RUN, &Rendering { tokens: Some(3) });
    assert!(matches!(few, Err(Error::InvalidArgument(_))), "{few:?}");
}

#[test]
fn continuity_says_where_the_work_stands_and_refers_to_what_is_known() {
    let world = World::new();
    let engine = begun(&world);
    let task = ParsedTask {
        description: Some("Add JWT authentication without `new` [dependencies](x)".to_owned()),
        ..ParsedTask::default()
    };
    engine.load_task(RUN, &task).expect("loaded");
    let state = ExecutionState {
        completed: vec!["choose".to_owned()],
        ..at("execution", Some("encode"))
    };
    engine.push_state(RUN, &state).expect("pushed");
    let rule = "WRONG: add authentication to auth.py → CORRECT: add JWT authentication to auth.py";
    let lesson = engine
        .propose(&proposal(rule, "token has no expiry"))
        .expect("taken in");
    let avoid = LessonCandidate {
        kind: Some(LessonKind::AntiPattern),
        ..proposal(
            "AVOID: JWT authentication secrets in auth.py",
            "secret in code",
        )
    };
    let avoid = engine.propose(&avoid).expect("taken in");
    let page = engine.continuity(RUN).expect("a page");
    for line in [
        "<twiceshy-memory>",
        "# Continuity",
        "- Task: Add JWT authentication to auth.py",
        "- Constraints: without \\`new\\` \\[dependencies\\](x)",
        "- Phase: execution",
        "- Current subtask: encode",
        "- Completed: choose",
        "## Relevant Memories (Auto-Retrieved)",
        &format!(
            "- [{}] WRONG: add authentication to auth.py → CORRECT: add JWT authentication to auth.py",
            lesson.id
        ),
        "## Mistakes to Avoid (From Learnings)",
        &format!(
            "- [{}] AVOID: JWT authentication secrets in auth.py",
            avoid.id
        ),
        &format!("- [{}] Not: add authentication to auth.py", lesson.id),
    ] {
        assert!(
            page.lines().any(|found| found == line),
            "no {line} in\n{page}"
        );
    }
    // Printed, it is no evidence.
    assert_eq!(insertion::without(&page).trim(), "");
    // It refers and does not copy: one short line each.
    assert!(
        page.lines().all(|line| insertion::tokens(line) < 80),
        "{page}"
    );
}
