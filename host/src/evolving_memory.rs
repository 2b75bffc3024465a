//! The settings of experience, as a user or a project gives them: from files and from the environment.
//!
//! Owns their names in each form, their ranges, and where each value comes from. They hold for the process and are never
//! written: whoever reads with other settings changes nothing. What they mean is the memory's business.

use std::{fmt, path::PathBuf};

use serde::{Deserialize, Serialize};
use twiceshy_wit::{
    host::{Key, Stored},
    memory::ExperienceSettings,
};

/// The table `[evolving-memory]` of config.toml, or the section `evolvingMemory` of config.yaml. What is left out is
/// said elsewhere, or holds as the memory has it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct EvolvingMemory {
    /// Whether runs become experience by themselves.
    pub enabled: Option<bool>,
    /// The maximum number of entries that are searched.
    #[serde(alias = "maxSize")]
    pub max_size: Option<u32>,
    /// How many entries a search returns.
    #[serde(alias = "topK")]
    pub top_k: Option<u32>,
    /// How many entries count as recent.
    #[serde(alias = "windowSize")]
    pub window_size: Option<u32>,
    /// Whether to search similar entries, or to return only recent ones.
    #[serde(alias = "enableRAG")]
    pub enable_rag: Option<bool>,
    /// Whether the ReMem loop may be used.
    #[serde(alias = "reMemEnabled")]
    pub remem_enabled: Option<bool>,
    /// Steps of its inner loop.
    #[serde(alias = "maxInnerSteps")]
    pub max_inner_steps: Option<u32>,
    /// The name of the model that writes summaries and strategy cards, at the endpoint of `[model]`.
    pub model: Option<String>,
    /// Whether near-duplicates are merged and the least relevant pruned.
    #[serde(alias = "enableSmartPrune")]
    pub enable_smart_prune: Option<bool>,
    /// The similarity from which two entries are merged.
    #[serde(alias = "pruneThreshold")]
    pub prune_threshold: Option<f64>,
    /// The share of its relevance that an entry keeps per day.
    #[serde(alias = "relevanceDecay")]
    pub relevance_decay: Option<f64>,
    /// The relevance below which an entry is pruned first.
    #[serde(alias = "minRelevance")]
    pub min_relevance: Option<f64>,
}

/// The beginning of every variable.
const PREFIX: &str = "EVOLVING_MEMORY_";

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Nobody said anything.
    Default,
    /// The memory has it.
    Memory,
    /// A file.
    File(PathBuf),
    /// A variable.
    Variable(String),
}

impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => formatter.write_str("default"),
            Self::Memory => formatter.write_str("the memory"),
            Self::File(path) => write!(formatter, "{}", path.display()),
            Self::Variable(name) => formatter.write_str(name),
        }
    }
}

/// What was said of experience, with where each value was said.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ExperienceOptions {
    said: Vec<(Source, EvolvingMemory)>,
}

/// A setting as it holds.
#[derive(Debug, Clone, Serialize)]
pub struct Setting {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: serde_json::Value,
    /// Where it comes from.
    pub source: String,
}

/// Calls `$each!(member, name, type)` for every setting that the memory keeps.
macro_rules! each_setting {
    ($each:ident) => {
        $each!(enabled, "enabled");
        $each!(max_size, "max-size");
        $each!(top_k, "top-k");
        $each!(window_size, "window-size");
        $each!(enable_rag, "enable-rag");
        $each!(remem_enabled, "remem-enabled");
        $each!(max_inner_steps, "max-inner-steps");
        $each!(enable_smart_prune, "enable-smart-prune");
        $each!(prune_threshold, "prune-threshold");
        $each!(relevance_decay, "relevance-decay");
        $each!(min_relevance, "min-relevance");
    };
}

