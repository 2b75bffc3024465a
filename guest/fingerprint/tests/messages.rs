//! The requirements on fingerprints, one test each: what must fall together and what must stay apart.

use twiceshy_fingerprint::fingerprint::of_text;

/// All texts have one id.
#[track_caller]
fn same(texts: &[&str]) {
    for text in &texts[1..] {
        assert_eq!(
            of_text(text).template,
            of_text(texts[0]).template,
            "of {text:?}"
        );
        assert_eq!(of_text(text).id, of_text(texts[0]).id);
    }
}

/// No two texts have one id.
#[track_caller]
fn apart(texts: &[&str]) {
    for (i, a) in texts.iter().enumerate() {
        for b in &texts[i + 1..] {
            assert_ne!(
                of_text(a).id,
                of_text(b).id,
                "{a:?} and {b:?}: {}",
                of_text(a).template
            );
        }
    }
}

#[test]
fn the_id_is_short_stable_and_made_from_the_template() {
    let print = of_text("ValueError: bad thing");
    assert_eq!(print.template, "valueerror: bad thing");
    assert_eq!(print.id, "fp_6696ac2155bd0512");
}

#[test]
fn paths_do_not_matter_whatever_they_look_like() {
    same(&[
        "cannot open /usr/lib/x.so now",
        "cannot open src/main.rs:10:5 now",
        "cannot open C:\\x y\\z now",
        "cannot open ~/notes now",
        "cannot open ../up/there.txt now",
        "cannot open foo.txt now",
        "cannot open main.py now",
        "cannot open /var/lib/job 4/main.c now",
    ]);
}

#[test]
fn numbers_hashes_and_ids_do_not_matter() {
    same(&[
        "worker 12 lost item 3",
        "worker 7 lost item 1,024",
        "worker -3 lost item 12.5",
    ]);
    same(&[
        "bad line12 in table",
        "bad TALLY2 in table",
        "bad line7 in table",
    ]);
    same(&[
        "commit 59807616e1fa is missing",
        "commit deadbee64 is missing",
    ]);
    same(&["fault at 0xdeadbeef", "fault at 0x1"]);
    same(&[
        "no job 123e4567-e89b-12d3-a456-426614174000",
        "no job 00000000-0000-0000-0000-000000000000",
    ]);
    same(&[
        "no job 01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "no job 01BX5ZZKBKACTAV9WEVGEMMVRZ",
    ]);
}

#[test]
fn times_addresses_and_versions_do_not_matter() {
    same(&[
        "expired at 2026-03-01T10:11:12Z",
        "expired at 2025-12-31 23:59:59",
        "expired at Mar 12 10:11:12 2026",
    ]);
    same(&[
        "took 12ms and failed",
        "took 3s and failed",
        "took 1m30s and failed",
    ]);
    same(&[
        "cannot reach 10.0.0.1:8080",
        "cannot reach 192.168.7.9",
        "cannot reach fe80::1",
    ]);
    same(&[
        "cannot fetch https://a.example/x?y=1",
        "cannot fetch http://b.example:80/",
    ]);
    same(&[
        "rejected mail to ana@example.org",
        "rejected mail to li.wei@mail.example.com",
    ]);
    same(&[
        "needs v1.2.3 of it, not found",
        "needs v10.0.1-beta of it, not found",
    ]);
}

#[test]
fn quoted_text_does_not_matter_in_any_quotation_marks() {
    for (open, close) in [
        ("'", "'"),
        ("\"", "\""),
        ("`", "`"),
        ("`", "'"),
        ("“", "”"),
        ("‘", "’"),
        ("«", "»"),
        ("「", "」"),
        ("„", "“"),
    ] {
        let text = |name: &str| format!("no column {open}{name}{close} in there");
        same(&[&text("total"), &text("user name"), "no column 'x' in there"]);
    }
}

#[test]
fn quoted_punctuation_is_meaning() {
    apart(&[
        "error: expected ';' before '}'",
        "error: expected ')' before '}'",
        "error: expected ';' before 'x'",
    ]);
}

