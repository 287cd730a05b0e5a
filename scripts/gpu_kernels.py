#!/usr/bin/env python3
"""Plays a pack of kernels on a GPU: unspool's code beside nvcc's, results and times.

    scripts/ptx_results.py TREE ... --pack DIR             # where nvcc, ptxas and unspool are: makes the pack
    scripts/gpu_kernels.py DIR --out OUT [--seconds 120]   # where a GPU is: needs Python and the driver, nothing else

Four rounds, in this order:

- `check`: each kernel from both cubins with the launch that the interpreter has made; what it leaves is compared bit by
  bit, ours with nvcc's and ours with the interpreter's. *Close* are floats that differ relatively by less than 1e-4.
- `jit`: unspool's texts given to the driver itself, and their first kernel checked again.
- `search`: sizes that fill the chip: large buffers and parameters, thousands of groups; where nvcc's kernel faults or does not end,
  the next smaller. What both leave there is compared on the device. A kernel of ours alone that faults is a failure.
- `time`: alone on the device, at the size found: both in turns, medians, the ratio; kernels under 5 µs say nothing.

The first three run in several processes; a kernel that faults takes its process along, and the others go on in a new one.
Results are written to OUT/results.jsonl as they come. `--sizes FILE` takes what an earlier run found (OUT/sizes.json).
Exit status 1 if something differs or faults.
"""

import argparse
import collections
import json
import math
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path

import kernel_plans as plans

CLOSE = 1e-4
# Seconds under which a time is the launch's, and over which a size is too large.
SHORT, LONG = 5e-6, 0.01
FLAT_SIZES, SQUARE_SIZES = [1 << 20, 1 << 16, 4096, 1024, 512, 256, 64], [4096, 1024, 512, 256, 64, 16]
MOST = {0: 1 << 20, 1: 1 << 20, 2: 4096, 3: 512}
GROUPS = 4096


