//! Nests of two counted loops over one window: what unroll-and-jam is about, with and without dependences that forbid
//! it.

use super::Gen;
use ir::{Block, Flags, IntCC, LoopMd, LoopMeta, MemInfo, Opcode, Type, UnrollRequest, Value};

/// Most iterations of either loop, and what subscripts are made of: they stay below the window's 128 integers.
const MOST: i64 = 7;
const OUTER_STEPS: [i64; 6] = [0, 1, 1, 2, 3, 8];
const INNER_STEPS: [i64; 5] = [0, 1, 1, 2, 4];
const FARTHEST: i64 = 40;

/// A loop under construction.
struct Counting {
    header: Block,
    exit: Block,
    /// The number of the iteration, which is not always what the loop counts with.
    number: Value,
    /// What the loop counts with.
    counter: Value,
    bound: Value,
    step: i64,
    tested_first: bool,
    carried: Value,
}

impl Gen<'_> {
    /// The nest; it reads and writes the window at linear subscripts of both counters.
    pub(super) fn nest(&mut self) {
        if self.window.is_none() {
            return self.expression();
        }
        let (outer_bound, inner_bound) = (self.iterations(), self.iterations());
        let start = self.value(Type::I32).v;
        let together = std::mem::replace(&mut self.together, false);
        let outer = self.open(outer_bound, start);
        // What each outer iteration starts from: its own number, memory, or the iteration before.
        let mut first = match self.rng.below(4) {
            0 => outer.carried,
            1 => self.read(outer.number, None),
            2 => outer.number,
            _ => self.bits(Type::I32, 0),
        };
        if self.rng.chance(25) {
            self.write(outer.number, None, first);
        }
        if self.rng.chance(20) {
            first = self.fork(outer.number, first);
        }
        let inner = self.open(inner_bound, first);
        let mut sum = inner.carried;
        for _ in 0..1 + self.rng.below(3) {
            let x = match self.rng.below(4) {
                0 => inner.number,
                1 => outer.number,
                _ => self.read(outer.number, Some(inner.number)),
            };
            let op = self.rng.pick(&[Opcode::Add, Opcode::Add, Opcode::Xor, Opcode::Mul]);
            sum = self.b().binary(op, sum, x);
            if self.rng.chance(20) {
                sum = self.fork(inner.number, sum);
            }
            if self.rng.chance(30) {
                self.write(outer.number, Some(inner.number), sum);
            }
        }
        self.close(&inner, sum, UnrollRequest::None);
        let sum = self.after(&inner);
        if self.rng.chance(50) {
            self.write(outer.number, None, sum);
        }
        let next = match self.rng.below(4) {
            0 => outer.carried,
            1 => outer.number,
            _ => self.b().binary(Opcode::Add, outer.carried, sum),
        };
        let jam = self.rng.pick(&[UnrollRequest::None, UnrollRequest::Enable, UnrollRequest::Count(3)]);
        self.close(&outer, next, jam);
        let v = self.after(&outer);
        self.together = together;
        self.push(v, false);
    }

    /// A bound on iterations: from 0 to [`MOST`], constant or computed.
    fn iterations(&mut self) -> Value {
        if self.rng.chance(50) {
            return self.func.dfg.iconst(Type::I32, self.rng.range(0, MOST));
        }
        let x = self.value(Type::I32).v;
        let mask = self.func.dfg.iconst(Type::I32, MOST);
        self.b().binary(Opcode::And, x, mask)
    }

    /// Starts a loop that runs so often and carries one value. Loops that test last are entered around a guard.
    fn open(&mut self, iterations: Value, first: Value) -> Counting {
        let down = self.rng.chance(25);
        let tested_first = self.rng.chance(60);
        let zero = self.func.dfg.iconst(Type::I32, 0);
        let (from, bound) = if down { (iterations, zero) } else { (zero, iterations) };
        let (header, exit) = (self.func.new_block(), self.func.dfg.make_block());
        if tested_first {
            self.b().jump(header, &[from, first]);
        } else {
            let some = self.b().icmp(IntCC::Ne, iterations, zero);
            self.b().br(some, (header, &[from, first]), (exit, &[first]));
        }
        let counter = self.func.dfg.add_param(header, Type::I32);
        let carried = self.func.dfg.add_param(header, Type::I32);
        self.block = header;
        let step = if down { -1 } else { 1 };
        if tested_first {
            let inside = self.func.new_block();
            let cc = if down { IntCC::Sgt } else { IntCC::Slt };
            let go = self.b().icmp(cc, counter, bound);
            self.b().br(go, (inside, &[]), (exit, &[carried]));
            self.block = inside;
        }
        let number = if down { self.b().op(Opcode::Sub, Flags::NSW, &[iterations, counter]) } else { counter };
        Counting { header, exit, number, counter, bound, step, tested_first, carried }
    }

    fn close(&mut self, l: &Counting, carried: Value, jam: UnrollRequest) {
        let md: LoopMd = self.func.loops.push(LoopMeta { jam, must_progress: true, ..LoopMeta::default() });
        let step = self.func.dfg.iconst(Type::I32, l.step);
        let next = self.b().op(Opcode::Add, Flags::NSW, &[l.counter, step]);
        if l.tested_first {
            self.b().jump_md(l.header, &[next, carried], Some(md));
        } else {
            let go = self.b().icmp(IntCC::Ne, next, l.bound);
            self.b().br_md(go, (l.header, &[next, carried]), (l.exit, &[carried]), Some(md));
        }
    }

    /// Goes on after a loop, with the value that it carried.
    fn after(&mut self, l: &Counting) -> Value {
        self.func.layout.append_block(l.exit);
        self.block = l.exit;
        self.func.dfg.add_param(l.exit, Type::I32)
    }

    /// `window[a × i + b × j + c]`
    fn subscript(&mut self, i: Value, j: Option<Value>) -> Value {
        let scaled = |g: &mut Self, v: Value, by: i64| {
            let by = g.func.dfg.iconst(Type::I32, by);
            g.b().op(Opcode::Mul, Flags::NSW, &[v, by])
        };
        let by = self.rng.pick(&OUTER_STEPS);
        let mut index = scaled(self, i, by);
        if let Some(j) = j {
            let by = self.rng.pick(&INNER_STEPS);
            let column = scaled(self, j, by);
            index = self.b().op(Opcode::Add, Flags::NSW, &[index, column]);
        }
        let offset = self.func.dfg.iconst(Type::I32, self.rng.range(0, FARTHEST));
        let index = self.b().op(Opcode::Add, Flags::NSW, &[index, offset]);
        let window = self.window.unwrap_or(index);
        let four = self.bits(Type::I64, 4);
        let mut b = self.b();
        let wide = b.cast(Opcode::SExt, index, Type::I64);
        let bytes = b.mul(wide, four);
        b.ptradd(window, bytes, Flags::NONE)
    }

    fn read(&mut self, i: Value, j: Option<Value>) -> Value {
        let at = self.subscript(i, j);
        self.b().load(Type::I32, at, MemInfo::aligned(4), Flags::NONE)
    }

    fn write(&mut self, i: Value, j: Option<Value>, v: Value) {
        let at = self.subscript(i, j);
        self.b().store(at, v, MemInfo::aligned(4), Flags::NONE);
    }

    /// `number & 1 ? v + 1 : v`, by a branch.
    fn fork(&mut self, number: Value, v: Value) -> Value {
        let one = self.func.dfg.iconst(Type::I32, 1);
        let odd = self.b().binary(Opcode::And, number, one);
        let cond = self.b().icmp(IntCC::Eq, odd, one);
        let (yes, end) = (self.func.new_block(), self.func.dfg.make_block());
        self.b().br(cond, (yes, &[]), (end, &[v]));
        self.block = yes;
        let more = self.b().binary(Opcode::Add, v, one);
        self.b().jump(end, &[more]);
        self.func.layout.append_block(end);
        self.block = end;
        self.func.dfg.add_param(end, Type::I32)
    }
}
