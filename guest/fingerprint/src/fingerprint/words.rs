//! The vocabulary of the language of errors: severity words, cue words, the nouns that introduce a name.
//!
//! It owns the word lists and their lookup. It does not own any rule that uses them, and it holds no
//! names of commands: only words that any tool may say when something goes wrong.

/// What a word says about the line it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// `error`, `fatal`, `panic`: the line calls itself an error.
    Severity,
    /// `failed`, `unknown`, `denied`: the line tells of something that went wrong.
    Cue,
    /// `warning`: the line calls itself less than an error.
    Warning,
    /// `info`, `note`, `hint`: the line calls itself no error at all.
    Quiet,
    /// `column`, `module`, `host`: a name may follow, and the name is volatile.
    Noun,
    /// `is`, `of`, `the`: never a name.
    Stop,
}

use twiceshy_text::script::is_unspaced;

use Class::{Cue, Noun, Quiet, Severity, Stop, Warning};

/// Sorted by first letter, then by length, so that the few words that a given word can be lie together.
#[rustfmt::skip]
static WORDS: &[(&str, Class)] = &[
    ("a", Stop), ("an", Stop), ("as", Stop), ("at", Stop), ("all", Stop), ("and", Stop), ("any", Stop), ("api", Noun), ("app", Noun), ("are", Stop), ("also", Stop),
    ("abort", Cue), ("about", Stop), ("after", Stop), ("again", Stop), ("array", Noun), ("access", Noun), ("action", Noun), ("aren't", Cue), ("assert", Cue),
    ("aborted", Cue), ("account", Noun), ("address", Noun), ("against", Stop), ("allowed", Stop), ("already", Cue), ("another", Stop), ("archive", Noun),
    ("aborting", Cue), ("argument", Noun), ("artifact", Noun), ("abgelehnt", Cue), ("accessing", Stop), ("ambiguous", Cue), ("assertion", Cue), ("attribute", Noun),
    ("available", Stop), ("abgelaufen", Cue), ("advertencia", Warning), ("application", Noun), ("authorization", Noun), ("avertissement", Warning),
    ("authentication", Noun), ("be", Stop), ("by", Stop), ("bad", Cue), ("but", Stop), ("been", Stop), ("blad", Severity), ("body", Noun), ("both", Stop), ("busy", Cue),
    ("byte", Noun), ("being", Stop), ("block", Noun), ("build", Noun), ("before", Stop), ("branch", Noun), ("broken", Cue), ("bucket", Noun), ("buffer", Noun),
    ("backoff", Cue), ("because", Stop), ("between", Stop), ("blocked", Cue), ("borrowed", Cue), ("building", Quiet), ("can", Stop), ("call", Noun), ("cell", Noun),
    ("code", Noun), ("cache", Noun), ("calls", Noun), ("can't", Cue), ("class", Noun), ("could", Stop), ("crash", Cue), ("crate", Noun), ("cannot", Cue),
    ("client", Noun), ("column", Noun), ("config", Noun), ("couldn", Cue), ("create", Stop), ("cluster", Noun), ("command", Noun), ("compile", Noun), ("connect", Stop),
    ("convert", Stop), ("corrupt", Cue), ("crashed", Cue), ("created", Stop), ("caducado", Cue), ("checking", Quiet), ("checksum", Noun), ("compiler", Noun),
    ("conflict", Cue), ("constant", Noun), ("couldn't", Cue), ("creating", Stop), ("critical", Severity), ("character", Noun), ("collision", Cue), ("compiling", Quiet),
    ("conflicts", Cue), ("connected", Stop), ("container", Noun), ("corrupted", Cue), ("connecting", Stop), ("connection", Noun), ("constraint", Noun),
    ("converting", Stop), ("credential", Noun), ("certificate", Noun), ("compilation", Noun), ("conflicting", Cue), ("credentials", Noun), ("configuration", Noun),
    ("do", Stop), ("did", Stop), ("due", Stop), ("data", Noun), ("dead", Cue), ("dict", Noun), ("disk", Noun), ("does", Stop), ("done", Quiet), ("down", Stop),
    ("debug", Quiet), ("doesn", Cue), ("don't", Cue), ("defect", Cue), ("delete", Stop), ("denied", Cue), ("device", Noun), ("didn't", Cue), ("domain", Noun),
    ("during", Stop), ("defined", Stop), ("divided", Cue), ("doesn't", Cue), ("database", Noun), ("deadlock", Cue), ("declared", Stop), ("declined", Cue),
    ("denegado", Cue), ("disabled", Cue), ("division", Cue), ("document", Noun), ("directory", Noun), ("duplicate", Cue), ("dependency", Noun), ("deprecated", Warning),
    ("disallowed", Cue), ("downloaded", Quiet), ("duplicated", Cue), ("desconocido", Cue), ("downloading", Quiet), ("desconhecido", Cue), ("disconnected", Cue),
    ("distribution", Noun), ("eof", Cue), ("err", Severity), ("each", Stop), ("enum", Noun), ("erro", Severity), ("echec", Cue), ("empty", Cue), ("entry", Noun),
    ("error", Severity), ("erros", Cue), ("every", Stop), ("exist", Stop), ("extra", Cue), ("either", Stop), ("erreur", Severity), ("errore", Severity), ("errors", Cue),
    ("exceed", Cue), ("excess", Cue), ("existe", Cue), ("exists", Stop), ("exited", Cue), ("element", Noun), ("exceeds", Cue), ("execute", Stop), ("expired", Cue),
    ("encoding", Noun), ("endpoint", Noun), ("erwartet", Cue), ("exceeded", Cue), ("expected", Cue), ("emergency", Severity), ("exception", Severity),
    ("executing", Stop), ("exhausted", Cue), ("expecting", Cue), ("extension", Noun), ("encontrada", Cue), ("encontrado", Cue), ("exceptions", Cue), ("expression", Noun),
    ("environment", Noun), ("fel", Severity), ("few", Cue), ("for", Stop), ("fail", Cue), ("feil", Severity), ("file", Noun), ("find", Stop), ("fout", Severity),
    ("from", Stop), ("fails", Cue), ("falha", Cue), ("fallo", Cue), ("falta", Cue), ("fatal", Severity), ("fault", Cue), ("fehlt", Cue), ("field", Noun), ("first", Stop),
    ("found", Stop), ("failed", Cue), ("falhou", Cue), ("faulty", Cue), ("fehler", Severity), ("folder", Noun), ("format", Noun), ("failing", Cue), ("failure", Cue),
    ("fallito", Cue), ("feature", Noun), ("fetched", Quiet), ("finding", Stop), ("fixture", Noun), ("failures", Cue), ("faltante", Cue), ("fatality", Cue),
    ("finished", Quiet), ("function", Noun), ("forbidden", Cue), ("fehlgeschlagen", Cue), ("get", Stop), ("got", Stop), ("gets", Stop), ("goal", Noun), ("given", Stop),
    ("group", Noun), ("had", Stop), ("has", Stop), ("how", Stop), ("hash", Noun), ("hata", Severity), ("have", Stop), ("heap", Noun), ("help", Quiet), ("here", Stop),
    ("hint", Quiet), ("host", Noun), ("handle", Stop), ("hasn't", Cue), ("header", Noun), ("haven't", Cue), ("hinweis", Quiet), ("handling", Stop), ("hostname", Noun),
    ("if", Stop), ("in", Stop), ("is", Stop), ("it", Stop), ("its", Stop), ("info", Quiet), ("into", Stop), ("item", Noun), ("image", Noun), ("index", Noun),
    ("input", Noun), ("isn't", Cue), ("import", Noun), ("illegal", Cue), ("inconnu", Cue), ("integer", Noun), ("invalid", Cue), ("imported", Stop), ("improper", Cue),
    ("inatteso", Cue), ("infinite", Cue), ("instance", Noun), ("interdit", Cue), ("invalide", Cue), ("inattendu", Cue), ("incorrect", Cue), ("interface", Noun),
    ("identifier", Noun), ("impossible", Cue), ("incomplete", Cue), ("inesperada", Cue), ("inesperado", Cue), ("installing", Quiet), ("interrupted", Cue),
    ("introuvable", Cue), ("inaccessible", Cue), ("incompatible", Cue), ("insufficient", Cue), ("job", Noun), ("key", Noun), ("kein", Cue), ("keine", Cue),
    ("known", Stop), ("killed", Cue), ("keyword", Noun), ("last", Stop), ("leak", Cue), ("less", Stop), ("line", Noun), ("link", Noun), ("list", Noun), ("load", Stop),
    ("lock", Noun), ("lost", Cue), ("label", Noun), ("least", Stop), ("limit", Cue), ("login", Noun), ("leaked", Cue), ("linker", Noun), ("loaded", Stop),
    ("locked", Cue), ("library", Noun), ("literal", Noun), ("loading", Stop), ("map", Noun), ("may", Stop), ("many", Cue), ("more", Stop), ("most", Stop), ("must", Stop),
    ("macro", Noun), ("match", Stop), ("might", Stop), ("moved", Cue), ("member", Noun), ("memory", Noun), ("method", Noun), ("module", Noun), ("modulo", Cue),
    ("matched", Stop), ("message", Noun), ("missing", Cue), ("modules", Noun), ("mancante", Cue), ("manquant", Cue), ("matching", Stop), ("mismatch", Cue),
    ("malformed", Cue), ("mismatched", Cue), ("no", Cue), ("nan", Cue), ("nil", Cue), ("not", Cue), ("name", Noun), ("next", Stop), ("node", Noun), ("nota", Quiet),
    ("note", Quiet), ("null", Cue), ("named", Noun), ("names", Noun), ("never", Cue), ("nicht", Cue), ("negada", Cue), ("negado", Cue), ("negato", Cue),
    ("notice", Quiet), ("number", Noun), ("neither", Stop), ("network", Noun), ("nothing", Cue), ("namespace", Noun), ("of", Stop), ("ok", Quiet), ("on", Stop),
    ("or", Stop), ("off", Stop), ("one", Stop), ("oom", Cue), ("our", Stop), ("out", Stop), ("only", Stop), ("oops", Cue), ("open", Stop), ("over", Stop),
    ("other", Stop), ("object", Noun), ("opened", Stop), ("option", Noun), ("output", Noun), ("opening", Stop), ("operand", Noun), ("omitting", Cue), ("operator", Noun),
    ("outdated", Cue), ("overflow", Cue), ("operation", Noun), ("overwritten", Cue), ("per", Stop), ("pod", Noun), ("page", Noun), ("path", Noun), ("peer", Noun),
    ("port", Noun), ("panic", Severity), ("parse", Noun), ("parser", Noun), ("passed", Quiet), ("plugin", Noun), ("package", Noun), ("parsing", Stop), ("permiso", Cue),
    ("pointer", Noun), ("problem", Cue), ("process", Noun), ("program", Noun), ("project", Noun), ("packages", Noun), ("panicked", Severity), ("password", Noun),
    ("previous", Stop), ("problems", Cue), ("property", Noun), ("protocol", Noun), ("panicking", Cue), ("parameter", Noun), ("partition", Noun), ("predicate", Noun),
    ("procedure", Noun), ("permission", Noun), ("processing", Stop), ("prohibited", Cue), ("permissions", Noun), ("query", Noun), ("queue", Noun), ("quota", Cue),
    ("row", Noun), ("read", Stop), ("role", Noun), ("reset", Cue), ("route", Noun), ("record", Noun), ("refuse", Cue), ("region", Noun), ("reject", Cue),
    ("remote", Noun), ("remove", Stop), ("result", Noun), ("return", Noun), ("reading", Stop), ("receive", Stop), ("refused", Cue), ("rejects", Cue), ("request", Noun),
    ("resolve", Stop), ("running", Quiet), ("runtime", Noun), ("rejected", Cue), ("relation", Noun), ("removing", Stop), ("required", Cue), ("requires", Cue),
    ("resource", Noun), ("response", Noun), ("revision", Noun), ("receiving", Stop), ("recursion", Cue), ("redefined", Cue), ("reference", Noun), ("resolving", Stop),
    ("recognized", Stop), ("redeclared", Cue), ("repository", Noun), ("restarting", Cue), ("redefinition", Cue), ("redeclaration", Cue), ("so", Stop), ("see", Quiet),
    ("set", Noun), ("same", Stop), ("send", Stop), ("some", Stop), ("step", Noun), ("stop", Stop), ("such", Stop), ("shall", Stop), ("since", Stop), ("sorry", Cue),
    ("space", Noun), ("stack", Noun), ("stale", Cue), ("stall", Cue), ("start", Stop), ("state", Noun), ("stuck", Cue), ("schema", Noun), ("script", Noun),
    ("server", Noun), ("severe", Severity), ("should", Stop), ("socket", Noun), ("status", Noun), ("stream", Noun), ("string", Noun), ("struct", Noun), ("symbol", Noun),
    ("syntax", Noun), ("system", Noun), ("sending", Stop), ("service", Noun), ("session", Noun), ("setting", Noun), ("sigabrt", Cue), ("sigkill", Cue), ("sigsegv", Cue),
    ("stalled", Cue), ("success", Quiet), ("sequence", Noun), ("settings", Noun), ("starting", Stop), ("stopping", Stop), ("shouldn't", Cue), ("signature", Noun),
    ("specified", Stop), ("statement", Noun), ("succeeded", Quiet), ("supported", Stop), ("subcommand", Noun), ("subroutine", Noun), ("sconosciuto", Cue),
    ("segmentation", Cue), ("to", Stop), ("the", Stop), ("tip", Quiet), ("too", Stop), ("try", Quiet), ("two", Stop), ("task", Noun), ("test", Noun), ("than", Stop),
    ("that", Stop), ("them", Stop), ("then", Stop), ("this", Stop), ("tool", Noun), ("type", Noun), ("table", Noun), ("tests", Noun), ("their", Stop), ("there", Stop),
    ("these", Stop), ("those", Stop), ("timed", Cue), ("token", Noun), ("topic", Noun), ("trace", Quiet), ("trait", Noun), ("tuple", Noun), ("target", Noun),
    ("thread", Noun), ("through", Stop), ("timeout", Cue), ("trigger", Noun), ("trouble", Cue), ("trovato", Cue), ("throttled", Cue), ("truncated", Cue),
    ("terminated", Cue), ("throttling", Cue), ("transaction", Noun), ("up", Stop), ("uri", Noun), ("url", Noun), ("use", Stop), ("used", Stop), ("user", Noun),
    ("under", Stop), ("until", Stop), ("usage", Quiet), ("using", Stop), ("unable", Cue), ("unsafe", Cue), ("unused", Cue), ("unbound", Cue), ("unknown", Cue),
    ("uncaught", Cue), ("unclosed", Cue), ("unbekannt", Cue), ("undefined", Cue), ("underflow", Cue), ("ungueltig", Cue), ("unhandled", Cue), ("unhealthy", Cue),
    ("unmatched", Cue), ("unbalanced", Cue), ("undeclared", Cue), ("unerwartet", Cue), ("unexpected", Cue), ("unparsable", Cue), ("unreadable", Cue), ("unreported", Cue),
    ("unresolved", Cue), ("unwritable", Cue), ("unavailable", Cue), ("unparseable", Cue), ("unreachable", Cue), ("unsatisfied", Cue), ("unspecified", Cue),
    ("unsupported", Cue), ("unauthorized", Cue), ("undeclarable", Cue), ("unrecognised", Cue), ("unrecognized", Cue), ("unsuccessful", Cue), ("unterminated", Cue),
    ("unimplemented", Cue), ("uninitialized", Cue), ("unsatisfiable", Cue), ("unsuccessfully", Cue), ("unauthenticated", Cue), ("via", Stop), ("view", Noun),
    ("valid", Stop), ("value", Noun), ("virhe", Severity), ("volume", Noun), ("verbose", Quiet), ("version", Noun), ("variable", Noun), ("violated", Cue),
    ("violates", Cue), ("violation", Cue), ("verweigert", Cue), ("we", Stop), ("was", Stop), ("who", Stop), ("why", Stop), ("warn", Warning), ("were", Stop),
    ("what", Stop), ("when", Stop), ("will", Stop), ("with", Stop), ("where", Stop), ("which", Stop), ("while", Stop), ("won't", Cue), ("would", Stop), ("write", Stop),
    ("wrong", Cue), ("wasn't", Cue), ("worker", Noun), ("warning", Warning), ("warnung", Warning), ("without", Cue), ("writing", Stop), ("warnings", Warning),
    ("you", Stop), ("your", Stop), ("zero", Cue), ("zone", Noun),
];

