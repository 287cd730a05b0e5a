//! The writer and a target that is none of ours: what is the target's is as it says.

use super::convention::{Call, Convention, TrapWord};
use super::ll::{Func, Ll, Val};
use super::{Request, Unit, write};
use crate::target_machine::owned;
use crate::{HostMachine, LlvmError, OptLevel};
use inkwell::llvm_sys::core::LLVMPrintModuleToString;
use ir::{AddrSpace, Function, GlobalData, Intrinsic, Scope, SpecialReg};
use source::Span;

/// Address spaces with numbers of their own, kernels that are marked, traps by an instruction.
struct Imaginary;

impl Convention for Imaginary {
    fn check_entry(&self, name: &str, f: &Function) -> Result<(), LlvmError> {
        let kernel = f.kind == ir::FnKind::Kernel;
        if kernel { Ok(()) } else { Err(LlvmError::unsupported(format!("`{name}`"), f.span, "make it a kernel")) }
    }
    fn entry(&self, ll: &Ll<'_>, func: Func, _: &Function) {
        ll.text_attribute(func, "imaginary-kernel", "yes");
    }
    fn function(&self, ll: &Ll<'_>, func: Func, ftz: bool) {
        ll.text_attribute(func, "imaginary-ftz", if ftz { "yes" } else { "no" });
    }
    fn stack_limit(&self) -> u64 {
        1000
    }
    fn space(&self, space: AddrSpace) -> u32 {
        match space {
            AddrSpace::Global => 1,
            AddrSpace::Shared => 3,
            AddrSpace::Constant => 4,
            _ => 0,
        }
    }
    fn check_global(&self, _: &GlobalData, _: Span) -> Result<(), LlvmError> {
        Ok(())
    }
    fn is_unshared(&self, space: AddrSpace) -> bool {
        space == AddrSpace::Private
    }
    fn fences(&self, _: Scope) -> bool {
        true
    }
    fn trap_word(&self) -> Option<TrapWord> {
        None
    }
    fn flushes(&self) -> bool {
        true
    }
    fn converts_half(&self) -> bool {
        true
    }
    fn fuses(&self) -> bool {
        true
    }
    fn gathers(&self, _: u32) -> bool {
        false
    }
    fn has_lanes(&self) -> bool {
        true
    }
    fn masks(&self, _: u32) -> bool {
        true
    }
    fn asks_before_stores(&self) -> bool {
        false
    }
    fn scatters(&self, _: u32) -> bool {
        false
    }
    fn estimate_inverse_root(&self, _: &Ll<'_>, _: Val, _: u32) -> Option<Val> {
        None
    }
    fn picks_words(&self, _: u32) -> bool {
        false
    }
    fn pick_words(&self, _: &Ll<'_>, v: Val, _: Val, _: u32) -> Val {
        v
    }
    fn special(&self, ll: &Ll<'_>, reg: SpecialReg, _: Span) -> Result<Val, LlvmError> {
        let f = ll.function(&format!("imaginary.{}", reg.name()), ll.function_type(ll.int(32, 1), &[]));
        Ok(ll.call(f, &[]))
    }
    fn intrinsic(&self, ll: &Ll<'_>, call: &Call<'_>) -> Result<Option<Val>, LlvmError> {
        if call.op == Intrinsic::Barrier {
            ll.call(ll.function("imaginary.barrier", ll.function_type(ll.void(), &[])), &[]);
            return Ok(None);
        }
        Err(LlvmError::unsupported(call.op.name(), call.span, "wait"))
    }
}

/// LLVM's text of what `entry` reaches.
fn text(module: &str, entry: &str) -> Result<String, LlvmError> {
    let module = ir::parse::parse_module(module).unwrap_or_else(|e| panic!("{e}"));
    if let Err(errors) = ir::verify::verify_module(&module) {
        panic!("{}", errors[0]);
    }
    let host = HostMachine::detect()?;
    let unit = Unit::new("t", host.triple(), &host.code_generator(OptLevel::O0)?);
    write(&module, &Imaginary, &Request { entries: &[entry], ..Request::default() }, &unit)?;
    // SAFETY: the module is alive; the string is ours.
    Ok(unsafe { owned(LLVMPrintModuleToString(unit.module)) })
}

