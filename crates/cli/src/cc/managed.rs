//! Memory that host and device share, as `-gpu=managed` and `-gpu=unified` ask for it.
//!
//! What a file allocates comes from the run-time library's heap (`crates/accrt/src/managed_heap.rs`): the assembler calls the C
//! library's functions by the heap's names, wherever the file calls them or takes their address, also where the compiler makes
//! `calloc` of `malloc` and `memset`. Its text and the headers' declarations stay as they are.

/// What is shared.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) enum Memory {
    /// Nothing: the device has copies.
    #[default]
    Separate,
    /// What the program allocates.
    Managed,
    /// All of it, where the GPU reaches it.
    Unified,
}

/// Functions of the C library, and the heap's for each.
const FUNCTIONS: [(&str, &str); 14] = [
    ("malloc", "malloc"),
    ("calloc", "calloc"),
    ("realloc", "realloc"),
    ("reallocarray", "reallocarray"),
    ("free", "free"),
    ("cfree", "free"),
    ("aligned_alloc", "memalign"),
    ("memalign", "memalign"),
    ("valloc", "valloc"),
    ("posix_memalign", "posix_memalign"),
    ("strdup", "strdup"),
    ("strndup", "strndup"),
    ("getline", "getline"),
    ("getdelim", "getdelim"),
];

impl Memory {
    /// What a word of `-gpu=…` or `-ta=…` asks for, if it is about this.
    pub(super) fn of(word: &str) -> Option<Self> {
        Some(match word {
            "managed" => Self::Managed,
            "unified" => Self::Unified,
            "separate" | "nomanaged" | "nounified" => Self::Separate,
            _ => return None,
        })
    }

    /// What a file has behind its text. `defines` says which functions are its own: those stay so.
    pub(super) fn text(self, defines: impl Fn(&str) -> bool) -> String {
        let kind = match self {
            Self::Separate => return String::new(),
            Self::Managed => 1,
            Self::Unified => 2,
        };
        let mut text = format!(
            "\n# 1 \"<unspool>\" 3\nextern void __unspool_acc_memory(int);\n\
             static void __attribute__((constructor, unused)) __unspool_acc_shares(void) {{ __unspool_acc_memory({kind}); }}\n"
        );
        for (name, ours) in FUNCTIONS.iter().filter(|f| !defines(f.0)) {
            text.push_str(&format!("__asm__(\".set {name}, __unspool_acc_{ours}\");\n"));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_the_file_stay_its_own() {
        let text = Memory::Managed.text(|f| f == "valloc");
        assert!(text.contains(".set malloc, __unspool_acc_malloc") && !text.contains("valloc"));
        assert!(text.contains("__unspool_acc_memory(1)"));
        assert!(Memory::Separate.text(|_| false).is_empty());
    }
}
