//! Links: typed relations between lessons, skills and episodes, and what follows from them.

use crate::support::{World, proposal, run};
use twiceshy_engine::Engine;
use twiceshy_wit::memory::{
    Ending, Error, LessonKind, LessonStatus, Lessons, Link, Links, Neighbourhood, Outcome, Recall,
    Relation, Runs, TaskContext, Upkeep, Walk,
};

const RELATIONS: [Relation; 10] = [
    Relation::DerivedFrom,
    Relation::RelatedTo,
    Relation::Contradicts,
    Relation::Elaborates,
    Relation::ExampleOf,
    Relation::Supersedes,
    Relation::SupersededBy,
    Relation::Specializes,
    Relation::Generalizes,
    Relation::Complements,
];

fn lesson(engine: &Engine, rule: &str) -> String {
    let mut candidate = proposal(rule, "");
    candidate.trigger_texts.clear();
    engine.propose(&candidate).unwrap().id
}

fn link(source: &str, relation: Relation, target: &str) -> Link {
    Link {
        source: source.to_owned(),
        relation,
        target: target.to_owned(),
        reason: "for the test".to_owned(),
        at: 0,
    }
}

fn walk(memory: &str) -> Walk {
    Walk {
        memory: memory.to_owned(),
        depth: None,
        relations: Vec::new(),
        limit: None,
    }
}

fn reached(found: &Neighbourhood) -> Vec<(&str, u32)> {
    let memories = found.memories.iter();
    memories
        .map(|one| (one.id.as_str(), one.distance))
        .collect()
}

#[test]
fn every_relation_is_kept_and_told_from_both_sides() {
    for relation in RELATIONS {
        let world = World::new();
        let engine = world.engine();
        let (one, two) = (
            lesson(&engine, "first rule"),
            lesson(&engine, "second rule"),
        );
        let kept = engine.relate(&link(&one, relation, &two)).unwrap();
        assert_eq!(kept.at, world.clock.get());
        let told = |memory: &str| {
            let links = engine.of_memory(memory).unwrap();
            assert_eq!(links.len(), 1);
            (
                links[0].source.clone(),
                links[0].relation,
                links[0].target.clone(),
            )
        };
        assert_eq!(told(&one), (one.clone(), relation, two.clone()));
        let other_side = match relation {
            Relation::RelatedTo | Relation::Contradicts | Relation::Complements => Some(relation),
            Relation::Supersedes => Some(Relation::SupersededBy),
            Relation::SupersededBy => Some(Relation::Supersedes),
            Relation::Specializes => Some(Relation::Generalizes),
            Relation::Generalizes => Some(Relation::Specializes),
            _ => None,
        };
        match other_side {
            Some(word) => {
                assert_eq!(told(&two), (two.clone(), word, one.clone()));
                // Who says it from the other side says the same thing, and can take it back.
                engine.relate(&link(&two, word, &one)).unwrap();
                assert_eq!(engine.of_memory(&one).unwrap().len(), 1);
                engine.unrelate(&link(&two, word, &one)).unwrap();
            }
            None => {
                assert_eq!(told(&two), (one.clone(), relation, two.clone()));
                engine.unrelate(&link(&one, relation, &two)).unwrap();
            }
        }
        assert!(engine.of_memory(&one).unwrap().is_empty());
        assert!(engine.unrelate(&link(&one, relation, &two)).is_err());
    }
}

