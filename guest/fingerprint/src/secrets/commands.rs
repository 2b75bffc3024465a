//! Programs that take a secret by a short flag or by its place: `mysql -pX`, `redis-cli -a X`, `net user bob X`.
//!
//! This module owns the table of programs and the reading of a command around a place in a text: `-p` is a port to one
//! program, a directory's parents to another and a password to a third, so a short flag means something only beside its
//! program. Flags with telling names need no program and belong to `fields`.

use super::bytes::*;
use super::names::{Level, Sensitive};
use super::values::{Value, extent, stands_for_nothing};
use super::{Kind, Span, values};

/// How a program is handed its secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    /// In the next word: `-a X`.
    Next,
    /// In the same word: `-pX`; the flag alone asks for it.
    Glued,
    /// Either way.
    Both,
    /// In either way, behind the first of these bytes: `-u bob:X`, `-U bob%X`.
    After(u8),
}
use Takes::*;

/// Programs that take a password by `-p` to log in, and something else otherwise.
const LOGGING_IN: &str = "docker podman nerdctl buildah skopeo oc az crane helm";

/// A program's names, the flag, and how it takes the secret.
const FLAGS: &[(&str, &str, Takes)] = &[
    (
        "mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlsh mariadb mariadb-dump",
        "p",
        Glued,
    ),
    ("sshpass", "p", Both),
    ("redis-cli valkey-cli keydb-cli", "a", Next),
    ("curl", "u", After(b':')),
    ("http https xh xhs", "a", After(b':')),
    ("unzip zip zipcloak", "P", Both),
    ("7z 7za 7zr rar unrar", "p", Glued),
    ("rar", "hp", Glued),
    ("openssl", "k", Next),
    (
        "ldapsearch ldapadd ldapmodify ldapdelete ldappasswd ldapwhoami ldapcompare",
        "w",
        Both,
    ),
    ("ldappasswd", "s", Next),
    (
        "mongo mongosh mongodump mongorestore mongoexport mongoimport",
        "p",
        Both,
    ),
    (LOGGING_IN, "p", Next),
    (
        "twine cqlsh rabbitmqadmin cypher-shell clickhouse psexec rdesktop hydra evil-winrm crackmapexec netexec nxc",
        "p",
        Next,
    ),
    (
        "sqlcmd bcp isql mosquitto_pub mosquitto_sub ipmitool osql tsql bsqldb",
        "P",
        Both,
    ),
    (
        "smbclient rpcclient net smbget nmblookup winexe",
        "U",
        After(b'%'),
    ),
    ("lftp", "u", After(b',')),
    ("ssh-keygen", "N", Next),
    ("ssh-keygen", "P", Next),
    ("x11vnc", "passwd", Next),
    ("pdftotext pdfinfo pdftoppm", "upw", Next),
    ("pdftotext pdfinfo pdftoppm", "opw", Next),
    ("snmpwalk snmpget snmpset snmpbulkwalk", "A", Next),
    ("snmpwalk snmpget snmpset snmpbulkwalk", "X", Next),
    ("snmpwalk snmpget snmpset snmpbulkwalk", "c", Next),
    ("ncftp ncftpput ncftpget ncftpls", "p", Next),
    ("p4", "P", Next),
    ("codecov", "t", Next),
    ("oathtool", "b", Next),
    ("useradd usermod", "p", Next),
    ("dotnet nuget", "k", Next),
    ("influx", "password", Next),
];

/// The first letters of flags.
static LETTERS: [bool; 256] = {
    let mut table = [false; 256];
    let mut n = 0;
    while n < FLAGS.len() {
        table[FLAGS[n].1.as_bytes()[0] as usize] = true;
        n += 1;
    }
    table
};

/// The first letters of programs.
static BEGINNINGS: [bool; 256] = {
    let mut table = [false; 256];
    let mut n = 0;
    while n < FLAGS.len() {
        let names = FLAGS[n].0.as_bytes();
        let mut i = 0;
        while i < names.len() {
            if i == 0 || names[i - 1] == b' ' {
                table[names[i] as usize] = true;
            }
            i += 1;
        }
        n += 1;
    }
    table
};

