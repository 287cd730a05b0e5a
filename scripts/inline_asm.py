#!/usr/bin/env python3
"""Which inline assembly of CUDA and OpenCL programs `unspool` understands where it is read, not handed on.

    scripts/inline_asm.py UNSPOOL TREE [TREE ...] [--ptxas PTXAS] [--without EXPRESSION] [--keep DIR]

Every `asm` statement below the trees is taken out of its file and put, each distinct text once, into a kernel of its own,
with a variable for each operand. The kernel is compiled for this machine. What the reader refuses is listed with its
reason, the most frequent first. With ptxas, texts that NVIDIA's own assembler refuses, too, are counted apart.
"""

import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

SUFFIXES = (".cu", ".cuh", ".h", ".hpp", ".cl", ".inl", ".cpp", ".hxx")
TYPES = {"h": "unsigned short", "r": "unsigned", "l": "unsigned long long", "f": "float", "d": "double"}
# Of x86, GCN and others: not PTX.
FOREIGN = re.compile(r"\b(v_|s_|ds_|buffer_|global_load|rdtsc|cpuid|mfence|pause|xchgl?|lock|%%e|mrs|yield|nop)")
ARCHS = ("sm_75", "sm_80", "sm_90a", "sm_100a", "sm_120a")


def statements(text):
    """Arguments of each `asm (…)` of a file."""
    # Comments go, line ends stay.
    text = re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), text, flags=re.S) if '"//' not in text else text
    text = text.replace("\\\n", " \n")
    for m in re.finditer(r"\b(?:asm|__asm__|__asm|_asm)\b(?:\s+(?:volatile|__volatile__|__volatile))?\s*\(", text):
        depth, at, quoted = 1, m.end(), False
        while at < len(text) and depth:
            c = text[at]
            if quoted:
                if c == "\\":
                    at += 1
                elif c == '"':
                    quoted = False
            elif c == '"':
                quoted = True
            else:
                depth += (c == "(") - (c == ")")
            at += 1
        yield text[m.end() : at - 1]


def split(text, at):
    """Parts of a text between a character, outside of quotes and parentheses."""
    parts, depth, quoted, start = [], 0, False, 0
    k = 0
    while k < len(text):
        c = text[k]
        if quoted:
            if c == "\\":
                k += 1
            elif c == '"':
                quoted = False
        elif c == '"':
            quoted = True
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        elif c == at and depth == 0:
            if at == ":" and text[k : k + 2] == "::":
                # Between two lists, or a name of C++.
                before = text[:k].rstrip()
                if before and (before[-1].isalnum() or before[-1] == "_") and depth == 0 and not before.endswith('"'):
                    k += 2
                    continue
            parts.append(text[start:k])
            start = k + 1
        k += 1
    parts.append(text[start:])
    return parts


def literal(text):
    """A concatenation of string literals, or none if something else is in it."""
    strings = re.findall(r'"((?:[^"\\]|\\.)*)"', text, flags=re.S)
    rest = re.sub(r'"(?:[^"\\]|\\.)*"', "", text, flags=re.S).strip()
    return None if rest else "".join(strings)


def kernel(statement):
    """A kernel with the statement; its text as key; none where macros make the text."""
    # Of alternatives for the preprocessor the first.
    statement = re.sub(r"#\s*(?:else|elif)\b.*?#\s*endif[^\n]*", "", statement, flags=re.S)
    statement = re.sub(r"#\s*(?:if|endif)[^\n]*", "", statement)
    parts = split(statement, ":")
    template = literal(parts[0])
    if template is None:
        return None, parts[0]
    lists = [[o for o in split(p, ",") if o.strip()] for p in parts[1:3]]
    while len(lists) < 2:
        lists.append([])
    declared, operands = [], [[], []]
    number = 0
    for side, ops in enumerate(lists):
        for o in ops:
            m = re.match(r'\s*(?:\[(\w+)\]\s*)?"([^"]*)"\s*\((.*)\)\s*$', o, flags=re.S)
            if not m:
                return None, o
            name, constraint, value = m[1], m[2], m[3].strip()
            label = f"[{name}] " if name else ""
            kind = constraint.strip("=+&")
            if kind in TYPES:
                declared.append(f"{TYPES[kind]} v{number} = ({TYPES[kind]})p[{number}];")
                operands[side].append(f'{label}"{constraint}"(v{number})')
            elif kind in ("n", "i"):
                n = value if re.fullmatch(r"(0x[0-9a-fA-F]+|\d+)", value) else "16"
                operands[side].append(f'{label}"{constraint}"({n})')
            elif kind.isdigit():
                operands[side].append(f'{label}"{constraint}"(v{kind})')
            else:
                return None, f"constraint {constraint}"
            number += 1
    used = [re.search(r"\bv\d+\b", d)[0] for d in declared]
    after = " ".join(f"p[{n}] = (unsigned long long){v};" for n, v in enumerate(used))
    body = f'asm volatile("{template}" : {", ".join(operands[0])} : {", ".join(operands[1])} : "memory");'
    # A label of a text may stand once in a module: one kernel each.
    return f'extern "C" __global__ void k(unsigned long long* p) {{ {" ".join(declared)} {body} {after} }}\n', template