#[test]
fn escape_codes_line_ends_and_trailing_space_do_not_matter() {
    same(&[
        "error: disk is full",
        "\u{1b}[1;31merror\u{1b}[0m: disk is full   \r\n",
        "\u{1b}]8;;file:///x\u{7}error: disk is full\u{1b}]8;;\u{7}\n\n",
        "10%\r50%\r100%\nerror: disk is full",
        "10%\r50%\rerror: disk is full",
    ]);
}

#[test]
fn the_prefix_of_a_logger_does_not_matter() {
    same(&[
        "cannot reach the warehouse",
        "2026-03-01 10:11:12,123 ERROR cannot reach the warehouse",
        "[2026-03-01T10:11:12Z] [ERROR] cannot reach the warehouse",
        "2026-03-01 10:11:12 ERROR [worker-3] com.acme.Shop - cannot reach the warehouse",
        "[ERROR] cannot reach the warehouse",
        "ERROR: cannot reach the warehouse",
    ]);
    same(&[
        "Mar 12 10:11:12 web1 shopd[123]: cannot reach the warehouse",
        "Apr  1 00:00:00 db-7 shopd[9]: cannot reach the warehouse",
    ]);
}

#[test]
fn an_apostrophe_does_not_swallow_the_text() {
    let print = of_text("can't find column 'x' and won't parse");
    assert_eq!(print.template, "can't find column <str> and won't parse");
    same(&[
        "it’s broken and can’t be repaired",
        "it's broken and can't be repaired",
    ]);
    apart(&["can't read it, won't try", "can't write it, won't try"]);
}

#[test]
fn a_quotation_mark_without_its_partner_hides_nothing() {
    apart(&["unexpected \" in the header", "unexpected \" in the footer"]);
    apart(&["missing ' in the header", "missing ' in the footer"]);
}

#[test]
fn the_subject_of_a_tool_is_volatile_and_what_it_says_is_not() {
    same(&["sh: 1: foo: not found", "sh: 12: bar_2: not found"]);
    same(&[
        "bash: foo: command not found",
        "bash: kubectl: command not found",
    ]);
    same(&["zsh: command not found: foo", "zsh: command not found: bar"]);
    same(&[
        "cat: x: No such file or directory",
        "cat: a/b.txt: No such file or directory",
    ]);
    same(&[
        "ls: cannot access 'x': No such file or directory",
        "ls: cannot access 'y/z': No such file or directory",
    ]);
    apart(&[
        "cat: x: No such file or directory",
        "cat: x: Permission denied",
        "cat: x: Is a directory",
        "ls: cannot access 'x': No such file or directory",
    ]);
}

#[test]
fn names_in_known_slots_are_volatile() {
    same(&[
        "unknown column total in query",
        "unknown column rows in query",
    ]);
    same(&[
        "ReferenceError: foo is not defined",
        "ReferenceError: barBaz is not defined",
    ]);
    same(&[
        "TypeError: cart.total is not a function",
        "TypeError: render is not a function",
    ]);
    same(&[
        "./a.go:3:2: undefined: foo",
        "./b/c.go:77:1: undefined: total_rows",
    ]);
    same(&["no such table: orders", "no such table: main.users2"]);
    same(&["No module named foo", "No module named bar_baz"]);
}

#[test]
fn classes_and_codes_of_errors_are_meaning() {
    apart(&["ValueError: bad", "TypeError: bad", "KeyError: bad", "bad"]);
    apart(&["error[E0308]: nope", "error[E0382]: nope"]);
    apart(&[
        "a.ts(1,2): error TS2322: nope",
        "a.ts(1,2): error TS2345: nope",
    ]);
    apart(&["HTTP 404", "HTTP 500", "HTTP 503"]);
    apart(&[
        "request failed with status code 404",
        "request failed with status code 503",
    ]);
    apart(&["exit status 1", "exit status 2", "exit status 137"]);
    apart(&["npm ERR! code ENOENT", "npm ERR! code EACCES"]);
    apart(&["ORA-00942: nope", "ORA-00904: nope"]);
    apart(&["database said SQLITE_BUSY", "database said SQLITE_LOCKED"]);
    apart(&[
        "ERROR 1146 (42S02): nope",
        "ERROR 1146 (42S22): nope",
        "ERROR 1054 (42S22): nope",
    ]);
    apart(&["OSError: [Errno 2] nope", "OSError: [Errno 13] nope"]);
}

