//! Lessons: units of knowledge, how they come in and where they stand in their life.
//!
//! Owns what makes two lessons the same one and which moves a lesson's life has. When a lesson is
//! shown is the business of recall.

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::{Attribute, Precondition},
    memory::{
        Activation, ActivationFilter, Error, Explanation, Fingerprint, Lesson, LessonCandidate,
        LessonFilter, LessonKind, LessonStatus, Lessons, Link, Origin, Scope, Source, Trust,
        Usefulness,
    },
};

use crate::{
    documents::{Kind, Noun, Read, digest, equals, newest, number, put, query, text},
    events::{Known, identify, settled},
    limits, payload,
    ports::Engine,
    runs::check_domain,
    secrets::is_secret,
    text as terms,
};

/// The beginning of a task by whose words its lessons are found, in bytes.
const TASK_WORDS_BYTES: usize = 1 << 10;

/// A lesson as it is kept: with the readable forms of its triggers, to be found by like failures.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct KeptLesson {
    pub(crate) lesson: Lesson,
    pub(crate) trigger_templates: Vec<String>,
    pub(crate) vector: Vec<f32>,
}

/// A lesson that somebody proposes, checked and masked, with the tags of the texts it names as triggers.
pub(crate) struct Proposal {
    kept: KeptLesson,
    tags: Vec<String>,
}

impl Proposal {
    pub(crate) fn has_vector(&self) -> bool {
        !self.kept.vector.is_empty()
    }

    pub(crate) fn forget_vector(&mut self) {
        self.kept.vector.clear();
    }
}

/// What is known about the use of a lesson. A document of its own: it grows with every run, and recall has no
/// need of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct KeptEvidence {
    pub(crate) lesson: String,
    pub(crate) evidence: Evidence,
}

impl Noun for KeptEvidence {
    const KIND: Kind = Kind::Evidence;

    fn id(&self) -> String {
        self.lesson.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        Vec::new()
    }
}

impl KeptLesson {
    /// Brings what the lesson says of its own use up to date.
    fn summarise(&mut self, evidence: &Evidence) {
        let mean = |totals: &Totals| {
            (totals.opportunities > 0).then(|| totals.utility / f64::from(totals.opportunities))
        };
        self.lesson.reliability = evidence.reliability;
        self.lesson.usefulness = Usefulness {
            activations: evidence.retrievals,
            shown_runs: evidence.with.runs,
            withheld_runs: evidence.without.runs,
            helped: evidence.helped,
            harmed: evidence.harmed,
            judged: evidence.with.opportunities,
            utility: mean(&evidence.with),
            withheld_utility: mean(&evidence.without),
            recurrence_drop: evidence.recurrence_drop(),
            regressions: evidence.regressions,
            losses: evidence.losses,
            last_shown_at: evidence.last_shown_at,
        };
    }
}

impl Noun for KeptLesson {
    const KIND: Kind = Kind::Lesson;

    fn id(&self) -> String {
        self.lesson.id.clone()
    }

    fn attributes(&self) -> Vec<Attribute> {
        let lesson = &self.lesson;
        let mut attributes = vec![
            text("status", lesson.status.as_str()),
            text("domain", &lesson.domain),
            number("updated-at", lesson.updated_at as f64),
        ];
        attributes.extend(
            lesson
                .trigger_fingerprints
                .iter()
                .map(|id| text("fingerprint", id)),
        );
        attributes.extend(lesson.tags.iter().map(|tag| text("tag", tag)));
        attributes
    }

    fn terms(&self) -> String {
        let mut words = terms::terms(&self.lesson.rule_text);
        words.extend(
            self.trigger_templates
                .iter()
                .flat_map(|template| terms::terms(template)),
        );
        words.extend(terms::terms(beginning(&self.lesson.task)));
        words.join(" ")
    }

    fn vector(&self) -> Vec<f32> {
        self.vector.clone()
    }
}

fn beginning(task: &str) -> &str {
    &task[..task.floor_char_boundary(TASK_WORDS_BYTES)]
}

