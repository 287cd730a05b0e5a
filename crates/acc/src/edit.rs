//! Changes to a text: replacements and insertions by place, applied at once.

use std::ops::Range;

/// What to change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edits {
    list: Vec<Edit>,
}

#[derive(Clone, Debug)]
struct Edit {
    /// What is replaced; empty for an insertion.
    at: Range<usize>,
    /// It closes something: it stands before what is inserted at the same place otherwise.
    closes: bool,
    text: String,
}

impl Edits {
    /// Puts a text in place of a range.
    pub(crate) fn replace(&mut self, at: Range<usize>, text: String) {
        self.list.push(Edit { at, closes: false, text });
    }

    /// Puts a text before what is at a place.
    pub(crate) fn insert(&mut self, at: usize, text: String) {
        self.list.push(Edit { at: at..at, closes: false, text });
    }

    /// Puts a text behind what ends at a place; what began last ends first.
    pub(crate) fn insert_after(&mut self, at: usize, text: String) {
        self.list.push(Edit { at: at..at, closes: true, text });
    }

    /// The changed text of a range. A replacement swallows those within it; directives' lines in it are dropped by their own
    /// replacements.
    pub(crate) fn apply(&self, text: &str, range: Range<usize>) -> String {
        let within = |e: &Edit| match e.closes {
            true => e.at.start > range.start && e.at.start <= range.end,
            false => e.at.start >= range.start && e.at.end <= range.end && e.at.start < range.end,
        };
        let mut list: Vec<(usize, &Edit)> = self.list.iter().enumerate().filter(|(_, e)| within(e)).collect();
        // At one place: what closes, what is inserted in the order of asking, then the longest replacement.
        list.sort_by_key(|(i, e)| {
            let order = match (e.closes, e.at.is_empty()) {
                (true, _) => 0,
                (false, true) => 1,
                _ => 2,
            };
            let rank = if e.closes { usize::MAX - *i } else { *i };
            (e.at.start, order, usize::MAX - e.at.end, rank)
        });
        let mut out = String::with_capacity(range.len() + 64);
        let mut at = range.start;
        for (_, e) in list {
            if e.at.start < at {
                continue;
            }
            out.push_str(&text[at..e.at.start]);
            out.push_str(&e.text);
            at = e.at.end;
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
        // What began last ends first.
        e.insert_after(5, "]".to_owned());
        assert_eq!(e.apply("abc def", 4..5), "(d])");
    }
}
