#!/usr/bin/env python3
"""Data that does not fit into memory is rejected before the kernel ends the program: memory_test.py WEFT."""
import gzip
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from memory_group import memory_group

WEFT = pathlib.Path(sys.argv[1])
del sys.argv[1]
LIMIT = 192 << 20
PARAMS = """train_input: {batch_size: 2, micro_batch_size: 2}
model: {hidden_size: 8, num_hidden_layers: 1, num_heads: 2, filter_size: 16, max_sequence_length: 8, vocab_size: 256}
optimizer: {learning_rate: 0.01}
runconfig: {max_steps: 1, model_dir: out}
wafer: {rows: 2, cols: 2, backend: model}
"""


class Memory(unittest.TestCase):
    def setUp(self):
        self.base = pathlib.Path(tempfile.mkdtemp(prefix="weft-"))
        self.addCleanup(shutil.rmtree, self.base)
        (self.base / "mine.yaml").write_text(PARAMS)

    def refused(self, *words, start="exec"):
        """The line with which the command is refused, in a group of LIMIT bytes."""
        with memory_group(LIMIT) as group:
            if group is None:
                self.skipTest("may make no memory group here")
            line = f'echo $$ > "{group}"; ' + start + ' "$@"'
            done = subprocess.run(["sh", "-c", line, "sh", WEFT, *map(str, words)], cwd=self.base, text=True, timeout=300, check=False,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        lines = [text for text in done.stderr.splitlines() if "HINT: " in text]
        self.assertEqual(len(lines), 1, done.stderr)
        return lines[0]

    def train(self, *words):
        return self.refused("run", "--params", "mine.yaml", "--train_input.data_dir", *words)

    def packed(self, name, mebibytes, text=b"weights "):
        """A file of gzip's that is that large when it is unpacked."""
        member = gzip.compress(text * ((16 << 20) // len(text)), 1)
        (self.base / name).write_bytes(member * (mebibytes // 16))
        return self.base / name

    def test_a_small_file_that_unpacks_to_a_gibibyte(self):
        said = self.train(self.packed("large.txt.gz", 1024), "--train_input.tokenizer", "byte")
        self.assertRegex(said, r"large.txt.gz: does not fit into memory: it has \d+ bytes of text and more when it is unpacked; ")
        self.assertIn(" of 192 MiB are left (the control group's limit memory.", said)
        self.assertIn("HINT: name a smaller one, raise that limit, or take a machine with more memory.", said)

    def test_a_text_that_fits_and_whose_tokens_do_not(self):
        (self.base / "text.txt").write_bytes(b"weights " * (8 << 20))
        for tokenizer in ("byte", "char"):
            said = self.train("text.txt", "--train_input.tokenizer", tokenizer)
            self.assertIn("text.txt: does not fit into memory: it has 67108864 bytes of text, and a token takes 4 bytes; ", said)

    def test_a_text_that_is_larger_than_the_group(self):
        with open(self.base / "text.txt", "wb") as file:
            file.truncate(1 << 30)
        self.assertIn("does not fit into memory: it has 1073741824 bytes", self.train("text.txt"))

    def test_a_small_vocabulary_with_a_large_id(self):
        letters = [chr(c) for c in range(33, 127)]
        for number, said in ((10**8, "has the id 100000000, but the ids of a vocabulary are below 16777216"),
                             ((1 << 24) - 1, "does not fit into memory")):
            (self.base / "vocab.json").write_text(json.dumps({**{c: n for n, c in enumerate(letters)}, "ab": number}))
            (self.base / "merges.txt").write_text("#version: 0.2\na b\n")
            (self.base / "in.txt").write_text("ab")
            line = self.refused("tokenize", "in.txt", "--tokenizer", "vocab.json", "--merges", "merges.txt", "--out", "out.bin")
            self.assertIn(said, line)

    def test_a_line_that_cannot_be_cut(self):
        self.packed("line.jsonl.gz", 1024)
        (self.base / "vocab.json").write_text(json.dumps({"a": 0, "b": 1, "ab": 2}))
        (self.base / "merges.txt").write_text("#version: 0.2\na b\n")
        line = self.refused("tokenize", "line.jsonl.gz", "--tokenizer", "vocab.json", "--merges", "merges.txt", "--out", "out.bin")
        self.assertIn("weft tokenize: needs more memory than is available: ", line)

    def folder(self, **files):
        """A Hugging Face folder of the model of PARAMS; each file's text by its name, _ for a dot."""
        folder = self.base / "hf"
        folder.mkdir()
        (folder / "config.json").write_text(json.dumps({
            "model_type": "gpt2", "vocab_size": 256, "n_positions": 8, "n_embd": 8, "n_layer": 1, "n_head": 2, "n_inner": 16}))
        for name, content in files.items():
            (folder / name.replace("_", ".")).write_bytes(content)
        (self.base / "text.txt").write_bytes(b"weights " * 100)
        return folder

    def starts_from(self, folder):
        return self.train("text.txt", "--train_input.tokenizer", "byte", "--checkpoint_path", folder)

    def test_an_index_of_very_many_tensors(self):
        text = ",".join(f'"t{n:07}":"a"' for n in range(3_000_000))
        said = self.starts_from(self.folder(model_safetensors_index_json=f'{{"weight_map":{{{text}}}}}'.encode()))
        self.assertRegex(said, r"model.safetensors.index.json: does not fit into memory: it has \d+ bytes, and its values take more; ")

    def test_a_header_of_very_many_tensors(self):
        text = ",".join(f'"t{n:07}":{{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}' for n in range(1_300_000)).encode()
        header = b"{" + text + b"}"
        said = self.starts_from(self.folder(model_safetensors=len(header).to_bytes(8, "little") + header))
        self.assertRegex(said, r"model.safetensors: does not fit into memory: it has \d+ bytes, and its list of tensors takes more; ")

    def test_a_tokenizer_of_very_many_tokens(self):
        words = ",".join(f'"w{n:07}":{n}' for n in range(3_000_000))
        text = f'{{"model":{{"type":"BPE","vocab":{{{words}}},"merges":[]}}}}'.encode()
        (self.base / "text.txt").write_bytes(b"weights " * 100)
        words = ["--params", "mine.yaml", "--train_input.data_dir", "text.txt", "--train_input.tokenizer", "byte"]
        for command in (["run"], ["export", "--to", "hf", "hf"]):
            subprocess.run([WEFT, *command, *words], cwd=self.base, check=True, stdout=subprocess.DEVNULL, timeout=300)
        (self.base / "hf/tokenizer.json").write_bytes(text)
        shutil.rmtree(self.base / "out")
        said = self.train("text.txt", "--checkpoint_path", "hf")
        self.assertRegex(said, r"tokenizer.json: does not fit into memory: it has \d+ bytes, and its values take more; ")

    def test_a_tokenizer_beyond_a_limit_on_addresses(self):
        """Not of a group: nlohmann's destructor allocates, and ends the program where it cannot."""
        merges = ",".join('["a","b"]' for _ in range(8 << 20))
        (self.base / "tokenizer.json").write_text(f'{{"model":{{"type":"BPE","vocab":{{"a":0}},"merges":[{merges}]}}}}')
        (self.base / "in.txt").write_text("ab")
        for limit in (500_000, 800_000, 1_500_000):
            done = subprocess.run(["bash", "-c", f'ulimit -v {limit}; exec "$@"', "bash", WEFT, "tokenize", "in.txt", "--tokenizer",
                                   "tokenizer.json", "--out", "out.bin"], cwd=self.base, text=True, timeout=300, check=False,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn("tokenizer.json: does not fit into memory", done.stderr)

    def test_a_group_inside_another_one(self):
        """The limit of the outer one counts, which the kernel ends the program by."""
        with memory_group(LIMIT) as group:
            if group is None:
                self.skipTest("may make no memory group here")
            inner = group.parent / "inner"
            inner.mkdir()
            try:
                (self.base / "text.txt").write_bytes(b"weights " * (8 << 20))
                line = f'echo $$ > "{inner}/cgroup.procs"; exec "$@"'
                done = subprocess.run(["sh", "-c", line, "sh", WEFT, "run", "--params", "mine.yaml", "--train_input.data_dir",
                                       "text.txt"], cwd=self.base, text=True, timeout=300, check=False,
                                      stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            finally:
                inner.rmdir()
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn(" of 192 MiB are left (the control group's limit memory.", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
