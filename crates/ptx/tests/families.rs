//! Every opcode on every type, assembled.

mod common;
use common::*;
use ir::*;

const INTS: [Type; 5] = [Type::I1, Type::I8, Type::I16, Type::I32, Type::I64];
const FLOATS: [Type; 4] = [Type::F16, Type::BF16, Type::F32, Type::F64];

fn mem(ty: Type) -> MemInfo {
    MemInfo::aligned(ty.scalar_bytes() * u32::from(ty.lanes()).next_power_of_two())
}

/// A kernel that applies `f` to three loaded values of type `ty` and stores the result.
fn apply(m: &mut Module, ty: Type, f: impl FnOnce(&mut Builder, [Value; 3]) -> Value) {
    let name = format!("k{}", m.functions.len());
    kernel(m, &name, &[GLOBAL, GLOBAL], |b, args| {
        let mut v = [args[0]; 3];
        for (n, slot) in v.iter_mut().enumerate() {
            let offset = b.iconst(Type::I64, 128 * n as i64);
            let p = b.ptradd(args[0], offset, Flags::NONE);
            *slot = b.load(ty, p, mem(ty), Flags::NONE);
        }
        let r = f(b, v);
        let ty = b.ty(r);
        b.store(args[1], r, mem(ty), Flags::NONE);
        b.ret(None);
    });
}

fn shapes(ty: Type) -> [Type; 2] {
    [ty, ty.vector(2).unwrap()]
}

#[test]
fn integers() {
    use Opcode::*;
    let mut m = Module::default();
    for op in Opcode::ALL.iter().copied().filter(|&op| op <= Fshr) {
        let n = op.operand_count().unwrap();
        for ty in INTS.into_iter().flat_map(shapes) {
            if ty.bits() == 1 && matches!(op, ByteSwap) {
                continue;
            }
            apply(&mut m, ty, |b, v| b.op(op, Flags::NONE, &v[..n]));
            if ty.is_vector() {
                continue;
            }
            let c = |b: &mut Builder| b.iconst(ty, 3);
            apply(&mut m, ty, |b, v| {
                let k = c(b);
                let args = [v[0], k, k];
                b.op(op, Flags::NONE, &args[..n])
            });
            apply(&mut m, ty, |b, v| {
                let k = c(b);
                let args = [k, v[0], v[1]];
                b.op(op, Flags::NONE, &args[..n])
            });
        }
    }
    assemble(&emit_for(&m, 75), "integers", 75);
}

#[test]
fn floats() {
    use Opcode::*;
    let ops: Vec<Opcode> = Opcode::ALL.iter().copied().filter(|&op| (FAdd..=FRint).contains(&op)).collect();
    let mut m = Module::default();
    for &op in &ops {
        let n = op.operand_count().unwrap();
        for ty in FLOATS.into_iter().flat_map(shapes) {
            apply(&mut m, ty, |b, v| b.op(op, Flags::NONE, &v[..n]));
            if ty.is_vector() {
                continue;
            }
            apply(&mut m, ty, |b, v| b.op(op, Flags::FAST, &v[..n]));
            apply(&mut m, ty, |b, v| {
                let k = b.fconst(ty, 1.0);
                let args = [k, v[0], k];
                b.op(op, Flags::FTZ, &args[..n])
            });
            if matches!(op, FAdd | FSub | FMul | FDiv | Fma | FSqrt) {
                for r in Round::ALL {
                    apply(&mut m, ty, |b, v| {
                        let i = b.inst(op, ty, Flags::SAT, &v[..n], Payload::Round(r));
                        b.func.dfg.res(i)
                    });
                }
            }
        }
    }
    for sm in [50, 90] {
        assemble(&emit_for(&m, sm), "floats", sm);
    }
    m.math = MathMode { ftz: true, prec_div: false, prec_sqrt: false, fmad: false };
    assemble(&emit_for(&m, 80), "floats-fast", 80);
}

