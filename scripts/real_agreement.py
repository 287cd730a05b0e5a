#!/usr/bin/env python3
"""Real programs, compiled by nvcc and by unspool: on how many of their loops do both decide alike?

    scripts/real_agreement.py TREE|FILE.cu ... [-I DIR] [-D NAME=VALUE] [--sample 200 --seed 1] [--keep DIR]

Every .cu file with a kernel is compiled with both. What nvcc's unroller says of a loop comes from its own remarks,
what unspool's does from `unspool explain --format json`. Loops are matched by function and file, in the order of
their lines; a loop that is inlined at several places, or whose function is split by the optimiser, has several
decisions, and what is compared is the set of those that change it. A loop that only one of the two has is counted
apart: the other removed it before, or does not inline its function.

The directory of a file, its parent, `common` and `include` beside them are searched for headers besides those of -I.
Files that a compiler rejects are listed with its first error. `--keep` stores nvcc's remarks, which take most of the
time, for the next run. Where nvcc for sm_100 and later says only what it did, and at which line, a loop of ours that it does
not name counts as one that it left, and the functions of a file are taken together (`--by-line` does so in any case). Lines of a function are paired in their order; nvcc gives the place of the branch into a loop, so
that pairs of the same nesting depth are preferred. Exit status 0 if the comparison ran.
"""

import argparse
import collections
import concurrent.futures
import functools
import hashlib
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import toolbox as t

START = re.compile(r"Starting analysis in (?:nested )?loop(?: \(loop depth : (\d+)\))?.*in function F\[(.*?)\]")
REMARK = re.compile(r"^remark: (.*?):(\d+):(\d+): ?(.*)$")


def sources(paths):
    """The .cu files of the trees that have a kernel."""
    for path in paths:
        for file in sorted(path.rglob("*.cu")) if path.is_dir() else [path]:
            if file.is_file() and "__global__" in file.read_text(errors="replace"):
                yield file


def header_options(file, args):
    here = file.resolve().parent
    near = [here] + [d / n for d in (here, here.parent) for n in ("", "include", "common", "inc")]
    found = [d for d in dict.fromkeys(near) if d.is_dir()]
    return [f"-I{d}" for d in [*found, *args.include]] + [f"-D{d}" for d in args.define]


def run(command, limit):
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return None, "", "took too long"
    return done.returncode, done.stdout, done.stderr


def nvcc_remarks(file, args):
    """nvcc's exit status and all it says; from the store if it is there."""
    options = [f"-arch={args.arch}", "-w", "-lineinfo", f"-std={args.std}", *header_options(file, args)]
    for what in ("", "-missed", "-analysis"):
        options += ["-Xcicc", "--Xllc", "-Xcicc", f"-pass-remarks{what}=loop-unroll"]
    command = [args.nvcc, "-ptx", *options, str(file), "-o", os.devnull]
    store = None
    if args.keep:
        digest = hashlib.sha256("\0".join(command).encode() + file.read_bytes()).hexdigest()[:24]
        store = args.keep / digest
        if store.exists():
            status, _, text = store.read_text().partition("\n")
            return int(status), text
    status, out, err = run(command, args.timeout)
    text = out + err
    if store and status is not None:
        store.write_text(f"{status}\n{text}")
    return status, text


# What nvcc says of straight-line code and of copies that it has made; without it the loop is as it was (rounds with a breakout,
# late; loops that never end, of which it makes 4 copies only in words).
STRAIGHTENED = "completely unrolled loop"
COPIED = ("unrolled loop by a factor of", "Note : cannot generate the remainder loop. Will unroll the main loop with side-exits")


