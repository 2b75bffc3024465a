//! A line from its grammar: wrappers off, the place apart, scripts within it opened.
//!
//! Owns what the text of a line and of a command is. The text is made by leaving parts of the source out, never by writing
//! it anew, so that quotes and blanks stay as somebody typed them. A script in a list, `a && bash -c "b; c"`, is opened in
//! the text only if that changes nothing; its commands are listed either way.

use std::ops::Range;

use crate::{
    Command, Connector, Line, Redirection, syntax,
    syntax::{Kind, Node, Unreadable},
    words,
    wrappers::{self, Peeled},
};

/// A line in bytes. What is longer is a program that somebody wrote, not a command.
const LINE_BYTES: usize = 64 << 10;

/// Scripts within scripts.
const NESTED: u32 = 6;

/// Reads a line, whatever it is.
pub(crate) fn read(source: &str) -> Line {
    let line = match source.len() <= LINE_BYTES {
        true => parts(source, 0),
        false => Err(Unreadable),
    };
    match line {
        Ok(line) if !line.commands.is_empty() => line,
        _ => opaque(source),
    }
}

/// A line that can't be read, as one command.
fn opaque(source: &str) -> Line {
    let text = source.trim();
    let start = source.len() - source.trim_start().len();
    // Enough to know the program by, whatever else there is.
    let words = text.split_whitespace().take(64).map(str::to_owned);
    Line {
        text: text.to_owned(),
        place: None,
        commands: vec![Command {
            text: text.to_owned(),
            words: words.collect(),
            assignments: Vec::new(),
            redirections: Vec::new(),
            wrappers: Vec::new(),
            prefix: String::new(),
            place: None,
            connector: None,
            is_negated: false,
            is_opaque: true,
            span: start..start + text.len(),
        }],
        stops_at_failure: false,
        has_pipefail: false,
    }
}

fn parts(source: &str, depth: u32) -> Result<Line, Unreadable> {
    let script = syntax::read(source)?;
    let mut nodes = script.nodes.as_slice();
    // `(cd app && make)` is what is in it.
    while let [
        Node {
            kind: Kind::Group(inner),
            redirections,
            negated: false,
            connector: None | Some(Connector::Then | Connector::Line),
            ..
        },
    ] = nodes
        && redirections.is_empty()
        && !inner.is_empty()
    {
        nodes = inner;
    }
    let (skipped, place) = leading_place(source, nodes);
    let mut builder = Builder {
        source,
        depth,
        edits: Vec::new(),
        line: Line {
            text: String::new(),
            place,
            commands: Vec::new(),
            stops_at_failure: false,
            has_pipefail: false,
        },
    };
    builder.add(nodes, skipped, None);
    let Builder {
        edits, mut line, ..
    } = builder;
    let mut others = line.commands.iter().filter(|one| !one.is_change_of_place());
    if line.place.is_none()
        && let Some(first) = others.next()
    {
        line.place = first.place.clone();
    }
    if let (Some(first), Some(last)) = (nodes.get(skipped), nodes.last()) {
        let end = match last.connector {
            Some(Connector::Background) => {
                let after = &source[last.span.end..];
                last.span.end + after.find('&').map_or(0, |at| at + 1)
            }
            _ => last.span.end,
        };
        let end = end.max(document_end(nodes));
        line.text = edited(source, first.span.start..end, &edits);
    }
    Ok(line)
}

/// Where the last here-document of some commands ends.
fn document_end(nodes: &[Node]) -> usize {
    let ends = nodes.iter().map(|node| {
        let bodies = node.redirections.iter().filter_map(|one| one.body.as_ref());
        let own = bodies.map(|body| body.end).max().unwrap_or(0);
        match &node.kind {
            Kind::Group(inner) => own.max(document_end(inner)),
            _ => own,
        }
    });
    ends.max().unwrap_or(0)
}

/// How many commands at the beginning only say where the others run, and where that is.
fn leading_place(source: &str, nodes: &[Node]) -> (usize, Option<String>) {
    let mut place = None;
    let mut at = 0;
    while let Some(directory) = nodes.get(at).and_then(|node| directory(source, node)) {
        let guarded = match nodes[at].connector {
            Some(Connector::And | Connector::Then | Connector::Line) => 1,
            // `cd app || exit 1; make`
            Some(Connector::Or) if is_exit(source, nodes.get(at + 1)) => 2,
            _ => break,
        };
        if at + guarded >= nodes.len() {
            break;
        }
        place = Some(join(place.as_deref(), &directory));
        at += guarded;
    }
    (at, place)
}

