//! A relocatable object of an AMD GPU, as far as a linker needs it.

use object::elf::{
    EM_AMDGPU, ET_REL, FileHeader64, Rela64, SHF_ALLOC, SHF_EXECINSTR, SHF_WRITE, SHN_UNDEF, SHT_NOBITS, SHT_NOTE,
    SHT_PROGBITS, SHT_RELA, SHT_SYMTAB, STT_FILE, STT_SECTION, STV_HIDDEN, STV_INTERNAL, Sym64,
};
use object::read::elf::{FileHeader as _, Rela as _, SectionHeader as _, Sym as _};
use object::{LittleEndian as LE, read};

// LLVM's "User Guide for AMDGPU Backend", relocation records.
const R_AMDGPU_NONE: u32 = 0;
const R_AMDGPU_ABS64: u32 = 3;
const R_AMDGPU_REL32: u32 = 4;
const R_AMDGPU_REL64: u32 = 5;
const R_AMDGPU_ABS32: u32 = 6;
const R_AMDGPU_REL32_LO: u32 = 10;
const R_AMDGPU_REL32_HI: u32 = 11;
/// A loader adds where it has put the code object.
pub(super) const R_AMDGPU_RELATIVE64: u32 = 13;

/// The largest object that is read.
const MAX_OBJECT: usize = 1 << 30;

/// Where a section goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Place {
    /// Notes, which come first.
    Notes,
    /// What is only read.
    Constants,
    /// Instructions.
    Code,
    /// What is written.
    Data,
    /// What is written and begins as zero.
    Zeros,
    /// What is not loaded: lines for debuggers.
    Outside,
}

/// A section that becomes part of the code object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section<'o> {
    /// Its index in the object.
    pub(super) index: usize,
    pub(super) name: &'o [u8],
    pub(super) place: Place,
    /// Its contents; none of zeros.
    pub(super) bytes: &'o [u8],
    /// Bytes in memory.
    pub(super) size: u64,
    pub(super) align: u64,
}

/// A symbol.
#[derive(Clone, Copy, Debug)]
pub(super) struct Symbol<'o> {
    pub(super) name: &'o [u8],
    /// Its section's index in the object.
    pub(super) section: usize,
    /// From the beginning of the section.
    pub(super) value: u64,
    pub(super) size: u64,
    pub(super) info: u8,
    pub(super) other: u8,
    /// Loaders see it.
    pub(super) exported: bool,
    /// It stands for its section or file.
    pub(super) nameless: bool,
}

/// How a place depends on a symbol's address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The address.
    Absolute64,
    /// Its low half; outside of memory only.
    Absolute32,
    /// The distance.
    Relative64,
    /// The low half of the distance.
    RelativeLow,
    /// Its high half.
    RelativeHigh,
}

/// A place that depends on where a symbol is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Relocation {
    /// The section to change, by its index in the object.
    pub(super) section: usize,
    pub(super) offset: u64,
    pub(super) kind: Kind,
    /// Index in [`Object::symbols`].
    pub(super) symbol: usize,
    pub(super) addend: i64,
}

/// What an object holds.
#[derive(Debug)]
pub(super) struct Object<'o> {
    /// `e_ident`: what system it is for.
    pub(super) ident: [u8; 16],
    /// `e_flags`: the GPU and its settings.
    pub(super) flags: u32,
    pub(super) sections: Vec<Section<'o>>,
    pub(super) symbols: Vec<Symbol<'o>>,
    pub(super) relocations: Vec<Relocation>,
}

