//! What an instruction costs, in the measured compiler's units.
//!
//! Measured on nvcc 13.5 by the size estimates of its remarks: one instruction at a time in a loop of known size.
//! Most cost 1. Divisions cost 4, double square roots too. Free are constants, block parameters, casts that vanish
//! (a truncation from 64 to 32 bits, the extension of a load or of a comparison), lanes of vectors, and what an
//! address folds in: scaling by the element size, and for shared and private memory the extension of the index,
//! since addresses there have 32 bits. A vector built to be stored counts as the stores of its lanes.
//!
//! The units are those of the loop as LLVM sees it before strength reduction: pointer arithmetic counts once per
//! variable offset, and branches count unless they would vanish when blocks are merged.

use ir::{AddrSpace, Block, Function, Inst, Intrinsic, Opcode, Type, Value};

/// Users of each value inside one loop; what a cast's cost depends on.
#[derive(Default)]
pub struct Users {
    /// Values that only offsets of pointers use, all of them into 32-bit address spaces or scaled for them.
    narrow_index: rustc_hash::FxHashSet<Value>,
    /// Values that only scale an offset.
    scaling: rustc_hash::FxHashSet<Value>,
}

impl Users {
    /// Looks at the address computations in `blocks`. Cost: linear.
    pub fn new(func: &Function, blocks: &[Block]) -> Self {
        let mut found = Self::default();
        let mut other: rustc_hash::FxHashSet<Value> = rustc_hash::FxHashSet::default();
        for &b in blocks {
            for i in func.layout.insts(b) {
                if func.dfg.op(i) == Opcode::PtrAdd {
                    found.offset(func, func.dfg.arg(i, 0), func.dfg.arg(i, 1));
                }
            }
        }
        for &b in blocks {
            for i in func.layout.insts(b) {
                let is_address = func.dfg.op(i) == Opcode::PtrAdd;
                let is_scaling = func.dfg.result(i).is_some_and(|v| found.scaling.contains(&v));
                if is_address {
                    other.insert(func.dfg.arg(i, 0));
                } else if !is_scaling {
                    func.dfg.for_each_use(i, |v| {
                        other.insert(v);
                    });
                }
            }
        }
        found.scaling.retain(|v| !other.contains(v));
        found.narrow_index.retain(|v| !other.contains(v));
        found
    }

    fn offset(&mut self, func: &Function, base: Value, offset: Value) {
        let mut index = offset;
        if let Some(inner) = scaled(func, offset) {
            self.scaling.insert(offset);
            index = inner;
        }
        let narrow = matches!(func.dfg.ty(base).space(), Some(AddrSpace::Shared | AddrSpace::Private));
        if narrow && self.extends(func, index) {
            self.narrow_index.insert(index);
        }
    }

    fn extends(&self, func: &Function, v: Value) -> bool {
        let Some(i) = func.dfg.def_inst(v) else { return false };
        matches!(func.dfg.op(i), Opcode::SExt | Opcode::ZExt) && func.dfg.ty(v) == Type::I64
    }
}

/// `x` of `x * constant` or `x << constant`.
fn scaled(func: &Function, v: Value) -> Option<Value> {
    let i = func.dfg.def_inst(v)?;
    let constant = func.dfg.args(i).get(1).is_some_and(|&c| func.dfg.as_bits(c).is_some());
    (constant && matches!(func.dfg.op(i), Opcode::Mul | Opcode::Shl)).then(|| func.dfg.arg(i, 0))
}

/// Cost of a division or of what is implemented by one.
const DIVISION: u32 = 4;

/// What `inst` costs. `preds` gives the number of branches to a block.
pub fn inst_cost(func: &Function, users: &Users, inst: Inst, preds: impl Fn(Block) -> usize) -> u32 {
    let data = &func.dfg.insts[inst];
    let lanes = u32::from(data.ty.lanes().max(1));
    let result = func.dfg.result(inst);
    match data.op {
        _ if result.is_some_and(|v| users.scaling.contains(&v)) => 0,
        Opcode::SDiv | Opcode::UDiv | Opcode::SRem | Opcode::URem | Opcode::FDiv | Opcode::FRem => DIVISION * lanes,
        Opcode::FSqrt if data.ty.scalar() == Type::F64 => DIVISION * lanes,
        Opcode::SMin | Opcode::SMax | Opcode::UMin | Opcode::UMax => 2 * lanes,
        Opcode::Abs => 3 * lanes,
        op if op.is_cast() => cast_cost(func, users, inst),
        Opcode::PtrAdd => address_cost(func, inst),
        Opcode::Store => store_cost(func, inst),
        Opcode::VecBuild | Opcode::Extract | Opcode::Insert | Opcode::Assume | Opcode::Provable => 0,
        Opcode::Call => 1 + func.dfg.args(inst).len() as u32,
        Opcode::Intrinsic => intrinsic_cost(func, inst),
        Opcode::Jump => u32::from(!vanishes(func, inst, preds)),
        Opcode::Load | Opcode::Shuffle | Opcode::Br | Opcode::Switch => 1,
        op if op.is_pure() => lanes,
        _ => 1,
    }
}

fn cast_cost(func: &Function, users: &Users, inst: Inst) -> u32 {
    let data = &func.dfg.insts[inst];
    let arg = func.dfg.arg(inst, 0);
    let from = func.dfg.ty(arg);
    let lanes = u32::from(data.ty.lanes().max(1));
    let made_by = func.dfg.def_inst(arg).map(|i| func.dfg.op(i));
    match data.op {
        Opcode::Trunc if from == Type::I64 && data.ty == Type::I32 => 0,
        Opcode::ZExt | Opcode::SExt => {
            let narrow = func.dfg.result(inst).is_some_and(|v| users.narrow_index.contains(&v));
            let folds = matches!(made_by, Some(Opcode::Load | Opcode::Icmp | Opcode::Fcmp));
            if narrow || folds { 0 } else { lanes }
        }
        Opcode::Bitcast => u32::from(from.is_float() != data.ty.is_float()),
        Opcode::PtrToInt | Opcode::IntToPtr | Opcode::AddrSpaceCast => 0,
        _ => lanes,
    }
}

/// A constant offset folds into the access, unless the pointer below it was itself computed.
fn address_cost(func: &Function, inst: Inst) -> u32 {
    u32::from(func.dfg.as_bits(func.dfg.arg(inst, 1)).is_none())
}

fn store_cost(func: &Function, inst: Inst) -> u32 {
    let value = func.dfg.arg(inst, 1);
    let built = func.dfg.def_op(value, Opcode::VecBuild).is_some();
    if built { (2 * u32::from(func.dfg.ty(value).lanes())).saturating_sub(1) } else { 1 }
}

fn intrinsic_cost(func: &Function, inst: Inst) -> u32 {
    let data = &func.dfg.insts[inst];
    match data.intrinsic() {
        // A float travels as an integer: two bit casts.
        Some(Intrinsic::ShflIdx | Intrinsic::ShflUp | Intrinsic::ShflDown | Intrinsic::ShflBfly) => {
            if data.ty.is_float() { 3 } else { 1 }
        }
        Some(Intrinsic::DivFull | Intrinsic::RcpRn) => DIVISION,
        _ => 1,
    }
}

/// Whether merging blocks would remove a jump: its block holds nothing else, or nobody else goes where it goes.
fn vanishes(func: &Function, inst: Inst, preds: impl Fn(Block) -> usize) -> bool {
    let target = func.dfg.successor(inst, 0);
    let alone = func.layout.inst_block(inst).and_then(|b| func.layout.first_inst(b)) == Some(inst);
    alone || preds(target) <= 1
}
