//! The `unspool` command, without LLVM.

fn main() -> std::process::ExitCode {
    unspool_cli::main(None)
}
