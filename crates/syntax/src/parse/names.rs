//! What the parser knows about names: enough to tell types, templates and values apart, and no more.
//!
//! The current meaning of each symbol stands in a table indexed by symbol; leaving a scope undoes its changes. Names
//! that are not in scope (members of bases, of namespaces opened by `using namespace`, of classes defined out of
//! line) are judged by what they were ever declared as.

use super::Parser;
use super::keywords::Kw;
use super::namespaces::{Namespaces, Space};
use crate::Dialect;
use crate::TokenKind as T;
use source::Symbol;

/// What a name means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Known {
    /// Nothing is known of it.
    Unknown,
    /// A variable, function, enumerator.
    Value,
    /// A type.
    Type,
    /// A type of host code, about which nothing but its name is known.
    HostType,
    /// A class or alias template.
    TypeTemplate,
    /// A function or variable template.
    ValueTemplate,
    /// A namespace.
    Namespace,
}

impl Known {
    pub(super) fn is_type(self) -> bool {
        matches!(self, Self::Type | Self::HostType | Self::TypeTemplate)
    }

    fn bit(self) -> u16 {
        1 << self as u8
    }
}

/// The table.
pub(super) struct Names {
    now: Vec<Known>,
    ever: Vec<u16>,
    undo: Vec<(Symbol, Known)>,
    scopes: Vec<usize>,
    pub(super) spaces: Namespaces,
    /// A function's body is being parsed: what it declares is nobody else's.
    pub(super) local: bool,
}

impl Names {
    /// A table for `symbols` symbols; it grows by need.
    pub(super) fn new(symbols: usize) -> Self {
        Self {
            now: vec![Known::Unknown; symbols],
            ever: vec![0; symbols],
            undo: Vec::new(),
            scopes: Vec::new(),
            spaces: Namespaces::new(),
            local: false,
        }
    }

    pub(super) fn push_scope(&mut self) {
        self.scopes.push(self.undo.len());
    }

    pub(super) fn pop_scope(&mut self) {
        let start = self.scopes.pop().unwrap_or(0);
        for (sym, old) in self.undo.drain(start..).rev() {
            self.now[sym.index()] = old;
        }
    }

    pub(super) fn declare(&mut self, sym: Symbol, known: Known) {
        let i = sym.index();
        if i >= self.now.len() {
            // Symbols made while parsing (there are few) never name anything.
            return;
        }
        if self.scopes.is_empty() {
            self.spaces.declare(sym, known);
        } else {
            self.undo.push((sym, self.now[i]));
        }
        self.now[i] = known;
        if !self.local {
            self.ever[i] |= known.bit();
        }
    }

    /// Goes into namespaces, each inside of the one before; where to go back to.
    pub(super) fn enter_spaces(&mut self, names: &[Symbol]) -> Space {
        let outer = self.spaces.current();
        names.iter().for_each(|&n| self.spaces.enter(n));
        self.settle();
        outer
    }

    /// Goes back to the namespace around.
    pub(super) fn leave_spaces(&mut self, outer: Space) {
        self.spaces.leave_to(outer);
        self.settle();
    }

    /// `using namespace`: at namespace scope the names are there from now on, in a block until it ends.
    pub(super) fn open_space(&mut self, space: Space) {
        if self.scopes.is_empty() {
            self.spaces.open(space);
            self.settle();
            return;
        }
        for (sym, known) in self.spaces.brought_by(space) {
            // What the blocks around declare themselves hides it.
            if !self.undo.iter().any(|&(local, _)| local == sym) {
                self.declare_parameter(sym, known);
            }
        }
    }

    /// `namespace alias = …;`
    pub(super) fn rename_space(&mut self, alias: Symbol, space: Space) {
        if self.scopes.is_empty() {
            self.spaces.rename(alias, space);
        }
    }

    /// Gives names that namespaces do not agree on the meaning that they have in the current one.
    fn settle(&mut self) {
        if self.scopes.is_empty() {
            for (sym, known) in self.spaces.settle() {
                self.now[sym.index()] = known;
            }
        }
    }

    /// Declares a parameter of a template or function, which is never a member: it leaves no trace outside its scope.
    pub(super) fn declare_parameter(&mut self, sym: Symbol, known: Known) {
        let bits = self.ever.get(sym.index()).copied();
        self.declare(sym, known);
        if let (Some(bits), Some(slot)) = (bits, self.ever.get_mut(sym.index())) {
            *slot = bits;
        }
    }