#[test]
fn lessons_skills_and_episodes_are_linked_and_nothing_that_is_not_there() {
    let world = World::new();
    let engine = world.engine();
    let rule = lesson(&engine, "sort by size");
    let mut candidate = proposal("deploy in three steps", "");
    candidate.trigger_texts.clear();
    candidate.kind = Some(LessonKind::Skill);
    let skill = engine.propose(&candidate).unwrap().id;
    let episode = engine.start(&run("sort the\ntable")).unwrap().id;
    let refused = engine.relate(&link(&rule, Relation::DerivedFrom, &episode));
    assert!(
        matches!(refused, Err(Error::NotFound(_))),
        "an open run is no episode"
    );
    let ending = Ending {
        outcome: Some(Outcome::Success),
        score: None,
        referee: None,
    };
    engine.finish(&episode, &ending).unwrap();
    engine
        .relate(&link(&rule, Relation::DerivedFrom, &episode))
        .unwrap();
    engine
        .relate(&link(&skill, Relation::Elaborates, &rule))
        .unwrap();
    let found = engine.around(&walk(&episode)).unwrap();
    let told: Vec<_> = found
        .memories
        .iter()
        .map(|one| {
            (
                one.id.as_str(),
                one.kind.as_str(),
                one.summary.as_str(),
                one.distance,
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (episode.as_str(), "episode", "sort the table", 0),
            (rule.as_str(), "lesson", "sort by size", 1),
            (skill.as_str(), "skill", "deploy in three steps", 2),
        ]
    );
    assert_eq!((found.links.len(), found.more), (2, false));
    for (wrong, named) in [
        (link(&rule, Relation::RelatedTo, "les_nobody"), "les_nobody"),
        (link("", Relation::RelatedTo, &rule), "``"),
        (link(&rule, Relation::RelatedTo, &rule), "the same memory"),
    ] {
        let told = engine.relate(&wrong).expect_err("it is refused");
        assert!(told.message().contains(named), "{}", told.message());
    }
    assert!(engine.of_memory("les_nobody").is_err());
    assert!(engine.around(&walk("les_nobody")).is_err());
    let findings = engine.verify().unwrap();
    assert!(findings.is_empty(), "{findings:?}");
}

#[test]
fn a_walk_is_breadth_first_bounded_and_the_same_every_time() {
    let world = World::new();
    let engine = world.engine();
    let ids: Vec<_> = (0..7)
        .map(|at| lesson(&engine, &format!("rule number {at}")))
        .collect();
    // 0 - 1 - 2 - 3, and a shorter way 0 - 4 - 3; 5 and 6 hang on 1.
    for (from, to) in [(0, 1), (1, 2), (2, 3), (0, 4), (4, 3), (1, 5), (6, 1)] {
        world.pass(1);
        engine
            .relate(&link(&ids[from], Relation::RelatedTo, &ids[to]))
            .unwrap();
    }
    let id = |at: usize| ids[at].as_str();
    let found = engine.around(&walk(id(0))).unwrap();
    // Nearest first, and the newest link first.
    let expected = [
        (id(0), 0),
        (id(4), 1),
        (id(1), 1),
        (id(3), 2),
        (id(6), 2),
        (id(5), 2),
        (id(2), 2),
    ];
    assert_eq!(reached(&found), expected);
    assert_eq!((found.links.len(), found.more), (6, false));
    assert_eq!(engine.around(&walk(id(0))).unwrap(), found);
    let near = engine
        .around(&Walk {
            depth: Some(1),
            ..walk(id(0))
        })
        .unwrap();
    assert_eq!(reached(&near), expected[..3]);
    assert_eq!(near.links.len(), 2);
    let few = engine
        .around(&Walk {
            limit: Some(4),
            ..walk(id(0))
        })
        .unwrap();
    assert_eq!(reached(&few), expected[..4]);
    assert!(few.more);
    let alone = engine
        .around(&Walk {
            depth: Some(0),
            ..walk(id(0))
        })
        .unwrap();
    assert_eq!(reached(&alone), expected[..1]);
}

#[test]
fn a_walk_follows_only_the_relations_that_are_asked_for() {
    let world = World::new();
    let engine = world.engine();
    let ids: Vec<_> = (0..4)
        .map(|at| lesson(&engine, &format!("rule number {at}")))
        .collect();
    engine
        .relate(&link(&ids[1], Relation::Supersedes, &ids[0]))
        .unwrap();
    engine
        .relate(&link(&ids[1], Relation::SupersededBy, &ids[2]))
        .unwrap();
    engine
        .relate(&link(&ids[0], Relation::Complements, &ids[3]))
        .unwrap();
    let along = |relation, from: usize| -> Vec<String> {
        let asked = Walk {
            relations: vec![relation],
            depth: Some(8),
            ..walk(&ids[from])
        };
        let found = engine.around(&asked).unwrap();
        found.memories.into_iter().map(|one| one.id).collect()
    };
    assert_eq!(along(Relation::SupersededBy, 0), ids[..3]);
    assert_eq!(
        along(Relation::Supersedes, 2),
        [ids[2].clone(), ids[1].clone(), ids[0].clone()]
    );
    assert_eq!(along(Relation::Supersedes, 0), ids[..1]);
    assert_eq!(
        along(Relation::Complements, 3),
        [ids[3].clone(), ids[0].clone()]
    );
}

#[test]
fn a_contradiction_is_unresolved_while_both_sides_are_recalled() {
    let world = World::new();
    let engine = world.engine();
    let ids: Vec<_> = (0..4)
        .map(|at| lesson(&engine, &format!("rule number {at}")))
        .collect();
    let contradict = |from: usize, to: usize| {
        world.pass(1);
        engine
            .relate(&link(&ids[from], Relation::Contradicts, &ids[to]))
            .unwrap()
    };
    let (old, new) = (contradict(0, 1), contradict(2, 3));
    engine
        .relate(&link(&ids[0], Relation::RelatedTo, &ids[2]))
        .unwrap();
    assert_eq!(
        engine.contradictions(10).unwrap(),
        [new.clone(), old.clone()]
    );
    assert_eq!(engine.contradictions(1).unwrap(), [new]);
    engine
        .set_status(&ids[2], LessonStatus::Suppressed, "it lost")
        .unwrap();
    assert_eq!(engine.contradictions(10).unwrap(), [old]);
}

/// What is recalled before a task.
fn recalled(engine: &Engine, task: &str, limit: u32, tokens: Option<u32>) -> Vec<String> {
    let context = TaskContext {
        task: task.to_owned(),
        domain: "cli".to_owned(),
        limit: Some(limit),
        tokens,
        ..TaskContext::default()
    };
    let hints = engine.for_task(&context).unwrap();
    hints.into_iter().map(|hint| hint.lesson.id).collect()
}

const TASK: &str = "sort the sales table by size";

#[test]
fn a_recalled_lesson_brings_what_complements_or_elaborates_it_if_there_is_room() {
    let world = World::new();
    let engine = world.engine();
    let found = lesson(&engine, "sort the sales table by size with an index");
    let beside = lesson(&engine, "keep a backup");
    let more = lesson(&engine, "an index wants memory");
    let related = lesson(&engine, "tea at five");
    assert_eq!(
        recalled(&engine, TASK, 8, None),
        std::slice::from_ref(&found)
    );
    engine
        .relate(&link(&beside, Relation::Complements, &found))
        .unwrap();
    world.pass(1);
    engine
        .relate(&link(&more, Relation::Elaborates, &found))
        .unwrap();
    engine
        .relate(&link(&related, Relation::RelatedTo, &found))
        .unwrap();
    assert_eq!(
        recalled(&engine, TASK, 8, None),
        [found.clone(), more.clone(), beside.clone()]
    );
    assert_eq!(
        recalled(&engine, TASK, 2, None),
        [found.clone(), more.clone()]
    );
    assert_eq!(
        recalled(&engine, TASK, 1, None),
        std::slice::from_ref(&found)
    );
    // The neighbours have 6 and 4 tokens; the first does not fit any more.
    assert_eq!(
        recalled(&engine, TASK, 8, Some(15)),
        [found.clone(), beside.clone()]
    );
    engine
        .relate(&link(&beside, Relation::Contradicts, &found))
        .unwrap();
    engine
        .set_status(&more, LessonStatus::Suppressed, "no")
        .unwrap();
    assert_eq!(recalled(&engine, TASK, 8, None), [found]);
}

#[test]
fn what_is_superseded_is_not_recalled_beside_its_successor() {
    let world = World::new();
    let engine = world.engine();
    let old = lesson(&engine, "sort the sales table by size");
    let new = lesson(&engine, "sort the sales table by size with an index");
    assert_eq!(recalled(&engine, TASK, 8, None).len(), 2);
    let kept = engine
        .relate(&link(&old, Relation::SupersededBy, &new))
        .unwrap();
    assert_eq!(recalled(&engine, TASK, 8, None), std::slice::from_ref(&new));
    engine.unrelate(&kept).unwrap();
    engine
        .relate(&link(&new, Relation::Supersedes, &old))
        .unwrap();
    assert_eq!(recalled(&engine, TASK, 8, None), std::slice::from_ref(&new));
    // Nor does it come along as a neighbour.
    let third = lesson(&engine, "keep a backup");
    engine
        .relate(&link(&third, Relation::Complements, &new))
        .unwrap();
    engine
        .relate(&link(&third, Relation::SupersededBy, &new))
        .unwrap();
    assert_eq!(recalled(&engine, TASK, 8, None), [new]);
}
