//! The verifier: what must hold of a module between passes.
//!
//! Rules checked, in order; a back end given a module that obeys them emits code or returns an error, and never
//! panics:
//!
//! 1. **Shape.** Every placed block is non-empty, ends in a terminator, and has none before. The entry block has no
//!    predecessors and one parameter per function parameter, of the same type. Branch targets are placed blocks.
//! 2. **Arguments.** A branch passes as many arguments as the target has parameters, of the same types.
//! 3. **Definitions.** An operand is a constant, a parameter of a placed block, or the result of a placed instruction,
//!    never an alias; its definition dominates its use. Constants name existing globals and slots.
//! 4. **Operands.** Each opcode has its number of operands and the types its description demands, and the payload it
//!    needs; results have the type that the operation gives.
//! 5. **Calls.** Arguments match the callee's parameters and its result; kernels and device functions exist.
//! 6. **Returns** give the function's result type.
//! 7. **Loops.** Metadata hangs only on branches to a block that dominates them (back edges), and exists.
//! 8. **Switches** have distinct case values that fit the operand's type.
//! 9. **Slots and globals** have power-of-two alignments; relocations lie inside their initialiser.
//!
//! Cost: linear in the size of the function, plus one dominator tree.

use crate::{
    Block, ConstKind, FnKind, FuncId, Function, GlobalInit, Inst, Module, Opcode, Payload, ReversePostOrder, Type,
    UNDEF_LANE, Value, ValueDef,
};
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use source::Span;

/// A rule that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// The function, by symbol name; empty for a global.
    pub function: String,
    /// Where in it, as text.
    pub place: String,
    /// What is wrong.
    pub message: String,
    /// The source place of the instruction.
    pub span: Span,
}

impl std::fmt::Display for VerifyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "in `{}`, {}: {}", self.function, self.place, self.message)
    }
}

impl std::error::Error for VerifyError {}

/// Most errors kept per module.
const MAX_ERRORS: usize = 50;

