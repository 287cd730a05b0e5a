//! Parameters, calls and returns.
//!
//! Scalars are passed in parameter memory of their own size (of at least 32 bits between functions, as nvcc does),
//! vectors and aggregates as aligned bytes. An aggregate parameter's value is its address: in parameter memory for
//! kernels, in a private copy otherwise.

use crate::error::EmitError;
use crate::func::Fx;
use crate::memory::{Access, Lanes};
use crate::module::{PtxTarget, param_align, vector_bytes};
use crate::names::push_name;
use crate::operand::Addr;
use crate::out::push_u64;
use crate::regs::{CallSym, Class, Opnd};
use ir::{AddrSpace, FnKind, Function, Inst, Param, ScalarKind, Type, Value};
use target::Feature;

/// Writes one parameter's declaration, without its name.
pub(crate) fn declare_param(out: &mut String, t: &PtxTarget, p: &Param, kernel: bool) {
    out.push_str(".param ");
    if let Some(size) = p.attrs.byval {
        return declare_bytes(out, param_align(p), size);
    }
    if p.ty.is_vector() {
        return declare_bytes(out, vector_bytes(p.ty), vector_bytes(p.ty));
    }
    if !kernel {
        return out.push_str(if p.ty.bits() == 64 { ".b64 " } else { ".b32 " });
    }
    out.push_str(match p.ty.kind() {
        ScalarKind::I1 | ScalarKind::I8 => ".u8 ",
        ScalarKind::I16 => ".u16 ",
        ScalarKind::F16 | ScalarKind::BF16 => ".b16 ",
        ScalarKind::F32 => ".f32 ",
        ScalarKind::F64 => ".f64 ",
        ScalarKind::I64 | ScalarKind::Ptr => ".u64 ",
        _ => ".u32 ",
    });
    if p.ty.is_ptr() {
        let space = match p.ty.space() {
            _ if p.attrs.local => ".shared ",
            Some(AddrSpace::Shared) => ".shared ",
            Some(AddrSpace::Global) if t.opencl_abi => ".global ",
            Some(AddrSpace::Constant) => ".const ",
            _ => "",
        };
        out.push_str(".ptr ");
        out.push_str(space);
        out.push_str(".align ");
        push_u64(out, u64::from(param_align(p)));
        out.push(' ');
    }
}

fn declare_bytes(out: &mut String, align: u32, _size: u32) {
    out.push_str(".align ");
    push_u64(out, u64::from(align));
    out.push_str(" .b8 ");
}

/// Writes `[size]` after the name of a parameter that is bytes.
pub(crate) fn declare_extent(out: &mut String, p: &Param) {
    let size = p.attrs.byval.or_else(|| p.ty.is_vector().then(|| vector_bytes(p.ty)));
    if let Some(size) = size {
        out.push('[');
        push_u64(out, u64::from(size.max(1)));
        out.push(']');
    }
}

/// Writes `name_param_n`.
pub(crate) fn push_param(out: &mut String, f: &Function, n: usize) {
    push_name(out, &f.name);
    out.push_str("_param_");
    push_u64(out, n as u64);
}

/// Writes the result part of a function's signature.
pub(crate) fn declare_result(out: &mut String, ret: Type) {
    if ret.is_void() {
        return;
    }
    out.push_str("(.param ");
    declare_return(out, ret, "func_retval0");
    out.push_str(") ");
}

fn declare_return(out: &mut String, ret: Type, name: &str) {
    if ret.is_vector() {
        declare_bytes(out, vector_bytes(ret), vector_bytes(ret));
    } else {
        out.push_str(if ret.bits() == 64 { ".b64 " } else { ".b32 " });
    }
    out.push_str(name);
    if ret.is_vector() {
        out.push('[');
        push_u64(out, u64::from(vector_bytes(ret)));
        out.push(']');
    }
}

