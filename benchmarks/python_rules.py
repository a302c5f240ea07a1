#!/usr/bin/env python3
"""levee.aggregate beside the same rules in plain NumPy, and beside ByzFL where it is installed, in turn in one run.

The NumPy versions are what one writes from the definitions, vectorized over coordinates. Prints a Markdown table: least
milliseconds of wall time, the ratio, and the largest difference between the two results relative to the result's largest
coordinate. One thread for both, unless --threads says otherwise. Then the cost of a call: the time of a rule over 11 rows
of few coordinates.

    PYTHONPATH=python/src python3 benchmarks/python_rules.py [--threads N] [--seconds S] [--rows 10,20,50] [--sizes 1e3,1e5,1e6]
"""

import argparse
import os

parser = argparse.ArgumentParser()
parser.add_argument("--threads", type=int, default=1)
parser.add_argument("--seconds", type=float, default=0.3, help="how long each of the two is repeated, at least twice")
parser.add_argument("--rows", default="10,20,50")
parser.add_argument("--sizes", default="1e3,1e5,1e6")
options = parser.parse_args()
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = str(options.threads)

import platform  # noqa: E402
import time  # noqa: E402

import numpy as np  # noqa: E402

import levee  # noqa: E402

try:
    import byzfl
except ImportError:
    byzfl = None


def distances(x):
    squares = (x * x).sum(axis=1)
    return np.maximum(squares[:, None] + squares - 2 * x @ x.T, 0)


def krum_scores(x, f):
    ordered = np.sort(distances(x), axis=1)
    return ordered[:, 1 : len(x) - f - 1].sum(axis=1)


def multi_krum(x, f):
    return x[np.argsort(krum_scores(x, f), kind="stable")[: len(x) - f - 2]].mean(axis=0)


def trimmed_mean(x, f):
    return np.sort(x, axis=0)[f : len(x) - f].mean(axis=0)


def meamed(x, f):
    nearest = np.argsort(np.abs(x - np.median(x, axis=0)), axis=0, kind="stable")[: len(x) - f]
    return np.take_along_axis(x, nearest, axis=0).mean(axis=0)


def nnm(x, f):
    nearest = np.argsort(distances(x), axis=1, kind="stable")[:, : len(x) - f]
    return np.stack([x[each].mean(axis=0) for each in nearest])


def geometric_median(x, f):
    z = x.mean(axis=0)
    for _ in range(100):
        weights = 1 / np.maximum(np.linalg.norm(x - z, axis=1), 1e-12)
        moved = weights @ x / weights.sum()
        done = np.linalg.norm(moved - z) < 1e-6 * np.linalg.norm(moved)
        z = moved
        if done:
            break
    return z


def centered_clipping(x, f):
    norms = np.linalg.norm(x, axis=1)
    return (x * np.minimum(1, 10 / norms)[:, None]).mean(axis=0)


def cge(x, f):
    return x[np.argsort(np.linalg.norm(x, axis=1), kind="stable")[: len(x) - f]].mean(axis=0)


# Rule, the same in NumPy, and in ByzFL, as its documentation has it.
RULES = [
    ("average", lambda x, f: x.mean(axis=0), lambda f: byzfl.Average()),
    ("median", lambda x, f: np.median(x, axis=0), lambda f: byzfl.Median()),
    ("trimmed-mean", trimmed_mean, lambda f: byzfl.TrMean(f)),
    ("meamed", meamed, lambda f: byzfl.Meamed(f)),
    ("krum", lambda x, f: x[np.argmin(krum_scores(x, f))], lambda f: byzfl.Krum(f)),
    ("multi-krum", multi_krum, None),  # ByzFL's averages another number of rows
    ("geometric-median", geometric_median, lambda f: byzfl.GeometricMedian()),
    ("centered-clipping", centered_clipping, None),  # ByzFL's iterates once from another start
    ("cge", cge, None),
    ("nnm | trimmed-mean", lambda x, f: trimmed_mean(nnm(x, f), f), None),
]


def least_ms(*calls):
    """The least time of each of the calls, made in turn."""
    least = [float("inf")] * len(calls)
    spent, turns = 0.0, 0
    while turns < 2 or spent < options.seconds * len(calls):
        for i, call in enumerate(calls):
            start = time.perf_counter()
            call()
            taken = time.perf_counter() - start
            least[i] = min(least[i], taken * 1e3)
            spent += taken
        turns += 1
    return least


def table():
    others = ["NumPy"] + (["ByzFL"] if byzfl else [])
    print(
        f"{platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.0f}, Python {platform.python_version()},"
        f" NumPy {np.__version__}, {'ByzFL ' + byzfl.__version__ if byzfl else 'no ByzFL'}, threads: {options.threads}\n"
    )
    print("| rule | n | d | Levee, ms | " + " | ".join(f"{o}, ms | {o} / Levee" for o in others) + " | difference |")
    print("|---" * (5 + 2 * len(others)) + "|")
    ratios = []
    for d in (int(float(size)) for size in options.sizes.split(",")):
        for n in (int(rows) for rows in options.rows.split(",")):
            f = n // 5
            x = np.random.default_rng(n).standard_normal((n, d)).astype(np.float32)
            for rule, numpys, byzfls in RULES:
                ours = lambda: levee.aggregate(x, rule, f=f, threads=options.threads)  # noqa: E731
                calls = [ours, lambda: numpys(x, f)]
                if byzfl and byzfls:
                    theirs = byzfls(f)
                    calls.append(lambda: theirs(x))
                for call in calls:
                    call()
                mine, *rest = least_ms(*calls)
                result = ours()
                difference = np.abs(result - numpys(x, f)).max() / np.abs(result).max()
                cells = [f"{ms:.3g} | {ms / mine:.2f}" for ms in rest] + ["– | –"] * (len(others) - len(rest))
                named = rule.replace("|", "\\|")
                print(f"| `{named}` | {n} | {d:.0e} | {mine:.3g} | {' | '.join(cells)} | {difference:.0e} |".replace("e+0", "e"), flush=True)
                ratios.append((d, rest[0] / mine))
    for d in sorted({d for d, _ in ratios}):
        each = sorted(ratio for size, ratio in ratios if size == d)
        slower = sum(ratio < 1 for ratio in each)
        print(f"\nd = {d:.0e}: {len(each)} rules and n, NumPy / Levee {each[0]:.2f} to {each[-1]:.2f}, median {each[len(each) // 2]:.1f},"
              f" slower than NumPy: {slower}".replace("e+0", "e"))


def overhead():
    print("\n| rule, n = 11 | d | least µs per call | median µs per call |\n|---|---|---|---|")
    for d in (1, 100, 1000):
        x = np.random.default_rng(1).standard_normal((11, d)).astype(np.float32)
        for rule in ("average", "median", "krum"):
            taken = []
            end = time.perf_counter() + options.seconds
            while time.perf_counter() < end:
                start = time.perf_counter()
                for _ in range(100):
                    levee.aggregate(x, rule, f=2, threads=1)
                taken.append((time.perf_counter() - start) * 1e4)
            print(f"| `{rule}` | {d} | {min(taken):.0f} | {sorted(taken)[len(taken) // 2]:.0f} |")


table()
overhead()