/// Checks every rule on every function and global.
///
/// # Errors
/// The rules that do not hold, at most 50 of them.
pub fn verify_module(module: &Module) -> Result<(), Vec<VerifyError>> {
    let mut errors = Vec::new();
    for g in module.globals.values() {
        verify_global(module, g, &mut errors);
    }
    for (id, _) in module.functions.iter() {
        if let Err(e) = verify_function(module, id) {
            errors.extend(e);
        }
        if errors.len() >= MAX_ERRORS {
            errors.truncate(MAX_ERRORS);
            break;
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

fn verify_global(module: &Module, g: &crate::GlobalData, errors: &mut Vec<VerifyError>) {
    let mut fail = |message: String| {
        errors.push(VerifyError {
            function: String::new(),
            place: format!("global `{}`", g.name),
            message,
            span: g.span,
        });
    };
    if !g.align.is_power_of_two() {
        fail(format!("alignment {} is no power of two", g.align));
    }
    if let GlobalInit::Bytes(bytes, relocs) = &g.init {
        if bytes.len() as u64 > g.size {
            fail("initialiser longer than the variable".to_owned());
        }
        for r in relocs {
            if u64::from(r.offset) + 8 > g.size || !module.globals.is_valid(r.global) {
                fail("relocation outside the variable or to no variable".to_owned());
            }
        }
    }
}

/// Checks every rule on one function.
///
/// # Errors
/// The rules that do not hold, at most 50 of them.
pub fn verify_function(module: &Module, id: FuncId) -> Result<(), Vec<VerifyError>> {
    let func = &module.functions[id];
    if func.is_declaration() {
        return Ok(());
    }
    let mut v = Verifier {
        module,
        func,
        errors: Vec::new(),
        order: SecondaryMap::new(),
        idom: SecondaryMap::new(),
        below: SecondaryMap::new(),
        rpo: SecondaryMap::with_default(u32::MAX),
    };
    v.shape();
    if v.errors.is_empty() {
        v.dominators();
        v.number();
        for b in func.layout.blocks() {
            for i in func.layout.insts(b) {
                v.inst(b, i);
            }
        }
    }
    if v.errors.is_empty() { Ok(()) } else { Err(v.errors) }
}

struct Verifier<'a> {
    module: &'a Module,
    func: &'a Function,
    errors: Vec<VerifyError>,
    /// Position of a placed instruction in its block, from 1; 0 for instructions that stand nowhere.
    order: SecondaryMap<Inst, u32>,
    idom: SecondaryMap<Block, PackedOption<Block>>,
    /// Place of a block in a walk down the tree of dominators, and the place behind the last block below it. What a block
    /// dominates has places between these: values may be used thousands of blocks down the tree.
    below: SecondaryMap<Block, (u32, u32)>,
    /// Reverse post-order number; `u32::MAX` for unreachable blocks.
    rpo: SecondaryMap<Block, u32>,
}

impl Verifier<'_> {
    fn fail(&mut self, place: String, span: Span, message: String) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(VerifyError { function: self.func.name.clone(), place, message, span });
        }
    }

    fn fail_inst(&mut self, inst: Inst, message: impl Into<String>) {
        let place = format!("{inst} ({})", self.func.dfg.op(inst).name());
        self.fail(place, self.func.dfg.span(inst), message.into());
    }

    /// Rules 1 and 2, and the slots of rule 9.
    fn shape(&mut self) {
        let (f, dfg, layout) = (self.func, &self.func.dfg, &self.func.layout);
        let entry = layout.entry();
        for (s, data) in f.slots.iter() {
            if !data.align.is_power_of_two() {
                self.fail(s.to_string(), f.span, "alignment is no power of two".to_owned());
            }
        }
        let params: Vec<Type> = dfg.params(entry).iter().map(|&v| dfg.ty(v)).collect();
        if !params.iter().eq(f.params.iter().map(|p| &p.ty)) {
            self.fail(entry.to_string(), f.span, "entry parameters differ from the signature".to_owned());
        }
        for b in layout.blocks() {
            let Some(last) = layout.last_inst(b) else {
                self.fail(b.to_string(), f.span, "empty block".to_owned());
                continue;
            };
            for i in layout.insts(b) {
                if dfg.op(i).is_terminator() != (i == last) {
                    self.fail_inst(i, "a block must end in its only terminator");
                }
            }
            for n in 0..dfg.successor_count(last) {
                let to = dfg.successor(last, n);
                if !dfg.blocks.is_valid(to) || !layout.is_placed(to) {
                    self.fail_inst(last, format!("branch to {to}, which stands nowhere"));
                } else if to == entry {
                    self.fail_inst(last, "branch to the entry block");
                } else if !dfg
                    .branch_args(last, n)
                    .iter()
                    .map(|&v| dfg.ty(v))
                    .eq(dfg.params(to).iter().map(|&v| dfg.ty(v)))
                {
                    self.fail_inst(last, format!("arguments differ from the parameters of {to}"));
                }
            }
        }
    }

    /// Immediate dominators (Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm").
    fn dominators(&mut self) {
        let order = ReversePostOrder::new(self.func);
        let entry = self.func.layout.entry();
        self.rpo.clone_from(order.positions());
        let mut preds: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
        for &b in order.blocks() {
            for s in self.func.succs(b) {
                preds[s].push(b);
            }
        }
        self.idom[entry] = entry.into();
        let mut changed = true;
        while changed {
            changed = false;
            for &b in &order.blocks()[1..] {
                let mut new: Option<Block> = None;
                for &p in &preds[b] {
                    if self.idom[p].is_some() {
                        new = Some(new.map_or(p, |q| self.meet(p, q)));
                    }
                }
                if self.idom[b] != new.into() {
                    self.idom[b] = new.into();
                    changed = true;
                }
            }
        }
        self.number_tree(order.blocks());
    }

    /// Places in the tree of dominators, of blocks in reverse post-order: above comes before below.
    fn number_tree(&mut self, order: &[Block]) {
        let mut size: SecondaryMap<Block, u32> = SecondaryMap::with_default(1);
        for &b in order[1..].iter().rev() {
            let own = size[b];
            size[self.idom[b].unwrap()] += own;
        }
        // Where the next block below one goes.
        let mut next: SecondaryMap<Block, u32> = SecondaryMap::new();
        for (n, &b) in order.iter().enumerate() {
            let at = if n == 0 {
                0
            } else {
                let above = self.idom[b].unwrap();
                let at = next[above];
                next[above] = at + size[b];
                at
            };
            self.below[b] = (at, at + size[b]);
            next[b] = at + 1;
        }
    }

    fn meet(&self, mut a: Block, mut b: Block) -> Block {
        while a != b {
            while self.rpo[a] > self.rpo[b] {
                a = self.idom[a].unwrap();
            }
            while self.rpo[b] > self.rpo[a] {
                b = self.idom[b].unwrap();
            }
        }
        a
    }

    fn number(&mut self) {
        for b in self.func.layout.blocks() {
            for (n, i) in self.func.layout.insts(b).enumerate() {
                self.order[i] = n as u32 + 1;
            }
        }
    }

    fn dominates(&self, a: Block, b: Block) -> bool {
        let (from, to) = self.below[a];
        (from..to).contains(&self.below[b].0)
    }

    /// Rule 3.
    fn operand(&mut self, block: Block, inst: Inst, v: Value) {
        let dfg = &self.func.dfg;
        if !dfg.values.is_valid(v) {
            return self.fail_inst(inst, format!("operand {v} does not exist"));
        }
        let reachable = self.rpo[block] != u32::MAX;
        match dfg.values[v].def {
            ValueDef::Alias(_) => self.fail_inst(inst, format!("operand {v} is an alias")),
            ValueDef::Const(ConstKind::Global(g)) if !self.module.globals.is_valid(g) => {
                self.fail_inst(inst, format!("no such global: {g}"));
            }
            ValueDef::Const(ConstKind::Slot(s)) if !self.func.slots.is_valid(s) => {
                self.fail_inst(inst, format!("no such slot: {s}"));
            }
            ValueDef::Const(_) => {}
            ValueDef::Param(b, n) => {
                if dfg.params(b).get(n as usize) != Some(&v) || !self.func.layout.is_placed(b) {
                    self.fail_inst(inst, format!("operand {v} is no parameter of a placed block"));
                } else if reachable && !self.dominates(b, block) {
                    self.fail_inst(inst, format!("parameter {v} of {b} does not dominate its use"));
                }
            }
            ValueDef::Inst(d) => {
                let Some(b) = self.func.layout.inst_block(d) else {
                    return self
                        .fail_inst(inst, format!("operand {v} is computed by an instruction that stands nowhere"));
                };
                let dominates = || if b == block { self.order[d] < self.order[inst] } else { self.dominates(b, block) };
                if reachable && !dominates() {
                    self.fail_inst(inst, format!("definition of {v} does not dominate its use"));
                }
            }
        }
    }

    fn inst(&mut self, block: Block, inst: Inst) {
        let mut uses: smallvec::SmallVec<[Value; 8]> = smallvec::SmallVec::new();
        self.func.dfg.for_each_use(inst, |v| uses.push(v));
        let before = self.errors.len();
        for v in uses {
            self.operand(block, inst, v);
        }
        if self.errors.len() > before {
            return;
        }
        if let Err(message) = self.types(inst) {
            self.fail_inst(inst, message);
        }
        if let Some(md) = self.func.dfg.insts[inst].loop_md() {
            if !self.func.loops.is_valid(md) {
                self.fail_inst(inst, format!("no such loop: {md}"));
            } else if self.rpo[block] != u32::MAX && !self.func.dfg.successors(inst).any(|s| self.dominates(s, block)) {
                self.fail_inst(inst, format!("{md} hangs on a branch that is no back edge"));
            }
        }
    }

    /// Rules 4 to 6 and 8.
    fn types(&self, inst: Inst) -> Result<(), String> {
        let dfg = &self.func.dfg;
        let data = &dfg.insts[inst];
        let args = dfg.args(inst);
        let ty = |n: usize| dfg.ty(args[n]);
        if let Some(n) = data.op.operand_count() {
            want(args.len() == n, "wrong number of operands")?;
        }
        want(data.ty.is_void() == dfg.result(inst).is_none(), "result and type disagree")?;
        want(payload_fits(data.op, &data.payload), "payload does not fit the opcode")?;
        if let Some(v) = dfg.result(inst) {
            want(dfg.ty(v) == data.ty, "the result value has another type")?;
        }
        use Opcode::*;
        match data.op {
            Add | Sub | Mul | MulHiS | MulHiU | SDiv | UDiv | SRem | URem | And | Or | Xor | Shl | LShr | AShr
            | SMin | SMax | UMin | UMax | Abs | Clz | Ctz | Popcnt | BitRev | ByteSwap | Fshl | Fshr => {
                want(data.ty.is_int(), "integer result expected")?;
                want((0..args.len()).all(|n| ty(n) == data.ty), "operands must have the type of the result")
            }
            FAdd | FSub | FMul | FDiv | FRem | FMin | FMax | FCopysign | Fma | FNeg | FAbs | FSqrt | FFloor | FCeil
            | FTrunc | FRint => {
                want(data.ty.is_float(), "float result expected")?;
                want((0..args.len()).all(|n| ty(n) == data.ty), "operands must have the type of the result")
            }
            Icmp => {
                want(
                    ty(0) == ty(1) && (ty(0).is_int() || ty(0).is_ptr()),
                    "two integers or pointers of one type expected",
                )?;
                want(data.ty == ty(0).with_scalar(Type::I1), "result must be i1 per lane")
            }
            Fcmp => {
                want(ty(0) == ty(1) && ty(0).is_float(), "two floats of one type expected")?;
                want(data.ty == ty(0).with_scalar(Type::I1), "result must be i1 per lane")
            }
            Select => {
                want(ty(1) == data.ty && ty(2) == data.ty, "operands must have the type of the result")?;
                want(
                    ty(0) == Type::I1 || ty(0) == data.ty.with_scalar(Type::I1),
                    "condition must be i1, or i1 per lane",
                )
            }
            op if op.is_cast() => cast_types(op, ty(0), data.ty),
            PtrAdd => {
                want(ty(0).is_ptr() && ty(0) == data.ty, "pointer of the result's type expected")?;
                want(ty(1) == Type::I64.with_scalar(Type::I64) && !ty(0).is_vector(), "i64 offset expected")
            }
            Load => want(ty(0).is_ptr() && !ty(0).is_vector() && !data.ty.is_void(), "pointer operand expected"),
            Store => want(ty(0).is_ptr() && !ty(0).is_vector(), "pointer operand expected"),
            MaskedLoad | MaskedStore | Gather | Scatter => self.lane_access_types(inst),
            MemCpy => want(ty(0).is_ptr() && ty(1).is_ptr() && ty(2) == Type::I64, "ptr, ptr, i64 expected"),
            MemSet => want(ty(0).is_ptr() && ty(1) == Type::I8 && ty(2) == Type::I64, "ptr, i8, i64 expected"),
            AtomicRmw => want(
                ty(0).is_ptr() && ty(1) == data.ty && !data.ty.is_vector() && data.ty.bits() >= 8,
                "ptr and a scalar of the result's type expected",
            ),
            AtomicCas => want(
                ty(0).is_ptr() && ty(1) == data.ty && ty(2) == data.ty && !data.ty.is_vector() && data.ty.bits() >= 8,
                "ptr and two scalars of the result's type expected",
            ),
            Fence => Ok(()),
            VecBuild | Extract | Insert | ExtractDyn | InsertDyn | Splat | Iota | AnyLane | AllLanes | Permute
            | Shuffle => self.vector_types(inst),
            Call => self.call_types(inst),
            Intrinsic => {
                let n = data.intrinsic().and_then(crate::Intrinsic::operand_count);
                want(n.is_none_or(|n| n == args.len()), "wrong number of operands")
            }
            Special => {
                let bits = data.special().map_or(0, crate::SpecialReg::bits);
                want(data.ty == if bits == 64 { Type::I64 } else { Type::I32 }, "wrong width for this register")
            }
            InlineAsm => {
                let Payload::Asm(a) = data.payload else { return Err("assembly expected".to_owned()) };
                want(dfg.asms.is_valid(a) && dfg.asms[a].inputs.len() == args.len(), "one operand per input expected")
            }
            Assume => want(ty(0) == Type::I1, "i1 expected"),
            Provable => want(ty(0) == Type::I1 && data.ty == Type::I1, "i1 expected"),
            Br => want(ty(0) == Type::I1, "i1 condition expected"),
            Switch => self.switch_types(inst),
            Return => {
                let found = args.first().map_or(Type::VOID, |&v| dfg.ty(v));
                want(args.len() <= 1 && found == self.func.ret, "the function's result type expected")
            }
            _ => Ok(()),
        }
    }

    fn vector_types(&self, inst: Inst) -> Result<(), String> {
        let dfg = &self.func.dfg;
        let data = &dfg.insts[inst];
        let args = dfg.args(inst);
        let ty = |n: usize| dfg.ty(args[n]);
        let lane_ok = |t: Type| data.lane().is_some_and(|l| l < t.lanes());
        let ok = match data.op {
            Opcode::VecBuild => {
                data.ty.lanes() as usize == args.len()
                    && args.len() > 1
                    && args.iter().all(|&v| dfg.ty(v) == data.ty.scalar())
            }
            Opcode::Extract => ty(0).is_vector() && data.ty == ty(0).scalar() && lane_ok(ty(0)),
            Opcode::Insert => data.ty.is_vector() && ty(0) == data.ty && ty(1) == data.ty.scalar() && lane_ok(data.ty),
            Opcode::ExtractDyn => ty(0).is_vector() && data.ty == ty(0).scalar() && ty(1) == Type::I32,
            Opcode::InsertDyn => {
                data.ty.is_vector() && ty(0) == data.ty && ty(1) == data.ty.scalar() && ty(2) == Type::I32
            }
            Opcode::Splat => data.ty.is_vector() && ty(0) == data.ty.scalar(),
            Opcode::Iota => data.ty.is_vector() && data.ty.is_int(),
            Opcode::AnyLane | Opcode::AllLanes => {
                ty(0).is_vector() && ty(0).scalar() == Type::I1 && data.ty == Type::I1
            }
            Opcode::Permute => data.ty.is_vector() && ty(0) == data.ty && ty(1) == data.ty.with_scalar(Type::I32),
            _ => {
                let Payload::Shuffle(mask) = data.payload else { return Err("lanes expected".to_owned()) };
                let n = ty(0).lanes() * 2;
                ty(0) == ty(1)
                    && ty(0).lanes().max(data.ty.lanes()) as usize <= mask.len()
                    && data.ty.scalar() == ty(0).scalar()
                    && mask[..data.ty.lanes() as usize].iter().all(|&l| l == UNDEF_LANE || l < n)
            }
        };
        if ok { Ok(()) } else { Err("lanes and element types do not fit".to_owned()) }
    }

    /// Accesses of memory by lanes under a mask.
    fn lane_access_types(&self, inst: Inst) -> Result<(), String> {
        let dfg = &self.func.dfg;
        let (op, args) = (dfg.op(inst), dfg.args(inst));
        let ty = |n: usize| dfg.ty(args[n]);
        let offsets = usize::from(matches!(op, Opcode::Gather | Opcode::Scatter));
        let (mask, value) = (ty(1 + offsets), ty(2 + offsets));
        want(ty(0).is_ptr() && !ty(0).is_vector(), "pointer operand expected")?;
        want(
            value.is_vector() && mask == value.with_scalar(Type::I1),
            "vector value and an i1 mask per lane expected",
        )?;
        if offsets == 1 {
            want(
                [Type::I32, Type::I64].contains(&ty(1).scalar()) && ty(1).lanes() == value.lanes(),
                "an i32 or i64 offset per lane expected",
            )?;
        }
        let reads = matches!(op, Opcode::MaskedLoad | Opcode::Gather);
        want(dfg.insts[inst].ty == if reads { value } else { Type::VOID }, "result of the value's type expected")
    }

    fn call_types(&self, inst: Inst) -> Result<(), String> {
        let dfg = &self.func.dfg;
        let Some(callee) = dfg.insts[inst].callee().filter(|&f| self.module.functions.is_valid(f)) else {
            return Err("no such function".to_owned());
        };
        let f = &self.module.functions[callee];
        if f.kind == FnKind::Kernel {
            return Err("calls a kernel".to_owned());
        }
        let types = dfg.args(inst).iter().map(|&v| dfg.ty(v));
        if types.eq(f.params.iter().map(|p| p.ty)) && dfg.insts[inst].ty == f.ret {
            Ok(())
        } else {
            Err(format!("arguments or result differ from the signature of `{}`", f.name))
        }
    }

    fn switch_types(&self, inst: Inst) -> Result<(), String> {
        let dfg = &self.func.dfg;
        let ty = dfg.ty(dfg.arg(inst, 0));
        let Payload::Switch(s) = dfg.insts[inst].payload else { return Err("table expected".to_owned()) };
        let mut values: Vec<u64> = dfg.switches[s].cases.iter().map(|(n, _)| *n).collect();
        values.sort_unstable();
        if !ty.is_int() || ty.is_vector() || values.iter().any(|&n| n & !ty.mask() != 0) {
            return Err("case values must fit the integer operand".to_owned());
        }
        if values.windows(2).any(|w| w[0] == w[1]) { Err("case values must be distinct".to_owned()) } else { Ok(()) }
    }
}

