//! Tells builds apart of all that makes machine code: what another build stored is not used.

#[path = "../unspool/build_id.rs"]
mod build_id;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../unspool/build_id.rs");
    println!("cargo::rustc-env=UNSPOOL_BUILD={}", build_id::of_this_crate());
}