impl Fx<'_> {
    /// Name of a parameter of the function being written.
    pub(crate) fn push_param_name(&self, out: &mut String, n: usize) {
        push_param(out, self.f, n);
    }

    /// Loads the parameters that are used.
    pub(crate) fn load_params(&mut self) -> Result<(), EmitError> {
        let f = self.f;
        let entry = f.layout.entry();
        for (n, &v) in f.dfg.params(entry).iter().enumerate() {
            let Some(p) = f.params.get(n) else { break };
            if !self.sel.is_needed(v) {
                continue;
            }
            let addr = self.addr_of(Opnd::Param(n as u16, 0), 0, AddrSpace::Param);
            if let Some(size) = p.attrs.byval {
                self.aggregate_param(v, addr, p, size)?;
                continue;
            }
            let align = if p.ty.is_vector() { vector_bytes(p.ty) } else { p.ty.bytes() };
            let lanes = self.load_lanes(addr, p.ty, Access::aligned(align));
            self.set_lanes(v, &lanes);
        }
        Ok(())
    }

    /// The value of an aggregate parameter: its address.
    fn aggregate_param(&mut self, v: Value, addr: Addr, p: &Param, size: u32) -> Result<(), EmitError> {
        let space = p.ty.space().unwrap_or(AddrSpace::Generic);
        if space == AddrSpace::Param && self.is_kernel() {
            self.set(v, addr.base);
            return Ok(());
        }
        let align = param_align(p);
        let at = self.frame.reserve(size, align, self.f.span)?;
        let copy = self.addr_of(Opnd::Frame(at), 0, AddrSpace::Private);
        self.copy_bytes(copy, addr, u64::from(size), align);
        let o = match space {
            AddrSpace::Private | AddrSpace::Param => Opnd::Frame(at),
            _ => self.generic_address(Opnd::Frame(at), AddrSpace::Private),
        };
        self.set(v, o);
        Ok(())
    }

    // ---- calls --------------------------------------------------------------------------------------------------

    /// Writes a call.
    pub(crate) fn call(&mut self, i: Inst) -> Result<(), EmitError> {
        let f = self.f;
        let d = &f.dfg.insts[i];
        let Some(callee) = d.callee() else { return Ok(()) };
        let target = &self.m.functions[callee];
        if target.kind == FnKind::Kernel {
            return Err(EmitError::unsupported(
                format!("a call of the kernel `{}`", target.display),
                f.dfg.span(i),
                "kernels that are called must be inlined, or their body moved to a function",
            ));
        }
        let args = f.dfg.args(i);
        self.out.push_str("\t{ // callseq ");
        push_u64(&mut self.out, u64::from(self.calls));
        self.out.push('\n');
        self.calls += 1;
        for (n, (&v, p)) in args.iter().zip(&target.params).enumerate() {
            self.argument(n as u16, v, p);
        }
        if !d.ty.is_void() {
            self.out.push_str("\t.param ");
            declare_return(&mut self.out, d.ty, "retval0");
            self.out.push_str(";\n");
        }
        let count = args.len().min(target.params.len());
        self.call_line(!d.ty.is_void(), count, |out| push_name(out, &target.name));
        if let Some(v) = f.dfg.result(i) {
            let lanes = self.load_call_sym(CallSym::Result, d.ty);
            self.set_lanes(v, &lanes);
        }
        self.out.push_str("\t}\n");
        Ok(())
    }

    pub(crate) fn call_line(&mut self, result: bool, args: usize, name: impl FnOnce(&mut String)) {
        self.out.push_str("\tcall \t");
        if result {
            self.out.push_str("(retval0), ");
        }
        name(&mut self.out);
        for n in 0..args {
            self.out.push_str(if n == 0 { ", (param" } else { ", param" });
            push_u64(&mut self.out, n as u64);
        }
        self.out.push_str(if args > 0 { ");\n" } else { ";\n" });
    }

    fn argument(&mut self, n: u16, v: Value, p: &Param) {
        let mut line = std::mem::take(&mut self.out);
        line.push('\t');
        declare_param(&mut line, self.t, p, false);
        line.push_str("param");
        push_u64(&mut line, u64::from(n));
        declare_extent(&mut line, p);
        line.push_str(";\n");
        self.out = line;
        if let Some(size) = p.attrs.byval {
            let from = self.addr(v);
            let to = self.addr_of(Opnd::Call(CallSym::Arg(n)), 0, AddrSpace::Param);
            return self.copy_bytes(Addr { param: true, ..to }, from, u64::from(size), param_align(p));
        }
        let lanes = self.lanes_of(v);
        self.store_call_sym(CallSym::Arg(n), p.ty, &lanes);
    }

    /// Puts a value into parameter memory, short integers extended to 32 bits.
    pub(crate) fn store_call_sym(&mut self, sym: CallSym, ty: Type, lanes: &[Opnd]) {
        let addr = Addr { base: Opnd::Call(sym), offset: 0, space: AddrSpace::Param, param: true };
        if ty.is_vector() {
            return self.store_lanes(addr, ty, Access::aligned(vector_bytes(ty)), lanes);
        }
        match ty.bits() {
            1 => {
                let p = self.direct(lanes[0]);
                let o = self.op_tmp(Class::B32, &["selp.b32"], &[Opnd::Int(1), Opnd::Int(0), p]);
                self.store_lanes(addr, Type::I32, Access::aligned(4), &[o]);
            }
            8 | 16 => {
                let o = self.in_register(lanes[0], ty);
                let name = if ty.bits() == 8 { "cvt.u32.u8" } else { "cvt.u32.u16" };
                let o = self.op_tmp(Class::B32, &[name], &[o]);
                self.store_lanes(addr, Type::I32, Access::aligned(4), &[o]);
            }
            _ => self.store_lanes(addr, ty, Access::aligned(ty.bytes()), lanes),
        }
    }

    fn load_call_sym(&mut self, sym: CallSym, ty: Type) -> Lanes {
        let addr = Addr { base: Opnd::Call(sym), offset: 0, space: AddrSpace::Param, param: true };
        let align = if ty.is_vector() { vector_bytes(ty) } else { ty.bytes() };
        self.load_lanes(addr, ty, Access::aligned(align))
    }

    /// Writes a return.
    pub(crate) fn ret(&mut self, i: Inst) {
        if let Some(&v) = self.f.dfg.args(i).first() {
            let lanes = self.lanes_of(v);
            self.store_call_sym(CallSym::Return, self.ty(v), &lanes);
        }
        self.line(&["ret"], &[]);
    }

    /// Writes a call of `vprintf`, which the driver provides.
    pub(crate) fn vprintf(&mut self, i: Inst) -> Result<Opnd, EmitError> {
        let f = self.f;
        let args = f.dfg.args(i);
        let mut generic = [Opnd::Int(0); 2];
        for (slot, &v) in generic.iter_mut().zip(args) {
            let space = self.ty(v).space().unwrap_or(AddrSpace::Generic);
            if space == AddrSpace::Param && self.is_kernel() {
                self.require(Feature::CvtaParam, i)?;
            }
            let o = self.operand(v, 0);
            *slot = self.generic_address(o, space);
        }
        self.out.push_str("\t{ // callseq ");
        push_u64(&mut self.out, u64::from(self.calls));
        self.out.push_str("\n\t.param .b64 param0;\n\t.param .b64 param1;\n\t.param .b32 retval0;\n");
        self.calls += 1;
        for (n, o) in generic.into_iter().enumerate() {
            self.store_call_sym(CallSym::Arg(n as u16), Type::I64, &[o]);
        }
        self.prints = true;
        self.call_line(true, 2, |out| out.push_str("vprintf"));
        let r = self.load_call_sym(CallSym::Result, Type::I32);
        self.out.push_str("\t}\n");
        Ok(r[0])
    }
}
