//! The grammar of a command line: which commands it has, and where each part of them stands.
//!
//! A recursive descent over the bytes, as POSIX has it, with what bash adds to it in daily use. It reads everything and
//! runs nothing: loops, conditions and functions are read to their end and kept whole. What it can't read it refuses.
//! All special characters are ASCII, so that every place it names is between two characters.

mod compound;
mod word;

use std::ops::Range;

use crate::Connector;
use word::is_end;
pub(crate) use word::name_end;

/// Nested substitutions, groups and loops: nobody types more, and the stack is finite.
const DEPTH: u32 = 40;

/// The line is not a command line that we know how to read.
#[derive(Debug)]
pub(crate) struct Unreadable;

type Read<T> = Result<T, Unreadable>;

/// One command of a list.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) span: Range<usize>,
    pub(crate) kind: Kind,
    pub(crate) redirections: Vec<Redirect>,
    pub(crate) negated: bool,
    pub(crate) connector: Option<Connector>,
}

#[derive(Debug)]
pub(crate) enum Kind {
    /// Assignments, then words.
    Simple {
        assignments: Vec<Range<usize>>,
        words: Vec<Range<usize>>,
    },
    /// `( … )` or `{ …; }`.
    Group(Vec<Node>),
    /// A loop, a condition, a function.
    Compound,
}

#[derive(Debug)]
pub(crate) struct Redirect {
    /// All of it: `2>&1`, `> out.txt`, `<<EOF`.
    pub(crate) span: Range<usize>,
    /// With the number of the descriptor: `2>`.
    pub(crate) operator: Range<usize>,
    pub(crate) target: Range<usize>,
    /// The lines of a here-document and the line that ends it.
    pub(crate) body: Option<Body>,
}

#[derive(Debug, Clone)]
pub(crate) struct Body {
    pub(crate) text: Range<usize>,
    pub(crate) end: usize,
}

/// How a place must be written so that everything stands in one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Break {
    /// A line end between two commands.
    Separator,
    /// A line end, a continued line or a comment that means nothing.
    Blank,
}

/// What was read.
#[derive(Debug)]
pub(crate) struct Script {
    pub(crate) nodes: Vec<Node>,
    /// Line ends and comments, also those of nested lists.
    pub(crate) breaks: Vec<(Range<usize>, Break)>,
    /// The words that go over several lines, an outer one after those within it.
    pub(crate) words: Vec<Range<usize>>,
    /// All here-documents, also those of nested lists.
    pub(crate) documents: Vec<Document>,
}

/// A here-document.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    /// `<<EOF`
    pub(crate) redirect: Range<usize>,
    pub(crate) strips_tabs: bool,
    pub(crate) body: Body,
}

/// Reads a whole line.
pub(crate) fn read(text: &str) -> Read<Script> {
    let mut reader = Reader {
        bytes: text.as_bytes(),
        text,
        at: 0,
        depth: 0,
        open: Vec::new(),
        documents: Vec::new(),
        words: Vec::new(),
        breaks: Vec::new(),
    };
    let mut nodes = reader.list()?;
    if reader.at < text.len() {
        return Err(Unreadable);
    }
    attach(&mut nodes, &reader.documents);
    Ok(Script {
        nodes,
        breaks: reader.breaks,
        words: reader.words,
        documents: reader.documents,
    })
}

/// The end of the word that begins at a place.
pub(crate) fn word_end(text: &str, at: usize) -> Read<usize> {
    let mut reader = Reader {
        bytes: text.as_bytes(),
        text,
        at,
        depth: 0,
        open: Vec::new(),
        documents: Vec::new(),
        words: Vec::new(),
        breaks: Vec::new(),
    };
    reader.dollar_or_backtick()?;
    Ok(reader.at)
}

/// Gives here-documents to their redirections.
fn attach(nodes: &mut [Node], documents: &[Document]) {
    if documents.is_empty() {
        return;
    }
    for node in nodes {
        for redirect in &mut node.redirections {
            let mut documents = documents.iter();
            redirect.body = documents
                .find(|document| document.redirect == redirect.span)
                .map(|document| document.body.clone());
        }
        if let Kind::Group(inner) = &mut node.kind {
            attach(inner, documents);
        }
    }
}

/// A here-document whose lines have not come yet.
struct OpenDocument {
    redirect: Range<usize>,
    delimiter: String,
    strips_tabs: bool,
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    depth: u32,
    open: Vec<OpenDocument>,
    documents: Vec<Document>,
    words: Vec<Range<usize>>,
    breaks: Vec<(Range<usize>, Break)>,
}

