//! The arguments of a kernel, and what an enqueue takes of them.
//!
//! A kernel shares its arguments with the enqueues that captured them and copies them only when one is set while a
//! captured set is still in use. So capturing counts a reference, and setting writes in place once launches have ended.

use super::signature::Signature;
use crate::core::memory::Memory;
use crate::core::program::executable::Executable;
use crate::status::{Result, Status};
use runtime::Arg;
use smallvec::SmallVec;
use std::sync::{Arc, Weak};

/// Parameters that need no memory of their own.
const FEW: usize = 12;

/// The arguments of one launch as the runtime takes them.
pub type Args<'a> = SmallVec<[Arg<'a>; FEW]>;

/// What a parameter was set to.
#[derive(Clone, Debug)]
enum Argument {
    /// Nothing yet.
    Unset,
    /// Bytes, which stand with those of the others.
    Value,
    /// A memory object. "A kernel object does not update the reference count for objects such as memory or sampler objects
    /// specified as argument values by clSetKernelArg": it is gone when its user and the queues release it.
    Memory(Weak<Memory>),
    /// An address; zero for `NULL`.
    Address(usize),
    /// So many bytes of work-group memory.
    Local(u64),
}

/// The arguments of a kernel.
#[derive(Clone, Debug)]
pub struct Arguments {
    list: SmallVec<[Argument; FEW]>,
    bytes: SmallVec<[u8; 64]>,
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Memory").field("address", &self.address()).field("size", &self.size()).finish_non_exhaustive()
    }
}

impl Arguments {
    /// Those of a new kernel.
    pub(super) fn unset(signature: &Signature) -> Self {
        Self {
            list: SmallVec::from_elem(Argument::Unset, signature.takes.len()),
            bytes: SmallVec::from_elem(0, signature.bytes),
        }
    }

    /// Sets a value; `value` has as many bytes as the parameter.
    pub fn set_value(&mut self, signature: &Signature, index: usize, value: &[u8]) {
        let place = signature.places[index];
        self.bytes[place..place + value.len()].copy_from_slice(value);
        self.list[index] = Argument::Value;
    }

    /// Sets a memory object.
    pub fn set_memory(&mut self, index: usize, memory: &Arc<Memory>) {
        self.list[index] = Argument::Memory(Arc::downgrade(memory));
    }

    /// Sets an address, or null.
    pub fn set_address(&mut self, index: usize, address: usize) {
        self.list[index] = Argument::Address(address);
    }

    /// Sets a size of work-group memory.
    pub fn set_local(&mut self, index: usize, bytes: u64) {
        self.list[index] = Argument::Local(bytes);
    }

    /// Bytes of work-group memory that those set so far take.
    pub(super) fn local_bytes(&self) -> u64 {
        let local = |a: &Argument| if let Argument::Local(n) = a { *n } else { 0 };
        self.list.iter().map(local).fold(0, u64::saturating_add)
    }
}

/// An argument of a launch.
#[derive(Clone, Copy, Debug)]
pub enum Given<'a> {
    /// Bytes.
    Value(&'a [u8]),
    /// A memory object.
    Memory(&'a Arc<Memory>),
    /// An address; zero for `NULL`.
    Address(usize),
    /// So many bytes of work-group memory.
    Local(u64),
}

/// The arguments of a kernel as they were when it was enqueued, with references to the objects among them, and the code
/// to run: what a launch needs, whatever becomes of the kernel meanwhile.
#[derive(Debug)]
pub struct Captured {
    /// The code.
    pub executable: Arc<Executable>,
    /// Which kernel of it.
    pub signature: Arc<Signature>,
    arguments: Arc<Arguments>,
    /// The memory objects among the arguments, in their order.
    pub memory: SmallVec<[Arc<Memory>; 6]>,
}

impl Captured {
    pub(super) fn new(
        executable: Arc<Executable>,
        signature: Arc<Signature>,
        arguments: Arc<Arguments>,
    ) -> Result<Self> {
        let mut memory = SmallVec::new();
        for argument in &arguments.list {
            match argument {
                Argument::Unset => return Err(Status::INVALID_KERNEL_ARGS),
                Argument::Memory(m) => memory.push(m.upgrade().ok_or(Status::INVALID_KERNEL_ARGS)?),
                Argument::Value | Argument::Address(_) | Argument::Local(_) => {}
            }
        }
        Ok(Self { executable, signature, arguments, memory })
    }

    /// The arguments as they were set.
    pub fn given(&self) -> impl Iterator<Item = Given<'_>> {
        let mut memory = self.memory.iter();
        let arguments = &*self.arguments;
        arguments.list.iter().enumerate().map(move |(n, a)| match *a {
            Argument::Value => {
                let place = self.signature.places[n];
                let size = self.signature.takes[n].value_bytes();
                Given::Value(&arguments.bytes[place..place + size])
            }
            Argument::Memory(_) => memory.next().map_or(Given::Address(0), Given::Memory),
            Argument::Address(address) => Given::Address(address),
            Argument::Local(bytes) => Given::Local(bytes),
            Argument::Unset => unreachable!("capturing refuses what is not set"),
        })
    }

    /// The arguments for [`runtime::Kernel::launch`]. Memory objects are asked for their address now.
    pub fn args(&self) -> Args<'_> {
        let arg = |given| match given {
            Given::Value(bytes) => Arg::Value(bytes),
            Given::Memory(m) => Arg::Pointer(m.argument()),
            Given::Address(address) => Arg::Pointer(address as *mut u8),
            Given::Local(bytes) => Arg::Local(bytes),
        };
        self.given().map(arg).collect()
    }
}
