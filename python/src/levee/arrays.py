"""Rules and attacks on NumPy arrays and PyTorch tensors, in this process."""

from __future__ import annotations

import ctypes
import functools
import operator
import os
import sys
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from .errors import LeveeError
from .jvm import one_sentence, start

_FLOAT = 4  # bytes
_MOST = 2**31 - 1  # bytes that one buffer of Java holds
_WINDOW = 2**30  # bytes from the beginning of one window to that of the next
_PAGE = 2**12  # bytes of the first page, which no array lies in


class _Java(NamedTuple):
    """Classes and methods of Java, looked up once."""

    jpype: Any
    buffer: Callable[[Any], Any]
    rules: Any
    attacks: Any
    aggregator: Any
    device: Any
    state: Any
    rows: Any
    aggregate: Any
    aggregate_once: Any
    attack: Any


@functools.lru_cache(maxsize=None)
def _looked_up(process: int) -> _Java:
    jpype = start()
    import jpype.nio  # noqa: F811  (of the same package)

    arrays = jpype.JClass("dev.levee.gar.python.NativeArrays")
    return _Java(
        jpype,
        jpype.nio.convertToDirectBuffer,
        jpype.JClass("dev.levee.gar.Rules"),
        jpype.JClass("dev.levee.gar.Attacks"),
        jpype.JClass("dev.levee.gar.Aggregator"),
        jpype.JClass("dev.levee.gar.Device"),
        jpype.JClass("dev.levee.gar.RuleState"),
        arrays.rows,
        arrays.aggregate,
        arrays.aggregateOnce,
        arrays.attack,
    )


def _java() -> _Java:
    return _looked_up(os.getpid())


@functools.lru_cache(maxsize=256)
def _rule(text: str) -> Any:
    java = _java()
    with one_sentence(java.jpype):
        return java.rules.parse(text)


@functools.lru_cache(maxsize=256)
def _attack(text: str) -> Any:
    java = _java()
    with one_sentence(java.jpype):
        return java.attacks.parse(text)


def rules() -> List[str]:
    """Names of the aggregation rules; docs/reference/rules.md says what each is."""
    return [str(name) for name in _java().rules.names()]


def pre_aggregations() -> List[str]:
    """Names of the pre-aggregations, which may stand before a rule: `"nnm | trimmed-mean"`."""
    return [str(name) for name in _java().rules.preAggregations()]


def attacks() -> List[str]:
    """Names of the attacks."""
    return [str(name) for name in _java().attacks.names()]


