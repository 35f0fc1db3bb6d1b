"""`BertForMaskedLM` and `BertForPreTraining` of `transformers`, and Weft's bert and bert_pretraining: losses of masked
samples and of pairs of sentences, 100 steps of training, bits of weights.

    bert_test.py build/weft [-k PATTERN]...

In the Python that has them: scripts/setup interop."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import torch
import transformers
from masked_samples import library, masked_samples, pair_samples, write_hdf5
from safetensors.torch import load_file

WEFT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/weft").resolve()
HDF5 = library(WEFT)
EVAL_LOSS, STEP_LOSS, KL = 0.002, 0.02, 1e-3  # nats
BATCH, STEPS, RATE = 16, 100, 1e-3


def weft(*words):
    """Returns the output of weft."""
    done = subprocess.run([WEFT, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def small(kind=transformers.BertForMaskedLM, **keys):
    keys = {"vocab_size": 60, "max_position_embeddings": 24, "hidden_size": 48, "num_hidden_layers": 2,
            "num_attention_heads": 3, "intermediate_size": 96} | keys
    rates = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    torch.manual_seed(1)
    return kind(transformers.BertConfig(**keys, **rates))


def large(kind=transformers.BertForMaskedLM):
    """0.6 million parameters."""
    return small(kind, vocab_size=500, max_position_embeddings=32, hidden_size=96, num_hidden_layers=5, num_attention_heads=4,
                 intermediate_size=384)


def loss_of(model, samples):
    ids, _, labels, segments, *pairs = (torch.from_numpy(samples[:, row].astype("int64")) for row in range(samples.shape[1]))
    more = {"next_sentence_label": pairs[0][:, 0]} if pairs else {}
    return model(input_ids=ids, attention_mask=(ids != 0).long(), token_type_ids=segments, labels=labels, **more).loss


class Compared(unittest.TestCase):
    kind = samples = None  # class of the model, and function that makes samples

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="weft_bert_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def imported(self, model, *keys, **save):
        """The samples, and the parameter file for the model's weights."""
        theirs, data, params = self.folder / "theirs", self.folder / "masked.h5", self.folder / "theirs.yaml"
        model.save_pretrained(theirs, safe_serialization=True, **save)
        samples = type(self).samples(320, model.config.max_position_embeddings, model.config.vocab_size, 1)
        write_hdf5(HDF5, data, samples)
        weft("import", theirs, "--out", params, "--train_input.data_dir", data, "--eval_input.data_dir", data,
             "--eval_input.batch_size", BATCH, "--runconfig.eval_steps", len(samples) // BATCH, "--train_input.batch_size", BATCH, "--train_input.micro_batch_size", 4,
             "--train_input.shuffle", "false", "--optimizer.learning_rate", RATE, "--optimizer.max_gradient_norm", 0,
             "--optimizer.weight_decay", 0.01, "--optimizer.betas", "[0.9, 0.999]", "--optimizer.eps", 1e-8, *keys)
        return samples, params

    def compare_loss(self, name, model, samples, params, *words):
        said = weft("run", "--params", params, "--mode", "eval", "--backend", "model", *words)
        ours = float(re.search(r"loss ([0-9.]+)", said)[1])
        with torch.no_grad():
            theirs = loss_of(model.float().eval(), samples).item()
        print(f"{name:<22} weft {ours:.5f}  transformers {theirs:.5f}", flush=True)
        self.assertLessEqual(abs(ours - theirs), EVAL_LOSS)

    def compare_logits(self, model, samples, params, *words):
        """The distributions of labelled tokens of the first samples."""
        file = self.folder / "logits.safetensors"
        weft("run", "--params", params, "--mode", "eval", "--backend", "model", "--logits", file, "--eval_input.batch_size", 4,
             "--runconfig.eval_steps", 1, *words)
        ours, some = load_file(file), samples[:4]
        ids, _, labels, segments = (torch.from_numpy(some[:, row].astype("int64")) for row in range(4))
        self.assertTrue(torch.equal(ours["tokens"].long(), ids))
        with torch.no_grad():
            theirs = model.float().eval()(input_ids=ids, attention_mask=(ids != 0).long(), token_type_ids=segments)
        theirs = theirs.logits if "logits" in theirs else theirs.prediction_logits
        theirs, mine = theirs[labels >= 0].double().log_softmax(-1), ours["logits"][labels >= 0].double().log_softmax(-1)
        kl = (theirs.exp() * (theirs - mine)).sum(-1).mean().item()
        print(f"{len(theirs)} distributions: KL {kl:.2e}", flush=True)
        self.assertLessEqual(kl, KL)

    def losses(self, params, folder, steps, *words):
        weft("run", "--params", params, "--mode", "train", "--num_steps", steps, "--model_dir", folder, *words)
        lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
        return [line["loss"] for line in lines], [line["state_hash"] for line in lines]

    def train(self, model, *keys):
        samples, params = self.imported(model, *keys)
        self.compare_loss("as it begins", model, samples, params)
        ours, _ = self.losses(params, self.folder / "run", STEPS, "--backend", "model")
        matrices = [p for p in model.parameters() if p.dim() == 2]
        vectors = [p for p in model.parameters() if p.dim() != 2]
        groups = [{"params": matrices, "weight_decay": 0.01}, {"params": vectors, "weight_decay": 0.0}]
        optimizer = torch.optim.AdamW(groups, lr=RATE, betas=(0.9, 0.999), eps=1e-8)
        model.train()
        theirs = []
        for step in range(STEPS):
            at = step * BATCH % len(samples)
            loss = loss_of(model, samples[at:at + BATCH])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            theirs.append(loss.item())
        worst = max(abs(one - other) for one, other in zip(ours, theirs))
        print(f"{STEPS} steps: loss {theirs[0]:.4f} to {theirs[-1]:.4f}, largest difference {worst:.4f}", flush=True)
        self.assertLess(theirs[-1], theirs[0] - 0.3)
        self.assertLessEqual(worst, STEP_LOSS)
        back = self.folder / "back"
        weft("export", "--to", "hf", back, "--model_dir", self.folder / "run")
        trained = self.kind.from_pretrained(back)
        self.compare_loss("exported after them", trained, samples, params, "--checkpoint_path", back)
        self.compare_logits(trained, samples, params, "--checkpoint_path", back)

    def compare_weights(self):
        for tied in (True, False):
            model = small(self.kind, tie_word_embeddings=tied)
            with torch.no_grad():
                for vector in (p for p in model.parameters() if p.dim() == 1):
                    vector.normal_()
            _, params = self.imported(model)
            back = self.folder / f"back_{tied}"
            weft("export", "--to", "hf", back, "--params", params)
            again = self.kind.from_pretrained(back).state_dict()
            for key, tensor in model.state_dict().items():
                self.assertTrue(torch.equal(again[key], tensor), key)
            params.unlink()

    def compare_hashes(self):
        wafer = ["--wafer.rows", 3, "--wafer.cols", 2, "--wafer.sram_kib", 64]
        _, params = self.imported(small(self.kind, hidden_size=24, num_attention_heads=2, num_hidden_layers=1), *wafer)
        runs = [["--num_csx", 1, "--backend", "model"], ["--num_csx", 3, "--backend", "model"], ["--num_csx", 1, "--backend", "rtl"]]
        hashes = [self.losses(params, self.folder / f"run{n}", 2, *words)[1] for n, words in enumerate(runs)]
        self.assertEqual(len(hashes[0]), 2)
        self.assertEqual(hashes[0], hashes[1])
        self.assertEqual(hashes[0], hashes[2])


