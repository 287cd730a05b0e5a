//! Registers, which are written many times, to values, which are not.
//!
//! The algorithm is that of Braun and others ("Simple and Efficient Construction of Static Single Assignment Form"), with
//! all blocks sealed at the end: a read without a definition in its block makes a parameter of the block, and when all
//! blocks are filled the branches get their arguments. Parameters that turn out to be always the same value are removed.

use ir::{Block, Function, Inst, Type, Value, ValueDef};
use rustc_hash::FxHashMap;

/// Most block parameters of a function.
const MAX_PARAMS: usize = 1 << 21;
/// Most rounds of removing parameters.
const MAX_ROUNDS: usize = 16;

/// A register.
pub(crate) type Var = u32;

/// What the registers of a function hold, block by block.
pub(crate) struct Ssa {
    /// Where registers have no value yet.
    start: Block,
    /// Types of the registers.
    types: Vec<Type>,
    defs: FxHashMap<(Block, Var), Value>,
    pending: Vec<(Block, Var)>,
}

/// Too many block parameters are needed.
#[derive(Debug)]
pub(crate) struct TooMany;

impl Ssa {
    /// Before any block is filled; the first is `start`.
    pub(crate) fn new(start: Block) -> Self {
        Self { start, types: Vec::new(), defs: FxHashMap::default(), pending: Vec::new() }
    }

    /// A new register.
    pub(crate) fn declare(&mut self, ty: Type) -> Var {
        self.types.push(ty);
        self.types.len() as Var - 1
    }

    /// Type of a register.
    pub(crate) fn ty(&self, var: Var) -> Type {
        self.types[var as usize]
    }

    /// A register gets a value.
    pub(crate) fn write(&mut self, block: Block, var: Var, v: Value) {
        self.defs.insert((block, var), v);
    }

    /// The value of a register at the end of what there is of a block.
    pub(crate) fn read(&mut self, func: &mut Function, block: Block, var: Var) -> Value {
        if let Some(&v) = self.defs.get(&(block, var)) {
            return v;
        }
        let ty = self.types[var as usize];
        let v = if block == self.start {
            func.dfg.undef(ty)
        } else {
            self.pending.push((block, var));
            func.dfg.add_param(block, ty)
        };
        self.defs.insert((block, var), v);
        v
    }

    /// Gives every branch its arguments. Only reachable blocks may be left in the layout.
    pub(crate) fn finish(mut self, func: &mut Function) -> Result<(), TooMany> {
        let mut preds: FxHashMap<Block, Vec<(Block, Inst, usize)>> = FxHashMap::default();
        let blocks: Vec<Block> = func.layout.blocks().collect();
        for &b in &blocks {
            let t = func.layout.terminator(b);
            for (n, s) in func.dfg.successors(t).enumerate() {
                preds.entry(s).or_default().push((b, t, n));
            }
        }
        let mut next = 0;
        let mut made = 0;
        while let Some(&(block, var)) = self.pending.get(next) {
            next += 1;
            let Some(edges) = preds.get(&block) else { continue };
            made += edges.len();
            if self.pending.len() > MAX_PARAMS || made > 4 * MAX_PARAMS {
                return Err(TooMany);
            }
            for &(from, inst, n) in edges {
                let v = self.read(func, from, var);
                func.dfg.push_branch_arg(inst, n, v);
            }
        }
        prune(func, &blocks, &preds);
        Ok(())
    }
}

/// Removes parameters that are the same value on every edge.
fn prune(func: &mut Function, blocks: &[Block], preds: &FxHashMap<Block, Vec<(Block, Inst, usize)>>) {
    for _ in 0..MAX_ROUNDS {
        let mut changed = false;
        for b in blocks {
            let Some(edges) = preds.get(b) else { continue };
            let count = func.dfg.params(*b).len();
            let mut keep = vec![true; count];
            for (k, slot) in keep.iter_mut().enumerate() {
                let param = func.dfg.params(*b)[k];
                if let Some(same) = only_value(func, param, edges, k) {
                    func.dfg.replace_value(param, same);
                    *slot = false;
                    changed = true;
                }
            }
            if keep.contains(&false) {
                for &(_, inst, n) in edges {
                    let args: Vec<Value> = func.dfg.branch_args(inst, n).to_vec();
                    let left: Vec<Value> = args.into_iter().zip(&keep).filter(|(_, k)| **k).map(|(v, _)| v).collect();
                    func.dfg.set_branch_args(inst, n, &left);
                }
                func.dfg.retain_params(*b, &keep);
            }
        }
        if !changed {
            break;
        }
    }
    func.resolve_aliases();
}

/// The one value that a parameter has on all edges but those that bring itself.
fn only_value(func: &Function, param: Value, edges: &[(Block, Inst, usize)], k: usize) -> Option<Value> {
    let mut same = None;
    for &(_, inst, n) in edges {
        let v = func.dfg.resolve(func.dfg.branch_args(inst, n)[k]);
        if v == param || same == Some(v) {
            continue;
        }
        if same.is_some() {
            return None;
        }
        same = Some(v);
    }
    same
}

/// Whether a value is undefined for sure.
pub(crate) fn is_undef(func: &Function, v: Value) -> bool {
    matches!(func.dfg.def(v), ValueDef::Const(ir::ConstKind::Undef))
}
