"""The interface of the papers, as printed: compat_test.py build/weft, with WEFT_PACKAGE.

Both listings have one place that Python cannot parse, an ellipsis behind a keyword and a mistaken quotation mark. These
two are mended here, and nothing else."""

import os
import pathlib
import sys
import tempfile
import textwrap
import types
import unittest

import torch
from lowered import Refusal
from modules import Custom, NanoGPT
from training_test import groups, loss_of, made, text

import weft
import weft.compat.cerebras

PYTORCH = """
import torch
import cerebras.framework.torch as cbtorch

cbtorch.initialize(
    cs_ip=cs_ip,
    )

model = cbtorch.module(model_fn( ))
dataloader = cbtorch.dataloader(data_fn())
optimizer = cbtorch.optimizer(optimizer)

with cbtorch.Session(data_loader, modes.TRAIN):
    super().train(data_loader)
with cbtorch.Session(data_loader, modes.EVAL):
    super().evaluate(data_loader)
"""
TENSORFLOW = """
from cerebras.tf.cs_estimator import CerebrasEstimator
from cerebras.tf.run_config import CSRunConfig

est_config = CSRunConfig(
    cs_ip=params["cs_ip"],
    cs_config=cs_config,
)
est = CerebrasEstimator(
    model_fn=model_fn,
    model_dir='./out',
    config=est_config,
    params=params,
    use_cs=True
)
est.train(input_fn, max_steps=100000, use_cs=True)
"""
# Ten lines around the first listing: the loop of a PyTorch program.
AROUND = """
class Loop:
    def __init__(self, model, optimizer):
        self.model, self.optimizer, self.losses = model, optimizer, []
    def train(self, data):
        for x, y in data:
            self.optimizer.zero_grad(), self.evaluate([(x, y)]), self.loss.backward(), self.optimizer.step()
    def evaluate(self, data):
        for x, y in data:
            self.loss = self.model(x, y)[1]
            self.losses.append(self.loss.item())
"""
IN_METHOD = """
class Run(Loop):
    def run(self, cs_ip, modes, model_fn, data_fn, optimizer, data_loader):
LISTING
        return model
"""


