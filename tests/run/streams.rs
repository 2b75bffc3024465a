//! Bytes: what the command writes arrives unchanged on the right stream, what is given to it arrives, and
//! neither their number nor their kind matters.

use std::{
    fs::{self, File},
    hash::{DefaultHasher, Hasher},
    io::{Read, Write},
    process::{Command, Stdio},
};

use super::{Running, alone, assert_unseen, shell_code, through, until};
use crate::support::{Scratch, feed};

#[test]
fn both_streams_and_the_exit_code_are_the_commands_own() {
    let scratch = Scratch::new();
    let ran = assert_unseen(
        &scratch,
        &["sh", "-c", "echo out; echo boom >&2; exit 7"],
        b"",
    );
    assert_eq!(
        (ran.stdout(), ran.stderr(), ran.code()),
        ("out\n".into(), "boom\n".into(), 7)
    );
}

#[test]
fn bytes_that_are_no_text_pass_unchanged() {
    let scratch = Scratch::new();
    let every: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    let ran = assert_unseen(&scratch, &["cat"], &every);
    assert_eq!(ran.0.stdout, every);
    let ran = assert_unseen(
        &scratch,
        &["sh", "-c", "cat >&2; exit 1"],
        b"\xff\xfe\x00\r\n\x1b[31m\xc3",
    );
    assert_eq!(ran.0.stderr, b"\xff\xfe\x00\r\n\x1b[31m\xc3");
}

#[test]
fn nothing_and_a_missing_line_end_stay_so() {
    let scratch = Scratch::new();
    let ran = assert_unseen(&scratch, &["true"], b"");
    assert!(ran.0.stdout.is_empty() && ran.0.stderr.is_empty());
    let ran = assert_unseen(&scratch, &["printf", "no end"], b"");
    assert_eq!(ran.stdout(), "no end");
}

/// The number of bytes on standard output and a hash of them.
fn digest(mut command: Command) -> (u64, u64, i32) {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdout = child.stdout.take().expect("a pipe");
    let (mut count, mut hasher) = (0, DefaultHasher::new());
    let mut buffer = vec![0; 1 << 16];
    loop {
        let got = stdout.read(&mut buffer).expect("readable");
        if got == 0 {
            break;
        }
        count += got as u64;
        // One by one: how the bytes are cut into pieces must not matter.
        buffer[..got].iter().for_each(|byte| hasher.write_u8(*byte));
    }
    (
        count,
        hasher.finish(),
        shell_code(child.wait().expect("it ends")),
    )
}

#[test]
fn a_hundred_megabytes_pass_unchanged() {
    let scratch = Scratch::new();
    let command = ["sh", "-c", "seq 1 13000000; exit 3"];
    let expected = digest(alone(&scratch, &command));
    assert!(expected.0 > 100_000_000);
    assert_eq!(digest(through(&scratch, &command)), expected);
}

#[test]
fn a_single_line_of_a_hundred_megabytes_passes_in_bounded_memory() {
    let scratch = Scratch::new();
    // Compiling is done once and needs more memory; it is not what is measured here.
    assert_eq!(scratch.run(&["run", "--", "true"]).code(), 0);
    let script = "head -c 100000000 /dev/zero | tr '\\0' x; echo passed >&2; cat >/dev/null";
    let mut child = through(&scratch, &["sh", "-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdout = child.stdout.take().expect("a pipe");
    let counting = std::thread::spawn(move || {
        let (mut count, mut buffer) = (0_usize, vec![0; 1 << 16]);
        loop {
            match stdout.read(&mut buffer).expect("readable") {
                0 => return count,
                got => {
                    assert!(buffer[..got].iter().all(|byte| *byte == b'x'));
                    count += got;
                }
            }
        }
    });
    let mut passed = [0; 7];
    child
        .stderr
        .as_mut()
        .expect("a pipe")
        .read_exact(&mut passed)
        .expect("it says so");
    assert_eq!(&passed, b"passed\n");
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it runs");
    let peak: u64 = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|rest| rest.split_whitespace().next()?.parse().ok())
        .expect("the kernel tells the peak");
    drop(child.stdin.take());
    assert!(child.wait().expect("it ends").success());
    assert_eq!(counting.join().expect("counted"), 100_000_000);
    assert!(peak < 90_000, "{peak} KiB were needed for 100 MB of output");
}

#[test]
fn the_order_of_two_streams_that_go_to_one_place_is_kept() {
    let scratch = Scratch::new();
    let script = "i=0; while [ $i -lt 300 ]; do echo out $i; echo err $i >&2; i=$((i+1)); done";
    let expected: String = (0..300).map(|i| format!("out {i}\nerr {i}\n")).collect();
    // One pipe for both, and one file for both.
    let joined = format!("exec \"$0\" run -- sh -c '{script}' 2>&1");
    let program = env!("CARGO_BIN_EXE_twiceshy");
    let ran = feed(alone(&scratch, &["sh", "-c", &joined, program]), b"");
    assert_eq!(ran.stdout(), expected);
    let place = scratch.path().join("both.log");
    let file = File::create(&place).expect("a file");
    let status = through(&scratch, &["sh", "-c", script])
        .stdout(file.try_clone().expect("a copy"))
        .stderr(file)
        .status()
        .expect("it runs");
    assert!(status.success());
    assert_eq!(fs::read_to_string(place).expect("readable"), expected);
}

#[test]
fn output_is_there_when_it_is_written_and_not_only_at_the_end() {
    let scratch = Scratch::new();
    let mut running = Running::start(through(
        &scratch,
        &["sh", "-c", "echo first; read x; echo $x"],
    ));
    assert_eq!(running.stdout.next().as_deref(), Some("first"));
    let mut stdin = running.stdin.take().expect("a pipe");
    writeln!(stdin, "answer").expect("it reads");
    assert_eq!(running.stdout.next().as_deref(), Some("answer"));
    assert_eq!(running.code(), 0);
}

#[test]
fn a_file_that_is_appended_to_keeps_what_it_had() {
    let scratch = Scratch::new();
    let place = scratch.path().join("log");
    fs::write(&place, "before\n").expect("writable");
    let file = File::options()
        .append(true)
        .open(&place)
        .expect("it is there");
    assert!(
        through(&scratch, &["echo", "after"])
            .stdout(file)
            .status()
            .expect("it runs")
            .success()
    );
    assert_eq!(
        fs::read_to_string(place).expect("readable"),
        "before\nafter\n"
    );
}

#[test]
fn standard_input_reaches_the_command_from_a_pipe_and_from_a_file() {
    let scratch = Scratch::new();
    assert_eq!(
        assert_unseen(&scratch, &["cat"], b"piped").stdout(),
        "piped"
    );
    let place = scratch.path().join("input");
    fs::write(&place, "line 1\nline 2\n").expect("writable");
    // Two commands that share one file go on where the other stopped: nobody reads ahead.
    let program = env!("CARGO_BIN_EXE_twiceshy");
    let script = "\"$0\" run -- sh -c 'read x; echo \"first $x\"'; cat";
    let output = alone(&scratch, &["sh", "-c", script, program])
        .stdin(File::open(place).expect("readable"))
        .output()
        .expect("it runs");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "first line 1\nline 2\n"
    );
}