def nvcc_fate(lines):
    """What one analysis of nvcc came to: (kind, factor), the rule that decided, and why not."""
    strategy, failed, reasons = None, False, []
    applied, copied = (any(line.strip().startswith(words) for line in lines) for words in (STRAIGHTENED, COPIED))
    for n, line in enumerate(lines):
        words = line.strip()
        if words.startswith("Success!"):
            strategy = lines[n + 1].strip() if n + 1 < len(lines) else ""
        elif words.startswith(("Failed", "Not unrolling")):
            failed = strategy is not None
            reasons.append(words.removeprefix("Failed : "))
    why = reasons[-1] if reasons else ""
    if strategy is None or failed or "straight-line" in strategy and not applied:
        return ("kept", 0), why
    factor = re.search(r"factor of (\d+)", strategy) or re.search(r"by (\d+) iterations", strategy)
    count = int(factor.group(1)) if factor else 0
    if "peel" in strategy:
        return ("peel", count), strategy
    if count == 1:
        # What `#pragma unroll 1` comes to.
        return ("kept", 0), strategy
    if "straight-line" in strategy or strategy.startswith("fully"):
        return ("full", 0), strategy
    if strategy.startswith("runtime"):
        return ("runtime", count) if copied else ("kept", 0), strategy
    return ("partial", count), strategy


def nvcc_loops(text):
    """{(function, file, line): [((kind, factor), why)]} of nvcc's remarks, and the depth of each look."""
    found, depths, block, key = collections.defaultdict(list), collections.defaultdict(list), [], None
    before = set()

    def close():
        # A remainder and what a hint forbids say nothing of their own. Sines and cosines bring a loop of six rounds
        # over an array of seven from NVIDIA's library, at the place of the call.
        library = {"local arrays with approximate size of 7", "completely unrolled loop with 6 iterations"}
        from_library = all(any(words in line for line in block) for words in library)
        forbidden = any("unroll disable pragma" in line for line in block)
        if key and forbidden and any("from an inlined function" in line for line in block):
            changed = any(f[0] != "kept" for f, _ in found.get(key, ()))
            before.update(() if changed else [key])
        if key and not from_library and not forbidden:
            found[key].append(nvcc_fate(block))
            depths[key].append(depth)

    for line in text.splitlines():
        if not (m := REMARK.match(line)):
            continue
        if start := START.search(m.group(4)):
            close()
            block, key = [], (start.group(2), Path(m.group(1)).name, int(m.group(2)))
            depth = int(start.group(1) or 1)
        else:
            block.append(m.group(4))
    close()
    unrolled_before(found, depths, before)
    return found, depths


def unrolled_before(found, depths, places):
    """nvcc may unroll a function's loops before it inlines the function: then what it inlines has a remainder already when it
    first looks at it. What was done to the loop is what was done in the function itself, and what was done again."""
    for key in places & set(found):
        others = [k for k in found if k[1:] == key[1:] and k not in places]
        changes = [look for k in others for look in found[k] if look[0][0] != "kept"]
        again = [(look, depth) for look, depth in zip(found[key], depths[key]) if look[0][0] != "kept"]
        if changes:
            deepest = max(depths[key])
            found[key] = changes + [look for look, _ in again]
            depths[key] = [deepest] * len(changes) + [depth for _, depth in again]


def apart(theirs, depths, ours):
    """nvcc may give a loop the place of the one inside of it, so that two loops have one line. Those of a depth that unspool has
    not at that line are taken for another loop right before it. What there is, with the depth of each loop."""
    found, depth_of = {}, {}
    for key, looks in theirs.items():
        strange = {d for d in depths[key] if key in ours and d not in ours[key] and d < max(depths[key])}
        for nested in {d if d in strange else 0 for d in depths[key]}:
            own = (*key[:2], key[2] - 1 / (nested + 1) if nested else key[2])
            of = [(look, d) for look, d in zip(looks, depths[key]) if (d if d in strange else 0) == nested]
            found[own], depth_of[own] = [look for look, _ in of], of[0][1]
    return found, depth_of


WIDE = re.compile(r"(completely unrolled loop)|unrolled loop by a factor of (\d+)( with run-time trip count)?|peeled loop by (\d+)")


# Sines and cosines bring a loop of six rounds from NVIDIA's library, at the place of the call.
TURNS = re.compile(r"(sin|cos|tan)(cos)?(pi)?f?\s*\(")


