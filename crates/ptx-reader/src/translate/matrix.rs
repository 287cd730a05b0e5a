//! Products of matrices that a warp makes together: `wmma` and `mma`, in instructions that every machine has.
//!
//! Lanes fetch what they need of the others' fragments with shuffles ([`multiply`]); who holds what is in [`layout`].
//! Elements are multiplied exactly and summed in single precision in the order of the inner dimension, each sum rounded to
//! nearest; in double precision they are fused. Results of half precision are rounded once, at the end.

mod layout;
mod multiply;
mod tiles;
mod unit;

use super::func::Fx;
use super::mods::Mods;
use crate::ast::{Instruction, Operand};
use crate::error::{Outcome, PtxError};
use crate::types::{PtxType, Space};
use ir::{Flags, MemInfo, Opcode, Payload, SpecialReg, Type, Value};
use layout::{Axis, Kind, Layout, Part, Shape};
use multiply::{Factor, How, Product};
use target::MatrixUnits;

const LENGTH: PtxType = PtxType::U(32);

/// A matrix in memory.
struct InMemory<'a> {
    part: Part,
    kind: Kind,
    layout: Layout,
    /// Whether elements of a row are neighbours.
    by_rows: bool,
    space: Space,
    address: &'a Operand<'a>,
    /// Elements from one row or column to the next.
    stride: Option<&'a Operand<'a>>,
    shape: Shape,
}

/// Where a lane's elements of a matrix in memory are.
struct Places {
    /// Of what the lane's number says.
    base: Value,
    /// Bytes from one row, or column, to the next.
    stride: Value,
    /// Across which elements are apart, and along which they are neighbours.
    major: Axis,
    minor: Axis,
}

