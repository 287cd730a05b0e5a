//! What AMD GPU to compile for.

use crate::target_machine::TargetMachine;
use crate::{LlvmError, OptLevel};
use inkwell::llvm_sys::target as registry;
use std::sync::Once;
use target::Target;
use target::amd::{Offload, Setting};

/// Version of the code object format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CodeObject {
    /// ROCm 4.1 to 5.
    V4,
    /// ROCm 5.5 and later.
    #[default]
    V5,
    /// ROCm 6.3 and later.
    V6,
}

impl CodeObject {
    /// LLVM's number: a hundred times the version.
    pub(crate) fn module_flag(self) -> u64 {
        match self {
            Self::V4 => 400,
            Self::V5 => 500,
            Self::V6 => 600,
        }
    }

    /// Reads `4`, `5` or `6`.
    pub fn parse(text: &str) -> Option<Self> {
        [("4", Self::V4), ("5", Self::V5), ("6", Self::V6)].into_iter().find(|(n, _)| *n == text).map(|(_, v)| v)
    }
}

/// An AMD GPU with its settings, as LLVM calls them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AmdMachine {
    /// GPU and settings.
    pub offload: Offload,
    /// Lanes of waves and warps.
    pub target: Target,
    /// Version of the code object.
    pub code_object: CodeObject,
}

impl AmdMachine {
    /// The target triple.
    pub const TRIPLE: &'static str = "amdgcn-amd-amdhsa";

    /// LLVM's feature string.
    pub(crate) fn features(&self) -> String {
        let mut features: Vec<String> = Vec::new();
        for s in [Setting::Xnack, Setting::SramEcc] {
            if let Some(on) = self.offload.setting(s) {
                features.push(format!("{}{}", if on { '+' } else { '-' }, s.name()));
            }
        }
        if self.offload.arch.both_wave_sizes {
            let (on, off) = if self.target.wave_size() == 64 { (64, 32) } else { (32, 64) };
            features.push(format!("+wavefrontsize{on},-wavefrontsize{off}"));
        }
        features.join(",")
    }

    /// The number of the generation: 9 for gfx90a, 11 for gfx1100.
    pub(crate) fn generation(&self) -> u32 {
        let digits = &self.offload.arch.name["gfx".len()..];
        digits[..digits.len() - 2].parse().unwrap_or(9)
    }

    /// LLVM's generator of code for it.
    ///
    /// # Errors
    /// LLVM was built without AMD's targets.
    pub(crate) fn code_generator(&self, level: OptLevel) -> Result<TargetMachine, LlvmError> {
        static KNOWN: Once = Once::new();
        // SAFETY: registration in LLVM's own tables, once.
        KNOWN.call_once(|| unsafe {
            registry::LLVMInitializeAMDGPUTargetInfo();
            registry::LLVMInitializeAMDGPUTarget();
            registry::LLVMInitializeAMDGPUTargetMC();
            registry::LLVMInitializeAMDGPUAsmPrinter();
        });
        TargetMachine::new(Self::TRIPLE, self.offload.arch.name, &self.features(), level)
    }
}
