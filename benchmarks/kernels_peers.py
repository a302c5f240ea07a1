#!/usr/bin/env python3
"""Our rules, NumPy and, where it is installed, straightforward PyTorch versions of what other
libraries do, in turn in one run, on one thread: n = 20 rows of 1e6 coordinates, f = 4.

Prints milliseconds of processor time (medians) and how many times as long as ours the others take. Ours are timed
inside the process that benchmarks/run Peers starts, which answers one line for each line it reads,
so starting Java and reading rows is not counted. Debian's python3-torch belongs to /usr/bin/python3."""

import os

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import pathlib  # noqa: E402
import statistics  # noqa: E402
import subprocess  # noqa: E402
import time  # noqa: E402

import numpy  # noqa: E402

try:
    import torch

    torch.set_num_threads(1)
except ImportError:
    torch = None

N, F, D, TURNS = 20, 4, 1_000_000, 5
rows = numpy.random.default_rng(1).random((N, D), dtype=numpy.float32)
tensor = torch.from_numpy(rows) if torch else None


def trimmed(x):
    return numpy.sort(x, axis=0)[F : N - F].mean(axis=0)


def squares(x):
    gram = x @ x.T
    norms = gram.diagonal()
    return norms[:, None] + norms[None, :] - 2 * gram


def krum(x):
    return x[numpy.sort(squares(x), axis=1)[:, 1 : N - F - 1].sum(axis=1).argmin()]


def torch_krum(x):
    return x[torch.cdist(x, x).square().sort(dim=1).values[:, 1 : N - F - 1].sum(dim=1).argmin()]


def torch_multi_krum(x):
    scores = torch.cdist(x, x).square().sort(dim=1).values[:, 1 : N - F - 1].sum(dim=1)
    return x[scores.topk(N - F - 2, largest=False).indices].mean(dim=0)


def torch_nnm(x):
    nearest = torch.cdist(x, x).topk(N - F, dim=1, largest=False).indices
    return torch.stack([x[rows].mean(dim=0) for rows in nearest]).mean(dim=0)


def torch_meamed(x):
    nearest = (x - x.median(dim=0).values).abs().topk(N - F, dim=0, largest=False).indices
    return x.gather(0, nearest).mean(dim=0)


def torch_centered_clipping(x):
    z = torch.zeros(D)
    difference = x - z
    lengths = difference.norm(dim=1, keepdim=True)
    return z + (difference * (10 / lengths).clamp(max=1)).mean(dim=0)


def torch_caf(x):
    c = torch.ones(N, dtype=torch.float64)
    best, least = x.mean(dim=0), float("inf")
    while c.sum() > N - 2 * F:
        mean = (c[:, None].float() * x).sum(dim=0) / c.sum().float()
        centered = (x - mean) * (c / c.sum()).sqrt().float()[:, None]
        values, vectors = torch.linalg.eigh((centered @ centered.T).double())
        if values[-1] < least:
            best, least = mean, values[-1]
        squares = torch.where(c > 0, vectors[:, -1].square() / c.clamp(min=1e-300), c)
        c = c * (1 - squares / squares.max())
    return best


def torch_geometric_median(x):
    z = x.mean(dim=0)
    for _ in range(10):
        weights = 1 / (x - z).norm(dim=1).clamp(min=1e-6)
        z = (weights[:, None] * x).sum(dim=0) / weights.sum()
    return z


WORK = {
    "average": {"np.mean": lambda: rows.mean(axis=0)},
    "median": {
        "np.median": lambda: numpy.median(rows, axis=0),
        "np.sort": lambda: numpy.sort(rows, axis=0)[N // 2],
    },
    "trimmed-mean": {"np.sort, mean": lambda: trimmed(rows)},
    "krum": {"NumPy, Gram": lambda: krum(rows)},
    "multi-krum": {},
    "meamed": {},
    "nnm | average": {},
    "centered-clipping": {},
    "geometric-median": {},
    "caf": {},
}
if torch:
    WORK["average"]["torch.mean"] = lambda: tensor.mean(dim=0)
    WORK["median"]["torch.median"] = lambda: tensor.median(dim=0).values
    WORK["trimmed-mean"]["torch.sort, mean"] = lambda: (
        tensor.sort(dim=0).values[F : N - F].mean(dim=0)
    )
    WORK["krum"]["torch.cdist"] = lambda: torch_krum(tensor)
    WORK["multi-krum"]["torch.cdist"] = lambda: torch_multi_krum(tensor)
    WORK["meamed"]["torch.topk"] = lambda: torch_meamed(tensor)
    WORK["nnm | average"]["torch.cdist, topk"] = lambda: torch_nnm(tensor)
    WORK["centered-clipping"]["torch, 1 step"] = lambda: torch_centered_clipping(tensor)
    WORK["caf"]["torch.linalg.eigh"] = lambda: torch_caf(tensor)
    WORK["geometric-median"]["torch, 10 steps"] = lambda: torch_geometric_median(tensor)


def timed(work):
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1e3


run = pathlib.Path(__file__).with_name("run")
ours = subprocess.Popen(
    [str(run), "Peers", str(N), str(D), str(F), *WORK],
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    text=True,
)


def our_ms(rule):
    ours.stdin.write(rule + "\n")
    ours.stdin.flush()
    return float(ours.stdout.readline())


print(f"NumPy {numpy.__version__}, torch {torch.__version__ if torch else 'not installed'}")
print(f"n = {N}, d = {D}, f = {F}, one thread, processor time, medians of {TURNS}\n")
print("| rule | ours, ms | other | ms | other / ours |")
print("|---|---|---|---|---|")
for rule, others in WORK.items():
    times = {name: [] for name in others}
    own = []
    for _ in range(TURNS):
        own.append(our_ms(rule))
        for name, work in others.items():
            times[name].append(timed(work))
    mine = statistics.median(own)
    shown = rule.replace("|", "\\|")
    if not others:
        print(f"| {shown} | {mine:.2f} | – | – | – |")
    for name in others:
        other = statistics.median(times[name])
        print(f"| {shown} | {mine:.2f} | {name} | {other:.2f} | {other / mine:.2f} |", flush=True)
ours.stdin.close()
ours.wait()
