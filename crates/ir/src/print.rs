//! The text form of the IR (`*.uir`), written so that [`crate::parse`] reads it back.
//!
//! ```text
//! module "saxpy.cu"
//!
//! global @tile: shared size 1024 align 4 elem f32
//!
//! kernel @saxpy(ptr<global> noalias align 4 "x", f32 "a", i32 "n") {
//!   slot0: size 16 align 4 dims [4] "tmp"
//!   loop0: unroll full hints [0]
//! block0(v0: ptr<global>, v1: f32, v2: i32):
//!   v3: i32 = special tid.x
//!   v4: i1 = icmp slt v3, v2
//!   br v4, block1(v3, i32:0), block2
//! ```
//!
//! Values and blocks are numbered densely in layout order, so printing is canonical: printing what was parsed gives
//! the same text. Constants stand where they are used, as `type:value`; a float prints as the shortest decimal that
//! reads back exactly, or as its bits in hexadecimal. Source places are not part of the text.

use crate::{
    AddrSpace, AsmData, Block, BlockCall, ConstKind, Flags, FnKind, Function, GlobalData, GlobalInit, InlineHint, Inst,
    Linkage, LoopMeta, Module, Opcode, Payload, Type, UnrollRequest, Value, ValueDef,
};
use cranelift_entity::{EntityRef, SecondaryMap};
use std::fmt::{self, Write};

/// The text of a module.
pub fn module_to_text(module: &Module) -> String {
    let mut out = String::new();
    // Which form a number gets is computed, and the result is stored. Writing to a String cannot fail.
    let _ = fenv::in_default(|| write_module(&mut out, module));
    out
}

/// The text of one function of a module.
pub fn function_to_text(module: &Module, func: &Function) -> String {
    let mut out = String::new();
    let _ = Printer::new(module, func).function(&mut out);
    out
}

fn write_module(w: &mut String, module: &Module) -> fmt::Result {
    writeln!(w, "module {}", quoted(&module.name))?;
    let m = module.math;
    writeln!(
        w,
        "math{}{}{}{}",
        if m.ftz { " ftz" } else { "" },
        if m.prec_div { " prec_div" } else { "" },
        if m.prec_sqrt { " prec_sqrt" } else { "" },
        if m.fmad { " fmad" } else { "" },
    )?;
    if !module.globals.is_empty() {
        w.push('\n');
    }
    for g in module.globals.values() {
        write_global(w, module, g)?;
    }
    for f in module.functions.values() {
        w.push('\n');
        Printer::new(module, f).function(w)?;
    }
    Ok(())
}

/// A string in double quotes, with `"`, `\` and control characters escaped as `\xx` (hexadecimal bytes).
pub(crate) fn quoted(s: &str) -> String {
    let mut out = String::with_capacity(s.len() + 2);
    out.push('"');
    for c in s.chars() {
        if c == '"' || c == '\\' || c.is_control() {
            let mut buf = [0; 4];
            for b in c.encode_utf8(&mut buf).bytes() {
                let _ = write!(out, "\\{b:02x}");
            }
        } else {
            out.push(c);
        }
    }
    out.push('"');
    out
}

fn linkage(l: Linkage, default: Linkage) -> &'static str {
    if l == default {
        return "";
    }
    match l {
        Linkage::Internal => " internal",
        Linkage::External => " external",
        Linkage::LinkOnce => " linkonce",
    }
}

fn symbol(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_$.".contains(c);
    if !name.is_empty() && name.chars().all(plain) { format!("@{name}") } else { format!("@{}", quoted(name)) }
}

fn write_global(w: &mut String, module: &Module, g: &GlobalData) -> fmt::Result {
    write!(w, "global {}: {} size {} align {} elem {}", symbol(&g.name), g.space.name(), g.size, g.align, g.elem)?;
    if g.constant {
        w.push_str(" constant");
    }
    if g.external {
        w.push_str(" extern");
    }
    w.push_str(linkage(g.linkage, Linkage::Internal));
    match &g.init {
        GlobalInit::None => {}
        GlobalInit::Zero => w.push_str(" = zero"),
        GlobalInit::Bytes(bytes, relocs) => {
            w.push_str(" = x");
            for b in bytes {
                write!(w, "{b:02x}")?;
            }
            for r in relocs {
                let name = symbol(&module.globals[r.global].name);
                write!(w, " reloc {} {name} {}{}", r.offset, r.addend, if r.generic { " generic" } else { "" })?;
            }
        }
    }
    w.push('\n');
    Ok(())
}

