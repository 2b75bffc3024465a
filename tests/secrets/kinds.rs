//! Made-up secrets of every common kind, put together at run time: no whole key stands in the source.

/// A secret and a text in which it stands the way it would in a command or an output.
pub struct Secret {
    pub kind: &'static str,
    /// The text with the secret in it.
    pub text: String,
    /// What must never be seen again.
    pub hidden: String,
}

impl Secret {
    /// Pieces of it: not even a part may be found.
    pub fn pieces(&self) -> Vec<&str> {
        let hidden = self.hidden.as_str();
        let piece = |from: usize| &hidden[from..from + 12];
        match hidden.len() {
            0..24 => vec![hidden],
            length => vec![piece(length / 4), piece(length / 2), piece(length - 12)],
        }
    }
}

const MIXED: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const CAPITALS: &str = "ABCDEFGHJKLMNPQRSTUVWXYZ234567";
const HEX: &str = "0123456789abcdef";

/// Characters that look drawn by lot, the same for the same seed.
fn drawn(seed: u64, alphabet: &str, length: usize) -> String {
    let alphabet = alphabet.as_bytes();
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        char::from(alphabet[(state >> 33) as usize % alphabet.len()])
    };
    // The first draws of a small seed are alike.
    for _ in 0..16 {
        next();
    }
    (0..length).map(|_| next()).collect()
}

/// One secret of every kind; another seed gives others.
pub fn secrets(seed: u64) -> Vec<Secret> {
    let mut all = keys(seed);
    all.extend(in_context(seed));
    all
}

/// Keys that are known by their own looks.
fn keys(seed: u64) -> Vec<Secret> {
    let mut all = Vec::new();
    let mut add = |kind, prefix: [&str; 2], alphabet, length| {
        let seed = seed * 1_000 + all.len() as u64;
        let hidden = format!("{}{}", prefix.concat(), drawn(seed, alphabet, length));
        all.push(Secret {
            kind,
            text: hidden.clone(),
            hidden,
        });
    };
    add("OpenAI", ["sk", "-proj-"], MIXED, 74);
    add("OpenAI, older", ["sk", "-"], MIXED, 48);
    add("OpenAI service account", ["sk", "-svcacct-"], MIXED, 60);
    add("Anthropic", ["sk", "-ant-api03-"], MIXED, 93);
    add("OpenRouter", ["sk", "-or-v1-"], HEX, 64);
    add("GitHub personal", ["gh", "p_"], MIXED, 36);
    add("GitHub OAuth", ["gh", "o_"], MIXED, 36);
    add("GitHub app", ["gh", "s_"], MIXED, 36);
    add("GitHub fine-grained", ["github", "_pat_"], MIXED, 82);
    add("GitLab", ["gl", "pat-"], MIXED, 20);
    add("AWS access key", ["AK", "IA"], CAPITALS, 16);
    add("AWS session key", ["AS", "IA"], CAPITALS, 16);
    add("Google API", ["AI", "za"], MIXED, 35);
    add("Google OAuth", ["ya", "29."], MIXED, 80);
    add("Google client", ["GOC", "SPX-"], MIXED, 28);
    add("Slack bot", ["xo", "xb-210123456789-"], MIXED, 24);
    add("Slack user", ["xo", "xp-210123456789-"], MIXED, 24);
    add("Stripe live", ["sk", "_live_"], MIXED, 24);
    add("Stripe restricted", ["rk", "_live_"], MIXED, 24);
    add("Stripe webhook", ["wh", "sec_"], MIXED, 32);
    add("npm", ["np", "m_"], MIXED, 36);
    add("PyPI", ["py", "pi-AgEI"], MIXED, 100);
    add("RubyGems", ["ruby", "gems_"], HEX, 48);
    add("crates.io", ["c", "io"], MIXED, 32);
    add("Hugging Face", ["h", "f_"], MIXED, 34);
    add("Replicate", ["r", "8_"], MIXED, 37);
    add("Groq", ["gs", "k_"], MIXED, 52);
    add("xAI", ["xa", "i-"], MIXED, 80);
    add("Perplexity", ["ppl", "x-"], MIXED, 48);
    add("SendGrid", ["SG", ".abcDEF123456ghijklMNOP."], MIXED, 43);
    add("Databricks", ["da", "pi"], HEX, 32);
    add("DigitalOcean", ["dop", "_v1_"], HEX, 64);
    add("HashiCorp Vault", ["hv", "s."], MIXED, 90);
    add("Doppler", ["dp", ".pt."], MIXED, 43);
    add("Linear", ["lin", "_api_"], MIXED, 40);
    add("Notion", ["nt", "n_"], MIXED, 46);
    add("Shopify", ["shp", "at_"], HEX, 32);
    add("Docker Hub", ["dckr", "_pat_"], MIXED, 27);
    add("Grafana", ["glc", "_"], MIXED, 60);
    add("Postman", ["PMAK", "-0123456789abcdef01234567-"], HEX, 34);
    add("PlanetScale", ["pscale", "_tkn_"], MIXED, 43);
    add("Supabase", ["sbp", "_"], HEX, 40);
    all
}

