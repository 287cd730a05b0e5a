//! The notes of a code object: what loaders and `explain` want to know of its kernels.
//!
//! LLVM's "User Guide for AMDGPU Backend", code object metadata of versions 3 to 6: a note `NT_AMDGPU_METADATA` of the
//! name `AMDGPU` whose contents are a MessagePack map.

use super::notes_msgpack::{self as msgpack, Value};
use object::elf::{FileHeader64, PT_NOTE, SHT_NOTE};
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader};
use object::{Endianness, ReadRef};

/// What the notes say.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Notes {
    /// `amdhsa.target`: triple, GPU and settings.
    pub target: String,
    /// `amdhsa.version`: 1, 1 for version 4 of code objects, 1, 2 from version 5 on.
    pub version: (u64, u64),
    /// The kernels in the order of the notes.
    pub kernels: Vec<KernelNote>,
}

/// What is said of a kernel.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct KernelNote {
    /// Its name.
    pub name: String,
    /// The symbol of its descriptor.
    pub symbol: String,
    /// Its language, e.g. `OpenCL C`; empty if unknown.
    pub language: String,
    /// Its arguments, then the hidden ones.
    pub args: Vec<ArgumentNote>,
    /// Bytes of all arguments.
    pub kernarg_segment_size: u64,
    /// Bytes of local data share, without what a launch adds.
    pub group_segment_fixed_size: u64,
    /// Bytes of scratch memory of a work-item.
    pub private_segment_fixed_size: u64,
    /// Lanes of a wave.
    pub wavefront_size: u64,
    /// Scalar registers.
    pub sgpr_count: u64,
    /// Vector registers, accumulation registers included where they share a file.
    pub vgpr_count: u64,
    /// Accumulation registers.
    pub agpr_count: u64,
    /// Scalar registers that were spilled.
    pub sgpr_spill_count: u64,
    /// Vector registers that were spilled.
    pub vgpr_spill_count: u64,
    /// Most work-items of a group.
    pub max_flat_workgroup_size: u64,
    /// `reqd_work_group_size`.
    pub reqd_workgroup_size: Option<[u64; 3]>,
    /// Whether the size of the stack is not known.
    pub uses_dynamic_stack: bool,
}

/// What is said of an argument.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ArgumentNote {
    /// Its name; empty for hidden ones.
    pub name: String,
    /// Its type as the source spells it; empty for hidden ones.
    pub type_name: String,
    /// What it is: `by_value`, `global_buffer`, `dynamic_shared_pointer`, `hidden_block_count_x` and so on.
    pub value_kind: String,
    /// Bytes from the beginning of the arguments.
    pub offset: u64,
    /// Its bytes.
    pub size: u64,
}

/// Why there are no notes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotesError {
    /// Not an ELF file of 64 bits.
    #[error("it is no ELF file of 64 bits")]
    NoElf,
    /// There is no such note.
    #[error("it has no note with metadata of an AMD code object")]
    NoNote,
    /// The note is not what the format says.
    #[error("its note is damaged")]
    Damaged,
}

/// `NT_AMDGPU_METADATA`
const NT_AMDGPU_METADATA: u32 = 32;

/// Reads the notes of a relocatable or linked code object.
///
/// # Errors
/// It is none.
pub fn read_notes(elf: &[u8]) -> Result<Notes, NotesError> {
    let header = FileHeader64::<Endianness>::parse(elf).map_err(|_| NotesError::NoElf)?;
    let endian = header.endian().map_err(|_| NotesError::NoElf)?;
    let sections = header.section_headers(endian, elf).unwrap_or_default();
    let by_section = sections
        .iter()
        .filter(|s| s.sh_type(endian) == SHT_NOTE)
        .filter_map(|s| elf.read_bytes_at(s.sh_offset(endian), s.sh_size(endian)).ok());
    let segments = header.program_headers(endian, elf).unwrap_or_default();
    let by_segment = segments
        .iter()
        .filter(|s| s.p_type(endian) == PT_NOTE)
        .filter_map(|s| elf.read_bytes_at(s.p_offset(endian), s.p_filesz(endian)).ok());
    let found = by_section.chain(by_segment).find_map(metadata).ok_or(NotesError::NoNote)?;
    let root = msgpack::read(found).ok_or(NotesError::Damaged)?;
    let version: Vec<u64> =
        root.get("amdhsa.version").map(Value::list).unwrap_or_default().iter().filter_map(Value::number).collect();
    Ok(Notes {
        target: text(&root, "amdhsa.target"),
        version: (version.first().copied().unwrap_or(0), version.get(1).copied().unwrap_or(0)),
        kernels: root.get("amdhsa.kernels").map(Value::list).unwrap_or_default().iter().map(kernel).collect(),
    })
}

/// The contents of the metadata among notes.
fn metadata(mut notes: &[u8]) -> Option<&[u8]> {
    let word = |bytes: &[u8], at: usize| {
        let four = bytes.get(at..at + 4)?;
        Some(u32::from_le_bytes(four.try_into().ok()?))
    };
    loop {
        let (name_size, size) = (word(notes, 0)? as usize, word(notes, 4)? as usize);
        let kind = word(notes, 8)?;
        let name = notes.get(12..)?.get(..name_size)?;
        let start = 12usize.checked_add(name_size)?.checked_next_multiple_of(4)?;
        let contents = notes.get(start..)?.get(..size)?;
        if kind == NT_AMDGPU_METADATA && name == b"AMDGPU\0" {
            return Some(contents);
        }
        notes = notes.get(start.checked_add(size)?.checked_next_multiple_of(4)?..)?;
    }
}

fn text(v: &Value, key: &str) -> String {
    v.get(key).and_then(Value::text).unwrap_or_default().to_owned()
}

fn kernel(v: &Value) -> KernelNote {
    let number = |key: &str| v.get(key).and_then(Value::number).unwrap_or_default();
    let required: Vec<u64> =
        v.get(".reqd_workgroup_size").map(Value::list).unwrap_or_default().iter().filter_map(Value::number).collect();
    KernelNote {
        name: text(v, ".name"),
        symbol: text(v, ".symbol"),
        language: text(v, ".language"),
        args: v.get(".args").map(Value::list).unwrap_or_default().iter().map(argument).collect(),
        kernarg_segment_size: number(".kernarg_segment_size"),
        group_segment_fixed_size: number(".group_segment_fixed_size"),
        private_segment_fixed_size: number(".private_segment_fixed_size"),
        wavefront_size: number(".wavefront_size"),
        sgpr_count: number(".sgpr_count"),
        vgpr_count: number(".vgpr_count"),
        agpr_count: number(".agpr_count"),
        sgpr_spill_count: number(".sgpr_spill_count"),
        vgpr_spill_count: number(".vgpr_spill_count"),
        max_flat_workgroup_size: number(".max_flat_workgroup_size"),
        reqd_workgroup_size: <[u64; 3]>::try_from(required).ok(),
        uses_dynamic_stack: v.get(".uses_dynamic_stack") == Some(&Value::Bool(true)),
    }
}

fn argument(v: &Value) -> ArgumentNote {
    let number = |key: &str| v.get(key).and_then(Value::number).unwrap_or_default();
    ArgumentNote {
        name: text(v, ".name"),
        type_name: text(v, ".type_name"),
        value_kind: text(v, ".value_kind"),
        offset: number(".offset"),
        size: number(".size"),
    }
}