class Compat(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="weft_torch_")
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        self.data = [(text()[n : n + 4, :-1], text()[n : n + 4, 1:].contiguous()) for n in (0, 4)]

    def test_the_listing_for_pytorch_runs(self):
        from cerebras.framework.torch import modes

        module, eager = made(NanoGPT, layers=1), made(NanoGPT, layers=1)
        optimizer = torch.optim.SGD(module.parameters(), lr=0.5)
        names = {}
        exec(AROUND + IN_METHOD.replace("LISTING", textwrap.indent(PYTORCH, 8 * " ")), names)
        run = names["Run"](module, optimizer)
        model = run.run("10.1.2.3", modes, lambda: module, lambda: self.data, optimizer, self.data)
        theirs = names["Loop"](eager, torch.optim.SGD(eager.parameters(), lr=0.5))
        theirs.train(self.data)
        with torch.no_grad():
            theirs.evaluate(self.data)
        self.assertEqual(len(run.losses), 4)
        self.assertLess(max(abs(a - b) for a, b in zip(run.losses, theirs.losses)), 0.01)
        self.assertNotEqual(run.losses, theirs.losses)  # those of bf16
        self.assertLess(run.losses[2], run.losses[0] - 0.01)
        self.assertIs(model, module)
        self.assertFalse(run.loss.requires_grad)  # of the last session
        self.assertEqual(model(*self.data[0])[0].shape, (4, 16, 96))  # after the sessions, PyTorch
        self.assertEqual(list(module.state_dict()), list(eager.state_dict()))

    def test_the_listing_for_tensorflow_runs_with_a_module(self):
        def model_fn(features, labels, mode, params):
            module = made(Custom)
            return module, torch.optim.AdamW(groups(module), lr=params["rate"])

        params = {"cs_ip": "10.1.2.3", "rate": 0.01}
        names = dict(params=params, cs_config={"num_csx": 2}, model_fn=model_fn, input_fn=lambda params: self.data)
        exec(TENSORFLOW, names)
        est = names["est"]
        last = weft.load("out/checkpoint_2.safetensors")  # the end of the data
        weight = est.model.blocks[0].down.weight
        self.assertTrue((weight.T.detach().numpy() == last["h.0.down.weight"]).all())
        found = est.evaluate(lambda: self.data)
        theirs = est.evaluate(lambda: self.data, use_cs=False)
        self.assertEqual(found["global_step"], 2)
        self.assertAlmostEqual(found["loss"], theirs["loss"], delta=0.01)
        est.train(lambda: self.data, max_steps=3)
        self.assertTrue(pathlib.Path("out/checkpoint_3.safetensors").exists())
        est.train(lambda: self.data, max_steps=3)  # nothing is left
        self.assertFalse(pathlib.Path("out/checkpoint_4.safetensors").exists())

    def test_use_cs_false_is_pytorch(self):
        from cerebras.tf.cs_estimator import CerebrasEstimator

        module, eager = made(NanoGPT, layers=1), made(NanoGPT, layers=1)
        est = CerebrasEstimator(lambda: module, params={"learning_rate": 0.01}, use_cs=False)
        est.train(lambda: self.data, steps=1)
        optimizer = torch.optim.AdamW(eager.parameters(), lr=0.01, weight_decay=0.0)
        loss_of(eager, *self.data[0]).backward()
        optimizer.step()
        self.assertTrue(torch.equal(module.lm_head.weight, eager.lm_head.weight))
        self.assertFalse(pathlib.Path("model_dir").exists())

    def test_a_graph_of_tensorflow_is_refused(self):
        from cerebras.tf.cs_estimator import CerebrasEstimator

        kind = type("Spec", (), {"__module__": "tensorflow.python.estimator"})

        def needs(features, labels, mode, params):
            import tensorflow.not_installed  # noqa: F401

        for model_fn in (lambda features, labels, mode, params: kind(), needs):
            with self.assertRaises(weft.Error) as error:
                CerebrasEstimator(model_fn).train(lambda: self.data, max_steps=1)
            self.assertEqual(
                str(error.exception),
                "CerebrasEstimator: model_fn makes a graph of TensorFlow, which Weft does not read. HINT: return an "
                "nn.Module of PyTorch, or a pair of it and an optimizer of torch.optim.",
            )
        with self.assertRaisesRegex(Refusal, "model_fn returned a int"):
            CerebrasEstimator(lambda: 3).train(lambda: self.data)
        with self.assertRaisesRegex(Refusal, "there is no optimizer"):
            CerebrasEstimator(lambda: made(Custom)).train(lambda: self.data)

    def test_wrong_arguments_are_refused_by_name(self):
        import cerebras.framework.torch as cbtorch

        for call, problem in {
            lambda: cbtorch.module(3): "cbtorch.module: got a int",
            lambda: cbtorch.optimizer(3): "cbtorch.optimizer: got a int",
            lambda: cbtorch.dataloader(3): "cbtorch.dataloader: got a int",
            lambda: cbtorch.Session([], "train"): "cbtorch.Session: train is no mode",
        }.items():
            with self.assertRaisesRegex(Refusal, problem):
                call()

    def test_weft_ships_no_package_of_that_name(self):
        root = pathlib.Path(weft.__file__).parent.parent
        self.assertEqual([one for one in root.iterdir() if one.name.startswith("cerebras")], [])
        other = types.ModuleType("cerebras")
        before = sys.modules["cerebras"]
        sys.modules["cerebras"] = other
        try:
            pathlib.Path("cerebras.py").write_text("")
            sys.path.insert(0, os.getcwd())
            del sys.modules["cerebras"]
            with self.assertRaisesRegex(weft.Error, "cerebras: a package of this name is installed"):
                weft.compat.cerebras._register()
        finally:
            sys.path.remove(os.getcwd())
            sys.modules["cerebras"] = before


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
