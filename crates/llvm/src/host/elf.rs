//! Loads object files of x86-64 into this process: places their sections in memory, resolves their symbols, applies
//! their relocations (System V ABI, AMD64 supplement, 4.4). LLVM makes position-independent code in the small code model,
//! which needs eight kinds of relocation; an object with another is left to ORC.
//!
//! Functions and variables outside of the object may be further away than 2 GiB. Each that is called gets a stub, which
//! also holds its address for loads through the global offset table.

use crate::LlvmError;
use object::LittleEndian as LE;
use object::elf::{
    EM_X86_64, ET_REL, FileHeader64, R_X86_64_64, R_X86_64_GOTPCREL, R_X86_64_GOTPCRELX, R_X86_64_NONE, R_X86_64_PC32,
    R_X86_64_PC64, R_X86_64_PLT32, R_X86_64_REX_GOTPCRELX, Rela64, SHF_ALLOC, SHF_EXECINSTR, SHF_TLS, SHF_WRITE,
    SHN_ABS, SHN_UNDEF, SHT_NOBITS, SHT_RELA, SHT_SYMTAB, STB_WEAK, SectionHeader64, Sym64,
};
use object::read::elf::{FileHeader as _, Rela as _, SectionHeader as _, SectionTable, Sym as _, SymbolTable};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ffi::CString;
use std::ops::Range;
use std::ptr;
use std::sync::OnceLock;

const PAGE: usize = 4096;

/// Bytes of a stub: `jmp *2(%rip)`, two bytes of nothing, the address.
const STUB: usize = 16;
/// Where the address stands in a stub.
const STUB_ADDRESS: usize = 8;

/// Most bytes of an image: distances within it are 32-bit numbers.
const MAX_IMAGE: usize = i32::MAX as usize - PAGE;

/// Loaded code.
#[derive(Debug)]
pub(crate) struct Image {
    memory: Memory,
    /// Bytes of machine code, at the start of the memory.
    code: usize,
    /// Addresses of the functions and variables that others may see.
    symbols: FxHashMap<String, usize>,
}

/// Mapped pages.
#[derive(Debug)]
struct Memory {
    start: *mut u8,
    bytes: usize,
}

// SAFETY: once loaded, nothing in this process writes to the memory but the code in it; unmapping may happen anywhere.
unsafe impl Send for Memory {}
// SAFETY: shared references allow nothing.
unsafe impl Sync for Memory {}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: mapped with this size, and unmapped once.
        unsafe { libc::munmap(self.start.cast(), self.bytes) };
    }
}

fn fail(message: impl Into<String>) -> LlvmError {
    LlvmError::Load { message: message.into() }
}

/// Pages with the same rights, in the order in which they stand in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rights {
    Code,
    Constants,
    Data,
}

/// What was read of an object file.
struct File<'d> {
    bytes: &'d [u8],
    sections: SectionTable<'d, FileHeader64<LE>>,
    symbols: SymbolTable<'d, FileHeader64<LE>>,
    /// The relocations of each section that is loaded, by its index.
    relocations: Vec<(usize, &'d [Rela64<LE>])>,
}

/// Where things stand, from the start of the image.
struct Layout {
    /// Of each section: its offset, if it is loaded.
    sections: Vec<Option<usize>>,
    /// Of the symbols that have stubs, by index.
    stubs: BTreeMap<usize, usize>,
    constants: usize,
    data: usize,
    end: usize,
}

/// Whether a section is for the program, not for tools; frames are for unwinders, and nothing unwinds through kernels.
fn is_loaded(file: &File<'_>, section: &SectionHeader64<LE>) -> bool {
    let flags = section.sh_flags(LE);
    let is_frames = file.sections.section_name(LE, section).is_ok_and(|n| n == b".eh_frame");
    flags & u64::from(SHF_ALLOC) != 0 && section.sh_size(LE) > 0 && !is_frames
}

