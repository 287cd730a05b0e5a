//! Objects of kernels put into that of the host's compiler, as `ld -r` does it, without a process for it.
//!
//! The host's object keeps its bytes and the numbers of its sections; the sections of the kernels, the new tables of symbols,
//! names and sections follow behind. Local symbols of the kernels go behind the host's, so that the numbers of all global ones
//! move: relocations of the host are renumbered where they stand, and so are groups of sections, which name one. What one object
//! defines and another one lacks becomes one symbol (System V ABI, chapter 4, Object Files).
//!
//! Limits: ELF of 64 bits, little endian, fewer sections than need an index of their own; no groups among the kernels' sections,
//! no notes of properties, which are true of all of an object or of none of it. Else there is no result, and a linker is asked.
//! Cost: linear.

use object::LittleEndian as Le;
use object::elf;
use object::pod::{bytes_of, from_bytes, slice_from_bytes};
use std::collections::HashMap;

type Header = elf::FileHeader64<Le>;
type Section = elf::SectionHeader64<Le>;
type Symbol = elf::Sym64<Le>;
type Rela = elf::Rela64<Le>;

/// Which symbols have addresses that matter (LLVM, Extensions, `SHT_LLVM_ADDRSIG`).
const ADDRSIG: u32 = 0x6fff_4c03;
/// Strictest alignment of a section, in bytes.
const MAX_ALIGN: usize = 1 << 16;
const SYMBOL: u64 = size_of::<Symbol>() as u64;
const RELA: u64 = size_of::<Rela>() as u64;

/// An object that is read.
struct Input<'a> {
    bytes: &'a [u8],
    header: &'a Header,
    sections: &'a [Section],
    /// The section of its symbols.
    table: usize,
    symbols: &'a [Symbol],
    names: &'a [u8],
    section_names: &'a [u8],
}

/// A name in a table of names.
fn name(table: &[u8], at: u32) -> Option<&[u8]> {
    table.get(at as usize..)?.split(|&b| b == 0).next()
}

impl<'a> Input<'a> {
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let (header, _) = from_bytes::<Header>(bytes).ok()?;
        let ident = &header.e_ident;
        let plain = ident.magic == elf::ELFMAG && ident.class == elf::ELFCLASS64 && ident.data == elf::ELFDATA2LSB;
        if !plain || header.e_type.get(Le) != elf::ET_REL || header.e_shentsize.get(Le) as usize != size_of::<Section>()
        {
            return None;
        }
        let count = header.e_shnum.get(Le) as usize;
        let at = usize::try_from(header.e_shoff.get(Le)).ok()?;
        let (sections, _) = slice_from_bytes::<Section>(bytes.get(at..)?, count).ok()?;
        let kind = |s: &Section| s.sh_type.get(Le);
        let table = sections.iter().position(|s| kind(s) == elf::SHT_SYMTAB)?;
        if sections.iter().any(|s| kind(s) == elf::SHT_SYMTAB_SHNDX || kind(s) == elf::SHT_REL) {
            return None;
        }
        let mut new = Self { bytes, header, sections, table, symbols: &[], names: &[], section_names: &[] };
        let list = new.contents(&sections[table])?;
        (new.symbols, _) = slice_from_bytes::<Symbol>(list, list.len() / SYMBOL as usize).ok()?;
        new.names = new.contents(sections.get(sections[table].sh_link.get(Le) as usize)?)?;
        new.section_names = new.contents(sections.get(header.e_shstrndx.get(Le) as usize)?)?;
        Some(new)
    }

    fn contents(&self, s: &Section) -> Option<&'a [u8]> {
        if s.sh_type.get(Le) == elf::SHT_NOBITS {
            return Some(&[]);
        }
        let (at, size) = (usize::try_from(s.sh_offset.get(Le)).ok()?, usize::try_from(s.sh_size.get(Le)).ok()?);
        self.bytes.get(at..at.checked_add(size)?)
    }

    fn section_name(&self, s: &Section) -> Option<&'a [u8]> {
        name(self.section_names, s.sh_name.get(Le))
    }

    fn relocations(&self, s: &Section) -> Option<&'a [Rela]> {
        let list = self.contents(s)?;
        Some(slice_from_bytes::<Rela>(list, list.len() / RELA as usize).ok()?.0)
    }

    /// How many symbols are local: the first ones.
    fn locals(&self) -> usize {
        self.sections[self.table].sh_info.get(Le) as usize
    }

    /// Whether a section is one of the result.
    fn is_kept(&self, s: &Section) -> Option<bool> {
        let (kind, named) = (s.sh_type.get(Le), self.section_name(s)?);
        Some(match kind {
            elf::SHT_NULL | elf::SHT_SYMTAB | elf::SHT_STRTAB | elf::SHT_RELA | ADDRSIG => false,
            elf::SHT_GROUP => return None,
            _ => named != b".note.GNU-stack" && named != b".comment",
        })
    }
}

