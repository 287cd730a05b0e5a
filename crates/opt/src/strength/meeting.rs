//! Addresses that several ways share: accesses behind different branches whose addresses differ by constants get one
//! pointer, which is computed where the ways part.
//!
//! `if (a) t[y][x] = …; if (b) t[y + 8][x] = …` computes its address twice, and no access comes before the other on every
//! way. The nearest block that dominates both gets the pointer, if what it is made of is known there.
//!
//! The pointer is built from values that are known at that place and not by copying one access's computation: in an
//! access that is not executed a sum may have wrapped.
//!
//! Limits: [`MAX_ACCESSES`] accesses, [`MAX_POINTERS`] pointers of [`MAX_COST`] instructions. Cost: linear in accesses.

use super::{MAX_OFFSET, is_access};
use analysis::DomTree;
use analysis::address::{Address, Ext, Term};
use ir::{Block, Builder, Flags, Function, Inst, Opcode, Payload, Type, Value, ValueDef};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Most accesses of a function that are looked at.
const MAX_ACCESSES: usize = 4096;
/// Most pointers added to a function: each lives from where the ways part to the last access.
const MAX_POINTERS: usize = 12;
/// Most pointers for accesses that differ by constants: indices of some may be made of other values than those of others.
const MAX_SPLITS: usize = 4;
/// Most instructions that compute one.
const MAX_COST: usize = 8;

/// Accesses whose addresses differ by constants.
struct Group {
    ty: Type,
    /// Accesses with their blocks.
    accesses: SmallVec<[(Inst, Block); 4]>,
}

pub(super) fn run(func: &mut Function, dom: &DomTree) -> bool {
    let mut left = MAX_POINTERS;
    let mut changed = false;
    for mut g in groups(func, dom) {
        for _ in 0..MAX_SPLITS {
            if left == 0 || g.accesses.len() < 2 {
                break;
            }
            let Some(s) = meeting(func, dom, &g.accesses) else { break };
            if s.pays() {
                share(func, g.ty, &s);
                left -= 1;
                changed = true;
            }
            g.accesses.retain(|a| !s.offsets.iter().any(|o| o.0 == a.0));
        }
    }
    changed
}

/// Groups of several accesses, in the order of their first ones.
fn groups(func: &Function, dom: &DomTree) -> Vec<Group> {
    let mut out: Vec<Group> = Vec::new();
    let mut known: FxHashMap<(Value, SmallVec<[Term; 4]>, Type), usize> = FxHashMap::default();
    let accesses = dom.preorder().iter().flat_map(|&b| func.layout.insts(b).map(move |i| (i, b)));
    for (i, b) in accesses.filter(|&(i, _)| is_access(func, i)).take(MAX_ACCESSES) {
        let ptr = func.dfg.arg(i, 0);
        let ty = func.dfg.ty(ptr);
        let a = Address::of(func, ptr);
        if a.is_constant() {
            continue;
        }
        let n = *known.entry((a.base, a.terms, ty)).or_insert_with(|| {
            out.push(Group { ty, accesses: SmallVec::new() });
            out.len() - 1
        });
        out[n].accesses.push((i, b));
    }
    out.retain(|g| g.accesses.len() > 1);
    out
}

/// A pointer that several accesses can share.
struct Shared {
    /// The block where the ways to them part.
    place: Block,
    /// Its base, and what is added to it.
    address: Address,
    /// Whether all of that is known there.
    known: bool,
    /// Accesses, and how far each is from it.
    offsets: SmallVec<[(Inst, i64); 4]>,
}

impl Shared {
    fn pays(&self) -> bool {
        let cost = |t: &Term| 1 + usize::from(t.ext != Ext::None) + usize::from(t.coef != 1);
        let cost: usize = self.address.terms.iter().map(cost).sum();
        let near = self.offsets.iter().all(|o| o.1.abs() <= MAX_OFFSET);
        self.known && near && self.offsets.len() > 1 && cost > 0 && cost <= MAX_COST
    }
}

/// The pointer for the first access and those whose addresses are made of the same values; none if an access that comes
/// before the others has it already.
fn meeting(func: &Function, dom: &DomTree, accesses: &[(Inst, Block)]) -> Option<Shared> {
    let (first, rest) = accesses.split_first()?;
    let place = rest.iter().try_fold(first.1, |d, a| dom.common(d, a.1))?;
    if accesses.iter().any(|a| a.1 == place) {
        return None;
    }
    let here = |v: Value| match func.dfg.def(v) {
        ValueDef::Param(b, _) => dom.dominates(b, place),
        ValueDef::Inst(i) => func.layout.inst_block(i).is_some_and(|b| dom.dominates(b, place)),
        ValueDef::Const(_) => true,
        ValueDef::Alias(_) => false,
    };
    let shared = |of: &dyn Fn(Inst) -> Address| {
        let address = of(first.0);
        let same = accesses.iter().map(|a| (a.0, of(a.0))).filter(|a| a.0 == first.0 || a.1.minus(&address).is_some());
        let offsets = same.map(|(i, a)| (i, a.offset)).collect();
        let known = here(address.base) && address.terms.iter().all(|t| here(t.value));
        Shared { place, address, known, offsets }
    };
    // Made of sums that are there it costs least; made of what those are made of more accesses may have it: `x << 11` here and
    // `(2 * x + 1) << 10` there.
    let near = shared(&|i| Address::down_to(func, func.dfg.arg(i, 0), here));
    if near.offsets.len() == accesses.len() {
        return Some(near);
    }
    let far = shared(&|i| Address::of(func, func.dfg.arg(i, 0)));
    Some(if far.pays() && far.offsets.len() > near.offsets.len() { far } else { near })
}

fn share(func: &mut Function, ty: Type, s: &Shared) {
    let end = func.layout.terminator(s.place);
    let mut pointer = s.address.base;
    for t in &s.address.terms {
        let mut build = Builder::before(func, end);
        let wide = match t.ext {
            Ext::None => t.value,
            Ext::Sign => build.cast(Opcode::SExt, t.value, Type::I64),
            Ext::Zero => build.cast(Opcode::ZExt, t.value, Type::I64),
        };
        let bytes = if t.coef == 1 {
            wide
        } else {
            let coef = build.iconst(Type::I64, t.coef);
            build.binary(Opcode::Mul, wide, coef)
        };
        pointer = add(func, pointer, bytes, ty, end);
    }
    for &(i, by) in &s.offsets {
        let by = func.dfg.iconst(Type::I64, by);
        let ptr = if func.dfg.as_bits(by) == Some(0) { pointer } else { add(func, pointer, by, ty, i) };
        func.dfg.args_mut(i)[0] = ptr;
    }
}

fn add(func: &mut Function, p: Value, by: Value, ty: Type, before: Inst) -> Value {
    Builder::before(func, before).value(Opcode::PtrAdd, ty, Flags::NONE, &[p, by], Payload::None)
}
