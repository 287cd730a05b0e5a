//! Passes keep what programs compute: a fixed number of random programs. `UNSPOOL_FUZZ_PROGRAMS` sets another number,
//! `UNSPOOL_FUZZ_SEED` the first seed.

use filetests::differential::{self, Verdict};

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|s| s.parse().ok()).unwrap_or(default)
}

#[test]
fn passes_keep_the_meaning_of_random_programs() {
    let first = setting("UNSPOOL_FUZZ_SEED", 0);
    let count = setting("UNSPOOL_FUZZ_PROGRAMS", 250);
    let most = setting("UNSPOOL_FUZZ_FAILURES", 1);
    let (mut same, mut discarded, mut failures) = (0u64, 0u64, Vec::new());
    for seed in first..first + count {
        match differential::run(seed) {
            Ok(Verdict::Same) => same += 1,
            Ok(_) => discarded += 1,
            Err(failure) => {
                failures.push(failure.to_string());
                if failures.len() as u64 >= most {
                    break;
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(same * 2 > count, "only {same} of {count} programs say something, {discarded} were discarded");
}