impl EvolvingMemory {
    /// What the environment says, each variable by itself.
    ///
    /// # Errors
    /// The variable and what it must be.
    fn from_environment(
        variables: impl Iterator<Item = (String, String)>,
    ) -> Result<Vec<(Source, Self)>, (String, String)> {
        let mut said = Vec::new();
        for (variable, value) in variables {
            let Some(name) = variable.strip_prefix(PREFIX) else {
                continue;
            };
            let value = value.trim();
            if value.is_empty() {
                continue;
            }
            let mut settings = Self::default();
            settings
                .set(name, value)
                .and_then(|()| settings.check())
                .map_err(|why| (variable.clone(), why))?;
            said.push((Source::Variable(variable), settings));
        }
        // The order of variables is nobody's choice.
        said.sort_by_key(|(source, _)| source.to_string());
        Ok(said)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "ENABLED" => self.enabled = Some(switch(value)?),
            "MAX_SIZE" => self.max_size = Some(count(value)?),
            "TOP_K" => self.top_k = Some(count(value)?),
            "WINDOW_SIZE" => self.window_size = Some(count(value)?),
            "ENABLE_RAG" => self.enable_rag = Some(switch(value)?),
            "REMEM_ENABLED" => self.remem_enabled = Some(switch(value)?),
            "MAX_INNER_STEPS" => self.max_inner_steps = Some(count(value)?),
            "MODEL" => self.model = Some(value.to_owned()),
            "ENABLE_SMART_PRUNE" => self.enable_smart_prune = Some(switch(value)?),
            "PRUNE_THRESHOLD" => self.prune_threshold = Some(share(value)?),
            "RELEVANCE_DECAY" => self.relevance_decay = Some(share(value)?),
            "MIN_RELEVANCE" => self.min_relevance = Some(share(value)?),
            _ => return Err("is not a setting of [evolving-memory]; remove it".to_owned()),
        }
        Ok(())
    }

    /// Refuses what is out of its range.
    ///
    /// # Errors
    /// The setting and its range.
    pub(crate) fn check(&self) -> Result<(), String> {
        let counts = [
            ("max-size", self.max_size, 10_000),
            ("top-k", self.top_k, 100),
            ("window-size", self.window_size, 1_000),
            ("max-inner-steps", self.max_inner_steps, 20),
        ];
        for (name, value, most) in counts {
            if value.is_some_and(|value| !(1..=most).contains(&value)) {
                return Err(format!("{name} must be from 1 to {most}"));
            }
        }
        let shares = [
            ("prune-threshold", self.prune_threshold),
            ("relevance-decay", self.relevance_decay),
            ("min-relevance", self.min_relevance),
        ];
        for (name, value) in shares {
            if value.is_some_and(|value| !(0.0..=1.0).contains(&value)) {
                return Err(format!("{name} must be a number from 0 to 1"));
            }
        }
        if self
            .model
            .as_ref()
            .is_some_and(|name| name.trim().is_empty())
        {
            return Err("model must not be empty".to_owned());
        }
        Ok(())
    }
}

impl ExperienceOptions {
    /// Takes in what a file says, over what was said before.
    pub(crate) fn add(&mut self, file: PathBuf, settings: EvolvingMemory) {
        self.said.push((Source::File(file), settings));
    }

    /// Takes in what the environment says, over everything else.
    ///
    /// # Errors
    /// The variable and what it must be.
    pub(crate) fn add_environment(
        &mut self,
        variables: impl Iterator<Item = (String, String)>,
    ) -> Result<(), (String, String)> {
        self.said
            .extend(EvolvingMemory::from_environment(variables)?);
        Ok(())
    }

    /// The model that was named for experience.
    pub fn model(&self) -> Option<&str> {
        let mut said = self.said.iter().rev();
        said.find_map(|(_, settings)| settings.model.as_deref())
    }

    /// What holds: what was said, over what the memory has.
    pub fn over(&self, kept: ExperienceSettings) -> ExperienceSettings {
        let mut settings = kept;
        for (_, said) in &self.said {
            macro_rules! take {
                ($member:ident, $name:literal) => {
                    if let Some(value) = said.$member {
                        settings.$member = value;
                    }
                };
            }
            each_setting!(take);
        }
        settings
    }

