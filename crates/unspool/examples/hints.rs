//! What became of each hint of a source, and why. Run with `cargo run -p unspool --example hints`.

#![allow(clippy::print_stdout)]

use unspool::{Dialect, Emit, Input, Options, compile};

const SOURCE: &str = "
kernel void sums(global const float *restrict in, global float *restrict out, int n) {
    float s = 0;
    #pragma unroll 4
    for (int i = 0; i < n; i++) s += in[i];
    __attribute__((opencl_unroll_hint))
    for (int i = 0; i < n; i++) out[i] = s * in[3];
}
";

/// Gives what it prints.
pub(crate) fn example() -> Result<String, Box<dyn std::error::Error>> {
    let mut options = Options::new(Dialect::OPENCL);
    options.set_arch("sm_80".parse()?);
    // `restrict` and its like are looked for in explanations only: each takes a compilation.
    options.explain = true;
    let result = compile(&Input::text("sums.cl", SOURCE), &options, &Emit::Nothing)?;
    let mut out = String::new();
    for hint in result.hints() {
        for answer in hint.answers() {
            out.push_str(&format!(
                "{}:{}:{}: `{}` is {:?}: {}; {}\n",
                hint.file, hint.line, hint.column, hint.asked, answer.fate, answer.done, answer.reason
            ));
        }
    }
    Ok(out)
}

#[allow(dead_code)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", example()?);
    Ok(())
}
