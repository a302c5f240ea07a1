"""Arrays, data sets of PyTorch and data frames as files that a run reads."""

from __future__ import annotations

import hashlib
import os
import pathlib
import re
import sys
from decimal import Decimal
from numbers import Integral
from typing import Any, Dict, List, Mapping, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from .errors import LeveeError

_FLOATS = "f"
_NUMBERS = (Integral, float, np.floating, Decimal)
_NAME_COLUMNS = ("label", "targets", "skip", "owner", "categories")


def data_set(data: Any, test: Any, options: Optional[Mapping[str, Any]], files: pathlib.Path) -> str:
    """Writes samples, and says the address of the data set that they are.

    data: pair of arrays, Dataset, data frame, or pair of a frame and the name of its column of labels.
    test: the same, None if a share is to be held out.
    options: of the format.
    files: the folder; a file is named after what it holds, so the same samples are written once.
    """
    if isinstance(data, (str, os.PathLike)):
        raise LeveeError(f'data takes arrays, a Dataset or a data frame: give the address {data} as dataset="FORMAT:PATH"')
    if _frame(data) is not None:
        return _frames(data, test, dict(options or {}), files)
    return _arrays(data, test, dict(options or {}), files)


def _frame(data: Any) -> Any:
    """A data frame and the name of its column of labels, None if it is not told; None for anything else."""
    pandas = sys.modules.get("pandas")
    if pandas is None:
        return None
    if isinstance(data, pandas.DataFrame):
        return _named(data), None
    if not (isinstance(data, (tuple, list)) and len(data) == 2 and isinstance(data[0], pandas.DataFrame)):
        return None
    frame, labels = _named(data[0]), data[1]
    if not isinstance(labels, (pandas.Series, np.ndarray, list)):
        if _plain(labels) not in frame.columns:
            raise LeveeError(f"the data frame has no column {labels}, only {', '.join(frame.columns)}")
        return frame, _plain(labels)
    name = _plain(labels.name) if isinstance(labels, pandas.Series) and labels.name is not None else "label"
    if name in frame.columns:
        raise LeveeError(f"the data frame has a column {name} of its own: give the labels another name")
    if len(labels) != len(frame):
        raise LeveeError(f"data has to be n samples and n labels, got {len(frame)} and {len(labels)}")
    return frame.assign(**{name: np.asarray(labels)}), name


def _named(frame: Any) -> Any:
    frame = frame.rename(columns=_plain)
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise LeveeError(f"the data frame has two columns with the name {twice[0]}")
    return frame


def _frames(data: Any, test: Any, options: Dict[str, Any], files: pathlib.Path) -> str:
    frame, label = _frame(data)
    for name in options.keys() & _NAME_COLUMNS:
        options[name] = ",".join(word.strip() for word in str(options[name]).split(","))
    learned = _columns(frame, options, "label", "targets")
    left_out = learned + _columns(frame, options, "skip", "owner")
    if label is not None and learned and label not in learned:
        raise LeveeError(f"data names {label} as what a model learns, but data_options names {', '.join(learned)}: name one")
    options.setdefault("header", "yes")  # names that are numbers look like a sample
    if not learned:
        label = label or _label(frame, left_out + _columns(frame, options, "categories"))
        options["targets" if _kind(frame[label]) in _FLOATS else "label"] = label
        left_out.append(label)
    text = [name for name in frame.columns if name not in left_out and _kind(frame[name]) not in "iufb"]
    if text:
        options.setdefault("categories", ",".join(text))
    if test is not None:
        tested = _frame(test)
        if tested is None:
            raise LeveeError("data is a data frame, so test_data has to be one as well")
        options["test"] = _csv(tested[0], files)
    return _address("csv", _csv(frame, files), options)


def _kind(column: Any) -> str:
    """The dtype.kind of a column. Objects that are all numbers, such as the decimals of a database, have the kind of numbers."""
    if column.dtype.kind == "O" and column.dtype.name != "category":
        present = column.dropna()
        if len(present) and all(isinstance(each, _NUMBERS) and not isinstance(each, bool) for each in present):
            return "i" if all(map(_whole, present)) else _FLOATS
    return str(column.dtype.kind)


def _whole(number: Any) -> bool:
    return isinstance(number, Integral) or isinstance(number, Decimal) and number.as_tuple().exponent == 0


def _plain(name: Any) -> str:
    """A column's name without what means something in an address, where nothing is escaped, and as csv: reads it."""
    return re.sub("[,&=?]", "_", str(name)).strip()


def _columns(frame: Any, options: Mapping[str, Any], *names: str) -> List[str]:
    """The columns that options tell, by their name or else by their number from 1, as csv: reads them."""
    words = [word for name in names if name in options for word in str(options[name]).split(",")]
    numbers = {str(number): name for number, name in enumerate(frame.columns, 1)}
    return [word if word in frame.columns else numbers.get(word, word) for word in words]


