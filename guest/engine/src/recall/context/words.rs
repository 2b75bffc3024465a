//! Words: how similar a memory is to a task.
//!
//! Owns what two texts have in common and how much that says: words in normal form, so that endings and synonyms do
//! not matter, and the topics they belong to, so that *log in* meets *session token*. What is rare among the memories
//! that were looked at says more than what all of them have.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use crate::{
    likeness::{NOT, Wording},
    text,
};

/// What a topic counts, compared with a word.
const TOPIC: f64 = 0.6;

/// What a word counts that tasks have in common by being tasks.
const COMMONNESS: f64 = 0.1;

/// What a single word counts that is all that two texts share: it may be chance.
const LONE: f64 = 0.7;

/// How much the task's own words decide, compared with those of the memory: a memory says more than a task asks.
const TASK_SHARE: f64 = 0.65;

/// A text in bytes as far as it is compared: what it is about stands at its beginning.
const COMPARED_BYTES: usize = 2 << 10;

/// Words that tasks have in common by being tasks.
const COMMON: &str = "add make create build write set get need want task work please new support handle code file \
    project run ensure properly correctly change update implement user";

/// The words of a text in normal form, and for each of its topics the words that it has of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Features {
    words: BTreeSet<String>,
    topics: BTreeMap<usize, BTreeSet<String>>,
}

impl Features {
    pub(super) fn of(text: &str) -> Self {
        let text = &text[..text.floor_char_boundary(COMPARED_BYTES)];
        let mut features = Self::default();
        let wording = Wording::new("", text);
        // Whether something is to be done or not, it is about the same.
        for word in wording.words().iter().filter(|word| *word != NOT) {
            for topic in TOPICS_OF.get(word).into_iter().flatten() {
                let words = features.topics.entry(*topic).or_default();
                words.insert(word.clone());
            }
            features.words.insert(word.clone());
        }
        features
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The topics that two texts share by more than one word: a word that both have is counted already.
    fn shared_topics<'f>(&'f self, other: &'f Self) -> impl Iterator<Item = usize> + 'f {
        self.topics.iter().filter_map(|(topic, words)| {
            let others = other.topics.get(topic)?;
            (words.union(others).count() > 1).then_some(*topic)
        })
    }
}

/// How much each word says, from the memories that were looked at.
pub(super) struct Vocabulary {
    memories: f64,
    words: BTreeMap<String, u32>,
    topics: BTreeMap<usize, u32>,
}

impl Vocabulary {
    /// Counts in how many of some memories each word and topic stands.
    pub(super) fn of<'f>(memories: impl Iterator<Item = &'f [Features]>) -> Self {
        let (mut words, mut topics) = (BTreeMap::new(), BTreeMap::new());
        let mut number = 0;
        for texts in memories {
            number += 1;
            let own: BTreeSet<_> = texts.iter().flat_map(|text| &text.words).collect();
            for word in own {
                *words.entry(word.clone()).or_default() += 1;
            }
            let own: BTreeSet<_> = texts.iter().flat_map(|text| text.topics.keys()).collect();
            for topic in own {
                *topics.entry(*topic).or_default() += 1;
            }
        }
        Self {
            memories: f64::from(number),
            words,
            topics,
        }
    }

    fn rarity(&self, count: Option<&u32>) -> f64 {
        let count = f64::from(count.copied().unwrap_or(0));
        ((self.memories + 8.0) / (count + 1.0)).ln().max(0.1)
    }

    fn weight(&self, word: &str) -> f64 {
        let rarity = self.rarity(self.words.get(word));
        match COMMON_WORDS.contains(word) {
            true => COMMONNESS * rarity,
            false => rarity,
        }
    }

    fn sum<'w>(&self, words: impl Iterator<Item = &'w String>) -> f64 {
        words.map(|word| self.weight(word)).sum()
    }

    /// How like a text is to a task, from 0 to 1: what they share of the words of each. Topics that they share add to
    /// it; those that they do not share are no difference, since their words are counted.
    pub(super) fn likeness(&self, task: &Features, text: &Features) -> f64 {
        let words: Vec<_> = task.words.intersection(&text.words).collect();
        let topics: Vec<_> = task.shared_topics(text).collect();
        let by_topic = topics
            .iter()
            .map(|topic| self.rarity(self.topics.get(topic)));
        let mut shared = self.sum(words.iter().copied()) + TOPIC * by_topic.sum::<f64>();
        if shared <= 0.0 {
            return 0.0;
        }
        let telling = words
            .iter()
            .filter(|word| !COMMON_WORDS.contains(word.as_str()));
        if telling.count() + topics.len() < 2 && task.words.len() > 1 {
            shared *= LONE;
        }
        let share =
            |of: &Features| (shared / self.sum(of.words.iter()).max(shared)).clamp(0.0, 1.0);
        share(task).powf(TASK_SHARE) * share(text).powf(1.0 - TASK_SHARE)
    }

    /// How much of an action stands in a text, from 0 to 1.
    pub(super) fn covered(&self, action: &Features, text: &Features) -> f64 {
        let shared = self.sum(action.words.intersection(&text.words));
        match self.sum(action.words.iter()) {
            all if all > 0.0 => shared / all,
            _ => 0.0,
        }
    }

    /// The words that a task and a text share, most telling first.
    pub(super) fn shared(&self, task: &Features, text: &Features) -> Vec<String> {
        let mut shared: Vec<_> = task.words.intersection(&text.words).cloned().collect();
        shared.sort_by(|left, right| {
            let order = self.weight(right).total_cmp(&self.weight(left));
            order.then_with(|| left.cmp(right))
        });
        shared
    }
}

