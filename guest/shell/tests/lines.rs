//! Command lines as agents and people write them, and what is in them.

use twiceshy_shell::{Connector, Line, failed_command, is_looking_around, parse, unwrapped};

fn texts(line: &Line) -> Vec<&str> {
    line.commands
        .iter()
        .map(|command| command.text.as_str())
        .collect()
}

#[test]
fn wrappers_and_the_place_are_taken_off() {
    for (line, text) in [
        ("npm test", "npm test"),
        ("  npm   test ; ", "npm   test"),
        ("cd app && npm test", "npm test"),
        ("cd app; npm test", "npm test"),
        ("cd app\nnpm test", "npm test"),
        ("cd app || exit 1; npm test", "npm test"),
        ("cd a && cd b && npm test", "npm test"),
        ("pushd a && npm test", "npm test"),
        ("(cd app && npm test)", "npm test"),
        ("bash -c 'npm test'", "npm test"),
        ("bash -lc \"cd app && npm test\"", "npm test"),
        ("/bin/sh -c 'cd app && npm test'", "npm test"),
        ("bash -euo pipefail -c 'npm test'", "npm test"),
        ("bash --login -c 'npm test'", "npm test"),
        ("sh -c 'sh -c \"npm test\"'", "npm test"),
        ("cd app && bash -lc 'npm ci; npm test'", "npm ci; npm test"),
        ("timeout 60 npm test", "npm test"),
        ("timeout -k 5 --signal=INT 1m npm test", "npm test"),
        ("time -p npm test", "npm test"),
        ("nice -n 10 nohup npm test &", "npm test &"),
        ("nice -19 npm test", "npm test"),
        ("stdbuf -oL -eL npm test", "npm test"),
        ("command npm test", "npm test"),
        ("exec npm test", "npm test"),
        ("env CI=1 npm test", "CI=1 npm test"),
        ("env npm test", "npm test"),
        ("env -u CI npm test", "env -u CI npm test"),
        ("CI=1 npm test", "CI=1 npm test"),
        ("sudo npm test", "sudo npm test"),
        ("sudo -E timeout 5 npm test", "sudo -E npm test"),
        ("sudo bash -c 'npm test'", "sudo npm test"),
        (
            "sudo bash -c 'npm ci && npm test'",
            "sudo bash -c 'npm ci && npm test'",
        ),
        (
            "timeout 60 bash -c 'npm test' > log 2>&1",
            "npm test > log 2>&1",
        ),
        ("npm ci && bash -c 'a && b'", "npm ci && a && b"),
        ("npm ci && bash -c 'a; b'", "npm ci && bash -c 'a; b'"),
        (
            "npm ci && bash -c 'a || b' && c",
            "npm ci && bash -c 'a || b' && c",
        ),
        ("bash -c 'a; b' | sort", "bash -c 'a; b' | sort"),
        ("bash -c 'a' | sort", "a | sort"),
        ("npm test 2>&1", "npm test"),
        ("! timeout 5 npm test", "! npm test"),
        ("bash -c 'npm ci; npm test' 2>&1", "npm ci; npm test"),
        ("npm test 2>&1 && ls", "npm test && ls"),
        ("npm test 2>&1 | tail", "npm test 2>&1 | tail"),
        ("npm test > log 2>&1", "npm test > log 2>&1"),
        ("twiceshy run --task x -- npm test", "npm test"),
        ("npm test # all of them", "npm test"),
        ("bash -c 'echo \"$1\"' _ x", "bash -c 'echo \"$1\"' _ x"),
        (
            "cat > a.txt <<'EOF'\nx && y\nEOF\n",
            "cat > a.txt <<'EOF'\nx && y\nEOF",
        ),
    ] {
        assert_eq!(unwrapped(line), text, "{line}");
    }
}

#[test]
fn what_does_something_of_its_own_is_no_wrapper() {
    for line in [
        "cd app",
        "cd",
        "env",
        "exec > log",
        "command -v npm",
        "sudo -l",
        "timeout --help",
        "bash x.sh",
        "bash",
        "bash -n x.sh",
        "time",
        "xargs rm",
        "npx jest",
        "poetry run pytest",
        "docker exec web sh -c 'ls'",
        "ls && cd app",
        "$ cd app",
    ] {
        assert_eq!(unwrapped(line), line, "{line}");
        assert_eq!(parse(line).place, None, "{line}");
    }
}

