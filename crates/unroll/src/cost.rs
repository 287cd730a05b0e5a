//! What an instruction costs, in cicc's units.
//!
//! Measured on nvcc 13.5 by the size estimates of its remarks: one instruction at a time in a loop of known size.
//! Most cost 1. Divisions cost 4, double square roots too. Free are constants, block parameters, casts that vanish
//! (a truncation from 64 to 32 bits, the extension of a load or of a comparison), lanes of vectors, and what an
//! address folds in: scaling by the element size, and for shared memory the extension of the index, since addresses there
//! have 32 bits, unless an address elsewhere needs it, too. Loads and stores of private memory are free: their addresses are
//! not. A vector built to be stored counts as the stores of its lanes.
//!
//! The units are those of the loop as LLVM sees it before strength reduction: pointer arithmetic counts once per
//! variable offset, and branches count unless they would vanish when blocks are merged.

use crate::assembly;
use crate::reassociated::Reassociated;
use crate::sums::{self, Uses};
use cranelift_entity::SecondaryMap;
use ir::{AddrSpace, Block, Flags, Function, Inst, Intrinsic, Opcode, Type, Value};

/// Only scales by the size of what is accessed, or is the offset into a row of a declared array.
const SCALING: u16 = 1;
/// A step of an address inside a declared array before the last one.
const INNER_STEP: u16 = 2;
/// An extension that the measured form does without, or that is counted with its product.
const FREE_EXTENSION: u16 = 4;
/// An address that a variable was added to.
const STEP: u16 = 8;
/// A free extension that anything besides addresses uses.
const USED_ELSEWHERE: u16 = 16;
/// An address that is accessed itself, or stands for the first of the constant indices behind it.
const ACCESSED: u16 = 32;
/// The address of a piece of an object that is copied by one access.
const PIECE: u16 = 64;
/// The address of the first of these pieces, which counts for all of them.
const FIRST_PIECE: u16 = 128;
/// An address that is computed in the loop.
const OWN: u16 = 256;
/// An address that is stored to.
const STORED: u16 = 1024;
/// Deepest sum in which a term is looked for.
const MAX_TERMS: u32 = 16;
/// An operation that the measured form does without.
const GONE: u16 = 512;

/// How the values of one loop take part in its address computations; what their cost depends on.
///
/// Clean-up merges an index's factor with the element size, as in `sext(i) * 28` for `x[i * 7]` of 4-byte elements.
/// The measured sizes are those of the form before, `sext(i * 7) * 4`; so such a product counts as the product of the
/// index and its extension, and the extension inside it is free.
///
/// One table serves the loops of a function in turn.
#[derive(Default)]
pub struct Users {
    notes: SecondaryMap<Value, Note>,
    /// Values with a note, to be forgotten when the next loop is looked at.
    noted: Vec<Value>,
    addresses: Vec<Address>,
    uses: Uses,
    reassociated: Reassociated,
    /// Addresses that count a constant in their index.
    shifted: Vec<Shifted>,
    /// Addresses whose base has a variable offset in the memory of a group, and their index.
    based: Vec<(Value, Value)>,
    /// As for sm_100 and later: pieces of a copied object count each, members' addresses nothing, and sums, products and logic of 64
    /// bits twice.
    pub(crate) newer: bool,
}

/// What is known about a value; nothing about most.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Note {
    /// [`SCALING`] and the like.
    roles: u16,
    /// Of a product of an index and a factor beside the element size, and of an address whose index is a sum: the cost of
    /// its measured form. 0 if it is neither.
    product: u8,
    /// Bytes accessed through an address, by the first access or the next address in a chain. 0 if unknown.
    size: u32,
}

impl Note {
    fn is(self, role: u16) -> bool {
        self.roles & role != 0
    }
}

/// An address that counts a constant in its index.
struct Shifted {
    result: Value,
    /// The address without the constant.
    base: Value,
    /// The rest of the index.
    index: Value,
    /// One is subtracted.
    minus_one: bool,
}

/// An address computation and what is known about it.
struct Address {
    result: Value,
    base: Value,
    offset: Value,
    /// The offset is no constant.
    variable: bool,
    /// The offset is a constant and that of a member, or of an element whose own index is a constant; others were part
    /// of an index, as in `x[i + 5]`.
    member: bool,
}

