"""Modules that cannot become a network, each with a mark at the line that is to be named."""

import math

import torch
from modules import NanoGPT
from torch import nn
from torch.nn import functional as F


class Model(nn.Module):
    """A language model of one layer, whose parts a subclass replaces."""

    def __init__(self, width=16, vocab=24, length=8):
        super().__init__()
        self.embed, self.positions = nn.Embedding(vocab, width), nn.Embedding(length, width)
        self.norm, self.mid, self.head = nn.LayerNorm(width), nn.Linear(width, 2 * width), nn.Linear(width, vocab)
        self.q, self.k, self.v, self.o = (nn.Linear(width, width) for _ in range(4))
        self.down, self.norm_2, self.norm_3 = nn.Linear(2 * width, width), nn.LayerNorm(width), nn.LayerNorm(width)

    def heads(self, x):
        return x.view(*x.shape[:2], 2, -1).transpose(1, 2)

    def weights(self, scores):
        return scores.masked_fill(torch.ones(scores.shape[-2:]).triu(1).bool(), -math.inf).softmax(-1)

    def attend(self, x):
        q, k, v = self.heads(self.q(x)), self.heads(self.k(x)), self.heads(self.v(x))
        y = self.weights(q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])) @ v
        return self.o(y.transpose(1, 2).reshape(x.shape))

    def act(self, x):
        return torch.relu(x)

    def start(self, ids):
        return self.embed(ids) + self.positions(torch.arange(ids.shape[1]))

    def forward(self, ids):
        x = self.start(ids)
        x = x + self.attend(self.norm(x))
        x = x + self.down(self.act(self.mid(self.norm_2(x))))
        return self.head(self.norm_3(x))


class Softplus(Model):
    def __init__(self):
        super().__init__()
        self.function = nn.Softplus()

    def act(self, x):
        return self.function(x)  # refused


class Convolution(Model):
    def __init__(self):
        super().__init__()
        self.mix = nn.Conv1d(32, 32, 3, padding=1)

    def act(self, x):
        y = self.mix(x.transpose(1, 2))  # refused
        return y.transpose(1, 2)


class NotCausal(Model):
    """Accepted itself."""

    def weights(self, scores):
        return scores.softmax(-1)

    def attend(self, x):
        q, k, v = self.heads(self.q(x)), self.heads(self.k(x)), self.heads(self.v(x))
        y = self.weights(q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])) @ v  # refused
        return self.o(y.transpose(1, 2).reshape(x.shape))


class Window(NotCausal):
    def weights(self, scores):
        near = torch.ones(scores.shape[-2:]).tril().triu(-3).bool()
        return scores.masked_fill(~near, -math.inf).softmax(-1)


class WrongScale(Model):
    def attend(self, x):
        q, k, v = self.heads(self.q(x)), self.heads(self.k(x)), self.heads(self.v(x))
        y = self.weights(q @ k.transpose(-1, -2) / 4) @ v  # refused
        return self.o(y.transpose(1, 2).reshape(x.shape))


class WrongBase(Model):
    def turn(self, x):
        angles = torch.outer(torch.arange(x.shape[-2]), 500.0 ** -torch.arange(0, 1, 0.25)).repeat(1, 2)
        first, second = x.chunk(2, dim=-1)
        return x * angles.cos() + torch.cat((-second, first), dim=-1) * angles.sin()  # refused

    def attend(self, x):
        q, k, v = self.turn(self.heads(self.q(x))), self.turn(self.heads(self.k(x))), self.heads(self.v(x))
        y = self.weights(q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])) @ v
        return self.o(y.transpose(1, 2).reshape(x.shape))


class SharedKeys(Model):
    def __init__(self):
        super().__init__()
        self.k, self.v = nn.Linear(16, 8), nn.Linear(16, 8)

    def attend(self, x):
        q = self.heads(self.q(x))
        k, v = (one(x).view(*x.shape[:2], 1, -1).transpose(1, 2).expand(-1, 2, -1, -1) for one in (self.k, self.v))
        y = self.weights(q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])) @ v  # refused
        return self.o(y.transpose(1, 2).reshape(x.shape))


class Dropout(Model):
    """Accepted."""

    def __init__(self):
        super().__init__()
        self.drop_start, self.drop, self.drop_out = nn.Dropout(0.3), nn.Dropout(0.1), nn.Dropout(0.2)

    def start(self, ids):
        return self.drop_start(super().start(ids))

    def attend(self, x):
        return self.drop_out(super().attend(x))

    def act(self, x):
        return self.drop(torch.relu(x))


class WeightsDropout(Model):
    """Accepted."""

    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.1)

    def weights(self, scores):
        return self.drop(super().weights(scores))


class FlashDropout(Model):
    """Accepted."""

    def attend(self, x):
        q, k, v = self.heads(self.q(x)), self.heads(self.k(x)), self.heads(self.v(x))
        y = nn.functional.scaled_dot_product_attention(q, k, v, dropout_p=0.2 * self.training, is_causal=True)
        return self.o(y.transpose(1, 2).reshape(x.shape))


class NormedDropout(NotCausal):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.1)

    def weights(self, scores):
        weights = self.drop(super().weights(scores))
        return weights / weights.sum(-1, keepdim=True)


