//! What holds for every line: no panic, commands in their order, and a text that reads as the same commands again.

use proptest::prelude::*;
use twiceshy_shell::{
    Connector, failed_command, is_answer, is_looking_around, is_proven, is_success_bought, join,
    one_line, parse,
};

/// Pieces of command lines, so that many of them can be read.
fn line() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "ls",
        "git push",
        "cat a.txt",
        "echo 'a b'",
        "X=1",
        "sudo",
        "timeout 5",
        "env A=b",
        "bash -c",
        "'make all'",
        "\"cd x && make\"",
        "cd app",
        "&&",
        "||",
        ";",
        "|",
        "&",
        "\n",
        " ",
        " ",
        " ",
        "(",
        ")",
        "{ ",
        "; }",
        "2>&1",
        "> out",
        "<<EOF",
        "\nEOF\n",
        "# no",
        "$(",
        "`",
        "'",
        "\"",
        "\\",
        "$x",
        "${y}",
        "[[",
        "]]",
        "((",
        "))",
        "if ",
        "; then ",
        "; fi",
        "for x in a; do ",
        "; done",
        "case x in ",
        "esac",
        ";;",
        "!",
        "größe",
        "\t",
        "\r\n",
        "a=(",
    ]);
    prop_oneof![
        4 => proptest::collection::vec(piece, 0..14).prop_map(|pieces| pieces.join(" ")),
        1 => any::<String>(),
    ]
}

proptest! {
    // A failure is told with its input; a file of failures would be one more thing to keep.
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 1024, ..ProptestConfig::default() })]

    #[test]
    fn nothing_makes_it_panic_and_there_is_always_a_command(line in line(), output in any::<String>(), exit in any::<i64>()) {
        let read = parse(&line);
        prop_assert!(!read.commands.is_empty());
        let _ = failed_command(&read, &output, i32::try_from(exit).ok());
        let _ = failed_command(&read, &format!("bash: line 1: {line}: x\nls: {output}"), None);
        let _ = is_success_bought(&read);
        for (index, command) in read.commands.iter().enumerate() {
            let _ = (is_answer(command, exit), is_looking_around(command), is_proven(&read, index), command.verb());
        }
        let flat = one_line(&line);
        prop_assert!(!flat.contains(|c: char| c.is_control()), "{:?}", flat);
    }

    #[test]
    fn the_commands_and_what_is_between_them_are_the_line(line in line()) {
        let read = parse(&line);
        let mut at = 0;
        let mut last = 0..0;
        for command in &read.commands {
            let span = command.span.clone();
            prop_assert!(line.get(span.clone()).is_some(), "{:?}", span);
            if span == last {
                continue;
            }
            prop_assert!(span.start >= at, "{:?} overlaps", span);
            // Only connectors, blanks, groups, comments and the lines of documents are no commands.
            let between = &line[at..span.start];
            let first = between.trim_start().chars().next();
            prop_assert!(first.is_none_or(|c| "&|;(){}!#\n\\".contains(c) || line[..at].contains("<<")), "{:?}", between);
            if command.wrappers.is_empty() && command.redirections.is_empty() {
                prop_assert_eq!(&command.text, &line[span.clone()]);
            }
            at = span.end;
            last = span;
        }
        prop_assert!(read.commands.last().is_some_and(|last| !matches!(last.connector, Some(Connector::And | Connector::Or | Connector::Pipe))));
    }

    #[test]
    fn the_text_of_a_line_is_the_same_when_it_is_read_again(line in line()) {
        let read = parse(&line);
        let again = parse(&read.text);
        // A place that the text does not show leads to no other text.
        if read.commands.iter().all(|command| !command.is_opaque && !command.is_change_of_place()) {
            prop_assert_eq!(again.text, read.text);
        }
    }

    #[test]
    fn words_that_are_joined_are_the_words_that_are_read(words in proptest::collection::vec("[^\0]{0,12}", 1..6)) {
        let mut words = words;
        words.insert(0, "x".to_owned());
        let read = parse(&join(&words));
        prop_assert_eq!(&read.commands[0].words, &words);
        let inner = ["bash".to_owned(), "-c".to_owned(), join(&words)];
        prop_assert_eq!(&parse(&join(&inner)).commands[0].words, &words);
    }
}
