//! Operations on registers alone: arithmetic, comparisons, conversions, vectors, lane by lane.
//!
//! Undefinedness travels by byte: bitwise operations, selects and integer conversions know which bytes of the result
//! depend on undefined ones; everything else makes the whole lane undefined. What comes out of a broken promise is
//! *poison*: everything computed from it is undefined as a whole.

use crate::decode::{Code, Data, MAX_LANES, Op, POISON, Shadow, UNDEF_BITS, all_undef};
use crate::exec::{broken_fast_math, rounding};
use crate::{float, int};
use ir::{AtomicOp, Flags, Opcode, Round, ScalarKind};

/// Executes an operation on the registers of an activation.
pub(crate) fn eval(code: &Code, op: &Op, regs: &mut [u64], shadow: &mut [Shadow]) {
    use Opcode::*;
    match op.op {
        Add | Sub | Mul | MulHiS | MulHiU | SDiv | UDiv | SRem | URem | And | Or | Xor | Shl | LShr | AShr | SMin
        | SMax | UMin | UMax | Abs | Clz | Ctz | Popcnt | BitRev | ByteSwap | Fshl | Fshr => integer(op, regs, shadow),
        FAdd | FSub | FMul | FDiv | FRem | FMin | FMax | FCopysign | Fma | FNeg | FAbs | FSqrt | FFloor | FCeil
        | FTrunc | FRint => floating(op, regs, shadow),
        Icmp | Fcmp => compare(op, regs, shadow),
        Select => select(op, regs, shadow),
        Trunc | ZExt | SExt | FpTrunc | FpExt | FpToSi | FpToUi | SiToFp | UiToFp => convert(op, regs, shadow),
        Bitcast => bitcast(op, regs, shadow),
        _ => vector(code, op, regs, shadow),
    }
}

/// What executes an operation on the registers of an activation.
pub(crate) type Quick = fn(&Op, &mut [u64], &mut [Shadow]);

/// The function that executes an operation of one lane, made for it, if there is one; it does what [`eval`] does.
pub(crate) fn quick(op: &Op) -> Option<Quick> {
    use Opcode::*;
    macro_rules! integer {
        ($n:literal: $($which:ident)*) => {
            match op.op { $($which => Some((|op, regs, shadow| integer_lane($which, $n, op, 0, regs, shadow)) as Quick),)* _ => None }
        };
    }
    macro_rules! floating {
        ($n:literal: $($which:ident)*) => {
            match (op.op, op.kind) {
                $(($which, ScalarKind::F32) => {
                    Some((|op, regs, shadow| floating_lane(($which, ScalarKind::F32), $n, op, 0, regs, shadow)) as Quick)
                })*
                $(($which, ScalarKind::F64) => {
                    Some((|op, regs, shadow| floating_lane(($which, ScalarKind::F64), $n, op, 0, regs, shadow)) as Quick)
                })*
                _ => None,
            }
        };
    }
    macro_rules! compare {
        ($($cc:ident)*) => {
            match op.data {
                $(Data::Int(ir::IntCC::$cc) => {
                    Some((|op, regs, shadow| int_compare_lane(ir::IntCC::$cc, op, 0, regs, shadow)) as Quick)
                })*
                _ => None,
            }
        };
    }
    if op.lanes != 1 || op.from_lanes > 1 {
        return None;
    }
    match op.op {
        Icmp => compare!(Eq Ne Slt Sle Sgt Sge Ult Ule Ugt Uge),
        Select => Some(|op, regs, shadow| select_lane(op, 0, 0, regs, shadow)),
        Trunc | ZExt | SExt => integer_conversion(op.op),
        Bitcast => Some(|op, regs, shadow| {
            let (from, to) = (op.args[0] as usize, op.dst as usize);
            (regs[to], shadow[to]) = (regs[from], shadow[from]);
        }),
        FNeg | FAbs => floating!(1: FNeg FAbs),
        Fma => floating!(3: Fma),
        _ => integer!(2: Add Sub Mul And Or Xor Shl LShr AShr SMin SMax UMin UMax)
            .or_else(|| floating!(2: FAdd FSub FMul FDiv)),
    }
}

