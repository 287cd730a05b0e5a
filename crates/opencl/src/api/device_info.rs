//! `clGetDeviceInfo`: every query of table 5, by what it is about. A query that is not of one part is handed to the next.

use super::call;
use super::device::{extensions, with_version};
use super::platform::{VERSION, VERSION_TEXT, version};
use crate::core::device::{Device, LOCAL_MEMORY};
use crate::core::machine::HostInfo;
use crate::core::platform::Platform;
use crate::core::{features, image};
use crate::handle::Object;
use crate::info::Reply;
use crate::status::{Result, Status};
use opencl_sys as cl;
use runtime::Device as _;
use std::ffi::c_void;

/// Most bytes of arguments of a kernel.
pub(crate) const MAX_PARAMETERS: usize = 4096;

/// Alignment of memory objects in bytes: the largest type, `long16`.
pub(crate) const ALIGNMENT: u32 = crate::core::memory::allocation::BASE_ALIGN as u32;

/// Most bytes of a buffer in constant memory.
const CONSTANT_MEMORY: u64 = 64 << 20;

/// How much a kernel may print per launch. Nothing is kept back: output is written as it comes.
const PRINTF_BUFFER: usize = 16 << 20;

/// `clGetDeviceInfo`.
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn get_device_info(
    raw: cl::cl_device_id,
    name: cl::cl_device_info,
    size: usize,
    value: *mut c_void,
    size_out: *mut usize,
) -> cl::cl_int {
    // SAFETY: by the specification.
    let reply = unsafe { Reply::new(size, value, size_out) };
    call(|| {
        // "CL_INVALID_DEVICE if device is not a valid device."
        let device = Device::pool().get(raw)?;
        let parts = [names, versions, processors, numbers, memory, images, absent, capabilities, partitions];
        let answer = parts.iter().find_map(|part| part(&device, name, reply));
        // "CL_INVALID_VALUE if param_name is not one of the supported values …"
        answer.unwrap_or(Err(Status::INVALID_VALUE))
    })
}

/// The version and the build. Stored programs are for one build alone: what keeps them by these answers, as pyopencl does, must
/// see that there is another.
fn driver_version() -> String {
    let build = unspool::object::build_id();
    let id: String = build.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    format!("{} (LLVM 19, build {id})", env!("CARGO_PKG_VERSION"))
}

/// What is asked for by name; none where it is not of this part.
type Answer = Option<Result>;

fn names(device: &Device, name: cl::cl_device_info, reply: Reply) -> Answer {
    Some(match name {
        cl::CL_DEVICE_NAME => reply.text(&HostInfo::get().processor),
        // The processor's, by which programs choose what they tuned for it; who made this software is the platform's vendor.
        cl::CL_DEVICE_VENDOR => reply.text(&HostInfo::get().vendor),
        cl::CL_DEVICE_VENDOR_ID => reply.value(HostInfo::get().vendor_id()),
        cl::CL_DEVICE_PROFILE => reply.text("FULL_PROFILE"),
        cl::CL_DRIVER_VERSION => reply.text(&driver_version()),
        cl::CL_DEVICE_TYPE => reply.value(cl::CL_DEVICE_TYPE_CPU),
        cl::CL_DEVICE_PLATFORM => match Platform::get() {
            Ok(platform) => reply.value(platform.handle().raw()),
            Err(e) => Err(e),
        },
        cl::CL_DEVICE_AVAILABLE | cl::CL_DEVICE_COMPILER_AVAILABLE | cl::CL_DEVICE_LINKER_AVAILABLE => reply.bool(true),
        cl::CL_DEVICE_REFERENCE_COUNT => {
            reply.value(if device.parent.is_some() { device.handle().references() } else { 1 })
        }
        _ => return None,
    })
}

