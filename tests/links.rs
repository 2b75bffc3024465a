//! `twiceshy links`: relations between memories, as a person sees and makes them.

use crate::support::{Ran, Scratch};

fn ok(ran: &Ran) -> String {
    assert_eq!(ran.code(), 0, "{}{}", ran.stdout(), ran.stderr());
    ran.stdout()
}

fn lesson(scratch: &Scratch, rule: &str) -> String {
    let ran = scratch.run(&["lessons", "add", "--json", "--rule", rule]);
    ok(&ran);
    ran.json()["id"].as_str().expect("an id").to_owned()
}

#[test]
fn memories_are_related_walked_and_set_apart_again() {
    let scratch = Scratch::new();
    let (one, two, three) = (
        lesson(&scratch, "sort by size"),
        lesson(&scratch, "sort by size with an index"),
        lesson(&scratch, "tea at five"),
    );
    assert_eq!(
        ok(&scratch.run(&["links", "of-memory", &one])),
        "Nothing was found.\n"
    );
    ok(&scratch.run(&[
        "links",
        "relate",
        &two,
        "supersedes",
        &one,
        "--reason",
        "says more",
    ]));
    ok(&scratch.run(&["links", "relate", &two, "contradicts", &three]));
    let told = ok(&scratch.run(&["links", "of-memory", &one]));
    for part in ["superseded-by", &two, "says more"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let walked = scratch.run(&["links", "around", &one, "--json"]).json();
    let ids: Vec<_> = walked["memories"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|memory| {
            (
                memory["id"].as_str().expect("an id"),
                memory["distance"].as_u64(),
            )
        })
        .collect();
    assert_eq!(
        ids,
        [
            (one.as_str(), Some(0)),
            (two.as_str(), Some(1)),
            (three.as_str(), Some(2))
        ]
    );
    let near = ok(&scratch.run(&["links", "around", &one, "--relation", "superseded-by"]));
    assert!(
        near.contains("sort by size with an index") && !near.contains("tea"),
        "{near}"
    );
    let open = ok(&scratch.run(&["links", "contradictions"]));
    let together = |line: &str| {
        [two.as_str(), &three, "contradicts"]
            .iter()
            .all(|part| line.contains(*part))
    };
    assert!(open.lines().any(together), "{open}");
    ok(&scratch.run(&["links", "unrelate", &three, "contradicts", &two]));
    assert_eq!(
        ok(&scratch.run(&["links", "contradictions"])),
        "Nothing was found.\n"
    );
    assert_eq!(
        scratch
            .run(&["links", "relate", &one, "elaborates", "les_nobody"])
            .code(),
        1
    );
    assert_eq!(
        scratch
            .run(&["links", "relate", &one, "loves", &two])
            .code(),
        2
    );
    scratch.assert_sound();
}
