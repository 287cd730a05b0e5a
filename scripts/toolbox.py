"""Where the compilers are, and how a process is measured. Used by the other scripts."""

import glob
import os
import shutil
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHIM = ROOT / "crates/bench/peers/clang_shim.h"
ARCH = "sm_90"


def nvidia(relative):
    """A file of NVIDIA's packages in .venv, or None."""
    for base in (ROOT / ".venv", Path(os.environ.get("UNSPOOL_PEERS", ROOT / ".venv"))):
        found = sorted(glob.glob(str(base / "lib/python3*/site-packages/nvidia/cu13" / relative)))
        if found:
            return found[0]
    return None


def clang():
    """clang 19, or None."""
    return shutil.which("clang-19")


def unspool():
    """The command, as built by `cargo build`: the release build if there is one, else the profile `fast`."""
    given = os.environ.get("UNSPOOL")
    for path in ([given] if given else []) + [str(ROOT / "target" / p / "unspool") for p in ("release", "fast")]:
        if os.access(path, os.X_OK):
            return path
    sys.exit("no unspool: cargo build --release -p unspool-cli")


def missing(what):
    """Says that a peer is left out."""
    print(f"SKIPPED: {what} is not installed (scripts/peers.sh installs it)", file=sys.stderr)


def unspool_command(source, out):
    return [unspool(), "compile", str(source), f"-arch={ARCH}", "-o", str(out)]


def clang_command(source, out):
    return [
        clang(), "-O3", "-x", "cuda", "--cuda-device-only", f"--cuda-gpu-arch={ARCH}", "--cuda-feature=+ptx80",
        "-nocudainc", "-nocudalib", "-include", str(SHIM), "-S", "-o", str(out), str(source),
    ]


def nvcc_command(source, out):
    return [nvidia("bin/nvcc"), f"-arch={ARCH}", "-ptx", "-o", str(out), str(source)]


def run_measured(command):
    """Runs a process; returns seconds, its peak resident memory in KiB, and seconds of processor time.

    The system counts the memory of the process that starts another one towards its peak, so nothing below this
    script's own size can be seen.
    """
    quiet = os.open(os.devnull, os.O_RDWR)
    try:
        start = time.perf_counter()
        actions = [(os.POSIX_SPAWN_DUP2, quiet, 0), (os.POSIX_SPAWN_DUP2, quiet, 1)]
        pid = os.posix_spawnp(command[0], command, os.environ, file_actions=actions)
        _, status, usage = os.wait4(pid, 0)
        seconds = time.perf_counter() - start
    finally:
        os.close(quiet)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"failed: {' '.join(command)}")
    return seconds, usage.ru_maxrss, usage.ru_utime + usage.ru_stime


def median(values):
    return statistics.median(values)


def table(header, rows):
    """A Markdown table."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(str(c) for c in row) + " |" for row in rows]
    return "\n".join(lines)


def machine():
    """The machine in a few words."""
    model = "unknown CPU"
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as f:
            model = next((l.split(":", 1)[1].strip() for l in f if l.startswith("model name")), model)
    except OSError:
        pass
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    return f"{model}, {os.cpu_count()} cores, load {load:.1f} at the start"
