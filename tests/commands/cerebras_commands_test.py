#!/usr/bin/env python3
"""The commands of Cerebras' documentation, word for word, in a copy of scripts/gpt: cerebras_commands_test.py WEFT [BOARD] [--long]."""
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

LONG = "--long" in sys.argv
if LONG:
    sys.argv.remove("--long")
ROOT = pathlib.Path(__file__).resolve().parents[2]
WEFT = pathlib.Path(sys.argv.pop(1)).resolve()
BOARD = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else None
TRAIN = "python run.py --params params.yaml --num_csx=1 --model_dir=model_dir --num_steps=10 --mode train"
FOUR = "python run.py --params params.yaml --num_csx=4 --model_dir=model_dir --num_steps=10 --mode train"
LAUNCH = "python-ws -m train -o gpt3_xl_pile -p configs/params_gpt3_xl_pile.yaml --max_steps 2000"
LOSS = re.compile(r"global_step = (\d+), loss = (\d+\.\d{8}), rate = (\d[\d.]*) steps/sec$", re.MULTILINE)
HASHES = ["346465df9128f34a", "10a64096449fc404", "7239030b0111dd35"]
SMALL = {"batch_size: 528": "batch_size: 2", "micro_batch_size: auto": "micro_batch_size: 1", "vocab_size: 50257": "vocab_size: 96",
         "max_sequence_length: 2048": "max_sequence_length: 8", "attention: shared": "attention: stored",
         "hidden_size: 2048": "hidden_size: 4", "num_hidden_layers: 24": "num_hidden_layers: 1", "num_heads: 16": "num_heads: 1",
         "filter_size: 8192": "filter_size: 4", "rows: 850": "rows: 1", "cols: 1000": "cols: 1", "valves: auto": "valves: 1",
         "row_groups: auto": "row_groups: 1", "log_steps: 10\n": "log_steps: 50\n",
         "save_checkpoints_steps: 1000": "save_checkpoints_steps: 500"}  # a millisecond a step
ONE_HEAD = {"hidden_size: 2048": "hidden_size: 128", "num_heads: 16": "num_heads: 1", "filter_size: 8192": "filter_size: 512",
            "num_hidden_layers: 24": "num_hidden_layers: 2", "vocab_size: 50257": "vocab_size: 5025", "rows: 850": "rows: 53"}


