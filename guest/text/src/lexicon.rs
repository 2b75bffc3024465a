//! What single words mean: which say nothing, which turn the meaning round, which are two names for one thing.
//!
//! Owns the tables, and nothing of how they are used. They are small on purpose: a word that is in none of them
//! is compared as it is.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, DefaultHasher},
    sync::LazyLock,
};

use crate::stem::stem;

/// Only asked for single words, never walked over.
type Table<K, V> = HashMap<K, V, BuildHasherDefault<DefaultHasher>>;

/// Stands for every word that says *not*.
pub const NOT: &str = "¬";

/// What a text is read for. A word that says nothing to one reader may be what another looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// The terms by which a text is found.
    Search = 1,
    /// The words that two hypotheses are compared by.
    Hypothesis = 2,
    /// The words that say what a rule advises.
    Advice = 4,
    /// The words by which two rules are one.
    Rule = 8,
    /// The terms that a question is asked for: not who asks whom, and in which tense.
    Question = 16,
}

/// Whether a word in lower case says nothing to a reader.
pub fn is_filler(word: &str, reader: Reader) -> bool {
    FILLERS_BY_WORD
        .get(word)
        .is_some_and(|readers| readers & reader as u8 != 0)
}

/// What a word is to a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Says nothing by itself.
    Filler,
    /// Says nothing by itself, but which words stand before and behind it matters: *from A to B*.
    Marker,
    /// Both a marker and a word that matters: *before*, *over*.
    WeightyMarker,
    /// Says *not*.
    Negation,
    /// Names a kind of thing and may be left out, such as *method*.
    Generic,
    /// Turns the meaning round if it is added, such as *remove* or *only*.
    Weighty,
}

/// The role of a folded word, if it has one.
pub(crate) fn role(word: &str) -> Option<Role> {
    sense(word).1
}

fn filler(word: &str) -> Option<&'static Role> {
    is_filler(word, Reader::Hypothesis).then_some(&Role::Filler)
}

/// The one word that stands for a word and its synonyms, as a stem.
pub(crate) fn canonical(word: &str) -> String {
    canonical_of(stem(word))
}

fn canonical_of(stem: String) -> String {
    match SYNONYMS.get(stem.as_str()) {
        Some(canonical) => canonical.clone(),
        None => stem,
    }
}

/// Both the canonical word and the role of a folded word.
pub(crate) fn sense(word: &str) -> (String, Option<Role>) {
    let stem = stem(word);
    let role = ROLES
        .get(word)
        .or_else(|| filler(word))
        .or_else(|| STEMMED_ROLES.get(stem.as_str()))
        // A stem is not always its own stem: that of *unless* is not.
        .or_else(|| STEMMED_ROLES.get(word))
        .copied();
    (canonical_of(stem), role)
}

/// A unit written behind a number, in full.
pub(crate) fn unit(word: &str) -> Option<&'static str> {
    Some(match word {
        "ms" | "msec" | "msecs" => "millisecond",
        "s" | "sec" | "secs" => "second",
        "m" | "min" | "mins" => "minute",
        "h" | "hr" | "hrs" => "hour",
        "d" => "day",
        "x" => "times",
        "k" => "thousand",
        _ => return None,
    })
}

/// A number written as a word.
pub(crate) fn digits(word: &str) -> Option<&'static str> {
    Some(match word {
        "two" => "2",
        "three" => "3",
        "four" => "4",
        "five" => "5",
        "six" => "6",
        "seven" => "7",
        "eight" => "8",
        "nine" => "9",
        "ten" => "10",
        _ => return None,
    })
}

/// What is written in two ways that no synonym covers, because one of them has two words or is a word of its own elsewhere.
/// Of each list all are exchanged together.
pub(crate) const SPELLINGS: &[&[(&str, &str)]] = &[
    &[("a single", "one")],
    &[
        ("hourly", "every hour"),
        ("daily", "every day"),
        ("weekly", "every week"),
        ("monthly", "every month"),
        ("yearly", "every year"),
    ],
    &[
        ("1", "one"),
        ("2", "two"),
        ("3", "three"),
        ("4", "four"),
        ("5", "five"),
        ("6", "six"),
        ("7", "seven"),
        ("8", "eight"),
        ("9", "nine"),
        ("10", "ten"),
        ("11", "eleven"),
        ("12", "twelve"),
        ("20", "twenty"),
        ("30", "thirty"),
        ("50", "fifty"),
        ("60", "sixty"),
        ("100", "hundred"),
        ("100", "one hundred"),
        ("1000", "thousand"),
        ("1000", "one thousand"),
        ("twice", "two times"),
    ],
];

/// Units as they are written behind a number, short and in full. The first of several short forms is the usual one.
pub(crate) const UNITS: &[(&str, &str)] = &[
    ("ms", "milliseconds"),
    ("s", "seconds"),
    ("sec", "seconds"),
    ("secs", "seconds"),
    ("min", "minutes"),
    ("mins", "minutes"),
    ("h", "hours"),
    ("hrs", "hours"),
    ("d", "days"),
    ("kb", "kilobytes"),
    ("mb", "megabytes"),
    ("gb", "gigabytes"),
    ("%", "percent"),
];

