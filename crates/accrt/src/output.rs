//! `printf` of kernels on the host's processors: through the C library's `stdout`, so that what the program and its regions print
//! comes in the order in which they do. What one call prints stays together.

use libc::{FILE, c_char, c_int};
use std::ffi::CStr;

/// Longest text of one conversion.
const MAX_FIELD: usize = 1 << 16;

unsafe extern "C" {
    static stdout: *mut FILE;
}

/// The arguments of a call, at their natural alignments one after another (CUDA's convention).
struct Arguments {
    at: *const u8,
    offset: usize,
}

impl Arguments {
    /// # Safety
    /// The next argument has this type.
    unsafe fn next<T: Copy>(&mut self) -> T {
        self.offset = self.offset.next_multiple_of(align_of::<T>());
        // SAFETY: by the caller's promise.
        let value = unsafe { self.at.add(self.offset).cast::<T>().read_unaligned() };
        self.offset += size_of::<T>();
        value
    }
}

/// A conversion specification: what stands behind `%`.
#[derive(Default)]
struct Conversion {
    /// Flags, width and precision, numbers in the place of `*`.
    middle: Vec<u8>,
    /// Whether an integer has eight bytes.
    wide: bool,
    /// The last letter; 0 if the format ends before it.
    letter: u8,
}

/// Reads a conversion behind its `%`; the bytes that it takes.
///
/// # Safety
/// The arguments are those of the format.
unsafe fn conversion(text: &[u8], arguments: &mut Arguments) -> (Conversion, usize) {
    let mut c = Conversion::default();
    for (n, &b) in text.iter().enumerate() {
        match b {
            b'*' => {
                // SAFETY: by the caller's promise.
                let number: c_int = unsafe { arguments.next() };
                c.middle.extend(number.to_string().into_bytes());
            }
            b'l' | b'j' | b'z' | b't' | b'q' => c.wide = true,
            // Integers come promoted: these say how much of one counts.
            b'h' => c.middle.push(b),
            b'L' => {}
            b'-' | b'+' | b' ' | b'#' | b'0'..=b'9' | b'.' | b'\'' => c.middle.push(b),
            _ => {
                c.letter = b;
                return (c, n + 1);
            }
        }
    }
    (c, text.len())
}

/// Prints one value by the C library.
fn print(out: &mut Vec<u8>, c: &Conversion, length: &str, write: impl Fn(*mut c_char, usize, *const c_char) -> c_int) {
    let mut spec = vec![b'%'];
    spec.extend_from_slice(&c.middle);
    spec.extend_from_slice(length.as_bytes());
    spec.extend([c.letter, 0]);
    let mut field = vec![0u8; 128];
    for _ in 0..2 {
        let n = usize::try_from(write(field.as_mut_ptr().cast(), field.len(), spec.as_ptr().cast())).unwrap_or(0);
        if n < field.len() || field.len() > MAX_FIELD {
            field.truncate(n.min(field.len().saturating_sub(1)));
            break;
        }
        field = vec![0; (n + 1).min(MAX_FIELD + 1)];
    }
    out.extend(field);
}

/// The text of a call.
///
/// # Safety
/// The arguments are those of the format.
unsafe fn format(text: &[u8], mut arguments: Arguments) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.iter().position(|&b| b == b'%') {
        out.extend_from_slice(&rest[..at]);
        // SAFETY: by the caller's promise.
        let (c, taken) = unsafe { conversion(&rest[at + 1..], &mut arguments) };
        rest = &rest[at + 1 + taken..];
        // SAFETY: the letter says of which type the next argument is, and the C library is given one of that type.
        unsafe {
            match c.letter {
                b'%' => out.push(b'%'),
                b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'c' if !c.wide => {
                    let value: c_int = arguments.next();
                    print(&mut out, &c, "", |to, n, spec| libc::snprintf(to, n, spec, value));
                }
                b'd' | b'i' | b'o' | b'u' | b'x' | b'X' => {
                    let value: i64 = arguments.next();
                    print(&mut out, &c, "ll", |to, n, spec| libc::snprintf(to, n, spec, value));
                }
                b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {
                    let value: f64 = arguments.next();
                    print(&mut out, &c, "", |to, n, spec| libc::snprintf(to, n, spec, value));
                }
                b's' | b'p' => {
                    let value: *const c_char = arguments.next();
                    print(&mut out, &c, "", |to, n, spec| libc::snprintf(to, n, spec, value));
                }
                // What has no meaning is printed as it is.
                0 => {}
                letter => out.extend([b'%', letter]),
            }
        }
    }
    out.extend_from_slice(rest);
    out
}

/// What kernels' code calls for `printf`; the number of bytes printed.
///
/// # Safety
/// The interface of generated code: a format, and its arguments at their natural alignments one after another.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn unspool_rt_printf(text: *const c_char, arguments: *const u8) -> c_int {
    if text.is_null() {
        return -1;
    }
    // SAFETY: by the caller's promise.
    let out = unsafe { format(CStr::from_ptr(text).to_bytes(), Arguments { at: arguments, offset: 0 }) };
    // SAFETY: a buffer of so many bytes, and the C library's stream.
    unsafe { libc::fwrite(out.as_ptr().cast(), 1, out.len(), stdout) };
    c_int::try_from(out.len()).unwrap_or(c_int::MAX)
}

#[cfg(test)]
mod tests {
    use super::{Arguments, format};

    #[test]
    fn conversions_take_arguments_of_their_types() {
        #[repr(C)]
        struct Packed(i32, f64, i64, *const u8, i32, i32, f64, i32);
        let args = Packed(-7, 2.5, 1 << 40, c"text".as_ptr().cast(), 8, 3, 1.0 / 3.0, 300);
        let arguments = Arguments { at: (&raw const args).cast(), offset: 0 };
        // SAFETY: the arguments are those of the format.
        let out = unsafe { format(b"%5d|%g|%ld|%s|%*.*f|%hhu|100%%|%", arguments) };
        assert_eq!(String::from_utf8_lossy(&out), "   -7|2.5|1099511627776|text|   0.333|44|100%|");
    }

    #[test]
    fn wide_fields_are_bounded() {
        let value = 1i32;
        let arguments = || Arguments { at: (&raw const value).cast(), offset: 0 };
        // SAFETY: as above.
        let (long, huge) = unsafe { (format(b"%300d", arguments()), format(b"%99999999d", arguments())) };
        assert_eq!(long.len(), 300);
        assert!(huge.len() <= super::MAX_FIELD + 1);
    }
}
