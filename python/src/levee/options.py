"""Options of the command line, of values that a program has."""

from __future__ import annotations

import hashlib
import json
import numbers
import os
import pathlib
import re
import sys
from typing import Any, Callable, Dict, Iterable, List, Mapping, Tuple
from urllib.parse import quote

import numpy as np

from .datasets import data_set
from .errors import LeveeError
from .participants import model_option

SAMPLES = ("data", "test_data", "data_options")
_PYTHON = re.compile("[?&]python=")


def arguments(options: Mapping[str, Any]) -> List[str]:
    """Options of the command line, of values by the names that they have in Python."""
    words: List[str] = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        value = bool(value) if isinstance(value, np.bool_) else value
        if value is True:
            words.append(option)
        elif isinstance(value, (list, tuple)):
            words += [f"{option}={_text(name, each)}" for each in value]
        elif value is not None and value is not False:
            words.append(f"{option}={_text(name, value)}")
    return words


def _text(name: str, value: Any) -> str:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (str, numbers.Real)):
        return str(value)
    how = ""
    if name == "loss" and callable(value):
        how = ": define loss(outputs, targets) in the .py file of the model, which uses it"
    raise LeveeError(f"{name.replace('-', '_')} takes text, a number or a path, got {type(value).__name__}{how}")


def training_options(given: Mapping[str, Any], files: pathlib.Path, several: bool = False) -> Dict[str, Any]:
    """Options of a training by their names on the command line, with the addresses of its model and its data.

    This program's interpreter runs Python files, unless their address or the option python names another one.

    given: options by their names in Python.
    files: folder for what has to be written.
    several: whether a list has several values of an option, as in a study. A tuple as data is a pair (X, y).
    """
    options = _named(given)
    data, test, format_options = (options.pop(name, None) for name in ("data", "test-data", "data-options"))
    if data is not None:
        if "dataset" in options:
            raise LeveeError("data and dataset both say what to learn: give one of them")
        lists: Tuple[type, ...] = (list,) if several else ()
        options["dataset"] = _each(data, lists, lambda one: data_set(one, test, format_options, files))
    elif test is not None or format_options:
        raise LeveeError("test_data and data_options belong to data, which is not given")
    if "model" in options:
        lists = (list, tuple, np.ndarray) if several else ()
        options["model"] = _each(options["model"], lists, lambda one: model_option(one, files))
    for name in ("model", "dataset"):
        if name in options and "python" not in options:
            options[name] = _each(options[name], (list, tuple), _run_here)
    return options


def _named(options: Mapping[str, Any]) -> Dict[str, Any]:
    """Values by the names that they have on the command line."""
    return {name.replace("_", "-"): value for name, value in options.items()}


def _each(value: Any, lists: Tuple[type, ...], function: Callable[[Any], Any]) -> Any:
    """The function of a value, or of each of several in a list of one of these types."""
    return [function(each) for each in value] if isinstance(value, lists) else function(value)


def _run_here(address: Any) -> Any:
    """The address of a Python file with this program's interpreter, if it names none; any other value as it is."""
    text = str(address)
    if not text.startswith("python:") or _PYTHON.search(text):
        return address
    return f"{text}{'&' if '?' in text else '?'}python={quote(sys.executable, safe='/:')}"


def study_file(grid: Any, samples: Mapping[str, Any], files: pathlib.Path) -> str:
    """The file of a study, which is written if a dictionary was given.

    grid: a path, or options of which any may have a list of values.
    samples: data, test_data and data_options that were given beside the grid.
    files: folder for what has to be written.
    """
    if not isinstance(grid, Mapping):
        if samples:
            raise LeveeError(f"{min(samples)} is for a grid that is a dictionary, and the file {grid} names its dataset itself")
        return os.fspath(grid)
    inside, beside = _named(grid), _named(samples)
    for name in inside.keys() & beside.keys():
        raise LeveeError(f"{name} is given in the grid and beside it: give it once")
    options = training_options({**inside, **beside}, files, several=True)
    if "variants" in options:
        variants = options["variants"].items()
        options["variants"] = {name: training_options(variant, files, several=True) for name, variant in variants}
    text = json.dumps(options, indent=2, default=_plain) + "\n"  # JSON is YAML
    files.mkdir(parents=True, exist_ok=True)
    file = files / f"study-{hashlib.sha256(text.encode()).hexdigest()[:12]}.yaml"
    file.write_text(text, encoding="utf-8")
    return str(file)


def _plain(value: Any) -> Any:
    """A value that JSON does not know as one that it does."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Iterable):
        return list(value)
    raise LeveeError(f"values in a grid have to be numbers, text or lists of them, got {type(value).__name__}")
