//! Where the memory of a directory belongs: at the root of its version-controlled tree.
//!
//! Worktrees of one repository share one memory, that of the main tree: what failed in one of them fails in the
//! others. A `.twiceshy` in a worktree itself is found before, and keeps it to itself.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The directory that holds the memory of a place in which no memory was found: the main tree of its repository, or else the place
/// itself.
pub(crate) fn home_of_memory(from: &Path) -> PathBuf {
    let tree = from
        .ancestors()
        .find(|directory| directory.join(".git").exists());
    let Some(tree) = tree else {
        return from.to_owned();
    };
    main_tree(tree).unwrap_or_else(|| tree.to_owned())
}

/// The main tree of the repository whose linked worktree this is; none if it is no linked worktree.
pub(crate) fn main_tree(tree: &Path) -> Option<PathBuf> {
    let mark = tree.join(".git");
    // In a main tree it is a directory. A submodule has a file, too, but its repository shares nothing.
    let text = fs::read_to_string(&mark).ok()?;
    let repository = tree.join(text.strip_prefix("gitdir:")?.trim());
    // The repository must know of this worktree: a file that somebody unpacked leads nowhere.
    let back = fs::read_to_string(repository.join("gitdir")).ok()?;
    if repository.join(back.trim()).canonicalize().ok()? != mark.canonicalize().ok()? {
        return None;
    }
    let common = fs::read_to_string(repository.join("commondir")).ok()?;
    let common = repository.join(common.trim()).canonicalize().ok()?;
    match common.file_name()?.to_str()? {
        ".git" => common.parent().map(Path::to_owned),
        // A bare repository has no tree: its worktrees share what is in it.
        _ => Some(common),
    }
}

/// Every tree of the repository that a place belongs to, the place itself included.
pub fn trees(place: &Path) -> Vec<PathBuf> {
    let mut trees = vec![place.to_owned()];
    let linked = fs::read_dir(place.join(".git/worktrees"))
        .into_iter()
        .flatten()
        .flatten();
    for entry in linked {
        let mark = fs::read_to_string(entry.path().join("gitdir")).unwrap_or_default();
        let tree = entry.path().join(mark.trim());
        if let Some(tree) = tree.parent().filter(|tree| tree.is_dir()) {
            trees.push(tree.to_owned());
        }
    }
    trees
}
