//! Sums and products in the form that was measured, for sm_90 and for sm_100: as LLVM's Reassociate leaves them.
//!
//! That pass takes a tree of one operation apart, puts what is known earliest first, so that it can be computed before the
//! loop (`y + i + j` is `y + (i + j)`), and takes factors that several terms of a sum share out of it:
//! `i + j * n + y * n * m` is `i + n * (j + y * m)`. Either changes how many operations stay in the loop; our code keeps the
//! form that was written. Here only the number is found.
//!
//! Measured on nvcc 13.5 with padded loops (2026-11-23): of 56 sums and products 55 count so (not `i - y - j`). A value that two
//! instructions use is in no larger tree, a term that is subtracted stays as it is. How often a value is used is [noted](note)
//! before any code moves: what loops and the code behind them compute of invariants is one value later. Not followed: pairs that
//! several trees have.
//! Cost: linear in instructions, for a tree quadratic in its [parts](MAX_PARTS).

use cranelift_entity::SecondaryMap;
use ir::{Block, Flags, Function, Inst, Opcode, Type, Value, ValueDef};
use smallvec::{SmallVec, smallvec};

/// Most operations, terms and factors of one tree; larger ones count as they are.
const MAX_PARTS: usize = 48;

/// What is part of one tree.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Sum,
    Product,
    And,
    Or,
    Xor,
}

fn class(op: Opcode) -> Option<Class> {
    match op {
        Opcode::Add | Opcode::Sub => Some(Class::Sum),
        Opcode::Mul => Some(Class::Product),
        Opcode::And => Some(Class::And),
        Opcode::Or => Some(Class::Or),
        Opcode::Xor => Some(Class::Xor),
        _ => None,
    }
}

/// A factor of a term.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Factor {
    Value(Value),
    /// By a power of two, which the tree has as a shift.
    Shift(u64),
    /// What was left of several terms when their common factor was taken out, and whether the loop computes it.
    Rest(bool),
}

type Term = SmallVec<[Factor; 4]>;

/// Notes which integer operations are used [once](Flags::ALONE), and returns whether any is. To be run before invariants move.
pub fn note(func: &mut Function) -> bool {
    let mut uses = SecondaryMap::<Value, u8>::new();
    for i in func.layout.blocks().flat_map(|b| func.layout.insts(b)) {
        func.dfg.for_each_use(i, |v| uses[v] = uses[v].saturating_add(1));
    }
    let alone = |i: &Inst| {
        let part = class(func.dfg.op(*i)).is_some() || func.dfg.op(*i) == Opcode::Shl;
        part && func.dfg.result(*i).is_some_and(|v| uses[v] == 1)
    };
    let found: Vec<Inst> = func.layout.blocks().flat_map(|b| func.layout.insts(b)).filter(alone).collect();
    for &i in &found {
        let flags = &mut func.dfg.insts[i].flags;
        *flags = flags.with(Flags::ALONE);
    }
    !found.is_empty()
}

/// How often a value is used in the loop, and where.
#[derive(Clone, Copy, Default)]
struct Use {
    count: u8,
    user: Option<Inst>,
}

/// Tables for the loops of one function.
#[derive(Default)]
pub(crate) struct Reassociated {
    /// By block: the number of the last look that had it in its loop.
    inside: SecondaryMap<Block, u32>,
    look: u32,
    uses: SecondaryMap<Value, Use>,
}

impl Reassociated {
    /// The instructions among `blocks` that count other than they are written, and what they count. `whole` tells of values that
    /// are no part of a tree, `weight` what an operation of 64 bits counts.
    pub(crate) fn sizes(
        &mut self,
        func: &Function,
        blocks: &[Block],
        weight: u32,
        whole: impl Fn(Value) -> bool,
    ) -> Vec<(Value, u32)> {
        self.look += 1;
        for &b in blocks {
            self.inside[b] = self.look;
        }
        self.count_uses(func, blocks, true);
        let mut sizes = Vec::new();
        for i in blocks.iter().flat_map(|&b| func.layout.insts(b)) {
            let Some(class) = class(func.dfg.op(i)) else { continue };
            let root = func.dfg.res(i);
            let ty = func.dfg.ty(root);
            if !ty.is_int() || ty.lanes() > 1 || whole(root) {
                continue;
            }
            let weight = if ty == Type::I64 { weight } else { 1 };
            let mut tree = Tree { func, tables: self, whole: &whole, ty, weight, class, nodes: Vec::new(), parts: 0 };
            if !tree.is_absorbed(root) {
                tree.measure(root, &mut sizes);
            }
        }
        self.count_uses(func, blocks, false);
        sizes
    }

