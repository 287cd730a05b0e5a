//! The table is in order, and says what the platform reports.

use super::*;

/// What the platform reports and what programs see is the same.
#[test]
fn extensions_and_features_are_macros() {
    let rows = |prefix: &str| -> Vec<&str> {
        let of_host = TABLE.iter().filter(|r| r.dialects & CL != 0 && !matches!(r.body, Ptx | Half));
        of_host.map(|r| r.name).filter(|n| n.starts_with(prefix)).collect()
    };
    assert_eq!(rows("cl_"), crate::opencl::EXTENSIONS);
    assert_eq!(rows("__opencl_c_"), crate::opencl::FEATURES);
}

#[test]
fn table_is_sorted() {
    assert!(TABLE.is_sorted_by(|a, b| a.name < b.name || (a.name == b.name && a.dialects & b.dialects == 0)));
}
