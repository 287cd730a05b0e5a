//! CUDA's words as attributes: `__attribute__((device))`, which is what headers for NVIDIA's compiler and clang make of `__device__`.
//!
//! They become the words before anything is parsed, since what is host code is told by them. Cost: a look at each token of files that
//! have attributes.

use crate::{Token, TokenKind as T};
use source::Session;

/// The attributes that are words of their own; those after the first eight have operands.
const WORDS: [(&str, &str); 12] = [
    ("global", "__global__"),
    ("device", "__device__"),
    ("host", "__host__"),
    ("shared", "__shared__"),
    ("constant", "__constant__"),
    ("managed", "__managed__"),
    ("device_managed", "__managed__"),
    ("grid_constant", "__grid_constant__"),
    ("launch_bounds", "__launch_bounds__"),
    ("maxnreg", "__maxnreg__"),
    ("cluster_dims", "__cluster_dims__"),
    ("block_size", "__block_size__"),
];
/// The first of them with operands.
const OPERANDS: usize = 8;

/// The tokens with such attributes as words, if there are any.
pub(super) fn as_keywords(session: &mut Session, tokens: &[Token]) -> Option<Vec<Token>> {
    let spellings = ["__attribute__", "__attribute"].map(|w| session.strings.get(w));
    let is_attribute = |t: &Token| t.kind == T::Ident && spellings.contains(&Some(t.sym));
    if !tokens.iter().any(is_attribute) {
        return None;
    }
    let mut out = Vec::with_capacity(tokens.len());
    let mut changed = false;
    let mut i = 0;
    while i < tokens.len() {
        let found = is_attribute(&tokens[i]).then(|| word_at(session, &tokens[i..])).flatten();
        let Some((word, operands, len)) = found else {
            out.push(tokens[i]);
            i += 1;
            continue;
        };
        out.push(Token { sym: session.intern(word), ..tokens[i] });
        out.extend_from_slice(&tokens[i + operands.start..i + operands.end]);
        (i, changed) = (i + len, true);
    }
    changed.then_some(out)
}

/// What an attribute is as a word, where its operands stand with their parentheses, and how many tokens it has.
fn word_at(session: &Session, tokens: &[Token]) -> Option<(&'static str, std::ops::Range<usize>, usize)> {
    let [_, a, b, name, rest @ ..] = tokens else { return None };
    if (a.kind, b.kind, name.kind) != (T::LParen, T::LParen, T::Ident) {
        return None;
    }
    let text = session.strings.str(name.sym);
    let text = text.strip_prefix("__").and_then(|t| t.strip_suffix("__")).unwrap_or(text);
    let n = WORDS.iter().position(|(attribute, _)| *attribute == text)?;
    let end = match rest.first()?.kind {
        T::LParen if n >= OPERANDS => {
            let mut depth = 0usize;
            let close = rest.iter().position(|t| {
                match t.kind {
                    T::LParen => depth += 1,
                    T::RParen => depth -= 1,
                    _ => {}
                }
                depth == 0
            })?;
            close + 1
        }
        T::RParen if n < OPERANDS => 0,
        _ => return None,
    };
    let closed = rest.get(end..end + 2)?.iter().all(|t| t.kind == T::RParen);
    closed.then_some((WORDS[n].1, 4..4 + end, 4 + end + 2))
}