/// No word of the vocabulary is as long as this.
const TOO_LONG: usize = 20;

/// For each first letter and length: where its words begin and end.
static INDEX: [[(u16, u16); TOO_LONG]; 26] = index();

const fn index() -> [[(u16, u16); TOO_LONG]; 26] {
    let mut out = [[(0u16, 0u16); TOO_LONG]; 26];
    let mut i = 0;
    while i < WORDS.len() {
        let word = WORDS[i].0.as_bytes();
        let slot = &mut out[(word[0] - b'a') as usize][word.len()];
        if slot.1 == 0 {
            slot.0 = i as u16;
        }
        slot.1 = i as u16 + 1;
        i += 1;
    }
    out
}

/// The class of an ASCII word in any case; `None` for a word that is not in the vocabulary.
#[inline]
pub(crate) fn class(word: &[u8]) -> Option<Class> {
    let first = word.first()?.to_ascii_lowercase().wrapping_sub(b'a');
    let &(from, to) = INDEX.get(first as usize)?.get(word.len())?;
    let rows = &WORDS[from as usize..to as usize];
    rows.iter()
        .find(|(w, _)| w.as_bytes().eq_ignore_ascii_case(word))
        .map(|&(_, class)| class)
}

/// Whether the word carries failure meaning: such a word is never taken for a name.
pub(crate) fn is_failure(word: &[u8]) -> bool {
    matches!(
        class(word),
        Some(Class::Severity | Class::Cue | Class::Warning)
    )
}

