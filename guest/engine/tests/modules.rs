//! The modules of the engine and of the crates below it: who needs whom, and that nobody needs each other.
//!
//! An edge is a `use`, a path in the code (`crate::…`, `super::…`, or through an imported name, to where the
//! thing is defined, not to who exports it again) or a call with a dot: `.name(…)` leads to the module in which
//! the method's body stands. Which method is meant is found without a compiler, from what a value may be made
//! of: the types of parameters, fields, constants, answers of functions and what stands in a turbofish. Only
//! methods of those types count, and of what they stand for by `Deref`. Of a value of which nothing is known, every method of ours with that name and
//! number of arguments counts, except where the standard library has the name too: then only that of a type that
//! is named in the file. Methods of a trait lead to the trait, where it is in scope. So too much is counted rather than
//! too little. Left out are tests, documentation and the `mod` lines.
//!
//! Among the modules of each level no two may need each other, directly or through others. The module above them is left out: it
//! opens what is below it to the rest and holds what its parts share.

mod edges;
mod graph;
mod picture;
mod source;
mod types;

use std::{collections::BTreeMap, path::Path};

use graph::{Level, levels, overview};
use picture::draw;
use source::Sources;

const CRATES: [&str; 4] = ["text", "fingerprint", "learning", "engine"];

fn guest() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the directory of guests")
}

fn sources() -> Sources {
    let mut sources = Sources::default();
    for name in CRATES {
        sources.read_crate(&format!("twiceshy_{name}"), &guest().join(name));
    }
    sources
}

/// The levels of a crate that is given as files and their texts.
fn levels_of(files: &[(&str, &str)]) -> Vec<Level> {
    let files: BTreeMap<_, _> = files
        .iter()
        .map(|(file, text)| (Path::new(*file), *text))
        .collect();
    let mut sources = Sources::default();
    let read = |file: &Path| files[file].to_owned();
    sources.add_crate("small", Path::new("lib.rs"), &read);
    levels(&sources, &edges::edges(&sources))
}

/// Modules of one level that do need each other, and why they may for now. No other may, and one that no
/// longer does must go from here.
const KNOWN: [(&str, &str, &str); 2] = [
    (
        "fingerprint::fingerprint",
        "codes, lex, quotes",
        "one lexer, whose parts are methods in files of their own",
    ),
    (
        "engine::lessons",
        "patterns, entry, proposal",
        "a pattern and its lesson are one thing, written in one commit",
    ),
];

#[test]
fn modules_of_one_level_form_no_cycle() {
    let sources = sources();
    let mut new = Vec::new();
    let mut known = Vec::new();
    for level in levels(&sources, &edges::edges(&sources)) {
        for (names, places) in level.cycles() {
            let names = names.join(", ");
            if KNOWN
                .iter()
                .any(|(above, cycle, _)| *above == level.above && *cycle == names)
            {
                known.push(names);
            } else {
                new.push(format!(
                    "in {}: {names} need each other:\n  {}",
                    level.above,
                    places.join("\n  ")
                ));
            }
        }
    }
    assert!(new.is_empty(), "{}", new.join("\n"));
    for (above, cycle, _) in KNOWN {
        assert!(
            known.iter().any(|known| known == cycle),
            "in {above}: {cycle} no longer need each other"
        );
    }
}

#[test]
fn the_picture_in_the_documents_shows_the_modules_as_they_are() {
    let sources = sources();
    let level = overview(&sources, &edges::edges(&sources), "engine");
    let drawn = draw(&level, &CRATES[..3]);
    let file = guest().join("../docs/modules.svg");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&file, drawn).expect("a file that can be written");
        return;
    }
    assert!(
        std::fs::read_to_string(&file).is_ok_and(|kept| kept == drawn),
        "docs/modules.svg is not what the modules are. To draw it again: UPDATE=1 cargo test -p twiceshy-engine --test engine modules"
    );
}

#[test]
fn a_cycle_of_calls_with_a_dot_alone_is_found() {
    let shelf = "pub struct Shelf(pub Vec<u8>); impl Shelf { pub fn tidy(&self) -> usize { self.0.len() } }";
    // `below` names nothing of `above`; it gets the shelf from `middle`, and the method is written in `above`.
    let levels = levels_of(&[
        ("lib.rs", "mod above; mod below; mod middle; mod shelf;"),
        (
            "shelf.rs",
            "pub struct Shelf; pub fn new() -> Option<Shelf> { None }",
        ),
        (
            "middle.rs",
            "pub fn shelf() -> Option<crate::shelf::Shelf> { crate::shelf::new() }",
        ),
        (
            "below.rs",
            "pub fn work() { if let Some(shelf) = crate::middle::shelf() { shelf.tidy() } }",
        ),
        (
            "above.rs",
            "use crate::shelf::Shelf; impl Shelf { pub fn tidy(&self) { crate::below::work() } }",
        ),
    ]);
    let cycles = levels[0].cycles();
    assert_eq!(cycles.len(), 1);
    assert_eq!(cycles[0].0, ["above", "below"]);
    assert!(
        cycles[0]
            .1
            .contains(&"below → above: below.rs:1 .tidy()".to_owned()),
        "{:?}",
        cycles[0].1
    );

    // The same name on a type of the standard library is nobody's.
    let levels = levels_of(&[
        ("lib.rs", "mod one; mod two;"),
        ("one.rs", shelf),
        (
            "two.rs",
            "pub fn size(text: &String) -> usize { text.tidy() }",
        ),
    ]);
    assert!(levels[0].needs.is_empty());
}

#[test]
fn a_path_leads_to_where_the_thing_is_defined_and_tests_do_not_count() {
    let levels = levels_of(&[
        ("lib.rs", "mod a; mod b; mod c;"),
        (
            "a.rs",
            "mod inner; pub use crate::c::Thing; pub use inner::*;",
        ),
        ("a/inner.rs", "pub fn deep() {}"),
        (
            "b.rs",
            "use crate::a; fn run(_: a::Thing) { let _ = vec![super::a::deep()]; }",
        ),
        (
            "c.rs",
            "pub struct Thing; #[cfg(test)] mod tests { use crate::b; } /// See [`crate::b`].\npub fn f() {}",
        ),
    ]);
    let named = |(from, to): &(usize, usize)| {
        [
            levels[0].names[*from].as_str(),
            levels[0].names[*to].as_str(),
        ]
    };
    let needs: Vec<_> = levels[0].needs.keys().map(named).collect();
    assert_eq!(needs, [["a", "c"], ["b", "a"], ["b", "c"]]);
    assert!(levels[0].cycles().is_empty());
}

#[test]
fn a_line_is_drawn_only_where_no_longer_way_leads_there() {
    let levels = levels_of(&[
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "use crate::{b::g, c::h}; fn f() { g(); h() }"),
        ("b.rs", "pub fn g() { crate::c::h() }"),
        ("c.rs", "pub fn h() {}"),
    ]);
    assert_eq!(levels[0].without_shortcuts(), [(0, 1), (1, 2)]);
    assert_eq!(levels[0].heights(|_| 0), [2, 1, 0]);
}
