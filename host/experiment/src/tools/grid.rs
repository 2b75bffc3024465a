//! gridtool: one statement on tables of separated values.
//!
//! `KEEP`, `ORDER`, `TALLY`, `TAKE`, `MEET` and `PICK` read a table and write another. Owns the syntax of a
//! statement and what it refuses; what is done to rows is in `table`.

mod table;

use table::Table;

use super::{Files, Words};

const VERBS: [&str; 6] = ["KEEP", "ORDER", "TALLY", "TAKE", "MEET", "PICK"];

/// Carries out one statement and says how many rows it wrote.
pub(super) fn statement(
    words: &[String],
    stdin: &str,
    files: &mut dyn Files,
) -> Result<String, String> {
    let mut words = Words::new(words);
    let verb = words.next("nothing to do: a statement begins with a verb")?;
    if !VERBS.contains(&verb) {
        let known = VERBS.iter().any(|known| known.eq_ignore_ascii_case(verb));
        return Err(if known {
            format!("verb '{verb}' has the wrong letter case")
        } else {
            format!("unknown verb '{verb}'")
        });
    }
    let source = file(words.next("no input table was given")?)?;
    let read = |name: &str, files: &dyn Files| -> Result<Table, String> {
        let text = match name {
            "-" => Some(stdin.to_owned()),
            name => files.read(name),
        };
        let text = text.ok_or_else(|| format!("cannot open table '{name}': no such file"))?;
        Table::parse(&text).map_err(|line| format!("table '{name}' is malformed at line {line}"))
    };
    let input = read(source, files)?;
    let output = match verb {
        "KEEP" => keep(&mut words, &input)?,
        "ORDER" => order(&mut words, input)?,
        "TALLY" => tally(&mut words, &input)?,
        "TAKE" => take(&mut words, input)?,
        "MEET" => {
            let with = words.next("a second table is missing")?;
            if with != "WITH" {
                return Err(format!("'{with}' does not introduce the second table"));
            }
            let other = file(words.next("a second table is missing")?)?;
            meet(&mut words, &input, &read(other, files)?)?
        }
        _ => pick(&mut words, &input)?,
    };
    let into = words.next("destination is missing: the result goes nowhere")?;
    if into != "INTO" {
        return Err(format!("destination expected, found '{into}'"));
    }
    let target = file(words.next("destination is missing: the result goes nowhere")?)?;
    if !words.at_end() {
        let extra = words.next("")?;
        return Err(format!("trailing word '{extra}' after the destination"));
    }
    let rows = output.rows.len();
    if target == "-" {
        return Ok(output.render());
    }
    files
        .write(target, &output.render())
        .map_err(|cause| format!("cannot write table '{target}': {cause}"))?;
    Ok(format!("{rows} rows\n"))
}

/// `:name` is a table.
fn file(word: &str) -> Result<&str, String> {
    match word.strip_prefix(':') {
        Some(name) if !name.is_empty() => Ok(name),
        _ => Err(format!("'{word}' is no table reference")),
    }
}

/// `@name` is a column; gives its place.
fn column(word: &str, table: &Table) -> Result<usize, String> {
    let Some(name) = word.strip_prefix('@').filter(|name| !name.is_empty()) else {
        return Err(format!("column reference expected, found '{word}'"));
    };
    table
        .place(name)
        .ok_or_else(|| format!("table has no column named '{name}'"))
}

fn keep(words: &mut Words<'_>, table: &Table) -> Result<Table, String> {
    let place = column(words.next("KEEP lacks its column")?, table)?;
    let operator = words.next("KEEP lacks its comparison")?;
    if !["is", "is-not", "is-above", "is-below"].contains(&operator) {
        return Err(format!("unsupported comparison operator '{operator}'"));
    }
    let value = words.next("KEEP lacks the value to compare with")?;
    if operator == "is" || operator == "is-not" {
        let text = value
            .strip_prefix('_')
            .and_then(|rest| rest.strip_suffix('_'))
            .ok_or_else(|| format!("text value '{value}' is not delimited"))?;
        return Ok(table.filtered(|row| (row[place] == text) == (operator == "is")));
    }
    let bound = number(value)?;
    Ok(table.filtered(|row| {
        row[place].parse::<f64>().is_ok_and(|found| match operator {
            "is-above" => found > bound,
            _ => found < bound,
        })
    }))
}

fn order(words: &mut Words<'_>, mut table: Table) -> Result<Table, String> {
    let by = words.next("ORDER lacks its sort key")?;
    if by != "BY" {
        return Err(format!("'{by}' cannot introduce a sort key"));
    }
    let place = column(words.next("ORDER lacks its sort key")?, &table)?;
    let direction = words.next("ORDER lacks its sort direction")?;
    match direction {
        "rising" => table.sort(place, false),
        "falling" => table.sort(place, true),
        other => return Err(format!("invalid sort direction '{other}'")),
    }
    Ok(table)
}

fn tally(words: &mut Words<'_>, table: &Table) -> Result<Table, String> {
    let per = words.next("TALLY lacks its groups")?;
    if per != "PER" {
        return Err(format!("grouping is not announced by '{per}'"));
    }
    let group = column(words.next("TALLY lacks its groups")?, table)?;
    let function = words.next("TALLY lacks its aggregate")?;
    if !["total", "mean"].contains(&function) {
        return Err(format!("undefined aggregate '{function}'"));
    }
    let of = column(words.next("TALLY lacks the column to aggregate")?, table)?;
    table.grouped(group, of, function)
}

fn take(words: &mut Words<'_>, mut table: Table) -> Result<Table, String> {
    let upto = words.next("TAKE lacks its row count")?;
    if upto != "upto" {
        return Err(format!("row limit expected, but '{upto}' is none"));
    }
    let count = number(words.next("TAKE lacks its row count")?)?;
    table
        .rows
        .truncate(if count < 0.0 { 0 } else { count as usize });
    Ok(table)
}

fn meet(words: &mut Words<'_>, left: &Table, right: &Table) -> Result<Table, String> {
    let along = words.next("MEET lacks its shared column")?;
    if along != "ALONG" {
        return Err(format!("'{along}' does not lead to a shared column"));
    }
    let key = words.next("MEET lacks its shared column")?;
    Ok(left.joined(right, column(key, left)?, column(key, right)?))
}

fn pick(words: &mut Words<'_>, table: &Table) -> Result<Table, String> {
    let mut places = vec![column(words.next("PICK lacks its columns")?, table)?];
    while let Some(word) = words.words.get(words.at) {
        match word.as_str() {
            "plus" => {
                words.at += 1;
                places.push(column(words.next("PICK ends after plus")?, table)?);
            }
            "INTO" => break,
            // What follows the columns is a destination or a mistake in the list of columns.
            other if words.at + 2 < words.words.len() => {
                return Err(format!("bad separator '{other}' between columns"));
            }
            _ => break,
        }
    }
    Ok(table.projected(&places))
}

fn number(word: &str) -> Result<f64, String> {
    word.parse::<f64>()
        .ok()
        .filter(|number| number.is_finite())
        .ok_or_else(|| format!("'{word}' cannot be read as a number"))
}
