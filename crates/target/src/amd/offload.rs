//! Reading what users write for an AMD GPU: `gfx90a:xnack+:sramecc-`.

use super::{ARCHS, AmdArch, Setting};
use std::fmt;

/// A GPU as the user wrote it. Settings that are not named are those of any machine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Offload {
    /// Which one.
    pub arch: &'static AmdArch,
    /// `:xnack+` or `:xnack-`.
    pub xnack: Option<bool>,
    /// `:sramecc+` or `:sramecc-`.
    pub sramecc: Option<bool>,
}

/// The words do not name a GPU with its settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParseOffloadError {
    /// No GPU is called so.
    Unknown {
        /// What was written.
        name: String,
        /// The nearest name, if one is near.
        nearest: Option<&'static str>,
    },
    /// What stands behind a colon is no setting.
    Setting {
        /// What was written.
        text: String,
        /// The GPU.
        arch: &'static str,
        /// Settings that it has.
        known: Vec<&'static str>,
    },
    /// A setting is named twice.
    Twice {
        /// Its name.
        setting: &'static str,
    },
}

impl fmt::Display for ParseOffloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |s: &str| s.chars().take(40).collect::<String>();
        match self {
            Self::Unknown { name, nearest } => {
                write!(f, "unknown AMD GPU `{}`", short(name))?;
                match nearest {
                    Some(n) => write!(f, "; did you mean `{n}`?"),
                    None => {
                        let names: Vec<&str> = ARCHS.iter().map(|a| a.name).collect();
                        write!(f, "; known are {}", names.join(", "))
                    }
                }
            }
            Self::Setting { text, arch, known } if known.is_empty() => {
                write!(f, "`{arch}` has no settings, and `:{}` asks for one", short(text))
            }
            Self::Setting { text, arch, known } => write!(
                f,
                "`:{}` is no setting of `{arch}`; it has {}, each followed by `+` or `-`",
                short(text),
                known.join(" and ")
            ),
            Self::Twice { setting } => write!(f, "`{setting}` is set twice"),
        }
    }
}

impl std::error::Error for ParseOffloadError {}

impl Offload {
    /// Reads `gfx90a`, `gfx90a:xnack+`, `gfx90a:sramecc-:xnack+`.
    ///
    /// # Errors
    /// The name is unknown, or the GPU lacks a setting.
    pub fn parse(text: &str) -> Result<Self, ParseOffloadError> {
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default();
        let Some(arch) = AmdArch::parse(name) else {
            return Err(ParseOffloadError::Unknown { name: name.to_owned(), nearest: nearest(name) });
        };
        let mut found = Self { arch, xnack: None, sramecc: None };
        for part in parts {
            let setting = arch.settings.iter().copied().find(|s| part.strip_prefix(s.name()).is_some());
            let sign = setting.and_then(|s| part.strip_prefix(s.name()));
            let (Some(setting), Some("+" | "-")) = (setting, sign) else {
                let known = arch.settings.iter().map(|s| s.name()).collect();
                return Err(ParseOffloadError::Setting { text: part.to_owned(), arch: arch.name, known });
            };
            let field = match setting {
                Setting::Xnack => &mut found.xnack,
                Setting::SramEcc => &mut found.sramecc,
            };
            if field.replace(sign == Some("+")).is_some() {
                return Err(ParseOffloadError::Twice { setting: setting.name() });
            }
        }
        Ok(found)
    }

    /// A setting's state, if it was named.
    pub fn setting(&self, s: Setting) -> Option<bool> {
        match s {
            Setting::Xnack => self.xnack,
            Setting::SramEcc => self.sramecc,
        }
    }

    /// Name and settings in the order in which target ids have them: `gfx90a:sramecc-:xnack+`.
    pub fn target_id(&self) -> String {
        let mut id = self.arch.name.to_owned();
        for s in [Setting::SramEcc, Setting::Xnack] {
            if let Some(on) = self.setting(s) {
                id.push_str(&format!(":{}{}", s.name(), if on { '+' } else { '-' }));
            }
        }
        id
    }
}

