use super::*;
use crate::testing::run_pass;
use ir::{Builder, Flags};

/// Whether the condition that `build` makes of two `i32` is proved.
fn proved(build: impl FnOnce(&mut Builder<'_>, &[Value]) -> Value) -> bool {
    let mut module = Module::default();
    let id = run_pass(
        &mut module,
        Type::I1,
        &[Type::I32, Type::I32],
        |_, _| false,
        |f, entry, p| {
            let mut b = Builder::at_end(f, entry);
            let c = build(&mut b, p);
            b.ret(Some(c));
        },
    );
    let func = &module.functions[id];
    let cfg = Cfg::new(func);
    let dom = DomTree::new(&cfg);
    let at = func.layout.terminator(func.layout.entry());
    Prover::new(func, &module, &cfg, &dom, Target::default()).holds(func.dfg.arg(at, 0), at)
}

#[test]
fn sums_of_bitwise_operations_are_compared_as_such() {
    let identity = |constant: i64| {
        proved(|b, p| {
            let (and, or) = (b.binary(Opcode::And, p[0], p[1]), b.binary(Opcode::Or, p[0], p[1]));
            let (left, right) = (b.add(and, or), b.add(p[0], p[1]));
            let k = b.iconst(Type::I32, constant);
            let right = b.add(right, k);
            b.icmp(IntCC::Eq, left, right)
        })
    };
    assert!(identity(0));
    assert!(!identity(4));
}

#[test]
fn a_product_of_neighbours_is_even() {
    let even = |step: i64| {
        proved(|b, p| {
            let k = b.iconst(Type::I32, step);
            let next = b.add(p[0], k);
            let product = b.binary(Opcode::Mul, p[0], next);
            let one = b.iconst(Type::I32, 1);
            let low = b.binary(Opcode::And, product, one);
            let zero = b.iconst(Type::I32, 0);
            b.icmp(IntCC::Eq, low, zero)
        })
    };
    assert!(even(1) && even(3));
    assert!(!even(2));
}

#[test]
fn what_may_wrap_proves_nothing() {
    let grows = |flags: Flags| {
        proved(|b, p| {
            let one = b.iconst(Type::I32, 1);
            let i = b.inst(Opcode::Add, Type::I32, flags, &[p[0], one], Payload::None);
            let next = b.func.dfg.res(i);
            b.icmp(IntCC::Sgt, next, p[0])
        })
    };
    assert!(grows(Flags::NSW));
    assert!(!grows(Flags::NONE));
}

#[test]
fn what_a_mask_takes_away_is_its_clear_bits() {
    let below = |limit: i64| {
        proved(|b, p| {
            let mask = b.iconst(Type::I32, -16);
            let high = b.binary(Opcode::And, p[0], mask);
            let low = b.binary(Opcode::Sub, p[0], high);
            let limit = b.iconst(Type::I32, limit);
            b.icmp(IntCC::Ult, low, limit)
        })
    };
    assert!(below(16));
    assert!(!below(15));
}
