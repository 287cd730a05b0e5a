//! The words behind an instruction's name: each must be understood by somebody.

use crate::ast::Instruction;
use crate::error::{Outcome, PtxError};
use crate::types::PtxType;

/// Most words behind a name.
const MAX_MODIFIERS: usize = 32;

/// An instruction's modifiers, of which those that were understood are ticked off.
pub(crate) struct Mods<'i, 'a> {
    inst: &'i Instruction<'a>,
    used: u32,
}

impl<'i, 'a> Mods<'i, 'a> {
    pub(crate) fn new(inst: &'i Instruction<'a>) -> Outcome<Self> {
        if inst.modifiers.len() > MAX_MODIFIERS {
            return Err(PtxError::limit(
                inst.span,
                format!("more than {MAX_MODIFIERS} words in an instruction's name"),
            ));
        }
        Ok(Self { inst, used: 0 })
    }

    fn unused(&self) -> impl Iterator<Item = (usize, &'a str)> {
        let used = self.used;
        self.inst.modifiers.iter().copied().enumerate().filter(move |(n, _)| used >> n & 1 == 0)
    }

    /// Whether the word is there.
    pub(crate) fn take(&mut self, word: &str) -> bool {
        self.pick(|w| (w == word).then_some(())).is_some()
    }

    /// The first word that is understood.
    pub(crate) fn pick<T>(&mut self, mut f: impl FnMut(&'a str) -> Option<T>) -> Option<T> {
        let (n, found) = self.unused().find_map(|(n, w)| Some((n, f(w)?)))?;
        self.used |= 1 << n;
        Some(found)
    }

    /// The first of the words that is there, with what it means.
    pub(crate) fn one_of<T: Copy>(&mut self, table: &[(&str, T)]) -> Option<T> {
        self.pick(|w| table.iter().find(|(name, _)| *name == w).map(|(_, t)| *t))
    }

    /// The next type, if there is one.
    pub(crate) fn try_type(&mut self) -> Option<PtxType> {
        self.pick(PtxType::named)
    }

    /// The next type.
    pub(crate) fn ty(&mut self) -> Outcome<PtxType> {
        self.try_type()
            .ok_or_else(|| PtxError::operand(self.inst.span, format!("`{}` lacks a type", self.inst.full_name())))
    }

    /// An error unless all are understood.
    pub(crate) fn finish(&self) -> Outcome<()> {
        match self.unused().next() {
            None => Ok(()),
            Some((_, w)) => Err(PtxError::unsupported(
                self.inst.span,
                format!("`.{w}` of `{}` is not understood", self.inst.full_name()),
            )),
        }
    }
}
