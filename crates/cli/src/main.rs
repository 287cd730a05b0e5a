//! The `unspool` command, without LLVM.

fn main() -> std::process::ExitCode {
    unspool_cli::main(unspool_cli::engine::Equipment::default())
}
