#!/usr/bin/env python3
"""Robust training of ResNet-18 on a GPU: `levee train --model python:` beside the loop one writes in PyTorch.

Both compute a gradient of one batch for each of n workers, the coordinate-wise median of the gradients, and a step of
SGD. The loop keeps everything on the GPU and computes one gradient after the other, with PyTorch's defaults; Levee
computes gradients in processes of their own with deterministic algorithms and aggregates on the processors. Prints the
median milliseconds per round without the first tenth, and what they are made of.

    benchmarks/gpu_training.py [--workers 1,4] [--batch 128,512] [--rounds 60] [--levee ./levee] [--device cuda]
"""

import argparse
import csv
import os
import statistics
import subprocess
import sys
import tempfile
import time

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import resnet18  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--workers", default="1,4")
parser.add_argument("--batch", default="128,512")
parser.add_argument("--rounds", type=int, default=60)
parser.add_argument("--levee", default=os.path.join(HERE, "..", "levee"))
parser.add_argument("--device", default="cuda")
options = parser.parse_args()


def steady(times):
    return 1e3 * statistics.median(times[max(1, len(times) // 10) :])


def wait():
    if options.device != "cpu":
        torch.cuda.synchronize()


def loop(workers, batch):
    """Milliseconds per round of a loop that stays on the GPU."""
    torch.manual_seed(0)
    module = resnet18.model().to(options.device).train()
    parameters = list(module.parameters())
    shards = [[part.to(options.device) for part in resnet18.data(id, workers)] for id in range(workers)]
    loss = torch.nn.functional.cross_entropy
    times = []
    for step in range(options.rounds):
        start = time.perf_counter()
        gradients = []
        for inputs, labels in shards:
            at = step * batch % (len(inputs) - batch + 1)
            module.zero_grad(set_to_none=True)
            loss(module(inputs[at : at + batch]), labels[at : at + batch]).backward()
            gradients.append(torch.cat([parameter.grad.reshape(-1) for parameter in parameters]))
        with torch.no_grad():
            combined = gradients[0] if workers == 1 else torch.stack(gradients).median(0).values
            for parameter, part in zip(parameters, combined.split([each.numel() for each in parameters])):
                parameter.sub_(part.view(parameter.shape), alpha=0.05)
        wait()
        times.append(time.perf_counter() - start)
    return steady(times)


def levee(workers, batch):
    """Milliseconds per round through Levee: all, computing, the way of gradients, aggregation and the step."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [options.levee, "train", "--model", "python:" + os.path.join(HERE, "resnet18.py")]
            + ["--python", sys.executable, "--device", options.device, "--workers", str(workers), "--byzantine", "0"]
            + ["--aggregator", "median", "--batch-size", str(batch), "--rounds", str(options.rounds)]
            + ["--learning-rate", "0.05", "--eval-interval", str(options.rounds), "--seed", "1", "--output", folder]
            + ["--overwrite"],
            check=True,
            stdout=sys.stderr,
        )
        with open(os.path.join(folder, "metrics.csv")) as file:
            rounds = [row for row in csv.DictReader(file) if row["seconds"]]
    names = ("seconds", "compute", "ship", "reduce", "update")
    return [steady([float(row[name] or 0) for row in rounds]) for name in names]


print("PyTorch %s, %s" % (torch.__version__, torch.cuda.get_device_name() if options.device != "cpu" else "processor"))
print("\n| Workers | Batch | PyTorch loop | Levee | Ratio | of which computing | shipping | aggregating | step |")
print("|---|---|---|---|---|---|---|---|---|")
for workers in map(int, options.workers.split(",")):
    for batch in map(int, options.batch.split(",")):
        alone = loop(workers, batch)
        round_, *parts = levee(workers, batch)
        print("| %d | %d | %.1f | %.1f | %.2f | %s |" % (
            workers, batch, alone, round_, round_ / alone, " | ".join("%.1f" % part for part in parts)), flush=True)
