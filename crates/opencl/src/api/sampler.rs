//! Samplers, which belong to images and are as absent as those.

use super::create;
use crate::core::context::Context;
use crate::core::memory::Memory;
use crate::handle::Object;
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::ffi::c_void;
use std::sync::Arc;

/// What a sampler would be made of.
#[derive(Default)]
struct Spec {
    normalized: Option<u64>,
    addressing: Option<u64>,
    filter: Option<u64>,
}

impl Spec {
    /// Whether all values are those of the table "sampler creation properties".
    fn is_valid(&self) -> bool {
        let is = |value: Option<u64>, known: &[u32]| value.is_none_or(|v| known.iter().any(|&k| u64::from(k) == v));
        let addressing = [
            cl::CL_ADDRESS_NONE,
            cl::CL_ADDRESS_CLAMP_TO_EDGE,
            cl::CL_ADDRESS_CLAMP,
            cl::CL_ADDRESS_REPEAT,
            cl::CL_ADDRESS_MIRRORED_REPEAT,
        ];
        is(self.normalized, &[0, 1])
            && is(self.addressing, &addressing)
            && is(self.filter, &[cl::CL_FILTER_NEAREST, cl::CL_FILTER_LINEAR])
    }

    /// A list of names and values that ends with 0.
    ///
    /// # Errors
    /// "CL_INVALID_VALUE if the property name in sampler_properties is not a supported property name, … or if the same
    /// property name is specified more than once."
    ///
    /// # Safety
    /// The list is null or ends with 0.
    unsafe fn read(list: *const cl::cl_sampler_properties) -> Result<Self> {
        let mut spec = Self::default();
        if list.is_null() {
            return Ok(spec);
        }
        for n in (0..).step_by(2) {
            // SAFETY: by the caller's promise, what is before the zero is there, and so is the value behind a name.
            let name = unsafe { *list.add(n) };
            let place = match u32::try_from(name) {
                Ok(0) => break,
                Ok(cl::CL_SAMPLER_NORMALIZED_COORDS) => &mut spec.normalized,
                Ok(cl::CL_SAMPLER_ADDRESSING_MODE) => &mut spec.addressing,
                Ok(cl::CL_SAMPLER_FILTER_MODE) => &mut spec.filter,
                _ => return Err(Status::INVALID_VALUE),
            };
            // SAFETY: as above.
            if place.replace(unsafe { *list.add(n + 1) }).is_some() {
                return Err(Status::INVALID_VALUE);
            }
        }
        Ok(spec)
    }
}

/// What the calls that make samplers answer.
fn absent(context: cl::cl_context, spec: impl FnOnce() -> Result<Spec>) -> Result<Arc<Memory>> {
    // "CL_INVALID_CONTEXT if context is not a valid context."
    Context::pool().get(context)?;
    // "CL_INVALID_VALUE if the property name in sampler_properties is not a supported property name, if the value specified
    // for a supported property name is not valid …" "CL_INVALID_VALUE if addressing_mode, filter_mode, normalized_coords or a
    // combination of these arguments are not valid."
    if !spec()?.is_valid() {
        return Err(Status::INVALID_VALUE);
    }
    // "CL_INVALID_OPERATION if images are not supported by any device associated with context (i.e. CL_DEVICE_IMAGE_SUPPORT …
    // is CL_FALSE)."
    Err(Status::INVALID_OPERATION)
}

/// Makes no sampler.
///
/// # Safety
/// `errcode_ret` is null or writable.
pub unsafe extern "C" fn create_sampler(
    context: cl::cl_context,
    normalized_coords: cl::cl_bool,
    addressing_mode: cl::cl_addressing_mode,
    filter_mode: cl::cl_filter_mode,
    errcode_ret: *mut cl::cl_int,
) -> cl::cl_sampler {
    let spec = || {
        Ok(Spec {
            normalized: Some(normalized_coords.into()),
            addressing: Some(addressing_mode.into()),
            filter: Some(filter_mode.into()),
        })
    };
    // SAFETY: by the caller's promise.
    unsafe { create(errcode_ret, || absent(context, spec)) }
}

/// Makes no sampler.
///
/// # Safety
/// `sampler_properties` is null or ends with 0, `errcode_ret` is null or writable.
pub unsafe extern "C" fn create_sampler_with_properties(
    context: cl::cl_context,
    sampler_properties: *const cl::cl_sampler_properties,
    errcode_ret: *mut cl::cl_int,
) -> cl::cl_sampler {
    // SAFETY: by the caller's promise.
    let spec = || unsafe { Spec::read(sampler_properties) };
    // SAFETY: by the caller's promise.
    unsafe { create(errcode_ret, || absent(context, spec)) }
}

/// "CL_INVALID_SAMPLER if sampler is not a valid sampler object."
const NONE: cl::cl_int = cl::CL_INVALID_SAMPLER;

/// Refuses what is no sampler.
///
/// # Safety
/// Any value may be passed.
pub unsafe extern "C" fn retain_sampler(_: cl::cl_sampler) -> cl::cl_int {
    NONE
}

/// Refuses what is no sampler.
///
/// # Safety
/// Any value may be passed.
pub unsafe extern "C" fn release_sampler(_: cl::cl_sampler) -> cl::cl_int {
    NONE
}

/// Tells nothing of samplers.
///
/// # Safety
/// Any values may be passed.
pub unsafe extern "C" fn get_sampler_info(
    _: cl::cl_sampler,
    _: cl::cl_sampler_info,
    _: usize,
    _: *mut c_void,
    _: *mut usize,
) -> cl::cl_int {
    NONE
}
