//! Keywords: which words are reserved in which dialect.

use crate::Dialect;
use source::{Interner, Symbol};

/// C.
const C: u8 = 1;
/// OpenCL C.
const OCL: u8 = 2;
/// OpenCL C 2.0 and later.
const OCL2: u8 = 4;
/// C++.
const CXX: u8 = 8;
/// C++20.
const CXX20: u8 = 16;
const ALL: u8 = C | OCL | CXX;
const COCL: u8 = C | OCL;

macro_rules! keywords {
    ($($name:ident: $mask:expr, [$($word:literal),*];)*) => {
        /// A keyword; spellings of the same meaning are one.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub(super) enum Kw {
            /// Not a keyword here.
            None,
            $($name,)*
        }

        const WORDS: &[(&str, Kw, u8)] = &[$($(($word, Kw::$name, $mask),)*)*];
    };
}

keywords! {
    Auto: ALL, ["auto"];
    Break: ALL, ["break"];
    Case: ALL, ["case"];
    Char: ALL, ["char"];
    Const: ALL, ["const", "__const", "__const__"];
    Continue: ALL, ["continue"];
    Default: ALL, ["default"];
    Do: ALL, ["do"];
    Double: ALL, ["double"];
    Else: ALL, ["else"];
    Enum: ALL, ["enum"];
    Extern: ALL, ["extern"];
    Float: ALL, ["float"];
    For: ALL, ["for"];
    Goto: ALL, ["goto"];
    If: ALL, ["if"];
    Inline: ALL, ["inline", "__inline", "__inline__"];
    Int: ALL, ["int"];
    Long: ALL, ["long"];
    Register: ALL, ["register"];
    Restrict: ALL, ["__restrict", "__restrict__"];
    RestrictWord: COCL, ["restrict"];
    Return: ALL, ["return"];
    Short: ALL, ["short"];
    Signed: ALL, ["signed", "__signed", "__signed__"];
    Sizeof: ALL, ["sizeof"];
    Static: ALL, ["static"];
    Struct: ALL, ["struct"];
    Switch: ALL, ["switch"];
    Typedef: ALL, ["typedef"];
    Union: ALL, ["union"];
    Unsigned: ALL, ["unsigned"];
    Void: ALL, ["void"];
    Volatile: ALL, ["volatile", "__volatile", "__volatile__"];
    While: ALL, ["while"];
    Alignas: ALL, ["_Alignas"];
    AlignasWord: CXX, ["alignas"];
    Alignof: ALL, ["_Alignof", "__alignof", "__alignof__"];
    AlignofWord: CXX, ["alignof"];
    Atomic: COCL, ["_Atomic"];
    Bool: ALL, ["_Bool"];
    BoolWord: OCL | CXX, ["bool"];
    Complex: ALL, ["_Complex", "__complex__"];
    Generic: COCL, ["_Generic"];
    Noreturn: COCL, ["_Noreturn"];
    StaticAssert: ALL, ["_Static_assert"];
    StaticAssertWord: CXX, ["static_assert"];
    Thread: ALL, ["_Thread_local", "__thread"];
    ThreadWord: CXX, ["thread_local"];
    Attribute: ALL, ["__attribute__", "__attribute"];
    Declspec: ALL, ["__declspec"];
    Extension: ALL, ["__extension__"];
    Typeof: ALL, ["__typeof__", "__typeof"];
    TypeofWord: ALL, ["typeof"];
    UnderlyingType: CXX, ["__underlying_type"];
    AutoType: ALL, ["__auto_type"];
    Int128: ALL, ["__int128"];
    Asm: ALL, ["asm", "__asm", "__asm__"];
    Label: ALL, ["__label__"];
    Func: ALL, ["__func__"];
    Function: ALL, ["__FUNCTION__"];
    PrettyFunction: ALL, ["__PRETTY_FUNCTION__"];
    Real: ALL, ["__real__", "__real"];
    Imag: ALL, ["__imag__", "__imag"];
    VaArg: ALL, ["__builtin_va_arg"];
    Offsetof: ALL, ["__builtin_offsetof"];
    TypesCompatible: ALL, ["__builtin_types_compatible_p"];
    ChooseExpr: ALL, ["__builtin_choose_expr"];
    BitCast: ALL, ["__builtin_bit_cast"];
    Astype: OCL, ["__builtin_astype"];
    VaList: ALL, ["__builtin_va_list"];
    Float16: ALL, ["_Float16", "__fp16"];
    BFloat16: ALL, ["__bf16"];
    Half: OCL, ["half"];
    Kernel: COCL, ["__kernel"];
    KernelWord: OCL, ["kernel"];
    Global: OCL, ["__global", "global"];
    Local: OCL, ["__local", "local"];
    Constant: OCL, ["__constant", "constant"];
    PrivateSpace: OCL, ["__private", "private"];
    GenericSpace: OCL, ["__generic"];
    GenericSpaceWord: OCL2, ["generic"];
    ReadOnly: OCL, ["__read_only", "read_only"];
    WriteOnly: OCL, ["__write_only", "write_only"];
    ReadWrite: OCL, ["__read_write", "read_write"];
    Pipe: OCL2, ["pipe"];
    True: OCL | CXX, ["true"];
    False: OCL | CXX, ["false"];
    Nullptr: CXX, ["nullptr", "__nullptr"];
    Class: CXX, ["class"];
    Namespace: CXX, ["namespace"];
    Using: CXX, ["using"];
    Template: CXX, ["template"];
    Typename: CXX, ["typename"];
    This: CXX, ["this"];
    Operator: CXX, ["operator"];
    Public: CXX, ["public"];
    Protected: CXX, ["protected"];
    Private: CXX, ["private"];
    Virtual: CXX, ["virtual"];
    Explicit: CXX, ["explicit"];
    Friend: CXX, ["friend"];
    Mutable: CXX, ["mutable"];
    Constexpr: CXX, ["constexpr"];
    Consteval: CXX20, ["consteval"];
    Constinit: CXX20, ["constinit"];
    Decltype: CXX, ["decltype", "__decltype"];
    StaticCast: CXX, ["static_cast"];
    ReinterpretCast: CXX, ["reinterpret_cast"];
    ConstCast: CXX, ["const_cast"];
    DynamicCast: CXX, ["dynamic_cast"];
    New: CXX, ["new"];
    Delete: CXX, ["delete"];
    Throw: CXX, ["throw"];
    Try: CXX, ["try"];
    Catch: CXX, ["catch"];
    Noexcept: CXX, ["noexcept"];
    Typeid: CXX, ["typeid"];
    WChar: CXX, ["wchar_t"];
    Char8: CXX20, ["char8_t"];
    Char16: CXX, ["char16_t"];
    Char32: CXX, ["char32_t"];
    Concept: CXX20, ["concept"];
    Requires: CXX20, ["requires"];
    CudaGlobal: CXX, ["__global__"];
    CudaDevice: CXX, ["__device__"];
    CudaHost: CXX, ["__host__"];
    CudaShared: CXX, ["__shared__"];
    BlockShared: C, ["__unspool_shared"];
    CudaConstant: CXX, ["__constant__"];
    CudaManaged: CXX, ["__managed__"];
    LaunchBounds: CXX, ["__launch_bounds__"];
    Maxnreg: CXX, ["__maxnreg__"];
    ClusterDims: CXX, ["__cluster_dims__"];
    BlockSize: CXX, ["__block_size__"];
    Align: CXX, ["__align__"];
    Forceinline: CXX, ["__forceinline__", "__forceinline"];
    Noinline: CXX, ["__noinline__"];
    GridConstant: CXX, ["__grid_constant__"];
}

