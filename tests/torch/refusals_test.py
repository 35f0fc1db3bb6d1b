"""Modules that cannot become a network are refused by name and line. refusals_test.py build/weft"""

import inspect
import sys
import tempfile
import unittest

import modules
import refused
import refused_uses
import torch
from lowered import Refusal, compile, tokens, weft

IDS = tokens(2, 8, 24)
CASES = {  # class: name of the module, pattern of the problem, pattern of the hint
    refused.Softplus: (
        "function",
        "softplus is not an operation of a network",
        "use relu, the nearest of them, or gelu",
    ),
    refused.Convolution: (
        "mix",
        "conv1d is not an operation of a network|convolution is not an operation of a network",
        "network.md",
    ),
    refused.Window: ("Window", "a token does not attend to all earlier ones", "mask later tokens alone"),
    refused.WrongScale: ("WrongScale", r"scores are multiplied by 0\.25", r"1/sqrt\(8\), 0\.353553"),
    refused.WrongBase: ("WrongBase", "changes with the position, but not as a rotation with base 10000", "base 10000"),
    refused.SharedKeys: ("SharedKeys", "2 heads of queries share 1 of keys", "use 2 heads of keys"),
    refused.NormedDropout: ("NormedDropout", "computes with its weights after a dropout", "drop weights last"),
    refused.AddedNorm: ("AddedNorm", r"adds the output of a norm \(norm\)", "norms at the start of a branch"),
    refused.MiddleToken: ("MiddleToken", "label t is not compared with the logits", "the first token of each sequence"),
    refused.ProjectedSegments: ("norm_2", "reads an embedding of segments alone", "add it to the embedding of the token ids"),
    refused.Sinusoids: ("Sinusoids", "its positions are constants", "nn.Embedding of positions"),
    refused.TwoEpsilons: ("norm_2", "has an epsilon of 0.001, and norm 1e-05", "use 1e-05 everywhere"),
    refused.LayerScale: ("LayerScale", "the parameter gamma multiplies a value", "linear layers, norms and embeddings"),
    refused.Recurrent: ("cell", "GRU is recurrent, and no operation of a network", "use attention"),
    refused.Branches: ("Branches", "its control flow depends on values", "the same operations for all inputs"),
    refused.Masked: ("Masked", "mul computes with the values of input attention_mask", "no other inputs"),
    refused.Unused: ("spare", "the parameter spare.weight is not used", "remove it"),
    refused.Shared: (
        "[kv]",
        "the parameter k.weight is (used twice|also used by k)",
        "call a module with parameters once",
    ),
    refused.Summed: ("Summed", "weights labels, sums over them", "use the mean"),
    refused.ReadTwice: ("ReadTwice", "the parameter bias is added", "linear layers, norms and embeddings"),
    refused.StraightThrough: ("StraightThrough", "detach stops the gradient", "leave it out"),
    refused.Rounded: ("Rounded", "(to|_to_copy) is not an operation of a network|long is not", "nearest"),
    refused.Noise: ("Noise", "draws random numbers", "inputs and parameters alone"),
    refused.NoHead: ("NoHead", "logits are not computed from token ids by an embedding and a linear", "nn.Linear"),
    refused.LastTokenAlone: ("lm_head", "logits of 2 of 16 tokens", "targets as second input"),
    refused_uses.MaskOfQueries: ("MaskOfQueries", "does not hide the tokens that mask marks", "from all queries"),
    refused_uses.HalfMasked: ("HalfMasked", "attention sees the tokens that mask hides elsewhere", "the same mask"),
    refused_uses.WeightedLosses: ("WeightedLosses", "mul changes a loss", "the sum of a cross-entropy of classes"),
    refused_uses.TwoOfClasses: ("TwoOfClasses", "adds the losses class_loss and class_loss", "one of the tokens"),
    refused_uses.Penalty: ("Penalty", "add changes a loss", "return one loss"),
    refused_uses.MeanOfTokens: ("MeanOfTokens", "mean joins the tokens of a sequence", "attention alone"),
    refused_uses.AbsoluteError: ("AbsoluteError", "a number, but no cross-entropy or squared error", "F.mse_loss"),
    refused_uses.OwnGradient: ("OwnGradient", "Doubled has a gradient of its own", "PyTorch's operations"),
    refused_uses.WithoutGradient: ("embed", r"no_grad\(\) stops the gradient", r"requires_grad_\(False\)"),
    refused_uses.SetInPlace: ("SetInPlace", "changes a part of a value in place", "torch.where"),
    refused_uses.ParameterInPlace: ("ParameterInPlace", "changes the parameter down.weight in place", "a new value"),
    refused_uses.Joined: ("join", "its input joins features of 2 values", "a linear layer of its own"),
    refused_uses.Shifted: ("Shifted", "its two inputs are of different tokens", "attention alone"),
    refused_uses.Running: ("Running", "cumsum is not an operation of a network", "network.md"),
    refused_uses.Bag: ("bag", "embedding_bag computes with the values of input ids", "token ids in an embedding"),
    refused_uses.Turned: ("Turned", "view_as_complex is not an operation of a network", "network.md"),
    refused_uses.Largest: ("Largest", "max joins the tokens of a sequence", "attention alone"),
    refused_uses.Item: ("Item", "its control flow depends on values", "the same operations for all inputs"),
    refused_uses.Features: ("project", "computes with the values of input features", "no other inputs"),
    refused_uses.ManyKinds: ("kinds", "one of 257 rows, and a further input has at most 256", "torch.arange"),
    refused_uses.TwoStreams: ("embed", "others is a second stream of tokens", "one stream of token ids"),
}
SECOND = {
    refused.Masked: torch.ones(2, 8),
    refused.Summed: IDS,
    refused.MiddleToken: torch.tensor([0, 1]),
    refused.ProjectedSegments: IDS % 2,
    refused_uses.MaskOfQueries: torch.ones(2, 8),
    refused_uses.HalfMasked: torch.ones(2, 8),
    refused_uses.Penalty: IDS,
    refused_uses.MeanOfTokens: torch.tensor([0, 1]),
    refused_uses.AbsoluteError: IDS / 10,
    refused_uses.Features: torch.ones(2, 8, 3),
    refused_uses.TwoStreams: IDS.flip(1),
    refused_uses.ManyKinds: IDS,
}
LOSSES = {refused_uses.WeightedLosses, refused_uses.TwoOfClasses}  # with labels of two losses


