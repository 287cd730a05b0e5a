//! Which instance of a template a loop is of, in the terms of its text: `R` is 8 here.

use super::extent;
use source::{Instance, SourceMap, Span};

/// Bytes before a function's name in which its template's head is looked for.
const MAX_HEAD: usize = 4096;
/// Bytes of a loop that are looked at.
const MAX_LOOP: usize = 1 << 16;

/// The parameters of a function template that a loop names, with this instance's arguments. Empty where the function is
/// no template, or its head is not found before its name (macros may hide it).
pub(super) fn arguments(map: &SourceMap, instance: &Instance, place: Span) -> Vec<(String, String)> {
    let Some(values) = values(&instance.name) else { return Vec::new() };
    let (Some((head, _)), Some((text, at))) = (text_at(map, instance.span), text_at(map, place)) else {
        return Vec::new();
    };
    let before = &head[..text_at(map, instance.span).map_or(0, |t| t.1)];
    let Some(names) = parameters(before) else { return Vec::new() };
    let end = extent::statement_end(text, at, &mut { MAX_LOOP }).max(at);
    let named = |name: &str| words(&text[at..end]).any(|w| w == name);
    names.into_iter().zip(values).filter(|(n, _)| !n.is_empty() && named(n)).collect()
}

fn text_at(map: &SourceMap, span: Span) -> Option<(&str, usize)> {
    let span = map.call_site(span);
    let file = map.file(map.file_at(span.lo).filter(|_| !span.is_none())?);
    Some((&file.text, (span.lo - file.base) as usize))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c == '_' || c.is_alphanumeric())).filter(|w| !w.is_empty())
}

/// The arguments in `dot<8, float>(const float *)`.
fn values(name: &str) -> Option<Vec<String>> {
    let function = &name[..name.find('(')?];
    let inner = function.strip_suffix('>')?;
    // The `<` that belongs to the last `>`.
    let mut depth = 1u32;
    let open = inner.char_indices().rev().find_map(|(n, c)| {
        match c {
            '>' => depth += 1,
            '<' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(n)
    })?;
    Some(split(&inner[open + 1..]))
}

/// The names of the parameters in the `template <…>` that the text ends behind, but for a function's specifiers and type.
fn parameters(before: &str) -> Option<Vec<String>> {
    let mut start = before.len().saturating_sub(MAX_HEAD);
    while !before.is_char_boundary(start) {
        start += 1;
    }
    let near = &before[start..];
    let at = near.rfind("template")?;
    let rest = near[at + "template".len()..].trim_start().strip_prefix('<')?;
    let mut depth = 1u32;
    let end = rest.char_indices().find_map(|(n, c)| {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(n)
    })?;
    // A body or another declaration between them: the head is another function's.
    if rest[end..].contains([';', '{', '}']) {
        return None;
    }
    let name = |p: String| {
        let declared = p.split('=').next().unwrap_or("").to_owned();
        // A pack has several values.
        if declared.contains("...") { String::new() } else { words(&declared).last().unwrap_or("").to_owned() }
    };
    Some(split(&rest[..end]).into_iter().map(name).collect())
}

/// Parts between commas outside of brackets.
fn split(list: &str) -> Vec<String> {
    let (mut depth, mut out) = (0i32, vec![String::new()]);
    for c in list.chars() {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                out.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = out.last_mut() {
            last.push(c);
        }
    }
    out.iter().map(|s| s.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::{parameters, values};

    #[test]
    fn names_and_values_are_found() {
        let own = |list: &[&str]| Some(list.iter().map(|&s| s.to_owned()).collect::<Vec<_>>());
        assert_eq!(values("dot<8, float>(const float *)"), own(&["8", "float"]));
        assert_eq!(values("f<S<1, 2>>(int)"), own(&["S<1, 2>"]));
        assert_eq!(values("S<4>::f(int)"), None);
        assert_eq!(values("k"), None);
        assert_eq!(parameters("template <int R, typename T = S<1, 2>>\n__device__ T "), own(&["R", "T"]));
        assert_eq!(parameters("template<class... Ts>\nvoid "), own(&[""]));
        assert_eq!(parameters("template <int N> void f() { }\nvoid "), None);
        assert_eq!(parameters("void "), None);
    }
}
