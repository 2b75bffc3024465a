//! `twiceshy call --list`: the functions there are, for a reader, as JSON, or as JSON Schema.

use std::io::{self, BufWriter, Write};

use serde_json::Value;
use twiceshy::wit::{FUNCTIONS, Function};

use super::steps;
use crate::cli::failure::Failure;

/// How functions are listed.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// A few lines each.
    Text,
    /// A JSON array with their arguments, results and documentation.
    Json,
    /// A JSON array with the JSON Schemas of arguments and results.
    Schema,
}

/// Lists all functions, or those of one interface, or one.
pub(super) fn list(name: Option<&str>, form: Form) -> Result<(), Failure> {
    let functions = named(name)?;
    let mut output = BufWriter::new(io::stdout().lock());
    match form {
        Form::Json => serde_json::to_writer(&mut output, &functions).map_err(io::Error::from)?,
        Form::Schema => {
            let schemas: Vec<Value> = functions.iter().map(|one| one.schema()).collect();
            serde_json::to_writer(&mut output, &schemas).map_err(io::Error::from)?;
        }
        Form::Text => {
            for function in functions {
                writeln!(output, "{} {}", function.method(), function.arguments())?;
                writeln!(output, "    → {}", function.answer())?;
                writeln!(output, "    {}\n", function.docs)?;
            }
            output.flush()?;
            return Ok(());
        }
    }
    writeln!(output)?;
    output.flush()?;
    Ok(())
}

/// The functions of that name or of that interface; all if there is no name.
fn named(name: Option<&str>) -> Result<Vec<&'static Function>, Failure> {
    let all = FUNCTIONS.iter().chain(steps::FUNCTIONS);
    let Some(name) = name else {
        return Ok(all.collect());
    };
    let wanted = name.replace('_', "-");
    let found: Vec<_> = all
        .filter(|function| function.interface == wanted || function.method() == wanted)
        .collect();
    if found.is_empty() {
        return Err(Failure::input(format!(
            "there is no function or interface `{name}`; `twiceshy call --list` names all of them"
        )));
    }
    Ok(found)
}
