//! Operations lowered without a program: on the parameters of kernels made by hand, as a reader of another IR would, and
//! run by the interpreter.

use builtin_lower::{Context, Emitter, OperandType, Operands, Pointee};
use builtins::{AtomicOp, ControlOp, FloatOp, GeometricOp, IntegerOp, ItemOp, MemoryOp, Op, Order, Rmw, Scope};
use builtins::{SyncOp, ValueOp, Vote};
use interp::{Arg, LaunchConfig, Limits, Machine};
use ir::{AddrSpace, Builder, Flags, FnKind, Function, MathMode, MemInfo, Module, Param, ParamAttrs, Type, Value};
use source::Span;

const GLOBAL: Type = Type::ptr(AddrSpace::Global);

fn context() -> Context {
    Context {
        nan_top: false,
        target: target::Target::default(),
        fast: Flags::NONE,
        contract: false,
        math: MathMode::default(),
        global_offset: false,
        partial_groups: false,
        checks: false,
    }
}

/// A kernel of one parameter, a pointer to the result, and further ones; `body` gets their values.
fn kernel(params: &[Type], body: impl FnOnce(&mut Emitter<'_>, &[Value])) -> Module {
    let mut func = Function::new("k", FnKind::Kernel);
    let param = |ty| Param { ty, name: String::new(), attrs: ParamAttrs::default() };
    func.params = params.iter().map(|&t| param(t)).collect();
    let entry = func.new_entry_block();
    let args = func.dfg.params(entry).to_vec();
    let mut e = Emitter::new(&mut func, entry, Span::NONE, context());
    body(&mut e, &args);
    let end = e.finish().block;
    Builder::at_end(&mut func, end).ret(None);
    let mut module = Module::default();
    module.functions.push(func);
    if let Err(errors) = ir::verify::verify_module(&module) {
        panic!("{}", errors[0]);
    }
    module
}

/// Runs it over one work-item with a buffer of these bytes and further arguments; the buffer.
fn run(module: &Module, bytes: &[u8], more: &[Arg]) -> Vec<u8> {
    let mut machine = Machine::new(module);
    let buffer = machine.alloc_bytes(bytes).expect("memory");
    let mut args = vec![Arg::Pointer(buffer)];
    args.extend_from_slice(more);
    let id = module.find("k").expect("the kernel");
    machine.launch(id, &LaunchConfig::items(1), &args, &Limits::default()).expect("runs");
    machine.read(buffer, bytes.len() as u64).expect("the buffer").to_vec()
}

fn operands(ty: Type, signed: bool, values: &[Value]) -> Operands {
    let mut o = Operands::new(ty, signed);
    for &v in values {
        o.push(v, OperandType { signed, pointee: None });
    }
    o
}

/// What an operation on two 32-bit numbers gives.
fn binary(op: Op, signed: bool, a: u32, b: u32) -> u32 {
    let module = kernel(&[GLOBAL, Type::I32, Type::I32], |e, args| {
        let v = e.lower(op, &operands(Type::I32, signed, &args[1..])).expect("a result");
        e.build(|b| b.store(args[0], v, MemInfo::aligned(4), Flags::NONE));
    });
    let out = run(&module, &[0; 4], &[Arg::Value(a.into()), Arg::Value(b.into())]);
    u32::from_le_bytes(out.try_into().expect("four bytes"))
}

#[test]
fn signedness_is_that_of_the_operands() {
    let minus = u32::MAX;
    assert_eq!(binary(Op::Integer(IntegerOp::Max), true, minus, 1), 1);
    assert_eq!(binary(Op::Integer(IntegerOp::Max), false, minus, 1), minus);
    assert_eq!(binary(Op::Integer(IntegerOp::AddSat), true, 0x7fff_ffff, 1), 0x7fff_ffff);
    assert_eq!(binary(Op::Integer(IntegerOp::AddSat), false, minus, 1), minus);
    let mul24 = Op::Integer(IntegerOp::Mul24 { in_range: false });
    assert_eq!(binary(mul24, false, 0xff00_0003, 5), 15);
    assert_eq!(binary(mul24, true, 0x00ff_ffff, 5), 5u32.wrapping_neg());
}

/// Vectors have no instruction for it, and the operands' high bits do not count.
#[test]
fn products_of_24_bits_are_exact_in_vectors() {
    let two = Type::I32.vector(2).expect("a vector");
    let module = kernel(&[GLOBAL, Type::I32], |e, args| {
        let v = e.splat(args[1], 2);
        let op = Op::Integer(IntegerOp::Mul24 { in_range: false });
        let v = e.lower(op, &operands(two, true, &[v, v])).expect("a result");
        e.build(|b| b.store(args[0], v, MemInfo::aligned(8), Flags::NONE));
    });
    let out = run(&module, &[0; 8], &[Arg::Value(0x7700_0007)]);
    assert_eq!(out, [49, 0, 0, 0, 49, 0, 0, 0]);
}

#[test]
fn overlapping_bytes_move_both_ways() {
    for (to, from) in [(1, 0), (0, 1)] {
        let module = kernel(&[GLOBAL, Type::I64], |e, args| {
            let (dst, src) = (e.offset(args[0], to), e.offset(args[0], from));
            let none = e.lower(Op::Memory(MemoryOp::MemMove), &operands(Type::VOID, false, &[dst, src, args[1]]));
            assert_eq!(none, None);
        });
        let mut expected: Vec<u8> = (0..8).collect();
        expected.copy_within(from as usize..from as usize + 7, to as usize);
        assert_eq!(run(&module, &[0, 1, 2, 3, 4, 5, 6, 7], &[Arg::Value(7)]), expected);
    }
}

#[test]
fn pairs_are_added_atomically() {
    let pair = Type::F16.vector(2).expect("a vector");
    let module = kernel(&[GLOBAL, Type::I32], |e, args| {
        let v = e.reinterpret(args[1], pair);
        let mut o = Operands::new(pair, false);
        let pointee = Pointee { ty: pair, size: 4, align: 4 };
        o.push(args[0], OperandType { signed: false, pointee: Some(pointee) });
        o.push(v, OperandType::default());
        let op = AtomicOp::Rmw { rmw: Rmw::Add, scope: Scope::Device, order: Order::Relaxed };
        let old = e.lower(Op::Atomic(op), &o).expect("the old value");
        assert_eq!(e.ty(old), pair);
    });
    // (1, 2) + (0.5, -2)
    let out = run(&module, &0x4000_3c00u32.to_le_bytes(), &[Arg::Value(0xc000_3800)]);
    assert_eq!(out, 0x0000_3e00u32.to_le_bytes());
}

/// What follows an operation that ends the work-item goes to a block that nothing reaches.
#[test]
fn nothing_follows_the_end() {
    let module = kernel(&[GLOBAL], |e, args| {
        e.lower(Op::Control(ControlOp::Exit), &operands(Type::VOID, false, &[]));
        let one = e.iconst(Type::I32, 1);
        e.build(|b| b.store(args[0], one, MemInfo::aligned(4), Flags::NONE));
    });
    assert_eq!(run(&module, &[0; 4], &[]), [0; 4]);
}

/// One operation of each family that has not been met above, verified.
#[test]
fn each_family_makes_valid_code() {
    let four = Type::F32.vector(4).expect("a vector");
    kernel(&[GLOBAL, Type::F32, Type::I32], |e, args| {
        let v = e.splat(args[1], 4);
        let sum = e.lower(Op::Geometric(GeometricOp::Normalize { fast: false }), &operands(four, false, &[v]));
        let sum = e.lower(Op::Geometric(GeometricOp::Dot), &operands(Type::F32, false, &[sum.expect("a vector"), v]));
        let bits = e.lower(Op::Value(ValueOp::BitCast), &operands(Type::I32, true, &[sum.expect("a number")]));
        let vote = SyncOp::Vote { kind: Vote::Any, sync: false };
        let any = e.lower(Op::Sync(vote), &operands(Type::I32, true, &[bits.expect("bits")]));
        let nan = e.lower(Op::Float(FloatOp::Nan), &operands(Type::F32, false, &[])).expect("a constant");
        let id = e.lower(Op::Item(ItemOp::LocalLinearId), &operands(Type::I32, false, &[])).expect("a number");
        let at = e.resize(id, Type::I64, false);
        let ptr = e.element_ptr(args[0], at, 4, false);
        e.build(|b| b.store(ptr, nan, MemInfo::aligned(4), Flags::NONE));
        e.build(|b| b.store(ptr, any.expect("a truth value"), MemInfo::aligned(4), Flags::NONE));
    });
}