/// Severity and cue stems of scripts and languages that are not plain ASCII, lowercase, sorted by first letter.
/// A stem stands for all its endings (`ошибк` for ошибка, ошибки).
#[rustfmt::skip]
static FOREIGN: &[(&str, Class)] = &[
    ("échec", Cue), ("échoué", Cue),
    ("błąd", Severity), ("błęd", Severity),
    ("ошибк", Severity), ("исключени", Severity), ("сбой", Severity), ("авари", Severity),
    ("критическ", Severity), ("фатальн", Severity), ("предупрежден", Warning),
    ("отказано", Cue), ("отклонен", Cue), ("неизвестн", Cue), ("неверн", Cue), ("недопустим", Cue),
    ("недостаточн", Cue), ("невозможн", Cue), ("неожидан", Cue), ("нет", Cue), ("не", Cue), ("истекл", Cue),
    ("ожидал", Cue), ("отсутству", Cue), ("помилк", Severity), ("не вдалося", Cue),
    ("错误", Severity), ("異常", Severity), ("异常", Severity), ("致命", Severity), ("错", Severity), ("錯誤", Severity),
    ("警告", Warning), ("失败", Cue), ("失敗", Cue), ("找不到", Cue), ("未找到", Cue), ("未定义", Cue), ("未知", Cue),
    ("无法", Cue), ("無法", Cue), ("无效", Cue), ("超时", Cue), ("超時", Cue), ("拒绝", Cue), ("不足", Cue), ("不存在", Cue),
    ("不能", Cue), ("缺少", Cue), ("没有", Cue), ("非法", Cue), ("語法", Cue), ("语法", Cue),
    ("エラー", Severity), ("例外", Severity), ("ありません", Cue), ("見つかりません", Cue), ("できません", Cue),
    ("タイムアウト", Cue), ("不正", Cue), ("未定義", Cue), ("拒否", Cue), ("不明", Cue), ("無効", Cue),
    ("오류", Severity), ("에러", Severity), ("예외", Severity), ("경고", Warning), ("없습니다", Cue), ("실패", Cue),
    ("거부", Cue), ("찾을 수 없", Cue), ("잘못", Cue), ("시간 초과", Cue), ("알 수 없", Cue),
    ("خطأ", Severity), ("خطا", Severity), ("تحذير", Warning), ("تعذر", Cue), ("فشل", Cue), ("لم يتم", Cue),
    ("غير", Cue), ("انتهت", Cue), ("رفض", Cue), ("त्रुटि", Severity), ("विफल", Cue),
    ("σφάλμα", Severity), ("lỗi", Severity), ("שגיאה", Severity), ("ข้อผิดพลาด", Severity), ("ungültig", Cue),
    ("ошиб", Severity),
];

