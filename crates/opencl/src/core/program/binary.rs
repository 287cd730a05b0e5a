//! Binaries: our own format ([`unspool::object`]), which other builds of the compiler refuse.

use super::build::{Build, Product};
use super::link::Part;
use crate::status::{Result, Status};
use std::sync::Arc;
use unspool::object::{Kind, Object};

/// A binary that was given for a device.
#[derive(Clone, Debug)]
pub enum Loaded {
    /// Compiled or a library: good for linking.
    Part(Part),
    /// Complete: good for building.
    Executable(Arc<Object>),
}

impl Loaded {
    /// Reads a binary.
    ///
    /// # Errors
    /// `CL_INVALID_BINARY` "if an invalid program binary was encountered".
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let object = Object::read(bytes).map_err(|_| Status::INVALID_BINARY)?;
        Ok(match object.kind {
            Kind::Executable => Self::Executable(Arc::new(object)),
            Kind::Compiled | Kind::Library => Self::Part(Part::read(&object)?),
        })
    }

    /// The build of a device that has this binary and nothing else.
    pub(super) fn build(&self) -> Build {
        let product = match self {
            Self::Part(part) => Product::Part(part.clone()),
            Self::Executable(object) => Product::Loaded(Arc::clone(object)),
        };
        Build { product, ..Build::default() }
    }
}

impl Product {
    /// It as a binary; empty if nothing was made.
    pub fn binary(&self) -> Vec<u8> {
        match self {
            Self::None => Vec::new(),
            Self::Part(part) => part.object().write(),
            Self::Loaded(object) => object.write(),
            Self::Executable(executable) => executable.program.object().map(|o| o.write()).unwrap_or_default(),
        }
    }
}
