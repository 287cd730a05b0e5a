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
    pack: Option<u32>,
    min_align: u32,
    /// Bits used in the current run of bit-fields, counted from the start of the record.
    bit: Option<u64>,
    pub(super) private: bool,
    cxx: bool,
}

impl Layout {
    pub(super) fn new(c: &mut Checker<'_>, r: RecordId, rec: &ast::Record, attrs: ast::List<ast::Attr>) -> Self {
        let packed = c.is_packed(attrs);
        let pack = if packed { Some(1) } else { (rec.pack > 0).then_some(u32::from(rec.pack)) };
        let mut l = Self {
            offset: 0,
            align: 1,
            is_union: rec.tag == ast::TagKind::Union,
            union_size: 0,
            pack,
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
        let mut align = if packed { 1 } else { natural };
        if let Some(p) = self.pack {
            align = align.min(p);
        }
        align = align.max(asked.unwrap_or(1)).max(1);
        if let Some((w, named)) = width {
            return self.place_bits(size, align, w, named);
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

    fn place_bits(&mut self, size: u64, align: u32, width: u32, named: bool) -> (u64, Option<BitField>) {
        let unit = size.max(1) * 8;
        // Bit-fields without a name do not align what they are in.
        let aligns = if named { align } else { 1 };
        if self.is_union {
            self.align = self.align.max(aligns);
            self.union_size = self.union_size.max(u64::from(width).div_ceil(8));
            return (0, Some(BitField { bit: 0, width: width as u8 }));
        }
        let mut bit = self.bit.unwrap_or(self.offset * 8);
        if width == 0 {
            self.bit = None;
            self.offset = bit.div_ceil(8).next_multiple_of(u64::from(align));
            return (self.offset, Some(BitField { bit: 0, width: 0 }));
        }
        if bit / unit != (bit + u64::from(width) - 1) / unit {
            bit = bit.next_multiple_of(unit);
        }
        self.align = self.align.max(aligns);
        let offset = bit / unit * size;
        let place = BitField { bit: (bit % unit) as u8, width: width as u8 };
        let end = bit + u64::from(width);
        self.bit = Some(end);
        self.offset = end.div_ceil(8);
        (offset, Some(place))
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
