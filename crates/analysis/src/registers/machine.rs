//! Instructions as the assembler sees them: what folds into others is gone, and values are 32-bit registers.

use super::narrow;
use crate::Cfg;
use cranelift_entity::SecondaryMap;
use ir::{
    AddrSpace, ConstKind, Flags, FnKind, Function, Inst, Intrinsic, Opcode, ScalarKind, SpecialReg, Type, Value,
    ValueDef,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A 32-bit register, or a predicate.
pub(super) type Reg = u32;
/// Registers of a value, low word and first lane first.
pub(super) type Regs = SmallVec<[Reg; 4]>;

/// Cycles until a result of arithmetic can be read: other warps run meanwhile, so nothing is moved because of it.
pub(super) const ARITHMETIC: u32 = 1;
/// The same of special registers and exchange between lanes.
const NEAR: u32 = 20;
/// The same of constant and shared memory.
const FAR: u32 = 30;
/// The same of a division or a square root.
const ROUTINE: u32 = 60;
/// The same of device memory.
pub(super) const MEMORY: u32 = 100;
/// Registers for the steps of a division or square root, as measured.
const STEPS: u32 = 4;
/// The same of an atomic operation on one place for all threads, whose result nothing reads.
const JOINED: u32 = 4;
/// The same of a division of floats, which is a function beside the kernel where the quotient is not a normal number.
const QUOTIENT: u32 = 6;
/// The same in 64 bits.
const WIDE_STEPS: u32 = 10;
/// The same of a division of integers of 64 bits, which is a function beside the kernel with registers of its own.
const CALLED: u32 = 12;
/// The most registers through which a copy of memory goes at once, as measured.
const COPIED: u64 = 22;

/// State that orders instructions, as bits.
pub(super) mod state {
    pub(in crate::registers) const GLOBAL: u8 = 1;
    pub(in crate::registers) const SHARED: u8 = 2;
    pub(super) const PRIVATE: u8 = 4;
    /// Exchange between lanes.
    pub(super) const LANES: u8 = 8;
    pub(in crate::registers) const ALL: u8 = 15;
}

/// Kinds of state.
pub(super) const STATES: usize = 4;

/// One instruction.
#[derive(Clone, Debug, Default)]
pub(super) struct Op {
    /// What it writes.
    pub defs: Regs,
    /// What it reads, each once.
    pub uses: Regs,
    /// What of that it puts into memory.
    pub stored: Regs,
    /// Uniform operands that it needs in registers of each thread: pointers that it adds to or goes through, what it
    /// stores.
    pub needs: SmallVec<[Value; 2]>,
    /// Cycles until its results can be read.
    pub latency: u32,
    /// Registers that it takes for a moment beside its operands.
    pub scratch: u32,
    /// State that it reads: a bit each.
    pub reads: u8,
    /// State that it writes.
    pub writes: u8,
    /// An integer that is linear in its operands, so that the same in the next round is a constant away.
    pub linear: bool,
}

/// The registers of a function.
pub(super) struct Machine<'a> {
    pub func: &'a Function,
    /// Registers of each value; none of what is uniform.
    values: SecondaryMap<Value, Regs>,
    /// Values in uniform registers or constant memory.
    uniform: SecondaryMap<Value, bool>,
    /// Values that are read.
    read: SecondaryMap<Value, bool>,
    /// For each register whether it is one: predicates are not.
    sizes: Vec<u8>,
    /// Numbers of groups that are scaled where other registers are added.
    groups: SecondaryMap<Value, bool>,
    /// Values of 64 bits that have one register.
    narrow: SecondaryMap<Value, bool>,
    /// Addresses of shared memory by base, index without a constant part, and scale.
    shared: FxHashMap<(Value, Value, i128), Value>,
}

