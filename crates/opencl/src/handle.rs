//! Handles: what the API's `cl_context`, `cl_mem` and so on point to.
//!
//! A handle is the address of a slot in a [`Pool`], of which there is one for each kind of object. Slots begin as the
//! loader wants objects to begin: with the address of the dispatch table. They are never given back to the system, so that
//! the loader, which reads the table before we can check anything, reads memory even of a handle that was released; and a
//! slot is used again only after [`QUARANTINE`] others have been released, so that a released handle is told as such.
//!
//! What must hold: a slot is filled exactly as long as its object lives. An object holds its [`Handle`], which empties
//! the slot when it is dropped. The slot holds the object strongly as long as the program that uses the API has references
//! to it, and weakly as long as other objects do: a kernel keeps its program, and may be asked for it.
//!
//! Cost: a look-up takes an uncontended lock of the slot and a reference count.

use crate::dispatch::{DISPATCH, Dispatch};
use crate::status::{Result, Status};
use std::collections::VecDeque;
use std::ffi::c_void;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// Released slots that wait before one of them is used again.
const QUARANTINE: usize = 4096;

/// Slots of the first chunk of a pool; each further chunk has twice as many.
const FIRST_CHUNK: usize = 256;

/// Most chunks of a pool: over 2^28 objects of a kind at a time.
const CHUNKS: usize = 20;

/// A kind of object of the API.
pub trait Object: Send + Sync + Sized + 'static {
    /// What is answered to a handle that is none of this kind.
    const INVALID: Status;

    /// Where the objects of this kind are.
    fn pool() -> &'static Pool<Self>;

    /// The object's own handle.
    fn handle(&self) -> &Handle<Self>;
}

/// What a handle points to. The first two words are the loader's: `cl_khr_icd` 1 reads the first, 2 both.
#[repr(C)]
struct Slot<T> {
    dispatch: *const Dispatch,
    loader_data: AtomicPtr<c_void>,
    state: Mutex<State<T>>,
}

// SAFETY: the table that `dispatch` points to is immutable and static.
unsafe impl<T: Send + Sync> Send for Slot<T> {}
// SAFETY: likewise; the rest is a mutex.
unsafe impl<T: Send + Sync> Sync for Slot<T> {}

struct State<T> {
    /// References that the user of the API has.
    references: u32,
    /// The object, while there are such references.
    owned: Option<Arc<T>>,
    /// The object, while anybody has it.
    object: Weak<T>,
}

/// The objects of one kind.
pub struct Pool<T: 'static> {
    chunks: [AtomicPtr<Slot<T>>; CHUNKS],
    /// Slots that were ever in use; those beyond are fresh.
    used: AtomicUsize,
    /// Empty slots, the longest empty first.
    free: Mutex<VecDeque<&'static Slot<T>>>,
}

/// An object's hold of its slot.
pub struct Handle<T: Object> {
    slot: &'static Slot<T>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The data that a loader of version 2 gave us for our handles.
static LOADER_DATA: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

/// Remembers the loader's data for objects to come.
pub(crate) fn set_loader_data(data: *mut c_void) {
    LOADER_DATA.store(data, Ordering::Release);
}

impl<T: Object> Handle<T> {
    /// The handle as the API passes it.
    pub fn raw(&self) -> *mut c_void {
        std::ptr::from_ref(self.slot).cast_mut().cast()
    }

    /// How many references the user of the API has.
    pub fn references(&self) -> u32 {
        lock(&self.slot.state).references
    }

    /// Sets the loader's data of this object.
    pub(crate) fn set_loader_data(&self, data: *mut c_void) {
        self.slot.loader_data.store(data, Ordering::Release);
    }
}

impl<T: Object> Drop for Handle<T> {
    fn drop(&mut self) {
        lock(&T::pool().free).push_back(self.slot);
    }
}

/// First slot of a chunk, and how many slots it has.
const fn chunk_place(chunk: usize) -> (usize, usize) {
    (FIRST_CHUNK * ((1 << chunk) - 1), FIRST_CHUNK << chunk)
}

impl<T: Object> Pool<T> {
    /// A pool without objects.
    pub const fn new() -> Self {
        Self {
            chunks: [const { AtomicPtr::new(std::ptr::null_mut()) }; CHUNKS],
            used: AtomicUsize::new(0),
            free: Mutex::new(VecDeque::new()),
        }
    }

    /// Makes an object that knows its handle; the caller's reference is the API's first.
    ///
    /// # Errors
    /// There are too many objects.
    pub fn insert(&self, make: impl FnOnce(Handle<T>) -> T) -> Result<Arc<T>> {
        let slot = self.empty_slot()?;
        slot.loader_data.store(LOADER_DATA.load(Ordering::Acquire), Ordering::Release);
        let object = Arc::new(make(Handle { slot }));
        *lock(&slot.state) = State { references: 1, owned: Some(Arc::clone(&object)), object: Arc::downgrade(&object) };
        Ok(object)
    }

    /// The object of a handle.
    ///
    /// # Errors
    /// [`Object::INVALID`]: the handle is null, of another kind, released, or no handle at all.
    pub fn get(&self, raw: *mut c_void) -> Result<Arc<T>> {
        let slot = self.slot(raw).ok_or(T::INVALID)?;
        let state = lock(&slot.state);
        state.owned.clone().or_else(|| state.object.upgrade()).ok_or(T::INVALID)
    }

