//! What `-Minfo` tells.

/// A line of `-Minfo=accel`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// The source line.
    pub line: u32,
    /// The message.
    pub text: String,
}