@functools.cache
def lines_of(path):
    path = Path(path)
    return path.read_text(errors="replace").splitlines() if path.is_file() else []


def line_at(path, line):
    """The text of a line of the program or of a header; empty if there is none."""
    return lines_of(path)[line - 1] if 0 < line <= len(lines_of(path)) else ""


def texts_at(text):
    """{(no function, file, line): the line} of all places in nvcc's remarks."""
    places = (m for m in map(REMARK.match, text.splitlines()) if m)
    return {("", Path(m.group(1)).name, int(m.group(2))): line_at(m.group(1), int(m.group(2))) for m in places}


def wide_loops(text):
    """The same of the compiler for sm_100 and later, which says what it did, in no function, and nothing of loops that stay."""
    found = collections.defaultdict(list)
    for line in text.splitlines():
        m = REMARK.match(line)
        did = m and WIDE.search(m.group(4))
        if not did:
            continue
        full, factor, runtime, peeled = did.groups()
        kind = "full" if full else "peel" if peeled else "runtime" if runtime else "partial"
        if full and iterations(m.group(4)) == "1":
            kind = "gone"
        fate = (kind, int(peeled or factor or 0))
        if fate == ("partial", 6) and TURNS.search(line_at(m.group(1), int(m.group(2)))):
            continue
        found["", Path(m.group(1)).name, int(m.group(2))].append((fate, m.group(4)))
    return found


def first_inside(explained):
    """{(function, file, line): the first loop inside of that one}, of all functions together. Behind a loop the next deeper
    one in the same file is inside of it; so may be those of functions that are inlined, wherever they stand."""
    inside = collections.defaultdict(set)
    for function in explained["functions"]:
        loops = {}
        for loop in function["loops"]:
            for look in loop["looks"]:
                place = look["place"] or loop["place"]
                if place and not place["file"].startswith("<"):
                    key = ("", Path(place["file"]).name, place["line"])
                    loops.setdefault(key, (int(look["facts"].get("depth", 1)), loop.get("instance")))
        for key, (depth, _) in loops.items():
            behind = sorted(k for k in loops if k[1] == key[1] and k[2] > key[2])
            inside[key].update(k for k in behind[:1] if loops[k][0] == depth + 1)
            inside[key].update(k for k, (d, instance) in loops.items() if instance and d == depth + 1)
    return inside


def hand_to_outer(theirs, ours, trips, inside):
    """A loop whose inner loops became straight-line code has the place of the first of these in nvcc's remarks. So what
    nvcc did at a line that unspool has nothing for there, and has for a loop shortly before that nvcc does not name, is
    that loop's: the same change, and as many iterations where it is straight-line code; or another factor for a trip count
    known at run time. Of a template, nvcc may give another instance of that loop its own place: then what was done to both."""
    for key in sorted(ours):
        wanted = fate(ours[key])
        again = key in theirs
        if wanted == (("kept", 0),) or again and (wanted != fate(theirs[key]) or wanted[0][0] != "runtime"):
            continue
        near = {k for k in theirs if k[:2] == key[:2] and 0 < k[2] - abs(key[2]) <= NEAR}
        for other in sorted(near | (inside.get(key, set()) & set(theirs))):
            has = {f for f, _ in ours.get(other, [])}
            if again and not (any(f == ("full", 0) for f, _ in theirs[other]) and wanted[0] not in has):
                continue
            for said in list(theirs[other]):
                one = factor_of_all(said, trips[key]) if wanted == (("full", 0),) else said
                full = one[0][0] == "full"
                count = full and iterations(one[1])
                twice = theirs[other].count(said) > 1
                free = twice or (count not in trips.get(other, ()) if full else one[0] not in has)
                # Another factor is another decision of the same loop, if nothing else there can have it.
                same_kind = not again and one[0][0] == "runtime" == wanted[0][0] and all(f[0] != "runtime" for f in has)
                if ((one[0],) == wanted and free or same_kind and len(theirs[other]) > 1) and (
                    not full or count in trips[key]
                ):
                    theirs[other].remove(said)
                    theirs.setdefault(key, []).append(one)
                    break
            else:
                continue
            theirs[other] = theirs[other] or [(("kept", 0), "")]
            break


