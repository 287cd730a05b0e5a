//! The code object: a shared library of one relocatable object.
//!
//! Three parts are loaded, each on pages of its own: what is read (notes, tables of symbols, constants), code, and what is
//! written. Symbols are bound here: those of code objects are protected, and the descriptors of kernels, which are not, are
//! referred to by nobody. Addresses in data are the loader's to add to (`R_AMDGPU_RELATIVE64`).

use super::object::{Kind, Object, Place, R_AMDGPU_RELATIVE64, Section};
use object::elf::{
    DT_GNU_HASH, DT_HASH, DT_NULL, DT_RELA, DT_RELACOUNT, DT_RELAENT, DT_RELASZ, DT_STRSZ, DT_STRTAB, DT_SYMENT,
    DT_SYMTAB, EM_AMDGPU, ET_DYN, PF_R, PF_W, PF_X, PT_DYNAMIC, PT_GNU_STACK, PT_LOAD, PT_NOTE, PT_PHDR, SHF_ALLOC,
    SHF_EXECINSTR, SHF_WRITE, SHT_DYNAMIC, SHT_DYNSYM, SHT_GNU_HASH, SHT_HASH, SHT_NOBITS, SHT_NOTE, SHT_PROGBITS,
    SHT_RELA, SHT_STRTAB, SHT_SYMTAB,
};

/// Pages that parts do not share.
pub(super) const PAGE: u64 = 4096;
const HEADER: u64 = 64;
const PROGRAM_HEADER: u64 = 56;
const SYMBOL: u64 = 24;
const RELA: u64 = 24;

/// A section of the code object.
struct Out {
    name: Vec<u8>,
    kind: u32,
    flags: u32,
    align: u64,
    bytes: Vec<u8>,
    /// Bytes in memory, more than there are of zeros.
    size: u64,
    address: u64,
    offset: u64,
    link: u32,
    info: u32,
    entry: u64,
    /// The section of the object that it is.
    from: Option<usize>,
}

impl Out {
    fn new(name: &[u8], kind: u32, flags: u32, align: u64, bytes: Vec<u8>) -> Self {
        let size = bytes.len() as u64;
        let name = name.to_vec();
        Self { name, kind, flags, align, bytes, size, address: 0, offset: 0, link: 0, info: 0, entry: 0, from: None }
    }

    fn of(s: &Section<'_>) -> Self {
        let (kind, flags) = match s.place {
            Place::Notes => (SHT_NOTE, SHF_ALLOC),
            Place::Constants => (SHT_PROGBITS, SHF_ALLOC),
            Place::Code => (SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR),
            Place::Data => (SHT_PROGBITS, SHF_ALLOC | SHF_WRITE),
            Place::Zeros => (SHT_NOBITS, SHF_ALLOC | SHF_WRITE),
            Place::Outside => (SHT_PROGBITS, 0),
        };
        Self { size: s.size, from: Some(s.index), ..Self::new(s.name, kind, flags, s.align, s.bytes.to_vec()) }
    }

    fn end(&self) -> u64 {
        self.address + self.size
    }
}

/// A part that is loaded.
struct Part {
    sections: std::ops::Range<usize>,
    flags: u32,
}

