//! Keeps merges under a mask apart from three-operand logic, which LLVM's x86 back end puts together wrongly.
//!
//! With AVX-512, `mask ? (a & C) | (b & ~C) : a` can be one `vpternlog` that merges under the mask. Where one of its
//! operands comes from memory (a constant does) and the operands must be put into another order, LLVM up to 22 permutes
//! the table of the operation the wrong way round: <https://github.com/llvm/llvm-project/issues/157929>, mended by its
//! pull request 209782. There is no option that stops it. So
//!
//! - [`separate`], the last pass before code generation, puts an empty piece of assembly, which selection of instructions
//!   does not look through, between such logic and the choice. It costs a blend where the two could have been one;
//! - [`merges_from_memory`] looks for the instruction in what was generated. Where it still is there, the code is made
//!   once more with folding of memory operands off ([`super::compiled`]).
//!
//! Cost: linear in instructions, and in bytes of code.

use super::{HostMachine, walk};
use crate::writer::Unit;
use crate::writer::ll::{Ll, Val};
use inkwell::llvm_sys::core::{
    LLVMGetCalledValue, LLVMGetElementType, LLVMGetInstructionOpcode, LLVMGetIntTypeWidth, LLVMGetOperand,
    LLVMGetTypeKind, LLVMGetValueName2, LLVMGetVectorSize, LLVMIsAInstruction, LLVMIsConstant, LLVMSetOperand,
    LLVMTypeOf,
};
use inkwell::llvm_sys::prelude::{LLVMTypeRef, LLVMValueRef};
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind};
use object::{Object, ObjectSection, SectionKind};

/// Separates logic from choices in a module, where the machine has the instruction.
pub(super) fn separate(unit: &Unit, machine: &HostMachine) {
    if !has_ternary_logic(machine) {
        return;
    }
    let ll = Ll::new(unit);
    for (user, operand) in candidates(unit) {
        // SAFETY: `user` is an instruction of a living module, and `operand` one of its operands.
        let value = Val(unsafe { LLVMGetOperand(user, operand) });
        ll.before(Val(user));
        let apart = opaque(&ll, machine, value);
        // SAFETY: as above; the replacement has the operand's type and stands right before its user.
        unsafe { LLVMSetOperand(user, operand, apart.0) };
    }
}

/// Whether the machine has `vpternlog`.
pub(super) fn has_ternary_logic(machine: &HostMachine) -> bool {
    machine.is_x86() && machine.has("avx512f")
}

/// Whether an object file's code holds a `vpternlog` that merges under a mask and reads memory.
pub(super) fn merges_from_memory(object: &[u8]) -> bool {
    let Ok(file) = object::File::parse(object) else { return false };
    file.sections().any(|s| s.kind() == SectionKind::Text && has_merge(s.data().unwrap_or_default()))
}

/// Whether code holds the instruction: EVEX in the third map with opcode 25, no zeroing, a mask, and an operand that is no
/// register (Intel's manual, volume 2, section 2.7). Other bytes may look alike: that costs speed only.
fn has_merge(code: &[u8]) -> bool {
    code.windows(6).any(|w| {
        w[0] == 0x62
            && w[1] & 0x0f == 0x03
            && w[2] & 0x07 == 0x05
            && w[3] & 0x80 == 0
            && w[3] & 0x07 != 0
            && w[4] == 0x25
            && w[5] >> 6 != 3
    })
}

/// Operands to hide: instruction and number.
fn candidates(unit: &Unit) -> Vec<(LLVMValueRef, u32)> {
    let mut found = Vec::new();
    // SAFETY: the module is alive, and nobody changes it meanwhile; operands are asked of instructions that have them.
    unsafe {
        for i in walk::functions(unit).flat_map(|f| walk::instructions(f)) {
            match LLVMGetInstructionOpcode(i) {
                LLVMOpcode::LLVMSelect if chooses_lanes(i) => {
                    found.extend((1..3).filter(|&n| is_ternary(LLVMGetOperand(i, n))).map(|n| (i, n)));
                }
                op if is_logic_opcode(op) && lanes_of(LLVMTypeOf(i)).is_some() => {
                    found.extend((0..2).filter(|&n| chooses_zero(LLVMGetOperand(i, n))).map(|n| (i, n)));
                }
                _ => {}
            }
        }
    }
    found
}

