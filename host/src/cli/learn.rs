//! `twiceshy learn`: lessons from the sessions that hosts already keep.
//!
//! Owns the arguments and the order of work. Formats are in `formats`, one file each; how a session becomes runs of the
//! memory is in `intake`.

mod asciinema;
mod claude;
mod codex;
mod copilot;
mod formats;
mod gemini;
mod intake;
mod mini_swe_agent;
mod opencode;
mod qwen;
mod records;
mod report;
mod session;
mod sources;
mod swe_agent;

use std::{
    path::PathBuf,
    process::ExitCode,
    sync::mpsc::{self, SyncSender},
    thread,
    time::{SystemTime, UNIX_EPOCH},
};

use clap::Args;
use sha2::{Digest, Sha256};
use twiceshy::{
    Adapter, MapStore, Memory, MemoryComponent, PluginError, ProjectArchive, ProjectStore,
    wit::memory::{Error, Upkeep},
    worktree,
};

use super::{
    context::{Context, StandardError},
    export::progress,
    failure::Failure,
    interruption,
};
use intake::{Known, Past, Piece};
use report::Report;
use session::{Place, Session};
use sources::{Found, Source, Wanted};

pub(crate) const EXAMPLES: &str = "\
Examples:
  twiceshy learn                                 # from every host on this machine
  twiceshy learn --from claude --from codex
  twiceshy learn --from trajectories/ --dry-run
  twiceshy learn --from session.jsonl --json

Hosts: claude, codex, gemini, qwen, opencode, copilot, mini-swe-agent. Files of these formats may be anywhere, and so may those
of swe-agent and asciinema (if the shell marks its commands by OSC 133). A shell's history has neither outputs nor exit
codes, so nothing can be learned from it.

Of a host, the sessions of this project are read; --everywhere takes those of other projects, too. Files and directories
that are named are read whole. Secrets are masked before anything is stored. What was read before adds nothing, so that the
same command can be repeated; after Ctrl-C it continues where it stopped. Sessions older than 60 days are dated 60 days
back, so that what they taught is not archived as unused at once.";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// A host, a file or a directory. May be repeated. Default: every host on this machine.
    #[arg(long, value_name = "HOST|PATH", num_args = 1..)]
    from: Vec<String>,
    /// Take sessions of other projects, too.
    #[arg(long)]
    everywhere: bool,
    /// Learn into a memory that is thrown away, and show the report.
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn learn(context: &Context, arguments: &Arguments) -> Result<ExitCode, Failure> {
    if context.is_off() {
        return Ok(ExitCode::SUCCESS);
    }
    let mut found = sources::find(&arguments.from)?;
    let adapter = context.adapters().get("cli")?;
    let component = MemoryComponent::bundled(&context.cache())?;
    let past = Past::default();
    let memory = memory(context, &component, &past, arguments.dry_run);
    interruption::watch();
    let mut report = Report {
        dry_run: arguments.dry_run,
        missing_hosts: missing(&found),
        troubles: std::mem::take(&mut found.troubles),
        ..Report::default()
    };
    let before = lessons(&memory)?;
    let work = Work {
        kept: context.memory()?,
        adapter: &adapter,
        capture_bytes: context.settings.capture_kib << 10,
        places: match arguments.everywhere {
            true => None,
            false => Some(Places::of(context)),
        },
    };
    let store = context.store();
    let store = (!arguments.dry_run).then_some(&store);
    work.go_through(&found.sources, &memory, store, &past, &mut report)?;
    report.lessons = lessons(&memory)?.saturating_sub(before);
    report.interrupted = interruption::is_wanted();
    report.finish();
    context.print(&report, || report.lines())?;
    match report.interrupted {
        true => Ok(ExitCode::from(interruption::EXIT_CODE)),
        false => Ok(ExitCode::SUCCESS),
    }
}

/// The memory that learns, with the clock of what happened: the project's, or one that is thrown away.
fn memory(context: &Context, component: &MemoryComponent, past: &Past, dry_run: bool) -> Memory {
    let builder = match dry_run {
        true => component.over(MapStore::new()),
        false => component
            .over(context.store())
            .archive(ProjectArchive::beside(context.store())),
    };
    builder
        .clock(past.clone())
        .log(StandardError::new(context.settings.log_level))
        .build()
}

fn lessons(memory: &Memory) -> Result<u32, Error> {
    Ok(memory.status()?.lessons)
}

fn missing(found: &Found) -> Vec<&'static str> {
    let missing = found.hosts.iter().filter(|(_, is_here)| !is_here);
    missing.map(|(host, _)| *host).collect()
}

/// What is read by one thread and handed to the one that writes.
enum Read {
    Source {
        bytes: u64,
    },
    /// A file that is no transcript.
    Other {
        bytes: u64,
    },
    Trouble(String),
    Damaged(u32),
    /// A session that is left out.
    Known,
    Live,
    Elsewhere,
    /// A session that has something new follows.
    New,
    Piece {
        piece: Box<Piece>,
        written_at: u64,
    },
    Failed(Failure),
}

struct Work<'a> {
    /// The memory that knows what was read before.
    kept: Memory,
    adapter: &'a Adapter,
    capture_bytes: usize,
    /// Where sessions count as those of this project; none if all are wanted.
    places: Option<Places>,
}

