//! Failures: attempts that failed, the patterns in how they fail, and the warning before the next attempt.
//!
//! Owns the categories of failures and what makes a pattern: failures whose details have one fingerprint are the
//! same. Failed steps of a run are events; these here are what a caller reports of its own attempts.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::Attribute,
    memory::{
        Error, FailedAttempt, FailurePattern, FailureWarning, NewFailure, PatternFilter, Severity,
        WarningQuery,
    },
};

use crate::{
    decisions::{
        check_texts, coded, kept_module, kept_statement, latest,
        records::{Record, since},
        wordings::KeptWording,
    },
    events::identify,
    instant, limits, payload, refusal,
    store::{Desk, Kind, Noun, Reader, digest, equals, text},
    text as terms,
};

/// The categories, each with the words that speak of it.
const CATEGORIES: [(&str, &[&str]); 4] = [
    (
        "syntax",
        &[
            "syntax",
            "indent",
            "indentation",
            "unterminated",
            "parse",
            "unparsable",
            "eof",
        ],
    ),
    ("import", &["import", "importlib", "unresolved", "circular"]),
    (
        "type",
        &[
            "type",
            "typ",
            "typing",
            "mypy",
            "pyright",
            "typecheck",
            "mismatched",
            "incompatible",
            "tsc",
        ],
    ),
    (
        "test",
        &[
            "test",
            "pytest",
            "unittest",
            "assert",
            "assertion",
            "jest",
            "mocha",
            "doctest",
        ],
    ),
];

/// What is none of them.
const UNKNOWN: &str = "unknown";

/// The attribute by which a failure is found by its hypothesis.
const HYPOTHESIS: &str = "hypothesis-key";

/// Different wordings of one hypothesis that a warning looks at, and the newest failures of each.
const LOOKED_AT: (usize, u32) = (256, 64);

/// A pattern is warned of from so many failures within so many days on.
const WARNED: (u32, u32) = (3, 30);

/// From how many failures on a warning is of medium and of high severity.
const SEVERE: (u32, u32) = (5, 10);

/// Which category the details of a failure speak of: that of the first word that tells. Names of files tell only
/// if nothing else does: a syntax error in a test is a syntax error.
pub(crate) fn category(details: &str) -> &'static str {
    let is_name = |word: &&str| word.contains('/') || word.contains('\\') || has_extension(word);
    let words: Vec<_> = details.split_whitespace().collect();
    let plain: Vec<_> = words
        .iter()
        .filter(|word| !is_name(word))
        .copied()
        .collect();
    [plain, words]
        .into_iter()
        .find_map(|words| first_category(&words.join(" ")))
        .unwrap_or(UNKNOWN)
}

fn has_extension(word: &str) -> bool {
    let word = word.trim_end_matches([':', ',', '.', ')', '\'', '"']);
    let name = word.split(':').next().unwrap_or_default();
    name.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty()
            && (1..=4).contains(&extension.len())
            && extension.bytes().all(|byte| byte.is_ascii_lowercase())
    })
}

fn first_category(text: &str) -> Option<&'static str> {
    let words = terms::terms(text);
    // `ModuleNotFoundError` and *cannot find module* are three words each.
    let lost_module = words.contains(&"module".to_owned())
        && words
            .iter()
            .any(|word| matches!(word.as_str(), "found" | "find"))
        && words
            .iter()
            .any(|word| matches!(word.as_str(), "not" | "cannot" | "cant" | "no"));
    let first = words.iter().find_map(|word| {
        let tells = |(_, list): &&(&str, &[&str])| list.contains(&word.as_str());
        CATEGORIES.iter().find(tells).map(|(name, _)| *name)
    });
    first.or(lost_module.then_some("import"))
}

/// A failure as it is kept: with the readable form of its fingerprint.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct KeptFailure {
    failure: FailedAttempt,
    template: String,
}

impl KeptFailure {
    fn wording(&self) -> KeptWording {
        let FailedAttempt {
            module_name,
            hypothesis,
            ..
        } = &self.failure;
        KeptWording::new(&["failure", module_name], module_name, hypothesis)
    }
}

impl Noun for KeptFailure {
    const KIND: Kind = Kind::Failure;

    fn id(&self) -> String {
        self.failure.id.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        let failure = &self.failure;
        vec![
            text("module", &failure.module_name),
            text("type", &failure.failure_type),
            text("fingerprint", &failure.fingerprint),
            self.place_attribute(),
            self.wording_attribute(HYPOTHESIS, &self.wording()),
        ]
    }
}

