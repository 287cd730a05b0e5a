//! Machine code in this process.
//!
//! Object files are loaded by our own linker where there is one ([`super::elf`], tens of microseconds), else by LLVM's ORC
//! ([`super::orc`], milliseconds, and it takes what the first does not). Symbols that an object lacks are taken from the
//! caller's list, then from this process (`memcpy`, `fmodf`, …).

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
use super::elf::Image;
use super::orc::Orc;
use crate::LlvmError;
use crate::lasting::Lasting;
use std::ops::Range;

/// A work-group function: block of arguments, context of the group.
pub type Entry = unsafe extern "C" fn(args: *const u8, group: *mut u8);

/// Loaded machine code. Its entry points may be called from any thread for as long as it lives.
#[derive(Debug)]
pub struct Jit {
    entries: Vec<(String, Entry)>,
    code: Loaded,
}

/// Code in memory.
#[derive(Debug)]
#[allow(dead_code, reason = "held until it is dropped")]
enum Loaded {
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    Image(Image),
    Orc(Orc),
}

/// Addresses of functions by name.
pub(crate) type Symbols<'a> = [(&'a str, usize)];

impl Jit {
    /// Loads an object file. `entries` are the functions that [`Jit::entry`] knows; `symbols` are addresses of functions
    /// that the code calls, which must have the signatures that the crate's description gives for their names.
    ///
    /// # Errors
    /// It is no object file for this machine, or a symbol is missing.
    pub fn load(object: &[u8], entries: &[&str], symbols: &[(&str, usize)]) -> Result<Self, LlvmError> {
        let own = [
            ("unspool_rt_nanoseconds", unspool_rt_nanoseconds as *const () as usize),
            ("unspool_rt_yield", unspool_rt_yield as *const () as usize),
        ];
        let symbols: Vec<_> = symbols.iter().copied().chain(own).collect();
        #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
        if let Some(image) = Image::load(object, &symbols)? {
            let found = entries.iter().map(|&name| Ok((name.to_owned(), entry(name, image.symbol(name)?)?)));
            return Ok(Self { entries: found.collect::<Result<_, LlvmError>>()?, code: Loaded::Image(image) });
        }
        Self::load_by_orc(object, entries, &symbols)
    }

    fn load_by_orc(object: &[u8], entries: &[&str], symbols: &Symbols<'_>) -> Result<Self, LlvmError> {
        let _lasting = Lasting::begin();
        let orc = Orc::load(object, symbols)?;
        let found = entries.iter().map(|&name| Ok((name.to_owned(), entry(name, orc.symbol(name)?)?)));
        Ok(Self { entries: found.collect::<Result<_, LlvmError>>()?, code: Loaded::Orc(orc) })
    }

    /// Where the machine code lies; empty if the system does not tell.
    pub fn range(&self) -> Range<usize> {
        match &self.code {
            #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
            Loaded::Image(image) => image.code(),
            Loaded::Orc(_) => self.entries.first().map_or(0..0, |&(_, e)| mapping(e as *const () as usize)),
        }
    }

    /// The work-group function of this name.
    ///
    /// Calling it is unsafe: its arguments must be what the function's code reads and writes there, it must not be
    /// called after this object is gone.
    pub fn entry(&self, name: &str) -> Option<Entry> {
        self.entries.iter().find(|(n, _)| n == name).map(|&(_, e)| e)
    }
}

/// The mapping of this process's memory that an address lies in; empty if the system does not tell.
fn mapping(address: usize) -> Range<usize> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let range = |line: &str| {
        let (start, end) = line.split(' ').next()?.split_once('-')?;
        Some(usize::from_str_radix(start, 16).ok()?..usize::from_str_radix(end, 16).ok()?)
    };
    maps.lines().filter_map(range).find(|r| r.contains(&address)).unwrap_or_default()
}

/// An entry point at an address.
fn entry(name: &str, address: usize) -> Result<Entry, LlvmError> {
    // SAFETY: a nonzero address of a function that this crate compiled: entry points have this signature.
    unsafe { std::mem::transmute::<usize, Option<Entry>>(address) }
        .ok_or_else(|| LlvmError::Load { message: format!("`{name}` has no address") })
}

/// What `nanosleep` does: whoever has the processor to itself goes on at once.
extern "C" fn unspool_rt_yield() {
    std::thread::yield_now();
}

/// What `globaltimer` reads: nanoseconds since some point before the process's first read.
extern "C" fn unspool_rt_nanoseconds() -> u64 {
    use std::time::{SystemTime, UNIX_EPOCH};
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as u64)
}
