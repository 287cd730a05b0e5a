//! What CUDA's compiler declares without an `#include`, as text that is read before a program that names something of it.
//!
//! The text is read with no macros but the predefined ones: a program may have one of any name before it asks.

use super::runtime_types;
use super::{FileLoader, HostHeaders, PpOptions, Preprocessor};
use crate::{Dialect, Token, TokenKind};
use source::{Diagnostic, Session, Span};

/// A text and the names that ask for it; a name that ends in `*` stands for all that begin like it.
struct Implied {
    file: &'static str,
    names: &'static [&'static str],
    text: &'static str,
    /// PTX only: other machines have nothing like it, and the checker says so.
    ptx: bool,
}

/// A part of the C++ library that CUDA's runtime header includes, and the names behind `std::` that ask for it.
struct OfLibrary {
    file: &'static str,
    names: &'static [&'static str],
    text: &'static str,
}

/// What is named later is read first.
const LIBRARY: [OfLibrary; 4] = [
    OfLibrary {
        file: "<initializer_list>",
        names: &["initializer_list"],
        text: include_str!("headers/initializer_list.h"),
    },
    OfLibrary { file: "<limits>", names: &["numeric_limits"], text: include_str!("headers/limits.h") },
    OfLibrary { file: "<utility>", names: &IN_UTILITY, text: include_str!("headers/swap.h") },
    OfLibrary {
        file: "<type_traits>",
        names: &[
            "as_const",
            "cmp_*",
            "exchange",
            "in_place*",
            "in_range",
            "move_if_noexcept",
            "swap",
            "addressof",
            "aligned_union*",
            "common_reference*",
            "get",
            "has_*",
            "piecewise_construct*",
            "result_of*",
            "tuple_element*",
            "tuple_size*",
            "unwrap_*",
            "add_*",
            "aligned_storage*",
            "alignment_of*",
            "bool_constant",
            "common_type*",
            "conditional*",
            "conjunction*",
            "decay*",
            "declval",
            "disjunction*",
            "enable_if*",
            "extent*",
            "false_type",
            "index_sequence*",
            "integer_sequence",
            "integral_constant",
            "invoke_result*",
            "is_*",
            "iterator_traits",
            "make_index_sequence",
            "make_integer_sequence",
            "make_pair",
            "make_signed*",
            "make_unsigned*",
            "negation*",
            "pair",
            "rank*",
            "remove_*",
            "true_type",
            "type_identity*",
            "underlying_type*",
            "void_t",
        ],
        text: concat!(
            include_str!("headers/type_traits.h"),
            include_str!("headers/traits.h"),
            include_str!("headers/pair.h")
        ),
    },
];

/// The functions of `<utility>`, which are made of the traits of types.
const IN_UTILITY: [&str; 8] =
    ["addressof", "as_const", "cmp_*", "exchange", "in_place*", "in_range", "move_if_noexcept", "swap"];