#[test]
fn a_list_is_its_commands_with_what_stands_between_them() {
    let line = parse("cd a && X=1 make -j4 2>&1 | tail -5; (b || c) & d\ne");
    assert_eq!(
        texts(&line),
        ["cd a", "X=1 make -j4 2>&1", "tail -5", "b", "c", "d", "e"]
    );
    use Connector::{And, Background, Line as End, Or, Pipe, Then};
    let connectors: Vec<_> = line.commands.iter().map(|one| one.connector).collect();
    assert_eq!(
        connectors,
        [
            Some(And),
            Some(Pipe),
            Some(Then),
            Some(Or),
            Some(Background),
            Some(End),
            None
        ]
    );
    let make = &line.commands[1];
    assert_eq!(make.words, ["make", "-j4"]);
    assert_eq!(make.assignments, [("X".to_owned(), "1".to_owned())]);
    assert_eq!(make.place.as_deref(), Some("a"));
    assert_eq!(
        (
            make.redirections[0].operator.as_str(),
            make.redirections[0].target.as_str()
        ),
        ("2>&", "1")
    );
    assert_eq!(line.place.as_deref(), Some("a"));
    assert_eq!(line.text, "X=1 make -j4 2>&1 | tail -5; (b || c) & d\ne");
}

#[test]
fn the_commands_of_a_script_are_those_of_the_line() {
    let line =
        parse("cd /srv && sudo -u web bash -lc 'cd app && npm ci && npm run \"my build\"' 2>err");
    assert_eq!(
        texts(&line),
        [
            "cd /srv",
            "sudo -u web cd app",
            "sudo -u web npm ci",
            "sudo -u web npm run \"my build\""
        ]
    );
    let last = &line.commands[3];
    assert_eq!(last.words, ["npm", "run", "my build"]);
    assert_eq!(last.wrappers, ["sudo", "bash"]);
    assert!(last.is_elevated());
    assert_eq!(last.place.as_deref(), Some("/srv/app"));
}

#[test]
fn quotes_substitutions_and_documents_hide_what_looks_like_a_list() {
    for (line, commands) in [
        ("echo 'a && b' \"c; d\" e\\;f", 1),
        ("echo \"$(a; b | c)\" `d; e`", 1),
        ("echo ${x:-a;b} $((1 | 2)) $(( (1) ))", 1),
        ("diff <(sort a; cat) <(sort b)", 1),
        ("a=(1 2 3) ls", 1),
        ("ls !(*.txt) @(a|b)", 1),
        ("[[ $a == b && -f c ]]", 1),
        ("[[ $a =~ ^(x|y)$ ]] && ls", 2),
        ("((i++)); ls", 2),
        ("for x in a b; do c; d; done && e", 2),
        ("while read -r x; do echo \"$x\"; done < a | sort", 2),
        ("if a; then b; elif c; then d; else e; fi; f", 2),
        ("case $x in a|b) c;; (d) e; f;; *) g; esac && h", 2),
        ("f() { a; b; }; f", 2),
        ("function f { a; }; f", 2),
        ("cat <<EOF && ls\na; b && 'c\nEOF\npwd", 3),
        ("cat <<'A' <<-\"B\"\n1;\nA\n\t2;\n\tB\nls", 2),
        ("python3 - <<'PY'\nprint('it')\nPY", 1),
        ("a 2>&1 >b <c 3<<<d &>e", 1),
        ("find . -name '*.c' -exec grep -l x {} \\;", 1),
        ("echo a#b # c; d", 1),
        ("! a | b", 2),
        (
            "git commit -m \"$(cat <<'EOF'\nDon't (really)\nEOF\n)\" && git push",
            2,
        ),
        ("awk '{print $1}' a | sort -k2,2 | uniq -c", 3),
    ] {
        let read = parse(line);
        let opaque = read.commands.len() == 1 && read.commands[0].is_opaque;
        assert!(!opaque, "{line}");
        assert_eq!(read.commands.len(), commands, "{line}: {read:?}");
    }
}

#[test]
fn what_can_not_be_read_is_one_command() {
    for line in [
        "echo 'open",
        "a && ",
        "a | | b",
        "(a",
        "a )",
        "if a; then b",
        "echo $(a",
        "done",
        "",
        "# only",
        "\"",
        "a >",
    ] {
        let read = parse(line);
        assert_eq!(read.commands.len(), 1, "{line}");
        assert!(read.commands[0].is_opaque, "{line}");
        assert_eq!(read.text, line.trim());
    }
    assert_eq!(parse("awk '{print $1").commands[0].program(), "awk");
    let deep = "(".repeat(100_000);
    assert!(parse(&deep).commands[0].is_opaque);
    let nested = format!("{}a{}", "$(".repeat(5_000), ")".repeat(5_000));
    assert!(parse(&nested).commands[0].is_opaque);
}

#[test]
fn the_verb_is_what_the_program_shall_do() {
    let verb = |line: &str| parse(line).commands[0].verb().map(str::to_owned);
    assert_eq!(verb("git -C app push origin").as_deref(), Some("push"));
    assert_eq!(verb("npm run build").as_deref(), Some("run"));
    assert_eq!(verb("npm --prefix web run build").as_deref(), Some("run"));
    assert_eq!(verb("make"), None);
    assert_eq!(verb("cat a.txt"), None);
    assert_eq!(verb("ls -l"), None);
}

