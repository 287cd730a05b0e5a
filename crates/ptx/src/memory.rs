//! Loads and stores.
//!
//! A vector is accessed in the widest pieces that its alignment allows, up to 16 bytes each; a scalar that is less
//! aligned than its size is put together from smaller ones.

use crate::error::EmitError;
use crate::func::Fx;
use crate::operand::Addr;
use crate::regs::{Class, Opnd, push_opnd};
use ir::{AddrSpace, CacheOp, Flags, Inst, MemInfo, Opcode, ScalarKind, Type, Value};
use smallvec::SmallVec;

/// Lanes of an access.
pub(crate) type Lanes = SmallVec<[Opnd; 16]>;

/// How memory is accessed.
#[derive(Clone, Copy)]
pub(crate) struct Access {
    /// Known alignment in bytes.
    pub(crate) align: u32,
    /// Cache operator.
    pub(crate) cache: CacheOp,
    /// Volatile and invariant.
    pub(crate) flags: Flags,
}

impl Access {
    /// A plain access.
    pub(crate) fn aligned(align: u32) -> Self {
        Self { align, cache: CacheOp::None, flags: Flags::NONE }
    }

    fn of(mem: Option<MemInfo>, flags: Flags) -> Self {
        let mem = mem.unwrap_or(MemInfo::aligned(1));
        Self { align: mem.align(), cache: mem.cache, flags }
    }

    /// The alignment `offset` bytes further on.
    fn at(self, offset: u32) -> Self {
        let align = if offset == 0 { self.align } else { self.align.min(1 << offset.trailing_zeros()) };
        Self { align, ..self }
    }
}

/// Suffix of a scalar type in memory.
pub(crate) fn memory_suffix(ty: Type) -> &'static str {
    match ty.kind() {
        ScalarKind::I1 | ScalarKind::I8 => ".u8",
        ScalarKind::I16 | ScalarKind::F16 | ScalarKind::BF16 => ".b16",
        ScalarKind::F32 => ".f32",
        ScalarKind::F64 => ".f64",
        ScalarKind::I64 | ScalarKind::Ptr => ".b64",
        _ => ".b32",
    }
}

