//! How many registers the assembler will give a thread: a guess from the IR.
//!
//! Beyond [`crate::pressure`], which counts values as they stand, this models what the assembler is known to do:
//!
//! * Constants, and the parameters of a kernel, are operands of most instructions and take no register; but in loops a
//!   parameter to which a scaled index is added is in a pair of them, since the scale takes the place of a constant.
//! * A constant distance from an address, a conversion of an address to another space, and the widening and scaling of
//!   a 32-bit index fold into the instructions that use them; such a value keeps its operand alive instead. Addresses of
//!   shared and private memory have 32 bits.
//! * Instructions are scheduled again within a block. Where registers cost nothing (below the number at which fewer
//!   warps would be resident), loads go first, so that they overlap; where that needs more, every value is computed as
//!   late as it can be, and the pressure of that order is a floor. Beyond the number that costs nothing, part of what is
//!   cheap is computed again instead of kept.
//! * Divisions and calls need registers of their own beside what is live.
//!
//! Must hold: the function is in SSA form with its aliases resolved or resolvable, and `live` is of this function.
//! Limits: registers are counted per block, calls and inline assembly as nothing, and nothing is known of the
//! assembler's own unrolling. Measured against ptxas 13.3 by `scripts/registers.py`; docs/explain.md has the figures.
//! Cost: linear in instructions, after [`Liveness`].

use crate::{Cfg, DomTree, Liveness, LoopForest};
use cranelift_entity::SecondaryMap;
use ir::{AddrSpace, Block, FnKind, Function, Inst, Opcode, ScalarKind, SpecialReg, Type, Value, ValueDef};

/// The stack pointer, which every function keeps, and what the last address takes for a moment.
const RESERVED: u32 = 3;
/// Registers spent on more overlap, as measured, where they cost no warps.
const SLACK: u32 = 6;
/// Registers for the steps of a division, a square root or a call, as measured.
const ROUTINE: u32 = 4;
/// Of the registers beyond those that cost nothing, so many in [`KEPT_OF`] are used, as measured: the others' values are
/// computed again.
const KEPT: u32 = 2;
/// See [`KEPT`].
const KEPT_OF: u32 = 5;

/// Where a value lives.
#[derive(Clone, Copy, Debug)]
struct Register {
    /// The value whose registers it shares; itself if it has its own.
    root: Value,
    /// Registers of the root.
    size: u32,
}

/// Registers of a thread of `func`; `free` is the number up to which more registers cost no resident warps.
pub fn estimate(func: &Function, cfg: &Cfg, live: &Liveness, free: u32) -> u32 {
    let mut e = Estimator::new(func, cfg);
    let loops = LoopForest::new(cfg, &DomTree::new(cfg));
    let (mut late, mut early) = (0, 0);
    for &b in cfg.rpo() {
        let insts: Vec<Inst> = func.layout.insts(b).collect();
        let orders = [insts.clone(), e.demanded(&insts), e.loads_first(&insts)];
        let [as_is, demanded, overlapped] = orders.map(|o| e.pressure(live, b, &o));
        let least = as_is.min(demanded);
        let bases = if loops.depth(b) > 0 { bases(func, &insts) } else { 0 };
        let more = 2 * bases + if insts.iter().any(|&i| is_routine(func.dfg.op(i))) { ROUTINE } else { 0 };
        late = late.max(least + more);
        early = early.max(overlapped.max(least) + more);
    }
    let (late, early) = (late + RESERVED, early + RESERVED);
    let estimate = late.max(free.min(early + SLACK.min(early / 2)));
    if estimate > free { free + ((estimate - free) * KEPT).div_ceil(KEPT_OF) } else { estimate }
}

/// Parameters to which these instructions add indices.
fn bases(func: &Function, insts: &[Inst]) -> u32 {
    let dfg = &func.dfg;
    let entry = func.layout.entry();
    let mut found: Vec<Value> = Vec::new();
    for &i in insts {
        if dfg.op(i) != Opcode::PtrAdd || dfg.as_int(dfg.arg(i, 1)).is_some() {
            continue;
        }
        let mut base = dfg.resolve(dfg.arg(i, 0));
        while let Some(cast) = dfg.def_op(base, Opcode::AddrSpaceCast) {
            base = dfg.resolve(dfg.arg(cast, 0));
        }
        if matches!(dfg.def(base), ValueDef::Param(b, _) if b == entry) {
            found.push(base);
        }
    }
    found.sort_unstable();
    found.dedup();
    found.len() as u32
}

