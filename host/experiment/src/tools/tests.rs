//! What the tools do, and that every rule of theirs is refused in words of its own.

use std::collections::{BTreeMap, BTreeSet};

use twiceshy_engine::fingerprint;

use super::{Directory, Files, Tool};
use crate::reading;

const PEOPLE: &str = "name,town,age\nAda,Ghent,36\nBob,Lyon,41\nCem,Ghent,29\n";

fn files() -> BTreeMap<String, String> {
    let files = [
        ("people.csv", PEOPLE),
        ("towns.csv", "town,country\nGhent,Belgium\nLyon,France\n"),
        ("bad.csv", "a,b\n1\n"),
        ("raw.sig", "1\n5\n3\n"),
        ("odd.sig", "1\nx\n"),
    ];
    files
        .map(|(name, content)| (name.into(), content.into()))
        .into()
}

fn run(line: &str) -> Result<BTreeMap<String, String>, String> {
    let words = reading::words(line);
    let tool = Tool::named(&words[0]).expect("a tool");
    let mut files = files();
    let ran = tool.run(&words[1..], "", &mut files);
    assert_eq!(ran.exit == 0, ran.stderr.is_empty(), "{line}");
    if ran.exit == 0 {
        Ok(files)
    } else {
        Err(ran.stderr)
    }
}

#[test]
fn every_example_of_the_documentation_works() {
    for tool in Tool::ALL {
        let start = format!("{} ", tool.name());
        let examples = tool
            .docs()
            .lines()
            .filter_map(|line| line.find(&start).map(|at| &line[at..]));
        let mut count = 0;
        for example in examples.filter(|line| !line.contains(" - ")) {
            // The examples speak of one more column than there is here.
            let example = example.replace("@income", "@age");
            assert!(run(&example).is_ok(), "{example}: {:?}", run(&example));
            count += 1;
        }
        assert!(count >= 8, "{}", tool.name());
    }
}

#[test]
fn gridtool_does_what_its_documentation_says() {
    for (statement, expected) in [
        (
            "KEEP :people.csv @age is-above 30",
            "name,town,age\nAda,Ghent,36\nBob,Lyon,41\n",
        ),
        (
            "KEEP :people.csv @age is-below 30",
            "name,town,age\nCem,Ghent,29\n",
        ),
        (
            "KEEP :people.csv @town is _Lyon_",
            "name,town,age\nBob,Lyon,41\n",
        ),
        (
            "KEEP :people.csv @town is-not _Ghent_",
            "name,town,age\nBob,Lyon,41\n",
        ),
        (
            "ORDER :people.csv BY @age rising",
            "name,town,age\nCem,Ghent,29\nAda,Ghent,36\nBob,Lyon,41\n",
        ),
        (
            "ORDER :people.csv BY @name falling",
            "name,town,age\nCem,Ghent,29\nBob,Lyon,41\nAda,Ghent,36\n",
        ),
        (
            "TALLY :people.csv PER @town total @age",
            "town,total\nGhent,65\nLyon,41\n",
        ),
        (
            "TALLY :people.csv PER @town mean @age",
            "town,mean\nGhent,32.5\nLyon,41\n",
        ),
        ("TAKE :people.csv upto 1", "name,town,age\nAda,Ghent,36\n"),
        (
            "PICK :people.csv @age plus @name",
            "age,name\n36,Ada\n41,Bob\n29,Cem\n",
        ),
        (
            "MEET :people.csv WITH :towns.csv ALONG @town",
            "name,town,age,country\nAda,Ghent,36,Belgium\nBob,Lyon,41,France\nCem,Ghent,29,Belgium\n",
        ),
    ] {
        let files = run(&format!("gridtool {statement} INTO :out.csv")).expect(statement);
        assert_eq!(files["out.csv"], expected, "{statement}");
    }
}

#[test]
fn fluxtool_does_what_its_documentation_says() {
    for (stages, expected) in [
        ("lull wide=2", "1\n3\n4\n"),
        ("weir crest=4", "1\n4\n3\n"),
        ("swell fold=0.5", "0.5\n2.5\n1.5\n"),
        ("sieve mesh=3", "5\n3\n"),
        ("skim each=2", "1\n3\n"),
        ("ripple", "4\n-2\n"),
        ("brim", "1\n6\n9\n"),
        ("brim :: ripple :: swell fold=2", "10\n6\n"),
    ] {
        let files =
            run(&format!("fluxtool tap:raw.sig :: {stages} :: pool:out.sig")).expect(stages);
        assert_eq!(files["out.sig"], expected, "{stages}");
    }
}

