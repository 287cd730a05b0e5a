//! What was asked about one loop.

use ir::UnrollRequest;

/// What was asked about one loop, whatever the spelling.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Request {
    /// About unrolling.
    pub unroll: UnrollRequest,
    /// About unroll-and-jam.
    pub jam: UnrollRequest,
}

impl Request {
    /// Nothing was asked.
    pub const NONE: Self = Self { unroll: UnrollRequest::None, jam: UnrollRequest::None };
    /// `#pragma unroll`
    pub const FULL: Self = Self { unroll: UnrollRequest::Full, jam: UnrollRequest::None };

    /// `#pragma unroll N`; a factor of 1 forbids.
    pub const fn count(n: u32) -> Self {
        let unroll = if n <= 1 { UnrollRequest::Disable } else { UnrollRequest::Count(n) };
        Self { unroll, jam: UnrollRequest::None }
    }

    /// Whether unroll-and-jam was wished for in any form.
    pub fn wants_jam(self) -> bool {
        !matches!(self.jam, UnrollRequest::None | UnrollRequest::Disable)
    }

    /// The part about unrolling.
    #[must_use]
    pub fn about_unroll(self) -> Self {
        Self { jam: UnrollRequest::None, ..self }
    }

    /// The part about unroll-and-jam.
    #[must_use]
    pub fn about_jam(self) -> Self {
        Self { unroll: UnrollRequest::None, ..self }
    }

    /// Whether unrolling was wished for in any form.
    pub fn is_explicit(self) -> bool {
        !matches!(self.unroll, UnrollRequest::None | UnrollRequest::Disable)
    }
}