impl<'d> File<'d> {
    /// `None` if it is no object file of this machine.
    fn read(bytes: &'d [u8]) -> Option<Self> {
        let header = FileHeader64::<LE>::parse(bytes).ok()?;
        if header.e_type(LE) != ET_REL || header.e_machine(LE) != EM_X86_64 {
            return None;
        }
        let sections = header.sections(LE, bytes).ok()?;
        let symbols = sections.symbols(LE, bytes, SHT_SYMTAB).ok()?;
        let mut file = Self { bytes, sections, symbols, relocations: Vec::new() };
        for section in sections.iter().filter(|s| s.sh_type(LE) == SHT_RELA) {
            let target = section.info_link(LE);
            if is_loaded(&file, sections.section(target).ok()?) {
                file.relocations.push((target.0, section.rela(LE, bytes).ok()??.0));
            }
        }
        Some(file)
    }

    /// The symbol that a relocation is about, and its index.
    fn symbol(&self, relocation: &Rela64<LE>) -> Option<(usize, &'d Sym64<LE>)> {
        let index = relocation.r_sym(LE, false) as usize;
        Some((index, self.symbols.symbol(object::SymbolIndex(index)).ok()?))
    }

    /// `None` if something is not as small objects have it.
    fn lay_out(&self) -> Option<Layout> {
        let mut sections = vec![None; self.sections.len()];
        let mut stubs = BTreeMap::new();
        let mut at = 0usize;
        let mut starts = [0; 3];
        for rights in [Rights::Code, Rights::Constants, Rights::Data] {
            at = at.next_multiple_of(PAGE);
            starts[rights as usize] = at;
            for (index, section) in self.sections.enumerate() {
                let flags = section.sh_flags(LE);
                let has = |flag: u32| flags & u64::from(flag) != 0;
                let own = match (has(SHF_EXECINSTR), has(SHF_WRITE)) {
                    (true, _) => Rights::Code,
                    (false, false) => Rights::Constants,
                    (false, true) => Rights::Data,
                };
                if own != rights || !is_loaded(self, section) {
                    continue;
                }
                let align = usize::try_from(section.sh_addralign(LE)).ok()?.max(1);
                if has(SHF_TLS) || (has(SHF_EXECINSTR) && has(SHF_WRITE)) || align > PAGE || !align.is_power_of_two() {
                    return None;
                }
                at = at.next_multiple_of(align);
                sections[index.0] = Some(at);
                at = at.checked_add(usize::try_from(section.sh_size(LE)).ok()?).filter(|&end| end < MAX_IMAGE)?;
            }
            if rights == Rights::Code {
                at = at.next_multiple_of(STUB);
                for relocation in self.relocations.iter().flat_map(|r| r.1) {
                    let (index, symbol) = self.symbol(relocation)?;
                    let wanted = match relocation.r_type(LE, false) {
                        R_X86_64_PLT32 => symbol.st_shndx(LE) == SHN_UNDEF,
                        R_X86_64_GOTPCREL | R_X86_64_GOTPCRELX | R_X86_64_REX_GOTPCRELX => true,
                        _ => false,
                    };
                    if wanted {
                        stubs.entry(index).or_insert_with(|| {
                            at += STUB;
                            at - STUB
                        });
                    }
                }
            }
        }
        let end = at.next_multiple_of(PAGE).max(PAGE);
        let [_, constants, data] = starts;
        (end < MAX_IMAGE).then_some(Layout { sections, stubs, constants, data, end })
    }
}

impl Image {
    /// Loads an object file; `None` if it has something that only ORC takes. Functions that it lacks are those of
    /// `symbols`, then those of this process.
    ///
    /// # Errors
    /// A symbol is nowhere, or there is no memory.
    pub(crate) fn load(object: &[u8], symbols: &[(&str, usize)]) -> Result<Option<Self>, LlvmError> {
        let Some(file) = File::read(object) else { return Ok(None) };
        let Some(layout) = file.lay_out() else { return Ok(None) };
        let memory = Memory::map(layout.end)?;
        let mut linker = Linker { file: &file, layout: &layout, memory: &memory, given: symbols };
        if linker.place().is_none() || !linker.stubs()? || !linker.relocate()? {
            return Ok(None);
        }
        let symbols = linker.visible();
        memory.protect(0, layout.constants, libc::PROT_READ | libc::PROT_EXEC)?;
        memory.protect(layout.constants, layout.data, libc::PROT_READ)?;
        Ok(Some(Self { memory, code: layout.constants, symbols }))
    }

    /// Where the machine code lies.
    pub(crate) fn code(&self) -> Range<usize> {
        self.memory.address(0)..self.memory.address(self.code)
    }

