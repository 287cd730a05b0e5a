//! Addresses, alias answers, liveness and pressure, uniformity.

use analysis::{Address, Alias, AliasQuery, AliasResult, Among, Cfg, Liveness, Location, LoopInfo, PostDomTree};
use analysis::{PressureMap, Uniformity};
use cranelift_entity::PrimaryMap;
use ir::{
    AddrSpace, Builder, Flags, FnKind, Function, GlobalData, GlobalInit, IntCC, Intrinsic, Linkage, MemInfo, Opcode,
    Param, ParamAttrs, Payload, SlotData, SpecialReg, Type, Value,
};

fn kernel(params: &[(Type, bool)]) -> (Function, Vec<Value>) {
    let mut f = Function::new("k", FnKind::Kernel);
    for &(ty, noalias) in params {
        let attrs = ParamAttrs { noalias, ..ParamAttrs::default() };
        f.params.push(Param { ty, name: String::new(), attrs });
    }
    let b = f.new_entry_block();
    let v = f.dfg.params(b).to_vec();
    (f, v)
}

const GLOBAL: Type = Type::ptr(AddrSpace::Global);
const PRIVATE: Type = Type::ptr(AddrSpace::Private);

fn shared(name: &str, size: u64) -> GlobalData {
    GlobalData {
        name: name.into(),
        space: AddrSpace::Shared,
        size,
        align: 16,
        init: GlobalInit::None,
        constant: false,
        linkage: Linkage::Internal,
        external: size == 0,
        elem: Type::F32,
        span: source::Span::NONE,
    }
}

#[test]
fn addresses_are_sums() {
    let (mut f, p) = kernel(&[(GLOBAL, false), (Type::I32, false)]);
    let entry = f.layout.entry();
    let mut b = Builder::at_end(&mut f, entry);
    // p + 4 * sext(i + 3) and p + 4 * sext(i) + 8
    let three = b.iconst(Type::I32, 3);
    let i3 = b.op(Opcode::Add, Flags::NSW, &[p[1], three]);
    let wide = b.cast(Opcode::SExt, i3, Type::I64);
    let two = b.iconst(Type::I64, 2);
    let scaled = b.binary(Opcode::Shl, wide, two);
    let x = b.ptradd(p[0], scaled, Flags::INBOUNDS);
    let wide = b.cast(Opcode::SExt, p[1], Type::I64);
    let four = b.iconst(Type::I64, 4);
    let scaled = b.mul(wide, four);
    let eight = b.iconst(Type::I64, 8);
    let y = b.ptradd(p[0], scaled, Flags::NONE);
    let y = b.ptradd(y, eight, Flags::INBOUNDS);
    let (x, y) = (Address::of(&f, x), Address::of(&f, y));
    assert_eq!(x.minus(&y), Some(4));
    assert_eq!((x.base, x.offset, x.terms.len(), x.inbounds, y.inbounds), (p[0], 12, 1, true, false));
}

#[test]
fn wrapping_sums_are_kept_whole() {
    let (mut f, p) = kernel(&[(GLOBAL, false), (Type::I32, false)]);
    let entry = f.layout.entry();
    let mut b = Builder::at_end(&mut f, entry);
    let one = b.iconst(Type::I32, 1);
    let next = b.add(p[1], one);
    let wide = b.cast(Opcode::ZExt, next, Type::I64);
    let x = b.ptradd(p[0], wide, Flags::NONE);
    assert_eq!(Address::of(&f, x).terms[0].value, next);
}

