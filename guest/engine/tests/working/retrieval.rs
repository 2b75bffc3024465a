//! What is looked up for a working memory, and the page that refers to it.

use crate::support::{World, ending, failure, run, success};
use twiceshy_engine::Engine;
use twiceshy_wit::memory::*;

fn start(engine: &Engine, id: &str, task: &str) {
    let mut new = run(task);
    new.id = Some(id.to_owned());
    engine.start(&new).expect("a run");
}

fn begin(engine: &Engine, id: &str, task: &str) {
    start(engine, id, task);
    engine
        .init(id, &SystemContext::default())
        .expect("a working memory");
}

fn pattern(engine: &Engine, kind: LessonKind, summary: &str) -> String {
    let new = NewPattern {
        name: "for the test".to_owned(),
        ..crate::support::pattern(kind, summary)
    };
    let id = Patterns::add(engine, &new).expect("a pattern").lesson.id;
    engine
        .set_status(&id, LessonStatus::Promoted, "for the test")
        .expect("promoted");
    id
}

fn ids(items: &[WorkingItem]) -> Vec<&str> {
    items.iter().map(|item| item.id.as_str()).collect()
}

/// An episode of a task that went well after one failure.
fn episode(engine: &Engine, id: &str, task: &str) {
    start(engine, id, task);
    let wrong = failure(
        "pip install pyjwt==99",
        "ERROR: No matching distribution found for pyjwt==99",
    );
    engine.observe(id, &wrong).expect("observed");
    engine
        .observe(id, &success("pip install pyjwt"))
        .expect("observed");
    engine.finish(id, &ending()).expect("ended");
}

#[test]
fn patterns_come_as_summaries_and_are_fetched_whole() {
    let world = World::new();
    let engine = world.engine();
    for subject in ["tokens", "keys", "claims", "headers"] {
        let summary = format!("JWT authentication wants short {subject}");
        pattern(&engine, LessonKind::Strategy, &summary);
    }
    let snippet = pattern(
        &engine,
        LessonKind::Domain,
        "JWT authentication is stateless",
    );
    begin(&engine, "jwt", "Add JWT authentication");
    let items = Working::retrieve(&engine, "jwt", &EpisodeQuery::default()).expect("looked up");
    let patterns: Vec<_> = items
        .iter()
        .filter(|item| item.id.starts_with("pattern-"))
        .collect();
    // The top three, and what is known of the domain.
    assert!((3..=4).contains(&patterns.len()), "{:?}", ids(&items));
    let snippet = format!("pattern-{snippet}");
    assert!(ids(&items).contains(&snippet.as_str()), "{:?}", ids(&items));
    for item in &patterns {
        assert_eq!(item.section, Section::RetrievedContext);
        assert!(item.is_reference && item.tokens <= 200, "{item:?}");
        assert!(item.text.contains("JWT authentication"), "{}", item.text);
    }
    let whole = engine.fetch("jwt", &snippet).expect("whole");
    let whole: Pattern = serde_json::from_str(&whole).expect("a pattern");
    assert_eq!(whole.lesson.kind, LessonKind::Domain);
    let memory = engine.view("jwt").expect("a view");
    let read = memory.items.iter().find(|item| item.id == snippet);
    assert_eq!(read.map(|item| item.accesses), Some(1));
}

#[test]
fn like_episodes_come_as_summaries_and_are_fetched_whole() {
    let world = World::new();
    let engine = world.engine();
    for number in 1..=7 {
        world.pass(1_000);
        let task = format!("Add JWT authentication to service {number}");
        episode(&engine, &format!("ep-{number}"), &task);
    }
    begin(&engine, "jwt", "Add JWT authentication to the gateway");
    let items = Working::retrieve(&engine, "jwt", &EpisodeQuery::default()).expect("looked up");
    let episodes: Vec<_> = items
        .iter()
        .filter(|item| item.id.starts_with("episode-"))
        .collect();
    assert_eq!(episodes.len(), 5, "{:?}", ids(&items));
    for item in &episodes {
        assert!(item.is_reference && item.tokens <= 200, "{item:?}");
        assert!(
            item.text.contains("Add JWT authentication to service"),
            "{}",
            item.text
        );
        assert!(
            item.text.contains("success after 2 steps, 1 failed"),
            "{}",
            item.text
        );
    }
    let whole = engine.fetch("jwt", &episodes[0].id).expect("whole");
    let whole: FullEpisode = serde_json::from_str(&whole).expect("an episode");
    assert_eq!(format!("episode-{}", whole.episode.id), episodes[0].id);
    let one = EpisodeQuery {
        text: "service 3".to_owned(),
        limit: Some(1),
        ..EpisodeQuery::default()
    };
    let items = Working::retrieve(&engine, "jwt", &one).expect("looked up");
    assert_eq!(ids(&items), ["episode-ep-3"]);
}

