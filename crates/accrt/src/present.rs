//! Items of data clauses into the present table and out of it, with the transfers that they ask for.
//!
//! The table changes at once, in the order of the program. What touches memory of the device goes to a [`Stream`]: now, or when
//! the queue comes to it.

use crate::fatal::{fatal, text};
use crate::interface::{
    ALWAYS_IN, ALWAYS_OUT, ATTACH, COPY, COPYIN, COPYOUT, CREATE, DELETE, DETACH, DEVICEPTR, EXIT_COPYOUT, FINALIZE,
    HELD, IF_PRESENT, IMPLICIT, Item, MEMBERS, NO_CREATE, PRESENT, Site, UPDATE_HOST, VISIBLE, ZERO, dims,
};
use crate::managed;
use crate::memory;
use crate::queue::Stream;
use crate::section::{Dim, Stretch, overlapping, stretches, to_device, to_host};
use crate::table::{self, Entry, Found, Table};
use crate::trace::{self, Transfer};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// For whom something is done, and where to.
#[derive(Clone, Copy)]
pub(crate) struct Doing {
    /// The construct; none for calls of the program.
    pub(crate) site: Option<&'static Site>,
    /// Where it goes.
    pub(crate) stream: Stream,
}

fn place(site: &Site) -> String {
    format!("{}:{} ({})", text(site.file), site.line, text(site.function))
}

impl Doing {
    fn trace<'a>(&self, item: &'a Item, bytes: usize, host: usize, device: usize) -> Transfer<'a> {
        let implicit = item.flags & IMPLICIT != 0;
        Transfer {
            site: self.site,
            name: item.name,
            marker: std::marker::PhantomData,
            bytes,
            host,
            device,
            implicit,
            stream: self.stream,
        }
    }

    /// Copies to the device.
    fn upload(&self, item: &Item, s: &Stretch, device: usize) {
        let t = self.trace(item, s.bytes(), s.start, device);
        let timer = trace::transfer_start(&t, true);
        let s = s.clone();
        self.stream.put(move || timer.time(|| to_device(&s, device)));
        trace::transfer_end(&t, true);
    }

    /// Copies from the device; `stays` are places of the host's pointers that the device has its own of.
    fn download(&self, item: &Item, s: &Stretch, device: usize, stays: Vec<usize>) {
        let t = self.trace(item, s.bytes(), s.start, device);
        let timer = trace::transfer_start(&t, false);
        let s = s.clone();
        self.stream.put(move || timer.time(|| to_host(&s, device, &stays)));
        trace::transfer_end(&t, false);
    }

    /// Writes a pointer on the device.
    fn poke(&self, at: usize, value: usize) {
        // SAFETY: within the device's copy of an entry.
        self.stream.put(move || unsafe { memory::poke(at, value) });
    }

    fn free(&self, item: &Item, start: usize, e: &Entry) {
        let t = self.trace(item, e.end - start, start, e.device);
        trace::memory_gone(&t, e.owned);
        if e.owned {
            let device = e.device;
            let later = self.stream.is_queue();
            if later {
                table::leaves(start, e);
            }
            self.stream.put(move || {
                if later {
                    table::left(device);
                }
                memory::free(device);
            });
        }
    }
}

/// The places of pointers in an entry that hold the device's addresses.
pub(crate) fn attached(e: &Entry, start: usize) -> Vec<usize> {
    e.attached.keys().map(|o| start + o).collect()
}

/// Larger structures come member by member only, in bytes.
const MAX_WHOLE: usize = 1 << 20;

/// How items of a kind enter.
struct Enter {
    zero: bool,
    copy: bool,
    always: bool,
    structured: bool,
}

/// Whether the entry `key` is a section of what a construct uses without naming it, or members of a structure that it uses, and is
/// there by a clause around: then that is all the construct wants.
fn is_of_clause_around(t: &mut Table, item: &Item, s: &Stretch, base: usize, key: usize) -> bool {
    let within = |e: &Entry| e.base == base || key >= s.start && e.end <= s.end;
    item.flags & (IMPLICIT | VISIBLE) == IMPLICIT | VISIBLE && t.get(key).is_some_and(|e| within(e))
}

