//! Examples of what is masked: keys, headers, fields, URLs and blocks in many surroundings.
//!
//! This module owns the positive examples and nothing else. Keys are put together from a prefix and
//! a made-up body, so that no whole key stands in the source for a scanner to stumble over. An
//! example passes only when the secret, the whole of it and nothing else gives way to a placeholder.

use twiceshy_fingerprint::secrets::{mask, mask_json};

/// What stands for a secret, by its kind.
const PLACEHOLDERS: [&str; 10] = [
    "<secret:api-key>",
    "<secret:basic>",
    "<secret:bearer>",
    "<secret:cookie>",
    "<secret:jwt>",
    "<secret:password>",
    "<secret:private-key>",
    "<secret>",
    "<secret:token>",
    "<secret:webhook>",
];

fn fill(alphabet: &str, len: usize) -> String {
    alphabet.chars().cycle().take(len).collect()
}

fn any(len: usize) -> String {
    fill("aB3dE5gH7jK9mN1pQ2sT4vW6xY8zR0cU", len)
}

fn hex(len: usize) -> String {
    fill("0a1b2c3d4e5f6978", len)
}

fn caps(len: usize) -> String {
    fill("Q3ZX7KD2MPW5", len)
}

/// One key of every shape.
fn keys() -> Vec<String> {
    let k = |prefix: &[&str], body: String| format!("{}{}", prefix.concat(), body);
    let mut keys = vec![
        k(&["sk", "-"], any(48)),
        k(&["sk", "-"], hex(32)),
        k(
            &["sk", "-proj-"],
            format!("{}_{}-{}", any(40), any(30), any(20)),
        ),
        k(&["sk", "-svcacct-"], any(60)),
        k(&["sk", "-ant-api03-"], format!("{}-{}AA", any(50), any(40))),
        k(&["sk", "-or-v1-"], hex(64)),
        k(&["github", "_pat_"], format!("{}_{}", any(22), any(59))),
        k(&["AI", "za"], any(35)),
        k(&["ya", "29."], format!("a0{}-{}", any(60), any(40))),
        k(&["GOCSPX", "-"], any(28)),
        k(&["1/", "/0"], any(60)),
        k(&["xoxe", ".xoxb-1-"], any(60)),
        k(&["xapp", "-1-A0123-"], any(64)),
        k(&["SK"], hex(32)),
        k(&["AC"], hex(32)),
        k(&["SG", "."], format!("{}.{}", any(22), any(43))),
        k(&["key", "-"], hex(32)),
        k(&["npm", "_"], any(36)),
        k(&["pypi", "-AgEI"], any(100)),
        k(&["cio"], any(32)),
        k(&["rubygems", "_"], hex(48)),
        k(&["hf", "_"], any(34)),
        k(&["r8", "_"], any(37)),
        k(&["gsk", "_"], any(52)),
        k(&["xai", "-"], any(80)),
        k(&["pplx", "-"], any(48)),
        k(&["fw", "_"], any(24)),
        k(&["dapi"], hex(32)),
        k(&["hvs", "."], any(90)),
        k(&["hvb", "."], any(120)),
        k(&["s", "."], any(24)),
        k(&["dp", ".pt."], any(43)),
        k(&["lin", "_api_"], any(40)),
        k(&["secret", "_"], any(43)),
        k(&["ntn", "_"], any(46)),
        k(&["sq0atp", "-"], any(22)),
        k(&["sq0csp", "-"], any(43)),
        k(&["ATATT3", "xFfGF0"], format!("{}={}", any(100), hex(8))),
        k(&["sbp", "_"], hex(40)),
        k(&["pscale", "_tkn_"], any(43)),
        k(&["PMAK", "-"], format!("{}-{}", hex(24), hex(34))),
        k(&["NRAK", "-"], caps(27)),
        k(&["glsa", "_"], format!("{}_{}", any(32), hex(8))),
        k(&["glc", "_"], format!("{}==", any(60))),
        k(&["sntrys", "_"], format!("{}=_{}", any(60), any(43))),
        k(&["dckr", "_pat_"], any(27)),
        format!("{}.{}{}", any(14), ["atlas", "v1."].concat(), any(67)),
        k(&["AGE-", "SECRET-KEY-1"], caps(58)),
        format!("{}:{}{}", "123456789", "AA", any(33)),
        format!("M{}.{}.{}", any(23), any(6), any(38)),
        format!("eyJ{}.eyJ{}.{}", any(30), any(60), any(43)),
        format!("{}{}:{}{}", "AAAA", any(7), "APA91b", any(134)),
    ];
    for p in ["ghp", "gho", "ghu", "ghs", "ghr"] {
        keys.push(k(&[p, "_"], any(36)));
    }
    for p in ["glpat", "gldt", "glrt"] {
        keys.push(k(&[p, "-"], any(20)));
    }
    for p in ["AK", "AS", "AB"] {
        keys.push(k(&[p, "IA"], caps(16)));
    }
    for p in ["xoxb", "xoxp", "xoxa", "xoxr", "xoxs"] {
        keys.push(k(&[p, "-"], format!("2{}-{}", "0123456789", any(24))));
    }
    for p in ["sk_live", "rk_live", "sk_test", "pk_live"] {
        keys.push(k(&[p, "_"], any(24)));
    }
    keys.push(k(&["wh", "sec_"], any(32)));
    for p in ["dop", "doo"] {
        keys.push(k(&[p, "_v1_"], hex(64)));
    }
    for p in ["shpat", "shpss"] {
        keys.push(k(&[p, "_"], hex(32)));
    }
    keys
}

