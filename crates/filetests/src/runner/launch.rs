//! `run:` lines: launches with expected buffers.

use interp::{Arg, LaunchConfig, Limits, Machine};
use ir::{Module, Type};
use target::Target;
use target::amd::{self, AmdArch};

/// Runs every `run:` line of a file on a module.
pub(super) fn run_lines(text: &str, module: &Module) -> Result<(), String> {
    for line in text.lines() {
        let Some(run) = super::comment(line).and_then(|c| c.trim().strip_prefix("run:")) else { continue };
        let run = run.trim();
        Launch::parse(run)?.check(module).map_err(|e| format!("`{run}`: {e}"))?;
    }
    Ok(())
}

/// Elements of a buffer, `None` where undefined.
#[derive(Debug)]
struct Buffer {
    ty: Type,
    elements: Vec<Option<u64>>,
}

enum Given {
    Buffer(Buffer),
    Arg(Arg),
}

enum Expect {
    Buffers(Vec<Buffer>),
    Traps(String),
    Prints(String),
}

struct Launch {
    kernel: String,
    args: Vec<Given>,
    config: LaunchConfig,
    target: Target,
    expect: Expect,
}

/// Splits at a separator outside of brackets.
fn split(text: &str, separator: char) -> Vec<&str> {
    let mut depth = 0;
    let mut parts = Vec::new();
    let mut start = 0;
    for (n, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            c if c == separator && depth == 0 => {
                parts.push(text[start..n].trim());
                start = n + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|p| !p.is_empty());
    parts
}

fn type_named(name: &str) -> Result<Type, String> {
    Ok(match name {
        "" | "i32" => Type::I32,
        "i8" => Type::I8,
        "i16" => Type::I16,
        "i64" => Type::I64,
        "f16" => Type::F16,
        "bf16" => Type::BF16,
        "f32" => Type::F32,
        "f64" => Type::F64,
        _ => return Err(format!("no such element type: `{name}`")),
    })
}

fn bits(ty: Type, word: &str) -> Result<u64, String> {
    let bad = || format!("`{word}` is no {ty}");
    if let Some(hex) = word.strip_prefix("0x") {
        return u64::from_str_radix(hex, 16).map_err(|_| bad());
    }
    match ty {
        Type::F32 => word.parse::<f32>().map(|x| x.to_bits().into()).map_err(|_| bad()),
        Type::F64 => word.parse::<f64>().map(f64::to_bits).map_err(|_| bad()),
        _ => word.parse::<i128>().map(|n| n as u64 & ty.mask()).map_err(|_| bad()),
    }
}

fn buffer(text: &str) -> Result<Option<Buffer>, String> {
    let Some((name, rest)) = text.split_once('[') else { return Ok(None) };
    let ty = type_named(name.trim())?;
    let inner = rest.strip_suffix(']').ok_or_else(|| format!("expected `]`: {text}"))?;
    let mut elements = Vec::new();
    for word in inner.split_whitespace() {
        // `0*16`: sixteen zeros.
        let (word, times) = word.split_once('*').unwrap_or((word, "1"));
        let times: usize = times.parse().map_err(|_| format!("bad count: {times}"))?;
        let element = if word == "undef" { None } else { Some(bits(ty, word)?) };
        elements.resize(elements.len() + times, element);
    }
    Ok(Some(Buffer { ty, elements }))
}

fn dimensions(text: &str) -> Result<[u32; 3], String> {
    let mut out = [1; 3];
    for (to, word) in out.iter_mut().zip(text.split('x')) {
        *to = word.parse().map_err(|_| format!("bad size: {text}"))?;
    }
    Ok(out)
}

impl Launch {
    fn parse(text: &str) -> Result<Self, String> {
        let (kernel, rest) = text.split_once('(').ok_or("expected `kernel(arguments)`")?;
        let (args, rest) = rest.split_once(')').ok_or("expected `)`")?;
        let (settings, expect) = if let Some((s, e)) = rest.split_once("==") {
            let mut buffers = Vec::new();
            for part in split(e, ' ') {
                buffers.push(buffer(part)?.ok_or_else(|| format!("expected a buffer: {part}"))?);
            }
            (s, Expect::Buffers(buffers))
        } else if let Some((s, e)) = rest.split_once("traps ") {
            (s, Expect::Traps(e.trim().to_owned()))
        } else if let Some((s, e)) = rest.split_once("prints ") {
            (s, Expect::Prints(e.trim().trim_matches('"').replace("\\n", "\n")))
        } else {
            return Err("expected `==`, `traps` or `prints`".to_owned());
        };
        let mut launch = Self {
            kernel: kernel.trim().to_owned(),
            args: Vec::new(),
            config: LaunchConfig::items(1),
            target: Target::default(),
            expect,
        };
        for part in split(args, ',') {
            launch.args.push(argument(part)?);
        }
        launch.settings(settings)?;
        Ok(launch)
    }

    fn settings(&mut self, text: &str) -> Result<(), String> {
        let (mut grid, mut block, mut shared) = ([1; 3], [1; 3], 0);
        for word in text.split_whitespace() {
            let (name, value) = word.split_once('=').ok_or_else(|| format!("expected `name=value`: {word}"))?;
            match name {
                "grid" => grid = dimensions(value)?,
                "block" => block = dimensions(value)?,
                "shared" => shared = value.parse().map_err(|_| format!("bad size: {value}"))?,
                "warp" => self.target = warps_of(value)?,
                _ => return Err(format!("no such setting: `{word}`")),
            }
        }
        self.config = LaunchConfig { dynamic_shared: shared, ..LaunchConfig::new(grid, block) };
        Ok(())
    }

    fn check(&self, module: &Module) -> Result<(), String> {
        let kernel = module.find(&self.kernel).ok_or("no such kernel")?;
        let mut machine = Machine::new(module);
        machine.set_target(self.target);
        let mut args = Vec::new();
        let mut buffers = Vec::new();
        for given in &self.args {
            args.push(match given {
                Given::Arg(a) => a.clone(),
                Given::Buffer(b) => {
                    let address = fill(&mut machine, b)?;
                    buffers.push(address);
                    Arg::Pointer(address)
                }
            });
        }
        let outcome = machine.launch(kernel, &self.config, &args, &Limits::default());
        match (&self.expect, outcome) {
            (Expect::Traps(why), Err(trap)) if trap.to_string().contains(why) => Ok(()),
            (Expect::Traps(why), Err(trap)) => Err(format!("expected a trap with `{why}`, got: {trap}")),
            (Expect::Traps(why), Ok(_)) => Err(format!("expected a trap with `{why}`, but the kernel ended")),
            (_, Err(trap)) => Err(trap.to_string()),
            (Expect::Prints(want), Ok(_)) => {
                let got = String::from_utf8_lossy(machine.output());
                if got == *want { Ok(()) } else { Err(format!("printed {got:?}, expected {want:?}")) }
            }
            (Expect::Buffers(want), Ok(_)) => {
                if want.len() > buffers.len() {
                    return Err("more buffers expected than given".to_owned());
                }
                buffers.iter().zip(want).try_for_each(|(&at, b)| compare(&machine, at, b))
            }
        }
    }
}

/// A GPU with warps of so many lanes.
fn warps_of(lanes: &str) -> Result<Target, String> {
    let mut gpus = [Target::default()].into_iter().chain(amd::ARCHS.iter().map(AmdArch::target));
    let found = lanes.parse().ok().and_then(|n| gpus.find_map(|t| t.with_warp_size(n)));
    found.ok_or_else(|| format!("no GPU has warps of {lanes} lanes"))
}

fn argument(text: &str) -> Result<Given, String> {
    if let Some(b) = buffer(text)? {
        return Ok(Given::Buffer(b));
    }
    let (ty, value) = text.split_once(':').ok_or_else(|| format!("expected `type:value` or a buffer: {text}"))?;
    if ty == "local" {
        return Ok(Given::Arg(Arg::Local(value.parse().map_err(|_| format!("bad size: {value}"))?)));
    }
    Ok(Given::Arg(Arg::Value(bits(type_named(ty)?, value)?)))
}

fn fill(machine: &mut Machine, b: &Buffer) -> Result<u64, String> {
    let each = u64::from(b.ty.bytes());
    let address = machine.alloc_global(each * b.elements.len() as u64).ok_or("buffer too large")?;
    for (n, e) in b.elements.iter().enumerate() {
        if let Some(v) = e {
            machine.write(address + n as u64 * each, &v.to_le_bytes()[..each as usize]);
        }
    }
    Ok(address)
}

fn compare(machine: &Machine, address: u64, want: &Buffer) -> Result<(), String> {
    let each = u64::from(want.ty.bytes());
    for (n, e) in want.elements.iter().enumerate() {
        let at = address + n as u64 * each;
        let (Some(bytes), Some(shadow)) = (machine.read(at, each), machine.read_shadow(at, each)) else {
            return Err("more elements expected than the buffer has".to_owned());
        };
        let undefined = shadow.iter().any(|&s| s != 0);
        let got = bytes.iter().rev().fold(0u64, |v, &b| v << 8 | u64::from(b));
        if (undefined, Some(got)) != (false, *e) && !(undefined && e.is_none()) {
            let got = if undefined { "undefined".to_owned() } else { show(want.ty, got) };
            let wanted = e.map_or_else(|| "undefined".to_owned(), |v| show(want.ty, v));
            return Err(format!("element {n} is {got}, expected {wanted}"));
        }
    }
    Ok(())
}

fn show(ty: Type, bits: u64) -> String {
    match ty {
        Type::F32 => format!("{:?}", f32::from_bits(bits as u32)),
        Type::F64 => format!("{:?}", f64::from_bits(bits)),
        _ => format!("{} ({bits:#x})", (bits << (64 - ty.bits())) as i64 >> (64 - ty.bits())),
    }
}
