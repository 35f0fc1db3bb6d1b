"""Lowered modules in runs of weft: state hashes, logits, and weights that come back. runs_test.py build/weft"""

import json
import pathlib
import sys
import tempfile
import unittest

import torch
import transformers
from lowered import ROOT, WEFT, Refusal, compile, tokens, weft
from modules import Custom, HandLayerNorm, NanoGPT
from safetensors.numpy import load_file
from torch import nn

TINY = ROOT / "configs/gpt_tiny.yaml"


def gpt2():
    torch.manual_seed(1)
    keys = dict(vocab_size=96, n_positions=32, n_embd=32, n_layer=2, n_head=4, bos_token_id=0, eos_token_id=0)
    return transformers.GPT2LMHeadModel(transformers.GPT2Config(**keys)).eval()


def nano_of(theirs, **keys):
    """A nanoGPT with the weights of a GPT2LMHeadModel."""
    ours, state = NanoGPT(**keys), theirs.state_dict()
    with torch.no_grad():
        for name, parameter in ours.named_parameters():
            value = state[name.replace("gamma", "weight").replace("beta", "bias")]
            matrix = any(part in name for part in ("c_attn.weight", "c_proj.weight", "c_fc.weight"))
            parameter.copy_(value.T if matrix else value)
    return ours


class Runs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="weft_torch_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def hashes(self, name, *words):
        """State hashes of two steps with the settings of gpt_tiny."""
        run = self.folder / name
        weft("run", "--params", TINY, "--backend", "model", "--num_steps", 2, "--model_dir", run, *words)
        return [json.loads(line)["state_hash"] for line in (run / "metrics.jsonl").read_text().splitlines()]

    def start(self, program, name):
        """Saves a program; the words that start a run of gpt_tiny from it."""
        folder = self.folder / name
        program.save(folder)
        return ["--model.network", folder / "network.yaml", "--checkpoint_path", folder / "start.safetensors"]

    def test_gpt2_and_nanogpt_have_the_hashes_of_the_built_in_network(self):
        theirs = gpt2()
        theirs.save_pretrained(self.folder / "theirs", safe_serialization=True)
        wanted = self.hashes("built_in", "--checkpoint_path", self.folder / "theirs")
        self.assertEqual(len(set(wanted)), 2)
        modules = {
            "gpt2": (theirs, (tokens(),)),
            "nano": (nano_of(theirs), (tokens(), tokens())),
            "nano_by_hand": (nano_of(theirs, norm=HandLayerNorm), dict(idx=tokens(3, 32), targets=tokens(3, 32))),
        }
        if hasattr(nn.functional, "scaled_dot_product_attention"):
            modules["nano_flash"] = nano_of(theirs, flash=True), (tokens(), tokens())
        for name, (module, example) in modules.items():
            with self.subTest(name):
                program = compile(module, example)
                self.assertEqual(self.hashes(name, *self.start(program, f"{name}_program")), wanted)

    def compare_logits(self, **keys):
        """Lowers a module with random weights; compares what it predicts in weft and in PyTorch."""
        torch.manual_seed(2)
        module = Custom(**keys)
        with torch.no_grad():
            for parameter in module.parameters():
                parameter.add_(0.2 * torch.randn(parameter.shape))
        program = compile(module, (tokens(1, 32),))
        program.check(WEFT)
        program.save(self.folder / "custom", ROOT / "configs/corpus.txt")
        file = self.folder / "logits.safetensors"
        words = ["--mode", "eval", "--logits", file, "--backend", "model", "--runconfig.eval_steps", 1]
        words += ["--eval_input.data_dir", ROOT / "configs/corpus.txt", "--eval_input.batch_size", 4]
        weft("run", "--params", self.folder / "custom/params.yaml", *words)
        found = {name: torch.from_numpy(array) for name, array in load_file(file).items()}
        with torch.no_grad():
            theirs = module(found["tokens"].long())["logits"].double().log_softmax(-1)
        ours = found["logits"].double().log_softmax(-1)
        kl = (theirs.exp() * (theirs - ours)).sum(-1).mean().item()
        flat = (theirs.exp() * (theirs - theirs.mean((0, 1)))).sum(-1).mean().item()
        print(f"KL {kl:.2e}, of the mean prediction {flat:.2e}")
        self.assertLess(kl, 1e-3)
        self.assertGreater(flat, 0.1)  # predictions depend on the tokens

    def test_parallel_branches_have_the_logits_of_pytorch(self):
        self.compare_logits(norm=HandLayerNorm, gated=False)

    def test_a_custom_block_has_the_logits_of_pytorch_and_the_same_hashes_on_three_wafers(self):
        self.compare_logits()
        words = ["--params", self.folder / "custom/params.yaml", "--backend", "model", "--num_steps", 2]
        hashes = []
        for wafers in (1, 3):
            run = self.folder / f"run_{wafers}"
            weft("run", *words, "--model_dir", run, "--num_csx", wafers)
            hashes.append([json.loads(line)["state_hash"] for line in (run / "metrics.jsonl").read_text().splitlines()])
        self.assertEqual(hashes[0], hashes[1])

    def test_weights_come_back_from_a_checkpoint(self):
        module = nano_of(gpt2())
        program = compile(module, (tokens(), tokens()))
        self.hashes("run", *self.start(program, "program"))
        trained = load_file(self.folder / "run/checkpoint_2.safetensors")
        before = module.transformer.h[1].mlp.c_fc.weight.clone()
        program.load(trained)
        after = module.transformer.h[1].mlp.c_fc.weight
        self.assertFalse(torch.equal(before, after))
        self.assertTrue(torch.equal(after.T, torch.from_numpy(trained["h.1.mlp.c_fc.weight"])))
        for name, array in program.parameters().items():
            self.assertTrue((array == trained[name]).all(), name)
        self.assertIs(module.lm_head.weight, module.transformer.wte.weight)

    def test_a_rule_of_networks_names_the_line_of_the_module(self):
        program = compile(NanoGPT(length=24), (tokens(), tokens()))
        costs = {one["name"]: one["value"] for one in program.cost(WEFT) if "name" in one}
        self.assertEqual(costs["parameters"], len(program.flat()))
        program.network = program.network.replace("out: gelu}", "out: c_fc}")
        with self.assertRaises(Refusal) as raised:
            program.check(WEFT)
        self.assertRegex(
            str(raised.exception),
            r"modules\.py:\d+: transformer\.h\.0\.mlp\.gelu: .*makes c_fc in the place of its input.* HINT: ",
        )


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
