//! Trip counts of built loops against execution.

use analysis::scev::Scev;
use analysis::{LoopInfo, TripCount};
use ir::{Block, Builder, Flags, FnKind, Function, IntCC, Opcode, Param, ParamAttrs, Type, Value};

fn function(params: &[Type]) -> (Function, Block, Vec<Value>) {
    let mut f = Function::new("f", FnKind::Device);
    for &ty in params {
        f.params.push(Param { ty, name: String::new(), attrs: ParamAttrs::default() });
    }
    let entry = f.new_entry_block();
    let args = f.dfg.params(entry).to_vec();
    (f, entry, args)
}

/// Where a counted loop tests.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    /// `while (i cc r) { i += t; }`
    Top,
    /// `do { i += t; } while (i cc r);`
    Bottom,
}

/// Adds a loop after what is there; the builder ends in the exit block.
#[allow(clippy::too_many_arguments)]
fn counted(b: &mut Builder<'_>, shape: Shape, ty: Type, s: Value, t: i64, cc: IntCC, r: Value, flags: Flags) {
    let (header, exit) = (b.func.new_block(), b.func.new_block());
    b.jump(header, &[s]);
    let i = b.func.dfg.add_param(header, ty);
    b.switch_to(header);
    let step = b.iconst(ty, t);
    match shape {
        Shape::Top => {
            let body = b.func.new_block();
            let c = b.icmp(cc, i, r);
            b.br(c, (body, &[]), (exit, &[]));
            b.switch_to(body);
            let next = b.op(Opcode::Add, flags, &[i, step]);
            b.jump(header, &[next]);
        }
        Shape::Bottom => {
            let next = b.op(Opcode::Add, flags, &[i, step]);
            let c = b.icmp(cc, next, r);
            b.br(c, (header, &[next]), (exit, &[]));
        }
    }
    b.switch_to(exit);
}

/// The trip count of the function's last loop.
fn trips(f: &Function) -> TripCount {
    let info = LoopInfo::new(f);
    let l = info.loops.iter().next_back().expect("a loop");
    Scev::new(f, &info, target::Target::default()).trip_count(l)
}

#[test]
fn constants_agree_with_execution() {
    for cc in IntCC::ALL {
        for (bits, stride) in [(8, 13u64), (16, 3001), (32, 700_000_001), (64, 6_000_000_000_000_000_001)] {
            let ty = Type::int(bits).unwrap();
            for k in 0..40u64 {
                let (s, r) = (k.wrapping_mul(stride) & ty.mask(), k.wrapping_mul(stride / 3 + 1) & ty.mask());
                let t = [1, 2, -1, 3, -7, 100][k as usize % 6];
                let (mut f, entry, _) = function(&[]);
                let mut b = Builder::at_end(&mut f, entry);
                let (sv, rv) = (b.iconst(ty, s as i64), b.iconst(ty, r as i64));
                counted(&mut b, Shape::Bottom, ty, sv, t, cc, rv, Flags::NONE);
                b.ret(None);
                let mut i = s;
                let slow = (1..5_000u64).find(|_| {
                    i = i.wrapping_add(t as u64) & ty.mask();
                    !cc.eval(i, r, bits)
                });
                let fast = trips(&f).exact;
                match slow {
                    Some(n) => assert_eq!(fast, Some(n), "{cc:?} {bits} {s} {r} {t}"),
                    None => assert!(fast.is_none_or(|n| n >= 5_000), "{cc:?} {bits} {s} {r} {t}"),
                }
            }
        }
    }
}

/// Evaluates an expression over the function's parameters.
fn eval(x: &analysis::Exprs, e: analysis::Expr, env: &dyn Fn(Value) -> u64) -> u64 {
    use analysis::Node::*;
    let bits = x.bits(e);
    let m = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
    let sx = |n: u64, bits: u32| ((n << (64 - bits)) as i64) >> (64 - bits);
    let of = |e| eval(x, e, env);
    m & match x.node(e) {
        Const(n) => n,
        Unknown(v) => env(v),
        Sum { rest, atom, coef } => of(rest).wrapping_add(coef.wrapping_mul(of(atom))),
        Mul(a, b) => of(a).wrapping_mul(of(b)),
        UDiv(a, b) => of(a) / of(b),
        ZExt(a) | Trunc(a) => of(a),
        SExt(a) => sx(of(a), x.bits(a)) as u64,
        UMin(a, b) => of(a).min(of(b)),
        UMax(a, b) => of(a).max(of(b)),
        SMin(a, b) => sx(of(a), bits).min(sx(of(b), bits)) as u64,
        SMax(a, b) => sx(of(a), bits).max(sx(of(b), bits)) as u64,
        AddRec { .. } => panic!("recurrence in a count"),
    }
}

