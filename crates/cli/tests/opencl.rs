//! `unspool opencl`: the loader's file for a user.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

struct Home(PathBuf);

impl Home {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_unspool"));
        command.arg("opencl").args(args).env("XDG_DATA_HOME", &self.0).env_remove("OCL_ICD_VENDORS").output().unwrap()
    }

    fn file(&self) -> PathBuf {
        self.0.join("unspool/OpenCL/vendors/unspool.icd")
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_user_installs_and_uninstalls() {
    let home = Home::new("opencl-user");
    let driver = home.0.join("driver.so");
    fs::write(&driver, "\x7fELF clIcdGetPlatformIDsKHR").unwrap();
    let done = home.run(&["install", "--user", "--lib", driver.to_str().unwrap()]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    assert!(text(&done.stdout).contains("export OCL_ICD_VENDORS="), "{}", text(&done.stdout));
    let named = fs::read_to_string(home.file()).unwrap();
    assert_eq!(Path::new(named.trim_end()), driver.canonicalize().unwrap());
    assert!(text(&home.run(&["status"]).stdout).contains("unspool.icd: /"));
    fs::remove_file(&driver).unwrap();
    assert!(text(&home.run(&["status"]).stdout).contains("(MISSING)"));
    assert!(home.run(&["uninstall", "--user"]).status.success());
    assert!(!home.file().exists());
    let again = home.run(&["uninstall", "--user"]);
    assert!(again.status.success() && text(&again.stdout).contains("is not there"));
}

#[test]
fn a_missing_driver_is_said_before_anything_is_written() {
    let home = Home::new("opencl-missing");
    let done = home.run(&["install", "--user", "--lib", "no/such/driver.so"]);
    assert_eq!(done.status.code(), Some(1));
    let said = text(&done.stderr);
    assert!(said.contains("no/such/driver.so") && said.contains("help: build it with"), "{said}");
    assert!(!home.file().exists());
    assert_eq!(home.run(&["install", "--user", "--system"]).status.code(), Some(2));
    assert_eq!(home.run(&["install", "--user", "--lib", "/"]).status.code(), Some(1));
}

#[test]
fn a_library_that_is_no_driver_is_not_installed() {
    let home = Home::new("opencl-no-driver");
    let library = home.0.join("libother.so");
    for text in ["\x7fELF and nothing that loaders ask for", "clIcdGetPlatformIDsKHR in a text", ""] {
        fs::write(&library, text).unwrap();
        let done = home.run(&["install", "--user", "--lib", library.to_str().unwrap()]);
        assert_eq!(done.status.code(), Some(1), "{text}");
        assert!(String::from_utf8_lossy(&done.stderr).contains("is no OpenCL driver"));
        assert!(!home.file().exists());
    }
}
