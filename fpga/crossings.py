"""Measures the routed crossings between two clocks (fpga/ethernet/weft_count_crossing.sv): crossings.py FOLDER COUNT.

A count crosses in Gray code: one bit changes at a time, so whoever reads it sees the count before or after. That holds only if the next
change cannot overtake: of a crossing's bits the latest may come later than the earliest by less than a cycle of the clock that counts.
And a bit that takes longer than a cycle of the clock that reads would be seen later than the module promises. No constraint makes nextpnr
keep either, so both are measured after routing, in its detailed report. Exit code: 1 if one of COUNT crossings fails, or was not found.
"""

import collections
import json
import re
import sys

NET = re.compile(r"(.*)\.gray_q\[(\d+)\]")


def crossings(report):
    """{crossing: {bit: [(clock it leaves, clock it enters, least delay, most delay)]}}, delays in ns from clock edge to the next register."""
    found = collections.defaultdict(dict)
    for net in report.get("detailed_net_timings", []):
        match = NET.fullmatch(net["net"])
        if match:
            ends = [(net["event"], end["event"], *end["delay"]) for end in net["endpoints"] if end["event"] != net["event"]]
            found[match[1]].setdefault(int(match[2]), []).extend(ends)
    return found


def period(report, event):
    """Returns the requested period of a clock, in ns."""
    clock = report["fmax"].get(event.removeprefix("posedge ").removeprefix("negedge "))
    return 1000 / clock["constraint"] if clock else 0.0


def measure(report, name, bits):
    """A line about a crossing, and what is wrong with it or None."""
    ends = [end for bit in bits.values() for end in bit]
    if sorted(bits) != list(range(len(bits))) or len(bits) < 2 or not all(bits.values()):
        return f"{name}: bits {sorted(bit for bit in bits if bits[bit])}", "not all of its bits were measured"
    if len({(leaves, enters) for leaves, enters, _, _ in ends}) != 1:
        return f"{name}: {len(bits)} bits", "its bits are not between the same two clocks"
    leaves, enters, _, _ = ends[0]
    latest, skew = max(end[3] for end in ends), max(end[3] for end in ends) - min(end[2] for end in ends)
    line = f"{name}: {len(bits)} bits, {latest:.2f} ns of {period(report, enters):.2f}, apart {skew:.2f} ns of {period(report, leaves):.2f}"
    if skew >= period(report, leaves):
        return line, "its bits are further apart than a cycle of the clock that counts"
    return line, None if latest < period(report, enters) else "it takes longer than a cycle of the clock that reads"


def main():
    folder, count = sys.argv[1], int(sys.argv[2])
    with open(f"{folder}/report.json", encoding="utf-8") as file:
        report = json.load(file)
    found = crossings(report)
    failures = [f"{len(found)} crossings were measured, of {count}"] if len(found) != count else []
    print("  crossings between clocks")
    for name, bits in sorted(found.items()):
        line, failure = measure(report, name, bits)
        print(f"    {line}")
        if failure:
            failures.append(f"{name}: {failure}")
    for failure in failures:
        print(f"crossings: {failure}. HINT: another seed", file=sys.stderr)
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
