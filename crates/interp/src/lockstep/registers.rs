//! Operations on registers that take more than an operand for each lane.

use super::code::{Do, Function, Step};
use super::run::{Activation, Chunk, Lane, Worker};
use super::{GiveUp, LANES, Mask, Outcome, Reg};
use crate::Common;
use crate::decode::Shadow;
use crate::exec::Position;

impl Worker<'_> {
    /// What changes registers alone.
    pub(super) fn registers(
        &self,
        chunk: &mut Chunk,
        act: &mut Activation,
        f: &Function,
        s: &Step,
        mask: &Mask,
    ) -> Outcome {
        let fine = match s.what {
            Do::Pure(run) => run(s, &mut act.regs, mask),
            Do::Scalar(n) => scalar(act, f, n, s, mask),
            Do::Moves(from, to) => {
                copy(act, &f.moves[from as usize..to as usize], mask);
                true
            }
            Do::PtrAdd => pointer(act, s, mask),
            Do::Special(reg) => {
                for l in mask.lanes() {
                    let Lane { slot, linear, id } = chunk.lanes[l];
                    let Common { config, target, .. } = self.common;
                    let group = self.groups[slot].at;
                    let at = Position { config, warp: target.warp_size(), group, id, linear };
                    act.regs[s.op.dst as usize][l] = at.special(reg);
                }
                true
            }
            Do::Target(i) => {
                let code = &self.common.code[act.func];
                target(act, &code.lists[s.op.list.0 as usize..s.op.list.1 as usize], i, s, mask)
            }
            Do::CheckFences => {
                let r = s.op.args[0];
                mask.lanes().for_each(|l| chunk.fences[l] = act.regs[r as usize][l]);
                !mask.lanes().any(|l| act.is_undefined(r, l))
            }
            Do::CheckIndex => {
                let [index, len, _] = s.op.args;
                let (i, n) = (&act.regs[index as usize], &act.regs[len as usize]);
                !mask.lanes().any(|l| i[l] >= n[l] || act.is_undefined(index, l) || act.is_undefined(len, l))
            }
            Do::Assume => {
                let r = s.op.args[0];
                mask.lanes().all(|l| act.regs[r as usize][l] & 1 == 1 && !act.is_undefined(r, l))
            }
            Do::Nothing => true,
            _ => false,
        };
        if fine { Ok(()) } else { Err(GiveUp) }
    }
}

/// Puts a value into a register of the lanes that are on.
pub(super) fn put(act: &mut Activation, to: u32, value: &Reg, shadow: &[Shadow; LANES], mask: &Mask) {
    let dst = &mut act.regs[to as usize];
    for l in 0..LANES {
        dst[l] = value[l] & mask.words[l] | dst[l] & !mask.words[l];
    }
    if let Some(dst) = act.shadow.get_mut(to as usize) {
        for l in 0..LANES {
            dst[l] = shadow[l] & mask.words[l] as Shadow | dst[l] & !(mask.words[l] as Shadow);
        }
    }
}

pub(super) fn copy(act: &mut Activation, moves: &[(u32, u32)], mask: &Mask) {
    for &(from, to) in moves {
        let shadow = act.shadow.get(from as usize).copied().unwrap_or_default();
        put(act, to, &{ act.regs[from as usize] }, &shadow, mask);
    }
}

/// An operation as the interpreter does it, lane by lane.
fn scalar(act: &mut Activation, f: &Function, n: u32, s: &Step, mask: &Mask) -> bool {
    let own = &f.scalars[n as usize];
    let (inputs, outputs) = (own.from.len(), usize::from(s.op.lanes));
    let mut regs = [0; 4 * crate::decode::MAX_LANES];
    let mut shadow = [0; 4 * crate::decode::MAX_LANES];
    if inputs + outputs > regs.len() {
        return false;
    }
    mask.lanes().all(|l| {
        for (k, &r) in own.from.iter().enumerate() {
            regs[k] = act.regs[r as usize][l];
            shadow[k] = if s.tracked { act.shadow[r as usize][l] } else { 0 };
        }
        crate::lanes::eval(&f.scalar_code, &own.op, &mut regs, &mut shadow);
        for k in 0..outputs {
            let (dst, from) = (s.op.dst as usize + k, inputs + k);
            act.regs[dst][l] = regs[from];
            if f.tracked[dst] {
                act.shadow[dst][l] = shadow[from];
            } else if shadow[from] != 0 {
                return false;
            }
        }
        true
    })
}

/// A pointer that is moved: within the window of its object.
fn pointer(act: &mut Activation, s: &Step, mask: &Mask) -> bool {
    let [p, n, _] = s.op.args;
    if s.tracked && mask.lanes().any(|l| act.is_undefined(p, l) || act.is_undefined(n, l)) {
        return false;
    }
    let stays = s.op.flags.has(ir::Flags::INBOUNDS);
    let (mut out, mut bad) = ([0; LANES], 0);
    let (from, by) = (&act.regs[p as usize], &act.regs[n as usize]);
    for l in 0..LANES {
        out[l] = from[l].wrapping_add(by[l]);
        bad |= (out[l] ^ from[l]) >> 32 & mask.words[l];
    }
    put(act, s.op.dst, &out, &[0; LANES], mask);
    let odd = |l: usize| crate::beyond::Beyond::has(out[l]);
    !(stays && bad != 0 || mask.lanes().any(odd))
}

/// An operation of the target's.
fn target(act: &mut Activation, list: &[u32], i: ir::Intrinsic, s: &Step, mask: &Mask) -> bool {
    mask.lanes().all(|l| {
        (0..usize::from(s.op.lanes)).all(|c| {
            let mut args = [0; 4];
            for (a, &r) in args.iter_mut().zip(list) {
                *a = act.regs[r as usize + c][l];
                if act.is_undefined(r + c as u32, l) {
                    return false;
                }
            }
            let v = crate::target_ops::eval(i, s.op.kind, u32::from(s.op.bits), s.op.flags, args);
            act.regs[s.op.dst as usize + c][l] = v.unwrap_or(0);
            v.is_some()
        })
    })
}
