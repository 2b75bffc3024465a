//! The file of a shared lesson: its rule, then a list of what it is for, in words that a reviewer reads.

use std::{fs::OpenOptions, io::Read, os::unix::fs::OpenOptionsExt, path::Path};

use nix::fcntl::OFlag;
use twiceshy::wit::memory::{Lesson, LessonCandidate, LessonKind, Scope, Source};

use super::SHARED;
use crate::cli::{show, words::word};

/// A file in bytes: a rule has a thousand characters, and a lesson 32 triggers.
const FILE_BYTES: u64 = 64 << 10;

/// The text of a lesson's file. `template` says what a fingerprint stands for.
pub(super) fn text(lesson: &Lesson, template: impl Fn(&str) -> Option<String>) -> String {
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
    text
}

/// The candidate that a file holds, or why it holds none.
pub(super) fn read(path: &Path) -> Result<LessonCandidate, String> {
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

fn parsed(text: &str, name: &str) -> Result<LessonCandidate, String> {
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
            other => {
                return Err(wrong(&format!(
                    "`{other}` is not known; there are kind, scope, domain, task and trigger"
                )));
            }
        }
    }
    Ok(candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_says_what_is_wrong_and_on_which_line() {
        let good = "WRONG: a → CORRECT: b\n\n- kind: rule\n- scope: domain\n- domain: cli\n- trigger: fp_0123456789abcdef a: not found\n";
        let candidate = parsed(good, "les_1.md").expect("a lesson");
        assert_eq!(candidate.trigger_fingerprints, ["fp_0123456789abcdef"]);
        assert_eq!(candidate.source, Some(Source::Agent));
        assert_eq!(candidate.task.as_deref(), Some("shared in les_1.md"));
        for (text, why) in [
            ("", "it is empty"),
            ("rule\n\nmore words\n", "line 3: it is not `- name: value`"),
            ("rule\n- colour: red\n", "line 2: `colour` is not known"),
            ("rule\n- kind: best\n", "line 2: "),
        ] {
            let error = parsed(text, "x.md").expect_err("refused");
            assert!(error.starts_with(why), "{error}");
        }
    }
}
