"""Networks that modules become: text, configuration and mapping. lowering_test.py build/weft"""

import inspect
import math
import resource
import sys
import unittest

import torch
from lowered import ROOT, compile, tokens
from modules import Custom, HandLayerNorm, NanoGPT
from refused import Model
from torch import nn

CUSTOM_OPERATIONS = """operations:
  - {embed: embedding, tokens: embed.weight, out: residual}
  - block:
      - {norm: norm_a, form: rms, in: residual, out: normed}
      - {linear: attention.qkv, in: normed, out: [q, k, v]}
      - {rotary: attention.rotary, in: [q, k], out: [q, k]}
      - {attention: attention, in: [q, k, v], out: heads}
      - {norm: norm_b, form: rms, in: residual, out: normed}
      - {linear: attention.out, in: heads, add: residual, out: residual}
      - {linear: up, in: normed, out: [up_1, up_2]}
      - {silu: silu, in: up_1, out: silu}
      - {product: product, in: [silu, up_2], out: product}
      - {linear: down, in: product, add: residual, out: residual}
  - {norm: norm, form: rms, in: residual, out: normed}
  - {linear: head, in: normed, out: logits}
  - {loss: loss, in: logits}

keep: [q, k, v, heads, up_1, up_2]
"""


def part(text, first, last="\n\n"):
    """The lines from one that begins with `first` to an empty one, without spaces that align."""
    at = text.index(first)
    found = text[at : text.index(last, at)]
    return [" ".join(line.split()) for line in found.splitlines()]


