//! Arguments of `unspool run` that are images, samplers and given by name, and what the command says of wrong ones.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder of a test.
struct Dir(PathBuf);

/// What a run came to.
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Dir {
    fn new(name: &str, source: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("arguments").join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("k.cl"), source).unwrap();
        Self(path)
    }

    fn run(&self, words: &str) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_unspool"));
        command.args(["run", "k.cl"]).args(words.split_whitespace()).current_dir(&self.0).stdin(Stdio::null());
        let Output { status, stdout, stderr } = command.env("UNSPOOL_CACHE", "0").output().unwrap();
        let text = |b: Vec<u8>| String::from_utf8_lossy(&b).into_owned();
        Ran { code: status.code(), out: text(stdout), err: text(stderr) }
    }

    /// In the interpreter, and on this machine where the build has a back end.
    fn everywhere(&self, words: &str, check: impl Fn(&Ran)) {
        let ways = if cfg!(feature = "llvm") { &["--check", "--threads 2"][..] } else { &["--check"] };
        for way in ways {
            let ran = self.run(&format!("{words} {way}"));
            assert_eq!(ran.code, Some(0), "{way}: {}", ran.err);
            check(&ran);
        }
    }

    fn picture(&self, name: &str) -> (u32, u32, png::ColorType, Vec<u8>) {
        let file = std::io::BufReader::new(std::fs::File::open(self.0.join(name)).unwrap());
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut pixels).unwrap();
        (frame.width, frame.height, frame.color_type, pixels)
    }

    fn write_picture(&self, name: &str, width: u32, height: u32, colour: png::ColorType, pixels: &[u8]) {
        let file = std::fs::File::create(self.0.join(name)).unwrap();
        let mut encoder = png::Encoder::new(file, width, height);
        encoder.set_color(colour);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header().unwrap().write_image_data(pixels).unwrap();
    }
}

const INVERT: &str = "kernel void invert(read_only image2d_t from, sampler_t s, write_only image2d_t to) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 c = read_imagef(from, s, at);
  write_imagef(to, at, (float4)(1 - c.xyz, c.w));
}
";

#[test]
fn a_picture_goes_through_a_kernel() {
    let d = Dir::new("picture", INVERT);
    let pixels: Vec<u8> = (0..3 * 2 * 3).map(|n| n * 13).collect();
    d.write_picture("in.png", 3, 2, png::ColorType::Rgb, &pixels);
    let line = "--global 3,2 --arg image:in.png --arg sampler:nearest,edge --arg out:image:3x2:rgba8 --out o.png";
    d.everywhere(line, |_| {
        let (width, height, colour, got) = d.picture("o.png");
        assert_eq!((width, height, colour), (3, 2, png::ColorType::Rgba));
        let want: Vec<u8> = pixels.chunks(3).flat_map(|p| [255 - p[0], 255 - p[1], 255 - p[2], 255]).collect();
        assert_eq!(got, want);
    });
    // Other formats hold the same colours.
    for format in ["bgra8", "rgba16", "rgba32f", "rgba16f"] {
        let line = format!(
            "--global 3,2 --arg image:in.png:{format} --arg sampler:nearest --arg out:image:3x2:{format} --out {format}.png"
        );
        d.everywhere(&line, |_| assert_eq!(d.picture(&format!("{format}.png")).3, d.picture("o.png").3, "{format}"));
    }
}

