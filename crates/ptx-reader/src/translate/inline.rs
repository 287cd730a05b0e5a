//! Inline assembly: a text of PTX in the middle of a function becomes instructions there.
//!
//! The operands `%0`, `%1`, … become registers of the types that their constraints name; inputs are written before the
//! text, outputs read behind it. The carry flag lives from one text of a function to the next, in a slot that the
//! optimiser turns into a value.

use super::Cx;
use super::func::{Entity, Fx};
use super::window::Window;
use crate::Machine;
use crate::ast::Name;
use crate::error::{Outcome, PtxError};
use crate::ssa::Var;
use crate::types::{PtxType, Space};
use crate::{lex, parse};
use ir::{
    AddrSpace, AsmData, Block, Flags, FuncId, Function, Inst, MemInfo, Module, Opcode, Payload, Slot, SlotData, Type,
    Value,
};
use source::Span;
use std::fmt::Write as _;

/// Most bytes of one text.
const MAX_TEXT: usize = 1 << 20;

/// Replaces the inline assembly of a module for which `wanted` holds; all errors, which stand at the assembly. With
/// errors the module is good for nothing.
pub(crate) fn expand(module: &mut Module, machine: Machine, wanted: &impl Fn(&AsmData) -> bool) -> Vec<PtxError> {
    let asked = |f: &Function, i| asm(f, i).is_some_and(|a| wanted(a) && a.text.contains("shared"));
    let shared = |f: &Function| f.layout.blocks().any(|b| f.layout.insts(b).any(|i| asked(f, i)));
    let before = module.functions.values().any(shared).then(|| module.clone());
    let mut wants_window = false;
    let errors = expand_all(module, machine, wanted, (None, &mut wants_window));
    let (true, Some(before)) = (wants_window, before) else { return errors };
    *module = before;
    match Window::of_module(module) {
        Some(w) => expand_all(module, machine, wanted, (Some(&w), &mut wants_window)),
        None => errors,
    }
}

fn expand_all(
    module: &mut Module,
    machine: Machine,
    wanted: &impl Fn(&AsmData) -> bool,
    (window, wants_window): (Option<&Window>, &mut bool),
) -> Vec<PtxError> {
    let mut errors = Vec::new();
    let ids: Vec<FuncId> = module.functions.keys().collect();
    for id in ids {
        let f = &mut module.functions[id];
        let of_blocks = f.layout.blocks().flat_map(|b| f.layout.insts(b));
        let found: Vec<Inst> = of_blocks.filter(|&i| asm(f, i).is_some_and(wanted)).collect();
        if found.is_empty() {
            continue;
        }
        let carry = found.iter().filter_map(|&i| asm(f, i)).any(|a| a.text.contains(".cc")).then(|| {
            let slot = SlotData { size: 1, align: 1, dims: Default::default(), name: "carry".to_owned() };
            f.slots.push(slot)
        });
        let mut func = std::mem::replace(f, Function::new("", ir::FnKind::Device));
        for (n, inst) in found.into_iter().enumerate() {
            if let Err(e) = one(module, (machine, window), &mut func, (inst, n), carry, wants_window) {
                errors.push(e);
            }
        }
        func.resolve_aliases();
        module.functions[id] = func;
    }
    super::parts::clear_first(module);
    errors
}

fn asm(f: &Function, i: Inst) -> Option<&AsmData> {
    match f.dfg.insts[i].payload {
        Payload::Asm(a) if f.dfg.op(i) == Opcode::InlineAsm => Some(&f.dfg.asms[a]),
        _ => None,
    }
}

/// An operand of the assembly.
enum Bound {
    Register(Var, PtxType),
    Constant,
}

/// One text in place of its instruction.
fn one(
    module: &mut Module,
    (machine, window): (Machine, Option<&Window>),
    func: &mut Function,
    (inst, number): (Inst, usize),
    carry: Option<Slot>,
    wants_window: &mut bool,
) -> Outcome<()> {
    let span = func.dfg.span(inst);
    let Some(data) = asm(func, inst).cloned() else { return Ok(()) };
    let at = func.layout.inst_block(inst).unwrap_or(func.layout.entry());
    let names: Vec<String> = (0..data.outputs.len() + data.inputs.len()).map(|n| format!("%${n}")).collect();
    let mut translate = || {
        let mut text = String::new();
        numbered(&data, func, inst, number, &mut text)?;
        let body = lex::tokens(&text, 0).and_then(|tokens| parse::statements(&tokens))?;
        // What is looked up in the body are its own names and the operands'.
        let mut cx = Cx::new(std::mem::take(module));
        cx.warp = machine.warp;
        cx.short_shared = machine.short_shared;
        cx.window = window.cloned();
        cx.matrix_units = machine.matrix_units;
        let taken = std::mem::replace(func, Function::new("", ir::FnKind::Device));
        let mut fx = Fx::new(&mut cx, taken, at, span);
        fx.inline = true;
        let outcome = fx.expand_at(&data, inst, at, (&body, &names), carry);
        *func = fx.func;
        *module = cx.module;
        *wants_window |= cx.wants_window;
        outcome
    };
    translate().map_err(|e| PtxError { span, message: format!("in the inline assembly: {}", e.message), ..e })
}