def files(tree):
    if os.path.isfile(tree):
        return [tree]
    return sorted(os.path.join(d, f) for d, _, names in os.walk(tree) for f in names if f.endswith(SUFFIXES))


def compiled(args, source, _):
    done = subprocess.run([args.unspool, "compile", source, "--target", "host", "--emit", "llvm-ir", "-o", "-"], capture_output=True, text=True)
    return done.returncode == 0, done.stderr


def assembled(args, source, dir):
    """Whether ptxas takes the text for some architecture."""
    if not args.ptxas:
        return True
    for arch in ARCHS:
        ptx = os.path.join(dir, "k.ptx")
        made = subprocess.run([args.unspool, "compile", source, "-arch=" + arch, "-o", ptx], capture_output=True)
        if made.returncode == 0 and subprocess.run([args.ptxas, "-arch=" + arch, ptx, "-o", os.path.join(dir, "k.cubin")], capture_output=True).returncode == 0:
            return True
    return False


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("unspool")
    p.add_argument("tree", nargs="+")
    p.add_argument("--ptxas")
    p.add_argument("--without", help="leave out texts that match this expression", default="(?!)")
    p.add_argument("--keep", help="write the refused kernels here")
    args = p.parse_args()
    for tree in args.tree:
        survey(args, tree)


def survey(args, tree):
    texts, odd, total = {}, collections.Counter(), 0
    for name in files(tree):
        with open(name, errors="replace") as f:
            text = f.read()
        if "asm" not in text:
            continue
        for s in statements(text):
            made, key = kernel(s)
            if made is None:
                odd[" ".join(key.split())[:80]] += 1
            elif FOREIGN.search(key) or not key.strip() or re.search(args.without, key):
                continue
            else:
                total += 1
                texts.setdefault(" ".join(key.split()), (made, name))
    good, invalid, reasons = 0, 0, collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as dir:
        for key, (made, name) in sorted(texts.items()):
            source = os.path.join(dir, "k.cu")
            with open(source, "w") as f:
                f.write(made)
            ok, why = compiled(args, source, dir)
            if ok:
                good += 1
            elif not assembled(args, source, dir):
                invalid += 1
            else:
                first = next((l for l in why.splitlines() if "error" in l), why.strip()[:200])
                reasons[re.sub(r"^.*?error", "error", first)].append((key, name, made))
    print(f"{tree}: {total} statements, {len(texts)} distinct texts: {good} read, {sum(map(len, reasons.values()))} refused, "
          f"{invalid} that ptxas refuses, too; {sum(odd.values())} statements made by macros")
    for why, keys in sorted(reasons.items(), key=lambda r: (-len(r[1]), r[0])):
        print(f"  {len(keys):4}  {why[:150]}\n        {keys[0][0][:110]}  ({os.path.relpath(keys[0][1], tree)})")
    for key, n in odd.most_common(12):
        print(f"  macro {n:4}  {key}")
    if args.keep:
        os.makedirs(args.keep, exist_ok=True)
        n = 0
        for _, keys in sorted(reasons.items()):
            for _, name, made in keys:
                with open(os.path.join(args.keep, f"{n:04}.cu"), "w") as f:
                    f.write(f"// {name}\n{made}")
                n += 1


if __name__ == "__main__":
    sys.exit(main())
