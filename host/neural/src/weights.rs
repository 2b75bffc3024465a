//! Weights: the tensors of a file as numbers.

use safetensors::{Dtype, SafeTensors, tensor::TensorView};

/// The tensors of a file that was checked.
pub(crate) struct Weights<'b> {
    tensors: SafeTensors<'b>,
    /// What stands before each name: some files keep the model under a name of its own.
    prefix: &'static str,
}

impl<'b> Weights<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Result<Self, String> {
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| error.to_string())?;
        let has = |prefix: &str| {
            let name = format!("{prefix}embeddings.word_embeddings.weight");
            tensors.tensor(&name).is_ok()
        };
        let prefix = ["", "bert.", "0.auto_model."]
            .into_iter()
            .find(|prefix| has(prefix));
        match prefix {
            Some(prefix) => Ok(Self { tensors, prefix }),
            None => Err(
                "has no `embeddings.word_embeddings.weight`; it is not of a BERT model".to_owned(),
            ),
        }
    }

    /// A table of so many rows and columns.
    pub(crate) fn table(
        &self,
        name: &str,
        rows: usize,
        columns: usize,
    ) -> Result<Vec<f32>, String> {
        let tensor = self.tensor(name)?;
        match tensor.shape() == [rows, columns] {
            true => numbers(&tensor),
            false => Err(format!(
                "`{name}` has the shape {:?} instead of {:?}",
                tensor.shape(),
                [rows, columns]
            )),
        }
    }

    /// A table with any number of rows.
    pub(crate) fn rows(&self, name: &str, columns: usize) -> Result<Vec<f32>, String> {
        let rows = self.tensor(name)?.shape().first().copied().unwrap_or(0);
        self.table(name, rows, columns)
    }

    /// A row of numbers.
    pub(crate) fn row(&self, name: &str, columns: usize) -> Result<Vec<f32>, String> {
        let tensor = self.tensor(name)?;
        match tensor.shape() == [columns] {
            true => numbers(&tensor),
            false => Err(format!(
                "`{name}` has the shape {:?} instead of [{columns}]",
                tensor.shape()
            )),
        }
    }

    fn tensor(&self, name: &str) -> Result<TensorView<'_>, String> {
        let name = format!("{}{name}", self.prefix);
        self.tensors
            .tensor(&name)
            .map_err(|error| format!("`{name}`: {error}"))
    }
}

fn numbers(tensor: &TensorView) -> Result<Vec<f32>, String> {
    let bytes = tensor.data();
    Ok(match tensor.dtype() {
        Dtype::F32 => bytes
            .chunks_exact(4)
            .map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]))
            .collect(),
        Dtype::BF16 => bytes
            .chunks_exact(2)
            .map(|two| f32::from_le_bytes([0, 0, two[0], two[1]]))
            .collect(),
        Dtype::F16 => bytes
            .chunks_exact(2)
            .map(|two| half(u16::from_le_bytes([two[0], two[1]])))
            .collect(),
        other => {
            return Err(format!(
                "numbers of the type {other:?} are not supported; F32, F16 and BF16 are"
            ));
        }
    })
}

/// A number of two bytes as IEEE 754 has it.
fn half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 1 { -1.0f32 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f32::from(bits & 0x3ff));
    sign * match exponent {
        0 => fraction * 2f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1.0 + fraction / 1024.0) * 2f32.powi(exponent - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::half;

    #[test]
    fn numbers_of_two_bytes_are_read() {
        for (bits, number) in [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333_251_95),
            (0x0001, 5.960_464_5e-8),
            (0, 0.0),
        ] {
            assert_eq!(half(bits), number);
        }
        assert!(half(0x7c00).is_infinite() && half(0x7e00).is_nan());
    }
}