    /// What the innermost scope declares, with what it means there.
    pub(super) fn declared_here(&self) -> impl Iterator<Item = (Symbol, Known)> + '_ {
        let start = self.scopes.last().copied().unwrap_or(self.undo.len());
        self.undo[start..].iter().map(|&(sym, _)| (sym, self.now(sym)))
    }

    /// Whether it says anything about a member that it is `known`: a value that was never anything else is what is expected.
    pub(super) fn is_telling(&self, sym: Symbol, known: Known) -> bool {
        let types = Known::Type.bit() | Known::HostType.bit() | Known::TypeTemplate.bit();
        known.is_type() || known == Known::ValueTemplate || self.ever.get(sym.index()).is_some_and(|b| b & types != 0)
    }

    /// What an unqualified name was declared as in an enclosing scope.
    pub(super) fn now(&self, sym: Symbol) -> Known {
        self.now.get(sym.index()).copied().unwrap_or(Known::Unknown)
    }

    /// What a name was declared as somewhere, if its declarations agree on type or value.
    fn ever(&self, sym: Symbol) -> Known {
        let bits = self.ever.get(sym.index()).copied().unwrap_or(0);
        let has = |k: Known| bits & k.bit() != 0;
        if bits == 0 {
            Known::Unknown
        } else if has(Known::ValueTemplate) {
            Known::ValueTemplate
        } else if has(Known::Value) {
            Known::Value
        } else if has(Known::TypeTemplate) {
            Known::TypeTemplate
        } else if has(Known::Type) {
            Known::Type
        } else if has(Known::HostType) {
            Known::HostType
        } else {
            Known::Namespace
        }
    }

    /// Whether a name was declared both as a value and as a class template.
    pub(super) fn is_also_template(&self, sym: Symbol) -> bool {
        let both = Known::Value.bit() | Known::TypeTemplate.bit();
        self.ever.get(sym.index()).is_some_and(|bits| bits & both == both)
    }

    /// Whether functions were declared of that name somewhere.
    pub(super) fn was_function(&self, sym: Symbol) -> bool {
        self.ever.get(sym.index()).is_some_and(|bits| bits & FUNCTION != 0)
    }

    /// Whether a name was declared as a value somewhere.
    pub(super) fn was_value(&self, sym: Symbol) -> bool {
        self.ever.get(sym.index()).is_some_and(|bits| bits & Known::Value.bit() != 0)
    }

    /// Marks what the dialect itself declares; not undone by scopes.
    fn predeclare(&mut self, sym: Symbol, known: Known) {
        if let Some(slot) = self.ever.get_mut(sym.index()) {
            *slot |= known.bit();
        }
    }
}

/// Namespaces of a qualified name that are followed.
const MAX_PATH: usize = 8;

/// Tokens of an attribute or a template's parameters that are walked back over.
const MAX_BACK: usize = 256;

/// Marks a symbol whose text was compared with the dialect's names.
const CHECKED: u16 = 1 << 7;

/// Functions were declared of that name.
const FUNCTION: u16 = 1 << 8;

