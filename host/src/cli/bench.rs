//! `twiceshy bench`: what a memory costs as it grows, in time and on the disk, beside bare SQLite in the same run.
//!
//! One memory is filled from size to size through the component, as a program would, and measured at each. Nothing is
//! cached between runs. Times are those of whole JSON calls; the machine and what else runs on it decide about them.

mod plot;
mod table;
mod work;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

use clap::Args;
use serde::Serialize;
use serde_json::{Value, json};
use twiceshy::{
    BareSqlite, BundledEmbedder, Cache, Home, Memory, MemoryComponent, Project, ProjectStore,
    Settings,
    wit::{
        adapter::{Goal, Step},
        host::{Clock, Store as _},
    },
};

use super::{
    arguments::Common, context::Context, export::progress, failure::Failure, interruption,
};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy bench
  twiceshy bench --sizes 1000,10000,100000 --svg bench.svg
  twiceshy bench --bytes 10000 --json
  twiceshy bench --sizes 1000,10000,100000,1000000 --dir /mnt/disk --keep
  twiceshy bench --sizes 1000000 --again /mnt/disk/twiceshy-bench-4711

Fills a memory of its own with made-up episodes, from size to size, and measures it at each: taking in, one durable
write, search, recall, a cold start, a step through an adapter, consolidation, the room on disk. A baseline in bare
SQLite (a table, FTS5, a commit that is synced) is measured beside it. `growth` is the power of the number of episodes
by which a figure grew since the size before: 0 is constant, 1 is in proportion. Your own memory is not touched, and
Ctrl-C removes what was made so far.";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The numbers of episodes to measure at, from small to large.
    #[arg(long, value_name = "N,N", value_delimiter = ',', default_values_t = [1_000, 10_000])]
    sizes: Vec<u64>,
    /// The size of an episode in bytes, from 1,000 to 20,000.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1_000..=20_000))]
    bytes: u64,
    /// How often each question is asked.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    turns: u32,
    /// Where the memory is made; the disk under it is what is measured. Default: the directory for temporary files.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Keep the memory instead of removing it.
    #[arg(long)]
    keep: bool,
    /// Measure a memory that an earlier run kept, as large as it is, or filled up to larger sizes.
    #[arg(long, value_name = "DIR", conflicts_with = "dir")]
    again: Option<PathBuf>,
    /// Leave consolidation out.
    #[arg(long)]
    no_consolidation: bool,
    /// In the end remove the oldest 99 % of the episodes, and measure what is left of the file.
    #[arg(long)]
    prune: bool,
    /// Write the figures as a picture, too.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// A figure at a size.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Row {
    episodes: u64,
    name: String,
    unit: &'static str,
    /// The median, or the only value.
    value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    p99: Option<f64>,
    /// The same by bare SQLite.
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<f64>,
    /// What one took of a processor, in milliseconds: what else runs on the machine does not change it much.
    #[serde(skip_serializing_if = "Option::is_none")]
    processor: Option<f64>,
    /// The power of the number of episodes by which it grew since the size before.
    #[serde(skip_serializing_if = "Option::is_none")]
    growth: Option<f64>,
}

pub(crate) fn bench(arguments: &Arguments, common: &Common) -> Result<ExitCode, Failure> {
    let mut sizes = arguments.sizes.clone();
    sizes.sort_unstable();
    sizes.dedup();
    if sizes.first().is_none_or(|size| *size < 100) {
        return Err(Failure::input("--sizes: a size is at least 100 episodes"));
    }
    let parent = arguments.dir.clone().unwrap_or_else(std::env::temp_dir);
    let new = || parent.join(format!("twiceshy-bench-{}", std::process::id()));
    let place = arguments.again.clone().unwrap_or_else(new);
    let keep = arguments.keep || arguments.again.is_some();
    interruption::watch();
    fs::create_dir_all(&place)
        .map_err(|error| Failure::input(format!("{}: {error}", place.display())))?;
    let measured = measure(arguments, &sizes, &place);
    if !keep {
        let _ = fs::remove_dir_all(&place);
    }
    if measured.is_err() && interruption::is_wanted() {
        let done = if keep { "kept" } else { "removed" };
        eprintln!("Interrupted; {} was {done}.", place.display());
        return Ok(ExitCode::from(interruption::EXIT_CODE));
    }
    let rows = measured?;
    if let Some(file) = &arguments.svg {
        fs::write(file, plot::svg(&rows))
            .map_err(|error| Failure::input(format!("{}: {error}", file.display())))?;
    }
    let report = json!({
        "bytes": arguments.bytes,
        "turns": arguments.turns,
        "memory": keep.then(|| place.display().to_string()),
        "rows": rows,
    });
    Context::new(common)?.print(&report, || table::lines(&rows))
}

