//! JSON texts: which strings of one hold secrets, and the text with those strings masked.
//!
//! This module owns a walk over JSON that remembers names, flags and name/value pairs. It edits the
//! strings in place, so that order, spacing and numbers of everything else stay byte for byte. What
//! a secret is, it asks the other modules. It gives up on text that is not JSON.

use super::bytes::{DOT, QUOTE, SPACE, URLSAFE, is, run};
use super::names::{Level, Sensitive, classify};
use super::values::{Style, is_secret, stands_for_nothing};
use super::{Kind, commands, fields, headers};
use std::borrow::Cow;

/// Deeper nesting than this is treated as plain text, so that a hostile text costs no more memory.
const MAX_DEPTH: usize = 256;

/// What a container knows about the value that comes next in it.
#[derive(Default)]
struct Frame {
    object: bool,
    /// What the member's name, the container's name or the flag before says.
    next: Option<Sensitive>,
    /// What the container's own name says, which an array hands to its elements.
    own: Option<Sensitive>,
    /// Whether `next` comes from a flag.
    flag: bool,
    /// The next element is a `user:password` after `-u`.
    user: bool,
    /// The elements of an array, as far as it can be a command: the program first.
    words: Vec<Word>,
    role: Role,
    /// What the `name` member of this object announces for its `value` member.
    named: Option<Sensitive>,
    /// Where the `value` member stands, until a later `name` tells what it is.
    value: Option<(usize, usize)>,
}

/// The part a member plays in objects like `{"name": "DB_PASSWORD", "value": "…"}`.
#[derive(Clone, Copy, Default, PartialEq)]
enum Role {
    #[default]
    Other,
    Name,
    Value,
}

struct Walk<'a> {
    text: &'a str,
    t: &'a [u8],
    i: usize,
    edits: Vec<(usize, usize, String)>,
}

/// The JSON text with its secrets masked; `None` when it is not JSON.
pub(super) fn mask(text: &str) -> Option<Cow<'_, str>> {
    let mut walk = Walk {
        text,
        t: text.as_bytes(),
        i: 0,
        edits: Vec::new(),
    };
    walk.document()?;
    if walk.edits.is_empty() {
        return Some(Cow::Borrowed(text));
    }
    walk.edits.sort_by_key(|e| e.0);
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (start, end, with) in &walk.edits {
        // A pair's value may have been masked already for its own sake.
        if *start < from {
            continue;
        }
        out.push_str(&text[from..*start]);
        out.push_str(with);
        from = *end;
    }
    out.push_str(&text[from..]);
    Some(Cow::Owned(out))
}

/// What of an array is read as a command, in bytes and in words.
const MAX_COMMAND: usize = 4096;
const MAX_WORDS: usize = 64;

/// An element of an array, as a word of the command that the array may be.
struct Word {
    start: usize,
    end: usize,
    text: String,
}

