//! Gathers and scatters of all lanes, one lane after another on processors that do them by microcode.
//!
//! A gather of 16 floats takes a Zen 4 5.7 ns, 16 loads that are put together about 5 with the indices taken out of their vector,
//! 2.4 where each lane's place is a constant away from one address, and 1.5 where lanes lie side by side in pairs; a scatter takes
//! 6.6, stores 4.1 to 4.6. With a mask that is not known the instruction is quicker (5.8 beside 6.7), and stays.
//!
//! So, after LLVM's passes and before code generation: places that are known from each other ([`super::offsets`]) are loaded or
//! stored in as few pieces as there are rows of neighbours, and put in order by a permutation.
//!
//! Cost: linear in instructions, and in the lanes of what is taken apart.

use super::offsets::{Each, Offsets, bits_of};
use super::{HostMachine, walk};
use crate::writer::Unit;
use crate::writer::ll::{Ll, Ty, Val};
use inkwell::llvm_sys::core::{
    LLVMConstAllOnes, LLVMConstIntGetZExtValue, LLVMGetCalledValue, LLVMGetElementType, LLVMGetGEPSourceElementType,
    LLVMGetInstructionOpcode, LLVMGetIntTypeWidth, LLVMGetIntrinsicID, LLVMGetNumOperands, LLVMGetOperand,
    LLVMGetTypeKind, LLVMGetVectorSize, LLVMInstructionEraseFromParent, LLVMIsACallInst, LLVMIsAFunction,
    LLVMIsAInstruction, LLVMLookupIntrinsicID, LLVMReplaceAllUsesWith, LLVMTypeOf,
};
use inkwell::llvm_sys::prelude::{LLVMTypeRef, LLVMValueRef};
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind};

/// Most lanes of a function's gathers and scatters that are taken apart: each is a dozen instructions for LLVM.
const MOST_LANES: u32 = 4096;
/// Most sums that an address is followed through.
const MAX_SUMS: u32 = 4;

/// Takes the gathers and scatters of a module apart, where the machine is slow at them.
pub(super) fn take_apart(unit: &Unit, machine: &HostMachine) {
    if !machine.is_slow_at_gathers() {
        return;
    }
    let ll = Ll::new(unit);
    for f in walk::functions(unit) {
        // SAFETY: `f` is a function of the unit's module, which nobody else changes; accesses are collected before one is
        // replaced by what stands before it, and looked at again then: their operands may have been replaced meanwhile.
        unsafe {
            let accesses: Vec<_> = walk::instructions(f).filter_map(|i| Some((i, Access::of(i)?.lanes))).collect();
            if accesses.iter().map(|(_, lanes)| lanes).sum::<u32>() > MOST_LANES {
                continue;
            }
            for access in accesses.into_iter().filter_map(|(i, _)| Access::of(i)) {
                access.replace(&ll);
            }
        }
    }
}

/// A gather or scatter of all lanes.
struct Access {
    inst: LLVMValueRef,
    /// What a scatter stores.
    stored: Option<LLVMValueRef>,
    pointers: LLVMValueRef,
    align: u32,
    element: LLVMTypeRef,
    /// Bytes of an element.
    size: i64,
    lanes: u32,
}

/// Where the lanes of an access are.
enum Places {
    /// Each lane so many bytes from one address.
    Known(Val, Each),
    /// Each lane anywhere.
    Anywhere(Vec<Val>),
}

impl Access {
    /// # Safety
    /// `i` is an instruction of a living module.
    unsafe fn of(i: LLVMValueRef) -> Option<Self> {
        // SAFETY: the caller's promise; operands are those of the two intrinsics.
        unsafe {
            if LLVMIsACallInst(i).is_null() {
                return None;
            }
            let callee = LLVMGetCalledValue(i);
            let id = if LLVMIsAFunction(callee).is_null() { 0 } else { LLVMGetIntrinsicID(callee) };
            let is = |name: &str| id != 0 && id == LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            let gather = is("llvm.masked.gather");
            if !(gather || is("llvm.masked.scatter")) {
                return None;
            }
            let first = u32::from(!gather);
            let operand = |n| LLVMGetOperand(i, first + n);
            let mask = operand(2);
            if mask != LLVMConstAllOnes(LLVMTypeOf(mask)) {
                return None;
            }
            let stored = (!gather).then(|| LLVMGetOperand(i, 0));
            let ty = LLVMTypeOf(stored.unwrap_or(i));
            let element = LLVMGetElementType(ty);
            let align = LLVMConstIntGetZExtValue(operand(1)) as u32;
            let lanes = LLVMGetVectorSize(ty);
            Some(Self { inst: i, stored, pointers: operand(0), align, element, size: size_of(element)?, lanes })
        }
    }