fn is_exit(source: &str, node: Option<&Node>) -> bool {
    matches!(node, Some(Node { kind: Kind::Simple { words, .. }, connector: Some(Connector::Then | Connector::Line), .. })
        if words.first().is_some_and(|word| matches!(&source[word.clone()], "exit" | "return")))
}

/// The directory that a `cd` changes to.
fn directory(source: &str, node: &Node) -> Option<String> {
    let Kind::Simple { assignments, words } = &node.kind else {
        return None;
    };
    let program = &source[words.first()?.clone()];
    if !matches!(program, "cd" | "pushd") || !assignments.is_empty() || node.negated {
        return None;
    }
    let mut operands = words[1..]
        .iter()
        .map(|word| words::unquote(&source[word.clone()]))
        .filter(|word| !matches!(word.as_str(), "--" | "-P" | "-L"));
    let directory = operands.next().unwrap_or_else(|| "~".to_owned());
    operands.next().is_none().then_some(directory)
}

fn join(place: Option<&str>, directory: &str) -> String {
    match place {
        Some(place) if !directory.starts_with(['/', '~', '$', '-']) => {
            format!("{}/{directory}", place.trim_end_matches('/'))
        }
        _ => directory.to_owned(),
    }
}

/// A part of the source with its edits.
fn edited(source: &str, range: Range<usize>, edits: &[(Range<usize>, String)]) -> String {
    let mut text = String::with_capacity(range.len());
    let mut at = range.start;
    for (span, replacement) in edits {
        if span.start < at || span.end > range.end {
            continue;
        }
        text.push_str(&source[at..span.start]);
        text.push_str(replacement);
        at = span.end;
    }
    text.push_str(&source[at..range.end]);
    text
}

struct Builder<'a> {
    source: &'a str,
    depth: u32,
    /// What the text has in place of a part of the source, in order.
    edits: Vec<(Range<usize>, String)>,
    line: Line,
}

