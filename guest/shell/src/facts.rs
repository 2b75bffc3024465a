//! What is known of programs by their names: which answer with their exit code, which only look, which can't fail.
//!
//! Owns these tables, and nothing else knows a program by its name. They say what a command is for, never what is right:
//! a program that is not in them is taken at its word.

use crate::Command;

/// Programs that are not told what to do, only what to do it to, in the order of their names.
#[rustfmt::skip]
const VERBLESS: [&str; 117] = [
    "awk", "basename", "bash", "bc", "bunzip2", "bzip2", "c++", "cat", "cc", "cd", "chgrp", "chmod",
    "chown", "clang", "clang++", "cmp", "cp", "curl", "cut", "dash", "date", "dd", "df", "diff",
    "dirname", "du", "echo", "egrep", "env", "file", "find", "g++", "gawk", "gcc", "grep", "gunzip",
    "gzip", "head", "id", "java", "javac", "join", "jq", "kill", "ld", "less", "ln", "ls", "make",
    "man", "mawk", "md5sum", "mkdir", "mktemp", "more", "mv", "nano", "nl", "nm", "node", "objdump",
    "open", "paste", "patch", "perl", "pgrep", "ping", "pkill", "prove", "ps", "pwd", "python",
    "python2", "python3", "readlink", "realpath", "rg", "rm", "rmdir", "rsync", "ruby", "rustc",
    "scp", "sed", "seq", "sh", "sha1sum", "sha256sum", "sleep", "sort", "source", "split",
    "sqlite3", "ssh", "stat", "strings", "tac", "tail", "tar", "tee", "test", "touch", "tr",
    "truncate", "uniq", "unzip", "vi", "vim", "wc", "wget", "which", "xargs", "xxd", "xz", "zcat",
    "zip", "zsh",
];

/// Programs in which something is written that nobody sees.
const EDITORS: [&str; 9] = [
    "code", "ed", "edit", "emacs", "hx", "nano", "nvim", "vi", "vim",
];

/// The program is only given operands: its first argument is no verb, as that of `git` is.
pub fn takes_only_operands(program: &str) -> bool {
    VERBLESS.binary_search(&program).is_ok()
}

/// The program is an editor: what is changed in it can't be read from the command.
pub fn is_editor(program: &str) -> bool {
    EDITORS.contains(&program)
}

/// The exit code is an answer, not an error: `grep` found nothing, `diff` found differences, there is no such program.
///
/// ```
/// use twiceshy_shell::{is_answer, parse};
/// let grep = &parse("grep -q needle hay.txt").commands[0];
/// assert!(is_answer(grep, 1));
/// assert!(!is_answer(grep, 2));
/// ```
pub fn is_answer(command: &Command, exit: i64) -> bool {
    match command.is_negated {
        // `!` makes 1 of a success.
        true => exit == 1,
        false => answers(command).contains(&exit),
    }
}

/// The command asks something, and answers with its exit code.
pub fn is_probe(command: &Command) -> bool {
    !answers(command).is_empty()
}

/// The name of a program of the system. `./test` is somebody's own, whatever its name.
fn known(command: &Command) -> &str {
    let program = command.words.first().map_or("", String::as_str);
    let directory = &program[..program.rfind('/').map_or(0, |at| at + 1)];
    match directory {
        "" | "/bin/" | "/usr/bin/" | "/sbin/" | "/usr/sbin/" | "/usr/local/bin/"
        | "/opt/homebrew/bin/" => command.program(),
        _ => "",
    }
}

