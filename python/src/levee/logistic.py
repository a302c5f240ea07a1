"""Logistic regression in NumPy, the job's `--model logistic`."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Tuple

import numpy as np
from numpy.typing import NDArray

from .errors import LeveeError
from .worker import Round


def gradient(parameters: NDArray[Any], x: NDArray[Any], y: NDArray[Any]) -> Tuple[NDArray[Any], float]:
    """Gradient of the mean softmax cross-entropy, and that mean: weight (classes, features), then bias (classes)."""
    classes = len(parameters) // (x.shape[1] + 1)
    weight, bias = np.split(parameters, [-classes])
    logits = (x @ weight.reshape(classes, -1).T + bias).astype(np.float64)
    logits -= logits.max(axis=1, keepdims=True)
    rows, total = np.arange(len(y)), np.exp(logits).sum(axis=1, keepdims=True)
    loss = float(np.mean(np.log(total[:, 0]) - logits[rows, y]))
    slope = np.exp(logits) / total
    slope[rows, y] -= 1
    slope = (slope / len(y)).astype(np.float32)
    return np.concatenate([(slope.T @ x).ravel(), slope.sum(axis=0)]), loss


class LogisticGradient:
    """Gradients on samples of this worker's, drawn anew in each round."""

    def __init__(self, x: NDArray[Any], y: NDArray[Any], worker: int):
        self._x = x.reshape(len(y), -1).astype(np.float32)
        self._y = y.astype(int)
        self._worker = worker

    def __call__(self, parameters: NDArray[Any], round: Round) -> Tuple[NDArray[Any], float]:
        features = self._x.shape[1]
        if len(parameters) % (features + 1):
            raise LeveeError(f"a model of {len(parameters)} parameters does not fit samples of {features} features")
        if self._y.max() >= len(parameters) // (features + 1):
            raise LeveeError(f"label {self._y.max()} is none of the model's {len(parameters) // (features + 1)} classes")
        drawn = np.random.default_rng((self._worker, round.version)).integers(len(self._y), size=round.batch)
        return gradient(parameters, self._x[drawn], self._y[drawn])


def logistic_scores(x: NDArray[Any], y: NDArray[Any]) -> Callable[[NDArray[Any], Round], Mapping[str, float]]:
    """A function that says how parameters do on test samples."""
    features, labels = x.reshape(len(y), -1).astype(np.float32), y.astype(int)

    def evaluate(parameters: NDArray[Any], round: Round) -> Mapping[str, float]:
        loss = gradient(parameters, features, labels)[1]
        classes = len(parameters) // (features.shape[1] + 1)
        weight, bias = np.split(parameters, [-classes])
        right = (features @ weight.reshape(classes, -1).T + bias).argmax(axis=1) == labels
        return {"samples": len(labels), "loss": loss, "accuracy": float(right.mean())}

    return evaluate
