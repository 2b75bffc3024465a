//! Tests of the files of sessions.

use super::*;

#[test]
fn what_a_session_had_to_be_told_can_be_forgotten() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("session");
    let lock = || SessionRun::lock(&path, true, Duration::ZERO).expect("a file");
    let mut session = lock();
    session.notes().waiting = "CORRECT: mover box".to_owned();
    session.notes().briefed = true;
    session.save();
    drop(session);
    twiceshy::traces::forget_sessions(directory.path());
    assert!(
        !fs::read_to_string(&path)
            .expect("readable")
            .contains("mover")
    );
    assert!(lock().notes().briefed);
}

#[test]
fn a_file_is_used_by_one_at_a_time_and_never_after_its_removal() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("session");
    let lock = |create| SessionRun::lock(&path, create, Duration::ZERO);
    assert!(lock(false).is_none());
    let first = lock(true).expect("a file");
    assert!(lock(true).is_none(), "locked");
    fs::remove_file(&path).expect("ours");
    drop(first);
    let mut second = lock(true).expect("a new one");
    second.state.open = Some(Open {
        run: "run_1".to_owned(),
        task: 7,
        owner: None,
        work: Work::default(),
        held: false,
    });
    second.save();
    drop(second);
    let third = lock(true).expect("the same");
    assert_eq!(third.open(), Some("run_1"));
    fs::write(&path, "{ damaged").expect("writable");
    drop(third);
    assert!(lock(true).expect("a file").open().is_none());
}

#[test]
fn a_command_waits_for_another_one_of_its_session() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("session");
    let first = SessionRun::lock(&path, true, Duration::ZERO).expect("a file");
    let waiting =
        thread::spawn(move || SessionRun::lock(&path, true, Duration::from_secs(60)).is_some());
    thread::sleep(Duration::from_millis(30));
    drop(first);
    assert!(waiting.join().expect("it ends"));
}

#[test]
fn what_terminals_left_open_in_a_former_version_is_read() {
    let former =
        r#"{"run":"run_1","task":7,"unsolved":[{"program":1,"arguments":2,"started":true}]}"#;
    let state: State = serde_json::from_str(former).expect("readable");
    assert_eq!(state.open.expect("a run").run, "run_1");
}
