#!/usr/bin/env python3
"""Khronos' OpenCL conformance tests, each in a process of its own, on one platform; prints what passed and what did not.

    scripts/conformance.py FOLDER [--tests api,basic,compiler] [--only NAME,…] [--driver PATH | --vendors FOLDER] [--timeout S] [--wimpy]
                           [--loader FOLDER] [--log FILE]

FOLDER is where the tests were built (`test_conformance` in the build folder of github.com/KhronosGroup/OpenCL-CTS); they are
not part of this repository. Without `--driver` and `--vendors` the driver is target/release/libunspool_opencl.so. A test that
crashes or takes longer than the time allowed counts as failed; one that needs what the device says it lacks is skipped.
`--wimpy` asks for the suite's short form; `--loader` names a folder with another libOpenCL.so.1 than the system's. With `--log`
each outcome is added to a file as it comes, with the seconds and the seconds of processor time that it took.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import toolbox as t


def names(binary, env):
    """The tests of a program, as its help lists them."""
    text = subprocess.run([binary, "--help"], env=env, capture_output=True, text=True, check=False).stdout
    listed = text.split("Test names:")[-1] if "Test names:" in text else ""
    return [line.strip() for line in listed.splitlines() if line.startswith("\t") and line.strip().replace("_", "").isalnum()]


def outcome(binary, name, env, timeout, folder, options):
    """pass, skip, fail, crash or timeout, and the last lines said."""
    results = Path(folder) / "result.json"
    results.unlink(missing_ok=True)
    env = dict(env, CL_CONFORMANCE_RESULTS_FILENAME=str(results))
    try:
        done = subprocess.run([binary, *options], env=env, capture_output=True, timeout=timeout, check=False, cwd=Path(binary).parent)
    except subprocess.TimeoutExpired:
        return "timeout", f"no end after {timeout} s"
    said = (done.stdout + done.stderr).decode(errors="replace").strip()
    try:
        result = json.loads(results.read_text())["results"].get(name, "fail")
    except (OSError, ValueError, KeyError):
        result = "crash" if done.returncode < 0 else "fail"
    lines = [line for line in said.splitlines() if "ERROR" in line or "rror:" in line or "FAILED" in line]
    return result, (lines or said.splitlines() or [""])[0].strip()[:160]


def used():
    """The processor time of the tests that have ended."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tests", default="api,basic,compiler")
    parser.add_argument("--only", default="")
    parser.add_argument("--driver", default=str(t.ROOT / "target/release/libunspool_opencl.so"))
    parser.add_argument("--vendors")
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--wimpy", action="store_true")
    parser.add_argument("--loader", type=Path)
    parser.add_argument("--log", type=Path)
    args = parser.parse_args()
    wanted = set(filter(None, args.only.split(",")))
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        if not args.vendors and not Path(args.driver).exists():
            sys.exit(f"{args.driver} is not there: cargo build --release -p unspool-opencl")
        Path(folder, "driver.icd").write_text(f"{Path(args.driver).resolve()}\n", encoding="utf-8")
        env = dict(os.environ, OCL_ICD_VENDORS=args.vendors or folder)
        if args.loader:
            env["LD_LIBRARY_PATH"] = str(args.loader.resolve())
        for test in args.tests.split(","):
            binary = next(iter(sorted(args.folder.glob(f"**/test_{test}"))), None)
            if binary is None:
                t.missing(f"test_{test} under {args.folder}")
                continue
            counts, bad = {}, []
            listed = names(binary.resolve(), env)
            for name in listed:
                if wanted and name not in wanted:
                    continue
                # The only test of a program is not named: for test_conversions a name is a conversion, and then none is tried.
                options = (["-w"] if args.wimpy else []) + ([name] if len(listed) > 1 else [])
                began, spent = time.monotonic(), used()
                result, said = outcome(binary.resolve(), name, env, args.timeout, folder, options)
                if args.log:
                    with args.log.open("a", encoding="utf-8") as log:
                        log.write(f"{test} {name} {result} {time.monotonic() - began:.1f} {used() - spent:.1f} {said}\n")
                counts[result] = counts.get(result, 0) + 1
                if result not in ("pass", "skip"):
                    bad.append([name, result, said])
            print(f"test_{test}: " + ", ".join(f"{counts[k]} {k}" for k in sorted(counts)), flush=True)
            if bad:
                failed = True
                print(t.table(["test", "outcome", "said"], bad), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
