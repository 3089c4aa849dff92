"""Llama 70B: a model that fits no machine here

Seventy billion parameters on the meta device: shapes without memory. Its eighty blocks are identical, so they fold into one
that is marked x80.
"""

import torch
import torch.nn.functional as F
from torch import nn

VOCABULARY, WIDTH, HIDDEN, LAYERS, HEADS, KEY_HEADS = 128256, 8192, 28672, 80, 64, 8
HEAD = WIDTH // HEADS


def rotate(x, cos, sin):
    first, second = x.chunk(2, -1)
    return x * cos + torch.cat((-second, first), -1) * sin


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj = nn.Linear(WIDTH, HEADS * HEAD, bias=False)
        self.k_proj = nn.Linear(WIDTH, KEY_HEADS * HEAD, bias=False)
        self.v_proj = nn.Linear(WIDTH, KEY_HEADS * HEAD, bias=False)
        self.o_proj = nn.Linear(HEADS * HEAD, WIDTH, bias=False)

    def forward(self, x, cos, sin):
        batch, length, _ = x.shape
        q = self.q_proj(x).view(batch, length, HEADS, HEAD).transpose(1, 2)
        k = self.k_proj(x).view(batch, length, KEY_HEADS, HEAD).transpose(1, 2)
        v = self.v_proj(x).view(batch, length, KEY_HEADS, HEAD).transpose(1, 2)
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        return self.o_proj(y.transpose(1, 2).reshape(batch, length, WIDTH))


class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_proj = nn.Linear(WIDTH, HIDDEN, bias=False)
        self.up_proj = nn.Linear(WIDTH, HIDDEN, bias=False)
        self.down_proj = nn.Linear(HIDDEN, WIDTH, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.input_layernorm = nn.RMSNorm(WIDTH, eps=1e-5)
        self.self_attn = Attention()
        self.post_attention_layernorm = nn.RMSNorm(WIDTH, eps=1e-5)
        self.mlp = MLP()

    def forward(self, x, cos, sin):
        x = x + self.self_attn(self.input_layernorm(x), cos, sin)
        return x + self.mlp(self.post_attention_layernorm(x))


class Llama(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(VOCABULARY, WIDTH)
        self.layers = nn.ModuleList(Block() for _ in range(LAYERS))
        self.norm = nn.RMSNorm(WIDTH, eps=1e-5)
        self.lm_head = nn.Linear(WIDTH, VOCABULARY, bias=False)
        self.register_buffer("inv_freq", 500000.0 ** (-torch.arange(0, HEAD, 2) / HEAD), persistent=False)

    def forward(self, ids):
        angles = torch.arange(ids.shape[1], device=ids.device)[:, None] * self.inv_freq
        cos, sin = (torch.cat((f, f), -1) for f in (angles.cos(), angles.sin()))
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x, cos, sin)
        return self.lm_head(self.norm(x))


with torch.device("meta"):
    model = Llama()
    example_args = (torch.zeros(1, 128, dtype=torch.long),)
