import pathlib
import struct
import tempfile
import unittest

import numpy as np

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from levee import Device, LeveeError, LeveeTimeout
from levee.frames import decode_gradient
from levee.keys import share
from levee.masks import stream

from .job import Job

try:
    import torch
except ImportError:
    torch = None

WORK = """weighting: samples
local-steps: 2
learning-rate: 0.5
schedule: constant
local-optimizer: sgd
local-momentum: 0.0
local-state: reset
proximal: 0.0
seed: 1
something: new
"""


def halved(parameters, work):
    """Goes half the way to zero, as a device of forty samples."""
    return parameters / 2, 0.25, 40


class DeviceTest(unittest.TestCase):
    def device(self, job, id="w1", **options):
        return Device(id, "none:0", channel=job, **{"timeout": 0.2, "resend": 0.05, **options})

    def test_sends_what_changed_and_its_samples(self):
        job = Job()
        job.publish(5, 0, np.array([4.0, 8.0, 6.0]), work=WORK)
        self.device(job).train(halved, trainable=2)
        gradient = decode_gradient(job.sent[0][0])
        # Buffers, here the last value, are sent as they are.
        self.assertEqual([2, 4, 3], list(gradient.values))
        self.assertEqual((0.25, 40.0), (gradient.loss, gradient.weight))
        self.assertEqual((14, 1, 8, 40.0), struct.unpack("<iHid", job.sent[0][0][212:]))

    def test_sends_the_model_itself_where_the_server_mixes(self):
        job = Job()
        job.publish(5, 0, np.array([4.0, 8.0, 6.0]), work=WORK + "algorithm: fedasync\nserver-step: mix\n")
        self.device(job).train(lambda parameters, work: (parameters / 4, 0.25, 40), trainable=2)
        self.assertEqual([1, 2, 1.5], list(decode_gradient(job.sent[0][0]).values))

    def test_all_count_alike_where_the_job_says_so(self):
        job = Job()
        job.publish(5, 0, np.ones(2), work=WORK.replace("samples", "equal"))
        self.device(job).train(halved)
        self.assertEqual(200 + 8, len(job.sent[0][0]))

    def test_clips_to_the_norm_that_the_job_names(self):
        job = Job()
        job.publish(5, 0, np.array([6.0, 8.0]), work=WORK + "dp-clip: 1.0\n")
        self.device(job).train(halved)
        np.testing.assert_allclose(decode_gradient(job.sent[0][0]).values, [0.6, 0.8], atol=1e-6)

    def test_clips_other_values_than_nan(self):
        job = Job()
        job.publish(5, 0, np.zeros(3), work=WORK + "dp-clip: 1.0\n")
        self.device(job).train(lambda parameters, work: (np.array([-3, np.nan, -4]), 0.25, 40))
        np.testing.assert_allclose(decode_gradient(job.sent[0][0]).values, [0.6, np.nan, 0.8], atol=1e-6)

    def test_a_secure_sum_sheds_the_masks_of_all(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("job", "w1", "w2", "w5"):
                own = Ed25519PrivateKey.generate()
                encoded = own.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
                (pathlib.Path(folder) / f"{name}.key").write_bytes(encoded)
                public = own.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
                (pathlib.Path(folder) / f"{name}.pub").write_bytes(public)
            key = load_pem_private_key((pathlib.Path(folder) / "job.key").read_bytes(), None)
            x = np.linspace(-300, 300, 140_000).astype(np.float32)
            work = WORK.replace("samples", "equal") + "secure-sum: true\n"
            sums = [np.zeros(1 << 17, np.uint32), np.zeros(140_000 - (1 << 17), np.uint32)]
            for id in ("w1", "w2", "w5"):
                job = Job()
                job.publish(5, 3, x, workers=[1, 1, 3], work=work, key=key)
                self.device(job, id, keys=folder).train(halved)
                for b, frame in enumerate(job.sent[0]):
                    self.assertEqual(2, frame[6])
                    self.assertEqual(1, decode_gradient(frame).weight)
                    sums[b] = sums[b] + decode_gradient(frame).values.view(np.uint32)
                alone = decode_gradient(job.sent[0][0]).values / float(1 << 24) * 3
                again = Job()
                again.publish(5, 3, x, workers=[1, 4], work=work, key=key)
                if id != "w2":
                    with self.assertRaisesRegex(LeveeError, "asks 2 for a secure sum"):
                        self.device(again, id, keys=folder).train(halved)
                    self.assertEqual([], again.sent)
                self.assertGreater(np.abs(alone - np.clip(x[: 1 << 17] / 2, -64, 64)).mean(), 10)
            found = np.concatenate(sums).view(np.int32) / float(1 << 24)
            # Three parts, each rounded by half a unit at most.
            np.testing.assert_allclose(found, np.clip(x / 2, -64, 64), rtol=0, atol=1.5 / (1 << 24))

    def test_the_masks_are_those_of_the_page(self):
        own = Ed25519PrivateKey.from_private_bytes(
            bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
        )
        other = Ed25519PrivateKey.from_private_bytes(
            bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
        )
        found = stream(share(own, other.public_key()), 1795000000000000, 7, 5000).view(np.int32)
        self.assertEqual([-1312012171, 1752142604, 628540724, 674357457], list(found[:4]))
        self.assertEqual(1897245380, found[4999])

    def test_a_secure_sum_is_of_devices_with_keys_that_count_alike(self):
        job = Job()
        job.publish(5, 0, np.ones(2), work=WORK + "secure-sum: true\n")
        with self.assertRaisesRegex(LeveeError, "--weighting equal, got samples"):
            self.device(job).train(halved)
        job.publish(5, 1, np.ones(2), work=WORK.replace("samples", "equal") + "secure-sum: true\n")
        with self.assertRaisesRegex(LeveeError, "a device needs keys"):
            self.device(job).train(halved)
        self.assertEqual([], job.sent)

    def test_refuses_what_only_devices_in_java_do(self):
        for line, sentence in (
            ('secure-sum: "dropout=0.2,collude=0.1"', "secure sums that nobody leaves only"),
            ('personal: "layers(head)"', "have none of their own"),
            ("personal: pfedme", "have none of their own"),
            ("local-test: 0.2", "hold out no samples of their own, as --local-test 0.2 wants"),
        ):
            with self.subTest(line):
                job = Job()
                job.publish(5, 0, np.ones(2), work=WORK + line + "\n")
                with self.assertRaisesRegex(LeveeError, sentence):
                    self.device(job).train(halved)

    def test_a_device_may_insist_on_masks(self):
        job = Job()
        job.publish(5, 0, np.ones(2), work=WORK.replace("samples", "equal"))
        with self.assertRaisesRegex(LeveeError, "contributions that are not masked"):
            self.device(job, secure_sum=True).train(halved)
        self.assertEqual([], job.sent)

    def test_who_is_not_asked_is_silent(self):
        job = Job()
        job.publish(5, 0, np.ones(2), workers=[0, 3], work=WORK)
        with self.assertRaises(LeveeTimeout):
            self.device(job).train(halved)
        self.assertEqual([], job.sent)

    def test_sends_the_same_bytes_again_when_it_is_started_again(self):
        with tempfile.TemporaryDirectory() as folder:
            state = pathlib.Path(folder) / "state"
            job, again = Job(), Job()
            job.publish(5, 0, np.ones(200_000), work=WORK)
            again.publish(5, 0, np.ones(200_000), work=WORK)
            self.device(job, state=state).train(halved)
            with self.assertRaises(LeveeTimeout):
                self.device(again, state=state).train(lambda *_: self.fail("it has answered already"))
            self.assertEqual(2, len(job.sent[0]))
            self.assertEqual(job.sent[0], again.sent[0])

    def test_refuses_in_one_sentence(self):
        def refused(sentence, train=halved, work=WORK):
            job = Job()
            job.publish(5, 0, np.ones(2), work=work)
            with self.assertRaisesRegex(LeveeError, sentence):
                self.device(job).train(train)

        refused("the job wants gradients and not local training", work=None)
        refused("devices in Python know --schedule constant, got cosine", work=WORK.replace("constant", "cosine"))
        refused("only knows --weighting samples and equal, got kl", work=WORK.replace("samples", "kl"))
        refused("something that cannot be read: 'learning-rate'", work="local-steps: 1\n")
        refused("the job's model has 2 parameters, but training returned 3", train=lambda *_: (np.ones(3), 0.0, 1))
        refused("has to hold at least 1 sample, got 0", train=lambda p, _: (p, 0.0, 0))


@unittest.skipIf(torch is None, "PyTorch is not installed")
class ModuleTrainingTest(unittest.TestCase):
    def run_module(self, work, data, batch=2, **options):
        job = Job()
        module = torch.nn.Linear(1, 1)
        job.publish(1, 0, np.array([2.0, 0.0]), batch=batch, work=work)
        sent = job.send

        def send(frames):
            sent(frames)
            job.publish(1, 1, np.array([7.0, 8.0]), flags=1)

        job.send = send
        with Device("w0", "none:0", channel=job, timeout=5) as device:
            step = device.run(module, lambda out, y: ((out - y) ** 2).mean() / 2, data, **options)
        self.assertTrue(step.over)
        self.assertEqual([7.0, 8.0], [float(p) for p in torch.cat([p.detach().ravel() for p in module.parameters()])])
        return decode_gradient(job.sent[0][0])

    def test_steps_of_sgd_by_hand(self):
        # One sample (1, 0): slope w + b for both; w + b halves in each of two steps of 0.25: 2, then 1.
        data = torch.ones(1, 1), torch.zeros(1, 1)
        gradient = self.run_module(WORK.replace("0.5", "0.25"), data, batch=1)
        np.testing.assert_allclose(gradient.values, [0.75, 0.75], atol=1e-6)
        self.assertAlmostEqual(gradient.loss, (2 + 0.5) / 2, places=6)
        self.assertEqual(gradient.weight, 1)

    def test_no_steps_leave_the_model_as_it_is(self):
        data = torch.ones(1, 1), torch.zeros(1, 1)
        gradient = self.run_module(WORK.replace("local-steps: 2", "local-steps: 0"), data)
        self.assertEqual([0, 0], list(gradient.values))
        self.assertTrue(np.isnan(gradient.loss))

    def test_a_proximal_term_holds_it_back(self):
        # As above; in the second step each slope is 1 - 0.5 more of the way back: 1 + 1 * (-0.5) = 0.5.
        data = torch.ones(1, 1), torch.zeros(1, 1)
        work = WORK.replace("0.5", "0.25").replace("proximal: 0.0", "proximal: 1.0")
        gradient = self.run_module(work, data, batch=1)
        np.testing.assert_allclose(gradient.values, [0.625, 0.625], atol=1e-6)

    def test_epochs_are_counted_in_own_samples(self):
        seen = []
        class Data(torch.utils.data.Dataset):
            def __len__(self):
                return 5
            def __getitem__(self, i):
                seen.append(i)
                return torch.ones(1), torch.zeros(1)
        gradient = self.run_module(WORK.replace("local-steps: 2", "local-epochs: 2"), Data())
        self.assertEqual(10, len(seen))
        self.assertEqual([0, 1, 2, 3, 4], sorted(seen[:5]))
        self.assertEqual(5.0, gradient.weight)


if __name__ == "__main__":
    unittest.main()
