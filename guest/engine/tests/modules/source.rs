//! The modules of the crates as they stand in their files, and what a path in one of them means.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use syn::{Attribute, Item, UseTree, punctuated::Punctuated, token::Comma};

/// One module: its file, what it defines and what it imports.
pub struct Module {
    /// From the crate's short name down, such as `engine`, `lessons`, `entry`.
    pub path: Vec<String>,
    /// The file as it is told to a reader.
    pub file: String,
    /// What stands in the module, tests left out.
    pub items: Vec<Item>,
    /// The module around it.
    pub parent: Option<usize>,
    children: BTreeMap<String, usize>,
    defined: BTreeSet<String>,
    imported: BTreeMap<String, Vec<String>>,
    globs: Vec<Vec<String>>,
}

/// All modules of some crates.
#[derive(Default)]
pub struct Sources {
    /// Parents stand before their children.
    pub modules: Vec<Module>,
    /// The name of each crate in a path, and its root.
    crates: BTreeMap<String, usize>,
}

/// Where a path ends: in a module, with the names below it that are no modules.
pub struct Place {
    pub module: usize,
    pub rest: Vec<String>,
}

impl Sources {
    /// Reads a crate from its `src/lib.rs`.
    pub fn read_crate(&mut self, name: &str, directory: &Path) {
        let read = |file: &Path| {
            fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
        };
        self.add_crate(name, &directory.join("src/lib.rs"), &read);
    }

    /// Adds a crate whose files are given by `read`.
    pub fn add_crate(&mut self, name: &str, root: &Path, read: &dyn Fn(&Path) -> String) {
        let short = name.strip_prefix("twiceshy_").unwrap_or(name).to_owned();
        let directory = root.parent().expect("a directory").to_owned();
        let at = self.add_file(vec![short], None, root, &directory, read);
        self.crates.insert(name.to_owned(), at);
    }

    fn add_file(
        &mut self,
        path: Vec<String>,
        parent: Option<usize>,
        file: &Path,
        children_in: &Path,
        read: &dyn Fn(&Path) -> String,
    ) -> usize {
        let text = read(file);
        let parsed = syn::parse_file(&text)
            .unwrap_or_else(|error| panic!("{} can't be parsed: {error}", file.display()));
        let told = file
            .components()
            .rev()
            .take_while(|part| part.as_os_str() != "guest");
        let told: PathBuf = told.collect::<Vec<_>>().into_iter().rev().collect();
        self.add_module(path, parent, parsed.items, told, children_in, read)
    }

    fn add_module(
        &mut self,
        path: Vec<String>,
        parent: Option<usize>,
        mut items: Vec<Item>,
        told: PathBuf,
        children_in: &Path,
        read: &dyn Fn(&Path) -> String,
    ) -> usize {
        items.retain(|item| !attributes(item).iter().any(is_of_tests));
        let at = self.modules.len();
        self.modules.push(Module {
            path: path.clone(),
            file: told.display().to_string(),
            items: Vec::new(),
            parent,
            children: BTreeMap::new(),
            defined: BTreeSet::new(),
            imported: BTreeMap::new(),
            globs: Vec::new(),
        });
        for item in &mut items {
            match item {
                Item::Mod(inner) => {
                    let name = inner.ident.to_string();
                    let below = [path.clone(), vec![name.clone()]].concat();
                    let children_in = children_in.join(&name);
                    let child = match inner.content.take() {
                        Some((_, items)) => {
                            let told = told.clone();
                            self.add_module(below, Some(at), items, told, &children_in, read)
                        }
                        None => {
                            let file = children_in.with_extension("rs");
                            self.add_file(below, Some(at), &file, &children_in, read)
                        }
                    };
                    self.modules[at].children.insert(name, child);
                }
                Item::Use(item) => self.modules[at].import(Vec::new(), &item.tree),
                item => self.modules[at].defined.extend(name_of(item)),
            }
        }
        self.modules[at].items = items;
        at
    }

    /// What a path in a module means: `None` for what is not of these crates.
    pub fn resolve(&self, module: usize, segments: &[String]) -> Option<Place> {
        let absolute = self.absolute(module, segments, 0)?;
        self.walk(&absolute, 0)
    }

    /// Whether a module defines or imports a name.
    pub fn names(&self, module: usize, name: &str) -> bool {
        let module = &self.modules[module];
        module.defined.contains(name) || module.imported.contains_key(name)
    }

    /// The last module of the crate of a module.
    pub fn last_of_crate(&self, module: usize) -> usize {
        let next = self.crates.values().filter(|root| **root > module).min();
        next.map_or(self.modules.len(), |root| *root) - 1
    }

    /// A module as it is told to a reader.
    pub fn module_name(&self, module: usize) -> String {
        self.modules[module].path.join("::")
    }

