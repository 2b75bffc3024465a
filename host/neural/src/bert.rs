//! BERT: the forward pass, from the numbers of a text to one vector for each of them.
//!
//! One text at a time: texts are short and of different lengths, and padding them to one length costs more than a larger
//! product saves.

use crate::weights::Weights;

/// How large a model is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shape {
    pub(crate) hidden: usize,
    pub(crate) inner: usize,
    pub(crate) heads: usize,
    pub(crate) layers: usize,
    pub(crate) positions: usize,
    pub(crate) epsilon: f32,
}

impl Shape {
    /// Refuses sizes that no model has: they are from a file.
    pub(crate) fn check(&self) -> Result<(), String> {
        let sizes = [
            ("hidden_size", self.hidden, 16_384),
            ("intermediate_size", self.inner, 65_536),
            ("num_attention_heads", self.heads, 256),
            ("num_hidden_layers", self.layers, 128),
            ("max_position_embeddings", self.positions, 65_536),
        ];
        for (name, size, most) in sizes {
            if !(1..=most).contains(&size) {
                return Err(format!("{name} is {size}; it must be from 1 to {most}"));
            }
        }
        match self.hidden.is_multiple_of(self.heads) && self.positions >= 3 {
            true => Ok(()),
            false => Err("hidden_size must be a multiple of num_attention_heads".to_owned()),
        }
    }
}

/// A product with a table, and a sum.
struct Dense {
    weight: Vec<f32>,
    bias: Vec<f32>,
    from: usize,
}

impl Dense {
    fn new(weights: &Weights, name: &str, from: usize, to: usize) -> Result<Self, String> {
        Ok(Self {
            weight: weights.table(&format!("{name}.weight"), to, from)?,
            bias: weights.row(&format!("{name}.bias"), to)?,
            from,
        })
    }

    fn of(&self, rows: &[f32]) -> Vec<f32> {
        let (count, to) = (rows.len() / self.from, self.bias.len());
        let mut out = self.bias.repeat(count);
        let size = [count, self.from, to];
        // The weight has a row for each output: read by columns it is the table that rows are multiplied by.
        product(
            1.0,
            size,
            (rows, self.from, 1),
            (&self.weight, 1, self.from),
            1.0,
            (&mut out, to),
        );
        out
    }
}

/// Numbers brought to a mean of 0 and a deviation of 1, then stretched and moved.
struct Norm {
    weight: Vec<f32>,
    bias: Vec<f32>,
    epsilon: f32,
}

impl Norm {
    fn new(weights: &Weights, name: &str, shape: Shape) -> Result<Self, String> {
        Ok(Self {
            weight: weights.row(&format!("{name}.weight"), shape.hidden)?,
            bias: weights.row(&format!("{name}.bias"), shape.hidden)?,
            epsilon: shape.epsilon,
        })
    }

    fn apply(&self, rows: &mut [f32]) {
        let count = self.weight.len() as f32;
        for row in rows.chunks_exact_mut(self.weight.len()) {
            let mean = row.iter().sum::<f32>() / count;
            let variance = row
                .iter()
                .map(|part| (part - mean) * (part - mean))
                .sum::<f32>()
                / count;
            let scale = 1.0 / (variance + self.epsilon).sqrt();
            let factors = self.weight.iter().zip(&self.bias);
            for (part, (weight, bias)) in row.iter_mut().zip(factors) {
                *part = (*part - mean) * scale * weight + bias;
            }
        }
    }
}

struct Layer {
    query: Dense,
    key: Dense,
    value: Dense,
    output: Dense,
    attended: Norm,
    widen: Dense,
    narrow: Dense,
    ended: Norm,
}

/// A model with its weights.
pub(crate) struct Bert {
    shape: Shape,
    words: Vec<f32>,
    /// With what every text has as its only part.
    positions: Vec<f32>,
    begun: Norm,
    layers: Vec<Layer>,
}

impl Bert {
    pub(crate) fn new(shape: Shape, weights: &Weights) -> Result<Self, String> {
        let (hidden, inner) = (shape.hidden, shape.inner);
        let mut positions = weights.table(
            "embeddings.position_embeddings.weight",
            shape.positions,
            hidden,
        )?;
        let kinds = weights.rows("embeddings.token_type_embeddings.weight", hidden)?;
        for row in positions.chunks_exact_mut(hidden) {
            add(row, kinds.get(..hidden).ok_or("has no kinds of tokens")?);
        }
        let layer = |at: usize| -> Result<Layer, String> {
            let name = |part: &str| format!("encoder.layer.{at}.{part}");
            let dense = |part: &str, from, to| Dense::new(weights, &name(part), from, to);
            let norm = |part: &str| Norm::new(weights, &name(part), shape);
            Ok(Layer {
                query: dense("attention.self.query", hidden, hidden)?,
                key: dense("attention.self.key", hidden, hidden)?,
                value: dense("attention.self.value", hidden, hidden)?,
                output: dense("attention.output.dense", hidden, hidden)?,
                attended: norm("attention.output.LayerNorm")?,
                widen: dense("intermediate.dense", hidden, inner)?,
                narrow: dense("output.dense", inner, hidden)?,
                ended: norm("output.LayerNorm")?,
            })
        };
        Ok(Self {
            shape,
            words: weights.rows("embeddings.word_embeddings.weight", hidden)?,
            positions,
            begun: Norm::new(weights, "embeddings.LayerNorm", shape)?,
            layers: (0..shape.layers).map(layer).collect::<Result<_, _>>()?,
        })
    }

    /// How many words have a vector.
    pub(crate) fn words(&self) -> usize {
        self.words.len() / self.shape.hidden
    }

