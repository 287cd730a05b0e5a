//! Compiled programs as bytes: what `clGetProgramInfo(CL_PROGRAM_BINARIES)` gives and `clCreateProgramWithBinary` takes,
//! and what is kept on disk.
//!
//! An [`Object`] holds the IR as text, which has a reader and a verifier that refuse what is wrong, what callers must
//! know of the kernels, and how it came to be. It may carry machine code, which only this library's runtime understands.
//!
//! ```text
//! offset  bytes
//!      0      8  magic
//!      8      4  version of this layout, little endian
//!     12     32  the compiler's build
//!     44      8  bytes of the body
//!     52     32  BLAKE3 hash of all other bytes
//!     84         body: postcard's encoding of what the object holds
//! ```

use crate::Dialect;
use ir::Module;
use launch::kernels::KernelInfo;
use launch::variables::Variable;
use serde::{Deserialize, Serialize};

/// What a file begins with. Not text in any encoding, and changed by transfers that take it for text.
const MAGIC: [u8; 8] = *b"\x89unspl\r\n";

/// Version of the layout.
const VERSION: u32 = 3;

const HASH_AT: usize = 52;
const HEADER: usize = HASH_AT + 32;

/// What a stored program is good for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Kind {
    /// Compiled, to be linked.
    Compiled,
    /// Linked to a library, to be linked further.
    Library,
    /// Complete: its kernels can be run.
    Executable,
}

/// A content hash: BLAKE3.
pub type Hash = [u8; 32];

/// Machine code that was made of a program, as the runtime stores it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Code {
    /// What it was made of, for which machine and how.
    pub key: Hash,
    /// The code and what its callers must know.
    pub bytes: Vec<u8>,
}

/// A compiled program.
#[derive(Clone, PartialEq, Debug)]
pub struct Object {
    /// What it is good for.
    pub kind: Kind,
    /// What it was written in.
    pub dialect: Dialect,
    /// Whether its kernels run groups that are smaller than the others ([`ir::FnAttrs::partial_groups`]).
    pub partial_groups: bool,
    /// The options that it was made with, as the caller spelt them.
    pub options: String,
    /// Its kernels as their callers see them, without places in sources.
    pub kernels: Vec<KernelInfo>,
    /// Its variables that outlive kernels.
    pub variables: Vec<Variable>,
    /// What was said when it was made: warnings and remarks, rendered.
    pub log: String,
    /// The IR as text.
    pub text: String,
    /// Machine code of some of its kernels.
    pub code: Vec<Code>,
}

/// Why bytes are no program that this compiler takes.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ObjectError {
    /// Something else.
    #[error("this is no program that unspool has compiled")]
    Foreign,
    /// Another version of the layout.
    #[error(
        "the program is stored in version {found} of the format, this unspool reads version {VERSION}: compile it again"
    )]
    Version {
        /// The version found.
        found: u32,
    },
    /// Made by another compiler.
    #[error("the program was compiled by another build of unspool: compile it again")]
    Build,
    /// The end is missing.
    #[error("the program is cut off: {found} of {expected} bytes are there")]
    Truncated {
        /// Bytes that are there.
        found: u64,
        /// Bytes that it had.
        expected: u64,
    },
    /// Bytes were changed.
    #[error("the program is damaged: {what}")]
    Damaged {
        /// What does not fit.
        what: String,
    },
}

/// What identifies this build of the compiler: programs of other builds are refused, since the IR may mean something
/// else there.
pub fn build_id() -> Hash {
    let text = concat!(env!("CARGO_PKG_VERSION"), " ", env!("UNSPOOL_BUILD"));
    *blake3::hash(text.as_bytes()).as_bytes()
}

/// The body of a file, to be written.
#[derive(Serialize)]
struct Body<'a> {
    kind: Kind,
    dialect: (u8, u16),
    partial_groups: bool,
    options: &'a str,
    kernels: &'a [KernelInfo],
    variables: &'a [Variable],
    log: &'a str,
    text: &'a str,
    code: &'a [Code],
}

/// The body of a file, as read.
#[derive(Deserialize)]
struct OwnedBody {
    kind: Kind,
    dialect: (u8, u16),
    partial_groups: bool,
    options: String,
    kernels: Vec<KernelInfo>,
    variables: Vec<Variable>,
    log: String,
    text: String,
    code: Vec<Code>,
}

fn dialect_code(dialect: Dialect) -> (u8, u16) {
    match dialect {
        Dialect::OpenClC { version } => (0, version),
        Dialect::CudaCxx { std } => (1, std),
        Dialect::C11 => (2, 0),
    }
}

fn dialect_of(code: (u8, u16)) -> Option<Dialect> {
    match code {
        (0, version) => Some(Dialect::OpenClC { version }),
        (1, std) => Some(Dialect::CudaCxx { std }),
        (2, 0) => Some(Dialect::C11),
        _ => None,
    }
}

fn damaged(what: impl Into<String>) -> ObjectError {
    ObjectError::Damaged { what: what.into() }
}

