//! Where the memory of a directory belongs: at the root of its version-controlled tree.
//!
//! Worktrees of one repository share one memory, that of the main tree: what failed in one of them fails in the
//! others. A `.twiceshy` in a worktree itself is found before, and keeps it to itself.

use std::{
    fs::{self, OpenOptions},
    io::Read,
    path::{Path, PathBuf},
};

/// Bytes of a file that names a path.
const MOST_BYTES: u64 = 1 << 16;

/// The directory that holds the memory of a place in which no memory was found: the main tree of its repository, or else the place
/// itself.
pub(crate) fn home_of_memory(from: &Path) -> PathBuf {
    let Some(tree) = tree_of(from) else {
        return from.to_owned();
    };
    main_tree(tree).unwrap_or_else(|| tree.to_owned())
}

/// The root of the version-controlled tree that a place is in.
pub(crate) fn tree_of(from: &Path) -> Option<&Path> {
    from.ancestors()
        .find(|directory| directory.join(".git").exists())
}

/// The main tree of the repository whose linked worktree this is; none if it is no linked worktree.
pub(crate) fn main_tree(tree: &Path) -> Option<PathBuf> {
    let mark = tree.join(".git");
    // In a main tree it is a directory. A submodule has a file, too, but its repository shares nothing. A link to another tree's
    // file would make this one pass for it.
    if !fs::symlink_metadata(&mark).ok()?.is_file() {
        return None;
    }
    let text = pointer(&mark)?;
    let repository = tree.join(text.strip_prefix("gitdir:")?.trim());
    // The repository must know of this worktree: a file that somebody unpacked leads nowhere.
    let back = pointer(&repository.join("gitdir"))?;
    if repository.join(back.trim()).canonicalize().ok()? != mark.canonicalize().ok()? {
        return None;
    }
    let common = pointer(&repository.join("commondir"))?;
    let common = repository.join(common.trim()).canonicalize().ok()?;
    // It is one of that repository's own worktrees: anybody can name a repository that is not theirs.
    if repository.canonicalize().ok()?.parent()? != common.join("worktrees") {
        return None;
    }
    match common.file_name()?.to_str()? {
        ".git" => common.parent().map(Path::to_owned),
        // A bare repository has no tree: its worktrees share what is in it.
        _ => Some(common),
    }
}

/// The path in a small file of git's. Whoever unpacked a tree may find anything under these names: a pipe would be waited for,
/// and a huge file fill the memory, before the command of the user has run.
fn pointer(path: &Path) -> Option<String> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        nix::fcntl::OFlag::O_NONBLOCK.bits(),
    );
    let file = options.open(path).ok()?;
    let found = file.metadata().ok()?;
    if !found.is_file() || found.len() > MOST_BYTES {
        return None;
    }
    let mut text = String::new();
    file.take(MOST_BYTES).read_to_string(&mut text).ok()?;
    Some(text)
}

/// Every tree of the repository that a place belongs to, the place itself included.
pub fn trees(place: &Path) -> Vec<PathBuf> {
    let mut trees = vec![place.to_owned()];
    let real = place.canonicalize().ok();
    let linked = fs::read_dir(place.join(".git/worktrees"))
        .into_iter()
        .flatten()
        .flatten();
    for entry in linked {
        let mark = pointer(&entry.path().join("gitdir")).unwrap_or_default();
        let tree = entry.path().join(mark.trim());
        // The other tree must know of it: a list that somebody unpacked names what it likes.
        let is_ours =
            |tree: &&Path| main_tree(tree).is_some_and(|main| main.canonicalize().ok() == real);
        if let Some(tree) = tree.parent().filter(is_ours) {
            trees.push(tree.to_owned());
        }
    }
    trees
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// A main tree and a linked one, as git makes them.
    fn linked(root: &Path) -> (PathBuf, PathBuf) {
        let (main, tree) = (root.join("main"), root.join("linked"));
        let entry = main.join(".git/worktrees/linked");
        fs::create_dir_all(&entry).expect("a directory");
        fs::create_dir(&tree).expect("a directory");
        let write = |path: PathBuf, text: String| fs::write(path, text).expect("a file");
        write(tree.join(".git"), format!("gitdir: {}\n", entry.display()));
        write(entry.join("gitdir"), format!("{}/.git\n", tree.display()));
        write(entry.join("commondir"), "../..\n".to_owned());
        (main, tree)
    }

    #[test]
    fn a_linked_worktree_belongs_to_its_main_tree() {
        let root = tempfile::tempdir().expect("a directory");
        let root = root.path().canonicalize().expect("a path");
        let (main, tree) = linked(&root);
        assert_eq!(main_tree(&tree), Some(main.clone()));
        assert_eq!(trees(&main), [main, tree]);
    }

    #[test]
    fn a_tree_that_names_the_repository_of_others_does_not_belong_to_it() {
        let root = tempfile::tempdir().expect("a directory");
        let root = root.path().canonicalize().expect("a path");
        let (main, tree) = linked(&root);
        // A whole entry of its own, which names somebody else's repository as the common one.
        let entry = root.join("unpacked/fake/worktrees/x");
        fs::create_dir_all(&entry).expect("a directory");
        let unpacked = root.join("unpacked");
        fs::write(unpacked.join(".git"), "gitdir: fake/worktrees/x\n").expect("a file");
        fs::write(entry.join("gitdir"), "../../../.git\n").expect("a file");
        let common = main.join(".git").display().to_string();
        fs::write(entry.join("commondir"), common).expect("a file");
        assert_eq!(main_tree(&unpacked), None);
        // A link to the file of a real worktree.
        let other = root.join("other");
        fs::create_dir(&other).expect("a directory");
        symlink(tree.join(".git"), other.join(".git")).expect("a link");
        assert_eq!(main_tree(&other), None);
    }

    #[test]
    fn a_pipe_or_a_huge_file_under_a_name_of_git_is_neither_waited_for_nor_read() {
        let root = tempfile::tempdir().expect("a directory");
        let root = root.path().canonicalize().expect("a path");
        let (main, tree) = linked(&root);
        let named = main.join(".git/worktrees/linked/gitdir");
        let pipe = || nix::unistd::mkfifo(&named, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
        let huge = || {
            let file = fs::File::create(&named).expect("a file");
            file.set_len(1 << 40).expect("a hole");
        };
        let endless = || symlink("/dev/zero", &named).expect("a link");
        for make in [&pipe as &dyn Fn(), &huge, &endless] {
            fs::remove_file(&named).expect("ours");
            make();
            assert_eq!(main_tree(&tree), None);
            assert_eq!(trees(&main), [main.as_path()]);
        }
    }

    #[test]
    fn a_list_of_worktrees_that_do_not_know_of_it_is_not_believed() {
        let root = tempfile::tempdir().expect("a directory");
        let root = root.path().canonicalize().expect("a path");
        let (_, tree) = linked(&root);
        let entry = root.join("unpacked/.git/worktrees/x");
        fs::create_dir_all(&entry).expect("a directory");
        fs::write(entry.join("gitdir"), format!("{}/.git", tree.display())).expect("a file");
        let unpacked = root.join("unpacked");
        assert_eq!(trees(&unpacked), [unpacked]);
    }
}
