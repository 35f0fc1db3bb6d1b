#!/usr/bin/env python3
"""Runs the command blocks of a document in a scratch copy of the repository: commands_test.py DOCUMENT BUILD [--long].

The copy is of links, so `out/` and what a command writes beside it are its own; all blocks of a document share it, in their order.
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from blocks import blocks
from exceptions import EXCEPTIONS, PREPARED, Exits, Instead, Long, Never

SOURCE = Path(__file__).resolve().parents[2]
LIMIT = 1500  # seconds of a block


def scratch(build, document):
    folder = build / "docs" / document.replace("/", "_")
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "out").mkdir(parents=True)
    for entry in SOURCE.iterdir():
        if entry.name not in ("out", "build", ".git", build.name):
            (folder / entry.name).symlink_to(entry)
    (folder / "build").symlink_to(build)
    return folder


def exception_of(document, command, used):
    for number, (where, begin, what) in enumerate(EXCEPTIONS):
        if where == document and command.startswith(begin):
            used.add(number)
            return what
    return None


def script_of(document, block, long, used):
    """The block as a shell runs it, and lines on what is left out."""
    lines, notes = [], []
    for command in block.commands:
        what = exception_of(document, command, used)
        first = command.split("\n")[0]
        if isinstance(what, Never):
            notes.append(f"  not run: {first}: {what.why}")
            continue
        if isinstance(what, Long) and not long:
            notes.append(f"  not run: {first}: takes long")
            continue
        if isinstance(what, Long):
            command += what.more
        if isinstance(what, Instead) and (what.always or not long):
            assert what.old in command, f"{document}: {what.old} is not in {command}"
            command = command.replace(what.old, what.new)
        if isinstance(what, Exits):
            command = f"code=0; {command} || code=$?; [ $code = {what.code} ]"
        lines.append(command)
    return "\n".join(lines), notes


def run(script, folder, environment):
    """The exit code, and what it has printed."""
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=folder, env=environment, timeout=LIMIT,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def main():
    document, build, long = sys.argv[1], Path(sys.argv[2]).resolve(), "--long" in sys.argv[3:]
    folder, used, failed = scratch(build, document), set(), 0
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    environment["PATH"] = f"{build}:{environment['PATH']}"
    code, said = run(PREPARED.get(document, ""), folder, environment)
    if code != 0:
        sys.exit(f"{document} cannot be prepared: {said}")
    for block in blocks((SOURCE / document).read_text()):
        script, notes = script_of(document, block, long, used)
        print(f"{document}:{block.line}", *notes, sep="\n", flush=True)
        if not script:
            continue
        begin = time.monotonic()
        code, said = run(script, folder, environment)
        print(f"  {time.monotonic() - begin:.1f} s, exit code {code}")
        if code != 0:
            failed += 1
            print(script, said[-4000:], sep="\n")
    for number, (where, begin, _) in enumerate(EXCEPTIONS):
        if where == document and number not in used:
            failed += 1
            print(f"tests/docs/exceptions.py: {document} has no command that begins with {begin}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