const IMPLIED: [Implied; 20] = [
    Implied {
        file: "<runtime types>",
        names: &[
            "cudaExtent",
            "cudaGraphConditionalHandle",
            "cudaPitchedPtr",
            "cudaPos",
            "make_cudaExtent",
            "make_cudaPitchedPtr",
            "make_cudaPos",
        ],
        text: include_str!("headers/runtime_types.h"),
        ptx: false,
    },
    Implied {
        file: "<dpx>",
        names: &[
            "__viaddmax_*",
            "__viaddmin_*",
            "__vimax3_*",
            "__vimin3_*",
            "__vimax_*",
            "__vimin_*",
            "__vibmax_*",
            "__vibmin_*",
        ],
        text: include_str!("headers/dpx.h"),
        ptx: false,
    },
    Implied {
        file: "<textures>",
        names: &["tex1D*", "tex2D*", "tex3D*", "texCubemap*", "surf1D*", "surf2D*", "surf3D*", "cudaBoundaryMode*"],
        text: include_str!("headers/textures.h"),
        ptx: true,
    },
    Implied { file: "<move>", names: &["std::move"], text: include_str!("headers/move.h"), ptx: false },
    Implied { file: "<forward>", names: &["std::forward"], text: include_str!("headers/forward.h"), ptx: false },
    Implied {
        file: "<grid dependency>",
        names: &["cudaGridDependencySynchronize", "cudaTriggerProgrammaticLaunchCompletion"],
        text: include_str!("headers/grid_dependency.h"),
        ptx: false,
    },
    Implied { file: "<half objects>", names: &[": __half"], text: include_str!("headers/half_objects.h"), ptx: false },
    Implied {
        file: "<named barriers>",
        names: &["__barrier_sync", "__barrier_sync_count"],
        text: include_str!("headers/named_barriers.h"),
        ptx: false,
    },
    Implied {
        file: "<runtime enums>",
        names: &["cudaStreamCaptureMode*", "cudaStreamCaptureStatus*"],
        text: include_str!("headers/runtime_enums.h"),
        ptx: false,
    },
    Implied {
        file: "<raw numbers>",
        names: &["__half_raw", "__half2_raw", "__nv_bfloat16_raw", "__nv_bfloat162_raw"],
        text: include_str!("headers/raw_numbers.h"),
        ptx: false,
    },
    Implied {
        file: "<clusters>",
        names: &["__cluster*", "__threadfence_cluster"],
        text: include_str!("headers/cluster.h"),
        ptx: false,
    },
    Implied {
        file: "<float pairs>",
        names: &["__fadd2_*", "__fmul2_*", "__ffma2_*"],
        text: include_str!("headers/float_pairs.h"),
        ptx: false,
    },
    Implied { file: "<byte>", names: &["std::byte"], text: include_str!("headers/byte.h"), ptx: false },
    Implied {
        file: "<uuid>",
        names: &["CUuuid", "CUuuid_st", "cudaUUID_t"],
        text: include_str!("headers/uuid.h"),
        ptx: false,
    },
    Implied {
        file: "<tensor map>",
        names: &["CUtensorMap", "CUtensorMap_st"],
        text: include_str!("headers/tensor_map.h"),
        ptx: false,
    },
    Implied {
        file: "<runtime handles>",
        names: &runtime_types::HANDLES,
        text: include_str!("headers/runtime_handles.h"),
        ptx: false,
    },
    Implied {
        file: "<driver types>",
        names: &runtime_types::DESCRIPTIONS,
        text: include_str!("headers/driver_types.h"),
        ptx: false,
    },
    Implied {
        file: "<device properties>",
        names: &["cudaDeviceProp"],
        text: include_str!("headers/device_properties.h"),
        ptx: false,
    },
    Implied {
        file: "<library types>",
        names: &["CUDA_R_*", "CUDA_C_*", "cudaDataType*", "cudaEmulation*", "CUDA_EMULATION_*", "libraryPropertyType*"],
        text: include_str!("headers/library_types.h"),
        ptx: false,
    },
    // Device code asks for it: see below.
    Implied { file: "<device runtime>", names: &[], text: include_str!("headers/device_runtime.h"), ptx: true },
];

/// The functions of CUDA's runtime that kernels may call, too.
const DEVICE_RUNTIME: [&str; 23] = [
    "cudaDeviceGetAttribute",
    "cudaDeviceGetLimit",
    "cudaEventCreateWithFlags",
    "cudaEventDestroy",
    "cudaEventRecord",
    "cudaFree",
    "cudaGetDevice",
    "cudaGetDeviceCount",
    "cudaGetErrorName",
    "cudaGetErrorString",
    "cudaGetLastError",
    "cudaGraphSetConditional",
    "cudaMalloc",
    "cudaMemcpy2DAsync",
    "cudaMemcpyAsync",
    "cudaMemset2DAsync",
    "cudaMemsetAsync",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
    "cudaPeekAtLastError",
    "cudaRuntimeGetVersion",
    "cudaStreamCreateWithFlags",
    "cudaStreamDestroy",
    "cudaStreamWaitEvent",
];

/// Where the texts stand that go by a qualified name.
const MOVE: usize = 3;
const FORWARD: usize = 4;
/// The text for classes that are derived from half-precision types.
const HALF_OBJECTS: usize = 6;

/// The text of `std::byte`.
const BYTE: usize = 12;
/// The texts that others are made of, each behind those.
const MADE_OF: [(usize, &[usize]); 2] = [(DESCRIPTIONS, &[RUNTIME_TYPES, HANDLES]), (PROPERTIES, &[UUID])];
const RUNTIME_TYPES: usize = 0;
const UUID: usize = 13;
const HANDLES: usize = 15;
const DESCRIPTIONS: usize = 16;
const PROPERTIES: usize = 17;
/// The text for kernels that launch kernels.
const RUNTIME_OF_DEVICE: usize = 19;

