//! Ranking: in every answer what fits much better comes first, however old, unproven or unpopular it is.

use crate::support::{DAY, World, ending, failure, proposal, run, success};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use twiceshy_wit::memory::*;

/// What is asked for, the memory that fits it, and one that fits much less and has everything else for it.
const ASKED: &str = "rotate the signing keys of the payment gateway";
const FITTING: &str = "rotate the signing keys of the payment gateway in staging";
const POPULAR: &str = "rotate the keys of the payment file";

fn given<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("an argument of the contract")
}

fn episode(world: &World, id: &str, task: &str, days_ago: u64, outcome: Outcome) {
    let episode: NewEpisode = given(json!({
        "id": id,
        "task": task,
        "domain": "cli",
        "outcome": outcome,
        "ended-at": world.clock.get() - days_ago * DAY,
        "tools-used": [],
        "strategies-applied": [],
        "tags": [],
        "trace": [],
    }));
    Episodes::add(&world.engine(), &episode).expect("an episode");
}

#[test]
fn an_old_failed_episode_that_fits_comes_before_a_new_popular_one() {
    let world = World::new();
    episode(&world, "fitting", FITTING, 170, Outcome::Failure);
    episode(&world, "popular", POPULAR, 0, Outcome::Success);
    let engine = world.engine();
    for _ in 0..200 {
        Episodes::retrieve(&engine, "popular").expect("the episode");
    }
    let query = EpisodeQuery {
        text: ASKED.to_owned(),
        ..EpisodeQuery::default()
    };
    let hits = Episodes::search(&engine, &query).expect("hits");
    let ids: Vec<_> = hits.iter().map(|hit| hit.episode.id.as_str()).collect();
    assert_eq!(ids, ["fitting", "popular"]);
    assert!(
        hits[1].score > hits[0].score,
        "the formula alone would turn them over: {hits:?}"
    );
}

#[test]
fn an_unproven_lesson_that_fits_comes_before_a_proven_new_one() {
    let world = World::new();
    let rule = |text: &str| LessonCandidate {
        trigger_texts: Vec::new(),
        scope_hint: Some(Scope::Global),
        ..proposal(text, "")
    };
    let engine = world.engine();
    let fitting = "rotate signing keys of the payment gateway monthly";
    let fitting = engine.propose(&rule(fitting)).expect("a lesson");
    world.pass(900 * DAY);
    let proven = "list keys of the payment gateway cluster, then file columns and invoices";
    let proven = engine.propose(&rule(proven)).expect("a lesson");
    engine
        .set_status(&proven.id, LessonStatus::Promoted, "it works")
        .expect("promoted");
    let task = TaskContext {
        task: "rotate signing keys of the payment gateway in the staging cluster".to_owned(),
        domain: "cli".to_owned(),
        recent_fingerprints: Vec::new(),
        limit: None,
        tokens: None,
    };
    let hints = engine.for_task(&task).expect("hints");
    let ids: Vec<_> = hints.iter().map(|hint| hint.lesson.id.as_str()).collect();
    assert_eq!(ids, [fitting.id, proven.id]);
    assert!(
        hints[1].score > hints[0].score,
        "the formula alone would turn them over: {hints:?}"
    );
}

#[test]
fn an_old_experience_that_fits_comes_before_a_new_popular_one() {
    let world = World::new();
    let engine = world.engine();
    let evolve = |task: &str, feedback: &str| {
        let new = json!({"input": task, "output": "done", "feedback": feedback, "domain": "cli"});
        engine.evolve(&given(new)).expect("an experience");
    };
    evolve(FITTING, "failure");
    world.pass(300 * DAY);
    evolve(POPULAR, "success");
    let find = |text: &str| {
        let query = json!({"text": text});
        Experience::search(&engine, &given(query)).expect("hits")
    };
    for _ in 0..200 {
        find(POPULAR);
    }
    let inputs: Vec<_> = find(ASKED).into_iter().map(|hit| hit.entry.input).collect();
    assert_eq!(inputs, [FITTING, POPULAR]);
}