fn enter_stretch(t: &mut Table, d: Doing, item: &Item, how: &Enter, s: &Stretch, base: usize, pointers: bool) {
    if managed::is_shared(s.start) {
        return;
    }
    let key = match t.find(s.start, s.end) {
        // A structure of which members are there, as a whole.
        Found::All(key)
            if t.get(key).is_some_and(|e| e.member(s.start, s.end).is_none() && e.has_member_in(s.start, s.end)) =>
        {
            if item.flags & (IMPLICIT | VISIBLE) != IMPLICIT | VISIBLE {
                t.partly(d.site, &text(item.name), s.start, s.end, key);
            }
            if let Some(e) = t.get(key) {
                e.structured = e.structured.saturating_add(1);
            }
            return;
        }
        Found::All(key) => key,
        Found::Part(other) if is_of_clause_around(t, item, s, base, other) => {
            if let Some(e) = t.get(other) {
                e.structured = e.structured.saturating_add(1);
            }
            return;
        }
        Found::Part(other) => t.partly(d.site, &text(item.name), s.start, s.end, other),
        Found::None => {
            let bytes = s.end - s.start;
            let device = memory::allocate(bytes);
            if device == 0 {
                fatal(d.site, &format!("no memory on the device for name={} size:{bytes}", text(item.name)));
            }
            trace::memory_made(&d.trace(item, bytes, s.start, device));
            if how.zero {
                // SAFETY: just allocated.
                d.stream.put(move || unsafe { memory::clear(device, bytes) });
            }
            // What kernels use of a structure beside the members that are named has the value that it has now.
            let is_small = item.flags & MEMBERS == 0 || bytes <= MAX_WHOLE;
            if (how.copy || pointers) && is_small {
                d.upload(item, s, device);
            }
            let entry = Entry {
                end: s.end,
                device,
                base,
                structured: 0,
                dynamic: 0,
                name: text(item.name),
                place: d.site.map_or_else(|| "the program".to_owned(), place),
                owned: true,
                attached: BTreeMap::new(),
                joined: false,
                members: (item.flags & MEMBERS != 0).then(BTreeMap::new),
            };
            t.insert(s.start, entry);
            s.start
        }
    };
    let Some(e) = t.get(key).filter(|_| item.flags & MEMBERS == 0) else { return };
    let fresh = if how.structured { e.structured == 0 } else { e.dynamic == 0 };
    let is_new = e.hold(s.start, s.end, how.structured);
    let device = e.device + (s.start - key);
    if how.zero && is_new {
        let bytes = s.end - s.start;
        // SAFETY: within the device's copy of the entry.
        d.stream.put(move || unsafe { memory::clear(device, bytes) });
    }
    // Its structure's memory may have come before the value that is meant.
    if how.copy && is_new {
        d.upload(item, s, device);
    }
    if how.always && how.copy && !(fresh && e.structured + e.dynamic == 1) {
        d.upload(item, s, device);
    }
}

/// Enters rows that overlap as one stretch, where no clause names them: which of them the program would bring is not said, and one
/// after another they would be present in part.
fn join_rows(t: &mut Table, d: Doing, item: &Item, how: &Enter, section: &[Dim]) {
    let mut rows = Vec::new();
    stretches(item.base as usize, section, None, &mut |s, base, _, pointers| {
        if !pointers && s.start < s.end {
            rows.push((s.start, s.end, base));
        }
    });
    rows.sort_unstable();
    let mut rows = rows.into_iter().peekable();
    while let Some((start, mut end, base)) = rows.next() {
        let first = end;
        while let Some((_, next, _)) = rows.next_if(|r| r.0 < end) {
            end = end.max(next);
        }
        if end == first || !matches!(t.find(start, end), Found::None) {
            continue;
        }
        enter_stretch(t, d, item, how, &Stretch { start, end, outer: Vec::new(), row: end - start }, base, false);
        if let Some(e) = t.get(start) {
            // Each row counts for itself.
            e.structured = e.structured.saturating_sub(1);
            e.joined = true;
        }
    }
}