/// The exit codes by which a command says no.
fn answers(command: &Command) -> &'static [i64] {
    let has = |options: &[&str]| {
        options
            .iter()
            .any(|option| command.words.iter().any(|word| word == option))
    };
    let verb = command.verb().unwrap_or_default();
    match known(command) {
        "grep" | "egrep" | "fgrep" | "zgrep" | "rg" | "ag" | "ack" | "ugrep" => &[1],
        "diff" | "cmp" | "sdiff" | "colordiff" | "zdiff" => &[1],
        "test" | "[" | "[[" | "expr" | "let" => &[1],
        "which" | "type" | "hash" | "pgrep" | "pidof" | "mountpoint" | "fuser" | "lsof" => &[1],
        "command" if has(&["-v", "-V"]) => &[1, 127],
        "kill" if has(&["-0"]) => &[1],
        "jq" if has(&["-e", "--exit-status"]) => &[1, 4],
        "nc" if has(&["-z"]) => &[1],
        "getent" => &[2],
        "dpkg" if has(&["-s", "-l", "-S", "--status"]) => &[1],
        "rpm" if has(&["-q"]) => &[1],
        "systemctl" => match verb {
            "is-active" | "is-enabled" | "is-failed" | "is-system-running" | "status" => &[1, 3, 4],
            _ => &[],
        },
        "git" => match verb {
            "diff" | "diff-index" | "diff-files" | "diff-tree"
                if has(&["--exit-code", "--quiet"]) =>
            {
                &[1]
            }
            "grep" | "check-ignore" => &[1],
            "merge-base" if has(&["--is-ancestor"]) => &[1],
            "show-ref" | "rev-parse" | "symbolic-ref"
                if has(&["--quiet", "-q", "--verify", "--exists"]) =>
            {
                &[1, 2]
            }
            "ls-files" if has(&["--error-unmatch"]) => &[1],
            "ls-remote" if has(&["--exit-code"]) => &[2],
            "config" if has(&["--get", "get", "--get-all"]) => &[1],
            _ => &[],
        },
        _ => &[],
    }
}

/// The command only says what it would do.
///
/// ```
/// use twiceshy_shell::{is_rehearsal, parse};
/// assert!(is_rehearsal(&parse("git clean -nd out").commands[0]));
/// assert!(is_rehearsal(&parse("npm publish --dry-run").commands[0]));
/// assert!(!is_rehearsal(&parse("git commit -n").commands[0]));
/// ```
pub fn is_rehearsal(command: &Command) -> bool {
    let options = || {
        command
            .words
            .iter()
            .skip(1)
            .take_while(|word| *word != "--")
    };
    let says = |names: &[&str]| options().any(|word| names.contains(&word.as_str()));
    let has_letter = |letter: char| {
        options().any(|word| {
            let letters = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
            letters.is_some_and(|letters| letters.len() <= 4 && letters.contains(letter))
        })
    };
    says(&[
        "--dry-run",
        "--dryrun",
        "--simulate",
        "--just-print",
        "--what-if",
    ]) || match known(command) {
        "git" => {
            let verb = command.verb().unwrap_or_default();
            matches!(verb, "add" | "clean" | "mv" | "push" | "rm") && has_letter('n')
        }
        "make" | "rsync" => has_letter('n'),
        _ => false,
    }
}

