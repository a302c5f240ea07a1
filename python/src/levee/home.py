"""Where Levee itself is: its jars, its command, and Java."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
from typing import List

from .errors import LeveeError

_HERE = pathlib.Path(__file__).resolve().parent


def home() -> pathlib.Path:
    """The folder of the sources, of a release, or of what the wheel brought; LEVEE_RELEASE names another one."""
    named = os.environ.get("LEVEE_RELEASE")
    if named:
        if not (pathlib.Path(named) / "levee").is_file():
            raise LeveeError(f"LEVEE_RELEASE is {named}, which has no command levee: set it to a release's folder or the sources")
        return pathlib.Path(named).resolve()
    for candidate in (_HERE / "home", _HERE.parents[2]):
        if (candidate / "levee").is_file() and (candidate / "jobs").is_dir():
            return candidate
    raise LeveeError(
        "Levee's jars are not here: install the wheel that ./levee release makes,"
        " or set LEVEE_RELEASE to the folder of the sources or of a release"
    )


def class_path(at: pathlib.Path) -> List[str]:
    """The jars of the command, those of LEVEE_PLUGINS included."""
    built = at / "jobs" / "target"
    try:
        listed = (built / "classpath.txt").read_text().strip().split(os.pathsep)
    except FileNotFoundError as e:
        raise LeveeError(f"Levee is not built in {at}: run ./levee version there once") from e
    plugins = [plugin for plugin in os.environ.get("LEVEE_PLUGINS", "").split(os.pathsep) if plugin]
    return [str(built / "levee.jar"), *(str(at / jar) for jar in listed), *plugins]


def jvm_flags(at: pathlib.Path) -> List[str]:
    """What the command gives its JVM, and LEVEE_JAVA_OPTS."""
    flags = (at / "jobs" / "target" / "classes" / "levee-jvm.flags").read_text().split()
    return [*flags, f"-Dlevee.home={at}", *os.environ.get("LEVEE_JAVA_OPTS", "").split()]


def java_home() -> pathlib.Path:
    """Where Java is: JAVA_HOME, or what the command java belongs to."""
    named = os.environ.get("JAVA_HOME")
    command = shutil.which("java", path=os.path.join(named, "bin") if named else None)
    if command is None:
        where = f"JAVA_HOME is {named}, which has no bin/java" if named else "there is no command java"
        raise LeveeError(f"Levee needs Java 17 or newer, but {where}: install a JDK 17, or set JAVA_HOME to one")
    found = pathlib.Path(command).resolve().parents[1]
    try:
        about = re.search(r'JAVA_VERSION="(?:1\.)?(\d+)', (found / "release").read_text())
    except OSError:
        about = None  # what java is too old for fails when it starts
    if about and int(about.group(1)) < 17:
        raise LeveeError(f"Levee needs Java 17 or newer, but {found} is version {about.group(1)}: set JAVA_HOME to a newer one")
    return found