impl<'o> Object<'o> {
    /// Reads an object; `None` if there is something in it that this linker does not know.
    pub(super) fn read(bytes: &'o [u8]) -> Option<Self> {
        if bytes.len() > MAX_OBJECT {
            return None;
        }
        let header = FileHeader64::<LE>::parse(bytes).ok()?;
        if header.e_type(LE) != ET_REL || header.e_machine(LE) != EM_AMDGPU {
            return None;
        }
        let mut out = Self {
            ident: bytes.get(..16)?.try_into().ok()?,
            flags: header.e_flags(LE),
            sections: Vec::new(),
            symbols: Vec::new(),
            relocations: Vec::new(),
        };
        let table = header.sections(LE, bytes).ok()?;
        for (index, s) in table.enumerate() {
            let (kind, flags) = (s.sh_type(LE), s.sh_flags(LE) as u32);
            let alloc = flags & SHF_ALLOC != 0;
            let place = match kind {
                SHT_PROGBITS if flags & SHF_EXECINSTR != 0 => Place::Code,
                SHT_PROGBITS if flags & SHF_WRITE != 0 => Place::Data,
                SHT_PROGBITS if alloc => Place::Constants,
                SHT_PROGBITS => Place::Outside,
                SHT_NOBITS if flags & SHF_WRITE != 0 => Place::Zeros,
                SHT_NOTE if alloc => Place::Notes,
                _ if !alloc => continue,
                _ => return None,
            };
            let size = s.sh_size(LE);
            // Marks for other systems' stacks are empty.
            if place == Place::Outside && size == 0 {
                continue;
            }
            let name = table.section_name(LE, s).ok()?;
            let contents = if place == Place::Zeros { &[][..] } else { s.data(LE, bytes).ok()? };
            let align = s.sh_addralign(LE).max(1);
            if !align.is_power_of_two() || align > super::shared::PAGE || size > MAX_OBJECT as u64 {
                return None;
            }
            out.sections.push(Section { index: index.0, name, place, bytes: contents, size, align });
        }
        out.read_symbols(&table, bytes)?;
        out.read_relocations(&table, bytes)?;
        Some(out)
    }

    fn read_symbols(&mut self, table: &read::elf::SectionTable<'o, FileHeader64<LE>>, bytes: &'o [u8]) -> Option<()> {
        let symbols = table.symbols(LE, bytes, SHT_SYMTAB).ok()?;
        for (index, s) in symbols.enumerate() {
            let s: &Sym64<LE> = s;
            let kind = s.st_type();
            let section = usize::from(s.st_shndx(LE));
            // What nobody defines, and what has no address in a section, is for a linker that knows more.
            if index.0 > 0 && kind != STT_FILE && (s.st_shndx(LE) == SHN_UNDEF || section >= table.len()) {
                return None;
            }
            let hidden = matches!(s.st_visibility(), STV_HIDDEN | STV_INTERNAL);
            self.symbols.push(Symbol {
                name: symbols.symbol_name(LE, s).ok()?,
                section,
                value: s.st_value(LE),
                size: s.st_size(LE),
                info: s.st_info(),
                other: s.st_other(),
                exported: index.0 > 0 && !s.is_local() && !hidden,
                nameless: index.0 == 0 || kind == STT_SECTION || kind == STT_FILE,
            });
        }
        Some(())
    }

    fn read_relocations(
        &mut self,
        table: &read::elf::SectionTable<'o, FileHeader64<LE>>,
        bytes: &'o [u8],
    ) -> Option<()> {
        for s in table.iter().filter(|s| s.sh_type(LE) == SHT_RELA) {
            let section = s.sh_info(LE) as usize;
            let Some(target) = self.sections.iter().find(|t| t.index == section) else { continue };
            let (loaded, size) = (target.place != Place::Outside, target.bytes.len() as u64);
            let list: &[Rela64<LE>] = s.data_as_array(LE, bytes).ok()?;
            for r in list {
                let (kind, width) = match r.r_type(LE, false) {
                    R_AMDGPU_NONE => continue,
                    R_AMDGPU_ABS64 => (Kind::Absolute64, 8),
                    R_AMDGPU_ABS32 if !loaded => (Kind::Absolute32, 4),
                    R_AMDGPU_REL64 => (Kind::Relative64, 8),
                    R_AMDGPU_REL32 | R_AMDGPU_REL32_LO => (Kind::RelativeLow, 4),
                    R_AMDGPU_REL32_HI => (Kind::RelativeHigh, 4),
                    _ => return None,
                };
                let (offset, symbol) = (r.r_offset(LE), r.r_sym(LE, false) as usize);
                if offset.checked_add(width)? > size || symbol == 0 || symbol >= self.symbols.len() {
                    return None;
                }
                self.relocations.push(Relocation { section, offset, kind, symbol, addend: r.r_addend(LE) });
            }
        }
        Some(())
    }
}
