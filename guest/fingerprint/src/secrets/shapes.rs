//! The shapes of keys: what a provider's key looks like by itself, wherever it stands.
//!
//! This module owns the table of key prefixes and the check of what follows one. It is asked only
//! at word starts, and a table of byte pairs turns away nearly all of those at the cost of one
//! lookup. It knows nothing of key names or of a value's surroundings.

use super::bytes::*;
use super::{Kind, Span};

/// What a key's body has to show beyond its alphabet and length.
#[derive(Clone, Copy, PartialEq)]
enum Need {
    /// A digit, or letters of both cases.
    Varied,
    /// Upper case, lower case and two digits: for prefixes short enough to begin a word.
    Mixed,
    /// Sixteen letters and digits in a row, one of them a digit: kebab-case names have no such run.
    Run,
    /// Two or more parts between dots.
    Dots,
    /// A colon after seven bytes.
    Colon,
    /// A part that begins with `acc`.
    Acc,
    /// Nothing.
    Any,
}
use Need::*;

struct Shape {
    prefix: &'static str,
    alphabet: u16,
    min: usize,
    /// Where given, the body ends exactly at a word boundary within this length.
    max: usize,
    need: Need,
    kind: Kind,
}

const OPEN: usize = usize::MAX;

const fn key(prefix: &'static str, alphabet: u16, min: usize) -> Shape {
    Shape {
        prefix,
        alphabet,
        min,
        max: OPEN,
        need: Varied,
        kind: Kind::ApiKey,
    }
}

const fn token(prefix: &'static str, alphabet: u16, min: usize) -> Shape {
    Shape {
        prefix,
        alphabet,
        min,
        max: OPEN,
        need: Varied,
        kind: Kind::Token,
    }
}

const fn exact(prefix: &'static str, alphabet: u16, min: usize, max: usize, need: Need) -> Shape {
    Shape {
        prefix,
        alphabet,
        min,
        max,
        need,
        kind: Kind::ApiKey,
    }
}

const fn open(prefix: &'static str, alphabet: u16, min: usize, need: Need) -> Shape {
    Shape {
        prefix,
        alphabet,
        min,
        max: OPEN,
        need,
        kind: Kind::ApiKey,
    }
}

/// A private key as base64 of its whole block.
const fn private(prefix: &'static str) -> Shape {
    Shape {
        prefix,
        alphabet: B64,
        min: 16,
        max: OPEN,
        need: Any,
        kind: Kind::PrivateKey,
    }
}

const HEXLOW: u16 = HEX;
const CAPS: u16 = UPPER | DIGIT;
const DOTTED: u16 = URLSAFE | DOT;
const B64: u16 = ALNUM | BASE64;

