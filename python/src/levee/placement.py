"""Graphs for `levee place` from PyTorch modules, whose operators are measured here.

`levee place --graph model.pt` runs this file alone, without the package.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any, Dict, Iterable, Iterator, List, Optional, Set, Tuple, Union

import torch
from torch.utils._python_dispatch import TorchDispatchMode

try:
    from .errors import LeveeError
except ImportError:
    LeveeError = ValueError  # type: ignore[assignment, misc]

_WARM_UP = 2

Value = Tuple[int, int]
"""An operator's index, and which of its outputs."""


def write_graph(
    module: torch.nn.Module,
    example: Union[torch.Tensor, Tuple[torch.Tensor, ...]],
    path: Union[str, "os.PathLike[str]"],
    *,
    passes: int = 5,
    vectors: int = 0,
) -> None:
    """Writes a graph for `levee place --graph`: the operators that a module runs, with measured times.

    The module may come from a TorchScript file (`torch.jit.load`), and may have branches. The dispatcher of PyTorch
    names each operator that a training pass calls. Each of them is then run alone, forward and backward. Times are
    processor times of one thread for this example, which is the batch of a step.

    :param example: a batch of samples; a tuple if the module has several arguments
    :param passes: how many passes count; the median of them is taken
    :param vectors: how many values the optimizer keeps for each trained one
    :raises LeveeError: if the module computes nothing of the example
    """
    buffers = [(buffer, buffer.clone()) for buffer in module.buffers()]
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        calls = _calls(module, example if isinstance(example, tuple) else (example,))
        trained = {_place(each) for each in module.parameters() if each.requires_grad}
        for call in calls:
            made = {place for place, value in call.reads.items() if value and calls[value[0]].trained}
            call.measure(trained | made, passes)
    finally:
        torch.set_num_threads(threads)
        with torch.no_grad():
            for buffer, before in buffers:
                buffer.copy_(before)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"operators": _operators(calls, _Held(module, vectors))}, file, indent=1)


def _calls(module: torch.nn.Module, example: Tuple[torch.Tensor, ...]) -> "List[_Call]":
    """The operators of a training pass, in their order."""
    training = module.training
    module.train()
    try:
        # The compiler of TorchScript would join operators, and run others while it observes them.
        with torch.no_grad(), torch.jit.optimized_execution(False):
            # What fails here has PyTorch's own message, which is lost below a recorder.
            module(*example)
            with _Recorder(module, example) as recorder:
                module(*example)
    finally:
        module.train(training)
    if not recorder.calls:
        raise LeveeError("the module computes nothing of the example")
    return recorder.calls


def _place(tensor: torch.Tensor) -> int:
    """Where a tensor's values are in memory; a view has the place of what it shows."""
    storage = tensor.untyped_storage() if hasattr(tensor, "untyped_storage") else tensor.storage()
    return int(storage.data_ptr())


def _tensors(values: Any) -> Iterator[torch.Tensor]:
    if isinstance(values, torch.Tensor):
        yield values
    elif isinstance(values, (list, tuple)):
        for each in values:
            yield from _tensors(each)


def _bytes(tensor: torch.Tensor) -> int:
    return tensor.numel() * tensor.element_size()


class _Recorder(TorchDispatchMode):  # type: ignore[misc]
    """Keeps the calls of operators that make something of the example or of parameters. Views make nothing."""

    def __init__(self, module: torch.nn.Module, example: Tuple[torch.Tensor, ...]) -> None:
        super().__init__()
        self.calls: List[_Call] = []
        self._known = {_place(each) for each in (*example, *module.parameters())}
        self._made: Dict[int, Value] = {}
        self._alive: List[Any] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        given = {_place(each) for each in _tensors(args)}
        results = func(*args, **(kwargs or {}))
        # Otherwise another tensor might get the same place.
        self._alive.append((args, results))
        in_place = func._schema.name.endswith("_")
        outputs = [each for each in _tensors(results) if in_place or _place(each) not in given]
        if outputs and not self._known.isdisjoint(given):
            reads = {place: self._made.get(place) for place in given}
            for i, output in enumerate(outputs):
                self._known.add(_place(output))
                self._made[_place(output)] = (len(self.calls), i)
            self.calls.append(_Call(func, args, kwargs or {}, reads, [_bytes(each) for each in outputs]))
        return results


