//! The projects of this user that have a memory: a list in the user's directory, so that what held in several of them can be
//! found.

use std::{
    collections::BTreeSet,
    fs::{self, OpenOptions},
    io::Write,
    path::Path,
};

use crate::{Home, Project};

/// The list, one directory of a memory on each line.
const LIST: &str = "projects.txt";

/// Notes a memory that was just made. It is a convenience: whoever can't write the list has a memory all the same.
pub(crate) fn note(memory: &Path) {
    let home = Home::find();
    let Ok(memory) = memory.canonicalize() else {
        return;
    };
    let Some(name) = memory.to_str().filter(|name| !name.contains('\n')) else {
        return;
    };
    // Appended in one piece, so that several processes may do it at once.
    let line = format!("{name}\n");
    let list = fs::create_dir_all(home.directory()).and_then(|()| {
        OpenOptions::new()
            .append(true)
            .create(true)
            .open(home.directory().join(LIST))
    });
    let _ = list.and_then(|mut list| list.write_all(line.as_bytes()));
}

/// The memories of this user that are still there, each once, without the user's own.
pub fn known(home: &Home) -> Vec<Project> {
    let text = fs::read_to_string(home.directory().join(LIST)).unwrap_or_default();
    let names: BTreeSet<_> = text.lines().collect();
    let projects = names.into_iter().map(Project::at);
    let own = home.memory();
    projects
        .filter(|project| project.exists() && *project != own)
        .collect()
}