    /// # Safety
    /// The access is there, and nobody else changes its module.
    unsafe fn replace(&self, ll: &Ll<'_>) {
        ll.before(Val(self.inst));
        // SAFETY: the caller's promise; what replaces a gather has its type and stands before it.
        unsafe {
            let places = self.places(ll);
            match self.stored {
                Some(v) => self.store(ll, &places, Val(v)),
                None => {
                    LLVMReplaceAllUsesWith(self.inst, self.load(ll, &places).0);
                }
            }
            LLVMInstructionEraseFromParent(self.inst);
        }
    }

    /// # Safety
    /// The access is there.
    unsafe fn places(&self, ll: &Ll<'_>) -> Places {
        // SAFETY: the caller's promise; a `getelementptr` with two operands has a pointer and an index.
        unsafe {
            let p = self.pointers;
            if let Some((base, each)) = known(ll, p, MAX_SUMS) {
                return Places::Known(base, each);
            }
            let of_one = Sum::of(p).filter(|sum| is_one(sum.base));
            let Some(Sum { base, index, stride }) = of_one else {
                return Places::Anywhere((0..self.lanes).map(|n| ll.lane(Val(p), n)).collect());
            };
            let indices = indices(ll, Val(index), self.lanes);
            Places::Anywhere(indices.into_iter().map(|i| ll.elements(Val(base), Ty(stride), i)).collect())
        }
    }

    fn load(&self, ll: &Ll<'_>, places: &Places) -> Val {
        let element = Ty(self.element);
        let addresses = match places {
            Places::Known(base, each) => {
                if let Some(rows) = Rows::of(each, self.size) {
                    return self.load_rows(ll, *base, each, &rows);
                }
                each.iter().map(|&c| at(ll, *base, c)).collect::<Vec<_>>()
            }
            Places::Anywhere(addresses) => addresses.clone(),
        };
        let mut v = ll.poison(ll.vector(element, self.lanes));
        for (n, address) in (0..).zip(addresses) {
            v = ll.set_lane(v, ll.load(element, address, self.align), n);
        }
        v
    }

    /// One load for each row, the rows side by side, and then each lane from its place.
    fn load_rows(&self, ll: &Ll<'_>, base: Val, each: &Each, rows: &Rows) -> Val {
        let ty = ll.vector(Ty(self.element), rows.width);
        let mut parts: Vec<Val> = rows.starts.iter().map(|&s| ll.load(ty, at(ll, base, s), self.align)).collect();
        let mut width = rows.width;
        while width < self.lanes {
            let none = ll.poison(ll.type_of(parts[0]));
            if parts.len() % 2 == 1 {
                parts.push(none);
            }
            parts = parts.chunks(2).map(|p| ll.shuffle(p[0], p[1], (0..2 * width).map(Some))).collect();
            width *= 2;
        }
        let from: Vec<u32> = each.iter().map(|&c| rows.place(c, self.size)).collect();
        let in_order = (0..).zip(&from).all(|(n, &k): (u32, _)| n == k);
        if in_order { parts[0] } else { ll.shuffle(parts[0], parts[0], from.into_iter().map(Some)) }
    }

    fn store(&self, ll: &Ll<'_>, places: &Places, v: Val) {
        let addresses = match places {
            Places::Known(base, each) => {
                if let Some(rows) = Rows::of(each, self.size).filter(|rows| rows.fill(self.lanes)) {
                    return self.store_rows(ll, (*base, each), &rows, v);
                }
                each.iter().map(|&c| at(ll, *base, c)).collect::<Vec<_>>()
            }
            Places::Anywhere(addresses) => addresses.clone(),
        };
        // In the lanes' order: of lanes that meet, the last one's value stays.
        for (n, address) in (0..).zip(addresses) {
            ll.store(address, ll.lane(v, n), self.align);
        }
    }

