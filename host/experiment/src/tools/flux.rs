//! fluxtool: one pipeline over a signal, which is a file with a number on each line.
//!
//! `tap:IN :: STAGE … :: pool:OUT`. Owns the syntax of a pipeline, what it refuses, and the stages.

use super::{Files, Words};

/// A stage and the name of its one setting, empty if it has none.
const STAGES: [(&str, &str); 7] = [
    ("lull", "wide"),
    ("weir", "crest"),
    ("swell", "fold"),
    ("sieve", "mesh"),
    ("skim", "each"),
    ("ripple", ""),
    ("brim", ""),
];

/// Carries out one pipeline and says how many values it wrote.
pub(super) fn pipeline(
    words: &[String],
    stdin: &str,
    files: &mut dyn Files,
) -> Result<String, String> {
    let mut words = Words::new(words);
    let tap = words.next("empty pipeline")?;
    let Some(source) = tap.strip_prefix("tap:").filter(|name| !name.is_empty()) else {
        return Err(format!("'{tap}' cannot be a source"));
    };
    let text = match source {
        "-" => Some(stdin.to_owned()),
        name => files.read(name),
    };
    let text = text.ok_or_else(|| format!("source '{source}' not found"))?;
    let mut signal = parse(&text)
        .ok_or_else(|| format!("source '{source}' holds something that is not a number"))?;
    loop {
        let link = words.next("the pipeline has no sink: it never ends")?;
        if link != "::" {
            return Err(format!("illegal connector '{link}'"));
        }
        let name = words.next("a connector leads to nothing")?;
        if let Some(sink) = name.strip_prefix("pool:").filter(|name| !name.is_empty()) {
            if !words.at_end() {
                let extra = words.next("")?;
                return Err(format!("nothing can follow the sink, but '{extra}' does"));
            }
            let text: String = signal.iter().map(|value| format!("{value}\n")).collect();
            if sink == "-" {
                return Ok(text);
            }
            files
                .write(sink, &text)
                .map_err(|cause| format!("sink '{sink}' cannot be written: {cause}"))?;
            return Ok(format!("{} values\n", signal.len()));
        }
        let Some((name, setting)) = STAGES.iter().find(|(known, _)| *known == name) else {
            return Err(refused_stage(name, &words));
        };
        signal = match *setting {
            "" => plain(name, &signal),
            setting => {
                let word = words.next(&lacking(name))?;
                with_setting(name, value_of(word, name, setting)?, &signal)?
            }
        };
    }
}

/// At the end of a pipeline stands a sink; before it, a stage.
fn refused_stage(name: &str, words: &Words<'_>) -> String {
    let is_last = !words.words[words.at..].iter().any(|word| word == "::");
    if is_last {
        format!("'{name}' is not a sink")
    } else {
        format!("stage '{name}' does not exist")
    }
}

/// What a stage says when its setting is not there: each is about something else.
fn lacking(stage: &str) -> String {
    format!("stage {stage} ends without its setting")
}

/// The number in `setting=number`.
fn value_of(word: &str, stage: &str, setting: &str) -> Result<f64, String> {
    let number = word
        .strip_prefix(setting)
        .and_then(|rest| rest.strip_prefix('='))
        .ok_or_else(|| match stage {
            "lull" => format!("smoothing span not understood: '{word}'"),
            "weir" => format!("cutting height not understood: '{word}'"),
            "swell" => format!("wrong kind of multiplier: '{word}'"),
            "sieve" => format!("rejection bound not understood: '{word}'"),
            _ => format!("sampling interval not understood: '{word}'"),
        })?;
    number
        .parse::<f64>()
        .ok()
        .filter(|number| number.is_finite())
        .ok_or_else(|| format!("malformed number in '{word}'"))
}

fn with_setting(stage: &str, setting: f64, signal: &[f64]) -> Result<Vec<f64>, String> {
    let whole = || {
        let fits = (1.0..=1e6).contains(&setting) && setting.fract() == 0.0;
        fits.then_some(setting as usize)
            .ok_or_else(|| format!("stage {stage} wants a whole positive number"))
    };
    Ok(match stage {
        "lull" => {
            let wide = whole()?;
            let mean = |window: &[f64]| window.iter().sum::<f64>() / window.len() as f64;
            let ends = 1..=signal.len();
            ends.map(|end| mean(&signal[end.saturating_sub(wide)..end]))
                .collect()
        }
        "weir" => signal.iter().map(|value| value.min(setting)).collect(),
        "swell" => signal.iter().map(|value| value * setting).collect(),
        "sieve" => signal
            .iter()
            .copied()
            .filter(|value| *value >= setting)
            .collect(),
        _ => signal.iter().copied().step_by(whole()?).collect(),
    })
}

fn plain(stage: &str, signal: &[f64]) -> Vec<f64> {
    match stage {
        "ripple" => signal.windows(2).map(|pair| pair[1] - pair[0]).collect(),
        _ => {
            let mut sum = 0.0;
            let mut add = |value: &f64| {
                sum += value;
                sum
            };
            signal.iter().map(&mut add).collect()
        }
    }
}

fn parse(text: &str) -> Option<Vec<f64>> {
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            line.trim()
                .parse::<f64>()
                .ok()
                .filter(|value| value.is_finite())
        })
        .collect()
}