impl Fx<'_> {
    // ---- instructions -------------------------------------------------------------------------------------------

    /// Writes a load.
    pub(crate) fn load(&mut self, i: Inst) -> Result<(), EmitError> {
        let f = self.f;
        let d = &f.dfg.insts[i];
        let forced = self.forced.take();
        let addr = self.addr(f.dfg.arg(i, 0));
        self.forced = forced;
        let lanes = self.load_lanes(addr, d.ty, Access::of(d.mem(), d.flags));
        if let Some(v) = f.dfg.result(i) {
            self.set_lanes(v, &lanes);
        }
        Ok(())
    }

    /// Writes a load whose result is extended by `ext`, as one instruction.
    pub(crate) fn load_extended(&mut self, i: Inst, ext: Inst) -> Result<(), EmitError> {
        let f = self.f;
        let d = &f.dfg.insts[i];
        let (from, to) = (d.ty, f.dfg.insts[ext].ty);
        let addr = self.addr(f.dfg.arg(i, 0));
        let suffix = match (from.bits(), f.dfg.op(ext) == Opcode::SExt) {
            (8, true) => ".s8",
            (8, false) => ".u8",
            (_, true) => ".s16",
            (_, false) => ".u16",
        };
        let r = Opnd::Reg(self.tmp(Class::of(to).unwrap_or(Class::B32)));
        self.access("ld", addr, Access::of(d.mem(), d.flags), suffix, &[r]);
        self.set(f.dfg.res(ext), r);
        Ok(())
    }

    /// Writes a store.
    pub(crate) fn store(&mut self, i: Inst) -> Result<(), EmitError> {
        let f = self.f;
        let d = &f.dfg.insts[i];
        let addr = self.addr(f.dfg.arg(i, 0));
        self.check_writable(addr, i)?;
        let v = f.dfg.arg(i, 1);
        let lanes = self.lanes_of(v);
        self.store_lanes(addr, f.dfg.ty(v), Access::of(d.mem(), d.flags), &lanes);
        Ok(())
    }

    /// Fails for memory that a kernel cannot write.
    pub(crate) fn check_writable(&self, addr: Addr, i: Inst) -> Result<(), EmitError> {
        let (what, help) = match addr.space {
            _ if addr.param => {
                ("a store to a kernel parameter", "copy the parameter to a local variable and change that")
            }
            AddrSpace::Constant => ("a store to constant memory", "use global memory for what kernels write"),
            _ => return Ok(()),
        };
        Err(EmitError::unsupported(what, self.f.dfg.span(i), help))
    }

    /// The lanes of a value as they are known.
    pub(crate) fn lanes_of(&self, v: Value) -> Lanes {
        (0..usize::from(self.ty(v).lanes())).map(|n| self.lane(v, n)).collect()
    }

    // ---- pieces -------------------------------------------------------------------------------------------------

    /// Loads a value of type `ty`, lane by lane or more at once.
    pub(crate) fn load_lanes(&mut self, addr: Addr, ty: Type, acc: Access) -> Lanes {
        let elem = ty.scalar();
        let (size, count) = (elem.scalar_bytes(), usize::from(ty.lanes()));
        let mut lanes = Lanes::new();
        if acc.align < size {
            for n in 0..count as u32 {
                let piece = self.load_unaligned(addr.plus(i64::from(n * size)), elem, acc);
                lanes.push(piece);
            }
            return lanes;
        }
        if let Some(words) = packed_words(ty, acc.align) {
            let word = Type::I32.vector(words).unwrap_or(Type::I32);
            let parts = self.load_lanes(addr, word, acc);
            return self.regroup(parts, Type::I32, elem);
        }
        while lanes.len() < count {
            let offset = lanes.len() as u32 * size;
            let here = acc.at(offset);
            let width = piece_width(count - lanes.len(), size, here.align);
            let class = Class::of(elem).unwrap_or(Class::B32);
            let class = if class == Class::Pred { Class::B16 } else { class };
            let regs: SmallVec<[Opnd; 4]> = (0..width).map(|_| Opnd::Reg(self.dest(class))).collect();
            self.access("ld", addr.plus(i64::from(offset)), here, memory_suffix(elem), &regs);
            for r in regs {
                let lane = if elem == Type::I1 { self.byte_to_bool(r) } else { r };
                lanes.push(lane);
            }
        }
        lanes
    }

    /// Stores the lanes of a value of type `ty`.
    pub(crate) fn store_lanes(&mut self, addr: Addr, ty: Type, acc: Access, lanes: &[Opnd]) {
        let elem = ty.scalar();
        let size = elem.scalar_bytes();
        if acc.align < size {
            for (n, &o) in lanes.iter().enumerate() {
                self.store_unaligned(addr.plus(n as i64 * i64::from(size)), elem, acc, o);
            }
            return;
        }
        if let Some(words) = packed_words(ty, acc.align) {
            let parts = self.regroup(lanes.into(), elem, Type::I32);
            let word = Type::I32.vector(words).unwrap_or(Type::I32);
            return self.store_lanes(addr, word, acc, &parts);
        }
        let mut at = 0;
        while at < lanes.len() {
            let offset = at as u32 * size;
            let here = acc.at(offset);
            let width = piece_width(lanes.len() - at, size, here.align);
            let regs: SmallVec<[Opnd; 4]> = lanes[at..at + width].iter().map(|&o| self.storable(o, elem)).collect();
            self.access("st", addr.plus(i64::from(offset)), here, memory_suffix(elem), &regs);
            at += width;
        }
    }

    fn storable(&mut self, o: Opnd, elem: Type) -> Opnd {
        match (o, elem.kind()) {
            (Opnd::Bool(b), _) => Opnd::Int(i64::from(b)),
            (Opnd::Int(n), ScalarKind::I8) => Opnd::Int(n & 255),
            (_, ScalarKind::I1) => self.op_tmp(Class::B16, &["selp.b16"], &[Opnd::Int(1), Opnd::Int(0), o]),
            _ => self.direct(o),
        }
    }

    fn byte_to_bool(&mut self, o: Opnd) -> Opnd {
        let bit = self.op_tmp(Class::B16, &["and.b16"], &[o, Opnd::Int(1)]);
        self.op(Class::Pred, &["setp.ne.s16"], &[bit, Opnd::Int(0)])
    }

    /// One element out of integers as wide as the alignment.
    fn load_unaligned(&mut self, addr: Addr, elem: Type, acc: Access) -> Opnd {
        let part = part_type(acc.align);
        let count = elem.scalar_bytes() / part.scalar_bytes();
        let mut parts = Lanes::new();
        for n in 0..count {
            let at = addr.plus(i64::from(n * part.scalar_bytes()));
            let piece = self.load_lanes(at, part, acc);
            parts.push(piece[0]);
        }
        self.regroup(parts, part, elem)[0]
    }

    fn store_unaligned(&mut self, addr: Addr, elem: Type, acc: Access, o: Opnd) {
        let part = part_type(acc.align);
        let parts = self.regroup(Lanes::from_slice(&[o]), elem, part);
        for (n, &p) in parts.iter().enumerate() {
            self.store_lanes(addr.plus(n as i64 * i64::from(part.scalar_bytes())), part, acc, &[p]);
        }
    }

    /// Writes one `ld` or `st`.
    pub(crate) fn access(&mut self, name: &str, addr: Addr, acc: Access, suffix: &str, regs: &[Opnd]) {
        let load = name == "ld";
        let global = addr.space == AddrSpace::Global && !addr.param;
        // Private memory has no other observers, and constant memory does not change.
        let shared = matches!(addr.space, AddrSpace::Global | AddrSpace::Generic | AddrSpace::Shared) && !addr.param;
        let volatile = acc.flags.has(Flags::VOLATILE) && shared;
        let cached = matches!(addr.space, AddrSpace::Global | AddrSpace::Generic) && !addr.param;
        let readonly = acc.flags.has(Flags::INVARIANT) || acc.cache == CacheOp::NonCoherent;
        let mut out = std::mem::take(&mut self.out);
        out.push('\t');
        out.push_str(name);
        if volatile {
            out.push_str(".volatile");
        }
        out.push_str(addr.suffix());
        if !volatile && cached {
            out.push_str(cache_suffix(acc.cache, load));
            if load && global && readonly && matches!(acc.cache, CacheOp::None | CacheOp::NonCoherent) {
                out.push_str(".nc");
            }
        }
        match regs.len() {
            2 => out.push_str(".v2"),
            4 => out.push_str(".v4"),
            _ => {}
        }
        out.push_str(suffix);
        out.push_str(" \t");
        if load {
            push_group(&mut out, regs);
            out.push_str(", ");
        }
        self.push_addr(&mut out, addr);
        if !load {
            out.push_str(", ");
            push_group(&mut out, regs);
        }
        out.push_str(";\n");
        self.out = out;
    }
}

