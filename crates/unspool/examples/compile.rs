//! Compiles a kernel to PTX. Run with `cargo run -p unspool --example compile`.

#![allow(clippy::print_stdout)]

use unspool::{Dialect, Emit, Input, Options, compile};

const SOURCE: &str = "
__global__ void saxpy(float *y, const float *x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
";

/// Gives what it prints.
pub(crate) fn example() -> Result<String, Box<dyn std::error::Error>> {
    let mut options = Options::new(Dialect::CUDA);
    options.set_arch("sm_90".parse()?);
    options.line_info = true;
    let result = compile(&Input::text("saxpy.cu", SOURCE), &options, &Emit::PTX)?;
    let mut out = result.log();
    for artefact in &result.artefacts {
        out.push_str(&format!("{}: {} bytes\n", artefact.name, artefact.as_bytes().len()));
        out.push_str(artefact.as_text().unwrap_or_default());
    }

    // A source with an error: the error is what a compiler would print.
    let wrong = Input::text("wrong.cu", SOURCE.replace("a * x[i]", "a * z[i]"));
    if let Err(e) = compile(&wrong, &options, &Emit::PTX) {
        out.push_str(&format!("{e}\n"));
    }
    Ok(out)
}

#[allow(dead_code)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", example()?);
    Ok(())
}