/// Makes the device's copy of the pointer at `slot` point to the device's copy of what it points to.
pub(crate) fn attach(t: &mut Table, d: Doing, slot: usize, count: bool) {
    // SAFETY: a pointer variable of the program.
    let value = unsafe { *(slot as *const usize) };
    let target = match managed::is_shared(value) {
        true => Some(value),
        false => {
            t.translate(value).or_else(|| t.with_base(value).map(|(s, e)| e.device.wrapping_sub(s.wrapping_sub(value))))
        }
    };
    let Some(target) = target.filter(|_| value != 0) else { return };
    let Some((key, _)) = t.containing(slot) else { return };
    let Some(e) = t.get(key) else { return };
    if slot + 8 > e.end {
        return;
    }
    let n = e.attached.entry(slot - key).or_insert((0, value));
    n.1 = value;
    if count || n.0 == 0 {
        n.0 = n.0.saturating_add(1);
    }
    d.poke(e.device + slot - key, target);
}

/// The opposite of [`attach`].
pub(crate) fn detach(t: &mut Table, d: Doing, slot: usize, finalize: bool) {
    let Some((key, _)) = t.containing(slot) else { return };
    let Some(e) = t.get(key) else { return };
    let Some(n) = e.attached.get_mut(&(slot - key)) else { return };
    n.0 = if finalize { 0 } else { n.0.saturating_sub(1) };
    if n.0 == 0 {
        let value = n.1;
        e.attached.remove(&(slot - key));
        d.poke(e.device + slot - key, value);
    }
}

/// Ends programs whose section has rows that are longer than those of the array.
pub(crate) fn must_fit(d: Doing, item: &Item, section: &[Dim]) {
    if let Some((n, lower, end, extent)) = overlapping(section) {
        let bytes = section[n - 1].stride;
        let message = format!(
            "the section name={} does not fit its array: dimension {n} has elements {lower} to {}, {} bytes, and a row has 0 to {}, {} bytes",
            text(item.name),
            end - 1,
            (end - lower) * bytes,
            extent - 1,
            extent * bytes
        );
        fatal(d.site, &message);
    }
}

/// One item on the way in.
pub(crate) fn enter_item(t: &mut Table, d: Doing, item: &mut Item, structured: bool) {
    let section = dims(item);
    must_fit(d, item, &section);
    let slot = (!item.pointer.is_null()).then_some(item.pointer as usize);
    match item.kind {
        DEVICEPTR | DETACH | DELETE | EXIT_COPYOUT => {}
        // A pointer to memory of the device that no clause of the construct names: `deviceptr` of one around.
        _ if item.flags & IMPLICIT != 0 && memory::is_device(item.base as usize) => {}
        ATTACH => slot.into_iter().for_each(|slot| attach(t, d, slot, true)),
        NO_CREATE | PRESENT => {
            let (mut held, mut slots) = (true, Vec::new());
            stretches(item.base as usize, &section, slot, &mut |s, b, slot, _| {
                slots.extend(slot);
                if managed::is_shared(s.start) {
                    return;
                }
                let found = match t.find(s.start, s.end) {
                    Found::All(key) => Some(key),
                    Found::Part(other) if is_of_clause_around(t, item, s, b, other) => Some(other),
                    Found::Part(other) if item.kind == PRESENT => {
                        t.partly(d.site, &text(item.name), s.start, s.end, other)
                    }
                    _ => t.with_base(b).map(|(key, _)| key).filter(|_| s.start == s.end),
                };
                let found = found.filter(|_| !t.has_left(s.start, s.end));
                match found.and_then(|key| t.get(key)) {
                    Some(e) => _ = e.hold(s.start, s.end, true),
                    None if item.kind == PRESENT && b != 0 => {
                        t.absent(d.site, &text(item.name), s.start, s.end - s.start)
                    }
                    None => held = false,
                }
            });
            if held {
                item.flags |= HELD;
                // As often as the end of the construct detaches them.
                slots.into_iter().for_each(|slot| attach(t, d, slot, true));
            }
        }
        // The memory of members that follow, unless some of it is there: then each stands for itself.
        _ if item.flags & MEMBERS != 0 => {
            let how = Enter { zero: false, copy: true, always: false, structured };
            stretches(item.base as usize, &section, None, &mut |s, base, _, _| {
                if matches!(t.find(s.start, s.end), Found::None) {
                    enter_stretch(t, d, item, &how, s, base, false);
                }
            });
        }
        // What a pointer points to, without a section: what is there is meant. If nothing is, nobody knows how much there would be.
        COPY | COPYIN | COPYOUT | CREATE if !item.base.is_null() && item.ndims <= 0 && item.bytes == 0 => {
            let base = item.base as usize;
            let key = match t.find(base, base) {
                Found::All(key) => Some(key),
                _ => t.with_base(base).map(|(key, _)| key),
            };
            let Some(e) = key.and_then(|key| t.get(key)) else { return };
            let counter = if structured { &mut e.structured } else { &mut e.dynamic };
            *counter = counter.saturating_add(1);
            slot.into_iter().for_each(|slot| attach(t, d, slot, true));
            item.flags |= HELD;
        }
        COPY | COPYIN | COPYOUT | CREATE if !item.base.is_null() => {
            let how = Enter {
                zero: item.flags & ZERO != 0,
                copy: matches!(item.kind, COPY | COPYIN),
                always: item.flags & ALWAYS_IN != 0,
                structured,
            };
            if item.flags & IMPLICIT != 0 && section.iter().skip(1).any(|d| d.pointer) {
                join_rows(t, d, item, &how, &section);
            }
            stretches(item.base as usize, &section, slot, &mut |s, base, slot, pointers| {
                enter_stretch(t, d, item, &how, s, base, pointers);
                slot.into_iter().for_each(|slot| attach(t, d, slot, true));
            });
            item.flags |= HELD;
        }
        _ => {}
    }
}