/// The object that is made.
struct Output {
    bytes: Vec<u8>,
    sections: Vec<Section>,
    locals: Vec<Symbol>,
    globals: Vec<Symbol>,
    names: Vec<u8>,
    section_names: Vec<u8>,
    /// Global symbols by their names.
    known: HashMap<Vec<u8>, usize>,
}

/// A kernel's symbol in the result.
#[derive(Clone, Copy)]
enum Place {
    Local(usize),
    Global(usize),
}

impl Output {
    /// Puts bytes behind all others; where they begin. `None` for an alignment that no section has.
    fn put(&mut self, bytes: &[u8], align: u64) -> Option<u64> {
        let align = usize::try_from(align.max(1)).ok().filter(|&a| a <= MAX_ALIGN)?;
        self.bytes.resize(self.bytes.len().next_multiple_of(align), 0);
        let at = self.bytes.len() as u64;
        self.bytes.extend_from_slice(bytes);
        Some(at)
    }

    fn named(table: &mut Vec<u8>, name: &[u8]) -> u32 {
        let at = table.len() as u32;
        table.extend_from_slice(name);
        table.push(0);
        at
    }

    /// Takes the sections of a kernel's object in; the numbers of them in the result, zero for those that are left out.
    fn take_sections(&mut self, k: &Input<'_>) -> Option<Vec<u16>> {
        let mut numbers = Vec::new();
        for s in k.sections {
            if !k.is_kept(s)? {
                numbers.push(0);
                continue;
            }
            // What is linked to another section, or in a group, is none of ours.
            if s.sh_link.get(Le) != 0 || s.sh_flags.get(Le) & u64::from(elf::SHF_GROUP) != 0 {
                return None;
            }
            let mut new = *s;
            new.sh_offset.set(Le, self.put(k.contents(s)?, s.sh_addralign.get(Le))?);
            new.sh_name.set(Le, Self::named(&mut self.section_names, k.section_name(s)?));
            numbers.push(u16::try_from(self.sections.len()).ok().filter(|&n| n < elf::SHN_LORESERVE - 64)?);
            self.sections.push(new);
        }
        Some(numbers)
    }

    /// Takes the symbols of a kernel's object in.
    fn take_symbols(&mut self, k: &Input<'_>, numbers: &[u16]) -> Option<Vec<Place>> {
        let mut places = Vec::new();
        for (i, s) in k.symbols.iter().enumerate() {
            let text = name(k.names, s.st_name.get(Le))?;
            let section = s.st_shndx.get(Le);
            let mut new = *s;
            if section != elf::SHN_UNDEF && section < elf::SHN_LORESERVE {
                new.st_shndx.set(Le, *numbers.get(section as usize)?);
            } else if section != elf::SHN_UNDEF && section != elf::SHN_ABS {
                return None;
            }
            if i < k.locals() {
                // The first one is none; that of the file says nothing that the host's does not.
                if i > 0 && s.st_info & 0xf != elf::STT_FILE {
                    new.st_name.set(Le, if text.is_empty() { 0 } else { Self::named(&mut self.names, text) });
                    places.push(Place::Local(self.locals.len()));
                    self.locals.push(new);
                } else {
                    places.push(Place::Local(0));
                }
                continue;
            }
            let place = match self.known.get(text) {
                Some(&at) => {
                    let here = &mut self.globals[at];
                    if section != elf::SHN_UNDEF {
                        if here.st_shndx.get(Le) != elf::SHN_UNDEF {
                            return None;
                        }
                        new.st_name = here.st_name;
                        *here = new;
                    }
                    at
                }
                None => {
                    new.st_name.set(Le, Self::named(&mut self.names, text));
                    self.globals.push(new);
                    self.known.insert(text.to_vec(), self.globals.len() - 1);
                    self.globals.len() - 1
                }
            };
            places.push(Place::Global(place));
        }
        Some(places)
    }

