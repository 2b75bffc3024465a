//! Labelled pairs of rules: which contradict each other, and which do not.
//!
//! Two tables. The rules of `conflicts` may be changed for a pair of the first; for a pair of the second they are
//! not, so that its figures say what to expect of rules that nobody has seen.

use twiceshy_learning::advice::conflict;

const SAY: bool = true;
const FINE: bool = false;

#[rustfmt::skip]
const PAIRS: &[(bool, &str, &str)] = &[
    // Opposite polarity about the same thing.
    (SAY, "Use tabs for indentation.", "Do not use tabs for indentation."),
    (SAY, "Always use --force when pushing.", "Never use --force when pushing."),
    (SAY, "You must quote the path.", "You must not quote the path."),
    (SAY, "The path requires a trailing slash.", "The path does not require a trailing slash."),
    (SAY, "Avoid the cache flag.", "Use the cache flag."),
    (SAY, "Run the migration with sudo.", "Run the migration without sudo."),
    (SAY, "AVOID: --no-verify", "Use --no-verify."),
    (SAY, "Don't restart the server after the change.", "Restart the server after the change."),
    (SAY, "не использовать tabs", "использовать tabs"),
    (SAY, "Do not escape the dollar sign.", "Escape the dollar sign."),
    // Opposite sides of a question.
    (SAY, "Column names must be quoted.", "Column names must be unquoted."),
    (SAY, "Write the verbs in uppercase.", "Write the verbs in lowercase."),
    (SAY, "Verbs are upper case.", "Verbs are lower case."),
    (SAY, "Sort ascending to get the newest row.", "Sort descending to get the newest row."),
    (SAY, "Add a semicolon at the end.", "Remove the semicolon at the end."),
    (SAY, "Enable strict mode before the import.", "Disable strict mode before the import."),
    (SAY, "Use single quotes around the path.", "Use double quotes around the path."),
    (SAY, "Put paths in angle brackets.", "Put paths in double quotes."),
    (SAY, "Use an absolute path for the config.", "Use a relative path for the config."),
    (SAY, "Run load before filter.", "Run filter before load."),
    (SAY, "Run load before filter.", "Run load after filter."),
    (SAY, "Increase the timeout.", "Decrease the timeout."),
    (SAY, "Set the port to 8080.", "Set the port to 9090."),
    (SAY, "Indent recipes with tabs.", "Indent recipes with spaces."),
    (SAY, "Use spaces instead of tabs.", "Use tabs instead of spaces."),
    (SAY, "Use rebase rather than merge.", "Use merge rather than rebase."),
    // Commands.
    (SAY, "WRONG: sort x desc → CORRECT: sort x down", "WRONG: sort x down → CORRECT: sort x desc"),
    (SAY, "WRONG: LOAD x → CORRECT: LOAD \"x\"", "WRONG: LOAD x → CORRECT: LOAD 'x'"),
    (SAY, "WRONG: sort x desc → CORRECT: sort x down", "WRONG: sort x desc → CORRECT: sort x descending"),
    (SAY, "WRONG: get --rows 5 → CORRECT: get --rows 3", "WRONG: get --rows 5 → CORRECT: get --rows 9"),
    (SAY, "WRONG: load x → CORRECT: LOAD x", "WRONG: LOAD x → CORRECT: load x"),
    (SAY, "WRONG: FILTER <name> > <num> → CORRECT: FILTER @<name> is-above <num>", "WRONG: FILTER <name> > <num> → CORRECT: FILTER #<name> is-above <num>"),
    (SAY, "WRONG: git push → CORRECT: git push --force", "WRONG: git push --force → CORRECT: git push"),
    (SAY, "WRONG: git push → CORRECT: git push --force", "Never use --force."),
    (SAY, "WRONG: load x → CORRECT: LOAD x", "Verbs must be lowercase."),
    (SAY, "WRONG: quoted paths → CORRECT: unquoted paths", "WRONG: unquoted paths → CORRECT: quoted paths"),
    // Agreement in other words.
    (FINE, "Do not use tabs.", "Never use tabs."),
    (FINE, "Do not use tabs for indentation.", "Avoid tabs for indentation."),
    (FINE, "Use spaces, not tabs.", "Do not use tabs."),
    (FINE, "Use spaces for indentation.", "Do not use tabs for indentation."),
    (FINE, "Write verbs in uppercase.", "Do not write verbs in lowercase."),
    (FINE, "You must quote the path.", "Always quote the path."),
    (FINE, "Quote the path.", "Quote the path, or the shell splits it."),
    (FINE, "Run load before filter.", "Run filter after load."),
    (FINE, "Use double quotes around paths.", "Paths must be in double quotes."),
    (FINE, "Set the port to 8080.", "Set the port to 8080 and restart."),
    (FINE, "Use rebase rather than merge.", "Use rebase."),
    (FINE, "Remove the semicolon.", "Do not add a semicolon."),
    (FINE, "Column names must be unquoted.", "Do not quote column names."),
    (FINE, "AVOID: --no-verify", "Never use --no-verify."),
    (FINE, "WRONG: a → CORRECT: b", "wrong: a -> correct: b"),
    // Elaboration.
    (FINE, "WRONG: git push → CORRECT: git push -u origin", "WRONG: git push → CORRECT: git push -u origin main"),
    (FINE, "Quote the path.", "Quote the path with double quotes."),
    (FINE, "Use tabs for indentation.", "Use tabs for indentation in Makefiles."),
    (FINE, "WRONG: LOAD x → CORRECT: LOAD \"x\"", "Put quotes around the path."),
    (FINE, "WRONG: load x → CORRECT: LOAD x", "Write verbs in uppercase."),
    (FINE, "WRONG: tool run → CORRECT: tool run --fast", "WRONG: tool run → CORRECT: tool run --safe"),
    // Different things.
    (FINE, "Use tabs in Makefiles.", "Do not use spaces in file names."),
    (FINE, "Quote the path.", "Do not quote numbers."),
    (FINE, "Write verbs in uppercase.", "Write column names in lowercase."),
    (FINE, "Run the tests before the commit.", "Do not commit large files."),
    (FINE, "Add the header row.", "Remove the empty rows at the end of the file."),
    (FINE, "Use --rows to limit the output.", "Do not use --count here."),
    (FINE, "Set the port to 8080.", "Set the timeout to 30."),
    (FINE, "The user must exist.", "The useful cache must not be deleted."),
    (FINE, "Reuse the connection.", "Do not use a global lock."),
    (FINE, "WRONG: sort x desc → CORRECT: sort x down", "WRONG: load x → CORRECT: LOAD x"),
    (FINE, "WRONG: LOAD <path> → CORRECT: LOAD <<path>>", "WRONG: SORT <name> desc → CORRECT: SORT @<name> down"),
    (FINE, "WRONG: set rows=5 → CORRECT: set --rows 5", "WRONG: get rows=5 → CORRECT: get --rows 5"),
    (FINE, "WRONG: FILTER a > 5 → CORRECT: FILTER @a > 5", "WRONG: FILTER a > 5 → CORRECT: FILTER a is-above 5"),
    (FINE, "Install the package first.", "Do not import the module twice."),
    (FINE, "Look at the log before a retry.", "Wait a second before a retry."),
    (FINE, "Close the file after writing.", "Do not write after closing the socket."),
    (FINE, "文件路径要加引号", "先保存文件"),
];

