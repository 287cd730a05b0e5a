//! A function's body: scopes, blocks, statements.

use super::indirect::Callees;
use super::mods::Mods;
use super::{Cx, Pass};
use crate::ast::{self, Instruction, Name, Statement, Variable};
use crate::error::{Outcome, PtxError};
use crate::ssa::{Ssa, Var};
use crate::types::{PtxType, Space};
use ir::{Block, Builder, Function, ReversePostOrder, SlotData, Type, Value};
use rustc_hash::FxHashMap;
use source::Span;

/// Most bytes of a variable in local memory.
const MAX_LOCAL: u64 = 1 << 24;
/// Most registers that a function declares.
const MAX_REGISTERS: u32 = 1 << 24;

/// Most loops of a function that are told to stay.
const MAX_KEPT: usize = 4096;

/// What a name in a body stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entity {
    /// A register.
    Register(Var, PtxType),
    /// A parameter or result of a call that is one value.
    Value(Var),
    /// A variable in memory: its address.
    Memory(Value, Space),
    /// A variable in the window of shared memory: where.
    Window(u64),
    /// A kernel's parameter that is one value.
    Param(Value),
}

/// What is declared between two braces.
#[derive(Default)]
pub(crate) struct Scope<'a> {
    /// Its number, for labels.
    id: u32,
    names: FxHashMap<&'a str, Entity>,
    /// `%r<10>`: prefix, number, type.
    ranges: FxHashMap<&'a str, (u32, PtxType)>,
}

/// A function that is being translated.
pub(crate) struct Fx<'a, 'm> {
    pub(crate) cx: &'m mut Cx<'a>,
    /// Its number among the signatures.
    pub(crate) signature: usize,
    pub(crate) kernel: bool,
    /// Whether it is inline assembly, whose place is that of the statement.
    pub(crate) inline: bool,
    pub(crate) func: Function,
    pub(crate) block: Block,
    /// Whether what follows can be reached.
    pub(crate) live: bool,
    pub(crate) span: Span,
    pub(crate) ssa: Ssa,
    /// The carry flag.
    pub(crate) carry: Var,
    /// The result, where it is one value.
    pub(crate) result: Option<Var>,
    /// What is known of integers that are addresses: the pointer, and the space in which the number means it.
    pub(crate) pointers: FxHashMap<Value, (Value, Space)>,
    pub(crate) scopes: Vec<Scope<'a>>,
    next_scope: u32,
    /// Scopes around each scope.
    parents: Vec<u32>,
    labels: FxHashMap<(u32, &'a str), Block>,
    /// `.branchtargets`.
    pub(crate) targets: FxHashMap<&'a str, &'a [Name<'a>]>,
    /// `.callprototype` and `.calltargets`, by name; names of different scopes may be the same.
    pub(crate) prototypes: FxHashMap<(u32, &'a str), Callees<'a>>,
    /// Headers of loops that stay as they are.
    pub(crate) kept: Vec<Block>,
}

/// Translates a function's body into its place in the module.
pub(super) fn define<'a>(cx: &mut Cx<'a>, signature: usize, decl: &'a ast::Function<'a>) -> Outcome<()> {
    let Some(body) = decl.body.as_deref() else { return Ok(()) };
    let id = cx.signatures[signature].id;
    let mut func = cx.module.functions[id].clone();
    func.span = decl.name.span;
    let entry = func.new_entry_block();
    let mut fx = Fx::new(cx, func, entry, decl.name.span);
    fx.signature = signature;
    fx.signature_names(decl)?;
    // A label may stand at the very start, and nothing branches to an entry block.
    let first = fx.func.new_block();
    fx.builder().jump(first, &[]);
    fx.block = first;
    fx.body(body)?;
    if fx.live {
        fx.ret()?;
    }
    fx.finish()?;
    let func = fx.func;
    cx.module.functions[id] = func;
    Ok(())
}

impl<'a, 'm> Fx<'a, 'm> {
    /// Begins in a block of a function.
    pub(super) fn new(cx: &'m mut Cx<'a>, func: Function, block: Block, span: Span) -> Self {
        let mut ssa = Ssa::new(block);
        let carry = ssa.declare(Type::I1);
        Self {
            cx,
            signature: 0,
            kernel: func.kind == ir::FnKind::Kernel,
            inline: false,
            func,
            block,
            live: true,
            span,
            ssa,
            carry,
            result: None,
            pointers: FxHashMap::default(),
            scopes: vec![Scope::default()],
            next_scope: 1,
            parents: vec![0],
            labels: FxHashMap::default(),
            targets: FxHashMap::default(),
            prototypes: FxHashMap::default(),
            kept: Vec::new(),
        }
    }

    /// Translates statements.
    pub(super) fn body(&mut self, body: &'a [Statement<'a>]) -> Outcome<()> {
        self.find_labels(body)?;
        for s in body {
            self.statement(s)?;
        }
        Ok(())
    }

    /// Builds at the end of the current block, at the current place.
    pub(crate) fn builder(&mut self) -> Builder<'_> {
        let mut b = Builder::at_end(&mut self.func, self.block);
        b.set_span(self.span);
        b
    }

