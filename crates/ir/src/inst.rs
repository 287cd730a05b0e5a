//! Instructions, and what one carries besides its operands.

use crate::{
    AsmId, AtomicOp, Block, Flags, FloatCC, FuncId, IntCC, Intrinsic, LoopMd, MemInfo, MemOrder, Opcode, Round, Scope,
    SpecialReg, Switch, Type, Value,
};
use cranelift_entity::EntityList;
use cranelift_entity::packed_option::PackedOption;

/// The lane of a [`Payload::Shuffle`] that is `undef`.
pub const UNDEF_LANE: u8 = u8::MAX;

/// A branch target with the values for the target's parameters.
#[derive(Clone, Debug)]
pub struct BlockCall {
    /// Where to.
    pub block: Block,
    /// The target's parameters, in the pool of the [`crate::Dfg`].
    pub args: EntityList<Value>,
}

/// A switch's table.
#[derive(Clone, Debug)]
pub struct SwitchData {
    /// Case values (zero-extended bits of the operand's type) and targets; values are distinct.
    pub cases: Vec<(u64, BlockCall)>,
    /// Where to for any other value.
    pub default: BlockCall,
}

/// Inline assembly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AsmData {
    /// The text, with `%0`, `%1`… for outputs then inputs, as in GNU C.
    pub text: String,
    /// Output constraints, e.g. `=r`; one per output.
    pub outputs: Vec<String>,
    /// Input constraints, one per operand; `n` (a digit) ties to an output.
    pub inputs: Vec<String>,
    /// Clobbers; `memory` makes it a memory barrier.
    pub clobbers: Vec<String>,
    /// Whether it must stay even when its outputs are unused.
    pub volatile: bool,
}

/// What an instruction carries besides operands.
#[derive(Clone, Debug)]
pub enum Payload {
    /// Nothing.
    None,
    /// Condition of an [`Opcode::Icmp`].
    IntCC(IntCC),
    /// Condition of an [`Opcode::Fcmp`].
    FloatCC(FloatCC),
    /// Rounding mode of float arithmetic or a conversion; with [`Payload::None`] the opcode's default holds.
    Round(Round),
    /// A memory access.
    Mem(MemInfo),
    /// An atomic access.
    Atomic(AtomicOp, MemOrder, Scope),
    /// A fence.
    Fence(MemOrder, Scope),
    /// A lane number.
    Lane(u8),
    /// Lanes of a shuffle: `0..n` name the first operand's lanes, `n..2n` the second's, [`UNDEF_LANE`] is
    /// `undef`. The number of lanes used is that of the result.
    Shuffle([u8; 16]),
    /// The callee.
    Call(FuncId),
    /// The operation.
    Intrinsic(Intrinsic),
    /// The register.
    Special(SpecialReg),
    /// The assembly.
    Asm(AsmId),
    /// The hint that the instruction comes from and answers.
    Hint(source::HintId),
    /// Target of a jump; loop metadata if this is a back edge.
    Jump(BlockCall, PackedOption<LoopMd>),
    /// Targets of a conditional branch: taken if true, taken if false; loop metadata if one of them is a back edge.
    Br([BlockCall; 2], PackedOption<LoopMd>),
    /// A table.
    Switch(Switch),
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct InstData {
    /// What it does.
    pub op: Opcode,
    /// Properties.
    pub flags: Flags,
    /// Type of the result; [`Type::VOID`] if it has none.
    pub ty: Type,
    /// Operands, in the pool of the [`crate::Dfg`].
    pub args: EntityList<Value>,
    /// The rest.
    pub payload: Payload,
}

impl InstData {
    /// The condition of an integer comparison.
    #[inline]
    pub fn int_cc(&self) -> Option<IntCC> {
        if let Payload::IntCC(cc) = self.payload { Some(cc) } else { None }
    }

    /// The condition of a float comparison.
    #[inline]
    pub fn float_cc(&self) -> Option<FloatCC> {
        if let Payload::FloatCC(cc) = self.payload { Some(cc) } else { None }
    }

