"""fpga/routed.py: a router that makes progress continues, however long it takes; a router without progress is ended."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
# Prints connections left, as nextpnr's router does, one line in some milliseconds of work.
ROUTER = """
import sys, time
def work(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
print("Info: Placed 1 | 2 | 3 cells", flush=True)
work(float(sys.argv[2]))
for count in eval(sys.argv[1]):
    print(f"Info:     487000 |   113288     371049 |  446   554 |     {count}|     108.43    1450.84|", flush=True)
    work(0.006)
sys.exit(7)
"""


def run(counts, before=0, patience=0.3):
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "log"
        result = subprocess.run([sys.executable, ROOT / "fpga/routed.py", log, sys.executable, "-c", ROUTER, counts, str(before)],
                                env=os.environ | {"PATIENCE": str(patience)}, capture_output=True, text=True, check=False)
        return result.returncode, result.stderr, log.read_text().count("|     108")


class Routed(unittest.TestCase):
    def test_progressing_router_ends_by_itself(self):
        code, errors, lines = run("[int(90000 * 0.8 ** k) for k in range(60)]")
        self.assertEqual((code, errors, lines), (7, "", 60))

    def test_a_long_placement_is_no_stop(self):
        self.assertEqual(run("[100, 50]", before=0.6)[0], 7)

    def test_stuck_router_is_ended(self):
        code, errors, lines = run("[80000, 75000] + [75000 + k % 7 for k in range(600)]")
        self.assertEqual(code, 3)
        self.assertIn("7500", errors)
        self.assertIn("HINT: another seed", errors)
        self.assertLess(lines, 300)

    def test_a_command_that_is_not_there(self):
        with tempfile.TemporaryDirectory() as folder:
            result = subprocess.run([sys.executable, ROOT / "fpga/routed.py", pathlib.Path(folder) / "log", "/no/such"],
                                    capture_output=True, text=True, check=False)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn("/no/such", result.stderr)


if __name__ == "__main__":
    unittest.main()
