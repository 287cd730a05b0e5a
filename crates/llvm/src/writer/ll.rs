//! A thin layer over LLVM's C interface: values, types and blocks of one module under construction.
//!
//! The C interface, not inkwell's wrappers: those tell scalars from vectors in their types, and every operation here
//! works on both. All handles belong to the [`Ll`] that made them, which outlives them; that, and that operand types fit,
//! is what the `unsafe` blocks below rely on. The code generator is given verified IR and keeps types as the IR has
//! them; LLVM's verifier has the last word before anything else looks at the module.

mod flow;
mod metadata;

use super::unit::Unit;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::{
    LLVMAttributeRef, LLVMBasicBlockRef, LLVMBuilderRef, LLVMContextRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef,
};
pub(crate) use inkwell::llvm_sys::{
    LLVMAtomicOrdering as Ordering, LLVMAtomicRMWBinOp as RmwOp, LLVMInlineAsmDialect, LLVMIntPredicate as Ipred,
    LLVMLinkage, LLVMRealPredicate as Fpred, LLVMTypeKind,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::CString;
use std::marker::PhantomData;

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Val(pub(crate) LLVMValueRef);

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) struct Ty(pub(crate) LLVMTypeRef);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) struct Bb(pub(crate) LLVMBasicBlockRef);

/// A function with its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Func {
    pub(crate) value: Val,
    pub(crate) ty: Ty,
}

const NAME: *const std::ffi::c_char = c"".as_ptr();

/// An intrinsic's name and the types that it is overloaded on.
type Overload = (&'static str, SmallVec<[Ty; 2]>);

/// What builds a module.
pub(crate) struct Ll<'u> {
    pub(crate) context: LLVMContextRef,
    pub(crate) module: LLVMModuleRef,
    builder: LLVMBuilderRef,
    /// Declarations of LLVM's intrinsics by name and overloaded types.
    intrinsics: RefCell<FxHashMap<Overload, Func>>,
    /// Functions whose bodies are [text](super::scoped), by name.
    pub(super) texts: RefCell<BTreeMap<String, String>>,
    unit: PhantomData<&'u Unit>,
}

impl Drop for Ll<'_> {
    fn drop(&mut self) {
        // SAFETY: made in `new`, disposed of once, before the context that it refers to.
        unsafe { LLVMDisposeBuilder(self.builder) }
    }
}

macro_rules! unary {
    ($($(#[$doc:meta])* $name:ident $f:ident;)*) => {$(
        $(#[$doc])*
        pub(crate) fn $name(&self, a: Val) -> Val {
            // SAFETY: see the module's description.
            Val(unsafe { $f(self.builder, a.0, NAME) })
        }
    )*};
}

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident $f:ident;)*) => {$(
        $(#[$doc])*
        pub(crate) fn $name(&self, a: Val, b: Val) -> Val {
            // SAFETY: see the module's description.
            Val(unsafe { $f(self.builder, a.0, b.0, NAME) })
        }
    )*};
}

