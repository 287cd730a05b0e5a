//! Templates: declaration, deduction, instantiation on the tree.

mod aggregate;
mod args;
mod class;
mod declare;
mod deduce;
mod explicit;
mod guide;
mod instance;
mod object;
mod outside;
mod pack;

use crate::types::TemplateArg;

/// The arguments bound so far, one per parameter.
type Bound = Vec<Option<TemplateArg>>;