def factor_of_all(look, trips):
    """The same, told as nvcc tells straight-line code, if it is a factor asked for that is the number of iterations."""
    (kind, factor), _ = look
    full = kind == "partial" and str(factor) in trips
    return (("full", 0), f"{STRAIGHTENED} with {factor} iterations") if full else look


def as_full(theirs, trips):
    """A factor asked for that is the number of iterations makes straight-line code, which nvcc tells as a factor."""
    for key, looks in theirs.items():
        counts = {("partial", int(n)) for n in trips.get(key, ()) if n and n.isdigit()}
        theirs[key] = [(("full", 0), why) if f in counts else (f, why) for f, why in looks]


def iterations(words):
    """How many iterations nvcc says it made straight-line code of."""
    m = re.search(r"with (\d+) iterations", words)
    return m and m.group(1)


def full_trips(explained):
    """{(function, file, line): the trip counts of loops that unspool made straight-line code of}, of all functions together."""
    found = collections.defaultdict(set)
    for function in explained["functions"]:
        for loop in function["loops"]:
            for look in loop["looks"]:
                place = look["place"] or loop["place"]
                if place and not place["file"].startswith("<") and KINDS.get(look["kind"]) == "full":
                    found["", Path(place["file"]).name, place["line"]].add(str(look["facts"].get("trips")))
    return found


def without_functions(found):
    """What was found in all functions together."""
    joined = collections.defaultdict(list)
    for (_, file, line), looks in found.items():
        joined["", file, line] += looks
    return joined


KINDS = {"full": "full", "upper-bound": "full", "partial": "partial", "runtime": "runtime", "side-exits": "runtime",
         "peel": "peel"}


def unspool_loops(explained, wide):
    """The same of unspool's explanation, with the depths of each loop."""
    # Copies that may each end the loop: the compiler for sm_100 and later says no more of them than their number.
    kinds = {**KINDS, "side-exits": "partial"} if wide else KINDS
    found, depths, stages = (collections.defaultdict(list) for _ in range(3))
    symbols = {kernel["name"]: kernel["symbol"] for kernel in explained["kernels"]}
    for function in explained["functions"]:
        for loop in function["loops"]:
            for look in loop["looks"]:
                place = look["place"] or loop["place"]
                # nvcc's library and headers have other loops than ours (`<builtin library>`, `<unspool>/…`).
                if not place or place["file"].startswith("<"):
                    continue
                key = (symbols.get(function["name"], function["name"]), Path(place["file"]).name, place["line"])
                depths[key].append(int(look["facts"].get("depth", 1)))
                kind = kinds.get(look["kind"], "kept")
                count = 0
                if kind == "peel":
                    count = int((re.search(r"\d+", look["done"]) or [0])[0])
                elif kind in ("partial", "runtime"):
                    count = look["copies"]
                decided = [s["rule"] for s in look["trail"] if s["decided"]]
                if decided == ["entry"] and kind == "full":
                    kind = "gone"
                found[key].append(((kind, count), f"{', '.join(decided)}: {look['reason']}"))
                stages[key].append((look["stage"], kind))
    # What was a loop for the early look, and runs just once in all that the late one finds, is straight-line code.
    for key, looked in stages.items():
        late = {kind for stage, kind in looked if stage == "late"}
        if late == {"gone"} and ("early", "kept") in looked:
            found[key].append((("full", 0), "late: the body runs just once"))
    return found, depths


def fate(looks):
    """The changes that were made to a loop: those of all of its copies, without what the late look says again."""
    # What runs just once is no loop; where no other version of it is left, that is what was made of it.
    if all(f[0] in ("gone", "kept") for f, _ in looks) and not any(f[0] == "kept" for f, _ in looks):
        return (("full", 0),)
    changes = {f for f, _ in looks if f[0] not in ("kept", "gone")}
    kinds = {kind for kind, _ in changes}
    if "full" in kinds:
        # Several copies first and straight-line code for what is left later: straight-line code.
        changes = {c for c in changes if c[0] not in ("partial", "peel")}
    return tuple(sorted(changes)) or (("kept", 0),)


