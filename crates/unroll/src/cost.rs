//! What an instruction costs, in the measured compiler's units.
//!
//! Measured on nvcc 13.5 by the size estimates of its remarks: one instruction at a time in a loop of known size.
//! Most cost 1. Divisions cost 4, double square roots too. Free are constants, block parameters, casts that vanish
//! (a truncation from 64 to 32 bits, the extension of a load or of a comparison), lanes of vectors, and what an
//! address folds in: scaling by the element size, and for shared and private memory the extension of the index,
//! since addresses there have 32 bits. A vector built to be stored counts as the stores of its lanes.
//!
//! The units are those of the loop as LLVM sees it before strength reduction: pointer arithmetic counts once per
//! variable offset, and branches count unless they would vanish when blocks are merged.

use ir::{AddrSpace, Block, Function, Inst, Intrinsic, Opcode, Type, Value};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

/// How the values of one loop take part in its address computations; what their cost depends on.
///
/// Clean-up merges an index's factor with the element size, as in `sext(i) * 28` for `x[i * 7]` of 4-byte elements.
/// The measured sizes are those of the form before, `sext(i * 7) * 4`; so such a product counts as the product of the
/// index and its extension, and the extension inside it is free.
#[derive(Default)]
pub struct Users {
    /// Products that only scale by the size of what is accessed, and offsets into rows of declared arrays.
    scaling: FxHashSet<Value>,
    /// Products of an index and a factor beside the element size, with the cost of their measured form.
    products: FxHashMap<Value, u32>,
    /// Extensions that the measured form does without, or that are counted with their product.
    free_extensions: FxHashSet<Value>,
    /// Steps of an address inside a declared array before the last one.
    inner_steps: FxHashSet<Value>,
    /// The values in any of these sets, and some others: few values are, and everybody asks about every value.
    perhaps: Sieve,
}

/// Number of words of a [`Sieve`].
const SIEVE: usize = 32;

/// A set of values that may answer yes for values not in it. Asking costs a fifth of a look into a hash table.
#[derive(Default)]
struct Sieve([u64; SIEVE]);

impl Sieve {
    fn insert(&mut self, v: Value) {
        let n = v.as_u32() as usize;
        self.0[n / 64 % SIEVE] |= 1 << (n % 64);
    }

    fn contains(&self, v: Value) -> bool {
        let n = v.as_u32() as usize;
        self.0[n / 64 % SIEVE] >> (n % 64) & 1 == 1
    }
}

/// An address computation and what is known about it.
struct Address {
    result: Value,
    base: Value,
    offset: Value,
}

impl Users {
    /// Looks at the address computations in `blocks`. Cost: linear.
    pub fn new(func: &Function, blocks: &[Block]) -> Self {
        let mut found = Self::default();
        let mut addresses: Vec<Address> = Vec::new();
        let mut accessed: FxHashMap<Value, u32> = FxHashMap::with_capacity_and_hasher(32, FxBuildHasher);
        for &b in blocks {
            for i in func.layout.insts(b) {
                let size = match func.dfg.op(i) {
                    Opcode::PtrAdd => {
                        let (base, offset) = (func.dfg.arg(i, 0), func.dfg.arg(i, 1));
                        addresses.push(Address { result: func.dfg.res(i), base, offset });
                        continue;
                    }
                    Opcode::Load => func.dfg.insts[i].ty.bytes(),
                    Opcode::Store | Opcode::AtomicRmw | Opcode::AtomicCas => func.dfg.ty(func.dfg.arg(i, 1)).bytes(),
                    _ => continue,
                };
                accessed.entry(func.dfg.arg(i, 0)).or_insert(size);
            }
        }
        if addresses.is_empty() {
            return found;
        }
        // From the last address of a chain to the first: each hands on the size of what is accessed through it.
        for a in addresses.iter().rev() {
            if let Some(&size) = accessed.get(&a.result) {
                accessed.entry(a.base).or_insert(size);
            }
        }
        let variable = |v: Value| func.dfg.as_bits(v).is_none();
        let is_step = |v: Value| func.dfg.def_op(v, Opcode::PtrAdd).is_some_and(|i| variable(func.dfg.arg(i, 1)));
        if addresses.iter().any(|a| variable(a.offset) && is_step(a.base)) {
            let steps: FxHashSet<Value> = addresses.iter().filter(|a| variable(a.offset)).map(|a| a.result).collect();
            for a in addresses.iter().filter(|a| variable(a.offset)) {
                if steps.contains(&a.base) && root(func, a.base) {
                    found.inner_steps.insert(a.base);
                }
            }
        }
        for a in addresses.iter().filter(|a| variable(a.offset)) {
            let size = accessed.get(&a.result).copied().unwrap_or(0);
            found.offset(func, a, size);
        }
        let products =
            found.products.keys().chain(&found.scaling).chain(&found.inner_steps).chain(&found.free_extensions);
        products.for_each(|&v| found.perhaps.insert(v));
        found.keep_what_only_addresses_use(func, blocks);
        found
    }

