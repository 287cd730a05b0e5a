//! Random C++ programs, judged by another compiler: long runs and single seeds.
//!
//!   cargo run --profile fast -p unspool-filetests --example cpp -- --seeds 0..2000 [--jobs N] [--peer g++] [--show]
//!
//! Where a program of several topics is a finding, each is tried alone. `--ours` also lists what only this compiler takes.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command")]

use filetests::cppgen::peer::{Verdict, judge, peer};
use filetests::cppgen::{Topic, text, topics};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

fn usage() -> ! {
    eprintln!("usage: cpp [--seeds A..B] [--jobs N] [--peer COMPILER] [--show] [--ours] [--topic NAME]");
    std::process::exit(2);
}

struct Settings {
    first: u64,
    end: u64,
    jobs: usize,
    peer: String,
    show: bool,
    ours: bool,
    topic: Option<String>,
}

fn settings() -> Settings {
    let found = peer().unwrap_or_else(|| {
        eprintln!("no C++ compiler that knows C++20");
        std::process::exit(2)
    });
    let mut s = Settings { first: 0, end: 200, jobs: 1, peer: found.to_owned(), show: false, ours: false, topic: None };
    let mut args = std::env::args().skip(1);
    while let Some(a) = args.next() {
        let mut value = || args.next().unwrap_or_else(|| usage());
        match a.as_str() {
            "--show" => s.show = true,
            "--ours" => s.ours = true,
            "--peer" => s.peer = value(),
            "--topic" => s.topic = Some(value()),
            "--jobs" => s.jobs = value().parse().unwrap_or_else(|_| usage()),
            "--seeds" => {
                let text = value();
                let parse = |t: &str| t.parse::<u64>().unwrap_or_else(|_| usage());
                (s.first, s.end) = match text.split_once("..") {
                    Some((a, b)) => (parse(a), parse(b)),
                    None => (parse(&text), parse(&text) + 1),
                };
            }
            _ => usage(),
        }
    }
    s
}

fn main() {
    let s = settings();
    let chosen = |seed: u64| -> Vec<Topic> {
        let all = topics(seed).into_iter();
        all.filter(|t| s.topic.as_ref().is_none_or(|name| t.name == *name)).collect()
    };
    if s.show {
        for seed in s.first..s.end {
            println!("// seed {seed}\n{}", text(&chosen(seed)));
        }
        return;
    }
    let next = AtomicU64::new(s.first);
    let tally: Mutex<BTreeMap<&str, u64>> = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for n in 0..s.jobs.max(1) {
            let (s, next, tally, chosen) = (&s, &next, &tally, &chosen);
            scope.spawn(move || {
                let folder = std::env::temp_dir().join(format!("unspool-cpp-{}-{n}", std::process::id()));
                std::fs::create_dir_all(&folder).expect("a folder for programs");
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= s.end {
                        break;
                    }
                    let all = chosen(seed);
                    if !all.is_empty() {
                        let kind = one(s, seed, &all, &folder);
                        *tally.lock().unwrap_or_else(PoisonError::into_inner).entry(kind).or_default() += 1;
                    }
                }
                let _ = std::fs::remove_dir_all(&folder);
            });
        }
    });
    let tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    for (what, n) in &tally {
        println!("{n:8} {what}");
    }
    std::process::exit(i32::from(tally.contains_key("findings")));
}

fn one(s: &Settings, seed: u64, all: &[Topic], folder: &std::path::Path) -> &'static str {
    match judge(&s.peer, all, folder) {
        Err(e) => {
            println!("seed {seed}: {e}");
            "not judged"
        }
        Ok(Verdict::Same) => "the same",
        Ok(Verdict::BothRefuse) => "refused by both",
        Ok(verdict) if all.len() > 1 && (s.ours || !matches!(verdict, Verdict::OnlyOurs(_))) => {
            let mut kind = "together only";
            for t in all {
                let k = one(s, seed, std::slice::from_ref(t), folder);
                if k == "findings" || kind != "findings" {
                    kind = k;
                }
            }
            kind
        }
        Ok(Verdict::OnlyOurs(why)) => {
            if s.ours {
                println!("seed {seed}: {}: only ours takes it: {why}", all[0].name);
            }
            "taken by ours only"
        }
        Ok(Verdict::Wrong(fault)) => {
            println!("seed {seed}: {}: {fault:?}", all[0].name);
            "findings"
        }
    }
}