#[test]
fn comparisons() {
    let mut m = Module::default();
    for ty in INTS.into_iter().flat_map(shapes) {
        for cc in IntCC::ALL {
            apply(&mut m, ty, |b, v| b.icmp(cc, v[0], v[1]));
            apply(&mut m, ty, |b, v| {
                let k = b.iconst(ty, 5);
                let c = b.icmp(cc, k, v[1]);
                b.inst(Opcode::Select, ty, Flags::NONE, &[c, v[0], v[2]], Payload::None);
                b.func.dfg.res(b.func.layout.last_inst(b.block()).unwrap())
            });
        }
        apply(&mut m, ty, |b, v| {
            let c = b.iconst(Type::I1, 1);
            b.select(c, v[1], v[2])
        });
    }
    for ty in FLOATS.into_iter().flat_map(shapes) {
        for cc in FloatCC::ALL {
            apply(&mut m, ty, |b, v| b.fcmp(cc, Flags::NONE, v[0], v[1]));
            apply(&mut m, ty, |b, v| {
                let c = b.fcmp(cc, Flags::FTZ, v[0], v[1]);
                b.select(c, v[0], v[2])
            });
        }
    }
    for (join, ty) in [(Opcode::And, Type::I32), (Opcode::Or, Type::I64), (Opcode::And, Type::I16)] {
        apply(&mut m, ty, |b, v| {
            let x = b.icmp(IntCC::Ult, v[0], v[1]);
            let y = b.icmp(IntCC::Sge, v[1], v[2]);
            b.binary(join, x, y)
        });
    }
    apply(&mut m, Type::F32, |b, v| {
        let x = b.fcmp(FloatCC::Une, Flags::NONE, v[0], v[1]);
        let y = b.fcmp(FloatCC::Ord, Flags::NONE, v[1], v[2]);
        b.binary(Opcode::Or, x, y)
    });
    for sm in [50, 90] {
        assemble(&emit_for(&m, sm), "comparisons", sm);
    }
}

#[test]
fn conversions() {
    use Opcode::*;
    let mut m = Module::default();
    for from in INTS {
        for to in INTS {
            let ops: &[Opcode] = match from.bits().cmp(&to.bits()) {
                std::cmp::Ordering::Less => &[ZExt, SExt],
                std::cmp::Ordering::Equal => &[],
                std::cmp::Ordering::Greater => &[Trunc],
            };
            for &op in ops {
                apply(&mut m, from, |b, v| {
                    // Two readers: not folded into the load.
                    let x = b.binary(Xor, v[0], v[1]);
                    b.cast(op, x, to)
                });
                apply(&mut m, from, |b, v| b.cast(op, v[0], to));
                let v4 = from.vector(4).unwrap();
                apply(&mut m, v4, |b, v| b.cast(op, v[0], v4.with_scalar(to)));
            }
        }
        for to in FLOATS {
            for op in [SiToFp, UiToFp] {
                apply(&mut m, from, |b, v| b.cast(op, v[0], to));
                for r in Round::ALL {
                    apply(&mut m, from, |b, v| {
                        let i = b.inst(op, to, Flags::NONE, &v[..1], Payload::Round(r));
                        b.func.dfg.res(i)
                    });
                }
            }
            for op in [FpToSi, FpToUi] {
                apply(&mut m, to, |b, v| b.cast(op, v[0], from));
                for r in Round::ALL {
                    apply(&mut m, to, |b, v| {
                        let i = b.inst(op, from, Flags::NNAN, &v[..1], Payload::Round(r));
                        b.func.dfg.res(i)
                    });
                }
            }
        }
    }
    for from in FLOATS {
        for to in FLOATS {
            if from.bits() == to.bits() {
                continue;
            }
            let op = if from.bits() < to.bits() { FpExt } else { FpTrunc };
            for flags in [Flags::NONE, Flags::FTZ | Flags::SAT] {
                for round in
                    [Payload::None, Payload::Round(Round::Zero), Payload::Round(Round::Down), Payload::Round(Round::Up)]
                {
                    apply(&mut m, from, |b, v| {
                        let i = b.inst(op, to, flags, &v[..1], round);
                        b.func.dfg.res(i)
                    });
                }
            }
        }
    }
    for sm in [50, 90] {
        assemble(&emit_for(&m, sm), "conversions", sm);
    }
}

#[test]
fn bitcasts() {
    let mut m = Module::default();
    let scalars = [Type::I1, Type::I8, Type::I16, Type::I32, Type::I64, Type::F16, Type::BF16, Type::F32, Type::F64];
    let all = || scalars.into_iter().flat_map(|t| [1, 2, 3, 4, 8, 16].into_iter().filter_map(move |n| t.vector(n)));
    for from in all() {
        for to in all() {
            let bits = |t: Type| t.bits() * u32::from(t.lanes());
            if from != to && bits(from) == bits(to) {
                apply(&mut m, from, |b, v| b.cast(Opcode::Bitcast, v[0], to));
                m.functions.last_mut();
                let name = format!("c{}", m.functions.len());
                kernel(&mut m, &name, &[GLOBAL], |b, args| {
                    let k = b.iconst(from, 0x5a);
                    let v = b.cast(Opcode::Bitcast, k, to);
                    b.store(args[0], v, mem(to), Flags::NONE);
                    b.ret(None);
                });
            }
        }
    }
    assemble(&emit_for(&m, 75), "bitcasts", 75);
}