/// Puts before `tokens` what they name and do not declare.
pub(super) fn add(session: &mut Session, opts: &PpOptions, tokens: &mut Vec<Token>, loader: &dyn FileLoader) {
    if !opts.implied || !matches!(opts.dialect, Dialect::CudaCxx { .. }) || opts.host_headers != HostHeaders::Accept {
        return;
    }
    let mut declared = [false; IMPLIED.len()];
    let mut asked = [false; IMPLIED.len()];
    let mut looked = 0;
    let mut used = [false; LIBRARY.len()];
    // A word is looked for in the lists once.
    let mut seen = rustc_hash::FxHashSet::default();
    for (i, t) in tokens.iter().enumerate().filter(|(_, t)| t.kind == TokenKind::Ident) {
        let word = session.str(t.sym);
        let of_library = match word {
            "move" => Some(MOVE),
            "forward" => Some(FORWARD),
            "byte" => Some(BYTE),
            _ => None,
        };
        asked[HALF_OBJECTS] |= is_half_base(session, tokens, i);
        match of_library.and_then(|part| Some((part, mention(session, tokens, i)?))) {
            Some((part, Mention::Used)) => asked[part] = true,
            // The real library's headers are there.
            // The library has them near the beginning; there is no end of functions `move` in a program.
            Some((part, Mention::Declared)) if !declared[part] && looked < MAX_LOOKED => {
                looked += 1;
                declared[part] = is_in_std(session, tokens, i);
            }
            Some((_, Mention::Declared)) | None => {}
        }
        if is_behind_std(session, tokens, i) {
            used.iter_mut().zip(&LIBRARY).for_each(|(u, part)| *u |= asks(part.names, word));
        }
        // Most words are none of these; a program has many.
        if matches!(
            word.as_bytes().get(..4),
            Some(
                b"CUDA"
                    | b"CUar"
                    | b"CUco"
                    | b"CUde"
                    | b"CUev"
                    | b"CUfu"
                    | b"CUgr"
                    | b"CUke"
                    | b"CUli"
                    | b"CUme"
                    | b"CUmi"
                    | b"CUmo"
                    | b"CUst"
                    | b"CUte"
                    | b"CUuu"
                    | b"__ba"
                    | b"__cl"
                    | b"__fa"
                    | b"__ff"
                    | b"__fm"
                    | b"__ha"
                    | b"__nv"
                    | b"__th"
                    | b"__vi"
                    | b"cuda"
                    | b"libr"
                    | b"make"
                    | b"tex1"
                    | b"tex2"
                    | b"tex3"
                    | b"texC"
                    | b"surf"
            )
        ) && seen.insert(t.sym)
        {
            asked.iter_mut().zip(&IMPLIED).for_each(|(a, part)| *a |= asks(part.names, word));
        }
    }
    asked[RUNTIME_OF_DEVICE] = opts.textures && runs_in_device_code(session, tokens);
    for (part, of) in MADE_OF {
        of.iter().for_each(|&o| asked[o] |= asked[part]);
    }
    for (part, a) in IMPLIED[UUID..].iter().zip(&mut asked[UUID..]) {
        *a = *a && !defines_one_of(session, tokens, part.names);
    }
    asked.iter_mut().zip(declared).for_each(|(a, declared)| *a &= !declared);
    for (part, _) in IMPLIED.iter().zip(asked).rev().filter(|(p, asked)| *asked && (!p.ptx || opts.textures)) {
        put_before(session, opts, tokens, loader, (part.file, part.text));
    }
    // What the library's parts declare stands before what is made of them.
    for (part, _) in LIBRARY.iter().zip(used).filter(|(_, used)| *used) {
        if declares_part(session, tokens, part) {
            continue;
        }
        put_before(session, opts, tokens, loader, (part.file, part.text));
    }
}

/// Whether device code launches a kernel or calls a function of CUDA's runtime.
fn runs_in_device_code(session: &Session, tokens: &[Token]) -> bool {
    let marks = ["__device__", "__global__"].map(|mark| session.strings.get(mark));
    let calls = DEVICE_RUNTIME.map(|name| session.strings.get(name));
    // For each `{` that is open whether it is device code's; whether a word since the last declaration says that.
    let mut open = Vec::new();
    let mut marked = false;
    for (i, t) in tokens.iter().enumerate() {
        let inside = open.last() == Some(&true);
        match t.kind {
            TokenKind::LBrace => {
                open.push(marked || inside);
                marked = false;
            }
            TokenKind::RBrace => {
                open.pop();
                marked = false;
            }
            TokenKind::Semi => marked = false,
            TokenKind::Ident if marks.contains(&Some(t.sym)) => marked = true,
            TokenKind::Ident if inside && calls.contains(&Some(t.sym)) => return true,
            TokenKind::LessLess if inside && tokens.get(i + 1).is_some_and(|t| t.kind == TokenKind::Less) => {
                return true;
            }
            _ => {}
        }
    }
    false
}

