//! Divides slots into elements.

use super::collect::{Place, Uses};
use super::{MAX_COPIED, MAX_COPY_ROUNDS, MAX_ELEMENTS};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use ir::{Function, Slot, Type};

/// Some bytes of a slot that become one variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Element {
    pub(super) offset: u32,
    pub(super) bytes: u32,
    /// Type of the variable.
    pub(super) ty: Type,
    /// Number of the variable.
    pub(super) var: u32,
    /// Nothing but copies of more than it names it.
    pub(super) copied: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct SlotPlan {
    pub(super) promoted: bool,
    /// In order of offsets, disjoint.
    pub(super) elements: Vec<Element>,
}

/// What becomes of every slot.
pub(super) struct Replacement {
    pub(super) slots: PrimaryMap<Slot, SlotPlan>,
    /// The type of each variable.
    pub(super) vars: Vec<Type>,
}

impl Replacement {
    /// The element that holds this byte.
    pub(super) fn at(&self, place: Place) -> Option<&Element> {
        let list = &self.slots[place.slot].elements;
        let n = list.partition_point(|e| e.offset <= place.offset);
        n.checked_sub(1).map(|n| &list[n]).filter(|e| place.offset < e.offset + e.bytes)
    }

    /// The elements of a slot that lie in a range of bytes.
    pub(super) fn within(&self, place: Place, bytes: u32) -> impl Iterator<Item = Element> + '_ {
        let list = &self.slots[place.slot].elements;
        let first = list.partition_point(|e| e.offset < place.offset);
        list[first..].iter().copied().take_while(move |e| e.offset + e.bytes <= place.offset + bytes)
    }
}

/// A scalar that is accessed: where, and as what. Integers of no particular type come from copies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Piece {
    offset: u32,
    bytes: u32,
    ty: Type,
    /// Made to carry the bytes of a copy.
    copied: bool,
}

/// `inlined`: the function's own callers' slots are not seen yet, and a copy of theirs of which nobody has said what it is made of
/// stays a copy.
pub(super) fn divide(func: &Function, uses: &Uses, inlined: bool) -> Replacement {
    let mut simple = uses.simple.clone();
    let mut pieces: PrimaryMap<Slot, Vec<Piece>> = func.slots.keys().map(|_| Vec::new()).collect();
    for a in &uses.accesses {
        if simple[a.place.slot] {
            let step = a.ty.scalar_bytes();
            for n in 0..u32::from(a.ty.lanes()) {
                let piece = Piece { offset: a.place.offset + n * step, bytes: step, ty: a.ty.scalar(), copied: false };
                pieces[a.place.slot].push(piece);
            }
        }
    }
    for list in pieces.values_mut() {
        tidy(list);
    }
    match_copies(uses, &simple, &mut pieces);
    let grains = grains(uses, &pieces);
    if inlined {
        let whole = |s: Slot| grains[s] == 0 && pieces[s].is_empty();
        for slot in wanted(uses, &simple, whole) {
            simple[slot] = false;
        }
    }
    fill_copied(uses, &simple, &grains, &mut pieces);
    match_copies(uses, &simple, &mut pieces);
    pieces.values_mut().for_each(halve);

    let mut elements: PrimaryMap<Slot, Vec<Element>> = PrimaryMap::with_capacity(func.slots.len());
    for (slot, list) in pieces.iter() {
        let merged = if simple[slot] { merge(list) } else { None };
        simple[slot] = merged.is_some();
        elements.push(merged.unwrap_or_default());
    }
    reject_cut_copies(uses, &mut simple, &elements);
    number(simple, elements)
}