fn integer_conversion(which: Opcode) -> Option<Quick> {
    use Opcode::*;
    match which {
        Trunc => Some(|op, regs, shadow| convert_lane((Trunc, op.from, op.kind), op, 0, regs, shadow)),
        ZExt => Some(|op, regs, shadow| convert_lane((ZExt, op.from, op.kind), op, 0, regs, shadow)),
        SExt => Some(|op, regs, shadow| convert_lane((SExt, op.from, op.kind), op, 0, regs, shadow)),
        _ => None,
    }
}

fn poison(kind: ScalarKind) -> Shadow {
    POISON | all_undef(kind)
}

/// Shadow of a lane all of whose bytes depend on an operand with this shadow.
fn spread(operand: Shadow, kind: ScalarKind) -> Shadow {
    if operand == 0 { 0 } else { operand & POISON | all_undef(kind) }
}

/// Registers of an operation's lane: result, operands.
fn at(op: &Op, lane: usize) -> (usize, [usize; 3]) {
    let [a, b, c] = op.args;
    (op.dst as usize + lane, [a as usize + lane, b as usize + lane, c as usize + lane])
}

fn arity(op: &Op) -> usize {
    (op.list.1 - op.list.0) as usize
}

fn integer(op: &Op, regs: &mut [u64], shadow: &mut [Shadow]) {
    let n = arity(op);
    for l in 0..usize::from(op.lanes) {
        integer_lane(op.op, n, op, l, regs, shadow);
    }
}

/// One lane of an operation on integers with `n` operands.
#[inline(always)]
fn integer_lane(which: Opcode, n: usize, op: &Op, l: usize, regs: &mut [u64], shadow: &mut [Shadow]) {
    let bits = u32::from(op.bits);
    let (dst, r) = at(op, l);
    let a = regs[r[0]];
    let (b, c) = (if n > 1 { regs[r[1]] } else { 0 }, if n > 2 { regs[r[2]] } else { 0 });
    let undef = (0..n).fold(0, |m, k| m | shadow[r[k]]);
    let mut out = if undef == 0 { 0 } else { undefined_bytes(op, [a, b], [shadow[r[0]], shadow[r[1]]]) };
    let value = match int::eval(which, bits, a, b, c) {
        Some(v) => v,
        None => {
            out = all_undef(op.kind);
            UNDEF_BITS & int::ones(bits)
        }
    };
    if !op.flags.is_empty() && int::breaks_promise(which, op.flags, bits, a, b) || undef & POISON != 0 {
        out = poison(op.kind);
    }
    regs[dst] = value;
    shadow[dst] = out;
}

/// Which bytes of an integer result are undefined, where an operand is.
#[cold]
fn undefined_bytes(op: &Op, v: [u64; 2], s: [Shadow; 2]) -> Shadow {
    if (s[0] | s[1]) & POISON != 0 {
        return poison(op.kind);
    }
    let byte = |x: u64, n: u32| x >> (8 * n) & 255;
    // A byte decides alone if it is defined and has this value in all the bits that exist.
    let absorbing = match op.op {
        Opcode::And => 0,
        Opcode::Or => int::ones(op.bits.into()),
        Opcode::Xor => return s[0] | s[1],
        Opcode::Shl | Opcode::LShr | Opcode::AShr if s[1] == 0 && v[1] < op.bits.into() => {
            return shifted_bytes(op.op, op.bits.into(), s[0], v[1] as u32);
        }
        _ => return all_undef(op.kind),
    };
    let mut out = 0;
    for n in 0..u32::from(op.bits).div_ceil(8) {
        let undef = |k: usize| s[k] >> n & 1 == 1;
        let decides = |k: usize| !undef(k) && byte(v[k], n) == byte(absorbing, n);
        if (undef(0) || undef(1)) && !decides(0) && !decides(1) {
            out |= 1 << n;
        }
    }
    out
}

