//! What barriers order, asynchronous copies and indices of arrays: where the code says what the source asks for
//! ([`ir::Intrinsic::is_check`]).
//!
//! All work-items of a group must ask for the same copies in the same order, and wait for the same events. What a copy reads
//! and writes belongs to nobody until a barrier has waited for its event: it races with what work-items do meanwhile, whatever
//! barriers they meet at.

use crate::decode::Op;
use crate::exec::{Exec, Item, Outcome, State};
use crate::races::copy_party;
use crate::trap::{Trap, TrapKind};
use ir::Intrinsic;

/// OpenCL's flags of fences.
pub(crate) const LOCAL_FENCE: u64 = 1;
/// Of global memory, or of images, which lie there.
pub(crate) const GLOBAL_FENCE: u64 = 2 | 4;

/// A copy that the group was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Copy {
    /// Function and operation.
    place: (u32, u32),
    /// Destination, source, elements, stride.
    what: [u64; 4],
    /// Whose wait completes it; 0 is no event.
    event: u64,
    complete: bool,
}

/// What a work-item has said since its last barrier, and the copies that it knows.
#[derive(Debug, Default)]
pub(crate) struct Said {
    /// How many copies it has asked for.
    pub(crate) copies: usize,
    /// Its accesses are those of this copy.
    pub(crate) copying: Option<usize>,
    /// What its next barrier orders; everything unless it is said.
    fences: Option<u64>,
    /// The events that its next barrier waits for.
    waits: Vec<u64>,
    /// An index is outside of its array: index, length, function and operation.
    index: Option<(i64, u64, (u32, u32))>,
}

impl Said {
    /// Whether an index was outside of its array, and no access has followed.
    pub(crate) fn has_index(&self) -> bool {
        self.index.is_some()
    }
}

