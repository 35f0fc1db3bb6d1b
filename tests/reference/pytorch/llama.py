"""LLaMA as a PyTorch module: parameters have the names and shapes that a Weft checkpoint gives them, those of Hugging
Face's LlamaForCausalLM with `h` for `model.layers`."""

import math

import torch
from torch import nn
from torch.nn import functional

from loss import cross_entropy


def frequencies(model):
    """The angle of each pair from a token to the next."""
    size = model["rotary_dim"]
    own = model["rope_theta"] ** (-torch.arange(0, size, 2, dtype=torch.get_default_dtype()) / size)
    slow = own / model["rope_scaling_factor"]
    if model["rope_scaling"] == "none":
        return own
    if model["rope_scaling"] == "linear":
        return slow
    low, high = model["rope_low_freq_factor"], model["rope_high_freq_factor"]
    turns = model["rope_original_length"] * own / (2 * math.pi)
    share = ((turns - low) / (high - low)).clamp(0, 1)
    return (1 - share) * slow + share * own


def turn(x, model):
    """Rotates the halves of the first rotary_dim features, [sequences, heads, tokens, features], by angles of the
    token."""
    if model["rotary_layout"] != "halves":
        raise SystemExit("model.rotary_layout: pairs, but this LLaMA rotates halves. HINT: set it to halves.")
    angle = torch.outer(torch.arange(x.shape[2], dtype=x.dtype), frequencies(model).to(x.dtype))
    half = model["rotary_dim"] // 2
    a, b, rest = x[..., :half], x[..., half : 2 * half], x[..., 2 * half :]
    return torch.cat((a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin(), rest), dim=3)


class RmsNorm(nn.Module):
    def __init__(self, hidden, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(hidden))
        self.eps = eps

    def forward(self, x):
        return x * (x.pow(2).mean(dim=-1, keepdim=True) + self.eps).rsqrt() * self.weight


class Attention(nn.Module):
    """Causal, scaled by 1 / sqrt(features of a head); heads of keys and values serve several of queries."""

    def __init__(self, model):
        super().__init__()
        self.model, hidden, self.heads = model, model["hidden_size"], model["num_heads"]
        self.kv_heads = model["num_kv_heads"] or self.heads
        shared = hidden // self.heads * self.kv_heads
        self.q_proj = nn.Linear(hidden, hidden, bias=False)
        self.k_proj = nn.Linear(hidden, shared, bias=False)
        self.v_proj = nn.Linear(hidden, shared, bias=False)
        self.o_proj = nn.Linear(hidden, hidden, bias=False)

    def forward(self, x):
        sequences, tokens, hidden = x.shape
        q = self.q_proj(x).view(sequences, tokens, self.heads, -1).transpose(1, 2)
        k, v = (part(x).view(sequences, tokens, self.kv_heads, -1).transpose(1, 2) for part in (self.k_proj, self.v_proj))
        q, k = turn(q, self.model), turn(k, self.model)
        k, v = (part.repeat_interleave(self.heads // self.kv_heads, dim=1) for part in (k, v))
        scores = q @ k.transpose(2, 3) / math.sqrt(hidden // self.heads)
        later = torch.ones(tokens, tokens, dtype=torch.bool).triu(1)
        probabilities = scores.masked_fill(later, -math.inf).softmax(dim=3)
        return self.o_proj((probabilities @ v).transpose(1, 2).reshape(x.shape))


class Mlp(nn.Module):
    def __init__(self, hidden, filter_size):
        super().__init__()
        self.gate_proj = nn.Linear(hidden, filter_size, bias=False)
        self.up_proj = nn.Linear(hidden, filter_size, bias=False)
        self.down_proj = nn.Linear(filter_size, hidden, bias=False)

    def forward(self, x):
        return self.down_proj(functional.silu(self.gate_proj(x)) * self.up_proj(x))


class Block(nn.Module):
    def __init__(self, model):
        super().__init__()
        hidden, eps = model["hidden_size"], model["layer_norm_epsilon"]
        self.input_layernorm = RmsNorm(hidden, eps)
        self.self_attn = Attention(model)
        self.post_attention_layernorm = RmsNorm(hidden, eps)
        self.mlp = Mlp(hidden, model["filter_size"] or 4 * hidden)

    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))


class Llama(nn.Module):
    """`model` is that section of a params.yaml."""

    def __init__(self, model):
        super().__init__()
        self.model = model
        hidden = model["hidden_size"]
        self.embed_tokens = nn.Embedding(model["vocab_size"], hidden)
        self.h = nn.ModuleList(Block(model) for _ in range(model["num_hidden_layers"]))
        self.norm = RmsNorm(hidden, model["layer_norm_epsilon"])
        tied = model["share_embedding_weights"]
        self.lm_head = None if tied else nn.Linear(hidden, model["vocab_size"], bias=False)

    def forward(self, inputs, labels):
        """The mean cross-entropy in nats of tokens [sequences, tokens]."""
        x = self.embed_tokens(inputs)
        for block in self.h:
            x = block(x)
        head = self.embed_tokens if self.lm_head is None else self.lm_head
        return cross_entropy(self.model, self.norm(x) @ head.weight.T, labels)