impl Lessons for Engine<'_> {
    fn propose(&self, candidate: &LessonCandidate) -> Result<Lesson, Error> {
        self.keep(self.proposal(candidate)?)
    }

    fn distil(&self, episode: &str) -> Result<Vec<Lesson>, Error> {
        self.ask_for_lessons(episode)
    }

    fn find(&self, filter: &LessonFilter) -> Result<Vec<Lesson>, Error> {
        let restrictions = [
            ("status", filter.status.map(|status| status.as_str())),
            ("fingerprint", filter.fingerprint.as_deref()),
            ("domain", filter.domain.as_deref()),
        ];
        let conditions = restrictions
            .into_iter()
            .filter_map(|(name, value)| Some(equals(name, value?)))
            .collect();
        let query = query::<KeptLesson>(
            conditions,
            newest("updated-at"),
            limits::listed(filter.limit),
        );
        let found = self.search::<KeptLesson>(&query)?;
        Ok(found
            .into_iter()
            .map(|(read, _)| read.noun.lesson)
            .collect())
    }

    fn get(&self, lesson: &str) -> Result<Lesson, Error> {
        match self.load::<KeptLesson>(lesson)? {
            Some(read) => Ok(read.noun.lesson),
            None => Err(unknown(lesson)),
        }
    }

    fn set_status(
        &self,
        lesson: &str,
        status: LessonStatus,
        reason: &str,
    ) -> Result<Lesson, Error> {
        check_reason(reason)?;
        let now = self.now();
        self.change(|_| {
            let mut entry = self.entry(lesson)?;
            let from = entry.kept.lesson.status;
            if !may_become(from, status) {
                return Err(Error::Conflict(format!(
                    "the lesson `{lesson}` is {} and can't become {}",
                    from.as_str(),
                    status.as_str()
                )));
            }
            entry.become_status(status, reason, now);
            Ok((entry.changes(), entry.kept.lesson))
        })
    }

    fn hand_in(&self, episode: &str, candidates: &str) -> Result<Vec<Lesson>, Error> {
        self.take_candidates(episode, candidates)
    }

    fn mine(&self, episode: &str) -> Result<Vec<Lesson>, Error> {
        self.mine_episode(episode)
    }

    fn revise(&self, lesson: &str, rule_text: &str, reason: &str) -> Result<Lesson, Error> {
        check_reason(reason)?;
        let now = self.now();
        self.change(|_| {
            let mut old = self.entry(lesson)?;
            let revised = self.proposal(&revision(&old.kept.lesson, rule_text))?;
            if revised.kept.lesson.id == *lesson {
                return Err(Error::InvalidArgument(
                    "rule-text says the same as before; nothing to revise".to_owned(),
                ));
            }
            if !may_become(old.kept.lesson.status, LessonStatus::Deprecated) {
                return Err(Error::Conflict(format!(
                    "the lesson `{lesson}` is {}; propose a new one with lessons.propose",
                    old.kept.lesson.status.as_str()
                )));
            }
            let mut new = self.entered(&revised, &mut Vec::new(), now)?;
            old.become_status(LessonStatus::Deprecated, reason, now);
            let link = Link {
                source: new.kept.lesson.id.clone(),
                relation: Relation::Supersedes,
                target: lesson.to_owned(),
                reason: payload::kept_text(reason, limits::ACTION_BYTES),
                at: now,
            };
            let mut batch = old.changes();
            batch.extend(new.changes());
            batch.push(put(&link, Precondition::Anything));
            Ok((batch, new.kept.lesson))
        })
    }

    fn relate(&self, link: &Link) -> Result<Link, Error> {
        self.put_link(link)
    }

    fn unrelate(&self, link: &Link) -> Result<(), Error> {
        self.remove_link(link)
    }

    fn links(&self, lesson: &str) -> Result<Vec<Link>, Error> {
        self.entry(lesson)?;
        self.links_of(lesson)
    }

    fn activations(&self, filter: &ActivationFilter) -> Result<Vec<Activation>, Error> {
        self.find_activations(filter)
    }

    fn explain(&self, lesson: &str) -> Result<Explanation, Error> {
        self.explanation(self.entry(lesson)?.kept.lesson)
    }
}

/// The same lesson in other words, as a candidate.
fn revision(lesson: &Lesson, rule_text: &str) -> LessonCandidate {
    let given = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    LessonCandidate {
        rule_text: rule_text.to_owned(),
        trigger_fingerprints: lesson.trigger_fingerprints.clone(),
        trigger_texts: Vec::new(),
        tags: lesson.tags.clone(),
        scope_hint: Some(lesson.scope),
        kind: Some(lesson.kind),
        domain: given(&lesson.domain),
        task: given(&lesson.task),
        run: None,
        steps: Vec::new(),
        source: Some(Source::Person),
    }
}

fn check_reason(reason: &str) -> Result<(), Error> {
    if reason.trim().is_empty() {
        return Err(Error::InvalidArgument(
            "reason is empty; say why, so that the lesson's life can be understood later"
                .to_owned(),
        ));
    }
    Ok(())
}

