//! Sentence transformers from a local directory: vectors of whole texts, without a service.
//!
//! Owns what of a directory is read and checked. A directory is what `sentence-transformers` saves: `config.json`,
//! `model.safetensors`, `vocab.txt` or `tokenizer.json`, and beside them how long a text may be and how the words of it
//! become one vector. The architecture is BERT's, which most small models have (MiniLM, BGE, E5, GTE); others are refused
//! by name. The forward pass is written here: it is two hundred lines over `matrixmultiply`, where a
//! framework of tensors would take minutes to compile.
#![deny(missing_docs)]

mod bert;
mod weights;
mod word_piece;

use std::{
    collections::HashMap,
    fmt,
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use serde::Deserialize;
use sha2::{Digest, Sha256};

use bert::{Bert, Shape};
use weights::Weights;
use word_piece::WordPiece;

/// Tokens of a text if the directory does not say.
const MOST_TOKENS: usize = 256;

/// A configuration or a vocabulary in bytes: the largest vocabularies have a tenth of it.
const MOST_TEXT: u64 = 64 << 20;

/// The end of the weights by which two models of one shape are told apart.
const TAIL: u64 = 64 << 10;

/// Why a directory can't be used: the file, what is wrong with it, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unusable(String);

impl fmt::Display for Unusable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Unusable {}

fn unusable(file: &Path, why: impl fmt::Display) -> Unusable {
    Unusable(format!("{}: {why}", file.display()))
}

/// How the vectors of words become one of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pooling {
    /// Their mean.
    Mean,
    /// The first one, which stands for the text.
    First,
}

/// The directory of a model, whose settings were read and whose weights were not.
#[derive(Debug, Clone)]
pub struct Directory {
    place: PathBuf,
    shape: Shape,
    pooling: Pooling,
    most_tokens: usize,
    lower_case: bool,
    identity: String,
}

/// `config.json`, as far as it matters.
#[derive(Deserialize)]
struct Config {
    model_type: String,
    hidden_size: usize,
    intermediate_size: usize,
    num_attention_heads: usize,
    num_hidden_layers: usize,
    max_position_embeddings: usize,
    #[serde(default = "layer_norm_eps")]
    layer_norm_eps: f32,
    #[serde(default = "hidden_act")]
    hidden_act: String,
    #[serde(default = "position_embedding_type")]
    position_embedding_type: String,
}

fn layer_norm_eps() -> f32 {
    1e-12
}

fn hidden_act() -> String {
    "gelu".to_owned()
}

