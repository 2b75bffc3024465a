//! Work of agents, made up but as like each other as work is: some thousands of phrasings over and over, each time with
//! names of its own. Owns the episodes and patterns that the benchmark fills a memory with. The same number gives the
//! same bytes.

use serde_json::{Value, json};

const DOMAINS: [&str; 6] = ["cli", "web", "data", "infra", "mobile", "docs"];
const TYPES: [&str; 5] = ["bugfix", "feature", "refactoring", "deployment", "research"];
const TOOLS: [&str; 12] = [
    "cargo",
    "git",
    "npm",
    "pytest",
    "docker",
    "kubectl",
    "psql",
    "terraform",
    "rsync",
    "curl",
    "make",
    "jq",
];
const VERBS: [&str; 12] = [
    "fix",
    "add",
    "migrate",
    "refactor",
    "deploy",
    "test",
    "rename",
    "remove",
    "upgrade",
    "profile",
    "revert",
    "configure",
];
const THINGS: [&str; 40] = [
    "login",
    "form",
    "database",
    "schema",
    "index",
    "cache",
    "pipeline",
    "parser",
    "token",
    "session",
    "invoice",
    "report",
    "export",
    "import",
    "queue",
    "worker",
    "scheduler",
    "config",
    "endpoint",
    "router",
    "socket",
    "image",
    "container",
    "cluster",
    "secret",
    "certificate",
    "payment",
    "webhook",
    "email",
    "template",
    "layout",
    "chart",
    "table",
    "column",
    "migration",
    "branch",
    "release",
    "package",
    "fixture",
    "snapshot",
];
const TROUBLES: [&str; 14] = [
    "connection refused",
    "permission denied",
    "no such file or directory",
    "type mismatch",
    "deadlock detected",
    "out of memory",
    "operation timed out",
    "host unreachable",
    "missing argument",
    "unknown option",
    "duplicate key value",
    "syntax error",
    "certificate has expired",
    "disk quota exceeded",
];

/// The time of the first episode: 2024-01-01. They are twelve minutes apart.
pub const START: u64 = 1_704_067_200_000;
const APART: u64 = 720_000;

/// When an episode ended.
pub fn ended_at(number: u64) -> u64 {
    START + number * APART
}

/// Numbers that look random and are always the same.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        dice.roll(7);
        dice
    }

    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides
    }

    /// Small numbers are frequent, as in language.
    pub fn skewed(&mut self, sides: usize) -> usize {
        let (a, b) = (self.roll(sides), self.roll(sides));
        a * b / sides
    }

    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        from[self.skewed(from.len())]
    }
}

/// What stays the same whenever a task comes again.
struct Phrasing {
    words: String,
    domain: &'static str,
    task_type: &'static str,
    tool: &'static str,
    trouble: &'static str,
}

fn phrasing(number: usize) -> Phrasing {
    let mut dice = Dice::new(number as u64 ^ 0xfeed);
    let words = format!(
        "{} the {} {} of the {} after the {} change",
        dice.pick(&VERBS),
        dice.pick(&THINGS),
        dice.pick(&THINGS),
        dice.pick(&THINGS),
        dice.pick(&THINGS)
    );
    Phrasing {
        words,
        domain: dice.pick(&DOMAINS),
        task_type: dice.pick(&TYPES),
        tool: dice.pick(&TOOLS),
        trouble: dice.pick(&TROUBLES),
    }
}

/// The phrasing of an episode, and the service that it is about.
fn subject(number: u64) -> (Phrasing, String, Dice) {
    let mut dice = Dice::new(number);
    let phrasing = phrasing(dice.skewed(3_000));
    let service = format!("service-{}", dice.skewed(2_000));
    (phrasing, service, dice)
}

/// The task of an episode.
pub fn task(number: u64) -> String {
    let (phrasing, service, _) = subject(number);
    format!("{} in {service}", phrasing.words)
}

/// The domain of an episode and its kind of task.
pub fn domain_and_type(number: u64) -> (&'static str, &'static str) {
    let (phrasing, ..) = subject(number);
    (phrasing.domain, phrasing.task_type)
}

/// The error that an episode met.
pub fn error(number: u64) -> String {
    let (phrasing, service, mut dice) = subject(number);
    format!(
        "error: {}: {} (os error {}) at {service}/src/main.rs:{}:7",
        phrasing.tool,
        phrasing.trouble,
        dice.roll(120),
        dice.roll(900)
    )
}