#[test]
fn images_of_integers_arrays_and_depth() {
    let source = "kernel void layers(read_write image2d_array_t a, write_only image3d_t v, global int *sizes) {
  int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
  uint4 c = read_imageui(a, at);
  write_imageui(a, at, (uint4)(c.x + at.z, 0, 0, 0));
  write_imagef(v, at, (float4)(at.x + 10 * at.y + 100 * at.z));
  if (at.x + at.y + at.z == 0) { sizes[0] = get_image_array_size(a); sizes[1] = get_image_depth(v); }
}
";
    let d = Dir::new("layers", source);
    let line = "-cl-std=CL3.0 --global 2,1,3 --arg inout:image:2x1x3:r8ui --arg out:image:2x1x3:r32f --arg inout:zeros:2 \
                --out a.txt --out v.txt --out s.txt";
    d.everywhere(line, |_| {
        let text = |name: &str| {
            std::fs::read_to_string(d.0.join(name)).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(text("a.txt"), "0 0 1 1 2 2");
        assert_eq!(text("v.txt"), "0 1 100 101 200 201");
        assert_eq!(text("s.txt"), "3 3");
    });
}

#[test]
fn samplers_repeat_and_interpolate() {
    let source = "kernel void sample(read_only image2d_t from, sampler_t s, global float *out) {
  int i = get_global_id(0);
  out[i] = read_imagef(from, s, (float2)(i * 0.25f + 0.25f, 0.5f)).x;
}
";
    let d = Dir::new("sample", source);
    d.write_picture("in.png", 2, 1, png::ColorType::Grayscale, &[0, 255]);
    let line = "--global 8 --arg image:in.png --arg sampler:linear,repeat,normalized --arg out:f32:8 --out -";
    d.everywhere(line, |ran| {
        assert_eq!(ran.out.split_whitespace().collect::<Vec<_>>(), ["0", "0.5", "1", "0.5", "0", "0.5", "1", "0.5"]);
    });
}

#[test]
fn wrong_images_and_samplers_are_told_of() {
    let d = Dir::new("wrong", INVERT);
    let case = |args: [&str; 3], words: &[&str]| {
        let ran = d.run(&format!("--check --global 1,1 --arg {} --arg {} --arg {}", args[0], args[1], args[2]));
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        for w in words {
            assert!(ran.err.contains(w), "no `{w}` in: {}", ran.err);
        }
    };
    let (image, sampler, out) = ("image:1x1:r8", "sampler:nearest", "out:image:1x1:r8");
    case(["zeros:4", sampler, out], &["E0706", "it takes an image", "image:FILE.png"]);
    case([image, image, out], &["it takes a sampler", "sampler:linear"]);
    case(["image:no.png", sampler, out], &["`no.png` does not exist"]);
    case(["image:k.cl.png", sampler, out], &["does not exist"]);
    case(["out:image:1x1:r8", sampler, out], &["the kernel only reads it"]);
    case(["image:1x1:rgb8", sampler, out], &["`rgb8` is no format", "rgba8"]);
    case([image, "sampler:cubic", out], &["`cubic` is no mode"]);
    std::fs::write(d.0.join("text.png"), "text").unwrap();
    case(["image:text.png", sampler, out], &["cannot read `text.png`"]);
}

const ADD: &str = "kernel void add(int a, global int *to, int b) { to[get_global_id(0)] = a - b; }\n";

#[test]
fn arguments_are_given_by_name_too() {
    let d = Dir::new("names", ADD);
    for args in [
        "--arg a=7 --arg to=out:2 --arg b=2",
        "--arg b=2 --arg 7 --arg out:2",
        "--arg 7 --arg b=2 --arg out:2",
        "--arg to=out:2 --arg 7 --arg 2",
    ] {
        d.everywhere(&format!("--global 2 {args} --out -"), |ran| assert_eq!(ran.out, "5\n5\n", "{args}"));
    }
    let fails = |args: &str, words: &[&str]| {
        let ran = d.run(&format!("--check --global 2 {args}"));
        assert_eq!(ran.code, Some(1), "{}", ran.err);
        for w in words {
            assert!(ran.err.contains(w), "no `{w}` in: {}", ran.err);
        }
    };
    fails("--arg a=1 --arg a=2 --arg out:2", &["parameter 1 `a` (int) is given twice"]);
    fails("--arg b=1 --arg 2", &["E0705", "parameter 2 `to` (__global int *) has no `--arg`", "NAME=ARG"]);
    fails("--arg a=1 --arg wide=2 --arg out:2", &["E0705", "has no parameter `wide`", "its parameters are `a`, "]);
    fails("--arg b=1 --arg 2 --arg out:2 --arg 9", &["`--arg 9` has no parameter"]);
}

