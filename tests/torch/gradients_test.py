"""Gradients from the wafer in a PyTorch program. gradients_test.py build/weft, with WEFT_PACKAGE."""

import sys
import unittest

import torch
from lowered import Refusal, compile
from modules import Custom, NanoGPT
from training_test import loss_of, made, text

import weft

X, Y = text()[:6, :-1], text()[:6, 1:].clone()
Y[1, 3:7] = -100  # labels that do not count


def gradients(module):
    return {name: one.grad.clone() for name, one in module.named_parameters()}


def program_of(module, **flags):
    example = (X, Y.clamp(min=0).contiguous()) if isinstance(module, NanoGPT) else (X,)
    return compile(module, example, backend="model", **flags)


class Gradients(unittest.TestCase):
    def compare(self, kind):
        module = made(kind)
        with torch.no_grad():
            for parameter in module.parameters():
                parameter.add_(0.05 * torch.randn(parameter.shape, generator=torch.Generator().manual_seed(5)))
        theirs = loss_of(module, X, Y)
        theirs.backward()
        wanted = gradients(module)
        found = []
        for wafers in (1, 3):
            module.zero_grad()
            loss = program_of(module, num_csx=wafers)(X, Y)
            loss.backward()
            found.append((loss, gradients(module)))
        self.assertAlmostEqual(found[0][0].item(), theirs.item(), delta=0.005)
        self.assertEqual(found[0][0].item(), found[1][0].item())
        worst = 0
        for name, gradient in found[0][1].items():
            self.assertTrue(torch.equal(gradient, found[1][1][name]), name)
            worst = max(worst, ((gradient - wanted[name]).norm() / wanted[name].norm()).item())
        print(f"{kind.__name__}: largest relative error of a parameter's gradient {worst:.4f}")
        self.assertLess(worst, 0.03)

    def test_gradients_of_nanogpt_are_those_of_pytorch_and_the_same_from_three_wafers(self):
        self.compare(NanoGPT)

    def test_gradients_of_a_custom_block_are_those_of_pytorch_and_the_same_from_three_wafers(self):
        self.compare(Custom)

    def test_the_users_optimizer_trains_with_them(self):
        module, eager = made(NanoGPT), made(NanoGPT)
        program = program_of(module)
        mine, theirs = ([], []), ([], [])
        for one, loss_on, losses in (
            (module, program, mine[0]),
            (eager, lambda x, y: loss_of(eager, x, y), theirs[0]),
        ):
            optimizer = torch.optim.Adagrad(one.parameters(), lr=0.02)  # which MemoryX has not
            for _ in range(4):
                optimizer.zero_grad()
                loss = loss_on(X, Y)
                (2 * loss).backward()
                torch.nn.utils.clip_grad_norm_(one.parameters(), 1.0)
                optimizer.step()
                losses.append(loss.item())
        self.assertLess(max(abs(a - b) for a, b in zip(mine[0], theirs[0])), 0.02)
        self.assertLess(mine[0][-1], mine[0][0] - 0.3)

    def test_gradients_accumulate_and_short_batches_count_their_tokens(self):
        module = made(NanoGPT, layers=1)
        program = program_of(module)
        program(X, Y).backward()
        whole = gradients(module)
        program(X, Y).backward()
        for name, gradient in gradients(module).items():
            self.assertTrue(torch.equal(gradient, 2 * whole[name]), name)
        module.zero_grad()
        count = (Y >= 0).sum()
        for part in (slice(0, 4), slice(4, 6)):
            (program(X[part], Y[part]) * (Y[part] >= 0).sum() / count).backward()
        for name, gradient in gradients(module).items():
            self.assertLess((gradient - whole[name]).norm(), 0.01 * whole[name].norm(), name)

    def test_print_shows_graph_mapping_and_cost(self):
        program = program_of(made(NanoGPT))
        shown = str(program)
        self.assertRegex(shown, r"(?m)^graph\n  \{embed: embedding, tokens: wte.weight, .*modules\.py:[0-9]+$")
        self.assertRegex(shown, r"(?m)^mapping\n  wte\.weight +transformer\.wte\.weight$")
        self.assertRegex(shown, rf"(?m)^cost\n  parameters +{len(program.flat()):,}$")
        self.assertRegex(shown, r"(?m)^  cycles of a wafer +[0-9,]{5,}")
        self.assertEqual(weft.compile_only("gpt_tiny.yaml")[0]["name"], program.cost()[0]["name"])

    def test_without_gradients_the_loss_takes_the_forward_pass_alone(self):
        module = made(Custom)
        module.embed.weight.requires_grad_(False)
        program = program_of(module)
        with torch.no_grad():
            loss = program(X, Y)
        self.assertFalse(loss.requires_grad)
        again = program(X, Y)
        self.assertEqual(loss.item(), again.item())
        again.backward()
        self.assertIsNone(module.embed.weight.grad)
        self.assertGreater(module.head.weight.grad.norm(), 0)

    def test_a_wrong_batch_is_refused_and_the_program_still_works(self):
        program = program_of(made(NanoGPT, layers=1))
        for batch, problem in {
            (X[:, :8], Y): "inputs are a tensor of the shape",
            (torch.zeros(2, 40, dtype=torch.long),): "a sequence has 39 tokens, the network 32",
            (X + 96, Y): "has the input [0-9]+, but the vocabulary has 96 tokens",
            (X, torch.full_like(Y, -1)): "has no label that counts",
        }.items():
            with self.assertRaisesRegex(Refusal.__mro__[1], problem):
                program(*batch)
        self.assertGreater(program(X, Y).item(), 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