#[rustfmt::skip]
const UNSEEN: &[(bool, &str, &str)] = &[
    (SAY, "Pass --json to every call.", "Do not pass --json."),
    (SAY, "Pin the version of numpy.", "Never pin the version of numpy."),
    (SAY, "Keywords are written in capital letters.", "Keywords are written in small letters."),
    (SAY, "Start the server before the tests.", "Start the tests before the server."),
    (SAY, "Use a batch size of 16.", "Use a batch size of 64."),
    (SAY, "Include the schema in the table name.", "Exclude the schema from the table name."),
    (SAY, "Use parentheses around the arguments.", "Use square brackets around the arguments."),
    (SAY, "Prefer yaml for the config file.", "Prefer json for the config file."),
    (SAY, "WRONG: mix a b → CORRECT: mix a ~> b", "WRONG: mix a ~> b → CORRECT: mix a b"),
    (SAY, "WRONG: open tab → CORRECT: open window", "WRONG: open tab → CORRECT: open panel"),
    (SAY, "WRONG: TALLY region → CORRECT: TALLY @region", "WRONG: TALLY region → CORRECT: TALLY :region"),
    (SAY, "WRONG: npm test → CORRECT: npm test --ci", "Do not use --ci."),
    (SAY, "Click the button with the left mouse button.", "Click the button with the right mouse button."),
    (SAY, "The query must end with a semicolon.", "The query must not end with a semicolon."),
    (SAY, "Nicht den Cache leeren", "den Cache leeren"),
    (FINE, "Pass --json to every call.", "Always pass --json to each call."),
    (FINE, "Do not pin numpy.", "Avoid pinning numpy."),
    (FINE, "Start the server before the tests.", "Start the tests after the server."),
    (FINE, "Use a batch size of 16.", "Use a batch size of 16 or the GPU runs out of memory."),
    (FINE, "Exclude the schema.", "Do not include the schema."),
    (FINE, "Keywords are lowercase.", "Never write keywords in uppercase."),
    (FINE, "Use merge instead of rebase.", "Do not use rebase."),
    (FINE, "WRONG: npm test → CORRECT: npm test --ci", "Use --ci with npm test."),
    (FINE, "WRONG: open tab → CORRECT: open window", "WRONG: close tab → CORRECT: close window"),
    (FINE, "WRONG: a 'x' → CORRECT: a \"x\"", "Use double quotes."),
    (FINE, "Save the project before rendering.", "Do not render two projects at once."),
    (FINE, "Set the bpm to 120.", "Set the volume to 80."),
    (FINE, "Use an absolute path for the input.", "Use a relative path for the output."),
    (FINE, "Escape the dollar sign.", "Do not escape the backslash."),
    (FINE, "Read the manual.", "Never guess an option."),
];