/// Links an object; `None` if there is something in it that this linker does not know.
pub(super) fn link(object: &[u8]) -> Option<Vec<u8>> {
    let o = Object::read(object)?;
    let mut exported: Vec<usize> = (0..o.symbols.len()).filter(|&n| o.symbols[n].exported).collect();
    let buckets = (exported.len() as u32 / 4).max(1);
    exported.sort_by_key(|&n| (gnu_hash(o.symbols[n].name) % buckets, n));
    let absolute =
        |r: &&super::object::Relocation| r.kind == Kind::Absolute64 && place_of(&o, r.section) != Some(Place::Outside);
    let relatives = o.relocations.iter().filter(absolute).count() as u64;

    let mut sections = tables(&o, &exported, buckets, relatives);
    let tables_end = sections.len();
    let mut parts = Vec::new();
    let take = |places: &[Place], sections: &mut Vec<Out>| {
        for p in places {
            sections.extend(o.sections.iter().filter(|s| s.place == *p).map(Out::of));
        }
    };
    take(&[Place::Notes, Place::Constants], &mut sections);
    // Notes stand first, as the field has it.
    let notes = sections[tables_end..].iter().filter(|s| s.kind == SHT_NOTE).count();
    sections[..tables_end + notes].rotate_left(tables_end);
    parts.push(Part { sections: 0..sections.len(), flags: PF_R });
    let from = sections.len();
    take(&[Place::Code], &mut sections);
    parts.push(Part { sections: from..sections.len(), flags: PF_R | PF_X });
    let from = sections.len();
    let entries = if relatives > 0 { 11 } else { 7 };
    sections.push(Out::new(b".dynamic", SHT_DYNAMIC, SHF_ALLOC | SHF_WRITE, 8, vec![0; entries * 16]));
    take(&[Place::Data, Place::Zeros], &mut sections);
    parts.push(Part { sections: from..sections.len(), flags: PF_R | PF_W });
    let loaded = sections.len();
    take(&[Place::Outside], &mut sections);

    let headers = HEADER + PROGRAM_HEADER * (parts.len() as u64 + 4);
    let file_end = lay_out(&mut sections, &parts, headers)?;
    let layout = Layout { o: &o, sections: &sections };
    let (dynsym, symtab) = (layout.symbols(&exported)?, layout.all_symbols()?);
    let relocated = layout.relocate()?;
    let dynamic = layout.dynamic(relatives);
    for (n, bytes) in relocated.changed {
        sections[n].bytes = bytes;
    }
    for s in &mut sections {
        match s.name.as_slice() {
            b".dynsym" => s.bytes.clone_from(&dynsym),
            b".rela.dyn" => s.bytes.clone_from(&relocated.relatives),
            b".dynamic" => s.bytes.clone_from(&dynamic),
            _ => {}
        }
    }
    number_links(&mut sections);
    Some(File { o: &o, sections, parts, loaded, file_end, symtab }.write())
}

fn place_of(o: &Object<'_>, section: usize) -> Option<Place> {
    o.sections.iter().find(|s| s.index == section).map(|s| s.place)
}

/// The tables that loaders read, of the right sizes.
fn tables(o: &Object<'_>, exported: &[usize], buckets: u32, relatives: u64) -> Vec<Out> {
    let mut names = vec![0u8];
    for &n in exported {
        names.extend_from_slice(o.symbols[n].name);
        names.push(0);
    }
    let table = |name: &[u8], kind, align, bytes, entry| Out { entry, ..Out::new(name, kind, SHF_ALLOC, align, bytes) };
    let count = exported.len() as u64 + 1;
    let mut out = vec![
        table(b".dynsym", SHT_DYNSYM, 8, vec![0; (count * SYMBOL) as usize], SYMBOL),
        table(b".gnu.hash", SHT_GNU_HASH, 8, gnu_hash_table(o, exported, buckets), 0),
        table(b".hash", SHT_HASH, 4, hash_table(o, exported), 4),
        table(b".dynstr", SHT_STRTAB, 1, names, 0),
    ];
    if relatives > 0 {
        out.push(table(b".rela.dyn", SHT_RELA, 8, vec![0; (relatives * RELA) as usize], RELA));
    }
    out
}

/// Gives every section its place; the end of what has been placed in the file.
fn lay_out(sections: &mut [Out], parts: &[Part], headers: u64) -> Option<u64> {
    let (mut offset, mut address) = (headers, headers);
    for (n, part) in parts.iter().enumerate() {
        let list = &mut sections[part.sections.clone()];
        let align = list.iter().map(|s| s.align).max().unwrap_or(1);
        offset = offset.next_multiple_of(align);
        // The same place within a page, on a page of its own; the first part lies as it does in the file.
        address = if n == 0 { offset } else { address.next_multiple_of(PAGE) + offset % PAGE };
        for s in list {
            let pad = address.next_multiple_of(s.align) - address;
            address += pad;
            // What is zero takes no place in the file, and nothing follows it there.
            if s.kind != SHT_NOBITS {
                offset += pad;
            }
            (s.offset, s.address) = (offset, address);
            offset += s.bytes.len() as u64;
            address = address.checked_add(s.size)?;
        }
    }
    let loaded = parts.last().map_or(0, |p| p.sections.end);
    for s in &mut sections[loaded..] {
        offset = offset.next_multiple_of(s.align);
        s.offset = offset;
        offset += s.bytes.len() as u64;
    }
    Some(offset)
}