    /// One vector for each token, one behind the other. There are no more tokens than positions.
    pub(crate) fn forward(&self, tokens: &[u32]) -> Vec<f32> {
        let hidden = self.shape.hidden;
        let mut rows = Vec::with_capacity(tokens.len() * hidden);
        for token in tokens {
            rows.extend_from_slice(&self.words[*token as usize * hidden..][..hidden]);
        }
        add(&mut rows, &self.positions[..tokens.len() * hidden]);
        self.begun.apply(&mut rows);
        for layer in &self.layers {
            let mut attended = layer.output.of(&self.attention(layer, &rows));
            add(&mut attended, &rows);
            layer.attended.apply(&mut attended);
            let mut wide = layer.widen.of(&attended);
            wide.iter_mut().for_each(|part| *part = gelu(*part));
            rows = layer.narrow.of(&wide);
            add(&mut rows, &attended);
            layer.ended.apply(&mut rows);
        }
        rows
    }

    /// For each token the values of all, by how much each matters to it.
    fn attention(&self, layer: &Layer, rows: &[f32]) -> Vec<f32> {
        let (hidden, heads) = (self.shape.hidden, self.shape.heads);
        let (count, width) = (rows.len() / hidden, hidden / heads);
        let (query, key, value) = (
            layer.query.of(rows),
            layer.key.of(rows),
            layer.value.of(rows),
        );
        let mut out = vec![0.0; rows.len()];
        let mut shares = vec![0.0; count * count];
        for head in 0..heads {
            let at = head * width;
            let scale = 1.0 / (width as f32).sqrt();
            let scores = (shares.as_mut_slice(), count);
            product(
                scale,
                [count, width, count],
                (&query[at..], hidden, 1),
                (&key[at..], 1, hidden),
                0.0,
                scores,
            );
            shares.chunks_exact_mut(count).for_each(soften);
            let part = (&mut out[at..], hidden);
            product(
                1.0,
                [count, count, width],
                (&shares, count, 1),
                (&value[at..], hidden, 1),
                0.0,
                part,
            );
        }
        out
    }
}

fn add(sum: &mut [f32], other: &[f32]) {
    sum.iter_mut()
        .zip(other)
        .for_each(|(sum, part)| *sum += part);
}

/// Scores as shares of one.
fn soften(scores: &mut [f32]) {
    let most = scores.iter().copied().fold(f32::MIN, f32::max);
    scores
        .iter_mut()
        .for_each(|score| *score = (*score - most).exp());
    let sum: f32 = scores.iter().sum();
    scores.iter_mut().for_each(|score| *score /= sum);
}

fn gelu(part: f32) -> f32 {
    0.5 * part * (1.0 + libm::erff(part * std::f32::consts::FRAC_1_SQRT_2))
}

/// `out = alpha · left · right + beta · out`, for `[rows, inner, columns]`. A table is given with the distances of its
/// rows and of its columns.
fn product(
    alpha: f32,
    [rows, inner, columns]: [usize; 3],
    left: (&[f32], usize, usize),
    right: (&[f32], usize, usize),
    beta: f32,
    out: (&mut [f32], usize),
) {
    let end = |rows: usize, columns: usize, by_row: usize, by_column: usize| {
        (rows - 1) * by_row + (columns - 1) * by_column
    };
    assert!(
        left.0.len() > end(rows, inner, left.1, left.2),
        "the left table is too small"
    );
    assert!(
        right.0.len() > end(inner, columns, right.1, right.2),
        "the right table is too small"
    );
    assert!(
        out.0.len() > end(rows, columns, out.1, 1),
        "the result is too small"
    );
    // SAFETY: the assertions above hold every element that the distances reach within its slice, and `out` is borrowed
    // exclusively.
    unsafe {
        matrixmultiply::sgemm(
            rows,
            inner,
            columns,
            alpha,
            left.0.as_ptr(),
            left.1 as isize,
            left.2 as isize,
            right.0.as_ptr(),
            right.1 as isize,
            right.2 as isize,
            beta,
            out.0.as_mut_ptr(),
            out.1 as isize,
            1,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_reads_tables_by_rows_and_by_columns() {
        let (left, right) = ([1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]);
        let mut out = [1.0; 4];
        product(
            1.0,
            [2, 2, 2],
            (&left, 2, 1),
            (&right, 2, 1),
            1.0,
            (&mut out, 2),
        );
        assert_eq!(out, [20.0, 23.0, 44.0, 51.0]);
        product(
            2.0,
            [2, 2, 2],
            (&left, 2, 1),
            (&right, 1, 2),
            0.0,
            (&mut out, 2),
        );
        assert_eq!(out, [34.0, 46.0, 78.0, 106.0]);
    }

    #[test]
    fn shares_add_up_to_one_and_the_largest_score_has_the_most() {
        let mut scores = [1.0, 3.0, 2.0];
        soften(&mut scores);
        assert!((scores.iter().sum::<f32>() - 1.0).abs() < 1e-6 && scores[1] > scores[2]);
    }

    #[test]
    fn gelu_is_the_exact_one() {
        assert!((gelu(1.0) - 0.841_344_7).abs() < 1e-6 && (gelu(-1.0) + 0.158_655_3).abs() < 1e-6);
    }

    #[test]
    fn sizes_that_no_model_has_are_refused() {
        let shape = Shape {
            hidden: 384,
            inner: 1536,
            heads: 12,
            layers: 6,
            positions: 512,
            epsilon: 1e-12,
        };
        assert_eq!(shape.check(), Ok(()));
        assert!(Shape { heads: 0, ..shape }.check().is_err());
        assert!(Shape { heads: 7, ..shape }.check().is_err());
        assert!(
            Shape {
                hidden: usize::MAX,
                ..shape
            }
            .check()
            .is_err()
        );
    }
}