/// Answers for pairs of places of one function.
#[test]
fn alias_answers() {
    let mut globals = PrimaryMap::new();
    let (tile, tile2) = (globals.push(shared("a", 64)), globals.push(shared("b", 64)));
    let (dyn1, dyn2) = (globals.push(shared("c", 0)), globals.push(shared("d", 0)));
    let (mut f, p) = kernel(&[(Type::PTR, false), (Type::PTR, true), (Type::PTR, false), (Type::I64, false)]);
    let slot = f.slots.push(SlotData { size: 32, align: 8, dims: Default::default(), name: String::new() });
    let leaked = f.slots.push(SlotData { size: 32, align: 8, dims: Default::default(), name: String::new() });
    let (slot, leaked) = (f.slot_addr(slot), f.slot_addr(leaked));
    let shared_ty = Type::ptr(AddrSpace::Shared);
    let [tile, tile2, dyn1, dyn2] =
        [tile, tile2, dyn1, dyn2].map(|g| f.dfg.constant(shared_ty, ir::ConstKind::Global(g)));
    let entry = f.layout.entry();
    let mut b = Builder::at_end(&mut f, entry);
    let generic = b.space_cast(leaked, AddrSpace::Generic);
    b.store(p[0], generic, MemInfo::aligned(8), Flags::NONE);
    let any = b.load(Type::PTR, p[2], MemInfo::aligned(8), Flags::NONE);
    let four = b.iconst(Type::I64, 4);
    let slot4 = b.ptradd(slot, four, Flags::NONE);
    let slot_n = b.ptradd(slot, p[3], Flags::NONE);
    let eight = b.iconst(Type::I64, 8);
    let scaled = b.mul(p[3], eight);
    let even = b.ptradd(p[0], scaled, Flags::NONE);
    let odd = b.ptradd(p[0], four, Flags::NONE);
    b.ret(None);
    let cfg = Cfg::new(&f);
    let alias = Alias::new(&f, &cfg);
    let q = AliasQuery { alias: &alias, func: &f, globals: &globals };
    let at = |v: Value| Location::bytes(v, Some(4));
    use AliasResult::*;
    for (n, (x, y, expected)) in [
        (slot, slot, Must),
        (slot, slot4, No),
        (slot, slot_n, May),
        (slot, leaked, No),
        (slot, any, No),
        (leaked, any, May),
        (p[0], p[2], May),
        (p[0], p[1], No),
        (p[1], any, No),
        (p[0], any, May),
        (p[0], slot, No),
        (p[0], tile, No),
        (tile, tile2, No),
        (tile, dyn1, No),
        (dyn1, dyn2, May),
        (even, odd, No),
        (even, p[0], May),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(q.alias(at(x), at(y)), expected, "row {n}");
        assert_eq!(q.alias(at(y), at(x)), expected, "row {n} swapped");
    }
    assert_eq!(q.alias(Location::bytes(slot, Some(8)), at(slot4)), Partial);
}

#[test]
fn barriers_change_what_others_see() {
    let globals = PrimaryMap::new();
    let (mut f, p) = kernel(&[(GLOBAL, true)]);
    let slot = f.slots.push(SlotData { size: 32, align: 8, dims: Default::default(), name: String::new() });
    let slot = f.slot_addr(slot);
    let entry = f.layout.entry();
    let mut b = Builder::at_end(&mut f, entry);
    let zero = b.iconst(Type::I32, 0);
    b.intrinsic(Intrinsic::Barrier, Type::VOID, &[zero]);
    b.ret(None);
    let barrier = f.layout.first_inst(entry).unwrap();
    let cfg = Cfg::new(&f);
    let alias = Alias::new(&f, &cfg);
    let q = AliasQuery { alias: &alias, func: &f, globals: &globals };
    let at = |v: Value| Location::bytes(v, Some(4));
    assert!(q.may_write(barrier, at(p[0])) && !q.may_write(barrier, at(slot)));
    f.params[0].attrs.readonly = true;
    let q = AliasQuery { alias: &alias, func: &f, globals: &globals };
    assert!(q.is_invariant(p[0]) && !q.may_write(barrier, at(p[0])));
}

/// A pointer that walks through a slot in a loop still points into the slot.
#[test]
fn objects_through_loops() {
    let globals = PrimaryMap::new();
    let (mut f, p) = kernel(&[(GLOBAL, false), (Type::I32, false)]);
    let slot = f.slots.push(SlotData { size: 64, align: 8, dims: Default::default(), name: String::new() });
    let slot = f.slot_addr(slot);
    let (entry, header, exit) = (f.layout.entry(), f.new_block(), f.new_block());
    let mut b = Builder::at_end(&mut f, entry);
    b.jump(header, &[slot]);
    let walk = b.func.dfg.add_param(header, PRIVATE);
    b.switch_to(header);
    let four = b.iconst(Type::I64, 4);
    let next = b.ptradd(walk, four, Flags::NONE);
    let c = b.icmp(IntCC::Ne, next, slot);
    b.br(c, (header, &[next]), (exit, &[]));
    b.switch_to(exit);
    b.ret(None);
    let cfg = Cfg::new(&f);
    let alias = Alias::new(&f, &cfg);
    assert!(!alias.is_escaped(alias.object(&f, slot)));
    assert_eq!(alias.object(&f, walk), alias.object(&f, slot));
    let q = AliasQuery { alias: &alias, func: &f, globals: &globals };
    let at = |v: Value| Location::bytes(v, Some(4));
    assert_eq!(q.alias(at(walk), at(p[0])), AliasResult::No);
    assert_eq!(q.alias(at(walk), at(slot)), AliasResult::May);
}