fn versions(_: &Device, name: cl::cl_device_info, reply: Reply) -> Answer {
    Some(match name {
        cl::CL_DEVICE_VERSION => reply.text(VERSION_TEXT),
        cl::CL_DEVICE_NUMERIC_VERSION => reply.value(VERSION),
        // What programs get without `-cl-std`.
        cl::CL_DEVICE_OPENCL_C_VERSION => reply.text("OpenCL C 1.2 unspool"),
        cl::CL_DEVICE_OPENCL_C_ALL_VERSIONS => {
            let all = [(1, 0), (1, 1), (1, 2), (3, 0)];
            let bytes: Vec<u8> = all.iter().flat_map(|&(a, b)| with_version("OpenCL C", version(a, b, 0))).collect();
            reply.bytes(&bytes)
        }
        cl::CL_DEVICE_OPENCL_C_FEATURES => {
            let all = features::FEATURES.iter();
            reply.bytes(&all.flat_map(|name| with_version(name, version(3, 0, 0))).collect::<Vec<u8>>())
        }
        cl::CL_DEVICE_EXTENSIONS => reply.text(&extensions().collect::<Vec<_>>().join(" ")),
        cl::CL_DEVICE_EXTENSIONS_WITH_VERSION => {
            let all = extensions().map(|name| (name, features::extension_major(name)));
            reply.bytes(&all.flat_map(|(name, major)| with_version(name, version(major, 0, 0))).collect::<Vec<u8>>())
        }
        // No conformance test suite was passed as a whole.
        cl::CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED | cl::CL_DEVICE_BUILT_IN_KERNELS | cl::CL_DEVICE_IL_VERSION => {
            reply.text("")
        }
        cl::CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION | cl::CL_DEVICE_ILS_WITH_VERSION => reply.bytes(&[]),
        _ => return None,
    })
}

fn processors(device: &Device, name: cl::cl_device_info, reply: Reply) -> Answer {
    let limits = device.host.target().launch_limits();
    let most = limits.group_items as usize;
    let bits = device.host.vector_bits();
    Some(match name {
        cl::CL_DEVICE_MAX_COMPUTE_UNITS => reply.value(device.units() as u32),
        cl::CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS => reply.value(3u32),
        cl::CL_DEVICE_MAX_WORK_ITEM_SIZES => reply.value(limits.group.map(|n| n as usize)),
        cl::CL_DEVICE_MAX_WORK_GROUP_SIZE => reply.value(most),
        cl::CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE => reply.value((bits / 32) as usize),
        // Work-items share vectors, so kernels need not use vector types: scalars are preferred.
        cl::CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR
        | cl::CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT
        | cl::CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT
        | cl::CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG
        | cl::CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT
        | cl::CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE => reply.value(1u32),
        cl::CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR => reply.value(bits / 8),
        cl::CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT => reply.value(bits / 16),
        cl::CL_DEVICE_NATIVE_VECTOR_WIDTH_INT | cl::CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT => reply.value(bits / 32),
        cl::CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG | cl::CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE => reply.value(bits / 64),
        // "If the cl_khr_fp16 extension is not supported, … must return 0."
        cl::CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF | cl::CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF => reply.value(0u32),
        cl::CL_DEVICE_MAX_CLOCK_FREQUENCY => reply.value(HostInfo::get().clock),
        cl::CL_DEVICE_ADDRESS_BITS => reply.value(usize::BITS),
        cl::CL_DEVICE_ENDIAN_LITTLE => reply.bool(cfg!(target_endian = "little")),
        _ => return None,
    })
}

fn numbers(_: &Device, name: cl::cl_device_info, reply: Reply) -> Answer {
    let common = cl::CL_FP_ROUND_TO_NEAREST | cl::CL_FP_INF_NAN | cl::CL_FP_DENORM | cl::CL_FP_FMA;
    Some(match name {
        cl::CL_DEVICE_SINGLE_FP_CONFIG => reply.value(common | cl::CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT),
        // The other modes are those of explicit conversions; the specification demands them where there are doubles.
        cl::CL_DEVICE_DOUBLE_FP_CONFIG => reply.value(common | cl::CL_FP_ROUND_TO_ZERO | cl::CL_FP_ROUND_TO_INF),
        // "… must return 0 if the cl_khr_fp16 extension is not supported": the query is that extension's.
        cl::CL_DEVICE_HALF_FP_CONFIG => reply.value(0u64),
        cl::CL_DEVICE_PROFILING_TIMER_RESOLUTION => reply.value(1usize),
        cl::CL_DEVICE_PRINTF_BUFFER_SIZE => reply.value(PRINTF_BUFFER),
        _ => return None,
    })
}

