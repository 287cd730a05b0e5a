//! The variables of a program on a device ([`launch::variables`]): one of each, however many kernels see them.

use crate::memory::{DevicePtr, Memory};
use crate::{Error, Program};
use launch::variables::{Layout, symbol};
use std::sync::Arc;

/// A variable on a device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VariableAt {
    /// Where it begins.
    pub address: DevicePtr,
    /// Its size.
    pub bytes: u64,
}

/// The variables of a program on one device.
#[derive(Debug)]
pub(crate) struct Variables {
    memory: Arc<Memory>,
    start: DevicePtr,
    /// What machine code calls them, and where they are.
    symbols: Vec<(String, usize)>,
}

impl Variables {
    /// Places a program's variables in a device's memory, with their initial values.
    ///
    /// # Errors
    /// There is not so much memory.
    pub(crate) fn new(program: &Program, memory: &Arc<Memory>) -> Result<Self, Error> {
        let all = program.variables();
        let too_large = || Error::Allocation(launch::buffer::BufferError::TooLarge { bytes: u64::MAX });
        let layout = Layout::new(all).ok_or_else(too_large)?;
        // Memory begins on a multiple of what any vector wants; a variable may want more.
        let room = layout.bytes.checked_add(layout.align).ok_or_else(too_large)?;
        let mut base = 0;
        let start = memory.reserve(room, |bytes, first| {
            base = first.next_multiple_of(layout.align);
            layout.initialise(all, &mut bytes[(base - first) as usize..], base);
        })?;
        let at = |(v, offset): (&launch::variables::Variable, &u64)| (symbol(&v.name), (base + offset) as usize);
        let symbols = all.iter().zip(&layout.offsets).map(at).collect();
        Ok(Self { memory: Arc::clone(memory), start, symbols })
    }

    /// What machine code calls them, and where they are.
    pub(crate) fn symbols(&self) -> impl Iterator<Item = (&str, usize)> {
        self.symbols.iter().map(|(name, at)| (name.as_str(), *at))
    }

    /// The variable with this number in [`Program::variables`].
    pub(crate) fn address(&self, number: usize) -> DevicePtr {
        self.symbols.get(number).map_or(DevicePtr::NULL, |s| DevicePtr(s.1 as u64))
    }
}

impl Drop for Variables {
    fn drop(&mut self) {
        self.memory.release(self.start);
    }
}