#[test]
fn vectors() {
    let mut m = Module::default();
    for ty in [Type::I1, Type::I8, Type::F16, Type::F32, Type::I64] {
        for n in [2, 3, 4, 8, 16] {
            let v = ty.vector(n).unwrap();
            apply(&mut m, v, |b, x| {
                let lane = b.extract(x[0], n - 1);
                let y = b.insert(x[1], lane, 0);
                let mask: Vec<u8> = (0..n).map(|k| if k % 2 == 0 { k } else { n + k }).collect();
                b.shuffle(y, x[2], &mask)
            });
            for op in [Opcode::ExtractDyn, Opcode::InsertDyn] {
                for constant in [false, true] {
                    apply(&mut m, v, |b, x| {
                        let index = if constant { b.iconst(Type::I32, 1) } else { b.special(SpecialReg::TidX) };
                        let lane = b.extract(x[1], 0);
                        let args = if op == Opcode::ExtractDyn { vec![x[0], index] } else { vec![x[0], lane, index] };
                        let ty = if op == Opcode::ExtractDyn { ty } else { v };
                        let i = b.inst(op, ty, Flags::NONE, &args, Payload::None);
                        b.func.dfg.res(i)
                    });
                }
            }
        }
    }
    let text = emit_for(&m, 75);
    assemble(&text, "vectors", 75);
}

#[test]
fn accesses() {
    let mut m = Module::default();
    let scalars = [Type::I1, Type::I8, Type::I16, Type::I32, Type::I64, Type::F16, Type::F32, Type::F64, Type::PTR];
    for ty in scalars {
        for n in [1, 2, 3, 4, 8, 16] {
            let v = ty.vector(n).unwrap();
            for align in [1, 2, 4, 8, 16, 32] {
                let name = format!("k{}", m.functions.len());
                kernel(&mut m, &name, &[GLOBAL, GLOBAL], |b, args| {
                    let x = b.load(v, args[0], MemInfo::aligned(align), Flags::INVARIANT);
                    let off = b.iconst(Type::I64, i64::from(align) * 3);
                    let p = b.ptradd(args[1], off, Flags::NONE);
                    b.store(p, x, MemInfo::aligned(align), Flags::NONE);
                    b.ret(None);
                });
            }
        }
    }
    for space in [AddrSpace::Generic, AddrSpace::Shared, AddrSpace::Constant, AddrSpace::Private, AddrSpace::Global] {
        for cache in CacheOp::ALL {
            for flags in [Flags::NONE, Flags::VOLATILE, Flags::INVARIANT] {
                let name = format!("k{}", m.functions.len());
                kernel(&mut m, &name, &[Type::ptr(space)], |b, args| {
                    let info = MemInfo { align_log2: 3, cache };
                    let x = b.load(Type::F32.vector(2).unwrap(), args[0], info, flags);
                    let off = b.iconst(Type::I64, 1 << 40);
                    let p = b.ptradd(args[0], off, Flags::NONE);
                    if space != AddrSpace::Constant {
                        b.store(p, x, info, flags);
                    }
                    b.ret(None);
                });
            }
        }
    }
    assemble(&emit_for(&m, 75), "accesses", 75);
}

#[test]
fn wide_accesses() {
    let mut m = Module::default();
    let v4 = Type::F32.vector(4).unwrap();
    apply(&mut m, v4, |b, v| b.binary(Opcode::FAdd, v[0], v[1]));
    let text = emit_for(&m, 90);
    check(&text, &["ld.global.v4.f32 {%f1, %f2, %f3, %f4}", "add.rn.f32", "st.global.v4.f32"]);
    let v3 = Type::F32.vector(3).unwrap();
    let mut m = Module::default();
    apply(&mut m, v3, |b, v| v[b.ty(v[0]).lanes() as usize - 3]);
    check(&emit_for(&m, 90), &["ld.global.v2.f32", "ld.global.f32", "+8]"]);
}

