//! One function: its context, its frame, its text.

use crate::cfg::Cfg;
use crate::error::EmitError;
use crate::module::{EmitOptions, PtxTarget};
use crate::out::push_u64;
use crate::regs::{Class, Opnd, Reg, RegFile};
use crate::select::{Selected, Selection};
use cranelift_entity::EntityRef;
use ir::{Block, ConstKind, Flags, FnKind, Function, Inst, Module, Opcode, Slot, Type, Value, ValueDef};
use source::{SourceMap, Span};
use target::Feature;

/// Stack slots laid out in one block of local memory.
#[derive(Default)]
pub(crate) struct Frame {
    offsets: Vec<i32>,
    /// Bytes.
    pub(crate) size: u32,
    /// Alignment in bytes.
    pub(crate) align: u32,
}

impl Frame {
    /// Where a slot starts.
    pub(crate) fn offset(&self, s: Slot) -> i32 {
        self.offsets.get(s.index()).copied().unwrap_or(0)
    }

    /// Reserves memory; gives its offset.
    pub(crate) fn reserve(&mut self, size: u32, align: u32, span: Span) -> Result<i32, EmitError> {
        let align = align.clamp(1, 1 << 16).next_power_of_two();
        let at = u64::from(self.size).next_multiple_of(u64::from(align));
        let end = at + u64::from(size);
        if end > target::space::PRIVATE_BYTES {
            return Err(EmitError::TooLarge {
                what: format!("private memory of one work-item ({end} bytes)"),
                span,
                help: "at most 524288 bytes fit: make the arrays smaller or put them into global memory".to_owned(),
            });
        }
        self.size = end as u32;
        self.align = self.align.max(align);
        Ok(at as i32)
    }
}

/// What is known while a function is written.
pub(crate) struct Fx<'a> {
    /// The module.
    pub(crate) m: &'a Module,
    /// The function.
    pub(crate) f: &'a Function,
    /// What is compiled for.
    pub(crate) t: &'a PtxTarget,
    /// Options.
    pub(crate) opts: &'a EmitOptions,
    /// Sources, for line information.
    pub(crate) sources: Option<&'a SourceMap>,
    /// Number of the function in the text; part of its labels.
    pub(crate) number: u32,
    /// Instructions.
    pub(crate) out: String,
    /// Instructions at the start of the entry block.
    pub(crate) prologue: String,
    /// Registers.
    pub(crate) regs: RegFile,
    /// The operand of each value.
    pub(crate) vals: Vec<Opnd>,
    /// Where edges leave the next values of loop variables that are read after the loop, too: the header copies them to
    /// the registers that are read. None for other values.
    pub(crate) phis: Vec<Opnd>,
    /// Lanes of vectors.
    pub(crate) lanes: Vec<Opnd>,
    /// Constants and addresses in registers.
    pub(crate) constants: Vec<(Opnd, Reg)>,
    /// The register that the next result must go to.
    pub(crate) forced: Option<Reg>,
    /// Blocks and loops.
    pub(crate) cfg: Cfg,
    /// What is folded.
    pub(crate) sel: Selection,
    /// Local memory.
    pub(crate) frame: Frame,
    /// Next label that is no block's.
    pub(crate) next_label: u32,
    /// Calls written so far.
    pub(crate) calls: u32,
    /// Of each inline assembly written so far the registers that it only writes.
    pub(crate) asm_outputs: Vec<Vec<String>>,
    /// Whether `vprintf` is called.
    pub(crate) prints: bool,
    /// What assertions of the module say.
    pub(crate) texts: Vec<String>,
    /// The source place last written.
    pub(crate) loc: (u32, u32, u32),
    /// Readers of each register in a parallel copy; zero between copies.
    pub(crate) pending: [Vec<u32>; Class::COUNT],
}

/// Vectors whose lanes are work-items belong to machines without lanes of their own.
fn work_item_vector(span: Span) -> EmitError {
    EmitError::unsupported("a vector of work-items", span, "widen kernels for the host only")
}

/// Fails if the function computes with vectors of more than 16 lanes, but for the outputs of inline assembly.
pub(crate) fn check_vectors(f: &Function) -> Result<(), EmitError> {
    let outputs = |v: Value| f.dfg.def_op(v, Opcode::InlineAsm).is_some();
    let wide = |v: &Value| f.dfg.ty(*v).lanes() > 16 && !outputs(f.dfg.resolve(*v));
    for b in f.layout.blocks() {
        if f.dfg.params(b).iter().any(wide) {
            return Err(work_item_vector(f.span));
        }
        let makes = |i: Inst| f.dfg.insts[i].ty.lanes() > 16 && f.dfg.op(i) != Opcode::InlineAsm;
        let found = f.layout.insts(b).find(|&i| makes(i) || f.dfg.args(i).iter().any(wide));
        if let Some(i) = found {
            return Err(work_item_vector(f.dfg.span(i)));
        }
    }
    Ok(())
}

impl<'a> Fx<'a> {
    /// Whether the function is an entry point.
    pub(crate) fn is_kernel(&self) -> bool {
        self.f.kind == FnKind::Kernel
    }

