"""Exports of weft are loaded by `transformers`, and saved models of `transformers` run in weft: loss, KL divergence, bits.

    hugging_face_test.py build/weft [-k PATTERN]...

In the Python that has them: scripts/setup interop, scripts/setup interop_current."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import numpy
import torch
import transformers
import yaml
from llmc_file import read_llmc, write_llmc
from safetensors.torch import load_file

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "reference/pytorch"))
from samples import Samples, read_tokens  # noqa: E402
from training import train  # noqa: E402

WEFT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/weft").resolve()
CONFIGS = pathlib.Path(__file__).resolve().parents[2] / "configs"
LOSS, KL = 0.002, 1e-3  # nats
STEPS = 60
TRAINED, APART = 100, 0.02  # steps in both programs; nats at each of them
LLAMA = ["--model.network", "llama", "--model.rotary_layout", "halves"]
LLAMA3 = {"rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 32}
DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}


def weft(*words):
    """Returns the output of weft."""
    done = subprocess.run([WEFT, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def their_name(key, llama):
    """The name in their class of a tensor of a checkpoint."""
    if key.startswith("lm_head."):
        return key
    if not llama:
        return f"transformer.{key}"
    return f"model.layers.{key[2:]}" if key.startswith("h.") else f"model.{key}"


class WithLoss(torch.nn.Module):
    """A class of transformers, whose result is the mean loss of labels that are not shifted."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, inputs, labels):
        return torch.nn.functional.cross_entropy(self.model(inputs).logits.flatten(0, 1), labels.flatten())


def same_bits(one, other):
    whole = {torch.float32: torch.int32, torch.bfloat16: torch.int16, torch.float16: torch.int16}[one.dtype]
    return one.dtype == other.dtype and torch.equal(one.contiguous().view(whole), other.contiguous().view(whole))


