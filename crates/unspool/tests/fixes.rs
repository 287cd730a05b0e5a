//! Advice about hints that did not work: it is tried, and what does not help is not given.

use unspool::{Compilation, Dialect, Emit, Input, Options, compile_with_log as compile};

fn explained(text: &str) -> Compilation {
    let mut o = Options { explain: true, ..Options::new(Dialect::CUDA) };
    o.set_arch(unspool::Arch::parse("sm_90").unwrap().arch);
    let c = compile(&Input::text("k.cu", text), &o, &Emit::PTX);
    assert!(c.succeeded(), "{}", c.log());
    c
}

/// What would help and what was tried, of the looks at the loop of a line that have advice.
fn fixes(c: &Compilation, line: u32) -> Vec<(String, Vec<String>)> {
    let map = &c.session.sources;
    let at = |l: &&unspool::LoopReport| map.line_col(l.place.lo).is_some_and(|(_, at)| at.line == line);
    let looks = c.session.ledger.loops().iter().filter(at);
    looks.filter_map(|l| Some((l.fix.clone()?, l.tried.clone()))).collect()
}

/// The words up to the costs.
fn gist(tried: &[String]) -> Vec<&str> {
    tried.iter().map(|t| t.split(';').next().unwrap()).collect()
}

#[test]
fn bounds_and_constants_are_tried_in_the_words_of_the_source() {
    let c = explained(
        "__global__ void k(float *o, int m) {
    #pragma unroll
    for (int i = 0; i <= m + 1; i++) o[i] *= 3;
    #pragma unroll
    for (int j = m; j > 0; j--) o[j] = o[j - 1] * 2;
}",
    );
    let (fix, tried) = fixes(&c, 3).remove(0);
    assert!(fix.contains("bound it as in `i <= ((m + 1) & 15)`"), "{fix}");
    assert_eq!(
        gist(&tried),
        [
            "`i <= 16`: unrolled fully, 17 iterations",
            "`i <= ((m + 1) & 15)`: unrolled fully for at most 16 iterations, with side exits",
            "`#pragma unroll 8`: unrolled by 8, a remainder loop after it",
        ],
        "4 is what is done anyway"
    );
    assert!(tried[0].contains(" instructions instead of ") && tried[0].contains(" registers"), "{}", tried[0]);
    assert!(fixes(&c, 5)[0].0.contains("`int j = (m & 15)`"), "{:?}", fixes(&c, 5));
}

#[test]
fn bounds_that_do_not_help_are_not_suggested() {
    // Nothing is known of where it starts.
    let c = explained(
        "__global__ void k(float *o, int s, int n) {
    #pragma unroll
    for (int i = s; i < n; i++) o[i] *= 3;
}",
    );
    let (fix, tried) = fixes(&c, 3).remove(0);
    assert!(!fix.contains("bound it") && !fix.contains("constant"), "{fix}");
    assert_eq!(gist(&tried), ["`#pragma unroll 8`: unrolled by 8, a remainder loop before it"]);
}

#[test]
fn jamming_is_suggested_where_loops_nest_and_tried_there() {
    let c = explained(
        "__global__ void k(float *o, const float *__restrict__ a, int n, int m) {
    #pragma unroll_and_jam(4)
    for (int b = 0; b < n; b++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < 64; j++) o[i * 64 + j] += a[j];
    #pragma unroll_and_jam(4)
    for (int i = 0; i < n; i++) o[i] = a[i];
}",
    );
    let (fix, tried) = fixes(&c, 3).remove(0);
    assert!(fix.contains("put the hint on the loop around the innermost one"), "{fix}");
    assert_eq!(gist(&tried), ["`#pragma unroll_and_jam 4` on line 4: unrolled by 4 and jammed"]);
    let (fix, tried) = fixes(&c, 7).remove(0);
    assert!(fix.contains("this loop alone with `#pragma unroll 4`"), "no loop stands around another: {fix}");
    assert_eq!(tried.len(), 1);
    let text =
        unspool::explain::to_text(c.explanation.as_ref().unwrap(), &c.session, unspool::source::render::Colour::Never);
    assert!(text.contains("refused\n           because iterations cannot run side by side"), "{text}");
}