/// Whether two stems differ by one slip of the keyboard and are two words all the same.
pub(crate) fn are_different_words(left: &str, right: &str) -> bool {
    LOOKALIKES.contains_key(left) && LOOKALIKES.contains_key(right)
}

static FILLERS_BY_WORD: LazyLock<Table<&'static str, u8>> = LazyLock::new(|| {
    let words = |(readers, words): &(u8, &'static str)| {
        let readers = *readers;
        words.split_whitespace().map(move |word| (word, readers))
    };
    FILLERS.iter().flat_map(words).collect()
});

static ROLES: LazyLock<Table<&'static str, Role>> = LazyLock::new(|| {
    let tables = [
        (Role::Marker, MARKERS),
        (Role::WeightyMarker, WEIGHTY_MARKERS),
        (Role::Negation, NEGATIONS),
    ];
    let words = |(role, table): (Role, &'static str)| {
        table.split_whitespace().map(move |word| (word, role))
    };
    tables.into_iter().flat_map(words).collect()
});

static STEMMED_ROLES: LazyLock<Table<String, Role>> = LazyLock::new(|| {
    let tables = [
        (Role::WeightyMarker, WEIGHTY_MARKERS),
        (Role::Generic, GENERIC),
        (Role::Weighty, WEIGHTY),
    ];
    let words = |(role, table): (Role, &'static str)| {
        table.split_whitespace().map(move |word| (stem(word), role))
    };
    tables.into_iter().flat_map(words).collect()
});

static SYNONYMS: LazyLock<Table<String, String>> = LazyLock::new(|| {
    let group = |line: &'static str| {
        let mut words = line.split_whitespace();
        let first = stem(words.next().unwrap_or_default());
        words.map(move |word| (stem(word), first.clone()))
    };
    GROUPS.iter().copied().flat_map(group).collect()
});

static LOOKALIKES: LazyLock<Table<String, ()>> = LazyLock::new(|| {
    LOOKALIKE_WORDS
        .split_whitespace()
        .map(|word| (stem(word), ()))
        .collect()
});

const SEARCH: u8 = Reader::Search as u8;
const HYPOTHESIS: u8 = Reader::Hypothesis as u8;
const ADVICE: u8 = Reader::Advice as u8;
const RULE: u8 = Reader::Rule as u8;
const QUESTION: u8 = Reader::Question as u8;

/// Words that say nothing by themselves, each once, with the readers to whom they say nothing.
const FILLERS: &[(u8, &str)] = &[
    (
        SEARCH | HYPOTHESIS | ADVICE | RULE,
        "a an the that it you should please",
    ),
    (
        SEARCH | HYPOTHESIS | ADVICE,
        "this its there is are be been do does has have can will may must and so then as all any when if \
         sure",
    ),
    (HYPOTHESIS | ADVICE | RULE, "just simply"),
    (HYPOTHESIS | ADVICE | RULE | QUESTION, "your"),
    (
        HYPOTHESIS | ADVICE | QUESTION,
        "these those here i we could would shall",
    ),
    (HYPOTHESIS | ADVICE, "also each every"),
    (
        HYPOTHESIS | QUESTION,
        "they them their which who whom whose what us our he she being were am did done had having might where",
    ),
    (
        QUESTION,
        "me my mine ours yours him his her hers theirs why how doing about",
    ),
    (SEARCH | HYPOTHESIS, "was such more"),
    (HYPOTHESIS | RULE, "very really"),
    (SEARCH | ADVICE, "make of or use"),
    (ADVICE | RULE, "always"),
    (
        HYPOTHESIS,
        "let lets too quite thus hence therefore well both own once up while because however ensure again \
         yet still per",
    ),
    (
        SEARCH,
        "at but by for from in instead into on some than to with",
    ),
    (
        ADVICE,
        "uses used using need needs needed require requires required only correct right prefer want try \
         write written put usa utilise utilize",
    ),
    // German, French, Spanish, Italian, Russian, Portuguese, Arabic.
    (
        HYPOTHESIS,
        "der die das den dem des ein eine einen einem einer eines und fuer sich ist sind wird werden soll bitte \
         le la les l un une du d et est sont doit \
         el los las lo una unos unas y e o al es son debe se \
         il gli uno è di da \
         и а но же ли бы это этот эта эти все весь каждый как \
         um uma \
         في على من إلى و أو هذا هذه كل",
    ),
];

const MARKERS: &str = "\
    to into onto toward towards from of for in on at by via with through upon among using around about like
    von vom zu zum zur nach mit auf aus im am bei für statt durch über unter
    de à au aux pour dans en sur avec par vers chez
    del para con por a hacia desde
    в во на для с со к ко по из от до за при через у о об
    instead rather → -> ⇒ =>";

