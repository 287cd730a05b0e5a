//! Which name was meant: for "did you mean".
//!
//! The distance of two names is the number of letters to insert, delete or change, or of neighbours to swap, that make
//! one of the other (optimal string alignment).

/// Names of more bytes than this are not compared: nobody misspells so much, and the comparison takes the product of
/// both lengths.
const MAX: usize = 80;

/// The candidate that differs least from `word`, by at most a third of the word's letters, but by something; of several
/// the first by name. Nothing resembles a word of one letter.
pub fn nearest<C: AsRef<str> + Ord>(word: &str, candidates: impl IntoIterator<Item = C>) -> Option<C> {
    let letters = word.chars().count();
    if letters < 2 || word.len() > MAX {
        return None;
    }
    let limit = (letters / 3).max(1);
    let bytes = bytes_of(word);
    // Each mistake brings in at most one byte of another kind, or four where letters have several; and takes as many.
    let few = |set: u64| set.count_ones() as usize <= limit * if word.is_ascii() { 1 } else { 4 };
    let distance = |c: &str| {
        let comparable = c.len() <= MAX && {
            let other = bytes_of(c);
            few(bytes & !other) && (few(other & !bytes) || !c.is_ascii())
        };
        let comparable = comparable && c != word && c.chars().count().abs_diff(letters) <= limit;
        comparable.then(|| strsim::osa_distance(word, c)).filter(|&d| d <= limit)
    };
    candidates.into_iter().filter_map(|c| Some((distance(c.as_ref())?, c))).min().map(|(_, c)| c)
}

/// Which bytes occur, by their last six bits.
fn bytes_of(word: &str) -> u64 {
    word.bytes().fold(0, |set, b| set | 1 << (b & 63))
}

#[cfg(test)]
mod tests {
    use super::{MAX, nearest};

    #[test]
    fn the_least_different_name_is_meant() {
        let names = ["arch", "march", "search", "part"];
        assert_eq!(nearest("archh", names), Some("arch"));
        assert_eq!(nearest("acrh", names), Some("arch"), "neighbours swapped are one mistake");
        assert_eq!(nearest("serch", names), Some("search"));
        assert_eq!(nearest("dart", ["cart", "bart"]), Some("bart"), "the first by name");
    }

    #[test]
    fn what_is_far_is_not_meant() {
        assert_eq!(nearest("kitten", ["sitting"]), None);
        assert_eq!(nearest("", ["a"]), None);
        assert_eq!(nearest("x", ["k", "xy"]), None);
        assert_eq!(nearest("a", ["abcdefgh"]), None);
        assert_eq!(nearest("arch", ["arch"]), None, "no name is a misspelling of itself");
    }

    #[test]
    fn letters_are_counted_not_bytes() {
        assert_eq!(nearest("größe", ["groesse", "grösse"]), None);
        assert_eq!(nearest("größer", ["großer"]), Some("großer"));
    }

    #[test]
    fn long_names_are_not_compared() {
        let long = "x".repeat(MAX + 1);
        let almost = "x".repeat(MAX);
        assert_eq!(nearest(&long, [almost.as_str()]), None);
        assert_eq!(nearest(&almost, [long.as_str()]), None);
    }
}