#[test]
fn the_command_that_failed_is_named_by_the_output_or_by_its_place() {
    for (line, output, exit, failed) in [
        ("a && b", "", Some(1), Some(1)),
        (
            "git add x && git commit -m y",
            "fatal: pathspec 'x' did not match any files",
            Some(128),
            Some(0),
        ),
        (
            "git pull && make",
            "fatal: not a git repository",
            Some(128),
            Some(0),
        ),
        (
            "cat a.txt | grep b",
            "cat: a.txt: No such file or directory",
            Some(1),
            Some(0),
        ),
        (
            "foo x && bar y",
            "bash: line 1: foo: command not found",
            Some(127),
            Some(0),
        ),
        ("ls; foo x; pwd", "sh: 1: foo: not found", Some(0), Some(1)),
        (
            "ls && foo",
            "zsh: command not found: foo",
            Some(127),
            Some(1),
        ),
        (
            "sudo foo && ls",
            "sudo: foo: command not found",
            Some(1),
            Some(0),
        ),
        (
            "cd /no && ls",
            "bash: line 1: cd: /no: No such file or directory",
            Some(1),
            Some(0),
        ),
        (
            "echo x > /no/a && ls",
            "bash: line 1: /no/a: No such file or directory",
            Some(1),
            Some(0),
        ),
        (
            "npm ci && node x.js",
            "npm ERR! code ENOENT\nnpm ERR! path /x",
            Some(254),
            Some(0),
        ),
        (
            "make && ls",
            "make: *** No targets specified and no makefile found.  Stop.",
            Some(2),
            Some(0),
        ),
        (
            "make -C a && make -C b install",
            "make[1]: *** [Makefile:2: install] Error 1",
            Some(2),
            Some(1),
        ),
        (
            "./a.sh && ls",
            "./a.sh: line 3: frob: command not found",
            Some(127),
            Some(0),
        ),
        (
            "bash a.sh && ls x",
            "a.sh: line 3: frob: command not found",
            Some(127),
            Some(0),
        ),
        ("npm test && echo ok", "1 failed", Some(1), Some(0)),
        ("npm test 2>&1 | tail -5", "1 failed", Some(0), None),
        ("npm test 2>&1 | tail -5", "1 failed", None, Some(0)),
        ("npm test || exit 3", "1 failed", Some(3), Some(0)),
        (
            "npm install && npm test",
            "npm warn deprecated x\n1 failing",
            Some(1),
            Some(1),
        ),
        (
            "cat x | grop y | sort",
            "cat: x: Permission denied\nbash: line 1: grop: command not found",
            Some(0),
            Some(0),
        ),
        ("ls", "cat: x", Some(2), Some(0)),
        ("make; ls", "all good", Some(0), None),
    ] {
        assert_eq!(
            failed_command(&parse(line), output, exit),
            failed,
            "{line}: {output}"
        );
    }
}

#[test]
fn looking_around_changes_nothing() {
    for line in [
        "ls -la",
        "cat a",
        "git status",
        "git branch",
        "git branch -vv --all",
        "git log --oneline -5",
        "git diff HEAD~1",
        "git remote -v",
        "git stash list",
        "pwd",
        "which npm",
        "man ls",
        "npm --help",
        "npm help",
        "cargo -V",
        "git tag",
        "find . -name x",
        "sed -n 1,5p a",
        "git -C app status",
        "cat a 2>/dev/null",
        "ps aux",
        "docker ps",
        "git push --help",
        "git config --get user.name",
        "grep -rn x src",
        "command -v npm",
        "cd app",
    ] {
        assert!(is_looking_around(&parse(line).commands[0]), "{line}");
    }
    for line in [
        "git push",
        "git branch new",
        "git branch -d old",
        "git checkout x",
        "git stash",
        "git tag v1",
        "git remote add a b",
        "npm test",
        "make",
        "cat a > b",
        "find . -delete",
        "find . -exec rm {} +",
        "sed -i s/a/b/ c",
        "rm a",
        "npm install",
        "git config user.name x",
        "for x in a; do ls; done",
        "docker run x",
        "git stash pop",
        "python3 x.py",
        "git branch --set-upstream-to=origin/main",
        "./git status",
    ] {
        assert!(!is_looking_around(&parse(line).commands[0]), "{line}");
    }
}

#[test]
fn a_backtick_before_a_quote_within_quotes_comes_to_an_end() {
    for line in ["echo \"a`'b\"", "echo \"`\"\"", "echo \"$'`'\""] {
        assert_eq!(
            twiceshy_shell::parse(line).commands[0].program(),
            "echo",
            "{line}"
        );
    }
}
