//! Private arrays that a loop accesses: how many elements its accesses choose from, and after how many copies of it
//! their places are constants.
//!
//! An access chooses in the dimensions whose index is no constant (measured: `a[i][2]` of `a[7][5]` counts 7, `a[2][i]`
//! counts 5, `a[i][m]` 35, `a[2][1]` nothing), and only if it varies in the loop. So an array that an unrolled loop
//! inside addresses by constants is no reason to unroll the loop around it.
//!
//! `l[i & 3]` is one of four places in each of four copies of a loop that counts by one from a constant, so nothing is
//! left of the array's address in a loop unrolled by four: the array is no reason any more to unroll it further
//! (measured: the late invocation does not multiply its thresholds then).
//!
//! What must hold: a rotated loop. Limits: `l[i & mask]` with a mask of low bits and a counter with a constant start and
//! step; anything else varies. Cost: linear in the accesses, times the length of their addresses.

use analysis::address::{Address, Term};
use analysis::{Loop, LoopInfo, Node, Scev};
use ir::{AddrSpace, Block, ConstKind, Function, Opcode, SlotData, Value, ValueDef};

/// Longest chain of address computations that is followed.
const MAX_CHAIN: usize = 16;

/// Most elements of private arrays that one access in `blocks`, those of loop `l`, chooses from; 0 if none does.
/// Dimensions of unknown extent count `assumed`.
pub(crate) fn elements(func: &Function, info: &LoopInfo, l: Loop, blocks: &[Block], assumed: u32) -> u32 {
    let accesses = blocks.iter().flat_map(|&b| func.layout.insts(b)).filter(|&i| is_access(func.dfg.op(i)));
    let own = accesses.map(|i| chosen_from(func, info, l, func.dfg.arg(i, 0), assumed)).max().unwrap_or(0);
    own.max(library_elements(func, blocks))
}

/// The same of arrays that functions of nvcc's library have and ours do without: they stand where such a function was called,
/// and what they are addressed by comes from its argument.
fn library_elements(func: &Function, blocks: &[Block]) -> u32 {
    let insts = blocks.iter().flat_map(|&b| func.layout.insts(b));
    insts.map(|i| u32::from(func.dfg.elements(i))).max().unwrap_or(0)
}

fn is_access(op: Opcode) -> bool {
    matches!(op, Opcode::Load | Opcode::Store | Opcode::AtomicRmw | Opcode::AtomicCas)
}

fn chosen_from(func: &Function, info: &LoopInfo, l: Loop, ptr: Value, assumed: u32) -> u32 {
    if !is_private(func, ptr) {
        return 0;
    }
    let a = Address::across_spaces(func, ptr);
    let ValueDef::Const(ConstKind::Slot(s)) = func.dfg.def(a.base) else { return 0 };
    if !a.terms.iter().any(|t| !info.loops.defined_outside(func, l, t.value)) {
        return 0;
    }
    extent_of(&func.slots[s], &a.terms, assumed)
}

/// The product of the dimensions of a slot that `terms` step through; 0 if it is no array.
fn extent_of(slot: &SlotData, terms: &[Term], assumed: u32) -> u32 {
    let mut inner = slot.size;
    let mut chosen = u32::from(!slot.dims.is_empty());
    // A term steps through the outermost dimension whose elements are no larger than its factor, else the innermost.
    let mut above = u64::MAX;
    for (n, &dim) in slot.dims.iter().enumerate() {
        let dim = if dim == 0 { assumed } else { dim };
        inner /= dim.max(1);
        let least = if n + 1 == slot.dims.len() { 0 } else { u64::from(inner) };
        if terms.iter().any(|t| (least..above).contains(&t.coef.unsigned_abs())) {
            chosen = chosen.saturating_mul(dim);
        }
        above = least;
    }
    chosen
}

/// The smallest number of copies in which every access to a private array in `blocks` has a constant place; 0 if there
/// is none.
pub(crate) fn period(func: &Function, scev: &mut Scev<'_>, l: Loop, blocks: &[Block]) -> u32 {
    if library_elements(func, blocks) > 0 {
        return 0;
    }
    let mut all = 1;
    for i in blocks.iter().flat_map(|&b| func.layout.insts(b)) {
        if !is_access(func.dfg.op(i)) {
            continue;
        }
        match place_period(func, scev, l, func.dfg.arg(i, 0)) {
            // Powers of two: the largest is a multiple of all.
            Some(n) => all = all.max(n),
            None => return 0,
        }
    }
    all
}

/// The period of one address; 1 for what is not private, `None` for what does not repeat.
fn place_period(func: &Function, scev: &mut Scev<'_>, l: Loop, mut at: Value) -> Option<u32> {
    let mut period = 1;
    for _ in 0..MAX_CHAIN {
        match func.dfg.def(at) {
            ValueDef::Const(ConstKind::Slot(_)) => return Some(period),
            ValueDef::Inst(i) if matches!(func.dfg.op(i), Opcode::PtrAdd | Opcode::AddrSpaceCast) => {
                if func.dfg.op(i) == Opcode::PtrAdd && func.dfg.as_bits(func.dfg.arg(i, 1)).is_none() {
                    // Outside of private memory the period does not matter, but the chain's root is not known yet.
                    match index_period(func, scev, l, func.dfg.arg(i, 1)) {
                        Some(n) => period = period.max(n),
                        None => return if is_private(func, at) { None } else { Some(1) },
                    }
                }
                at = func.dfg.arg(i, 0);
            }
            _ => return if is_private(func, at) { None } else { Some(1) },
        }
    }
    None
}

/// Generic pointers may be private.
fn is_private(func: &Function, v: Value) -> bool {
    matches!(func.dfg.ty(v).space(), Some(AddrSpace::Private | AddrSpace::Generic))
}

/// The period of an index or an offset made of one.
fn index_period(func: &Function, scev: &mut Scev<'_>, l: Loop, mut v: Value) -> Option<u32> {
    for _ in 0..MAX_CHAIN {
        let i = func.dfg.def_inst(v)?;
        match func.dfg.op(i) {
            Opcode::SExt | Opcode::ZExt => {}
            Opcode::Mul | Opcode::Shl if func.dfg.as_bits(func.dfg.arg(i, 1)).is_some() => {}
            Opcode::And => {
                let values = func.dfg.as_bits(func.dfg.arg(i, 1))?.checked_add(1)?;
                let counter = scev.expr(func.dfg.arg(i, 0));
                let Node::AddRec { start, step, l: of, .. } = scev.exprs.node(counter) else { return None };
                let constant = of == l && [start, step].into_iter().all(|e| scev.exprs.as_const(e).is_some());
                return u32::try_from(values).ok().filter(|n| constant && n.is_power_of_two());
            }
            _ => return None,
        }
        v = func.dfg.arg(i, 0);
    }
    None
}
