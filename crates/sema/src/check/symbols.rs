//! No two functions have one name in the object.

use super::Checker;
use rustc_hash::FxHashMap;
use source::Diagnostic;

impl Checker<'_> {
    /// Says where two functions with bodies have the same name in the object (`asm("name")`): they would be taken for one
    /// that was instantiated twice, and one body for both.
    pub(super) fn check_symbols(&mut self) {
        if self.sess.diagnostics.error_count() > 0 {
            return;
        }
        let mut known: FxHashMap<&str, usize> = FxHashMap::default();
        let mut found = Vec::new();
        for (i, f) in self.p.functions.iter().enumerate().filter(|(_, f)| f.body.is_some()) {
            if let Some(&first) = known.get(f.symbol.as_str()) {
                found.push((first, i));
            } else {
                known.insert(&f.symbol, i);
            }
        }
        for (first, second) in found {
            let (one, other) = (&self.p.functions[first], &self.p.functions[second]);
            let (a, b, symbol) = (&one.display, &other.display, &other.symbol);
            let d = Diagnostic::error(
                "E0358",
                other.span,
                format!("`{a}` and `{b}` are both called `{symbol}` in the object"),
            )
            .label(one.span, "the other one")
            .help("give one of them another name");
            self.report(d);
        }
    }
}