    /// Adds a reference of the API's user.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub fn retain(&self, raw: *mut c_void) -> Result {
        let slot = self.slot(raw).ok_or(T::INVALID)?;
        let mut state = lock(&slot.state);
        if state.owned.is_none() {
            state.owned = Some(state.object.upgrade().ok_or(T::INVALID)?);
        }
        state.references = state.references.saturating_add(1);
        Ok(())
    }

    /// Takes away a reference of the API's user; the object goes with the last, unless other objects need it.
    ///
    /// # Errors
    /// As [`get`](Self::get); also where only other objects still hold it.
    pub fn release(&self, raw: *mut c_void) -> Result {
        let slot = self.slot(raw).ok_or(T::INVALID)?;
        let last = {
            let mut state = lock(&slot.state);
            if state.references == 0 {
                return Err(T::INVALID);
            }
            state.references -= 1;
            if state.references == 0 { state.owned.take() } else { None }
        };
        // Not under the lock: what it drops may be other objects, and callbacks may be called.
        drop(last);
        Ok(())
    }

    /// How many objects there are, those that only other objects hold among them.
    pub fn live(&self) -> usize {
        let free = lock(&self.free);
        self.used.load(Ordering::Acquire) - free.len()
    }

    /// The slot of a handle, if it is one of this pool's.
    fn slot(&self, raw: *mut c_void) -> Option<&'static Slot<T>> {
        let size = size_of::<Slot<T>>();
        let used = self.used.load(Ordering::Acquire);
        for (n, chunk) in self.chunks.iter().enumerate() {
            let start = chunk.load(Ordering::Acquire);
            if start.is_null() {
                return None;
            }
            let (first, count) = chunk_place(n);
            let offset = (raw as usize).wrapping_sub(start as usize);
            if offset < count * size {
                let index = offset / size;
                let whole = offset.is_multiple_of(size) && first + index < used;
                // SAFETY: chunks are never freed, and the index is within this one.
                return whole.then(|| unsafe { &*start.add(index) });
            }
        }
        None
    }

    fn empty_slot(&self) -> Result<&'static Slot<T>> {
        let mut free = lock(&self.free);
        if free.len() > QUARANTINE
            && let Some(slot) = free.pop_front()
        {
            return Ok(slot);
        }
        // Under the lock of `free`: nobody else takes fresh slots meanwhile.
        let index = self.used.load(Ordering::Relaxed);
        let chunk = (index / FIRST_CHUNK + 1).ilog2() as usize;
        let place = self.chunks.get(chunk).ok_or(Status::OUT_OF_HOST_MEMORY)?;
        let (first, count) = chunk_place(chunk);
        let mut start = place.load(Ordering::Acquire);
        if start.is_null() {
            start = Box::leak((0..count).map(|_| Slot::empty()).collect::<Box<[_]>>()).as_mut_ptr();
            place.store(start, Ordering::Release);
        }
        self.used.store(index + 1, Ordering::Release);
        // SAFETY: the chunk has so many slots and is never freed.
        Ok(unsafe { &*start.add(index - first) })
    }
}

impl<T: Object> Default for Pool<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Slot<T> {
    fn empty() -> Self {
        Self {
            dispatch: &raw const DISPATCH,
            loader_data: AtomicPtr::default(),
            state: Mutex::new(State { references: 0, owned: None, object: Weak::new() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Thing {
        handle: Handle<Self>,
        number: usize,
    }

    impl Object for Thing {
        const INVALID: Status = Status::INVALID_VALUE;
        fn pool() -> &'static Pool<Self> {
            static POOL: Pool<Thing> = Pool::new();
            &POOL
        }
        fn handle(&self) -> &Handle<Self> {
            &self.handle
        }
    }

    fn make(number: usize) -> *mut c_void {
        Thing::pool().insert(|handle| Thing { handle, number }).expect("room").handle().raw()
    }

    #[test]
    fn handles_are_told_from_what_is_none() {
        let pool = Thing::pool();
        let raw = make(7);
        assert_eq!(pool.get(raw).map(|t| t.number).ok(), Some(7));
        for wrong in [std::ptr::null_mut(), raw.wrapping_byte_add(8), std::ptr::dangling_mut::<u64>().cast()] {
            assert_eq!(pool.get(wrong).err(), Some(Status::INVALID_VALUE), "{wrong:?}");
            assert_eq!(pool.release(wrong), Err(Status::INVALID_VALUE));
        }
        pool.retain(raw).expect("alive");
        assert_eq!(pool.get(raw).map(|t| t.handle().references()).ok(), Some(2));
        pool.release(raw).expect("one left");
        let kept = pool.get(raw).expect("alive");
        pool.release(raw).expect("the last");
        assert_eq!(pool.release(raw), Err(Status::INVALID_VALUE), "the user has none left");
        assert!(pool.get(raw).is_ok(), "another object holds it");
        drop(kept);
        assert_eq!(pool.get(raw).err(), Some(Status::INVALID_VALUE));
        assert_eq!(pool.retain(raw), Err(Status::INVALID_VALUE));
    }

    #[test]
    fn released_handles_stay_invalid_while_others_come_and_go() {
        let pool = Thing::pool();
        let old = make(0);
        pool.release(old).expect("there");
        for n in 0..1000 {
            let raw = make(n);
            assert_eq!(pool.get(old).err(), Some(Status::INVALID_VALUE));
            pool.release(raw).expect("there");
        }
        let many: Vec<_> = (0..5000).map(make).collect();
        for (n, &raw) in many.iter().enumerate() {
            assert_eq!(pool.get(raw).map(|t| t.number).ok(), Some(n));
        }
        many.into_iter().for_each(|raw| pool.release(raw).expect("there"));
    }
}
