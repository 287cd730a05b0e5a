//! What is folded into what: one backward pass over the function.
//!
//! For each instruction a [`Selected`] says how it is written. An instruction whose result nobody reads from a register,
//! because every reader folded it, is skipped. The same pass finds the block parameters that can share a register with
//! the value that the back edge brings ([`Selection::shared`]), and the innermost loop around all readers of a value
//! ([`Selection::home`]), which tells `edges` whether a loop variable is read after the loop.
//!
//! Blocks are visited in reverse order of the text; since a value's block stands before the blocks of its readers,
//! every reader is seen before the definition. Cost: linear.

use crate::cfg::Cfg;
use crate::shared::{self, Low};
use cranelift_entity::EntityRef;
use ir::{Block, Dfg, Flags, Function, Inst, Opcode, Type, Value, ValueDef};

/// Second factor of a wide multiplication.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Factor {
    /// A 32-bit value.
    Value(Value),
    /// A constant that fits 32 bits in the signedness of the multiplication.
    Imm(i64),
}

/// `x * y` in 64 bits from 32-bit factors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WideMul {
    /// Factors are signed.
    pub(crate) signed: bool,
    /// First factor, 32 bits.
    pub(crate) x: Value,
    /// Second factor.
    pub(crate) y: Factor,
}

/// How an instruction is written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Selected {
    /// Not at all.
    Skip,
    /// By itself.
    Plain,
    /// `a * b + c` in integers.
    Mad([Value; 3]),
    /// A wide multiplication.
    MulWide(WideMul),
    /// `±a * b ± c`, rounded once.
    Fma {
        /// Factors and addend.
        args: [Value; 3],
        /// The product is negated.
        neg_product: bool,
        /// The addend is negated.
        neg_addend: bool,
    },
    /// A comparison and-ed (or or-ed) with a truth value: the comparison, the other operand.
    Setp(Inst, Value),
    /// A sum of an address of shared memory, in 32 bits.
    Narrow,
    /// A load of 8 or 16 bits that extends: the instruction that extends.
    LoadExt(Inst),
    /// A number out of its lower and its upper half.
    Pack([Half; 2]),
}

/// One half of a number.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Half {
    /// A number of half the bits.
    Whole(Value),
    /// The lower or upper half of a number of as many.
    Of(Value, bool),
}

impl Half {
    pub(crate) fn value(self) -> Value {
        match self {
            Self::Whole(v) | Self::Of(v, _) => v,
        }
    }
}

/// Decisions for one function.
pub(crate) struct Selection {
    plans: Vec<Selected>,
    need: Vec<u32>,
    home: Vec<u32>,
    shared: Vec<Option<Value>>,
}

/// No loop around.
const NO_LOOP: u32 = u32::MAX;
/// No reader seen yet.
const UNREAD: u32 = u32::MAX - 1;

impl Selection {
    /// Decides for `f`, with addresses of shared memory in 32 bits if `short`.
    pub(crate) fn new(f: &Function, cfg: &Cfg, short: bool) -> Self {
        let values = f.dfg.values.len();
        let mut s = Selector {
            f,
            cfg,
            uses: vec![0; values],
            aliased: vec![false; values],
            watch: vec![None; values],
            block_loop: NO_LOOP,
            narrow: if short { shared::narrow(f, cfg) } else { vec![false; values] },
            out: Self {
                plans: vec![Selected::Skip; f.dfg.insts.len()],
                need: vec![0; values],
                home: vec![UNREAD; values],
                shared: vec![None; values],
            },
        };
        s.count_uses();
        for &b in cfg.order.iter().rev() {
            s.block(b);
        }
        s.out
    }

    /// How to write an instruction.
    pub(crate) fn plan(&self, i: Inst) -> Selected {
        self.plans[i.index()]
    }

    /// Whether anything reads the value.
    pub(crate) fn is_needed(&self, v: Value) -> bool {
        self.need[v.index()] > 0
    }

