//! Links the command at a fixed address where that is known to work: a position-independent one has twelve thousand
//! addresses in static tables, which the system's loader rewrites at every start, a tenth of the time that compiling a
//! small kernel takes.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |key: &str, value: &str| std::env::var(key).is_ok_and(|v| v == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") && is("CARGO_CFG_TARGET_ARCH", "x86_64")
    {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
