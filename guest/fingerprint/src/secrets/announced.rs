//! Keys that nothing but a word or their own beginning announces.
//!
//! This module owns the machine-made word that stands a blank behind a telling one (`weatherstack KEY 4f…`, *the key is 4f…*),
//! and the one with a beginning of its own (`odt_4f…`), as vendors give their keys whom no list knows. Both are asked at the start of long
//! words only.

use super::bytes::*;
use super::names::{Level, Sensitive, classify};
use super::values::is_made;
use super::{Kind, Span};

const NAME: u16 = URLSAFE | DOT;
/// How far back a telling word may begin.
const MAX_NAME: usize = 64;

/// The machine-made word at `i`, if the word before it says that it is a key, a token or a secret.
pub(super) fn word_at(t: &[u8], i: usize, floor: usize) -> Option<Span> {
    let lowest = floor.max(i.saturating_sub(MAX_NAME));
    let mut end = run_back(t, i, lowest, QUOTE);
    let blank = end;
    while end > lowest && matches!(t[end - 1], b' ' | b'\t') {
        end -= 1;
    }
    if end == blank {
        return None;
    }
    for verb in [&b" is"[..], b" was"] {
        end -= if t[lowest..end].ends_with(verb) {
            verb.len()
        } else {
            0
        };
    }
    let start = run_back(t, end, lowest, NAME);
    let said = classify(&t[start..end])?;
    let telling = matches!(said.kind, Kind::ApiKey | Kind::Secret | Kind::Token)
        && matches!(said.level, Level::Sure | Level::Likely | Level::Made);
    let stop = run(t, i, URLSAFE | BASE64);
    // An account's address on a chain is public.
    if stop - i == 42 && t[i..].starts_with(b"0x") {
        return None;
    }
    // `unexpected token …`, `RSA key …`: the word before says what kind of thing it is.
    let qualified = said.bare && is_plain(word_before(t, start, lowest));
    (telling && !qualified && is_made(&t[i..stop], needs_more(said))).then_some(Span {
        start: i,
        end: stop,
        kind: said.kind,
    })
}

/// The machine-made word at `i` that a dash glues to what it is: `shop-secret-4f…`, `shop-api-key-4f…`.
pub(super) fn glued_at(t: &[u8], i: usize, floor: usize) -> Option<Span> {
    let dash = i
        .checked_sub(1)
        .filter(|&dash| dash > floor && t[dash] == b'-')?;
    let start = run_back(t, dash, floor.max(dash.saturating_sub(MAX_NAME)), URLSAFE);
    let path = start > 0 && matches!(t[start - 1], b'/' | b'.' | b'@');
    let stop = run(t, i, WORD);
    // A UUID and a file's name stand for something.
    let goes_on = is_at(t, stop, URLSAFE | DOT | BASE64) && is_at(t, stop + 1, ALNUM);
    let said = classify(&t[start..dash])?;
    let telling = matches!(said.kind, Kind::ApiKey | Kind::Secret | Kind::Token)
        && matches!(said.level, Level::Sure | Level::Likely);
    (telling && !path && !goes_on && is_made(&t[i..stop], false)).then_some(Span {
        start: i,
        end: stop,
        kind: said.kind,
    })
}

/// Of a key without an owner, digests say nothing: `key 4f…` is that of a cache as often.
fn needs_more(said: Sensitive) -> bool {
    said.bare && said.kind == Kind::ApiKey
}

fn word_before(t: &[u8], i: usize, lowest: usize) -> &[u8] {
    let end = i.saturating_sub(1).max(lowest);
    &t[run_back(t, end, lowest, UPPER | LOWER)..end]
}

/// Words before `key` and `token` that make them something else.
fn is_plain(word: &[u8]) -> bool {
    use super::lexicon::{KEYS_PLAIN, LEXICAL, listed};
    listed(LEXICAL, word)
        || listed(KEYS_PLAIN, word)
        || listed("rsa dsa ecdsa ed gpg pgp primary subkey with", word)
}