impl<'a> Machine<'a> {
    /// Registers for the values of a function; with `groups`, numbers of groups stand in registers where they are scaled.
    pub(super) fn new(func: &'a Function, cfg: &Cfg, groups: bool) -> Self {
        let values = func.dfg.values.len();
        let insts: Vec<Inst> = cfg.rpo().iter().flat_map(|&b| func.layout.insts(b)).collect();
        let mut this = Self {
            func,
            values: SecondaryMap::with_capacity(values),
            uniform: ir::side_table(values),
            read: ir::side_table(values),
            sizes: Vec::new(),
            groups: ir::side_table(values),
            narrow: narrow::narrow(func, &insts),
            shared: FxHashMap::default(),
        };
        for &i in &insts {
            func.dfg.for_each_use(i, |v| this.read[func.dfg.resolve(v)] = true);
        }
        for (n, &b) in cfg.rpo().iter().enumerate() {
            for &p in func.dfg.params(b) {
                if n == 0 && func.kind == FnKind::Kernel {
                    this.uniform[p] = true;
                } else {
                    this.own(p);
                }
            }
        }
        if groups {
            this.groups = indices(func, &insts);
        }
        for i in insts {
            if let Some(v) = func.dfg.result(i) {
                this.allot(i, v);
            }
        }
        this
    }

    /// The registers of a value.
    pub(super) fn regs(&self, v: Value) -> &[Reg] {
        &self.values[self.func.dfg.resolve(v)]
    }

    /// Number of registers and predicates.
    pub(super) fn len(&self) -> usize {
        self.sizes.len()
    }

    /// 1 for a register, 0 for a predicate.
    pub(super) fn size(&self, r: Reg) -> u8 {
        self.sizes[r as usize]
    }

    /// Registers that a value of its own takes, and [`Self::size`] of each.
    pub(super) fn words(&self, v: Value) -> (usize, u8) {
        words(self.func.dfg.ty(v))
    }

    fn own(&mut self, v: Value) {
        let (count, size) = if self.narrow[v] { (1, 1) } else { self.words(v) };
        let first = self.sizes.len() as Reg;
        self.sizes.resize(self.sizes.len() + count, size);
        self.values[v] = (first..first + count as Reg).collect();
    }

    /// Registers of one lane; two narrow lanes may share one.
    fn lane(&self, v: Value, lane: usize) -> Regs {
        let regs = self.regs(v);
        let lanes = usize::from(self.func.dfg.ty(v).lanes());
        if regs.len() >= lanes {
            let each = regs.len() / lanes;
            regs.iter().copied().skip(lane * each).take(each).collect()
        } else {
            regs.get(lane * regs.len() / lanes).copied().into_iter().collect()
        }
    }

    fn is_uniform(&self, v: Value) -> bool {
        let v = self.func.dfg.resolve(v);
        let constant = |c| !matches!(c, ConstKind::Slot(_));
        self.uniform[v] || matches!(self.func.dfg.def(v), ValueDef::Const(c) if constant(c))
    }

    /// Gives a result its registers: those of an operand where the instruction folds into its readers or is only a
    /// name, none where it is uniform, else its own.
    fn allot(&mut self, i: Inst, v: Value) {
        if self.runs_uniformly(i) {
            self.uniform[v] = true;
        } else if let Some(regs) = self.alias(i, v).or_else(|| self.neighbour(i, v)) {
            self.values[v] = regs;
        } else {
            self.own(v);
        }
    }

    /// The registers of an address of shared memory that is a constant away: it has 32 bits, so that a sum in its index
    /// can be taken apart.
    fn neighbour(&mut self, i: Inst, v: Value) -> Option<Regs> {
        let dfg = &self.func.dfg;
        if dfg.op(i) != Opcode::PtrAdd || dfg.ty(v).space() != Some(AddrSpace::Shared) {
            return None;
        }
        let mut index = dfg.resolve(dfg.arg(i, 1));
        let mut scale = 1i128;
        while let Some(of) = dfg.def_inst(index) {
            let args = dfg.args(of);
            let known = || dfg.as_int(args[1]);
            let next = match dfg.op(of) {
                Opcode::SExt | Opcode::ZExt if dfg.ty(args[0]) == Type::I32 => args[0],
                Opcode::Shl if known().is_some_and(|n| (0..32).contains(&n)) => {
                    scale = scale.wrapping_shl(known()? as u32);
                    args[0]
                }
                Opcode::Add if known().is_some() => args[0],
                _ => break,
            };
            index = dfg.resolve(next);
        }
        let base = dfg.resolve(dfg.arg(i, 0));
        let first = *self.shared.entry((base, index, scale)).or_insert(v);
        (first != v).then(|| Regs::from_slice(self.regs(first)))
    }