fn want(ok: bool, what: &str) -> Result<(), String> {
    if ok { Ok(()) } else { Err(what.to_owned()) }
}

fn payload_fits(op: Opcode, payload: &Payload) -> bool {
    use Opcode::*;
    match op {
        Icmp => matches!(payload, Payload::IntCC(_)),
        Fcmp => matches!(payload, Payload::FloatCC(_)),
        Load | Store | MaskedLoad | MaskedStore | Gather | Scatter | MemCpy | MemSet => {
            matches!(payload, Payload::Mem(_))
        }
        AtomicRmw | AtomicCas => matches!(payload, Payload::Atomic(..)),
        Fence => matches!(payload, Payload::Fence(..)),
        Extract | Insert => matches!(payload, Payload::Lane(_)),
        Shuffle => matches!(payload, Payload::Shuffle(_)),
        Call => matches!(payload, Payload::Call(_)),
        Intrinsic => matches!(payload, Payload::Intrinsic(_)),
        Special => matches!(payload, Payload::Special(_)),
        InlineAsm => matches!(payload, Payload::Asm(_)),
        Provable => matches!(payload, Payload::Hint(_)),
        Jump => matches!(payload, Payload::Jump(..)),
        Br => matches!(payload, Payload::Br(..)),
        Switch => matches!(payload, Payload::Switch(_)),
        FAdd | FSub | FMul | FDiv | Fma | FSqrt | FpTrunc | FpExt | FpToSi | FpToUi | SiToFp | UiToFp => {
            matches!(payload, Payload::None | Payload::Round(_))
        }
        _ => matches!(payload, Payload::None),
    }
}

