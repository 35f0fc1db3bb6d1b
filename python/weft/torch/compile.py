"""From a module to a program."""

import re

from . import blocks
from .assemble import assemble
from .batches import Form
from .capture import capture
from .lowering import Lowering
from .naming import Names
from .network_text import network_text
from .program import Program
from .sums import fold


def compile(module, example_inputs, name=None, overrides=None, **flags):
    """Lowers a module, as it is called with `example_inputs` (docs/reference/torch.md). Raises Refusal.

    overrides, flags: as those of weft.Trainer, for calls of the program."""
    kind = type(module).__name__
    captured = capture(module, example_inputs)
    lowering = Lowering(captured)
    operations, sizes = assemble(fold(lowering.operations), [one.scores for one in lowering.losses])
    block = blocks.find(operations)
    Names(operations, block, module)
    tied = operations[0].tensors["tokens"] if lowering.tied else None
    word = re.sub(r"[^a-z0-9_]", "_", (name or kind).lower())
    network, places = network_text(word, kind, operations, block, tied)
    tensors = _tensors(operations, block, tied)
    frozen = [full for full, tensor in tensors if not module.get_parameter(tensor.parameter).requires_grad]
    config = _config(lowering, operations, sizes, block)
    if frozen:
        config["optimizer.frozen_params"] = frozen
    shown = (
        operations
        if block is None
        else operations[: block.first + block.length] + operations[block.first + block.length * block.layers :]
    )
    program = Program(module, kind, network, config, tensors, shown, places, captured.ignored)
    program.overrides, program.flags = overrides or {}, flags
    program.form = Form.of(lowering, operations, config["model.max_sequence_length"])
    program.output, program.is_logits = lowering.output[0], lowering.shape(lowering.output[1]) != ()
    return program


def _tensors(operations, block, tied):
    """(name, Tensor) in the order of the flat parameter vector."""
    found = []
    for n, one in enumerate(operations):
        layer = (n - block.first) // block.length if block and n >= block.first else -1
        prefix = f"h.{layer}." if block and 0 <= layer < block.layers else ""
        for tensor in one.tensors.values():
            if tied is None or tensor is tied or tensor.source is not tied.source:
                found.append((prefix + tensor.name, tensor))
    return found


def _config(lowering, operations, sizes, block):
    positions = operations[0].tensors.get("positions")
    length = positions.size[0] if positions else lowering.tokens
    config = {
        "model.vocab_size": sizes["vocab"],
        "model.max_sequence_length": length,
        "model.hidden_size": sizes["hidden"],
        "model.num_hidden_layers": block.layers if block else 1,
        "model.num_heads": sizes["heads"],
        "model.filter_size": sizes.get("filter", sizes["hidden"]),
    }
    if "segment" in sizes:
        config["model.num_segments"] = sizes["segment"]
    if any(one.masked and not one.causal for one in operations):
        config["model.padding_token"] = lowering.masks.token
    if "class" in sizes:
        config["model.num_classes"] = sizes["class"]
    turned = next((one.turned for one in operations if one.kind == "rotary"), 0)
    if turned:
        config["model.rotary_dim"] = turned
    if lowering.tied:
        config["model.share_embedding_weights"] = True
    epsilon = next((one.epsilon for one in operations if one.kind == "norm"), None)
    if epsilon is not None:
        config["model.layer_norm_epsilon"] = epsilon
    if lowering.smoothing:
        config["model.label_smoothing"] = lowering.smoothing
    return config
