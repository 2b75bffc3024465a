//! The cache of compiled components, as the files of a user's own directory.
//!
//! Compiling is done once and said once. Whatever happens to the files, the program works: what is
//! damaged is replaced, what others could have written is not run, and without a place to write everything
//! is only slower. `doctor` tells each of these apart.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, symlink},
    path::{Path, PathBuf},
    process::Stdio,
    thread,
};

use crate::support::{Ran, Scratch, compiled_into};

/// When a file was changed, as it were, that was found whole since somebody wrote it.
const FOUND_WHOLE: i64 = 987_654_321;

/// A project with a user's directory of its own.
struct User {
    project: Scratch,
    home: tempfile::TempDir,
}

impl User {
    /// One for whom nothing was compiled yet.
    fn new() -> Self {
        Self {
            project: Scratch::new(),
            home: tempfile::tempdir().expect("a home"),
        }
    }

    /// One for whom everything was compiled: what was compiled for all tests, copied to save the time.
    fn with_everything_compiled() -> Self {
        let user = Self::new();
        compiled_into(user.home.path());
        set_mode(&user.cache(), 0o700);
        assert!(user.compiled_by(&["doctor"]).is_empty());
        // Of what earlier builds left there, nothing was looked at.
        for name in names(&user.cache()) {
            let file = user.cache().join(name);
            if fs::metadata(&file).expect("a file").mtime() != FOUND_WHOLE {
                fs::remove_file(file).expect("ours");
            }
        }
        user
    }

    fn cache(&self) -> PathBuf {
        self.home.path().join("cache")
    }

    /// The file of a component.
    fn file(&self, component: &str) -> PathBuf {
        let names = names(&self.cache());
        let name = names.iter().find(|name| name.starts_with(component));
        self.cache().join(name.expect("the component was compiled"))
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        self.run_at(self.home.path(), arguments)
    }

    fn run_at(&self, home: &Path, arguments: &[&str]) -> Ran {
        let mut command = self.project.command(arguments);
        command.env("TWICESHY_HOME", home).stdin(Stdio::null());
        Ran(command.output().expect("the program starts"))
    }

    /// Which components a command says that it compiles.
    fn compiled_by(&self, arguments: &[&str]) -> Vec<String> {
        let ran = self.run(arguments);
        assert_eq!(ran.code(), 0, "{}{}", ran.stdout(), ran.stderr());
        compiled(&ran)
    }

    /// Which components `doctor` compiles, whatever it finds. The adapter is what tests take the place of: the memory takes ten times as
    /// long to compile, and is kept in the same way.
    fn compiled_by_doctor(&self) -> Vec<String> {
        compiled(&self.run(&["doctor"]))
    }

    /// The line of `doctor` about the cache and what follows it, and the exit code.
    fn doctor_on_cache(&self, home: &Path) -> (i32, String) {
        let ran = self.run_at(home, &["doctor", "--json"]);
        let report = ran.json();
        let checks = report["checks"].as_array().expect("checks");
        let check = checks
            .iter()
            .find(|check| check["check"] == "cache")
            .expect("one of the cache");
        (ran.code(), check.to_string())
    }
}

fn compiled(ran: &Ran) -> Vec<String> {
    let name = |line: &str| {
        let rest = line
            .strip_prefix("twiceshy: compiling the component `")
            .expect(line);
        rest.split('`').next().unwrap_or_default().to_owned()
    };
    ran.stderr().lines().map(name).collect()
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("a directory");
    let mut names: Vec<_> = entries
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.retain(|name| !name.starts_with('.'));
    names.sort();
    names
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("ours");
}

#[test]
fn each_component_is_compiled_once_and_that_is_said_once() {
    let user = User::new();
    assert_eq!(user.compiled_by(&["status"]), ["memory"]);
    assert!(user.compiled_by(&["status"]).is_empty());
    assert_eq!(user.compiled_by(&["doctor"]), ["cli"]);
    assert!(user.compiled_by(&["doctor"]).is_empty());
    for (path, mode) in [
        (user.cache(), 0o700),
        (user.file("memory"), 0o600),
        (user.file("cli"), 0o600),
    ] {
        let metadata = fs::metadata(&path).expect("it is there");
        assert_eq!(
            metadata.mode() & 0o777,
            mode,
            "{} is private",
            path.display()
        );
    }
}