impl Record for KeptFailure {
    fn at(&self) -> u64 {
        self.failure.timestamp
    }
}

pub(crate) fn record(desk: &mut Desk, new: &NewFailure) -> Result<FailedAttempt, Error> {
    let mut kept = kept(new, desk.now())?;
    let wording = kept.wording();
    desk.commit(|batch| {
        let failure = &mut kept.failure;
        failure.id = format!(
            "fail_{}",
            digest(&[
                &failure.timestamp.to_string(),
                &failure.module_category,
                &failure.module_name,
                &failure.hypothesis,
                &failure.failure_details,
                &batch.attempt().to_string(),
            ])
        );
        super::wordings::put_new(batch, std::slice::from_ref(&wording))?;
        batch.add(&kept);
        Ok(kept.failure.clone())
    })
    .map_err(coded)
}

pub(crate) fn categorize(_reader: &Reader, details: &str) -> String {
    category(details).to_owned()
}

pub(crate) fn patterns(
    reader: &Reader,
    filter: &PatternFilter,
) -> Result<Vec<FailurePattern>, Error> {
    if let Some(name) = &filter.failure_type {
        check_type(name)?;
    }
    let module = filter.module_name.as_deref().map(kept_module);
    let restrictions = [
        ("module", module.as_deref()),
        ("type", filter.failure_type.as_deref()),
    ];
    let conditions: Vec<_> = restrictions
        .into_iter()
        .filter_map(|(name, value)| Some(equals(name, value?)))
        .collect();
    let mut patterns = Patterns::default();
    super::records::each_record(reader, &conditions, |kept| patterns.take(kept)).map_err(coded)?;
    let least = filter.min_count.unwrap_or(1);
    let mut patterns = patterns.sorted(|pattern| pattern.count >= least);
    if module.is_some() {
        // Whoever asks about one module is told where else the same failure occurred.
        for pattern in &mut patterns {
            let mut everywhere = Patterns::default();
            let same = [equals("fingerprint", &pattern.fingerprint)];
            super::records::each_record(reader, &same, |kept| everywhere.take(kept))
                .map_err(coded)?;
            let found = everywhere.sorted(|_| true).into_iter();
            pattern.modules = found.flat_map(|pattern| pattern.modules).collect();
        }
    }
    Ok(patterns)
}

pub(crate) fn check_warnings(
    reader: &Reader,
    query: &WarningQuery,
) -> Result<Vec<FailureWarning>, Error> {
    warnings(reader, query).map_err(coded)
}

fn warnings(reader: &Reader, query: &WarningQuery) -> Result<Vec<FailureWarning>, Error> {
    check_texts("module-name", &query.module_name, &query.hypothesis, "")?;
    let module = kept_module(&query.module_name);
    let days = query.days.unwrap_or(WARNED.1);
    let start = super::records::days_ago(reader, days);
    // The patterns that attempts at this hypothesis ran into, each with the likeness of the nearest one.
    let mut met: BTreeMap<String, f64> = BTreeMap::new();
    let mut looked_at = 0;
    super::wordings::same_hypotheses(
        reader,
        &KeptWording::sought(
            &["failure", &module],
            &module,
            &kept_statement(&query.hypothesis),
        ),
        |wording, similarity| {
            let failures = super::records::newest_with::<KeptFailure>(
                reader,
                HYPOTHESIS,
                wording,
                start,
                LOOKED_AT.1,
            )?;
            for kept in failures {
                let known = met.entry(kept.failure.fingerprint).or_default();
                *known = known.max(similarity);
            }
            looked_at += 1;
            Ok((looked_at >= LOOKED_AT.0).then_some(()))
        },
    )?;
    let mut warnings: BTreeMap<String, (Vec<FailurePattern>, f64)> = BTreeMap::new();
    for (fingerprint, similarity) in met {
        let mut patterns = Patterns::default();
        let conditions = [equals("fingerprint", &fingerprint), since(start)];
        super::records::each_record(reader, &conditions, |kept| patterns.take(kept))?;
        let least = query.min_count.unwrap_or(WARNED.0);
        for pattern in patterns.sorted(|pattern| pattern.count >= least) {
            let (similar, most) = warnings.entry(pattern.failure_type.clone()).or_default();
            *most = most.max(similarity);
            similar.push(pattern);
        }
    }
    let now = reader.now();
    let mut warnings: Vec<_> = warnings
        .into_iter()
        .map(|(failure_type, (mut similar, similarity))| {
            similar.sort_by(most_frequent);
            let count = similar.iter().map(|pattern| pattern.count).sum();
            let last = similar.iter().map(|pattern| pattern.last_seen).max();
            let age = now.saturating_sub(last.unwrap_or(now));
            FailureWarning {
                hypothesis: query.hypothesis.clone(),
                failure_type,
                similar_failures: similar,
                confidence: confidence(similarity, count, age, days),
                severity: severity(query, count),
            }
        })
        .collect();
    warnings.sort_by(|left, right| right.confidence.total_cmp(&left.confidence));
    Ok(warnings)
}

