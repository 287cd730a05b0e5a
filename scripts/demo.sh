#!/usr/bin/env bash
# Builds the command and shows the main job: the samples to PTX, what became of every loop and hint, a piece of PTX.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/venv.sh
. scripts/venv.sh

if ! command -v cc >/dev/null 2>&1 && ! apt_install gcc libc6-dev; then
    echo "error: rustc needs a C linker (cc) on this machine" >&2
    exit 1
fi
cargo build --release --quiet -p unspool-cli
unspool=target/release/unspool
out=target/demo
mkdir -p "$out"

show() {
    printf '\n$ %s\n' "$(printf '%s ' "$@" | sed "s|$unspool|unspool|; s/ $//")"
    "$@"
}

show $unspool compile examples/unroll_test.cu -arch=sm_90 -o $out/unroll_test.ptx -Rpass=loop-unroll
show $unspool compile examples/saxpy.cl -arch=sm_80 -cl-std=CL1.2 --emit ptx -o $out/saxpy.ptx
show $unspool explain examples/unroll_test.cu -arch=sm_90
show $unspool explain examples/saxpy.cl -arch=sm_80
show sed -n '/\.entry/,$p' $out/unroll_test.ptx