impl Users {
    /// Looks at the address computations in `blocks`, and forgets all others, which were of the same function. Cost:
    /// linear; the first time also in the values of the function.
    pub fn look_at(&mut self, func: &Function, blocks: &[Block]) {
        if self.notes.capacity() == 0 {
            self.notes = ir::side_table(func.dfg.values.len());
        }
        for v in self.noted.drain(..) {
            self.notes[v] = Note::default();
        }
        let mut addresses = std::mem::take(&mut self.addresses);
        addresses.clear();
        for &b in blocks {
            for i in func.layout.insts(b) {
                let whole = match func.dfg.op(i) {
                    Opcode::Load => !self.newer,
                    op => op == Opcode::Store,
                };
                let piece = whole && func.dfg.insts[i].flags.has(Flags::PIECE);
                let size = match func.dfg.op(i) {
                    Opcode::PtrAdd => {
                        let (base, offset) = (func.dfg.arg(i, 0), func.dfg.arg(i, 1));
                        let variable = func.dfg.as_bits(offset).is_none();
                        let member = !variable && is_member(func, i);
                        addresses.push(Address { result: func.dfg.res(i), base, offset, variable, member });
                        continue;
                    }
                    Opcode::Load => func.dfg.insts[i].ty.bytes(),
                    Opcode::Store | Opcode::AtomicRmw | Opcode::AtomicCas => func.dfg.ty(func.dfg.arg(i, 1)).bytes(),
                    _ => continue,
                };
                self.accessed(func.dfg.arg(i, 0), size);
                let stored = if func.dfg.op(i) == Opcode::Store { STORED } else { 0 };
                self.add_role(func.dfg.arg(i, 0), stored | if piece { PIECE } else { ACCESSED });
            }
        }
        self.trace(func, &addresses);
        self.addresses = addresses;
        self.keep_what_only_addresses_use(func, blocks);
        self.reassociate(func, blocks);
    }

    /// Sums and products count as in the [measured form](crate::reassociated).
    fn reassociate(&mut self, func: &Function, blocks: &[Block]) {
        let notes = &self.notes;
        let whole = |v: Value| notes[v].is(SCALING) || notes[v].product > 0;
        let weight = if self.newer { 2 } else { 1 };
        for (v, size) in self.reassociated.sizes(func, blocks, weight, whole) {
            match u8::try_from(size).unwrap_or(u8::MAX) {
                0 => self.add_role(v, GONE),
                n => self.note(v).product = n,
            }
        }
        let mut shifted = std::mem::take(&mut self.shifted);
        for s in shifted.drain(..) {
            if self.reassociated.takes_a_constant(func, s.index, s.minus_one, MAX_TERMS) {
                self.add_role(s.result, GONE);
            }
        }
        self.shifted = shifted;
        // Offsets in the memory of a group have 32 bits, as indices have: one sum with all that is known before the loop.
        let mut based = std::mem::take(&mut self.based);
        for (address, index) in based.drain(..) {
            if self.reassociated.takes_a_constant(func, index, false, MAX_TERMS) {
                self.note(address).product = 0;
            }
        }
        self.based = based;
    }

    /// Finds out what the values below addresses are for.
    fn trace(&mut self, func: &Function, addresses: &[Address]) {
        // From the last address of a chain to the first: each hands on the size of what is accessed through it.
        for a in addresses.iter().rev() {
            let size = self.notes[a.result].size;
            self.accessed(a.base, size);
        }
        let variable = || addresses.iter().filter(|a| a.variable);
        for a in variable() {
            self.add_role(a.result, STEP);
        }
        for a in addresses {
            self.add_role(a.result, OWN);
        }
        for a in variable() {
            if self.notes[a.base].is(STEP) && (root(func, a.base) || inside(func, a)) {
                self.add_role(a.base, INNER_STEP);
            }
        }
        for a in variable() {
            self.offset(func, a);
            if let Some(outer) = self.base_before(func, a) {
                let extra = sums::extra(func, &mut self.uses, a.base, outer, self.newer);
                if extra > 0 {
                    self.note(a.result).product = 1 + extra;
                }
                if !self.newer && func.dfg.ty(a.base).space() == Some(AddrSpace::Shared) {
                    self.based.push((a.result, scaled(func, a.offset).map_or(a.offset, |s| s.0)));
                }
            }
        }
        for a in addresses.iter().filter(|a| !a.variable) {
            let note = self.notes[a.result];
            let step = self.notes[a.base].is(STEP);
            // Newer compilers add constants to addresses last, where they fold into the access.
            if self.newer && (a.member || root(func, a.base)) {
                continue;
            }
            if note.is(PIECE) && !note.is(ACCESSED) {
                self.piece(a);
            } else if step && a.member {
                self.member(func, a);
            } else if step {
                self.constant_index(func, a);
            }
        }
    }

