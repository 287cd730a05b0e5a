//! Programs and launches over a queue of the device.

use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::Device;
use opencl3::kernel::{ExecuteKernel, Kernel};
use opencl3::memory::{Buffer, CL_MEM_COPY_HOST_PTR, CL_MEM_READ_WRITE};
use opencl3::program::Program;
use opencl3::types::CL_BLOCKING;

/// A context of the device, and a queue.
pub struct Setup {
    /// The device.
    pub device: Device,
    /// The context.
    pub context: Context,
    /// The queue.
    pub queue: CommandQueue,
}

/// A context and a queue; none where there is no loader.
pub fn setup() -> Option<Setup> {
    let device = super::device()?;
    let context = Context::from_device(&device).expect("a context");
    let queue = CommandQueue::create_default_with_properties(&context, 0, 0).expect("a queue");
    Some(Setup { device, context, queue })
}

impl Setup {
    /// A program of a source, not built.
    pub fn program(&self, source: &str) -> Program {
        Program::create_from_source(&self.context, source).expect("a program")
    }

    /// A program of a source, built.
    pub fn built(&self, source: &str, options: &str) -> Program {
        let mut program = self.program(source);
        if let Err(e) = program.build(&[self.device.id()], options) {
            panic!("{e}: {}", self.log(&program));
        }
        program
    }

    /// The build log.
    pub fn log(&self, program: &Program) -> String {
        program.get_build_log(self.device.id()).expect("a log")
    }

    /// A buffer that holds these values.
    pub fn holding<T>(&self, values: &mut [T]) -> Buffer<T> {
        let flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
        // SAFETY: the values are copied at once.
        unsafe { Buffer::create(&self.context, flags, values.len(), values.as_mut_ptr().cast()) }.expect("a buffer")
    }

    /// What a buffer holds, `count` values.
    pub fn read<T: Clone + Default>(&self, buffer: &Buffer<T>, count: usize) -> Vec<T> {
        let mut out = vec![T::default(); count];
        // SAFETY: the call returns when the values are there.
        unsafe { self.queue.enqueue_read_buffer(buffer, CL_BLOCKING, 0, &mut out, &[]) }.expect("values");
        out
    }

    /// Runs a kernel that takes one buffer of numbers on these numbers, one work-item each; what they become.
    pub fn run(&self, program: &Program, name: &str, numbers: &[i32]) -> Vec<i32> {
        self.run_kernel(&Kernel::create(program, name).expect("a kernel"), numbers)
    }

    /// The same for a kernel.
    pub fn run_kernel(&self, kernel: &Kernel, numbers: &[i32]) -> Vec<i32> {
        let buffer = self.holding(&mut numbers.to_vec());
        let mut launch = ExecuteKernel::new(kernel);
        // SAFETY: the kernel takes this buffer, and has one work-item for each number.
        unsafe { launch.set_arg(&buffer).set_global_work_size(numbers.len()).enqueue_nd_range(&self.queue) }
            .expect("a launch");
        self.read(&buffer, numbers.len())
    }
}
