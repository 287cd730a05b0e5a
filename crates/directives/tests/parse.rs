//! Directives, their clauses, and what is said about wrong ones.

use directives::{ClauseKind, DeviceClass, Directive, Kind, parse};
use source::Span;

/// What a line gives: the directive, and `code: message (help)` of each diagnostic.
fn read(line: &str) -> (Option<Directive>, Vec<String>) {
    let mut said = Vec::new();
    let place = |t: &directives::Text| Span::new(t.start as u32, t.end as u32);
    let d = parse(line, 0..line.len(), &place, &mut |d| {
        let at = &line[d.span().lo as usize..d.span().hi as usize];
        said.push(format!("{} at `{at}`: {} ({})", d.code, d.message, d.help.as_deref().unwrap_or("")));
    });
    (d, said)
}

fn good(line: &str) -> Directive {
    let (d, said) = read(line);
    assert!(said.is_empty(), "{said:?}");
    d.expect("a directive")
}

#[test]
fn combined_directives_are_longest_first() {
    assert_eq!(good("#pragma acc parallel loop").kind, Kind::ParallelLoop);
    assert_eq!(good("#pragma acc parallel").kind, Kind::Parallel);
    assert_eq!(good("#pragma acc data region copy(a)").kind, Kind::DataRegion);
    assert_eq!(good("# pragma acc enter data create(x)").kind, Kind::EnterData);
}

#[test]
fn sections_of_both_dialects() {
    let line = "#pragma acc data region copyin(a[0:(N*M)-1]), copy(b[0:N-1][0:M-1])";
    let d = good(line);
    assert!(d.inclusive);
    let a = d.clause(ClauseKind::Copyin).unwrap().operands[0].variable.clone().unwrap();
    assert_eq!(&line[a.sections[0].upper.clone().unwrap()], "(N*M)-1");
    let b = d.clause(ClauseKind::Copy).unwrap().operands[0].variable.clone().unwrap();
    assert_eq!((b.name.as_str(), b.sections.len()), ("b", 2));
    assert!(!good("#pragma acc data copy(a[0:n])").inclusive);
}

#[test]
fn members_and_conditional_bounds() {
    let line = "#pragma acc data copy(s->x.y[c ? 1 : 2 : n], t.z)";
    let d = good(line);
    let c = &d.clauses[0];
    let y = c.operands[0].variable.as_ref().unwrap();
    assert_eq!(&line[y.base.clone()], "s->x.y");
    assert_eq!(&line[y.sections[0].lower.clone().unwrap()], "c ? 1 : 2");
    assert_eq!(c.operands[1].variable.as_ref().unwrap().name, "t");
}

#[test]
fn modifiers_and_keywords() {
    let line = "#pragma acc parallel loop collapse(force:2) reduction(&&:a,b) copyin(readonly: x) gang(num: 4, static: *) wait(devnum: 0: queues: 1, 2)";
    let d = good(line);
    assert_eq!(d.clause(ClauseKind::Collapse).unwrap().modifiers, ["force"]);
    assert_eq!(d.clause(ClauseKind::Reduction).unwrap().modifiers, ["&&"]);
    assert_eq!(d.clause(ClauseKind::Copyin).unwrap().modifiers, ["readonly"]);
    let gang = d.clause(ClauseKind::Gang).unwrap();
    assert_eq!(gang.operands[0].keyword.as_deref(), Some("num"));
    let wait: Vec<_> = d.clause(ClauseKind::Wait).unwrap().operands.iter().map(|o| &line[o.text.clone()]).collect();
    assert_eq!(wait, ["1", "2"]);
}

#[test]
fn device_types_hold_for_what_follows() {
    let d = good("#pragma acc parallel num_gangs(1) device_type(nvidia, host) num_gangs(2) dtype(*) num_gangs(3)");
    let types: Vec<_> = d.clauses.iter().map(|c| c.device_types.join(",")).collect();
    assert_eq!(types, ["", "nvidia,host", "*"]);
}