/// For the low byte of a letter: where the first stem is that begins with such a letter, from one; zero for none.
/// Nearly all letters of a text are dismissed by it.
static FOREIGN_FIRST: [u8; 256] = foreign_first();

const fn foreign_first() -> [u8; 256] {
    let mut out = [0; 256];
    let mut i = FOREIGN.len();
    while i > 0 {
        let b = FOREIGN[i - 1].0.as_bytes();
        // The low byte of a code point is in the last two bytes of its UTF-8 form.
        let low = match b[0] {
            0..=0x7f => b[0],
            0x80..=0xdf => (b[0] << 6) | (b[1] & 0x3f),
            _ => (b[1] << 6) | (b[2] & 0x3f),
        };
        out[low as usize] = i as u8;
        i -= 1;
    }
    out
}

/// The class of the failure stem that begins at the start of `text`, if one does.
pub(crate) fn foreign(text: &str) -> Option<Class> {
    let first = text.chars().next()?;
    // Small Cyrillic letters and scripts without case need no table to be lowercase.
    let small = matches!(first, 'а'..='я' | '\u{2e80}'..='\u{d7ff}');
    let first = if small {
        first
    } else {
        first.to_lowercase().next()?
    };
    let from = FOREIGN_FIRST[first as usize & 255].checked_sub(1)?;
    let mut form = [0; 4];
    let form = first.encode_utf8(&mut form).as_bytes();
    let fits = |stem: &str| stem.as_bytes().starts_with(form) && begins(text, stem);
    FOREIGN[from as usize..]
        .iter()
        .find(|(stem, _)| fits(stem))
        .map(|&(_, class)| class)
}

