//! Shared memory as one object.
//!
//! nvcc's code takes addresses of shared memory in 32 bits, which do not hold a pointer. Where a module does that, its
//! variables in shared memory are put into one, as an assembler does, and the number of an address is the place in there;
//! that of dynamic shared memory begins far behind.

use super::Cx;
use super::func::Fx;
use crate::ast::{Linkage, Statement, Text, Variable};
use crate::error::{Outcome, PtxError};
use crate::types::Space;
use ir::{
    AddrSpace, Builder, ConstKind, Flags, FnKind, FuncId, Function, Global, GlobalData, GlobalInit, Inst, IntCC,
    Module, Opcode, Type, Value, ValueDef,
};
use rustc_hash::FxHashMap;
use source::Span;

/// Number of the first byte; programs subtract from addresses before they add.
const FIRST: u64 = 1 << 12;
/// Where the numbers of dynamic shared memory begin to be looked for, and the number of its first byte.
const DYNAMIC_FROM: u64 = 1 << 27;
const DYNAMIC: u64 = 1 << 28;

/// The object, and where each variable is in it.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    global: Global,
    size: u64,
    /// By the position of the variable's name in the text.
    offsets: FxHashMap<u32, u64>,
    /// Dynamic shared memory, if there is some.
    pub(crate) dynamic: Option<Global>,
}

impl Window {
    /// Places all variables of a text.
    pub(crate) fn new(module: &mut Module, text: &Text<'_>) -> Outcome<Self> {
        let inner = text.functions.iter().flat_map(|f| f.body.iter().flatten()).filter_map(|s| match s {
            Statement::Variable(v) => Some(v),
            _ => None,
        });
        let mut offsets = FxHashMap::default();
        let (mut size, mut align) = (0u64, 16);
        for v in text.variables.iter().chain(inner).filter(|v| is_inside(v)) {
            let own = v.align.unwrap_or((v.ty.bytes() as u32 * u32::from(v.lanes)).next_power_of_two());
            size = size.next_multiple_of(own.into());
            offsets.insert(v.name.span.lo, size);
            size += v.size;
            align = align.max(own);
            if size > DYNAMIC_FROM / 2 {
                return Err(PtxError::limit(v.name.span, "the variables in shared memory are too large"));
            }
        }
        let global = module.globals.push(object(size.max(1), align));
        Ok(Self { global, size, offsets, dynamic: None })
    }

    /// Puts the variables of a module of IR into one, and numbers in the place of its casts between pointers to shared
    /// memory and integers. None if kernels are given such pointers, of which nobody knows how they lie to each other.
    pub(crate) fn of_module(module: &mut Module) -> Option<Self> {
        let given = |f: &Function| f.kind == FnKind::Kernel && f.params.iter().any(|p| is_shared(p.ty));
        if module.functions.values().any(given) {
            return None;
        }
        let shared: Vec<Global> =
            module.globals.iter().filter(|(_, g)| g.space == AddrSpace::Shared).map(|g| g.0).collect();
        let dynamic = shared.iter().copied().find(|&g| module.globals[g].external);
        let inside: Vec<Global> = shared.into_iter().filter(|&g| !module.globals[g].external).collect();
        let global = match inside.first().copied().or(dynamic) {
            Some(g) => g,
            None => module.globals.push(object(0, 16)),
        };
        let mut w = Self { global, size: 0, offsets: FxHashMap::default(), dynamic };
        let mut places: FxHashMap<Global, u64> = FxHashMap::default();
        let mut align = 16;
        for g in inside {
            let data = &mut module.globals[g];
            w.size = w.size.next_multiple_of(data.align.max(1).into());
            places.insert(g, w.size);
            w.size += data.size;
            align = align.max(data.align);
            if w.size > DYNAMIC_FROM / 2 {
                return None;
            }
            data.size = 0;
        }
        if !places.is_empty() {
            let data = &mut module.globals[w.global];
            (data.size, data.align) = (w.size, align);
        }
        let ids: Vec<FuncId> = module.functions.keys().collect();
        for id in ids {
            let f = &mut module.functions[id];
            if f.is_declaration() {
                continue;
            }
            move_inside(f, w.global, &places);
            let casts: Vec<Inst> =
                f.layout.blocks().flat_map(|b| f.layout.insts(b)).filter(|&i| is_cast(f, i)).collect();
            for inst in casts {
                w.number(module, id, inst);
            }
            module.functions[id].resolve_aliases();
        }
        Some(w)
    }

    /// A number in the place of a cast of a pointer to an integer, or back.
    fn number(&self, module: &mut Module, id: FuncId, inst: Inst) {
        let func = std::mem::replace(&mut module.functions[id], Function::new("", FnKind::Device));
        let mut cx = Cx::new(std::mem::take(module));
        cx.window = Some(self.clone());
        let at = func.layout.inst_block(inst).unwrap_or(func.layout.entry());
        let span = func.dfg.span(inst);
        let mut fx = Fx::new(&mut cx, func, at, span);
        let rest = fx.func.dfg.make_block();
        fx.func.layout.insert_block_after(rest, at);
        fx.func.layout.split_block(inst, rest);
        let old = fx.func.dfg.res(inst);
        let v = fx.func.dfg.resolve(fx.func.dfg.args(inst)[0]);
        let new = match fx.func.dfg.op(inst) {
            Opcode::PtrToInt => fx.window_number(v).map(|n| fx.resize(n, fx.ty(old), false)),
            _ => fx.window_place(v),
        };
        fx.builder().jump(rest, &[]);
        if let Some(new) = new {
            fx.func.dfg.replace_value(old, new);
            fx.func.layout.remove_inst(inst);
        }
        ir::edit::merge_successor(&mut fx.func, at, |dfg, param, v| dfg.replace_value(param, v));
        let func = fx.func;
        *module = cx.module;
        module.functions[id] = func;
    }

