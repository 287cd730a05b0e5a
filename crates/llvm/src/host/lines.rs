//! Source lines of machine code, from the line table of an object file (DWARF 4, section 6.2) that was made with
//! [`Options::debug_lines`](crate::Options).

use gimli::{AttributeValue, DebugLine, DebugLineOffset, EndianSlice, LittleEndian};
use object::LittleEndian as LE;
use object::elf::FileHeader64;
use object::read::elf::{FileHeader as _, SectionHeader as _};

/// Bytes of an address.
const ADDRESS: u8 = 8;

/// The contents of a section of an object file.
fn section<'d>(object: &'d [u8], name: &[u8]) -> Option<&'d [u8]> {
    let header = FileHeader64::<LE>::parse(object).ok()?;
    let sections = header.sections(LE, object).ok()?;
    let (_, found) = sections.section_by_name(LE, name)?;
    found.data(LE, object).ok()
}

/// The machine code of an object file, before anything is linked.
pub fn machine_code_of(object: &[u8]) -> Option<&[u8]> {
    section(object, b".text")
}

/// The file, as the user calls it, and the line that an instruction belongs to: the one at, or around, this offset in the
/// [machine code](machine_code_of). `None` where the table does not tell.
pub fn line_of(object: &[u8], offset: u64) -> Option<(String, u32)> {
    let table = DebugLine::new(section(object, b".debug_line")?, LittleEndian);
    let mut rows = table.program(DebugLineOffset(0), ADDRESS, None, None).ok()?.rows();
    let mut before: Option<(u64, String, u32)> = None;
    // What is not linked begins at 0.
    while let Ok(Some((header, row))) = rows.next_row() {
        if row.address() > offset {
            return before.map(|(_, file, line)| (file, line));
        }
        if row.end_sequence() {
            return None;
        }
        let Some(line) = row.line().and_then(|l| u32::try_from(l.get()).ok()) else { continue };
        let Some(AttributeValue::String(name)) = row.file(header).map(|f| f.path_name()) else { continue };
        let name: EndianSlice<'_, LittleEndian> = name;
        before = Some((row.address(), String::from_utf8_lossy(&name).into_owned(), line));
    }
    None
}
