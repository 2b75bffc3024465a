//! Cycles among the modules of one level, and what is left of a graph without its shortcuts.

use std::collections::{BTreeMap, BTreeSet};

use super::{edges::Edges, source::Sources};

/// The modules directly below one, and who of them needs whom, with the first place.
pub struct Level {
    /// The module above, such as `engine::lessons`.
    pub above: String,
    pub names: Vec<String>,
    /// By index into `names`.
    pub needs: BTreeMap<(usize, usize), String>,
}

/// A level for every module that has modules below it. The module above is left out: it opens what is below it
/// to others, and holds what they share.
pub fn levels(sources: &Sources, edges: &Edges) -> Vec<Level> {
    let modules = &sources.modules;
    let mut levels = Vec::new();
    for above in 0..modules.len() {
        let below: Vec<usize> = (0..modules.len())
            .filter(|child| modules[*child].parent == Some(above))
            .collect();
        if below.is_empty() {
            continue;
        }
        // The child of `above` that a module is or stands in.
        let child_of = |mut module: usize| {
            while let Some(parent) = modules[module].parent {
                if parent == above {
                    return below.iter().position(|child| *child == module);
                }
                module = parent;
            }
            None
        };
        let mut needs = BTreeMap::new();
        for ((from, to), place) in edges {
            if let (Some(from), Some(to)) = (child_of(*from), child_of(*to))
                && from != to
            {
                needs.entry((from, to)).or_insert_with(|| place.clone());
            }
        }
        let names = below
            .iter()
            .map(|child| modules[*child].path.last().expect("a name").clone());
        levels.push(Level {
            above: sources.module_name(above),
            names: names.collect(),
            needs,
        });
    }
    levels
}

/// The modules of one crate beside the other crates as a whole: what is drawn.
pub fn overview(sources: &Sources, edges: &Edges, of: &str) -> Level {
    let mut names: Vec<String> = Vec::new();
    let mut node_of = BTreeMap::new();
    for (module, source) in sources.modules.iter().enumerate() {
        let name = if source.path[0] == of {
            source.path.get(1)
        } else {
            source.path.first()
        };
        let Some(name) = name else { continue };
        let node = names
            .iter()
            .position(|known| known == name)
            .unwrap_or_else(|| {
                names.push(name.clone());
                names.len() - 1
            });
        node_of.insert(module, node);
    }
    let mut needs = BTreeMap::new();
    for ((from, to), place) in edges {
        if let (Some(from), Some(to)) = (node_of.get(from), node_of.get(to))
            && from != to
        {
            needs.entry((*from, *to)).or_insert_with(|| place.clone());
        }
    }
    Level {
        above: of.to_owned(),
        names,
        needs,
    }
}

impl Level {
    /// Whom each needs in the end, by index.
    fn reach(&self) -> Vec<BTreeSet<usize>> {
        let mut reach: Vec<BTreeSet<usize>> = (0..self.names.len())
            .map(|from| {
                self.needs
                    .keys()
                    .filter(|need| need.0 == from)
                    .map(|need| need.1)
                    .collect()
            })
            .collect();
        loop {
            let mut changed = false;
            for from in 0..reach.len() {
                let further: BTreeSet<usize> = reach[from]
                    .iter()
                    .flat_map(|to| reach[*to].clone())
                    .collect();
                let before = reach[from].len();
                reach[from].extend(further);
                changed |= reach[from].len() > before;
            }
            if !changed {
                return reach;
            }
        }
    }

    /// The groups of modules that need each other, each as its names and its edges with their places.
    pub fn cycles(&self) -> Vec<(Vec<String>, Vec<String>)> {
        let reach = self.reach();
        let mut seen = BTreeSet::new();
        let mut cycles = Vec::new();
        for start in 0..self.names.len() {
            if !reach[start].contains(&start) || !seen.insert(start) {
                continue;
            }
            let group: BTreeSet<usize> = reach[start]
                .iter()
                .copied()
                .filter(|other| reach[*other].contains(&start))
                .collect();
            seen.extend(&group);
            let within = self
                .needs
                .iter()
                .filter(|((from, to), _)| group.contains(from) && group.contains(to));
            let places = within.map(|((from, to), place)| {
                format!("{} → {}: {place}", self.names[*from], self.names[*to])
            });
            cycles.push((
                group.iter().map(|at| self.names[*at].clone()).collect(),
                places.collect(),
            ));
        }
        cycles
    }

    /// The edges that no longer way stands for.
    pub fn without_shortcuts(&self) -> Vec<(usize, usize)> {
        let reach = self.reach();
        let needs: Vec<(usize, usize)> = self.needs.keys().copied().collect();
        let longer = |from: usize, to: usize| {
            needs
                .iter()
                .any(|(other, via)| *other == from && *via != to && reach[*via].contains(&to))
        };
        needs
            .iter()
            .copied()
            .filter(|(from, to)| !longer(*from, *to))
            .collect()
    }

    /// How high each stands on the longest way up from below, where none is lower than its own lowest place.
    pub fn heights(&self, lowest: impl Fn(usize) -> usize) -> Vec<usize> {
        let mut heights: Vec<usize> = (0..self.names.len()).map(lowest).collect();
        for _ in 0..self.names.len() {
            for (from, to) in self.needs.keys() {
                heights[*from] = heights[*from].max(heights[*to] + 1);
            }
        }
        heights
    }
}
