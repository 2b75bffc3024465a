//! Reindexing: what the present embedder has not embedded yet is embedded, after it changed or came late.
//!
//! Owns the order of work and how far it is. Each piece is whole by itself and looks at what is there, so that nothing is
//! lost wherever it stops, and beginning again does nothing twice. A store keeps vectors of one length: those of another
//! one go first, and until a memory has its new vector it is found by words.

use twiceshy_wit::{
    host::{Order, Query},
    memory::{Episode, Error, Reindexing},
};

use crate::{
    episodes::{embed_anew, experience::vectors},
    lessons::KeptLesson,
    store::{
        Desk, EMBEDDED, Kind, MODEL, Made, from_host, from_on, from_store, is_of_words, query,
    },
};

/// Vectors that are removed in one piece.
const REMOVED: u32 = 500;

/// What is embedded, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Memories {
    Episodes,
    Lessons,
    Experience,
}

impl Memories {
    const ALL: [Self; 3] = [Self::Episodes, Self::Lessons, Self::Experience];

    fn as_str(self) -> &'static str {
        match self {
            Self::Episodes => "episodes",
            Self::Lessons => "lessons",
            Self::Experience => "experience",
        }
    }

    /// What comes next with an embedder. One that only adds up words is asked for episodes alone.
    fn next(self, model: &str) -> Option<Self> {
        match self {
            Self::Episodes if !is_of_words(model) => Some(Self::Lessons),
            Self::Lessons => Some(Self::Experience),
            Self::Episodes | Self::Experience => None,
        }
    }
}

/// What a piece did.
struct Piece {
    /// How many memories were looked at from the beginning on.
    done: u32,
    total: u32,
    embedded: u32,
    removed: u32,
    /// Whether all memories of this kind were looked at.
    is_last: bool,
}

/// Embeds some of what has no vector of the present embedder.
pub(crate) fn reindex_piece(desk: &mut Desk, after: &str) -> Result<Reindexing, Error> {
    let (memories, done) = cursor(after)?;
    let model = desk.embedder.identity().map_err(from_host)?;
    let piece = match memories {
        Memories::Episodes => episodes(desk, &model, done)?,
        Memories::Lessons => lessons(desk, &model, done)?,
        Memories::Experience => experience(desk)?,
    };
    let next = match piece.is_last {
        true => memories.next(&model).map(|next| (next, 0)),
        false => Some((memories, piece.done)),
    };
    Ok(Reindexing {
        model,
        memories: memories.as_str().to_owned(),
        done: piece.done,
        total: piece.total,
        embedded: piece.embedded,
        removed: piece.removed,
        next: next.map(|(memories, done)| format!("{} {done}", memories.as_str())),
    })
}

/// Where to go on.
fn cursor(after: &str) -> Result<(Memories, u32), Error> {
    if after.is_empty() {
        return Ok((Memories::Episodes, 0));
    }
    let parts = after.split_once(' ').and_then(|(name, done)| {
        let memories = Memories::ALL
            .into_iter()
            .find(|memories| memories.as_str() == name);
        Some((memories?, done.parse().ok()?))
    });
    parts.ok_or_else(|| {
        Error::InvalidArgument(
            "`after` must be empty, or the `next` of the previous answer".to_owned(),
        )
    })
}

fn episodes(desk: &mut Desk, model: &str, done: u32) -> Result<Piece, Error> {
    let total = desk.count(Kind::Episode, &[])?;
    if !fits(desk, Kind::Embedding)? {
        let removed = remove_embeddings(desk)?;
        return Ok(Piece {
            done,
            total,
            embedded: 0,
            removed,
            is_last: false,
        });
    }
    let mut page = query::<Episode>(Vec::new(), Order::ById, EMBEDDED as u32);
    page.offset = done;
    let found = desk.search::<Episode>(&page)?;
    let found: Vec<_> = found.into_iter().map(|(read, _)| read.noun).collect();
    let embedded = embed_anew(desk, model, &found)?;
    let done = total.min(done.saturating_add(EMBEDDED as u32));
    Ok(Piece {
        done,
        total,
        embedded,
        removed: 0,
        is_last: done >= total,
    })
}