/// Which bytes are undefined when a value has been shifted by a number of bits that is less than its width.
fn shifted_bytes(op: Opcode, bits: u32, s: Shadow, by: u32) -> Shadow {
    let bytes = bits.div_ceil(8);
    // Whether the byte in which a bit of the operand is, counted from its lowest, is undefined.
    let undef = |bit: i64| match bit {
        b if b < 0 => false,
        b if b < bits.into() => s >> (b / 8) & 1 == 1,
        _ => op == Opcode::AShr && s >> (bytes - 1) & 1 == 1,
    };
    let by = if op == Opcode::Shl { -i64::from(by) } else { by.into() };
    let from = |n: u32| i64::from(8 * n) + by;
    (0..bytes).filter(|&n| undef(from(n)) || undef(from(n) + 7)).fold(0, |out, n| out | 1 << n)
}

fn floating(op: &Op, regs: &mut [u64], shadow: &mut [Shadow]) {
    let n = arity(op);
    for l in 0..usize::from(op.lanes) {
        floating_lane((op.op, op.kind), n, op, l, regs, shadow);
    }
}

/// One lane of an operation on floats of a kind with `n` operands.
#[inline(always)]
fn floating_lane(
    (which, kind): (Opcode, ScalarKind),
    n: usize,
    op: &Op,
    l: usize,
    regs: &mut [u64],
    shadow: &mut [Shadow],
) {
    let round = rounding(op, Round::NearestEven);
    let (dst, r) = at(op, l);
    let mut x = [0; 3];
    let mut undef = 0;
    let mut broken = false;
    for k in 0..n {
        x[k] = regs[r[k]];
        undef |= shadow[r[k]];
        broken |= broken_fast_math(op, kind, x[k]);
    }
    let value = float::eval(which, op.flags, round, kind, x[0], x[1], x[2]);
    broken |= broken_fast_math(op, kind, value);
    regs[dst] = value;
    shadow[dst] = if broken || undef & POISON != 0 { poison(kind) } else { spread(undef, kind) };
}

fn compare(op: &Op, regs: &mut [u64], shadow: &mut [Shadow]) {
    for l in 0..usize::from(op.lanes) {
        match op.data {
            Data::Int(cc) => int_compare_lane(cc, op, l, regs, shadow),
            Data::Float(cc) => float_compare_lane(cc, op.from, op, l, regs, shadow),
            _ => {}
        }
    }
}

#[inline(always)]
fn int_compare_lane(cc: ir::IntCC, op: &Op, l: usize, regs: &mut [u64], shadow: &mut [Shadow]) {
    let (dst, r) = at(op, l);
    let undef = shadow[r[0]] | shadow[r[1]];
    regs[dst] = int_compare(cc, regs[r[0]], regs[r[1]], op.from_bits.into()).into();
    shadow[dst] = spread(undef, op.kind);
}

#[inline(always)]
fn float_compare_lane(cc: ir::FloatCC, from: ScalarKind, op: &Op, l: usize, regs: &mut [u64], shadow: &mut [Shadow]) {
    let (dst, r) = at(op, l);
    let (a, b) = (regs[r[0]], regs[r[1]]);
    let mut undef = shadow[r[0]] | shadow[r[1]];
    if broken_fast_math(op, from, a) || broken_fast_math(op, from, b) {
        undef = POISON;
    }
    let get = |x| float::to_f64(from, float::flush(from, op.flags, x));
    regs[dst] = float_compare(cc, get(a), get(b)).into();
    shadow[dst] = spread(undef, op.kind);
}

