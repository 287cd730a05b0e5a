//! The present table: which of the host's memory has a copy on the device, and how often that was asked for.

use crate::device::{self, Device};
use crate::fatal::fatal;
use crate::gpu::MAX_GPUS;
use crate::interface::Site;
use crate::memory;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

/// A copy.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Behind the last byte of the host's.
    pub(crate) end: usize,
    /// Where the device has it.
    pub(crate) device: usize,
    /// The value of the pointer or address of the array that it is a section of.
    pub(crate) base: usize,
    /// Open constructs that hold it.
    pub(crate) structured: u32,
    /// What `enter data` and its like have added.
    pub(crate) dynamic: u32,
    /// The variable's name, for messages.
    pub(crate) name: String,
    /// Where it was entered.
    pub(crate) place: String,
    /// Whether the device's memory is ours to free.
    pub(crate) owned: bool,
    /// Offsets of pointers that hold addresses of the device, how often each was attached, and what the host's holds.
    pub(crate) attached: BTreeMap<usize, (u32, usize)>,
    /// Rows of pointers that overlap, as one: it leaves the device whole, with the last of them.
    pub(crate) joined: bool,
    /// Of what members of a structure stand in: where each begins and ends, and what holds it.
    pub(crate) members: Option<BTreeMap<(usize, usize), Counts>>,
}

/// How often something was entered.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Counts {
    /// By open constructs.
    pub(crate) structured: u32,
    /// By `enter data` and its like.
    pub(crate) dynamic: u32,
}

impl Counts {
    pub(crate) fn enter(&mut self, structured: bool) {
        let counter = if structured { &mut self.structured } else { &mut self.dynamic };
        *counter = counter.saturating_add(1);
    }

    /// How often that was; whether it is there no longer.
    pub(crate) fn exit(&mut self, structured: bool, finalize: bool) -> bool {
        match (structured, finalize) {
            (true, _) => self.structured = self.structured.saturating_sub(1),
            (false, true) => self.dynamic = 0,
            (false, false) => self.dynamic = self.dynamic.saturating_sub(1),
        }
        *self == Self::default()
    }
}

impl Entry {
    /// The member of a structure that is there and has all of `[start, end)`.
    pub(crate) fn member(&self, start: usize, end: usize) -> Option<(usize, usize)> {
        let there = |c: &Counts| *c != Counts::default();
        let members = self.members.iter().flatten();
        members.filter(|(_, c)| there(c)).map(|(&m, _)| m).find(|m| m.0 <= start && end <= m.1)
    }

    /// Whether a member of a structure that is there has some of `[start, end)`.
    pub(crate) fn has_member_in(&self, start: usize, end: usize) -> bool {
        let mut members = self.members.iter().flatten();
        members.any(|(m, c)| *c != Counts::default() && m.0 < end && start < m.1)
    }

    /// Something within it is entered; whether that is a member of a structure that was not there.
    pub(crate) fn hold(&mut self, start: usize, end: usize, structured: bool) -> bool {
        let member = self.member(start, end);
        let counter = if structured { &mut self.structured } else { &mut self.dynamic };
        *counter = counter.saturating_add(1);
        let Some(members) = &mut self.members else { return false };
        members.entry(member.unwrap_or((start, end))).or_default().enter(structured);
        member.is_none()
    }

    /// The opposite: whether it is a member of a structure that leaves now; `None` if nothing here holds it.
    pub(crate) fn release(&mut self, start: usize, end: usize, structured: bool, finalize: bool) -> Option<bool> {
        let member = self.member(start, end);
        if self.members.is_some() && member.is_none() && !structured {
            return None;
        }
        let counts = self.members.as_mut().zip(member).and_then(|(all, m)| all.get_mut(&m));
        if structured {
            self.structured = self.structured.saturating_sub(1);
        } else {
            let all = counts.as_ref().map_or(self.dynamic, |c| c.dynamic);
            // What `acc_map_data` has mapped stays until `acc_unmap_data` (OpenACC 3.4, 3.2.21).
            let least = u32::from(!self.owned);
            self.dynamic = self.dynamic.saturating_sub(if finalize { all } else { all.min(1) }).max(least);
        }
        Some(counts.is_some_and(|c| c.exit(structured, finalize)))
    }
}

/// By the first byte of the host's.
#[derive(Debug, Default)]
pub(crate) struct Table {
    entries: BTreeMap<usize, Entry>,
}