impl Reader<'_> {
    fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn has(&self, text: &str) -> bool {
        self.bytes[self.at..].starts_with(text.as_bytes())
    }

    fn is_over(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// Goes over some bytes, not beyond the end.
    fn skip(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.bytes.len());
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth == DEPTH {
            return Err(Unreadable);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Blanks, continued lines and comments.
    fn blanks(&mut self) {
        loop {
            match self.byte(0) {
                b' ' | b'\t' => self.at += 1,
                b'\r' if self.byte(1) == b'\n' => {
                    self.breaks.push((self.at..self.at + 1, Break::Blank));
                    self.at += 1;
                }
                b'\\' if self.byte(1) == b'\n' => {
                    self.breaks.push((self.at..self.at + 2, Break::Blank));
                    self.at += 2;
                }
                b'#' => {
                    let rest = &self.bytes[self.at..];
                    let length = rest.iter().position(|byte| *byte == b'\n');
                    let end = self.at + length.unwrap_or(rest.len());
                    self.breaks.push((self.at..end, Break::Blank));
                    self.at = end;
                }
                _ => return,
            }
        }
    }

    /// One line end, and the here-documents that were opened before it.
    fn newline(&mut self, meaning: Break) {
        self.breaks.push((self.at..self.at + 1, meaning));
        self.at += 1;
        for document in std::mem::take(&mut self.open) {
            let start = self.at;
            let mut end = self.bytes.len();
            let mut after = end;
            let mut at = start;
            for line in self.text[start..].split_inclusive('\n') {
                let bare = line.trim_end_matches(['\n', '\r']);
                let bare = match document.strips_tabs {
                    true => bare.trim_start_matches('\t'),
                    false => bare,
                };
                if bare == document.delimiter {
                    end = at;
                    after = at + line.trim_end_matches('\n').len();
                    break;
                }
                at += line.len();
            }
            self.at = after;
            let text = start..end;
            self.documents.push(Document {
                redirect: document.redirect,
                strips_tabs: document.strips_tabs,
                body: Body { text, end: after },
            });
            // The line that ends it has a line end of its own.
            if self.byte(0) == b'\n' {
                self.breaks.push((self.at..self.at + 1, Break::Blank));
                self.at += 1;
            }
        }
    }

    fn lines(&mut self) {
        loop {
            self.blanks();
            if self.byte(0) != b'\n' || self.is_over() {
                return;
            }
            self.newline(Break::Blank);
        }
    }

    /// A word that ends here: no part of a longer one.
    fn is_word(&self, word: &str) -> bool {
        self.has(word) && is_end(self.byte(word.len()))
    }

    /// Something that ends a list, whoever has begun it.
    fn is_at_end_of_list(&self) -> bool {
        self.is_over()
            || self.byte(0) == b')'
            || self.has(";;")
            || self.has(";&")
            || ["}", "then", "do", "done", "fi", "elif", "else", "esac"]
                .iter()
                .any(|word| self.is_word(word))
    }

    /// Commands with their connectors, to the end or to what ends the list.
    fn list(&mut self) -> Read<Vec<Node>> {
        self.deeper(|reader| {
            let mut nodes = Vec::new();
            loop {
                reader.lines();
                if reader.is_at_end_of_list() {
                    // `a &&` has no end.
                    return match nodes.last() {
                        Some(Node {
                            connector: Some(Connector::And | Connector::Or | Connector::Pipe),
                            ..
                        }) => Err(Unreadable),
                        _ => Ok(nodes),
                    };
                }
                let mut node = reader.command()?;
                reader.blanks();
                node.connector = reader.connector();
                let ends = node.connector.is_none();
                nodes.push(node);
                if ends {
                    return match reader.is_at_end_of_list() {
                        true => Ok(nodes),
                        false => Err(Unreadable),
                    };
                }
            }
        })
    }

    fn connector(&mut self) -> Option<Connector> {
        let (connector, length) = match (self.byte(0), self.byte(1)) {
            (b'&', b'&') => (Connector::And, 2),
            (b'|', b'|') => (Connector::Or, 2),
            (b'|', b'&') => (Connector::Pipe, 2),
            (b'|', _) => (Connector::Pipe, 1),
            (b'&', _) => (Connector::Background, 1),
            (b';', b';' | b'&') => return None,
            (b';', _) => (Connector::Then, 1),
            (b'\n', _) => {
                self.newline(Break::Separator);
                return Some(Connector::Line);
            }
            _ => return None,
        };
        self.at += length;
        Some(connector)
    }

    fn command(&mut self) -> Read<Node> {
        let start = self.at;
        let mut negated = false;
        while self.is_word("!") {
            negated = !negated;
            self.at += 1;
            self.blanks();
        }
        let mut redirections = Vec::new();
        let kind = if self.has("((") {
            self.parentheses()?;
            Kind::Compound
        } else if self.byte(0) == b'(' {
            self.at += 1;
            let inner = self.list()?;
            self.expect(")")?;
            Kind::Group(inner)
        } else if self.is_word("{") {
            self.at += 1;
            let inner = self.list()?;
            self.expect("}")?;
            Kind::Group(inner)
        } else if self.is_word("[[") {
            self.test()?
        } else if self.compound()? {
            Kind::Compound
        } else {
            self.simple(&mut redirections)?
        };
        let mut end = self.at;
        if let Kind::Simple { assignments, words } = &kind {
            let spans = assignments.iter().chain(words);
            let spans = spans.chain(redirections.iter().map(|one: &Redirect| &one.span));
            end = spans.map(|span| span.end).max().unwrap_or(end);
        }
        if !matches!(kind, Kind::Simple { .. }) || self.bytes[..end].ends_with(b"]]") {
            loop {
                self.blanks();
                let Some(redirect) = self.redirection()? else {
                    break;
                };
                end = self.at;
                redirections.push(redirect);
            }
        }
        Ok(Node {
            span: start..end,
            kind,
            redirections,
            negated,
            connector: None,
        })
    }

    fn expect(&mut self, word: &str) -> Read<()> {
        if !self.has(word) {
            return Err(Unreadable);
        }
        self.at += word.len();
        Ok(())
    }

    /// `[[ … ]]`, whose words have rules of their own.
    fn test(&mut self) -> Read<Kind> {
        let mut words = Vec::new();
        loop {
            self.lines();
            let start = self.at;
            if self.is_over() {
                return Err(Unreadable);
            }
            match self.byte(0) {
                b'(' | b')' | b'|' | b'&' | b'<' | b'>' | b';' => self.at += 1,
                _ => self.word(false)?,
            }
            let is_end = &self.text[start..self.at] == "]]";
            words.push(start..self.at);
            if is_end {
                return Ok(Kind::Simple {
                    assignments: Vec::new(),
                    words,
                });
            }
        }
    }

    fn simple(&mut self, redirections: &mut Vec<Redirect>) -> Read<Kind> {
        let (mut assignments, mut words) = (Vec::new(), Vec::new());
        loop {
            self.blanks();
            if let Some(redirect) = self.redirection()? {
                redirections.push(redirect);
                continue;
            }
            if self.is_over() || is_end(self.byte(0)) && !self.is_substituted_process() {
                break;
            }
            let start = self.at;
            self.word(true)?;
            let word = start..self.at;
            match words.is_empty() && name_end(&self.text[word.clone()]).is_some() {
                true => assignments.push(word),
                false => words.push(word),
            }
        }
        match words.is_empty() && assignments.is_empty() && redirections.is_empty() {
            true => Err(Unreadable),
            false => Ok(Kind::Simple { assignments, words }),
        }
    }

    /// `<( … )` or `>( … )`.
    fn is_substituted_process(&self) -> bool {
        matches!(self.byte(0), b'<' | b'>') && self.byte(1) == b'('
    }

    fn redirection(&mut self) -> Read<Option<Redirect>> {
        let start = self.at;
        let digits = self.bytes[start..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let rest = &self.bytes[start + digits..];
        let operators = [
            "&>>", "&>", "<<<", "<<-", "<<", "<&", "<>", "<", ">>", ">&", ">|", ">",
        ];
        let operator = operators
            .iter()
            .find(|operator| rest.starts_with(operator.as_bytes()));
        let Some(operator) = operator else {
            return Ok(None);
        };
        if (digits > 0 && operator.starts_with('&'))
            || (digits == 0 && self.is_substituted_process())
        {
            return Ok(None);
        }
        self.at += digits + operator.len();
        let end = self.at;
        self.blanks();
        let target = self.at;
        if self.is_over() || is_end(self.byte(0)) && !self.is_substituted_process() {
            return Err(Unreadable);
        }
        self.word(false)?;
        if matches!(*operator, "<<" | "<<-") {
            self.open.push(OpenDocument {
                redirect: start..self.at,
                delimiter: crate::words::unquote(&self.text[target..self.at]),
                strips_tabs: *operator == "<<-",
            });
        }
        Ok(Some(Redirect {
            span: start..self.at,
            operator: start..end,
            target: target..self.at,
            body: None,
        }))
    }
}
