//! Barriers of a part of the group (`bar.sync a, b`, `bar.arrive a, b`).
//!
//! The group has a word of shared memory for each of the sixteen barriers: arrivals of the phase in the lower half, the phase's parity in
//! bit 32. Whoever is the last to arrive adds what begins the next phase; who waits asks until the parity has changed. Kernels
//! that have such barriers begin with clearing the words.

use super::func::Fx;
use crate::ast::Operand;
use crate::error::Outcome;
use crate::types::PtxType;
use ir::{
    AddrSpace, AtomicOp, ConstKind, Flags, FnKind, Function, Global, GlobalData, GlobalInit, IntCC, Intrinsic, MemInfo,
    MemOrder, Module, Opcode, Payload, Scope, Type, Value, ValueDef,
};

const NAME: &str = "__barriers_of_parts";
/// Barriers of a group.
const COUNT: i64 = 16;
/// Bit of the parity.
const PHASE: i64 = 32;

/// The words of a module, if it has them.
fn words(module: &Module) -> Option<Global> {
    module.globals.iter().find(|(_, g)| g.name == NAME && g.space == AddrSpace::Shared).map(|g| g.0)
}

/// Lets the kernels that may use barriers of parts begin with clearing them.
pub(super) fn clear_first(module: &mut Module) {
    let Some(words) = words(module) else { return };
    for f in module.functions.values_mut().filter(|f| f.kind == FnKind::Kernel && !f.is_declaration()) {
        if may_use(f, words) {
            clear(f, words);
        }
    }
}

/// Whether a function uses the words, or calls what may.
fn may_use(f: &Function, words: Global) -> bool {
    let mut yes = false;
    for i in f.layout.blocks().flat_map(|b| f.layout.insts(b)) {
        yes |= f.dfg.op(i) == Opcode::Call;
        f.dfg.for_each_use(i, |v| {
            let def = f.dfg.values[f.dfg.resolve(v)].def;
            yes |= matches!(def, ValueDef::Const(ConstKind::Global(g)) if g == words);
        });
    }
    yes
}

fn clear(f: &mut Function, words: Global) {
    let Some(first) = f.layout.first_inst(f.layout.entry()) else { return };
    let at = f.dfg.constant(Type::ptr(AddrSpace::Shared), ConstKind::Global(words));
    let (zero, bytes, number) =
        (f.dfg.iconst(Type::I8, 0), f.dfg.iconst(Type::I64, 8 * COUNT), f.dfg.iconst(Type::I32, 0));
    let mem = Payload::Mem(MemInfo::aligned(8));
    let all = f.dfg.make_inst(Opcode::MemSet, Type::VOID, Flags::NONE, &[at, zero, bytes], mem);
    let barrier = Payload::Intrinsic(Intrinsic::Barrier);
    let meet = f.dfg.make_inst(Opcode::Intrinsic, Type::VOID, Flags::NONE, &[number], barrier);
    f.layout.insert_inst_before(all, first);
    f.layout.insert_inst_before(meet, first);
}

impl<'a> Fx<'a, '_> {
    fn barrier_word(&mut self, number: Value) -> Value {
        let words = words(&self.cx.module).unwrap_or_else(|| {
            self.cx.module.globals.push(GlobalData {
                name: NAME.to_owned(),
                space: AddrSpace::Shared,
                size: 8 * COUNT as u64,
                align: 8,
                init: GlobalInit::None,
                constant: false,
                linkage: ir::Linkage::Internal,
                external: false,
                elem: Type::I64,
                span: self.span,
            })
        });
        let base = self.func.dfg.constant(Type::ptr(AddrSpace::Shared), ConstKind::Global(words));
        let (last, three) = (self.int(Type::I64, COUNT - 1), self.int(Type::I64, 3));
        let number = self.cast(Opcode::ZExt, number, Type::I64);
        let number = self.op(Opcode::And, &[number, last]);
        let offset = self.op(Opcode::Shl, &[number, three]);
        self.builder().op(Opcode::PtrAdd, Flags::NONE, &[base, offset])
    }

    /// `bar.sync a, b` and, of those who don't wait, `bar.arrive a, b`.
    pub(super) fn barrier_of_part(
        &mut self,
        number: &'a Operand<'a>,
        count: &'a Operand<'a>,
        waits: bool,
    ) -> Outcome<()> {
        let (number, count) = (self.value(number, PtxType::U(32))?, self.value(count, PtxType::U(32))?);
        let word = self.barrier_word(number);
        let count = self.cast(Opcode::ZExt, count, Type::I64);
        let (order, scope) = (MemOrder::AcqRel, Scope::Group);
        let one = self.int(Type::I64, 1);
        self.builder().fence(MemOrder::Release, scope);
        let before = self.builder().atomic_rmw(AtomicOp::Add, order, scope, word, one);
        let phase = self.part_phase(before);
        let arrivals = self.int(Type::I64, (1 << PHASE) - 1);
        let arrived = self.op(Opcode::And, &[before, arrivals]);
        let arrived = self.op(Opcode::Add, &[arrived, one]);
        let last = self.icmp(IntCC::Uge, arrived, count);
        let (shift, zero) = (self.int(Type::I64, PHASE), self.int(Type::I64, 0));
        let twice = self.op(Opcode::Shl, &[phase, one]);
        let change = self.op(Opcode::Sub, &[one, twice]);
        let change = self.op(Opcode::Shl, &[change, shift]);
        let next = self.op(Opcode::Sub, &[change, arrived]);
        let next = self.select(last, next, zero);
        self.builder().atomic_rmw(AtomicOp::Add, order, scope, word, next);
        if waits {
            self.wait_for_part(word, phase);
        }
        Ok(())
    }

    fn part_phase(&mut self, word: Value) -> Value {
        let (shift, one) = (self.int(Type::I64, PHASE), self.int(Type::I64, 1));
        let v = self.op(Opcode::LShr, &[word, shift]);
        self.op(Opcode::And, &[v, one])
    }

    fn wait_for_part(&mut self, word: Value, phase: Value) {
        let (again, done) = (self.func.new_block(), self.func.new_block());
        self.builder().jump(again, &[]);
        self.block = again;
        self.builder().intrinsic(Intrinsic::Yield, Type::VOID, &[]);
        let zero = self.int(Type::I64, 0);
        let now = self.builder().atomic_rmw(AtomicOp::Or, MemOrder::AcqRel, Scope::Group, word, zero);
        let now = self.part_phase(now);
        let waits = self.icmp(IntCC::Eq, now, phase);
        self.builder().br(waits, (again, &[]), (done, &[]));
        self.block = done;
    }
}
