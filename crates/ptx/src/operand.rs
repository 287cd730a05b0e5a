//! From values to operands, and the lines of the text.

use crate::func::Fx;
use crate::names::push_name;
use crate::out::{push_i64, push_u64};
use crate::regs::{CallSym, Class, Opnd, Reg, push_opnd, push_reg};
use crate::select::address;
use cranelift_entity::EntityRef;
use ir::{AddrSpace, ConstKind, Type, Value, ValueDef};

/// An address as it stands in brackets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Addr {
    /// A register, or a symbol with an offset.
    pub(crate) base: Opnd,
    /// Bytes on top.
    pub(crate) offset: i64,
    /// The state space that is accessed.
    pub(crate) space: AddrSpace,
    /// Kernel or function parameter space, accessed by symbol.
    pub(crate) param: bool,
}

impl Addr {
    /// The address `n` bytes on.
    pub(crate) fn plus(self, n: i64) -> Self {
        Self { offset: self.offset + n, ..self }
    }

    /// The state space as instructions name it.
    pub(crate) fn suffix(self) -> &'static str {
        if self.param { ".param" } else { space_suffix(self.space) }
    }
}

/// How instructions name a state space.
pub(crate) fn space_suffix(space: AddrSpace) -> &'static str {
    target::space::SPACES[space as usize].ptx
}

