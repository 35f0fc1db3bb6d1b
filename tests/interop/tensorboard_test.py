"""TensorBoard's own reader lists every tag and step of metrics.jsonl, after kills, too.

    tensorboard_test.py build/weft

In the Python that has it: scripts/setup tensorboard."""

import json
import math
import os
import re
import signal
import subprocess
import sys
import time
import unittest
import urllib.request

import tensorboard.version
from event_files import EventFiles, PluginAccumulator, files
from tensorboard.plugins.hparams import plugin_data_pb2


class TensorBoard(EventFiles):
    def test_every_tag_and_step_for_any_number_of_wafers(self):
        losses = []
        for num_csx in (1, 2):
            self.run_dir = self.folder / f"wafers_{num_csx}"
            self.weft(13, "--num_csx", num_csx)
            found = self.check()
            losses.append(found["train", "train/loss"])
            self.assertEqual([step for step, _ in found["train", "train/loss"]], list(range(1, 14)))
            self.assertEqual([step for step, _ in found["eval", "eval/loss"]], [3, 6, 9, 12])
        self.assertEqual(*losses)

    def test_cycles_and_utilization_of_rtl(self):
        self.weft(3, "--backend", "rtl", "--num_csx", 2)
        found = self.check()
        for tag in ("wafer/cycles", "wafer/utilization"):
            self.assertEqual([step for step, _ in found["train", tag]], [1, 2, 3])

    def test_killed_and_resumed_no_step_is_there_twice_or_missing(self):
        self.kill_at(7, 1000000)
        self.kill_at(19, 1000000, "--num_csx", 2)
        self.kill_at(20, 1000000, "--num_csx", 3)
        steps = len(self.lines()) + 11  # it may have been far ahead of what was read
        self.weft(steps, "--num_csx", 2)
        found = self.check()
        self.assertEqual(len(files(self.run_dir / "train")), 4)
        self.assertEqual([step for step, _ in found["train", "train/loss"]], list(range(1, steps + 1)))

    def test_steps_beyond_a_checkpoint_with_other_settings_are_removed(self):
        self.weft(20)
        before = {e.step: e.value for e in self.read("train").Scalars("train/loss")}
        for step in range(12, 21):
            (self.run_dir / f"checkpoint_{step}.safetensors").unlink(missing_ok=True)
        self.weft(15, "--optimizer.learning_rate", 0.02, "--allow_other_bits")
        found = self.check()
        self.assertEqual([step for step, _ in found["train", "train/loss"]], list(range(1, 16)))
        self.assertNotEqual(found["train", "train/loss"][-1][1], before[15])

    def test_save_summary_steps(self):
        self.weft(13, "--runconfig.save_summary_steps", 5)
        self.weft(21, "--runconfig.save_summary_steps", 5)
        found = self.check(5)
        self.assertEqual([step for step, _ in found["train", "train/loss"]], [5, 10, 15, 20])
        self.assertEqual([step for step, _ in found["eval", "eval/loss"]], [3, 6, 9, 12, 15, 18, 21])
        self.run_dir = self.folder / "none"
        self.weft(3, "--runconfig.save_summary_steps", 0)
        self.assertEqual(files(self.run_dir / "train"), [])
        self.assertFalse((self.run_dir / "eval").exists())

    def test_parameters_that_a_deal_leaves(self):
        updates = {"sparsity": 0.5, "algorithm": "set", "update_freq": 4, "update_stop": 9}
        self.weft(13, *[word for key, value in updates.items() for word in (f"--sparsity.{key}", value)])
        self.assertEqual([step for step, _ in self.check()["train", "train/kept"]], [5, 9])

    def test_a_skipped_step_has_no_number(self):
        # Weights grow until the gradient overflows.
        self.weft(40, "--optimizer.learning_rate", 300, "--runconfig.on_divergence", "skip", code=1)
        self.assertTrue(any("skipped" in line for line in self.lines()))
        self.assertTrue(any(math.isnan(value) for _, value in self.check()["train", "train/loss"]))

    def test_parameters_and_samples_are_there_as_text(self):
        self.weft(4, "--train_input.tokenizer", "byte", "--model.vocab_size", 256)
        text = {tag: self.texts(tag)[0][1] for tag in ("parameters", "train_input/sample")}
        self.assertIn("    optimizer:\n      optimizer_type: \"AdamW\"", text["parameters"])
        self.assertIn("# run " + self.lines()[0]["run"], text["parameters"])
        self.assertIn(text["train_input/sample"][4:], (self.folder / "corpus.txt").read_text())
        sample = "    " + (self.folder / "corpus.txt").read_text()[:8]
        self.assertEqual(self.texts("eval_input/sample", "eval"), [(0, sample)])
        ((step, generated),) = self.texts("eval/generated", "eval")
        self.assertEqual((step, generated[:8]), (3, sample[:8]), "after the evaluation, from half a sequence on")
        events = self.read("train", PluginAccumulator)
        content = events.SummaryMetadata("_hparams_/session_start_info").plugin_data.content
        hparams = plugin_data_pb2.HParamsPluginData.FromString(content).session_start_info.hparams
        self.assertEqual(hparams["optimizer.max_gradient_norm"].number_value, 1)
        self.assertEqual(hparams["model.layer_norm_epsilon"].number_value, 1e-5)
        self.assertEqual(hparams["train_input.tokenizer"].string_value, "byte")
        self.assertTrue(hparams["train_input.shuffle"].bool_value)

    def test_text_that_is_no_utf8_is_still_shown(self):
        (self.folder / "corpus.txt").write_bytes(bytes(range(128, 256)) * 20)
        self.weft(1, "--train_input.tokenizer", "byte", "--model.vocab_size", 256)
        self.assertIn("\ufffd", self.texts("train_input/sample")[0][1])

    def test_the_program_serves_them(self):
        self.kill_at(9, 1000000)
        (file,) = files(self.run_dir / "train")
        os.truncate(file, file.stat().st_size - 3)
        self.weft(len(self.lines()) + 4)
        words = [sys.executable, "-m", "tensorboard.main", "--logdir", self.run_dir, "--port", "0"]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as program:
            try:
                url = next(filter(None, (re.search(r"http://\S+:\d+", line) for line in program.stdout)))[0]

                def ask(path):
                    with urllib.request.urlopen(f"{url}/data/plugin/{path}") as answer:
                        return json.load(answer)

                expected = self.expected(self.lines())
                del expected["train", "train/state_hash"]  # a text
                end = time.monotonic() + 60  # it reads beside
                found = {}
                while found != expected and time.monotonic() < end:
                    tags = {(run, tag) for run, all in ask("scalars/tags").items() for tag in all}
                    found = {
                        (run, tag): [(step, value) for _, step, value in ask(f"scalars/scalars?run={run}&tag={tag}")]
                        for run, tag in expected.keys() & tags
                    }
                self.assertEqual(found, expected)
                self.assertLessEqual({"parameters", "train_input/sample", "train/state_hash"}, set(ask("text/tags")["train"]))
            finally:
                program.terminate()


if __name__ == "__main__":
    print(f"TensorBoard {tensorboard.version.VERSION}", flush=True)
    unittest.main(argv=sys.argv[:1])
