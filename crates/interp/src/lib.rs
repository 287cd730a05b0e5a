//! unspool-interp
