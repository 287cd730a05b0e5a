//! `-W` options, in their order: of two that contradict each other the last one counts.

use source::groups::{GROUPS, GroupName, group};
use unspool::Options;

/// Applies the words after `-W`.
pub(crate) fn apply(words: &[String], o: &mut Options) {
    for w in words {
        if let Some(name) = w.strip_prefix("no-error=") {
            if let Some(name) = names(name) {
                o.groups_as_errors.retain(|g| *g != name);
                o.groups_as_warnings.push(name);
            }
        } else if w == "no-error" {
            o.warnings_are_errors = false;
        } else if matches!(w.as_str(), "error" | "error=all-warnings") {
            o.warnings_are_errors = true;
        } else if let Some(name) = w.strip_prefix("error=") {
            if let Some(name) = names(name) {
                o.muted_groups.retain(|g| *g != name);
                o.groups_as_warnings.retain(|g| *g != name);
                o.groups_as_errors.push(name);
            }
        } else if w == "no-everything" {
            o.no_warnings = true;
        } else if let Some(name) = w.strip_prefix("no-") {
            if let Some(name) = names(name) {
                o.enabled_groups.retain(|g| *g != name);
                o.groups_as_errors.retain(|g| *g != name);
                o.muted_groups.push(name);
            }
        } else if w == "everything" {
            o.enabled_groups.extend(GROUPS.iter().filter(|g| !g.on).map(|g| g.name.to_owned()));
        } else {
            if let Some(name) = names(w) {
                o.muted_groups.retain(|g| *g != name);
                o.enabled_groups.push(name);
            }
        }
    }
}

/// The group that a name stands for; none for collections, of which everything is on already. Names that nobody knows
/// stay: the compilation warns of them.
fn names(name: &str) -> Option<String> {
    match group(name) {
        GroupName::Known(g) => Some(g.name.to_owned()),
        GroupName::Collection => None,
        GroupName::Unknown(_) => Some(name.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(words: &[&str]) -> Options {
        let mut o = Options::new(unspool::Dialect::CUDA);
        apply(&words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>(), &mut o);
        o
    }

    #[test]
    fn the_last_word_counts() {
        let o = after(&["no-unroll", "error=unroll"]);
        assert_eq!((o.muted_groups.len(), o.groups_as_errors.as_slice()), (0, &["unroll".to_owned()][..]));
        let o = after(&["error=pass-failed", "no-unroll"]);
        assert_eq!((o.groups_as_errors.len(), o.muted_groups.as_slice()), (0, &["unroll".to_owned()][..]));
        let o = after(&["error", "no-error=overflow", "all", "extra"]);
        assert!(o.warnings_are_errors && o.groups_as_warnings == ["overflow"] && o.enabled_groups.is_empty());
        assert!(!after(&["error", "no-error"]).warnings_are_errors);
        assert_eq!(after(&["everything"]).enabled_groups, ["lane-mask-portability", "unroll"]);
        assert!(after(&["no-everything"]).no_warnings);
    }
}