    fn note(&mut self, v: Value) -> &mut Note {
        let note = &mut self.notes[v];
        if *note == Note::default() {
            self.noted.push(v);
        }
        note
    }

    fn add_role(&mut self, v: Value, role: u16) {
        self.note(v).roles |= role;
    }

    fn accessed(&mut self, address: Value, size: u32) {
        if size > 0 && self.notes[address].size == 0 {
            self.note(address).size = size;
        }
    }

    fn offset(&mut self, func: &Function, a: &Address) {
        let Note { size, .. } = self.notes[a.result];
        let narrow = func.dfg.ty(a.base).space() == Some(AddrSpace::Shared);
        let mut index = a.offset;
        if let Some(inner) = element(func, a.offset) {
            self.add_role(a.offset, SCALING);
            index = inner.0;
        } else if let Some((inner, factor)) = scaled(func, a.offset) {
            let row = self.notes[a.result].is(INNER_STEP);
            let rest = if size == 0 || factor % u64::from(size) != 0 { 1 } else { factor / u64::from(size) };
            index = inner;
            if row || rest == 1 {
                self.add_role(a.offset, SCALING);
            } else {
                let extended = extends(func, index);
                self.note(a.offset).product = 1 + u8::from(extended && !narrow);
                if extended {
                    self.add_role(index, FREE_EXTENSION);
                }
                return;
            }
        }
        if narrow && extends(func, index) {
            self.add_role(index, FREE_EXTENSION);
        }
    }

    /// The offset of an address's base, if that is a variable one that was added before the loop, and both count elements of
    /// one type: the [index is a sum](sums) in the measured form.
    fn base_before(&self, func: &Function, a: &Address) -> Option<Value> {
        let outer = func.dfg.arg(func.dfg.def_op(a.base, Opcode::PtrAdd)?, 1);
        let size = self.notes[a.result].size;
        let elements = |offset: Value| match (element(func, offset), scaled(func, offset)) {
            (Some((_, n)), _) => n,
            (None, Some((_, n))) if size > 0 && n % u64::from(size) == 0 => size.into(),
            _ => 1,
        };
        let alike = func.dfg.as_bits(outer).is_none() && elements(outer) == elements(a.offset);
        (alike && !self.notes[a.base].is(OWN)).then_some(outer)
    }

    /// Clean-up takes constants out of indices, `base + sext(i + 5) * 4` becomes `(base + sext(i) * 4) + 20`. The
    /// measured form has the sum, and for all but one address of a base an extension and an address of their own.
    /// The sum costs nothing where it is the next value of the counter.
    fn constant_index(&mut self, func: &Function, a: &Address) {
        let Some(step) = func.dfg.def_op(a.base, Opcode::PtrAdd) else { return };
        let offset = func.dfg.arg(step, 1);
        let (index, factor) = scaled(func, offset).unwrap_or((offset, 1));
        let narrow = func.dfg.ty(a.base).space() == Some(AddrSpace::Shared);
        let next = func.dfg.as_bits(a.offset) == Some(factor) && counter(func, index);
        // In the memory of a group the constant is added to what the base has before the loop.
        let based = !self.newer && narrow && self.notes[a.base].product > 1;
        let again = self.notes[a.base].is(ACCESSED) || self.notes[a.base].is(INNER_STEP);
        let sum = u8::from(!next && (again || !based));
        let own = if again {
            let sums = if based { 0 } else { self.notes[a.base].product.saturating_sub(1) };
            1 + u8::from(extends(func, index) && !narrow) + sums
        } else {
            0
        };
        // The extension of what was loaded goes into the load, but that of a sum with it does not.
        let summed = sum > 0 && own == 0 && !narrow && extends_load(func, index);
        self.note(a.result).product = sum + own + u8::from(summed);
        if sum > 0 && own == 0 {
            let minus_one = func.dfg.as_bits(a.offset).is_some_and(|n| n == factor.wrapping_neg());
            self.shifted.push(Shifted { result: a.result, base: a.base, index, minus_one });
        } else if own > 0 {
            // An index that several addresses add constants to is computed for itself.
            self.shifted.retain(|s| s.base != a.base);
        }
        if !self.notes[a.base].is(INNER_STEP) {
            self.add_role(a.base, ACCESSED);
        }
    }

