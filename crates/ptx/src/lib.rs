//! unspool-ptx
