//! Variables, parameters, registers and their initial values.

use super::{MAX_DEPTH, Parser};
use crate::ast::{Element, Linkage, Variable};
use crate::error::{Outcome, PtxError};
use crate::lex::Tok;
use crate::types::{PtxType, Space};

/// Largest variable, in bytes.
const MAX_BYTES: u64 = 1 << 32;

/// What stands before the names of a declaration.
struct Head {
    space: Space,
    align: Option<u32>,
    ty: PtxType,
    lanes: u8,
    pointer: Option<Option<Space>>,
    pointer_align: u32,
}

impl<'a> Parser<'a, '_> {
    /// One declaration of one or several variables, up to its semicolon.
    pub(super) fn variables(&mut self, linkage: Linkage, put: &mut impl FnMut(Variable<'a>)) -> Outcome<()> {
        let head = self.head()?;
        loop {
            let v = self.declarator(&head, linkage)?;
            put(v);
            if !self.eat(',') {
                return self.expect(';');
            }
        }
    }

    /// A parameter.
    pub(super) fn variable(&mut self, linkage: Linkage) -> Outcome<Variable<'a>> {
        let head = self.head()?;
        self.declarator(&head, linkage)
    }

    fn alignment(&mut self) -> Outcome<u32> {
        let n = self.number("an alignment")?;
        if n.is_power_of_two() && n <= 1 << 16 {
            Ok(n)
        } else {
            Err(PtxError::operand(self.before(), format!("an alignment of {n} bytes: a power of two expected")))
        }
    }

    fn head(&mut self) -> Outcome<Head> {
        let mut head =
            Head { space: Space::Generic, align: None, ty: PtxType::Pred, lanes: 1, pointer: None, pointer_align: 0 };
        let mut typed = false;
        while let Tok::Dot(word) = self.peek() {
            self.at += 1;
            match word {
                "align" if head.pointer.is_some() => head.pointer_align = self.alignment()?,
                "align" => head.align = Some(self.alignment()?),
                "ptr" => head.pointer = Some(None),
                "v2" => head.lanes = 2,
                "v4" => head.lanes = 4,
                "attribute" => {
                    self.expect('(')?;
                    while !self.eat(')') {
                        if self.next() == Tok::End {
                            return Err(self.unexpected("`)`"));
                        }
                    }
                }
                "texref" | "samplerref" | "surfref" => {
                    return Err(PtxError::unsupported(self.before(), format!("`.{word}`: textures are not covered")));
                }
                _ => match (Space::named(word), PtxType::named(word)) {
                    (Some(s), _) if head.pointer.is_some() => head.pointer = Some(Some(s)),
                    (Some(s), _) => head.space = s,
                    (_, Some(ty)) => {
                        head.ty = ty;
                        typed = true;
                    }
                    _ => {
                        return Err(PtxError::unsupported(self.before(), format!("`.{word}` is not understood here")));
                    }
                },
            }
        }
        if !typed || head.space == Space::Generic {
            return Err(self.unexpected("a state space and a type"));
        }
        Ok(head)
    }

    fn declarator(&mut self, head: &Head, linkage: Linkage) -> Outcome<Variable<'a>> {
        let name = self.name("a name")?;
        let mut v = Variable {
            name,
            space: head.space,
            ty: head.ty,
            lanes: head.lanes,
            align: head.align,
            size: head.ty.bytes() * u64::from(head.lanes),
            array: false,
            count: None,
            init: None,
            pointer: head.pointer,
            pointer_align: head.pointer_align,
            linkage,
        };
        if self.eat('<') {
            v.count = Some(self.number("a number of registers")?);
            self.expect('>')?;
        }
        let mut dims = Vec::new();
        while self.eat('[') {
            v.array = true;
            let n = match self.peek() {
                Tok::Punct(']') => 0,
                _ => self.integer(0)?.cast_unsigned(),
            };
            self.expect(']')?;
            dims.push(n);
            v.size = match v.size.checked_mul(n.max(u64::from(dims.len() > 1))) {
                Some(size) if size <= MAX_BYTES => size,
                _ => return Err(PtxError::limit(name.span, format!("`{}` has more than 4 GiB", name.text))),
            };
        }
        if self.eat('=') {
            let elem = head.ty.bytes();
            let mut list = Vec::new();
            let mut at = 0;
            self.initialiser(elem, &dims, &mut at, &mut list, 0)?;
            if v.size == 0 {
                v.size = at;
            }
            if at > v.size {
                return Err(PtxError::operand(name.span, format!("`{}` has more values than elements", name.text)));
            }
            v.init = Some(list);
        }
        Ok(v)
    }

    /// A value, or a list of them in braces, each of which fills a row of what is left of the dimensions.
    fn initialiser(
        &mut self,
        elem: u64,
        dims: &[u64],
        at: &mut u64,
        out: &mut Vec<(u64, Element<'a>)>,
        depth: usize,
    ) -> Outcome<()> {
        if !self.eat('{') {
            let e = self.element()?;
            out.push((*at, e));
            *at += elem;
            return Ok(());
        }
        if depth >= MAX_DEPTH {
            return Err(PtxError::limit(self.before(), format!("braces are nested deeper than {MAX_DEPTH}")));
        }
        let inner = dims.get(1..).unwrap_or_default();
        let row = inner.iter().fold(elem, |n, d| n.saturating_mul(*d));
        while !self.eat('}') {
            let start = *at;
            let nested = self.peek() == Tok::Punct('{');
            self.initialiser(elem, inner, at, out, depth + 1)?;
            if nested {
                *at = start.saturating_add(row).max(*at);
            }
            if !self.eat(',') && self.peek() != Tok::Punct('}') {
                return Err(self.unexpected("`,` or `}`"));
            }
        }
        Ok(())
    }

    fn element(&mut self) -> Outcome<Element<'a>> {
        let address = |name, addend, generic, mask| Element::Address { name, addend, generic, mask };
        match self.peek() {
            Tok::F32(b) => {
                self.at += 1;
                Ok(Element::F32(b))
            }
            Tok::F64(b) => {
                self.at += 1;
                Ok(Element::F64(b))
            }
            Tok::Punct('-') if matches!(self.peek_at(1), Tok::F64(_)) => {
                self.at += 1;
                let Tok::F64(b) = self.next() else { return Err(self.unexpected("a number")) };
                Ok(Element::F64(b ^ 1 << 63))
            }
            Tok::Int(mask) if self.peek_at(1) == Tok::Punct('(') => {
                self.at += 2;
                let (name, addend, generic) = self.address_of()?;
                self.expect(')')?;
                Ok(address(name, addend, generic, Some(mask)))
            }
            Tok::Word(_) => {
                let (name, addend, generic) = self.address_of()?;
                Ok(address(name, addend, generic, None))
            }
            _ => Ok(Element::Int(self.integer(0)?.cast_unsigned())),
        }
    }

    /// `x`, `x+4`, `generic(x)`, `generic(x)+4`
    fn address_of(&mut self) -> Outcome<(crate::ast::Name<'a>, i64, bool)> {
        let mut name = self.name("a name")?;
        let generic = name.text == "generic" && self.eat('(');
        if generic {
            name = self.name("a variable")?;
        }
        let mut addend = self.offset()?;
        if generic {
            self.expect(')')?;
            addend = addend.wrapping_add(self.offset()?);
        }
        Ok((name, addend, generic))
    }
}