fn int_compare(cc: ir::IntCC, a: u64, b: u64, bits: u32) -> bool {
    use ir::IntCC::*;
    let (sa, sb) = (int::signed(a, bits), int::signed(b, bits));
    match cc {
        Eq => a == b,
        Ne => a != b,
        Slt => sa < sb,
        Sle => sa <= sb,
        Sgt => sa > sb,
        Sge => sa >= sb,
        Ult => a < b,
        Ule => a <= b,
        Ugt => a > b,
        Uge => a >= b,
    }
}

fn float_compare(cc: ir::FloatCC, a: f64, b: f64) -> bool {
    use ir::FloatCC::*;
    use std::cmp::Ordering::{Equal, Greater, Less};
    let order = a.partial_cmp(&b);
    match cc {
        Oeq => order == Some(Equal),
        One => matches!(order, Some(Less | Greater)),
        Olt => order == Some(Less),
        Ole => matches!(order, Some(Less | Equal)),
        Ogt => order == Some(Greater),
        Oge => matches!(order, Some(Greater | Equal)),
        Ord => order.is_some(),
        Uno => order.is_none(),
        Ueq => matches!(order, None | Some(Equal)),
        Une => order != Some(Equal),
        Ult => matches!(order, None | Some(Less)),
        Ule => order != Some(Greater),
        Ugt => matches!(order, None | Some(Greater)),
        Uge => order != Some(Less),
    }
}

fn select(op: &Op, regs: &mut [u64], shadow: &mut [Shadow]) {
    let per_lane = matches!(op.data, Data::Lane(n) if n > 1);
    // With a scalar condition the result may overwrite nothing it still needs: it has registers of its own.
    for l in 0..usize::from(op.lanes) {
        select_lane(op, l, if per_lane { l } else { 0 }, regs, shadow);
    }
}

#[inline(always)]
fn select_lane(op: &Op, l: usize, condition: usize, regs: &mut [u64], shadow: &mut [Shadow]) {
    let cond = op.args[0] as usize + condition;
    let pick = if regs[cond] & 1 == 1 { 1 } else { 2 };
    let (dst, r) = at(op, l);
    let same = regs[r[1]] == regs[r[2]] && shadow[r[1]] | shadow[r[2]] == 0;
    let undef = if same { 0 } else { spread(shadow[cond], op.kind) };
    regs[dst] = regs[r[pick]];
    shadow[dst] = shadow[r[pick]] | undef;
}

fn convert(op: &Op, regs: &mut [u64], shadow: &mut [Shadow]) {
    for l in 0..usize::from(op.lanes) {
        convert_lane((op.op, op.from, op.kind), op, l, regs, shadow);
    }
}

#[inline(always)]
fn convert_lane(
    (which, from, kind): (Opcode, ScalarKind, ScalarKind),
    op: &Op,
    l: usize,
    regs: &mut [u64],
    shadow: &mut [Shadow],
) {
    let mask = int::ones(op.bits.into());
    let (dst, r) = at(op, l);
    let (x, s) = (regs[r[0]], shadow[r[0]]);
    let whole = spread(s, kind);
    let (value, out) = match which {
        Opcode::Trunc | Opcode::ZExt if s & POISON != 0 => (x & mask, whole),
        Opcode::Trunc => (x & mask, s & all_undef(kind)),
        Opcode::ZExt if from == ScalarKind::I1 => (x, whole),
        Opcode::ZExt => (x, s),
        Opcode::SExt => {
            // The bytes above are copies of the sign, which is in the highest byte.
            let sign = s >> (u32::from(op.from_bits).div_ceil(8) - 1) & 1 == 1;
            let above = all_undef(kind) & !all_undef(from);
            let out = if from == ScalarKind::I1 {
                whole
            } else if sign {
                s | above
            } else {
                s
            };
            (int::signed(x, op.from_bits.into()) as u64 & mask, out)
        }
        Opcode::FpTrunc | Opcode::FpExt => {
            let v = float::convert(op.flags, rounding(op, Round::NearestEven), from, kind, x);
            let broken = broken_fast_math(op, from, x) || broken_fast_math(op, kind, v);
            (v, if broken { poison(kind) } else { whole })
        }
        Opcode::FpToSi | Opcode::FpToUi => {
            let is_signed = which == Opcode::FpToSi;
            let round = rounding(op, Round::Zero);
            (float::to_int(round, op.flags, from, is_signed, op.bits.into(), x), whole)
        }
        Opcode::SiToFp => {
            let n = int::signed(x, op.from_bits.into()).into();
            (float::from_int(rounding(op, Round::NearestEven), kind, n), whole)
        }
        _ => (float::from_int(rounding(op, Round::NearestEven), kind, x.into()), whole),
    };
    regs[dst] = value;
    shadow[dst] = out;
}

