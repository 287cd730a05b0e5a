//! Text to tree: preprocessor, lexer, and one parser for every dialect.
//!
//! * [`pp::preprocess`] reads a file and everything it includes, and gives the tokens of the program.
//! * [`literal`] decodes the spellings of numbers, characters and strings.
//! * [`ast`] is the tree, [`parse`] builds it.

pub mod ast;
mod dialect;
pub mod lex;
pub mod literal;
pub mod opencl;
pub mod parse;
pub mod pp;
pub mod token;

pub use dialect::{Dialect, Mode};
pub use token::{Token, TokenFlags, TokenKind};
