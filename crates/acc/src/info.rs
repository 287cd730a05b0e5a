//! What `-Minfo` tells.

/// What is said of a loop that is a kernel of one work-item.
pub(crate) const SERIAL: &str = "Accelerator serial kernel generated";

/// A line of `-Minfo=accel`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// The source line.
    pub line: u32,
    /// The message.
    pub text: String,
}
