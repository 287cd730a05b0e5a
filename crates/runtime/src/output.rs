//! `printf` of kernels: text is gathered per work-group and comes out in the order of the groups, however they were
//! shared among threads. Within a group it is in the order in which the group's code prints.

use crate::Print;
use crate::fault::{self, FaultKind};
use interp::printf::{Source, format};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Text of groups that wait for earlier ones; beyond it they are let through as they come.
const MAX_WAITING: usize = 64 << 20;

/// Longest string that `%s` and formats may be.
const MAX_STRING: usize = 1 << 16;

thread_local! {
    /// What the group that runs on this thread has printed.
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Whether a kernel of this process has ever printed: most never do, and after each group somebody asks.
static PRINTED: AtomicBool = AtomicBool::new(false);

/// The process's memory, as code that runs on it sees it.
struct Here;

impl Source for Here {
    type Error = FaultKind;

    fn bytes(&mut self, address: u64, len: u64) -> Result<Vec<u8>, FaultKind> {
        let mut out = vec![0; len as usize];
        fault::copy_from(address, &mut out)?;
        Ok(out)
    }

    fn c_string(&mut self, address: u64) -> Result<Vec<u8>, FaultKind> {
        /// What is read at a time does not cross such a boundary, behind which there may be nothing.
        const STEP: u64 = 256;
        let mut out = Vec::new();
        while out.len() < MAX_STRING {
            let at = address.wrapping_add(out.len() as u64);
            let mut part = [0; STEP as usize];
            let part = &mut part[..(STEP - at % STEP) as usize];
            fault::copy_from(at, part)?;
            if let Some(end) = part.iter().position(|&b| b == 0) {
                out.extend_from_slice(&part[..end]);
                break;
            }
            out.extend_from_slice(part);
        }
        out.truncate(MAX_STRING);
        Ok(out)
    }
}

/// What kernels' code calls for `printf`: CUDA's convention, arguments at their natural alignments one after another.
pub(crate) extern "C" fn unspool_rt_printf(text: u64, arguments: u64) -> i32 {
    if text == 0 {
        return -1;
    }
    fault::outside(|| {
        let Ok((bytes, count)) = format(&mut Here, text, arguments) else { return -1 };
        // It is this thread that asks.
        PRINTED.store(true, Ordering::Relaxed);
        TEXT.with_borrow_mut(|t| t.extend_from_slice(&bytes));
        i32::try_from(count).unwrap_or(i32::MAX)
    })
}

/// Puts the texts of groups in order.
pub(crate) struct Printer<'a> {
    print: Option<Print<'a>>,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    texts: BTreeMap<u64, Vec<u8>>,
    bytes: usize,
}

impl<'a> Printer<'a> {
    pub(crate) fn new(print: Option<Print<'a>>) -> Self {
        Self { print, waiting: Mutex::default() }
    }

    /// The group `number` has ended on this thread.
    #[inline]
    pub(crate) fn group_ended(&self, number: u64) {
        if PRINTED.load(Ordering::Relaxed) {
            self.take_text(number);
        }
    }

    fn take_text(&self, number: u64) {
        TEXT.with_borrow_mut(|t| {
            if t.is_empty() {
                return;
            }
            let text = std::mem::take(t);
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            waiting.bytes += text.len();
            waiting.texts.insert(number, text);
            if waiting.bytes > MAX_WAITING {
                self.flush(&mut waiting);
            }
        });
    }

    /// The launch has ended.
    pub(crate) fn finish(&self) {
        self.flush(&mut self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn flush(&self, waiting: &mut Waiting) {
        if waiting.texts.is_empty() {
            return;
        }
        waiting.bytes = 0;
        let texts = std::mem::take(&mut waiting.texts);
        if let Some(print) = self.print {
            texts.values().for_each(|t| print(t));
            return;
        }
        let mut out = std::io::stdout().lock();
        // A reader that has seen enough is no fault of the kernel.
        let _ = texts.values().try_for_each(|t| out.write_all(t)).and_then(|()| out.flush());
    }
}
