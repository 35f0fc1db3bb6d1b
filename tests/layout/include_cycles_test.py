#!/usr/bin/env python3
"""Include cycles of the tree: fails if two folders or two modules include each other, directly or through others.

A module is NAME.hpp and NAME.cpp of one folder together. Folders are compared at two depths: `host/swarmx` counts its
subfolders as its own (depth 2), or does not (depth 3). A failure prints the shortest cycle and the includes that form it.
"""
import collections
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CODE = ("sw", "verif", "host", "fpga")  # a folder of these includes others in one direction
MODULES = CODE + ("bench", "tests")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def includes(tops):
    """Pairs (file, included file) of the tree's own C++ files under the folders `tops`."""
    files = {p.relative_to(ROOT).as_posix(): p for top in tops for p in (ROOT / top).rglob("*.[ch]pp")}
    for name in sorted(files):
        for there in INCLUDE.findall(files[name].read_text(encoding="utf-8")):
            if there in files:
                yield name, there


def folder(depth):
    """The node of a file in a graph of folders: the first `depth` parts of its folder's path."""
    return lambda name: "/".join(name.split("/")[:-1][:depth])


def module(name):
    """The node of a file in the graph of modules: its path without the suffix."""
    return name.rsplit(".", 1)[0]


def graph_of(pairs, node):
    """Edges between nodes: {node: {node: (file, included file)}}, with one include as an example of each edge."""
    graph = collections.defaultdict(dict)
    for here, there in pairs:
        if node(here) != node(there):
            graph[node(here)].setdefault(node(there), (here, there))
    return graph


def shortest_cycle(graph, start):
    """A shortest path of nodes from `start` back to `start`, or None."""
    came_from, queue = {}, collections.deque([start])
    while queue:
        here = queue.popleft()
        for there in sorted(graph.get(here, ())):
            if there == start:
                path = [start, here] if here != start else [start]
                while path[-1] != start:
                    path.append(came_from[path[-1]])
                return path[::-1]
            if there not in came_from:
                came_from[there] = here
                queue.append(there)
    return None


def reached(graph, start):
    """Nodes that `start` includes, directly or through others."""
    seen, queue = set(), [start]
    while queue:
        for there in graph.get(queue.pop(), ()):
            if there not in seen:
                seen.add(there)
                queue.append(there)
    return seen


def cycles(graph):
    """A shortest cycle of each group of nodes that all include each other; empty if the graph has no cycle."""
    reach = {node: reached(graph, node) for node in graph}
    found, covered = [], set()
    for start in sorted(graph):
        if start in reach[start] and start not in covered:
            covered.update(node for node in reach[start] if start in reach.get(node, ()))
            found.append(shortest_cycle(graph, start))
    return found


def describe(graph, path):
    """A cycle as text: a line of nodes, then a line for each include."""
    lines = [" -> ".join(path)]
    lines += ["  {} includes {}".format(*graph[a][b]) for a, b in zip(path, path[1:])]
    return "\n".join(lines)


class IncludeCycles(unittest.TestCase):
    maxDiff = None

    def check(self, tops, node, kind):
        graph = graph_of(includes(tops), node)
        self.assertGreater(len(graph), 5, f"the include graph of {kind} is almost empty: wrong root folder {ROOT}?")
        found = cycles(graph)
        if found:
            self.fail(f"{len(found)} cycles of {kind}:\n" + "\n".join(describe(graph, path) for path in found))

    def test_folders_of_two_levels_do_not_include_each_other(self):
        self.check(CODE, folder(2), "folders (depth 2)")

    def test_folders_of_three_levels_do_not_include_each_other(self):
        self.check(CODE, folder(3), "folders (depth 3)")

    def test_modules_do_not_include_each_other(self):
        self.check(MODULES, module, "modules")

    def test_a_cycle_is_found_and_printed(self):
        pairs = [("a/x/m.hpp", "a/y/n.hpp"), ("a/y/n.cpp", "a/z/o.hpp"), ("a/z/o.hpp", "a/x/m.hpp"),
                 ("b/q.cpp", "a/x/m.hpp")]
        modules = graph_of(pairs, module)
        self.assertEqual(cycles(modules), [["a/x/m", "a/y/n", "a/z/o", "a/x/m"]])
        self.assertIn("a/y/n.cpp includes a/z/o.hpp", describe(modules, cycles(modules)[0]))
        self.assertEqual(cycles(graph_of(pairs, folder(1))), [])
        self.assertEqual(cycles(graph_of(pairs[:2] + pairs[3:], module)), [])


if __name__ == "__main__":
    if len(sys.argv) > 1 and pathlib.Path(sys.argv[1]).is_dir():  # another tree: include_cycles_test.py FOLDER
        ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
