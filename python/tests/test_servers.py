import pathlib
import struct
import tempfile
import unittest

import numpy as np
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import levee
from levee import Keys, LeveeError, LeveeTimeout, Worker
from levee.frames import BLOCK

from .job import Job, model

RUN = 1_795_000_000_000_000


def says(servers=3, byzantine=1, rule="median"):
    return f"servers: {servers}\nbyzantine-servers: {byzantine}\nserver-aggregator: {rule}\ncontract-every: 1\n"


EACH = says() + "worker-models: per-server\n"


def same(parameters, round):
    """A gradient that tells at which model it is, and what it was asked for."""
    return parameters.copy(), float(round.batch)


class Servers:
    """Three servers, whose keys a worker has."""

    def __init__(self, **options):
        self.job = Job()
        self.keys = [Ed25519PrivateKey.generate() for _ in range(3)]
        self.start(**options)

    def start(self, **options):
        """Starts the worker, anew if it has run."""
        own = Keys(
            Ed25519PrivateKey.generate(),
            Ed25519PrivateKey.generate().public_key(),
            servers=[key.public_key() for key in self.keys],
        )
        patience = {"timeout": 5, "resend": 0.05, "server_timeout": 5, "momentum": 0}
        servers = {"parameter_servers": 3, "byzantine_servers": 1}
        self.worker = Worker("w1", "none:0", own, channel=self.job, **{**patience, **servers, **options})

    def publish(self, version, server, value, run=RUN, key=None, told=says(), **settings):
        key = key or self.keys[server]
        self.job.publish(run, version, np.atleast_1d(value), server=server, key=key, told=told, **settings)

    def answer(self):
        """The version that the worker answers, and at which model."""
        step = self.worker.step(same)
        return step.version, list(self.job.answers()[-1][2])


