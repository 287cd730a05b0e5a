//! unspool-target