/// Symbolic start and bound in 8 bits: whatever count is claimed holds for every pair for which the promised flags
/// are kept.
#[test]
fn symbolic_counts_agree_with_execution() {
    let mut claimed = 0;
    for shape in [Shape::Top, Shape::Bottom] {
        for cc in IntCC::ALL {
            for t in [1i64, 2, 3, 4, -1, -2, -5, 127] {
                for flags in [Flags::NONE, Flags::NSW, Flags::NUW] {
                    let (mut f, entry, p) = function(&[Type::I8, Type::I8]);
                    let mut b = Builder::at_end(&mut f, entry);
                    counted(&mut b, shape, Type::I8, p[0], t, cc, p[1], flags);
                    b.ret(None);
                    let info = LoopInfo::new(&f);
                    let l = info.loops.iter().next().unwrap();
                    let mut scev = Scev::new(&f, &info, target::Target::default());
                    let trip = scev.trip_count(l);
                    claimed += u32::from(trip.backedges.is_some());
                    for s in (0..256u64).step_by(5) {
                        for r in (0..256u64).step_by(7).chain([1, 127, 128, 254, 255]) {
                            let Some(n) = execute(shape, cc, s, t, r, flags) else { continue };
                            let name = format!("{cc:?} {s} {t} {r} {flags:?}");
                            if let Some(e) = trip.backedges {
                                let env = |v: Value| if v == p[0] { s } else { r };
                                assert_eq!(eval(&scev.exprs, e, &env), n - 1, "{name}");
                            }
                            assert!(trip.max.is_none_or(|m| n <= m), "{name} {n} {trip:?}");
                            assert_eq!(n % trip.multiple, 0, "{name}");
                        }
                    }
                }
            }
        }
    }
    assert!(claimed > 40, "{claimed}");
}

/// Executions of the header; none if the loop does not end or breaks a promise.
fn execute(shape: Shape, cc: IntCC, s: u64, t: i64, r: u64, flags: Flags) -> Option<u64> {
    let mut i = s;
    for n in 1..=300 {
        if shape == Shape::Top && !cc.eval(i, r, 8) {
            return Some(n);
        }
        let wide = i64::from(i as u8 as i8) + t;
        if flags.has(Flags::NSW) && i64::from(wide as i8) != wide {
            return None;
        }
        if flags.has(Flags::NUW) && i + (t as u64 & 255) > 255 {
            return None;
        }
        i = i.wrapping_add(t as u64) & 255;
        if shape == Shape::Bottom && !cc.eval(i, r, 8) {
            return Some(n);
        }
    }
    None
}

