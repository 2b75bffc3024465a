//! Every limit of the host, with its reason, and what an adapter may use.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What the memory component may allocate. It is ours; the cap only keeps a fault from taking the
/// machine with it. An input of 10 MB needs about five times its size.
pub(crate) const MEMORY_BYTES: usize = 1 << 30;

/// A memory instance that has grown beyond this is not kept for the next call: linear memory never
/// shrinks.
pub(crate) const KEPT_MEMORY_BYTES: usize = 32 << 20;

/// Memory instances kept for later calls. More threads than this may call at once; they only pay for
/// an instance of their own.
pub(crate) const KEPT_INSTANCES: usize = 16;

/// What an adapter may allocate unless it asks for more and the user grants it: over all its memories together. A Rust
/// adapter needs a few times the size of a step, a JavaScript one holds 2 MiB and a Python one 13 MiB after small steps,
/// and a payload has at most 4 MiB.
pub const ADAPTER_MEMORY_MIB: u32 = 128;

/// The most that can be granted: a step is judged on the machine that also runs the agent.
pub const MOST_ADAPTER_MEMORY_MIB: u32 = 1 << 10;

/// How long one call of an adapter may work unless more is granted, in processor time: an adapter is not to blame for a
/// machine that is busy. An agent waits for it after every step.
pub const ADAPTER_TIME_MS: u32 = 1_000;

/// How many times the time of a call may pass on the wall before the call is given up. A machine on which a thread gets
/// less than a thirtieth of a processor is of no use to anybody.
pub(crate) const ADAPTER_PATIENCE: u32 = 30;

/// The most that can be granted: after a longer wait everything seems to hang.
pub const MOST_ADAPTER_TIME_MS: u32 = 30_000;

/// What an adapter may hand back in one call unless more is granted: any feedback within the contract fits.
pub const ADAPTER_OUTPUT_KIB: u32 = 2 << 10;

/// The most that can be granted: a manifest or feedback larger than this breaks the contract anyway.
pub const MOST_ADAPTER_OUTPUT_KIB: u32 = 16 << 10;

/// What an adapter is handed in one call, in bytes of text: goal, recent steps and step together. Recent steps come
/// shortened from the memory, so that this is the step at its largest and room for them.
pub const ADAPTER_INPUT_BYTES: usize = 16 << 20;

/// One payload in bytes, as the contract has it.
pub const PAYLOAD_BYTES: usize = 4 << 20;

/// Earlier steps in one call at most, as the contract has it.
pub const MOST_RECENT_STEPS: usize = 16;

/// A component in bytes at most: one in Python with its interpreter has 18 MB, one with debug information twice that.
pub const COMPONENT_BYTES: usize = 64 << 20;

/// Elements of all tables of an adapter together: function tables of a large guest have thousands.
pub(crate) const ADAPTER_TABLE_ELEMENTS: usize = 100_000;

/// Core instances, memories and tables of one adapter: an encoded component needs a handful.
pub(crate) const ADAPTER_ITEMS: usize = 64;

/// Handles of one adapter: the contract has no resources, and a build for WASI holds a few streams.
pub(crate) const ADAPTER_HANDLES: usize = 64;

/// What is kept of an adapter's last words and of what it writes to standard error, of each call.
pub(crate) const LAST_WORDS_BYTES: usize = 4 << 10;

/// Failures in a row after which an adapter is not called any more.
pub const STRIKES: u32 = 3;

/// How often the clock of adapters ticks: the resolution of their time.
pub(crate) const TICK: Duration = Duration::from_millis(10);

/// Earlier steps that an adapter is shown: enough to see a repetition.
pub const RECENT_STEPS: u32 = 4;

/// The longest request of `twiceshy call --lines`: the largest legal arguments fit.
pub const REQUEST_BYTES: usize = 32 << 20;

/// How long a writer waits for another one by default.
pub const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// What is kept of each output stream of a command for assessment, by default: half of it from the
/// beginning, half from the end.
pub const CAPTURE_BYTES: usize = 256 << 10;

/// The pause after which the next command of a session is a new line of work: whoever does nothing for so long has turned to
/// something else.
pub const SESSION_PAUSE: Duration = Duration::from_secs(15 * 60);

/// Hints after a step: what the memory gives unless it is asked for more.
pub(crate) const MOST_HINTS: u32 = 3;

/// The share of opportunities in which a lesson is withheld unless the settings say otherwise: a tenth of the
/// runs pays for knowing what the lessons are worth.
pub const HOLD_OUT: f64 = 0.1;

/// After how many hours a memory is consolidated again by itself, unless the settings say otherwise: each night, as it were.
pub const CONSOLIDATE_HOURS: u32 = 24;

