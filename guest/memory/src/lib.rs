//! The memory component: the engine of twiceshy behind its contract.
//!
//! Owns nothing but the connection: imports become the engine's ports, exports become calls of the
//! engine. All thinking is in `twiceshy-engine`; the types are those of `twiceshy-wit` on both sides.
//! Natively there is nothing to it: a linker of a machine can't take the names of exports.
#![cfg(target_family = "wasm")]

mod exports_to_engine;
mod other_ports;
mod ports_from_imports;

wit_bindgen::generate!({
    world: "twiceshy:memory/memory",
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

struct Component;

export!(Component);
