#!/usr/bin/env python3
"""Runs a pack of scripts/gpu_programs.py on a GPU and compares both builds of each program. Standard library only.

    gpu_programs_play.py DIR --out RESULTS --seconds 300 [--jobs 16] [--match RE] [--library-path DIR]

First each program runs once with unspool's build, several programs at a time. One that checks its results itself and finds
them right passes; of the others nvcc's build runs, too, and the two are compared: exit status, what is printed (numbers may differ a
little, times are masked) and the program's own verdict are compared; where outputs differ nvcc's build runs again, and a
program that differs from itself counts as unsteady. Then, one after another, programs that print times run again in turns for
a ratio of times, the shortest first, as long as there are seconds. RESULTS gets each output and `results.json`.
"""

import argparse
import collections
import concurrent.futures
import json
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|\b-?(?:nan|inf)\b")
# A line that tells how long or how fast something was; its numbers are no results.
TIMED = re.compile(r"time|second|elapsed|latency|\b[mun]?s\b|\d[mun]s\b|[KMGT]i?B|[GMT]?FLOP|[kKMG]?Hz|rate|perf|speed|throughput|/s\b|per sec|ops\b|[\d.]+s\b|cycle|duration|0x[0-9a-f]{6,}", re.I)
UNIT = re.compile(r"\b(ns|us|ms|s|sec|seconds|usec|msec|milliseconds|microseconds)\b", re.I)
BAD = re.compile(r"fail|\berror(?!s?\s*(?:rate|[:=]\s*[-+]?0|\s*norm))|mismatch|incorrect|not match|wrong|illegal|not equal|invalid", re.I)
# What a program says that has compared its results with the processor's.
PASSED = re.compile(r"\bpass(?:ed)?\b|test success|results? (?:is|are) correct|verification (?:is )?success|arrays match", re.I)
GOOD = re.compile(r"\bpass(?:ed)?\b|success|correct|\bok\b|match", re.I)


class Player:
    def __init__(self, args):
        self.args, self.end = args, time.monotonic() + args.seconds
        self.bin, self.data = args.pack / "bin", args.pack / "data"
        self.env = dict(os.environ)
        if args.library_path:
            self.env["LD_LIBRARY_PATH"] = args.library_path

    def left(self):
        return self.end - time.monotonic()

    def run(self, program, label, limit):
        """Runs one build: (exit status or None for too long, output, seconds)."""
        limit = max(1.0, min(limit, self.left()))
        with tempfile.TemporaryDirectory() as folder:
            for argument, file in program["files"].items():
                place = Path(folder, argument.replace("..", "up"))
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(self.data / file, place)
            exe = os.path.abspath(self.bin / f"{program['name']}.{label}")
            arguments = [a.replace("..", "up") if a in program["files"] else a for a in program["arguments"]]
            begun = time.monotonic()
            with open(os.path.join(folder, ".said"), "w+b") as said:
                process = subprocess.Popen(
                    [exe, *arguments], stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT, cwd=folder, env=self.env,
                    start_new_session=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 26, 1 << 26)),
                )  # fmt: skip
                try:
                    status = process.wait(limit)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
                    status = None
                seconds = time.monotonic() - begun
                said.seek(0)
                # Programs that print their own name print the same.
                text = said.read(1 << 20).decode(errors="replace").replace(exe, program["name"])
        (self.args.out / f"{program['name']}.{label}.txt").write_text(f"# {program['arguments']} status {status} {seconds:.2f} s\n{text[:8000]}")
        return status, text, seconds

    def compare(self, program):
        """Plays both builds once."""
        if self.left() < 5:
            return {"verdict": "not reached", "why": "", "seconds": 0}
        ours = self.run(program, "ours", self.args.timeout)
        if ours[0] == 0 and PASSED.search(ours[1]) and not bad(ours[1]) and not self.args.both:
            return {"verdict": "passes", "why": "", "seconds": ours[2], "times": bool(times(ours[1], ours[1]))}
        theirs = self.run(program, "nvcc", self.args.timeout)
        found = {"seconds": theirs[2] + ours[2], "walls": [theirs[2], ours[2]]}
        if theirs[0] is None and ours[0] is None:
            return found | {"verdict": "both too long", "why": ""}
        if None in (theirs[0], ours[0]) and self.left() < 1:
            return found | {"verdict": "not reached", "why": ""}
        verdict, why = judge(theirs, ours)
        if verdict == "DIFFERS" and self.left() > 5:
            again = self.run(program, "nvcc", self.args.timeout)
            if judge(theirs, again)[0] != "same":
                verdict = "unsteady"
                if bad(ours[1]) and not bad(theirs[1]) and not bad(again[1]):
                    verdict, why = "WRONG", f"says: {bad(ours[1])[0][:100]}"
        return found | {"verdict": verdict, "why": why, "times": bool(times(theirs[1], ours[1]))}


def bad(text):
    return [line.strip() for line in text.splitlines() if BAD.search(line)]


def judge(theirs, ours):
    """What two runs tell about the second: (verdict, why)."""
    if ours[0] is None:
        return "TOO LONG", f"nvcc's took {theirs[2]:.1f} s"
    if theirs[0] is None:
        return "nvcc's too long", ""
    if theirs[0] != ours[0]:
        said = bad(ours[1]) or ours[1].strip().splitlines()[-1:] or [""]
        return ("STATUS" if theirs[0] == 0 else "status, nvcc's fails"), f"{theirs[0]} became {ours[0]}: {said[0][:100]}"
    if theirs[0] != 0:
        return "both fail", (theirs[1].strip().splitlines() or [""])[-1][:80]
    if len(bad(ours[1])) > len(bad(theirs[1])):
        return "WRONG", f"says: {next(b for b in bad(ours[1]) if b not in bad(theirs[1]) or True)[:100]}"
    if (difference := differing(theirs[1], ours[1])) is not None:
        return "DIFFERS", difference
    return ("same, both say wrong" if bad(theirs[1]) and not GOOD.search(theirs[1]) else "same"), ""