/// Whether an instruction becomes a sequence or a call.
fn is_routine(op: Opcode) -> bool {
    use Opcode::{Call, FDiv, FSqrt, SDiv, SRem, UDiv, URem};
    matches!(op, FDiv | SDiv | UDiv | SRem | URem | FSqrt | Call)
}

struct Estimator<'a> {
    func: &'a Function,
    registers: SecondaryMap<Value, Option<Register>>,
    /// The walk in which a root was last seen live.
    seen: SecondaryMap<Value, u32>,
    /// The order in which an instruction was last put.
    placed: SecondaryMap<Inst, u32>,
    stamp: u32,
}

/// Registers of a value of its own.
fn size(ty: Type) -> u32 {
    let lanes = u32::from(ty.lanes());
    match ty.kind() {
        ScalarKind::Void | ScalarKind::I1 => 0,
        ScalarKind::Ptr => match ty.space() {
            Some(AddrSpace::Shared | AddrSpace::Private | AddrSpace::Constant | AddrSpace::Param) => lanes,
            _ => 2 * lanes,
        },
        ScalarKind::I64 | ScalarKind::F64 => 2 * lanes,
        ScalarKind::F16 | ScalarKind::BF16 if lanes > 1 => lanes.div_ceil(2),
        _ => lanes,
    }
}

impl<'a> Estimator<'a> {
    fn new(func: &'a Function, cfg: &Cfg) -> Self {
        let mut this = Self {
            func,
            registers: ir::side_table(func.dfg.values.len()),
            seen: ir::side_table(func.dfg.values.len()),
            placed: ir::side_table(func.dfg.insts.len()),
            stamp: 0,
        };
        let kernel = func.kind == FnKind::Kernel;
        for (n, &b) in cfg.rpo().iter().enumerate() {
            for &p in func.dfg.params(b) {
                let free = kernel && n == 0;
                this.registers[p] = Some(Register { root: p, size: if free { 0 } else { size(func.dfg.ty(p)) } });
            }
            for i in func.layout.insts(b) {
                if let Some(v) = func.dfg.result(i) {
                    let register = this.register_of(i, v);
                    this.registers[v] = Some(register);
                }
            }
        }
        this
    }

    /// The register of a value seen before; constants take nothing.
    fn register(&self, v: Value) -> Register {
        let v = self.func.dfg.resolve(v);
        self.registers[v].unwrap_or(Register { root: v, size: 0 })
    }

    fn register_of(&self, i: Inst, v: Value) -> Register {
        let dfg = &self.func.dfg;
        let own = Register { root: v, size: size(dfg.ty(v)) };
        let args = dfg.args(i);
        match (dfg.insts[i].op, args) {
            (Opcode::AddrSpaceCast | Opcode::Bitcast, &[x]) => self.register(x),
            (Opcode::PtrAdd, &[p, offset]) if dfg.as_int(offset).is_some() => self.register(p),
            (Opcode::SExt | Opcode::ZExt, &[x]) if dfg.ty(x) == Type::I32 => self.register(x),
            // A scaled index: the product is formed where the address is.
            (Opcode::Shl | Opcode::Mul, &[x, n])
                if dfg.as_int(n).is_some() && own.size == 2 && self.register(x).size < 2 =>
            {
                self.register(x)
            }
            (Opcode::Extract, &[x]) => self.register(x),
            (Opcode::Special, _) => {
                let uniform = dfg.insts[i].special().is_some_and(is_constant_in_launch);
                if uniform { Register { root: v, size: 0 } } else { own }
            }
            _ => own,
        }
    }

    /// Instructions with every pure value as late as its first use: operands before what needs them, from the
    /// instructions that must stay in their order.
    fn demanded(&mut self, insts: &[Inst]) -> Vec<Inst> {
        self.stamp += 1;
        let stamp = self.stamp;
        let mut out = Vec::with_capacity(insts.len());
        let here = self.mark(insts, stamp);
        for &i in insts.iter().filter(|&&i| self.func.dfg.insts[i].has_side_effects()) {
            self.place(i, here, &mut out);
        }
        // What only later blocks need comes last.
        for &i in insts {
            self.place(i, here, &mut out);
        }
        self.terminator_last(&mut out);
        out
    }

