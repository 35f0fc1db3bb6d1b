"""fpga/trim.py on small netlists: which ends of carry chains it takes out, and which not."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "fpga"))
import trim  # noqa: E402

FIRST = "0" * 12 + "1011"  # the LUT of four is 0 where C0 and D0 are 1
SUM = "1001011010101010"
INPUTS = ["CIN", "A0", "B0", "C0", "D0", "A1", "B1", "C1", "D1"]


def cell(cin, cout, init=FIRST, c0="1", d0="1"):
    bits = dict.fromkeys(INPUTS, ["0"]) | {"CIN": [cin], "C0": [c0], "D0": [d0], "COUT": [cout], "S0": [90], "S1": [91]}
    directions = {port: "input" if port in INPUTS else "output" for port in bits}
    return {"type": "CCU2C", "parameters": {"INIT0": init}, "connections": bits, "port_directions": directions}


def trimmed(*cells, out=()):
    module = {"cells": {str(i): c for i, c in enumerate(cells)}, "ports": {"y": {"bits": list(out)}}}
    trim.trim(module)
    return [(c["connections"]["CIN"], c["connections"]["COUT"]) for c in cells]


class Trim(unittest.TestCase):
    def test_a_chain_of_two(self):
        self.assertEqual(trimmed(cell("0", 2), cell(2, 3, SUM)), [(["x"], [2]), ([2], ["x"])])

    def test_a_carry_in_that_counts_stays(self):
        for first in (cell("0", 2, SUM), cell("1", 2, FIRST, c0="0"), cell("0", 2, FIRST, d0=7), cell(9, 2)):
            self.assertEqual(trimmed(first)[0][0], first["connections"]["CIN"])
            self.assertNotEqual(first["connections"]["CIN"], ["x"])

    def test_a_carry_out_that_is_used_stays(self):
        lut = {"type": "LUT4", "connections": {"A": [2], "Z": [5]}, "port_directions": {"A": "input", "Z": "output"}}
        module = {"cells": {"a": cell("0", 2), "b": lut}, "ports": {}}
        trim.trim(module)
        self.assertEqual(module["cells"]["a"]["connections"]["COUT"], [2])
        self.assertEqual(trimmed(cell("0", 2), out=[2])[0][1], [2])


if __name__ == "__main__":
    unittest.main()
