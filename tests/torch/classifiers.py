"""Modules as of users that classify sequences, or give each a number: encoders of BERT's kind, written by hand."""

import math

import torch
from torch import nn
from torch.nn import functional as F


class SelfAttention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))

    def _split(self, x):
        return x.view(x.size(0), x.size(1), self.heads, self.size).permute(0, 2, 1, 3)

    def forward(self, x):
        q, k, v = self._split(self.query(x)), self._split(self.key(x)), self._split(self.value(x))
        weights = F.softmax(q @ k.transpose(-1, -2) / math.sqrt(self.size), dim=-1)
        return (weights @ v).permute(0, 2, 1, 3).reshape(x.shape)


class Encoder(nn.Module):
    """A block that normalizes its sums."""

    def __init__(self, width, heads, filter_size, eps):
        super().__init__()
        self.attention, self.out = SelfAttention(width, heads), nn.Linear(width, width)
        self.norm_1, self.norm_2 = nn.LayerNorm(width, eps=eps), nn.LayerNorm(width, eps=eps)
        self.up, self.down = nn.Linear(width, filter_size), nn.Linear(filter_size, width)
        self.dropout = nn.Dropout(0.0)

    def forward(self, x):
        x = self.norm_1(x + self.dropout(self.out(self.attention(x))))
        return self.norm_2(x + self.dropout(self.down(F.gelu(self.up(x)))))


class Classifier(nn.Module):
    """BERT with a pooler of the first token and a layer of classes; one class is a number (regression)."""

    def __init__(self, vocab=60, width=32, heads=4, length=16, layers=2, filter_size=64, classes=3, kinds=2, eps=1e-6):
        super().__init__()
        self.words, self.places = nn.Embedding(vocab, width), nn.Embedding(length, width)
        self.kinds = nn.Embedding(kinds, width) if kinds else None
        self.norm = nn.LayerNorm(width, eps=eps)
        self.layer = nn.ModuleList(Encoder(width, heads, filter_size, eps) for _ in range(layers))
        self.pooler, self.classifier = nn.Linear(width, width), nn.Linear(width, classes)
        self.classes = classes

    def forward(self, input_ids, token_type_ids=None, labels=None):
        x = self.words(input_ids)
        if self.kinds is not None:
            x = x + self.kinds(token_type_ids)
        x = self.norm(x + self.places(torch.arange(input_ids.size(1))))
        for layer in self.layer:
            x = layer(x)
        scores = self.classifier(torch.tanh(self.pooler(x[:, 0])))
        if labels is None:
            return {"logits": scores}
        if self.classes == 1:
            return {"loss": F.mse_loss(scores.squeeze(-1), labels), "logits": scores}
        return {"loss": F.cross_entropy(scores, labels), "logits": scores}


class Tagger(nn.Module):
    """A class for each token, from ids alone; the labels of some tokens are -100."""

    def __init__(self, vocab=60, width=32, heads=4, length=16, classes=5):
        super().__init__()
        self.words, self.places = nn.Embedding(vocab, width), nn.Embedding(length, width)
        self.norm, self.block = nn.LayerNorm(width), Encoder(width, heads, 2 * width, 1e-5)
        self.tags = nn.Linear(width, classes)

    def forward(self, ids, labels):
        x = self.block(self.norm(self.words(ids) + self.places.weight[: ids.size(1)]))
        return F.cross_entropy(self.tags(x).flatten(0, 1), labels.flatten())