fn cast_types(op: Opcode, from: Type, to: Type) -> Result<(), String> {
    use Opcode::*;
    let ok = match op {
        Trunc => from.is_int() && to.is_int() && to.bits() < from.bits() && from.lanes() == to.lanes(),
        ZExt | SExt => from.is_int() && to.is_int() && to.bits() > from.bits() && from.lanes() == to.lanes(),
        // f16 and bf16 convert into each other through fptrunc's sibling fpext only via f32.
        FpTrunc => from.is_float() && to.is_float() && to.bits() < from.bits() && from.lanes() == to.lanes(),
        FpExt => from.is_float() && to.is_float() && to.bits() > from.bits() && from.lanes() == to.lanes(),
        FpToSi | FpToUi => from.is_float() && to.is_int() && from.lanes() == to.lanes(),
        SiToFp | UiToFp => from.is_int() && to.is_float() && from.lanes() == to.lanes(),
        Bitcast => {
            let bits = |t: Type| t.bits() * u32::from(t.lanes());
            !from.is_ptr() && !to.is_ptr() && bits(from) == bits(to) && bits(to) > 0
        }
        PtrToInt => from.is_ptr() && to.scalar() == Type::I64 && from.lanes() == to.lanes(),
        IntToPtr => from.scalar() == Type::I64 && to.is_ptr() && from.lanes() == to.lanes(),
        AddrSpaceCast => from.is_ptr() && to.is_ptr() && from != to && from.lanes() == to.lanes(),
        _ => false,
    };
    if ok { Ok(()) } else { Err(format!("no such conversion: {from} to {to}")) }
}
