"""Prints the size and speed of a design that fpga/flow placed as a table: report.py FOLDER TITLE.

report.py FOLDER --meets MHZ... ends with 1 if a clock is slower than required, or no clock has one of these requirements.
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


def slack(speed):
    """Returns the slack of a clock, in ns."""
    return 1000 / speed["constraint"] - 1000 / speed["achieved"]


def meets(report, wanted):
    """All clocks reach the required speed, and all required clocks (MHz) are among them."""
    clocks = report["fmax"].values()
    return all(slack(c) >= 0 for c in clocks) and all(
        any(abs(c["constraint"] / mhz - 1) < 0.001 for c in clocks) for mhz in wanted
    )


def main():
    folder, title = sys.argv[1:3]
    if title == "--meets":
        with open(f"{folder}/report.json", encoding="utf-8") as file:
            sys.exit(not meets(json.load(file), [float(mhz) for mhz in sys.argv[3:]]))
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
        print(f"  {'clock ' + clock.rpartition('.')[2]:26}{speed['achieved']:8.1f} MHz, for {speed['constraint']:g}: slack {slack(speed):.2f} ns")
    slowest = next(p for p in report["critical_paths"] if "posedge" in p["from"] and "posedge" in p["to"])
    places = []  # modules on the way, and what is registered in the first and last
    for step in slowest["path"]:
        module = re.sub(r"^i_tile\.|^i_wafer\.|\.i_tile(?=\.)", "", step["to"]["cell"]).rpartition(".")[0]
        if module and (not places or places[-1] != module):
            places.append(module)
    print("  slowest path: " + " > ".join(places))


if __name__ == "__main__":
    main()