    fn is_scaling(&self, v: Value) -> bool {
        self.perhaps.contains(v) && self.scaling.contains(&v)
    }

    fn product(&self, v: Value) -> Option<u32> {
        if self.perhaps.contains(v) { self.products.get(&v).copied() } else { None }
    }

    fn is_free_extension(&self, v: Value) -> bool {
        self.perhaps.contains(v) && self.free_extensions.contains(&v)
    }

    fn is_inner_step(&self, v: Value) -> bool {
        self.perhaps.contains(v) && self.inner_steps.contains(&v)
    }

    fn offset(&mut self, func: &Function, a: &Address, size: u32) {
        let narrow = matches!(func.dfg.ty(a.base).space(), Some(AddrSpace::Shared | AddrSpace::Private));
        let mut index = a.offset;
        if let Some((inner, factor)) = scaled(func, a.offset) {
            let row = self.inner_steps.contains(&a.result);
            let rest = if size == 0 || factor % u64::from(size) != 0 { 1 } else { factor / u64::from(size) };
            index = inner;
            if row || rest == 1 {
                self.scaling.insert(a.offset);
            } else {
                let extended = extends(func, index);
                self.products.insert(a.offset, 1 + u32::from(extended && !narrow));
                if extended {
                    self.free_extensions.insert(index);
                }
                return;
            }
        }
        if narrow && extends(func, index) {
            self.free_extensions.insert(index);
        }
    }

    /// What anything else uses as well is computed for that.
    fn keep_what_only_addresses_use(&mut self, func: &Function, blocks: &[Block]) {
        if self.free_extensions.is_empty() {
            return;
        }
        let mut other = Others { users: self, found: FxHashSet::default() };
        for &b in blocks {
            for i in func.layout.insts(b) {
                let Some(v) = func.dfg.result(i) else {
                    func.dfg.for_each_use(i, |v| {
                        other.insert(v);
                    });
                    continue;
                };
                if func.dfg.op(i) == Opcode::PtrAdd {
                    other.insert(func.dfg.arg(i, 0));
                    // An extension that is itself the offset of a wide address is needed as it is.
                    let wide = !matches!(func.dfg.ty(v).space(), Some(AddrSpace::Shared | AddrSpace::Private));
                    if wide {
                        other.insert(func.dfg.arg(i, 1));
                    }
                } else if self.is_scaling(v) {
                    let narrow = self.free_extensions.contains(&func.dfg.arg(i, 0));
                    if !narrow {
                        other.insert(func.dfg.arg(i, 0));
                    }
                } else if self.product(v).is_none() {
                    func.dfg.for_each_use(i, |u| {
                        other.insert(u);
                    });
                }
            }
        }
        let offsets: FxHashSet<Value> = self.scaling.iter().chain(self.products.keys()).copied().collect();
        let other = other.found;
        self.free_extensions.retain(|v| !other.contains(v) || offsets.contains(v));
    }
}

