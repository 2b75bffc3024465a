//! Ledgers and handoffs: where agents stand, and what they pass to each other.

use crate::support::{START, World};
use twiceshy_wit::memory::*;

fn checkpoint(agent: &str) -> Checkpoint {
    Checkpoint {
        agent_id: agent.to_owned(),
        tasks_completed: None,
        completed: None,
        current_task: Some("task-042".to_owned()),
        state: AgentState {
            files_modified: vec!["src/routes/todos.ts".to_owned()],
            uncommitted_changes: true,
            last_git_commit: Some("abc123".to_owned()),
        },
        context: AgentContext {
            tech_stack: vec![
                "express".to_owned(),
                "typescript".to_owned(),
                "sqlite".to_owned(),
            ],
            patterns_learned: vec!["sem-001".to_owned(), "sem-005".to_owned()],
            current_goal: "Implement CRUD for todos".to_owned(),
        },
    }
}

fn handoff(from: &str, to: &str) -> NewHandoff {
    NewHandoff {
        from_agent: from.to_owned(),
        to_agent: to.to_owned(),
        context: HandoffContext {
            what_was_done: "Implemented POST /api/todos endpoint".to_owned(),
            artifacts: vec!["src/routes/todos.ts".to_owned()],
            git_state: "commit abc123".to_owned(),
            needs_testing: vec![
                "unit tests for validation".to_owned(),
                "contract tests".to_owned(),
            ],
            known_issues: Vec::new(),
            relevant_patterns: vec!["sem-001".to_owned()],
        },
    }
}

#[test]
fn each_agent_has_a_ledger_of_its_own() {
    let world = World::new();
    let engine = world.engine();
    let first = engine
        .check_in(&checkpoint("eng-001-backend"))
        .expect("written");
    assert_eq!((first.checkpoints, first.tasks_completed), (1, 0));
    assert_eq!(first.last_checkpoint, START);
    world.pass(60_000);
    let done = Checkpoint {
        completed: Some(true),
        current_task: None,
        ..checkpoint("eng-001-backend")
    };
    let second = engine.check_in(&done).expect("written");
    assert_eq!((second.checkpoints, second.tasks_completed), (2, 1));
    assert_eq!(second.current_task, None);
    let said = Checkpoint {
        tasks_completed: Some(12),
        ..checkpoint("eng-001-backend")
    };
    engine.check_in(&said).expect("written");
    let read = engine.ledger_of("eng-001-backend").expect("there");
    assert_eq!(
        read,
        Ledger {
            agent_id: "eng-001-backend".to_owned(),
            last_checkpoint: START + 60_000,
            checkpoints: 3,
            tasks_completed: 12,
            current_task: Some("task-042".to_owned()),
            state: said.state.clone(),
            context: said.context.clone(),
        }
    );
    world.pass(1);
    engine
        .check_in(&checkpoint("qa-001-testing"))
        .expect("written");
    let agents: Vec<_> = engine
        .ledgers(10)
        .expect("listed")
        .into_iter()
        .map(|ledger| ledger.agent_id)
        .collect();
    assert_eq!(agents, ["qa-001-testing", "eng-001-backend"]);
    let nobody = engine.ledger_of("nobody");
    assert!(matches!(nobody, Err(Error::NotFound(_))), "{nobody:?}");
}

#[test]
fn a_handoff_passes_what_the_next_agent_needs() {
    let world = World::new();
    let engine = world.engine();
    let new = handoff("eng-001-backend", "qa-001-testing");
    let first = engine.hand_over(&new).expect("handed off");
    assert_eq!(
        first,
        Handoff {
            id: "handoff-001".to_owned(),
            from_agent: "eng-001-backend".to_owned(),
            to_agent: "qa-001-testing".to_owned(),
            timestamp: START,
            context: new.context.clone(),
            taken_up_at: None,
        }
    );
    for number in 2..=11 {
        let next = engine.hand_over(&handoff("qa-001-testing", "eng-001-backend"));
        assert_eq!(next.expect("handed off").id, format!("handoff-{number:03}"));
    }
    let inbox = |agent: &str| {
        let filter = HandoffFilter {
            to_agent: Some(agent.to_owned()),
            waiting: Some(true),
            ..HandoffFilter::default()
        };
        let found = engine.handoffs(&filter).expect("listed");
        found
            .into_iter()
            .map(|handoff| handoff.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(inbox("qa-001-testing"), ["handoff-001"]);
    assert_eq!(inbox("eng-001-backend").len(), 10);
    assert_eq!(inbox("eng-001-backend")[0], "handoff-002");
}

#[test]
fn a_handoff_is_taken_up_once_by_whom_it_is_meant_for() {
    let world = World::new();
    let engine = world.engine();
    engine.hand_over(&handoff("a", "b")).expect("handed off");
    let other = engine.take_up("handoff-001", "c");
    assert!(matches!(other, Err(Error::Conflict(_))), "{other:?}");
    world.pass(5);
    let taken = engine.take_up("handoff-001", "b").expect("taken up");
    assert_eq!(taken.taken_up_at, Some(START + 5));
    let again = engine.take_up("handoff-001", "b");
    assert!(matches!(again, Err(Error::Conflict(_))), "{again:?}");
    let none = engine.take_up("handoff-002", "b");
    assert!(matches!(none, Err(Error::NotFound(_))), "{none:?}");
    let filter = |waiting| HandoffFilter {
        waiting: Some(waiting),
        ..HandoffFilter::default()
    };
    assert!(engine.handoffs(&filter(true)).expect("listed").is_empty());
    assert_eq!(engine.handoffs(&filter(false)).expect("listed").len(), 1);
}

#[test]
fn bad_names_and_long_texts_are_refused_by_member() {
    let world = World::new();
    let engine = world.engine();
    let names = engine.check_in(&checkpoint("no/slashes"));
    let Err(Error::InvalidArgument(message)) = names else {
        panic!("{names:?}")
    };
    assert!(message.contains("checkpoint.agent-id"), "{message}");
    let mut long = handoff("a", "b");
    long.context.known_issues = vec!["x".to_owned(); 300];
    let Err(Error::InvalidArgument(message)) = engine.hand_over(&long) else {
        panic!("taken")
    };
    assert!(message.contains("context.known-issues"), "{message}");
    long.context.known_issues.clear();
    long.context.git_state = "x".repeat(20_000);
    let Err(Error::InvalidArgument(message)) = engine.hand_over(&long) else {
        panic!("taken")
    };
    assert!(message.contains("context.git-state"), "{message}");
    assert!(
        engine
            .handoffs(&HandoffFilter::default())
            .expect("listed")
            .is_empty()
    );
}

#[test]
fn a_secret_in_a_handoff_is_masked() {
    let world = World::new();
    let engine = world.engine();
    let token = format!("ghp_{}", "a1B2".repeat(9));
    let mut new = handoff("a", "b");
    new.context.what_was_done = format!("pushed with {token}");
    new.context.known_issues = vec![format!("{token} expires")];
    let made = engine.hand_over(&new).expect("handed off");
    let mut said = checkpoint("a");
    said.context.current_goal = format!("rotate {token}");
    let ledger = engine.check_in(&said).expect("written");
    assert!(!format!("{made:?}{ledger:?}").contains(&token));
}
