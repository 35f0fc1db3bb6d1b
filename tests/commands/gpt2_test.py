#!/usr/bin/env python3
"""GPT-2 small, three steps: within 24 bytes a parameter beside the tiles, and again with a quarter of MemoryX's 20 in DRAM, in a memory control
group of that, the tiles and what is said here: gpt2_test.py WEFT CONFIGS."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from memory_group import memory_group

WEFT, CONFIGS = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
del sys.argv[1:3]
PARAMETERS = 124439808
HASHES = ["f5af15cb112c57c7", "0594a20b9f07d130", "f21b7e38848834f5"]
QUARTER = 0.58  # GiB: of 20 bytes a parameter
BESIDE = 0.22  # GiB: what a run has beside the tiles and that bound
GIB = 1 << 30


class Gpt2(unittest.TestCase):
    def setUp(self):
        self.base = pathlib.Path(tempfile.mkdtemp(prefix="weft-", dir=os.environ.get("TMPDIR", "/var/tmp")))  # a disk, not memory
        self.addCleanup(shutil.rmtree, self.base)

    def run_it(self, *words, group=None):
        """VmHWM of three steps and the tiles' part of it, GiB; what was printed; the evaluations of the first sequence."""
        enter = (lambda: group.write_text(str(os.getpid()))) if group else None
        done = subprocess.run([WEFT, "run", "--params", CONFIGS / "gpt2.yaml", "--backend", "model", "--model_dir", self.base / "run",
                               "--num_steps", "3", "--mode", "train", *words], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              preexec_fn=enter, check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:])
        steps = [json.loads(line) for line in (self.base / "run/metrics.jsonl").read_text().splitlines()]
        self.assertEqual([step["state_hash"] for step in steps], HASHES)
        losses = [step["eval_loss"] for step in steps]
        self.assertEqual(losses, sorted(losses, reverse=True))
        said = re.search(r"memory +([\d.]+) (MiB|GiB) at most \(VmHWM\): ([\d.]+) (MiB|GiB) of the wafers' tiles", done.stdout)
        self.assertIsNotNone(said, done.stdout[-2000:])
        size = {"MiB": 1 / 1024, "GiB": 1}
        return float(said[1]) * size[said[2]], float(said[3]) * size[said[4]], done.stdout

    def test_all_resident(self):
        most, tiles, _ = self.run_it()
        self.assertLessEqual((most - tiles) * GIB / PARAMETERS, 24)

    def test_a_quarter_in_a_control_group_of_it(self):
        with memory_group(int((QUARTER + 0.72 + BESIDE) * GIB)) as group:
            most, tiles, out = self.run_it("--memoryx.dram_gib", str(QUARTER), group=group)
        self.assertLessEqual(most - tiles - QUARTER, BESIDE)
        self.assertLessEqual(tiles, 0.72)
        self.assertRegex(out, r"tier read [\d.]+ GiB, wrote [\d.]+ GiB; disks gave [\d.]+ GiB, took [\d.]+ GiB")
        if group is None:
            self.skipTest("no memory control group is to be had here: the bits and the memory are checked")


if __name__ == "__main__":
    unittest.main(verbosity=2)