    /// Each member of an element has an address of its own; that of the element counts for one of them. Where a larger object
    /// than an element is stored, as in `*(float4 *)(a + i) = v`, an address counts the step behind the element, too.
    fn member(&mut self, func: &Function, a: &Address) {
        let base = self.notes[a.base];
        if base.is(ACCESSED) || base.is(INNER_STEP) {
            let beyond = self.notes[a.result].is(STORED) && is_beyond_the_element(func, a);
            self.note(a.result).product = 1 + u8::from(beyond);
        } else {
            self.add_role(a.base, ACCESSED);
        }
    }

    /// All pieces of a copied object are one access at the object's address.
    fn piece(&mut self, a: &Address) {
        if !self.notes[a.base].is(ACCESSED) {
            self.add_role(a.result, FIRST_PIECE);
            self.add_role(a.base, ACCESSED);
        }
    }

    /// What anything else uses as well is computed for that.
    fn keep_what_only_addresses_use(&mut self, func: &Function, blocks: &[Block]) {
        if !self.noted.iter().any(|&v| self.notes[v].is(FREE_EXTENSION)) {
            return;
        }
        for i in blocks.iter().flat_map(|&b| func.layout.insts(b)) {
            let Some(v) = func.dfg.result(i) else {
                func.dfg.for_each_use(i, |u| self.used_elsewhere(u));
                continue;
            };
            let note = self.notes[v];
            if func.dfg.op(i) == Opcode::PtrAdd {
                self.used_elsewhere(func.dfg.arg(i, 0));
                // An extension that is itself the offset of a wide address, or scaled for one, is needed as it is.
                if func.dfg.ty(v).space() != Some(AddrSpace::Shared) {
                    let offset = func.dfg.arg(i, 1);
                    self.used_elsewhere(offset);
                    if self.notes[offset].is(SCALING) {
                        func.dfg.def_inst(offset).into_iter().for_each(|i| self.used_elsewhere(func.dfg.arg(i, 0)));
                    }
                }
            } else if note.product == 0 && !note.is(SCALING) {
                func.dfg.args(i).iter().for_each(|&u| self.used_elsewhere(u));
            }
        }
        for &v in &self.noted {
            let note = &mut self.notes[v];
            if note.is(USED_ELSEWHERE) && !note.is(SCALING) && note.product == 0 {
                note.roles &= !FREE_EXTENSION;
            }
        }
    }

    fn used_elsewhere(&mut self, v: Value) {
        if self.notes[v].is(FREE_EXTENSION) {
            self.notes[v].roles |= USED_ELSEWHERE;
        }
    }
}

/// Whether a constant offset is that of a member, or of an element with a constant index of its own, and no part of another
/// index.
pub(crate) fn is_member(func: &Function, i: Inst) -> bool {
    !func.dfg.insts[i].flags.common(Flags::INBOUNDS | Flags::MEMBER).is_empty()
}

/// Whether a constant offset leads past the element to which its base's index leads.
fn is_beyond_the_element(func: &Function, a: &Address) -> bool {
    let index = func.dfg.def_op(a.base, Opcode::PtrAdd).map(|i| func.dfg.arg(i, 1));
    let size = index.and_then(|v| element(func, v)).map_or(u64::MAX, |(_, size)| size);
    func.dfg.as_bits(a.offset).is_some_and(|n| n >= size)
}

/// Whether an address lies in a declared array.
fn root(func: &Function, mut v: Value) -> bool {
    for _ in 0..16 {
        match func.dfg.def(v) {
            ir::ValueDef::Const(ir::ConstKind::Slot(_) | ir::ConstKind::Global(_)) => return true,
            ir::ValueDef::Inst(i) if matches!(func.dfg.op(i), Opcode::PtrAdd | Opcode::AddrSpaceCast) => {
                v = func.dfg.arg(i, 0);
            }
            _ => return false,
        }
    }
    false
}

/// The index and the size of `index * size of an element`.
fn element(func: &Function, offset: Value) -> Option<(Value, u64)> {
    let i = func.dfg.def_inst(offset)?;
    if func.dfg.insts[i].flags.has(Flags::SCALES) { scaled(func, offset) } else { None }
}

