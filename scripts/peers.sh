#!/usr/bin/env bash
# Installs the compilers that unspool is compared with: nvcc, NVRTC and ptxas from PyPI into .venv, clang 19 from
# Debian. What cannot be installed is said, and the comparing scripts leave it out.
set -u
cd "$(dirname "$0")/.."
# shellcheck source=scripts/venv.sh
. scripts/venv.sh

missing=0
if venv_install nvidia-cuda-nvcc nvidia-cuda-crt nvidia-nvvm nvidia-cuda-runtime nvidia-cuda-nvrtc \
    nvidia-cuda-cuobjdump nvidia-cuda-nvdisasm; then
    echo "nvcc, NVRTC, ptxas, cuobjdump: $(dirname "$(nvidia_tool ptxas)")"
else
    echo "MISSING: nvcc, NVRTC, ptxas (not installable from PyPI here)"
    missing=1
fi
if command -v clang-19 >/dev/null 2>&1 || apt_install clang-19; then
    echo "clang 19: $(command -v clang-19)"
else
    echo "MISSING: clang-19"
    missing=1
fi
exit $missing
