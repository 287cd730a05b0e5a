//! Loop-invariant code motion: what is the same in every iteration is computed once, before the loop.
//!
//! Inner loops first, so that code travels out through several. Pure instructions move if their operands are defined
//! outside; dear ones only if every entry into the loop executes them. Loads move if nothing in the loop may write
//! there and they are executed on every entry, or read a variable of known size inside its bounds. A place that the
//! loop only reads and writes itself, once per iteration, is kept in a register and stored once behind the loop
//! ([`promote`]). Convergent operations never move, nor do loads of loops that [keep them](ir::LoopMeta::keeps_loads).
//!
//! What must hold: verified IR. Loops get preheaders. Limits: [`MAX_WRITES`] writing instructions per loop, beyond
//! which no load moves. Cost: linear in instructions times nesting depth, and loads times writes of a loop.

mod addresses;
mod promote;

use crate::PassContext;
use crate::loop_util::with_preheaders;
use analysis::{Alias, AliasQuery, Clobber, Location, Loop, LoopInfo, Place};
use cranelift_entity::PrimaryMap;
use ir::{Block, ConstKind, Flags, Function, Global, GlobalData, Inst, Opcode, Value, ValueDef};

/// Most writing instructions of a loop that are compared with a load.
const MAX_WRITES: usize = 64;

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    run_with(func, cx, false)
}

/// Runs the pass as nvcc for sm_100 and later does before loops are decided. Addresses are computed in the order that
/// lets most of them move ([`addresses`]); loads of a place become a register where its stores have to stay
/// ([`promote`]). A load also stays where the loop writes elsewhere in the same object, unless the address comes from
/// the entry block: LLVM's MemorySSA asks across the back edge about a place of any size, since the address may be
/// another one in another iteration. [`run`] moves it later.
pub fn run_before_decisions(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    run_with(func, cx, true)
}

fn run_with(func: &mut Function, cx: &mut PassContext<'_>, newer: bool) -> bool {
    let mut info = with_preheaders(func, cx);
    if info.loops.is_empty() {
        return false;
    }
    let more_exits = promote::make_room(func, &mut info);
    if more_exits {
        cx.drop_graph();
    }
    let alias = Alias::new(func, &info.cfg);
    let mut licm = Licm { func, info: &info, alias: &alias, globals: &cx.module.globals, newer, changed: more_exits };
    let mut uses = newer.then(|| addresses::uses(licm.func));
    for l in info.loops.inner_first() {
        if let Some(uses) = &mut uses {
            licm.changed |= addresses::run(licm.func, &info, l, uses);
        }
        licm.hoist(l);
        licm.changed |= promote::run(licm.func, &info, &alias, licm.globals, l, newer);
    }
    let changed = licm.changed;
    if changed {
        func.resolve_aliases();
    }
    changed
}

struct Licm<'a> {
    func: &'a mut Function,
    info: &'a LoopInfo,
    alias: &'a Alias,
    globals: &'a PrimaryMap<Global, GlobalData>,
    /// See [`run_before_decisions`].
    newer: bool,
    changed: bool,
}

