//! Builtins: what each semantic operation of [`builtins::Op`] is in IR, one file per family.

mod float;
mod integer;
mod memory;
mod sync;
pub(crate) mod work_item;

use crate::func::Fn;
use builtins::{Meaning, Op};
use ir::{Type, Value};
use sema::program::ExprId;
use smallvec::SmallVec;

/// A builtin call taken apart: operands evaluated in order, with what the families need to know.
pub(crate) struct Operands<'p> {
    /// The call.
    pub(crate) id: ExprId,
    /// The arguments' expressions.
    pub(crate) exprs: &'p [ExprId],
    /// Their values.
    pub(crate) v: SmallVec<[Value; 4]>,
    /// Type of the result; `void` if there is none.
    pub(crate) ty: Type,
    /// Whether the first argument is signed.
    pub(crate) signed: bool,
}

impl Operands<'_> {
    pub(crate) fn get(&self, n: usize) -> Value {
        self.v[n]
    }
}

impl<'a> Fn<'_, 'a> {
    /// Lowers a builtin call.
    pub(crate) fn builtin(&mut self, id: ExprId, meaning: Meaning, args: &'a [ExprId]) -> Option<Value> {
        match meaning {
            Meaning::Lib { func, via_f32 } => self.library_call(id, func.name(), via_f32, args),
            Meaning::Image(func) => self.image_call(id, func.name(), args),
            Meaning::Op(op) => {
                if op == Op::VecStep {
                    let lanes = args.first().map_or(1, |&a| self.type_of(a).lanes());
                    return Some(self.iconst(Type::I32, if lanes == 3 { 4 } else { i64::from(lanes) }));
                }
                let mut v = SmallVec::new();
                for &a in args {
                    v.push(self.expr(a));
                }
                let signed = args.first().is_some_and(|&a| self.is_signed(a));
                let o = Operands { id, exprs: args, v, ty: self.type_of(id), signed };
                self.builtin_op(op, &o)
            }
        }
    }

    fn builtin_op(&mut self, op: Op, o: &Operands<'_>) -> Option<Value> {
        if let Some(v) = self.float_op(op, o) {
            return Some(v);
        }
        if let Some(v) = self.integer_op(op, o) {
            return Some(v);
        }
        if let Some(done) = self.memory_op(op, o) {
            return done;
        }
        if let Some(done) = self.sync_op(op, o) {
            return done;
        }
        if let Some(v) = self.work_item_op(op, o) {
            return Some(v);
        }
        self.unsupported(op, o)
    }

    /// An operation without IR: an error that names it.
    pub(crate) fn unsupported(&mut self, op: Op, o: &Operands<'_>) -> Option<Value> {
        let what = format!("{op:?}");
        let what = what.split([' ', '(', '{']).next().unwrap_or("").to_owned();
        let span = self.span;
        self.cx.error(
            "E0478",
            span,
            format!("this builtin ({what}) is not supported by code generation yet"),
            "see the table of builtins in docs/builtins.md for what is",
        );
        (!o.ty.is_void()).then(|| self.func.dfg.undef(o.ty))
    }
}
