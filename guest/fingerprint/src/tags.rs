//! Tags: what kind of failure a text tells of, in words that every domain shares.
//!
//! It owns the vocabulary of tags and the phrases that stand for them. It does not know any tool or command,
//! and it does not identify a failure: two different errors may well have the same tags.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use twiceshy_text::script::{is_apostrophe, is_hump};

use crate::fingerprint;

/// How much of a large text is read at its beginning and at its end; its headline is read wherever it is.
const EDGE: usize = 16 * 1024;

/// No gap in a phrase is wider than this many words.
const GAP: usize = 5;

/// Tag and phrases. In a phrase `word*` is any word with that beginning, `..` up to five words, `#` a number
/// that is not zero, `4xx` and `5xx` a status of that hundred. Words are compared whole and in lowercase.
static PHRASES: &[(&str, &str)] = &[
    (
        "syntax_structure",
        "bad substitution|' expected|expression expected|extra ')|ungültiges zeichen|missing lifetime|invalid regular expression|end of query|syntax error|invalid syntax|bad syntax|sql syntax|parse error|parser error|parse failure|parsing error|failed to parse|could not parse|cannot parse|can't parse|unable to parse|\
        unexpected token|unexpected end|unexpected eof|unexpected character|unexpected symbol|unexpected identifier|unexpected indent|unexpected keyword|unexpected string|unexpected input|unexpected '|\
        indentation error|expected an indented|unterminated|unclosed|unbalanced|unmatched|malformed|json decode|invalid json|not valid json|invalid yaml|invalid toml|incomplete input|missing separator|\
        missing semicolon|missing parenthes*|missing bracket|missing ) after|end of input|end of json|mismatched bracket*|mismatched parenthes*|mismatched delimiter*|expected '|expecting '|expected semicolon|\
        expected expression|expected identifier|expected property name|invalid character|illegal character|missing terminating|never closed|was expecting|\
        erreur de syntaxe|error de sintaxis|erro de sintaxe|errore di sintassi|syntaxfehler|синтаксическ*|синтаксис*",
    ),
    (
        "unknown_symbol",
        "invalid option|is unknown|bad configuration option|unbound value|unknown revision|invalid object name|attribute .. missing|property .. missing|invalid reference|explicit package name|uninitialized constant|undefined|undeclared|not defined|isn't defined|not declared|unresolved|not in scope|unbound variable|unbound local|unknown column|unknown function|unknown identifier|unknown symbol|unknown variable|\
        unknown name|unknown table|unknown field|unknown attribute|unknown property|unknown method|unknown type|unknown module|unknown option|unknown argument|unknown key|unknown word|unknown keyword|unknown label|\
        unknown parameter|unknown predicate|unknown database|unknown lint|no such column|no such table|no such function|no such module|no such attribute|no such method|no such variable|no such option|\
        name error|reference error|key error|attribute error|no attribute|no member|no method|no field|no property|no module named|module not found|class not found|cannot find name|cannot find symbol|cannot find value|\
        cannot find type|cannot find function|cannot find macro|cannot find module|cannot find package|cannot find crate|cannot find trait|cannot find .. in this scope|cannot find .. in scope|cannot import name|\
        unrecognized option*|unrecognized argument*|unrecognized name|unrecognized field|unrecognised option|invalid identifier|relation .. does not exist|table .. does not exist|table .. doesn't exist|\
        column .. does not exist|function .. does not exist|is not a function|does not exist in the current context|missing key|unexpected keyword argument|unbekannt*|inconnu*|desconocid*|неизвестн*|не определен*|не определён*",
    ),
    (
        "path_quote",
        "quote|quotes|quoted|unquoted|quoting|quotation|no such file|file not found|directory not found|invalid path|bad path|path not found|path must|cannot find the path|cannot find the file|not a directory|\
        is a directory|file name too long|path too long|matching '|unterminated string|unclosed string|missing terminating|нет такого файла|кавыч*",
    ),
    (
        "operator_mismatch",
        "cannot be added|cannot be multiplied|binary operation|operator|operators|operand|operands|cannot compare|cannot add|cannot subtract|cannot multiply|cannot divide|not supported between|no implementation for|comparison not supported|оператор*",
    ),
    (
        "arity_mismatch",
        "cannot be applied to given types|too many argument*|too many parameter*|too many value*|too many positional|too many columns|too many operands|too few argument*|too few parameter*|too few values|wrong number of|incorrect number of|\
        invalid number of arguments|required positional|takes .. positional|takes .. arguments|takes .. argument but|expected # argument*|expected .. arguments|arguments but|not enough argument*|not enough values|\
        not enough parameters|values to unpack|missing operand|missing argument*|argument count|arity|number of arguments|number of columns|number of values|number of parameters|columns but|values for .. columns|\
        arguments are required|requires an argument|requires .. argument*|argument required|missing required argument|arguments to function .. incorrect|this function takes",
    ),
    (
        "column_reference",
        "column|columns|field list|colonne|spalte|columna|столб*|колонк*",
    ),
    (
        "function_case",
        "case sensitive|case sensitivity|uppercase|lowercase|upper case|lower case|wrong case|case mismatch|capitali*|unknown function|no such function|undefined function|function .. does not exist|function .. case",
    ),
    (
        "sort_direction",
        "sort direction|sort order|sort by|sort key|order by|sorted|unsorted|ascending|descending|asc or desc|desc or asc|order asc|order desc|sort asc|sort desc|wrong order|sort",
    ),
    (
        "unknown_command",
        "command not found|unknown command|unknown subcommand|no such command|no such subcommand|command .. not found|not recognized as|is not a .. command|unrecognized command|unrecognized subcommand|\
        invalid command|unknown action|unknown verb|unknown instruction|unknown directive|unknown tool|unsupported command|missing script|no such tool|tool not found|команда не найдена|неизвестная команда|commande introuvable|\
        befehl nicht gefunden|orden no encontrada|comando no encontrado|comando non trovato",
    ),
    (
        "no_progress",
        "no progress|without progress|not progressing|same state|no change|unchanged|nothing changed|no effect|no improvement|made no|not advancing|нет прогресса|без изменений",
    ),
    (
        "constraint_failed",
        "already exists|file exists|not empty|exceeds|out of bounds|out of range|duplicate|field required|non exhaustive|cannot borrow|cannot assign|constraint|constraints|violation|violates|violated|invariant|precondition|postcondition|assertion|assert|requirement not met|condition not met|validation failed|validation error|must be|must not be|\
        must have|did not match|does not match|does not satisfy|not satisfied|not reached|check failed|expected .. got|expected .. but got|expected .. found|expected .. actual|schema mismatch|нарушен*|ограничени*",
    ),
    (
        "state_stall",
        "stuck|stall|stalled|stalls|stalling|deadlock|deadlocked|livelock|hung|hangs|frozen|freeze|loop detected|infinite loop|repeated state|same state|not responding|unresponsive|asleep|завис*",
    ),
    (
        "unsafe_action",
        "unsafe|safety|dangerous|collision|collided|hazard*|emergency stop|destructive|refusing to|blocked by policy|policy violation|violates policy|harmful|guard hit|guard tripped|forbidden action|опасн*",
    ),
    (
        "goal_distance_increase",
        "distance increas*|distance .. increased|distance .. grew|further from|farther from|away from goal|away from target|away from the goal|away from the target|moved away|regressed|regression|negative progress|worse than before",
    ),
    (
        "timeout",
        "timeout|timeouts|timed out|time out|timedout|etimedout|deadline exceeded|took too long|time limit|zeitüberschreitung|délai .. dépassé|tiempo de espera|tempo limite|тайм аут|таймаут|время ожидания|время .. истекло|истекло время",
    ),
    (
        "permission",
        "is private|brak uprawnień|недостатньо прав|permission|permissions|access denied|access is denied|eacces|eperm|operation not permitted|not permitted|forbidden|insufficient privilege*|privilege*|not authorized|unauthorized|read only file|readonly|\
        requested access|access denied|отказано|нет прав|berechtigung|zugriff verweigert|accès refusé|permission refusée|permiso|permisos|permissão|permesso",
    ),
    (
        "not_found",
        "cannot load such file|failed opening|no rule to|no targets|unable to open|nie znaleziono|bulunamadı|không tìm thấy|impossibile trovare|знайти|δεν βρέθηκε|not found|not be found|no such|does not exist|doesn't exist|not exist|cannot find|could not find|couldn't find|can't find|unable to find|unable to locate|could not locate|cannot locate|can't locate|enoent|notfound|nonexistent|\
        http 404|status 404|code 404|no matching|nicht gefunden|introuvable|no encontrad*|no se encontró|não encontrad*|non trovat*|не найден*|не существует|нет такого|нет такой",
    ),
    (
        "auth",
        "unauthorized|unauthenticated|authentication|unauthorised|http 401|status 401|code 401|credential|credentials|password|invalid token|token expired|token has expired|expired token|api key|login failed|login required|not logged in|\
        invalid signature|publickey|host key verification|access denied for user|certificate|аутентификац*|парол*|anmeldung|authentification|autenticación",
    ),
    (
        "rate_limited",
        "rate limit*|ratelimit*|too many requests|http 429|status 429|code 429|throttl*|retry after|quota exceeded|exceeded .. quota|overloaded",
    ),
    (
        "network",
        "connection .. refused|connection refused|connection reset|connection closed|connection aborted|connection timed|connection error|connection failed|connection lost|connection to .. refused|connection to .. failed|econnrefused|econnreset|ehostunreach|\
        enetunreach|network|unreachable|resolve host*|resolve hostname|name resolution|dns|no route to host|socket|host not found|name or service not known|getaddrinfo|enotfound|ssl|tls|proxy|dial tcp|broken pipe|epipe|address already in use|\
        eaddrinuse|could not connect|cannot connect|failed to connect|unable to connect|couldn't connect|can't connect|connect to .. port|port is already|connecting to|соединени*|подключени*|сет*и|verbindung|connexion|conexión|conexão|connessione",
    ),
    (
        "resource",
        "out of memory|oom|oomkilled|oom killed|memory error|cannot allocate|can't allocate|no space left|disk full|disk quota|enospc|enomem|emfile|too many open files|resource exhausted|resource temporarily|resource busy|stack overflow|\
        maximum recursion|recursion depth|call stack|heap space|pool exhausted|exhausted|quota exceeded|memory limit|недостаточно памяти|нехватка|speicher|mémoire insuffisante|memoria insuficiente",
    ),
    (
        "retryable",
        "temporar*|try again|retry*|retryable|retrying|transient|unavailable|timed out|timeout|econnreset|connection reset|busy|is locked|database locked|could not get lock|state lock|too many requests|rate limit*|deadlock|\
        http 502|http 503|http 504|status 502|status 503|status 504|code 502|code 503|code 504|bad gateway|временно|vorübergehend|temporairement|temporalmente",
    ),
    (
        "nonzero_exit",
        "exit status #|exit code #|exited with code #|exited with status #|exited with #|exited # with|code exited|returned non zero|non zero exit|nonzero exit|returned # exit status|returncode #|exit value #|finished with exit code #|код возврата #|кодом #",
    ),
    (
        "server_error",
        "http 5xx|http # 5xx|status 5xx|status code 5xx|code 5xx|error 5xx|5xx server|5xx internal|5xx bad|5xx service|5xx gateway|internal server error|bad gateway|service unavailable|gateway timeout|server error",
    ),
    (
        "client_error",
        "http 4xx|http # 4xx|status 4xx|status code 4xx|code 4xx|error 4xx|4xx client|4xx not|4xx bad|4xx unauthorized|4xx forbidden|4xx conflict|4xx too|bad request|client error|unprocessable entity|method not allowed",
    ),
    (
        "type_mismatch",
        "invalid number|invalid value|invalid conversion|invalid date|conflicting types|cannot index|cannot iterate|cannot be added|not iterable|cannot be applied to|null pointer|nil pointer|null reference|nil value|is null|on null|none type|can't decode|cannot decode|type error|mismatched type*|type mismatch|types mismatch|incompatible type*|cannot convert|could not convert|can't convert|not assignable|invalid type|expected type|cannot cast|class cast|wrong type|datatype mismatch|\
        invalid literal|cannot be converted|not an integer|not a number|non integer|non numeric|number format|invalid numeric|invalid input syntax for|invalid operands|cannot use .. as|несоответствие тип*|неверный тип",
    ),
];

