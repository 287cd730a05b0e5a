use super::{run, run_before_inlining};
use crate::testing::{apply, run_pass};
use ir::{Builder, Flags, Function, IntCC, MemInfo, Module, Opcode, SlotData, Type, Value};

fn slot(f: &mut Function, size: u32) -> Value {
    let s = f.slots.push(SlotData { size, align: 16, dims: Default::default(), name: String::new() });
    f.slot_addr(s)
}

fn at(b: &mut Builder<'_>, p: Value, offset: i64) -> Value {
    let k = b.iconst(Type::I64, offset);
    b.ptradd(p, k, Flags::NONE)
}

const M: fn(u32) -> MemInfo = MemInfo::aligned;

fn count(module: &Module, f: ir::FuncId, op: Opcode) -> usize {
    let f = &module.functions[f];
    f.layout.blocks().flat_map(|b| f.layout.insts(b)).filter(|&i| f.dfg.op(i) == op).count()
}

#[test]
fn a_loop_variable_becomes_a_parameter() {
    let mut module = Module::default();
    let f = run_pass(&mut module, Type::I32, &[Type::I32], run, |f, entry, p| {
        let (head, body, exit) = (f.new_block(), f.new_block(), f.new_block());
        let i = slot(f, 4);
        let mut b = Builder::at_end(f, entry);
        let zero = b.iconst(Type::I32, 0);
        b.store(i, zero, M(4), Flags::NONE);
        b.jump(head, &[]);
        b.switch_to(head);
        let x = b.load(Type::I32, i, M(4), Flags::NONE);
        let c = b.icmp(IntCC::Slt, x, p[0]);
        b.br(c, (body, &[]), (exit, &[]));
        b.switch_to(body);
        let x = b.load(Type::I32, i, M(4), Flags::NONE);
        let one = b.iconst(Type::I32, 1);
        let next = b.add(x, one);
        b.store(i, next, M(4), Flags::NONE);
        b.jump(head, &[]);
        b.switch_to(exit);
        let x = b.load(Type::I32, i, M(4), Flags::NONE);
        b.ret(Some(x));
    });
    assert_eq!((count(&module, f, Opcode::Load), count(&module, f, Opcode::Store)), (0, 0));
    let func = &module.functions[f];
    let params: usize = func.layout.blocks().skip(1).map(|b| func.dfg.params(b).len()).sum();
    assert_eq!(params, 1, "pruned: only the header has one");
}

#[test]
fn unions_vectors_and_truth_values() {
    let mut module = Module::default();
    let f = run_pass(&mut module, Type::I32, &[Type::F32, Type::I1], run, |f, entry, p| {
        let s = slot(f, 16);
        let mut b = Builder::at_end(f, entry);
        let v = b.vec_build(&[p[0], p[0]]);
        b.store(s, v, M(8), Flags::NONE);
        let second = at(&mut b, s, 4);
        let bits = b.load(Type::I32, second, M(4), Flags::NONE);
        let byte_at = at(&mut b, s, 3);
        let byte = b.load(Type::I8, byte_at, M(1), Flags::NONE);
        let third = at(&mut b, s, 8);
        b.store(third, p[1], M(1), Flags::NONE);
        let t = b.load(Type::I1, third, M(1), Flags::NONE);
        let wide = b.cast(Opcode::ZExt, byte, Type::I32);
        let r = b.select(t, bits, wide);
        b.ret(Some(r));
    });
    assert_eq!((count(&module, f, Opcode::Load), count(&module, f, Opcode::Store)), (0, 0));
}

