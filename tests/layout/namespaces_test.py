#!/usr/bin/env python3
"""Namespaces of the tree: fails if a header does not declare its names in the namespace of its folder.

The namespace of a folder is named as the first folder below host, sw, verif or fpga: all of host/swarmx is in
`weft::swarmx`. A file may open a namespace within it (`weft::inspect::debug`), and may declare names of another
namespace in advance. A test is in the namespace of the folder that it tests, or in `weft::test`.
"""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOPS = ("host", "sw", "verif", "fpga")
# Folders whose namespace is not weft::NAME.
EXCEPTIONS = {
    "sw/asm": "weft::assembler",  # asm is a keyword
    "sw/base": "weft",  # used everywhere
    "bench": "weft::bench",
    "tests/bench": "weft::bench",
    "tests/fault_injection": "weft::fault_injection",
    "tests/fuzz": "weft::fuzz",
    "tests/kernels": "weft::kernels",  # their C++ is generated (sw/kernels/CMakeLists.txt)
    "tests/reference": "weft::reference",
}
WITHOUT = {"sw/base/exact_math.hpp"}  # a header of preprocessor checks
# Files that define functions of verif/wafer.hpp, which is in weft.
OF_WAFER = {"verif/model/model_wafer.cpp", "verif/sim/replicated_wafer.cpp"}
PUBLIC = "host/library/"  # its files define what include/weft declares, which is in weft
# Functions found by argument-dependent lookup belong to the argument's namespace.
FOUND_BY_TYPE = re.compile(r"\s*template <class A>\nvoid fields\(A& a, .*?\n\}", re.S)
OPENED = re.compile(r"^(?:inline )?namespace (weft(?:::\w+)*) \{$(.*?)^\}  // namespace \1$", re.M | re.S)
FORWARD = re.compile(r"\s*(template <[^;{}]*>\s*)?(class|struct|enum( class)?) \w+( : [\w:]+)?;")
COMMENT = re.compile(r"//.*")


def tested():
    """Folders below host, sw and verif with C++, by name: tests/NAME is in their namespace."""
    return {p.name: f"{top}/{p.name}" for top in ("host", "sw", "verif") for p in (ROOT / top).iterdir()
            if p.is_dir() and next(p.rglob("*.hpp"), None)}


def namespace_of(name, folders):
    """The namespace of a file, by its path below the root; `folders`: see tested()."""
    parts = name.split("/")[:-1]
    for depth in (1, 2):
        if "/".join(parts[:depth]) in EXCEPTIONS:
            return EXCEPTIONS["/".join(parts[:depth])]
    if parts[0] == "tests":
        tests = folders.get(parts[1]) if len(parts) > 1 else None
        return namespace_of(f"{tests}/x.hpp", {}) if tests and tests != "sw/base" else "weft::test"
    return f"weft::{parts[1]}" if len(parts) > 1 else "weft"


def mistakes(name, text, folders):
    """Returns the errors in the namespaces of a file, as texts."""
    expected = namespace_of(name, folders)
    here, found = False, []
    for match in OPENED.finditer(text):
        opened, body = match.group(1), COMMENT.sub("", match.group(2))
        if opened == expected or opened.startswith(expected + "::") and expected != "weft":
            here = True
        elif name.startswith("tests/") and opened == "weft::test":
            here = True
        elif expected == "weft" and opened != "weft" and name.startswith("sw/base/"):
            here = True
        elif (name in OF_WAFER or name.startswith(PUBLIC)) and opened == "weft":
            pass
        elif FORWARD.sub("", FOUND_BY_TYPE.sub("", body)).strip():
            found.append(f"{name}: found `namespace {opened}`, expected `namespace {expected}`")
    if name.endswith(".hpp") and not here and not found and name not in WITHOUT:
        found.append(f"{name}: found no `namespace {expected} {{`, which every header of this folder opens")
    return found


class Namespaces(unittest.TestCase):
    maxDiff = None

    def test_every_file_declares_its_names_in_the_namespace_of_its_folder(self):
        folders, files, wrong = tested(), 0, []
        for top in TOPS + ("bench", "tests"):
            for path in sorted((ROOT / top).rglob("*.[ch]pp")):
                files += 1
                name = path.relative_to(ROOT).as_posix()
                wrong += mistakes(name, path.read_text(encoding="utf-8"), folders)
        self.assertGreater(files, 100, f"almost no files: wrong root folder {ROOT}?")
        if wrong:
            self.fail(f"{len(wrong)} files (CONTRIBUTING.md, Style, has the rule):\n" + "\n".join(wrong))

    def test_a_wrong_namespace_is_found_and_named(self):
        def header(space, body="\nint f();\n\n"):
            return f"#pragma once\n\nnamespace {space} {{\n{body}}}  // namespace {space}\n"

        folders = {"swarmx": "host/swarmx", "asm": "sw/asm", "base": "sw/base"}
        for name, space in (("host/swarmx/tree/a.hpp", "weft::swarmx"),
                            ("host/inspect/debug/a.hpp", "weft::inspect::debug"),
                            ("sw/asm/a.hpp", "weft::assembler"), ("sw/base/a.hpp", "weft"), ("verif/a.hpp", "weft"),
                            ("tests/swarmx/link/a.hpp", "weft::swarmx"), ("tests/asm/a.hpp", "weft::assembler"),
                            ("tests/base/a.hpp", "weft::test"), ("tests/says.hpp", "weft::test"),
                            ("bench/speed/a.hpp", "weft::bench")):
            self.assertEqual(mistakes(name, header(space), folders), [], name)
        self.assertEqual(mistakes("host/swarmx/a.hpp", header("weft::memoryx"), folders),
                         ["host/swarmx/a.hpp: found `namespace weft::memoryx`, expected `namespace weft::swarmx`"])
        self.assertEqual(len(mistakes("host/swarmx/a.hpp", header("weft"), folders)), 1)
        self.assertEqual(len(mistakes("host/swarmx/a.hpp", "int f();\n", folders)), 1)
        self.assertEqual(len(mistakes("host/library/a.cpp", header("weft::swarmx"), folders)), 1)
        ahead = header("weft::memoryx", "\nclass Store;  // in shards.hpp\n\n") + header("weft::swarmx")
        self.assertEqual(mistakes("host/swarmx/a.hpp", ahead, folders), [])


if __name__ == "__main__":
    if len(sys.argv) > 1 and pathlib.Path(sys.argv[1]).is_dir():  # another tree: namespaces_test.py FOLDER
        ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
