//! What the rows of the tables are made of.

use crate::op::{
    AtomicOp, ControlOp, FloatOp, Form, GeometricOp, IntegerOp, ItemOp, LaneOp, MemoryOp, Op, SyncOp, ValueOp,
};

/// A row of a table.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) sigs: &'static [Sig],
}

/// One signature of a name.
#[derive(Debug)]
pub(crate) struct Sig {
    pub(crate) pattern: &'static str,
    pub(crate) what: What,
}

/// What a table row says the name means.
#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    /// An operation.
    Op(Op),
    /// What the checker takes apart.
    Form(Form),
    /// A family of library functions, by base name: `__unspool_<base>` for `double`, `…f` for `float`.
    Math(&'static str),
    /// A library function by its full name.
    Lib(&'static str),
    /// Recognised, but not supported: the text names the feature.
    Unsupported(&'static str),
}

const fn op(pattern: &'static str, op: Op) -> Sig {
    Sig { pattern, what: What::Op(op) }
}

pub(crate) const fn float(pattern: &'static str, o: FloatOp) -> Sig {
    op(pattern, Op::Float(o))
}

pub(crate) const fn geometric(pattern: &'static str, o: GeometricOp) -> Sig {
    op(pattern, Op::Geometric(o))
}

pub(crate) const fn int(pattern: &'static str, o: IntegerOp) -> Sig {
    op(pattern, Op::Integer(o))
}

pub(crate) const fn value(pattern: &'static str, o: ValueOp) -> Sig {
    op(pattern, Op::Value(o))
}

pub(crate) const fn memory(pattern: &'static str, o: MemoryOp) -> Sig {
    op(pattern, Op::Memory(o))
}

pub(crate) const fn atomic(pattern: &'static str, o: AtomicOp) -> Sig {
    op(pattern, Op::Atomic(o))
}

pub(crate) const fn sync(pattern: &'static str, o: SyncOp) -> Sig {
    op(pattern, Op::Sync(o))
}

pub(crate) const fn lanes(pattern: &'static str, o: LaneOp) -> Sig {
    sync(pattern, SyncOp::Lanes(o))
}

pub(crate) const fn item(pattern: &'static str, o: ItemOp) -> Sig {
    op(pattern, Op::Item(o))
}

pub(crate) const fn control(pattern: &'static str, o: ControlOp) -> Sig {
    op(pattern, Op::Control(o))
}

pub(crate) const fn form(pattern: &'static str, form: Form) -> Sig {
    Sig { pattern, what: What::Form(form) }
}

/// A family of mathematical functions of the library.
pub(crate) const fn m(pattern: &'static str, base: &'static str) -> Sig {
    Sig { pattern, what: What::Math(base) }
}

/// A function of the library.
pub(crate) const fn l(pattern: &'static str, name: &'static str) -> Sig {
    Sig { pattern, what: What::Lib(name) }
}

/// A name that is known and refused.
pub(crate) const fn no(feature: &'static str) -> Sig {
    Sig { pattern: "v:", what: What::Unsupported(feature) }
}