/// Whether a `select` chooses lane by lane.
///
/// # Safety
/// `i` is a `select` of a living module.
unsafe fn chooses_lanes(i: LLVMValueRef) -> bool {
    // SAFETY: the caller's promise.
    unsafe { lanes_of(LLVMTypeOf(i)).is_some() && lanes_of(LLVMTypeOf(LLVMGetOperand(i, 0))).is_some() }
}

/// Whether a value is logic upon logic, or may become so in code generation: sums of disjoint bits, what moves signs and
/// bits.
///
/// # Safety
/// `v` is a value of a living module.
unsafe fn is_ternary(v: LLVMValueRef) -> bool {
    // SAFETY: the caller's promise; binary operations have two operands.
    unsafe {
        let Some((v, op)) = instruction(v) else { return false };
        let sum = matches!(op, LLVMOpcode::LLVMAdd | LLVMOpcode::LLVMSub);
        if sum || is_logic_opcode(op) {
            return (0..2).any(|n| is_logic(LLVMGetOperand(v, n)));
        }
        op == LLVMOpcode::LLVMCall && calls(v, &["llvm.copysign.", "llvm.fsh", "llvm.bitreverse.", "llvm.bswap."])
    }
}

/// Whether a value is a logic operation in machine code.
///
/// # Safety
/// `v` is a value of a living module.
unsafe fn is_logic(v: LLVMValueRef) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let Some((v, op)) = instruction(v) else { return false };
        is_logic_opcode(op)
            || op == LLVMOpcode::LLVMFNeg
            || op == LLVMOpcode::LLVMCall && calls(v, &["llvm.copysign.", "llvm.fabs.", "llvm.fsh", "llvm.bitreverse."])
    }
}

/// Whether a value is a choice between something and a constant, which code generation moves behind the operation that
/// uses it: `a | (mask ? b : 0)` is `mask ? a | b : a`.
///
/// # Safety
/// `v` is a value of a living module.
unsafe fn chooses_zero(v: LLVMValueRef) -> bool {
    // SAFETY: the caller's promise; selections have three operands, binary operations two.
    unsafe {
        let Some((v, op)) = instruction(v) else { return false };
        match op {
            LLVMOpcode::LLVMSelect => chooses_lanes(v) && (1..3).any(|n| LLVMIsConstant(LLVMGetOperand(v, n)) != 0),
            LLVMOpcode::LLVMAnd => {
                lanes_of(LLVMTypeOf(v)).is_some() && (0..2).any(|n| is_spread_mask(LLVMGetOperand(v, n)))
            }
            _ => false,
        }
    }
}

/// Whether a value is a mask spread over the bits of each lane.
///
/// # Safety
/// `v` is a value of a living module.
unsafe fn is_spread_mask(v: LLVMValueRef) -> bool {
    // SAFETY: the caller's promise; a conversion has an operand, a vector has elements.
    unsafe {
        instruction(v).is_some_and(|(v, op)| {
            op == LLVMOpcode::LLVMSExt && {
                let from = LLVMTypeOf(LLVMGetOperand(v, 0));
                lanes_of(from).is_some() && LLVMGetIntTypeWidth(LLVMGetElementType(from)) == 1
            }
        })
    }
}

/// The instruction that makes a value, behind changes of its type.
///
/// # Safety
/// `v` is a value of a living module.
unsafe fn instruction(mut v: LLVMValueRef) -> Option<(LLVMValueRef, LLVMOpcode)> {
    // SAFETY: the caller's promise.
    unsafe {
        loop {
            if LLVMIsAInstruction(v).is_null() {
                return None;
            }
            match LLVMGetInstructionOpcode(v) {
                LLVMOpcode::LLVMBitCast | LLVMOpcode::LLVMFreeze => v = LLVMGetOperand(v, 0),
                op => return Some((v, op)),
            }
        }
    }
}

