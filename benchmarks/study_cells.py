#!/usr/bin/env python3
"""Cells of ByzFL's grid on MNIST by levee study, and by a plain PyTorch loop that works as ByzFL's benchmark does.

ByzFL publishes no wall times. Where it cannot be installed, this file's loop stands for it: the same network, honest
clients one after the other, momentum, attacks with their line search over whole aggregations, clipping, NNM and trimmed
mean on stacked tensors, weight decay at the server, and evaluation in batches of 100, as ByzFL 0.0.11 publishes them.
Both train as many cells at a time as there are processors, one thread each, on the same random pictures in MNIST's size
and number. Prints seconds per cell and the estimate for the grid, whose cells have 800 rounds.

    PYTHONPATH=python/src python3 benchmarks/study_cells.py [--rounds 20] [--attacks sign-flip,ipm,alie] [--at-once 2]
"""

import argparse
import json
import math
import multiprocessing
import os
import pathlib
import struct
import sys
import tempfile
import time

os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402

WORKERS, F, BATCH, RATE, MOMENTUM, DECAY, EVERY = 10, 2, 25, 0.1, 0.9, 1e-4, 50
ROUNDS_OF_A_CELL, CELLS_OF_AN_ATTACK = 800, 96
# Of Levee, after the first round, in a study that tells what they cost.
EVALUATIONS = 5
LEVEES = {
    "sign-flip": "sign-flip(mean)",
    "ipm": "optimal-fall-of-empires(rule={aggregator})",
    "alie": "optimal-little-is-enough(rule={aggregator})",
}
MODEL = "layers:conv(20,5);relu;maxpool(2);conv(50,5);relu;maxpool(2);flatten;dense(500);relu;dense"