def words(f):
    return " and ".join(kind if not count else f"{kind} {count}" for kind, count in f)


def reason(looks, f):
    """Why the decision that `f` names was taken; for a kept loop, what the first look said."""
    for one, why in looks:
        if f == (("kept", 0),) or one in f:
            return why
    return ""


NEAR, ALONE, SAME, OTHER_DEPTH, FAR = 12, 7, 5, 6, 40


def align(theirs, ours):
    """Pairs two ascending lists of (line, depth) in their order: each pair costs how far apart it is, at most NEAR, and
    OTHER_DEPTH if it is nested otherwise; each line without a partner ALONE; the same line and depth on both sides earns
    SAME. nvcc gives the place of the branch into a loop, which may be some lines before or after the loop's; fates play
    no part."""
    costs = {(0, 0): (0, None)}
    for i in range(len(theirs) + 1):
        for j in range(len(ours) + 1):
            ways = []
            if i:
                ways.append((costs[i - 1, j][0] + ALONE, (i - 1, j)))
            if j:
                ways.append((costs[i, j - 1][0] + ALONE, (i, j - 1)))
            if i and j and abs(theirs[i - 1][0] - ours[j - 1][0]) <= NEAR:
                apart = abs(theirs[i - 1][0] - ours[j - 1][0])
                cost = apart or -SAME
                if None not in (theirs[i - 1][1], ours[j - 1][1]) and theirs[i - 1][1] != ours[j - 1][1]:
                    cost = apart + OTHER_DEPTH
                ways.append((costs[i - 1, j - 1][0] + cost, (i - 1, j - 1)))
            if ways:
                costs[i, j] = min(ways)
    at, pairs = (len(theirs), len(ours)), []
    while (before := costs[at][1]) is not None:
        if before == (at[0] - 1, at[1] - 1):
            pairs.append((theirs[before[0]][0], ours[before[1]][0]))
        at = before
    return pairs


def pair_neighbours(theirs, ours, their_depths, our_depths):
    """Gives unspool's loops the lines that nvcc's have; also {their own: what they have now}."""
    renamed, names = {}, {}
    for place in {k[:2] for k in ours}:
        sides = (theirs, their_depths), (ours, our_depths)
        lines = [sorted(((k[2], depths[k]) for k in side if k[:2] == place), key=lambda l: l[0]) for side, depths in sides]
        partners = {mine: their for their, mine in align(*lines)}
        taken = set(partners.values())
        for line, _ in lines[1]:
            # What has no partner keeps a line that is nobody's.
            name = partners.get(line, line if line not in taken else -line)
            renamed[(*place, name)] = ours[(*place, line)]
            names[(*place, line)] = (*place, name)
    return renamed, names


def innermost(theirs, explained):
    """For both sides, in place of depths: whether what was done to a loop shows that no loop was inside of it any more (the
    compiler for sm_100 and later gives copies to such loops only, where the trip count is known when they run), and whether
    loops of unspool's had none when it looked at them. None where that is not known."""
    inner = collections.defaultdict(lambda: None)
    for function in explained["functions"]:
        for loop in function["loops"]:
            for look in loop["looks"]:
                place = look["place"] or loop["place"]
                if place:
                    key = ("", Path(place["file"]).name, place["line"])
                    inner[key] = bool(inner[key]) or "has inner loops" not in look["facts"]
    runtime = {key: True if any(f[0] == "runtime" for f, _ in looks) else None for key, looks in theirs.items()}
    return runtime, inner


LOOP = re.compile(r"\b(for|while|do)\b")