/// Programs and the words after which the last but as many words is the secret: `htpasswd -b FILE USER X`.
const PLACES: &[(&str, &str, usize)] = &[
    ("htpasswd", "-b -nb -bn -cb -bc -Bb -bB -nbB -cbB", 2),
    ("net", "user", 1),
    ("net", "use", 2),
    ("rabbitmqctl", "add_user change_password", 1),
    ("wpa_passphrase", "", 1),
    ("vault", "login unseal", 0),
    ("snyk", "auth", 0),
    ("db2", "using", 0),
    ("nuget", "setapikey", 0),
    ("mysqladmin", "password", 0),
];

/// Those of them that a sentence names as often (`vault login failed`): what they take has to look like a password.
const NAMED_IN_PROSE: &str = "vault snyk db2 nuget mysqladmin";

/// How far back the beginning of a command is looked for.
const MAX_COMMAND: usize = 240;

fn is_one_of(names: &str, program: &[u8]) -> bool {
    let program = program.strip_suffix(b".exe").unwrap_or(program);
    names
        .split_ascii_whitespace()
        .any(|name| name.as_bytes() == program)
}

/// What of a program's name is compared: without the path to it.
fn base(program: &[u8]) -> &[u8] {
    program
        .rsplit(|b| matches!(b, b'/' | b'\\'))
        .next()
        .unwrap_or(program)
}

/// How `program` takes a secret by a word such as `-p` or `-pX`, and where in the word it begins.
fn flag(program: &[u8], word: &[u8]) -> Option<(Takes, usize)> {
    let name = word.strip_prefix(b"-").filter(|name| !name.is_empty())?;
    let program = base(program);
    FLAGS
        .iter()
        .filter(|(programs, flag, takes)| {
            let glued = *takes != Next;
            (name == flag.as_bytes() || (glued && name.starts_with(flag.as_bytes())))
                && is_one_of(programs, program)
        })
        .max_by_key(|(_, flag, _)| flag.len())
        .map(|(_, flag, takes)| (*takes, 1 + flag.len()))
}

/// Whether a word can be what a flag of this kind hides: a variable or another flag is not.
fn is_password(v: &[u8]) -> bool {
    !v.is_empty()
        && !stands_for_nothing(v)
        && !v.starts_with(b"-")
        && !v.starts_with(b"//")
        && position(v, b"<secret").is_none()
}

/// The part of a word that is the secret, for a flag that takes it so.
fn secret_in(word: &[u8], takes: Takes) -> Option<usize> {
    let from = match takes {
        After(mark) => word.iter().position(|b| *b == mark)? + 1,
        _ => 0,
    };
    is_password(&word[from..]).then_some(from)
}

/// Whether this place of a command's words, counted from the program, is a secret by its place alone.
fn is_place(words: &[&[u8]], at: usize) -> bool {
    let Some((program, rest)) = words.split_first() else {
        return false;
    };
    let program = base(program);
    PLACES.iter().any(|(name, verbs, after)| {
        if name.as_bytes() != program {
            return false;
        }
        let verb = match verbs.is_empty() {
            true => Some(0),
            false => rest
                .iter()
                .position(|word| is_one_of(verbs, word))
                .map(|place| place + 1),
        };
        let nothing_shown = rest
            .iter()
            .any(|word| word.starts_with(b"-n") && word.contains(&b'b'));
        let after = after - usize::from(nothing_shown && program == b"htpasswd");
        verb.is_some_and(|verb| at == 1 + verb + after)
    })
}

/// The words of the command around `i`, those before it, the last one first. A sentence that quotes a command has it, too.
fn words_before(t: &[u8], i: usize) -> impl Iterator<Item = &[u8]> + Clone {
    let lowest = i.saturating_sub(MAX_COMMAND);
    let ends = |b: &u8| matches!(b, b'\n' | b'\r' | b';' | b'|' | b'&');
    let start = t[lowest..i]
        .iter()
        .rposition(ends)
        .map_or(lowest, |n| lowest + n + 1);
    t[start..i]
        .rsplit(|b| is(*b, SPACE | QUOTE) || matches!(b, b'(' | b'[' | b',' | b'{'))
        .filter(|word| !word.is_empty())
}

fn word_end(t: &[u8], i: usize, limit: usize) -> usize {
    let mut j = i;
    while j < limit && !is(t[j], SPACE | QUOTE) && !matches!(t[j], b'|' | b';') {
        j += 1;
    }
    j
}

