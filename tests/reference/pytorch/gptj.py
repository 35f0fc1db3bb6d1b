"""GPT-J as a PyTorch module: parameters have the names and shapes of Hugging Face's."""

import math

import torch
from torch import nn
from torch.nn import functional

from loss import cross_entropy


def turn(x, turning):
    """Turns pairs of the first `turning` features, [sequences, heads, tokens, features], by angles of the token."""
    position = torch.arange(x.shape[2], dtype=x.dtype)
    speed = 10000.0 ** (-torch.arange(0, turning, 2, dtype=x.dtype) / turning)
    angle = torch.outer(position, speed)
    even, odd = x[..., 0:turning:2], x[..., 1:turning:2]
    turned = (even * angle.cos() - odd * angle.sin(), odd * angle.cos() + even * angle.sin())
    return torch.cat((torch.stack(turned, dim=4).flatten(3), x[..., turning:]), dim=3)


class Attention(nn.Module):
    """Causal, scaled by 1 / sqrt(features of a head); x and the result are [sequences, tokens, hidden]."""

    def __init__(self, hidden, heads, turning):
        super().__init__()
        self.heads, self.turning = heads, turning
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, nn.Linear(hidden, hidden, bias=False))

    def forward(self, x):
        sequences, tokens, hidden = x.shape
        shape = (sequences, tokens, self.heads, hidden // self.heads)
        q, k, v = (part(x).view(shape).transpose(1, 2) for part in (self.q_proj, self.k_proj, self.v_proj))
        scores = turn(q, self.turning) @ turn(k, self.turning).transpose(2, 3) / math.sqrt(shape[3])
        later = torch.ones(tokens, tokens, dtype=torch.bool).triu(1)
        probabilities = scores.masked_fill(later, -math.inf).softmax(dim=3)
        return self.out_proj((probabilities @ v).transpose(1, 2).reshape(x.shape))


class Mlp(nn.Module):
    """GELU in the tanh form, written out: older PyTorch does not have it."""

    def __init__(self, hidden, filter_size):
        super().__init__()
        self.fc_in = nn.Linear(hidden, filter_size)
        self.fc_out = nn.Linear(filter_size, hidden)

    def forward(self, x):
        x = self.fc_in(x)
        inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
        return self.fc_out(x / 2 * (1 + inner.tanh()))


class Block(nn.Module):
    """Attention and MLP side by side, of the same normed input."""

    def __init__(self, hidden, model, filter_size):
        super().__init__()
        self.ln_1 = nn.LayerNorm(hidden, eps=model["layer_norm_epsilon"])
        self.attn = Attention(hidden, model["num_heads"], model["rotary_dim"])
        self.mlp = Mlp(hidden, filter_size)

    def forward(self, x):
        normed = self.ln_1(x)
        return x + self.attn(normed) + self.mlp(normed)


class GptJ(nn.Module):
    """`model` is that section of a params.yaml. Dropout is 0."""

    def __init__(self, model):
        super().__init__()
        self.model = model
        hidden = model["hidden_size"]
        self.wte = nn.Embedding(model["vocab_size"], hidden)
        filter_size = model["filter_size"] or 4 * hidden
        self.h = nn.ModuleList(Block(hidden, model, filter_size) for _ in range(model["num_hidden_layers"]))
        self.ln_f = nn.LayerNorm(hidden, eps=model["layer_norm_epsilon"])
        self.lm_head = nn.Linear(hidden, model["vocab_size"])

    def forward(self, inputs, labels):
        """The mean cross-entropy in nats of tokens [sequences, tokens]."""
        x = self.wte(inputs)
        for block in self.h:
            x = block(x)
        return cross_entropy(self.model, self.lm_head(self.ln_f(x)), labels)
