//! Reads the text form of the IR back; see [`crate::print`] for the grammar.
//!
//! The result may break rules that only the verifier knows; [`parse_module`] guarantees well-formed references (blocks,
//! values, slots, functions, globals exist) and never panics. Work and memory are linear in the text; nesting does not
//! occur in the grammar.

mod body;
mod lex;

use crate::print::space_by_name;
use crate::{
    FnKind, FuncId, Function, Global, GlobalData, GlobalInit, InlineHint, Linkage, LoopMeta, MathMode, Module, Param,
    ParamAttrs, Reloc, SlotData, Type, UnrollRequest,
};
use lex::{Lexer, Tok};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Why a text is no module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub col: u32,
    /// What was expected or is wrong.
    pub message: String,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.col, self.message)
    }
}

impl std::error::Error for ParseError {}

pub(crate) type Result<T> = std::result::Result<T, ParseError>;

/// Reads a module.
///
/// # Errors
/// The first thing that is wrong, with its place.
pub fn parse_module(text: &str) -> Result<Module> {
    // Decimal numbers become binary ones by the host's arithmetic.
    fenv::in_default(|| module_of(text))
}

fn module_of(text: &str) -> Result<Module> {
    // Signatures and globals first: bodies and initialisers may name what comes later.
    let mut p = Parser {
        lex: Lexer::new(text),
        module: Module::default(),
        functions: FxHashMap::default(),
        globals: FxHashMap::default(),
    };
    p.collect_names(text)?;
    p.module_header()?;
    while p.lex.peek() != &Tok::End {
        p.item()?;
    }
    Ok(p.module)
}

/// A type by its text, e.g. `f32x4` or `ptr<global>`.
pub(crate) fn type_by_name(word: &str) -> Option<Type> {
    let (base, lanes) = match word.rfind('x') {
        Some(i) if word[i + 1..].bytes().all(|b| b.is_ascii_digit()) && i + 1 < word.len() => {
            (&word[..i], word[i + 1..].parse::<u8>().ok()?)
        }
        _ => (word, 1),
    };
    let scalar = match base {
        "void" if lanes == 1 => return Some(Type::VOID),
        "i1" => Type::I1,
        "i8" => Type::I8,
        "i16" => Type::I16,
        "i32" => Type::I32,
        "i64" => Type::I64,
        "f16" => Type::F16,
        "bf16" => Type::BF16,
        "f32" => Type::F32,
        "f64" => Type::F64,
        "ptr" => Type::PTR,
        _ => Type::ptr(space_by_name(base.strip_prefix("ptr<")?.strip_suffix('>')?)?),
    };
    scalar.vector(lanes)
}

pub(crate) struct Parser<'t> {
    pub(crate) lex: Lexer<'t>,
    pub(crate) module: Module,
    pub(crate) functions: FxHashMap<String, FuncId>,
    pub(crate) globals: FxHashMap<String, Global>,
}