/// How sure a warning is: monotone in the likeness, in the number of failures and in how recent the last one is.
fn confidence(similarity: f64, count: u32, age: u64, days: u32) -> f64 {
    let number = f64::from(count);
    similarity * number / (number + 1.0) * instant::recency(0, age, f64::from(days.max(1)))
}

fn severity(query: &WarningQuery, count: u32) -> Severity {
    if count >= query.high_from.unwrap_or(SEVERE.1) {
        Severity::High
    } else if count >= query.medium_from.unwrap_or(SEVERE.0) {
        Severity::Medium
    } else {
        Severity::Low
    }
}

/// Failures by their fingerprint.
#[derive(Default)]
struct Patterns {
    by_fingerprint: BTreeMap<String, (FailurePattern, BTreeSet<String>)>,
}

impl Patterns {
    /// Takes in a failure; they come in the order of time.
    fn take(&mut self, kept: KeptFailure) {
        let KeptFailure { failure, template } = kept;
        let (pattern, modules) = self
            .by_fingerprint
            .entry(failure.fingerprint.clone())
            .or_insert_with(|| {
                let pattern = FailurePattern {
                    fingerprint: failure.fingerprint,
                    template,
                    failure_type: String::new(),
                    count: 0,
                    modules: Vec::new(),
                    example_details: Vec::new(),
                    last_seen: failure.timestamp,
                };
                (pattern, BTreeSet::new())
            });
        pattern.count += 1;
        pattern.failure_type = failure.failure_type;
        pattern.last_seen = failure.timestamp;
        modules.insert(failure.module_name);
        latest(&mut pattern.example_details, failure.failure_details);
    }

    fn sorted(self, fits: impl Fn(&FailurePattern) -> bool) -> Vec<FailurePattern> {
        let mut patterns: Vec<_> = self
            .by_fingerprint
            .into_values()
            .map(|(mut pattern, modules)| {
                pattern.modules = modules.into_iter().collect();
                pattern
            })
            .filter(fits)
            .collect();
        patterns.sort_by(most_frequent);
        patterns
    }
}

fn most_frequent(left: &FailurePattern, right: &FailurePattern) -> std::cmp::Ordering {
    (right.count, &left.fingerprint).cmp(&(left.count, &right.fingerprint))
}

/// A checked, masked failure without its id.
fn kept(new: &NewFailure, now: u64) -> Result<KeptFailure, Error> {
    check_texts("module-name", &new.module_name, &new.hypothesis, "")?;
    refusal::not_empty(
        "failure-details",
        &new.failure_details,
        "give the error text, so that the pattern can be found",
    )?;
    let failure_type = match &new.failure_type {
        Some(name) => {
            check_type(name)?;
            name.as_str()
        }
        None => category(&new.failure_details),
    };
    let made = identify(&new.failure_details);
    Ok(KeptFailure {
        failure: FailedAttempt {
            id: String::new(),
            module_category: kept_module(&new.module_category),
            module_name: kept_module(&new.module_name),
            hypothesis: kept_statement(&new.hypothesis),
            failure_type: failure_type.to_owned(),
            failure_details: payload::kept_text(&new.failure_details, limits::KEPT_TEXT_BYTES),
            fingerprint: made.id,
            timestamp: now,
        },
        template: made.template,
    })
}

fn check_type(name: &str) -> Result<(), Error> {
    if name == UNKNOWN || CATEGORIES.iter().any(|(known, _)| *known == name) {
        return Ok(());
    }
    Err(Error::InvalidArgument(format!(
        "`failure-type` is {name:?}; it must be \"syntax\", \"type\", \"import\", \"test\" or \"unknown\", or left out"
    )))
}
