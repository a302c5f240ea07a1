#!/usr/bin/env python3
"""What NumPy needs for the shapes of the benchmark Kernels, on one thread: mean, median, and the
Gram matrix, which OpenBLAS multiplies. Prints a Markdown table in milliseconds, medians. With two
arguments, n and d, prints the least nanoseconds of processor time of numpy.median, numpy.sort,
numpy.sort with the mean of the middle three fifths, and the Gram matrix, which Kernels reads."""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import sys  # noqa: E402
import time  # noqa: E402

import numpy  # noqa: E402


def median_ms(work, turns):
    times = []
    for _ in range(turns):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1e3)
    return sorted(times)[turns // 2]


def least_ns(work):
    least = float("inf")
    end = time.perf_counter() + 1
    calls = 0
    while calls < 3 or time.perf_counter() < end:
        start = time.process_time_ns()
        work()
        least = min(least, time.process_time_ns() - start)
        calls += 1
    return least


if len(sys.argv) == 3:
    n, d = int(sys.argv[1]), int(sys.argv[2])
    f = n // 5
    rows = numpy.random.default_rng(1).random((n, d), dtype=numpy.float32)
    print(
        least_ns(lambda: numpy.median(rows, axis=0)),
        least_ns(lambda: numpy.sort(rows, axis=0)),
        least_ns(lambda: numpy.sort(rows, axis=0)[f : n - f].mean(axis=0)),
        least_ns(lambda: rows @ rows.T) if n <= 3000 else 0,
    )
    sys.exit()

print(f"NumPy {numpy.__version__}, one thread\n")
print("| d | n | mean | median | Gram (OpenBLAS) |")
print("|---|---|---|---|---|")
for d, turns in ((1_000_000, 15), (10_000_000, 3)):
    for n in (5, 11, 25, 51):
        rows = numpy.random.default_rng(1).random((n, d), dtype=numpy.float32)
        mean = median_ms(lambda: rows.mean(axis=0), turns)
        median = median_ms(lambda: numpy.median(rows, axis=0), 1 if d > 1_000_000 else 3)
        gram = median_ms(lambda: rows @ rows.T, turns)
        print(f"| {d:.0e} | {n} | {mean:.2f} | {median:.0f} | {gram:.2f} |".replace("e+0", "e"))