/// What is measured, and what it is compared with.
struct Bench {
    memory: Memory,
    /// The same memory as it is a month later, when every episode is old enough to be consolidated.
    later: Memory,
    store: ProjectStore,
    bare: BareSqlite,
    place: PathBuf,
    bytes: usize,
    turns: u32,
    /// How many episodes there are.
    filled: u64,
    /// When the first of them ended, so that the last one ends about now: those that are years old are not searched.
    first_ended_at: u64,
}

fn measure(arguments: &Arguments, sizes: &[u64], place: &Path) -> Result<Vec<Row>, Failure> {
    let home = Home::find();
    let component = MemoryComponent::bundled(&Cache::new(home.cache(), |_| {}))?;
    let project = Project::at(place.join("memory"));
    let store = ProjectStore::new(project, &Settings::default());
    let filled = match store.existing()? {
        Some(file) => u64::from(file.count("episode", &[])?),
        None => 0,
    };
    let last = sizes.last().copied().unwrap_or_default().max(filled);
    let singles = sizes.len() as u64 * u64::from(arguments.turns);
    let memory = || component.over(store.clone()).embedder(BundledEmbedder);
    let mut bench = Bench {
        memory: memory().build(),
        later: memory().clock(Later).build(),
        store,
        bare: BareSqlite::open(&place.join("bare.db")).map_err(Failure::other)?,
        place: place.to_owned(),
        bytes: arguments.bytes as usize,
        turns: arguments.turns,
        filled,
        first_ended_at: now_ms() - (last + singles) * work::APART_MS,
    };
    let bar = progress("filling", last);
    let mut rows: Vec<Row> = Vec::new();
    for size in sizes {
        let mut own = bench.at(*size, &bar)?;
        if !arguments.no_consolidation {
            bar.set_message("consolidating");
            own.push(bench.consolidation()?);
        }
        for row in &mut own {
            let before = rows.iter().rev().find(|earlier| earlier.name == row.name);
            row.growth = before.map(|before| {
                let times = row.episodes as f64 / before.episodes as f64;
                (row.value / before.value).ln() / times.ln()
            });
        }
        rows.extend(own);
        bar.set_message("filling");
    }
    if arguments.prune {
        bar.set_message("pruning");
        rows.push(bench.prune()?);
    }
    bar.finish_and_clear();
    Ok(rows)
}

impl Bench {
    /// Calls the memory, unless somebody asked for the end of the work: everything that takes long goes through here.
    fn call(&self, method: &str, arguments: &str) -> Result<String, Failure> {
        called(&self.memory, method, arguments)
    }

    /// When an episode ended.
    fn ended_at(&self, number: u64) -> u64 {
        self.first_ended_at + number * work::APART_MS
    }

    /// The arguments by which an episode is added.
    fn episode(&self, number: u64) -> String {
        work::episode(number, self.bytes, self.ended_at(number)).to_string()
    }

    /// Fills the memory up to a size, and measures it there.
    fn at(&mut self, size: u64, bar: &indicatif::ProgressBar) -> Result<Vec<Row>, Failure> {
        let mut rows = Vec::new();
        if size > self.filled {
            rows.push(self.fill(size, bar)?);
        }
        bar.set_message("measuring");
        rows.push(self.durable_write()?);
        let file = self.store.made()?;
        file.give_back()?;
        let bytes = file.size_bytes()? as f64;
        rows.push(self.row(
            "room on disk",
            "bytes an episode",
            bytes / self.filled as f64,
        ));
        let search = |number: u64| json!({"query": {"text": work::task(number), "limit": 10}});
        let mut found = self.timed("search", "episodes.search", &search)?;
        found.baseline = Some(self.bare_search()?);
        rows.push(found);
        let on_error = |number: u64| {
            let (evidence, task) = (work::error(number), work::task(number));
            json!({"failure": {"action-text": "cargo test", "evidence": evidence, "domain": "cli", "task": task}})
        };
        rows.push(self.timed("recall on error", "recall.on-error", &on_error)?);
        let context = |number: u64| json!({"request": {"task": work::task(number), "domain": "cli", "tokens": 2_000}});
        rows.push(self.timed("recall for a task", "recall.context", &context)?);
        rows.extend(self.start()?);
        rows.push(self.adapter_step()?);
        rows.push(self.row("memory of the process", "MiB", most_resident()));
        Ok(rows)
    }

    fn row(&self, name: &str, unit: &'static str, value: f64) -> Row {
        Row {
            episodes: self.filled,
            name: name.to_owned(),
            unit,
            value,
            p99: None,
            baseline: None,
            processor: None,
            growth: None,
        }
    }