class PostNorm(Model):
    """Accepted."""

    def forward(self, ids):
        x = self.norm(self.start(ids))
        x = self.norm_2(x + self.attend(x))
        x = self.norm_3(x + self.down(self.act(self.mid(x))))
        return self.head(x)


class PostNormDropout(Model):
    """Accepted."""

    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.25)

    def forward(self, ids):
        x = self.drop(self.norm(self.start(ids)))
        x = self.norm_2(x + self.drop(self.attend(x)))
        x = self.norm_3(x + self.drop(self.down(self.act(self.mid(x)))))
        return self.head(x)


class AddedNorm(Model):
    def forward(self, ids):
        x = self.start(ids)
        x = x + self.norm(x) + self.attend(x)  # refused
        return self.head(self.norm_3(x + self.down(self.act(self.mid(self.norm_2(x))))))


class MiddleToken(Model):
    """The labels are classes of a token that is not the first."""

    def forward(self, ids, classes):
        x = self.start(ids)
        x = x + self.attend(self.norm(x))
        x = self.norm_3(x + self.down(self.act(self.mid(self.norm_2(x)))))
        return F.cross_entropy(self.head(x[:, 3]), classes)  # refused


class ProjectedSegments(Model):
    """The embedding of a second input is not added to that of the token ids."""

    def __init__(self):
        super().__init__()
        self.kinds = nn.Embedding(2, 16)

    def forward(self, ids, kinds):
        x = self.norm_2(self.kinds(kinds))  # refused
        x = self.start(ids) + self.attend(x)
        return self.head(self.norm_3(x + self.down(self.act(self.mid(self.norm(x))))))


class Sinusoids(Model):
    def __init__(self):
        super().__init__()
        del self.positions
        self.register_buffer("table", torch.sin(torch.arange(8.0)[:, None] * torch.arange(16.0)))

    def start(self, ids):
        return self.embed(ids) + self.table[: ids.shape[1]]  # refused


class TwoEpsilons(Model):
    def __init__(self):
        super().__init__()
        self.norm_2 = nn.LayerNorm(16, eps=1e-3)

    def forward(self, ids):
        x = self.start(ids)
        x = x + self.attend(self.norm(x))
        x = x + self.down(self.act(self.mid(self.norm_2(x))))  # refused
        return self.head(self.norm_3(x))


class LayerScale(Model):
    def __init__(self):
        super().__init__()
        self.gamma = nn.Parameter(torch.full((16,), 0.1))

    def forward(self, ids):
        x = self.start(ids)
        x = x + self.gamma * self.attend(self.norm(x))  # refused
        x = x + self.down(self.act(self.mid(self.norm_2(x))))
        return self.head(self.norm_3(x))


class Recurrent(Model):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRU(32, 32, batch_first=True)

    def act(self, x):
        return self.cell(x)[0]  # refused


class Branches(Model):
    def act(self, x):
        if x.sum() > 0:  # refused
            return torch.relu(x)
        return torch.tanh(x)


class Masked(Model):
    def forward(self, ids, attention_mask):
        x = self.start(ids)
        x = x * attention_mask[..., None]  # refused
        return self.head(self.norm_3(x))


class Unused(Model):
    def __init__(self):
        super().__init__()
        self.spare = nn.Linear(16, 16)


class Shared(Model):
    def __init__(self):
        super().__init__()
        self.v = self.k

    def attend(self, x):
        q, k, v = self.heads(self.q(x)), self.heads(self.k(x)), self.heads(self.v(x))  # refused
        y = self.weights(q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])) @ v
        return self.o(y.transpose(1, 2).reshape(x.shape))


class Summed(Model):
    def forward(self, ids, labels):
        logits = super().forward(ids)
        return F.cross_entropy(logits.view(-1, logits.size(-1)), labels.view(-1), reduction="sum")  # refused


class ReadTwice(Model):
    """A vector is added to a linear layer's output, which is also read without it."""

    def __init__(self):
        super().__init__()
        self.mid, self.bias = nn.Linear(16, 32, bias=False), nn.Parameter(torch.ones(32))

    def act(self, x):
        return torch.relu(x + self.bias) * x  # refused


class StraightThrough(Model):
    def act(self, x):
        y = torch.relu(x)
        return x + (y - x).detach()  # refused


class Rounded(Model):
    def act(self, x):
        return x.long().float()  # refused


class InPlace(Model):
    """Accepted: nothing reads what is changed but through the change."""

    def weights(self, scores):
        mask = torch.zeros(scores.shape[-2:])
        for token in range(len(mask)):
            mask[token, token + 1 :] = -math.inf
        scores += mask
        return scores.softmax(-1)

    def act(self, x):
        y = x * 2
        y.relu_()
        return y


class Noise(Model):
    def start(self, ids):
        return super().start(ids) + 0.1 * torch.randn(16)  # refused


class NoHead(Model):
    def __init__(self):
        super().__init__()
        self.head = nn.Identity()

    def forward(self, ids):
        return super().forward(ids) * 1.0  # refused


class LastTokenAlone(NanoGPT):
    pass