    /// The address of a symbol.
    ///
    /// # Errors
    /// The object has none of this name that others may see.
    pub(crate) fn symbol(&self, name: &str) -> Result<usize, LlvmError> {
        self.symbols.get(name).copied().ok_or_else(|| fail(format!("symbols not found: {name}")))
    }
}

impl Memory {
    /// Zeros that may be written.
    fn map(bytes: usize) -> Result<Self, LlvmError> {
        let (rights, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a fresh mapping, wherever there is room.
        let start = unsafe { libc::mmap(ptr::null_mut(), bytes, rights, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return Err(fail(format!("no memory for {bytes} bytes: {}", std::io::Error::last_os_error())));
        }
        Ok(Self { start: start.cast(), bytes })
    }

    fn protect(&self, from: usize, to: usize, rights: i32) -> Result<(), LlvmError> {
        if from == to {
            return Ok(());
        }
        // SAFETY: whole pages within the mapping; nobody has references to them.
        let failed = unsafe { libc::mprotect(self.start.wrapping_add(from).cast(), to - from, rights) };
        match failed {
            0 => Ok(()),
            _ => Err(fail(format!("the system does not allow code in memory: {}", std::io::Error::last_os_error()))),
        }
    }

    fn address(&self, at: usize) -> usize {
        self.start as usize + at
    }

    /// Writes bytes; `None` if they do not fit.
    fn write(&self, at: usize, bytes: &[u8]) -> Option<()> {
        if at.checked_add(bytes.len())? > self.bytes {
            return None;
        }
        // SAFETY: within the mapping, by the test above, which is still writable and nobody else's.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), self.start.add(at), bytes.len()) };
        Some(())
    }
}

/// An image in the making.
struct Linker<'a, 'd> {
    file: &'a File<'d>,
    layout: &'a Layout,
    memory: &'a Memory,
    given: &'a [(&'a str, usize)],
}

impl Linker<'_, '_> {
    /// Copies the sections; `None` if one is not where the file says.
    fn place(&mut self) -> Option<()> {
        for (index, section) in self.file.sections.enumerate() {
            if let Some(at) = self.layout.sections[index.0]
                && section.sh_type(LE) != SHT_NOBITS
            {
                self.memory.write(at, section.data(LE, self.file.bytes).ok()?)?;
            }
        }
        Some(())
    }

