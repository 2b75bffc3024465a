//! The two wasmtime engines, in one place.
//!
//! The memory component is ours and runs without interruption, which would cost half its speed.
//! Adapters are anyone's and run in an engine whose clock can stop them. Owns the configuration and
//! that clock; what is loaded into the engines is others' business.

use std::{
    process,
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
    thread,
};

use wasmtime::{Config, Engine, component::Component};

use crate::limits;

/// The engine of the memory component.
pub(crate) fn memory() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| engine(&common()))
}

/// The engine of adapters. Its epoch advances every [`limits::TICK`] once somebody asks for it.
pub(crate) fn adapters() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    static CLOCK_OF: AtomicU32 = AtomicU32::new(0);
    let engine = ENGINE.get_or_init(|| {
        let mut config = common();
        config.epoch_interruption(true);
        engine(&config)
    });
    // A process that was forked has the engine, but no thread of the first one.
    let process = process::id();
    if CLOCK_OF.swap(process, Ordering::Relaxed) != process {
        thread::spawn(move || {
            loop {
                engine.increment_epoch();
                thread::sleep(limits::TICK);
            }
        });
    }
    engine
}

/// Compiles a component on threads that are made for it: a process that was forked has none of those that the compiler
/// would share, and would wait for them for ever.
pub(crate) fn compiled(engine: &Engine, bytes: &[u8]) -> wasmtime::Result<Component> {
    match rayon::ThreadPoolBuilder::new().build() {
        Ok(threads) => threads.install(|| Component::from_binary(engine, bytes)),
        // Without threads of its own, by those that there are.
        Err(_) => Component::from_binary(engine, bytes),
    }
}

fn engine(config: &Config) -> Engine {
    // Fails only if the configuration contradicts itself, which every test would show.
    Engine::new(config).expect("a valid configuration of wasmtime")
}

fn common() -> Config {
    let mut config = Config::new();
    // All contracts are synchronous; a call costs less than half without support for concurrency.
    config.concurrency_support(false);
    // Results of relaxed SIMD depend on the machine, and so does the sign of a NaN.
    config.wasm_relaxed_simd(false);
    config.cranelift_nan_canonicalization(true);
    // The guests carry no names, so a backtrace would say nothing; without its tables compiled code is a
    // third smaller and loads the faster.
    config.generate_address_map(false);
    config.wasm_backtrace_max_frames(None);
    config.native_unwind_info(false);
    config
}
