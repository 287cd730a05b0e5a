//! Analyses of unspool's IR. All are linear or nearly so. None changes the function, but [`loop_simplify`] and
//! [`straight_line`], which every loop pass shares.
//!
//! An analysis is a value computed from a [`ir::Function`] by `new`; it is out of date once the function changes in
//! a way that its head comment names. [`LoopInfo`] bundles what every loop pass asks for.

pub mod address;
pub mod alias;
pub mod apart;
pub mod cfg;
pub mod dependence;
pub mod dom;
pub mod headers;
pub mod launch;
pub mod liveness;
pub mod loop_simplify;
pub mod loops;
pub mod polls;
pub mod pressure;
pub mod registers;
pub mod rows;
pub mod scev;
pub mod straight_line;
pub mod uniformity;

pub use address::Address;
pub use alias::{Alias, AliasQuery, AliasResult, Clobber, Location, Object, Place};
pub use cfg::Cfg;
pub use dom::{DomTree, PostDomTree};
pub use liveness::Liveness;
pub use loops::{Loop, LoopData, LoopForest};
pub use polls::Polls;
pub use pressure::{Pressure, PressureMap};
pub use scev::{ExitCount, Expr, Exprs, Node, Scev, TripCount};
pub use uniformity::{Among, Uniformity};

pub use ir::Edge;

use std::cell::OnceCell;
use std::rc::Rc;

/// Control flow, dominators and loops of one function. The first two may be shared with whoever else asked for them.
pub struct LoopInfo {
    /// Control flow.
    pub cfg: Rc<Cfg>,
    /// Dominators.
    pub dom: Rc<DomTree>,
    /// Loops.
    pub loops: LoopForest,
    /// What is assumed, found when it is first asked for: each look goes through the whole function.
    assumes: OnceCell<Box<[ir::Inst]>>,
}

impl LoopInfo {
    /// Computes all three.
    pub fn new(func: &ir::Function) -> Self {
        let cfg = Cfg::new(func);
        let dom = DomTree::new(&cfg);
        Self::of(Rc::new(cfg), Rc::new(dom))
    }

    /// Finds the loops of a graph whose dominators are known.
    pub fn of(cfg: Rc<Cfg>, dom: Rc<DomTree>) -> Self {
        let loops = LoopForest::new(&cfg, &dom);
        Self { cfg, dom, loops, assumes: OnceCell::new() }
    }

    /// What was assumed when that was first asked.
    fn assumes(&self, func: &ir::Function) -> &[ir::Inst] {
        self.assumes.get_or_init(|| {
            let all = func.layout.blocks().flat_map(|b| func.layout.insts(b));
            all.filter(|&i| func.dfg.op(i) == ir::Opcode::Assume).collect()
        })
    }
}

pub mod fold;