/// Whether an address is that of an element inside of the element that its base is the address of, as in `p[i].row[j]`:
/// the measured form has one address for both.
fn inside(func: &Function, a: &Address) -> bool {
    let step = func.dfg.def_inst(a.base).map(|i| func.dfg.arg(i, 1));
    let (Some(outer), Some(inner)) = (step.and_then(|s| element(func, s)), element(func, a.offset)) else {
        return false;
    };
    inner.1 < outer.1
}

/// Whether an index is a block parameter, perhaps extended, to which one is added: a loop's counter.
fn counter(func: &Function, v: Value) -> bool {
    let v = if extends(func, v) { func.dfg.def_inst(v).map_or(v, |i| func.dfg.arg(i, 0)) } else { v };
    let ir::ValueDef::Param(block, _) = func.dfg.def(v) else { return false };
    let next = |i: Inst| {
        func.dfg.op(i) == Opcode::Add && func.dfg.arg(i, 0) == v && func.dfg.as_bits(func.dfg.arg(i, 1)) == Some(1)
    };
    func.layout.insts(block).any(next)
}

fn is_private(func: &Function, pointer: Value) -> bool {
    func.dfg.ty(pointer).space() == Some(AddrSpace::Private)
}

fn extends(func: &Function, v: Value) -> bool {
    let Some(i) = func.dfg.def_inst(v) else { return false };
    matches!(func.dfg.op(i), Opcode::SExt | Opcode::ZExt) && func.dfg.ty(v) == Type::I64
}

/// Whether a value is the extension of what was loaded.
fn extends_load(func: &Function, v: Value) -> bool {
    extends(func, v)
        && func.dfg.def_inst(v).is_some_and(|i| func.dfg.def_op(func.dfg.arg(i, 0), Opcode::Load).is_some())
}

/// `x` and the factor of `x * constant` or `x << constant`.
fn scaled(func: &Function, v: Value) -> Option<(Value, u64)> {
    let i = func.dfg.def_inst(v)?;
    let constant = func.dfg.as_bits(*func.dfg.args(i).get(1)?)?;
    let factor = match func.dfg.op(i) {
        Opcode::Mul => constant,
        Opcode::Shl => 1u64.checked_shl(u32::try_from(constant).ok()?)?,
        _ => return None,
    };
    Some((func.dfg.arg(i, 0), factor))
}

/// Cost of a division or of what is implemented by one.
pub const DIVISION_COST: u32 = 4;

/// What `inst` costs. `preds` gives the number of branches to a block.
pub fn inst_cost(func: &Function, users: &Users, inst: Inst, preds: impl Fn(Block) -> usize) -> u32 {
    if let Some(size) = func.dfg.counted(inst) {
        return size.into();
    }
    let data = &func.dfg.insts[inst];
    let note = func.dfg.result(inst).map_or(Note::default(), |v| users.notes[v]);
    if note.is(SCALING | GONE) || note.is(INNER_STEP) && !note.is(ACCESSED) {
        return 0;
    }
    if note.product > 0 {
        return note.product.into();
    }
    if let Some(cost) = assembly::cost(func, users.newer, inst) {
        return cost;
    }
    let lanes = u32::from(data.ty.lanes().max(1));
    match data.op {
        Opcode::SDiv | Opcode::UDiv | Opcode::SRem | Opcode::URem | Opcode::FDiv | Opcode::FRem => {
            DIVISION_COST * lanes
        }
        // For sm_100 and later the root is one operation (measured as in `library.rs`).
        Opcode::FSqrt if data.ty.scalar() == Type::F64 && !users.newer => DIVISION_COST * lanes,
        Opcode::SMin | Opcode::SMax | Opcode::UMin | Opcode::UMax if !users.newer => 2 * lanes,
        Opcode::Abs => 3 * lanes,
        Opcode::Add | Opcode::Mul | Opcode::And | Opcode::Or | Opcode::Xor
            if users.newer && data.ty.scalar() == Type::I64 =>
        {
            2 * lanes
        }
        Opcode::Trunc if is_narrowed(func, func.dfg.arg(inst, 0), data.ty, users.newer) => 0,
        op if op.is_cast() => cast_cost(func, note, inst),
        Opcode::PtrAdd => address_cost(func, inst),
        Opcode::Load | Opcode::Store if is_private(func, func.dfg.arg(inst, 0)) => parts(func, users, inst),
        Opcode::Store => store_cost(func, users, inst),
        Opcode::VecBuild | Opcode::Extract | Opcode::Insert | Opcode::Assume | Opcode::Provable => 0,
        Opcode::Call => 1 + func.dfg.args(inst).len() as u32,
        Opcode::Intrinsic => intrinsic_cost(func, inst),
        Opcode::Jump if users.newer && leaves_a_chosen_quotient(func, inst, &preds) => 0,
        Opcode::Jump => u32::from(is_apart(func, inst) || !vanishes(func, inst, preds)),
        Opcode::Load => load_cost(func, users, inst),
        Opcode::MemCpy => {
            let sides: u32 = (0..2).map(|n| u32::from(!is_private(func, func.dfg.arg(inst, n)))).sum();
            sides * parts(func, users, inst).max(1)
        }
        Opcode::Shuffle | Opcode::Br | Opcode::Switch => 1,
        op if op.is_pure() => lanes,
        _ => 1,
    }
}

