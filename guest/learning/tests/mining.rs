//! Mining over realistic traces: the rule that each should teach, and traces that should teach nothing.

use proptest::prelude::*;
use twiceshy_fingerprint::fingerprint;
use twiceshy_learning::mining::{Attempt, Mined, mine};
use twiceshy_wit::memory::LessonKind;

/// One step: what was done, and what it said if it failed.
type Step = (&'static str, Option<&'static str>);

fn attempts(steps: &[Step]) -> Vec<Attempt> {
    let attempt = |(index, (action, said)): (usize, &Step)| {
        let failure = said.map(fingerprint::of_text);
        Attempt {
            index: index as u32,
            action: (*action).to_owned(),
            known_runs: u32::from(failure.is_some()),
            harmful: false,
            is_command: true,
            evidence: said.unwrap_or_default().to_owned(),
            failure: failure.map(|failure| (failure.id, failure.template)),
        }
    };
    steps.iter().enumerate().map(attempt).collect()
}

fn texts(lessons: &[Mined]) -> Vec<&str> {
    lessons
        .iter()
        .map(|lesson| lesson.rule_text.as_str())
        .collect()
}

#[test]
fn what_only_says_what_it_would_do_is_no_fix() {
    let failed = "fatal: clean.requireForce is true and -f not given: refusing to clean";
    let mined = mine(&attempts(&[
        ("git clean -d out", Some(failed)),
        ("git clean -nd out", None),
        ("git clean -fd out", None),
    ]));
    let rule = "WRONG: git clean -d out → CORRECT: git clean -fd out";
    assert_eq!(texts(&mined), [rule]);
    // It is the way out where the error says so.
    let failed = "keg: could not link wget\nTo see what is in the way:\n  keg link --dry-run wget";
    let mined = mine(&attempts(&[
        ("keg link wget", Some(failed)),
        ("keg link --dry-run wget", None),
    ]));
    let rule = "WRONG: keg link wget → CORRECT: keg link --dry-run wget";
    assert_eq!(texts(&mined), [rule]);
}

#[test]
fn what_checks_is_done_first_and_what_only_looks_is_no_way_out() {
    let first = |wrong: &str, said: &'static str, done: &'static str| {
        let wrong: &'static str = Box::leak(wrong.to_owned().into_boxed_str());
        let mined = mine(&attempts(&[
            (wrong, Some(said)),
            (done, None),
            (wrong, None),
        ]));
        texts(&mined).join("\n")
    };
    assert_eq!(
        first("cargo fmt --check", "Diff in lib.rs", "cargo fmt"),
        "WRONG: cargo fmt --check → CORRECT: cargo fmt && cargo fmt --check"
    );
    let blocked = "previous rebase directory still exists";
    assert_eq!(
        first("git am a.patch", blocked, "git am --abort"),
        "WRONG: git am <path> → CORRECT: git am --abort && git am <path>"
    );
    // The same on other data is another try.
    assert_eq!(first("git am a.patch", blocked, "git am b.patch"), "");
    let missing = "./app: error while loading shared libraries";
    let looked = mine(&attempts(&[("./app", Some(missing)), ("ldd ./app", None)]));
    assert!(looked.is_empty(), "{looked:?}");
    let listed = "Missing script: \"start\"\nTo see a list of scripts, run:\n  npm run";
    let looked = mine(&attempts(&[("npm start", Some(listed)), ("npm run", None)]));
    assert!(looked.is_empty(), "{looked:?}");
}

#[test]
fn what_the_error_says_to_do_first_is_learned_though_it_is_the_same_verb() {
    let failed = "You need to start by \"git bisect start\"";
    let mined = mine(&attempts(&[
        ("git bisect bad HEAD", Some(failed)),
        ("git bisect start", None),
        ("git bisect bad HEAD", None),
    ]));
    let rule = "WRONG: git bisect bad HEAD → CORRECT: git bisect start && git bisect bad HEAD";
    assert_eq!(texts(&mined), [rule]);
    // Without such a word it is another try.
    let mined = mine(&attempts(&[
        ("git bisect bad HEAD", Some("fatal: no bad revision yet")),
        ("git bisect good HEAD", None),
        ("git bisect bad HEAD", None),
    ]));
    assert_eq!(texts(&mined), [] as [&str; 0]);
}

