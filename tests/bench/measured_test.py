#!/usr/bin/env python3
"""Results say when, on which commit and on which machine they were measured; those of README.md's picture are read from a trace."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

import measured  # noqa: E402
import readme_results  # noqa: E402
import trained_model  # noqa: E402

VCD = """$scope module tile_1_1 $end
$scope module words $end
$var string 0 a north_in_RING $end
$var string 0 b R $end
$var string 0 c west_in_W $end
$var string 0 d east_out_W $end
$upscope $end
$scope module unit $end
$var wire 2 e issue [1:0] $end
$upscope $end
$upscope $end
#5
sPSUM\\0400.25 a
s0.5\\0400.75 b
s c
s d
b01 e
#7
s a
b10 e
sW\\0404\\040->\\040row\\0401\\040-0.125 c
#8
"""


class Measured(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="weft-")
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        (self.tree / "bench/results").mkdir(parents=True)
        shutil.copy(ROOT / "bench/measured.py", self.tree / "bench")
        self.git("init", "-q", ".")
        self.git("add", ".")
        self.git("-c", "user.name=me", "-c", "user.email=me", "commit", "-qm", "first")
        self.results = self.tree / "bench/results/speed.jsonl"

    def git(self, *words):
        return subprocess.run(["git", *words], cwd=self.tree, check=True, text=True, stdout=subprocess.PIPE).stdout.strip()

    def measure(self, script, *names):
        return subprocess.run([sys.executable, "-B", "bench/measured.py", *names, "--", "sh", "-c", script], cwd=self.tree, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)

    def rows(self):
        return [json.loads(line) for line in self.results.read_text().splitlines()]

    def test_the_first_line_of_results_is_their_record(self):
        row = '{"bench": "speed", "name": "n", "value": 1}'
        write = f"echo '{row}' > bench/results/speed.jsonl"
        for _ in range(2):
            self.assertEqual(self.measure(write, "speed").returncode, 0)
            record, *rows = self.rows()
            self.assertEqual(rows, [json.loads(row)])
        self.assertEqual(record["bench"], "speed")
        self.assertRegex(record["date"], r"^\d{4}-\d\d-\d\d$")
        self.assertEqual(record["commit"], self.git("rev-parse", "--short=12", "HEAD"))
        self.assertIn(f"{os.cpu_count()} processors", record["machine"])
        self.assertIn("speed.jsonl", record["command"])
        (self.tree / "bench/measured.py").write_text((self.tree / "bench/measured.py").read_text() + "# changed\n")
        self.assertEqual(self.measure("exit 1", "speed").returncode, 1, "a goal is missed")
        self.assertRegex(self.rows()[0]["commit"], "^[0-9a-f]{12} and changes$")
        self.assertEqual(len(self.rows()), 2)

    def test_rows_are_written_behind_their_record(self):
        path = measured.write("speed", "make it", iter([{"name": "n", "value": 1}]), self.results.parent)
        self.assertEqual(path, self.results)
        record, row = self.rows()
        self.assertEqual((record["bench"], record["command"], row), ("speed", "make it", {"bench": "speed", "name": "n", "value": 1}))

    def test_a_failed_command_leaves_no_record(self):
        self.assertEqual(self.measure("exit 2", "speed").returncode, 2)
        self.assertFalse(self.results.exists())
        with self.assertRaisesRegex(SystemExit, "no command. HINT: "):
            measured.main(["speed"])

    def test_each_file_of_results_has_a_record(self):
        for path in (ROOT / "bench/results").iterdir():
            self.assertEqual(path.suffix, ".jsonl", path)
            first = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
            self.assertEqual(first.keys(), {"bench", "date", "commit", "machine", "command"}, path.name)
            self.assertEqual(first["bench"], path.stem)


class Readme(unittest.TestCase):
    def test_intervals_of_signals_are_rows(self):
        rows = list(readme_results.wave_rows(*readme_results.changes(VCD)))
        self.assertEqual([(row["signal"], row["begin"], row["end"], row["text"]) for row in rows],
                         [("weight from the west", 7, 8, "-0.125"), ("sums from the north", 5, 7, "0.250"),
                          ("vector unit", 5, 7, "main"), ("vector unit", 7, 8, "psum"), ("accumulator", 5, 8, "0.500")])


class TrainedModel(unittest.TestCase):
    def test_losses_are_means(self):
        every = trained_model.EVERY
        rows = list(trained_model.curve_rows([{"step": step, "loss": step} for step in range(1, 2 * every + 2)]))
        self.assertEqual([(row["step"], row["loss"]) for row in rows], [(1, 1), (every, (1 + every) / 2), (2 * every, (1 + 3 * every) / 2)])

    def test_evaluations_of_both_are_a_row(self):
        ours = [{"step": 1, "loss": 3}, {"step": 2, "loss": 3, "eval_loss": 2.5}, {"step": 4, "loss": 2, "eval_loss": 2}]
        rows = list(trained_model.eval_rows(ours, [{"step": 2, "loss": 3, "eval_loss": 2.25}, {"step": 3, "loss": 1}]))
        self.assertEqual([(row["step"], row["weft"], row["pytorch"]) for row in rows], [(2, 2.5, 2.25), (4, 2, None)])

    def test_a_curve_of_pytorch_ends_with_its_last_complete_line(self):
        with tempfile.TemporaryDirectory(prefix="weft-") as folder:
            path = pathlib.Path(folder) / "curve.csv"
            path.write_text("step,loss,grad_norm,eval_loss\n1,2.5,1,\n2,2.25,1,2.125\n3,2.", encoding="utf-8")
            self.assertEqual(trained_model.pytorch_rows(path), [{"step": 1, "loss": 2.5}, {"step": 2, "loss": 2.25, "eval_loss": 2.125}])


if __name__ == "__main__":
    unittest.main()
