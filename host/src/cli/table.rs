//! The table of the commands made by hand: the one source of parser, help, manual, completions and docs/COMMANDS.md.
//!
//! Everything else of the contract has a generated command; see `generated`. A command of both names is the one by hand.

use std::process::ExitCode;

use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::{
    adapter, arguments, arguments::Common, backup, bench, call, config, consolidate,
    context::Context, decisions, demo, doctor, episodes, events, experience, experiment, export,
    failure::Failure, fingerprint, health, hook, import, init, learn, lessons, man, mcp, migrate,
    prune, recall, reindex, run, serve, setup, share, skills, stats, status, task, trust,
    uninstall, watch, why, working,
};

/// What a person wants of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    Use,
    Look,
    Care,
    Extend,
    /// Seldom needed: only its name is on the first page.
    Rare,
    /// Part of another command.
    Part,
}

impl Group {
    /// The groups of the first page, with their headings.
    pub(crate) const ALL: [(Self, &'static str); 4] = [
        (Self::Use, "Use it"),
        (Self::Look, "Look at it"),
        (Self::Care, "Take care of it"),
        (Self::Extend, "Extend it"),
    ];
}

/// A command made by hand.
pub(crate) struct Entry {
    /// Its words, such as `task start`.
    pub(crate) path: &'static str,
    pub(crate) group: Group,
    /// What it does, in one line that begins with a verb.
    pub(crate) about: &'static str,
    /// Examples, and what else there is to know.
    pub(crate) examples: &'static str,
    /// Adds its flags.
    pub(crate) arguments: fn(Command) -> Command,
    /// Does it. A command that is only made of others does nothing by itself.
    pub(crate) run: Option<Act>,
}

/// What a command does with what was typed.
type Act = fn(&Common, &ArgMatches) -> Result<ExitCode, Failure>;

/// A command without flags of its own.
#[derive(Debug, Args)]
pub(crate) struct Nothing {}

macro_rules! commands {
    ($($path:literal $group:ident $about:literal $examples:expr, $kind:ident $($arguments:ty => $run:expr)?;)*) => {
        /// Every command made by hand, in the order of the help.
        pub(crate) static COMMANDS: &[Entry] = &[$(Entry {
            path: $path,
            group: Group::$group,
            about: $about,
            examples: $examples,
            arguments: commands!(@arguments $($arguments)?),
            run: commands!(@run $kind $($arguments => $run)?),
        }),*];
    };
    (@arguments) => { |command| command };
    (@arguments $arguments:ty) => { <$arguments as Args>::augment_args };
    (@run group) => { None };
    // With the project and its settings, which most commands need.
    (@run with $arguments:ty => $run:expr) => {
        Some(|common, matches| $run(&Context::new(common)?, &parsed::<$arguments>(matches)?))
    };
    // As `with`, for a command that keeps them for longer than one call.
    (@run owned $arguments:ty => $run:expr) => {
        Some(|common, matches| $run(Context::new(common)?, &parsed::<$arguments>(matches)?))
    };
    (@run bare $arguments:ty => $run:expr) => { Some(|common, _| $run(&Context::new(common)?)) };
    (@run plain $arguments:ty => $run:expr) => {
        Some(|common, matches| $run(&parsed::<$arguments>(matches)?, common))
    };
}

fn parsed<A: FromArgMatches>(matches: &ArgMatches) -> Result<A, Failure> {
    A::from_arg_matches(matches).map_err(|error| Failure::usage(error.to_string()))
}

/// A command runs whatever is wrong with its memory.
fn run_command(arguments: &arguments::Run, common: &Common) -> Result<ExitCode, Failure> {
    Ok(run::run(arguments, common))
}

commands! {
    "run" Use "Run a command unchanged; if it fails, show what helped before"
        arguments::RUN_EXAMPLES, plain arguments::Run => run_command;
    "task" Use "Group several commands into one task, and score it"
        task::EXAMPLES, group;
    "task start" Part "Open a task: print its id on the first line, then what is known that may help"
        task::START_EXAMPLES, with task::Start => task::start;
    "task finish" Part "End a task: find lessons in its steps, and judge those that were shown by how it went"
        task::FINISH_EXAMPLES, with task::Finish => task::finish;
    "task list" Part "List the open tasks, the one begun last first"
        "Examples:\n  twiceshy task list\n  twiceshy task list --json", with task::List => task::list;
    "learn" Use "Learn from the sessions that agents have kept on this machine"
        learn::EXAMPLES, with learn::Arguments => learn::learn;
    "recall" Use "Show what is known about a task or an error"
        recall::EXAMPLES, with recall::Arguments => recall::recall;
    "setup" Use "Connect the agent hosts on this machine, or take that back"
        setup::EXAMPLES, plain setup::Arguments => setup::setup;
    "hook" Part "Attend to an event of an agent host; see twiceshy setup"
        hook::EXAMPLES, plain hook::Arguments => hook::hook;
    "fingerprint" Use "Show the fingerprint of an error text, as JSON"
        arguments::FINGERPRINT_EXAMPLES, with arguments::Fingerprint => fingerprint::fingerprint;
    "mcp" Use "Serve the memory to agents over the Model Context Protocol"
        mcp::EXAMPLES, owned mcp::Arguments => mcp::mcp;
    "serve" Use "Serve the memory over HTTP to workers, hosts and browsers"
        serve::EXAMPLES, owned serve::Arguments => serve::serve;
    "serve tokens" Part "List, make and remove the tokens of those who may ask the service"
        serve::TOKEN_EXAMPLES, with serve::TokenArguments => serve::tokens;
    "call" Use "Call any function of the memory with JSON"
        arguments::CALL_EXAMPLES, with arguments::Call => call::call;

    "status" Look "Show how much the memory holds"
        "Examples:\n  twiceshy status\n  twiceshy status --json", bare Nothing => status::status;
    "stats" Look "Show counts by kind, the size on disk, and the last days"
        stats::EXAMPLES, with stats::Arguments => stats::stats;
    "health" Look "Report how well the memory does its work"
        health::EXAMPLES, with health::Arguments => health::health;
    "lessons" Look "List, show, teach and change lessons"
        lessons::EXAMPLES, with lessons::List => lessons::list;
    "lessons list" Part "List lessons, the ones changed last first"
        "Examples:\n  twiceshy lessons list\n  twiceshy lessons list --status promoted --domain cli",
        with lessons::List => lessons::list;
    "lessons show" Part "Show all that is known of a lesson"
        "Example:\n  twiceshy lessons show les_0123456789abcdef", with lessons::One => lessons::show;
    "lessons add" Part "Teach a lesson yourself"
        lessons::ADD_EXAMPLES, with lessons::Add => lessons::add;
    "why" Look "Show what a lesson rests on, down to the very steps"
        why::EXAMPLES, with why::Arguments => why::why;
    "episodes" Look "Find, show and keep episodes: runs that have ended"
        episodes::EXAMPLES, group;
    "episodes list" Part "List episodes by their attributes, newest first"
        episodes::LIST_EXAMPLES, with episodes::List => episodes::list;
    "episodes search" Part "Find episodes that are relevant to a task, with what their relevance is made of"
        episodes::SEARCH_EXAMPLES, with episodes::Search => episodes::search;
    "episodes show" Part "Show all that is known of an episode; counts as an access"
        "Example:\n  twiceshy episodes show run_0123456789abcdef --json", with episodes::One => episodes::show;
    "episodes trace" Part "Show the steps of an episode or of an open run, from cold storage too"
        "Example:\n  twiceshy episodes trace run_0123456789abcdef --first 200",
        with episodes::Trace => episodes::trace;
    "episodes keep" Part "Keep a file outside of the store, by its hash; secrets in texts are masked"
        "Example:\n  twiceshy episodes keep report.md --media-type text/markdown",
        with episodes::Keep => episodes::keep;
    "episodes artifact" Part "Write out a content that is kept"
        "Example:\n  twiceshy episodes artifact sha256:2cf2 --output report.md",
        with episodes::Artifact => episodes::artifact;
    "episodes age" Part "Move steps and accounts of old episodes to cold storage"
        "Examples:\n  twiceshy episodes age --dry-run\n  twiceshy episodes age",
        with episodes::Age => episodes::age;
    "episodes purge" Part "Remove for good what was deleted long ago, or some episodes by their ids"
        "Without ids, an episode stays in which alone a lesson was learned, or that has links; it is named with them.\n\nExamples:\n  twiceshy episodes purge --dry-run\n  twiceshy episodes purge --retention-days 90 --yes\n  twiceshy episodes purge run_0123456789abcdef --with-lessons --yes",
        with episodes::Purge => episodes::purge;
    "skills" Look "List and edit skills: procedures as Markdown files"
        skills::EXAMPLES, bare Nothing => skills::list;
    "events" Look "List failed steps, newest first"
        arguments::EVENTS_EXAMPLES, with arguments::Events => events::events;

    "watch" Look "Show what hooks do, live: events, hints, and what came of them"
        watch::EXAMPLES, plain watch::Arguments => watch::watch;

    "init" Care "Make a memory here (the first write makes one, too)"
        init::EXAMPLES, with init::Arguments => init::init;
    "doctor" Care "Check everything, and say how to repair what is wrong"
        "Examples:\n  twiceshy doctor\n  twiceshy doctor --model --json", plain arguments::Doctor => doctor::doctor;
    "trust" Care "Accept a memory that came from somebody else, after a look at it"
        trust::EXAMPLES, with trust::Arguments => trust::trust;
    "consolidate" Care "Merge what is similar, find and test patterns; run it nightly"
        consolidate::EXAMPLES, with consolidate::Arguments => consolidate::consolidate;
    "consolidate list" Part "List consolidations, newest first"
        "Example:\n  twiceshy consolidate list --limit 3", with consolidate::List => consolidate::list;
    "consolidate undo" Part "Take back what a consolidation changed, as far as nobody changed it since"
        "Example:\n  twiceshy consolidate undo con_0123456789abcdef", with consolidate::Undo => consolidate::undo;
    "reindex" Care "Embed everything anew after the embedder changed; can be interrupted"
        reindex::EXAMPLES, with reindex::Arguments => reindex::reindex;
    "prune" Care "Remove what is older than a date for good"
        prune::EXAMPLES, with prune::Arguments => prune::prune;
    "share" Care "Write promoted lessons as files for a team, or read theirs"
        share::EXAMPLES, with share::Arguments => share::share;
    "backup" Care "Write the whole memory into one file, while others use it; see restore"
        backup::EXAMPLES, with backup::Arguments => backup::backup;
    "migrate" Care "Move the memory to another directory or database, while others use it"
        migrate::EXAMPLES, with migrate::Arguments => migrate::migrate;
    "restore" Rare "Bring back a memory from a file that backup wrote"
        backup::RESTORE_EXAMPLES, with backup::Restore => backup::restore;
    "export" Care "Write the memory as a directory tree or JSON Lines"
        export::EXAMPLES, with export::Arguments => export::export;
    "import" Care "Read a directory tree or JSON Lines into the memory"
        import::EXAMPLES, with import::Arguments => import::import;

    "config" Rare "Show and change settings"
        config::EXAMPLES, bare Nothing => config::list;
    "config list" Part "List every setting with its value and where it comes from"
        "Example:\n  twiceshy config list", bare Nothing => config::list;
    "config get" Part "Print the value of a setting"
        "Example:\n  twiceshy config get hints", with config::One => config::get;
    "config set" Part "Change a setting in the user's file, or in the project's"
        "Examples:\n  twiceshy config set hints 3\n  twiceshy config set --project hold-out 0",
        with config::Set => config::set;
    "config unset" Part "Remove a setting from the user's file, or from the project's"
        "Example:\n  twiceshy config unset hints", with config::Unset => config::unset;
    "uninstall" Rare "Remove what twiceshy put on this machine; asks about the data"
        uninstall::EXAMPLES, plain uninstall::Arguments => uninstall::uninstall;

    "adapter" Extend "Make, check and install adapters, which judge steps in a sandbox"
        adapter::EXAMPLES, group;
    "adapter new" Part "Make a project for an adapter of your own: it builds, and passes its check"
        adapter::new::EXAMPLES, with adapter::new::New => adapter::new::new;
    "adapter list" Part "List the adapters of the project, of the user, and those that are part of twiceshy"
        "Examples:\n  twiceshy adapter list\n  twiceshy adapter list --json", bare Nothing => adapter::list::list;
    "adapter inspect" Part "Show everything about an adapter: what it says of itself, what it gets, how it came here"
        "Example:\n  twiceshy adapter inspect cli", with adapter::Named => adapter::inspect::inspect;
    "adapter install" Part "Install an adapter from a file, with a receipt that is checked whenever it is loaded"
        "Examples:\n  twiceshy adapter install lamp.wasm\n  twiceshy adapter install --project lamp-0.1.0.tar.gz",
        with adapter::install::Install => adapter::install::install;
    "adapter check" Part "Check any component against the contract: a conformance kit, and golden traces of yours"
        adapter::check::EXAMPLES, with adapter::check::Arguments => adapter::check::check;
    "adapter run" Part "Let an adapter judge recorded steps, and show its feedback"
        adapter::run::EXAMPLES, with adapter::run::Arguments => adapter::run::run;
    "adapter remove" Part "Remove an installed adapter"
        "Example:\n  twiceshy adapter remove lamp", with adapter::remove::Remove => adapter::remove::remove;
    "adapter release" Part "Call an adapter again that has failed too often in a row"
        "Example:\n  twiceshy adapter release lamp", with adapter::Named => adapter::release::release;
    "demo" Extend "Watch an agent learn two tools it has never seen"
        demo::EXAMPLES, plain demo::Demo => demo::demo;
    "experiment" Rare "Measure whether the memory helps, with confidence intervals"
        experiment::EXAMPLES, plain experiment::Experiment => experiment::experiment;
    "bench" Rare "Measure what a memory costs as it grows, beside bare SQLite"
        bench::EXAMPLES, plain bench::Arguments => bench::bench;
    "completions" Rare "Print completions for a shell"
        man::COMPLETIONS_EXAMPLES, plain man::Completions => man::completions;
    "man" Rare "Print the manual: exit codes, places, or one command"
        man::EXAMPLES, plain man::Man => man::man;

    "decisions check" Part "Ask whether a hypothesis was rejected before or accepted recently"
        "Examples:\n  twiceshy decisions check --module data_processor --hypothesis 'cache it'\n  \
         twiceshy decisions check --module data_processor --hypothesis 'cache it' --exit-code",
        with decisions::Check => decisions::check;
    "decisions failure-patterns" Part "Show why hypotheses were rejected, most frequent reason first, as text for a prompt"
        "Example:\n  twiceshy decisions failure-patterns --module data_processor",
        with decisions::FailurePatterns => decisions::failure_patterns;
    "failures check-warnings" Part "Warn before an attempt that keeps failing"
        "Example:\n  twiceshy failures check-warnings --module-name evolution --hypothesis 'cache it' --exit-code",
        with decisions::Warnings => decisions::check_warnings;
    "decisions export" Part "Write all decisions as an .evolve_memory.json"
        "Examples:\n  twiceshy decisions export .evolve_memory.json\n  twiceshy decisions export - | head",
        with decisions::File => decisions::export;
    "decisions import" Part "Import an .evolve_memory.json, all of it or nothing"
        "Example:\n  twiceshy decisions import .evolve_memory.json", with decisions::File => decisions::import;
    "experience settings" Part "Show every setting of experience, and where its value comes from"
        "Example:\n  twiceshy experience settings", bare Nothing => experience::settings;
    "experience re-embed" Part "Give vectors of the present embedder to experiences that have none or others"
        "Example:\n  twiceshy experience re-embed", bare Nothing => experience::re_embed;
    "skills put" Part "Add a skill from a Markdown file"
        "Example:\n  twiceshy skills put api-implementation docs/api.md", with skills::Put => skills::put;
    "skills edit" Part "Edit a skill with $VISUAL or $EDITOR; a new one begins with a template"
        "Example:\n  twiceshy skills edit api-implementation", with skills::One => skills::edit;
    "skills sync" Part "Read changed skill files into the memory, and write changed skills to files"
        "Example:\n  twiceshy skills sync", bare Nothing => skills::sync;
    "working continuity" Part "Print working memory as a page, or write the page to a file"
        "Example:\n  twiceshy working continuity --output CONTINUITY.md",
        with working::Continuity => working::continuity;
}

/// The command of these words, made by hand.
pub(crate) fn entry(path: &str) -> Option<&'static Entry> {
    COMMANDS.iter().find(|entry| entry.path == path)
}

/// The commands that are part of another one, with their last words.
pub(crate) fn parts(name: &str) -> impl Iterator<Item = (&'static str, &'static Entry)> {
    COMMANDS.iter().filter_map(move |entry| {
        let (first, last) = entry.path.split_once(' ')?;
        (first == name).then_some((last, entry))
    })
}