    /// Removes what cannot be reached, and gives the branches their arguments.
    pub(super) fn finish(&mut self) -> Outcome<()> {
        // Labels at the end, and those behind which nothing stands.
        let open: Vec<Block> = self.func.layout.blocks().filter(|&b| self.func.layout.last_inst(b).is_none()).collect();
        for b in open {
            Builder::at_end(&mut self.func, b).unreachable();
        }
        let order = ReversePostOrder::new(&self.func);
        ir::edit::remove_unreachable(&mut self.func, &order);
        let ssa = std::mem::replace(&mut self.ssa, Ssa::new(self.block));
        ssa.finish(&mut self.func).map_err(|_| {
            PtxError::limit(self.func.span, format!("`{}` has too many branches and registers", self.func.name))
        })?;
        self.keep_loops();
        Ok(())
    }

    // ---- names ----------------------------------------------------------------------------------------------------

    /// Parameters and results of the function.
    fn signature_names(&mut self, decl: &'a ast::Function<'a>) -> Outcome<()> {
        let entry = self.func.layout.entry();
        let mut values: Vec<Value> = self.func.dfg.params(entry).to_vec();
        let (params, result) = {
            let s = &self.cx.signatures[self.signature];
            (s.params.clone(), s.result)
        };
        if let (Some(how), [r]) = (result, decl.results.as_slice()) {
            let e = match how {
                Pass::Value(ty) => {
                    let var = self.ssa.declare(ty);
                    self.result = Some(var);
                    if r.space == Space::Reg { Entity::Register(var, r.ty) } else { Entity::Value(var) }
                }
                Pass::Memory(..) => Entity::Memory(values.remove(0), Space::Param),
            };
            self.declare(r.name, e)?;
        }
        for ((p, how), v) in decl.params.iter().zip(params).zip(values) {
            let e = match how {
                Pass::Memory(..) => Entity::Memory(v, Space::Param),
                Pass::Value(_) if decl.kernel => Entity::Param(self.param_bits(p, v)),
                Pass::Value(ty) => {
                    let var = self.ssa.declare(ty);
                    self.ssa.write(entry, var, v);
                    if p.space == Space::Reg { Entity::Register(var, p.ty) } else { Entity::Value(var) }
                }
            };
            self.declare(p.name, e)?;
        }
        Ok(())
    }

    /// The value of a kernel's parameter as a register holds it.
    fn param_bits(&mut self, p: &Variable<'_>, v: Value) -> Value {
        let ty = self.func.dfg.ty(v);
        if ty.is_ptr() {
            // Without a space the address is a generic one.
            let domain = p.pointer.flatten().unwrap_or(Space::Generic);
            return self.address_value(v, domain);
        }
        match ty {
            Type::F16 | Type::BF16 => self.builder().cast(ir::Opcode::Bitcast, v, Type::I16),
            _ => v,
        }
    }

    pub(super) fn declare(&mut self, name: Name<'a>, e: Entity) -> Outcome<()> {
        let Some(scope) = self.scopes.last_mut() else { return Ok(()) };
        if scope.names.insert(name.text, e).is_some() {
            return Err(PtxError::name(name.span, format!("`{}` is declared twice", name.text)));
        }
        Ok(())
    }

