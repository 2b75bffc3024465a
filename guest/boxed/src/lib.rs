//! The memory and its store in one component: the engine of twiceshy over bytes under keys.
//!
//! Both are linked into one module, instead of composing two components: what passes between them is not copied, there
//! is one heap, and nothing but the compiler is needed to make it. Without the feature `typed` it has the flat entry alone.
//! Natively there is nothing to it: a linker of a machine can't take the names of exports.
#![cfg(target_family = "wasm")]

#[cfg(feature = "typed")]
#[path = "../../memory/src/exports_to_engine.rs"]
mod exports_to_engine;
#[path = "../../memory/src/other_ports.rs"]
mod other_ports;
mod ports_from_imports;

#[cfg(feature = "typed")]
wit_bindgen::generate!({
    world: "twiceshy:memory/twiceshy",
    path: ["../../wit/adapter", "../../wit/host", "../../wit/memory"],
    with: {
        "twiceshy:adapter/types@0.1.0": twiceshy_wit::adapter,
        "twiceshy:host/types@0.1.0": twiceshy_wit::host,
        "twiceshy:memory/activation-types@0.1.0": twiceshy_wit::memory,
        "twiceshy:memory/consolidation-types@0.1.0": twiceshy_wit::memory,
        "twiceshy:memory/content-types@0.1.0": twiceshy_wit::memory,
        "twiceshy:memory/context-types@0.1.0": twiceshy_wit::memory,
        "twiceshy:memory/coordination-types@0.1.0": twiceshy_wit::memory,
        "twiceshy:memory/decision-types@0.1.0": twiceshy_wit::memory,
        "twiceshy:memory/episode-search-types@0.1.0": twiceshy_wit::memory,
        "twiceshy:memory/episode-types@0.1.0": twiceshy_wit::memory,
        "twiceshy:memory/exchange-types@0.1.0": twiceshy_wit::memory,
        "twiceshy:memory/experience-types@0.1.0": twiceshy_wit::memory,
        "twiceshy:memory/failure-types@0.1.0": twiceshy_wit::memory,
        "twiceshy:memory/health-types@0.1.0": twiceshy_wit::memory,
        "twiceshy:memory/hint-types@0.1.0": twiceshy_wit::memory,
        "twiceshy:memory/lesson-types@0.1.0": twiceshy_wit::memory,
        "twiceshy:memory/link-types@0.1.0": twiceshy_wit::memory,
        "twiceshy:memory/pattern-types@0.1.0": twiceshy_wit::memory,
        "twiceshy:memory/remem-types@0.1.0": twiceshy_wit::memory,
        "twiceshy:memory/skill-types@0.1.0": twiceshy_wit::memory,
        "twiceshy:memory/types@0.1.0": twiceshy_wit::memory,
        "twiceshy:memory/validation-types@0.1.0": twiceshy_wit::memory,
        "twiceshy:memory/working-input-types@0.1.0": twiceshy_wit::memory,
        "twiceshy:memory/working-types@0.1.0": twiceshy_wit::memory,
    },
    generate_all,
});

#[cfg(not(feature = "typed"))]
wit_bindgen::generate!({
    world: "twiceshy:memory/twiceshy-rpc",
    path: ["../../wit/adapter", "../../wit/host", "../../wit/memory"],
    with: {
        "twiceshy:adapter/types@0.1.0": twiceshy_wit::adapter,
        "twiceshy:host/types@0.1.0": twiceshy_wit::host,
        "twiceshy:memory/types@0.1.0": twiceshy_wit::memory,
    },
    generate_all,
});

struct Component;

export!(Component);

#[cfg(not(feature = "typed"))]
impl exports::twiceshy::memory::rpc::Guest for Component {
    fn call(method: String, args: String) -> Result<String, twiceshy_wit::memory::Error> {
        twiceshy_wit::rpc::call(&ports_from_imports::engine(), &method, &args)
    }
}
