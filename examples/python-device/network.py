"""The user's own network, and data for a trial: rings of points, of which each device holds few angles."""
import pathlib, sys

import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
network = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 3))


def rings(count, angles, seed):
    """Points on three rings around the origin, between two angles, and on which ring each is."""
    draws = np.random.default_rng(seed)
    ring = draws.integers(3, size=count)
    angle = draws.uniform(*angles, size=count)
    radius = 1 + ring + draws.normal(0, 0.15, size=count)
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    return points.astype(np.float32), ring.astype(np.int64)


if __name__ == "__main__":
    folder, devices = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    torch.jit.script(network).save(str(folder / "network.pt"))
    turn = 2 * np.pi
    points, ring = rings(600, (0, turn), devices)
    np.savez(folder / "test.npz", x_train=points, y_train=ring, x_test=points, y_test=ring)
    for device in range(devices):
        points, ring = rings(100 + 50 * device, (turn * device / devices, turn * (device + 1.5) / devices), device)
        np.savez(folder / f"w{device}.npz", features=points, labels=ring)
