//! A source after its preprocessor: what it will be compiled to is known before it is compiled.

use crate::compile::{Run, on_large_stack};
use crate::object::{self, Hash};
use crate::{Backends, CodeOptions, Compilation, Emit, Input, Options};
use source::FileId;
use syntax::pp::TokenStream;

/// A source after its preprocessor, to be compiled, or to be recognised as one that was compiled before.
#[derive(Debug)]
pub struct Preprocessed {
    out: Compilation,
    name: String,
    /// `None` if the source could not be read.
    tokens: Option<(FileId, TokenStream)>,
}

/// Runs the preprocessor. [`Preprocessed::compile`] goes on, with the same options.
pub fn preprocess(input: &Input, options: &Options) -> Preprocessed {
    on_large_stack(|| {
        let mut run = Run { out: Compilation::default(), options, emit: &Emit::Nothing, promises: Vec::new() };
        run.session_options();
        let tokens = run.load(input).map(|file| (file, run.preprocessed(file)));
        Preprocessed { out: run.out, name: input.name(), tokens }
    })
}

impl Preprocessed {
    /// Whether there was no error so far.
    pub fn succeeded(&self) -> bool {
        self.out.succeeded()
    }

    /// What determines the code that comes of it: the tokens, the options that the stages behind the preprocessor look
    /// at, and the compiler's build. White space and comments do not count.
    pub fn content(&self, options: &Options) -> Hash {
        let mut hasher = blake3::Hasher::new_derive_key("unspool preprocessed source");
        hasher.update(&object::build_id()).update(&options_hash(options));
        let mut text = Vec::new();
        for token in self.tokens.iter().flat_map(|t| t.1.iter()) {
            let spelt = token.text(&self.out.session.strings);
            text.extend((token.kind as u32).to_le_bytes());
            text.extend((spelt.len() as u64).to_le_bytes());
            text.extend(spelt.as_bytes());
        }
        // Some languages and options put places of the source into the code.
        if !options.dialect.is_opencl() || options.line_info || !options.factors.is_empty() {
            text.extend(self.sources());
        }
        *hasher.update(&text).finalize().as_bytes()
    }

    /// What determines the diagnostics as well: the texts of all files, and their names.
    pub fn sources(&self) -> Hash {
        let mut hasher = blake3::Hasher::new_derive_key("unspool sources");
        for (_, file) in self.out.session.sources.files() {
            for part in [&file.name, &file.text] {
                hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
            }
        }
        *hasher.finalize().as_bytes()
    }

    /// Compiles it.
    pub fn compile(self, options: &Options, emit: &Emit) -> Compilation {
        let Self { out, name, tokens } = self;
        on_large_stack(|| {
            let mut run = Run { out, options, emit, promises: Vec::new() };
            if let Some((file, tokens)) = tokens {
                run.stages(file, tokens);
            }
            run.end(&name)
        })
    }
}

/// The options without those that only the preprocessor looks at, and those that do not change the IR.
fn options_hash(options: &Options) -> Hash {
    let rest = Options {
        defines: Vec::new(),
        include_dirs: Vec::new(),
        system_dirs: Vec::new(),
        host_dirs: Vec::new(),
        forced_includes: Vec::new(),
        virtual_headers: Vec::new(),
        time: false,
        backends: Backends::default(),
        code: CodeOptions::default(),
        ..options.clone()
    };
    *blake3::hash(format!("{rest:?}").as_bytes()).as_bytes()
}
