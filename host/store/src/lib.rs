//! Document stores that serve the memory of twiceshy.
//!
//! Three stores keep one contract, `twiceshy:host/store`: [`SqliteStore`] in a file, for several threads and
//! several processes at once, `PostgresStore` in a database, for several machines, and [`MapStore`] in memory, for tests
//! and for embedders that keep nothing.
//! They refuse the same inputs and give the same answers in the same order with the same scores;
//! [`conformance`] holds them, and any store that is yet to come, against every rule of the contract. The limits, the
//! versions, the conditions and the ranks, which are every store's, are in `twiceshy-documents`.
//!
//! | module | owns |
//! | --- | --- |
//! | `map` | the store in memory |
//! | `sqlite` | the store in a file |
//! | `archive` | large and cold contents in a directory |
//! | `postgres` | the store in a PostgreSQL database, for many machines |
//! | [`migration`] | moving a memory from one store to another |
//! | `bodies`, `postings`, `coarse`, `indexed` | the forms in which databases keep contents, lists of terms and short vectors; which attributes are indexed |
//! | `bare` | plain SQLite, to compare with |
//! | [`conformance`] | the contract as cases |
//!
//! ```
//! use twiceshy_store::{Options, SqliteStore};
//! use twiceshy_wit::host::{Change, Document, Key, Order, Precondition, Put, Query, Store};
//! # let directory = tempfile::tempdir()?;
//! # let path = directory.path().join("memory.db");
//!
//! let store = SqliteStore::open(&path, Options::default())?;
//! let key = Key { kind: "lesson".into(), id: "sort".into() };
//! let document = Document {
//!     key: key.clone(),
//!     body: r#"{"rule": "sort numbers with -n"}"#.into(),
//!     attributes: vec![],
//!     text: "sort numbers".into(),
//!     vector: vec![],
//! };
//! store.commit(&[Change::Put(Put { document, precondition: Precondition::Absent })]).unwrap();
//!
//! let query = Query {
//!     kind: "lesson".into(),
//!     conditions: vec![],
//!     order: Order::ByText("numbers".into()),
//!     offset: 0,
//!     limit: 10,
//! };
//! assert_eq!(store.find(&query).unwrap()[0].document.key, key);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(missing_docs)]

#[cfg(feature = "sqlite")]
mod archive;
#[cfg(feature = "sqlite")]
mod bare;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod bodies;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod coarse;
pub mod conformance;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod indexed;
mod map;
#[cfg(all(feature = "sqlite", feature = "postgres"))]
pub mod migration;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod postings;
#[cfg(feature = "sqlite")]
mod sqlite;

#[cfg(feature = "sqlite")]
pub use archive::DirectoryArchive;
#[cfg(feature = "sqlite")]
pub use bare::BareSqlite;
pub use map::MapStore;
#[cfg(feature = "postgres")]
pub use postgres::{PostgresAddress, PostgresArchive, PostgresOptions, PostgresStore, authorities};
#[cfg(feature = "sqlite")]
pub use sqlite::{Group, OpenError, Options, PageUse, SqliteStore, Usage};