struct Printer<'a> {
    module: &'a Module,
    func: &'a Function,
    values: SecondaryMap<Value, u32>,
    blocks: SecondaryMap<Block, u32>,
}

impl<'a> Printer<'a> {
    fn new(module: &'a Module, func: &'a Function) -> Self {
        let mut this = Self { module, func, values: SecondaryMap::new(), blocks: SecondaryMap::new() };
        let mut next = 0;
        for (n, b) in func.layout.blocks().enumerate() {
            this.blocks[b] = n as u32;
            let results = func.layout.insts(b).filter_map(|i| func.dfg.result(i));
            for v in func.dfg.params(b).iter().copied().chain(results) {
                this.values[v] = next;
                next += 1;
            }
        }
        this
    }

    fn function(&self, w: &mut String) -> fmt::Result {
        let f = self.func;
        let kernel = f.kind == FnKind::Kernel;
        let word = match (f.is_declaration(), kernel) {
            (true, true) => "declare kernel",
            (true, false) => "declare fn",
            (false, true) => "kernel",
            (false, false) => "fn",
        };
        write!(w, "{word} {}(", symbol(&f.name))?;
        for (n, p) in f.params.iter().enumerate() {
            write!(w, "{}{}", if n > 0 { ", " } else { "" }, p.ty)?;
            let a = &p.attrs;
            for (set, word) in
                [(a.noalias, " noalias"), (a.readonly, " readonly"), (a.volatile, " volatile"), (a.local, " local")]
            {
                if set {
                    w.push_str(word);
                }
            }
            if let Some(size) = a.byval {
                write!(w, " byval {size}")?;
            }
            let dims: Vec<String> = a.dims.iter().take_while(|&&d| d > 0).map(u32::to_string).collect();
            if !dims.is_empty() {
                write!(w, " dims [{}]", dims.join(" "))?;
            }
            if a.align > 0 {
                write!(w, " align {}", a.align)?;
            }
            if !p.name.is_empty() {
                write!(w, " {}", quoted(&p.name))?;
            }
        }
        w.push(')');
        if !f.ret.is_void() {
            write!(w, " -> {}", f.ret)?;
        }
        w.push_str(linkage(f.linkage, if kernel { Linkage::External } else { Linkage::Internal }));
        self.attrs(w)?;
        if f.display != f.name {
            write!(w, " {}", quoted(&f.display))?;
        }
        if f.is_declaration() {
            w.push('\n');
            return Ok(());
        }
        w.push_str(" {\n");
        self.body(w)?;
        w.push_str("}\n");
        Ok(())
    }

    fn attrs(&self, w: &mut String) -> fmt::Result {
        let a = &self.func.attrs;
        match a.inline {
            InlineHint::None => {}
            InlineHint::Hint => w.push_str(" inlinehint"),
            InlineHint::Always => w.push_str(" alwaysinline"),
            InlineHint::Never => w.push_str(" noinline"),
        }
        for (word, size) in [("reqd_wgs", a.reqd_work_group_size), ("wgs_hint", a.work_group_size_hint)] {
            if let Some([x, y, z]) = size {
                write!(w, " {word} {x} {y} {z}")?;
            }
        }
        if a.partial_groups {
            w.push_str(" partial_groups");
        }
        if a.typed_memory {
            w.push_str(" typed_memory");
        }
        if a.rows_in_y {
            w.push_str(" rows_in_y");
        }
        if a.streams {
            w.push_str(" streams");
        }
        if let Some(t) = a.vec_type_hint {
            write!(w, " vec_type_hint {t}")?;
        }
        for (word, n) in [
            ("max_threads", a.max_threads),
            ("min_blocks", a.min_blocks),
            ("max_cluster", a.max_cluster),
            ("max_registers", a.max_registers),
        ] {
            if let Some(n) = n {
                write!(w, " {word} {n}")?;
            }
        }
        if let Some([x, y, z]) = a.cluster_dims {
            write!(w, " cluster_dims {x} {y} {z}")?;
        }
        for (set, word) in
            [(a.optsize, " optsize"), (a.minsize, " minsize"), (a.noreturn, " noreturn"), (a.convergent, " convergent")]
        {
            if set {
                w.push_str(word);
            }
        }
        for (name, value) in &a.unroll_knobs {
            write!(w, " knob {} {value}", quoted(name))?;
        }
        if !a.hints.is_empty() {
            w.push_str(" hints");
            self.hints(w, &a.hints)?;
        }
        Ok(())
    }

