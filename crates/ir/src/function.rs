//! Functions.

use crate::{Block, ConstKind, Dfg, Inst, Layout, LoopMd, Slot, Type, Value};
use cranelift_entity::PrimaryMap;
use source::{HintId, Span};

/// Whether a function is an entry point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FnKind {
    /// Launched by the host.
    Kernel,
    /// Called by kernels.
    Device,
}

/// Who may see a function or global.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Linkage {
    /// Only this module: may be dropped when unused.
    Internal,
    /// Any module.
    External,
    /// Any module, merged with equal definitions (templates, `inline`): may be dropped when unused.
    LinkOnce,
}

/// What was said about inlining.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum InlineHint {
    /// Nothing.
    #[default]
    None,
    /// `inline`.
    Hint,
    /// `__forceinline__`, `always_inline`.
    Always,
    /// `__noinline__`.
    Never,
}

/// What is known about a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ParamAttrs {
    /// `restrict`: what it points to is not accessed in another way.
    pub noalias: bool,
    /// Nothing is written through it (`const` pointee).
    pub readonly: bool,
    /// The parameter is an aggregate of that many bytes passed by value; the value is a pointer to a copy.
    pub byval: Option<u32>,
    /// Dimensions of the largest array in that aggregate, outermost first; zeros behind them.
    pub dims: [u32; 3],
    /// Known alignment in bytes of the pointer, or of the aggregate; 0 for none.
    pub align: u32,
    /// The pointee was declared `volatile`.
    pub volatile: bool,
    /// The parameter is a pointer to dynamically sized work-group memory (OpenCL `__local` argument).
    pub local: bool,
}

/// A parameter. Its value is the entry block's parameter of the same number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// Type.
    pub ty: Type,
    /// Name in the source; may be empty.
    pub name: String,
    /// What is known about it.
    pub attrs: ParamAttrs,
}

/// What was asked about the unrolling of one loop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum UnrollRequest {
    /// Nothing.
    #[default]
    None,
    /// Never (`unroll 1`, `nounroll`).
    Disable,
    /// Wanted, the compiler picks how (`clang loop unroll(enable)`).
    Enable,
    /// Fully (`#pragma unroll`).
    Full,
    /// By a factor, at least 2.
    Count(u32),
}

/// Metadata of a loop, named by its back edge's terminator.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LoopMeta {
    /// The loop in the source.
    pub span: Span,
    /// The function that it is written in, where that was inlined and somebody wants to know.
    pub instance: Option<std::sync::Arc<source::Instance>>,
    /// What was asked about unrolling.
    pub unroll: UnrollRequest,
    /// What was asked about unroll-and-jam.
    pub jam: UnrollRequest,
    /// Times the body is expected to run each time the loop is reached, as the programmer says (`__builtin_expect`).
    pub expected: Option<u32>,
    /// A loop that was in it became straight-line code by a factor that is no smaller than its number of iterations: it counts so much
    /// more until the late look, and is one with a loop inside to the early one, for compilers that decide so.
    pub held: Option<u32>,
    /// The hints behind these requests.
    pub hints: smallvec::SmallVec<[HintId; 2]>,
    /// An unroller made this loop (or decided on it for good): later invocations leave it alone.
    pub done: bool,
    /// Tell the assembler not to unroll it (`.pragma "nounroll"`).
    pub nounroll: bool,
    /// The programmer says that the loop ends or has effects (C++ forward progress); infinite loops without effects
    /// may be removed.
    pub must_progress: bool,
    /// What is loaded in the loop stays there, though it is the same in each iteration: there is more of it than registers.
    pub keeps_loads: bool,
    /// It hardly ever runs: its code is better small than fast.
    pub rare: bool,
    /// It runs where places that it accesses overlap, which hardly any do: another loop stands beside it for those that lie apart.
    pub overlaps: bool,
    /// What its iterations put together (sums of floating-point numbers) may be put together in any order, and the iterations are wanted
    /// in the lanes of vectors, as the programmer says.
    pub any_order: bool,
}