/// The name that was most likely meant: the same letters and digits in another spelling, one that differs in the last
/// place, else the nearest of the same major version.
fn nearest(text: &str) -> Option<&'static str> {
    let plain: String = text.chars().filter(char::is_ascii_alphanumeric).take(16).collect::<String>().to_lowercase();
    let digits = plain.strip_prefix("gfx").unwrap_or(&plain);
    if digits.len() < 3 || !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let names = || ARCHS.iter().map(|a| a.name);
    let same = |n: &&str| &n[3..] == digits;
    let stem = &digits[..digits.len() - 1];
    // Steppings and variants of one generation: gfx909 is nearer to gfx908 than to gfx900.
    let last = |n: &str| n.bytes().last().map_or(0, i32::from);
    let wanted = last(digits);
    names()
        .find(same)
        .or_else(|| {
            let near = names().filter(|n| n.len() == digits.len() + 3 && n[3..].starts_with(stem));
            near.min_by_key(|n| (last(n) - wanted).abs())
        })
        .or_else(|| {
            // The major version is what is before the last two places, of which the last may be a hexadecimal digit.
            let (major, minor) = digits.split_at_checked(digits.len() - 2)?;
            let number = |minor: &str| i64::from_str_radix(minor, 16).ok();
            let wanted = number(minor)?;
            let near = names().filter_map(|n| Some((number(n[3..].strip_prefix(major).filter(|m| m.len() == 2)?)?, n)));
            near.min_by_key(|&(m, _)| (m - wanted).abs()).map(|(_, n)| n)
        })
        // Letters too many or too few.
        .or_else(|| names().find(|n| digits.starts_with(&n[3..]) || n[3..].starts_with(digits)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_settings() {
        let o = Offload::parse("gfx90a:xnack+:sramecc-").expect("well formed");
        assert_eq!((o.arch.name, o.xnack, o.sramecc), ("gfx90a", Some(true), Some(false)));
        assert_eq!(o.target_id(), "gfx90a:sramecc-:xnack+");
        assert_eq!(Offload::parse("gfx1100").expect("well formed").target_id(), "gfx1100");
    }

    #[test]
    fn what_is_wrong_is_said() {
        let why = |t: &str| Offload::parse(t).expect_err("wrong").to_string();
        assert_eq!(why("gfx90b"), "unknown AMD GPU `gfx90b`; did you mean `gfx90a`?");
        assert_eq!(why("GFX-1100"), "unknown AMD GPU `GFX-1100`; did you mean `gfx1100`?");
        assert_eq!(why("gfx909"), "unknown AMD GPU `gfx909`; did you mean `gfx908`?");
        assert_eq!(why("gfx1103"), "unknown AMD GPU `gfx1103`; did you mean `gfx1102`?");
        assert_eq!(why("gfx1150"), "unknown AMD GPU `gfx1150`; did you mean `gfx1151`?");
        assert_eq!(why("gfx1000"), "unknown AMD GPU `gfx1000`; did you mean `gfx1030`?");
        assert_eq!(why("gfx1250"), "unknown AMD GPU `gfx1250`; did you mean `gfx1201`?");
        assert_eq!(why("gfx950"), "unknown AMD GPU `gfx950`; did you mean `gfx942`?");
        assert_eq!(why("gfx1101x"), "unknown AMD GPU `gfx1101x`; did you mean `gfx1101`?");
        assert_eq!(why("gfx110"), "unknown AMD GPU `gfx110`; did you mean `gfx1100`?");
        assert!(why("gfx803").contains("known are") && why("gfx9éé").contains("known are"));
        assert!(why("gfx").contains("known are gfx900, gfx906") && why("").contains("known are"));
        assert_eq!(why("gfx1100:xnack+"), "`gfx1100` has no settings, and `:xnack+` asks for one");
        assert!(why("gfx90a:xnack").contains("it has xnack and sramecc, each followed by `+` or `-`"));
        assert_eq!(why("gfx90a:xnack+:xnack-"), "`xnack` is set twice");
        assert!(why("gfx900:sramecc+").contains("it has xnack"));
    }
}
