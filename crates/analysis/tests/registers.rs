//! The guess at registers: what takes none, what is scheduled late, what overlaps.

use analysis::registers::estimate;
use analysis::{Cfg, Liveness};
use ir::{AddrSpace, Builder, Flags, FnKind, Function, MemInfo, Opcode, Param, ParamAttrs, Type, Value};

fn kernel(kind: FnKind, params: &[Type]) -> (Function, Vec<Value>) {
    let mut f = Function::new("k", kind);
    let param = |&ty| Param { ty, name: String::new(), attrs: ParamAttrs::default() };
    f.params = params.iter().map(param).collect();
    let entry = f.new_entry_block();
    let p = f.dfg.params(entry).to_vec();
    (f, p)
}

fn guess(f: &Function, free: u32) -> u32 {
    let cfg = Cfg::new(f);
    estimate(f, &cfg, &Liveness::new(f, &cfg), free)
}

/// The result of a new instruction.
fn result(b: &mut Builder<'_>, op: Opcode, ty: Type, args: [Value; 2]) -> Value {
    let i = b.inst(op, ty, Flags::NONE, &args, ir::Payload::None);
    b.func.dfg.result(i).expect("a result")
}

/// The sum of `n` elements, all loaded before the first addition, stored at the end.
fn sum(kind: FnKind, n: i64) -> Function {
    let global = Type::ptr(AddrSpace::Global);
    let (mut f, p) = kernel(kind, &[global, global]);
    let entry = f.layout.entry();
    let mut b = Builder::at_end(&mut f, entry);
    let loads: Vec<Value> = (0..n)
        .map(|k| {
            let distance = b.iconst(Type::I64, 4 * k);
            let address = result(&mut b, Opcode::PtrAdd, global, [p[0], distance]);
            b.load(Type::F32, address, MemInfo::aligned(4), Flags::NONE)
        })
        .collect();
    let total = loads[1..].iter().fold(loads[0], |s, &x| result(&mut b, Opcode::FAdd, Type::F32, [s, x]));
    b.store(p[1], total, MemInfo::aligned(4), Flags::NONE);
    b.ret(None);
    f
}

#[test]
fn loads_overlap_while_registers_are_free_and_wait_where_they_are_not() {
    let many = sum(FnKind::Kernel, 100);
    assert_eq!(guess(&many, 32), 32, "up to the free registers");
    assert_eq!(guess(&many, 64), 64);
    assert!(guess(&many, 4) < 10, "late loads need few");
    let few = sum(FnKind::Kernel, 4);
    assert!((5..=12).contains(&guess(&few, 32)), "{}", guess(&few, 32));
}

#[test]
fn parameters_of_kernels_take_no_registers() {
    let (kernel, device) = (sum(FnKind::Kernel, 16), sum(FnKind::Device, 16));
    assert_eq!(guess(&device, 255) - guess(&kernel, 255), 3, "two addresses, less the last load's result");
}

#[test]
fn an_empty_function_has_its_stack_pointer() {
    let (mut f, _) = kernel(FnKind::Kernel, &[]);
    let entry = f.layout.entry();
    Builder::at_end(&mut f, entry).ret(None);
    assert!((1..=4).contains(&guess(&f, 32)));
}
