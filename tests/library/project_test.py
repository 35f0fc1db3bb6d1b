#!/usr/bin/env python3
"""A project outside of the tree finds libweft and trains: project_test.py CMAKE CXX WEFT_DIR.

WEFT_DIR: folder of weftConfig.cmake, in a build folder or an installation."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CMAKE, CXX, WEFT_DIR = sys.argv[1:4]
ROOT = pathlib.Path(__file__).resolve().parents[2]
HASHES = ["346465df9128f34a", "10a64096449fc404"]


class Project(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="weft-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        source = pathlib.Path(__file__).parent / "project"
        cls.run_it(CMAKE, "-S", source, "-B", cls.folder / "build", f"-DCMAKE_CXX_COMPILER={CXX}",
                   f"-Dweft_DIR={WEFT_DIR}")
        cls.run_it(CMAKE, "--build", cls.folder / "build")

    @classmethod
    def run_it(cls, *words, code=0):
        done = subprocess.run([str(word) for word in words], cwd=cls.folder, text=True, timeout=300, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != code:
            raise AssertionError(f"{words}: {done.returncode}\n{done.stdout}")
        return done.stdout

    def test_it_trains_with_the_bits_of_weft_and_gets_its_errors(self):
        out = self.run_it(self.folder / "build/mine", ROOT / "configs/gpt_tiny.yaml", "out", 2, code=2).splitlines()
        self.assertEqual([json.loads(line)["state_hash"] for line in out[:2]], HASHES)
        self.assertEqual(out[:2], (self.folder / "out/metrics.jsonl").read_text().splitlines())
        self.assertEqual(out[2:5], ["0", "1", "runconfig.num_csx"])
        self.assertRegex(out[5], r"^arguments: runconfig\.num_csx: .*\. HINT: .*")

    def test_a_wafer_runs_a_program_of_ours_with_the_same_bits_on_both_backends(self):
        out = self.run_it(self.folder / "build/axpy", ROOT / "examples/axpy.s", code=2).splitlines()
        self.assertEqual(out[:3], ["48.5 24 0", "48.5 24 1", "east"])
        self.assertRegex(out[3], r"^east: it has no reader in tile \(0,1\): .*axpy\.s has no instruction .*\. HINT: .*")

    def test_the_library_exports_its_own_names_alone(self):
        library = next(line.split()[2] for line in self.run_it("ldd", self.folder / "build/mine").splitlines()
                       if "libweft" in line)
        names = [line.split(maxsplit=2)[2] for line in self.run_it("nm", "-DC", "--defined-only", library).splitlines()]
        self.assertIn("weft::v0::Trainer::close()", names)
        ours = re.compile(r"((typeinfo|typeinfo name|vtable) for )?weft::v0::(?!.*\bImpl::)")
        self.assertEqual([name for name in names if not ours.match(name)], [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
