//! `unspool opencl`: tells the machine's OpenCL loader about unspool's driver.
//!
//! A loader finds drivers by files that end in `.icd` and hold the path of a library, in `/etc/OpenCL/vendors`. A user who may
//! not write there has a folder of their own, which `OCL_ICD_VENDORS` names; it links to the system's files, so that other
//! drivers stay in sight.

use crate::args::{OpenClCommand, Place};
use crate::{output, usage};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Where all loaders look.
const SYSTEM: &str = "/etc/OpenCL/vendors";

/// The file that names the driver.
const FILE: &str = "unspool.icd";

/// The driver's file name.
const LIBRARY: &str = "libunspool_opencl.so";

/// What went wrong, and what to do.
struct Failure {
    what: String,
    help: &'static str,
}

/// `unspool opencl …`
pub(crate) fn opencl(command: &OpenClCommand) -> ExitCode {
    let done = match command {
        OpenClCommand::Install { place, lib } => {
            if place.system && place.user {
                return usage("choose one of `--system` and `--user`");
            }
            install(place, lib.as_deref())
        }
        OpenClCommand::Uninstall { place } => uninstall(place),
        OpenClCommand::Status => Ok(status()),
    };
    match done {
        Ok(text) => {
            // A closed pipe is nobody's concern.
            let _ = io::stdout().write_all(text.as_bytes());
            ExitCode::SUCCESS
        }
        Err(Failure { what, help }) => {
            let _ = writeln!(io::stderr(), "error: {what}\n  help: {help}");
            ExitCode::FAILURE
        }
    }
}

/// The folder that a user's files are in.
fn user_folder() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let data = set("XDG_DATA_HOME").or_else(|| Some(set("HOME")?.join(".local/share")))?;
    Some(data.join("unspool/OpenCL/vendors"))
}

/// The folder to write to, and whether it is the system's.
fn folder(place: &Place) -> Result<(PathBuf, bool), Failure> {
    // SAFETY: the function only reads the process's identity.
    let root = unsafe { libc::geteuid() } == 0;
    if place.system || root && !place.user {
        return Ok((SYSTEM.into(), true));
    }
    let none = || Failure { what: "there is no home directory".to_owned(), help: "set HOME or XDG_DATA_HOME" };
    Ok((user_folder().ok_or_else(none)?, false))
}

/// The driver: the one given, or one near this command.
fn library(given: Option<&Path>) -> Result<PathBuf, Failure> {
    let help = "build it with `cargo build --release -p unspool-opencl`, or name it with `--lib PATH`";
    if let Some(path) = given {
        let missing = |e| Failure { what: format!("{}: {e}", path.display()), help };
        let path = path.canonicalize().map_err(missing)?;
        if !path.is_file() {
            return Err(Failure { what: format!("{} is no file", path.display()), help });
        }
        return match names_entry(&path) {
            Ok(true) => Ok(path),
            Ok(false) => Err(Failure { what: format!("{} is no OpenCL driver", path.display()), help }),
            Err(e) => Err(missing(e)),
        };
    }
    let exe = std::env::current_exe().and_then(|e| e.canonicalize()).unwrap_or_default();
    let beside = exe.parent().unwrap_or(Path::new("."));
    let places = [beside.join(LIBRARY), beside.join("../lib").join(LIBRARY)];
    let found = places.iter().find_map(|p| p.canonicalize().ok().filter(|p| p.is_file()));
    found.ok_or_else(|| Failure { what: format!("{LIBRARY} is not beside {}", exe.display()), help })
}

/// The function by which loaders enter a driver.
const ENTRY: &[u8] = b"clIcdGetPlatformIDsKHR";

/// Whether a library says the name of the function that loaders ask for: they skip others without a word.
fn names_entry(path: &Path) -> io::Result<bool> {
    let bytes = fs::read(path)?;
    Ok(bytes.starts_with(b"\x7fELF") && memchr::memmem::find(&bytes, ENTRY).is_some())
}

fn install(place: &Place, lib: Option<&Path>) -> Result<String, Failure> {
    let library = library(lib)?;
    let (folder, system) = folder(place)?;
    let help = if system { "become root, or install for yourself with `--user`" } else { "make that folder writable" };
    let refused = |what: String| Failure { what, help };
    fs::create_dir_all(&folder).map_err(|e| refused(format!("{}: {e}", folder.display())))?;
    let file = folder.join(FILE);
    let text = format!("{}\n", library.display());
    output::write(&file.to_string_lossy(), text.as_bytes()).map_err(refused)?;
    let mut said = format!("{} names {}\n", file.display(), library.display());
    if !system {
        link_others(&folder);
        said += &format!(
            "loaders look there if this is set, for instance in your shell's profile:\n    export OCL_ICD_VENDORS={}\n",
            folder.display()
        );
    }
    said += "`clinfo -l` lists what programs will find\n";
    Ok(said)
}

/// Links the system's drivers into a user's folder, which loaders read instead of the system's.
fn link_others(folder: &Path) {
    for path in drivers(Path::new(SYSTEM)) {
        let Some(name) = path.file_name().filter(|n| *n != FILE) else { continue };
        // One that is there already may stay.
        let _ = std::os::unix::fs::symlink(&path, folder.join(name));
    }
}

fn uninstall(place: &Place) -> Result<String, Failure> {
    let (folder, system) = folder(place)?;
    let file = folder.join(FILE);
    match fs::remove_file(&file) {
        Ok(()) => Ok(format!("removed {}\n", file.display())),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(format!("{} is not there\n", file.display())),
        Err(e) => Err(Failure {
            what: format!("{}: {e}", file.display()),
            help: if system { "become root, or use `--user`" } else { "make that folder writable" },
        }),
    }
}

/// The `.icd` files of a folder, in order.
fn drivers(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    let mut all: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == "icd")).collect();
    all.sort();
    all
}

/// Which drivers loaders find.
fn status() -> String {
    let set = std::env::var_os("OCL_ICD_VENDORS").map(PathBuf::from);
    let mut folders = vec![PathBuf::from(SYSTEM)];
    folders.extend(user_folder());
    folders.extend(set.clone().filter(|f| !folders.contains(f)));
    let mut out = match &set {
        Some(f) => format!("OCL_ICD_VENDORS is {}: loaders look there\n", f.display()),
        None => format!("OCL_ICD_VENDORS is not set: loaders look in {SYSTEM}\n"),
    };
    for folder in folders {
        let found = drivers(&folder);
        out += &format!("{}:{}\n", folder.display(), if found.is_empty() { " no drivers" } else { "" });
        for file in found {
            let text = fs::read_to_string(&file).unwrap_or_default();
            let library = text.lines().next().unwrap_or("").trim();
            let missing = library.starts_with('/') && !Path::new(library).exists();
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            out += &format!("    {name}: {library}{}\n", if missing { " (MISSING)" } else { "" });
        }
    }
    out
}