impl Builder<'_> {
    /// Adds the commands of a list that begins in a place, and whose first ones may be no part of the text.
    fn add(&mut self, nodes: &[Node], skipped: usize, mut place: Option<String>) {
        let mut piped = false;
        for (index, node) in nodes.iter().enumerate() {
            let first = self.line.commands.len();
            match &node.kind {
                Kind::Group(inner) => self.add(inner, 0, place.clone()),
                Kind::Compound => {
                    let command = self.compound(node);
                    self.line.commands.push(command);
                }
                Kind::Simple { assignments, words } => {
                    let alone = index == skipped && nodes.len() == skipped + 1;
                    let feeds = node.connector == Some(Connector::Pipe);
                    let piped = piped || feeds;
                    let standing = Standing {
                        alone,
                        piped,
                        feeds,
                    };
                    self.simple(node, assignments, words, standing);
                }
            }
            for command in &mut self.line.commands[first..] {
                command.place = match (&place, &command.place) {
                    (_, None) => place.clone(),
                    (place, Some(inner)) => Some(join(place.as_deref(), inner)),
                };
            }
            if let Some(last) = self.line.commands[first..].last_mut() {
                last.connector = node.connector;
                last.is_negated |= node.negated;
            }
            if let Some(directory) = directory(self.source, node) {
                place = Some(join(place.as_deref(), &directory));
            }
            piped = node.connector == Some(Connector::Pipe);
        }
        // What ends a list without leading anywhere means nothing.
        if let Some(last) = self.line.commands.last_mut()
            && matches!(last.connector, Some(Connector::Then | Connector::Line))
        {
            last.connector = None;
        }
    }

    fn compound(&self, node: &Node) -> Command {
        let text = self.text_of(node, &[]);
        let keyword = text.split_whitespace().next().unwrap_or_default();
        Command {
            words: vec![keyword.to_owned()],
            text,
            assignments: Vec::new(),
            redirections: self.redirections(node),
            wrappers: Vec::new(),
            prefix: String::new(),
            place: None,
            connector: None,
            is_negated: false,
            is_opaque: true,
            span: node.span.clone(),
        }
    }

    fn simple(
        &mut self,
        node: &Node,
        assignments: &[Range<usize>],
        spans: &[Range<usize>],
        standing: Standing,
    ) {
        let words = wrappers::words_of(self.source, spans);
        let Peeled {
            names,
            first,
            removed,
            assignments: assigned,
            script,
        } = wrappers::peel(&words);
        let mut removed: Vec<_> = removed
            .into_iter()
            .map(|range| words[range.start].span.start..words[range.end].span.start)
            .map(|span| (span, String::new()))
            .collect();
        let prefix: String = removed
            .iter()
            .map(|(span, _)| &self.source[span.clone()])
            .collect();
        let mut pairs: Vec<_> = assignments
            .iter()
            .map(|span| pair(&words::unquote(&self.source[span.clone()])))
            .collect();
        pairs.extend(assigned.iter().map(|at| pair(&words[*at].text)));
        // Both streams are seen anyway, unless another command reads them.
        let merges = matches!(node.redirections.as_slice(), [one]
            if !standing.feeds && &self.source[one.span.clone()] == "2>&1");
        if let Some(shell) = script
            && self.depth < NESTED
            && let Ok(inner) = parts(&shell.script, self.depth + 1)
            && !inner.commands.is_empty()
        {
            let single = inner.commands.len() == 1;
            // What stays before the script's commands: assignments, `sudo`.
            let start = node.span.start..words[first].span.start;
            let kept = edited(self.source, start, &removed);
            let streams: String = node
                .redirections
                .iter()
                .filter(|_| !merges)
                .map(|one| format!(" {}", &self.source[one.span.clone()]))
                .collect();
            let is_chain = |inner: &Line| {
                let connectors = inner.commands.iter().filter_map(|one| one.connector);
                connectors
                    .into_iter()
                    .all(|one| matches!(one, Connector::And | Connector::Pipe))
            };
            let has_documents = node.redirections.iter().any(|one| one.body.is_some());
            let opens = !has_documents
                && (single
                    || (kept.trim().is_empty()
                        && streams.is_empty()
                        && !node.negated
                        && (standing.alone || (!standing.piped && is_chain(&inner)))));
            if opens {
                let text = format!("{kept}{}{streams}", inner.text);
                self.edits.push((node.span.clone(), text));
            }
            self.line.stops_at_failure |= shell.stops_at_failure || inner.stops_at_failure;
            self.line.has_pipefail |= shell.has_pipefail || inner.has_pipefail;
            for mut command in inner.commands {
                let own = std::mem::take(&mut command.wrappers);
                command.wrappers = names.iter().cloned().chain(own).collect();
                command.assignments.splice(0..0, pairs.iter().cloned());
                command.text = match single {
                    true => format!("{kept}{}{streams}", command.text),
                    false => format!("{kept}{}", command.text),
                };
                command.span = node.span.clone();
                command.prefix = format!("{prefix}{}", command.prefix).trim_end().to_owned();
                if single {
                    command.redirections.extend(self.redirections(node));
                }
                self.line.commands.push(command);
            }
            return;
        }
        if merges && node.redirections[0].span.start > node.span.start {
            let span = &node.redirections[0].span;
            let before = self.source[..span.start]
                .trim_end_matches([' ', '\t'])
                .len();
            removed.push((before..span.end, String::new()));
        }
        let text = self.text_of(node, &removed);
        self.edits.extend(removed);
        let words: Vec<_> = words[first.min(words.len())..]
            .iter()
            .map(|word| word.text.clone())
            .collect();
        if words.first().is_some_and(|word| word == "set") {
            let all = words[1..].join(" ");
            self.line.has_pipefail |= all.contains("pipefail");
            let letters = words[1..].iter().filter(|word| word.starts_with('-'));
            let mut letters = letters.map(|word| word.as_str());
            self.line.stops_at_failure |=
                all.contains("errexit") || letters.any(|word| word.contains('e'));
        }
        self.line.commands.push(Command {
            text,
            words,
            assignments: pairs,
            redirections: self.redirections(node),
            wrappers: names,
            prefix: prefix.trim_end().to_owned(),
            place: None,
            connector: None,
            is_negated: false,
            is_opaque: false,
            span: node.span.clone(),
        });
    }

    /// The text of a command, with its here-documents.
    fn text_of(&self, node: &Node, removed: &[(Range<usize>, String)]) -> String {
        let mut text = edited(self.source, node.span.clone(), removed);
        for redirect in &node.redirections {
            if let Some(body) = &redirect.body {
                text.push('\n');
                text.push_str(&self.source[body.text.start..body.end]);
            }
        }
        text
    }

    fn redirections(&self, node: &Node) -> Vec<Redirection> {
        node.redirections
            .iter()
            .map(|one| Redirection {
                operator: self.source[one.operator.clone()].to_owned(),
                target: words::unquote(&self.source[one.target.clone()]),
            })
            .collect()
    }
}

/// Where a command stands among others.
struct Standing {
    /// There is no other one in its list.
    alone: bool,
    /// It reads from a command or writes to one.
    piped: bool,
    /// It writes to a command.
    feeds: bool,
}

fn pair(assignment: &str) -> (String, String) {
    let (name, value) = assignment.split_once('=').unwrap_or((assignment, ""));
    (name.trim_end_matches('+').to_owned(), value.to_owned())
}
