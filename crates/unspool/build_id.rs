//! A hash of what a build is made of: sources of crates of this workspace, versions of the others, the compiler and its
//! settings. For build scripts.

use std::collections::BTreeSet;
use std::collections::hash_map::DefaultHasher;
use std::env;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

/// The hash over the crate that is being built and all that it depends on, as hexadecimal digits. Where its dependencies do
/// not stand beside it (it comes from a registry), their versions, which `Cargo.lock` or the crate's own version tell,
/// identify them.
pub(crate) fn of_this_crate() -> String {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let workspace = root.join("..");
    let own = root.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    // Twice from different starts: 64 bits are few.
    let mut hashers = [DefaultHasher::new(), DefaultHasher::new()];
    1u8.hash(&mut hashers[1]);
    let mut add = |name: &str, bytes: &[u8]| {
        for h in &mut hashers {
            name.hash(h);
            bytes.hash(h);
        }
    };
    for variable in ["CARGO_PKG_VERSION", "TARGET", "PROFILE", "OPT_LEVEL", "DEBUG"] {
        println!("cargo::rerun-if-env-changed={variable}");
        add(variable, env::var(variable).unwrap_or_default().as_bytes());
    }
    let version = env::var_os("RUSTC").and_then(|rustc| std::process::Command::new(rustc).arg("-V").output().ok());
    add("rustc", &version.map_or_else(Vec::new, |o| o.stdout));
    let lock = workspace.join("../Cargo.lock");
    if let Ok(bytes) = fs::read(&lock) {
        println!("cargo::rerun-if-changed={}", lock.display());
        add("Cargo.lock", &bytes);
    }
    for name in &closure(&workspace, &own) {
        for part in ["src", "lib", "build.rs", "Cargo.toml"] {
            let path = workspace.join(name).join(part);
            if !path.exists() {
                continue;
            }
            println!("cargo::rerun-if-changed={}", path.display());
            for file in files(&path) {
                let shown = file.strip_prefix(&workspace).unwrap_or(&file).to_string_lossy().into_owned();
                add(&shown, &fs::read(&file).unwrap_or_default());
            }
        }
    }
    hashers.iter().map(|h| format!("{:016x}", h.finish())).collect()
}

/// Names of the folders of a crate and of all crates of this workspace that it depends on, also optionally, in order.
/// Manifests name crates of the workspace as their folders (`crates/conventions` compares this with what Cargo says).
pub(crate) fn closure(crates: &Path, of: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::from([of.to_owned()]);
    let mut left = vec![of.to_owned()];
    while let Some(name) = left.pop() {
        let manifest = fs::read_to_string(crates.join(name).join("Cargo.toml")).unwrap_or_default();
        let mut is_wanted = false;
        for line in manifest.lines().map(str::trim) {
            if let Some(section) = line.strip_prefix('[') {
                is_wanted = section.trim_end_matches(']').ends_with("dependencies") && !section.starts_with("dev-");
                continue;
            }
            let key = line.split(['.', '=', ' ']).next().unwrap_or_default();
            // A folder has a hyphen where the name may have an underscore.
            let is_crate = |name: &String| !name.is_empty() && crates.join(name).join("Cargo.toml").is_file();
            let folder = [key.to_owned(), key.replace('_', "-")].into_iter().find(is_crate).filter(|_| is_wanted);
            left.extend(folder.filter(|name| found.insert(name.clone())));
        }
    }
    found
}

/// The file, or the files under a folder, in order.
fn files(path: &Path) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    let mut entries: Vec<PathBuf> =
        fs::read_dir(path).map_or_else(|_| Vec::new(), |all| all.flatten().map(|e| e.path()).collect());
    entries.sort();
    entries.iter().flat_map(|path| files(path)).collect()
}
