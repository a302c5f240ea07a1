"""Where the arrays of `levee serve --initial FILE` lie in the vector of parameters that the job sends."""

from __future__ import annotations

import json
import pathlib
import struct
import zipfile
from typing import Any, Dict, List, Mapping, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from .errors import LeveeError

_BUFFERS = ("running_mean", "running_var")


class Layout:
    """Names and shapes of the float32 arrays of a file, in the job's order: trained ones first, then buffers.

    file: what was given to `levee serve --initial`, of `numpy.savez` or in the safetensors format.
    """

    def __init__(self, file: Union[str, pathlib.Path]):
        try:
            arrays = _safetensors(file) if _is_safetensors(file) else _npz(file)
        except FileNotFoundError as e:
            raise LeveeError(f"there is no file {file}") from e
        except (OSError, ValueError, KeyError, zipfile.BadZipFile) as e:
            raise LeveeError(f"{file} is neither what numpy.savez writes nor safetensors: {e}") from e
        arrays.sort(key=lambda array: array[0].endswith(_BUFFERS))  # stable: otherwise the file's order
        self.shapes: Dict[str, Tuple[int, ...]] = dict(arrays)
        self.trainable = sum(_size(s) for n, s in arrays if not n.endswith(_BUFFERS))
        self.size = sum(_size(shape) for _, shape in arrays)

    def split(self, vector: NDArray[Any]) -> Dict[str, NDArray[Any]]:
        """The arrays of a vector, by name; they share its memory."""
        if len(vector) != self.size:
            raise LeveeError(f"the vector has {len(vector)} values, but the file's arrays have {self.size}")
        arrays: Dict[str, NDArray[Any]] = {}
        at = 0
        for name, shape in self.shapes.items():
            arrays[name] = vector[at : at + _size(shape)].reshape(shape)
            at += _size(shape)
        return arrays

    def join(self, arrays: Mapping[str, Any]) -> NDArray[Any]:
        """The vector of arrays, such as gradients by name."""
        parts: List[NDArray[Any]] = []
        for name, shape in self.shapes.items():
            if name not in arrays:
                raise LeveeError(f"there is no array {name}, only {', '.join(sorted(arrays))}")
            part = np.asarray(arrays[name], np.float32)
            if part.shape != shape:
                raise LeveeError(f"array {name} has shape {part.shape} instead of {shape}")
            parts.append(part.ravel())
        return np.concatenate(parts)


def _size(shape: Tuple[int, ...]) -> int:
    return int(np.prod(shape, dtype=np.int64))


def _is_safetensors(file: Union[str, pathlib.Path]) -> bool:
    with open(file, "rb") as opened:
        return opened.read(9)[8:] == b"{"


def _safetensors(file: Union[str, pathlib.Path]) -> List[Tuple[str, Tuple[int, ...]]]:
    with open(file, "rb") as opened:
        (length,) = struct.unpack("<Q", opened.read(8))
        header = json.loads(opened.read(length))
    tensors = [(n, t) for n, t in header.items() if t.get("dtype") == "F32"]
    tensors.sort(key=lambda tensor: tensor[1]["data_offsets"][0])
    return [(name, tuple(tensor["shape"])) for name, tensor in tensors]


def _npz(file: Union[str, pathlib.Path]) -> List[Tuple[str, Tuple[int, ...]]]:
    with np.load(file, allow_pickle=False) as arrays:
        return [(name, arrays[name].shape) for name in arrays.files if arrays[name].dtype == np.float32]
