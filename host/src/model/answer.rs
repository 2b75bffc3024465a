//! The answer within what a model says: JSON without the wrapping that models like to put around it.
//!
//! Owns unwrapping only. Whether what is left is valid JSON is the caller's business.

/// The answer without a reasoning block before it and without a Markdown fence around it; none if nothing
/// is left.
pub(super) fn bare(text: &str) -> Option<&str> {
    let text = without_reasoning(text.trim_start_matches('\u{feff}').trim());
    let text = fenced(text).unwrap_or(text);
    Some(text).filter(|text| !text.is_empty())
}

fn without_reasoning(text: &str) -> &str {
    let Some(rest) = text.strip_prefix("<think>") else {
        return text;
    };
    rest.split_once("</think>")
        .map_or(text, |(_, answer)| answer.trim())
}

/// The content of the first fenced block. A text that is JSON as it stands has none, whatever its strings hold.
fn fenced(text: &str) -> Option<&str> {
    if text.starts_with(['{', '[']) {
        return None;
    }
    let (_, rest) = text.split_once("```")?;
    let (_, block) = rest.split_once('\n')?;
    let end = block.rfind("```")?;
    Some(block[..end].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_found_in_its_wrapping() {
        for wrapped in [
            "[1]",
            "  [1]\n",
            "```json\n[1]\n```",
            "```\n[1]\n```\n",
            "Here it is:\n```json\n[1]\n```\nAnything else?",
            "<think>a [2]?</think>\n```json\n[1]\n```",
            "\u{feff}[1]",
        ] {
            assert_eq!(bare(wrapped), Some("[1]"), "{wrapped:?}");
        }
    }

    #[test]
    fn json_that_speaks_of_fences_is_left_alone() {
        let text = r#"{"rule": "```json\n[1]\n```"}"#;
        assert_eq!(bare(text), Some(text));
    }

    #[test]
    fn a_fence_without_an_end_is_no_fence() {
        assert_eq!(bare("```json\n[1]"), Some("```json\n[1]"));
        assert_eq!(bare("<think>for ever"), Some("<think>for ever"));
    }

    #[test]
    fn nothing_is_no_answer() {
        assert_eq!(bare(" \n"), None);
        assert_eq!(bare("```json\n```"), None);
    }
}
