//! Installing from archives, whoever made them: what is in them is taken, and nothing else happens.

use std::{fs, io::Write};

use flate2::{Compression, write::GzEncoder};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tar::{Builder, EntryType, Header};

use super::fixture::{User, made};

/// A tar archive of entries: kind, path, content.
fn archive(entries: &[(EntryType, &str, &[u8])]) -> Vec<u8> {
    let mut builder = Builder::new(Vec::new());
    for (kind, path, content) in entries {
        let mut header = Header::new_gnu();
        header.set_entry_type(*kind);
        header.set_mode(0o644);
        header.set_size(content.len() as u64);
        // As a hostile program writes it: the library would refuse such a path.
        let name = &mut header.as_old_mut().name;
        name[..path.len()].copy_from_slice(path.as_bytes());
        if *kind == EntryType::Symlink {
            header.set_size(0);
            header.set_link_name("/etc/passwd").expect("a link");
            header.set_cksum();
            builder.append(&header, &[][..]).expect("an entry");
        } else {
            header.set_cksum();
            builder.append(&header, *content).expect("an entry");
        }
    }
    builder.into_inner().expect("an archive")
}

fn files(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let entries: Vec<_> = entries
        .iter()
        .map(|(path, content)| (EntryType::Regular, *path, *content))
        .collect();
    archive(&entries)
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("compressed");
    encoder.finish().expect("compressed")
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// An image layout with these layers: media type, title, content.
fn layout(layers: &[(&str, &str, &[u8])]) -> Vec<(String, Vec<u8>)> {
    let mut contents = Vec::new();
    let mut keep = |kind: &str, title: &str, content: &[u8]| -> Value {
        let hash = sha256(content);
        contents.push((format!("blobs/sha256/{hash}"), content.to_vec()));
        json!({ "mediaType": kind, "digest": format!("sha256:{hash}"), "size": content.len(),
                "annotations": { "org.opencontainers.image.title": title } })
    };
    let layers: Vec<_> = layers
        .iter()
        .map(|(kind, title, content)| keep(kind, title, content))
        .collect();
    let config = keep("application/vnd.wasm.config.v0+json", "config", b"{}");
    let manifest = json!({ "schemaVersion": 2, "config": config, "layers": layers }).to_string();
    let manifest = keep(
        "application/vnd.oci.image.manifest.v1+json",
        "manifest",
        manifest.as_bytes(),
    );
    let index = json!({ "schemaVersion": 2, "manifests": [manifest] }).to_string();
    contents.push(("index.json".into(), index.into_bytes()));
    contents.push((
        "oci-layout".into(),
        br#"{"imageLayoutVersion":"1.0.0"}"#.to_vec(),
    ));
    contents
}

fn packed(contents: &[(String, Vec<u8>)]) -> Vec<u8> {
    let entries: Vec<_> = contents
        .iter()
        .map(|(path, content)| (path.as_str(), content.as_slice()))
        .collect();
    files(&entries)
}

#[test]
fn an_archive_with_both_files_is_installed_gzipped_or_not_in_a_directory_or_not() {
    let (component, declaration) = (made("lamp").component(), made("lamp").declaration());
    let declaration = declaration.as_bytes();
    let plain = files(&[("adapter.toml", declaration), ("adapter.wasm", &component)]);
    let nested = files(&[
        ("README.md", b"nothing"),
        ("./lamp/adapter.wasm", &component),
        ("./lamp/adapter.toml", declaration),
    ]);
    for (name, bytes) in [
        ("lamp.tar", plain.clone()),
        ("lamp.tar.gz", gzipped(&plain)),
        ("lamp.tgz", gzipped(&nested)),
    ] {
        let user = User::new();
        let file = user.download(name, &bytes);
        let receipt = user.json(&["adapter", "install", &file]);
        assert_eq!(receipt["source"], name);
        assert_eq!(user.assess("lamp", "lamp").code(), 0, "{name}");
        assert_eq!(
            fs::read(user.installed("lamp").join("adapter.toml")).expect("installed"),
            declaration,
            "as its author wrote it"
        );
    }
}

#[test]
fn an_image_layout_is_installed_and_its_digests_are_checked() {
    let user = User::new();
    let (component, declaration) = (made("lamp").component(), made("lamp").declaration());
    let wasm = ("application/wasm", "lamp.wasm", component.as_slice());
    let toml = ("application/toml", "adapter.toml", declaration.as_bytes());
    for layers in [&[wasm][..], &[wasm, toml]] {
        let file = user.download("lamp.oci.tar", &packed(&layout(layers)));
        user.json(&["adapter", "install", "--project", &file]);
        assert_eq!(user.assess("lamp", "lamp").code(), 0);
        user.json(&["adapter", "remove", "lamp"]);
    }
    let install = |contents: &[(String, Vec<u8>)], said: &str| {
        let file = user.download("bad.tar", &packed(contents));
        user.refused(
            &["adapter", "install", &file],
            &["bad.tar", "incompatible", said],
        );
    };
    let good = layout(&[wasm]);
    for place in [0, 1, 2] {
        let mut bad = good.clone();
        let last = bad[place].1.len() - 1;
        bad[place].1[last] ^= 1;
        // The second one is the configuration, which nobody needs.
        if place != 1 {
            install(&bad, "does not match its digest");
        }
        bad.remove(place);
        if place != 1 {
            install(&bad, "is missing");
        }
    }
    let second = ("application/wasm", "other.wasm", &b"other"[..]);
    install(&layout(&[wasm, second]), "2 layers");
    install(&layout(&[]), "0 layers");
    let text = |text: &str| vec![("index.json".to_owned(), text.as_bytes().to_vec())];
    install(&text("{}"), "index.json");
    install(&text(r#"{"manifests": []}"#), "0 manifests");
    install(
        &text(r#"{"manifests": [{"digest": "md5:1", "size": 1}]}"#),
        "not a sha256 digest",
    );
    install(
        &text(r#"{"manifests": [{"digest": "sha256:../../x", "size": 1}]}"#),
        "is missing",
    );
}

#[test]
fn a_hostile_archive_is_refused_and_nothing_is_written() {
    let user = User::new();
    let component = made("lamp").component();
    let declaration = made("lamp").declaration();
    let both: [(EntryType, &str, &[u8]); 2] = [
        (EntryType::Regular, "adapter.toml", declaration.as_bytes()),
        (EntryType::Regular, "adapter.wasm", &component),
    ];
    let with =
        |entry: (EntryType, &'static str, &'static [u8])| archive(&[&both[..], &[entry]].concat());
    let cut = files(&[("adapter.wasm", &component)]);
    let many: Vec<_> = (0..300)
        .map(|_| (EntryType::Regular, "x", &b""[..]))
        .collect();
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (
            with((EntryType::Regular, "../outside", b"x")),
            "outside of it",
        ),
        (
            with((EntryType::Regular, "/tmp/outside", b"x")),
            "outside of it",
        ),
        (
            with((EntryType::Symlink, "link", b"")),
            "not a regular file",
        ),
        (with((EntryType::Link, "link", b"")), "not a regular file"),
        (with((EntryType::Fifo, "pipe", b"")), "not a regular file"),
        (with((EntryType::Char, "device", b"")), "not a regular file"),
        (with((EntryType::Regular, "adapter.wasm", b"x")), "twice"),
        (
            with((EntryType::Regular, "other/adapter.wasm", b"x")),
            "several adapters",
        ),
        (archive(&many), "more than 256 entries"),
        (files(&[("adapter.toml", b"")]), "no adapter.wasm"),
        (cut[..cut.len() / 3].to_vec(), "incompatible"),
        (gzipped(&cut)[..1000].to_vec(), "incompatible"),
        (b"hello".to_vec(), "neither a component nor an archive"),
        (Vec::new(), "it is empty"),
    ];
    for (bytes, said) in cases {
        let file = user.download("odd.tar", &bytes);
        user.refused(&["adapter", "install", &file], &["odd.tar", said]);
    }
    assert!(
        !user.home.path().join("adapters").exists(),
        "nothing was written"
    );
    user.refused(
        &["adapter", "install", "/nowhere/x.wasm"],
        &["/nowhere/x.wasm"],
    );
    let directory = user.downloads.path().display().to_string();
    user.refused(&["adapter", "install", &directory], &["not a regular file"]);
}

#[test]
fn a_bomb_is_not_unpacked() {
    let user = User::new();
    // Two gigabytes of nothing, said and not said in the header of the entry.
    let mut header = Header::new_gnu();
    header.as_old_mut().name[..12].copy_from_slice(b"adapter.wasm");
    header.set_size(2 << 30);
    header.set_cksum();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(header.as_bytes()).expect("a header");
    let zeros = vec![0; 1 << 20];
    for _ in 0..200 {
        encoder.write_all(&zeros).expect("zeros");
    }
    let bomb = encoder.finish().expect("a bomb");
    assert!(bomb.len() < 2 << 20);
    let file = user.download("bomb.tar.gz", &bomb);
    user.refused(&["adapter", "install", &file], &["more than 72 MiB"]);
    let big = user.download("big.wasm", b"\0asm");
    let sparse = fs::File::options().write(true).open(&big).expect("a file");
    sparse.set_len(100 << 20).expect("a large file");
    user.refused(&["adapter", "install", &big], &["which is the maximum"]);
}

#[test]
fn what_could_not_be_read_again_is_not_installed() {
    let user = User::new();
    let component = made("lamp").component();
    let declaration = format!("{}#{}\n", made("lamp").declaration(), "x".repeat(64 << 10));
    let declaration = declaration.as_bytes();
    let wasm = ("application/wasm", "lamp.wasm", component.as_slice());
    let toml = ("application/toml", "adapter.toml", declaration);
    for bytes in [
        files(&[("adapter.toml", declaration), ("adapter.wasm", &component)]),
        packed(&layout(&[wasm, toml])),
    ] {
        let file = user.download("lamp.tar", &bytes);
        let said = ["adapter.toml has", "at most 65536 are allowed"];
        user.refused(&["adapter", "install", &file], &said);
    }
    assert!(!user.installed("lamp").exists());
}

#[test]
fn a_compressed_archive_is_checked_to_its_end() {
    let user = User::new();
    let declaration = made("lamp").declaration();
    let good = gzipped(&files(&[
        ("adapter.toml", declaration.as_bytes()),
        ("adapter.wasm", &made("lamp").component()),
    ]));
    // The checksum, the length, and a part of both.
    for from_end in [8, 5, 4, 1] {
        let mut bad = good.clone();
        let place = bad.len() - from_end;
        bad[place] ^= 1;
        let file = user.download("lamp.tar.gz", &bad);
        let said = ["lamp.tar.gz", "its checksum does not match"];
        user.refused(&["adapter", "install", &file], &said);
    }
    let file = user.download("lamp.tar.gz", &good[..good.len() - 3]);
    user.refused(&["adapter", "install", &file], &["damaged"]);
    let file = user.download("lamp.tar.gz", &good);
    user.json(&["adapter", "install", &file]);
}

#[test]
fn what_is_wrong_with_a_file_is_told_in_a_line_of_words() {
    let user = User::new();
    let noise: Vec<u8> = (0..100_000_u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    let mut header = Header::new_gnu();
    header.as_old_mut().name[..2].copy_from_slice(b"\xff\xfe");
    header.set_entry_type(EntryType::Regular);
    header.set_size(0);
    header.set_cksum();
    let mut builder = Builder::new(Vec::new());
    builder.append(&header, &[][..]).expect("an entry");
    let unreadable = builder.into_inner().expect("an archive");
    for (bytes, said) in [
        (noise, "it is neither a component nor an archive"),
        (unreadable, "is not UTF-8"),
    ] {
        let file = user.download("odd.bin", &bytes);
        let ran = user.run(&["adapter", "install", &file]);
        let told = ran.stderr();
        assert!(told.contains(said), "{told}");
        assert!(told.lines().count() == 1 && told.len() < 300, "{told}");
    }
}