/// A trace, what it is, and the rules it teaches.
struct Trace {
    name: &'static str,
    steps: &'static [Step],
    rules: &'static [&'static str],
}

#[rustfmt::skip]
const TRACES: &[Trace] = &[
    Trace { name: "gridtool: a path in angle brackets, after a look around",
        steps: &[
            ("gridtool \"LOAD sales.csv\"", Some("gridtool: a path must stand in angle brackets")),
            ("ls", None),
            ("gridtool \"LOAD <sales.csv>\"", None),
        ],
        rules: &["WRONG: gridtool \"LOAD <path>\" → CORRECT: gridtool \"LOAD <<path>>\""] },
    Trace { name: "gridtool: verbs in capitals",
        steps: &[
            ("gridtool 'load <sales.csv>'", Some("gridtool: unknown verb 'load'")),
            ("gridtool 'LOAD <sales.csv>'", None),
        ],
        rules: &["WRONG: gridtool 'load <<path>>' → CORRECT: gridtool 'LOAD <<path>>'"] },
    Trace { name: "gridtool: operators are words and columns have a sign",
        steps: &[
            ("gridtool \"FILTER amount > 5\"", Some("gridtool: unknown operator '>'")),
            ("gridtool \"FILTER amount is-above 5\"", Some("gridtool: column names begin with @")),
            ("gridtool \"FILTER @amount is-above 5\"", None),
        ],
        rules: &[
            "WRONG: gridtool \"FILTER <name> > <num>\" → CORRECT: gridtool \"FILTER @<name> is-above <num>\"",
            "WRONG: gridtool \"FILTER <name> is-above <num>\" → CORRECT: gridtool \"FILTER @<name> is-above <num>\"",
        ] },
    Trace { name: "gridtool: direction words",
        steps: &[
            ("gridtool \"SORT @amount desc\"", Some("gridtool: 'desc' is no direction")),
            ("gridtool \"SORT @amount DESC\"", Some("gridtool: 'DESC' is no direction")),
            ("gridtool \"SORT @amount down\"", None),
        ],
        rules: &[
            "WRONG: gridtool \"SORT @<name> desc\" → CORRECT: gridtool \"SORT @<name> down\"",
            "WRONG: gridtool \"SORT @<name> DESC\" → CORRECT: gridtool \"SORT @<name> down\"",
        ] },
    Trace { name: "gridtool: another verb for grouping",
        steps: &[
            ("gridtool \"GROUP BY @region SUM @amount\"", Some("gridtool: syntax error: unexpected token 'GROUP'")),
            ("gridtool \"TALLY @region SUM @amount\"", None),
        ],
        rules: &["WRONG: gridtool \"GROUP BY @<name> SUM @<name2>\" → CORRECT: gridtool \"TALLY @<name> SUM @<name2>\""] },
    Trace { name: "gridtool: one message for every verb, each with its own way out",
        steps: &[
            ("gridtool SORT :big.csv on @amount -r INTO :sorted.csv", Some("gridtool: unknown verb 'SORT'")),
            ("gridtool ORDER :big.csv BY @amount falling INTO :sorted.csv", None),
            ("gridtool head :sorted.csv -n 4 INTO :top.csv", Some("gridtool: unknown verb 'head'")),
            ("gridtool TAKE :sorted.csv upto 4 INTO :top.csv", None),
            ("gridtool group-by :big.csv PER @region total @amount INTO :totals.csv", Some("gridtool: unknown verb 'group-by'")),
            ("gridtool TALLY :big.csv PER @region total @amount INTO :totals.csv", None),
        ],
        rules: &[
            "WRONG: gridtool SORT :<path> on @<name> -r INTO :<path2> → CORRECT: gridtool ORDER :<path> BY @<name> falling INTO :<path2>",
            "WRONG: gridtool head :<path> -n <num> INTO :<path2> → CORRECT: gridtool TAKE :<path> upto <num> INTO :<path2>",
            "WRONG: gridtool group-by :<path> PER @<name> total @<name2> INTO :<path2> → CORRECT: gridtool TALLY :<path> PER @<name> total @<name2> INTO :<path2>",
        ] },
    Trace { name: "the wrong form comes again and fails again",
        steps: &[
            ("tool sort a.csv desc", Some("tool: 'desc' is no direction")),
            ("tool sort a.csv down", None),
            ("tool sort b.csv desc", Some("tool: 'desc' is no direction")),
            ("tool sort b.csv down", None),
        ],
        rules: &["WRONG: tool sort <path> desc → CORRECT: tool sort <path> down"] },
    Trace { name: "fluxtool: its own arrow",
        steps: &[
            ("fluxtool \"sine 440 | gain 3 | out\"", Some("fluxtool: expected ~> between stages")),
            ("fluxtool \"sine 440 ~> gain 3 ~> out\"", None),
        ],
        rules: &["WRONG: fluxtool \"sine <num> | gain <num2> | out\" → CORRECT: fluxtool \"sine <num> ~> gain <num2> ~> out\""] },
    Trace { name: "fluxtool: settings in braces",
        steps: &[
            ("fluxtool \"lowpass(cutoff=800)\"", Some("fluxtool: settings stand in braces")),
            ("fluxtool --list", None),
            ("fluxtool \"lowpass{cutoff:800}\"", None),
        ],
        rules: &["WRONG: fluxtool \"lowpass(<name>=<num>)\" → CORRECT: fluxtool \"lowpass{<name>:<num>}\""] },
    Trace { name: "shell: a file with a space in its name",
        steps: &[
            ("wc -l my notes.txt", Some("wc: my: No such file or directory")),
            ("wc -l \"my notes.txt\"", None),
        ],
        rules: &["WRONG: wc -l <str> → CORRECT: wc -l \"<str>\""] },
    Trace { name: "shell: the program is called otherwise here",
        steps: &[
            ("python train.py --epochs 3", Some("bash: python: command not found")),
            ("which python3", None),
            ("python3 train.py --epochs 3", None),
        ],
        rules: &["WRONG: python <path> --epochs <num> → CORRECT: python3 <path> --epochs <num>"] },
    Trace { name: "shell: rights",
        steps: &[
            ("apt install jq", Some("E: Could not open lock file /var/lib/dpkg/lock - open (13: Permission denied)")),
            ("sudo apt install jq", None),
        ],
        rules: &["WRONG: apt install jq → CORRECT: sudo apt install jq"] },
    Trace { name: "shell: an option of another system",
        steps: &[
            ("sed -i '' 's/a/b/' conf.ini", Some("sed: can't read s/a/b/: No such file or directory")),
            ("sed -i 's/a/b/' conf.ini", None),
        ],
        rules: &["WRONG: sed -i '' '<path>' <path2> → CORRECT: sed -i '<path>' <path2>"] },
    Trace { name: "git: no upstream",
        steps: &[
            ("git push", Some("fatal: The current branch work has no upstream branch.")),
            ("git push --set-upstream origin work", None),
        ],
        rules: &["WRONG: git push → CORRECT: git push --set-upstream origin work"] },
    Trace { name: "git: a slip of the fingers, twice",
        steps: &[
            ("git comit -m \"one\"", Some("git: 'comit' is not a git command. See 'git --help'.")),
            ("git comit -m \"one\"", Some("git: 'comit' is not a git command. See 'git --help'.")),
            ("git commit -m \"one\"", None),
        ],
        rules: &["WRONG: git comit -m \"<str>\" → CORRECT: git commit -m \"<str>\""] },
    Trace { name: "git: another branch name",
        steps: &[
            ("git rebase origin/master --autostash", Some("fatal: invalid upstream 'origin/master'")),
            ("git branch -a", None),
            ("git rebase origin/main --autostash", None),
        ],
        rules: &[] },
    Trace { name: "SQL: a column that is not there",
        steps: &[
            ("SELECT nme, age FROM users WHERE id = 7", Some("ERROR: no such column: nme")),
            ("PRAGMA table_info(users)", None),
            ("SELECT name, age FROM users WHERE id = 7", None),
        ],
        rules: &["WRONG: SELECT nme, age FROM users WHERE id = <num> → CORRECT: SELECT name, age FROM users WHERE id = <num>"] },
    Trace { name: "SQL: strings in single quotes",
        steps: &[
            ("SELECT * FROM users WHERE city = \"Rome\"", Some("ERROR:  column \"Rome\" does not exist")),
            ("SELECT * FROM users WHERE city = 'Rome'", None),
        ],
        rules: &["WRONG: SELECT * FROM users WHERE city = \"<str>\" → CORRECT: SELECT * FROM users WHERE city = '<str>'"] },
    Trace { name: "SQL: limit in another dialect",
        steps: &[
            ("SELECT TOP 5 * FROM orders", Some("ERROR: syntax error at or near \"5\"")),
            ("SELECT * FROM orders LIMIT 5", None),
        ],
        rules: &["WRONG: SELECT TOP <num> * FROM orders → CORRECT: SELECT * FROM orders LIMIT <num>"] },
    Trace { name: "Python: print is a function",
        steps: &[
            ("print total", Some("SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?")),
            ("print(total)", None),
        ],
        rules: &["WRONG: print <name> → CORRECT: print(<name>)"] },
    Trace { name: "Python: a mode for bytes",
        steps: &[
            ("open(\"data/blob.bin\", \"r\").read()", Some("UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 0")),
            ("open(\"data/blob.bin\", \"rb\").read()", None),
        ],
        rules: &["WRONG: open(\"<path>\", \"r\").read() → CORRECT: open(\"<path>\", \"rb\").read()"] },
    Trace { name: "Python: a package by its other name",
        steps: &[
            ("pip install sklearn", Some("ERROR: Could not build wheels for sklearn")),
            ("pip list", None),
            ("pip install scikit-learn", None),
        ],
        rules: &["WRONG: pip install sklearn → CORRECT: pip install scikit-learn"] },
    Trace { name: "GUI: a tempo out of range",
        steps: &[
            ("set_tempo(bpm=1400)", Some("value out of range: bpm must be between 10 and 522")),
            ("set_tempo(bpm=140)", None),
        ],
        rules: &["WRONG: set_tempo(bpm=1400) → CORRECT: set_tempo(bpm=140)"] },
    Trace { name: "GUI: another key on this system",
        steps: &[
            ("press(\"ctrl+s\", window=\"Mixer\")", Some("no effect: window state unchanged")),
            ("press(\"cmd+s\", window=\"Mixer\")", None),
        ],
        rules: &["WRONG: press(\"ctrl+s\", window=\"<str>\") → CORRECT: press(\"cmd+s\", window=\"<str>\")"] },
    Trace { name: "GUI: a double click is needed",
        steps: &[
            ("click(target=\"Pattern 3\", count=1)", Some("no_progress: selection unchanged")),
            ("screenshot()", None),
            ("click(target=\"Pattern 3\", count=2)", None),
        ],
        rules: &["WRONG: click(target=\"<str>\", count=1) → CORRECT: click(target=\"<str>\", count=2)"] },
    Trace { name: "a Russian message",
        steps: &[
            ("gridtool \"СОРТ @сумма вниз\"", Some("ошибка: неизвестная команда «СОРТ»")),
            ("gridtool \"SORT @сумма вниз\"", None),
        ],
        rules: &["WRONG: gridtool \"СОРТ @<name> вниз\" → CORRECT: gridtool \"SORT @<name> вниз\""] },
    Trace { name: "a Chinese message",
        steps: &[
            ("表格 读取 数据.csv", Some("错误：路径必须加引号")),
            ("表格 读取 \"数据.csv\"", None),
        ],
        rules: &["WRONG: 表格 读取 <path> → CORRECT: 表格 读取 \"<path>\""] },
    Trace { name: "a German message",
        steps: &[
            ("konto buche 12,50 Miete", Some("Fehler: Beträge werden mit Punkt geschrieben")),
            ("konto buche 12.50 Miete", None),
        ],
        rules: &["WRONG: konto buche 12,50 Miete → CORRECT: konto buche 12.50 Miete"] },
    Trace { name: "a recurring failure without a way out",
        steps: &[
            ("tool frobnicate 3 --deep", Some("tool: frobnicate is not licensed")),
            ("ls", None),
            ("tool frobnicate 9 --deep", Some("tool: frobnicate is not licensed")),
        ],
        rules: &["AVOID: tool frobnicate <num> --deep: tool: <id> is not licensed"] },
    Trace { name: "recurring in different actions that share an option",
        steps: &[
            ("tool load --turbo a.csv", Some("tool: turbo crashed: out of memory")),
            ("tool save --turbo", Some("tool: turbo crashed: out of memory")),
        ],
        rules: &["AVOID: tool … --turbo …: tool: turbo crashed: out of memory"] },
    // What must teach nothing.
    Trace { name: "the same command works after the code was mended",
        steps: &[
            ("cargo test", Some("error[E0425]: cannot find value `x` in this scope")),
            ("cargo test", Some("error[E0425]: cannot find value `x` in this scope")),
            ("edit src/lib.rs", None),
            ("cargo test -p engine", None),
            ("cargo test", None),
        ],
        rules: &[] },
    Trace { name: "an unrelated success",
        steps: &[
            ("gridtool \"LOAD sales.csv\"", Some("gridtool: a path must stand in angle brackets")),
            ("ls", None),
            ("cat sales.csv", None),
        ],
        rules: &[] },
    Trace { name: "another file",
        steps: &[
            ("cat notes.txt", Some("cat: notes.txt: No such file or directory")),
            ("cat README.md", None),
        ],
        rules: &[] },
    Trace { name: "another test",
        steps: &[
            ("pytest tests/test_a.py -q", Some("FAILED tests/test_a.py::test_x - assert 1 == 2")),
            ("pytest tests/test_b.py -q", None),
        ],
        rules: &[] },
    Trace { name: "a look at the same data with the same tool",
        steps: &[
            ("gridtool \"SORT <sales.csv> by amount\"", Some("gridtool: expected a column after SORT")),
            ("gridtool \"SHOW <sales.csv>\"", None),
        ],
        rules: &[] },
    Trace { name: "the failure comes back after the seeming fix",
        steps: &[
            ("curl -s https://api.example.org/v1", Some("curl: (28) Operation timed out")),
            ("curl -sS https://api.example.org/v1", None),
            ("curl -sS https://api.example.org/v2", Some("curl: (28) Operation timed out")),
        ],
        rules: &[] },
    Trace { name: "a different verb of the same program on the same file",
        steps: &[
            ("git add src/gone.rs", Some("fatal: pathspec 'src/gone.rs' did not match any files")),
            ("git log src/gone.rs", None),
        ],
        rules: &[] },
    Trace { name: "files that are missing, again and again, with a command that works",
        steps: &[
            ("cat a.txt", Some("cat: a.txt: No such file or directory")),
            ("cat b.txt", Some("cat: b.txt: No such file or directory")),
            ("cat c.txt", None),
        ],
        rules: &[] },
    Trace { name: "one failure that is not known and has no fix",
        steps: &[("make release", Some("make: *** No rule to make target 'release'. Stop."))],
        rules: &[] },
    Trace { name: "a command of several parts, then only its first part",
        steps: &[
            ("gridtool \"LOAD <a.csv>; JOIN <b.csv> ON @id; SORT @x down; SAVE <c.csv>\"", Some("gridtool: JOIN needs two columns")),
            ("gridtool \"LOAD <a.csv>\"", None),
        ],
        rules: &[] },
];

