//! Functions as [`super`] runs them.

use super::ops::{self, Pure};
use crate::decode::{Code, Data, Op, Shadow};
use ir::{AddrSpace, Flags, Intrinsic, Opcode, SpecialReg};
use std::ops::Range;

/// What a step does.
#[derive(Clone, Copy)]
pub(super) enum Do {
    /// Computes with registers alone.
    Pure(Pure),
    /// The same, lane by lane as the interpreter does: which of [`Function::scalars`].
    Scalar(u32),
    /// An operation of the target's.
    Target(Intrinsic),
    /// Copies registers: which of [`Function::moves`].
    Moves(u32, u32),
    PtrAdd,
    Special(SpecialReg),
    Load,
    Store,
    MemCpy,
    MemSet,
    Jump(u32),
    Br(u32, u32),
    Switch(u32),
    Call(u32),
    Return,
    Barrier,
    CheckFences,
    CheckIndex,
    Assume,
    Nothing,
    /// What is not done here.
    Other,
}

/// An operation.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) what: Do,
    /// The operation as the interpreter has it.
    pub(super) op: Op,
    /// Its number there.
    pub(super) at: u32,
    /// Some operand may be undefined.
    pub(super) tracked: bool,
}

/// An operation that is done by [`crate::lanes::eval`] on registers of its own.
pub(super) struct Scalar {
    pub(super) op: Op,
    /// Where its operands come from, in the order of those registers.
    pub(super) from: Vec<u32>,
}

/// A function.
pub(super) struct Function {
    pub(super) steps: Vec<Step>,
    /// Operations that depend on nothing but where the work-item is and what the kernel is given: done at its beginning.
    pub(super) first: Vec<Step>,
    /// Where the operations that the interpreter's branches name are.
    pub(super) starts: Vec<u32>,
    pub(super) scalars: Vec<Scalar>,
    /// Code with the lists of `scalars`.
    pub(super) scalar_code: Code,
    pub(super) moves: Vec<(u32, u32)>,
    /// Registers that may hold something undefined.
    pub(super) tracked: Vec<bool>,
    /// Whether there are any.
    pub(super) tracks: bool,
}

/// Whether nothing in a function and those that it calls needs an order of work-items, or what is not done here.
pub(super) fn may_run(code: &[Code], func: u32) -> Option<Vec<bool>> {
    let mut seen = vec![false; code.len()];
    let mut open = vec![func];
    while let Some(f) = open.pop() {
        let c = code.get(f as usize)?;
        if std::mem::replace(&mut seen[f as usize], true) {
            continue;
        }
        for op in &c.ops {
            let volatile = op.flags.has(Flags::VOLATILE) && op.spaces[0] != AddrSpace::Private;
            match op.data {
                Data::Mem { .. } if volatile => return None,
                Data::Atomic(_) | Data::Malloc | Data::Free | Data::Unsupported => return None,
                Data::Special(SpecialReg::Clock | SpecialReg::Clock64 | SpecialReg::GlobalTimer) => return None,
                Data::Special(SpecialReg::DynamicSharedSize) => return None,
                Data::Intrinsic(i) if intrinsic(i, op).is_none() => return None,
                // What is done at its beginning would be done by a launch only.
                Data::Call(callee) if callee == func => return None,
                Data::Call(callee) => open.push(callee),
                _ if op.op == Opcode::AtomicCas => return None,
                _ => {}
            }
        }
    }
    Some(seen)
}

/// Whether barriers of these functions leave accesses to global memory, to work-group memory unordered, so that a history of
/// one phase is not enough; `None`: there are fences, too, which may order them.
pub(super) fn unordered(code: &[Code], used: &[bool]) -> Option<[bool; 2]> {
    let mut partial = [false; 2];
    let mut fences = false;
    for c in code.iter().zip(used).filter(|(_, used)| **used).map(|(c, _)| c) {
        fences |= c.ops.iter().any(|op| op.op == Opcode::Fence);
        let fixed = fixed(c);
        let says = |op: &&Op| matches!(op.data, Data::Intrinsic(Intrinsic::CheckFences));
        for r in c.ops.iter().filter(says).map(|op| op.args[0] as usize) {
            let param = c.params.iter().any(|&(p, _)| p as usize == r);
            let flags = if fixed[r] && !param { c.regs[r] } else { 0 };
            partial[0] |= flags & crate::checks::GLOBAL_FENCE == 0;
            partial[1] |= flags & crate::checks::LOCAL_FENCE == 0;
        }
    }
    (!fences || partial == [false; 2]).then_some(partial)
}

