//! One word of a command line, from its first byte to its last: quotes, expansions, substitutions.

use super::{Read, Reader, Unreadable};

impl Reader<'_> {
    /// One word; `value` says whether it may be `name=( … )`.
    pub(super) fn word(&mut self, value: bool) -> Read<()> {
        let start = self.at;
        while !self.is_over() {
            match self.byte(0) {
                b'(' if self.at > start => {
                    let before = self.bytes[self.at - 1];
                    let is_array = value
                        && before == b'='
                        && name_end(&self.text[start..self.at]) == Some(self.at - start);
                    if !is_array && !matches!(before, b'?' | b'*' | b'+' | b'@' | b'!') {
                        break;
                    }
                    self.parentheses()?;
                }
                b'<' | b'>' if self.byte(1) == b'(' => {
                    self.at += 2;
                    self.list()?;
                    self.expect(")")?;
                }
                byte if is_end(byte) => break,
                b'\\' => self.skip(2),
                b'\'' => self.single()?,
                b'"' => self.double()?,
                b'$' | b'`' => self.dollar_or_backtick()?,
                _ => self.at += 1,
            }
        }
        if self.at == start {
            return Err(Unreadable);
        }
        if self.bytes[start..self.at].contains(&b'\n') {
            self.words.push(start..self.at);
        }
        Ok(())
    }

    fn single(&mut self) -> Read<()> {
        self.until(b'\'', false)
    }

    /// From one quote to the next.
    fn until(&mut self, quote: u8, escapes: bool) -> Read<()> {
        self.at += 1;
        while !self.is_over() {
            match self.byte(0) {
                byte if byte == quote => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' if escapes => self.skip(2),
                _ => self.at += 1,
            }
        }
        Err(Unreadable)
    }

    fn double(&mut self) -> Read<()> {
        self.at += 1;
        while !self.is_over() {
            match self.byte(0) {
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => self.skip(2),
                // Within double quotes a quote after the dollar has no meaning.
                b'$' if !matches!(self.byte(1), b'\'' | b'"') => self.dollar_or_backtick()?,
                b'`' => self.dollar_or_backtick()?,
                _ => self.at += 1,
            }
        }
        Err(Unreadable)
    }

    /// An expansion, whole.
    pub(super) fn dollar_or_backtick(&mut self) -> Read<()> {
        if self.byte(0) == b'`' {
            return self.until(b'`', true);
        }
        self.at += 1;
        match (self.byte(0), self.byte(1)) {
            (b'\'', _) => self.until(b'\'', true),
            (b'"', _) => self.double(),
            (b'(', b'(') => self.parentheses(),
            (b'(', _) => {
                self.at += 1;
                // What is opened outside has its lines after the whole line.
                let open = std::mem::take(&mut self.open);
                self.list()?;
                self.open = open;
                self.expect(")")
            }
            (b'{', _) => self.deeper(Self::braces),
            _ => Ok(()),
        }
    }

    /// `${ … }` from its brace on.
    fn braces(&mut self) -> Read<()> {
        self.at += 1;
        while !self.is_over() {
            match self.byte(0) {
                b'}' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => self.skip(2),
                b'\'' => self.single()?,
                b'"' => self.double()?,
                b'$' | b'`' => self.dollar_or_backtick()?,
                _ => self.at += 1,
            }
        }
        Err(Unreadable)
    }

    /// From a parenthesis to the one that closes it.
    pub(super) fn parentheses(&mut self) -> Read<()> {
        let mut depth = 0;
        while !self.is_over() {
            match self.byte(0) {
                b'(' => {
                    depth += 1;
                    self.at += 1;
                }
                b')' => {
                    depth -= 1;
                    self.at += 1;
                    if depth == 0 {
                        return Ok(());
                    }
                }
                b'\\' => self.skip(2),
                b'\'' => self.single()?,
                b'"' => self.double()?,
                b'$' if self.byte(1) == b'(' => self.at += 1,
                b'$' | b'`' => self.deeper(Self::dollar_or_backtick)?,
                _ => self.at += 1,
            }
        }
        Err(Unreadable)
    }
}

/// Nothing of a word; also what stands for the end of the text.
pub(super) fn is_end(byte: u8) -> bool {
    matches!(
        byte,
        0 | b' ' | b'\t' | b'\n' | b'\r' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')'
    )
}

/// Where the value begins if the word is an assignment, `NAME=value` or `NAME+=value`.
pub(crate) fn name_end(word: &str) -> Option<usize> {
    let bytes = word.as_bytes();
    if !bytes.first()?.is_ascii_alphabetic() && bytes[0] != b'_' {
        return None;
    }
    let name = bytes
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
        .count();
    let rest = &bytes[name..];
    match rest {
        [b'=', ..] => Some(name + 1),
        [b'+', b'=', ..] => Some(name + 2),
        _ => None,
    }
}
