"""The bytes of docs/reference/wire-format.md, section "A worked example"."""

import pathlib
import re
import unittest

import numpy as np
from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key

from levee.frames import Told, authentic, decode, decode_gradient, encode, encode_scores, peek, protocol
from levee.keys import share

from .job import model

PAGE = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "reference" / "wire-format.md").read_text(encoding="utf-8")
EXAMPLE = PAGE[PAGE.index("## A worked example") :]


def golden(number):
    """The bytes of the page's model, 0, gradient, 1, scores, 2, or model of one of several servers, 3."""
    dumps = [dump for dump in EXAMPLE.split("```")[1::2] if "4c 45 56 45" in dump]
    lines = re.findall(r"^ *(\d+)  ((?:[0-9a-f]{2} )*[0-9a-f]{2})(?=  |$)", dumps[number], re.M)
    data = bytearray()
    for offset, hexes in lines:
        assert int(offset) == len(data), offset
        data += bytes.fromhex(hexes)
    return bytes(data)


def keys(number):
    """The private and public key of RFC 8032's test 1 (the job) or 2 (worker 3)."""
    private = re.findall(r"-----BEGIN PRIVATE.*?END PRIVATE KEY-----", EXAMPLE, re.S)[number]
    public = re.findall(r"-----BEGIN PUBLIC.*?END PUBLIC KEY-----", EXAMPLE, re.S)[number]
    return load_pem_private_key(private.encode(), None), load_pem_public_key(public.encode())


class FramesTest(unittest.TestCase):
    def test_reads_the_pages_model(self):
        _, job = keys(0)
        model = decode(golden(0), job)
        self.assertEqual((1795000000000000, 7, 0, 1), model[:4])
        self.assertEqual((0.05, range(0, 11), 2, 2, -1, ""), tuple(model.settings))
        self.assertFalse(model.settings.stop)
        self.assertEqual([0.5, -0.25, 1, 0, -1, 2], list(model.values))

    def test_reads_the_pages_model_of_a_server(self):
        _, server = keys(1)
        _, job = keys(0)
        frame = golden(3)
        model = decode(frame, server)
        self.assertEqual((1795000000000000, 7, 0, 1), model[:4])
        self.assertEqual((1, 3, Told(3, 1, "median", 1)), (model.server, model.servers, model.told))
        self.assertEqual(frame[88:120], model.checksum)
        self.assertEqual([0.5, -0.25, 1, 0, -1, 2], list(model.values))
        self.assertIsNone(decode(frame, job))
        alone = decode(golden(0), job)
        self.assertEqual((0, 1, None), (alone.server, alone.servers, alone.told))

    def test_who_says_nothing_sound_of_servers_is_none(self):
        frame = golden(3)
        for old, new in (
            (b"servers: 3", b"servers: 1"),
            (b"byzantine-servers: 1", b"byzantine-servers: 3"),
            (b"contract-every: 1", b"contract-every: 0"),
            (b"contract-every: 1", b"contract-every  1"),
            (b"servers: 3", b"servers: x"),
        ):
            self.assertIsNone(peek(frame.replace(old, new)), new)
        for server in -1, 3:
            self.assertIsNone(peek(frame[:24] + server.to_bytes(4, "little", signed=True) + frame[28:]))
        # Of one server, and saying that there are several.
        self.assertIsNone(peek(frame[:4] + b"\2" + frame[5:]).told)
        self.assertIsNone(peek(golden(0)[:4] + b"\3" + golden(0)[5:]))
        self.assertFalse(authentic(frame.replace(b"median", b"krumkr"), None))

    def test_writes_the_pages_gradient(self):
        own, _ = keys(1)
        _, job = keys(0)
        gradient = golden(1)
        values = np.frombuffer(gradient[200:], "<f4")
        times = 1795000001500000, 1795000001501250
        frame = encode(
            1795000000000000, 7, 3, 0, 1, values, 2.0440430637813916, times, own, share(own, job)
        )
        self.assertEqual(gradient.hex(), frame.hex())

    def test_writes_the_pages_scores(self):
        own, _ = keys(1)
        _, job = keys(0)
        frame = encode_scores(
            1795000000000000, 7, 3, 0.625, 12, 1795000001600000, {"accuracy": 0.75}, own, share(own, job)
        )
        self.assertEqual(golden(2).hex(), frame.hex())
        self.assertIsNone(decode_gradient(golden(2)))

    def test_computes_the_pages_gradient(self):
        from levee.logistic import gradient

        parameters = np.array([0.5, -0.25, 1, 0, -1, 2], np.float32)
        values, loss = gradient(parameters, np.array([[1, 2], [-1, 0.5]], np.float32), np.array([0, 1]))
        expected = decode_gradient(golden(1))
        np.testing.assert_allclose(values, expected.values, atol=1e-6)
        self.assertAlmostEqual(loss, expected.loss, places=6)

    def test_believes_the_job_only(self):
        _, job = keys(0)
        _, other = keys(1)
        self.assertIsNone(decode(golden(0), other))
        self.assertIsNone(decode(golden(1), job))
        self.assertIsNone(decode(None, job))

    def test_refuses_whatever_else(self):
        for number, signer in (0, 0), (3, 1):
            _, key = keys(signer)
            frame = golden(number)
            for i in range(len(frame)):
                self.assertIsNone(decode(frame[:i] + bytes([frame[i] ^ 1]) + frame[i + 1 :], key), i)
                self.assertIsNone(decode(frame[:i], key), i)
            self.assertIsNone(decode(frame + bytes(4), key))

    def test_no_number_of_a_device_takes_more_than_five_bytes(self):
        self.assertEqual([(1 << 35) - 1], peek(model(5, 0, [1.0], workers=[255] * 4 + [127])).settings.workers)
        self.assertIsNone(peek(model(5, 0, [1.0], workers=[255] * 5 + [1])))
        # Reading this number to its end took half a minute, before any signature was checked.
        self.assertIsNone(peek(model(5, 0, [1.0], workers=[255] * (1 << 20))))

    def test_knows_protocol_versions(self):
        self.assertEqual(2, protocol(golden(0)))
        self.assertIsNone(protocol(b"something else"))
        self.assertIsNone(protocol(None))


if __name__ == "__main__":
    unittest.main()