#[test]
fn atomics() {
    let mut m = Module::default();
    let types = [Type::I8, Type::I16, Type::I32, Type::I64, Type::F16, Type::BF16, Type::F32, Type::F64];
    for space in [AddrSpace::Generic, AddrSpace::Global, AddrSpace::Shared, AddrSpace::Private] {
        for ty in types {
            for op in AtomicOp::ALL {
                let float = matches!(op, AtomicOp::FAdd | AtomicOp::FMin | AtomicOp::FMax);
                if op != AtomicOp::Xchg && float != ty.is_float() {
                    continue;
                }
                let orders: &[MemOrder] =
                    if space == AddrSpace::Global && ty.bits() == 32 { &MemOrder::ALL } else { &[MemOrder::Relaxed] };
                for &order in orders {
                    for used in [false, true] {
                        let name = format!("k{}", m.functions.len());
                        kernel(&mut m, &name, &[Type::ptr(space), GLOBAL], |b, args| {
                            let v = b.load(ty, args[1], MemInfo::aligned(8), Flags::NONE);
                            let old = b.atomic_rmw(op, order, Scope::ALL[order as usize % 3], args[0], v);
                            if used {
                                b.store(args[1], old, MemInfo::aligned(8), Flags::NONE);
                            }
                            b.ret(None);
                        });
                    }
                }
            }
            let name = format!("k{}", m.functions.len());
            kernel(&mut m, &name, &[Type::ptr(space), GLOBAL], |b, args| {
                let v = b.load(ty, args[1], MemInfo::aligned(8), Flags::NONE);
                let zero = b.func.dfg.bits(ty, 0);
                let old = b.atomic_cas(MemOrder::SeqCst, Scope::Device, args[0], zero, v);
                b.fence(MemOrder::AcqRel, Scope::Group);
                b.store(args[1], old, MemInfo::aligned(8), Flags::NONE);
                b.ret(None);
            });
        }
    }
    for sm in [50, 90] {
        let text = emit_for(&m, sm);
        assemble(&text, "atomics", sm);
    }
    let mut m = Module::default();
    kernel(&mut m, "count", &[GLOBAL], |b, args| {
        let one = b.iconst(Type::I32, 1);
        b.atomic_rmw(AtomicOp::Add, MemOrder::Relaxed, Scope::Device, args[0], one);
        let p = b.space_cast(args[0], AddrSpace::Generic);
        let f = b.fconst(Type::F32, 1.0);
        b.atomic_rmw(AtomicOp::FAdd, MemOrder::AcqRel, Scope::Group, p, f);
        b.ret(None);
    });
    check(&emit_for(&m, 90), &["red.global.add.u32 [%rd1], 1", "atom.acq_rel.cta.add.f32"]);
    check(&emit_for(&m, 60), &["red.global.add.u32 [%rd1], 1", "membar.cta", ".cta.add.f32", "membar.cta"]);
}

