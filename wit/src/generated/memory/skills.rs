//! `twiceshy:memory/skills`: generated from the contract.

use super::{Error, Skill, SkillHit};

/// Skills: procedures that a person can read and edit.
pub trait Skills {
    /// Stores a skill as Markdown under a name of 1 to 64 lowercase letters, digits and dashes. An existing skill
    /// gets a new version, and a retired one is in use again; the same text changes nothing.
    ///
    /// The text begins with `# Skill: <name>`. The sections `## Prerequisites`, `## Steps` (numbered, required), `##
    /// Common Errors & Fixes` (`error: fix`) and `## Exit Criteria` are interpreted, others are kept. At most 64 KiB.
    /// Secrets are masked. `invalid-argument` names the line that is wrong.
    fn put(&self, slug: &str, markdown: &str) -> Result<Skill, Error>;

    /// Returns a skill by its name, in use or retired.
    fn get(&self, slug: &str) -> Result<Skill, Error>;

    /// Lists the versions of a skill that were replaced, oldest first: the newest 1,000.
    fn history(&self, slug: &str) -> Result<Vec<Skill>, Error>;

    /// Lists all skills in use, by name. At most 1,000.
    fn all(&self) -> Result<Vec<Skill>, Error>;

    /// Finds skills in use by the keywords of a task, best first. The score is the share of the keywords that the
    /// skill has; keywords in its title count fully, others half. At most 64.
    fn find(&self, task: &str, limit: u32) -> Result<Vec<SkillHit>, Error>;

    /// Retires a skill. It is kept.
    fn retire(&self, slug: &str, reason: &str) -> Result<Skill, Error>;

    /// Makes a skill from a pattern with a procedure, a sequence or a decomposition, and links it to the pattern as
    /// `derived-from`. `conflict` if the pattern has no steps.
    fn make_of_pattern(&self, pattern: &str, slug: &str) -> Result<Skill, Error>;
}