#[test]
fn cue_words_are_meaning() {
    apart(&[
        "unexpected token",
        "expected token",
        "unknown token",
        "missing token",
        "token not found",
        "token denied",
        "token timeout",
        "stuck",
        "no_progress",
        "constraint_failed",
        "syntax",
    ]);
}

#[test]
fn other_scripts_keep_their_meaning_and_lose_their_names() {
    apart(&[
        "ошибка: файл не найден",
        "ошибка: доступ запрещён",
        "错误：找不到文件",
        "错误：权限不足",
        "エラー: 接続に失敗しました",
        "エラー: 権限がありません",
        "خطأ: تعذر العثور على الملف",
        "خطأ: انتهت المهلة",
        "Fehler: ungültiger Schlüssel",
        "Fehler: ungültige Größe",
    ]);
    same(&[
        "Ошибка: не удалось открыть «a.csv» за 12 с",
        "ОШИБКА: не удалось открыть «отчёт за май» за 7 с",
    ]);
    same(&["第93行：变量“a”未定义", "第7行：变量“总数”未定义"]);
    same(&[
        "エラー: ファイル「a.txt」が見つかりません",
        "エラー: ファイル「/x/予定.txt」が見つかりません",
    ]);
    assert_eq!(
        of_text("第93行：变量“a”未定义").template,
        "第<num>行：变量<str>未定义"
    );
}

#[test]
fn an_output_is_grouped_by_its_error_and_not_by_frames_or_excerpts() {
    let python = |file: &str, n: u32| {
        format!(
            "Traceback (most recent call last):\n  File \"{file}\", line {n}, in <module>\n    raise OSError('{n}')\n    ^^^^\nKeyError: 'a{n}'\n"
        )
    };
    same(&[
        &python("/a/b.py", 3),
        &python("C:\\x\\y.py", 77),
        "KeyError: 'z'",
    ]);
    let panic = |file: &str, n: u32| {
        format!(
            "\nthread 'main' ({n}) panicked at {file}:{n}:9:\nindex out of bounds: the len is {n} but the index is {n}\nnote: run with `RUST_BACKTRACE=1`\n"
        )
    };
    same(&[&panic("src/main.rs", 3), &panic("lib/x.rs", 9000)]);
    let java = |class: &str, n: u32| {
        format!(
            "Exception in thread \"main\" java.lang.RuntimeException: outer\n\tat {class}.main({class}.java:{n})\nCaused by: java.io.IOException: disk gone\n\tat {class}.f({class}.java:{n})\n\t... {n} more\n"
        )
    };
    same(&[&java("Shop", 3), &java("com.acme.Cart", 12)]);
    let node = |file: &str, n: u32| {
        format!(
            "{file}:{n}\n    throw new TypeError('x{n}')\n    ^\n\nTypeError: pool is drained\n    at f ({file}:{n}:3)\n\nNode.js v20.1.{n}\n"
        )
    };
    same(&[
        &node("/srv/a.js", 3),
        &node("/home/b/c.js", 12),
        "TypeError: pool is drained",
    ]);
    let gcc = |file: &str, n: u32| {
        format!(
            "{file}: In function ‘main’:\n{file}:{n}:7: error: ‘a{n}’ undeclared (first use in this function)\n   {n} |   return a{n};\n     |          ^~\n{file}:{n}:7: note: each undeclared identifier is reported only once\n"
        )
    };
    same(&[&gcc("a.c", 3), &gcc("/x/y.c", 12)]);
    let cargo = |n: u32| {
        format!(
            "error[E0308]: mismatched types\n --> src/x{n}.rs:{n}:5\n  |\n{n} |     let a: u8 = \"error: {n}\";\n  |            ^ expected\n\nerror: aborting due to {n} previous errors\n"
        )
    };
    same(&[&cargo(1), &cargo(2)]);
    let ld = |n: u32| {
        format!(
            "/usr/bin/ld: /tmp/cc{n}x.o: in function `main':\na.c:(.text+0x{n}): undefined reference to `f{n}'\ncollect2: error: ld returned 1 exit status\n"
        )
    };
    same(&[&ld(1), &ld(22)]);
}

