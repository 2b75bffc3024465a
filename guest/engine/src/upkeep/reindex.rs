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
        Desk, EMBEDDED, Kind, MODEL, Made, Noun, ascending, at_least, from_host, from_on,
        from_store, is_of_words, query,
    },
};

/// Vectors that are removed in one piece.
const REMOVED: u32 = 500;

/// Episodes that are looked at in one piece.
const LOOKED_AT: usize = 1_024;

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

/// Where a piece begins: behind what was looked at before, in the order of time, so that no piece passes the others again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Place {
    /// How many memories were looked at from the beginning on.
    done: u32,
    /// How many there are, as counted at the beginning.
    total: u32,
    /// The time of the last one, and how many of that time were looked at.
    at: u64,
    beside: u32,
}

/// What a piece did.
struct Piece {
    /// Where the next one begins.
    place: Place,
    embedded: u32,
    removed: u32,
    /// Whether all memories of this kind were looked at.
    is_last: bool,
}

/// Embeds some of what has no vector of the present embedder.
pub(crate) fn reindex_piece(desk: &mut Desk, after: &str) -> Result<Reindexing, Error> {
    let (memories, place) = cursor(after)?;
    let model = desk.embedder.identity().map_err(from_host)?;
    let piece = match memories {
        Memories::Episodes => episodes(desk, &model, place)?,
        Memories::Lessons => lessons(desk, &model, place)?,
        Memories::Experience => experience(desk)?,
    };
    let next = match piece.is_last {
        true => memories.next(&model).map(|next| (next, Place::default())),
        false => Some((memories, piece.place)),
    };
    let next = next.map(|(memories, place)| {
        let Place {
            done,
            total,
            at,
            beside,
        } = place;
        format!("{} {done} {total} {at} {beside}", memories.as_str())
    });
    Ok(Reindexing {
        model,
        memories: memories.as_str().to_owned(),
        done: piece.place.done,
        total: piece.place.total,
        embedded: piece.embedded,
        removed: piece.removed,
        next,
    })
}

/// Where to go on.
fn cursor(after: &str) -> Result<(Memories, Place), Error> {
    let mut words = after.split(' ');
    let memories = match words.next() {
        None | Some("") => Some(Memories::Episodes),
        Some(name) => Memories::ALL
            .into_iter()
            .find(|memories| memories.as_str() == name),
    };
    let numbers: Result<Vec<u64>, _> = words.map(str::parse).collect();
    let place = match numbers.as_deref() {
        Ok([done, total, at, beside]) => Some(Place {
            done: u32::try_from(*done).unwrap_or(u32::MAX),
            total: u32::try_from(*total).unwrap_or(u32::MAX),
            at: *at,
            beside: u32::try_from(*beside).unwrap_or(u32::MAX),
        }),
        // An earlier version counted only; what was done is not done again.
        Ok([] | [_]) => Some(Place::default()),
        _ => None,
    };
    memories.zip(place).ok_or_else(|| {
        Error::InvalidArgument(
            "`after` must be empty, or the `next` of the previous answer".to_owned(),
        )
    })
}

/// The next memories of a kind in the order of a time of theirs, at most so many.
fn page<N: Noun>(desk: &Desk, place: Place, time: &str, limit: usize) -> Result<Vec<N>, Error> {
    let conditions = vec![at_least(time, place.at as f64)];
    let mut page = query::<N>(conditions, ascending(time), limit as u32);
    page.offset = place.beside;
    let found = desk.search::<N>(&page)?.into_iter();
    Ok(found.map(|(read, _)| read.noun).collect())
}

/// How a kind begins: everything is counted once, and vectors of another length have to go first.
fn begun(desk: &Desk, kind: Kind, vectors: Kind, place: Place) -> Result<(Place, bool), Error> {
    if place != Place::default() {
        return Ok((place, true));
    }
    let total = desk.count(kind, &[])?;
    Ok((Place { total, ..place }, fits(desk, vectors)?))
}

fn episodes(desk: &mut Desk, model: &str, place: Place) -> Result<Piece, Error> {
    let (place, fits) = begun(desk, Kind::Episode, Kind::Embedding, place)?;
    if !fits {
        return Ok(Piece::removed(remove_embeddings(desk)?));
    }
    let found = page::<Episode>(desk, place, "ended-at", LOOKED_AT)?;
    let (mut looked, mut embedded) = (0, 0);
    // Most have their vectors; as soon as some were asked for, it is a piece.
    for some in found.chunks(EMBEDDED) {
        looked += some.len();
        embedded += embed_anew(desk, model, some)?;
        if embedded > 0 {
            break;
        }
    }
    let is_last = looked == found.len() && looked < LOOKED_AT;
    let times = found[..looked].iter().map(|episode| episode.ended_at);
    Ok(Piece {
        place: place.behind(times, is_last),
        embedded,
        removed: 0,
        is_last,
    })
}

fn lessons(desk: &mut Desk, model: &str, place: Place) -> Result<Piece, Error> {
    let (place, fits) = begun(desk, Kind::Lesson, Kind::Lesson, place)?;
    if !fits {
        return Ok(Piece::removed(strip_lessons(desk)?));
    }
    let found = page::<KeptLesson>(desk, place, "created-at", EMBEDDED)?;
    let is_last = found.len() < EMBEDDED;
    let times = found.iter().map(|kept| kept.lesson.created_at);
    let place = place.behind(times, is_last);
    let has = |kept: &KeptLesson| !kept.vector.is_empty() && kept.vector_model == model;
    let wanted: Vec<_> = found.into_iter().filter(|kept| !has(kept)).collect();
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
    Ok(Piece {
        place,
        embedded,
        removed: 0,
        is_last,
    })
}

impl Piece {
    /// Some vectors went, and it begins again.
    fn removed(removed: u32) -> Self {
        Self {
            place: Place::default(),
            embedded: 0,
            removed,
            is_last: false,
        }
    }
}

impl Place {
    /// Behind some memories that were looked at, given by their times in order.
    fn behind(self, times: impl DoubleEndedIterator<Item = u64> + Clone, is_last: bool) -> Self {
        let Some(at) = times.clone().next_back() else {
            return self.ended(is_last);
        };
        let beside = times.clone().rev().take_while(|time| *time == at).count() as u32;
        let place = Self {
            done: self.done.saturating_add(times.count() as u32),
            at,
            beside: beside + if at == self.at { self.beside } else { 0 },
            ..self
        };
        place.ended(is_last)
    }

    /// Others come and go meanwhile; in the end all are done.
    fn ended(self, is_last: bool) -> Self {
        let done = match is_last {
            true => self.total,
            false => self.done.min(self.total),
        };
        Self { done, ..self }
    }
}

fn experience(desk: &mut Desk) -> Result<Piece, Error> {
    let total = desk.count(Kind::Experience, &[vectors::searched()])?;
    let given = vectors::give_vectors(desk, EMBEDDED as u32)?;
    let done = total.saturating_sub(given.left);
    let place = Place {
        done,
        total,
        ..Place::default()
    };
    Ok(Piece {
        place,
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