impl Exec<'_> {
    /// Executes an operation of the `Check` family.
    pub(crate) fn check(&mut self, item: &mut Item, base: usize, op: &Op, which: Intrinsic) -> Outcome<()> {
        let list = {
            let func = item.frames.last().map_or(0, |f| f.func as usize);
            &self.code[func].lists[op.list.0 as usize..op.list.1 as usize]
        };
        let mut args = [0; 5];
        let mut undefined = false;
        for (a, &r) in args.iter_mut().zip(list) {
            *a = item.regs[base + r as usize];
            undefined |= item.shadow[base + r as usize] != 0;
        }
        match which {
            Intrinsic::CheckFences => item.said.fences = (!undefined).then_some(args[0]),
            Intrinsic::CheckIndex => {
                if !undefined && args[0] >= args[1] {
                    item.said.index = Some((args[0] as i64, args[1], item.place()));
                }
            }
            Intrinsic::CheckCopy => {
                let event = self.copy(item, args, undefined)?;
                item.set(op.dst, event, 0);
            }
            Intrinsic::CheckCopyEnd => item.said.copying = None,
            _ if undefined => return self.fault(item, TrapKind::UndefinedUse { what: "an event" }),
            _ if !self.copies.iter().any(|c| c.event == args[0]) => return self.fault(item, TrapKind::NoEvent),
            _ => item.said.waits.push(args[0]),
        }
        Ok(())
    }

    /// A work-item asks for a copy; its event.
    fn copy(&mut self, item: &mut Item, args: [u64; 5], undefined: bool) -> Outcome<u64> {
        if undefined {
            self.fault(item, TrapKind::UndefinedUse { what: "an argument of an asynchronous copy" })?;
        }
        let [dst, src, elements, stride, given] = args;
        let (n, place) = (item.said.copies, item.place());
        item.said.copies += 1;
        item.said.copying = Some(n);
        let what = [dst, src, elements, stride];
        if let Some(&known) = self.copies.get(n) {
            if (known.place, known.what) != (place, what) {
                self.fault(item, TrapKind::GroupDivergence { what: "an asynchronous copy" })?;
            }
            return Ok(known.event);
        }
        let mut event = n as u64 + 1;
        if given != 0 && !undefined {
            match self.copies.iter().any(|c| c.event == given) {
                true => event = given,
                false => self.fault(item, TrapKind::NoEvent)?,
            }
        }
        self.copies.push(Copy { place, what, event, complete: false });
        Ok(event)
    }

    /// An access is inside of an object: an index that was outside of its array was still a fault.
    pub(crate) fn check_index(&mut self, item: &mut Item) -> Outcome<()> {
        let Some((index, len, place)) = item.said.index.take() else { return Ok(()) };
        let kind = TrapKind::IndexOutside { index, len };
        if self.survey.is_none() {
            return Err(kind);
        }
        let trap = self.trap_at(kind, item, place);
        self.note_trap(place, trap);
        Ok(())
    }

    /// An access is outside of its object, which says more than that an index was outside of its array.
    pub(crate) fn forget_index(item: &mut Item) {
        item.said.index = None;
    }

    /// The living work-items meet at a barrier: what it orders, and which copies are complete.
    pub(crate) fn meet(&mut self, items: &mut [Item]) -> Result<(), Box<Trap>> {
        let mut fences = LOCAL_FENCE | GLOBAL_FENCE;
        let mut different = None;
        let mut complete: Option<Vec<u64>> = None;
        let mut first: Option<usize> = None;
        for (n, item) in items.iter_mut().enumerate().filter(|(_, i)| i.state != State::Done) {
            fences &= item.said.fences.take().unwrap_or(LOCAL_FENCE | GLOBAL_FENCE);
            let waits = std::mem::take(&mut item.said.waits);
            match &mut complete {
                Some(all) => {
                    if *all != waits {
                        different = different.or(Some((n, "a wait for events")));
                    }
                    all.retain(|e| waits.contains(e));
                }
                None => complete = Some(waits),
            }
            first = first.or(Some(item.said.copies));
            if first != Some(item.said.copies) {
                different = different.or(Some((n, "an asynchronous copy")));
            }
        }
        let complete = complete.unwrap_or_default();
        self.copies.iter_mut().filter(|c| complete.contains(&c.event)).for_each(|c| c.complete = true);
        let (local, global) = (fences & LOCAL_FENCE != 0, fences & GLOBAL_FENCE != 0);
        for item in items.iter_mut().filter(|_| local && global) {
            item.ordering = false;
        }
        if let Some(races) = &mut self.races {
            let copies = &self.copies;
            let pending = copies.iter().any(|c| !c.complete);
            races.meet(local, global, pending, |n| copies.get(n).is_none_or(|c| c.complete));
        }
        match different {
            Some((n, what)) => {
                let place = items[n].place();
                self.fault_at(&items[n], TrapKind::GroupDivergence { what }, place)
            }
            None => Ok(()),
        }
    }

    /// The group has ended: copies that nobody has waited for.
    pub(crate) fn leave_copies(&mut self, items: &[Item]) -> Result<(), Box<Trap>> {
        let Some(item) = items.first() else { return Ok(()) };
        let copies = std::mem::take(&mut self.copies);
        if let Some(other) = items.iter().find(|i| i.said.copies != item.said.copies && !i.stopped && !item.stopped) {
            let least = other.said.copies.min(item.said.copies);
            if let Some(c) = copies.get(least).filter(|c| !c.complete) {
                self.fault_at(other, TrapKind::GroupDivergence { what: "an asynchronous copy" }, c.place)?;
            }
        }
        copies.iter().filter(|c| !c.complete).try_for_each(|c| self.fault_at(item, TrapKind::NotWaited, c.place))
    }

    fn fault_at(&mut self, item: &Item, kind: TrapKind, place: (u32, u32)) -> Result<(), Box<Trap>> {
        let trap = self.trap_at(kind, item, place);
        if self.survey.is_none() {
            return Err(trap);
        }
        self.note_trap(place, trap);
        Ok(())
    }

    /// Who accesses memory: the work-item, or the copy that it makes its part of.
    pub(crate) fn accessor(item: &Item) -> u32 {
        item.said.copying.map_or(item.linear, copy_party)
    }
}