/// For how many days a consolidation can be undone, unless the settings say otherwise: who misses something notices within a
/// month.
pub const UNDO_DAYS: u32 = 30;

/// The same at most: ten years.
pub const MOST_UNDO_DAYS: u32 = 3_650;

/// What one adapter may use in one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct AdapterLimits {
    /// Memory in MiB, over all linear memories together.
    pub memory_mib: u32,
    /// Processor time in milliseconds.
    pub time_ms: u32,
    /// What it hands back, in KiB.
    pub output_kib: u32,
}

/// What an adapter asks for, or what a user grants to it. What is left out is the default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct AdapterGrant {
    /// Memory in MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_mib: Option<u32>,
    /// Processor time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u32>,
    /// What it hands back, in KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_kib: Option<u32>,
}

impl Default for AdapterLimits {
    fn default() -> Self {
        Self {
            memory_mib: ADAPTER_MEMORY_MIB,
            time_ms: ADAPTER_TIME_MS,
            output_kib: ADAPTER_OUTPUT_KIB,
        }
    }
}

impl AdapterLimits {
    /// What holds if an adapter asks and a user grants: more than the default needs both, less than it only one.
    pub fn between(asked: AdapterGrant, granted: AdapterGrant) -> Self {
        let between = |asked: Option<u32>, granted: Option<u32>, default: u32| {
            asked.unwrap_or(default).min(granted.unwrap_or(default))
        };
        let default = Self::default();
        Self {
            memory_mib: between(asked.memory_mib, granted.memory_mib, default.memory_mib),
            time_ms: between(asked.time_ms, granted.time_ms, default.time_ms),
            output_kib: between(asked.output_kib, granted.output_kib, default.output_kib),
        }
    }

    pub(crate) fn memory_bytes(self) -> usize {
        self.memory_mib as usize * (1 << 20)
    }

    pub(crate) fn time(self) -> Duration {
        Duration::from_millis(self.time_ms.into())
    }

    /// The time on the wall after which a call is given up, however little it could work.
    pub(crate) fn patience(self) -> Duration {
        self.time() * ADAPTER_PATIENCE
    }

    pub(crate) fn output_bytes(self) -> usize {
        self.output_kib as usize * (1 << 10)
    }
}

impl From<AdapterLimits> for AdapterGrant {
    fn from(limits: AdapterLimits) -> Self {
        Self {
            memory_mib: Some(limits.memory_mib),
            time_ms: Some(limits.time_ms),
            output_kib: Some(limits.output_kib),
        }
    }
}

impl AdapterGrant {
    /// What it names, by the names of the members.
    pub fn members(self) -> impl Iterator<Item = (&'static str, u32)> {
        [
            ("memory-mib", self.memory_mib),
            ("time-ms", self.time_ms),
            ("output-kib", self.output_kib),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)))
    }

    /// Refuses what makes no sense and what is beyond what can be granted; names the member.
    pub(crate) fn check(self) -> Result<(), String> {
        for (name, value) in self.members() {
            let most = match name {
                "memory-mib" => MOST_ADAPTER_MEMORY_MIB,
                "time-ms" => MOST_ADAPTER_TIME_MS,
                _ => MOST_ADAPTER_OUTPUT_KIB,
            };
            if !(1..=most).contains(&value) {
                return Err(format!("{name} is {value}; it must be from 1 to {most}"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(mib: u32) -> AdapterGrant {
        AdapterGrant {
            memory_mib: Some(mib),
            ..AdapterGrant::default()
        }
    }

    #[test]
    fn more_than_the_default_needs_both_sides() {
        let none = AdapterGrant::default();
        let of = |asked, granted| AdapterLimits::between(asked, granted).memory_mib;
        assert_eq!(of(memory(512), none), ADAPTER_MEMORY_MIB);
        assert_eq!(of(none, memory(512)), ADAPTER_MEMORY_MIB);
        assert_eq!(of(memory(512), memory(256)), 256);
        assert_eq!(of(memory(256), memory(512)), 256);
    }

    #[test]
    fn less_than_the_default_needs_one_side() {
        let none = AdapterGrant::default();
        let of = |asked, granted| AdapterLimits::between(asked, granted).memory_mib;
        assert_eq!(of(memory(16), none), 16);
        assert_eq!(of(none, memory(16)), 16);
    }

    #[test]
    fn nothing_beyond_what_can_be_granted_is_taken() {
        assert!(memory(MOST_ADAPTER_MEMORY_MIB).check().is_ok());
        let error = memory(MOST_ADAPTER_MEMORY_MIB + 1).check().unwrap_err();
        assert!(error.contains("memory-mib"), "{error}");
        assert!(memory(0).check().is_err());
    }
}
