//! Factors as a small plot: instructions of an iteration as bars, registers as a line over them.

use super::super::{FactorRow, FactorTable};

/// Height of the highest bar.
const HEIGHT: f64 = 80.0;
/// Width of a bar, and from one to the next.
const BAR: f64 = 34.0;
const STEP: f64 = 58.0;
/// Room for numbers above the bars and for factors below.
const ABOVE: f64 = 26.0;
const BELOW: f64 = 18.0;

/// Registers as the assembler says, else as estimated.
fn registers(r: &FactorRow) -> u32 {
    r.assembled.map_or(r.registers, |a| a.registers)
}

/// Writes the plot of a table; nothing where there is no number to draw.
pub(super) fn write(out: &mut String, t: &FactorTable) {
    let most = t.rows.iter().filter_map(|r| r.per_iteration).fold(0.0, f64::max);
    let most_registers = t.rows.iter().map(registers).max().unwrap_or(0);
    if most <= 0.0 || most_registers == 0 {
        return;
    }
    let width = STEP * t.rows.len() as f64 + 8.0;
    out.push_str(&format!(
        "<figure><svg class=\"plot\" width=\"{width:.0}\" height=\"{:.0}\" role=\"img\" \
         aria-label=\"instructions of an iteration and registers, by factor\">",
        ABOVE + HEIGHT + BELOW
    ));
    let middle = |n: usize| 8.0 + STEP * n as f64 + BAR / 2.0;
    let mut line = String::new();
    for (n, r) in t.rows.iter().enumerate() {
        let x = middle(n);
        let high = r.per_iteration.unwrap_or(0.0) / most * HEIGHT;
        let top = ABOVE + HEIGHT - high;
        out.push_str(&format!(
            "<rect x=\"{:.1}\" y=\"{top:.1}\" width=\"{BAR}\" height=\"{high:.1}\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
            x - BAR / 2.0,
            ABOVE + HEIGHT + 13.0,
            r.factor
        ));
        if let Some(per) = r.per_iteration {
            out.push_str(&format!("<text x=\"{x:.1}\" y=\"{:.1}\">{per:.1}</text>", ABOVE + HEIGHT - 4.0));
        }
        let y = ABOVE + HEIGHT - f64::from(registers(r)) / f64::from(most_registers) * HEIGHT;
        line.push_str(&format!("{x:.1},{y:.1} "));
        out.push_str(&format!("<text class=\"r\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>", y - 6.0, registers(r)));
    }
    out.push_str(&format!("<polyline points=\"{}\"/></svg>", line.trim_end()));
    out.push_str("<figcaption>by factor: bars, instructions of an iteration; line, registers</figcaption></figure>");
}