fn position_embedding_type() -> String {
    "absolute".to_owned()
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct SentenceConfig {
    max_seq_length: Option<usize>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct PoolingConfig {
    pooling_mode_cls_token: bool,
    pooling_mode_mean_tokens: bool,
}

#[derive(Deserialize)]
#[serde(default)]
struct TokenizerConfig {
    do_lower_case: bool,
}

impl Default for TokenizerConfig {
    fn default() -> Self {
        Self {
            do_lower_case: true,
        }
    }
}

impl Directory {
    /// Reads the settings of a model, and of its weights what tells them from others.
    ///
    /// # Errors
    /// Which file is missing, damaged, or of a model that is not supported.
    pub fn open(place: &Path) -> Result<Self, Unusable> {
        let file = place.join("config.json");
        let text = text_of(&file)?;
        let config: Config = serde_json::from_str(&text).map_err(|error| unusable(&file, error))?;
        if config.model_type != "bert" {
            let found = &config.model_type;
            return Err(unusable(
                &file,
                format!(
                    "a model of the type `{found}` is not supported; use one of the type `bert`"
                ),
            ));
        }
        if config.position_embedding_type != "absolute" || config.hidden_act != "gelu" {
            let found = (config.position_embedding_type, config.hidden_act);
            return Err(unusable(
                &file,
                format!(
                    "positions and activation `{found:?}` are not supported; `absolute` and `gelu` are"
                ),
            ));
        }
        let shape = Shape {
            hidden: config.hidden_size,
            inner: config.intermediate_size,
            heads: config.num_attention_heads,
            layers: config.num_hidden_layers,
            positions: config.max_position_embeddings,
            epsilon: config.layer_norm_eps,
        };
        shape.check().map_err(|why| unusable(&file, why))?;
        let pooling: PoolingConfig = optional(&place.join("1_Pooling").join("config.json"))?;
        let pooling = match (
            pooling.pooling_mode_mean_tokens,
            pooling.pooling_mode_cls_token,
        ) {
            (false, true) => Pooling::First,
            _ => Pooling::Mean,
        };
        let sentence: SentenceConfig = optional(&place.join("sentence_bert_config.json"))?;
        let tokenizer: TokenizerConfig = optional(&place.join("tokenizer_config.json"))?;
        let most_tokens = sentence.max_seq_length.unwrap_or(MOST_TOKENS);
        Ok(Self {
            place: place.to_owned(),
            shape,
            pooling,
            most_tokens: most_tokens.clamp(3, config.max_position_embeddings),
            lower_case: tokenizer.do_lower_case,
            identity: identity(place, &text)?,
        })
    }

    /// What tells its vectors from those of any other model. It stays the same when the directory is moved.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// Components of a vector.
    pub fn dimensions(&self) -> usize {
        self.shape.hidden
    }

    /// Reads the weights and the vocabulary.
    ///
    /// # Errors
    /// Which file is missing or damaged.
    pub fn load(&self) -> Result<Model, Unusable> {
        let file = self.place.join("model.safetensors");
        let bytes = std::fs::read(&file).map_err(|error| unusable(&file, error))?;
        let weights = Weights::new(&bytes).map_err(|why| unusable(&file, why))?;
        let bert = Bert::new(self.shape, &weights).map_err(|why| unusable(&file, why))?;
        let (words, place) = vocabulary(&self.place)?;
        let cutter = WordPiece::new(words, self.lower_case).map_err(|why| unusable(&place, why))?;
        if cutter.len() > bert.words() {
            let why = "has more words than the weights; both must be of one model";
            return Err(unusable(&place, why));
        }
        Ok(Model {
            bert,
            cutter,
            pooling: self.pooling,
            most_tokens: self.most_tokens,
        })
    }
}

/// A model that can make vectors.
pub struct Model {
    bert: Bert,
    cutter: WordPiece,
    pooling: Pooling,
    most_tokens: usize,
}

impl Model {
    /// The vector of a text, of length one.
    pub fn embed(&self, text: &str) -> Vec<f32> {
        let tokens = self.cutter.tokens(text, self.most_tokens);
        let words = self.bert.forward(&tokens);
        let hidden = words.len() / tokens.len();
        let mut vector = words[..hidden].to_vec();
        if self.pooling == Pooling::Mean {
            for word in words.chunks_exact(hidden).skip(1) {
                vector
                    .iter_mut()
                    .zip(word)
                    .for_each(|(sum, part)| *sum += part);
            }
        }
        let length = vector.iter().map(|part| part * part).sum::<f32>().sqrt();
        if length > 0.0 {
            vector.iter_mut().for_each(|part| *part /= length);
        }
        vector
    }
}

/// A text file of a directory.
fn text_of(file: &Path) -> Result<String, Unusable> {
    let size = std::fs::metadata(file)
        .map_err(|error| unusable(file, error))?
        .len();
    if size > MOST_TEXT {
        return Err(unusable(
            file,
            format!("has {size} bytes; at most {MOST_TEXT} are read"),
        ));
    }
    std::fs::read_to_string(file).map_err(|error| unusable(file, error))
}

/// Settings that a directory need not have.
fn optional<T: for<'d> Deserialize<'d> + Default>(file: &Path) -> Result<T, Unusable> {
    match file.try_exists() {
        Ok(false) => Ok(T::default()),
        _ => serde_json::from_str(&text_of(file)?).map_err(|error| unusable(file, error)),
    }
}

/// The words of a vocabulary with their numbers, and the file they are from.
fn vocabulary(place: &Path) -> Result<(HashMap<String, u32>, PathBuf), Unusable> {
    let file = place.join("vocab.txt");
    if file.is_file() {
        let text = text_of(&file)?;
        let lines = text.lines().zip(0..);
        return Ok((
            lines.map(|(word, at)| (word.to_owned(), at)).collect(),
            file,
        ));
    }
    #[derive(Deserialize)]
    struct Tokenizer {
        model: Vocabulary,
    }
    #[derive(Deserialize)]
    struct Vocabulary {
        vocab: HashMap<String, u32>,
    }
    let file = place.join("tokenizer.json");
    let text = text_of(&file)?;
    let read: Tokenizer = serde_json::from_str(&text).map_err(|error| unusable(&file, error))?;
    Ok((read.model.vocab, file))
}

/// What tells a model from others: its configuration, the table of its weights, their size, and the end of them.
fn identity(place: &Path, config: &str) -> Result<String, Unusable> {
    let path = place.join("model.safetensors");
    let read = || -> std::io::Result<(u64, Vec<u8>, Vec<u8>)> {
        let mut file = File::open(&path)?;
        let size = file.metadata()?.len();
        let (mut head, mut tail) = (Vec::new(), Vec::new());
        file.by_ref().take(TAIL).read_to_end(&mut head)?;
        file.seek(SeekFrom::Start(size.saturating_sub(TAIL)))?;
        file.take(TAIL).read_to_end(&mut tail)?;
        Ok((size, head, tail))
    };
    let (size, head, tail) = read().map_err(|error| unusable(&path, error))?;
    let digest = Sha256::new()
        .chain_update(config)
        .chain_update(size.to_le_bytes())
        .chain_update(head)
        .chain_update(tail)
        .finalize();
    let digits: String = digest[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    Ok(format!("local {digits}"))
}
