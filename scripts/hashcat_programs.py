#!/usr/bin/env python3
"""Compiles hashcat's kernel files for this machine, each in a process of its own, and says what took longest and most memory.

    scripts/hashcat_programs.py CHECKOUT [--unspool PATH] [--only TEXT] [--emit obj] [--timeout S] [--most N] [--every N]
                                [--log FILE] [--peer ICD] [--seed N]

CHECKOUT is a checkout of github.com/hashcat/hashcat, which is no part of this repository: its folders OpenCL and src/modules.
Each file is compiled with the options that hashcat's host program gives for the modes that use it, on a processor whose device
says `--width` for its vectors of `int`. Times are those of the processor. With `--log` outcomes are kept in a file, and files
whose outcome stands there are not compiled again. With `--peer`, a folder of OpenCL vendors or a driver's library as ocl-icd
takes them in OCL_ICD_VENDORS, each file is also built by that platform (pyopencl in .venv), in a process whose time to start
is taken off; `--every 40` takes one file of forty. The status is 1 if a file failed, ran out of time or out of `--memory`.
"""

import argparse
import json
import math
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import toolbox as t

# What hashcat.h calls the ways in which modes attack, and the sizes of digests are in their names.
ATTACK_EXEC = {"ATTACK_EXEC_OUTSIDE_KERNEL": 10, "ATTACK_EXEC_INSIDE_KERNEL": 11}
CPU = 2
# Stands for options that depend on the machine or the hash.
SMALL = 4


def modules(checkout):
    """For each kind of kernel what the first module that uses it says."""
    found = {}
    for path in sorted(checkout.glob("src/modules/module_*.c")):
        text = path.read_text(errors="replace")
        said = dict(re.findall(r"^static const u(?:32|64)\s+(\w+)\s*=\s*(\w+);", text, re.M))
        if "KERN_TYPE" in said and said["KERN_TYPE"].isdigit():
            # What a module computes for the machine and the hash at hand, perhaps in a file that several share: any small
            # number will do.
            shared = {checkout / f"src/modules/{n}_common.c" for n in re.findall(r"\b(\w+?)_module_jit_build_options", text)}
            texts = [text] + [p.read_text(errors="replace") for p in sorted(shared) if p.exists()]
            said["computed"] = sorted({d for x in texts for d in re.findall(r"-D (\w+)=%", x)})
            found.setdefault(int(said["KERN_TYPE"]), said)
    return found


def options(name, known, width):
    """The host's options for a file, as in backend.c."""
    kind = int(name[1:6])
    said = known.get(kind, {})
    attack = re.search(r"_a(\d)", name)
    sizes = re.findall(r"\d+", said.get("DGST_SIZE", "DGST_SIZE_4_4"))
    elements = int(sizes[1]) * int(sizes[0]) // 4 if len(sizes) == 2 else 4
    inside = ATTACK_EXEC["ATTACK_EXEC_INSIDE_KERNEL" if attack else "ATTACK_EXEC_OUTSIDE_KERNEL"]
    values = {
        "LOCAL_MEM_TYPE": 2, "VENDOR_ID": 1 << 31, "CUDA_ARCH": 0, "VECT_SIZE": width, "DEVICE_TYPE": CPU,
        "DGST_ELEM": elements, "KERN_TYPE": kind, "ATTACK_EXEC": ATTACK_EXEC.get(said.get("ATTACK_EXEC"), inside),
        "ATTACK_KERN": int(attack[1]) if attack else 0, "ATTACK_MODE": int(attack[1]) if attack else 0,
        "MAX_THREADS_PER_BLOCK": 64, "INCLUDE_PATH": "OpenCL", "XM2S(x)": "#x", "M2S(x)": "XM2S(x)",
    }
    values.update({name: SMALL for name in said.get("computed", [])})
    for n in range(4):
        place = said.get(f"DGST_POS{n}", "")
        values[f"DGST_R{n}"] = int(place) if place.isdigit() else (0, 3, 2, 1)[n]
    for has in ("ADD ADDC SUB SUBC VADD VADDC VADD_CO VADDC_CO VSUB VSUBB VSUB_CO VSUBB_CO VPERM VADD3 VBFE BFE LOP3 MOV64 PRMT "
                "SHFW").split():
        values[f"HAS_{has}"] = 0
    return ["-DKERNEL_STATIC", "-I", ".", "-w", *(f"-D{name}={value}" for name, value in values.items())]