/// Stems of scripts without spaces between words: they are looked for anywhere in a line.
static STEMS: &[(&str, &str)] = &[
    ("syntax_structure", "语法|語法|構文|구문|बनावट"),
    ("unknown_symbol", "未定义|未定義|未声明|정의되지"),
    (
        "unknown_command",
        "未找到命令|命令未找到|找不到命令|コマンドが見つかりません|명령을 찾을 수 없",
    ),
    (
        "path_quote",
        "找不到文件|ファイルが見つかりません|파일을 찾을 수 없|引号|引用符",
    ),
    (
        "not_found",
        "找不到|未找到|不存在|見つかりません|存在しません|찾을 수 없|العثور|غير موجود|नहीं मिल|ไม่พบ|לא נמצא",
    ),
    (
        "permission",
        "权限|權限|拒绝访问|権限|許可|권한|صلاحية|تم رفض",
    ),
    (
        "timeout",
        "超时|超時|タイムアウト|시간 초과|시간이 초과|مهلة",
    ),
    (
        "network",
        "连接|連線|網路|网络|接続|연결|네트워크|الاتصال|الشبكة",
    ),
    (
        "resource",
        "内存不足|磁盘空间不足|メモリ不足|容量不足|메모리 부족|الذاكرة",
    ),
    ("type_mismatch", "类型不匹配|类型错误|型が一致|타입이 일치"),
    ("constraint_failed", "约束|違反|制約|제약"),
    ("no_progress", "没有进展|進捗なし|진전 없음"),
    ("auth", "密码|認証|认证|인증|كلمة المرور"),
];

