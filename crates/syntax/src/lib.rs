//! unspool-syntax