/// What holds for each type of device: the number of gangs, whether iterations run in order, and the queue.
#[test]
fn clauses_hold_for_the_types_that_they_are_for() {
    let line = "#pragma acc parallel loop gang async(1) num_gangs(1) device_type(nvidia, host) num_gangs(2) seq \
                device_type(multicore) vector dtype(*) num_gangs(3) async(2)";
    let d = good(line);
    let text = |d: &Directive, k: ClauseKind| d.clause(k).map_or("", |c| &line[c.operands[0].text.clone()]).to_owned();
    let of = |class: DeviceClass| {
        let d = d.for_device(class);
        let words = [ClauseKind::Gang, ClauseKind::Seq, ClauseKind::Vector].map(|k| d.has(k));
        (text(&d, ClauseKind::NumGangs), text(&d, ClauseKind::Async), words)
    };
    let is = |n: &str, q: &str, words: [bool; 3]| (n.to_owned(), q.to_owned(), words);
    assert_eq!(of(DeviceClass::Nvidia), is("2", "1", [false, true, false]));
    assert_eq!(of(DeviceClass::Host), is("2", "1", [false, true, false]));
    assert_eq!(of(DeviceClass::Multicore), is("1", "1", [true, false, true]));
    assert_eq!(of(DeviceClass::Discrete), is("3", "2", [true, false, false]));
    let (d, said) = read("#pragma acc parallel device_type(nvidia) num_gangs(2) copy(a)");
    assert!(d.is_some_and(|d| d.for_device(DeviceClass::Host).has(ClauseKind::Copy)) && said.len() == 1);
}

#[test]
fn the_name_of_a_routine_was_taken_for_its_bind_clause() {
    assert_eq!(good("#pragma acc routine(f) seq bind(g)").clauses.len(), 3);
}

#[test]
fn wrong_ones_are_named_with_what_was_meant() {
    insta::assert_debug_snapshot!([
        read("#pragma acc paralel loop").1,
        read("#pragma acc parallel loop colapse(2) copy(a)").1,
        read("#pragma acc loop copy(a)").1,
        read("#pragma acc parallel num_gangs(1) num_gangs(2)").1,
        read("#pragma acc parallel copy").1,
        read("#pragma acc loop seq independent(2)").1,
        read("#pragma acc parallel copy(a").1,
        read("#pragma acc parallel copy(a,,b)").1,
        read("#pragma acc parallel loop reduction(x)").1,
        read("#pragma acc parallel loop reduction(%:x)").1,
        read("#pragma acc parallel copy(3)").1,
        read("#pragma acc").1,
        read("#pragma acc parallel if(1, 2)").1,
    ]);
}

/// Each bracket and number was an unknown clause, and the operands behind them were missed.
#[test]
fn dimensions_in_brackets_are_passed_over() {
    let (d, said) = read("#pragma acc parallel num_gangs[0](n/8) num_gangs[1](4) copy(a)");
    let d = d.expect("a directive");
    assert_eq!(d.clauses.len(), 2);
    assert_eq!(d.clause(ClauseKind::NumGangs).unwrap().operands.len(), 2);
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].starts_with("W0806 at `[`: `num_gangs` has a dimension in brackets"), "{said:?}");
}

#[test]
fn a_minus_of_reduction_is_a_plus() {
    let (d, said) = read("#pragma acc loop reduction(-:x)");
    assert_eq!(d.expect("a directive").clauses[0].modifiers, ["+"]);
    assert!(said.len() == 1 && said[0].starts_with("W0805"), "{said:?}");
}

/// Only clauses were looked at for what a word may have meant.
#[test]
fn the_second_word_of_a_directive_is_meant_where_it_is_misspelt() {
    let (d, said) = read("#pragma acc kernels lop copy(a)");
    assert_eq!(d.expect("a directive").kind, Kind::Kernels);
    assert_eq!(said, ["W0802 at `lop`: unknown clause `lop` of `kernels`; ignored (did you mean `loop`?)"]);
}
