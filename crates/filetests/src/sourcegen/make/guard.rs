//! Kernels of which only the work-items below a bound do anything: the guards that programs have around all of a kernel, in
//! the types and with the sums that they have there, also such as wrap.

use super::Gen;
use crate::sourcegen::tree::{Expr, Scalar, Stmt};

/// What is compared, as OpenCL C and as CUDA have it.
const IDS: [[&str; 2]; 14] = [
    ["lid", "lid"],
    ["gid", "gid"],
    ["(int)gid", "(int)gid"],
    ["(ulong)gid", "(unsigned long long)gid"],
    ["(long)lid", "(long long)lid"],
    ["get_global_id(0)", "(blockIdx.x * blockDim.x + threadIdx.x)"],
    ["(int)get_global_id(0)", "(int)(blockIdx.x * blockDim.x + threadIdx.x)"],
    ["get_local_id(0)", "threadIdx.x"],
    ["gid + (uint)n", "gid + (unsigned)n"],
    ["gid + m", "gid + m"],
    ["(int)(gid + m)", "(int)(gid + m)"],
    ["(int)gid - n", "(int)gid - n"],
    ["gid - 3u", "gid - 3u"],
    ["(get_global_id(0) + m)", "((unsigned long long)gid + m)"],
];

/// What it is compared with.
const BOUNDS: [[&str; 2]; 10] = [
    ["n", "n"],
    ["n * 5", "n * 5"],
    ["m", "m"],
    ["(int)m", "(int)m"],
    ["(ulong)m", "(unsigned long long)m"],
    ["ls - 1u", "ls - 1u"],
    ["(int)ls - n", "(int)ls - n"],
    ["(uint)n * 4u", "(unsigned)n * 4u"],
    ["(long)n * 9", "(long long)n * 9"],
    ["37", "37"],
];

/// What else has to hold.
const OTHERS: [&str; 5] = ["n > 2", "gid != 3u", "(in[gid & 63u] & 1u)", "m < 1000u", "lid + 1u < ls"];

impl Gen {
    /// The rest of a kernel behind one guard or several.
    pub(super) fn guard(&mut self, out: &mut Vec<Stmt>, mut rest: Vec<Stmt>) {
        for _ in 0..1 + self.rng.below(2) {
            let [id, bound] = [self.rng.pick(&IDS), self.rng.pick(&BOUNDS)].map(|t| t[usize::from(!self.opencl)]);
            let mut text = match self.rng.below(4) {
                0 => format!("{id} <= {bound}"),
                1 => format!("{bound} > {id}"),
                _ => format!("{id} < {bound}"),
            };
            if self.rng.chance(35) {
                let other = self.rng.pick(&OTHERS);
                text = if self.rng.chance(50) { format!("{text} && {other}") } else { format!("{other} && {text}") };
            }
            if self.rng.chance(50) {
                let fails = Expr::name(Scalar::I32, format!("!({text})"));
                rest.insert(0, Stmt::If(fails, vec![Stmt::Return(None)], Vec::new()));
            } else {
                let holds = Expr::name(Scalar::I32, format!("({text})"));
                rest = vec![Stmt::If(holds, rest, Vec::new())];
            }
        }
        out.append(&mut rest);
    }
}
