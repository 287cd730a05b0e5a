#!/usr/bin/env python3
"""libcu++'s own tests (`libcudacxx/test` of NVIDIA's CCCL) through unspool: compiled, assembled where there is a ptxas, and run
in the interpreter, where each of its assertions must hold.

    scripts/libcudacxx_tests.py UNSPOOL CCCL -I CUDA/include [--step 12 --first 5] [--ptxas PTXAS] [--define NAME=VALUE]

Prints a line for each test that does not pass, and how many of each kind there are: `rejected`, `not assembled`, `wrong` (an
assertion fails, or something else in the run), `passed`.
"""

import argparse
import collections
import pathlib
import subprocess
import tempfile


def first_error(text):
    lines = text.splitlines()
    at = next((i for i, line in enumerate(lines) if "error" in line), 0)
    return " ".join(line.strip() for line in lines[at : at + 2])[:300]


def run(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60)
    except subprocess.TimeoutExpired:
        return False, "error: no end in 60 s"
    return done.returncode == 0, done.stdout + done.stderr


def judge(a, test, folder):
    tests = a.cccl / "libcudacxx/test"
    source, ptx, result = (folder / name for name in ("test.cu", "test.ptx", "result.txt"))
    source.write_text(f'#include "force_include.h"\n#include "{test}"\n')
    where = [test.parent, tests / "libcudacxx", tests / "support", a.cccl / "libcudacxx/include", a.cccl / "cub", a.cccl / "thrust"]
    options = ["-arch=sm_90", "-std=c++20", "-w", *(f"-D{d}" for d in a.define)]
    options += [word for d in [*where, *a.include] for word in ("-I", str(d))]
    fine, said = run([a.unspool, "compile", source, "-o", ptx, *options])
    if not fine:
        return "rejected", said
    if a.ptxas:
        fine, said = run([a.ptxas, "-arch=sm_90", ptx, "-o", "/dev/null"])
        if not fine:
            return "not assembled", said
    kernel = ["--kernel", "_Z16fake_main_kernelPi", "--grid", "1", "--block", "1", "--arg", "out:i32:1", "--out", result]
    fine, said = run([a.unspool, "run", ptx, *kernel, "--check"])
    if not fine:
        return "wrong", said
    given = result.read_text().split()
    return ("passed", "") if given == ["0"] else ("wrong", f"error: it returns {' '.join(given)}")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("unspool", type=pathlib.Path)
    p.add_argument("cccl", type=pathlib.Path)
    p.add_argument("-I", dest="include", action="append", default=[])
    p.add_argument("--define", action="append", default=[])
    p.add_argument("--step", type=int, default=12)
    p.add_argument("--first", type=int, default=5)
    p.add_argument("--ptxas")
    a = p.parse_args()
    a.unspool, a.cccl = a.unspool.resolve(), a.cccl.resolve()
    all_tests = sorted((a.cccl / "libcudacxx/test").rglob("*.pass.cpp"))
    taken = [t for t in all_tests if "runfail" not in str(t) and "module_headers" not in str(t)]
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for test in taken[a.first - 1 :: a.step]:
            verdict, said = judge(a, test, pathlib.Path(folder))
            counts[verdict] += 1
            if verdict != "passed":
                print(f"{verdict}: {test.relative_to(a.cccl)}: {first_error(said)}", flush=True)
    print(", ".join(f"{n} {kind}" for kind, n in sorted(counts.items())))


if __name__ == "__main__":
    main()
