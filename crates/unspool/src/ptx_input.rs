//! PTX as a source, and as inline assembly in others.

use crate::compile::{Compilation, Input, Run};
use crate::explain::matrix;
use crate::product::{Emit, Product};
use ir::{AddrSpace, FnKind, Function, InlineHint, Inst, Module, Payload, ScalarKind, Type};
use launch::kernels::{
    Access, Address, Element, KernelInfo, ParamInfo, ParamKind, Scalar, Space, TypeQualifiers, VariableInfo,
};
use opt::inline::CallGraph;
use opt::pass::PassManager;
use source::{Diagnostic, FileId, Span};
use std::borrow::Cow;
use std::path::Path;
use target::Arch;

/// Whether a source of this name is PTX.
pub(crate) fn is_ptx(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|e| e.eq_ignore_ascii_case("ptx"))
}

/// The architecture that a source names with `.target`, if it is PTX and the architecture is known.
pub fn ptx_target(input: &Input) -> Option<Arch> {
    if !is_ptx(&input.name()) {
        return None;
    }
    let text = match input {
        Input::Text { bytes, .. } => Cow::Borrowed(bytes.as_slice()),
        Input::File(path) => Cow::Owned(std::fs::read(path).ok()?),
    };
    let name = ptx_reader::target_of(std::str::from_utf8(&text).ok()?)?;
    Arch::parse(name).ok().map(|p| p.arch)
}

impl Run<'_> {
    /// All stages of a source that is PTX.
    pub(crate) fn read_ptx(&mut self, file: FileId) {
        let read = self.timed("read", |s| {
            let f = s.out.session.sources.file(file);
            ptx_reader::read(&f.text, f.span().lo, &f.name)
        });
        match read {
            Ok(r) => {
                self.out.module = r.module;
                self.out.is_ptx = true;
                self.out.origins = r.origins;
            }
            Err(errors) => return errors.iter().for_each(|e| self.out.session.report(e.diagnostic())),
        }
        if self.options.kernel_info {
            self.out.kernels = kernels(&self.out.module);
            self.out.variables = variables(&self.out.module);
        }
        match self.emit {
            Emit::LoweredIr => self.yield_ir(Product::LOWERED_IR),
            Emit::Preprocessed { .. } | Emit::Tokens | Emit::Ast => {
                let d = Diagnostic::error("E0703", Span::NONE, "PTX has neither macros nor a tree")
                    .help("ask for `ir-lowered`, `ir` or code");
                self.out.session.report(d);
            }
            _ => self.finish_linked(),
        }
    }

    /// Inline PTX becomes instructions where code is made for another machine.
    pub(crate) fn inline_assembly(&mut self) {
        let products = if self.options.remarks.matrix { matrix::asked(&self.out.module) } else { Vec::new() };
        // The interpreter runs code for GPUs, too.
        let stays = self.options.target.ptx_arch().is_some() && !self.options.checks;
        if !stays {
            self.expand_assembly();
        }
        for p in products {
            let text = matrix::told(&self.out.module, &p, self.options.target, stays);
            for (place, function) in matrix::places(&self.out.module, &p, &self.out.session.sources) {
                let d = Diagnostic::new(source::Severity::Remark, "R0605", place, text.clone());
                self.out.session.report(d.group(crate::compile::MATRIX).note(format!("in `{function}`")));
            }
        }
    }

    fn expand_assembly(&mut self) {
        let amd = self.options.target.amdgcn_arch().is_some();
        // Assembly of an AMD GPU has constraints of its own, `v` and `s`.
        let ptx = |a: &ir::AsmData| {
            let known = |c: &String| {
                let c = c.trim_start_matches(['=', '+', '&']);
                matches!(c, "h" | "r" | "l" | "f" | "d" | "b" | "n" | "i") || c.bytes().all(|b| b.is_ascii_digit())
            };
            a.outputs.iter().chain(&a.inputs).all(known)
        };
        self.bring_carries_together();
        let target = self.options.target;
        // GPUs keep addresses of work-group memory in 32 bits and have matrix units; the interpreter does not.
        let checks = self.options.checks;
        let matrix_units = target.matrix_units().filter(|_| !checks);
        let machine = ptx_reader::Machine { warp: target.warp_size(), short_shared: amd && !checks, matrix_units };
        if let Err(errors) = ptx_reader::expand_inline(&mut self.out.module, machine, ptx) {
            let told =
                |d: source::Diagnostic| if amd { d.note("inline assembly is PTX, for AMD GPUs, too") } else { d };
            errors.iter().for_each(|e| self.out.session.report(told(e.diagnostic())));
        }
    }
}

