//! Operands of a builtin: values, and what of their types in the language the IR does not say.

use ir::{Type, Value};
use smallvec::SmallVec;

/// What a pointer points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pointee {
    /// The type as a value; `void` for what is no scalar or vector.
    pub ty: Type,
    /// Size in bytes; 0 where there is none.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u32,
}

/// What is known of an operand besides its IR type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OperandType {
    /// An integer, or a vector of such, that has a sign.
    pub signed: bool,
    /// For a pointer.
    pub pointee: Option<Pointee>,
}

/// Operands of a builtin, in the order of the call's arguments, and the type of its result.
#[derive(Clone, Debug)]
pub struct Operands {
    values: SmallVec<[Value; 4]>,
    types: SmallVec<[OperandType; 4]>,
    /// Type of the result; `void` if there is none.
    pub ty: Type,
    /// Whether the result is a signed integer, or a vector of such.
    pub signed_result: bool,
}

impl Operands {
    /// No operands yet.
    pub fn new(ty: Type, signed_result: bool) -> Self {
        Self { values: SmallVec::new(), types: SmallVec::new(), ty, signed_result }
    }

    /// Adds the next operand.
    pub fn push(&mut self, value: Value, ty: OperandType) {
        self.values.push(value);
        self.types.push(ty);
    }

    /// The operands' values.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// An operand's value.
    ///
    /// # Panics
    /// If there are fewer operands.
    pub fn get(&self, n: usize) -> Value {
        self.values[n]
    }

    /// Whether an operand is signed; one that is not there is not.
    pub fn is_signed(&self, n: usize) -> bool {
        self.types.get(n).is_some_and(|t| t.signed)
    }

    /// What an operand points to; bytes if that is not known.
    pub fn pointee(&self, n: usize) -> Pointee {
        self.types.get(n).and_then(|t| t.pointee).unwrap_or(Pointee { ty: Type::I8, size: 1, align: 1 })
    }

    /// What an operand points to, as a value; `void` for what is no pointer.
    pub(crate) fn target_type(&self, n: usize) -> Type {
        self.types.get(n).and_then(|t| t.pointee).map_or(Type::VOID, |p| p.ty)
    }
}
