//! Hand-made guests: core modules in text, encoded as components.
//!
//! Owns what every one of them has: a memory, an allocator, the exports of the contract, and the bytes of its
//! answers as the canonical ABI lays them out. What makes one hostile is said where it is listed.

use std::fs;

use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

use crate::support::repository;

/// Where the manifest lies in memory, and where the answer to a step.
const MANIFEST: u32 = 64;
pub const ANSWER: u32 = 256;
/// Where texts begin, and where there is nothing but zeros.
const TEXTS: u32 = 1_024;
pub const ZEROS: u32 = 65_536;

/// The core module of an adapter. Its default is a good one, which finds nothing wrong with any step.
#[derive(Clone, Copy)]
pub struct Module<'m> {
    /// Further definitions: functions, memories, tables, a start.
    pub items: &'m str,
    /// The first size of its memory, in pages of 64 KiB.
    pub pages: u32,
    /// What `describe` does; gives the place of a manifest.
    pub describe: &'m str,
    /// What `assess` does; gives the place of an answer.
    pub assess: &'m str,
    /// What happens before memory is allocated for arguments.
    pub allocate: &'m str,
    /// What happens after an answer was taken.
    pub afterwards: &'m str,
    /// What it says of itself.
    pub manifest: [Text<'m>; 7],
    /// The bytes of its answer.
    pub answer: Answer<'m>,
}

/// A text: one that is laid into memory, or the place and length that a guest claims.
#[derive(Clone, Copy)]
pub enum Text<'m> {
    Bytes(&'m [u8]),
    At(u32, u32),
}

/// An answer to a step as its bytes are.
#[derive(Clone, Copy)]
pub struct Answer<'m> {
    /// 0 for feedback, 1 for an error.
    pub result: u8,
    pub action_text: Text<'m>,
    /// 0 for none, 1 for a failure.
    pub hard_failure: u8,
    /// The place and length of the violations.
    pub violations: (u32, u32),
    pub progress: Option<f64>,
    pub efficiency: Option<f64>,
}

impl Default for Module<'_> {
    fn default() -> Self {
        let text = |text: &'static str| Text::Bytes(text.as_bytes());
        Self {
            items: "",
            pages: 2,
            describe: "(i32.const 64)",
            assess: "(i32.const 256)",
            allocate: "",
            afterwards: "",
            manifest: [
                text("handmade"),
                text("0.1.0"),
                text("handmade"),
                text("Finds nothing wrong with any step."),
                text(r#"{"type": "object"}"#),
                text(r#"{"type": "object"}"#),
                text(r#"{"type": "object"}"#),
            ],
            answer: Answer::default(),
        }
    }
}

impl Default for Answer<'_> {
    fn default() -> Self {
        Self {
            result: 0,
            action_text: Text::Bytes(b"do it"),
            hard_failure: 0,
            violations: (0, 0),
            progress: Some(0.5),
            efficiency: None,
        }
    }
}

impl Module<'_> {
    /// The module, encoded for the world of adapters.
    pub fn component(&self) -> Vec<u8> {
        self.encoded(&contract(), "adapter")
    }

    /// The module, encoded for a world of these contracts.
    pub fn encoded(&self, contract: &Resolve, world: &str) -> Vec<u8> {
        let text = self.text().replace("@0.1.0", &version(contract));
        encode(&text, contract, world)
    }

    /// The module in text.
    pub fn text(&self) -> String {
        let mut memory = Layout::default();
        let mut manifest = Vec::new();
        for text in self.manifest {
            manifest.extend(memory.place(text));
        }
        memory.data(MANIFEST, &manifest);
        let answer = self.answer.bytes(&mut memory);
        memory.data(ANSWER, &answer);
        let Self {
            items,
            pages,
            describe,
            assess,
            allocate,
            afterwards,
            ..
        } = self;
        let data = memory.text;
        format!(
            r#"(module
  (memory $memory (export "memory") {pages})
  {data}
  {items}
  (global $free (mut i32) (i32.const {ZEROS}))
  (func (export "cabi_realloc") (param $old i32) (param $was i32) (param $align i32) (param $size i32) (result i32)
    (local $at i32)
    {allocate}
    (local.set $at (i32.and
      (i32.add (global.get $free) (i32.sub (local.get $align) (i32.const 1)))
      (i32.sub (i32.const 0) (local.get $align))))
    (global.set $free (i32.add (local.get $at) (local.get $size)))
    (if (i32.gt_u (global.get $free) (i32.mul (memory.size $memory) (i32.const 65536)))
      (then (drop (memory.grow $memory (i32.add (i32.const 1) (i32.shr_u (local.get $size) (i32.const 16)))))))
    (local.get $at))
  (func (export "twiceshy:adapter/assess@0.1.0#describe") (result i32) {describe})
  (func (export "twiceshy:adapter/assess@0.1.0#assess")
    (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32) (result i32) {assess})
  (func (export "cabi_post_twiceshy:adapter/assess@0.1.0#assess") (param i32)
    (global.set $free (i32.const {ZEROS}))
    {afterwards}))"#
        )
    }
}

