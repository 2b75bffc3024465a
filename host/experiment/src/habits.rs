//! Habits: how somebody who knows other tools would spell each part of a command.
//!
//! A choice is a point at which a command can be spelled in several ways; its spellings come from shells,
//! SQL, data frames and the like, each with the strength of the habit. One of them happens to be what the
//! tool wants; nothing here, and nothing in the executor, says which.

use crate::tools::Tool;

/// A point at which a command can be spelled in several ways.
#[derive(Debug)]
pub(crate) struct Choice {
    /// Its name.
    pub(crate) name: &'static str,
    /// Whose command it is in.
    pub(crate) tool: Tool,
    /// The choice that must be recognised in the same command for this one to be recognised; empty if none.
    pub(crate) beside: &'static str,
    /// The spellings with the strength of the habit; `{}` is the value, a blank separates arguments.
    pub(crate) spellings: &'static [(&'static str, f64)],
}

/// The choice of this name.
pub(crate) fn choice(name: &str) -> Option<&'static Choice> {
    CHOICES.iter().find(|choice| choice.name == name)
}

const fn grid(
    name: &'static str,
    beside: &'static str,
    spellings: &'static [(&'static str, f64)],
) -> Choice {
    Choice {
        name,
        tool: Tool::Gridtool,
        beside,
        spellings,
    }
}

const fn flux(
    name: &'static str,
    beside: &'static str,
    spellings: &'static [(&'static str, f64)],
) -> Choice {
    Choice {
        name,
        tool: Tool::Fluxtool,
        beside,
        spellings,
    }
}