/// `for (i = 0; i < n; i++)` rotated: guarded by `0 < n`, tested at the bottom. `bound` makes n from the argument.
fn guarded(ty: Type, step: i64, bound: impl Fn(&mut Builder<'_>, Value) -> Value) -> (Function, Value) {
    let (mut f, entry, p) = function(&[ty]);
    let mut b = Builder::at_end(&mut f, entry);
    let n = bound(&mut b, p[0]);
    let (pre, out) = (b.func.new_block(), b.func.new_block());
    let zero = b.iconst(ty, 0);
    let c = b.icmp(IntCC::Slt, zero, n);
    b.br(c, (pre, &[]), (out, &[]));
    b.switch_to(pre);
    counted(&mut b, Shape::Bottom, ty, zero, step, IntCC::Slt, n, Flags::NSW);
    b.ret(None);
    b.switch_to(out);
    b.ret(None);
    (f, n)
}

#[test]
fn guarded_loop_has_simple_count() {
    let (f, n) = guarded(Type::I32, 1, |_, n| n);
    let info = LoopInfo::new(&f);
    let l = info.loops.iter().next().unwrap();
    let mut scev = Scev::new(&f, &info, target::Target::default());
    let t = scev.trip_count(l);
    let n = scev.expr(n);
    let one = scev.exprs.constant(1, 32);
    let expected = scev.sub(n, one);
    assert_eq!(t.backedges, Some(expected));
    assert_eq!((t.exact, t.max, t.multiple), (None, Some(0x7fff_ffff), 1));
}

/// Whether an expression takes the larger of two.
fn has_max(x: &analysis::Exprs, e: analysis::Expr) -> bool {
    use analysis::Node::*;
    match x.node(e) {
        SMax(..) | UMax(..) => true,
        Sum { rest: a, atom: b, .. } | Mul(a, b) | UDiv(a, b) | UMin(a, b) | SMin(a, b) => {
            has_max(x, a) || has_max(x, b)
        }
        ZExt(a) | SExt(a) | Trunc(a) => has_max(x, a),
        Const(_) | Unknown(_) | AddRec { .. } => false,
    }
}

/// `if (s < n) do i += t; while (i < n)`: that the start is below the bound says that the first value tested need not be
/// compared with it.
#[test]
fn counts_behind_a_guard_take_no_maximum() {
    for (cc, flags) in [(IntCC::Slt, Flags::NSW), (IntCC::Ult, Flags::NUW)] {
        for t in [1, 2, 3, 7, 100] {
            let (mut f, entry, p) = function(&[Type::I8, Type::I8]);
            let mut b = Builder::at_end(&mut f, entry);
            let (pre, out) = (b.func.new_block(), b.func.new_block());
            let c = b.icmp(cc, p[0], p[1]);
            b.br(c, (pre, &[]), (out, &[]));
            b.switch_to(pre);
            counted(&mut b, Shape::Bottom, Type::I8, p[0], t, cc, p[1], flags);
            b.ret(None);
            b.switch_to(out);
            b.ret(None);
            let info = LoopInfo::new(&f);
            let l = info.loops.iter().next().expect("a loop");
            let mut scev = Scev::new(&f, &info, target::Target::default());
            let e = scev.trip_count(l).backedges.unwrap_or_else(|| panic!("{cc:?} {t}: no count"));
            assert!(!has_max(&scev.exprs, e), "{cc:?} {t}");
            for (s, r) in (0..256).flat_map(|s| (0..256).map(move |r| (s, r))).filter(|&(s, r)| cc.eval(s, r, 8)) {
                let Some(n) = execute(Shape::Bottom, cc, s, t, r, flags) else { continue };
                let env = |v: Value| if v == p[0] { s } else { r };
                assert_eq!(eval(&scev.exprs, e, &env), n - 1, "{cc:?} {s} {t} {r}");
            }
        }
    }
}

#[test]
fn maximum_and_multiple_from_the_bound() {
    let mask15 = |b: &mut Builder<'_>, n: Value| {
        let m = b.iconst(Type::I32, 15);
        b.binary(Opcode::And, n, m)
    };
    let t = trips(&guarded(Type::I32, 1, mask15).0);
    assert_eq!((t.exact, t.max, t.multiple), (None, Some(15), 1));

    let rem = |b: &mut Builder<'_>, n: Value| {
        let m = b.iconst(Type::I32, 10);
        b.binary(Opcode::URem, n, m)
    };
    assert_eq!(trips(&guarded(Type::I32, 1, rem).0).max, Some(9));

    let align4 = |b: &mut Builder<'_>, n: Value| {
        let m = b.iconst(Type::I32, -4);
        b.binary(Opcode::And, n, m)
    };
    assert_eq!(trips(&guarded(Type::I32, 1, align4).0).multiple, 4);
    // Two at a time: half of it.
    assert_eq!(trips(&guarded(Type::I32, 2, align4).0).multiple, 2);

    let times12 = |b: &mut Builder<'_>, n: Value| {
        let m = b.iconst(Type::I32, 12);
        b.mul(n, m)
    };
    assert_eq!(trips(&guarded(Type::I32, 1, times12).0).multiple, 4);

    let assume = |b: &mut Builder<'_>, n: Value| {
        let (m, zero) = (b.iconst(Type::I32, 12), b.iconst(Type::I32, 0));
        let r = b.binary(Opcode::SRem, n, m);
        let c = b.icmp(IntCC::Eq, r, zero);
        b.inst(Opcode::Assume, Type::VOID, Flags::NONE, &[c], ir::Payload::None);
        n
    };
    assert_eq!(trips(&guarded(Type::I32, 1, assume).0).multiple, 12);

    let byte = |b: &mut Builder<'_>, n: Value| {
        let x = b.cast(Opcode::Trunc, n, Type::I8);
        b.cast(Opcode::ZExt, x, Type::I32)
    };
    assert_eq!(trips(&guarded(Type::I32, 1, byte).0).max, Some(255));
}

