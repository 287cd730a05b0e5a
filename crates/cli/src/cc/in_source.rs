//! Where the user's file has what stands in the preprocessed text.
//!
//! A directive is one line there, with macros replaced and white space and comments gone; in the file it may go on over several
//! lines, each ended by `\`. Both are taken apart into tokens. A place is found if what stands before it is spelt alike in both,
//! else if its tokens come as often in the one as in the other. Cost: linear in the lines, for each message.

use source::{FileId, SourceMap, Span};
use std::ops::Range;

/// The place of a span of the preprocessed text in the user's file; the line that it came from if it is not there as it stands.
/// `None` for places in other files.
pub(super) fn in_source(
    original: &SourceMap,
    file: FileId,
    path: &str,
    preprocessed: &SourceMap,
    span: Span,
) -> Option<Span> {
    let (_, at) = preprocessed.presumed(span.lo).filter(|(name, _)| *name == path)?;
    let f = original.file(file);
    let start: usize = f.text.split_inclusive('\n').take((at.line as usize).checked_sub(1)?).map(str::len).sum();
    let base = f.base + start as u32;
    let written = continued(&f.text[start..]);
    let (id, here) = preprocessed.line_col(span.lo)?;
    let column = here.col as usize - 1;
    let made = preprocessed.file(id);
    let whole = made.text.get((span.lo - made.base) as usize - column..)?.lines().next().unwrap_or("");
    let within = column..column + (span.hi.saturating_sub(span.lo) as usize);
    let place = |r: Range<usize>| Span::new(base + r.start as u32, base + r.end as u32);
    if let Some(found) = counterpart(written, whole, &within) {
        // Of what goes on over several lines, the first is shown.
        let first = written[found.clone()].find('\n').map_or(found.end, |n| found.start + n);
        let end = found.start + written[found.start..first].trim_end_matches(['\\', '\r', ' ', '\t']).len();
        return Some(place(found.start..end.max(found.start)));
    }
    let line = written.lines().next()?;
    let indent = line.len() - line.trim_start().len();
    Some(place(indent..line.len()))
}

/// A line and those that continue it.
fn continued(text: &str) -> &str {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        end += line.len();
        if !line.trim_end().ends_with('\\') && !is_comment_open(&text[..end]) {
            break;
        }
    }
    text[..end].trim_end_matches(['\n', '\r'])
}

/// Whether a directive's text ends inside of a comment.
fn is_comment_open(text: &str) -> bool {
    text.trim_start().starts_with('#') && text.rfind("/*").is_some_and(|at| !text[at..].contains("*/"))
}

/// Words, and characters that are none, without white space, comments and the ends of lines.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let len = if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |n| n + 2)
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if is_word(c) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            c.len_utf8()
        };
        let is_comment = rest.starts_with("/*") || rest.starts_with("//");
        let goes_on = |after: &str| after.trim_start_matches(['\r', ' ', '\t']).starts_with('\n');
        let is_end_of_line = rest.strip_prefix('\\').is_some_and(goes_on);
        if !(c.is_whitespace() || is_comment || is_end_of_line) {
            out.push(at..at + len);
        }
        at += len;
    }
    out
}

/// Tokens that tell others of the same spelling apart: `num_gangs (` before `0`.
const BEFORE: usize = 2;

/// Where the file has what stands within a range of the line that was made of it.
fn counterpart(written: &str, made: &str, within: &Range<usize>) -> Option<Range<usize>> {
    let (of_file, of_line) = (tokens(written), tokens(made));
    let first = of_line.iter().position(|t| t.end > within.start)?;
    let count = of_line[first..].iter().take_while(|t| t.start < within.end).count().max(1);
    let same = |a: &[Range<usize>], b: &[Range<usize>]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| written[a.clone()] == made[b.clone()])
    };
    let place = |at: usize, n: usize| of_file.get(at..at + n).map(|t| t[0].start..t[n - 1].end);
    let wanted = &of_line[first..(first + count).min(of_line.len())];
    if of_file.len() >= first + wanted.len() && same(&of_file[..first + wanted.len()], &of_line[..first + wanted.len()])
    {
        return place(first, wanted.len());
    }
    // Macros have moved it: as often as the same tokens stand before it, or these with some of what comes before them.
    let n = wanted.len();
    (0..=first.min(BEFORE)).find_map(|before| {
        let part = &of_line[first - before..first + n];
        let all = |of: &[Range<usize>], text: &str| -> Vec<usize> {
            let alike = |w: &&[Range<usize>]| w.iter().zip(part).all(|(a, b)| text[a.clone()] == made[b.clone()]);
            of.windows(part.len()).enumerate().filter(|(_, w)| alike(w)).map(|(i, _)| i).collect()
        };
        let (here, there) = (all(&of_line, made), all(&of_file, written));
        let which = here.iter().position(|&i| i == first - before)?;
        (here.len() == there.len()).then(|| place(there[which] + before, n))?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What of `written` a part of `made` is found as.
    fn found<'a>(written: &'a str, made: &str, part: &str) -> Option<&'a str> {
        let at = made.find(part)?;
        counterpart(continued(written), made, &(at..at + part.len())).map(|r| &written[r])
    }

    #[test]
    fn clauses_on_continued_lines_are_found_on_their_lines() {
        let written =
            "#pragma acc parallel loop \\\n    copyin(b[0:n]) /* a\n  comment */ \\\n  copyot( a[0:N] )\nfor (;;)";
        let made = "#pragma acc parallel loop copyin(b[0:n]) copyot( a[0:100] )";
        assert_eq!(found(written, made, "copyot"), Some("copyot"));
        assert_eq!(found(written, made, "copyin(b[0:n])"), Some("copyin(b[0:n])"));
        assert_eq!(found(written, made, "parallel"), Some("parallel"));
        // A macro stands there.
        assert_eq!(found(written, made, "100"), None);
        assert!(found(written, made, "copyin").is_some_and(|f| f.as_ptr() as usize > written.as_ptr() as usize + 26));
    }

    #[test]
    fn what_macros_have_moved_is_found_by_its_spelling() {
        assert_eq!(found("#pragma acc data copy(a[0:N], b)", "#pragma acc data copy(a[0:1 + 2], b)", "b)"), Some("b)"));
        assert_eq!(found("#pragma acc data W(a)", "#pragma acc data copy(a) copy(a)", "copy(a)"), None);
        assert_eq!(found("", "x", "x"), None);
    }
}
