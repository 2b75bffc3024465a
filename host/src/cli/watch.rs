//! `twiceshy watch`: what hooks do, live: the events, what was said, and what came of it.
//!
//! It reads the log that hooks write, and waits for more. It changes nothing.

use std::{
    fs::File,
    io::{IsTerminal, Read, Seek, SeekFrom, Write},
    os::unix::fs::MetadataExt,
    path::PathBuf,
    process::ExitCode,
    thread,
    time::Duration,
};

use clap::Args;
use twiceshy::Home;

use super::{
    arguments::Common,
    failure::Failure,
    hook::{
        hosts,
        log::{Entry, Log},
    },
    show,
};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy watch                        # what hooks of all hosts do, until Ctrl-C
  twiceshy watch --last 50 --no-follow  # what they did
  twiceshy watch --host codex --json    # a line of JSON for each event";

/// How often the log is looked at.
const PACE: Duration = Duration::from_millis(200);

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Show only events of this host, such as codex.
    #[arg(long, value_name = "NAME")]
    host: Option<String>,
    /// Begin with this many earlier events. Default: 20.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 20,
        hide_default_value = true
    )]
    last: usize,
    /// Show events in which nothing was remembered and nothing was said, too.
    #[arg(long)]
    all: bool,
    /// End after the earlier events instead of waiting for more.
    #[arg(long)]
    no_follow: bool,
}

pub(crate) fn watch(arguments: &Arguments, common: &Common) -> Result<ExitCode, Failure> {
    if let Some(name) = &arguments.host
        && hosts::host(name).is_none()
    {
        let names: Vec<_> = hosts::HOSTS.iter().map(|host| host.name).collect();
        return Err(Failure::input(format!(
            "--host: there is no host `{name}`; there are {}",
            names.join(", ")
        )));
    }
    let log = Log::of(&Home::find());
    let mut tail = Tail::at_end(log.path());
    let earlier: Vec<_> = log
        .entries()
        .into_iter()
        .filter(|one| arguments.wants(one))
        .collect();
    for entry in &earlier[earlier.len().saturating_sub(arguments.last)..] {
        print(entry, common.json)?;
    }
    if arguments.no_follow {
        if earlier.is_empty() && !common.json {
            eprintln!(
                "twiceshy: no hook was called yet; `twiceshy setup` connects the hosts on this machine"
            );
        }
        return Ok(ExitCode::SUCCESS);
    }
    if earlier.is_empty() && !common.json {
        eprintln!("twiceshy: waiting for the first event; Ctrl-C ends this");
    }
    loop {
        for line in tail.lines() {
            let entry = serde_json::from_str::<Entry>(&line);
            if let Some(entry) = entry.ok().filter(|entry| arguments.wants(entry)) {
                print(&entry, common.json)?;
            }
        }
        thread::sleep(PACE);
    }
}

impl Arguments {
    fn wants(&self, entry: &Entry) -> bool {
        let is_idle = matches!(
            entry.what.as_str(),
            "nothing" | "before" | "pause" | "start"
        ) && entry.shown.is_empty()
            && entry.judged.is_empty()
            && entry.trouble.is_none();
        (self.all || !is_idle)
            && self
                .host
                .as_ref()
                .is_none_or(|name| hosts::host(name).is_some_and(|host| host.name == entry.host))
    }
}

fn print(entry: &Entry, json: bool) -> Result<(), Failure> {
    let mut output = std::io::stdout().lock();
    if json {
        let line = show::json(entry).map_err(|error| Failure::other(error.to_string()))?;
        writeln!(output, "{line}")?;
    } else {
        let is_terminal = std::io::stdout().is_terminal();
        for line in lines(entry, is_terminal) {
            writeln!(output, "{line}")?;
        }
    }
    Ok(output.flush()?)
}

/// An event as lines for a person.
fn lines(entry: &Entry, coloured: bool) -> Vec<String> {
    let paint = |code: &str, text: &str| match coloured {
        true => format!("\x1b[{code}m{text}\x1b[0m"),
        false => text.to_owned(),
    };
    let what = match entry.what.as_str() {
        "failed" => paint("31", "failed"),
        "worked" => paint("32", "worked"),
        other => show::line(other),
    };
    let time = show::time(entry.at);
    let time = time.split(' ').next_back().unwrap_or_default();
    let note = entry
        .note
        .iter()
        .map(|note| format!("  ({})", show::line(note)));
    let mut lines = vec![format!(
        "{time}  {:<9} {}  {what:<6}  {}{}  {} ms",
        show::line(&entry.host),
        show::line(&entry.session),
        show::line(&entry.action),
        note.collect::<String>(),
        entry.ms
    )];
    lines.extend(entry.shown.iter().map(|shown| {
        let said = paint("36", "said");
        format!(
            "          {said}  {} [{}]",
            show::line(&shown.text),
            show::line(&shown.lesson)
        )
    }));
    lines.extend(entry.judged.iter().map(|judged| {
        let (lesson, verdict) = (show::line(&judged.lesson), show::line(&judged.verdict));
        format!(
            "          {}  {lesson}: {verdict}",
            paint("35", "came of it")
        )
    }));
    lines.extend(entry.trouble.iter().map(|trouble| {
        format!(
            "          {}  {}",
            paint("33", "trouble"),
            show::line(trouble)
        )
    }));
    lines
}

/// The end of a file that others add to, and set aside when it is long.
struct Tail {
    path: PathBuf,
    file: Option<File>,
    rest: Vec<u8>,
}

impl Tail {
    fn at_end(path: PathBuf) -> Self {
        let mut file = File::open(&path).ok();
        if let Some(file) = &mut file {
            let _ = file.seek(SeekFrom::End(0));
        }
        Self {
            path,
            file,
            rest: Vec::new(),
        }
    }

    /// The lines that were added since.
    fn lines(&mut self) -> Vec<String> {
        self.read();
        // What is left of a file that was set aside is read before the new one.
        let now = std::fs::metadata(&self.path).ok().map(|data| data.ino());
        let ours = self.file.as_ref().and_then(|file| file.metadata().ok());
        if now.is_some() && now != ours.map(|data| data.ino()) {
            self.file = File::open(&self.path).ok();
            self.read();
        }
        let end = self
            .rest
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        let whole: Vec<_> = self.rest.drain(..end).collect();
        String::from_utf8_lossy(&whole)
            .lines()
            .map(str::to_owned)
            .collect()
    }

    fn read(&mut self) {
        if let Some(file) = &mut self.file {
            let _ = file.read_to_end(&mut self.rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_tail_of_a_log_goes_on_when_the_log_is_set_aside() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("log");
        fs::write(&path, "old\n").expect("written");
        let mut tail = Tail::at_end(path.clone());
        let add = |text: &str| {
            let mut file = File::options()
                .append(true)
                .create(true)
                .open(&path)
                .expect("a file");
            file.write_all(text.as_bytes()).expect("written");
        };
        add("a\nhalf");
        assert_eq!(tail.lines(), ["a"]);
        add(" a line\nb\n");
        fs::rename(&path, directory.path().join("former")).expect("renamed");
        add("c\n");
        assert_eq!(tail.lines(), ["half a line", "b", "c"]);
        assert!(tail.lines().is_empty());
    }
}
