#!/usr/bin/env python3
"""unspool's speed and memory beside those of NVRTC, clang 19 and nvcc, on this machine, in one run.

    cargo build --profile fast -p unspool-bench -p unspool-cli     # or --release
    scripts/peers.sh
    scripts/compare_speed.py [--runs N]

In process: unspool through its library (the program `inprocess` of crates/bench), NVRTC through ctypes, each from
source text to PTX text. As whole processes: the commands, from start to exit, taking turns so that noise hits all
alike. Times are medians from start to end, and beside them processor time, which other work on the machine bends less:
the ratios are of processor times where those are known. A peer that is not installed is left out, with a line that says so.
"""

import argparse
import ctypes
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import toolbox as t

INPUTS = {
    "tiny": t.ROOT / "examples/unroll_test.cu",
    "suite": t.ROOT / "crates/bench/kernels/suite.cu",
}


def nvrtc_once(lib, source):
    """Compiles with NVRTC; returns seconds and bytes of PTX."""

    def check(status, what):
        if status != 0:
            sys.exit(f"NVRTC: {what} failed with {status}")

    start = time.perf_counter()
    program = ctypes.c_void_p()
    check(lib.nvrtcCreateProgram(ctypes.byref(program), source, b"input.cu", 0, None, None), "nvrtcCreateProgram")
    options = (ctypes.c_char_p * 1)(f"--gpu-architecture={t.ARCH.replace('sm', 'compute')}".encode())
    check(lib.nvrtcCompileProgram(program, 1, options), "nvrtcCompileProgram")
    size = ctypes.c_size_t()
    check(lib.nvrtcGetPTXSize(program, ctypes.byref(size)), "nvrtcGetPTXSize")
    ptx = ctypes.create_string_buffer(size.value)
    check(lib.nvrtcGetPTX(program, ptx), "nvrtcGetPTX")
    check(lib.nvrtcDestroyProgram(ctypes.byref(program)), "nvrtcDestroyProgram")
    return time.perf_counter() - start, size.value


def processor_time():
    """Seconds that this process has spent on processors."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def nvrtc_child(runs):
    """Runs in a process of its own, whose memory is NVRTC's: prints medians as JSON."""
    lib = ctypes.CDLL(t.nvidia("lib/libnvrtc.so.*"))
    out = {}
    for name, path in INPUTS.items():
        source = path.read_bytes()
        first, _ = nvrtc_once(lib, source)
        before = processor_time()
        times = [nvrtc_once(lib, source)[0] for _ in range(runs)]
        out[name] = {
            "first": first,
            "median": t.median(times),
            "cpu": (processor_time() - before) / runs,
            "peak_kib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
        }
    print(json.dumps(out))


def nvrtc(runs):
    if not t.nvidia("lib/libnvrtc.so.*"):
        t.missing("NVRTC")
        return None
    words = [sys.executable, __file__, "--nvrtc-child", "--runs", str(runs)]
    return json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout)


def inprocess(runs):
    for profile in ("release", "fast"):
        program = t.ROOT / "target" / profile / "inprocess"
        if os.access(program, os.X_OK):
            words = [str(program), "--runs", str(runs)]
            return json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout), profile
    sys.exit("no inprocess: cargo build --profile fast -p unspool-bench")


def whole_processes(runs):
    """Medians of whole processes: {input: {tool: (seconds, peak KiB, processor seconds)}}."""
    tools = {"unspool": t.unspool_command}
    if t.clang():
        tools["clang 19"] = t.clang_command
    else:
        t.missing("clang-19")
    if t.nvidia("bin/nvcc"):
        tools["nvcc"] = t.nvcc_command
    else:
        t.missing("nvcc")
    result = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, path in INPUTS.items():
            seen = {tool: [] for tool in tools}
            # nvcc takes long: a third of the runs is enough for its median.
            for turn in range(runs + 1):
                for tool, command in tools.items():
                    if tool == "nvcc" and turn % 3:
                        continue
                    measured = t.run_measured(command(path, Path(folder) / "out.ptx"))
                    if turn:
                        seen[tool].append(measured)
            result[name] = {
                tool: (t.median([s for s, _, _ in all_]), max(k for _, k, _ in all_), t.median([c for _, _, c in all_]))
                for tool, all_ in seen.items()
            }
    return result


