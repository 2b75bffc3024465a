//! What surrounds an adapter: nothing, and a place for its last words.
//!
//! Owns the state of an adapter's store and what its imports are linked to. A build for WASI imports files, sockets
//! and clocks whether it uses them or not; each of them is a function that ends the call and names what was asked
//! for. Only what a guest needs to say why it dies works: standard output and error, an empty environment, streams
//! that keep a little. An adapter is a pure function, so it gets no time and no chance either, but for the seed of a
//! hash map, which is always the same.

use std::{fmt, time::Duration};

use wasmtime::{
    Engine, StoreContextMut,
    component::{
        Component, ComponentType, HasSelf, Lift, Linker, LinkerInstance, Lower, Resource,
        ResourceType, WasmList, types::ComponentItem,
    },
};

use crate::{
    bindings::adapter::twiceshy::adapter::diagnostics,
    bounds::Bounds,
    limits::{self, AdapterLimits},
    stopwatch::Stopwatch,
};

/// The state of an adapter's store.
pub(super) struct Sandbox {
    pub(super) bounds: Bounds,
    limits: AdapterLimits,
    /// How long this call has taken.
    watch: Stopwatch,
    /// What it said of itself in this call.
    last_words: Vec<u8>,
    /// Why a host function ended the call.
    pub(super) ended: Option<Ended>,
}

/// Why a host function ended a call.
#[derive(Debug, Clone)]
pub(super) enum Ended {
    /// It asked for something that it does not get.
    Denied(String),
    /// It exited.
    Exited(String),
    /// It has worked for as long as it may.
    TooLong,
    /// The machine let it work for too little, for as long as anybody waits.
    Starved,
}

/// Everything that WASI hands out as a handle. None of them holds anything.
struct Handle;

/// The `stream-error` of `wasi:io/streams`.
#[derive(ComponentType, Lower, Lift)]
#[component(variant)]
enum StreamError {
    #[component(name = "last-operation-failed")]
    LastOperationFailed(Resource<Handle>),
    #[component(name = "closed")]
    Closed,
}

type Caller<'a> = StoreContextMut<'a, Sandbox>;

impl Sandbox {
    pub(super) fn new(limits: AdapterLimits) -> Self {
        Self {
            bounds: Bounds::new(
                limits.memory_bytes(),
                limits::ADAPTER_TABLE_ELEMENTS,
                limits::ADAPTER_ITEMS,
            ),
            limits,
            watch: Stopwatch::start(),
            last_words: Vec::new(),
            ended: None,
        }
    }

    /// Forgets what earlier calls left: an adapter that once complained need not be about to fail.
    pub(super) fn begin(&mut self) {
        self.last_words.clear();
        self.bounds.refused = false;
        self.ended = None;
        self.watch = Stopwatch::start();
    }

    /// The time that is left for this call, if any is: by the work that it did, and by the clock on the wall only if it
    /// hardly came to work.
    pub(super) fn time_left(&self) -> Result<Duration, Ended> {
        match self.limits.time().checked_sub(self.watch.worked()) {
            None | Some(Duration::ZERO) => Err(Ended::TooLong),
            Some(_) if self.watch.passed() > self.limits.patience() => Err(Ended::Starved),
            Some(left) => Ok(left),
        }
    }

    /// Whether an answer that came after all came too late. The clock of epochs may have been late, too.
    pub(super) fn is_late(&self) -> bool {
        self.watch.worked() > self.limits.time() + 2 * limits::TICK
    }

    /// The last words on one line, if there are any.
    pub(super) fn last_words(&self) -> Option<String> {
        let text = String::from_utf8_lossy(&self.last_words);
        let words: Vec<_> = text.split_whitespace().collect();
        (!words.is_empty()).then(|| words.join(" "))
    }

    /// Keeps the end of what is said: a panic comes after everything else.
    fn hear(&mut self, bytes: &[u8]) {
        self.last_words.extend_from_slice(last_part(bytes));
        let surplus = self
            .last_words
            .len()
            .saturating_sub(limits::LAST_WORDS_BYTES);
        self.last_words.drain(..surplus);
    }
}

/// As much of the end of a text as is kept.
fn last_part(bytes: &[u8]) -> &[u8] {
    &bytes[bytes.len().saturating_sub(limits::LAST_WORDS_BYTES)..]
}

impl diagnostics::Host for Sandbox {
    fn report(&mut self, message: String) {
        self.hear(message.as_bytes());
        self.hear(b"\n");
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Denied(what) => write!(
                formatter,
                "it asked for {what}, but an adapter gets {}",
                denied(what)
            ),
            Self::Exited(how) => write!(formatter, "it exited ({how}) instead of answering"),
            Self::TooLong => write!(formatter, "it took too long"),
            Self::Starved => write!(formatter, "the machine was too busy"),
        }
    }
}

impl std::error::Error for Ended {}

/// What a WASI interface would have been, and is not.
fn denied(what: &str) -> &'static str {
    let kind = |name: &str| what.starts_with(name);
    if kind("wasi:filesystem") {
        "no files"
    } else if kind("wasi:sockets") || kind("wasi:http") {
        "no network"
    } else if kind("wasi:clocks") {
        "no clock"
    } else if kind("wasi:random") {
        "no randomness, because the same step must always give the same feedback"
    } else if kind("wasi:cli/stdin") || kind("wasi:io/streams") {
        "no input but its arguments"
    } else {
        "nothing but its arguments"
    }
}