/// Every prefix, longer ones before the shorter ones they begin with.
static SHAPES: &[Shape] = &[
    // Model providers.
    key("sk-ant-", URLSAFE, 20),
    key("sk-proj-", URLSAFE, 20),
    key("sk-svcacct-", URLSAFE, 20),
    key("sk-admin-", URLSAFE, 20),
    key("sk-lf-", HEX | DASH, 36),
    open("sk-", URLSAFE, 20, Run),
    key("hf_", ALNUM, 30),
    key("api_org_", ALNUM, 30),
    key("r8_", ALNUM, 30),
    key("gsk_", ALNUM, 30),
    key("xai-", ALNUM, 40),
    key("pplx-", ALNUM, 32),
    key("fw_", ALNUM, 20),
    key("csk-", ALNUM, 30),
    key("nvapi-", URLSAFE, 40),
    key("tvly-", URLSAFE, 24),
    key("lsv2_pt_", WORD, 30),
    key("lsv2_sk_", WORD, 30),
    key("jina_", URLSAFE, 40),
    key("pcsk_", WORD, 50),
    key("bedrock-api-key-", B64, 30),
    key("ABSK", B64, 100),
    // Code hosts, registries and build services.
    token("glffct-", DOTTED, 20),
    token("GR1348941", URLSAFE, 20),
    exact("cmVmd", ALNUM, 59, 59, Mixed),
    key("CLOJARS_", ALNUM, 50),
    exact("oy2", LOWER | DIGIT, 43, 43, Varied),
    token("squ_", HEX, 40),
    token("sqp_", HEX, 40),
    token("sqa_", HEX, 40),
    token("pnu_", ALNUM, 36),
    token("pnb_", ALNUM, 36),
    token("rdme_", ALNUM, 60),
    token("ddp_", ALNUM, 36),
    token("ddw_", ALNUM, 36),
    key("apify_api_", ALNUM, 30),
    exact("API-", CAPS, 25, 32, Varied),
    key("ico-", ALNUM, 32),
    token("github_pat_", WORD, 22),
    token("ghp_", WORD, 30),
    token("gho_", WORD, 30),
    token("ghu_", WORD, 30),
    token("ghs_", WORD, 30),
    token("ghr_", WORD, 30),
    token("glpat-", DOTTED, 20),
    token("gldt-", DOTTED, 20),
    token("glrt-", DOTTED, 20),
    token("glptt-", DOTTED, 20),
    token("glcbt-", DOTTED, 20),
    token("glft-", DOTTED, 20),
    token("glsoat-", DOTTED, 20),
    token("glimt-", DOTTED, 20),
    token("glagent-", DOTTED, 20),
    token("gloas-", DOTTED, 20),
    token("npm_", ALNUM, 36),
    token("pypi-AgE", URLSAFE, 20),
    exact("cio", ALNUM, 32, 32, Mixed),
    token("rubygems_", HEX, 32),
    token("dckr_pat_", URLSAFE, 20),
    token("dckr_oat_", URLSAFE, 20),
    token("ATATT3", URLSAFE | BASE64, 20),
    token("ATCTT3", URLSAFE | BASE64, 20),
    exact("ATBB", ALNUM, 32, 32, Mixed),
    token("CCIPAT_", WORD, 30),
    token("bkua_", HEX, 30),
    token("sgp_", HEX | UNDER, 40),
    token("figd_", URLSAFE, 30),
    token("AKCp", ALNUM, 60),
    // Clouds and infrastructure.
    exact("LTAI", ALNUM, 12, 24, Mixed),
    exact("AKID", ALNUM, 32, 32, Mixed),
    exact("4b1d", ALNUM, 38, 38, Mixed),
    open("v1.0-", HEX | DASH, 150, Varied),
    key("dnkey-", URLSAFE, 60),
    key("dt0c01.", DOTTED, 60),
    key("dt0s01.", DOTTED, 60),
    key("dt0s16.", DOTTED, 60),
    key("fm1a_", B64, 80),
    key("fm1r_", B64, 80),
    key("fm2_", B64, 80),
    key("fo1_", URLSAFE, 40),
    key("tk-us-", URLSAFE, 40),
    exact("AQVN", URLSAFE, 35, 40, Mixed),
    open("t1.", DOTTED, 100, Dots),
    exact("sdk-", HEX | DASH, 36, 36, Varied),
    open("sc_", DOTTED, 50, Acc),
    open("ext_", DOTTED, 50, Acc),
    open("scauth_", DOTTED, 50, Acc),
    open("authress_", DOTTED, 50, Acc),
    open("sat.", DOTTED, 60, Dots),
    open("pat.", DOTTED, 60, Dots),
    open("pat", ALNUM | DOT, 75, Dots),
    private("LS0tLS1CRUdJTiBSU0EgUFJJVkFUR"),
    private("LS0tLS1CRUdJTiBQUklWQVRF"),
    private("LS0tLS1CRUdJTiBFQyBQUklWQVRF"),
    private("LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUg"),
    private("LS0tLS1CRUdJTiBFTkNSWVBURUQg"),
    private("LS0tLS1CRUdJTiBEU0EgUFJJVkFUR"),
    exact("AKIA", CAPS, 16, 16, Any),
    exact("ASIA", CAPS, 16, 16, Any),
    exact("ABIA", CAPS, 16, 16, Any),
    exact("ACCA", CAPS, 16, 16, Any),
    exact("AIza", URLSAFE, 33, 40, Varied),
    open("AAAA", URLSAFE | COLON, 100, Colon),
    token("ya29.", DOTTED, 20),
    token("1//0", URLSAFE, 30),
    key("GOCSPX-", URLSAFE, 20),
    token("dop_v1_", HEXLOW, 32),
    token("doo_v1_", HEXLOW, 32),
    token("dor_v1_", HEXLOW, 32),
    exact("dapi", HEXLOW | DASH, 32, 36, Varied),
    token("hvs.", URLSAFE, 20),
    token("hvb.", URLSAFE, 20),
    token("hvr.", URLSAFE, 20),
    exact("s.", ALNUM, 24, 24, Mixed),
    token("dp.pt.", DOTTED, 20),
    token("dp.st.", DOTTED, 20),
    token("dp.ct.", DOTTED, 20),
    token("dp.sa.", DOTTED, 20),
    token("atlasv1.", URLSAFE, 40),
    token("sbp_", HEX, 40),
    key("sb_secret_", URLSAFE, 20),
    token("pscale_tkn_", DOTTED, 20),
    token("pscale_pw_", DOTTED, 20),
    token("pscale_oauth_", DOTTED, 20),
    token("tskey-", URLSAFE, 20),
    token("pul-", HEXLOW, 40),
    token("HRKU-", URLSAFE, 30),
    token("nfp_", ALNUM, 30),
    // Chat, mail, payment and desk services.
    key("ops_eyJ", B64, 100),
    exact("A3-", CAPS | DASH, 32, 36, Varied),
    key("p8e-", ALNUM, 32),
    open("sl.", URLSAFE, 100, Varied),
    key("duffel_live_", URLSAFE, 40),
    key("duffel_test_", URLSAFE, 40),
    exact("EZAK", ALNUM, 54, 54, Mixed),
    exact("EZTK", ALNUM, 54, 54, Mixed),
    open("EAAA", URLSAFE, 56, Mixed),
    open("EAA", ALNUM, 80, Mixed),
    key("FLWSECK_TEST-", ALNUM | DASH, 12),
    key("FLWSECK-", ALNUM | DASH, 12),
    key("fio-u-", URLSAFE, 60),
    token("eyJrIjoi", B64, 60),
    key("NRII-", URLSAFE, 20),
    key("NRIQ-", URLSAFE, 20),
    key("NRAA-", URLSAFE, 20),
    key("NRJS-", HEX, 19),
    key("access-sandbox-", HEX | DASH, 36),
    key("access-production-", HEX | DASH, 36),
    key("access-development-", HEX | DASH, 36),
    key("xkeysib-", URLSAFE, 60),
    key("xsmtpsib-", URLSAFE, 60),
    key("sm_pat_", ALNUM, 16),
    key("sm_aat_", ALNUM, 16),
    key("sm_sat_", ALNUM, 16),
    key("shippo_live_", HEX, 40),
    key("shippo_test_", HEX, 40),
    key("tfp_", URLSAFE | DOT, 40),
    key("phx_", ALNUM, 40),
    key("phs_", ALNUM, 40),
    key("VF.DM.", DOTTED, 30),
    key("VF.WS.", DOTTED, 30),
    key("CFPAT-", URLSAFE, 40),
    key("rzp_live_", ALNUM, 14),
    key("amzn.mws.", URLSAFE, 30),
    key("sk_prod_", WORD, 10),
    token("xoxb-", URLSAFE, 10),
    token("xoxp-", URLSAFE, 10),
    token("xoxa-", URLSAFE, 10),
    token("xoxr-", URLSAFE, 10),
    token("xoxs-", URLSAFE, 10),
    token("xoxc-", URLSAFE, 10),
    token("xoxd-", URLSAFE | BASE64 | PERCENT, 10),
    token("xoxe-", URLSAFE, 10),
    token("xoxe.xox", URLSAFE, 10),
    token("xapp-", URLSAFE, 20),
    key("sk_live_", WORD, 10),
    key("sk_test_", WORD, 10),
    key("rk_live_", WORD, 10),
    key("rk_test_", WORD, 10),
    key("pk_live_", WORD, 10),
    key("whsec_", B64, 20),
    exact("sk_", HEXLOW, 40, 64, Varied),
    exact("pk_", HEXLOW, 34, 34, Varied),
    exact("SK", HEXLOW, 32, 32, Varied),
    exact("AC", HEXLOW, 32, 32, Varied),
    open("SG.", DOTTED, 32, Dots),
    exact("key-", HEXLOW, 32, 32, Varied),
    key("lin_api_", ALNUM, 20),
    key("lin_oauth_", ALNUM, 20),
    exact("secret_", ALNUM, 40, 50, Mixed),
    key("ntn_", ALNUM, 30),
    key("shpat_", HEX, 32),
    key("shpss_", HEX, 32),
    key("shpca_", HEX, 32),
    key("shppa_", HEX, 32),
    key("sq0atp-", URLSAFE, 20),
    key("sq0csp-", URLSAFE, 20),
    key("PMAK-", HEX | DASH, 30),
    key("NRAK-", CAPS, 20),
    key("glsa_", WORD, 30),
    key("glc_", B64, 30),
    key("sntrys_", B64 | UNDER, 30),
    key("sntryu_", HEX, 40),
    Shape {
        prefix: "AGE-SECRET-KEY-1",
        alphabet: CAPS,
        min: 30,
        max: OPEN,
        need: Varied,
        kind: Kind::PrivateKey,
    },
];