#[test]
fn narrow_counter_through_extension() {
    // unsigned char i = 0; do { i = (unsigned char)(i + 1); } while ((int)i < 10);
    let (mut f, entry, _) = function(&[]);
    let mut b = Builder::at_end(&mut f, entry);
    let (header, exit) = (b.func.new_block(), b.func.new_block());
    let zero = b.iconst(Type::I8, 0);
    b.jump(header, &[zero]);
    let i = b.func.dfg.add_param(header, Type::I8);
    b.switch_to(header);
    let wide = b.cast(Opcode::ZExt, i, Type::I32);
    let one = b.iconst(Type::I32, 1);
    let sum = b.add(wide, one);
    let next = b.cast(Opcode::Trunc, sum, Type::I8);
    let ten = b.iconst(Type::I8, 10);
    let c = b.icmp(IntCC::Ult, next, ten);
    b.br(c, (header, &[next]), (exit, &[]));
    b.switch_to(exit);
    b.ret(None);
    assert_eq!(trips(&f).exact, Some(10));
}

#[test]
fn executed_when_not_affine() {
    for (op, start, arg, bound, expected) in [
        (Opcode::Mul, 1, 2, 1000, Some(10)),
        (Opcode::Shl, 1, 1, 256, Some(8)),
        (Opcode::Mul, 1, 3, 9_000_000, Some(15)),
        (Opcode::Xor, 0, 1, 5, None),
    ] {
        let (mut f, entry, _) = function(&[]);
        let mut b = Builder::at_end(&mut f, entry);
        let (header, exit) = (b.func.new_block(), b.func.new_block());
        let s = b.iconst(Type::I32, start);
        b.jump(header, &[s]);
        let i = b.func.dfg.add_param(header, Type::I32);
        b.switch_to(header);
        let a = b.iconst(Type::I32, arg);
        let next = b.binary(op, i, a);
        let r = b.iconst(Type::I32, bound);
        let c = b.icmp(IntCC::Slt, next, r);
        b.br(c, (header, &[next]), (exit, &[]));
        b.switch_to(exit);
        b.ret(None);
        assert_eq!(trips(&f).exact, expected, "{op:?}");
    }
}

#[test]
fn second_exit_bounds_only() {
    // do { if (p) break; i++; } while (i < 10)
    let (mut f, entry, p) = function(&[Type::I32]);
    let mut b = Builder::at_end(&mut f, entry);
    let (header, rest, exit) = (b.func.new_block(), b.func.new_block(), b.func.new_block());
    let zero = b.iconst(Type::I32, 0);
    b.jump(header, &[zero]);
    let i = b.func.dfg.add_param(header, Type::I32);
    b.switch_to(header);
    let five = b.mul(i, p[0]);
    let c = b.icmp(IntCC::Eq, five, p[0]);
    b.br(c, (exit, &[]), (rest, &[]));
    b.switch_to(rest);
    let one = b.iconst(Type::I32, 1);
    let next = b.op(Opcode::Add, Flags::NSW, &[i, one]);
    let ten = b.iconst(Type::I32, 10);
    let c = b.icmp(IntCC::Slt, next, ten);
    b.br(c, (header, &[next]), (exit, &[]));
    b.switch_to(exit);
    b.ret(None);
    let t = trips(&f);
    assert_eq!((t.exact, t.max), (None, Some(10)));
    let info = LoopInfo::new(&f);
    let l = info.loops.iter().next().unwrap();
    assert_eq!(Scev::new(&f, &info, target::Target::default()).exit_trip_count(l, rest).exact, Some(10));
}

