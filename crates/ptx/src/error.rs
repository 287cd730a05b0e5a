//! Why a module cannot be written.

use source::{Diagnostic, Span};
use target::Feature;

/// Why a module cannot be written as PTX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EmitError {
    /// The target, or PTX itself, has nothing for it.
    Unsupported {
        /// What there is nothing for, e.g. `warp reductions`.
        what: String,
        /// Where it is asked for.
        span: Span,
        /// The feature that a target would need, if there is one with it.
        needs: Option<Feature>,
        /// What to do.
        help: String,
    },
    /// A limit of PTX or of the hardware is exceeded.
    TooLarge {
        /// What is too large.
        what: String,
        /// Where.
        span: Span,
        /// What to do.
        help: String,
    },
}

impl EmitError {
    /// `what` needs `feature`.
    pub(crate) fn needs(feature: Feature, span: Span) -> Self {
        Self::Unsupported {
            what: feature.name().to_owned(),
            span,
            needs: Some(feature),
            help: format!("compile for sm_{} or newer (`-arch=sm_{}`)", feature.min_arch(), feature.min_arch()),
        }
    }

    /// There is no PTX for `what`.
    pub(crate) fn unsupported(what: impl Into<String>, span: Span, help: impl Into<String>) -> Self {
        Self::Unsupported { what: what.into(), span, needs: None, help: help.into() }
    }

    /// Where it is.
    pub fn span(&self) -> Span {
        match self {
            Self::Unsupported { span, .. } | Self::TooLarge { span, .. } => *span,
        }
    }

    /// The diagnostic to report.
    pub fn diagnostic(&self) -> Diagnostic {
        match self {
            Self::Unsupported { what, span, needs, help } => {
                let place = if needs.is_some() { "for this architecture" } else { "in PTX" };
                Diagnostic::error("E0501", *span, format!("{what} cannot be compiled {place}")).help(help.clone())
            }
            Self::TooLarge { what, span, help } => {
                Diagnostic::error("E0502", *span, format!("{what} is too large")).help(help.clone())
            }
        }
    }
}

impl std::fmt::Display for EmitError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let d = self.diagnostic();
        write!(f, "{} ({})", d.message, d.help.as_deref().unwrap_or_default())
    }
}

impl std::error::Error for EmitError {}