    /// Takes the relocations of a kernel's object in, whose symbols have these numbers.
    fn take_relocations(
        &mut self,
        k: &Input<'_>,
        numbers: &[u16],
        table: usize,
        symbol: &dyn Fn(u32) -> Option<u32>,
    ) -> Option<()> {
        for s in k.sections.iter().filter(|s| s.sh_type.get(Le) == elf::SHT_RELA) {
            let about = *numbers.get(s.sh_info.get(Le) as usize)?;
            if about == 0 {
                continue;
            }
            let mut list = Vec::new();
            for r in k.relocations(s)? {
                list.push(renumbered(r, symbol)?);
            }
            let bytes: Vec<u8> = list.iter().flat_map(|r| bytes_of(r).iter().copied()).collect();
            let mut new = *s;
            new.sh_offset.set(Le, self.put(&bytes, 8)?);
            new.sh_link.set(Le, table as u32);
            new.sh_info.set(Le, about.into());
            new.sh_name.set(Le, Self::named(&mut self.section_names, k.section_name(s)?));
            self.sections.push(new);
        }
        Some(())
    }
}

/// A relocation with its symbol's new number.
fn renumbered(r: &Rela, symbol: &dyn Fn(u32) -> Option<u32>) -> Option<Rela> {
    let info = r.r_info.get(Le);
    let mut new = *r;
    new.r_info.set(Le, u64::from(symbol((info >> 32) as u32)?) << 32 | info & 0xffff_ffff);
    Some(new)
}

/// The object of the host's compiler with those of kernels in it. `None` where a linker has to do that.
pub(super) fn joined(host: &[u8], kernels: &[Vec<u8>]) -> Option<Vec<u8>> {
    let h = Input::read(host)?;
    let is = |s: &Section, text: &[u8]| h.section_name(s) == Some(text);
    let stack = h.sections.iter().any(|s| is(s, b".note.GNU-stack"));
    if !stack || h.sections.iter().any(|s| is(s, b".note.gnu.property")) {
        return None;
    }
    let inputs: Vec<Input<'_>> = kernels.iter().map(|k| Input::read(k)).collect::<Option<_>>()?;
    let (locals, globals) = h.symbols.split_at_checked(h.locals())?;
    let mut known = HashMap::new();
    for (i, s) in globals.iter().enumerate() {
        known.insert(name(h.names, s.st_name.get(Le))?.to_vec(), i);
    }
    let mut out = Output {
        bytes: host.to_vec(),
        sections: h.sections.to_vec(),
        locals: locals.to_vec(),
        globals: globals.to_vec(),
        names: h.names.to_vec(),
        section_names: h.section_names.to_vec(),
        known,
    };
    let mut taken = Vec::new();
    for k in &inputs {
        if k.header.e_machine.get(Le) != h.header.e_machine.get(Le) {
            return None;
        }
        let numbers = out.take_sections(k)?;
        let places = out.take_symbols(k, &numbers)?;
        taken.push((k, numbers, places));
    }
    let all_locals = out.locals.len();
    for (k, numbers, places) in taken {
        let symbol = |n: u32| {
            Some(match *places.get(n as usize)? {
                Place::Local(at) => at as u32,
                Place::Global(at) => (all_locals + at) as u32,
            })
        };
        out.take_relocations(k, &numbers, h.table, &symbol)?;
    }
    renumber(&h, &mut out)?;
    finished(&h, out)
}

/// Gives the host's relocations and groups the new numbers of its global symbols.
fn renumber(h: &Input<'_>, out: &mut Output) -> Option<()> {
    let more = (out.locals.len() - h.locals()) as u32;
    let moved = |n: u32| Some(if (n as usize) < h.locals() { n } else { n + more });
    for (i, s) in h.sections.iter().enumerate() {
        match s.sh_type.get(Le) {
            elf::SHT_RELA => {
                let at = usize::try_from(s.sh_offset.get(Le)).ok()?;
                for (n, r) in h.relocations(s)?.iter().enumerate() {
                    let at = at + n * RELA as usize;
                    out.bytes[at..at + RELA as usize].copy_from_slice(bytes_of(&renumbered(r, &moved)?));
                }
            }
            elf::SHT_GROUP => out.sections[i].sh_info.set(Le, moved(s.sh_info.get(Le))?),
            // It has numbers of symbols in it, and linkers do without.
            ADDRSIG => out.sections[i].sh_type.set(Le, elf::SHT_NULL),
            _ => {}
        }
    }
    Some(())
}

