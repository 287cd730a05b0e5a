//! Where the threads of a block read an array, as distances from each thread's own element.
//!
//! The reads of an array are sorted into *patches*: those whose subscripts differ by numbers of iterations of the loop that the threads of
//! a block share (*across*) and, where a block has rows of threads, of the loop before it (*down*). `A[j-1][i]` is one up from `A[j][i]`,
//! and so is `p[(j-1)*n+i]` from `p[j*n+i]`. A patch is what a block reads of it: the block's own elements, and a margin.
//!
//! What must hold: the array moves by one element with the loop across, in one of its dimensions; in one dimension at most by the same
//! product with the loop down; the rest of the subscripts is the same for all threads, but for variables of loops inside whose bounds are
//! numbers, which may make up distances. Cost: a look at each term of each subscript, and at each pair of reads.

use crate::block::Tile;
use crate::loops::CountedLoop;
use crate::poly::Poly;
use crate::reach::Reach;
use crate::scope::VarId;
use crate::verdict::Question;
use std::ops::Range;
use syntax::ast::TypeId;

/// The least and the greatest distance, in elements.
type Ends = (i128, i128);

/// Distances in both directions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Rectangle {
    pub(crate) down: Ends,
    pub(crate) across: Ends,
}

impl Rectangle {
    fn contains(&self, other: &Self) -> bool {
        let within = |a: Ends, b: Ends| a.0 <= b.0 && b.1 <= a.1;
        within(self.down, other.down) && within(self.across, other.across)
    }
}

/// Elements of an array that the threads of a block read.
#[derive(Clone, Debug)]
pub(crate) struct Patch {
    /// The array.
    pub(crate) var: VarId,
    /// What it holds.
    pub(crate) element: TypeId,
    /// Its subscripts where the distances from the thread's own element are 0.
    pub(crate) subscripts: Vec<Poly>,
    /// Rows of threads read rows of it.
    pub(crate) moves_down: bool,
    /// What every iteration reads: distances, with others in between along a row.
    pub(crate) parts: Vec<Rectangle>,
    /// The reads in the text, and how far each is from the thread's own element, across and down.
    pub(crate) reads: Vec<(Range<usize>, [Poly; 2])>,
}

impl Patch {
    /// All distances.
    pub(crate) fn around(&self) -> Rectangle {
        let hull = |of: fn(&Rectangle) -> Ends| {
            let ends = self.parts.iter().map(of);
            ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or_default()
        };
        Rectangle { down: hull(|r| r.down), across: hull(|r| r.across) }
    }

    /// Elements of a block's, across and down.
    pub(crate) fn size(&self, block: Tile) -> [i128; 2] {
        let around = self.around();
        let rows = if self.moves_down { i128::from(block.down) } else { 1 };
        [
            (i128::from(block.across)).saturating_add(around.across.1.saturating_sub(around.across.0)),
            rows.saturating_add(around.down.1.saturating_sub(around.down.0)),
        ]
    }

    /// All of them.
    pub(crate) fn length(&self, block: Tile) -> i128 {
        let [across, down] = self.size(block);
        across.saturating_mul(down)
    }
}

/// The loops whose iterations the threads of a block have, neighbours side by side.
#[derive(Clone, Copy)]
pub(crate) struct Neighbours<'l> {
    pub(crate) across: &'l CountedLoop,
    /// Where a block has rows of threads.
    pub(crate) down: Option<&'l CountedLoop>,
}

/// A read, taken apart.
pub(crate) struct Read {
    subscripts: Vec<Poly>,
    /// The dimension in which it moves with the loop across.
    moving: usize,
    moves_down: bool,
    /// How far it is from the thread's own element, across and down, and the least and greatest values of that.
    distance: [Poly; 2],
    ends: Rectangle,
    /// It happens in every iteration.
    pub(crate) sure: bool,
    /// Its text.
    pub(crate) at: Range<usize>,
}

/// Why a read is in no patch.
pub(crate) enum Apart {
    /// All threads read the same element.
    Same,
    /// The subscript is something else than the loop's variable and numbers.
    Unknown,
}

impl Read {
    /// A read with these subscripts.
    pub(crate) fn of(
        q: &Question<'_, '_>,
        r: &Reach,
        subscripts: Vec<Poly>,
        loops: Neighbours<'_>,
    ) -> Result<Self, Apart> {
        let x = loops.across.var;
        let moves: Vec<usize> = (0..subscripts.len()).filter(|&d| subscripts[d].has(x)).collect();
        let &[moving] = moves.as_slice() else {
            return Err(if moves.is_empty() { Apart::Same } else { Apart::Unknown });
        };
        let by_one = subscripts[moving].linear(x).is_some_and(|(c, _)| c.number() == Some(1));
        if !by_one {
            return Err(Apart::Unknown);
        }
        let is_inside = |v: VarId| q.inner.iter().any(|l| l.var == v && l.range.contains(&r.at));
        // What is added to the thread's own element: numbers, and variables of loops inside.
        let mut own = subscripts;
        let mut across = Poly::default();
        for (key, n) in own[moving].terms() {
            if key.iter().all(|&v| is_inside(v)) {
                across = across.add(&Poly::term(key, n), 1);
            }
        }
        own[moving] = own[moving].add(&across, -1);
        let (down, moves_down) = match loops.down {
            None => (Poly::default(), false),
            Some(l) => down_of(&mut own, (moving, &mut across), l.var, &is_inside).ok_or(Apart::Unknown)?,
        };
        // Each distance across is read with each one down.
        if across.variables().any(|v| down.has(v)) {
            return Err(Apart::Unknown);
        }
        let ends = |p: &Poly| ends_of(q, p, r.at).ok_or(Apart::Unknown);
        let ends = Rectangle { across: ends(&across)?, down: ends(&down)? };
        let distance = [across, down];
        Ok(Self { subscripts: own, moving, moves_down, distance, ends, sure: false, at: 0..0 })
    }

