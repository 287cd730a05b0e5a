//! How much two names differ: for "did you mean".

/// Names longer than this are not compared: nobody misspells so much.
const MAX: usize = 64;

/// Edit distance between two names, or something above `limit` if it is more, or if one is longer than [`MAX`] bytes.
pub fn distance(a: &str, b: &str, limit: usize) -> usize {
    if a.len().abs_diff(b.len()) > limit || a.len() > MAX || b.len() > MAX {
        return limit + 1;
    }
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let cost = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = cost.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn distances() {
        assert_eq!(distance("arch", "arch", 2), 0);
        assert_eq!(distance("archh", "arch", 2), 1);
        assert_eq!(distance("kitten", "sitting", 3), 3);
        assert!(distance("a", "abcdefgh", 3) > 3);
    }
}
