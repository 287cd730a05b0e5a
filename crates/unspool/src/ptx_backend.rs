//! PTX for NVIDIA's GPUs.

use crate::backend::{Backend, Unit};
use crate::product::{Artefact, Product};
use source::Diagnostic;
use target::Target;

/// Makes PTX.
#[derive(Clone, Copy, Debug)]
pub struct PtxBackend;

impl Backend for PtxBackend {
    fn name(&self) -> &'static str {
        "ptx"
    }

    fn products(&self, target: &Target) -> &'static [Product] {
        if target.ptx_arch().is_some() { &[Product::PTX] } else { &[] }
    }

    fn emit(&self, product: Product, unit: Unit<'_>) -> Result<Vec<Artefact>, Box<Diagnostic>> {
        let o = unit.options;
        // Nobody is asked for what they do not offer.
        let Some(arch) = o.target.ptx_arch() else { return Ok(Vec::new()) };
        let target = ptx::PtxTarget { opencl_abi: o.dialect.is_opencl(), ..ptx::PtxTarget::new(arch) };
        let options = ptx::EmitOptions { lineinfo: o.line_info };
        let text = ptx::emit(unit.module, &target, &options, Some(&unit.session.sources))
            .map_err(|e| Box::new(e.diagnostic()))?;
        Ok(vec![Artefact::text(product, &unit.module.name, text)])
    }
}
