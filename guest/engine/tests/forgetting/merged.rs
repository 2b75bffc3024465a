//! What was merged with an episode that goes: experience, groups of episodes, and lessons that others taught, too.

use super::*;
use twiceshy_wit::host::{Change, Document, Key, Order, Precondition, Put, Query, Store};

const TASK: &str = "sort the invoice table";

/// An experience with a word of its own in every field, or without any.
fn evolve(engine: &Engine, output: &str, feedback: &str, marked: bool) -> String {
    let mut experience = json!({ "input": TASK, "output": output, "feedback": feedback });
    if marked {
        experience["output"] = format!("{output} {}", word("answer")).into();
        experience["tags"] = json!([word("tag")]);
        experience["metadata"] = json!([{ "name": word("name"), "value": word("value") }]);
        experience["raw-trace"] = word("trace").into();
        experience["summary"] = word("summary").into();
    }
    let evolution = call(
        engine,
        "experience.evolve",
        json!({ "experience": experience }),
    );
    let evolution: Value = serde_json::from_str(&evolution).expect("an evolution");
    evolution["entry"]["id"].as_str().expect("an id").to_owned()
}

/// What is said of experience.
fn experience(engine: &Engine) -> String {
    let asked = [
        ("experience.search", json!({ "query": { "text": TASK } })),
        ("experience.entries", json!({ "limit": 1000 })),
        ("experience.archived", json!({ "limit": 1000 })),
        ("experience.recent-window", json!({})),
    ];
    asked
        .map(|(method, given)| call(engine, method, given))
        .join("\n")
}

fn outputs_found(engine: &Engine) -> Vec<String> {
    let found = call(
        engine,
        "experience.search",
        json!({ "query": { "text": TASK } }),
    );
    let found: Vec<Value> = serde_json::from_str(&found).expect("hits");
    let output = |hit: &Value| {
        hit["entry"]["output"]
            .as_str()
            .expect("an output")
            .to_owned()
    };
    let mut outputs: Vec<_> = found.iter().map(output).collect();
    outputs.sort();
    outputs
}

#[test]
fn an_entry_that_was_merged_with_one_that_goes_says_nothing_of_it() {
    // Each takes in the one before it. Which are found when one of them is gone.
    let left = [vec!["three"], vec!["one", "three"], vec!["two"]];
    for (gone, left_over) in left.iter().enumerate() {
        for embeds in [false, true] {
            let world = World::new();
            world.embeds.set(embeds);
            let engine = world.engine();
            let ids: Vec<_> = ["one", "two", "three"]
                .iter()
                .enumerate()
                .map(|(at, output)| {
                    world.pass(1_000);
                    evolve(&engine, output, "success", at == gone)
                })
                .collect();
            assert_eq!(outputs_found(&engine).len(), 1, "they are one");
            assert!(experience(&engine).contains(MARK));
            engine.soft_delete(&ids[gone], "not any more").unwrap();
            assert!(
                !experience(&engine).contains(MARK),
                "{gone} {}",
                experience(&engine)
            );
            assert_eq!(outputs_found(&engine), *left_over, "{gone} is gone");
            engine.undelete(&ids[gone]).unwrap();
            let found = outputs_found(&engine);
            assert!(
                found.iter().any(|output| output.contains(MARK)),
                "{found:?}"
            );
            assert_eq!(engine.purge_one(&ids[gone], false).unwrap(), [""; 0]);
            assert_eq!(super::left(&world), [""; 0], "{gone}");
            assert_eq!(outputs_found(&engine), *left_over, "{gone} is gone");
            assert_eq!(engine.verify().unwrap(), []);
        }
    }
}

