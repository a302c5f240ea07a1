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


def class_data(at: pathlib.Path, java: pathlib.Path) -> List[str]:
    """Has a JVM map the classes that the launcher has archived for its version, instead of loading them."""
    version = _about(java, "JAVA_RUNTIME_VERSION")
    archive = at / "jobs" / "target" / "class-data" / f"levee-{version}.jsa"
    return [f"-XX:SharedArchiveFile={archive}", "-Xlog:cds*=off"] if archive.exists() else []


def java_home() -> pathlib.Path:
    """Where Java is: JAVA_HOME, or what the command java belongs to."""
    named = os.environ.get("JAVA_HOME")
    command = shutil.which("java", path=os.path.join(named, "bin") if named else None)
    if command is None:
        where = f"JAVA_HOME is {named}, which has no bin/java" if named else "there is no command java"
        raise LeveeError(f"Levee needs Java 17 or newer, but {where}: install a JDK 17, or set JAVA_HOME to one")
    found = pathlib.Path(command).resolve().parents[1]
    about = re.match(r"(?:1\.)?(\d+)", _about(found, "JAVA_VERSION"))  # what java is too old for fails when it starts
    if about and int(about.group(1)) < 17:
        raise LeveeError(f"Levee needs Java 17 or newer, but {found} is version {about.group(1)}: set JAVA_HOME to a newer one")
    return found


def _about(java: pathlib.Path, name: str) -> str:
    """What a JDK says of itself in a file; nothing if it has none."""
    try:
        said = re.search(rf'^{name}="(.*)"', (java / "release").read_text(), re.MULTILINE)
    except OSError:
        return ""
    return said.group(1) if said else ""