/// One for this machine's processors, and one for each GPU.
static TABLES: [Mutex<Table>; 1 + MAX_GPUS] = [const { Mutex::new(Table { entries: BTreeMap::new() }) }; 1 + MAX_GPUS];

/// The table of the device in use, for this thread alone.
pub(crate) fn table() -> MutexGuard<'static, Table> {
    let n = match device::current(None) {
        Device::Nvidia(n) => 1 + n,
        _ => 0,
    };
    TABLES[n.min(MAX_GPUS)].lock().unwrap_or_else(PoisonError::into_inner)
}

/// What queues will free when they come to it: no entry any more, but still used by what stands before that in the queue. By its
/// address on this machine's device, in the words of messages.
static LEAVING: Mutex<BTreeMap<usize, String>> = Mutex::new(BTreeMap::new());

fn words(start: usize, e: &Entry) -> String {
    format!("name={} size:{} entered at {}", e.name, e.end - start, e.place)
}

/// A queue will free what an entry was; whoever has freed it says so by [`left`].
pub(crate) fn leaves(start: usize, e: &Entry) {
    LEAVING.lock().unwrap_or_else(PoisonError::into_inner).insert(e.device, words(start, e));
}

/// It is free now.
pub(crate) fn left(device: usize) {
    LEAVING.lock().unwrap_or_else(PoisonError::into_inner).remove(&device);
}

/// How often another thread is waited for that changes the table, a millisecond each time: it may be waiting for the one that asks.
const MOST_WAITS: u32 = 200;

/// What this machine's device has at an address, in the words of messages: name, size and where it was entered. Nothing if another
/// thread goes on changing the table.
pub(crate) fn named(device: usize) -> Option<String> {
    let t = patiently(&TABLES[0])?;
    let held = t.all().find(|(_, e)| e.device == device).map(|(start, e)| words(start, e));
    held.or_else(|| patiently(&LEAVING)?.get(&device).cloned())
}

