use crate::PassContext;
use crate::pass::Options;
use ir::{Builder, Flags, FloatCC, FnKind, FuncId, Function, IntCC, Module, Opcode, Payload, Type, Value};
use source::Session;

/// Builds `f(i32, i32, i64, f32)` that returns what `build` makes, simplifies it, and gives the text of the body.
pub(crate) fn simplified(ret: Type, build: impl FnOnce(&mut Builder<'_>, [Value; 4]) -> Value) -> String {
    let mut module = Module::default();
    let mut f = Function::new("f", FnKind::Device);
    f.ret = ret;
    for ty in [Type::I32, Type::I32, Type::I64, Type::F32] {
        f.params.push(ir::Param { ty, name: String::new(), attrs: Default::default() });
    }
    let entry = f.new_entry_block();
    let params: [Value; 4] = f.dfg.params(entry).try_into().unwrap();
    let mut b = Builder::at_end(&mut f, entry);
    let v = build(&mut b, params);
    b.ret(Some(v));
    let mut session = Session::default();
    let options = Options::default();
    let id = module.functions.push(Function::new("", FnKind::Device));
    let mut cx = PassContext::new(&module, id, &mut session, &options);
    super::run(&mut f, &mut cx);
    module.functions[id] = f;
    ir::verify::verify_function(&module, id).unwrap();
    body(&module, id)
}

fn body(module: &Module, id: FuncId) -> String {
    let text = ir::print::function_to_text(module, &module.functions[id]);
    let lines: Vec<&str> = text.lines().skip_while(|l| !l.starts_with("block0")).skip(1).map(str::trim).collect();
    lines.join("\n").trim_end_matches(['\n', '}']).to_owned()
}

#[test]
fn constants_gather() {
    let t = simplified(Type::I32, |b, [x, ..]| {
        let one = b.iconst(Type::I32, 1);
        let two = b.iconst(Type::I32, 2);
        let a = b.add(one, x);
        let c = b.add(a, two);
        let e = b.binary(Opcode::Sub, c, two);
        b.binary(Opcode::Sub, e, x)
    });
    assert_eq!(t, "return i32:1");
}

/// `for (s = 2; s <= n; s *= 2) if ((id + 1) % s == 0) …`, how sums of a group are made: a division of each lane, each time.
#[test]
fn remainders_by_what_a_loop_doubles_were_divisions() {
    let remainder = |step: Opcode| {
        let mut module = Module::default();
        let mut f = Function::new("f", FnKind::Device);
        f.params.push(ir::Param { ty: Type::I32, name: String::new(), attrs: Default::default() });
        f.ret = Type::I32;
        let (entry, header, done) = (f.new_entry_block(), f.new_block(), f.new_block());
        let n = f.dfg.params(entry)[0];
        let (s, sum) = (f.dfg.add_param(header, Type::I32), f.dfg.add_param(header, Type::I32));
        let mut b = Builder::at_end(&mut f, entry);
        let (zero, one, two) = (b.iconst(Type::I32, 0), b.iconst(Type::I32, 1), b.iconst(Type::I32, 2));
        b.jump(header, &[two, zero]);
        let mut b = Builder::at_end(&mut f, header);
        let rest = b.binary(Opcode::URem, n, s);
        let sum = b.add(sum, rest);
        let next = b.binary(step, s, one);
        let more = b.icmp(IntCC::Ult, next, n);
        b.br(more, (header, &[next, sum]), (done, &[]));
        Builder::at_end(&mut f, done).ret(Some(sum));
        let mut session = Session::default();
        let options = Options::default();
        let id = module.functions.push(Function::new("", FnKind::Device));
        let mut cx = PassContext::new(&module, id, &mut session, &options);
        super::run(&mut f, &mut cx);
        module.functions[id] = f;
        ir::verify::verify_function(&module, id).unwrap();
        ir::print::function_to_text(&module, &module.functions[id])
    };
    let doubled = remainder(Opcode::Shl);
    assert!(doubled.contains("and v0") && !doubled.contains("urem"), "{doubled}");
    // 2, 3, 4, …
    assert!(remainder(Opcode::Add).contains("urem"));
}

#[test]
fn powers_of_two() {
    let t = simplified(Type::I32, |b, [x, ..]| {
        let k = b.iconst(Type::I32, 8);
        let m = b.mul(x, k);
        let d = b.binary(Opcode::UDiv, m, k);
        b.binary(Opcode::URem, d, k)
    });
    assert!(t.contains("and v0, i32:7") || t.contains("and v"), "{t}");
    assert!(!t.contains("mul") && !t.contains("div") && !t.contains("rem"), "{t}");
}

#[test]
fn a_dividend_without_its_remainder_is_divided_as_it_was() {
    use Opcode::{SDiv, SRem, UDiv, URem};
    for (div, rem) in [(SDiv, SRem), (UDiv, URem)] {
        let t = simplified(Type::I32, |b, [x, y, ..]| {
            let rest = b.binary(rem, x, y);
            let whole = b.binary(Opcode::Sub, x, rest);
            b.binary(div, whole, y)
        });
        assert!(t.contains("div v0, v1\n") && !t.contains("sub"), "{t}");
    }
    // The remainder as unsigned numbers is another.
    let t = simplified(Type::I32, |b, [x, y, ..]| {
        let rest = b.binary(URem, x, y);
        let whole = b.binary(Opcode::Sub, x, rest);
        b.binary(SDiv, whole, y)
    });
    assert!(t.contains("sub"), "{t}");
}

#[test]
fn sign_extension_distributes_over_constants() {
    let t = simplified(Type::I64, |b, [x, ..]| {
        let k = b.iconst(Type::I32, 3);
        let a = b.op(Opcode::Add, Flags::NSW, &[x, k]);
        let w = b.cast(Opcode::SExt, a, Type::I64);
        let four = b.iconst(Type::I64, 4);
        b.mul(w, four)
    });
    assert_eq!(t, "v4: i64 = sext v0\nv5: i64 = shl v4, i64:2\nv6: i64 = add v5, i64:12\nreturn v6");
}

#[test]
fn a_chain_of_products_and_sums_is_one_of_each() {
    let t = simplified(Type::I32, |b, [x, ..]| {
        let (five, one) = (b.iconst(Type::I32, 5), b.iconst(Type::I32, 1));
        (0..3).fold(x, |v, _| {
            let m = b.op(Opcode::Mul, Flags::NSW, &[v, five]);
            b.op(Opcode::Add, Flags::NSW, &[m, one])
        })
    });
    assert_eq!(t, "v4: i32 = mul v0, i32:125\nv5: i32 = add v4, i32:31\nreturn v5");
}

#[test]
fn rotations_ranges_and_minima() {
    let t = simplified(Type::I32, |b, [x, ..]| {
        let (p, q) = (b.iconst(Type::I32, 7), b.iconst(Type::I32, 25));
        let l = b.binary(Opcode::Shl, x, p);
        let r = b.binary(Opcode::LShr, x, q);
        b.binary(Opcode::Or, l, r)
    });
    assert_eq!(t, "v4: i32 = fshl v0, v0, i32:7\nreturn v4");
    let t = simplified(Type::I1, |b, [x, ..]| {
        let (lo, hi) = (b.iconst(Type::I32, 3), b.iconst(Type::I32, 10));
        let p = b.icmp(IntCC::Sge, x, lo);
        let q = b.icmp(IntCC::Slt, x, hi);
        b.binary(Opcode::And, p, q)
    });
    assert_eq!(t, "v4: i32 = add v0, i32:-3\nv5: i1 = icmp ult v4, i32:7\nreturn v5");
    let t = simplified(Type::I32, |b, [x, y, ..]| {
        let c = b.icmp(IntCC::Slt, x, y);
        b.select(c, x, y)
    });
    assert_eq!(t, "v4: i32 = smin v0, v1\nreturn v4");
}

#[test]
fn floats_respect_zeros_and_nans() {
    let t = simplified(Type::F32, |b, [.., x]| {
        let z = b.fconst(Type::F32, 0.0);
        b.op(Opcode::FAdd, Flags::NONE, &[x, z])
    });
    assert!(t.contains("fadd"), "x + 0 is not x for -0: {t}");
    let t = simplified(Type::F32, |b, [.., x]| {
        let z = b.fconst(Type::F32, 0.0);
        let one = b.fconst(Type::F32, 1.0);
        let s = b.op(Opcode::FAdd, Flags::NSZ, &[x, z]);
        let m = b.op(Opcode::FMul, Flags::NONE, &[s, one]);
        let n = b.unary(Opcode::FNeg, m);
        b.unary(Opcode::FNeg, n)
    });
    assert_eq!(t, "return v3");
    let t = simplified(Type::F32, |b, [.., x]| {
        let c = b.fconst(Type::F32, 8.0);
        b.binary(Opcode::FDiv, x, c)
    });
    assert!(t.contains("fmul v3, f32:0.125"), "{t}");
}

#[test]
fn booleans_lower_to_the_comparison() {
    let t = simplified(Type::I1, |b, [x, y, ..]| {
        let c = b.icmp(IntCC::Slt, x, y);
        let w = b.cast(Opcode::ZExt, c, Type::I32);
        let z = b.iconst(Type::I32, 0);
        let ne = b.icmp(IntCC::Ne, w, z);
        let t = b.iconst(Type::I1, 1);
        b.binary(Opcode::Xor, ne, t)
    });
    assert_eq!(t, "v4: i1 = icmp sge v0, v1\nreturn v4");
}

#[test]
fn vectors_come_apart() {
    let t = simplified(Type::I32, |b, [x, y, ..]| {
        let v = b.vec_build(&[x, y]);
        let w = b.insert(v, x, 1);
        let s = b.shuffle(w, v, &[1, 3]);
        let (p, q) = (b.extract(s, 0), b.extract(s, 1));
        b.binary(Opcode::Sub, p, q)
    });
    assert_eq!(t, "v4: i32 = sub v0, v1\nreturn v4");
}

#[test]
fn double_arithmetic_on_floats_narrows() {
    let t = simplified(Type::F32, |b, [.., x]| {
        let w = b.cast(Opcode::FpExt, x, Type::F64);
        let k = b.fconst(Type::F64, 2.5);
        let m = b.binary(Opcode::FMul, w, k);
        b.cast(Opcode::FpTrunc, m, Type::F32)
    });
    assert_eq!(t, "v4: f32 = fmul v3, f32:2.5\nreturn v4");
}

#[test]
fn branch_on_constant_becomes_a_jump() {
    let mut module = Module::default();
    let mut f = Function::new("f", FnKind::Device);
    let (a, c, d) = (f.new_entry_block(), f.new_block(), f.new_block());
    let mut b = Builder::at_end(&mut f, a);
    let t = b.iconst(Type::I1, 1);
    b.br(t, (c, &[]), (d, &[]));
    b.switch_to(c);
    b.ret(None);
    b.switch_to(d);
    b.ret(None);
    let mut session = Session::default();
    let options = Options::default();
    let id = module.functions.push(Function::new("", FnKind::Device));
    let mut cx = PassContext::new(&module, id, &mut session, &options);
    assert!(super::run(&mut f, &mut cx));
    let i = f.layout.terminator(a);
    assert!(matches!(f.dfg.insts[i].payload, Payload::Jump(ref call, _) if call.block == c));
}

/// What is left of `(float)x cc c` for an `x` of eight bits: `Ok` of the integers' comparison, or `Err` of the answer.
fn converted(signed: bool, to: Type, cc: FloatCC, c: f64) -> Result<(IntCC, u8), bool> {
    let t = simplified(Type::I1, |b, [x, ..]| {
        let x = b.cast(Opcode::Trunc, x, Type::I8);
        let x = b.cast(if signed { Opcode::SiToFp } else { Opcode::UiToFp }, x, to);
        let c = b.fconst(to, c);
        b.fcmp(cc, Flags::NONE, x, c)
    });
    if let Some((_, answer)) = t.split_once("return i1:") {
        return Err(answer.parse().unwrap_or_else(|_| panic!("{t}")));
    }
    let (_, rest) = t.split_once("icmp ").unwrap_or_else(|| panic!("{t}"));
    let words: Vec<&str> = rest.split([' ', ',', ':', '\n']).filter(|w| !w.is_empty()).collect();
    let cc = IntCC::ALL.into_iter().find(|cc| cc.name() == words[0]).unwrap();
    Ok((cc, words[3].parse::<i16>().unwrap() as u8))
}

#[test]
fn converted_integers_compare_with_constants_as_their_values_do() {
    let constants =
        [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 4.0, 126.5, 127.0, 128.0, -128.0, -128.5, 255.0, 255.5, 256.0, 1e9, -1e9];
    for (signed, to) in
        [(true, Type::F32), (false, Type::F32), (true, Type::F64), (false, Type::F16), (true, Type::BF16)]
    {
        for cc in FloatCC::ALL {
            for c in constants.into_iter().chain([f64::INFINITY, f64::NEG_INFINITY]) {
                if to == Type::BF16 && c.abs() > 256.0 || to == Type::F16 && c.abs() > 1e4 {
                    continue;
                }
                let found = converted(signed, to, cc, c);
                for x in 0..=255_u8 {
                    let value = if signed { f64::from(x.cast_signed()) } else { f64::from(x) };
                    // In bfloat16 a constant is a multiple of one from 128 on.
                    let c = if to == Type::BF16 {
                        f64::from(f32::from_bits((c as f32).to_bits() & 0xffff_0000))
                    } else {
                        c
                    };
                    let got = found.map_or_else(|answer| answer, |(cc, k)| cc.eval(x.into(), k.into(), 8));
                    assert_eq!(got, cc.eval(value, c), "{x} {cc:?} {c} as {to:?}, signed {signed}: {found:?}");
                }
            }
        }
    }
}

#[test]
fn converted_integers_beyond_the_floats_exact_ones_are_compared_as_floats() {
    let t = simplified(Type::I1, |b, [x, ..]| {
        let x = b.cast(Opcode::SiToFp, x, Type::F32);
        let c = b.fconst(Type::F32, 16_777_217.0);
        b.fcmp(FloatCC::Olt, Flags::NONE, x, c)
    });
    assert!(t.contains("fcmp"), "{t}");
}

/// `2 * t > 1022` and `2 * t > 1023` were two tests.
#[test]
fn tests_that_known_low_bits_make_alike_were_different() {
    let test = |cc, c: i64| {
        simplified(Type::I1, |b, [x, ..]| {
            let one = b.iconst(Type::I32, 1);
            let even = b.binary(Opcode::Shl, x, one);
            let c = b.iconst(Type::I32, c);
            b.icmp(cc, even, c)
        })
    };
    assert_eq!(test(IntCC::Sgt, 1022), test(IntCC::Sgt, 1023));
    assert_ne!(test(IntCC::Sgt, 1022), test(IntCC::Sgt, 1021));
    assert_eq!(test(IntCC::Slt, 1023), test(IntCC::Slt, 1024));
    assert_eq!(test(IntCC::Sgt, -4), test(IntCC::Sgt, -3));
    assert_eq!(test(IntCC::Ult, 7), test(IntCC::Ult, 8));
    assert_ne!(test(IntCC::Ult, 7), test(IntCC::Ult, 9));
    // The largest even number is one less than the largest.
    assert!(test(IntCC::Sgt, 0x7fff_fffe).contains("i1:false"), "{}", test(IntCC::Sgt, 0x7fff_fffe));
    assert!(test(IntCC::Ult, -1).contains("i1:true"), "{}", test(IntCC::Ult, -1));
}

/// What of all numbers such a test says is what it said: sixteen bits, all of them.
#[test]
fn tests_of_known_low_bits_decide_as_before() {
    for cc in [IntCC::Slt, IntCC::Sgt, IntCC::Ult, IntCC::Ugt] {
        for c in [0u64, 1, 2, 3, 5, 0x7ffd, 0x7ffe, 0x7fff, 0x8000, 0x8001, 0x8002, 0xfffc, 0xfffe, 0xffff] {
            let mut f = Function::new("f", FnKind::Device);
            f.ret = Type::I1;
            f.params.push(ir::Param { ty: Type::I16, name: String::new(), attrs: Default::default() });
            let entry = f.new_entry_block();
            let x = f.dfg.params(entry)[0];
            let mut b = Builder::at_end(&mut f, entry);
            let (two, one) = (b.iconst(Type::I16, 2), b.iconst(Type::I16, 1));
            let x4 = b.binary(Opcode::Shl, x, two);
            let odd = b.binary(Opcode::Or, x4, one);
            let k = b.iconst(Type::I16, c as i64);
            let v = b.icmp(cc, odd, k);
            b.ret(Some(v));
            let (mut module, mut session, options) = (Module::default(), Session::default(), Options::default());
            let id = module.functions.push(Function::new("", FnKind::Device));
            let mut cx = PassContext::new(&module, id, &mut session, &options);
            super::run(&mut f, &mut cx);
            let ret = f.layout.terminator(entry);
            let v = f.dfg.arg(ret, 0);
            let test = f.dfg.def_op(v, Opcode::Icmp);
            let now = test.map(|i| (f.dfg.insts[i].int_cc().unwrap(), f.dfg.as_bits(f.dfg.arg(i, 1)).unwrap()));
            for n in 0..=0xffffu64 {
                let number = (n << 2 | 1) & 0xffff;
                let answer = match now {
                    Some((cc, k)) => cc.eval(number, k, 16),
                    None => f.dfg.as_bits(v).unwrap() & 1 == 1,
                };
                assert_eq!(answer, cc.eval(number, c, 16), "{number} {cc:?} {c}");
            }
            module.functions[id] = f;
        }
    }
}

/// `(i + 6) & 3` is `(i + 2) & 3`, and `(i + 4) & 3` is `i & 3`.
#[test]
fn bits_above_a_mask_were_added() {
    let masked = |n: i64| {
        simplified(Type::I32, |b, [x, ..]| {
            let (n, three) = (b.iconst(Type::I32, n), b.iconst(Type::I32, 3));
            let sum = b.add(x, n);
            b.binary(Opcode::And, sum, three)
        })
    };
    assert_eq!(masked(6), masked(2));
    assert!(!masked(4).contains("add"), "{}", masked(4));
    assert_ne!(masked(1), masked(2));
}

/// `(x & 0xffff0000 | low) & 0xffff` is what was put into the lower half: what had been there lived on.
#[test]
fn a_half_that_was_overwritten_is_not_asked() {
    let half = simplified(Type::I32, |b, [x, y, ..]| {
        let (upper, lower) = (b.iconst(Type::I32, -65536), b.iconst(Type::I32, 65535));
        let (kept, new) = (b.binary(Opcode::And, x, upper), b.binary(Opcode::And, y, lower));
        let both = b.binary(Opcode::Or, kept, new);
        b.binary(Opcode::And, both, lower)
    });
    let alone = simplified(Type::I32, |b, [_, y, ..]| {
        let lower = b.iconst(Type::I32, 65535);
        b.binary(Opcode::And, y, lower)
    });
    assert_eq!(half, alone);
}