/// A number of 64 bits whose halves are written one after another was put together each time.
#[test]
fn halves_of_a_long_number_are_variables() {
    let mut module = Module::default();
    let f = run_pass(&mut module, Type::I64, &[Type::F32, Type::F32], run, |f, entry, p| {
        let s = slot(f, 16);
        let mut b = Builder::at_end(f, entry);
        let zero = b.iconst(Type::I64, 0);
        b.store(s, zero, M(8), Flags::NONE);
        b.store(s, p[0], M(4), Flags::NONE);
        let high = at(&mut b, s, 4);
        b.store(high, p[1], M(4), Flags::NONE);
        let low = b.load(Type::F32, s, M(4), Flags::NONE);
        let sum = b.binary(Opcode::FAdd, low, p[1]);
        b.store(s, sum, M(4), Flags::NONE);
        let r = b.load(Type::I64, s, M(8), Flags::NONE);
        b.ret(Some(r));
    });
    let found = [Opcode::Load, Opcode::Store, Opcode::And, Opcode::Or, Opcode::Shl].map(|op| count(&module, f, op));
    assert_eq!(found, [0, 0, 0, 1, 1]);
}

/// What crosses the middle keeps the number whole.
#[test]
fn a_long_number_with_a_part_of_both_halves_stays_one() {
    let mut module = Module::default();
    let f = run_pass(&mut module, Type::I32, &[Type::I64, Type::I32], run, |f, entry, p| {
        let s = slot(f, 8);
        let mut b = Builder::at_end(f, entry);
        b.store(s, p[0], M(8), Flags::NONE);
        let high = at(&mut b, s, 4);
        b.store(high, p[1], M(4), Flags::NONE);
        let middle = at(&mut b, s, 2);
        let r = b.load(Type::I32, middle, M(2), Flags::NONE);
        b.ret(Some(r));
    });
    assert_eq!((count(&module, f, Opcode::Load), count(&module, f, Opcode::Store)), (0, 0));
    assert_eq!(count(&module, f, Opcode::LShr), 1);
}

#[test]
fn copies_become_element_accesses() {
    let mut module = Module::default();
    let f = run_pass(&mut module, Type::F32, &[Type::PTR], run, |f, entry, p| {
        let (s, t) = (slot(f, 16), slot(f, 16));
        let mut b = Builder::at_end(f, entry);
        let n = b.iconst(Type::I64, 16);
        b.memcpy(s, p[0], n, M(4));
        b.memcpy(t, s, n, M(4));
        let q = at(&mut b, t, 8);
        let v = b.load(Type::F32, q, M(4), Flags::NONE);
        b.memcpy(p[0], t, n, M(4));
        b.ret(Some(v));
    });
    assert_eq!(count(&module, f, Opcode::MemCpy), 0);
    assert_eq!(count(&module, f, Opcode::Load), 4, "the float, and what surrounds it in pieces as large");
    assert_eq!(count(&module, f, Opcode::Store), 4);
    assert!(!apply(&mut module, f, run));
}

/// An array that a loop fills is copied to one that is promoted before the loop becomes straight-line code.
#[test]
fn copies_of_arrays_are_taken_in_elements_before_their_indices_are_known() {
    let mut module = Module::default();
    let f = run_pass(&mut module, Type::VOID, &[Type::PTR, Type::I64, Type::F32], run, |f, entry, p| {
        let (array, bits) = (slot(f, 16), slot(f, 16));
        let mut b = Builder::at_end(f, entry);
        let somewhere = b.ptradd(array, p[1], Flags::NONE);
        b.store(somewhere, p[2], M(4), Flags::NONE);
        let n = b.iconst(Type::I64, 16);
        b.memcpy(bits, array, n, M(1));
        b.memcpy(p[0], bits, n, M(16));
        b.ret(None);
    });
    assert_eq!(count(&module, f, Opcode::Load), 4);
    assert_eq!(count(&module, f, Opcode::Store), 5);
}

