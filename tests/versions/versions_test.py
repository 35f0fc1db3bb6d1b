#!/usr/bin/env python3
"""This version reads what releases wrote (docs/reference/versions.md): versions_test.py WEFT."""
import gzip
import json
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

from common import ALL_STEPS, HERE, STEPS, hashes, train, weft

WEFT = pathlib.Path(sys.argv.pop(1)).resolve()


class Release:
    """Tests of one release's files; a class for each release is made below."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="weft-")) / "kept"
        self.addCleanup(shutil.rmtree, self.folder.parent)
        shutil.copytree(HERE / self.release, self.folder)
        self.hashes = json.loads((self.folder / "hashes.json").read_text())

    def test_its_checkpoint_is_resumed_with_the_same_bits(self):
        train(WEFT, self.folder, ALL_STEPS, "model")
        self.assertEqual(hashes(self.folder / "model"), self.hashes)

    def test_all_keys_of_its_parameter_file_are_accepted(self):
        train(WEFT, self.folder, STEPS, "anew", params="model/train/params.yaml")
        self.assertEqual(hashes(self.folder / "anew"), self.hashes[:STEPS])

    def test_its_weights_start_another_run(self):
        checkpoint = f"model/checkpoint_{STEPS}.safetensors"
        train(WEFT, self.folder, ALL_STEPS, "another", "--checkpoint_path", checkpoint)
        self.assertEqual(hashes(self.folder / "another"), self.hashes[STEPS:])

    def test_the_state_of_its_run_is_shown(self):
        out = weft(WEFT, "status", "--model_dir", "model", cwd=self.folder)
        self.assertRegex(out, rf"\b{STEPS}\b")

    def test_its_token_shard_is_text_again(self):
        out = weft(WEFT, "detokenize", "shard.bin", "--tokenizer", "tokenizer", cwd=self.folder)
        self.assertIn((self.folder / "corpus.txt").read_text(), out)

    def test_its_plan_is_run_or_rejected_by_its_version(self):
        (self.folder / "plan").write_bytes(gzip.decompress((self.folder / "plan.gz").read_bytes()))
        steps = STEPS - 1  # a mask update follows, which the plan does not have
        out = train(WEFT, self.folder, steps, "planned", "--plan", "plan", params="static.yaml", code=(0, 2))
        if "is a plan of version" in out:
            self.assertRegex(out, r"plan: is a plan of version \d+, and this program runs \d+. HINT: ")
        else:
            self.assertEqual(hashes(self.folder / "planned"), self.hashes[:steps], out)

    def test_its_fingerprint_is_that_of_the_same_run_now(self):
        weft(WEFT, "fingerprint", "--params", "params.yaml", "--num_steps", STEPS, "--backend", "model", "--out", "now", cwd=self.folder)
        kept, now = ((self.folder / name).read_text() for name in ("steps.fingerprint", "now"))
        number = re.compile(r'"weft_fingerprint":(\d+)')
        if number.search(kept).group(1) == number.search(now).group(1):
            self.assertEqual(now, kept)
        for one in self.hashes[:STEPS]:
            self.assertIn(one, kept)


releases = sorted(folder.name for folder in HERE.iterdir() if (folder / "hashes.json").is_file())
assert releases, "no release is kept"
for release in releases:
    name = "Release_" + release.replace(".", "_")
    globals()[name] = type(name, (Release, unittest.TestCase), {"release": release})

if __name__ == "__main__":
    unittest.main(verbosity=2)
