//! Templates: declaration, deduction, instantiation on the tree.

mod aggregate;
mod alike;
mod args;
mod class;
mod declare;
mod deduce;
mod dependent;
mod elements;
mod explicit;
mod guide;
mod guide_names;
mod instance;
mod named_function;
mod object;
mod outside;
mod pack;
mod variable;

pub(crate) use declare::MAX_INLINE_DEEP;
use syntax::ast;

use crate::types::TemplateArg;

/// The arguments bound so far, one per parameter.
type Bound = Vec<Option<TemplateArg>>;

/// Template arguments that a call gives.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Explicit {
    /// As they stand in the source.
    Written(ast::List<ast::TemplateArg>),
    /// One number, where the language itself calls: `get<0>(e)` for structured bindings.
    Index(u32),
}
