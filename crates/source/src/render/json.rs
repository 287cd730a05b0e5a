//! JSON: one object per diagnostic; the schema is documented in `docs/diagnostics.md`.

use crate::{Diagnostic, SourceMap, Span};
use serde_json::{Value, json};

fn place(map: &SourceMap, span: Span) -> Value {
    let span = map.call_site(span);
    match (map.presumed(span.lo), map.presumed(span.hi)) {
        (Some((file, a)), Some((_, b))) => json!({
            "file": file, "line": a.line, "column": a.col, "end_line": b.line, "end_column": b.col,
        }),
        _ => Value::Null,
    }
}

/// One diagnostic as a JSON object.
pub fn diagnostic_to_json(map: &SourceMap, d: &Diagnostic) -> Value {
    json!({
        "code": d.code,
        "severity": d.severity,
        "message": d.message,
        "place": place(map, d.span()),
        "labels": d.labels.iter().map(|l| json!({
            "place": place(map, l.span), "message": l.message, "primary": l.primary,
        })).collect::<Vec<_>>(),
        "notes": d.notes,
        "help": d.help,
        "fix": d.fix.as_ref().map(|f| json!({ "place": place(map, f.span), "replacement": f.replacement })),
        "group": d.group,
    })
}

/// All diagnostics as a JSON array.
pub fn diagnostics_to_json<'a>(map: &SourceMap, list: impl IntoIterator<Item = &'a Diagnostic>) -> Value {
    Value::Array(list.into_iter().map(|d| diagnostic_to_json(map, d)).collect())
}