/// Which byte pairs can begin a shape, one bit each.
static PAIRS: [u64; 1024] = {
    let mut bits = [0u64; 1024];
    let mut n = 0;
    while n < SHAPES.len() {
        let p = SHAPES[n].prefix.as_bytes();
        let pair = (p[0] as usize) << 8 | p[1] as usize;
        bits[pair >> 6] |= 1 << (pair & 63);
        n += 1;
    }
    bits
};

/// The shapes by first byte: the head of each byte's chain, and every shape's successor in it.
static CHAINS: ([u8; 256], [u8; SHAPES.len()]) = {
    assert!(SHAPES.len() < NO_SHAPE as usize);
    let (mut heads, mut nexts) = ([NO_SHAPE; 256], [NO_SHAPE; SHAPES.len()]);
    // From the last to the first, so that a chain keeps the table's order.
    let mut n = SHAPES.len();
    while n > 0 {
        n -= 1;
        let first = SHAPES[n].prefix.as_bytes()[0] as usize;
        nexts[n] = heads[first];
        heads[first] = n as u8;
    }
    (heads, nexts)
};

const NO_SHAPE: u8 = u8::MAX;

/// How much of a body is looked at before it counts as a key; the rest then only has to go along.
const MAX_LOOK: usize = 160;

/// Whether the two bytes at `i` can begin a shape.
#[inline]
pub(super) fn may_begin(a: u8, b: u8) -> bool {
    let pair = (a as usize) << 8 | b as usize;
    PAIRS[pair >> 6] >> (pair & 63) & 1 != 0
}