/// Same bits, other lanes. Lanes of whole bytes keep their shadows; vectors of `i1` are taken bit by bit.
fn bitcast(op: &Op, regs: &mut [u64], shadow: &mut [Shadow]) {
    let (from, to) = (op.args[0] as usize, op.dst as usize);
    let (n, m) = (usize::from(op.from_lanes), usize::from(op.lanes));
    if n == m {
        for l in 0..n {
            regs[to + l] = regs[from + l];
            shadow[to + l] = shadow[from + l];
        }
        return;
    }
    let (wide, narrow) = (usize::from(op.from_bits), usize::from(op.bits));
    let mut out = [(0u64, 0 as Shadow); MAX_LANES];
    for bit in 0..(n * wide) {
        let source = from + bit / wide;
        let (value, undef) = (regs[source] >> (bit % wide) & 1, shadow[source] >> (bit % wide / 8) & 1);
        let lane = &mut out[bit / narrow];
        lane.0 |= value << (bit % narrow);
        lane.1 |= undef << (bit % narrow / 8) | shadow[source] & POISON;
    }
    for (l, &(value, undef)) in out.iter().enumerate().take(m) {
        regs[to + l] = value;
        shadow[to + l] = undef;
    }
}

fn vector(code: &Code, op: &Op, regs: &mut [u64], shadow: &mut [Shadow]) {
    let dst = op.dst as usize;
    let a = op.args[0] as usize;
    let mut copy = |to: usize, from: usize| {
        regs[to] = regs[from];
        shadow[to] = shadow[from];
    };
    match (op.op, op.data) {
        (Opcode::VecBuild, _) => {
            for (l, &r) in code.lists[op.list.0 as usize..op.list.1 as usize].iter().enumerate() {
                copy(dst + l, r as usize);
            }
        }
        (Opcode::Extract, Data::Lane(l)) => copy(dst, a + usize::from(l)),
        (Opcode::Insert, Data::Lane(lane)) => {
            for l in 0..usize::from(op.lanes) {
                copy(dst + l, if l == usize::from(lane) { op.args[1] as usize } else { a + l });
            }
        }
        (Opcode::Splat, _) => {
            for l in 0..usize::from(op.lanes) {
                copy(dst + l, a);
            }
        }
        (Opcode::Iota, _) => {
            for l in 0..usize::from(op.lanes) {
                regs[dst + l] = l as u64 & int::ones(op.bits.into());
                shadow[dst + l] = 0;
            }
        }
        (Opcode::AnyLane | Opcode::AllLanes, _) => any_or_all(op, regs, shadow),
        (Opcode::Permute, _) => permute(op, regs, shadow),
        (Opcode::ExtractDyn, _) => extract_dyn(op, regs, shadow),
        (Opcode::InsertDyn, _) => insert_dyn(op, regs, shadow),
        (Opcode::Shuffle, Data::Shuffle(n)) => {
            let width = usize::from(op.from_lanes);
            for (l, &lane) in code.shuffles[n as usize].iter().enumerate().take(op.lanes.into()) {
                if lane == ir::UNDEF_LANE {
                    regs[dst + l] = UNDEF_BITS & int::ones(op.bits.max(1).into());
                    shadow[dst + l] = all_undef(op.kind);
                } else {
                    let lane = usize::from(lane);
                    let from = if lane < width { a + lane } else { op.args[1] as usize + lane - width };
                    regs[dst + l] = regs[from];
                    shadow[dst + l] = shadow[from];
                }
            }
        }
        // The verifier lets nothing else through.
        _ => {}
    }
}