impl Work<'_> {
    /// Reads and judges in one thread, writes in another.
    fn go_through(
        &self,
        sources: &[Source],
        memory: &Memory,
        store: Option<&ProjectStore>,
        past: &Past,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let now = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
        let bar = progress(
            "learning",
            sources
                .iter()
                .map(|source| source.bytes)
                .sum::<u64>()
                .max(1),
        );
        thread::scope(|scope| {
            // Room for a few runs, so that neither waits for the other.
            let (sender, receiver) = mpsc::sync_channel(4);
            scope.spawn(move || {
                for source in sources {
                    if interruption::is_wanted() || self.read(source, &sender).is_err() {
                        return;
                    }
                }
            });
            // Runs wait for the disk together. A memory that is not there yet is made by the first of them.
            let mut group = None;
            for read in receiver {
                match read {
                    Read::Source { bytes } => {
                        report.files += 1;
                        bar.inc(bytes);
                    }
                    Read::Other { bytes } => {
                        report.others += 1;
                        bar.inc(bytes);
                    }
                    Read::Trouble(trouble) => report.troubles.push(trouble),
                    Read::Damaged(damaged) => report.damaged += damaged,
                    Read::Known => report.known += 1,
                    Read::Live => report.live += 1,
                    Read::Elsewhere => report.elsewhere += 1,
                    Read::New => report.sessions += 1,
                    Read::Piece { piece, written_at } => {
                        report.unjudged += piece.unjudged;
                        if let Some(submitted) = piece.submit(memory, past, written_at, now)? {
                            report.add(&submitted);
                        }
                        if let (None, Some(store)) = (&group, store) {
                            group = store.group()?;
                        }
                    }
                    Read::Failed(failure) => return Err(failure),
                }
            }
            if let Some(group) = group {
                group.end()?;
            }
            bar.finish_and_clear();
            Ok(())
        })
    }

    /// Reads a source. An error means that nobody listens any more.
    fn read(&self, source: &Source, sender: &SyncSender<Read>) -> Result<(), Gone> {
        let tell = |read: Read| sender.send(read).map_err(|_| Gone);
        let trouble =
            |why: String| tell(Read::Trouble(format!("{}: {why}", source.path.display())));
        let format = match sources::format_of(source) {
            Ok(Some(format)) => format,
            Ok(None) => {
                return tell(Read::Other {
                    bytes: source.bytes,
                });
            }
            Err(why) => return trouble(why),
        };
        let found = match (format.read)(&source.path) {
            Ok(found) => found,
            Err(error) => return trouble(error.to_string()),
        };
        if found.damaged > 0 {
            tell(Read::Damaged(found.damaged))?;
        }
        for session in found
            .sessions
            .iter()
            .filter(|session| !session.steps.is_empty())
        {
            let places = self
                .places
                .as_ref()
                .filter(|_| source.wanted == Wanted::Host);
            if places.is_some_and(|places| !places.have(&session.place)) {
                tell(Read::Elsewhere)?;
                continue;
            }
            let known = match intake::known(&self.kept, format.name, session) {
                Ok(Known::Live) => {
                    tell(Read::Live)?;
                    continue;
                }
                Ok(Known::Runs(known)) => known,
                Err(error) => return tell(Read::Failed(error.into())),
            };
            let pieces = intake::pieces(format.name, session, &known);
            tell(if pieces.is_empty() {
                Read::Known
            } else {
                Read::New
            })?;
            for steps in pieces {
                if interruption::is_wanted() {
                    return Err(Gone);
                }
                let read = match self.judged(format.name, session, steps) {
                    Ok(piece) => Read::Piece {
                        piece: Box::new(piece),
                        written_at: source.written_at,
                    },
                    Err(error) => Read::Failed(error.into()),
                };
                tell(read)?;
            }
        }
        tell(Read::Source {
            bytes: source.bytes,
        })
    }

    fn judged(
        &self,
        format: &str,
        session: &Session,
        steps: &[session::Step],
    ) -> Result<Piece, PluginError> {
        intake::judged(self.adapter, format, session, steps, self.capture_bytes)
    }
}

/// Nobody listens any more.
struct Gone;

/// The directories of this project.
struct Places {
    roots: Vec<PathBuf>,
    hashes: Vec<String>,
}

impl Places {
    fn of(context: &Context) -> Self {
        let root = context.project.directory().parent();
        let mut roots: Vec<_> = root.map(worktree::trees).unwrap_or_default();
        let real = roots.iter().filter_map(|root| root.canonicalize().ok());
        let real: Vec<_> = real.collect();
        roots.extend(real);
        roots.dedup();
        let hash = |root: &PathBuf| {
            let digest = Sha256::digest(root.as_os_str().as_encoded_bytes());
            digest.iter().map(|byte| format!("{byte:02x}")).collect()
        };
        Self {
            hashes: roots.iter().map(hash).collect(),
            roots,
        }
    }

    fn have(&self, place: &Place) -> bool {
        match place {
            Place::Unknown => false,
            Place::Directory(directory) => {
                self.roots.iter().any(|root| directory.starts_with(root))
            }
            Place::Hash(hash) => self.hashes.contains(hash),
        }
    }
}
