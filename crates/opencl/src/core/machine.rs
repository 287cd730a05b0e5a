//! What the operating system says of this machine: Linux's `/proc` and `/sys`. What cannot be read has a plausible value, as
//! no query of a device may fail.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

/// Facts of the machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HostInfo {
    /// The processor's name.
    pub processor: String,
    /// Who made it, as it says itself.
    pub vendor: String,
    /// Highest clock rate in MHz.
    pub clock: u32,
    /// Memory in bytes.
    pub memory: u64,
    /// Size of the last cache in bytes.
    pub cache: u64,
    /// Bytes of a cache line.
    pub line: u32,
}

impl HostInfo {
    /// This machine; read once.
    pub fn get() -> &'static Self {
        static MACHINE: OnceLock<HostInfo> = OnceLock::new();
        MACHINE.get_or_init(Self::read)
    }

    /// The vendor's number in the list of PCI, which has no entry for software; ours is "US".
    pub fn vendor_id(&self) -> u32 {
        match self.vendor.as_str() {
            "GenuineIntel" => 0x8086,
            "AuthenticAMD" => 0x1022,
            _ => 0x5553,
        }
    }

    fn read() -> Self {
        let processors = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let memory = fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let cpu = Path::new("/sys/devices/system/cpu/cpu0");
        let kilohertz = number(&cpu.join("cpufreq/cpuinfo_max_freq"));
        let (cache, line) = caches(&cpu.join("cache"));
        Self {
            processor: field(&processors, "model name").unwrap_or("processor").to_owned(),
            vendor: field(&processors, "vendor_id").unwrap_or("unspool").to_owned(),
            clock: kilohertz.map(|k| k / 1000).or_else(|| megahertz(&processors)).unwrap_or(1000) as u32,
            memory: field(&memory, "MemTotal")
                .and_then(|t| t.split(' ').next()?.parse::<u64>().ok())
                .unwrap_or(1 << 21)
                * 1024,
            cache,
            line,
        }
    }
}

/// The value behind `name :` in a text of such lines.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let line = text.lines().find(|l| l.split(':').next().is_some_and(|n| n.trim() == name))?;
    Some(line.split_once(':')?.1.trim()).filter(|v| !v.is_empty())
}

fn megahertz(processors: &str) -> Option<u64> {
    let mhz: f64 = field(processors, "cpu MHz")?.parse().ok()?;
    (mhz >= 1.0).then_some(mhz as u64)
}

/// The number in a file, times 1024 where it ends in K, and so on.
fn number(path: &Path) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let text = text.trim();
    let digits = text.trim_end_matches(['K', 'M', 'G']);
    let unit = match &text[digits.len()..] {
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => 1,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

/// Size of the last data cache and of a line.
fn caches(folder: &Path) -> (u64, u32) {
    let (mut last, mut size, mut line) = (0, 1 << 20, 64);
    for n in 0..8 {
        let index = folder.join(format!("index{n}"));
        let (Some(level), Some(bytes)) = (number(&index.join("level")), number(&index.join("size"))) else { continue };
        if level > last {
            (last, size) = (level, bytes);
            line = number(&index.join("coherency_line_size")).filter(|l| l.is_power_of_two()).unwrap_or(64) as u32;
        }
    }
    (size, line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_by_their_whole_name() {
        let text = "cpu MHz\t\t: 2400.1\nmodel\t\t: 2\nmodel name\t: A CPU @ 2: fast\nempty :\n";
        assert_eq!(field(text, "model name"), Some("A CPU @ 2: fast"));
        assert_eq!(field(text, "model"), Some("2"));
        assert_eq!(field(text, "empty"), None);
        assert_eq!(megahertz(text), Some(2400));
        let here = HostInfo::get();
        assert!(here.memory >= 1 << 26 && here.clock > 0 && here.line >= 16, "{here:?}");
    }
}
