"""perfetto_check.py JSON TRACE: a trace for Perfetto, read as Chrome's JSON trace events, has the durations of the table.

A tile's phase lasts as many cycles as the table says; below it each thread's stall reasons fill it, each as long as its count; a
valve's and an outlet's slice are its messages' first to last cycle; slices of a track do not overlap.
"""

import collections
import json
import sys
from decimal import Decimal

CYCLE = 20  # ns, host/inspect/profile/perfetto.hpp


def read(path):
    """Slices by track: {(process, thread): [(begin, end, name, arguments)]} in order of time, in nanoseconds."""
    with open(path, encoding="utf-8") as file:
        events = json.load(file, parse_float=Decimal)["traceEvents"]
    processes, threads, ranks = {}, {}, set()
    slices = collections.defaultdict(list)
    for event in events:
        own = (event["pid"], event["tid"])
        if event["ph"] == "X":
            assert own in threads, "a slice of a track without a name"
            begin, length = 1000 * event["ts"], 1000 * event["dur"]
            assert begin % 1 == 0 and length % 1 == 0 and length > 0, event
            slices[own].append((int(begin), int(begin + length), event["name"], event.get("args", {})))
            continue
        assert event["ph"] == "M", event
        if event["name"] == "process_name":
            processes[event["pid"]] = event["args"]["name"]
        elif event["name"] == "thread_name":
            threads[own] = event["args"]["name"]
        else:
            ranks.add((event["name"], own, event["args"]["sort_index"]))
    assert len(ranks) == len(processes) + len(threads), "a track without an order"
    for track in slices.values():
        track.sort()
        for one, after in zip(track, track[1:]):
            assert one[1] <= after[0], f"slices of a track overlap: {one}, {after}"
    return {(processes[own[0]], threads[own]): slices[own] for own in threads}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        table = json.load(file)
    tracks = read(sys.argv[2])
    origin = tracks[("tile 0,0", "phases")][0][0] - CYCLE * table["phases"][0]["tiles"][0]["begin"]
    checked = 0

    for index, where in enumerate(table["phases"][0]["tiles"]):
        tile = f"tile {where['row']},{where['col']}"
        phases = tracks[tile, "phases"]
        rows = [(phase["name"], phase["tiles"][index]) for phase in table["phases"]]
        assert [s[2] for s in phases] == [name for name, _ in rows]
        for (begin, end, _, notes), (name, row) in zip(phases, rows):
            assert begin == origin + CYCLE * row["begin"], name
            assert end - begin == CYCLE * row["cycles"] and notes == {"cycles": row["cycles"]}, name
            for thread in ("main", "psum"):
                inside = [s for s in tracks[tile, thread] if begin <= s[0] and s[1] <= end]
                assert {s[2]: (s[1] - s[0]) // CYCLE for s in inside} == row[thread], name
                assert sum(s[1] - s[0] for s in inside) == end - begin, name
                checked += len(inside)

    for kind, key in (("valve", "valves"), ("outlet", "outlets")):
        for place in range(len(table["phases"][0][key])):
            rows = [(p["name"], p[key][place]) for p in table["phases"] if p[key][place]["messages"]]
            for (begin, end, name, notes), (expected, row) in zip(tracks[("streams", f"{kind} {place}")], rows, strict=True):
                assert name == expected and notes == {"messages": row["messages"]}
                assert (begin, end) == (origin + CYCLE * row["begin"], origin + CYCLE * row["end"]), name
                checked += 1

    host = [("MemoryX", "weights to bf16"), ("MemoryX", "sums and AdamW"), ("SwarmX", "tree")]
    assert all(tracks[track] for track in host)
    assert tracks[host[1]][-1][2] == "apply"
    print(f"{len(tracks)} tracks, {checked} slices compared")
    assert checked > 1000


if __name__ == "__main__":
    main()
