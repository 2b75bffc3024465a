//! Analogy: what is said of another failure, and what is not.

use twiceshy_learning::analogy::{Case, Failed, Precedent, apply, leaves_culprit};

/// What a lesson, learned from what failed, what that printed and what worked, says of another failure.
fn said(case: [&str; 3], failed: [&str; 2]) -> Option<String> {
    let case = Case::new(case[0], case[1], case[2]);
    let failed = Failed::new(failed[0], failed[1]);
    let precedent = Precedent::new(&case);
    let is_fix = !leaves_culprit(&precedent);
    apply(&precedent, &failed)
        .filter(|_| is_fix)
        .map(|analogy| analogy.command)
}

#[test]
fn what_an_error_begins_with_is_renamed_by_the_words_behind_it() {
    let case = [
        "git rebase --continue",
        "limits.txt: needs merge\nYou must edit all merge conflicts",
        "git add limits.txt && git rebase --continue",
    ];
    let other = "routes.js: needs merge\nYou must edit all merge conflicts";
    assert_eq!(
        said(case, ["git rebase --continue", other]).as_deref(),
        Some("git add routes.js && git rebase --continue")
    );
    let other = "No rebase in progress?";
    assert_eq!(said(case, ["git rebase --continue", other]), None);
}

#[test]
fn what_is_called_or_quoted_now_is_in_another_role() {
    let case = [
        "python3 -c 'print 6*7'",
        "print 6*7\nSyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?",
        "python3 -c 'print(6*7)'",
    ];
    let error = case[1].replace("6*7", "2**10");
    assert_eq!(
        said(case, ["python3 -c 'print 2**10'", &error]).as_deref(),
        Some("python3 -c 'print(2**10)'")
    );
    let case = [
        "jq .count + 1 page.json",
        "jq: error: Could not open file +\njq: error: Could not open file 1",
        "jq '.count + 1' page.json",
    ];
    assert_eq!(
        said(case, ["jq .total + 1 cart.json", case[1]]).as_deref(),
        Some("jq '.total + 1' cart.json")
    );
    // There is nothing to be put between quotation marks.
    let gone = "jq: error: Could not open file gone.json";
    assert_eq!(said(case, ["jq .a gone.json", gone]), None);
}

#[test]
fn a_word_of_a_language_an_option_and_a_setting_are_no_operands_of_one_name() {
    for (case, failed, expected) in [
        (
            [
                "sqlite3 app.db 'create table users (name)'",
                "in prepare, table users already exists",
                "sqlite3 app.db 'create table if not exists users (name)'",
            ],
            [
                "sqlite3 stock.db 'create table parts (price)'",
                "in prepare, table parts already exists",
            ],
            "sqlite3 stock.db 'create table if not exists parts (price)'",
        ),
        (
            [
                "java Hello",
                "Could not find or load main class Hello",
                "java -cp out Hello",
            ],
            [
                "java TaxTable",
                "Could not find or load main class TaxTable",
            ],
            "java -cp out TaxTable",
        ),
        (
            [
                "./app",
                "./app: error while loading shared libraries: libarea.so",
                "LD_LIBRARY_PATH=lib ./app",
            ],
            [
                "./convert",
                "./convert: error while loading shared libraries: libtokens.so",
            ],
            "LD_LIBRARY_PATH=lib ./convert",
        ),
        (
            [
                "sqlite3 app.db 'describe users'",
                "near \"describe\": syntax error\ndescribe users",
                "sqlite3 app.db '.schema users'",
            ],
            [
                "sqlite3 stock.db 'describe parts'",
                "near \"describe\": syntax error\ndescribe parts",
            ],
            "sqlite3 stock.db '.schema parts'",
        ),
    ] {
        assert_eq!(said(case, failed).as_deref(), Some(expected));
    }
    // What was brought in for one name is not what another needs.
    let case = [
        "fetch all users",
        "users: incomplete",
        "fetch all users orders",
    ];
    assert_eq!(said(case, ["fetch all parts", "parts: incomplete"]), None);
}

#[test]
fn what_the_error_proposes_is_taken_for_a_word_that_it_does_not_name() {
    let error = |dir: &str, file: &str| {
        format!(
            "fatal: path '{dir}/{file}' exists, but not '{file}'\n\
            hint: Did you mean 'HEAD:{dir}/{file}' aka 'HEAD:./{file}'?"
        )
    };
    let case = [
        "git show HEAD:lib.rs",
        &error("src", "lib.rs"),
        "git show HEAD:./lib.rs",
    ];
    let failed = ["git show HEAD:index.ts", &error("packages", "index.ts")];
    assert_eq!(
        said(case, failed).as_deref(),
        Some("git show HEAD:./index.ts")
    );
}

#[test]
fn blanks_around_a_setting_are_left_out_whatever_its_name() {
    let case = [
        "MODE = dev sh run.sh",
        "bash: line 1: MODE: command not found",
        "MODE=dev sh run.sh",
    ];
    let failed = [
        "REGION = eu sh deploy.sh",
        "bash: line 1: REGION: command not found",
    ];
    assert_eq!(
        said(case, failed).as_deref(),
        Some("REGION=eu sh deploy.sh")
    );
}

#[test]
fn of_a_cause_that_the_action_does_not_show_only_the_same_kind_of_thing_is_spoken() {
    let case = [
        "python3 scripts/report.py",
        "ModuleNotFoundError: No module named 'shop'",
        "PYTHONPATH=. python3 scripts/report.py",
    ];
    let other = "ModuleNotFoundError: No module named 'billing'";
    assert_eq!(
        said(case, ["python3 tools/export.py", other]).as_deref(),
        Some("PYTHONPATH=. python3 tools/export.py")
    );
    // In its own directory a script finds what lies there anyway.
    assert_eq!(said(case, ["python3 a.py", other]), None);
}
