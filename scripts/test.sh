#!/usr/bin/env bash
# Sets up what the tests need on a machine with Rust, and runs all of them.
#
# ptxas assembles the PTX that the tests emit, a C compiler runs the builtin library against references, and LLVM 19
# runs kernels on this machine. Where one of them cannot be had, its tests are skipped, and a line that begins with
# SKIPPED says so.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/venv.sh
. scripts/venv.sh

skipped=()

if ! command -v cc >/dev/null 2>&1 && ! apt_install gcc libc6-dev; then
    echo "error: rustc needs a C linker (cc) on this machine" >&2
    exit 1
fi
if [ -z "${UNSPOOL_PTXAS:-}" ]; then
    if venv_install nvidia-cuda-nvcc && UNSPOOL_PTXAS="$(nvidia_tool ptxas)"; then
        export UNSPOOL_PTXAS
    else
        unset UNSPOOL_PTXAS
        skipped+=("assembling the emitted PTX: no ptxas (PyPI nvidia-cuda-nvcc could not be installed)")
    fi
fi
echo "ptxas: ${UNSPOOL_PTXAS:-none}"

# Without LLVM everything but the host's back end builds and is tested.
features=()
if ! ensure_llvm; then
    features=(--no-default-features --exclude unspool-llvm --exclude unspool-runtime --exclude unspool-opencl)
    skipped+=("running kernels on this machine: no LLVM 19 (Debian: llvm-19-dev libpolly-19-dev zlib1g-dev libzstd-dev g++)")
fi

# The driver's tests go through the standard loader.
if ! has_library libOpenCL.so.1 && ! { apt_install ocl-icd-libopencl1 && has_library libOpenCL.so.1; }; then
    skipped+=("the OpenCL platform through the loader: no libOpenCL.so.1 (Debian: ocl-icd-libopencl1)")
fi

# C++ programs mean what clang says they mean.
if ! command -v clang++-19 >/dev/null 2>&1 && ! apt_install clang-19; then
    skipped+=("C++ as another compiler understands it: no clang++-19 (Debian: clang-19)")
fi

status=0
if cargo nextest --version >/dev/null 2>&1; then
    cargo nextest run --workspace ${features[@]+"${features[@]}"} --no-fail-fast || status=$?
    cargo test --workspace ${features[@]+"${features[@]}"} --doc --quiet || status=$?
else
    cargo test --workspace ${features[@]+"${features[@]}"} --no-fail-fast || status=$?
fi
for what in "${skipped[@]+"${skipped[@]}"}"; do
    echo "SKIPPED: $what"
done
exit "$status"