/// One element of a phrase.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    Word(&'static str),
    Beginning(&'static str),
    Gap,
    Number,
    Hundred(u8),
}

impl Part {
    fn of(text: &'static str) -> Self {
        match text {
            ".." => Self::Gap,
            "#" => Self::Number,
            "4xx" => Self::Hundred(b'4'),
            "5xx" => Self::Hundred(b'5'),
            _ => text
                .strip_suffix('*')
                .map_or(Self::Word(text), Self::Beginning),
        }
    }

    fn fits(&self, word: &str) -> bool {
        let digits = word.bytes().all(|b| b.is_ascii_digit());
        match self {
            Self::Word(w) => *w == word,
            Self::Beginning(w) => word.starts_with(w),
            Self::Gap => false,
            Self::Number => digits && word.bytes().any(|b| b != b'0'),
            Self::Hundred(first) => digits && word.len() == 3 && word.as_bytes()[0] == *first,
        }
    }
}

struct Phrase {
    tag: &'static str,
    parts: Vec<Part>,
}

/// The phrases by the first letter of their first word, so that a word meets only the few that can begin with it.
static INDEX: LazyLock<BTreeMap<char, Vec<Phrase>>> = LazyLock::new(|| {
    let mut out: BTreeMap<char, Vec<Phrase>> = BTreeMap::new();
    for (tag, phrases) in PHRASES {
        for phrase in phrases.split('|').map(str::trim) {
            let parts: Vec<Part> = phrase.split_whitespace().map(Part::of).collect();
            // A status may open a phrase; it is met through its first digit.
            let first = phrase.chars().next().unwrap_or(' ');
            out.entry(first).or_default().push(Phrase { tag, parts });
        }
    }
    out
});