    /// The block parameter whose register the value takes.
    pub(crate) fn shared(&self, v: Value) -> Option<Value> {
        self.shared[v.index()]
    }

    /// The innermost loop around all readers.
    pub(crate) fn home(&self, v: Value) -> u32 {
        self.home[v.index()]
    }
}

struct Selector<'a> {
    f: &'a Function,
    cfg: &'a Cfg,
    /// Uses in the IR.
    uses: Vec<u32>,
    /// Operand of an instruction that is mere renaming.
    aliased: Vec<bool>,
    /// Loop variables whose back-edge value (given) may take over the register, while nothing reads them.
    watch: Vec<Option<Value>>,
    block_loop: u32,
    /// Addresses of shared memory in 32 bits.
    narrow: Vec<bool>,
    out: Selection,
}

/// Whether the result of the instruction may be its operands' registers under another name.
fn is_renaming(dfg: &Dfg, i: Inst) -> bool {
    use Opcode::*;
    let d = &dfg.insts[i];
    match d.op {
        VecBuild | Extract | Insert | Shuffle | ExtractDyn | InsertDyn => true,
        PtrToInt | IntToPtr | Bitcast | AddrSpaceCast => true,
        // Both live in 16-bit registers.
        Trunc => dfg.ty(dfg.arg(i, 0)).bits() == 16,
        // A known condition picks one operand.
        Select => !dfg.ty(dfg.arg(i, 0)).is_vector() && known_condition(dfg, dfg.arg(i, 0)).is_some(),
        // Arithmetic on truth values, some of which is none.
        op => d.ty.bits() == 1 && op <= Fshr,
    }
}

/// The condition `v` as a constant, if it is one.
pub(crate) fn known_condition(dfg: &Dfg, v: Value) -> Option<bool> {
    let (v, negated) = condition(dfg, v);
    dfg.as_const(v).map(|_| (dfg.as_bits(v) == Some(1)) != negated)
}

/// Most additions that one address folds.
const ADDRESS_DEPTH: usize = 64;

/// Base and constant offset of an address.
pub(crate) fn address(dfg: &Dfg, mut ptr: Value) -> (Value, i64) {
    let mut offset = 0i64;
    let mut depth = 0;
    while depth < ADDRESS_DEPTH
        && let Some(i) = dfg.def_op(ptr, Opcode::PtrAdd)
        && !dfg.ty(ptr).is_vector()
        && let Some(n) = dfg.as_int(dfg.arg(i, 1))
        && let Some(sum) = offset.checked_add(n).filter(|s| i32::try_from(*s).is_ok())
    {
        offset = sum;
        ptr = dfg.arg(i, 0);
        depth += 1;
    }
    (ptr, offset)
}

/// The value whose negation `v` is, if it is one.
pub(crate) fn negated(dfg: &Dfg, v: Value) -> Option<Value> {
    let i = dfg.def_op(v, Opcode::Xor).filter(|_| dfg.ty(v) == Type::I1)?;
    (dfg.as_bits(dfg.arg(i, 1)) == Some(1)).then(|| dfg.arg(i, 0))
}

/// A condition without its negations: the value and whether it is negated.
pub(crate) fn condition(dfg: &Dfg, mut v: Value) -> (Value, bool) {
    let mut neg = false;
    while let Some(inner) = negated(dfg, v) {
        v = inner;
        neg = !neg;
    }
    (v, neg)
}