/// How an intrinsic is done; `None`: it is not, and where it is there is nothing to be gained.
fn intrinsic(i: Intrinsic, op: &Op) -> Option<Do> {
    use Intrinsic::*;
    Some(match i {
        Barrier if op.bits == 0 => Do::Barrier,
        CheckFences => Do::CheckFences,
        CheckIndex => Do::CheckIndex,
        Brkpt | Nanosleep | PrefetchL1 | PrefetchL2 | AsyncWaitAll => Do::Nothing,
        Trap | Exit | IsGlobal | IsShared | IsConst | IsLocal | IsCluster | IsParam => Do::Other,
        VPrintf | Yield => return None,
        _ if i.is_check() || i.is_matrix() || i.effects().has(ir::Effects::CONVERGENT) => return None,
        _ => Do::Target(i),
    })
}

impl Function {
    /// Makes a function ready; the kernel has what can be done at its beginning there, operations `late` aside.
    pub(super) fn new(code: &Code, is_kernel: bool, late: &[u32]) -> Self {
        let mut f = Self {
            steps: Vec::with_capacity(code.ops.len()),
            first: Vec::new(),
            starts: Vec::with_capacity(code.ops.len() + 1),
            scalars: Vec::new(),
            scalar_code: Code::of_lists(code.shuffles.clone()),
            moves: Vec::new(),
            tracked: tracked(code),
            tracks: false,
        };
        f.tracks = f.tracked.contains(&true);
        let mut fixed = if is_kernel { fixed(code) } else { Vec::new() };
        for (at, op) in (0..).zip(&code.ops) {
            f.starts.push(f.steps.len() as u32);
            let tracked = operands(code, op).any(|r| f.tracked[r as usize]);
            let step = Step { what: f.what(code, op, tracked), op: *op, at, tracked };
            let divides = matches!(op.op, Opcode::SDiv | Opcode::UDiv | Opcode::SRem | Opcode::URem);
            let early = is_kernel && !tracked && !divides && may_come_early(&step.what) && !late.contains(&at);
            if early && operands(code, op).all(|r| fixed[r as usize]) {
                let dst = op.dst as usize;
                fixed[dst..dst + usize::from(op.lanes)].fill(true);
                f.first.push(step);
            } else {
                f.steps.push(step);
            }
        }
        f.starts.push(f.steps.len() as u32);
        f
    }

    fn what(&mut self, code: &Code, op: &Op, tracked: bool) -> Do {
        match op.data {
            Data::Jump(t) => Do::Jump(t),
            Data::Br(yes, no) => Do::Br(yes, no),
            Data::Switch(t) => Do::Switch(t),
            Data::Call(callee) => Do::Call(callee),
            Data::Special(s) => Do::Special(s),
            Data::Intrinsic(i) => intrinsic(i, op).unwrap_or(Do::Other),
            Data::Mem { .. } => match op.op {
                Opcode::Load => Do::Load,
                Opcode::Store => Do::Store,
                Opcode::MemCpy => Do::MemCpy,
                Opcode::MemSet => Do::MemSet,
                _ => Do::Other,
            },
            Data::Atomic(_) | Data::Malloc | Data::Free | Data::Unsupported => Do::Other,
            _ => match op.op {
                Opcode::Return => Do::Return,
                Opcode::PtrAdd => Do::PtrAdd,
                Opcode::Unreachable => Do::Other,
                // What it orders is taken for unordered here.
                Opcode::Fence => Do::Nothing,
                Opcode::Assume => Do::Assume,
                Opcode::Provable => Do::Other,
                _ => self.registers(code, op, tracked),
            },
        }
    }

    /// What has neither memory nor control flow in it.
    fn registers(&mut self, code: &Code, op: &Op, tracked: bool) -> Do {
        if let Some(moves) = copies(code, op) {
            let first = self.moves.len() as u32;
            self.moves.extend(moves);
            return Do::Moves(first, self.moves.len() as u32);
        }
        if let Some(pure) = ops::pure(op).filter(|_| !tracked) {
            return Do::Pure(pure);
        }
        let mut own = *op;
        let mut from = Vec::new();
        let first = self.scalar_code.lists.len() as u32;
        for (n, at) in (op.list.0..op.list.1).enumerate() {
            let start = from.len() as u32;
            self.scalar_code.lists.push(start);
            if let Some(arg) = own.args.get_mut(n) {
                *arg = start;
            }
            let (r, width) = (code.lists[at as usize], u32::from(code.widths[at as usize]));
            from.extend(r..r + width);
        }
        own.list = (first, self.scalar_code.lists.len() as u32);
        own.dst = from.len() as u32;
        self.scalars.push(Scalar { op: own, from });
        Do::Scalar(self.scalars.len() as u32 - 1)
    }
}

