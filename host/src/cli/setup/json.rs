//! Our pieces in a JSON file: put there, found again, and taken out, with everything else in it left as it is.
//!
//! Comments, order and layout survive, because the text is edited and not written anew.

use jsonc_parser::{
    ParseOptions,
    cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode},
};
use serde_json::Value;

use super::wanted::{MARK, Piece};

/// What a new file begins as.
const NEW: &str = "{\n}\n";

/// The text with our pieces in it. The same text if they are there already.
pub(super) fn with(text: &str, pieces: &[Piece]) -> Result<String, String> {
    let text = match text.trim().is_empty() {
        true => NEW,
        false => text,
    };
    let root = parsed(text)?;
    let object = root.object_value().ok_or("it holds no JSON object")?;
    for piece in pieces {
        match piece {
            Piece::Base(name, value) => {
                if object.get(name).is_none() {
                    object.append(name, input(value));
                }
            }
            Piece::Member(path, value) => {
                let (name, path) = path.split_last().ok_or("no member is named")?;
                let parent = object_at(&object, path)?;
                match parent.get(name) {
                    None => drop(parent.append(name, input(value))),
                    Some(there) if value_of(there.value()).as_ref() == Some(value) => {}
                    Some(there) => there.set_value(input(value)),
                }
            }
            Piece::Element(path, value) => put(&array_at(&object, path)?, value),
        }
    }
    Ok(root.to_string())
}

/// The text without our pieces, and without what they leave empty.
pub(super) fn without(text: &str, pieces: &[Piece]) -> Result<String, String> {
    let root = parsed(text)?;
    let Some(object) = root.object_value() else {
        return Ok(text.to_owned());
    };
    for piece in pieces {
        match piece {
            Piece::Base(..) => {}
            Piece::Member(path, _) => {
                let Some((name, path)) = path.split_last() else {
                    continue;
                };
                if let Some(found) = existing(&object, path).and_then(|parent| parent.get(name)) {
                    found.remove();
                    remove_empty(&object, path);
                }
            }
            Piece::Element(path, _) => {
                let Some((name, parents)) = path.split_last() else {
                    continue;
                };
                let parent = existing(&object, parents);
                let Some(list) = parent.and_then(|parent| parent.get(name)) else {
                    continue;
                };
                let Some(array) = list.array_value() else {
                    continue;
                };
                ours(&array).into_iter().for_each(CstNode::remove);
                if array.elements().is_empty() {
                    list.remove();
                    remove_empty(&object, parents);
                }
            }
        }
    }
    Ok(root.to_string())
}

/// Whether a text has nothing in it but what a file needs to be valid.
pub(super) fn is_bare(text: &str, pieces: &[Piece]) -> bool {
    let Ok(Some(object)) = parsed(text).map(|root| root.object_value()) else {
        return false;
    };
    let is_base = |name: &str| {
        pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Base(base, _) if *base == name))
    };
    let mut names = object
        .properties()
        .into_iter()
        .filter_map(|one| one.decoded_name());
    names.all(|name| is_base(&name))
}

/// Whether all our hooks are in it, by whatever program.
pub(super) fn has(text: &str, pieces: &[Piece]) -> bool {
    let Ok(Some(object)) = parsed(text).map(|root| root.object_value()) else {
        return false;
    };
    pieces.iter().all(|piece| match piece {
        Piece::Base(..) => true,
        Piece::Member(path, _) => path.split_last().is_some_and(|(name, path)| {
            existing(&object, path).is_some_and(|parent| parent.get(name).is_some())
        }),
        Piece::Element(path, _) => path.split_last().is_some_and(|(name, path)| {
            let list = existing(&object, path).and_then(|parent| parent.array_value(name));
            list.is_some_and(|list| !ours(&list).is_empty())
        }),
    })
}

fn parsed(text: &str) -> Result<CstRootNode, String> {
    // A byte order mark is part of the text, and no JSON.
    CstRootNode::parse(text, &ParseOptions::default())
        .map_err(|error| format!("it is no valid JSON: {error}"))
}

/// Puts an element of ours at the end of a list; another one of ours gives way.
fn put(array: &CstArray, value: &Value) {
    let ours = ours(array);
    let is_same = |node: &CstNode| value_of(Some(node.clone())).as_ref() == Some(value);
    if ours.len() == 1 && ours.iter().all(is_same) {
        return;
    }
    ours.into_iter().for_each(CstNode::remove);
    array.append(input(value));
}

