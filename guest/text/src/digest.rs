//! Digests: a short id that depends on texts alone.

use sha2::{Digest, Sha256};

/// A short stable name for some parts: 16 hexadecimal digits of their SHA-256.
pub fn digest(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        // The length keeps ("ab", "c") and ("a", "bc") apart.
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    let start = hash.finalize();
    let digit = |half: u8| char::from(b"0123456789abcdef"[usize::from(half)]);
    start[..8]
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_depends_on_where_the_parts_are_cut() {
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
        assert_eq!(digest(&["ab", "c"]).len(), 16);
    }
}