/// Masks `text`, in which `secret` stands, and checks that it alone went, as a whole.
#[track_caller]
fn hides(text: &str, secret: &str) {
    let masked = mask(text);
    let fits = |placeholder: &&str| text.replace(secret, placeholder) == *masked;
    assert!(PLACEHOLDERS.iter().any(fits), "{text:?} became {masked:?}");
    assert_eq!(mask(&masked), masked, "masking again changed {masked:?}");
}

#[test]
fn every_key_is_hidden_in_every_surrounding() {
    let keys = keys();
    assert!(keys.len() >= 60, "{}", keys.len());
    for key in &keys {
        for around in [
            "@",
            "got @ there",
            "\"@\"",
            "'@'",
            "{\"a\":\"@\"}",
            "{\\\"a\\\":\\\"@\\\"}",
            "https://x.example/y?q=@&r=1",
            "export X=@",
            "X=\"@\"",
            "first line\nerror: rejected @\nlast line",
            "a\r\n@\r\nb",
            "escaped\\n@\\nmore",
            "\x1b[31m@\x1b[0m",
            "red\x1b[31m@\x1b[0m green",
            "ключ @ неверен",
            "密钥@。",
            "(@)",
            "[@]",
            "a,@,b",
            "<b>@</b>",
            "%22@%22",
            "`@`",
        ] {
            hides(&around.replace('@', key), key);
        }
    }
}

#[test]
fn a_key_with_codes_inside_it_is_hidden() {
    let key = format!("{}{}", ["gh", "p_"].concat(), any(36));
    let coloured = format!("{}\x1b[1m{}", &key[..10], &key[10..]);
    assert_eq!(mask(&format!("x {coloured} y")), "x <secret:token> y");
    assert_eq!(
        mask("\x1b[1mDB_\x1b[32mPASSWORD\x1b[0m=hunter2"),
        "\x1b[1mDB_\x1b[32mPASSWORD\x1b[0m=<secret:password>"
    );
    assert_eq!(
        mask("\x1b[1mpassword\x1b[0m: \x1b[2mhunter2\x1b[0m"),
        "\x1b[1mpassword\x1b[0m: \x1b[2m<secret:password>\x1b[0m"
    );
}

