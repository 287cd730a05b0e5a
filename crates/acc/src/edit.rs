//! Changes to a text: replacements and insertions by place, applied at once.

use std::ops::Range;

/// What to change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edits {
    /// Place, whether it closes something (behind what is inserted there otherwise), text.
    list: Vec<(Range<usize>, bool, String)>,
}

impl Edits {
    /// Puts a text in place of a range.
    pub(crate) fn replace(&mut self, at: Range<usize>, text: String) {
        self.list.push((at, false, text));
    }

    /// Puts a text before what is at a place.
    pub(crate) fn insert(&mut self, at: usize, text: String) {
        self.list.push((at..at, false, text));
    }

    /// Puts a text behind what ends at a place; what began last ends first.
    pub(crate) fn insert_after(&mut self, at: usize, text: String) {
        self.list.push((at..at, true, text));
    }

    /// The changed text of a range. A replacement swallows those within it; directives' lines in it are dropped by their own
    /// replacements.
    pub(crate) fn apply(&self, text: &str, range: Range<usize>) -> String {
        let within = |r: &Range<usize>, closes: bool| {
            if r.is_empty() && closes {
                r.start > range.start && r.start <= range.end
            } else {
                r.start >= range.start
                    && r.end <= range.end
                    && (r.start < range.end || r.is_empty() && r.start < range.end)
            }
        };
        let mut list: Vec<(usize, &(Range<usize>, bool, String))> =
            self.list.iter().enumerate().filter(|(_, (r, c, _))| within(r, *c)).collect();
        // At one place: what closes, what is inserted in the order of asking, then the longest replacement.
        list.sort_by_key(|(i, (r, closes, _))| {
            let order = match (*closes, r.is_empty()) {
                (true, _) => 0,
                (false, true) => 1,
                _ => 2,
            };
            (r.start, order, usize::MAX - r.end, *i)
        });
        let mut out = String::with_capacity(range.len() + 64);
        let mut at = range.start;
        for (_, (r, closes, new)) in list {
            if r.start < at && !(*closes && r.start == at) {
                continue;
            }
            out.push_str(&text[at..r.start]);
            out.push_str(new);
            at = r.end;
        }
        out.push_str(&text[at.min(range.end)..range.end]);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::Edits;

    #[test]
    fn the_longer_replacement_wins_and_insertions_stay_in_order() {
        let mut e = Edits::default();
        e.replace(0..1, "x".to_owned());
        e.replace(0..3, "long".to_owned());
        e.insert(4, "(".to_owned());
        e.insert_after(5, ")".to_owned());
        assert_eq!(e.apply("abc def", 0..7), "long (d)ef");
        assert_eq!(e.apply("abc def", 4..5), "(d)");
    }
}
