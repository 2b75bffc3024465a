//! The settings of an embedder: which service, and how it is called.
//!
//! Owns their names, as a table `[embedding]`, as the section `embedding` of a YAML file and as variables `EMBED_*`,
//! and what is refused of them. Which files they may stand in is the project's business.

use std::{collections::BTreeMap, env, path::PathBuf, time::Duration};

use serde::Deserialize;
use twiceshy_wit::host::Error;

use crate::service::{host, is_near};

/// The path of OpenAI's form.
const PATH: &str = "/v1/embeddings";

/// The path of Ollama's older form, which takes one text at a time.
const OLLAMA_PATH: &str = "/api/embeddings";

/// Seconds that an answer may take.
const TIMEOUT_SECONDS: u64 = 30;

/// What gives vectors for texts: a service, or a model in a directory.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct EmbeddingSettings {
    /// The directory of a sentence transformer, instead of a service.
    pub directory: Option<PathBuf>,
    /// The address of the service, such as `http://localhost:11434`.
    #[serde(alias = "baseURL", default)]
    pub base_url: String,
    /// The name of the model.
    #[serde(default)]
    pub model: String,
    /// The key, or `${NAME}` for the environment variable that holds it.
    #[serde(alias = "apiKey")]
    pub api_key: Option<String>,
    /// The header that the key goes into.
    #[serde(alias = "apiHeader", default = "api_header")]
    pub api_header: String,
    /// The path of the request.
    #[serde(default = "path")]
    pub path: String,
    /// How long an answer may take as a whole, in seconds.
    #[serde(alias = "timeoutSeconds", default = "timeout_seconds")]
    pub timeout_seconds: u64,
    /// Further headers.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// Whether `twiceshy run` asks it, too. Without, a command never waits for it.
    #[serde(alias = "onRun", default)]
    pub on_run: bool,
}

fn api_header() -> String {
    "Authorization".to_owned()
}

fn path() -> String {
    PATH.to_owned()
}

fn timeout_seconds() -> u64 {
    TIMEOUT_SECONDS
}

impl Default for EmbeddingSettings {
    fn default() -> Self {
        Self {
            directory: None,
            base_url: String::new(),
            model: String::new(),
            api_key: None,
            api_header: api_header(),
            path: path(),
            timeout_seconds: TIMEOUT_SECONDS,
            headers: BTreeMap::new(),
            on_run: false,
        }
    }
}