def marked(kind):
    """File and line of the mark in a class, or in the class that it extends."""
    for one in kind.__mro__:
        if one.__module__ not in ("refused", "refused_uses", "modules"):
            break
        lines, first = inspect.getsourcelines(one)
        for n, line in enumerate(lines):
            if line.rstrip().endswith("# refused"):
                return f"{inspect.getsourcefile(one)}:{first + n}"
    return ""


class Refusals(unittest.TestCase):
    def test_each_module_is_refused_by_name_and_line(self):
        self.assertGreaterEqual(len(CASES), 10)
        for kind, (name, problem, hint) in CASES.items():
            with self.subTest(kind.__name__):
                example = (IDS, SECOND[kind]) if kind in SECOND else (IDS,)
                example += (IDS % 5, IDS % 5) if kind in LOSSES else ()
                with self.assertRaises(Refusal) as raised:
                    compile(kind(), example)
                found = raised.exception
                print(found)
                self.assertRegex(found.subject, f"^{name}$")
                self.assertEqual(found.place, marked(kind))
                self.assertRegex(found.problem, problem)
                self.assertRegex(found.hint, hint)
                place = f"{found.place}: " if found.place else ""
                self.assertEqual(str(found), f"{place}{found.subject}: {found.problem}. HINT: {found.hint}.")

    def test_the_module_that_they_change_is_accepted(self):
        self.assertIn("{relu: relu, in: mid, out: relu}", compile(refused.Model(), (IDS,)).network)
        self.assertIn("{relu: relu, in: mid, out: relu}", compile(refused.WeightsDropout().eval(), (IDS,)).network)
        self.assertIn(", causal: false, out: heads}", compile(refused.NotCausal(), (IDS,)).network)
        self.assertIn("add: normed, out: residual}", compile(refused.PostNorm(), (IDS,)).network)
        given = compile(refused_uses.GivenPositions(), (IDS, IDS % 8)).network
        self.assertIn("{embed: embedding, tokens: embed.weight, segments: positions.weight, out: residual}", given)
        in_place = compile(refused.InPlace(), (IDS,)).network
        self.assertIn("{scale: scale, in: mid, by: 2, out: scale}\n  - {relu: relu, in: scale, out: relu}", in_place)
        self.assertIn("in: [q, k, v], out: heads}", in_place)  # causal

    def test_dropout_of_embeddings_branches_functions_and_weights_is_lowered(self):
        network = compile(refused.Dropout(), (IDS,)).network
        for line in (
            "{dropout: drop_start, in: residual, p: 0.3, out: residual}",
            "{dropout: drop_out, in: o, p: 0.2, add: residual, out: residual}",
            "{dropout: drop, in: relu, p: 0.1, out: relu}",
        ):
            self.assertIn(line, network)
        self.assertNotIn("{dropout:", compile(refused.Dropout().eval(), (IDS,)).network)
        self.assertIn("in: [q, k, v], p: 0.1, out: heads}", compile(refused.WeightsDropout(), (IDS,)).network)
        self.assertNotIn("p: 0.1", compile(refused.WeightsDropout().eval(), (IDS,)).network)
        if hasattr(torch.nn.functional, "scaled_dot_product_attention"):
            self.assertIn("in: [q, k, v], p: 0.2, out: heads}", compile(refused.FlashDropout(), (IDS,)).network)
        after_norms = compile(refused.PostNormDropout(), (IDS,))
        self.assertIn("{dropout: drop, in: normed, p: 0.25, out: normed}", after_norms.network)
        self.assertIn("in: down, p: 0.25, add: normed, out: residual}", after_norms.network)
        with tempfile.TemporaryDirectory() as folder:  # rules of networks hold
            after_norms.save(folder)
            self.assertIn("drop.dx", weft("run", "--params", f"{folder}/params.yaml", "--mode", "compile_only"))

    def test_an_example_that_does_not_fit_is_refused(self):
        cases = {
            (IDS.float(),): "no tensor of token ids",
            (IDS[:, :1],): "the example has one token",
            (IDS, IDS, IDS): "forward cannot be called with the example",
        }
        for example, problem in cases.items():
            with self.assertRaisesRegex(Refusal, problem):
                compile(modules.NanoGPT(), example)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
