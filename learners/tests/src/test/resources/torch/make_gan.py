"""Makes generator.pt, discriminator.pt and noisy.pt beside it, with the torch that is installed; they were made by torch 1.13.0.

    python3 make_gan.py

The first two are upsample-dcgan:width=4,latent=4 for images of 28×28, with its names; noisy.pt is a discriminator with
dropout, whose answers have no axis of their own.
"""

import torch
from torch import nn


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense = nn.Linear(4, 8 * 7 * 7)
        self.norm0 = nn.BatchNorm2d(8)
        self.conv1 = nn.Conv2d(8, 4, 3, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(4)
        self.conv2 = nn.Conv2d(4, 1, 3, padding=1)
        self.upsample = nn.Upsample(scale_factor=2.0)

    def forward(self, z):
        x = torch.relu(self.norm0(self.dense(z).view(-1, 8, 7, 7)))
        x = torch.relu(self.norm1(self.conv1(self.upsample(x))))
        return torch.tanh(self.conv2(self.upsample(x)))


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 4, stride=2, padding=1)
        self.conv2 = nn.Conv2d(4, 8, 4, stride=2, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(8)
        self.dense = nn.Linear(8 * 7 * 7, 1)

    def forward(self, x):
        x = nn.functional.leaky_relu(self.conv1(x), 0.2)
        x = nn.functional.leaky_relu(self.norm2(self.conv2(x)), 0.2)
        return self.dense(x.flatten(1))


torch.manual_seed(1)
torch.jit.script(Generator()).save("generator.pt")
torch.jit.script(Discriminator()).save("discriminator.pt")
torch.jit.script(nn.Sequential(nn.Flatten(), nn.Dropout(), nn.Linear(784, 1), nn.Flatten(0))).save("noisy.pt")
