//! Files of decisions, out and in.

use super::*;

#[test]
fn a_file_is_taken_in_once_and_given_out_as_it_was() {
    let world = World::new();
    let engine = world.engine();
    assert_eq!(import(&engine, FILE), Ok((3, 0)));
    assert_eq!(import(&engine, FILE), Ok((0, 3)), "once is enough");
    assert_eq!(export(&engine), FILE, "to the byte");
    let found = engine
        .was_rejected(&DecisionQuery {
            module: "experiment".to_owned(),
            ..sought("use a global state for the experiment tracking")
        })
        .unwrap();
    assert!(found.found);
    // What was recorded here and is taken in again is known, too.
    Decisions::record(&engine, &decision("Cache it", "held")).unwrap();
    Decisions::record(&engine, &decision("Cache it", "held")).unwrap();
    let whole = export(&engine);
    assert_eq!(import(&engine, &whole), Ok((0, 5)));
    let other = World::new();
    assert_eq!(
        import(&other.engine(), &whole),
        Ok((5, 0)),
        "two of the same are two"
    );
    assert_eq!(export(&other.engine()), whole);
    let empty = World::new();
    assert_eq!(
        export(&empty.engine()),
        "{\n  \"version\": \"1.0.0\",\n  \"records\": []\n}\n"
    );
}

#[test]
fn an_export_of_many_records_comes_in_pieces() {
    let world = World::new();
    let engine = world.engine();
    let records: Vec<_> = (0..2_500)
        .map(|number| {
            json!({ "module": "m", "hypothesis": format!("idea {number}"), "description": "",
                    "outcome": "held", "rationale": "r", "rejection_reason": null,
                    "timestamp": "2024-01-15T10:30:00Z" })
        })
        .collect();
    let file = json!({ "version": "1.0.0", "records": records }).to_string();
    assert_eq!(import(&engine, &file), Ok((2_500, 0)));
    let exported: serde_json::Value = serde_json::from_str(&export(&engine)).unwrap();
    assert_eq!(exported["records"].as_array().unwrap().len(), 2_500);
    assert_eq!(engine.stats().unwrap().held, 2_500);
}

#[test]
fn a_file_with_a_fault_changes_nothing_and_the_fault_is_named() {
    let world = World::new();
    let engine = world.engine();
    for (from, to, named) in [
        ("\"1.0.0\"", "\"2.0.0\"", "2.0.0"),
        ("\"version\": \"1.0.0\",", "", "version"),
        ("\"rejected\",", "\"cached\",", "INVALID_OUTCOME"),
        ("2024-01-15T11:30:00Z", "half past", "records[2]"),
        ("\"outcome\": \"rejected\",", "", "outcome"),
        ("experiment\",", "\",", "records[2]"),
        ("\n  ]\n}", "", "not JSON"),
    ] {
        assert!(FILE.contains(from), "{from}");
        let Err(Error::InvalidArgument(message)) = import(&engine, &FILE.replace(from, to)) else {
            panic!("taken: {from}")
        };
        assert!(message.contains(named), "{message}");
    }
    let checked = engine
        .import_file(&ImportRequest {
            text: FILE.to_owned(),
            check_only: Some(true),
        })
        .unwrap();
    assert_eq!((checked.records, checked.added), (3, 3));
    assert_eq!(engine.get_records(&every()).unwrap(), []);
}