fn memory(device: &Device, name: cl::cl_device_info, reply: Reply) -> Answer {
    let machine = HostInfo::get();
    Some(match name {
        cl::CL_DEVICE_GLOBAL_MEM_SIZE => reply.value(machine.memory),
        cl::CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE => reply.value(device.max_allocation().min(CONSTANT_MEMORY)),
        cl::CL_DEVICE_MAX_MEM_ALLOC_SIZE => reply.value(device.max_allocation()),
        cl::CL_DEVICE_GLOBAL_MEM_CACHE_TYPE => reply.value(cl::CL_READ_WRITE_CACHE),
        cl::CL_DEVICE_GLOBAL_MEM_CACHE_SIZE => reply.value(machine.cache),
        cl::CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE => reply.value(machine.line),
        cl::CL_DEVICE_MAX_CONSTANT_ARGS => reply.value((MAX_PARAMETERS / 8) as u32),
        cl::CL_DEVICE_MAX_PARAMETER_SIZE => reply.value(MAX_PARAMETERS),
        cl::CL_DEVICE_LOCAL_MEM_TYPE => reply.value(cl::CL_GLOBAL),
        cl::CL_DEVICE_LOCAL_MEM_SIZE => reply.value(LOCAL_MEMORY),
        cl::CL_DEVICE_ERROR_CORRECTION_SUPPORT => reply.bool(false),
        cl::CL_DEVICE_HOST_UNIFIED_MEMORY => reply.bool(true),
        cl::CL_DEVICE_MEM_BASE_ADDR_ALIGN => reply.value(8 * ALIGNMENT),
        cl::CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE => reply.value(ALIGNMENT),
        // "0 if there is no preference": atomics are those of the processor.
        cl::CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT
        | cl::CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT
        | cl::CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT => reply.value(0u32),
        _ => return None,
    })
}

/// Images and samplers, as far as kernels can use them.
fn images(_: &Device, name: cl::cl_device_info, reply: Reply) -> Answer {
    let there = features::images();
    let size = |n: usize| reply.value(if there { n } else { 0 });
    let count = |n: u32| reply.value(if there { n } else { 0 });
    Some(match name {
        cl::CL_DEVICE_IMAGE_SUPPORT => reply.bool(there),
        cl::CL_DEVICE_IMAGE2D_MAX_WIDTH | cl::CL_DEVICE_IMAGE2D_MAX_HEIGHT => size(image::MAX_2D),
        cl::CL_DEVICE_IMAGE3D_MAX_WIDTH | cl::CL_DEVICE_IMAGE3D_MAX_HEIGHT | cl::CL_DEVICE_IMAGE3D_MAX_DEPTH => {
            size(image::MAX_3D)
        }
        cl::CL_DEVICE_IMAGE_MAX_BUFFER_SIZE => size(image::MAX_BUFFER),
        cl::CL_DEVICE_IMAGE_MAX_ARRAY_SIZE => size(image::MAX_LAYERS),
        cl::CL_DEVICE_MAX_READ_IMAGE_ARGS => count(image::MAX_READ_ARGS),
        cl::CL_DEVICE_MAX_WRITE_IMAGE_ARGS => count(image::MAX_WRITE_ARGS),
        cl::CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS => {
            count(if features::read_write_images() { image::MAX_WRITE_ARGS } else { 0 })
        }
        cl::CL_DEVICE_MAX_SAMPLERS => count(image::MAX_SAMPLERS),
        _ => return None,
    })
}

/// What the device does not have: 2D images of buffers, pipes, queues on the device.
fn absent(_: &Device, name: cl::cl_device_info, reply: Reply) -> Answer {
    Some(match name {
        cl::CL_DEVICE_PIPE_SUPPORT => reply.bool(false),
        cl::CL_DEVICE_IMAGE_PITCH_ALIGNMENT
        | cl::CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT
        | cl::CL_DEVICE_MAX_PIPE_ARGS
        | cl::CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS
        | cl::CL_DEVICE_PIPE_MAX_PACKET_SIZE
        | cl::CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE
        | cl::CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE
        | cl::CL_DEVICE_MAX_ON_DEVICE_QUEUES
        | cl::CL_DEVICE_MAX_ON_DEVICE_EVENTS => reply.value(0u32),
        cl::CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES | cl::CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES => reply.value(0u64),
        _ => return None,
    })
}

/// Bytes that the variables of a program may have in global memory: they are part of its code's memory, and binaries carry
/// their contents.
const GLOBAL_VARIABLES: usize = 64 << 20;