#[test]
fn context_that_nobody_read_makes_way() {
    let world = World::new();
    let engine = world.engine();
    let long = "about how it is checked and renewed and what a reader has to know of it besides "
        .repeat(8);
    let of = |subject: &str| -> Vec<String> {
        (0..3)
            .map(|number| {
                let summary = format!("{subject} authentication {number} {long}");
                pattern(&engine, LessonKind::Domain, &summary)
            })
            .collect()
    };
    let (first, _) = (of("JWT"), of("LDAP"));
    begin(&engine, "jwt", "Add JWT authentication");
    let budgets = Budgets {
        system_context: 500,
        task_context: 500,
        execution_state: 500,
        intermediate_results: 500,
        retrieved_context: 600,
    };
    let small = SystemContext {
        budgets: Some(budgets),
        ..SystemContext::default()
    };
    engine.init("jwt", &small).expect("begun anew");
    let look = |text: &str| {
        let query = EpisodeQuery {
            text: text.to_owned(),
            ..EpisodeQuery::default()
        };
        Working::retrieve(&engine, "jwt", &query).expect("looked up")
    };
    let items = look("JWT authentication");
    assert!(items.len() >= 2, "{:?}", ids(&items));
    let read = items[0].id.clone();
    engine.fetch("jwt", &read).expect("whole");
    let later = look("LDAP authentication");
    let memory = engine.view("jwt").expect("a view");
    let section = &memory.sections[4];
    assert!(section.tokens <= section.budget, "{section:?}");
    // What was read is still there, what nobody read made way for what is sought now.
    assert!(
        ids(&memory.items).contains(&read.as_str()),
        "{:?}",
        ids(&memory.items)
    );
    assert!(!later.is_empty());
    let gone: Vec<_> = items
        .iter()
        .filter(|item| !memory.items.iter().any(|other| other.id == item.id))
        .collect();
    assert!(!gone.is_empty() && first.len() == 3);
    // And is fetched by its id alone.
    engine.fetch("jwt", &gone[0].id).expect("still there");
}

#[test]
fn a_skill_is_referred_to_by_its_name() {
    let world = World::new();
    let engine = world.engine();
    let markdown = "# Skill: Standard API implementation flow\n\n## Steps\n1. Read the spec\n2. Write the handler\n";
    Skills::put(&engine, "api-implementation", markdown).expect("a skill");
    begin(&engine, "api", "Start the API implementation of todos");
    let page = engine.continuity("api").expect("a page");
    let line = "- [skill: api-implementation] Standard API implementation flow";
    assert!(page.lines().any(|found| found == line), "{page}");
}

#[test]
fn the_three_subsystems_feed_each_other() {
    let world = World::new();
    let engine = world.engine();
    // The start of a task loads context; its end stores the episode, from which a lesson is learned.
    let first = "ep-2026-01-05-012";
    begin(&engine, first, "Add JWT authentication to the shop");
    engine
        .load_task(first, &ParsedTask::default())
        .expect("loaded");
    let error = "ERROR: No matching distribution found for pyjwt==99";
    engine
        .observe(first, &failure("pip install pyjwt==99", error))
        .expect("observed");
    engine
        .observe(first, &success("pip install pyjwt"))
        .expect("observed");
    engine.finish(first, &ending()).expect("ended");
    // The next one finds both: the episode when it begins, and the lesson when it fails in the same way.
    world.pass(60_000);
    let second = "jwt-again";
    begin(&engine, second, "Add JWT authentication to the forum");
    engine
        .load_task(second, &ParsedTask::default())
        .expect("loaded");
    let items = Working::retrieve(&engine, second, &EpisodeQuery::default()).expect("looked up");
    assert!(
        ids(&items).contains(&"episode-ep-2026-01-05-012"),
        "{:?}",
        ids(&items)
    );
    let reaction = engine
        .observe(second, &failure("pip install pyjwt==99", error))
        .expect("observed");
    let event = reaction.failure.expect("a failure");
    let memory = engine.view(second).expect("a view");
    let recovery = format!("recovery-{}", event.fingerprint);
    assert!(
        ids(&memory.items).contains(&recovery.as_str()),
        "{:?}",
        ids(&memory.items)
    );
    let page = engine.continuity(second).expect("a page");
    let line = "- [ep-2026-01-05-012] Add JWT authentication to the shop succeeded";
    assert!(page.lines().any(|found| found == line), "{page}");
    engine.finish(second, &ending()).expect("ended");
}