class Interop(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="weft_interop_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def trained(self, config, *keys):
        """The folder of a run of STEPS, and the words that name its model and 16 samples."""
        words = ["--params", CONFIGS / f"{config}.yaml", "--backend", "model", *keys]
        run = self.folder / "run"
        weft("run", *words, "--mode", "train", "--num_steps", STEPS, "--model_dir", run)
        corpus = ["--eval_input.data_dir", CONFIGS / "corpus.txt", "--eval_input.batch_size", 16]
        return run, [*words, *corpus, "--runconfig.eval_steps", 1]

    def compare(self, name, folder, words):
        """Both programs on the same samples; returns weft's tokens and logits."""
        file = self.folder / "logits.safetensors"
        said = weft("run", *words, "--mode", "eval", "--logits", file)
        loss = float(re.search(r"loss ([0-9.]+)", said)[1])
        ours = load_file(file)
        model = transformers.AutoModelForCausalLM.from_pretrained(folder, torch_dtype=torch.float32).eval()
        with torch.no_grad():
            theirs = model(ours["tokens"].long()).logits.double().log_softmax(-1)
        their_loss = -theirs.gather(-1, ours["labels"].long().unsqueeze(-1)).mean().item()
        kl = (theirs.exp() * (theirs - ours["logits"].double().log_softmax(-1))).sum(-1).mean().item()
        print(f"{name:<22} weft {loss:.5f}  transformers {their_loss:.5f}  KL {kl:.2e}", flush=True)
        self.assertLessEqual(abs(loss - their_loss), LOSS)
        self.assertLessEqual(kl, KL)
        return ours

    def export(self, run, dtype="fp32"):
        folder = self.folder / f"hf_{dtype}"
        weft("export", "--to", "hf", folder, "--model_dir", run, "--dtype", dtype)
        return folder

    def export_case(self, config, *keys, name=None):
        """In every type, printed as `name`; returns the folder's tokenizer, and the tokens that weft has made of the samples."""
        run, words = self.trained(config, *keys)
        weights = load_file(run / f"checkpoint_{STEPS}.safetensors")
        for dtype, kind in DTYPES.items():
            folder = self.export(run, dtype)
            ours = self.compare(f"{name or config} {dtype}", folder, [*words, "--checkpoint_path", folder])
            model = transformers.AutoModelForCausalLM.from_pretrained(folder, torch_dtype=kind)
            found = model.state_dict()
            for key, tensor in weights.items():
                if not key.startswith("weft."):
                    self.assertTrue(same_bits(found[their_name(key, "llama" in keys)], tensor.to(kind)), f"{dtype} {key}")
        return transformers.AutoTokenizer.from_pretrained(folder), ours["tokens"].flatten().tolist()

    def test_an_exported_gpt2_is_loaded_with_its_characters(self):
        tokenizer, tokens = self.export_case("gpt_tiny")
        text = (CONFIGS / "corpus.txt").read_text(encoding="utf-8")
        ids = tokenizer(text)["input_ids"]
        self.assertEqual(ids[: len(tokens)], tokens)
        self.assertEqual(tokenizer.decode(ids), text)
        with self.assertRaises(Exception):
            tokenizer("\u5b57")  # not one of the vocabulary: an error, as it is for weft

    def test_an_exported_gpt2_with_a_head_of_its_own_is_loaded(self):
        self.export_case("gpt_tiny", "--model.share_embedding_weights", "false", "--model.filter_size", 64,
                         name="gpt_tiny, untied")

    def test_an_exported_gptj_is_loaded(self):
        self.export_case("gptj_tiny")

    def test_an_exported_llama_is_loaded(self):
        self.export_case("gpt_tiny", *LLAMA, "--model.rotary_dim", 8, "--model.num_kv_heads", 2, "--model.rope_scaling", "linear",
                         "--model.rope_scaling_factor", 2, name="llama")

    def test_an_exported_model_of_bytes_is_loaded_with_them(self):
        tokenizer, tokens = self.export_case("gpt_tiny", "--train_input.tokenizer", "byte", "--model.vocab_size", 256, name="gpt_tiny of bytes")
        text = (CONFIGS / "corpus.txt").read_text(encoding="utf-8")
        self.assertEqual(tokenizer(text)["input_ids"][: len(tokens)], tokens)
        some = [c for c in range(0x110000) if c % 37 == 0 and not 0xD800 <= c < 0xE000]
        text = "".join(map(chr, [*range(0x800), *some]))
        self.assertEqual(tokenizer(text)["input_ids"], list(text.encode()))
        self.assertEqual(tokenizer.decode(list(text.encode())), text)

    def import_case(self, name, model, dtype, **save):
        """Saved by transformers, evaluated here on random tokens, exported again."""
        torch.manual_seed(1)
        theirs, back = self.folder / "theirs", self.folder / "back"
        model = model.to(DTYPES[dtype])
        model.save_pretrained(theirs, safe_serialization=True, **save)
        vocab, length = model.config.vocab_size, model.config.max_position_embeddings
        tokens = numpy.random.default_rng(1).integers(0, vocab, 32 * length + 1)
        header = numpy.zeros(256, "<i4")
        header[:3] = 20240520, 1, len(tokens)
        shard, params = self.folder / "tokens.bin", self.folder / "theirs.yaml"
        shard.write_bytes(header.tobytes() + tokens.astype("<u2").tobytes())
        weft("import", theirs, "--out", params, "--train_input.data_dir", shard, "--eval_input.data_dir", shard)
        self.compare(f"{name} {dtype}", theirs, ["--params", params])
        weft("export", "--to", "hf", back, "--params", params, "--dtype", dtype)
        again = transformers.AutoModelForCausalLM.from_pretrained(back, torch_dtype=DTYPES[dtype]).state_dict()
        for key, tensor in model.state_dict().items():
            self.assertTrue(same_bits(again[key], tensor), key)
        return theirs

    def gpt2(self, **keys):
        keys = {"vocab_size": 300, "n_positions": 24, "n_embd": 48, "n_layer": 3, "n_head": 3} | keys
        torch.manual_seed(1)
        return transformers.GPT2LMHeadModel(transformers.GPT2Config(**keys, initializer_range=0.15))

    def gptj(self, **keys):
        keys = {"vocab_size": 300, "n_positions": 24, "n_embd": 48, "n_layer": 2, "n_head": 3, "rotary_dim": 8} | keys
        torch.manual_seed(1)
        return transformers.GPTJForCausalLM(transformers.GPTJConfig(**keys, initializer_range=0.15))

    def llama(self, heads=6, kv_heads=6, **keys):
        keys = {"vocab_size": 300, "max_position_embeddings": 24, "hidden_size": 48, "intermediate_size": 80, "num_hidden_layers": 2} | keys
        torch.manual_seed(1)
        config = {"num_attention_heads": heads, "num_key_value_heads": kv_heads, "initializer_range": 0.15} | keys
        return transformers.LlamaForCausalLM(transformers.LlamaConfig(**config))

    def test_their_llama_runs_in_every_type(self):
        for dtype in DTYPES:
            self.import_case("their LLaMA", self.llama(), dtype)
            (self.folder / "theirs.yaml").unlink()

    def groups_of_heads(self, kv_heads, scaling):
        model = self.llama(kv_heads=kv_heads, rope_scaling=scaling, rope_theta=500.0, tie_word_embeddings=kv_heads == 2)
        self.import_case(f"their LLaMA, {kv_heads} of 6", model, "bf16" if kv_heads == 3 else "fp32", max_shard_size="50KB")

    def test_their_llama_with_groups_of_heads_runs(self):
        self.groups_of_heads(3, LLAMA3)

    def test_their_llama_with_other_groups_of_heads_runs(self):
        for kv_heads, scaling in ((1, {"rope_type": "linear", "factor": 2.0}), (2, None)):
            self.groups_of_heads(kv_heads, scaling)
            (self.folder / "theirs.yaml").unlink()

    def curve(self, run, words, *more):
        """The lines of metrics of a run on the corpus, with the samples in order."""
        weft("run", "--params", CONFIGS / "gpt_tiny.yaml", *words, "--train_input.shuffle", "false", "--model_dir", run, *more)
        return [json.loads(line) for line in (run / "metrics.jsonl").read_text(encoding="utf-8").splitlines()]

    def follows(self, name, model, *keys, rtl=True):
        """TRAINED steps of their class and of weft from the same weights on the same samples; the bits of two steps are those of three
        wafers, and of the RTL."""
        folder = self.folder / name
        model.save_pretrained(folder / "theirs", safe_serialization=True)
        words = [*LLAMA, *keys, "--checkpoint_path", folder / "theirs"]
        ours = self.curve(folder / "run", words, "--num_steps", TRAINED, "--backend", "model")
        hashes = [line["state_hash"] for line in ours[:2]]
        for backend, wafers in (("model", 3), *([("rtl", 1)] if rtl else [])):
            more = ["--num_steps", 2, "--num_csx", wafers, "--backend", backend]
            found = [line["state_hash"] for line in self.curve(folder / f"{backend}{wafers}", words, *more)]
            self.assertEqual(found, hashes, f"{wafers} x {backend}")
        params = yaml.safe_load((folder / "run/train/params.yaml").read_text(encoding="utf-8"))
        samples = Samples(read_tokens(str(CONFIGS / "corpus.txt"), "char"), params["model"]["max_sequence_length"])
        theirs = list(train(WithLoss(model), {}, params, samples, TRAINED))
        apart = [abs(line["loss"] - loss) for line, (_, loss, _) in zip(ours, theirs, strict=True)]
        print(f"{name:<22} {sum(p.numel() for p in model.parameters())} parameters, {TRAINED} steps: {theirs[0][1]:.4f} to {theirs[-1][1]:.4f}, "
              f"apart by {max(apart):.4f} (step {apart.index(max(apart)) + 1})", flush=True)
        self.assertLess(theirs[-1][1], theirs[0][1] - 0.5)
        self.assertLessEqual(max(apart), APART)

    def test_training_follows_their_llama(self):
        model = self.llama(4, 4, vocab_size=96, max_position_embeddings=32, hidden_size=32, intermediate_size=128, initializer_range=0.02)
        self.follows("llama", model, "--model.rotary_dim", 8, "--model.layer_norm_epsilon", "1.0e-6", "--model.share_embedding_weights", "false")

    def test_training_follows_their_llama_with_groups_of_heads(self):
        model = self.llama(6, 2, vocab_size=96, max_position_embeddings=32, hidden_size=48, intermediate_size=128, rope_theta=500.0,
                           rope_scaling=LLAMA3 | {"original_max_position_embeddings": 64}, rms_norm_eps=1e-5, initializer_range=0.02)
        self.follows("llama_groups", model, "--model.num_heads", 6, "--model.num_kv_heads", 2, "--model.rotary_dim", 8, "--model.hidden_size", 48,
                     "--model.rope_theta", 500, "--model.rope_scaling", "llama3", "--model.rope_scaling_factor", 4,
                     "--model.rope_original_length", 64, "--model.share_embedding_weights", "false")

    def test_training_follows_their_larger_llama(self):
        """At gpt_tiny's rate of 1e-3 the class itself has a gradient of 13 at step 37, and its loss depends on the last bits from there."""
        model = self.llama(8, 2, vocab_size=96, max_position_embeddings=64, hidden_size=96, intermediate_size=256, num_hidden_layers=3,
                           rope_theta=500.0, rope_scaling=LLAMA3, tie_word_embeddings=True, rms_norm_eps=1e-5, initializer_range=0.02)
        self.follows("llama_larger", model, "--model.num_heads", 8, "--model.num_kv_heads", 2, "--model.rotary_dim", 12, "--model.hidden_size", 96,
                     "--model.filter_size", 256, "--model.num_hidden_layers", 3, "--model.max_sequence_length", 64, "--model.rope_theta", 500,
                     "--model.rope_scaling", "llama3", "--model.rope_scaling_factor", 4, "--model.rope_original_length", 32,
                     "--train_input.batch_size", 4, "--wafer.sram_kib", 128, "--model.recompute", "block", "--optimizer.learning_rate", "3.0e-4",
                     rtl=False)

    def test_their_gpt2_runs_in_every_type(self):
        for dtype in DTYPES:
            self.import_case("their GPT-2", self.gpt2(), dtype)
            (self.folder / "theirs.yaml").unlink()

    def test_their_gpt2_runs_from_shards(self):
        folder = self.import_case("their GPT-2, shards", self.gpt2(n_inner=80), "fp32", max_shard_size="50KB")
        self.assertGreater(len(list(folder.glob("model-*.safetensors"))), 2)

    def test_their_gpt2_with_a_head_of_its_own_runs(self):
        self.import_case("their GPT-2, untied", self.gpt2(tie_word_embeddings=False), "bf16")

    def test_their_gptj_runs_in_every_type(self):
        for dtype in DTYPES:
            self.import_case("their GPT-J", self.gptj(), dtype)
            (self.folder / "theirs.yaml").unlink()

    def test_their_gptj_runs_from_shards(self):
        folder = self.import_case("their GPT-J, shards", self.gptj(), "fp16", max_shard_size="50KB")
        self.assertGreater(len(list(folder.glob("model-*.safetensors"))), 2)

    def test_llmc_has_the_same_numbers(self):
        model = self.gpt2(vocab_size=200)
        file, folder, back = (self.folder / name for name in ("m.bin", "hf", "back.bin"))
        for bf16 in (False, True):
            model = model.to(torch.bfloat16 if bf16 else torch.float32)
            write_llmc(file, model, bf16)
            params = self.folder / f"llmc_{bf16}.yaml"
            weft("import", file, "--out", params, "--train_input.data_dir", CONFIGS / "corpus.txt")
            dtype = "bf16" if bf16 else "fp32"
            weft("export", "--to", "hf", folder, "--params", params, "--dtype", dtype)
            again = transformers.AutoModelForCausalLM.from_pretrained(folder, torch_dtype=DTYPES[dtype]).state_dict()
            for key, tensor in model.state_dict().items():
                self.assertTrue(same_bits(again[key], tensor), key)
            weft("export", "--to", "llmc", back, "--params", params, "--checkpoint_path", folder, "--dtype", dtype)
            self.assertEqual(back.read_bytes(), file.read_bytes())
            for key, tensor in read_llmc(back).items():
                self.assertTrue(same_bits(tensor, again[key]), key)


if __name__ == "__main__":
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    print(f"transformers {transformers.__version__}, PyTorch {torch.__version__}", flush=True)
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
