//! Arguments that only fit their types: any number, any text, any case, whatever a function makes of them.
//!
//! They show that a value crosses every border unchanged; that it means something is the business of the others.

use serde_json::{Map, Value, json};
use twiceshy_wit::{Enum, Function, Type, Variant};

use crate::Dice;

/// The arguments of a call. Texts are short and lists have few items, so that no limit on size speaks first.
pub fn wild_arguments(function: &Function, dice: &mut Dice) -> Value {
    let parameters = function.parameters.iter();
    parameters
        .map(|parameter| (parameter.name.to_owned(), wild(&parameter.ty, dice)))
        .collect::<Map<_, _>>()
        .into()
}

fn wild(ty: &Type, dice: &mut Dice) -> Value {
    match ty {
        Type::Bool => json!(dice.roll(2) == 0),
        Type::U8 => json!(number(dice) as u8),
        Type::U32 => json!(number(dice) as u32),
        Type::U64 | Type::Timestamp => json!(number(dice)),
        Type::F32 => json!(float(dice) as f32),
        Type::F64 => json!(float(dice)),
        Type::Text => json!(text(dice)),
        Type::Json => match dice.roll(4) {
            0 => json!(text(dice)),
            1 => json!({ text(dice): [float(dice), null, { "deep": text(dice) }] }),
            2 => json!([number(dice), true]),
            _ => Value::Null,
        },
        Type::List(item) => (0..dice.roll(4)).map(|_| wild(item, dice)).collect(),
        Type::Option(_) if dice.roll(3) == 0 => Value::Null,
        Type::Option(item) => wild(item, dice),
        Type::Record(record) => record
            .fields
            .iter()
            .map(|field| (field.name.to_owned(), wild(&field.ty, dice)))
            .collect::<Map<_, _>>()
            .into(),
        Type::Enum(Enum { cases, .. }) | Type::Variant(Variant { cases, .. }) => {
            let case = &cases[dice.roll(cases.len())];
            match &case.payload {
                Some(payload) => json!({ case.name: wild(payload, dice) }),
                None => json!(case.name),
            }
        }
    }
}

/// Any number of bits, small ones and the ends of ranges as often as large ones.
fn number(dice: &mut Dice) -> u64 {
    let bits = (dice.roll(1 << 32) as u64) << 32 | dice.roll(1 << 32) as u64;
    match dice.roll(6) {
        0 => u64::MAX,
        1 => u64::from(u32::MAX),
        _ => bits >> dice.roll(64),
    }
}

fn float(dice: &mut Dice) -> f64 {
    match dice.roll(8) {
        0 => -0.0,
        1 => f64::MIN_POSITIVE / 3.0,
        2 => f64::MAX,
        3 => dice.roll(1 << 20) as f64,
        _ => {
            let float = f64::from_bits(number(dice) ^ number(dice).rotate_left(20));
            if float.is_finite() { float } else { 0.1 }
        }
    }
}

fn text(dice: &mut Dice) -> String {
    const CHARACTERS: [char; 16] = [
        'a', 'Z', '7', ' ', '-', '_', '.', '/', '"', '\\', '\n', '\0', 'ß', '語', '\u{202e}', '🦀',
    ];
    let length = match dice.roll(5) {
        0 => 0,
        1 => 40,
        _ => 1 + dice.roll(8),
    };
    (0..length)
        .map(|_| CHARACTERS[dice.roll(CHARACTERS.len())])
        .collect()
}
