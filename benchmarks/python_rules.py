#!/usr/bin/env python3
"""levee.aggregate beside the same rules in plain NumPy and in ByzFL, in turn in one run.

The NumPy versions are what one writes from the definitions, vectorized over coordinates. Where ByzFL is not installed,
its column is this file's version of the algorithm that ByzFL 0.0.11 publishes: the same calls of NumPy and SciPy on the
same arrays, without its checks of types. Rules are ByzFL's variants where papers leave a choice.

Prints a Markdown table: least milliseconds, the ratios, and the largest difference between the results of
Levee and ByzFL (or NumPy) relative to the result's largest coordinate. ByzFL's CAF and SMEA take one step of the power
method from a random vector, so they are compared on other rows: both results must leave out f rows that are far away.
One thread for all, unless --threads says otherwise. Then the cost of a call: the time of a rule over 11 rows of few
coordinates.

    PYTHONPATH=python/src python3 benchmarks/python_rules.py [--threads N] [--seconds S] [--rows 10,20,50] [--sizes 1e3,1e5,1e6] [--rules krum]
"""

import argparse
import os

parser = argparse.ArgumentParser()
parser.add_argument("--threads", type=int, default=1)
parser.add_argument("--seconds", type=float, default=0.3, help="how long each of the two is repeated, at least twice")
parser.add_argument("--clock", choices=("wall", "thread"), default="wall", help="thread: of the processor, on busy machines")
parser.add_argument("--warm-up", type=float, default=2, help="seconds that each rule is called for before anything is measured")
parser.add_argument("--rules", default="", help="only those that have this in their name")
parser.add_argument("--rows", default="10,20,50")
parser.add_argument("--sizes", default="1e3,1e4,1e5,1e6")
options = parser.parse_args()
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = str(options.threads)

import itertools  # noqa: E402
import math  # noqa: E402
import platform  # noqa: E402
import time  # noqa: E402

import numpy as np  # noqa: E402
from scipy.spatial import distance  # noqa: E402

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
    return x[np.argsort(krum_scores(x, f - 1), kind="stable")[: len(x) - f]].mean(axis=0)


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


def cge(x, f):
    return x[np.argsort(np.linalg.norm(x, axis=1), kind="stable")[: len(x) - f]].mean(axis=0)


# From here on as ByzFL publishes it.


def nearest_others(x, f):
    """Mean squared distance of each row to its n - f - 1 nearest others."""
    return np.sort(distance.cdist(x, x) ** 2, axis=1)[:, 1 : len(x) - f].mean(axis=1)


def published_multi_krum(x, f):
    k = len(x) - f
    return x[np.argpartition(nearest_others(x, f), k - 1)[:k]].mean(axis=0)


def published_median_mean(x, f):
    k, d = x.shape[0] - f, x.shape[1]
    nearest = np.argpartition(np.abs(x - np.median(x, axis=0)), k - 1, axis=0)[:k]
    return x.take(nearest * d + np.arange(d)).mean(axis=0)


def published_geometric_median(x, f):
    z = np.zeros_like(x[0])
    finite = x[~np.isinf(x).any(axis=1)]
    for _ in range(3):
        weights = (1 / len(x)) / np.maximum(np.linalg.norm(finite - z, axis=1), 0.1)[:, None]
        z = (finite * weights).sum(axis=0) / weights.sum()
    return z


def published_centered_clipping(x, f):
    v = np.zeros_like(x[0])
    away = x - v
    factors = np.minimum(1, 100 / np.linalg.norm(away, axis=1))
    return v + (away * factors[:, None]).mean(axis=0)


def published_mda(x, f):
    between, least, chosen = distance.cdist(x, x), np.inf, None
    for rows in itertools.combinations(range(len(x)), len(x) - f):
        diameter = between[tuple(zip(*itertools.combinations(rows, 2)))].max()
        if diameter < least:
            least, chosen = diameter, rows
    return x[np.asarray(chosen)].mean(axis=0)


def published_monna(x, f):
    k = len(x) - f
    return x[np.argpartition(distance.cdist(x, x[:1]).ravel(), k - 1)[:k]].mean(axis=0)


def published_nnm(x, f):
    k = len(x) - f
    return x[np.argpartition(distance.cdist(x, x), k - 1, axis=1)[:, :k]].mean(axis=1)


def published_clipping(x, f):
    clipped = x.copy()  # ByzFL changes its argument
    for i, row in enumerate(clipped):
        norm = np.linalg.norm(row)
        if norm > 2:
            clipped[i] = row * (2 / norm)
    return clipped


def published_arc(x, f):
    n = len(x)
    clipped = x.copy()  # ByzFL changes its argument
    norms = sorted(((np.linalg.norm(row), i) for i, row in enumerate(clipped)), key=lambda each: each[0])
    kept = n - int((2 * f / n) * (n - f))
    bound = norms[kept - 1][0]
    for _, i in norms[kept:]:
        norm = np.linalg.norm(clipped[i])
        if norm > bound:
            clipped[i] = clipped[i] * (bound / norm)
    return clipped


