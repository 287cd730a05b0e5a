//! Private arrays that a loop accesses in turn: after how many copies of it their places are constants.
//!
//! `l[i & 3]` is one of four places in each of four copies of a loop that counts by one from a constant, so nothing is
//! left of the array's address in a loop unrolled by four: the array is no reason any more to unroll it further
//! (measured: the late invocation does not multiply its thresholds then).
//!
//! What must hold: a rotated loop. Limits: `l[i & mask]` with a mask of low bits and a counter with a constant start and
//! step; anything else varies. Cost: linear in the accesses, times the length of their addresses.

use analysis::{Loop, Node, Scev};
use ir::{AddrSpace, Block, ConstKind, Function, Opcode, Value, ValueDef};

/// Longest chain of address computations that is followed.
const MAX_CHAIN: usize = 16;

/// The smallest number of copies in which every access to a private array in `blocks` has a constant place; 0 if there
/// is none.
pub(crate) fn period(func: &Function, scev: &mut Scev<'_>, l: Loop, blocks: &[Block]) -> u32 {
    let mut all = 1;
    for i in blocks.iter().flat_map(|&b| func.layout.insts(b)) {
        if !matches!(func.dfg.op(i), Opcode::Load | Opcode::Store | Opcode::AtomicRmw | Opcode::AtomicCas) {
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