fn capabilities(device: &Device, name: cl::cl_device_info, reply: Reply) -> Answer {
    let feature = |name: &str| features::FEATURES.contains(&name);
    let atomics = |fence: bool| {
        let mut bits = cl::CL_DEVICE_ATOMIC_ORDER_RELAXED | cl::CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP;
        if fence || feature("__opencl_c_atomic_order_acq_rel") {
            bits |= cl::CL_DEVICE_ATOMIC_ORDER_ACQ_REL;
        }
        if feature("__opencl_c_atomic_order_seq_cst") {
            bits |= cl::CL_DEVICE_ATOMIC_ORDER_SEQ_CST;
        }
        if feature("__opencl_c_atomic_scope_device") {
            bits |= cl::CL_DEVICE_ATOMIC_SCOPE_DEVICE;
        }
        if feature("__opencl_c_atomic_scope_all_devices") {
            bits |= cl::CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;
        }
        if fence {
            bits |= cl::CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM;
        }
        bits
    };
    Some(match name {
        cl::CL_DEVICE_EXECUTION_CAPABILITIES => reply.value(cl::CL_EXEC_KERNEL | cl::CL_EXEC_NATIVE_KERNEL),
        cl::CL_DEVICE_QUEUE_ON_HOST_PROPERTIES => {
            reply.value(cl::CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | cl::CL_QUEUE_PROFILING_ENABLE)
        }
        // Without atomics, as [`svm_alloc_memory`](super::svm::svm_alloc_memory) says.
        cl::CL_DEVICE_SVM_CAPABILITIES => {
            reply.value(cl::CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | cl::CL_DEVICE_SVM_FINE_GRAIN_BUFFER)
        }
        cl::CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES => reply.value(atomics(false)),
        cl::CL_DEVICE_ATOMIC_FENCE_CAPABILITIES => reply.value(atomics(true)),
        cl::CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT => reply.bool(true),
        cl::CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT => {
            reply.bool(feature("__opencl_c_work_group_collective_functions"))
        }
        cl::CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT => reply.bool(feature("__opencl_c_generic_address_space")),
        // "… must be 0 for devices that do not support sub-groups."
        cl::CL_DEVICE_MAX_NUM_SUB_GROUPS => {
            let target = device.host.target();
            let groups = target.launch_limits().group_items / target.warp_size();
            reply.value(if feature("__opencl_c_subgroups") { groups } else { 0 })
        }
        cl::CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE | cl::CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE => {
            reply.value(if feature("__opencl_c_program_scope_global_variables") { GLOBAL_VARIABLES } else { 0 })
        }
        cl::CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES => reply.value(
            cl::CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED | cl::CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT,
        ),
        // Six answers, of sums of products with signs, without, mixed, and of those that saturate: several instructions each.
        cl::CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT
        | cl::CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED => reply.value([cl::CL_FALSE; 6]),
        cl::CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS => reply.bool(false),
        cl::CL_DEVICE_PREFERRED_INTEROP_USER_SYNC => reply.bool(true),
        _ => return None,
    })
}

fn partitions(device: &Device, name: cl::cl_device_info, reply: Reply) -> Answer {
    let several = device.units() > 1;
    Some(match name {
        cl::CL_DEVICE_PARENT_DEVICE => {
            reply.value(device.parent.as_ref().map_or(std::ptr::null_mut(), |p| p.handle().raw()))
        }
        cl::CL_DEVICE_PARTITION_MAX_SUB_DEVICES => reply.value(if several { device.units() as u32 } else { 0 }),
        cl::CL_DEVICE_PARTITION_PROPERTIES if several => {
            reply.value([cl::CL_DEVICE_PARTITION_EQUALLY, cl::CL_DEVICE_PARTITION_BY_COUNTS])
        }
        // "If the device cannot be partitioned … a value of 0 will be returned."
        cl::CL_DEVICE_PARTITION_PROPERTIES => reply.value(0isize),
        cl::CL_DEVICE_PARTITION_AFFINITY_DOMAIN => reply.value(0u64),
        cl::CL_DEVICE_PARTITION_TYPE if device.partition.is_empty() => reply.value(0isize),
        cl::CL_DEVICE_PARTITION_TYPE => reply.slice(&device.partition),
        _ => return None,
    })
}