/// One statement for each rule that a tool has.
const REFUSED: &[&str] = &[
    "gridtool",
    "gridtool filter :people.csv",
    "gridtool keep :people.csv",
    "gridtool KEEP",
    "gridtool KEEP people.csv",
    "gridtool KEEP :nowhere.csv",
    "gridtool KEEP :bad.csv",
    "gridtool KEEP :people.csv age",
    "gridtool KEEP :people.csv @height",
    "gridtool KEEP :people.csv @age > 3",
    "gridtool KEEP :people.csv @age is-above old",
    "gridtool KEEP :people.csv @town is Ghent",
    "gridtool ORDER :people.csv by @age falling",
    "gridtool ORDER :people.csv BY @age desc",
    "gridtool TALLY :people.csv by @town",
    "gridtool TALLY :people.csv PER @town sum @age",
    "gridtool TAKE :people.csv -n 3",
    "gridtool MEET :people.csv with :towns.csv",
    "gridtool MEET :people.csv WITH :towns.csv on @town",
    "gridtool PICK :people.csv @age , @name INTO :out.csv",
    "gridtool TAKE :people.csv upto 3 -o out.csv",
    "gridtool TAKE :people.csv upto 3",
    "gridtool TAKE :people.csv upto 3 INTO :out.csv now",
    "fluxtool",
    "fluxtool raw.sig | lull wide=2 | pool:out.sig",
    "fluxtool tap:nowhere.sig :: pool:out.sig",
    "fluxtool tap:odd.sig :: pool:out.sig",
    "fluxtool tap:raw.sig | lull wide=2",
    "fluxtool tap:raw.sig :: smooth 3 :: pool:out.sig",
    "fluxtool tap:raw.sig :: lull 3 :: pool:out.sig",
    "fluxtool tap:raw.sig :: weir 3 :: pool:out.sig",
    "fluxtool tap:raw.sig :: swell 3 :: pool:out.sig",
    "fluxtool tap:raw.sig :: sieve 3 :: pool:out.sig",
    "fluxtool tap:raw.sig :: skim 3 :: pool:out.sig",
    "fluxtool tap:raw.sig :: skim each=x :: pool:out.sig",
    "fluxtool tap:raw.sig :: skim each=0 :: pool:out.sig",
    "fluxtool tap:raw.sig :: lull wide=2 :: -o out.sig",
    "fluxtool tap:raw.sig :: lull wide=2",
    "fluxtool tap:raw.sig ::",
    "fluxtool tap:raw.sig :: pool:out.sig :: brim",
];

#[test]
fn every_rule_has_a_fingerprint_of_its_own() {
    for tool in Tool::ALL {
        let statements = REFUSED.iter().filter(|line| line.starts_with(tool.name()));
        let mut known = BTreeMap::new();
        for statement in statements {
            let error = run(statement).expect_err(statement);
            let print = fingerprint::of_text(&error);
            if let Some(other) = known.insert(print.id, *statement) {
                panic!(
                    "`{other}` and `{statement}` both fail with `{}`",
                    print.template
                );
            }
        }
        assert!(
            known.len() >= 12,
            "{} has {} rules",
            tool.name(),
            known.len()
        );
    }
}

#[test]
fn the_same_rule_broken_with_other_names_has_the_same_fingerprint() {
    for statements in [
        ["gridtool filter :a.csv", "gridtool group-by :b.csv"],
        ["gridtool KEEP people.csv", "gridtool KEEP ./towns.csv"],
        [
            "gridtool KEEP :people.csv @age gt 3",
            "gridtool KEEP :people.csv @town eq x",
        ],
        ["fluxtool raw.sig", "fluxtool --input=other.sig"],
        ["fluxtool tap:raw.sig and x", "fluxtool tap:raw.sig then x"],
        [
            "fluxtool tap:raw.sig :: smooth 3 :: pool:a.sig",
            "fluxtool tap:raw.sig :: cap 9 :: pool:b.sig",
        ],
    ] {
        let prints =
            statements.map(|line| fingerprint::of_text(&run(line).expect_err(line)).template);
        assert_eq!(prints[0], prints[1]);
    }
}

#[test]
fn a_refused_statement_changes_no_file() {
    for statement in REFUSED {
        let words = reading::words(statement);
        let tool = Tool::named(&words[0]).expect("a tool");
        let mut seen = files();
        tool.run(&words[1..], "", &mut seen);
        assert_eq!(seen, files(), "{statement}");
    }
}

#[test]
fn an_error_seldom_says_what_would_have_been_right() {
    let told: BTreeSet<_> = REFUSED
        .iter()
        .filter(|line| {
            let error = run(line).expect_err(line);
            [
                "INTO", "PER @", "is-above", "falling", "upto", "::", "tap:", "pool:", "wide=",
                "ALONG",
            ]
            .iter()
            .any(|syntax| error.contains(syntax) && !line.contains(syntax))
        })
        .collect();
    assert!(told.is_empty(), "{told:?}");
}

#[test]
fn real_files_are_read_and_written_from_a_directory() {
    let directory = std::env::temp_dir().join(format!("twiceshy-tools-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory");
    let mut files = Directory(directory.clone());
    files.write("people.csv", PEOPLE).expect("a file");
    let words = reading::words("TAKE :people.csv upto 1 INTO :one.csv");
    let ran = Tool::Gridtool.run(&words, "", &mut files);
    let written = files.read("one.csv");
    std::fs::remove_dir_all(&directory).expect("clean up");
    assert_eq!((ran.exit, ran.stdout.as_str()), (0, "1 rows\n"));
    assert_eq!(written.as_deref(), Some("name,town,age\nAda,Ghent,36\n"));
}

#[test]
fn standard_input_and_output_are_tables_and_signals_too() {
    let words = reading::words("TAKE :- upto 1 INTO :-");
    assert_eq!(
        Tool::Gridtool.run(&words, PEOPLE, &mut files()).stdout,
        "name,town,age\nAda,Ghent,36\n"
    );
    let words = reading::words("tap:- :: brim :: pool:-");
    assert_eq!(
        Tool::Fluxtool.run(&words, "1\n2\n", &mut files()).stdout,
        "1\n3\n"
    );
}
