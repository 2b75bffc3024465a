//! Measures which pairs of hypotheses are found to be the same, on labelled pairs that stand in files:
//! `cargo run -p twiceshy-text --example pairs -- FILE… [--show]`. Each line is `{"module", "same", "left", "right"}`.

use serde_json::Value;
use twiceshy_text::likeness::similarity;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let shows = words.iter().any(|word| word == "--show");
    for file in words.iter().filter(|word| *word != "--show") {
        let text = std::fs::read_to_string(file).expect("a file of pairs");
        let (mut hits, mut missed, mut wrong) = (0_u32, 0_u32, 0_u32);
        for line in text.lines() {
            let pair: Value = serde_json::from_str(line).expect("a pair in each line");
            let of = |name: &str| pair[name].as_str().expect("a text").to_owned();
            let (left, right) = (of("left"), of("right"));
            let is_found = similarity(&of("module"), &left, &right).is_some();
            match (pair["same"] == true, is_found) {
                (true, true) => hits += 1,
                (true, false) => missed += 1,
                (false, true) => wrong += 1,
                (false, false) => continue,
            }
            if shows && (pair["same"] == true) != is_found {
                let what = if is_found { "wrong " } else { "missed" };
                println!("{what} {left}  |  {right}");
            }
        }
        let share = |part: u32, all: u32| f64::from(part) / f64::from(all.max(1));
        println!(
            "{file}: precision {:.3}, recall {:.3} of {} pairs that are the same",
            share(hits, hits + wrong),
            share(hits, hits + missed),
            hits + missed
        );
    }
}
