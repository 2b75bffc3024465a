//! The file of a shared lesson: its rule, then a list of what it is for and the cases it was learned from, in words that a
//! reviewer reads.

use std::{fs::OpenOptions, io::Read, os::unix::fs::OpenOptionsExt, path::Path};

use nix::fcntl::OFlag;
use serde::{Deserialize, Serialize};
use serde_json::json;
use twiceshy::wit::memory::{Lesson, LessonCandidate, LessonKind, Scope, Source};

use super::SHARED;
use crate::cli::{show, words::word};

/// A file in bytes: a rule has a thousand characters, and a lesson 32 triggers.
const FILE_BYTES: u64 = 64 << 10;

/// What a lesson was learned from: what failed, what it printed, and what worked.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Case {
    wrong: String,
    evidence: String,
    correct: String,
}

/// A lesson that a file holds.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) candidate: LessonCandidate,
    pub(super) cases: Vec<Case>,
}

impl Shared {
    /// As a line of lessons from elsewhere.
    pub(super) fn line(&self) -> String {
        let lesson = &self.candidate;
        json!({
            "rule_text": lesson.rule_text,
            "kind": lesson.kind.map(LessonKind::as_str),
            "scope": lesson.scope_hint.map(Scope::as_str),
            "domain": lesson.domain,
            "task": lesson.task,
            "trigger_fingerprints": lesson.trigger_fingerprints,
            "cases": self.cases,
        })
        .to_string()
    }
}

/// The text of a lesson's file. `template` says what a fingerprint stands for.
pub(super) fn text(
    lesson: &Lesson,
    cases: &[Case],
    template: impl Fn(&str) -> Option<String>,
) -> String {
    let mut text = format!(
        "{}\n\n- kind: {}\n- scope: {}\n",
        show::line(&lesson.rule_text),
        lesson.kind.as_str(),
        lesson.scope.as_str()
    );
    if !lesson.domain.is_empty() {
        text.push_str(&format!("- domain: {}\n", lesson.domain));
    }
    if lesson.scope == Scope::Task {
        text.push_str(&format!("- task: {}\n", show::line(&lesson.task)));
    }
    for fingerprint in &lesson.trigger_fingerprints {
        let template = template(fingerprint).unwrap_or_default();
        let line = format!("- trigger: {fingerprint} {}", show::cut(&template, 200));
        text.push_str(line.trim_end());
        text.push('\n');
    }
    for case in cases {
        for (name, value) in [
            ("failed", &case.wrong),
            ("printed", &case.evidence),
            ("worked", &case.correct),
        ] {
            text.push_str(&format!("- {name}: {}\n", on_one_line(value)));
        }
    }
    text
}

/// A text on one line, as it can be read back.
fn on_one_line(text: &str) -> String {
    show::line(&text.replace('\\', "\\\\").replace('\n', "\\n"))
}

/// The text that was put on one line.
fn as_written(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match (character, characters.as_str().chars().next()) {
            ('\\', Some('n')) => text.push('\n'),
            ('\\', Some('\\')) => text.push('\\'),
            _ => {
                text.push(character);
                continue;
            }
        }
        characters.next();
    }
    text
}

/// The lesson that a file holds, or why it holds none.
pub(super) fn read(path: &Path) -> Result<Shared, String> {
    // Links are not followed: what came with a clone leads nowhere outside of it.
    let flags = (OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path);
    let file = file.map_err(|error| error.to_string())?;
    if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return Err("it is no plain file".to_owned());
    }
    let mut text = String::new();
    let read = file.take(FILE_BYTES + 1).read_to_string(&mut text);
    read.map_err(|error| error.to_string())?;
    if text.len() as u64 > FILE_BYTES {
        return Err(format!("it has more than {} KiB", FILE_BYTES >> 10));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    parsed(&text, &name)
}