def pictures(folder):
    """Ten patterns under noise, in the files of MNIST."""
    draws = np.random.default_rng(1)
    patterns = draws.integers(0, 256, (10, 28, 28))
    for name, count in (("train", 60_000), ("t10k", 10_000)):
        labels = draws.integers(0, 10, count).astype(np.uint8)
        noise = draws.integers(0, 256, (count, 28, 28))
        images = ((patterns[labels] + 3 * noise) // 4).astype(np.uint8)
        (folder / f"{name}-images-idx3-ubyte").write_bytes(struct.pack(">4i", 0x803, count, 28, 28) + images.tobytes())
        (folder / f"{name}-labels-idx1-ubyte").write_bytes(struct.pack(">2i", 0x801, count) + labels.tobytes())


def read(folder, name):
    import torch

    images = np.frombuffer((folder / f"{name}-images-idx3-ubyte").read_bytes(), np.uint8, offset=16)
    labels = np.frombuffer((folder / f"{name}-labels-idx1-ubyte").read_bytes(), np.uint8, offset=8)
    x = torch.from_numpy(images.reshape(-1, 1, 28, 28).astype(np.float32) / 255)
    return (x - 0.1307) / 0.3081, torch.from_numpy(labels.astype(np.int64))


def network():
    from torch import nn

    return nn.Sequential(
        nn.Conv2d(1, 20, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(20, 50, 5), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(800, 500), nn.ReLU(), nn.Linear(500, 10), nn.LogSoftmax(1),
    )  # fmt: skip


def aggregate(rows):
    """Clipping, NNM and trimmed mean."""
    import torch

    clipped = rows.clone()
    for i in range(len(clipped)):
        norm = torch.linalg.norm(clipped[i])
        if norm > 2:
            clipped[i] = clipped[i] * (2 / norm)
    nearest = torch.topk(torch.cdist(clipped, clipped), len(rows) - F, largest=False, dim=1)[1]
    mixed = clipped[nearest].mean(dim=1)
    return torch.sort(mixed, dim=0)[0][F:-F].mean(dim=0)


def forged(attack, honest):
    import torch

    mean = honest.mean(dim=0)
    if attack == "sign-flip":
        return -mean
    away = -mean if attack == "ipm" else torch.sqrt(torch.var(honest, dim=0))
    # Both add a factor times a direction to the mean, and look for the factor by lines: twice the step while it gets
    # worse for the rule, then 0.8 of it.
    def harm(factor):
        row = mean + factor * away
        return torch.linalg.norm(aggregate(torch.cat([honest, row.repeat(F, 1)])) - mean)

    best, tried, step = 0.0, 0.0, 1.0
    worst, left, growing = harm(0.0), (16 if attack == "ipm" else 20) - 1, True
    while left > 0:
        if growing:
            tried = best + step
        elif tried < best:
            tried += step
        else:
            tried = abs(tried - step)
        found, left = harm(tried), left - 1
        if found > worst:
            worst, best = found, tried
            step *= 2 if growing else 0.8
        else:
            step, growing = step * 0.8, False
    return mean + best * away


def plain(task):
    """One cell; its seconds and its accuracy."""
    import torch

    attack, seed, rounds, folder = task
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    train, test = read(folder, "train"), read(folder, "t10k")
    start = time.perf_counter()
    held = len(train[0]) // 5
    order = torch.randperm(len(train[0]))
    validation = train[0][order[:held]], train[1][order[:held]]
    honest = WORKERS - F
    loaders = []
    for share in torch.chunk(order[held:], honest):
        own = torch.utils.data.TensorDataset(train[0][share], train[1][share])
        loaders.append(torch.utils.data.DataLoader(own, batch_size=BATCH, shuffle=True))
    batches = [iter(loader) for loader in loaders]
    server, clients = network(), [network() for _ in range(honest)]
    optimizer = torch.optim.SGD(server.parameters(), lr=RATE, weight_decay=DECAY)
    count = sum(p.numel() for p in server.parameters())
    momenta = [torch.zeros(count) for _ in clients]

    def tell():
        state = server.state_dict()
        for client in clients:
            client.load_state_dict(state)

    def accuracy(samples):
        server.eval()
        right = 0
        with torch.no_grad():
            for x, y in torch.utils.data.DataLoader(torch.utils.data.TensorDataset(*samples), batch_size=100):
                right += (server(x).argmax(1) == y).sum().item()
        return right / len(samples[0])

    def evaluate():
        accuracy(validation)
        return accuracy(test)

    tell()
    evaluations = 0.0
    for each in range(rounds):
        if each % EVERY == 0:
            before = time.perf_counter()
            evaluate()
            evaluations = time.perf_counter() - before
        for i, client in enumerate(clients):
            try:
                x, y = next(batches[i])
            except StopIteration:
                batches[i] = iter(loaders[i])
                x, y = next(batches[i])
            client.zero_grad()
            torch.nn.functional.nll_loss(client(x), y).backward()
            gradient = torch.cat([p.grad.view(-1) for p in client.parameters()])
            momenta[i].mul_(MOMENTUM).add_(gradient, alpha=1 - MOMENTUM)
        rows = torch.stack(momenta)
        rows = torch.cat([rows, forged(attack, rows).repeat(F, 1)])
        step, at = aggregate(rows), 0
        for p in server.parameters():
            p.grad = step[at : at + p.numel()].view_as(p).clone()
            at += p.numel()
        optimizer.step()
        tell()
    training = time.perf_counter() - start
    return training, evaluations, evaluate()


def whole_cell(per_round, evaluation):
    """Seconds of 800 rounds with an evaluation every 50."""
    return per_round * ROUNDS_OF_A_CELL + (ROUNDS_OF_A_CELL // EVERY + 1) * evaluation


def levees(folder, attack, rounds, seeds):
    """Seconds per round and per evaluation of cells that run together, and their accuracy."""
    import levee

    def study(rounds, every):
        grid = {
            "dataset": f"idx:{folder}?validation=0.2&scale=standard",
            "model": MODEL, "workers": WORKERS, "byzantine": F, "partition": "gamma(1.0)", "partition_among": "honest",
            "aggregator": "clip(2) | nnm | trimmed-mean", "attack": LEVEES[attack], "learning_rate": RATE,
            "momentum": MOMENTUM, "weight_decay": DECAY, "batch_size": BATCH, "rounds": rounds, "eval_interval": every,
            "seed": list(seeds),
        }  # fmt: skip
        output = pathlib.Path(tempfile.mkdtemp(dir=folder))
        made = levee.study(grid, output=str(output), parallelism=len(seeds), show=False)
        failed = [reason for reason in made.cells["reason"] if isinstance(reason, str) and reason]
        if failed:
            sys.exit(f"a cell failed: {failed[0]}")
        seconds = [json.loads(cell.read_text())["seconds"] for cell in output.glob("cells/*.json")]
        return float(np.mean(seconds)), made.cells

    # The first two evaluate twice, at the begin and the end. Code is compiled in the first rounds of a process, which are
    # in all of them.
    few, _ = study(rounds, rounds)
    many, cells = study(4 * rounds, 4 * rounds)
    often, _ = study(rounds, rounds // EVALUATIONS)
    per_round = (many - few) / (3 * rounds)
    evaluation = (often - few) / (EVALUATIONS - 1)
    return per_round, evaluation, float(np.mean(cells["final"]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--attacks", default="sign-flip,ipm,alie")
    parser.add_argument("--at-once", type=int, default=2)
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="levee-study-"))
    pictures(folder)
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.0f}, {options.at_once} cells at a time, {options.rounds} rounds\n")
    print("| Attack | PyTorch, s per round | evaluation, s | cell, s | Levee, s per round | evaluation, s | cell, s | Ratio | accuracy |")
    print("|---" * 9 + "|", flush=True)
    hours = [0.0, 0.0]
    seeds = range(options.at_once)
    for attack in options.attacks.split(","):
        with multiprocessing.get_context("spawn").Pool(options.at_once) as pool:
            made = pool.map(plain, [(attack, seed, options.rounds, folder) for seed in seeds], chunksize=1)
        seconds, evaluation, accuracy = np.mean(made, axis=0)
        round_of_loop = (seconds - math.ceil(options.rounds / EVERY) * evaluation) / options.rounds
        per_round, own_evaluation, own = levees(folder, attack, options.rounds, seeds)
        cells = whole_cell(round_of_loop, evaluation), whole_cell(per_round, own_evaluation)
        print(
            f"| {attack} | {round_of_loop:.3f} | {evaluation:.2f} | {cells[0]:.0f} |"
            f" {per_round:.3f} | {own_evaluation:.2f} | {cells[1]:.0f} | {cells[0] / cells[1]:.2f} | {accuracy:.2f}, {own:.2f} |",
            flush=True,
        )
        for i, cell in enumerate(cells):
            hours[i] += cell * CELLS_OF_AN_ATTACK / options.at_once / 3600
    print(f"\nCells of these attacks in the grid, estimated: PyTorch {hours[0]:.1f} h, Levee {hours[1]:.1f} h")


if __name__ == "__main__":
    main()