def published_bucketing(x, f):
    mixed = np.random.permutation(x)
    whole = len(x) // 2
    means = mixed[: 2 * whole].reshape(whole, 2, -1).mean(axis=1)
    if 2 * whole == len(x):
        return means
    return np.concatenate((means, mixed[2 * whole :].mean(axis=0).reshape(1, -1)))


def random_direction(d):
    v = np.random.randn(d)
    return v / np.linalg.norm(v)


def published_caf(x, f):
    n, weights, least, best = len(x), np.ones(len(x)), np.inf, None
    while weights.sum() > n - 2 * f:
        mean = (weights[:, None] * x).sum(axis=0) / weights.sum()
        away = x - mean
        along = away @ random_direction(x.shape[1])
        moved = (weights[:, None] * away * along[:, None]).sum(axis=0) / weights.sum()
        v = moved / np.linalg.norm(moved)
        eigenvalue = v @ moved
        if eigenvalue < least:
            least, best = eigenvalue, mean
        outlying = (away @ v) ** 2
        weights = weights * (1 - outlying / outlying.max())
    return best


def published_smea(x, f):
    least, chosen = np.inf, None
    for rows in itertools.combinations(range(len(x)), len(x) - f):
        of = x[np.asarray(rows)]
        away = of - of.mean(axis=0)
        along = away @ random_direction(x.shape[1])
        moved = (away * along[:, None]).sum(axis=0)
        eigenvalue = (moved / np.linalg.norm(moved)) @ moved
        if eigenvalue < least:
            least, chosen = eigenvalue, rows
    return x[np.asarray(chosen)].mean(axis=0)


def few_subsets(n, f, d):
    return math.comb(n, f) < 10_000


def few_floats(n, f, d):
    """Whether all subsets of n - f rows have fewer than 2**30 coordinates, some seconds of work."""
    return math.comb(n, f) * (n - f) * d < 2**30


def fits(n, f, d):
    """Whether the n matrices of n - f rows that NNM makes at once take less than 4 GiB."""
    return n * (n - f) * d < 2**30


# Rule, the same in NumPy, in ByzFL, and as ByzFL publishes it; where the latter is not out of the question.
RULES = [
    ("average", lambda x, f: x.mean(axis=0), lambda f: byzfl.Average(), lambda x, f: np.mean(x, axis=0), None),
    ("median", lambda x, f: np.median(x, axis=0), lambda f: byzfl.Median(), lambda x, f: np.median(x, axis=0), None),
    ("trimmed-mean", trimmed_mean, lambda f: byzfl.TrMean(f), lambda x, f: np.mean(np.sort(x, axis=0)[f:-f], axis=0), None),
    ("meamed", meamed, lambda f: byzfl.Meamed(f), published_median_mean, None),
    (
        "krum(neighbours=n-f-1)",
        lambda x, f: x[np.argmin(krum_scores(x, f - 1))],
        lambda f: byzfl.Krum(f),
        lambda x, f: x[np.argmin(nearest_others(x, f))],
        None,
    ),
    ("multi-krum(m=n-f,neighbours=n-f-1)", multi_krum, lambda f: byzfl.MultiKrum(f), published_multi_krum, None),
    (
        "geometric-median(nu=0.1,iterations=3,start=zero)",
        None,
        lambda f: byzfl.GeometricMedian(),
        published_geometric_median,
        None,
    ),
    ("geometric-median", geometric_median, None, None, None),
    ("centered-clipping(tau=100)", None, lambda f: byzfl.CenteredClipping(), published_centered_clipping, None),
    ("cge", cge, None, None, None),
    ("mda", None, lambda f: byzfl.MDA(f), published_mda, few_subsets),
    ("caf", None, lambda f: byzfl.CAF(f), published_caf, None),
    ("smea", None, lambda f: byzfl.SMEA(f), published_smea, few_floats),
    ("monna", None, lambda f: byzfl.MoNNA(f), published_monna, None),
    (
        "nnm | trimmed-mean",
        lambda x, f: trimmed_mean(nnm(x, f), f),
        lambda f: lambda x: byzfl.TrMean(f)(byzfl.NNM(f)(x)),
        lambda x, f: trimmed_mean(published_nnm(x, f), f),
        fits,
    ),
    (
        "clip(2) | nnm | trimmed-mean",
        None,
        lambda f: lambda x: byzfl.TrMean(f)(byzfl.NNM(f)(byzfl.Clipping()(x.copy()))),
        lambda x, f: trimmed_mean(published_nnm(published_clipping(x, f), f), f),
        fits,
    ),
    (
        "arc | average",
        None,
        lambda f: lambda x: byzfl.Average()(byzfl.ARC(f)(x.copy())),
        lambda x, f: published_arc(x, f).mean(axis=0),
        None,
    ),
    (
        "bucketing(2) | average",
        None,
        lambda f: lambda x: byzfl.Average()(byzfl.Bucketing(2)(x)),
        lambda x, f: published_bucketing(x, f).mean(axis=0),
        None,
    ),
]

