//! Runs kernels on a device of this machine.
