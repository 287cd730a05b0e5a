//! A crate imports only crates that stand above it in the table of `docs/architecture.md`, and those that the table says:
//! the one statement of the order, read against `cargo metadata`. Development dependencies are free.

use cargo_metadata::{DependencyKind, MetadataCommand};
use std::collections::BTreeSet;
use std::fs;

/// A row of the table.
#[derive(Debug)]
struct Row {
    /// Crates, by the names of their folders; several for those that only development needs.
    crates: Vec<String>,
    /// What they import; `None` for anything.
    imports: Option<BTreeSet<String>>,
}

/// The first line of the table.
const HEAD: &str = "| crate | subject | imports |";

/// The table of a page.
fn table(page: &str) -> Vec<Row> {
    let lines = page.lines().skip_while(|l| *l != HEAD).skip(2);
    lines.take_while(|l| l.starts_with('|')).map(row).collect()
}

fn row(line: &str) -> Row {
    let columns: Vec<&str> = line.trim_matches('|').split(" | ").collect();
    let [crates, _, imports] = columns.as_slice() else { panic!("three columns, not {line}") };
    let crates = crates.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    let words = imports.split(',').map(str::trim).filter(|w| *w != "–").map(str::to_owned);
    Row { crates, imports: (imports.trim() != "any").then(|| words.collect()) }
}

/// The name of a package as the table has it.
fn short(package: &str) -> &str {
    package.strip_prefix("unspool-").unwrap_or(package)
}

/// What is wrong with a package that imports `imported` of this workspace.
fn faults(table: &[Row], name: &str, imported: &BTreeSet<String>) -> Vec<String> {
    let place = |name: &str| table.iter().position(|r| r.crates.iter().any(|c| c == name));
    let Some(own) = place(name) else { return vec![format!("`{name}` has no row")] };
    let Some(listed) = &table[own].imports else { return Vec::new() };
    let mut out = Vec::new();
    for i in imported.union(listed) {
        let fault = match (imported.contains(i), listed.contains(i)) {
            (true, false) => "imports it and its row does not say so",
            (false, true) => "does not import it though its row says so",
            _ if place(i).is_none_or(|p| p >= own) => "imports it though it does not stand above",
            _ => continue,
        };
        out.push(format!("`{i}`: `{name}` {fault}"));
    }
    out
}

fn architecture() -> Vec<Row> {
    let page = fs::read_to_string(conventions::root().join("docs/architecture.md")).expect("docs/architecture.md");
    table(&page)
}

#[test]
fn imports_are_those_of_the_table() {
    let table = architecture();
    let manifest = conventions::root().join("Cargo.toml");
    let metadata = MetadataCommand::new().manifest_path(manifest).no_deps().exec().expect("cargo metadata");
    let members: BTreeSet<&str> = metadata.packages.iter().map(|p| p.name.as_str()).collect();
    let mut wrong = Vec::new();
    for package in &metadata.packages {
        let inner = package.dependencies.iter().filter(|d| d.kind != DependencyKind::Development);
        let imported = inner.filter(|d| members.contains(d.name.as_str())).map(|d| short(&d.name).to_owned()).collect();
        wrong.extend(faults(&table, short(&package.name), &imported));
    }
    for stale in table.iter().flat_map(|r| &r.crates) {
        if !members.iter().any(|m| short(m) == stale) {
            wrong.push(format!("`{stale}` has a row and does not exist"));
        }
    }
    assert!(wrong.is_empty(), "docs/architecture.md and the manifests differ:\n{}", wrong.join("\n"));
}

#[test]
fn wrong_imports_are_noticed() {
    let page = format!(
        "text\n\n{HEAD}\n|---|---|---|\n| `low` | a | – |\n| `mid` | b | low |\n| `bench` | c | any |\n\n| x |"
    );
    let rows = table(&page);
    assert_eq!(rows.len(), 3);
    let set = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(faults(&rows, "mid", &set(&["low"])), Vec::<String>::new());
    assert!(faults(&rows, "mid", &set(&[]))[0].contains("does not import it though"));
    assert!(faults(&rows, "low", &set(&["mid"]))[0].contains("does not say so"));
    assert!(faults(&rows, "high", &set(&[]))[0].contains("no row"));
    assert!(faults(&rows, "bench", &set(&["mid", "low"])).is_empty());
    let upward = table(&page.replace("| – |", "| mid |"));
    assert!(faults(&upward, "low", &set(&["mid"]))[0].contains("does not stand above"));
}
