//! The decision engine against the measured decisions of the real compiler.
//!
//! Every row of `../shared/oracle/nvcc_unroll_sm90.jsonl` is a kernel of a known pattern. Its facts follow from how it
//! was generated (trip, body, local array, convergence); both pipeline invocations are simulated on them, and the
//! predicted shape must equal the measured one. No compiler runs here: this tests the rules. Where the rows are not
//! on the machine, the test says so and passes.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use unroll::{
    Decision, Invocation, Kind, Knobs, Leftover, LoopFacts, Remainder, Request, SimulatedCost, SizeLevel, decide,
    remarks,
};

/// What a row's kernel does, in the cost model's units.
struct Pattern {
    facts: LoopFacts,
    request: Request,
    /// Cost of one iteration that is left when the induction variable is a constant.
    folded: u32,
    /// What the kernel's other loops add to the shape.
    suffix: &'static str,
}

/// `for (...) { x += in[i*7]; … }`: multiplication, extension, address, load, addition; increment, comparison, branch.
const SIZE_WITHOUT_BODY: u32 = 7;
/// A float shuffle and its addition: two bit casts, the shuffle, the addition; the body count includes the addition.
const SHUFFLE: u32 = 4;

fn number(v: &Value) -> Option<u32> {
    v.as_u64().map(|n| n as u32).or_else(|| v.as_str().and_then(|s| s.parse().ok()))
}

/// What the measured front end makes of the text after `#pragma unroll`: spellings that it warns about and other
/// compilers' pragmas are no hint.
fn request(pragma: &Value) -> Request {
    let Some(text) = pragma.as_str() else { return Request::NONE };
    let text = text.strip_suffix(" on while").or(text.strip_suffix(" on do")).unwrap_or(text);
    let text = text.strip_prefix("N template=").unwrap_or(text);
    match text {
        "" => Request::FULL,
        "'a'" => Request::count(u32::from(b'a')),
        "(4)" | "(2+2)" | "0x4" | "4u" | "N4" => Request::count(4),
        _ => text.parse().ok().filter(|&n: &u32| n > 0 && n <= i32::MAX as u32).map_or(Request::NONE, Request::count),
    }
}

fn pattern(row: &Value) -> Option<Pattern> {
    let trip = number(&row["trip"]);
    let body = number(&row["body"]);
    let mut size = body.unwrap_or(4) + SIZE_WITHOUT_BODY;
    let mut suffix = "";
    let mut facts_extra: fn(LoopFacts) -> LoopFacts = |f| f;
    if row["group"] == "shfl" {
        size += SHUFFLE;
        facts_extra = |f| LoopFacts { convergent: true, ..f };
    }
    let array = number(&row["local_array"]).unwrap_or(0);
    if array > 0 {
        // Address and store; the mask folds away where the index cannot exceed it.
        size += if trip.is_some_and(|t| t > array) { 3 } else { 2 };
        suffix = " L0 L0";
    }
    let folded = body.unwrap_or(4) + 2;
    let facts = match row["trip"].as_str().unwrap_or("") {
        _ if trip.is_some() => LoopFacts::counted(trip.unwrap_or(0), size),
        "n" if row["body"] == "sinf" => LoopFacts::runtime(106),
        "n" | "n*4" => LoopFacts::runtime(size),
        "n&7 (ub 7)" => LoopFacts { max_trip: 7, apparent_max_trip: 7, ..LoopFacts::runtime(size) },
        "n+break" => LoopFacts { exits: 2, ..LoopFacts::runtime(size + 2) },
        "32+break" => LoopFacts { exits: 2, counted_trip: 32, max_trip: 32, ..LoopFacts::runtime(size + 2) },
        _ => return None,
    };
    let facts = LoopFacts { local_array: array, ..facts_extra(facts) };
    Some(Pattern { facts, request: request(&row["pragma"]), folded, suffix })
}

/// Simulated cost of a loop whose iteration folds down to `folded`.
fn simulated(facts: &LoopFacts, folded: u32) -> Option<SimulatedCost> {
    let n = facts.trip_count;
    Some(SimulatedCost { iterations: n, rolled: n.checked_mul(facts.size)?, unrolled: n.checked_mul(folded)? })
}