impl<'a> Fx<'a, '_> {
    /// `wmma`
    pub(super) fn wmma(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        match m.one_of(&[("load", 0), ("store", 1), ("mma", 2)]) {
            Some(0) => self.wmma_load(i, m),
            Some(1) => self.wmma_store(i, m),
            Some(_) => self.wmma_mma(i, m),
            None => Err(self.not_covered(i)),
        }
    }

    fn not_covered(&self, i: &Instruction<'_>) -> PtxError {
        PtxError::unsupported(i.span, format!("the instruction `{}` is not covered", i.full_name()))
    }

    /// The machine's units, where fragments are as they want them: those that are spread over 64 lanes have fewer registers than PTX
    /// says, and a program that names as many as PTX says has the layout over 32.
    fn units_for(&self, registers: &Operand<'_>, kind: Kind) -> Option<MatrixUnits> {
        let count = match registers {
            Operand::Vector(list, _) => list.len(),
            _ => 1,
        };
        let fits =
            |u: &MatrixUnits| !matches!(u, MatrixUnits::QuarterRows(_)) || count == layout::spread_registers(kind);
        self.cx.matrix_units.filter(fits)
    }

    /// The words that `wmma.load` and `wmma.store` share.
    fn in_memory(
        &mut self,
        i: &'a Instruction<'a>,
        m: &mut Mods<'_, 'a>,
        (registers, address, stride): (&Operand<'_>, &'a Operand<'a>, Option<&'a Operand<'a>>),
    ) -> Outcome<InMemory<'a>> {
        let part = m.one_of(&[("a", Part::A), ("b", Part::B), ("c", Part::C), ("d", Part::C)]);
        m.take("sync");
        m.take("aligned");
        let by_rows = m.one_of(&[("row", true), ("col", false)]);
        let shape = m.pick(Shape::named);
        let space = m.pick(|w| Space::named(w.split("::").next()?)).unwrap_or(Space::Generic);
        let kind = m.pick(Kind::named);
        let (Some(part), Some(by_rows), Some(shape), Some(kind)) = (part, by_rows, shape, kind) else {
            return Err(self.not_covered(i));
        };
        if !is_whole(part, shape, kind) {
            return Err(self.not_covered(i));
        }
        let layout = Layout::whole(part, shape, kind, self.units_for(registers, kind));
        Ok(InMemory { part, kind, layout, by_rows, space, address, stride, shape })
    }

    fn wmma_load(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let (d, address, stride) = match i.operands.as_slice() {
            [d, p] => (d, p, None),
            [d, p, s] => (d, p, Some(s)),
            _ => return Err(PtxError::operand(i.span, format!("`{}` with other operands", i.full_name()))),
        };
        let what = self.in_memory(i, m, (d, address, stride))?;
        let registers = what.layout.elements() / what.kind.packed();
        let list = self.list(d, registers as usize)?;
        let at = self.places(&what)?;
        let run = self.run(&what.layout, at.minor);
        let packed = what.kind.packed();
        let mut words = Vec::new();
        if run >= packed {
            let wide = (run / packed).min((16 * 8 / what.kind.bits().max(32)).min(4));
            for n in (0..registers).step_by(wide as usize) {
                let p = self.place_of(&what, &at, n * packed);
                self.load_words(p, what.kind, wide, &mut words);
            }
        } else {
            for n in 0..registers {
                let w = self.load_elements(&what, &at, n)?;
                words.push(w);
            }
        }
        for (o, w) in list.iter().zip(words) {
            self.set(o, w, what.kind.register())?;
        }
        Ok(())
    }

    fn wmma_store(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let (address, d, stride) = match i.operands.as_slice() {
            [p, d] => (p, d, None),
            [p, d, s] => (p, d, Some(s)),
            _ => return Err(PtxError::operand(i.span, format!("`{}` with other operands", i.full_name()))),
        };
        let what = self.in_memory(i, m, (d, address, stride))?;
        let elements = self.read_results(d, &what.layout, what.kind, what.kind)?;
        let at = self.places(&what)?;
        for (e, v) in elements.into_iter().enumerate() {
            let p = self.place_of(&what, &at, e as u32);
            let bytes = self.ty(v).bytes();
            self.builder().store(p, v, MemInfo::aligned(bytes), Flags::NONE);
        }
        Ok(())
    }

    /// So many registers in braces, or one without.
    fn list(&self, o: &'a Operand<'a>, count: usize) -> Outcome<&'a [Operand<'a>]> {
        let list = match o {
            Operand::Vector(list, _) => list.as_slice(),
            one => std::slice::from_ref(one),
        };
        if list.len() == count {
            return Ok(list);
        }
        Err(PtxError::operand(o.span(), format!("{count} registers expected, here are {}", list.len())))
    }

    // ---- memory ---------------------------------------------------------------------------------------------------

    /// The number of this lane among 32.
    pub(super) fn lane_of_32(&mut self) -> Value {
        let lane = self.builder().special(SpecialReg::LaneId);
        if self.cx.warp == 32 {
            return lane;
        }
        let low = self.int(Type::I32, 31);
        self.op(Opcode::And, &[lane, low])
    }

    /// Bits of a number put elsewhere.
    fn spread(&mut self, v: Value, bits: &[(u32, u32)]) -> Value {
        let mut sum = self.int(Type::I32, 0);
        let mut shifts: Vec<i32> = bits.iter().map(|(from, to)| *to as i32 - *from as i32).collect();
        shifts.sort_unstable();
        shifts.dedup();
        for s in shifts {
            let mask: u32 = bits.iter().filter(|(from, to)| *to as i32 - *from as i32 == s).map(|b| 1 << b.0).sum();
            let mask = self.int(Type::I32, i64::from(mask));
            let part = self.op(Opcode::And, &[v, mask]);
            let by = self.int(Type::I32, i64::from(s.abs()));
            let part = match s.signum() {
                1 => self.op(Opcode::Shl, &[part, by]),
                -1 => self.op(Opcode::LShr, &[part, by]),
                _ => part,
            };
            sum = if self.func.dfg.as_int(sum) == Some(0) { part } else { self.op(Opcode::Or, &[sum, part]) };
        }
        sum
    }

    /// A number of elements in bytes.
    fn bytes(&mut self, elements: Value, kind: Kind) -> Value {
        match kind.bits() {
            8 => elements,
            n @ (4 | 1) => {
                let (bits, eight) = (self.int(Type::I64, i64::from(n)), self.int(Type::I64, 8));
                let all = self.op(Opcode::Mul, &[elements, bits]);
                self.op(Opcode::UDiv, &[all, eight])
            }
            n => {
                let size = self.int(Type::I64, i64::from(n / 8));
                self.op(Opcode::Mul, &[elements, size])
            }
        }
    }

    fn places(&mut self, what: &InMemory<'a>) -> Outcome<Places> {
        let (rows, columns) = match what.part {
            Part::A => (Axis::M, Axis::K),
            Part::B => (Axis::K, Axis::N),
            Part::C => (Axis::M, Axis::N),
        };
        let (major, minor) = if what.by_rows { (rows, columns) } else { (columns, rows) };
        let base = self.address(what.address, what.space)?;
        let stride = match what.stride {
            Some(o) => self.value(o, LENGTH)?,
            None => {
                let Shape { m, n, k } = what.shape;
                let length = [m, n, k][minor as usize];
                self.int(Type::I32, i64::from(length))
            }
        };
        let stride = self.resize(stride, Type::I64, false);
        let stride = self.bytes(stride, what.kind);
        let over_64 = what.layout.is_over_64();
        let lane = if over_64 { self.builder().special(SpecialReg::LaneId) } else { self.lane_of_32() };
        let across = self.spread(lane, &what.layout.of_lane(major));
        let along = self.spread(lane, &what.layout.of_lane(minor));
        let (across, along) = (self.resize(across, Type::I64, false), self.resize(along, Type::I64, false));
        let along = self.bytes(along, what.kind);
        let offset = self.op(Opcode::Mul, &[across, stride]);
        let offset = self.op(Opcode::Add, &[offset, along]);
        let base = self.builder().ptradd(base, offset, Flags::NONE);
        Ok(Places { base, stride, major, minor })
    }

    /// Where an element is.
    fn place_of(&mut self, what: &InMemory<'a>, at: &Places, element: u32) -> Value {
        let across = what.layout.of_element(element, at.major);
        let along = what.layout.of_element(element, at.minor) * what.kind.bits() / 8;
        let mut p = at.base;
        if across > 0 {
            let n = self.int(Type::I64, i64::from(across));
            let offset = self.op(Opcode::Mul, &[at.stride, n]);
            p = self.builder().ptradd(p, offset, Flags::NONE);
        }
        self.moved(p, i64::from(along))
    }

    /// How many elements of a lane are neighbours along an axis.
    fn run(&self, layout: &Layout, minor: Axis) -> u32 {
        let bits = layout.element.iter().enumerate();
        1 << bits.take_while(|(n, b)| **b == (minor, *n as u32)).count()
    }

    /// Registers that are neighbours in memory.
    fn load_words(&mut self, p: Value, kind: Kind, wide: u32, words: &mut Vec<Value>) {
        let scalar = kind.register().ir().unwrap_or(Type::I32);
        let ty = scalar.vector(wide as u8).filter(|_| wide > 1).unwrap_or(scalar);
        let v = self.builder().load(ty, p, MemInfo::aligned(ty.bytes()), Flags::NONE);
        for n in 0..wide {
            let w = if wide > 1 { self.builder().extract(v, n as u8) } else { v };
            words.push(w);
        }
    }

    /// A register of elements that are apart in memory.
    fn load_elements(&mut self, what: &InMemory<'a>, at: &Places, register: u32) -> Outcome<Value> {
        let bits = what.kind.bits();
        let Some(ty) = Type::int(bits).filter(|_| bits >= 8) else {
            return Err(PtxError::operand(
                self.span,
                "elements of less than a byte lie along rows of the first factor and columns of the second",
            ));
        };
        let packed = what.kind.packed();
        let mut word = self.int(Type::I32, 0);
        for n in 0..packed {
            let p = self.place_of(what, at, register * packed + n);
            let v = self.builder().load(ty, p, MemInfo::aligned(ty.bytes()), Flags::NONE);
            let v = self.resize(v, Type::I32, false);
            word = if n == 0 { v } else { self.beside(word, v, n * bits) };
        }
        Ok(word)
    }

    /// A word with bits put into it, which are zero.
    fn beside(&mut self, word: Value, v: Value, by: u32) -> Value {
        let by = self.int(Type::I32, i64::from(by));
        let v = self.op(Opcode::Shl, &[v, by]);
        self.op(Opcode::Or, &[word, v])
    }

    // ---- products -------------------------------------------------------------------------------------------------

    fn wmma_mma(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let bits = m.one_of(&[("xor", How::Xor), ("and", How::And)]);
        m.take("popc");
        m.take("sync");
        m.take("aligned");
        while m.take("row") || m.take("col") {}
        let shape = m.pick(Shape::named);
        let mut kinds = Vec::new();
        while let Some(kind) = m.pick(Kind::named) {
            kinds.push(kind);
        }
        let how = if m.take("satfinite") { How::Saturating } else { bits.unwrap_or(How::Plain) };
        m.take("rn");
        let (Some(shape), [d, a, b, c]) = (shape, kinds_of(&kinds)) else { return Err(self.not_covered(i)) };
        if !is_whole(Part::A, shape, a) || !is_whole(Part::C, shape, c) || !are_possible([d, a, b, c], how) {
            return Err(self.not_covered(i));
        }
        let units = i.operands.first().and_then(|o| self.units_for(o, d));
        let layouts = [(Part::A, a), (Part::B, b), (Part::C, c)].map(|(part, k)| Layout::whole(part, shape, k, units));
        if let Some(units) = units
            && let Some(op) = unit::operation(shape, a, how, units)
        {
            return self.product_by_unit(i, [d, a, c], (op, units, how), &layouts);
        }
        self.product_of(i, shape, [d, a, b, c], how, layouts)
    }

    /// `mma`
    pub(super) fn mma(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        m.take("sync");
        m.take("aligned");
        let shape = m.pick(Shape::named);
        let by_rows = m.take("row") && m.take("col");
        let mut kinds = Vec::new();
        while let Some(kind) = m.pick(Kind::named) {
            kinds.push(kind);
        }
        let bits = m.one_of(&[("xor", How::Xor), ("and", How::And)]);
        m.take("popc");
        let how = if m.take("satfinite") { How::Saturating } else { bits.unwrap_or(How::Plain) };
        m.take("rn");
        m.take("kind::f8f6f4");
        let (Some(shape), [d, a, b, c], true) = (shape, kinds_of(&kinds), by_rows) else {
            return Err(self.not_covered(i));
        };
        if !is_tile(shape, a) || kinds.len() != 4 || !are_possible([d, a, b, c], how) {
            return Err(self.not_covered(i));
        }
        let layouts = [(Part::A, a), (Part::B, b), (Part::C, c)].map(|(part, k)| Layout::tile(part, shape, k));
        self.product_of(i, shape, [d, a, b, c], how, layouts)
    }

    fn product_of(
        &mut self,
        i: &'a Instruction<'a>,
        shape: Shape,
        [dk, ak, bk, ck]: [Kind; 4],
        how: How,
        [la, lb, lc]: [Layout; 3],
    ) -> Outcome<()> {
        let [d, a, b, c] = self.operands(i)?;
        let a = self.read_words(a, &la, ak)?;
        let b = self.read_words(b, &lb, bk)?;
        let sum = if dk == Kind::F16 { Kind::F32 } else { dk };
        let c = self.read_results(c, &lc, ck, sum)?;
        let product = Product { inner: shape.k, result: &lc, how };
        let factors = [Factor::new(ak, la, a), Factor::new(bk, lb, b)];
        let sums = self.multiply(&product, factors, c)?;
        self.write_results(d, &sums, dk)
    }

    /// The registers of a factor.
    fn read_words(&mut self, o: &'a Operand<'a>, layout: &Layout, kind: Kind) -> Outcome<Vec<Value>> {
        let list = self.list(o, (layout.elements() / kind.packed()) as usize)?;
        list.iter().map(|o| self.value(o, kind.register())).collect()
    }

    /// The elements of what is added, as numbers of the kind in which is summed.
    fn read_results(&mut self, o: &'a Operand<'a>, layout: &Layout, kind: Kind, sum: Kind) -> Outcome<Vec<Value>> {
        let list = self.list(o, (layout.elements() / kind.packed()) as usize)?;
        let mut elements = Vec::new();
        for o in list {
            let word = self.value(o, kind.register())?;
            if kind != Kind::F16 {
                elements.push(word);
                continue;
            }
            for n in 0..2 {
                let v = self.half_of(word, n);
                let v = self.cast(Opcode::Bitcast, v, Type::F16);
                elements.push(if sum == Kind::F16 { v } else { self.cast(Opcode::FpExt, v, Type::F32) });
            }
        }
        Ok(elements)
    }

    /// Half of a word.
    pub(super) fn half_of(&mut self, word: Value, n: u32) -> Value {
        let by = self.int(Type::I32, i64::from(16 * n));
        let v = if n == 0 { word } else { self.op(Opcode::LShr, &[word, by]) };
        self.cast(Opcode::Trunc, v, Type::I16)
    }

    fn write_results(&mut self, d: &'a Operand<'a>, sums: &[Value], kind: Kind) -> Outcome<()> {
        let list = self.list(d, sums.len() / kind.packed() as usize)?;
        if kind != Kind::F16 {
            for (o, v) in list.iter().zip(sums) {
                self.set(o, *v, kind.register())?;
            }
            return Ok(());
        }
        for (o, pair) in list.iter().zip(sums.chunks(2)) {
            let mut word = self.int(Type::I32, 0);
            for (n, v) in pair.iter().enumerate() {
                let half = self.make(Opcode::FpTrunc, Type::F16, Flags::NONE, Payload::None, &[*v]);
                let bits = self.cast(Opcode::Bitcast, half, Type::I16);
                let bits = self.resize(bits, Type::I32, false);
                word = if n == 0 { bits } else { self.beside(word, bits, 16) };
            }
            self.set(o, word, PtxType::B(32))?;
        }
        Ok(())
    }
}