    fn alias(&self, i: Inst, v: Value) -> Option<Regs> {
        let dfg = &self.func.dfg;
        let args = dfg.args(i);
        let same = |x: Value| Some(Regs::from_slice(self.regs(x)));
        match (dfg.op(i), args) {
            (Opcode::AddrSpaceCast | Opcode::Bitcast | Opcode::PtrToInt | Opcode::IntToPtr | Opcode::Splat, &[x])
            // Signs are part of the operands that instructions read.
            | (Opcode::FNeg | Opcode::FAbs, &[x]) => {
                same(x)
            }
            (Opcode::PtrAdd, &[p, offset]) if dfg.as_int(offset).is_some() => same(p),
            (Opcode::SExt | Opcode::ZExt, &[x]) if dfg.ty(x) == Type::I32 => same(x),
            // One word of a value: the other is zero, or its sign.
            (Opcode::And, &[x, mask]) if dfg.as_bits(mask) == Some(u64::from(u32::MAX)) => {
                Some(self.regs(x).iter().copied().take(1).collect())
            }
            (Opcode::LShr | Opcode::AShr, &[x, n]) if dfg.as_int(n) == Some(32) && self.regs(x).len() == 2 => {
                Some(self.regs(x).iter().copied().skip(1).collect())
            }
            (Opcode::Trunc, &[x]) if !dfg.ty(v).is_vector() => Some(self.regs(x).iter().copied().take(1).collect()),
            // A scaled index: the product is formed where the address is.
            (Opcode::Shl | Opcode::Mul, &[x, n])
                if dfg.as_int(n).is_some() && dfg.ty(v).scalar_bytes() == 8 && self.regs(x).len() == 1 =>
            {
                same(x)
            }
            (Opcode::Extract, &[x]) => Some(self.lane(x, usize::from(dfg.insts[i].lane()?))),
            (Opcode::VecBuild, _) => Some(args.iter().flat_map(|&x| self.regs(x).iter().copied()).collect()),
            (Opcode::Insert, &[x, y]) => {
                let at = usize::from(dfg.insts[i].lane()?);
                let part = |n| if n == at { Regs::from_slice(self.regs(y)) } else { self.lane(x, n) };
                let mut all: Regs = (0..usize::from(dfg.ty(x).lanes())).flat_map(part).collect();
                all.dedup();
                Some(all)
            }
            _ => None,
        }
    }

    /// Whether the instruction runs in the uniform data path, or is an operand in constant memory.
    fn runs_uniformly(&self, i: Inst) -> bool {
        use Opcode::{
            AddrSpaceCast, Extract, Icmp, IntToPtr, Load, PtrAdd, PtrToInt, SDiv, SExt, SRem, Select, Special, Trunc,
            UDiv, URem, ZExt,
        };
        let dfg = &self.func.dfg;
        let args = dfg.args(i);
        let all = || args.iter().all(|&x| self.is_uniform(x));
        match dfg.op(i) {
            Special => {
                dfg.insts[i].special().is_some_and(is_same_in_group) && !dfg.result(i).is_some_and(|v| self.groups[v])
            }
            Load => matches!(dfg.ty(args[0]).space(), Some(AddrSpace::Param | AddrSpace::Constant)) && all(),
            SDiv | UDiv | SRem | URem => false,
            op if op < Opcode::FAdd => all(),
            Icmp | Select | Trunc | ZExt | SExt | PtrToInt | IntToPtr | AddrSpaceCast | PtrAdd | Extract => all(),
            _ => false,
        }
    }