/// The type of the register that a constraint names.
fn register(constraint: &str) -> Option<PtxType> {
    Some(match constraint.trim_start_matches(['=', '+', '&']) {
        "h" => PtxType::B(16),
        "r" => PtxType::B(32),
        "l" => PtxType::B(64),
        "f" => PtxType::F32,
        "d" => PtxType::F64,
        "b" => PtxType::Pred,
        _ => return None,
    })
}

/// The text with names for its operands: `%0` is `%$0`, constants stand as they are.
fn numbered(data: &AsmData, f: &Function, inst: Inst, number: usize, out: &mut String) -> Outcome<()> {
    if data.text.len() > MAX_TEXT {
        return Err(PtxError::limit(Span::NONE, "the text is too long"));
    }
    let mut rest = data.text.as_str();
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 {
            let n: usize = rest[..digits].parse().unwrap_or(usize::MAX);
            let input = n.checked_sub(data.outputs.len());
            match input.and_then(|k| Some((data.inputs.get(k)?, f.dfg.resolve(*f.dfg.args(inst).get(k)?)))) {
                Some((c, v)) if matches!(c.as_str(), "n" | "i") => out.push_str(&constant(f, v)?),
                _ => {
                    let _ = write!(out, "%${n}");
                }
            }
            rest = &rest[digits..];
        } else if let Some(after) = rest.strip_prefix('%') {
            out.push('%');
            rest = after;
        } else if let Some(after) = rest.strip_prefix('=') {
            let _ = write!(out, "{number}");
            rest = after;
        } else {
            out.push('%');
        }
    }
    out.push_str(rest);
    // A text may leave out the last semicolon.
    let end = out.trim_end();
    if !end.is_empty() && !end.ends_with([';', '}', ':']) && !end.lines().last().is_some_and(|l| l.contains("//")) {
        out.push(';');
    }
    Ok(())
}

/// A constant operand as PTX writes it.
fn constant(f: &Function, v: Value) -> Outcome<String> {
    let bad = || PtxError::operand(Span::NONE, "an operand with the constraint \"n\" that is not constant");
    let bits = f.dfg.as_bits(v).ok_or_else(bad)?;
    match f.dfg.ty(v) {
        Type::F32 => Ok(format!("0f{bits:08x}")),
        Type::F64 => Ok(format!("0d{bits:016x}")),
        ty if ty.is_int() => Ok(f.dfg.as_int(v).ok_or_else(bad)?.to_string()),
        _ => Err(bad()),
    }
}

