"""What torch itself makes of the networks in LayeredNetworkTorchTest.

Writes the logits of one picture: python3 networks.py FOLDER, where FOLDER has NAME.npz as Levee's ModelFile
writes them for a seed. The networks are torchvision's, written with torch's functions over its tensor names.
"""

import sys

import numpy
import torch
import torch.nn.functional as F

SIDE = 64


def norm(x, w, name):
    return F.batch_norm(
        x, w[name + ".running_mean"], w[name + ".running_var"], w[name + ".weight"], w[name + ".bias"]
    )


def alexnet(x, w):
    def conv(x, i, **options):
        return F.relu(F.conv2d(x, w[f"features.{i}.weight"], w[f"features.{i}.bias"], **options))

    x = F.max_pool2d(conv(x, 0, stride=4, padding=2), 3, 2)
    x = F.max_pool2d(conv(x, 3, padding=2), 3, 2)
    x = conv(conv(conv(x, 6, padding=1), 8, padding=1), 10, padding=1)
    x = F.adaptive_avg_pool2d(F.max_pool2d(x, 3, 2), 6).flatten(1)
    x = F.relu(F.linear(x, w["classifier.1.weight"], w["classifier.1.bias"]))
    x = F.relu(F.linear(x, w["classifier.4.weight"], w["classifier.4.bias"]))
    return F.linear(x, w["classifier.6.weight"], w["classifier.6.bias"])


def resnet18(x, w):
    x = F.relu(norm(F.conv2d(x, w["conv1.weight"], stride=2, padding=3), w, "bn1"))
    x = F.max_pool2d(x, 3, 2, 1)
    for stage in range(1, 5):
        for block in range(2):
            name = f"layer{stage}.{block}"
            stride = 2 if stage > 1 and block == 0 else 1
            y = F.conv2d(x, w[name + ".conv1.weight"], stride=stride, padding=1)
            y = F.relu(norm(y, w, name + ".bn1"))
            y = norm(F.conv2d(y, w[name + ".conv2.weight"], padding=1), w, name + ".bn2")
            if stride == 2:
                x = F.conv2d(x, w[name + ".downsample.0.weight"], stride=2)
                x = norm(x, w, name + ".downsample.1")
            x = F.relu(x + y)
    x = F.adaptive_avg_pool2d(x, 1).flatten(1)
    return F.linear(x, w["fc.weight"], w["fc.bias"])


def densenet121(x, w):
    x = F.conv2d(x, w["features.conv0.weight"], stride=2, padding=3)
    x = F.max_pool2d(F.relu(norm(x, w, "features.norm0")), 3, 2, 1)
    for stage, depth in enumerate([6, 12, 24, 16], 1):
        for i in range(1, depth + 1):
            name = f"features.denseblock{stage}.denselayer{i}"
            y = F.conv2d(F.relu(norm(x, w, name + ".norm1")), w[name + ".conv1.weight"])
            y = F.conv2d(F.relu(norm(y, w, name + ".norm2")), w[name + ".conv2.weight"], padding=1)
            x = torch.cat([x, y], 1)
        if stage < 4:
            name = f"features.transition{stage}"
            x = F.conv2d(F.relu(norm(x, w, name + ".norm")), w[name + ".conv.weight"])
            x = F.avg_pool2d(x, 2, 2)
    x = F.adaptive_avg_pool2d(F.relu(norm(x, w, "features.norm5")), 1).flatten(1)
    return F.linear(x, w["classifier.weight"], w["classifier.bias"])


for network in (alexnet, resnet18, densenet121):
    arrays = numpy.load(f"{sys.argv[1]}/{network.__name__}.npz")
    weights = {name: torch.from_numpy(arrays[name]) for name in arrays}
    picture = numpy.arange(3 * SIDE * SIDE) * 37 % 101 / numpy.float32(101)
    picture = torch.from_numpy(picture.astype(numpy.float32)).reshape(1, 3, SIDE, SIDE)
    with torch.no_grad():
        print(network.__name__, network(picture, weights)[0].tolist())
