"""The samples of a step, in the order that host/data/README.md describes."""

import numpy
import torch
from permutation import mix64, permute


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

    def __init__(self, tokens, sequence_length, shuffle_seed=None):
        """`shuffle_seed`: train_input.seed, of data that is shuffled."""
        self.tokens = torch.from_numpy(tokens.astype(numpy.int64))
        self.length = sequence_length
        self.count = (len(tokens) - 1) // sequence_length
        self.shuffle_seed = shuffle_seed

    def sample_at(self, position):
        """The sample at a position of the run: after the last whole sample the next epoch begins."""
        epoch, within = divmod(position, self.count)
        if self.shuffle_seed is None:
            return within
        return permute(within, self.count, mix64((mix64(self.shuffle_seed) + epoch) % 2**64))

    def batch(self, positions):
        """Inputs and labels [samples, tokens]."""
        starts = [self.sample_at(position) * self.length for position in positions]
        inputs = torch.stack([self.tokens[at : at + self.length] for at in starts])
        labels = torch.stack([self.tokens[at + 1 : at + 1 + self.length] for at in starts])
        return inputs, labels

    def step(self, step, batch_size):
        """Returns the samples of step `step`, counted from 0."""
        return self.batch(range(step * batch_size, (step + 1) * batch_size))
