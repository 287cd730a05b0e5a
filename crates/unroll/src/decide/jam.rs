//! Unroll-and-jam: copies of an outer loop's body with their inner loops fused.
//!
//! Asked before everything else, because it wants the inner loop as it stands in the source. A hint's factor is taken
//! as it is, unless memory dependence or size allow less; a bare hint gets the default factor, halved until the inner
//! body stays below `unroll-and-jam-threshold`. With `enable-unroll-and-jam` nests are also jammed unasked, where the
//! copies share loads and the inner loop is neither small enough for full unrolling nor branches.

use super::Cascade;
use crate::decision::{Decision, Finding, Kind, Priority, Remainder};
use crate::facts::{Jam, LoopFacts, NestFacts};
use crate::params::UnrollParams;
use crate::request::Request;
use ir::UnrollRequest;

/// Decides whether iterations of an outer loop run side by side.
pub fn decide_jam(facts: &LoopFacts, request: &Request, params: &UnrollParams) -> Decision {
    let mut c = Cascade::new(facts, *request, params);
    c.explicit = c.request.wants_jam();
    let settled = c.jam();
    c.finish(settled)
}

impl Cascade<'_> {
    fn jam(&mut self) -> Option<Decision> {
        if self.request.jam == UnrollRequest::Disable {
            self.note(Priority::Jam, Finding::JamForbidden);
            return None;
        }
        if !self.may_jam() {
            return None;
        }
        let nest = match self.facts.jam {
            Jam::Yes(nest) => nest,
            Jam::No(why) => {
                self.note(Priority::Jam, Finding::JamRefused { why });
                return None;
            }
            Jam::Unknown => return None,
        };
        if !self.explicit && self.params.jam_count.is_none() && !self.jam_is_profitable(&nest) {
            return None;
        }
        let wanted = match (self.request.jam, self.params.jam_count) {
            (_, Some(n)) | (UnrollRequest::Count(n), None) => n,
            _ => self.jam_factor(&nest)?,
        };
        let count = self.legal_jam(wanted, &nest);
        (count > 1).then(|| self.settle_jam(count, &nest)).flatten()
    }

    /// Whether anybody wants it and nothing switches it off.
    fn may_jam(&mut self) -> bool {
        if self.params.skip_pragmas {
            self.note(Priority::Jam, Finding::PragmaSkipped);
        }
        let wanted = self.explicit || self.params.auto_jam || self.params.jam_count.is_some();
        wanted && self.params.allow_unroll_and_jam && !self.facts.done && self.facts.duplicable
    }

    fn jam_is_profitable(&mut self, nest: &NestFacts) -> bool {
        let NestFacts { shared_loads, inner_size, inner_trip, straight, .. } = *nest;
        let unrolled = u64::from(inner_trip) * u64::from(inner_size);
        let left_to_unroll = inner_trip > 0 && unrolled < u64::from(self.params.threshold);
        let good = shared_loads > 0 && straight && !left_to_unroll;
        if !good {
            self.note(Priority::Jam, Finding::JamUnprofitable { shared_loads, inner_size, inner_trip });
        }
        good
    }

    /// The factor where none is named: the default one, halved until it fits and, if it can, divides the trip count.
    fn jam_factor(&mut self, nest: &NestFacts) -> Option<u32> {
        let threshold = self.params.jam_threshold;
        let size = |count: u32| u64::from(count) * u64::from(nest.inner_size);
        let mut count = self.rounded(self.params.default_count.min(self.params.max_count));
        while count > 1 && size(count) >= u64::from(threshold) {
            count >>= 1;
        }
        if count < 2 {
            self.note(Priority::Jam, Finding::JamTooLarge { count: 2, size: size(2), threshold });
            return None;
        }
        let trip = self.facts.trip_count;
        let divides = trip & trip.wrapping_neg();
        Some(if divides > 1 { count.min(divides) } else { count })
    }

    /// The largest factor up to `wanted` that memory dependence, the trip count, the code size and the rules about
    /// remainders allow.
    fn legal_jam(&mut self, wanted: u32, nest: &NestFacts) -> u32 {
        let mut count = wanted;
        if let Some(conflict) = nest.conflict.filter(|_| count > nest.most) {
            self.note(Priority::Jam, Finding::JamLimited { count, conflict });
            count = nest.most;
        }
        let (trip, multiple) = (self.facts.trip_count, self.facts.trip_multiple);
        if trip > 0 {
            count = count.min(trip);
        }
        let threshold = self.pragma_threshold;
        let size = self.facts.unrolled_size(count);
        if size >= u64::from(threshold) {
            self.note(Priority::Jam, Finding::JamTooLarge { count, size, threshold });
            count = self.facts.copies_within(threshold - 1);
        }
        if !self.params.allow_remainder && !multiple.is_multiple_of(count.max(1)) {
            self.note(Priority::Jam, Finding::RemainderNotAllowed { count, multiple });
            count = (1..count).rev().take(64).find(|&n| multiple.is_multiple_of(n)).unwrap_or(1);
        }
        count
    }

    fn settle_jam(&mut self, count: u32, nest: &NestFacts) -> Option<Decision> {
        let whole = self.facts.trip_multiple.is_multiple_of(count);
        if !whole && !self.facts.runtime_trip {
            self.note(Priority::Jam, Finding::NoRemainderLoop { exits: self.facts.exits });
            return None;
        }
        let size = u64::from(count) * u64::from(nest.inner_size);
        let finding = Finding::JamChosen { count, size, remainder: !whole };
        let remainder = if whole { Remainder::None } else { Remainder::Epilogue };
        let leftover = self.leftover(false);
        self.settle(Priority::Jam, finding, Kind::Jam, count).map(|d| Decision { remainder, leftover, ..d })
    }
}