#[test]
fn places_that_are_products_of_constants_are_known() {
    let mut module = Module::default();
    let f = run_pass(&mut module, Type::F32, &[Type::F32], run, |f, entry, p| {
        let s = slot(f, 16);
        let mut b = Builder::at_end(f, entry);
        let (index, size) = (b.iconst(Type::I64, 3), b.iconst(Type::I64, 4));
        let offset = b.mul(index, size);
        let q = b.ptradd(s, offset, Flags::NONE);
        b.store(q, p[0], M(4), Flags::NONE);
        let v = b.load(Type::F32, q, M(4), Flags::NONE);
        b.ret(Some(v));
    });
    assert_eq!(count(&module, f, Opcode::Load) + count(&module, f, Opcode::Store), 0);
}

/// What a caller's slot is made of is not known before the function is a part of the caller.
#[test]
fn copies_from_a_callers_slot_stay_copies_until_it_is_seen() {
    let mut module = Module::default();
    let copy = |f: &mut Function, entry, p: &[Value]| {
        let s = slot(f, 16);
        let mut b = Builder::at_end(f, entry);
        let n = b.iconst(Type::I64, 16);
        b.memcpy(s, p[0], n, M(4));
        b.memcpy(p[1], s, n, M(4));
        b.ret(None);
    };
    let f = run_pass(&mut module, Type::VOID, &[Type::PTR, Type::PTR], run_before_inlining, copy);
    assert_eq!(count(&module, f, Opcode::MemCpy), 2);
    assert!(apply(&mut module, f, run));
    assert_eq!((count(&module, f, Opcode::MemCpy), count(&module, f, Opcode::Load)), (0, 2));
}

/// Objects of empty classes went through tens of thousands of copies each, and what they made of a function's size kept it from
/// being inlined.
#[test]
fn copies_that_nobody_reads_do_not_wait_for_callers() {
    let mut module = Module::default();
    let f = run_pass(&mut module, Type::VOID, &[Type::PTR, Type::PTR], run_before_inlining, |f, entry, p| {
        let (a, c, kept) = (slot(f, 8), slot(f, 8), slot(f, 8));
        let mut b = Builder::at_end(f, entry);
        let n = b.iconst(Type::I64, 8);
        b.memcpy(a, p[0], n, M(4));
        b.memcpy(c, a, n, M(4));
        b.memcpy(kept, p[0], n, M(4));
        b.memcpy(p[1], kept, n, M(4));
        b.ret(None);
    });
    assert_eq!(count(&module, f, Opcode::MemCpy), 2, "what comes to memory waits for callers, the others are gone");
}

#[test]
fn unknown_indices_and_escapes_stay() {
    let mut module = Module::default();
    let f = run_pass(&mut module, Type::I32, &[Type::I64], run, |f, entry, p| {
        let (s, t) = (slot(f, 64), slot(f, 4));
        let mut b = Builder::at_end(f, entry);
        let q = b.ptradd(s, p[0], Flags::NONE);
        let v = b.load(Type::I32, q, M(4), Flags::NONE);
        b.store(s, v, M(4), Flags::NONE);
        b.store(t, v, M(4), Flags::NONE);
        let address = b.cast(Opcode::PtrToInt, t, Type::I64);
        b.store(s, address, M(8), Flags::NONE);
        b.ret(Some(v));
    });
    assert_eq!(count(&module, f, Opcode::Load), 1);
    assert_eq!(count(&module, f, Opcode::Store), 3);
}

