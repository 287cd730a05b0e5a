//! What tools are told of constructs: the numbers of `acc_prof.h`.

use directives::Kind;

/// The number that `acc_construct_t` of `acc_prof.h` gives a directive.
pub(crate) fn construct_number(kind: Kind) -> u8 {
    match kind {
        Kind::Parallel | Kind::ParallelLoop => 0,
        Kind::Kernels | Kind::KernelsLoop | Kind::Region | Kind::RegionFor => 1,
        Kind::Loop | Kind::For | Kind::CacheDirective => 2,
        Kind::Data | Kind::DataRegion => 3,
        Kind::EnterData => 4,
        Kind::ExitData => 5,
        Kind::HostData => 6,
        Kind::Atomic => 7,
        Kind::Declare => 8,
        Kind::Init => 9,
        Kind::Shutdown => 10,
        Kind::Set => 11,
        Kind::Update => 12,
        Kind::Routine => 13,
        Kind::Wait => 14,
        Kind::Serial | Kind::SerialLoop => 16,
    }
}
