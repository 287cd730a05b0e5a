//! `NVCOMPILER_ACC_NOTIFY`: a line on standard error for each launch (1), transfer (2), region (4), wait (8) and allocation (16).

use crate::fatal::text;
use crate::interface::{Kernel, Site};
use crate::queue::Stream;
use crate::trace::{Transfer, line_of};
use std::io::Write;

fn say(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

fn place(site: Option<&Site>) -> String {
    match site {
        Some(s) => format!("file={} function={} line={} device=0", text(s.file), text(s.function), s.line),
        None => "device=0".to_owned(),
    }
}

fn queue(stream: Stream) -> String {
    if stream.is_queue() { format!(" queue={}", stream.number()) } else { String::new() }
}

/// The threads of the program by number, in the order in which they were first asked for.
pub(crate) fn thread() -> i32 {
    use std::sync::atomic::{AtomicI32, Ordering};
    static NEXT: AtomicI32 = AtomicI32::new(1);
    thread_local! {
        static NUMBER: i32 = NEXT.fetch_add(1, Ordering::Relaxed);
    }
    NUMBER.with(|n| *n)
}

pub(crate) fn launch(site: &Site, k: &Kernel, groups: [u32; 3], stream: Stream) {
    let gangs = groups.iter().map(|&g| u64::from(g)).product::<u64>();
    let (grid, block) = (crate::timing::extents(groups), crate::timing::extents(k.extents()));
    say(&format!(
        "launch {}kernel  file={} function={} line={} device=0 threadid={}{} num_gangs={gangs} num_workers=1 vector_length={} grid={grid} block={block}",
        if crate::device::current(None).is_gpu() { "CUDA " } else { "" },
        text(site.file),
        text(site.function),
        line_of(site, k),
        thread(),
        queue(stream),
        k.group()
    ));
}

pub(crate) fn transfer(t: &Transfer<'_>, to_device: bool) {
    say(&format!(
        "{} data  {} threadid={}{} variable={} bytes={}",
        if to_device { "upload" } else { "download" },
        place(t.site),
        thread(),
        queue(t.stream),
        text(t.name),
        t.bytes
    ));
}

pub(crate) fn memory(t: &Transfer<'_>, made: bool) {
    let what = if made { "create" } else { "delete" };
    say(&format!("{what} data  {} threadid={} variable={} bytes={}", place(t.site), thread(), text(t.name), t.bytes));
}

pub(crate) fn region(site: &Site, begins: bool) {
    say(&format!("{} region  {} threadid={}", if begins { "Enter" } else { "Leave" }, place(Some(site)), thread()));
}

pub(crate) fn wait(site: Option<&Site>, stream: Stream) {
    say(&format!("wait  {} threadid={}{}", place(site), thread(), queue(stream)));
}
