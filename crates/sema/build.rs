//! Makes the index of the builtin library: cuts `lib/*.c` into sections, strips comments, resolves dependencies.
//!
//! A section starts with a line `//@ fn NAME [inline]` or `//@ data NAME` and reaches to the next one. What it depends on
//! is found by itself: every other section's name that occurs in it.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

struct Section {
    name: String,
    file: String,
    line: usize,
    inline: bool,
    text: String,
}

fn main() {
    println!("cargo::rerun-if-changed=lib");
    println!("cargo::rerun-if-changed=build.rs");
    let mut sections = Vec::new();
    let mut files: Vec<_> = fs::read_dir("lib").expect("lib/").map(|e| e.expect("entry").path()).collect();
    files.sort();
    for path in files.iter().filter(|p| p.extension().is_some_and(|e| e == "c")) {
        read(path, &mut sections);
    }
    sections.sort_by(|a, b| a.name.cmp(&b.name));
    for pair in sections.windows(2) {
        assert!(pair[0].name != pair[1].name, "section {} stands twice", pair[0].name);
    }
    let deps: Vec<Vec<usize>> = sections.iter().enumerate().map(|(i, s)| uses(i, &s.text, &sections)).collect();
    refuse_cycles(&sections, &deps);
    let out = Path::new(&env::var("OUT_DIR").expect("OUT_DIR")).join("library_index.rs");
    fs::write(out, index(&sections, &deps)).expect("write index");
}

fn read(path: &Path, sections: &mut Vec<Section>) {
    let text = fs::read_to_string(path).expect("library file");
    let file = path.file_name().and_then(|n| n.to_str()).expect("name").to_string();
    let from = sections.len();
    for (i, line) in text.lines().enumerate() {
        if let Some(head) = line.strip_prefix("//@ ") {
            let words: Vec<_> = head.split_whitespace().collect();
            assert!(matches!(words[0], "fn" | "data"), "{file}:{}: expected fn or data", i + 1);
            sections.push(Section {
                name: words[1].to_string(),
                file: file.clone(),
                line: i + 1,
                inline: words.contains(&"inline"),
                text: String::new(),
            });
        } else if sections.len() > from {
            let s = sections.last_mut().expect("section");
            let code = line.split("//").next().unwrap_or("").trim_end();
            s.text.push_str(code.trim_start());
            if !code.trim().is_empty() {
                s.text.push('\n');
            }
        }
    }
}

fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_'
}

fn uses(own: usize, text: &str, sections: &[Section]) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        let start = i;
        while i < bytes.len() && is_word(bytes[i]) {
            i += 1;
        }
        if i > start {
            let word = &text[start..i];
            if let Ok(k) = sections.binary_search_by(|s| s.name.as_str().cmp(word)) {
                if k != own && !found.contains(&k) {
                    found.push(k);
                }
            } else {
                assert!(!word.starts_with("__unspool_"), "{}: {word} has no section", sections[own].name);
            }
        } else {
            i += 1;
        }
    }
    found.sort_unstable();
    found
}

fn refuse_cycles(sections: &[Section], deps: &[Vec<usize>]) {
    fn visit(i: usize, sections: &[Section], deps: &[Vec<usize>], state: &mut [u8]) {
        assert!(state[i] != 1, "cycle through {}", sections[i].name);
        if state[i] == 2 {
            return;
        }
        state[i] = 1;
        for &d in &deps[i] {
            visit(d, sections, deps, state);
        }
        state[i] = 2;
    }
    let mut state = vec![0; sections.len()];
    for i in 0..sections.len() {
        visit(i, sections, deps, &mut state);
    }
}

/// Whether a function has a pointer parameter, which is then an out-parameter.
fn has_out(text: &str) -> bool {
    text.split_once('(').and_then(|(_, rest)| rest.split_once(')')).is_some_and(|(params, _)| params.contains('*'))
}

fn index(sections: &[Section], deps: &[Vec<usize>]) -> String {
    let mut out = String::from("static ENTRIES: &[Entry] = &[\n");
    for (s, d) in sections.iter().zip(deps) {
        writeln!(
            out,
            "Entry {{ name: {:?}, text: {:?}, file: {:?}, line: {}, deps: &{d:?}, inline: {}, writes: {} }},",
            s.name,
            s.text,
            s.file,
            s.line,
            s.inline,
            has_out(&s.text)
        )
        .expect("string");
    }
    out.push_str("];\n");
    out
}
