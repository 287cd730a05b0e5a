//! unspool-sema