/// One item on the way out.
pub(crate) fn exit_item(t: &mut Table, d: Doing, item: &Item, structured: bool) {
    let section = dims(item);
    let slot = (!item.pointer.is_null()).then_some(item.pointer as usize);
    let finalize = item.flags & FINALIZE != 0;
    match item.kind {
        DETACH | ATTACH => return slot.into_iter().for_each(|slot| detach(t, d, slot, finalize)),
        DEVICEPTR => return,
        _ if structured && item.flags & HELD == 0 => return,
        _ => {}
    }
    let out = matches!(item.kind, COPY | COPYOUT | EXIT_COPYOUT);
    let mut all = Vec::new();
    stretches(item.base as usize, &section, slot, &mut |s, base, slot, pointers| {
        all.push((s.clone(), base, slot, pointers));
    });
    // What is pointed to before the pointers.
    for (mut s, base, slot, pointers) in all.into_iter().rev() {
        if managed::is_shared(s.start) {
            slot.into_iter().for_each(|slot| detach(t, d, slot, finalize));
            continue;
        }
        let found = match t.find(s.start, s.end) {
            Found::All(key) | Found::Part(key) => Some(key),
            Found::None => t.with_base(base).map(|(key, _)| key).filter(|_| s.start == s.end),
        };
        let Some(key) = found else { continue };
        slot.into_iter().for_each(|slot| detach(t, d, slot, finalize));
        let Some(e) = t.get(key) else { continue };
        let Some(left) = e.release(s.start, s.end, structured, finalize) else { continue };
        let gone = e.structured == 0 && e.dynamic == 0;
        if gone && !d.stream.is_queue() {
            // Queues may use what is freed now; drivers of GPUs wait there, too.
            Stream::NOW.wait_for_all();
        }
        // A pointer without a section: all that is there.
        let alone = item.ndims <= 0 && item.bytes == 0;
        if (e.joined || alone) && gone {
            s = Stretch { start: key, end: e.end, outer: Vec::new(), row: e.end - key };
        }
        if out && !pointers && (gone || left || item.flags & ALWAYS_OUT != 0) && s.start >= key {
            if s.end > e.end {
                t.partly(d.site, &text(item.name), s.start, s.end, key);
            }
            let stays = attached(e, key);
            d.download(item, &s, e.device + (s.start - key), stays);
        }
        if gone && let Some(e) = t.take(key) {
            d.free(item, key, &e);
        }
    }
}

