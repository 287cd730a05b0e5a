//! The `unspool` command with LLVM: what runs kernels on this machine.

fn main() -> std::process::ExitCode {
    unspool_cli::main()
}