def ms(seconds):
    return f"{seconds * 1e3:.3g} ms"


def ratio(other, ours):
    return f"{other / ours:.0f}×"


def report(runs):
    print(f"Machine: {t.machine()}\n")
    # Whole processes first: this script is small then, and its size is the floor of what can be seen.
    floor = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    processes = whole_processes(runs)
    own, profile = inprocess(max(runs, 51))
    peer = nvrtc(runs)
    cases = {c["name"]: c for c in own["cases"]}

    rows = []
    for name in INPUTS:
        c = cases[f"{name}.cu"]
        wall, cpu = c["median_us"] / 1e6, (c.get("cpu_us") or c["median_us"]) / 1e6
        rows.append([name, c["lines"], "unspool", ms(c["first_us"] / 1e6), ms(wall), ms(cpu), ""])
        if peer:
            p = peer[name]
            rows.append([name, c["lines"], "NVRTC 13", ms(p["first"]), ms(p["median"]), ms(p["cpu"]),
                         ratio(p["cpu"], cpu)])
    for name in ("tiny.cl", "suite.cl"):
        c = cases[name]
        cpu = (c.get("cpu_us") or c["median_us"]) / 1e6
        rows.append([name, c["lines"], "unspool", ms(c["first_us"] / 1e6), ms(c["median_us"] / 1e6), ms(cpu), ""])
    print(f"In process, text to PTX (median; unspool built with profile `{profile}`):\n")
    print(t.table(["input", "lines", "compiler", "first", "median", "processor", "slower"], rows))

    rows = []
    for name, tools in processes.items():
        ours = tools["unspool"][2]
        for tool, (seconds, kib, cpu) in tools.items():
            peak = f"{kib / 1024:.0f} MiB" if kib > floor else f"< {floor / 1024:.0f} MiB"
            rows.append([name, tool, ms(seconds), ms(cpu), "" if tool == "unspool" else ratio(cpu, ours), peak])
    print("\nWhole processes, start to exit (median; peak resident memory of all runs):\n")
    print(t.table(["input", "command", "median", "processor", "slower", "peak memory"], rows))
    memory = {m["name"]: m["peak_rss_kib"] for m in own["memory"]}
    if memory.get("suite.cu"):
        print(f"\nPeak memory of a process that has compiled tiny.cu, tiny.cl and suite.cu through the library: "
              f"{memory['suite.cu'] / 1024:.1f} MiB"
              + (f"; NVRTC's process: {peer['suite']['peak_kib'] / 1024:.0f} MiB" if peer else ""))

    print("\nGrowth (10 times the work, processor time):\n")
    rows = [[s["axis"], s["from"], s["to"], ms(s["from_us"] / 1e6), ms(s["to_us"] / 1e6), f"{s['ratio']:.1f}×"]
            for s in own["slopes"]]
    print(t.table(["axis", "from", "to", "time", "time", "ratio"], rows))

    print("\nStages (median):\n")
    names = [s["name"] for s in cases["suite.cu"]["stages"]]
    rows = []
    for stage in names:
        row = [stage]
        for c in cases.values():
            us = {s["name"]: s["us"] for s in c["stages"]}
            row.append(f"{us[stage]:.0f} µs" if stage in us else "–")
        rows.append(row)
    print(t.table(["stage", *cases], rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15, help="measured runs of each (default 15)")
    parser.add_argument("--nvrtc-child", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.nvrtc_child:
        nvrtc_child(args.runs)
    else:
        report(args.runs)


if __name__ == "__main__":
    main()
