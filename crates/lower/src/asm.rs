//! Inline assembly.

use crate::func::FunctionLowering;
use ir::{AsmData, Flags, Opcode, Payload, SpecialReg, Type, Value};
use sema::program::{Asm, FuncId};
use smallvec::SmallVec;

impl FunctionLowering<'_, '_> {
    pub(crate) fn asm_stmt(&mut self, a: &Asm) {
        if let Some(reg) = register_read(a) {
            let ty = self.type_of(a.outputs[0].expr);
            if ty.is_int() && ty.bits() == reg.bits() {
                let place = self.place(a.outputs[0].expr);
                let v = self.build(|b| b.special(reg));
                self.store(&place, v);
                return;
            }
        }
        let mut places = Vec::new();
        let mut types: SmallVec<[Type; 4]> = SmallVec::new();
        let mut args: SmallVec<[Value; 8]> = SmallVec::new();
        let mut ties: Vec<(String, Value)> = Vec::new();
        for (n, o) in a.outputs.iter().enumerate() {
            let ty = self.type_of(o.expr);
            let place = self.place(o.expr);
            if o.constraint.contains('+') {
                let v = self.load(&place, ty);
                ties.push((n.to_string(), v));
            }
            places.push(place);
            types.push(ty);
        }
        let mut inputs: Vec<String> = Vec::new();
        for i in &a.inputs {
            let mut v = self.expr(i.expr);
            if self.func.dfg.ty(v) == Type::I1 && matches!(i.constraint.as_str(), "n" | "i") {
                v = self.resize(v, Type::I32, false);
            }
            args.push(v);
            inputs.push(i.constraint.clone());
        }
        for (constraint, v) in ties {
            args.push(v);
            inputs.push(constraint);
        }
        let first = common_type(&types);
        let count = types.len();
        let ty = match (first, count) {
            (None, _) => Type::VOID,
            (Some(t), 1) => t,
            (Some(t), n) => {
                let lanes = [2, 3, 4, 8, 16, 32, 64, 128].into_iter().find(|&l| l >= n).and_then(|l| t.vector(l as u8));
                let Some(ty) = lanes else {
                    self.cx.error(
                        "E0477",
                        self.span,
                        format!("inline assembly with {n} outputs is not supported"),
                        "use at most 128 scalar outputs of one type",
                    );
                    return;
                };
                ty
            }
        };
        let data = AsmData {
            text: a.template.clone(),
            outputs: a.outputs.iter().map(|o| o.constraint.replace('+', "=")).collect(),
            inputs,
            clobbers: a.clobbers.clone(),
            volatile: a.volatile || a.outputs.is_empty(),
        };
        let asm = self.func.dfg.asms.push(data);
        let inst = self.build(|b| b.inst(Opcode::InlineAsm, ty, Flags::NONE, &args, Payload::Asm(asm)));
        let Some(result) = self.func.dfg.result(inst) else { return };
        for (n, place) in places.iter().enumerate() {
            let v = if count == 1 { result } else { self.build(|b| b.extract(result, n as u8)) };
            let v = self.as_output(v, types[n]);
            self.store(place, v);
        }
    }

    /// Whether a kernel's address is its symbol's: cudadevrt launches it. Other pointers to functions are numbers.
    pub(crate) fn has_kernel_symbol(&self, f: FuncId) -> bool {
        let is_kernel = self.cx.program.functions[f.index()].is_kernel;
        is_kernel && self.cx.options.target.ptx_arch().is_some()
    }

    /// The address of a kernel's code, as a value of the type that pointers to functions have.
    pub(crate) fn kernel_symbol(&mut self, f: FuncId, ty: Type) -> Value {
        let data = AsmData {
            text: format!("mov.b64 %0, {};", self.cx.program.functions[f.index()].symbol),
            outputs: vec!["=l".to_owned()],
            inputs: Vec::new(),
            clobbers: Vec::new(),
            volatile: false,
        };
        let asm = self.func.dfg.asms.push(data);
        self.build(|b| b.value(Opcode::InlineAsm, ty, Flags::NONE, &[], Payload::Asm(asm)))
    }

    /// What an output of this type is of a result of the outputs' common type: its low bits.
    fn as_output(&mut self, v: Value, ty: Type) -> Value {
        let from = self.func.dfg.ty(v);
        if from == ty {
            return v;
        }
        let Some(int) = Type::int(ty.bits()) else { return v };
        let v = self.resize(v, int, false);
        if ty.is_ptr() {
            return self.build(|b| b.cast(Opcode::IntToPtr, v, ty));
        }
        self.reinterpret(v, ty)
    }
}

/// The type in which all outputs come back as one value: theirs, or an integer that holds the longest.
fn common_type(types: &[Type]) -> Option<Type> {
    let first = *types.first()?;
    if types.iter().all(|&t| t == first) {
        return Some(first);
    }
    let bits = types.iter().map(|t| t.bits()).max().unwrap_or(32).max(16);
    Type::int(bits.next_power_of_two())
}

/// The register that a statement does nothing but read: `mov.u32 %0, %%laneid;`. Programs ask for the lane and its masks
/// like that, since CUDA has no words for them; other machines and the interpreter have the registers all the same.
fn register_read(a: &Asm) -> Option<SpecialReg> {
    if a.outputs.len() != 1
        || !a.inputs.is_empty()
        || !a.clobbers.is_empty()
        || !a.outputs[0].constraint.starts_with('=')
    {
        return None;
    }
    let text = a.template.trim().strip_suffix(';')?.trim_end();
    let (ty, operands) = text.strip_prefix("mov.")?.split_once(char::is_whitespace)?;
    let (to, from) = operands.split_once(',')?;
    let from = from.trim().strip_prefix('%')?;
    let from = from.strip_prefix('%').unwrap_or(from);
    let bits = ty.strip_prefix(['u', 's', 'b'])?.parse::<u32>().ok()?;
    let reg = SpecialReg::ALL.iter().copied().find(|r| r.name() == from)?;
    (to.trim() == "%0" && bits == reg.bits()).then_some(reg)
}
