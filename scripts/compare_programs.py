#!/usr/bin/env python3
"""Times of the kernels that OpenCL programs launch, on several platforms in turns, by scripts/kernel_times.c.

    cc -O2 -shared -fPIC -o kernel_times.so scripts/kernel_times.c -ldl -lOpenCL
    scripts/compare_programs.py LIST OURS PEER ... [--rounds N] [--ms N] [--cpu N] [--timeout S] [--only PART] [--preload LIB ...]

LIST has a line for each program: a name, its folder and its command, with spaces between. OURS and the PEERs are folders with one .icd
file each. All run on one thread of one processor. Printed are, for each kernel, the least time of the faster peer over ours,
the program, the kernel, which of its sets of build options it is, and all least times in ms; the geometric mean last. What
KERNEL_TIMES_AGAIN does to kernels that work in place is said in kernel_times.c.
"""
import argparse
import math
import os
import re
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

LINE = re.compile(r"kernel (\S+): (\d+) launches.*fastest ([\d.]+)")


def arguments():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("list", type=Path)
    a.add_argument("platforms", nargs="+", type=Path, help="ours first")
    a.add_argument("--rounds", type=int, default=2)
    a.add_argument("--ms", default="200", help="for the repetitions of a kernel's first launch")
    a.add_argument("--cpu", default="1")
    a.add_argument("--timeout", type=float, default=40)
    a.add_argument("--only", default="", help="programs with this in their names")
    a.add_argument("--library", default=Path("kernel_times.so"), type=Path)
    a.add_argument("--preload", nargs="*", default=[], help="other libraries to load before the program")
    return a.parse_args()


def run(args, folder, command, platform):
    """The least time of each kernel, or nothing if the program failed."""
    with tempfile.NamedTemporaryFile() as out:
        preload = " ".join([*args.preload, str(args.library.resolve())])
        env = dict(os.environ, OCL_ICD_VENDORS=str(platform.resolve()), LD_PRELOAD=preload, KERNEL_TIMES_OUT=out.name,
                   KERNEL_TIMES_FIRST="1", KERNEL_TIMES_AGAIN="2000", KERNEL_TIMES_MS=args.ms, UNSPOOL_THREADS="1",
                   POCL_MAX_PTHREAD_COUNT="1")
        try:
            subprocess.run(["taskset", "-c", args.cpu, *command], cwd=folder, env=env, timeout=args.timeout, check=False,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return {}
        seen, times = Counter(), {}
        for m in filter(None, map(LINE.match, Path(out.name).read_text().splitlines())):
            seen[m[1]] += 1
            times[m[1], seen[m[1]]] = float(m[3])
        return times


def main():
    args = arguments()
    rows = []
    for line in filter(str.strip, args.list.read_text().splitlines()):
        name, folder, *command = line.split()
        if args.only not in name:
            continue
        least = [{} for _ in args.platforms]
        for _ in range(args.rounds):
            for platform, times in zip(args.platforms, least):
                for kernel, t in run(args, folder, command, platform).items():
                    times[kernel] = min(t, times.get(kernel, math.inf))
        for kernel, ours in least[0].items():
            peers = [times[kernel] for times in least[1:] if kernel in times]
            if peers and ours > 0:
                rows.append(min(peers) / ours)
                print(f"{rows[-1]:.2f}", name, *kernel, *(times.get(kernel, "-") for times in least), flush=True)
    if rows:
        print(f"{len(rows)} kernels, geometric mean {math.exp(sum(map(math.log, rows)) / len(rows)):.2f}")


main()
