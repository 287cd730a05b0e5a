//! `mbarrier`: barrier objects, 64-bit words of shared memory that count who has arrived and how many bytes are still to come.
//!
//! The machine does not say how it uses the word. Here it is, from bit 0 on: arrivals that the phase still waits for (20
//! bits), those of each phase (20), the phase's parity (1), a bit that is 0, and bytes that are to come (22, of either sign, so at
//! the top, where what they carry or borrow is lost). Each operation is one addition to the word; whoever leaves nothing to wait for
//! adds what begins the next phase. Copies are made at once, so their bytes have come when the instruction ends.

use super::func::Fx;
use super::memory::SCOPES;
use super::mods::Mods;
use crate::ast::{Instruction, Operand};
use crate::error::{Outcome, PtxError};
use crate::types::{PtxType, Space};
use ir::{AtomicOp, Flags, IntCC, Intrinsic, MemInfo, MemOrder, Opcode, Scope, Type, Value};

const COUNT: PtxType = PtxType::U(32);
/// First bit of the number of arrivals of each phase.
const EXPECTED: i64 = 20;
/// Bit of the parity.
const PHASE: i64 = 40;
/// First bit of the bytes.
const BYTES: i64 = 42;
/// Numbers of arrivals.
const ARRIVALS: i64 = (1 << EXPECTED) - 1;
/// What is 0 when a phase is complete.
const WAITS: i64 = ARRIVALS | -1 << BYTES;

