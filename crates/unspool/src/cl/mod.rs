//! OpenCL as its host API sees the compiler: build options, extensions, features.

mod options;
mod split;
#[cfg(test)]
mod tests;

pub use options::{BuildOptions, OptionError, OptionProblem, Phase};
pub use syntax::opencl::{EXTENSIONS, FEATURES};
