"""The models of the comparison, exported to `.pt2` files, each also as source: a ResNet-50 and a GPT of twelve layers.

    python benchmarks/peers/models.py FOLDER

Widths of the GPT are small, so that the files hold graphs rather than weights; the ResNet has its true 25 million weights.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Bottleneck(nn.Module):
    """1x1, 3x3, 1x1 convolutions around a skip connection."""

    def __init__(self, inputs: int, width: int, stride: int) -> None:
        super().__init__()
        outputs = 4 * width
        self.conv1, self.bn1 = nn.Conv2d(inputs, width, 1, bias=False), nn.BatchNorm2d(width)
        self.conv2, self.bn2 = nn.Conv2d(width, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width)
        self.conv3, self.bn3 = nn.Conv2d(width, outputs, 1, bias=False), nn.BatchNorm2d(outputs)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = None
        if stride != 1 or inputs != outputs:
            self.downsample = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x: Tensor) -> Tensor:
        """One block."""
        skip = x if self.downsample is None else self.downsample(x)
        x = self.relu(self.bn1(self.conv1(x)))
        x = self.relu(self.bn2(self.conv2(x)))
        return self.relu(self.bn3(self.conv3(x)) + skip)


class ResNet50(nn.Module):
    """The network of He et al., layer by layer as torchvision names it."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64)
        self.relu, self.maxpool = nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)
        inputs = 64
        for at, (width, blocks) in enumerate(((64, 3), (128, 4), (256, 6), (512, 3)), 1):
            stride = 1 if at == 1 else 2
            layers = [Bottleneck(inputs if i == 0 else 4 * width, width, stride if i == 0 else 1) for i in range(blocks)]
            setattr(self, f"layer{at}", nn.Sequential(*layers))
            inputs = 4 * width
        self.avgpool, self.fc = nn.AdaptiveAvgPool2d(1), nn.Linear(2048, 1000)

    def forward(self, x: Tensor) -> Tensor:
        """Images to logits."""
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(torch.flatten(self.avgpool(x), 1))


class Attention(nn.Module):
    """Causal, four heads."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        """Written out, so that the graph shows what attention is made of."""
        batch, time, width = x.shape
        q, k, v = self.qkv(x).view(batch, time, 3, 4, width // 4).permute(2, 0, 3, 1, 4).unbind()
        mask = torch.full((time, time), float("-inf")).triu(1)
        y = torch.softmax(q @ k.transpose(-1, -2) / (width // 4) ** 0.5 + mask, -1) @ v
        return self.out(y.transpose(1, 2).reshape(batch, time, width))


class Block(nn.Module):
    """Attention and a perceptron, each beside a skip connection."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm1, self.attention = nn.LayerNorm(width), Attention(width)
        self.norm2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: Tensor) -> Tensor:
        """One layer."""
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class GPT(nn.Module):
    """Token and position embeddings, so many blocks, a head and its loss."""

    def __init__(self, layers: int = 12, width: int = 64, vocabulary: int = 64, context: int = 32) -> None:
        super().__init__()
        self.token = nn.Embedding(vocabulary, width)
        self.position = nn.Parameter(torch.zeros(context, width))
        self.blocks = nn.ModuleList(Block(width) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocabulary, bias=False)

    def forward(self, ids: Tensor) -> Tensor:
        """The loss of predicting every next token."""
        x = self.token(ids[:, :-1]) + self.position
        for block in self.blocks:
            x = block(x)
        return F.cross_entropy(self.head(self.norm(x)).flatten(0, 1), ids[:, 1:].flatten())


def models() -> dict[str, tuple[nn.Module, tuple[Tensor, ...]]]:
    """Name to model and example inputs."""
    torch.manual_seed(0)
    return {
        "resnet50": (ResNet50().eval(), (torch.randn(1, 3, 224, 224),)),
        "gpt12": (GPT(), (torch.randint(64, (2, 33)),)),
    }


def main() -> None:
    """Write `NAME.pt2` for every model."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, (model, inputs) in models().items():
        program = torch.export.export(model, inputs)
        torch.export.save(program, folder / f"{name}.pt2")
        print(f"{name}.pt2: {len(program.graph.nodes)} nodes, {(folder / f'{name}.pt2').stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
