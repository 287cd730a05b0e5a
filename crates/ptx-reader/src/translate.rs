//! From PTX to IR: modules, signatures, kernels' attributes. Variables are in [`vars`], bodies in [`func`].

mod arith;
mod atomics;
mod bits;
mod call;
mod clusters;
mod compare;
mod control;
mod convert;
mod copies;
mod float;
mod func;
mod indirect;
pub(crate) mod inline;
mod matrix;
mod memory;
mod mods;
mod moves;
mod objects;
mod operand;
mod parts;
mod pointers;
mod small_floats;
mod special;
mod sync;
mod vars;
mod video;
mod window;

use crate::ast::{self, Linkage, Text, Variable};
use crate::error::{Outcome, PtxError};
use crate::types::{PtxType, Space};
use ir::{AddrSpace, FnKind, FuncId, Function, Global, Module, Param, ParamAttrs, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use window::Window;

/// How a parameter or result is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pass {
    /// As a value of this type.
    Value(Type),
    /// In memory: bytes and alignment.
    Memory(u64, u32),
}

/// What callers know of a function.
#[derive(Debug)]
pub(crate) struct Signature<'a> {
    pub(crate) id: FuncId,
    pub(crate) decl: &'a ast::Function<'a>,
    pub(crate) params: Vec<Pass>,
    pub(crate) result: Option<Pass>,
}

/// The module being made.
pub(crate) struct Cx<'a> {
    pub(crate) module: Module,
    pub(crate) globals: FxHashMap<&'a str, (Global, Space)>,
    pub(crate) functions: FxHashMap<&'a str, usize>,
    pub(crate) signatures: Vec<Signature<'a>>,
    /// Shared memory as one object, where its addresses have 32 bits.
    pub(crate) window: Option<Window>,
    /// Variables of the module that are in it, and where.
    pub(crate) windowed: FxHashMap<&'a str, u64>,
    /// Functions whose addresses are taken, in the order of their numbers.
    pub(crate) addressed: Vec<usize>,
    /// Dispatchers of calls through pointers.
    pub(crate) dispatchers: Vec<indirect::Dispatcher>,
    /// It should have been so.
    pub(crate) wants_window: bool,
    /// Addresses of shared memory have 32 bits where the code runs.
    pub(crate) short_shared: bool,
    /// Lanes of a warp: 32, but for inline assembly of other machines.
    pub(crate) warp: u32,
    /// What multiplies matrices by one operation.
    pub(crate) matrix_units: Option<target::MatrixUnits>,
}

/// Makes a module; all errors, at most one for each function and variable.
pub(crate) fn module<'a>(text: &'a Text<'a>, name: &str) -> Result<Module, Vec<PtxError>> {
    let mut cx = Cx::new(Module { name: name.to_owned(), ..Module::default() });
    let first = cx.translate(text);
    if !cx.wants_window {
        return first.map(|()| cx.module);
    }
    let mut cx = Cx::new(Module { name: name.to_owned(), ..Module::default() });
    cx.window = Some(Window::new(&mut cx.module, text).map_err(|e| vec![e])?);
    cx.translate(text).map(|()| cx.module)
}

impl<'a> Cx<'a> {
    /// Before anything is declared.
    pub(crate) fn new(module: Module) -> Self {
        Self {
            module,
            globals: FxHashMap::default(),
            functions: FxHashMap::default(),
            signatures: Vec::new(),
            window: None,
            windowed: FxHashMap::default(),
            addressed: Vec::new(),
            dispatchers: Vec::new(),
            wants_window: false,
            short_shared: false,
            warp: 32,
            matrix_units: None,
        }
    }

