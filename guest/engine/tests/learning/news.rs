//! What a run teaches beside what it was told, and what is told of another program.

use super::*;

#[test]
fn a_run_that_follows_a_hint_does_not_learn_it_again_beside_it() {
    let world = World::new();
    let engine = world.engine();
    let refused = "gridtool: unknown option --rows";
    let learn = [
        failure("gridtool count --rows 5 a.csv", refused),
        success("gridtool count --lines 5 a.csv"),
    ];
    work(&engine, TASK, &learn);
    let [lesson] = lessons(&engine).try_into().expect("one lesson");
    for (wrong, right) in [
        (
            "gridtool count --rows 7 b.csv --quiet",
            "gridtool count --lines 7 b.csv --quiet",
        ),
        (
            "gridtool count -v --rows 9 c.csv",
            "gridtool count -v --lines 9 c.csv",
        ),
    ] {
        let mut new = run("count the rows of another sheet");
        new.hold_out = Some(0.0);
        let open = engine.start(&new).unwrap();
        let told = engine.observe(&open.id, &failure(wrong, refused)).unwrap();
        assert!(told.hints[0].text.ends_with(right), "{:?}", told.hints);
        engine.observe(&open.id, &success(right)).unwrap();
        engine.finish(&open.id, &ending()).unwrap();
    }
    let ids: Vec<_> = lessons(&engine).into_iter().map(|one| one.id).collect();
    assert_eq!(ids, [lesson.id]);
}

#[test]
fn a_sentence_about_one_program_is_no_hint_for_another_that_complains_alike() {
    let world = World::new();
    let engine = world.engine();
    engine
        .propose(&proposal(
            "WRONG: cat a guessed name → CORRECT: ls, then cat",
            "cat: a.txt: No such file or directory",
        ))
        .unwrap();
    let hints = |action: &str, evidence: &str| {
        let open = engine.start(&run("look around")).unwrap();
        let told = engine.observe(&open.id, &failure(action, evidence));
        told.unwrap().hints.len()
    };
    let known = hints("cat b.txt", "cat: b.txt: No such file or directory");
    let other = [
        ("./prog", "bash: ./prog: No such file or directory"),
        ("ls b", "ls: cannot access 'b': No such file or directory"),
        (
            "python3 b.py",
            "python3: can't open file 'b.py': [Errno 2] No such file or directory",
        ),
    ];
    let other = other.map(|(action, evidence)| hints(action, evidence));
    assert_eq!((known, other), (1, [0, 0, 0]));
}