    /// Where a variable is, if it is in here.
    pub(crate) fn offset(&self, v: &Variable<'_>) -> Option<u64> {
        self.offsets.get(&v.name.span.lo).copied()
    }
}

/// The variable that all others are in.
fn object(size: u64, align: u32) -> GlobalData {
    GlobalData {
        name: "__shared_window".to_owned(),
        space: AddrSpace::Shared,
        size,
        align,
        init: GlobalInit::None,
        constant: false,
        linkage: ir::Linkage::Internal,
        external: false,
        elem: Type::I8,
        span: Span::NONE,
    }
}

fn is_shared(ty: Type) -> bool {
    ty.is_ptr() && ty.space() == Some(AddrSpace::Shared) && !ty.is_vector()
}

/// Whether an instruction makes a number of a pointer to shared memory, or back.
fn is_cast(f: &Function, i: Inst) -> bool {
    match f.dfg.op(i) {
        Opcode::PtrToInt => is_shared(f.dfg.ty(f.dfg.args(i)[0])),
        Opcode::IntToPtr => f.dfg.result(i).is_some_and(|v| is_shared(f.dfg.ty(v))),
        _ => false,
    }
}

/// Addresses of variables as places in the first of them.
fn move_inside(f: &mut Function, window: Global, places: &FxHashMap<Global, u64>) {
    let found: Vec<(Value, u64)> = f
        .dfg
        .values
        .iter()
        .filter_map(|(v, data)| match data.def {
            ValueDef::Const(ConstKind::Global(g)) if g != window => Some((v, *places.get(&g)?)),
            _ => None,
        })
        .collect();
    let base = f.dfg.constant(Type::ptr(AddrSpace::Shared), ConstKind::Global(window));
    for (old, place) in found {
        let Some(first) = f.layout.first_inst(f.layout.entry()) else { continue };
        let offset = f.dfg.iconst(Type::I64, place.cast_signed());
        let p = Builder::before(f, first).ptradd(base, offset, Flags::NONE);
        f.dfg.replace_value(old, p);
    }
    f.resolve_aliases();
}

/// Whether a variable has its place in the window.
fn is_inside(v: &Variable<'_>) -> bool {
    v.space == Space::Shared && v.linkage != Linkage::Extern
}

impl Fx<'_, '_> {
    fn pointer_to(&mut self, global: Global) -> Value {
        self.func.dfg.constant(Type::ptr(AddrSpace::Shared), ir::ConstKind::Global(global))
    }

    /// The address of a variable that is so far inside.
    pub(super) fn window_pointer(&mut self, offset: u64) -> Option<Value> {
        let global = self.cx.window.as_ref()?.global;
        let p = self.pointer_to(global);
        Some(self.moved(p, offset.cast_signed()))
    }

    /// The number of a pointer to shared memory.
    pub(super) fn window_number(&mut self, p: Value) -> Option<Value> {
        let w = self.cx.window.as_ref()?;
        let (global, size, dynamic) = (w.global, w.size, w.dynamic);
        let at = self.cast(Opcode::PtrToInt, p, Type::I64);
        let base = self.pointer_to(global);
        let inside = self.distance(at, base);
        let inside = self.plus(inside, FIRST);
        let Some(dynamic) = dynamic else { return Some(inside) };
        let base = self.pointer_to(dynamic);
        let behind = self.distance(at, base);
        let behind = self.plus(behind, DYNAMIC);
        let end = self.int(Type::I64, (FIRST + size).cast_signed());
        let first = self.icmp(IntCC::Ult, inside, end);
        Some(self.select(first, inside, behind))
    }

    /// The pointer to shared memory that a number stands for.
    pub(super) fn window_place(&mut self, number: Value) -> Option<Value> {
        let w = self.cx.window.as_ref()?;
        let (global, dynamic) = (w.global, w.dynamic);
        let n = self.resize(number, Type::I32, false);
        let n = self.resize(n, Type::I64, false);
        let inside = self.plus(n, FIRST.wrapping_neg());
        let base = self.pointer_to(global);
        let p = self.builder().ptradd(base, inside, ir::Flags::NONE);
        let Some(dynamic) = dynamic else { return Some(p) };
        let behind = self.plus(n, DYNAMIC.wrapping_neg());
        let base = self.pointer_to(dynamic);
        let q = self.builder().ptradd(base, behind, ir::Flags::NONE);
        let from = self.int(Type::I64, DYNAMIC_FROM.cast_signed());
        let is_dynamic = self.icmp(IntCC::Uge, n, from);
        Some(self.select(is_dynamic, q, p))
    }

    fn distance(&mut self, at: Value, base: Value) -> Value {
        let base = self.cast(Opcode::PtrToInt, base, Type::I64);
        self.op(Opcode::Sub, &[at, base])
    }

    fn plus(&mut self, v: Value, n: u64) -> Value {
        let n = self.int(Type::I64, n.cast_signed());
        self.op(Opcode::Add, &[v, n])
    }
}