/// The provider's key that begins at `i`, a word start.
pub(super) fn key_at(t: &[u8], i: usize, floor: usize) -> Option<Span> {
    let mut n = CHAINS.0[t[i] as usize];
    let shape = loop {
        let shape = SHAPES.get(n as usize)?;
        if t[i..].starts_with(shape.prefix.as_bytes()) && shape.fits(t, i) {
            break shape;
        }
        n = CHAINS.1[n as usize];
    };
    let body = i + shape.prefix.len();
    let mut end = run(t, body, shape.alphabet);
    if shape.max == OPEN {
        // What sticks to a key is part of it as far as hiding goes.
        end = run(t, end, URLSAFE);
    }
    while end > body && matches!(t[end - 1], b'.' | b':') {
        end -= 1;
    }
    let mut start = i;
    if shape.prefix == "atlasv1." && i > floor && t[i - 1] == b'.' {
        start = run_back(t, i - 1, floor.max(i.saturating_sub(15)), ALNUM);
    }
    Some(Span {
        start,
        end,
        kind: shape.kind,
    })
}

impl Shape {
    fn fits(&self, t: &[u8], i: usize) -> bool {
        let body = i + self.prefix.len();
        let t = &t[..t.len().min(body + MAX_LOOK)];
        let end = run(t, body, self.alphabet);
        let len = end - body;
        if len < self.min || len > self.max || (self.max != OPEN && is_at(t, end, WORD)) {
            return false;
        }
        let body = &t[body..end];
        match self.need {
            Any => true,
            Varied => varied(body),
            Mixed => {
                let m = mix(body);
                m.upper > 0 && m.lower > 0 && m.digit > 1
            }
            Run => body
                .split(|b| !is(*b, ALNUM))
                .any(|r| r.len() >= 16 && r.iter().any(u8::is_ascii_digit)),
            Dots => {
                let mut parts = body.split(|b| *b == b'.');
                let (a, b) = (parts.next().unwrap_or(b""), parts.next().unwrap_or(b""));
                a.len() >= 10 && b.len() >= 16 && varied(body)
            }
            Acc => {
                (position(body, b".acc_").is_some() || position(body, b".acc-").is_some())
                    && varied(body)
            }
            Colon => body.get(7) == Some(&b':') && varied(body),
        }
    }
}