/// Sections refer to each other by number.
fn number_links(sections: &mut [Out]) {
    let number = |name: &[u8]| sections.iter().position(|s| s.name == name).map_or(0, |n| n as u32 + 1);
    let (symbols, names) = (number(b".dynsym"), number(b".dynstr"));
    for s in sections.iter_mut() {
        (s.link, s.info) = match s.kind {
            SHT_DYNSYM => (names, 1),
            SHT_GNU_HASH | SHT_HASH | SHT_RELA => (symbols, 0),
            SHT_DYNAMIC => (names, 0),
            _ => (0, 0),
        };
        if s.kind == SHT_DYNAMIC {
            s.entry = 16;
        }
    }
}

/// Where everything is.
struct Layout<'l, 'o> {
    o: &'l Object<'o>,
    sections: &'l [Out],
}

/// What relocating changed.
struct Relocated {
    /// Sections, by their place, with their new contents.
    changed: Vec<(usize, Vec<u8>)>,
    relatives: Vec<u8>,
}

impl Layout<'_, '_> {
    fn position(&self, section: usize) -> Option<usize> {
        self.sections.iter().position(|s| s.from == Some(section))
    }

    fn address(&self, symbol: usize) -> Option<u64> {
        let s = &self.o.symbols[symbol];
        Some(self.sections[self.position(s.section)?].address.wrapping_add(s.value))
    }

    fn table(&self, name: &[u8]) -> &Out {
        let found = self.sections.iter().find(|s| s.name == name);
        found.unwrap_or(&self.sections[0])
    }

    /// The entry of a symbol whose name stands at `name`.
    fn entry(&self, out: &mut Vec<u8>, symbol: usize, name: u32) -> Option<()> {
        let s = &self.o.symbols[symbol];
        out.extend(name.to_le_bytes());
        out.extend([s.info, s.other]);
        out.extend((self.position(s.section)? as u16 + 1).to_le_bytes());
        out.extend(self.address(symbol)?.to_le_bytes());
        out.extend(s.size.to_le_bytes());
        Some(())
    }

    fn symbols(&self, exported: &[usize]) -> Option<Vec<u8>> {
        let (mut out, mut name) = (vec![0; SYMBOL as usize], 1);
        for &n in exported {
            self.entry(&mut out, n, name)?;
            name += self.o.symbols[n].name.len() as u32 + 1;
        }
        Some(out)
    }

    /// All symbols with names, the local ones first, with their number, and the names.
    fn all_symbols(&self) -> Option<(Vec<u8>, u32, Vec<u8>)> {
        let (mut out, mut names, mut local) = (vec![0; SYMBOL as usize], vec![0u8], 1);
        for want_local in [true, false] {
            for (n, s) in self.o.symbols.iter().enumerate() {
                let is_local = s.info >> 4 == 0;
                if s.nameless || is_local != want_local {
                    continue;
                }
                self.entry(&mut out, n, names.len() as u32)?;
                names.extend_from_slice(s.name);
                names.push(0);
                local += u32::from(is_local);
            }
        }
        Some((out, local, names))
    }

    fn relocate(&self) -> Option<Relocated> {
        let mut changed: Vec<(usize, Vec<u8>)> = Vec::new();
        let mut relatives = Vec::new();
        for r in &self.o.relocations {
            let n = self.position(r.section)?;
            let at = match changed.iter().position(|(k, _)| *k == n) {
                Some(at) => at,
                None => {
                    changed.push((n, self.sections[n].bytes.clone()));
                    changed.len() - 1
                }
            };
            let place = self.sections[n].address.wrapping_add(r.offset);
            let target = self.address(r.symbol)?.wrapping_add_signed(r.addend);
            let distance = target.wrapping_sub(place);
            let loaded = self.sections[n].flags & SHF_ALLOC != 0;
            let (value, width) = match r.kind {
                Kind::Absolute64 if loaded => {
                    relatives.extend(place.to_le_bytes());
                    relatives.extend(u64::from(R_AMDGPU_RELATIVE64).to_le_bytes());
                    relatives.extend(target.to_le_bytes());
                    continue;
                }
                Kind::Absolute64 => (target, 8),
                Kind::Absolute32 => (target, 4),
                Kind::Relative64 => (distance, 8),
                Kind::RelativeLow => (distance, 4),
                Kind::RelativeHigh => (distance >> 32, 4),
            };
            let from = usize::try_from(r.offset).ok()?;
            changed[at].1.get_mut(from..from + width)?.copy_from_slice(&value.to_le_bytes()[..width]);
        }
        Some(Relocated { changed, relatives })
    }

