//! Where the members of a class lie.

use crate::check::Checker;
use crate::types::{BitField, MAX_EMPTIES, RecordId, TyId, TypeTable};
use rustc_hash::FxHashSet;
use syntax::ast;

/// The running state of a record's layout, as the Itanium ABI lays C++ out and C's rules agree.
pub(super) struct Layout {
    pub(super) offset: u64,
    pub(super) align: u32,
    is_union: bool,
    union_size: u64,
    /// What `#pragma pack` leaves of any alignment.
    pack: Option<u32>,
    /// Whether `__attribute__((packed))` takes those of the members' types away.
    packed: bool,
    min_align: u32,
    /// Bits used in the current run of bit-fields, counted from the start of the record.
    bit: Option<u64>,
    /// The end of what reaches farthest: an empty base or member may lie behind `offset`.
    extent: u64,
    /// Whether a member is more than an empty class that shares its bytes, or the end of a run of bit-fields.
    has_data: bool,
    /// The bases placed so far, and members that share their bytes.
    parts: Vec<(RecordId, u64)>,
    /// The empty classes placed so far.
    empties: Vec<(RecordId, u64)>,
    /// The same, to be asked.
    occupied: FxHashSet<(RecordId, u64)>,
    pub(super) private: bool,
    cxx: bool,
}

/// A member to be placed.
pub(super) struct Member {
    pub(super) ty: TyId,
    /// The alignment of its type, as it is declared.
    pub(super) natural: u32,
    /// What an attribute asks for.
    pub(super) asked: Option<u32>,
    pub(super) packed: bool,
    /// Of a bit-field: its bits, and whether it has a name.
    pub(super) width: Option<(u32, bool)>,
    /// `[[no_unique_address]]`
    pub(super) overlaps: bool,
}

/// What a bit-field is declared with.
struct Unit {
    /// Bytes of its type.
    size: u64,
    /// The alignment of its type.
    natural: u32,
    /// What is left of that where something packs it, or what an attribute asks for if that is more.
    align: u32,
    /// What an attribute asks for.
    asked: Option<u32>,
    /// Whether anything packs it.
    packed: bool,
}

impl Layout {
    pub(super) fn new(c: &mut Checker<'_>, r: RecordId, rec: &ast::Record, attrs: ast::List<ast::Attr>) -> Self {
        let pack = (rec.pack > 0).then_some(u32::from(rec.pack));
        let mut l = Self {
            offset: 0,
            align: 1,
            is_union: rec.tag == ast::TagKind::Union,
            union_size: 0,
            pack,
            packed: c.is_packed(attrs),
            min_align: c.decl_align(attrs).unwrap_or(1),
            bit: None,
            extent: 0,
            has_data: false,
            parts: Vec::new(),
            empties: Vec::new(),
            occupied: FxHashSet::default(),
            private: rec.tag == ast::TagKind::Class,
            cxx: c.is_cxx(),
        };
        let primary = l.place_number(c, r, rec);
        let others = (0..c.p.types.record(r).bases.len()).filter(|i| Some(*i) != primary);
        for i in primary.into_iter().chain(others) {
            let base = c.p.types.record(r).bases[i].record;
            let align = c.p.types.record(base).align.min(l.pack.unwrap_or(u32::MAX));
            let offset = l.place_part(&c.p.types, base, align);
            if !c.p.types.record(base).empty {
                l.note_tails(&mut c.p.types, offset);
            }
            l.parts.push((base, offset));
            c.p.types.records[r.0 as usize].bases[i].offset = offset;
        }
        l
    }

    /// Notes of which parts something at `offset` lies in the tail padding, and of which parts of those.
    fn note_tails(&self, types: &mut TypeTable, offset: u64) {
        let mut within = self.parts.clone();
        while let Some((part, at)) = within.pop() {
            let rec = &mut types.records[part.0 as usize];
            if !rec.empty && (at..at.saturating_add(rec.size)).contains(&offset) {
                rec.shares_tail = true;
                within.extend(rec.bases.iter().map(|b| (b.record, at + b.offset)));
            }
        }
    }

    /// The place of a base class, or of a member that shares its bytes as one does (Itanium C++ ABI 2.4, II and III).
    fn place_part(&mut self, types: &TypeTable, part: RecordId, align: u32) -> u64 {
        let part = types.record(part);
        let align = align.max(1);
        let behind = self.offset.next_multiple_of(u64::from(align));
        let first = if part.empty { 0 } else { behind };
        let offset = self.first_free(&part.empties, first, behind, align);
        if !part.empty {
            self.offset = offset.saturating_add(if part.plain { part.size } else { part.data_size });
        }
        self.align = self.align.max(align);
        self.extent = self.extent.max(self.offset).max(if part.empty { offset + part.size } else { 0 });
        offset
    }