    /// Instructions with loads, and what they need, before everything else between two effects.
    fn loads_first(&mut self, insts: &[Inst]) -> Vec<Inst> {
        self.stamp += 1;
        let stamp = self.stamp;
        let here = self.mark(insts, stamp);
        let mut out = Vec::with_capacity(insts.len());
        let dfg = &self.func.dfg;
        let mut rest = insts;
        while !rest.is_empty() {
            let end = rest.iter().position(|&i| self.holds_loads(i)).map_or(rest.len(), |n| n + 1);
            let (segment, after) = rest.split_at(end);
            let loads = || segment.iter().copied().filter(|&i| dfg.insts[i].op == Opcode::Load);
            // All addresses, then all loads: neither waits for the other's latency.
            for address in loads().filter_map(|i| dfg.def_inst(dfg.args(i)[0])) {
                self.place(address, here, &mut out);
            }
            for i in loads() {
                self.place(i, here, &mut out);
            }
            for &i in segment {
                self.place(i, here, &mut out);
            }
            rest = after;
        }
        out
    }

    /// Whether loads behind an instruction stay behind it.
    fn holds_loads(&self, i: Inst) -> bool {
        let dfg = &self.func.dfg;
        let private = dfg.insts[i].op == Opcode::Store && dfg.ty(dfg.args(i)[0]).space() == Some(AddrSpace::Private);
        dfg.insts[i].has_side_effects() && !private
    }

    /// Marks the instructions of a block as not yet placed.
    fn mark(&mut self, insts: &[Inst], stamp: u32) -> u32 {
        for &i in insts {
            self.placed[i] = stamp;
        }
        stamp
    }

    /// Appends an instruction after its operands, as far as they are marked.
    fn place(&mut self, i: Inst, marked: u32, out: &mut Vec<Inst>) {
        let mut stack = vec![(i, false)];
        while let Some((i, ready)) = stack.pop() {
            if self.placed[i] != marked {
                continue;
            }
            if ready {
                self.placed[i] = 0;
                out.push(i);
                continue;
            }
            stack.push((i, true));
            let dfg = &self.func.dfg;
            let first = stack.len();
            dfg.for_each_use(i, |v| {
                if let ValueDef::Inst(d) = dfg.def(v)
                    && !dfg.insts[d].has_side_effects()
                {
                    stack.push((d, false));
                }
            });
            // The first operand is computed first.
            stack[first..].reverse();
        }
    }

    fn terminator_last(&self, out: &mut Vec<Inst>) {
        if let Some(at) = out.iter().position(|&i| self.func.dfg.insts[i].op.is_terminator()) {
            let t = out.remove(at);
            out.push(t);
        }
    }

    /// The most registers live at once when a block runs in this order.
    fn pressure(&mut self, live: &Liveness, b: Block, order: &[Inst]) -> u32 {
        self.stamp += 1;
        let stamp = self.stamp;
        let mut now = 0;
        for &v in live.live_out(b) {
            now += self.begin(v, stamp);
        }
        let mut most = now;
        let dfg = &self.func.dfg;
        for &i in order.iter().rev() {
            if let Some(v) = dfg.result(i) {
                let register = self.register(v);
                if register.root == v {
                    if self.seen[v] == stamp {
                        self.seen[v] = 0;
                        now -= register.size;
                    } else {
                        most = most.max(now + register.size);
                    }
                }
            }
            dfg.for_each_use(i, |v| now += self.begin(v, stamp));
            most = most.max(now);
        }
        most
    }

    /// Registers that become live with a use of `v`.
    fn begin(&mut self, v: Value, stamp: u32) -> u32 {
        let register = self.register(v);
        if std::mem::replace(&mut self.seen[register.root], stamp) == stamp { 0 } else { register.size }
    }
}

/// Registers that hold the same for every thread of a launch stand in constant memory.
fn is_constant_in_launch(r: SpecialReg) -> bool {
    r.name().starts_with("ntid") || r.name().starts_with("nctaid")
}