    /// What a name stands for, if it is declared.
    pub(crate) fn lookup(&mut self, name: &'a str) -> Option<Entity> {
        match self.find(name)? {
            Entity::Window(offset) => Some(Entity::Memory(self.window_pointer(offset)?, Space::Shared)),
            e => Some(e),
        }
    }

    fn find(&mut self, name: &'a str) -> Option<Entity> {
        let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let (prefix, number) = name.split_at(name.len() - digits);
        // `%r07` is another name than `%r7`.
        let plain = digits == 1 || digits > 0 && !number.starts_with('0');
        let number: Option<u32> = if plain { number.parse().ok() } else { None };
        for n in (0..self.scopes.len()).rev() {
            if let Some(&e) = self.scopes[n].names.get(name) {
                return Some(e);
            }
            if let (Some(k), Some(&(count, ty))) = (number, self.scopes[n].ranges.get(prefix))
                && k < count
            {
                let var = self.ssa.declare(ty.register()?);
                let e = Entity::Register(var, ty);
                self.scopes[n].names.insert(name, e);
                return Some(e);
            }
        }
        if let Some(&offset) = self.cx.windowed.get(name) {
            return Some(Entity::Window(offset));
        }
        let &(global, space) = self.cx.globals.get(name)?;
        let ty = Type::ptr(self.cx.module.globals[global].space);
        Some(Entity::Memory(self.func.dfg.constant(ty, ir::ConstKind::Global(global)), space))
    }

    /// What a name stands for.
    pub(crate) fn entity(&mut self, name: Name<'a>) -> Outcome<Entity> {
        self.lookup(name.text).ok_or_else(|| {
            PtxError::name(name.span, format!("`{}` is not declared", name.text))
                .help("registers are declared by `.reg`, variables by their state space")
        })
    }

