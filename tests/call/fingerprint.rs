//! `fingerprint`: a text, or many, on standard input.

use serde_json::{Value, json};

use crate::support::Scratch;

fn of(project: &Scratch, text: &[u8]) -> Value {
    let ran = project.run_with(&["fingerprint"], text);
    assert_eq!(ran.code(), 0, "{}", ran.stderr());
    assert_eq!(ran.stdout().lines().count(), 1);
    ran.json()
}

#[test]
fn a_text_gives_its_id_template_and_tags_and_leaves_no_trace() {
    let project = Scratch::new();
    let one = of(
        &project,
        b"cp: cannot stat '/tmp/a1/b.txt': No such file or directory",
    );
    let members: Vec<_> = one
        .as_object()
        .expect("an object")
        .keys()
        .cloned()
        .collect();
    assert_eq!(members, ["id", "tags", "template"]);
    assert!(
        one["id"]
            .as_str()
            .is_some_and(|id| id.starts_with("fp_") && id.len() == 19),
        "{one}"
    );
    assert!(
        one["tags"]
            .as_array()
            .is_some_and(|tags| tags.contains(&json!("not_found"))),
        "{one}"
    );
    let other = of(
        &project,
        b"cp: cannot stat '/home/x/c.csv': No such file or directory\n",
    );
    assert_eq!(other, one, "what is volatile does not matter");
    assert_ne!(
        of(&project, b"cp: cannot stat 'x': Permission denied")["id"],
        one["id"]
    );
    let same = project.call(
        "events.fingerprint-of",
        &json!({ "text": "cp: cannot stat 'y': No such file or directory" }),
    );
    assert_eq!(same, one, "the command and the function agree");
    assert!(!project.memory().exists());
}

#[test]
fn any_input_has_a_fingerprint() {
    let project = Scratch::new();
    let empty = of(&project, b"");
    assert_eq!(
        of(&project, b" \n\t\r\n ")["id"],
        empty["id"],
        "white space says nothing"
    );
    let invalid = of(&project, b"panic: \xff\xfe\x80 in the engine room");
    assert_ne!(invalid["id"], empty["id"]);
    assert!(
        invalid["template"]
            .as_str()
            .is_some_and(|text| text.contains("engine room")),
        "{invalid}"
    );
    let nul = of(&project, b"panic: \0 in the engine room");
    assert!(
        nul["template"]
            .as_str()
            .is_some_and(|text| text.contains("engine room")),
        "{nul}"
    );
}

#[test]
fn ten_megabytes_have_a_fingerprint() {
    let project = Scratch::new();
    let mut text = "note: the boiler is warm\n"
        .repeat(10 * 1024 * 1024 / 25)
        .into_bytes();
    text.extend_from_slice(b"error: the boiler burst\n");
    assert!(text.len() > 10_000_000);
    let large = of(&project, &text);
    assert!(
        large["template"]
            .as_str()
            .is_some_and(|text| text.contains("burst")),
        "{large}"
    );
    let one_line = of(&project, &b"burst ".repeat(2_000_000));
    assert!(
        one_line["id"]
            .as_str()
            .is_some_and(|id| id.starts_with("fp_"))
    );
}

#[test]
fn too_much_at_once_is_refused_with_the_way_out() {
    let project = Scratch::new();
    let ran = project.run_with(&["fingerprint"], &vec![b'x'; (32 << 20) + 1]);
    assert_eq!(ran.code(), 2);
    assert!(
        ran.stderr().contains("32 MiB") && ran.stderr().contains("--jsonl"),
        "{}",
        ran.stderr()
    );
}

#[test]
fn each_line_of_jsonl_is_answered_in_its_order_and_bad_ones_with_their_error() {
    let project = Scratch::new();
    let input = b"{\"text\": \"disk 1 is full\"}\r\nnonsense\n{\"text\": 5}\n{}\n{\"text\": \"disk 2 is full\", \"more\": 1}\n\
        [\"disk 3 is full\"]\n\xff\n{\"text\": \"\"}\n{\"text\": \"tape jammed\"}";
    let ran = project.run_with(&["fingerprint", "--jsonl"], input);
    assert_eq!(ran.code(), 2, "some lines were bad");
    let heard: Vec<Value> = ran
        .stdout()
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(heard.len(), 9, "{heard:?}");
    for (number, answer) in heard.iter().enumerate() {
        let bad = [1, 2, 3, 5, 6].contains(&number);
        assert_eq!(
            answer.get("error").is_some(),
            bad,
            "line {}: {answer}",
            number + 1
        );
        if bad {
            let message = answer["error"]["message"].as_str().expect("a message");
            assert!(
                message.contains(&format!("line {} ", number + 1)),
                "{message}"
            );
            assert!(message.contains("`text`"), "{message}");
        }
    }
    assert_eq!(heard[0], heard[4], "the same failure");
    assert_ne!(heard[0]["id"], heard[8]["id"]);
    let good = project.run_with(
        &["fingerprint", "--jsonl"],
        b"{\"text\": \"tape jammed\"}\n",
    );
    assert_eq!((good.code(), good.json()), (0, heard[8].clone()));
}
