"""Whole runs from Python, each with a cluster of its own. Only where LEVEE_TEST_CLUSTER is set, as they take a while."""

import os
import pathlib
import signal
import tempfile
import threading
import time
import unittest

import numpy as np

import levee


@unittest.skipUnless(os.environ.get("LEVEE_TEST_CLUSTER"), "LEVEE_TEST_CLUSTER is not set")
class TrainingTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def test_a_wrong_option_is_one_sentence(self):
        with self.assertRaises(levee.LeveeError) as raised:
            levee.train(aggregator="krum", workers=7, byzantine=3, output=self.folder / "run", show=False)
        self.assertEqual(
            str(raised.exception), "--aggregator krum needs n ≥ 2f + 3: with f = 3 that is 9 workers, got 7"
        )

    def test_an_interrupted_run_goes_on_to_its_end(self):
        x = np.random.default_rng(1).standard_normal((300, 4)).astype(np.float32)
        output = self.folder / "run"

        def interrupt():
            until = time.monotonic() + 60
            while not list(output.glob("checkpoints/**/_metadata")) and time.monotonic() < until:
                time.sleep(0.02)
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=interrupt, daemon=True).start()
        with self.assertRaises(KeyboardInterrupt):
            levee.train(
                model="logistic",
                data=(x, x.argmax(axis=1)),
                workers=5,
                byzantine=1,
                attack="sign-flip",
                aggregator="median",
                rounds=3000,
                batch_size=10,
                checkpoint_interval="200ms",
                web_port="0",
                output=output,
                show=False,
            )
        (left,) = levee.runs(self.folder)
        self.assertFalse(left.complete)
        run = left.resume(show=False)
        self.assertTrue(run.complete)
        self.assertEqual(run.history["version"].max(), 3000)
        self.assertGreater(run.scores["accuracy"], 0.8)
        self.assertEqual(sorted(run.state_dict()), ["bias", "weight"])
        self.assertTrue(run.report.is_file())
        self.assertEqual(list(run.by_rule), ["median"])


if __name__ == "__main__":
    unittest.main()
