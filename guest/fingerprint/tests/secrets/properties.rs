//! Properties that hold for any text: no panic, whole characters, and nothing left to mask twice.
//!
//! This module owns a small deterministic generator of hostile texts, made of pieces that the rules
//! react to, and the checks over many of them. It needs no crate and no clock, so a failure repeats
//! from its seed.

use twiceshy_fingerprint::secrets::{mask, mask_json};

/// Marsaglia's xorshift: enough to mix pieces, and the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }
}

const PIECES: &[&str] = &[
    "password",
    "PASSWORD",
    "token",
    "secret",
    "api_key",
    "Api Key",
    "=",
    ":",
    ": ",
    " = ",
    "=>",
    ":=",
    "==",
    "\"",
    "'",
    "`",
    "\\\"",
    "\\",
    "\\n",
    "\n",
    "\r\n",
    " ",
    "\t",
    "hunter2",
    "abc123def456",
    "é",
    "密",
    "，",
    "<",
    ">",
    "<secret>",
    "<secret:password>",
    "<secret:",
    "<password>",
    "</password>",
    "--password",
    "-u",
    "--user",
    "-H",
    "bob:pw",
    "://",
    "https://",
    "@",
    "@tcp(",
    "/",
    "?",
    "&",
    ";",
    ",",
    "|",
    ">-",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "Authorization",
    "Bearer",
    "Basic",
    "dXNlcjpwYXNz",
    "Cookie",
    "Set-Cookie",
    "a=b",
    "-----",
    "----",
    "BEGIN ",
    "END ",
    "RSA PRIVATE KEY",
    "Proc-Type",
    "Private-Lines: 2",
    "MIIEvQIBADANBgkq",
    "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zaB3dE5gH7jK9",
    "\x1b[31m",
    "\x1b[0m",
    "\\x1b[1m",
    "\x1b",
    "1b[",
    "%3D",
    "%20",
    "%5D",
    "%",
    "machine",
    "login",
    "IDENTIFIED BY",
    "with",
    "5432",
    ":5432:",
    "*",
    "thin:",
    "bot",
    "1234567",
    "eyJ",
    ".",
    "-",
    "_",
    "M",
    "s.",
    "AKIA",
    "IA",
    "0123456789ABCDEF",
    "hooks.slack.com/services/",
    "ghp",
    "sk",
    "$VAR",
    "${X}",
    "***",
    "null",
    "passphrase: ",
    "0",
    "xoxb",
    "…",
    "“",
    "\u{0}",
    "\u{7f}",
    "id=",
    "mysql ",
    "-p",
    "sshpass -p ",
    "docker login ",
    "echo ",
    "| sudo -S x",
    "ENV ",
    "setenv ",
    "set -x ",
    "VALUES (",
    "(name, password) ",
    "INSERT INTO t ",
    "<add key=\"",
    " value=\"",
    "<![CDATA[",
    "<key>Password</key>",
    "<string>",
    "name=\"password\"\n\n",
    "- name: DB_PASSWORD\n  value: ",
    "$6$",
    "$2b$12$",
    "pbkdf2_sha256$",
    "：",
    "пароль: ",
    "密码",
    "contraseña",
    "mot de passe : ",
    "the password is ",
    "AUTH ",
    "PASS ",
    "setPassword(",
    "auth=(",
    "sha256~",
    "8Q~",
    "-us14",
    "sqlplus a/",
    "/p:",
    "A3-",
    "::add-mask::",
];

fn text(dice: &mut Dice) -> String {
    let len = 1 + dice.roll(24);
    (0..len).map(|_| PIECES[dice.roll(PIECES.len())]).collect()
}

/// How many texts are tried; a campaign asks for more by `TWICESHY_ROUNDS`.
fn rounds() -> usize {
    let asked = std::env::var("TWICESHY_ROUNDS").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(20_000)
}

#[test]
fn masking_a_masked_text_changes_nothing() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    for _ in 0..rounds() {
        let text = text(&mut dice);
        let once = mask(&text);
        assert_eq!(mask(&once), once, "{text:?}");
    }
}

#[test]
fn masking_masked_json_changes_nothing_and_leaves_json() {
    let mut dice = Dice(0x0dd0_57a7_e5ee_d123);
    for _ in 0..rounds() {
        let (a, b, c) = (text(&mut dice), text(&mut dice), text(&mut dice));
        let json = match dice.roll(4) {
            0 => serde_json::json!({ a: b, "x": [c] }),
            1 => serde_json::json!([a, { "name": b, "value": c }]),
            2 => serde_json::json!({ "password": a, "Authorization": b, "args": ["-u", c] }),
            _ => serde_json::json!([a, b, [c, 1, null, { "token": 12345 }]]),
        };
        let json = json.to_string();
        let once = mask_json(&json);
        assert!(
            serde_json::from_str::<serde_json::Value>(&once).is_ok(),
            "{json}\n{once}"
        );
        assert_eq!(mask_json(&once), once, "{json}");
    }
}

#[test]
fn broken_json_and_cut_texts_do_no_harm() {
    let mut dice = Dice(0x1234_5678_9abc_def1);
    for _ in 0..rounds() / 4 {
        let whole = format!("{{\"a\": [\"{}\", {{\"password\": \"x", text(&mut dice));
        let cut = (0..=dice.roll(whole.len()))
            .rev()
            .find(|&i| whole.is_char_boundary(i))
            .unwrap_or(0);
        let once = mask_json(&whole[..cut]);
        assert_eq!(mask_json(&once), once, "{:?}", &whole[..cut]);
    }
}

#[test]
fn deep_and_long_texts_are_handled() {
    let deep = format!(
        "{}\"password=a1\"{}",
        "[".repeat(10_000),
        "]".repeat(10_000)
    );
    assert!(mask_json(&deep).contains("<secret"));
    for piece in [
        "=",
        ":",
        "-",
        "<",
        "\\",
        "password=",
        "--password ",
        concat!("-----BEGIN PRIV", "ATE KEY-----"),
        "https://a:",
    ] {
        let long = piece.repeat(20_000);
        let once = mask(&long);
        assert_eq!(mask(&once), once, "{piece:?}");
    }
}