/// A JSON web token, signed or encrypted, at `i`.
pub(super) fn jwt_at(t: &[u8], i: usize) -> Option<Span> {
    if !t[i..].starts_with(b"eyJ") {
        return None;
    }
    let head = run(t, i, URLSAFE);
    if head - i < 12 || at(t, head) != b'.' {
        return None;
    }
    let mut end = run(t, head, DOTTED);
    while t[end - 1] == b'.' {
        end -= 1;
    }
    (end.saturating_sub(head) >= 9).then_some(Span {
        start: i,
        end,
        kind: Kind::Jwt,
    })
}

/// A Discord bot token: three parts of known lengths, the first a number in base64.
pub(super) fn discord_at(t: &[u8], i: usize) -> Option<Span> {
    // The first dot's place is known, so most words cost three lookups.
    let dot = (i + 23..i + 29).find(|&d| at(t, d) == b'.')?;
    if run(t, i, URLSAFE) != dot || at(t, dot + 7) != b'.' || run(t, dot + 1, URLSAFE) != dot + 7 {
        return None;
    }
    let end = run(t, dot + 8, URLSAFE);
    let fits =
        (27..=45).contains(&(end - dot - 8)) && varied(&t[i..dot]) && varied(&t[dot + 8..end]);
    fits.then_some(Span {
        start: i,
        end,
        kind: Kind::Token,
    })
}

/// A key with a tilde at `i`: an Azure client's secret, or a token of OpenShift.
pub(super) fn tilde_at(t: &[u8], i: usize, floor: usize) -> Option<Span> {
    let token = t[floor..i].ends_with(b"sha256");
    let azure = i >= floor + 5 && t[i - 1] == b'Q' && is(t[i - 2], DIGIT);
    let mut end = i + 1;
    while end < t.len() && (is(t[end], URLSAFE | DOT) || t[end] == b'~') {
        end += 1;
    }
    let (start, kind) = match (token, azure) {
        (true, _) if end - i == 44 => (i - 6, Kind::Token),
        (_, true) if (32..=35).contains(&(end - i)) => (i - 5, Kind::ApiKey),
        _ => return None,
    };
    varied(&t[i + 1..end]).then_some(Span { start, end, kind })
}

