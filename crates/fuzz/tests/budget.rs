//! A fixed number of mutated inputs per layer in every test run; `UNSPOOL_FUZZ_INPUTS` raises it.

use fuzz::{Mutator, layers};
use std::path::Path;

fn corpus(dir: &str) -> Vec<Vec<u8>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(dir);
    let mut files: Vec<_> = std::fs::read_dir(&path)
        .unwrap_or_else(|e| panic!("{}: {e}", path.display()))
        .map(|f| f.unwrap().path())
        .collect();
    files.sort();
    files.iter().map(|f| std::fs::read(f).unwrap()).collect()
}

/// Source seeds: the first byte of an input selects the dialect.
fn sources() -> Vec<Vec<u8>> {
    let tagged = |dir: &str, tag: u8| {
        corpus(dir).into_iter().map(move |mut text| {
            text.insert(0, tag);
            text
        })
    };
    tagged("cu", 0).chain(tagged("cl", 1)).collect()
}

fn drive(name: &str, seeds: &[Vec<u8>], default: usize, layer: fn(&[u8])) {
    let inputs = std::env::var("UNSPOOL_FUZZ_INPUTS").ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let seed = std::env::var("UNSPOOL_FUZZ_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    for s in seeds {
        layer(s);
    }
    let mut m = Mutator::new(seeds, seed);
    for n in 0..inputs {
        let input = m.next_input();
        let outcome = std::panic::catch_unwind(|| layer(&input));
        assert!(
            outcome.is_ok(),
            "{name}: input {n} of seed {seed} panics; the first byte selects the dialect:\n{}",
            String::from_utf8_lossy(&input)
        );
    }
}

#[test]
fn preprocessor_survives() {
    drive("preprocessor", &sources(), 3000, layers::preprocessor);
}

#[test]
fn parser_survives() {
    drive("parser", &sources(), 3000, layers::parser);
}

#[test]
fn compiler_survives() {
    drive("compiler", &sources(), 1500, layers::compiler);
}

#[test]
fn ir_text_survives() {
    drive("ir", &corpus("ir"), 3000, layers::ir_text);
}

#[cfg(feature = "llvm")]
#[test]
fn host_survives() {
    drive("host", &sources(), 60, layers::host);
}
