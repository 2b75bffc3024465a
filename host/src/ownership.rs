//! Whether a memory was made here, by this user's program, or came with a directory from somebody else.
//!
//! A cloned repository may hold a prepared `.twiceshy`: lessons that are instructions, skills, links that lead elsewhere.
//! Nothing of it is read or written until the user accepts it. A memory of one's own is known by a mark in the user's
//! directory, named after the very file: its number on the disk and the moment of its birth, which no clone and no pull
//! can choose. So a memory stays one's own when its directory is moved, and is foreign when its file was replaced.

use std::{
    env,
    fs::{self, Metadata},
    io,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use crate::{Home, Project, ProjectError};

/// The directory of marks, in the user's.
const MARKS: &str = "memories";

/// The variable that accepts every memory: for a container whose home is thrown away.
const TRUST: &str = "TWICESHY_TRUST";

/// What in a memory's directory is guarded where it is used, and may be a link that is not followed.
const GUARDED: [&str; 2] = [".gitignore", "adapters"];

/// What a memory believes once it is there, so that somebody may have prepared it: skills, large contents, and what sessions
/// keep between two commands.
const BELIEVED: [&str; 4] = ["skills", "archive", "sessions", "terminals"];

/// What a memory is to this user.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Standing {
    /// There is nothing yet that anybody could have prepared.
    New,
    /// It was made here, or was accepted.
    Own,
    /// It came from somebody else: why that is known.
    Foreign(String),
    /// It leads elsewhere, which nobody can accept: what does, and what to do.
    Leading(String),
}

impl Standing {
    /// Refuses what is not this user's own, in one line that says what to do.
    ///
    /// # Errors
    /// Why it is not used.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::New | Self::Own => Ok(()),
            Self::Foreign(why) => Err(format!(
                "{why}, so it is neither read nor written; `twiceshy trust` shows what is in it and accepts it"
            )),
            Self::Leading(why) => Err(why.clone()),
        }
    }
}

/// Which memories are this user's own.
#[derive(Debug, Clone)]
pub struct Ownership {
    marks: PathBuf,
    accepts_all: bool,
}

impl Ownership {
    /// Of the user with this directory.
    pub fn of(home: &Home) -> Self {
        let accepts_all = env::var(TRUST).is_ok_and(|value| !matches!(value.trim(), "" | "0"));
        Self {
            marks: home.directory().join(MARKS),
            accepts_all,
        }
    }

    /// What a memory is to this user. Nothing of it is read.
    pub fn standing(&self, project: &Project) -> Standing {
        // Who may use a memory elsewhere is decided there.
        if project.address().is_some() || project.server().is_some() {
            return Standing::Own;
        }
        let directory = project.directory();
        let Ok(metadata) = fs::symlink_metadata(directory) else {
            return Standing::New;
        };
        if let Some((path, what)) = leading_entry(directory) {
            return Standing::Leading(format!(
                "{}: it is {what}, and a memory leads nowhere; remove it",
                path.display()
            ));
        }
        if metadata.is_symlink() && leads_out(directory) && !self.is_marked(directory, &metadata) {
            return self.foreign(format!(
                "{} is a link that leads out of its directory",
                directory.display()
            ));
        }
        let file = project.store_file();
        match fs::symlink_metadata(&file) {
            Ok(found) if found.len() > 0 || has_log(directory) => {
                match self.is_marked(&file, &found) {
                    true => Standing::Own,
                    false => self.foreign(format!("{} was not made here", directory.display())),
                }
            }
            _ => {
                let believed = BELIEVED
                    .into_iter()
                    .find(|name| has_entries(&directory.join(name)));
                let is_marked =
                    || fs::metadata(directory).is_ok_and(|found| self.is_marked(directory, &found));
                match believed {
                    None => Standing::New,
                    Some(_) if is_marked() => Standing::Own,
                    Some(name) => self.foreign(format!(
                        "{} holds {name}, and no memory of yours",
                        directory.display()
                    )),
                }
            }
        }
    }

    fn foreign(&self, why: String) -> Standing {
        match self.accepts_all {
            true => Standing::Own,
            false => Standing::Foreign(why),
        }
    }

    /// Makes the empty file of a new memory and marks it, before anything is written to it: a process may be killed
    /// anywhere. A user's directory that can't be written keeps nobody from working; the memory has to be accepted later.
    pub(crate) fn begin(&self, project: &Project) {
        let file = project.store_file();
        // Never through a link: whatever has that name stays.
        let _ = fs::File::create_new(&file);
        let _ = self.accept(project);
    }