#[test]
fn a_card_does_not_warn_of_what_failed_in_an_episode_that_goes() {
    let world = World::new();
    let engine = world.engine();
    let failed = evolve(&engine, "restart", "failure", true);
    world.pass(1_000);
    evolve(&engine, "reload", "success", false);
    let card = || {
        let found = call(
            &engine,
            "experience.search",
            json!({ "query": { "text": TASK } }),
        );
        let found: Vec<Value> = serde_json::from_str(&found).expect("hits");
        let mut cards = found
            .iter()
            .map(|hit| hit["entry"]["strategy-card"].to_string());
        cards.find(|card| card.contains("reload")).expect("a card")
    };
    assert!(card().contains(MARK), "{}", card());
    world.pass(1_000);
    evolve(&engine, "reload it", "success", false);
    engine.soft_delete(&failed, "not any more").unwrap();
    assert!(!experience(&engine).contains(MARK));
    engine.purge(Some(0), false).unwrap();
    assert_eq!(left(&world), [""; 0]);
    assert_eq!(outputs_found(&engine), ["reload it"]);
}

#[test]
fn what_an_earlier_version_merged_without_noting_what_it_was_before_is_forgotten_too() {
    let world = World::new();
    let engine = world.engine();
    let first = evolve(&engine, "one", "success", true);
    world.pass(1_000);
    let second = evolve(&engine, "two", "success", false);
    without_own(&world, &second);
    engine.soft_delete(&first, "not any more").unwrap();
    assert!(
        !experience(&engine).contains(MARK),
        "{}",
        experience(&engine)
    );
    engine.purge(Some(0), false).unwrap();
    assert_eq!(left(&world), [""; 0]);
    assert_eq!(outputs_found(&engine), ["two"]);
}

/// Makes the document of an entry what an earlier version would have written.
fn without_own(world: &World, id: &str) {
    let key = Key {
        kind: "experience".to_owned(),
        id: id.to_owned(),
    };
    let stored = world
        .store
        .get_many(std::slice::from_ref(&key))
        .expect("an entry");
    let mut body: Value = serde_json::from_str(&stored[0].body).expect("a body");
    assert!(
        body.as_object_mut()
            .expect("an object")
            .remove("own")
            .is_some()
    );
    let document = Document {
        key,
        body: body.to_string(),
        attributes: Vec::new(),
        text: String::new(),
        vector: Vec::new(),
    };
    let precondition = Precondition::Anything;
    let put = Change::Put(Put {
        document,
        precondition,
    });
    world.store.commit(&[put]).expect("a commit");
    // Written again by what it is found by.
    let edits = json!([{ "action": "update-tag", "ids": [id], "tag": "old" }]);
    call(
        &world.engine(),
        "experience.apply-edits",
        json!({ "edits": edits }),
    );
}

/// A release, step by step; with a word of its own in its task and in what was done.
fn released(world: &World, id: &str, marked: bool) {
    let engine = world.engine();
    let mut new = run(&format!(
        "release the app to the big shop, then tell everybody in the team about it{}",
        mark(marked, " task")
    ));
    new.id = Some(id.to_owned());
    new.task_type = Some("release".to_owned());
    let steps = [
        success("git tag v1.0"),
        success("cargo build --release"),
        success("scp out/app.tar.gz host:/srv"),
        success("git fetch origin"),
        success("make check"),
        success(&format!("ls{}", mark(marked, " step"))),
    ];
    engine.start(&new).unwrap();
    for step in steps {
        world.pass(1_000);
        engine.observe(id, &step).unwrap();
    }
    engine.finish(id, &ending()).unwrap();
}

fn mark(marked: bool, text: &str) -> String {
    match marked {
        true => text.replace(' ', &format!(" {MARK}")),
        false => String::new(),
    }
}

fn consolidate(engine: &Engine) {
    let mut request = json!({ "episode-similarity": 0.6, "confidence": 0.5, "hours": 2_000 });
    loop {
        let piece = call(engine, "upkeep.consolidate", json!({ "request": request }));
        let piece: Value = serde_json::from_str(&piece).expect("a piece");
        match &piece["next"] {
            Value::Null => return,
            next => request["after"] = next.clone(),
        }
    }
}

