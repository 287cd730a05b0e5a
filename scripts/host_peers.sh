#!/usr/bin/env bash
# Installs what scripts/compare_host.py compares with: PoCL from Debian, Intel's OpenCL runtime and pyopencl from PyPI,
# the latter into .venv.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/venv.sh
. scripts/venv.sh
apt_install pocl-opencl-icd || note "PoCL is left out of the comparison"
ensure_venv
packages=(pyopencl numpy intel-opencl-rt intel-cmplr-lib-rt tbb)
pinned=()
for name in "${packages[@]}"; do
    pinned+=("$(grep "^$name==" scripts/peers.txt)")
done
.venv/bin/python -m pip install --quiet --disable-pip-version-check "${pinned[@]}"
echo "run: .venv/bin/python scripts/compare_host.py"
