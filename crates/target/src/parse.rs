//! Reading what users write after `-arch=`.

use crate::Arch;
use std::fmt;

/// An architecture as the user wrote it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParsedArch {
    /// Which one.
    pub arch: Arch,
    /// Written `compute_…`: a virtual architecture, PTX only.
    pub is_virtual: bool,
}

/// The name is not that of an architecture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseArchError {
    /// What was written.
    pub name: String,
    /// The nearest architecture, if one is near.
    pub nearest: Option<Arch>,
}

impl fmt::Display for ParseArchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: String = self.name.chars().take(40).collect();
        write!(f, "unknown GPU architecture `{shown}`")?;
        match self.nearest {
            Some(a) => write!(f, "; did you mean `{a}`?"),
            None => write!(f, "; architectures are named like `sm_90`, `compute_90` or `gfx90a`"),
        }
    }
}

impl std::error::Error for ParseArchError {}

impl Arch {
    /// Reads `sm_90`, `compute_90`, `sm_90a`.
    ///
    /// # Errors
    /// With the nearest name, if the name is unknown.
    pub fn parse(text: &str) -> Result<ParsedArch, ParseArchError> {
        let error = |nearest| ParseArchError { name: text.to_owned(), nearest };
        let (is_virtual, rest) = match (text.strip_prefix("sm_"), text.strip_prefix("compute_")) {
            (Some(r), _) => (false, r),
            (_, Some(r)) => (true, r),
            _ => return Err(error(nearest(text))),
        };
        match Self::all().find(|a| &a.name()[3..] == rest) {
            Some(arch) => Ok(ParsedArch { arch, is_virtual }),
            None => Err(error(nearest(text))),
        }
    }
}

impl std::str::FromStr for Arch {
    type Err = ParseArchError;

    /// [`Arch::parse`], where it does not matter whether the name is that of a virtual architecture.
    fn from_str(text: &str) -> Result<Self, ParseArchError> {
        Self::parse(text).map(|p| p.arch)
    }
}

/// The architecture that the name most likely means: same digits in another spelling (`sm90`, `90`, `SM_90`), else the
/// newest one that is not newer, of the same generation.
fn nearest(text: &str) -> Option<Arch> {
    let digits: String = text.chars().filter(char::is_ascii_digit).take(4).collect();
    let n: u32 = digits.parse().ok()?;
    if let Some(a) = Arch::from_number(n) {
        let full = Arch::all().find(|b| {
            let suffix = &b.name()[b.name().len() - 1..];
            b.number() == n && matches!(suffix, "a" | "f") && text.ends_with(suffix)
        });
        return Some(full.unwrap_or(a));
    }
    let older = Arch::all().filter(|a| a.number() <= n && a.number() / 10 == n / 10).last();
    older.or_else(|| Arch::all().find(|a| a.number() / 10 == n / 10)).and_then(|a| Arch::from_number(a.number()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let p = Arch::parse("compute_90").unwrap();
        assert!(p.is_virtual && p.arch.name() == "sm_90");
        assert_eq!(Arch::parse("sm_90a").unwrap().arch.name(), "sm_90a");
        assert_eq!(Arch::parse("sm_100a").unwrap().arch.number(), 100);
    }

    #[test]
    fn near_misses() {
        let near = |t: &str| Arch::parse(t).unwrap_err().nearest.map(Arch::name);
        assert_eq!(near("sm90"), Some("sm_90"));
        assert_eq!(near("SM_90a"), Some("sm_90a"));
        assert_eq!(near("90"), Some("sm_90"));
        assert_eq!(near("sm_91"), Some("sm_90"));
        assert_eq!(near("sm_81"), Some("sm_80"));
        assert_eq!(near("sm_71"), Some("sm_70"));
        assert_eq!(near("gfx"), None);
        assert_eq!(near(""), None);
        assert_eq!(near("sm_99999999999999"), None);
        assert!(Arch::parse("sm90").unwrap_err().to_string().contains("did you mean `sm_90`"));
    }
}
