"""Levee, robust distributed learning on Apache Flink: rules and attacks on arrays, runs, and workers in Python."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .arrays import Aggregator, aggregate, attack, attacks, pre_aggregations, rules
from .commands import federate, finetune, simulate, study, train
from .errors import LeveeError, LeveeTimeout
from .layout import Layout
from .models import load_into, read_model
from .run import Run, Simulation, Study, runs

if TYPE_CHECKING:
    from .device import Device, LocalWork
    from .keys import Keys
    from .worker import Progress, Round, Step, Worker

# Workers need cryptography, which `levee.aggregate` does not: they are imported when they are asked for.
_WORKERS = {
    "Device": "device",
    "Keys": "keys",
    "LocalWork": "device",
    "Progress": "worker",
    "Round": "worker",
    "Step": "worker",
    "Worker": "worker",
}


def __getattr__(name: str) -> Any:
    if name not in _WORKERS:
        raise AttributeError(f"module levee has no attribute {name}")
    try:
        module = importlib.import_module(f".{_WORKERS[name]}", __name__)
    except ModuleNotFoundError as e:
        raise LeveeError(f"levee.{name} needs more packages: pip install cryptography confluent-kafka ({e})") from e
    return getattr(module, name)


__all__ = [
    "Aggregator",
    "Device",
    "Keys",
    "Layout",
    "LeveeError",
    "LeveeTimeout",
    "LocalWork",
    "Progress",
    "Round",
    "Run",
    "Simulation",
    "Step",
    "Study",
    "Worker",
    "aggregate",
    "attack",
    "attacks",
    "federate",
    "finetune",
    "load_into",
    "pre_aggregations",
    "read_model",
    "rules",
    "runs",
    "simulate",
    "study",
    "train",
]
