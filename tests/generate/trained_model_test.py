#!/usr/bin/env python3
"""The weights in configs/shakespeare/model write the text of README.md, and have the loss of bench/results/trained_model.jsonl:
trained_model_test.py WEFT [--long]. By default the beginning of the text, and the loss of two steps."""
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
WEFT, LONG = pathlib.Path(sys.argv[1]).resolve(), "--long" in sys.argv[2:]
BEGINNING = 40  # tokens
del sys.argv[1:]


def readme():
    """The words of README.md's command that generates text, and the text below it."""
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"\n\n((?:    .*\n)+)\n```\n((?:.*\n)*?)```\n", page)
    ((command, text),) = [block for block in blocks if "--mode generate" in block[0]]
    return shlex.split(command.replace("\\\n", "")), text.rstrip("\n")


class TrainedModel(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="weft-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def weft(self, *words):
        command = [WEFT, *map(str, words), "--model_dir", self.folder / "none"]
        done = subprocess.run(command, cwd=ROOT, text=True, timeout=500, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_text_is_that_of_readme(self):
        words, text = readme()
        self.assertEqual(words[:2], ["build/weft", "run"])
        if LONG:
            self.assertEqual(self.weft(*words[1:]).rstrip("\n"), text)
        else:
            beginning = self.weft(*words[1:], "--runconfig.max_new_tokens", BEGINNING).rstrip("\n")
            self.assertGreater(len(beginning), BEGINNING)
            self.assertEqual(text[: len(beginning)], beginning)

    def test_loss_is_the_recorded_one(self):
        rows = [json.loads(line) for line in (ROOT / "bench/results/trained_model.jsonl").read_text(encoding="utf-8").splitlines()]
        values = {row["name"]: row["value"] for row in rows if "name" in row}
        name, steps = ("released weights, eval loss", 0) if LONG else ("released weights, eval loss of 2 steps", 2)
        out = self.weft("run", "--params", "configs/gpt_shakespeare.yaml", "--checkpoint_path", "configs/shakespeare/model", "--mode", "eval",
                        "--json", "--runconfig.eval_steps", steps)
        self.assertAlmostEqual(json.loads(out)["eval_loss"], values[name], 9)


if __name__ == "__main__":
    unittest.main()
