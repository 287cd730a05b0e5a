//! Distances between accesses of nests, against execution.

use analysis::dependence::{Access, Counted, Inner, Nest};
use analysis::{Loop, LoopInfo, Scev};
use ir::{AddrSpace, Block, Builder, Flags, FnKind, Function, IntCC, Opcode, Param, ParamAttrs, Type, Value};

/// `for (i = 0; i < n; i++) for (j = 0; j < m; j++) …` with subscripts computed in the inner body.
struct Built {
    f: Function,
    p: Value,
    i: Value,
    j: Value,
    n: Value,
    body: Block,
}

fn build(n: Option<i64>, m: Option<i64>) -> Built {
    let mut f = Function::new("f", FnKind::Device);
    for ty in [Type::ptr(AddrSpace::Global), Type::I32, Type::I32] {
        f.params.push(Param { ty, name: String::new(), attrs: ParamAttrs::default() });
    }
    let entry = f.new_entry_block();
    let args = f.dfg.params(entry).to_vec();
    let bound = |f: &mut Function, c: Option<i64>, v: Value| c.map_or(v, |c| f.dfg.iconst(Type::I32, c));
    let (n, m) = (bound(&mut f, n, args[1]), bound(&mut f, m, args[2]));
    let blocks: Vec<Block> = (0..7).map(|_| f.new_block()).collect();
    let [guard, outer, inner, body, end, exit, preheader] = blocks[..] else { unreachable!() };
    let i = f.dfg.add_param(outer, Type::I32);
    let j = f.dfg.add_param(inner, Type::I32);
    let mut b = Builder::at_end(&mut f, entry);
    let (zero, one) = (b.iconst(Type::I32, 0), b.iconst(Type::I32, 1));
    b.jump(guard, &[]);
    b.switch_to(guard);
    let some = b.icmp(IntCC::Slt, zero, n);
    b.br(some, (preheader, &[]), (exit, &[]));
    b.switch_to(preheader);
    b.jump(outer, &[zero]);
    b.switch_to(outer);
    b.jump(inner, &[zero]);
    b.switch_to(inner);
    let go = b.icmp(IntCC::Slt, j, m);
    b.br(go, (body, &[]), (end, &[]));
    b.switch_to(body);
    let next = b.op(Opcode::Add, Flags::NSW, &[j, one]);
    b.jump(inner, &[next]);
    b.switch_to(end);
    let next = b.op(Opcode::Add, Flags::NSW, &[i, one]);
    let go = b.icmp(IntCC::Slt, next, n);
    b.br(go, (outer, &[next]), (exit, &[]));
    b.switch_to(exit);
    b.ret(None);
    Built { f, p: args[0], i, j, n, body }
}

impl Built {
    /// `p + 4 × (a × i + b × j + c)`; without `a` the factor of `i` is the variable `n`.
    fn address(&mut self, a: Option<i64>, b_factor: i64, c: i64) -> Value {
        let before = self.f.layout.terminator(self.body);
        let mut b = Builder::before(&mut self.f, before);
        let rows = a.map_or(self.n, |a| b.iconst(Type::I32, a));
        let row = b.op(Opcode::Mul, Flags::NSW, &[self.i, rows]);
        let k = b.iconst(Type::I32, b_factor);
        let column = b.op(Opcode::Mul, Flags::NSW, &[self.j, k]);
        let index = b.op(Opcode::Add, Flags::NSW, &[row, column]);
        let c = b.iconst(Type::I32, c);
        let index = b.op(Opcode::Add, Flags::NSW, &[index, c]);
        let wide = b.cast(Opcode::SExt, index, Type::I64);
        let four = b.iconst(Type::I64, 4);
        let bytes = b.mul(wide, four);
        b.ptradd(self.p, bytes, Flags::INBOUNDS)
    }

