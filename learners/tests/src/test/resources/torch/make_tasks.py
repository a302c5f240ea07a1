"""Makes houses.pt, tags.pt and flat.pt beside it, with the torch that is installed; they were made by torch 1.13.0.

    python3 make_tasks.py
"""

import torch
from torch import nn


class Houses(nn.Module):
    """A number and its spread, learnt by the likelihood of a normal distribution."""

    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(3, 8)
        self.out = nn.Linear(8, 2)

    def forward(self, x):
        return self.out(torch.tanh(self.hidden(x)))

    @torch.jit.export
    def loss(self, outputs, targets):
        spread = outputs[:, 1:]
        return (spread + 0.5 * (targets - outputs[:, :1]) ** 2 * torch.exp(-2 * spread)).mean()


class Tags(nn.Module):
    """An output for each of two, whose loss counts the classes' errors differently."""

    def __init__(self):
        super().__init__()
        self.out = nn.Linear(3, 2)

    def forward(self, x):
        return self.out(x)

    @torch.jit.export
    def loss(self, outputs, targets):
        return nn.functional.cross_entropy(outputs, targets, weight=torch.tensor([1.0, 3.0]))


torch.manual_seed(1)
torch.jit.script(Houses()).save("houses.pt")
torch.jit.script(Tags()).save("tags.pt")
torch.jit.script(nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1), nn.Flatten(0))).save("flat.pt")
