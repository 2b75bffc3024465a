//! Every limit of the host, with its reason.

use std::time::Duration;

/// What the memory component may allocate. It is ours; the cap only keeps a fault from taking the
/// machine with it. An input of 10 MB needs about five times its size.
pub(crate) const MEMORY_BYTES: usize = 1 << 30;

/// A memory instance that has grown beyond this is not kept for the next call: linear memory never
/// shrinks.
pub(crate) const KEPT_MEMORY_BYTES: usize = 32 << 20;

/// Memory instances kept for later calls. More threads than this may call at once; they only pay for
/// an instance of their own.
pub(crate) const KEPT_INSTANCES: usize = 16;

/// What an adapter may allocate, over all its memories and tables together. A Rust adapter needs a few
/// times the size of a step; a payload has at most 4 MiB.
pub(crate) const ADAPTER_BYTES: usize = 64 << 20;

/// Elements of all tables of an adapter together: function tables of a large guest have thousands.
pub(crate) const ADAPTER_TABLE_ELEMENTS: usize = 100_000;

/// Core instances, memories and tables of one adapter: an encoded component needs a handful.
pub(crate) const ADAPTER_ITEMS: usize = 64;

/// How long one call of an adapter may take. An agent waits for it after every step.
pub(crate) const ADAPTER_TIME: Duration = Duration::from_secs(1);

/// How often the clock of adapters ticks: the resolution of `ADAPTER_TIME`.
pub(crate) const TICK: Duration = Duration::from_millis(10);

/// What an adapter may hand back in one call.
pub(crate) const ADAPTER_OUTPUT_BYTES: usize = 2 << 20;

/// Earlier steps that an adapter is shown: enough to see a repetition.
pub const RECENT_STEPS: u32 = 4;

/// The longest request of `twiceshy call --lines`: the largest legal arguments fit.
pub const REQUEST_BYTES: usize = 32 << 20;

/// How long a writer waits for another one by default.
pub const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// What is kept of each output stream of a command for assessment, by default: half of it from the
/// beginning, half from the end.
pub const CAPTURE_BYTES: usize = 256 << 10;

/// Hints after a step: what the memory gives unless it is asked for more.
pub(crate) const MOST_HINTS: u32 = 3;

/// The share of opportunities in which a lesson is withheld unless the settings say otherwise: a tenth of the
/// runs pays for knowing what the lessons are worth.
pub const HOLD_OUT: f64 = 0.1;
