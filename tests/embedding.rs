//! The crate as an embedder holds it: many threads on one memory, own ports, own clock.

use std::{
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    thread,
};

use twiceshy::{
    MapStore, MemoryComponent, SqliteStore,
    wit::{
        host::{self, Embedder, Level, Log},
        memory::{Ending, Error, Lessons, NewRun, Observed, Runs, Upkeep},
    },
};

use crate::{
    components::Noon,
    support::{compiled, example, repository, shared_home},
};

fn component() -> MemoryComponent {
    MemoryComponent::bundled(&compiled()).expect("the component")
}

fn observed(evidence: &str) -> Observed {
    let text = format!(
        r#"{{"step": {{"action": {{"command": ["x"]}}}},
             "feedback": {{"action-text": "x", "hard-failure": {{"reason": "exit 1", "evidence": "{evidence}"}}}}}}"#
    );
    serde_json::from_str(&text).expect("an observed step")
}

#[test]
fn many_threads_call_one_memory_at_once_and_lose_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("memory.db");
    let store = SqliteStore::open(&file, twiceshy::Options::default()).unwrap();
    let memory = component().over(store).build();
    thread::scope(|scope| {
        for thread in 0..8 {
            let memory = &memory;
            scope.spawn(move || {
                for _ in 0..25 {
                    let run = NewRun {
                        id: None,
                        task: format!("{thread}"),
                        domain: "cli".into(),
                        hold_out: None,
                        ..NewRun::default()
                    };
                    let ending = Ending {
                        outcome: None,
                        score: None,
                        referee: None,
                    };
                    memory
                        .submit(&run, &[observed("error: the same")], &ending)
                        .expect("remembered");
                }
            });
        }
    });
    let status = memory.status().unwrap();
    assert_eq!(
        (status.events, status.episodes, status.fingerprints),
        (200, 200, 1)
    );
    assert_eq!(memory.verify().unwrap(), []);
}

#[test]
fn a_run_that_several_threads_observe_has_every_step() {
    let memory = component().over(MapStore::new()).clock(Noon).build();
    let run = memory
        .start(&NewRun {
            id: None,
            task: String::new(),
            domain: "cli".into(),
            hold_out: None,
            ..NewRun::default()
        })
        .unwrap();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..10 {
                    memory
                        .observe(&run.id, &observed("error: the same"))
                        .expect("observed");
                }
            });
        }
    });
    let episode = memory
        .finish(
            &run.id,
            &Ending {
                outcome: None,
                score: None,
                referee: None,
            },
        )
        .unwrap();
    assert_eq!((episode.steps, episode.failures), (40, 40));
    assert_eq!(memory.verify().unwrap(), []);
}

/// Says one vector for everything, and counts how often it is asked.
struct Same(Arc<AtomicU32>);

impl Embedder for Same {
    fn identity(&self) -> Result<String, host::Error> {
        Ok("same".to_owned())
    }

    fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, host::Error> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(texts.iter().map(|_| vec![1.0, 0.0]).collect())
    }
}

/// Keeps what it is told.
#[derive(Clone, Default)]
struct Kept(Arc<std::sync::Mutex<Vec<String>>>);

impl Log for Kept {
    fn write(&self, level: Level, message: &str) {
        self.0
            .lock()
            .unwrap()
            .push(format!("{} {message}", level.as_str()));
    }
}

#[test]
fn an_embedders_own_ports_are_used() {
    let asked = Arc::new(AtomicU32::new(0));
    let memory = component()
        .over(MapStore::new())
        .embedder(Same(asked.clone()))
        .clock(Noon)
        .build();
    let proposal =
        serde_json::from_str(r#"{"rule-text": "something unlike the failure"}"#).unwrap();
    let lesson = memory.propose(&proposal).unwrap();
    assert_eq!(lesson.created_at, 1_704_110_400_000, "the clock");
    let run = NewRun {
        id: None,
        task: String::new(),
        domain: "cli".into(),
        hold_out: None,
        ..NewRun::default()
    };
    let ending = Ending {
        outcome: None,
        score: None,
        referee: None,
    };
    let submitted = memory
        .submit(&run, &[observed("error: boom")], &ending)
        .unwrap();
    assert_eq!(
        submitted.reactions[0].hints[0].lesson.id, lesson.id,
        "found by its vector alone"
    );
    assert!(asked.load(Ordering::Relaxed) >= 2);
}

/// A store that fails as a full disk does.
struct Full;

impl host::Store for Full {
    fn commit_lightly(&self, batch: &[host::Change]) -> Result<(), host::Error> {
        self.commit(batch)
    }

    fn optimize(&self) -> Result<(), host::Error> {
        Ok(())
    }

    fn get_many(&self, _: &[host::Key]) -> Result<Vec<host::Stored>, host::Error> {
        Ok(Vec::new())
    }

    fn commit(&self, _: &[host::Change]) -> Result<(), host::Error> {
        Err(host::Error::Full("no room".into()))
    }

    fn find(&self, _: &host::Query) -> Result<Vec<host::Found>, host::Error> {
        let key = host::Key {
            kind: "lesson".into(),
            id: "les_x".into(),
        };
        let document = host::Stored {
            key,
            version: 1,
            body: "not a lesson".into(),
        };
        Ok(vec![host::Found {
            document,
            score: 0.0,
        }])
    }

    fn count(&self, _: &str, _: &[host::Condition]) -> Result<u32, host::Error> {
        Ok(0)
    }
}

#[test]
fn what_a_store_says_reaches_the_caller_and_a_damaged_document_is_skipped_with_a_warning() {
    let log = Kept::default();
    let memory = component().over(Full).log(log.clone()).build();
    let run = NewRun {
        id: None,
        task: String::new(),
        domain: "cli".into(),
        hold_out: None,
        ..NewRun::default()
    };
    assert_eq!(
        memory.start(&run).unwrap_err(),
        Error::Storage("no room".into())
    );
    let every = serde_json::from_str("{}").unwrap();
    assert_eq!(Lessons::find(&memory, &every).unwrap(), []);
    let log = log.0.lock().unwrap();
    assert!(
        log.iter()
            .any(|line| line.starts_with("warn") && line.contains("lesson/les_x")),
        "{log:?}"
    );
}

#[test]
fn the_example_of_an_agent_does_what_it_says() {
    let ran = Command::new(example("agent_loop"))
        .current_dir(repository())
        .env("TWICESHY_HOME", shared_home())
        .output()
        .expect("the example runs");
    let told = String::from_utf8_lossy(&ran.stdout);
    assert!(
        ran.status.success(),
        "{told}{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    let begins: Vec<_> = told
        .lines()
        .filter_map(|line| line.split(':').next())
        .collect();
    assert_eq!(begins, ["failed", "hint", "ended"], "{told}");
    assert!(told.contains("ended:  success after 2 steps"), "{told}");
}
