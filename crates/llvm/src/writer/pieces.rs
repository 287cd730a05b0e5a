//! Long blocks in pieces, and blocks that many edges lead to.
//!
//! LLVM selects and schedules instructions block by block, with searches (may this load be folded into that operation,
//! may these two accesses change places) whose cost grows with the square of a block's length: a block of 9000
//! instructions takes ten seconds. So a long one is written in pieces, each of which ends in a branch that is always taken to
//! the next one. A jump would not do, because LLVM joins blocks that nothing else leads to: the branch asks whether a number
//! behind an empty piece of assembly is what it is. That is three instructions for each [`PIECE`] of the block. LLVM also moves
//! what only the next block uses there, a whole chain of operations to its end: so the other way of the branch uses the last
//! values of the piece, too.
//!
//! A phi's values are looked up by predecessor, one after another, for each predecessor: a `switch` of 20000 cases that
//! meet again takes minutes. In functions that LLVM passes over quickly, and only there (it would undo this elsewhere), such edges meet in groups first.

use super::func::FuncGen;
use super::ll::Ipred;
use super::ll::{Bb, Val};
use cranelift_entity::SecondaryMap;
use ir::{Block, Function, Inst, Type, Value};
use smallvec::SmallVec;

/// Most instructions of a block that is written as it is.
const LONG: usize = 2000;
/// Instructions of a piece of a longer one.
const PIECE: usize = 250;
/// Last values of a piece that stay in it, and most instructions that are looked through for them.
const KEPT: usize = 4;
const LOOKED_AT: usize = 32;
/// An address that nothing is written to, since nobody comes there; not null, which would tell LLVM that.
const NO_PLACE: u64 = 64;

/// Edges that meet before they lead to a crowded block.
const GROUP: u32 = 128;

/// Blocks with parameters that many edges lead to.
#[derive(Default)]
pub(super) struct Crowded {
    /// Edges that lead to each; empty where edges do not meet in groups.
    edges: SecondaryMap<Block, u32>,
    /// The group that is being filled, with its phis and the number of its edges.
    group: SecondaryMap<Block, Option<(Bb, Phis, u32)>>,
}

/// The phis of a block.
type Phis = SmallVec<[Val; 4]>;

impl Crowded {
    /// Those of a function, if edges shall meet in groups.
    pub(super) fn new(f: &Function, groups: bool) -> Self {
        let mut crowded = Self::default();
        for b in f.layout.blocks().filter(|_| groups) {
            for s in f.succs(b) {
                crowded.edges[s] += 1;
            }
        }
        crowded
    }
}

/// Counts the instructions of a block's pieces.
pub(super) struct Pieces {
    /// Until the next piece begins; `None` if the block is written as it is.
    left: Option<usize>,
}

impl Pieces {
    pub(super) fn new(f: &Function, b: Block) -> Self {
        let long = f.layout.insts(b).nth(LONG).is_some();
        Self { left: long.then_some(PIECE) }
    }

    /// Whether a new piece begins with an instruction; to be asked for each in turn.
    pub(super) fn ends_before(&mut self, f: &Function, i: Inst) -> bool {
        let Some(left) = &mut self.left else { return false };
        if *left > 0 || f.dfg.op(i).is_terminator() {
            *left = left.saturating_sub(1);
            return false;
        }
        *left = PIECE;
        true
    }
}

impl FuncGen<'_> {
    /// Where an edge to a block with parameters leads, and the phis there.
    pub(super) fn landing(&mut self, to: Block) -> (Bb, Phis) {
        let phis: Phis = self.f.dfg.params(to).iter().filter_map(|&p| self.values[p]).collect();
        if self.crowded.edges[to] <= GROUP {
            return (self.target(to), phis);
        }
        if let Some((bb, phis, n)) = &mut self.crowded.group[to]
            && *n < GROUP
        {
            *n += 1;
            return (*bb, phis.clone());
        }
        let (here, bb) = (self.ll.current(), self.new_block());
        self.ll.at_end(bb);
        let made: Phis = phis.iter().map(|&phi| self.ll.phi(self.ll.type_of(phi))).collect();
        self.ll.jump(self.target(to));
        self.ll.at_end(here);
        for (&phi, &v) in phis.iter().zip(&made) {
            self.ll.add_incoming(phi, v, bb);
        }
        self.crowded.group[to] = Some((bb, made.clone(), 1));
        (bb, made)
    }

    /// Goes on in a new block with an instruction.
    pub(super) fn next_piece(&mut self, first: Inst) {
        let ll = self.ll;
        if !self.cx.target.cuts_blocks() {
            return;
        }
        self.pieces += 1;
        self.freeze_conditions(first);
        let number = ll.iconst(32, 1, self.pieces);
        let hidden = ll.assembly_identity(number);
        let differs = ll.icmp(Ipred::LLVMIntNE, hidden, number);
        let nowhere = self.nowhere.unwrap_or_else(|| {
            let here = ll.current();
            let nowhere = self.new_block();
            ll.at_end(nowhere);
            self.leave();
            ll.at_end(here);
            nowhere
        });
        self.nowhere = Some(nowhere);
        let (beside, next) = (self.new_block(), self.new_block());
        ll.branch_unlikely(differs, beside, next);
        ll.at_end(beside);
        let place = ll.inttoptr(ll.iconst(64, 1, NO_PLACE), ll.ptr(0, 1));
        for (_, v) in self.last_values(first) {
            ll.set_volatile(ll.store(place, v, 1));
        }
        ll.jump(nowhere);
        ll.at_end(next);
    }

    /// The last values before an instruction of its block, with what they are in LLVM.
    fn last_values(&self, before: Inst) -> SmallVec<[(Value, Val); KEPT]> {
        let insts = std::iter::successors(self.f.layout.prev_inst(before), |&i| self.f.layout.prev_inst(i));
        let value = |i| self.f.dfg.result(i).and_then(|v| Some((v, self.values[v]?)));
        insts.take(LOOKED_AT).filter_map(value).take(KEPT).collect()
    }

    /// Conditions are frozen where a piece ends. LLVM looks from each part of a long conjunction at those before it, what one
    /// implies of the other: through all pieces of the block, again and again, for a thousand cases of a `switch` seconds.
    fn freeze_conditions(&mut self, first: Inst) {
        for (v, val) in self.last_values(first) {
            if self.f.dfg.ty(v).scalar() == Type::I1 {
                self.values[v] = Some(self.ll.freeze(val));
            }
        }
    }
}
