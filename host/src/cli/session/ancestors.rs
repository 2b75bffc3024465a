//! The process behind a command: who started it, past the shells and wrappers that live only for it.
//!
//! Owns the way up. An agent starts a new `bash -c` for every command, perhaps on a terminal of its own, so neither the
//! parent nor the terminal says what belongs together: the agent does. A shell without a script is somebody who types, and
//! the way ends there. It also ends below what starts everything (init, cron, sshd), which is nobody's work.

use std::fs;

/// How far up the way goes: more wrappers than anybody nests.
const MOST_STEPS: usize = 32;

/// A running process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Process {
    pub(crate) id: u32,
    pub(crate) parent: u32,
    /// When it started, in ticks since the machine did.
    pub(crate) started: u64,
    pub(crate) arguments: Vec<String>,
}

/// Who started a command.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Process(Process),
    /// Somebody outside of this container, which is named by its first process.
    Outside(u64),
}

/// Who started this process.
pub(crate) fn starter() -> Option<Found> {
    above(std::os::unix::process::parent_id(), process)
}

/// The processes above this one that are there for one host of agents: up to the shell that somebody types at, or to what starts
/// everything. Empty if nobody can tell.
pub(crate) fn line() -> Vec<Process> {
    match cfg!(target_os = "linux") {
        true => line_above(std::os::unix::process::parent_id(), process),
        false => Vec::new(),
    }
}

fn line_above(parent: u32, read: impl Fn(u32) -> Option<Process>) -> Vec<Process> {
    let above = std::iter::successors(read(parent), |here| read(here.parent));
    above
        .take(MOST_STEPS)
        .take_while(|here| !starts_everything(here) && !is_typed_at(&here.arguments))
        .filter(|here| !is_passing(&here.arguments))
        .collect()
}

/// When a process started: none in `Some` if there is no such process, nothing at all if nobody can tell.
pub(crate) fn start_of(id: u32) -> Option<Option<u64>> {
    match cfg!(target_os = "linux") {
        true => Some(process(id).map(|process| process.started)),
        false => None,
    }
}

/// Who is behind a process, up to the first that is not there for one command alone.
fn above(parent: u32, read: impl Fn(u32) -> Option<Process>) -> Option<Found> {
    if parent == 0 {
        return Some(Found::Outside(read(1)?.started));
    }
    let mut here = read(parent)?;
    if starts_everything(&here) {
        // Whoever started it has ended.
        return None;
    }
    for _ in 0..MOST_STEPS {
        if !is_passing(&here.arguments) {
            break;
        }
        match here.parent {
            0 if here.id == 1 => break,
            0 => return Some(Found::Outside(read(1)?.started)),
            parent => match read(parent) {
                Some(next) if !starts_everything(&next) => here = next,
                _ => break,
            },
        }
    }
    Some(Found::Process(here))
}

/// A shell with a script, or a program that only runs another one.
fn is_passing(arguments: &[String]) -> bool {
    let Some(program) = arguments.first() else {
        return false;
    };
    match name(program) {
        _ if is_shell(program) => has_script(&arguments[1..]),
        "sudo" | "doas" | "su" | "env" | "timeout" | "time" | "nice" | "ionice" | "nohup"
        | "setsid" | "stdbuf" | "unbuffer" | "script" | "xargs" | "strace" | "twiceshy" => true,
        _ => false,
    }
}

/// A shell without a script: somebody types.
fn is_typed_at(arguments: &[String]) -> bool {
    let shell = arguments.first().filter(|program| is_shell(program));
    shell.is_some() && !has_script(&arguments[1..])
}

fn is_shell(program: &str) -> bool {
    matches!(
        name(program),
        "sh" | "bash" | "zsh" | "dash" | "ksh" | "mksh" | "ash" | "fish"
    )
}

/// A shell with these arguments runs a script; without one, somebody types.
fn has_script(arguments: &[String]) -> bool {
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "-o" | "+o" | "-O" | "+O" | "--rcfile" | "--init-file" => {
                arguments.next();
            }
            "--command" => return true,
            option if option.starts_with("--") => {}
            option if option.starts_with(['-', '+']) => {
                if option.contains('c') {
                    return true;
                }
                // What is typed, or comes through a pipe.
                if option.contains('s') {
                    return false;
                }
            }
            _ => return true,
        }
    }
    false
}

/// It starts what has nothing to do with each other.
fn starts_everything(process: &Process) -> bool {
    let Some(program) = process.arguments.first() else {
        // A thread of the kernel.
        return true;
    };
    matches!(
        name(program),
        "init"
            | "systemd"
            | "launchd"
            | "tini"
            | "docker-init"
            | "dumb-init"
            | "catatonit"
            | "s6-svscan"
            | "runsv"
            | "supervisord"
            | "cron"
            | "crond"
            | "anacron"
            | "atd"
            | "sshd"
            | "sshd-session"
            | "login"
            | "getty"
            | "agetty"
            | "containerd-shim"
            | "containerd-shim-runc-v2"
            | "conmon"
            | "inetd"
            | "xinetd"
    )
}

/// The name of a program as it is started: `-bash` is a login shell, and `sshd: ana@pts/1` one of many.
fn name(program: &str) -> &str {
    let program = program.split([':', ' ']).next().unwrap_or(program);
    let program = program.strip_prefix('-').unwrap_or(program);
    program.rsplit('/').next().unwrap_or(program)
}

