//! Episodes with the same failure or a similar one, and what worked then.

use super::*;

#[test]
fn the_same_failure_comes_first_then_like_ones_each_with_what_worked() {
    let world = World::new();
    let engine = world.engine();
    let finished = |id: &str, steps: &[Observed]| {
        let new = NewRun {
            id: Some(id.to_owned()),
            ..run("load the data")
        };
        engine.submit(&new, steps, &ending()).unwrap();
        world.pass(1_000);
    };
    let missing = "ValueError: the column price is missing in sales.csv";
    finished(
        "solved",
        &[
            failure("load sales.csv --columns price", missing),
            success("ls"),
            success("load sales.csv --columns amount"),
        ],
    );
    finished(
        "unsolved",
        &[failure("load other.csv --columns price", missing)],
    );
    finished(
        "alike",
        &[
            failure(
                "load x.csv",
                "KeyError: the column price is missing in the header of x.csv",
            ),
            success("load x.csv"),
        ],
    );
    finished(
        "unlike",
        &[failure("curl x", "curl: (6) could not resolve host: x")],
    );
    let signature = FailureSignature {
        evidence: missing.to_owned(),
        fingerprint: None,
        domain: None,
        limit: None,
    };
    let found = engine.similar_failures(&signature).unwrap();
    let shown: Vec<_> = found
        .iter()
        .map(|failure| (failure.episode.id.as_str(), failure.resolution.as_str()))
        .collect();
    assert_eq!(
        shown,
        [
            ("unsolved", ""),
            ("solved", "load sales.csv --columns amount"),
            ("alike", "load x.csv"),
        ]
    );
    assert_eq!((found[0].similarity, found[1].similarity), (1.0, 1.0));
    assert!(
        (0.35..1.0).contains(&found[2].similarity),
        "{}",
        found[2].similarity
    );
    assert_eq!(
        (found[1].step, found[1].action_text.as_str()),
        (0, "load sales.csv --columns price")
    );
    let by_id = FailureSignature {
        evidence: String::new(),
        fingerprint: Some(found[0].fingerprint.clone()),
        limit: Some(2),
        ..signature.clone()
    };
    assert_eq!(engine.similar_failures(&by_id).unwrap().len(), 2);
    let elsewhere = FailureSignature {
        domain: Some("web".to_owned()),
        ..signature.clone()
    };
    assert_eq!(engine.similar_failures(&elsewhere).unwrap(), []);
    let empty = FailureSignature {
        evidence: " ".to_owned(),
        ..signature
    };
    assert!(matches!(
        engine.similar_failures(&empty),
        Err(Error::InvalidArgument(_))
    ));
}

#[test]
fn what_the_account_says_of_an_error_is_its_resolution() {
    let world = World::new();
    let engine = world.engine();
    let error = "error TS7010: handler lacks a return type";
    let mut episode = from_elsewhere("type the handlers");
    episode.trace = vec![entry(0, "tsc", "", error)];
    episode.account = Some(Account {
        errors_encountered: vec![EncounteredError {
            kind: "TypeScript compilation".to_owned(),
            message: error.to_owned(),
            resolution: "Added explicit :void".to_owned(),
        }],
        ..Account::default()
    });
    engine.add(&episode).unwrap();
    let signature = FailureSignature {
        evidence: error.to_owned(),
        fingerprint: None,
        domain: None,
        limit: None,
    };
    assert_eq!(
        engine.similar_failures(&signature).unwrap()[0].resolution,
        "Added explicit :void"
    );
}

#[test]
fn a_similar_failure_of_a_domain_is_found_behind_many_of_another() {
    let world = World::new();
    let engine = world.engine();
    let fail = |id: String, domain: &str, error: &str| {
        let new = NewRun {
            id: Some(id),
            domain: domain.to_owned(),
            ..run("load the data")
        };
        let steps = [failure("load", error), success("load all")];
        engine.submit(&new, &steps, &ending()).unwrap();
        world.pass(1_000);
    };
    let error = "the flux capacitor overheats";
    fail(
        "sought".to_owned(),
        "cli",
        &format!("{error} badly in winter"),
    );
    for number in 0..26u8 {
        let word = char::from(b'a' + number);
        fail(
            format!("x-{number}"),
            "web",
            &format!("{error} {word}{word}"),
        );
        fail(format!("y-{number}"), "web", &format!("{error} z{word}"));
    }
    let signature = FailureSignature {
        evidence: error.to_owned(),
        fingerprint: None,
        domain: Some("cli".to_owned()),
        limit: None,
    };
    let found = engine.similar_failures(&signature).unwrap();
    let ids: Vec<_> = found.iter().map(|one| one.episode.id.as_str()).collect();
    assert_eq!(ids, ["sought"]);
}
