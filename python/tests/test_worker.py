import os
import pathlib
import stat
import struct
import tempfile
import types
import unittest
from unittest import mock

import numpy as np
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from levee import Keys, LeveeError, LeveeTimeout, Worker
from levee.errors import LeveeUnavailable
from levee.topics import KafkaChannel
from levee.frames import BLOCK

from .job import Job, model


def doubled(parameters, round):
    """A gradient that tells its parameters and its round."""
    return 2 * parameters + round.version, float(round.batch)


class WorkerTest(unittest.TestCase):
    def worker(self, job, id="w1", **options):
        return Worker(id, "none:0", channel=job, **{"momentum": 0, "timeout": 0.2, "resend": 0.05, **options})

    def test_answers_each_version_once_until_the_run_is_over(self):
        job = Job()
        seen = []
        worker = self.worker(job, progress=seen.append)
        for version in range(3):
            job.publish(5, version, np.array([1.0, version]))
            step = worker.step(doubled)
            self.assertEqual((version, False), (step.version, step.over))
        job.publish(5, 3, np.array([7.0, 8.0]), flags=1)
        step = worker.step(doubled)
        self.assertTrue(step.over)
        self.assertEqual([7, 8], list(step.parameters))
        answers = job.answers()
        self.assertEqual([0, 1, 2], [version for version, _, _ in answers])
        self.assertEqual([4, 6], list(answers[2][2]))
        self.assertEqual(3.0, answers[2][1])
        self.assertEqual([1, 2, 3], [p.answers for p in seen])

    def test_skips_versions_that_were_overtaken_and_rounds_of_others(self):
        job = Job()
        job.publish(5, 0, np.zeros(2))
        job.publish(5, 1, np.ones(2))
        job.publish(4, 9, np.ones(2))
        worker = self.worker(job)
        self.assertEqual(1, worker.step(doubled).version)
        # Workers 0 and 3, then 1.
        job.publish(5, 2, np.ones(2), workers=[0, 3])
        with self.assertRaisesRegex(LeveeTimeout, "no version after 2 has come on topic levee.models for 0.2 s"):
            worker.step(doubled)
        job.publish(5, 3, np.ones(2), workers=[1])
        self.assertEqual(3, worker.step(doubled).version)

    def test_goes_on_with_a_run_that_goes_on_beyond_its_final_version(self):
        job = Job()
        job.publish(5, 3, np.ones(2), flags=1)
        job.publish(5, 3, np.ones(2))
        worker = self.worker(job)
        self.assertFalse(worker.step(doubled).over)
        job.publish(5, 4, np.ones(2), flags=1)
        self.assertTrue(worker.step(doubled).over)

    def test_blocks_are_put_together(self):
        job = Job()
        parameters = np.arange(BLOCK + 10, dtype=np.float32) / 7
        job.publish(5, 0, parameters)
        job.records.reverse()
        self.worker(job).step(doubled)
        self.assertEqual(2, len(job.sent[0]))
        np.testing.assert_array_equal(2 * parameters, job.answers()[0][2])

    def test_momentum_is_the_workers_and_leaves_buffers_alone(self):
        job = Job()
        worker = self.worker(job, momentum=0.5)
        for version in range(2):
            job.publish(5, version, np.ones(3))
            worker.step(doubled, trainable=2)
        self.assertEqual([2, 2, 2], list(job.answers()[0][2]))
        self.assertEqual([2.5, 2.5, 3], list(job.answers()[1][2]))
        job.publish(6, 0, np.ones(3))
        worker.step(doubled, trainable=2)
        self.assertEqual([2, 2, 2], list(job.answers()[2][2]))

    def test_goes_on_where_it_ended(self):
        with tempfile.TemporaryDirectory() as folder:
            state = pathlib.Path(folder) / "state"
            job = Job()
            job.publish(5, 0, np.ones(2))
            self.worker(job, momentum=0.5, state=state).step(doubled)
            again = Job()
            again.publish(5, 0, np.ones(2))
            restarted = self.worker(again, momentum=0.5, state=state)
            with self.assertRaises(LeveeTimeout):
                restarted.step(lambda *_: self.fail("it has answered this version already"))
            self.assertEqual(job.sent[0], again.sent[0])
            again.publish(5, 1, np.ones(2))
            restarted.step(doubled)
            self.assertEqual([2.5, 2.5], list(again.answers()[-1][2]))
            with self.assertRaisesRegex(LeveeError, "is the state of worker w1, not of w2"):
                self.worker(Job(), id="w2", state=state)
            state.write_bytes(state.read_bytes()[:-1])
            with self.assertRaisesRegex(LeveeError, "state is damaged: remove it if"):
                self.worker(Job(), state=state)

    def test_its_state_is_on_disk_before_its_answer_is_sent(self):
        with tempfile.TemporaryDirectory() as folder:
            state = pathlib.Path(folder) / "new" / "states" / "w1"
            job = Job()
            job.publish(5, 0, np.ones(2))
            worker = self.worker(job, state=state)
            synced = []
            with mock.patch("os.fsync", lambda file: synced.append(stat.S_ISDIR(os.fstat(file).st_mode))):
                job.send = lambda frames: self.assertEqual(b"".join(frames), state.read_bytes())
                worker.step(doubled)
            self.assertEqual([False, True], synced)
            with self.assertRaisesRegex(LeveeError, "^state .*w1/w1 cannot be used: "):
                self.worker(Job(), state=state / "w1")
            with mock.patch("os.replace", side_effect=OSError("no space")):
                job.publish(5, 1, np.ones(2))
                with self.assertRaisesRegex(LeveeError, "^state .*w1 cannot be written: no space$"):
                    worker.step(doubled)

    def test_its_answer_is_hashed_once(self):
        job = Job()
        worker = self.worker(job, momentum=0.5)
        for version in range(2):
            job.publish(5, version, np.ones(3))
            with mock.patch("levee.state.decode_gradient", side_effect=AssertionError("read again")):
                worker.step(doubled)
        self.assertEqual([2.5, 2.5, 2.5], list(job.answers()[1][2]))

    def test_sends_again_what_a_broker_may_have_lost(self):
        job = Job()
        job.publish(5, 0, np.ones(2))
        worker = self.worker(job)
        worker.step(doubled)
        with self.assertRaises(LeveeTimeout):
            worker.step(doubled)
        self.assertGreaterEqual(len(job.sent), 3)
        self.assertTrue(all(frames == job.sent[0] for frames in job.sent))

    def test_an_answer_is_sent_again_after_pauses_that_double(self):
        job = Job()
        job.publish(5, 0, np.ones(2))
        worker = self.worker(job, timeout=100, resend=2)
        worker.step(doubled)
        pauses = []
        with mock.patch.object(worker._versions, "newest", lambda _, seconds: pauses.append(seconds)):
            with self.assertRaises(LeveeTimeout):
                worker.step(doubled)
        self.assertEqual([2, 4, 8, 16, 30, 30, 10], [round(pause) for pause in pauses])
        self.assertEqual(8, len(job.sent))

    def test_waits_for_a_broker_that_is_away_until_the_timeout(self):
        job = Job()
        job.publish(5, 0, np.ones(2), flags=2, evaluator=1)
        away = [3, 3]

        def lost(which, done):
            def call(what):
                away[which] -= 1
                if away[which] >= 0:
                    raise LeveeUnavailable("the broker did not take an answer")
                done(what)

            return call

        send = job.send
        job.send, job.tell = lost(0, send), lost(1, job.tell)
        worker = self.worker(job, timeout=None, resend=0.001)
        worker.step(doubled, evaluate=lambda *_: {"loss": 1.0})
        self.assertEqual((1, 1), (len(job.sent), len(job.told)))
        # It is away while the next version is waited for, too, and back with it.
        away[0] = 3
        job.send = lost(0, lambda frames: (send(frames), job.publish(5, 1, np.ones(2), flags=1)))
        self.assertTrue(worker.step(doubled).over)
        away[0] = 1 << 30
        worker = self.worker(job, timeout=0.01, resend=0.001)
        job.publish(6, 0, np.ones(2))
        with self.assertRaisesRegex(LeveeTimeout, "the broker did not take an answer, for "):
            worker.step(doubled)

    def test_evaluates_what_it_is_asked_to(self):
        job = Job()
        worker = self.worker(job, id="w1")

        def evaluate(parameters, round):
            return {"samples": 4, "loss": float(parameters.sum()), "accuracy": round.version / 8}

        for version, flags, evaluator in ((0, 2, 1), (1, 0, 1), (2, 2, 0), (3, 2, None), (4, 3, 1)):
            job.publish(5, version, np.array([1.0, version]), flags=flags, evaluator=evaluator)
            worker.step(doubled, evaluate=evaluate)
        self.assertEqual(4, len(job.sent))
        self.assertEqual(2, len(job.told))
        run, version, sender = struct.unpack_from("<qqi", job.told[1], 8)
        self.assertEqual((5, 4, 1), (run, version, sender))
        self.assertEqual((5.0, 4), struct.unpack_from("<dq", job.told[1], 56))
        self.assertEqual((14, 1, 8, 0.5), struct.unpack("<iHid", job.told[1][200:]))

    def test_evaluates_after_a_restart_what_it_has_answered(self):
        with tempfile.TemporaryDirectory() as folder:
            state = pathlib.Path(folder) / "state"
            job = Job()
            job.publish(5, 0, np.ones(2), flags=2, evaluator=1)
            job.tell = mock.Mock(side_effect=KeyboardInterrupt)
            with self.assertRaises(KeyboardInterrupt):
                self.worker(job, state=state).step(doubled, evaluate=lambda *_: {"loss": 1.0})
            again = Job()
            again.publish(5, 0, np.ones(2), flags=2, evaluator=1)
            again.publish(5, 0, np.ones(2), flags=2, evaluator=1)
            with self.assertRaises(LeveeTimeout):
                self.worker(again, state=state).step(doubled, evaluate=lambda *_: {"loss": 1.0})
            self.assertEqual((job.sent[0], 1), (again.sent[0], len(again.told)))

    def test_one_that_only_evaluates_answers_nothing(self):
        job = Job()
        job.publish(5, 0, np.ones(2), flags=2, evaluator=7)
        worker = self.worker(job, id="w7")
        with self.assertRaises(LeveeTimeout):
            worker.step(doubled, evaluate=lambda *_: {"rmse": 1.0})
        self.assertEqual(([], 1), (job.sent, len(job.told)))

    def test_refuses_scores_that_nobody_knows(self):
        job = Job()
        job.publish(5, 0, np.ones(2), flags=2, evaluator=1)
        with self.assertRaisesRegex(LeveeError, "evaluate returns beauty, which is none of samples, loss, accuracy"):
            self.worker(job).step(doubled, evaluate=lambda *_: {"beauty": 1.0})

    def test_says_that_it_cannot_evaluate(self):
        job = Job()
        job.publish(5, 0, np.ones(2), flags=2, evaluator=1)
        with self.assertLogs("levee", "WARNING") as logs:
            self.worker(job).step(doubled)
        self.assertIn("the job asks w1 to evaluate, and it has no evaluate=", logs.output[0])

    def test_says_why_it_waits(self):
        with self.assertRaisesRegex(LeveeTimeout, "^topic levee.models is empty after 0.2 s$"):
            self.worker(Job()).step(doubled)
        job = Job()
        job.put(model(1, 0, [1], protocol=4))
        with self.assertRaisesRegex(LeveeTimeout, "has protocol version 4, but this worker speaks 2"):
            self.worker(job).step(doubled)
        job.put(model(1, 0, [1], blocks=2))
        with self.assertRaisesRegex(LeveeTimeout, "has no version whose blocks are all there"):
            self.worker(job).step(doubled)

    def test_believes_the_job_only(self):
        own, jobs, other = (Ed25519PrivateKey.generate() for _ in range(3))
        job = Job()
        job.publish(5, 0, np.ones(2), key=other)
        worker = self.worker(job, keys=Keys(own, jobs.public_key()))
        with self.assertRaisesRegex(LeveeTimeout, "has 1 records, but no model signed by the job"):
            worker.step(doubled)
        job.publish(5, 0, np.ones(2), key=jobs)
        self.assertEqual(0, worker.step(doubled).version)
        self.assertNotEqual(bytes(16), job.sent[0][0][184:200])

    def test_refuses_in_one_sentence(self):
        job = Job()
        job.publish(5, 0, np.ones(2))
        with self.assertRaisesRegex(LeveeError, "levee.models has 2 parameters, but the gradient has 3"):
            self.worker(job).step(lambda p, _: (np.zeros(3), 0.0))
        for id in "3w", "w03", "x1", "w-1", -1:
            with self.assertRaisesRegex(LeveeError, "a worker is called w and its number"):
                self.worker(Job(), id=id)
        with self.assertRaisesRegex(LeveeError, "momentum has to be at least 0 and below 1, got 1"):
            self.worker(Job(), momentum=1)
        with self.assertRaisesRegex(LeveeError, "there is no key .*w1.key"):
            self.worker(Job(), keys="/no/such/folder")