# Those of ByzFL that give another result in each call.
RANDOM = ("caf", "smea")

RULES = [rule for rule in RULES if options.rules in rule[0]]

clock = time.thread_time if options.clock == "thread" else time.perf_counter


def least_ms(*calls):
    """The least time of each of the calls, made in turn."""
    least = [float("inf")] * len(calls)
    spent, turns = 0.0, 0
    while turns < 2 or spent < options.seconds * len(calls):
        for i, call in enumerate(calls):
            start = clock()
            call()
            taken = clock() - start
            least[i] = min(least[i], taken * 1e3)
            spent += taken
        turns += 1
    return least


def warm_up():
    """Java compiles what it has run for a while."""
    x = np.random.default_rng(1).standard_normal((20, 100_000)).astype(np.float32)
    for rule, *_ in RULES:
        end = time.perf_counter() + options.warm_up
        while time.perf_counter() < end:
            levee.aggregate(x, rule, f=4, threads=options.threads)


def far_rows_left_out(calls, x, f):
    """Checks that results are near the honest rows of ten coordinates, whose f others are far away."""
    rows = x[:, :10] + np.where(np.arange(len(x)) < f, np.float32(1000), np.float32(0))[:, None]
    for name, call in calls.items():
        furthest = np.abs(call(rows) - rows[f:].mean(axis=0)).max()
        if furthest > 2:
            raise SystemExit(f"{name} is {furthest:.3g} away from the mean of the honest rows")


def table():
    library = "ByzFL" if byzfl else "as ByzFL"
    print(
        f"{platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.0f}, Python {platform.python_version()},"
        f" NumPy {np.__version__}, {'ByzFL ' + byzfl.__version__ if byzfl else 'no ByzFL'}, threads: {options.threads}\n"
    )
    print(f"| rule | n | d | Levee, ms | NumPy, ms | NumPy / Levee | {library}, ms | {library} / Levee | difference |")
    print("|---" * 9 + "|")
    ratios = []
    for d in (int(float(size)) for size in options.sizes.split(",")):
        for n in (int(rows) for rows in options.rows.split(",")):
            f = n // 5
            x = np.random.default_rng(n).standard_normal((n, d)).astype(np.float32)
            for rule, numpys, byzfls, published, possible in RULES:
                of = {"Levee": lambda x: levee.aggregate(x, rule, f=f, threads=options.threads)}
                if numpys:
                    of["NumPy"] = lambda x: numpys(x, f)
                if published and (possible is None or possible(n, f, d)):
                    of[library] = byzfls(f) if byzfl else lambda x: published(x, f)
                calls = {name: lambda call=call: call(x) for name, call in of.items()}
                if rule in RANDOM:
                    far_rows_left_out(of, x, f)
                    shown = "–"
                else:
                    results = [call() for call in calls.values()]
                    shown = f"{np.abs(results[0] - results[-1]).max() / np.abs(results[0]).max():.0e}"
                least = dict(zip(calls, least_ms(*calls.values())))
                cells = [f"{least['Levee']:.3g}"]
                for other in ("NumPy", library):
                    known = other in least
                    cells += [f"{least[other]:.3g}", f"{least[other] / least['Levee']:.2f}"] if known else ["–", "–"]
                    if known:
                        ratios.append((d, other, least[other] / least["Levee"], f"{rule}, n = {n}"))
                named = rule.replace("|", "\\|")
                line = f"| `{named}` | {n} | {d:.0e} | {' | '.join(cells)} | {shown} |"
                print(line.replace("e+0", "e"), flush=True)
    for d in sorted({each[0] for each in ratios}):
        for other in ("NumPy", library):
            each = sorted(ratio for size, whose, ratio, _ in ratios if size == d and whose == other)
            if not each:
                continue
            slower = [name for size, whose, ratio, name in ratios if size == d and whose == other and ratio < 1]
            print(
                f"\nd = {d:.0e}, {other} / Levee: {len(each)} of {each[0]:.2f} to {each[-1]:.2f},"
                f" median {each[len(each) // 2]:.1f}; below 1: {'; '.join(slower) or 'none'}".replace("e+0", "e")
            )


def overhead():
    print("\n| rule, n = 11 | d | least µs per call | median µs per call |\n|---|---|---|---|")
    for d in (1, 100, 1000):
        x = np.random.default_rng(1).standard_normal((11, d)).astype(np.float32)
        for rule in ("average", "median", "krum"):
            taken = []
            end = clock() + options.seconds
            while clock() < end:
                start = clock()
                for _ in range(100):
                    levee.aggregate(x, rule, f=2, threads=1)
                taken.append((clock() - start) * 1e4)
            print(f"| `{rule}` | {d} | {min(taken):.0f} | {sorted(taken)[len(taken) // 2]:.0f} |")


warm_up()
table()
overhead()