/// Instructions of the measured form that `inst` stands for: what it [costs](inst_cost), but for what costs more or less than one.
pub fn instructions(func: &Function, users: &Users, inst: Inst, preds: impl Fn(Block) -> usize) -> u32 {
    let cost = inst_cost(func, users, inst, preds);
    let data = &func.dfg.insts[inst];
    match data.op {
        Opcode::ZExt | Opcode::SExt if func.dfg.def_op(func.dfg.arg(inst, 0), Opcode::Load).is_some() => 1,
        Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::And | Opcode::Or | Opcode::Xor if data.ty == Type::I64 => {
            cost.div_ceil(2)
        }
        Opcode::Call | Opcode::Intrinsic | Opcode::InlineAsm => 1,
        Opcode::SDiv | Opcode::UDiv | Opcode::SRem | Opcode::URem | Opcode::FDiv | Opcode::FRem => cost.min(1),
        Opcode::FSqrt | Opcode::Abs | Opcode::SMin | Opcode::SMax | Opcode::UMin | Opcode::UMax => cost.min(1),
        _ => cost,
    }
}

fn cast_cost(func: &Function, note: Note, inst: Inst) -> u32 {
    let data = &func.dfg.insts[inst];
    let arg = func.dfg.arg(inst, 0);
    let from = func.dfg.ty(arg);
    let lanes = u32::from(data.ty.lanes().max(1));
    let made_by = func.dfg.def_inst(arg).map(|i| func.dfg.op(i));
    match data.op {
        Opcode::Trunc if from == Type::I64 && data.ty == Type::I32 => 0,
        Opcode::ZExt | Opcode::SExt => {
            let folds = matches!(made_by, Some(Opcode::Load | Opcode::Icmp | Opcode::Fcmp));
            if note.is(FREE_EXTENSION) || folds { 0 } else { lanes }
        }
        Opcode::Bitcast => u32::from(from.is_float() != data.ty.is_float()),
        Opcode::PtrToInt | Opcode::IntToPtr | Opcode::AddrSpaceCast => 0,
        _ => lanes,
    }
}

/// Most operations between a truncation and the extensions that it undoes.
const MAX_NARROWED: u32 = 4;

/// Whether what is truncated to `to` was computed of extended values (`(uint8_t)(bytes[i] >> 4)`): the measured form computes it in
/// the narrow type.
fn is_narrowed(func: &Function, v: Value, to: Type, newer: bool) -> bool {
    let mut extended = false;
    to.is_int() && !to.is_vector() && computes_narrow(func, v, to, newer, 0, &mut extended) && extended
}

