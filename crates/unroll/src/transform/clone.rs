//! Copies of loop bodies.
//!
//! A copy maps every value of the loop to its own. The first copy's header may have parameters of its own; later
//! headers take the previous copy's values directly, since only that copy leads to them. Pure instructions whose
//! operands became constants fold on the way, sums of a value and constants merge, branches with known conditions
//! become jumps, and blocks that no branch of a copy reaches are not made: straight-line code comes out small.
//!
//! Cost: the size of the loop per copy, and one entry per value of the loop and what lies between them: what the function
//! holds besides does not count, so that many loops cost as much as they are.

use super::{Target, back_edge};
use crate::cost::is_apart;
use analysis::fold::fold_inst;
use cranelift_entity::packed_option::PackedOption;
use ir::{Block, Builder, Flags, Function, Inst, Opcode, Pages, Payload, Type, Value};
use smallvec::SmallVec;

/// What a copy does with an exit whose count is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Test {
    /// Tests.
    Keep,
    /// The loop goes on.
    Stay,
    /// The loop ends.
    Leave,
}

/// What a copy's header starts with.
pub(crate) enum Start<'a> {
    /// Parameters of its own.
    Params,
    /// These values.
    Values(&'a [Value]),
}

/// One copy of the body.
pub(crate) struct Copy {
    /// Its header.
    pub(crate) header: Block,
    /// Its latch, unless the copy never gets there.
    pub(crate) latch: Option<Block>,
    /// Values of the next iteration, if it may come.
    pub(crate) next: Option<SmallVec<[Value; 8]>>,
}

/// Makes copies of one loop.
pub(crate) struct Cloner<'t> {
    target: &'t Target,
    /// The values of the loop.
    values: Vec<Value>,
    /// What each of them is in the current copy.
    map: Pages<Value, PackedOption<Value>>,
    /// Operands of the instruction being copied.
    args: Vec<Value>,
    /// Number of a block of the loop plus one; 0 for others.
    block_index: Pages<Block, u32>,
    /// Copies of the blocks, in the current copy.
    copies: Vec<Option<Block>>,
    /// The block after which the next one is placed.
    pub(crate) place: Block,
    /// Branches with known conditions become jumps.
    pub(crate) fold_branches: bool,
}

impl<'t> Cloner<'t> {
    /// Copies will stand after `place`.
    pub(crate) fn new(func: &Function, target: &'t Target, place: Block) -> Self {
        let mut block_index = Pages::new();
        let mut values = Vec::new();
        for (n, &b) in target.blocks.iter().enumerate() {
            block_index.set(b, n as u32 + 1);
            let results = func.layout.insts(b).filter_map(|i| func.dfg.result(i));
            values.extend_from_slice(func.dfg.params(b));
            values.extend(results);
        }
        let (map, copies) = (Pages::new(), vec![None; target.blocks.len()]);
        Self { target, values, map, args: Vec::new(), block_index, copies, place, fold_branches: true }
    }

    /// What `v` is in the current copy.
    #[inline]
    pub(crate) fn mapped(&self, v: Value) -> Value {
        self.map.get(v).expand().unwrap_or(v)
    }

    /// The copy of a block of the loop, in the current copy.
    pub(crate) fn copy_of(&self, b: Block) -> Option<Block> {
        let n = self.block_index.get(b) as usize;
        n.checked_sub(1).and_then(|n| self.copies[n])
    }

    fn map_value(&mut self, from: Value, to: Value) {
        self.map.set(from, to.into());
    }

    /// Makes a copy. Its way back still leads to the original header.
    pub(crate) fn copy(&mut self, func: &mut Function, start: Start<'_>, test: impl Fn(Block) -> Test) -> Copy {
        for &v in &self.values {
            self.map.set(v, None.into());
        }
        self.copies.iter_mut().for_each(|c| *c = None);
        let target = self.target;
        let header = self.block(func, 0);
        let params: SmallVec<[Value; 8]> = func.dfg.params(target.header).into();
        for (n, &p) in params.iter().enumerate() {
            let v = match start {
                Start::Params => {
                    let ty = func.dfg.ty(p);
                    func.dfg.add_param(header, ty)
                }
                Start::Values(values) => values[n],
            };
            self.map_value(p, v);
        }
        for n in 0..target.blocks.len() {
            if self.copies[n].is_some() {
                self.fill(func, n, &test);
            }
        }
        let latch = self.copies[self.block_index.get(target.latch) as usize - 1];
        let next = latch
            .and_then(|b| back_edge(func, b, target.header))
            .map(|(term, back)| SmallVec::from(func.dfg.branch_args(term, back)));
        Copy { header, latch, next }
    }

