"""Modules with masks of padding, with two losses, and of transformers: trained unchanged, compared with eager PyTorch.
inputs_test.py build/weft, with WEFT_PACKAGE."""

import copy
import os
import sys
import tempfile
import unittest

import torch
import transformers
from lowered import Refusal, compile, tokens
from torch import nn
from torch.nn import functional as F

import weft
import weft.torch

STEPS, BATCH, LENGTH, VOCAB = 3, 8, 16, 60
SIZES = dict(
    vocab_size=VOCAB, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64,
    max_position_embeddings=LENGTH, type_vocab_size=2, hidden_dropout_prob=0, attention_probs_dropout_prob=0,
)  # fmt: skip


class Encoder(nn.Module):
    """PyTorch's own encoder, with padding that an input or the token 0 marks."""

    def __init__(self, norm_first=False, padding_idx=None):
        super().__init__()
        self.words, self.places = nn.Embedding(VOCAB, 32, padding_idx=padding_idx), nn.Embedding(LENGTH, 32)
        layer = nn.TransformerEncoderLayer(32, 4, 64, dropout=0.0, batch_first=True, norm_first=norm_first)
        self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(32) if norm_first else nn.Identity()
        self.classes = nn.Linear(32, 3)

    def forward(self, ids, hidden, labels):
        x = self.layers(self.words(ids) + self.places(torch.arange(ids.size(1))), src_key_padding_mask=hidden)
        return F.cross_entropy(self.classes(self.norm(x)[:, 0]), labels)


class OfIds(Encoder):
    def forward(self, ids, labels):
        return super().forward(ids, ids == 0, labels)


class TwoHeads(nn.Module):
    """Next tokens, and a tag of each token from an earlier layer."""

    def __init__(self):
        super().__init__()
        self.words, self.norm, self.norm_2 = nn.Embedding(VOCAB, 32), nn.LayerNorm(32), nn.LayerNorm(32)
        self.attention = nn.MultiheadAttention(32, 4, batch_first=True)
        self.head, self.tags = nn.Linear(32, VOCAB), nn.Linear(32, 5)
        self.up, self.down = nn.Linear(32, 64), nn.Linear(64, 32)

    def forward(self, ids, labels, tags):
        x, later = self.words(ids), torch.ones(ids.size(1), ids.size(1)).triu(1).bool()
        h = self.norm(x)
        x = x + self.attention(h, h, h, attn_mask=later, need_weights=False)[0]
        h = self.norm_2(x)
        of_tags = F.cross_entropy(self.tags(h).flatten(0, 1), tags.flatten())
        x = x + self.down(F.gelu(self.up(h)))
        return F.cross_entropy(self.head(x).flatten(0, 1), labels.flatten()) + of_tags


def padded(steps=STEPS):
    """Token ids and a mask of visible ones, with sequences of 9 to all tokens; the first one is short."""
    ids = 1 + tokens(steps * BATCH, LENGTH, VOCAB - 1)
    lengths = 9 + torch.arange(len(ids)) * 5 % (LENGTH - 8)
    mask = (torch.arange(LENGTH) < lengths[:, None]).long()
    return list(zip((ids * mask).split(BATCH), mask.split(BATCH)))


def pairs():
    """Batches of BERT's pretraining."""
    for ids, mask in padded():
        chosen = (torch.arange(LENGTH) % 4 == 1) & (mask == 1)
        yield {
            "input_ids": ids.masked_fill(chosen, 1), "attention_mask": mask,
            "token_type_ids": (torch.arange(LENGTH) > 4).long() * mask,
            "labels": ids.masked_fill(~chosen, -100), "next_sentence_label": ids[:, 2] % 2,
        }  # fmt: skip


def made(kind, *arguments, **keys):
    torch.manual_seed(3)
    return kind(*arguments, **keys).eval()


def bert(kind, **keys):
    return made(getattr(transformers, kind), transformers.BertConfig(**{**SIZES, **keys}))


def optimizer_of(module):
    return torch.optim.AdamW(module.parameters(), lr=1e-3, weight_decay=0.0)


def eager(module, data):
    """The losses of eager PyTorch, which trains a copy of the module."""
    module = copy.deepcopy(module)
    optimizer, losses = optimizer_of(module), []
    for batch in data:
        output = module(**batch) if isinstance(batch, dict) else module(*batch)
        loss = output["loss"] if hasattr(output, "keys") else output
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


