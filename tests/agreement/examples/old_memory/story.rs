//! The story: runs, lessons, patterns and all else, and the time that passes between.

use serde_json::{Value, json};

use crate::{Story, id};

fn worked(action: &str) -> Value {
    json!({
        "step": {"before": {"cwd": "/srv/shop"}, "action": {"command": [action]}, "observation": {"exit": 0}},
        "feedback": {"action-text": action, "progress-signal": 1.0, "efficiency-signal": 0.5},
    })
}

fn failed(action: &str, evidence: &str) -> Value {
    json!({
        "step": {"action": {"command": [action]}, "observation": {"exit": 2, "stderr": evidence}},
        "feedback": {"action-text": action, "hard-failure": {"reason": "exit 2", "evidence": evidence}},
    })
}

fn violated(action: &str, condition: &str) -> Value {
    json!({
        "step": {"action": {"command": [action]}, "observation": {"exit": 0}},
        "feedback": {"action-text": action, "constraint-failure": [{"condition": condition, "evidence": "it is not there"}]},
    })
}

/// Runs whose failures teach lessons, which are then shown, withheld and judged.
pub(crate) fn runs(story: &mut Story) -> Vec<String> {
    let mut episodes = Vec::new();
    for number in 0..9 {
        let hold_out = if number % 3 == 2 { 0.5 } else { 0.0 };
        let run = json!({
            "task": "sort the numbers in column 3 of report.csv", "domain": "cli", "hold-out": hold_out,
            "session": format!("session-{}", number / 3), "agent": "anna", "task-type": "data", "tags": ["csv"],
        });
        let run = story.id("runs.start", json!({ "run": run }));
        story.tell("runs.brief", json!({"run": run, "request": {"limit": 3}}));
        let mut steps = vec![];
        if number < 4 {
            let evidence = format!("sort: unknown option '--numeric' in line {}", 10 + number);
            steps.push(failed("sort --numeric report.csv", &evidence));
        }
        steps.push(worked("sort -n report.csv"));
        if number % 4 == 1 {
            steps.push(violated(
                "cp report.csv /mnt/share",
                "the share has the report",
            ));
        }
        for step in steps {
            story.tell("runs.observe", json!({"run": run, "observed": step}));
        }
        story.tell("runs.describe", json!({"run": run, "description": {
            "task-type": "data", "tools-used": ["sort"], "strategies-applied": ["try and read"], "tags": ["csv"],
            "summary": "sorted by the third column",
            "account": {"goals": ["sorted numbers"], "constraints": [], "success-criteria": ["ascending"], "context": {"rows": 120},
                "files-involved": ["report.csv"], "plan": ["look", "sort"], "adaptations": [{"step": 1, "change": "the short option", "reason": "the long one is unknown"}],
                "resource-usage": [{"name": "seconds", "value": 1.5}], "side-effects": [], "quality-metrics": [], "insights": ["`sort -n` is enough"],
                "patterns-discovered": [], "errors-encountered": [{"kind": "usage", "message": "unknown option", "resolution": "sort -n"}], "artifacts": []},
        }}));
        let outcome = if number == 5 { "partial" } else { "success" };
        let ending = json!({"outcome": outcome, "score": 0.6 + 0.04 * f64::from(number)});
        episodes.push(story.id("runs.finish", json!({"run": run, "ending": ending})));
        story.days(2);
    }
    // What nothing helped against, and a run that is given in whole.
    for _ in 0..3 {
        let steps = json!([
            failed(
                "ssh deploy@10.0.0.7 restart",
                "connection refused: 10.0.0.7:22"
            ),
            failed(
                "ssh deploy@10.0.0.7 restart",
                "connection refused: 10.0.0.7:22"
            ),
        ]);
        let run =
            json!({"task": "restart the service on the cluster", "domain": "cli", "agent": "ben"});
        let submitted = story.tell(
            "runs.submit",
            json!({"run": run, "steps": steps, "ending": {"outcome": "failure"}}),
        );
        episodes.push(id(&submitted["episode"]));
        story.days(1);
    }
    episodes
}

