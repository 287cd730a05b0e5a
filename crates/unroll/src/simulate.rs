//! Prices a full unroll by walking through the iterations with constants.
//!
//! Each iteration is executed as far as constants reach: the induction variable is one, so are comparisons with it,
//! addresses into constant arrays and what is loaded from them. What folds costs nothing; of the rest only what an
//! effect, an undecided branch or a value used after the loop needs. The rolled cost counts every instruction executed.
//!
//! What must hold: an innermost loop. Limits: the caller's number of iterations; [`MAX_STEPS`] instructions in all.
//! Cost: instructions times iterations.

use crate::cost::{Users, inst_cost, is_apart, is_member};
use crate::facts::SimulatedCost;
use analysis::fold::fold_inst;
use cranelift_entity::SecondaryMap;
use ir::{Block, ConstKind, Flags, Function, GlobalInit, Inst, Module, Opcode, Value};

/// Instructions executed at most; larger simulations answer nothing.
pub const MAX_STEPS: usize = 20_000;

/// What the values of a loop are in one iteration. One table serves the simulations of a function in turn.
#[derive(Default)]
pub struct KnownValues(SecondaryMap<Value, Known>);

/// What a value is in one iteration.
#[derive(Clone, Copy, Default)]
enum Known {
    /// A constant.
    Const(ConstKind),
    /// A constant address: a variable plus an offset, and the step that computes it, if one does.
    Address(ConstKind, i64, Option<u32>),
    /// What an instruction computed in this walk: its number among those executed.
    Step(u32),
    /// Something from outside the loop, free to use.
    #[default]
    Outside,
}

impl Known {
    /// The step that must be done for it.
    fn step(self) -> Option<u32> {
        match self {
            Self::Step(s) => Some(s),
            Self::Address(_, _, step) => step,
            Self::Const(_) | Self::Outside => None,
        }
    }
}

impl KnownValues {
    /// Forgets the values that blocks define.
    fn forget(&mut self, func: &Function, blocks: &[Block]) {
        for &b in blocks {
            let results = func.layout.insts(b).filter_map(|i| func.dfg.result(i));
            for v in func.dfg.params(b).iter().copied().chain(results) {
                self.0[v] = Known::Outside;
            }
        }
    }
}

struct Executed {
    cost: u32,
    /// Where its operands begin among all operands; they end where the next step's begin.
    operands: u32,
    counted: bool,
}

/// The loop to walk through.
pub struct Subject<'a> {
    /// The function.
    pub func: &'a Function,
    /// The module, for constant arrays.
    pub module: &'a Module,
    /// The loop's blocks in reverse post-order, the header first.
    pub blocks: &'a [Block],
    /// The values of the header's parameters on entry.
    pub entry: &'a [Value],
    /// Address computations of the loop.
    pub users: &'a Users,
    /// Values of the loop that are used after it other than through a branch's arguments.
    pub live_out: &'a [Value],
    /// Addresses whose offset is known cost nothing, as for sm_100 and later.
    pub free_addresses: bool,
}

struct Walk<'a> {
    s: &'a Subject<'a>,
    known: &'a mut SecondaryMap<Value, Known>,
    /// What each instruction of the loop costs, in the order of the blocks: it does so in every iteration.
    costs: Vec<u32>,
    steps: Vec<Executed>,
    /// The steps that each step uses.
    operands: Vec<u32>,
    /// Steps whose operands are to be counted.
    todo: Vec<u32>,
    rolled: u32,
    unrolled: u32,
}

/// Cost of `iterations` iterations, or `None` where it cannot be told.
pub fn simulate(
    s: &Subject<'_>,
    known: &mut KnownValues,
    iterations: u32,
    preds: &dyn Fn(Block) -> usize,
) -> Option<SimulatedCost> {
    if known.0.capacity() == 0 {
        known.0 = ir::side_table(s.func.dfg.values.len());
    }
    let cost = walk(s, &mut known.0, iterations, preds);
    known.forget(s.func, s.blocks);
    cost
}