#[test]
fn a_command_that_is_run_unseen_compiles_in_silence() {
    let user = User::new();
    let ran = user.run(&["run", "--", "sh", "-c", "echo out"]);
    assert_eq!(
        (ran.code(), ran.stdout().as_str(), ran.stderr().as_str()),
        (0, "out\n", "")
    );
    assert!(
        user.compiled_by(&["doctor"]).is_empty(),
        "both are compiled now"
    );
}

#[test]
fn a_damaged_file_is_reported_replaced_and_sound_again() {
    let user = User::with_everything_compiled();
    let file = user.file("cli");
    let sound = fs::read(&file).expect("compiled");
    let flipped = |place: usize| {
        let mut bytes = sound.clone();
        bytes[place] ^= 0x10;
        bytes
    };
    let noise: Vec<u8> = (0..100_000_u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    let damages: BTreeMap<&str, Vec<u8>> = BTreeMap::from([
        ("empty", Vec::new()),
        ("cut within the header", sound[..20].to_vec()),
        ("only the header", sound[..32].to_vec()),
        ("cut at the end", sound[..sound.len() - 1].to_vec()),
        ("longer", [&sound[..], b"x"].concat()),
        ("a flipped bit in the magic", flipped(3)),
        ("a flipped bit in the checksum", flipped(20)),
        ("a flipped bit in the middle", flipped(sound.len() / 2)),
        ("a flipped bit at the end", flipped(sound.len() - 1)),
        ("zeros", vec![0; sound.len()]),
        ("noise", noise),
    ]);
    for (damage, bytes) in damages {
        fs::write(&file, bytes).expect("ours");
        let ran = user.run(&["doctor", "--json"]);
        assert_eq!(ran.code(), 1, "{damage}");
        let report = ran.stdout();
        assert!(report.contains("compiles `cli` anew"), "{damage}: {report}");
        assert_eq!(compiled(&ran), ["cli"], "{damage}");
        assert_eq!(
            fs::read(&file).expect("replaced").len(),
            sound.len(),
            "{damage}"
        );
        let (code, report) = user.doctor_on_cache(user.home.path());
        assert_eq!(code, 0, "{damage}: {report}");
        assert!(report.contains("cli compiled"), "{damage}: {report}");
    }
}

#[test]
fn what_was_found_whole_is_looked_at_again_once_somebody_wrote_it() {
    let user = User::with_everything_compiled();
    let file = user.file("cli");
    assert!(user.compiled_by_doctor().is_empty());
    let found_whole = fs::metadata(&file).expect("compiled").mtime();
    assert_eq!(found_whole, FOUND_WHOLE);
    let mut bytes = fs::read(&file).expect("compiled");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x10;
    fs::write(&file, bytes).expect("ours");
    assert_eq!(user.compiled_by_doctor(), ["cli"]);
    assert!(user.compiled_by_doctor().is_empty());
}

#[test]
fn what_is_no_file_in_the_place_of_one_is_replaced() {
    let user = User::with_everything_compiled();
    let file = user.file("cli");
    fs::remove_file(&file).expect("ours");
    fs::create_dir_all(file.join("deep")).expect("a directory");
    fs::write(file.join("deep/er"), "x").expect("a file");
    assert_eq!(user.doctor_on_cache(user.home.path()).0, 1);
    assert!(
        user.compiled_by_doctor().is_empty(),
        "doctor has compiled it anew"
    );
    assert!(file.is_file());

    fs::remove_file(&file).expect("ours");
    symlink("/nowhere/at/all", &file).expect("a link");
    assert_eq!(user.compiled_by_doctor(), ["cli"]);
    assert!(user.compiled_by_doctor().is_empty());
}

#[test]
fn what_others_could_have_written_is_not_run() {
    let user = User::with_everything_compiled();
    let file = user.file("cli");
    for mode in [0o620, 0o602, 0o666] {
        set_mode(&file, mode);
        assert_eq!(user.compiled_by_doctor(), ["cli"], "{mode:o}");
        assert_eq!(fs::metadata(&file).expect("replaced").mode() & 0o777, 0o600);
        assert!(user.compiled_by_doctor().is_empty(), "{mode:o}");
    }
    set_mode(&user.cache(), 0o770);
    let ran = user.run(&["doctor"]);
    // It uses the memory twice, and has none that it may load.
    let loaded: BTreeSet<_> = compiled(&ran).into_iter().collect();
    assert!(
        loaded.contains("memory") && loaded.contains("cli"),
        "a directory that others may write: {loaded:?}"
    );
    let report = ran.stdout();
    assert!(ran.code() == 1 && report.contains("chmod go-w"), "{report}");
    set_mode(&user.cache(), 0o700);
    assert!(user.compiled_by(&["status"]).is_empty());
}

#[test]
fn a_file_of_another_component_or_engine_is_not_mistaken_for_this_one() {
    let user = User::with_everything_compiled();
    let (memory, cli) = (user.file("memory"), user.file("cli"));
    let engine = |file: &Path| {
        let name = file
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let parts: Vec<_> = name.split('-').map(str::to_owned).collect();
        assert_eq!(
            (parts.len(), parts[1].len(), parts[2].len()),
            (3, 32, 16),
            "{name}"
        );
        parts[2].clone()
    };
    assert_ne!(
        engine(&memory),
        engine(&cli),
        "the two engines have names of their own"
    );
    let stranger = user
        .cache()
        .join("memory-0123456789abcdef-0123456789abcdef.cwasm");
    fs::write(&stranger, "of another version").expect("ours");
    fs::copy(&memory, &cli).expect("ours");
    assert_eq!(user.compiled_by(&["status"]), Vec::<String>::new());
    let ran = user.run(&["run", "--", "sh", "-c", "exit 4"]);
    assert_eq!((ran.code(), ran.stderr().as_str()), (4, ""));
    assert_eq!(
        user.doctor_on_cache(user.home.path()).0,
        0,
        "the adapter was compiled anew"
    );
    assert_ne!(
        fs::read(&cli).expect("replaced"),
        fs::read(&memory).expect("kept")
    );
    assert_eq!(fs::read(&stranger).expect("kept"), b"of another version");
}

#[test]
fn many_processes_that_start_at_once_on_an_empty_cache_all_succeed() {
    // Each of them compiles everything. A night has time for more: `TWICESHY_STARTS=12`.
    let starts: usize = std::env::var("TWICESHY_STARTS").map_or(4, |count| count.parse().unwrap());
    let user = User::new();
    thread::scope(|scope| {
        for _ in 0..starts {
            scope.spawn(|| {
                let ran = user.run(&["run", "--", "sh", "-c", "echo 'no tea today' >&2; exit 2"]);
                assert_eq!((ran.code(), ran.stderr().as_str()), (2, "no tea today\n"));
            });
        }
    });
    assert_eq!(user.project.status()["events"], starts);
    let all = fs::read_dir(user.cache()).expect("a cache").count();
    assert_eq!(all, 2, "one file a component and nothing besides");
    assert!(user.compiled_by(&["doctor"]).is_empty());
}

#[test]
fn without_a_place_to_write_everything_works_and_doctor_says_why_it_is_slow() {
    let user = User::new();
    let file = user.home.path().join("file");
    fs::write(&file, "x").expect("a file");
    let home = file.join("home");
    let ran = user.run_at(&home, &["status", "--json"]);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    assert_eq!(compiled(&ran), ["memory"]);
    assert_eq!(ran.json()["events"], 0);
    for home in [home, PathBuf::from("/proc/nowhere")] {
        let (code, report) = user.doctor_on_cache(&home);
        assert_eq!(code, 1, "{report}");
        assert!(
            report.contains("every start compiles") && report.contains("TWICESHY_HOME"),
            "{report}"
        );
    }
    assert_eq!(fs::read(&file).expect("kept"), b"x");
}

#[test]
fn the_cache_is_under_the_users_data_directory_where_no_other_is_set() {
    let project = Scratch::new();
    for (variable, below) in [
        ("XDG_DATA_HOME", "twiceshy"),
        ("HOME", ".local/share/twiceshy"),
    ] {
        let root = project.path().join(variable);
        let home = root.join(below);
        compiled_into(&home);
        let mut command = project.command(&["status"]);
        for name in ["TWICESHY_HOME", "XDG_DATA_HOME", "HOME"] {
            command.env_remove(name);
        }
        command.env(variable, &root);
        let ran = Ran(command.output().expect("the program starts"));
        assert_eq!((ran.code(), ran.stderr().as_str()), (0, ""), "it compiles");
        let looked_at = |name: &String| {
            let file = fs::metadata(home.join("cache").join(name)).expect("a file");
            name.starts_with("memory-") && file.mtime() == FOUND_WHOLE
        };
        assert!(names(&home.join("cache")).iter().any(looked_at));
    }
}
