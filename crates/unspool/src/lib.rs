//! unspool