impl Kw {
    /// Whether the word makes a declaration device code.
    pub(super) fn is_device_marker(self) -> bool {
        matches!(self, Self::CudaGlobal | Self::CudaDevice | Self::CudaShared | Self::CudaConstant | Self::CudaManaged)
    }

    /// Whether the word, first on a line, nearly always starts a statement or declaration: recovery stops there.
    pub(super) fn starts_afresh(self) -> bool {
        use Kw::*;
        matches!(
            self,
            Break
                | Case
                | Continue
                | Default
                | Do
                | For
                | Goto
                | If
                | Return
                | Static
                | Switch
                | Typedef
                | While
                | Kernel
                | KernelWord
                | Namespace
                | Using
                | Template
                | CudaGlobal
                | CudaDevice
                | CudaHost
                | Extern
        )
    }
}

/// The keyword of each symbol interned so far.
pub(super) fn table(strings: &Interner, dialect: Dialect) -> Vec<Kw> {
    let mask = match dialect {
        Dialect::C11 => C,
        Dialect::OpenClC { version } if version >= 200 => OCL | OCL2,
        Dialect::OpenClC { .. } => OCL,
        Dialect::CudaCxx { std } if std >= 20 => CXX | CXX20,
        Dialect::CudaCxx { .. } => CXX,
    };
    let mut table = vec![Kw::None; strings.len()];
    for &(word, kw, dialects) in WORDS {
        if dialects & mask != 0
            && let Some(slot) = strings.get(word).and_then(|s: Symbol| table.get_mut(s.index()))
        {
            *slot = kw;
        }
    }
    table
}