    /// Fails unless the target has `feature`.
    pub(crate) fn require(&self, feature: Feature, i: Inst) -> Result<(), EmitError> {
        if self.t.arch.has(feature) { Ok(()) } else { Err(EmitError::needs(feature, self.f.dfg.span(i))) }
    }

    /// Whether the target has `feature`.
    pub(crate) fn has(&self, feature: Feature) -> bool {
        self.t.arch.has(feature)
    }

    /// Type of a value.
    pub(crate) fn ty(&self, v: Value) -> Type {
        self.f.dfg.ty(v)
    }

    /// `.ftz` where single precision flushes subnormals.
    pub(crate) fn ftz(&self, flags: Flags) -> &'static str {
        if self.m.math.ftz || flags.has(Flags::FTZ) { ".ftz" } else { "" }
    }

    /// Name of the function's block of local memory.
    pub(crate) fn push_frame_name(&self, out: &mut String) {
        out.push_str("__local_depot");
        push_u64(out, u64::from(self.number));
    }

    // ---- labels -------------------------------------------------------------------------------------------------

    /// Writes the label of a block as an operand.
    pub(crate) fn push_label(out: &mut String, number: u32, b: Block) {
        out.push_str("$L__BB");
        push_u64(out, u64::from(number));
        out.push('_');
        push_u64(out, b.index() as u64);
    }

    /// A label that is no block's.
    pub(crate) fn new_label(&mut self) -> u32 {
        self.next_label += 1;
        self.next_label
    }

    /// Writes a label of [`Fx::new_label`] as an operand.
    pub(crate) fn push_extra_label(out: &mut String, number: u32, label: u32) {
        out.push_str("$L__tmp");
        push_u64(out, u64::from(number));
        out.push('_');
        push_u64(out, u64::from(label));
    }

    /// Places a label of [`Fx::new_label`].
    pub(crate) fn place_label(&mut self, label: u32) {
        Self::push_extra_label(&mut self.out, self.number, label);
        self.out.push_str(":\n");
    }

    // ---- body ---------------------------------------------------------------------------------------------------

    /// Writes the body, braces included, to `text`.
    pub(crate) fn body(&mut self, text: &mut String) -> Result<(), EmitError> {
        let named = self.named_slots();
        for (id, s) in self.f.slots.iter() {
            let at = if named[id.index()] { self.frame.reserve(s.size.max(1), s.align, self.f.span)? } else { 0 };
            self.frame.offsets.push(at);
        }
        self.load_params()?;
        self.assign_params();
        for k in 0..self.cfg.order.len() {
            self.block(k)?;
        }
        text.push_str("{\n");
        if self.frame.size > 0 {
            text.push_str("\t.local .align ");
            push_u64(text, u64::from(self.frame.align));
            text.push_str(" .b8 ");
            self.push_frame_name(text);
            text.push('[');
            push_u64(text, u64::from(self.frame.size));
            text.push_str("];\n");
        }
        self.regs.declare(text);
        text.push('\n');
        let mut code = std::mem::take(&mut self.prologue);
        code.push_str(&self.out);
        crate::coalesce::coalesce(&mut code, &self.asm_outputs);
        text.push_str(&code);
        text.push_str("}\n\n");
        Ok(())
    }

    /// Which stack slots an instruction names. The others, whose contents the optimiser moved to registers, need no
    /// memory.
    fn named_slots(&self) -> Vec<bool> {
        let f = self.f;
        let mut named = vec![false; f.slots.len()];
        if named.is_empty() {
            return named;
        }
        for b in f.layout.blocks() {
            for i in f.layout.insts(b) {
                f.dfg.for_each_use(i, |v| {
                    if let ValueDef::Const(ConstKind::Slot(s)) = f.dfg.def(v) {
                        named[s.index()] = true;
                    }
                });
            }
        }
        named
    }

    /// Gives every block parameter (not the function's own) its registers.
    fn assign_params(&mut self) {
        for k in 1..self.cfg.order.len() {
            let b = self.cfg.order[k];
            for &p in self.f.dfg.params(b) {
                if self.sel.is_needed(p) {
                    let read = self.fresh_registers(p);
                    self.vals[p.index()] = read;
                    if self.is_overwritten_early(b, p) {
                        self.phis[p.index()] = self.fresh_registers(p);
                    }
                }
            }
        }
    }

    fn fresh_registers(&mut self, v: Value) -> Opnd {
        let ty = self.f.dfg.ty(v);
        let Some(class) = Class::of(ty.scalar()) else { return Opnd::None };
        if !ty.is_vector() {
            return self.regs.fresh(class).into();
        }
        let at = self.lanes.len() as u32;
        for _ in 0..ty.lanes() {
            let r = self.regs.fresh(class);
            self.lanes.push(r.into());
        }
        Opnd::Lanes(at)
    }

    fn block(&mut self, k: usize) -> Result<(), EmitError> {
        let b = self.cfg.order[k];
        if k > 0 || self.cfg.entry_is_target {
            Self::push_label(&mut self.out, self.number, b);
            self.out.push_str(":\n");
            if self.cfg.loop_headed_by(b).is_some() && self.is_nounroll(b) {
                self.out.push_str("\t.pragma \"nounroll\";\n");
            }
        }
        self.read_phis(b);
        for i in self.f.layout.insts(b) {
            self.inst(i)?;
        }
        Ok(())
    }

    /// Whether a back edge to `header` says that the assembler must not unroll.
    fn is_nounroll(&self, header: Block) -> bool {
        let start = self.cfg.position(header).unwrap_or(0);
        let l = self.cfg.loop_of(header);
        let blocks = self.cfg.order[start..].iter().take_while(|b| self.cfg.contains(l, self.cfg.loop_of(**b)));
        blocks.into_iter().any(|&b| {
            let t = self.f.layout.terminator(b);
            let md = self.f.dfg.insts[t].loop_md();
            md.is_some_and(|md| self.f.loops[md].nounroll) && self.f.dfg.successors(t).any(|s| s == header)
        })
    }

    /// Writes one instruction.
    fn inst(&mut self, i: Inst) -> Result<(), EmitError> {
        let f = self.f;
        let plan = self.sel.plan(i);
        if matches!(plan, Selected::Skip) {
            return Ok(());
        }
        if self.opts.lineinfo {
            self.line_info(f.dfg.span(i));
        }
        let result = f.dfg.result(i);
        self.forced = result.and_then(|v| self.sel.shared(v)).and_then(|p| self.value(p).reg());
        let done = match plan {
            Selected::Plain => return self.plain(i),
            Selected::Skip => return Ok(()),
            Selected::Mad(args) => self.mad(i, args),
            Selected::MulWide(w) => self.mul_wide(w),
            Selected::Fma { args, neg_product, neg_addend } => self.fused(i, args, neg_product, neg_addend),
            Selected::Setp(cmp, other) => self.setp_with(i, cmp, other)?,
            Selected::Narrow => self.narrow_sum(i),
            Selected::LoadExt(ext) => return self.load_extended(i, ext),
            Selected::Pack(halves) => self.pack_halves(halves, f.dfg.insts[i].ty),
        };
        if let Some(v) = result {
            self.set(v, done);
        }
        Ok(())
    }

    /// Writes an instruction that stands for itself.
    fn plain(&mut self, i: Inst) -> Result<(), EmitError> {
        use Opcode::*;
        match self.f.dfg.op(i) {
            Add | Sub | Mul | MulHiS | MulHiU | SDiv | UDiv | SRem | URem | And | Or | Xor | Shl | LShr | AShr
            | SMin | SMax | UMin | UMax | Abs | Clz | Ctz | Popcnt | BitRev | ByteSwap | Fshl | Fshr | PtrAdd => {
                self.integer(i)
            }
            FAdd | FSub | FMul | FDiv | FRem | FMin | FMax | FCopysign | Fma | FNeg | FAbs | FSqrt | FFloor | FCeil
            | FTrunc | FRint => self.floating(i),
            Icmp | Fcmp | Select => self.comparison(i),
            Trunc | ZExt | SExt | FpTrunc | FpExt | FpToSi | FpToUi | SiToFp | UiToFp => self.conversion(i),
            Bitcast => self.bitcast(i),
            PtrToInt | IntToPtr => self.rename(i),
            AddrSpaceCast => self.space_cast(i),
            Load => self.load(i),
            Store => self.store(i),
            MemCpy => self.memcpy(i),
            MemSet => self.memset(i),
            AtomicRmw | AtomicCas => self.atomic(i),
            Fence => self.fence_inst(i),
            VecBuild | Extract | Insert | Shuffle => self.vector(i),
            ExtractDyn | InsertDyn => self.vector_dynamic(i),
            MaskedLoad | MaskedStore | Gather | Scatter | Splat | Iota | AnyLane | AllLanes | Permute => {
                Err(work_item_vector(self.f.dfg.span(i)))
            }
            Call => self.call(i),
            Intrinsic => self.intrinsic(i),
            Special => self.special(i),
            InlineAsm => self.inline_asm(i),
            Assume => Ok(()),
            Provable => {
                // The optimiser answered what it could prove; what is left is not provable.
                if let Some(v) = self.f.dfg.result(i) {
                    self.set(v, Opnd::Bool(false));
                }
                Ok(())
            }
            Jump | Br | Switch | Return | Unreachable => self.terminator(i),
        }
    }

    /// Computes each lane of the result of `i` and sets it.
    pub(crate) fn each_lane(
        &mut self,
        i: Inst,
        mut f: impl FnMut(&mut Self, usize) -> Result<Opnd, EmitError>,
    ) -> Result<(), EmitError> {
        let Some(v) = self.f.dfg.result(i) else { return Ok(()) };
        let n = usize::from(self.ty(v).lanes());
        let mut lanes = [Opnd::None; 16];
        for (k, lane) in lanes.iter_mut().enumerate().take(n) {
            *lane = f(self, k)?;
        }
        self.set_lanes(v, &lanes[..n]);
        Ok(())
    }
}