fn lessons(desk: &mut Desk, model: &str, done: u32) -> Result<Piece, Error> {
    let total = desk.count(Kind::Lesson, &[])?;
    if !fits(desk, Kind::Lesson)? {
        let removed = strip_lessons(desk)?;
        return Ok(Piece {
            done,
            total,
            embedded: 0,
            removed,
            is_last: false,
        });
    }
    let mut page = query::<KeptLesson>(Vec::new(), Order::ById, EMBEDDED as u32);
    page.offset = done;
    let has = |kept: &KeptLesson| !kept.vector.is_empty() && kept.vector_model == model;
    let found = desk.search::<KeptLesson>(&page)?.into_iter();
    let wanted: Vec<_> = found
        .map(|(read, _)| read.noun)
        .filter(|kept| !has(kept))
        .collect();
    let rules: Vec<_> = wanted
        .iter()
        .map(|kept| kept.lesson.rule_text.as_str())
        .collect();
    let vectors = match rules.is_empty() {
        true => Vec::new(),
        false => desk.embed(&rules)?,
    };
    let embedded = desk.commit(|batch| {
        let mut there =
            batch.load_by_id::<KeptLesson>(wanted.iter().map(|kept| &kept.lesson.id))?;
        let mut given = 0;
        for (kept, vector) in wanted.iter().zip(&vectors) {
            let Some(mut read) = there.remove(&kept.lesson.id) else {
                continue;
            };
            // Somebody may have given it other words by now, and a vector with them.
            if read.noun.lesson.rule_text == kept.lesson.rule_text && !has(&read.noun) {
                let made = Made {
                    vector: vector.clone(),
                    model: model.to_owned(),
                };
                read.noun.take_vector(&made);
                batch.put(&read.noun);
                given += 1;
            }
        }
        Ok(given)
    })?;
    let done = total.min(done.saturating_add(EMBEDDED as u32));
    Ok(Piece {
        done,
        total,
        embedded,
        removed: 0,
        is_last: done >= total,
    })
}

fn experience(desk: &mut Desk) -> Result<Piece, Error> {
    let total = desk.count(Kind::Experience, &[vectors::searched()])?;
    let given = vectors::give_vectors(desk, EMBEDDED as u32)?;
    let done = total.saturating_sub(given.left);
    Ok(Piece {
        done,
        total,
        embedded: given.embedded,
        removed: 0,
        // What nobody can give a vector is not tried for ever.
        is_last: given.left == 0 || given.embedded == 0,
    })
}

/// Whether the store takes vectors of the present embedder for a kind.
fn fits(desk: &Desk, kind: Kind) -> Result<bool, Error> {
    let vector = desk
        .embed(&["how long are vectors?"])?
        .pop()
        .unwrap_or_default();
    let nearest = Query {
        kind: kind.as_str().to_owned(),
        conditions: Vec::new(),
        order: Order::ByNearest(vector),
        offset: 0,
        limit: 1,
    };
    match desk.store.find(&nearest).map_err(from_store) {
        Ok(_) => Ok(true),
        Err(Error::InvalidArgument(_)) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Removes some vectors of episodes, whatever made them.
fn remove_embeddings(desk: &mut Desk) -> Result<u32, Error> {
    let all = Query {
        kind: Kind::Embedding.as_str().to_owned(),
        conditions: Vec::new(),
        order: Order::ById,
        offset: 0,
        limit: REMOVED,
    };
    let found = desk.store.find(&all).map_err(from_store)?;
    desk.commit(|batch| {
        // They are made of their episodes, and can be made again.
        for found in &found {
            batch.remove_owned(Kind::Embedding, &found.document.key.id);
        }
        Ok(found.len() as u32)
    })
}

/// Takes the vectors from some lessons.
fn strip_lessons(desk: &mut Desk) -> Result<u32, Error> {
    let page = query::<KeptLesson>(vec![from_on(MODEL, "")], Order::ById, REMOVED);
    desk.commit(|batch| {
        for (mut read, _) in batch.search::<KeptLesson>(&page)? {
            read.noun.take_vector(&Made::default());
            batch.put(&read.noun);
        }
        Ok(batch.len() as u32)
    })
}
