//! Trying an adapter that is not installed, which is what its author does all day.
//!
//! Owns loading one from a file as installing it would: with what is declared beside it, and within the limits that it
//! would have. What was compiled is kept for the next try and for installing it; what was compiled of earlier builds
//! goes, because an author makes many, and one in Python takes 32 MB.

use std::path::Path;

use super::{
    Adapters, Receipt, declaration::Declaration, install::declared, missing_grant,
    package::Package, receipt,
};
use crate::{
    Adapter, PluginError,
    adapter::{contract, incompatible},
    engines,
    limits::{self, AdapterGrant, AdapterLimits},
};

impl Adapters {
    /// Loads an adapter from a file that can be installed, without installing it. Nothing is counted against it.
    ///
    /// # Errors
    /// If the file can't be read, if it is not an adapter for this host, or if what it says and what is said of it do
    /// not agree.
    pub fn open(&self, source: &Path) -> Result<Adapter, PluginError> {
        let stem = source.file_stem().unwrap_or_default().to_string_lossy();
        let refused = |message| incompatible(&stem, message);
        let package = Package::read(source).map_err(refused)?;
        let sha256 = receipt::sha256(&package.component);
        let Some(declaration) = declared(&package, &sha256).map_err(refused)? else {
            let limits = AdapterLimits::between(AdapterGrant::default(), self.granted(&stem));
            refuse_at_a_glance(&stem, &package.component)?;
            self.cache.tell(&stem);
            return Adapter::with_limits(&stem, &package.component, limits);
        };
        let adapter = self.try_out(&package, &declaration, &sha256)?;
        self.forget_earlier(&declaration.name, sha256);
        Ok(adapter)
    }

    /// Loads a declared adapter once, which compiles it and asks it what it is.
    pub(super) fn try_out(
        &self,
        package: &Package,
        declaration: &Declaration,
        sha256: &str,
    ) -> Result<Adapter, PluginError> {
        let name = &declaration.name;
        let engine = engines::adapters();
        let limits = AdapterLimits::between(declaration.limits, self.granted(name));
        refuse_at_a_glance(name, &package.component)?;
        let component = self.cache.load(engine, name, sha256, || {
            contract::compile(engine, &package.component)
                .map_err(|message| incompatible(name, message))
        })?;
        let adapter = Adapter::load(name, &component, limits, None).map_err(|mut error| {
            let configuration = self.places.as_ref().map(|places| &places.configuration);
            let advice = configuration
                .and_then(|file| missing_grant(name, declaration.limits, limits, file));
            if let Some(advice) = advice.filter(|_| error.kind.is_strike()) {
                error.message = format!("{}; {advice}", error.message);
            }
            error
        })?;
        declaration
            .agrees(adapter.manifest())
            .map_err(|message| incompatible(name, message))?;
        Ok(adapter)
    }

    /// Forgets what was compiled of builds of an adapter that are neither this one nor installed, in whichever project.
    fn forget_earlier(&self, name: &str, sha256: String) {
        let mut kept = vec![sha256];
        if let Some(places) = &self.places {
            let receipts = Receipt::all_of(&places.receipts, name).into_iter();
            kept.extend(receipts.map(|receipt| receipt.component_sha256));
        }
        self.cache.forget_others(name, &kept);
    }
}

/// Refuses by its size and its first bytes what is never compiled, before compiling is announced.
pub(super) fn refuse_at_a_glance(name: &str, bytes: &[u8]) -> Result<(), PluginError> {
    /// How every component begins.
    const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";
    if bytes.len() <= limits::COMPONENT_BYTES && bytes.starts_with(COMPONENT) {
        return Ok(());
    }
    let refused = contract::compile(engines::adapters(), bytes);
    refused
        .map(drop)
        .map_err(|message| incompatible(name, message))
}