/// The moves that a lesson's life has.
fn may_become(from: LessonStatus, to: LessonStatus) -> bool {
    use LessonStatus::{Archived, Candidate, Deprecated, Promoted, Suppressed, UnderReview};
    match (from, to) {
        // What is archived stays for audit, and nothing is unproven again.
        (Archived, _) | (_, Candidate) => false,
        (Candidate | UnderReview, Promoted | Suppressed) => true,
        (Promoted, UnderReview | Suppressed | Deprecated) => true,
        (UnderReview, Deprecated) | (Candidate, UnderReview | Deprecated) => true,
        // A person may think better of it; a deprecated lesson may prove right after all.
        (Suppressed | Deprecated, Promoted | UnderReview) => true,
        (_, Archived) => true,
        _ => false,
    }
}

/// A lesson about to be written, with the evidence about it.
pub(crate) struct Entry {
    pub(crate) kept: KeptLesson,
    pub(crate) evidence: Evidence,
    version: Option<u32>,
    evidence_version: Option<u32>,
}

impl Entry {
    fn new(kept: KeptLesson) -> Self {
        Self {
            kept,
            evidence: Evidence::default(),
            version: None,
            evidence_version: None,
        }
    }

    pub(crate) fn is_new(&self) -> bool {
        self.version.is_none()
    }

    /// Moves the lesson on in its life.
    pub(crate) fn become_status(&mut self, status: LessonStatus, reason: &str, now: u64) {
        let lesson = &mut self.kept.lesson;
        self.evidence.moved(lesson.status, status, now);
        lesson.status = status;
        lesson.status_reason = payload::kept_text(reason, limits::ACTION_BYTES);
        lesson.updated_at = now;
    }

    /// The changes that write it.
    pub(crate) fn changes(&mut self) -> Vec<Change> {
        let precondition = |version: Option<u32>| match version {
            None => Precondition::Absent,
            Some(version) => Precondition::At(version),
        };
        self.kept.summarise(&self.evidence);
        let evidence = KeptEvidence {
            lesson: self.kept.lesson.id.clone(),
            evidence: self.evidence.clone(),
        };
        vec![
            put(&self.kept, precondition(self.version)),
            put(&evidence, precondition(self.evidence_version)),
        ]
    }
}

