//! Renderers of diagnostics: text with source excerpts, and JSON.

mod json;
mod text;

pub use json::{diagnostic_to_json, diagnostics_to_json};
pub use text::{Colour, diagnostic_to_text, diagnostics_to_text};
