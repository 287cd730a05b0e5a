//! What a compilation can yield, by name, and what it is asked for.

/// A kind of output that users can ask for. A back end may have kinds of its own; those here are known to all programs, so
/// that one without the back end can say who has it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Product {
    /// The name after `--emit`.
    pub name: &'static str,
    /// What it is, in words without an article.
    pub title: &'static str,
    /// The suffix of files that hold it, without the dot; `None` for what is looked at rather than kept.
    pub suffix: Option<&'static str>,
}

impl Product {
    /// The preprocessed text.
    pub const PREPROCESSED: Self = Self::shown("preprocessed", "preprocessed source");
    /// The tokens, one a line.
    pub const TOKENS: Self = Self::shown("tokens", "tokens");
    /// The syntax tree.
    pub const AST: Self = Self::shown("ast", "syntax tree");
    /// The IR as lowered.
    pub const LOWERED_IR: Self = Self::shown("ir-lowered", "IR before the optimiser");
    /// The IR after the whole optimiser.
    pub const IR: Self = Self::shown("ir", "IR after the optimiser");
    /// The IR after each run of a pass.
    pub const IR_AFTER: Self = Self::shown("ir-after", "IR after a pass");
    /// PTX.
    pub const PTX: Self = Self::kept("ptx", "PTX", "ptx");
    /// An object file.
    pub const OBJECT: Self = Self::kept("obj", "object file", "o");
    /// A linked code object of an AMD GPU.
    pub const CODE_OBJECT: Self = Self::kept("hsaco", "code object", "hsaco");
    /// Assembly text.
    pub const ASSEMBLY: Self = Self::shown("asm", "assembly");
    /// LLVM's IR as text.
    pub const LLVM_IR: Self = Self::shown("llvm-ir", "LLVM IR");

    /// What back ends make, whether this program has them or not.
    pub const OF_BACKENDS: &'static [Self] =
        &[Self::PTX, Self::CODE_OBJECT, Self::OBJECT, Self::ASSEMBLY, Self::LLVM_IR];

    /// Goes to standard output unless a file is named.
    pub const fn shown(name: &'static str, title: &'static str) -> Self {
        Self { name, title, suffix: None }
    }

    /// Goes to a file with this suffix.
    pub const fn kept(name: &'static str, title: &'static str, suffix: &'static str) -> Self {
        Self { name, title, suffix: Some(suffix) }
    }
}

/// What to produce.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Emit {
    /// The preprocessed text (`-E`); with line markers unless `-P`.
    Preprocessed {
        /// Whether to write line markers.
        line_markers: bool,
    },
    /// The tokens, one a line.
    Tokens,
    /// The syntax tree.
    Ast,
    /// The IR as lowered.
    LoweredIr,
    /// The IR after the whole optimiser.
    Ir,
    /// The IR after each run of a pass.
    IrAfter(String),
    /// What a [registered](crate::Options::backends) back end makes of it.
    Product(Product),
    /// Several of them, in this order.
    Products(&'static [Product]),
    /// Nothing: diagnostics only.
    Nothing,
}

impl Emit {
    /// PTX.
    pub const PTX: Self = Self::Product(Product::PTX);
}

/// What an artefact holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contents {
    /// Text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

/// One output of a compilation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Artefact {
    /// What kind it is.
    pub product: Product,
    /// The name of a file for it, without folders: `saxpy.ptx` of `src/saxpy.cu`. A compilation's artefacts have
    /// different ones.
    pub name: String,
    /// The output itself.
    pub contents: Contents,
}

impl Artefact {
    /// A text that came of the source with this name.
    pub fn text(product: Product, source: &str, text: String) -> Self {
        Self { product, name: file_name(product, source), contents: Contents::Text(text) }
    }

    /// Bytes that came of the source with this name.
    pub fn bytes(product: Product, source: &str, bytes: Vec<u8>) -> Self {
        Self { product, name: file_name(product, source), contents: Contents::Bytes(bytes) }
    }

    /// Its text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match &self.contents {
            Contents::Text(text) => Some(text),
            Contents::Bytes(_) => None,
        }
    }

    /// What a file of it holds.
    pub fn as_bytes(&self) -> &[u8] {
        match &self.contents {
            Contents::Text(text) => text.as_bytes(),
            Contents::Bytes(bytes) => bytes,
        }
    }
}

/// What a file with a product of a source is called.
fn file_name(product: Product, source: &str) -> String {
    let stem = std::path::Path::new(source).file_stem().and_then(|s| s.to_str()).unwrap_or("out");
    format!("{stem}.{}", product.suffix.unwrap_or(product.name))
}

#[cfg(test)]
mod tests {
    use super::{Artefact, Product};

    #[test]
    fn artefacts_are_named_after_their_source() {
        let name = |product, source: &str| Artefact::text(product, source, String::new()).name;
        assert_eq!(name(Product::PTX, "src/saxpy.v2.cu"), "saxpy.v2.ptx");
        assert_eq!(name(Product::OBJECT, "k.cl"), "k.o");
        assert_eq!(name(Product::LLVM_IR, "<linked>"), "<linked>.llvm-ir");
        assert_eq!(name(Product::PTX, ""), "out.ptx");
    }
}
