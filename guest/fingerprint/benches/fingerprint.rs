//! How fast fingerprints are made of large texts, in MB/s, beside the cheapest pass over the same bytes.
//!
//! Run it with `cargo bench --bench fingerprint`. It has no harness and keeps the best of several rounds.

use std::hint::black_box;
use std::time::Instant;
use twiceshy_fingerprint::{fingerprint, tags};

const SIZE: usize = 10 * 1024 * 1024;

/// A small generator of numbers: the inputs are the same on every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

fn filled(mut line: impl FnMut(u64) -> String) -> String {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let mut out = String::with_capacity(SIZE + 4096);
    while out.len() < SIZE {
        out.push_str(&line(numbers.next()));
    }
    out
}

fn inputs() -> Vec<(&'static str, String)> {
    let log = |n: u64| {
        format!(
            "2026-03-{:02} 10:{:02}:11 INFO [worker-{}] com.acme.Shop - order {:x} took {} ms on node {}\n",
            n % 28 + 1,
            n % 60,
            n % 16,
            n,
            n % 9999,
            n % 7
        )
    };
    let prose = |n: u64| {
        format!("the lamp of room {n} is green and the door to the garden stands open tonight\n")
    };
    vec![
        ("log, no error", filled(log)),
        (
            "log, error at the end",
            filled(log)
                + "2026-03-01 10:10:10 ERROR [worker-3] com.acme.Shop - cannot open /srv/x/12.bin\n",
        ),
        (
            "log, error first",
            format!("error: cannot open /srv/x\n{}", filled(log)),
        ),
        ("prose, no failure word", filled(prose)),
        (
            "weak cues on every line",
            filled(|n| format!("request {n} was not found in the cache and the lookup failed\n")),
        ),
        (
            "one line of words",
            filled(|n| format!("word{n} ")).replace('\n', " "),
        ),
        ("one line of one letter", "a".repeat(SIZE)),
        ("only line breaks", "\n".repeat(SIZE)),
        ("only returns", "\r".repeat(SIZE)),
        ("only quotation marks", "'\"`".repeat(SIZE / 3)),
        (
            "escape codes that never end",
            "\u{1b}]0;x\u{1b}[1;".repeat(SIZE / 9),
        ),
        ("carets", "    ^\n".repeat(SIZE / 6)),
        (
            "Russian log",
            filled(|n| {
                format!(
                    "2026-03-01 10:10:10 рабочий {n}: заказ обработан за {} мс, всё в порядке\n",
                    n % 1000
                )
            }),
        ),
        (
            "Chinese, one line",
            "订单处理完成用时很短一切正常".repeat(SIZE / 42),
        ),
        (
            "traceback of 100k frames",
            format!(
                "Traceback (most recent call last):\n{}RecursionError: too deep\n",
                "  File \"/srv/a.py\", line 12, in f\n    return f(n + 1)\n".repeat(SIZE / 54)
            ),
        ),
    ]
}

/// The best of `rounds`, in MB/s.
fn speed(text: &str, rounds: u32, mut work: impl FnMut(&str)) -> f64 {
    let best = (0..rounds).map(|_| {
        let start = Instant::now();
        work(black_box(text));
        start.elapsed().as_secs_f64()
    });
    text.len() as f64 / 1e6 / best.fold(f64::INFINITY, f64::min)
}

fn main() {
    println!(
        "{:30} {:>12} {:>12} {:>14}",
        "input (10 MB), MB/s", "fingerprint", "tags", "byte count"
    );
    for (name, text) in inputs() {
        let prints = speed(&text, 5, |t| {
            black_box(fingerprint::of_text(t));
        });
        let tagged = speed(&text, 5, |t| {
            black_box(tags::of_text(t));
        });
        let bytes = speed(&text, 5, |t| {
            black_box(t.bytes().filter(|b| *b == b'\n').count());
        });
        println!("{name:30} {prints:12.0} {tagged:12.0} {bytes:14.0}");
    }
    let short = "bash: line 3: frobnicate: command not found\n";
    let start = Instant::now();
    for _ in 0..100_000 {
        black_box(fingerprint::of_text(black_box(short)));
    }
    println!(
        "one short error: {:.2} µs",
        start.elapsed().as_secs_f64() * 10.0
    );
}