impl Run<'_> {
    /// Programs wrap each instruction of a carry chain in a function of its own: those are inlined first, so that the flag
    /// stays in one.
    fn bring_carries_together(&mut self) {
        let module = &mut self.out.module;
        let mut found = false;
        for f in module.functions.values_mut().filter(|f| f.kind == FnKind::Device) {
            let texts = || f.layout.blocks().flat_map(|b| f.layout.insts(b)).filter_map(|i| asm_text(f, i));
            found |= texts().any(|t| CARRY_IN.iter().any(|w| t.contains(w)));
            let chained = texts().any(|t| t.contains(".cc") || CARRY_IN.iter().any(|w| t.contains(w)));
            if chained && f.attrs.inline != InlineHint::Never {
                f.attrs.inline = InlineHint::Always;
            }
        }
        if !found {
            return;
        }
        let options = self.optimiser();
        let Compilation { module, session, .. } = &mut self.out;
        let mut graph = CallGraph::new(module);
        let order = graph.bottom_up.clone();
        let mut passes = PassManager::new(module, session, &options, None);
        for f in order {
            opt::inline::inline_calls(&mut passes, &mut graph, f);
        }
        opt::inline::drop_unused(module);
    }
}

/// Instructions that read the carry flag.
const CARRY_IN: [&str; 3] = ["addc", "subc", "madc"];

/// The text of an instruction that is inline assembly.
fn asm_text(f: &Function, i: Inst) -> Option<&str> {
    match f.dfg.insts[i].payload {
        Payload::Asm(a) => Some(&f.dfg.asms[a].text),
        _ => None,
    }
}

/// The kernels as their callers see them.
fn kernels(module: &Module) -> Vec<KernelInfo> {
    let kernels = module.functions.values().filter(|f| f.kind == FnKind::Kernel && !f.is_declaration());
    kernels
        .map(|f| KernelInfo {
            symbol: f.name.clone(),
            display: f.display.clone(),
            name: f.name.clone(),
            params: (0..f.params.len()).map(|n| param(f, n)).collect(),
            attributes: String::new(),
            reqd_work_group_size: f.attrs.reqd_work_group_size,
            work_group_size_hint: None,
            vec_type_hint: None,
            rows_in_y: f.attrs.rows_in_y,
            streams: f.attrs.streams,
            dimensions: launch::kernels::dimensions(f),
            element_bits: launch::kernels::element_bits(f),
            span: f.span,
        })
        .collect()
}

fn param(f: &Function, n: usize) -> ParamInfo {
    let p = &f.params[n];
    let pointer = |space| ParamKind::Pointer { space, element: None, element_bytes: 1, read_only: false };
    let (address, kind) = match p.ty.space() {
        _ if p.attrs.byval.is_some() => {
            (Address::Private, ParamKind::Bytes { bytes: p.attrs.byval.unwrap_or(0).into() })
        }
        Some(AddrSpace::Shared) => (Address::Local, pointer(Space::Local)),
        Some(AddrSpace::Constant) => (Address::Constant, pointer(Space::Constant)),
        Some(_) => (Address::Global, pointer(Space::Global)),
        None => (Address::Private, scalar(p.ty).map_or(ParamKind::Opaque, ParamKind::Value)),
    };
    ParamInfo {
        name: p.name.clone(),
        ty: p.ty.to_string(),
        type_name: p.ty.to_string(),
        address,
        access: Access::None,
        qualifiers: TypeQualifiers::default(),
        kind,
        span: f.span,
    }
}

/// A scalar; PTX does not say which integers have a sign.
fn scalar(ty: Type) -> Option<Element> {
    let scalar = match ty.kind() {
        ScalarKind::I8 => Scalar::I8,
        ScalarKind::I16 => Scalar::I16,
        ScalarKind::I32 => Scalar::I32,
        ScalarKind::I64 => Scalar::I64,
        ScalarKind::F16 => Scalar::F16,
        ScalarKind::BF16 => Scalar::BF16,
        ScalarKind::F32 => Scalar::F32,
        ScalarKind::F64 => Scalar::F64,
        ScalarKind::Void | ScalarKind::I1 | ScalarKind::Ptr => return None,
    };
    Some(Element { scalar, count: 1, bytes: scalar.bytes() })
}

/// The variables that kernels share.
fn variables(module: &Module) -> Vec<VariableInfo> {
    let shared = module.globals.values().filter(|g| matches!(g.space, AddrSpace::Global | AddrSpace::Constant));
    shared
        .map(|g| VariableInfo {
            symbol: g.name.clone(),
            path: g.name.clone(),
            name: g.name.clone(),
            ty: g.elem.to_string(),
            element: scalar(g.elem).filter(|e| e.bytes > 0).map(|e| Element {
                count: u32::try_from(g.size / e.bytes).unwrap_or(u32::MAX),
                bytes: g.size,
                ..e
            }),
            bytes: g.size,
            span: g.span,
        })
        .collect()
}