    /// The copy of block `n`, made and placed when first asked for. Headers get their parameters from the caller.
    fn block(&mut self, func: &mut Function, n: usize) -> Block {
        if let Some(b) = self.copies[n] {
            return b;
        }
        let new = func.dfg.make_block();
        func.layout.insert_block_after(new, self.place);
        self.place = new;
        self.copies[n] = Some(new);
        if n > 0 {
            let old = self.target.blocks[n];
            let params: SmallVec<[Value; 8]> = func.dfg.params(old).into();
            for p in params {
                let ty = func.dfg.ty(p);
                let q = func.dfg.add_param(new, ty);
                self.map_value(p, q);
            }
        }
        new
    }

    fn fill(&mut self, func: &mut Function, n: usize, test: &impl Fn(Block) -> Test) {
        let old = self.target.blocks[n];
        let Some(new) = self.copies[n] else { return };
        let mut at = func.layout.first_inst(old);
        while let Some(i) = at {
            at = func.layout.next_inst(i);
            if func.dfg.op(i).is_terminator() {
                self.terminator(func, old, new, i, test(old));
            } else {
                self.instruction(func, new, i);
            }
        }
    }

    fn instruction(&mut self, func: &mut Function, new: Block, i: Inst) {
        let map = &self.map;
        self.args.clear();
        self.args.extend(func.dfg.args(i).iter().map(|&v| map.get(v).expand().unwrap_or(v)));
        let result = func.dfg.result(i);
        if let Some(result) = result
            && let Some(v) = self.simplified(func, i)
        {
            self.map_value(result, v);
            return;
        }
        let copy = func.dfg.clone_with(i, &self.args);
        self.merge_sum(func, copy);
        func.layout.append_inst(copy, new);
        if let (Some(from), Some(to)) = (result, func.dfg.result(copy)) {
            self.map_value(from, to);
        }
    }

    /// A value that the copy of an instruction would compute, if one is at hand.
    fn simplified(&self, func: &mut Function, i: Inst) -> Option<Value> {
        let data = &func.dfg.insts[i];
        let ty = data.ty;
        // Nothing folds whose first operand is unknown, and most of a loop is that.
        let &first = self.args.first()?;
        if func.dfg.as_const(first).is_some()
            && data.is_pure()
            && let Some(c) = fold_inst(&func.dfg, i, |v| func.dfg.as_const(self.mapped(v)))
        {
            return Some(func.dfg.constant(ty, c));
        }
        match (data.op, &self.args[..]) {
            (Opcode::Add | Opcode::PtrAdd | Opcode::Sub | Opcode::Shl, &[_, b]) if func.dfg.as_bits(b) == Some(0) => {
                Some(first)
            }
            (op, &[a, b]) => neutral(func, op, a, b).or_else(|| neutral(func, op, b, a)),
            (Opcode::Select, &[_, yes, no]) => {
                let c = func.dfg.as_bits(first).filter(|_| !func.dfg.ty(first).is_vector())?;
                Some(if c & 1 == 1 { yes } else { no })
            }
            _ => None,
        }
    }

    /// `(x + c) + d` becomes `x + (c + d)`, so that the copies of an induction variable do not form a chain.
    fn merge_sum(&self, func: &mut Function, i: Inst) {
        let data = &func.dfg.insts[i];
        if data.op != Opcode::Add || data.ty.is_vector() {
            return;
        }
        let (ty, flags) = (data.ty, data.flags);
        let (inner, outer) = (func.dfg.arg(i, 0), func.dfg.arg(i, 1));
        let Some(d) = func.dfg.as_int(outer) else { return };
        let Some(sum) = func.dfg.def_op(inner, Opcode::Add) else { return };
        let Some(c) = func.dfg.as_int(func.dfg.arg(sum, 1)) else { return };
        let x = func.dfg.arg(sum, 0);
        let both = flags.common(func.dfg.insts[sum].flags);
        let Some(total) = c.checked_add(d) else { return };
        let bits = ty.bits().min(63);
        let fits = (-(1i64 << (bits - 1))..1i64 << (bits - 1)).contains(&total);
        // Steps in one direction that do not wrap one by one do not wrap together.
        let keep = if both.has(Flags::NSW) && fits && (c >= 0) == (d >= 0) { Flags::NSW } else { Flags::NONE };
        let constant = func.dfg.iconst(ty, total);
        func.dfg.rewrite(i, Opcode::Add, keep, &[x, constant], Payload::None);
    }