impl Parser<'_> {
    pub(crate) fn fail<T>(&self, message: impl Into<String>) -> Result<T> {
        let (line, col) = self.lex.place();
        let message = self.lex.error().map_or_else(|| message.into(), str::to_owned);
        Err(ParseError { line, col, message })
    }

    /// Enters every function and global by name, in order, as empty declarations.
    fn collect_names(&mut self, text: &str) -> Result<()> {
        let mut lex = Lexer::new(text);
        let mut start_of_line = true;
        loop {
            let tok = lex.next_tok();
            match tok {
                Tok::End => return Ok(()),
                Tok::Word("global") if start_of_line => {
                    if let Tok::Symbol(name) = lex.next_tok() {
                        let data = GlobalData {
                            name: name.clone(),
                            space: crate::AddrSpace::Global,
                            size: 0,
                            align: 1,
                            init: GlobalInit::None,
                            constant: false,
                            linkage: Linkage::Internal,
                            external: false,
                            elem: Type::I8,
                            span: source::Span::NONE,
                        };
                        let id = self.module.globals.push(data);
                        if self.globals.insert(name.clone(), id).is_some() {
                            return self.fail(format!("global `{name}` occurs twice"));
                        }
                    }
                }
                Tok::Word("kernel" | "fn") => {
                    if let Tok::Symbol(name) = lex.next_tok() {
                        let id = self.module.functions.push(Function::new(name.clone(), FnKind::Device));
                        if self.functions.insert(name.clone(), id).is_some() {
                            return self.fail(format!("function `{name}` occurs twice"));
                        }
                    }
                }
                // Whatever is unreadable here is met again, in its place, by the parser proper; constants such as
                // `f32:1.5e-6` are only readable there.
                _ => {}
            }
            start_of_line = lex.at_line_start();
        }
    }

    // ---- tokens ---------------------------------------------------------------------------------------------------

    pub(crate) fn eat(&mut self, c: char) -> bool {
        let found = self.lex.peek() == &Tok::Punct(c);
        if found {
            self.lex.next_tok();
        }
        found
    }

    pub(crate) fn expect(&mut self, c: char) -> Result<()> {
        if self.eat(c) { Ok(()) } else { self.fail(format!("expected `{c}`")) }
    }

    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.lex.peek(), Tok::Word(w) if *w == word);
        if found {
            self.lex.next_tok();
        }
        found
    }

    pub(crate) fn number(&mut self) -> Result<i128> {
        match self.lex.peek() {
            Tok::Number(n) => {
                let n = *n;
                self.lex.next_tok();
                Ok(n)
            }
            _ => self.fail("expected an integer"),
        }
    }

    pub(crate) fn number_as<T: TryFrom<i128>>(&mut self) -> Result<T> {
        let n = self.number()?;
        T::try_from(n).or_else(|_| self.fail("number out of range"))
    }

    pub(crate) fn string(&mut self) -> Result<String> {
        match self.lex.peek() {
            Tok::Str(s) => {
                let s = s.clone();
                self.lex.next_tok();
                Ok(s)
            }
            _ => self.fail("expected a string"),
        }
    }

    fn opt_string(&mut self) -> Option<String> {
        if matches!(self.lex.peek(), Tok::Str(_)) { self.string().ok() } else { None }
    }

    pub(crate) fn symbol(&mut self) -> Result<String> {
        match self.lex.peek() {
            Tok::Symbol(s) => {
                let s = s.clone();
                self.lex.next_tok();
                Ok(s)
            }
            _ => self.fail("expected a name after `@`"),
        }
    }

    pub(crate) fn ty(&mut self) -> Result<Type> {
        let t = match self.lex.peek() {
            Tok::Word(w) => type_by_name(w),
            _ => None,
        };
        match t {
            Some(t) => {
                self.lex.next_tok();
                Ok(t)
            }
            None => self.fail("expected a type"),
        }
    }

    /// `block3`, `slot0`, …: the number after the prefix.
    pub(crate) fn numbered(&mut self, prefix: &str) -> Option<u32> {
        let n = match self.lex.peek() {
            Tok::Word(w) => w.strip_prefix(prefix)?.parse().ok()?,
            _ => return None,
        };
        self.lex.next_tok();
        Some(n)
    }

    // ---- items ----------------------------------------------------------------------------------------------------

    fn module_header(&mut self) -> Result<()> {
        if self.eat_word("module") {
            self.module.name = self.string()?;
        }
        if self.eat_word("math") {
            let mut m = MathMode { ftz: false, prec_div: false, prec_sqrt: false, fmad: false };
            loop {
                let field = match self.lex.peek() {
                    Tok::Word("ftz") => &mut m.ftz,
                    Tok::Word("prec_div") => &mut m.prec_div,
                    Tok::Word("prec_sqrt") => &mut m.prec_sqrt,
                    Tok::Word("fmad") => &mut m.fmad,
                    _ => break,
                };
                *field = true;
                self.lex.next_tok();
            }
            self.module.math = m;
        }
        Ok(())
    }

    fn item(&mut self) -> Result<()> {
        if self.eat_word("global") {
            return self.global();
        }
        let declare = self.eat_word("declare");
        let kind = if self.eat_word("kernel") {
            FnKind::Kernel
        } else if self.eat_word("fn") {
            FnKind::Device
        } else {
            return self.fail("expected `global`, `kernel` or `fn`");
        };
        let name = self.symbol()?;
        let Some(&id) = self.functions.get(&name) else { return self.fail("unknown function") };
        let mut func = Function::new(name, kind);
        self.signature(&mut func)?;
        self.attrs(&mut func)?;
        if let Some(display) = self.opt_string() {
            func.display = display;
        }
        if !declare {
            self.expect('{')?;
            body::parse_body(self, &mut func)?;
            self.expect('}')?;
        }
        self.module.functions[id] = func;
        Ok(())
    }

    fn linkage(&mut self) -> Option<Linkage> {
        let l = match self.lex.peek() {
            Tok::Word("internal") => Linkage::Internal,
            Tok::Word("external") => Linkage::External,
            Tok::Word("linkonce") => Linkage::LinkOnce,
            _ => return None,
        };
        self.lex.next_tok();
        Some(l)
    }

    fn align(&mut self) -> Result<u32> {
        let n: u32 = self.number_as()?;
        if n.is_power_of_two() { Ok(n) } else { self.fail("alignment must be a power of two") }
    }

    fn global(&mut self) -> Result<()> {
        let name = self.symbol()?;
        let Some(&id) = self.globals.get(&name) else { return self.fail("unknown global") };
        self.expect(':')?;
        let space = match self.lex.peek() {
            Tok::Word(w) => space_by_name(w),
            _ => None,
        };
        let Some(space) = space else { return self.fail("expected an address space") };
        self.lex.next_tok();
        let mut g = self.module.globals[id].clone();
        g.space = space;
        loop {
            if self.eat_word("size") {
                g.size = self.number_as()?;
            } else if self.eat_word("align") {
                g.align = self.align()?;
            } else if self.eat_word("elem") {
                g.elem = self.ty()?;
            } else if self.eat_word("constant") {
                g.constant = true;
            } else if self.eat_word("extern") {
                g.external = true;
            } else if let Some(l) = self.linkage() {
                g.linkage = l;
            } else {
                break;
            }
        }
        if self.eat('=') {
            g.init = self.initialiser()?;
        }
        self.module.globals[id] = g;
        Ok(())
    }

    fn initialiser(&mut self) -> Result<GlobalInit> {
        let bytes = match self.lex.peek() {
            Tok::Word("zero") => {
                self.lex.next_tok();
                return Ok(GlobalInit::Zero);
            }
            Tok::Word(w) => w.strip_prefix('x').and_then(hex_bytes),
            _ => None,
        };
        let Some(bytes) = bytes else { return self.fail("expected `zero`, or `x` and hexadecimal bytes") };
        self.lex.next_tok();
        let mut relocs = Vec::new();
        while self.eat_word("reloc") {
            let offset = self.number_as()?;
            let name = self.symbol()?;
            let Some(&global) = self.globals.get(&name) else { return self.fail("unknown global") };
            let addend = self.number_as()?;
            relocs.push(Reloc { offset, global, addend, generic: self.eat_word("generic") });
        }
        Ok(GlobalInit::Bytes(bytes, relocs))
    }

    fn signature(&mut self, func: &mut Function) -> Result<()> {
        self.expect('(')?;
        while !self.eat(')') {
            if !func.params.is_empty() {
                self.expect(',')?;
            }
            let ty = self.ty()?;
            let mut attrs = ParamAttrs::default();
            loop {
                if self.eat_word("noalias") {
                    attrs.noalias = true;
                } else if self.eat_word("readonly") {
                    attrs.readonly = true;
                } else if self.eat_word("volatile") {
                    attrs.volatile = true;
                } else if self.eat_word("local") {
                    attrs.local = true;
                } else if self.eat_word("byval") {
                    attrs.byval = Some(self.number_as()?);
                } else if self.eat_word("dims") {
                    for (n, d) in self.dims()?.into_iter().enumerate().take(attrs.dims.len()) {
                        attrs.dims[n] = d;
                    }
                } else if self.eat_word("align") {
                    attrs.align = self.align()?;
                } else {
                    break;
                }
            }
            let name = self.opt_string().unwrap_or_default();
            func.params.push(Param { ty, name, attrs });
        }
        if self.eat('-') {
            self.expect('>')?;
            func.ret = self.ty()?;
        }
        if let Some(l) = self.linkage() {
            func.linkage = l;
        }
        Ok(())
    }

    fn attrs(&mut self, func: &mut Function) -> Result<()> {
        let a = &mut func.attrs;
        loop {
            if self.eat_word("inlinehint") {
                a.inline = InlineHint::Hint;
            } else if self.eat_word("alwaysinline") {
                a.inline = InlineHint::Always;
            } else if self.eat_word("noinline") {
                a.inline = InlineHint::Never;
            } else if self.eat_word("reqd_wgs") {
                a.reqd_work_group_size = Some([self.number_as()?, self.number_as()?, self.number_as()?]);
            } else if self.eat_word("partial_groups") {
                a.partial_groups = true;
            } else if self.eat_word("typed_memory") {
                a.typed_memory = true;
            } else if self.eat_word("rows_in_y") {
                a.rows_in_y = true;
            } else if self.eat_word("streams") {
                a.streams = true;
            } else if self.eat_word("wgs_hint") {
                a.work_group_size_hint = Some([self.number_as()?, self.number_as()?, self.number_as()?]);
            } else if self.eat_word("vec_type_hint") {
                a.vec_type_hint = Some(self.ty()?);
            } else if self.eat_word("max_threads") {
                a.max_threads = Some(self.number_as()?);
            } else if self.eat_word("min_blocks") {
                a.min_blocks = Some(self.number_as()?);
            } else if self.eat_word("max_cluster") {
                a.max_cluster = Some(self.number_as()?);
            } else if self.eat_word("cluster_dims") {
                a.cluster_dims = Some([self.number_as()?, self.number_as()?, self.number_as()?]);
            } else if self.eat_word("max_registers") {
                a.max_registers = Some(self.number_as()?);
            } else if self.eat_word("optsize") {
                a.optsize = true;
            } else if self.eat_word("minsize") {
                a.minsize = true;
            } else if self.eat_word("noreturn") {
                a.noreturn = true;
            } else if self.eat_word("convergent") {
                a.convergent = true;
            } else if self.eat_word("knob") {
                let name = self.string()?;
                a.unroll_knobs.push((name, self.number_as()?));
            } else if self.eat_word("hints") {
                a.hints = self.hints()?.into_vec();
            } else {
                return Ok(());
            }
        }
    }

    fn hints(&mut self) -> Result<SmallVec<[source::HintId; 2]>> {
        self.expect('[')?;
        let mut hints = SmallVec::new();
        while !self.eat(']') {
            hints.push(source::HintId(self.number_as()?));
        }
        Ok(hints)
    }

    fn unroll_request(&mut self) -> Result<UnrollRequest> {
        for (word, r) in
            [("disable", UnrollRequest::Disable), ("enable", UnrollRequest::Enable), ("full", UnrollRequest::Full)]
        {
            if self.eat_word(word) {
                return Ok(r);
            }
        }
        Ok(UnrollRequest::Count(self.number_as()?))
    }

    /// After `loopN:`.
    pub(crate) fn loop_meta(&mut self) -> Result<LoopMeta> {
        let mut m = LoopMeta::default();
        loop {
            if self.eat_word("unroll") {
                m.unroll = self.unroll_request()?;
            } else if self.eat_word("jam") {
                m.jam = self.unroll_request()?;
            } else if self.eat_word("expected") {
                m.expected = Some(self.number_as()?);
            } else if self.eat_word("held") {
                m.held = Some(self.number_as()?);
            } else if self.eat_word("hints") {
                m.hints = self.hints()?;
            } else if self.eat_word("done") {
                m.done = true;
            } else if self.eat_word("nounroll") {
                m.nounroll = true;
            } else if self.eat_word("must_progress") {
                m.must_progress = true;
            } else if self.eat_word("rare") {
                m.rare = true;
            } else if self.eat_word("overlaps") {
                m.overlaps = true;
            } else if self.eat_word("keeps_loads") {
                m.keeps_loads = true;
            } else if self.eat_word("any_order") {
                m.any_order = true;
            } else {
                return Ok(m);
            }
        }
    }

    /// `[4 5]`
    fn dims(&mut self) -> Result<SmallVec<[u32; 2]>> {
        let mut dims = SmallVec::new();
        self.expect('[')?;
        while !self.eat(']') {
            dims.push(self.number_as()?);
        }
        Ok(dims)
    }

    /// After `slotN:`.
    pub(crate) fn slot(&mut self) -> Result<SlotData> {
        let mut s = SlotData { size: 0, align: 1, dims: SmallVec::new(), name: String::new() };
        loop {
            if self.eat_word("size") {
                s.size = self.number_as()?;
            } else if self.eat_word("align") {
                s.align = self.align()?;
            } else if self.eat_word("dims") {
                s.dims = self.dims()?;
            } else if let Some(name) = self.opt_string() {
                s.name = name;
            } else {
                return Ok(s);
            }
        }
    }
}

fn hex_bytes(s: &str) -> Option<Vec<u8>> {
    if !s.len().is_multiple_of(2) || !s.is_ascii() {
        return None;
    }
    (0..s.len() / 2).map(|i| u8::from_str_radix(&s[2 * i..2 * i + 2], 16).ok()).collect()
}

#[cfg(test)]
mod tests;