#[test]
fn pointers_to_an_end() {
    // for (p = a; p != a + 64; p += 4)
    let (mut f, entry, args) = function(&[Type::PTR]);
    let mut b = Builder::at_end(&mut f, entry);
    let (header, exit) = (b.func.new_block(), b.func.new_block());
    let n = b.iconst(Type::I64, 64);
    let end = b.ptradd(args[0], n, Flags::INBOUNDS);
    b.jump(header, &[args[0]]);
    let p = b.func.dfg.add_param(header, Type::PTR);
    b.switch_to(header);
    let four = b.iconst(Type::I64, 4);
    let next = b.ptradd(p, four, Flags::INBOUNDS);
    let c = b.icmp(IntCC::Ne, next, end);
    b.br(c, (header, &[next]), (exit, &[]));
    b.switch_to(exit);
    b.ret(None);
    assert_eq!(trips(&f).exact, Some(16));
}

/// Triangular nest: the inner bound is the outer counter.
#[test]
fn inner_bound_from_outer_counter() {
    let (mut f, entry, _) = function(&[]);
    let mut b = Builder::at_end(&mut f, entry);
    let (outer, exit) = (b.func.new_block(), b.func.new_block());
    let zero = b.iconst(Type::I32, 0);
    b.jump(outer, &[zero]);
    let i = b.func.dfg.add_param(outer, Type::I32);
    b.switch_to(outer);
    counted(&mut b, Shape::Top, Type::I32, zero, 1, IntCC::Slt, i, Flags::NSW);
    let one = b.iconst(Type::I32, 1);
    let next = b.op(Opcode::Add, Flags::NSW, &[i, one]);
    let eight = b.iconst(Type::I32, 8);
    let c = b.icmp(IntCC::Slt, next, eight);
    b.br(c, (outer, &[next]), (exit, &[]));
    b.switch_to(exit);
    b.ret(None);
    let info = LoopInfo::new(&f);
    let l: Vec<_> = info.loops.iter().collect();
    let mut scev = Scev::new(&f, &info, target::Target::default());
    assert_eq!(scev.trip_count(l[0]).exact, Some(8));
    let inner = scev.trip_count(l[1]);
    assert_eq!(inner.exact, None);
    let counter = scev.expr(i);
    assert_eq!(inner.backedges, Some(counter));
    // The outer counter never exceeds 7.
    assert_eq!(inner.max, Some(8));
}

#[test]
fn expansion() {
    let (mut f, n) = guarded(Type::I32, 4, |_, n| n);
    let info = LoopInfo::new(&f);
    let l = info.loops.iter().next().unwrap();
    let mut scev = Scev::new(&f, &info, target::Target::default());
    let e = scev.trip_count(l).backedges.unwrap();
    let pre = info.loops.preheader(&f, &info.cfg, l).unwrap();
    let x = scev.into_exprs();
    assert!(x.is_expandable(e) && x.is_cheap(e));
    let mut values = Vec::new();
    x.for_each_value(e, &mut |v| values.push(v));
    assert!(values.contains(&n));
    let at = f.layout.terminator(pre);
    let before = f.inst_count();
    let v = x.expand(&mut f, e, at).unwrap();
    assert_eq!(f.dfg.ty(v), Type::I32);
    assert!(f.inst_count() - before <= 4);
}

/// `a[(i + r) * n + c]`: the address moves by `4 × 16 × n`, since nothing promised wraps and everything grows.
#[test]
fn products_with_unknowns_are_recurrences() {
    let text = "module \"t\"\nmath\nkernel @f(ptr<global>, i32) {
block0(v0: ptr<global>, v1: i32):
  v2: i32 = special tid.y
  v3: i32 = special tid.x
  jump block1(i32:0)
block1(v4: i32):
  v5: i32 = add nsw v4, v2
  v6: i32 = mul nsw v5, v1
  v7: i32 = add nsw v6, v3
  v8: i64 = sext v7
  v9: i64 = shl nsw v8, i64:2
  v10: ptr<global> = ptradd inbounds v0, v9
  store align 4 v10, v3
  v11: i32 = add nsw v4, i32:16
  v12: i1 = icmp slt v11, v1
  br v12, block1(v11), block2
block2:
  return
}";
    let m = ir::parse::parse_module(text).unwrap();
    let f = m.functions.values().next().unwrap();
    let info = LoopInfo::new(f);
    let l = info.loops.iter().next().unwrap();
    let mut scev = Scev::new(f, &info, target::Target::default());
    let header = info.loops.header(l);
    let store = f.layout.insts(header).find(|&i| f.dfg.op(i) == Opcode::Store).unwrap();
    let e = scev.expr(f.dfg.arg(store, 0));
    let analysis::Node::AddRec { start, step, l: of, .. } = scev.exprs.node(e) else { panic!("no recurrence") };
    assert_eq!(of, l);
    assert!(scev.exprs.is_expandable(step) && scev.exprs.is_cheap(step) && scev.is_invariant(start, l));
    // In iteration 3 the address has moved by three steps.
    let three = scev.exprs.constant(3, 64);
    let at = scev.at_iteration(e, l, three).unwrap();
    let (moved, expected) = (scev.sub(at, start), scev.scale(step, 3));
    assert_eq!(moved, expected);
}

