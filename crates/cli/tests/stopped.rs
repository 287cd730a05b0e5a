//! `unspool cc` that is told to end half-way leaves nothing in the folder for temporary files.

#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn entries(folder: &Path) -> usize {
    std::fs::read_dir(folder).expect("the folder").count()
}

#[test]
fn a_stopped_compilation_leaves_no_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let (tools, temporary) = (folder.path().join("tools"), folder.path().join("temporary"));
    std::fs::create_dir(&tools).expect("a folder");
    std::fs::create_dir(&temporary).expect("a folder");
    // A host compiler that takes its time.
    let compiler = tools.join("cc");
    std::fs::write(&compiler, "#!/bin/sh\nexec /bin/sleep 3\n").expect("written");
    std::fs::set_permissions(&compiler, std::fs::Permissions::from_mode(0o755)).expect("executable");
    std::fs::write(folder.path().join("p.c"), "int main(void) { return 0; }\n").expect("written");
    for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_unspool"));
        command.args(["cc", "-acc", "p.c", "-o", "p"]).current_dir(folder.path());
        command.env("PATH", &tools).env("TMPDIR", &temporary).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("unspool starts");
        let start = Instant::now();
        while entries(&temporary) == 0 && start.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(entries(&temporary), 1, "no folder for temporary files");
        std::thread::sleep(Duration::from_millis(50));
        let pid = libc::pid_t::try_from(child.id()).expect("a process number");
        // SAFETY: `kill` takes numbers; the process is our child and has not been waited for.
        assert_eq!(unsafe { libc::kill(pid, signal) }, 0);
        let status = child.wait().expect("it ends");
        assert_eq!(status.signal(), Some(signal), "{status}");
        assert_eq!(entries(&temporary), 0, "files are left after signal {signal}");
    }
}