/// Writes one operand, or several in braces.
pub(crate) fn push_group(out: &mut String, regs: &[Opnd]) {
    if let [one] = regs {
        return push_opnd(out, *one);
    }
    out.push('{');
    for (n, &r) in regs.iter().enumerate() {
        if n > 0 {
            out.push_str(", ");
        }
        push_opnd(out, r);
    }
    out.push('}');
}

fn cache_suffix(cache: CacheOp, load: bool) -> &'static str {
    match (cache, load) {
        (CacheOp::None | CacheOp::NonCoherent, _) => "",
        (CacheOp::All, true) => ".ca",
        (CacheOp::LastUse, true) => ".lu",
        (CacheOp::Volatile, true) => ".cv",
        (CacheOp::Volatile, false) => ".wt",
        (CacheOp::WriteBack, false) => ".wb",
        (CacheOp::Global, _) => ".cg",
        (CacheOp::Streaming, _) => ".cs",
        // An operator of the other direction says nothing.
        (CacheOp::All | CacheOp::LastUse, false) | (CacheOp::WriteBack, true) => "",
    }
}

/// Lanes of the next access.
fn piece_width(left: usize, size: u32, align: u32) -> usize {
    [4, 2].into_iter().find(|&w| w <= left && w as u32 * size <= align.min(16)).unwrap_or(1)
}

/// Words that a vector of short elements is accessed in: long vectors of bytes and half-words.
fn packed_words(ty: Type, align: u32) -> Option<u8> {
    let short = matches!(ty.scalar().bits(), 8 | 16);
    (short && ty.lanes() >= 8 && align >= 8).then(|| (ty.bytes() / 4) as u8)
}

fn part_type(align: u32) -> Type {
    match align {
        0 | 1 => Type::I8,
        2 | 3 => Type::I16,
        _ => Type::I32,
    }
}