    fn absolute(&self, at: usize, segments: &[String], depth: u32) -> Option<Vec<String>> {
        let module = &self.modules[at];
        let (first, rest) = segments.split_first()?;
        let joined = |start: &[String]| Some([start, rest].concat());
        if depth > 8 {
            return None;
        }
        match first.as_str() {
            "crate" => return joined(&module.path[..1]),
            "self" => return joined(&module.path),
            "super" if !rest.is_empty() => {
                let parent = module.parent.expect("a module around it");
                let above = ["self".to_owned()];
                let above = if rest[0] == "super" {
                    rest
                } else {
                    &[&above, rest].concat()
                };
                return self.absolute(parent, above, depth);
            }
            "super" => {
                return module
                    .parent
                    .map(|parent| self.modules[parent].path.clone());
            }
            _ => {}
        }
        if module.children.contains_key(first) || module.defined.contains(first) {
            return Some([&module.path, segments].concat());
        }
        if let Some(import) = module.imported.get(first) {
            // An import that begins with its own name means what is outside.
            if import.first() == Some(first) {
                return self.outside(&[import, rest].concat());
            }
            return self.absolute(at, &[import, rest].concat(), depth + 1);
        }
        for glob in &module.globs {
            let Some(from) = self
                .absolute(at, glob, depth + 1)
                .and_then(|path| self.walk(&path, 0))
            else {
                continue;
            };
            let from = &self.modules[from.module];
            if from.defined.contains(first)
                || from.children.contains_key(first)
                || from.imported.contains_key(first)
            {
                return Some([&from.path, segments].concat());
            }
        }
        self.outside(segments)
    }

    /// A path that begins with the name of a crate.
    fn outside(&self, segments: &[String]) -> Option<Vec<String>> {
        let root = *self.crates.get(segments.first()?)?;
        Some([&self.modules[root].path, &segments[1..]].concat())
    }

    /// Goes down from a crate's root, through what is exported again.
    fn walk(&self, path: &[String], depth: u32) -> Option<Place> {
        let mut at = *self
            .crates
            .values()
            .find(|root| self.modules[**root].path[0] == path[0])?;
        for (index, name) in path.iter().enumerate().skip(1) {
            let module = &self.modules[at];
            if let Some(child) = module.children.get(name) {
                at = *child;
                continue;
            }
            let reexported = module.imported.contains_key(name) || !module.globs.is_empty();
            if reexported && !module.defined.contains(name) && depth < 8 {
                // What comes from a crate that is not looked at is of nobody here.
                let path = self.absolute(at, &path[index..], depth + 1)?;
                return self.walk(&path, depth + 1);
            }
            return Some(Place {
                module: at,
                rest: path[index..].to_vec(),
            });
        }
        Some(Place {
            module: at,
            rest: Vec::new(),
        })
    }
}

impl Module {
    fn import(&mut self, before: Vec<String>, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => {
                let before = [before, vec![path.ident.to_string()]].concat();
                self.import(before, &path.tree);
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(before.clone(), tree);
                }
            }
            UseTree::Name(name) if name.ident == "self" => {
                let last = before.last().expect("a name before `self`").clone();
                self.imported.insert(last, before);
            }
            UseTree::Name(name) => {
                let name = name.ident.to_string();
                self.imported
                    .insert(name.clone(), [before, vec![name]].concat());
            }
            UseTree::Rename(rename) => {
                let path = [before, vec![rename.ident.to_string()]].concat();
                self.imported.insert(rename.rename.to_string(), path);
            }
            UseTree::Glob(_) => self.globs.push(before),
        }
    }
}

/// The paths of a `use`, each to its last name.
pub fn paths_of(before: Vec<String>, tree: &UseTree, paths: &mut Vec<Vec<String>>) {
    match tree {
        UseTree::Path(path) => {
            paths_of(
                [before, vec![path.ident.to_string()]].concat(),
                &path.tree,
                paths,
            );
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                paths_of(before.clone(), tree, paths);
            }
        }
        UseTree::Name(name) if name.ident == "self" => paths.push(before),
        UseTree::Name(name) => paths.push([before, vec![name.ident.to_string()]].concat()),
        UseTree::Rename(rename) => paths.push([before, vec![rename.ident.to_string()]].concat()),
        UseTree::Glob(_) => paths.push(before),
    }
}

/// Whether an attribute keeps what follows for tests.
pub fn is_of_tests(attribute: &Attribute) -> bool {
    attribute.path().is_ident("test")
        || attribute.path().is_ident("cfg")
            && attribute
                .parse_args_with(Punctuated::<syn::Meta, Comma>::parse_terminated)
                .is_ok_and(|metas| metas.iter().any(|meta| meta.path().is_ident("test")))
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}
