//! `unspool cc` that is told to end half-way leaves nothing in the folder for temporary files.

#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

fn entries(folder: &Path) -> usize {
    std::fs::read_dir(folder).expect("the folder").count()
}

/// What is in a folder and in its folders, as paths.
fn left(folder: &Path) -> Vec<String> {
    let inside = |f: &Path| {
        std::fs::read_dir(f).map(|all| all.flatten().map(|e| e.path()).collect::<Vec<_>>()).unwrap_or_default()
    };
    let first = inside(folder);
    let second: Vec<PathBuf> = first.iter().flat_map(|f| inside(f)).collect();
    first.iter().chain(&second).map(|p| p.display().to_string()).collect()
}

/// A program to compile, a folder for temporary files, and a host compiler that takes its time.
struct Place {
    folder: tempfile::TempDir,
    tools: PathBuf,
    temporary: PathBuf,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (tools, temporary) = (folder.path().join("tools"), folder.path().join("temporary"));
        std::fs::create_dir(&tools).expect("a folder");
        std::fs::create_dir(&temporary).expect("a folder");
        let compiler = tools.join("cc");
        std::fs::write(&compiler, "#!/bin/sh\nexec /bin/sleep 3\n").expect("written");
        std::fs::set_permissions(&compiler, std::fs::Permissions::from_mode(0o755)).expect("executable");
        std::fs::write(folder.path().join("p.c"), "int main(void) { return 0; }\n").expect("written");
        Self { folder, tools, temporary }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_unspool"));
        command.args(["cc", "-acc", "p.c", "-o", "p"]).current_dir(self.folder.path());
        command.env("PATH", &self.tools).env("TMPDIR", &self.temporary).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Compiles, with one folder of temporary files more as soon as this returns.
    fn start(&self) -> Child {
        let before = entries(&self.temporary);
        let child = self.command().spawn().expect("unspool starts");
        let start = Instant::now();
        while entries(&self.temporary) == before && start.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(entries(&self.temporary), before + 1, "no folder for temporary files");
        std::thread::sleep(Duration::from_millis(50));
        child
    }
}

/// Ends a compilation by a signal.
fn stop(mut child: Child, signal: i32) {
    let pid = libc::pid_t::try_from(child.id()).expect("a process number");
    // SAFETY: `kill` takes numbers; the process is our child and has not been waited for.
    assert_eq!(unsafe { libc::kill(pid, signal) }, 0);
    let status = child.wait().expect("it ends");
    assert_eq!(status.signal(), Some(signal), "{status}");
}

#[test]
fn a_stopped_compilation_leaves_no_files() {
    let place = Place::new();
    for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP] {
        stop(place.start(), signal);
        assert_eq!(entries(&place.temporary), 0, "files are left after signal {signal}");
    }
}

/// A signal that came while the command became `unspool-host` ended it at once: between two programs nobody had asked for it.
#[test]
fn a_compilation_stopped_at_any_moment_leaves_no_files() {
    let place = Place::new();
    for n in 0..120u64 {
        let mut command = place.command();
        let child = command.spawn().expect("unspool starts");
        let start = Instant::now();
        while entries(&place.temporary) == 0 && start.elapsed() < Duration::from_secs(20) {
            std::hint::spin_loop();
        }
        std::thread::sleep(Duration::from_micros(n * 100));
        stop(child, [libc::SIGTERM, libc::SIGINT, libc::SIGHUP][n as usize % 3]);
        assert_eq!(left(&place.temporary), [""; 0], "files are left of run {n}");
    }
}

/// What a killed run leaves goes with the next one, but not what one that runs uses.
#[test]
fn the_next_compilation_removes_what_a_killed_one_left() {
    let place = Place::new();
    stop(place.start(), libc::SIGKILL);
    assert_eq!(entries(&place.temporary), 1);
    let alive = place.start();
    assert_eq!(entries(&place.temporary), 2, "a folder so young may be another run's");
    for entry in std::fs::read_dir(&place.temporary).expect("the folder").flatten() {
        let hour_ago = SystemTime::now() - Duration::from_secs(3600);
        std::fs::File::open(entry.path()).and_then(|f| f.set_modified(hour_ago)).expect("another time");
    }
    std::fs::create_dir(place.temporary.join("unspool-ccs")).expect("a folder of somebody else");
    let next = Command::new(env!("CARGO_BIN_EXE_unspool"))
        .args(["cc", "-acc", "absent.c"])
        .env("PATH", &place.tools)
        .env("TMPDIR", &place.temporary)
        .current_dir(place.folder.path())
        .output();
    assert!(!next.expect("unspool starts").status.success());
    assert_eq!(entries(&place.temporary), 2, "the dead run's files are left, or others are gone");
    stop(alive, libc::SIGTERM);
    assert_eq!(entries(&place.temporary), 1);
}
