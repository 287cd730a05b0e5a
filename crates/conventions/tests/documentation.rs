//! The pages under `docs/` keep up with the sources.

use conventions::root;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Files under a folder with an extension, in order; `target` folders are left out.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return out };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() && name != "target" && !name.to_string_lossy().starts_with('.') {
            out.extend(files(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            out.push(path);
        }
    }
    out.sort();
    out
}

/// Diagnostic codes in a text: a letter, a zero and three digits, right behind `open` and right before `close`.
fn codes(text: &str, open: &str, close: &str) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for (at, _) in text.match_indices(open) {
        let rest = &text[at + open.len()..];
        let Some(code) = rest.get(..5) else { continue };
        let shaped = code.starts_with(['E', 'W', 'R', 'N'])
            && code[1..].starts_with('0')
            && code[1..].bytes().all(|b| b.is_ascii_digit());
        if shaped && rest[5..].starts_with(close) {
            out.insert(code.to_owned());
        }
    }
    out
}

fn is_test(path: &Path) -> bool {
    path.components().any(|c| c.as_os_str() == "tests" || c.as_os_str() == "conventions")
        || path.file_name().is_some_and(|n| n == "tests.rs")
}

#[test]
fn every_code_is_documented() {
    let mut used = BTreeSet::new();
    for path in files(&root().join("crates"), "rs") {
        if !is_test(&path) {
            used.extend(codes(&fs::read_to_string(&path).expect("a source file"), "\"", "\""));
        }
    }
    let page = fs::read_to_string(root().join("docs/diagnostics.md")).expect("docs/diagnostics.md");
    let listed = codes(&page, "\n| ", " | ");
    let missing: Vec<_> = used.difference(&listed).collect();
    let stale: Vec<_> = listed.difference(&used).collect();
    assert!(
        missing.is_empty() && stale.is_empty(),
        "docs/diagnostics.md lacks {missing:?} and has {stale:?} too many: run scripts/list_codes.py"
    );
    assert!(!page.contains("|  |"), "a code in docs/diagnostics.md has no meaning beside it");
}

#[test]
fn links_lead_somewhere() {
    let mut dead = Vec::new();
    let mut pages = files(&root().join("docs"), "md");
    pages.push(root().join("README.md"));
    for page in pages {
        let text = fs::read_to_string(&page).expect("a page");
        for part in text.split("](").skip(1) {
            let Some(link) = part.split(')').next() else { continue };
            let path = link.split('#').next().unwrap_or("");
            let beside = page.parent().unwrap_or(&page).join(path);
            if !link.contains("://") && !path.is_empty() && !beside.exists() {
                dead.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}

/// Texts between `open` and the next quotation mark.
fn quoted(text: &str, open: &str) -> BTreeSet<String> {
    text.split(open).skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
}

#[test]
fn every_warning_group_is_in_the_table_and_on_the_page() {
    let sources = files(&root().join("crates"), "rs");
    let mut used = BTreeSet::from(["unroll".to_owned()]);
    for path in sources.iter().filter(|p| !is_test(p)) {
        used.extend(quoted(&fs::read_to_string(path).expect("a source file"), ".group(\""));
    }
    let table = fs::read_to_string(root().join("crates/source/src/groups.rs")).expect("the table of groups");
    let table = table.split("/// Other compilers'").next().unwrap_or("");
    let known: BTreeSet<String> = quoted(table, "on(\"").union(&quoted(table, "name: \"")).cloned().collect();
    assert_eq!(
        used, known,
        "diagnostics use the groups on the left, crates/source/src/groups.rs has those on the right"
    );
    let page = fs::read_to_string(root().join("docs/diagnostics.md")).expect("docs/diagnostics.md");
    let missing: Vec<&String> = known.iter().filter(|g| !page.contains(&format!("| `{g}` |"))).collect();
    assert!(missing.is_empty(), "docs/diagnostics.md lacks the groups {missing:?}");
}