impl Selector<'_> {
    fn count_uses(&mut self) {
        let dfg = &self.f.dfg;
        for &b in &self.cfg.order {
            for i in self.f.layout.insts(b) {
                let renaming = is_renaming(dfg, i);
                dfg.for_each_use(i, |v| {
                    self.uses[v.index()] += 1;
                    self.aliased[v.index()] |= renaming;
                });
            }
        }
    }

    fn block(&mut self, b: Block) {
        self.block_loop = self.cfg.loop_of(b);
        let t = self.f.layout.terminator(b);
        let candidates = self.watch_latch(b, t);
        for i in self.f.layout.insts_rev(b) {
            self.inst(i);
        }
        for p in candidates {
            self.watch[p.index()] = None;
        }
    }

    // ---- registers shared along back edges ----------------------------------------------------------------------

    /// If `b` is the only latch of a loop and leaves it otherwise: marks the loop variables whose next value is
    /// computed in `b`, and makes that value take the variable's register unless a reader shows up in between.
    fn watch_latch(&mut self, b: Block, t: Inst) -> Vec<Value> {
        let f = self.f;
        let dfg = &f.dfg;
        let back = (0..dfg.successor_count(t)).find(|&n| self.is_back_edge(b, dfg.successor(t, n)));
        let Some(n) = back.filter(|_| matches!(dfg.op(t), Opcode::Jump | Opcode::Br)) else { return Vec::new() };
        let header = dfg.successor(t, n);
        let Some(l) = self.cfg.loop_headed_by(header) else { return Vec::new() };
        let leaves = dfg.successors(t).enumerate().all(|(k, s)| k == n || !self.cfg.contains(l, self.cfg.loop_of(s)));
        if !leaves || self.cfg.loops[l as usize].latches != 1 {
            return Vec::new();
        }
        let mut list = Vec::new();
        for (&p, &v) in dfg.params(header).iter().zip(dfg.branch_args(t, n)) {
            let in_loop = self.out.home[p.index()] == UNREAD || self.cfg.contains(l, self.out.home[p.index()]);
            if in_loop && !self.aliased[p.index()] && self.can_share(b, v) {
                self.watch[p.index()] = Some(v);
                self.out.shared[v.index()] = Some(p);
                list.push(p);
            }
        }
        list
    }

    fn is_back_edge(&self, from: Block, to: Block) -> bool {
        self.cfg.loop_headed_by(to).is_some_and(|l| self.cfg.contains(l, self.cfg.loop_of(from)))
    }

    /// Whether `v` is written by one machine instruction of block `b` and has no register of its own yet.
    fn can_share(&self, b: Block, v: Value) -> bool {
        use Opcode::*;
        let dfg = &self.f.dfg;
        let Some(i) = dfg.def_inst(v).filter(|&i| self.f.layout.inst_block(i) == Some(b)) else { return false };
        let wide = matches!(dfg.ty(v), Type::I32 | Type::I64 | Type::F32 | Type::F64) || dfg.ty(v).is_ptr();
        let single = matches!(
            dfg.op(i),
            Add | Sub
                | Mul
                | And
                | Or
                | Xor
                | SMin
                | SMax
                | UMin
                | UMax
                | FAdd
                | FSub
                | FMul
                | FMin
                | FMax
                | Fma
                | PtrAdd
        ) || dfg.op(i) == Load && dfg.insts[i].mem().is_some_and(|m| m.align() >= dfg.ty(v).bytes());
        wide && single && !dfg.ty(v).is_vector() && !self.aliased[v.index()] && self.out.shared[v.index()].is_none()
    }

    // ---- readers ------------------------------------------------------------------------------------------------

    /// A register is read in the current block.
    fn read(&mut self, v: Value) {
        if matches!(self.f.dfg.values[v].def, ValueDef::Const(_)) {
            return;
        }
        self.out.need[v.index()] += 1;
        self.merge_home(v, self.block_loop);
        // A loop variable is read after its next value was computed: no sharing.
        if let Some(next) = self.watch[v.index()].take() {
            self.out.shared[next.index()] = None;
        }
    }

    fn merge_home(&mut self, v: Value, l: u32) {
        let home = &mut self.out.home[v.index()];
        *home = if *home == UNREAD { l } else { self.cfg.common(*home, l) };
    }

    fn read_all(&mut self, i: Inst) {
        let f = self.f;
        for &v in f.dfg.args(i) {
            self.read(v);
        }
    }

    fn read_address(&mut self, ptr: Value) {
        let (base, _) = address(&self.f.dfg, ptr);
        self.read(base);
    }

    fn read_condition(&mut self, v: Value) {
        let (v, _) = condition(&self.f.dfg, v);
        self.read(v);
    }

    // ---- instructions -------------------------------------------------------------------------------------------

    fn inst(&mut self, i: Inst) {
        let f = self.f;
        let data = &f.dfg.insts[i];
        let result = f.dfg.result(i);
        if let Some(v) = result {
            let needed = self.out.need[v.index()] > 0;
            if !needed && !data.has_side_effects() {
                return;
            }
            // From here up, readers of the loop variable come before the new value exists.
            if let Some(p) = self.out.shared[v.index()] {
                self.watch[p.index()] = None;
            }
        }
        if data.op == Opcode::Assume {
            return;
        }
        let plan = self.plan(i);
        self.out.plans[i.index()] = plan;
        match plan {
            Selected::Skip => {}
            Selected::Plain => self.read_plain(i),
            Selected::Mad(args) => args.into_iter().for_each(|v| self.read(v)),
            Selected::MulWide(w) => self.read_wide(w),
            Selected::Fma { args, .. } => args.into_iter().for_each(|v| self.read(v)),
            Selected::Setp(cmp, other) => {
                self.read_all(cmp);
                self.read(other);
            }
            Selected::LoadExt(_) => self.read_address(f.dfg.arg(i, 0)),
            Selected::Pack(halves) => halves.into_iter().for_each(|h| self.read(h.value())),
            Selected::Narrow => {
                self.read(f.dfg.arg(i, 0));
                Low::of(&f.dfg, f.dfg.arg(i, 1)).for_each_value(&mut |v| self.read(v));
            }
        }
    }

    fn read_wide(&mut self, w: WideMul) {
        self.read(w.x);
        if let Factor::Value(y) = w.y {
            self.read(y);
        }
    }

    fn read_plain(&mut self, i: Inst) {
        use Opcode::*;
        let f = self.f;
        let dfg = &f.dfg;
        match dfg.op(i) {
            Load => self.read_address(dfg.arg(i, 0)),
            Store | AtomicRmw | AtomicCas => {
                self.read_address(dfg.arg(i, 0));
                for &v in &dfg.args(i)[1..] {
                    self.read(v);
                }
            }
            // What they access is an address, too, whose base may be a loop variable.
            MemCpy | MemSet | Call | Intrinsic => {
                self.read_all(i);
                for &v in dfg.args(i).iter().filter(|&&v| dfg.ty(v).is_ptr()) {
                    self.read_address(v);
                }
            }
            Br => self.read_condition(dfg.arg(i, 0)),
            Select if dfg.ty(dfg.arg(i, 0)) == Type::I1 => {
                self.read_condition(dfg.arg(i, 0));
                self.read(dfg.arg(i, 1));
                self.read(dfg.arg(i, 2));
            }
            _ => self.read_all(i),
        }
        for n in 0..dfg.successor_count(i) {
            for &v in dfg.branch_args(i, n) {
                self.read(v);
            }
        }
        // A renamed operand is read wherever the new name is read.
        if is_renaming(dfg, i)
            && let Some(r) = dfg.result(i)
        {
            let home = self.out.home[r.index()];
            for &v in dfg.args(i) {
                self.merge_home(v, home);
            }
        }
    }

    // ---- patterns -----------------------------------------------------------------------------------------------

    fn plan(&mut self, i: Inst) -> Selected {
        use Opcode::*;
        let dfg = &self.f.dfg;
        let ty = dfg.insts[i].ty;
        if ty.is_vector() {
            return Selected::Plain;
        }
        match dfg.op(i) {
            PtrAdd if self.narrow[dfg.res(i).index()] => Selected::Narrow,
            Add | PtrAdd => self.plan_add(i).unwrap_or(Selected::Plain),
            Mul | Shl => wide_mul(dfg, dfg.res(i)).map_or(Selected::Plain, Selected::MulWide),
            FAdd | FSub => self.plan_fma(i).unwrap_or(Selected::Plain),
            And | Or if ty == Type::I1 => self.plan_setp(i).unwrap_or(Selected::Plain),
            Or => halves(dfg, i).map_or(Selected::Plain, Selected::Pack),
            ZExt | SExt => self.plan_extension(i).unwrap_or(Selected::Plain),
            // Decided by the instruction that extends, which was visited before.
            Load => match self.out.plans[i.index()] {
                p @ Selected::LoadExt(_) => p,
                _ => Selected::Plain,
            },
            _ => Selected::Plain,
        }
    }

    /// `v` as the result of an instruction `op` that nothing else uses.
    fn single(&self, v: Value, op: Opcode) -> Option<Inst> {
        self.f.dfg.def_op(v, op).filter(|_| self.uses[v.index()] == 1)
    }

    fn plan_add(&self, i: Inst) -> Option<Selected> {
        let dfg = &self.f.dfg;
        let ty = dfg.insts[i].ty;
        let (a, b) = (dfg.arg(i, 0), dfg.arg(i, 1));
        if ty.bits() == 8 || ty == Type::I1 {
            return None;
        }
        for (m, c) in [(b, a), (a, b)] {
            // Wide products stay apart from their sums: ptxas makes one IMAD.WIDE of `mul.wide` and `add`, and of
            // `mad.wide` by a power of two the two instructions of a shift and its carry.
            if let Some(p) = self.single(m, Opcode::Mul)
                && wide_mul(dfg, m).is_none()
                && dfg.as_bits(c).is_none()
            {
                return Some(Selected::Mad([dfg.arg(p, 0), dfg.arg(p, 1), c]));
            }
        }
        None
    }

    fn plan_fma(&self, i: Inst) -> Option<Selected> {
        let dfg = &self.f.dfg;
        let d = &dfg.insts[i];
        let plain = |i: Inst| {
            let d = &dfg.insts[i];
            d.flags.has(Flags::CONTRACT) && !d.flags.has(Flags::SAT) && d.round().is_none()
        };
        if !plain(i) || !matches!(d.ty, Type::F32 | Type::F64) {
            return None;
        }
        let (a, b) = (dfg.arg(i, 0), dfg.arg(i, 1));
        let sub = d.op == Opcode::FSub;
        let mul = |v| self.single(v, Opcode::FMul).filter(|&m| plain(m) && same_ftz(dfg, m, i));
        let (m, c, neg_product, neg_addend) = match (mul(a), mul(b)) {
            (Some(m), _) => (m, b, false, sub),
            (None, Some(m)) => (m, a, sub, false),
            _ => return None,
        };
        Some(Selected::Fma { args: [dfg.arg(m, 0), dfg.arg(m, 1), c], neg_product, neg_addend })
    }

    fn plan_setp(&self, i: Inst) -> Option<Selected> {
        let dfg = &self.f.dfg;
        for (cmp, other) in [(1, 0), (0, 1)] {
            let v = dfg.arg(i, cmp);
            let int = self.single(v, Opcode::Icmp).filter(|&c| {
                let ty = dfg.ty(dfg.arg(c, 0));
                matches!(ty, Type::I16 | Type::I32 | Type::I64) || ty.is_ptr()
            });
            let float =
                self.single(v, Opcode::Fcmp).filter(|&c| matches!(dfg.ty(dfg.arg(c, 0)), Type::F32 | Type::F64));
            if let Some(c) = int.or(float) {
                return Some(Selected::Setp(c, dfg.arg(i, other)));
            }
        }
        None
    }

    fn plan_extension(&mut self, i: Inst) -> Option<Selected> {
        let dfg = &self.f.dfg;
        let v = dfg.arg(i, 0);
        let load = self.single(v, Opcode::Load)?;
        let small = matches!(dfg.ty(v), Type::I8 | Type::I16);
        let aligned = dfg.insts[load].mem().is_some_and(|m| m.align() >= dfg.ty(v).bytes());
        if !small || !aligned {
            return None;
        }
        self.out.plans[load.index()] = Selected::LoadExt(i);
        self.out.need[v.index()] += 1;
        Some(Selected::Skip)
    }
}

