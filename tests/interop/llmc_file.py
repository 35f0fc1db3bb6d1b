"""llm.c's checkpoint, written and read by its own description: 256 int32, then each tensor of all layers."""

import numpy
import torch

HEADER, MAGIC = 256, 20240326
# Tensors of a block, in the file's order; True: stored as [out, in] like nn.Linear, and as [in, out] in Hugging Face's
# GPT-2.
BLOCK = {
    "ln_1.weight": False,
    "ln_1.bias": False,
    "attn.c_attn.weight": True,
    "attn.c_attn.bias": False,
    "attn.c_proj.weight": True,
    "attn.c_proj.bias": False,
    "ln_2.weight": False,
    "ln_2.bias": False,
    "mlp.c_fc.weight": True,
    "mlp.c_fc.bias": False,
    "mlp.c_proj.weight": True,
    "mlp.c_proj.bias": False,
}


def order(layers):
    """Names of Hugging Face's, and whether they are turned."""
    yield "transformer.wte.weight", False
    yield "transformer.wpe.weight", False
    for name, turned in BLOCK.items():
        for layer in range(layers):
            yield f"transformer.h.{layer}.{name}", turned
    yield "transformer.ln_f.weight", False
    yield "transformer.ln_f.bias", False


def write_llmc(path, model, bf16):
    config, state = model.config, model.state_dict()
    padded = -(-config.vocab_size // 128) * 128
    header = numpy.zeros(HEADER, "<i4")
    header[:8] = (MAGIC, 5 if bf16 else 3, config.n_positions, config.vocab_size, config.n_layer, config.n_head,
                  config.n_embd, padded)
    with open(path, "wb") as file:
        file.write(header.tobytes())
        for name, turned in order(config.n_layer):
            tensor = state[name].T if turned else state[name]
            if name == "transformer.wte.weight":
                tensor = torch.nn.functional.pad(tensor, (0, 0, 0, padded - config.vocab_size))
            file.write(tensor.contiguous().view(torch.int16 if bf16 else torch.int32).numpy().tobytes())


def read_llmc(path):
    data = path.read_bytes()
    header = numpy.frombuffer(data, "<i4", HEADER).tolist()
    assert header[0] == MAGIC and header[1] in (3, 5)
    length, vocab, layers, _, width, padded = header[2:8]
    shapes = {"wte.weight": (padded, width), "wpe.weight": (length, width), "attn.c_attn.weight": (3 * width, width),
              "attn.c_attn.bias": (3 * width,), "attn.c_proj.weight": (width, width),
              "mlp.c_fc.weight": (4 * width, width), "mlp.c_fc.bias": (4 * width,),
              "mlp.c_proj.weight": (width, 4 * width)}
    size, kinds = (4, ("<i4", torch.float32)) if header[1] == 3 else (2, ("<i2", torch.bfloat16))
    found, at = {}, 4 * HEADER
    for name, turned in order(layers):
        short = name.split(".", 3)[-1] if ".h." in name else name.split(".", 1)[1]
        shape = shapes.get(short, (width,))
        count = int(numpy.prod(shape))
        tensor = torch.from_numpy(numpy.frombuffer(data, kinds[0], count, at).copy()).view(kinds[1]).reshape(shape)
        at += size * count
        found[name] = (tensor.T if turned else tensor)[: vocab if short == "wte.weight" else None]
    assert at == len(data)
    return found
