//! Who holds what of a matrix: which bits of the lane's number and of the element's in it are which bits of the row's,
//! the column's and the inner dimension's number.
//!
//! All sizes are powers of two, so that a layout says for each bit of a lane and of an element which bit of a coordinate
//! it is. The fragments of `mma` are as NVIDIA documents them. Those of `wmma` are nobody's business; here a lane has a
//! row of the first factor, or a part of one, a column of the second, and in the result of one column every second row.
//! That is what the matrix units of some other GPUs have ([`MatrixUnits::WholeRows`]); for those of
//! [`MatrixUnits::HalfRows`] a lane's rows of the result are neighbours, and for those of [`MatrixUnits::QuarterRows`]
//! matrices of 16×16 are spread over 64 lanes. All others are over 32, in both halves of 64 the same.

use crate::types::PtxType;
use target::MatrixUnits;

/// A dimension of a product of matrices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Axis {
    /// Rows of the first factor and of the result.
    M,
    /// Columns of the second factor and of the result.
    N,
    /// What is summed over.
    K,
}

/// Sizes of the three dimensions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    pub(super) m: u32,
    pub(super) n: u32,
    pub(super) k: u32,
}

impl Shape {
    /// `m16n8k16`
    pub(super) fn named(word: &str) -> Option<Self> {
        let (m, rest) = word.strip_prefix('m')?.split_once('n')?;
        let (n, k) = rest.split_once('k')?;
        let size = |s: &str| s.parse().ok().filter(|n: &u32| n.is_power_of_two() && *n <= 256);
        Some(Self { m: size(m)?, n: size(n)?, k: size(k)? })
    }
}

/// A matrix of a product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    A,
    B,
    /// What is added, and the result.
    C,
}

/// What an element is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    F16,
    Bf16,
    Tf32,
    F32,
    F64,
    E4m3,
    E5m2,
    S8,
    U8,
    S4,
    U4,
    B1,
    S32,
}

impl Kind {
    pub(super) fn named(word: &str) -> Option<Self> {
        Some(match word {
            "f16" => Self::F16,
            "bf16" => Self::Bf16,
            "tf32" => Self::Tf32,
            "f32" => Self::F32,
            "f64" => Self::F64,
            "e4m3" => Self::E4m3,
            "e5m2" => Self::E5m2,
            "s8" => Self::S8,
            "u8" => Self::U8,
            "s4" => Self::S4,
            "u4" => Self::U4,
            "b1" => Self::B1,
            "s32" => Self::S32,
            _ => return None,
        })
    }

    /// Bits of an element.
    pub(super) fn bits(self) -> u32 {
        match self {
            Self::B1 => 1,
            Self::S4 | Self::U4 => 4,
            Self::S8 | Self::U8 | Self::E4m3 | Self::E5m2 => 8,
            Self::F16 | Self::Bf16 => 16,
            Self::Tf32 | Self::F32 | Self::S32 => 32,
            Self::F64 => 64,
        }
    }

    /// Whether it is summed as an integer.
    pub(super) fn is_int(self) -> bool {
        matches!(self, Self::S8 | Self::U8 | Self::S4 | Self::U4 | Self::B1 | Self::S32)
    }

    /// Elements in a register.
    pub(super) fn packed(self) -> u32 {
        (32 / self.bits()).max(1)
    }

    /// How registers that hold it are declared.
    pub(super) fn register(self) -> PtxType {
        match self {
            Self::F32 => PtxType::F32,
            Self::F64 => PtxType::F64,
            _ => PtxType::B(32),
        }
    }
}

/// Which bit of which coordinate.
pub(super) type Bit = (Axis, u32);

/// A matrix over the lanes of a warp.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    /// What the bits of a lane's number are; nothing: lanes that differ in it hold the same.
    pub(super) lane: [Option<Bit>; 6],
    /// What the bits of an element's number are.
    pub(super) element: Vec<Bit>,
}

fn log(n: u32) -> u32 {
    n.trailing_zeros()
}

/// Bits of a lane's number of which only five count.
fn of_32(bit: impl Fn(u32) -> Option<Bit>) -> [Option<Bit>; 6] {
    std::array::from_fn(|b| if b < 5 { bit(b as u32) } else { None })
}

/// Whether fragments of `wmma` are over 64 lanes.
pub(super) fn is_spread(shape: Shape, units: Option<MatrixUnits>) -> bool {
    shape == (Shape { m: 16, n: 16, k: 16 }) && matches!(units, Some(MatrixUnits::QuarterRows(_)))
}

