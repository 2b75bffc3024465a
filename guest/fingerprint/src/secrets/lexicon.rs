//! Word lists: the vocabulary that distinguishes names from values.
//!
//! This module owns the lists and the lookup in them, and nothing of when a list applies. A list is
//! one string of lower-case words between blanks: it stays readable, and it is consulted only after
//! cheaper checks have found something that may be a secret.

/// Whether `word`, in any case, is one of the words of `list`.
pub(super) fn listed(list: &str, word: &[u8]) -> bool {
    list.split_ascii_whitespace()
        .any(|w| w.as_bytes().eq_ignore_ascii_case(word))
}

/// A last word that turns a name into one about a secret rather than of one.
pub(super) const ABOUT: &str = "age alg algorithm arn at attempts bits budget bytes cache changed class \
    column complexity cost count created descriptor dir disabled enabled endpoint error errors exp expiration \
    expires expiry exists failed failures field file filename format generator handler header helper \
    hint id identifier ids in index input invalid issuer kind label length len lifetime limit line list location \
    manager max message method min mode name names namespace offset only option options param parameter \
    parameters path pattern placeholder policy pos position prefix prompt protected provider ref regex \
    required requirements reset rotation rule rules scanning scanner schema scope scopes service size \
    source span status stdin store strategy strength suffix text timeout title ttl type types updated \
    uri url usage used valid validation validator validators variable var version";

/// Words before `token` that make it a parser's, a tokenizer's or a page's token.
pub(super) const LEXICAL: &str = "additional bos cached cls completion continuation count current cursor \
    end eof eos expected first from illegal image input invalid last lex lookahead mask max min new next \
    num output pad page peek per prev previous prompt reasoning sep start stop sync syntax total \
    unexpected unk unknown unrecognized";

/// Words before `key` that make it a secret by themselves.
pub(super) const KEYS_SURE: &str = "access account api consumer decryption encryption licence license \
    master private recovery secret session shared signing unseal";

/// Words before `key` that make it a secret when the value looks like one.
pub(super) const KEYS_LIKELY: &str = "admin aes algolia anthropic app application auth azure bot cipher \
    client cloudflare cohere crypto datadog deepgram deepseek deploy elevenlabs encrypt fireworks \
    function gemini google groq heroku hmac ingest integration jwt mailgun mistral okta openai \
    perplexity pinecone replicate rsa sdk sendgrid server service sign ssh storage stripe subscription \
    together user webhook write xai";

/// Words before `key` that make it an address of something, which may be a digest.
pub(super) const KEYS_PLAIN: &str = "any artifact attribute base blob block bucket build cache checksum child chunk column composite \
    config content context cookie data dedup dedupe default dependency dict digest document duplicate element entity entry etag \
    event field file finger foreign group hash header host i18n idempotency image index input item job json known label layer \
    lock locale lookup map member message meta metric model natural node object offset order output package parent part \
    partition path pkg primary prop property pub public query queue react record redis ref reference registry request resource result \
    root route routing row s3 search sequence setting shard slot sort span state stream surrogate table tag task test trace \
    translation tree unique upload url value vector version";

/// Words before `pass` that make it a password.
pub(super) const PASS_OWNERS: &str = "account admin amqp api app auth basic become database db email ftp git http \
    imap key ldap login mail mongo mysql pg postgres proxy rabbitmq redis root server service smtp sql \
    ssh store sudo user vnc wifi";

/// Values that say there is no value, in any surroundings.
pub(super) const LITERALS: &str = "true false null none nil undefined nan yes no on off n/a na empty unset \
    redacted hidden masked filtered omitted removed [redacted] [filtered] (none) (empty) (null) (unset)";

/// Words of error messages and schemas that stand where a secret would, even between quotes.
pub(super) const ERRORS: &str = "required invalid incorrect wrong missing expired denied rejected failed \
    mismatch optional string str text unknown unexpected unauthorized forbidden disabled enabled valid \
    password-required not-set";

/// Words that begin a sentence or a clause after `password:` in prose.
pub(super) const PROSE: &str = "a an and are as at be been but by can can't cannot check choose confirm \
    contains could couldn't did didn't do does doesn't enter error expected field for from got had has \
    have if illegal in input into is isn't it its length may might must my need needs new no not of on or \
    out please prompt provide provided reset set should since some than that the their then there these \
    this to too type unable unset until use used user uses using value was we were when which while will \
    with without won't would you your at-least bytes int integer number object option optional any void \
    bool boolean char varchar secret password passwd token key username updated changed short long weak \
    stronger accepted verified shift authentication authorization see try hint note warning err ok";

/// Words that make a quoted sentence a message about a value rather than a value.
pub(super) const SENTENCE: &str = "must required invalid incorrect cannot failed missing expected unexpected \
    should please doesn't isn't wrong least characters enter blank contain denied";

/// First names of a dotted path in source code.
pub(super) const ROOTS: &str = "self this os process env config cfg conf settings args opts options params \
    req request user data ctx context state props body form event input secrets vars var local module \
    system environment credentials creds db account session response res result json obj app http client \
    server std crate super import steps github inputs matrix needs runner each item row std::env conn cls \
    parsed payload model entity dto auth viper flask";

#[cfg(test)]
mod tests {
    use super::*;

    const LISTS: [&str; 11] = [
        ABOUT,
        LEXICAL,
        KEYS_SURE,
        KEYS_LIKELY,
        KEYS_PLAIN,
        PASS_OWNERS,
        LITERALS,
        ERRORS,
        PROSE,
        SENTENCE,
        ROOTS,
    ];

    #[test]
    fn words_are_found_whole_and_in_any_case() {
        assert!(listed(LITERALS, b"NULL"));
        assert!(!listed(LITERALS, b"nul"));
        assert!(!listed(LITERALS, b""));
    }

    #[test]
    fn every_list_is_in_lower_case() {
        for list in LISTS {
            assert!(!list.bytes().any(|b| b.is_ascii_uppercase()), "{list}");
        }
    }

    #[test]
    fn a_key_is_sure_or_likely_or_plain_but_not_two_of_them() {
        for word in KEYS_SURE.split_ascii_whitespace() {
            assert!(!listed(KEYS_LIKELY, word.as_bytes()), "{word}");
        }
        for word in KEYS_PLAIN.split_ascii_whitespace() {
            let word = word.as_bytes();
            assert!(!listed(KEYS_LIKELY, word) && !listed(KEYS_SURE, word));
        }
    }
}
