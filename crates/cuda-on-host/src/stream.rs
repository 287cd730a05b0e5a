//! Streams and events: what is put into a stream waits until somebody waits for it.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

/// Something to do.
pub(crate) enum Task {
    /// A copy, a fill or a launch; what it failed with.
    Do(Box<dyn FnOnce() -> crate::Status + Send>),
    /// Another stream must have come so far.
    After(usize, u64),
}

#[derive(Default)]
struct Stream {
    tasks: VecDeque<Task>,
    /// Tasks that ever were put in.
    put: u64,
}

/// All streams and events, by their handles.
#[derive(Default)]
pub(crate) struct Streams {
    streams: BTreeMap<usize, Stream>,
    /// The stream and the place in it.
    events: BTreeMap<usize, (usize, u64)>,
    /// The host's memory that copies write which were put into streams: where, the stream, and the place in it.
    downloads: Vec<(Range<usize>, usize, u64)>,
    next: usize,
}

impl Streams {
    /// A new handle; never 0.
    pub(crate) fn handle(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    pub(crate) fn put(&mut self, stream: usize, task: Task) {
        let s = self.streams.entry(stream).or_default();
        s.put += 1;
        s.tasks.push_back(task);
    }

    /// What was put into a stream last copies to the host.
    pub(crate) fn copies_to(&mut self, to: Range<usize>, stream: usize) {
        let place = self.streams.get(&stream).map_or(0, |s| s.put);
        self.downloads.push((to, stream, place));
    }

    /// Before the host's memory is read for a copy to the GPU: no driver reads it before it has written what was asked for
    /// earlier. Drivers write pageable memory at once, and read other memory when the stream comes to it.
    pub(crate) fn before_reading(&mut self, from: &Range<usize>, failed: &mut crate::Status) {
        let pending = |s: &Self, stream: usize, place: u64| {
            s.streams.get(&stream).is_some_and(|s| s.put - (s.tasks.len() as u64) < place)
        };
        for (to, stream, place) in std::mem::take(&mut self.downloads) {
            if to.start < from.end && from.start < to.end {
                self.run(stream, place, failed);
            }
            if pending(self, stream, place) {
                self.downloads.push((to, stream, place));
            }
        }
    }

    /// Does one thing of a stream; whether there is more. What failed goes to `failed`.
    pub(crate) fn step(&mut self, stream: usize, failed: &mut crate::Status) -> bool {
        let Some(s) = self.streams.get_mut(&stream) else { return false };
        match s.tasks.pop_front() {
            Some(Task::Do(f)) => {
                let result = f();
                if *failed == 0 {
                    *failed = result;
                }
            }
            Some(Task::After(other, place)) => self.run(other, place, failed),
            None => return false,
        }
        self.streams.get(&stream).is_some_and(|s| !s.tasks.is_empty())
    }

    /// Does what a stream has up to a place.
    fn run(&mut self, stream: usize, place: u64, failed: &mut crate::Status) {
        while self.streams.get(&stream).is_some_and(|s| s.put - (s.tasks.len() as u64) < place) {
            self.step(stream, failed);
        }
    }

    /// Does all that a stream has.
    pub(crate) fn finish(&mut self, stream: usize, failed: &mut crate::Status) {
        while self.step(stream, failed) {}
    }

    /// Does all that there is.
    pub(crate) fn finish_all(&mut self, failed: &mut crate::Status) {
        let all: Vec<usize> = self.streams.keys().copied().collect();
        all.into_iter().for_each(|s| self.finish(s, failed));
    }

    /// An event is where a stream is now.
    pub(crate) fn record(&mut self, event: usize, stream: usize) {
        let place = self.streams.get(&stream).map_or(0, |s| s.put);
        self.events.insert(event, (stream, place));
    }

    /// Lets a stream wait for an event.
    pub(crate) fn wait_event(&mut self, stream: usize, event: usize) {
        if let Some(&(other, place)) = self.events.get(&event) {
            self.put(stream, Task::After(other, place));
        }
    }

    /// Whether an event has been reached; each question brings its stream forward.
    pub(crate) fn reached(&mut self, event: usize, failed: &mut crate::Status) -> bool {
        let Some(&(stream, place)) = self.events.get(&event) else { return true };
        let there = |s: &Self| s.streams.get(&stream).is_none_or(|s| s.put - s.tasks.len() as u64 >= place);
        if there(self) {
            return true;
        }
        self.step(stream, failed);
        false
    }

    /// Forgets an event.
    pub(crate) fn forget(&mut self, event: usize) {
        self.events.remove(&event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    #[test]
    fn nothing_is_done_before_it_is_waited_for() {
        let said = Arc::new(Mutex::new(String::new()));
        let mut s = Streams::default();
        let (a, b, e) = (s.handle(), s.handle(), s.handle());
        let say = |c: char| {
            let said = Arc::clone(&said);
            Task::Do(Box::new(move || {
                said.lock().expect("nobody panics").push(c);
                0
            }))
        };
        s.put(a, say('a'));
        s.record(e, a);
        s.put(a, say('c'));
        s.wait_event(b, e);
        s.put(b, say('b'));
        assert_eq!(*said.lock().expect("nobody panics"), "");
        s.finish(b, &mut 0);
        assert_eq!(*said.lock().expect("nobody panics"), "ab");
        assert!(s.reached(e, &mut 0));
        s.finish_all(&mut 0);
        assert_eq!(*said.lock().expect("nobody panics"), "abc");
    }
}
