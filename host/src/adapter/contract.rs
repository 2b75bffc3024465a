//! Whether a component is an adapter, and one for this host.
//!
//! Owns what is looked at before anything of a component runs: whether it is a component at all, which version of
//! the contract it was built for, and what it wants from a host. Each finding is said in words, because "unknown
//! import" helps nobody.

use wasmtime::{
    Engine,
    component::{Component, types::ComponentItem},
};

use crate::{engines, limits};

/// The contract, without its version.
const PACKAGE: &str = "twiceshy:adapter";

/// The version of the contract that this host offers. Later patches of it fit, too.
pub(crate) const OFFERED: &str = "0.1";

/// What the first eight bytes say.
const CORE_MODULE: &[u8] = b"\0asm\x01\0\0\0";
const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";

/// Compiles a component, after a look at what the bytes are.
pub(crate) fn compile(engine: &Engine, bytes: &[u8]) -> Result<Component, String> {
    if bytes.len() > limits::COMPONENT_BYTES {
        return Err(format!(
            "it has {} bytes, and at most {} MiB are allowed; build it without debug information",
            bytes.len(),
            limits::COMPONENT_BYTES >> 20
        ));
    }
    if bytes.starts_with(CORE_MODULE) {
        return Err(
            "it is a core module, not a component; convert it with `wasm-tools component new`, or build it for \
             wasm32-wasip2"
                .to_owned(),
        );
    }
    if !bytes.starts_with(COMPONENT) {
        return Err("it is not a WebAssembly component".to_owned());
    }
    engines::compiled(engine, bytes)
        .map_err(|error| format!("it is not a valid component: {error:#}"))
}

/// Refuses a component that is no adapter for this host.
pub(crate) fn fits(engine: &Engine, component: &Component) -> Result<(), String> {
    let ty = component.component_type();
    let mut judges = false;
    let mut instances = 0;
    let mut others = Vec::new();
    for (name, export) in ty.exports(engine) {
        let is_instance = matches!(export.ty, ComponentItem::ComponentInstance(_));
        instances +=
            usize::from(is_instance || matches!(export.ty, ComponentItem::ComponentFunc(_)));
        version_fits(name)?;
        judges |= is_instance && interface(name) == "twiceshy:adapter/assess";
        others.push(format!("`{name}`"));
    }
    for (name, _) in ty.imports(engine) {
        version_fits(name)?;
        let known = ["twiceshy:adapter/types", "twiceshy:adapter/diagnostics"];
        if !name.starts_with("wasi:") && !known.contains(&interface(name)) {
            return Err(format!(
                "it imports `{name}`, which no adapter gets; remove what needs it"
            ));
        }
    }
    if judges {
        return Ok(());
    }
    Err(match (instances, others.is_empty()) {
        (0, false) => "it is a WIT package, not a component with code".into(),
        (_, true) => format!("it exports nothing; an adapter exports {PACKAGE}/assess@{OFFERED}.0"),
        _ => format!(
            "it exports {}, but not {PACKAGE}/assess@{OFFERED}.0, as an adapter must",
            others.join(", ")
        ),
    })
}

/// The imports of a component that can be called: an interface of types alone is none.
pub(crate) fn called(engine: &Engine, component: &Component) -> Vec<String> {
    let ty = component.component_type();
    let can_be_called = |item: &ComponentItem| match item {
        ComponentItem::ComponentInstance(instance) => instance
            .exports(engine)
            .any(|(_, export)| matches!(export.ty, ComponentItem::ComponentFunc(_))),
        _ => true,
    };
    ty.imports(engine)
        .filter(|(_, import)| can_be_called(&import.ty))
        .map(|(name, _)| name.to_owned())
        .collect()
}

/// What a component is built for, as an `adapter.toml` says it: `twiceshy:adapter@0.1`.
pub(crate) fn offered() -> String {
    format!("{PACKAGE}@{OFFERED}")
}

/// Refuses another version of the contract.
pub(crate) fn version_fits(name: &str) -> Result<(), String> {
    let Some((interface, version)) = name.split_once('@') else {
        return Ok(());
    };
    if interface != PACKAGE && !interface.starts_with("twiceshy:adapter/") {
        return Ok(());
    }
    let needed = track(version);
    if needed == OFFERED {
        return Ok(());
    }
    let way_out = if newer(&needed) {
        "update twiceshy, or build it for the older contract"
    } else {
        "build it for the newer contract"
    };
    Err(format!(
        "it needs {PACKAGE}@{needed}, this host offers {OFFERED}; {way_out}"
    ))
}

/// What versions have in common that fit each other: `0.1` of `0.1.7`, `2` of `2.3.0`. One that is not final fits
/// only itself.
fn track(version: &str) -> String {
    let mut parts = version.split('.');
    match (parts.next(), parts.next()) {
        _ if version.contains(['-', '+']) => version.to_owned(),
        (Some("0"), Some(minor)) => format!("0.{minor}"),
        (Some(major), _) => major.to_owned(),
        (None, _) => version.to_owned(),
    }
}

fn newer(track: &str) -> bool {
    let number = |track: &str| -> Option<(u32, u32)> {
        let (major, minor) = track.split_once('.').unwrap_or((track, "0"));
        Some((major.parse().ok()?, minor.parse().ok()?))
    };
    number(track) > number(OFFERED)
}

fn interface(name: &str) -> &str {
    name.split('@').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_fits_and_another_version_is_told_apart_in_words() {
        for fits in [
            "twiceshy:adapter/assess@0.1.0",
            "twiceshy:adapter/types@0.1.9",
            "twiceshy:adapter@0.1",
            "wasi:cli/exit@0.2.6",
            "something",
        ] {
            assert_eq!(version_fits(fits), Ok(()), "{fits}");
        }
        let newer = version_fits("twiceshy:adapter/assess@0.2.0").unwrap_err();
        assert!(
            newer.contains("needs twiceshy:adapter@0.2, this host offers 0.1"),
            "{newer}"
        );
        assert!(newer.contains("update twiceshy"), "{newer}");
        let major = version_fits("twiceshy:adapter@1.4.2").unwrap_err();
        assert!(major.contains("twiceshy:adapter@1,"), "{major}");
        let draft = version_fits("twiceshy:adapter@0.1.0-rc.1").unwrap_err();
        assert!(draft.contains("0.1.0-rc.1"), "{draft}");
    }
}