    fn translate(&mut self, text: &'a Text<'a>) -> Result<(), Vec<PtxError>> {
        let cx = self;
        let mut errors = Vec::new();
        for f in &text.functions {
            if let Err(e) = cx.declare(f) {
                errors.push(e);
            }
        }
        cx.declare_variables(&text.variables, &mut errors);
        let mut defined = FxHashSet::default();
        for f in text.functions.iter().filter(|f| f.body.is_some()) {
            let Some(&n) = cx.functions.get(f.name.text) else { continue };
            if !defined.insert(f.name.text) {
                errors.push(PtxError::name(f.name.span, format!("`{}` is defined twice", f.name.text)));
                continue;
            }
            if let Err(e) = func::define(cx, n, f) {
                errors.push(e);
            }
        }
        cx.fill_dispatchers();
        parts::clear_first(&mut cx.module);
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// Enters a function's signature.
    fn declare(&mut self, f: &'a ast::Function<'a>) -> Outcome<()> {
        if let Some(&n) = self.functions.get(f.name.text) {
            let s = &mut self.signatures[n];
            if s.decl.params.len() != f.params.len() || s.decl.results.len() != f.results.len() {
                let message = format!("`{}` is declared with other parameters before", f.name.text);
                return Err(PtxError::name(f.name.span, message));
            }
            if f.body.is_some() {
                s.decl = f;
            }
            return Ok(());
        }
        let kind = if f.kernel { FnKind::Kernel } else { FnKind::Device };
        let mut func = Function::new(f.name.text, kind);
        func.span = f.name.span;
        func.linkage = match f.linkage {
            Linkage::Internal if !f.kernel => ir::Linkage::Internal,
            Linkage::Weak => ir::Linkage::LinkOnce,
            _ => ir::Linkage::External,
        };
        func.attrs.noreturn = f.noreturn;
        bounds(&mut func.attrs, f)?;
        let result = match f.results.as_slice() {
            [] => None,
            [r] if !f.kernel => Some(pass(r)?),
            _ => return Err(PtxError::unsupported(f.name.span, "more than one result")),
        };
        if let Some(Pass::Memory(..)) = result {
            func.params.push(plain(Type::ptr(AddrSpace::Private), "result"));
        }
        let pointers = pointers::pointer_params(f);
        let mut params = Vec::new();
        for p in &f.params {
            let how = pass(p)?;
            func.params.push(match how {
                _ if f.kernel => kernel_param(p, how, pointers.contains(p.name.text))?,
                Pass::Value(ty) => plain(ty, p.name.text),
                Pass::Memory(..) => plain(Type::ptr(AddrSpace::Private), p.name.text),
            });
            params.push(how);
        }
        if let Some(Pass::Value(ty)) = result {
            func.ret = ty;
        }
        let id = self.module.functions.push(func);
        self.functions.insert(f.name.text, self.signatures.len());
        self.signatures.push(Signature { id, decl: f, params, result });
        Ok(())
    }
}

fn plain(ty: Type, name: &str) -> Param {
    Param { ty, name: name.to_owned(), attrs: ParamAttrs::default() }
}

/// Largest aggregate that is passed, in bytes.
const MAX_PARAM: u64 = 1 << 16;

/// How a parameter is passed.
pub(crate) fn pass(v: &Variable<'_>) -> Outcome<Pass> {
    if v.array || v.lanes > 1 || v.ty.bits() == 128 {
        if v.size > MAX_PARAM {
            return Err(PtxError::limit(v.name.span, format!("`{}` has {} bytes", v.name.text, v.size)));
        }
        return Ok(Pass::Memory(v.size, v.align.unwrap_or(v.ty.bytes() as u32)));
    }
    match v.ty {
        PtxType::F16 | PtxType::BF16 if v.space == Space::Param => Ok(Pass::Value(Type::I16)),
        ty => match ty.register() {
            Some(ty) => Ok(Pass::Value(ty)),
            None => Err(PtxError::unsupported(v.name.span, format!("a parameter of type {}", ty.name()))),
        },
    }
}

/// A kernel's parameter as launches see it.
fn kernel_param(v: &Variable<'_>, how: Pass, used_as_pointer: bool) -> Outcome<Param> {
    let mut p = match how {
        Pass::Value(ty) => plain(ty, v.name.text),
        Pass::Memory(size, align) => {
            let mut p = plain(Type::ptr(AddrSpace::Param), v.name.text);
            p.attrs.byval = Some(size as u32);
            p.attrs.align = align;
            return Ok(p);
        }
    };
    if matches!(v.ty, PtxType::F16 | PtxType::BF16) {
        p.ty = v.ty.ir().unwrap_or(p.ty);
    }
    if v.pointer.is_none() && !used_as_pointer || p.ty != Type::I64 {
        return Ok(p);
    }
    let space = v.pointer.flatten();
    p.ty = Type::ptr(match space {
        Some(Space::Shared) => AddrSpace::Shared,
        Some(Space::Const) => AddrSpace::Constant,
        Some(Space::Local) => {
            return Err(PtxError::unsupported(v.name.span, "a kernel's parameter that points to local memory"));
        }
        _ => AddrSpace::Global,
    });
    p.attrs.local = space == Some(Space::Shared);
    p.attrs.align = v.pointer_align;
    Ok(p)
}

/// What a kernel says of its launches.
fn bounds(attrs: &mut ir::FnAttrs, f: &ast::Function<'_>) -> Outcome<()> {
    for (word, n) in &f.bounds {
        let all = [n.first().copied().unwrap_or(1), n.get(1).copied().unwrap_or(1), n.get(2).copied().unwrap_or(1)];
        let product = all.iter().try_fold(1u32, |p, &x| p.checked_mul(x));
        let product = product.ok_or_else(|| PtxError::limit(f.name.span, format!("`.{word}` is too large")))?;
        match *word {
            "maxntid" => attrs.max_threads = Some(product),
            "reqntid" => attrs.reqd_work_group_size = Some(all),
            "minnctapersm" => attrs.min_blocks = n.first().copied(),
            "maxnreg" => attrs.max_registers = n.first().copied(),
            "maxclusterrank" => attrs.max_cluster = n.first().copied(),
            "reqnctapercluster" if n.is_empty() || product == 1 => attrs.cluster_dims = Some(all),
            "explicitcluster" => attrs.cluster_dims = attrs.cluster_dims.or(Some([0; 3])),
            "maxnctapersm" | "blocksareclusters" => {}
            _ => {
                return Err(PtxError::unsupported(
                    f.name.span,
                    format!("`.{word}` of `{}` is not understood", f.name.text),
                ));
            }
        }
    }
    Ok(())
}
