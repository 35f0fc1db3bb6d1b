"""The table of docs/explanation/verification.md.

usage: table.py           puts the proofs of proofs.py into the page
       table.py --check   the page has a row for each proof of proofs.py, with its words, and no other
"""
import os
import re
import sys
from pathlib import Path

from proofs import PROOFS

PAGE = Path(__file__).resolve().parents[2] / "docs/explanation/verification.md"
HEAD = "| property | module | proof | with |\n|---|---|---|---|\n"


def row(proof):
    given = proof.parameters.replace("=", " ") if proof.parameters else "defaults"
    return f"| {proof.words} | `{proof.module}` | `{proof.name}` ({proof.top}) | {given} |"


def text():
    """The table."""
    return HEAD + "".join(f"{row(proof)}\n" for proof in PROOFS)


def rows(page):
    """The page's table, as a list of lines."""
    found = re.search(re.escape(HEAD) + r"((?:\|.*\n)*)", page)
    return found[1].splitlines() if found else []


def check():
    want = [row(proof) for proof in PROOFS]
    have = rows(PAGE.read_text())
    for line in want:
        if line not in have:
            print(f"{PAGE.name}: no row: {line}")
    for line in have:
        if line not in want:
            print(f"{PAGE.name}: no such proof: {line}")
    return have == want


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if check() else 1)
    if len(sys.argv) != 1:
        sys.exit(__doc__)
    page = PAGE.read_text()
    part = PAGE.with_name(f".{PAGE.name}.{os.getpid()}.part")
    with open(part, "x", encoding="utf-8") as file:
        file.write(re.sub(re.escape(HEAD) + r"(?:\|.*\n)*", lambda _: text(), page))
    part.replace(PAGE)
