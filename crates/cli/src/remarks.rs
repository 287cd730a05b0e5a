//! `-Rpass=…`, `-Rpass-missed=…`, `-Rpass-analysis=…`.

use crate::args::RemarkArgs;
use crate::commands::Usage;
use unspool::Options;

/// Remarks about memory and divergence.
const MEMORY: &str = "memory";
/// About products of matrices.
const MATRIX: &str = "matrix";

/// Sets the remarks that the command line asks for.
pub(crate) fn set(a: &RemarkArgs, options: &mut Options) -> Usage<()> {
    let wanted = |list: &[String], others: &[&str]| -> Usage<bool> {
        let unroller = |p: &str| matches!(p, "loop-unroll" | "unroll" | ".*" | "loop.*");
        match list.iter().find(|p| !unroller(p) && !others.contains(&p.as_str())) {
            Some(p) => Err(format!(
                "no pass named `{p}` gives remarks; `loop-unroll` does, `-Rpass=matrix` and `-Rpass-analysis=memory`"
            )),
            None => Ok(list.iter().any(|p| unroller(p))),
        }
    };
    options.remarks.passed = wanted(&a.rpass, &[MATRIX])?;
    options.remarks.missed = wanted(&a.rpass_missed, &[])?;
    options.remarks.analysis = wanted(&a.rpass_analysis, &[MEMORY])?;
    options.remarks.memory = a.rpass_analysis.iter().any(|p| p == MEMORY || p == ".*");
    options.remarks.matrix = a.rpass.iter().any(|p| p == MATRIX || p == ".*");
    Ok(())
}
