//! What wasmtime generates from the contracts. The types are those of `twiceshy-wit` on both sides.

/// The types of a package as `bindgen!` expects to find an interface that it did not generate: with the
/// traits of an import that has no functions.
macro_rules! types {
    ($package:ident) => {
        pub mod $package {
            use wasmtime::component::{HasData, Linker};

            pub use twiceshy_wit::$package::*;

            pub trait Host {}
            impl<T: ?Sized> Host for T {}

            pub trait HostWithStore<T>: HasData {}
            impl<T, D: HasData + ?Sized> HostWithStore<T> for D {}

            pub fn add_to_linker<T, D: HasData>(
                _: &mut Linker<T>,
                _: fn(&mut T) -> D::Data<'_>,
            ) -> wasmtime::Result<()> {
                Ok(())
            }
        }
    };
}

mod types {
    types!(adapter);
    types!(host);
    types!(memory);
}

/// The world of an adapter.
pub(crate) mod adapter {
    wasmtime::component::bindgen!({
        path: "../wit/adapter",
        world: "adapter",
        with: { "twiceshy:adapter/types": crate::bindings::types::adapter },
    });
}

/// The world of the memory.
pub(crate) mod memory {
    wasmtime::component::bindgen!({
        path: ["../wit/adapter", "../wit/host", "../wit/memory"],
        world: "twiceshy:memory/memory",
        with: {
            "twiceshy:adapter/types": crate::bindings::types::adapter,
            "twiceshy:host/types": crate::bindings::types::host,
            "twiceshy:memory/activation-types": crate::bindings::types::memory,
            "twiceshy:memory/consolidation-types": crate::bindings::types::memory,
            "twiceshy:memory/content-types": crate::bindings::types::memory,
            "twiceshy:memory/context-types": crate::bindings::types::memory,
            "twiceshy:memory/coordination-types": crate::bindings::types::memory,
            "twiceshy:memory/decision-types": crate::bindings::types::memory,
            "twiceshy:memory/episode-search-types": crate::bindings::types::memory,
            "twiceshy:memory/episode-types": crate::bindings::types::memory,
            "twiceshy:memory/exchange-types": crate::bindings::types::memory,
            "twiceshy:memory/experience-types": crate::bindings::types::memory,
            "twiceshy:memory/failure-types": crate::bindings::types::memory,
            "twiceshy:memory/health-types": crate::bindings::types::memory,
            "twiceshy:memory/hint-types": crate::bindings::types::memory,
            "twiceshy:memory/lesson-types": crate::bindings::types::memory,
            "twiceshy:memory/link-types": crate::bindings::types::memory,
            "twiceshy:memory/pattern-types": crate::bindings::types::memory,
            "twiceshy:memory/remem-types": crate::bindings::types::memory,
            "twiceshy:memory/skill-types": crate::bindings::types::memory,
            "twiceshy:memory/types": crate::bindings::types::memory,
            "twiceshy:memory/validation-types": crate::bindings::types::memory,
            "twiceshy:memory/working-input-types": crate::bindings::types::memory,
            "twiceshy:memory/working-types": crate::bindings::types::memory,
        },
    });
}
