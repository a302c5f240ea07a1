"""Graphs for `levee place` from PyTorch modules, whose layers are measured here."""

from __future__ import annotations

import json
import os
import time
from typing import Any, Dict, List, Tuple, Union

import torch

from .errors import LeveeError

_WARM_UP = 2


def write_graph(
    module: torch.nn.Module,
    example: torch.Tensor,
    path: Union[str, "os.PathLike[str]"],
    *,
    passes: int = 5,
    vectors: int = 0,
) -> None:
    """Writes a graph for `levee place --graph` whose operators are the children of a module, with measured times.

    The module may come from a TorchScript file (`torch.jit.load`). Its children have to run one after the other, as those
    of a `Sequential` do. Times are processor times of one thread for this example, which is the batch of a step.

    :param example: a batch of samples
    :param passes: how many passes count; the median of them is taken
    :param vectors: how many values the optimizer keeps for each trained one
    :raises LeveeError: if the module computes something else than its children one after the other
    """
    children = list(module.named_children()) or [("module", module)]
    _require_chain(module, children, example)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        measured = [_measure(children, example) for _ in range(_WARM_UP + passes)][_WARM_UP:]
    finally:
        torch.set_num_threads(threads)
    layers = []
    for i, (name, child) in enumerate(children):
        forward, backward = (sorted(each[i][way] for each in measured)[passes // 2] for way in (0, 1))
        taken, made = measured[0][i][2:]
        trained = sum(_bytes(p) for p in child.parameters() if p.requires_grad)
        kept = sum(_bytes(p) for p in list(child.parameters()) + list(child.buffers()))
        persistent = kept + (1 + vectors) * trained
        layers.append((f"{i}.{name}", forward, backward, persistent, taken, made))
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"operators": _operators(layers)}, file, indent=1)


def _require_chain(module: torch.nn.Module, children: List[Tuple[str, torch.nn.Module]], example: torch.Tensor) -> None:
    training = module.training
    module.eval()
    try:
        with torch.no_grad():
            values: Any = example
            try:
                for _, child in children:
                    values = child(values)
                same = torch.equal(values, module(example))
            except (RuntimeError, TypeError, NotImplementedError):
                same = False
    finally:
        module.train(training)
    if not same:
        raise LeveeError(
            "the module computes something else than its children one after the other: write it with"
            " torch.onnx.export, and give that file to levee place --graph"
        )


def _measure(children: List[Tuple[str, torch.nn.Module]], example: torch.Tensor) -> List[Tuple[float, float, int, int]]:
    """Seconds forward and backward, bytes of the input and of the output, of each child."""
    found = []
    values = example
    for i, (_, child) in enumerate(children):
        values = values.detach()
        if i > 0 and values.is_floating_point():
            values.requires_grad_()
        start = time.thread_time()
        outputs = child(values)
        forward = time.thread_time() - start
        backward = 0.0
        if outputs.requires_grad:
            slope = torch.ones_like(outputs)
            start = time.thread_time()
            outputs.backward(slope)
            backward = time.thread_time() - start
        found.append((forward, backward, _bytes(values), _bytes(outputs)))
        values = outputs
        child.zero_grad(set_to_none=True)
    return found


def _bytes(tensor: torch.Tensor) -> int:
    return tensor.numel() * tensor.element_size()


def _operators(layers: List[Tuple[str, float, float, int, int, int]]) -> List[Dict[str, Any]]:
    """A forward and a backward operator of each layer, in one colocation group."""
    forward: List[Dict[str, Any]] = []
    backward: List[Dict[str, Any]] = []
    for i, (name, seconds, back, persistent, taken, made) in enumerate(layers):
        forward.append(
            {
                "name": name,
                "seconds": seconds,
                "persistent": persistent,
                "outputs": [made],
                "inputs": [layers[i - 1][0]] if i > 0 else [],
                "group": name,
            }
        )
        inputs = [name] + ([layers[i - 1][0]] if i > 0 else [])
        backward.append(
            {
                "name": name + ".backward",
                "seconds": back,
                "outputs": [taken] if i > 0 else [],
                "inputs": inputs + ([layers[i + 1][0] + ".backward"] if i + 1 < len(layers) else []),
                "group": name,
                "phase": "backward",
            }
        )
    return forward + backward[::-1]