    /// The lanes in the order of their places, and one store for each row.
    fn store_rows(&self, ll: &Ll<'_>, (base, each): (Val, &Each), rows: &Rows, v: Val) {
        let mut lane_at = vec![0; each.len()];
        for (n, &c) in (0..).zip(each) {
            lane_at[rows.place(c, self.size) as usize] = n;
        }
        let ordered = ll.shuffle(v, v, lane_at.into_iter().map(Some));
        for (k, &start) in (0..).zip(&rows.starts) {
            let row = (0..rows.width).map(|n| Some(k * rows.width + n));
            let row = if rows.width == self.lanes { ordered } else { ll.shuffle(ordered, ordered, row) };
            ll.store(at(ll, base, start), row, self.align);
        }
    }
}

/// An address, or one for each lane, and an index of elements behind it.
struct Sum {
    base: LLVMValueRef,
    index: LLVMValueRef,
    stride: LLVMTypeRef,
}

impl Sum {
    /// # Safety
    /// `p` is a value of a living module.
    unsafe fn of(p: LLVMValueRef) -> Option<Self> {
        // SAFETY: the caller's promise; a `getelementptr` with two operands has a pointer and an index.
        unsafe {
            let is_sum = !LLVMIsAInstruction(p).is_null()
                && LLVMGetInstructionOpcode(p) == LLVMOpcode::LLVMGetElementPtr
                && LLVMGetNumOperands(p) == 2;
            is_sum.then(|| Self {
                base: LLVMGetOperand(p, 0),
                index: LLVMGetOperand(p, 1),
                stride: LLVMGetGEPSourceElementType(p),
            })
        }
    }
}

/// Whether a pointer is one for all lanes.
///
/// # Safety
/// `p` is a value of a living module.
unsafe fn is_one(p: LLVMValueRef) -> bool {
    // SAFETY: the caller's promise.
    unsafe { LLVMGetTypeKind(LLVMTypeOf(p)) == LLVMTypeKind::LLVMPointerTypeKind }
}

/// The address that all lanes are known bytes behind. What is the same around a loop LLVM adds before it, so that the sums are
/// of vectors: `(base + offsets) + i`.
///
/// # Safety
/// `p` is a vector of pointers of a living module, of which `ll` stands behind.
unsafe fn known(ll: &Ll<'_>, p: LLVMValueRef, sums: u32) -> Option<(Val, Each)> {
    // SAFETY: the caller's promise; what a sum is made of stands before it.
    unsafe {
        let sum = Sum::of(p).filter(|_| sums > 0)?;
        let size = size_of(sum.stride)?;
        let ty = LLVMTypeOf(sum.index);
        let is_vector = LLVMGetTypeKind(ty) == LLVMTypeKind::LLVMVectorTypeKind;
        if !is_vector && is_one(sum.base) {
            return None;
        }
        // Narrower ones are extended after their sum has wrapped.
        let offsets = if is_vector { Some(Offsets::of(sum.index).filter(|_| bits_of(ty) == 64)?) } else { None };
        let lanes = LLVMGetVectorSize(LLVMTypeOf(p)) as usize;
        let (base, mut each) = match is_one(sum.base) {
            true => (Val(sum.base), std::iter::repeat_n(0, lanes).collect()),
            false => known(ll, sum.base, sums - 1)?,
        };
        let mut same = Val(sum.index);
        if let Some(offsets) = offsets {
            for (at, c) in each.iter_mut().zip(&offsets.each) {
                *at = c.checked_mul(size).and_then(|c| at.checked_add(c))?;
            }
            same = offsets.same.build(ll, bits_of(ty));
        }
        Some((ll.elements(base, Ty(sum.stride), same), each))
    }
}

/// An address and bytes.
fn at(ll: &Ll<'_>, base: Val, bytes: i64) -> Val {
    if bytes == 0 { base } else { ll.offset(base, ll.iconst(64, 1, bytes as u64), false) }
}