/// The key at `i` that has a vendor's beginning: a word or some between underscores, then letters of both cases and digits as
/// lots are drawn. What programs make of names changes its case less often.
pub(super) fn prefixed_at(t: &[u8], i: usize, end: usize) -> Option<Span> {
    const BODY: usize = 28;
    const MAX_PREFIX: usize = 16;
    let word = &t[i..end];
    let under = word.iter().rposition(|b| *b == b'_')?;
    let (prefix, body) = (&word[..under], &word[under + 1..]);
    let named = (2..=MAX_PREFIX).contains(&prefix.len())
        && is(prefix[0], LOWER)
        && prefix.iter().all(|b| is(*b, LOWER | DIGIT | UNDER));
    let m = mix(body);
    let class = |b: u8| (is(b, UPPER), is(b, DIGIT));
    let turns = body
        .windows(2)
        .filter(|w| class(w[0]) != class(w[1]))
        .count();
    let drawn = body.len() >= BODY
        && m.upper >= 3
        && m.lower >= 3
        && m.digit >= 3
        && turns * 5 > body.len() * 2;
    (named && drawn).then_some(Span {
        start: i,
        end,
        kind: Kind::ApiKey,
    })
}

#[cfg(test)]
mod tests {
    use super::super::mask;

    #[test]
    fn a_machine_made_word_behind_a_telling_one_is_hidden() {
        for text in [
            "weatherstack KEY §",
            "podioToken §",
            "your key is §, keep it",
            "zonka ACCESS_KEY §",
            "-storagekey §",
            "Using Key=§",
            "https://x.test/list?key=§&page=1",
            "bitfinexKey := \"§\"",
        ] {
            let text = text.replace('§', "4ve4aj6v38uiadaq9hcgpupp2b3lh2k8");
            assert!(!mask(&text).contains("uiadaq9hcg"), "{}", mask(&text));
        }
    }

    #[test]
    fn a_key_with_a_beginning_of_its_own_is_hidden() {
        for key in [
            "odt_K7Jl9q2AGxGlqG4riKdT7p980AW8RlU5",
            "ak_live_X7Zab3123XYZabQ1w3XYZa9c123X",
        ] {
            assert_eq!(
                mask(&format!("use {key} here")),
                "use <secret:api-key> here"
            );
        }
    }

    #[test]
    fn a_key_glued_to_what_it_is_is_hidden() {
        for name in ["shop-secret", "shop-token", "less-api-key", "SHOP_SECRET"] {
            let text = format!("use {name}-4ve4aj6v38uiadaq9hcgpupp2b3lh2k8 here");
            assert_eq!(mask(&text).find("<secret"), Some(5 + name.len()), "{text}");
        }
        for text in [
            "pod/token-service-7d9f8b6c5d-x2k4q",
            "secret-3f2a9c1e-8b7d-6a5f-4e3d-2c1b0a9f8e7d is missing",
            "cache/token-3f2a9c1e8b7d6a5f4e3d2c1b0a9f8e7d.json",
            "default-token-x7k2p",
        ] {
            assert_eq!(mask(text), text);
        }
    }

    #[test]
    fn digests_names_and_public_keys_stay() {
        for text in [
            "gpg: using RSA key 4AEE18F83AFDEB23B5A1F0B2C3D4E5F6A7B8C9D0",
            "Cache restored from key: Linux-node-3f2a9c0d1e4b5a6f7081",
            "cache_key=3f2a9c0d1e4b5a6f70813f2a9c0d1e4b",
            "primary key 3f2a9c0d1e4b5a6f70813f2a9c0d1e4b",
            "unexpected token f3a9c0d1e4b5a6f70813f2a9c0d1e4bz",
            "NoSuchKey: key uploads/2024/summer-report-0123456789.pdf",
            "ssh public key AAAAB3NzaC1yc2EAAAADAQABAAABgQC7",
            "undefined symbol: test_getUserNameFromConfiguration12And34",
            "pwd: -p: invalid option\npwd: usage: pwd [-LP]",
            "no such key serde_json_value_to_writer_pretty_0123",
        ] {
            assert_eq!(mask(text), text);
        }
    }
}
