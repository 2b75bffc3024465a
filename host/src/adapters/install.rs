//! Installing an adapter, and removing one.
//!
//! Owns the way of an adapter from a file to its place: looked at, compiled, asked what it is, and only then written,
//! whole, with a receipt. Any number of processes may do it at once; readers see the old adapter or
//! the new one.

use std::{fs, io, path::Path};

use twiceshy_wit::host::Clock;

use super::{
    Adapters, Place, Places, Strikes,
    declaration::Declaration,
    files::{self, StagedDirectory},
    guest,
    installed::{COMPONENT, FILES, Installed},
    package::Package,
    receipt::{self, Receipt},
    trial::refuse_at_a_glance,
};
use crate::{
    Adapter, PluginError, PluginErrorKind, SystemClock,
    adapter::{contract, incompatible},
    engines,
    limits::{AdapterGrant, AdapterLimits},
};

impl Adapters {
    /// Installs an adapter from a file: a component, or an archive that holds one. Takes the place of another version
    /// of it.
    ///
    /// # Errors
    /// If the file can't be read, if it is not an adapter for this host, if what it says and what is said of it do not
    /// agree, or if it can't be written.
    pub fn install(&self, source: &Path, place: Place) -> Result<Receipt, PluginError> {
        let file_name = |path: &Path| {
            path.file_name()
                .map(|name| name.to_string_lossy().into_owned())
        };
        let source_name = file_name(source).unwrap_or_default();
        let places = self.writable(&source_name, place)?;
        let package =
            Package::read(source).map_err(|message| incompatible(&source_name, message))?;
        let component_sha256 = receipt::sha256(&package.component);
        let declared = declared(&package, &component_sha256)
            .map_err(|message| incompatible(&source_name, message))?;
        let (declaration, limits) = match declared {
            Some(declaration) => {
                refuse_taken(&declaration.name)?;
                let adapter = self.try_out(&package, &declaration, &component_sha256)?;
                (declaration, adapter.limits())
            }
            None => self.ask(&package, &source_name, &component_sha256)?,
        };
        let name = &declaration.name;
        let installed = self.placed(places, place, name);
        let text = match package.declaration {
            Some((_, text)) => text,
            None => declaration.text().into_bytes(),
        };
        let receipt = Receipt {
            name: name.clone(),
            version: declaration.version.clone(),
            component_sha256,
            declaration_sha256: receipt::sha256(&text),
            source: source_name,
            installed_at: SystemClock.now(),
            directory: installed.directory.clone(),
            limits,
            component_bytes: 0,
            component_changed_ns: 0,
        };
        let receipt = self
            .write(places, &installed, receipt, [&text, &package.component])
            .map_err(|message| PluginError::new(name, PluginErrorKind::Refused, message))?;
        self.forget_loaded(name);
        Ok(receipt)
    }

    /// Removes an installed adapter. Of the same name, the project's goes first unless another place is named.
    ///
    /// # Errors
    /// If there is none of that name, or if it can't be removed.
    pub fn remove(&self, name: &str, place: Option<Place>) -> Result<Place, PluginError> {
        let refused = |message: String| PluginError::new(name, PluginErrorKind::Refused, message);
        let Some((installed, places)) = self.find_in(name, place) else {
            return Err(match guest(name) {
                Some(_) => refused("it is part of twiceshy and can't be removed".to_owned()),
                None => self.none_of(name),
            });
        };
        self.erase(&installed, places).map_err(refused)?;
        self.forget_loaded(name);
        Ok(installed.place)
    }

    /// Makes a project's or the user's own directory the place to write to.
    fn writable(&self, name: &str, place: Place) -> Result<&Places, PluginError> {
        let refused = |message: &str| PluginError::new(name, PluginErrorKind::Refused, message);
        match (&self.places, place) {
            (_, Place::Bundled) => Err(refused("it is part of twiceshy and can't be installed")),
            (None, _) => Err(refused("there is no directory to install it in")),
            (Some(places), _) => Ok(places),
        }
    }

    /// Loads an adapter that nobody has declared, and makes its own words the declaration.
    fn ask(
        &self,
        package: &Package,
        source: &str,
        sha256: &str,
    ) -> Result<(Declaration, AdapterLimits), PluginError> {
        let engine = engines::adapters();
        refuse_at_a_glance(source, &package.component)?;
        self.cache.tell(source);
        let component = contract::compile(engine, &package.component)
            .map_err(|message| incompatible(source, message))?;
        let limits = AdapterLimits::default();
        let adapter = Adapter::load(source, &component, limits, None)?;
        let mut declaration = Declaration::of(adapter.manifest());
        declaration.sha256 = Some(sha256.to_owned());
        refuse_taken(&declaration.name)?;
        self.cache
            .keep(engine, &declaration.name, sha256, &component);
        let granted = self.granted(&declaration.name);
        Ok((
            declaration,
            AdapterLimits::between(AdapterGrant::default(), granted),
        ))
    }

