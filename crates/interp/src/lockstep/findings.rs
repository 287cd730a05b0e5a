//! What is found, and whom it is said of.

use super::code::Step;
use super::run::{Chunk, Lane, Worker};
use super::tags::Who;
use crate::races::Party;
use crate::trap::{Access, Trap, TrapKind};

impl Worker<'_> {
    /// Notes what went wrong at an operation.
    pub(super) fn note(&mut self, chunk: &Chunk, lane: usize, func: usize, s: &Step, kind: TrapKind) {
        let code = &self.common.code[func];
        let Lane { slot, id, .. } = chunk.lanes[lane];
        let first = self.common.config.whole.map_or([0; 3], |w| w.first);
        let at = self.groups[slot].at;
        let group = std::array::from_fn(|d| first[d].wrapping_add(at[d]));
        let span = code.spans.get(s.at as usize).copied().unwrap_or(source::Span::NONE);
        let trap = Trap { kind, span, function: code.name.clone(), group, work_item: id };
        self.survey.note((func as u32, s.at), trap);
    }

    /// Whether accesses to global memory, or to work-group memory, are remembered beyond barriers.
    pub(super) fn remembers(&self, shared: bool) -> bool {
        !self.races.is_empty() && self.unordered[usize::from(shared)]
    }

    /// An access where barriers do not order everything: is there an earlier one that none has?
    pub(super) fn race(
        &mut self,
        (chunk, lane): (&Chunk, usize),
        (func, s): (usize, &Step),
        (address, len): (u64, u64),
        access: Access,
        changes: impl Fn(u64) -> bool,
    ) {
        let Lane { slot, linear, .. } = chunk.lanes[lane];
        let place = self.common.code[func].first.saturating_add(s.at);
        let warp = (linear / self.common.target.warp_size()) as u16;
        let now = Party { item: linear, warp, warp_epoch: 0, fences: 0, atomic: false, place };
        let Some(found) = self.races[slot].access(address, len, changes, access, now, false) else { return };
        let shared = crate::memory::Tag::of_address(address) == Some(crate::memory::Tag::Shared);
        let arena = if shared { &self.shared } else { &self.global };
        let (name, base) = arena.locate(found.address, 1).map_or((0, 0), |(_, o)| (o.name, o.base));
        let kind = TrapKind::DataRace {
            address: found.address,
            object: self.common.names.get(name as usize).cloned().unwrap_or_default(),
            offset: (found.address & 0xffff_ffff) - base,
            other: found.other.item,
            other_span: crate::access::numbered(self.common.code, found.other.place),
            other_access: found.other_access,
            access,
        };
        self.note(chunk, lane, func, s, kind);
    }

    /// Who accesses memory in a lane.
    pub(super) fn who(&self, chunk: &Chunk, lane: usize, shared: bool) -> Who {
        let Lane { slot, linear, .. } = chunk.lanes[lane];
        let group = &self.groups[slot];
        Who {
            group: group.number,
            item: slot as u32 * self.common.per_group + linear,
            phase: group.phases[usize::from(shared)],
        }
    }
}
