#!/usr/bin/env python3
"""Two installations of Verilator that are mixed by VERILATOR_ROOT are named, not compiled."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CMAKE = sys.argv[1]


class VerilatorRoot(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="weft-")
        self.addCleanup(folder.cleanup)
        self.base = pathlib.Path(folder.name)
        self.old, self.new = self.installation("old", "5.006 2023-01-22"), self.installation("new", "5.048 2026-05-16")

    def installation(self, name, version):
        """A folder with the headers and the programs of that version."""
        home = self.base / name
        for part in ("include", "bin"):
            (home / part).mkdir(parents=True)
        (home / "include/verilated.h").write_text("")
        (home / "include/verilated_config.h").write_text(f'#define VERILATOR_VERSION    "{version}"\n')
        for program in ("verilator", "verilator_bin"):
            file = home / "bin" / program
            file.write_text(f'#!/bin/sh\n[ "$1" != --getenv ] || {{ echo {home}; exit; }}\necho "Verilator {version} rev v5"\n')
            file.chmod(0o755)
        return home

    def check(self, root, program, environment=None):
        call = self.base / "call.cmake"
        call.write_text(f"cmake_minimum_required(VERSION 3.22)\ninclude({ROOT}/verif/sim/verilator_root.cmake)\nweft_check_verilator({root} {program})\n")
        mine = {name: value for name, value in os.environ.items() if name != "VERILATOR_ROOT"}
        mine["PATH"] = f"{self.old}/bin:{mine['PATH']}"
        if environment:
            mine["VERILATOR_ROOT"] = str(environment)
        done = subprocess.run([CMAKE, "-P", call], text=True, check=False, timeout=60, env=mine,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode, " ".join(done.stdout.split())

    def test_one_installation_is_taken_without_a_word(self):
        self.assertEqual(self.check(self.old, self.old / "bin/verilator_bin"), (0, ""))
        self.assertEqual(self.check(self.old, self.old / "bin/verilator_bin", environment=self.old), (0, ""))

    def test_a_program_elsewhere_of_the_same_version_is_taken(self):
        apart = self.installation("apart", "5.048 2026-05-16")
        self.assertEqual(self.check(self.new, apart / "bin/verilator_bin"), (0, ""))

    def test_headers_of_one_and_a_program_of_another_are_refused_by_name(self):
        status, said = self.check(self.new, self.old / "bin/verilator_bin", environment=self.new)
        self.assertNotEqual(status, 0)
        for words in ("VERILATOR_ROOT: ", f"{self.old}/bin/verilator_bin is Verilator 5.006", str(self.new), "5.048", "two installations", "HINT: "):
            self.assertIn(words, said)

    def test_another_one_on_the_path_is_reported(self):
        status, said = self.check(self.new, self.new / "bin/verilator_bin", environment=self.new)
        self.assertEqual(status, 0)
        self.assertIn(f"Verilator 5.048 of {self.new} is used, not the one on the PATH, {self.old}/bin/verilator", said)

    def test_a_folder_without_headers_is_refused(self):
        status, said = self.check(self.old, self.old / "bin/verilator_bin", environment=self.base / "nowhere")
        self.assertNotEqual(status, 0)
        self.assertIn("VERILATOR_ROOT: no include/verilated.h in", said)

    def test_a_build_folder_that_was_configured_with_another_is_refused(self):
        status, said = self.check(self.old, self.old / "bin/verilator_bin", environment=self.new)
        self.assertNotEqual(status, 0)
        self.assertIn(f"this build folder was configured with {self.old}. HINT: make clean", said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