    /// Whether an index is a sum or a difference, used once, with a term that is known before the loop, at most `depth` operations
    /// deep: a constant is added to that term there, but for the one that makes a [complement](Tree::takes_complement). To be asked
    /// about the loop of the last [look](Self::sizes).
    pub(crate) fn takes_a_constant(&self, func: &Function, index: Value, minus_one: bool, depth: u32) -> bool {
        let Some(i) = func.dfg.def_inst(index).filter(|_| depth > 0) else { return false };
        let takes = |v: Value| !self.is_inside(func, v) || self.takes_a_constant(func, v, minus_one, depth - 1);
        let alone = func.dfg.insts[i].flags.has(Flags::ALONE);
        match func.dfg.op(i) {
            Opcode::SExt | Opcode::ZExt => self.takes_a_constant(func, func.dfg.arg(i, 0), minus_one, depth - 1),
            Opcode::Add if alone => func.dfg.args(i).iter().any(|&v| takes(v)),
            Opcode::Sub if alone => {
                let known = !self.is_inside(func, func.dfg.arg(i, 1));
                known || !minus_one && takes(func.dfg.arg(i, 0))
            }
            _ => false,
        }
    }

    /// Notes the uses of values in the loop, or forgets them.
    fn count_uses(&mut self, func: &Function, blocks: &[Block], note: bool) {
        for i in blocks.iter().flat_map(|&b| func.layout.insts(b)) {
            func.dfg.for_each_use(i, |v| {
                let count = if note { self.uses[v].count.saturating_add(1) } else { 0 };
                self.uses[v] = Use { count, user: note.then_some(i) };
            });
        }
    }

    fn is_inside(&self, func: &Function, v: Value) -> bool {
        let block = match func.dfg.def(v) {
            ValueDef::Param(b, _) => Some(b),
            ValueDef::Inst(i) => func.layout.inst_block(i),
            ValueDef::Const(_) | ValueDef::Alias(_) => None,
        };
        block.is_some_and(|b| self.inside[b] == self.look)
    }
}

/// One tree.
struct Tree<'a, W> {
    func: &'a Function,
    tables: &'a Reassociated,
    whole: &'a W,
    ty: Type,
    /// What an operation counts.
    weight: u32,
    class: Class,
    /// What the loop computes of it, the root first.
    nodes: Vec<Value>,
    parts: usize,
}