/// Whether `text` begins with `stem`, whatever its case.
fn begins(text: &str, stem: &str) -> bool {
    let mut chars = text.chars().flat_map(char::to_lowercase);
    // A short stem of a script with spaces is a whole word: `не` is not the beginning of `неделя`.
    let whole = stem.chars().count() <= 3 && !stem.chars().any(is_unspaced);
    stem.chars().all(|c| chars.next() == Some(c))
        && !(whole && chars.next().is_some_and(char::is_alphabetic))
}

/// Endings of file names: a word with one of them is a path although it has no separator.
const EXTENSIONS: &str = " rs py pyc pyi js mjs cjs jsx ts tsx c h cc cpp cxx hpp hh hxx m mm go java kt kts class jar war rb php inc pl pm lua \
    sh bash zsh fish ps1 bat cmd exe dll so dylib a o obj lib txt md rst csv tsv json jsonl yaml yml toml ini cfg conf config xml html htm css scss \
    sql db sqlite sqlite3 log lock tar gz tgz bz2 xz zip zst 7z rar deb rpm whl gem pdf png jpg jpeg gif svg ico mp3 mp4 wav flp mid bin dat img iso \
    pem crt key pub csr env tf tfvars tfstate hcl proto wasm wat wit mod sum gradle cs csproj sln vb fs swift hs exs erl clj scala r jl nim zig d v \
    sv vhd tex bib ipynb parquet avro h5 pt onnx npy npz pkl bak tmp swp orig patch diff service socket timer mk cmake am ac spec test vue svelte git ";

