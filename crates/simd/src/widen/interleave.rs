//! Accesses of lanes a few elements apart: neighbouring vectors and shuffles.
//!
//! The vectors of a `float4` in each lane are a matrix of elements to be transposed. Where the distance is a power of two
//! that is done in stages, each of which halves the distance (as in fast Fourier transforms): `n log n` shuffles of two
//! vectors for `n` vectors. What a vector holds is written down beside it, so that stages are free to leave elements
//! where it is cheap; the last shuffle puts right what then is not in place.

use super::emit::Emitter;
use super::memory::Access;
use ir::{MemInfo, Type, Value};

/// A vector, and which element of the memory in question each of its lanes holds.
#[derive(Clone)]
struct Strip {
    v: Value,
    holds: Vec<i64>,
}

/// An access so many bytes behind another, which is as aligned as both allow.
fn behind(mem: MemInfo, bytes: i64) -> MemInfo {
    MemInfo { align_log2: bytes.trailing_zeros().min(mem.align_log2.into()) as u8, ..mem }
}

impl Emitter<'_> {
    /// Elements `0..count` of each lane, the lanes `apart` elements from each other.
    pub(super) fn load_interleaved(&mut self, base: Value, apart: i64, elem: Type, count: u8, a: Access) -> Vec<Value> {
        let w = i64::from(self.lanes);
        let size = i64::from(elem.scalar_bytes());
        let exact = i64::from(count) == apart && a.mask.is_none();
        let mut rows: Vec<Strip> = Vec::new();
        for row in 0..apart {
            // Unmasked with gaps: the last vector ends with the last element.
            let tail = !exact && a.mask.is_none() && row == apart - 1;
            let first = if tail { (w - 1) * apart + i64::from(count) - w } else { row * w };
            let at = self.ptradd(base, first * size);
            let mask = a.mask.map(|m| self.spread_mask(m, row, apart, count));
            let mem = behind(a.mem, first * size);
            let v = self.load_row(at, elem, Access { mem, mask, ..a });
            rows.push(Strip { v, holds: (first..first + w).collect() });
        }
        let loaded: Vec<Value> = rows.iter().map(|r| r.v).collect();
        let whole = rows.iter().zip(0..).all(|(r, n)| r.holds[0] == n * w);
        let strips = if whole && apart.count_ones() == 1 { self.apart(rows) } else { rows };
        let parts: Vec<Value> = (0..count.into()).map(|c| self.assemble(&strips, |lane| lane * apart + c)).collect();
        if i64::from(count) == apart {
            self.rows.insert(parts.clone(), loaded);
        }
        parts
    }

    /// Stores the components of each lane's vector, one after the other.
    pub(super) fn store_interleaved(&mut self, base: Value, elem: Type, parts: &[Value], a: Access) {
        let (w, apart) = (i64::from(self.lanes), parts.len() as i64);
        let size = i64::from(elem.scalar_bytes());
        let rows = match self.rows.get(parts) {
            // Copied: as it was loaded.
            Some(loaded) => loaded.clone(),
            None => {
                let strip = |(&v, c)| Strip { v, holds: (0..w).map(|l| l * apart + c).collect() };
                let strips: Vec<Strip> = parts.iter().zip(0..).map(strip).collect();
                let strips = if apart.count_ones() == 1 { self.together(strips) } else { strips };
                (0..apart).map(|row| self.assemble(&strips, |lane| row * w + lane)).collect()
            }
        };
        for (row, v) in (0..apart).zip(rows) {
            let at = self.ptradd(base, row * w * size);
            let mask = a.mask.map(|m| self.spread_mask(m, row, apart, apart as u8));
            let mem = behind(a.mem, row * w * size);
            self.store_row(at, v, Access { mem, mask, ..a });
        }
    }

    /// Stores the first elements of each lane, the lanes `apart` elements from each other; what lies between stays as it is.
    pub(super) fn store_with_gaps(&mut self, base: Value, apart: i64, elem: Type, parts: &[Value], a: Access) {
        let (w, count) = (i64::from(self.lanes), parts.len() as i64);
        let size = i64::from(elem.scalar_bytes());
        let all = self.all_lanes(a.mask);
        let strip = |(&v, c)| Strip { v, holds: (0..w).map(|l| l * apart + c).collect() };
        let strips: Vec<Strip> = parts.iter().zip(0..).map(strip).collect();
        for row in 0..apart {
            // Gaps have any element.
            let held = |e: i64| if e % apart < count { e } else { e / apart * apart };
            let spread = self.assemble(&strips, |lane| held(row * w + lane));
            let at = self.ptradd(base, row * w * size);
            let mask = Some(self.spread_mask(all, row, apart, count as u8));
            self.store_row(at, spread, Access { mem: behind(a.mem, row * w * size), mask, ..a });
        }
    }

    /// The mask of row `row` of interleaved elements, of which the first `count` of `apart` are wanted.
    fn spread_mask(&mut self, mask: Value, row: i64, apart: i64, count: u8) -> Value {
        let w = i64::from(self.lanes);
        let ty = self.mask_type();
        let none = self.func.dfg.bits(ty, 0);
        let lanes: Vec<u8> = (row * w..(row + 1) * w)
            .map(|e| if e % apart < count.into() { (e / apart) as u8 } else { self.lanes })
            .collect();
        self.shuffle(mask, none, &lanes)
    }

    // ---- stages -----------------------------------------------------------------------------------------------------

    /// Elements among which a stage's shuffles move. Machines with vectors of 8 shuffle within their halves in one
    /// instruction, and across them in more; what is left in the wrong half is put right at the end. Wider vectors have
    /// one instruction for any two.
    fn stage_block(&self) -> u8 {
        if self.lanes == 8 { 4 } else { self.lanes }
    }

    /// Rows of consecutive elements, a power of two of them, to as many vectors with the elements of one component each,
    /// in any order.
    fn apart(&mut self, rows: Vec<Strip>) -> Vec<Strip> {
        if rows.len() <= 1 {
            return rows;
        }
        let (w, b) = (self.lanes, self.stage_block());
        let every_other = |odd: u8| -> Vec<u8> {
            let of = move |block: u8, from: u8| (0..b / 2).map(move |n| from + block * b + 2 * n + odd);
            (0..w / b).flat_map(|block| of(block, 0).chain(of(block, w))).collect()
        };
        let (even, odd) = (every_other(0), every_other(1));
        let evens = rows.chunks_exact(2).map(|r| self.joined(&r[0], &r[1], &even)).collect();
        let odds = rows.chunks_exact(2).map(|r| self.joined(&r[0], &r[1], &odd)).collect();
        let mut out = self.apart(evens);
        out.extend(self.apart(odds));
        out
    }

    /// The way back: components, a power of two of them, to vectors with runs of elements as long as there are
    /// components, in any order.
    fn together(&mut self, parts: Vec<Strip>) -> Vec<Strip> {
        if parts.len() <= 1 {
            return parts;
        }
        let evens: Vec<Strip> = parts.iter().step_by(2).cloned().collect();
        let odds: Vec<Strip> = parts.iter().skip(1).step_by(2).cloned().collect();
        let (evens, odds) = (self.together(evens), self.together(odds));
        let (w, b) = (self.lanes, self.stage_block());
        let alternately = |half: u8| -> Vec<u8> {
            let first = move |block: u8| block * b + half * b / 2;
            (0..w / b)
                .flat_map(|block| (0..b / 2).flat_map(move |n| [first(block) + n, w + first(block) + n]))
                .collect()
        };
        let (low, high) = (alternately(0), alternately(1));
        evens.iter().zip(&odds).flat_map(|(e, o)| [self.joined(e, o, &low), self.joined(e, o, &high)]).collect()
    }

    /// A shuffle of two vectors.
    fn joined(&mut self, a: &Strip, b: &Strip, lanes: &[u8]) -> Strip {
        let w = usize::from(self.lanes);
        let held = |&l: &u8| if usize::from(l) < w { a.holds[usize::from(l)] } else { b.holds[usize::from(l) - w] };
        Strip { v: self.shuffle(a.v, b.v, lanes), holds: lanes.iter().map(held).collect() }
    }

    /// A vector whose lane `l` is element `which(l)` of the strips.
    fn assemble(&mut self, strips: &[Strip], which: impl Fn(i64) -> i64) -> Value {
        let w = self.lanes;
        let wanted: Vec<i64> = (0..w.into()).map(which).collect();
        if let Some(s) = strips.iter().find(|s| s.holds == wanted) {
            return s.v;
        }
        // Of each strip that has any of them: which lane comes from where.
        let mut missing: Vec<u8> = (0..w).collect();
        let mut sources: Vec<(Value, Vec<(u8, u8)>)> = Vec::new();
        for s in strips {
            let mut found = Vec::new();
            missing.retain(|&l| match s.holds.iter().position(|&e| e == wanted[usize::from(l)]) {
                Some(at) => {
                    found.push((l, at as u8));
                    false
                }
                None => true,
            });
            if !found.is_empty() {
                sources.push((s.v, found));
            }
        }
        let [(first, from_first), rest @ ..] = sources.as_slice() else { return strips[0].v };
        let mut lanes: Vec<u8> = (0..w).collect();
        for &(l, at) in from_first {
            lanes[usize::from(l)] = at;
        }
        let mut acc = *first;
        if rest.is_empty() {
            return self.shuffle(acc, acc, &lanes);
        }
        for (v, found) in rest {
            for &(l, at) in found {
                lanes[usize::from(l)] = at + w;
            }
            acc = self.shuffle(acc, *v, &lanes);
            lanes = (0..w).collect();
        }
        acc
    }
}
