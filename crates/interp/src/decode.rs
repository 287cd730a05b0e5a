//! Functions made ready for execution: one dense operation per instruction, values as register numbers.
//!
//! A value takes as many consecutive registers as it has lanes. Constants are registers too, filled from a template
//! when a function is entered, so that execution never asks what kind of operand it has.

use crate::copies::{Lanes, looked_at};
use crate::lanes;
use crate::memory::Arena;
use cranelift_entity::{EntityRef, SecondaryMap};
use ir::{
    AddrSpace, AtomicOp, Block, ConstKind, Flags, FloatCC, Function, IntCC, Intrinsic, Module, Opcode, Payload, Round,
    ScalarKind, SpecialReg, Type, Value, ValueDef,
};
use source::Span;

/// What is undefined of a lane: a bit for each of its bytes, and [`POISON`].
pub(crate) type Shadow = u16;

/// The lane comes out of a broken promise: whatever is computed from it is undefined as a whole.
pub(crate) const POISON: Shadow = 0x100;

/// Lanes of the widest vector.
pub(crate) const MAX_LANES: usize = 64;

/// Registers of the bits of `undef` are filled with this: a value that stands out.
pub(crate) const UNDEF_BITS: u64 = 0xa5a5_a5a5_a5a5_a5a5;

/// What an operation carries besides registers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Data {
    None,
    Int(IntCC),
    Float(FloatCC),
    Round(Round),
    Mem {
        align: u32,
    },
    Atomic(AtomicOp),
    Lane(u8),
    Shuffle(u32),
    Call(u32),
    Intrinsic(Intrinsic),
    Special(SpecialReg),
    /// `malloc`.
    Malloc,
    /// `free`.
    Free,
    Jump(u32),
    Br(u32, u32),
    Switch(u32),
    Unsupported,
}

/// An operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Op {
    pub(crate) op: Opcode,
    pub(crate) flags: Flags,
    /// Element of the result; of the stored value where there is no result.
    pub(crate) kind: ScalarKind,
    pub(crate) bits: u8,
    pub(crate) lanes: u8,
    /// Element of the first operand.
    pub(crate) from: ScalarKind,
    pub(crate) from_bits: u8,
    pub(crate) from_lanes: u8,
    /// Bits of an element of the second operand.
    pub(crate) second_bits: u8,
    /// First register of the result.
    pub(crate) dst: u32,
    /// First registers of the first three operands.
    pub(crate) args: [u32; 3],
    /// All operands, in [`Code::lists`].
    pub(crate) list: (u32, u32),
    pub(crate) data: Data,
    /// Address spaces of the first two operands, where they are pointers.
    pub(crate) spaces: [AddrSpace; 2],
    /// Lanes of a load with which something is done besides copying them.
    pub(crate) looked_at: Lanes,
    /// What executes it, if it is of a kind that is frequent and can neither fail nor go anywhere.
    pub(crate) quick: Option<lanes::Quick>,
}

/// Where a branch goes, and what it moves to the block's parameters.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) pc: u32,
    /// Register to register, in [`Code::moves`].
    pub(crate) moves: (u32, u32),
    /// A move's source is the destination of an earlier one: they must happen at once.
    pub(crate) parallel: bool,
}

/// A switch.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// Sorted by value.
    pub(crate) cases: Vec<(u64, u32)>,
    pub(crate) default: u32,
}

/// A stack slot of the function.
#[derive(Clone, Debug)]
pub(crate) struct SlotInfo {
    pub(crate) size: u64,
    pub(crate) align: u64,
    pub(crate) name: u32,
    /// Registers that hold its address.
    pub(crate) reg: Option<u32>,
}

/// A function, ready.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) name: String,
    /// How many operations the functions before it have.
    pub(crate) first: u32,
    pub(crate) ops: Vec<Op>,
    pub(crate) spans: Vec<Span>,
    pub(crate) lists: Vec<u32>,
    /// How many lanes each of them has.
    pub(crate) widths: Vec<u8>,
    pub(crate) targets: Vec<Target>,
    pub(crate) moves: Vec<(u32, u32)>,
    pub(crate) tables: Vec<Table>,
    pub(crate) shuffles: Vec<[u8; 16]>,
    pub(crate) slots: Vec<SlotInfo>,
    /// Contents of all registers on entry: constants, else 0.
    pub(crate) regs: Vec<u64>,
    pub(crate) shadow: Vec<Shadow>,
    /// First register and lanes of each parameter.
    pub(crate) params: Vec<(u32, u8)>,
    /// Sizes and alignments of the parameters passed by value.
    pub(crate) byval: Vec<Option<(u64, u64)>>,
    pub(crate) ret_lanes: u8,
    /// Bytes of all slots.
    slot_bytes: u64,
    /// What an activation takes of memory.
    pub(crate) cost: u64,
}

