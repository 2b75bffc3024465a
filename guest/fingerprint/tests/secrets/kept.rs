//! Examples of what is kept: error language, hashes, code and placeholders.
//!
//! This module owns the negative examples. Each one resembles a secret to a careless eye; masking
//! any of them would take words out of a failure's text or hide what helps to understand it.

use std::borrow::Cow;
use twiceshy_fingerprint::secrets::{mask, mask_json};

const KEPT: &[&str] = &[
    // Parsers and their tokens.
    "token: unexpected",
    "unexpected token: '}'",
    "Unexpected token < in JSON at position 0",
    "expected token \"x\"",
    "SyntaxError: Unexpected token 'export'",
    "unexpected token: identifier2",
    "Unexpected token: `foo_bar2`, expected one of: `;`",
    "error: expected one of `!` or `::`, found `token`",
    "max_tokens=100",
    "max_tokens: 4096, total_tokens: 1234567890",
    "tokenizer=bert-base-uncased-v2",
    "eos_token=\"</s>\" pad_token=\"[PAD]\"",
    "next_page_token: abc123def456",
    "token_type: bearer1234",
    "let token = self.next_token();",
    "token: Token::Ident2(abc),",
    "token = parser.token2",
    "Token expired",
    "token count: 12345678",
    // Passwords spoken about.
    "invalid password: must be at least 8 characters",
    "FATAL: password authentication failed for user \"postgres\"",
    "password: incorrect",
    "Password: required",
    "Enter password: ",
    "password is required",
    "password for user bob:",
    "the password: for the account was wrong",
    "password: \"must contain a digit\"",
    "sudo: a password is required",
    "Permission denied (publickey,password).",
    "fn login(user: &str, password: &str) -> bool",
    "password: String,",
    "password: Option<String>,",
    "password = os.environ[\"DB_PASSWORD\"]",
    "password=config.password",
    "password = getpass.getpass()",
    "def f(password: str = None):",
    "password = :password",
    "password_file=/run/secrets/db",
    "PWD=/home/bob/src2",
    "OLDPWD=/home/bob/src2",
    "passwordless=true1",
    "test result: ok. pass: 12; fail: 0",
    "PASS: test_token2_roundtrip",
    "pub colon_token: Token![:],",
    "pub const SET_ENCRYPTION_KEY: u32 = 3225445912;",
    "password: *mut u8,",
    // Values that are no secrets.
    "password=",
    "password=null",
    "password: true",
    "token: none",
    "PASSWORD=$PASSWORD",
    "PASSWORD=${DB_PASSWORD}",
    "set PASSWORD=%DB_PASSWORD%",
    "password=<your password>",
    "password=***",
    "password: ********",
    "password: {{ vault_password }}",
    "api_key=xxxxxxxxxxxx",
    "password: '%s'",
    "\"password\": \"[REDACTED]\"",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer <token>",
    "Authorization header missing",
    "Authorization: failed",
    "www-authenticate: Bearer realm=\"x\", error=\"invalid_token\"",
    "Basic authentication required",
    "bearer authentication is not supported",
    "cookie: not set",
    // Names that only resemble.
    "author=bob2024x",
    "keyboard=qwerty12",
    "monkey=banana12",
    "primary_key=id",
    "key=value",
    "key: abc123def456",
    "SECRET",
    "secret \"my-tls\" not found",
    "secretName: my-tls-2",
    "secretary=alice99x",
    "compass=north123",
    "public_key=abc123def456",
    "aws_access_key_id",
    "error: secret: not found",
    "Error from server (NotFound): secrets \"db-creds2\" not found",
    "private_key_id: 12",
    "sig=11",
    "signal: 11, SIGSEGV: invalid memory reference",
    // Hashes, ids and data.
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "id 123e4567-e89b-12d3-a456-426614174000",
    "session_id: 123e4567-e89b-12d3-a456-426614174000",
    "integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
    "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7vbqajDhA bob@host",
    "aGVsbG8gd29ybGQgdGhpcyBpcyB0ZXN0IGRhdGE=",
    "eyJhbGciOiJIUzI1NiJ9",
    "0x7ffee4b5c8a0",
    "at 0x00007f1234567890",
    "[::1]:8080 fe80::1:5432:a:b:c",
    "2024-05-01T10:22:01.123456Z 12:30:45:123:5",
    "https://example.com:8080/path/to@x?page=2#frag",
    "ssh://git@github.com/x/y.git git@github.com:x/y.git",
    "https://user@example.com/",
    "src/main.rs:12:5: error[E0425]: cannot find value `x`",
    "main.c:1234:func:var:msg",
    "/usr/lib/python3.11/site-packages/sklearn/tree.py",
    "sk-learn-contrib-imbalanced-estimators-v2",
    "sk-estimator npm_config_registry npm_lifecycle_event",
    "s.someVeryLongMethodNameHere()",
    "hf_hub_download hf_transfer ghp_placeholder",
    "ACCESS_DENIED SKIPPED ACCOUNT_LOCKED",
    "key-value-store key-1234",
    "docker run -u 1000:1000 --user 0:0 img",
    "git push -u origin HEAD:main",
    "error: unexpected argument '--token' found",
    "--password <PASSWORD>  the password to use",
    "--token string   API token",
    "usage: x [--api-key API_KEY] [--secret SECRET]",
    "use --password-stdin or --password-file x.txt",
    "credential.helper=store2go",
    "xoxo-hugs pypi-publish dapi shpat_ SG.x",
    "Cargo.lock: checksum = \"3f786850e387550fdab836ed7e6dc881de23001b\"",
    "-----BEGIN CERTIFICATE-----",
    concat!(
        "error: no -----BEGIN PRIV",
        "ATE KEY----- line found in input"
    ),
    "-------------------------------- live log call ---",
    "100% of 3a=b %d %s",
    "assert_eq!(left, right) left: 1 right: 2",
    "ошибка: пароль неверен, ключ: не найден",
];

const AROUND: &[&str] = &[
    "@",
    "@\n",
    "  @",
    "first line\n@\nlast line",
    "a\r\n@\r\nb",
    "2024-05-01 10:22:01 ERROR @",
    "\x1b[31m@\x1b[0m",
    "日本語 @\nです",
];

#[test]
fn error_language_hashes_and_placeholders_stay() {
    assert!(KEPT.len() >= 60);
    for text in KEPT {
        for around in AROUND {
            let text = around.replace('@', text);
            assert_eq!(mask(&text), text);
            assert!(matches!(mask(&text), Cow::Borrowed(_)));
        }
    }
}

#[test]
fn the_same_texts_stay_inside_json() {
    for text in KEPT {
        let json =
            serde_json::json!({ "stderr": text, "code": 1, "args": ["-x", text] }).to_string();
        assert_eq!(mask_json(&json), json);
        assert_eq!(mask(&json), json);
    }
}

#[test]
fn json_that_speaks_about_secrets_stays() {
    for text in [
        r#"{"password":["This field is required."]}"#,
        r#"{"password":"must be at least 8 characters"}"#,
        r#"{"properties":{"password":{"type":"string"},"token":{"type":"string"}}}"#,
        r#"{"token":"identifier","max_tokens":4096,"usage":{"total_tokens":123456}}"#,
        r#"{"password":null,"secret":"","token":false}"#,
        r#"{"name":"token","value":"}"}"#,
        r#"["--token-file","a/b.txt","--verbose","-u","1000:1000"]"#,
        r#"{"n":12345678901234567890123,"x":1e400}"#,
        r#"{"code":"\ud800"}"#,
        "[]",
        "{}",
    ] {
        assert_eq!(mask_json(text), text);
    }
}
