//! Shared memory as one object.
//!
//! nvcc's code takes addresses of shared memory in 32 bits, which do not hold a pointer. Where a module does that, its
//! variables in shared memory are put into one, as an assembler does, and the number of an address is the place in there;
//! that of dynamic shared memory begins far behind.

use super::func::Fx;
use crate::ast::{Linkage, Statement, Text, Variable};
use crate::error::{Outcome, PtxError};
use crate::types::Space;
use ir::{AddrSpace, Global, GlobalData, GlobalInit, IntCC, Module, Opcode, Type, Value};
use rustc_hash::FxHashMap;
use source::Span;

/// Number of the first byte; programs subtract from addresses before they add.
const FIRST: u64 = 1 << 12;
/// Where the numbers of dynamic shared memory begin to be looked for, and the number of its first byte.
const DYNAMIC_FROM: u64 = 1 << 27;
const DYNAMIC: u64 = 1 << 28;

/// The object, and where each variable is in it.
#[derive(Debug)]
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
        let global = module.globals.push(GlobalData {
            name: "__shared_window".to_owned(),
            space: AddrSpace::Shared,
            size: size.max(1),
            align,
            init: GlobalInit::None,
            constant: false,
            linkage: ir::Linkage::Internal,
            external: false,
            elem: Type::I8,
            span: Span::NONE,
        });
        Ok(Self { global, size, offsets, dynamic: None })
    }

    /// Where a variable is, if it is in here.
    pub(crate) fn offset(&self, v: &Variable<'_>) -> Option<u64> {
        self.offsets.get(&v.name.span.lo).copied()
    }
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
