//! A crate imports only crates that stand below it: the order of DESIGN.md's table, read against `cargo metadata`.
//! Development dependencies are free.

use cargo_metadata::{DependencyKind, MetadataCommand};

/// The crates by layer, lowest first. Crates of one layer do not import each other.
const LAYERS: &[&[&str]] = &[
    &["unspool-source", "unspool-target"],
    &["unspool-syntax", "unspool-builtins"],
    &["unspool-sema", "unspool-ir"],
    &["unspool-lower", "unspool-analysis", "unspool-interp", "unspool-launch"],
    &["unspool-unroll", "unspool-ptx", "unspool-llvm"],
    &["unspool-opt"],
    &["unspool-simd"],
    &["unspool"],
    &["unspool-runtime"],
    &["unspool-cli", "unspool-opencl"],
];

/// Crates for development only: they may import anything, and nothing imports them.
const DEVELOPMENT: &[&str] = &["unspool-bench", "unspool-conventions", "unspool-filetests", "unspool-fuzz"];

fn layer(name: &str) -> Option<usize> {
    LAYERS.iter().position(|l| l.contains(&name))
}

/// What is wrong with `importer` importing `imported`, if anything.
fn fault(importer: &str, imported: &str) -> Option<String> {
    if DEVELOPMENT.contains(&imported) {
        return Some(format!("{importer} imports {imported}, which is for development only"));
    }
    let (Some(above), Some(below)) = (layer(importer), layer(imported)) else { return None };
    (below >= above).then(|| format!("{importer} imports {imported}, which does not stand below it"))
}

#[test]
fn imports_go_downward() {
    let metadata = MetadataCommand::new()
        .manifest_path(conventions::root().join("Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo metadata");
    let mut faults = Vec::new();
    let members: Vec<&str> = metadata.packages.iter().map(|p| p.name.as_str()).collect();
    for package in &metadata.packages {
        let name = package.name.as_str();
        if DEVELOPMENT.contains(&name) {
            continue;
        }
        if layer(name).is_none() {
            faults.push(format!("{name} is in no layer: give it one in this file and in docs/architecture.md"));
        }
        for dep in &package.dependencies {
            if dep.kind != DependencyKind::Development && members.contains(&dep.name.as_str()) {
                faults.extend(fault(name, &dep.name));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn an_upward_import_is_noticed() {
    assert!(fault("unspool-ir", "unspool-opt").is_some());
    assert!(fault("unspool-source", "unspool-target").is_some(), "within a layer");
    assert!(fault("unspool-cli", "unspool-bench").is_some());
    assert!(fault("unspool-opt", "unspool-ir").is_none());
}
