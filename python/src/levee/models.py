"""Models that a run has trained, `model.npz`."""

from __future__ import annotations

import pathlib
import zipfile
from typing import Any, Dict, TYPE_CHECKING, Union

import numpy as np
from numpy.typing import NDArray

from .errors import LeveeError

if TYPE_CHECKING:
    import torch


def read_model(file: Union[str, pathlib.Path]) -> Dict[str, NDArray[Any]]:
    """Arrays of a run's model.npz by their names, which are those of `state_dict()` for a TorchScript model."""
    try:
        with np.load(file, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except FileNotFoundError as e:
        raise LeveeError(f"there is no model {file}: levee train --output DIR writes DIR/model.npz") from e
    except (OSError, ValueError, AttributeError, zipfile.BadZipFile) as e:
        raise LeveeError(f"{file} is no model.npz that can be read: {e}") from e


def load_into(module: "torch.nn.Module", file: Union[str, pathlib.Path]) -> None:
    """Loads a run's model.npz into the module it came from; each parameter has to be there."""
    import torch

    arrays = read_model(file)
    missing = [name for name, _ in module.named_parameters() if name not in arrays]
    if missing:
        raise LeveeError(f"{file} has no {missing[0]}, only {', '.join(sorted(arrays))}: is it of another model?")
    try:
        module.load_state_dict({n: torch.from_numpy(v.copy()) for n, v in arrays.items()}, strict=False)
    except RuntimeError as e:
        raise LeveeError(f"{file} is of another model: {' '.join(str(e).split())}") from e
