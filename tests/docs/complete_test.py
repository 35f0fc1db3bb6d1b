#!/usr/bin/env python3
"""Every command block of every document is run by a test, every target of make that a document names is there, and every
instruction that a document shows with its line, such as `vaxs R[r5], M[r1]  gemm_output gemm.s:13`, is at that line of the kernel:
complete_test.py DOCUMENT ...: those whose blocks are run."""

import re
import sys
from pathlib import Path

from blocks import blocks

SOURCE = Path(__file__).resolve().parents[2]
# An instruction, two blanks, its label, and the kernel's file and line; or file and line, and the instruction in backquotes.
INSTRUCTION = re.compile(r"([^;\n]*)  \w+(?:\+\d+)? (\w+\.s):(\d+)|sw/kernels/(\w+\.s):(\d+) `([^`]*)`")
NOT_OURS = ("build", "out", ".git", "venv_appliance")


def documents():
    for path in sorted(SOURCE.rglob("*.md")):
        where = path.relative_to(SOURCE)
        if not any(part.startswith(NOT_OURS) for part in where.parts[:-1]):
            yield where.as_posix(), path.read_text()


def misplaced(text):
    """The places, such as gemm.s:13, of a document whose line of the kernel has another instruction than the document shows."""
    for shown, file, line, first_file, first_line, quoted in INSTRUCTION.findall(text):
        kernel, number = file or first_file, int(line or first_line)
        source = SOURCE / "sw/kernels" / kernel
        if not source.exists():  # a program of the reader's own
            continue
        lines = source.read_text().splitlines()
        if number > len(lines) or not set(lines[number - 1].split()[:1]) & set((shown or quoted).replace("`", " ").split()):
            yield f"{kernel}:{number}"


def main():
    run, wrong = set(sys.argv[1:]), []
    targets = set(re.findall(r"^([\w-]+):", (SOURCE / "Makefile").read_text(), re.MULTILINE))
    seen = set()
    for name, text in documents():
        seen.add(name)
        if blocks(text) and name not in run:
            wrong.append(f"{name}: no test runs its commands: name it in tests/docs/CMakeLists.txt")
        for target in re.findall(r"`(?:[A-Z]+=\S+ )*make ([a-z][\w-]*)", text):
            if target not in targets:
                wrong.append(f"{name}: the Makefile has no {target}")
        wrong += [f"{name}: {place} has another instruction" for place in misplaced(text)]
    wrong += [f"tests/docs/CMakeLists.txt: there is no {name}" for name in sorted(run - seen)]
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