def pair_inlined(theirs, ours, names, texts):
    """A place of nvcc's that has no partner, and where no loop stands in the text, is one in a function that is inlined into
    the loop's body: it goes to the loop of unspool's that was changed, however, and has no partner either, if that is one alone."""
    for key in sorted(k for k in theirs if k not in ours):
        if LOOP.search(texts.get(key, "for")):
            continue
        alone = [k for k in ours if k not in theirs and any(f[0] not in ("kept", "gone") for f, _ in ours[k])]
        if len(alone) == 1:
            ours[key] = ours.pop(alone[0])
            for own, now in names.items():
                if now == alone[0]:
                    names[own] = key


def pair_bodies(theirs, ours, names):
    """The compiler for sm_100 and later may give a loop the place of something in its body. So a place of nvcc's that has no
    partner goes to the last loop of unspool's that begins before it, within FAR lines, if that has none either; fates play no part."""
    begins = {now: own[2] for own, now in names.items()}
    for key in sorted(k for k in theirs if k not in ours):
        before = [k for k in ours if k[:2] == key[:2] and 0 < key[2] - begins[k] <= FAR]
        last = max(before, key=lambda k: begins[k], default=None)
        if last and last not in theirs:
            ours[key] = ours.pop(last)
            for own, now in names.items():
                if now == last:
                    names[own] = key
            begins[key] = begins.pop(last)


def join_nested(theirs, ours):
    """nvcc gives a loop and the one around it the same place where nothing stands between them; unspool's two are told
    as one then: where a place of nvcc's has what two neighbouring ones of unspool's have, and nvcc has only one of them."""
    for key in sorted(set(theirs) & set(ours)):
        wanted = fate(theirs[key])
        if wanted == fate(ours[key]):
            continue
        if any(f[0] == "gone" for f, _ in ours[key]):
            continue
        alone = [k for k in ours if k[:2] == key[:2] and k not in theirs and 0 < abs(abs(k[2]) - key[2]) <= NEAR]
        for other in sorted(alone, key=lambda k: abs(abs(k[2]) - key[2])):
            if fate(ours[other] + ours[key]) == wanted:
                ours[key] += ours.pop(other)
                break


def compare(file, args):
    """All that is to be said of one file."""
    status, remarks = nvcc_remarks(file, args)
    if status != 0:
        first = next((l for l in remarks.splitlines() if "error" in l), remarks[:200])
        return {"file": str(file), "nvcc": first or "took too long"}
    options = [f"-arch={args.arch}", "--format", "json", *header_options(file, args)]
    command = [args.unspool, "explain", str(file), *options]
    status, out, err = run(command, args.timeout)
    try:
        explained = json.loads(out)
    except ValueError:
        return {"file": str(file), "unspool": (err.strip().splitlines() or [f"exit status {status}"])[0]}
    if status != 0:
        wrong = [d for d in explained.get("diagnostics", []) if d.get("severity") == "error"]
        first = wrong[0] if wrong else {}
        at = first.get("place") or {}
        said = f"{at.get('line', '?')}: {first.get('code', '')} {first.get('message', err[:200])}"
        return {"file": str(file), "unspool": said}
    wide = int(re.sub(r"\D", "", args.arch)) >= 100 and (args.by_line or not START.search(remarks))
    ours, our_depths = unspool_loops(explained, wide)
    if wide:
        theirs, ours = wide_loops(remarks), without_functions(ours)
        their_depths, our_depths = innermost(theirs, explained)
    else:
        theirs, their_depths = apart(*nvcc_loops(remarks), our_depths)
        our_depths = {key: depths[0] for key, depths in our_depths.items()}
    ours, names = pair_neighbours(theirs, ours, their_depths, our_depths)
    if wide:
        pair_bodies(theirs, ours, names)
        trips = {names[key]: trips for key, trips in full_trips(explained).items()}
        as_full(theirs, trips)
        inside = {names[key]: {names[k] for k in inner} for key, inner in first_inside(explained).items()}
        hand_to_outer(theirs, ours, trips, inside)
        pair_inlined(theirs, ours, names, texts_at(remarks))
        # What runs just once is no loop, and nvcc says nothing of it.
        ours = {key: looks for key, looks in ours.items() if key in theirs or any(f[0] != "gone" for f, _ in looks)}
        theirs.update({key: [(("kept", 0), "")] for key in ours if key not in theirs})
    join_nested(theirs, ours)
    rows = []
    for key in sorted(set(theirs) | set(ours)):
        row = {"function": key[0], "file": key[1], "line": key[2]}
        for name, side in (("nvcc", theirs), ("unspool", ours)):
            looks = side.get(key)
            row[name] = looks and words(fate(looks))
            row[name + "_why"] = looks and reason(looks, fate(looks))
        rows.append(row)
    return {"file": str(file), "loops": rows}