/// The lower and the upper half of which a union makes a number: `lo | hi << 32`, both extended by zeros, or masked of numbers of 64
/// bits. ptxas makes no instruction of words that become registers of a pair, and one that rounds two floats of two halves that it
/// has just rounded.
fn halves(dfg: &Dfg, i: Inst) -> Option<[Half; 2]> {
    let half = match dfg.insts[i].ty {
        Type::I64 => Type::I32,
        Type::I32 => Type::I16,
        _ => return None,
    };
    let masked = |v: Value, upper: bool| {
        let mask = if upper { !half.mask() & dfg.ty(v).mask() } else { half.mask() };
        let and = dfg.def_op(v, Opcode::And).filter(|&a| dfg.as_bits(dfg.arg(a, 1)) == Some(mask))?;
        (half == Type::I32).then(|| Half::Of(dfg.arg(and, 0), upper))
    };
    let extended = |v: Value| dfg.def_op(v, Opcode::ZExt).map(|e| dfg.arg(e, 0)).filter(|&x| dfg.ty(x) == half);
    let raised = |v: Value| {
        let shift = dfg.def_op(v, Opcode::Shl)?;
        let by_half = dfg.as_int(dfg.arg(shift, 1)) == Some(i64::from(half.bits()));
        extended(dfg.arg(shift, 0)).filter(|_| by_half)
    };
    let low = |v| extended(v).map(Half::Whole).or_else(|| masked(v, false));
    let high = |v| raised(v).map(Half::Whole).or_else(|| masked(v, true));
    let (a, b) = (dfg.arg(i, 0), dfg.arg(i, 1));
    [(a, b), (b, a)].into_iter().find_map(|(lo, hi)| Some([low(lo)?, high(hi)?]))
}

