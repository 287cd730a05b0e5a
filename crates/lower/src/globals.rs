//! Globals and the declarations of functions.

use crate::Cx;
use crate::types::{dimensions, element_type, memory_type, space, value_type};
use ir::{
    AddrSpace, FnAttrs, FnKind, FuncId, Function, GlobalData, GlobalInit, InlineHint, Linkage, Param, ParamAttrs, Type,
};
use rustc_hash::FxHashMap;
use sema::program::{Asked, Inlining, RelocTarget};
use sema::types::{Quals, Ty};
use source::Fate;

fn linkage(l: sema::program::Linkage, library: bool) -> Linkage {
    match l {
        _ if library => Linkage::Internal,
        sema::program::Linkage::External => Linkage::External,
        sema::program::Linkage::Weak => Linkage::LinkOnce,
        sema::program::Linkage::Internal => Linkage::Internal,
    }
}

impl Cx<'_> {
    pub(crate) fn lower_globals(&mut self) {
        let program = self.program;
        // `extern __shared__` variables of one name are one, whichever functions declare them.
        let mut dynamic: FxHashMap<&str, ir::Global> = FxHashMap::default();
        // Two rounds: initialisers may name globals declared later.
        for g in &program.globals {
            if let Some(&known) = dynamic.get(g.symbol.as_str()).filter(|_| g.dynamic_shared) {
                let data = &mut self.module.globals[known];
                data.align = data.align.max(g.align);
                self.globals.push(known);
                continue;
            }
            let s = space(g.space);
            // CUDA's `__constant__` is the kernels' constant only: callers write to it between launches.
            let constant = match s {
                AddrSpace::Constant => self.options.opencl || g.quals.has(Quals::CONST),
                _ => s == AddrSpace::Global && g.quals.has(Quals::CONST),
            };
            // A flexible array member has as many elements as are given.
            let given = g.init.as_ref().map_or(0, |i| i.bytes.len() as u64);
            let data = GlobalData {
                name: self.symbol(g),
                space: s,
                size: if g.dynamic_shared { 0 } else { self.size_of(g.ty).max(given) },
                align: g.align.max(1),
                init: GlobalInit::None,
                constant: constant && !g.quals.is_volatile(),
                linkage: linkage(g.linkage, self.options.library),
                external: g.is_extern || g.dynamic_shared,
                elem: element_type(&program.types, g.ty),
                span: g.span,
            };
            let id = self.module.globals.push(data);
            self.globals.push(id);
            if g.dynamic_shared {
                dynamic.insert(&g.symbol, id);
            }
        }
        for (n, g) in program.globals.iter().enumerate() {
            let id = self.globals[n];
            if g.is_extern || g.dynamic_shared || g.space == sema::types::AddrSpace::Shared {
                continue;
            }
            let init = match &g.init {
                None => GlobalInit::Zero,
                Some(init) => self.initialiser(init, g.span),
            };
            self.module.globals[id].init = init;
        }
    }

    /// The name of a variable in the module. The builtin library is lowered into the same module as the program that
    /// calls it, and both number their string literals from 0.
    fn symbol(&self, g: &sema::program::Global) -> String {
        if self.options.library && g.symbol.starts_with('$') {
            return format!("__unspool{}", g.symbol);
        }
        g.symbol.clone()
    }

    fn initialiser(&mut self, init: &sema::program::GlobalInit, span: source::Span) -> GlobalInit {
        let mut relocs = Vec::with_capacity(init.relocs.len());
        let mut bytes = init.bytes.clone();
        for r in &init.relocs {
            match r.target {
                RelocTarget::Global(g) => relocs.push(ir::Reloc {
                    offset: u32::try_from(r.offset).unwrap_or(u32::MAX),
                    global: self.globals[g.index()],
                    addend: r.addend,
                    generic: r.space == sema::types::AddrSpace::Generic,
                }),
                RelocTarget::Function(f) => {
                    let number = self.function_number(f, span);
                    let at = usize::try_from(r.offset).unwrap_or(usize::MAX);
                    if let Some(end) = at.checked_add(8) {
                        if bytes.len() < end {
                            bytes.resize(end, 0);
                        }
                        bytes[at..end].copy_from_slice(&number.to_le_bytes());
                    }
                }
            }
        }
        if relocs.is_empty() && bytes.iter().all(|&b| b == 0) {
            return GlobalInit::Zero;
        }
        GlobalInit::Bytes(bytes, relocs)
    }

    pub(crate) fn declare_functions(&mut self) {
        let program = self.program;
        for n in 0..program.functions.len() {
            let f = &program.functions[n];
            let kind = if f.is_kernel { FnKind::Kernel } else { FnKind::Device };
            let id = match self.symbols.get(&f.symbol) {
                // A library function that this program declares again, or a prototype lowered before.
                Some(&id) if self.module.functions[id].is_declaration() => {
                    self.module.functions[id] = self.signature(n, kind, f.symbol.clone());
                    id
                }
                Some(&id) if f.body.is_none() => id,
                _ => {
                    let sig = self.signature(n, kind, f.symbol.clone());
                    let id = self.module.functions.push(sig);
                    self.symbols.insert(f.symbol.clone(), id);
                    id
                }
            };
            self.funcs.push(id);
        }
    }

    /// The device version of a kernel that is called as a function: its `__local` variables are copies of their own.
    pub(crate) fn device_clone(&mut self, n: usize) -> FuncId {
        if let Some(&id) = self.device_clones.get(&n) {
            return id;
        }
        let name = format!("{}$called", self.program.functions[n].symbol);
        let mut sig = self.signature(n, FnKind::Device, name);
        // The kernel itself tells of two definitions.
        sig.linkage = if self.options.kernels_are_callable { Linkage::LinkOnce } else { Linkage::Internal };
        let id = self.module.functions.push(sig);
        self.device_clones.insert(n, id);
        id
    }

    /// Function `n` of the program, without a body.
    fn signature(&mut self, n: usize, kind: FnKind, name: String) -> Function {
        let f = &self.program.functions[n];
        let types = &self.program.types;
        let mut out = Function::new(name, kind);
        out.display = f.display.clone();
        out.span = f.span;
        if kind == FnKind::Device {
            out.linkage = linkage(f.linkage, self.options.library || self.options.whole_program);
        }
        if types.is_aggregate(f.ret) {
            let attrs = ParamAttrs { align: types.align_of(f.ret), noalias: true, ..ParamAttrs::default() };
            out.params.push(Param { ty: Type::ptr(AddrSpace::Private), name: String::new(), attrs });
        } else {
            out.ret = memory_type(value_type(types, f.ret));
        }
        for local in &f.locals[..f.param_count as usize] {
            let name = local.name.map_or("", |s| self.session.str(s)).to_owned();
            let mut attrs = ParamAttrs::default();
            let ty = if types.is_aggregate(local.ty) {
                attrs.byval = Some(u32::try_from(types.size_of(local.ty).unwrap_or(0)).unwrap_or(u32::MAX));
                attrs.align = types.align_of(local.ty);
                if kind != FnKind::Kernel {
                    let dims = dimensions(types, local.ty);
                    attrs.dims.iter_mut().zip(dims).for_each(|(to, d)| *to = d);
                }
                Type::ptr(if kind == FnKind::Kernel { AddrSpace::Param } else { AddrSpace::Private })
            } else {
                memory_type(value_type(types, local.ty))
            };
            if let Ty::Pointer { pointee, quals, space: s } | Ty::Reference { pointee, quals, space: s, .. } =
                types.get(local.ty)
            {
                attrs.noalias = local.quals.has(Quals::RESTRICT);
                attrs.readonly = quals.is_const();
                attrs.volatile = quals.is_volatile();
                attrs.align = types.align_of(*pointee);
                attrs.local = kind == FnKind::Kernel && *s == sema::types::AddrSpace::Shared;
            }
            out.params.push(Param { ty, name, attrs });
        }
        out.attrs = self.attributes(n);
        out
    }

    /// Whether the builtin library says of its function `n`, a small one or a part of others, that calls of it are
    /// inlined at every level.
    fn is_inlined_library_function(&self, n: usize) -> bool {
        let found = || builtins::library::find(self.session.str(self.program.functions[n].name));
        self.options.library && found().is_some_and(|f| f.force_inline(self.options.target))
    }

    fn attributes(&mut self, n: usize) -> FnAttrs {
        let a = &self.program.functions[n].attrs;
        let mut hints = a.hints.clone();
        hints.extend(a.inline_hint);
        let attrs = FnAttrs {
            inline: match a.inlining {
                _ if self.is_inlined_library_function(n) => InlineHint::Always,
                Inlining::Auto => InlineHint::None,
                Inlining::Hint => InlineHint::Hint,
                Inlining::Always => InlineHint::Always,
                Inlining::Never => InlineHint::Never,
            },
            reqd_work_group_size: a.reqd_work_group_size.map(|x| x.value),
            partial_groups: self.options.partial_groups && self.program.functions[n].is_kernel,
            typed_memory: self.options.typed_memory,
            rows_in_y: false,
            streams: false,
            work_group_size_hint: a.work_group_size_hint.map(|x| x.value),
            vec_type_hint: a.vec_type_hint.map(|x| value_type(&self.program.types, x.value)),
            max_threads: a.launch_bounds.map(|x| x.value.max_threads),
            min_blocks: a.launch_bounds.map(|x| x.value.min_blocks).filter(|&n| n > 0),
            max_cluster: a.launch_bounds.map(|x| x.value.max_cluster).filter(|&n| n > 0),
            cluster_dims: a.cluster_dims.map(|x| x.value),
            max_registers: a.maxnreg.map(|x| x.value),
            optsize: a.optsize,
            minsize: a.minsize,
            noreturn: a.noreturn,
            convergent: a.convergent,
            unroll_knobs: a.unroll_knobs.clone(),
            hints,
        };
        let name = self.program.functions[n].display.clone();
        let place = self.program.functions[n].span;
        let a = &self.program.functions[n].attrs;
        let is_amd = self.options.target.amdgcn_arch().is_some();
        let by = |ptx: &'static str, amd: &'static str| if is_amd { amd } else { ptx };
        let mut done: Vec<(source::HintId, &str, &str)> = Vec::new();
        if let Some(x) = a.reqd_work_group_size {
            done.push((
                x.hint,
                "the code is specialised to this size and the launch must have it",
                by("`.reqntid` says so", "the notes of the code object say so"),
            ));
        }
        if let Some(x) = a.work_group_size_hint {
            done.push((x.hint, "recorded for the launch", "it is the default local size and changes no code"));
        }
        if let Some(x) = a.vec_type_hint {
            done.push((x.hint, "recorded in the kernel's information", "only the host puts work-items into vectors"));
        }
        if let Some(x) = a.launch_bounds {
            let why = by(
                "`.maxntid` and `.minnctapersm` say so",
                "`amdgpu-flat-work-group-size` and `amdgpu-waves-per-eu` say so",
            );
            done.push((x.hint, "passed to the register allocator", why));
        }
        if let Some(x) = a.maxnreg {
            done.push((
                x.hint,
                "passed to the register allocator",
                by("`.maxnreg` says so", "`amdgpu-num-vgpr` says so"),
            ));
        }
        let done = done.into_iter().map(|(hint, what, why)| (hint, Fate::Honoured, what, why));
        let cluster = a.cluster_dims.map(|x| self.cluster(x));
        for (hint, fate, what, why) in done.chain(cluster) {
            let answer = source::Answer {
                fate,
                done: what.to_owned(),
                reason: why.to_owned(),
                function: name.clone(),
                place,
                trail: Vec::new(),
            };
            self.session.ledger.answer(hint, answer);
        }
        attrs
    }

    /// What becomes of `__cluster_dims__`.
    fn cluster(&self, asked: Asked<[u32; 3]>) -> (source::HintId, Fate, &'static str, &'static str) {
        let (fate, what, why) = match self.options.target.ptx_arch() {
            Some(arch) if !arch.has(target::Feature::Clusters) => (
                Fate::Refused,
                "nothing: each block runs by itself",
                "this GPU has no clusters; those from sm_90 on have",
            ),
            None => (Fate::Refused, "each block is a cluster by itself", "this target has no clusters"),
            Some(_) if asked.value[0] == 0 => {
                (Fate::Honoured, "the launch says how many blocks a cluster has", "`.explicitcluster` says so")
            }
            Some(_) => (
                Fate::Honoured,
                "blocks are launched in clusters of this size; the grid must be a multiple of it",
                "`.reqnctapercluster` says so",
            ),
        };
        (asked.hint, fate, what, why)
    }
}
