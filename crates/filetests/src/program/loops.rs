//! Loops. Each is bounded by construction: a few dozen iterations at most, whatever its bounds are computed from.

use super::{Gen, Val};
use ir::{Block, Flags, FloatCC, IntCC, LoopMd, LoopMeta, Opcode, Type, UnrollRequest, Value};

/// How a loop counts.
struct Count {
    start: Val,
    /// The next value of the counter, from this one.
    step: Step,
    end: Value,
    cc: Compare,
    uniform: bool,
}

enum Step {
    /// Adds a constant, with promises.
    Add(Value, Flags),
    /// Shifts left by one.
    Double,
    /// Shifts right by a constant, or divides by it.
    Reduce(Opcode, Value),
    /// Adds to a float.
    Float(Value),
    /// Adds bytes to a pointer.
    Pointer(Value),
}

enum Compare {
    Int(IntCC),
    Float(FloatCC),
}

impl Gen<'_> {
    /// A number from 0 to `most` (a power of two minus 1): constant, or computed.
    fn bound(&mut self, ty: Type, most: i64, uniform: bool) -> Val {
        if self.rng.chance(50) {
            let v = self.func.dfg.iconst(ty, self.rng.range(0, most));
            return Val { v, ty, uniform: true };
        }
        let x = if uniform { self.uniform(ty) } else { self.value(ty) };
        let mask = self.func.dfg.iconst(ty, most);
        let v = self.b().binary(Opcode::And, x.v, mask);
        Val { v, ty, uniform: x.uniform }
    }

    fn most(&mut self) -> i64 {
        match self.loops {
            0 => self.rng.pick(&[3, 7, 15, 31]),
            1 => self.rng.pick(&[3, 7]),
            _ => 3,
        }
    }

    fn counting(&mut self, uniform: bool) -> Count {
        let most = self.most();
        match self.rng.below(20) {
            0..9 => self.counting_up(most, uniform),
            9..13 => self.counting_down(most, uniform),
            13..16 => self.wrapping(most, uniform),
            16 if self.rng.chance(50) => self.reducing(most, uniform),
            16 => self.doubling(most, uniform),
            17 => self.by_float(most, uniform),
            _ => self.by_pointer(most),
        }
    }

    /// From a small number to another, by a small step, signed or not.
    fn counting_up(&mut self, most: i64, uniform: bool) -> Count {
        let ty = self.rng.pick(&[Type::I32, Type::I32, Type::I32, Type::I64, Type::I16]);
        let start = if self.rng.chance(60) {
            let v = self.func.dfg.iconst(ty, self.rng.pick(&[0, 0, 0, 1, 2]));
            Val { v, ty, uniform: true }
        } else {
            self.bound(ty, most, uniform)
        };
        let end = self.bound(ty, most, uniform);
        let mut uniform_step = true;
        let step = if self.rng.chance(25) {
            let few = self.bound(ty, 3, uniform);
            uniform_step = few.uniform;
            let one = self.func.dfg.iconst(ty, 1);
            self.b().binary(Opcode::Or, few.v, one)
        } else {
            self.func.dfg.iconst(ty, self.rng.pick(&[1, 1, 1, 1, 2, 3]))
        };
        let flags = self.rng.pick(&[Flags::NONE, Flags::NSW, Flags::NSW | Flags::NUW]);
        let cc = self.rng.pick(&[IntCC::Slt, IntCC::Slt, IntCC::Ult, IntCC::Sle, IntCC::Ule]);
        let uniform = start.uniform && end.uniform && uniform_step;
        Count { start, step: Step::Add(step, flags), end: end.v, cc: Compare::Int(cc), uniform }
    }

    /// Shifts or divides a number until nothing of it is left, or little.
    fn reducing(&mut self, most: i64, uniform: bool) -> Count {
        let ty = self.rng.pick(&[Type::I32, Type::I32, Type::I64, Type::I16]);
        // Shifted by one, it takes as many steps as it has digits.
        let start = self.bound(ty, (most << 2) | 3, uniform);
        let end = self.func.dfg.iconst(ty, self.rng.pick(&[0, 0, 0, 1, 2]));
        let (op, by) = self.rng.pick(&[
            (Opcode::LShr, 1),
            (Opcode::LShr, 2),
            (Opcode::AShr, 1),
            (Opcode::AShr, 1),
            (Opcode::SDiv, 2),
            (Opcode::UDiv, 3),
        ]);
        let by = self.func.dfg.iconst(ty, by);
        let cc = self.rng.pick(&[IntCC::Sgt, IntCC::Ugt, IntCC::Sgt]);
        Count { start, step: Step::Reduce(op, by), end, cc: Compare::Int(cc), uniform: start.uniform }
    }

    fn counting_down(&mut self, most: i64, uniform: bool) -> Count {
        let ty = self.rng.pick(&[Type::I32, Type::I32, Type::I64]);
        let start = self.bound(ty, most, uniform);
        let end = self.func.dfg.iconst(ty, self.rng.pick(&[0, 0, 1, -1]));
        let step = self.func.dfg.iconst(ty, self.rng.pick(&[-1, -1, -2]));
        let cc = self.rng.pick(&[IntCC::Sgt, IntCC::Sgt, IntCC::Sge]);
        let uniform = start.uniform;
        Count { start, step: Step::Add(step, Flags::NSW), end, cc: Compare::Int(cc), uniform }
    }

    /// Until the counter *is* the end, past the wrap-around of its type maybe. The test follows the body.
    fn wrapping(&mut self, most: i64, uniform: bool) -> Count {
        let ty = self.rng.pick(&[Type::I8, Type::I8, Type::I32, Type::I64]);
        let start = if self.rng.chance(50) { self.constant(ty) } else { self.uniform(ty).v };
        let start = Val { v: start, ty, uniform: true };
        let steps = self.bound(ty, most, uniform);
        let by = self.func.dfg.iconst(ty, self.rng.pick(&[1, 1, 3, -1]));
        let mut b = self.b();
        let distance = b.mul(steps.v, by);
        let end = b.add(start.v, distance);
        Count { start, step: Step::Add(by, Flags::NONE), end, cc: Compare::Int(IntCC::Ne), uniform: steps.uniform }
    }

    fn doubling(&mut self, most: i64, uniform: bool) -> Count {
        let ty = Type::I32;
        let v = self.func.dfg.iconst(ty, self.rng.pick(&[1, 3]));
        let end = self.bound(ty, most, uniform);
        let start = Val { v, ty, uniform: true };
        Count { start, step: Step::Double, end: end.v, cc: Compare::Int(IntCC::Slt), uniform: end.uniform }
    }

    fn by_float(&mut self, most: i64, uniform: bool) -> Count {
        let ty = self.rng.pick(&[Type::F32, Type::F64]);
        let bound = self.bound(Type::I32, most, uniform);
        let end = self.b().cast(Opcode::SiToFp, bound.v, ty);
        let v = self.func.dfg.fconst(ty, 0.0);
        let by = self.func.dfg.fconst(ty, self.rng.pick(&[1.0, 0.5, 1.25]));
        let start = Val { v, ty, uniform: true };
        Count { start, step: Step::Float(by), end, cc: Compare::Float(FloatCC::Olt), uniform: bound.uniform }
    }

    /// A pointer walks through the window.
    fn by_pointer(&mut self, most: i64) -> Count {
        let Some(window) = self.window else { return self.counting_up(most, false) };
        let steps = self.bound(Type::I64, most, false);
        let four = self.bits(Type::I64, 4);
        let mut b = self.b();
        let bytes = b.mul(steps.v, four);
        let end = b.ptradd(window, bytes, Flags::NONE);
        let start = Val { v: window, ty: self.func.dfg.ty(window), uniform: false };
        let cc = Compare::Int(self.rng.pick(&[IntCC::Ne, IntCC::Ult]));
        Count { start, step: Step::Pointer(four), end, cc, uniform: false }
    }

    fn next(&mut self, c: &Count, at: Value) -> Value {
        let mut b = self.b();
        match c.step {
            Step::Add(by, flags) => b.op(Opcode::Add, flags, &[at, by]),
            Step::Double => {
                let one = b.iconst(Type::I32, 1);
                b.binary(Opcode::Shl, at, one)
            }
            Step::Reduce(op, by) => b.binary(op, at, by),
            Step::Float(by) => b.op(Opcode::FAdd, Flags::NONE, &[at, by]),
            Step::Pointer(by) => b.ptradd(at, by, Flags::NONE),
        }
    }

    fn goes_on(&mut self, c: &Count, at: Value) -> Value {
        match c.cc {
            Compare::Int(cc) => self.b().icmp(cc, at, c.end),
            Compare::Float(cc) => self.b().fcmp(cc, Flags::NONE, at, c.end),
        }
    }

    fn meta(&mut self) -> LoopMd {
        let unroll = match self.rng.below(10) {
            0 => UnrollRequest::Disable,
            1 => UnrollRequest::Enable,
            2 => UnrollRequest::Full,
            3..6 => UnrollRequest::Count(self.rng.range(2, 9) as u32),
            _ => UnrollRequest::None,
        };
        let must_progress = self.rng.chance(50);
        self.func.loops.push(LoopMeta { unroll, must_progress, ..LoopMeta::default() })
    }

    pub(super) fn a_loop(&mut self) {
        let keep = self.together && self.rng.chance(70);
        let c = self.counting(keep);
        let before = self.rng.chance(50);
        let types = {
            let mut t = self.merged_types();
            t.push(self.rng.pick(&[Type::I32, Type::I32, Type::F32, Type::I64]));
            t
        };
        let mut first = vec![c.start.v];
        first.extend(self.values_of(&types));
        let header = self.func.new_block();
        let exit = self.func.dfg.make_block();
        // A loop whose first test may fail at once, but which tests last, needs a guard when it waits for equality.
        let guarded = !before && (matches!(c.cc, Compare::Int(IntCC::Ne)) || self.rng.chance(40));
        if guarded {
            let go = self.goes_on(&c, c.start.v);
            let args = first.clone();
            self.b().br(go, (header, &args), (exit, &args[1..]));
        } else {
            self.b().jump(header, &first);
        }
        let mark = self.pool.len();
        self.block = header;
        let at = self.func.dfg.add_param(header, c.start.ty);
        if !c.start.ty.is_ptr() {
            self.push(at, c.uniform && self.together);
        }
        let carried: Vec<Value> = types
            .iter()
            .map(|&t| {
                let v = self.func.dfg.add_param(header, t);
                self.push(v, false).v
            })
            .collect();
        self.body(&c, at, &types, &carried, before, header, exit);
        self.pool.truncate(mark);
        self.func.layout.append_block(exit);
        self.block = exit;
        for &t in &types {
            let v = self.func.dfg.add_param(exit, t);
            self.push(v, false);
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn body(
        &mut self,
        c: &Count,
        at: Value,
        types: &[Type],
        carried: &[Value],
        before: bool,
        header: Block,
        exit: Block,
    ) {
        if before {
            let go = self.goes_on(c, at);
            let inside = self.func.new_block();
            self.b().br(go, (inside, &[]), (exit, carried));
            self.block = inside;
        }
        // A break that some work-items take and others don't parts them for the rest of the loop.
        let breaks = self.rng.chance(25);
        let parted = breaks && self.rng.chance(50);
        let outer = self.together;
        self.together = outer && c.uniform && !parted;
        self.loops += 1;
        self.region(5, true);
        if breaks {
            let cond = self.condition(outer && !parted);
            let args = self.values_of(types);
            let on = self.func.new_block();
            self.b().br(cond.v, (exit, &args), (on, &[]));
            self.block = on;
            self.region(2, true);
        }
        let together = self.together;
        if self.rng.chance(8) && !before {
            self.early_latch(c, at, types, header, exit);
        }
        self.together = together;
        self.loops -= 1;
        let mut args = vec![Value::from_u32(0)];
        for (n, &t) in types.iter().enumerate() {
            args.push(self.update(t, carried[n]));
        }
        args[0] = self.next(c, at);
        let md = Some(self.meta());
        if before {
            self.b().jump_md(header, &args, md);
        } else {
            let go = self.goes_on(c, args[0]);
            let out = args[1..].to_vec();
            self.b().br_md(go, (header, &args), (exit, &out), md);
        }
        self.together = outer;
    }

    /// `continue`: a second way back to the header.
    fn early_latch(&mut self, c: &Count, at: Value, types: &[Type], header: Block, exit: Block) {
        let cond = self.condition(self.together);
        let (yes, on) = (self.func.new_block(), self.func.dfg.make_block());
        self.b().br(cond.v, (yes, &[]), (on, &[]));
        self.block = yes;
        let mut args = vec![self.next(c, at)];
        args.extend(self.values_of(types));
        let go = self.goes_on(c, args[0]);
        let out = args[1..].to_vec();
        self.b().br(go, (header, &args), (exit, &out));
        self.func.layout.append_block(on);
        self.block = on;
    }

    /// The next value of a carried variable: a reduction, mostly.
    fn update(&mut self, ty: Type, old: Value) -> Value {
        let x = self.value(ty).v;
        match self.rng.below(4) {
            0 => x,
            _ if ty.is_ptr() => x,
            1 if ty.is_int() => self.b().binary(Opcode::Xor, old, x),
            _ => self.b().binary(if ty.is_float() { Opcode::FAdd } else { Opcode::Add }, old, x),
        }
    }
}
