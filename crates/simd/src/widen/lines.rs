//! Launches of one dimension over pictures: `x = id % width, y = id / width`.
//!
//! The lanes of a vector mostly lie in one line of the picture: their quotient is the same, and their remainders count up. Only
//! where a line ends within a vector do they not, and code for that case takes every access for one to anywhere. So such bodies
//! are there twice: for vectors that lie in one line, which is tested for each, and for all others under a mask. Quotients and
//! remainders are those by a number from outside of the loop over work-items, or bits above and below a place; several of them
//! may depend on each other, as for `z = id / (w * h), y = id / w % h, x = id % w`. Where lines are a multiple of a vector long and
//! begin where one does (`lid & 15`), nothing needs to be tested.
//!
//! What must hold: the first work-item's number is computed from the local id and numbers from outside, without loads; the
//! number goes up from lane to lane without wrapping; an access to memory gains from it; no value of an iteration is used
//! afterwards. Cost: one look at the region for each quotient of a quotient.

use super::Figures;
use super::bounds::Bounds;
use super::emit::Emitter;
use super::guard::Guard;
use super::region::Region;
use super::shape::{Known, Shape, Shapes};
use super::variance::Variance;
use crate::regions::RegionLoop;
use ir::{Flags, Inst, IntCC, Opcode, Payload, Type, Value, ValueDef};
use rustc_hash::FxHashMap;

/// Most rounds in which quotients of quotients are found.
const MAX_ROUNDS: usize = 4;

/// Most tests of a vector.
const MAX_TESTS: usize = 4;

/// Most instructions between the local id and a dividend.
const MAX_DEPTH: u32 = 12;

/// Most bytes from lane to lane in what gains.
const NEAR: i64 = 16;

/// What is known of lanes that lie in one line.
pub(super) struct Lines {
    /// How values differ between such lanes.
    pub(super) known: Known,
    tests: Vec<Test>,
}

/// A vector lies in one line if the remainder of its first lane is so far from the end.
struct Test {
    /// Of the first lane; strided.
    dividend: Value,
    by: By,
    /// From lane to lane.
    stride: i64,
    signed: bool,
    /// The dividend is known not to wrap between lanes.
    exact: bool,
}

/// What is divided by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    /// A number from outside.
    Number(Value),
    /// Two to the power of this.
    Power(u32),
}

/// What an instruction says of a dividend.
enum Part {
    Quotient,
    Remainder,
}

impl Lines {
    /// The lines of a loop over work-items whose vectors have so many lanes, if something gains from them.
    pub(super) fn find(r: &Region<'_>, l: &RegionLoop, bounds: &Bounds<'_>, lanes: u32) -> Option<Self> {
        let none = Variance::none();
        let divides = |i: Inst| {
            use Opcode::{AShr, And, LShr, SDiv, SRem, UDiv, URem};
            matches!(r.func.dfg.op(i), SDiv | SRem | UDiv | URem | And | LShr | AShr)
        };
        if !r.blocks.iter().flat_map(|&b| r.func.layout.insts(b)).any(divides) {
            return None;
        }
        let convergent = |i: Inst| r.func.dfg.insts[i].is_convergent();
        if r.blocks.iter().flat_map(|&b| r.func.layout.insts(b)).any(convergent) {
            return None;
        }
        let mut lines = Self { known: Known::default(), tests: Vec::new() };
        let before = Shapes::new(r, l.x, bounds, &none, &lines.known);
        let mut shapes = None;
        for _ in 0..MAX_ROUNDS {
            let search = Search { r, l, bounds, shapes: shapes.as_ref().unwrap_or(&before), lanes };
            if !search.add_to(&mut lines) {
                break;
            }
            shapes = Some(Shapes::new(r, l.x, bounds, &none, &lines.known));
        }
        shapes?;
        let gains = lines.tests.len() <= MAX_TESTS && gains(r, l, bounds, &lines.known);
        gains.then_some(lines)
    }

    /// Whether all vectors lie in one line.
    pub(super) fn are_certain(&self) -> bool {
        self.tests.is_empty()
    }