/// Exit counts of the only loop of a function in text form, one for each block that leaves it.
fn exits(text: &str) -> Vec<(bool, bool, Option<u64>)> {
    let m = ir::parse::parse_module(text).expect("parses");
    let f = m.functions.values().next().expect("a function");
    let info = LoopInfo::new(f);
    let l = info.loops.iter().next().expect("a loop");
    let mut scev = Scev::new(f, &info, target::Target::default());
    let blocks = info.loops.exiting_blocks(f, l);
    blocks.iter().map(|&b| scev.exit_count(l, b)).map(|c| (c.exact.is_some(), c.strided, c.max)).collect()
}

/// `do { body; i += s; } while (test)`, where `v8` is `i < n` and `v9` what the loop goes on for; whether it is
/// counted by the step.
fn strided(meta: &str, flags: &str, body: &str, test: &str) -> bool {
    let found = exits(&format!(
        "kernel @k(ptr<global>, i32, i32) {{\n  loop0:{meta}\nblock0(v0: ptr<global>, v1: i32, v2: i32):\n  \
         jump block1(i32:0)\nblock1(v3: i32):\n{body}  v7: i32 = add {flags}v3, v2\n  v8: i1 = icmp slt v7, v1\n\
         {test}  br v9, block1(v7), block2 !loop0\nblock2:\n  return\n}}\n"
    ));
    let (exact, strided, max) = found[0];
    assert!(exact == strided && exact == max.is_some(), "{found:?}");
    exact
}

#[test]
fn a_variable_step_is_positive_where_the_loop_must_end() {
    let alone = "  v9: i1 = icmp slt v7, v1\n";
    let store = "  store align 4 v0, v3\n";
    assert!(strided(" must_progress", "nsw ", store, alone));
    // With a step of zero it would never end, and nobody forbids that.
    assert!(!strided(" nounroll", "nsw ", store, alone));
    // With a negative one it may come round again.
    assert!(!strided(" must_progress", "", store, alone));
    // Somebody may wait for what it does in every iteration.
    assert!(!strided(" must_progress", "nsw ", "  store volatile align 4 v0, v3\n", alone));
    assert!(!strided(" must_progress", "nsw ", "  v5: i32 = atomicrmw add relaxed device v0, i32:1\n", alone));
    assert!(!strided(" must_progress", "nsw ", "  intrinsic barrier i32:0\n", alone));
    // Something else may end it, also with a step of zero: neither a count nor a bound.
    let other = "  v6: i32 = load align 4 v0\n  v10: i1 = icmp ne v6, i32:0\n  v9: i1 = and v8, v10\n";
    assert!(!strided(" must_progress", "nsw ", "", other));
}

/// `do { body } while ((i += step) < n)`, unsigned, from `v2`: whether it is counted, and whether it is if it ends.
fn unsigned_steps(meta: &str, step: u32, test: &str, body: &str) -> (bool, bool) {
    let text = format!(
        "module \"t\"\nmath\nkernel @k(ptr<global>, i32, i32) {{\n  loop0:{meta}\nblock0(v0: ptr<global>, v1: i32, v2: i32):\n  \
         jump block1(v2)\nblock1(v3: i32):\n{body}  v7: i32 = add v3, i32:{step}\n  v8: i1 = icmp {test} v7, v1\n  \
         br v8, block1(v7), block2 !loop0\nblock2:\n  return\n}}\n"
    );
    let m = ir::parse::parse_module(&text).unwrap();
    let f = m.functions.values().next().unwrap();
    let info = LoopInfo::new(f);
    let l = info.loops.iter().next().unwrap();
    let mut scev = Scev::new(f, &info, target::Target::default());
    let latch = info.loops.latch(l).unwrap();
    let c = scev.exit_count(l, latch);
    (c.exact.is_some(), c.if_it_ends.is_some())
}

