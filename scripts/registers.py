#!/usr/bin/env python3
"""How near the register estimate of `unspool explain` comes to ptxas.

    scripts/registers.py [-arch=sm_90] [FILE ...]     # default: the benchmark suite and the sources of the tests

One line for each kernel, worst first: estimate minus ptxas, estimate, ptxas, kernel, file. Then the median and mean
relative error. Figures in docs/explain.md come from here.
"""

import json
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import toolbox as t

DEFAULT = ["crates/bench/kernels/suite.*", "crates/filetests/run/*.cu", "crates/filetests/run/*.cl", "crates/fuzz/corpus/c*/*.c[lu]"]


def text(command):
    """Both outputs of a command, or None if it failed."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    return (done.stdout, done.stderr) if done.returncode == 0 else None


def figures(path, arch, ptxas, scratch):
    """Pairs of estimate and truth by kernel; none where something is not understood."""
    explained = text([t.unspool(), "explain", str(path), f"-arch={arch}", "--format", "json"])
    ptx = Path(scratch) / "k.ptx"
    if not explained or not text([t.unspool(), "compile", str(path), f"-arch={arch}", "-o", str(ptx)]):
        return {}
    said = text([ptxas, "-v", f"-arch={arch}", "-o", str(Path(scratch) / "k.cubin"), str(ptx)])
    real = re.findall(r"entry function '([^']+)'.*?Used (\d+) registers", "".join(said or ()), re.S)
    estimates = {k["symbol"]: k["estimated_registers"] for k in json.loads(explained[0])["kernels"]}
    return {name: (estimates[name], int(n)) for name, n in real if name in estimates}


def main():
    options = [a for a in sys.argv[1:] if a.startswith("-")]
    arch = next((o.split("=")[1] for o in options if o.startswith("-arch=")), t.ARCH)
    files = [Path(a) for a in sys.argv[1:] if not a.startswith("-")]
    files = files or sorted(p for pattern in DEFAULT for p in t.ROOT.glob(pattern))
    ptxas = t.nvidia("bin/ptxas")
    if not ptxas:
        sys.exit("no ptxas: scripts/venv.sh installs it")
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for path in files:
            for name, (guess, real) in figures(path, arch, ptxas, scratch).items():
                rows.append((guess - real, guess, real, name, path.name))
    if not rows:
        sys.exit("no kernel was assembled")
    for row in sorted(rows, key=lambda r: (-abs(r[0]), r[3:])):
        print(*row)
    errors = [abs(r[0]) / r[2] for r in rows]
    print(f"{arch}: {len(rows)} kernels, relative error: median {statistics.median(errors):.1%}, "
          f"mean {statistics.mean(errors):.1%}; over 25 %: {sum(e > 0.25 for e in errors)}; "
          f"within 2 registers: {sum(abs(r[0]) <= 2 for r in rows)}")


if __name__ == "__main__":
    main()
