#!/usr/bin/env python3
"""fpga/build_number.sh: what changes gates changes the number, and nothing else does: build_number_test.py ROOT BUILD."""
import pathlib
import subprocess
import sys
import unittest

ROOT, BUILD = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
del sys.argv[1:3]


def number(*arguments):
    done = subprocess.run([ROOT / "fpga/build_number.sh", BUILD, *arguments], check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


class BuildNumber(unittest.TestCase):
    def test_has_sixteen_hexadecimal_digits(self):
        self.assertRegex(number("ulx3s"), r"^[0-9a-f]{16}\n$")

    def test_names_seeds_and_addresses_do_not_change_it(self):
        self.assertEqual(number("ecpix5"), number("ecpix5", "title=Mine", "seeds=9", "cables=0403:6014 -c ft232", "ip=192.168.1.51", "mac=02:57:45:46:54:02"))

    def test_mesh_clock_and_device_change_it(self):
        changes = ("rows=2", "sram_kib=12", "clock=20000", "debug=1", "device=--45k --package CABGA381 --speed 6")
        self.assertEqual(len({number("ulx3s"), number("ecpix5"), *(number("ulx3s", change) for change in changes)}), 2 + len(changes))

    def test_a_board_that_is_not_there_is_refused(self):
        done = subprocess.run([ROOT / "fpga/build_number.sh", BUILD, "nobody"], check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stdout, "")
        self.assertIn("there is no board 'nobody'. HINT", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