/// Links every import of a component to what an adapter gets.
pub(super) fn link(engine: &Engine, component: &Component) -> wasmtime::Result<Linker<Sandbox>> {
    let mut linker = Linker::new(engine);
    diagnostics::add_to_linker::<_, HasSelf<_>>(&mut linker, |sandbox| sandbox)?;
    for (import, item) in component.component_type().imports(engine) {
        let ComponentItem::ComponentInstance(instance) = item.ty else {
            continue;
        };
        if !import.starts_with("wasi:") {
            continue;
        }
        let interface = import.split('@').next().unwrap_or(import);
        let mut linked = linker.instance(import)?;
        for (name, item) in instance.exports(engine) {
            match item.ty {
                ComponentItem::ComponentFunc(_) => function(&mut linked, interface, name)?,
                ComponentItem::Resource(_) => {
                    linked.resource(name, ResourceType::host::<Handle>(), |_, _| Ok(()))?;
                }
                _ => {}
            }
        }
    }
    Ok(linker)
}

/// Links one function of WASI: the few that let a guest speak, and the others to an end of the call.
fn function(
    linker: &mut LinkerInstance<'_, Sandbox>,
    interface: &str,
    name: &str,
) -> wasmtime::Result<()> {
    match (interface, name) {
        ("wasi:cli/environment", "get-environment") => linker
            .func_wrap(name, |_: Caller<'_>, ()| {
                Ok((Vec::<(String, String)>::new(),))
            }),
        ("wasi:cli/environment", "get-arguments") => {
            linker.func_wrap(name, |_: Caller<'_>, ()| Ok((Vec::<String>::new(),)))
        }
        ("wasi:cli/environment", "initial-cwd") => {
            linker.func_wrap(name, |_: Caller<'_>, ()| Ok((None::<String>,)))
        }
        ("wasi:cli/terminal-stdin", _)
        | ("wasi:cli/terminal-stdout", _)
        | ("wasi:cli/terminal-stderr", _) => {
            linker.func_wrap(name, |_: Caller<'_>, ()| Ok((None::<Resource<Handle>>,)))
        }
        ("wasi:cli/stdout", "get-stdout")
        | ("wasi:cli/stderr", "get-stderr")
        | ("wasi:cli/stdin", "get-stdin") => {
            linker.func_wrap(name, |_: Caller<'_>, ()| Ok((handle(),)))
        }
        ("wasi:cli/exit", "exit") => linker.func_wrap(
            name,
            |caller: Caller<'_>, (status,): (Result<(), ()>,)| -> wasmtime::Result<()> {
                let how = if status.is_ok() { "success" } else { "failure" };
                end(caller, Ended::Exited(how.to_owned()))
            },
        ),
        ("wasi:cli/exit", "exit-with-code") => linker.func_wrap(
            name,
            |caller: Caller<'_>, (code,): (u8,)| -> wasmtime::Result<()> {
                end(caller, Ended::Exited(format!("code {code}")))
            },
        ),
        ("wasi:random/insecure-seed", "insecure-seed") => {
            linker.func_wrap(name, |_: Caller<'_>, ()| Ok(((0u64, 0u64),)))
        }
        ("wasi:io/poll", "[method]pollable.ready") => {
            linker.func_wrap(name, |_: Caller<'_>, (_,): (Resource<Handle>,)| Ok((true,)))
        }
        // Whatever can be waited for is there already.
        ("wasi:io/poll", "[method]pollable.block") => {
            linker.func_wrap(name, |_: Caller<'_>, (_,): (Resource<Handle>,)| Ok(()))
        }
        ("wasi:io/streams", name) if name.starts_with("[method]output-stream.") => {
            output_stream(linker, interface, name)
        }
        _ => deny(linker, interface, name),
    }
}

/// Links one method of an output stream. Everything that is written is heard, and a little of it kept.
fn output_stream(
    linker: &mut LinkerInstance<'_, Sandbox>,
    interface: &str,
    name: &str,
) -> wasmtime::Result<()> {
    type Written = Result<(), StreamError>;
    match name.rsplit('.').next().unwrap_or(name) {
        "check-write" => linker.func_wrap(name, |_: Caller<'_>, (_,): (Resource<Handle>,)| {
            Ok((Ok::<_, StreamError>(limits::LAST_WORDS_BYTES as u64),))
        }),
        "write" | "blocking-write-and-flush" => linker.func_wrap(
            name,
            |mut caller: Caller<'_>, (_, bytes): (Resource<Handle>, WasmList<u8>)| {
                // Only the end is copied out of the guest, however much it says.
                let said = last_part(bytes.as_le_slice(&caller)).to_vec();
                caller.data_mut().hear(&said);
                Ok((Written::Ok(()),))
            },
        ),
        "flush" | "blocking-flush" => linker
            .func_wrap(name, |_: Caller<'_>, (_,): (Resource<Handle>,)| {
                Ok((Written::Ok(()),))
            }),
        "subscribe" => linker.func_wrap(name, |_: Caller<'_>, (_,): (Resource<Handle>,)| {
            Ok((handle(),))
        }),
        _ => deny(linker, interface, name),
    }
}

fn deny(
    linker: &mut LinkerInstance<'_, Sandbox>,
    interface: &str,
    name: &str,
) -> wasmtime::Result<()> {
    let what = format!("{interface}#{name}");
    linker.func_new(name, move |caller, _, _, _| {
        end(caller, Ended::Denied(what.clone()))
    })
}

/// Ends the call of the adapter, and remembers why.
fn end(mut caller: Caller<'_>, why: Ended) -> wasmtime::Result<()> {
    caller.data_mut().ended = Some(why.clone());
    Err(why.into())
}

fn handle() -> Resource<Handle> {
    Resource::new_own(0)
}
