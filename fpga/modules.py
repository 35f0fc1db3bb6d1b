"""Resources of each module of a synthesized design before placement: modules.py FOLDER [TITLE=]PREFIX...

Each cell counts for the longest PREFIX (a regular expression) that matches its name. Cells that the tools merged or
renamed are under "elsewhere". Sites are nextpnr's: a LUT is one, a carry cell two, 16 x 4 bits of distributed RAM six.
"""

import collections
import json
import re
import sys

SITES = {"LUT4": 1, "PFUMX": 0, "L6MUX21": 0, "CCU2C": 2, "TRELLIS_DPR16X4": 6}
OTHERS = {"TRELLIS_FF": "flip-flops", "DP16KD": "block RAM", "MULT18X18D": "multipliers"}


def counts_of(folder, titles):
    """[(title, {kind: cells})] of the parts of a design; `titles` is {prefix: title}."""
    prefixes = sorted(titles, key=len, reverse=True)
    with open(f"{folder}/netlist.json", encoding="utf-8") as file:
        modules = json.load(file)["modules"]
    (top,) = [m for m in modules.values() if int(m.get("attributes", {}).get("top", "0"), 2)]
    counts = collections.defaultdict(collections.Counter)
    for name, cell in top["cells"].items():
        kind = "sites" if cell["type"] in SITES else OTHERS.get(cell["type"])
        if kind:
            place = next((p for p in prefixes if re.match(p, name)), "elsewhere")
            counts[place][kind] += SITES.get(cell["type"], 1)
    return [(title, counts[place]) for place, title in [*titles.items(), ("elsewhere", "elsewhere")] if counts[place]]


def main():
    titles = {prefix: title or prefix for title, _, prefix in (arg.rpartition("=") for arg in sys.argv[2:])}
    kinds = ["sites", *OTHERS.values()]
    print(f"  {'before placement':34}" + "".join(f"{k:>12}" for k in kinds))
    for title, counts in counts_of(sys.argv[1], titles):
        print(f"  {title:34}" + "".join(f"{counts[k]:12}" for k in kinds))


if __name__ == "__main__":
    main()