    /// Whether the vector from `base` on lies in one line, an `i1`.
    fn hold(&self, e: &mut Emitter<'_>, x: Value, base: Value) -> Value {
        let mut firsts = FxHashMap::default();
        firsts.insert(x, base);
        let mut holds = e.func.dfg.bits(Type::I1, 1);
        for test in &self.tests {
            let dividend = first(e, &mut firsts, test.dividend);
            let one = test.emit(e, dividend);
            holds = e.both(holds, one);
        }
        holds
    }
}

impl Test {
    fn emit(&self, e: &mut Emitter<'_>, dividend: Value) -> Value {
        let ty = e.func.dfg.ty(dividend);
        let span = self.stride * (i64::from(e.lanes) - 1);
        let constant = |e: &mut Emitter<'_>, n: i64| e.func.dfg.iconst(ty, n);
        let mut holds = match self.by {
            By::Power(n) => {
                let low = constant(e, (1 << n) - 1);
                let rest = e.plain(Opcode::And, ty, &[dividend, low]);
                let last = constant(e, (1 << n) - 1 - span);
                return e.icmp(IntCC::Ule, rest, last);
            }
            By::Number(by) => {
                let span = constant(e, span);
                let room = e.icmp(IntCC::Sgt, by, span);
                let end = e.plain(Opcode::Sub, ty, &[by, span]);
                let op = if self.signed { Opcode::SRem } else { Opcode::URem };
                let rest = e.plain(op, ty, &[dividend, by]);
                let inside = e.icmp(IntCC::Ult, rest, end);
                (room, inside)
            }
        };
        let no = e.func.dfg.bits(Type::I1, 0);
        if self.signed {
            let zero = constant(e, 0);
            let positive = e.icmp(IntCC::Sge, dividend, zero);
            holds.0 = e.plain(Opcode::And, Type::I1, &[holds.0, positive]);
        }
        if !self.exact {
            let (cc, most) = if self.signed { (IntCC::Sle, ty.mask() >> 1) } else { (IntCC::Ule, ty.mask()) };
            let last = e.func.dfg.bits(ty, most - span as u64);
            let fits = e.icmp(cc, dividend, last);
            holds.0 = e.plain(Opcode::And, Type::I1, &[holds.0, fits]);
        }
        // Not an `and`: the remainder by zero is anything.
        e.plain(Opcode::Select, Type::I1, &[holds.0, holds.1, no])
    }
}

/// The first lane's value of what is computed from the local id and numbers from outside.
fn first(e: &mut Emitter<'_>, firsts: &mut FxHashMap<Value, Value>, v: Value) -> Value {
    let v = e.r.func.dfg.resolve(v);
    if let Some(&found) = firsts.get(&v) {
        return found;
    }
    let Some(i) = e.r.home(v).and_then(|_| e.r.func.dfg.def_inst(v)) else { return v };
    let data = &e.r.func.dfg.insts[i];
    let (op, ty, payload) = (data.op, data.ty, data.payload.clone());
    let args: Vec<Value> = e.r.func.dfg.args(i).to_vec();
    let args: Vec<Value> = args.into_iter().map(|a| first(e, firsts, a)).collect();
    let made = e.put(op, ty, Flags::NONE, &args, payload);
    firsts.insert(v, made);
    made
}

/// Whether an access to memory is one to neighbours, or the same for all, if that is known, and is not otherwise. An index that may
/// wrap counts as one that does not: code asks when it runs.
fn gains(r: &Region<'_>, l: &RegionLoop, bounds: &Bounds<'_>, known: &Known) -> bool {
    let shapes = |known: &Known| Shapes::unless_wrapped(r, l.x, bounds, known);
    let (before, after) = (shapes(&Known::default()), shapes(known));
    r.blocks.iter().any(|&b| {
        r.func.layout.insts(b).any(|i| {
            let is_access = matches!(r.func.dfg.op(i), Opcode::Load | Opcode::Store);
            let at = |shapes: &Shapes| shapes.at(r, r.func.dfg.arg(i, 0), b);
            let is_near = |s: Shape| matches!(s, Shape::Strided { stride, .. } if stride.abs() <= NEAR);
            is_access && at(&before) == Shape::Varying && is_near(at(&after))
        })
    })
}