#[test]
fn intrinsics() {
    use Intrinsic::*;
    let mut m = Module::default();
    for &op in Intrinsic::ALL {
        let (args, ret): (Vec<Type>, Type) = match op {
            Barrier => (vec![Type::I32], Type::VOID),
            BarrierPopc => (vec![Type::I1], Type::I32),
            BarrierAnd | BarrierOr => (vec![Type::I1], Type::I1),
            WarpSync | Nanosleep => (vec![Type::I32], Type::VOID),
            VoteAll | VoteAny | VoteUni => (vec![Type::I32, Type::I1], Type::I1),
            Ballot => (vec![Type::I32, Type::I1], Type::I32),
            IsGlobal | IsShared | IsConst | IsLocal | IsCluster | IsParam => (vec![Type::PTR], Type::I1),
            VPrintf => (vec![Type::PTR, Type::ptr(AddrSpace::Private)], Type::I32),
            Trap | Exit | Brkpt | AsyncWaitAll => (vec![], Type::VOID),
            PrefetchL1 | PrefetchL2 => (vec![GLOBAL], Type::VOID),
            // Nothing on machines.
            _ if op.is_check() || op == Yield => continue,
            // Of other machines.
            _ if op.is_matrix() || op.is_exponent() => continue,
            SinApprox | CosApprox | Ex2Approx | Lg2Approx | RcpApprox | RsqrtApprox | SqrtApprox | TanhApprox
            | RcpRn => (vec![Type::F32], Type::F32),
            DivApprox | DivFull => (vec![Type::F32; 2], Type::F32),
            _ => (vec![Type::I32; op.operand_count().unwrap()], Type::I32),
        };
        let mut params = args.clone();
        params.push(GLOBAL);
        let name = format!("k{}", m.functions.len());
        kernel(&mut m, &name, &params, |b, v| {
            let r = b.intrinsic(op, ret, &v[..args.len()]);
            if let Some(r) = r {
                b.store(v[args.len()], r, MemInfo::aligned(4), Flags::NONE);
            }
            if matches!(op, Trap | Exit) {
                b.unreachable()
            } else {
                b.ret(None)
            };
        });
    }
    for (op, ty) in [(RcpApprox, Type::F64), (RsqrtApprox, Type::F64), (RcpRn, Type::F64), (Ex2Approx, Type::F16)] {
        apply(&mut m, ty, |b, v| b.intrinsic(op, ty, &v[..1]).unwrap());
    }
    for ty in [Type::I8, Type::F16, Type::I64, Type::F64, Type::F32, Type::I16] {
        apply(&mut m, ty, |b, v| {
            let (mask, lane, clamp) = (b.iconst(Type::I32, -1), b.iconst(Type::I32, 1), b.iconst(Type::I32, 31));
            b.intrinsic(ShflBfly, ty, &[mask, v[0], lane, clamp]).unwrap()
        });
    }
    apply(&mut m, Type::I64, |b, v| {
        let mask = b.iconst(Type::I32, -1);
        b.intrinsic(MatchAny, Type::I32, &[mask, v[0]]).unwrap()
    });
    apply(&mut m, Type::I64, |b, v| {
        let n = b.intrinsic(BfeU, Type::I64, &[v[0], v[1], v[2]]).unwrap();
        b.intrinsic(Bfi, Type::I64, &[n, v[0], v[1], v[2]]).unwrap()
    });
    assemble(&emit_for(&m, 80), "intrinsics", 80);
    assemble(&emit_for(&m, 90), "intrinsics", 90);
}

#[test]
fn special_registers() {
    let mut m = Module::default();
    for &reg in SpecialReg::ALL {
        let name = format!("k{}", m.functions.len());
        kernel(&mut m, &name, &[GLOBAL], |b, args| {
            let v = b.special(reg);
            b.store(args[0], v, MemInfo::aligned(8), Flags::NONE);
            b.ret(None);
        });
    }
    assemble(&emit_for(&m, 75), "special", 75);
    let mut t = target(75);
    t.opencl_abi = true;
    let text = ptx::emit(&m, &t, &ptx::EmitOptions::default(), None).unwrap();
    check(&text, &["%envreg3", "%envreg4", "%envreg5"]);
    assemble(&text, "special-cl", 75);
}

#[test]
fn what_a_target_lacks_is_an_error() {
    let mut m = Module::default();
    kernel(&mut m, "k", &[GLOBAL], |b, args| {
        let mask = b.iconst(Type::I32, -1);
        let v = b.intrinsic(Intrinsic::ReduxAdd, Type::I32, &[mask, mask]).unwrap();
        b.store(args[0], v, MemInfo::aligned(4), Flags::NONE);
        b.ret(None);
    });
    let e = ptx::emit(&m, &target(75), &ptx::EmitOptions::default(), None).unwrap_err();
    assert!(e.to_string().contains("sm_80"), "{e}");
    assert_eq!(e.diagnostic().code, "E0501");
}

#[test]
fn division_follows_the_math_mode() {
    let one = |math: MathMode, flags: Flags| {
        let mut m = Module { math, ..Module::default() };
        apply(&mut m, Type::F32, |b, v| {
            let q = b.op(Opcode::FDiv, flags, &[v[0], v[1]]);
            b.op(Opcode::FSqrt, flags, &[q])
        });
        emit_for(&m, 80)
    };
    let precise = MathMode::default();
    check(&one(precise, Flags::NONE), &["div.rn.f32", "sqrt.rn.f32"]);
    check(&one(precise, Flags::FTZ), &["div.rn.ftz.f32", "sqrt.rn.ftz.f32"]);
    check(&one(precise, Flags::AFN), &["div.approx.f32", "sqrt.approx.f32"]);
    let fast = MathMode { ftz: true, prec_div: false, prec_sqrt: false, fmad: true };
    check(&one(fast, Flags::NONE), &["div.full.ftz.f32", "sqrt.approx.ftz.f32"]);
}

