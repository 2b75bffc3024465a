//! Artifacts: contents that are kept outside of the store, by the hash of what they are.
//!
//! Owns what may be kept and what is masked before. Where contents live is the host's business.

use twiceshy_wit::memory::{Artifact, Error};

use crate::{
    payload,
    ports::{Engine, from_host},
    secrets,
};

/// A content in bytes, as the contract has it.
const CONTENT_BYTES: usize = 16 << 20;

/// The name of an artifact, or its media type, in bytes.
const NAME_BYTES: usize = 256;

impl Engine<'_> {
    /// Keeps a content. In a text, secrets are masked before.
    pub(super) fn kept_artifact(
        &self,
        name: &str,
        media_type: &str,
        content: &[u8],
    ) -> Result<Artifact, Error> {
        for (member, text) in [("name", name), ("media-type", media_type)] {
            if text.len() > NAME_BYTES || text.contains(char::is_control) {
                return Err(Error::InvalidArgument(format!(
                    "{member} is longer than {NAME_BYTES} bytes or has control characters; give it in one line"
                )));
            }
        }
        if name.trim().is_empty() {
            return Err(Error::InvalidArgument(
                "name is empty; say what the content is called, such as `report.md`".to_owned(),
            ));
        }
        if content.len() > CONTENT_BYTES {
            return Err(Error::InvalidArgument(format!(
                "content has {} bytes, at most {CONTENT_BYTES} are taken; keep it elsewhere and name it",
                content.len()
            )));
        }
        let masked = std::str::from_utf8(content).map(|text| {
            let is_json = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
            match is_json {
                true => secrets::mask_json(text),
                false => secrets::mask(text),
            }
        });
        let content = masked.as_ref().map_or(content, |text| text.as_bytes());
        let hash = self.ports.archive.keep(content).map_err(from_host)?;
        Ok(Artifact {
            name: payload::kept_text(name.trim(), NAME_BYTES),
            media_type: payload::kept_text(media_type.trim(), NAME_BYTES),
            hash: Some(hash),
            bytes: u32::try_from(content.len()).unwrap_or(u32::MAX),
        })
    }

    /// A content by its hash.
    pub(super) fn content(&self, hash: &str) -> Result<Vec<u8>, Error> {
        check_hash("hash", hash)?;
        self.ports.archive.fetch(hash).map_err(from_host)
    }
}

/// Refuses what is no hash.
pub(super) fn check_hash(member: &str, hash: &str) -> Result<(), Error> {
    let digits = hash.strip_prefix("sha256:").unwrap_or_default();
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if digits.len() != 64 || !digits.bytes().all(is_digit) {
        return Err(Error::InvalidArgument(format!(
            "{member} `{}` is not sha256: and 64 hexadecimal digits; episodes.keep-artifact gives one",
            payload::kept_text(hash, 100)
        )));
    }
    Ok(())
}