#[test]
fn the_context_of_a_task_has_what_fits_first() {
    let world = World::new();
    episode(&world, "fitting", FITTING, 170, Outcome::Failure);
    episode(
        &world,
        "popular",
        "rotate the keys of the translation file",
        0,
        Outcome::Success,
    );
    let request = ContextRequest {
        task: ASKED.to_owned(),
        domain: "cli".to_owned(),
        ..ContextRequest::default()
    };
    let bundle = world.engine().context(&request).expect("a bundle");
    let ids: Vec<_> = bundle
        .similar_episodes
        .iter()
        .map(|item| &item.id)
        .collect();
    assert_eq!(
        ids.first().map(|id| id.as_str()),
        Some("fitting"),
        "{ids:?}"
    );
}

#[test]
fn the_same_failure_comes_before_newer_similar_ones() {
    let world = World::new();
    let engine = world.engine();
    let same = "ValueError: the column price is missing in sales.csv";
    let similar = "ValueError: the column price of an order is empty in sales.csv";
    for (id, error) in [("same", same), ("similar", similar)] {
        let new = NewRun {
            id: Some(id.to_owned()),
            ..run("load the data")
        };
        let steps = [failure("load sales.csv", error), success("load sales.csv")];
        engine.submit(&new, &steps, &ending()).expect("submitted");
        world.pass(170 * DAY);
    }
    let signature = FailureSignature {
        evidence: same.to_owned(),
        fingerprint: None,
        domain: None,
        limit: None,
    };
    let found = engine.similar_failures(&signature).expect("failures");
    let ids: Vec<_> = found.iter().map(|one| one.episode.id.as_str()).collect();
    assert_eq!(ids.first(), Some(&"same"), "{ids:?}");
}

#[test]
fn a_skill_that_fits_comes_before_a_newer_one() {
    let world = World::new();
    let engine = world.engine();
    let skill = |slug: &str, title: &str| {
        let markdown = format!("# Skill: {title}\n\n## Steps\n1. Begin\n2. Check it\n");
        engine.put(slug, &markdown).expect("a skill");
    };
    skill("key-rotation", "Rotate the signing keys of a gateway");
    world.pass(300 * DAY);
    skill("translation", "List the keys of a translation");
    let hits = Skills::find(&engine, ASKED, 5).expect("skills");
    let slugs: Vec<_> = hits.iter().map(|hit| hit.skill.slug.as_str()).collect();
    assert_eq!(slugs, ["key-rotation", "translation"]);
}

#[test]
fn the_wording_of_a_hypothesis_decides_and_not_how_new_a_decision_is() {
    let world = World::new();
    let engine = world.engine();
    let decide = |hypothesis: &str, outcome: &str| {
        let new = json!({"module": "gateway", "hypothesis": hypothesis, "outcome": outcome,
            "rationale": "it was tried"});
        Decisions::record(&engine, &given(new)).expect("a decision");
    };
    decide("rotate the signing keys every week", "rejected");
    world.pass(300 * DAY);
    decide("rotate the signing keys every month", "accepted");
    let query = json!({"module": "gateway", "hypothesis": "rotate signing keys every week"});
    let check = Decisions::check(&engine, &given(query)).expect("a check");
    let record = check.record.expect("the decision");
    assert_eq!(record.hypothesis, "rotate the signing keys every week");
    assert!(check.rejected && !check.accepted_recently);
}

/// What is asked for, and the same the other way round.
const THERE: &str = "copy the customer table from staging to production";
const BACK: &str = "copy the customer table from production to staging";

#[test]
fn what_goes_the_other_way_comes_behind_what_goes_the_same_way() {
    for (there, back) in [(THERE, BACK), (BACK, THERE)] {
        let world = World::new();
        let engine = world.engine();
        let hurried = format!("{there} quickly and with care");
        // What goes the other way is newer, and shares all the words.
        episode(&world, "right", &hurried, 20, Outcome::Success);
        episode(&world, "wrong", back, 0, Outcome::Success);
        let rule = |text: &str| LessonCandidate {
            trigger_texts: Vec::new(),
            scope_hint: Some(Scope::Global),
            ..proposal(text, "")
        };
        let right = engine.propose(&rule(&hurried)).expect("a lesson").id;
        world.pass(20 * DAY);
        let wrong = engine.propose(&rule(back)).expect("a lesson").id;
        let request = ContextRequest {
            task: there.to_owned(),
            domain: "cli".to_owned(),
            ..ContextRequest::default()
        };
        let bundle = engine.context(&request).expect("a bundle");
        let first = |items: &[ContextItem]| items.first().map(|item| item.id.clone());
        assert_eq!(first(&bundle.similar_episodes).as_deref(), Some("right"));
        assert_eq!(
            first(&bundle.applicable_patterns),
            Some(right.clone()),
            "{wrong}"
        );
        let task = TaskContext {
            task: there.to_owned(),
            domain: "cli".to_owned(),
            recent_fingerprints: Vec::new(),
            limit: None,
            tokens: None,
        };
        let hints = engine.for_task(&task).expect("hints");
        assert_eq!(
            hints.first().map(|hint| &hint.lesson.id),
            Some(&right),
            "{there}"
        );
    }
}

