"""Whole training by MemoryX, in a PyTorch program. training_test.py build/weft, with WEFT_PACKAGE."""

import contextlib
import io
import itertools
import os
import pathlib
import re
import signal
import sys
import tempfile
import threading
import unittest

import torch
from lowered import ROOT, Refusal, tokens
from modules import Custom, NanoGPT
from torch.utils.data import DataLoader, TensorDataset

import weft
import weft.torch
from weft.torch import batches


def text(sequences=24, length=17, vocab=96):
    """Sequences that a model can learn: each token follows from the one before."""
    first = tokens(sequences, 1, vocab)
    return (first + 7 * torch.arange(length) ** 2 % 13) % vocab


def groups(module, decay=0.1):
    """Parameter groups of nanoGPT: matrices decay, vectors do not."""
    matrices = [one for one in module.parameters() if one.dim() >= 2]
    vectors = [one for one in module.parameters() if one.dim() < 2]
    return [{"params": matrices, "weight_decay": decay}, {"params": vectors, "weight_decay": 0.0}]


def loss_of(module, inputs, labels):
    """Eager PyTorch's."""
    labels = labels.clamp(min=-1).contiguous()
    if isinstance(module, NanoGPT):
        return module(inputs, labels)[1]
    logits = module(inputs)["logits"]
    return torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-1)


def made(kind, **keys):
    torch.manual_seed(3)
    return kind(**keys)