/// The command only looks: it changes nothing that another command would notice.
///
/// ```
/// use twiceshy_shell::{is_looking_around, parse};
/// assert!(is_looking_around(&parse("git branch -a").commands[0]));
/// assert!(!is_looking_around(&parse("git branch -d old").commands[0]));
/// ```
pub fn is_looking_around(command: &Command) -> bool {
    if command.is_opaque || command.words.is_empty() || writes(command) {
        return false;
    }
    let arguments = || command.words[1..].iter().map(String::as_str);
    let has = |options: &[&str]| arguments().any(|word| options.contains(&word));
    if has(&["--help", "--version", "--usage"]) || is_rehearsal(command) {
        return true;
    }
    let [_, first, ..] = command.words.as_slice() else {
        return looks_by_name(known(command));
    };
    let is_only = command.words.len() == 2;
    if is_only
        && matches!(
            first.as_str(),
            "-h" | "-V" | "-v" | "help" | "version" | "-version"
        )
    {
        return true;
    }
    let verb = command.verb().unwrap_or_default();
    // Names after the verb make something of what would be a list.
    let operands = || {
        arguments()
            .skip_while(|word| *word != verb)
            .skip(1)
            .filter(|word| !word.starts_with('-'))
    };
    match known(command) {
        "git" => match verb {
            "status" | "log" | "diff" | "show" | "blame" | "reflog" | "shortlog" | "describe"
            | "rev-parse" | "rev-list" | "ls-files" | "ls-tree" | "ls-remote" | "cat-file"
            | "grep" | "help" | "show-ref" | "merge-base" | "name-rev" | "whatchanged"
            | "count-objects" | "check-ignore" => true,
            "branch" => {
                !has(&[
                    "-d",
                    "-D",
                    "-m",
                    "-M",
                    "-c",
                    "-C",
                    "-f",
                    "-u",
                    "--delete",
                    "--move",
                    "--copy",
                    "--force",
                    "--edit-description",
                    "--unset-upstream",
                ]) && !arguments().any(|word| word.starts_with("--set-upstream"))
                    && (operands().next().is_none()
                        || has(&["--list", "-l", "--contains", "--merged", "--no-merged"]))
            }
            "tag" => operands().next().is_none() || has(&["-l", "--list"]),
            "remote" => matches!(operands().next(), None | Some("show" | "get-url")),
            "stash" => matches!(operands().next(), Some("list" | "show")),
            "worktree" | "submodule" | "notes" | "bisect" => {
                matches!(operands().next(), Some("list" | "status" | "show" | "log"))
            }
            "config" => has(&["--list", "-l", "--get", "get", "list", "--get-all"]),
            _ => false,
        },
        // Without the name of a script it lists all.
        "npm" | "pnpm" | "yarn" if verb == "run" => operands().next().is_none(),
        "npm" | "pnpm" | "yarn" => matches!(
            verb,
            "ls" | "list"
                | "view"
                | "info"
                | "outdated"
                | "why"
                | "explain"
                | "help"
                | "search"
                | "root"
                | "bin"
        ),
        "pip" | "pip3" => matches!(verb, "list" | "show" | "freeze" | "check" | "index"),
        "cargo" => matches!(
            verb,
            "tree" | "metadata" | "search" | "locate-project" | "pkgid"
        ),
        "go" => matches!(verb, "env" | "list" | "doc" | "version"),
        "docker" | "podman" => matches!(
            verb,
            "ps" | "images"
                | "logs"
                | "inspect"
                | "info"
                | "version"
                | "top"
                | "stats"
                | "port"
                | "history"
                | "diff"
                | "search"
        ),
        "kubectl" => matches!(
            verb,
            "get"
                | "describe"
                | "logs"
                | "explain"
                | "version"
                | "top"
                | "cluster-info"
                | "api-resources"
        ),
        "systemctl" => matches!(
            verb,
            "status"
                | "show"
                | "cat"
                | "is-active"
                | "is-enabled"
                | "is-failed"
                | "list-units"
                | "list-unit-files"
        ),
        "apt" | "apt-cache" | "dnf" | "yum" | "brew" | "snap" => matches!(
            verb,
            "list" | "search" | "show" | "policy" | "info" | "depends" | "rdepends" | "deps"
        ),
        "dpkg" => has(&["-l", "-s", "-L", "-S"]),
        "find" | "fd" => !arguments().any(|word| {
            matches!(
                word,
                "-delete" | "-exec" | "-execdir" | "-ok" | "-okdir" | "-x" | "-X" | "--exec"
            ) || word.starts_with("-fprint")
        }),
        "sed" => !arguments().any(|word| word.starts_with("-i") || word.starts_with("--in-place")),
        "command" => has(&["-v", "-V"]),
        "kill" => has(&["-0", "-l"]),
        "ip" => {
            matches!(
                verb,
                "a" | "addr" | "address" | "link" | "route" | "r" | "neigh"
            ) && !has(&["add", "del", "set", "flush", "replace"])
        }
        "date" => !has(&["-s", "--set"]),
        "hostname" => operands().next().is_none(),
        "sort" => !has(&["-o"]),
        program => looks_by_name(program),
    }
}

