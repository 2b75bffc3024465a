//! Analogies: what a lesson says about another failure, and when it says nothing.

use super::*;

fn told(case: [&str; 3], failed: [&str; 2]) -> Option<String> {
    let [wrong, evidence, correct] = case;
    let [action, printed] = failed;
    let case = Case::new(wrong, evidence, correct);
    let failed = Failed::new(action, printed);
    apply(&Precedent::new(&case), &failed).map(|analogy| analogy.command)
}

#[test]
fn an_option_that_both_errors_quote_is_in_its_own_role_whatever_stands_before_it() {
    let error = "find: missing argument to `-exec'";
    let case = Case::new(
        "find . -name core.7 -exec ls {}",
        error,
        "find . -name core.7 -exec ls {} +",
    );
    let failed = Failed::new("find . -name thumbs.db -exec ls {}", error);
    let expected = "find . -name thumbs.db -exec ls {} +";
    assert_eq!(
        apply(&Precedent::new(&case), &failed).unwrap().command,
        expected
    );
}

#[test]
fn a_choice_that_a_tool_lists_each_time_is_proposed_to_what_is_spelled_similarly() {
    let error = |word: &str| {
        format!("option --format: invalid choice: '{word}' (choose from 'columns', 'json')")
    };
    let case = Case::new("list --format=jsn", &error("jsn"), "list --format=json");
    let told = |word: &str| {
        let action = format!("list --format={word}");
        let error = error(word);
        let failed = Failed::new(&action, &error);
        apply(&Precedent::new(&case), &failed).map(|analogy| analogy.command)
    };
    assert_eq!(told("JSON").as_deref(), Some("list --format=json"));
    assert_eq!(told("jsom").as_deref(), Some("list --format=json"));
    assert_eq!(told("xml"), None);
}

#[test]
fn a_mark_that_became_another_one_does_so_elsewhere() {
    let error = |word: &str| format!("ModuleNotFoundError: No module named '{word}'");
    let case = Case::new(
        "python3 -m unittest tests/test_cart",
        &error("tests/test_cart"),
        "python3 -m unittest tests.test_cart",
    );
    let told = |word: &str| {
        let action = format!("python3 -m unittest {word}");
        let error = error(word);
        let failed = Failed::new(&action, &error);
        apply(&Precedent::new(&case), &failed).map(|analogy| analogy.command)
    };
    let expected = "python3 -m unittest unit.io.test_disk";
    assert_eq!(told("unit/io/test_disk").as_deref(), Some(expected));
    assert_eq!(told("test_cart"), None);
}

#[test]
fn what_was_added_is_added_with_the_names_at_hand() {
    for (case, failed, expected) in [
        (
            [
                "gcc demo.c",
                "undefined reference to `sqrt'",
                "gcc demo.c -lm",
            ],
            ["gcc -O2 main.c", "undefined reference to `pow'"],
            "gcc -O2 main.c -lm",
        ),
        (
            [
                "vim",
                "vim: command not found",
                "sudo apt-get install vim && vim",
            ],
            ["htop", "htop: command not found"],
            "sudo apt-get install htop && htop",
        ),
        (
            [
                "rm build",
                "rm: cannot remove 'build': Is a directory",
                "rm -r build",
            ],
            ["rm -v dist", "rm: cannot remove 'dist': Is a directory"],
            "rm -r -v dist",
        ),
        (
            [
                "git log a",
                "fatal: ambiguous argument 'a': both revision and filename\nUse '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'",
                "git log a --",
            ],
            [
                "git log src",
                "fatal: ambiguous argument 'src': both revision and filename\nUse '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'",
            ],
            "git log src --",
        ),
        (
            [
                "git branch -D foo",
                "error: Cannot delete branch 'foo' checked out at '/bar/foo'",
                "git checkout master && git branch -D foo",
            ],
            [
                "git branch -D login",
                "error: Cannot delete branch 'login' checked out at '/bar/login'",
            ],
            "git checkout master && git branch -D login",
        ),
        (
            [
                "./gradlew build",
                "gradlew: Permission denied",
                "chmod +x gradlew && ./gradlew build",
            ],
            ["./mvnw build", "mvnw: Permission denied"],
            "chmod +x mvnw && ./mvnw build",
        ),
        (
            [
                "git merge local",
                "merge: local - not something we can merge\nDid you mean this?\n\tremote/local",
                "git merge remote/local",
            ],
            [
                "git merge hotfix",
                "merge: hotfix - not something we can merge\nDid you mean this?\n\tremote/hotfix",
            ],
            "git merge remote/hotfix",
        ),
    ] {
        assert_eq!(told(case, failed).as_deref(), Some(expected), "{case:?}");
    }
}

#[test]
fn what_is_taken_away_must_be_in_the_action_that_failed() {
    let case = ["npm run biuld", "missing script: biuld", "npm run build"];
    assert_eq!(
        told(case, ["npm run biuld -- -w", "missing script: biuld"]).as_deref(),
        Some("npm run build -- -w")
    );
    assert_eq!(told(case, ["npm run lint", "missing script: lint"]), None);
}

#[test]
fn what_came_from_the_error_comes_from_the_error_at_hand() {
    let case = [
        "python3 train.py",
        "ModuleNotFoundError: No module named 'torch'",
        "pip install torch && python3 train.py",
    ];
    let failed = [
        "python3 plot.py",
        "ModuleNotFoundError: No module named 'numpy'",
    ];
    assert_eq!(
        told(case, failed).as_deref(),
        Some("pip install numpy && python3 plot.py")
    );
    let case = [
        "git brnch",
        "git: 'brnch' is not a git command.\n\nThe most similar command is\n\tbranch\n",
        "git branch",
    ];
    let failed = [
        "git psuh -f",
        "git: 'psuh' is not a git command.\n\nThe most similar command is\n\tpush\n",
    ];
    assert_eq!(told(case, failed).as_deref(), Some("git push -f"));
    let silent = ["git frobnicate", "git: 'frobnicate' is not a git command."];
    assert_eq!(told(case, silent), None);
}

