//! Global variables.
//!
//! A variable whose initial value holds addresses of others stands after them.

use crate::error::EmitError;
use crate::names::push_name;
use crate::out::{push_hex, push_i64, push_u64};
use cranelift_entity::EntityRef;
use ir::{AddrSpace, Global, GlobalData, GlobalInit, Linkage, Module, Reloc, ScalarKind, Type};

/// Writes the variables for which `wanted` holds, and those that their initial values name.
pub(crate) fn globals(out: &mut String, m: &Module, wanted: &[bool]) -> Result<(), EmitError> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut state = vec![State::New; m.globals.len()];
    let mut stack: Vec<(Global, usize)> = Vec::new();
    for root in m.globals.keys().filter(|g| wanted[g.index()]) {
        stack.push((root, 0));
        while let Some((g, next)) = stack.pop() {
            if state[g.index()] == State::Done {
                continue;
            }
            state[g.index()] = State::Open;
            let data = &m.globals[g];
            let Some(r) = relocs(data).get(next) else {
                global(out, m, data)?;
                state[g.index()] = State::Done;
                continue;
            };
            stack.push((g, next + 1));
            match state[r.global.index()] {
                State::New => stack.push((r.global, 0)),
                State::Open => {
                    return Err(EmitError::unsupported(
                        format!("the initial value of `{}`, which holds its own address", data.name),
                        data.span,
                        "set the pointer in a kernel, or from the host",
                    ));
                }
                State::Done => {}
            }
        }
    }
    Ok(())
}

fn relocs(g: &GlobalData) -> &[Reloc] {
    match &g.init {
        GlobalInit::Bytes(_, r) => r,
        _ => &[],
    }
}

fn global(out: &mut String, m: &Module, g: &GlobalData) -> Result<(), EmitError> {
    check_size(g)?;
    let dynamic = g.space == AddrSpace::Shared && g.size == 0;
    let shared = g.space == AddrSpace::Shared;
    out.push_str(match g.linkage {
        _ if g.external || dynamic => ".extern ",
        _ if shared => "",
        Linkage::Internal => "",
        Linkage::External => ".visible ",
        Linkage::LinkOnce => ".weak ",
    });
    out.push_str(match g.space {
        AddrSpace::Shared => ".shared",
        AddrSpace::Constant => ".const",
        AddrSpace::Private => ".local",
        _ => ".global",
    });
    out.push_str(" .align ");
    push_u64(out, u64::from(g.align.max(1)));
    let init = match &g.init {
        GlobalInit::Bytes(bytes, relocs) if !shared && !g.external && has_bits(bytes, relocs) => Some((bytes, relocs)),
        _ => None,
    };
    let elem = element(g, init.map(|i| &**i.1));
    out.push(' ');
    let bytewise = elem == Type::I8 && init.is_some_and(|i| !i.1.is_empty());
    out.push_str(if bytewise { ".u8" } else { type_name(elem, init.is_some()) });
    out.push(' ');
    push_name(out, &g.name);
    let size = u64::from(elem.scalar_bytes());
    let count = g.size / size;
    let scalar = count == 1 && elem != Type::I8;
    if !scalar || dynamic {
        out.push('[');
        if !dynamic {
            push_u64(out, count.max(1));
        }
        out.push(']');
    }
    if let Some((bytes, relocs)) = init {
        out.push_str(if scalar { " = " } else { " = {" });
        values(out, m, g, elem, bytes, relocs);
        if !scalar {
            out.push('}');
        }
    }
    out.push_str(";\n");
    Ok(())
}

fn check_size(g: &GlobalData) -> Result<(), EmitError> {
    let (limit, what) = match g.space {
        AddrSpace::Constant => (target::space::CONSTANT_BYTES, "constant"),
        AddrSpace::Shared => (227 << 10, "shared"),
        _ => (1 << 47, "global"),
    };
    if g.size <= limit {
        return Ok(());
    }
    Err(EmitError::TooLarge {
        what: format!("`{}` ({} bytes of {what} memory)", g.name, g.size),
        span: g.span,
        help: format!("{what} memory has at most {limit} bytes: use global memory"),
    })
}