impl<'a> Fx<'a, '_> {
    /// Puts the statements in the place of an instruction.
    fn expand_at(
        &mut self,
        data: &AsmData,
        inst: Inst,
        at: Block,
        (body, names): (&'a [crate::ast::Statement<'a>], &'a [String]),
        carry: Option<Slot>,
    ) -> Outcome<()> {
        let rest = self.func.dfg.make_block();
        self.func.layout.insert_block_after(rest, at);
        self.func.layout.split_block(inst, rest);
        let bound = self.bind(data, inst, names)?;
        let carry_out = data.text.contains(".cc");
        if ["addc", "subc", "madc"].iter().any(|w| data.text.contains(w)) {
            match carry {
                Some(slot) => self.load_carry(slot),
                None => return Err(PtxError::unsupported(self.span, "the carry flag of another function is read")),
            }
        }
        self.body(body)?;
        let result = if self.live {
            if let (Some(slot), true) = (carry, carry_out) {
                self.store_carry(slot);
            }
            let result = self.outputs(data, inst, &bound)?;
            self.builder().jump(rest, &[]);
            result
        } else {
            // It stops the kernel: nobody gets here.
            self.func.dfg.result(inst).map(|old| self.func.dfg.undef(self.func.dfg.ty(old)))
        };
        if let (Some(old), Some(new)) = (self.func.dfg.result(inst), result) {
            self.func.dfg.replace_value(old, new);
        }
        self.func.layout.remove_inst(inst);
        if self.live && self.block == at {
            // What had no branches stands in one piece again.
            ir::edit::merge_successor(&mut self.func, at, |dfg, param, v| dfg.replace_value(param, v));
            return Ok(());
        }
        self.finish()
    }

    /// Registers for the operands, inputs filled.
    fn bind(&mut self, data: &AsmData, inst: Inst, names: &'a [String]) -> Outcome<Vec<Bound>> {
        let unknown = |c: &str| {
            PtxError::unsupported(Span::NONE, format!("the constraint \"{c}\"")).help(
                "constraints are h for 16 bits, r for 32, l for 64, f for float and d for double, n for constants",
            )
        };
        let mut bound = Vec::new();
        for c in &data.outputs {
            let ty = register(c).ok_or_else(|| unknown(c))?;
            bound.push(Bound::Register(self.register_of(ty), ty));
        }
        let args: Vec<Value> = self.func.dfg.args(inst).iter().map(|&v| self.func.dfg.resolve(v)).collect();
        for (c, v) in data.inputs.iter().zip(args) {
            let b = match c.parse::<usize>().ok() {
                Some(n) => match bound.get(n) {
                    Some(&Bound::Register(var, ty)) if n < data.outputs.len() => Bound::Register(var, ty),
                    _ => return Err(unknown(c)),
                },
                None if matches!(c.as_str(), "n" | "i") => Bound::Constant,
                None => {
                    let ty = register(c).ok_or_else(|| unknown(c))?;
                    Bound::Register(self.register_of(ty), ty)
                }
            };
            if let Bound::Register(var, _) = b {
                let v = self.input(v, self.ssa.ty(var))?;
                self.ssa.write(self.block, var, v);
            }
            bound.push(b);
        }
        for (name, b) in names.iter().zip(&bound) {
            if let Bound::Register(var, ty) = b {
                self.declare(Name { text: name, span: Span::NONE }, Entity::Register(*var, *ty))?;
            }
        }
        Ok(bound)
    }

    fn register_of(&mut self, ty: PtxType) -> Var {
        self.ssa.declare(ty.register().unwrap_or(Type::I32))
    }

    /// A value as a register of a type holds it.
    fn input(&mut self, v: Value, to: Type) -> Outcome<Value> {
        let from = self.ty(v);
        if from.is_ptr() && !from.is_vector() && to == Type::I64 {
            let domain = match from.space() {
                Some(AddrSpace::Shared) => Space::Shared,
                Some(AddrSpace::Constant) => Space::Const,
                Some(AddrSpace::Private) => Space::Local,
                Some(AddrSpace::Global) => Space::Global,
                _ => Space::Generic,
            };
            return Ok(self.address_value(v, domain));
        }
        if from.bits() == to.bits() && !from.is_vector() && !from.is_ptr() {
            return Ok(self.reinterpret(v, to));
        }
        if from.is_int() && !from.is_vector() && to.is_int() && from.bits() < to.bits() {
            return Ok(self.resize(v, to, false));
        }
        Err(PtxError::operand(Span::NONE, format!("an operand of type `{from}` in a register of {} bits", to.bits())))
    }

    /// The result of the instruction: an output, or the vector of all.
    fn outputs(&mut self, data: &AsmData, inst: Inst, bound: &[Bound]) -> Outcome<Option<Value>> {
        let Some(result) = self.func.dfg.result(inst) else { return Ok(None) };
        let ty = self.ty(result);
        let mut lanes = Vec::new();
        for b in &bound[..data.outputs.len().min(bound.len())] {
            let Bound::Register(var, _) = b else { continue };
            let v = self.ssa.read(&mut self.func, self.block, *var);
            lanes.push(self.output(v, ty.scalar())?);
        }
        if !ty.is_vector() {
            return Ok(lanes.first().copied());
        }
        let rest = self.func.dfg.undef(ty.scalar());
        lanes.resize(usize::from(ty.lanes()), rest);
        Ok(Some(self.builder().vec_build(&lanes)))
    }

    fn output(&mut self, v: Value, to: Type) -> Outcome<Value> {
        let from = self.ty(v);
        if to.is_ptr() && from == Type::I64 {
            return Ok(self.cast(Opcode::IntToPtr, v, to));
        }
        if to == Type::I1 && from.is_int() && from != to {
            return Ok(self.is_set(v));
        }
        let longer = to.is_int() && !to.is_vector() && from.bits() < to.bits();
        if from.bits() == to.bits() || from.is_int() && to.is_int() && from.bits() > to.bits() || longer {
            return Ok(self.reinterpret(v, to));
        }
        Err(PtxError::operand(Span::NONE, format!("an output of {} bits for a value of type `{to}`", from.bits())))
    }

    /// The carry flag that an earlier text left.
    fn load_carry(&mut self, slot: Slot) {
        let p = self.func.slot_addr(slot);
        let v = self.builder().load(Type::I8, p, MemInfo::aligned(1), Flags::NONE);
        let v = self.is_set(v);
        self.ssa.write(self.block, self.carry, v);
    }

    fn store_carry(&mut self, slot: Slot) {
        let v = self.ssa.read(&mut self.func, self.block, self.carry);
        let v = self.cast(Opcode::ZExt, v, Type::I8);
        let p = self.func.slot_addr(slot);
        self.builder().store(p, v, MemInfo::aligned(1), Flags::NONE);
    }
}