/// Puts the tables behind the sections.
fn finished(h: &Input<'_>, mut out: Output) -> Option<Vec<u8>> {
    let (locals, globals) = (std::mem::take(&mut out.locals), std::mem::take(&mut out.globals));
    let symbols: Vec<u8> = locals.iter().chain(&globals).flat_map(|s| bytes_of(s).iter().copied()).collect();
    let of_names = h.sections[h.table].sh_link.get(Le) as usize;
    let mut of_sections = h.header.e_shstrndx.get(Le) as usize;
    if of_sections == of_names {
        // From here on there are two tables.
        of_sections = out.sections.len();
        out.sections.push(h.sections[of_names]);
    }
    let (names, section_names) = (std::mem::take(&mut out.names), std::mem::take(&mut out.section_names));
    out.sections[h.table].sh_info.set(Le, locals.len() as u32);
    for (section, bytes, align) in [(h.table, symbols, 8), (of_names, names, 1), (of_sections, section_names, 1)] {
        let at = out.put(&bytes, align)?;
        out.sections[section].sh_offset.set(Le, at);
        out.sections[section].sh_size.set(Le, bytes.len() as u64);
    }
    let table: Vec<u8> = out.sections.iter().flat_map(|s| bytes_of(s).iter().copied()).collect();
    let mut header = *h.header;
    header.e_shoff.set(Le, out.put(&table, 8)?);
    header.e_shnum.set(Le, out.sections.len() as u16);
    header.e_shstrndx.set(Le, of_sections as u16);
    out.bytes[..size_of::<Header>()].copy_from_slice(bytes_of(&header));
    Some(out.bytes)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::joined;
    use std::path::Path;
    use std::process::Command;

    /// What the host's compiler makes of a text.
    fn object(folder: &Path, text: &str, options: &[&str]) -> Vec<u8> {
        let (source, object) = (folder.join("s.c"), folder.join("s.o"));
        std::fs::write(&source, text).expect("a file");
        let mut c = Command::new("cc");
        let made = c.args(["-c", "-fcf-protection=none"]).args(options).arg(&source).arg("-o").arg(&object).status();
        assert!(made.expect("a compiler").success());
        std::fs::read(object).expect("an object")
    }

    const HOST: &str = "int kernel(int); int twice(int x) { return 2 * x; } static int mine = 5; int *also = &mine;\n\
                        inline int shared(int x) { return x + *also; } extern inline int shared(int);\n\
                        int main(void) { return kernel(mine) == 2 * 5 + 100 + 7 && shared(1) == 6 ? 0 : 1; }";
    const KERNEL: &str = "int twice(int); static const int table[] = { 100, 200 }; static int mine = 7;\n\
                          const int *const where[] = { &table[1], &table[0] }; static int own(void) { return mine; }\n\
                          int kernel(int x) { return twice(x) + *where[1] + own(); }";

    /// Symbols of one name that both have for themselves stay apart; what one lacks is the other's.
    #[test]
    fn an_object_with_kernels_in_it_links_and_runs() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = folder.path();
        for options in [&["-g", "-O0"][..], &["-O2", "-ffunction-sections", "-fdata-sections"], &["-O1", "-fPIC"]] {
            let kernel = object(at, KERNEL, options);
            let all = joined(&object(at, HOST, options), &[kernel]).expect("an object");
            std::fs::write(at.join("all.o"), all).expect("a file");
            let linked = Command::new("cc").arg(at.join("all.o")).arg("-o").arg(at.join("program")).status();
            assert!(linked.expect("a linker").success(), "{options:?}");
            assert!(Command::new(at.join("program")).status().expect("a program").success(), "{options:?}");
        }
    }

    #[test]
    fn broken_objects_are_left_to_the_linker() {
        let folder = tempfile::tempdir().expect("a folder");
        let (host, kernel) = (object(folder.path(), HOST, &["-O1"]), object(folder.path(), KERNEL, &["-O1"]));
        assert!(joined(&host, &[b"no object".to_vec()]).is_none());
        assert!(joined(&host, &[kernel.clone(), kernel.clone()]).is_none(), "`kernel` is there twice");
        for n in (0..host.len()).step_by(7) {
            let _ = joined(&host[..n], std::slice::from_ref(&kernel));
            for to in [0, 0x7f, 0xff] {
                let (mut wrong_host, mut wrong_kernel) = (host.clone(), kernel.clone());
                wrong_host[n] = to;
                let at = n % kernel.len();
                wrong_kernel[at] = to;
                let _ = joined(&wrong_host, std::slice::from_ref(&kernel));
                let _ = joined(&host, &[wrong_kernel]);
            }
        }
    }
}
