//! Who types: a folder, commands in it, what they say.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub(crate) const SAXPY: &str = "kernel void saxpy(float a, global const float *x, global float *y) {
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}
";

pub(crate) const MANDEL: &str = "extern \"C\" __global__ void mandel(int *out, int width, int limit) {
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    float cx = -2.0f + px * 3.0f / width, cy = -1.5f + py * 3.0f / width, x = 0, y = 0;
    int n = 0;
    while (n < limit && x * x + y * y <= 4.0f) {
        float t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
        n++;
    }
    out[py * width + px] = n;
}
";

/// A folder of a test's own, with two programs in it.
pub(crate) struct Dir(pub(crate) PathBuf);

impl Dir {
    pub(crate) fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("run").join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        let d = Self(path);
        d.write("saxpy.cl", SAXPY).write("mandel.cu", MANDEL);
        d
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> &Self {
        std::fs::write(self.0.join(name), text).unwrap();
        self
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).unwrap()
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
    }

    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect()
    }

    /// `unspool run` with these words, and without the user's cache.
    pub(crate) fn run(&self, line: &str) -> Ran {
        Ran::of(self.command(line).env("UNSPOOL_CACHE", "0"))
    }

    pub(crate) fn command(&self, line: &str) -> Command {
        let words = ["run"].into_iter().chain(line.split_whitespace());
        let mut command = Command::new(env!("CARGO_BIN_EXE_unspool"));
        command.args(words).current_dir(&self.0).stdin(Stdio::null());
        command
    }

    /// The same, on every executor of this build.
    pub(crate) fn everywhere(&self, line: &str, check: impl Fn(&Ran, &str)) {
        let mut ways = vec!["--check"];
        if cfg!(feature = "llvm") {
            ways.extend(["--scalar", "--threads 3"]);
        }
        for way in ways {
            check(&self.run(&format!("{line} {way}")), way);
        }
    }
}

/// How a command ended.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn of(command: &mut Command) -> Self {
        let Output { status, stdout, stderr } = command.output().unwrap();
        let text = |b: Vec<u8>| String::from_utf8_lossy(&b).into_owned();
        Self { code: status.code(), out: text(stdout), err: text(stderr) }
    }

    #[track_caller]
    pub(crate) fn succeeds(&self, way: &str) -> &Self {
        assert_eq!(self.code, Some(0), "{way}: {}{}", self.err, self.out);
        self
    }

    #[track_caller]
    pub(crate) fn fails(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, Some(code), "{words:?}: {}{}", self.err, self.out);
        for w in words {
            assert!(self.err.contains(w), "no `{w}` in: {}", self.err);
        }
    }
}

pub(crate) fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    header.push_str(&" ".repeat(63 - (10 + header.len()) % 64));
    header.push('\n');
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.as_bytes());
    out.extend(data);
    out
}

pub(crate) fn floats(values: impl IntoIterator<Item = f32>) -> Vec<u8> {
    values.into_iter().flat_map(f32::to_le_bytes).collect()
}