    /// The instruction that `i` becomes; none if it folds into others.
    pub(super) fn op(&self, i: Inst) -> Option<Op> {
        use Opcode::{Add, Insert, Mul, PtrAdd, SExt, Shl, Splat, Sub, VecBuild, ZExt};
        let dfg = &self.func.dfg;
        let op = dfg.op(i);
        let mut uses = Regs::new();
        dfg.for_each_use(i, |v| uses.extend_from_slice(self.regs(v)));
        uses.sort_unstable();
        uses.dedup();
        let mut defs = Regs::new();
        if let Some(v) = dfg.result(i).filter(|&v| self.read[v]) {
            defs.extend_from_slice(self.regs(v));
            let is_name = !defs.is_empty() && defs.iter().all(|d| uses.contains(d));
            if is_name || self.is_uniform(v) || matches!(op, VecBuild | Insert | Splat) {
                return None;
            }
        }
        let (reads, writes) = self.states(i);
        let linear = matches!(op, Add | Sub | Mul | Shl | PtrAdd | SExt | ZExt);
        let (latency, scratch) = (self.latency(i), self.scratch(i));
        let stored = if op == Opcode::Store { Regs::from_slice(self.regs(dfg.arg(i, 1))) } else { Regs::new() };
        Some(Op { defs, uses, stored, needs: self.needs(i), latency, scratch, reads, writes, linear })
    }

    /// The instruction that makes `v`, if it is so cheap that the assembler has it twice before it keeps a register.
    pub(super) fn cheap(&self, v: Value) -> Option<Op> {
        use Opcode::{Add, And, Icmp, Or, PtrAdd, Shl, Sub, Xor};
        let i = self.func.dfg.def_inst(v)?;
        let is_cheap = matches!(self.func.dfg.op(i), Add | Sub | Shl | And | Or | Xor | Icmp | PtrAdd);
        self.op(i).filter(|op| is_cheap && op.needs.is_empty() && !op.defs.is_empty())
    }

    fn states(&self, i: Inst) -> (u8, u8) {
        let dfg = &self.func.dfg;
        let data = &dfg.insts[i];
        let at = || match dfg.ty(dfg.arg(i, 0)).space() {
            Some(AddrSpace::Shared) => state::SHARED,
            Some(AddrSpace::Private) => state::PRIVATE,
            Some(AddrSpace::Generic) => state::GLOBAL | state::SHARED,
            _ => state::GLOBAL,
        };
        match data.op {
            Opcode::Load if !data.has_side_effects() => (if data.reads_memory() { at() } else { 0 }, 0),
            Opcode::Load | Opcode::Store | Opcode::AtomicRmw | Opcode::AtomicCas => (0, at()),
            Opcode::Intrinsic if data.has_side_effects() && !data.reads_memory() => (0, state::LANES),
            Opcode::Assume => (0, 0),
            _ if data.has_side_effects() => (0, state::ALL),
            _ => (0, 0),
        }
    }

    fn latency(&self, i: Inst) -> u32 {
        use Opcode::{AtomicCas, AtomicRmw, FDiv, FSqrt, Intrinsic, Load, SDiv, SRem, Special, UDiv, URem};
        let dfg = &self.func.dfg;
        let space = || dfg.ty(dfg.arg(i, 0)).space();
        match dfg.op(i) {
            Load if matches!(space(), Some(AddrSpace::Shared | AddrSpace::Constant | AddrSpace::Param)) => FAR,
            Load | AtomicRmw | AtomicCas => MEMORY,
            Special | Intrinsic => NEAR,
            FDiv | FSqrt | SDiv | UDiv | SRem | URem => ROUTINE,
            _ => ARITHMETIC,
        }
    }

