"""Prints the size and speed of what fpga/flow placed as a table: report.py FOLDER TITLE.

report.py FOLDER --meets MHZ ends with 1 if a clock is slower than that.
"""

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


def slack(report, mhz):
    """The least of all clocks, in ns."""
    return min(1000 / mhz - 1000 / speed["achieved"] for speed in report["fmax"].values())


def main():
    folder, title = sys.argv[1:3]
    if title == "--meets":
        with open(f"{folder}/report.json", encoding="utf-8") as file:
            sys.exit(slack(json.load(file), float(sys.argv[3])) < 0)
    with open(f"{folder}/stat.txt", encoding="utf-8") as file:
        (luts,) = re.findall(r"^ *(\d+) +LUT4$", file.read(), re.MULTILINE)
    with open(f"{folder}/report.json", encoding="utf-8") as file:
        report = json.load(file)
    print(title)
    print(f"  {'LUT4':26}{luts:>8}")
    for name, cell in ROWS:
        use = report["utilization"][cell]
        print(f"  {name:26}{use['used']:8} of {use['available']:6}  {100 * use['used'] / use['available']:5.1f} %")
    for clock, speed in report["fmax"].items():
        print(f"  {'clock':26}{speed['achieved']:8.1f} MHz, slack {slack({'fmax': {0: speed}}, speed['constraint']):.2f} ns")
    slowest = next(p for p in report["critical_paths"] if "posedge" in p["from"] and "posedge" in p["to"])
    places = []  # modules on the way, and what is registered in the first and last
    for step in slowest["path"]:
        module = re.sub(r"^i_tile\.|^i_wafer\.|\.i_tile(?=\.)", "", step["to"]["cell"]).rpartition(".")[0]
        if module and (not places or places[-1] != module):
            places.append(module)
    print("  slowest path: " + " > ".join(places))


if __name__ == "__main__":
    main()