/// Output as tools write it, of about so many bytes.
fn output(dice: &mut Dice, bytes: usize) -> String {
    let mut output = String::with_capacity(bytes + 80);
    while output.len() < bytes {
        output.push_str(&format!(
            "{} {}: {} {} ({} ms)\n",
            dice.pick(&["info", "debug", "warn", "ok"]),
            dice.pick(&TOOLS),
            dice.pick(&THINGS),
            dice.roll(100_000),
            dice.roll(4_000)
        ));
    }
    output
}

/// An episode of about 10 KB: its head, its account and its steps.
pub fn episode(number: u64) -> Value {
    let (phrasing, service, _) = subject(number);
    let mut dice = Dice::new(number ^ 0xabcd);
    let failed = dice.roll(4) == 0;
    let trace: Vec<Value> = (0..10)
        .map(|step| {
            let fails = step == 3 || (failed && step == 9);
            let action = format!(
                "{} {} --{} {service}",
                phrasing.tool,
                dice.pick(&VERBS),
                dice.pick(&THINGS)
            );
            json!({
                "after": step * 7,
                "action": action,
                "target": format!("{service}/src/{}.rs", dice.pick(&THINGS)),
                "result": if fails { Value::Null } else { json!(output(&mut dice, 650)) },
                "error": if fails { json!(error(number)) } else { Value::Null },
            })
        })
        .collect();
    json!({"episode": {
        "task": task(number),
        "domain": phrasing.domain,
        "session": format!("session-{}", number / 8),
        "agent": format!("agent-{}", number % 5),
        "task-type": phrasing.task_type,
        "tools-used": [phrasing.tool, dice.pick(&TOOLS)],
        "strategies-applied": [dice.pick(&["bisect", "read-first", "test-first", "rewrite"])],
        "tags": [dice.pick(&THINGS), dice.pick(&THINGS)],
        "summary": format!("{} and found {}", phrasing.words, phrasing.trouble),
        "started-at": ended_at(number) - 600_000,
        "ended-at": ended_at(number),
        "outcome": if failed { "failure" } else { "success" },
        "score": if failed { 0.2 } else { 0.9 },
        "trace": trace,
        "account": {
            "goals": [phrasing.words, "keep every test green"],
            "constraints": ["no downtime", "no new dependency"],
            "success-criteria": ["all tests pass"],
            "plan": ["read", "reproduce", "change", "test"],
            "files-involved": [format!("{service}/src/main.rs")],
            "complexity": 0.1 * dice.roll(10) as f64,
            "primary-output": output(&mut dice, 900),
            "insights": [format!("{} needs its {} first", phrasing.tool, dice.pick(&THINGS))],
        },
    }})
}

/// A number as a word: digits are volatile, and rules that differ in them alone are the same.
fn letters(number: u64) -> String {
    let letter = |place: u32| char::from(b'a' + (number / 26_u64.pow(place) % 26) as u8);
    (0..4).map(letter).collect()
}

/// A pattern of about 5 KB.
pub fn pattern(number: u64) -> Value {
    let mut dice = Dice::new(number ^ 0x7777);
    let Phrasing {
        words,
        domain,
        task_type,
        tool,
        trouble,
    } = phrasing(number as usize % 3_000);
    json!({"pattern": {
        "name": format!("{words}, way {number}"),
        "kind": dice.pick(&["strategy", "recovery", "optimization", "tool-selection"]),
        "summary": format!("{words}, way {number}: when {tool} says {trouble}, look at the {} first", dice.pick(&THINGS)),
        "explanation": output(&mut dice, 3_500),
        "correct-approach": format!("{tool} by-{} --{}", letters(number), dice.pick(&THINGS)),
        "incorrect-approach": format!("{tool} --{}", dice.pick(&THINGS)),
        "applicability": {
            "problem-types": [task_type],
            "domains": [domain],
            "least-complexity": 0.0,
            "most-complexity": 0.5 + 0.05 * dice.roll(10) as f64,
            "context-conditions": [{"feature": "language", "test": "equals", "value": "rust"}],
        },
        "domain": domain,
        "tags": [dice.pick(&THINGS)],
        "confidence": 0.5 + 0.05 * dice.roll(10) as f64,
        "source": "person",
    }})
}

/// What a task that is about to begin asks for.
pub fn features(number: u64) -> Value {
    let (domain, task_type) = domain_and_type(number);
    json!({"task": {
        "task": task(number),
        "task-type": task_type,
        "domain": domain,
        "complexity": 0.4,
        "features": [{"name": "language", "value": "rust"}],
        "limit": 10,
    }})
}