    /// Takes episodes in, in a group of which a thousand after the other become durable; the same bytes go into bare SQLite, a thousand in a commit.
    fn fill(&mut self, size: u64, bar: &indicatif::ProgressBar) -> Result<Row, Failure> {
        let (mut own, mut bare) = (Duration::ZERO, Duration::ZERO);
        let mut processor = 0.0;
        let count = size - self.filled;
        // There has to be a memory before its writes can be grouped.
        let store = self.store.clone();
        store.make()?;
        let group = store.group()?;
        while self.filled < size {
            let some: Vec<_> = (self.filled..size.min(self.filled + 1_000))
                .map(|number| (number, self.episode(number)))
                .collect();
            let (begun, before) = (Instant::now(), processor_ms());
            for (number, episode) in &some {
                self.call("episodes.add", episode)?;
                bar.set_position(*number);
            }
            if let Some(group) = &group {
                group.flush()?;
            }
            own += begun.elapsed();
            processor += processor_ms() - before;
            let pairs: Vec<_> = some
                .into_iter()
                .map(|(number, episode)| (episode, work::task(number)))
                .collect();
            let begun = Instant::now();
            self.bare.write(&pairs).map_err(Failure::other)?;
            bare += begun.elapsed();
            self.filled += pairs.len() as u64;
        }
        let (begun, before) = (Instant::now(), processor_ms());
        super::import::ended(group)?;
        own += begun.elapsed();
        processor += processor_ms() - before;
        let rate = |took: Duration| count as f64 / took.as_secs_f64();
        let mut row = self.row("taking in", "episodes a second", rate(own));
        row.baseline = Some(rate(bare));
        row.processor = Some(processor / count as f64);
        Ok(row)
    }

    /// One episode at a time, each on the disk before the next.
    fn durable_write(&mut self) -> Result<Row, Failure> {
        let (mut own, mut bare) = (Vec::new(), Vec::new());
        let mut processor = 0.0;
        for _ in 0..self.turns {
            let episode = self.episode(self.filled);
            let (begun, before) = (Instant::now(), processor_ms());
            self.call("episodes.add", &episode)?;
            own.push(begun.elapsed());
            processor += processor_ms() - before;
            let pair = [(episode, work::task(self.filled))];
            let begun = Instant::now();
            self.bare.write(&pair).map_err(Failure::other)?;
            bare.push(begun.elapsed());
            self.filled += 1;
        }
        let mut row = self.figure("durable write", own);
        row.processor = Some(processor / f64::from(self.turns));
        row.baseline = Some(median(bare));
        Ok(row)
    }

    fn bare_search(&self) -> Result<f64, Failure> {
        let mut took = Vec::new();
        for number in self.questions() {
            let begun = Instant::now();
            self.bare
                .search(&work::task(number))
                .map_err(Failure::other)?;
            took.push(begun.elapsed());
        }
        Ok(median(took))
    }

    /// Which episodes are asked about: spread over all of them.
    fn questions(&self) -> impl Iterator<Item = u64> + use<> {
        let (filled, turns) = (self.filled, u64::from(self.turns));
        (0..turns).map(move |turn| turn * filled / turns)
    }

    fn timed(
        &self,
        name: &str,
        method: &str,
        arguments: &dyn Fn(u64) -> Value,
    ) -> Result<Row, Failure> {
        self.call(method, &arguments(1).to_string())?;
        let mut took = Vec::new();
        let before = processor_ms();
        for number in self.questions() {
            let arguments = arguments(number).to_string();
            let begun = Instant::now();
            self.call(method, &arguments)?;
            took.push(begun.elapsed());
        }
        let mut row = self.figure(name, took);
        row.processor = Some((processor_ms() - before) / f64::from(self.turns));
        Ok(row)
    }

    fn figure(&self, name: &str, mut took: Vec<Duration>) -> Row {
        took.sort_unstable();
        let p99 = took[(took.len() - 1) * 99 / 100];
        let mut row = self.row(name, "ms", median(took));
        row.p99 = Some(milliseconds(p99));
        row
    }

