//! Where in a program's source a kernel was when the processor stopped it.

use super::compile::again;
use super::{Origin, Program};
use crate::core::device::Device;
use runtime::Error;

impl Program {
    /// The fault of the kernel with this symbol, with its place if it can be found: the program and the kernel are compiled
    /// again, this time with lines. Binaries and linked programs have no source at hand.
    pub fn locate(&self, device: &Device, symbol: &str, mut fault: Error) -> Error {
        let found = self.place_of(device, symbol, &fault);
        if let Error::Fault { place, .. } = &mut fault {
            *place = found.map(Box::new);
        }
        fault
    }

    fn place_of(&self, device: &Device, symbol: &str, fault: &Error) -> Option<(String, u32)> {
        let Origin::Source(text) = &self.origin else { return None };
        let mut compilation = again(text, &self.build_of(device).ok()?.options)?;
        let module = std::mem::take(&mut compilation.0.module);
        let program = runtime::Program::new(module, compilation.1);
        device.host.place_of(&program, symbol, fault, &mut compilation.0.session)
    }
}