class _Call:
    """A call of an operator, and what measuring it finds.

    reads: the places of its arguments, with the value that is there if another call made it
    outputs: bytes of each
    trained: if it has a backward pass
    slopes: the places of arguments that the backward pass makes a gradient by
    saved, saved_outputs: the places of arguments, and the outputs, that the backward pass reads
    """

    def __init__(
        self, func: Any, args: Any, kwargs: Dict[str, Any], reads: Dict[int, Optional[Value]], outputs: List[int]
    ) -> None:
        self.reads = reads
        self.outputs = outputs
        self.label = func._schema.name.split("::")[-1].strip("_")
        self.trained = False
        self.slopes: Set[int] = set()
        self.saved: Set[int] = set()
        self.saved_outputs: Set[int] = set()
        self.seconds = (0.0, 0.0)
        self._func = _out_of_place(func)
        self._args = args
        self._kwargs = kwargs

    def measure(self, slopes: Set[int], passes: int) -> None:
        """Runs both passes alone; the backward pass makes gradients by the arguments at these places."""
        measured = [self._pass(slopes) for _ in range(_WARM_UP + passes)][_WARM_UP:]
        forward, backward = (sorted(each[way] for each in measured)[passes // 2] for way in (0, 1))
        self.seconds = (forward, backward)
        # Not needed any more, and as large as all activations.
        self._args = self._kwargs = None

    def _pass(self, slopes: Set[int]) -> Tuple[float, float]:
        leaves: Dict[int, torch.Tensor] = {}
        args = self._leaves(self._args, slopes, leaves)
        with torch.enable_grad():
            start = time.thread_time()
            results = self._func(*args, **self._kwargs)
            forward = time.thread_time() - start
        outputs = list(_tensors(results))
        recorded = [each for each in outputs if each.requires_grad]
        if not recorded:
            return forward, 0.0
        self._saved(recorded[0].grad_fn, leaves, outputs)
        slope = torch.ones_like(recorded[0])
        start = time.thread_time()
        # Only the first output of the operators of networks has a gradient: the others are indices and statistics.
        recorded[0].backward(slope)
        backward = time.thread_time() - start
        self.trained = True
        self.slopes = {place for place, leaf in leaves.items() if leaf.grad is not None}
        return forward, backward

    def _leaves(self, values: Any, slopes: Set[int], leaves: Dict[int, torch.Tensor]) -> Any:
        """The arguments, without what they were computed of."""
        if isinstance(values, (list, tuple)):
            return type(values)(self._leaves(each, slopes, leaves) for each in values)
        if not isinstance(values, torch.Tensor):
            return values
        leaf = values.detach()
        if _place(values) in slopes and (leaf.is_floating_point() or leaf.is_complex()):
            leaf.requires_grad_()
        leaves[_place(values)] = leaf
        return leaf

    def _saved(self, recorded: Any, leaves: Dict[int, torch.Tensor], outputs: List[torch.Tensor]) -> None:
        """Finds what the recorded call keeps for its backward pass."""
        made = {_place(each): i for i, each in enumerate(outputs)}
        for name in dir(recorded):
            if name.startswith("_saved_"):
                for tensor in _tensors(getattr(recorded, name)):
                    if _place(tensor) in made:
                        self.saved_outputs.add(made[_place(tensor)])
                    elif _place(tensor) in leaves:
                        self.saved.add(_place(tensor))


def _out_of_place(func: Any) -> Any:
    """The same operator with an output of its own: leaves that take a gradient cannot be changed."""
    name = func._schema.name.split("::")[-1]
    if not name.endswith("_"):
        return func
    packet = getattr(torch.ops.aten, name[:-1], None)
    overload = getattr(packet, func._overloadname, None) if packet else None
    return overload or (lambda first, *args, **kwargs: func(first.detach().clone(), *args, **kwargs))


class _Held:
    """Bytes of parameters, of their gradients and of the optimizer, and of buffers, by their places."""

    def __init__(self, module: torch.nn.Module, vectors: int) -> None:
        self.bytes: Dict[int, int] = {}
        self.names: Dict[int, str] = {}
        for _, buffer in module.named_buffers():
            self.bytes[_place(buffer)] = _bytes(buffer)
        for name, parameter in module.named_parameters():
            self.bytes[_place(parameter)] = (2 + vectors if parameter.requires_grad else 1) * _bytes(parameter)
            self.names[_place(parameter)] = name.rpartition(".")[0]


def _operators(calls: List[_Call], held: _Held) -> List[Dict[str, Any]]:
    """A forward and a backward operator of each call, in one group, which calls with a parameter in common share."""
    names: List[str] = []
    forward: List[Dict[str, Any]] = []
    groups: Dict[int, str] = {}
    for i, call in enumerate(calls):
        own = [place for place in call.reads if place in held.bytes]
        label = next((held.names[place] for place in own if held.names.get(place)), call.label)
        names.append(f"{i}.{label}")
        group = next((groups[place] for place in own if place in groups), names[i])
        persistent = sum(held.bytes[place] for place in own if place not in groups)
        groups.update((place, groups.get(place, group)) for place in own)
        forward.append(
            {
                "name": names[i],
                "seconds": call.seconds[0],
                "persistent": persistent,
                "outputs": call.outputs,
                "inputs": [f"{names[of]}:{output}" for of, output in _values(call.reads.values())],
                "group": group,
            }
        )
    backward: List[Dict[str, Any]] = []
    slopes: Dict[Value, List[str]] = {}
    for i in reversed(range(len(calls))):
        call = calls[i]
        if not call.trained:
            continue
        back = names[i] + ".backward"
        given = [slope for output in range(len(call.outputs)) for slope in slopes.get((i, output), [])]
        saved = _values(value for place, value in call.reads.items() if place in call.saved)
        own = {(i, output) for output in call.saved_outputs if output < len(call.outputs)}
        # The loss, which is no operator, reads what nobody else does.
        read = sorted(own.union(saved) | (set() if given else {(i, 0)}))
        made = _values(value for place, value in call.reads.items() if place in call.slopes)
        for output, value in enumerate(made):
            slopes.setdefault(value, []).append(f"{back}:{output}")
        backward.append(
            {
                "name": back,
                "seconds": call.seconds[1],
                "outputs": [calls[of].outputs[output] for of, output in made],
                "inputs": [f"{names[of]}:{output}" for of, output in read] + given,
                "group": forward[i]["group"],
                "phase": "backward",
            }
        )
    return forward + backward


def _values(read: Iterable[Optional[Value]]) -> List[Value]:
    return sorted({each for each in read if each is not None})


if __name__ == "__main__":
    _file, _shape, _vectors, _graph = sys.argv[1:]
    write_graph(
        torch.jit.load(_file, map_location="cpu"),
        torch.randn([int(extent) for extent in _shape.split(",")]),
        _graph,
        vectors=int(_vectors),
    )