    /// Puts the files in their place, with their receipt: both or neither. Whoever is killed between the two leaves
    /// files at odds with their receipt, which nobody uses.
    fn write(
        &self,
        places: &Places,
        installed: &Installed,
        mut receipt: Receipt,
        contents: [&[u8]; 2],
    ) -> Result<Receipt, String> {
        let failed = |error: io::Error| {
            format!("it can't be written: {error}; fix the permissions, or free some space")
        };
        if installed.place == Place::Project {
            places.owner.create().map_err(|error| error.to_string())?;
        }
        installed.refuse_links()?;
        let around = self.directory(places, installed.place);
        files::Lock::refuse_other(around)?;
        let _lock = files::Lock::of(around).map_err(failed)?;
        files::refuse_others(&installed.directory, &FILES)?;
        let before = Receipt::find(&places.receipts, &installed.directory);
        let new = StagedDirectory::new(&installed.directory, &FILES, &contents).map_err(failed)?;
        receipt.directory = receipt::absolute(&installed.directory);
        let metadata = fs::metadata(new.path().join(COMPONENT)).map_err(failed)?;
        (receipt.component_bytes, receipt.component_changed_ns) = receipt::look(&metadata);
        let no_receipt = |error: io::Error| {
            let receipts = places.receipts.display();
            format!(
                "its receipt can't be written in {receipts}: {error}; fix that, then install it again"
            )
        };
        let written = receipt.stage(&places.receipts).map_err(no_receipt)?;
        new.exchange().map_err(failed)?;
        let settled = new
            .sync()
            .map_err(failed)
            .and_then(|()| written.commit().map_err(no_receipt));
        if let Err(message) = settled {
            return Err(undone(new, message));
        }
        // Whoever installs it vouches for it, also if it was held back.
        Strikes::of(&places.strikes, &receipt.name, &receipt.component_sha256).forget();
        if let Some(before) = before {
            self.forget_content(places, &before);
        }
        Ok(receipt)
    }

    /// Takes away the files with their receipt: both or neither.
    fn erase(&self, installed: &Installed, places: &Places) -> Result<(), String> {
        let failed = |error: io::Error| format!("{}: {error}", installed.directory.display());
        installed.refuse_links()?;
        let around = self.directory(places, installed.place);
        files::Lock::refuse_other(around)?;
        let _lock = files::Lock::of(around).map_err(failed)?;
        files::refuse_others(&installed.directory, &FILES)?;
        let receipt = Receipt::find(&places.receipts, &installed.directory);
        let old = StagedDirectory::aside(&installed.directory, &FILES).map_err(failed)?;
        let settled = old
            .sync()
            .map_err(failed)
            .and_then(|()| Receipt::remove(&places.receipts, &installed.directory));
        if let Err(message) = settled {
            return Err(undone(old, message));
        }
        if let Some(receipt) = receipt {
            self.forget_content(places, &receipt);
        }
        Ok(())
    }

    /// Forgets what is kept about a content, unless it is still installed somewhere.
    fn forget_content(&self, places: &Places, receipt: &Receipt) {
        let (name, sha256) = (&receipt.name, &receipt.component_sha256);
        let all = Receipt::all_of(&places.receipts, name);
        if all.iter().all(|other| other.component_sha256 != *sha256) {
            self.cache.forget(name, sha256);
            Strikes::of(&places.strikes, name, sha256).forget();
        }
    }
}

/// Puts what was there before back into its place, after something went wrong.
fn undone(directory: StagedDirectory, message: String) -> String {
    match directory.exchange() {
        Ok(()) => message,
        Err(error) => format!(
            "{message}; the previous adapter can't be put back ({error}): it is in {}",
            directory.keep().display()
        ),
    }
}

/// What is declared of a package, if anything is, and whether it fits the bytes.
pub(super) fn declared(package: &Package, sha256: &str) -> Result<Option<Declaration>, String> {
    let Some((file, text)) = &package.declaration else {
        return Ok(None);
    };
    let text = str::from_utf8(text).map_err(|_| format!("{}: not UTF-8", file.display()))?;
    let declaration = Declaration::read(file, text)?;
    contract::version_fits(&declaration.contract)?;
    if let Some(declared) = &declaration.sha256
        && !declared.eq_ignore_ascii_case(sha256)
    {
        return Err(format!(
            "{} says sha256 = {declared}, but the component has {sha256}; one of them was changed, so get both again",
            file.display()
        ));
    }
    Ok(Some(declaration))
}

/// Nothing takes the name of what is part of twiceshy.
fn refuse_taken(name: &str) -> Result<(), PluginError> {
    match Adapters::is_taken(name) {
        false => Ok(()),
        true => Err(PluginError::new(
            name,
            PluginErrorKind::Refused,
            "that name is reserved for a part of twiceshy; give yours another name",
        )),
    }
}
