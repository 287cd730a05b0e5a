//! What is seen of the optimiser's passes.

use crate::Timing;
use ir::Module;
use opt::pass::Observer;
use std::time::Duration;

/// Dumps and times passes.
pub(crate) struct Watch<'a> {
    pub(crate) wanted: Option<&'a str>,
    pub(crate) dumps: String,
    pub(crate) passes: Vec<Timing>,
}

impl Observer for Watch<'_> {
    fn after_pass(&mut self, pass: &'static str, module: &Module, function: ir::FuncId, changed: bool, time: Duration) {
        match self.passes.iter_mut().find(|t| t.name == pass) {
            Some(t) => {
                t.runs += 1;
                t.time += time;
            }
            None => self.passes.push(Timing { name: pass, is_pass: true, runs: 1, time }),
        }
        if self.wanted == Some(pass) && module.functions.is_valid(function) {
            let func = &module.functions[function];
            let note = if changed { "" } else { " (no change)" };
            self.dumps.push_str(&format!("; after {pass}: {}{note}\n", func.name));
            self.dumps.push_str(&ir::print::function_to_text(module, func));
            self.dumps.push('\n');
        }
    }
}
