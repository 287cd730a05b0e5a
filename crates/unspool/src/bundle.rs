//! Several code objects in one file, as `clang-offload-bundler` lays it out: what HIP programs carry, and of which its loader
//! takes the one for the GPU that it finds.
//!
//! Clang's documentation, "Clang Offload Bundler": a magic word, the number of entries, then offset, size and name of each,
//! as 64-bit numbers.

/// What a bundle begins with.
const MAGIC: &[u8; 24] = b"__CLANG_OFFLOAD_BUNDLE__";

/// The entry of host code, which is empty and which readers expect first.
const HOST: &str = "host-x86_64-unknown-linux-gnu-";

/// Code objects are mapped where they lie.
const ALIGN: usize = 4096;

/// A bundle of code objects, each with the [id](target::amd::Offload::target_id) of the GPU that it is for.
pub fn bundle(objects: &[(String, &[u8])]) -> Vec<u8> {
    let ids: Vec<String> = objects.iter().map(|(id, _)| format!("hipv4-amdgcn-amd-amdhsa--{id}")).collect();
    let mut entries: Vec<(&str, &[u8])> = vec![(HOST, &[])];
    entries.extend(ids.iter().map(String::as_str).zip(objects.iter().map(|(_, bytes)| *bytes)));
    let header: usize = MAGIC.len() + 8 + entries.iter().map(|(id, _)| 24 + id.len()).sum::<usize>();
    let mut out = MAGIC.to_vec();
    let number = |out: &mut Vec<u8>, n: usize| out.extend_from_slice(&(n as u64).to_le_bytes());
    number(&mut out, entries.len());
    let mut at = header.next_multiple_of(ALIGN);
    let mut starts = Vec::new();
    for (id, bytes) in &entries {
        number(&mut out, at);
        number(&mut out, bytes.len());
        number(&mut out, id.len());
        out.extend_from_slice(id.as_bytes());
        starts.push(at);
        at = (at + bytes.len()).next_multiple_of(ALIGN);
    }
    for ((_, bytes), start) in entries.iter().zip(starts).skip(1) {
        out.resize(start, 0);
        out.extend_from_slice(bytes);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::bundle;

    #[test]
    fn entries_say_where_the_objects_are() {
        let b = bundle(&[("gfx90a:xnack+".to_owned(), b"first"), ("gfx1100".to_owned(), b"second")]);
        let number = |at: usize| u64::from_le_bytes(b[at..at + 8].try_into().expect("eight")) as usize;
        assert_eq!((&b[..24], number(24)), (&b"__CLANG_OFFLOAD_BUNDLE__"[..], 3));
        let mut at = 32;
        let mut found = Vec::new();
        for _ in 0..3 {
            let (offset, size, name) = (number(at), number(at + 8), number(at + 16));
            found.push((
                String::from_utf8_lossy(&b[at + 24..at + 24 + name]).into_owned(),
                b.get(offset..offset + size),
            ));
            at += 24 + name;
            assert_eq!(offset % 4096, 0);
        }
        assert_eq!(found[1], ("hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+".to_owned(), Some(&b"first"[..])));
        assert_eq!(found[2], ("hipv4-amdgcn-amd-amdhsa--gfx1100".to_owned(), Some(&b"second"[..])));
        assert!(found[0].0.starts_with("host-"));
    }
}