/// Registers of a lane for a matrix of 16×16 over 64 lanes.
pub(super) fn spread_registers(kind: Kind) -> usize {
    (4 / kind.packed()) as usize
}

impl Layout {
    /// A fragment of `wmma`, as the machine's units want it.
    pub(super) fn whole(part: Part, shape: Shape, kind: Kind, units: Option<MatrixUnits>) -> Self {
        if is_spread(shape, units) {
            return Self::spread(part);
        }
        if part == Part::C {
            let columns = log(shape.n);
            if units == Some(MatrixUnits::HalfRows) {
                let rows = log(shape.m);
                let own = rows - (5 - columns);
                let lane = of_32(|b| Some(if b < columns { (Axis::N, b) } else { (Axis::M, own + b - columns) }));
                return Self { lane, element: (0..own).map(|b| (Axis::M, b)).collect() };
            }
            let lane = of_32(|b| Some(if b < columns { (Axis::N, b) } else { (Axis::M, b - columns) }));
            let element = (5 - columns..log(shape.m)).map(|b| (Axis::M, b)).collect();
            return Self { lane, element };
        }
        let (own, size) = if part == Part::A { (Axis::M, shape.m) } else { (Axis::N, shape.n) };
        // Half precision is there twice or more.
        let doubled = kind == Kind::F16;
        let rows = log(size);
        let inner = if doubled { log(shape.k) } else { log(shape.k).saturating_sub(5 - rows) };
        let lane = of_32(|b| match b.checked_sub(rows) {
            None => Some((own, b)),
            Some(_) if doubled => None,
            Some(n) => Some((Axis::K, inner + n)),
        });
        Self { lane, element: (0..inner).map(|b| (Axis::K, b)).collect() }
    }

    /// A fragment of 16×16 over 64 lanes: four neighbours in each.
    fn spread(part: Part) -> Self {
        let (own, along) = match part {
            Part::A => (Axis::M, Axis::K),
            Part::B => (Axis::N, Axis::K),
            Part::C => (Axis::N, Axis::M),
        };
        let lane = std::array::from_fn(|b| {
            let b = b as u32;
            Some(if b < 4 { (own, b) } else { (along, b - 2) })
        });
        Self { lane, element: vec![(along, 0), (along, 1)] }
    }

    /// Whether the upper half of 64 lanes holds something else than the lower.
    pub(super) fn is_over_64(&self) -> bool {
        self.lane[5].is_some()
    }

    /// A fragment of `mma`, but for that of four quarters of a warp.
    pub(super) fn tile(part: Part, shape: Shape, kind: Kind) -> Self {
        let (row, inner, bits) = match part {
            Part::A => (Axis::M, Axis::K, log(kind.packed())),
            Part::B => (Axis::N, Axis::K, log(kind.packed())),
            Part::C => (Axis::M, Axis::N, 1),
        };
        let lane = of_32(|b| Some(if b < 2 { (inner, bits + b) } else { (row, b - 2) }));
        let mut element: Vec<Bit> = (0..bits).map(|b| (inner, b)).collect();
        if row == Axis::M && shape.m == 16 {
            element.push((Axis::M, 3));
        }
        let size = if part == Part::C { shape.n } else { shape.k };
        element.extend((bits + 2..log(size)).map(|b| (inner, b)));
        Self { lane, element }
    }

    /// Elements that a lane holds.
    pub(super) fn elements(&self) -> u32 {
        1 << self.element.len()
    }

    /// Where a bit of a coordinate comes from, if it is one of this matrix's.
    pub(super) fn source(&self, bit: Bit) -> Option<Source> {
        let lane = self.lane.iter().position(|b| *b == Some(bit)).map(|n| Source::Lane(n as u32));
        lane.or_else(|| self.element.iter().position(|b| *b == bit).map(|n| Source::Element(n as u32)))
    }

    /// The coordinate of an element along an axis, but for what the lane adds.
    pub(super) fn of_element(&self, element: u32, axis: Axis) -> u32 {
        let bits = self.element.iter().enumerate().filter(|(_, b)| b.0 == axis);
        bits.map(|(n, b)| (element >> n & 1) << b.1).sum()
    }

    /// The pairs of bits by which a lane's number gives its coordinate along an axis: from which, to which.
    pub(super) fn of_lane(&self, axis: Axis) -> Vec<(u32, u32)> {
        let bits = self.lane.iter().enumerate();
        bits.filter_map(|(n, b)| b.filter(|b| b.0 == axis).map(|b| (n as u32, b.1))).collect()
    }
}

/// Where a bit of a coordinate comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Source {
    Lane(u32),
    Element(u32),
}
