"""Checks that every kind of cell in one netlist is in another, tested one: kinds.py NETLIST.json TESTED.json.

A kind is a cell's type and its parameters, but for contents (INIT...), and of a block RAM which of its enables and resets are wired
(not constants), of a multiplier what is signed. Prints the kinds that are missing; exit 1 if there are any.
"""

import json
import sys

PINS = {
    "DP16KD": ["CEA", "CEB", "WEA", "WEB", "RSTA", "RSTB"],
    "MULT18X18D": ["SIGNEDA", "SIGNEDB", "SOURCEA", "SOURCEB"],
    "TRELLIS_FF": ["LSR"],
}


def value(text):
    return int(text, 2) if isinstance(text, str) and len(text) == 32 and set(text) <= {"0", "1"} else text.strip()


def kinds(file):
    with open(file, encoding="utf-8") as text:
        modules = json.load(text)["modules"]
    cells = [c for m in modules.values() for c in m["cells"].values() if not m["attributes"].get("blackbox")]
    found = {}
    for cell in cells:
        parameters = {k: value(v) for k, v in cell["parameters"].items() if not k.startswith("INIT")}
        pins = {}
        for pin in PINS.get(cell["type"], []):
            bits = cell["connections"].get(pin, ["0"])
            pins[pin] = "wired" if isinstance(bits[0], int) else bits[0]
        kind = " ".join([cell["type"]] + [f"{k}={v}" for k, v in sorted({**parameters, **pins}.items())])
        found[kind] = found.get(kind, 0) + 1
    return found


def main():
    needed, tested = kinds(sys.argv[1]), kinds(sys.argv[2])
    missing = sorted(k for k in needed if k not in tested)
    for kind in missing:
        print(f"not tested: {needed[kind]} of {kind}")
    print(f"kinds: {len(needed)} of {sum(needed.values())} cells, {len(missing)} not tested")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
