"""Makes the files beside it, with the torch that is installed.

They were made by torch 2.13.0, and tied.pt by torch 1.13.0.

    python3 make_files.py
"""

import subprocess
import sys

import numpy
import torch
from torch import nn


class Perceptron(nn.Module):
    """Two linear layers for pictures of 28x28 in 10 classes."""

    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(784, 8)
        self.out = nn.Linear(8, 10)

    def forward(self, x):
        return self.out(torch.relu(self.hidden(torch.flatten(x, 1))))


class Tied(nn.Module):
    """Two names of one weight, a scale that is frozen, and a norm that counts its batches."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(12, 2, bias=False)
        self.second = nn.Linear(12, 2, bias=False)
        self.second.weight = self.first.weight
        self.norm = nn.BatchNorm1d(2, momentum=None)
        self.scale = nn.Parameter(torch.ones(2), requires_grad=False)

    def forward(self, x):
        x = torch.flatten(x, 1)
        return self.norm(self.first(x) + self.second(2 * x)) * self.scale


def main():
    print("torch", torch.__version__, file=sys.stderr)
    torch.manual_seed(1)
    perceptron = Perceptron()
    convolution = nn.Sequential(
        nn.Conv2d(1, 6, 5, stride=2),
        nn.BatchNorm2d(6),
        nn.ReLU(),
        nn.Conv2d(6, 8, 5, stride=2),
        nn.BatchNorm2d(8),
        nn.ReLU(),
        nn.Flatten(),
        nn.Linear(128, 10),
    )
    torch.jit.save(torch.jit.script(perceptron), "perceptron.pt")
    torch.jit.save(torch.jit.script(convolution), "convolution.pt")
    torch.jit.save(torch.jit.script(Tied()), "tied.pt")

    small = nn.Linear(2, 2)
    torch.save(small.state_dict(), "state-dict.pt")
    torch.save({"model": small.state_dict(), "epoch": 3}, "checkpoint.pt")
    torch.save(small, "module.pt")
    torch.save(small.weight, "tensor.pt")
    torch.save(small.state_dict(), "legacy.pt", _use_new_zipfile_serialization=False)
    program = torch.export.export(small, (torch.zeros(1, 2),))
    torch.export.save(program, "exported.pt2")

    # A pipe cannot seek, so each entry's size follows behind it.
    cat = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=open("arrays.npz", "wb"))
    numpy.savez(cat.stdin, weight=numpy.float32([[1, 2], [3, 4.5]]), bias=numpy.float32([5, 6]))
    cat.stdin.close()
    cat.wait()


if __name__ == "__main__":
    main()
