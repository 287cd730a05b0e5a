//! NumPy's `.npy` files, versions 1 to 3: a magic number, a header that is a Python dictionary, the numbers.
//!
//! A reader of our own: the numbers go straight into the buffer that the kernel reads, and the header's three entries
//! are all there is to parse.

use launch::kernels::Scalar;
use std::io::{Read, Write};

const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// Largest header; NumPy itself warns at 10 000 bytes.
const MAX_HEADER: usize = 1 << 16;

/// What a file's header says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Header {
    /// Type of the numbers.
    pub(crate) scalar: Scalar,
    /// Lengths of the dimensions; complex numbers are pairs in one more.
    pub(crate) shape: Vec<u64>,
    /// The bytes of each number are in the other order.
    pub(crate) swapped: bool,
    /// Bytes of all numbers.
    pub(crate) bytes: u64,
}

/// Reads the header; the reader is then at the first number.
///
/// # Errors
/// What is wrong with it, in words that follow the file's name.
pub(crate) fn read_header(r: &mut impl Read) -> Result<Header, String> {
    let mut start = [0u8; 8];
    r.read_exact(&mut start).map_err(|_| "is no .npy file: it is too short".to_owned())?;
    if !start.starts_with(MAGIC) {
        return Err("is no .npy file: it does not begin with \\x93NUMPY".to_owned());
    }
    let cut = |_| "is cut short in its header".to_owned();
    let len = if start[6] == 1 {
        let mut b = [0u8; 2];
        r.read_exact(&mut b).map_err(cut)?;
        u16::from_le_bytes(b).into()
    } else {
        let mut b = [0u8; 4];
        r.read_exact(&mut b).map_err(cut)?;
        u32::from_le_bytes(b) as usize
    };
    if !(1..=3).contains(&start[6]) || len > MAX_HEADER {
        return Err("has a header of a version that is not known".to_owned());
    }
    let mut header = vec![0; len];
    r.read_exact(&mut header).map_err(cut)?;
    parse(&String::from_utf8_lossy(&header))
}

fn parse(header: &str) -> Result<Header, String> {
    let entry = |key: &str| -> Result<&str, String> {
        let at = header.find(&format!("'{key}'")).ok_or_else(|| format!("has a header without `{key}`"))?;
        let rest = &header[at + key.len() + 2..];
        Ok(rest.trim_start().strip_prefix(':').unwrap_or(rest).trim_start())
    };
    let descr = entry("descr")?;
    let descr = descr
        .strip_prefix('\'')
        .and_then(|d| d.split('\'').next())
        .ok_or("has numbers of a structured type; pass its fields one by one, or the bytes with `raw:`")?;
    let (scalar, pair, swapped) = scalar_of(descr)?;
    let mut shape = Vec::new();
    let list =
        entry("shape")?.strip_prefix('(').and_then(|s| s.split(')').next()).ok_or("has a header without shape")?;
    for n in list.split(',').map(str::trim).filter(|n| !n.is_empty()) {
        shape.push(n.parse().map_err(|_| format!("has a dimension `{n}`"))?);
    }
    if entry("fortran_order")?.starts_with("True") && shape.len() > 1 {
        return Err("is in column order; save `numpy.ascontiguousarray(x)`".to_owned());
    }
    if pair {
        shape.push(2);
    }
    let bytes = shape.iter().try_fold(scalar.bytes(), |n, &d: &u64| n.checked_mul(d));
    let bytes = bytes.ok_or("says that it has more bytes than can be counted")?;
    Ok(Header { scalar, shape, swapped, bytes })
}

/// The type that a `descr` names, whether each element is a pair of them, and whether bytes are in the other order.
fn scalar_of(descr: &str) -> Result<(Scalar, bool, bool), String> {
    let kind = descr.trim_start_matches(['<', '>', '=', '|']);
    let scalar = match kind {
        "b1" => Scalar::Bool,
        "i1" => Scalar::I8,
        "u1" => Scalar::U8,
        "i2" => Scalar::I16,
        "u2" => Scalar::U16,
        "i4" => Scalar::I32,
        "u4" => Scalar::U32,
        "i8" => Scalar::I64,
        "u8" => Scalar::U64,
        "f2" => Scalar::F16,
        "f4" | "c8" => Scalar::F32,
        "f8" | "c16" => Scalar::F64,
        _ => return Err(format!("has numbers of type `{descr}`, which no kernel parameter takes")),
    };
    Ok((scalar, kind.starts_with('c'), descr.starts_with('>') && scalar.bytes() > 1))
}