/// How much of each vector of a group is the letter that the words of the episode have and no other.
fn marks_in_vectors(world: &World) -> Vec<f64> {
    let mut direction = vec![0.0; 26];
    direction[usize::from(b'q' - b'a')] = 1.0;
    let query = Query {
        kind: "embedding".to_owned(),
        conditions: Vec::new(),
        order: Order::ByNearest(direction),
        offset: 0,
        limit: 100,
    };
    let found = world.store.find(&query).expect("vectors");
    let of_groups = found
        .iter()
        .filter(|one| one.document.key.id.ends_with(".combined"));
    of_groups.map(|one| one.score).collect()
}

#[test]
fn a_group_is_made_of_those_that_are_left() {
    for (gone, found) in [
        (0, vec!["second", "third"]),
        (1, vec!["first"]),
        (2, vec!["first"]),
    ] {
        for embeds in [false, true] {
            let world = World::new();
            world.embeds.set(embeds);
            let ids = ["first", "second", "third"];
            for (at, id) in ids.iter().enumerate() {
                released(&world, id, at == gone);
            }
            world.pass(31 * DAY);
            let engine = world.engine();
            consolidate(&engine);
            let listed = || -> Vec<String> {
                let all = call(&engine, "episodes.find", json!({ "filter": {} }));
                let all: Vec<Value> = serde_json::from_str(&all).expect("episodes");
                let ids = all
                    .iter()
                    .map(|one| one["id"].as_str().expect("an id").to_owned());
                ids.collect()
            };
            assert_eq!(listed(), ["first"], "they are one");
            assert_eq!(marks_in_vectors(&world).len(), usize::from(embeds));
            assert!(marks_in_vectors(&world).iter().all(|mark| *mark > 0.0));
            engine.soft_delete(ids[gone], "not any more").unwrap();
            let mut now = listed();
            now.sort();
            assert_eq!(now, found, "without {}", ids[gone]);
            assert!(marks_in_vectors(&world).iter().all(|mark| *mark == 0.0));
            let full = call(&engine, "episodes.retrieve", json!({ "episode": now[0] }));
            assert!(!full.contains(MARK), "{full}");
            for method in ["upkeep.consolidations", "patterns.find"] {
                let told = call(&engine, method, json!({ "limit": 100 }));
                assert!(!told.contains(MARK), "{method}: {told}");
            }
            engine.purge_one(ids[gone], true).unwrap();
            assert_eq!(super::left(&world), [""; 0], "without {}", ids[gone]);
            assert_eq!(engine.verify().unwrap(), []);
        }
    }
}

#[test]
fn a_procedure_is_not_named_after_an_episode_that_goes() {
    for gone in ["first", "second"] {
        let world = World::new();
        let engine = world.engine();
        for id in ["first", "second", "third", "fourth"] {
            released(&world, id, id == gone);
        }
        consolidate(&engine);
        let patterns = || call(&engine, "patterns.find", json!({ "limit": 100 }));
        assert!(
            patterns().contains("cargo build --release"),
            "{}",
            patterns()
        );
        assert_eq!(
            patterns().contains(MARK),
            gone == "first",
            "named after the first"
        );
        engine.soft_delete(gone, "not any more").unwrap();
        assert!(
            patterns().contains("cargo build --release"),
            "{}",
            patterns()
        );
        assert!(!patterns().contains(MARK), "{}", patterns());
        engine.undelete(gone).unwrap();
        engine.soft_delete(gone, "not any more").unwrap();
        assert_eq!(engine.purge(Some(0), false).unwrap(), [gone]);
        assert_eq!(left(&world), [""; 0]);
        assert!(
            world
                .store
                .texts()
                .iter()
                .all(|text| !text.contains(&format!("\"{gone}\"")))
        );
        assert_eq!(engine.verify().unwrap(), []);
    }
}

