//! Whose turn it is in kernels of which some work-items wait for what others do (`yield`: barrier objects).
//!
//! The regions behind `yield`s run one after another, by number, as long as somebody waits there; after each such round the
//! region of the lowest warp operation at which somebody waits, and only when nobody waits at a `yield` any more that of a
//! barrier. So nobody who can go on is forgotten. A warp of which a lane waits at a `yield` may still be joined by
//! that lane: until then its others are *held* at their warp operations, by a bit in their state.

use super::emit::{Emitter, GONE};
use super::storage::{Offset, memory_type};
use ir::{Block, Builder, Flags, IntCC, Opcode, Payload, Type, Value};

/// In the state of a work-item that waits for the other lanes of its warp.
const HELD: i64 = 1 << 30;
/// Nobody waits.
const NOBODY: i64 = GONE;

/// Where regions are picked: what is found on a way over all work-items.
struct Found {
    /// The lowest number at which somebody waits who is not held, `yield`s apart.
    others: Value,
    /// The lowest number of a `yield` at which somebody waits.
    first: Value,
    /// The lowest of those behind the one that was last.
    next: Value,
}

impl Emitter<'_> {
    fn turn_op(&mut self, at: Block, op: Opcode, a: Value, b: Value) -> Value {
        let ty = self.out.dfg.ty(a);
        self.push(at, op, ty, Flags::NONE, &[a, b], Payload::None)
    }

    fn turn_cmp(&mut self, at: Block, cc: IntCC, a: Value, b: Value) -> Value {
        self.push(at, Opcode::Icmp, Type::I1, Flags::NONE, &[a, b], Payload::IntCC(cc))
    }

    fn turn_pick(&mut self, at: Block, c: Value, a: Value, b: Value) -> Value {
        let ty = self.out.dfg.ty(a);
        self.push(at, Opcode::Select, ty, Flags::NONE, &[c, a, b], Payload::None)
    }

    fn word(&mut self, n: i64) -> Value {
        self.out.dfg.iconst(Type::I32, n)
    }

    /// The place of element `i` of an array of words.
    fn word_at(&mut self, at: Block, array: Offset, i: Value) -> Value {
        let base = self.entry.scratch(&mut self.out, array);
        self.scaled(at, base, i, 4)
    }

    /// Whether a state is one of `count` numbers from `first` on.
    fn is_among(&mut self, at: Block, state: Value, first: u32, count: u32) -> Value {
        let (first, count) = (self.word(first.into()), self.word(count.into()));
        let n = self.turn_op(at, Opcode::Sub, state, first);
        self.turn_cmp(at, IntCC::Ult, n, count)
    }

    /// Goes to the region whose turn it is.
    pub(super) fn turns(&mut self) {
        let Some(state) = self.state else { return };
        let (last, spins) = (self.scratch.take(4), self.scratch.array(Type::I32));
        let (place, zero) = (self.entry.scratch(&mut self.out, last), self.word(0));
        self.store_to(self.entry.block, place, zero);
        self.out.layout.append_block(self.dispatch);
        let start = self.mark_spinning(state, spins);
        let turn = self.load_from(start, place, Type::I32);
        let (done, found) = self.hold(start, state, spins, turn);
        self.choose(done, place, &found);
    }

    /// A loop over the work-items from the open block `from` on: its block, the number of the work-item, the loop's other values.
    fn over_items(&mut self, from: Block, values: &[Value]) -> (Block, Vec<Value>) {
        let head = self.out.new_block();
        let zero = self.word(0);
        let mut args = vec![zero];
        args.extend_from_slice(values);
        let params = args.iter().map(|_| self.out.dfg.add_param(head, Type::I32)).collect();
        self.jump(from, head, &args);
        (head, params)
    }

    /// Ends such a loop: the block behind it.
    fn next_item(&mut self, head: Block, i: Value, values: &[Value]) -> Block {
        let (one, n) = (self.word(1), self.entry.items(&mut self.out));
        let up = self.push(head, Opcode::Add, Type::I32, Flags::NUW.with(Flags::NSW), &[i, one], Payload::None);
        let less = self.turn_cmp(head, IntCC::Ult, up, n);
        let done = self.out.new_block();
        let mut args = vec![up];
        args.extend_from_slice(values);
        Builder::at_end(&mut self.out, head).br(less, (head, &args), (done, &[]));
        done
    }

    /// The warp of a work-item.
    fn warp_of(&mut self, at: Block, i: Value) -> Value {
        let shift = self.word(self.options.target.warp_size().trailing_zeros().into());
        self.turn_op(at, Opcode::LShr, i, shift)
    }

    /// Notes for each warp whether a lane of it waits at a `yield`.
    fn mark_spinning(&mut self, state: Offset, spins: Offset) -> Block {
        let (head, params) = self.over_items(self.dispatch, &[]);
        let i = params[0];
        let at = self.word_at(head, state, i);
        let now = self.load_from(head, at, memory_type(Type::I32));
        let waits = self.is_among(head, now, 1, self.plan.turns[0]);
        let waits = self.push(head, Opcode::ZExt, Type::I32, Flags::NONE, &[waits], Payload::None);
        let warp = self.warp_of(head, i);
        let to = self.word_at(head, spins, warp);
        let before = self.load_from(head, to, Type::I32);
        let (low, zero) = (self.word(i64::from(self.options.target.warp_size()) - 1), self.word(0));
        let lane = self.turn_op(head, Opcode::And, i, low);
        let is_first = self.turn_cmp(head, IntCC::Eq, lane, zero);
        let before = self.turn_pick(head, is_first, zero, before);
        let now = self.turn_op(head, Opcode::Or, before, waits);
        self.store_to(head, to, now);
        self.next_item(head, i, &[])
    }

    /// Holds who waits for lanes of its warp, lets go whom it held before, and looks who waits where.
    fn hold(&mut self, from: Block, state: Offset, spins: Offset, turn: Value) -> (Block, Found) {
        let nobody = self.word(NOBODY);
        let (head, params) = self.over_items(from, &[nobody; 3]);
        let (i, zero) = (params[0], self.word(0));
        let at = self.word_at(head, state, i);
        let now = self.load_from(head, at, memory_type(Type::I32));
        let (bit, others) = (self.word(HELD), self.word(!HELD));
        let free = self.turn_op(head, Opcode::And, now, others);
        let gone = self.turn_cmp(head, IntCC::Eq, now, nobody);
        let now = self.turn_pick(head, gone, now, free);
        let warp = self.warp_of(head, i);
        let spins = self.word_at(head, spins, warp);
        let spins = self.load_from(head, spins, Type::I32);
        let spins = self.turn_cmp(head, IntCC::Ne, spins, zero);
        let [yields, meets] = self.plan.turns;
        let meets = self.is_among(head, now, 1 + yields, meets);
        let held = self.turn_op(head, Opcode::And, spins, meets);
        let held_now = self.turn_op(head, Opcode::Or, now, bit);
        let now = self.turn_pick(head, held, held_now, now);
        self.store_to(head, at, now);
        let yields = self.is_among(head, now, 1, yields);
        let behind = self.turn_cmp(head, IntCC::Ugt, now, turn);
        let behind = self.turn_op(head, Opcode::And, yields, behind);
        let seen = [
            self.turn_pick(head, yields, nobody, now),
            self.turn_pick(head, yields, now, nobody),
            self.turn_pick(head, behind, now, nobody),
        ];
        let mut least = [nobody; 3];
        for (n, v) in seen.into_iter().enumerate() {
            least[n] = self.turn_op(head, Opcode::UMin, params[1 + n], v);
        }
        let done = self.next_item(head, i, &least);
        (done, Found { others: least[0], first: least[1], next: least[2] })
    }

    fn choose(&mut self, at: Block, turn: Value, found: &Found) {
        let [yields, meets] = self.plan.turns;
        let (nobody, zero) = (self.word(NOBODY), self.word(0));
        let meets = self.is_among(at, found.others, 1 + yields, meets);
        let none = self.turn_cmp(at, IntCC::Eq, found.first, nobody);
        let others = self.turn_op(at, Opcode::Or, meets, none);
        let round = self.turn_pick(at, others, found.others, found.first);
        let over = self.turn_cmp(at, IntCC::Eq, found.next, nobody);
        let pick = self.turn_pick(at, over, round, found.next);
        let yields = self.is_among(at, pick, 1, yields);
        let last = self.turn_pick(at, yields, pick, zero);
        self.store_to(at, turn, last);
        let regions = self.plan.regions.iter().zip(&self.starts).skip(1);
        let cases: Vec<(u64, Block)> = regions.map(|(r, &b)| (u64::from(r.key), b)).collect();
        Builder::at_end(&mut self.out, at).switch(pick, &cases, self.leave);
    }
}
