#!/usr/bin/env python3
"""How near the register estimate of `unspool explain` comes to ptxas.

    scripts/registers.py [-arch=sm_90] [FILE ...]     # default: the benchmark suite and the sources of the tests
    scripts/registers.py --tree DIR --sample 170 --seed 1411 --half held
    scripts/registers.py --trees DIR                  # the files of scripts/sass_suite.txt and sass_suite2.txt, all their kernels

Of a tree, `.cu` files with a kernel below directories that end in `-cuda` are chosen at random, and the first three kernels of
each; the halves `fit` and `held` are told apart by the SHA-1 of a file's directory. Rules are made on the one, figures told of
the other. One line for each kernel, worst first: estimate minus ptxas, estimate, ptxas, kernel, file. Then the median and mean
relative error. Figures in docs/explain.md come from here.
"""

import argparse
import hashlib
import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import real_agreement
import sass_compare
import toolbox as t

DEFAULT = ["crates/bench/kernels/suite.*", "crates/filetests/run/*.cu", "crates/filetests/run/*.cl", "crates/fuzz/corpus/c*/*.c[lu]"]


def text(command):
    """Both outputs of a command, or None if it failed."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    return (done.stdout, done.stderr) if done.returncode == 0 else None


def figures(path, arch, ptxas, scratch, headers=()):
    """Pairs of estimate and truth by kernel; none where something is not understood."""
    explained = text([t.unspool(), "explain", str(path), f"-arch={arch}", "--format", "json", *headers])
    ptx = Path(scratch) / "k.ptx"
    if not explained or not text([t.unspool(), "compile", str(path), f"-arch={arch}", "-o", str(ptx), *headers]):
        return {}
    said = text([ptxas, "-v", f"-arch={arch}", "-o", str(Path(scratch) / "k.cubin"), str(ptx)])
    real = re.findall(r"entry function '([^']+)'.*?Used (\d+) registers", "".join(said or ()), re.S)
    estimates = {k["symbol"]: k["estimated_registers"] for k in json.loads(explained[0])["kernels"]}
    return {name: (estimates[name], int(n)) for name, n in real if name in estimates}


def chosen(args):
    """The files of one half of a sample, each with where its headers are looked for."""
    files = [f for f in real_agreement.sources([args.tree]) if "-cuda/" in str(f)]
    files = sorted(random.Random(args.seed).sample(files, args.sample))
    held = {f: hashlib.sha1(f.parent.name.encode()).digest()[-1] % 2 == 0 for f in files}
    near = argparse.Namespace(include=[], define=[])
    return {f: real_agreement.header_options(f, near) for f in files if held[f] == (args.half == "held")}


def listed(trees):
    """The files of both lists, each with where its headers are looked for."""
    near = argparse.Namespace(**sass_compare.headers_of(trees))
    lists = (sass_compare.SUITE, sass_compare.SUITE.with_name("sass_suite2.txt"))
    files = [f for name in lists for f in sass_compare.public_suite(trees, name)]
    return {f: real_agreement.header_options(f, near) for f in files}


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("-arch", default=t.ARCH)
    p.add_argument("--tree", type=Path)
    p.add_argument("--trees", type=Path, help="where the public programs of the lists are, as for sass_compare.py")
    p.add_argument("--sample", type=int, default=170)
    p.add_argument("--seed", type=int, default=1411)
    p.add_argument("--half", choices=["fit", "held"], default="held")
    p.add_argument("files", nargs="*", type=Path)
    args = p.parse_args()
    arch, most = args.arch, 3 if args.tree else None
    files = args.files or sorted(p for pattern in DEFAULT for p in t.ROOT.glob(pattern))
    files = chosen(args) if args.tree else listed(args.trees) if args.trees else dict.fromkeys(files, ())
    ptxas = t.nvidia("bin/ptxas")
    if not ptxas:
        sys.exit("no ptxas: scripts/venv.sh installs it")
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for path, headers in files.items():
            for name, (guess, real) in list(figures(path, arch, ptxas, scratch, headers).items())[:most]:
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
