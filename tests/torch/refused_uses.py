"""Modules that cannot become a network for the way in which they use inputs, losses, gradients and other tokens, each
with a mark at the line that is to be named."""

import math

import torch
from refused import Model, NotCausal
from torch import nn
from torch.nn import functional as F


class MaskOfQueries(NotCausal):
    """A mask hides queries, not keys."""

    def forward(self, ids, mask):
        self.mask = mask
        return super().forward(ids)

    def weights(self, scores):
        return (scores * self.mask[:, None, :, None]).softmax(-1)


class HalfMasked(NotCausal):
    """One of two attentions hides padding."""

    def __init__(self):
        super().__init__()
        self.norm_4 = nn.LayerNorm(16)
        self.q_2, self.k_2, self.v_2, self.o_2 = (nn.Linear(16, 16) for _ in range(4))

    def forward(self, ids, mask):
        x = self.start(ids)
        x = x + self.attend(self.norm(x))
        h = self.norm_4(x)
        q, k, v = self.heads(self.q_2(h)), self.heads(self.k_2(h)), self.heads(self.v_2(h))
        scores = q @ k.transpose(-1, -2) / math.sqrt(8) + (1.0 - mask[:, None, None, :]) * -1e9
        x = x + self.o_2((scores.softmax(-1) @ v).transpose(1, 2).reshape(x.shape))
        x = x + self.down(self.act(self.mid(self.norm_2(x))))
        return self.head(self.norm_3(x))


class TwoHeads(Model):
    """The losses of tokens and of classes."""

    def __init__(self):
        super().__init__()
        self.other = nn.Linear(16, 5)

    def scores(self, ids):
        x = self.start(ids)
        x = x + self.attend(self.norm(x))
        x = self.norm_3(x + self.down(self.act(self.mid(self.norm_2(x)))))
        return self.head(x).flatten(0, 1), self.other(x).flatten(0, 1)


class WeightedLosses(TwoHeads):
    def forward(self, ids, labels, classes):
        tokens, others = self.scores(ids)
        return F.cross_entropy(tokens, labels.flatten()) + 0.5 * F.cross_entropy(others, classes.flatten())  # refused


class TwoOfClasses(TwoHeads):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(16, 7)

    def forward(self, ids, labels, classes):
        tokens, others = self.scores(ids)
        return F.cross_entropy(tokens, labels.flatten()) + F.cross_entropy(others, classes.flatten())  # refused


class Penalty(Model):
    def forward(self, ids, labels):
        logits = super().forward(ids).flatten(0, 1)
        return F.cross_entropy(logits, labels.flatten()) + 1e-4 * logits.pow(2).mean()  # refused


class MeanOfTokens(Model):
    def forward(self, ids, classes):
        x = self.start(ids)
        x = self.norm_3(x + self.attend(self.norm(x)))
        return F.cross_entropy(self.head(x.mean(1)), classes)  # refused


class AbsoluteError(Model):
    def forward(self, ids, labels):
        return F.l1_loss(super().forward(ids)[..., 0], labels)  # refused


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        return x * 2

    @staticmethod
    def backward(context, gradient):
        return gradient


class OwnGradient(Model):
    def act(self, x):
        return torch.relu(Doubled.apply(x))  # refused


class WithoutGradient(Model):
    def start(self, ids):
        with torch.no_grad():
            return self.embed(ids)  # refused


class SetInPlace(Model):
    def act(self, x):
        y = torch.relu(x)
        y[:, 0] = 0  # refused
        return y


class ParameterInPlace(Model):
    def act(self, x):
        with torch.no_grad():
            self.down.weight.clamp_(-1, 1)  # refused
        return torch.relu(x)


class Joined(Model):
    def __init__(self):
        super().__init__()
        self.join = nn.Linear(32, 16)

    def forward(self, ids):
        x = self.start(ids)
        y = x + self.attend(self.norm(x))
        y = y + self.down(self.act(self.mid(self.norm_2(y))))
        return self.head(self.norm_3(self.join(torch.cat([x, y], -1))))  # refused


class Shifted(Model):
    """A token reads the one before."""

    def forward(self, ids):
        x = self.start(ids)
        x = x + self.attend(self.norm(x))
        x = x + self.down(self.act(self.mid(self.norm_2(x)))).roll(1, 1)  # refused
        return self.head(self.norm_3(x))


class Running(Model):
    def act(self, x):
        return x.cumsum(1)  # refused


class Bag(Model):
    def __init__(self):
        super().__init__()
        self.bag = nn.EmbeddingBag(24, 16)

    def start(self, ids):
        return super().start(ids) + self.bag(ids)[:, None]  # refused


class Turned(Model):
    """Complex numbers."""

    def act(self, x):
        return torch.view_as_real(torch.view_as_complex(x.unflatten(-1, (16, 2))) * 1j).flatten(-2)  # refused


class Largest(Model):
    def act(self, x):
        return x * x.abs().max()  # refused


class Item(Model):
    def act(self, x):
        return x * x.abs().max().item()  # refused


class Features(Model):
    """A second input of numbers."""

    def __init__(self):
        super().__init__()
        self.project = nn.Linear(3, 16)

    def forward(self, ids, features):
        x = self.start(ids) + self.project(features)  # refused
        return self.head(self.norm_3(x + self.attend(self.norm(x))))


class GivenPositions(Model):
    """Accepted: two integer inputs, whose embeddings are added."""

    def forward(self, ids, position_ids):
        x = self.embed(ids) + self.positions(position_ids)
        x = x + self.attend(self.norm(x))
        return self.head(self.norm_3(x + self.down(self.act(self.mid(self.norm_2(x))))))


class ManyKinds(Model):
    def __init__(self):
        super().__init__()
        self.kinds = nn.Embedding(257, 16)

    def forward(self, ids, kinds):
        x = self.embed(ids) + self.kinds(kinds)  # refused
        x = x + self.attend(self.norm(x))
        return self.head(self.norm_3(x + self.down(self.act(self.mid(self.norm_2(x))))))


class TwoStreams(Model):
    """A second stream of tokens, whose embedding is read by itself."""

    def forward(self, ids, others):
        x = self.start(ids)
        y = self.embed(others)  # refused
        q, k, v = self.heads(self.q(x)), self.heads(self.k(y)), self.heads(self.v(y))
        y = (q @ k.transpose(-1, -2) / math.sqrt(8)).softmax(-1) @ v
        x = x + self.o(y.transpose(1, 2).reshape(x.shape))
        return self.head(self.norm_3(x + self.down(self.act(self.mid(self.norm_2(x))))))
