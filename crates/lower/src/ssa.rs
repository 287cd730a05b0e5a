//! SSA construction on the fly, with block parameters.
//!
//! After Braun, Buchwald, Hack, Leißa, Mallon, Zwinkau: "Simple and Efficient Construction of Static Single Assignment
//! Form" (CC 2013). A block is *sealed* when all its predecessors are known; reading a variable in an unsealed block
//! makes a parameter whose arguments are filled in at sealing. A parameter that turns out to have one value only is
//! dropped at once and its value aliased; the function's aliases are resolved at the end of lowering.
//!
//! Parameters that branches were made with arguments for (loops of builtins) stay as they are; they stand before those
//! that are made here.

use cranelift_entity::SecondaryMap;
use ir::{Block, Function, Inst, Opcode, Type, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A variable under construction: dense numbers chosen by the user.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Var(pub(crate) u32);

#[derive(Clone, Default)]
struct BlockState {
    sealed: bool,
    /// Predecessor blocks, each once, with their terminators.
    preds: SmallVec<[(Block, Inst); 2]>,
    /// Parameters that wait for sealing.
    waiting: Vec<(Var, Value)>,
}

/// The construction's state for one function.
#[derive(Default)]
pub(crate) struct Ssa {
    defs: FxHashMap<(Block, Var), Value>,
    blocks: SecondaryMap<Block, BlockState>,
    types: Vec<Type>,
    /// Parameters with their arguments, in the order of the block's predecessors.
    phis: Vec<(Block, Value, SmallVec<[Value; 4]>)>,
}

/// Rounds of dropping parameters that became trivial; what is left after them is the optimiser's.
const MAX_ROUNDS: usize = 4;

impl Ssa {
    /// Makes a variable of a type.
    pub(crate) fn declare(&mut self, ty: Type) -> Var {
        self.types.push(ty);
        Var(self.types.len() as u32 - 1)
    }

    /// Type of a variable.
    pub(crate) fn ty(&self, var: Var) -> Type {
        self.types[var.0 as usize]
    }

    /// `var` has the value `v` from here on in `block`.
    pub(crate) fn write(&mut self, block: Block, var: Var, v: Value) {
        self.defs.insert((block, var), v);
    }

    /// Records that `inst`, the terminator of `from`, branches to `to`. All of a terminator's targets are recorded one after
    /// the other.
    pub(crate) fn add_pred(&mut self, to: Block, from: Block, inst: Inst) {
        let state = &mut self.blocks[to];
        debug_assert!(!state.sealed, "predecessor of a sealed block");
        if state.preds.last().is_none_or(|&(_, i)| i != inst) {
            state.preds.push((from, inst));
        }
    }

    /// All predecessors of `block` are known.
    pub(crate) fn seal(&mut self, func: &mut Function, block: Block) {
        if std::mem::replace(&mut self.blocks[block].sealed, true) {
            return;
        }
        let waiting = std::mem::take(&mut self.blocks[block].waiting);
        // From last to first, so that dropping a parameter moves none that is still to be looked at.
        for (var, param) in waiting.into_iter().rev() {
            self.fill(func, block, var, param);
        }
    }

    /// The value of `var` at the end of what `block` has so far.
    pub(crate) fn read(&mut self, func: &mut Function, block: Block, var: Var) -> Value {
        if let Some(&v) = self.defs.get(&(block, var)) {
            return func.dfg.resolve(v);
        }
        // Walk up through blocks with a single predecessor; recursion happens at joins only.
        let mut path: SmallVec<[Block; 8]> = SmallVec::new();
        let mut at = block;
        let v = loop {
            if let Some(&v) = self.defs.get(&(at, var)) {
                break func.dfg.resolve(v);
            }
            path.push(at);
            let state = &self.blocks[at];
            if !state.sealed {
                let param = func.dfg.add_param(at, self.ty(var));
                self.blocks[at].waiting.push((var, param));
                break param;
            }
            match state.preds.as_slice() {
                [] => break func.dfg.undef(self.ty(var)),
                [(p, _)] => at = *p,
                _ => {
                    let param = func.dfg.add_param(at, self.ty(var));
                    // Stops the recursion at loops.
                    self.defs.insert((at, var), param);
                    break self.fill(func, at, var, param);
                }
            }
        };
        for b in path {
            self.defs.insert((b, var), v);
        }
        v
    }

    /// Finds the arguments of `param` from every predecessor, or drops it if they are all one value.
    fn fill(&mut self, func: &mut Function, block: Block, var: Var, param: Value) -> Value {
        let preds = self.blocks[block].preds.clone();
        let args: SmallVec<[Value; 4]> = preds.iter().map(|&(p, _)| self.read(func, p, var)).collect();
        if let Some(v) = only_value(func, param, &args) {
            let v = v.unwrap_or_else(|| func.dfg.undef(self.ty(var)));
            // Definitions that are the parameter follow its alias. One that the block made since it was opened stays.
            func.dfg.replace_value(param, v);
            return v;
        }
        self.phis.push((block, param, args));
        param
    }

    /// Ends the construction: drops parameters that became trivial, gives every branch its arguments, and resolves
    /// the function's aliases.
    pub(crate) fn finish(&mut self, func: &mut Function) {
        for _ in 0..MAX_ROUNDS {
            let before = self.phis.len();
            self.phis.retain(|(_, param, args)| {
                let only = only_value(func, *param, args);
                if let Some(v) = only {
                    let ty = func.dfg.ty(*param);
                    let v = v.unwrap_or_else(|| func.dfg.undef(ty));
                    func.dfg.replace_value(*param, v);
                }
                only.is_none()
            });
            if self.phis.len() == before {
                break;
            }
        }
        let mut args_of: FxHashMap<Value, SmallVec<[Value; 4]>> =
            self.phis.drain(..).map(|(_, param, args)| (param, args)).collect();
        let entry = func.layout.entry();
        let blocks: Vec<Block> = func.layout.blocks().filter(|&b| b != entry).collect();
        let ways = Ways::of(func);
        for block in blocks {
            let params: SmallVec<[Value; 8]> = func.dfg.params(block).into();
            if params.is_empty() {
                continue;
            }
            let preds = std::mem::take(&mut self.blocks[block].preds);
            let given = preds.first().map_or(0, |&(_, inst)| ways.args(func, inst, block).len());
            let keep: SmallVec<[bool; 8]> =
                params.iter().enumerate().map(|(n, p)| n < given || args_of.contains_key(p)).collect();
            func.dfg.retain_params(block, &keep);
            let columns: SmallVec<[SmallVec<[Value; 4]>; 8]> =
                params.iter().filter_map(|p| args_of.remove(p)).collect();
            for (k, (_, inst)) in preds.into_iter().enumerate() {
                let mut args: SmallVec<[Value; 8]> = ways.args(func, inst, block).into();
                args.extend(columns.iter().map(|c| c[k]));
                for n in ways.to(func, inst, block) {
                    func.dfg.set_branch_args(inst, n, &args);
                }
            }
        }
        func.resolve_aliases();
    }
}

/// Which targets of terminators are which blocks: looked up for switches, of which each case would look at all others.
struct Ways(FxHashMap<(Inst, Block), SmallVec<[u32; 1]>>);

impl Ways {
    fn of(func: &Function) -> Self {
        let mut ways: FxHashMap<_, SmallVec<[u32; 1]>> = FxHashMap::default();
        for b in func.layout.blocks() {
            let Some(t) = func.layout.last_inst(b).filter(|&t| func.dfg.op(t) == Opcode::Switch) else { continue };
            for (n, to) in func.dfg.successors(t).enumerate() {
                ways.entry((t, to)).or_default().push(n as u32);
            }
        }
        Self(ways)
    }

    /// The targets of `inst` that are `block`.
    fn to(&self, func: &Function, inst: Inst, block: Block) -> SmallVec<[usize; 2]> {
        if func.dfg.op(inst) == Opcode::Switch {
            return self.0.get(&(inst, block)).into_iter().flatten().map(|&n| n as usize).collect();
        }
        (0..func.dfg.successor_count(inst)).filter(|&n| func.dfg.successor(inst, n) == block).collect()
    }

    /// The arguments that a branch to `block` has.
    fn args<'a>(&self, func: &'a Function, inst: Inst, block: Block) -> &'a [Value] {
        self.to(func, inst, block).first().map_or(&[], |&n| func.dfg.branch_args(inst, n))
    }
}

/// The one value that the arguments of `param` have besides `param` itself: `Some(None)` if there is no other at all,
/// `None` if there are several.
fn only_value(func: &Function, param: Value, args: &[Value]) -> Option<Option<Value>> {
    let mut same = None;
    for &a in args {
        let a = func.dfg.resolve(a);
        if a == param || same == Some(a) {
            continue;
        }
        if same.is_some() {
            return None;
        }
        same = Some(a);
    }
    Some(same)
}