/// The kinds of result, factors and summand: those of half precision name the outer ones only.
fn kinds_of(kinds: &[Kind]) -> [Kind; 4] {
    match *kinds {
        [d, c] => [d, Kind::F16, Kind::F16, c],
        [d, a, b, c] => [d, a, b, c],
        // No such product.
        _ => [Kind::B1; 4],
    }
}

/// Whether kinds go together.
fn are_possible([d, a, b, c]: [Kind; 4], how: How) -> bool {
    use Kind::*;
    let float = |k: Kind| matches!(k, F16 | F32);
    let eight = |k: Kind| matches!(k, E4m3 | E5m2);
    let bits = matches!(how, How::Xor | How::And);
    match a {
        F16 => b == F16 && float(d) && float(c) && !bits,
        Bf16 | Tf32 => b == a && d == F32 && c == F32 && how == How::Plain,
        E4m3 | E5m2 => eight(b) && float(d) && d == c && how == How::Plain,
        F64 => b == a && d == F64 && c == F64 && how == How::Plain,
        S8 | U8 => matches!(b, S8 | U8) && d == S32 && c == S32 && !bits,
        S4 | U4 => matches!(b, S4 | U4) && d == S32 && c == S32 && !bits,
        B1 => b == a && d == S32 && c == S32 && bits,
        F32 | S32 => false,
    }
}