def _label(frame: Any, taken: List[str]) -> str:
    """The column of labels if none is told: label, or else the last, of those without another use."""
    free = [name for name in frame.columns if name not in taken]
    if not free:
        raise LeveeError("the data frame has no column left for the label: data_options names all of them")
    return "label" if "label" in free else free[-1]


def _csv(frame: Any, files: pathlib.Path) -> pathlib.Path:
    from .participants import keep

    return keep(files, frame.to_csv(index=False).encode("utf-8"), ".csv")


def _arrays(data: Any, test: Any, options: Dict[str, Any], files: pathlib.Path) -> str:
    x, y, shape = _samples(data, "data")
    arrays = {"x_train": x, "y_train": y}
    if test is not None:
        x_test, y_test, test_shape = _samples(test, "test_data")
        if x_test.shape[1:] != x.shape[1:] or test_shape != shape:
            raise LeveeError(
                f"samples of data have shape {shape or x.shape[1:]}, those of test_data {test_shape or x_test.shape[1:]}"
            )
        arrays.update({"x_test": x_test, "y_test": y_test})
    if y.dtype.kind in _FLOATS:
        options.setdefault("targets", "y_train")
    if len(shape) > 1:
        options.setdefault("shape", "x".join(map(str, shape)))
    return _address("npz", _npz(arrays, files), options)


def _samples(data: Any, what: str) -> Tuple[NDArray[Any], NDArray[Any], Tuple[int, ...]]:
    """Features, labels, and the shape of a sample where it does not follow the conventions of npz files."""
    torch = sys.modules.get("torch")
    pair = isinstance(data, (tuple, list)) and len(data) == 2
    if torch is not None and isinstance(data, torch.utils.data.TensorDataset) and len(data.tensors) == 2:
        data, pair = data.tensors, True
    if pair and torch is not None and isinstance(data[0], torch.Tensor):
        return _channels_first(_array(data[0], what), _array(data[1], what), what)
    if pair:
        return (*_checked(_array(data[0], what), _array(data[1], what), what), ())
    items = hasattr(data, "__getitem__") and hasattr(data, "__len__")
    if items and not isinstance(data, Mapping) and not hasattr(data, "ndim") and len(data):
        try:
            items = [data[i] for i in range(len(data))]
            x, y = np.stack([_array(a, what) for a, _ in items]), np.stack([_array(b, what) for _, b in items])
        except (TypeError, ValueError) as e:
            raise LeveeError(f"{what} has to give pairs of a sample and its label: {' '.join(str(e).split())}") from e
        return _channels_first(x, y, what)
    raise LeveeError(f"{what} has to be a pair (X, y), a Dataset or a data frame, got {type(data).__name__}")


def _channels_first(x: NDArray[Any], y: NDArray[Any], what: str) -> Tuple[NDArray[Any], NDArray[Any], Tuple[int, ...]]:
    """Samples as a module of PyTorch takes them: flat, with their shape told, so that nothing is guessed."""
    x, y = _checked(x, y, what)
    return x.reshape(len(x), -1), y, x.shape[1:]


def _array(values: Any, what: str) -> NDArray[Any]:
    try:
        if hasattr(values, "detach"):
            values = values.detach().cpu()
            values = (values.float() if str(values.dtype) == "torch.bfloat16" else values).numpy()  # NumPy has no bfloat16
        array = np.asarray(values)
    except (TypeError, ValueError) as e:
        raise LeveeError(f"{what} has values that are no array: {' '.join(str(e).split())}") from e
    if array.dtype == object:
        try:
            array = np.array(array.tolist())  # numbers or text, if all are
        except ValueError:
            pass  # rows of different lengths
    if array.dtype.kind not in "fiubU":
        kind = type(array.flat[0]).__name__ if array.dtype == object and array.size else array.dtype
        raise LeveeError(f"{what} has values of {kind}, which are neither numbers nor text: give arrays or tensors of numbers")
    return array


def _checked(x: NDArray[Any], y: NDArray[Any], what: str) -> Tuple[NDArray[Any], NDArray[Any]]:
    if x.ndim < 2 or y.ndim < 1 or len(x) != len(y):
        raise LeveeError(f"{what} has to be n samples and n labels, got shapes {x.shape} and {y.shape}")
    return x, y


def _npz(arrays: Mapping[str, NDArray[Any]], files: pathlib.Path) -> pathlib.Path:
    digest = hashlib.sha256()
    for name, array in arrays.items():
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).view(np.uint8) if array.size else b"")
    path = files / f"{digest.hexdigest()[:16]}.npz"
    if not path.exists():
        files.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"{path.stem}.{os.getpid()}.npz")
        np.savez(unfinished, **arrays)
        os.replace(unfinished, path)
    return path


def _address(format: str, path: pathlib.Path, options: Mapping[str, Any]) -> str:
    told = "&".join(f"{name.replace('_', '-')}={value}" for name, value in options.items())
    return f"{format}:{path}" + (f"?{told}" if told else "")
