//! Words: how similar a memory is to a task.
//!
//! Owns what two texts have in common and how much that says: words in normal form, so that endings and synonyms do
//! not matter, and the topics they belong to, so that *log in* meets *session token*. What is rare among the memories
//! that were looked at says more than what all of them have.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use crate::{
    likeness::{NOT, Senses, Wording},
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

/// How many words are kept from one task to the next.
const MOST_KEPT: usize = 1 << 13;

/// A text in bytes as far as it is compared: what it is about stands at its beginning.
const COMPARED_BYTES: usize = 2 << 10;

/// Words that tasks have in common by being tasks.
const COMMON: &str = "add make create build write set get need want task work please new support handle code file \
    project run ensure properly correctly change update implement user";

/// The words of a text in normal form by their numbers in a [`Vocabulary`], sorted, and for each of its topics the words that it
/// has of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Features {
    words: Vec<u32>,
    topics: BTreeMap<usize, BTreeSet<u32>>,
}

impl Features {
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The words that two texts share.
    fn shared_words(&self, other: &Self) -> impl Iterator<Item = u32> {
        let is_shared = |word: &u32| other.words.binary_search(word).is_ok();
        self.words.iter().copied().filter(is_shared)
    }

    /// The topics that two texts share by more than one word: a word that both have is counted already.
    fn shared_topics(&self, other: &Self) -> impl Iterator<Item = usize> {
        self.topics.iter().filter_map(|(topic, words)| {
            let others = other.topics.get(topic)?;
            (words.union(others).nth(1).is_some()).then_some(*topic)
        })
    }
}

/// What is known of a word by itself.
#[derive(Debug, Clone, Copy)]
struct Trait {
    is_common: bool,
    /// Whether it says that something is not so: it is about the same all the same.
    says_nothing: bool,
    topics: &'static [usize],
}

/// Words that were met, for whichever task: what is known of them is the same for all.
#[derive(Default)]
struct Lexicon {
    senses: Senses,
    /// By the number of a word among the senses.
    traits: Vec<Trait>,
}

impl Lexicon {
    /// The words of a text.
    fn words_of(&mut self, text: &str) -> Vec<u32> {
        let words = self.senses.words_of(text);
        for number in self.traits.len()..self.senses.count() {
            let word = self.senses.form(number as u32);
            self.traits.push(Trait {
                is_common: COMMON_WORDS.contains(word),
                says_nothing: word.is_empty() || word == NOT,
                topics: TOPICS_OF.get(word).map_or(&[], Vec::as_slice),
            });
        }
        words
    }
}

thread_local! {
    /// What was met for tasks before.
    static KEPT: RefCell<Lexicon> = RefCell::default();
}

/// A word that was met in a text.
struct Known {
    /// Its number in the lexicon.
    word: u32,
    is_common: bool,
    /// The memories that have it.
    memories: u32,
}

/// The words that were met, and how much each says among the memories that were looked at. They have numbers of their own in the
/// order in which they were met, so that sums do not depend on what was met for other tasks.
pub(super) struct Vocabulary {
    lexicon: Lexicon,
    memories: u32,
    /// For each word of the lexicon its number here, and one more; 0 if it was not met.
    numbers: Vec<u32>,
    words: Vec<Known>,
    topics: BTreeMap<usize, u32>,
}

impl Default for Vocabulary {
    fn default() -> Self {
        Self {
            lexicon: KEPT.take(),
            memories: 0,
            numbers: Vec::new(),
            words: Vec::new(),
            topics: BTreeMap::new(),
        }
    }
}

impl Drop for Vocabulary {
    fn drop(&mut self) {
        if self.lexicon.traits.len() <= MOST_KEPT {
            KEPT.set(std::mem::take(&mut self.lexicon));
        }
    }
}

impl Vocabulary {
    /// The features of a text.
    pub(super) fn read(&mut self, text: &str) -> Features {
        let text = &text[..text.floor_char_boundary(COMPARED_BYTES)];
        let mut features = Features::default();
        for word in self.lexicon.words_of(text) {
            let Trait {
                says_nothing,
                topics,
                ..
            } = self.lexicon.traits[word as usize];
            if says_nothing {
                continue;
            }
            let number = self.number(word);
            for topic in topics {
                features.topics.entry(*topic).or_default().insert(number);
            }
            features.words.push(number);
        }
        features.words.sort_unstable();
        features
    }

    fn number(&mut self, word: u32) -> u32 {
        let place = word as usize;
        if self.numbers.len() <= place {
            self.numbers.resize(self.lexicon.traits.len(), 0);
        }
        if self.numbers[place] == 0 {
            self.words.push(Known {
                word,
                is_common: self.lexicon.traits[place].is_common,
                memories: 0,
            });
            self.numbers[place] = self.words.len() as u32;
        }
        self.numbers[place] - 1
    }