    /// Finds the labels of all scopes.
    fn find_labels(&mut self, body: &'a [Statement<'a>]) -> Outcome<()> {
        let mut open = vec![0u32];
        for s in body {
            let here = open.last().copied().unwrap_or(0);
            match s {
                Statement::Open => {
                    open.push(self.parents.len() as u32);
                    self.parents.push(here);
                }
                Statement::Close => {
                    open.pop();
                }
                Statement::Label(name) => {
                    let b = self.func.dfg.make_block();
                    if self.labels.insert((here, name.text), b).is_some() {
                        return Err(PtxError::name(name.span, format!("the label `{}` stands twice", name.text)));
                    }
                }
                Statement::Targets(name, list) => {
                    self.targets.insert(name.text, list);
                }
                Statement::Prototype(name, p) => {
                    self.prototypes.insert((here, name.text), Callees::Prototype(p));
                }
                Statement::Callees(name, list) => {
                    self.prototypes.insert((here, name.text), Callees::List(list));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// What a `.callprototype` or `.calltargets` of that name says.
    pub(crate) fn callees(&self, name: &str) -> Option<Callees<'a>> {
        let mut scope = self.scopes.last().map_or(0, |s| s.id);
        loop {
            match self.prototypes.get(&(scope, name)) {
                Some(&c) => return Some(c),
                None if scope == 0 => return None,
                None => scope = self.parents[scope as usize],
            }
        }
    }

    /// The block of a label.
    pub(crate) fn label(&self, name: Name<'a>) -> Outcome<Block> {
        let mut scope = self.scopes.last().map_or(0, |s| s.id);
        loop {
            if let Some(&b) = self.labels.get(&(scope, name.text)) {
                return Ok(b);
            }
            if scope == 0 {
                return Err(PtxError::name(name.span, format!("there is no label `{}`", name.text)));
            }
            scope = self.parents[scope as usize];
        }
    }

    // ---- statements -----------------------------------------------------------------------------------------------

    fn statement(&mut self, s: &'a Statement<'a>) -> Outcome<()> {
        match s {
            Statement::Open => {
                let id = self.next_scope;
                self.next_scope += 1;
                self.scopes.push(Scope { id, ..Scope::default() });
            }
            Statement::Close => {
                self.scopes.pop();
            }
            Statement::Label(name) => {
                let b = self.label(*name)?;
                if self.live {
                    self.builder().jump(b, &[]);
                }
                self.func.layout.append_block(b);
                self.block = b;
                self.live = true;
            }
            Statement::NoUnroll if self.live => {
                if self.kept.len() >= MAX_KEPT {
                    let message = format!("`{}` has more than {MAX_KEPT} pragmas about loops", self.func.name);
                    return Err(PtxError::limit(self.span, message));
                }
                self.kept.push(self.block);
            }
            Statement::NoUnroll | Statement::Targets(..) | Statement::Prototype(..) | Statement::Callees(..) => {}
            Statement::Variable(v) => self.variable(v)?,
            Statement::Instruction(i) => self.guarded(i)?,
        }
        Ok(())
    }

    fn variable(&mut self, v: &'a Variable<'a>) -> Outcome<()> {
        let scalar = !v.array && v.lanes == 1 && v.ty.bits() <= 64;
        let e = match v.space {
            Space::Reg => return self.registers(v),
            Space::Param if scalar => match v.ty.register() {
                Some(ty) => Entity::Value(self.ssa.declare(ty)),
                None => return Err(PtxError::unsupported(v.name.span, format!("a parameter of type {}", v.ty.name()))),
            },
            Space::Param | Space::Local => Entity::Memory(self.slot(v)?, v.space),
            _ => {
                if let Some(offset) = self.cx.window.as_ref().and_then(|w| w.offset(v)) {
                    Entity::Window(offset)
                } else {
                    if let Some(&(global, space)) = self.cx.globals.get(v.name.text)
                        && v.linkage == ast::Linkage::Extern
                    {
                        let ty = Type::ptr(self.cx.module.globals[global].space);
                        Entity::Memory(self.func.dfg.constant(ty, ir::ConstKind::Global(global)), space)
                    } else {
                        let global = self.cx.scoped_variable(v, &self.func.name)?;
                        let ty = Type::ptr(self.cx.module.globals[global].space);
                        Entity::Memory(self.func.dfg.constant(ty, ir::ConstKind::Global(global)), v.space)
                    }
                }
            }
        };
        self.declare(v.name, e)
    }

    fn registers(&mut self, v: &'a Variable<'a>) -> Outcome<()> {
        if v.lanes > 1 || v.array || v.ty.register().is_none() {
            return Err(PtxError::unsupported(v.name.span, format!("registers such as `{}`", v.name.text)));
        }
        let Some(count) = v.count else {
            let var = self.ssa.declare(v.ty.register().unwrap_or(Type::I32));
            return self.declare(v.name, Entity::Register(var, v.ty));
        };
        if count > MAX_REGISTERS {
            return Err(PtxError::limit(v.name.span, format!("{count} registers: at most {MAX_REGISTERS} are read")));
        }
        let Some(scope) = self.scopes.last_mut() else { return Ok(()) };
        if scope.ranges.insert(v.name.text, (count, v.ty)).is_some() {
            return Err(PtxError::name(v.name.span, format!("`{}` is declared twice", v.name.text)));
        }
        Ok(())
    }

    fn slot(&mut self, v: &Variable<'_>) -> Outcome<Value> {
        if v.size > MAX_LOCAL {
            return Err(PtxError::limit(v.name.span, format!("`{}` has {} bytes", v.name.text, v.size)));
        }
        let natural = (v.ty.bytes() as u32 * u32::from(v.lanes)).next_power_of_two();
        let slot = self.func.slots.push(SlotData {
            size: v.size as u32,
            align: v.align.unwrap_or(natural),
            dims: Default::default(),
            name: v.name.text.to_owned(),
        });
        Ok(self.func.slot_addr(slot))
    }

    // ---- instructions ---------------------------------------------------------------------------------------------

    /// An instruction with its predicate.
    fn guarded(&mut self, i: &'a Instruction<'a>) -> Outcome<()> {
        if !self.live {
            return Ok(());
        }
        if !self.inline {
            self.span = i.span;
        }
        let Some((name, negated)) = i.guard else { return self.instruction(i) };
        let p = self.predicate(name)?;
        let (then, rest) = (self.func.new_block(), self.func.new_block());
        let ways = if negated { [rest, then] } else { [then, rest] };
        self.builder().br(p, (ways[0], &[]), (ways[1], &[]));
        self.block = then;
        self.instruction(i)?;
        if self.live {
            self.builder().jump(rest, &[]);
        }
        self.block = rest;
        self.live = true;
        Ok(())
    }

    fn instruction(&mut self, i: &'a Instruction<'a>) -> Outcome<()> {
        let mut m = Mods::new(i)?;
        self.dispatch(i, &mut m)?;
        m.finish()
    }

    fn dispatch(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        match i.name {
            "add" | "sub" | "addc" | "subc" => self.sum(i, m),
            "mul" | "mad" | "madc" | "fma" => self.product(i, m),
            "div" | "rem" => self.quotient(i, m),
            "mul24" | "mad24" => self.product24(i, m),
            "abs" | "neg" => self.sign(i, m),
            "min" | "max" => self.extremum(i, m),
            "sad" => self.sad(i, m),
            "dp4a" | "dp2a" => self.dot(i, m),
            "and" | "or" | "xor" | "not" | "cnot" => self.logic(i, m),
            "shl" | "shr" => self.shift(i, m),
            "shf" => self.funnel(i, m),
            "popc" | "clz" | "brev" | "bfind" => self.count(i, m),
            "bfe" | "bfi" | "bmsk" | "szext" => self.field(i, m),
            "prmt" => self.permute(i, m),
            "fns" => self.nth_set(i, m),
            "lop3" => self.lop3(i, m),
            "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "ex2" | "lg2" | "tanh" => self.function(i, m),
            "copysign" | "testp" => self.classify(i, m),
            "setp" | "set" | "selp" | "slct" => self.comparison(i, m),
            "cvt" => self.convert(i, m),
            "mov" => self.mov(i, m),
            "ld" | "ldu" => self.load(i, m),
            "st" => self.store(i, m),
            "cvta" => self.cvta(i, m),
            "isspacep" => self.isspacep(i, m),
            "prefetch" | "prefetchu" | "applypriority" | "discard" => self.prefetch(i, m),
            "cp" => self.copy_async(i, m),
            "atom" | "red" => self.atomic(i, m),
            "membar" | "fence" => self.fence(i, m),
            "bar" | "barrier" => self.barrier(i, m),
            "mbarrier" => self.barrier_object(i, m),
            "shfl" => self.shuffle(i, m),
            "wmma" => self.wmma(i, m),
            "mma" => self.mma(i, m),
            "ldmatrix" => self.tiles(i, m, false),
            "stmatrix" => self.tiles(i, m, true),
            "vote" | "match" | "activemask" | "redux" => self.vote(i, m),
            "bra" | "brx" | "ret" | "exit" | "trap" | "brkpt" => self.transfer(i, m),
            "call" => self.call(i, m),
            "nanosleep" => {
                m.take("u32");
                let [t] = self.operands(i)?;
                let t = self.value(t, PtxType::U(32))?;
                self.builder().intrinsic(ir::Intrinsic::Nanosleep, Type::VOID, &[t]);
                Ok(())
            }
            "pmevent" => Ok(()),
            "mapa" | "getctarank" => self.cluster_address(i, m),
            "elect" => self.elect(i, m),
            "griddepcontrol" | "setmaxnreg" => self.control(i, m),
            "createpolicy" => self.policy(i, m),
            "vadd" | "vsub" | "vabsdiff" | "vmin" | "vmax" | "vshl" | "vshr" => self.video(i, m),
            "vadd2" | "vsub2" | "vavrg2" | "vabsdiff2" | "vmin2" | "vmax2" | "vadd4" | "vsub4" | "vavrg4"
            | "vabsdiff4" | "vmin4" | "vmax4" => self.video_simd(i, m),
            _ => Err(PtxError::unsupported(i.span, format!("the instruction `{}` is not covered", i.full_name()))),
        }
    }
}