impl Object {
    /// An object of a module: without kernels' descriptions, options, log and machine code, which are fields. That of
    /// an executable has its variables.
    pub fn new(kind: Kind, dialect: Dialect, module: &Module) -> Self {
        Self {
            kind,
            dialect,
            partial_groups: module.functions.values().any(|f| f.attrs.partial_groups),
            options: String::new(),
            kernels: Vec::new(),
            variables: if kind == Kind::Executable { launch::variables::of(module) } else { Vec::new() },
            log: String::new(),
            text: ir::print::module_to_text(module),
            code: Vec::new(),
        }
    }

    /// The module. It passes the verifier, and refers to no hint: the ledger that it was compiled with is gone.
    ///
    /// # Errors
    /// The text is no module, or breaks the IR's rules.
    pub fn module(&self) -> Result<Module, ObjectError> {
        let mut module = ir::parse::parse_module(&self.text).map_err(|e| damaged(format!("its IR: {e}")))?;
        ir::verify::verify_module(&module)
            .map_err(|e| damaged(format!("its IR: {}", e.first().map_or_else(String::new, ToString::to_string))))?;
        for f in module.functions.values_mut() {
            f.attrs.hints.clear();
            f.loops.values_mut().for_each(|l| l.hints.clear());
        }
        Ok(module)
    }

    /// What machine code depends on: the hash of the module, the dialect and this build.
    pub fn content(&self) -> Hash {
        let (dialect, version) = dialect_code(self.dialect);
        let mut hasher = blake3::Hasher::new();
        hasher.update(&build_id()).update(&[dialect]).update(&version.to_le_bytes()).update(self.text.as_bytes());
        *hasher.finalize().as_bytes()
    }

    /// The object as bytes.
    pub fn write(&self) -> Vec<u8> {
        let body = Body {
            kind: self.kind,
            dialect: dialect_code(self.dialect),
            partial_groups: self.partial_groups,
            options: &self.options,
            kernels: &self.kernels,
            variables: &self.variables,
            log: &self.log,
            text: &self.text,
            code: &self.code,
        };
        let mut out = MAGIC.to_vec();
        out.extend(VERSION.to_le_bytes());
        out.extend(build_id());
        out.resize(HEADER, 0);
        // Memory is the only thing that writing to a vector can lack.
        let mut out = postcard::to_extend(&body, out).unwrap_or_default();
        let length = out.len().saturating_sub(HEADER) as u64;
        if let Some(place) = out.get_mut(44..HASH_AT) {
            place.copy_from_slice(&length.to_le_bytes());
        }
        seal(&mut out);
        out
    }

    /// The object that [`Object::write`] wrote. Only what stands around the IR is read: [`Object::module`] reads that.
    ///
    /// # Errors
    /// The bytes are something else, of another version or build, cut off, or were changed.
    pub fn read(bytes: &[u8]) -> Result<Self, ObjectError> {
        let start = &bytes[..bytes.len().min(MAGIC.len())];
        if !MAGIC.starts_with(start) || start.is_empty() {
            return Err(ObjectError::Foreign);
        }
        let cut = |expected: u64| ObjectError::Truncated { found: bytes.len() as u64, expected };
        let Some((header, body)) = bytes.split_at_checked(HEADER) else { return Err(cut(HEADER as u64)) };
        let version = u32::from_le_bytes([header[8], header[9], header[10], header[11]]);
        if version != VERSION {
            return Err(ObjectError::Version { found: version });
        }
        if header[12..44] != build_id() {
            return Err(ObjectError::Build);
        }
        let mut length = [0; 8];
        length.copy_from_slice(&header[44..HASH_AT]);
        let length = u64::from_le_bytes(length);
        if (body.len() as u64) < length {
            return Err(cut(length.saturating_add(HEADER as u64)));
        }
        if body.len() as u64 > length {
            return Err(damaged("something follows its end"));
        }
        if header[HASH_AT..] != hash_of(&header[..HASH_AT], body) {
            return Err(damaged("its hash does not match"));
        }
        let (body, rest): (OwnedBody, _) =
            postcard::take_from_bytes(body).map_err(|e| damaged(format!("its contents: {e}")))?;
        if !rest.is_empty() {
            return Err(damaged("something follows its contents"));
        }
        let dialect = dialect_of(body.dialect).ok_or_else(|| damaged("its language is none"))?;
        let OwnedBody { kind, partial_groups, options, kernels, variables, log, text, code, .. } = body;
        Ok(Self { kind, dialect, partial_groups, options, kernels, variables, log, text, code })
    }
}

/// Writes the hash to its place.
fn seal(bytes: &mut [u8]) {
    if let Some((header, body)) = bytes.split_at_mut_checked(HEADER) {
        let hash = hash_of(&header[..HASH_AT], body);
        header[HASH_AT..].copy_from_slice(&hash);
    }
}

fn hash_of(header: &[u8], body: &[u8]) -> Hash {
    *blake3::Hasher::new().update(header).update(body).finalize().as_bytes()
}
