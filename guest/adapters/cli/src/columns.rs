//! Columns: how many of them the lines of a table have.
//!
//! Owns the choice of a separator and the counting. The separator is the first of tab, bar,
//! semicolon and comma that is in at least half of the lines, else white space. Where that gives a
//! wrong count but another one gives the right count on every line, the other one is right: a file
//! name with a comma does not turn a listing into CSV. That second look is not taken for a single
//! column, which any text has under a separator that is not in it.

/// The separators in the order in which they are tried; none is white space.
const SEPARATORS: [Option<char>; 5] = [Some('\t'), Some('|'), Some(';'), Some(','), None];

/// The lines that have another number of columns than they should.
#[derive(Debug, PartialEq)]
pub(crate) struct Odd<'a> {
    /// How many lines.
    pub(crate) lines: usize,
    /// The number of the first one, from 1 and without empty lines.
    pub(crate) number: usize,
    /// How many columns it has.
    pub(crate) columns: usize,
    /// The first one.
    pub(crate) line: &'a str,
}

/// The lines with another number of columns than `expected`; none if all lines have it.
pub(crate) fn odd(text: &str, expected: usize) -> Option<Odd<'_>> {
    let lines: Vec<_> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let usual = SEPARATORS
        .into_iter()
        .find(|separator| match separator {
            Some(separator) => {
                2 * lines
                    .iter()
                    .filter(|line| line.contains(*separator))
                    .count()
                    >= lines.len()
            }
            None => true,
        })
        .flatten();
    let found = counted(text, usual, expected)?;
    let another = SEPARATORS
        .into_iter()
        .filter(|separator| expected > 1 && *separator != usual)
        .any(|separator| counted(text, separator, expected).is_none());
    (!another).then_some(found)
}

fn counted(text: &str, separator: Option<char>, expected: usize) -> Option<Odd<'_>> {
    let mut found: Option<Odd<'_>> = None;
    let mut number = 0;
    let mut visit = |line, columns| {
        number += 1;
        if columns != expected {
            found
                .get_or_insert(Odd {
                    lines: 0,
                    number,
                    columns,
                    line,
                })
                .lines += 1;
        }
    };
    match separator {
        None => each_line(text, |line| visit(line, line.split_whitespace().count())),
        // The bars of a drawn table: outer ones and rules between the rows are no columns.
        Some('|') => each_line(text, |line| {
            if line.chars().any(|c| !"-+|=: \t\r".contains(c)) {
                visit(line, 1 + line.trim().trim_matches('|').matches('|').count());
            }
        }),
        Some(separator) => records(text, separator, visit),
    }
    found
}

fn each_line<'a>(text: &'a str, visit: impl FnMut(&'a str)) {
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .for_each(visit);
}

/// Visits the records of separated values: a field in quotes may hold separators and line ends.
fn records<'a>(text: &'a str, separator: char, mut visit: impl FnMut(&'a str, usize)) {
    // A quote that is never closed is not a quote but an inch, so it does not swallow the rest.
    let mut quoting = text.matches('"').count().is_multiple_of(2);
    let mut rest = text;
    while !rest.is_empty() {
        let (mut columns, mut in_quotes) = (1, false);
        // A quote opens only here: at the start of a field, or doubled, where the first one has closed.
        let mut may_open = true;
        let mut end = rest.len();
        for (at, c) in rest.char_indices() {
            match c {
                '"' if in_quotes => {
                    in_quotes = false;
                    may_open = true;
                    continue;
                }
                '"' if quoting && may_open => in_quotes = true,
                '\n' if !in_quotes => {
                    end = at + 1;
                    break;
                }
                c if c == separator && !in_quotes => {
                    columns += 1;
                    may_open = true;
                    continue;
                }
                _ => {}
            }
            may_open = false;
        }
        if in_quotes {
            quoting = false;
            continue;
        }
        let (record, after) = rest.split_at(end);
        if !record.trim().is_empty() {
            visit(record.trim_end_matches(['\n', '\r']), columns);
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_usual_table_has_its_columns() {
        let tables = [
            ("a\tb\n1\t2\n", 2),
            ("a,b,c\n1,2,3\n\n", 3),
            ("name,note\nx,\"one, two\"\ny,\"line\nbreak\"\n", 2),
            ("x,\"say \"\"hi\"\", ok\"\n", 2),
            ("size,name\n3\",disk\n", 2),
            ("\"\",a\"\"b\nx,y\n", 2),
            ("1,5;2,5\n3,5;4,5\n", 2),
            ("1|Ana|30\n2|Bo|31\n", 3),
            ("| a | b |\n|---|---|\n| 1 | 2 |\n", 2),
            (" id | name \n----+------\n  1 | Ana\n", 2),
            (
                "-rw 1 root a.txt\n-rw 1 root b,c.txt\n-rw 1 root d,e.txt\n",
                4,
            ),
            ("only\nwords\n", 1),
            ("a,b\r\n1,2\r\n", 2),
            ("", 7),
        ];
        for (text, columns) in tables {
            assert_eq!(odd(text, columns), None, "{text}");
        }
    }

    #[test]
    fn a_wrong_line_is_told_with_its_number() {
        let found = odd("a,b\n1,2\n\n1,2,3\n4\n", 2).expect("odd lines");
        assert_eq!(
            (found.lines, found.number, found.columns, found.line),
            (2, 3, 3, "1,2,3")
        );
    }

    #[test]
    fn separated_values_are_not_one_column() {
        assert_eq!(odd("a,b\n1,2\n", 1).map(|found| found.columns), Some(2));
    }

    #[test]
    fn a_quote_that_is_never_closed_swallows_no_lines() {
        let found = odd("\"a,b\n1,2\n3\n\"x\",y\n", 2).expect("odd line");
        assert_eq!(found.lines, 1);
    }
}
