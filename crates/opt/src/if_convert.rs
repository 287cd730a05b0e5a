//! If-conversion: small `if`s without side effects become selects.
//!
//! A branch whose sides are short blocks of cheap, pure instructions that meet again at once (a diamond, or a triangle
//! with one side empty) is replaced by both sides in line and a select for each value that the meeting block
//! receives. Loads are executed needlessly only where the same place is accessed before the branch anyway, or where the
//! sides meet, or inside a variable of known size. Stores, calls and convergent operations stay under their condition; assemblers turn
//! short branches around them into predicates.
//!
//! What must hold: verified IR. Limits: [`MAX_COST`] instructions on both sides, [`MAX_SELECTS`] selects,
//! [`MAX_ROUNDS`] rounds for `if`s inside `if`s. Cost: linear per round.

use crate::PassContext;
use analysis::{Address, Cfg};
use cranelift_entity::PrimaryMap;
use ir::edit::replace_by_jump;
use ir::{Block, Builder, ConstKind, Flags, Function, Global, GlobalData, Inst, LoopMd, Opcode, Payload, Type, Value};
use smallvec::SmallVec;
use std::rc::Rc;

/// Most instructions executed that the branch would have skipped.
const MAX_COST: u32 = 4;
/// Most selects made of one branch.
const MAX_SELECTS: usize = 4;
/// Deepest nesting of `if`s converted in one run.
const MAX_ROUNDS: u32 = 4;
/// Most instructions before a branch among which an access to the same place is looked for.
const MAX_LOOKBACK: usize = 64;

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let mut changed = false;
    for n in 0..MAX_ROUNDS {
        let cfg = if n == 0 { cx.cfg(func) } else { Rc::new(Cfg::new(func)) };
        let mut round = false;
        let order: Vec<Block> = cfg.post_order().collect();
        for b in order {
            if func.layout.is_placed(b) {
                let shape = shape(func, &cfg, b);
                if let Some(s) = shape.filter(|s| pays(func, &cx.module.globals, b, s)) {
                    convert(func, b, &s);
                    round = true;
                }
            }
        }
        changed |= round;
        if !round {
            break;
        }
        func.resolve_aliases();
    }
    if !changed {
        cx.keep_graph();
    }
    changed
}

/// A branch whose ways meet in `meet`: the sides that have a block of their own, and what each passes on.
struct Shape {
    sides: [Option<Block>; 2],
    meet: Block,
    args: [SmallVec<[Value; 4]>; 2],
    md: Option<LoopMd>,
}

fn shape(func: &Function, cfg: &Cfg, b: Block) -> Option<Shape> {
    let t = func.layout.last_inst(b)?;
    if func.dfg.op(t) != Opcode::Br {
        return None;
    }
    let mut md = func.dfg.insts[t].loop_md();
    let mut side = |n: usize| {
        let s = func.dfg.successor(t, n);
        let own = cfg.single_pred(s).is_some() && s != b;
        let end = func.layout.last_inst(s)?;
        if own && func.dfg.op(end) == Opcode::Jump && func.dfg.params(s).is_empty() {
            let to = func.dfg.successor(end, 0);
            if to != s {
                md = md.or(func.dfg.insts[end].loop_md());
                return Some((Some(s), to, SmallVec::from_slice(func.dfg.branch_args(end, 0))));
            }
        }
        Some((None, s, SmallVec::from_slice(func.dfg.branch_args(t, n))))
    };
    let (yes, no) = (side(0)?, side(1)?);
    let meets = yes.1 == no.1 && yes.1 != b && Some(yes.1) != yes.0 && Some(no.1) != no.0;
    meets.then_some(Shape { sides: [yes.0, no.0], meet: yes.1, args: [yes.2, no.2], md })
}

fn pays(func: &Function, globals: &PrimaryMap<Global, GlobalData>, b: Block, s: &Shape) -> bool {
    let selects = s.args[0].iter().zip(&s.args[1]).filter(|(x, y)| x != y).count();
    if selects > MAX_SELECTS {
        return false;
    }
    let mut cost = 0;
    for side in s.sides.into_iter().flatten() {
        for i in func.layout.insts(side) {
            if func.dfg.op(i).is_terminator() {
                break;
            }
            if is_repeated(func, s.meet, i) {
                continue;
            }
            if !may_speculate(func, globals, b, i) {
                return false;
            }
            cost += price(func, i);
            if cost > MAX_COST {
                return false;
            }
        }
    }
    true
}