fn parsed(text: &str, name: &str) -> Result<Shared, String> {
    let mut lines = text
        .lines()
        .enumerate()
        .skip_while(|(_, line)| line.trim().is_empty());
    let (_, rule) = lines.next().ok_or("it is empty")?;
    let mut candidate = LessonCandidate {
        rule_text: rule.trim().to_owned(),
        trigger_fingerprints: Vec::new(),
        trigger_texts: Vec::new(),
        tags: Vec::new(),
        scope_hint: None,
        kind: None,
        domain: None,
        task: Some(format!("{SHARED}{name}")),
        run: None,
        steps: Vec::new(),
        source: Some(Source::Agent),
    };
    let mut cases: Vec<Case> = Vec::new();
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let wrong = |why: &str| format!("line {}: {why}", number + 1);
        let member = line
            .trim()
            .strip_prefix("- ")
            .and_then(|member| member.split_once(':'));
        let (name, value) = member.ok_or_else(|| wrong("it is not `- name: value`"))?;
        let value = value.trim();
        match name.trim() {
            "kind" => {
                candidate.kind = Some(word::<LessonKind>(value).map_err(|error| wrong(&error))?)
            }
            "scope" => {
                candidate.scope_hint = Some(word::<Scope>(value).map_err(|error| wrong(&error))?)
            }
            "domain" => candidate.domain = Some(value.to_owned()),
            "task" => candidate.task = Some(value.to_owned()),
            "trigger" => {
                let id = value.split_whitespace().next().unwrap_or_default();
                candidate.trigger_fingerprints.push(id.to_owned());
            }
            "failed" => cases.push(Case {
                wrong: as_written(value),
                ..Case::default()
            }),
            "printed" | "worked" => {
                let case = cases.last_mut();
                let case = case.ok_or_else(|| wrong("a `failed` comes before it"))?;
                match name.trim() {
                    "printed" => case.evidence = as_written(value),
                    _ => case.correct = as_written(value),
                }
            }
            other => {
                return Err(wrong(&format!(
                    "`{other}` is not known; there are kind, scope, domain, task, trigger, failed, printed and worked"
                )));
            }
        }
    }
    // What is no whole case says nothing.
    cases.retain(|case| !case.wrong.is_empty() && !case.correct.is_empty());
    Ok(Shared { candidate, cases })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_says_what_is_wrong_and_on_which_line() {
        let good = "WRONG: a → CORRECT: b\n\n- kind: rule\n- scope: domain\n- domain: cli\n- trigger: fp_0123456789abcdef a: not found\n";
        let candidate = parsed(good, "les_1.md").expect("a lesson").candidate;
        assert_eq!(candidate.trigger_fingerprints, ["fp_0123456789abcdef"]);
        assert_eq!(candidate.source, Some(Source::Agent));
        assert_eq!(candidate.task.as_deref(), Some("shared in les_1.md"));
        for (text, why) in [
            ("", "it is empty"),
            ("rule\n\nmore words\n", "line 3: it is not `- name: value`"),
            ("rule\n- colour: red\n", "line 2: `colour` is not known"),
            ("rule\n- kind: best\n", "line 2: "),
            ("rule\n- worked: ls\n", "line 2: a `failed` comes before it"),
        ] {
            let error = parsed(text, "x.md").expect_err("refused");
            assert!(error.starts_with(why), "{error}");
        }
    }

    #[test]
    fn a_case_is_read_as_it_was_written() {
        let case = Case {
            wrong: "printf 'a\\n' | tee \\\\srv\\new".to_owned(),
            evidence: "tee: no\nsuch place: \\".to_owned(),
            correct: "ls\ntee new".to_owned(),
        };
        for text in [&case.wrong, &case.evidence, &case.correct] {
            let line = on_one_line(text);
            assert!(!line.contains('\n'));
            assert_eq!(as_written(&line), *text);
        }
        let text = "rule\n- failed: cat a\n- printed: cat: a: no\\nsuch file\n- worked: ls\n- failed: cut off\n";
        let cases = parsed(text, "x.md").expect("a lesson").cases;
        assert_eq!(cases.len(), 1);
        assert_eq!(cases[0].evidence, "cat: a: no\nsuch file");
    }
}