/// Bytes of what accesses and indices are of.
///
/// # Safety
/// `ty` is a type of a living context.
unsafe fn size_of(ty: LLVMTypeRef) -> Option<i64> {
    // SAFETY: the caller's promise.
    unsafe {
        match LLVMGetTypeKind(ty) {
            LLVMTypeKind::LLVMIntegerTypeKind => {
                let bits = i64::from(LLVMGetIntTypeWidth(ty));
                [8, 16, 32, 64].contains(&bits).then_some(bits / 8)
            }
            LLVMTypeKind::LLVMHalfTypeKind => Some(2),
            LLVMTypeKind::LLVMFloatTypeKind => Some(4),
            LLVMTypeKind::LLVMDoubleTypeKind | LLVMTypeKind::LLVMPointerTypeKind => Some(8),
            _ => None,
        }
    }
}

/// The lanes of an index of 64 bits. What was extended is extended lane by lane: it leaves narrower vectors.
///
/// Two of 32 bits taken out as one word are fewer instructions, and wrong: LLVM 19 takes the upper half of
/// `bitcast (xor (and v, 7), 1)` for zero, and leaves out the extension of the lower one.
///
/// # Safety
/// `index` is a vector of a living module.
unsafe fn indices(ll: &Ll<'_>, index: Val, lanes: u32) -> Vec<Val> {
    // SAFETY: the caller's promise; an extension has an operand.
    unsafe {
        let op =
            if LLVMIsAInstruction(index.0).is_null() { LLVMOpcode::LLVMAdd } else { LLVMGetInstructionOpcode(index.0) };
        let narrow = |n| ll.lane(Val(LLVMGetOperand(index.0, 0)), n);
        let long = ll.int(bits_of(LLVMTypeOf(index.0)), 1);
        let lane = |n| match op {
            LLVMOpcode::LLVMSExt => ll.sext(narrow(n), long),
            LLVMOpcode::LLVMZExt => ll.zext(narrow(n), long),
            _ => ll.lane(index, n),
        };
        (0..lanes).map(lane).collect()
    }
}

/// Rows of neighbours that all lanes lie in.
struct Rows {
    /// Elements of each.
    width: u32,
    /// Bytes at which they begin, upwards.
    starts: Vec<i64>,
    /// Places that lanes have.
    places: u32,
}

impl Rows {
    /// The widest rows that are together no longer than the lanes. Both ends of a row are some lane's, so that
    /// what lies between can be read, too.
    fn of(each: &Each, size: i64) -> Option<Self> {
        /// Bytes of a vector, less than which lie in a page or two, of which each end has one.
        const VECTOR: i64 = 64;
        let lanes = each.len() as u32;
        let mut places: Vec<i64> = each.to_vec();
        places.sort_unstable();
        places.dedup();
        let (low, high) = (*places.first()?, *places.last()?);
        let together = lanes.is_power_of_two()
            && high.checked_sub(low).is_some_and(|span| span < 1 << 30)
            && places.iter().all(|p| (p - low) % size == 0);
        if !together {
            return None;
        }
        let widths = std::iter::successors(Some(lanes), |w| Some(w / 2)).take_while(|&w| w >= 2);
        widths.filter(|&w| i64::from(w) * size <= VECTOR).find_map(|width| {
            let mut starts = Vec::new();
            let mut end = i64::MIN;
            for &p in places.iter() {
                if p < end {
                    continue;
                }
                places.binary_search(&(p + i64::from(width - 1) * size)).ok()?;
                starts.push(p);
                end = p + i64::from(width) * size;
            }
            (starts.len() as u32 * width <= lanes).then_some(Self { width, starts, places: places.len() as u32 })
        })
    }

    /// Whether each place of each row is one lane's.
    fn fill(&self, lanes: u32) -> bool {
        self.places == lanes && self.starts.len() as u32 * self.width == lanes
    }

    /// The element of all rows, side by side, that lies at these bytes.
    fn place(&self, bytes: i64, size: i64) -> u32 {
        let row = self.starts.partition_point(|&s| s <= bytes) - 1;
        row as u32 * self.width + ((bytes - self.starts[row]) / size) as u32
    }
}
