//! The idea of a hypothesis: its words in their order, with what each has to do with the others.
//!
//! Owns how a text becomes an idea: phrases and units become single words, what says nothing is marked so, and every word knows on which
//! side of a relation it stands. How two ideas are compared is the business of [`alignment`](super::alignment).

use super::{
    kin::Sense,
    quantity::{number_word, plain_number, quantity},
    thesaurus,
    vocabulary::{
        Class, FOR_PURPOSES, LIGHT_IDEOGRAPHS, PURPOSES, WRITE, WRITTEN, class, is_one_of,
        is_weighty,
    },
    wording::{NEGATING, NEGATING_KANA, PARTICLES},
};
use crate::{
    cut::{Piece, Reading, Sort, pieces},
    lexicon::{self, Role},
};

/// What a word is worth when the other side does not have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Worth {
    /// Says what the idea is about.
    Telling,
    /// Turns the meaning round: *not*, *before*, *only*.
    Turning,
    /// A quantity.
    Number,
    /// Says what the idea is about in one sign, which nobody leaves out.
    Sign,
    /// May be left out: *function*, *data*, the module's own name.
    Soft,
    /// Says that something is done, not what: *use*, *add*.
    Light,
}

/// On which side of a relation a word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// On none.
    Plain,
    /// What is given up: *from A*, *instead of A*, *replace A*.
    Old,
    /// What comes in its place: *to B*, *B instead of*, *with B*.
    New,
    /// What is done first.
    Early,
    /// What is done then.
    Late,
    /// What it is done with.
    Tool,
}

/// One word of an idea.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) sense: Sense,
    pub(super) worth: Worth,
    pub(super) side: Side,
    /// Whether it stands in parentheses.
    pub(super) aside: bool,
    /// Whether it says what the idea is good for.
    pub(super) purpose: bool,
    /// Whether an idea that has it is another than one that does not, however long they are.
    pub(super) is_weighty: bool,
}

/// The words of a text about a module.
pub(super) fn words(module: &str, text: &str) -> Vec<Word> {
    let own: Vec<_> = pieces(module, Reading::Compared)
        .into_iter()
        .map(|piece| piece.text)
        .collect();
    let mut reader = Reader {
        own,
        ..Reader::default()
    };
    let pieces = phrased(pieces(
        &thesaurus::with_one_word_each(text),
        Reading::Compared,
    ));
    let mut at = 0;
    while at < pieces.len() {
        at += reader.take(&pieces, at);
    }
    reader.words
}

/// The pieces with every phrase as one word, and what is asked for behind it.
fn phrased(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut phrased = Vec::with_capacity(pieces.len());
    let mut at = 0;
    while at < pieces.len() {
        let run = pieces[at..].iter().take(5);
        let words: Vec<&str> = run
            .take_while(|piece| piece.sort == Sort::Word)
            .map(|piece| piece.text.as_str())
            .collect();
        match thesaurus::phrase(&words) {
            Some((count, stands)) => {
                phrased.push(Piece {
                    text: stands.to_owned(),
                    ..pieces[at].clone()
                });
                at += count;
            }
            None => {
                phrased.push(pieces[at].clone());
                at += 1;
            }
        }
    }
    phrased
}

#[derive(Default)]
struct Reader {
    own: Vec<String>,
    words: Vec<Word>,
    /// Where the clause at hand begins.
    clause: usize,
    side: Option<Side>,
    /// Whether the side holds for one word alone.
    once: bool,
    /// Whether *with* names what comes in the place of something.
    replaces: bool,
    /// Whether the clause at hand says what the idea is good for.
    purpose: bool,
}