impl Code {
    /// Nothing but what operations on registers look up.
    pub(crate) fn of_lists(shuffles: Vec<[u8; 16]>) -> Self {
        Self { shuffles, ..Self::default() }
    }
}

/// Shadow of a lane all of whose bytes are undefined.
pub(crate) fn all_undef(kind: ScalarKind) -> Shadow {
    match kind {
        ScalarKind::Void => 0,
        ScalarKind::I1 | ScalarKind::I8 => 1,
        ScalarKind::I16 | ScalarKind::F16 | ScalarKind::BF16 => 3,
        ScalarKind::I32 | ScalarKind::F32 => 15,
        ScalarKind::I64 | ScalarKind::F64 | ScalarKind::Ptr => 255,
    }
}

struct Decoder<'a> {
    func: &'a Function,
    /// Addresses of the module's globals.
    globals: &'a [u64],
    code: Code,
    /// Register of a value plus 1.
    reg: SecondaryMap<Value, u32>,
    /// Lanes with which something is done besides copying them.
    looked_at: SecondaryMap<Value, Lanes>,
}

/// Makes a function ready. `globals` gives the globals' addresses; `names` collects the names of stack slots.
pub(crate) fn decode(module: &Module, func: &Function, globals: &[u64], names: &mut Vec<String>) -> Code {
    let mut d = Decoder { func, globals, code: Code::default(), reg: SecondaryMap::new(), looked_at: looked_at(func) };
    d.code.name.clone_from(&func.name);
    for s in func.slots.values() {
        let name = if s.name.is_empty() { "a stack slot".to_owned() } else { format!("`{}`", s.name) };
        d.code.slots.push(SlotInfo { size: s.size.into(), align: s.align.into(), name: names.len() as u32, reg: None });
        names.push(name);
    }
    d.code.byval = func.params.iter().map(|p| Some((p.attrs.byval?.into(), p.attrs.align.max(16).into()))).collect();
    d.code.ret_lanes = func.ret.lanes();
    d.code.slot_bytes = d.code.slots.iter().map(|s| s.size).sum();
    if func.is_declaration() {
        return d.code;
    }
    let entry = func.layout.entry();
    for &v in func.dfg.params(entry) {
        let r = d.register(v);
        d.code.params.push((r, func.dfg.ty(v).lanes()));
    }
    let mut start: SecondaryMap<Block, u32> = SecondaryMap::new();
    for b in func.layout.blocks() {
        start[b] = d.code.ops.len() as u32;
        for i in func.layout.insts(b) {
            d.inst(module, i);
        }
    }
    for t in &mut d.code.targets {
        t.pc = start[Block::new(t.pc as usize)];
    }
    let by_value: u64 = d.code.byval.iter().flatten().map(|(size, _)| size).sum();
    d.code.cost = d.code.regs.len() as u64 * 9 + (d.code.slot_bytes + by_value) * 2 + 64;
    d.code
}