/// The words to look for in a store: those of the text, and those of its topics.
pub(super) fn sought(text: &str) -> (String, String) {
    let own = text::telling(text);
    let topics: BTreeSet<_> = Features::of(text)
        .topics
        .keys()
        .flat_map(|topic| text::telling(TOPICS[*topic]))
        .filter(|term| !own.contains(term))
        .collect();
    let topics: Vec<_> = topics.into_iter().collect();
    let topics = text::asked(&topics.join(" "));
    (text::asked(text).join(" "), topics.join(" "))
}

static COMMON_WORDS: LazyLock<BTreeSet<String>> =
    LazyLock::new(|| Wording::new("", COMMON).words().iter().cloned().collect());

static TOPICS_OF: LazyLock<BTreeMap<String, Vec<usize>>> = LazyLock::new(|| {
    let mut topics: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (topic, words) in TOPICS.iter().enumerate() {
        for word in Wording::new("", words).words() {
            topics.entry(word.clone()).or_default().push(topic);
        }
    }
    topics
});

/// Words that are about the same subject, one line for each.
const TOPICS: &[&str] = &[
    "authentication auth login logon signin session credential oauth sso jwt password cookie token identity",
    "authorization permission role access acl forbidden grant privilege rbac",
    "database sql postgres postgresql mysql sqlite query table schema orm transaction index row",
    "migration migrate schema ddl alter backfill column",
    "deploy deployment release rollout ship production rollback canary staging",
    "test testing pytest jest unittest coverage assertion fixture mock suite",
    "performance slow fast latency speed throughput optimize profile benchmark bottleneck hot",
    "memory leak allocation heap garbage oom rss",
    "concurrency concurrent race deadlock lock mutex thread parallel atomic",
    "cache caching redis memoize ttl invalidate stale eviction",
    "container docker image dockerfile layer registry",
    "kubernetes k8s pod helm cluster ingress kubectl replica",
    "network http https socket tcp dns proxy tls certificate ssl connection",
    "api endpoint rest route handler graphql controller request response",
    "frontend ui page button css layout style component react vue browser render dom",
    "form validation input field validate sanitize",
    "payment billing invoice charge refund stripe checkout price currency money",
    "email mail smtp newsletter inbox mailer",
    "upload download attachment file blob storage bucket s3",
    "csv spreadsheet export import excel parse delimiter",
    "date time timezone utc clock calendar dst timestamp schedule cron",
    "unicode encoding utf8 charset locale translation i18n language",
    "log logging logger metric monitor trace alert dashboard telemetry observability",
    "retry backoff timeout circuit resilience flaky",
    "pagination paginate page cursor offset limit scroll",
    "dependency package version upgrade lockfile npm pip cargo semver",
    "security vulnerability injection xss csrf secret encrypt cve sanitize",
    "queue message kafka broker consumer producer rabbitmq worker job",
    "search fulltext elasticsearch index ranking relevance",
    "git branch merge rebase commit conflict pull push",
    "ci pipeline workflow action runner build artifact",
    "config configuration environment variable setting flag",
    "train model dataset gradient learning epoch inference tensor gpu",
    "chart plot graph figure axis visualisation visualization",
    "report pdf document template latex markdown",
    "article essay draft blog post chapter prose outline citation",
    "recipe cook bake oven dough kitchen",
    "mobile android ios app push notification device",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str]) -> (Vec<Features>, Vocabulary) {
        let features: Vec<_> = texts.iter().map(|text| Features::of(text)).collect();
        let vocabulary = Vocabulary::of(features.iter().map(std::slice::from_ref));
        (features, vocabulary)
    }

    #[test]
    fn what_is_rare_says_more_than_what_all_have() {
        let (texts, vocabulary) = of(&[
            "deploy the tokenizer service",
            "deploy the invoice service",
            "deploy the search service",
        ]);
        let task = Features::of("restart the tokenizer service");
        let likeness: Vec<_> = texts
            .iter()
            .map(|text| vocabulary.likeness(&task, text))
            .collect();
        assert!(likeness[0] > 2.0 * likeness[1], "{likeness:?}");
        assert_eq!(vocabulary.shared(&task, &texts[0])[0], "tokenizer");
    }

    #[test]
    fn a_topic_brings_together_what_shares_no_word() {
        let (texts, vocabulary) = of(&["session cookies need SameSite", "bread needs yeast"]);
        let task = Features::of("users can't log in: the login token is refused");
        assert!(vocabulary.likeness(&task, &texts[0]) > 0.0);
        assert_eq!(vocabulary.likeness(&task, &texts[1]), 0.0);
        assert_eq!(vocabulary.likeness(&task, &task), 1.0);
    }

    #[test]
    fn the_words_of_a_topic_are_sought_beside_the_own_ones() {
        let (own, topics) = sought("fix the login");
        assert_eq!(own, "fix login");
        assert!(topics.split(' ').any(|word| word == "session"), "{topics}");
        assert!(topics.split(' ').all(|word| word != "login"), "{topics}");
    }
}