/// Reads a text, with its name, before `tokens`.
fn put_before(
    session: &mut Session,
    opts: &PpOptions,
    tokens: &mut Vec<Token>,
    loader: &dyn FileLoader,
    (file, text): (&str, &str),
) {
    match session.sources.add(file, text.to_owned()) {
        Ok(file) => {
            let opts = PpOptions { defines: Vec::new(), forced_includes: Vec::new(), ..opts.clone() };
            let mut pp = Preprocessor::new(session, &opts, file, loader);
            pp.run();
            tokens.splice(0..0, pp.out);
        }
        Err(e) => session.report(Diagnostic::error("E0127", Span::NONE, e.to_string())),
    }
}

/// Whether a program declares some name of a part of the library in the namespace `std`.
fn declares_part(session: &Session, tokens: &[Token], part: &OfLibrary) -> bool {
    let names = |t: &Token| t.kind == TokenKind::Ident && asks(part.names, session.str(t.sym));
    let declares = |w: &[Token]| {
        w[0].kind == TokenKind::Ident && matches!(session.str(w[0].sym), "struct" | "class" | "using") && names(&w[1])
    };
    let declared = tokens.windows(2).enumerate().filter(|(_, w)| declares(w));
    declared.take(MAX_LOOKED).any(|(i, _)| is_in_std(session, tokens, i))
}

/// Whether a program defines a class or enumeration of one of some names itself, as the run-time library's own headers do.
fn defines_one_of(session: &Session, tokens: &[Token], names: &[&str]) -> bool {
    let tag = |t: &Token| t.kind == TokenKind::Ident && matches!(session.str(t.sym), "struct" | "union" | "enum");
    tokens.windows(3).any(|w| {
        w[2].kind == TokenKind::LBrace
            && w[1].kind == TokenKind::Ident
            && tag(&w[0])
            && asks(names, session.str(w[1].sym))
    })
}

/// Whether `std::` stands before a token.
fn is_behind_std(session: &Session, tokens: &[Token], i: usize) -> bool {
    let before = |n: usize| i.checked_sub(n).map(|i| tokens[i]);
    before(1).is_some_and(|t| t.kind == TokenKind::ColonColon)
        && before(2).is_some_and(|t| t.kind == TokenKind::Ident && session.str(t.sym) == "std")
}

/// How `move`, `forward` and `byte` of the C++ library stand in a program.
enum Mention {
    /// `std::move`
    Used,
    /// `T &&move(`
    Declared,
}

/// How many declarations are looked at for the namespace they stand in.
const MAX_LOOKED: usize = 64;
/// Most tokens between `namespace` and its `{`.
const MAX_HEAD: usize = 12;

/// Whether a token stands in the namespace `std`: a program may have a `forward` of its own, and libcu++ has one in `cuda::std`.
fn is_in_std(session: &Session, tokens: &[Token], i: usize) -> bool {
    let (mut closed, mut in_std) = (0u32, false);
    for (at, t) in tokens[..i].iter().enumerate().rev() {
        match t.kind {
            TokenKind::RBrace => closed += 1,
            TokenKind::LBrace if closed > 0 => closed -= 1,
            TokenKind::LBrace => {
                let head = tokens[at.saturating_sub(MAX_HEAD)..at].iter().rev();
                let head =
                    head.take_while(|t| !matches!(t.kind, TokenKind::LBrace | TokenKind::RBrace | TokenKind::Semi));
                let words = head.filter(|t| t.kind == TokenKind::Ident).map(|t| session.str(t.sym));
                // Backwards: the names come before the word.
                let mut outermost = None;
                for word in words {
                    if word == "namespace" {
                        in_std = outermost == Some("std");
                        break;
                    }
                    outermost = Some(word);
                }
            }
            _ => {}
        }
    }
    in_std
}

/// Whether a half-precision type is named as a base class, or `T::__x`, which is what a class that may be one has.
fn is_half_base(session: &Session, tokens: &[Token], i: usize) -> bool {
    let Some(before) = i.checked_sub(1).map(|i| tokens[i]) else { return false };
    match session.str(tokens[i].sym) {
        "__half" | "half" | "__nv_bfloat16" | "nv_bfloat16" => {
            before.kind == TokenKind::Colon || before.kind == TokenKind::Ident && session.str(before.sym) == "public"
        }
        "__x" => before.kind == TokenKind::ColonColon,
        _ => false,
    }
}

fn mention(session: &Session, tokens: &[Token], i: usize) -> Option<Mention> {
    match tokens[i.checked_sub(1)?].kind {
        TokenKind::ColonColon => is_behind_std(session, tokens, i).then_some(Mention::Used),
        TokenKind::AmpAmp if tokens.get(i + 1)?.kind == TokenKind::LParen => Some(Mention::Declared),
        _ => None,
    }
}

fn asks(names: &[&str], word: &str) -> bool {
    names.iter().any(|n| n.strip_suffix('*').map_or(*n == word, |start| word.starts_with(start)))
}