/// `§` stands for the secret; the first of each pair is the secret, the second the text.
const FIELDS: &[(&str, &str)] = &[
    ("hunter2", "DB_PASSWORD=§"),
    ("hunter2", "DB_PASSWORD=§\r\nDB_USER=bob"),
    ("swordfish", "password: §"),
    ("va lue", "export API_SECRET=\"§\""),
    ("hunter2", "    db_passwd = '§'"),
    ("hunter2", "spring.datasource.password=§"),
    ("hunter2", "dbPassword: '§',"),
    ("hunter2", "connect(user=bob, password=§)"),
    ("hunter2", "{user=bob, password=§}"),
    ("hunter2", "passwd=§;"),
    ("p@ss,w;rd&x", "PASSWORD=§"),
    ("hunter2", "Server=db;Uid=sa;Pwd=§;Encrypt=yes"),
    (
        "hunter2",
        "jdbc:mysql://db:3306/x?user=bob&password=§&ssl=true",
    ),
    ("hunter2", "jdbc:postgresql://db/x?password=§"),
    ("hunter2", "host=db user=bob password=§ dbname=x"),
    ("abc", "https://x.example/?password=§#top"),
    ("hunter2", "mysql+pymysql://root:§@127.0.0.1:3306/x"),
    (
        "hunter2",
        "could not connect to redis://:§@cache:6379/0: timed out",
    ),
    ("hunter2", "Client secret: §"),
    ("abcd1234efgh", "token: §"),
    ("abcd1234efgh", "invalid token: §"),
    ("abc123", "GET /x?token=§&page=2 HTTP/1.1"),
    ("0a1b2c3d4e5f6978aabbccdd", "GET /x?sv=1&sig=§ HTTP/1.1"),
    ("abcd", "GITHUB_TOKEN=§ make"),
    (
        "tGzv3JOkF0XG5Qx2TlKWIA",
        "{\"access_token\":\"§\",\"token_type\":\"bearer\"}",
    ),
    (
        "aB3dE5gH7jK9mN1pQ2sT4vW6xY8z/+aB3dE5gH7j",
        "aws_secret_access_key = §",
    ),
    (
        "aB3dE5gH7jK9mN1p==",
        "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=§;EndpointSuffix=y",
    ),
    (
        "aB3dE5gH7jK9mN1p=",
        "Endpoint=sb://x/;SharedAccessKeyName=n;SharedAccessKey=§",
    ),
    ("abc-def", "X-Api-Key: §"),
    ("abc.def-123", "Authorization: Bearer §"),
    (
        "dXNlcjpwYXNz",
        "curl -H 'Authorization: Basic §' https://x.example",
    ),
    ("dXNlcjpwYXNz", "Proxy-Authorization: Basic §\r\nHost: x"),
    ("0a1b2c3d4e5f69780a1b", "authorization: Token §"),
    ("mF_9.B5f-4.1JqM", "sent Bearer § and failed"),
    ("sid=abc123; theme=dark", "Cookie: §\r\nHost: x"),
    ("sid=abc123; Path=/; HttpOnly", "Set-Cookie: §"),
    ("sid=abc123", "curl -H \"Cookie: §\" https://x.example"),
    ("hunter2", "psql --password § -h db"),
    ("hunter2", "tool --api-key=§ run"),
    ("abcdef", "tool --token § run"),
    ("s3cr3t!", "tool --secret '§' run"),
    ("hunter2", "curl -u bob:§ https://x.example"),
    ("hunter2", "curl --user 'bob:§' https://x.example"),
    ("hunter2", "args: [\"login\", \"--password\", \"§\"]"),
    ("hunter2", "machine x.example login bob password §"),
    ("hunter2", "machine x.example\n  login bob\n  password §\n"),
    ("hunter2", "db.example:5432:prod:app:§"),
    ("hunter2", "*:*:*:app:§\nnext"),
    ("hunter2", "root:§@tcp(127.0.0.1:3306)/x?parseTime=true"),
    (
        "T0123ABCD/B0123ABCD/aB3dE5gH7jK9mN1pQ2sT4vW6",
        "POST https://hooks.slack.com/services/§ 404",
    ),
    (
        "123456789012345678/aB3dE5gH7jK9mN1pQ2sT4vW6xY8z",
        "https://discord.com/api/webhooks/§",
    ),
    ("hunter2", "MISTRAL_API_KEY=§"),
    ("hunter2", "CLOUDFLARE_API_TOKEN=\"§\""),
    ("0a1b2c3d-4e5f-6978-0a1b-2c3d4e5f6978", "HEROKU_API_KEY=§"),
    ("hunter2", "okta.client.token=§"),
    ("hunter2", "passwort=§"),
    ("пароль7", "password=§ и всё"),
    ("hunter2", "пароль password=§，再试"),
    (
        "hunter2",
        "ERROR 10:22:01 worker-3 login failed, password=§, retrying",
    ),
    ("correct horse battery staple", "\"passphrase\": \"§\""),
    ("$2b$10$abcdefghijklmnopqrstuv", "password_hash: §"),
    ("0a1b2c3d4e5f69780a1b", "https://§@git.example/x.git"),
    ("hunter2", "<add key=\"x\" password=\"§\" />"),
    ("secret", "password=\"§\""),
    ("hunter2", "_authToken=§"),
    ("123456", "otp=§"),
    ("hunter2", "- name: x\n  password: §\n  user: y"),
    ("hunter2", "\"Password\":\"§\""),
    ("hunter2", "msg=\"login\" password=\"§\" user=bob"),
    ("hunter2", "PASSWORD='§' ./run.sh"),
    ("hunter2", "$password = '§';"),
    ("hunter2", "password:§"),
    ("hunter2", "let api_key = \"§\";"),
];

