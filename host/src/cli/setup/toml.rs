//! Our pieces in a TOML file: put there, found again, and taken out, with everything else in it left as it is.

use serde_json::Value;
use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, value};

use super::wanted::{MARK, Piece};

/// The text with our pieces in it. The same text if they are there already.
pub(super) fn with(text: &str, pieces: &[Piece]) -> Result<String, String> {
    let mut document = parsed(text)?;
    for piece in pieces {
        match piece {
            Piece::Base(name, base) => {
                if !document.contains_key(name) {
                    document.insert(name, item(base));
                }
            }
            Piece::Member(path, wanted) => {
                let (name, path) = path.split_last().ok_or("no member is named")?;
                let parent = table_at(&mut document, path)?;
                let is_same = parent.get(name).is_some_and(|there| is_same(there, wanted));
                if !is_same {
                    parent.insert(name, Item::Table(table(wanted)));
                }
            }
            Piece::Element(path, wanted) => {
                let (name, path) = path.split_last().ok_or("no member is named")?;
                let parent = table_at(&mut document, path)?;
                let list = parent
                    .entry(name)
                    .or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
                let list = list.as_array_of_tables_mut();
                let list = list.ok_or_else(|| format!("`{name}` in it is no list of tables"))?;
                if list
                    .iter()
                    .any(|one| is_ours(one) && is_same(&Item::Table(one.clone()), wanted))
                {
                    continue;
                }
                // Several events share one list: another entry of ours for the same event gives way.
                list.retain(|one| !(is_ours(one) && is_same_event(one, wanted)));
                list.push(table(wanted));
            }
        }
    }
    Ok(document.to_string())
}

/// The text without our pieces.
pub(super) fn without(text: &str, pieces: &[Piece]) -> Result<String, String> {
    let mut document = parsed(text)?;
    for piece in pieces {
        let (Piece::Member(path, _) | Piece::Element(path, _)) = piece else {
            continue;
        };
        let Some((name, parents)) = path.split_last() else {
            continue;
        };
        let Some(parent) = existing(&mut document, parents) else {
            continue;
        };
        match piece {
            Piece::Element(..) => {
                if let Some(list) = parent.get_mut(name).and_then(Item::as_array_of_tables_mut) {
                    list.retain(|one| !is_ours(one));
                    if list.is_empty() {
                        parent.remove(name);
                    }
                }
            }
            _ => drop(parent.remove(name)),
        }
        if let Some((name, [])) = parents.split_last()
            && document
                .get(name)
                .and_then(Item::as_table)
                .is_some_and(|one| one.is_empty() && one.is_implicit())
        {
            document.remove(name);
        }
    }
    Ok(document.to_string())
}

/// Whether all our pieces are in it, by whatever program.
pub(super) fn has(text: &str, pieces: &[Piece]) -> bool {
    let Ok(mut document) = parsed(text) else {
        return false;
    };
    pieces.iter().all(|piece| match piece {
        Piece::Base(name, _) => document.contains_key(name),
        Piece::Member(path, _) => path.split_last().is_some_and(|(name, path)| {
            existing(&mut document, path).is_some_and(|parent| parent.contains_key(name))
        }),
        Piece::Element(path, wanted) => path.split_last().is_some_and(|(name, path)| {
            let parent = existing(&mut document, path);
            let list = parent.and_then(|parent| parent.get(name)?.as_array_of_tables());
            list.is_some_and(|list| {
                list.iter()
                    .any(|one| is_ours(one) && is_same_event(one, wanted))
            })
        }),
    })
}

/// Whether Codex has on record that the user reviewed a hook of this file.
pub(super) fn has_trust(text: &str, hooks: &str) -> bool {
    let Ok(document) = parsed(text) else {
        return false;
    };
    let state = document.get("hooks").and_then(|hooks| hooks.get("state"));
    let state = state.and_then(Item::as_table_like);
    state.is_some_and(|state| {
        let prefix = format!("{hooks}:post_tool_use:");
        state
            .iter()
            .any(|(key, one)| key.starts_with(&prefix) && one.get("trusted_hash").is_some())
    })
}

fn parsed(text: &str) -> Result<DocumentMut, String> {
    text.parse()
        .map_err(|error: toml_edit::TomlError| format!("it is no valid TOML: {}", error.message()))
}

