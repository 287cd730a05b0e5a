//! What the entry points reach: functions, globals, traps, and how much stack they take; circles of calls count once.
//!
//! Cost: linear in the size of the functions reached. Chains of calls are walked without recursion.

use super::convention::Convention;
use crate::LlvmError;
use ir::{ConstKind, FuncId, Function, Global, GlobalInit, Intrinsic, Module, Opcode, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use source::Span;

/// What is reached.
pub(super) struct Reach {
    /// Functions, callees before callers.
    pub(super) functions: Vec<FuncId>,
    /// Globals in the order of their first use.
    pub(super) globals: Vec<Global>,
    entries: FxHashSet<FuncId>,
    traps: FxHashSet<FuncId>,
    recursive: FxHashMap<FuncId, u64>,
}

impl Reach {
    /// Whether a function is visible outside.
    pub(super) fn is_entry(&self, f: FuncId) -> bool {
        self.entries.contains(&f)
    }

    /// Whether a function, or one that it calls, may trap and return.
    pub(super) fn traps(&self, f: FuncId) -> bool {
        self.traps.contains(&f)
    }

    /// How much stack a function, and what it calls before it is called again, takes, if it has to look how much is left: one of each
    /// circle of calls does.
    pub(super) fn recursive(&self, f: FuncId) -> Option<u64> {
        self.recursive.get(&f).copied()
    }
}

/// What `entries` reach, as a target wants them.
pub(super) fn reach(module: &Module, target: &dyn Convention, entries: &[&str]) -> Result<Reach, LlvmError> {
    let mut reach = Reach {
        functions: Vec::new(),
        globals: Vec::new(),
        entries: FxHashSet::default(),
        traps: FxHashSet::default(),
        recursive: FxHashMap::default(),
    };
    let mut walk = Walk {
        module,
        traps_return: target.trap_word().is_some(),
        may_recur: target.recursion().is_some(),
        has_heap: target.heap_function("malloc").is_some(),
        state: vec![State::New; module.functions.len()],
        stack: vec![0; module.functions.len()],
    };
    for &name in entries {
        let id = entry(module, target, name)?;
        reach.entries.insert(id);
        walk.from(id, &mut reach)?;
        let limit = target.stack_limit();
        let bytes = walk.stack[id.as_u32() as usize];
        if bytes > limit {
            let f = &module.functions[id];
            return Err(LlvmError::StackTooLarge { function: f.display.clone(), bytes, limit, span: f.span });
        }
    }
    // An entry point that another one calls would need two signatures.
    for &id in &reach.functions {
        if let Some((callee, span)) = calls(&module.functions[id]).find(|(c, _)| reach.is_entry(*c)) {
            let name = &module.functions[callee].display;
            return Err(LlvmError::unsupported(
                format!("a call of the entry point `{name}`"),
                span,
                "call a copy of the function",
            ));
        }
    }
    find_globals(module, target, &mut reach)?;
    Ok(reach)
}

fn entry(module: &Module, target: &dyn Convention, name: &str) -> Result<FuncId, LlvmError> {
    let id = module.find(name).filter(|&id| !module.functions[id].is_declaration());
    let id = id.ok_or_else(|| LlvmError::NoEntry { name: name.to_owned() })?;
    target.check_entry(name, &module.functions[id])?;
    Ok(id)
}

/// The calls of a function, with their places.
fn calls(f: &Function) -> impl Iterator<Item = (FuncId, Span)> + '_ {
    let insts = f.layout.blocks().flat_map(|b| f.layout.insts(b));
    insts.filter_map(|i| Some((f.dfg.insts[i].callee()?, f.dfg.span(i))))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

struct Walk<'a> {
    module: &'a Module,
    /// Whether functions that trap return, so that callers have to look.
    traps_return: bool,
    /// Whether functions may call themselves.
    may_recur: bool,
    /// Whether there are `malloc` and `free`.
    has_heap: bool,
    state: Vec<State>,
    /// Bytes of private memory of a function and the deepest chain of calls from it.
    stack: Vec<u64>,
}