    fn terminator(&mut self, func: &mut Function, old: Block, new: Block, i: Inst, test: Test) {
        let only = self.decided(func, i, test);
        if let Some(way) = only {
            let (to, args) = self.edge(func, i, way);
            let mut b = Builder::at_end(func, new);
            b.set_span(b.func.dfg.span(i));
            let jump = b.jump(to, &args);
            if is_apart(func, i) {
                func.dfg.insts[jump].flags = func.dfg.insts[i].flags;
            }
            self.keep_inner_md(func, old, i, only, jump);
            return;
        }
        let (op, flags) = (func.dfg.op(i), func.dfg.insts[i].flags);
        let args: SmallVec<[Value; 4]> = func.dfg.args(i).iter().map(|&v| self.mapped(v)).collect();
        let payload = match func.dfg.branch(i) {
            Some(mut branch) => {
                for (to, args) in &mut branch.ways {
                    args.iter_mut().for_each(|v| *v = self.mapped(*v));
                    *to = self.target(func, *to);
                }
                func.dfg.branch_payload(&branch)
            }
            None => Payload::None,
        };
        let copy = func.dfg.make_inst(op, Type::VOID, flags, &args, payload);
        func.dfg.describe_as(copy, i);
        func.layout.append_inst(copy, new);
        self.keep_inner_md(func, old, i, None, copy);
    }

    /// Inner loops keep their metadata on their way back; that of the loop itself belongs to the last copy alone.
    fn keep_inner_md(&self, func: &mut Function, old: Block, from: Inst, taken: Option<usize>, to: Inst) {
        let here = self.block_index.get(old);
        let ways = taken.map_or(0..func.dfg.successor_count(from), |n| n..n + 1);
        let back = ways.into_iter().any(|n| {
            let k = self.block_index.get(func.dfg.successor(from, n));
            k > 1 && k <= here
        });
        let md = func.dfg.insts[from].loop_md().filter(|_| back);
        func.dfg.set_loop_md(to, md);
    }

    /// The only way out of a block, if its condition is known in this copy.
    fn decided(&self, func: &Function, i: Inst, test: Test) -> Option<usize> {
        if func.dfg.op(i) == Opcode::Jump {
            return Some(0);
        }
        if func.dfg.op(i) != Opcode::Br {
            return None;
        }
        let inside = |n: usize| self.block_index.get(func.dfg.successor(i, n)) != 0;
        match test {
            Test::Stay => return (0..2).find(|&n| inside(n)),
            Test::Leave => return (0..2).find(|&n| !inside(n)),
            Test::Keep if !self.fold_branches => return None,
            Test::Keep => {}
        }
        let cond = func.dfg.as_bits(self.mapped(func.dfg.arg(i, 0)))?;
        Some(usize::from(cond & 1 == 0))
    }

    /// Where edge `n` of terminator `i` leads in this copy, and with what.
    fn edge(&mut self, func: &mut Function, i: Inst, n: usize) -> (Block, SmallVec<[Value; 8]>) {
        let args = func.dfg.branch_args(i, n).iter().map(|&v| self.mapped(v)).collect();
        let to = func.dfg.successor(i, n);
        (self.target(func, to), args)
    }

    /// Where a branch to `to` leads in this copy. Outside, or back to the header, it is the caller who redirects it.
    fn target(&mut self, func: &mut Function, to: Block) -> Block {
        match self.block_index.get(to) {
            0 | 1 => to,
            k => self.block(func, k as usize - 1),
        }
    }
}

/// `b` if it comes out unchanged of an operation that does not ask for an order with the constant `a`, as sums begin
/// with.
fn neutral(func: &Function, op: Opcode, a: Value, b: Value) -> Option<Value> {
    let c = func.dfg.as_bits(a)?;
    let ty = func.dfg.ty(a);
    let same = match op {
        Opcode::Add | Opcode::Or | Opcode::Xor => c == 0,
        Opcode::And => c == ty.mask(),
        Opcode::Mul => c == 1,
        _ => false,
    };
    (same && !ty.is_vector()).then_some(b)
}