#[test]
fn fusing_needs_permission() {
    let text = |flags: Flags| {
        let mut m = Module::default();
        apply(&mut m, Type::F32, |b, v| {
            let p = b.op(Opcode::FMul, flags, &[v[0], v[1]]);
            b.op(Opcode::FSub, flags, &[v[2], p])
        });
        emit_for(&m, 80)
    };
    check(&text(Flags::CONTRACT), &["neg.f32", "fma.rn.f32"]);
    check(&text(Flags::NONE), &["mul.rn.f32", "sub.rn.f32"]);
}

#[test]
fn wide_multiplication_stays_apart_from_sums_and_loads_extend() {
    let mut m = Module::default();
    kernel(&mut m, "k", &[GLOBAL, Type::I32, Type::I32], |b, args| {
        let (x, y) = (b.cast(Opcode::SExt, args[1], Type::I64), b.cast(Opcode::SExt, args[2], Type::I64));
        let wide = b.mul(x, y);
        let u = b.cast(Opcode::ZExt, args[1], Type::I64);
        let by = b.iconst(Type::I64, 3);
        let shifted = b.binary(Opcode::Shl, u, by);
        let p = b.ptradd(args[0], shifted, Flags::NONE);
        let byte = b.load(Type::I8, p, MemInfo::aligned(1), Flags::NONE);
        let long = b.cast(Opcode::SExt, byte, Type::I64);
        let sum = b.add(wide, long);
        b.store(p, sum, MemInfo::aligned(8), Flags::NONE);
        b.ret(None);
    });
    let text = emit_for(&m, 80);
    check(
        &text,
        &[
            "mul.wide.s32 %rd2, %r1, %r2",
            "mul.wide.u32 %rd3, %r1, 8",
            "add.s64 %rd4, %rd1, %rd3",
            "ld.global.s8 %rd5, [%rd4]",
            "add.s64 %rd6, %rd2, %rd5",
        ],
    );
    assert!(!text.contains("cvt") && !text.contains("mad"), "{text}");
    assemble(&text, "wide", 80);
}

#[test]
fn types_that_an_operation_lacks_are_errors() {
    for &op in Intrinsic::ALL {
        let Some(n) = op.operand_count() else { continue };
        for ty in [Type::I1, Type::F64, Type::PTR, Type::I32.vector(4).unwrap(), Type::PTR.vector(2).unwrap()] {
            for ret in [Type::VOID, Type::I1, Type::I64, Type::F32, ty] {
                let mut m = Module::default();
                kernel(&mut m, "k", &[GLOBAL], |b, args| {
                    let v = b.load(ty, args[0], MemInfo::aligned(8), Flags::NONE);
                    if let Some(r) = b.intrinsic(op, ret, &vec![v; n]) {
                        b.store(args[0], r, MemInfo::aligned(1), Flags::NONE);
                    }
                    b.ret(None);
                });
                // Text or an error, never a panic.
                let _ = ptx::emit(&m, &target(90), &ptx::EmitOptions::default(), None);
            }
        }
    }
    for op in AtomicOp::ALL {
        for ty in [Type::I8, Type::PTR, Type::F32, Type::BF16] {
            let mut m = Module::default();
            kernel(&mut m, "k", &[GLOBAL.vector(2).unwrap(), GLOBAL], |b, args| {
                let v = b.load(ty, args[1], MemInfo::aligned(8), Flags::NONE);
                for p in [args[0], args[1]] {
                    let old = b.atomic_rmw(op, MemOrder::AcqRel, Scope::System, p, v);
                    b.store(args[1], old, MemInfo::aligned(8), Flags::NONE);
                }
                b.ret(None);
            });
            let _ = ptx::emit(&m, &target(60), &ptx::EmitOptions::default(), None);
        }
    }
}

#[test]
fn an_inverse_root_that_may_flush_is_one_instruction_and_no_function_of_the_assemblers() {
    let mut m = Module::default();
    for flags in [Flags::NONE, Flags::FTZ] {
        apply(&mut m, Type::F64, |b, v| {
            b.value(Opcode::Intrinsic, Type::F64, flags, &v[..1], Payload::Intrinsic(Intrinsic::RsqrtApprox))
        });
    }
    let text = emit_for(&m, 90);
    assert!(text.contains("rsqrt.approx.f64") && text.contains("rsqrt.approx.ftz.f64"), "{text}");
    assemble(&text, "inverse_roots", 90);
}