    /// What was said, as the document that a memory lays over its own settings. It holds for the process, and no store has
    /// it.
    pub(crate) fn document(&self) -> Option<Stored> {
        let mut settings = serde_json::Map::new();
        for (_, said) in &self.said {
            macro_rules! take {
                ($member:ident, $name:literal) => {
                    if let Some(value) = said.$member {
                        settings.insert($name.to_owned(), value.into());
                    }
                };
            }
            each_setting!(take);
        }
        let body = serde_json::json!({ "settings": settings }).to_string();
        (!settings.is_empty()).then(|| Stored {
            key: Key {
                kind: "experience-settings".to_owned(),
                id: "process".to_owned(),
            },
            version: 1,
            body,
        })
    }

    /// Every setting with its value and where it comes from. `kept` is what the memory has.
    pub fn listed(&self, kept: ExperienceSettings, defaults: ExperienceSettings) -> Vec<Setting> {
        let mut listed = Vec::new();
        let holds = self.over(kept);
        macro_rules! list {
            ($member:ident, $name:literal) => {
                let mut said = self.said.iter().rev();
                let said = said.find(|(_, settings)| settings.$member.is_some());
                let unsaid = if kept.$member == defaults.$member {
                    &Source::Default
                } else {
                    &Source::Memory
                };
                listed.push(Setting {
                    name: $name,
                    value: serde_json::json!(holds.$member),
                    source: said.map_or(unsaid, |(source, _)| source).to_string(),
                });
            };
        }
        each_setting!(list);
        let mut said = self.said.iter().rev();
        let said = said.find(|(_, settings)| settings.model.is_some());
        listed.push(Setting {
            name: "model",
            value: serde_json::json!(self.model()),
            source: said
                .map_or(&Source::Default, |(source, _)| source)
                .to_string(),
        });
        listed
    }
}

fn switch(text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" | "on" => Ok(true),
        "false" | "0" | "no" | "off" => Ok(false),
        _ => Err("must be true or false".to_owned()),
    }
}

fn count(text: &str) -> Result<u32, String> {
    text.parse()
        .map_err(|_| "must be a whole number".to_owned())
}