class Training(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="weft_torch_")
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def train(self, kind, steps, name="run", rate=3e-3, **flags):
        """Metrics of a run, and its module."""
        module = made(kind)
        optimizer = torch.optim.AdamW(groups(module), lr=rate, betas=(0.9, 0.95))
        data = DataLoader(text(), batch_size=12)
        with weft.torch.Trainer(module, optimizer, data, model_dir=name, backend="model", **flags) as trainer:
            return list(trainer.train(steps)), module

    def eager(self, kind, steps, rate=3e-3):
        module = made(kind)
        optimizer = torch.optim.AdamW(groups(module), lr=rate, betas=(0.9, 0.95))
        losses = []
        for n in range(steps):
            batch = text()[n % 2 * 12 :][:12]
            loss = loss_of(module, batch[:, :-1], batch[:, 1:])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return losses, module

    def compare(self, kind, steps):
        """Hashes for one wafer and for three; losses of eager PyTorch."""
        one, module = self.train(kind, steps, "one", num_csx=1)
        three, _ = self.train(kind, steps, "three", num_csx=3)
        self.assertEqual([m["state_hash"] for m in one], [m["state_hash"] for m in three])
        self.assertEqual(len({m["state_hash"] for m in one}), steps)
        losses, theirs = self.eager(kind, steps)
        most = max(abs(m["loss"] - loss) for m, loss in zip(one, losses))
        print(f"{kind.__name__}: {steps} steps, loss {losses[0]:.4f} to {losses[-1]:.4f}, difference {most:.5f}")
        self.assertLess(most, 0.02)
        self.assertLess(losses[-1], losses[0] - 0.15)
        for (name, mine), other in zip(module.named_parameters(), theirs.parameters()):
            self.assertLess((mine - other).abs().max().item(), 4e-3 * steps, name)

    def test_nanogpt_trains_as_in_pytorch_with_the_same_bits_on_three_wafers(self):
        self.compare(NanoGPT, 8)

    def test_a_custom_block_trains_as_in_pytorch_with_the_same_bits_on_three_wafers(self):
        self.compare(Custom, 8)

    def test_weights_and_state_come_back(self):
        module = made(NanoGPT)
        optimizer = torch.optim.AdamW(groups(module), lr=1e-3)
        with weft.torch.Trainer(module, optimizer, [text()[:4]], model_dir="run", backend="model") as trainer:
            self.assertEqual(len(list(trainer.train())), 1)
            state = trainer.state_dict()
            trainer.write_back(state=True)
            live = trainer.generate([5, 12], max_new_tokens=3)
        for name, array in trainer.program.parameters().items():
            self.assertTrue((array == state[name]).all(), name)
        weight = module.transformer.h[1].mlp.c_fc.weight
        self.assertTrue((optimizer.state[weight]["exp_avg"].T.numpy() == state["weft.m.h.1.mlp.c_fc.weight"]).all())
        self.assertEqual(optimizer.state[weight]["step"], 1)
        self.assertEqual(state.step, 1)
        self.assertEqual(weft.generate(trainer.config, [5, 12], max_new_tokens=3), live)
        self.assertEqual((live[:2], len(live)), ([5, 12], 5))

    def test_interrupt_saves_and_the_same_program_continues(self):
        def trainer(module):
            optimizer = torch.optim.SGD(module.parameters(), lr=0.01, momentum=0.9)
            data = itertools.repeat(text()[:4], 2000)
            return weft.torch.Trainer(module, optimizer, data, model_dir="run", backend="model")

        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # which a job in the background ignores
        self.addCleanup(signal.signal, signal.SIGINT, before)
        module = made(NanoGPT)
        steps = []
        with self.assertRaises(KeyboardInterrupt):
            with trainer(module) as run:
                for metrics in run.train():
                    steps.append(metrics["step"])
                    if metrics["step"] == 2:
                        threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
        self.assertEqual(run.steps_done, weft.load(f"run/checkpoint_{run.steps_done}.safetensors").step)
        self.assertIn(run.steps_done, (steps[-1], steps[-1] + 1))
        self.assertFalse(torch.equal(module.transformer.wpe.weight, made(NanoGPT).transformer.wpe.weight))
        after = made(NanoGPT)
        with trainer(after) as again:
            self.assertEqual(again.steps_done, run.steps_done)
            self.assertTrue(torch.equal(module.transformer.wpe.weight, after.transformer.wpe.weight))
            self.assertEqual(next(again.train(1))["step"], run.steps_done + 1)

    def test_pairs_dicts_and_short_batches_give_the_loss_of_pytorch(self):
        module = made(Custom)
        inputs, labels = text()[:6, :-1], text()[:6, 1:].clone()
        labels[0, :4] = -100
        rows = TensorDataset(inputs, labels)
        for data in (DataLoader(rows, batch_size=4), [{"input_ids": text()[:4]}, {"input_ids": text()[4:6]}]):
            optimizer = torch.optim.SGD(module.parameters(), lr=0.0)
            with tempfile.TemporaryDirectory() as folder:
                example = (text(),) if isinstance(data, list) else None
                with weft.torch.Trainer(
                    module, optimizer, data, example_inputs=example, model_dir=folder, backend="model"
                ) as trainer:
                    found = [metrics["loss"] for metrics in trainer.train()]
                    everything = trainer.evaluate(data)
            wanted = labels if not isinstance(data, list) else text()[:6, 1:]
            theirs = [loss_of(module, inputs[a:b], wanted[a:b]).item() for a, b in ((0, 4), (4, 6))]
            self.assertEqual(len(found), 2)
            for mine, other in zip(found, theirs):
                self.assertAlmostEqual(mine, other, delta=0.005)
            self.assertAlmostEqual(everything["eval_loss"], loss_of(module, inputs, wanted).item(), delta=0.005)
            self.assertEqual(everything["tokens"], (wanted >= 0).sum().item())

    def test_padding_of_an_attention_mask_has_no_labels(self):
        ids = torch.tensor([[5, 6, 7, 8], [5, 6, 0, 0]])
        inputs, labels = batches.split({"input_ids": ids, "attention_mask": torch.tensor([[1] * 4, [1, 1, 0, 0]])})
        self.assertEqual(inputs.tolist(), ids.tolist())
        self.assertEqual(labels.tolist(), [[6, 7, 8, -100], [6, -100, -100, -100]])
        ids, labels = batches.Padded(5, 3)(inputs, labels)  # the third sequence takes over labels of the first
        self.assertEqual(labels.tolist(), [[6, -1, -1, -1, -1], [6, -1, -1, -1, -1], [-1, 7, 8, -1, -1]])
        self.assertEqual(ids.tolist(), [[5, 6, 7, 8, 0], [5, 6, 0, 0, 0], [5, 6, 7, 8, 0]])
        with self.assertRaisesRegex(Refusal, "attention_mask hides a token before others"):
            batches.split({"input_ids": inputs, "attention_mask": torch.tensor([[0, 1, 1, 1]] * 2)})

    def test_a_scheduler_s_rates_are_those_of_pytorch(self):
        def both():
            module = made(NanoGPT, layers=1)
            optimizer = torch.optim.SGD(module.parameters(), lr=0.5)
            warm = torch.optim.lr_scheduler.LinearLR(optimizer, 0.25, total_iters=2)
            cosine = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 4)
            return module, optimizer, torch.optim.lr_scheduler.SequentialLR(optimizer, [warm, cosine], [2])

        module, optimizer, scheduler = both()
        data = [text()[:2]] * 5
        with weft.torch.Trainer(
            module, optimizer, data, scheduler=scheduler, model_dir="run", backend="model"
        ) as trainer:
            found = [metrics["lr"] for metrics in trainer.train()]
        _, theirs, other = both()
        wanted = []
        for _ in range(5):
            wanted.append(theirs.param_groups[0]["lr"])
            theirs.step()
            other.step()
        self.assertEqual(found, wanted)
        self.assertEqual(optimizer.param_groups[0]["lr"], theirs.param_groups[0]["lr"])

    def test_settings_of_optimizers_are_those_of_pytorch(self):
        kinds = {
            "SGD": lambda given: torch.optim.SGD(given, lr=0.3, momentum=0.8, nesterov=True),
            "Adam": lambda given: torch.optim.Adam(given, lr=0.01, betas=(0.8, 0.9), eps=1e-6),
        }
        batch = text()[:4]
        for name, optimizer_of in kinds.items():
            module, eager = made(NanoGPT, layers=1), made(NanoGPT, layers=1)
            optimizer, theirs = optimizer_of(groups(module)), optimizer_of(groups(eager))
            with weft.torch.Trainer(module, optimizer, [batch], model_dir=name, backend="model") as trainer:
                found = [metrics["loss"] for metrics in trainer.train(4)]
                config = trainer.config
            self.assertEqual(config["optimizer.optimizer_type"], name)
            self.assertEqual(config["optimizer.weight_decay"], 0.1)
            for n in range(4):
                theirs.zero_grad()
                loss = loss_of(eager, batch[:, :-1], batch[:, 1:])
                loss.backward()
                theirs.step()
                self.assertAlmostEqual(found[n], loss.item(), delta=0.01, msg=f"{name}, step {n + 1}")
            self.assertLess(found[3], found[0] - 0.2)
        self.assertEqual(config["optimizer.no_decay_params"], [])
        self.assertEqual(config["optimizer.betas"], [0.8, 0.9])
        self.assertEqual(config["optimizer.eps"], 1e-6)

    def test_all_parameters_may_decay(self):
        module, eager = made(NanoGPT, layers=1), made(NanoGPT, layers=1)
        optimizer, theirs = (torch.optim.AdamW(one.parameters(), lr=0.01, weight_decay=1.0) for one in (module, eager))
        batch = text()[:4]
        with weft.torch.Trainer(module, optimizer, [batch], model_dir="run", backend="model") as trainer:
            list(trainer.train(4))
            config = trainer.config
        self.assertNotIn("wte.weight", config["optimizer.decay_params"])
        self.assertIn("ln_f.weight", config["optimizer.decay_params"])
        self.assertEqual(config["optimizer.no_decay_params"], [])
        for _ in range(4):
            theirs.zero_grad()
            loss_of(eager, batch[:, :-1], batch[:, 1:]).backward()
            theirs.step()
        norm, expected = module.transformer.ln_f.weight, eager.transformer.ln_f.weight
        self.assertLess((norm - expected).abs().mean().item(), 0.015)  # without decay 0.04 apart

    def test_rtl_has_the_hashes_of_the_model(self):
        hashes = []
        for backend, wafers in (("model", 1), ("rtl", 3)):
            module = made(NanoGPT, vocab=24, width=8, heads=2, length=8, layers=1, filter_size=16)
            sgd = torch.optim.SGD(module.parameters(), lr=0.1)
            data = [text(6, 9, 24)]
            small = {"wafer.rows": 2, "wafer.cols": 2}
            with weft.torch.Trainer(
                module, sgd, data, overrides=small, model_dir=backend, backend=backend, num_csx=wafers
            ) as trainer:
                hashes.append([metrics["state_hash"] for metrics in trainer.train()])
        self.assertEqual(len(hashes[0]), 1)
        self.assertEqual(hashes[0], hashes[1])

    def test_settings_that_memoryx_lacks_are_refused_by_name(self):
        module = made(NanoGPT, layers=1)
        split = groups(module)
        cases = {
            r"^Adagrad: is not an optimizer of MemoryX": lambda: torch.optim.Adagrad(module.parameters()),
            r"^AdamW: MemoryX has no amsgrad=True": lambda: torch.optim.AdamW(split, amsgrad=True),
            r"^AdamW: groups have weight_decay 0.1 and 0.2": lambda: torch.optim.AdamW(
                [groups(module)[0], {**groups(module)[1], "weight_decay": 0.2}]
            ),
            r"^SGD: parameter group 1 has lr=0.2, and group 0 0.1": lambda: torch.optim.SGD(
                [{**split[0], "lr": 0.1}, {**split[1], "lr": 0.2}], lr=0.1
            ),
            r"^SGD: has no parameter of the module": lambda: torch.optim.SGD([torch.zeros(1, requires_grad=True)], 1),
        }
        for problem, optimizer in cases.items():
            with self.assertRaisesRegex(Refusal, problem):
                weft.torch.Trainer(module, optimizer(), [text()[:2]], model_dir="run")
        self.assertFalse(pathlib.Path("run").exists())
        sgd = torch.optim.SGD(module.parameters(), lr=0.1)
        plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(sgd)
        with self.assertRaisesRegex(Refusal, "^ReduceLROnPlateau: its rates depend on losses"):
            weft.torch.Trainer(module, sgd, [text()[:2]], scheduler=plateau, model_dir="run")
        with self.assertRaisesRegex(Refusal, "^data: a batch is a tensor of the shape"):
            weft.torch.Trainer(module, sgd, [torch.zeros(2, 8)], model_dir="run")
        with self.assertRaises(weft.Error):  # the error of the package is also the refusals'
            weft.torch.Trainer(module, sgd, [], model_dir="run")

    def test_a_run_without_a_step_leaves_no_file(self):
        module = made(NanoGPT, layers=1)
        sgd = torch.optim.SGD(module.parameters(), lr=0.1)
        weft.torch.Trainer(module, sgd, [text()[:2]], model_dir="run", backend="model").close()
        with self.assertRaisesRegex(weft.Error, "num_csx"):
            weft.torch.Trainer(module, sgd, [text()[:2]], model_dir="run", num_csx=0)
        module(text()[:2, :-1], text()[:2, 1:].contiguous())[1].backward()
        used = torch.optim.SGD(module.parameters(), lr=0.1, momentum=0.9)
        used.step()
        with self.assertRaisesRegex(Refusal, "^SGD: has the state of earlier steps"):
            weft.torch.Trainer(module, used, [text()[:2]], model_dir="run")
        self.assertFalse(pathlib.Path("run").exists())

    def test_data_begins_anew_for_more_steps_than_it_has_batches(self):
        module = made(NanoGPT, layers=1)
        sgd = torch.optim.SGD(module.parameters(), lr=0.0)
        data = [text()[:2], text()[2:4]]
        with weft.torch.Trainer(module, sgd, data, model_dir="run", backend="model") as trainer:
            losses = [metrics["loss"] for metrics in trainer.train(3)] + [m["loss"] for m in trainer.train()]
            losses += [metrics["loss"] for metrics in trainer.train()]
        self.assertEqual(losses, [losses[0], losses[1]] * 3)
        self.assertNotEqual(losses[0], losses[1])

    def test_the_page_s_programs_run(self):
        page = (ROOT / "docs/reference/torch.md").read_text()
        programs = re.findall(r"```python\n(.*?)```", page, re.S)
        self.assertEqual(len(programs), 4)
        model = made(NanoGPT)
        x, y = text()[:6, :-1], text()[:6, 1:].contiguous()
        names = {"model": model, "groups": groups(model), "loader": DataLoader(text(), batch_size=12), "x": x, "y": y}
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            for program in programs:
                exec(program.replace("num_csx=3", 'num_csx=3, backend="model"'), names)
        self.assertRegex(out.getvalue(), r"^1 4\.[0-9]+\n2 4\.[0-9]+\n$")
        self.assertIsNotNone(model.lm_head.weight.grad)

    def test_parameters_without_gradient_or_group_stay(self):
        module = made(NanoGPT)
        module.transformer.wpe.weight.requires_grad_(False)
        first, second = module.transformer.h
        kept = [module.transformer.wpe.weight, first.ln_1.bias, second.ln_1.bias, second.mlp.c_fc.weight]
        before = [one.detach().clone() for one in kept]
        trained = [one for one in module.parameters() if all(one is not other for other in kept)]
        decays = [one for one in trained if one.dim() == 2]
        others = [one for one in trained if all(one is not other for other in decays)]
        optimizer = torch.optim.SGD([{"params": decays, "weight_decay": 0.1}, {"params": others}], lr=0.1)
        with weft.torch.Trainer(module, optimizer, [text()[:2]], model_dir="run", backend="model") as trainer:
            list(trainer.train())
            config = trainer.config
        frozen = ["wpe.weight", "h.*.ln_1.bias", "h.1.mlp.c_fc.weight"]
        self.assertEqual(config["optimizer.frozen_params"], frozen)
        self.assertEqual(config["optimizer.no_decay_params"], ["wpe.weight", "h.1.mlp.c_fc.weight"])
        for one, value in zip(kept, before):
            self.assertTrue(torch.equal(one, value))
        self.assertFalse(torch.equal(module.lm_head.weight, made(NanoGPT).lm_head.weight))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
