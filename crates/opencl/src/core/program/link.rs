//! Linking what was compiled apart.

use super::build::{Outcome, Product};
use super::compile::{self, ParsedOptions};
use crate::status::{Result, Status};
use std::sync::Arc;
use unspool::object::Object;
use unspool::{Compilation, Emit, Linkable, Options, link, link_library};

/// What `clCompileProgram` made, or a library. Copies are the same part.
#[derive(Clone, Debug)]
pub struct Part {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    /// What the linker takes.
    linkable: Linkable,
    /// The language and the options that the program it becomes part of is made with.
    options: Arc<Options>,
    /// The same options as they were given.
    spelt: Arc<str>,
}

impl Part {
    fn new(linkable: Linkable, options: Arc<Options>, spelt: &str) -> Self {
        Self { inner: Arc::new(Inner { linkable, options, spelt: Arc::from(spelt) }) }
    }

    /// Whether they are the same part.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// What a compilation of one source made; `None` if it failed.
    pub(super) fn compiled(made: Compilation, options: &Arc<Options>, spelt: &str) -> Option<Self> {
        let linkable = made.into_linkable(options.dialect)?;
        Some(Self::new(linkable, Arc::clone(options), spelt))
    }

    /// One out of a binary.
    ///
    /// # Errors
    /// `CL_INVALID_BINARY`: it is damaged.
    pub(super) fn read(object: &Object) -> Result<Self> {
        let linkable = Linkable::from_object(object).map_err(|_| Status::INVALID_BINARY)?;
        let options = Arc::new(compile::stored_options(object));
        Ok(Self::new(linkable, options, &object.options))
    }

    /// Whether it is a library.
    pub fn is_library(&self) -> bool {
        self.inner.linkable.is_library()
    }

    /// It as it is stored.
    pub(super) fn object(&self) -> Object {
        Object { options: self.inner.spelt.to_string(), ..self.inner.linkable.to_object() }
    }
}

/// Links parts to a program, or to a library.
pub fn program(parts: &[Part], parsed: &ParsedOptions, spelt: &str) -> Outcome {
    let linkables: Vec<&Linkable> = parts.iter().map(|p| &p.inner.linkable).collect();
    // What is done with the code is what its first source was compiled with; the warnings are those of the link.
    let Some(first) = parts.first() else { return Outcome::failed("there is nothing to link\n") };
    let options = Arc::new(parsed.for_link(&first.inner.options));
    if parsed.create_library() {
        let made = link_library(&linkables, &options);
        let log = compile::log(&made);
        let linkable = made.into_library(options.dialect);
        let part = linkable.map(|linkable| Part::new(linkable, options, spelt));
        return Outcome::new(part.map_or(Product::None, Product::Part), log);
    }
    compile::finish(link(&linkables, &options, &Emit::Nothing), &options, spelt)
}
