"""Runs and what they came to."""

from __future__ import annotations

import csv
import json
import os
import pathlib
import re
from typing import Any, Dict, List, Mapping, Optional, Union

import numpy as np
from numpy.typing import NDArray

from .errors import LeveeError
from .models import load_into, read_model

_NOT_RUNS = ("checkpoints", "servers", "pretrained")
# As Java writes numbers: nan and inf in lower case are names of attacks.
_NUMBER = re.compile(r"[-+]?(?:(?P<whole>\d+)|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|Infinity)|NaN")


class Results:
    """The folder that a command has written."""

    def __init__(self, folder: Union[str, "os.PathLike[str]"], said: str = ""):
        # A program may go to another folder later.
        self.folder = pathlib.Path(folder) if "://" in os.fspath(folder) else pathlib.Path(folder).absolute()
        self.said = said
        """What the command said."""

    @property
    def report(self) -> pathlib.Path:
        """The page with charts, report.html."""
        return self._file("report.html")

    @property
    def summary(self) -> Dict[str, Any]:
        """summary.json: options, scores, times, faults."""
        found: Dict[str, Any] = json.loads(self._file("summary.json").read_text(encoding="utf-8"))
        return found

    def _file(self, name: str) -> pathlib.Path:
        if "://" in str(self.folder) or ":/" in str(self.folder)[2:]:
            raise LeveeError(f"{self.folder} is not on this machine: read {name} there")
        if not (self.folder / name).is_file():
            raise LeveeError(f"{self.folder} has no {name}: the run is not complete")
        return self.folder / name

    def _table(self, name: str) -> Any:
        """A CSV as a data frame, or as arrays by column where pandas is not installed."""
        file = self._file(name)
        with file.open(encoding="utf-8", newline="") as lines:
            names, *rows = csv.reader(lines)
        columns = {column: _column([row[at] for row in rows]) for at, column in enumerate(names)}
        try:
            import pandas
        except ImportError:
            return columns
        text = {column: str for column, values in columns.items() if values.dtype.kind == "U"}
        return pandas.read_csv(file, dtype=text, keep_default_na=False, na_values=["", "NaN"])

    def _repr_html_(self) -> str:
        report = self.folder / "report.html"
        link = f'<a href="{report}" target="_blank">{report}</a>' if report.exists() else "no report yet"
        return f"<b>{type(self).__name__}</b> {self.folder}: {link}"

    def __repr__(self) -> str:
        return f"levee.{type(self).__name__}({os.path.relpath(self.folder)!r})"


class Run(Results):
    """A training: of one rule, or of several side by side, the first of which this is."""

    @property
    def complete(self) -> bool:
        """Whether the run has come to its end, with all its rules."""
        return all((folder / "summary.json").is_file() for folder in (self.folder, *_below(self.folder)))

    @property
    def options(self) -> Dict[str, Any]:
        """All options, defaults among them, by their names on the command line."""
        configuration: Dict[str, Any] = self.summary["configuration"]
        return configuration

    @property
    def scores(self) -> Dict[str, Any]:
        """The last evaluation: loss, and accuracy or other scores."""
        summary = self.summary
        scores = {"loss": summary.get("finalLoss"), "accuracy": summary.get("finalAccuracy")}
        scores.update({name: score.get("final") for name, score in summary.get("scores", {}).items()})
        return {name: score for name, score in scores.items() if score is not None}

    @property
    def history(self) -> Any:
        """A row per round: a pandas data frame, or arrays by column where pandas is not installed."""
        return self._table("metrics.csv")

    @property
    def by_rule(self) -> Dict[str, "Run"]:
        """The runs side by side, this one first: by rule, federated ones by sampling."""
        runs = [self]
        if self.folder.is_dir():
            for below in sorted(self.folder.iterdir()):
                if below.is_dir() and below.name not in _NOT_RUNS and (below / "summary.json").is_file():
                    runs.append(Run(below))
        return {str(run.options.get("sampling", run.options.get("aggregator"))): run for run in runs}

    def state_dict(self) -> Dict[str, Any]:
        """Parameters and buffers by the names that they have in the module: tensors, or arrays without PyTorch."""
        arrays = read_model(self._file("model.npz"))
        try:
            import torch
        except ImportError:
            return dict(arrays)
        return {name: torch.from_numpy(array.copy()) for name, array in arrays.items()}

    def load_into(self, module: Any) -> Any:
        """Loads the trained parameters and buffers into a module, and returns it."""
        load_into(module, self._file("model.npz"))
        return module

    def resume(self, *, show: bool = True, **changes: Any) -> "Run":
        """Goes on from the newest checkpoint of a run that has not come to its end, with the rules that have not.

        show: whether what the command says is printed.
        changes: options to change, by their names in Python, such as rounds=1000. resume names another checkpoint.
        """
        from .launch import conclude, follow
        from .options import arguments

        record = self._record()
        command, *words = record["arguments"]
        if "output" in changes:
            raise LeveeError(
                f"a run is resumed in its own folder: levee.{command}(resume={str(self.folder)!r}, output=…) continues it elsewhere"
            )
        changed = {"--" + name.replace("_", "-") for name in [*changes, "resume", "output"]}
        kept = _without(words, changed)
        # Where the run keeps its checkpoints, unless it was told another place.
        checkpoints = record.get("checkpoints") or str(self.folder / "checkpoints")
        options = {"resume": checkpoints, **changes, "output": str(self.folder)}
        said, code = follow([command, *kept, *arguments(options)], show)
        resumed: Run = conclude(command, code, said, self.folder)
        return resumed

    def _record(self) -> Dict[str, Any]:
        if self.complete:
            raise LeveeError(f"{self.folder} is complete: there is nothing to resume")
        record = _read(self.folder / "run.json")
        if not record:
            raise LeveeError(f"{self.folder} has no run.json that can be read: no run was started there")
        return record


