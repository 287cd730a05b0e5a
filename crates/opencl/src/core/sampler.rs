//! Samplers: how kernels find the elements of an image around a coordinate.

use super::context::Context;
use crate::handle::{Handle, Object, Pool};
use crate::status::{Result, Status};
use launch::image as bits;
use opencl_sys as cl;
use std::sync::Arc;

/// Declares a mode: its values by the API's numbers, and the bits that kernels know them by.
macro_rules! mode {
    ($(#[$doc:meta])* $mode:ident { $($name:ident = $raw:ident, $bits:ident;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $mode {
            $(#[doc = concat!("`", stringify!($raw), "`")] $name,)*
        }

        impl $mode {
            /// The mode of a number; none if it is not known.
            pub fn new(raw: u32) -> Option<Self> {
                match raw {
                    $(cl::$raw => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// The API's number.
            pub fn raw(self) -> u32 {
                match self {
                    $(Self::$name => cl::$raw,)*
                }
            }

            fn bits(self) -> u32 {
                match self {
                    $(Self::$name => bits::$bits,)*
                }
            }
        }
    };
}

mode! {
    /// What coordinates outside of an image mean.
    Addressing {
        None = CL_ADDRESS_NONE, CLK_ADDRESS_NONE;
        ClampToEdge = CL_ADDRESS_CLAMP_TO_EDGE, CLK_ADDRESS_CLAMP_TO_EDGE;
        Clamp = CL_ADDRESS_CLAMP, CLK_ADDRESS_CLAMP;
        Repeat = CL_ADDRESS_REPEAT, CLK_ADDRESS_REPEAT;
        MirroredRepeat = CL_ADDRESS_MIRRORED_REPEAT, CLK_ADDRESS_MIRRORED_REPEAT;
    }
}

mode! {
    /// Which elements a coordinate between them means.
    Filter {
        Nearest = CL_FILTER_NEAREST, CLK_FILTER_NEAREST;
        Linear = CL_FILTER_LINEAR, CLK_FILTER_LINEAR;
    }
}

/// A sampler.
pub struct Sampler {
    handle: Handle<Self>,
    /// Its context.
    pub context: Arc<Context>,
    /// `CL_SAMPLER_PROPERTIES`, with the zero that ends them; empty if there were none.
    pub properties: Vec<cl::cl_sampler_properties>,
    /// Whether coordinates go from 0 to 1.
    pub normalized: bool,
    /// What is outside.
    pub addressing: Addressing,
    /// What is between.
    pub filter: Filter,
}

impl Object for Sampler {
    const INVALID: Status = Status::INVALID_SAMPLER;
    fn pool() -> &'static Pool<Self> {
        static POOL: Pool<Sampler> = Pool::new();
        &POOL
    }
    fn handle(&self) -> &Handle<Self> {
        &self.handle
    }
}

impl Sampler {
    /// Makes a sampler.
    ///
    /// # Errors
    /// `CL_OUT_OF_HOST_MEMORY`.
    pub fn new(
        context: Arc<Context>,
        properties: Vec<cl::cl_sampler_properties>,
        normalized: bool,
        addressing: Addressing,
        filter: Filter,
    ) -> Result<Arc<Self>> {
        Self::pool().insert(|handle| Self { handle, context, properties, normalized, addressing, filter })
    }

    /// The argument of kernels.
    pub fn value(&self) -> u32 {
        let normalized = if self.normalized { bits::CLK_NORMALIZED_COORDS_TRUE } else { 0 };
        normalized | self.addressing.bits() | self.filter.bits()
    }
}