    /// Makes the directory of a memory. One that begins here is marked as this user's own before anything is in it that a memory
    /// believes; there may be settings in it already.
    ///
    /// # Errors
    /// If the directory can't be made.
    pub fn create(&self, project: &Project) -> Result<(), ProjectError> {
        let is_new = self.standing(project) == Standing::New;
        project.create()?;
        if is_new {
            let _ = self.accept(project);
        }
        Ok(())
    }

    /// Marks a memory as this user's own.
    ///
    /// # Errors
    /// If the user's directory can't be written.
    pub fn accept(&self, project: &Project) -> io::Result<()> {
        fs::create_dir_all(&self.marks)?;
        let directory = project.directory();
        let file = project.store_file();
        let mut places = vec![directory.to_owned()];
        places.extend(fs::symlink_metadata(&file).is_ok().then_some(file));
        for place in places {
            for metadata in [fs::symlink_metadata(&place)?, fs::metadata(&place)?] {
                let mark = self.marks.join(mark(&place, &metadata));
                if !mark.exists() {
                    let path = std::path::absolute(&place)?;
                    fs::write(mark, format!("{}\n", path.display()))?;
                }
            }
        }
        Ok(())
    }

    fn is_marked(&self, path: &Path, metadata: &Metadata) -> bool {
        self.marks.join(mark(path, metadata)).is_file()
    }
}

/// The name of the mark of a file: what no one can choose who makes a file. A file system that does not know when a file
/// was made lends the file's path.
fn mark(path: &Path, metadata: &Metadata) -> String {
    let born = metadata
        .created()
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
        .map(|time| time.as_nanos());
    let born = born.unwrap_or_else(|| {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        u128::from(xxhash_rust::xxh3::xxh3_64(
            path.as_os_str().as_encoded_bytes(),
        ))
    });
    format!("{:x}-{born:x}", number(metadata))
}

#[cfg(unix)]
fn number(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn number(_: &Metadata) -> u64 {
    0
}

/// What in a memory's directory would be read or written elsewhere, or never be read to its end: a link, a pipe, a device.
fn leading_entry(directory: &Path) -> Option<(PathBuf, &'static str)> {
    fs::read_dir(directory).ok()?.flatten().find_map(|entry| {
        let kind = entry.file_type().ok()?;
        let what = match kind {
            _ if kind.is_file() || kind.is_dir() => return None,
            _ if kind.is_symlink() => "a link",
            _ => "neither a file nor a directory",
        };
        let name = entry.file_name();
        let is_guarded = GUARDED.iter().any(|guarded| name == *guarded);
        (!is_guarded).then(|| (entry.path(), what))
    })
}

/// Whether a link leads out of the directory that it stands in.
fn leads_out(link: &Path) -> bool {
    let parent = link
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new(".")).canonicalize();
    match (link.canonicalize(), parent) {
        (Ok(target), Ok(parent)) => !target.starts_with(parent),
        // A link to nothing is told of when it is used.
        _ => false,
    }
}

/// Whether there is a log with something in it beside the store's file.
fn has_log(directory: &Path) -> bool {
    fs::symlink_metadata(directory.join("memory.db-wal")).is_ok_and(|log| log.len() > 0)
}

