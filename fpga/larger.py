"""Number of tiles that fit a family's chips, from the counts of fpga/synth_larger.sh: larger.py FOLDER FAMILY.

Chips: makers' data sheets (AMD DS180, DS890; Gowin DS226). A block RAM is one of 36 kbit (Gowin: 18). Nothing is placed: of the
LUTs a share is left free, since no placer fills a chip.
"""

import re
import sys

FREE = 0.2  # share of the LUTs

XILINX = {
    "LUT": {"LUT1": 1, "LUT2": 1, "LUT3": 1, "LUT4": 1, "LUT5": 1, "LUT6": 1, "RAM32M": 4, "RAM64M": 4, "SRL16E": 1, "SRLC32E": 1},
    "flip-flop": {"FDRE": 1, "FDSE": 1, "FDCE": 1, "FDPE": 1},
    "block RAM": {"RAMB36E1": 1, "RAMB18E1": 0.5},
    "multiplier": {"DSP48E1": 1},
}
GOWIN = {
    "LUT": {"LUT1": 1, "LUT2": 1, "LUT3": 1, "LUT4": 1, "ALU": 1, "RAM16SDP4": 4},
    "flip-flop": {f"DFF{k}": 1 for k in ("", "E", "R", "RE", "S", "SE", "C", "CE", "P", "PE")},
    "block RAM": {"DPB": 1, "DPX9B": 1, "SDPB": 1, "SDPX9B": 1, "SPX9": 1},
    "multiplier": {"MULT18X18": 1, "MULT9X9": 0.5},
}
# name: LUTs, flip-flops, block RAMs, multipliers
CHIPS = {
    "xc7": {
        "Artix-7 100T": (63400, 126800, 135, 240),
        "Artix-7 200T": (134600, 269200, 365, 740),
        "Kintex-7 325T": (203800, 407600, 445, 840),
        "Kintex-7 480T": (298600, 597200, 955, 1920),
        # LUTs, block RAMs and multipliers of the same kind
        "Kintex UltraScale+ KU5P": (216960, 433920, 480, 1824),
        "Virtex UltraScale+ VU9P": (1182240, 2364480, 2160, 6840),
    },
    "gw2a": {"GW2AR-18 (Tang Nano 20K)": (20736, 15552, 46, 48)},
}


def used(path, cells):
    """Returns the resources that the cells of a stat.txt take, by kind."""
    with open(path, encoding="utf-8") as file:
        count = {name: int(n) for n, name in re.findall(r"^ *(\d+) +([A-Z]\w+)$", file.read(), re.MULTILINE)}
    return [sum(count.get(cell, 0) * weight for cell, weight in kind.items()) for kind in cells.values()]


FAMILIES = {"xc7": "AMD 7 series (LUT6, 36 kbit)", "gw2a": "Gowin GW2A (LUT4, 18 kbit)"}


def rows(folder, family):
    """Rows of `cells` and `chips` for bench/results."""
    cells = GOWIN if family == "gw2a" else XILINX
    tile = used(f"{folder}/{family}.tile_top/stat.txt", cells)
    link = used(f"{folder}/{family}.link_top/stat.txt", cells)
    for name, counts in (("a tile", tile), ("the link", link)):
        yield {"table": "cells", "name": f"{name}, {FAMILIES[family]}", **{f"{cell}s": n for cell, n in zip(cells, counts)}}
    for chip, has in CHIPS[family].items():
        room = [(1 - FREE) * has[0], *has[1:]]
        most = [int((room[k] - link[k]) // tile[k]) for k in range(len(room))]
        yield {"table": "chips", "chip": chip, "tiles": max(0, min(most)), "bound": f"{list(cells)[most.index(min(most))]}s"}


def main():
    found = list(rows(*sys.argv[1:3]))
    for row in found:
        print("  " + ", ".join(f"{key} {value:g}" if isinstance(value, (int, float)) else str(value)
                               for key, value in row.items() if key != "table"))


if __name__ == "__main__":
    main()
