//! Tells builds of the compiler apart: programs that another build stored are not trusted to mean the same.

#[path = "build_id.rs"]
mod build_id;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build_id.rs");
    println!("cargo::rustc-env=UNSPOOL_BUILD={}", build_id::of_this_crate());
}
