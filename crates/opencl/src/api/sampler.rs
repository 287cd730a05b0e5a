//! Samplers: chapter "Sampler Objects". They belong to images and are absent where those are.

use super::{call, create};
use crate::core::context::Context;
use crate::core::features;
use crate::core::sampler::{Addressing, Filter, Sampler};
use crate::handle::Object;
use crate::info::Reply;
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::ffi::c_void;
use std::sync::Arc;

/// What a sampler is made of, as the program gives it.
#[derive(Default)]
struct Spec {
    normalized: Option<u64>,
    addressing: Option<u64>,
    filter: Option<u64>,
}

impl Spec {
    /// A list of names and values that ends with 0, and the list.
    ///
    /// # Errors
    /// "CL_INVALID_VALUE if the property name in sampler_properties is not a supported property name, … or if the same
    /// property name is specified more than once."
    ///
    /// # Safety
    /// The list is null or ends with 0.
    unsafe fn read(list: *const cl::cl_sampler_properties) -> Result<(Self, Vec<cl::cl_sampler_properties>)> {
        let (mut spec, mut all) = (Self::default(), Vec::new());
        if list.is_null() {
            return Ok((spec, all));
        }
        for n in (0..).step_by(2) {
            // SAFETY: by the caller's promise, what is before the zero is there, and so is the value behind a name.
            let name = unsafe { *list.add(n) };
            all.push(name);
            let place = match u32::try_from(name) {
                Ok(0) => break,
                Ok(cl::CL_SAMPLER_NORMALIZED_COORDS) => &mut spec.normalized,
                Ok(cl::CL_SAMPLER_ADDRESSING_MODE) => &mut spec.addressing,
                Ok(cl::CL_SAMPLER_FILTER_MODE) => &mut spec.filter,
                _ => return Err(Status::INVALID_VALUE),
            };
            // SAFETY: as above.
            let value = unsafe { *list.add(n + 1) };
            all.push(value);
            if place.replace(value).is_some() {
                return Err(Status::INVALID_VALUE);
            }
        }
        Ok((spec, all))
    }

    /// Whether coordinates are normalised, and the modes; what is not given is as the table "sampler creation properties" has
    /// it.
    ///
    /// # Errors
    /// "CL_INVALID_VALUE … if the value specified for a supported property name is not valid".
    fn check(&self) -> Result<(bool, Addressing, Filter)> {
        let small = |value: Option<u64>, default: u32| {
            value.map_or(Ok(default), |v| u32::try_from(v).map_err(|_| Status::INVALID_VALUE))
        };
        let normalized = match small(self.normalized, cl::CL_TRUE)? {
            cl::CL_FALSE => false,
            cl::CL_TRUE => true,
            _ => return Err(Status::INVALID_VALUE),
        };
        let addressing = Addressing::new(small(self.addressing, cl::CL_ADDRESS_CLAMP)?).ok_or(Status::INVALID_VALUE)?;
        let filter = Filter::new(small(self.filter, cl::CL_FILTER_NEAREST)?).ok_or(Status::INVALID_VALUE)?;
        Ok((normalized, addressing, filter))
    }
}

fn make(
    context: cl::cl_context,
    spec: impl FnOnce() -> Result<(Spec, Vec<cl::cl_sampler_properties>)>,
) -> Result<Arc<Sampler>> {
    // "CL_INVALID_CONTEXT if context is not a valid context."
    let context = Context::pool().get(context)?;
    // "CL_INVALID_VALUE if the property name in sampler_properties is not a supported property name, if the value specified
    // for a supported property name is not valid …" "CL_INVALID_VALUE if addressing_mode, filter_mode, normalized_coords or a
    // combination of these arguments are not valid."
    let (spec, properties) = spec()?;
    let (normalized, addressing, filter) = spec.check()?;
    // "CL_INVALID_OPERATION if images are not supported by any device associated with context (i.e. CL_DEVICE_IMAGE_SUPPORT …
    // is CL_FALSE)."
    if !features::images() {
        return Err(Status::INVALID_OPERATION);
    }
    Sampler::new(context, properties, normalized, addressing, filter)
}

/// Makes a sampler.
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
        let spec = Spec {
            normalized: Some(normalized_coords.into()),
            addressing: Some(addressing_mode.into()),
            filter: Some(filter_mode.into()),
        };
        Ok((spec, Vec::new()))
    };
    // SAFETY: by the caller's promise.
    unsafe { create(errcode_ret, || make(context, spec)) }
}

/// Makes a sampler.
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
    unsafe { create(errcode_ret, || make(context, spec)) }
}

/// Adds a reference to a sampler.
///
/// # Safety
/// Any value may be passed.
pub unsafe extern "C" fn retain_sampler(sampler: cl::cl_sampler) -> cl::cl_int {
    // "CL_INVALID_SAMPLER if sampler is not a valid sampler object."
    call(|| Sampler::pool().retain(sampler))
}

/// Takes away a reference to a sampler.
///
/// # Safety
/// Any value may be passed.
pub unsafe extern "C" fn release_sampler(sampler: cl::cl_sampler) -> cl::cl_int {
    // "CL_INVALID_SAMPLER if sampler is not a valid sampler object."
    call(|| Sampler::pool().release(sampler))
}

/// Tells what is known of a sampler.
///
/// # Safety
/// As the specification has it: `param_value` is null or has room for `param_value_size` bytes, `param_value_size_ret` is null
/// or writable.
pub unsafe extern "C" fn get_sampler_info(
    sampler: cl::cl_sampler,
    param_name: cl::cl_sampler_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_SAMPLER if sampler is a not a valid sampler object."
        let sampler = Sampler::pool().get(sampler)?;
        // SAFETY: by the caller's promise.
        let reply = unsafe { Reply::new(param_value_size, param_value, param_value_size_ret) };
        match param_name {
            cl::CL_SAMPLER_REFERENCE_COUNT => reply.value(sampler.handle().references()),
            cl::CL_SAMPLER_CONTEXT => reply.value(sampler.context.handle().raw()),
            cl::CL_SAMPLER_NORMALIZED_COORDS => reply.bool(sampler.normalized),
            cl::CL_SAMPLER_ADDRESSING_MODE => reply.value(sampler.addressing.raw()),
            cl::CL_SAMPLER_FILTER_MODE => reply.value(sampler.filter.raw()),
            cl::CL_SAMPLER_PROPERTIES => reply.slice(&sampler.properties),
            // "CL_INVALID_VALUE if param_name is not one of the supported values, …"
            _ => Err(Status::INVALID_VALUE),
        }
    })
}