const TEXT: &str = r#"module "t"
math
global @table: constant size 8 align 4 elem i32 constant = x0100000002000000
global @tile: shared size 64 align 16 elem i32 = zero
global @p: global size 8 align 8 elem i64 = x0000000000000000 reloc 0 @table 4
kernel @k(ptr<global>) {
block0(v0: ptr<global>):
  v1: i32 = special tid.x
  intrinsic barrier i32:0
  v2: i32 = atomicrmw add relaxed group @tile, v1
  fence acqrel group
  v3: ptr = addrspacecast v0
  v4: i32 = call @trapping v3, v2
  store align 4 v0, v4
  v5: i64 = load align 8 @p
  store align 8 v3, v5
  return
}
fn @trapping(ptr, i32) -> i32 {
block0(v0: ptr, v1: i32):
  v2: i1 = icmp eq v1, i32:7
  br v2, block1, block2
block1:
  intrinsic trap
  unreachable
block2:
  return v1
}
"#;

#[test]
fn the_target_says_what_is_its_own() {
    let text = text(TEXT, "k").unwrap_or_else(|e| panic!("{e}"));
    let has = |what: &str| assert!(text.contains(what), "no `{what}` in\n{text}");
    has("define void @k(ptr addrspace(1) %0)");
    has("\"imaginary-kernel\"=\"yes\"");
    has("\"imaginary-ftz\"=\"no\"");
    has("@unspool.var.tile = internal addrspace(3) global");
    has("addrspacecast (ptr addrspace(4) getelementptr (i8, ptr addrspace(4) @unspool.var.table, i64 4) to ptr)");
    has("call i32 @imaginary.tid.x()");
    has("call void @imaginary.barrier()");
    has("atomicrmw add ptr addrspace(3) @unspool.var.tile");
    has("fence acq_rel");
    has("addrspacecast ptr addrspace(1) %0 to ptr");
    // Nothing is handed down for traps, and nobody looks after a call.
    has("define internal i32 @unspool.fn.trapping(ptr %0, i32 %1)");
    has("call void @llvm.trap()");
}

/// A sum of `x[k]` and one of `x[c[k]]`, in any order.
const SUMS: &str = r#"module "t"
math
kernel @k(ptr<global>, ptr<global>, i64) {
  loop0: any_order
block0(v0: ptr<global>, v1: ptr<global>, v2: i64):
  jump block1(i64:0, i32:0)
block1(v3: i64, v4: i32):
  v5: i64 = mul v3, i64:4
  v6: ptr<global> = ptradd v0, v5
  v7: i32 = load align 4 v6
  LOAD
  v11: i32 = add v4, v10
  v12: i64 = add v3, i64:1
  v13: i1 = icmp slt v12, v2
  br v13, block1(v12, v11), block2 !loop0
block2:
  store align 4 v0, v11
  return
}
"#;

/// LLVM looked at all that is done with a variable on the stack for each address in it that does not say that it is: 1280
/// elements of a private array in three seconds.
#[test]
fn addresses_in_variables_on_the_stack_did_not_say_so() {
    let steps = "module \"t\"\nmath\nkernel @k(ptr<global>, i64) {\n  slot0: size 80 align 4\nblock0(v0: ptr<global>, v1: i64):\n  \
                 v2: ptr<private> = ptradd &slot0, i64:76\n  store align 4 v2, i32:1\n  v3: ptr<private> = ptradd v2, i64:-64\n  \
                 store align 4 v3, i32:2\n  v4: ptr<private> = ptradd &slot0, i64:84\n  store align 4 v4, i32:3\n  \
                 v5: ptr<private> = ptradd &slot0, v1\n  v6: ptr<private> = ptradd v5, i64:8\n  store align 4 v6, i32:4\n  return\n}\n";
    let text = text(steps, "k").expect("it is written");
    let addresses: Vec<&str> = text.lines().filter_map(|l| l.split_once("getelementptr ")).map(|(_, a)| a).collect();
    let of = ["inbounds i8, ptr %3, i64 76", "inbounds i8, ptr %3, i64 12", "i8, ptr %3, i64 84", "i8, ptr %3, i64 %1"];
    assert_eq!(addresses[..4], of, "{text}");
    assert_eq!(addresses.len(), 5, "{text}");
}

