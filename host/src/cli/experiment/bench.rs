//! The bench on which experiments are done: components, stores, interruption, and where reports go.

use std::{
    fs,
    io::{IsTerminal, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use clap::Args;
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction, signal};
use twiceshy::{
    Adapter, Cache, Home, MapStore, MemoryComponent, Project, ProjectStore, Settings, wit::memory,
};
use twiceshy_experiment::{Arm, Hire, Lab, Learner, Paint, Plan, Report, Site, Watch, page, table};

use crate::cli::{arguments::Common, context, failure::Failure};

/// What is kept of an experiment.
#[derive(Debug, Args)]
pub(crate) struct Output {
    /// Write the report as one HTML page, too.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Keep the memories as memory-1, planted-1 … in this directory, to look into with --memory.
    #[arg(long, value_name = "DIR")]
    pub(crate) keep: Option<PathBuf>,
}

/// Everything that experiments need.
pub(crate) struct Bench<'a> {
    component: MemoryComponent,
    adapter: Adapter,
    output: &'a Output,
    json: bool,
}

/// Set by the first interruption.
static STOP: AtomicBool = AtomicBool::new(false);

impl<'a> Bench<'a> {
    /// Loads the components and makes sure that what is to be kept can be.
    pub(crate) fn new(common: &Common, output: &'a Output) -> Result<Self, Failure> {
        if let Some(page) = &output.html {
            let place = directory_of(page);
            if !place.is_dir() {
                return Err(Failure::input(format!(
                    "--html {}: there is no directory {}",
                    page.display(),
                    place.display()
                )));
            }
        }
        if let Some(kept) = &output.keep {
            let is_empty = fs::read_dir(kept).map_or(true, |mut entries| entries.next().is_none());
            if !is_empty || kept.is_file() {
                return Err(Failure::input(format!(
                    "--keep {}: it is there already; name a new or empty directory",
                    kept.display()
                )));
            }
        }
        let cache = Cache::new(Home::find().cache(), |name| context::announce(name, true));
        Ok(Self {
            component: MemoryComponent::bundled(&cache)?,
            adapter: Adapter::cli(&cache)?,
            output,
            json: common.json,
        })
    }

    /// Whether people read what is printed.
    pub(crate) fn tells_people(&self) -> bool {
        !self.json
    }

    /// Colours only on a terminal.
    pub(crate) fn paint(&self) -> Paint {
        match std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
            true => Paint::Colours,
            false => Paint::Plain,
        }
    }

    /// Does the runs of a plan. The first interruption ends it in order, the second one at once.
    pub(crate) fn perform(
        &self,
        plan: &Plan,
        executor: Option<&Hire<'_>>,
        watch: &Watch<'_>,
    ) -> Result<Report, Failure> {
        stop_in_order();
        if executor.is_some() {
            // An executor that has ended is told about, not died of.
            // SAFETY: no handler is installed, the signal is only ignored.
            let _ = unsafe { signal(Signal::SIGPIPE, SigHandler::SigIgn) };
        }
        let memories = |site: &Site| self.memory(site);
        let lab = Lab {
            adapter: &self.adapter,
            memories: &memories,
            executor,
            watch,
            stop: &STOP,
            threads: thread::available_parallelism().map_or(1, usize::from),
        };
        lab.perform(plan)
            .map_err(|failure| Failure::other(failure.to_string()))
    }

    fn memory(&self, site: &Site) -> Result<Box<dyn Learner>, memory::Error> {
        let Some(kept) = self
            .output
            .keep
            .as_ref()
            .filter(|_| site.arm != Arm::NoMemory)
        else {
            let memory = self.component.over(MapStore::new());
            return Ok(Box::new(memory.clock(site.clock.clone()).build()));
        };
        let name = match site.arm {
            Arm::Planted => "planted",
            _ => "memory",
        };
        let place = kept.join(format!("{name}-{}", site.seed));
        fs::create_dir_all(kept)
            .map_err(|error| memory::Error::Storage(format!("{}: {error}", kept.display())))?;
        let store = ProjectStore::new(Project::at(place), &Settings::default());
        let memory = self.component.over(store);
        Ok(Box::new(memory.clock(site.clock.clone()).build()))
    }

    /// Writes the page, prints the report, and says by the exit code whether all is well.
    pub(crate) fn publish(&self, report: &Report) -> Result<ExitCode, Failure> {
        if let Some(place) = &self.output.html {
            write_whole(place, &page(report))
                .map_err(|error| Failure::other(format!("{}: {error}", place.display())))?;
        }
        let mut out = std::io::stdout().lock();
        match self.json {
            true => {
                let text = serde_json::to_string(report)
                    .map_err(|error| Failure::other(error.to_string()))?;
                writeln!(out, "{text}")?;
            }
            false => write!(out, "{}", table(report, self.paint()))?,
        }
        if report.interrupted {
            if self.tells_people() {
                eprintln!("twiceshy: interrupted; this is about the seeds that were finished");
            }
            return Ok(ExitCode::from(130));
        }
        Ok(match report.ok {
            true => ExitCode::SUCCESS,
            false => ExitCode::FAILURE,
        })
    }
}

/// A file is there as a whole or not at all.
fn write_whole(place: &Path, text: &str) -> std::io::Result<()> {
    let mut name = std::ffi::OsString::from(".");
    name.push(place.file_name().unwrap_or_default());
    name.push(format!(".{}", std::process::id()));
    let draft = directory_of(place).join(name);
    fs::write(&draft, text)
        .and_then(|()| fs::rename(&draft, place))
        .inspect_err(|_| {
            let _ = fs::remove_file(&draft);
        })
}

fn directory_of(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Interruption asks to stop. A second one finds the default action again and ends the program.
fn stop_in_order() {
    extern "C" fn ask(_: nix::libc::c_int) {
        STOP.store(true, Ordering::Relaxed);
    }
    let action = SigAction::new(
        SigHandler::Handler(ask),
        SaFlags::SA_RESETHAND | SaFlags::SA_RESTART,
        SigSet::empty(),
    );
    for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
        // SAFETY: the handler only stores to an atomic, which is allowed in a handler.
        let _ = unsafe { sigaction(signal, &action) };
    }
}