class Inputs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="weft_torch_")
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def follows(self, module, data):
        """Trains on one and on three wafers: equal hashes, losses of eager PyTorch. Returns the program."""
        data, hashes = list(data), []
        theirs = eager(module, data)
        for wafers in (1, 3):
            mine = copy.deepcopy(module)
            keys = {"wafer.sram_kib": 128, "train_input.micro_batch_size": 2}
            with weft.torch.Trainer(
                mine, optimizer_of(mine), data, num_csx=wafers, model_dir=tempfile.mkdtemp(dir="."), overrides=keys
            ) as trainer:
                metrics = list(trainer.train())
            hashes.append([one["state_hash"] for one in metrics])
            worst = max(abs(one["loss"] - other) for one, other in zip(metrics, theirs))
            print(f"{type(module).__name__}: {theirs[0]:.4f} to {theirs[-1]:.4f}, largest difference {worst:.4f}")
            self.assertLessEqual(worst, 0.01)
        self.assertEqual(hashes[0], hashes[1])
        self.assertEqual(len(set(hashes[0])), len(data))
        return trainer.program

    def test_an_encoder_with_a_mask_of_padding_trains_unchanged(self):
        for keys in ({}, {"norm_first": True, "padding_idx": 0}):
            data = [(ids, mask == 0, ids[:, 1] % 3) for ids, mask in padded()]
            program = self.follows(made(Encoder, **keys), data)
            self.assertEqual(program.config["model.padding_token"], 0)

    def test_padding_may_be_known_by_its_token(self):
        program = self.follows(made(OfIds), [(ids, ids[:, 1] % 3) for ids, _ in padded()])
        self.assertEqual(program.config["model.padding_token"], 0)

    def test_a_module_with_two_losses_trains_unchanged(self):
        data = []
        for ids, mask in padded():
            labels = torch.cat([ids[:, 1:], ids[:, :1]], 1).masked_fill(mask == 0, -100)
            data.append((ids, labels, (ids % 5).masked_fill(torch.arange(LENGTH) % 3 > 0, -100)))
        program = self.follows(made(TwoHeads), data)
        self.assertLess(program.network.index("class_loss: classes"), program.network.index("linear: up"))

    def test_berts_pretraining_trains_unchanged(self):
        program = self.follows(bert("BertForPreTraining"), pairs())
        self.assertEqual([loss[:2] for loss in program.form.losses], [("class_loss", "first"), ("loss", "all")])

    def test_a_classifier_of_transformers_trains_unchanged(self):
        data = [{"input_ids": ids, "attention_mask": mask, "labels": ids[:, 1] % 2} for ids, mask in padded()]
        self.follows(bert("BertForSequenceClassification"), data)

    def test_a_language_model_of_transformers_shifts_its_labels_itself(self):
        sizes = dict(vocab_size=VOCAB, n_embd=32, n_layer=2, n_head=4, n_positions=LENGTH)
        data = [
            {"input_ids": ids, "attention_mask": mask, "labels": ids.masked_fill(mask == 0, -100)}
            for ids, mask in padded()
        ]
        program = self.follows(made(transformers.GPT2LMHeadModel, transformers.GPT2Config(**sizes)), data)
        self.assertEqual(program.form.losses, [("loss", "next", "labels")])
        self.assertNotIn("model.padding_token", program.config)  # attention is causal

    def test_batches_that_cannot_be_honoured_are_refused(self):
        module, data = bert("BertForPreTraining"), next(pairs())
        program = compile(module, data)
        ids, mask = data["input_ids"], data["attention_mask"]
        first = mask.clone()
        first[:, 0] = 0
        middle = mask.clone()
        middle[:, 5] = 0
        for change, problem in (
            ({"attention_mask": first}, "hides a token before others"),
            ({"attention_mask": middle}, "hides a token before others"),
            ({"labels": torch.zeros_like(ids)}, "a token that attention hides has a label"),
            ({"input_ids": ids.masked_fill(torch.arange(LENGTH) == 8, 0)}, "has the token 0, which padding_idx"),
            ({"next_sentence_label": None}, "lacks a part"),
        ):
            changed = {name: one for name, one in {**data, **change}.items() if one is not None}
            with self.assertRaisesRegex(Refusal, problem):
                program.form.split(changed)
        encoder = compile(made(Encoder), (*padded()[0][:1], padded()[0][1] == 0, torch.zeros(BATCH).long()))
        with self.assertRaisesRegex(Refusal, "the last token of a sequence is 0, which the network takes for padding"):
            encoder.form.split((ids * 0, torch.zeros(BATCH, LENGTH).bool(), torch.zeros(BATCH).long()))
        masked = compile(bert("BertForMaskedLM", pad_token_id=None), {"input_ids": ids})
        with self.assertRaisesRegex(Refusal, "whose labels are the next tokens, which attention sees"):
            masked.form.split({"input_ids": ids, "labels": ids})


if __name__ == "__main__":
    transformers.logging.set_verbosity_error()
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