/// The registers that an operation reads, branches' arguments aside.
fn operands<'a>(code: &'a Code, op: &Op) -> impl Iterator<Item = u32> + 'a {
    let range: Range<usize> = op.list.0 as usize..op.list.1 as usize;
    let pairs = code.lists[range.clone()].iter().zip(&code.widths[range]);
    { pairs }.flat_map(|(&r, &width)| r..r + u32::from(width.max(1)))
}

fn may_come_early(what: &Do) -> bool {
    matches!(what, Do::Pure(_) | Do::Scalar(_) | Do::Target(_) | Do::Moves(..) | Do::PtrAdd | Do::Special(_))
}

/// Registers that hold the same from the beginning of a kernel to its end: constants and parameters.
fn fixed(code: &Code) -> Vec<bool> {
    let mut fixed = vec![true; code.regs.len()];
    for &(_, to) in &code.moves {
        fixed[to as usize] = false;
    }
    for op in &code.ops {
        let gives = usize::from(op.lanes);
        if op.dst != 0 || gives != 0 {
            let dst = op.dst as usize;
            let has_result = !matches!(op.op, Opcode::Store | Opcode::MemCpy | Opcode::MemSet)
                && !matches!(op.data, Data::Jump(_) | Data::Br(..) | Data::Switch(_));
            if has_result && op.bits > 0 {
                fixed[dst..dst + gives.max(1)].fill(false);
            }
        }
    }
    fixed
}

/// Registers that may hold something that is not defined though no load, call or operation says so.
fn tracked(code: &Code) -> Vec<bool> {
    let mut tracked: Vec<bool> = code.shadow.iter().map(|&s: &Shadow| s != 0).collect();
    if !tracked.contains(&true) {
        return tracked;
    }
    loop {
        let before = tracked.iter().filter(|t| **t).count();
        for &(from, to) in &code.moves {
            tracked[to as usize] |= tracked[from as usize];
        }
        for op in &code.ops {
            let spreads = !matches!(op.data, Data::Mem { .. } | Data::Call(_) | Data::Intrinsic(_))
                && !matches!(op.op, Opcode::PtrAdd | Opcode::Return | Opcode::Assume)
                && op.bits > 0;
            if spreads && operands(code, op).any(|r| tracked[r as usize]) {
                let dst = op.dst as usize;
                tracked[dst..dst + usize::from(op.lanes)].fill(true);
            }
        }
        if tracked.iter().filter(|t| **t).count() == before {
            return tracked;
        }
    }
}

/// An operation as copies of registers, if that is what it is.
fn copies(code: &Code, op: &Op) -> Option<Vec<(u32, u32)>> {
    let [a, b, _] = op.args;
    let all = |from: &dyn Fn(u32) -> u32| Some((0..u32::from(op.lanes)).map(|l| (from(l), op.dst + l)).collect());
    match (op.op, op.data) {
        (Opcode::Bitcast, _) if op.from_lanes == op.lanes => all(&|l| a + l),
        (Opcode::AddrSpaceCast | Opcode::PtrToInt, _) => all(&|l| a + l),
        (Opcode::VecBuild, _) => all(&|l| code.lists[(op.list.0 + l) as usize]),
        (Opcode::Splat, _) => all(&|_| a),
        (Opcode::Extract, Data::Lane(l)) => Some(vec![(a + u32::from(l), op.dst)]),
        (Opcode::Insert, Data::Lane(lane)) => all(&|l| if l == u32::from(lane) { b } else { a + l }),
        (Opcode::Shuffle, Data::Shuffle(n)) => {
            let mask = &code.shuffles[n as usize][..usize::from(op.lanes)];
            if mask.contains(&ir::UNDEF_LANE) {
                return None;
            }
            let width = op.from_lanes;
            all(&|l| match mask[l as usize] {
                lane if lane < width => a + u32::from(lane),
                lane => b + u32::from(lane - width),
            })
        }
        _ => None,
    }
}