/// The secret of the short flag whose dash is at `i`.
pub(super) fn flag_at(t: &[u8], i: usize) -> Option<Span> {
    if !LETTERS[at(t, i + 1) as usize] {
        return None;
    }
    let look = &t[i..t.len().min(i + 64)];
    let word = &look[..look
        .iter()
        .position(|b| is(*b, SPACE))
        .unwrap_or(look.len())];
    if !FLAGS
        .iter()
        .any(|(_, flag, _)| word[1..].starts_with(flag.as_bytes()))
    {
        return None;
    }
    let words = words_before(t, i);
    let (program, (takes, behind)) = words.clone().find_map(|program| {
        let may = BEGINNINGS[base(program).first().copied().unwrap_or(0) as usize];
        Some((program, may.then(|| flag(program, word))??))
    })?;
    // Only to encrypt does OpenSSL take a password there, and only to log in do others.
    let verb: Option<&[u8]> = match base(program) {
        b"openssl" => Some(b"enc"),
        program if is_one_of(LOGGING_IN, program) => Some(b"login"),
        _ => None,
    };
    if verb.is_some_and(|verb| !words.clone().any(|word| word == verb)) {
        return None;
    }
    let behind = i + behind;
    let blank = behind >= t.len() || is(t[behind], SPACE);
    let start = match takes {
        Next if blank => skip_blanks(t, behind),
        Glued if !blank => behind,
        Both | After(_) => skip_blanks(t, behind),
        _ => return None,
    };
    let value = extent(t, start, i)?;
    cut(t, value, takes)
}

/// The values of a command that stores secrets, whatever their names: `fly secrets set A=X B=Y`; `i` is the place of the word
/// `secret` or `secrets`.
pub(super) fn stored_at(t: &[u8], i: usize) -> Vec<Span> {
    let mut spans = Vec::new();
    let verb = skip_blanks(t, run(t, i, LOWER));
    let end = run(t, verb, LOWER);
    if !matches!(
        &t[verb..end],
        b"set" | b"put" | b"add" | b"create" | b"import"
    ) {
        return spans;
    }
    let limit = line_end(t, end).min(end + 512);
    let mut j = end;
    loop {
        let next = skip_blanks(t, j);
        if next == j || next >= limit || matches!(t[next], b'|' | b';' | b'&' | b'>' | b'#') {
            return spans;
        }
        let sign = run(t, next, WORD);
        let named = sign > next && at(t, sign) == b'=';
        let start = if named { sign + 1 } else { next };
        let Some(value) = extent(t, start, next) else {
            return spans;
        };
        let v = &t[value.start..value.end];
        if named && is_password(v) {
            spans.push(Span {
                start: value.start,
                end: value.to_its_end(t).end,
                kind: Kind::Secret,
            });
        }
        j = value.end + usize::from(value.quoted);
    }
}

/// What `--value X` and its kind announce in a command that stores a secret.
pub(super) fn long_flag(t: &[u8], i: usize, name: &[u8]) -> Option<Sensitive> {
    let verbs: [&[u8]; 2] = match name {
        b"body" => [b"gh", b"secret"],
        b"value" => [b"ssm", b"SecureString"],
        _ => return None,
    };
    let has = |verb: &[u8]| words_before(t, i).any(|word| word == verb);
    verbs.into_iter().all(has).then_some(Sensitive {
        kind: Kind::Secret,
        level: Level::Sure,
        bare: false,
    })
}

/// Whether the program around `i` takes a user to run as, and perhaps a group: `docker run -u node:node`.
pub(super) fn runs_as(t: &[u8], i: usize) -> bool {
    words_before(t, i).any(is_runner)
}

/// Whether a program takes a user to run as.
pub(super) fn is_runner(program: &[u8]) -> bool {
    is_one_of(
        "docker podman nerdctl kubectl docker-compose chown su git runuser",
        base(program),
    )
}

/// What of a flag's value is the secret.
fn cut(t: &[u8], value: Value, takes: Takes) -> Option<Span> {
    let from = secret_in(&t[value.start..value.end], takes)?;
    Some(Span {
        start: value.start + from,
        end: value.to_its_end(t).end,
        kind: Kind::Password,
    })
}

