#!/usr/bin/env python3
"""Writes bench/results/readme.jsonl, from which bench/pages.py draws the left half of README.md's picture: readme_results.py FOLDER.

FOLDER has a trace of one tile in waves/*.fst. `fst2vcd`, of GTKWave, converts the trace.
"""

import pathlib
import subprocess
import sys

import measured

SIGNALS = {  # names as in the picture
    "words.west_in_W": "weight from the west",
    "words.east_out_W": "weight to the east",
    "words.north_in_RING": "sums from the north",
    "unit.issue": "vector unit",
    "words.R": "accumulator",
}
UNIT = {"01": "main", "10": "psum"}


def changes(vcd):
    """{name of a signal: [(cycle, value)]} of the trace's only tile."""
    names, scopes, now, found = {}, [], 0, {}
    for line in vcd.splitlines():
        words = line.split()
        if words[:1] == ["$scope"]:
            scopes.append(words[2])
        elif words[:1] == ["$upscope"]:
            scopes.pop()
        elif words[:1] == ["$var"]:
            names[words[3]] = ".".join([*scopes[1:], words[4]])
        elif line.startswith("#"):
            now = int(line[1:])
        elif line[:1] in ("s", "b") and names.get(line.rsplit(" ", 1)[-1]) in SIGNALS:
            value, code = line[1:].rsplit(" ", 1)
            found.setdefault(names[code], []).append((now, value.replace("\\040", " ")))
    return found, now


def text_of(signal, value):
    """The text in the picture: a weight or partial sum, the first lane of the accumulator, or the thread."""
    if signal == "unit.issue":
        return UNIT.get(value, "")
    words = value.split()
    return f"{float(words[0 if signal == 'words.R' else -1]):.3f}" if words else ""


def wave_rows(found, end):
    for signal, label in SIGNALS.items():
        ends = [cycle for cycle, _ in found[signal][1:]] + [end]
        for (begin, value), until in zip(found[signal], ends):
            if until > begin and text_of(signal, value):
                yield {"table": "picture", "signal": label, "begin": begin, "end": until, "text": text_of(signal, value)}


def main(folder):
    (trace,) = (folder / "waves").glob("*.fst")
    vcd = subprocess.run(["fst2vcd", str(trace)], check=True, text=True, stdout=subprocess.PIPE).stdout
    measured.write("readme", "make picture", wave_rows(*changes(vcd)))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