/// One item of `update`.
pub(crate) fn update(t: &mut Table, d: Doing, item: &Item) {
    let mut all = Vec::new();
    let section = dims(item);
    must_fit(d, item, &section);
    stretches(item.base as usize, &section, None, &mut |s, base, _, pointers| {
        all.push((s.clone(), base, pointers));
    });
    for (mut s, base, pointers) in all {
        if pointers || managed::is_shared(s.start) {
            continue;
        }
        if s.start == s.end
            && let Some((key, e)) = t.with_base(base)
        {
            // A pointer without a section: all of what is there.
            s = Stretch { start: key, end: e.end, outer: Vec::new(), row: e.end - key };
        }
        match t.find(s.start, s.end) {
            Found::All(key) => {
                let Some(e) = t.get(key) else { continue };
                let (device, stays) = (e.device + (s.start - key), attached(e, key));
                if item.kind == UPDATE_HOST {
                    d.download(item, &s, device, stays);
                } else {
                    d.upload(item, &s, device);
                    for slot in stays.into_iter().filter(|p| *p >= s.start && *p < s.end) {
                        attach(t, d, slot, false);
                    }
                }
            }
            Found::Part(other) => t.partly(d.site, &text(item.name), s.start, s.end, other),
            Found::None if item.flags & IF_PRESENT != 0 => {}
            Found::None => t.absent(d.site, &text(item.name), s.start, s.end - s.start),
        }
    }
}

/// The host's memory, as it was before a region on the host had the device's values there: where it begins, and its bytes.
type Saved = Vec<(usize, Vec<u8>)>;

thread_local! {
    /// One for each region that this thread is in.
    static SAVED: RefCell<Vec<Saved>> = const { RefCell::new(Vec::new()) };
}

/// Brings the device's values of what a region touches to the host, which runs it. With `all` that is everything that is present:
/// the region calls functions of which nobody here knows what they use.
pub(crate) fn borrow(t: &mut Table, d: Doing, items: &[Item], all: bool) {
    let keys = mirrored(t, items, all);
    let save = |&(start, end): &(usize, usize)| {
        // SAFETY: the host's memory of what is present is the program's, and there.
        (start, unsafe { std::slice::from_raw_parts(start as *const u8, end - start) }.to_vec())
    };
    SAVED.with_borrow_mut(|s| s.push(keys.iter().map(save).collect()));
    for (start, end) in keys {
        let Some((device, stays)) = t.get(start).map(|e| (e.device, attached(e, start))) else { continue };
        d.download(&Item::unnamed(), &whole(start, end), device, stays);
    }
}

/// Gives the device what the region has made of its values, and the host what it had.
pub(crate) fn give_back(t: &mut Table, d: Doing) {
    for (start, bytes) in SAVED.with_borrow_mut(Vec::pop).unwrap_or_default() {
        let Some((end, device, stays)) = t.get(start).map(|e| (e.end, e.device, attached(e, start))) else { continue };
        d.upload(&Item::unnamed(), &whole(start, end), device);
        stays.into_iter().for_each(|slot| attach(t, d, slot, false));
        // SAFETY: as before; regions on the host are in no queue, so that the transfer is done.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), start as *mut u8, bytes.len().min(end - start)) };
    }
}

fn whole(start: usize, end: usize) -> Stretch {
    Stretch { start, end, outer: Vec::new(), row: end - start }
}

/// The entries that items name, or all of them; each once.
fn mirrored(t: &Table, items: &[Item], all: bool) -> Vec<(usize, usize)> {
    let mut keys: Vec<(usize, usize)> = Vec::new();
    if all {
        keys.extend(t.all().map(|(start, e)| (start, e.end)));
    }
    for item in items.iter().filter(|i| !all && !i.base.is_null() && i.kind != DEVICEPTR) {
        stretches(item.base as usize, &dims(item), None, &mut |s, b, _, _| {
            let found = t.containing(s.start).or_else(|| t.with_base(b));
            keys.extend(found.map(|(start, e)| (start, e.end)));
        });
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}