/// A lock that is waited for, but not for good.
fn patiently<T>(of: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    for _ in 0..MOST_WAITS {
        match of.try_lock() {
            Ok(guard) => return Some(guard),
            Err(TryLockError::Poisoned(e)) => return Some(e.into_inner()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
        }
    }
    None
}

/// What a look for a range finds.
pub(crate) enum Found {
    /// All of it, in the entry that begins here.
    All(usize),
    /// A part; the entry that begins here has it.
    Part(usize),
    /// Nothing.
    None,
}

impl Table {
    pub(crate) fn get(&mut self, start: usize) -> Option<&mut Entry> {
        self.entries.get_mut(&start)
    }

    /// All entries, by where they begin on the host.
    pub(crate) fn all(&self) -> impl Iterator<Item = (usize, &Entry)> {
        self.entries.iter().map(|(&s, e)| (s, e))
    }

    /// Whether `[start, end)` stands in the memory of a structure's members, and is none that is there.
    pub(crate) fn has_left(&self, start: usize, end: usize) -> bool {
        let found = self.containing(start).filter(|(_, e)| e.members.is_some());
        found.is_some_and(|(key, e)| e.member(start, end).is_none() && !e.attached.contains_key(&(start - key)))
    }

    /// Looks for `[start, end)`.
    pub(crate) fn find(&self, start: usize, end: usize) -> Found {
        if let Some((&s, e)) = self.entries.range(..=start).next_back() {
            if start >= s && (end <= e.end && (start < e.end || start == s)) {
                return Found::All(s);
            }
            if start < e.end {
                return Found::Part(s);
            }
        }
        match self.entries.range(start..end.max(start)).next() {
            Some((&s, _)) => Found::Part(s),
            None => Found::None,
        }
    }

    /// The entry that has an address.
    pub(crate) fn containing(&self, at: usize) -> Option<(usize, &Entry)> {
        let (&s, e) = self.entries.range(..=at).next_back()?;
        (at < e.end || at == s).then_some((s, e))
    }

    /// The entry of a section of what a pointer with this value points to.
    pub(crate) fn with_base(&self, base: usize) -> Option<(usize, &Entry)> {
        let found = self.entries.range(base..).find(|(_, e)| e.base == base).map(|(&s, e)| (s, e));
        found.or_else(|| self.entries.iter().find(|(_, e)| e.base == base).map(|(&s, e)| (s, e)))
    }

    /// The first entry that is a part of `[start, end)`.
    pub(crate) fn within(&self, start: usize, end: usize) -> Option<(usize, &Entry)> {
        let (&s, e) = self.entries.range(start..end.max(start)).next()?;
        (e.end <= end).then_some((s, e))
    }

    /// The device's address of the host's `at`.
    pub(crate) fn translate(&self, at: usize) -> Option<usize> {
        let (s, e) = self.containing(at)?;
        Some(e.device + (at - s))
    }

    /// The host's address of the device's `at`.
    pub(crate) fn back(&self, at: usize) -> Option<usize> {
        let found = self.entries.iter().find(|(s, e)| at >= e.device && at - e.device < e.end - **s);
        found.map(|(s, e)| s + (at - e.device))
    }

    /// The entry, and where it begins, whose copy has some of these bytes of the device.
    pub(crate) fn of_device(&self, at: usize, bytes: usize) -> Option<(usize, Entry)> {
        let shares = |s: usize, e: &Entry| at < e.device + (e.end - s) && e.device < at.saturating_add(bytes);
        self.all().find(|(s, e)| shares(*s, e)).map(|(s, e)| (s, e.clone()))
    }

    pub(crate) fn insert(&mut self, start: usize, entry: Entry) {
        self.entries.insert(start, entry);
    }

    /// Takes an entry out.
    pub(crate) fn take(&mut self, start: usize) -> Option<Entry> {
        self.entries.remove(&start)
    }

    /// Forgets everything and frees its memory.
    pub(crate) fn clear(&mut self) {
        for e in std::mem::take(&mut self.entries).into_values().filter(|e| e.owned) {
            memory::free(e.device);
        }
    }

    /// Every entry, for messages.
    pub(crate) fn dump(&self) -> String {
        let mut out = String::from("Present table dump:");
        for (s, e) in &self.entries {
            out.push_str(&format!(
                "\n  host:{s:#x} device:{:#x} size:{} presentcount:{}+{} name:{} entered:{}",
                e.device,
                e.end - s,
                e.structured,
                e.dynamic,
                e.name,
                e.place
            ));
        }
        out
    }

    /// Ends the program: a range is present in part.
    pub(crate) fn partly(&self, site: Option<&Site>, name: &str, start: usize, end: usize, other: usize) -> ! {
        let e = &self.entries[&other];
        let message = format!(
            "variable in data clause is partially present on the device: name={name} host:{start:#x} size:{} overlaps name={} host:{other:#x} size:{} entered at {}\n{}",
            end - start,
            e.name,
            e.end - other,
            e.place,
            self.dump()
        );
        fatal(site, &message)
    }

    /// Ends the program: a function of the library was called for an entry that it is not for.
    pub(crate) fn misused(&self, what: &str, start: usize, e: &Entry) -> ! {
        let bytes = e.end - start;
        let message = format!(
            "{what} name={} host:{start:#x} device:{:#x} size:{bytes} entered at {}\n{}",
            e.name,
            e.device,
            e.place,
            self.dump()
        );
        fatal(None, &message)
    }

    /// Ends the program: a range is not present.
    pub(crate) fn absent(&self, site: Option<&Site>, name: &str, start: usize, size: usize) -> ! {
        let message = format!(
            "data in PRESENT clause was not found on the device: name={name} host:{start:#x} size:{size}\n{}",
            self.dump()
        );
        fatal(site, &message)
    }
}

#[cfg(test)]
mod tests {
    use super::{LEAVING, TABLES, left, named};
    use std::sync::PoisonError;
    use std::time::Duration;

    /// A kernel that left its array was told about "private or reduced data" where the program's thread was changing the table.
    #[test]
    fn names_were_unknown_while_another_thread_changed_the_table() {
        let device = 0x7001_0000;
        LEAVING.lock().unwrap_or_else(PoisonError::into_inner).insert(device, "name=a".into());
        let (held, is_held) = std::sync::mpsc::channel();
        let other = std::thread::spawn(move || {
            let _table = TABLES[0].lock().unwrap_or_else(PoisonError::into_inner);
            held.send(()).unwrap();
            std::thread::sleep(Duration::from_millis(20));
        });
        is_held.recv().unwrap();
        assert_eq!(named(device).as_deref(), Some("name=a"));
        other.join().unwrap();
        left(device);
        assert_eq!(named(device), None);
    }
}
