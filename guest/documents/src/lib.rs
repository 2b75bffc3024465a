//! What every store of twiceshy shares, and a store that needs nothing but bytes under keys.
//!
//! Pure: no file, no clock. The stores of the host take the limits, the versions, the conditions and the ranks from
//! here, so that all of them refuse the same inputs and give the same answers in the same order with the same scores.
//! [`ByteStore`] keeps the whole contract over `twiceshy:host/bytes`, which is what a host in another language provides.
//!
//! | module | owns |
//! | --- | --- |
//! | [`validate`] | the limits of the contract |
//! | [`version`] | versions and preconditions |
//! | [`conditions`] | the order of values, and which documents pass |
//! | [`rank`] | terms, BM25, cosine similarity |
//! | `record` | documents as bytes, and the keys they are under |
//! | `shelf` | the documents of one kind, as they are searched |
//! | `byte_store` | the store over bytes, and its archive |
//! | `byte_map` | bytes in memory |
#![deny(missing_docs)]

mod byte_map;
mod byte_store;
pub mod conditions;
pub mod rank;
mod record;
mod shelf;
pub mod validate;
pub mod version;

pub use byte_map::ByteMap;
pub use byte_store::ByteStore;
