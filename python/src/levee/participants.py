"""Models of a run: names, files, modules, and the Python code that makes them."""

from __future__ import annotations

import hashlib
import inspect
import io
import os
import pathlib
import sys
from typing import Any

from .errors import LeveeError


def model_option(model: Any, files: pathlib.Path) -> str:
    """What --model takes.

    model: a name or address as for --model; a path of a .py or TorchScript file; a module; a class or function that
        makes one.
    files: folder for what has to be written.
    """
    if isinstance(model, (str, os.PathLike)):
        text = os.fspath(model)
        if text.endswith(".py") and not text.startswith("python:"):
            return f"python:{text}"
        return f"file:{text}" if text.endswith((".pt", ".pth")) and ":" not in text else text
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(model, torch.nn.Module):
        return f"file:{_scripted(torch, model, files)}"
    if callable(model) and hasattr(model, "__name__"):
        return f"python:{_source(model)}?make={model.__qualname__}"
    raise LeveeError(
        f"model must be a name, a path, a module, or a class or function that makes one, got {type(model).__name__}"
    )


def _scripted(torch: Any, module: Any, files: pathlib.Path) -> pathlib.Path:
    try:
        scripted = module if isinstance(module, torch.jit.ScriptModule) else torch.jit.script(module)
    except Exception as e:  # what scripting does not know raises exceptions of many kinds
        raise LeveeError(
            f"torch.jit.script cannot script {type(module).__name__}: give the class or function that makes it,"
            " defined in a .py file, in the place of the module"
        ) from e
    saved = io.BytesIO()
    torch.jit.save(scripted, saved)
    if any(tensor.device.type != "cpu" for tensor in (*scripted.parameters(), *scripted.buffers())):
        # A copy moves: the scripted module shares its tensors with the caller's.
        saved.seek(0)
        moved = torch.jit.load(saved, map_location="cpu")
        saved = io.BytesIO()
        torch.jit.save(moved, saved)
    return keep(files, saved.getvalue(), ".pt")


def _source(maker: Any) -> str:
    """The file that defines a class or function, which the processes of a run execute."""
    name = maker.__qualname__
    try:
        source = inspect.getsourcefile(maker)
    except TypeError:
        source = None
    if source is None or not os.path.isfile(source):
        raise LeveeError(
            f"model {name} is not defined in a file, so the processes of a run cannot import it:"
            " write it to a .py file, in a notebook with %%writefile net.py, and give its path"
        )
    if "<locals>" in name or name == "<lambda>":
        raise LeveeError(f"model {name} is defined inside a function: define it at the top of {source}")
    path = os.path.abspath(source)
    if "?" in path:
        raise LeveeError(f"model {name} is in {path}, but the path of a model must not contain a question mark: rename it")
    return path


def keep(files: pathlib.Path, contents: bytes, suffix: str) -> pathlib.Path:
    """Writes a file that is named after its contents, if it is not there yet."""
    path = files / (hashlib.sha256(contents).hexdigest()[:16] + suffix)
    if not path.exists():
        files.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"{path.name}.{os.getpid()}")
        unfinished.write_bytes(contents)
        os.replace(unfinished, path)
    return path
