"""Rules by which one model is made of those of several servers.

Those that work coordinate by coordinate are here; all others are Levee's own, in a Java virtual machine in this
process. The ones here have the bits of Levee's own: values are sorted as integers of the same order, sums are of float64, upwards in that
order, and the result is rounded once. Models are rows of float32 without NaN; f of them may be lies.
"""

from __future__ import annotations

from typing import Any, Callable, Dict

import numpy as np
from numpy.typing import NDArray

from .arrays import aggregate_in_round
from .errors import LeveeError

Rule = Callable[[NDArray[Any], int], NDArray[Any]]


def combined(name: str, models: NDArray[Any], f: int, draws: int) -> NDArray[Any]:
    """One model of several, by the rule that Levee calls so.

    draws: by which the rule draws, if it does.
    """
    found = _RULES.get(name)
    if found is not None:
        return found(models, f)
    try:
        return aggregate_in_round(models, name, f, draws)
    except LeveeError as e:
        raise LeveeError(f"the servers make one model of theirs by {name}, for which this worker needs Java: {e}") from e


def _sorted(models: NDArray[Any]) -> NDArray[Any]:
    keys: NDArray[Any] = models.view(np.int32)
    keys = np.sort(keys ^ (keys >> 31) & 0x7FFFFFFF, axis=0)
    return (keys ^ (keys >> 31) & 0x7FFFFFFF).view(np.float32)


def _sum(rows: NDArray[Any]) -> NDArray[Any]:
    sums = np.zeros(rows.shape[1])
    for row in rows:
        sums += row
    return sums


def _mean(rows: NDArray[Any]) -> NDArray[Any]:
    mean: NDArray[Any] = (_sum(rows) / len(rows)).astype(np.float32)
    return mean


def _median(models: NDArray[Any], lower: bool) -> NDArray[Any]:
    ranks = _sorted(models)
    low, high = (len(ranks) - 1) // 2, len(ranks) // 2
    return ranks[low] if lower or low == high else _mean(ranks[low : high + 1])


def _around(models: NDArray[Any], low: int, high: int, keep: int) -> NDArray[Any]:
    """Mean of the values closest to the mean of ranks low to high; of two that are equally close the smaller is kept."""
    ranks = _sorted(models)
    center = _sum(ranks[low : high + 1]) / (high - low + 1)
    nearest = np.full(len(center), np.inf)
    start = np.full(len(center), len(ranks) - keep)
    for rank in reversed(range(len(ranks) - keep)):
        nearest = np.minimum(nearest, np.abs(center - ranks[rank + keep]))
        start[(np.abs(center - ranks[rank]) <= nearest) | np.isinf(nearest)] = rank
    sums = np.zeros(len(center))
    for rank, values in enumerate(ranks):
        sums += np.where((start <= rank) & (rank < start + keep), values, np.float32(0))
    mean: NDArray[Any] = (sums / keep).astype(np.float32)
    return mean


_RULES: Dict[str, Rule] = {
    "median": lambda models, f: _median(models, False),
    "median(lower)": lambda models, f: _median(models, True),
    "trimmed-mean": lambda models, f: _mean(_sorted(models)[f : len(models) - f]),
    "meamed": lambda models, f: _around(models, (len(models) - 1) // 2, len(models) // 2, len(models) - f),
    "phocas": lambda models, f: _around(models, f, len(models) - 1 - f, len(models) - f),
    "average": lambda models, f: _mean(models),
}
