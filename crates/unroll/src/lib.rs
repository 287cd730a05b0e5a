//! unspool-unroll