    fn dynamic(&self, relatives: u64) -> Vec<u8> {
        let at = |name: &[u8]| self.table(name).address;
        let mut entries = Vec::new();
        if relatives > 0 {
            entries.extend([
                (DT_RELA, at(b".rela.dyn")),
                (DT_RELASZ, relatives * RELA),
                (DT_RELAENT, RELA),
                (DT_RELACOUNT, relatives),
            ]);
        }
        entries.extend([
            (DT_SYMTAB, at(b".dynsym")),
            (DT_SYMENT, SYMBOL),
            (DT_STRTAB, at(b".dynstr")),
            (DT_STRSZ, self.table(b".dynstr").size),
            (DT_GNU_HASH, at(b".gnu.hash")),
            (DT_HASH, at(b".hash")),
            (DT_NULL, 0),
        ]);
        entries
            .iter()
            .flat_map(|&(tag, value)| [u64::from(tag as u32).to_le_bytes(), value.to_le_bytes()])
            .flatten()
            .collect()
    }
}

/// The hash function of ELF's own tables.
fn elf_hash(name: &[u8]) -> u32 {
    name.iter().fold(0u32, |h, &c| {
        let h = (h << 4).wrapping_add(u32::from(c));
        let g = h & 0xf000_0000;
        (h ^ (g >> 24)) & !g
    })
}

/// That of GNU's.
fn gnu_hash(name: &[u8]) -> u32 {
    name.iter().fold(5381u32, |h, &c| h.wrapping_mul(33).wrapping_add(u32::from(c)))
}

/// System V's table: a chain of symbols for each bucket.
fn hash_table(o: &Object<'_>, exported: &[usize]) -> Vec<u8> {
    let count = exported.len() as u32 + 1;
    let mut buckets = vec![0u32; count as usize];
    let mut chains = vec![0u32; count as usize];
    for (i, &n) in exported.iter().enumerate() {
        let bucket = (elf_hash(o.symbols[n].name) % count) as usize;
        chains[i + 1] = buckets[bucket];
        buckets[bucket] = i as u32 + 1;
    }
    [count, count].into_iter().chain(buckets).chain(chains).flat_map(u32::to_le_bytes).collect()
}

/// GNU's table: a filter of one word that everything passes, and the hashes of the symbols, which are sorted by bucket.
fn gnu_hash_table(o: &Object<'_>, exported: &[usize], buckets: u32) -> Vec<u8> {
    let hashes: Vec<u32> = exported.iter().map(|&n| gnu_hash(o.symbols[n].name)).collect();
    let mut first = vec![0u32; buckets as usize];
    let mut chain = Vec::with_capacity(hashes.len());
    for (i, &h) in hashes.iter().enumerate() {
        let bucket = h % buckets;
        if first[bucket as usize] == 0 {
            first[bucket as usize] = i as u32 + 1;
        }
        let last = hashes.get(i + 1).is_none_or(|next| next % buckets != bucket);
        chain.push(h & !1 | u32::from(last));
    }
    let mut out: Vec<u8> = [buckets, 1, 1, 0].into_iter().flat_map(u32::to_le_bytes).collect();
    out.extend(u64::MAX.to_le_bytes());
    out.extend(first.into_iter().chain(chain).flat_map(u32::to_le_bytes));
    out
}

/// All that is written.
struct File<'l, 'o> {
    o: &'l Object<'o>,
    sections: Vec<Out>,
    parts: Vec<Part>,
    /// Sections that are loaded.
    loaded: usize,
    file_end: u64,
    /// All symbols, the number of local ones, their names.
    symtab: (Vec<u8>, u32, Vec<u8>),
}

