//! A static model of meaning: a table of vectors for pieces of words, and how a text becomes the sum of them.
//!
//! It finds what is said in other words, without a service, a download or a thread, and gives the same bits natively and in
//! WebAssembly: every operation is one that IEEE 754 fixes, in one fixed order. The [table](model) was distilled from
//! all-MiniLM-L6-v2 by `recipes/meaning/distil.py`; how, under which licence and how good it is says `model/README.md`.
//! Nothing is read or built at the start: the table stays where the program's file is mapped, and a search touches what it
//! needs.
#![deny(missing_docs)]

pub mod model;
pub mod pieces;

pub use model::Model;

/// The table that ships with the program.
pub static TABLE: &[u8] = include_bytes!("../model/table.bin");

/// What made the vectors of [`embed`]. It changes with the table or the cutting.
pub const IDENTITY: &str = "static-minilm-256-1";

/// The vector of a text under the table that ships with the program; empty if the text has no word that the table knows.
///
/// ```
/// use twiceshy_meaning::embed;
/// let cosine = |left: &[f32], right: &[f32]| -> f32 { left.iter().zip(right).map(|(a, b)| a * b).sum() };
/// let (car, auto, bread) = (embed("repair the car"), embed("fix an automobile"), embed("bake bread"));
/// assert!(cosine(&car, &auto) > cosine(&car, &bread));
/// ```
pub fn embed(text: &str) -> Vec<f32> {
    match Model::new(TABLE) {
        Ok(model) => model.embed(text),
        // A test opens the table that ships.
        Err(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_that_ships_can_be_opened() {
        assert_eq!(Model::new(TABLE).expect("a table").dimensions(), 256);
    }

    #[test]
    fn a_text_always_has_the_same_bits() {
        let bits = |text: &str| -> u32 {
            let vector = embed(text);
            vector.iter().fold(0x811c_9dc5, |hash, part| {
                (hash ^ part.to_bits()).wrapping_mul(0x0100_0193)
            })
        };
        let text = "error[E0308]: mismatched types in DataProcessor.process; déjà vu, 日本語";
        assert_eq!(bits(text), bits(text));
        assert_eq!(
            format!("{:08x}", bits(text)),
            include_str!("../model/bits.txt").trim(),
            "vectors in stores were made with other bits: give IDENTITY another number"
        );
    }

    #[test]
    fn a_vector_has_length_one_and_nothing_has_none() {
        let length: f32 = embed("a long walk").iter().map(|part| part * part).sum();
        assert!((length - 1.0).abs() < 1e-5, "{length}");
        assert_eq!(embed(" \u{1f600} !!"), Vec::<f32>::new());
    }

    #[test]
    fn order_and_case_do_not_matter_and_other_words_do() {
        assert_eq!(embed("parse the file"), embed("Parse The FILE"));
        assert_ne!(embed("parse the file"), embed("parse the directory"));
    }
}
