"""A lowered module: network, weights and configuration, and what `weft` reports about them."""

import json
import os
import re
import subprocess
import tempfile

import numpy
import torch

from .autograd import Loss, Wafers
from .batches import Form
from .errors import Refusal
from .network_text import operation_text
from .weights import Weights

# Settings for training that save() writes; keys on the command line replace them.
_TRAINING = """train_input:
  data_dir: {data}
  batch_size: 16
  micro_batch_size: 4
  shuffle: true

optimizer:
  optimizer_type: AdamW
  weight_decay: 0.1
  max_gradient_norm: 1.0
  learning_rate: 1.0e-3

wafer:
  rows: 4
  cols: 4
  sram_kib: 48
"""


class Failed(Exception):
    """The message of a compilation."""

    def __init__(self, text):
        super().__init__(text)
        self.text = text


def _cost_of(weft, params, words):
    """The output of the program `weft`."""
    done = subprocess.run(
        [weft, "run", "--params", params, "--mode", "compile_only", "--json", *map(str, words)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise Failed(done.stderr.strip())
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def _short(place):
    """A path relative to the current folder, if it is below."""
    here = os.getcwd() + os.sep
    return place[len(here) :] if place.startswith(here) else place


class Program:
    def __init__(self, module, name, network, config, tensors, operations, places, ignored):
        self.module, self.name, self.network, self.config = module, name, network, config
        self.operations, self.ignored = operations, ignored
        self.overrides, self.flags = {}, {}  # of calls
        self.output, self.is_logits = "output", False  # the module's output that is computed
        self.form = Form()  # of batches
        self._wafers = None  # of the last call
        self._places = places  # by line of the network
        self._weights = Weights(module, tensors)

    @property
    def mapping(self):
        """For each tensor of the network: the module's parameter, and how its elements move."""
        return {name: (tensor.parameter, tensor.move) for name, tensor in self._weights.tensors}

    @property
    def tensors(self):
        """(name, Tensor) in the order of the flat parameter vector."""
        return self._weights.tensors

    def shape(self, name):
        """Sizes of a tensor of the network."""
        return dict(self._weights.tensors)[name].size

    def parameters(self):
        return self._weights.values()

    def flat(self):
        return self._weights.flat()

    def load(self, tensors):
        self._weights.load(tensors)

    def __call__(self, inputs, labels=None):
        """The loss of a batch, computed on wafers: backward() of it fills `.grad` of the module's parameters."""
        inputs, labels = self.form.split(inputs if labels is None else (inputs, labels))
        names = list(dict.fromkeys(tensor.parameter for _, tensor in self.tensors))
        parameters = [self.module.get_parameter(name) for name in names]
        backward = torch.is_grad_enabled() and any(one.requires_grad for one in parameters)
        if self._wafers is None or len(inputs) > self._wafers.padded.sequences:
            self._wafers = Wafers(self, len(inputs), self.overrides, self.flags)
        return Loss.apply(self, self._wafers, inputs, labels, backward, names, *parameters)

    def in_output(self, loss):
        """The module's output, with the loss in its place, and None for other parts, which are not computed."""
        name, _, below = self.output.partition(".")
        if below or self.output == "output" or self.is_logits:
            return loss
        names = [name, *(one.partition(".")[0] for one in self.ignored)]
        if not name.isdigit():
            return {**dict.fromkeys(names), name: loss}
        parts = [None] * (1 + max(map(int, names)))
        parts[int(name)] = loss
        return tuple(parts)

    def save(self, folder, data="corpus.txt"):
        """Writes network.yaml, params.yaml and start.safetensors."""
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "network.yaml"), "w", encoding="utf-8") as file:
            file.write(self.network)
        self._weights.save(os.path.join(folder, "start.safetensors"))
        config = {**self.config, "model.network": "network.yaml", "runconfig.checkpoint_path": "start.safetensors"}
        sections = {}
        for key, value in config.items():
            section, _, name = key.partition(".")
            sections.setdefault(section, []).append(f"  {name}: {json.dumps(value)}\n")
        text = _TRAINING.format(data=data)
        for section, lines in sections.items():
            if f"{section}:\n" in text:
                text = text.replace(f"{section}:\n", f"{section}:\n{''.join(lines)}")
            else:
                text = f"{section}:\n{''.join(lines)}\n{text}"
        with open(os.path.join(folder, "params.yaml"), "w", encoding="utf-8") as file:
            file.write(f"# {self.name}, lowered by weft.torch.\n{text}")

    def check(self, weft=None, *words):
        """Lets Weft compile the network. Raises Refusal with the module's line if it is refused.

        weft: a program to compile it, with `words` on its command line; None: this package."""
        self.cost(weft, *words)

    def cost(self, weft=None, *words):
        """Results of `weft run --mode compile_only --json`, for the settings that save() writes, or of calls."""
        with tempfile.TemporaryDirectory(prefix="weft_torch_") as folder:
            data = os.path.join(folder, "tokens.bin")
            self.save(folder, data)
            self._write_tokens(data)
            params = os.path.join(folder, "params.yaml")
            try:
                return self._own_cost(params) if weft is None else _cost_of(weft, params, words)
            except Failed as failed:
                raise self._refusal(failed.text, os.path.join(folder, "network.yaml")) from None

    def _own_cost(self, params):
        from weft.errors import Error
        from weft.modes import compile_only

        try:
            return compile_only(params, self.overrides, **self.flags)
        except Error as error:
            raise Failed(str(error)) from None

    def _write_tokens(self, path):
        """A token shard that is long enough for a batch."""
        length = self.config["model.max_sequence_length"]
        header = numpy.zeros(256, "<i4")
        header[:3] = 20240520, 1, 64 * length + 1  # llm.c's
        with open(path, "wb") as file:
            file.write(header.tobytes() + numpy.zeros(64 * length + 1, "<u2").tobytes())

    def _refusal(self, text, file):
        """A message of weft; one that names a line of the network gets the place of its operation."""
        problem, _, hint = text.split("\n")[0].partition(". HINT: ")
        match = re.search(re.escape(file) + r":(\d+): model\.network: (.*)", problem)
        if match and int(match[1]) in self._places:
            place = self._places[int(match[1])].place
            return Refusal(place.subject, match[2], hint.rstrip("."), place.text, place.module)
        return Refusal("weft", problem, hint.rstrip(".") or "see its message")

    def __str__(self):
        sizes = ", ".join(f"{key.partition('.')[2]} {value}" for key, value in self.config.items())
        lines = [f"{self.name}: {sizes}", "", "graph"]
        rows = [(operation_text(one), f"{one.place.subject}, {_short(one.place.text)}") for one in self.operations]
        width = max(len(row[0]) for row in rows)
        lines += [f"  {row[0]:<{width}}  {row[1]}" for row in rows]
        lines += ["", "mapping"]
        layers = self.config["model.num_hidden_layers"]
        rows = [
            (name, parameter if move == "same" else f"{parameter}, {move}")
            for name, (parameter, move) in self.mapping.items()
        ]
        rows = [row for row in rows if not re.match(r"h\.[1-9]", row[0])]
        width = max(len(row[0]) for row in rows)
        lines += [f"  {row[0]:<{width}}  {row[1]}" for row in rows]
        if layers > 1:
            lines.append(f"  likewise h.1 to h.{layers - 1}" if layers > 2 else "  likewise h.1")
        if self.ignored:
            lines += ["", "outputs that are not computed: " + ", ".join(self.ignored)]
        return "\n".join([*lines, "", *self._cost_lines()])

    def _cost_lines(self):
        weft = os.environ.get("WEFT")
        try:
            results = self.cost(weft)
        except ImportError:
            return ["cost: weft is not installed, only its source. HINT: pip install ., or set WEFT to a program."]
        except FileNotFoundError:
            return [f"cost: there is no program {weft}. HINT: set WEFT to its path."]
        except Refusal as refusal:
            return [f"cost: {refusal}"]
        wanted = (
            "parameters",
            "SRAM: total per PE",
            "MemoryX",
            "to the wafers",
            "back from a wafer",
            "cycles of a wafer",
        )
        found = {one["name"]: one for one in results if "name" in one}
        return [
            "cost",
            *(
                f"  {name:<18}  {found[name]['value']:,} {found[name]['unit']}".rstrip()
                for name in wanted
                if name in found
            ),
        ]