const WEIGHTY_MARKERS: &str = "\
    before after over under above below behind than unless except until versus within between against across
    during inside outside
    vor hinter avant après apres antes despues después перед после";

const NEGATIONS: &str = "\
    not no never without dont cant cannot wont isnt arent doesnt didnt shouldnt mustnt couldnt wouldnt
    neither nor none non avoid avoids avoiding avoided
    nicht kein keine keinen keinem keiner nie ohne pas jamais sans aucun aucune sin nunca jamás ningún ninguna
    не без нет никогда ни нельзя
    لا ليس بدون لم لن
    안 못";

const GENERIC: &str = "\
    function class module code component logic implementation system thing stuff part number";

const WEIGHTY: &str = "\
    add remove enable disable increase reduce allow deny forbid permit prevent stop start begin end skip keep only
    less least most fewer off out down last first sync async lock unlock open close show hide include exclude encode
    decode encrypt decrypt compress decompress serialize deserialize import export read write push pull load store
    save send receive attach detach inline outline merge split raise lower upper left right top bottom minimum
    maximum ascending descending public private internal external implicit explicit optional mandatory required
    mutable immutable static dynamic local global blocking client server input output request response success
    failure failed visible invisible lazy eager lazily eagerly parallel sequential serial revert undo redo instead
    or else opposite inverse reverse partial partially without old new older newer oldest newest true false on-demand
    never always half double single multiple manual automatic read-only early late soft hard weak strong strict loose
    ignore reject accept abort continue pause resume deprecate restore archive invalidate validate refund charge
    disallow ban block unblock drop";

const GROUPS: &[&str] = &[
    "add introduce implement",
    "remove delete eliminate drop erase",
    "increase raise grow bump enlarge",
    "reduce decrease lower shrink cut",
    "improve enhance",
    "split break divide decompose",
    "merge combine unify consolidate",
    "use utilize utilise employ leverage",
    "fix repair",
    "refactor restructure",
    "function method func fn procedure routine subroutine",
    "argument arg args parameter param params",
    "configuration config cfg conf",
    "database db",
    "asynchronous async asynchronously",
    "synchronous sync synchronously",
    "directory dir folder",
    "dictionary dict",
    "string str",
    "integer int",
    "boolean bool",
    "repository repo",
    "environment env",
    "documentation docs doc document",
    "performance perf",
    "initialize init",
    "library lib",
    "dependency dep deps",
    "maximum max",
    "minimum min",
    "temporary temp tmp",
    "message msg",
    "context ctx",
    "variable var",
    "character char",
    "pointer ptr",
    "utility util utils",
    "specification spec",
    "regex regexp",
    "error err",
    "info information",
    "previous prev",
    "application app",
    "administrator admin",
    "attribute attr",
    "reference ref",
    "annotation hint",
];

/// Words that are one slip apart and both in use.
const LOOKALIKE_WORDS: &str = "\
    absence absent attach attack backtrace backtracking caller callee clarify clarity cleanly clearly closer closure
    cluster clutter collation collection command commend comment compact compat compare compute complete complex
    compress comprise confirm conform content contention contest context contiguous continuous contract contrast
    convention convert covert defect detect discard discord driver driven expect expert export extend extent factor
    factory reactor refactor forget forgot formal format former general generate generic genetic identify identity
    implication implicit indent infect inject initial initiate insert instance instant integral integrate intend
    intent internal interval invent inverse invert latter leader letter lineage linkage linker linter loader logger
    longer market marker masker master matter multiple multiply naively natively original originate outline outlive
    packet painter parent patent pocket pointer popular populate predicate predict prepend present preset pretend
    prevent printer produce product project promote prompt properly property protect qualify quality reader reload
    remain remainder reminder render repeat replace replay replica report resolve resort retain reveal reverse revert
    revolve sanitize sanity scanner semver sender server shallow signal spanner strange strict strong struct subject
    submit subset suffice suffix summit swallow terminal terminate though thought thread threat through throughout
    throughput ticker ticket tracer tracker transient transit transmit transmute unbound unload unsound upload variant
    varint waitable walker whenever wherever worker writable writer waiter
    wlaczyc wylaczyc включить выключить включать выключать";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_filler_is_listed_once() {
        let listed = FILLERS
            .iter()
            .flat_map(|(_, words)| words.split_whitespace());
        assert_eq!(listed.count(), FILLERS_BY_WORD.len());
    }

    #[test]
    fn a_word_may_say_nothing_to_one_reader_and_matter_to_another() {
        assert!(is_filler("use", Reader::Search) && !is_filler("use", Reader::Hypothesis));
        assert!(is_filler("must", Reader::Advice) && !is_filler("must", Reader::Rule));
        assert!(!is_filler("not", Reader::Search) && !is_filler("not", Reader::Question));
        assert!(is_filler("who", Reader::Question) && !is_filler("who", Reader::Search));
    }
}