impl Answer<'_> {
    /// `result<feedback, error>` as the canonical ABI has it: the payload begins at 8, for the sake of the numbers.
    fn bytes(&self, memory: &mut Layout) -> Vec<u8> {
        let mut bytes = vec![0; 80];
        let mut put = |at: usize, part: &[u8]| bytes[at..at + part.len()].copy_from_slice(part);
        put(0, &[self.result]);
        put(8, &memory.place(self.action_text));
        put(16, &[self.hard_failure]);
        put(36, &self.violations.0.to_le_bytes());
        put(40, &self.violations.1.to_le_bytes());
        for (at, signal) in [(48, self.progress), (64, self.efficiency)] {
            put(at, &[u8::from(signal.is_some())]);
            put(at + 8, &signal.unwrap_or_default().to_le_bytes());
        }
        bytes
    }
}

/// What lies where in memory.
#[derive(Default)]
struct Layout {
    text: String,
    used: u32,
}

impl Layout {
    fn data(&mut self, at: u32, bytes: &[u8]) {
        let escaped: String = bytes.iter().map(|byte| format!("\\{byte:02x}")).collect();
        self.text
            .push_str(&format!("(data (i32.const {at}) \"{escaped}\")\n"));
    }

    /// The place and length of a text, eight bytes.
    fn place(&mut self, text: Text<'_>) -> [u8; 8] {
        let (at, length) = match text {
            Text::At(at, length) => (at, length),
            Text::Bytes(bytes) => {
                let at = TEXTS + self.used;
                let length = u32::try_from(bytes.len()).expect("a short text");
                assert!(at + length <= ZEROS, "too much text for this layout");
                self.used += length;
                self.data(at, bytes);
                (at, length)
            }
        };
        let mut place = [0; 8];
        place[..4].copy_from_slice(&at.to_le_bytes());
        place[4..].copy_from_slice(&length.to_le_bytes());
        place
    }
}

/// A core module in text as a component of a world.
pub fn encode(text: &str, contract: &Resolve, world: &str) -> Vec<u8> {
    let mut module = wat::parse_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let main: Vec<_> = contract.packages.iter().map(|(id, _)| id).collect();
    let world = contract
        .select_world(&main, Some(world))
        .expect("the world");
    embed_component_metadata(&mut module, contract, world, StringEncoding::UTF8)
        .expect("a module that can carry its world");
    ComponentEncoder::default()
        .module(&module)
        .and_then(|mut encoder| encoder.encode())
        .unwrap_or_else(|error| panic!("{error:#}\n{text}"))
}

/// The contract of adapters as it is.
pub fn contract() -> Resolve {
    let mut contract = Resolve::default();
    contract
        .push_dir(repository().join("wit/adapter"))
        .expect("the contract");
    contract
}

/// The contract of adapters with something else in place of what it says.
pub fn another_contract(from: &str, to: &str) -> Resolve {
    let mut text = String::new();
    for file in ["types.wit", "world.wit"] {
        let path = repository().join("wit/adapter").join(file);
        text.push_str(&fs::read_to_string(path).expect("the contract"));
    }
    assert!(text.contains(from), "the contract has no `{from}`");
    let mut contract = Resolve::default();
    contract
        .push_str("adapter.wit", &text.replace(from, to))
        .expect("a contract");
    contract
}

/// The version of a contract, such as `@0.1.0`.
fn version(contract: &Resolve) -> String {
    let package = contract
        .packages
        .iter()
        .find(|(_, package)| package.name.namespace == "twiceshy");
    let version = package.and_then(|(_, package)| package.name.version.clone());
    format!("@{}", version.expect("a version"))
}
