#!/usr/bin/env python3
"""The processes of the cluster in a folder, one id a line: processes.py FOLDER

Its own are: those marked when they were started (slurmstepd inherits the mark), tasks of its jobs, whatever is in one of
its network namespaces, and all children of these. Never this process or those that it was called by.
"""
import os
import pathlib
import sys


def environment(pid):
    try:
        return set(pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"))
    except OSError:
        return set()


def network(pid):
    try:
        return os.readlink(f"/proc/{pid}/ns/net")
    except OSError:
        return None


def status(pid):
    """State and parent; None if it is gone."""
    try:
        words = pathlib.Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        return words[0], int(words[1])
    except (OSError, IndexError):
        return None


def own(folder):
    known = {pid: status(pid) for pid in map(int, filter(str.isdigit, os.listdir("/proc")))}
    parents = {pid: words[1] for pid, words in known.items() if words and words[0] not in "ZX"}
    callers, pid = set(), os.getpid()
    while pid in parents:
        callers.add(pid)
        pid = parents[pid]
    conf = b"SLURM_CONF=" + os.fsencode(folder) + b"/slurm.conf"
    mark = b"WEFT_CLUSTER_DAEMON=" + os.fsencode(folder)
    marked, found = set(), set()
    for pid in parents:
        words = environment(pid)
        if mark in words:
            marked.add(pid)
        elif conf in words and any(word.startswith(b"SLURMD_NODENAME=") for word in words):
            found.add(pid)
    outside = {network(pid) for pid in callers} | {network(1), None}
    networks = {network(pid) for pid in marked} - outside
    found |= marked | {pid for pid in parents if network(pid) in networks}
    while True:
        more = {pid for pid, parent in parents.items() if parent in found} - found
        if not more:
            return sorted(found - callers)
        found |= more


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    for one in own(sys.argv[1]):
        print(one)