fn is_logic_opcode(op: LLVMOpcode) -> bool {
    matches!(op, LLVMOpcode::LLVMAnd | LLVMOpcode::LLVMOr | LLVMOpcode::LLVMXor)
}

/// Whether a call is of a function whose name begins so.
///
/// # Safety
/// `v` is a call in a living module.
unsafe fn calls(v: LLVMValueRef, names: &[&str]) -> bool {
    // SAFETY: the caller's promise; the name lives as long as the function.
    unsafe {
        let mut length = 0;
        let name = LLVMGetValueName2(LLVMGetCalledValue(v), &mut length);
        let name = std::slice::from_raw_parts(name.cast::<u8>(), length);
        names.iter().any(|n| name.starts_with(n.as_bytes()))
    }
}

/// The lanes of a vector type.
///
/// # Safety
/// `ty` is a type of a living context.
unsafe fn lanes_of(ty: LLVMTypeRef) -> Option<u32> {
    // SAFETY: the caller's promise.
    unsafe { (LLVMGetTypeKind(ty) == LLVMTypeKind::LLVMVectorTypeKind).then(|| LLVMGetVectorSize(ty)) }
}

/// The same value, of which code generation knows nothing: through registers of the machine's width, part by part.
fn opaque(ll: &Ll<'_>, machine: &HostMachine, v: Val) -> Val {
    let ty = ll.type_of(v);
    // SAFETY: the value is alive and a vector, as every candidate is.
    let (lanes, bits) = unsafe {
        let scalar = LLVMGetElementType(ty.0);
        let bits = match LLVMGetTypeKind(scalar) {
            LLVMTypeKind::LLVMIntegerTypeKind => LLVMGetIntTypeWidth(scalar),
            LLVMTypeKind::LLVMFloatTypeKind => 32,
            LLVMTypeKind::LLVMDoubleTypeKind => 64,
            _ => 0,
        };
        (LLVMGetVectorSize(ty.0), bits)
    };
    // Only lanes of these widths merge in this instruction.
    if !matches!(bits, 32 | 64) {
        return v;
    }
    let narrow = if machine.has("avx512vl") { 128 } else { 512 };
    let width = (lanes * bits).next_power_of_two().clamp(narrow, 512);
    let each = width / bits;
    if each == lanes {
        return ll.assembly_identity(v);
    }
    let parts = lanes.div_ceil(each).next_power_of_two();
    let mut out: Vec<Val> = (0..parts)
        .map(|p| {
            let lane = |n: u32| Some(p * each + n).filter(|&l| l < lanes);
            let part = ll.shuffle(v, v, (0..each).map(lane));
            if p * each < lanes { ll.assembly_identity(part) } else { part }
        })
        .collect();
    let mut wide = each;
    while out.len() > 1 {
        out = out.chunks(2).map(|p| ll.shuffle(p[0], p[1], (0..2 * wide).map(Some))).collect();
        wide *= 2;
    }
    if wide == lanes { out[0] } else { ll.shuffle(out[0], out[0], (0..lanes).map(Some)) }
}

#[cfg(test)]
mod tests {
    use super::has_merge;

    #[test]
    fn merges_are_told_from_what_looks_like_them() {
        // As llvm-mc encodes them.
        let merges: [&[u8]; 2] = [
            &[0x90, 0x62, 0xf3, 0x65, 0x59, 0x25, 0x15, 0, 0, 0, 0, 0xb8], // $184, (%rip){1to16}, %zmm3, %zmm2 {%k1}
            &[0x62, 0xe3, 0x95, 0x2d, 0x25, 0x60, 0x02, 0xb8],             // $184, 64(%rax), %ymm13, %ymm20 {%k5}
        ];
        let others: [&[u8]; 3] = [
            &[0x62, 0xf3, 0x65, 0xc9, 0x25, 0x10, 0xb8], // zeroed under the mask
            &[0x62, 0xf3, 0x65, 0x49, 0x25, 0xd4, 0xb8], // registers only
            &[0x62, 0xe3, 0xe5, 0x28, 0x25, 0x20, 0xb8], // no mask
        ];
        assert!(merges.iter().all(|code| has_merge(code)));
        assert!(!others.iter().any(|code| has_merge(code)));
    }
}