    /// The variables of its subscripts, and those of its distances.
    pub(crate) fn variables(&self) -> (impl Iterator<Item = VarId>, impl Iterator<Item = VarId>) {
        (self.subscripts.iter().flat_map(Poly::variables), self.distance.iter().flat_map(Poly::variables))
    }
}

/// How far down a read is, which its subscripts lose then, and whether it moves with the loop down at all. Where rows follow each other
/// in one dimension (`p[j*512+i+513]`), numbers of `across` that are rows are down.
fn down_of(
    own: &mut [Poly],
    (moving, across): (usize, &mut Poly),
    y: VarId,
    is_inside: &dyn Fn(VarId) -> bool,
) -> Option<(Poly, bool)> {
    let moves: Vec<usize> = (0..own.len()).filter(|&d| own[d].has(y)).collect();
    let d = match moves.as_slice() {
        [] => return Some((Poly::default(), false)),
        &[d] => d,
        _ => return None,
    };
    let (row, rest) = own[d].linear(y)?;
    let mut terms = row.terms();
    let ((row, times), None) = (terms.next()?, terms.next()) else { return None };
    let mut down = Poly::default();
    if row.is_empty() && d == moving {
        for (key, n) in across.clone().terms() {
            let rows = (2 * n + times).div_euclid(2 * times);
            down = down.add(&Poly::term(key, 1), rows);
            *across = across.add(&Poly::term(key, rows.checked_mul(times)?), -1);
        }
        return Some((down, true));
    }
    for (key, n) in rest.terms() {
        let Some(left) = without(key, row).filter(|left| left.iter().all(|&v| is_inside(v))) else { continue };
        if n % times == 0 {
            down = down.add(&Poly::term(&left, 1), n / times);
            own[d] = own[d].add(&Poly::term(key, n), -1);
        }
    }
    Some((down, true))
}

/// A product without the factors of another.
fn without(key: &[VarId], factors: &[VarId]) -> Option<Vec<VarId>> {
    let mut left = key.to_vec();
    for f in factors {
        let at = left.iter().position(|v| v == f)?;
        left.remove(at);
    }
    Some(left)
}

/// The least and the greatest value of a sum of variables of loops whose bounds are numbers.
fn ends_of(q: &Question<'_, '_>, distance: &Poly, at: usize) -> Option<Ends> {
    let mut ends = (0i128, 0i128);
    for (key, n) in distance.terms() {
        let (a, b) = match *key {
            [] => (n, n),
            [x] => {
                let l = q.inner.iter().find(|l| l.var == x && l.range.contains(&at) && l.every)?;
                let (first, last) = (l.first.as_ref()?.number()?, l.last.as_ref()?.number()?);
                (first.checked_mul(n)?, last.checked_mul(n)?)
            }
            _ => return None,
        };
        ends = (ends.0.checked_add(a.min(b))?, ends.1.checked_add(a.max(b))?);
    }
    Some(ends)
}

/// The patches that several elements for each thread are read of.
pub(crate) fn sorted(var: VarId, element: TypeId, reads: Vec<Read>) -> Vec<Patch> {
    let mut groups: Vec<Vec<Read>> = Vec::new();
    for r in reads {
        match groups.iter_mut().find(|g| g[0].moving == r.moving && g[0].subscripts == r.subscripts) {
            Some(g) => g.push(r),
            None => groups.push(vec![r]),
        }
    }
    let patch = |g: Vec<Read>| {
        let parts = parts(g.iter().filter(|r| r.sure).map(|r| r.ends).collect());
        let within = |r: &&Read| parts.iter().any(|p| p.contains(&r.ends));
        let reads = g.iter().filter(within).map(|r| (r.at.clone(), r.distance.clone())).collect();
        let (subscripts, moves_down) = (g[0].subscripts.clone(), g[0].moves_down);
        Patch { var, element, subscripts, moves_down, parts, reads }
    };
    let is_shared = |p: &Patch| {
        let Rectangle { down, across } = p.around();
        !p.parts.is_empty() && (across.0 < across.1 || down.0 < down.1)
    };
    groups.into_iter().map(patch).filter(is_shared).collect()
}

/// Distances by rows: along one row, what is between two that are read belongs to the array, too. Above and below it may not.
fn parts(mut read: Vec<Rectangle>) -> Vec<Rectangle> {
    read.sort();
    let mut parts: Vec<Rectangle> = Vec::new();
    for r in read {
        match parts.last_mut().filter(|p| p.down == r.down) {
            Some(p) => p.across = (p.across.0.min(r.across.0), p.across.1.max(r.across.1)),
            None => parts.push(r),
        }
    }
    let all = parts.clone();
    parts.retain(|p| !all.iter().any(|other| other != p && other.contains(p)));
    parts
}

#[cfg(test)]
mod tests {
    use super::{Rectangle, parts};

    #[test]
    fn corners_that_nobody_reads_belong_to_no_part() {
        let at = |y, x| Rectangle { down: (y, y), across: (x, x) };
        let star = parts(vec![at(0, 1), at(0, -1), at(-1, 0), at(1, 0), at(0, 0)]);
        let row = |y, a, b| Rectangle { down: (y, y), across: (a, b) };
        assert_eq!(star, [row(-1, 0, 0), row(0, -1, 1), row(1, 0, 0)]);
        let window = Rectangle { down: (-1, 1), across: (-2, 2) };
        assert_eq!(parts(vec![at(0, 0), window, at(1, 2)]), [window]);
    }
}