macro_rules! cast {
    ($($(#[$doc:meta])* $name:ident $f:ident;)*) => {$(
        $(#[$doc])*
        pub(crate) fn $name(&self, a: Val, to: Ty) -> Val {
            // SAFETY: see the module's description.
            Val(unsafe { $f(self.builder, a.0, to.0, NAME) })
        }
    )*};
}

impl<'u> Ll<'u> {
    pub(crate) fn new(unit: &'u Unit) -> Self {
        Self {
            context: unit.context,
            module: unit.module,
            // SAFETY: the context lives as long as `'u`.
            builder: unsafe { LLVMCreateBuilderInContext(unit.context) },
            intrinsics: RefCell::default(),
            texts: RefCell::default(),
            unit: PhantomData,
        }
    }

    // ---- types ------------------------------------------------------------------------------------------------------

    /// `lanes` of a scalar type; 1 gives the scalar.
    pub(crate) fn vector(&self, scalar: Ty, lanes: u32) -> Ty {
        // SAFETY: see the module's description.
        if lanes == 1 { scalar } else { Ty(unsafe { LLVMVectorType(scalar.0, lanes) }) }
    }

    /// Integers.
    pub(crate) fn int(&self, bits: u32, lanes: u32) -> Ty {
        // SAFETY: see the module's description.
        self.vector(Ty(unsafe { LLVMIntTypeInContext(self.context, bits) }), lanes)
    }

    /// IEEE binary16, for conversions only.
    pub(crate) fn half(&self, lanes: u32) -> Ty {
        // SAFETY: see the module's description.
        self.vector(Ty(unsafe { LLVMHalfTypeInContext(self.context) }), lanes)
    }

    /// Floats of 32 or 64 bits.
    pub(crate) fn float(&self, bits: u32, lanes: u32) -> Ty {
        // SAFETY: see the module's description.
        let scalar = unsafe {
            if bits == 32 { LLVMFloatTypeInContext(self.context) } else { LLVMDoubleTypeInContext(self.context) }
        };
        self.vector(Ty(scalar), lanes)
    }

    /// Pointers into an address space of LLVM's.
    pub(crate) fn ptr(&self, space: u32, lanes: u32) -> Ty {
        // SAFETY: see the module's description.
        self.vector(Ty(unsafe { LLVMPointerTypeInContext(self.context, space) }), lanes)
    }

    pub(crate) fn void(&self) -> Ty {
        // SAFETY: see the module's description.
        Ty(unsafe { LLVMVoidTypeInContext(self.context) })
    }

    /// An array of bytes.
    pub(crate) fn bytes(&self, n: u64) -> Ty {
        // SAFETY: see the module's description.
        Ty(unsafe { LLVMArrayType2(self.int(8, 1).0, n) })
    }

    pub(crate) fn function_type(&self, ret: Ty, params: &[Ty]) -> Ty {
        let mut raw: SmallVec<[LLVMTypeRef; 8]> = params.iter().map(|t| t.0).collect();
        // SAFETY: see the module's description.
        Ty(unsafe { LLVMFunctionType(ret.0, raw.as_mut_ptr(), raw.len() as u32, 0) })
    }

    pub(crate) fn type_of(&self, v: Val) -> Ty {
        // SAFETY: see the module's description.
        Ty(unsafe { LLVMTypeOf(v.0) })
    }

    // ---- constants --------------------------------------------------------------------------------------------------

    /// The same constant in every lane.
    fn splat_const(&self, scalar: Val, lanes: u32) -> Val {
        if lanes == 1 { scalar } else { self.const_vector(&vec![scalar; lanes as usize]) }
    }

    /// An integer, its low `bits` bits taken.
    pub(crate) fn iconst(&self, bits: u32, lanes: u32, n: u64) -> Val {
        let n = if bits >= 64 { n } else { n & ((1 << bits) - 1) };
        // SAFETY: see the module's description.
        self.splat_const(Val(unsafe { LLVMConstInt(self.int(bits, 1).0, n, 0) }), lanes)
    }

    /// A float of 32 or 64 bits.
    pub(crate) fn fconst(&self, bits: u32, lanes: u32, x: f64) -> Val {
        // SAFETY: see the module's description.
        self.splat_const(Val(unsafe { LLVMConstReal(self.float(bits, 1).0, x) }), lanes)
    }

    pub(crate) fn const_vector(&self, lanes: &[Val]) -> Val {
        let mut raw: SmallVec<[LLVMValueRef; 64]> = lanes.iter().map(|v| v.0).collect();
        // SAFETY: see the module's description.
        Val(unsafe { LLVMConstVector(raw.as_mut_ptr(), raw.len() as u32) })
    }

    pub(crate) fn poison(&self, ty: Ty) -> Val {
        // SAFETY: see the module's description.
        Val(unsafe { LLVMGetPoison(ty.0) })
    }

    pub(crate) fn zero(&self, ty: Ty) -> Val {
        // SAFETY: see the module's description.
        Val(unsafe { LLVMConstNull(ty.0) })
    }

    /// Another type for a constant of the same size.
    pub(crate) fn const_bitcast(&self, v: Val, to: Ty) -> Val {
        // SAFETY: see the module's description.
        Val(unsafe { LLVMConstBitCast(v.0, to.0) })
    }

    // ---- arithmetic -------------------------------------------------------------------------------------------------

    binary! {
        add LLVMBuildAdd;
        sub LLVMBuildSub;
        mul LLVMBuildMul;
        sdiv LLVMBuildSDiv;
        udiv LLVMBuildUDiv;
        srem LLVMBuildSRem;
        urem LLVMBuildURem;
        and LLVMBuildAnd;
        or LLVMBuildOr;
        xor LLVMBuildXor;
        shl LLVMBuildShl;
        lshr LLVMBuildLShr;
        ashr LLVMBuildAShr;
        fadd LLVMBuildFAdd;
        fsub LLVMBuildFSub;
        fmul LLVMBuildFMul;
        fdiv LLVMBuildFDiv;
        frem LLVMBuildFRem;
        /// One lane of a vector, by an `i32`.
        extract LLVMBuildExtractElement;
    }

    unary! {
        neg LLVMBuildNeg;
        not LLVMBuildNot;
        fneg LLVMBuildFNeg;
    }

    cast! {
        trunc LLVMBuildTrunc;
        zext LLVMBuildZExt;
        sext LLVMBuildSExt;
        fptrunc LLVMBuildFPTrunc;
        fpext LLVMBuildFPExt;
        fptosi LLVMBuildFPToSI;
        fptoui LLVMBuildFPToUI;
        sitofp LLVMBuildSIToFP;
        uitofp LLVMBuildUIToFP;
        bitcast LLVMBuildBitCast;
        ptrtoint LLVMBuildPtrToInt;
        inttoptr LLVMBuildIntToPtr;
        addrspacecast LLVMBuildAddrSpaceCast;
    }

    pub(crate) fn icmp(&self, cc: Ipred, a: Val, b: Val) -> Val {
        // SAFETY: see the module's description.
        Val(unsafe { LLVMBuildICmp(self.builder, cc, a.0, b.0, NAME) })
    }

    pub(crate) fn fcmp(&self, cc: Fpred, a: Val, b: Val) -> Val {
        // SAFETY: see the module's description.
        Val(unsafe { LLVMBuildFCmp(self.builder, cc, a.0, b.0, NAME) })
    }

    pub(crate) fn select(&self, c: Val, a: Val, b: Val) -> Val {
        // SAFETY: see the module's description.
        Val(unsafe { LLVMBuildSelect(self.builder, c.0, a.0, b.0, NAME) })
    }

    /// Whether `v` is an instruction, not what the builder folded it to.
    fn is_inst(&self, v: Val) -> bool {
        // SAFETY: see the module's description.
        unsafe { !LLVMIsAInstruction(v.0).is_null() }
    }

    /// Marks integer arithmetic as not wrapping.
    pub(crate) fn set_no_wrap(&self, v: Val, nuw: bool, nsw: bool) {
        if self.is_inst(v) {
            // SAFETY: callers pass results of `add`, `sub`, `mul` or `shl`.
            unsafe {
                LLVMSetNUW(v.0, nuw.into());
                LLVMSetNSW(v.0, nsw.into());
            }
        }
    }

    /// Marks a shift right as exact.
    pub(crate) fn set_exact(&self, v: Val) {
        if self.is_inst(v) {
            // SAFETY: callers pass results of `lshr` or `ashr`.
            unsafe { LLVMSetExact(v.0, 1) };
        }
    }

    /// Sets fast-math flags, LLVM's bits, where the instruction takes them.
    pub(crate) fn set_fast(&self, v: Val, flags: u32) {
        // SAFETY: asked only of instructions that can have them.
        unsafe {
            if flags != 0 && self.is_inst(v) && LLVMCanValueUseFastMathFlags(v.0) != 0 {
                LLVMSetFastMathFlags(v.0, flags);
            }
        }
    }

    // ---- vectors ----------------------------------------------------------------------------------------------------

    pub(crate) fn insert(&self, v: Val, scalar: Val, lane: Val) -> Val {
        // SAFETY: see the module's description.
        Val(unsafe { LLVMBuildInsertElement(self.builder, v.0, scalar.0, lane.0, NAME) })
    }

    /// Lane `n`.
    pub(crate) fn lane(&self, v: Val, n: u32) -> Val {
        self.extract(v, self.iconst(32, 1, n.into()))
    }

    /// `v` with lane `n` replaced.
    pub(crate) fn set_lane(&self, v: Val, scalar: Val, n: u32) -> Val {
        self.insert(v, scalar, self.iconst(32, 1, n.into()))
    }

    /// Lanes of two vectors; `None` is poison: a lane that nothing may look at.
    pub(crate) fn shuffle(&self, a: Val, b: Val, lanes: impl Iterator<Item = Option<u32>>) -> Val {
        let i32t = self.int(32, 1);
        let mask: SmallVec<[Val; 64]> =
            lanes.map(|l| l.map_or_else(|| self.poison(i32t), |n| self.iconst(32, 1, n.into()))).collect();
        let mask = self.const_vector(&mask);
        // SAFETY: see the module's description.
        Val(unsafe { LLVMBuildShuffleVector(self.builder, a.0, b.0, mask.0, NAME) })
    }

    /// The scalar in every lane.
    pub(crate) fn splat(&self, scalar: Val, lanes: u32) -> Val {
        if lanes == 1 {
            return scalar;
        }
        let none = self.poison(self.vector(self.type_of(scalar), lanes));
        let first = self.set_lane(none, scalar, 0);
        self.shuffle(first, none, (0..lanes).map(|_| Some(0)))
    }

    // ---- memory -----------------------------------------------------------------------------------------------------

    pub(crate) fn load(&self, ty: Ty, ptr: Val, align: u32) -> Val {
        // SAFETY: see the module's description.
        unsafe {
            let v = LLVMBuildLoad2(self.builder, ty.0, ptr.0, NAME);
            LLVMSetAlignment(v, align);
            Val(v)
        }
    }

    pub(crate) fn store(&self, ptr: Val, v: Val, align: u32) -> Val {
        // SAFETY: see the module's description.
        unsafe {
            let s = LLVMBuildStore(self.builder, v.0, ptr.0);
            LLVMSetAlignment(s, align);
            Val(s)
        }
    }

    /// A load that is not torn, and ordered with nothing.
    pub(crate) fn load_atomic(&self, ty: Ty, ptr: Val, align: u32) -> Val {
        let v = self.load(ty, ptr, align);
        // SAFETY: it is a load, of an integer.
        unsafe { LLVMSetOrdering(v.0, Ordering::LLVMAtomicOrderingMonotonic) };
        v
    }

    /// Marks a load or store.
    pub(crate) fn set_volatile(&self, access: Val) {
        // SAFETY: callers pass results of `load` and `store`.
        unsafe { LLVMSetVolatile(access.0, 1) };
    }

    /// Address plus bytes; both may be vectors. Null plus bytes is the address that they say: LLVM takes an access
    /// through a pointer made of null for one that never happens, but not through one made of an integer.
    pub(crate) fn offset(&self, ptr: Val, bytes: Val, inbounds: bool) -> Val {
        // SAFETY: see the module's description.
        unsafe {
            if LLVMIsNull(ptr.0) != 0 {
                let (to, from) = (LLVMTypeOf(ptr.0), LLVMTypeOf(bytes.0));
                let vector = |ty| LLVMGetTypeKind(ty) == LLVMTypeKind::LLVMVectorTypeKind;
                let to = if vector(from) && !vector(to) { LLVMVectorType(to, LLVMGetVectorSize(from)) } else { to };
                if vector(to) == vector(from) {
                    return Val(LLVMBuildIntToPtr(self.builder, bytes.0, to, NAME));
                }
            }
        }
        let byte = self.int(8, 1);
        let (ptr, mut index, inbounds) = self.same_offset(ptr.0, bytes.0, inbounds);
        let inbounds = inbounds || self.is_within(ptr, index);
        // SAFETY: see the module's description.
        Val(unsafe {
            if inbounds {
                LLVMBuildInBoundsGEP2(self.builder, byte.0, ptr, &mut index, 1, NAME)
            } else {
                LLVMBuildGEP2(self.builder, byte.0, ptr, &mut index, 1, NAME)
            }
        })
    }

    /// What gives the address of `ptr` plus `bytes` in one step, where `ptr` is something plus a constant and `bytes` are one, too.
    fn same_offset(
        &self,
        ptr: LLVMValueRef,
        bytes: LLVMValueRef,
        inbounds: bool,
    ) -> (LLVMValueRef, LLVMValueRef, bool) {
        // SAFETY: see the module's description; an address has its operands, and constants of one type a sum.
        unsafe {
            let far = !LLVMIsAConstantInt(bytes).is_null()
                && !LLVMIsAGetElementPtrInst(ptr).is_null()
                && LLVMGetNumOperands(ptr) == 2
                && LLVMGetGEPSourceElementType(ptr) == self.int(8, 1).0;
            let before = if far { LLVMGetOperand(ptr, 1) } else { bytes };
            if !far || LLVMIsAConstantInt(before).is_null() || LLVMTypeOf(before) != LLVMTypeOf(bytes) {
                return (ptr, bytes, inbounds);
            }
            (LLVMGetOperand(ptr, 0), LLVMConstAdd(before, bytes), inbounds && LLVMIsInBounds(ptr) != 0)
        }
    }

    /// Whether so many bytes from its start are in a variable on the stack, or where it ends. LLVM finds that out itself, makes
    /// another address that says so, and looks at all that is done with the variable each time.
    fn is_within(&self, ptr: LLVMValueRef, bytes: LLVMValueRef) -> bool {
        // SAFETY: see the module's description; a type is asked only for what one of its kind has.
        unsafe {
            if LLVMIsAAllocaInst(ptr).is_null() || LLVMIsAConstantInt(bytes).is_null() {
                return false;
            }
            let ty = LLVMGetAllocatedType(ptr);
            LLVMGetTypeKind(ty) == LLVMTypeKind::LLVMArrayTypeKind
                && LLVMGetElementType(ty) == self.int(8, 1).0
                && LLVMConstIntGetZExtValue(bytes) <= LLVMGetArrayLength2(ty)
        }
    }

    /// The addresses of elements from an index, or one for each lane, on.
    pub(crate) fn elements(&self, ptr: Val, of: Ty, index: Val) -> Val {
        let mut index = index.0;
        // SAFETY: see the module's description.
        Val(unsafe { LLVMBuildGEP2(self.builder, of.0, ptr.0, &mut index, 1, NAME) })
    }

    /// Memory on the stack; callers stand in the entry block.
    pub(crate) fn alloca(&self, ty: Ty, align: u32) -> Val {
        // SAFETY: see the module's description.
        unsafe {
            let v = LLVMBuildAlloca(self.builder, ty.0, NAME);
            LLVMSetAlignment(v, align);
            Val(v)
        }
    }

    pub(crate) fn memcpy(&self, to: Val, from: Val, bytes: Val, align: u32) {
        // SAFETY: see the module's description.
        unsafe { LLVMBuildMemCpy(self.builder, to.0, align, from.0, align, bytes.0) };
    }

    pub(crate) fn memset(&self, to: Val, byte: Val, bytes: Val, align: u32) {
        // SAFETY: see the module's description.
        unsafe { LLVMBuildMemSet(self.builder, to.0, byte.0, bytes.0, align) };
    }

    /// An atomic update within a scope, empty for everybody; the old value.
    pub(crate) fn rmw(&self, op: RmwOp, ptr: Val, v: Val, (order, scope): (Ordering, &'static str)) -> Val {
        if !scope.is_empty() {
            return self.rmw_scoped(op, ptr, v, order, scope);
        }
        // SAFETY: see the module's description.
        Val(unsafe { LLVMBuildAtomicRMW(self.builder, op, ptr.0, v.0, order, 0) })
    }

    /// Compare and swap within a scope; the old value, and whether it was swapped.
    pub(crate) fn cmpxchg(
        &self,
        ptr: Val,
        expected: Val,
        new: Val,
        orders: (Ordering, Ordering),
        scope: &'static str,
    ) -> (Val, Val) {
        if !scope.is_empty() {
            return self.cmpxchg_scoped(ptr, expected, new, orders, scope);
        }
        // SAFETY: see the module's description.
        unsafe {
            let pair = LLVMBuildAtomicCmpXchg(self.builder, ptr.0, expected.0, new.0, orders.0, orders.1, 0);
            (
                Val(LLVMBuildExtractValue(self.builder, pair, 0, NAME)),
                Val(LLVMBuildExtractValue(self.builder, pair, 1, NAME)),
            )
        }
    }

    pub(crate) fn fence(&self, order: Ordering, scope: &'static str) {
        if !scope.is_empty() {
            return self.fence_scoped(order, scope);
        }
        // SAFETY: see the module's description.
        unsafe { LLVMBuildFence(self.builder, order, 0, NAME) };
    }

    // ---- calls ------------------------------------------------------------------------------------------------------

    pub(crate) fn call(&self, f: Func, args: &[Val]) -> Val {
        let mut raw: SmallVec<[LLVMValueRef; 8]> = args.iter().map(|v| v.0).collect();
        // SAFETY: see the module's description.
        Val(unsafe { LLVMBuildCall2(self.builder, f.ty.0, f.value.0, raw.as_mut_ptr(), raw.len() as u32, NAME) })
    }

    /// The value, or any one value where it is undefined.
    pub(crate) fn freeze(&self, v: Val) -> Val {
        // SAFETY: see the module's description.
        Val(unsafe { LLVMBuildFreeze(self.builder, v.0, NAME) })
    }

    /// The value behind an empty piece of assembly, which optimisations do not look through. It fits into a general
    /// register, or into one of x86's for vectors or masks.
    pub(crate) fn assembly_identity(&self, v: Val) -> Val {
        let ty = self.type_of(v);
        // SAFETY: see the module's description; only vectors are asked for their elements.
        let constraints = unsafe {
            let vector = LLVMGetTypeKind(ty.0) == LLVMTypeKind::LLVMVectorTypeKind;
            let element = if vector { LLVMGetElementType(ty.0) } else { ty.0 };
            let bit =
                LLVMGetTypeKind(element) == LLVMTypeKind::LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) == 1;
            match (vector, bit) {
                (true, true) => c"=^Yk,0",
                (true, false) => c"=v,0",
                _ => c"=r,0",
            }
        };
        let text = c"";
        let f = self.function_type(ty, &[ty]);
        // SAFETY: see the module's description; the texts are as long as said, and LLVM copies them.
        let asm = unsafe {
            LLVMGetInlineAsm(
                f.0,
                text.as_ptr(),
                0,
                constraints.as_ptr(),
                constraints.count_bytes(),
                0,
                0,
                LLVMInlineAsmDialect::LLVMInlineAsmDialectATT,
                0,
            )
        };
        self.call(Func { value: Val(asm), ty: f }, &[v])
    }

    /// An empty piece of assembly that has effects, for all that optimisations know.
    pub(crate) fn assembly_nothing(&self) {
        let f = self.function_type(self.void(), &[]);
        let nothing = c"".as_ptr();
        // SAFETY: see the module's description; the texts are empty.
        let asm = unsafe {
            LLVMGetInlineAsm(f.0, nothing, 0, nothing, 0, 1, 0, LLVMInlineAsmDialect::LLVMInlineAsmDialectATT, 0)
        };
        self.call(Func { value: Val(asm), ty: f }, &[]);
    }

    /// Calls one of LLVM's intrinsics, overloaded on `types`.
    pub(crate) fn intrinsic(&self, name: &'static str, types: &[Ty], args: &[Val]) -> Val {
        let key = (name, types.iter().copied().collect());
        let known = self.intrinsics.borrow().get(&key).copied();
        let f = known.unwrap_or_else(|| {
            let f = self.declare_intrinsic(name, types);
            self.intrinsics.borrow_mut().insert(key, f);
            f
        });
        self.call(f, args)
    }

    fn declare_intrinsic(&self, name: &'static str, types: &[Ty]) -> Func {
        let mut raw: SmallVec<[LLVMTypeRef; 2]> = types.iter().map(|t| t.0).collect();
        // SAFETY: names are literals of this crate, all of them intrinsics of LLVM 19, with their overloaded types.
        unsafe {
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            debug_assert!(id != 0, "no intrinsic {name}");
            let value = LLVMGetIntrinsicDeclaration(self.module, id, raw.as_mut_ptr(), raw.len());
            Func { value: Val(value), ty: Ty(LLVMGlobalGetValueType(value)) }
        }
    }

    /// A function of the module, made if it is not there.
    pub(crate) fn function(&self, name: &str, ty: Ty) -> Func {
        let name = c_string(name);
        // SAFETY: see the module's description.
        let value = unsafe {
            let there = LLVMGetNamedFunction(self.module, name.as_ptr());
            if there.is_null() { LLVMAddFunction(self.module, name.as_ptr(), ty.0) } else { there }
        };
        Func { value: Val(value), ty }
    }

    pub(crate) fn param(&self, f: Func, n: u32) -> Val {
        // SAFETY: callers ask for parameters that there are.
        Val(unsafe { LLVMGetParam(f.value.0, n) })
    }

    pub(crate) fn set_linkage(&self, v: Val, linkage: LLVMLinkage) {
        // SAFETY: callers pass functions and globals.
        unsafe { LLVMSetLinkage(v.0, linkage) };
    }

    /// An attribute of LLVM's, by name.
    pub(crate) fn enum_attribute(&self, name: &str, value: u64) -> LLVMAttributeRef {
        // SAFETY: names are literals of this crate and attributes of LLVM 19.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            debug_assert!(kind != 0, "no attribute {name}");
            LLVMCreateEnumAttribute(self.context, kind, value)
        }
    }

    /// Puts an attribute at 0 (the result), 1… (parameters), or `u32::MAX` (the function).
    pub(crate) fn attribute(&self, f: Func, at: u32, name: &str, value: u64) {
        // SAFETY: see the module's description.
        unsafe { LLVMAddAttributeAtIndex(f.value.0, at, self.enum_attribute(name, value)) };
    }

    /// An attribute with a type as value.
    pub(crate) fn type_attribute(&self, f: Func, at: u32, name: &str, ty: Ty) {
        // SAFETY: names are literals of this crate and attributes of LLVM 19.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            LLVMAddAttributeAtIndex(f.value.0, at, LLVMCreateTypeAttribute(self.context, kind, ty.0));
        }
    }

    /// Makes a function a kernel of an AMD GPU.
    pub(crate) fn make_amdgpu_kernel(&self, f: Func) {
        /// LLVM's `CallingConv::AMDGPU_KERNEL`.
        const AMDGPU_KERNEL: u32 = 91;
        // SAFETY: see the module's description.
        unsafe { LLVMSetFunctionCallConv(f.value.0, AMDGPU_KERNEL) };
    }

    /// An attribute of a function with a text as value.
    pub(crate) fn text_attribute(&self, f: Func, name: &str, value: &str) {
        // SAFETY: see the module's description; LLVM copies the texts.
        unsafe {
            let a = LLVMCreateStringAttribute(
                self.context,
                name.as_ptr().cast(),
                name.len() as u32,
                value.as_ptr().cast(),
                value.len() as u32,
            );
            LLVMAddAttributeAtIndex(f.value.0, u32::MAX, a);
        }
    }
}

/// A name as C has it: up to a NUL.
pub(crate) fn c_string(name: &str) -> CString {
    CString::new(name.split('\0').next().unwrap_or_default()).unwrap_or_default()
}
