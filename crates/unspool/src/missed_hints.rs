//! Missed hints: what was asked about unrolling and not done as asked, as warnings of the group `unroll` (off by default); and `-W` groups
//! that nobody knows.

use source::groups::{GroupName, group};
use source::{Diagnostic, Diagnostics, Fate, HintId, HintKind, Session, Span};

/// The group of these warnings.
pub(crate) const GROUP: &str = "unroll";

/// Places reported for one hint: a template instantiated hundreds of times says the same hundreds of times.
const MAX_PLACES: usize = 8;

/// Warns of `-W` options that name no group, with the nearest name.
pub(crate) fn check_groups(diagnostics: &mut Diagnostics) {
    let lists = [
        ("-W", &diagnostics.enabled_groups),
        ("-Wno-", &diagnostics.muted_groups),
        ("-Werror=", &diagnostics.groups_as_errors),
        ("-Wno-error=", &diagnostics.groups_as_warnings),
    ];
    let mut unknown = Vec::new();
    for (option, names) in lists {
        for name in names {
            let GroupName::Unknown(near) = group(name) else { continue };
            let message = format!("unknown warning option `{option}{name}`");
            let help = match near {
                Some(n) => format!("did you mean `{option}{n}`?"),
                None => "docs/diagnostics.md lists the groups".to_owned(),
            };
            unknown.push(Diagnostic::warning("W0701", Span::NONE, message).help(help).group("unknown-warning-option"));
        }
    }
    for d in unknown {
        diagnostics.report(d);
    }
}

/// One place at which a hint was missed.
struct Miss {
    hint: HintId,
    span: Span,
    message: String,
    function: String,
    place: Span,
    reason: String,
    fix: Option<String>,
    suggested: Option<u32>,
}

/// Reports hints about unrolling that were refused or adjusted, if anyone wants to hear of them: the loop, the reason
/// and, where one is known, the fix. Hints on code that no kernel reaches asked for nothing.
pub(crate) fn report(session: &mut Session) {
    if !session.diagnostics.shows(GROUP) || session.diagnostics.has_errors() {
        return;
    }
    let mut misses: Vec<Miss> = Vec::new();
    for (id, h) in session.ledger.iter() {
        if !matches!(h.kind, HintKind::Unroll | HintKind::UnrollAndJam) {
            continue;
        }
        let missed = h.answers.iter().filter(|a| matches!(a.fate, Fate::Refused | Fate::Adjusted));
        for a in missed.take(MAX_PLACES) {
            let fate = if a.fate == Fate::Refused { "refused" } else { "adjusted" };
            let looks = session.ledger.loops().iter();
            let look = looks.rev().find(|l| l.place == a.place && l.function == a.function && l.hints.contains(&id));
            misses.push(Miss {
                hint: id,
                span: h.span,
                message: format!("`{}` is {fate}: {}", h.asked, a.done),
                function: a.function.clone(),
                place: a.place,
                reason: a.reason.clone(),
                fix: a.trail.iter().find(|s| s.rule == "fix").map(|s| s.finding.clone()),
                suggested: look.and_then(|l| l.suggested),
            });
        }
    }
    misses.sort_by_key(|m| (m.span.lo, m.hint));
    for m in misses {
        let d = diagnostic(session, m);
        session.report(d);
    }
}

fn diagnostic(session: &Session, m: Miss) -> Diagnostic {
    let mut d = Diagnostic::warning("W0601", m.span, m.message).group(GROUP);
    if m.place != m.span {
        d = d.label(m.place, "this loop");
    }
    if !m.reason.is_empty() {
        d = d.note(format!("because {}", m.reason));
    }
    if !m.function.is_empty() {
        d = d.note(format!("in `{}`", m.function));
    }
    if let Some(text) = m.suggested.and_then(|n| replaced(&session.ledger.hint(m.hint).asked, n)) {
        let exact = session.sources.snippet(m.span) == session.ledger.hint(m.hint).asked;
        if exact {
            d = d.fix(m.span, text);
        }
    }
    match m.fix {
        Some(fix) => d.help(fix),
        None => d,
    }
}

/// A hint with its factor replaced, in the spelling that it has: `#pragma unroll 4096` becomes `#pragma unroll 728`.
/// None where the factor is not one number.
pub(crate) fn replaced(asked: &str, factor: u32) -> Option<String> {
    let start = asked.find(|c: char| c.is_ascii_digit())?;
    let end = asked[start..].find(|c: char| !c.is_ascii_digit()).map_or(asked.len(), |n| start + n);
    let alone = |c: Option<char>| c.is_none_or(|c| !(c.is_alphanumeric() || c == '_' || c == '.'));
    let whole = alone(asked[..start].chars().next_back()) && alone(asked[end..].chars().next());
    let only = !asked[end..].contains(|c: char| c.is_ascii_digit());
    let plain = !asked[start..].contains(['+', '*', '/', '%', '<', '>']);
    (whole && only && plain).then(|| format!("{}{factor}{}", &asked[..start], &asked[end..]))
}

#[cfg(test)]
mod tests {
    use super::replaced;

    #[test]
    fn factors_are_replaced_only_where_they_are_one_number() {
        let r = |t| replaced(t, 7);
        assert_eq!(r("#pragma unroll 4096").as_deref(), Some("#pragma unroll 7"));
        assert_eq!(r("#pragma unroll(4096)").as_deref(), Some("#pragma unroll(7)"));
        assert_eq!(r("[[clang::loop_unroll 4096]]").as_deref(), Some("[[clang::loop_unroll 7]]"));
        assert_eq!(r("#pragma unroll"), None);
        assert_eq!(r("#pragma unroll N4"), None);
        assert_eq!(r("#pragma unroll 2 * 3"), None);
        assert_eq!(r("#pragma unroll 4 * N"), None);
    }
}