def sizes_to_try(kernel):
    """(size, block, grid) from the largest on."""
    block = kernel["block"]
    if kernel.get("by_hand"):
        yield 1, block, kernel["grid"]
        return
    threads = block[0] * block[1] * block[2]
    # Several sizes are most often multiplied.
    most = MOST.get(sum(p.get("sized", False) for p in kernel["params"]), 256)
    for size in (s for s in (SQUARE_SIZES if kernel["square"] else FLAT_SIZES) if s <= most):
        if kernel["square"]:
            least = max(int(math.sqrt(GROUPS * 256 / threads)), 1)
            grid = [max(-(-size // block[0]), least), max(-(-size // block[1]), least), 1]
        else:
            wide = [256, 1, 1] if threads < 256 and block[1] == 1 and not kernel["own_shared"] and not kernel["shared"] else block
            grid = [max(-(-size // wide[0]), GROUPS), 1, 1]
            yield size, wide, grid
            continue
        yield size, block, grid
    yield kernel["size"], block, [GROUPS, 1, 1] if not kernel["square"] else [64, 64, 1]


class Worker:
    """A process that plays kernels; started anew when one has faulted."""

    def __init__(self, args, until):
        self.args, self.until, self.process, self.lines = args, until, None, None

    def start(self):
        command = [sys.executable, __file__, str(self.args.pack), "--worker", "--megabytes", str(self.args.megabytes)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        lines = self.lines = queue.Queue()
        out, err = self.process.stdout, self.process.stderr

        def read():
            for line in out:
                lines.put(line)
            lines.put("")

        threading.Thread(target=read, daemon=True).start()
        threading.Thread(target=err.read, daemon=True).start()

    def ask(self, **request):
        """The answer to a request; one that says `error` is this process's last."""
        limit = 8
        if self.process is None or self.process.poll() is not None:
            self.start()
            limit = 20
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            line = self.lines.get(timeout=max(min(limit, self.until - time.time()), 0.5))
            answer = json.loads(line) if line else {"error": "the process died"}
        except (OSError, ValueError):
            answer = {"error": "the process died"}
        except queue.Empty:
            answer = {"error": "late"}
        if "error" in answer:
            self.stop()
        return answer

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None


class Run:
    """What is played, until when, and what came of it."""

    def __init__(self, args):
        self.args = args
        self.start = time.time()
        self.end = self.start + args.seconds - 4
        plans_read = {p.stem: plans.read(p) for p in sorted(args.pack.glob("*.json"))}
        self.units = {u: plan for u, plan in plans_read.items() if plan["kernels"]}
        self.out = open(args.out / "results.jsonl", "w")
        self.lock = threading.Lock()
        self.records = collections.defaultdict(dict)
        self.sizes = json.loads(args.sizes.read_text()) if args.sizes else {}

    def name(self, unit, at):
        source = "/".join(Path(self.units[unit]["source"]).parts[-2:])
        return f"{source} {self.units[unit]['kernels'][at]['words'].split('(')[0][-60:]}"

    def record(self, round_, unit, at, answer):
        with self.lock:
            self.records[round_][(unit, at)] = answer
            self.out.write(json.dumps({"round": round_, "unit": unit, "kernel": at, "name": self.name(unit, at), **answer}) + "\n")
            self.out.flush()

    def everything(self, twins=True):
        seen = set()
        for unit, plan in self.units.items():
            for at, kernel in enumerate(plan["kernels"]):
                if twins or kernel["twin"] not in seen:
                    seen.add(kernel["twin"])
                    yield unit, at

    def parallel(self, round_, work, one, until, jobs):
        """Gives each item to one of some processes, until the time is over."""
        items = queue.Queue()
        for item in work:
            items.put(item)

        def serve():
            worker = Worker(self.args, self.end + 1)
            while time.time() < until:
                try:
                    item = items.get_nowait()
                except queue.Empty:
                    break
                self.record(round_, *item, one(worker, *item))
            worker.stop()

        threads = [threading.Thread(target=serve) for _ in range(jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return items.qsize()

    def share(self, fraction):
        return min(self.start + fraction * (self.end - self.start), self.end)

    def rounds(self):
        by_hand = lambda unit, at: self.units[unit]["kernels"][at].get("by_hand", False)
        # Of an earlier run.
        checked = lambda unit, at: by_hand(unit, at) or self.units[unit]["kernels"][at].get("checked", False)
        agreed = lambda unit, at: checked(unit, at) or self.records["check"].get((unit, at), {}).get("nvcc") in ("same", "close")
        left = {}
        ask = lambda do: lambda worker, unit, at: worker.ask(do=do, unit=unit, kernel=at)
        left["check"] = self.parallel("check", [i for i in self.everything() if not checked(*i)], ask("check"), self.share(0.28), self.args.jobs)
        texts = [(u, 0) for u in self.units if not by_hand(u, 0) and (self.args.pack / f"{u}.ours.ptx").exists()]
        left["jit"] = self.parallel("jit", texts, ask("jit"), self.share(0.4), self.args.jobs)
        other = lambda unit: (self.args.pack / f"{unit}.other.cubin").exists()
        work = sorted((i for i in self.everything(twins=False) if agreed(*i)), key=lambda i: (not by_hand(*i), not other(i[0]), f"{i[0]} {i[1]}" in self.sizes))
        left["search"] = self.parallel("search", work, self.search, self.share(0.62), max(self.args.jobs // 2, 1))
        found = {f"{u} {k}": r["at"] for (u, k), r in self.records["search"].items() if r.get("at")}
        (self.args.out / "sizes.json").write_text(json.dumps(self.sizes | found))
        work = [(u, k) for u, k in work if self.records["search"].get((u, k), {}).get("at")]
        left["time"] = self.parallel("time", work, self.timed, self.end, 1)
        return left

    def search(self, worker, unit, at):
        """The size at which nvcc's kernel takes longest, but not too long; both have run there."""
        kernel, best, faults = self.units[unit]["kernels"][at], None, []
        known = self.sizes.get(f"{unit} {at}")
        for size, block, grid in [known] if known else sizes_to_try(kernel):
            answer = worker.ask(do="search", unit=unit, kernel=at, size=size, block=block, grid=grid)
            if "error" in answer:
                faults.append(f"{answer.get('stage', '?')} at {size}: {answer['error']}")
                if answer.get("stage") == "ours" and answer["error"] != "late":
                    return {"wrong": f"only ours: {faults[-1]}", "at": None}
                continue
            if answer["differ"] and answer["stable"]:
                return {"wrong": f"differs at {size}: {answer['differ']}", "at": None, **answer}
            took, now = answer["seconds"], {**answer, "at": [size, block, grid]}
            if SHORT * 10 < took < LONG:
                best = now
                break
            # The nearest to these bounds.
            if best is None or took < LONG and took > best["seconds"] or took < best["seconds"] > LONG:
                best = now
        return {**(best or {"at": None}), "faults": faults}

    def timed(self, worker, unit, at):
        size, block, grid = self.records["search"][(unit, at)]["at"]
        return worker.ask(do="time", unit=unit, kernel=at, size=size, block=block, grid=grid, repeat=self.args.repeat)


def geometric(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def summary(run, left):
    """The lines at the end, and whether all was well."""
    records, bad = run.records, []
    name = lambda key: run.name(*key)
    for round_, other in (("check", "nvcc"), ("check", "interpreter"), ("jit", "nvcc")):
        counts = collections.Counter(r.get("error") and "error" or r[other] for r in records[round_].values())
        print(f"{round_}, ours and {other}'s: {dict(counts)}")
    for round_ in ("check", "jit"):
        for key, r in records[round_].items():
            if "error" in r:
                bad.append(f"{round_} {name(key)}: {r.get('stage', '')} {r['error']}")
            else:
                bad += [f"{round_} {name(key)}: unlike {o}'s: {r['far'].get(o)}" for o in ("nvcc", "interpreter") if r[o].isupper()]
    found = records["search"].values()
    print(f"search: {sum(bool(r.get('at')) for r in found)} of {len(found)} kernels have a size, "
          f"{sum(not r.get('stable', True) for r in found)} are not deterministic, {sum('wrong' in r for r in found)} wrong")
    bad += [f"search {name(k)}: {r['wrong']}" for k, r in records["search"].items() if "wrong" in r]
    rows = [(r["ours"] / r["nvcc"], key, r) for key, r in records["time"].items() if "error" not in r and r["nvcc"] >= SHORT]
    bad += [f"time {name(k)}: {r['error']}" for k, r in records["time"].items() if "error" in r]
    print(f"left for want of time: {left}; {time.time() - run.start:.0f} s in all")
    for line in bad[:26]:
        print("BAD " + line[:230])
    if len(bad) > 26:
        print(f"... and {len(bad) - 26} more, in results.jsonl")
    rows.sort(key=lambda r: -r[0])
    print(f"times: {len(rows)} kernels of 5 µs and more ({sum('error' not in r for r in records['time'].values())} timed), "
          f"ours over nvcc's: {geometric([r[0] for r in rows]):.4f}; over 1.02: {sum(r[0] > 1.02 for r in rows)}, "
          f"over 1.1: {sum(r[0] > 1.1 for r in rows)}, under 0.98: {sum(r[0] < 0.98 for r in rows)}, under 0.9: {sum(r[0] < 0.9 for r in rows)}")
    other = [(r["other"] / r["nvcc"], key, r) for _, key, r in rows if "other" in r]
    if other:
        print(f"the other code of ours over nvcc's: {geometric([r[0] for r in other]):.4f}; over ours, on {len(other)} kernels: "
              f"{geometric([r['other'] / r['ours'] for _, _, r in other]):.4f}")
    hand = [q for q, (unit, at), _ in rows if run.units[unit]["kernels"][at].get("by_hand")]
    print(f"of these with launches by hand: {len(hand)}, {geometric(hand):.4f}")
    show = lambda r: f"  {r[0]:.3f} {r[2]['ours'] * 1e6:.1f} µs, {r[2]['nvcc'] * 1e6:.1f}, registers {r[2].get('registers')} {name(r[1])[:90]}"
    for row in rows[:15] + ([("...",)] if len(rows) > 20 else []) + (rows[-5:] if len(rows) > 20 else []):
        print(show(row) if len(row) > 1 else "  ...")
    return not bad


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pack", type=Path)
    parser.add_argument("--out", type=Path, default=Path("gpu-kernels"))
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--jobs", type=int, default=16)
    parser.add_argument("--repeat", type=int, default=11, help="times that each is timed")
    parser.add_argument("--megabytes", type=int, default=256, help="the size of a buffer when times are measured")
    parser.add_argument("--sizes", type=Path, help="sizes.json of an earlier run")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        import gpu_worker

        return gpu_worker.serve(args.pack, args.megabytes << 20)
    args.out.mkdir(parents=True, exist_ok=True)
    run = Run(args)
    left = run.rounds()
    return 0 if summary(run, left) else 1


if __name__ == "__main__":
    sys.exit(main())