/// The elements of a list that we put there.
fn ours(array: &CstArray) -> Vec<CstNode> {
    let elements = array.elements().into_iter();
    elements
        .filter(|one| one.to_string().contains(MARK))
        .collect()
}

fn value_of(node: Option<CstNode>) -> Option<Value> {
    node?.to_serde_value()
}

fn object_at(root: &CstObject, path: &[&str]) -> Result<CstObject, String> {
    let mut object = root.clone();
    for name in path {
        let inner = object.object_value_or_create(name);
        object = inner.ok_or_else(|| format!("`{name}` in it is no object"))?;
    }
    Ok(object)
}

fn array_at(root: &CstObject, path: &[&str]) -> Result<CstArray, String> {
    let (name, path) = path.split_last().ok_or("no member is named")?;
    let array = object_at(root, path)?.array_value_or_create(name);
    array.ok_or_else(|| format!("`{name}` in it is no list"))
}

fn existing(root: &CstObject, path: &[&str]) -> Option<CstObject> {
    path.iter()
        .try_fold(root.clone(), |object, name| object.object_value(name))
}

/// Removes objects on a path that have nothing in them, from the innermost.
fn remove_empty(root: &CstObject, path: &[&str]) {
    for depth in (1..=path.len()).rev() {
        let (names, name) = (&path[..depth - 1], path[depth - 1]);
        let found = existing(root, names).and_then(|parent| parent.get(name));
        match found {
            Some(found)
                if found
                    .object_value()
                    .is_some_and(|one| one.properties().is_empty()) =>
            {
                found.remove()
            }
            _ => return,
        }
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(elements) => CstInputValue::Array(elements.iter().map(input).collect()),
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(name, value)| (name.clone(), input(value)));
            CstInputValue::Object(members.collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn pieces(program: &str) -> Vec<Piece> {
        let hook = json!({ "command": format!("{program} hook x y {MARK}") });
        vec![
            Piece::Base("version", json!(1)),
            Piece::Element(vec!["hooks", "PostToolUse"], hook),
            Piece::Member(vec!["servers", "twiceshy"], json!({ "command": program })),
        ]
    }

    #[test]
    fn comments_and_what_others_put_there_survive() {
        let text = "{\n  // mine\n  \"hooks\": {\n    \"PostToolUse\": [\n      { \"command\": \"theirs\" } // keep\n    ],\n  },\n  \"z\": [1,2]\n}\n";
        let changed = with(text, &pieces("/a")).expect("changed");
        for kept in ["// mine", "\"theirs\" }", "// keep", "\"z\": [1,2]"] {
            assert!(changed.contains(kept), "{kept}: {changed}");
        }
        assert!(has(&changed, &pieces("/a")) && !has(text, &pieces("/a")));
        assert_eq!(with(&changed, &pieces("/a")).expect("again"), changed);
        let moved = with(&changed, &pieces("/b")).expect("moved");
        assert_eq!(moved.matches(MARK).count(), 1);
        assert!(moved.contains("/b hook") && !moved.contains("/a hook"));
        let removed = without(&moved, &pieces("/b")).expect("removed");
        assert!(!removed.contains("twiceshy") && !removed.contains(MARK));
        for kept in ["// mine", "\"theirs\" }", "// keep", "\"z\": [1,2]"] {
            assert!(removed.contains(kept), "{kept}: {removed}");
        }
    }

    #[test]
    fn a_new_file_is_only_ours_and_what_is_not_understood_is_refused() {
        let text = with("", &pieces("/a")).expect("made");
        assert!(has(&text, &pieces("/a")));
        let bare = without(&text, &pieces("/a")).expect("removed");
        assert!(is_bare(&bare, &pieces("/a")), "{bare}");
        assert!(!is_bare("{\"a\": 1}", &pieces("/a")));
        for (broken, told) in [
            ("[1]", "no JSON object"),
            ("{\"hooks\": 7}", "`hooks`"),
            ("{", "valid JSON"),
        ] {
            let error = with(broken, &pieces("/a")).expect_err("refused");
            assert!(error.contains(told), "{error}");
        }
    }
}
