"""Starts Levee's command with what a function was given, and follows it."""

from __future__ import annotations

import codecs
import contextlib
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from .errors import LeveeError
from .home import class_data, class_path, home, java_home, jvm_flags
from .options import SAMPLES, arguments, study_file, training_options
from .run import Run, Simulation, Study, folder_name

PathLike = Union[str, "os.PathLike[str]"]

_OWN = ("training", "show", "grid")
_NO_FOLDER = ("config", "dry_run", "resume")  # options with which the command knows the folder, or needs none
_RESULTS: Mapping[str, Any] = {"simulate": Simulation, "study": Study}
_INSIDE = "LEVEE_INSIDE_RUN"  # set in the processes of a run, which import the user's file
_NOISE = re.compile(r"^(WARNING: Using incubator modules|.*AutoNonVariableTypeMode is deprecated).*\n?", re.MULTILINE)
_CONTROL = re.compile(r"\x1b\[[?0-9;]*[A-Za-z]")
_ENDED_BY_CTRL_C = 130
_NOTEBOOK_COLUMNS = 100


def launch(command: str, given: Mapping[str, Any]) -> Any:
    """Runs a command to its end.

    given: arguments of the function in commands.py, by their names.
    """
    if os.environ.get(_INSIDE):
        raise LeveeError(
            f"levee.{command} is called by a process of a run that imports this file:"
            ' put the call behind if __name__ == "__main__":'
        )
    options = {name: value for name, value in given.items() if name not in _OWN and value is not None and value is not False}
    if "output" in options or any(name in options for name in _NO_FOLDER):
        return _launch(command, given, options)
    if command == "finetune":
        # Features are kept for the next time, so the folder is always the same.
        return _launch(command, given, {**options, "output": "finetune"})
    output = _folder(command, options)
    try:
        return _launch(command, given, {**options, "output": output})
    finally:
        with contextlib.suppress(OSError):
            os.rmdir(output)  # a command that was refused has written nothing


def _launch(command: str, given: Mapping[str, Any], options: Dict[str, Any]) -> Any:
    output = os.fspath(options.get("output", "finetune" if command == "finetune" else "levee-runs/run"))
    files = pathlib.Path(output).absolute().parent / ".levee-data" if "://" not in output else pathlib.Path(".levee-data")
    if command == "study":
        samples = {name: options.pop(name) for name in SAMPLES if name in options}
        words = [study_file(given["grid"], samples, files), *arguments(options)]
    else:
        words = arguments(training_options(options, files))
    if given.get("training"):
        words += ["--", *arguments(training_options(given["training"], files))]
    said, code = follow([command, *words], bool(given.get("show")))
    if "output" not in options:
        return conclude(command, code, said, _said_folder(said))
    return conclude(command, code, said, pathlib.Path(output) / "run" if command == "finetune" else output)


def conclude(command: str, code: int, said: str, folder: Optional[PathLike]) -> Any:
    """What a command that has ended came to.

    folder: of its results, None if it is not known, as after a dry run.

    Raises: LeveeError if it failed.
    """
    if code == 0:
        return _RESULTS.get(command, Run)("levee-runs" if folder is None else folder, said)
    how = f"; levee.Run({str(folder)!r}).resume() goes on" if command in ("train", "federate") and folder is not None else ""
    if command == "study":
        how = f"; the same call with output={str(folder)!r} goes on"
    if code == _ENDED_BY_CTRL_C:
        raise KeyboardInterrupt(f"levee {command} was interrupted{how}")
    if code < 0:
        raise LeveeError(f"levee {command} was ended by signal {-code}{how}")
    lines = [line for line in said.splitlines() if line.strip() and not line.startswith("See levee ")]
    raise LeveeError(lines[-1].strip() if lines else f"levee {command} ended with status {code} and said nothing")


def _said_folder(said: str) -> Optional[str]:
    """The folder of the results that a command has named, None if it has named none."""
    reports = re.findall(r"^Report: (.+)[/\\]report\.html$", said, re.MULTILINE)
    words = re.findall(r"(?:levee attach|Continue with: .* --output) (.+)$", said, re.MULTILINE)
    return reports[-1] if reports else shlex.split(words[-1])[0] if words else None