    /// The first of some places where no empty class lies upon one of its kind: `first`, then those from `behind` on. It is
    /// occupied from now on.
    fn first_free(&mut self, empties: &[(RecordId, u64)], first: u64, behind: u64, align: u32) -> u64 {
        let mut offset = first;
        if !self.is_union && !self.empties.is_empty() {
            while empties.iter().any(|&(e, at)| self.occupied.contains(&(e, at.saturating_add(offset)))) {
                offset = if offset == 0 && behind > 0 { behind } else { offset + u64::from(align) };
            }
        }
        let room = MAX_EMPTIES.saturating_sub(self.empties.len());
        let placed = empties.iter().take(room).map(|&(e, at)| (e, at.saturating_add(offset)));
        self.empties.extend(placed.clone());
        self.occupied.extend(placed);
        offset
    }

    /// The place of a member, and that of its bits.
    pub(super) fn place(&mut self, types: &mut TypeTable, m: &Member) -> (u64, Option<BitField>) {
        let (offset, bits) = self.find_place(types, m);
        let shared = types.as_record(m.ty).filter(|_| m.overlaps && self.cxx);
        if !self.parts.is_empty() && !shared.is_some_and(|r| types.record(r).empty) {
            self.note_tails(types, offset + bits.map_or(0, |b| u64::from(b.bit) / 8));
        }
        self.parts.extend(shared.map(|part| (part, offset)));
        (offset, bits)
    }

    fn find_place(&mut self, types: &TypeTable, m: &Member) -> (u64, Option<BitField>) {
        let size = types.size_of(m.ty).unwrap_or(0);
        let shared = types.as_record(m.ty).filter(|_| m.overlaps && self.cxx);
        self.has_data |= m.width != Some((0, false)) && !shared.is_some_and(|r| types.record(r).empty);
        let packed = m.packed || self.packed;
        let most = self.pack.unwrap_or(u32::MAX);
        let asked = m.asked.map(|a| a.min(most));
        // Of bit-fields `#pragma pack` says the alignment, whatever `packed` says.
        let by_pragma = self.pack.is_some() && m.width.is_some_and(|(w, _)| w > 0);
        let align = if packed && !by_pragma { 1 } else { m.natural.min(most) };
        let align = align.max(asked.unwrap_or(1)).max(1);
        if let Some((w, named)) = m.width {
            let loose = packed || self.pack.is_some();
            let unit = Unit { size, natural: m.natural, align, asked, packed: loose };
            return self.place_bits(&unit, w, named);
        }
        self.bit = None;
        if self.is_union {
            self.align = self.align.max(align);
            self.union_size = self.union_size.max(size);
            return (0, None);
        }
        if let Some(part) = shared {
            return (self.place_part(types, part, align), None);
        }
        self.align = self.align.max(align);
        let behind = self.offset.next_multiple_of(u64::from(align));
        let empties = if self.cxx { types.empties_in(m.ty) } else { Vec::new() };
        let offset = self.first_free(&empties, behind, behind, align);
        self.offset = offset.saturating_add(size);
        self.extent = self.extent.max(self.offset);
        (offset, None)
    }

    fn place_bits(&mut self, of: &Unit, width: u32, named: bool) -> (u64, Option<BitField>) {
        let unit = of.size.max(1) * 8;
        let packed = of.packed;
        // Bit-fields without a name do not align what they are in.
        let aligns = if named { of.align } else { 1 };
        if self.is_union {
            self.align = self.align.max(aligns);
            self.union_size = self.union_size.max(u64::from(width).div_ceil(8));
            return (0, Some(BitField { bit: 0, width: width as u8, packed }));
        }
        let mut bit = self.bit.unwrap_or(self.offset * 8);
        if width == 0 {
            // What packs does not pack this.
            self.bit = None;
            self.offset = bit.div_ceil(8).next_multiple_of(u64::from(of.natural.max(1)));
            return (self.offset, Some(BitField { bit: 0, width: 0, packed }));
        }
        bit = bit.next_multiple_of(of.asked.map_or(1, |a| u64::from(a.max(1)) * 8));
        if !packed && bit / unit != (bit + u64::from(width) - 1) / unit {
            bit = bit.next_multiple_of(unit);
        }
        self.align = self.align.max(aligns);
        let begins = if packed { bit / 8 } else { bit / unit * of.size };
        let place = BitField { bit: (bit - begins * 8) as u8, width: width as u8, packed };
        let end = bit + u64::from(width);
        self.bit = Some(end);
        self.offset = end.div_ceil(8);
        (begins, Some(place))
    }

    pub(super) fn finish(mut self, c: &mut Checker<'_>, r: RecordId) {
        let used = if self.is_union { self.union_size } else { self.offset };
        let empty = used == 0 && !self.has_data && !self.is_union;
        let align = self.align.max(self.min_align).max(1);
        let used = used.max(self.extent);
        let mut size = used.next_multiple_of(u64::from(align));
        if size == 0 && self.cxx {
            size = u64::from(align);
        }
        if empty && self.cxx {
            self.empties.push((r, 0));
        }
        let rec = &mut c.p.types.records[r.0 as usize];
        rec.size = size;
        rec.align = align;
        rec.data_size = used;
        rec.empty = empty;
        rec.empties = self.empties;
    }
}