/// A key of Mailchimp, thirty-two digits and its place, `-us14`, whose dash is at `i`.
pub(super) fn mailchimp_at(t: &[u8], i: usize, floor: usize) -> Option<Span> {
    let end = run(t, i + 3, DIGIT);
    let start = run_back(t, i, floor.max(i.saturating_sub(33)), HEX);
    let fits = t[i..].starts_with(b"-us") && (1..=2).contains(&(end - i - 3)) && i - start == 32;
    (fits && !is_at(t, end, WORD)).then_some(Span {
        start,
        end,
        kind: Kind::ApiKey,
    })
}

/// The AWS secret that stands near the key id which ends at `i`: forty base64 bytes of all kinds.
pub(super) fn aws_secret_after(t: &[u8], i: usize) -> Option<Span> {
    let limit = t.len().min(i + 240);
    let mut j = i;
    while j < limit {
        if !is(t[j], B64) {
            j += 1;
            continue;
        }
        // `=` is an assignment here, not padding: forty bytes need none.
        let end = run(t, j, ALNUM | BASE64);
        for part in split_at_equals(t, j, end) {
            let v = &t[part.0..part.1];
            let m = mix(v);
            if v.len() == 40 && m.upper > 1 && m.lower > 1 && m.digit > 0 {
                return Some(Span {
                    start: part.0,
                    end: part.1,
                    kind: Kind::ApiKey,
                });
            }
        }
        j = end;
    }
    None
}

fn split_at_equals(
    t: &[u8],
    start: usize,
    end: usize,
) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut from = start;
    t[start..end].split(|b| *b == b'=').map(move |part| {
        let span = (from, from + part.len());
        from += part.len() + 1;
        span
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(len: usize) -> String {
        "aB3dE5gH7jK9mN1pQ2sT4vW6xY8z"
            .chars()
            .cycle()
            .take(len)
            .collect()
    }

    #[test]
    fn a_longer_prefix_stands_before_the_shorter_one_it_begins_with() {
        for (n, a) in SHAPES.iter().enumerate() {
            let later = SHAPES[n + 1..]
                .iter()
                .find(|b| b.prefix.starts_with(a.prefix));
            assert!(later.is_none(), "{}", a.prefix);
        }
    }

    #[test]
    fn a_key_needs_its_length_and_variety() {
        let good = format!("{}{}", concat!("gh", "p_"), body(36));
        assert!(key_at(good.as_bytes(), 0, 0).is_some());
        let manual = format!("{}{}", concat!("gh", "p_"), "x".repeat(36));
        assert!(key_at(manual.as_bytes(), 0, 0).is_none());
        assert!(key_at(b"sk-learn-estimator-with-a-long-name2", 0, 0).is_none());
        assert!(key_at(b"npm_config_registry_and_more_words_here_x1", 0, 0).is_none());
    }

    #[test]
    fn a_terraform_token_is_hidden_with_its_first_part() {
        let text = format!("{}.{}{}", body(14), concat!("atlas", "v1."), body(64));
        let span = key_at(text.as_bytes(), 15, 0).expect("a key");
        assert_eq!((span.start, span.end), (0, text.len()));
    }

    #[test]
    fn base64_of_a_json_object_alone_is_no_jwt() {
        assert!(jwt_at(b"eyJhbGciOiJIUzI1NiJ9", 0).is_none());
        assert!(
            jwt_at(
                concat!("eyJhbGciOiJIUzI1NiJ9", ".eyJzdWIiOiIxIn0.c2ln").as_bytes(),
                0
            )
            .is_some()
        );
    }
}
