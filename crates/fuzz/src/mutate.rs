//! A deterministic mutation engine.

/// SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator with a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 for `n` 0.
    pub fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.next_u64() % n as u64) as usize }
    }
}

/// Pieces of text that languages choke on.
const PIECES: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    ">>",
    "<<<",
    "::",
    ";",
    ",",
    "...",
    "#",
    "##",
    "#define X(a) a a\n",
    "X(X(1))",
    "#pragma unroll 4\n",
    "#pragma unroll -1\n",
    "#pragma unroll\n",
    "_Pragma(\"unroll 3\")",
    "[[clang::loop_unroll 8]]",
    "__attribute__((opencl_unroll_hint(2)))",
    "for(int i=0;i<9;i++)",
    "while(1)",
    "do",
    "switch(x){case 1:default:}",
    "template<int N>",
    "struct S{int a;};",
    "float4",
    "(float4)(1,2,3,4)",
    ".xyzw",
    ".s0f",
    "__shared__ ",
    "__local ",
    "__global__ void ",
    "kernel void ",
    "0x7fffffffffffffff",
    "-2147483648",
    "1e999f",
    "0.0/0",
    "1/0",
    "%0",
    "<<31",
    "auto ",
    "const ",
    "volatile ",
    "restrict ",
    "goto a;",
    "a:",
    "return ",
    "sizeof",
    "typedef ",
    "enum{A,B=A+1}",
    "?:",
    "&&",
    "||",
    "->",
    "++",
    "--",
    "+=",
    "'a'",
    "\"s\"",
    "\\\n",
    "/*",
    "*/",
    "//",
    "\0",
    "\u{ff}",
    "operator()",
    "this",
    "asm(\"\")",
];

/// Makes inputs out of seeds: the same seed of the generator makes the same inputs.
pub struct Mutator<'a> {
    corpus: &'a [Vec<u8>],
    rng: Rng,
}

impl<'a> Mutator<'a> {
    /// Over a corpus, which must not be empty, with a seed.
    pub fn new(corpus: &'a [Vec<u8>], seed: u64) -> Self {
        Self { corpus, rng: Rng::new(seed) }
    }

    /// The next input: a seed with a few mutations.
    pub fn next_input(&mut self) -> Vec<u8> {
        let mut data = self.corpus[self.rng.below(self.corpus.len())].clone();
        for _ in 0..=self.rng.below(6) {
            self.mutate(&mut data);
        }
        data
    }

    fn range(&mut self, len: usize, most: usize) -> std::ops::Range<usize> {
        let start = self.rng.below(len + 1);
        let end = (start + self.rng.below(most + 1)).min(len);
        start..end
    }

    fn mutate(&mut self, data: &mut Vec<u8>) {
        match self.rng.below(8) {
            0 => {
                let r = self.range(data.len(), 40);
                data.drain(r);
            }
            1 => {
                let r = self.range(data.len(), 60);
                let copy = data[r].to_vec();
                let at = self.rng.below(data.len() + 1);
                data.splice(at..at, copy);
            }
            2 | 3 => {
                let piece = PIECES[self.rng.below(PIECES.len())];
                let at = self.rng.below(data.len() + 1);
                data.splice(at..at, piece.bytes());
            }
            4 => {
                let other = &self.corpus[self.rng.below(self.corpus.len())];
                let r = {
                    let start = self.rng.below(other.len() + 1);
                    start..(start + self.rng.below(120)).min(other.len())
                };
                let at = self.rng.below(data.len() + 1);
                data.splice(at..at, other[r].iter().copied());
            }
            5 => {
                if !data.is_empty() {
                    let at = self.rng.below(data.len());
                    data[at] = self.rng.next_u64() as u8;
                }
            }
            6 => {
                // One number for another.
                if let Some(at) = data.iter().position(u8::is_ascii_digit) {
                    let skip = self.rng.below(data.len() - at);
                    if let Some(k) = data[at + skip..].iter().position(u8::is_ascii_digit) {
                        data[at + skip + k] = b'0' + self.rng.below(10) as u8;
                    }
                }
            }
            _ => {
                let r = self.range(data.len(), 8);
                let n = self.rng.below(64);
                let piece = data[r].to_vec();
                let at = self.rng.below(data.len() + 1);
                let many: Vec<u8> = piece.iter().copied().cycle().take(piece.len() * n).collect();
                data.splice(at..at, many);
            }
        }
        data.truncate(16 << 10);
    }
}
