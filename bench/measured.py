#!/usr/bin/env python3
"""Runs a benchmark, and records in its results when, on which commit and on which machine it ran.

    bench/measured.py NAME... -- COMMAND WORD...

The command writes bench/results/NAME.jsonl. A line with the keys date, commit, machine and command becomes the first line
of each of these files; bench/pages.py reads rows of tables only.
"""

import datetime
import json
import os
import pathlib
import platform
import shlex
import subprocess
import sys

RESULTS = pathlib.Path(__file__).resolve().parent / "results"


def git(*words):
    return subprocess.run(["git", *words], cwd=RESULTS.parent, check=True, text=True, stdout=subprocess.PIPE).stdout.strip()


def commit():
    """The commit of the tree; " and changes" follows if other files than pages and results differ."""
    changes = git("status", "--porcelain", "--untracked-files=no", "--", ":/", ":(exclude,top)docs", ":(exclude,top)bench/results")
    return git("rev-parse", "--short=12", "HEAD") + (" and changes" if changes else "")


def machine():
    names = [line.split(":", 1)[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
             if line.startswith("model name")]
    system = f"{platform.system()} {'.'.join(platform.release().split('.')[:2])}"  # the rest names a build of the kernel
    return f"{(names or [platform.machine()])[0]}, {os.cpu_count()} processors, {system}"


def record(name, command):
    """The first line of bench/results/NAME.jsonl."""
    return {"bench": name, "date": datetime.date.today().isoformat(), "commit": commit(), "machine": machine(), "command": command}


def write(name, command, rows, folder=RESULTS):
    """Writes FOLDER/NAME.jsonl, the record and the rows with the benchmark's name; returns its path."""
    path = folder / f"{name}.jsonl"
    lines = [record(name, command), *({"bench": name, **row} for row in rows)]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def add_record(path, first):
    """Puts the record in front of the rows, in place of an earlier one."""
    rows = [line for line in path.read_text(encoding="utf-8").splitlines() if "date" not in json.loads(line)]
    path.write_text("".join(f"{line}\n" for line in [json.dumps(first), *rows]), encoding="utf-8")


def main(words):
    if "--" not in words[1:-1]:
        sys.exit("measured.py: no command. HINT: bench/measured.py NAME... -- COMMAND WORD...")
    names, command = words[: words.index("--")], words[words.index("--") + 1 :]
    status = subprocess.run(command, check=False).returncode
    for name in names if status in (0, 1) else ():  # 1: a goal is missed
        add_record(RESULTS / f"{name}.jsonl", record(name, shlex.join(command)))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