    /// The rounding mode, if one is given.
    #[inline]
    pub fn round(&self) -> Option<Round> {
        if let Payload::Round(r) = self.payload { Some(r) } else { None }
    }

    /// What is known about a plain memory access.
    #[inline]
    pub fn mem(&self) -> Option<MemInfo> {
        if let Payload::Mem(m) = self.payload { Some(m) } else { None }
    }

    /// The lane number.
    #[inline]
    pub fn lane(&self) -> Option<u8> {
        if let Payload::Lane(l) = self.payload { Some(l) } else { None }
    }

    /// The callee.
    #[inline]
    pub fn callee(&self) -> Option<FuncId> {
        if let Payload::Call(f) = self.payload { Some(f) } else { None }
    }

    /// The target operation.
    pub fn intrinsic(&self) -> Option<Intrinsic> {
        if let Payload::Intrinsic(i) = self.payload { Some(i) } else { None }
    }

    /// The special register.
    pub fn special(&self) -> Option<SpecialReg> {
        if let Payload::Special(s) = self.payload { Some(s) } else { None }
    }

    /// The loop metadata of a back edge.
    #[inline]
    pub fn loop_md(&self) -> Option<LoopMd> {
        match &self.payload {
            Payload::Jump(_, md) | Payload::Br(_, md) => md.expand(),
            _ => None,
        }
    }

    /// Whether the result depends on operands and payload alone and nothing else happens; see [`Opcode::is_pure`].
    /// Special registers that stay the same for a work-item's life count as pure.
    #[inline]
    pub fn is_pure(&self) -> bool {
        match self.op {
            Opcode::Intrinsic => self.intrinsic().is_some_and(|i| i.effects().is_empty()),
            Opcode::Special => self.special().is_some_and(SpecialReg::is_invariant),
            Opcode::Call => self.flags.has(Flags::PURE),
            op => op.is_pure(),
        }
    }

    /// Whether all work-items of a warp (or group) must reach it together, so that it may not be made dependent on
    /// more conditions. A call's answer is that of its callee: ask the module.
    pub fn is_convergent(&self) -> bool {
        match self.op {
            Opcode::Intrinsic => self.intrinsic().is_some_and(|i| i.effects().has(crate::Effects::CONVERGENT)),
            Opcode::InlineAsm => true,
            _ => false,
        }
    }

    /// Whether it may read memory that another instruction may write.
    #[inline]
    pub fn reads_memory(&self) -> bool {
        match self.op {
            Opcode::Load | Opcode::MaskedLoad | Opcode::Gather => {
                !self.flags.has(Flags::INVARIANT) || self.flags.has(Flags::VOLATILE)
            }
            Opcode::MemCpy | Opcode::AtomicRmw | Opcode::AtomicCas | Opcode::Fence | Opcode::InlineAsm => true,
            Opcode::Intrinsic => self.intrinsic().is_some_and(|i| i.effects().has(crate::Effects::READS)),
            Opcode::Special | Opcode::Call => !self.is_pure(),
            _ => false,
        }
    }

    /// Whether it may write memory, or orders other accesses, or has another effect that must stay.
    #[inline]
    pub fn has_side_effects(&self) -> bool {
        match self.op {
            Opcode::Store
            | Opcode::MaskedStore
            | Opcode::Scatter
            | Opcode::MemCpy
            | Opcode::MemSet
            | Opcode::AtomicRmw
            | Opcode::AtomicCas
            | Opcode::Fence
            | Opcode::InlineAsm
            | Opcode::Assume => true,
            Opcode::Load | Opcode::MaskedLoad | Opcode::Gather => self.flags.has(Flags::VOLATILE),
            Opcode::Intrinsic => self
                .intrinsic()
                .is_some_and(|i| i.effects().intersects(crate::Effects::WRITES | crate::Effects::CONVERGENT)),
            Opcode::Special | Opcode::Call => !self.is_pure(),
            op => op.is_terminator(),
        }
    }
}