@unittest.skipIf(HDF5 is None, "libhdf5 is missing")
class Bert(Compared):
    kind, samples = transformers.BertForMaskedLM, masked_samples

    def test_a_hundred_steps_of_a_small_one(self):
        self.train(small())

    def test_a_hundred_steps_of_a_larger_one(self):
        self.train(large())

    def test_weights_come_back_with_their_bits(self):
        self.compare_weights()

    def test_a_model_for_pretraining_is_read_without_its_pair_head(self):
        torch.manual_seed(1)
        model = transformers.BertForPreTraining(small().config)
        samples, params = self.imported(model, "--model.network", "bert", "--model.num_classes", 0, max_shard_size="50KB")
        masked = transformers.BertForMaskedLM.from_pretrained(self.folder / "theirs")
        self.compare_loss("without its pair head", masked, samples, params)

    def test_hashes_do_not_depend_on_wafers_or_the_backend(self):
        self.compare_hashes()


@unittest.skipIf(HDF5 is None, "libhdf5 is missing")
class Pairs(Compared):
    kind, samples = transformers.BertForPreTraining, pair_samples

    def test_a_hundred_steps_of_a_small_one_with_pairs(self):
        self.train(small(self.kind))

    def test_a_hundred_steps_of_a_larger_one_with_pairs(self):
        self.train(large(self.kind))

    def test_weights_of_pairs_come_back_with_their_bits(self):
        self.compare_weights()

    def test_hashes_of_pairs_do_not_depend_on_wafers_or_the_backend(self):
        self.compare_hashes()


if __name__ == "__main__":
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    print(f"transformers {transformers.__version__}, PyTorch {torch.__version__}", flush=True)
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