impl Reader {
    /// Takes the piece at a place, and says how many it took.
    fn take(&mut self, pieces: &[Piece], at: usize) -> usize {
        let piece = &pieces[at];
        let next = pieces.get(at + 1);
        match piece.sort {
            Sort::Break => {
                self.clause = self.words.len();
                self.side = None;
                self.replaces = false;
                self.purpose = false;
            }
            Sort::Number => return self.number(piece, next),
            Sort::Operator if matches!(piece.text.as_str(), "->" | "=>" | "→" | "⇒") => {
                self.turn(Side::Old, Side::New);
            }
            // *Strict* is what `SameSite=Strict` sets.
            Sort::Operator if matches!(piece.text.as_str(), "+" | "=") => {}
            Sort::Operator => self.push(piece, Worth::Turning),
            Sort::Ideograph if NEGATING.contains(&piece.text) => self.negate(piece, false),
            Sort::Ideograph if PARTICLES.contains(&piece.text) => {}
            // 加上 is 加.
            Sort::Ideograph
                if piece.text == "上"
                    && at > 0
                    && LIGHT_IDEOGRAPHS.contains(&pieces[at - 1].text) => {}
            Sort::Ideograph if LIGHT_IDEOGRAPHS.contains(&piece.text) => {
                self.push(piece, Worth::Light);
            }
            Sort::Ideograph => self.push(piece, Worth::Sign),
            Sort::Kana
                if NEGATING_KANA
                    .iter()
                    .any(|ending| piece.text.contains(ending)) =>
            {
                self.negate(piece, false);
            }
            Sort::Kana => {}
            Sort::Word => self.word(pieces, at),
        }
        1
    }

    /// A number with its unit as one quantity.
    fn number(&mut self, piece: &Piece, next: Option<&Piece>) -> usize {
        let unit = next.filter(|next| next.sort == Sort::Word);
        let known = unit.and_then(|unit| quantity(&piece.text, &unit.text));
        let took = 1 + usize::from(known.is_some());
        let text = known.unwrap_or_else(|| plain_number(&piece.text));
        self.push(
            &Piece {
                text,
                ..piece.clone()
            },
            Worth::Number,
        );
        took
    }

    fn word(&mut self, pieces: &[Piece], at: usize) {
        let piece = &pieces[at];
        let text = piece.text.as_str();
        if let Some(digits) = number_word(text) {
            let number = Piece {
                text: digits.to_owned(),
                ..piece.clone()
            };
            return self.push(&number, Worth::Number);
        }
        if self.marker(pieces, at) {
            return;
        }
        // A lone capital is a name.
        if piece.letter && at > 0 {
            return self.push(piece, Worth::Telling);
        }
        let (canonical, role) = lexicon::sense(text);
        if role == Some(Role::Negation) {
            return self.negate(piece, at == 0 || pieces[at - 1].sort == Sort::Break);
        }
        let class_of = class(text);
        let is_filler = role == Some(Role::Filler) && class_of != Some(Class::Turning);
        if class_of == Some(Class::Frame) || is_filler {
            return;
        }
        let plain = thesaurus::base(text);
        let is_own = self.own.iter().any(|own| own == text);
        let is_light = |word: &str| class(word) == Some(Class::Light);
        let is_kind_of_thing = |word: &str| class(word) == Some(Class::Kind);
        let worth = if class_of == Some(Class::Turning) {
            Worth::Turning
        } else if is_light(plain)
            || (is_one_of(WRITE, plain) && follows_written(&pieces[at + 1..]))
            || is_light(&lexicon::canonical(plain))
        {
            Worth::Light
        } else if is_own
            || is_kind_of_thing(text)
            || text.strip_suffix('s').is_some_and(is_kind_of_thing)
            || is_kind(&canonical)
            || role == Some(Role::Generic)
        {
            Worth::Soft
        } else {
            Worth::Telling
        };
        if matches!(
            text,
            "replace"
                | "replacing"
                | "swap"
                | "exchange"
                | "switch"
                | "ersetzen"
                | "remplacer"
                | "reemplazar"
                | "sustituir"
                | "substituir"
                | "заменить"
        ) {
            // What it does is in the sides.
            self.push(piece, Worth::Light);
            self.side = Some(Side::Old);
            self.replaces = true;
            return;
        }
        self.push(piece, worth);
        if matches!(
            plain,
            "use" | "adopt" | "employ" | "usar" | "utiliser" | "verwenden"
        ) {
            self.side = Some(Side::Tool);
        }
    }