/// A step that divides 2³² comes to the same values again after it has wrapped, so that a loop which has not ended by then
/// never does.
#[test]
fn unsigned_counters_with_steps_of_powers_of_two_are_counted_if_the_loop_ends() {
    let ends = " must_progress";
    assert_eq!(unsigned_steps(ends, 32, "ult", ""), (false, true));
    assert_eq!(unsigned_steps(ends, 1, "ule", ""), (false, true));
    // These may step over the bound after they have wrapped, and end then.
    assert_eq!(unsigned_steps(ends, 48, "ult", ""), (false, false));
    assert_eq!(unsigned_steps(ends, 32, "ule", ""), (false, false));
    // Nobody says that it ends.
    assert_eq!(unsigned_steps(" nounroll", 32, "ult", ""), (false, false));
    // Somebody may wait for what it does in every iteration.
    let waits = "  v5: i32 = atomicrmw add relaxed device v0, i32:1\n";
    assert_eq!(unsigned_steps(ends, 32, "ult", waits), (false, false));
}

#[test]
fn shifts_bound_the_trip_count() {
    let shifted = |op: &str, test: &str| {
        exits(&format!(
            "kernel @k(i32) {{\n  loop0: nounroll\nblock0(v0: i32):\n  v1: i32 = and v0, i32:1000\n  jump block1(v1)\n\
             block1(v2: i32):\n  v3: i32 = {op}\n  v4: i1 = icmp {test}\n  br v4, block1(v3), block2 !loop0\n\
             block2:\n  return\n}}\n"
        ))[0]
            .2
    };
    // Ten digits: after the tenth shift nothing is left.
    assert_eq!(shifted("lshr v2, i32:1", "ne v3, i32:0"), Some(9));
    assert_eq!(shifted("ashr v2, i32:1", "sgt v3, i32:0"), Some(9));
    assert_eq!(shifted("lshr v2, i32:3", "ugt v3, i32:5"), Some(3));
    assert_eq!(shifted("udiv v2, i32:5", "ne i32:0, v3"), Some(4));
    assert_eq!(shifted("lshr v2, i32:1", "ne v2, i32:0"), Some(10));
    // What stays in the end passes the test.
    assert_eq!(shifted("lshr v2, i32:1", "slt v3, i32:5"), None);
    assert_eq!(shifted("lshr v2, i32:0", "ne v3, i32:0"), None);
}

#[test]
fn what_conditions_add_up_bounds_a_loop_if_asked_for() {
    // `n = (a > 0) + (b > 0) + (c > 0)`, as selections between a number and the next; then a loop of `n` rounds.
    let (mut f, entry, args) = function(&[Type::I32, Type::I32, Type::I32]);
    let mut b = Builder::at_end(&mut f, entry);
    let (zero, one) = (b.iconst(Type::I32, 0), b.iconst(Type::I32, 1));
    let mut n = zero;
    for a in args {
        let raised = b.op(Opcode::Add, Flags::NONE, &[n, one]);
        let c = b.icmp(IntCC::Sgt, a, zero);
        let i = b.inst(Opcode::Select, Type::I32, Flags::NONE, &[c, raised, n], ir::Payload::None);
        n = b.func.dfg.result(i).expect("a result");
    }
    counted(&mut b, Shape::Top, Type::I32, zero, 1, IntCC::Slt, n, Flags::NONE);
    b.ret(None);
    let info = LoopInfo::new(&f);
    let l = info.loops.iter().next_back().expect("a loop");
    let most = |counts: bool| {
        let mut scev = Scev::new(&f, &info, target::Target::default());
        scev.counts = counts;
        scev.trip_count(l).max
    };
    assert_eq!(most(true), Some(4), "three rounds, and the test after them");
    assert!(most(false) > Some(4), "{:?}", most(false));
}
