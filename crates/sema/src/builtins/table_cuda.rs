//! Builtin names; filled in below.
use super::Row;

pub(super) static ROWS: &[Row] = &[];
