//! Every file under `filetests/` is a test; see `filetests::runner`.

use libtest_mimic::{Arguments, Trial};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("filetests");
    let trials = filetests::runner::files(&root)
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
            Trial::test(name, move || filetests::runner::run(&path).map_err(Into::into))
        })
        .collect();
    libtest_mimic::run(&args, trials).exit_code()
}
