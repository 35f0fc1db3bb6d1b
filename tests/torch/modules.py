"""Language models as users write them, with no help for lowering."""

import math

import torch
from torch import nn
from torch.nn import functional as F


class HandGelu(nn.Module):
    def forward(self, x):
        return 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))))


class HandLayerNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gamma, self.beta = nn.Parameter(torch.ones(width)), nn.Parameter(torch.zeros(width))

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        variance = ((x - mean) ** 2).mean(-1, keepdim=True)
        return self.gamma * (x - mean) / torch.sqrt(variance + 1e-5) + self.beta


class NanoAttention(nn.Module):
    """Attention of nanoGPT: with PyTorch's function (`flash`), or with masks and softmax written by hand."""

    def __init__(self, width, heads, length, flash):
        super().__init__()
        self.c_attn, self.c_proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.attn_dropout, self.resid_dropout = nn.Dropout(0.0), nn.Dropout(0.0)
        self.heads, self.width, self.flash = heads, width, flash
        self.register_buffer("bias", torch.tril(torch.ones(length, length)).view(1, 1, length, length))

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(self.width, dim=2)
        k = k.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        q = q.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        v = v.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        if self.flash:
            y = F.scaled_dot_product_attention(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=True)
        else:
            att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
            att = att.masked_fill(self.bias[:, :, :T, :T] == 0, float("-inf"))
            att = self.attn_dropout(F.softmax(att, dim=-1))
            y = att @ v
        return self.resid_dropout(self.c_proj(y.transpose(1, 2).contiguous().view(B, T, C)))


class NanoMlp(nn.Module):
    def __init__(self, width, filter_size):
        super().__init__()
        self.c_fc, self.c_proj, self.gelu = nn.Linear(width, filter_size), nn.Linear(filter_size, width), HandGelu()

    def forward(self, x):
        return self.c_proj(self.gelu(self.c_fc(x)))


class NanoBlock(nn.Module):
    def __init__(self, width, heads, length, filter_size, flash, norm):
        super().__init__()
        self.ln_1, self.attn = norm(width), NanoAttention(width, heads, length, flash)
        self.ln_2, self.mlp = norm(width), NanoMlp(width, filter_size)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        x = x + self.mlp(self.ln_2(x))
        return x


class NanoGPT(nn.Module):
    """Logits and loss of the last token alone, or of all with targets, as nanoGPT."""

    def __init__(
        self, vocab=96, width=32, heads=4, length=32, layers=2, filter_size=128, flash=False, norm=nn.LayerNorm
    ):
        super().__init__()
        blocks = [NanoBlock(width, heads, length, filter_size, flash, norm) for _ in range(layers)]
        self.transformer = nn.ModuleDict(
            dict(wte=nn.Embedding(vocab, width), wpe=nn.Embedding(length, width), drop=nn.Dropout(0.0),
                 h=nn.ModuleList(blocks), ln_f=norm(width))
        )  # fmt: skip
        self.lm_head = nn.Linear(width, vocab, bias=False)
        self.transformer.wte.weight = self.lm_head.weight
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2:
                nn.init.normal_(parameter, std=0.02)

    def forward(self, idx, targets=None):
        pos = torch.arange(0, idx.size(1), dtype=torch.long, device=idx.device)
        x = self.transformer.drop(self.transformer.wte(idx) + self.transformer.wpe(pos))
        for block in self.transformer.h:
            x = block(x)
        x = self.transformer.ln_f(x)
        if targets is not None:
            logits = self.lm_head(x)
            loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)
        else:
            logits = self.lm_head(x[:, [-1], :])  # refused
            loss = None
        return logits, loss


class RMSNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.scale


class Rotations(nn.Module):
    """Rotary positions by halves, as in LLaMA and GPT-NeoX."""

    def __init__(self, size, length, base=10000.0):
        super().__init__()
        speed = base ** (-torch.arange(0, size, 2).float() / size)
        angles = torch.outer(torch.arange(length).float(), speed).repeat(1, 2)
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(self, x):
        first, second = x.chunk(2, dim=-1)
        turned = torch.cat((-second, first), dim=-1)
        return x * self.cos[: x.shape[-2]] + turned * self.sin[: x.shape[-2]]


class InterleavedAttention(nn.Module):
    """The features of q, k and v stand next to each other in each head of one projection, as in GPT-NeoX."""

    def __init__(self, width, heads, length):
        super().__init__()
        self.qkv, self.out, self.heads = (
            nn.Linear(width, 3 * width, bias=False),
            nn.Linear(width, width, bias=False),
            heads,
        )
        self.rotate = Rotations(width // heads, length)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).view(B, T, self.heads, 3, -1).permute(3, 0, 2, 1, 4).unbind(0)
        q, k = self.rotate(q), self.rotate(k)
        scores = (q / math.sqrt(q.shape[-1])) @ k.transpose(-2, -1)
        scores = scores + torch.full((T, T), -1e9).triu(1)
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).reshape(B, T, C))


class ParallelBlock(nn.Module):
    """Two branches from one value, each with its own norm."""

    def __init__(self, width, heads, length, filter_size, norm, gated):
        super().__init__()
        self.norm_a, self.norm_b = norm(width), norm(width)
        self.attention = InterleavedAttention(width, heads, length)
        self.gated = gated
        self.up = nn.Linear(width, (2 if gated else 1) * filter_size, bias=False)
        self.down = nn.Linear(filter_size, width, bias=False)

    def forward(self, x):
        a = self.attention(self.norm_a(x))
        u = self.up(self.norm_b(x))
        if self.gated:
            gate, u = u.chunk(2, dim=-1)
            u = F.silu(gate) * u
        else:
            u = u * 0.5 * (1 + torch.tanh(0.7978845608 * (u + 0.044715 * u * u * u)))
        return x + a + self.down(u)


class Custom(nn.Module):
    def __init__(self, vocab=96, width=32, heads=4, length=32, layers=2, filter_size=64, norm=RMSNorm, gated=True):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.blocks = nn.ModuleList(
            ParallelBlock(width, heads, length, filter_size, norm, gated) for _ in range(layers)
        )
        self.norm, self.head = norm(width), nn.Linear(width, vocab, bias=False)

    def forward(self, ids):
        x = self.embed(ids)
        for block in self.blocks:
            x = block(x)
        return {"logits": self.head(self.norm(x))}
