//! Documents that no file of the hierarchy has a place for, in files of their own.
//!
//! Owns how they are cut into files: by kind, those of an open run together.

use serde_json::json;
use twiceshy_wit::{
    host::{Order, Query},
    memory::{Error, LessonKind, TreeFile},
};

use super::{
    super::{
        carried::{self, Extension},
        layout,
    },
    Cursor, file, value,
};
use crate::{
    exchange::lines,
    store::{Kind, Reader, equals, from_store},
};

/// Documents of one file that have no other place.
const REST: u32 = 500;

/// Documents that have no other place: by their kinds, those of open runs together.
pub(super) fn rest_files(
    reader: &Reader,
    cursor: &mut Cursor,
    files: &mut Vec<TreeFile>,
) -> Result<bool, Error> {
    let kinds = carried::without_place();
    let at = match cursor.of.as_str() {
        "" => 0,
        of => kinds
            .iter()
            .position(|kind| kind.as_str() == of)
            .unwrap_or(kinds.len()),
    };
    let Some(kind) = kinds.get(at) else {
        return Ok(true);
    };
    cursor.of = kind.as_str().to_owned();
    let limit = if *kind == Kind::Run { 1 } else { REST };
    let ids = match kind {
        // Lessons that are skills; the others are in the files of knowledge.
        Kind::Lesson => skill_lessons(reader, cursor.done, limit)?,
        kind => lines::ids(reader, *kind, Order::ById, cursor.done, limit)?,
    };
    if ids.is_empty() {
        cursor.done = 0;
        cursor.number = 0;
        match kinds.get(at + 1) {
            Some(next) => cursor.of = next.as_str().to_owned(),
            None => return Ok(true),
        }
        return Ok(false);
    }
    let mut extension = Extension::default();
    for id in &ids {
        let more = match kind {
            Kind::Run => carried::carried_of_run(reader, id)?,
            Kind::Lesson => carried::carried_of_lesson(reader, id)?,
            kind => {
                let mut one = Extension::default();
                carried::carry_by_id(reader, &mut one, &[*kind], id)?;
                one
            }
        };
        for (kind, bodies) in more.documents {
            extension.documents.entry(kind).or_default().extend(bodies);
        }
    }
    cursor.done += ids.len() as u32;
    cursor.number += 1;
    let path = layout::part("twiceshy", kind.as_str(), cursor.number);
    files.push(file(path, &json!({ "twiceshy": value(&extension) })));
    Ok(false)
}

fn skill_lessons(reader: &Reader, first: u32, limit: u32) -> Result<Vec<String>, Error> {
    let query = Query {
        kind: Kind::Lesson.as_str().to_owned(),
        conditions: vec![equals("kind", LessonKind::Skill.as_str())],
        order: Order::ById,
        offset: first,
        limit,
    };
    let found = reader.store.find(&query).map_err(from_store)?;
    Ok(found
        .into_iter()
        .map(|found| found.document.key.id)
        .collect())
}