impl Walk<'_> {
    fn blank(&mut self) {
        self.i = run(self.t, self.i, SPACE);
    }

    fn peek(&self) -> u8 {
        super::bytes::at(self.t, self.i)
    }

    fn eat(&mut self, b: u8) -> Option<()> {
        (self.peek() == b).then(|| self.i += 1)
    }

    /// The whole text: one value, or several one after the other as in JSON lines.
    fn document(&mut self) -> Option<()> {
        self.blank();
        // A bare word or number is text; only a container or a string is worth the walk.
        if !matches!(self.peek(), b'{' | b'[' | b'"') {
            return None;
        }
        while self.i < self.t.len() {
            self.value()?;
            self.blank();
        }
        Some(())
    }

    fn value(&mut self) -> Option<()> {
        let mut stack: Vec<Frame> = Vec::new();
        loop {
            self.blank();
            let said = stack.last_mut().and_then(|f| f.next.take());
            match self.peek() {
                open @ (b'{' | b'[') => {
                    self.i += 1;
                    let object = open == b'{';
                    let own = said.filter(|_| !object);
                    stack.push(Frame {
                        object,
                        next: own,
                        own,
                        ..Frame::default()
                    });
                    if stack.len() > MAX_DEPTH {
                        return None;
                    }
                    self.blank();
                    let close = if object { b'}' } else { b']' };
                    if self.peek() == close {
                        self.i += 1;
                        stack.pop();
                    } else {
                        if object {
                            self.member(stack.last_mut()?)?;
                        }
                        continue;
                    }
                }
                b'"' => {
                    let (start, end) = self.string()?;
                    self.judge(start, end, said, stack.last_mut());
                }
                _ => self.scalar(said, stack.last_mut())?,
            }
            // Close what ends here, then go on to the next element.
            loop {
                self.blank();
                let Some(frame) = stack.last_mut() else {
                    return Some(());
                };
                let close = if frame.object { b'}' } else { b']' };
                if self.peek() == close {
                    self.i += 1;
                    let words = std::mem::take(&mut frame.words);
                    self.command(&words);
                    stack.pop();
                    continue;
                }
                self.eat(b',')?;
                self.blank();
                if frame.object {
                    self.member(frame)?;
                } else if frame.next.is_none() {
                    frame.next = frame.own;
                }
                break;
            }
        }
    }

    /// A member's name and colon.
    fn member(&mut self, frame: &mut Frame) -> Option<()> {
        let (start, end) = self.string()?;
        let raw = &self.text[start + 1..end - 1];
        let name: Cow<'_, str> = if raw.contains('\\') {
            Cow::Owned(self.decoded(start, end)?)
        } else {
            Cow::Borrowed(raw)
        };
        frame.next = classify(name.as_bytes());
        frame.flag = false;
        frame.role = match name.to_ascii_lowercase().as_str() {
            "name" | "key" | "variable" => Role::Name,
            "value" => Role::Value,
            _ => Role::Other,
        };
        // Nothing keeps a secret from standing in a name's place.
        if let Cow::Owned(masked) = super::mask(&name) {
            self.replace(start, end, &masked);
        }
        self.blank();
        self.eat(b':')
    }

    /// The extent of the string at the walk's place, quotes included.
    fn string(&mut self) -> Option<(usize, usize)> {
        let start = self.i;
        self.eat(b'"')?;
        loop {
            match self.peek() {
                b'"' => break,
                b'\\' => self.i += 2,
                0..=0x1f => return None,
                _ => self.i += 1,
            }
            if self.i >= self.t.len() {
                return None;
            }
        }
        self.i += 1;
        Some((start, self.i))
    }

    fn decoded(&self, start: usize, end: usize) -> Option<String> {
        serde_json::from_str(&self.text[start..end]).ok()
    }

    fn replace(&mut self, start: usize, end: usize, with: &str) {
        let quoted = serde_json::Value::from(with).to_string();
        self.edits.push((start, end, quoted));
    }

    /// A number or a literal; a number in a password's place is one.
    fn scalar(&mut self, said: Option<Sensitive>, frame: Option<&mut Frame>) -> Option<()> {
        let start = self.i;
        while matches!(self.peek(), b'0'..=b'9' | b'a'..=b'z' | b'-' | b'+' | b'.' | b'E') {
            self.i += 1;
        }
        let word = &self.text[start..self.i];
        serde_json::from_str::<serde_json::Number>(word)
            .map(|_| ())
            .or_else(|e| {
                if matches!(word, "true" | "false" | "null") {
                    Ok(())
                } else {
                    Err(e)
                }
            })
            .ok()?;
        let named = frame.and_then(|f| if f.role == Role::Value { f.named } else { None });
        let secret = said.or(named).is_some_and(|s| {
            let digits = word.len() >= 4 && word.bytes().all(|b| b.is_ascii_digit());
            digits && s.kind == Kind::Password && s.level == Level::Sure
        });
        if secret {
            self.replace(start, self.i, Kind::Password.placeholder());
        }
        Some(())
    }

    /// Masks the string from `start` to `end` for what was said of it, or as plain text.
    fn judge(
        &mut self,
        start: usize,
        end: usize,
        said: Option<Sensitive>,
        frame: Option<&mut Frame>,
    ) {
        let raw = &self.text[start + 1..end - 1];
        let decoded: Cow<'_, str> = if raw.contains('\\') {
            // A lone surrogate cannot be decoded; its text is then read as it stands.
            self.decoded(start, end)
                .map_or(Cow::Borrowed(raw), Cow::Owned)
        } else {
            Cow::Borrowed(raw)
        };
        let (mut said, mut style, mut user) = (said, Style::Tight, false);
        if let Some(frame) = frame {
            if !frame.object && frame.words.len() <= MAX_WORDS {
                let text = decoded.clone().into_owned();
                frame.words.push(Word { start, end, text });
            }
            if frame.flag && said.is_some() {
                style = Style::Flag;
            }
            user = std::mem::take(&mut frame.user);
            match frame.role {
                _ if !frame.object => self.flags(frame, &decoded),
                Role::Name => {
                    frame.named = classify(decoded.as_bytes());
                    if let (Some(named), Some((s, e))) = (frame.named, frame.value) {
                        let value = self.decoded(s, e).unwrap_or_default();
                        self.mask_as(s, e, &value, Some(named), Style::Tight);
                    }
                }
                Role::Value => {
                    frame.value = Some((start, end));
                    said = said.or(frame.named);
                }
                Role::Other => {}
            }
        }
        if user && let Some((name, password)) = decoded.split_once(':') {
            let number = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
            let ids = number(name) && number(password);
            if !ids
                && !fields::is_format(name.as_bytes())
                && !stands_for_nothing(password.as_bytes())
            {
                let masked = format!("{name}:{}", Kind::Password.placeholder());
                self.replace(start, end, &super::mask(&masked));
                return;
            }
        }
        self.mask_as(start, end, &decoded, said, style);
    }

    /// Masks what the words of an array hide together: `["mysql", "-pX"]` is a command, and each word alone is none.
    fn command(&mut self, words: &[Word]) {
        let is_program = |text: &str| {
            !text.is_empty() && text.bytes().all(|b| is(b, URLSAFE | DOT) || b == b'/')
        };
        let size: usize = words.iter().map(|word| word.text.len() + 1).sum();
        let may = words.len() > 1
            && words.len() <= MAX_WORDS
            && size <= MAX_COMMAND
            && is_program(&words[0].text);
        if !may {
            return;
        }
        // What a shell would quote stays one word, byte for byte.
        let mut line = String::with_capacity(size);
        let mut places = Vec::with_capacity(words.len());
        for word in words {
            let start = line.len();
            let apart =
                |b: u8| is(b, SPACE | QUOTE) || b < 0x20 || matches!(b, b'|' | b';' | b'(' | b'&');
            match word.text.is_ascii() {
                true => line.extend(
                    word.text
                        .bytes()
                        .map(|b| char::from(if apart(b) { b'x' } else { b })),
                ),
                false => line.push_str(&word.text),
            }
            places.push((start, line.len()));
            line.push(' ');
        }
        for span in super::find(&line) {
            let within = |place: &(usize, usize)| place.0 <= span.start && span.end <= place.1;
            let Some(at) = places.iter().position(within) else {
                continue;
            };
            let (word, from) = (&words[at], places[at].0);
            let (start, end) = (span.start - from, span.end - from);
            // Inside of a text with blanks it is read as the text that it is, by itself.
            let blanks = word.text.bytes().any(|b| is(b, SPACE));
            let as_word = start == 0 || word.text.starts_with('-') || !blanks;
            if !as_word || !word.text.is_char_boundary(start) {
                continue;
            }
            let masked = format!(
                "{}{}{}",
                &word.text[..start],
                span.kind.placeholder(),
                &word.text[end..]
            );
            let (start, end) = (word.start, word.end);
            self.replace(start, end, &masked);
        }
    }

    /// What an array's element says of the one after it: `["--password", "…"]`.
    fn flags(&self, frame: &mut Frame, element: &str) {
        let name = element.trim_start_matches('-');
        let dashes = element.len() - name.len();
        frame.flag = false;
        let flag = (1..=2).contains(&dashes)
            && !name.contains(['=', ' ', ':', '$'])
            && !name.starts_with("no-");
        if !flag {
            return;
        }
        let program = frame.words.first().map(|word| word.text.as_bytes());
        let runner = program.is_some_and(commands::is_runner);
        frame.user = matches!(element, "-u" | "--user" | "--proxy-user") && !runner;
        if dashes == 2 || name.len() >= 4 {
            frame.next = classify(name.as_bytes());
            frame.flag = frame.next.is_some();
        }
    }

    fn mask_as(
        &mut self,
        start: usize,
        end: usize,
        text: &str,
        said: Option<Sensitive>,
        style: Style,
    ) {
        let t = text.as_bytes();
        let span = said.and_then(|said| match said.level {
            Level::Authorization => headers::authorization(t, 0, 0),
            Level::Cookie => headers::cookie(t, 0, 0),
            _ => {
                let flagged =
                    style == Style::Flag && (t.starts_with(b"-") || t.starts_with(b"id="));
                let whole = super::Span {
                    start: 0,
                    end: t.len(),
                    kind: said.kind,
                };
                (!flagged && is_secret(t, style != Style::Flag, style, said)).then_some(whole)
            }
        });
        let partly = match span {
            Some(span) => Cow::Owned(super::rewrite(text, &super::settle(text, vec![span]))),
            None => Cow::Borrowed(text),
        };
        let masked = super::mask(&partly);
        if masked != text {
            let masked = masked.into_owned();
            self.replace(start, end, &masked);
        }
    }
}
