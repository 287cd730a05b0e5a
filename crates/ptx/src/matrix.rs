//! What the tensor core instructions in inline assembly need: ptxas would speak of its own text.

use target::Feature;

/// The newest feature that the products of matrices in a text need, if there are any.
pub(crate) fn needs(text: &str) -> Option<Feature> {
    let statements = text.split([';', '{', '}', '\n']);
    let features = statements.filter_map(|s| of_instruction(s.split_whitespace().next()?));
    features.max_by_key(|f| f.min_arch())
}

fn of_instruction(name: &str) -> Option<Feature> {
    let mut words = name.split('.');
    let first = words.next()?;
    let has = |w: &str| name.split('.').any(|x| x == w);
    let any = |list: &[&str]| list.iter().any(|w| has(w));
    match first {
        "wmma" if any(&["bf16", "tf32", "f64"]) => Some(Feature::MatrixWide),
        "wmma" if any(&["b1"]) && has("and") => Some(Feature::MatrixAnd),
        "wmma" if any(&["s4", "u4", "b1", "m8n8k32", "m8n8k128"]) => Some(Feature::MatrixParts),
        "wmma" if any(&["s8", "u8", "s32"]) => Some(Feature::MatrixBytes),
        "wmma" => Some(Feature::MatrixHalf),
        "ldmatrix" => Some(Feature::MatrixLoad),
        // Of a newer PTX than is written unasked: ptxas says so.
        "mma" if any(&["e4m3", "e5m2"]) => None,
        "mma" if has("f64") && !has("m8n8k4") => Some(Feature::MatrixDouble),
        "mma" if has("m8n8k4") && !has("f64") => Some(Feature::MatrixHalf),
        "mma" if has("m16n8k8") && has("f16") || has("m8n8k16") || has("m8n8k32") || has("m8n8k128") && has("xor") => {
            Some(Feature::MatrixTiles)
        }
        "mma" => Some(Feature::MatrixWide),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_counts() {
        assert_eq!(needs("add.s32 %0, %1, %2;"), None);
        let half = "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%0}, {%1}, {%2}, {%3};";
        assert_eq!(needs(half), Some(Feature::MatrixHalf));
        assert_eq!(
            needs("wmma.load.a.sync.aligned.row.m16n16k16.shared.s8 {%0}, [%1], %2;"),
            Some(Feature::MatrixBytes)
        );
        let both = "{ ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];\n mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0}, {%1}, {%2}, {%0}; }";
        assert_eq!(needs(both), Some(Feature::MatrixDouble));
        assert_eq!(
            needs("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0}, {%1}, {%2}, {%0};"),
            Some(Feature::MatrixWide)
        );
    }
}