    fn hints(&self, w: &mut String, hints: &[source::HintId]) -> fmt::Result {
        w.push_str(" [");
        for (n, h) in hints.iter().enumerate() {
            write!(w, "{}{}", if n > 0 { " " } else { "" }, h.0)?;
        }
        w.push(']');
        Ok(())
    }

    fn loop_meta(&self, w: &mut String, meta: &LoopMeta) -> fmt::Result {
        for (word, request) in [("unroll", meta.unroll), ("jam", meta.jam)] {
            match request {
                UnrollRequest::None => {}
                UnrollRequest::Disable => write!(w, " {word} disable")?,
                UnrollRequest::Enable => write!(w, " {word} enable")?,
                UnrollRequest::Full => write!(w, " {word} full")?,
                UnrollRequest::Count(n) => write!(w, " {word} {n}")?,
            }
        }
        if let Some(n) = meta.expected {
            write!(w, " expected {n}")?;
        }
        if let Some(n) = meta.held {
            write!(w, " held {n}")?;
        }
        if !meta.hints.is_empty() {
            w.push_str(" hints");
            self.hints(w, &meta.hints)?;
        }
        let set = [
            (meta.done, " done"),
            (meta.nounroll, " nounroll"),
            (meta.must_progress, " must_progress"),
            (meta.rare, " rare"),
            (meta.overlaps, " overlaps"),
            (meta.keeps_loads, " keeps_loads"),
            (meta.any_order, " any_order"),
        ];
        for (set, word) in set {
            if set {
                w.push_str(word);
            }
        }
        Ok(())
    }

    fn body(&self, w: &mut String) -> fmt::Result {
        let f = self.func;
        for (id, s) in f.slots.iter() {
            write!(w, "  {id}: size {} align {}", s.size, s.align)?;
            if !s.dims.is_empty() {
                let dims: Vec<String> = s.dims.iter().map(u32::to_string).collect();
                write!(w, " dims [{}]", dims.join(" "))?;
            }
            if !s.name.is_empty() {
                write!(w, " {}", quoted(&s.name))?;
            }
            w.push('\n');
        }
        for (id, meta) in f.loops.iter() {
            write!(w, "  {id}:")?;
            self.loop_meta(w, meta)?;
            w.push('\n');
        }
        for b in f.layout.blocks() {
            write!(w, "block{}", self.blocks[b])?;
            let params = f.dfg.params(b);
            if !params.is_empty() {
                w.push('(');
                for (n, &v) in params.iter().enumerate() {
                    write!(w, "{}v{}: {}", if n > 0 { ", " } else { "" }, self.values[v], f.dfg.ty(v))?;
                }
                w.push(')');
            }
            w.push_str(":\n");
            for i in f.layout.insts(b) {
                w.push_str("  ");
                self.inst(w, i)?;
                w.push('\n');
            }
        }
        Ok(())
    }

    fn inst(&self, w: &mut String, inst: Inst) -> fmt::Result {
        let dfg = &self.func.dfg;
        let data = &dfg.insts[inst];
        if let Some(v) = dfg.result(inst) {
            write!(w, "v{}: {} = ", self.values[v], data.ty)?;
        }
        w.push_str(data.op.name());
        for (flag, word) in Flags::NAMES {
            if data.flags.has(*flag) {
                write!(w, " {word}")?;
            }
        }
        self.payload(w, inst, &data.payload)?;
        for (n, &v) in dfg.args(inst).iter().enumerate() {
            w.push_str(if n > 0 { ", " } else { " " });
            self.value(w, v)?;
        }
        self.targets(w, &data.payload)
    }

    fn payload(&self, w: &mut String, inst: Inst, payload: &Payload) -> fmt::Result {
        match payload {
            Payload::None | Payload::Jump(..) | Payload::Br(..) | Payload::Switch(_) => Ok(()),
            Payload::IntCC(cc) => write!(w, " {}", cc.name()),
            Payload::FloatCC(cc) => write!(w, " {}", cc.name()),
            Payload::Round(r) => write!(w, " {}", r.name()),
            Payload::Mem(m) => {
                write!(w, " align {}", m.align())?;
                if m.cache != crate::CacheOp::None {
                    write!(w, " cache {}", m.cache.name())?;
                }
                Ok(())
            }
            Payload::Atomic(op, order, scope) => {
                if self.func.dfg.op(inst) == Opcode::AtomicRmw {
                    write!(w, " {}", op.name())?;
                }
                write!(w, " {} {}", order.name(), scope.name())
            }
            Payload::Fence(order, scope) => write!(w, " {} {}", order.name(), scope.name()),
            Payload::Lane(l) => write!(w, " lane {l}"),
            Payload::Shuffle(mask) => {
                let lanes = self.func.dfg.insts[inst].ty.lanes() as usize;
                let words: Vec<String> = mask[..lanes].iter().map(u8::to_string).collect();
                write!(w, " [{}]", words.join(" "))
            }
            Payload::Call(f) => write!(w, " {}", symbol(&self.module.functions[*f].name)),
            Payload::Intrinsic(i) => write!(w, " {}", i.name()),
            Payload::Special(s) => write!(w, " {}", s.name()),
            Payload::Hint(h) => write!(w, " hint {}", h.0),
            Payload::Asm(a) => self.asm(w, &self.func.dfg.asms[*a]),
        }
    }