/// A look at the values of a region.
struct Search<'a, 'b> {
    r: &'a Region<'b>,
    l: &'a RegionLoop,
    bounds: &'a Bounds<'b>,
    shapes: &'a Shapes,
    lanes: u32,
}

impl Search<'_, '_> {
    /// Notes quotients and remainders that are not known yet; whether there are any.
    fn add_to(&self, lines: &mut Lines) -> bool {
        let dfg = &self.r.func.dfg;
        let mut found = false;
        for &b in &self.r.blocks {
            for i in self.r.func.layout.insts(b) {
                let Some(result) = dfg.result(i).filter(|v| !lines.known.contains_key(v)) else { continue };
                let Some((part, test)) = self.part(i) else { continue };
                let shape = match part {
                    Part::Quotient => Shape::UNIFORM,
                    Part::Remainder => Shape::Strided { stride: test.stride, nsw: true, nuw: true },
                };
                lines.known.insert(result, shape);
                found = true;
                let is_same = |t: &Test| (t.dividend, t.by, t.signed) == (test.dividend, test.by, test.signed);
                if !self.is_certain(&test) && !lines.tests.iter().any(is_same) {
                    lines.tests.push(test);
                }
            }
        }
        found
    }

    /// What an instruction is of a number that goes up from lane to lane.
    fn part(&self, i: Inst) -> Option<(Part, Test)> {
        let dfg = &self.r.func.dfg;
        let ty = dfg.insts[i].ty;
        if ty.is_vector() || !ty.is_int() || ty == Type::I1 {
            return None;
        }
        let test = |n: usize, by: By, signed: bool| self.test(dfg.arg(i, n), by, signed);
        let power = |n: u32| (n > 0 && n < ty.bits()).then_some(By::Power(n));
        match dfg.op(i) {
            op @ (Opcode::UDiv | Opcode::URem | Opcode::SDiv | Opcode::SRem) => {
                let signed = matches!(op, Opcode::SDiv | Opcode::SRem);
                let part = if matches!(op, Opcode::UDiv | Opcode::SDiv) { Part::Quotient } else { Part::Remainder };
                Some((part, test(0, By::Number(dfg.resolve(dfg.arg(i, 1))), signed)?))
            }
            Opcode::LShr | Opcode::AShr => {
                let by = power(u32::try_from(dfg.as_int(dfg.arg(i, 1))?).ok()?)?;
                Some((Part::Quotient, test(0, by, false)?))
            }
            Opcode::And => {
                let mask = dfg.as_bits(dfg.arg(i, 1))?;
                let (part, n) = if mask & 1 == 1 {
                    (Part::Remainder, mask.trailing_ones())
                } else {
                    (Part::Quotient, mask.trailing_zeros())
                };
                let whole = match part {
                    Part::Remainder => mask == (1u64 << n.min(63)) - 1,
                    Part::Quotient => mask == ty.mask() & !((1u64 << n.min(63)) - 1),
                };
                Some((part, test(0, power(n).filter(|_| whole)?, false)?))
            }
            // The remainder of a quotient that is there.
            Opcode::Sub => {
                let (dividend, product) = (dfg.resolve(dfg.arg(i, 0)), dfg.def_op(dfg.arg(i, 1), Opcode::Mul)?);
                let of = |q: usize| {
                    let quotient = dfg.def_inst(dfg.resolve(dfg.arg(product, q)))?;
                    let signed = match dfg.op(quotient) {
                        Opcode::SDiv => true,
                        Opcode::UDiv => false,
                        _ => return None,
                    };
                    let by = dfg.resolve(dfg.arg(product, 1 - q));
                    let fits = dfg.resolve(dfg.arg(quotient, 0)) == dividend && dfg.resolve(dfg.arg(quotient, 1)) == by;
                    self.test(dividend, By::Number(by), signed).filter(|_| fits)
                };
                Some((Part::Remainder, of(0).or_else(|| of(1))?))
            }
            _ => None,
        }
    }

