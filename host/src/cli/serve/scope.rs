//! What a token may do: three scopes, each with everything of the one before it, and the scope that each function needs.

use std::fmt;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// What a token may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Scope {
    /// Look at everything. That something was looked at may be counted.
    Read,
    /// Work with the memory: runs, lessons, episodes, working memory, the tools of agents.
    Write,
    /// Also take care of it: remove for good, change settings, import.
    Admin,
}

impl fmt::Display for Scope {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Admin => "admin",
        })
    }
}

impl Scope {
    /// The scope that a function needs. **One that nobody has thought of needs the highest.**
    pub(crate) fn needed(method: &str) -> Self {
        let (interface, name) = method.split_once('.').unwrap_or((method, ""));
        let is_in = |table: &[(&str, &[&str])]| {
            let mut named = table.iter().filter(|(one, _)| *one == interface);
            named.any(|(_, names)| names.contains(&name))
        };
        if is_in(READ) {
            Self::Read
        } else if is_in(WRITE) {
            Self::Write
        } else {
            Self::Admin
        }
    }
}

type Table = &'static [(&'static str, &'static [&'static str])];

const READ: Table = &[
    ("adapters", &["assess"]),
    (
        "coordination",
        &["ledger-of", "ledgers", "handoff-of", "handoffs"],
    ),
    (
        "decisions",
        &[
            "was-rejected",
            "was-recently-accepted",
            "check",
            "query",
            "filter",
            "get-records",
            "failure-patterns",
            "stats",
            "export-file",
        ],
    ),
    (
        "episodes",
        &[
            "find",
            "get",
            "retrieve",
            "trace",
            "search",
            "similar-failures",
            "lifecycle-of",
            "artifact-content",
        ],
    ),
    ("events", &["find", "get", "fingerprint-of"]),
    ("exchange", &["export-tree", "export-lines"]),
    (
        "experience",
        &[
            "search",
            "synthesize",
            "recent-window",
            "entries",
            "archived",
            "get",
            "similarity-of-tasks",
            "stats",
            "settings",
        ],
    ),
    ("failures", &["categorize", "patterns", "check-warnings"]),
    ("lessons", &["activations", "explain", "find", "get"]),
    ("links", &["of-memory", "around", "contradictions"]),
    (
        "patterns",
        &[
            "get",
            "find",
            "find-applicable",
            "history",
            "gate",
            "similar",
        ],
    ),
    ("recall", &["on-error", "for-task", "context"]),
    ("runs", &["get", "open", "recent-steps", "latest-steps"]),
    ("skills", &["get", "history", "all", "find"]),
    (
        "upkeep",
        &[
            "status",
            "verify",
            "report",
            "consolidations",
            "take-inventory",
            "metrics-of-days",
        ],
    ),
    (
        "working",
        &[
            "get",
            "fetch",
            "snapshots",
            "view",
            "render",
            "continuity",
            "metadata",
        ],
    ),
];

const WRITE: Table = &[
    ("adapters", &["observe"]),
    ("coordination", &["check-in", "hand-over", "take-up"]),
    ("decisions", &["record"]),
    (
        "episodes",
        &["add", "restore", "undelete", "keep-artifact", "learn"],
    ),
    ("experience", &["evolve", "remem", "restore"]),
    ("failures", &["record"]),
    (
        "lessons",
        &[
            "propose",
            "distil",
            "hand-in",
            "mine",
            "revise",
            "set-status",
        ],
    ),
    ("links", &["relate", "unrelate"]),
    (
        "patterns",
        &[
            "add",
            "update",
            "record-application",
            "validate",
            "validate-all",
            "refine",
            "deprecate",
            "merge",
        ],
    ),
    (
        "runs",
        &["start", "brief", "observe", "describe", "finish", "submit"],
    ),
    ("skills", &["put", "retire", "make-of-pattern"]),
    (
        "working",
        &[
            "init",
            "load-task",
            "set",
            "retrieve",
            "push-state",
            "add-intermediate",
            "prune",
            "take-snapshot",
            "rollback",
            "clear",
        ],
    ),
];

#[cfg(test)]
mod tests {
    use twiceshy::wit::FUNCTIONS;

    use super::*;

    /// What needs the highest scope, so that whoever adds a function decides about it.
    const ADMIN: [&str; 17] = [
        "decisions.import-file",
        "episodes.age",
        "episodes.purge",
        "episodes.purge-one",
        "episodes.soft-delete",
        "exchange.import-lines",
        "exchange.import-tree",
        "experience.apply-edits",
        "experience.configure",
        "experience.prune",
        "experience.re-embed",
        "patterns.prune",
        "patterns.set-gate",
        "upkeep.consolidate",
        "upkeep.prune",
        "upkeep.reindex",
        "upkeep.undo-consolidation",
    ];

    #[test]
    fn every_function_has_a_scope_on_purpose() {
        for function in FUNCTIONS {
            let method = function.method();
            let is_admin = ADMIN.contains(&method.as_str());
            assert_eq!(Scope::needed(&method) == Scope::Admin, is_admin, "{method}");
        }
        for (table, scope) in [(READ, Scope::Read), (WRITE, Scope::Write)] {
            for (interface, name) in table
                .iter()
                .flat_map(|(interface, names)| names.iter().map(move |name| (interface, name)))
                .filter(|(interface, _)| **interface != "adapters")
            {
                let method = format!("{interface}.{name}");
                assert_eq!(Scope::needed(&method), scope, "{method} is named twice");
                let mut functions = FUNCTIONS.iter();
                assert!(
                    functions.any(|one| one.method() == method),
                    "there is no {method}"
                );
            }
        }
        assert_eq!(Scope::needed("upkeep.what-comes-next"), Scope::Admin);
    }
}