#[test]
fn liveness_and_pressure() {
    let (mut f, p) = kernel(&[(Type::I32, false), (Type::I64, false)]);
    let (entry, header, exit) = (f.layout.entry(), f.new_block(), f.new_block());
    let mut b = Builder::at_end(&mut f, entry);
    b.jump(header, &[p[0]]);
    let i = b.func.dfg.add_param(header, Type::I32);
    b.switch_to(header);
    let one = b.iconst(Type::I32, 1);
    let next = b.add(i, one);
    let c = b.icmp(IntCC::Slt, next, p[0]);
    b.br(c, (header, &[next]), (exit, &[]));
    b.switch_to(exit);
    let w = b.cast(Opcode::ZExt, next, Type::I64);
    let s = b.add(w, p[1]);
    b.intrinsic(Intrinsic::Nanosleep, Type::VOID, &[s]);
    b.ret(None);
    let cfg = Cfg::new(&f);
    let live = Liveness::new(&f, &cfg);
    assert_eq!(live.live_in(header), [p[0], p[1]]);
    assert_eq!(live.live_out(header), [p[0], p[1], next]);
    assert_eq!(live.live_in(exit), [p[1], next]);
    assert!(live.live_in(entry).is_empty());
    let pressure = PressureMap::new(&f, &cfg, &live);
    // p0, p1 (two), next; and the condition.
    assert_eq!((pressure.block(header).registers, pressure.max().predicates), (4, 1));
}

/// if (tid < n) x = 1 else x = 2; loop until i == x (uneven); loop n times (even)
#[test]
fn uniformity() {
    let (mut f, p) = kernel(&[(Type::I32, false)]);
    let n = p[0];
    let entry = f.layout.entry();
    let [yes, no, join, uneven, between, even, exit] = std::array::from_fn(|_| f.new_block());
    let mut b = Builder::at_end(&mut f, entry);
    let tid = b.special(SpecialReg::TidX);
    let group = b.special(SpecialReg::CtaidX);
    let c = b.icmp(IntCC::Slt, tid, n);
    b.br(c, (yes, &[]), (no, &[]));
    let (one, two, zero) = (b.iconst(Type::I32, 1), b.iconst(Type::I32, 2), b.iconst(Type::I32, 0));
    b.switch_to(yes);
    b.jump(join, &[one]);
    b.switch_to(no);
    b.jump(join, &[two]);
    let x = b.func.dfg.add_param(join, Type::I32);
    b.switch_to(join);
    let ballot = b.func.dfg.iconst(Type::I32, -1);
    let vote = b.intrinsic(Intrinsic::Ballot, Type::I32, &[ballot, c]).unwrap();
    b.jump(uneven, &[zero]);
    let i = b.func.dfg.add_param(uneven, Type::I32);
    b.switch_to(uneven);
    let next = b.add(i, one);
    let done = b.icmp(IntCC::Ne, next, x);
    b.br(done, (uneven, &[next]), (between, &[]));
    b.switch_to(between);
    let after = b.add(next, one);
    b.jump(even, &[zero]);
    let j = b.func.dfg.add_param(even, Type::I32);
    b.switch_to(even);
    let next_j = b.add(j, one);
    let more = b.icmp(IntCC::Slt, next_j, group);
    b.br(more, (even, &[next_j]), (exit, &[]));
    b.switch_to(exit);
    let last = b.add(next_j, one);
    b.inst(Opcode::Assume, Type::VOID, Flags::NONE, &[more], Payload::None);
    b.ret(None);
    let info = LoopInfo::new(&f);
    let post = PostDomTree::new(&f, &info.cfg, &info.loops);
    let u = Uniformity::new(&f, &info, &post, Among::Warp, true);
    for (v, divergent) in [
        (tid, true),
        (group, false),
        (n, false),
        (c, true),
        (x, true),
        (vote, false),
        (i, false),
        (next, false),
        (done, true),
        (after, true),
        (j, false),
        (next_j, false),
        (last, false),
    ] {
        assert_eq!(u.is_divergent(v), divergent, "{v}");
    }
    assert!(u.is_divergent_branch(entry) && u.is_divergent_branch(uneven) && !u.is_divergent_branch(even));
    assert!(u.is_partially_executed(yes) && u.is_partially_executed(uneven));
    assert!(!u.is_partially_executed(join) && !u.is_partially_executed(even) && !u.is_partially_executed(between));
    let l: Vec<_> = info.loops.iter().collect();
    assert!(u.has_divergent_exit(l[0]) && !u.has_divergent_exit(l[1]));
    assert!(u.is_divergent_at(&f, &info.loops, next, between));
}
