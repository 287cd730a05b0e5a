//! Renderers of diagnostics: text with source excerpts, JSON, and SARIF.

mod json;
mod sarif;
mod text;

pub use json::{diagnostic_to_json, diagnostics_to_json};
pub use sarif::{Run, SarifLevel, SarifResult, SarifRule, diagnostic_to_sarif, sarif_log};
pub use text::{Colour, diagnostic_to_text, diagnostics_to_text};
