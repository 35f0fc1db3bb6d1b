"""Plays a netlist with mutants once for each of its faults: found.py MUTANTS PLAYER RECORDING (mutant.py, play.cpp).

Prints each fault, and where it shows first. Not all can show: a LUT has inputs that never come, or that do not matter then, and a
flip-flop may be set before anybody looks at it. Exit 1 if of a kind of cell none is found.
"""

import subprocess
import sys


def main():
    mutants, player, recording = sys.argv[1:]
    found = {}
    with open(mutants, encoding="utf-8") as lines:
        for line in lines:
            number, kind, name = line.split(maxsplit=2)
            done = subprocess.run([player, recording, f"+mutant={number}"], capture_output=True, text=True, check=False)
            where = [text for text in done.stdout.splitlines() if text.startswith("cycle ")]
            print(f"{kind} {name.strip()}: {where[0] if done.returncode == 1 and where else 'not found'}")
            found.setdefault(kind, []).append(done.returncode == 1 and bool(where))
    for kind, all_of in found.items():
        print(f"{kind}: {sum(all_of)} found, {len(all_of) - sum(all_of)} not found")
    return 0 if found and all(any(f) for f in found.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
