"""Prints the size and speed of one tile as a table: report.py YOSYS_STAT.txt NEXTPNR_REPORT.json SRAM_KIB."""

import json
import re
import sys

ROWS = [
    ("logic sites", "TRELLIS_COMB"),
    ("flip-flops", "TRELLIS_FF"),
    ("block RAM (18 kbit)", "DP16KD"),
    ("distributed RAM (16 x 4)", "TRELLIS_RAMW"),
    ("multipliers (18 x 18)", "MULT18X18D"),
]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        (luts,) = re.findall(r"^ *(\d+) +LUT4$", file.read(), re.MULTILINE)
    with open(sys.argv[2], encoding="utf-8") as file:
        report = json.load(file)
    print(f"one tile, {sys.argv[3]} KiB of SRAM, on an ECP5-85F, with the registers around it (fpga/tile_top.sv)")
    print(f"  {'LUT4':26}{luts:>8}")
    for name, cell in ROWS:
        use = report["utilization"][cell]
        print(f"  {name:26}{use['used']:8} of {use['available']:6}  {100 * use['used'] / use['available']:5.1f} %")
    for clock, speed in report["fmax"].items():
        print(f"  {'clock':26}{speed['achieved']:8.1f} MHz")
    slowest = next(p for p in report["critical_paths"] if "posedge" in p["from"] and "posedge" in p["to"])
    places = []  # modules on the way, and what is registered in the first and last
    for step in slowest["path"]:
        module = step["to"]["cell"].removeprefix("i_tile.").rpartition(".")[0]
        if module and (not places or places[-1] != module):
            places.append(module)
    print("  slowest path: " + " > ".join(places))


if __name__ == "__main__":
    main()