/// Lessons of every source, and how they are related.
pub(crate) fn lessons(story: &mut Story, episodes: &[String]) {
    let mut ids = Vec::new();
    for (kind, scope, rule) in [
        (
            "rule",
            "domain",
            "WRONG: tar xf archive.zip → CORRECT: unzip archive.zip",
        ),
        (
            "anti-pattern",
            "global",
            "AVOID: chmod 777 on a directory that others can reach",
        ),
        (
            "fact",
            "task",
            "The share /mnt/share is read-only on Sundays",
        ),
        (
            "recovery",
            "domain",
            "After `connection refused` look whether the service listens at all",
        ),
        ("rule", "domain", "Écrire les rapports en UTF-8; 日本語も"),
    ] {
        ids.push(story.id("lessons.propose", json!({"lesson": {
            "rule-text": rule, "kind": kind, "scope-hint": scope, "domain": "cli", "task": "restart the service on the cluster",
            "trigger-texts": ["tar: This does not look like a tar archive", "connection refused: 10.0.0.9:22"], "tags": ["archive"],
            "source": "person", "trigger-fingerprints": [], "steps": []}})));
    }
    for (lesson, status) in [
        (0, "promoted"),
        (1, "promoted"),
        (2, "under-review"),
        (4, "suppressed"),
    ] {
        story.tell(
            "lessons.set-status",
            json!({"lesson": ids[lesson], "status": status, "reason": "looked at by hand"}),
        );
    }
    story.tell("lessons.revise", json!({"lesson": ids[3],
        "rule-text": "After `connection refused` look with `ss -l` whether the service listens at all", "reason": "names the command"}));
    story.tell("lessons.hand-in", json!({"episode": episodes[9], "candidates":
        r#"[{"trigger_fingerprints": [], "rule_text": "AVOID: restarting over ssh while the gateway is down", "scope_hint": "domain"}]"#}));
    story.model_says(r#"[{"trigger_fingerprints": [], "rule_text": "Ask the gateway first", "scope_hint": "task"}]"#);
    story.tell("lessons.distil", json!({"episode": episodes[10]}));
    story.tell("lessons.mine", json!({"episode": episodes[0]}));
    for (source, relation, target) in [
        (0, "elaborates", 1),
        (2, "contradicts", 3),
        (1, "complements", 4),
    ] {
        story.tell("links.relate", json!({"link": {"source": ids[source], "relation": relation, "target": ids[target], "reason": "seen together", "at": 0}}));
    }
    story.tell("links.relate", json!({"link": {"source": ids[0], "relation": "derived-from", "target": episodes[0], "reason": "", "at": 0}}));
}

/// Episodes that came from elsewhere, some alike enough to be made one, one with an artifact.
pub(crate) fn episodes(story: &mut Story) -> Vec<String> {
    let mut ids = Vec::new();
    let artifact = story.tell(
        "episodes.keep-artifact",
        json!({"name": "log.txt", "media-type": "text/plain", "content": b"a short log".to_vec()}),
    );
    for version in 1..6_u32 {
        let ended = story.world.clock.get();
        let trace = [
            format!("git tag v{version}.0"),
            "cargo build --release".into(),
            format!("scp out/app-{version}.tar.gz host:/srv"),
        ];
        let trace: Vec<_> = trace.iter().enumerate().map(|(index, action)| {
            json!({"after": 1_000 * index, "action": action, "target": "host", "result": "done"})
        }).collect();
        ids.push(story.id("episodes.add", json!({"episode": {
            "task": format!("release version {version}"), "domain": "cli", "task-type": "release", "outcome": "success", "score": 0.9,
            "session": "releases", "agent": "anna", "tools-used": ["git", "cargo", "scp"], "strategies-applied": ["step by step"], "tags": ["release"],
            "summary": "tagged, built and copied", "started-at": ended - 60_000, "ended-at": ended, "trace": trace,
            "account": {"goals": ["a release"], "constraints": ["from a clean tree"], "success-criteria": [], "context": {"branch": "main"}, "phase": "release",
                "files-involved": ["Cargo.toml"], "complexity": 0.4, "plan": ["tag", "build", "copy"], "adaptations": [], "resource-usage": [{"name": "minutes", "value": 4}],
                "primary-output": "out/app.tar.gz", "side-effects": ["a tag"], "quality-metrics": [{"name": "tests", "value": 1}], "insights": ["tag before the build"],
                "patterns-discovered": [], "performance-analysis": "the build takes longest", "git-commit": "0a1b2c3d",
                "errors-encountered": [{"kind": "network", "message": "scp: connection reset", "resolution": "once more"}], "artifacts": [artifact]}}})));
        story.days(1);
    }
    let learned = story.tell("episodes.learn", json!({"insights": ["compress before copying"], "episode": {
        "task": "copy the backups to the share", "domain": "cli", "outcome": "failure", "tools-used": ["rsync"], "strategies-applied": [], "tags": [],
        "trace": [{"after": 0, "action": "rsync -a /srv /mnt/share", "error": "rsync: write failed: No space left on device (28)"}]}}));
    ids.push(id(&learned["episode"]));
    ids
}

/// Patterns with their contents, versions, applications and gate; skills made by hand and of a pattern.
pub(crate) fn patterns(story: &mut Story, episodes: &[String]) {
    let applicability = json!({"problem-types": ["data", "release"], "domains": ["cli"], "least-complexity": 0.1, "most-complexity": 0.9,
        "required-capabilities": ["shell"], "context-conditions": [{"feature": "rows", "test": "at-least", "value": "10"}],
        "anti-conditions": [{"feature": "streaming", "test": "present", "value": ""}], "conditions": ["the file fits into memory"]});
    let contents = [
        (
            "strategy",
            json!({"strategy": {"approach": "look first", "key-principles": ["small steps"], "trade-offs": "slower"}}),
        ),
        (
            "sequence",
            json!({"procedure": {"steps": ["tag", "build", "copy"], "branching-logic": ["if the build fails, stop"], "termination-conditions": ["copied"]}}),
        ),
        (
            "optimization",
            json!({"heuristic": {"condition": "more than a million rows", "action": "split", "rationale": "memory"}}),
        ),
        (
            "decomposition",
            json!({"template": {"structure": {"parts": 2}, "parameters": ["n"], "instantiation-rules": ["n > 1"]}}),
        ),
        ("strategy", json!(null)),
        ("strategy", json!(null)),
    ];
    let mut ids = Vec::new();
    for (number, (kind, content)) in contents.into_iter().enumerate() {
        let summary = match number {
            0 => "look at the data before sorting it",
            1 => "release by tag, build and copy",
            2 => "split large files before sorting",
            3 => "divide the work into two halves",
            _ => "write the tests before the parser",
        };
        let twin = if number == 5 { " again" } else { "" };
        let added = story.tell("patterns.add", json!({"pattern": {
            "name": format!("pattern {number}"), "kind": kind, "summary": format!("{summary}{twin}"), "explanation": "as it went before",
            "correct-approach": format!("{summary}{twin}, slowly"), "incorrect-approach": "all at once", "applicability": applicability, "content": content,
            "guidance": {"when-to-apply": "always", "how-to-apply": "by hand", "expected-benefits": ["fewer errors"], "potential-risks": [], "alternative-patterns": []},
            "domain": "cli", "tags": ["work"], "trigger-fingerprints": [], "source-episodes": [episodes[0]], "confidence": 0.7, "source": "agent"}}));
        ids.push(id(&added["lesson"]));
    }
    story.tell("patterns.set-gate", json!({"gate": {"least-applications": 4, "least-success-rate": 0.6, "significance": 0.2, "confidence": 0.5}}));
    for (number, episode) in episodes.iter().enumerate().take(9) {
        let outcome = if number == 4 { "failure" } else { "success" };
        story.tell(
            "patterns.record-application",
            json!({"pattern": ids[0], "episode": episode, "outcome": outcome}),
        );
        story.tell(
            "patterns.record-application",
            json!({"pattern": ids[1], "episode": episode, "outcome": "success"}),
        );
    }
    story.tell("patterns.update", json!({"pattern": ids[0], "update": {"summary": "look at the first rows before sorting", "reason": "more exact"}}));
    story.tell("patterns.validate", json!({"pattern": ids[0]}));
    story.tell("patterns.validate", json!({"pattern": ids[1]}));
    story.tell(
        "patterns.merge",
        json!({"patterns": [ids[4], ids[5]], "reason": "they say the same"}),
    );
    story.tell(
        "patterns.deprecate",
        json!({"pattern": ids[2], "reason": "sort does it by itself", "superseded-by": ids[0]}),
    );
    let skill = "# Skill: Parse a file\n\n## Prerequisites\n- a file\n\n## Steps\n1. Read the header\n2. Split the lines\n\n## Common errors\n- no header: take the first line\n\n## Exit criteria\n- all lines read\n";
    story.tell(
        "skills.put",
        json!({"slug": "parse-file", "markdown": skill}),
    );
    story.tell(
        "skills.put",
        json!({"slug": "parse-file", "markdown": skill.replace("Split", "Split and trim")}),
    );
    story.tell(
        "skills.put",
        json!({"slug": "old-way", "markdown": skill.replace("Parse", "Print")}),
    );
    story.tell(
        "skills.retire",
        json!({"slug": "old-way", "reason": "nobody prints"}),
    );
    story.tell(
        "skills.make-of-pattern",
        json!({"pattern": ids[1], "slug": "release"}),
    );
}

/// Experience, decisions, failures of hypotheses.
pub(crate) fn judgements(story: &mut Story) {
    story.tell("experience.configure", json!({"settings": {"enabled": true, "max-size": 6, "top-k": 3, "window-size": 4, "enable-rag": true, "remem-enabled": true,
        "max-inner-steps": 3, "enable-smart-prune": true, "prune-threshold": 0.97, "relevance-decay": 0.99, "min-relevance": 0.1}}));
    for (number, task) in [
        "draw a chart of sales",
        "translate the manual",
        "translate the manual",
        "count words in a novel",
        "plan the week",
        "mend the printer",
        "bake bread",
        "name the cat",
    ]
    .into_iter()
    .enumerate()
    {
        let kind = ["factual", "procedural", "episodic"][number % 3];
        story.tell("experience.evolve", json!({"experience": {"input": task, "output": format!("done in {number} steps"), "feedback": "it worked",
            "structured-feedback": {"kind": "success", "correct": true, "progress-rate": 0.9, "steps-used": number, "steps-optimal": 1, "message": "fine"},
            "strategy-card": "one thing at a time", "domain": "office", "tags": ["office"], "metadata": [{"name": "room", "value": "7"}], "memory-type": kind}}));
        story.days(1);
    }
    let found = story.tell(
        "experience.search",
        json!({"query": {"text": "translate the manual of the printer", "limit": 3}}),
    );
    let entry = id(&found[0]["entry"]);
    story.tell(
        "experience.apply-edits",
        json!({"edits": [{"action": "update-tag", "ids": [entry], "tag": "paper"}]}),
    );
    for answer in [
        r#"{"action": "THINK", "content": "what do I know?"}"#,
        r#"{"action": "ACT", "content": "done"}"#,
    ] {
        story.model_says(answer);
    }
    story.tell(
        "experience.remem",
        json!({"request": {"task": "translate the manual of the stove", "tools": ["pen"]}}),
    );
    for (module, hypothesis, outcome) in [
        ("loader", "Cache the parsed header", "accepted"),
        (
            "loader",
            "Refactor process method into smaller functions",
            "rejected",
        ),
        ("loader", "Use a generator for the rows", "rejected"),
        ("trainer", "Double the batch size", "held"),
        ("trainer", "Sort batches by length", "accepted"),
    ] {
        let reason = (outcome == "rejected")
            .then_some("mypy error: Cannot assign lambda to Callable[[dict], dict]");
        story.tell("decisions.record", json!({"decision": {"module": module, "hypothesis": hypothesis, "description": format!("{hypothesis} in {module}"),
            "outcome": outcome, "rationale": "measured", "rejection-reason": reason}}));
    }
    for line in [45, 120, 7] {
        story.tell("failures.record", json!({"failure": {"module-category": "agents/e", "module-name": if line == 7 {"trainer"} else {"loader"},
            "hypothesis": "Use a generator for the rows", "failure-details": format!("TypeError: expected str, got None at line {line}")}}));
    }
}

/// Working memories, one of an open run and one that was cleared; ledgers and handoffs.
pub(crate) fn open_work(story: &mut Story) {
    let mut open = Vec::new();
    for task in [
        "write tests for the parser",
        "migrate the database schema to version 7",
    ] {
        let run = story.id(
            "runs.start",
            json!({"run": {"task": task, "domain": "cli", "agent": "ben", "tags": ["open"]}}),
        );
        story.tell("working.init", json!({"run": run, "context": {"capabilities": ["shell"], "tools": ["psql"], "configuration": {"dry": true}, "safety-bounds": ["no drop"],
            "budgets": {"system-context": 400, "task-context": 400, "execution-state": 400, "intermediate-results": 200, "retrieved-context": 400}}}));
        story.tell("working.load-task", json!({"run": run, "task": {"description": task, "goals": ["done"], "constraints": ["no loss"], "success-criteria": ["tests pass"],
            "plan": ["look", "change", "check"], "variables": [{"key": "tables", "value": 7, "scope": "task-scope"}]}}));
        story.tell("working.set", json!({"run": run, "variable": {"key": "done", "value": ["users"], "scope": "execution-scope", "kind": "accumulator"}}));
        story.tell("working.set", json!({"run": run, "variable": {"key": "attempts", "value": 2, "scope": "metadata", "kind": "metadata"}}));
        story.tell("working.push-state", json!({"run": run, "state": {"phase": "change", "current-subtask": "users", "progress": 0.3, "completed": ["look"],
            "in-progress": ["users"], "failed": [{"subtask": "orders", "error": "locked"}]}}));
        story.tell(
            "working.take-snapshot",
            json!({"run": run, "label": "before the rest"}),
        );
        for part in 0..6 {
            story.tell("working.add-intermediate", json!({"run": run, "intermediate": {"subtask": format!("table {part}"), "kind": "rows",
                "output": {"rows": vec![format!("row of table {part} with some words in it"); 12]}, "needed-by": ["check"], "trace": "selected"}}));
        }
        story.tell(
            "working.retrieve",
            json!({"run": run, "query": {"text": "sort the numbers of a report", "limit": 2}}),
        );
        story.tell("working.prune", json!({"run": run}));
        open.push(run);
    }
    story.tell("runs.observe", json!({"run": open[1], "observed": failed("psql -f 7.sql", "ERROR:  relation \"orders\" already exists at 10.0.0.7:5432")}));
    story.tell(
        "runs.observe",
        json!({"run": open[1], "observed": worked("psql -c 'select 1'")}),
    );
    story.tell("working.clear", json!({"run": open[0]}));
    for done in 1..3 {
        story.tell("coordination.check-in", json!({"checkpoint": {"agent-id": "anna", "tasks-completed": done, "current-task": "the schema",
            "state": {"files-modified": ["7.sql"], "uncommitted-changes": true, "last-git-commit": "0a1b2c3d"},
            "context": {"tech-stack": ["postgres"], "patterns-learned": ["one table at a time"], "current-goal": "version 7"}}}));
    }
    for to in ["ben", "carla"] {
        let handoff = story.id("coordination.hand-over", json!({"handoff": {"from-agent": "anna", "to-agent": to, "context": {"what-was-done": "half of the tables",
            "artifacts": ["7.sql"], "git-state": "on main, 0a1b2c3d", "needs-testing": ["orders"], "known-issues": ["a lock"], "relevant-patterns": []}}}));
        if to == "ben" {
            story.tell(
                "coordination.take-up",
                json!({"handoff": handoff, "agent-id": "ben"}),
            );
        }
    }
}

/// Time passes: what is alike is made one, what is old goes to cold storage, something is deleted.
pub(crate) fn upkeep(story: &mut Story, ids: &[String]) {
    for (days, hours) in [(60, None), (350, Some(24 * 400))] {
        story.days(days);
        let mut request = json!({"stages": [], "hours": hours, "episode-similarity": 0.9, "pattern-similarity": 0.9});
        loop {
            let piece = story.tell("upkeep.consolidate", json!({ "request": request }));
            match piece["next"].as_str() {
                Some(next) => request["after"] = json!(next),
                None => break,
            }
        }
    }
    while story.tell("episodes.age", json!({"limit": 10, "dry-run": false}))["more"] == true {}
    story.tell(
        "episodes.soft-delete",
        json!({"episode": ids.last(), "reason": "of no interest"}),
    );
}

/// Something new: what is recent, an account that is not archived, a hint and an activation that nobody has judged yet.
pub(crate) fn lately(story: &mut Story) {
    episodes(story);
    let mut ids = Vec::new();
    for way in ["--fast", "--safe"] {
        ids.push(story.id("lessons.propose", json!({"lesson": {"rule-text": format!("WRONG: rsync -a → CORRECT: rsync {way}"), "domain": "cli",
            "trigger-texts": ["rsync: write failed: No space left on device (28)"], "trigger-fingerprints": [], "tags": [], "steps": []}})));
    }
    story.tell("links.relate", json!({"link": {"source": ids[0], "relation": "contradicts", "target": ids[1], "reason": "one of them", "at": 0}}));
    for line in 1..5 {
        story.tell("failures.record", json!({"failure": {"module-category": "agents/e", "module-name": "loader",
            "hypothesis": "Use a generator for the rows", "failure-details": format!("TypeError: expected str, got None at line {line}")}}));
    }
    story.tell("decisions.record", json!({"decision": {"module": "loader", "hypothesis": "Read the rows lazily", "outcome": "accepted", "rationale": "measured"}}));
    story.tell("patterns.add", json!({"pattern": {"id": "sem-001", "name": "Split", "kind": "strategy", "summary": "split the report before sorting", "domain": "cli",
        "applicability": {"problem-types": ["data"], "domains": [], "required-capabilities": [], "context-conditions": [], "anti-conditions": [], "conditions": []},
        "tags": [], "trigger-fingerprints": [], "source-episodes": []}}));
    story.tell(
        "lessons.set-status",
        json!({"lesson": "sem-001", "status": "promoted", "reason": "seen to work"}),
    );
    let run = story.id("runs.start", json!({"run": {"task": "sort the numbers in column 3 of report.csv", "domain": "cli", "hold-out": 0.0}}));
    story.tell("runs.brief", json!({"run": run, "request": {}}));
    story.tell("runs.observe", json!({"run": run, "observed": failed("sort --numeric other.csv", "sort: unknown option '--numeric' in line 99")}));
    story.tell("runs.submit", json!({"run": {"task": "release version 9", "domain": "cli", "task-type": "release"},
        "steps": [worked("git tag v9.0"), worked("cargo build --release")], "ending": {"outcome": "success", "score": 1.0}}));
}