/// Whether two instructions treat subnormals alike.
fn same_ftz(dfg: &Dfg, a: Inst, b: Inst) -> bool {
    dfg.insts[a].flags.has(Flags::FTZ) == dfg.insts[b].flags.has(Flags::FTZ)
}

/// `v` as a wide product: of two extended values, or of an extended value and a constant, or such a value shifted.
fn wide_mul(dfg: &Dfg, v: Value) -> Option<WideMul> {
    let i = dfg.def_inst(v).filter(|_| dfg.ty(v) == Type::I64)?;
    let extended = |v: Value, signed: bool| {
        let op = if signed { Opcode::SExt } else { Opcode::ZExt };
        dfg.def_op(v, op).map(|e| dfg.arg(e, 0)).filter(|&x| dfg.ty(x) == Type::I32)
    };
    let (a, b) = (dfg.arg(i, 0), dfg.arg(i, 1));
    for signed in [true, false] {
        let limit = if signed { 1i64 << 31 } else { 1 << 32 };
        let fits = |n: i64| if signed { (-limit..limit).contains(&n) } else { (0..limit).contains(&n) };
        match dfg.op(i) {
            Opcode::Mul => {
                let (x, other) = match (extended(a, signed), extended(b, signed)) {
                    (Some(x), Some(y)) => return Some(WideMul { signed, x, y: Factor::Value(y) }),
                    (Some(x), None) => (x, b),
                    (None, Some(y)) => (y, a),
                    _ => continue,
                };
                if let Some(n) = dfg.as_int(other).filter(|&n| fits(n)) {
                    return Some(WideMul { signed, x, y: Factor::Imm(n) });
                }
            }
            Opcode::Shl => {
                let by = dfg.as_int(b).filter(|n| (0..31).contains(n));
                if let (Some(x), Some(by)) = (extended(a, signed), by) {
                    return Some(WideMul { signed, x, y: Factor::Imm(1 << by) });
                }
            }
            _ => return None,
        }
    }
    None
}
