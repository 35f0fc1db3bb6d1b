"""The ids of a Hugging Face folder's tokenizer are those of `transformers`, whatever its files say; or they are refused.

    tokenizer_folder_test.py build/weft [-k PATTERN]...

In the Python that has them: scripts/setup interop."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import tokenizers
import transformers
from safetensors.torch import load_file

WEFT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/weft").resolve()
TEXT = "the weights<pad> stream <s>through<s> it, <mask>and \u00fcber the\n<extra> wafer  the weights<|endoftext|>the\n" * 40
LENGTH = 64
END = "<|endoftext|>"


def weft(*words):
    return subprocess.run([WEFT, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def prefix(text):
    text["pre_tokenizer"]["add_prefix_space"] = True


class TokenizerFolder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """A model, and a BPE of bytes whose vocabulary has <|endoftext|> and <extra>."""
        cls.temporary = tempfile.TemporaryDirectory(prefix="weft_tokenizer_folder_")
        cls.base = pathlib.Path(cls.temporary.name) / "base"
        bpe = tokenizers.ByteLevelBPETokenizer()
        bpe.train_from_iterator([TEXT.replace("<", " ")], vocab_size=300, special_tokens=[END, "<extra>"], show_progress=False)
        config = {"vocab_size": 320, "n_positions": LENGTH, "n_embd": 16, "n_layer": 1, "n_head": 2}
        transformers.GPT2LMHeadModel(transformers.GPT2Config(**config)).save_pretrained(cls.base)
        bpe.save_model(str(cls.base))
        tokenizer = transformers.GPT2TokenizerFast(str(cls.base / "vocab.json"), str(cls.base / "merges.txt"))
        tokenizer.backend_tokenizer.save(str(cls.base / "whole.json"))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="weft_tokenizer_folder_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def make(self, whole, change=None, **files):
        """A folder with tokenizer.json (`whole`), or vocab.json and merges.txt, and other JSON files."""
        theirs = self.folder / "theirs"
        shutil.rmtree(theirs, ignore_errors=True)
        shutil.copytree(self.base, theirs)
        text = json.loads((theirs / "whole.json").read_text())
        (theirs / "whole.json").unlink()
        if whole:
            if change:
                change(text)
            (theirs / "tokenizer.json").write_text(json.dumps(text))
            (theirs / "vocab.json").unlink()
            (theirs / "merges.txt").unlink()
        for name, content in files.items():
            (theirs / f"{name}.json").write_text(json.dumps(content))
        return theirs

    def run_weft(self, theirs):
        """Returns the output of an evaluation of TEXT, and the place of its tokens."""
        text, params, logits = self.folder / "text.txt", self.folder / "params.yaml", self.folder / "logits"
        text.write_text(TEXT, encoding="utf-8")
        params.unlink(missing_ok=True)
        made = weft("import", theirs, "--out", params, "--train_input.data_dir", text, "--eval_input.data_dir", text)
        if made.returncode != 0:
            return made, logits
        return weft("run", "--params", params, "--mode", "eval", "--logits", logits), logits

    def check(self, whole, change=None, **files):
        theirs = self.make(whole, change, **files)
        done, logits = self.run_weft(theirs)
        self.assertEqual(done.returncode, 0, done.stderr)
        ours = load_file(logits)["tokens"].flatten().tolist()
        expected = transformers.AutoTokenizer.from_pretrained(theirs)(TEXT)["input_ids"]
        self.assertGreater(len(ours), 500)
        self.assertEqual(ours, expected[: len(ours)])
        return set(ours)

    def refused(self, words, whole=True, change=None, **files):
        done, _ = self.run_weft(self.make(whole, change, **files))
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn(words, done.stderr)
        self.assertIn("HINT", done.stderr)

    def test_the_files_alone(self):
        for whole in (True, False):
            self.check(whole)

    def test_a_space_before_a_text(self):
        for whole in (True, False):
            self.check(whole, tokenizer_config={"tokenizer_class": "GPT2Tokenizer", "add_prefix_space": True})
            self.check(whole, tokenizer_config={"add_prefix_space": False})
        self.check(True, prefix)  # GPT-2's class removes it again
        self.check(True, prefix, tokenizer_config={"tokenizer_class": "PreTrainedTokenizerFast"})

    def test_the_space_of_other_classes(self):
        for name in ("GPTNeoXTokenizerFast", "CodeGenTokenizer", "CodeGenTokenizerFast"):
            self.check(True, prefix, tokenizer_config={"tokenizer_class": name})
            self.check(True, prefix, tokenizer_config={"tokenizer_class": name, "add_prefix_space": False})
            self.check(True, tokenizer_config={"tokenizer_class": name, "add_prefix_space": True})

    def test_tokens_that_are_added_by_the_configuration(self):
        def token(content, **more):
            flags = {"lstrip": False, "rstrip": False, "single_word": False, "normalized": False, "special": True}
            return {"content": content} | flags | more

        ids = {"0": token(END), "300": token("<s>"), "301": token("<mask>", normalized=True, special=False)}
        for whole in (True, False):
            seen = self.check(whole, tokenizer_config={"added_tokens_decoder": ids, "pad_token": "<pad>"})
            self.assertTrue({300, 301, 302} <= seen)

    def test_tokens_that_are_added_by_files_of_their_own(self):
        for whole in (True, False):
            seen = self.check(whole, added_tokens={"<s>": 300, "<mask>": 301},
                              special_tokens_map={"bos_token": "<s>", "pad_token": "<pad>", "eos_token": END})
            self.assertTrue({300, 301, 302} <= seen)
            self.check(whole, special_tokens_map={"additional_special_tokens": ["<s>", "<extra>"]})

    def test_a_vocabularys_token_that_no_file_names_is_text(self):
        self.check(False)
        self.check(False, special_tokens_map={"pad_token": "<extra>"})

    def test_unsupported_option_is_rejected_by_name(self):
        self.refused("add_bos_token", tokenizer_config={"add_bos_token": True})
        self.refused("lstrip", tokenizer_config={"added_tokens_decoder": {"300": {"content": "<s>", "lstrip": True}}})
        self.refused("tokenizer_class LlamaTokenizerFast", tokenizer_config={"tokenizer_class": "LlamaTokenizerFast"})
        self.refused("would be 300", added_tokens={"<s>": 310})
        for extra in ({"extra_special_tokens": {"image_token": "<s>"}}, {"extra_special_tokens": ["<s>"]}, {"image_token": "<s>"}):
            self.refused(f'{list(extra)[0]} adds the token "<s>"', tokenizer_config=extra)
        self.check(True, tokenizer_config={"extra_special_tokens": {"image_token": END}})
        self.refused("auto_map", tokenizer_config={"auto_map": {"AutoTokenizer": ["x.Tokenizer", None]}})

        def template(text):
            text["post_processor"] = {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": END, "type_id": 0}},
                                      {"Sequence": {"id": "A", "type_id": 0}}], "pair": [], "special_tokens": {}}

        self.refused("post-processor TemplateProcessing", change=template)


if __name__ == "__main__":
    transformers.logging.set_verbosity_error()
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
