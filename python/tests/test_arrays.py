"""Rules and attacks on arrays, in this process. Skipped without JPype, Java or Levee's jars."""

import gc
import os
import pickle
import subprocess
import sys
import unittest

import numpy as np

import levee

try:
    import torch
except ImportError:
    torch = None

try:
    levee.rules()
    MISSING = None
except levee.LeveeError as e:
    MISSING = str(e)

ROWS = np.random.default_rng(1).standard_normal((11, 4099)).astype(np.float32)


@unittest.skipIf(MISSING is not None, MISSING)
class AggregateTest(unittest.TestCase):
    def test_the_median_is_numpys(self):
        np.testing.assert_array_equal(levee.aggregate(ROWS, "median"), np.median(ROWS, axis=0))

    def test_a_pipeline_is_within_the_honest_rows(self):
        honest = ROWS[3:] + 5
        rows = np.concatenate([levee.attack(honest, "reversed", f=3), honest])
        aggregate = levee.aggregate(rows, "nnm | trimmed-mean", f=3)
        self.assertTrue((aggregate >= honest.min(0)).all() and (aggregate <= honest.max(0)).all())

    def test_any_layout_has_the_same_bits(self):
        expected = levee.aggregate(ROWS, "multi-krum", f=3)
        wide = np.zeros((22, 5000), np.float32)
        wide[::2, 7:4106] = ROWS
        read_only = ROWS.copy()
        read_only.flags.writeable = False
        swapped = ROWS.astype(ROWS.dtype.newbyteorder())
        layouts = {
            "slices": wide[::2, 7:4106],
            "fortran": np.asfortranarray(ROWS),
            "backwards": ROWS[::-1].copy()[::-1],
            "read-only": read_only,
            "other byte order": swapped,
            "list": list(ROWS),
        }
        for name, rows in layouts.items():
            with self.subTest(name):
                np.testing.assert_array_equal(levee.aggregate(rows, "multi-krum", f=3), expected)

    def test_rows_may_have_any_shape(self):
        rows = ROWS[:, :60].reshape(11, 3, 4, 5)
        aggregate = levee.aggregate(rows, "median")
        self.assertEqual(aggregate.shape, (3, 4, 5))
        np.testing.assert_array_equal(aggregate.ravel(), levee.aggregate(ROWS[:, :60], "median"))
        self.assertEqual(levee.attack(rows, "sign-flip", f=2).shape, (2, 3, 4, 5))

    def test_rows_are_not_changed(self):
        before = ROWS.copy()
        levee.aggregate(ROWS, "geometric-median", f=3)
        np.testing.assert_array_equal(ROWS, before)

    def test_float64_is_computed_in_float32_and_returned_as_float64(self):
        aggregate = levee.aggregate(ROWS.astype(np.float64), "median")
        self.assertEqual(aggregate.dtype, np.float64)
        np.testing.assert_array_equal(aggregate, levee.aggregate(ROWS, "median"))

    def test_weights_and_scores_and_the_previous_aggregate_count(self):
        rows = np.float32([[1, 0], [3, 4]])
        np.testing.assert_array_equal(levee.aggregate(rows, "average", weights=[3, 1]), [1.5, 1])
        scored = levee.aggregate(np.float32([[1], [2], [9]]), "zeno", f=1, scores=[2, 2, -5])
        np.testing.assert_array_equal(scored, [1.5])
        moved = levee.aggregate(rows, "centered-clipping", previous=np.float32([100, 100]))
        self.assertGreater(moved.min(), 50)

    def test_an_aggregator_goes_on_from_its_last_aggregate(self):
        aggregator = levee.Aggregator("centered-clipping", f=3)
        first = aggregator(ROWS)
        self.assertFalse(np.array_equal(aggregator(ROWS), first))
        again = levee.aggregate(ROWS, "centered-clipping", f=3)
        np.testing.assert_array_equal(first, again)

    def test_a_saved_state_goes_on_with_the_same_bits(self):
        rounds = [ROWS + step for step in range(4)]
        scores = {"zeno": np.arange(11), "zeno++": np.arange(11)}
        depend = set()
        for rule in [*levee.rules(), "bucketing | median", "nnm | clipped-clustering", "clip(c=100) | centered-clipping"]:
            with self.subTest(rule):
                kept, restored, fresh = (levee.Aggregator(rule, f=2, seed=5) for _ in range(3))
                for rows in rounds[:2]:
                    kept.aggregate(rows, scores=scores.get(rule))
                state = pickle.dumps(kept.state_dict())
                expected = [kept.aggregate(rows, scores=scores.get(rule)) for rows in rounds[2:]]
                restored.aggregate(rounds[3], scores=scores.get(rule))  # is forgotten
                restored.load_state_dict(pickle.loads(state))
                found = [restored.aggregate(rows, scores=scores.get(rule)) for rows in rounds[2:]]
                np.testing.assert_array_equal(found, expected)
                if not np.array_equal(fresh.aggregate(rounds[2], scores=scores.get(rule)), expected[0]):
                    depend.add(rule)
        self.assertEqual(
            depend,
            {
                "centered-clipping",
                "clipped-clustering",
                "clipped-gossip",
                "dnc",
                "sign-guard",
                "bucketing | median",
                "nnm | clipped-clustering",
                "clip(c=100) | centered-clipping",
            },
        )

    def test_a_state_that_does_not_fit_is_refused(self):
        state = levee.Aggregator("centered-clipping", f=2).state_dict()
        for other, sentence in [
            (levee.Aggregator("krum", f=2), "the state is of an aggregator with rule centered-clipping"),
            (levee.Aggregator("centered-clipping", f=3), "the state is of an aggregator with f 2, this one has f 3"),
            (levee.Aggregator("centered-clipping", f=2, seed=7), "with seed 1, this one has seed 7"),
        ]:
            with self.subTest(sentence), self.assertRaisesRegex(levee.LeveeError, sentence):
                other.load_state_dict(state)
        with self.assertRaisesRegex(levee.LeveeError, "not of levee.Aggregator.state_dict"):
            levee.Aggregator("median").load_state_dict({"rule": "median", "f": 0, "seed": 1})
        with self.assertRaisesRegex(levee.LeveeError, "not of levee.Aggregator.state_dict"):
            levee.Aggregator("centered-clipping", f=2).load_state_dict({**state, "values": "any"})
        with self.assertRaisesRegex(levee.LeveeError, "round -1 is negative"):
            levee.Aggregator("centered-clipping", f=2).load_state_dict({**state, "round": -1})
        for rule in ("centered-clipping", "clipped-clustering"):
            before, after = levee.Aggregator(rule, f=2), levee.Aggregator(rule, f=2)
            before(ROWS)
            after.load_state_dict(before.state_dict())
            with self.assertRaisesRegex(levee.LeveeError, "the loaded state is of rows of 4099 coordinates, got rows of 60"):
                after(ROWS[:, :60])

    def test_threads_do_not_change_a_bit(self):
        rows = np.random.default_rng(2).standard_normal((9, 300_000)).astype(np.float32)
        one, three = (levee.aggregate(rows, "nnm | median", f=2, threads=t) for t in (1, 3))
        np.testing.assert_array_equal(one, three)

    def test_what_is_wrong_is_one_sentence(self):
        for call, sentence in [
            (lambda: levee.aggregate(ROWS, "krum", f=9), "krum needs n ≥ 2f + 3: with f = 9 that is 21 rows, got 11"),
            (lambda: levee.aggregate(ROWS[0], "krum"), "a matrix with a row for each worker is needed, got an array of 1 dimensions"),
            (lambda: levee.aggregate([[1, 2], [3]], "median"), "the rows do not make a matrix"),
            (lambda: levee.aggregate(np.array([["a"]]), "median"), "rows have to be numbers, got an array of <U1"),
            (lambda: levee.aggregate(np.zeros((0, 3)), "median"), "median needs at least one row, got none"),
            (lambda: levee.aggregate(ROWS, "krumm"), "unknown rule krumm: known are average"),
            (lambda: levee.aggregate(ROWS, "average", weights=[1, 2]), "weights has 2 values for 11 rows"),
            (lambda: levee.aggregate(ROWS, "average", device="tpu"), "device must be cpu, gpu or auto, got tpu"),
            (lambda: levee.attack(ROWS, "sign-flip", f=-1), "the number of attackers must be 0 or more, got -1"),
            (
                lambda: levee.attack(ROWS[:, :1], "random", f=2**29),
                "the rows of all attackers must have at most 2147483647 bytes, got 2147483648",
            ),
        ]:
            with self.subTest(sentence):
                with self.assertRaises(ValueError) as raised:
                    call()
                self.assertIsInstance(raised.exception, levee.LeveeError)
                self.assertIn(sentence, str(raised.exception))
                self.assertNotIn("\n", str(raised.exception))

    def test_arrays_do_not_stay_in_memory(self):
        class Watched(np.ndarray):
            pass

        import weakref

        rows = ROWS.view(Watched)
        gone = weakref.ref(rows)
        levee.aggregate(rows, "median")
        del rows
        gc.collect()
        self.assertIsNone(gone())

    def test_names(self):
        self.assertIn("multi-krum", levee.rules())
        self.assertIn("nnm", levee.pre_aggregations())
        self.assertIn("little-is-enough", levee.attacks())

    @unittest.skipIf(torch is None, "PyTorch is not installed")
    def test_tensors_give_tensors(self):
        rows = torch.from_numpy(ROWS)
        expected = levee.aggregate(ROWS, "trimmed-mean", f=3)
        for given in (rows, rows.clone().requires_grad_(), rows.t().contiguous().t(), list(rows)):
            aggregate = levee.aggregate(given, "trimmed-mean", f=3)
            self.assertEqual(aggregate.dtype, torch.float32)
            np.testing.assert_array_equal(aggregate.numpy(), expected)
        self.assertEqual(levee.aggregate(rows.double(), "median").dtype, torch.float64)
        self.assertEqual(levee.aggregate(rows.bfloat16(), "median").dtype, torch.bfloat16)
        self.assertEqual(tuple(levee.attack(rows, "mimic", f=2).shape), (2, 4099))

    def test_a_forked_process_is_told_what_to_do(self):
        if not hasattr(os, "fork"):
            self.skipTest("there is no fork here")
        program = (
            "import levee, os\n"
            "levee.rules()\n"
            "if os.fork() == 0:\n"
            "    try:\n"
            "        levee.rules()\n"
            "    except levee.LeveeError as e:\n"
            "        print(e, flush=True)\n"
            "    os._exit(0)\n"
            "os.wait()\n"
        )
        said = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, check=True).stdout.decode()
        self.assertIn('get_context("spawn")', said)

    def test_java_that_is_missing_is_one_sentence(self):
        environment = {**os.environ, "JAVA_HOME": "/nowhere"}
        program = "import levee\ntry:\n    levee.rules()\nexcept levee.LeveeError as e:\n    print(e)"
        said = subprocess.run(
            [sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, check=True
        ).stdout.decode()
        self.assertEqual(
            said,
            "Levee needs Java 17 or newer, but JAVA_HOME is /nowhere, which has no bin/java:"
            " install a JDK 17, or set JAVA_HOME to one\n",
        )


if __name__ == "__main__":
    unittest.main()