impl Walk<'_> {
    /// Adds what a function reaches, callees first.
    fn from(&mut self, root: FuncId, reach: &mut Reach) -> Result<(), LlvmError> {
        let mut open: Vec<(FuncId, Vec<(FuncId, Span)>)> = Vec::new();
        if self.state[root.as_u32() as usize] == State::New {
            open.push((root, self.open(root)));
        }
        while let Some((id, todo)) = open.last_mut() {
            let Some((callee, span)) = todo.pop() else {
                let id = *id;
                self.close(id, reach);
                open.pop();
                continue;
            };
            let f = &self.module.functions[callee];
            if f.is_heap_function() && self.has_heap {
                continue;
            }
            if f.is_declaration() {
                return Err(LlvmError::unsupported(
                    format!("a call of `{}`, which has no body here,", f.display),
                    span,
                    "define the function in the same source",
                ));
            }
            match self.state[callee.as_u32() as usize] {
                State::New => {
                    let todo = self.open(callee);
                    open.push((callee, todo));
                }
                State::Open if self.may_recur => {
                    reach.recursive.insert(callee, 0);
                }
                State::Open => {
                    return Err(LlvmError::unsupported(
                        format!("recursion through `{}`", f.display),
                        span,
                        "use a loop: how deep the recursion goes, and so the stack that it needs, is not known",
                    ));
                }
                State::Done => {}
            }
        }
        Ok(())
    }

    fn open(&mut self, id: FuncId) -> Vec<(FuncId, Span)> {
        self.state[id.as_u32() as usize] = State::Open;
        let mut todo: Vec<_> = calls(&self.module.functions[id]).collect();
        todo.reverse();
        todo
    }

    fn close(&mut self, id: FuncId, reach: &mut Reach) {
        let f = &self.module.functions[id];
        let slots: u64 = f.slots.values().map(|s| u64::from(s.size) + u64::from(s.align)).sum();
        let copies: u64 = f.params.iter().filter_map(|p| p.attrs.byval).map(u64::from).sum();
        let deepest = calls(f).map(|(c, _)| self.stack[c.as_u32() as usize]).max().unwrap_or(0);
        let index = id.as_u32() as usize;
        self.stack[index] = slots.saturating_add(copies).saturating_add(deepest).saturating_add(64);
        self.state[index] = State::Done;
        if let Some(taken) = reach.recursive.get_mut(&id) {
            *taken = self.stack[index];
        }
        let mut insts = f.layout.blocks().flat_map(|b| f.layout.insts(b));
        let own = insts.any(|i| f.dfg.insts[i].intrinsic() == Some(Intrinsic::Trap));
        // Calls that close a circle are known before any function of it is done.
        let trapping = |c: FuncId| reach.traps.contains(&c) || reach.recursive.contains_key(&c);
        if self.traps_return && (own || reach.recursive.contains_key(&id) || calls(f).any(|(c, _)| trapping(c))) {
            reach.traps.insert(id);
        }
        reach.functions.push(id);
    }
}

/// Globals that the functions name, and those that their initialisers name.
fn find_globals(module: &Module, target: &dyn Convention, reach: &mut Reach) -> Result<(), LlvmError> {
    let mut seen = FxHashSet::default();
    let mut todo: Vec<(Global, Span)> = Vec::new();
    for &id in &reach.functions {
        let f = &module.functions[id];
        for b in f.layout.blocks() {
            for i in f.layout.insts(b) {
                f.dfg.for_each_use(i, |v| {
                    if let Some(ConstKind::Global(g)) = f.dfg.as_const(v)
                        && seen.insert(g)
                    {
                        todo.push((g, f.dfg.span(i)));
                    }
                });
            }
        }
    }
    let mut next = 0;
    while let Some(&(g, span)) = todo.get(next) {
        next += 1;
        let data = &module.globals[g];
        target.check_global(data, span)?;
        // Work-group memory that the launch adds is nobody's to define.
        let of_launch = data.space == ir::AddrSpace::Shared && data.size == 0;
        if data.external && !of_launch {
            return Err(LlvmError::unsupported(
                format!("the variable `{}`, which is defined elsewhere,", data.name),
                span,
                "define it in the same source",
            ));
        }
        if let GlobalInit::Bytes(_, relocs) = &data.init {
            todo.extend(relocs.iter().filter(|r| seen.insert(r.global)).map(|r| (r.global, span)));
        }
        reach.globals.push(g);
    }
    Ok(())
}

/// Whether an instruction ends what runs.
pub(super) fn is_trap(f: &Function, inst: ir::Inst) -> bool {
    is(f, inst, Intrinsic::Trap) && f.dfg.insts[inst].ty == Type::VOID
}

/// Whether an instruction is this target operation.
pub(super) fn is(f: &Function, inst: ir::Inst, what: Intrinsic) -> bool {
    f.dfg.op(inst) == Opcode::Intrinsic && f.dfg.insts[inst].intrinsic() == Some(what)
}
