//! Tries unroll factors on a loop and picks the one with the fewest instructions of an iteration that keeps the occupancy.
//! Run with `cargo run -p unspool --example factors`.

#![allow(clippy::print_stdout)]

use unspool::explain::{factors, factors_to_text};
use unspool::{Dialect, Emit, Input, Options, compile};

const SOURCE: &str = "
__global__ void scale(float *x, float a, int n) {
    for (int i = 0; i < n; i++) x[i * 32 + threadIdx.x] *= a;
}
";

/// Gives what it prints.
pub(crate) fn example() -> Result<String, Box<dyn std::error::Error>> {
    let mut options = Options::new(Dialect::CUDA);
    options.set_arch("sm_90".parse()?);
    options.explain = true;
    let input = Input::text("scale.cu", SOURCE);
    let as_written = compile(&input, &options, &Emit::PTX)?;
    let tables = factors(&input, &options, &as_written, None, &[1, 2, 4, 8], None).map_err(|e| e.to_string())?;
    let mut out = factors_to_text(&tables);
    for table in &tables {
        let most = table.rows.iter().map(|r| r.warps).max();
        let full = table.rows.iter().filter(|r| Some(r.warps) == most);
        let cost = |r: &&unspool::explain::FactorRow| r.per_iteration.unwrap_or(f64::INFINITY);
        if let Some(best) = full.min_by(|a, b| cost(a).total_cmp(&cost(b))) {
            out.push_str(&format!("line {}: `#pragma unroll {}`\n", table.line, best.factor));
        }
    }
    Ok(out)
}

#[allow(dead_code)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", example()?);
    Ok(())
}
