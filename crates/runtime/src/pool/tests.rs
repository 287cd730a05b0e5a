use super::*;
use std::cell::UnsafeCell;
use std::sync::atomic::AtomicU64;

/// Numbers its cells, which are plain memory: the pool must order what threads write.
struct Cells {
    next: AtomicU64,
    cells: Vec<UnsafeCell<u64>>,
    cost: u32,
}

// SAFETY: each cell is written by the one thread that drew its number, and read when all have left.
unsafe impl Sync for Cells {}

impl Cells {
    fn new(count: usize, cost: u32) -> Self {
        Self { next: AtomicU64::new(0), cells: (0..count).map(|_| UnsafeCell::new(0)).collect(), cost }
    }

    fn go(&self, crowded: &dyn Fn() -> bool) {
        while !crowded() {
            let n = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(cell) = self.cells.get(n as usize) else { return };
            (0..self.cost).for_each(|_| std::hint::spin_loop());
            // SAFETY: as above.
            unsafe { *cell.get() += n + 1 };
        }
    }

    fn check(self) {
        for (n, cell) in self.cells.into_iter().enumerate() {
            assert_eq!(cell.into_inner(), n as u64 + 1);
        }
    }
}

impl Work for Cells {
    fn help(&self, _: usize, crowded: &dyn Fn() -> bool) {
        self.go(crowded);
    }

    fn is_left(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.cells.len() as u64
    }
}

fn launch(pool: &ThreadPool, count: usize, cost: u32, wanted: usize) {
    let cells = Cells::new(count, cost);
    {
        let _caller = pool.enter();
        let slot = Slot::new(&cells);
        let open = pool.open(&slot, wanted);
        cells.go(&|| false);
        drop(open);
    }
    cells.check();
}

#[test]
fn everything_is_done_once_however_many_call() {
    for threads in [1, 2, 4, 9] {
        let pool = ThreadPool::new(threads);
        std::thread::scope(|s| {
            for caller in 0..4usize {
                let pool = &pool;
                s.spawn(move || {
                    for n in 0..200 {
                        launch(pool, (n * 7 + caller) % 40, n as u32 % 200, n % 5);
                    }
                });
            }
        });
        assert_eq!(pool.shared.active.load(Ordering::Relaxed), 0);
        assert!(pool.shared.lock().open.is_empty());
    }
}

#[test]
fn helpers_help() {
    /// Waits in `help` until two threads are there: ends only if a helper comes.
    struct Meet(AtomicUsize);
    impl Work for Meet {
        fn help(&self, _: usize, _: &dyn Fn() -> bool) {
            self.0.fetch_add(1, Ordering::AcqRel);
            while self.0.load(Ordering::Acquire) < 3 {
                std::thread::yield_now();
            }
        }
        fn is_left(&self) -> bool {
            true
        }
    }
    let pool = ThreadPool::new(3);
    for _ in 0..50 {
        let meet = Meet(AtomicUsize::new(0));
        let _caller = pool.enter();
        let slot = Slot::new(&meet);
        let _open = pool.open(&slot, 2);
        meet.help(0, &|| false);
    }
}

#[test]
fn helpers_come_when_a_crowd_has_gone() {
    let pool = ThreadPool::new(2);
    let busy = pool.enter();
    let cells = Cells::new(1 << 16, 0);
    let caller = pool.enter();
    let slot = Slot::new(&cells);
    let open = pool.open(&slot, 1);
    assert_eq!(slot.joined.load(Ordering::Relaxed), 0);
    drop(busy);
    while slot.work.is_left() {
        std::thread::yield_now();
    }
    drop(open);
    drop(caller);
    cells.check();
}

#[test]
fn a_panic_of_a_helper_is_the_callers() {
    struct Panics;
    impl Work for Panics {
        fn help(&self, _: usize, _: &dyn Fn() -> bool) {
            panic!("as asked");
        }
        fn is_left(&self) -> bool {
            true
        }
    }
    let pool = ThreadPool::new(2);
    let result = catch_unwind(AssertUnwindSafe(|| {
        let _caller = pool.enter();
        let slot = Slot::new(&Panics);
        let open = pool.open(&slot, 1);
        while !slot.panicked.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        drop(open);
    }));
    assert!(result.is_err());
    launch(&pool, 100, 10, 1);
}