fn walk(
    s: &Subject<'_>,
    known: &mut SecondaryMap<Value, Known>,
    iterations: u32,
    preds: &dyn Fn(Block) -> usize,
) -> Option<SimulatedCost> {
    let insts = s.blocks.iter().flat_map(|&b| s.func.layout.insts(b));
    let costs: Vec<u32> = insts.map(|i| inst_cost(s.func, s.users, i, preds)).collect();
    let expected = costs.len().saturating_mul(iterations as usize).min(MAX_STEPS);
    let mut w = Walk {
        s,
        known,
        costs,
        steps: Vec::with_capacity(expected),
        operands: Vec::with_capacity(2 * expected),
        todo: Vec::new(),
        rolled: 0,
        unrolled: 0,
    };
    let header = *s.blocks.first()?;
    let params = s.func.dfg.params(header);
    if params.len() != s.entry.len() {
        return None;
    }
    let mut incoming: Vec<Known> = s.entry.iter().map(|&v| w.lookup(v)).collect();
    for n in 0..iterations {
        for (&p, &k) in params.iter().zip(&incoming) {
            w.known[p] = k;
        }
        incoming = w.iteration(n + 1 == iterations)?;
    }
    // Where the loop would go on, later iterations need what this one hands over.
    incoming.extend(s.live_out.iter().map(|&v| w.lookup(v)));
    for k in incoming {
        if let Some(s) = k.step() {
            w.count(s);
        }
    }
    (w.rolled != w.unrolled).then_some(SimulatedCost { iterations, rolled: w.rolled, unrolled: w.unrolled })
}