class CerebrasCommands(unittest.TestCase):
    def setUp(self):
        self.base = pathlib.Path(tempfile.mkdtemp(prefix="weft-"))
        self.addCleanup(shutil.rmtree, self.base)
        self.folder = self.base / "gpt"
        shutil.copytree(ROOT / "scripts/gpt", self.folder, symlinks=True)
        (self.folder / "configs").unlink()
        shutil.copytree(ROOT / "configs", self.folder / "configs")

    def shell(self, line, code=0, **variables):
        """Both outputs of a line, in a shell that has activated the environment as the text says."""
        done = subprocess.run(["bash", "-c", f"source venv_appliance/bin/activate\n{line}"], cwd=self.folder, text=True, timeout=300,
                              env={**os.environ, "WEFT": str(WEFT), **variables}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.assertEqual(done.returncode, code, f"{line}:\n{done.stdout}")
        return done.stdout

    def hashes(self, folder="model_dir"):
        lines = (self.folder / folder / "metrics.jsonl").read_text().splitlines()
        return [json.loads(line)["state_hash"] for line in lines]

    def change(self, changes):
        """Values of configs/params_gpt3_xl_pile.yaml."""
        path = self.folder / "configs/params_gpt3_xl_pile.yaml"
        text = path.read_text()
        for before, after in changes.items():
            self.assertIn(before, text)
            text = text.replace(before, after)
        path.write_text(text)

    def test_one_wafer_and_four_are_a_parameter_apart(self):
        self.shell(TRAIN)
        one = self.hashes()
        self.assertEqual(one[:3], HASHES)
        self.assertEqual(len(one), 10)
        shutil.rmtree(self.folder / "model_dir")
        self.shell(FOUR)
        self.assertEqual(self.hashes(), one)

    def test_closed_reader_is_no_error(self):
        """As with | head: the program ends by the signal, as it does without run.py."""
        reads, writes = os.pipe()
        os.close(reads)
        for line in ("python run.py --help", "python-ws --help"):
            done = subprocess.run(["bash", "-c", f"source venv_appliance/bin/activate\nexec {line}"], cwd=self.folder, text=True, timeout=60,
                                  env={**os.environ, "WEFT": str(WEFT)}, stdout=writes, stderr=subprocess.PIPE, check=False)
            self.assertEqual((done.returncode, done.stderr), (-signal.SIGPIPE, ""), line)
        os.close(writes)

    def test_the_launch_line_prints_losses_and_keeps_checkpoints(self):
        self.change(SMALL)
        out = self.shell(LAUNCH)
        losses = LOSS.findall(out)
        self.assertEqual([int(step) for step, _, _ in losses], list(range(50, 2001, 50)), out[-2000:])
        self.assertLess(float(losses[-1][1]), float(losses[0][1]))
        kept = sorted(path.name for path in (self.folder / "gpt3_xl_pile").glob("checkpoint_*"))
        self.assertEqual(kept, ["checkpoint_1500.safetensors", "checkpoint_2000.safetensors"])
        lines = (self.folder / "gpt3_xl_pile/metrics.jsonl").read_text().splitlines()
        self.assertAlmostEqual(json.loads(lines[49])["loss"], float(losses[0][1]), places=7)

    @unittest.skipUnless(LONG, "takes long: as the next test, with the file's 16 heads on 850 rows")
    def test_the_file_itself_says_why_it_is_not_simulated(self):
        self.compiled_alone(850)

    def test_one_head_of_the_file_says_why_it_is_not_simulated(self):
        self.change(ONE_HEAD)
        self.compiled_alone(53)

    def compiled_alone(self, rows):
        out = self.shell(LAUNCH + " --num_csx 1024", code=2)
        self.assertIn(f"wafer.rows: 1024 wafers of {rows} x 1000 tiles", out)
        self.assertIn("a micro-batch, by phase", self.shell(LAUNCH.replace("-m train", "-m compile_only")))

    def test_an_address_without_a_board_is_refused_in_words(self):
        self.change(SMALL)
        out = self.shell(LAUNCH + " --cs_ip $CS_IP", code=2, CS_IP="")
        self.assertIn("--cs_ip: has no address. HINT: name a board's", out)
        out = self.shell(LAUNCH + " --cs_ip $CS_IP", code=2, CS_IP="127.0.0.1:9")
        self.assertIn("fpga.device: the board at udp:127.0.0.1:9 does not answer", out)

    @unittest.skipUnless(BOARD, "no emulated board is built")
    def test_the_wafer_is_the_board_at_the_address(self):
        text = (self.folder / "configs/gpt_board.yaml").read_text()
        self.assertIn("batch_size: 8 ", text)
        (self.folder / "configs/params_gpt3_xl_pile.yaml").write_text(text.replace("batch_size: 8 ", "batch_size: 2 "))
        line = LAUNCH.replace("2000", "1")
        with subprocess.Popen([BOARD, "--udp", "0"], stdout=subprocess.PIPE, text=True) as board:
            try:
                address = board.stdout.readline().split("udp:")[1].strip()
                out = self.shell(line + " --cs_ip $CS_IP", CS_IP=address)
            finally:
                board.kill()
        self.assertIn("bytes down", out)
        self.shell(line.replace("gpt3_xl_pile ", "model ") + " --backend model")
        self.assertEqual(self.hashes("gpt3_xl_pile"), self.hashes("model"))

    def test_without_a_program_the_way_to_one_is_named(self):
        out = self.shell(f"PATH={shlex.quote(str(self.folder / 'venv_appliance/bin'))}:/usr/bin:/bin; {TRAIN}", code=1, WEFT="")
        self.assertIn("run.py: there is no program weft. HINT: make build", out)


if __name__ == "__main__":
    unittest.main(verbosity=2)
