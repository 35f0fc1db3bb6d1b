"""Classifiers of sequences and tokens, and regression: lowered, trained and evaluated unchanged, compared with eager
PyTorch. classifier_test.py build/weft, with WEFT_PACKAGE."""

import copy
import os
import sys
import tempfile
import unittest

import torch
from classifiers import Classifier, Tagger
from lowered import Refusal, compile, tokens

import weft
import weft.torch

STEPS, BATCH, LENGTH = 10, 8, 16


def batches(steps=STEPS, classes=3, segments=True):
    """Batches whose labels can be learned: dicts as of transformers."""
    ids = tokens(steps * BATCH, LENGTH, 60)
    kinds = (torch.arange(LENGTH) >= LENGTH // 2).long().expand_as(ids)
    labels = ids[:, 1] % classes if classes > 1 else (ids[:, 1] % 5).float() / 4 - 0.3
    for at in range(0, len(ids), BATCH):
        some = slice(at, at + BATCH)
        batch = {"input_ids": ids[some], "labels": labels[some]}
        yield {**batch, "token_type_ids": kinds[some]} if segments else batch


def made(kind, **keys):
    torch.manual_seed(3)
    return kind(**keys)


def groups(module):
    matrices = [one for one in module.parameters() if one.dim() >= 2]
    vectors = [one for one in module.parameters() if one.dim() < 2]
    return [{"params": matrices, "weight_decay": 0.01}, {"params": vectors, "weight_decay": 0.0}]


def eager(module, data):
    """The losses of eager PyTorch, which trains a copy of the module."""
    module = copy.deepcopy(module)
    optimizer, losses = torch.optim.AdamW(groups(module), lr=3e-3), []
    for batch in data:
        output = module(**batch) if isinstance(batch, dict) else module(*batch)
        loss = output["loss"] if isinstance(output, dict) else output
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


class Classifiers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="weft_torch_")
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def follows(self, module, data):
        """Trains on one and on three wafers: equal hashes, losses of eager PyTorch."""
        data, hashes = list(data), []
        theirs = eager(module, data)
        for wafers in (1, 3):
            mine = copy.deepcopy(module)
            optimizer = torch.optim.AdamW(groups(mine), lr=3e-3)
            keys = {"wafer.sram_kib": 128, "train_input.micro_batch_size": 2}
            with weft.torch.Trainer(
                mine, optimizer, data, num_csx=wafers, model_dir=f"run{wafers}", overrides=keys
            ) as trainer:
                metrics = list(trainer.train())
            hashes.append([one["state_hash"] for one in metrics])
            worst = max(abs(one["loss"] - other) for one, other in zip(metrics, theirs))
            print(f"{type(module).__name__}: {theirs[0]:.4f} to {theirs[-1]:.4f}, largest difference {worst:.4f}")
            self.assertEqual(len(metrics), len(data))
            self.assertLessEqual(worst, 0.02)
        self.assertEqual(hashes[0], hashes[1])
        self.assertEqual(len(set(hashes[0])), len(data))

    def test_a_classifier_trains_unchanged(self):
        self.follows(made(Classifier), batches())

    def test_a_classifier_without_segments_takes_pairs(self):
        data = [(one["input_ids"], one["labels"]) for one in batches(segments=False)]

        class Of(Classifier):
            def forward(self, input_ids, labels):
                return super().forward(input_ids, None, labels)["loss"]

        self.follows(made(Of, kinds=0), data)

    def test_a_regression_trains_unchanged(self):
        self.follows(made(Classifier, classes=1), batches(classes=1))

    def test_a_tagger_trains_unchanged(self):
        ids = tokens(STEPS * BATCH, LENGTH, 60)
        tags = torch.where(torch.arange(LENGTH) % 4 == 3, torch.tensor(-100), ids % 5)
        self.follows(made(Tagger), list(zip(ids.split(BATCH), tags.split(BATCH))))

    def test_gradients_are_those_of_eager_pytorch(self):
        for classes in (3, 1):
            module, batch = made(Classifier, classes=classes), next(batches(1, classes))
            loss = module(**batch)["loss"]
            loss.backward()
            wanted = {name: one.grad.clone() for name, one in module.named_parameters()}
            module.zero_grad()
            program = weft.torch.compile(module, batch, overrides={"wafer.sram_kib": 128})
            ours = program(batch)
            ours.backward()
            self.assertLessEqual(abs(ours.item() - loss.item()), 0.02)
            for name, one in module.named_parameters():
                if name.endswith("key.bias"):
                    continue  # zero, but for rounding
                self.assertLess((one.grad - wanted[name]).norm(), 0.05 * wanted[name].norm() + 1e-4, name)

    def test_networks_have_the_losses_and_sizes(self):
        program = compile(made(Classifier), next(batches()))
        self.assertIn("{class_loss: loss, in: logits}", program.network)
        self.assertIn("causal: false", program.network)
        self.assertEqual(program.config["model.num_classes"], 3)
        self.assertEqual(program.config["model.num_segments"], 2)
        self.assertEqual(program.config["model.filter_size"], 64)
        self.assertEqual(program.config["model.num_hidden_layers"], 2)
        number = compile(made(Classifier, classes=1), next(batches(classes=1)))
        self.assertIn("{squared_error: loss, in: logits}", number.network)

    def test_batches_of_other_forms_are_refused(self):
        program = compile(made(Classifier), next(batches()))
        batch = next(batches())
        for change, problem in (
            ({"token_type_ids": None}, "lacks a part"),
            ({"labels": batch["labels"].float()}, "labels are"),
            ({"labels": batch["labels"][:3]}, "labels are"),
            ({"attention_mask": torch.arange(LENGTH).expand(BATCH, LENGTH) < 9}, "attention would see its padding"),
            ({name: batch[name][:, :9] for name in ("input_ids", "token_type_ids")}, "would see its padding"),
        ):
            changed = {name: one for name, one in {**batch, **change}.items() if one is not None}
            with self.assertRaisesRegex(Refusal, problem):
                program.form.split(changed)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