class Simulation(Results):
    """Policies on a simulated cluster."""

    @property
    def jobs(self) -> Any:
        """A row per job and policy: a pandas data frame, or arrays by column where pandas is not installed."""
        return self._table("jobs.csv")


class Study(Results):
    """The cells of a grid, and what was made of them."""

    @property
    def cells(self) -> Any:
        """A row per cell: a pandas data frame, or arrays by column where pandas is not installed."""
        return self._table("cells.csv")

    @property
    def latex(self) -> str:
        """The table of the chosen cells, for a paper."""
        return self._file("table.tex").read_text(encoding="utf-8")


def _column(words: List[str]) -> NDArray[Any]:
    """Values of a column: numbers, of which some may be missing, or truths, or else text."""
    numbers = [_NUMBER.fullmatch(word or "NaN") for word in words]
    if all(numbers):
        whole = all(number["whole"] for number in numbers if number)
        return np.array([int(word) if whole else float(word or "nan") for word in words])
    return np.array([word == "true" for word in words] if {*words} <= {"true", "false"} else words)


def _without(words: List[str], names: Any) -> List[str]:
    """Words of a command line without some options and their values."""
    kept: List[str] = []
    dropping = False
    for word in words:
        if dropping and not word.startswith("--"):
            dropping = False
            continue
        name = word.split("=", 1)[0]
        dropping = name in names and "=" not in word
        if name not in names:
            kept.append(word)
    return kept


def folder_name(rule: str) -> str:
    """A rule in the name of a folder, as the command writes it."""
    return re.sub(r"[^a-z0-9._]+", "-", rule.lower()).strip("-")


def _below(folder: pathlib.Path) -> List[pathlib.Path]:
    """The folders of a run's further rules, which run.json names."""
    return [folder / folder_name(job["rule"]) for job in _read(folder / "run.json").get("jobs", [])[1:]]


def _read(file: pathlib.Path) -> Dict[str, Any]:
    """The contents of a JSON file, empty if it is missing or damaged."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def runs(folder: Union[str, "os.PathLike[str]"] = "levee-runs") -> List[Run]:
    """The trainings in a folder and below it, the oldest first; those that have not come to their end among them.

    Rules side by side are one training: Run.by_rule has each.
    """
    found: Dict[pathlib.Path, str] = {}
    root = pathlib.Path(folder)
    for name in ("run.json", "summary.json"):
        for file in root.glob(f"**/{name}"):
            about = _read(file)
            # Estimates and studies have a run.json, too, and estimates and simulations a summary.json.
            if "roundsDone" in about or name == "run.json" and about and not {"fits", "cells"} & about.keys():
                found[file.parent] = _started(about) or found.get(file.parent, "")
    further = {below for each in found for below in _below(each)}
    return [Run(each) for each in sorted(found.keys() - further, key=lambda each: (found[each], str(each)))]


def _started(about: Mapping[str, Any]) -> Optional[str]:
    started = about.get("started") or about.get("provenance", {}).get("started")
    return str(started) if started else None