    fn distance(&self, x: Value, y: Value, when: Inner) -> Option<u32> {
        let info = LoopInfo::new(&self.f);
        let mut scev = Scev::new(&self.f, &info, target::Target::default());
        let loops: Vec<Loop> = info.loops.iter().collect();
        let header = info.loops.header(loops[1]);
        let count = scev.exit_count(loops[1], header);
        let one = scev.exprs.constant(1, 32);
        let last = count.exact.map(|e| scev.sub(e, one));
        let max_last = count.max.map(|n| n.saturating_sub(1));
        let inner = Counted { l: loops[1], last, max_last, tested_first: true };
        let trips = scev.trip_count(loops[0]);
        let (last, max_last) = (trips.backedges, trips.max.map(|n| n - 1));
        let nest = Nest { outer: Counted { l: loops[0], last, max_last, tested_first: false }, inner };
        let mut access = |v| Access { at: nest.subscript(&mut scev, v), size: 4, inside: true };
        let (x, y) = (access(x), access(y));
        assert!(x.at.is_some() && y.at.is_some(), "not linear");
        nest.distance(&mut scev, &x, &y, when)
    }
}

/// The least distance in a run of `n` by `m` iterations.
fn executed(n: i64, m: i64, x: (i64, i64, i64), y: (i64, i64, i64), when: Inner) -> Option<u32> {
    let mut least = None;
    for i in 0..n {
        for i2 in i + 1..n {
            for j in 0..m {
                for j2 in 0..m {
                    let meet = x.0 * i + x.1 * j + x.2 == y.0 * i2 + y.1 * j2 + y.2;
                    if meet && (when == Inner::Any || j > j2) && least.is_none_or(|d| i2 - i < d) {
                        least = Some(i2 - i);
                    }
                }
            }
        }
    }
    least.map(|d| d as u32)
}

#[test]
fn constant_strides_agree_with_execution() {
    let factors = [(10, 1), (1, 10), (4, 1), (0, 1), (1, 0), (0, 0), (-3, 2), (12, 12)];
    for (n, m) in [(6, 5), (9, 3), (4, 12)] {
        for x in factors {
            for y in factors {
                for c in [-7, 0, 1, 3, 24, 200] {
                    for when in [Inner::Any, Inner::Later] {
                        let mut built = build(Some(n), Some(m));
                        let (a, b) = (built.address(Some(x.0), x.1, c), built.address(Some(y.0), y.1, 0));
                        let found = built.distance(a, b, when);
                        let truth = executed(n, m, (x.0, x.1, c), (y.0, y.1, 0), when);
                        let context = format!("{x:?} + {c} and {y:?}, {n} by {m}, {when:?}");
                        match (found, truth) {
                            (Some(d), Some(t)) => assert!(d <= t, "{context}: found {d}, met at {t}"),
                            (None, Some(t)) => panic!("{context}: missed {t}"),
                            _ => {}
                        }
                        if x == y {
                            assert_eq!(found, truth, "{context}: equal strides are told exactly");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn rows_as_long_as_the_inner_loop_runs_do_not_overlap() {
    // for i < n, for j < n: a[i * n + j]
    let mut built = build(None, None);
    let square = {
        let f = &mut built.f;
        let entry = f.layout.entry();
        let (n, m) = (f.dfg.params(entry)[1], f.dfg.params(entry)[2]);
        f.dfg.replace_value(m, n);
        f.resolve_aliases();
        (built.address(None, 1, 0), built.address(None, 1, 1), built.address(None, 2, 0))
    };
    assert_eq!(built.distance(square.0, square.0, Inner::Later), None);
    assert_eq!(built.distance(square.0, square.1, Inner::Later), Some(1), "the next row's first element");
    assert_eq!(built.distance(square.2, square.2, Inner::Later), Some(1), "rows of 2 n elements, n apart");
    // Rows of n elements, of which m are looked at: nobody knows that m is not larger.
    let mut built = build(None, None);
    let row = built.address(None, 1, 0);
    assert_eq!(built.distance(row, row, Inner::Later), Some(1));
}
