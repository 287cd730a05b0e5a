//! unspool-opt