/// The secret by its place in the command whose program is at `i`: `rabbitmqctl add_user bob X`.
pub(super) fn place_at(t: &[u8], i: usize) -> Option<Span> {
    let starts_command = i == 0
        || matches!(
            t[i - 1],
            b'\n' | b' ' | b'"' | b'\'' | b';' | b'|' | b'(' | b'/' | b'&'
        );
    let program_end = word_end(t, i, t.len().min(i + 32));
    let program = &t[i..program_end];
    if !starts_command || !PLACES.iter().any(|(name, ..)| name.as_bytes() == program) {
        return None;
    }
    let limit = line_end(t, i).min(i + 512);
    let mut words: Vec<&[u8]> = vec![program];
    let mut j = program_end;
    while words.len() < 8 {
        let next = skip_blanks(t, j);
        if next == j || next >= limit || matches!(t[next], b'|' | b';' | b'&' | b'>') {
            return None;
        }
        let value = extent(t, next, next)?;
        words.push(&t[value.start..value.end]);
        if is_place(&words, words.len() - 1) {
            let v = &t[value.start..value.end];
            let told = !v.starts_with(b"/")
                && is_password(v)
                && (!is_one_of(NAMED_IN_PROSE, program) || values::is_password(v));
            return told.then(|| Span {
                start: value.start,
                end: value.to_its_end(t).end,
                kind: Kind::Password,
            });
        }
        j = value.end + usize::from(value.quoted);
    }
    None
}

/// Whether a command reads a secret from its input, and if so, whether that is `user:password`.
fn reads(words: &[&[u8]]) -> Option<bool> {
    let has = |name: &[u8]| words.iter().any(|w| base(w) == name);
    let sudo = has(b"sudo") && (has(b"-S") || has(b"-kS") || has(b"-Sk") || has(b"--stdin"));
    let pair = has(b"chpasswd") || has(b"pw") && has(b"usermod");
    let gpg = |w: &[&[u8]]| w[0] == b"--passphrase-fd" && w[1] == b"0";
    let reads = sudo
        || pair
        || has(b"--password-stdin")
        || has(b"--passwd-on-stdin")
        || has(b"--with-token")
        || has(b"kinit")
        || (has(b"az") && has(b"login"))
        || (has(b"passwd") && has(b"--stdin"))
        || (has(b"gpg") && words.windows(2).any(gpg))
        || (has(b"cryptsetup") && !has(b"--help"))
        || (has(b"su") && words.len() <= 4);
    reads.then_some(pair)
}

/// What a shell hands to a program that reads a secret: `sudo -S … <<< X`; `i` is the place of the signs.
pub(super) fn here_string_at(t: &[u8], i: usize) -> Option<Span> {
    let words: Vec<&[u8]> = words_before(t, i).collect();
    let pair = reads(&words.into_iter().rev().collect::<Vec<_>>())?;
    let value = extent(t, skip_blanks(t, i + 3), i)?;
    cut(t, value, if pair { After(b':') } else { Next })
}

/// What is echoed into a program that reads a secret: `echo X | sudo -S …`; `i` is the place of `echo` or `printf`.
pub(super) fn piped_at(t: &[u8], i: usize) -> Option<Span> {
    let word = [&b"echo"[..], b"printf"]
        .into_iter()
        .find(|word| t[i..].starts_with(word) && matches!(at(t, i + word.len()), b' ' | b'\t'))?;
    let mut start = skip_blanks(t, i + word.len());
    while at(t, start) == b'-' {
        start = skip_blanks(t, word_end(t, start, t.len()));
    }
    let value = extent(t, start, i)?;
    if value.end - value.start > 256 {
        return None;
    }
    let mut pipe = skip_blanks(t, value.end + usize::from(value.quoted));
    // `printf '%s' X |`
    let mut value = value;
    if t[value.start..value.end].starts_with(b"%s") && at(t, pipe) != b'|' {
        value = extent(t, pipe, i)?;
        pipe = skip_blanks(t, value.end + usize::from(value.quoted));
    }
    if at(t, pipe) != b'|' {
        return None;
    }
    let reader = &t[pipe + 1..line_end(t, pipe).min(pipe + 160)];
    let reader = reader.split(|b| matches!(b, b'|' | b';')).next()?;
    let words: Vec<&[u8]> = reader
        .split(|b| is(*b, SPACE | QUOTE))
        .filter(|w| !w.is_empty())
        .collect();
    let pair = reads(&words)?;
    let v = &t[value.start..value.end];
    let v = v.strip_suffix(b"\\n").unwrap_or(v);
    let from = match pair {
        true => v.iter().position(|b| *b == b':').map(|at| at + 1)?,
        false => 0,
    };
    (!stands_for_nothing(&v[from..])).then_some(Span {
        start: value.start + from,
        end: value.start + v.len(),
        kind: Kind::Password,
    })
}
