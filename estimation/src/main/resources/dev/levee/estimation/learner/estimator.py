"""Fits estimators of a user's file for one learner of a Levee estimate.

Requests come on standard input, the user's file first; answers leave on standard output. Numbers are big-endian. What
the user's code prints goes to standard error. The process ends as soon as its standard input does, or, on Windows, after
the fit that runs.
"""
import os
import sys

control_in = os.fdopen(os.dup(0), "rb")
control_out = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)

import linecache
import random
import select
import struct
import threading
import traceback
import types

OK, REFUSED, RAISED = 0, 1, 2


class Refused(Exception):
    """Says in one sentence why nothing can be fitted."""


def watch():
    """Ends the process as soon as the other end of its standard input is closed."""
    poll = select.poll()
    poll.register(control_in, 0)  # wakes for a closed pipe, not for requests
    poll.poll()
    os._exit(0)


def read(count):
    data = control_in.read(count)
    if len(data) < count:
        sys.exit(0)
    return data


def number(form):
    return struct.unpack(form, read(struct.calcsize(form)))[0]


def text():
    return read(number(">i")).decode("utf-8")


def answer(kind, payload):
    control_out.write(bytes([kind]) + payload)
    control_out.flush()


def told(error, path):
    """The error in one line, with the line of the user's file that it comes from."""
    words = " ".join(("%s: %s" % (type(error).__name__, error)).split())
    places = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return words + (" (%s, line %d)" % (os.path.basename(path), places[-1].lineno) if places else "")


def failed(kind, sentence):
    data = sentence.encode("utf-8", "replace")
    answer(kind, struct.pack(">i", len(data)) + data)


class Estimators:
    def open(self):
        self.path, source, self.name = text(), text(), text()
        try:
            import numpy
        except ImportError as e:
            raise Refused("needs NumPy, which its interpreter cannot import: %s" % e)
        self.numpy = numpy
        folder = os.path.dirname(os.path.abspath(self.path))
        if os.path.isdir(folder):
            sys.path.insert(0, folder)
        module = types.ModuleType("levee_learner")
        module.__file__ = self.path
        sys.modules["levee_learner"] = module
        linecache.cache[self.path] = (len(source), None, source.splitlines(True), self.path)
        try:
            exec(compile(source, self.path, "exec"), module.__dict__)
        except Exception as e:
            raise Refused("cannot be run: %s" % told(e, self.path))
        self.learner = getattr(module, "learner", None)
        if not callable(self.learner):
            raise Refused("has no function learner(name)")
        self.estimator()

    def estimator(self):
        try:
            made = self.learner(self.name)
        except Exception as e:
            raise Refused("has a learner(%r) that raises %s" % (self.name, told(e, self.path)))
        if not (callable(getattr(made, "fit", None)) and callable(getattr(made, "predict", None))):
            raise Refused("has a learner(%r) that returns %s, which lacks fit and predict" % (self.name, type(made).__name__))
        return made

    def array(self, *shape):
        count = 1
        for extent in shape:
            count *= extent
        return self.numpy.frombuffer(read(8 * count), dtype=">f8").astype("f8").reshape(shape)

    def fit(self):
        seed, n, m, p = number(">Q"), number(">i"), number(">i"), number(">i")
        binary = number(">?")
        features, target, rows = self.array(n, p), self.array(n), self.array(m, p)
        random.seed(seed)
        self.numpy.random.seed(seed & 0xFFFFFFFF)
        estimator = self.estimator()
        fitted = estimator.fit(features, target)
        fitted = estimator if fitted is None else fitted
        if binary and hasattr(fitted, "predict_proba"):
            found = self.numpy.asarray(fitted.predict_proba(rows))[:, list(fitted.classes_).index(1)]
        else:
            found = self.numpy.asarray(fitted.predict(rows), dtype="f8").reshape(-1)
        if found.shape != (m,):
            raise Refused("predicts %d values for %d rows" % (found.size, m))
        return found.astype(">f8").tobytes()


def main():
    if hasattr(select, "poll"):
        threading.Thread(target=watch, daemon=True).start()
    estimators = Estimators()
    work = estimators.open
    while True:
        try:
            answer(OK, work() or b"")
        except Refused as e:
            failed(REFUSED, str(e))
        except Exception as e:
            failed(RAISED, told(e, estimators.path))
        work = estimators.fit


main()