class Lowering(unittest.TestCase):
    def test_nanogpt_has_the_tensors_of_gpt2(self):
        program = compile(NanoGPT(), (tokens(), tokens()))
        built_in = (ROOT / "sw/network/gpt2.yaml").read_text()
        self.assertEqual(part(program.network, "tensors:"), part(built_in, "tensors:"))
        self.assertEqual(program.config, {
            "model.vocab_size": 96, "model.max_sequence_length": 32, "model.hidden_size": 32,
            "model.num_hidden_layers": 2, "model.num_heads": 4, "model.filter_size": 128,
            "model.share_embedding_weights": True, "model.layer_norm_epsilon": 1e-5,
        })  # fmt: skip

    def test_a_custom_block_becomes_its_operations(self):
        program = compile(Custom(), (tokens(),))
        self.assertTrue(program.network.endswith(CUSTOM_OPERATIONS), program.network)
        self.assertIn("    up.weight: {shape: [hidden, 2 filter], normal: 0.02}\n", program.network)
        self.assertEqual(program.config["model.layer_norm_epsilon"], 1e-6)
        self.assertEqual(program.config["model.rotary_dim"], 8)
        self.assertEqual(program.config["model.filter_size"], 64)
        self.assertEqual(program.mapping["h.1.norm_b.weight"], ("blocks.1.norm_b.scale", "same"))
        self.assertEqual(program.mapping["h.1.down.weight"], ("blocks.1.down.weight", "transposed"))
        self.assertEqual(program.mapping["h.1.attention.qkv.weight"], ("blocks.1.attention.qkv.weight", "reordered"))

    def test_heads_of_one_projection_are_put_next_to_each_other(self):
        module = Custom()
        found = compile(module, (tokens(),)).parameters()["h.0.attention.qkv.weight"]
        matrix = module.blocks[0].attention.qkv.weight.detach().view(4, 3, 8, 32)  # [heads][q, k, v][features][in]
        halves = [0, 4, 1, 5, 2, 6, 3, 7]
        wanted = [matrix[:, 0][:, halves], matrix[:, 1][:, halves], matrix[:, 2]]
        self.assertTrue((torch.cat([one.reshape(32, 32) for one in wanted]).T.numpy() == found).all())

    def test_one_layer_is_a_block_too(self):
        one, two = (compile(NanoGPT(layers=n), (tokens(), tokens())) for n in (1, 2))
        self.assertEqual(one.network, two.network)
        self.assertEqual(one.config["model.num_hidden_layers"], 1)

    def test_layers_that_differ_are_written_one_by_one(self):
        module = NanoGPT()
        module.transformer.h[1].mlp.gelu = nn.ReLU()
        program = compile(module, (tokens(), tokens()))
        self.assertNotIn("block:", program.network)
        self.assertIn("  - {gelu: h.0.mlp.gelu, in: c_fc, out: gelu}\n", program.network)
        self.assertIn("  - {relu: h.1.mlp.gelu, in: c_fc_2, out: relu}\n", program.network)
        self.assertEqual(program.config["model.num_hidden_layers"], 1)

    def test_functions_are_known_by_their_values(self):
        class Function(nn.Module):
            def __init__(self, function):
                super().__init__()
                self.function = function

            def forward(self, x):
                return self.function(x)

        functions = {
            "gelu": lambda x: x / (1 + torch.exp(-2 * 0.79788456 * (x + 0.044715 * x**3))),
            "gelu_erf": nn.functional.gelu,
            "silu": lambda x: x / (1 + torch.exp(-x)),
            "relu": lambda x: (x + x.abs()) / 2,
            "tanh": lambda x: 2 * torch.sigmoid(2 * x) - 1,
            "scale": lambda x: (x + x) / 8,
        }
        for name, function in functions.items():
            module = NanoGPT(layers=1)
            module.transformer.h[0].mlp.gelu = Function(function)
            constant = ", by: 0.25" if name == "scale" else ""
            self.assertIn(
                f"{{{name}: mlp.gelu, in: c_fc{constant}, out: {name}}}", compile(module, (tokens(), tokens())).network
            )

    def test_einsum_makes_the_same_attention(self):
        class Einsum(Model):
            def attend(self, x):
                q, k, v = (one(x).view(*x.shape[:2], 2, -1) for one in (self.q, self.k, self.v))
                scores = self.weights(torch.einsum("bthd,bshd->bhts", q, k) * q.shape[-1] ** -0.5)
                return self.o(torch.einsum("bhts,bshd->bthd", scores, v).reshape(x.shape))

        one, other = (compile(kind(), (tokens(2, 8, 24),), name="same").network for kind in (Model, Einsum))
        self.assertEqual(one.split("\n")[1:], other.split("\n")[1:])
        self.assertIn("{attention: attention, in: [q, k, v], out: heads}", one)

    def test_layers_of_pytorch_become_their_operations(self):
        class Encoder(nn.Module):
            def __init__(self):
                super().__init__()
                self.embed, self.positions = nn.Embedding(24, 16), nn.Parameter(torch.zeros(1, 8, 16))
                layer = nn.TransformerEncoderLayer(16, 2, 32, 0.0, norm_first=True, batch_first=True)
                self.layers = nn.TransformerEncoder(layer, 3)
                self.norm, self.head = nn.LayerNorm(16), nn.Linear(16, 24)

            def forward(self, ids):
                later = torch.full((ids.shape[1], ids.shape[1]), -math.inf).triu(1)
                known = "is_causal" in inspect.signature(self.layers.forward).parameters  # else it looks at the mask
                causal = {"is_causal": True} if known else {}
                x = self.layers(self.embed(ids) + self.positions[:, : ids.shape[1]], mask=later, **causal)
                return self.head(self.norm(x))

        program = compile(Encoder(), (tokens(2, 6, 24),))
        self.assertEqual(program.config["model.num_hidden_layers"], 3)
        self.assertEqual(program.config["model.max_sequence_length"], 8)
        self.assertIn("      - {linear: self_attn.in_proj_weight, in: normed, out: [q, k, v]}\n", program.network)
        self.assertIn("      - {relu: relu, in: linear1, out: relu}\n", program.network)
        self.assertEqual(
            program.mapping["h.2.self_attn.in_proj_weight.bias"], ("layers.layers.2.self_attn.in_proj_bias", "same")
        )

    def test_a_module_without_positions_has_the_length_of_the_example(self):
        self.assertEqual(compile(Custom(), (tokens(2, 12),)).config["model.max_sequence_length"], 12)

    def test_untied_and_frozen_parameters_stay_so(self):
        module = NanoGPT(norm=HandLayerNorm)
        module.lm_head = nn.Linear(32, 96)
        module.transformer.wpe.weight.requires_grad_(False)
        program = compile(module, (tokens(), tokens()))
        self.assertNotIn("model.share_embedding_weights", program.config)
        self.assertEqual(program.config["optimizer.frozen_params"], ["wpe.weight"])
        self.assertEqual(program.mapping["lm_head.weight"], ("lm_head.weight", "same"))
        self.assertEqual(program.mapping["lm_head.bias"], ("lm_head.bias", "same"))

    def test_print_shows_graph_mapping_and_that_cost_needs_weft(self):
        import os

        os.environ["WEFT"] = "no_such_program"
        text = str(compile(NanoGPT(), (tokens(), tokens())))
        self.assertRegex(
            text, r"\{gelu: mlp\.gelu, in: c_fc, out: gelu\} +transformer\.h\.0\.mlp\.gelu, .*modules\.py:12\n"
        )
        self.assertIn("  h.0.mlp.c_fc.weight     transformer.h.0.mlp.c_fc.weight, transposed\n", text)
        self.assertIn("cost: there is no program no_such_program. HINT: set WEFT to its path.", text)

    def test_lowering_keeps_no_numbers_of_a_parameter_s_elements(self):
        module = NanoGPT(width=512, filter_size=2048, layers=4)  # 12.6 million elements
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        program = compile(module, (tokens(), tokens()))
        used = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        print(f"peak memory: {used:.0f} MB more")
        self.assertLess(used, 50)  # a number of 32 bits for each element
        self.assertEqual(program.mapping["h.3.mlp.c_fc.weight"][1], "transposed")

    def test_the_flat_vector_has_the_parameters_in_order(self):
        module = NanoGPT()
        program = compile(module, (tokens(), tokens()))
        self.assertEqual(len(program.flat()), sum(one.numel() for one in module.parameters()))
        names = list(program.mapping)
        self.assertEqual(
            names[:3] + names[-2:], ["wte.weight", "wpe.weight", "h.0.ln_1.weight", "ln_f.weight", "ln_f.bias"]
        )


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