class KafkaChannelTest(unittest.TestCase):
    """With a client that a test plays: whether a broker is there is not for the package confluent-kafka to show here."""

    def client(self, end=0):
        """A client whose broker has the topic demo.models with one partition."""
        kafka = mock.MagicMock()
        kafka.KafkaException = type("KafkaException", (Exception,), {})
        topic = types.SimpleNamespace(error=None, partitions={0: None})
        kafka.Consumer.return_value.list_topics.return_value.topics = {"demo.models": topic}
        kafka.Consumer.return_value.get_watermark_offsets.return_value = (0, end)
        kafka.Producer.return_value.__len__.return_value = 0
        kafka.Producer.return_value.flush.return_value = 0
        return kafka

    def channel(self, kafka, timeout=1):
        with mock.patch.dict("sys.modules", confluent_kafka=kafka):
            return KafkaChannel("none:0", "demo", "w1", timeout)

    def error(self, kafka, name):
        error = mock.MagicMock()
        error.code.return_value = getattr(kafka.KafkaError, name)
        error.str.return_value = name
        return error

    def polls(self, kafka, *events):
        """Lets the client return records (offset and frame), errors by their names, or None: nothing has come."""

        def message(event):
            if event is None:
                return None
            error = None
            if isinstance(event, str):
                error = self.error(kafka, event)
            offset, frame = (0, None) if error else event
            return types.SimpleNamespace(
                error=lambda: error, partition=lambda: 0, offset=lambda: offset, value=lambda: frame
            )

        queue = [message(event) for event in events]
        kafka.Consumer.return_value.poll.side_effect = lambda _: queue.pop(0) if queue else None

    def test_the_newest_version_is_that_at_the_end_of_the_topic(self):
        ended = (0, model(5, 7, [1], flags=1)), None
        begun = (2, model(6, 0, [2])), (3, model(6, 1, [3]))
        # The end is reached with what the broker says, or with a record that came after the start.
        for newest, end in (1, "_PARTITION_EOF"), (2, (5, model(6, 2, [4]))):
            with self.subTest(newest=newest):
                kafka = self.client(end=5)
                channel = self.channel(kafka)
                self.polls(kafka, *ended, *begun, None, end)
                worker = Worker("w1", "none:0", channel=channel, run="demo", momentum=0, timeout=60)
                step = worker.step(doubled)
                self.assertEqual((newest, False), (step.version, step.over))

    def test_says_that_it_has_not_read_the_whole_topic(self):
        kafka = self.client(end=5)
        channel = self.channel(kafka)
        self.polls(kafka, (0, model(5, 7, [1], flags=1)))
        worker = Worker("w1", "none:0", channel=channel, run="demo", timeout=0.05, resend=0.01)
        with self.assertRaisesRegex(LeveeTimeout, "^topic demo.models has not been read to its end yet after 0.0"):
            worker.step(doubled)

    def test_names_the_last_error(self):
        kafka = self.client()
        self.polls(kafka, "_ALL_BROKERS_DOWN")
        worker = Worker("w1", "none:0", channel=self.channel(kafka), run="demo", timeout=0.05, resend=0.01)
        said = "^topic demo.models is empty after 0.0.* s; the client's last error is _ALL_BROKERS_DOWN$"
        with self.assertRaisesRegex(LeveeTimeout, said):
            worker.step(doubled)

    def test_does_not_wait_for_what_it_may_not_read(self):
        kafka = self.client()
        said = "^this client may not read topic demo.models: TOPIC_AUTHORIZATION_FAILED$"
        self.polls(kafka, "TOPIC_AUTHORIZATION_FAILED")
        worker = Worker("w1", "none:0", channel=self.channel(kafka), run="demo", timeout=60)
        with self.assertRaisesRegex(LeveeError, said):
            worker.step(doubled)
        denied = types.SimpleNamespace(error=self.error(kafka, "TOPIC_AUTHORIZATION_FAILED"), partitions={})
        kafka.Consumer.return_value.list_topics.return_value.topics = {"demo.models": denied}
        with self.assertRaisesRegex(LeveeError, said):
            self.channel(kafka, timeout=0)

    def test_an_answer_is_given_to_the_client_once_and_waited_for_while_there_is_no_broker(self):
        kafka = self.client()
        channel = self.channel(kafka)
        producer = kafka.Producer.return_value
        producer.flush.return_value = 1
        for _ in range(2):
            with self.assertRaisesRegex(LeveeUnavailable, "for topic demo.gradients: no answer"):
                channel.send([b"answer"])
            producer.__len__.return_value = 1
        producer.flush.return_value = 0
        channel.send([b"answer"])
        self.assertEqual(1, producer.produce.call_count)

        def failed(code):
            error = mock.MagicMock()
            error.code.return_value = code
            producer.produce.call_args[1]["on_delivery"](error, None)
            return 0

        producer.__len__.return_value = 0
        producer.flush.side_effect = lambda _: failed(kafka.KafkaError._MSG_TIMED_OUT)
        with self.assertRaises(LeveeUnavailable):
            channel.send([b"answer"])
        producer.flush.side_effect = lambda _: failed("not authorized")
        with self.assertRaises(LeveeError) as refused:
            channel.send([b"answer"])
        self.assertNotIsInstance(refused.exception, LeveeUnavailable)


if __name__ == "__main__":
    unittest.main()