#[test]
fn outputs_that_go_nowhere_are_told_of() {
    let d = Dir::new("nowhere", "kernel void two(global int *a, global int *b) { *a = 1; *b = 2; }\n");
    let line = "--check --global 1 --arg inout:zeros:1 --arg inout:zeros:1";
    assert_eq!(d.run(line).err, "", "a summary shows both");
    let ran = d.run(&format!("{line} --out b=-"));
    assert!(
        ran.err.contains("note") && ran.err.contains("parameter 1 `a` (__global int *) goes nowhere"),
        "{}",
        ran.err
    );
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "2\n"));
    assert_eq!(d.run(&format!("{line} --out - --out -")).err, "");
}

#[test]
fn numbers_that_are_none_are_named_with_their_option() {
    let d = Dir::new("numbers", ADD);
    let base = "--check --arg 1 --arg out:2 --arg 1";
    for (words, message) in [
        ("--global 2 --local -1", "`--local -1`: `-1` is no size"),
        ("--global -2", "`--global -2`: `-2` is no size"),
        ("--grid 2,x --block 1", "`--grid 2,x`: `x` is no size"),
        ("--global 2 --offset -1", "`--offset -1`: `-1` is no size"),
        ("--global 2 --flops nan", "`--flops` is a number of operations"),
        ("--global 2 --flops -1", "`--flops` is a number of operations"),
        ("--global 2 --lanes 3", "`--lanes` is 2, 4, 8, 16, 32 or 64"),
    ] {
        let ran = d.run(&format!("{base} {words}"));
        assert!(ran.code == Some(2) && ran.err.contains(message), "{words}: {:?} {}", ran.code, ran.err);
    }
    let help = Command::new(env!("CARGO_BIN_EXE_unspool")).args(["run", "--help"]).output().unwrap();
    assert!(String::from_utf8_lossy(&help.stdout).contains("2, 4, 8, 16, 32 or 64"));
}

#[test]
fn one_error_is_no_errors() {
    let d = Dir::new("plural", "kernel void k(global int *p) { int x[2]; int unused = 1 / 0; *p = y; }\n");
    let ran = d.run("--check --global 1 --arg out:1");
    assert!(ran.err.contains("1 error, 1 warning\n"), "{}", ran.err);
}

/// Devices whose contents have no end, and names that only exist meanwhile.
#[cfg(target_os = "linux")]
#[test]
fn files_without_an_end_and_folders_that_are_not_there() {
    let d = Dir::new("endless", ADD);
    let base = "--check --global 2 --arg 1 --arg b=1";
    let ran = d.run(&format!("{base} --arg raw:/dev/zero"));
    assert!(ran.err.contains("`/dev/zero` is a device or a pipe"), "{}", ran.err);
    let ran = d.run(&format!("{base} --arg out:2 --out not/there.npy"));
    let message = "cannot write `not/there.npy`: there is no such folder";
    assert!(ran.err.contains(message) && !ran.err.contains(".unspool-"), "{}", ran.err);

    let ran = Dir::new("include", "#include \"/dev/zero\"\n").run("--check --global 1");
    assert!(ran.code == Some(1) && ran.err.contains("/dev/zero") && ran.err.contains("k.cl:1"), "{}", ran.err);
    let mut command = Command::new(env!("CARGO_BIN_EXE_unspool"));
    let ran = command.args(["run", "-x", "cl", "/dev/zero", "--check", "--global", "1"]).output().unwrap();
    let err = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.code() == Some(1) && err.contains("/dev/zero"), "{err}");
}