    /// Registers for the steps of what is not one instruction, and for constants that cannot be operands.
    fn scratch(&self, i: Inst) -> u32 {
        use Opcode::{Add, AtomicRmw, FAdd, FDiv, FMul, FSqrt, Fma, MemCpy, SDiv, SRem, UDiv, URem};
        let dfg = &self.func.dfg;
        let args = dfg.args(i);
        let wide = dfg.result(i).is_some_and(|v| dfg.ty(v).scalar_bytes() == 8);
        // Instructions hold the upper half of a double.
        let long = |&x: &Value| dfg.as_bits(x).is_some_and(|bits| bits << 32 != 0);
        match dfg.op(i) {
            MemCpy => {
                let each = dfg.insts[i].mem().map_or(4, |m| u64::from(m.align()).clamp(1, 4));
                dfg.as_int(args[2]).map_or(1, |bytes| (bytes.unsigned_abs() / each).clamp(1, COPIED)) as u32
            }
            FAdd | FMul | Fma
                if (wide || dfg.op(i) != Fma) && args.iter().filter(|&&x| self.is_uniform(x)).count() > 1 =>
            {
                1 + u32::from(wide)
            }
            FAdd | FMul | Fma if wide && args.iter().any(long) => 2,
            // Two constants of a product and a sum in one.
            Add if self.is_known_product(args[0]) && self.is_uniform(args[1]) => 1,
            SDiv | UDiv | SRem | URem if wide => CALLED,
            FDiv | FSqrt if wide => WIDE_STEPS,
            // What a warp does to one place is joined: its lanes are counted, and one of them does all of it.
            AtomicRmw if self.is_uniform(args[0]) && dfg.result(i).is_some_and(|v| !self.read[v]) => JOINED,
            FDiv if !dfg.insts[i].flags.has(Flags::AFN) => QUOTIENT,
            FDiv | FSqrt | SDiv | UDiv | SRem | URem => STEPS,
            _ => 0,
        }
    }

    /// Whether a value of each thread is a product with a constant that is no power of two.
    fn is_known_product(&self, v: Value) -> bool {
        let dfg = &self.func.dfg;
        let of = dfg.def_op(dfg.resolve(v), Opcode::Mul).filter(|_| !self.is_uniform(v));
        of.is_some_and(|i| dfg.as_int(dfg.arg(i, 1)).is_some())
    }

    fn needs(&self, i: Inst) -> SmallVec<[Value; 2]> {
        let dfg = &self.func.dfg;
        let mut out = SmallVec::new();
        match dfg.op(i) {
            // A product and a sum are one instruction, of whose operands only one may be other than a register.
            Opcode::Add => out.extend(dfg.args(i).iter().find_map(|&x| self.uniform_factor(x))),
            // Of two constants one is an operand.
            Opcode::Fma if self.words(dfg.result(i).unwrap_or(dfg.arg(i, 0))) == (1, 1) => {
                let uniform = dfg.args(i).iter().map(|&x| dfg.resolve(x)).filter(|&x| self.is_uniform(x));
                let held = |&x: &Value| dfg.as_bits(x) != Some(0);
                out.extend(uniform.take(2).skip(1).filter(held));
            }
            Opcode::SDiv | Opcode::UDiv | Opcode::SRem | Opcode::URem => {
                let by = dfg.resolve(dfg.arg(i, 1));
                out.extend(Some(by).filter(|&v| self.is_uniform(v) && !self.is_constant(v)));
            }
            // Only a product and a sum in one take a register; sums of two halves take uniform operands.
            Opcode::PtrAdd if self.is_uniform(dfg.arg(i, 1)) || !self.is_scaled(dfg.arg(i, 1)) => {}
            Opcode::PtrAdd | Opcode::Load => out.extend(self.pointer(dfg.arg(i, 0))),
            Opcode::Store | Opcode::AtomicRmw | Opcode::AtomicCas => {
                out.extend(self.pointer(dfg.arg(i, 0)));
                let stored = dfg.args(i)[1..].iter().map(|&x| dfg.resolve(x));
                out.extend(stored.filter(|&x| self.is_uniform(x) && dfg.as_bits(x) != Some(0)));
            }
            _ => {}
        }
        out
    }

    /// The factor that a uniform product needs in a register where something of each thread is added to it: the size of
    /// a group rather than its number, which comes late.
    fn uniform_factor(&self, product: Value) -> Option<Value> {
        let dfg = &self.func.dfg;
        let of = dfg.def_op(dfg.resolve(product), Opcode::Mul).filter(|_| self.is_uniform(product))?;
        let mut factors = dfg.args(of).iter().map(|&x| dfg.resolve(x));
        let known = |v: Value| self.is_constant(v);
        let special = |v: Value| dfg.def_op(v, Opcode::Special).and_then(|i| dfg.insts[i].special());
        let late = |v: Value| special(v).is_some_and(|r| r.name().starts_with("ctaid"));
        if factors.clone().any(known) {
            return None;
        }
        factors.find(|&v| !late(v)).or_else(|| dfg.args(of).last().map(|&x| dfg.resolve(x)))
    }