struct Score {
    precision: f64,
    recall: f64,
    wrong: Vec<String>,
}

fn score(pairs: &[(bool, &str, &str)]) -> Score {
    let (mut hits, mut alarms, mut all) = (0.0, 0.0, 0.0);
    let mut wrong = Vec::new();
    for (expected, left, right) in pairs {
        let found = conflict(left, right);
        assert_eq!(
            conflict(right, left),
            found,
            "not the same both ways: {left} / {right}"
        );
        all += f64::from(u8::from(*expected));
        alarms += f64::from(u8::from(found));
        hits += f64::from(u8::from(found && *expected));
        if found != *expected {
            wrong.push(format!("conflict {found}: {left} / {right}"));
        }
    }
    Score {
        precision: hits / alarms,
        recall: hits / all,
        wrong,
    }
}

fn check(name: &str, pairs: &[(bool, &str, &str)]) {
    let score = score(pairs);
    println!(
        "{name}: {} pairs, precision {:.3}, recall {:.3}",
        pairs.len(),
        score.precision,
        score.recall
    );
    let wrong = score.wrong.join("\n");
    println!("{wrong}");
    assert!(score.precision >= 0.9 && score.recall >= 0.9, "{wrong}");
}

#[test]
fn contradictions_are_told_from_agreement() {
    let fine = PAIRS.iter().filter(|(expected, _, _)| !expected).count();
    assert!(PAIRS.len() >= 60 && 2 * fine >= PAIRS.len());
    check("known", PAIRS);
}

#[test]
fn contradictions_are_told_from_agreement_in_pairs_that_no_rule_was_made_for() {
    check("unseen", UNSEEN);
}