/// Attributes of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FnAttrs {
    /// Inlining.
    pub inline: InlineHint,
    /// `reqd_work_group_size`, `.reqntid`.
    pub reqd_work_group_size: Option<[u32; 3]>,
    /// Groups at the end of a launch may be smaller than the others, and than [`Self::reqd_work_group_size`]: OpenCL C
    /// 2.0 and later on the host, unless `-cl-uniform-work-group-size`.
    pub partial_groups: bool,
    /// `work_group_size_hint`.
    pub work_group_size_hint: Option<[u32; 3]>,
    /// Memory has types, as C has it (C11 6.5p7): where a floating-point number is stored no pointer is loaded from, unless both are
    /// reached by one address (unions).
    pub typed_memory: bool,
    /// What work-items access that follow each other in y lies side by side, what those in x access does not:
    /// `a[get_global_id(0) * n + get_global_id(1)]`. Found by the pipeline for targets that choose which work-items share
    /// a vector.
    pub rows_in_y: bool,
    /// Work-items access what lies next to what their neighbours in the same row do, once: longer rows of a group lose
    /// nothing. Found as [`Self::rows_in_y`] is.
    pub streams: bool,
    /// `vec_type_hint`.
    pub vec_type_hint: Option<Type>,
    /// `__launch_bounds__`: most work-items per group.
    pub max_threads: Option<u32>,
    /// `__launch_bounds__`: least groups per multiprocessor.
    pub min_blocks: Option<u32>,
    /// `__launch_bounds__`: most groups per cluster.
    pub max_cluster: Option<u32>,
    /// `__cluster_dims__`: groups of a cluster; zeros where the launch says how many.
    pub cluster_dims: Option<[u32; 3]>,
    /// `__maxnreg__`.
    pub max_registers: Option<u32>,
    /// Optimise for size (`optsize`).
    pub optsize: bool,
    /// Optimise for size above all (`minsize`).
    pub minsize: bool,
    /// Does not return.
    pub noreturn: bool,
    /// Contains convergent operations, or calls something that does; kept by the pipeline.
    pub convergent: bool,
    /// Unroller knobs for this function: name and value.
    pub unroll_knobs: Vec<(String, i64)>,
    /// Hints behind the attributes.
    pub hints: Vec<HintId>,
}

/// A stack slot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlotData {
    /// Bytes.
    pub size: u32,
    /// Alignment in bytes, a power of two.
    pub align: u32,
    /// Array dimensions of the declared variable, outermost first; empty if it is no array.
    pub dims: smallvec::SmallVec<[u32; 2]>,
    /// Name in the source; may be empty.
    pub name: String,
}

/// A function: its signature, and its body unless it is a declaration.
#[derive(Clone, Debug)]
pub struct Function {
    /// Symbol name (mangled).
    pub name: String,
    /// Name as the user knows it.
    pub display: String,
    /// Entry point or not.
    pub kind: FnKind,
    /// Visibility.
    pub linkage: Linkage,
    /// Parameters.
    pub params: Vec<Param>,
    /// Result type.
    pub ret: Type,
    /// Attributes.
    pub attrs: FnAttrs,
    /// Where it was defined.
    pub span: Span,
    /// Stack slots.
    pub slots: PrimaryMap<Slot, SlotData>,
    /// Loop metadata.
    pub loops: PrimaryMap<LoopMd, LoopMeta>,
    /// What exists.
    pub dfg: Dfg,
    /// Where it stands.
    pub layout: Layout,
}

impl Function {
    /// A function without blocks.
    pub fn new(name: impl Into<String>, kind: FnKind) -> Self {
        let name = name.into();
        Self {
            display: name.clone(),
            name,
            kind,
            linkage: if kind == FnKind::Kernel { Linkage::External } else { Linkage::Internal },
            params: Vec::new(),
            ret: Type::VOID,
            attrs: FnAttrs::default(),
            span: Span::NONE,
            slots: PrimaryMap::new(),
            loops: PrimaryMap::new(),
            dfg: Dfg::default(),
            layout: Layout::default(),
        }
    }

    /// Whether it has no body.
    pub fn is_declaration(&self) -> bool {
        self.layout.first_block().is_none()
    }

    /// Whether it is `malloc` or `free`, which machines and the interpreter have.
    pub fn is_heap_function(&self) -> bool {
        self.is_declaration() && matches!(self.name.as_str(), "malloc" | "free")
    }

    /// Makes a block and puts it at the end.
    pub fn new_block(&mut self) -> Block {
        let b = self.dfg.make_block();
        self.layout.append_block(b);
        b
    }

    /// Makes the entry block with a parameter for each of the function's.
    pub fn new_entry_block(&mut self) -> Block {
        let b = self.new_block();
        for n in 0..self.params.len() {
            self.dfg.add_param(b, self.params[n].ty);
        }
        b
    }

    /// Address of a stack slot.
    pub fn slot_addr(&mut self, slot: Slot) -> Value {
        self.dfg.constant(Type::ptr(crate::AddrSpace::Private), ConstKind::Slot(slot))
    }

    /// Number of instructions placed.
    pub fn inst_count(&self) -> usize {
        self.layout.blocks().map(|b| self.layout.insts(b).count()).sum()
    }

    /// Removes an instruction from the layout.
    pub fn remove_inst(&mut self, inst: Inst) {
        self.layout.remove_inst(inst);
    }

    /// Rewrites every use of an alias; passes that replace values end with it.
    pub fn resolve_aliases(&mut self) {
        self.dfg.resolve_aliases(&self.layout);
    }

    /// Successors of a block, duplicates included.
    pub fn succs(&self, block: Block) -> impl DoubleEndedIterator<Item = Block> + ExactSizeIterator + '_ {
        self.dfg.successors(self.layout.terminator(block))
    }
}
