//! What an adapter is installed from: a component, an archive, or an image layout, given as a file.
//!
//! Owns reading the file, whatever made it. Nothing is unpacked: of an archive only the two files that are looked for
//! are taken into memory, so that no path in it leads anywhere, and every size is bounded before it is read. What it
//! holds is checked elsewhere.
//!
//! * `*.wasm`, with an `adapter.toml` beside it or without one;
//! * a tar archive, gzipped or not, with `adapter.wasm` and `adapter.toml`, perhaps in a directory;
//! * a tar archive of an OCI image layout with one manifest: the component is its layer of type `application/wasm`,
//!   or with the title `adapter.wasm`; `adapter.toml` is the layer with that title, if there is one.

use std::{
    collections::BTreeMap,
    io::{self, Read},
    path::{Component, Path, PathBuf},
};

use flate2::read::GzDecoder;
use serde::Deserialize;
use tar::{Archive, EntryType};

use super::{
    declaration::{self, FILE},
    installed::{self, COMPONENT},
    receipt::sha256,
};
use crate::limits;

/// Entries of an archive at most: two are needed.
const MOST_ENTRIES: usize = 256;

/// All contents of an archive in bytes at most: a component, and room for its metadata.
const MOST_CONTENT: u64 = limits::COMPONENT_BYTES as u64 + (8 << 20);

/// A description within an image layout in bytes at most.
const MOST_DESCRIPTION: usize = 1 << 20;

/// What is to be installed.
#[derive(Debug)]
pub(super) struct Package {
    pub(super) component: Vec<u8>,
    /// The text of `adapter.toml` and where it was, if there is one.
    pub(super) declaration: Option<(PathBuf, Vec<u8>)>,
}

/// What an image layout says of one of its contents.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    #[serde(default)]
    media_type: String,
    digest: String,
    size: u64,
    #[serde(default)]
    annotations: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
struct Index {
    manifests: Vec<Descriptor>,
}

#[derive(Debug, Deserialize)]
struct ImageManifest {
    #[serde(default)]
    layers: Vec<Descriptor>,
}

impl Package {
    /// Reads what a file holds.
    pub(super) fn read(source: &Path) -> Result<Self, String> {
        let wrong = |why: String| format!("{}: {why}", source.display());
        // A compressed archive is smaller than what it holds, and a plain one hardly larger.
        let bytes = installed::read(source, MOST_CONTENT as usize)?;
        if bytes.is_empty() {
            return Err(wrong("it is empty; build it, or get it again".to_owned()));
        }
        if bytes.starts_with(b"\0asm") {
            let beside = source.with_file_name(FILE);
            let declaration = match beside.exists() {
                true => Some(installed::read(&beside, declaration::MOST_BYTES)?),
                false => None,
            };
            return Ok(Self {
                component: bytes,
                declaration: declaration.map(|text| (beside, text)),
            });
        }
        let unpacked: Box<dyn Read> = match bytes.starts_with(b"\x1f\x8b") {
            true => Box::new(GzDecoder::new(&bytes[..])),
            false => Box::new(&bytes[..]),
        };
        let contents = contents(unpacked).map_err(wrong)?;
        let found = match contents.contains_key("index.json") {
            true => of_layout(contents),
            false => of_archive(contents),
        };
        let (component, declaration) = found.map_err(wrong)?;
        // What is installed must be readable again.
        if let Some(text) = declaration
            .as_ref()
            .filter(|text| text.len() > declaration::MOST_BYTES)
        {
            return Err(wrong(format!(
                "its {FILE} has {} bytes, and at most {} are allowed; shorten it",
                text.len(),
                declaration::MOST_BYTES
            )));
        }
        Ok(Self {
            component,
            declaration: declaration.map(|text| (source.join(FILE), text)),
        })
    }
}

/// The contents of an archive that may be needed, by their paths.
fn contents(archive: impl Read) -> Result<BTreeMap<String, Vec<u8>>, String> {
    // Headers and padding come on top of the contents.
    let most = MOST_CONTENT + MOST_ENTRIES as u64 * 4096;
    let mut archive = Archive::new(archive.take(most));
    let too_much = || format!("the archive holds more than {} MiB", MOST_CONTENT >> 20);
    let mut contents = BTreeMap::new();
    let mut room = MOST_CONTENT;
    let entries = archive.entries().map_err(|error| damaged(0, &error))?;
    for (number, entry) in entries.enumerate() {
        let damaged = |error: io::Error| damaged(number, &error);
        let entry = entry.map_err(damaged)?;
        if number >= MOST_ENTRIES {
            return Err(format!("the archive has more than {MOST_ENTRIES} entries"));
        }
        let path = entry.path().map_err(damaged)?.into_owned();
        let name = inside(&path)?;
        match entry.header().entry_type() {
            EntryType::Regular => {}
            EntryType::Directory | EntryType::XGlobalHeader => continue,
            other => {
                return Err(format!(
                    "the archive holds {name:?}, which is not a regular file ({other:?}); only files and directories are allowed"
                ));
            }
        }
        room = room.checked_sub(entry.size()).ok_or_else(too_much)?;
        if !is_needed(&name) {
            continue;
        }
        let mut content = Vec::new();
        let size = entry.size();
        entry
            .take(size)
            .read_to_end(&mut content)
            .map_err(damaged)?;
        if contents.insert(name.clone(), content).is_some() {
            return Err(format!("the archive holds {name:?} twice"));
        }
    }
    // The checksum of a compressed archive stands at its end, behind all entries.
    let mut rest = archive.into_inner();
    io::copy(&mut rest, &mut io::sink())
        .map_err(|_| "the archive is damaged: its checksum does not match; get it again")?;
    match rest.limit() {
        0 => Err(too_much()),
        _ => Ok(contents),
    }
}