fn table_at<'d>(document: &'d mut DocumentMut, path: &[&str]) -> Result<&'d mut Table, String> {
    let mut table = document.as_table_mut();
    for name in path {
        let inner = table.entry(name).or_insert_with(|| {
            let mut inner = Table::new();
            inner.set_implicit(true);
            Item::Table(inner)
        });
        table = inner
            .as_table_mut()
            .ok_or_else(|| format!("`{name}` in it is no table"))?;
    }
    Ok(table)
}

fn existing<'d>(document: &'d mut DocumentMut, path: &[&str]) -> Option<&'d mut Table> {
    let root = document.as_table_mut();
    path.iter()
        .try_fold(root, |table, name| table.get_mut(name)?.as_table_mut())
}

fn is_ours(table: &Table) -> bool {
    let command = table.get("command").and_then(Item::as_str);
    command.is_some_and(|command| command.contains(MARK))
}

/// Whether an entry is for the event of another.
fn is_same_event(one: &Table, wanted: &Value) -> bool {
    ["event", "type"].iter().any(|name| {
        let there = one.get(name).and_then(Item::as_str);
        there.is_some() && there == wanted[name].as_str()
    })
}

fn is_same(there: &Item, wanted: &Value) -> bool {
    let Some(there) = there.as_table_like() else {
        return false;
    };
    let members = wanted.as_object().into_iter().flatten();
    members.clone().count() == there.len()
        && members.into_iter().all(|(name, wanted)| {
            let text = |item: &Item| item.to_string().trim().to_owned();
            there.get(name).map(text) == Some(text(&item(wanted)))
        })
}

fn table(wanted: &Value) -> Table {
    let mut table = Table::new();
    for (name, wanted) in wanted.as_object().into_iter().flatten() {
        table.insert(name, item(wanted));
    }
    table
}

fn item(wanted: &Value) -> Item {
    match wanted {
        Value::String(text) => value(text.as_str()),
        Value::Bool(flag) => value(*flag),
        Value::Number(number) => value(number.as_i64().unwrap_or_default()),
        Value::Array(elements) => {
            let texts = elements.iter().filter_map(Value::as_str);
            value(texts.collect::<Array>())
        }
        Value::Object(_) => Item::Table(table(wanted)),
        Value::Null => Item::None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn pieces(program: &str) -> Vec<Piece> {
        let hook = |event: &str| json!({ "event": event, "command": format!("{program} hook kimi {event} {MARK}"), "timeout": 10 });
        vec![
            Piece::Element(vec!["hooks"], hook("Stop")),
            Piece::Element(vec!["hooks"], hook("PostToolUse")),
            Piece::Member(
                vec!["mcp_servers", "twiceshy"],
                json!({ "command": program, "args": ["mcp"] }),
            ),
        ]
    }

    const THEIRS: &str = "# mine\nmodel = \"x\"   # keep\n\n[[hooks]]\nevent = \"Stop\"\ncommand = \"theirs\"\n\n[mcp_servers.other]\ncommand = \"y\"\n";

    #[test]
    fn comments_and_what_others_put_there_survive() {
        let changed = with(THEIRS, &pieces("/a")).expect("changed");
        assert!(
            changed.contains("# mine\nmodel = \"x\"   # keep\n"),
            "{changed}"
        );
        assert!(
            changed.contains("command = \"theirs\"") && changed.contains("[mcp_servers.other]")
        );
        assert!(has(&changed, &pieces("/a")) && !has(THEIRS, &pieces("/a")));
        assert_eq!(with(&changed, &pieces("/a")).expect("again"), changed);
        let moved = with(&changed, &pieces("/b")).expect("moved");
        assert_eq!(moved.matches(MARK).count(), 2, "{moved}");
        assert!(!moved.contains("/a"));
        assert_eq!(without(&moved, &pieces("/b")).expect("removed"), THEIRS);
        assert!(with("a = ", &pieces("/a")).is_err());
    }

    #[test]
    fn a_hook_is_trusted_when_its_hash_is_on_record() {
        let text = "[hooks.state.\"/h/.codex/hooks.json:post_tool_use:1:0\"]\ntrusted_hash = \"sha256:1\"\n";
        assert!(has_trust(text, "/h/.codex/hooks.json"));
        assert!(!has_trust(text, "/other/hooks.json"));
        assert!(!has_trust("", "/h/.codex/hooks.json"));
    }
}