impl File<'_, '_> {
    fn write(mut self) -> Vec<u8> {
        let programs = self.program_headers();
        let (symbols, local, names) = std::mem::take(&mut self.symtab);
        let strtab = self.sections.len() as u32 + 2;
        let mut symtab = Out::new(b".symtab", SHT_SYMTAB, 0, 8, symbols);
        (symtab.link, symtab.info, symtab.entry) = (strtab, local, SYMBOL);
        self.sections.push(symtab);
        self.sections.push(Out::new(b".strtab", SHT_STRTAB, 0, 1, names));
        let mut words = vec![0u8];
        let mut at: Vec<u32> = Vec::new();
        for s in self.sections.iter().map(|s| s.name.as_slice()).chain([&b".shstrtab"[..]]) {
            at.push(words.len() as u32);
            words.extend_from_slice(s);
            words.push(0);
        }
        self.sections.push(Out::new(b".shstrtab", SHT_STRTAB, 0, 1, words));
        let first = self.sections.len() - 3;
        let mut end = self.file_end;
        for s in &mut self.sections[first..] {
            end = end.next_multiple_of(s.align);
            s.offset = end;
            end += s.size;
        }
        let table = end.next_multiple_of(8);

        let mut out = vec![0u8; table as usize];
        out[..64].copy_from_slice(&self.header(table, programs.len() as u16));
        for (n, p) in programs.iter().enumerate() {
            let from = (HEADER + n as u64 * PROGRAM_HEADER) as usize;
            out[from..from + p.len()].copy_from_slice(p);
        }
        for s in self.sections.iter().filter(|s| s.kind != SHT_NOBITS) {
            let from = s.offset as usize;
            out[from..from + s.bytes.len()].copy_from_slice(&s.bytes);
        }
        out.extend([0; 64]);
        for (s, name) in self.sections.iter().zip(at) {
            out.extend(name.to_le_bytes());
            out.extend(s.kind.to_le_bytes());
            for n in [u64::from(s.flags), s.address, s.offset, s.size] {
                out.extend(n.to_le_bytes());
            }
            out.extend(s.link.to_le_bytes());
            out.extend(s.info.to_le_bytes());
            out.extend(s.align.to_le_bytes());
            out.extend(s.entry.to_le_bytes());
        }
        out
    }

    fn header(&self, table: u64, programs: u16) -> [u8; 64] {
        let mut h = [0u8; 64];
        h[..16].copy_from_slice(&self.o.ident);
        let mut put = |at: usize, bytes: &[u8]| h[at..at + bytes.len()].copy_from_slice(bytes);
        put(16, &ET_DYN.to_le_bytes());
        put(18, &EM_AMDGPU.to_le_bytes());
        put(20, &1u32.to_le_bytes());
        put(32, &HEADER.to_le_bytes());
        put(40, &table.to_le_bytes());
        put(48, &self.o.flags.to_le_bytes());
        let sections = self.sections.len() as u16 + 1;
        for (n, v) in [64, PROGRAM_HEADER as u16, programs, 64, sections, sections - 1].into_iter().enumerate() {
            put(52 + 2 * n, &v.to_le_bytes());
        }
        h
    }

    fn program_headers(&self) -> Vec<Vec<u8>> {
        let header = |kind: u32, flags: u32, [offset, address, file, memory, align]: [u64; 5]| {
            let mut out = Vec::new();
            out.extend(kind.to_le_bytes());
            out.extend(flags.to_le_bytes());
            out.extend([offset, address, address, file, memory, align].into_iter().flat_map(u64::to_le_bytes));
            out
        };
        let size = PROGRAM_HEADER * (self.parts.len() as u64 + 4);
        let mut out = vec![header(PT_PHDR, PF_R, [HEADER, HEADER, size, size, 8])];
        for (n, part) in self.parts.iter().enumerate() {
            let list = &self.sections[part.sections.clone()];
            // The headers are loaded with the first part.
            let (offset, address) = match (n, list.first()) {
                (0, _) | (_, None) => (0, 0),
                (_, Some(s)) => (s.offset, s.address),
            };
            let stored =
                list.iter().filter(|s| s.kind != SHT_NOBITS).map(|s| s.offset + s.size).max().unwrap_or(offset);
            let end = list.iter().map(Out::end).max().unwrap_or(address);
            out.push(header(PT_LOAD, part.flags, [offset, address, stored - offset, end - address, PAGE]));
        }
        let whole = |s: &Out| [s.offset, s.address, s.size, s.size, s.align];
        let find = |kind: u32| self.sections[..self.loaded].iter().find(|s| s.kind == kind);
        let dynamic = find(SHT_DYNAMIC).map_or([0; 5], whole);
        out.push(header(PT_DYNAMIC, PF_R | PF_W, dynamic));
        out.push(header(PT_GNU_STACK, PF_R | PF_W, [0; 5]));
        out.push(header(PT_NOTE, PF_R, find(SHT_NOTE).map_or([0; 5], whole)));
        out
    }
}
