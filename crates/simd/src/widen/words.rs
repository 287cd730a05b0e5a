//! Vectors of bytes and of halves, as in pixels, are words.
//!
//! A gather or scatter costs as much for a byte as for a word. So a `uchar4` that each lane has somewhere else is loaded as one
//! integer and taken apart by shifts, and put together in one that is stored. Those of lanes that follow each other are rows of
//! words: what is converted to a number of 32 bits needs a shift and a mask then instead of shuffles of bytes, and machines that
//! have no masks for bytes have them for words.

use super::emit::Emitter;
use super::wide::Wide;
use ir::{Opcode, Type, Value};

/// The integer that `count` elements at `p` fill together, if there is one, elements are smaller than what gathers take, and those of
/// lanes do not follow each other.
pub(super) fn word_of(p: &Wide, elem: Type, count: u8) -> Option<Type> {
    let size = i64::from(elem.scalar_bytes());
    let follow = matches!(p, &Wide::Strided(_, stride) if stride.abs() == size);
    if size > 2 || count < 2 || follow {
        return None;
    }
    match size * i64::from(count) {
        2 => Some(Type::I16),
        4 => Some(Type::I32),
        8 => Some(Type::I64),
        _ => None,
    }
}

/// How many words of 32 bits the elements fill that lanes have one behind the other, or perhaps have.
pub(super) fn words_of(p: &Wide, elem: Type, count: u8) -> Option<u8> {
    let size = i64::from(elem.scalar_bytes());
    let all = size * i64::from(count);
    let follow = match p {
        Wide::Strided(_, stride) => *stride == all,
        Wide::Far { perhaps: Some(m), .. } => m.stride == all,
        _ => false,
    };
    (size <= 2 && matches!(all, 4 | 8 | 16) && follow).then_some((all / 4) as u8)
}

/// The integer type of as many bits as a small element.
fn bits_of(elem: Type) -> Type {
    if elem.scalar_bytes() == 1 { Type::I8 } else { Type::I16 }
}

impl Emitter<'_> {
    /// The elements of each lane's word, the first lowest.
    pub(super) fn split_words(&mut self, words: Value, word: Type, elem: Type, count: u8) -> Vec<Value> {
        let (wide, narrow, same) = (self.wide_type(word), self.wide_type(bits_of(elem)), self.wide_type(elem));
        let part = |this: &mut Self, n: u8| {
            let down = this.bits_down(word, elem, n);
            let low = if n == 0 { words } else { this.plain(Opcode::LShr, wide, &[words, down]) };
            let bits = this.plain(Opcode::Trunc, narrow, &[low]);
            if same == narrow { bits } else { this.plain(Opcode::Bitcast, same, &[bits]) }
        };
        (0..count).map(|n| part(self, n)).collect()
    }

    /// The words of each lane's elements.
    pub(super) fn join_words(&mut self, parts: &[Value], word: Type, elem: Type) -> Value {
        let (wide, narrow) = (self.wide_type(word), self.wide_type(bits_of(elem)));
        let mut all: Option<Value> = None;
        for (&part, n) in parts.iter().zip(0u8..) {
            let same = self.func.dfg.ty(part) == narrow;
            let bits = if same { part } else { self.plain(Opcode::Bitcast, narrow, &[part]) };
            let bits = self.plain(Opcode::ZExt, wide, &[bits]);
            all = Some(match all {
                None => bits,
                Some(before) => {
                    let up = self.bits_down(word, elem, n);
                    let bits = self.plain(Opcode::Shl, wide, &[bits, up]);
                    self.plain(Opcode::Or, wide, &[before, bits])
                }
            });
        }
        all.unwrap_or_else(|| self.func.dfg.bits(wide, 0))
    }

    /// By how much element `n` is shifted, in all lanes.
    fn bits_down(&mut self, word: Type, elem: Type, n: u8) -> Value {
        let bits = i64::from(n) * 8 * i64::from(elem.scalar_bytes());
        let bits = self.func.dfg.iconst(word, bits);
        self.splat(bits)
    }
}