/// Turns the bytes of each number round.
pub(crate) fn swap(bytes: &mut [u8], scalar: Scalar) {
    bytes.chunks_exact_mut(scalar.bytes() as usize).for_each(<[u8]>::reverse);
}

/// Writes a file. NumPy has no bfloat16: such numbers are written as `u2`.
///
/// # Errors
/// Those of the writer.
pub(crate) fn write(w: &mut impl Write, scalar: Scalar, shape: &[u64], bytes: &[u8]) -> std::io::Result<()> {
    let descr = match scalar {
        Scalar::Bool => "|b1",
        Scalar::I8 => "|i1",
        Scalar::U8 => "|u1",
        Scalar::I16 => "<i2",
        Scalar::U16 | Scalar::BF16 => "<u2",
        Scalar::I32 => "<i4",
        Scalar::U32 => "<u4",
        Scalar::I64 => "<i8",
        Scalar::U64 => "<u8",
        Scalar::F16 => "<f2",
        Scalar::F32 => "<f4",
        Scalar::F64 => "<f8",
    };
    let dims: String = shape.iter().map(|d| format!("{d}, ")).collect();
    let dims = if shape.len() == 1 { dims.trim_end() } else { dims.trim_end_matches(", ") };
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({dims}), }}");
    // The numbers begin at a multiple of 64.
    let padding = (10 + header.len() + 1).next_multiple_of(64) - (10 + header.len() + 1);
    header.extend(std::iter::repeat_n(' ', padding));
    header.push('\n');
    w.write_all(MAGIC)?;
    w.write_all(&[1, 0])?;
    w.write_all(&(header.len() as u16).to_le_bytes())?;
    w.write_all(header.as_bytes())?;
    w.write_all(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(text: &str) -> Result<Header, String> {
        let mut file = MAGIC.to_vec();
        file.extend([1, 0]);
        file.extend((text.len() as u16).to_le_bytes());
        file.extend(text.as_bytes());
        read_header(&mut file.as_slice())
    }

    #[test]
    fn round_trip() {
        for shape in [&[][..], &[4], &[2, 2], &[0], &[1, 4, 1]] {
            let mut file = Vec::new();
            let count: u64 = shape.iter().product();
            let data: Vec<u8> = (0..count * 4).map(|b| b as u8).collect();
            write(&mut file, Scalar::F32, shape, &data).expect("memory");
            let mut r = file.as_slice();
            let h = read_header(&mut r).expect("just written");
            assert_eq!((h.scalar, h.shape.as_slice(), h.bytes), (Scalar::F32, shape, count * 4));
            assert_eq!((file.len() - r.len()) % 64, 0);
            assert_eq!(r, data);
        }
    }

    #[test]
    fn as_numpy_writes_them() {
        let h = header("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }  \n").expect("good");
        assert_eq!((h.scalar, h.shape, h.swapped, h.bytes), (Scalar::F32, vec![3, 4], false, 48));
        let h = header("{'descr': '>i2', 'fortran_order': True, 'shape': (3,), }\n").expect("good");
        assert_eq!((h.scalar, h.shape, h.swapped), (Scalar::I16, vec![3], true));
        let h = header("{'descr': '<c8', 'fortran_order': False, 'shape': (), }\n").expect("good");
        assert_eq!((h.scalar, h.shape, h.bytes), (Scalar::F32, vec![2], 8));
        let mut pair = [1, 2, 3, 4];
        swap(&mut pair, Scalar::I16);
        assert_eq!(pair, [2, 1, 4, 3]);
    }

    #[test]
    fn broken_files_are_told_apart() {
        for (text, want) in [
            ("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,), }", "structured"),
            ("{'descr': '<U5', 'fortran_order': False, 'shape': (3,), }", "<U5"),
            ("{'descr': '<f4', 'fortran_order': True, 'shape': (3, 4), }", "column order"),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (-3,), }", "-3"),
            ("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", "counted"),
            ("{'descr': '<f4', 'shape': (3,), }", "fortran_order"),
            ("", "descr"),
        ] {
            let e = header(text).unwrap_err();
            assert!(e.contains(want), "{text}: {e}");
        }
        assert!(read_header(&mut &b"PK\x03\x04...."[..]).unwrap_err().contains("no .npy"));
        assert!(read_header(&mut &b"\x93NUM"[..]).unwrap_err().contains("too short"));
        assert!(read_header(&mut &b"\x93NUMPY\x01\x00\xff\x00{'des"[..]).unwrap_err().contains("cut short"));
    }
}
