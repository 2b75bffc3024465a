//! Tags: which words bring which, and which bring none.

use twiceshy_fingerprint::tags::of_text;

fn has(text: &str, tags: &[&str]) {
    let found = of_text(text);
    for tag in tags {
        assert!(
            found.iter().any(|t| t == tag),
            "{tag} not in {found:?} of {text:?}"
        );
    }
}

#[test]
fn every_tag_of_the_seed_has_words_that_bring_it() {
    has(
        "syntax error near unexpected token `)'",
        &["syntax_structure"],
    );
    has("error: expected ‘;’ before ‘return’", &["syntax_structure"]);
    has("NameError: name 'x' is not defined", &["unknown_symbol"]);
    has("LOAD: the path must be quoted", &["path_quote"]);
    has(
        "TypeError: unsupported operand type(s) for +: 'int' and 'str'",
        &["operator_mismatch", "type_mismatch"],
    );
    has(
        "f() missing 1 required positional argument: 'x'",
        &["arity_mismatch"],
    );
    has(
        "ERROR 1054 (42S22): Unknown column 'a' in 'field list'",
        &["column_reference", "unknown_symbol"],
    );
    has(
        "unknown function SUM: names of functions are lowercase",
        &["function_case"],
    );
    has("SORT needs a direction: asc or desc", &["sort_direction"]);
    has(
        "bash: foo: command not found",
        &["unknown_command", "not_found"],
    );
    has("sh: 1: foo: not found", &["unknown_command"]);
    has("no_progress", &["no_progress"]);
    has(
        "constraint_failed: target not reached",
        &["constraint_failed"],
    );
    has("robot is stuck", &["state_stall"]);
    has("safety guard hit: collision ahead", &["unsafe_action"]);
    has(
        "goal distance increased from 3 to 5",
        &["goal_distance_increase"],
    );
}

#[test]
fn the_second_vocabulary_is_there_too() {
    has(
        "ssh: connect to host 10.0.0.1 port 22: Connection timed out",
        &["timeout", "network", "retryable"],
    );
    has("open: Permission denied", &["permission"]);
    has("HTTP 401 Unauthorized", &["auth", "client_error"]);
    has(
        "429 Too Many Requests",
        &["rate_limited", "retryable", "client_error"],
    );
    has("OSError: [Errno 28] No space left on device", &["resource"]);
    has("process exited with code 2", &["nonzero_exit"]);
    has(
        "upstream responded with status code 503",
        &["server_error", "retryable"],
    );
    has("error[E0308]: mismatched types", &["type_mismatch"]);
}

#[test]
fn other_languages_bring_the_same_tags() {
    has("cat: x: Нет такого файла или каталога", &["not_found"]);
    has("错误：权限不足", &["permission"]);
    has("エラー: ファイル「x」が見つかりません", &["not_found"]);
    has("오류: 시간 초과", &["timeout"]);
    has("Fehler: Datei wurde nicht gefunden", &["not_found"]);
    has("Erreur : délai d'attente dépassé", &["timeout"]);
}

#[test]
fn only_whole_words_count() {
    assert_eq!(of_text("the latest greatest contest"), ["generic"]);
    assert_eq!(of_text("evt-1001 -word --flag"), ["generic"]);
    assert_eq!(of_text("exited with code 0"), ["generic"]);
    assert_eq!(of_text("stuckup portstalled"), ["generic"]);
    assert_eq!(of_text(""), ["generic"]);
    assert!(
        !of_text("Invalid literal at line 1, column 9").contains(&"column_reference".to_string())
    );
}

#[test]
fn tags_are_sorted_and_each_comes_once() {
    let tags = of_text("timeout timeout: permission denied; permission denied, no such file");
    let mut sorted = tags.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!(tags, sorted);
}

#[test]
fn advice_and_progress_around_a_failure_bring_no_tags() {
    assert_eq!(
        of_text("INFO permission check passed\nhelp: retry later\nthe lamp is out of oil"),
        ["generic"]
    );
}

#[test]
fn the_headline_in_the_middle_of_a_large_text_is_read() {
    let filler = "the lamp of the room is green\n".repeat(5000);
    has(
        &format!("{filler}error: connection refused\n{filler}"),
        &["network"],
    );
}