/// The slots among those that are only copied as a whole whose bytes may come to memory that stays or to a slot of which more is
/// known. What reaches the others, nobody reads.
fn wanted(uses: &Uses, simple: &PrimaryMap<Slot, bool>, whole: impl Fn(Slot) -> bool) -> Vec<Slot> {
    let mut sources: SecondaryMap<Slot, Vec<Slot>> = SecondaryMap::new();
    let mut found: SecondaryMap<Slot, bool> = SecondaryMap::new();
    let mut work: Vec<Slot> = Vec::new();
    for b in &uses.blocks {
        let Some(src) = b.src.map(|p| p.slot).filter(|&s| whole(s)) else { continue };
        match b.dst {
            Some(d) if simple[d.slot] && whole(d.slot) => sources[d.slot].push(src),
            _ => work.push(src),
        }
    }
    let mut out = Vec::new();
    while let Some(slot) = work.pop() {
        if !std::mem::replace(&mut found[slot], true) {
            out.push(slot);
            work.append(&mut sources[slot]);
        }
    }
    out
}

fn tidy(list: &mut Vec<Piece>) {
    list.sort_unstable();
    list.dedup();
}

/// Copies between two slots carry the pieces of each into the other.
fn match_copies(uses: &Uses, simple: &PrimaryMap<Slot, bool>, pieces: &mut PrimaryMap<Slot, Vec<Piece>>) {
    for _ in 0..MAX_COPY_ROUNDS {
        let mut grew = false;
        for b in &uses.blocks {
            let (Some(d), Some(s)) = (b.dst, b.src) else { continue };
            if !simple[d.slot] || !simple[s.slot] {
                continue;
            }
            grew |= carry(pieces, s, d, b.bytes);
            grew |= carry(pieces, d, s, b.bytes);
        }
        if !grew {
            return;
        }
    }
}

fn carry(pieces: &mut PrimaryMap<Slot, Vec<Piece>>, from: Place, to: Place, bytes: u32) -> bool {
    let inside = |p: &&Piece| p.offset >= from.offset && p.offset + p.bytes <= from.offset + bytes;
    let moved: Vec<Piece> = pieces[from.slot]
        .iter()
        .filter(inside)
        .map(|p| Piece { offset: p.offset - from.offset + to.offset, ..*p })
        .collect();
    let list = &mut pieces[to.slot];
    let before = list.len();
    if before > MAX_ELEMENTS * 2 {
        return false;
    }
    list.extend(moved);
    tidy(list);
    list.len() > before
}

/// Bytes of the pieces in which what is copied is taken: 0 where nothing speaks for any. What is accessed by elements, now or
/// when their places are known, is copied by elements, so that no variable is put together from parts.
fn grains(uses: &Uses, pieces: &PrimaryMap<Slot, Vec<Piece>>) -> PrimaryMap<Slot, u32> {
    let mut grains = uses.grains.clone();
    for (slot, list) in pieces {
        let alike = |p: &&Piece| p.bytes == list[0].bytes && p.offset.is_multiple_of(p.bytes);
        if let Some(first) = list.first().filter(|_| list.iter().all(|p| alike(&p)))
            && grains[slot] == 0
        {
            grains[slot] = first.bytes;
        }
    }
    for _ in 0..MAX_COPY_ROUNDS {
        for b in &uses.blocks {
            let [Some(d), Some(s)] = b.slots else { continue };
            let least = [grains[d], grains[s]].into_iter().filter(|&n| n > 0).min().unwrap_or(0);
            (grains[d], grains[s]) = (least, least);
        }
    }
    grains
}

/// Bytes that are copied to memory that stays need a variable even if nothing else names them.
fn fill_copied(
    uses: &Uses,
    simple: &PrimaryMap<Slot, bool>,
    grains: &PrimaryMap<Slot, u32>,
    pieces: &mut PrimaryMap<Slot, Vec<Piece>>,
) {
    for b in &uses.blocks {
        let Some(s) = b.src.filter(|s| simple[s.slot]) else { continue };
        if b.dst.is_some_and(|d| simple[d.slot]) {
            continue;
        }
        let list = &mut pieces[s.slot];
        let grain = if grains[s.slot] < MIN_GRAIN { MAX_GRAIN } else { grains[s.slot].min(MAX_GRAIN) };
        let copied = grains[s.slot] < MIN_GRAIN && list.is_empty();
        let mut new = gaps(list, s.offset, s.offset + b.bytes, grain, copied);
        if new.len() > MAX_COPIED {
            new = gaps(list, s.offset, s.offset + b.bytes, MAX_GRAIN, copied);
        }
        if new.len() > MAX_COPIED {
            // Too many: an element that merges to no type keeps the slot in memory.
            new = vec![Piece { offset: s.offset, bytes: 16, ty: Type::VOID, copied }];
        }
        list.extend(new);
        tidy(list);
    }
}

