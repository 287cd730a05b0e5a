//! What tells builds of the compiler and of the runtime apart covers every crate that they are made of.

use cargo_metadata::{DependencyKind, MetadataCommand, Package};
use std::collections::BTreeSet;

#[allow(dead_code, clippy::print_stdout, reason = "the rest of it is for build scripts, which speak to Cargo")]
#[path = "../../unspool/build_id.rs"]
mod build_id;

/// The folder of a package.
fn folder(package: &Package) -> String {
    let parent = package.manifest_path.parent().and_then(|p| p.file_name());
    parent.expect("a manifest in a folder").to_owned()
}

/// Folders of a crate and of the crates of this workspace that it depends on, as Cargo has them.
fn by_cargo(packages: &[Package], of: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::from([of.to_owned()]);
    let mut left = vec![of.to_owned()];
    while let Some(name) = left.pop() {
        let package = packages.iter().find(|p| folder(p) == name).expect("a member");
        for dep in package.dependencies.iter().filter(|d| d.kind != DependencyKind::Development) {
            let member = packages.iter().find(|p| p.name.as_str() == dep.name);
            if let Some(name) = member.map(folder).filter(|name| found.insert(name.clone())) {
                left.push(name);
            }
        }
    }
    found
}

#[test]
fn keys_of_caches_cover_every_crate() {
    let root = conventions::root();
    let metadata =
        MetadataCommand::new().manifest_path(root.join("Cargo.toml")).no_deps().exec().expect("cargo metadata");
    for of in ["unspool", "runtime"] {
        let found = build_id::closure(&root.join("crates"), of);
        assert_eq!(found, by_cargo(&metadata.packages, of), "{of}");
        assert!(
            found.contains("source") && found.contains("launch") && !found.contains("filetests"),
            "{of}: {found:?}"
        );
    }
}