def measure(command, folder, timeout):
    """Outcome, seconds of processor time, MiB, and the first line of what was said if it failed."""
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(command, cwd=folder, stdout=said, stderr=said,
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(timeout), int(timeout) + 1)))
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        lines = [line for line in said.read().decode(errors="replace").splitlines() if line.strip()]
    seconds = used.ru_utime + used.ru_stime
    outcome = {0: "built", -signal.SIGXCPU: "timeout", -signal.SIGKILL: "timeout"}.get(child.returncode, "failed")
    why = next((line for line in lines if "error" in line), (lines or [""])[0]) if outcome != "built" else ""
    return {"outcome": outcome, "seconds": round(seconds, 2), "mib": used.ru_maxrss // 1024, "said": why[:200]}


# What the peer's process does: a file's text, with options, becomes a program and its kernels.
PEER = """
import sys, warnings
import pyopencl as cl
warnings.simplefilter("ignore")
device = cl.get_platforms()[0].get_devices()[0]
context = cl.Context([device])
text = open(sys.argv[1]).read() if len(sys.argv) > 1 else "kernel void k() {}"
cl.Program(context, text).build(options=sys.argv[2:], cache_dir=False).all_kernels()
"""


def peer(icd, name, checkout, options, timeout):
    """What `measure` says of the peer's build; with no name, of one that does nothing."""
    words = [f"OpenCL/{name}", *options] if name else []
    python = str(t.ROOT / ".venv/bin/python")
    return measure(["env", f"OCL_ICD_VENDORS={icd}", "PYOPENCL_NO_CACHE=1", python, "-c", PEER, *words], checkout, timeout)


def beside(seen):
    """What both took for the files that the peer was asked for, the worst first."""
    both = sorted((e for e in seen if "peer" in e), key=lambda e: e["peer"]["seconds"] / max(e["seconds"], 0.01))
    if not both:
        return ""
    built = [e for e in both if e["outcome"] == e["peer"]["outcome"] == "built"]
    ratios = [e["seconds"] / max(e["peer"]["seconds"], 0.01) for e in built]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else 0
    head = f"beside the peer: {len(both)} files, {len(built)} built by both, ours over its time {mean:.2f} in the geometric mean, "
    rows = [[e["file"], e["outcome"], str(e["seconds"]), e["peer"]["outcome"], f"{e['peer']['seconds']:.2f}"] for e in both[:10]]
    head += f"over 2 in {sum(r > 2 for r in ratios)}"
    return head + "\n" + t.table(["file", "ours", "seconds", "the peer", "seconds"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--unspool", default=str(t.ROOT / "target/release/unspool"))
    parser.add_argument("--only", default="")
    parser.add_argument("--emit", default="obj", help="what to make: ir is quick and finds what is not covered")
    parser.add_argument("--width", type=int, default=16)
    parser.add_argument("--timeout", type=float, default=60, help="seconds of processor time")
    parser.add_argument("--memory", type=int, default=1536, help="MiB")
    parser.add_argument("--most", type=int, default=0, help="so many files at most")
    parser.add_argument("--every", type=int, default=1, help="one file of so many, by size")
    parser.add_argument("--seed", type=int, help="the files in a random order, of this seed, instead of the largest first")
    parser.add_argument("--log", type=Path)
    parser.add_argument("--peer", help="vendors' folder or library of another OpenCL platform")
    args = parser.parse_args()
    known = modules(args.checkout)
    done = {}
    if args.log and args.log.exists():
        for line in args.log.read_text().splitlines():
            entry = json.loads(line)
            done[entry["file"]] = entry
    paths = [p for p in sorted(args.checkout.glob("OpenCL/m[0-9]*.cl")) if args.only in p.name]
    # The largest first.
    files = [p.name for p in sorted(paths, key=lambda p: -p.stat().st_size)]
    if not files:
        sys.exit(f"no kernels under {args.checkout}/OpenCL")
    if args.seed is not None:
        random.Random(args.seed).shuffle(files)
    files = files[:: args.every]
    todo = [name for name in files if name not in done]
    start = peer(args.peer, None, args.checkout, [], args.timeout)["seconds"] if args.peer else 0
    for name in todo[: args.most or None]:
        with tempfile.TemporaryDirectory() as out:
            command = [args.unspool, "compile", f"OpenCL/{name}", "--target", "host", "--emit", args.emit, "--local", "64",
                       "-o", f"{out}/k.o", *options(name, known, args.width)]
            done[name] = {"file": name, **measure(command, args.checkout, args.timeout)}
        if args.peer:
            entry = peer(args.peer, name, args.checkout, options(name, known, args.width), args.timeout)
            done[name]["peer"] = {**entry, "seconds": round(max(entry["seconds"] - start, 0), 2)}
        if args.log:
            with args.log.open("a") as log:
                log.write(json.dumps(done[name]) + "\n")
    seen = [done[name] for name in files if name in done]
    bad = [e for e in seen if e["outcome"] != "built" or e["mib"] > args.memory]
    print(f"{len(seen)} of {len(files)} files, {len(bad)} failed or beyond the limits, "
          f"{sum(e['seconds'] for e in seen):.0f} s of processor time")
    slow = sorted(seen, key=lambda e: -e["seconds"])[:10]
    rows = [[e["file"], e["outcome"], str(e["seconds"]), str(e["mib"]), e["said"]] for e in slow + [b for b in bad if b not in slow]]
    print(t.table(["file", "outcome", "seconds", "MiB", "said"], rows))
    print(beside(seen))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
