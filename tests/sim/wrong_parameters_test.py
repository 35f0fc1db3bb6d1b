#!/usr/bin/env python3
"""A parameter that the RTL's own checks refuse stops the build of a simulated wafer: its Verilator, with its options.

usage: wrong_parameters_test.py BUILD
"""
import pathlib
import re
import subprocess
import sys
import unittest

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
ARGUMENTS = BUILD / "verif/sim/CMakeFiles/weft_sim_router.dir/Vweft_router.dir/verilator_args.txt"


def elaborate(*parameters):
    """Elaborates the router as the build does; makes nothing."""
    words = ARGUMENTS.read_text().strip().split(";")
    # Newer versions of CMake call Verilator through `cmake -E env VERILATOR_ROOT=...`.
    program = next(n for n, word in enumerate(words) if re.search("(^|/)verilator(_bin)?$", word) and "=" not in word)
    verilator, words = words[:program + 1], words[words.index("--top"):]
    words = ["--lint-only", *parameters, f"-I{BUILD}/gen", *(w for w in words if w != "--cc")]
    return subprocess.run([*verilator, *words], capture_output=True, text=True, check=False)


class WrongParameters(unittest.TestCase):
    def test_the_router_as_it_is_built_elaborates(self):
        done = elaborate()
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])

    def test_a_depth_that_no_link_has_stops_it(self):
        done = elaborate("-GDepth=0")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("%Error-USERERROR", done.stderr)


if __name__ == "__main__":
    unittest.main()