/// What executing an instruction costs. Casts that vanish, lanes and constant offsets are free.
pub(crate) fn price(func: &Function, i: Inst) -> u32 {
    let data = &func.dfg.insts[i];
    match data.op {
        Opcode::Bitcast | Opcode::AddrSpaceCast | Opcode::PtrToInt | Opcode::IntToPtr => 0,
        Opcode::VecBuild | Opcode::Extract | Opcode::Insert => 0,
        Opcode::PtrAdd if func.dfg.as_bits(func.dfg.arg(i, 1)).is_some() => 0,
        Opcode::Trunc if data.ty == Type::I32 => 0,
        _ => u32::from(data.ty.lanes().max(1)),
    }
}

/// Whether an instruction may be executed needlessly at the end of `b`.
pub(crate) fn may_speculate(func: &Function, globals: &PrimaryMap<Global, GlobalData>, b: Block, i: Inst) -> bool {
    let data = &func.dfg.insts[i];
    match data.op {
        Opcode::Load => !data.flags.has(Flags::VOLATILE) && is_readable(func, globals, b, i),
        Opcode::Special => data.is_pure(),
        op => op.is_cheap() && !data.ty.is_void(),
    }
}

/// Whether the load cannot fault where `b` ends.
fn is_readable(func: &Function, globals: &PrimaryMap<Global, GlobalData>, b: Block, load: Inst) -> bool {
    let a = Address::of(func, func.dfg.arg(load, 0));
    let size = i64::from(func.dfg.insts[load].ty.bytes());
    let limit = match func.dfg.as_const(a.base) {
        Some(ConstKind::Global(g)) if !globals[g].external => Some(globals[g].size),
        Some(ConstKind::Slot(s)) => Some(u64::from(func.slots[s].size)),
        _ => None,
    };
    if let Some(limit) = limit
        && a.is_constant()
        && a.offset >= 0
        && a.offset.checked_add(size).is_some_and(|end| end as u64 <= limit)
    {
        return true;
    }
    func.layout.insts_rev(b).take(MAX_LOOKBACK).any(|i| touches(func, i, load, &a))
}

/// Whether what a load of a side reads is accessed where the sides meet, too, whatever happens: reading it before the branch
/// is no access more, and one less if the two become one.
fn is_repeated(func: &Function, meet: Block, load: Inst) -> bool {
    if func.dfg.op(load) != Opcode::Load || func.dfg.insts[load].flags.has(Flags::VOLATILE) {
        return false;
    }
    let a = Address::of(func, func.dfg.arg(load, 0));
    // A call may not come back, and at a barrier others may do what makes the place readable.
    let goes_on = |&i: &Inst| matches!(func.dfg.op(i), Opcode::Load | Opcode::Store) || func.dfg.insts[i].is_pure();
    func.layout.insts(meet).take(MAX_LOOKBACK).take_while(goes_on).any(|i| touches(func, i, load, &a))
}

/// Whether `i` is an access to the place that `load` reads at `a`, or to one around it, that shows that it can be read.
fn touches(func: &Function, i: Inst, load: Inst, a: &Address) -> bool {
    let ty = match func.dfg.op(i) {
        Opcode::Load => func.dfg.insts[i].ty,
        Opcode::Store => func.dfg.ty(func.dfg.arg(i, 1)),
        _ => return false,
    };
    let size = i64::from(func.dfg.insts[load].ty.bytes());
    let claims = |i: Inst| func.dfg.insts[i].mem().map_or(0, |m| m.align_log2);
    let d = a.minus(&Address::of(func, func.dfg.arg(i, 0)));
    let inside = d.is_some_and(|d| d >= 0 && d.checked_add(size).is_some_and(|end| end <= i64::from(ty.bytes())));
    inside && (d == Some(0) && claims(i) >= claims(load) || size == 1)
}

fn convert(func: &mut Function, b: Block, s: &Shape) {
    let br = func.layout.terminator(b);
    let cond = func.dfg.arg(br, 0);
    for side in s.sides.into_iter().flatten() {
        while let Some(i) = func.layout.first_inst(side) {
            func.layout.remove_inst(i);
            if !func.dfg.op(i).is_terminator() {
                func.layout.insert_inst_before(i, br);
                // Executed needlessly, it may break promises; then nobody uses the result.
            }
        }
        func.layout.remove_block(side);
    }
    let mut args: SmallVec<[Value; 4]> = SmallVec::new();
    for (&x, &y) in s.args[0].iter().zip(&s.args[1]) {
        if x == y {
            args.push(x);
            continue;
        }
        let ty = func.dfg.ty(x);
        args.push(Builder::before(func, br).value(Opcode::Select, ty, Flags::NONE, &[cond, x, y], Payload::None));
    }
    replace_by_jump(func, br, s.meet, &args, s.md);
}
