#!/usr/bin/env bash
# Builds the command and shows the main job: samples to PTX, what became of every loop and hint, a piece of PTX; a kernel
# run on this machine with its ledger, its timing and a picture; a C program with directives, run, with a plot of its time.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/venv.sh
. scripts/venv.sh

if ! command -v cc >/dev/null 2>&1 && ! apt_install gcc libc6-dev; then
    echo "error: rustc needs a C linker (cc) on this machine" >&2
    exit 1
fi
features=()
if ! ensure_llvm; then
    features=(--no-default-features)
fi
cargo build --release --quiet -p unspool-cli -p unspool-accrt ${features[@]+"${features[@]}"}
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
mandel="--grid 64,64 --block 16,16 --arg out:i32:1024x1024 --arg 1024 --arg 256 --image $out/mandel.png:log"
if [ ${#features[@]} = 0 ]; then
    # shellcheck disable=SC2086
    show $unspool run examples/mandel.cu $mandel --explain -v --time
    printf '\nwritten: %s\n' "$out/mandel.png"
    show $unspool cc -acc=multicore,discrete -Minfo=accel -O2 examples/heat.c -o $out/heat
    show env ACC_DEVICE_TYPE=discrete UNSPOOL_ACC_PLOT=$out/heat.svg $out/heat
    printf '\nwritten: %s\n' "$out/heat.svg"
else
    echo "SKIPPED: running the Mandelbrot kernel and the program with directives: no LLVM 19 (Debian: llvm-19-dev libpolly-19-dev zlib1g-dev libzstd-dev g++)"
fi
show sed -n '/\.entry/,$p' $out/unroll_test.ptx