impl Decoder<'_> {
    /// First register of a value, made on first use.
    fn register(&mut self, v: Value) -> u32 {
        let v = self.func.dfg.resolve(v);
        if self.reg[v] != 0 {
            return self.reg[v] - 1;
        }
        let ty = self.func.dfg.ty(v);
        let r = self.code.regs.len() as u32;
        self.reg[v] = r + 1;
        let (bits, shadow) = match self.func.dfg.values[v].def {
            ValueDef::Const(ConstKind::Bits(b)) => (b & ty.mask(), 0),
            ValueDef::Const(ConstKind::Undef) => (UNDEF_BITS & ty.mask(), all_undef(ty.kind())),
            ValueDef::Const(ConstKind::Global(g)) => (self.globals.get(g.index()).copied().unwrap_or(0), 0),
            ValueDef::Const(ConstKind::Slot(s)) => {
                if let Some(slot) = self.code.slots.get_mut(s.index()) {
                    slot.reg = Some(r);
                }
                (0, 0)
            }
            _ => (0, 0),
        };
        for _ in 0..ty.lanes() {
            self.code.regs.push(bits);
            self.code.shadow.push(shadow);
        }
        r
    }

    fn target(&mut self, inst: ir::Inst, n: usize) -> u32 {
        let dfg = &self.func.dfg;
        let block = dfg.successor(inst, n);
        let first = self.code.moves.len();
        let pairs: Vec<(Value, Value)> =
            dfg.branch_args(inst, n).iter().copied().zip(dfg.params(block).iter().copied()).collect();
        for (from, to) in pairs {
            let lanes = u32::from(self.func.dfg.ty(to).lanes());
            let (from, to) = (self.register(from), self.register(to));
            if from != to {
                self.code.moves.extend((0..lanes).map(|l| (from + l, to + l)));
            }
        }
        let moves = &self.code.moves[first..];
        let parallel = moves.iter().enumerate().any(|(n, m)| moves[..n].iter().any(|earlier| earlier.1 == m.0));
        let range = (first as u32, self.code.moves.len() as u32);
        self.code.targets.push(Target { pc: block.as_u32(), moves: range, parallel });
        self.code.targets.len() as u32 - 1
    }

    fn inst(&mut self, module: &Module, inst: ir::Inst) {
        let dfg = &self.func.dfg;
        let data = &dfg.insts[inst];
        let args = dfg.args(inst).to_vec();
        let from = args.first().map_or(Type::VOID, |&v| dfg.ty(v));
        let ty = match data.op {
            Opcode::Store => args.get(1).map_or(Type::VOID, |&v| dfg.ty(v)),
            Opcode::MaskedStore => args.get(2).map_or(Type::VOID, |&v| dfg.ty(v)),
            Opcode::Scatter => args.get(3).map_or(Type::VOID, |&v| dfg.ty(v)),
            _ => data.ty,
        };
        let dst = match dfg.result(inst) {
            Some(v) => self.register(v),
            None => 0,
        };
        let list_start = self.code.lists.len() as u32;
        let mut first = [0; 3];
        for (n, &v) in args.iter().enumerate() {
            let r = self.register(v);
            self.code.lists.push(r);
            self.code.widths.push(dfg.ty(v).lanes());
            if let Some(slot) = first.get_mut(n) {
                *slot = r;
            }
        }
        let space = |n: usize| args.get(n).and_then(|&v| dfg.ty(v).space()).unwrap_or(AddrSpace::Generic);
        let spaces = [space(0), space(1)];
        let mut op = Op {
            op: data.op,
            flags: data.flags,
            kind: ty.kind(),
            bits: ty.bits() as u8,
            lanes: ty.lanes(),
            from: from.kind(),
            from_bits: from.bits() as u8,
            from_lanes: from.lanes(),
            second_bits: args.get(1).map_or(0, |&v| dfg.ty(v).bits() as u8),
            dst,
            args: first,
            list: (list_start, self.code.lists.len() as u32),
            data: self.data(module, inst, &args),
            spaces,
            looked_at: dfg.result(inst).map_or(0, |v| self.looked_at[v]),
            quick: None,
        };
        op.quick = lanes::quick(&op);
        self.code.ops.push(op);
        self.code.spans.push(self.func.dfg.span(inst));
    }

    fn data(&mut self, module: &Module, inst: ir::Inst, args: &[Value]) -> Data {
        let dfg = &self.func.dfg;
        match &dfg.insts[inst].payload {
            Payload::None | Payload::Fence(..) | Payload::Hint(_) => match dfg.op(inst) {
                // A vector condition picks lane by lane; a scalar one, everything.
                Opcode::Select => Data::Lane(dfg.ty(args[0]).lanes()),
                _ => Data::None,
            },
            Payload::IntCC(cc) => Data::Int(*cc),
            Payload::FloatCC(cc) => Data::Float(*cc),
            Payload::Round(r) => Data::Round(*r),
            Payload::Mem(m) => Data::Mem { align: m.align() },
            Payload::Atomic(op, ..) => Data::Atomic(*op),
            Payload::Lane(l) => Data::Lane(*l),
            Payload::Shuffle(mask) => {
                self.code.shuffles.push(*mask);
                Data::Shuffle(self.code.shuffles.len() as u32 - 1)
            }
            Payload::Call(f) if module.functions[*f].is_declaration() => match module.functions[*f].name.as_str() {
                "malloc" => Data::Malloc,
                "free" => Data::Free,
                _ => Data::Unsupported,
            },
            Payload::Call(f) => Data::Call(f.as_u32()),
            Payload::Intrinsic(i) => Data::Intrinsic(*i),
            Payload::Special(s) => Data::Special(*s),
            Payload::Asm(_) => Data::Unsupported,
            Payload::Jump(..) => Data::Jump(self.target(inst, 0)),
            Payload::Br(..) => {
                let yes = self.target(inst, 0);
                Data::Br(yes, self.target(inst, 1))
            }
            Payload::Switch(s) => {
                let values: Vec<u64> = dfg.switches[*s].cases.iter().map(|(v, _)| *v).collect();
                let mut cases: Vec<(u64, u32)> =
                    values.iter().enumerate().map(|(n, &v)| (v, self.target(inst, n))).collect();
                let default = self.target(inst, values.len());
                cases.sort_unstable();
                self.code.tables.push(Table { cases, default });
                Data::Switch(self.code.tables.len() as u32 - 1)
            }
        }
    }
}

/// Puts a function's stack slots into private memory and their addresses into its registers.
pub(crate) fn enter_slots(code: &Code, private: &mut Arena, regs: &mut [u64]) {
    let slots = code.slots.iter().map(|s| (s.size, s.align, s.name));
    private.push_all(code.slot_bytes, slots, |n, address| {
        if let Some(r) = code.slots[n].reg {
            regs[r as usize] = address;
        }
    });
}
