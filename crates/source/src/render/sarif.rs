//! SARIF 2.1.0: what code review tools read.
//!
//! One [`Run`] holds the results of one compilation; [`sarif_log`] puts runs into a log. Rules are the codes of
//! diagnostics, described by the rows of `docs/diagnostics.md`, and whatever rules callers bring themselves. Columns are
//! Unicode code points, as `columnKind` says; places are those that `#line` presents, so that they name the file that
//! people review.
//!
//! Cost: linear in results and in the lines that they stand on.

use crate::{Diagnostic, Fix, Severity, SourceMap, Span};
use serde_json::{Map, Value, json};

/// How a result is to be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SarifLevel {
    /// Nothing was produced.
    Error,
    /// Something to look at.
    Warning,
    /// Something to know.
    Note,
    /// All is well: a result of kind `pass`.
    Pass,
    /// Neither good nor bad: a result of kind `informational`.
    Information,
}

impl SarifLevel {
    fn kind(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Information => "informational",
            _ => "fail",
        }
    }

    fn level(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
            // A result that is no failure has no level (section 3.27.10).
            Self::Pass | Self::Information => "none",
        }
    }
}

/// A rule that results may name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SarifRule {
    /// Its stable id.
    pub id: String,
    /// What it is about, in one sentence.
    pub about: String,
    /// What to do about it.
    pub help: String,
}

/// One result.
#[derive(Clone, Debug)]
pub struct SarifResult {
    /// Its rule.
    pub rule: SarifRule,
    /// How to take it.
    pub level: SarifLevel,
    /// What there is to say.
    pub message: String,
    /// Where; nowhere for what is about the command line.
    pub span: Span,
    /// Other places, with what is to say about each.
    pub related: Vec<(Span, String)>,
    /// A change that mends it, and what to call it.
    pub fix: Option<(Fix, String)>,
    /// Further facts, for programs.
    pub properties: Map<String, Value>,
}

/// The results of one compilation.
#[derive(Debug)]
pub struct Run<'a> {
    /// Where places are looked up.
    pub sources: &'a SourceMap,
    /// The results, in order.
    pub results: Vec<SarifResult>,
    /// Whether it went through.
    pub succeeded: bool,
}

/// The page that describes every code: one table row each.
const CODES: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/diagnostics.md"));

/// Where the project lives.
const HOME: &str = env!("CARGO_PKG_REPOSITORY");

/// The rule of a diagnostic's code.
fn rule_of(d: &Diagnostic) -> SarifRule {
    let row =
        CODES.lines().filter_map(|l| l.strip_prefix("| ")).find_map(|l| l.strip_prefix(d.code)?.strip_prefix(" | "));
    let about = row.map_or(d.message.as_str(), |r| r.trim_end_matches('|').trim());
    let help = match (d.group, d.severity) {
        (Some(g), Severity::Remark) => format!("Shown because of `-R{g}`."),
        (Some(g), _) => {
            format!("Mute it with `-Wno-{g}`; make it an error with `-Werror={g}`. Described in docs/diagnostics.md.")
        }
        (None, _) => "Described in docs/diagnostics.md.".to_owned(),
    };
    SarifRule { id: d.code.to_owned(), about: about.replace("&#124;", "|"), help }
}

/// A diagnostic as a result.
pub fn diagnostic_to_sarif(d: &Diagnostic) -> SarifResult {
    let mut message = d.message.clone();
    let primary = d.labels.iter().find(|l| l.primary).map(|l| l.message.as_str());
    for more in primary.into_iter().chain(d.notes.iter().map(String::as_str)).filter(|t| !t.is_empty()) {
        message.push('\n');
        message.push_str(more);
    }
    if let Some(help) = &d.help {
        message.push_str("\nhelp: ");
        message.push_str(help);
    }
    let mut properties = Map::new();
    if let Some(g) = d.group {
        properties.insert("group".into(), g.into());
    }
    let described = |f: &Fix| d.help.clone().unwrap_or_else(|| format!("replace with `{}`", f.replacement));
    SarifResult {
        rule: rule_of(d),
        level: match d.severity {
            Severity::Error => SarifLevel::Error,
            Severity::Warning => SarifLevel::Warning,
            Severity::Remark | Severity::Note => SarifLevel::Note,
        },
        message,
        span: d.span(),
        related: d.labels.iter().filter(|l| !l.primary).map(|l| (l.span, l.message.clone())).collect(),
        fix: d.fix.as_ref().map(|f| (f.clone(), described(f))),
        properties,
    }
}

/// A log of runs, one for each compilation.
pub fn sarif_log(runs: &[Run<'_>]) -> Value {
    json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": runs.iter().map(run).collect::<Vec<_>>(),
    })
}

fn run(r: &Run<'_>) -> Value {
    let mut rules: Vec<&SarifRule> = Vec::new();
    let mut results = Vec::with_capacity(r.results.len());
    for res in &r.results {
        let index = match rules.iter().position(|known| known.id == res.rule.id) {
            Some(i) => i,
            None => {
                rules.push(&res.rule);
                rules.len() - 1
            }
        };
        results.push(result(r.sources, res, index));
    }
    json!({
        "tool": { "driver": {
            "name": "unspool",
            "version": env!("CARGO_PKG_VERSION"),
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "informationUri": HOME,
            "rules": rules.iter().map(|rule| json!({
                "id": rule.id,
                "shortDescription": { "text": rule.about },
                "help": { "text": rule.help },
            })).collect::<Vec<_>>(),
        }},
        "columnKind": "unicodeCodePoints",
        "invocations": [{ "executionSuccessful": r.succeeded }],
        "results": results,
    })
}