fn looks_by_name(program: &str) -> bool {
    matches!(
        program,
        "ls" | "ll"
            | "la"
            | "cat"
            | "bat"
            | "less"
            | "more"
            | "head"
            | "tail"
            | "pwd"
            | "which"
            | "type"
            | "whereis"
            | "man"
            | "info"
            | "tldr"
            | "help"
            | "apropos"
            | "whatis"
            | "tree"
            | "exa"
            | "eza"
            | "stat"
            | "file"
            | "wc"
            | "du"
            | "df"
            | "ps"
            | "top"
            | "htop"
            | "free"
            | "uptime"
            | "who"
            | "w"
            | "whoami"
            | "id"
            | "groups"
            | "uname"
            | "hostname"
            | "date"
            | "cal"
            | "env"
            | "printenv"
            | "echo"
            | "printf"
            | "history"
            | "alias"
            | "jobs"
            | "dirs"
            | "realpath"
            | "readlink"
            | "basename"
            | "dirname"
            | "grep"
            | "egrep"
            | "fgrep"
            | "zgrep"
            | "rg"
            | "ag"
            | "ack"
            | "diff"
            | "cmp"
            | "comm"
            | "test"
            | "["
            | "[["
            | "true"
            | "false"
            | ":"
            | "sort"
            | "uniq"
            | "cut"
            | "tr"
            | "nl"
            | "column"
            | "od"
            | "xxd"
            | "hexdump"
            | "strings"
            | "md5sum"
            | "sha1sum"
            | "sha256sum"
            | "cksum"
            | "pgrep"
            | "pidof"
            | "lsof"
            | "ss"
            | "netstat"
            | "ping"
            | "dig"
            | "nslookup"
            | "host"
            | "getent"
            | "lscpu"
            | "lsblk"
            | "lsmod"
            | "dmesg"
            | "journalctl"
            | "nproc"
            | "arch"
            | "ldd"
            | "nm"
            | "objdump"
            | "readelf"
            | "jq"
            | "yq"
            | "expr"
            | "seq"
            | "sleep"
            | "cd"
            | "pushd"
            | "popd"
            | "clear"
            | "reset"
            | "fd"
            | "find"
            | "ifconfig"
            | "ip"
            | "mount"
            | "locale"
            | "ulimit"
            | "umask"
            | "vmstat"
            | "iostat"
            | "sed"
            | "zcat"
            | "hash"
    )
}

/// It writes a file through the shell.
fn writes(command: &Command) -> bool {
    command
        .redirections
        .iter()
        .any(|one| one.operator.contains('>') && is_file(one))
}

fn is_file(one: &crate::Redirection) -> bool {
    let duplicates = one.operator.ends_with("&")
        && (one.target == "-" || one.target.bytes().all(|byte| byte.is_ascii_digit()));
    !duplicates
        && !matches!(
            one.target.as_str(),
            "/dev/null" | "/dev/stderr" | "/dev/stdout" | "/dev/tty"
        )
}

/// It works whatever happened before it.
pub(crate) fn never_fails(command: &Command) -> bool {
    let reads_file = || {
        let mut streams = command.redirections.iter();
        streams.any(|one| is_file(one) && !one.operator.contains("<<"))
    };
    matches!(known(command), "true" | ":" | "echo" | "printf" | "pwd") && !reads_file()
}

/// It only passes on what it reads, and its exit code hides that of the command before it.
pub(crate) fn is_pager(command: &Command) -> bool {
    matches!(
        known(command),
        "cat" | "head" | "tail" | "tee" | "less" | "more"
    )
}

/// It ends the script with a code of its own.
pub(crate) fn is_exit(command: &Command) -> bool {
    matches!(known(command), "exit" | "return" | "false")
}

/// It ends the script, and not with success.
pub(crate) fn is_bad_exit(command: &Command) -> bool {
    is_exit(command) && command.words.get(1).is_none_or(|code| code != "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_without_verbs_are_known() {
        assert!(VERBLESS.is_sorted());
        assert!(
            takes_only_operands("awk") && takes_only_operands("g++") && takes_only_operands("zip")
        );
        // What they make, run or read has a name of its own in each project.
        for program in ["java", "jq", "make", "sqlite3"] {
            assert!(takes_only_operands(program), "{program}");
        }
        assert!(!takes_only_operands("git") && !takes_only_operands(""));
    }
}