/// The tags of error text and reason: sorted, each once, `generic` when nothing is recognised.
///
/// ```
/// use twiceshy_fingerprint::tags::of_text;
/// assert_eq!(of_text("sqlite3.OperationalError: no such column: total"), ["column_reference", "not_found", "unknown_symbol"]);
/// assert_eq!(of_text("the lamp is green"), ["generic"]);
/// ```
pub fn of_text(text: &str) -> Vec<String> {
    let mut found = BTreeSet::new();
    if text.len() <= 2 * EDGE {
        read(text, &mut found);
    } else {
        let head = &text[..text.floor_char_boundary(EDGE)];
        let tail = &text[text.ceil_char_boundary(text.len() - EDGE)..];
        read(head, &mut found);
        read(tail, &mut found);
        if let Some(line) = fingerprint::headline_of(text) {
            read(line, &mut found);
        }
    }
    if found.is_empty() {
        found.insert("generic");
    }
    found.into_iter().map(str::to_string).collect()
}

fn read(text: &str, found: &mut BTreeSet<&'static str>) {
    for line in fingerprint::telling_lines(text) {
        let words = words(&line);
        for (i, word) in words.iter().enumerate() {
            let Some(phrases) = word.chars().next().and_then(|c| INDEX.get(&c)) else {
                continue;
            };
            for phrase in phrases {
                if !found.contains(phrase.tag)
                    && matches(&phrase.parts, &words[i..])
                    && !is_place(phrase, words.get(i + 1))
                {
                    found.insert(phrase.tag);
                }
            }
        }
        if !line.is_ascii() {
            let stems = STEMS
                .iter()
                .flat_map(|(tag, stems)| stems.split('|').map(move |s| (*tag, s)));
            found.extend(
                stems
                    .filter(|(_, stem)| line.contains(stem))
                    .map(|(tag, _)| tag),
            );
        }
        if says_only_not_found(&line) {
            found.insert("unknown_command");
        }
    }
}