def _folder(command: str, options: Mapping[str, Any]) -> str:
    """Makes a folder below levee-runs that no other program has, named like those that the command makes."""
    first = options.get("aggregator" if command == "train" else "algorithm") or command
    path = f"levee-runs/{time.strftime('%Y%m%d-%H%M%S')}-{folder_name(first if isinstance(first, str) else first[0])}"
    number = 2
    free = path
    while True:
        try:
            os.makedirs(free)
            return free
        except FileExistsError:
            free, number = f"{path}-{number}", number + 1


def follow(words: Sequence[str], show: bool) -> Tuple[str, int]:
    """Runs the command line, and prints what it says as it says it.

    Ctrl-C interrupts the command, which then says how to go on, and waits for its end. A second one kills it. The command
    ends when this process does, even if that is killed.

    Returns: all that it said, and its exit status.
    """
    at = home()
    jdk = java_home()
    java = jdk / "bin" / ("java.exe" if os.name == "nt" else "java")
    notebook = show and "ipykernel" in sys.modules
    terminal = notebook or show and sys.stdout is not None and sys.stdout.isatty()
    line = [str(java), *jvm_flags(at), *class_data(at, jdk), f"-Dlevee.plugins={os.environ.get('LEVEE_PLUGINS', '')}"]
    line += ["-Dlog4j2.configurationFile=levee-log4j2.xml", "-Dfile.encoding=UTF-8", "-Dlevee.ends.with.input=true"]
    if terminal:
        columns = _NOTEBOOK_COLUMNS if notebook else shutil.get_terminal_size().columns
        line += ["-Dlevee.terminal=true", f"-Dlevee.columns={columns}"]
    line += ["-cp", os.pathsep.join(class_path(at)), "dev.levee.jobs.Levee", *words]
    with subprocess.Popen(
        line,
        stdin=subprocess.PIPE,  # the command ends when this end of it is gone, so when this process is killed
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, _INSIDE: "1"},
    ) as process:
        said = _Said(process, (_to_notebook if notebook else _to_terminal) if show else _to_nobody)
        interrupted = False
        while True:
            try:
                if not said.read():
                    code = process.wait()
                    break
            except KeyboardInterrupt:
                if interrupted:
                    process.kill()
                else:
                    process.send_signal(signal.SIGINT)
                interrupted = True
            except BaseException:
                process.kill()
                raise
    return said.text(), _ENDED_BY_CTRL_C if interrupted else code


def _to_terminal(text: str) -> None:
    print(text, end="", flush=True)


def _to_notebook(text: str) -> None:
    """Notebooks know that a line is written again, but not how its rest is cleared: it is overwritten with blanks."""
    cleared = text.replace("\r\x1b[K", "\r" + " " * _NOTEBOOK_COLUMNS + "\r")
    print(_CONTROL.sub("", cleared), end="", flush=True)


def _to_nobody(text: str) -> None:
    pass


class _Said:
    """What a process says, line by line, or as much of a line as it replaces in place."""

    def __init__(self, process: "subprocess.Popen[bytes]", show: Callable[[str], None]):
        assert process.stdout is not None
        self._from = process.stdout.fileno()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._show = show
        self._rest = ""
        self._lines: List[str] = []

    def read(self) -> bool:
        """Waits for more; False at the end."""
        chunk = os.read(self._from, 65536)
        text = self._rest + self._decoder.decode(chunk, final=not chunk)
        # The beginning of a line may be noise, so it waits for its end, unless it is one that is replaced in place.
        whole = text.rfind("\n") + 1
        end = len(text) if not chunk or "\r" in text[whole:] else whole
        self._rest = text[end:]
        text = _NOISE.sub("", text[:end])
        self._lines.append(text)
        if text:
            self._show(text)
        return bool(chunk)

    def text(self) -> str:
        """All of it, without what was replaced in place."""
        lines = _CONTROL.sub("", "".join(self._lines)).split("\n")
        return "\n".join(line.rsplit("\r", 1)[-1] for line in lines)
