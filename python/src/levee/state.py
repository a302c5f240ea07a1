"""What a worker has to remember: its last answer, which it must not contradict."""

from __future__ import annotations

import os
import pathlib
from typing import Any, NamedTuple, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from .errors import LeveeError
from .frames import decode_gradient, split


class Answer(NamedTuple):
    """An answer as it was sent; its values are the momentum that goes on from it."""

    run: int
    version: int
    frames: bytes
    values: NDArray[Any]

    @property
    def place(self) -> Tuple[int, int]:
        """Run and version, which order answers."""
        return self.run, self.version


def read_answer(frames: bytes, worker: int, source: str) -> Answer:
    """An answer of its frames, one behind the other."""
    blocks = [decode_gradient(frame) for frame in split(frames)]
    first = blocks[0] if blocks else None
    if first is None or len(blocks) != first.blocks:
        raise LeveeError(f"{source} is damaged: remove it if the run it was for is over")
    for number, block in enumerate(blocks):
        if block is None or block[:5] != first[:3] + (number, first.blocks):
            raise LeveeError(f"{source} is damaged: remove it if the run it was for is over")
    if first.worker != worker:
        raise LeveeError(f"{source} is the state of worker w{first.worker}, not of w{worker}")
    values = np.concatenate([block.values for block in blocks if block is not None])
    return Answer(first.run, first.version, frames, values)


class State:
    """The last answer, in a file that is replaced in one step; or in memory only."""

    def __init__(self, file: Optional[pathlib.Path], worker: int):
        self._file = file
        self.answer: Optional[Answer] = None
        if file is None:
            return
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            if file.exists():
                self.answer = read_answer(file.read_bytes(), worker, str(file))
        except OSError as e:
            raise LeveeError(f"state {file} cannot be used: {e}") from e

    def keep(self, answer: Answer) -> None:
        """Remembers an answer; on disk before it returns."""
        if self._file is not None:
            new = self._file.with_name(self._file.name + ".new")
            try:
                with open(new, "wb") as out:
                    out.write(answer.frames)
                    out.flush()
                    os.fsync(out.fileno())
                os.replace(new, self._file)
                _sync(self._file.parent)
            except OSError as e:
                raise LeveeError(f"state {self._file} cannot be written: {e}") from e
        self.answer = answer


def _sync(folder: pathlib.Path) -> None:
    """Forces a directory's new entry to disk, where the system supports that."""
    try:
        opened = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(opened)
    except OSError:
        pass
    finally:
        os.close(opened)
