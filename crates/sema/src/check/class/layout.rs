//! Where the members of a class lie.

use crate::check::Checker;
use crate::types::{BitField, RecordId};
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
    pub(super) private: bool,
    cxx: bool,
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
            private: rec.tag == ast::TagKind::Class,
            cxx: c.is_cxx(),
        };
        let primary = l.place_number(c, r, rec);
        let others = (0..c.p.types.record(r).bases.len()).filter(|i| Some(*i) != primary);
        for i in primary.into_iter().chain(others) {
            let b = c.p.types.record(r).bases[i];
            let (empty, size, align) = {
                let base = c.p.types.record(b.record);
                (base.empty, if base.plain { base.size } else { base.data_size }, base.align)
            };
            let align = align.min(l.pack.unwrap_or(u32::MAX));
            let offset = if empty { 0 } else { l.offset.next_multiple_of(u64::from(align.max(1))) };
            if !empty {
                l.offset = offset.saturating_add(size);
            }
            l.align = l.align.max(align);
            c.p.types.records[r.0 as usize].bases[i].offset = offset;
        }
        l
    }

    pub(super) fn place(
        &mut self,
        size: u64,
        natural: u32,
        asked: Option<u32>,
        packed: bool,
        width: Option<(u32, bool)>,
    ) -> (u64, Option<BitField>) {
        let packed = packed || self.packed;
        let most = self.pack.unwrap_or(u32::MAX);
        let asked = asked.map(|a| a.min(most));
        // Of bit-fields `#pragma pack` says the alignment, whatever `packed` says.
        let by_pragma = self.pack.is_some() && width.is_some_and(|(w, _)| w > 0);
        let align = if packed && !by_pragma { 1 } else { natural.min(most) };
        let align = align.max(asked.unwrap_or(1)).max(1);
        if let Some((w, named)) = width {
            let loose = packed || self.pack.is_some();
            return self.place_bits(&Unit { size, natural, align, asked, packed: loose }, w, named);
        }
        self.bit = None;
        self.align = self.align.max(align);
        if self.is_union {
            self.union_size = self.union_size.max(size);
            return (0, None);
        }
        let offset = self.offset.next_multiple_of(u64::from(align));
        self.offset = offset.saturating_add(size);
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

    pub(super) fn finish(&self, c: &mut Checker<'_>, r: RecordId) {
        let used = if self.is_union { self.union_size } else { self.offset };
        let empty = used == 0 && c.p.types.record(r).fields.is_empty();
        let align = self.align.max(self.min_align).max(1);
        let mut size = used.next_multiple_of(u64::from(align));
        if size == 0 && self.cxx {
            size = u64::from(align);
        }
        let rec = &mut c.p.types.records[r.0 as usize];
        rec.size = size;
        rec.align = align;
        rec.data_size = used;
        rec.empty = empty;
    }
}
