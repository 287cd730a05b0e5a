//! Values as other types: integers of other widths, floats, truth values, bits, addresses; values in memory.

use crate::Emitter;
use ir::{AddrSpace, Flags, FloatCC, IntCC, MemInfo, Opcode, Payload, Type, Value};
use smallvec::SmallVec;

/// The type that a value has in memory and in signatures: `i8` for `bool`.
pub fn memory_type(value: Type) -> Type {
    if value.scalar() == Type::I1 { value.with_scalar(Type::I8) } else { value }
}

impl Emitter<'_> {
    /// Integer to integer of any width: truncates, or extends by `signed`. `i1` is never signed.
    pub fn resize(&mut self, v: Value, ty: Type, signed: bool) -> Value {
        let from = self.ty(v);
        let ty = from.with_scalar(ty.scalar());
        let op = match from.bits().cmp(&ty.bits()) {
            std::cmp::Ordering::Equal => return v,
            std::cmp::Ordering::Greater if ty.scalar() == Type::I1 => return self.truth(v),
            std::cmp::Ordering::Greater => Opcode::Trunc,
            std::cmp::Ordering::Less if signed && from.scalar() != Type::I1 => Opcode::SExt,
            std::cmp::Ordering::Less => Opcode::ZExt,
        };
        if let Some(bits) = self.func.dfg.as_bits(v) {
            let bits = if op == Opcode::SExt { self.func.dfg.as_int(v).unwrap_or(0) as u64 } else { bits };
            return self.func.dfg.bits(ty, bits);
        }
        self.build(|b| b.cast(op, v, ty))
    }

    /// A scalar in all lanes.
    pub fn splat(&mut self, v: Value, lanes: u8) -> Value {
        if lanes == 1 || self.ty(v).is_vector() {
            return v;
        }
        if let Some(bits) = self.func.dfg.as_bits(v)
            && let Some(ty) = self.ty(v).vector(lanes)
        {
            return self.func.dfg.bits(ty, bits);
        }
        let parts: SmallVec<[Value; 16]> = (0..lanes).map(|_| v).collect();
        self.build(|b| b.vec_build(&parts))
    }

    /// Integer to floating point, to nearest.
    pub fn int_to_float(&mut self, v: Value, ty: Type, signed: bool) -> Value {
        // Truth values first become 0 or 1.
        let v = if self.ty(v).scalar() == Type::I1 { self.resize(v, Type::I32, false) } else { v };
        self.build(|b| b.cast(if signed { Opcode::SiToFp } else { Opcode::UiToFp }, v, ty))
    }

    /// Floating point to integer, toward zero; to a truth value, whether it is unequal to zero.
    pub fn float_to_int(&mut self, v: Value, ty: Type, signed: bool) -> Value {
        if ty.scalar() == Type::I1 {
            let zero = self.func.dfg.bits(self.ty(v), 0);
            return self.build(|b| b.fcmp(FloatCC::Une, Flags::NONE, v, zero));
        }
        // `__half` and `__nv_bfloat16` are CUDA's classes, whose conversions are instructions of their own.
        if self.context.nan_top && ty.bits() < 32 && self.ty(v).scalar().bits() == 16 {
            let op = if signed { Opcode::FpToSi } else { Opcode::FpToUi };
            return self.make(op, ty, Flags::NONE, &[v], Payload::None);
        }
        let flags = self.ftz(self.ty(v));
        self.float_to_wrapped(v, ty, signed, flags, Payload::None)
    }

    /// Floating point to integer where no saturation was asked for. What does not fit is undefined, but programs rely on
    /// what all compilers make of it: 8 and 16 bits are the low bits of a conversion to 32, which saturates as it does on
    /// GPUs.
    pub(crate) fn float_to_wrapped(&mut self, v: Value, ty: Type, signed: bool, flags: Flags, round: Payload) -> Value {
        let flags = flags.with(self.nan_flag(self.ty(v), ty));
        let op = if signed { Opcode::FpToSi } else { Opcode::FpToUi };
        let made = if ty.bits() < 32 { ty.with_scalar(Type::I32) } else { ty };
        let n = self.make(op, made, flags, &[v], round);
        self.resize(n, ty, signed)
    }

    /// What the conversion of what is no number depends on.
    pub(crate) fn nan_flag(&self, from: Type, to: Type) -> Flags {
        let wide = from.scalar() == Type::F64 && to.bits() >= 32 || to.bits() == 64;
        if self.context.nan_top && wide { Flags::NAN_TOP } else { Flags::NONE }
    }

    /// Floating point to floating point, to nearest.
    pub fn float_to_float(&mut self, v: Value, ty: Type) -> Value {
        let from = self.ty(v);
        if from == ty {
            return v;
        }
        let single = if from.scalar() == Type::F32 || ty.scalar() == Type::F32 {
            self.ftz(from.with_scalar(Type::F32))
        } else {
            Flags::NONE
        };
        match from.bits().cmp(&ty.bits()) {
            std::cmp::Ordering::Less => self.make(Opcode::FpExt, ty, single, &[v], Payload::None),
            std::cmp::Ordering::Greater => self.make(Opcode::FpTrunc, ty, single, &[v], Payload::None),
            std::cmp::Ordering::Equal => {
                // f16 and bf16: by way of single precision.
                let mid = from.with_scalar(Type::F32);
                let wide = self.make(Opcode::FpExt, mid, Flags::NONE, &[v], Payload::None);
                self.make(Opcode::FpTrunc, ty, Flags::NONE, &[wide], Payload::None)
            }
        }
    }

    /// Same bits as another scalar or vector type of the same size; 3-vectors count as 4 where sizes ask for it.
    pub fn reinterpret(&mut self, v: Value, ty: Type) -> Value {
        let from = self.ty(v);
        if from == ty {
            return v;
        }
        if from.is_ptr() || ty.is_ptr() {
            return match (from.is_ptr(), ty.is_ptr()) {
                (true, true) => self.in_space(v, ty.space().unwrap_or(AddrSpace::Generic)),
                (true, false) => {
                    let n = self.build(|b| b.cast(Opcode::PtrToInt, v, Type::I64));
                    self.reinterpret(n, ty)
                }
                _ => {
                    let n = self.reinterpret(v, Type::I64);
                    self.build(|b| b.cast(Opcode::IntToPtr, n, ty))
                }
            };
        }
        let bits = |t: Type| t.bits() * u32::from(t.lanes());
        if bits(from) == bits(ty) {
            return self.build(|b| b.cast(Opcode::Bitcast, v, ty));
        }
        if from.lanes() == 3 {
            let wide = self.build(|b| b.shuffle(v, v, &[0, 1, 2, 255]));
            return self.reinterpret(wide, ty);
        }
        if ty.lanes() == 3
            && let Some(four) = ty.scalar().vector(4)
        {
            let wide = self.reinterpret(v, four);
            return self.build(|b| b.shuffle(wide, wide, &[0, 1, 2]));
        }
        // Sizes have been compared; only an error already reported gets here.
        self.func.dfg.undef(ty)
    }

    // ---- truth values -------------------------------------------------------------------------------------------

    /// A truth value (`i1`, or `i1` lanes) as the type that the dialect gives it: `bool`, `int` 0/1, lanes of 0/-1.
    pub fn truth_as(&mut self, v: Value, ty: Type) -> Value {
        if self.ty(v) == ty {
            v
        } else {
            let op = if ty.is_vector() { Opcode::SExt } else { Opcode::ZExt };
            self.build(|b| b.cast(op, v, ty))
        }
    }

    /// Any number as a truth value: unequal to zero.
    pub fn truth(&mut self, v: Value) -> Value {
        let ty = self.ty(v);
        if ty.scalar() == Type::I1 {
            return v;
        }
        let zero = self.func.dfg.bits(ty, 0);
        if ty.is_float() {
            let flags = self.ftz(ty);
            return self.build(|b| b.fcmp(FloatCC::Une, flags, v, zero));
        }
        self.build(|b| b.icmp(IntCC::Ne, v, zero))
    }

    // ---- memory -------------------------------------------------------------------------------------------------

    /// A value as it is in memory, as the value it stands for: `i8` to `i1`.
    pub fn unpacked(&mut self, v: Value, ty: Type) -> Value {
        if self.ty(v) == ty {
            return v;
        }
        let from = self.ty(v);
        let zero = self.iconst(from, 0);
        self.build(|b| b.icmp(IntCC::Ne, v, zero))
    }

    /// A value as it goes to memory and into signatures: `i1` to `i8`.
    pub fn packed(&mut self, v: Value) -> Value {
        let ty = self.ty(v);
        let mem = memory_type(ty);
        if mem == ty { v } else { self.build(|b| b.cast(Opcode::ZExt, v, mem)) }
    }

    /// Reads a value of a type.
    pub fn load_scalar(&mut self, ptr: Value, ty: Type, align: u32, flags: Flags) -> Value {
        let mem = memory_type(ty);
        let v = self.build(|b| b.load(mem, ptr, MemInfo::aligned(align), flags));
        self.unpacked(v, ty)
    }

    /// Writes a value.
    pub fn store_scalar(&mut self, ptr: Value, v: Value, align: u32, flags: Flags) {
        let v = self.packed(v);
        self.build(|b| b.store(ptr, v, MemInfo::aligned(align), flags));
    }

    /// `ptr` plus a constant number of bytes.
    pub fn offset(&mut self, ptr: Value, bytes: u64) -> Value {
        if bytes == 0 {
            return ptr;
        }
        let n = self.iconst(Type::I64, bytes as i64);
        self.build(|b| b.ptradd(ptr, n, Flags::INBOUNDS | Flags::MEMBER))
    }

    /// The address of element `index`, or of that many before, of `size` bytes each.
    pub fn element_ptr(&mut self, ptr: Value, index: Value, size: u64, negative: bool) -> Value {
        let bytes = if size == 1 {
            index
        } else {
            let n = self.iconst(Type::I64, size as i64);
            self.make(Opcode::Mul, Type::I64, Flags::NSW | Flags::SCALES, &[index, n], Payload::None)
        };
        let bytes = if negative {
            let zero = self.iconst(Type::I64, 0);
            self.make(Opcode::Sub, Type::I64, Flags::NSW, &[zero, bytes], Payload::None)
        } else {
            bytes
        };
        self.build(|b| b.ptradd(ptr, bytes, Flags::INBOUNDS))
    }

    /// A pointer in another address space.
    pub fn in_space(&mut self, ptr: Value, space: AddrSpace) -> Value {
        match self.ty(ptr).space() {
            Some(s) if s == space => ptr,
            Some(s) if s == AddrSpace::Generic || space == AddrSpace::Generic => {
                self.build(|b| b.space_cast(ptr, space))
            }
            // Between two specific spaces only through generic; a checker allows it where the dialect does.
            _ => {
                let g = self.build(|b| b.space_cast(ptr, AddrSpace::Generic));
                self.build(|b| b.space_cast(g, space))
            }
        }
    }

    /// A nameless private slot.
    pub(crate) fn slot(&mut self, size: u32, align: u32) -> Value {
        let data = ir::SlotData { size, align, dims: SmallVec::new(), name: String::new() };
        let slot = self.func.slots.push(data);
        self.func.slot_addr(slot)
    }
}