/// What is wrong with what can't be read as an archive, after so many entries. The words of the error may hold
/// whatever is in the file, so they are not reported.
fn damaged(entries: usize, error: &io::Error) -> String {
    let ends = match error.kind() {
        io::ErrorKind::UnexpectedEof => ", it ends too early",
        _ => "",
    };
    match entries {
        0 => format!("it is neither a component nor an archive that can be read{ends}"),
        entries => format!("the archive is damaged after entry {entries}{ends}; get it again"),
    }
}

/// A path of an archive as a name, if it stays within.
fn inside(path: &Path) -> Result<String, String> {
    let mut parts = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(part) => parts.push(part.to_str().ok_or_else(|| {
                format!("the archive holds {path:?}, whose name is not UTF-8; rename it")
            })?),
            Component::CurDir => {}
            _ => {
                return Err(format!(
                    "the archive names {path:?}, which is outside of it; do not trust it"
                ));
            }
        }
    }
    Ok(parts.join("/"))
}

fn is_needed(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    file == FILE || file == COMPONENT || name == "index.json" || name.starts_with("blobs/sha256/")
}

/// The two files of an archive, both at its top or both in one directory.
fn of_archive(
    mut contents: BTreeMap<String, Vec<u8>>,
) -> Result<(Vec<u8>, Option<Vec<u8>>), String> {
    let components: Vec<_> = contents
        .keys()
        .filter(|name| name.rsplit('/').next() == Some(COMPONENT))
        .cloned()
        .collect();
    match &components[..] {
        [name] => {
            let declaration = format!("{}{FILE}", name.trim_end_matches(COMPONENT));
            let declaration = contents.remove(&declaration);
            Ok((contents.remove(name).unwrap_or_default(), declaration))
        }
        [] => Err(format!("the archive holds no {COMPONENT}")),
        _ => Err(format!(
            "the archive holds several adapters ({}); make one archive for each",
            components.join(", ")
        )),
    }
}

/// The component of an image layout, and its declaration. Every content is checked against its digest.
fn of_layout(contents: BTreeMap<String, Vec<u8>>) -> Result<(Vec<u8>, Option<Vec<u8>>), String> {
    let index: Index = described("index.json", contents.get("index.json").map(Vec::as_slice))?;
    let [manifest] = &index.manifests[..] else {
        return Err(format!(
            "index.json names {} manifests; it must name exactly one",
            index.manifests.len()
        ));
    };
    if manifest.media_type.contains("index") {
        return Err("index.json names another index; copy the image of one platform".to_owned());
    }
    let manifest: ImageManifest = described("the manifest", Some(blob(&contents, manifest)?))?;
    let titled = |layer: &&Descriptor, title: &str| {
        let name = layer.annotations.get("org.opencontainers.image.title");
        name.is_some_and(|name| name == title)
    };
    let components: Vec<_> = manifest
        .layers
        .iter()
        .filter(|layer| layer.media_type == "application/wasm" || titled(layer, COMPONENT))
        .collect();
    let [component] = components[..] else {
        return Err(format!(
            "the manifest names {} layers of type application/wasm; it must name exactly one",
            components.len()
        ));
    };
    let declaration = manifest.layers.iter().find(|layer| titled(layer, FILE));
    let declaration = declaration
        .map(|layer| blob(&contents, layer))
        .transpose()?;
    Ok((
        blob(&contents, component)?.to_vec(),
        declaration.map(<[u8]>::to_vec),
    ))
}

fn described<T: serde::de::DeserializeOwned>(name: &str, text: Option<&[u8]>) -> Result<T, String> {
    let text = text.unwrap_or_default();
    if text.len() > MOST_DESCRIPTION {
        return Err(format!(
            "{name} has {} bytes, which is too large",
            text.len()
        ));
    }
    serde_json::from_slice(text).map_err(|error| format!("{name}: {error}"))
}

/// A content of an image layout, which is what its digest says.
fn blob<'c>(
    contents: &'c BTreeMap<String, Vec<u8>>,
    descriptor: &Descriptor,
) -> Result<&'c [u8], String> {
    let digest = &descriptor.digest;
    let Some(hash) = digest.strip_prefix("sha256:") else {
        return Err(format!("the digest {digest:?} is not a sha256 digest"));
    };
    let content = contents
        .get(&format!("blobs/sha256/{hash}"))
        .ok_or_else(|| format!("the content {digest} is missing"))?;
    if content.len() as u64 != descriptor.size || sha256(content) != hash {
        return Err(format!(
            "the content {digest} does not match its digest; it is damaged or was changed"
        ));
    }
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_within_its_archive() {
        assert_eq!(inside(Path::new("./a/b")).as_deref(), Ok("a/b"));
        for outside in ["/etc/passwd", "../a", "a/../../b"] {
            assert!(inside(Path::new(outside)).is_err(), "{outside}");
        }
    }
}
