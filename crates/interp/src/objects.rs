//! The device's memory as its owner sees it: making, naming and reading objects, and what kernels may do with them.

use crate::Machine;
use crate::memory::{self, Arena, MAX_OBJECT, Tag};

impl Machine {
    /// Allocates a buffer of unwritten bytes in global memory; `None` if it is too large.
    pub fn alloc_global(&mut self, bytes: u64) -> Option<u64> {
        if bytes > MAX_OBJECT || self.global.objects.len() >= 1 << 24 {
            return None;
        }
        let name = self.names.len() as u32;
        self.names.push(format!("buffer {}", self.global.objects.len()));
        Some(self.global.push(bytes, 256, name))
    }

    /// Says what kernels may do with the object in global memory that begins at this address; anything unless this is said.
    pub fn set_access(&mut self, address: u64, reads: bool, writes: bool) {
        if Tag::of_address(address) == Some(Tag::Global)
            && let Some(o) = self.global.objects.get_mut(memory::object_of(address))
        {
            (o.read_only, o.write_only) = (!writes, !reads);
        }
    }

    /// Says that pointers of the host to `size` bytes from `start` on, which overlap with no others that were named here,
    /// mean the object that begins at this address. Pointers to memory of the host's stand in memory that it wrote.
    pub fn place_host(&mut self, start: u64, size: u64, address: u64) {
        let n = self.host.partition_point(|h| h.0 <= start);
        self.host.insert(n, (start, size, address));
    }

    /// Names the work-group memory that is argument number `n` ([`Arg::Local`]), for messages.
    pub fn name_local(&mut self, n: usize, name: &str) {
        self.locals.insert(n, self.names.len() as u32);
        self.names.push(name.to_owned());
    }

    /// Allocates a buffer with these contents.
    pub fn alloc_bytes(&mut self, data: &[u8]) -> Option<u64> {
        let address = self.alloc_global(data.len() as u64)?;
        self.write(address, data).then_some(address)
    }

    /// Says that a pointer may leave its object as long as nothing is accessed through it, which is then the error that
    /// is reported, with its place. Off unless asked for: transformations may rely on `inbounds`.
    pub fn set_stray_pointers(&mut self, stray: bool) {
        self.stray = stray;
    }

    /// Says that every work-item of a group must reach each barrier, as OpenCL has it. Otherwise those that have ended
    /// are not waited for, as on NVIDIA's GPUs.
    pub fn set_barriers_for_everybody(&mut self, everybody: bool) {
        self.everybody = everybody;
    }

    /// Says that integer division by zero is an error, with its place. Otherwise its result is undefined: transformations
    /// may divide where the program does not, so this is for code that has not been optimised.
    pub fn set_divisions_checked(&mut self, checked: bool) {
        self.divisions = checked;
    }

    /// Names the object that begins at this address, for messages.
    pub fn name_object(&mut self, address: u64, name: &str) {
        let found = self.device_arena(address).and_then(|a| a.objects.get(memory::object_of(address)));
        if let Some(n) = found.map(|o| o.name as usize).filter(|&n| n < self.names.len()) {
            name.clone_into(&mut self.names[n]);
        }
    }

    /// Address and size of a global variable in global or constant memory.
    pub fn global(&self, name: &str) -> Option<(u64, u64)> {
        self.globals.iter().find(|g| g.0 == name).map(|g| (g.1, g.2))
    }

    fn device_arena(&self, address: u64) -> Option<&Arena> {
        match Tag::of_address(address)? {
            Tag::Global => Some(&self.global),
            Tag::Constant => Some(&self.constant),
            _ => None,
        }
    }

    /// Writes global or constant memory; whether the range was inside an object.
    pub fn write(&mut self, address: u64, data: &[u8]) -> bool {
        let Some((at, _)) = self.device_arena(address).and_then(|a| a.locate(address, data.len() as u64)) else {
            return false;
        };
        match Tag::of_address(address) {
            Some(Tag::Constant) => self.constant.fill(at, data),
            _ => self.global.fill(at, data),
        }
        true
    }

    /// Reads global or constant memory; `None` if the range is not inside an object. Unwritten bytes read as 0.
    pub fn read(&self, address: u64, len: u64) -> Option<&[u8]> {
        let arena = self.device_arena(address)?;
        let (at, _) = arena.locate(address, len)?;
        Some(&arena.bytes[at..at + len as usize])
    }

    /// Says of each byte of a range whether it is undefined (1) or not (0); whether the range was inside an object.
    pub fn write_shadow(&mut self, address: u64, shadow: &[u8]) -> bool {
        let at = self.device_arena(address).and_then(|a| a.locate(address, shadow.len() as u64)).map(|(at, _)| at);
        match (at, Tag::of_address(address)) {
            (Some(at), Some(Tag::Constant)) => self.constant.shadow[at..at + shadow.len()].copy_from_slice(shadow),
            (Some(at), _) => self.global.shadow[at..at + shadow.len()].copy_from_slice(shadow),
            (None, _) => return false,
        }
        true
    }

    /// For each byte of a range whether it is undefined (1) or not (0).
    pub fn read_shadow(&self, address: u64, len: u64) -> Option<&[u8]> {
        let arena = self.device_arena(address)?;
        let (at, _) = arena.locate(address, len)?;
        Some(&arena.shadow[at..at + len as usize])
    }

    /// What `printf` wrote since the machine was made, or since [`Machine::take_output`].
    pub fn output(&self) -> &[u8] {
        &self.output
    }

    /// Takes what `printf` wrote.
    pub fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.output)
    }
}
