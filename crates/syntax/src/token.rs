//! Tokens: what the lexer makes, the preprocessor passes on and the parser reads.

use source::{Interner, Span, Symbol};

macro_rules! token_kinds {
    ($($(#[doc = $doc:literal])* $name:ident = $text:literal,)*) => {
        /// What sort of token it is.
        ///
        /// Keywords are [`TokenKind::Ident`]s: which identifiers are reserved depends on the dialect, so the parser
        /// decides by the token's symbol. `<<<` and `>>>` are for the parser to put together out of `<<` `<`.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum TokenKind {
            /// End of the token stream; always the last token, exactly once.
            Eof,
            /// Identifier or keyword; `sym` is its text.
            Ident,
            /// A preprocessing number: integer or floating literal; `sym` is its spelling. See [`crate::literal`].
            Number,
            /// Character literal with its prefix and quotes; `sym` is its spelling.
            Char,
            /// String literal with its prefix and quotes; `sym` is its spelling.
            String,
            /// A character that begins no token (`@`, `` ` ``, `\`, a lone quote); `sym` is its text.
            Other,
            /// Start of a pragma that the parser must look at. The tokens of its line follow, then
            /// [`TokenKind::EndPragma`]. `sym` is the word `#pragma` or `_Pragma`, as it was written.
            Pragma,
            /// End of the pragma begun by the last [`TokenKind::Pragma`].
            EndPragma,
            /// Inside the preprocessor only: the end of a directive's line.
            EndOfDirective,
            /// Inside the preprocessor only: a parameter in a macro's body, `sym` its index.
            Param,
            /// Inside the preprocessor only: an empty operand of `##`.
            Placemarker,
            /// Inside the preprocessor only: the end of a macro argument.
            EndOfArg,
            $($(#[doc = $doc])* #[doc = concat!("`", $text, "`")] $name,)*
        }

        impl TokenKind {
            /// How a punctuator is spelt; empty for the other kinds.
            pub const fn spelling(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                    _ => "",
                }
            }
        }
    };
}

token_kinds! {
    LParen = "(",
    RParen = ")",
    LBrace = "{",
    RBrace = "}",
    LBracket = "[",
    RBracket = "]",
    Semi = ";",
    Comma = ",",
    Colon = ":",
    ColonColon = "::",
    Question = "?",
    Dot = ".",
    DotStar = ".*",
    Ellipsis = "...",
    Arrow = "->",
    ArrowStar = "->*",
    Plus = "+",
    PlusPlus = "++",
    PlusEq = "+=",
    Minus = "-",
    MinusMinus = "--",
    MinusEq = "-=",
    Star = "*",
    StarEq = "*=",
    Slash = "/",
    SlashEq = "/=",
    Percent = "%",
    PercentEq = "%=",
    Amp = "&",
    AmpAmp = "&&",
    AmpEq = "&=",
    Pipe = "|",
    PipePipe = "||",
    PipeEq = "|=",
    Caret = "^",
    CaretEq = "^=",
    Tilde = "~",
    Bang = "!",
    BangEq = "!=",
    Eq = "=",
    EqEq = "==",
    Less = "<",
    LessEq = "<=",
    ThreeWay = "<=>",
    LessLess = "<<",
    LessLessEq = "<<=",
    Greater = ">",
    GreaterEq = ">=",
    GreaterGreater = ">>",
    GreaterGreaterEq = ">>=",
    Hash = "#",
    HashHash = "##",
}

impl TokenKind {
    /// Whether this is an operator or a separator.
    pub const fn is_punctuator(self) -> bool {
        self as u8 >= Self::LParen as u8
    }
}

/// Facts about how a token stands in the text, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TokenFlags(pub u8);

impl TokenFlags {
    /// No fact.
    pub const NONE: Self = Self(0);
    /// First on its line.
    pub const START_OF_LINE: Self = Self(1);
    /// White space or a comment stands before it.
    pub const LEADING_SPACE: Self = Self(2);
    /// The name of a macro that must not be expanded any more.
    pub const NO_EXPAND: Self = Self(4);
    /// A digraph (`<:` for `[`); matters to `#` only.
    pub const DIGRAPH: Self = Self(8);

    /// Whether every bit of `other` is set.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both sets.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// `self` less `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

/// One token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What sort.
    pub kind: TokenKind,
    /// How it stands in the text.
    pub flags: TokenFlags,
    /// Text of an identifier, spelling of a literal; [`Token::NO_SYMBOL`] for punctuators.
    pub sym: Symbol,
    /// Where it was spelt, and the macro expansion that put it here.
    pub span: Span,
}

impl Token {
    /// The symbol of tokens that need none.
    pub const NO_SYMBOL: Symbol = Symbol::from_index(u32::MAX);

    /// A token without symbol or flags.
    pub const fn punct(kind: TokenKind, span: Span) -> Self {
        Self { kind, flags: TokenFlags::NONE, sym: Self::NO_SYMBOL, span }
    }

    /// The token's spelling; empty for markers such as [`TokenKind::Eof`].
    pub fn text<'a>(&self, strings: &'a Interner) -> &'a str {
        if self.kind.is_punctuator() {
            return self.kind.spelling();
        }
        match self.kind {
            TokenKind::Ident | TokenKind::Number | TokenKind::Char | TokenKind::String | TokenKind::Other => {
                strings.str(self.sym)
            }
            _ => "",
        }
    }

    /// Whether this is the identifier `sym`.
    pub fn is_ident(&self, sym: Symbol) -> bool {
        self.kind == TokenKind::Ident && self.sym == sym
    }

    /// Whether white space (or a new line) stands before it.
    pub const fn has_space_before(&self) -> bool {
        self.flags.0 & (TokenFlags::START_OF_LINE.0 | TokenFlags::LEADING_SPACE.0) != 0
    }
}