def report(results, args):
    both = [dict(row, source=r["file"]) for r in results for row in r.get("loops", [])]
    matched = [row for row in both if row["nvcc"] and row["unspool"]]
    differing = [row for row in matched if row["nvcc"] != row["unspool"]]
    for label in ("nvcc", "unspool"):
        rejected = [r for r in results if label in r]
        print(f"{label} rejects {len(rejected)} of {len(results)} files")
        for r in rejected if args.show_rejected or label == "unspool" else []:
            print(f"    {r['file']}: {r[label]}")
    for label, other in (("nvcc", "unspool"), ("unspool", "nvcc")):
        alone = [row for row in both if row[label] and not row[other]]
        print(f"only {label} has {len(alone)} loops")
        if args.show_alone:
            for row in alone:
                print(f"    {row['source']}:{row['file']}:{row['line']} {row['function']}: {row[label]}")
    groups = collections.defaultdict(list)
    for row in differing:
        groups[row["nvcc"], row["unspool"], re.sub(r"\d+", "N", row["unspool_why"])].append(row)
    for (theirs, ours, why), rows in sorted(groups.items(), key=lambda g: -len(g[1])):
        print(f"\n{len(rows)}: nvcc {theirs}, unspool {ours} ({why})")
        for row in rows[:args.show]:
            print(f"    {row['source']}: {row['file']}:{row['line']} in {row['function']}")
            print(f"        nvcc: {row['nvcc_why']}\n        unspool: {row['unspool_why']}")
    places = {(row["source"], row["file"], row["line"]) for row in matched}
    bad = {(row["source"], row["file"], row["line"]) for row in differing}
    for what, good, total in (("loops", len(matched) - len(differing), len(matched)),
                              ("source lines with loops", len(places) - len(bad), len(places))):
        print(f"{what} agreed on: {good}/{total} ({100 * good / max(total, 1):.1f}%)")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("paths", nargs="+", type=Path)
    p.add_argument("-I", dest="include", action="append", default=[], type=Path)
    p.add_argument("-D", dest="define", action="append", default=[])
    p.add_argument("--arch", default=t.ARCH)
    p.add_argument("--std", default="c++17")
    p.add_argument("--nvcc", default=t.nvidia("bin/nvcc"))
    p.add_argument("--unspool", help="the command; the built one by default")
    p.add_argument("--sample", type=int, help="so many files, chosen at random")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--timeout", type=int, default=120, help="seconds for one compiler on one file")
    p.add_argument("--keep", type=Path, help="where nvcc's remarks are stored")
    p.add_argument("--by-line", action="store_true", help="for sm_100: compare what was done at each line, as of nvccs that say no more")
    p.add_argument("--show", type=int, default=3, help="examples of each way to differ")
    p.add_argument("--show-alone", action="store_true", help="list loops that only one compiler has")
    p.add_argument("--show-rejected", action="store_true", help="list what nvcc rejects, too")
    p.add_argument("--json", type=Path, help="write everything there")
    args = p.parse_args()
    if not args.nvcc:
        t.missing("nvcc")
        return
    args.unspool = args.unspool or t.unspool()
    if args.keep:
        args.keep.mkdir(parents=True, exist_ok=True)
    files = list(sources(args.paths))
    if args.sample and args.sample < len(files):
        files = sorted(random.Random(args.seed).sample(files, args.sample))
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = list(pool.map(lambda f: compare(f, args), files))
    if args.json:
        args.json.write_text(json.dumps(results, indent=1))
    report(results, args)


if __name__ == "__main__":
    sys.exit(main())
