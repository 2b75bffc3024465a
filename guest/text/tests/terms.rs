//! Terms: what stores have been indexed by must go on being what they are asked for.

use twiceshy_text::{digest, likeness::Wording, terms};

/// Texts of many styles and scripts, as they are kept.
const TEXTS: &str = include_str!("corpus/hypotheses.jsonl");

#[test]
fn the_terms_and_wordings_that_stores_keep_stay_as_they_are() {
    let terms = terms::terms(TEXTS).join(" ");
    let telling = terms::telling(TEXTS).into_iter().collect::<Vec<_>>();
    let wordings = TEXTS
        .lines()
        .map(|line| Wording::new("data_processor", line));
    let wordings = serde_json::to_string(&wordings.collect::<Vec<_>>()).expect("plain data");
    assert_eq!(
        [
            digest(&[&terms]),
            digest(&[&telling.join(" ")]),
            digest(&[&wordings])
        ],
        ["f63177d3bce425eb", "7638c6167bb261a3", "2e72a9758fd9aa2d"],
        "another cut finds nothing in stores that were written before"
    );
}
