//! Settings of a user and of a project, as TOML and as YAML: they are taken or refused, and a project's choose nothing that runs here, and
//! nobody who gets the user's words.
#![no_main]

use libfuzzer_sys::fuzz_target;
use twiceshy_fuzz::host;

fuzz_target!(|text: &str| {
    let mut parts = text.splitn(4, '\0');
    let mut part = || parts.next().unwrap_or_default();
    let (users, projects) = ([part(), part()], [part(), part()]);
    for given in [users, projects] {
        let _ = host::settings(given, ["", ""]);
        if let Ok(found) = host::settings(["", ""], given) {
            assert!(found.memory.is_none() && found.model.is_none() && found.embedding.is_none() && found.adapters.is_empty());
        }
    }
    if let Ok(found) = host::settings(users, projects) {
        let alone = host::settings(users, ["", ""]).expect("they are taken with others");
        assert_eq!((found.memory, found.model, found.embedding), (alone.memory, alone.model, alone.embedding));
    }
});
