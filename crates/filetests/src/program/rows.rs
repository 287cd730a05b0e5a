//! What kernels mostly are: a guard, behind it a loop over a row of which work-items read shared and neighbouring
//! elements, as long as each has to; trees in work-group memory.

use super::Gen;
use ir::{Flags, IntCC, Intrinsic, LoopMeta, MemInfo, Opcode, Type, Value};

/// Most iterations of a row's loop. Subscripts stay below the 64 integers of the input: 15 + 31 + 10.
const MOST: i64 = 15;
const FARTHEST: i64 = 10;

impl Gen<'_> {
    /// A guard, or none, around one or two loops.
    pub(super) fn rows(&mut self) {
        let Some(place) = self.place else { return self.expression() };
        let end = self.func.dfg.make_block();
        let start = self.value(Type::I32).v;
        if self.rng.chance(50) {
            let bound = self.row_bound();
            let left = self.rng.pick(&[place.x, place.x, place.y, place.linear]);
            let cc = self.rng.pick(&[IntCC::Ult, IntCC::Slt, IntCC::Ule, IntCC::Eq, IntCC::Uge, IntCC::Ne]);
            let inside = self.func.new_block();
            let cond = self.b().icmp(cc, left, bound);
            self.b().br(cond, (inside, &[]), (end, &[start]));
            self.block = inside;
        }
        let together = std::mem::replace(&mut self.together, false);
        let mark = self.pool.len();
        let mut sum = self.row(start);
        if self.rng.chance(30) {
            sum = self.row(sum);
        }
        self.pool.truncate(mark);
        self.together = together;
        self.b().jump(end, &[sum]);
        self.func.layout.append_block(end);
        self.block = end;
        let v = self.func.dfg.add_param(end, Type::I32);
        self.push(v, false);
    }

    /// How far a row goes: for all, for each row, or for each work-item; below 16.
    fn row_bound(&mut self) -> Value {
        let Some(place) = self.place else { return self.func.dfg.iconst(Type::I32, MOST) };
        let most = self.func.dfg.iconst(Type::I32, MOST);
        let by = self.func.dfg.iconst(Type::I32, self.rng.range(1, 5));
        let v = match self.rng.below(6) {
            0 => self.uniform(Type::I32).v,
            1 => place.x,
            2 => self.b().binary(Opcode::Sub, most, place.x),
            3 => self.b().mul(place.y, by),
            4 => self.b().add(place.y, by),
            _ => self.value(Type::I32).v,
        };
        self.b().binary(Opcode::And, v, most)
    }

    /// `for (k = 0; k < bound; k++) sum = sum op in[…k…]`, perhaps with a store or a way out.
    fn row(&mut self, start: Value) -> Value {
        let bound = self.row_bound();
        let zero = self.func.dfg.iconst(Type::I32, 0);
        let one = self.func.dfg.iconst(Type::I32, 1);
        let (header, inside) = (self.func.new_block(), self.func.new_block());
        let exit = self.func.dfg.make_block();
        self.b().jump(header, &[zero, start]);
        let k = self.func.dfg.add_param(header, Type::I32);
        let sum = self.func.dfg.add_param(header, Type::I32);
        self.block = header;
        let go = self.b().icmp(IntCC::Slt, k, bound);
        self.b().br(go, (inside, &[]), (exit, &[sum]));
        self.block = inside;
        let mut next = sum;
        for _ in 0..1 + self.rng.below(2) {
            let x = self.row_element(k);
            let op = self.rng.pick(&[Opcode::Add, Opcode::Add, Opcode::Xor, Opcode::Mul]);
            next = self.b().binary(op, next, x);
        }
        if self.rng.chance(20) {
            let at = self.rng.range(0, 60) as u64 * 4;
            self.store_at(at, next);
        }
        if self.rng.chance(20) {
            let x = self.rng.pick(&[k, next]);
            let limit = self.row_bound();
            let cc = self.rng.pick(&[IntCC::Eq, IntCC::Ugt, IntCC::Slt]);
            let on = self.func.new_block();
            let leave = self.b().icmp(cc, x, limit);
            self.b().br(leave, (exit, &[next]), (on, &[]));
            self.block = on;
        }
        let up = self.b().op(Opcode::Add, Flags::NSW, &[k, one]);
        let md = self.func.loops.push(LoopMeta { must_progress: true, ..LoopMeta::default() });
        self.b().jump_md(header, &[up, next], Some(md));
        self.func.layout.append_block(exit);
        self.block = exit;
        self.func.dfg.add_param(exit, Type::I32)
    }

    /// `in[k × a + place × b + c]`, with `a` and `b` 0 or 1.
    fn row_element(&mut self, k: Value) -> Value {
        let (Some(place), Some(input)) = (self.place, self.input) else { return k };
        let c = self.func.dfg.iconst(Type::I32, self.rng.range(0, FARTHEST));
        let own = self.rng.pick(&[place.x, place.y, place.linear]);
        let parts = match self.rng.below(4) {
            0 | 1 => vec![k],
            2 => vec![k, own],
            _ => vec![own],
        };
        let index = parts.into_iter().fold(c, |sum, v| self.b().op(Opcode::Add, Flags::NSW, &[sum, v]));
        let two = self.bits(Type::I64, 2);
        let mut b = self.b();
        let wide = b.cast(Opcode::SExt, index, Type::I64);
        let offset = b.binary(Opcode::Shl, wide, two);
        let p = b.ptradd(input, offset, Flags::NONE);
        b.load(Type::I32, p, MemInfo::aligned(4), Flags::NONE)
    }

    /// A tree in work-group memory: each step half as many work-items, a barrier between them. What it comes to is the same
    /// for all.
    pub(super) fn tree(&mut self) {
        let Some(place) = self.place else { return self.expression() };
        let v = self.value(Type::I32).v;
        let number = self.bits(Type::I32, 0);
        let items = self.func.dfg.iconst(Type::I32, self.items.into());
        let [zero, one] = [0, 1].map(|n| self.func.dfg.iconst(Type::I32, n));
        let from = self.func.dfg.iconst(Type::I32, i64::from(self.items.next_power_of_two() / 2));
        let mine = self.tile_element(place.linear);
        let mem = MemInfo::aligned(4);
        let (header, inside, work) = (self.func.new_block(), self.func.new_block(), self.func.new_block());
        let (latch, exit) = (self.func.dfg.make_block(), self.func.dfg.make_block());
        let mut b = self.b();
        b.store(mine, v, mem, Flags::NONE);
        b.intrinsic(Intrinsic::Barrier, Type::VOID, &[number]);
        b.jump(header, &[from]);
        let s = self.func.dfg.add_param(header, Type::I32);
        self.block = header;
        let go = self.b().icmp(IntCC::Ugt, s, zero);
        self.b().br(go, (inside, &[]), (exit, &[]));
        self.block = inside;
        let mut b = self.b();
        let low = b.icmp(IntCC::Ult, place.linear, s);
        let other = b.add(place.linear, s);
        let there = b.icmp(IntCC::Ult, other, items);
        let both = b.binary(Opcode::And, low, there);
        b.br(both, (work, &[]), (latch, &[]));
        self.block = work;
        let theirs = self.tile_element(other);
        let mut b = self.b();
        let (x, y) = (b.load(Type::I32, mine, mem, Flags::NONE), b.load(Type::I32, theirs, mem, Flags::NONE));
        let sum = b.add(x, y);
        b.store(mine, sum, mem, Flags::NONE);
        b.jump(latch, &[]);
        self.func.layout.append_block(latch);
        self.block = latch;
        let mut b = self.b();
        b.intrinsic(Intrinsic::Barrier, Type::VOID, &[number]);
        let half = b.binary(Opcode::LShr, s, one);
        b.jump(header, &[half]);
        self.func.layout.append_block(exit);
        self.block = exit;
        let first = self.tile_element(zero);
        let mut b = self.b();
        let total = b.load(Type::I32, first, mem, Flags::NONE);
        b.intrinsic(Intrinsic::Barrier, Type::VOID, &[number]);
        self.push(total, true);
    }
}