class ServersTest(unittest.TestCase):
    def test_rules_that_look_at_whole_models_are_javas(self):
        try:
            levee.rules()
        except LeveeError as e:
            self.skipTest(str(e))
        models = [np.array([1.0, 2.0, 3.0]), np.array([9.0, -9.0, 9.0]), np.array([1.5, 2.0, 3.5])]
        for rule in ("geometric-median", "mda", "nnm | median"):
            with self.subTest(rule):
                servers = Servers()
                for server, values in enumerate(models):
                    servers.publish(0, server, values, told=says(rule=rule))
                expected = levee.aggregate(np.array(models, np.float32), rule, f=1)
                self.assertEqual(servers.answer(), (0, list(expected)))

    def test_a_gradient_is_at_the_median_of_what_servers_say(self):
        servers = Servers()
        servers.publish(0, 2, -100, told=says(byzantine=0, rule="average"), batch=99)
        servers.publish(0, 0, 0.25)
        servers.publish(0, 1, 0.5)
        self.assertEqual((0, [0.25]), servers.answer())
        self.assertEqual(3, servers.job.answers()[0][1])
        for server in range(3):
            servers.publish(1, server, 7, flags=1)
        step = servers.worker.step(same)
        self.assertEqual((True, 7), (step.over, step.parameters[0]))

    def test_waits_until_more_servers_have_a_version_than_may_lie(self):
        servers = Servers(timeout=0.2)
        servers.publish(0, 0, 1)
        with self.assertRaisesRegex(LeveeTimeout, "has no version that more than 1 of the servers have; s0 has one"):
            servers.answer()
        servers = Servers(timeout=0.2)
        servers.publish(0, 0, 1, key=servers.keys[1])
        with self.assertRaisesRegex(LeveeTimeout, "has 1 records, but no model signed by the servers whose keys"):
            servers.answer()

    def test_of_two_models_that_a_server_has_signed_the_first_counts(self):
        for other in 0, 1:
            servers = Servers()
            servers.publish(0, 2, 0.5)
            for lie in range(9):
                servers.publish(0, 2, 4 + lie)
            servers.publish(0, other, 0)
            servers.publish(0, 1 - other, 1)
            with self.assertLogs("levee", "WARNING") as logs:
                self.assertEqual((0, [0.5]), servers.answer())
            self.assertEqual(1, len(logs.output))
            self.assertIn("s2 is Byzantine: it signed two models of version 0", logs.output[0])

    def test_a_second_word_in_another_partition_is_none(self):
        servers = Servers()
        frame = model(RUN, 0, [4], server=2, key=servers.keys[2], told=says())
        servers.job.put(frame, 1)
        servers.publish(0, 2, 0.5)
        servers.publish(0, 0, 0)
        servers.publish(0, 1, 1)
        with self.assertNoLogs("levee", "WARNING"):
            self.assertEqual((0, [0.5]), servers.answer())

    def test_nobody_speaks_for_another_server(self):
        servers = Servers()
        for server in 0, 1:
            for version in 0, 7:
                servers.publish(version, server, 9, key=servers.keys[2])
                servers.publish(version, server, 9, key=Ed25519PrivateKey.generate())
        servers.publish(1, 0, 0.25)
        servers.publish(1, 1, 0.25)
        servers.publish(1, 2, 9)
        with self.assertNoLogs("levee", "WARNING"):
            self.assertEqual((1, [0.25]), servers.answer())

    def test_who_is_silent_is_waited_for_and_then_gone_on_without(self):
        servers = Servers(server_timeout=0.1, timeout=0.5)
        servers.publish(0, 0, 0.25)
        servers.publish(0, 1, 0.75)
        self.assertEqual((0, [0.5]), servers.answer())
        servers.publish(1, 0, np.nan)
        servers.publish(1, 1, 1)
        with self.assertRaisesRegex(
            LeveeTimeout, "too many servers are silent or at fault about version 1, with f = 1; of s2 there is nothing"
        ):
            servers.answer()
        servers.publish(1, 2, 3)
        self.assertEqual((1, [2]), servers.answer())

    def test_a_model_of_another_size_is_at_fault(self):
        servers = Servers()
        servers.publish(0, 0, [1, 2])
        servers.publish(0, 2, [9])
        servers.publish(0, 1, [3, 4])
        self.assertEqual((0, [2, 3]), servers.answer())

    def test_whatever_a_liar_publishes_it_stands_in_nobodys_way(self):
        servers = Servers(server_timeout=0.1)
        servers.publish(3, 2, 0, run=RUN + 9, flags=1)
        servers.publish(1 << 60, 2, 0)
        for i in range(20):
            servers.publish(1000 - i, 2, 0)
            for rubbish in b"", b"LEVE\3\1\0\0", bytes(400), None:
                servers.job.put(rubbish, i)
        for version in range(3):
            servers.publish(version, 0, 0.25)
            servers.publish(version, 1, 0.25)
            servers.publish(version, 2, 8, told=says(byzantine=0, rule="average"), flags=1)
            self.assertEqual((version, [0.25]), servers.answer())

    def test_who_writes_without_end_holds_nobody_up(self):
        servers = Servers(server_timeout=0.1)
        for server in range(3):
            servers.publish(0, server, 1)
        frame = model(RUN, 1, [4], server=2, key=servers.keys[2], told=says())
        first = list(servers.job.records)
        servers.job.poll = lambda seconds: first.pop(0) if first else servers.job.records[2]._replace(value=frame)
        self.assertEqual((0, [1]), servers.answer())

    def test_blocks_of_servers_are_put_together(self):
        servers = Servers()
        vector = np.arange(BLOCK + 5, dtype=np.float32)
        for server, factor in enumerate((1, 3, 2)):
            servers.publish(0, server, factor * vector)
        servers.job.records.reverse()
        version, values = servers.answer()
        self.assertEqual(list(2 * vector), values)

    def each(self, **options):
        return Servers(worker_models="per-server", **options)

    def test_answers_each_server_at_its_own_model_and_waits_for_none(self):
        servers = self.each()
        servers.publish(0, 0, 0.25, told=EACH)
        servers.publish(0, 1, 0.5, told=EACH)
        self.assertEqual([(0, [0.25]), (0, [0.5])], [servers.answer(), servers.answer()])
        servers.publish(0, 2, 8, told=EACH)
        self.assertEqual((0, [8]), servers.answer())
        receivers = [struct.unpack_from("<i", frames[0], 28)[0] for frames in servers.job.sent]
        self.assertEqual([0, 1, 2], receivers)

    def test_does_what_more_servers_ask_for_than_may_lie(self):
        servers = self.each(timeout=0.3)
        servers.publish(0, 2, 1, told=EACH, batch=10**9)
        servers.publish(0, 0, 1, told=EACH)
        servers.publish(0, 1, np.nan, told=EACH)
        self.assertEqual((0, [1]), servers.answer())
        with self.assertRaisesRegex(LeveeTimeout, "no version after -1 has come"):
            servers.answer()
        self.assertEqual({3}, {loss for _, loss, _ in servers.job.answers()})
        # One alone does not end the run, and two do, with the model of the rule.
        servers.publish(1, 2, 1, told=EACH, flags=1)
        with self.assertRaises(LeveeTimeout):
            servers.answer()
        for server, value in enumerate((3, 4)):
            servers.publish(1, server, value, told=EACH, flags=1)
        step = servers.worker.step(same)
        self.assertEqual((True, 3), (step.over, step.parameters[0]))

    def test_remembers_what_it_has_told_each_server(self):
        with tempfile.TemporaryDirectory() as folder:
            state = pathlib.Path(folder) / "state"
            servers = self.each(momentum=0.5, state=state)
            for server in range(3):
                servers.publish(0, server, 1 + server, told=EACH)
            for _ in range(3):
                servers.answer()
            self.assertEqual(["state.s0", "state.s1", "state.s2"], sorted(file.name for file in state.parent.iterdir()))
            servers.start(worker_models="per-server", momentum=0.5, state=state)
            for server in range(3):
                servers.publish(1, server, 5, told=EACH)
            self.assertEqual([(1, [3]), (1, [3.5]), (1, [4])], [servers.answer() for _ in range(3)])

    def test_refuses_in_one_sentence(self):
        for options, sentence in (
            ({"parameter_servers": 2}, "byzantine_servers 1 needs parameter_servers of at least 3, got 2"),
            ({"byzantine_servers": -1}, "byzantine_servers at least 0"),
            ({"server_timeout": 0}, "server_timeout above 0"),
            ({"parameter_servers": 4}, "there are 4 servers, but public keys of 3"),
            ({"worker_models": "each"}, "worker_models has to be aggregate or per-server, got each"),
            (
                {"worker_models": "per-server", "parameter_servers": 1, "byzantine_servers": 0},
                "worker_models per-server needs parameter_servers of at least 2, got 1",
            ),
        ):
            with self.assertRaisesRegex(LeveeError, sentence):
                Servers(**options)
        for told, sentence in (
            (says(rule="none-such"), "by none-such, for which this worker needs Java: "),
            (says(byzantine=0), "run with --byzantine-servers 0, and this worker with 1"),
            (EACH, "run with --worker-models per-server, and this worker without"),
        ):
            servers = Servers()
            for server in range(3):
                servers.publish(0, server, 1, told=told)
            with self.assertRaisesRegex(LeveeError, sentence):
                servers.answer()
        servers = self.each()
        for server in range(3):
            servers.publish(0, server, 1)
        with self.assertRaisesRegex(LeveeError, "worker_models per-server is for servers that run with it too"):
            servers.answer()
        with self.assertRaisesRegex(LeveeError, "there is no key .*s0.pub|there is no key .*w1.key"):
            Worker("w1", "none:0", "/no/such/folder", parameter_servers=3, channel=Job())

    def test_who_expects_another_number_of_servers_is_told(self):
        servers = Servers(timeout=0.1)
        servers.job.publish(RUN, 0, np.ones(1))
        with self.assertRaisesRegex(LeveeTimeout, "has models of 1 server, and parameter_servers is 3"):
            servers.answer()
        job = Job()
        job.publish(RUN, 0, np.ones(1), server=1, told=says())
        with self.assertRaisesRegex(LeveeTimeout, "has models of 3 servers, and parameter_servers is 1"):
            Worker("w1", "none:0", channel=job, timeout=0.1).step(same)


if __name__ == "__main__":
    unittest.main()