/// Whether `wmma` has such fragments.
fn is_whole(part: Part, Shape { m, n, k }: Shape, kind: Kind) -> bool {
    use Kind::*;
    let large = matches!((m, n, k), (16, 16, 16) | (32, 8, 16) | (8, 32, 16));
    let short = (m, n, k) == (16, 16, 8);
    let small = (m, n) == (8, 8);
    match kind {
        F16 => large,
        Bf16 | S8 | U8 => large && part != Part::C,
        Tf32 => short && part != Part::C,
        F64 => small && k == 4,
        S4 | U4 => small && k == 32 && part != Part::C,
        B1 => small && k == 128 && part != Part::C,
        F32 => (large || short) && part == Part::C,
        S32 => (large || small && matches!(k, 32 | 128)) && part == Part::C,
        E4m3 | E5m2 => false,
    }
}

/// Whether `mma` multiplies such factors.
fn is_tile(Shape { m, n, k }: Shape, kind: Kind) -> bool {
    use Kind::*;
    let (small, large) = ((m, n) == (8, 8), (m, n) == (16, 8));
    match kind {
        F16 | Bf16 => large && matches!(k, 8 | 16),
        Tf32 => large && matches!(k, 4 | 8),
        F64 => small && k == 4 || large && matches!(k, 4 | 8 | 16),
        S8 | U8 => small && k == 16 || large && matches!(k, 16 | 32),
        E4m3 | E5m2 => large && matches!(k, 16 | 32),
        S4 | U4 => small && k == 32 || large && matches!(k, 32 | 64),
        B1 => small && k == 128 || large && matches!(k, 128 | 256),
        F32 | S32 => false,
    }
}