impl Engine<'_> {
    /// Lessons with their evidence, by id; what is missing is left out.
    pub(crate) fn entries(&self, ids: &[String]) -> Result<Vec<Entry>, Error> {
        let mut entries = Vec::with_capacity(ids.len());
        if ids.is_empty() {
            return Ok(entries);
        }
        let keys = |kind: Kind| ids.iter().map(|id| kind.key(id)).collect::<Vec<_>>();
        let mut evidence: BTreeMap<_, _> = self
            .read(&keys(Kind::Evidence))?
            .into_iter()
            .map(|stored| (stored.key.id.clone(), stored))
            .collect();
        for stored in self.read(&keys(Kind::Lesson))? {
            let read = Read::<KeptLesson>::parse(&stored)?;
            let mut entry = Entry::new(read.noun);
            entry.version = Some(read.version);
            if let Some(stored) = evidence.remove(&stored.key.id) {
                let read = Read::<KeptEvidence>::parse(&stored)?;
                entry.evidence = read.noun.evidence;
                entry.evidence_version = Some(read.version);
            }
            entries.push(entry);
        }
        Ok(entries)
    }

    /// One lesson with its evidence.
    fn entry(&self, lesson: &str) -> Result<Entry, Error> {
        match self.load::<KeptLesson>(lesson)? {
            Some(_) => self.entries(&[lesson.to_owned()])?.pop(),
            None => None,
        }
        .ok_or_else(|| unknown(lesson))
    }

    /// A proposed lesson as it is to be written: new, or the one that is known already brought up to date.
    /// `touched` are lessons that are about to be written anyway.
    pub(crate) fn entered(
        &self,
        proposal: &Proposal,
        touched: &mut Vec<Entry>,
        now: u64,
    ) -> Result<Entry, Error> {
        let id = &proposal.kept.lesson.id;
        let place = touched.iter().position(|entry| entry.kept.lesson.id == *id);
        let known = match place {
            Some(place) => Some(touched.swap_remove(place)),
            None => self.entries(std::slice::from_ref(id))?.pop(),
        };
        let mut entry = match known {
            Some(mut entry) => {
                if merge(&mut entry.kept.lesson, &proposal.kept.lesson) {
                    entry.evidence.proposed_again();
                }
                let more = proposal.kept.trigger_templates.iter().cloned();
                entry.kept.trigger_templates.extend(more);
                entry
            }
            None => {
                let mut kept = proposal.kept.clone();
                kept.lesson.created_at = now;
                Entry::new(kept)
            }
        };
        let kept = &mut entry.kept;
        let triggers = self.triggers(&kept.lesson.trigger_fingerprints)?;
        kept.lesson.updated_at = now;
        kept.lesson.tags.extend(proposal.tags.iter().cloned());
        for known in triggers {
            kept.lesson.tags.extend(known.tags);
            kept.trigger_templates.push(known.template);
        }
        kept.lesson.tags = settled(std::mem::take(&mut kept.lesson.tags));
        kept.trigger_templates.sort();
        kept.trigger_templates.dedup();
        kept.vector.clone_from(&proposal.kept.vector);
        Ok(entry)
    }

    /// Keeps a proposed lesson.
    pub(crate) fn keep(&self, proposal: Proposal) -> Result<Lesson, Error> {
        self.with_vectors(&mut [proposal], |proposals| self.write(&proposals[0]))
    }

    /// Writes a proposed lesson, and its contradictions with others.
    fn write(&self, proposal: &Proposal) -> Result<Lesson, Error> {
        let now = self.now();
        self.change(|_| {
            let mut entry = self.entered(proposal, &mut Vec::new(), now)?;
            let mut batch = entry.changes();
            if entry.is_new() {
                let contradictions = self.new_contradictions(&entry.kept.lesson, &[], now)?;
                let links = contradictions.iter();
                batch.extend(links.map(|link| put(link, Precondition::Anything)));
            }
            Ok((batch, entry.kept.lesson))
        })
    }

    /// A checked, masked lesson from a candidate.
    pub(crate) fn proposal(&self, candidate: &LessonCandidate) -> Result<Proposal, Error> {
        check(candidate)?;
        let rule = payload::kept_text(candidate.rule_text.trim(), limits::RULE_CHARS * 4);
        let named: Vec<_> = candidate
            .trigger_texts
            .iter()
            .map(|text| identify(text))
            .collect();
        let mut triggers = candidate.trigger_fingerprints.clone();
        triggers.extend(named.iter().map(|fingerprint| fingerprint.id.clone()));
        triggers.sort();
        triggers.dedup();
        let domain = candidate.domain.clone().unwrap_or_default();
        let task = payload::kept_text(
            &candidate.task.clone().unwrap_or_default(),
            limits::TASK_BYTES,
        );
        let scope = candidate.scope_hint.unwrap_or(match domain.as_str() {
            "" => Scope::Global,
            _ => Scope::Domain,
        });
        let reach = match scope {
            Scope::Task => format!("task {domain} {task}"),
            Scope::Domain => format!("domain {domain}"),
            Scope::Global => "global".to_owned(),
        };
        let words = advice::normalised(&rule);
        let source = candidate.source.unwrap_or(Source::Agent);
        let lesson = Lesson {
            id: format!("les_{}", digest(&[&words, &triggers.join(" "), &reach])),
            rule_text: rule,
            kind: candidate.kind.unwrap_or(LessonKind::Rule),
            scope,
            domain,
            task,
            trigger_fingerprints: triggers,
            tags: candidate.tags.clone(),
            status: LessonStatus::Candidate,
            status_reason: "proposed".to_owned(),
            reliability: Evidence::default().reliability,
            origins: vec![Origin {
                run: candidate.run.clone().unwrap_or_default(),
                steps: candidate.steps.clone(),
                source,
                at: self.now(),
            }],
            trust: trust_in(source),
            usefulness: Usefulness {
                activations: 0,
                shown_runs: 0,
                withheld_runs: 0,
                helped: 0,
                harmed: 0,
                judged: 0,
                utility: None,
                withheld_utility: None,
                recurrence_drop: None,
                regressions: 0,
                losses: 0,
                last_shown_at: None,
            },
            created_at: 0,
            updated_at: 0,
        };
        let mut tags: Vec<_> = named.iter().flat_map(|found| found.tags.clone()).collect();
        if candidate.tags.is_empty() && lesson.trigger_fingerprints.is_empty() {
            tags.extend(crate::tags::of_text(&lesson.rule_text));
        }
        let trigger_templates = named
            .into_iter()
            .map(|fingerprint| fingerprint.template)
            .collect();
        let vector = self.vector_of(&lesson.rule_text);
        Ok(Proposal {
            kept: KeptLesson {
                lesson,
                trigger_templates,
                vector,
            },
            tags,
        })
    }

    /// What is known of the triggers of a lesson.
    fn triggers(&self, ids: &[String]) -> Result<Vec<Fingerprint>, Error> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let keys: Vec<_> = ids.iter().map(|id| Kind::Fingerprint.key(id)).collect();
        let stored = self.read(&keys)?;
        stored
            .iter()
            .map(|stored| Ok(Read::<Known>::parse(stored)?.noun.fingerprint))
            .collect()
    }

    /// The vector of a text, if the host has an embedder.
    pub(crate) fn vector_of(&self, text: &str) -> Vec<f32> {
        match self.ports.embedder.embed(&[text.to_owned()]) {
            Ok(mut vectors) if vectors.len() == 1 => vectors.remove(0),
            Ok(vectors) => {
                self.warn(&format!(
                    "the embedder gave {} vectors for one text",
                    vectors.len()
                ));
                Vec::new()
            }
            Err(_) => Vec::new(),
        }
    }
}

