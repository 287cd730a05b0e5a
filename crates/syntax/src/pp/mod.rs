//! The preprocessor.

mod options;

pub use options::{Define, Disk, FileLoader, HostHeaders, PpLimits, PpOptions};

use crate::Token;

/// The tokens of a translation unit; the last one is [`crate::TokenKind::Eof`].
#[derive(Clone, Debug, Default)]
pub struct TokenStream {
    /// The tokens.
    pub tokens: Vec<Token>,
}

impl std::ops::Deref for TokenStream {
    type Target = [Token];
    fn deref(&self) -> &[Token] {
        &self.tokens
    }
}