#[test]
fn every_field_is_hidden() {
    for (secret, text) in FIELDS {
        hides(&text.replace('§', secret), secret);
        hides(
            &format!("before\n{}\nafter", text.replace('§', secret)),
            secret,
        );
        if !text.contains('\n') && !text.starts_with("*:") && !text.starts_with("db.") {
            hides(
                &format!("\x1b[2m12:01\x1b[0m {}", text.replace('§', secret)),
                secret,
            );
        }
    }
}

#[test]
fn names_flags_and_pairs_make_json_values_secret() {
    for (text, want) in [
        (
            r#"{"b":1,"password":"hunter2","a":[1.50]}"#,
            r#"{"b":1,"password":"<secret:password>","a":[1.50]}"#,
        ),
        (
            r#"["psql","--password","x y","-h","db"]"#,
            r#"["psql","--password","<secret:password>","-h","db"]"#,
        ),
        (
            r#"["curl","-u","bob:pw","x"]"#,
            r#"["curl","-u","bob:<secret:password>","x"]"#,
        ),
        (
            r#"["curl","-H","Authorization: Bearer abc.def"]"#,
            r#"["curl","-H","Authorization: Bearer <secret:bearer>"]"#,
        ),
        (
            r#"{"Authorization":["Bearer abcd"]}"#,
            r#"{"Authorization":["Bearer <secret:bearer>"]}"#,
        ),
        (
            r#"{"name":"DB_PASSWORD","value":"x1"}"#,
            r#"{"name":"DB_PASSWORD","value":"<secret:password>"}"#,
        ),
        (
            r#"{"value":"x1","name":"DB_PASSWORD"}"#,
            r#"{"value":"<secret:password>","name":"DB_PASSWORD"}"#,
        ),
        (
            r#"{"passwords":["a1","b2"]}"#,
            r#"{"passwords":["<secret:password>","<secret:password>"]}"#,
        ),
        (
            r#"{"password":12345678}"#,
            r#"{"password":"<secret:password>"}"#,
        ),
        (
            r#"{"client_secret":"a\"b\u00e9"}"#,
            r#"{"client_secret":"<secret>"}"#,
        ),
        (
            r#"{"cookie":"a=b; c=d"}"#,
            r#"{"cookie":"<secret:cookie>"}"#,
        ),
        (
            r#"{"body":"{\"password\":\"x1\"}"}"#,
            r#"{"body":"{\"password\":\"<secret:password>\"}"}"#,
        ),
        (
            "{\"password\":\"a1\"}\n{\"b\":2}\n",
            "{\"password\":\"<secret:password>\"}\n{\"b\":2}\n",
        ),
        (
            "not json password=a1",
            "not json password=<secret:password>",
        ),
        (
            r#""--password hunter2""#,
            r#""--password <secret:password>""#,
        ),
    ] {
        assert_eq!(mask_json(text), want);
        assert_eq!(mask_json(want), want);
    }
}
