//! `twiceshy adapter release`: an adapter that failed too often is called again.

use std::process::ExitCode;

use serde_json::json;

use super::{
    super::{context::Context, failure::Failure, show},
    Named,
};

pub(crate) fn release(context: &Context, named: &Named) -> Result<ExitCode, Failure> {
    let record = context.adapters().release(&named.name)?;
    context.print(
        &json!({ "released": named.name, "strikes": record }),
        || {
            vec![match &record {
                Some(record) => format!(
                    "{} is called again; it had failed {} times in a row, the last time: {}",
                    named.name,
                    record.count,
                    show::line(&record.last)
                ),
                None => format!("{} was not held back", named.name),
            }]
        },
    )
}
