//! Programs of a stated size, to see how compile time grows: ten times the work may take at most twelve times the time.

use crate::{Case, SUITE_CU};
use std::fmt::Write as _;

/// A way to grow a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Axis {
    /// More kernels of every sort: the suite again and again, each copy in a namespace of its own.
    Kernels,
    /// More loops, one after the other in one kernel, with trip counts that are not known.
    Loops,
    /// More loops, each two deep, that a pragma unrolls.
    UnrolledLoops,
    /// More copies of one loop's body, by the factor of its pragma.
    Copies,
    /// More statements in a row, without loops.
    Statements,
}

impl Axis {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Kernels, Self::Loops, Self::UnrolledLoops, Self::Copies, Self::Statements];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kernels => "kernels",
            Self::Loops => "loops",
            Self::UnrolledLoops => "unrolled loops",
            Self::Copies => "unrolled copies",
            Self::Statements => "statements",
        }
    }

    /// What one unit of [`Axis::case`] stands for.
    pub fn base(self) -> usize {
        match self {
            Self::Kernels => 16,
            Self::Loops | Self::UnrolledLoops => 20,
            Self::Copies => 60,
            Self::Statements => 200,
        }
    }

    /// A program of `factor` times [`Axis::base`].
    pub fn case(self, factor: usize) -> Case {
        let n = self.base() * factor;
        let name = format!("{}_{n}.cu", self.name().replace(' ', "_"));
        let text = match self {
            Self::Kernels => kernels(factor),
            Self::Loops => loops(n, ""),
            Self::UnrolledLoops => unrolled_loops(n),
            Self::Copies => copies(n),
            Self::Statements => statements(n),
        };
        Case::new(name, text)
    }
}

fn kernels(times: usize) -> String {
    let mut out = String::new();
    for i in 0..times {
        let _ = writeln!(out, "namespace copy{i} {{\n{SUITE_CU}\n}}");
    }
    out
}

fn kernel(body: &str) -> String {
    format!(
        "__global__ void scaled(float *out, const float *in, int n) {{\n    int tid = threadIdx.x;\n    float s = 0.0f;\n\
         {body}    out[tid] = s;\n}}\n"
    )
}

fn loops(n: usize, hint: &str) -> String {
    let mut body = String::new();
    for i in 0..n {
        let _ = writeln!(body, "{hint}    for (int i = tid; i < n; i += {}) s += in[i] * {i}.5f;", i + 1);
    }
    kernel(&body)
}

fn unrolled_loops(n: usize) -> String {
    let mut body = String::new();
    for i in 0..n {
        let _ = writeln!(
            body,
            "#pragma unroll\n    for (int i = 0; i < 4; i++)\n#pragma unroll\n        for (int j = 0; j < 4; j++) \
             s += in[tid + i * n + j + {i}] * {i}.5f;"
        );
    }
    kernel(&body)
}

fn copies(n: usize) -> String {
    let body = format!("#pragma unroll {n}\n    for (int i = 0; i < {n}; i++) s += in[tid + i * 128];\n");
    kernel(&body)
}

fn statements(n: usize) -> String {
    let mut body = String::new();
    for i in 0..n {
        let _ = writeln!(body, "    s = s * {i}.25f + in[tid + {i} * n];");
    }
    kernel(&body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_grow_and_compile() {
        for axis in Axis::ALL {
            let (one, two) = (axis.case(1), axis.case(2));
            assert_ne!(one.name, two.name);
            for case in [&one, &two] {
                assert!(
                    crate::clock::compile_case(case).output().is_some_and(|o| o.contains(".entry")),
                    "{}",
                    case.name
                );
            }
        }
    }
}
