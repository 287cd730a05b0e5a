//! Analyses of unspool's IR. All are linear or nearly so; none changes the function.
//!
//! An analysis is a value computed from a [`ir::Function`] by `new`; it is out of date once the function changes in
//! a way that its head comment names. [`LoopInfo`] bundles what every loop pass asks for.

pub mod address;
pub mod alias;
pub mod cfg;
pub mod dependence;
pub mod dom;
pub mod liveness;
pub mod loops;
pub mod pressure;
pub mod registers;
pub mod scev;
pub mod uniformity;

pub use address::Address;
pub use alias::{Alias, AliasQuery, AliasResult, Clobber, Location, Object, Place};
pub use cfg::{Cfg, Edge};
pub use dom::{DomTree, PostDomTree};
pub use liveness::Liveness;
pub use loops::{Loop, LoopData, LoopForest};
pub use pressure::{Pressure, PressureMap};
pub use scev::{ExitCount, Expr, Exprs, Node, Scev, TripCount};
pub use uniformity::{Among, Uniformity};

/// Control flow, dominators and loops of one function.
pub struct LoopInfo {
    /// Control flow.
    pub cfg: Cfg,
    /// Dominators.
    pub dom: DomTree,
    /// Loops.
    pub loops: LoopForest,
}

impl LoopInfo {
    /// Computes all three.
    pub fn new(func: &ir::Function) -> Self {
        let cfg = Cfg::new(func);
        let dom = DomTree::new(&cfg);
        let loops = LoopForest::new(&cfg, &dom);
        Self { cfg, dom, loops }
    }
}

pub mod fold;
