#!/usr/bin/env python3
"""Blocking assignments at a clock edge, races between blocks, stay within one block: races_test.py ROOT.

Verilator's -Wall refuses them (BLKSEQ). Only the form for a simulator turns that off, and what other blocks read of it is assigned
without blocking: Verilator 5.052 ran such a reader after the block, and a wafer trained with other bits."""
import pathlib
import re
import sys
import unittest

RTL = pathlib.Path(sys.argv.pop(1)) / "rtl"


class Races(unittest.TestCase):
    def test_only_the_lanes_of_a_simulator_have_them(self):
        found = [str(file.relative_to(RTL)) for file in sorted(RTL.rglob("*.sv")) if re.search("lint_off.*BLKSEQ", file.read_text())]
        self.assertEqual(found, ["numbers/weft_fma_fast.sv"])

    def test_no_other_block_sees_them(self):
        text = re.sub("//.*", "", (RTL / "numbers/weft_fma_fast.sv").read_text())
        outputs = re.findall(r"output\s+logic\s*(?:\[[^]]*\])?\s*(\w+)", text)
        self.assertGreaterEqual(len(outputs), 3)
        for output in outputs:
            source = re.search(rf"assign {output}\s*= (\w+);", text)
            self.assertIsNotNone(source, f"{output} is not a register alone")
            register = source.group(1)
            self.assertTrue(re.search(rf"\b{register} <= ", text), f"{register} is never assigned without blocking")
            self.assertFalse(re.search(rf"\b{register}(\[[^=;]*\])? = ", text), f"{output} is read while the block runs")


if __name__ == "__main__":
    unittest.main(verbosity=2)