#[test]
fn what_is_linked_with_an_episode_that_goes_does_not_name_it() {
    let world = World::new();
    let engine = world.engine();
    for id in ["gone", "stays"] {
        released(&world, id, id == "gone");
    }
    let link = json!({ "link": {
        "source": "stays", "relation": "related-to", "target": "gone", "reason": word("reason"), "at": 0,
    } });
    call(&engine, "links.relate", link);
    let told = || {
        let links = call(&engine, "links.of-memory", json!({ "id": "stays" }));
        let around = json!({ "walk": { "memory": "stays", "relations": [] } });
        links + &call(&engine, "links.around", around)
    };
    assert!(told().contains(MARK), "{}", told());
    engine.soft_delete("gone", "not any more").unwrap();
    assert!(!told().contains(MARK), "{}", told());
    assert_eq!(
        engine.purge(Some(0), false).unwrap(),
        [""; 0],
        "it is linked"
    );
    assert_eq!(engine.purge_one("gone", false).unwrap(), [""; 0]);
    assert_eq!(left(&world), [""; 0]);
    assert_eq!(engine.verify().unwrap(), []);
}

const LOADS: &str = "gridtool: path must stand in angle brackets";

/// A run that found out how a file is loaded, and a lesson that others find, too.
fn loaded(world: &World, id: &str, file: &str) {
    let engine = world.engine();
    let mut new = run(&format!("load {file}"));
    new.id = Some(id.to_owned());
    let steps = [
        failure(
            &format!("gridtool \"LOAD {file}\""),
            &format!("{LOADS} at {file}"),
        ),
        success(&format!("gridtool \"LOAD <{file}>\"")),
    ];
    world.pass(1_000);
    engine.submit(&new, &steps, &ending()).unwrap();
}

/// What only one run knows: a proposed lesson, a pattern, and the skill that is made of it.
fn taught(engine: &Engine, run: &str) {
    let lesson = json!({
        "rule-text": format!("WRONG: {} → CORRECT: {}", word("wrong"), word("right")),
        "trigger-fingerprints": [], "trigger-texts": [format!("cannot {}", word("trigger"))],
        "tags": [word("tag")], "domain": "cli", "task": word("task"), "run": run, "steps": [0],
    });
    call(engine, "lessons.propose", json!({ "lesson": lesson }));
    let pattern = json!({
        "name": word("pattern"), "kind": "sequence", "summary": word("summary"),
        "explanation": word("why"), "correct-approach": word("approach"),
        "incorrect-approach": word("error"), "applicability": { "conditions": [word("when")] },
        "content": { "procedure": {
            "steps": [word("first"), word("second")], "branching-logic": [word("branch")],
            "termination-conditions": [word("end")],
        } },
        "source-episodes": [run],
    });
    let pattern = call(engine, "patterns.add", json!({ "pattern": pattern }));
    let pattern: Value = serde_json::from_str(&pattern).expect("a pattern");
    let pattern = pattern["lesson"]["id"].as_str().expect("an id");
    let update = json!({ "explanation": word("because"), "reason": word("reason") });
    call(
        engine,
        "patterns.update",
        json!({ "pattern": pattern, "update": update }),
    );
    call(
        engine,
        "patterns.record-application",
        json!({
            "pattern": pattern, "episode": run, "outcome": "success",
        }),
    );
    call(
        engine,
        "skills.make-of-pattern",
        json!({ "pattern": pattern, "slug": word("skill") }),
    );
}

/// All lessons without what time and order make of them.
fn lessons(engine: &Engine) -> Vec<Value> {
    let lessons = call(engine, "lessons.find", json!({ "filter": {} }));
    let mut lessons: Vec<Value> = serde_json::from_str(&lessons).expect("lessons");
    for lesson in &mut lessons {
        let members = lesson.as_object_mut().expect("a lesson");
        members.remove("updated-at");
        let origins = members["origins"].as_array_mut().expect("origins");
        origins.sort_by_key(|origin| origin["run"].to_string());
    }
    lessons.sort_by_key(|lesson| lesson["id"].to_string());
    lessons
}

