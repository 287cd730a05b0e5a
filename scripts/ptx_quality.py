#!/usr/bin/env python3
"""How good the PTX is, by what ptxas makes of it: registers, spills, instructions and loops of each kernel, beside
those of nvcc and clang 19 for the same file.

    scripts/ptx_quality.py [FILE.cu ...]        # default: the benchmark suite
    scripts/ptx_quality.py --json FILE.cu

The geometric mean at the end is of unspool's registers over nvcc's. Exit status 1 if a kernel spills where nvcc's
does not, or is missing from unspool's output.
"""

import argparse
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import toolbox as t


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        return None, f"{Path(command[0]).name}: {done.stderr.strip()[:2000]}"
    return done.stdout, done.stderr


def readable(name):
    """`_Z12matmul_tiledPf` → `matmul_tiled`; names that are not mangled stay."""
    m = re.match(r"_Z(?:N)?(\d+)", name)
    if not m:
        return name
    at, parts = m.end(1), []
    digits = m.group(1)
    while digits:
        parts.append(name[at:at + int(digits)])
        at += int(digits)
        n = re.match(r"\d+", name[at:]) if name.startswith("_ZN") else None
        digits = n.group(0) if n else ""
        at += len(digits)
    return "::".join(parts)


def sass(cubin):
    """Instructions and loops of each kernel: {name: (instructions, loops)}."""
    text, error = run([t.nvidia("bin/cuobjdump"), "-sass", str(cubin)])
    if text is None:
        sys.exit(error)
    out, name = {}, None
    for line in text.splitlines():
        if m := re.match(r"\s*Function : (\S+)", line):
            name = m.group(1)
            out[name] = [0, 0]
        elif name and (m := re.match(r"\s*/\*([0-9a-f]{4,})\*/\s+(.*?);", line)):
            address, words = int(m.group(1), 16), m.group(2)
            op = re.sub(r"^@!?U?P\w+\s+", "", words)
            target = re.search(r"\b0x([0-9a-f]+)\s*$", words) if op.startswith("BRA") else None
            goes = int(target.group(1), 16) if target else None
            # Functions are padded with NOP behind a branch to itself.
            if op.startswith("NOP") or goes == address:
                continue
            out[name][0] += 1
            if goes is not None and goes < address:
                out[name][1] += 1
    return {n: tuple(v) for n, v in out.items()}


def assemble(ptx, folder, label):
    """What ptxas says of a file: {kernel: {regs, spill, stack, instructions, loops}}, or an error."""
    cubin = Path(folder) / f"{label}.cubin"
    text, said = run([t.nvidia("bin/ptxas"), "-v", f"-arch={t.ARCH}", "-o", str(cubin), str(ptx)])
    if text is None:
        return None, said
    kernels, name = {}, None
    for line in said.splitlines():
        if m := re.search(r"Compiling entry function '(\S+)'", line):
            name = m.group(1)
            kernels[name] = {"regs": 0, "spill": 0, "stack": 0}
        elif name and (m := re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill", line)):
            kernels[name]["stack"] = int(m.group(1))
            kernels[name]["spill"] = int(m.group(2)) + int(m.group(3))
        elif name and (m := re.search(r"Used (\d+) registers", line)):
            kernels[name]["regs"] = int(m.group(1))
    for kernel, (instructions, loops) in sass(cubin).items():
        if kernel in kernels:
            kernels[kernel].update(instructions=instructions, loops=loops)
    return kernels, None


def quality(source):
    """All compilers' figures for one file: {compiler: {kernel: figures}}."""
    compilers = {"unspool": t.unspool_command, "nvcc": t.nvcc_command}
    if t.clang():
        compilers["clang 19"] = t.clang_command
    else:
        t.missing("clang-19")
    out = {}
    with tempfile.TemporaryDirectory() as folder:
        for label, command in compilers.items():
            ptx = Path(folder) / f"{label.split()[0]}.ptx"
            text, error = run(command(source, ptx))
            kernels = None
            if text is not None:
                kernels, error = assemble(ptx, folder, label.split()[0])
            if kernels is None:
                print(f"{label} on {source}: {error}", file=sys.stderr)
                kernels = {}
            out[label] = {readable(k): v for k, v in kernels.items()}
    return out


def show(source, figures):
    """Prints the table; returns register ratios and what is wrong."""
    columns = [("regs", "registers"), ("spill", "spill bytes"), ("stack", "stack bytes"), ("instructions", "SASS"),
               ("loops", "loops")]
    labels = list(figures)
    rows, ratios, wrong = [], [], []
    for kernel in figures["nvcc"]:
        row = [f"`{kernel}`"]
        for key, _ in columns:
            row.append(" / ".join(str(figures[l].get(kernel, {}).get(key, "–")) for l in labels))
        rows.append(row)
        ours, theirs = figures["unspool"].get(kernel), figures["nvcc"][kernel]
        if ours is None:
            wrong.append(f"{kernel}: not in unspool's output")
            continue
        ratios.append(ours["regs"] / theirs["regs"])
        if ours["spill"] > 0 and theirs["spill"] == 0:
            wrong.append(f"{kernel}: spills {ours['spill']} bytes where nvcc has none")
    print(f"{source} ({' / '.join(labels)}):\n")
    print(t.table(["kernel", *(title for _, title in columns)], rows), "\n")
    return ratios, wrong


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, default=[t.ROOT / "crates/bench/kernels/suite.cu"])
    parser.add_argument("--json", action="store_true", help="figures as JSON")
    args = parser.parse_args()
    for tool in ("bin/nvcc", "bin/ptxas", "bin/cuobjdump"):
        if not t.nvidia(tool):
            t.missing(Path(tool).name)
            return
    ratios, wrong, everything = [], [], {}
    for source in args.files:
        figures = quality(source)
        everything[str(source)] = figures
        if not args.json:
            r, w = show(source.resolve().relative_to(t.ROOT) if source.resolve().is_relative_to(t.ROOT) else source,
                        figures)
            ratios += r
            wrong += w
    if args.json:
        print(json.dumps(everything, indent=1))
        return
    print(f"Registers, unspool over nvcc, geometric mean of {len(ratios)} kernels: {geometric_mean(ratios):.3f}")
    for line in wrong:
        print(f"WRONG: {line}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