/// A defined lane that decides makes the answer defined, whatever the others are.
fn any_or_all(op: &Op, regs: &mut [u64], shadow: &mut [Shadow]) {
    let (a, dst, n) = (op.args[0] as usize, op.dst as usize, usize::from(op.from_lanes));
    let deciding = u64::from(op.op == Opcode::AnyLane);
    let decided = (a..a + n).any(|r| shadow[r] == 0 && regs[r] & 1 == deciding);
    let undef = (a..a + n).fold(0, |m, r| m | shadow[r]);
    regs[dst] = if decided || (a..a + n).any(|r| regs[r] & 1 == deciding) { deciding } else { 1 - deciding };
    shadow[dst] = if decided { 0 } else { spread(undef, op.kind) };
}

fn permute(op: &Op, regs: &mut [u64], shadow: &mut [Shadow]) {
    let (a, index, dst, n) = (op.args[0] as usize, op.args[1] as usize, op.dst as usize, usize::from(op.lanes));
    for l in 0..n {
        let from = a + regs[index + l] as usize % n;
        regs[dst + l] = regs[from];
        shadow[dst + l] = shadow[from] | spread(shadow[index + l], op.kind);
    }
}

fn extract_dyn(op: &Op, regs: &mut [u64], shadow: &mut [Shadow]) {
    let (a, index) = (op.args[0] as usize, op.args[1] as usize);
    let (dst, lane) = (op.dst as usize, regs[index] as usize);
    if shadow[index] != 0 || lane >= usize::from(op.from_lanes) {
        regs[dst] = UNDEF_BITS & int::ones(op.bits.max(1).into());
        shadow[dst] = all_undef(op.kind);
    } else {
        regs[dst] = regs[a + lane];
        shadow[dst] = shadow[a + lane];
    }
}

fn insert_dyn(op: &Op, regs: &mut [u64], shadow: &mut [Shadow]) {
    let [a, scalar, index] = op.args.map(|r| r as usize);
    let (dst, lane) = (op.dst as usize, regs[index] as usize);
    let bad = shadow[index] != 0 || lane >= usize::from(op.lanes);
    for l in 0..usize::from(op.lanes) {
        let from = if l == lane { scalar } else { a + l };
        regs[dst + l] = regs[from];
        shadow[dst + l] = if bad { all_undef(op.kind) } else { shadow[from] };
    }
}

/// What an atomic operation leaves in memory.
pub(crate) fn atomic(how: AtomicOp, flags: Flags, kind: ScalarKind, bits: u32, old: u64, v: u64) -> u64 {
    use AtomicOp::*;
    let integer = |op| int::eval(op, bits, old, v, 0).unwrap_or(old);
    let floating = |op| float::eval(op, flags, Round::NearestEven, kind, old, v, 0);
    match how {
        Add => integer(Opcode::Add),
        Sub => integer(Opcode::Sub),
        Xchg => v,
        SMin => integer(Opcode::SMin),
        SMax => integer(Opcode::SMax),
        UMin => integer(Opcode::UMin),
        UMax => integer(Opcode::UMax),
        And => integer(Opcode::And),
        Or => integer(Opcode::Or),
        Xor => integer(Opcode::Xor),
        Inc if old >= v => 0,
        Inc => old.wrapping_add(1) & int::ones(bits),
        Dec if old == 0 || old > v => v,
        Dec => old - 1,
        FAdd => floating(Opcode::FAdd),
        FMin => floating(Opcode::FMin),
        FMax => floating(Opcode::FMax),
    }
}
