"""Whole runs from Python, each with a cluster of its own. Only where LEVEE_TEST_CLUSTER is set, as they take a while."""

import importlib.util
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request
from unittest import mock

import numpy as np

import levee

SCRIPT = """
import sys
import numpy as np
import levee

x = np.random.default_rng(1).standard_normal((300, 4)).astype(np.float32)
levee.train(model="logistic", data=(x, x.argmax(axis=1)), workers=5, byzantine=1, attack="sign-flip", aggregator="median",
            rounds=1500, batch_size=10, checkpoint_interval="100ms", web_port="0", output=sys.argv[1], show=False)
"""

NET = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = nn.Linear(4, 4)

    def forward(self, x):
        return self.last(x)

def data(id, of):
    draws = torch.Generator().manual_seed(100 if id == "test" else id)
    x = torch.randn(50, 4, generator=draws)
    return x, x.argmax(1)

def train(module, data, settings):
    for x, y in data:
        module.zero_grad()
        nn.functional.cross_entropy(module(x), y).backward()
        with torch.no_grad():
            for parameter in module.parameters():
                parameter -= settings.learning_rate * parameter.grad
"""


def until(what, condition):
    end = time.monotonic() + 240
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"there was no {what} within four minutes")
        time.sleep(0.02)


def answers(address):
    try:
        urllib.request.urlopen(address, timeout=5).close()
        return True
    except OSError:
        return False


def checkpoints(output):
    try:
        return list(output.glob("checkpoints/**/_metadata"))
    except OSError:  # Flink has deleted a folder meanwhile.
        return []


@unittest.skipUnless(os.environ.get("LEVEE_TEST_CLUSTER"), "LEVEE_TEST_CLUSTER is not set")
class TrainingTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.output = self.folder / "run"

    def imported(self, name):
        """A module in the folder."""
        self.addCleanup(sys.modules.pop, name, None)
        with mock.patch.object(sys, "path", [str(self.folder), *sys.path]):
            return importlib.import_module(name)

    def test_a_wrong_option_is_one_sentence(self):
        with self.assertRaises(levee.LeveeError) as raised:
            levee.train(aggregator="krum", workers=7, byzantine=3, output=self.output, show=False)
        self.assertEqual(
            str(raised.exception), "--aggregator krum needs n ≥ 2f + 3: with f = 3 that is 9 workers, got 7"
        )

    def test_a_simulation_has_a_row_per_job_and_policy(self):
        simulation = levee.simulate(jobs=4, policy=["static", "era"], cluster="2x4", output=self.output, show=False)
        jobs = simulation.jobs
        self.assertEqual(list(jobs["policy"]), ["static"] * 4 + ["era"] * 4)
        np.testing.assert_allclose(jobs["finishSeconds"] - jobs["arrivalSeconds"], jobs["jctSeconds"])
        self.assertTrue(simulation.report.is_file())

    def test_ctrl_c_ends_a_run(self):
        def interrupt():
            until("log", (self.output / "levee.log").exists)
            os.kill(os.getpid(), signal.SIGINT)

        # Where a shell started the tests in the background, Python ignores the signal, and so would the command.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        threading.Thread(target=interrupt, daemon=True).start()
        with self.assertRaises(KeyboardInterrupt):
            levee.train(model="logistic", rounds=100_000, web_port="0", output=self.output, show=False)
        self.assertFalse(levee.Run(self.output).complete)

    def test_a_run_ends_with_the_program_that_is_killed_and_goes_on_to_its_end(self):
        program = subprocess.Popen([sys.executable, "-c", SCRIPT, str(self.output)])
        try:
            until("checkpoint", lambda: checkpoints(self.output))
        finally:
            program.kill()
            program.wait()
        address = json.loads((self.output / "run.json").read_text())["cluster"]
        until("end of the run", lambda: not answers(address))
        (left,) = levee.runs(self.folder)
        self.assertFalse(left.complete)
        run = left.resume(show=False)
        self.assertTrue(run.complete)
        self.assertEqual(run.history["version"].max(), 1500)
        self.assertGreater(run.scores["accuracy"], 0.8)
        self.assertEqual(sorted(run.state_dict()), ["bias", "weight"])
        self.assertTrue(run.report.is_file())
        self.assertEqual(list(run.by_rule), ["median"])

    @unittest.skipIf(importlib.util.find_spec("torch") is None, "PyTorch is not installed")
    def test_a_study_compares_a_class_with_a_built_in_model(self):
        (self.folder / "net.py").write_text(NET)
        x = np.random.default_rng(1).standard_normal((300, 4)).astype(np.float32)
        # Only a model with a train() of its own takes local steps.
        variants = {"own": {"model": self.imported("net").Net, "local_steps": 2}, "built in": {"model": "logistic"}}
        grid = {"variants": variants, "aggregator": "median", "workers": np.int64(5), "byzantine": 1}
        study = levee.study({**grid, "attack": "sign-flip", "rounds": 20, "learning_rate": 0.5}, data=(x, x.argmax(axis=1)),
                            web_port="0", output=self.output, show=False)
        cells = study.cells
        self.assertEqual(list(cells["variant"]), ["own", "built in"])
        self.assertGreater(min(cells["best"]), 0.7)


if __name__ == "__main__":
    unittest.main()