impl Parser<'_> {
    /// What an unqualified name means here.
    pub(super) fn known(&mut self, sym: Symbol) -> Known {
        match self.names.now(sym) {
            // A namespace may be opened in a header that does not repeat what another one brought into it under the same
            // name (`namespace complex { using lib::complex; }`); where it is meant nobody asks.
            Known::Unknown | Known::Namespace => self.known_somewhere(sym),
            known => known,
        }
    }

    /// What a name means as a member of something.
    pub(super) fn known_somewhere(&mut self, sym: Symbol) -> Known {
        let i = sym.index();
        let bits = self.names.ever.get(i).copied().unwrap_or(CHECKED);
        if bits == 0 {
            let known = predeclared(self.dialect, self.session.strings.str(sym));
            self.names.ever[i] = CHECKED;
            if known != Known::Unknown {
                self.names.predeclare(sym, known);
            }
        }
        match self.names.ever.get(i).copied().unwrap_or(0) {
            CHECKED => Known::Unknown,
            _ => self.names.ever(sym),
        }
    }

    /// What the qualified name whose last component is the token at `i` means.
    pub(super) fn known_qualified(&mut self, i: usize) -> Known {
        let sym = self.at(i).sym;
        if i >= 2 && self.at(i - 1).kind == T::ColonColon && self.host_members.contains(&(self.at(i - 2).sym, sym)) {
            return Known::HostType;
        }
        if i >= 2 && self.member_templates.contains(&(self.at(i - 2).sym, sym)) {
            return Known::TypeTemplate;
        }
        let space = self.space_before(i);
        if let Some(known) = space.and_then(|s| self.names.spaces.member(s, sym)) {
            return known;
        }
        let known = self.known_somewhere(sym);
        let named = matches!(known, Known::TypeTemplate | Known::HostType | Known::Value);
        // Of the host's library there is only what the headers here declare; another `vector` is not `std::vector`, nor is an
        // enumerator `string` `std::string`. Nor is a class `max` the function `::max`, which nothing declares.
        let global = space == Some(Space::GLOBAL) && known.is_type();
        let elsewhere = global || named && space.is_some_and(|s| self.is_std(s));
        if elsewhere && self.names.spaces.member(Space::GLOBAL, sym).is_none() {
            return predeclared(self.dialect, self.session.strings.str(sym));
        }
        known
    }

    /// The namespace that a name means, if it is known.
    pub(super) fn space_named(&self, name: crate::ast::NameId) -> Option<Space> {
        let n = self.ast[name];
        let symbol = |s: &crate::ast::NameSegment| match s.kind {
            crate::ast::SegmentKind::Ident(sym) => Some(sym),
            _ => None,
        };
        let crate::ast::NameKind::Ident(last) = n.kind else { return None };
        let qualifier: Option<smallvec::SmallVec<[Symbol; 4]>> =
            self.ast.list(n.qualifier).iter().map(symbol).collect();
        let mut path = qualifier?;
        path.push(last);
        self.names.spaces.find(&path, n.global)
    }

    fn is_std(&self, space: Space) -> bool {
        self.session.strings.get("std").is_some_and(|std| self.names.spaces.find(&[std], true) == Some(space))
    }

    /// The namespace that the qualifier before the token at `i` names; `None` if it is a class or not known.
    pub(super) fn space_before(&self, i: usize) -> Option<Space> {
        let mut path: smallvec::SmallVec<[Symbol; 4]> = smallvec::SmallVec::new();
        let mut at = i;
        let mut global = false;
        while at > 0 && self.at(at - 1).kind == T::ColonColon {
            let Some(part) = at.checked_sub(2).map(|k| self.at(k)) else {
                global = true;
                break;
            };
            match part.kind {
                // Longer paths are no program's; they shall not be walked again at each of their steps.
                T::Ident if path.len() == MAX_PATH => return None,
                T::Ident if self.is_ident(part) => path.insert(0, part.sym),
                T::Greater | T::GreaterGreater | T::RParen if !self.ends_specifier(at - 2) => return None,
                _ => {
                    global = true;
                    break;
                }
            }
            at -= 2;
        }
        self.names.spaces.find(&path, global)
    }

    /// Whether the bracket that closes at `end` has nothing to do with the `::` behind it: that of an attribute, or the
    /// `>` of `template <…>`. Others are a class whose member follows: `decltype(x)::type`, `C<T>::type`.
    fn ends_specifier(&self, end: usize) -> bool {
        let mut depth = 0;
        for i in (end.saturating_sub(MAX_BACK)..=end).rev() {
            match self.at(i).kind {
                T::Greater | T::RParen => depth += 1,
                T::GreaterGreater => depth += 2,
                T::Less | T::LParen => depth -= 1,
                T::Semi | T::LBrace | T::RBrace => return false,
                _ => {}
            }
            if depth <= 0 {
                let before = self.kw_of(self.at(i.wrapping_sub(1)));
                return match self.at(end).kind {
                    T::RParen => !matches!(before, Kw::Decltype | Kw::Typeof | Kw::TypeofWord | Kw::UnderlyingType),
                    _ => before == Kw::Template,
                };
            }
        }
        false
    }

    /// Declares a function: does not hide a template of the same name.
    pub(super) fn declare_function(&mut self, sym: Symbol) {
        if let Some(bits) = self.names.ever.get_mut(sym.index()) {
            *bits |= FUNCTION;
        }
        if self.names.now(sym) != Known::ValueTemplate {
            self.declare_value(sym);
        }
    }

    /// Declares a variable, function or data member. A member that is called like a type of the dialect (`half`) hides that type
    /// nowhere but in its class.
    pub(super) fn declare_value(&mut self, sym: Symbol) {
        let inner = !self.names.scopes.is_empty();
        if inner && predeclared(self.dialect, self.session.strings.str(sym)).is_type() {
            self.names.declare_parameter(sym, Known::Value);
        } else {
            self.names.declare(sym, Known::Value);
        }
    }
}

/// The types and templates a dialect declares itself.
fn predeclared(dialect: Dialect, text: &str) -> Known {
    if is_common_type(text) {
        return Known::Type;
    }
    match dialect {
        Dialect::C11 => Known::Unknown,
        Dialect::OpenClC { .. } => {
            if is_opencl_type(text) {
                Known::Type
            } else {
                Known::Unknown
            }
        }
        Dialect::CudaCxx { .. } => predeclared_cuda(text),
    }
}

