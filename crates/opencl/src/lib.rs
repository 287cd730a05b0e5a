//! unspool as an OpenCL platform: a driver that the standard loader finds.
//!
//! [`icd`] is what the loader calls first; [`dispatch`] lists all functions of the API, which are in [`api`] by the chapters
//! of the specification; they work on the objects of [`core`], whose handles are checked by [`handle`]. Kernels are compiled
//! and run by `runtime`.
//!
//! Sentences of the specification are those of "The OpenCL Specification", version 3.0.

pub mod api;
pub mod core;
pub mod dispatch;
pub mod handle;
pub mod icd;
pub mod info;
pub mod status;
