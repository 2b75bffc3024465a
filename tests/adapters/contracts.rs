//! What does not fit this host is told before anything of it runs, in words.

use twiceshy::{Adapter, PluginErrorKind};
use wit_parser::Resolve;

use super::fixture::{Contract, User, made};

/// Fails unless the bytes are refused as incompatible with these words.
#[track_caller]
fn assert_incompatible(bytes: &[u8], said: &str) {
    let error = Adapter::from_bytes("odd", bytes).expect_err("not an adapter for this host");
    assert_eq!(error.kind, PluginErrorKind::Incompatible, "{error}");
    assert!(
        error.to_string().contains("adapter `odd`: incompatible: "),
        "{error}"
    );
    assert!(error.message.contains(said), "{said:?} is not in {error}");
}

#[test]
fn another_version_of_the_contract_is_told_before_anything_runs() {
    let mut newer = made("lamp");
    newer.contract = Contract::Version("0.2.0");
    // It would never return, if it were started.
    newer.fields = "(func $start (loop (br 0))) (start $start)".into();
    let bytes = newer.component();
    assert_incompatible(
        &bytes,
        "it needs twiceshy:adapter@0.2, this host offers 0.1; update twiceshy",
    );
    newer.contract = Contract::Version("1.0.0");
    assert_incompatible(
        &newer.component(),
        "needs twiceshy:adapter@1, this host offers 0.1",
    );
    newer.contract = Contract::Version("0.0.9");
    assert_incompatible(&newer.component(), "build it for the newer contract");
    let user = User::new();
    let file = user.download("lamp.wasm", &bytes);
    user.refused(
        &["adapter", "install", &file],
        &[
            "lamp.wasm",
            "needs twiceshy:adapter@0.2, this host offers 0.1",
        ],
    );
}

#[test]
fn a_later_patch_of_the_contract_fits() {
    let mut later = made("lamp");
    later.contract = Contract::Version("0.1.7");
    assert!(Adapter::from_bytes("lamp", &later.component()).is_ok());
}

#[test]
fn what_is_no_adapter_is_told_what_it_is() {
    assert_incompatible(b"", "not a WebAssembly component");
    assert_incompatible(b"PK\x03\x04", "not a WebAssembly component");
    let module = wat::parse_str("(module)").expect("a module");
    assert_incompatible(&module, "it is a core module, not a component");
    let nothing = wat::parse_str("(component)").expect("a component");
    assert_incompatible(
        &nothing,
        "it exports nothing; an adapter exports twiceshy:adapter/assess@0.1.0",
    );
    assert_incompatible(twiceshy_guests::MEMORY.bytes, "it imports `twiceshy:host/");
    let other = wat::parse_str(
        r#"(component (core module $m (func (export "f"))) (core instance $i (instantiate $m))
           (func (export "f") (canon lift (core func $i "f"))))"#,
    );
    assert_incompatible(
        &other.expect("a component"),
        "it exports `f`, but not twiceshy:adapter/assess",
    );
    let mut resolve = Resolve::default();
    let package = resolve.push_str("a.wit", "package a:b; interface c { f: func(); }");
    let wit = wit_component::encode(&resolve, package.expect("a package")).expect("a package");
    assert_incompatible(&wit, "a WIT package, not a component");
}

#[test]
fn an_export_of_the_right_name_and_another_shape_is_refused() {
    let other = wat::parse_str(
        r#"(component (core module $m (func (export "f"))) (core instance $i (instantiate $m))
           (func $f (canon lift (core func $i "f")))
           (instance $a (export "describe" (func $f)) (export "assess" (func $f)))
           (export "twiceshy:adapter/assess@0.1.0" (instance $a)))"#,
    );
    assert_incompatible(
        &other.expect("a component"),
        "world twiceshy:adapter/adapter@0.1.0",
    );
}

#[test]
fn what_it_says_of_itself_must_fit_the_contract() {
    for (name, version, said) in [
        ("Lamp", "0.1.0", "its name is \"Lamp\""),
        ("../lamp", "0.1.0", "its name is \"../lamp\""),
        ("lamp", "new", "its version is \"new\""),
    ] {
        let mut odd = made(name);
        (odd.version, odd.domain) = (version, "lamp");
        let error = Adapter::from_bytes("odd", &odd.component()).expect_err("a bad manifest");
        assert_eq!(error.kind, PluginErrorKind::BadOutput, "{error}");
        assert!(error.message.contains(said), "{error}");
    }
}