    /// The test of a dividend, if there can be one.
    fn test(&self, dividend: Value, by: By, signed: bool) -> Option<Test> {
        let dfg = &self.r.func.dfg;
        let dividend = dfg.resolve(dividend);
        let Shape::Strided { stride, nsw, nuw } = self.shapes.of(self.r, dividend) else { return None };
        let span = stride.checked_mul(i64::from(self.lanes) - 1).filter(|_| stride > 0)?;
        let fits = match by {
            By::Power(n) => n < 63 && span < 1 << n,
            By::Number(by) => self.r.home(by).is_none() && dfg.as_int(by).is_none_or(|n| n > span),
        };
        let small = u64::try_from(span).is_ok_and(|span| span <= dfg.ty(dividend).mask() >> 1);
        let exact = matches!(by, By::Power(_)) || if signed { nsw } else { nuw };
        (fits && small && self.is_computed(dividend, MAX_DEPTH)).then_some(Test { dividend, by, stride, signed, exact })
    }

    /// Whether a value can be computed for the first lane before the iteration.
    fn is_computed(&self, v: Value, depth: u32) -> bool {
        let dfg = &self.r.func.dfg;
        let v = dfg.resolve(v);
        if v == self.l.x {
            return true;
        }
        if self.r.home(v).is_none() {
            return self.r.slot(v).is_none();
        }
        let ValueDef::Inst(i) = dfg.def(v) else { return false };
        let data = &dfg.insts[i];
        let plain = data.ty.is_int() && !data.ty.is_vector() && data.is_pure() && matches!(data.payload, Payload::None);
        plain && data.op != Opcode::Special && depth > 0 && dfg.args(i).iter().all(|&a| self.is_computed(a, depth - 1))
    }

    /// Whether lines begin where vectors do, and are a multiple of them long.
    fn is_certain(&self, test: &Test) -> bool {
        let dfg = &self.r.func.dfg;
        let Some(vector) = u64::try_from(test.stride).ok().and_then(|s| s.checked_mul(self.lanes.into())) else {
            return false;
        };
        let is_multiple = match test.by {
            By::Power(n) => vector <= 1 << n,
            By::Number(by) => dfg.as_int(by).is_some_and(|n| n > 0 && (n as u64).is_multiple_of(vector)),
        };
        let positive = !test.signed || self.bounds.max(test.dividend) <= dfg.ty(test.dividend).mask() >> 1;
        let zeros = self.bounds.first_zeros(test.dividend);
        vector.is_power_of_two() && is_multiple && positive && test.exact && zeros >= vector.trailing_zeros()
    }
}

/// A loop over the vectors of `trip` work-items, at least one: in one way those that lie in one line, in another the others and
/// what is left over.
pub(super) fn vectors<'a>(e: &mut Emitter<'a>, l: &RegionLoop, lines: &Lines, general: &'a Shapes, trip: Value) {
    // From there on nothing happens.
    let end = Guard::find(e.r, l).map_or(trip, |guard| guard.end(e, trip));
    let (lanes, zero) = (e.func.dfg.iconst(Type::I32, e.lanes.into()), e.func.dfg.iconst(Type::I32, 0));
    let [top, within, others, bottom, after] = [(); 5].map(|()| e.new_block());
    e.jump(top, &[zero]);
    let base = e.func.dfg.add_param(top, Type::I32);
    e.here = top;
    let next = e.plain(Opcode::Add, Type::I32, &[base, lanes]);
    let full = e.icmp(IntCC::Ule, next, trip);
    let one = lines.hold(e, l.x, base);
    let holds = e.both(full, one);
    e.branch(holds, (within, &[]), (others, &[]), None);
    e.here = within;
    e.iteration(l.x, base, None);
    e.jump(bottom, &[]);
    let figures: Figures = e.figures;
    e.here = others;
    let count = e.plain(Opcode::Sub, Type::I32, &[trip, base]);
    e.rarely(general, |e| super::masked(e, l, base, count));
    e.jump(bottom, &[]);
    // The same accesses once more do not count.
    e.figures = figures;
    e.here = bottom;
    let more = e.icmp(IntCC::Ult, next, end);
    e.branch(more, (top, &[next]), (after, &[]), None);
    e.here = after;
}
