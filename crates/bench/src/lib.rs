//! Inputs and clocks of the benchmarks.
//!
//! * The two inputs that speed is stated for: [`TINY_CU`], and [`SUITE_CU`] with sixteen kernels, also in OpenCL C.
//! * [`scaled`]: programs with a stated number of kernels, loops or unrolled copies, for measuring how compile time
//!   grows.
//! * [`clock`]: medians of repeated compilations.
//!
//! `benches/` are criterion benchmarks of these; the program `inprocess` prints the same figures as JSON, for
//! `scripts/compare_speed.py`, which puts other compilers' figures beside them.

pub mod clock;
pub mod scaled;

use unspool::{Arch, Dialect, Options};

/// The kernel of `examples/unroll_test.cu`.
pub const TINY_CU: &str = include_str!("../../../examples/unroll_test.cu");
/// A kernel in OpenCL C.
pub const TINY_CL: &str = include_str!("../../../examples/saxpy.cl");
/// Sixteen kernels in CUDA C++.
pub const SUITE_CU: &str = include_str!("../kernels/suite.cu");
/// Sixteen kernels in OpenCL C.
pub const SUITE_CL: &str = include_str!("../kernels/suite.cl");

/// One input of a benchmark.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name, with the suffix that says which language it is in.
    pub name: String,
    /// The source.
    pub text: String,
}

impl Case {
    /// A case.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into() }
    }

    /// The language, by the name.
    pub fn dialect(&self) -> Dialect {
        if self.name.ends_with(".cl") { Dialect::OPENCL } else { Dialect::CUDA }
    }

    /// The options that everything here is measured with: the command line's defaults, for sm_90.
    ///
    /// # Panics
    /// If sm_90 is no longer an architecture.
    pub fn options(&self) -> Options {
        let mut o = Options::new(self.dialect());
        o.set_arch(Arch::parse("sm_90").expect("an architecture").arch);
        o.verify_each = false;
        o
    }
}

/// The inputs that speed is stated for.
pub fn standard() -> Vec<Case> {
    vec![
        Case::new("tiny.cu", TINY_CU),
        Case::new("tiny.cl", TINY_CL),
        Case::new("suite.cu", SUITE_CU),
        Case::new("suite.cl", SUITE_CL),
    ]
}