/// Which of the free extensions have other users.
struct Others<'a> {
    users: &'a Users,
    found: FxHashSet<Value>,
}

impl Others<'_> {
    fn insert(&mut self, v: Value) {
        if self.users.is_free_extension(v) {
            self.found.insert(v);
        }
    }
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

fn extends(func: &Function, v: Value) -> bool {
    let Some(i) = func.dfg.def_inst(v) else { return false };
    matches!(func.dfg.op(i), Opcode::SExt | Opcode::ZExt) && func.dfg.ty(v) == Type::I64
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
    let data = &func.dfg.insts[inst];
    let lanes = u32::from(data.ty.lanes().max(1));
    let result = func.dfg.result(inst);
    match data.op {
        _ if result.is_some_and(|v| users.is_scaling(v) || users.is_inner_step(v)) => 0,
        Opcode::Mul | Opcode::Shl if result.is_some_and(|v| users.product(v).is_some()) => {
            result.and_then(|v| users.product(v)).unwrap_or(1)
        }
        Opcode::SDiv | Opcode::UDiv | Opcode::SRem | Opcode::URem | Opcode::FDiv | Opcode::FRem => {
            DIVISION_COST * lanes
        }
        Opcode::FSqrt if data.ty.scalar() == Type::F64 => DIVISION_COST * lanes,
        Opcode::SMin | Opcode::SMax | Opcode::UMin | Opcode::UMax => 2 * lanes,
        Opcode::Abs => 3 * lanes,
        op if op.is_cast() => cast_cost(func, users, inst),
        Opcode::PtrAdd => address_cost(func, inst),
        Opcode::Store => store_cost(func, inst),
        Opcode::VecBuild | Opcode::Extract | Opcode::Insert | Opcode::Assume | Opcode::Provable => 0,
        Opcode::Call => 1 + func.dfg.args(inst).len() as u32,
        Opcode::Intrinsic => intrinsic_cost(func, inst),
        Opcode::Jump => u32::from(!vanishes(func, inst, preds)),
        Opcode::Load | Opcode::Shuffle | Opcode::Br | Opcode::Switch => 1,
        op if op.is_pure() => lanes,
        _ => 1,
    }
}

fn cast_cost(func: &Function, users: &Users, inst: Inst) -> u32 {
    let data = &func.dfg.insts[inst];
    let arg = func.dfg.arg(inst, 0);
    let from = func.dfg.ty(arg);
    let lanes = u32::from(data.ty.lanes().max(1));
    let made_by = func.dfg.def_inst(arg).map(|i| func.dfg.op(i));
    match data.op {
        Opcode::Trunc if from == Type::I64 && data.ty == Type::I32 => 0,
        Opcode::ZExt | Opcode::SExt => {
            let narrow = func.dfg.result(inst).is_some_and(|v| users.is_free_extension(v));
            let folds = matches!(made_by, Some(Opcode::Load | Opcode::Icmp | Opcode::Fcmp));
            if narrow || folds { 0 } else { lanes }
        }
        Opcode::Bitcast => u32::from(from.is_float() != data.ty.is_float()),
        Opcode::PtrToInt | Opcode::IntToPtr | Opcode::AddrSpaceCast => 0,
        _ => lanes,
    }
}

/// A constant offset folds into the access, unless the pointer below it was itself computed.
fn address_cost(func: &Function, inst: Inst) -> u32 {
    u32::from(func.dfg.as_bits(func.dfg.arg(inst, 1)).is_none())
}

fn store_cost(func: &Function, inst: Inst) -> u32 {
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
fn vanishes(func: &Function, inst: Inst, preds: impl Fn(Block) -> usize) -> bool {
    let target = func.dfg.successor(inst, 0);
    let alone = func.layout.inst_block(inst).and_then(|b| func.layout.first_inst(b)) == Some(inst);
    alone || preds(target) <= 1
}
