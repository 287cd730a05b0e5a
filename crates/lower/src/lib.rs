//! unspool-lower