/// Two slots of two integers each, and what `f` makes of their addresses in a block that two ways reach.
fn two_ways(module: &mut Module, f: impl FnOnce(&mut Builder<'_>, [Value; 2], Value, &[Value]) -> Value) -> ir::FuncId {
    run_pass(module, Type::I32, &[Type::I32, Type::I32, Type::I1], run, |func, entry, p| {
        let (a, c) = (slot(func, 8), slot(func, 8));
        let (yes, no, end) = (func.new_block(), func.new_block(), func.new_block());
        let chosen = func.dfg.add_param(end, func.dfg.ty(a));
        let mut b = Builder::at_end(func, entry);
        for (s, v) in [(a, p[0]), (c, p[1])] {
            let second = at(&mut b, s, 4);
            b.store(s, v, M(4), Flags::NONE);
            b.store(second, v, M(4), Flags::NONE);
        }
        b.br(p[2], (yes, &[]), (no, &[]));
        b.switch_to(yes);
        b.jump(end, &[a]);
        b.switch_to(no);
        b.jump(end, &[c]);
        b.switch_to(end);
        let r = f(&mut b, [a, c], chosen, p);
        b.ret(Some(r));
    })
}

#[test]
fn a_structure_chosen_from_two_needs_no_memory() {
    let mut module = Module::default();
    let f = two_ways(&mut module, |b, [a, _], chosen, _| {
        // Copied over one that it may be.
        let n = b.iconst(Type::I64, 8);
        b.memcpy(a, chosen, n, M(4));
        let second = at(b, a, 4);
        let (x, y) = (b.load(Type::I32, a, M(4), Flags::NONE), b.load(Type::I32, second, M(4), Flags::NONE));
        b.add(x, y)
    });
    let left = [Opcode::Load, Opcode::Store, Opcode::MemCpy].map(|op| count(&module, f, op));
    assert_eq!(left, [0; 3]);
    assert_eq!(count(&module, f, Opcode::Select), 2, "64 bits that are copied are two elements, or one and its halves");
}

/// As `max(max(a, b), c)` of references.
#[test]
fn what_is_chosen_from_a_choice_is_read_from_three() {
    let mut module = Module::default();
    let f = two_ways(&mut module, |b, [a, _], chosen, p| {
        let of_three = b.value(Opcode::Select, b.ty(a), Flags::NONE, &[p[2], a, chosen], ir::Payload::None);
        let second = at(b, of_three, 4);
        let first = b.load(Type::I32, chosen, M(4), Flags::NONE);
        let v = b.load(Type::I32, second, M(4), Flags::NONE);
        b.add(first, v)
    });
    assert_eq!((count(&module, f, Opcode::Load), count(&module, f, Opcode::Store)), (0, 0));
}

#[test]
fn a_chosen_structure_that_is_written_or_leaves_stays() {
    let mut module = Module::default();
    let f = two_ways(&mut module, |b, _, chosen, p| {
        b.store(chosen, p[0], M(4), Flags::NONE);
        b.load(Type::I32, chosen, M(4), Flags::NONE)
    });
    assert_eq!((count(&module, f, Opcode::Load), count(&module, f, Opcode::Store)), (1, 5));
    let f = two_ways(&mut module, |b, [a, _], chosen, _| {
        let address = b.cast(Opcode::PtrToInt, chosen, Type::I64);
        b.store(a, address, M(8), Flags::NONE);
        b.load(Type::I32, a, M(4), Flags::NONE)
    });
    assert_eq!(count(&module, f, Opcode::Store), 5);
}

/// A read of a slot that is not the chosen one may not claim the alignment of the one that is.
#[test]
fn what_is_read_besides_is_aligned_as_its_slot_is() {
    let mut module = Module::default();
    let f = two_ways(&mut module, |b, [a, _], chosen, _| {
        let address = b.cast(Opcode::PtrToInt, a, Type::I64);
        let low = b.cast(Opcode::Trunc, address, Type::I32);
        let v = b.load(Type::I32, chosen, M(64), Flags::NONE);
        b.add(v, low)
    });
    let func = &module.functions[f];
    let loads = func.layout.blocks().flat_map(|b| func.layout.insts(b).collect::<Vec<_>>());
    let loads = loads.filter(|&i| func.dfg.op(i) == Opcode::Load);
    let aligned: Vec<u32> = loads.filter_map(|i| func.dfg.insts[i].mem().map(|m| m.align())).collect();
    assert!(!aligned.is_empty() && aligned.iter().all(|&a| a <= 16), "{aligned:?}");
}