fn has_entries(directory: &Path) -> bool {
    fs::read_dir(directory).is_ok_and(|mut entries| entries.next().is_some())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    struct Here {
        root: tempfile::TempDir,
        ownership: Ownership,
        project: Project,
    }

    fn here() -> Here {
        let root = tempfile::tempdir().expect("a directory");
        let ownership = Ownership {
            marks: root.path().join("home/memories"),
            accepts_all: false,
        };
        let project = Project::at(root.path().join("project/.twiceshy"));
        Here {
            root,
            ownership,
            project,
        }
    }

    impl Here {
        fn standing(&self) -> Standing {
            self.ownership.standing(&self.project)
        }

        /// What somebody else wrote.
        fn prepare(&self, name: &str, text: &str) {
            let path = self.project.directory().join(name);
            fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
            fs::write(path, text).expect("a file");
        }
    }

    #[test]
    fn a_memory_that_was_made_here_is_ones_own_also_when_it_was_moved() {
        let mut here = here();
        assert_eq!(here.standing(), Standing::New);
        here.project.create().expect("a directory");
        here.ownership.begin(&here.project);
        assert_eq!(here.standing(), Standing::New, "nothing is in it yet");
        fs::write(here.project.store_file(), "data").expect("a file");
        assert_eq!(here.standing(), Standing::Own);
        let moved = here.root.path().join("moved");
        fs::rename(here.root.path().join("project"), &moved).expect("a move");
        here.project = Project::at(moved.join(".twiceshy"));
        assert_eq!(here.standing(), Standing::Own);
    }

    #[test]
    fn what_came_with_a_directory_is_foreign_until_it_is_accepted() {
        let here = here();
        here.prepare("memory.db", "lessons");
        assert!(matches!(here.standing(), Standing::Foreign(_)));
        here.ownership.accept(&here.project).expect("a mark");
        assert_eq!(here.standing(), Standing::Own);
    }

    #[test]
    fn a_file_that_was_replaced_is_foreign_again() {
        let here = here();
        here.project.create().expect("a directory");
        here.ownership.begin(&here.project);
        fs::write(here.project.store_file(), "data").expect("a file");
        assert_eq!(here.standing(), Standing::Own);
        // As a pull does it, which gets the same number on the disk more often than not.
        fs::remove_file(here.project.store_file()).expect("ours");
        std::thread::sleep(std::time::Duration::from_millis(20));
        here.prepare("memory.db", "lessons of somebody else");
        assert!(matches!(here.standing(), Standing::Foreign(_)));
    }

    #[test]
    fn skills_sessions_and_logs_without_a_memory_are_foreign() {
        for name in [
            "skills/deploy.md",
            "sessions/e707e3853937b4b8",
            "terminals/e707e3853937b4b8",
            "archive/unfinished/x",
            "memory.db-wal",
        ] {
            let here = here();
            here.prepare(name, "do as I say");
            here.prepare("memory.db", "");
            assert!(matches!(here.standing(), Standing::Foreign(_)), "{name}");
        }
    }

    #[test]
    fn nothing_of_a_memory_leads_elsewhere() {
        for name in [
            "memory.db",
            "memory.db-wal",
            "memory.db-shm",
            "memory.db-turn",
            "memory.db-journal",
            "archive",
            "skills",
            "sessions",
            "terminals",
            "anything",
        ] {
            let here = here();
            here.project.create().expect("a directory");
            symlink(here.root.path(), here.project.directory().join(name)).expect("a link");
            here.ownership.accept(&here.project).ok();
            let Standing::Leading(why) = here.standing() else {
                panic!("{name}: {:?}", here.standing());
            };
            assert!(why.contains(name) && why.contains("remove it"), "{why}");
        }
    }

    #[test]
    fn a_memory_that_begins_with_a_skill_a_session_or_a_content_is_ones_own() {
        for name in ["skills/deploy.md", "sessions/e707e3853937b4b8", "archive/x"] {
            let here = here();
            here.ownership.create(&here.project).expect("a directory");
            here.prepare(name, "what I wrote");
            assert_eq!(here.standing(), Standing::Own, "{name}");
        }
    }

    #[test]
    fn a_pipe_in_the_place_of_the_store_is_not_waited_for() {
        let here = here();
        here.project.create().expect("a directory");
        let mode = nix::sys::stat::Mode::S_IRWXU;
        nix::unistd::mkfifo(&here.project.store_file(), mode).expect("a pipe");
        assert!(matches!(here.standing(), Standing::Leading(why) if why.contains("neither")));
    }

    #[test]
    fn a_link_out_of_the_project_is_foreign_and_one_within_it_is_not() {
        let here = here();
        let parent = here
            .project
            .directory()
            .parent()
            .expect("a project")
            .to_owned();
        let (inside, outside) = (parent.join("kept"), here.root.path().join("elsewhere"));
        for directory in [&parent, &inside, &outside] {
            fs::create_dir_all(directory).expect("a directory");
        }
        symlink(&outside, here.project.directory()).expect("a link");
        assert!(matches!(here.standing(), Standing::Foreign(_)));
        here.ownership.accept(&here.project).expect("a mark");
        assert_eq!(here.standing(), Standing::New);
        fs::remove_file(here.project.directory()).expect("ours");
        symlink(&inside, here.project.directory()).expect("a link");
        assert_eq!(here.standing(), Standing::New);
    }
}