def differing(theirs, ours):
    """The first difference of two outputs, or None."""
    a, b = theirs.splitlines(), ours.splitlines()
    if len(a) != len(b):
        extra = next((y for x, y in zip(a, b) if NUMBER.sub("#", x) != NUMBER.sub("#", y)), "")
        return f"{len(a)} lines became {len(b)}: {extra[:80]}"
    for x, y in zip(a, b):
        if x == y or (TIMED.search(x) and TIMED.search(y)):
            continue
        if NUMBER.sub("#", x).split() != NUMBER.sub("#", y).split():
            return f"`{x[:60]}` became `{y[:60]}`"
        for p, q in zip(NUMBER.findall(x), NUMBER.findall(y)):
            if not close(float(p), float(q)):
                return f"`{x.strip()[:60]}` became `{y.strip()[:60]}`"
    return None


def close(x, y):
    if x == y or (math.isnan(x) and math.isnan(y)):
        return True
    # Sums in another order and contraction change last digits; a difference that is an error's size stands near zero.
    return abs(x - y) <= 2e-3 * max(abs(x), abs(y)) or max(abs(x), abs(y)) < 1e-4


def times(theirs, ours):
    """Pairs of times that both outputs tell in the same words."""
    pairs = []
    a, b = theirs.splitlines(), ours.splitlines()
    if len(a) != len(b):
        return []
    for x, y in zip(a, b):
        if re.search(r"host|cpu|copy|transfer|total|wall|memcpy|h2d|d2h|alloc|reference|serial", x, re.I) or not UNIT.search(x):
            continue
        if NUMBER.sub("#", x) != NUMBER.sub("#", y) or not re.search(r"time|took|elapsed|kernel|average|duration|latency", x, re.I):
            continue
        for p, q in zip(NUMBER.finditer(x), NUMBER.finditer(y)):
            if UNIT.match(x[p.end() :].lstrip(" (")) and float(p.group()) > 0 and float(q.group()) > 0:
                pairs.append((float(p.group()), float(q.group())))
    return pairs


def measure(player, program, runs):
    """The least times of several runs in turns: the geometric mean of ours over theirs, or None."""
    best = {"nvcc": None, "ours": None}
    for _ in range(runs):
        got = {label: player.run(program, label, player.args.timeout)[1] for label in best}
        pairs = times(got["nvcc"], got["ours"])
        if not pairs or (best["nvcc"] and len(best["nvcc"]) != len(pairs)):
            return None
        for at, label in enumerate(best):
            new = [p[at] for p in pairs]
            best[label] = new if best[label] is None else [min(x, y) for x, y in zip(best[label], new)]
    logs = [math.log(y / x) for x, y in zip(best["nvcc"], best["ours"])]
    return math.exp(sum(logs) / len(logs))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pack", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--timeout", type=float, default=20)
    parser.add_argument("--jobs", type=int, default=16)
    parser.add_argument("--runs", type=int, default=2, help="for times: runs of each build")
    parser.add_argument("--both", action="store_true", help="nvcc's build, too, where a program checks its own results")
    parser.add_argument("--match", default="")
    parser.add_argument("--library-path", help="where libcuda.so.1 is, if not the system's")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    args.pack, args.out = args.pack.resolve(), args.out.resolve()
    programs = [p for p in json.loads((args.pack / "programs.json").read_text()) if re.search(args.match, p["name"])]
    player, results, lock = Player(args), {}, threading.Lock()

    def keep():
        (args.out / "results.json").write_text(json.dumps(results, indent=1, sort_keys=True))

    def one(program):
        try:
            found = player.compare(program)
        except (OSError, ValueError) as e:
            found = {"verdict": "NOT RUN", "why": f"{type(e).__name__}: {e}", "seconds": 0}
        with lock:
            results[program["name"]] = found
            keep()

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        list(pool.map(one, programs))
    timed = [p for p in programs if results[p["name"]]["verdict"] in ("same", "passes", "unsteady") and results[p["name"]].get("times")]
    timed.sort(key=lambda p: results[p["name"]]["seconds"])
    for program in timed:
        need = results[program["name"]]["seconds"] * args.runs
        if player.left() < need + 3:
            break
        if ratio := measure(player, program, args.runs):
            results[program["name"]]["ratio"] = ratio
            keep()
    return report(results, args)


def report(results, args):
    counts = collections.Counter(r["verdict"] for r in results.values())
    print(", ".join(f"{n} {v}" for v, n in counts.most_common()))
    lines = [f"{v['verdict']} {n}: {v['why']}" for n, v in sorted(results.items()) if v["verdict"] not in ("same", "passes", "both too long", "not reached")]
    lines.sort(key=lambda line: (not line.split()[0].isupper(), line))
    for line in lines[:48]:
        print(line[:170])
    ratios = sorted((r["ratio"], n) for n, r in results.items() if "ratio" in r)
    if ratios:
        mean = math.exp(sum(math.log(r) for r, _ in ratios) / len(ratios))
        print(f"times of {len(ratios)} programs, ours over nvcc's: geometric mean {mean:.3f}, median {ratios[len(ratios) // 2][0]:.3f}")
        print("slowest: " + ", ".join(f"{n} {r:.2f}" for r, n in ratios[::-1][:12]))
        print("fastest: " + ", ".join(f"{n} {r:.2f}" for r, n in ratios[:6]))
    return int(any(v.split()[0].isupper() for v in counts))


if __name__ == "__main__":
    sys.exit(main())
