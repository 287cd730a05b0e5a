//! PTX read into IR.
//!
//! [`read`] takes the text of a module apart ([`lex`]), parses it ([`parse`]), checks it and translates it
//! ([`translate`]), function by function. It shares no table with the crate that writes PTX, so that each can find the
//! other's mistakes. What it does not understand is an error with the name of the instruction and its place; nothing
//! is skipped silently but hints to caches, sections for debuggers and unknown pragmas.
//!
//! # How PTX becomes IR
//!
//! * Registers become values; [`ssa`] says how. A register that is read before it is written is `undef`.
//! * Parameters and results of one element become values, arrays memory that the caller owns.
//! * Addresses are numbers in PTX. Where the translation sees what a number is the address of, it keeps the pointer, and
//!   an address that is used in another state space than its own is an error.
//! * A predicated instruction becomes a branch around it.
//! * Labels inside of braces are known there only.
//!
//! # Limits
//!
//! Addresses have 64 bits in every state space. Not covered: textures and surfaces, tensor
//! instructions, barrier objects, clusters of several groups, barriers of a part of the group.

mod ast;
mod error;
mod lex;
mod parse;
mod ssa;
mod translate;
mod types;

pub use error::{ErrorKind, PtxError};

use ir::{AsmData, Module};

/// A module of PTX, read.
#[derive(Debug)]
pub struct Read {
    /// The module. It satisfies the verifier.
    pub module: Module,
    /// `.version`: major and minor.
    pub version: (u32, u32),
    /// `.target`: an architecture, e.g. `sm_80`.
    pub target: String,
    /// What the PTX says it was made of.
    pub origins: Origins,
}

/// The places in sources that PTX says it was made of: `.file` and `.loc`.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    /// Numbers and names.
    files: Vec<(u32, String)>,
    /// From which position on, file, line and column.
    places: Vec<(u32, [u32; 3])>,
}

impl Origins {
    /// The place that what stands at a position was made of: file, line and column.
    pub fn at(&self, position: u32) -> Option<(&str, u32, u32)> {
        let n = self.places.partition_point(|(from, _)| *from <= position).checked_sub(1)?;
        let [file, line, column] = self.places[n].1;
        let (_, name) = self.files.iter().find(|(number, _)| *number == file)?;
        Some((name, line, column))
    }
}

/// Reads a module of PTX. Spans start at `base`, the position of the text in its [`source::SourceMap`]; `name` is that of
/// the file.
///
/// # Errors
/// What is wrong with the text: one error where it cannot be parsed, else at most one for each function and variable.
pub fn read(text: &str, base: u32, name: &str) -> Result<Read, Vec<PtxError>> {
    let parsed = lex::tokens(text, base).and_then(|t| parse::module(&t)).map_err(|e| vec![e])?;
    let module = translate::module(&parsed, name)?;
    if let Err(errors) = ir::verify::verify_module(&module) {
        return Err(errors
            .iter()
            .map(|e| PtxError::operand(e.span, format!("what was made of this breaks a rule of the IR: {e}")))
            .collect());
    }
    let files = parsed.files.iter().map(|(n, name)| (*n, (*name).to_owned())).collect();
    let origins = Origins { files, places: parsed.places };
    Ok(Read { module, version: parsed.version, target: parsed.target.to_owned(), origins })
}

/// The architecture that a text names with `.target`, e.g. `sm_80`, if it gets so far.
pub fn target_of(text: &str) -> Option<&str> {
    let mut lexer = lex::Lexer::new(text, 0);
    loop {
        match lexer.next().ok()?.tok {
            lex::Tok::Dot("target") => match lexer.next().ok()?.tok {
                lex::Tok::Word(name) => return Some(name),
                _ => return None,
            },
            lex::Tok::End => return None,
            _ => {}
        }
    }
}

/// What inline assembly is made for.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// How many lanes a warp has where the code runs, 32 or 64: lane masks have as many bits, and a shuffle's word has a bit
    /// more for each of its two numbers.
    pub warp: u32,
    /// Whether addresses of shared memory have 32 bits there, as they have on GPUs. Elsewhere the variables of a module in
    /// shared memory become one if its text takes such addresses, and the number of an address is the place in there.
    pub short_shared: bool,
    /// What [`ir::Intrinsic::MatrixF16`] and its like are done by, if they are there.
    pub matrix_units: Option<target::MatrixUnits>,
}

/// Turns the inline assembly of a module for which `wanted` holds into instructions, so that others than PTX's assembler
/// understand it. Operands are those of GNU C, with nvcc's constraints.
///
/// # Errors
/// What is wrong with the texts, at the places of their statements. The module is good for nothing then.
pub fn expand_inline(
    module: &mut Module,
    machine: Machine,
    wanted: impl Fn(&AsmData) -> bool,
) -> Result<(), Vec<PtxError>> {
    let errors = translate::inline::expand(module, machine, &wanted);
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}
