//! Owns the time at which what is fresh is entered: beside the writers, in a process that lives long enough to do it.
//!
//! Otherwise every so manieth commit enters what the others left, and whoever makes it waits for that.

use std::collections::BTreeSet;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::failure::Failure;
use super::session::{Pool, Session};
use super::{LONGEST_QUESTION, fresh};

/// Enters everything that is fresh of some kinds.
pub fn settle(
    session: &mut Session,
    memory: i32,
    kinds: impl Iterator<Item = i32>,
) -> Result<(), Failure> {
    // Each step has its own time: after much was written there are many.
    let soon = || Instant::now() + LONGEST_QUESTION;
    for kind in kinds {
        while fresh::enter(session, memory, kind, soon())? {}
    }
    Ok(())
}

/// A thread that enters what it is told about. It ends when this is dropped; what it has not ended then, the server undoes.
#[derive(Debug)]
pub struct Settler(Sender<Vec<i32>>);

impl Settler {
    /// Starts the thread, with a connection of its own. None if the system has no thread left.
    pub fn start(pool: Pool, memory: i32) -> Option<Settler> {
        let (told, kinds) = channel();
        let work = move || work(&pool, memory, &kinds);
        let thread = thread::Builder::new().name("twiceshy-settler".into());
        thread.spawn(work).ok().map(|_| Settler(told))
    }

    /// Tells which kinds have something fresh. Returns at once.
    pub fn tell(&self, kinds: Vec<i32>) {
        // A thread that has ended is no reason to fail: `optimize` enters what is left.
        let _ = self.0.send(kinds);
    }
}

fn work(pool: &Pool, memory: i32, kinds: &Receiver<Vec<i32>>) {
    while let Ok(first) = kinds.recv() {
        // What was told meanwhile is one piece of work.
        let all: BTreeSet<i32> = kinds
            .try_iter()
            .fold(first, |all, more| [all, more].concat())
            .into_iter()
            .collect();
        let until = Instant::now() + Duration::from_secs(5);
        // Only a way to make questions quicker: a failure is left to the next time.
        let _ = pool
            .lend(until)
            .and_then(|mut lent| settle(lent.session()?, memory, all.into_iter()));
    }
}

#[cfg(test)]
mod tests {
    use tokio_postgres::types::Type;
    use twiceshy_wit::host::{Change, Document, Key, Precondition, Put, Store};

    use super::super::session::Statement;
    use super::*;
    use crate::{PostgresAddress, PostgresOptions, PostgresStore};

    fn fresh(store: &PostgresStore) -> usize {
        let counted = store.with_primary(|session, deadline| {
            let sql = "SELECT doc FROM twiceshy.fresh WHERE memory = $1";
            let statement = Statement::new(sql).with(store.memory()?, Type::INT4);
            Ok(session.one(statement, deadline)?.len())
        });
        counted.unwrap()
    }

    #[test]
    fn a_process_that_stays_enters_fresh_texts_beside_its_commits() {
        let Ok(server) = std::env::var("TWICESHY_POSTGRES") else {
            eprintln!("skipped: TWICESHY_POSTGRES names no server; see tests/postgres/with");
            return;
        };
        let now = std::time::SystemTime::now().duration_since(std::time::SystemTime::UNIX_EPOCH);
        let memory = format!("settler-{}", now.unwrap().as_nanos());
        let address = PostgresAddress::parse(&server).unwrap();
        let address = address.with_memory(&memory).unwrap();
        let store = PostgresStore::open(&address, PostgresOptions::default()).unwrap();
        store.settle_beside();
        let commit = |number: usize| {
            let document = Document {
                key: Key {
                    kind: "note".into(),
                    id: format!("n{number}"),
                },
                body: String::new(),
                attributes: vec![],
                text: format!("number {number} of the notes"),
                vector: vec![],
            };
            let precondition = Precondition::Absent;
            let put = Change::Put(Put {
                document,
                precondition,
            });
            store.commit_lightly(&[put]).unwrap();
        };
        let until = Instant::now() + Duration::from_secs(30);
        let mut number = 0;
        // Others use the same server, so that any commit of ours may be the one whose number calls for it.
        while number < 200 || fresh(&store) == number {
            assert!(Instant::now() < until, "nothing was entered of {number}");
            commit(number);
            number += 1;
        }
    }
}