    /// Whether an index is scaled where an address is formed.
    fn is_scaled(&self, index: Value) -> bool {
        let dfg = &self.func.dfg;
        let by = |i: Inst| matches!(dfg.op(i), Opcode::Shl | Opcode::Mul);
        self.regs(index).len() == 1 && dfg.def_inst(index).is_some_and(by)
    }

    /// The uniform pointer of 64 bits that `v` is a constant distance from.
    fn pointer(&self, v: Value) -> Option<Value> {
        let dfg = &self.func.dfg;
        let mut base = dfg.resolve(v);
        while let Some(of) = dfg.def_inst(base) {
            let folds = match dfg.op(of) {
                Opcode::AddrSpaceCast => true,
                Opcode::PtrAdd => dfg.as_int(dfg.arg(of, 1)).is_some(),
                _ => false,
            };
            if !folds {
                break;
            }
            base = dfg.resolve(dfg.arg(of, 0));
        }
        (self.is_uniform(base) && self.words(v).0 == 2).then_some(base)
    }

    /// Cycles until a uniform value is in a register.
    pub(super) fn copying(&self, v: Value) -> u32 {
        if self.is_constant(v) { ARITHMETIC } else { FAR }
    }

    /// Whether a value is known here, so that no loop keeps it.
    pub(super) fn is_constant(&self, v: Value) -> bool {
        matches!(self.func.dfg.def(v), ValueDef::Const(_))
    }

    /// Whether the instruction calls a function that is not inlined, as `printf` and an assertion that fails do.
    pub(super) fn is_call(&self, i: Inst) -> bool {
        let data = &self.func.dfg.insts[i];
        data.op == Opcode::Call
            || data.intrinsic() == Some(Intrinsic::VPrintf)
            || data.intrinsic() == Some(Intrinsic::Trap) && data.flags.has(Flags::ASSERTION)
    }
}

/// Numbers of groups that an index or an address adds a constant multiple of: of the operands of one instruction only one
/// may be other than a register.
fn indices(func: &Function, insts: &[Inst]) -> SecondaryMap<Value, bool> {
    let dfg = &func.dfg;
    let mut out = ir::side_table(dfg.values.len());
    for &i in insts {
        let summed = match dfg.op(i) {
            Opcode::Add | Opcode::PtrAdd => dfg.args(i),
            _ => continue,
        };
        for &x in summed {
            let (mut v, mut scaled) = (dfg.resolve(x), dfg.op(i) == Opcode::PtrAdd);
            while let Some(of) = dfg.def_inst(v) {
                let args = dfg.args(of);
                match dfg.op(of) {
                    Opcode::Shl | Opcode::Mul if dfg.as_int(args[1]).is_some() => scaled = true,
                    Opcode::ZExt | Opcode::SExt => {}
                    Opcode::Special => {
                        let is_number = dfg.insts[of].special().is_some_and(|r| r.name().starts_with("ctaid"));
                        out[v] |= scaled && is_number;
                        break;
                    }
                    _ => break,
                }
                v = dfg.resolve(args[0]);
            }
        }
    }
    out
}

/// Whether a special register is the same for all threads of a group.
fn is_same_in_group(r: SpecialReg) -> bool {
    let name = r.name();
    name.starts_with("ntid") || name.starts_with("nctaid") || name.starts_with("ctaid")
}

/// Registers of a type, and 1 if they are registers, 0 if predicates.
fn words(ty: Type) -> (usize, u8) {
    let lanes = usize::from(ty.lanes());
    match ty.kind() {
        ScalarKind::Void => (0, 0),
        ScalarKind::I1 => (lanes, 0),
        ScalarKind::Ptr => match ty.space() {
            Some(AddrSpace::Shared | AddrSpace::Private | AddrSpace::Constant | AddrSpace::Param) => (lanes, 1),
            _ => (2 * lanes, 1),
        },
        ScalarKind::I64 | ScalarKind::F64 => (2 * lanes, 1),
        ScalarKind::F16 | ScalarKind::BF16 if lanes > 1 => (lanes.div_ceil(2), 1),
        _ => (lanes, 1),
    }
}
