#!/usr/bin/env python3
"""scripts/expected_hashes in a small repository: expected_hashes_test.py WEFT"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

WEFT = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
RIGHT, WRONG = "10a64096449fc404", "feedfeedfeedfeed"  # gpt_tiny.yaml's second step


class ExpectedHashes(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="weft-"))
        self.addCleanup(shutil.rmtree, self.root)
        for name in ("scripts/expected_hashes", "configs/gpt_tiny.yaml", "configs/corpus.txt"):
            (self.root / name).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, self.root / name)
        self.document = self.root / "page.md"
        self.script = self.root / "scripts/expected_hashes"

    def run_it(self, *words):
        subprocess.run(["git", "init", "-q"], cwd=self.root, check=True)
        subprocess.run(["git", "add", "-A"], cwd=self.root, check=True)
        return subprocess.run([self.script, "--weft", WEFT, *words], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)

    def test_changes_nothing_if_the_program_has_not_changed(self):
        text = f"| 2 | 4.53982 | {RIGHT} |\n"
        self.document.write_text(text)
        before = self.script.read_bytes()
        done = self.run_it("gpt_tiny")
        self.assertEqual((done.returncode, done.stdout), (0, "gpt_tiny: 0 of 20 hashes differ\n"))
        self.assertEqual((self.document.read_text(), self.script.read_bytes()), (text, before))

    def test_rewrites_documents_tests_and_its_own_table(self):
        self.script.write_text(self.script.read_text().replace(RIGHT, WRONG))
        self.document.write_text(f"| 2 | 4.53982 | {WRONG} |\nother {WRONG[:8]}\n")
        self.assertEqual(self.run_it("--check", "gpt_tiny").returncode, 1)
        done = self.run_it("gpt_tiny")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("gpt_tiny: 1 of 20 hashes differ\n", done.stdout)
        self.assertIn(f"page.md:1: | 2 | 4.53982 | {RIGHT} |\n", done.stdout)
        self.assertEqual(self.document.read_text(), f"| 2 | 4.53982 | {RIGHT} |\nother {WRONG[:8]}\n")
        self.assertEqual(self.script.read_bytes(), (ROOT / "scripts/expected_hashes").read_bytes())
        self.assertEqual(self.run_it("--check", "gpt_tiny").returncode, 0)

    def test_names_the_runs_that_there_are(self):
        done = self.run_it("gpt_tinny")
        self.assertEqual(done.returncode, 1)
        self.assertIn("gpt_tinny is not a run of the table. HINT: use gpt_tiny, ", done.stdout)


if __name__ == "__main__":
    unittest.main()
