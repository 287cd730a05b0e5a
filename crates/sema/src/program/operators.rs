//! Casts and operators.

/// Kinds of conversion. Component-wise where source and target are vectors of one length.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastKind {
    /// None: same representation (used where a conversion must be named).
    NoOp,
    /// Integer (or `bool`, enumeration) to integer: truncates, or extends by the *source's* signedness.
    IntToInt,
    /// Integer to floating, by the source's signedness.
    IntToFloat,
    /// Floating to integer, towards zero.
    FloatToInt,
    /// Floating to floating.
    FloatToFloat,
    /// To `bool`: unequal to zero.
    IntToBool,
    /// To `bool`: unequal to zero.
    FloatToBool,
    /// To `bool`: not null.
    PtrToBool,
    /// Pointer to integer.
    PtrToInt,
    /// Integer to pointer.
    IntToPtr,
    /// Pointer to pointer in the same address space.
    PtrToPtr,
    /// Pointer to pointer in another address space.
    AddrSpace,
    /// Array place to pointer to its first element, in the place's address space.
    ArrayToPtr,
    /// Scalar to vector of that element type: all components alike.
    Splat,
    /// Pointer, or place: to a base class at this offset. A null pointer stays null where `offset` is not 0.
    DerivedToBase {
        /// Bytes to add.
        offset: u32,
    },
    /// Pointer, or place: to a derived class.
    BaseToDerived {
        /// Bytes to subtract.
        offset: u32,
    },
    /// Value is dropped.
    ToVoid,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `~`
    Not,
    /// `!` on a `bool` operand; result `bool` or `int`.
    LogNot,
}

/// Arithmetic operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `<<`
    Shl,
    /// `>>`: arithmetic if the left type is signed.
    Shr,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
}

impl BinaryOp {
    /// Whether the right operand says how far the left one is shifted, and has a type of its own.
    pub const fn is_shift(self) -> bool {
        matches!(self, Self::Shl | Self::Shr)
    }
}

/// Comparisons. Floating ones are ordered except `Ne`; pointer ones unsigned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CompareOp {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}