/// Reads a process of this machine; none if there is none, or no way to see it.
fn process(id: u32) -> Option<Process> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok();
    let Some(stat) = stat else {
        // Without a list of processes the parent is all that is known.
        let alone = !cfg!(target_os = "linux");
        return alone.then(|| Process {
            id,
            parent: 0,
            started: 0,
            arguments: vec!["?".to_owned()],
        });
    };
    // The name stands in parentheses, and may have some itself.
    let fields: Vec<_> = stat
        .get(stat.rfind(')')? + 1..)?
        .split_whitespace()
        .collect();
    let arguments = fs::read(format!("/proc/{id}/cmdline")).ok()?;
    let arguments = arguments.split(|byte| *byte == 0);
    Some(Process {
        id,
        parent: fields.get(1)?.parse().ok()?,
        started: fields.get(19)?.parse().ok()?,
        arguments: arguments
            .filter(|argument| !argument.is_empty())
            .map(|argument| String::from_utf8_lossy(argument).into_owned())
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who is behind a command that these processes start, the first by the second and so on.
    fn behind(processes: &[&str], pid_of_last: u32) -> Option<Found> {
        let count = u32::try_from(processes.len()).expect("few");
        let read = |id: u32| {
            if id == 1 && pid_of_last != 1 {
                return Some(Process {
                    id: 1,
                    parent: 0,
                    started: 7,
                    arguments: vec!["/sbin/init".to_owned()],
                });
            }
            let from_top = id - pid_of_last;
            let line = processes.get(usize::try_from(count - 1 - from_top).ok()?)?;
            let parent = match from_top {
                0 if pid_of_last == 1 => 0,
                0 => 1,
                _ => id - 1,
            };
            Some(Process {
                id,
                parent,
                started: u64::from(id) * 10,
                arguments: line.split(' ').map(str::to_owned).collect(),
            })
        };
        above(pid_of_last + count - 1, read)
    }

    fn name_behind(processes: &[&str]) -> Option<String> {
        match behind(processes, 100)? {
            Found::Process(process) => Some(process.arguments.join(" ")),
            Found::Outside(_) => Some("outside".to_owned()),
        }
    }

    #[test]
    fn the_line_of_a_host_ends_below_the_shell_that_somebody_types_at() {
        let line = |processes: &[&str]| -> Vec<String> {
            let read = |id: u32| {
                let command = processes.get(usize::try_from(id).ok()?.checked_sub(1)?)?;
                Some(Process {
                    id,
                    parent: id + 1,
                    started: u64::from(id),
                    arguments: command.split(' ').map(str::to_owned).collect(),
                })
            };
            let above = line_above(1, read).into_iter();
            above.map(|one| one.arguments.join(" ")).collect()
        };
        let typed = [
            "sh -c x",
            "codex exec",
            "node codex.js",
            "-bash",
            "sshd: ana",
        ];
        assert_eq!(line(&typed), ["codex exec", "node codex.js"]);
        let started = ["sh -c x", "agent", "cron"];
        assert_eq!(line(&started), ["agent"]);
        assert_eq!(line(&["bash -i", "kitty"]), [""; 0]);
    }

    #[test]
    fn the_shell_that_somebody_types_at_is_behind_what_is_typed() {
        assert_eq!(
            name_behind(&["-bash", "sshd: ana@pts/1"]).as_deref(),
            Some("-bash")
        );
        assert_eq!(
            name_behind(&["sh x.sh", "bash -i", "kitty"]).as_deref(),
            Some("bash -i")
        );
        assert_eq!(
            name_behind(&["zsh -o vi", "tmux new"]).as_deref(),
            Some("zsh -o vi")
        );
        assert_eq!(
            name_behind(&["bash --rcfile x -i", "code"]).as_deref(),
            Some("bash --rcfile x -i")
        );
    }

    #[test]
    fn the_agent_is_behind_the_shells_that_it_starts() {
        for chain in [
            &["bash -c x", "node agent.js", "bash"][..],
            &[
                "/bin/sh -lc x",
                "timeout 60 sh -lc x",
                "sudo -u web timeout",
                "node agent.js",
            ],
            &["twiceshy run -- bash x", "bash x", "node agent.js"],
            &["node agent.js", "init"],
        ] {
            assert_eq!(
                name_behind(chain).as_deref(),
                Some("node agent.js"),
                "{chain:?}"
            );
        }
    }

    #[test]
    fn what_starts_everything_is_behind_nothing() {
        assert_eq!(
            name_behind(&["bash job.sh", "cron -f"]).as_deref(),
            Some("bash job.sh")
        );
        assert_eq!(
            name_behind(&["bash -c x", "sshd: ana@notty"]).as_deref(),
            Some("bash -c x")
        );
        assert_eq!(name_behind(&["/lib/systemd/systemd --user"]), None);
    }

    #[test]
    fn in_a_container_its_first_process_or_somebody_outside_is_behind_it() {
        let first = |chain: &[&str]| match behind(chain, 1) {
            Some(Found::Process(process)) => process.id,
            other => panic!("{other:?}"),
        };
        assert_eq!(first(&["bash -c x", "node agent.js"]), 1);
        assert_eq!(first(&["bash -c x"]), 1);
        let read = |id: u32| {
            Some(Process {
                id,
                parent: 0,
                started: u64::from(id),
                arguments: ["bash", "-c", "x"].map(str::to_owned).to_vec(),
            })
        };
        assert_eq!(above(55, read), Some(Found::Outside(1)));
        assert_eq!(above(0, read), Some(Found::Outside(1)));
    }
}
