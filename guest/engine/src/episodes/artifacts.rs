//! Artifacts: contents that are kept outside the store, under their hash.
//!
//! Owns what may be kept and what is masked before. Where contents live is the host's business.

use std::borrow::Cow;

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

/// A content is a text if at most one byte of so many is none.
const STRAY: usize = 10;

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
    let content = &masked(content)[..];
    let hash = reader.archive.keep(content).map_err(from_host)?;
    Ok(Artifact {
        name: payload::kept_text(name.trim(), NAME_BYTES),
        media_type: payload::kept_text(media_type.trim(), NAME_BYTES),
        hash: Some(hash),
        bytes: u32::try_from(content.len()).unwrap_or(u32::MAX),
    })
}

/// The content without secrets. Between bytes that are no text, each text is looked at by itself: a log with a stray byte holds as many
/// secrets as one without. In a picture or a program, where most is no text, nothing is replaced, because that would break it.
fn masked(content: &[u8]) -> Cow<'_, [u8]> {
    if let Ok(text) = std::str::from_utf8(content) {
        let is_json = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
        return bytes_of(match is_json {
            true => secrets::mask_json(text),
            false => secrets::mask(text),
        });
    }
    let is_stray = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    let chunks = || content.utf8_chunks();
    let stray: usize = chunks()
        .map(|chunk| chunk.invalid().len() + chunk.valid().bytes().filter(|b| is_stray(b)).count())
        .sum();
    if stray * STRAY > content.len() {
        return Cow::Borrowed(content);
    }
    let mut whole = Vec::with_capacity(content.len());
    for chunk in chunks() {
        whole.extend_from_slice(secrets::mask(chunk.valid()).as_bytes());
        whole.extend_from_slice(chunk.invalid());
    }
    Cow::Owned(whole)
}

fn bytes_of(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
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
