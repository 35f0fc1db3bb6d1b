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
ABI = pathlib.Path(__file__).parent / "abi"
HASHES = ["346465df9128f34a", "10a64096449fc404"]


class Project(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="weft-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        source = pathlib.Path(__file__).parent / "project"
        page = (ROOT / "docs/reference/c_abi.md").read_text()
        (cls.folder / "page.c").write_text(re.search(r"```c\n(.*?)```", page, re.S)[1])
        cls.run_it(CMAKE, "-S", source, "-B", cls.folder / "build", f"-DCMAKE_CXX_COMPILER={CXX}",
                   f"-Dweft_DIR={WEFT_DIR}", f"-DABI_HEADERS={ABI}", f"-DABI_VERSIONS={';'.join(cls.versions())}",
                   f"-DPAGE={cls.folder / 'page.c'}")
        cls.run_it(CMAKE, "--build", cls.folder / "build")

    @classmethod
    def versions(cls):
        """The versions of the C ABI of which there is a header."""
        return sorted(folder.name for folder in ABI.iterdir() if folder.is_dir())

    @classmethod
    def library(cls, name):
        return next(line.split()[2] for line in cls.run_it("ldd", cls.folder / "build/axpy_c").splitlines() if name in line)

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

    def test_a_program_in_c_has_the_same_bits_and_gets_errors_also_with_older_headers(self):
        refused = "kernel axpi|no program has a kernel of this name|did you mean 'axpy'?"
        self.assertIn("1", self.versions())
        for program in ["axpy_c"] + [f"axpy_c_{version}" for version in self.versions()]:
            out = self.run_it(self.folder / "build" / program, ROOT / "examples/axpy.s").splitlines()
            self.assertEqual(out[:4], ["48.5 0 2 16 bf16", refused, "48.5 1 2 16 bf16", refused])
            self.assertRegex(out[4], r"^x: has 95 elements, but the array has 2 x 3 x 16\. HINT: ")

    def test_the_pages_examples_run(self):
        shutil.copy(ROOT / "examples/axpy.s", self.folder)
        self.assertEqual(self.run_it(self.folder / "build/page"), "142\n")  # 1.5 * 95, rounded to bf16
        out = self.run_it(self.folder / "build/stencil", ROOT / "examples/stencil.s")
        self.assertRegex(out, r"^\d+ cycles a step, sum 2\d\d\.\d\d$")

    def test_the_c_abi_has_all_functions_of_its_versions(self):
        """symbols.txt lists them; a line stays for ever, and a new function has a line of a new version."""
        names = [line.split()[-1] for line in self.run_it("nm", "-D", "--defined-only", self.library("libweft-c.so.1"))
                 .splitlines() if " T " in line]
        self.assertEqual(sorted(names), (ABI / "symbols.txt").read_text().split())

    def test_the_library_exports_its_own_names_alone(self):
        library = self.library("libweft.so")
        names = [line.split(maxsplit=2)[2] for line in self.run_it("nm", "-DC", "--defined-only", library).splitlines()]
        self.assertIn("weft::v0::Trainer::close()", names)
        ours = re.compile(r"((typeinfo|typeinfo name|vtable) for )?weft::v0::(?!.*\bImpl::)")
        self.assertEqual([name for name in names if not ours.match(name)], [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
