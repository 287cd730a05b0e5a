//! Stores to variables of a work-group that nothing reads go, and with them the loops that only made them.
//!
//! The address of such a variable goes nowhere but into addresses of its parts and into stores there. A variable that
//! another module may know, or that a debugger, an assembler or a volatile store is told of, stays as it is.
//!
//! What must hold: verified IR, calls inlined where they will be. Cost: linear in the module, where it has variables of
//! work-groups at all.

use crate::pass::PassManager;
use cranelift_entity::{EntitySet, SecondaryMap};
use ir::{
    AddrSpace, ConstKind, Flags, FuncId, Function, Global, GlobalInit, Inst, Linkage, Module, Opcode, Value, ValueDef,
};

/// Takes the stores out of the functions that stay.
pub fn run(pm: &mut PassManager<'_>, order: &[FuncId]) {
    let mut unread = own_variables(pm.module);
    if unread.is_empty() {
        return;
    }
    // An address that is computed for nothing would count as read.
    for &f in order {
        pm.run("dce", f, crate::dce::run);
    }
    for func in pm.module.functions.values().filter(|f| !f.is_declaration()) {
        Uses::of(func).keep_read(&mut unread);
    }
    for &f in order.iter().filter(|_| !unread.is_empty()) {
        let stores = Uses::of(&pm.module.functions[f]).stores_to(&unread);
        if stores.is_empty() {
            continue;
        }
        let _ = pm.cfg(f);
        stores.iter().for_each(|&i| pm.module.functions[f].layout.remove_inst(i));
        pm.changed();
        pm.after("unread", f, true, None);
    }
}

/// The variables of work-groups that only this module knows, and of which no other variable holds the address.
fn own_variables(module: &Module) -> EntitySet<Global> {
    let mut found = EntitySet::new();
    for (g, data) in &module.globals {
        if data.space == AddrSpace::Shared && !data.external && data.size != 0 && data.linkage == Linkage::Internal {
            found.insert(g);
        }
    }
    for data in module.globals.values() {
        if let GlobalInit::Bytes(_, addresses) = &data.init {
            addresses.iter().for_each(|a| {
                found.remove(a.global);
            });
        }
    }
    found
}

/// Which addresses of a function are those of a variable and of its parts.
struct Uses<'a> {
    func: &'a Function,
    of: SecondaryMap<Value, Option<Global>>,
}

impl<'a> Uses<'a> {
    fn of(func: &'a Function) -> Self {
        let mut uses = Self { func, of: ir::side_table(func.dfg.values.len()) };
        // Blocks may stand in any order: an address may be found behind what is made of it.
        let mut again = true;
        while std::mem::take(&mut again) {
            for i in func.layout.blocks().flat_map(|b| func.layout.insts(b)) {
                if !is_part(func, i) {
                    continue;
                }
                let (v, variable) = (func.dfg.res(i), uses.variable(func.dfg.arg(i, 0)));
                again |= uses.of[v] != variable;
                uses.of[v] = variable;
            }
        }
        uses
    }

    fn variable(&self, v: Value) -> Option<Global> {
        let v = self.func.dfg.resolve(v);
        match self.func.dfg.values[v].def {
            ValueDef::Const(ConstKind::Global(g)) => Some(g),
            _ => self.of[v],
        }
    }

    /// Takes out of a set what is read, or whose address goes where it cannot be followed.
    fn keep_read(&self, unread: &mut EntitySet<Global>) {
        for i in self.func.layout.blocks().flat_map(|b| self.func.layout.insts(b)) {
            if is_part(self.func, i) {
                self.func.dfg.args(i)[1..].iter().for_each(|&v| self.read(v, unread));
                continue;
            }
            let address = self.address(i);
            let mut n = 0;
            self.func.dfg.for_each_use(i, |v| {
                if n > 0 || address.is_none() {
                    self.read(v, unread);
                }
                n += 1;
            });
        }
    }

    fn read(&self, v: Value, unread: &mut EntitySet<Global>) {
        if let Some(g) = self.variable(v) {
            unread.remove(g);
        }
    }

    /// The variable that a plain store writes to.
    fn address(&self, i: Inst) -> Option<Global> {
        let data = &self.func.dfg.insts[i];
        let plain = data.op == Opcode::Store && !data.flags.has(Flags::VOLATILE);
        plain.then(|| self.variable(self.func.dfg.arg(i, 0))).flatten()
    }

    fn stores_to(&self, unread: &EntitySet<Global>) -> Vec<Inst> {
        let insts = self.func.layout.blocks().flat_map(|b| self.func.layout.insts(b));
        insts.filter(|&i| self.address(i).is_some_and(|g| unread.contains(g))).collect()
    }
}

/// Whether an instruction makes the address of a part of what its first operand is the address of.
fn is_part(func: &Function, i: Inst) -> bool {
    matches!(func.dfg.op(i), Opcode::PtrAdd | Opcode::AddrSpaceCast | Opcode::Bitcast)
}