    fn asm(&self, w: &mut String, a: &AsmData) -> fmt::Result {
        write!(w, " {}", quoted(&a.text))?;
        for (word, list) in [("out", &a.outputs), ("in", &a.inputs), ("clobber", &a.clobbers)] {
            for c in list {
                write!(w, " {word} {}", quoted(c))?;
            }
        }
        if a.volatile { w.write_str(" volatile") } else { Ok(()) }
    }

    fn targets(&self, w: &mut String, payload: &Payload) -> fmt::Result {
        let md = match payload {
            Payload::Jump(c, md) => {
                w.push(' ');
                self.call(w, c)?;
                md
            }
            Payload::Br([yes, no], md) => {
                w.push_str(", ");
                self.call(w, yes)?;
                w.push_str(", ");
                self.call(w, no)?;
                md
            }
            Payload::Switch(s) => {
                w.push_str(", [");
                let table = &self.func.dfg.switches[*s];
                for (n, (value, c)) in table.cases.iter().enumerate() {
                    write!(w, "{}{value}: ", if n > 0 { ", " } else { "" })?;
                    self.call(w, c)?;
                }
                w.push_str("], ");
                return self.call(w, &table.default);
            }
            _ => return Ok(()),
        };
        if let Some(md) = md.expand() {
            write!(w, " !{md}")?;
        }
        Ok(())
    }

    fn call(&self, w: &mut String, c: &BlockCall) -> fmt::Result {
        write!(w, "block{}", self.blocks[c.block])?;
        let args = c.args.as_slice(&self.func.dfg.pool);
        if !args.is_empty() {
            w.push('(');
            for (n, &v) in args.iter().enumerate() {
                w.push_str(if n > 0 { ", " } else { "" });
                self.value(w, v)?;
            }
            w.push(')');
        }
        Ok(())
    }

    fn value(&self, w: &mut String, v: Value) -> fmt::Result {
        let v = self.func.dfg.resolve(v);
        let data = self.func.dfg.values[v];
        match data.def {
            ValueDef::Inst(_) | ValueDef::Param(..) | ValueDef::Alias(_) => write!(w, "v{}", self.values[v]),
            ValueDef::Const(ConstKind::Undef) => write!(w, "undef:{}", data.ty),
            ValueDef::Const(ConstKind::Global(g)) => w.write_str(&symbol(&self.module.globals[g].name)),
            ValueDef::Const(ConstKind::Slot(s)) => write!(w, "&slot{}", s.index()),
            ValueDef::Const(ConstKind::Bits(bits)) => write_const(w, data.ty, bits),
        }
    }
}

fn write_const(w: &mut String, ty: Type, bits: u64) -> fmt::Result {
    write!(w, "{ty}:")?;
    let width = ty.bits();
    match ty.scalar() {
        Type::I1 => write!(w, "{}", bits & 1 == 1),
        Type::F32 if plain_float(f64::from(f32::from_bits(bits as u32))) => {
            write!(w, "{:?}", f32::from_bits(bits as u32))
        }
        Type::F64 if plain_float(f64::from_bits(bits)) => write!(w, "{:?}", f64::from_bits(bits)),
        t if t.is_int() => write!(w, "{}", ((bits << (64 - width)) as i64) >> (64 - width)),
        _ => write!(w, "{bits:#x}"),
    }
}

/// Whether the float reads well, and back, as a decimal.
fn plain_float(x: f64) -> bool {
    x.is_finite() && (x == 0.0 || (1e-6..1e9).contains(&x.abs()))
}

/// The address space named by a word of the text form.
pub(crate) fn space_by_name(name: &str) -> Option<AddrSpace> {
    AddrSpace::ALL.into_iter().find(|s| s.name() == name)
}