/// `line 1, column 9` tells where and is no reference to a column.
fn is_place(phrase: &Phrase, next: Option<&String>) -> bool {
    phrase.tag == "column_reference"
        && next.is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit()))
}

/// `sh: 1: name: not found`: a shell's way to say that it does not know a command.
fn says_only_not_found(line: &str) -> bool {
    let parts: Vec<&str> = line.trim_end().split(": ").collect();
    matches!(parts.as_slice(), [_, number, name, "not found"] if number.bytes().all(|b| b.is_ascii_digit()) && !name.contains(' '))
}

fn matches(parts: &[Part], words: &[String]) -> bool {
    match parts {
        [] => true,
        [Part::Gap, rest @ ..] => (0..=GAP.min(words.len())).any(|n| matches(rest, &words[n..])),
        [part, rest @ ..] => {
            words.first().is_some_and(|w| part.fits(w)) && matches(rest, &words[1..])
        }
    }
}

/// The words of a line in lowercase: identifiers are cut into their parts, and quoted punctuation counts as `'`.
fn words(line: &str) -> Vec<String> {
    let chars: Vec<char> = line.chars().collect();
    let mut out: Vec<String> = Vec::new();
    let mut word = String::new();
    for (i, &c) in chars.iter().enumerate() {
        let before = i.checked_sub(1).map(|n| chars[n]);
        let after = chars.get(i + 1).copied();
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        if c.is_alphanumeric() {
            let hump = is_hump(before.unwrap_or(' '), c, after.unwrap_or(' '));
            if hump && !word.is_empty() {
                out.push(std::mem::take(&mut word));
            }
            word.extend(c.to_lowercase());
        } else if is_apostrophe(c) && is_letter(before) && is_letter(after) {
            word.push('\'');
        } else {
            if !word.is_empty() {
                out.push(std::mem::take(&mut word));
            }
            let quotes_sign = "'\"`‘“".contains(c)
                && after.is_some_and(|a| ";,)(}{][:=<>'`".contains(a))
                && !is_letter(before);
            if quotes_sign {
                out.push("'".to_string());
            } else if c == ')' {
                out.push(")".to_string());
            }
        }
    }
    if !word.is_empty() {
        out.push(word);
    }
    out
}