/// Vectors that are loaded from anywhere took longer than one number after another.
#[test]
fn sums_of_what_is_found_by_indices_are_several_and_not_vectors() {
    let along = text(&SUMS.replace("LOAD", "v10: i32 = xor v7, i32:5"), "k").expect("it is written");
    assert!(along.contains("vectorize.enable") && !along.contains("vectorize.width"), "{along}");
    let indices = "v8: i64 = sext v7\n  v14: i64 = mul v8, i64:4\n  v9: ptr<global> = ptradd v1, v14\n  v10: i32 = load align 4 v9";
    let from_anywhere = text(&SUMS.replace("LOAD", indices), "k").expect("it is written");
    for words in ["vectorize.enable", "!\"llvm.loop.vectorize.width\", i32 1", "!\"llvm.loop.interleave.count\", i32 4"]
    {
        assert!(from_anywhere.contains(words), "{words}: {from_anywhere}");
    }
}

/// What `-fast` says of every sum was not what a clause says of one: LLVM loaded eight lanes from anywhere.
#[test]
fn sums_that_options_let_be_in_any_order_are_several_too() {
    let indices = "v8: i64 = sext v7\n  v14: i64 = mul v8, i64:4\n  v9: ptr<global> = ptradd v1, v14\n  v10: f32 = load align 4 v9";
    let sums = SUMS.replace("LOAD", indices).replace("loop0: any_order\n", "").replace(" !loop0", "");
    let sums = sums.replace("v4: i32", "v4: f32").replace("i32:0)", "f32:0)");
    let of = |op: &str| text(&sums.replace("v11: i32 = add", op), "k").expect("it is written");
    assert!(of("v11: f32 = fadd reassoc").contains("llvm.loop.interleave.count"), "{}", of("v11: f32 = fadd reassoc"));
    assert!(!of("v11: f32 = fadd").contains("llvm.loop"), "{}", of("v11: f32 = fadd"));
}

#[test]
fn the_target_refuses() {
    let why = |module: &str, entry: &str| text(module, entry).expect_err("refused").to_string();
    assert!(why(TEXT, "trapping").contains("make it a kernel"));
    assert!(why(&TEXT.replace("intrinsic barrier i32:0", "intrinsic brkpt"), "k").contains("wait"));
    let big = "module \"t\"\nmath\nkernel @k() {\n  slot0: size 2000 align 8\nblock0:\n  return\n}\n";
    assert!(why(big, "k").contains("more than 1000"));
}

/// Rodinia's `dwt2d`: each vector of work-items cleared an array of the group, one number after another.
#[test]
fn loops_that_only_store_were_loops_of_scalars_beside_vectors() {
    let clears = r#"module "t"
math
kernel @k(ptr<global>, ptr<global>, i64) {
block0(v0: ptr<global>, v1: ptr<global>, v2: i64):
  v3: i32x4 = load align 4 v1
  store align 4 v1, v3
  jump block1(i64:0, PARAM)
block1(v4: i64, v5: TYPE):
  v6: i64 = mul v4, i64:4
  v7: ptr<global> = ptradd v0, v6
  store align 4 v7, v5
  v8: TYPE = ADD v5, v5
  v9: i64 = add v4, i64:1
  v10: i1 = icmp slt v9, v2
  br v10, block1(v9, v8), block2
block2:
  return
}
"#;
    let of = |ty: &str, add: &str| {
        let source = clears.replace("PARAM", &format!("{ty}:1")).replace("TYPE", ty).replace("ADD", add);
        text(&source, "k").expect("it is written")
    };
    assert!(of("i32", "add").contains("vectorize.enable"), "{}", of("i32", "add"));
    // Floats would be added in another order.
    assert!(!of("f32", "fadd").contains("vectorize.enable"), "{}", of("f32", "fadd"));
}