fn loop_shape(d: &Decision) -> String {
    let n = d.count;
    match d.kind {
        Kind::Full | Kind::UpperBound => format!("S{n}"),
        Kind::Runtime => {
            let rest = if d.leftover != Leftover::Loop || n == 2 { format!("S{}", n - 1) } else { "L1".into() };
            if d.remainder == Remainder::Prologue { format!("{rest} L{n}") } else { format!("L{n} {rest}") }
        }
        Kind::Partial | Kind::SideExits => format!("L{n}"),
        _ => "L1".into(),
    }
}

/// The shape after both invocations, and the condensed remarks of the first.
fn predict(p: &Pattern, knobs: &Knobs) -> (String, Vec<String>) {
    let params = |i| knobs.params_for(&["k"], SizeLevel::Speed, i);
    let mut facts = p.facts.clone();
    if facts.trip_count == 1 {
        return (format!("S1{}", p.suffix), Vec::new());
    }
    facts.simulated = simulated(&facts, p.folded);
    let first = decide(&facts, &p.request, &params(Invocation::Early));
    let mut said = remarks::condensed(&first);
    let mut shape = loop_shape(&first);
    let breaks_out = first.breakout != 0;
    if first.kind == Kind::Partial && !first.explicit {
        // Early made a loop of fewer, larger iterations. One with a mid-loop exit is not straightened later.
        let count = first.count;
        let trip = facts.trip_count.div_ceil(count);
        let size = count * facts.marginal() + facts.fixed + u32::from(breaks_out);
        let mut again = LoopFacts { local_array: facts.local_array, ..LoopFacts::counted(trip, size) };
        if breaks_out {
            (again.trip_count, again.exits) = (0, 2);
        }
        again.simulated = simulated(&again, p.folded * count);
        let second = decide(&again, &p.request, &params(Invocation::Late));
        said.extend(remarks::condensed(&second));
        if second.kind == Kind::Full {
            shape = format!("S{}", facts.trip_count);
        }
    }
    (shape + p.suffix, said)
}

fn knobs(row: &Value) -> Knobs {
    let mut k = Knobs::default();
    for text in row["knobs"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        k.assign(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    }
    k
}

/// Whole-kernel rows whose shape depends on block layout rather than on a decision; the end-to-end measure covers them.
const NOT_MODELLED: &[&str] = &["16x16", "nx4"];

#[test]
#[allow(clippy::print_stderr, reason = "the table is what one runs this test for")]
fn decisions_agree_with_the_measured_compiler() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracle/nvcc_unroll_sm90.jsonl");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("skipped: {} is not on this machine", path.display());
        return;
    };
    let mut groups: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut same_words = (0, 0);
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).expect("a row is JSON");
        if NOT_MODELLED.iter().any(|t| row["trip"] == *t) || row["trip"].is_null() {
            continue;
        }
        let Some(p) = pattern(&row) else { panic!("unknown pattern: {row}") };
        let (shape, said) = predict(&p, &knobs(&row));
        let entry = groups.entry(row["group"].as_str().unwrap_or("").into()).or_default();
        entry.1 += 1;
        if row["shape"] == shape.as_str() {
            entry.0 += 1;
        } else {
            wrong.push(format!(
                "{} {} {}: {} predicted {shape} {said:?}",
                row["id"], row["trip"], row["body"], row["shape"]
            ));
        }
        if row["group"] == "known" || row["group"] == "thresh" {
            let theirs: Vec<&str> = row["remarks"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let early = theirs.len().min(said.len());
            same_words.1 += 1;
            same_words.0 += u32::from(theirs.is_empty() == said.is_empty() && theirs[..early] == said[..early]);
        }
    }
    for w in wrong.iter().take(20) {
        eprintln!("{w}");
    }
    for (group, (good, all)) in &groups {
        eprintln!("{group:10} {good}/{all} {:.2}%", 100.0 * f64::from(*good) / f64::from(*all));
    }
    eprintln!("remarks    {}/{}", same_words.0, same_words.1);
    for (group, (good, all)) in groups {
        assert!(good * 100 >= all * 99, "{group}: {good} of {all}");
    }
}