fn has_bits(bytes: &[u8], relocs: &[Reloc]) -> bool {
    !relocs.is_empty() || bytes.iter().any(|&b| b != 0)
}

/// The type to write the elements in: 64-bit words if there are addresses, in place; else the declared one.
fn element(g: &GlobalData, relocs: Option<&[Reloc]>) -> Type {
    let fits = |ty: Type| {
        let n = ty.scalar_bytes();
        n > 0 && g.size.is_multiple_of(u64::from(n)) && g.align >= n
    };
    match relocs {
        Some(r) if !r.is_empty() => {
            if fits(Type::I64) && r.iter().all(|r| r.offset.is_multiple_of(8)) {
                Type::I64
            } else {
                Type::I8
            }
        }
        _ if g.elem.is_void() || !fits(g.elem.scalar()) => Type::I8,
        _ => match g.elem.kind() {
            ScalarKind::I1 => Type::I8,
            ScalarKind::F16 | ScalarKind::BF16 => Type::I16,
            ScalarKind::Ptr => Type::I64,
            _ => g.elem.scalar(),
        },
    }
}

fn type_name(ty: Type, initialised: bool) -> &'static str {
    match ty.kind() {
        ScalarKind::I8 => ".b8",
        ScalarKind::I16 if initialised => ".u16",
        ScalarKind::I16 => ".b16",
        ScalarKind::I32 if initialised => ".u32",
        ScalarKind::I32 => ".b32",
        ScalarKind::F32 => ".f32",
        ScalarKind::F64 => ".f64",
        _ if initialised => ".u64",
        _ => ".b64",
    }
}

/// Writes the elements of an initial value; zeros at the end are left out.
fn values(out: &mut String, m: &Module, g: &GlobalData, elem: Type, bytes: &[u8], relocs: &[Reloc]) {
    let size = elem.scalar_bytes() as usize;
    let last_reloc = relocs.iter().map(|r| r.offset as usize + 8).max().unwrap_or(0);
    let last_byte = bytes.iter().rposition(|&b| b != 0).map_or(0, |n| n + 1);
    let end = last_reloc.max(last_byte).min(g.size as usize);
    let mut sorted: Vec<&Reloc> = relocs.iter().collect();
    sorted.sort_by_key(|r| r.offset);
    let mut pending = sorted.into_iter().peekable();
    let mut at = 0;
    let mut first = true;
    while at < end {
        if !first {
            out.push_str(", ");
        }
        first = false;
        while pending.next_if(|r| (r.offset as usize + 8) <= at).is_some() {}
        if let Some(r) = pending.peek().filter(|r| (r.offset as usize..r.offset as usize + 8).contains(&at)) {
            address(out, m, r, at - r.offset as usize, size);
        } else {
            let mut word = [0u8; 8];
            for (k, slot) in word.iter_mut().enumerate().take(size) {
                *slot = bytes.get(at + k).copied().unwrap_or(0);
            }
            element_value(out, elem, u64::from_le_bytes(word));
        }
        at += size;
    }
}

fn element_value(out: &mut String, elem: Type, bits: u64) {
    match elem.kind() {
        ScalarKind::F32 => {
            out.push_str("0f");
            push_hex(out, bits, 8);
        }
        ScalarKind::F64 => {
            out.push_str("0d");
            push_hex(out, bits, 16);
        }
        _ => push_u64(out, bits),
    }
}

/// Writes an address, or byte `byte` of it.
fn address(out: &mut String, m: &Module, r: &Reloc, byte: usize, size: usize) {
    let target = &m.globals[r.global];
    if size < 8 {
        out.push_str("0xFF");
        (0..byte).for_each(|_| out.push_str("00"));
        out.push('(');
    }
    let generic = r.generic && target.space != AddrSpace::Generic;
    if generic {
        out.push_str("generic(");
    }
    push_name(out, &target.name);
    if generic {
        out.push(')');
    }
    if r.addend != 0 {
        out.push('+');
        push_i64(out, r.addend);
    }
    if size < 8 {
        out.push(')');
    }
}
