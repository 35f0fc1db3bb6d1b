"""GPT-2 as a PyTorch module: parameters have the names and shapes of Hugging Face's (Conv1D weights are [in, out])."""

import math

import torch
from torch import nn
from torch.nn import functional

from loss import cross_entropy


class Conv1D(nn.Module):
    """y[..., out] = x[..., in] weight[in, out] + bias[out]"""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(inputs, outputs))
        self.bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, x):
        return x @ self.weight + self.bias


class Attention(nn.Module):
    """Causal, scaled by 1 / sqrt(features of a head); x and the result are [sequences, tokens, hidden]."""

    def __init__(self, hidden, heads):
        super().__init__()
        self.heads = heads
        self.c_attn = Conv1D(hidden, 3 * hidden)
        self.c_proj = Conv1D(hidden, hidden)

    def forward(self, x):
        sequences, tokens, hidden = x.shape
        shape = (sequences, tokens, self.heads, hidden // self.heads)
        q, k, v = (part.view(shape).transpose(1, 2) for part in self.c_attn(x).split(hidden, dim=2))
        scores = q @ k.transpose(2, 3) / math.sqrt(shape[3])
        later = torch.ones(tokens, tokens, dtype=torch.bool).triu(1)
        probabilities = scores.masked_fill(later, -math.inf).softmax(dim=3)
        return self.c_proj((probabilities @ v).transpose(1, 2).reshape(x.shape))


class Mlp(nn.Module):
    """GELU in the tanh form, written out: older PyTorch does not have it."""

    def __init__(self, hidden, filter_size):
        super().__init__()
        self.c_fc = Conv1D(hidden, filter_size)
        self.c_proj = Conv1D(filter_size, hidden)

    def forward(self, x):
        x = self.c_fc(x)
        inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
        return self.c_proj(x / 2 * (1 + inner.tanh()))


class Block(nn.Module):
    def __init__(self, hidden, heads, filter_size, eps):
        super().__init__()
        self.ln_1 = nn.LayerNorm(hidden, eps=eps)
        self.attn = Attention(hidden, heads)
        self.ln_2 = nn.LayerNorm(hidden, eps=eps)
        self.mlp = Mlp(hidden, filter_size)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class Gpt2(nn.Module):
    """`model` is that section of a params.yaml. Dropout is 0."""

    def __init__(self, model):
        super().__init__()
        self.model = model
        hidden, eps = model["hidden_size"], model["layer_norm_epsilon"]
        self.wte = nn.Embedding(model["vocab_size"], hidden)
        self.wpe = nn.Embedding(model["max_sequence_length"], hidden)
        filter_size = model["filter_size"] or 4 * hidden
        blocks = (Block(hidden, model["num_heads"], filter_size, eps) for _ in range(model["num_hidden_layers"]))
        self.h = nn.ModuleList(blocks)
        self.ln_f = nn.LayerNorm(hidden, eps=eps)
        tied = model["share_embedding_weights"]
        self.lm_head = None if tied else nn.Linear(hidden, model["vocab_size"], bias=False)

    def forward(self, inputs, labels):
        """The mean cross-entropy in nats of tokens [sequences, tokens]."""
        x = self.wte(inputs) + self.wpe(torch.arange(inputs.shape[1]))
        for block in self.h:
            x = block(x)
        head = self.wte if self.lm_head is None else self.lm_head
        logits = self.ln_f(x) @ head.weight.T
        return cross_entropy(self.model, logits, labels)
