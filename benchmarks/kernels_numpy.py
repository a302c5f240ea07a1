#!/usr/bin/env python3
"""What NumPy needs for the shapes of the benchmark Kernels, on one thread: mean, median, and the
Gram matrix, which OpenBLAS multiplies. Prints a Markdown table in milliseconds, medians."""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import time  # noqa: E402

import numpy  # noqa: E402


def median_ms(work, turns):
    times = []
    for _ in range(turns):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1e3)
    return sorted(times)[turns // 2]


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
