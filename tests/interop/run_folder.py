"""A folder in which tests run the program, and kill it."""

import json
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

WEFT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/weft").resolve()
PARAMS = """
train_input: {data_dir: corpus.txt, batch_size: 6, micro_batch_size: 2}
eval_input: {data_dir: corpus.txt, batch_size: 2}
model: {hidden_size: 8, num_hidden_layers: 1, num_heads: 2, filter_size: 16, max_sequence_length: 8, vocab_size: 14}
optimizer: {learning_rate: 0.01, max_gradient_norm: 1}
runconfig: {checkpoint_steps: 4, eval_frequency: 3, eval_steps: 1}
wafer: {rows: 2, cols: 2}
"""


class RunFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="weft_tensorboard_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "corpus.txt").write_text("".join(chr(97 + i * i % 13) for i in range(2000)))
        (self.folder / "params.yaml").write_text(PARAMS)
        self.run_dir = self.folder / "run"

    def start(self, steps, *keys, max_file=0):
        words = ["run", "--params", self.folder / "params.yaml", "--model_dir", self.run_dir]
        words += ["--num_steps", steps, *keys]

        def limit():
            if max_file:
                resource.setrlimit(resource.RLIMIT_FSIZE, (max_file, max_file))

        return subprocess.Popen(
            [WEFT, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=limit
        )

    def weft(self, steps, *keys, code=0, max_file=0):
        """Returns the error output of weft."""
        process = self.start(steps, *keys, max_file=max_file)
        _, errors = process.communicate()
        self.assertEqual(process.returncode, code, errors)
        return errors

    def kill_at(self, step, steps, *keys):
        """kill -9 as soon as it has reported the step."""
        process = self.start(steps, *keys)
        for line in process.stdout:
            words = line.split()
            if words and words[0].isdigit() and int(words[0]) >= step:
                break
        process.send_signal(signal.SIGKILL)
        process.communicate()
        self.assertEqual(process.returncode, -signal.SIGKILL)

    def lines(self):
        return [json.loads(line) for line in (self.run_dir / "metrics.jsonl").read_text().splitlines()]