/// Secrets that are known by what stands around them.
fn in_context(seed: u64) -> Vec<Secret> {
    let mut all = Vec::new();
    let mut add = |kind, template: &str, alphabet, length| {
        let seed = seed * 1_000 + 500 + all.len() as u64;
        let hidden = format!("q7{}", drawn(seed, alphabet, length));
        all.push(Secret {
            kind,
            text: template.replace('@', &hidden).replace('§', "@"),
            hidden,
        });
    };
    add("bearer token", "Authorization: Bearer @", MIXED, 38);
    add(
        "bearer token in curl",
        "curl -H 'Authorization: Bearer @' https://api.example",
        MIXED,
        30,
    );
    add("token header", "X-Api-Key: @", MIXED, 30);
    add("basic credentials", "Authorization: Basic @", MIXED, 38);
    add("cookie", "Cookie: session=@", MIXED, 38);
    add(
        "password in a URL",
        "postgres://app:@§db.example:5432/shop",
        MIXED,
        14,
    );
    add(
        "password in a git URL",
        "https://deploy:@§git.example/x.git",
        MIXED,
        18,
    );
    add(
        "token in a query",
        "https://api.example/v1?access_token=@&page=2",
        MIXED,
        30,
    );
    add("assigned password", "DB_PASSWORD=@", MIXED, 14);
    add("exported secret", "export CLIENT_SECRET=\"@\"", MIXED, 30);
    add("AWS secret", "AWS_SECRET_ACCESS_KEY=@", MIXED, 38);
    add(
        "Azure storage",
        "AccountName=shop;AccountKey=@==;EndpointSuffix=core",
        MIXED,
        84,
    );
    add("YAML password", "password: @", MIXED, 14);
    add(
        "JSON secret",
        "{\"client_secret\": \"@\", \"page\": 1}",
        MIXED,
        30,
    );
    add("password flag", "mysql --password=@ shop", MIXED, 14);
    add("token flag", "deploy --token @ now", MIXED, 30);
    add("npm auth", "//registry.example/:_authToken=@", MIXED, 34);
    add(
        "SQL Server",
        "Server=db;User Id=app;Password=@;Encrypt=yes",
        MIXED,
        14,
    );
    add(
        "netrc",
        "machine api.example login app password @",
        MIXED,
        16,
    );
    for (kind, template) in [
        ("mysql's flag", "mysql -u root -p@ shop"),
        ("sshpass's flag", "sshpass -p @ ssh bob§host"),
        ("redis-cli's flag", "redis-cli -a @ ping"),
        ("curl's user", "curl --user bob:@ https://api.example"),
        ("unzip's flag", "unzip -P @ a.zip"),
        ("variable of a Dockerfile", "\nENV DB_PASSWORD @\n"),
        ("YAML on the next line", "\ndb:\n  password:\n    @\n"),
        ("XML attribute", "<user name=\"bob\" password=\"@\"/>"),
        ("XML key and value", "<add key=\"Password\" value=\"@\" />"),
        (
            "inserted row",
            "INSERT INTO t (name, password) VALUES ('bob', '@');",
        ),
        ("role's password", "ALTER ROLE bob PASSWORD '@'"),
        ("Russian", "пароль: @"),
        ("Spanish", "contraseña: @"),
        ("Chinese", "密码：@"),
        ("prose", "the password is @"),
        ("argument of a call", "ds.setPassword(\"@\");"),
    ] {
        add(kind, template, MIXED, 16);
    }
    let jwt = format!(
        "{}.{}.{}",
        drawn(seed + 81, MIXED, 30),
        drawn(seed + 82, MIXED, 60),
        drawn(seed + 83, MIXED, 43)
    );
    let jwt = format!(
        "{}{}",
        ["ey", "J"].concat(),
        jwt.replacen('.', &[".ey", "J"].concat(), 1)
    );
    all.push(Secret {
        kind: "JSON web token",
        text: jwt.clone(),
        hidden: jwt,
    });
    for kind in ["RSA ", "EC ", "OPENSSH ", ""] {
        let seed = seed * 1_000 + 900 + all.len() as u64;
        let lines: Vec<_> = (0..8)
            .map(|line| drawn(seed + line * 37, MIXED, 64))
            .collect();
        let name = [kind, "PRIV", "ATE KEY-----"].concat();
        let text = format!("-----BEGIN {name}\n{}\n-----END {name}", lines.join("\n"));
        all.push(Secret {
            kind: "private key block",
            text,
            hidden: lines[3].clone(),
        });
    }
    all
}