#[test]
fn two_errors_of_one_tool_stay_apart() {
    apart(&[
        "error[E0308]: mismatched types\n --> a.rs:1:1\n",
        "error[E0425]: cannot find value `x` in this scope\n --> a.rs:1:1\n",
        "error: expected `;`, found `}`\n --> a.rs:1:1\n",
        "thread 'main' panicked at a.rs:1:1:\nattempt to divide by zero\n",
        "thread 'main' panicked at a.rs:1:1:\ncalled `Option::unwrap()` on a `None` value\n",
    ]);
    apart(&[
        "fatal: not a git repository",
        "fatal: bad object x",
        "error: pathspec 'x' did not match any file(s)",
        "fatal: a branch named 'x' already exists",
    ]);
}

#[test]
fn noise_around_an_error_changes_nothing() {
    let error = "psql: relation \"orders\" does not exist";
    let noisy = format!(
        "   Compiling a v0.1.0\nDownloading 10%\rDownloading 100%\nwarning: unused variable: `x`\n2026-03-01 10:00:00 INFO starting\n\n{error}\nmake: *** [all] Error 2\nFinished in 3.2s\n0 errors in the log\nProcess exited with code 1\n"
    );
    same(&[error, &noisy]);
}

#[test]
fn a_message_in_json_is_read() {
    same(&[
        r#"{"error":{"code":429,"message":"Too many requests","id":"a1"}}"#,
        r#"{"error":{"code":429,"message":"Too many requests","id":"zz top"}}"#,
    ]);
    apart(&[
        r#"{"error":{"message":"Too many requests"}}"#,
        r#"{"error":{"message":"No such model"}}"#,
        r#"{"error":{"code":404}}"#,
        r#"{"error":{"code":500}}"#,
    ]);
    apart(&[
        r#"level=error msg="cannot dial" host="a""#,
        r#"level=error msg="cannot bind" host="a""#,
    ]);
}

#[test]
fn what_a_tool_guesses_does_not_matter() {
    same(&[
        "NameError: name 'x' is not defined",
        "NameError: name 'y' is not defined. Did you mean: 'z'?",
    ]);
}

#[test]
fn a_template_is_bounded_and_its_own_template() {
    let long = format!("error: {}", "several words that go on ".repeat(200));
    assert!(of_text(&long).template.chars().count() <= 400);
    assert!(of_text(&"x".repeat(100_000)).template.chars().count() <= 400);
    for text in [
        "cat: a/b: No such file or directory",
        "error[E0308]: mismatched types",
        "expected ';' before '}' at 12:3",
        "第93行：变量“a”未定义",
        &long,
    ] {
        let print = of_text(text);
        assert_eq!(of_text(&print.template), print, "of {text:?}");
    }
}

#[test]
fn a_text_without_anything_visible_has_a_fingerprint_of_its_own() {
    same(&["", " \n\t\r\n", "\u{1b}[0m"]);
    assert_eq!(of_text("").template, "<empty>");
    apart(&["", "?!"]);
}

#[test]
fn ten_megabytes_are_read_in_one_pass() {
    let text = "2026-03-01 10:00:00 INFO fine\n".repeat(350_000) + "error: the boiler is cold\n";
    assert_eq!(of_text(&text).template, "the boiler is cold");
    assert_eq!(of_text(&("z".repeat(10 << 20) + " b")).template.len(), 400);
}

#[test]
fn one_exception_is_one_error_in_a_traceback_and_in_a_test_report() {
    same(&[
        "KeyError: 'a'",
        "E   KeyError: 'b'\n",
        "Traceback (most recent call last):\n  x\nKeyError: 'c'",
    ]);
    apart(&["E   assert 1 == 2", "E   assert 1 in 2"]);
}

#[test]
fn old_and_new_panics_are_known_by_their_message() {
    apart(&[
        "thread 'main' panicked at 'out of oil', src/a.rs:1:2",
        "thread 'main' panicked at 'out of gas', src/a.rs:1:2",
    ]);
    apart(&[
        "assertion `left == right` failed",
        "assertion `left != right` failed",
    ]);
}

#[test]
fn the_name_of_a_shell_may_have_a_dash() {
    same(&[
        "-bash: foo: command not found",
        "bash: bar: command not found",
    ]);
}
