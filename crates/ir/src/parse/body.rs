//! Function bodies.

use super::lex::Tok;
use super::{Parser, Result, type_by_name};
use crate::{
    AsmData, AtomicOp, Block, BlockCall, CacheOp, Flags, FloatCC, Function, IntCC, Intrinsic, LoopMd, MemInfo,
    MemOrder, Opcode, Payload, Round, Scope, SpecialReg, SwitchData, Type, UNDEF_LANE, Value, ValueDef,
};
use cranelift_entity::{EntityList, EntityRef};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

struct Body<'p, 't, 'f> {
    p: &'p mut Parser<'t>,
    f: &'f mut Function,
    blocks: FxHashMap<u32, Block>,
    values: FxHashMap<u32, Value>,
    /// Uses before definitions: made as placeholders, checked at the end.
    forward: FxHashMap<u32, Value>,
}

/// Parses what stands between the braces.
pub(super) fn parse_body(p: &mut Parser<'_>, f: &mut Function) -> Result<()> {
    let mut b =
        Body { p, f, blocks: FxHashMap::default(), values: FxHashMap::default(), forward: FxHashMap::default() };
    b.prologue()?;
    b.block_list()?;
    b.finish()
}

impl Body<'_, '_, '_> {
    fn prologue(&mut self) -> Result<()> {
        loop {
            if let Some(n) = self.p.numbered("slot") {
                self.p.expect(':')?;
                let s = self.p.slot()?;
                let id = self.f.slots.push(s);
                if id.index() != n as usize {
                    return self.p.fail("slots must be numbered from 0 in order");
                }
            } else if let Some(n) = self.p.numbered("loop") {
                self.p.expect(':')?;
                let m = self.p.loop_meta()?;
                let id = self.f.loops.push(m);
                if id.index() != n as usize {
                    return self.p.fail("loops must be numbered from 0 in order");
                }
            } else {
                return Ok(());
            }
        }
    }

    /// The block numbered `n`, made when first named.
    fn block(&mut self, n: u32) -> Block {
        let f = &mut *self.f;
        *self.blocks.entry(n).or_insert_with(|| f.dfg.make_block())
    }

    fn block_list(&mut self) -> Result<()> {
        while self.p.lex.peek() != &Tok::Punct('}') {
            let Some(n) = self.p.numbered("block") else { return self.p.fail("expected a block") };
            let b = self.block(n);
            if self.f.layout.is_placed(b) {
                return self.p.fail("block occurs twice");
            }
            self.f.layout.append_block(b);
            if self.p.eat('(') {
                while !self.p.eat(')') {
                    if !self.f.dfg.params(b).is_empty() {
                        self.p.expect(',')?;
                    }
                    let Some(v) = self.p.numbered("v") else { return self.p.fail("expected a value name") };
                    self.p.expect(':')?;
                    let ty = self.p.ty()?;
                    let value = self.f.dfg.add_param(b, ty);
                    self.define(v, value)?;
                }
            }
            self.p.expect(':')?;
            while !matches!(self.p.lex.peek(), Tok::Punct('}'))
                && !matches!(self.p.lex.peek(), Tok::Word(w) if w.starts_with("block"))
            {
                if self.p.lex.peek() == &Tok::End {
                    return self.p.fail("expected `}`");
                }
                self.inst(b)?;
            }
        }
        Ok(())
    }

    fn define(&mut self, n: u32, value: Value) -> Result<()> {
        if let Some(placeholder) = self.forward.remove(&n) {
            // The placeholder's type is unknown until now; the verifier checks the uses.
            self.f.dfg.values[placeholder].ty = self.f.dfg.ty(value);
            self.f.dfg.values[placeholder].def = ValueDef::Alias(value);
        }
        if self.values.insert(n, value).is_some() {
            return self.p.fail(format!("v{n} is defined twice"));
        }
        Ok(())
    }

    fn finish(self) -> Result<()> {
        if let Some(n) = self.forward.keys().min() {
            return self.p.fail(format!("v{n} is not defined"));
        }
        if let Some((n, _)) = self.blocks.iter().filter(|(_, b)| !self.f.layout.is_placed(**b)).min() {
            return self.p.fail(format!("block{n} is not defined"));
        }
        self.f.resolve_aliases();
        Ok(())
    }

    // ---- operands -------------------------------------------------------------------------------------------------

    /// Whether an operand follows on the same line.
    fn is_operand(&mut self) -> bool {
        if self.p.lex.at_line_start() {
            return false;
        }
        match self.p.lex.peek() {
            Tok::Punct('&') | Tok::Symbol(_) => true,
            Tok::Word(w) => {
                *w == "undef"
                    || type_by_name(w).is_some()
                    || w.strip_prefix('v').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
            }
            _ => false,
        }
    }

    fn operand(&mut self) -> Result<Value> {
        if let Some(n) = self.p.numbered("v") {
            if let Some(&v) = self.values.get(&n) {
                return Ok(v);
            }
            let f = &mut *self.f;
            // Defined later: a value of its own that becomes an alias then.
            return Ok(*self.forward.entry(n).or_insert_with(|| {
                f.dfg.values.push(crate::ValueData { ty: Type::VOID, def: ValueDef::Const(crate::ConstKind::Undef) })
            }));
        }
        if self.p.eat('&') {
            let Some(n) = self.p.numbered("slot") else { return self.p.fail("expected a slot") };
            if n as usize >= self.f.slots.len() {
                return self.p.fail("no such slot");
            }
            return Ok(self.f.slot_addr(crate::Slot::new(n as usize)));
        }
        if matches!(self.p.lex.peek(), Tok::Symbol(_)) {
            let name = self.p.symbol()?;
            let Some(&g) = self.p.globals.get(&name) else { return self.p.fail("unknown global") };
            // The global's own line may come later: its space is read ahead of the bodies.
            let ty = Type::ptr(self.p.module.globals[g].space);
            return Ok(self.f.dfg.constant(ty, crate::ConstKind::Global(g)));
        }
        if self.p.eat_word("undef") {
            if !self.p.lex.colon_follows() {
                return self.p.fail("expected `:` and a type");
            }
            let ty = self.p.ty()?;
            return Ok(self.f.dfg.undef(ty));
        }
        let ty = self.p.ty()?;
        if !self.p.lex.colon_follows() {
            return self.p.fail("expected `:` and a constant");
        }
        let word = self.p.lex.raw();
        match constant_bits(ty, word) {
            Some(bits) => Ok(self.f.dfg.bits(ty, bits)),
            None => self.p.fail(format!("`{word}` is no constant of type {ty}")),
        }
    }

    fn target(&mut self) -> Result<BlockCall> {
        let Some(n) = self.p.numbered("block") else { return self.p.fail("expected a block") };
        let block = self.block(n);
        let mut args: SmallVec<[Value; 8]> = SmallVec::new();
        if self.p.eat('(') {
            while !self.p.eat(')') {
                if !args.is_empty() {
                    self.p.expect(',')?;
                }
                args.push(self.operand()?);
            }
        }
        Ok(BlockCall { block, args: EntityList::from_slice(&args, &mut self.f.dfg.pool) })
    }

    fn loop_md(&mut self) -> Result<Option<LoopMd>> {
        if !self.p.eat('!') {
            return Ok(None);
        }
        match self.p.numbered("loop") {
            Some(n) if (n as usize) < self.f.loops.len() => Ok(Some(LoopMd::new(n as usize))),
            _ => self.p.fail("no such loop"),
        }
    }

    // ---- instructions ---------------------------------------------------------------------------------------------

    fn inst(&mut self, block: Block) -> Result<()> {
        let result = match self.p.numbered("v") {
            Some(n) => {
                self.p.expect(':')?;
                let ty = self.p.ty()?;
                self.p.expect('=')?;
                Some((n, ty))
            }
            None => None,
        };
        let op = match self.p.lex.peek() {
            Tok::Word(w) => Opcode::ALL.iter().copied().find(|o| o.name() == *w),
            _ => None,
        };
        let Some(op) = op else { return self.p.fail("expected an instruction") };
        self.p.lex.next_tok();
        let mut flags = Flags::NONE;
        while let Tok::Word(w) = self.p.lex.peek() {
            let Some(&(f, _)) = Flags::NAMES.iter().find(|(_, n)| n == w) else { break };
            flags = flags.with(f);
            self.p.lex.next_tok();
        }
        let ty = result.map_or(Type::VOID, |(_, t)| t);
        let mut payload = self.payload(op, ty)?;
        let mut args: SmallVec<[Value; 8]> = SmallVec::new();
        if self.is_operand() {
            args.push(self.operand()?);
            while op != Opcode::Br && op != Opcode::Switch && self.p.eat(',') {
                args.push(self.operand()?);
            }
        }
        self.targets(op, &mut payload)?;
        let inst = self.f.dfg.make_inst(op, ty, flags, &args, payload);
        self.f.layout.append_inst(inst, block);
        if let Some((n, _)) = result {
            match self.f.dfg.result(inst) {
                Some(v) => self.define(n, v)?,
                None => return self.p.fail("a result cannot be void"),
            }
        }
        Ok(())
    }

    fn word_of<T: Copy>(&mut self, all: &[T], name: impl Fn(T) -> &'static str, what: &str) -> Result<T> {
        let found = match self.p.lex.peek() {
            Tok::Word(w) => all.iter().copied().find(|&x| name(x) == *w),
            _ => None,
        };
        match found {
            Some(x) => {
                self.p.lex.next_tok();
                Ok(x)
            }
            None => self.p.fail(format!("expected {what}")),
        }
    }

    fn payload(&mut self, op: Opcode, ty: Type) -> Result<Payload> {
        use Opcode::*;
        Ok(match op {
            Icmp => Payload::IntCC(self.word_of(&IntCC::ALL, IntCC::name, "a condition")?),
            Fcmp => Payload::FloatCC(self.word_of(&FloatCC::ALL, FloatCC::name, "a condition")?),
            Load | Store | MaskedLoad | MaskedStore | Gather | Scatter | MemCpy | MemSet => self.mem()?,
            AtomicRmw | AtomicCas => {
                let rmw = if op == AtomicRmw {
                    self.word_of(&AtomicOp::ALL, AtomicOp::name, "an atomic operation")?
                } else {
                    AtomicOp::Xchg
                };
                let (order, scope) = self.order()?;
                Payload::Atomic(rmw, order, scope)
            }
            Fence => {
                let (order, scope) = self.order()?;
                Payload::Fence(order, scope)
            }
            Extract | Insert => {
                if !self.p.eat_word("lane") {
                    return self.p.fail("expected `lane`");
                }
                Payload::Lane(self.p.number_as()?)
            }
            Shuffle => {
                let mut mask = [UNDEF_LANE; 16];
                if ty.lanes() as usize > mask.len() {
                    return self.p.fail("a shuffle gives 16 lanes at most");
                }
                self.p.expect('[')?;
                for lane in mask.iter_mut().take(ty.lanes() as usize) {
                    *lane = self.p.number_as()?;
                }
                self.p.expect(']')?;
                Payload::Shuffle(mask)
            }
            Call => {
                let name = self.p.symbol()?;
                match self.p.functions.get(&name) {
                    Some(&f) => Payload::Call(f),
                    None => return self.p.fail(format!("unknown function `{name}`")),
                }
            }
            Intrinsic => {
                Payload::Intrinsic(self.word_of(self::Intrinsic::ALL, self::Intrinsic::name, "an intrinsic")?)
            }
            Special => Payload::Special(self.word_of(SpecialReg::ALL, SpecialReg::name, "a special register")?),
            InlineAsm => self.asm()?,
            Provable => {
                if !self.p.eat_word("hint") {
                    return self.p.fail("expected `hint`");
                }
                Payload::Hint(source::HintId(self.p.number_as()?))
            }
            _ => {
                let rounds = matches!(self.p.lex.peek(), Tok::Word(w) if Round::ALL.iter().any(|r| r.name() == *w));
                if rounds {
                    Payload::Round(self.word_of(&Round::ALL, Round::name, "a rounding mode")?)
                } else {
                    Payload::None
                }
            }
        })
    }

    fn mem(&mut self) -> Result<Payload> {
        if !self.p.eat_word("align") {
            return self.p.fail("expected `align`");
        }
        let align: u32 = self.p.number_as()?;
        if !align.is_power_of_two() {
            return self.p.fail("alignment must be a power of two");
        }
        let mut mem = MemInfo::aligned(align);
        if self.p.eat_word("cache") {
            mem.cache = self.word_of(&CacheOp::ALL[1..], CacheOp::name, "a cache operator")?;
        }
        Ok(Payload::Mem(mem))
    }

    fn order(&mut self) -> Result<(MemOrder, Scope)> {
        let order = self.word_of(&MemOrder::ALL, MemOrder::name, "a memory order")?;
        let scope = self.word_of(&Scope::ALL, Scope::name, "a scope")?;
        Ok((order, scope))
    }

    fn asm(&mut self) -> Result<Payload> {
        let mut a = AsmData {
            text: self.p.string()?,
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
            volatile: false,
        };
        loop {
            if self.p.eat_word("out") {
                a.outputs.push(self.p.string()?);
            } else if self.p.eat_word("in") {
                a.inputs.push(self.p.string()?);
            } else if self.p.eat_word("clobber") {
                a.clobbers.push(self.p.string()?);
            } else if self.p.eat_word("volatile") {
                a.volatile = true;
            } else {
                return Ok(Payload::Asm(self.f.dfg.asms.push(a)));
            }
        }
    }

    fn targets(&mut self, op: Opcode, payload: &mut Payload) -> Result<()> {
        match op {
            Opcode::Jump => {
                let c = self.target()?;
                *payload = Payload::Jump(c, self.loop_md()?.into());
            }
            Opcode::Br => {
                self.p.expect(',')?;
                let yes = self.target()?;
                self.p.expect(',')?;
                let no = self.target()?;
                *payload = Payload::Br([yes, no], self.loop_md()?.into());
            }
            Opcode::Switch => {
                self.p.expect(',')?;
                self.p.expect('[')?;
                let mut cases = Vec::new();
                while !self.p.eat(']') {
                    if !cases.is_empty() {
                        self.p.expect(',')?;
                    }
                    let n: u64 = self.p.number_as()?;
                    self.p.expect(':')?;
                    cases.push((n, self.target()?));
                }
                self.p.expect(',')?;
                let default = self.target()?;
                *payload = Payload::Switch(self.f.dfg.switches.push(SwitchData { cases, default }));
            }
            _ => {}
        }
        Ok(())
    }
}

/// The bits of a constant by its text.
fn constant_bits(ty: Type, word: &str) -> Option<u64> {
    if ty.is_void() {
        return None;
    }
    if ty.scalar() == Type::I1 {
        return match word {
            "true" => Some(1),
            "false" => Some(0),
            _ => None,
        };
    }
    if let Some(hex) = word.strip_prefix("0x") {
        return u64::from_str_radix(hex, 16).ok().filter(|b| b & !ty.mask() == 0);
    }
    match ty.scalar() {
        Type::F32 => word.parse::<f32>().ok().map(|x| u64::from(x.to_bits())),
        Type::F64 => word.parse::<f64>().ok().map(f64::to_bits),
        t if t.is_int() => {
            let n: i128 = word.parse().ok()?;
            let (min, max) = (-(1i128 << (t.bits() - 1)), (1i128 << t.bits()) - 1);
            (min..=max).contains(&n).then_some(n as u64 & t.mask())
        }
        _ => None,
    }
}