#[test]
fn a_large_standard_input_reaches_the_command_whole() {
    let scratch = Scratch::new();
    let input: Vec<u8> = (0..20_000_000_u32).map(|i| (i / 7) as u8).collect();
    let ran = feed(through(&scratch, &["cat"]), &input);
    assert!(
        ran.0.stdout == input,
        "{} of {} bytes came back",
        ran.0.stdout.len(),
        input.len()
    );
}

#[test]
fn a_command_that_reads_nothing_leaves_its_input_alone() {
    let scratch = Scratch::new();
    let ran = feed(
        through(&scratch, &["sh", "-c", "exit 5"]),
        &vec![b'x'; 1 << 20],
    );
    assert_eq!((ran.code(), ran.stderr()), (5, String::new()));
}

#[test]
fn a_command_ends_when_the_reader_of_its_output_goes_away() {
    let scratch = Scratch::new();
    let mut running = through(
        &scratch,
        &["sh", "-c", "yes; echo \"yes ended with $?\" >&2"],
    )
    .stdin(Stdio::null())
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .expect("it starts");
    let mut two = [0; 2];
    running
        .stdout
        .take()
        .expect("a pipe")
        .read_exact(&mut two)
        .expect("it writes");
    assert_eq!(&two, b"y\n");
    let stderr = super::Lines::of(running.stderr.take().expect("a pipe"));
    assert_eq!(stderr.rest(), ["yes ended with 141"]);
    assert_eq!(shell_code(running.wait().expect("it ends")), 0);
}

#[test]
fn a_reader_that_goes_away_is_felt_before_anything_more_is_written() {
    let scratch = Scratch::new();
    let place = scratch.path().join("followed");
    fs::write(&place, "only line\n").expect("writable");
    // `tail` watches its output and ends when nobody reads it any more, though it has nothing to write.
    let place = place.to_str().expect("text");
    let mut running = through(&scratch, &["tail", "-f", place])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut line = [0; 10];
    running
        .stdout
        .take()
        .expect("a pipe")
        .read_exact(&mut line)
        .expect("it writes");
    until("tail ends", || {
        running.try_wait().expect("it can be waited for").is_some()
    });
}

#[test]
fn a_reader_that_is_slow_on_one_stream_does_not_stop_the_other() {
    let scratch = Scratch::new();
    let script = "(head -c 1000000 /dev/zero; echo all out >&2) & sleep 0.1; echo ready >&2; wait";
    let mut running = through(&scratch, &["sh", "-c", script])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let stderr = super::Lines::of(running.stderr.take().expect("a pipe"));
    // Nobody has read standard output yet, and more than two pipes' worth is waiting there.
    assert_eq!(stderr.next().as_deref(), Some("ready"));
    let mut output = Vec::new();
    running
        .stdout
        .take()
        .expect("a pipe")
        .read_to_end(&mut output)
        .expect("readable");
    assert_eq!(output.len(), 1_000_000);
    assert_eq!(stderr.rest(), ["all out"]);
    assert!(running.wait().expect("it ends").success());
}

#[test]
fn output_that_can_not_be_written_is_told_and_is_no_success() {
    let scratch = Scratch::new();
    let full = || {
        File::options()
            .write(true)
            .open("/dev/full")
            .expect("the device is there")
    };
    let output = through(&scratch, &["sh", "-c", "echo lost"])
        .stdout(full())
        .output()
        .expect("it runs");
    assert_eq!(shell_code(output.status), 1);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("No space left on device"), "{stderr}");
    // With nobody to tell, the exit code is still the command's own.
    let output = through(&scratch, &["sh", "-c", "exit 9"])
        .env("TWICESHY_MEMORY", "/proc/nope")
        .stderr(full())
        .output()
        .expect("it runs");
    assert_eq!(shell_code(output.status), 9);
}
