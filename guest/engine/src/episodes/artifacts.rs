//! Artifacts: contents that are kept outside the store, under their hash.
//!
//! Owns what may be kept and what is masked before. Where contents live is the host's business.

use twiceshy_wit::memory::{Artifact, Error};

use crate::{
    payload,
    refusal::{self, Unit},
    secrets,
    store::{Reader, from_host},
};

/// A content in bytes, as the contract has it.
const CONTENT_BYTES: usize = 16 << 20;

/// The name of an artifact, or its media type, in bytes.
const NAME_BYTES: usize = 256;

/// Keeps a content. In a text, secrets are masked before.
pub(crate) fn kept_artifact(
    reader: &Reader,
    name: &str,
    media_type: &str,
    content: &[u8],
) -> Result<Artifact, Error> {
    for (member, text) in [("name", name), ("media-type", media_type)] {
        if text.len() > NAME_BYTES || text.contains(char::is_control) {
            return Err(Error::InvalidArgument(format!(
                "`{member}` has more than {NAME_BYTES} bytes or control characters; give it in one line"
            )));
        }
    }
    refusal::not_empty("name", name, "name the content, such as `report.md`")?;
    refusal::at_most(
        "content",
        content.len(),
        Unit::Bytes,
        CONTENT_BYTES,
        "keep it elsewhere and only name it",
    )?;
    let masked = std::str::from_utf8(content).map(|text| {
        let is_json = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
        match is_json {
            true => secrets::mask_json(text),
            false => secrets::mask(text),
        }
    });
    let content = masked.as_ref().map_or(content, |text| text.as_bytes());
    let hash = reader.archive.keep(content).map_err(from_host)?;
    Ok(Artifact {
        name: payload::kept_text(name.trim(), NAME_BYTES),
        media_type: payload::kept_text(media_type.trim(), NAME_BYTES),
        hash: Some(hash),
        bytes: u32::try_from(content.len()).unwrap_or(u32::MAX),
    })
}

/// A content by its hash.
pub(crate) fn content(reader: &Reader, hash: &str) -> Result<Vec<u8>, Error> {
    check_hash("hash", hash)?;
    reader.archive.fetch(hash).map_err(from_host)
}

/// Refuses what is no hash.
pub(super) fn check_hash(member: &str, hash: &str) -> Result<(), Error> {
    let digits = hash.strip_prefix("sha256:").unwrap_or_default();
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if digits.len() != 64 || !digits.bytes().all(is_digit) {
        return Err(Error::InvalidArgument(format!(
            "`{member}` is `{}`; it must be `sha256:` and 64 hexadecimal digits, as `episodes.keep-artifact` returns",
            payload::kept_text(hash, 100)
        )));
    }
    Ok(())
}