    /// Writes the stubs; whether that was possible.
    fn stubs(&mut self) -> Result<bool, LlvmError> {
        for (&index, &at) in &self.layout.stubs {
            let Ok(symbol) = self.file.symbols.symbol(object::SymbolIndex(index)) else { return Ok(false) };
            let Some(address) = self.address(symbol)? else { return Ok(false) };
            let mut stub = [0u8; STUB];
            stub[..6].copy_from_slice(&[0xff, 0x25, 2, 0, 0, 0]);
            stub[STUB_ADDRESS..].copy_from_slice(&(address as u64).to_le_bytes());
            if self.memory.write(at, &stub).is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The address of a symbol in this process; `None` if it stands in a section that is not loaded.
    fn address(&self, symbol: &Sym64<LE>) -> Result<Option<usize>, LlvmError> {
        let value = symbol.st_value(LE) as usize;
        match symbol.st_shndx(LE) {
            SHN_UNDEF if symbol.st_name(LE) == 0 => Ok(Some(0)),
            SHN_UNDEF => {
                let name = self.file.symbols.symbol_name(LE, symbol).ok().and_then(|n| std::str::from_utf8(n).ok());
                let Some(name) = name else { return Ok(None) };
                let given = self.given.iter().find(|g| g.0 == name).map(|g| g.1);
                match given.or_else(|| process_symbol(name)) {
                    Some(address) => Ok(Some(address)),
                    None if symbol.st_bind() == STB_WEAK => Ok(Some(0)),
                    None => Err(fail(format!("symbols not found: {name}"))),
                }
            }
            SHN_ABS => Ok(Some(value)),
            index => {
                let base = self.layout.sections.get(usize::from(index)).copied().flatten();
                Ok(base.map(|b| self.memory.address(b).wrapping_add(value)))
            }
        }
    }

    /// Applies the relocations; whether all of them are of the known kinds, and reach.
    fn relocate(&mut self) -> Result<bool, LlvmError> {
        for &(section, relocations) in &self.file.relocations {
            let base = self.layout.sections.get(section).copied().flatten();
            let size = self.file.sections.section(object::SectionIndex(section)).map_or(0, |s| s.sh_size(LE));
            let Some(base) = base else { return Ok(false) };
            for relocation in relocations {
                if !self.apply(relocation, base, size)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Applies a relocation of the section that stands at `base` and has `size` bytes.
    fn apply(&self, relocation: &Rela64<LE>, base: usize, size: u64) -> Result<bool, LlvmError> {
        let kind = relocation.r_type(LE, false);
        let bytes = if matches!(kind, R_X86_64_64 | R_X86_64_PC64) { 8 } else { 4 };
        let offset = relocation.r_offset(LE);
        let Some((index, symbol)) = self.file.symbol(relocation) else { return Ok(false) };
        if kind == R_X86_64_NONE {
            return Ok(true);
        }
        if offset.checked_add(bytes).is_none_or(|end| end > size) {
            return Ok(false);
        }
        let place = base + offset as usize;
        let stub = self.layout.stubs.get(&index).map(|&at| self.memory.address(at));
        let target = match (kind, stub) {
            (R_X86_64_PLT32, Some(stub)) if symbol.st_shndx(LE) == SHN_UNDEF => Some(stub),
            (R_X86_64_GOTPCREL | R_X86_64_GOTPCRELX | R_X86_64_REX_GOTPCRELX, Some(stub)) => Some(stub + STUB_ADDRESS),
            (R_X86_64_PLT32 | R_X86_64_PC32 | R_X86_64_PC64 | R_X86_64_64, _) => self.address(symbol)?,
            _ => None,
        };
        let Some(target) = target else { return Ok(false) };
        let absolute = (target as i64).wrapping_add(relocation.r_addend(LE));
        let relative = absolute.wrapping_sub(self.memory.address(place) as i64);
        let written = match (kind, i32::try_from(relative)) {
            (R_X86_64_64, _) => self.memory.write(place, &absolute.to_le_bytes()),
            (R_X86_64_PC64, _) => self.memory.write(place, &relative.to_le_bytes()),
            (_, Ok(distance)) => self.memory.write(place, &distance.to_le_bytes()),
            _ => None,
        };
        Ok(written.is_some())
    }

    /// Names and addresses of what others may see.
    fn visible(&self) -> FxHashMap<String, usize> {
        let mut all = FxHashMap::default();
        for symbol in self.file.symbols.iter().filter(|s| !s.is_local() && s.st_shndx(LE) != SHN_UNDEF) {
            let name = self.file.symbols.symbol_name(LE, symbol).ok().and_then(|n| std::str::from_utf8(n).ok());
            if let (Some(name), Ok(Some(address))) = (name, self.address(symbol)) {
                all.insert(name.to_owned(), address);
            }
        }
        all
    }
}

/// A function of this process: of the program and what it was linked with, else of the library that this code is in and
/// what that was linked with, which the program does not see where it has opened the library for itself alone.
fn process_symbol(name: &str) -> Option<usize> {
    /// The library that this code is in; 0 if the system does not tell.
    static OWN: OnceLock<usize> = OnceLock::new();
    let own = || {
        let mut info = libc::Dl_info {
            dli_fname: ptr::null(),
            dli_fbase: ptr::null_mut(),
            dli_sname: ptr::null(),
            dli_saddr: ptr::null_mut(),
        };
        // SAFETY: an address of this code; `info` is written on success, and its name lives as long as the library. That
        // is not opened anew, and stays open.
        unsafe {
            match libc::dladdr(process_symbol as *const () as *const _, &mut info) {
                0 => 0,
                _ => libc::dlopen(info.dli_fname, libc::RTLD_LAZY | libc::RTLD_NOLOAD) as usize,
            }
        }
    };
    let name = CString::new(name).ok()?;
    // SAFETY: a name that ends with NUL, and a handle of a library that stays.
    let look = |handle: *mut libc::c_void| unsafe { libc::dlsym(handle, name.as_ptr()) } as usize;
    let found = match look(libc::RTLD_DEFAULT) {
        0 => match *OWN.get_or_init(own) {
            0 => 0,
            handle => look(handle as *mut libc::c_void),
        },
        found => found,
    };
    (found != 0).then_some(found)
}

#[cfg(test)]
mod tests;