    /// The first answer of a process that begins with nothing.
    fn start(&self) -> Result<Vec<Row>, Failure> {
        let program = std::env::current_exe()?;
        let (mut first, mut bare) = (Vec::new(), Vec::new());
        for number in self.questions().take(10) {
            let arguments = json!({"query": {"text": work::task(number), "limit": 10}}).to_string();
            let run = |words: &[&str]| -> Result<Duration, Failure> {
                let begun = Instant::now();
                let mut command = Command::new(&program);
                let command = command.arg("--memory").arg(self.place.join("memory"));
                // Made by this run and removed by it: no mark of it is left in the user's directory.
                let status = command
                    .env("TWICESHY_TRUST", "1")
                    .args(words)
                    .stdout(Stdio::null())
                    .status()?;
                match status.success() {
                    true => Ok(begun.elapsed()),
                    false => Err(Failure::other("a process of this program failed")),
                }
            };
            first.push(run(&["call", "episodes.search", &arguments])?);
            bare.push(run(&["--version"])?);
        }
        let mut row = self.figure("search by a new process", first);
        row.baseline = Some(median(bare));
        Ok(vec![row])
    }

    /// A failed command with an observation of 1 KB, judged by the bundled adapter in its sandbox.
    fn adapter_step(&self) -> Result<Row, Failure> {
        let context = Context::new(&Common {
            memory: Some(self.place.join("memory")),
            json: false,
        })?;
        let adapter = context.adapters().get("cli")?;
        let noise = "note: something that is not the error, at some length\n".repeat(16);
        let observation = json!({"exit": 1, "stdout": "", "stderr": format!("{noise}error: no `x`\n"), "duration-ms": 12});
        let step = Step {
            before: String::new(),
            action: json!({"command": ["rustc", "main.rs"]}).to_string(),
            observation: observation.to_string(),
        };
        let goal = Goal {
            task: String::new(),
            domain: "cli".into(),
            expectations: String::new(),
        };
        let mut took = Vec::new();
        for _ in 0..self.turns {
            let begun = Instant::now();
            adapter.assess(&goal, &[], &step)?;
            took.push(begun.elapsed());
        }
        Ok(self.figure("a step through an adapter", took))
    }

    /// Removes all but the newest hundredth of the episodes, and says what is left of the file.
    fn prune(&self) -> Result<Row, Failure> {
        let file = self.store.made()?;
        file.give_back()?;
        let whole = file.size_bytes()? as f64;
        let before = self.ended_at(self.filled - self.filled / 100);
        let started = processor_ms();
        let group = self.store.group()?;
        let request = json!({"before": before, "dry-run": false}).to_string();
        self.call("upkeep.prune", &request)?;
        if let Some(group) = group {
            group.end()?;
        }
        file.give_back()?;
        let left = 100.0 * file.size_bytes()? as f64 / whole;
        let mut row = self.row("file after pruning 99 %", "% of the file", left);
        row.processor = Some((processor_ms() - started) / self.filled as f64);
        Ok(row)
    }

    /// A whole consolidation, in as many pieces as it takes, of everything that came since the size before. At the time of
    /// the last episode most would be too young for it, another share of them at each size.
    fn consolidation(&self) -> Result<Row, Failure> {
        let (begun, before) = (Instant::now(), processor_ms());
        let mut after = Value::Null;
        loop {
            let request = json!({"request": {"after": after, "hours": YEAR_HOURS}}).to_string();
            let piece = called(&self.later, "upkeep.consolidate", &request)?;
            let piece: Value =
                serde_json::from_str(&piece).map_err(|error| Failure::other(error.to_string()))?;
            after = piece["next"].clone();
            if after.is_null() {
                let mut row = self.row("consolidation", "s", begun.elapsed().as_secs_f64());
                row.processor = Some(processor_ms() - before);
                return Ok(row);
            }
        }
    }
}

fn called(memory: &Memory, method: &str, arguments: &str) -> Result<String, Failure> {
    match interruption::is_wanted() {
        true => Err(Failure::other("interrupted")),
        false => Ok(memory.call(method, arguments)?),
    }
}

/// A clock that is 31 days ahead.
struct Later;

impl Clock for Later {
    fn now(&self) -> u64 {
        now_ms() + 31 * 24 * 60 * 60 * 1_000
    }
}

/// Hours in which all episodes of the bench lie.
const YEAR_HOURS: u32 = 366 * 24;

/// Milliseconds since 1970.
fn now_ms() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |now| now.as_millis() as u64)
}

fn median(mut took: Vec<Duration>) -> f64 {
    took.sort_unstable();
    took.get(took.len() / 2).copied().map_or(0.0, milliseconds)
}

/// What this process has had of processors, in milliseconds.
fn processor_ms() -> f64 {
    let clock = nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID;
    let time = nix::time::clock_gettime(clock).map(Duration::from);
    time.map_or(0.0, milliseconds)
}

/// In milliseconds, to the microsecond.
fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1_000.0
}

/// The most MiB that this process ever had in memory; zero where the system does not say so.
fn most_resident() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kibibytes.unwrap_or_default() / 1_024.0
}
