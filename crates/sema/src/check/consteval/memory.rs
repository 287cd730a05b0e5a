//! The memory of a constant evaluation: objects as bytes, of which it is known which have a value, and pointers in them.

use crate::check::fold::Const;
use crate::program::{FuncId, GlobalId, LocalId};
use rustc_hash::FxHashMap;
use source::Span;

/// Bytes that the objects of one evaluation may have together.
const MAX_MEMORY: u64 = 64 << 20;

/// What a pointer points into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Base {
    Null,
    Global(GlobalId),
    Function(FuncId),
    /// An object of the evaluation.
    Block(u32),
}

/// A pointer, or what a reference refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pointer {
    pub(super) base: Base,
    /// Bytes behind the start.
    pub(super) offset: i64,
}

impl Pointer {
    pub(super) const NULL: Self = Self { base: Base::Null, offset: 0 };

    pub(super) fn to(base: Base) -> Self {
        Self { base, offset: 0 }
    }

    /// The pointer so many bytes further on; `None` from null, but by nothing.
    pub(super) fn moved(self, bytes: i64) -> Option<Self> {
        if self.base == Base::Null {
            return (bytes == 0).then_some(self);
        }
        Some(Self { offset: self.offset.checked_add(bytes)?, ..self })
    }
}

/// What an expression comes to.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// Of `void`.
    Nothing,
    Scalar(Const),
    Pointer(Pointer),
    /// A class, an array, a vector.
    Object(Image),
}

/// The contents of an object.
#[derive(Clone, Default, Debug)]
pub(super) struct Image {
    pub(super) bytes: Vec<u8>,
    known: Vec<bool>,
    pub(super) pointers: Vec<(u64, Pointer)>,
}

/// Bytes of a pointer.
const POINTER: u64 = 8;

impl Image {
    /// An object that nothing was stored to.
    pub(super) fn unknown(size: u64) -> Self {
        Self { bytes: vec![0; size as usize], known: vec![false; size as usize], pointers: Vec::new() }
    }

    pub(super) fn zero(size: u64) -> Self {
        Self { known: vec![true; size as usize], ..Self::unknown(size) }
    }

    fn range(&self, at: u64, size: u64) -> Option<std::ops::Range<usize>> {
        let end = at.checked_add(size)?;
        (end <= self.bytes.len() as u64).then_some(at as usize..end as usize)
    }

    /// A part as an object of its own.
    pub(super) fn part(&self, at: u64, size: u64) -> Option<Self> {
        let range = self.range(at, size)?;
        let inside = self.pointers.iter().filter(|(o, _)| *o >= at && *o + POINTER <= at + size);
        let pointers = inside.map(|&(o, p)| (o - at, p)).collect();
        Some(Self { bytes: self.bytes[range.clone()].to_vec(), known: self.known[range].to_vec(), pointers })
    }

    /// Stores an object into a part.
    pub(super) fn put(&mut self, at: u64, part: &Self) -> Option<()> {
        let size = part.bytes.len() as u64;
        let range = self.range(at, size)?;
        self.forget_pointers(at, size);
        self.bytes[range.clone()].copy_from_slice(&part.bytes);
        self.known[range].copy_from_slice(&part.known);
        self.pointers.extend(part.pointers.iter().map(|&(o, p)| (o + at, p)));
        Some(())
    }

    fn forget_pointers(&mut self, at: u64, size: u64) {
        self.pointers.retain(|(o, _)| o + POINTER <= at || *o >= at + size);
    }

    /// The bits of a scalar of at most eight bytes, all of which are known.
    pub(super) fn bits(&self, at: u64, size: u64) -> Option<u64> {
        if size > 8 { None } else { u64::try_from(self.all_bits(at, size)?).ok() }
    }

    /// The bits of a scalar, all of which are known.
    pub(super) fn all_bits(&self, at: u64, size: u64) -> Option<u128> {
        let range = self.range(at, size).filter(|r| r.len() <= 16)?;
        let in_pointer = self.pointers.iter().any(|(o, _)| *o < at + size && at < o + POINTER);
        if in_pointer || !self.known[range.clone()].iter().all(|&k| k) {
            return None;
        }
        let mut raw = [0; 16];
        raw[..range.len()].copy_from_slice(&self.bytes[range]);
        Some(u128::from_le_bytes(raw))
    }