/// Every choice of both tools.
#[rustfmt::skip] // A table is read by its rows.
static CHOICES: &[Choice] = &[
    grid("filter", "", &[("filter", 3.0), ("where", 2.0), ("select", 2.0), ("FILTER", 1.5), ("grep", 1.0), ("keep", 0.8), ("KEEP", 0.9)]),
    grid("sort", "", &[("sort", 3.0), ("SORT", 1.5), ("order-by", 1.0), ("arrange", 0.8), ("ORDER", 0.9)]),
    grid("group", "", &[("group-by", 2.0), ("groupby", 2.0), ("aggregate", 1.5), ("GROUP", 1.0), ("summarize", 1.0), ("TALLY", 0.9)]),
    grid("limit", "", &[("head", 3.0), ("limit", 2.0), ("LIMIT", 1.0), ("top", 1.0), ("TAKE", 0.9)]),
    grid("join", "", &[("join", 3.0), ("merge", 2.0), ("JOIN", 1.5), ("lookup", 0.6), ("MEET", 0.9)]),
    grid("columns", "", &[("select", 2.5), ("cut", 2.0), ("SELECT", 1.0), ("columns", 1.0), ("PICK", 0.9)]),
    grid("table", "", &[("{}", 4.0), ("--file={}", 1.0), ("file:{}", 1.0), ("./{}", 1.0), (":{}", 0.9)]),
    grid("column", "", &[("{}", 4.0), ("${}", 2.0), ("[{}]", 1.0), (".{}", 1.0), ("@{}", 0.9)]),
    grid("above", "filter", &[(">", 4.0), ("gt", 1.5), ("-gt", 1.5), ("above", 0.8), ("greater-than", 0.8), ("is-above", 0.9)]),
    grid("below", "filter", &[("<", 4.0), ("lt", 1.5), ("-lt", 1.5), ("below", 0.8), ("less-than", 0.8), ("is-below", 0.9)]),
    grid("equals", "filter", &[("==", 3.0), ("=", 3.0), ("eq", 1.0), ("equals", 1.0), ("is", 0.9)]),
    grid("text", "filter", &[("{}", 4.0), ("'{}'", 2.0), ("={}", 1.0), ("%{}%", 0.8), ("_{}_", 0.9)]),
    grid("sort-key", "sort", &[("by", 2.5), ("--by", 1.5), ("-k", 1.5), ("on", 0.8), ("BY", 0.6)]),
    grid("falling", "sort", &[("desc", 3.0), ("-r", 1.5), ("--desc", 1.5), ("DESC", 1.0), ("down", 0.6), ("falling", 0.9)]),
    grid("rising", "sort", &[("asc", 3.0), ("--asc", 1.5), ("ASC", 1.0), ("up", 0.6), ("rising", 0.9)]),
    grid("groups", "group", &[("by", 2.0), ("--key", 1.5), ("on", 1.0), ("each", 0.8), ("PER", 0.9)]),
    grid("total", "group", &[("sum", 4.0), ("SUM", 1.5), ("--sum", 1.0), ("add", 0.6), ("total", 0.9)]),
    grid("mean", "group", &[("avg", 3.0), ("AVG", 1.5), ("--mean", 1.0), ("average", 1.0), ("mean", 0.8)]),
    grid("rows", "limit", &[("-n {}", 2.5), ("--rows {}", 1.5), ("first {}", 1.0), ("= {}", 0.6), ("upto {}", 0.9)]),
    grid("second", "join", &[("with", 2.0), ("--right", 2.0), ("and", 1.0), ("USING", 0.8), ("WITH", 0.6)]),
    grid("shared", "join", &[("on", 3.0), ("--on", 1.5), ("ON", 1.0), ("by", 1.0), ("ALONG", 0.9)]),
    grid("and", "columns", &[(",", 3.0), ("and", 1.5), ("+", 1.0), ("&", 0.6), ("plus", 0.9)]),
    grid("into", "", &[("-o", 3.0), (">", 2.0), ("--output", 2.0), ("to", 1.0), ("into", 1.0), ("INTO", 0.9)]),
    flux("source", "", &[("{}", 3.0), ("-i {}", 2.0), ("--input={}", 2.0), ("source:{}", 1.0), ("from {}", 0.8), ("tap:{}", 0.9)]),
    flux("connector", "", &[("|", 4.0), ("->", 2.0), ("then", 1.0), ("&&", 0.8), ("::", 0.9)]),
    flux("sink", "", &[("-o {}", 2.5), ("> {}", 2.0), ("--output={}", 2.0), ("sink:{}", 0.8), ("pool:{}", 0.9)]),
    flux("smooth", "", &[("smooth", 3.0), ("average", 2.0), ("moving-average", 1.0), ("ma", 0.8), ("lull", 0.9)]),
    flux("window", "smooth", &[("{}", 2.5), ("window={}", 2.0), ("--window={}", 2.0), ("n={}", 1.0), ("wide={}", 0.9)]),
    flux("clip", "", &[("clip", 3.0), ("limit", 2.0), ("clamp", 2.0), ("cap", 1.0), ("weir", 0.9)]),
    flux("ceiling", "clip", &[("max={}", 2.5), ("--max={}", 2.0), ("{}", 2.0), ("at={}", 1.0), ("crest={}", 0.9)]),
    flux("scale", "", &[("scale", 3.0), ("multiply", 2.0), ("gain", 1.5), ("amplify", 0.8), ("swell", 0.9)]),
    flux("factor", "scale", &[("{}", 2.5), ("factor={}", 2.0), ("by={}", 1.0), ("x{}", 1.0), ("fold={}", 0.9)]),
    flux("reject", "", &[("filter", 3.0), ("drop", 2.0), ("gate", 1.0), ("reject", 0.8), ("sieve", 0.9)]),
    flux("floor", "reject", &[("min={}", 2.5), (">={}", 2.0), ("--min={}", 1.5), ("above={}", 1.0), ("mesh={}", 0.9)]),
    flux("sample", "", &[("sample", 3.0), ("decimate", 2.0), ("every", 1.5), ("resample", 1.0), ("skim", 0.9)]),
    flux("interval", "sample", &[("{}", 2.5), ("n={}", 2.0), ("step={}", 1.5), ("--every={}", 1.0), ("each={}", 0.9)]),
    flux("difference", "", &[("diff", 3.0), ("delta", 2.0), ("derivative", 1.0), ("ripple", 0.9)]),
    flux("accumulate", "", &[("cumsum", 3.0), ("accumulate", 2.0), ("integrate", 1.0), ("brim", 0.9)]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_has_a_name_of_its_own_several_spellings_and_stands_beside_one_that_exists() {
        for (index, one) in CHOICES.iter().enumerate() {
            assert!(
                CHOICES[..index].iter().all(|other| other.name != one.name),
                "{}",
                one.name
            );
            assert!(one.spellings.len() >= 4, "{}", one.name);
            let beside = choice(one.beside);
            assert_eq!(beside.is_some(), !one.beside.is_empty(), "{}", one.name);
            assert!(
                beside.is_none_or(|beside| beside.tool == one.tool),
                "{}",
                one.name
            );
        }
    }
}
