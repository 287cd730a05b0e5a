//! Kernels compile on threads of their own, while the rest of the file is translated and the host's compiler compiles it.
//!
//! What kernels come to is known last: the translation takes each for one that compiles. Where one does not, the file is
//! translated again with what is known then; no kernel compiles twice.

use acc::KernelSource;
use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Scope;

/// The object file of a region's kernels, or why there is none.
pub(super) type Code = Result<Vec<u8>, String>;

/// What kernels came to, by their text.
#[derive(Default)]
pub(super) struct Known(HashMap<String, Code>);

impl Known {
    pub(super) fn of(&self, source: &KernelSource) -> Option<&Code> {
        self.0.get(&source.text)
    }

    pub(super) fn learn(&mut self, made: Vec<(KernelSource, Code)>) {
        self.0.extend(made.into_iter().map(|(s, m)| (s.text, m)));
    }
}

/// Kernels that wait and kernels that are done.
pub(super) struct Workshop<'a> {
    compile: &'a (dyn Fn(&KernelSource) -> Code + Sync),
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    kernels: Vec<(KernelSource, Option<Code>)>,
    /// The first that nobody has begun.
    next: usize,
    threads: usize,
    /// Nothing more comes.
    closed: bool,
}

impl<'a> Workshop<'a> {
    pub(super) fn new(compile: &'a (dyn Fn(&KernelSource) -> Code + Sync)) -> Self {
        Self { compile, state: Mutex::default(), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics with the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives kernels to a thread: one of those that wait, or a new one where there may be more. They are numbered from 0 on.
    pub(super) fn put<'s>(&'s self, scope: &'s Scope<'s, '_>, source: KernelSource) -> usize {
        let most = std::thread::available_parallelism().map_or(1, usize::from);
        let mut state = self.state();
        state.kernels.push((source, None));
        let number = state.kernels.len() - 1;
        if state.threads < most.min(state.kernels.len()) {
            state.threads += 1;
            drop(state);
            scope.spawn(|| self.work());
        } else {
            drop(state);
            self.changed.notify_one();
        }
        number
    }

    fn work(&self) {
        let mut state = self.state();
        loop {
            if state.next < state.kernels.len() {
                let number = state.next;
                state.next += 1;
                let source = state.kernels[number].0.clone();
                drop(state);
                let made = (self.compile)(&source);
                state = self.state();
                state.kernels[number].1 = Some(made);
            } else if state.closed {
                return;
            } else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    /// Says that no more comes, or, where the run has failed, that what waits is not wanted.
    pub(super) fn close(&self, wanted: bool) {
        let mut state = self.state();
        state.closed = true;
        if !wanted {
            state.next = state.kernels.len();
        }
        drop(state);
        self.changed.notify_all();
    }

    /// What came of the kernels, in their order; those that nobody wanted are missing.
    pub(super) fn results(self) -> Vec<(KernelSource, Code)> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.kernels.into_iter().filter_map(|(s, m)| Some((s, m?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Known, Workshop};
    use acc::KernelSource;

    fn source(n: usize) -> KernelSource {
        KernelSource {
            text: n.to_string(),
            entries: Vec::new(),
            externals: Vec::new(),
            place: String::new(),
            types: String::new(),
            defined: Vec::new(),
        }
    }

    #[test]
    fn results_come_in_order_and_each_once() {
        let compile = |s: &KernelSource| {
            let n: usize = s.text.parse().expect("a number");
            std::thread::sleep(std::time::Duration::from_micros(if n.is_multiple_of(3) { 300 } else { 10 }));
            if n == 7 { Err("seven".to_owned()) } else { Ok(vec![n as u8]) }
        };
        let shop = Workshop::new(&compile);
        std::thread::scope(|scope| {
            (0..50).for_each(|n| assert_eq!(shop.put(scope, source(n)), n));
            shop.close(true);
        });
        let results = shop.results();
        assert_eq!(results.len(), 50);
        assert!(results.iter().enumerate().all(|(n, (_, m))| n == 7 || m.as_deref() == Ok(&[n as u8][..])));
        let mut known = Known::default();
        known.learn(results);
        assert_eq!(known.of(&source(7)), Some(&Err("seven".to_owned())));
        assert_eq!(known.of(&source(50)), None);
    }

    #[test]
    fn what_is_not_wanted_is_not_begun() {
        let compile = |_: &KernelSource| Ok(Vec::new());
        let shop = Workshop::new(&compile);
        shop.close(false);
        std::thread::scope(|scope| {
            shop.put(scope, source(1));
        });
        assert!(shop.results().len() <= 1);
    }
}