/// Adds what a new proposal of a known lesson brings. Says whether it comes from a run that the lesson does
/// not come from already.
fn merge(known: &mut Lesson, new: &Lesson) -> bool {
    known.tags.extend(new.tags.iter().cloned());
    known.trust = known.trust.max(new.trust);
    let mut independent = false;
    for origin in &new.origins {
        let said = |known: &Origin| known.run == origin.run && known.source == origin.source;
        if known.origins.iter().any(said) {
            continue;
        }
        independent |= !known.origins.iter().any(|known| known.run == origin.run);
        if known.origins.len() < limits::ORIGINS_PER_LESSON {
            known.origins.push(origin.clone());
        }
    }
    independent
}

/// How far the word of a source goes.
fn trust_in(source: Source) -> Trust {
    match source {
        Source::Person => Trust::Vouched,
        Source::Trace => Trust::Observed,
        Source::Agent | Source::Model => Trust::Claimed,
    }
}

fn check(candidate: &LessonCandidate) -> Result<(), Error> {
    let invalid = |text: String| Err(Error::InvalidArgument(text));
    let characters = candidate.rule_text.trim().chars().count();
    if characters == 0 {
        return invalid(
            "rule-text is empty; say what to do, such as `WRONG: … → CORRECT: …`".to_owned(),
        );
    }
    if characters > limits::RULE_CHARS {
        return invalid(format!(
            "rule-text has {characters} characters, at most {} are taken; say it shorter",
            limits::RULE_CHARS
        ));
    }
    let lists = [
        ("trigger-fingerprints", &candidate.trigger_fingerprints),
        ("trigger-texts", &candidate.trigger_texts),
        ("tags", &candidate.tags),
    ];
    for (name, list) in lists {
        if list.len() > limits::TRIGGERS {
            return invalid(format!(
                "{name} has {} entries, at most {} are taken",
                list.len(),
                limits::TRIGGERS
            ));
        }
    }
    for id in &candidate.trigger_fingerprints {
        let digits = id.strip_prefix("fp_").unwrap_or_default();
        if digits.len() != 16 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return invalid(format!(
                "trigger-fingerprints: `{}` is not a fingerprint such as fp_0123456789abcdef; \
                 events.fingerprint-of makes one from a text, or use trigger-texts",
                payload::kept_text(id, 100)
            ));
        }
    }
    for tag in &candidate.tags {
        let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if tag.is_empty() || tag.len() > 64 || !tag.chars().all(allowed) || is_secret(tag) {
            return invalid(format!(
                "tags: `{}` is not 1 to 64 lowercase letters, digits and underscores",
                payload::kept_text(tag, 100)
            ));
        }
    }
    if let Some(domain) = &candidate.domain {
        check_domain("domain", domain)?;
    }
    let task = candidate.task.as_deref().unwrap_or_default();
    match candidate.scope_hint {
        Some(Scope::Task) if task.trim().is_empty() => {
            invalid("the scope `task` needs the task; give `task`".to_owned())
        }
        Some(Scope::Domain) if candidate.domain.is_none() => {
            invalid("the scope `domain` needs the domain; give `domain`".to_owned())
        }
        _ if task.len() > limits::TASK_BYTES => invalid(format!(
            "task has {} bytes, at most {} are taken",
            task.len(),
            limits::TASK_BYTES
        )),
        _ => Ok(()),
    }
}

pub(crate) fn unknown(lesson: &str) -> Error {
    Error::NotFound(format!(
        "there is no lesson `{lesson}`; lessons.find lists them"
    ))
}
