//! The part of MessagePack that notes of code objects are written in (msgpack.org, "MessagePack specification").

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value {
    Nil,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Text(String),
    List(Vec<Value>),
    Map(Vec<(Value, Value)>),
}

/// Deepest nesting of lists and maps.
const DEPTH: u32 = 16;

/// Reads one value; `None` if the bytes are no such thing.
pub(super) fn read(bytes: &[u8]) -> Option<Value> {
    Reader { rest: bytes }.value(DEPTH)
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(n)?;
        self.rest = rest;
        Some(taken)
    }

    /// A big-endian number of so many bytes.
    fn number(&mut self, bytes: usize) -> Option<u64> {
        Some(self.take(bytes)?.iter().fold(0, |n, &b| n << 8 | u64::from(b)))
    }

    fn length(&mut self, bytes: usize) -> Option<usize> {
        usize::try_from(self.number(bytes)?).ok()
    }

    fn value(&mut self, depth: u32) -> Option<Value> {
        let tag = self.take(1)?[0];
        let low = |bits: u32| usize::from(tag & ((1 << bits) - 1));
        Some(match tag {
            0..=0x7f => Value::Uint(tag.into()),
            0x80..=0x8f => self.map(low(4), depth)?,
            0x90..=0x9f => self.list(low(4), depth)?,
            0xa0..=0xbf => self.text(low(5))?,
            0xc0 => Value::Nil,
            0xc2 | 0xc3 => Value::Bool(tag == 0xc3),
            0xcc..=0xcf => Value::Uint(self.number(1 << (tag - 0xcc))?),
            0xd0..=0xd3 => {
                let bytes = 1 << (tag - 0xd0);
                let shift = 64 - 8 * bytes as u32;
                Value::Int((self.number(bytes)? << shift) as i64 >> shift)
            }
            0xd9..=0xdb => {
                let n = self.length(1 << (tag - 0xd9))?;
                self.text(n)?
            }
            0xdc | 0xdd => {
                let n = self.length(if tag == 0xdc { 2 } else { 4 })?;
                self.list(n, depth)?
            }
            0xde | 0xdf => {
                let n = self.length(if tag == 0xde { 2 } else { 4 })?;
                self.map(n, depth)?
            }
            0xe0..=0xff => Value::Int(i64::from(tag as i8)),
            _ => return None,
        })
    }

    fn text(&mut self, n: usize) -> Option<Value> {
        Some(Value::Text(String::from_utf8_lossy(self.take(n)?).into_owned()))
    }

    fn list(&mut self, n: usize, depth: u32) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        // A length says nothing before the elements are there.
        let mut list = Vec::new();
        for _ in 0..n {
            list.push(self.value(depth)?);
        }
        Some(Value::List(list))
    }

    fn map(&mut self, n: usize, depth: u32) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        let mut map = Vec::new();
        for _ in 0..n {
            let key = self.value(depth)?;
            map.push((key, self.value(depth)?));
        }
        Some(Value::Map(map))
    }
}

impl Value {
    /// What a map holds under a name.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        let Self::Map(entries) = self else { return None };
        entries.iter().find(|(k, _)| matches!(k, Self::Text(t) if t == key)).map(|(_, v)| v)
    }

    pub(super) fn number(&self) -> Option<u64> {
        match *self {
            Self::Uint(n) => Some(n),
            Self::Int(n) => u64::try_from(n).ok(),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        if let Self::Text(t) = self { Some(t) } else { None }
    }

    pub(super) fn list(&self) -> &[Self] {
        if let Self::List(l) = self { l } else { &[] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_each_kind() {
        let bytes = b"\x82\xa1a\x93\x01\xff\xcd\x01\x00\xa1b\xdc\x00\x02\xc3\xd1\xff\xfe";
        let v = read(bytes).expect("well formed");
        assert_eq!(v.get("a").map(Value::list), Some(&[Value::Uint(1), Value::Int(-1), Value::Uint(256)][..]));
        assert_eq!(v.get("b").map(Value::list), Some(&[Value::Bool(true), Value::Int(-2)][..]));
        assert_eq!(v.get("c"), None);
    }

    #[test]
    fn what_is_cut_off_or_nests_without_end_is_nothing() {
        let bytes = b"\x82\xa1a\x93\x01\xff\xcd\x01\x00\xa1b\xdc\x00\x02\xc3\xd1\xff\xfe";
        assert!((0..bytes.len()).all(|n| read(&bytes[..n]).is_none()));
        assert_eq!(read(&[0x91; 1000]), None);
        assert_eq!(read(b"\xdd\xff\xff\xff\xff\x01"), None);
        assert_eq!(read(b"\xc1"), None);
    }
}