impl<W: Fn(Value) -> bool> Tree<'_, W> {
    /// Whether a value is part of the tree of the only instruction that uses it.
    fn is_absorbed(&mut self, v: Value) -> bool {
        let Use { count: 1, user: Some(user) } = self.tables.uses[v] else { return false };
        if !self.func.dfg.def_inst(v).is_some_and(|i| self.func.dfg.insts[i].flags.has(Flags::ALONE)) {
            return false;
        }
        let Some(result) = self.func.dfg.result(user) else { return false };
        if self.func.dfg.ty(result) != self.ty || (self.whole)(result) {
            return false;
        }
        match class(self.func.dfg.op(user)) {
            // What is subtracted stays as it is.
            Some(Class::Sum) if matches!(self.class, Class::Sum | Class::Product) => {
                self.func.dfg.op(user) == Opcode::Add || self.func.dfg.arg(user, 0) == v
            }
            c => c == Some(self.class),
        }
    }

    fn measure(&mut self, root: Value, sizes: &mut Vec<(Value, u32)>) {
        let weight = self.weight;
        let mut subtracted = 0;
        let (size, changes) = if self.class == Class::Sum {
            let mut terms = Vec::new();
            self.terms(root, true, &mut terms, &mut subtracted);
            let complements = u32::from(self.takes_complement(&mut terms, &mut subtracted));
            let apart = u32::from(self.leaves_constant(root, &terms));
            let (size, inside) = self.sum(terms);
            let size = size + complements + apart;
            (size * weight - if weight == 2 { subtracted.min(size).min(1) } else { 0 }, inside)
        } else {
            let mut factors = Term::new();
            self.factors(root, true, &mut factors);
            let (size, inside) = self.product(&factors);
            (size * weight, inside)
        };
        // What does not change was left here by an inner loop that is straight-line now.
        if self.parts > MAX_PARTS || !changes {
            return;
        }
        let wide = |v: Value| {
            let op = self.func.dfg.def_inst(v).map(|i| self.func.dfg.op(i));
            if matches!(op, Some(Opcode::Sub | Opcode::Shl)) { 1 } else { weight }
        };
        let written: u32 = self.nodes.iter().map(|&v| wide(v)).sum();
        if size > written {
            sizes.push((root, wide(root) + size - written));
            return;
        }
        let mut less = written - size;
        for &v in self.nodes.iter().rev() {
            let counts = wide(v);
            if less > 0 {
                sizes.push((v, counts.saturating_sub(less)));
                less = less.saturating_sub(counts);
            }
        }
    }

    /// The instruction that makes `v`, if it belongs to the tree.
    fn node(&mut self, v: Value, root: bool) -> Option<Inst> {
        let i = self.func.dfg.def_inst(v)?;
        if self.parts > MAX_PARTS || self.func.dfg.ty(v) != self.ty {
            return None;
        }
        let alone = self.func.dfg.insts[i].flags.has(Flags::ALONE);
        let part = root || alone && !(self.whole)(v);
        self.parts += usize::from(part);
        part.then_some(i)
    }

    fn note(&mut self, v: Value) {
        if self.tables.is_inside(self.func, v) && !self.nodes.contains(&v) {
            self.nodes.push(v);
        }
    }

    /// Takes a sum apart.
    fn terms(&mut self, v: Value, root: bool, out: &mut Vec<Term>, subtracted: &mut u32) {
        let node = self.node(v, root);
        match node.map(|i| (self.func.dfg.op(i), i)) {
            Some((op @ (Opcode::Add | Opcode::Sub), i)) => {
                self.note(v);
                let (a, b) = (self.func.dfg.arg(i, 0), self.func.dfg.arg(i, 1));
                self.terms(a, false, out, subtracted);
                if op == Opcode::Add {
                    self.terms(b, false, out, subtracted);
                } else {
                    *subtracted += u32::from(self.tables.is_inside(self.func, b));
                    self.parts += 1;
                    out.push(smallvec![Factor::Rest(self.tables.is_inside(self.func, b))]);
                }
            }
            _ => {
                let mut term = Term::new();
                self.factors(v, false, &mut term);
                out.push(term);
            }
        }
    }

    /// Whether a constant is added to other terms that are known before the loop, and all is multiplied by a constant: `(n + i + 9) * 3`
    /// is `(n + i) * 3 + 27`.
    fn leaves_constant(&self, root: Value, terms: &[Term]) -> bool {
        let Use { count: 1, user: Some(user) } = self.tables.uses[root] else { return false };
        let by_constant = func_arg(self.func, user, 1).is_some_and(|v| v != root && self.func.dfg.as_bits(v).is_some());
        if !by_constant
            || !matches!(self.func.dfg.op(user), Opcode::Mul | Opcode::Shl)
            || (self.whole)(self.func.dfg.res(user))
        {
            return false;
        }
        let constant = |t: &Term| matches!(t[..], [Factor::Value(v)] if self.func.dfg.as_bits(v).is_some());
        let known = terms.iter().filter(|t| !t.iter().any(|&f| self.is_inside(f)));
        let (constants, others): (Vec<&Term>, Vec<&Term>) = known.partition(|t| constant(t));
        !constants.is_empty() && !others.is_empty() && terms.len() > constants.len() + others.len()
    }

    /// Whether the sum subtracts one and something that changes in the loop. Such a sum adds the complement instead
    /// (`x - 1 - y` is `x + ~y`), so that the one is gone.
    fn takes_complement(&self, terms: &mut Vec<Term>, subtracted: &mut u32) -> bool {
        let constant = |t: &Term| match t[..] {
            [Factor::Value(v)] => self.func.dfg.as_bits(v),
            _ => None,
        };
        let mut constants = terms.iter().enumerate().filter_map(|(at, t)| Some((at, constant(t)?)));
        let minus_one = u64::MAX >> (64 - self.ty.bits().clamp(1, 64));
        let (Some((at, n)), None) = (constants.next(), constants.next()) else { return false };
        if n != minus_one || *subtracted == 0 {
            return false;
        }
        terms.remove(at);
        *subtracted -= 1;
        true
    }

    /// Takes a product, or a tree of a logic operation, apart.
    fn factors(&mut self, v: Value, root: bool, out: &mut Term) {
        let wanted = if self.class == Class::Sum { Class::Product } else { self.class };
        if let Some(i) = self.node(v, root) {
            let op = self.func.dfg.op(i);
            let (a, b) = (self.func.dfg.args(i).first().copied(), self.func.dfg.args(i).get(1).copied());
            if let (true, Some(a), Some(b)) = (class(op) == Some(wanted), a, b) {
                self.note(v);
                self.factors(a, false, out);
                self.factors(b, false, out);
                return;
            }
            if let (Opcode::Shl, Class::Product, Some(a), Some(n)) =
                (op, wanted, a, b.and_then(|b| self.func.dfg.as_bits(b)))
            {
                self.note(v);
                self.factors(a, false, out);
                out.push(Factor::Shift(n));
                return;
            }
        }
        self.parts += 1;
        out.push(Factor::Value(v));
    }

    fn is_inside(&self, f: Factor) -> bool {
        match f {
            Factor::Value(v) => self.tables.is_inside(self.func, v),
            Factor::Shift(_) => false,
            Factor::Rest(inside) => inside,
        }
    }

    /// How many operations of a product stay in the loop, and whether its value changes there.
    fn product(&self, factors: &[Factor]) -> (u32, bool) {
        joined(factors.iter().map(|&f| self.is_inside(f)))
    }

    /// The same of a sum, whose common factors are taken out.
    fn sum(&mut self, mut terms: Vec<Term>) -> (u32, bool) {
        let mut size = 0;
        while let Some(factor) = self.most_common(&terms) {
            let (shared, rest): (Vec<Term>, Vec<Term>) =
                terms.into_iter().partition(|t| t.len() > 1 && t.contains(&factor));
            let mut inner = Vec::new();
            for mut t in shared {
                let at = t.iter().position(|&f| f == factor).unwrap_or(0);
                t.remove(at);
                match t[..] {
                    [Factor::Value(v)] => self.terms(v, false, &mut inner, &mut 0),
                    _ => inner.push(t),
                }
            }
            let (operations, inside) = self.sum(inner);
            size += operations;
            terms = rest;
            terms.insert(0, smallvec![Factor::Rest(inside), factor]);
            if self.parts > MAX_PARTS {
                break;
            }
        }
        let products: Vec<(u32, bool)> = terms.iter().map(|t| self.product(t)).collect();
        let (operations, inside) = joined(products.iter().map(|p| p.1));
        (size + operations + products.iter().map(|p| p.0).sum::<u32>(), inside)
    }

    /// The factor that most terms have, if two have it. Terms that change in the loop come first.
    fn most_common(&self, terms: &[Term]) -> Option<Factor> {
        let mut order: Vec<&Term> = terms.iter().filter(|t| t.len() > 1).collect();
        order.sort_by_key(|t| !t.iter().any(|&f| self.is_inside(f)));
        let mut best = (1, None);
        for f in order.iter().flat_map(|t| t.iter()).filter(|f| !matches!(f, Factor::Rest(_))) {
            let n = order.iter().filter(|t| t.contains(f)).count();
            if n > best.0 {
                best = (n, Some(*f));
            }
        }
        best.1
    }
}

fn func_arg(func: &Function, i: Inst, n: usize) -> Option<Value> {
    func.dfg.args(i).get(n).copied()
}

/// How many operations on values, of which some change in the loop, stay there, and whether the result changes.
fn joined(inside: impl Iterator<Item = bool>) -> (u32, bool) {
    let (mut changing, mut fixed) = (0, 0);
    for i in inside {
        *(if i { &mut changing } else { &mut fixed }) += 1;
    }
    if changing == 0 { (0, false) } else { (changing + u32::from(fixed > 0) - 1, true) }
}
