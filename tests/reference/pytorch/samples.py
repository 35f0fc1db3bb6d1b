"""The samples of a step, in the order that host/data/README.md gives for `shuffle: false`."""

import numpy
import torch


def read_tokens(path, tokenizer, vocabulary_of=None):
    """The tokens of a text file, or of a token shard in the layout of llm.c (by its name, *.bin).

    `vocabulary_of`: the text whose sorted characters are the vocabulary, if it is not this one."""
    if path.endswith(".bin"):
        header = numpy.fromfile(path, "<i4", 256)
        if list(header[:2]) != [20240520, 1]:
            raise SystemExit(f"{path}: is not a token shard. HINT: its first numbers should be 20240520 and 1.")
        return numpy.fromfile(path, "<u2", header[2], offset=1024)
    with open(path, "rb") as file:
        text = file.read()
    if tokenizer == "byte":
        return numpy.frombuffer(text, numpy.uint8)
    with open(vocabulary_of or path, encoding="utf-8", newline="") as file:
        token_of = {character: token for token, character in enumerate(sorted(set(file.read())))}
    return numpy.array([token_of[character] for character in text.decode()])


class Samples:
    """Sample k has the inputs tokens[k*S .. k*S+S-1] and as labels the tokens one later."""

    def __init__(self, tokens, sequence_length):
        self.tokens = torch.from_numpy(tokens.astype(numpy.int64))
        self.length = sequence_length
        self.count = (len(tokens) - 1) // sequence_length

    def batch(self, numbers):
        """Inputs and labels [samples, tokens]; after the last whole sample the first comes again."""
        starts = [number % self.count * self.length for number in numbers]
        inputs = torch.stack([self.tokens[at : at + self.length] for at in starts])
        labels = torch.stack([self.tokens[at + 1 : at + 1 + self.length] for at in starts])
        return inputs, labels

    def step(self, step, batch_size):
        """Returns the samples of step `step`, counted from 0."""
        return self.batch(range(step * batch_size, (step + 1) * batch_size))