    /// The features of a memory's texts. Its words and topics are counted, each once.
    pub(super) fn read_memory<'t>(
        &mut self,
        texts: impl Iterator<Item = &'t String>,
    ) -> Vec<Features> {
        let texts: Vec<_> = texts.map(|text| self.read(text)).collect();
        self.memories += 1;
        let mut words: Vec<_> = texts.iter().flat_map(|text| &text.words).collect();
        words.sort_unstable();
        words.dedup();
        for word in words {
            self.words[*word as usize].memories += 1;
        }
        let topics: BTreeSet<_> = texts.iter().flat_map(|text| text.topics.keys()).collect();
        for topic in topics {
            *self.topics.entry(*topic).or_default() += 1;
        }
        texts
    }

    fn rarity(&self, count: u32) -> f64 {
        let memories = f64::from(self.memories);
        twiceshy_text::number::ln((memories + 8.0) / (f64::from(count) + 1.0)).max(0.1)
    }

    fn weight(&self, word: u32) -> f64 {
        let known = &self.words[word as usize];
        let rarity = self.rarity(known.memories);
        match known.is_common {
            true => COMMONNESS * rarity,
            false => rarity,
        }
    }

    fn sum(&self, words: impl Iterator<Item = u32>) -> f64 {
        words.map(|word| self.weight(word)).sum()
    }

    /// How like a text is to a task, from 0 to 1: what they share of the words of each. Topics that they share add to
    /// it; those that they do not share are no difference, since their words are counted.
    pub(super) fn likeness(&self, task: &Features, text: &Features) -> f64 {
        let words: Vec<_> = task.shared_words(text).collect();
        let topics: Vec<_> = task.shared_topics(text).collect();
        let by_topic = topics
            .iter()
            .map(|topic| self.rarity(self.topics.get(topic).copied().unwrap_or(0)));
        let mut shared = self.sum(words.iter().copied()) + TOPIC * by_topic.sum::<f64>();
        if shared <= 0.0 {
            return 0.0;
        }
        let telling = words
            .iter()
            .filter(|word| !self.words[**word as usize].is_common);
        if telling.count() + topics.len() < 2 && task.words.len() > 1 {
            shared *= LONE;
        }
        let share = |of: &Features| {
            let all = self.sum(of.words.iter().copied());
            (shared / all.max(shared)).clamp(0.0, 1.0)
        };
        twiceshy_text::number::pow(share(task), TASK_SHARE)
            * twiceshy_text::number::pow(share(text), 1.0 - TASK_SHARE)
    }

    /// How much of an action stands in a text, from 0 to 1.
    pub(super) fn covered(&self, action: &Features, text: &Features) -> f64 {
        let shared = self.sum(action.shared_words(text));
        match self.sum(action.words.iter().copied()) {
            all if all > 0.0 => shared / all,
            _ => 0.0,
        }
    }

    /// The words that a task and a text share, most telling first.
    pub(super) fn shared(&self, task: &Features, text: &Features) -> Vec<&str> {
        let mut shared: Vec<_> = task.shared_words(text).collect();
        let word = |number: u32| {
            let word = self.words[number as usize].word;
            self.lexicon.senses.form(word)
        };
        shared.sort_by(|left, right| {
            let order = self.weight(*right).total_cmp(&self.weight(*left));
            order.then_with(|| word(*left).cmp(word(*right)))
        });
        shared.into_iter().map(word).collect()
    }
}

/// The words to look for in a store: those of the text, and those of its topics.
pub(super) fn sought(text: &str) -> (String, String) {
    let own = text::telling(text);
    let topics: BTreeSet<_> = Vocabulary::default()
        .read(text)
        .topics
        .keys()
        .flat_map(|topic| &TELLING[*topic])
        .filter(|term| !own.contains(*term))
        .map(String::as_str)
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

/// The terms of each topic.
static TELLING: LazyLock<Vec<BTreeSet<String>>> =
    LazyLock::new(|| TOPICS.iter().copied().map(text::telling).collect());

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

    fn of<const N: usize>(texts: [&str; N]) -> (Vec<Features>, Vocabulary) {
        let mut vocabulary = Vocabulary::default();
        let texts = texts.map(str::to_owned);
        let features = texts
            .iter()
            .flat_map(|text| vocabulary.read_memory([text].into_iter()))
            .collect();
        (features, vocabulary)
    }

    #[test]
    fn what_is_rare_says_more_than_what_all_have() {
        let (texts, mut vocabulary) = of([
            "deploy the tokenizer service",
            "deploy the invoice service",
            "deploy the search service",
        ]);
        let task = vocabulary.read("restart the tokenizer service");
        let likeness: Vec<_> = texts
            .iter()
            .map(|text| vocabulary.likeness(&task, text))
            .collect();
        assert!(likeness[0] > 2.0 * likeness[1], "{likeness:?}");
        assert_eq!(vocabulary.shared(&task, &texts[0])[0], "tokenizer");
    }

    #[test]
    fn a_topic_brings_together_what_shares_no_word() {
        let (texts, mut vocabulary) = of(["session cookies need SameSite", "bread needs yeast"]);
        let task = vocabulary.read("users can't log in: the login token is refused");
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