#[test]
fn what_an_episode_taught_alone_goes_with_it_and_what_others_taught_loses_its_part() {
    for order in [["gone", "stays"], ["stays", "gone"]] {
        let world = World::new();
        let engine = world.engine();
        for id in order {
            let file = match id {
                "gone" => format!("{}.csv", word("file")),
                _ => "sales.csv".to_owned(),
            };
            loaded(&world, id, &file);
        }
        taught(&engine, "gone");
        let before = lessons(&engine);
        let told = |engine: &Engine| {
            let of_skills = call(engine, "skills.all", json!({}));
            let of_patterns = call(engine, "patterns.find", json!({ "limit": 100 }));
            format!("{:?} {of_skills} {of_patterns}", lessons(engine))
        };
        let told_before = told(&engine);
        assert_eq!(before.len(), 4, "{before:#?}");
        assert!(told_before.contains(MARK));

        let lifecycle = engine.soft_delete("gone", "not any more").unwrap();
        assert_eq!(lifecycle.referenced_by.len(), 2, "{lifecycle:?}");
        assert!(!told(&engine).contains(MARK), "{}", told(&engine));
        assert_eq!(lessons(&engine).len(), 1);
        assert_eq!(lessons(&engine)[0]["task"], "load sales.csv");
        let hinted = json!({ "failure": {
            "evidence": format!("{LOADS} at x.csv"), "task": "", "action-text": "gridtool \"LOAD x.csv\"", "domain": "cli",
        } });
        let hints = call(&engine, "recall.on-error", hinted);
        assert!(
            hints.contains("LOAD <x.csv>") && !hints.contains(MARK),
            "{hints}"
        );
        assert_eq!(engine.verify().unwrap(), []);

        engine.undelete("gone").unwrap();
        assert!(told(&engine).contains(MARK));
        let ids = |lessons: &[Value]| -> Vec<Value> {
            lessons
                .iter()
                .map(|one| json!([one["id"], one["origins"], one["status"]]))
                .collect()
        };
        assert_eq!(ids(&lessons(&engine)), ids(&before));
        assert_eq!(engine.verify().unwrap(), []);

        // It is not removed with what it taught unless somebody says so.
        engine.soft_delete("gone", "not any more").unwrap();
        assert_eq!(engine.purge(Some(0), false).unwrap(), [""; 0]);
        let refused = engine.purge_one("gone", false).unwrap_err();
        for lesson in &lifecycle.referenced_by {
            assert!(refused.message().contains(lesson.as_str()), "{refused:?}");
        }
        assert!(!left(&world).is_empty());
        assert_eq!(
            engine.purge_one("gone", true).unwrap(),
            lifecycle.referenced_by
        );
        assert_eq!(left(&world), [""; 0]);
        assert_eq!(engine.verify().unwrap(), []);
        assert_eq!(lessons(&engine).len(), 1);
        let hinted = json!({ "failure": {
            "evidence": format!("{LOADS} at x.csv"), "task": "", "action-text": "gridtool \"LOAD x.csv\"", "domain": "cli",
        } });
        assert!(call(&engine, "recall.on-error", hinted).contains("LOAD <x.csv>"));
    }
}

#[test]
fn a_lesson_of_deleted_episodes_comes_back_with_any_of_them() {
    let world = World::new();
    let engine = world.engine();
    for id in ["first", "second"] {
        loaded(&world, id, &format!("{id}.csv"));
    }
    let before = lessons(&engine);
    for id in ["first", "second"] {
        engine.soft_delete(id, "not any more").unwrap();
    }
    assert_eq!(lessons(&engine), [Value::Null; 0]);
    engine.undelete("first").unwrap();
    let back = lessons(&engine);
    assert_eq!(back[0]["id"], before[0]["id"]);
    assert_eq!(back[0]["origins"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        engine.purge(Some(0), false).unwrap(),
        ["second"],
        "it lives on without it"
    );
    engine.soft_delete("first", "not any more").unwrap();
    // Learned again meanwhile.
    loaded(&world, "third", "third.csv");
    engine.undelete("first").unwrap();
    assert_eq!(
        lessons(&engine)[0]["origins"].as_array().map(Vec::len),
        Some(2)
    );
    assert_eq!(engine.verify().unwrap(), []);
}
