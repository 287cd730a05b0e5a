//! Proves conditions for `__builtin_provable`: whether a truth value is 1 wherever control comes to a place.
//!
//! Everything works by contradiction: the condition is assumed false, together with all that holds at the place (branches
//! and assumptions on the way there, and what accesses of memory say of pointers), and what follows is looked for:
//!
//! * [`eval`] and [`refine`]: bits, ranges and congruences, from operands to results and back; by induction in loops;
//! * [`linear`]: inequalities between sums, by Fourier and Motzkin's elimination, with what divisions, minima, masks and
//!   ids satisfy;
//! * [`algebra`]: polynomials modulo the width, and sums of bitwise operations, which are equal if they are for inputs
//!   with one bit each;
//! * [`cases`]: alternatives one by one: the ways into a block, both sides of a selection, few values of small numbers.
//!
//! What must hold: verified IR without aliases. Nothing is changed. An answer "not proved" means nothing.
//!
//! Limits: [`MAX_STEPS`] evaluations for a question, and what the files name. Only functions that ask pay.

mod algebra;
mod cases;
mod eval;
mod info;
mod linear;
mod refine;
pub(crate) mod weakest;

use analysis::{Cfg, DomTree, Edge};
use info::Info;
use ir::{Block, Function, Inst, IntCC, Module, Opcode, Payload, Type, Value};
use rustc_hash::FxHashMap;
use std::cell::{Cell, OnceCell, RefCell};
use target::Target;

/// Most evaluations of instructions for one question.
const MAX_STEPS: u32 = 60_000;
/// Most for all questions about a function, after which each has [`FEW_STEPS`]: functions with hundreds of questions are
/// made by unrolling and generators, and their questions are alike.
const MAX_TOTAL: u32 = 150_000;
/// What questions have that come late.
const FEW_STEPS: u32 = 1_500;
/// Most blocks looked at for what holds at a place.
const MAX_BLOCKS: usize = 96;
/// Most things that hold at a place.
const MAX_FACTS: usize = 96;
/// Most places where ways meet that are looked at one way after the other.
const MAX_MERGES: usize = 2;
/// Rounds in which what holds is carried to and fro.
const ROUNDS: u32 = 3;

/// Proves conditions about one function.
pub(crate) struct Prover<'a> {
    func: &'a Function,
    module: &'a Module,
    cfg: &'a Cfg,
    dom: &'a DomTree,
    target: Target,
    steps: Cell<u32>,
    /// What is left for all questions.
    total: Cell<u32>,
    nest: Cell<u32>,
    /// Where special registers are read.
    registers: OnceCell<Vec<Value>>,
    /// What block parameters are wherever they are defined.
    params: RefCell<FxHashMap<Value, Info>>,
    /// What is assumed of them while an induction runs.
    hypotheses: RefCell<FxHashMap<Value, Info>>,
}

/// Something that holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fact {
    /// A truth value.
    Truth(Value, bool),
    /// A comparison.
    Compare(IntCC, Value, Value),
    /// What a value can be.
    Known(Value, Info),
}

/// What holds at a place, and what follows.
#[derive(Clone)]
struct State<'p, 'a> {
    prover: &'p Prover<'a>,
    facts: Vec<Fact>,
    /// Blocks on the way here where other ways meet.
    merges: Vec<Block>,
    overlay: FxHashMap<Value, Info>,
    memo: FxHashMap<Value, Info>,
    /// Nothing is executed where all that holds.
    dead: bool,
}

impl<'a> Prover<'a> {
    /// A prover that knows nothing yet.
    pub(crate) fn new(func: &'a Function, module: &'a Module, cfg: &'a Cfg, dom: &'a DomTree, target: Target) -> Self {
        Self {
            func,
            module,
            cfg,
            dom,
            target,
            steps: Cell::new(0),
            total: Cell::new(MAX_TOTAL),
            nest: Cell::new(0),
            registers: OnceCell::new(),
            params: RefCell::default(),
            hypotheses: RefCell::default(),
        }
    }

    /// Whether `cond` is true whenever control comes to the instruction `at`.
    pub(crate) fn holds(&self, cond: Value, at: Inst) -> bool {
        self.holds_given(cond, at, &[])
    }

    fn holds_given(&self, cond: Value, at: Inst, more: &[Fact]) -> bool {
        let cond = self.func.dfg.resolve(cond);
        match self.func.dfg.as_bits(cond) {
            Some(c) => return c == 1,
            None if self.func.dfg.ty(cond) != Type::I1 => return false,
            None => {}
        }
        let steps = self.total.get().clamp(FEW_STEPS, MAX_STEPS);
        self.steps.set(steps);
        let mut state = State::at(self, at);
        state.facts.extend_from_slice(more);
        state.propagate();
        state.learn(cond, false);
        let holds = state.is_contradictory(&[cond], cases::MAX_SPLITS);
        self.total.set(self.total.get().saturating_sub(steps - self.steps.get()));
        holds
    }

    /// Where special registers are read, the first time of each.
    fn registers(&self) -> impl Iterator<Item = Value> + use<> {
        let found = self.registers.get_or_init(|| {
            let mut seen = Vec::new();
            let mut out = Vec::new();
            for i in self.func.layout.blocks().flat_map(|b| self.func.layout.insts(b)) {
                let reg = self.func.dfg.insts[i].special();
                if reg.is_some() && !seen.contains(&reg) {
                    seen.push(reg);
                    out.push(self.func.dfg.res(i));
                }
            }
            out
        });
        found.clone().into_iter()
    }

