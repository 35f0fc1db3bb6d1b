"""Puts faults into a netlist: mutant.py NETLIST.json OUT.json SEED LUTS FFS RAMS. Prints a line `N KIND CELL` for each.

A fault is one bit of one cell: of a LUT's function, of a flip-flop's reset value, of a block RAM's initial contents. The faulty cell is
added next to the correct one, with a MUTANT (mutant.v) that selects one of them: a simulation with +mutant=N has fault N alone.
"""

import json
import random
import sys


def flipped(bits, place):
    return bits[:place] + ("1" if bits[place] == "0" else "0") + bits[place + 1 :]


def change(cell, rng):
    """The cell with a fault."""
    p = dict(cell["parameters"])
    if cell["type"] == "LUT4":
        p["INIT"] = flipped(p["INIT"], rng.randrange(16))
    elif cell["type"] == "TRELLIS_FF":
        p["REGSET"] = "SET" if p["REGSET"] == "RESET" else "RESET"
    else:
        name = rng.choice([k for k, v in sorted(p.items()) if k.startswith("INITVAL_") and "1" in v])
        p[name] = flipped(p[name], rng.choice([n for n, bit in enumerate(p[name]) if bit == "1"]))
    return {**cell, "parameters": p}


def chosen(cells, kind, count, rng):
    fits = {
        "LUT4": lambda c: True,
        "TRELLIS_FF": lambda c: isinstance(c["connections"]["LSR"][0], int),
        "DP16KD": lambda c: any(k.startswith("INITVAL_") and "1" in v for k, v in c["parameters"].items()),
    }[kind]
    names = sorted(n for n, c in cells.items() if c["type"] == kind and fits(c))
    return [rng.choice(names) for _ in range(count)] if kind == "DP16KD" else rng.sample(names, count)


def main():
    source, target, seed, *counts = sys.argv[1:]
    rng = random.Random(int(seed))
    with open(source, encoding="utf-8") as file:
        design = json.load(file)
    cells = design["modules"]["tile_built"]["cells"]
    net = 1 + max(b for c in cells.values() for bits in c["connections"].values() for b in bits if isinstance(b, int))
    mutants = [(kind, name) for kind, count in zip(["LUT4", "TRELLIS_FF", "DP16KD"], counts)
              for name in chosen(cells, kind, int(count), rng)]
    for n, (kind, name) in enumerate(mutants, 1):
        cell = cells[name]
        other = change(cell, rng)
        pins = [p for p in cell["connections"] if cell["port_directions"][p] == "output"]
        old = {p: cell["connections"][p][0] for p in pins}
        cell["connections"] = {**cell["connections"], **{p: [net + i] for i, p in enumerate(pins)}}
        other["connections"] = {**other["connections"], **{p: [net + len(pins) + i] for i, p in enumerate(pins)}}
        cells[f"mutant{n}"] = other
        for i, pin in enumerate(pins):
            cells[f"pick{n}_{pin}"] = {
                "hide_name": 1, "type": "MUTANT", "parameters": {"N": format(n, "032b")}, "attributes": {},
                "port_directions": {"A": "input", "B": "input", "Z": "output"},
                "connections": {"A": [net + i], "B": [net + len(pins) + i], "Z": [old[pin]]}}
        net += 2 * len(pins)
        print(n, kind, name)
    with open(target, "w", encoding="utf-8") as file:
        json.dump(design, file)


if __name__ == "__main__":
    main()