class _Matrix:
    """Rows as Java reads them, and how a result becomes what the caller works with."""

    __slots__ = ("values", "shape", "_like")

    def __init__(self, given: Any):
        torch = sys.modules.get("torch")
        if isinstance(given, (list, tuple)) and given:
            given = _stacked(given, torch)
        self._like = given
        if torch is not None and isinstance(given, torch.Tensor):
            values = given.detach()
            if values.dtype is not torch.float32:
                if values.is_complex():
                    raise LeveeError(f"rows have to be numbers, got a tensor of {given.dtype}")
                values = values.float()
            array = values.numpy() if values.device.type == "cpu" else values.cpu().numpy()
        else:
            array = given if isinstance(given, np.ndarray) else np.asarray(given)
            if array.dtype != np.float32:
                if array.dtype.kind not in "fiub":
                    raise LeveeError(f"rows have to be numbers, got an array of {array.dtype}")
                array = array.astype(np.float32)
            elif not array.dtype.isnative:
                array = array.astype(np.float32)
        if array.ndim < 2:
            raise LeveeError(f"a matrix with a row for each worker is needed, got an array of {array.ndim} dimensions")
        self.shape: Tuple[int, ...] = array.shape[1:]
        if array.ndim > 2:
            array = array.reshape(len(array), -1)
        row, column = array.strides
        if array.shape[1] > 1 and column != _FLOAT or row < 0 or row % _FLOAT:
            array = np.ascontiguousarray(array)
        self.values: NDArray[Any] = array

    def rows(self, java: _Java) -> Any:
        """The rows for Java, which are not copied."""
        extent = _extent(self.values)
        if extent <= _MOST:
            n, d = self.values.shape
            return java.rows(_buffer(java, _address(self.values), extent), n, d, self.values.strides[0] // _FLOAT)
        buffers = java.jpype.JClass("java.util.ArrayList")()
        for row in self.values:
            buffers.add(_buffer(java, _address(row), row.size * _FLOAT))
        return java.rows(buffers)

    def result(self, values: NDArray[Any]) -> Any:
        """An array of the caller's kind: a tensor on the same device for tensors, float64 for float64."""
        torch = sys.modules.get("torch")
        if torch is not None and isinstance(self._like, torch.Tensor):
            made = torch.from_numpy(values)
            like = self._like
            return made.to(like.device, like.dtype if like.is_floating_point() else torch.float32)
        double = getattr(self._like, "dtype", None) == np.float64
        return values.astype(np.float64) if double else values


def _stacked(rows: Sequence[Any], torch: Any) -> Any:
    try:
        if torch is not None and isinstance(rows[0], torch.Tensor):
            return torch.stack([row.detach() for row in rows])
        return np.stack([np.asarray(row) for row in rows])
    except (RuntimeError, ValueError, TypeError, AttributeError) as e:
        raise LeveeError(f"the rows do not make a matrix: {' '.join(str(e).split())}") from e


def _extent(values: NDArray[Any]) -> int:
    """Bytes from the first coordinate to the last."""
    n, d = values.shape
    return ((n - 1) * values.strides[0] + d * _FLOAT) if n and d else 0


def _address(values: NDArray[Any]) -> int:
    address: int = values.__array_interface__["data"][0]
    return address


@functools.lru_cache(maxsize=1024)
def _bytes_type(size: int) -> Any:
    return ctypes.c_ubyte * size


def _buffer(java: _Java, address: int, size: int) -> Any:
    """Memory as Java sees it. It is named by its address, so Java's garbage does not keep the array in memory."""
    return java.buffer(_bytes_type(size).from_address(address))


@functools.lru_cache(maxsize=64)
def _window(process: int, number: int) -> Tuple[Any, int]:
    """A part of this process's memory as a buffer of Java, and its address.

    A buffer costs more than a call, so arrays in the same part share one. Only what lies in an array is read.
    """
    address = number * _WINDOW or _PAGE
    return _buffer(_looked_up(process), address, _MOST - _PAGE), address


def _place(values: NDArray[Any], size: int) -> Tuple[Any, int]:
    """A buffer of Java that an array of so many bytes lies in, and where it begins there."""
    address = _address(values)
    if size > _WINDOW - _PAGE:
        return _buffer(_java(), address, size), 0
    window, begin = _window(os.getpid(), address // _WINDOW)
    return window, address - begin


def _threads(threads: Optional[int]) -> int:
    if threads is not None:
        return threads
    return _available()


@functools.lru_cache(maxsize=None)
def _available() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _numbers(java: _Java, what: str, values: Any, rows: int) -> Any:
    if values is None:
        return None
    array = np.asarray(values, np.float64).ravel()
    if len(array) != rows:
        raise LeveeError(f"{what} has {len(array)} values for {rows} rows")
    return java.jpype.JArray(java.jpype.JDouble)(array)


def aggregate(
    rows: Any,
    rule: str,
    f: int = 0,
    *,
    weights: Optional[Sequence[float]] = None,
    scores: Optional[Sequence[float]] = None,
    previous: Any = None,
    seed: int = 1,
    threads: Optional[int] = None,
    device: str = "cpu",
) -> Any:
    """Aggregates rows robustly, once.

    Args:
        rows: a row for each worker: a NumPy array, a tensor, or a list of rows, n × d or n × any shape. float32 is read
            where it lies if the coordinates of a row lie side by side. Anything else is converted to float32 first.
        rule: a rule, or pre-aggregations and a rule, such as `"nnm | trimmed-mean"`.
        f: how many rows may be Byzantine.
        weights: a weight for each row, for rules that take them.
        scores: a score for each row, for rules that need them.
        previous: the previous aggregate, for rules that start from it.
        seed: of what the rule draws, if it draws.
        threads: threads of the processor to use; all of this process's processors by default. They don't change a bit.
        device: `"cpu"`, `"gpu"` or `"auto"`.

    Returns:
        The aggregate, of the shape of a row: a tensor on the same device and of the same type for tensors, else a NumPy
        array of float32, or of float64 if the rows were.
    """
    if weights is not None or scores is not None or previous is not None or device != "cpu":
        once = Aggregator(rule, f, seed=seed, threads=threads, device=device, previous=previous)
        return once.aggregate(rows, weights=weights, scores=scores)
    java, parsed, matrix, f = _java(), _rule(rule), _Matrix(rows), operator.index(f)
    n, d = matrix.values.shape
    out = np.empty(d, np.float32)
    extent = _extent(matrix.values)
    with one_sentence(java.jpype):
        if extent <= _MOST:
            java.aggregate_once(
                parsed,
                f,
                seed,
                _threads(threads),
                *_place(matrix.values, extent),
                n,
                d,
                matrix.values.strides[0] // _FLOAT,
                *_place(out, d * _FLOAT),
            )
        else:
            computing = java.aggregator(parsed, f, seed).threads(_threads(threads))
            java.aggregate(computing, matrix.rows(java), None, None, _buffer(java, _address(out), d * _FLOAT))
    return matrix.result(out.reshape(matrix.shape))


def aggregate_in_round(rows: NDArray[Any], rule: str, f: int, round: int) -> NDArray[Any]:
    """Aggregates float32 rows as a worker of Levee's does in a round, which what a rule draws follows from."""
    java, matrix = _java(), _Matrix(rows)
    out = np.empty(rows.shape[1], np.float32)
    with one_sentence(java.jpype):
        computing = java.aggregator(_rule(rule), f, 1).resume(round, java.state.NONE)
        java.aggregate(computing, matrix.rows(java), None, None, _buffer(java, _address(out), out.nbytes))
    return out


def attack(rows: Any, attack: str, f: int, *, round: int = 0, seed: int = 1) -> Any:
    """What Byzantine workers send that see the honest rows.

    Args:
        rows: the honest rows, as for `aggregate`.
        attack: the attack, such as `"little-is-enough"` or `"reversed(c=10)"`.
        f: how many workers attack.
        round: the round's number, which some attacks depend on.
        seed: of what the attack draws, if it draws.

    Returns:
        f rows, of the kind and shape of those given.
    """
    java, parsed, matrix, f = _java(), _attack(attack), _Matrix(rows), operator.index(f)
    n, d = matrix.values.shape
    if f < 0:
        raise LeveeError(f"the number of attackers must be 0 or more, got {f}")
    if f * d * _FLOAT > _MOST:
        raise LeveeError(f"the rows of all attackers must have at most {_MOST} bytes, got {f * d * _FLOAT}")
    out = np.empty((f, d), np.float32)
    with one_sentence(java.jpype):
        java.attack(parsed, matrix.rows(java), f, round, seed, _buffer(java, _address(out), f * d * _FLOAT))
    return matrix.result(out.reshape((f, *matrix.shape)))


class Aggregator:
    """Aggregates round after round, and keeps what a rule carries over, such as centered-clipping's last aggregate.

    `state_dict` and `load_state_dict` save and restore it.

    Args: as for `aggregate`. Not to be used by two threads at once.
    """

    def __init__(
        self,
        rule: str,
        f: int = 0,
        *,
        seed: int = 1,
        threads: Optional[int] = None,
        device: str = "cpu",
        previous: Any = None,
    ):
        java, parsed, f = _java(), _rule(rule), operator.index(f)
        with one_sentence(java.jpype):
            self._aggregator = java.aggregator(parsed, f, seed).threads(_threads(threads))
            if device not in ("cpu", "gpu", "auto"):
                raise LeveeError(f"device must be cpu, gpu or auto, got {device}")
            self._aggregator.on(java.device.valueOf(device.upper()))
            if previous is not None:
                first = _Matrix([previous]).values
                self._aggregator.from_(java.jpype.JArray(java.jpype.JFloat)(first[0]))
        self.rule = rule
        self.f = f
        self._own = {"rule": str(parsed.name()), "f": f, "seed": int(seed)}
        self._length: Optional[int] = None  # of the last round's rows
        self._restored: Optional[int] = None  # of the rows before the state that was loaded

    def aggregate(
        self, rows: Any, *, weights: Optional[Sequence[float]] = None, scores: Optional[Sequence[float]] = None
    ) -> Any:
        """Aggregates the next round: see `levee.aggregate`. Each round has rows of the same shape."""
        java, matrix = _java(), _Matrix(rows)
        n, d = matrix.values.shape
        if self._restored not in (None, d):
            raise LeveeError(f"the loaded state is of rows of {self._restored} coordinates, got rows of {d}")
        out = np.empty(d, np.float32)
        with one_sentence(java.jpype):
            java.aggregate(
                self._aggregator,
                matrix.rows(java),
                _numbers(java, "weights", weights, n),
                _numbers(java, "scores", scores, n),
                _buffer(java, _address(out), d * _FLOAT),
            )
        self._length = d
        return matrix.result(out.reshape(matrix.shape))

    __call__ = aggregate

    def state_dict(self) -> Dict[str, Any]:
        """What the next rounds depend on: a dictionary of numbers, text and NumPy arrays, which can be pickled."""
        previous = self._aggregator.previous()
        return {
            **self._own,
            "round": int(self._aggregator.round()),
            "length": self._length,
            "values": np.array(self._aggregator.state().values(), np.float64),
            "previous": None if previous is None else np.array(previous, np.float32),
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continues from a state of `state_dict()`, with the same bits.

        Raises: LeveeError if it is of an aggregator with another rule, f or seed. `aggregate` refuses rows of another
            length than those before it.
        """
        java = _java()
        try:
            for name, own in self._own.items():
                if state[name] != own:
                    raise LeveeError(f"the state is of an aggregator with {name} {state[name]}, this one has {name} {own}")
            number, length = operator.index(state["round"]), state["length"]
            if number < 0:
                raise ValueError(f"round {number} is negative")
            values = java.jpype.JArray(java.jpype.JDouble)(np.asarray(state["values"], np.float64))
            previous = state["previous"]
            if previous is not None:
                previous = java.jpype.JArray(java.jpype.JFloat)(np.asarray(previous, np.float32))
        except LeveeError:
            raise
        except (KeyError, TypeError, ValueError) as e:
            raise LeveeError(f"the state is not of levee.Aggregator.state_dict(): {type(e).__name__}: {e}") from e
        self._aggregator.resume(number, java.state(values)).from_(previous)
        self._length = self._restored = length

    def __repr__(self) -> str:
        return f"levee.Aggregator({self.rule!r}, f={self.f})"