fn result(map: &SourceMap, r: &SarifResult, rule_index: usize) -> Value {
    let mut out = Map::new();
    out.insert("ruleId".into(), r.rule.id.as_str().into());
    out.insert("ruleIndex".into(), rule_index.into());
    out.insert("kind".into(), r.level.kind().into());
    out.insert("level".into(), r.level.level().into());
    out.insert("message".into(), json!({ "text": r.message }));
    out.insert("locations".into(), location(map, r.span).into_iter().collect());
    let related: Vec<Value> = r
        .related
        .iter()
        .enumerate()
        .filter_map(|(n, (span, text))| {
            let mut l = location(map, *span)?;
            l["id"] = (n + 1).into();
            if !text.is_empty() {
                l["message"] = json!({ "text": text });
            }
            Some(l)
        })
        .collect();
    if !related.is_empty() {
        out.insert("relatedLocations".into(), related.into());
    }
    if let Some((f, text)) = &r.fix
        && let Some((uri, region)) = physical(map, f.span)
    {
        let replacement = json!({ "deletedRegion": region, "insertedContent": { "text": f.replacement } });
        let change = json!({ "artifactLocation": { "uri": uri }, "replacements": [replacement] });
        out.insert("fixes".into(), json!([{ "description": { "text": text }, "artifactChanges": [change] }]));
    }
    if !r.properties.is_empty() {
        out.insert("properties".into(), Value::Object(r.properties.clone()));
    }
    Value::Object(out)
}

fn location(map: &SourceMap, span: Span) -> Option<Value> {
    let (uri, region) = physical(map, span)?;
    Some(json!({ "physicalLocation": { "artifactLocation": { "uri": uri }, "region": region } }))
}

/// File and region of a span; none for places without source.
fn physical(map: &SourceMap, span: Span) -> Option<(String, Value)> {
    let span = map.call_site(span);
    if span.is_none() {
        return None;
    }
    let (file, from) = map.presumed(span.lo)?;
    let (_, to) = map.presumed(span.hi.max(span.lo))?;
    let region = json!({
        "startLine": from.line,
        "startColumn": code_points(map, span.lo, from.col),
        "endLine": to.line,
        "endColumn": code_points(map, span.hi.max(span.lo), to.col),
    });
    Some((uri(file), region))
}

/// The column in code points of a position that stands in byte column `col`.
fn code_points(map: &SourceMap, pos: u32, col: u32) -> usize {
    let Some(id) = map.file_at(pos) else { return col as usize };
    let f = map.file(id);
    let at = ((pos - f.base) as usize).min(f.text.len());
    let start = at.saturating_sub(col as usize - 1);
    1 + f.text.as_bytes()[start..at].iter().filter(|&&b| b & 0xc0 != 0x80).count()
}

/// A path as a URI reference: what is not allowed in one is written as `%XX`.
fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len() + 8);
    if path.starts_with('/') {
        out.push_str("file://");
    }
    // A colon in the first segment would read as a scheme.
    for &b in path.as_bytes() {
        if b.is_ascii_alphanumeric() || b"/-._~+@=,".contains(&b) {
            out.push(b as char);
        } else {
            out.push('%');
            for half in [b >> 4, b & 15] {
                out.push(char::from_digit(u32::from(half), 16).unwrap_or('0').to_ascii_uppercase());
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str, d: &Diagnostic) -> Value {
        let mut m = SourceMap::default();
        m.add("a b/k:<1>.cl", text.into()).unwrap();
        sarif_log(&[Run { sources: &m, results: vec![diagnostic_to_sarif(d)], succeeded: false }])
    }

    #[test]
    fn places_count_characters_and_names_are_uris() {
        let text = "/* ä€𝄞 */ int x = y;\n";
        // The first file begins at position 1.
        let y = text.find("y;").unwrap() as u32 + 1;
        let d = Diagnostic::error("E0201", Span::new(y, y + 1), "use of `y`")
            .help("declare it")
            .fix(Span::new(y, y + 1), "z");
        let log = one(text, &d);
        let r = &log["runs"][0]["results"][0];
        let place = &r["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "a%20b/k%3A%3C1%3E.cl");
        assert_eq!(place["region"], json!({ "startLine": 1, "startColumn": 19, "endLine": 1, "endColumn": 20 }));
        assert_eq!(r["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"], "z");
        assert_eq!(r["level"], "error");
        assert_eq!(log["runs"][0]["tool"]["driver"]["rules"][0]["id"], "E0201");
    }

    #[test]
    fn what_has_no_place_has_no_location() {
        let log = one("", &Diagnostic::error("E0701", Span::NONE, "cannot read"));
        let r = &log["runs"][0]["results"][0];
        assert_eq!(r["locations"], json!([]));
        assert!(log["runs"][0]["tool"]["driver"]["rules"][0]["shortDescription"]["text"].as_str().unwrap().len() > 3);
    }

    #[test]
    fn results_that_are_no_failures_have_no_level() {
        for l in [SarifLevel::Pass, SarifLevel::Information] {
            assert_eq!(l.level(), "none");
        }
    }
}
