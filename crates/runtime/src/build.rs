//! From source to a program.

use crate::{Cache, Program};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use unspool::object::{Hash, Kind, Object};
use unspool::{Compilation, Emit, Input, Options, Preprocessed, preprocess};

/// What came of a build.
#[derive(Debug)]
pub struct Built {
    /// The program; `None` if there were errors.
    pub program: Option<Arc<Program>>,
    /// Diagnostics as the caller renders them.
    pub log: String,
    /// What the compiler found; `None` if it did not run, because the program was there already. Its module is empty: the
    /// program has it.
    pub compilation: Option<Compilation>,
}

/// What to build, and how.
pub struct BuildOptions<'a> {
    /// Options of the compiler; for the host, with [`Options::kernel_info`].
    pub options: &'a Options,
    /// The same as the user wrote them, which the object remembers, and what else `render` depends on.
    pub spelt: &'a str,
    /// Where programs are kept that were built before.
    pub cache: &'a Cache,
    /// Makes the log of a compilation.
    pub render: &'a dyn Fn(&Compilation) -> String,
}

impl std::fmt::Debug for BuildOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BuildOptions").field("spelt", &self.spelt).finish_non_exhaustive()
    }
}

/// A program as it is kept on disk.
#[derive(Serialize, Deserialize)]
struct Entry<'a> {
    /// What the log is about.
    sources: Hash,
    /// The object's bytes.
    #[serde(borrow)]
    object: &'a [u8],
}

/// Builds a program: what `clBuildProgram` does. A source that was built before with the same options is found by what
/// comes out of the preprocessor, and is not compiled; its log is the one from then.
pub fn build(input: &Input, how: &BuildOptions<'_>) -> Built {
    let source = preprocess(input, how.options);
    let key = (how.cache.is_on() && source.succeeded()).then(|| source.content(how.options));
    let found = key.and_then(|key| how.cache.get(&key, |bytes| stored(&bytes)));
    // Sources may differ in white space only; then their diagnostics stand elsewhere.
    let sources = key.map(|_| sources(&source, how.spelt));
    if let Some((of, mut object)) = found
        && (object.log.is_empty() || Some(of) == sources)
    {
        how.spelt.clone_into(&mut object.options);
        let log = object.log.clone();
        return Built { program: Some(Arc::new(Program::from_object(Arc::new(object)))), log, compilation: None };
    }
    complete(source.compile(how.options, &Emit::Nothing), how, |object| {
        if let (Some(key), Some(sources)) = (&key, sources)
            && let Ok(bytes) = postcard::to_stdvec(&Entry { sources, object: &object.write() })
        {
            how.cache.put(key, &bytes);
        }
    })
}

/// Makes a program of what was linked ([`unspool::link()`]) with these options. It is not looked for in the cache.
pub fn finish(compilation: Compilation, how: &BuildOptions<'_>) -> Built {
    complete(compilation, how, |_| {})
}

/// Makes a program of a finished compilation, if there were no errors, and shows how it is stored.
fn complete(mut compilation: Compilation, how: &BuildOptions<'_>, store: impl FnOnce(&Object)) -> Built {
    let log = (how.render)(&compilation);
    if !compilation.succeeded() {
        return Built { program: None, log, compilation: Some(compilation) };
    }
    let module = std::mem::take(&mut compilation.module);
    let object = Object {
        options: how.spelt.to_owned(),
        kernels: compilation.kernels.clone(),
        log: log.clone(),
        ..Object::new(Kind::Executable, how.options.dialect, &module)
    };
    store(&object);
    let program = Program::from_object(Arc::new(object)).with_module(module);
    Built { program: Some(Arc::new(program)), log, compilation: Some(compilation) }
}

/// What an entry holds; `None` if it holds something else.
fn stored(bytes: &[u8]) -> Option<(Hash, Object)> {
    let entry: Entry<'_> = postcard::from_bytes(bytes).ok()?;
    Some((entry.sources, Object::read(entry.object).ok()?))
}

/// What a log depends on.
fn sources(source: &Preprocessed, spelt: &str) -> Hash {
    *blake3::Hasher::new().update(&source.sources()).update(spelt.as_bytes()).finalize().as_bytes()
}
