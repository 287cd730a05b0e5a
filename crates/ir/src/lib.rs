//! unspool-ir