fn computes_narrow(func: &Function, v: Value, to: Type, newer: bool, depth: u32, extended: &mut bool) -> bool {
    let i = match func.dfg.def(v) {
        ir::ValueDef::Inst(i) => i,
        // Arguments are truncated before the loop.
        ir::ValueDef::Param(b, _) => return b == func.layout.entry() && depth > 0,
        _ => return func.dfg.as_bits(v).is_some(),
    };
    let by_constant = || func.dfg.as_bits(func.dfg.arg(i, 1)).is_some_and(|n| n < to.bits().into());
    let mut args = |n: usize| {
        depth < MAX_NARROWED
            && func.dfg.args(i)[..n].iter().all(|&a| computes_narrow(func, a, to, newer, depth + 1, extended))
    };
    match func.dfg.op(i) {
        Opcode::ZExt | Opcode::SExt => {
            *extended = true;
            depth > 0 && func.dfg.ty(func.dfg.arg(i, 0)).bits() <= to.bits()
        }
        Opcode::And | Opcode::Or | Opcode::Xor | Opcode::Add | Opcode::Sub | Opcode::Mul => args(2),
        Opcode::Shl => by_constant() && args(1),
        // What is shifted in must be the zeros of the extension.
        Opcode::LShr => {
            let from =
                func.dfg.def_op(func.dfg.arg(i, 0), Opcode::ZExt).map(|e| func.dfg.ty(func.dfg.arg(e, 0)).bits());
            *extended |= from.is_some();
            from.is_some_and(|n| newer || n <= to.bits()) && func.dfg.as_bits(func.dfg.arg(i, 1)).is_some()
        }
        _ => false,
    }
}

/// A constant offset folds into the access, unless the pointer below it was itself computed.
fn address_cost(func: &Function, inst: Inst) -> u32 {
    u32::from(func.dfg.as_bits(func.dfg.arg(inst, 1)).is_none())
}

fn load_cost(func: &Function, users: &Users, inst: Inst) -> u32 {
    let address = users.notes[func.dfg.arg(inst, 0)];
    if func.dfg.insts[inst].flags.has(Flags::AGAIN) {
        return 0;
    }
    if let n @ 1.. = parts(func, users, inst) {
        return n;
    }
    let counted = !func.dfg.insts[inst].flags.has(Flags::PIECE) || address.is(FIRST_PIECE | ACCESSED);
    u32::from(counted)
}

/// Newer compilers copy objects scalar by scalar until loops are decided.
fn parts(func: &Function, users: &Users, inst: Inst) -> u32 {
    if users.newer { func.dfg.parts(inst).into() } else { 0 }
}

fn store_cost(func: &Function, users: &Users, inst: Inst) -> u32 {
    if let n @ 1.. = parts(func, users, inst) {
        return n;
    }
    if func.dfg.insts[inst].flags.has(Flags::PIECE) {
        return u32::from(users.notes[func.dfg.arg(inst, 0)].is(FIRST_PIECE | ACCESSED));
    }
    let value = func.dfg.arg(inst, 1);
    let built = func.dfg.def_op(value, Opcode::VecBuild).is_some();
    if built { (2 * u32::from(func.dfg.ty(value).lanes())).saturating_sub(1) } else { 1 }
}

fn intrinsic_cost(func: &Function, inst: Inst) -> u32 {
    use Intrinsic::{DivFull, RcpRn, ShflBfly, ShflDown, ShflIdx, ShflUp};
    let data = &func.dfg.insts[inst];
    match data.intrinsic() {
        // A float travels as an integer: two bit casts.
        Some(ShflIdx | ShflUp | ShflDown | ShflBfly) if data.ty.is_float() => 3,
        Some(DivFull | RcpRn) => DIVISION_COST,
        _ => 1,
    }
}

/// Whether merging blocks would remove a jump: its block holds nothing else, or nobody else goes where it goes.
pub(crate) fn is_apart(func: &Function, inst: Inst) -> bool {
    func.dfg.op(inst) == Opcode::Jump && func.dfg.insts[inst].flags.has(Flags::APART)
}

fn vanishes(func: &Function, inst: Inst, preds: impl Fn(Block) -> usize) -> bool {
    let target = func.dfg.successor(inst, 0);
    let alone = func.layout.inst_block(inst).and_then(|b| func.layout.first_inst(b)) == Some(inst);
    alone || preds(target) <= 1
}

/// Whether a jump leaves a block that only divides, for a value that the branch before it chooses: `c ? a / b : 1.0f`. One dear
/// operation may be computed needlessly, for a select in place of the branch.
fn leaves_a_chosen_quotient(func: &Function, inst: Inst, preds: &impl Fn(Block) -> usize) -> bool {
    let target = func.dfg.successor(inst, 0);
    let Some(block) = func.layout.inst_block(inst).filter(|&b| preds(b) == 1 && preds(target) == 2) else {
        return false;
    };
    let mut insts = func.layout.insts(block);
    let divides = insts.next().is_some_and(|i| func.dfg.op(i) == Opcode::FDiv) && insts.next() == Some(inst);
    divides && func.layout.blocks().any(|b| func.succs(b).any(|s| s == block) && func.succs(b).any(|s| s == target))
}