    fn spend(&self) -> bool {
        let left = self.steps.get();
        self.steps.set(left.saturating_sub(1));
        left > 0
    }

    fn has_steps(&self) -> bool {
        self.steps.get() > 0
    }

    fn enter(&self, most: u32) -> bool {
        let deep = self.nest.get();
        if deep < most {
            self.nest.set(deep + 1);
        }
        deep < most
    }

    fn leave(&self) {
        self.nest.set(self.nest.get() - 1);
    }

    /// The way into a block, if there is one only that does not come from the block itself.
    fn forward_edge(&self, b: Block) -> Option<Edge> {
        let mut ways = self.cfg.preds(b).iter().filter(|e| !self.is_back(e, b));
        let first = ways.next()?;
        ways.next().is_none().then_some(*first)
    }
}

impl<'p, 'a> State<'p, 'a> {
    fn new(prover: &'p Prover<'a>) -> Self {
        Self {
            prover,
            facts: Vec::new(),
            merges: Vec::new(),
            overlay: FxHashMap::default(),
            memo: FxHashMap::default(),
            dead: false,
        }
    }

    /// What holds before an instruction.
    fn at(prover: &'p Prover<'a>, at: Inst) -> Self {
        let mut state = Self::new(prover);
        if let Some(b) = prover.func.layout.inst_block(at) {
            state.gather(b, Some(at));
        }
        state.facts.reverse();
        state
    }

    /// What holds where an edge is taken, with what follows.
    fn on_edge(prover: &'p Prover<'a>, e: Edge) -> Self {
        let mut state = Self::new(prover);
        state.edge(e);
        if let Some(b) = prover.func.layout.inst_block(e.inst) {
            state.gather(b, None);
        }
        state.facts.reverse();
        state.propagate();
        state
    }

    /// The same place, where something more will be assumed.
    fn fork(&self) -> Self {
        Self { memo: FxHashMap::default(), ..self.clone() }
    }

    /// Collects what the blocks say that control has come through.
    fn gather(&mut self, from: Block, until: Option<Inst>) {
        let prover = self.prover;
        let mut at = from;
        let mut until = until;
        for _ in 0..MAX_BLOCKS {
            for i in prover.func.layout.insts(at) {
                if until == Some(i) || self.facts.len() >= MAX_FACTS {
                    break;
                }
                self.statement(i);
            }
            until = None;
            match prover.forward_edge(at) {
                Some(e) => self.edge(e),
                None if self.merges.len() < MAX_MERGES => self.merges.push(at),
                None => {}
            }
            match prover.dom.idom(at) {
                Some(up) => at = up,
                None => return,
            }
        }
    }

    /// What an instruction says that control has come past.
    fn statement(&mut self, i: Inst) {
        let dfg = &self.prover.func.dfg;
        match dfg.op(i) {
            Opcode::Assume => self.facts.push(Fact::Truth(dfg.arg(i, 0), true)),
            // What is accessed is not null; work-group memory may start at address 0.
            Opcode::Load | Opcode::Store | Opcode::AtomicRmw | Opcode::AtomicCas => {
                let p = dfg.arg(i, 0);
                if matches!(dfg.ty(p).space(), Some(ir::AddrSpace::Generic | ir::AddrSpace::Global))
                    && dfg.as_const(p).is_none()
                {
                    self.facts.push(Fact::Known(p, Info { ulo: 1, ..Info::full(64) }));
                }
            }
            _ => {}
        }
    }

    fn edge(&mut self, e: Edge) {
        let dfg = &self.prover.func.dfg;
        match dfg.insts[e.inst].payload {
            Payload::Br(..) if dfg.successor(e.inst, 0) != dfg.successor(e.inst, 1) => {
                self.facts.push(Fact::Truth(dfg.arg(e.inst, 0), e.index == 0));
            }
            Payload::Switch(s) => {
                let v = dfg.arg(e.inst, 0);
                if let Some((c, _)) = dfg.switches[s].cases.get(e.index as usize) {
                    self.facts.push(Fact::Known(v, Info::constant(*c, dfg.ty(v).bits())));
                }
            }
            _ => {}
        }
    }

    /// Carries what holds through the values until nothing new comes of it.
    fn propagate(&mut self) {
        for _ in 0..ROUNDS {
            let before = self.overlay.clone();
            for n in 0..self.facts.len() {
                match self.facts[n] {
                    Fact::Truth(v, t) => self.assert(v, t, 0),
                    Fact::Compare(cc, a, b) => self.compare(cc, a, b, 0),
                    Fact::Known(v, info) => self.refine(v, &info, 0),
                }
                if self.dead || !self.prover.has_steps() {
                    return;
                }
            }
            if before == self.overlay {
                return;
            }
        }
    }

    /// Adds a fact, with all that follows from it.
    fn learn(&mut self, cond: Value, truth: bool) {
        self.facts.push(Fact::Truth(cond, truth));
        self.propagate();
    }
}

#[cfg(test)]
mod tests;
