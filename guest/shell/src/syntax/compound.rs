//! Commands that hold others: loops, conditions, `case` and functions.

use super::{Break, Read, Reader, Unreadable};

impl Reader<'_> {
    /// A loop, a condition or a function, if one begins here.
    pub(super) fn compound(&mut self) -> Read<bool> {
        let keyword = ["if", "while", "until", "for", "select", "case", "function"]
            .into_iter()
            .find(|word| self.is_word(word));
        let Some(keyword) = keyword else {
            return self.function();
        };
        self.at += keyword.len();
        self.blanks();
        match keyword {
            "if" => {
                self.list()?;
                self.expect("then")?;
                self.list()?;
                while self.is_word("elif") {
                    self.at += 4;
                    self.list()?;
                    self.expect("then")?;
                    self.list()?;
                }
                if self.is_word("else") {
                    self.at += 4;
                    self.list()?;
                }
                self.expect("fi")?;
            }
            "while" | "until" => {
                self.list()?;
                self.body()?;
            }
            "for" | "select" => {
                match self.has("((") {
                    true => self.parentheses()?,
                    false => self.words()?,
                }
                self.blanks();
                match self.byte(0) {
                    b';' => self.at += 1,
                    b'\n' => self.newline(Break::Separator),
                    _ => {}
                }
                self.lines();
                self.body()?;
            }
            "case" => self.case()?,
            _ => {
                self.word(true)?;
                self.blanks();
                if self.byte(0) == b'(' {
                    self.parentheses()?;
                }
                self.lines();
                self.deeper(Self::command)?;
            }
        }
        Ok(true)
    }

    fn body(&mut self) -> Read<()> {
        self.expect("do")?;
        self.list()?;
        self.expect("done")
    }

    /// Words up to the end of the command.
    fn words(&mut self) -> Read<()> {
        loop {
            self.blanks();
            if self.is_over() || matches!(self.byte(0), b';' | b'\n') {
                return Ok(());
            }
            self.word(false)?;
        }
    }

    fn case(&mut self) -> Read<()> {
        self.word(false)?;
        self.lines();
        self.expect("in")?;
        loop {
            self.lines();
            if self.is_word("esac") {
                self.at += 4;
                return Ok(());
            }
            // The patterns, with or without a parenthesis before them.
            if self.byte(0) == b'(' {
                self.at += 1;
            }
            loop {
                self.blanks();
                self.word(false)?;
                self.blanks();
                match self.byte(0) {
                    b'|' => self.at += 1,
                    b')' => break,
                    _ => return Err(Unreadable),
                }
            }
            self.at += 1;
            self.list()?;
            match () {
                () if self.has(";;&") => self.at += 3,
                () if self.has(";;") || self.has(";&") => self.at += 2,
                () => {}
            }
        }
    }

    /// `name() { …; }`, if it begins here.
    fn function(&mut self) -> Read<bool> {
        let rest = &self.bytes[self.at..];
        let name = rest
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
            .count();
        let blank = rest[name..]
            .iter()
            .take_while(|byte| **byte == b' ')
            .count();
        if name == 0 || !rest[name + blank..].starts_with(b"()") {
            return Ok(false);
        }
        self.at += name + blank + 2;
        self.lines();
        self.deeper(Self::command)?;
        Ok(true)
    }
}
