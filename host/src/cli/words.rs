//! Words of the contract as arguments, by the names that the contract gives them.

use serde::de::DeserializeOwned;

/// A case of an enumeration by its name. `_` may stand for `-`. The error lists the names that there are.
pub(crate) fn word<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let name = text.replace('_', "-");
    serde_json::from_value(name.into()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use twiceshy::wit::memory::LessonStatus;

    #[test]
    fn a_word_is_taken_by_its_name_and_refused_with_the_names_there_are() {
        assert_eq!(word("under_review"), Ok(LessonStatus::UnderReview));
        let error = word::<LessonStatus>("best").expect_err("no such status");
        assert!(
            error.contains("best") && error.contains("promoted"),
            "{error}"
        );
    }
}