#[test]
fn each_trace_teaches_its_rule_and_no_other() {
    let mut wrong = Vec::new();
    for trace in TRACES {
        let lessons = mine(&attempts(trace.steps));
        if texts(&lessons) != trace.rules {
            wrong.push(format!(
                "{}\n  got  {:#?}\n  want {:#?}",
                trace.name,
                texts(&lessons),
                trace.rules
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        TRACES.len(),
        wrong.join("\n")
    );
}

#[test]
fn a_lesson_names_its_triggers_and_its_steps() {
    let steps: &[Step] = &[
        ("ls", None),
        ("grid 'load <a.csv>'", Some("unknown verb load")),
        ("grid 'load <a.csv>'", Some("verbs are written in capitals")),
        ("grid 'LOAD <a.csv>'", None),
    ];
    let lessons = mine(&attempts(steps));
    assert_eq!(lessons.len(), 1, "{lessons:#?}");
    assert_eq!(
        (lessons[0].kind, lessons[0].triggers.len()),
        (LessonKind::Rule, 2)
    );
    assert_eq!(lessons[0].steps, [1, 2, 3]);
}

#[test]
fn what_recurs_comes_first_and_no_run_teaches_more_than_sixteen_lessons() {
    let mut run = Vec::new();
    for number in 0..40u32 {
        let word = |n: u32| {
            char::from(b'a' + (n % 26) as u8)
                .to_string()
                .repeat(3 + n as usize / 26)
        };
        let verb = word(number);
        let times = if number == 30 { 3 } else { 1 };
        for _ in 0..times {
            run.push((
                format!("tool {verb} --old all"),
                Some(format!("unknown option in {verb}")),
            ));
        }
        run.push((format!("tool {verb} --new all"), None));
    }
    let attempts: Vec<_> = run
        .into_iter()
        .enumerate()
        .map(|(index, (action, failure))| Attempt {
            index: index as u32,
            action,
            is_command: true,
            evidence: failure.clone().unwrap_or_default(),
            failure: failure.map(|text| (format!("fp_{text}"), text)),
            known_runs: 1,
            harmful: false,
        })
        .collect();
    let lessons = mine(&attempts);
    assert_eq!(lessons.len(), 16);
    assert!(
        lessons[0].rule_text.contains("tool eeee --old"),
        "{}",
        lessons[0].rule_text
    );
}

#[test]
fn a_failure_that_does_harm_is_warned_of_at_once() {
    let mut run = attempts(&[("tool wipe", Some("safety guard hit: the disk is wiped"))]);
    assert!(mine(&run).is_empty());
    run[0].harmful = true;
    let lessons = mine(&run);
    assert_eq!(
        texts(&lessons),
        ["AVOID: tool wipe: safety guard hit: the disk is wiped"]
    );
}

#[test]
fn a_failure_that_other_runs_knew_is_warned_of_after_one_more() {
    let mut run = attempts(&[("tool frob", Some("tool: not licensed"))]);
    run[0].known_runs = 2;
    let lessons = mine(&run);
    assert_eq!(texts(&lessons), ["AVOID: tool frob: tool: not licensed"]);
    assert_eq!(lessons[0].kind, LessonKind::AntiPattern);
}

#[test]
fn a_masked_secret_stays_masked() {
    let steps: &[Step] = &[
        (
            "curl -H \"X-Key: <secret:api-key>\" --url https://a.org",
            Some("401 unauthorised"),
        ),
        (
            "curl -H \"Authorization: <secret:api-key>\" --url https://a.org",
            None,
        ),
    ];
    let lessons = mine(&attempts(steps));
    assert_eq!(lessons.len(), 1);
    assert_eq!(lessons[0].rule_text.matches("<secret:api-key>").count(), 2);
}

#[test]
fn a_huge_action_teaches_nothing_and_costs_little() {
    let huge = "echo \"x\" | ".repeat(100_000);
    let mut run = attempts(&[("a", Some("gone")), ("a", Some("gone")), ("a b", None)]);
    run[0].action.clone_from(&huge);
    run[1].action.clone_from(&huge);
    run[2].action = format!("{huge} y");
    assert_eq!(mine(&run), []);
}

fn any_run() -> impl Strategy<Value = Vec<Attempt>> {
    let action = prop_oneof![
        2 => "[a-c]{1,2}( (--)?[a-c]{1,2}| [0-9]{1,2}| \"[a-c ]{0,3}\"| [a-c]\\.csv){0,4}",
        1 => any::<String>(),
    ];
    let attempt = (action, prop::option::weighted(0.5, 0..4u8), 1..4u32);
    prop::collection::vec(attempt, 0..24).prop_map(|steps| {
        let attempt =
            |(index, (action, failure, known_runs)): (usize, (String, Option<u8>, u32))| Attempt {
                index: index as u32,
                action,
                is_command: known_runs != 3,
                evidence: String::new(),
                failure: failure.map(|kind| (format!("fp_{kind}"), format!("failure {kind}"))),
                known_runs,
                harmful: false,
            };
        steps.into_iter().enumerate().map(attempt).collect()
    })
}

proptest! {
    #[test]
    fn any_run_is_mined_within_bounds_and_always_alike(run in any_run()) {
        let lessons = mine(&run);
        prop_assert_eq!(&mine(&run), &lessons);
        prop_assert!(lessons.len() <= 16);
        let failed: Vec<_> = run.iter().filter(|attempt| attempt.failure.is_some()).collect();
        for lesson in &lessons {
            prop_assert!(lesson.rule_text.chars().count() <= 1_000);
            prop_assert!(!lesson.triggers.is_empty() && !lesson.steps.is_empty());
            for trigger in &lesson.triggers {
                let known = failed.iter().any(|attempt| attempt.failure.as_ref().is_some_and(|(id, _)| id == trigger));
                prop_assert!(known);
            }
        }
    }
}
