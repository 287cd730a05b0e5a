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

use super::is_access;
use analysis::DomTree;
use analysis::address::{Address, Ext, Term};
use ir::{Block, Builder, Flags, Function, Inst, Opcode, Payload, Type, Value, ValueDef};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Most accesses of a function that are looked at.
const MAX_ACCESSES: usize = 4096;
/// Most pointers added to a function: each lives from where the ways part to the last access.
const MAX_POINTERS: usize = 12;
/// Most instructions that compute one.
const MAX_COST: usize = 8;
/// Farthest constant offset of an access.
const MAX_OFFSET: i64 = 1 << 23;

/// Accesses whose addresses differ by constants.
struct Group {
    ty: Type,
    /// Accesses with their blocks.
    accesses: SmallVec<[(Inst, Block); 4]>,
}

pub(super) fn run(func: &mut Function, dom: &DomTree) -> bool {
    let mut left = MAX_POINTERS;
    let mut changed = false;
    for g in groups(func, dom) {
        if left == 0 {
            break;
        }
        if let Some(s) = meeting(func, dom, &g) {
            share(func, &g, &s);
            left -= 1;
            changed = true;
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
    /// Its base, and what is added to it, known there.
    address: Address,
    /// How far each access is from it.
    offsets: SmallVec<[i64; 4]>,
}

/// The pointer for a group; none if an access that comes before the others has it already, or it takes too much.
fn meeting(func: &Function, dom: &DomTree, g: &Group) -> Option<Shared> {
    let place = g.accesses[1..].iter().try_fold(g.accesses[0].1, |d, a| dom.common(d, a.1))?;
    if g.accesses.iter().any(|a| a.1 == place) {
        return None;
    }
    let here = |v: Value| match func.dfg.def(v) {
        ValueDef::Param(b, _) => dom.dominates(b, place),
        ValueDef::Inst(i) => func.layout.inst_block(i).is_some_and(|b| dom.dominates(b, place)),
        ValueDef::Const(_) => true,
        ValueDef::Alias(_) => false,
    };
    let all: SmallVec<[Address; 4]> =
        g.accesses.iter().map(|a| Address::down_to(func, func.dfg.arg(a.0, 0), here)).collect();
    let address = all[0].clone();
    let cost = |t: &Term| 1 + usize::from(t.ext != Ext::None) + usize::from(t.coef != 1);
    let cost: usize = address.terms.iter().map(cost).sum();
    let fits = all.iter().all(|a| a.minus(&address).is_some() && a.offset.abs() <= MAX_OFFSET);
    let known = here(address.base) && address.terms.iter().all(|t| here(t.value));
    let offsets = all.iter().map(|a| a.offset).collect();
    (fits && known && cost > 0 && cost <= MAX_COST).then_some(Shared { place, address, offsets })
}

fn share(func: &mut Function, g: &Group, s: &Shared) {
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
        pointer = add(func, pointer, bytes, g.ty, end);
    }
    for (&(i, _), &by) in g.accesses.iter().zip(&s.offsets) {
        let by = func.dfg.iconst(Type::I64, by);
        let ptr = if func.dfg.as_bits(by) == Some(0) { pointer } else { add(func, pointer, by, g.ty, i) };
        func.dfg.args_mut(i)[0] = ptr;
    }
}

fn add(func: &mut Function, p: Value, by: Value, ty: Type, before: Inst) -> Value {
    Builder::before(func, before).value(Opcode::PtrAdd, ty, Flags::NONE, &[p, by], Payload::None)
}
