//! Operands of `#` and `##`.

use super::TokenKind as K;
use super::expand::with_position;
use crate::{Token, TokenFlags};
use smallvec::SmallVec;
use source::Session;

/// Appends an argument's tokens; the first stands as the parameter did.
pub(super) fn append_argument(tokens: &[Token], param: Token, raw: bool, out: &mut SmallVec<[Token; 8]>) {
    let Some((first, rest)) = tokens.split_first() else {
        if raw {
            out.push(Token { kind: K::Placemarker, sym: Token::NO_SYMBOL, ..param });
        }
        return;
    };
    out.push(Token { flags: with_position(first.flags, param.flags), ..*first });
    out.extend_from_slice(rest);
}

pub(super) fn remove_placemarkers(out: &mut Vec<Token>) {
    out.retain(|t| t.kind != K::Placemarker);
}

/// `#arg`: the argument's spelling as a string literal.
pub(super) fn stringify(session: &Session, tokens: &[Token]) -> String {
    let mut s = String::from("\"");
    for (i, t) in tokens.iter().enumerate() {
        if i > 0 && t.has_space_before() {
            s.push(' ');
        }
        let text = spelled(t, session);
        if matches!(t.kind, K::String | K::Char) {
            for c in text.chars() {
                match c {
                    '"' | '\\' => s.extend(['\\', c]),
                    '\n' => s.push_str("\\n"),
                    _ => s.push(c),
                }
            }
        } else {
            s.push_str(text);
        }
    }
    // A lone backslash at the end would escape the closing quote.
    let tail = s.len() - s.trim_end_matches('\\').len();
    if tail % 2 == 1 {
        s.pop();
    }
    s.push('"');
    s
}

pub(super) fn spelled<'s>(t: &Token, session: &'s Session) -> &'s str {
    if t.flags.has(TokenFlags::DIGRAPH) {
        return match t.kind {
            K::LBracket => "<:",
            K::RBracket => ":>",
            K::LBrace => "<%",
            K::RBrace => "%>",
            K::Hash => "%:",
            K::HashHash => "%:%:",
            _ => t.kind.spelling(),
        };
    }
    t.text(&session.strings)
}
