//! Makes the index of the builtin library: cuts `lib/*.c` into sections, strips comments, resolves dependencies.
//!
//! A section starts with a line `//@ fn NAME [inline] [host|wide]` or `//@ data NAME [host|wide]` and reaches to the next one. A
//! name has one section for all machines, or one for GPUs and one, marked `host`, for the host, or only the latter; and, marked
//! `wide`, one for hosts with vectors of 512 bits. What
//! a section depends on is found by itself: every other section's name that occurs in it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

struct Section {
    name: String,
    file: String,
    line: usize,
    inline: bool,
    host: bool,
    wide: bool,
    text: String,
}

/// The sections of one name.
#[derive(Default)]
struct Entry {
    gpu: Option<usize>,
    host: Option<usize>,
    wide: Option<usize>,
}

/// What compiles the library.
#[derive(Clone, Copy, PartialEq)]
enum Machine {
    Gpu,
    Host,
    Wide,
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
    let mut entries: BTreeMap<&str, Entry> = BTreeMap::new();
    for (i, s) in sections.iter().enumerate() {
        let entry = entries.entry(&s.name).or_default();
        let place = match (s.wide, s.host) {
            (true, _) => &mut entry.wide,
            (_, true) => &mut entry.host,
            _ => &mut entry.gpu,
        };
        assert!(place.replace(i).is_none(), "section {} stands twice", s.name);
    }
    let names: Vec<&str> = entries.keys().copied().collect();
    let deps: Vec<Vec<usize>> = sections.iter().map(|s| uses(s, &names)).collect();
    for machine in [Machine::Gpu, Machine::Host, Machine::Wide] {
        refuse_cycles(&sections, &entries, &deps, machine);
    }
    refuse_instructions(&sections, &entries);
    let out = Path::new(&env::var("OUT_DIR").expect("OUT_DIR")).join("library_index.rs");
    fs::write(out, index(&sections, &entries, &deps)).expect("write index");
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
                host: words.contains(&"host"),
                wide: words.contains(&"wide"),
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

fn uses(section: &Section, names: &[&str]) -> Vec<usize> {
    let text = section.text.as_str();
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
            if let Ok(k) = names.binary_search(&word) {
                if names[k] != section.name && !found.contains(&k) {
                    found.push(k);
                }
            } else {
                assert!(!word.starts_with("__unspool_"), "{}: {word} has no section", section.name);
            }
        } else {
            i += 1;
        }
    }
    found.sort_unstable();
    found
}

type Entries<'a> = BTreeMap<&'a str, Entry>;

/// Which section a machine compiles.
fn chosen(entry: &Entry, machine: Machine) -> usize {
    let found = match machine {
        Machine::Gpu => entry.gpu.or(entry.host).or(entry.wide),
        Machine::Host => entry.host.or(entry.gpu).or(entry.wide),
        Machine::Wide => entry.wide.or(entry.host).or(entry.gpu),
    };
    found.expect("a section")
}

fn refuse_cycles(sections: &[Section], entries: &Entries<'_>, deps: &[Vec<usize>], machine: Machine) {
    let order: Vec<usize> = entries.values().map(|e| chosen(e, machine)).collect();
    fn visit(i: usize, order: &[usize], sections: &[Section], deps: &[Vec<usize>], state: &mut [u8]) {
        assert!(state[i] != 1, "cycle through {}", sections[order[i]].name);
        if state[i] == 2 {
            return;
        }
        state[i] = 1;
        for &d in &deps[order[i]] {
            visit(d, order, sections, deps, state);
        }
        state[i] = 2;
    }
    let mut state = vec![0; order.len()];
    for i in 0..order.len() {
        visit(i, &order, sections, deps, &mut state);
    }
}

/// What the host compiles must not use a GPU's approximate instructions, except for the inverse root, which processors
/// estimate too.
fn refuse_instructions(sections: &[Section], entries: &Entries<'_>) {
    for entry in entries.values() {
        let s = &sections[chosen(entry, Machine::Host)];
        let text = s.text.replace("__builtin_unspool_rsqrt_approx(", "");
        assert!(!text.contains("_approx"), "{} for the host uses an instruction that only GPUs have", s.name);
    }
}

/// Whether a function has a pointer parameter, which is then an out-parameter.
fn has_out(text: &str) -> bool {
    pointers(text).any(|p| !p.contains("const "))
}

/// Whether a function reads memory that its caller names.
fn has_in(text: &str) -> bool {
    pointers(text).any(|p| p.contains("const "))
}

/// The parameters of the first function of a text that are pointers.
fn pointers(text: &str) -> impl Iterator<Item = &str> {
    let params = text.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(params, _)| params);
    params.split(',').filter(|p| p.contains('*'))
}

fn index(sections: &[Section], entries: &Entries<'_>, deps: &[Vec<usize>]) -> String {
    let section = |i: Option<usize>| {
        i.map_or_else(
            || "None".to_string(),
            |i| {
                let s = &sections[i];
                format!(
                    "Some(Section {{ text: {:?}, file: {:?}, line: {}, deps: &{:?}, inline: {} }})",
                    s.text, s.file, s.line, deps[i], s.inline
                )
            },
        )
    };
    let mut out = String::from("static ENTRIES: &[Entry] = &[\n");
    for (name, e) in entries {
        let writes = has_out(&sections[chosen(e, Machine::Gpu)].text);
        for other in [Machine::Host, Machine::Wide] {
            assert_eq!(writes, has_out(&sections[chosen(e, other)].text), "{name} writes on one machine only");
        }
        let reads = has_in(&sections[chosen(e, Machine::Gpu)].text);
        let (gpu, host, wide) = (section(e.gpu), section(e.host), section(e.wide));
        writeln!(
            out,
            "Entry {{ name: {name:?}, writes: {writes}, reads: {reads}, gpu: {gpu}, host: {host}, wide: {wide} }},"
        )
        .expect("string");
    }
    out.push_str("];\n");
    out
}
