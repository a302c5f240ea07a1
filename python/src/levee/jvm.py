"""The Java virtual machine in this process, which is started when it is first needed."""

from __future__ import annotations

import os
import pathlib
import sys
import tempfile
import threading
from contextlib import contextmanager
from typing import Any, Iterator, Optional

from .errors import LeveeError
from .home import class_path, home, java_home, jvm_flags

_LOCK = threading.Lock()
_DEBIANS_MODULES = "/usr/lib/python3/dist-packages/"
_DEBIANS_JAR = "/usr/share/java/org.jpype.jar"  # JPype of PyPI brings its own
_NOISE = b"WARNING: Using incubator modules"

_started_by: Optional[int] = None


def start() -> Any:
    """JPype, with a JVM that has Levee's classes."""
    global _started_by
    if _started_by == os.getpid():
        return sys.modules["jpype"]
    with _LOCK:
        if _started_by is None:
            jpype = _started()
            _started_by = os.getpid()
            return jpype
        if _started_by != os.getpid():
            raise LeveeError(
                "Java runs in the process that this one was forked from, and cannot be used in this one:"
                ' start processes with multiprocessing.get_context("spawn")'
            )
        return sys.modules["jpype"]


def _started() -> Any:
    try:
        import jpype
    except ImportError as e:
        raise LeveeError("rules and attacks need JPype: pip install JPype1, or apt-get install python3-jpype") from e
    at = home()
    if jpype.isJVMStarted():
        raise LeveeError(
            "another package has started Java in this process without Levee's classes: call levee.rules() before it does"
        )
    library = _library(java_home())
    jars = class_path(at)
    if jpype.__file__.startswith(_DEBIANS_MODULES):
        jars.append(_DEBIANS_JAR)
    try:
        with _quiet():
            jpype.startJVM(str(library), *jvm_flags(at), classpath=jars, interrupt=False)
    except Exception as e:
        raise LeveeError(f"Java of {library} does not start in this process: {' '.join(str(e).split())}") from e
    return jpype


def _library(java: pathlib.Path) -> pathlib.Path:
    for name in ("lib/server/libjvm.so", "lib/server/libjvm.dylib", "bin/server/jvm.dll"):
        if (java / name).exists():
            return java / name
    raise LeveeError(f"{java} has no lib/server/libjvm.so: set JAVA_HOME to a complete JDK 17 or newer")


@contextmanager
def _quiet() -> Iterator[None]:
    """Keeps back what Java says about its incubating Vector API each time, and nothing else."""
    sys.stderr.flush()
    with tempfile.TemporaryFile() as kept:
        before = os.dup(2)
        os.dup2(kept.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(before, 2)
            os.close(before)
            kept.seek(0)
            for line in kept:
                if not line.startswith(_NOISE):
                    os.write(2, line)


@contextmanager
def one_sentence(jpype: Any) -> Iterator[None]:
    """Makes an exception of Java a LeveeError."""
    try:
        yield
    except jpype.JException as e:
        name = type(e).__name__
        if name == "java.lang.OutOfMemoryError":
            raise LeveeError(
                "the rows do not fit into Java's memory: set LEVEE_JAVA_OPTS=-Xmx8g, for example, before Levee is first used"
            ) from None
        message = e.getMessage()
        raise LeveeError(str(message) if message else name) from (None if "IllegalArgument" in name else e)
