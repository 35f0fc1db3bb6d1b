#!/usr/bin/env python3
"""`pip install .` in a fresh environment, without anything of this tree: install_test.py PYTHON.

The page's first example and the package's tests run there. Prints how long the installation takes."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

PYTHON = sys.argv[1]
HASHES = ["346465df9128f34a", "10a64096449fc404", "7239030b0111dd35"]
ROOT = pathlib.Path(__file__).resolve().parents[2]


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="weft-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.run_it(PYTHON, "-m", "venv", cls.folder / "venv")
        cls.python = cls.folder / "venv/bin/python"
        begin = time.monotonic()
        cls.run_it(cls.python, "-m", "pip", "install", "--disable-pip-version-check", f"{ROOT}[test]")
        spent = os.times()
        print(f"pip install: {time.monotonic() - begin:.0f} s, processors "
              f"{spent.children_user + spent.children_system:.0f} s")

    @classmethod
    def run_it(cls, *words, **environment):
        kept = {name: value for name, value in os.environ.items() if name == "HOME" or name.startswith("PIP_")}
        done = subprocess.run([str(word) for word in words], cwd=cls.folder, text=True, timeout=3600, check=False,
                              env={"PATH": "/usr/bin:/bin", **kept, **environment},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            raise AssertionError(f"{words}: {done.returncode}\n{done.stdout}")
        return done.stdout

    def test_the_first_example_of_the_page_runs(self):
        page = (ROOT / "docs/howto/python.md").read_text()
        example = re.search(r"```python\n(.*?)```", page, re.S)[1]
        (self.folder / "first.py").write_text(example)
        out = self.run_it(self.python, "first.py")
        self.assertEqual(re.findall(r"^ +\d+ [\d.]+ (\w{16})$", out, re.M)[:3], HASHES)
        for line in re.search(r"```text\n(.*?)```", page, re.S)[1].splitlines():
            self.assertIn(line, out)

    def test_the_first_example_of_programs_of_ones_own_runs(self):
        page = (ROOT / "docs/reference/programs.md").read_text()
        kernel, example = (re.search(rf"```{kind}\n(.*?)```", page, re.S)[1] for kind in ("asm", "python"))
        (self.folder / "stencil.s").write_text(kernel)
        (self.folder / "own.py").write_text(example)
        self.assertRegex(self.run_it(self.python, "own.py"), r"^\d+ cycles a step, sum \d+\.\d\d$")
        (self.folder / "inspect.py").write_text(example.replace('"rtl")', '"rtl", inspect=True)') +
                                                "print(wafer.profile())\n")
        self.assertIn("largest losses", self.run_it(self.python, "inspect.py"))

    def test_its_tests_pass(self):
        shutil.copytree(ROOT / "tests/python", self.folder / "tests")
        out = self.run_it(self.python, "-m", "pytest", "-q", "tests", "--override-ini", "python_files=*_test.py",
                          "--ignore", "tests/install_test.py")
        self.assertRegex(out, r"\d+ passed")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