impl Fx<'_> {
    // ---- values -------------------------------------------------------------------------------------------------

    /// The operand that a scalar value is, or the lane table entry of a vector.
    pub(crate) fn value(&self, v: Value) -> Opnd {
        match self.vals[v.index()] {
            Opnd::None => self.constant(v),
            o => o,
        }
    }

    fn constant(&self, v: Value) -> Opnd {
        let data = &self.f.dfg.values[v];
        let ty = data.ty.scalar();
        match data.def {
            ValueDef::Const(ConstKind::Bits(b)) => Opnd::constant(ty, b),
            ValueDef::Const(ConstKind::Global(g)) => Opnd::Global(g, 0),
            ValueDef::Const(ConstKind::Slot(s)) => Opnd::Frame(self.frame.offset(s)),
            // `undef`, and values whose definition was never reached.
            _ => Opnd::constant(ty, 0),
        }
    }

    /// Lane `n` of a value as it is known, perhaps not fit for an instruction.
    pub(crate) fn lane(&self, v: Value, n: usize) -> Opnd {
        match self.value(v) {
            Opnd::Lanes(at) => self.lanes[at as usize + n],
            o => o,
        }
    }

    /// Where edges leave lane `n` of a block parameter.
    pub(crate) fn phi_lane(&self, p: Value, n: usize) -> Opnd {
        match self.phis[p.index()] {
            Opnd::None => self.lane(p, n),
            Opnd::Lanes(at) => self.lanes[at as usize + n],
            o => o,
        }
    }

    /// Lane `n` as an operand: a register or an immediate.
    pub(crate) fn operand(&mut self, v: Value, n: usize) -> Opnd {
        let o = self.lane(v, n);
        self.direct(o)
    }

    /// Lane `n` in a register.
    pub(crate) fn register(&mut self, v: Value, n: usize) -> Opnd {
        let o = self.lane(v, n);
        let ty = self.f.dfg.ty(v).scalar();
        self.in_register(o, ty)
    }

    /// `o` made fit for an instruction: what has no immediate form is put into a register.
    pub(crate) fn direct(&mut self, o: Opnd) -> Opnd {
        if o.is_direct() { o } else { Opnd::Reg(self.materialise(o)) }
    }

    /// `o`, of scalar type `ty`, in a register.
    pub(crate) fn in_register(&mut self, o: Opnd, ty: Type) -> Opnd {
        match o {
            Opnd::Reg(_) => o,
            Opnd::Int(_) | Opnd::F32(_) | Opnd::F64(_) => {
                let r = self.tmp(Class::of(ty).unwrap_or(Class::B32));
                self.mov(r, o);
                r.into()
            }
            _ => Opnd::Reg(self.materialise(o)),
        }
    }

    /// A register with a constant or address, set once at the start of the function.
    fn materialise(&mut self, o: Opnd) -> Reg {
        let class = match o {
            Opnd::Half(_) => Class::H,
            Opnd::Bool(_) => Class::Pred,
            _ => Class::B64,
        };
        self.materialise_as(o, class)
    }

    /// The address of a variable in shared memory, in 32 bits.
    pub(crate) fn short_symbol(&mut self, o: Opnd) -> Opnd {
        self.materialise_as(o, Class::B32).into()
    }

    fn materialise_as(&mut self, o: Opnd, class: Class) -> Reg {
        if let Some(&(_, r)) = self.constants.iter().find(|(k, r)| *k == o && r.class() == class) {
            return r;
        }
        let r = self.regs.fresh(class);
        let mut line = std::mem::take(&mut self.prologue);
        line.push_str("\tmov");
        line.push_str(class.decl());
        line.push_str(" \t");
        push_reg(&mut line, r);
        line.push_str(", ");
        self.push_symbol_or(&mut line, o, 0);
        line.push_str(";\n");
        self.prologue = line;
        // Bounds the search above; a function with more constants than this sets the rest again.
        if self.constants.len() < 64 {
            self.constants.push((o, r));
        }
        r
    }

    /// Writes an operand, a symbol with its offset included.
    fn push_symbol_or(&self, out: &mut String, o: Opnd, extra: i64) {
        let offset = match o {
            Opnd::Global(g, n) => {
                push_name(out, &self.m.globals[g].name);
                i64::from(n)
            }
            Opnd::Frame(n) => {
                self.push_frame_name(out);
                i64::from(n)
            }
            Opnd::Param(p, n) => {
                self.push_param_name(out, usize::from(p));
                i64::from(n)
            }
            Opnd::Call(c) => {
                match c {
                    CallSym::Arg(n) => {
                        out.push_str("param");
                        push_u64(out, u64::from(n));
                    }
                    CallSym::Result => out.push_str("retval0"),
                    CallSym::Return => out.push_str("func_retval0"),
                }
                0
            }
            _ => {
                push_opnd(out, o);
                0
            }
        };
        let offset = offset + extra;
        if offset != 0 {
            // The grammar has no `-` here: a negative offset is added.
            out.push('+');
            push_i64(out, offset);
        }
    }

    /// Sets the (only) result of a scalar value.
    pub(crate) fn set(&mut self, v: Value, o: Opnd) {
        self.vals[v.index()] = o;
    }

    /// Sets the lanes of a value.
    pub(crate) fn set_lanes(&mut self, v: Value, lanes: &[Opnd]) {
        if !self.f.dfg.ty(v).is_vector() {
            self.vals[v.index()] = lanes[0];
            return;
        }
        let at = self.lanes.len() as u32;
        self.lanes.extend_from_slice(lanes);
        self.vals[v.index()] = Opnd::Lanes(at);
    }

    /// A temporary register.
    pub(crate) fn tmp(&mut self, class: Class) -> Reg {
        self.regs.fresh(class)
    }

    /// The register for the result being computed.
    pub(crate) fn dest(&mut self, class: Class) -> Reg {
        match self.forced.take() {
            Some(r) => r,
            None => self.regs.fresh(class),
        }
    }

    // ---- addresses ----------------------------------------------------------------------------------------------

    /// The address that a pointer value is.
    pub(crate) fn addr(&mut self, ptr: Value) -> Addr {
        let (base, offset) = address(&self.f.dfg, ptr);
        let space = self.f.dfg.ty(ptr).space().unwrap_or(AddrSpace::Generic);
        // Vectors of pointers are not accessed; the lane keeps such an operand harmless.
        let o = self.lane(base, 0);
        self.addr_of(o, offset, space)
    }

    /// An address from an operand.
    pub(crate) fn addr_of(&mut self, base: Opnd, offset: i64, space: AddrSpace) -> Addr {
        let param = matches!(base, Opnd::Param(..)) || (space == AddrSpace::Param && self.is_kernel());
        // Parameters of functions, once their address is taken, live in local memory.
        let space = if space == AddrSpace::Param && !param { AddrSpace::Private } else { space };
        let base = match base {
            // An integer would be an absolute address; it goes through a register, so that its width is right.
            Opnd::Int(_) => self.in_register(base, Type::I64),
            Opnd::Reg(_) | Opnd::Param(..) | Opnd::Call(_) => base,
            // A symbol belongs to its own space; other accesses take its address from a register.
            Opnd::Global(g, _) if self.m.globals[g].space == space => base,
            Opnd::Frame(_) if space == AddrSpace::Private => base,
            _ => self.direct(base),
        };
        Addr { base, offset, space, param }
    }

    /// Writes `[base+offset]`.
    pub(crate) fn push_addr(&self, out: &mut String, a: Addr) {
        out.push('[');
        self.push_symbol_or(out, a.base, a.offset);
        out.push(']');
    }

    // ---- lines --------------------------------------------------------------------------------------------------

    /// Writes an instruction: the parts of its name, then its operands, which are direct.
    pub(crate) fn line(&mut self, op: &[&str], args: &[Opnd]) {
        let out = &mut self.out;
        out.push('\t');
        for part in op {
            out.push_str(part);
        }
        if !args.is_empty() {
            out.push_str(" \t");
            for (n, &a) in args.iter().enumerate() {
                if n > 0 {
                    out.push_str(", ");
                }
                push_opnd(out, a);
            }
        }
        out.push_str(";\n");
    }

    /// Writes an instruction whose result goes to a new register (or the one that is forced); gives that register.
    pub(crate) fn op(&mut self, class: Class, op: &[&str], args: &[Opnd]) -> Opnd {
        let d = self.dest(class);
        let mut all = [Opnd::None; 8];
        all[0] = d.into();
        all[1..=args.len()].copy_from_slice(args);
        self.line(op, &all[..=args.len()]);
        d.into()
    }

    /// As [`Fx::op`], for an intermediate result.
    pub(crate) fn op_tmp(&mut self, class: Class, op: &[&str], args: &[Opnd]) -> Opnd {
        let forced = self.forced.take();
        let r = self.op(class, op, args);
        self.forced = forced;
        r
    }

    /// Copies into a register.
    pub(crate) fn mov(&mut self, d: Reg, o: Opnd) {
        let out = &mut self.out;
        out.push_str("\tmov");
        out.push_str(d.class().decl());
        out.push_str(" \t");
        push_reg(out, d);
        out.push_str(", ");
        let mut out = std::mem::take(&mut self.out);
        self.push_symbol_or(&mut out, o, 0);
        out.push_str(";\n");
        self.out = out;
    }

    /// Moves `o` between register classes of the same width.
    pub(crate) fn reinterpret(&mut self, o: Opnd, from: Type, to: Type) -> Opnd {
        let (Some(a), Some(b)) = (Class::of(from), Class::of(to)) else { return o };
        match o {
            Opnd::Int(_) | Opnd::F32(_) | Opnd::F64(_) | Opnd::Half(_) => {
                let bits = match o {
                    Opnd::Int(n) => n as u64,
                    Opnd::F32(n) => u64::from(n),
                    Opnd::F64(n) => n,
                    Opnd::Half(n) => u64::from(n),
                    _ => 0,
                };
                Opnd::constant(to, bits & to.mask())
            }
            _ if a == b => o,
            _ => {
                let o = self.in_register(o, from);
                self.op(b, &["mov", b.untyped()], &[o])
            }
        }
    }
}