#[test]
fn a_setting_before_a_command_is_not_what_it_runs() {
    let error = "tool: unknown option '--colour'";
    let case = ["tool --colour a.txt", error, "tool --color a.txt"];
    for (action, expected) in [
        ("A=1 tool --colour b.txt", "A=1 tool --color b.txt"),
        (
            "A=\"x y\" B=2 tool --colour b.txt",
            "A=\"x y\" B=2 tool --color b.txt",
        ),
    ] {
        assert_eq!(told(case, [action, error]).as_deref(), Some(expected));
    }
    assert_eq!(told(case, ["A=1 other --colour b.txt", error]), None);
}

#[test]
fn another_program_is_another_matter() {
    let case = [
        "git pull",
        "fatal: no upstream",
        "git branch -u origin/main && git pull",
    ];
    assert_eq!(told(case, ["hg pull", "fatal: no upstream"]), None);
}

#[test]
fn nothing_is_said_where_nothing_would_change() {
    let case = ["ls -l", "denied", "sudo ls -l"];
    assert_eq!(told(case, ["sudo ls -l", "denied"]), None);
}

#[test]
fn what_an_error_text_says_never_becomes_more_than_one_plain_word_of_a_command() {
    let case = [
        "python3 train.py",
        "ModuleNotFoundError: No module named 'torch'",
        "pip install torch && python3 train.py",
    ];
    for named in ["x&&reboot", "$HOME", "a;b", "--index-url", "a\\b", "x>y"] {
        let error = format!("ModuleNotFoundError: No module named '{named}'");
        let said = told(case, ["python3 plot.py", &error]);
        let plain = |said: &String| {
            said.strip_prefix("pip install ")
                .is_some_and(|rest| rest.len() == "a && python3 plot.py".len())
        };
        assert!(said.as_ref().is_none_or(plain), "{named}: {said:?}");
    }
}

#[test]
fn an_edit_of_what_was_there_that_day_is_not_advised_for_something_else() {
    let case = [
        "gcc e.c",
        "e.c:1:21: error: 'y' undeclared",
        "sed -i 's/x = y/x = 2/' e.c && gcc e.c",
    ];
    assert_eq!(
        told(case, ["gcc f.c", "f.c:1:21: error: 'q' undeclared"]),
        None
    );
    assert_eq!(
        told(case, ["gcc f.c", "f.c:1:21: error: 'y' undeclared"]).as_deref(),
        Some("sed -i 's/x = y/x = 2/' f.c && gcc f.c")
    );
}

#[test]
fn what_was_brought_in_for_one_culprit_is_not_advised_for_another() {
    let case = [
        "SELECT full_name FROM players ORDER BY birth_date",
        "Unknown column 'full_name' in 'field list'",
        "SELECT CONCAT(first_name, ' ', last_name) AS full_name FROM players ORDER BY birth_date",
    ];
    let other = "Unknown column 'area' in 'field list'";
    assert_eq!(
        told(case, ["SELECT area FROM votes ORDER BY area", other]),
        None
    );
}

#[test]
fn what_stands_for_the_culprit_stands_for_it_in_any_action_that_has_much_in_common() {
    let instead = |case: [&str; 3], failed: [&str; 2]| {
        let [wrong, evidence, correct] = case;
        let [action, printed] = failed;
        let case = Case::new(wrong, evidence, correct);
        let failed = Failed::new(action, printed);
        substitute(&Precedent::new(&case), &failed).map(|analogy| analogy.command)
    };
    let unknown = "npm: Unknown command: \"run-scrip\"";
    let typo = ["npm run-scrip test", unknown, "npm run-script"];
    assert_eq!(
        instead(typo, ["npm run-scrip lint", unknown]).as_deref(),
        Some("npm run-script lint")
    );
    let option = "git: unknown option `stagd'";
    let staged = [
        "git restore --stagd a b",
        option,
        "git restore --staged a b",
    ];
    assert_eq!(
        instead(staged, ["git restore -q --stagd c", option]).as_deref(),
        Some("git restore -q --staged c")
    );
    // Elsewhere the same name may be right.
    let column = "Unknown column 'name' in 'where clause'";
    let airline = [
        "SELECT country FROM airlines WHERE name = 'x'",
        column,
        "SELECT country FROM airlines WHERE airline = 'x'",
    ];
    assert_eq!(
        instead(
            airline,
            ["SELECT id FROM pets JOIN cats ON name = id", column]
        ),
        None
    );
}

#[test]
fn a_part_of_a_name_is_another_name() {
    let case = [
        "SELECT player FROM poker ORDER BY earnings",
        "Unknown column 'player' in 'field list'",
        "SELECT player_name FROM poker ORDER BY earnings",
    ];
    let other = "Unknown column 'series' in 'field list'";
    assert_eq!(
        told(case, ["SELECT series FROM shows ORDER BY series", other]),
        None
    );
}

#[test]
fn an_option_that_is_refused_has_the_same_name_for_other_operands() {
    let error = "TypeError: unexpected keyword argument page-size";
    let case = Case::new(
        "api.get orders --page-size 500",
        error,
        "api.get orders --limit 500",
    );
    let failed = Failed::new("api.get customers --page-size 200", error);
    let said = substitute(&Precedent::new(&case), &failed).map(|analogy| analogy.command);
    assert_eq!(said.as_deref(), Some("api.get customers --limit 200"));
}
