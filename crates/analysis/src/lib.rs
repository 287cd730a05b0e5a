//! unspool-analysis
