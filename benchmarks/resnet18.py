"""ResNet-18 for pictures of CIFAR's size, 11.2 million parameters, and made-up pictures. Needs torchvision."""

import torch
from torch import nn
from torchvision.models import resnet18

classes = 10


def model():
    network = resnet18(num_classes=classes)
    network.conv1 = nn.Conv2d(3, 64, 3, padding=1, bias=False)
    network.maxpool = nn.Identity()
    return network


def data(id, of):
    labels = torch.randint(0, classes, (2048,))
    generator = torch.Generator().manual_seed(0)
    centers = torch.randn(classes, 3, 32, 32, generator=generator)
    return centers[labels] + torch.randn(len(labels), 3, 32, 32), labels
