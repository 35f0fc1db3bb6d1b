#!/usr/bin/env python3
"""predictions_test.py WEFT_BENCH: docs/explanation/scaling.md has the tables that `weft-bench predictions` computes."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = sys.argv.pop(1)


def weft_bench(*arguments):
    return subprocess.run([PROGRAM, *arguments], text=True, capture_output=True, check=False)


class Predictions(unittest.TestCase):
    def test_the_page_has_the_computed_tables(self):
        with tempfile.TemporaryDirectory(prefix="weft-") as folder:
            done = weft_bench("--results", folder, "predictions")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("figure7", pathlib.Path(folder, "predictions.jsonl").read_text(encoding="utf-8"))
            done = subprocess.run([sys.executable, ROOT / "bench/pages.py", "--check", "--results", folder, "predictions"], text=True,
                                  stdout=subprocess.PIPE, check=False)
            self.assertEqual((done.returncode, done.stdout), (0, ""), "HINT: make scaling")

    def test_a_results_folder_that_is_missing_is_reported_before_anything_is_measured(self):
        with tempfile.TemporaryDirectory(prefix="weft-") as folder:
            done = weft_bench("--results", f"{folder}/none", "placement", "predictions")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(f"{folder}/none", done.stderr)
            self.assertIn("HINT: ", done.stderr)
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [])

    def test_settings_that_cannot_be_are_user_errors(self):
        for arguments in (["predictions", "speed=3"], ["tiles", "bandwidth=1e9"], ["bandwidth=1e9"],
                          ["--results", "/tmp", "predictions", "fanout=8"], ["predictions", "mask_updates", "fanout=8"],
                          ["mask_updates", "algorithm=gmp"], ["mask_updates", "update_freq=0"], ["--results"], ["no_such"]):
            done = weft_bench(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn("HINT: ", done.stderr)


if __name__ == "__main__":
    unittest.main()
