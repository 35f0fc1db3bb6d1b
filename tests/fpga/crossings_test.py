"""fpga/crossings.py: a routed crossing that keeps its order passes; a report of any other, or without one, is refused."""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
LINE, CLOCK = "posedge $glbnet$line_clk", "posedge $glbnet$clk"  # 125 and 50 MHz


def net(crossing, bit, least, most, leaves=LINE, enters=CLOCK):
    end = {"cell": f"{crossing}.meta_q_TRELLIS_FF_Q_{bit}", "delay": [least, most], "event": enters, "port": "M"}
    return {"driver": f"{crossing}.gray_q_TRELLIS_FF_Q_{bit}", "endpoints": [end], "event": leaves, "net": f"{crossing}.gray_q[{bit}]", "port": "Q"}


def report():
    nets = [net("i_in.i_written", bit, 1.0 + bit / 4, 1.5 + bit / 4) for bit in range(8)]
    nets += [net("i_in.i_read", bit, 2.0, 3.0, CLOCK, LINE) for bit in range(13)]
    nets += [{**net("i_in.i_read", 3, 30.0, 30.0), "net": "i_in.i_read.meta_q[3]"}]  # another register
    fmax = {"$glbnet$line_clk": {"achieved": 180.0, "constraint": 125.0}, "$glbnet$clk": {"achieved": 70.0, "constraint": 50.0}}
    return {"critical_paths": [], "detailed_net_timings": nets, "fmax": fmax, "utilization": {}}


def measured(text, count=2):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "report.json").write_text(json.dumps(text), encoding="utf-8")
        return subprocess.run([sys.executable, ROOT / "fpga/crossings.py", folder, str(count)], capture_output=True, text=True, check=False)


class Crossings(unittest.TestCase):
    def refuses(self, change, words, count=2):
        text = copy.deepcopy(report())
        change(text["detailed_net_timings"])
        result = measured(text, count)
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn(words, result.stderr)
        self.assertIn("HINT", result.stderr)

    def test_one_that_keeps_its_order_passes(self):
        result = measured(report())
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("i_in.i_written: 8 bits, 3.25 ns of 20.00, apart 2.25 ns of 8.00", result.stdout)
        self.assertIn("i_in.i_read: 13 bits, 3.00 ns of 8.00, apart 1.00 ns of 20.00", result.stdout)

    def test_a_bit_that_the_next_change_overtakes_is_refused(self):
        self.refuses(lambda nets: nets[3]["endpoints"][0].update(delay=[9.0, 9.1]), "i_in.i_written: its bits are further apart")

    def test_the_earliest_counts_at_its_earliest(self):
        self.refuses(lambda nets: nets[7]["endpoints"][0].update(delay=[8.9, 9.0]), "further apart than a cycle")

    def test_a_bit_that_arrives_a_cycle_late_is_refused(self):
        self.refuses(lambda nets: nets[9]["endpoints"][0].update(delay=[8.5, 9.0]), "i_in.i_read: it takes longer than a cycle")

    def test_every_bit_has_to_be_measured(self):
        self.refuses(lambda nets: nets.pop(4), "i_in.i_written: not all of its bits")
        self.refuses(lambda nets: nets[4].update(endpoints=[]), "i_in.i_written: not all of its bits")
        self.refuses(lambda nets: nets[4]["endpoints"][0].update(event=LINE), "i_in.i_written: not all of its bits")

    def test_bits_of_other_clocks_are_refused(self):
        self.refuses(lambda nets: nets[4]["endpoints"][0].update(event="posedge other"), "not between the same two clocks")

    def test_a_clock_without_a_frequency_is_refused(self):
        def unknown(nets):
            for one in nets[:8]:
                one["event"] = "posedge other"

        self.refuses(unknown, "further apart than a cycle")

    def test_a_crossing_that_is_not_there_is_refused(self):
        self.refuses(lambda nets: None, "2 crossings were measured, of 4", count=4)
        self.refuses(list.clear, "0 crossings were measured, of 2")

    def test_a_report_without_details_is_refused(self):
        text = report()
        del text["detailed_net_timings"]
        self.assertIn("0 crossings were measured", measured(text).stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