    pub(super) fn put_bits(&mut self, at: u64, size: u64, bits: u128) -> Option<()> {
        let range = self.range(at, size).filter(|r| r.len() <= 16)?;
        self.forget_pointers(at, size);
        self.bytes[range.clone()].copy_from_slice(&bits.to_le_bytes()[..range.len()]);
        self.known[range].fill(true);
        Some(())
    }

    pub(super) fn pointer(&self, at: u64) -> Option<Pointer> {
        match self.pointers.iter().find(|(o, _)| *o == at) {
            Some(&(_, p)) => Some(p),
            None => (self.bits(at, POINTER)? == 0).then_some(Pointer::NULL),
        }
    }

    pub(super) fn put_pointer(&mut self, at: u64, p: Pointer) -> Option<()> {
        self.put_bits(at, POINTER, 0)?;
        if p != Pointer::NULL {
            self.pointers.push((at, p));
        }
        Some(())
    }
}

/// A function that is being evaluated.
#[derive(Default)]
struct Frame {
    /// None: the body that the expression stands in.
    function: Option<FuncId>,
    /// The objects that its locals are.
    locals: FxHashMap<LocalId, u32>,
    /// Objects that expressions make and have as their values: where they are made.
    made: FxHashMap<LocalId, Pointer>,
}

/// What evaluates a constant expression.
pub(super) struct Machine {
    pub(super) steps: u32,
    /// The first expression that has no value now, if any.
    pub(super) without: Option<Span>,
    used: u64,
    blocks: Vec<Image>,
    /// Those of which it is not known which objects they are: two of them may be one.
    nameless: Vec<u32>,
    frames: Vec<Frame>,
}

impl Machine {
    pub(super) fn new() -> Self {
        Self {
            steps: 0,
            without: None,
            used: 0,
            blocks: Vec::new(),
            nameless: Vec::new(),
            frames: vec![Frame::default()],
        }
    }

    /// Calls that are under way.
    pub(super) fn depth(&self) -> usize {
        self.frames.len() - 1
    }

    pub(super) fn enter(&mut self, function: FuncId) {
        self.frames.push(Frame { function: Some(function), ..Frame::default() });
    }

    /// The function whose statements are carried out.
    pub(super) fn function(&self) -> Option<FuncId> {
        self.frames.last()?.function
    }

    pub(super) fn leave(&mut self) {
        self.frames.pop();
    }

    /// The object that a local of the function is, if it is one yet.
    pub(super) fn local(&self, l: LocalId) -> Option<u32> {
        self.frames.last()?.locals.get(&l).copied()
    }

    /// Where an object is made that an expression has as its value, if somewhere else than in a place of its own.
    pub(super) fn made(&self, l: LocalId) -> Option<Pointer> {
        self.frames.last()?.made.get(&l).copied()
    }

    /// Has such an object made at a place.
    pub(super) fn make_at(&mut self, l: LocalId, at: Pointer) {
        if let Some(frame) = self.frames.last_mut() {
            frame.made.insert(l, at);
        }
    }

    /// Makes a local a new object, or its object as good as new.
    pub(super) fn begin(&mut self, l: LocalId, size: u64) -> Option<u32> {
        if let Some(b) = self.local(l) {
            self.blocks[b as usize] = Image::unknown(size);
            return Some(b);
        }
        self.used = self.used.checked_add(size).filter(|&used| used <= MAX_MEMORY)?;
        let b = self.blocks.len() as u32;
        self.blocks.push(Image::unknown(size));
        self.frames.last_mut()?.locals.insert(l, b);
        Some(b)
    }

    /// An object that nothing is known of, not even which it is.
    pub(super) fn unknown_object(&mut self, size: u64) -> Option<Pointer> {
        self.used = self.used.checked_add(size).filter(|&used| used <= MAX_MEMORY)?;
        let b = self.blocks.len() as u32;
        self.blocks.push(Image::unknown(size));
        self.nameless.push(b);
        Some(Pointer::to(Base::Block(b)))
    }

    /// Whether it cannot be said where a pointer points to.
    pub(super) fn is_nameless(&self, p: Pointer) -> bool {
        matches!(p.base, Base::Block(b) if self.nameless.contains(&b))
    }

    pub(super) fn block(&self, b: u32) -> &Image {
        &self.blocks[b as usize]
    }

    pub(super) fn block_mut(&mut self, b: u32) -> &mut Image {
        &mut self.blocks[b as usize]
    }
}