fn is_common_type(text: &str) -> bool {
    const TYPES: [&str; 23] = [
        "__int128_t",
        "__uint128_t",
        "int16_t",
        "int32_t",
        "int64_t",
        "int8_t",
        "intmax_t",
        "intptr_t",
        "ptrdiff_t",
        "size_t",
        "ssize_t",
        "uint16_t",
        "uint32_t",
        "uint64_t",
        "uint8_t",
        "uintmax_t",
        "uintptr_t",
        "va_list",
        "uint",
        "ulong",
        "ushort",
        "__builtin_va_list",
        "cudaLaneMask_t",
    ];
    TYPES.contains(&text)
}

/// Whether `text` is one of `bases` followed by one of `widths`.
fn is_vector(text: &str, bases: &[&str], widths: &[&str]) -> bool {
    let base = text.trim_end_matches(|c: char| c.is_ascii_digit());
    base.len() < text.len() && bases.contains(&base) && widths.contains(&&text[base.len()..])
}

fn is_opencl_type(text: &str) -> bool {
    const SCALARS: [&str; 36] = [
        "uchar",
        "ushort",
        "uint",
        "ulong",
        "event_t",
        "sampler_t",
        "queue_t",
        "ndrange_t",
        "clk_event_t",
        "reserve_id_t",
        "cl_mem_fence_flags",
        "image1d_t",
        "image1d_array_t",
        "image1d_buffer_t",
        "image2d_t",
        "image2d_array_t",
        "image2d_depth_t",
        "image2d_array_depth_t",
        "image2d_msaa_t",
        "image2d_array_msaa_t",
        "image2d_msaa_depth_t",
        "image2d_array_msaa_depth_t",
        "image3d_t",
        "memory_order",
        "memory_scope",
        "atomic_int",
        "atomic_uint",
        "atomic_long",
        "atomic_ulong",
        "atomic_float",
        "atomic_double",
        "atomic_flag",
        "atomic_intptr_t",
        "atomic_uintptr_t",
        "atomic_size_t",
        "atomic_ptrdiff_t",
    ];
    const VECTORS: [&str; 11] =
        ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "half"];
    SCALARS.contains(&text) || is_vector(text, &VECTORS, &["2", "3", "4", "8", "16"])
}

fn predeclared_cuda(text: &str) -> Known {
    const VECTORS: [&str; 12] = [
        "char",
        "uchar",
        "short",
        "ushort",
        "int",
        "uint",
        "long",
        "ulong",
        "longlong",
        "ulonglong",
        "float",
        "double",
    ];
    const TYPES: [&str; 36] = [
        "dim3",
        "half",
        "half2",
        "__half",
        "__half2",
        "__half_raw",
        "__half2_raw",
        "nv_half",
        "nv_half2",
        "nv_bfloat16",
        "nv_bfloat162",
        "__nv_bfloat16",
        "__nv_bfloat162",
        "__nv_fp8_e4m3",
        "__nv_fp8_e5m2",
        "cudaError_t",
        "cudaStream_t",
        "cudaEvent_t",
        "cudaTextureObject_t",
        "cudaSurfaceObject_t",
        "clock_t",
        "time_t",
        "u_char",
        "u_int",
        "u_long",
        "u_int8_t",
        "u_int16_t",
        "u_int32_t",
        "u_int64_t",
        "CUtexObject",
        "CUsurfObject",
        "nullptr_t",
        "uchar",
        "cudaArray_t",
        "cudaGraph_t",
        "cudaDeviceProp",
    ];
    const TYPE_TEMPLATES: [&str; 4] = ["texture", "surface", "thread_block_tile", "fragment"];
    const VALUE_TEMPLATES: [&str; 21] = [
        "tex1D",
        "tex1Dfetch",
        "tex2D",
        "tex3D",
        "tex1DLayered",
        "tex2DLayered",
        "tex1DLod",
        "tex2DLod",
        "tex3DLod",
        "texCubemap",
        "tex2Dgather",
        "surf1Dread",
        "surf2Dread",
        "surf3Dread",
        "surf1Dwrite",
        "surf2Dwrite",
        "surf3Dwrite",
        "tiled_partition",
        "is_same_v",
        "reduce",
        "bit_cast",
    ];
    const WIDE: [&str; 5] = ["long", "ulong", "longlong", "ulonglong", "double"];
    let aligned = text.strip_suffix("4_16a").or_else(|| text.strip_suffix("4_32a"));
    if TYPES.contains(&text)
        || aligned.is_some_and(|base| WIDE.contains(&base))
        || is_vector(text, &VECTORS, &["1", "2", "3", "4"])
    {
        Known::Type
    } else if TYPE_TEMPLATES.contains(&text) {
        Known::TypeTemplate
    } else if VALUE_TEMPLATES.contains(&text) {
        Known::ValueTemplate
    } else {
        Known::Unknown
    }
}