/// Most and least bytes of a piece that a copy is taken in for the sake of other accesses.
const MAX_GRAIN: u32 = 8;
const MIN_GRAIN: u32 = 2;

/// Pieces for the bytes from `at` to `end` that `list` does not have.
fn gaps(list: &[Piece], mut at: u32, end: u32, grain: u32, copied: bool) -> Vec<Piece> {
    let mut new = Vec::new();
    for p in list {
        if p.offset + p.bytes > at && p.offset < end {
            cover(at, p.offset.min(end), grain, copied, &mut new);
            at = at.max(p.offset + p.bytes);
        }
    }
    cover(at, end, grain, copied, &mut new);
    new
}

/// Integers as wide as alignment allows, and no wider than `grain`, for the bytes from `at` to `end`.
fn cover(mut at: u32, end: u32, grain: u32, copied: bool, out: &mut Vec<Piece>) {
    while at < end && out.len() <= MAX_COPIED {
        let fits = |&n: &u32| n <= grain && at.is_multiple_of(n) && at + n <= end;
        let bytes = [8, 4, 2, 1].into_iter().find(fits).unwrap_or(1);
        out.push(Piece { offset: at, bytes, ty: Type::int(bytes * 8).unwrap_or(Type::I8), copied });
        at += bytes;
    }
}

/// Takes integers of 64 bits whose halves are accessed, too, as two: each half is then a variable that no other access asks for
/// the rest of. Not where something else crosses the middle.
fn halve(list: &mut Vec<Piece>) {
    let wide = |p: &Piece| p.bytes == 2 * HALF && p.ty == Type::I64;
    let mut halved: Vec<u32> = Vec::new();
    for (n, p) in list.iter().enumerate().filter(|(_, p)| wide(p)) {
        let (middle, end) = (p.offset + HALF, p.offset + p.bytes);
        let before = list[..n].iter().rev().take_while(|o| o.offset + MAX_GRAIN > p.offset);
        let near = || before.clone().chain(list[n..].iter().take_while(|o| o.offset < end));
        let same = |o: &Piece| wide(o) && o.offset == p.offset;
        let crosses = |o: &&Piece| !same(o) && o.offset < middle && o.offset + o.bytes > middle;
        let cut = |o: &&Piece| {
            !same(o)
                && (o.offset < p.offset && o.offset + o.bytes > p.offset || o.offset < end && o.offset + o.bytes > end)
        };
        let half = |o: &Piece| o.bytes == HALF && (o.offset == p.offset || o.offset == middle);
        if near().any(half) && !near().any(|o| crosses(&o) || cut(&o)) {
            halved.push(p.offset);
        }
    }
    if halved.is_empty() {
        return;
    }
    let (gone, mut kept): (Vec<Piece>, Vec<Piece>) =
        list.iter().partition(|p| wide(p) && halved.binary_search(&p.offset).is_ok());
    let halves =
        |p: &Piece| [0, HALF].map(|n| Piece { offset: p.offset + n, bytes: HALF, ty: Type::I32, copied: p.copied });
    kept.extend(gone.iter().flat_map(halves));
    *list = kept;
    tidy(list);
}

/// Bytes of a half.
const HALF: u32 = 4;

