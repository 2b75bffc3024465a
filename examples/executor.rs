//! An executor for `twiceshy experiment`, in a page: a script with one bad habit.
//!
//! It knows how to do the first gridtool task, except that it would rather write `sort` than `ORDER`. It gives
//! the habit up when an error or the memory tells it to. A model is plugged in the same way: read a line, make
//! a prompt of it, answer with a line.
//!
//! ```sh
//! cargo build --example executor
//! twiceshy experiment --seeds 1 --phases A --runs 3 --executor target/debug/examples/executor
//! ```

use std::io::{BufRead, Write};

use serde_json::{Value, json};

const COMMANDS: [&str; 6] = [
    "gridtool KEEP :sales.csv @amount is-above 100 INTO :big.csv",
    "gridtool ORDER :big.csv BY @amount falling INTO :sorted.csv",
    "gridtool TAKE :sorted.csv upto 4 INTO :top.csv",
    "gridtool TALLY :big.csv PER @region total @amount INTO :totals.csv",
    "gridtool ORDER :totals.csv BY @total falling INTO :ranking.csv",
    "gridtool KEEP :ranking.csv @total is-above 400 INTO :best.csv",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut done = 0;
    let mut knows_better = false;
    for line in std::io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        let told = |name: &str| request[name].as_str().unwrap_or_default();
        knows_better |= told("briefing").contains("CORRECT: gridtool ORDER")
            || told("hint").contains("CORRECT: gridtool ORDER");
        match request["last"]["exit"].as_i64() {
            Some(0) => done += 1,
            Some(_) => knows_better = true,
            None => {}
        }
        let answer = match COMMANDS.get(done) {
            Some(command) => {
                let habit = |word| match word {
                    "ORDER" if !knows_better => "sort",
                    word => word,
                };
                json!({ "action": command.split(' ').map(habit).collect::<Vec<_>>() })
            }
            None => json!({ "done": true }),
        };
        println!("{answer}");
        std::io::stdout().flush()?;
    }
    Ok(())
}