/// The key is not shown.
impl std::fmt::Debug for EmbeddingSettings {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("EmbeddingSettings")
            .field("directory", &self.directory)
            .field("base_url", &self.base_url)
            .field("model", &self.model)
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl EmbeddingSettings {
    /// These settings with what the environment says over them; none if neither names a service.
    ///
    /// # Errors
    /// The name of the variable and what it must be.
    pub(crate) fn with_environment(
        settings: Option<Self>,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, (String, String)> {
        let texts = [
            "EMBED_DIRECTORY",
            "EMBED_BASE_URL",
            "EMBED_MODEL",
            "EMBED_API_KEY",
            "EMBED_API_HEADER",
            "EMBED_PATH",
        ];
        let set = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
        let named = ["EMBED_BASE_URL", "EMBED_DIRECTORY"].map(set);
        if settings.is_none() && named.iter().all(Option::is_none) {
            return Ok(None);
        }
        let mut settings = settings.unwrap_or_default();
        // What the environment names takes the place of what the file names.
        if named.iter().any(Option::is_some) {
            settings.directory = None;
            settings.base_url.clear();
        }
        let mut last = "EMBED_BASE_URL";
        for name in texts {
            let Some(value) = set(name) else { continue };
            last = name;
            match name {
                "EMBED_DIRECTORY" => settings.directory = Some(value.into()),
                "EMBED_BASE_URL" => settings.base_url = value,
                "EMBED_MODEL" => settings.model = value,
                "EMBED_API_KEY" => settings.api_key = Some(value),
                "EMBED_API_HEADER" => settings.api_header = value,
                _ => settings.path = value,
            }
        }
        if let Some(value) = set("EMBED_TIMEOUT") {
            settings.timeout_seconds = value.trim().parse().map_err(|_| {
                (
                    "EMBED_TIMEOUT".to_owned(),
                    "must be a number of seconds".to_owned(),
                )
            })?;
            last = "EMBED_TIMEOUT";
        }
        match settings.check() {
            Ok(()) => Ok(Some(settings)),
            Err(why) => Err((last.to_owned(), why)),
        }
    }

    /// What is wrong with them, if anything is. No value is repeated: it may be a key that was put there by mistake.
    ///
    /// # Errors
    /// The name of the setting and what it must be.
    pub(crate) fn check(&self) -> Result<(), String> {
        if let Some(directory) = &self.directory {
            if !self.base_url.is_empty() {
                return Err(
                    "[embedding] has both directory and base-url; remove one of them".to_owned(),
                );
            }
            // The program is started anywhere.
            return match directory.is_absolute() {
                true => Ok(()),
                false => Err("[embedding] directory must be a path from the root on".to_owned()),
            };
        }
        let address = &self.base_url;
        let rest = address
            .strip_prefix("https://")
            .or_else(|| address.strip_prefix("http://"));
        let host = host(address);
        if rest.is_none() || host.is_empty() {
            return Err(
                "[embedding] base-url must be an address such as http://localhost:11434".to_owned(),
            );
        }
        if host.contains('@')
            || address.contains(['?', '#'])
            || address.contains(char::is_whitespace)
        {
            return Err(
                "[embedding] base-url must hold only scheme, host, port and path; put the key into api-key"
                    .to_owned(),
            );
        }
        if self.model.trim().is_empty() {
            return Err(
                "[embedding] model is missing: the name of the model at the service".to_owned(),
            );
        }
        if !self.path.starts_with('/') || self.path.contains(char::is_whitespace) {
            return Err("[embedding] path must begin with `/`".to_owned());
        }
        if !(1..=600).contains(&self.timeout_seconds) {
            return Err("[embedding] timeout-seconds must be from 1 to 600".to_owned());
        }
        let is_header = |name: &str| {
            !name.is_empty()
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
        };
        let is_value = |value: &str| value.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        if !is_header(&self.api_header) {
            return Err("[embedding] api-header must be the name of an HTTP header".to_owned());
        }
        for (name, value) in &self.headers {
            if !is_header(name) || !is_value(value) {
                return Err(
                    "[embedding] headers has a name or value that is not valid in an HTTP header"
                        .to_owned(),
                );
            }
        }
        if let Some(key) = &self.api_key {
            if key.starts_with("${") && variable(key).is_none() {
                return Err(
                    "[embedding] api-key must be the key, or ${NAME} with the name of a variable"
                        .to_owned(),
                );
            }
            if address.starts_with("http://") && !is_near(host) {
                return Err(
                    "[embedding] base-url would receive the key unencrypted; use https, or leave api-key out"
                        .to_owned(),
                );
            }
        }
        Ok(())
    }

    /// The key, if there is one.
    pub(super) fn key(&self) -> Option<Result<String, Error>> {
        let given = self.api_key.as_ref()?;
        let Some(name) = variable(given) else {
            return Some(Ok(given.clone()));
        };
        Some(env::var(name).map_err(|_| {
            Error::Denied(format!(
                "the environment variable {name}, named by [embedding] api-key, is not set; set it, or remove api-key"
            ))
        }))
    }

    /// The address without a trailing slash.
    pub(super) fn address(&self) -> &str {
        self.base_url.trim_end_matches('/')
    }

    /// Whether it takes one text at a time.
    pub(super) fn takes_one(&self) -> bool {
        self.path.trim_end_matches('/') == OLLAMA_PATH
    }

    pub(super) fn time(&self) -> Duration {
        Duration::from_secs(self.timeout_seconds)
    }
}

/// The name within `${NAME}`.
fn variable(text: &str) -> Option<&str> {
    let name = text.strip_prefix("${")?.strip_suffix('}')?;
    let allowed = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    (!name.is_empty() && name.chars().all(allowed)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sections_of_the_document_are_taken() {
        let yaml = "baseURL: \"http://localhost:11434\"\nmodel: \"nomic-embed-text\"\npath: \"/api/embeddings\"\n\
                    timeoutSeconds: 30\napiKey: \"${OPENAI_API_KEY}\"\napiHeader: \"Authorization\"\n\
                    headers:\n  x-trace-id: \"abc123\"\n  x-algo: \"v2\"\n";
        let settings: EmbeddingSettings = serde_yaml_ng::from_str(yaml).unwrap();
        assert_eq!(settings.check(), Ok(()));
        assert!(settings.takes_one());
        assert_eq!(settings.headers.len(), 2);
        let toml =
            "base-url = 'http://192.168.1.244:32184'\nmodel = 'path/to/model.gguf'\napi-key = 'k'";
        let settings: EmbeddingSettings = toml::from_str(toml).unwrap();
        assert_eq!(settings.check(), Ok(()));
        assert_eq!(
            (settings.path.as_str(), settings.timeout_seconds),
            (PATH, 30)
        );
        assert!(!format!("{settings:?}").contains("\"k\""));
    }

    #[test]
    fn the_environment_says_all_of_it_and_wins() {
        let variables = BTreeMap::from([
            ("EMBED_BASE_URL", "http://localhost:1"),
            ("EMBED_MODEL", "m"),
            ("EMBED_API_KEY", "secret"),
            ("EMBED_API_HEADER", "x-key"),
            ("EMBED_PATH", "/api/embeddings"),
            ("EMBED_TIMEOUT", "7"),
        ]);
        let variable = |name: &str| variables.get(name).map(|value| (*value).to_owned());
        let file = EmbeddingSettings {
            base_url: "http://localhost:2".to_owned(),
            model: "other".to_owned(),
            ..EmbeddingSettings::default()
        };
        for settings in [None, Some(file.clone())] {
            let settings = EmbeddingSettings::with_environment(settings, variable)
                .unwrap()
                .unwrap();
            assert_eq!(settings.address(), "http://localhost:1");
            assert_eq!(
                (settings.model.as_str(), settings.timeout_seconds),
                ("m", 7)
            );
            assert_eq!(
                (settings.api_header.as_str(), settings.path.as_str()),
                ("x-key", OLLAMA_PATH)
            );
        }
        let nothing = |_: &str| None;
        assert_eq!(EmbeddingSettings::with_environment(None, nothing), Ok(None));
        assert_eq!(
            EmbeddingSettings::with_environment(Some(file.clone()), nothing),
            Ok(Some(file))
        );
        let late = |name: &str| match name {
            "EMBED_TIMEOUT" => Some("soon".to_owned()),
            name => variable(name),
        };
        let (name, why) = EmbeddingSettings::with_environment(None, late).unwrap_err();
        assert!(name == "EMBED_TIMEOUT" && why.contains("seconds"));
    }

    #[test]
    fn a_directory_stands_instead_of_a_service_and_the_environment_says_which() {
        let file: EmbeddingSettings = toml::from_str("directory = '/models/minilm'").unwrap();
        assert_eq!(file.check(), Ok(()));
        let service = |name: &str| match name {
            "EMBED_BASE_URL" => Some("http://localhost:1".to_owned()),
            "EMBED_MODEL" => Some("m".to_owned()),
            _ => None,
        };
        let chosen = EmbeddingSettings::with_environment(Some(file), service);
        assert_eq!(chosen.unwrap().unwrap().directory, None);
        let directory = |name: &str| (name == "EMBED_DIRECTORY").then(|| "/models/e5".to_owned());
        for settings in [
            None,
            Some(EmbeddingSettings {
                base_url: "http://h".to_owned(),
                ..EmbeddingSettings::default()
            }),
        ] {
            let chosen = EmbeddingSettings::with_environment(settings, directory);
            assert_eq!(
                chosen.unwrap().unwrap().directory,
                Some("/models/e5".into())
            );
        }
    }

    #[test]
    fn wrong_settings_are_refused_by_name() {
        let good = "base-url = 'http://localhost:1'\nmodel = 'm'\n";
        for (text, named) in [
            ("model = 'm'", "base-url"),
            ("directory = 'models/minilm'", "directory"),
            (
                "directory = '/m'\nbase-url = 'http://h'\nmodel = 'm'",
                "directory and base-url",
            ),
            ("base-url = 'ftp://h'\nmodel = 'm'", "base-url"),
            ("base-url = 'http://u:p@h'\nmodel = 'm'", "base-url"),
            ("base-url = 'http://h'", "model"),
            (
                "base-url = 'http://example.com'\nmodel = 'm'\napi-key = 'sk-1'",
                "https",
            ),
            (&format!("{good}path = 'v1'"), "path"),
            (&format!("{good}timeout-seconds = 0"), "timeout-seconds"),
            (&format!("{good}api-header = 'a b'"), "api-header"),
            (&format!("{good}headers = {{ a = \"b\\n\" }}"), "headers"),
            (&format!("{good}api-key = '${{A KEY'"), "api-key"),
            (&format!("{good}apikey = 'x'"), "apikey"),
        ] {
            let error = toml::from_str::<EmbeddingSettings>(text)
                .map_err(|error| error.to_string())
                .and_then(|settings| settings.check())
                .expect_err(text);
            assert!(error.contains(named), "{text}: {error}");
            assert!(!error.contains("sk-1"), "{error}");
        }
    }
}
