"""perfetto_check.py JSON TRACE: the trace parses with Perfetto's classes, and its durations are the table's.

A tile's phase lasts as many cycles as the table says; below it each thread's causes fill it, each as long as its count; a
valve's and an outlet's slice are its messages' first to last cycle; slices of a track do not overlap.
"""

import collections
import json
import sys

from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as pb

CYCLE = 20  # ns, host/inspect/profile/perfetto.hpp


def read(path):
    """Slices by track: {path of names: [(begin, end, name, notes)]}, in order."""
    trace = pb.Trace()
    with open(path, "rb") as file:
        trace.ParseFromString(file.read())
    names, parents = {}, {}
    slices, open_slices = collections.defaultdict(list), {}
    last = 0
    for packet in trace.packet:
        if packet.HasField("track_descriptor"):
            track = packet.track_descriptor
            names[track.uuid] = track.name
            parents[track.uuid] = track.parent_uuid
            continue
        event = packet.track_event
        assert packet.timestamp >= last, "not in order of time"
        last = packet.timestamp
        if event.type == pb.TrackEvent.TYPE_SLICE_BEGIN:
            assert event.track_uuid not in open_slices, "slices of a track overlap"
            notes = {note.name: note.uint_value for note in event.debug_annotations}
            open_slices[event.track_uuid] = (packet.timestamp, event.name, notes)
        else:
            begin, name, notes = open_slices.pop(event.track_uuid)
            slices[event.track_uuid].append((begin, packet.timestamp, name, notes))
    assert not open_slices, "a slice has no end"

    def full(uuid):
        return (full(parents[uuid]) if parents[uuid] else ()) + (names[uuid],)

    return {full(uuid): slices[uuid] for uuid in names}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        table = json.load(file)
    tracks = read(sys.argv[2])
    origin = tracks[("wafer", "tile 0,0")][0][0] - CYCLE * table["phases"][0]["tiles"][0]["begin"]
    checked = 0

    for index, where in enumerate(table["phases"][0]["tiles"]):
        tile = ("wafer", f"tile {where['row']},{where['col']}")
        rows = [(phase["name"], phase["tiles"][index]) for phase in table["phases"]]
        assert [s[2] for s in tracks[tile]] == [name for name, _ in rows]
        for (begin, end, _, notes), (name, row) in zip(tracks[tile], rows):
            assert begin == origin + CYCLE * row["begin"], name
            assert end - begin == CYCLE * row["cycles"] and notes == {"cycles": row["cycles"]}, name
            for thread in ("main", "psum"):
                inside = [s for s in tracks[tile + (thread,)] if begin <= s[0] and s[1] <= end]
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