/// What is asked for, what fits it by its rare words, and what has more of its usual ones.
const RARE: &str = "why does the tokenizer of the search service drop umlauts in the index";
const BY_RARE_WORDS: &str = "the tokenizer keeps umlauts once the locale is set in the image";
const BY_USUAL_WORDS: &str = "the index of the search service is made anew in the night";
const USUAL: [&str; 6] = [
    "the search service needs an index for each tenant",
    "restart the search service once the index is moved",
    "the index of the search service is kept on the second disk",
    "an index that the search service drops is archived for a week",
    "the search service reads the index from a replica",
    "drop an index of the search service by its name alone",
];

#[test]
fn rare_words_decide_what_comes_first_whatever_is_asked_for() {
    let world = World::new();
    let engine = world.engine();
    let fact = |text: &str| LessonCandidate {
        trigger_texts: Vec::new(),
        scope_hint: Some(Scope::Global),
        kind: Some(LessonKind::Fact),
        ..proposal(text, "")
    };
    let mut lessons = Vec::new();
    for text in [BY_RARE_WORDS, BY_USUAL_WORDS].into_iter().chain(USUAL) {
        lessons.push(engine.propose(&fact(text)).expect("a lesson").id);
        let new = json!({"input": text, "output": "done", "feedback": "success", "domain": "cli"});
        engine.evolve(&given(new)).expect("an experience");
        world.pass(DAY);
    }
    let request = ContextRequest {
        task: RARE.to_owned(),
        domain: "cli".to_owned(),
        ..ContextRequest::default()
    };
    let bundle = engine.context(&request).expect("a bundle");
    let first = bundle.domain_knowledge.first().map(|item| &item.id);
    assert_eq!(first, Some(&lessons[0]), "{bundle:?}");
    let found: Vec<ExperienceHit> =
        Experience::search(&engine, &given(json!({"text": RARE}))).expect("hits");
    let inputs: Vec<_> = found.iter().map(|hit| hit.entry.input.as_str()).collect();
    assert_eq!(inputs.first(), Some(&BY_RARE_WORDS), "{inputs:?}");
}

#[test]
fn a_long_lesson_is_shown_for_a_task_that_asks_for_what_it_says_and_not_for_a_word_or_two() {
    let world = World::new();
    let engine = world.engine();
    let said = "The nightly export of invoices locks the ledger table until it has written every page, so payments that come \
        in between wait; run it against the replica, keep its batches below a thousand rows, and tell accounting when the \
        replica is behind";
    let lesson = LessonCandidate {
        trigger_texts: Vec::new(),
        scope_hint: Some(Scope::Global),
        ..proposal(said, "")
    };
    let lesson = engine.propose(&lesson).expect("a lesson").id;
    let shown = |task: &str| {
        let task = TaskContext {
            task: task.to_owned(),
            domain: "cli".to_owned(),
            ..TaskContext::default()
        };
        let hints = engine.for_task(&task).expect("hints").into_iter();
        hints.map(|hint| hint.lesson.id).collect::<Vec<_>>()
    };
    assert_eq!(
        shown("why do payments wait while the nightly export of invoices locks the ledger"),
        [lesson]
    );
    for other in [
        "export the pages",
        "write a page about payments",
        "restart the nightly build of the mobile client after the tests",
    ] {
        assert_eq!(shown(other), Vec::<String>::new(), "{other}");
    }
}