impl Licm<'_> {
    fn hoist(&mut self, l: Loop) {
        let info = self.info;
        let Some(pre) = info.loops.preheader(self.func, &info.cfg, l) else { return };
        let exiting = info.loops.exiting_blocks(self.func, l);
        let keeps_loads = info.loops.meta(self.func, l).is_some_and(|m| m.keeps_loads);
        let writes = self.writes(l);
        let mut stopped = false;
        for &b in &info.loops.data(l).blocks {
            // Every entry into the loop executes what dominates all exits; a loop without exits may also stop inside.
            let always = b == info.loops.header(l) || !exiting.is_empty() && runs_before_exits(info, &exiting, b);
            let mut next = self.func.layout.first_inst(b);
            while let Some(i) = next {
                next = self.func.layout.next_inst(i);
                let stays = keeps_loads && self.func.dfg.op(i) == Opcode::Load;
                if !stays && self.may_hoist(i, l, always && !stopped, writes.as_deref()) {
                    self.func.layout.remove_inst(i);
                    self.func.layout.insert_inst_before(i, self.func.layout.terminator(pre));
                    self.changed = true;
                } else {
                    stopped |= may_stop(self.func, i);
                }
            }
        }
    }

    /// What the loop may write; none if that is too much.
    fn writes(&self, l: Loop) -> Option<Vec<Clobber>> {
        let q = AliasQuery { alias: self.alias, func: self.func, globals: self.globals };
        let mut out = Vec::new();
        for &b in &self.info.loops.data(l).blocks {
            for i in self.func.layout.insts(b) {
                match q.clobber(i) {
                    Clobber::None => {}
                    c => out.push(c),
                }
            }
            if out.len() > MAX_WRITES {
                return None;
            }
        }
        Some(out)
    }

    fn may_hoist(&self, i: Inst, l: Loop, always: bool, writes: Option<&[Clobber]>) -> bool {
        let data = &self.func.dfg.insts[i];
        let outside = |s: &Self| s.func.dfg.args(i).iter().all(|&v| s.info.loops.defined_outside(s.func, l, v));
        match data.op {
            Opcode::Load => {
                if data.flags.has(Flags::VOLATILE) || !outside(self) {
                    return false;
                }
                let Some(at) = Location::accessed(self.func, i) else { return false };
                let q = AliasQuery { alias: self.alias, func: self.func, globals: self.globals };
                let place = q.place(at);
                let stays = data.flags.has(Flags::INVARIANT)
                    || place.is_invariant()
                    || writes.is_some_and(|w| !self.is_written(&q, w, &place));
                stays && (always || self.is_dereferenceable(at))
            }
            op => {
                let cheap = op.is_cheap() || matches!(op, Opcode::Special);
                data.is_pure() && !data.ty.is_void() && (always || cheap) && outside(self)
            }
        }
    }

    /// Whether one of the loop's writes may be to a place; see [`run_before_decisions`].
    fn is_written(&self, q: &AliasQuery<'_>, writes: &[Clobber], place: &Place) -> bool {
        let anywhere = self.newer && !self.is_in_entry(place.at.ptr);
        writes.iter().any(|c| match c {
            Clobber::Place(w) if anywhere => q.may_share_object(w, place),
            c => q.is_clobbered(c, place),
        })
    }

    /// Whether an address is the same in all of the function: made in the entry block, or a constant distance from a
    /// parameter or a variable.
    fn is_in_entry(&self, ptr: Value) -> bool {
        let outside = |v: Value| match self.func.dfg.def(v) {
            ValueDef::Inst(i) => self.func.layout.inst_block(i).is_none_or(|b| b == self.func.layout.entry()),
            ValueDef::Param(b, _) => b == self.func.layout.entry(),
            ValueDef::Const(_) => true,
            ValueDef::Alias(_) => false,
        };
        let a = analysis::Address::of(self.func, ptr);
        outside(ptr) || a.is_constant() && outside(a.base)
    }

    /// Whether reading there cannot fault: inside a variable of known size, and aligned as the access claims.
    fn is_dereferenceable(&self, at: Location) -> bool {
        let a = analysis::Address::of(self.func, at.ptr);
        let size = match self.func.dfg.as_const(a.base) {
            Some(ConstKind::Global(g)) if !self.globals[g].external => self.globals[g].size,
            Some(ConstKind::Slot(s)) => u64::from(self.func.slots[s].size),
            _ => return false,
        };
        let end = u64::try_from(a.offset).ok().and_then(|o| o.checked_add(at.size?));
        a.is_constant() && end.is_some_and(|e| e <= size)
    }
}

/// Whether control may not come to the next instruction.
pub(crate) fn may_stop(func: &Function, i: Inst) -> bool {
    match func.dfg.op(i) {
        Opcode::Call => !func.dfg.insts[i].is_pure(),
        Opcode::InlineAsm => true,
        Opcode::Intrinsic => {
            let noreturn = ir::Effects::NORETURN;
            func.dfg.insts[i].intrinsic().is_some_and(|x| x.effects().has(noreturn))
        }
        _ => false,
    }
}

/// Whether `b` is executed before the loop is left, whichever exit is taken.
fn runs_before_exits(info: &LoopInfo, exiting: &[Block], b: Block) -> bool {
    exiting.iter().all(|&x| info.dom.dominates(b, x))
}