impl Walk<'_> {
    fn lookup(&self, v: Value) -> Known {
        if let Some(c) = self.s.func.dfg.as_const(v) {
            return match c {
                ConstKind::Global(_) | ConstKind::Slot(_) => Known::Address(c, 0, None),
                _ => Known::Const(c),
            };
        }
        self.known[v]
    }

    /// Executes one iteration; gives the header's parameters of the next one.
    fn iteration(&mut self, last: bool) -> Option<Vec<Known>> {
        let func = self.s.func;
        let mut live = vec![false; self.s.blocks.len()];
        live[0] = true;
        let mut next = None;
        let mut at = 0;
        for n in 0..self.s.blocks.len() {
            let insts = func.layout.insts(self.s.blocks[n]);
            if !live[n] {
                at += insts.count();
                continue;
            }
            for i in insts {
                let cost = self.costs[at];
                at += 1;
                self.rolled = self.rolled.checked_add(cost)?;
                if func.dfg.op(i).is_terminator() {
                    self.terminator(i, cost, &mut live, &mut next)?;
                } else {
                    self.instruction(i, cost)?;
                }
            }
        }
        // The last iteration may have no way back.
        next.or_else(|| last.then(Vec::new))
    }

    fn instruction(&mut self, i: Inst, cost: u32) -> Option<()> {
        let func = self.s.func;
        if self.steps.len() >= MAX_STEPS || func.dfg.op(i) == Opcode::Call {
            return None;
        }
        let data = &func.dfg.insts[i];
        let folded = if data.has_side_effects() { None } else { self.fold(i) };
        match (folded, func.dfg.result(i)) {
            (Some(k @ Known::Const(_)), Some(v)) => {
                self.known[v] = k;
            }
            (folded, result) => {
                let cost = if self.is_identity(i) { 0 } else { self.address_cost(i, cost) };
                let step = self.record(i, cost);
                if data.has_side_effects() || data.is_convergent() {
                    self.count(step);
                }
                if let Some(v) = result {
                    // An address with a known offset still costs its computation, but leads to constants.
                    let known = match folded {
                        Some(Known::Address(base, at, _)) => Known::Address(base, at, Some(step)),
                        _ => Known::Step(step),
                    };
                    self.known[v] = known;
                }
            }
        }
        Some(())
    }

    /// What is left of the cost of an address once offsets are known: the sum with a constant that was part of an index is
    /// gone, and one address is left where there are several.
    fn address_cost(&self, i: Inst, cost: u32) -> u32 {
        let dfg = &self.s.func.dfg;
        let known = |v| matches!(self.lookup(v), Known::Const(_));
        if dfg.op(i) != Opcode::PtrAdd || !known(dfg.arg(i, 1)) {
            return cost;
        }
        // The sum with what stands before the loop is gone where nothing is added.
        let nothing = matches!(self.lookup(dfg.arg(i, 1)), Known::Const(ConstKind::Bits(0)));
        let cost = if nothing && cost > 1 && !self.s.free_addresses { cost - 1 } else { cost };
        let below = dfg.def_op(dfg.arg(i, 0), Opcode::PtrAdd).map(|b| dfg.arg(b, 1));
        let index_below = below.filter(|&v| dfg.as_const(v).is_none());
        match index_below {
            Some(v) if !known(v) => cost,
            // A variable and an offset are no address of one instruction.
            _ if self.s.free_addresses
                && !matches!(self.lookup(dfg.arg(i, 0)), Known::Address(ConstKind::Global(_), ..)) =>
            {
                0
            }
            Some(_) if dfg.as_const(dfg.arg(i, 1)).is_some() && !is_member(self.s.func, i) => u32::from(cost > 1),
            _ => cost,
        }
    }

    /// Whether an operation with a known number is the other operand: `x + 0`, `x * 1`. It is gone.
    fn is_identity(&self, i: Inst) -> bool {
        use Opcode::*;
        let dfg = &self.s.func.dfg;
        let (neutral, both) = match dfg.op(i) {
            Add | Or | Xor => (0, true),
            Mul => (1, true),
            Sub | Shl | LShr | AShr => (0, false),
            SDiv | UDiv => (1, false),
            _ => return false,
        };
        let is = |n: usize| matches!(self.lookup(dfg.arg(i, n)), Known::Const(ConstKind::Bits(b)) if b == neutral);
        is(1) || both && is(0)
    }

    /// What a product with zero is.
    fn vanishes(&self, i: Inst) -> Option<Known> {
        let dfg = &self.s.func.dfg;
        let zero = |n: usize| matches!(self.lookup(dfg.arg(i, n)), Known::Const(ConstKind::Bits(0)));
        let product = matches!(dfg.op(i), Opcode::Mul | Opcode::And);
        (product && (zero(0) || zero(1))).then_some(Known::Const(ConstKind::Bits(0)))
    }

    fn fold(&self, i: Inst) -> Option<Known> {
        let func = self.s.func;
        match func.dfg.op(i) {
            Opcode::PtrAdd => {
                let Known::Address(base, at, _) = self.lookup(func.dfg.arg(i, 0)) else { return None };
                let Known::Const(ConstKind::Bits(by)) = self.lookup(func.dfg.arg(i, 1)) else { return None };
                Some(Known::Address(base, at.wrapping_add(by as i64), None))
            }
            Opcode::Load => self.load(i),
            _ => {
                let constant = |v| match self.lookup(v) {
                    Known::Const(c) => Some(c),
                    _ => None,
                };
                fold_inst(&func.dfg, i, constant).map(Known::Const).or_else(|| self.vanishes(i))
            }
        }
    }

    /// A load from a constant array at a known place.
    fn load(&self, i: Inst) -> Option<Known> {
        let func = self.s.func;
        let data = &func.dfg.insts[i];
        let Known::Address(ConstKind::Global(g), at, _) = self.lookup(func.dfg.arg(i, 0)) else { return None };
        let global = &self.s.module.globals[g];
        if !global.constant || data.ty.is_vector() || data.ty.is_ptr() || data.flags.has(Flags::VOLATILE) {
            return None;
        }
        let (at, bytes) = (usize::try_from(at).ok()?, data.ty.bytes() as usize);
        if (at + bytes) as u64 > global.size {
            return None;
        }
        let mut word = [0; 8];
        match &global.init {
            GlobalInit::Zero => {}
            GlobalInit::Bytes(all, relocs) if relocs.is_empty() => {
                for (k, w) in word.iter_mut().enumerate().take(bytes) {
                    *w = all.get(at + k).copied().unwrap_or(0);
                }
            }
            _ => return None,
        }
        Some(Known::Const(ConstKind::Bits(u64::from_le_bytes(word) & data.ty.mask())))
    }

    /// Enters an executed instruction with the steps that it uses.
    fn record(&mut self, i: Inst, cost: u32) -> u32 {
        let operands = self.operands.len() as u32;
        for &v in self.s.func.dfg.args(i) {
            self.operands.extend(self.lookup(v).step());
        }
        self.step(cost, operands)
    }

    /// Enters a step whose operands have been entered, from `operands` on.
    fn step(&mut self, cost: u32, operands: u32) -> u32 {
        self.steps.push(Executed { cost, operands, counted: false });
        self.steps.len() as u32 - 1
    }

    /// Counts a step and all that it needs, each once.
    fn count(&mut self, step: u32) {
        self.todo.push(step);
        while let Some(s) = self.todo.pop() {
            let s = s as usize;
            let end = self.steps.get(s + 1).map_or(self.operands.len(), |next| next.operands as usize);
            let e = &mut self.steps[s];
            if !std::mem::replace(&mut e.counted, true) {
                self.unrolled = self.unrolled.saturating_add(e.cost);
                self.todo.extend_from_slice(&self.operands[e.operands as usize..end]);
            }
        }
    }

    fn terminator(&mut self, i: Inst, cost: u32, live: &mut [bool], next: &mut Option<Vec<Known>>) -> Option<()> {
        let func = self.s.func;
        let decided = func.dfg.args(i).first().and_then(|&c| match self.lookup(c) {
            Known::Const(ConstKind::Bits(b)) => Some(b),
            _ => None,
        });
        let only = match (func.dfg.op(i), decided) {
            (Opcode::Br, Some(b)) => Some(usize::from(b & 1 == 0)),
            (Opcode::Jump, _) => Some(0),
            _ => None,
        };
        if only.is_none() || is_apart(func, i) {
            let step = self.record(i, cost);
            self.count(step);
        }
        let count = func.dfg.successor_count(i);
        for n in only.map_or(0..count, |n| n..n + 1) {
            self.edge(i, n, live, next)?;
        }
        Some(())
    }

    fn edge(&mut self, i: Inst, n: usize, live: &mut [bool], next: &mut Option<Vec<Known>>) -> Option<()> {
        let func = self.s.func;
        let to = func.dfg.successor(i, n);
        let args: Vec<Known> = func.dfg.branch_args(i, n).iter().map(|&v| self.lookup(v)).collect();
        match self.s.blocks.iter().position(|&b| b == to) {
            Some(0) => *next = Some(args),
            Some(at) => {
                let merge = live[at];
                live[at] = true;
                for (k, &p) in func.dfg.params(to).iter().enumerate() {
                    let value = if merge { self.merge(p, args[k]) } else { args[k] };
                    self.known[p] = value;
                }
            }
            None => {
                // What is used after the loop is needed.
                for k in args {
                    if let Some(s) = k.step() {
                        self.count(s);
                    }
                }
            }
        }
        Some(())
    }

    /// What a parameter is when two branches may have come: a free choice of two computed values.
    fn merge(&mut self, p: Value, new: Known) -> Known {
        let operands = self.operands.len() as u32;
        for k in [self.lookup(p), new] {
            self.operands.extend(k.step());
        }
        Known::Step(self.step(0, operands))
    }
}
