#!/usr/bin/env python3
"""Brings docs/diagnostics.md up to date with the codes in the sources: new codes get a row with their message, codes
that are gone lose theirs, and rows that are there keep their words. A test fails when the page is out of date.
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/diagnostics.md"
CODE = re.compile(r'"([EWRN]0[0-9]{3})"')
SECTIONS = [
    ("01", "Preprocessor and lexer"),
    ("02", "Parser"),
    ("03", "Types and meaning"),
    ("04", "Types and meaning, lowering to IR"),
    ("05", "Optimiser and code generators"),
    ("06", "Unroller"),
    ("07", "Files and options"),
    ("08", "Accelerator directives"),
]


def message_after(text, at):
    """The first sentence in quotes after a code, with `…` for what varies."""
    for m in re.finditer(r'"((?:[^"\\]|\\.)*)"', text[at:at + 500]):
        words = m.group(1).replace('\\"', '"')
        words = re.sub(r"\\\n\s*", "", words)
        words = re.sub(r"`\{[^{}]*\}`|\{[^{}]*\}", "…", words).strip()
        if " " in words and not CODE.match(f'"{words}"'):
            return words
    return ""


def sources():
    for path in sorted(ROOT.glob("crates/*/src/**/*.rs")):
        if "tests" not in path.parts and path.name != "tests.rs" and "conventions" not in path.parts:
            yield path.read_text(encoding="utf-8")


def main():
    found = {}
    for text in sources():
        for m in CODE.finditer(text):
            words = message_after(text, m.end())
            found.setdefault(m.group(1), words)
            found[m.group(1)] = found[m.group(1)] or words
    page = PAGE.read_text(encoding="utf-8")
    kept = dict(re.findall(r"^\| ([EWRN]0\d{3}) \| (.*) \|$", page, re.M))
    head = page.split("<!-- codes -->")[0]
    out = [head + "<!-- codes -->"]
    for prefix, title in SECTIONS:
        codes = sorted((c for c in found if c[1:3] == prefix), key=lambda c: ("ENRW".index(c[0]), c))
        if not codes:
            continue
        out.append(f"\n## {title}\n\n| code | meaning |\n|---|---|")
        out += [f"| {c} | {(kept.get(c) or found[c]).replace('|', '&#124;')} |" for c in codes]
    PAGE.write_text("\n".join(out) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
