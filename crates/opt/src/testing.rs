//! Shared by the passes' tests.

use crate::PassContext;
use crate::pass::{Options, Pass};
use ir::{Block, FnKind, FuncId, Function, Module, Param, Type, Value};
use source::Session;

/// Builds a function with `build`, checks it, runs a pass on it, and checks it again.
pub(crate) fn run_pass(
    module: &mut Module,
    ret: Type,
    params: &[Type],
    pass: Pass,
    build: impl FnOnce(&mut Function, Block, &[Value]),
) -> FuncId {
    let mut f = Function::new("f", FnKind::Device);
    f.ret = ret;
    for &ty in params {
        f.params.push(Param { ty, name: String::new(), attrs: Default::default() });
    }
    let entry = f.new_entry_block();
    let values = f.dfg.params(entry).to_vec();
    build(&mut f, entry, &values);
    let id = module.functions.push(f);
    apply(module, id, pass);
    id
}

/// Checks a function, runs a pass on it, and checks it again. Whether it changed.
pub(crate) fn apply(module: &mut Module, id: FuncId, pass: Pass) -> bool {
    let check = |module: &Module| {
        if let Err(e) = ir::verify::verify_function(module, id) {
            panic!("{}\n{}", e[0], ir::print::function_to_text(module, &module.functions[id]));
        }
    };
    check(module);
    let mut session = Session::default();
    let options = Options::default();
    let mut f = std::mem::replace(&mut module.functions[id], Function::new("", FnKind::Device));
    let mut cx = PassContext::new(module, id, &mut session, &options);
    let changed = pass(&mut f, &mut cx);
    module.functions[id] = f;
    check(module);
    changed
}