fn share(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "must be a number".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULTS: ExperienceSettings = ExperienceSettings {
        enabled: true,
        max_size: 1_000,
        top_k: 4,
        window_size: 20,
        enable_rag: true,
        remem_enabled: false,
        max_inner_steps: 5,
        enable_smart_prune: true,
        prune_threshold: 0.95,
        relevance_decay: 0.99,
        min_relevance: 0.1,
    };

    /// Every setting with another value than its default, as the environment has it.
    const VARIABLES: [(&str, &str); 12] = [
        ("EVOLVING_MEMORY_ENABLED", "false"),
        ("EVOLVING_MEMORY_MAX_SIZE", "500"),
        ("EVOLVING_MEMORY_TOP_K", "7"),
        ("EVOLVING_MEMORY_WINDOW_SIZE", "9"),
        ("EVOLVING_MEMORY_ENABLE_RAG", "false"),
        ("EVOLVING_MEMORY_REMEM_ENABLED", "true"),
        ("EVOLVING_MEMORY_MAX_INNER_STEPS", "3"),
        ("EVOLVING_MEMORY_MODEL", "gpt-4o-mini"),
        ("EVOLVING_MEMORY_ENABLE_SMART_PRUNE", "false"),
        ("EVOLVING_MEMORY_PRUNE_THRESHOLD", "0.9"),
        ("EVOLVING_MEMORY_RELEVANCE_DECAY", "0.98"),
        ("EVOLVING_MEMORY_MIN_RELEVANCE", "0.2"),
    ];

    fn environment(variables: &[(&str, &str)]) -> impl Iterator<Item = (String, String)> {
        let variables: Vec<_> = variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        variables.into_iter()
    }

    #[test]
    fn all_three_forms_say_the_same() {
        let yaml = "enabled: false\nmaxSize: 500\ntopK: 7\nwindowSize: 9\nenableRAG: false\nreMemEnabled: true\n\
                    maxInnerSteps: 3\nmodel: \"gpt-4o-mini\"\nenableSmartPrune: false\npruneThreshold: 0.9\n\
                    relevanceDecay: 0.98\nminRelevance: 0.2\n";
        let toml = "enabled = false\nmax-size = 500\ntop-k = 7\nwindow-size = 9\nenable-rag = false\n\
                    remem-enabled = true\nmax-inner-steps = 3\nmodel = 'gpt-4o-mini'\nenable-smart-prune = false\n\
                    prune-threshold = 0.9\nrelevance-decay = 0.98\nmin-relevance = 0.2\n";
        let yaml: EvolvingMemory = serde_yaml_ng::from_str(yaml).unwrap();
        assert_eq!(yaml, toml::from_str::<EvolvingMemory>(toml).unwrap());
        assert_eq!(yaml.check(), Ok(()));
        let mut from_file = ExperienceOptions::default();
        from_file.add(PathBuf::from("config.yaml"), yaml);
        let mut from_environment = ExperienceOptions::default();
        from_environment
            .add_environment(environment(&VARIABLES))
            .unwrap();
        let holds = from_file.over(DEFAULTS);
        assert_eq!(holds, from_environment.over(DEFAULTS));
        assert_eq!((holds.max_size, holds.min_relevance), (500, 0.2));
        assert!(!holds.enabled && !holds.enable_rag && holds.remem_enabled);
        assert_eq!(from_environment.model(), Some("gpt-4o-mini"));
    }

    #[test]
    fn the_environment_wins_and_every_value_says_where_it_comes_from() {
        let mut options = ExperienceOptions::default();
        let file = EvolvingMemory {
            top_k: Some(5),
            max_size: Some(50),
            ..EvolvingMemory::default()
        };
        options.add(PathBuf::from("/p/config.toml"), file);
        options
            .add_environment(environment(&[
                ("EVOLVING_MEMORY_TOP_K", "6"),
                ("OTHER", "x"),
            ]))
            .unwrap();
        let kept = ExperienceSettings {
            window_size: 30,
            ..DEFAULTS
        };
        let listed = options.listed(kept, DEFAULTS);
        let of = |name: &str| {
            let one = listed.iter().find(|one| one.name == name).unwrap();
            (one.value.to_string(), one.source.clone())
        };
        let text = |value: &str, source: &str| (value.to_owned(), source.to_owned());
        assert_eq!(of("top-k"), text("6", "EVOLVING_MEMORY_TOP_K"));
        assert_eq!(of("max-size"), text("50", "/p/config.toml"));
        assert_eq!(of("window-size"), text("30", "the memory"));
        assert_eq!(of("min-relevance"), text("0.1", "default"));
        assert_eq!(listed.len(), 12);
    }

    #[test]
    fn what_is_unknown_or_out_of_range_is_refused_by_name() {
        for (name, value) in [
            ("EVOLVING_MEMORY_MAX_SIZE", "0"),
            ("EVOLVING_MEMORY_MAX_SIZE", "many"),
            ("EVOLVING_MEMORY_TOP_K", "101"),
            ("EVOLVING_MEMORY_ENABLED", "perhaps"),
            ("EVOLVING_MEMORY_PRUNE_THRESHOLD", "1.5"),
            ("EVOLVING_MEMORY_RELEVANCE_DECAY", "nan"),
            ("EVOLVING_MEMORY_COLOUR", "red"),
        ] {
            let mut options = ExperienceOptions::default();
            let (named, _) = options
                .add_environment(environment(&[(name, value)]))
                .unwrap_err();
            assert_eq!(named, name);
            assert_eq!(options, ExperienceOptions::default(), "nothing was taken");
        }
        assert!(serde_yaml_ng::from_str::<EvolvingMemory>("maxSise: 1").is_err());
    }
}