/// Whether `ending` (without the dot) is an ending of file names.
pub fn is_extension(ending: &str) -> bool {
    let lower = ending.to_ascii_lowercase();
    !lower.is_empty() && lower.len() <= 8 && EXTENSIONS.split_ascii_whitespace().any(|e| e == lower)
}

/// Keys whose quoted value is the message itself and is therefore read, not masked.
pub(crate) fn is_message_key(key: &str) -> bool {
    matches!(
        key,
        "error"
            | "errors"
            | "message"
            | "msg"
            | "detail"
            | "details"
            | "reason"
            | "code"
            | "type"
            | "status"
            | "title"
            | "description"
            | "desc"
            | "err"
            | "exception"
            | "cause"
            | "errormessage"
            | "error_message"
            | "error_code"
            | "errorcode"
            | "fault"
            | "kind"
            | "stderr"
            | "summary"
    )
}

/// Words after which a small number is a code, that is meaning, and not a count.
pub(crate) fn is_code_word(word: &str) -> bool {
    matches!(
        word,
        "error"
            | "errno"
            | "code"
            | "status"
            | "http"
            | "sqlstate"
            | "signal"
            | "exit"
            | "rc"
            | "returncode"
            | "retcode"
            | "exitcode"
            | "err"
            | "код"
            | "кодом"
            | "codice"
            | "código"
            | "代码"
            | "コード"
            | "코드"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vocabulary_is_sorted_so_that_the_search_finds_every_word() {
        let key = |w: &str| (w.as_bytes()[0], w.len(), w.to_string());
        assert!(WORDS.windows(2).all(|w| key(w[0].0) < key(w[1].0)));
        assert!(WORDS.iter().all(|(w, c)| class(w.as_bytes()) == Some(*c)));
    }

    #[test]
    fn a_word_is_found_in_any_case_and_a_part_of_a_word_is_not() {
        assert_eq!(class(b"FAILED"), Some(Class::Cue));
        assert_eq!(class(b"Error"), Some(Class::Severity));
        assert_eq!(class(b"fail_over"), None);
        assert_eq!(class(b"latest"), None);
        assert_eq!(class(b""), None);
        assert_eq!(class("é".as_bytes()), None);
    }

    #[test]
    fn failure_words_of_other_scripts_are_known_in_any_case() {
        assert_eq!(foreign("ОШИБКА: x"), Some(Class::Severity));
        assert_eq!(foreign("错误：x"), Some(Class::Severity));
        assert_eq!(foreign("エラー"), Some(Class::Severity));
        assert_eq!(foreign("привет"), None);
    }
}