    /// Takes a word that says on which side of a relation others stand, if it is one.
    fn marker(&mut self, pieces: &[Piece], at: usize) -> bool {
        let piece = &pieces[at];
        let text = piece.text.as_str();
        let follows = |sort: Sort| pieces.get(at + 1).is_some_and(|next| next.sort == sort);
        let next = pieces.get(at + 1).map_or("", |next| next.text.as_str());
        match text {
            // *nach der Prüfung* is a time, *nach Redis* a place.
            "nach"
                if matches!(
                    next,
                    "der" | "dem" | "den" | "jeder" | "jedem" | "einer" | "einem"
                ) =>
            {
                self.turn(Side::Late, Side::Early);
            }
            "instead" => self.turn(Side::New, Side::Old),
            "favoring" => self.turn(Side::Old, Side::New),
            "from" | "von" | "vom" | "aus" | "desde" | "из" | "depuis" => {
                self.side = Some(Side::Old);
            }
            "inorderto" => self.begin_purpose(),
            "to" if is_one_of(PURPOSES, next) => self.begin_purpose(),
            "for" if FOR_PURPOSES.iter().any(|ending| next.ends_with(ending)) => {
                self.begin_purpose();
            }
            // *Stop logging* says that nothing is to be logged, *stop the server* does not.
            "stop" | "quit" | "cease" if next.ends_with("ing") => {
                self.negate(piece, false);
            }
            "to" | "into" | "onto" | "nach" | "vers" | "hacia" | "к" => {
                self.side = Some(Side::New);
                self.replaces = false;
            }
            "before" | "vor" | "avant" | "antes" | "перед" | "przed" => {
                self.turn(Side::Early, Side::Late);
            }
            "after" | "behind" | "apres" | "despues" | "depois" | "после" => {
                self.turn(Side::Late, Side::Early);
            }
            "with" | "by" | "for" | "durch" | "par" | "por" | "на" if self.replaces => {
                self.side = Some(Side::New);
                self.replaces = false;
            }
            "with" | "via" | "using" | "through" | "mit" | "avec" | "con" | "com" | "durch"
            | "mittels" => {
                self.side = Some(Side::Tool);
            }
            "for" | "in" | "on" | "and" | "und" | "et" | "y" | "e" | "и" | "i" | "when"
            | "while" | "if" | "wenn" | "quand" | "si" | "cuando" | "se" | "quando" | "если"
            | "когда" => {
                self.side = None;
            }
            "over" | "under" if follows(Sort::Number) => {
                let side = if text == "over" { "above" } else { "below" };
                let word = Piece {
                    text: side.to_owned(),
                    ..piece.clone()
                };
                self.push(&word, Worth::Turning);
            }
            _ => return false,
        }
        true
    }

    fn begin_purpose(&mut self) {
        self.purpose = true;
        self.side = None;
        self.replaces = false;
    }

    /// *X, not Y* says the same as *X instead of Y*; elsewhere a *not* is a *not*.
    fn negate(&mut self, piece: &Piece, is_first: bool) {
        let has_words = self.words.iter().any(|word| word.worth == Worth::Telling);
        if is_first && has_words && piece.text == "not" {
            self.clause = 0;
            return self.turn(Side::New, Side::Old);
        }
        let word = Piece {
            text: lexicon::NOT.to_owned(),
            ..piece.clone()
        };
        self.push(&word, Worth::Turning);
    }

    /// What stands before a marker in its clause is on one side, and what comes behind it on the other.
    fn turn(&mut self, before: Side, behind: Side) {
        for word in &mut self.words[self.clause..] {
            if matches!(word.side, Side::Plain | Side::Tool) {
                word.side = before;
            }
        }
        let is_first = !self.words[self.clause..].iter().any(is_telling);
        self.once = is_first && behind == Side::Old;
        self.side = Some(behind);
        self.clause = self.words.len();
    }

    fn push(&mut self, piece: &Piece, worth: Worth) {
        self.words.push(Word {
            text: piece.text.clone(),
            sense: Sense::of(&piece.text),
            worth,
            side: self.side.unwrap_or(Side::Plain),
            aside: piece.aside,
            purpose: self.purpose,
            is_weighty: is_weighty(&piece.text),
        });
        // What is turned down at the beginning of a clause is one thing: *instead of A do B*.
        if self.once && worth == Worth::Telling {
            self.side = None;
            self.once = false;
        }
    }
}

fn follows_written(pieces: &[Piece]) -> bool {
    let mut near = pieces.iter().take(3);
    near.any(|piece| is_one_of(WRITTEN, &piece.text))
}

fn is_telling(word: &Word) -> bool {
    word.worth == Worth::Telling
}

fn is_kind(canonical: &str) -> bool {
    lexicon::role(canonical) == Some(Role::Generic)
}
