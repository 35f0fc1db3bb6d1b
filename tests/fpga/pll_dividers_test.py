"""fpga/board.py: the dividers of the PLL are within the chip's limits, for many oscillators and clocks, and a clock that has none is
refused with the nearest that has."""

import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "fpga"))
import board  # noqa: E402

OSCILLATORS = (10000, 12000, 16000, 20000, 24000, 25000, 26000, 27000, 33333, 48000, 50000, 100000, 125000, 156250, 200000, 400000)
CLOCKS = (3125, 4000, 10000, 12500, 20000, 25000, 27000, 30000, 33333, 37500, 40000, 41234, 44444, 48000, 50000, 60000, 62500, 66000, 75000, 80000, 100000, 133000, 400000)


def legal(oscillator, clock, divide, loop, output):
    """Limits of the data sheet, in kHz; no number is rounded."""
    vco = clock * output
    return (
        all(1 <= divider <= 128 for divider in (divide, loop, output))
        and oscillator * loop == vco * divide
        and 400_000 <= vco <= 800_000
        and 10_000 * divide <= oscillator <= 400_000 * divide
    )


class Dividers(unittest.TestCase):
    def test_are_within_the_limits_for_every_oscillator_and_clock(self):
        made = 0
        for oscillator in OSCILLATORS:
            for clock in CLOCKS:
                found = board.dividers(oscillator, clock)
                every = ((d, loop, out) for d in range(1, 41) for out in range(1, 129) for loop in [clock * out * d // oscillator] if legal(oscillator, clock, d, loop, out))
                if found is None:
                    self.assertIsNone(next(every, None), f"{oscillator} kHz to {clock} kHz")
                else:
                    made += 1
                    self.assertTrue(legal(oscillator, clock, *found), f"{oscillator} kHz to {clock} kHz: {found}")
        self.assertGreater(made, 200)

    def test_are_those_that_ecppll_chooses(self):
        self.assertEqual(board.dividers(25000, 40000), (1, 24, 15))
        self.assertEqual(board.dividers(100000, 50000), (1, 6, 12))

    def test_all_clocks_that_are_offered_have_some(self):
        for oscillator in (12000, 25000, 100000):
            offered = board.clocks(oscillator)
            self.assertEqual([clock for clock in offered if not board.dividers(oscillator, clock)], [])
            self.assertIn(40000, offered)

    def test_following_the_hint_helps(self):
        for arguments in (["clock=41234"], ["clock=48000"], ["clock=399999", "baud=3000000"], ["clock=1"], ["clock=41234", "baud=115200"], ["clock=37777", "oscillator=12000"]):
            refused = self.ask(*arguments)
            self.assertNotEqual(refused.returncode, 0, arguments)
            (clock,) = re.findall(r"no PLL makes .* HINT: clock = (\d+) is the nearest", refused.stderr)
            self.assertEqual(self.ask(*arguments[1:], f"clock={clock}").returncode, 0, f"{arguments}: {refused.stderr}")

    def test_an_oscillator_out_of_range_is_refused(self):
        for oscillator in (0, 8000, 9999, 400001):
            self.assertIn("is outside the range of an ECP5's PLL", self.ask(f"oscillator={oscillator}").stderr)

    def test_numbers_have_the_digits_that_tools_read(self):
        for change in ("rows=\u0664", "clock=4\u0660000", "seeds=\u0661", "baud=\u0bee"):
            self.assertIn("is not valid", self.ask(change).stderr)

    def test_counts_that_nothing_can_read_are_refused(self):
        self.assertIn("HINT: debug = 1, or tally = 0", self.ask("tally=23").stderr)
        for change in (["tally=23", "debug=1"], ["tally=0", "debug=0"]):
            self.assertEqual(self.ask(*change).returncode, 0)

    @staticmethod
    def ask(*changes):
        return subprocess.run([sys.executable, ROOT / "fpga/board.py", "ulx3s", *changes], capture_output=True, text=True, check=False)


if __name__ == "__main__":
    unittest.main(verbosity=2)