impl<'a> Fx<'a, '_> {
    fn wide(&mut self, n: i64) -> Value {
        self.int(Type::I64, n)
    }

    fn times(&mut self, v: Value, shift: i64) -> Value {
        let shift = self.wide(shift);
        self.op(Opcode::Shl, &[v, shift])
    }

    /// An operand of 32 bits as one of 64.
    fn count_operand(&mut self, o: &'a Operand<'a>) -> Outcome<Value> {
        let v = self.value(o, COUNT)?;
        Ok(self.cast(Opcode::ZExt, v, Type::I64))
    }

    /// Adds to an object, and begins its next phase if nothing is left to wait for; what it was before.
    fn change(&mut self, object: Value, by: Value) -> Value {
        let (order, scope) = (MemOrder::AcqRel, Scope::Group);
        // Checks know by this that what was done before is told to those who wait.
        self.builder().fence(MemOrder::Release, scope);
        let before = self.builder().atomic_rmw(AtomicOp::Add, order, scope, object, by);
        let now = self.op(Opcode::Add, &[before, by]);
        let (waits, zero, one) = (self.wide(WAITS), self.wide(0), self.wide(1));
        let left = self.op(Opcode::And, &[now, waits]);
        let complete = self.icmp(IntCC::Eq, left, zero);
        // The parity changes: one more, or one less.
        let parity = self.parity(now);
        let twice = self.op(Opcode::Shl, &[parity, one]);
        let change = self.op(Opcode::Sub, &[one, twice]);
        let change = self.times(change, PHASE);
        let (expected, arrivals) = (self.wide(EXPECTED), self.wide(ARRIVALS));
        let expected = self.op(Opcode::LShr, &[now, expected]);
        let expected = self.op(Opcode::And, &[expected, arrivals]);
        let next = self.op(Opcode::Add, &[change, expected]);
        let next = self.select(complete, next, zero);
        self.builder().atomic_rmw(AtomicOp::Add, order, scope, object, next);
        before
    }

    /// The parity of a word's phase, 0 or 1.
    fn parity(&mut self, word: Value) -> Value {
        let (phase, one) = (self.wide(PHASE), self.wide(1));
        let v = self.op(Opcode::LShr, &[word, phase]);
        self.op(Opcode::And, &[v, one])
    }

    /// `count` have arrived.
    fn arrive(&mut self, object: Value, count: Value, drops: bool, bytes: Option<Value>) -> Value {
        let zero = self.wide(0);
        let mut by = self.op(Opcode::Sub, &[zero, count]);
        if drops {
            let fewer = self.times(count, EXPECTED);
            by = self.op(Opcode::Sub, &[by, fewer]);
        }
        if let Some(bytes) = bytes {
            let bytes = self.times(bytes, BYTES);
            by = self.op(Opcode::Add, &[by, bytes]);
        }
        self.change(object, by)
    }

    /// Bytes that an object waits for have come.
    pub(super) fn bytes_come(&mut self, object: Value, bytes: Value) {
        let (zero, bytes) = (self.wide(0), self.times(bytes, BYTES));
        let by = self.op(Opcode::Sub, &[zero, bytes]);
        self.change(object, by);
    }

    /// `cp.async.mbarrier.arrive`: the copies of this work-item have been made. Without `noinc` the object waits for one more
    /// before that, which comes to nothing.
    pub(super) fn copies_arrive(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        m.take("arrive");
        let counts = m.take("noinc");
        let space = m.pick(Space::named).unwrap_or(Space::Generic);
        m.take("b64");
        let [a] = self.operands(i)?;
        let object = self.address(a, space)?;
        if counts {
            let one = self.wide(1);
            self.arrive(object, one, false, None);
        }
        Ok(())
    }

    /// `mbarrier`
    pub(super) fn barrier_object(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        const WORDS: [&str; 9] = [
            "init",
            "inval",
            "arrive",
            "arrive_drop",
            "test_wait",
            "try_wait",
            "pending_count",
            "expect_tx",
            "complete_tx",
        ];
        let Some(word) = m.pick(|w| WORDS.contains(&w).then_some(w)) else {
            return Err(PtxError::operand(i.span, format!("`{}` lacks what to do", i.full_name())));
        };
        let expects = word.starts_with("arrive") && m.take("expect_tx");
        let parity = word.ends_with("_wait") && m.take("parity");
        for w in ["noComplete", "relaxed", "acquire", "release"] {
            m.take(w);
        }
        m.one_of(&SCOPES);
        let space = m.pick(Space::named).unwrap_or(Space::Generic);
        if m.ty()? != PtxType::B(64) {
            return Err(PtxError::operand(i.span, format!("`{}` is for `.b64`", i.full_name())));
        }
        let operands = i.operands.as_slice();
        let wrong = || PtxError::operand(i.span, format!("`{}` with {} operands", i.full_name(), operands.len()));
        match (word, operands) {
            ("init", [a, count]) => self.begin(a, Some(count), space),
            ("inval", [a]) => self.begin(a, None, space),
            ("arrive" | "arrive_drop", [state, a, rest @ ..]) if rest.len() <= 1 => {
                let object = self.address(a, space)?;
                let given = rest.first().map(|o| self.count_operand(o)).transpose()?;
                let one = self.wide(1);
                let (count, bytes) = if expects { (one, given) } else { (given.unwrap_or(one), None) };
                if expects && bytes.is_none() {
                    return Err(wrong());
                }
                let before = self.arrive(object, count, word == "arrive_drop", bytes);
                self.set(state, before, PtxType::B(64))
            }
            ("expect_tx" | "complete_tx", [a, bytes]) => {
                let (object, bytes) = (self.address(a, space)?, self.count_operand(bytes)?);
                if word == "complete_tx" {
                    self.bytes_come(object, bytes);
                } else {
                    let by = self.times(bytes, BYTES);
                    self.change(object, by);
                }
                Ok(())
            }
            ("test_wait", [done, a, phase]) | ("try_wait", [done, a, phase] | [done, a, phase, _]) => {
                self.ask(done, (a, space), phase, parity)
            }
            ("pending_count", [count, state]) => {
                let (state, arrivals) = (self.value(state, PtxType::B(64))?, self.wide(ARRIVALS));
                let left = self.op(Opcode::And, &[state, arrivals]);
                let left = self.resize(left, Type::I32, false);
                self.set(count, left, COUNT)
            }
            _ => Err(wrong()),
        }
    }

    /// The first phase, or none any more.
    fn begin(&mut self, a: &'a Operand<'a>, count: Option<&'a Operand<'a>>, space: Space) -> Outcome<()> {
        let object = self.address(a, space)?;
        let word = match count {
            Some(count) => {
                let (count, arrivals) = (self.count_operand(count)?, self.wide(ARRIVALS));
                let count = self.op(Opcode::And, &[count, arrivals]);
                let each = self.times(count, EXPECTED);
                self.op(Opcode::Or, &[count, each])
            }
            None => {
                // The others' last changes were atomic. Who is the last of them was told by other memory, which checks of races do not
                // follow through a warp.
                let none = self.wide(0);
                self.builder().atomic_rmw(AtomicOp::Xchg, MemOrder::AcqRel, Scope::Group, object, none);
                return Ok(());
            }
        };
        self.builder().store(object, word, MemInfo::aligned(8), Flags::NONE);
        Ok(())
    }

    /// Whether a phase is complete: that of a state, or the last one of a parity. Who asks in vain asks again, so it is the
    /// others' turn before.
    fn ask(
        &mut self,
        done: &'a Operand<'a>,
        object: (&'a Operand<'a>, Space),
        phase: &'a Operand<'a>,
        parity: bool,
    ) -> Outcome<()> {
        let object = self.address(object.0, object.1)?;
        let asked = if parity {
            let (v, one) = (self.count_operand(phase)?, self.wide(1));
            self.op(Opcode::And, &[v, one])
        } else {
            let state = self.value(phase, PtxType::B(64))?;
            self.parity(state)
        };
        self.builder().intrinsic(Intrinsic::Yield, Type::VOID, &[]);
        let nothing = self.wide(0);
        let now = self.builder().atomic_rmw(AtomicOp::Or, MemOrder::AcqRel, Scope::Group, object, nothing);
        let now = self.parity(now);
        let complete = self.icmp(IntCC::Ne, now, asked);
        self.set(done, complete, PtxType::Pred)
    }
}