/// Merges overlapping pieces into elements; `None` if some are no size that an integer has.
fn merge(pieces: &[Piece]) -> Option<Vec<Element>> {
    let mut out: Vec<Element> = Vec::with_capacity(pieces.len());
    for p in pieces {
        match out.last_mut() {
            Some(e) if p.offset < e.offset + e.bytes => {
                let same = p.offset == e.offset && p.bytes == e.bytes;
                let end = (p.offset + p.bytes).max(e.offset + e.bytes);
                e.bytes = end - e.offset;
                e.copied &= p.copied;
                if same {
                    e.ty = prefer(e.ty, p.ty);
                } else {
                    e.ty = Type::int(e.bytes.checked_mul(8)?).filter(|t| t.bits() > 1)?;
                }
            }
            _ => out.push(Element { offset: p.offset, bytes: p.bytes, ty: p.ty, var: 0, copied: p.copied }),
        }
        if p.ty == Type::VOID || out.len() > MAX_ELEMENTS {
            return None;
        }
    }
    // An element that grew after its type was chosen has got an integer type then; check that it is one.
    out.iter().all(|e| e.ty.scalar_bytes() == e.bytes).then_some(out)
}

/// The better type for a variable accessed as both: a pointer or float stays one; a truth value becomes a byte.
fn prefer(a: Type, b: Type) -> Type {
    let rank = |t: Type| match t {
        t if t.is_ptr() => 3,
        t if t.is_float() => 2,
        t if t.bits() > 1 => 1,
        _ => 0,
    };
    match (a == b, rank(a).cmp(&rank(b))) {
        (true, _) | (_, std::cmp::Ordering::Greater) => a,
        (_, std::cmp::Ordering::Less) => b,
        // Two pointers, or two kinds of floats.
        _ if a.is_ptr() => a,
        _ => Type::int(a.bits()).unwrap_or(a),
    }
}

/// Copies and fills must not cut an element in two; and rejecting a slot may leave another one with gaps.
fn reject_cut_copies(uses: &Uses, simple: &mut PrimaryMap<Slot, bool>, elements: &PrimaryMap<Slot, Vec<Element>>) {
    let cut = |p: Place, bytes: u32| {
        elements[p.slot].iter().any(|e| {
            let (start, end) = (e.offset, e.offset + e.bytes);
            let (from, to) = (p.offset, p.offset + bytes);
            start < to && end > from && (start < from || end > to)
        })
    };
    let mut again = true;
    while again {
        again = false;
        for b in &uses.blocks {
            for (this, other) in [(b.dst, b.src), (b.src, b.dst)] {
                let Some(p) = this.filter(|p| simple[p.slot]) else { continue };
                let reject = match other {
                    _ if cut(p, b.bytes) => true,
                    // Between two slots the elements must match; with one in memory the other must be covered.
                    Some(o) if simple[o.slot] => !matches(elements, p, o, b.bytes),
                    _ => this == b.src && !covered(&elements[p.slot], p, b.bytes),
                };
                if reject {
                    simple[p.slot] = false;
                    again = true;
                }
            }
        }
    }
}

fn covered(elements: &[Element], p: Place, bytes: u32) -> bool {
    let sum: u32 = elements
        .iter()
        .filter(|e| e.offset >= p.offset && e.offset + e.bytes <= p.offset + bytes)
        .map(|e| e.bytes)
        .sum();
    sum == bytes
}

fn matches(elements: &PrimaryMap<Slot, Vec<Element>>, a: Place, b: Place, bytes: u32) -> bool {
    let list = |p: Place| {
        elements[p.slot]
            .iter()
            .filter(move |e| e.offset >= p.offset && e.offset < p.offset + bytes)
            .map(move |e| (e.offset - p.offset, e.bytes))
    };
    list(a).eq(list(b))
}

fn number(simple: PrimaryMap<Slot, bool>, elements: PrimaryMap<Slot, Vec<Element>>) -> Replacement {
    let mut plan = Replacement { slots: PrimaryMap::with_capacity(simple.len()), vars: Vec::new() };
    for ((_, promoted), (_, mut list)) in simple.into_iter().zip(elements) {
        if !promoted {
            list.clear();
        }
        for e in &mut list {
            e.var = plan.vars.len() as u32;
            plan.vars.push(e.ty);
        }
        plan.slots.push(SlotPlan { promoted, elements: list });
    }
    plan
}
