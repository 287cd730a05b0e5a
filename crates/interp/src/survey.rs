//! Everything that a launch does wrong, not only the first thing: [`Machine::survey`](crate::Machine::survey) notes each
//! fault and goes on.
//!
//! What an access reads that it may not make is 0, and what it writes is dropped. An uninitialised value is taken as it
//! is once it has been reported, so that it is reported where it first matters and not again with all that follows. A
//! barrier that some do not reach lets the others pass. A work-item that cannot go on ends where it is.

use crate::between::Between;
use crate::decode::{Data, Op};
use crate::exec::{Exec, Item, Outcome};
use crate::trap::{Access, Trap, TrapKind};
use ir::Opcode;
use rustc_hash::FxHashMap;
use std::mem::Discriminant;

/// Something that went wrong, once or more often at the same place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The first time.
    pub trap: Trap,
    /// How many times.
    pub times: u64,
}

impl Finding {
    /// What tells it from other findings in launches of the same kernel.
    pub fn identity(&self) -> String {
        format!("{:?}", key((0, 0), &self.trap))
    }
}

/// What makes two faults the same: kind, places in the source, object.
type Key = (Discriminant<TrapKind>, [(u32, u32); 2], (u32, u32), Option<Access>, String);

/// The key of a fault of the operation at `place`.
fn key(place: (u32, u32), trap: &Trap) -> Key {
    let (access, object) = trap.kind.subject();
    let here = (trap.span.lo, trap.span.hi);
    let (places, access) = match &trap.kind {
        // A race of two places is the same whoever is there first.
        TrapKind::DataRace { other_span, .. } | TrapKind::GroupRace { other_span, .. } => {
            let there = (other_span.lo, other_span.hi);
            ([here.min(there), here.max(there)], None)
        }
        _ => ([here, (0, 0)], access),
    };
    // What is compiled to several operations stands at one place in the source.
    let place = if trap.span.is_none() { place } else { (0, 0) };
    (std::mem::discriminant(&trap.kind), places, place, access, object.to_owned())
}

/// Whether two faults of one operation have the same key.
fn same(a: &Trap, b: &Trap) -> bool {
    let there = |t: &Trap| match &t.kind {
        TrapKind::DataRace { other_span, .. } | TrapKind::GroupRace { other_span, .. } => Some(*other_span),
        _ => None,
    };
    let kinds = std::mem::discriminant(&a.kind) == std::mem::discriminant(&b.kind);
    kinds && a.span == b.span && there(a) == there(b) && a.kind.subject() == b.kind.subject()
}

/// What was found in a launch, which may be run in several parts.
#[derive(Debug)]
pub struct Survey {
    list: Vec<Finding>,
    known: FxHashMap<Key, usize>,
    most: usize,
    left_out: u64,
    /// What was noted last: where, and which of the list.
    latest: Option<((u32, u32), usize)>,
    /// Accesses of groups to global memory.
    pub(crate) between: Between,
}

impl Survey {
    /// Keeps at most this many findings apart.
    pub fn new(most: usize) -> Self {
        Self {
            list: Vec::new(),
            known: FxHashMap::default(),
            most,
            left_out: 0,
            latest: None,
            between: Between::default(),
        }
    }

    /// What was found, in the order in which it was first seen.
    pub fn findings(&self) -> &[Finding] {
        &self.list
    }

    /// How many faults there were for which there was no room among the findings.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Whether accesses were so many that races between groups may have been missed.
    pub fn is_partial(&self) -> bool {
        self.between.is_full()
    }

    /// Whether no launch was run with it.
    pub(crate) fn is_fresh(&self) -> bool {
        self.list.is_empty() && self.left_out == 0 && self.between.is_empty()
    }

    /// How many findings are kept apart.
    pub(crate) fn most(&self) -> usize {
        self.most
    }

    /// Adds what was found in groups that come behind all others, as if it were found now. The keys of `other` have to be there
    /// still: nothing was left out.
    pub(crate) fn append(&mut self, other: Self) {
        let mut keys: Vec<(usize, Key)> = other.known.into_iter().map(|(key, n)| (n, key)).collect();
        keys.sort_by_key(|(n, _)| *n);
        for (finding, (_, key)) in other.list.into_iter().zip(keys) {
            if let Some(&n) = self.known.get(&key) {
                self.list[n].times += finding.times;
            } else if self.list.len() < self.most {
                self.known.insert(key, self.list.len());
                self.list.push(finding);
            } else {
                self.left_out += finding.times;
            }
        }
    }

    /// Notes a fault of the operation at `place`.
    pub(crate) fn note(&mut self, place: (u32, u32), trap: Trap) {
        // What goes wrong once does so again and again, and its key takes memory.
        if let Some((_, finding)) = self.latest.filter(|(at, n)| *at == place && same(&self.list[*n].trap, &trap)) {
            self.list[finding].times += 1;
            return;
        }
        let key = key(place, &trap);
        if let Some(&n) = self.known.get(&key) {
            self.latest = Some((place, n));
            self.list[n].times += 1;
        } else if self.list.len() < self.most {
            self.known.insert(key, self.list.len());
            self.list.push(Finding { trap, times: 1 });
        } else {
            self.left_out += 1;
        }
    }
}

/// How far behind an object of the host's an access counts as one that leaves it, and not as one to nowhere.
const HOST_SLACK: u64 = 1 << 20;

impl Exec<'_> {
    /// Something went wrong, and the operation can be executed all the same: an error, unless all faults are wanted.
    pub(crate) fn fault(&mut self, item: &Item, kind: TrapKind) -> Outcome<()> {
        if self.survey.is_none() {
            return Err(kind);
        }
        self.note(item, kind);
        Ok(())
    }

    /// Notes what went wrong if that is wanted; whether it is.
    pub(crate) fn note(&mut self, item: &Item, kind: TrapKind) -> bool {
        let (trap, place) = (self.trap(kind, item), item.place());
        self.note_trap(place, trap)
    }

    /// Notes what went wrong at `place` if that is wanted; whether it is.
    pub(crate) fn note_trap(&mut self, place: (u32, u32), trap: Box<Trap>) -> bool {
        self.survey.as_mut().map(|survey| survey.note(place, *trap)).is_some()
    }

    /// An access that cannot be made: an error, unless all faults are wanted. Then it is left out, and what it would have
    /// read is 0.
    pub(crate) fn skip(&mut self, item: &mut Item, base: usize, op: &Op, kind: TrapKind) -> Outcome<()> {
        if !kind.may_be_skipped() {
            return Err(kind);
        }
        self.fault(item, kind)?;
        let gives =
            matches!(op.op, Opcode::Load | Opcode::MaskedLoad | Opcode::Gather) || matches!(op.data, Data::Atomic(_));
        if gives {
            let dst = base + op.dst as usize;
            let lanes = if matches!(op.data, Data::Atomic(_)) { 1 } else { usize::from(op.lanes) };
            item.regs[dst..dst + lanes].fill(0);
            item.shadow[dst..dst + lanes].fill(0);
        }
        Ok(())
    }

    /// The address in the machine's memory that a pointer means: pointers of the host lead to the nearest of its objects
    /// that begins before them.
    pub(crate) fn canonical(&self, address: u64) -> u64 {
        if address >> 56 != 0 || self.host.is_empty() {
            return address;
        }
        let behind = self.host.partition_point(|h| h.0 <= address);
        let Some(&(start, size, here)) = behind.checked_sub(1).map(|n| &self.host[n]) else { return address };
        // What is far behind it was not meant to be in it.
        let offset = address - start;
        if offset < size.saturating_add(HOST_SLACK) { here + offset } else { address }
    }
}
