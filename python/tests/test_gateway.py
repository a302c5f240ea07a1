import datetime
import hashlib
import http.server
import ipaddress
import itertools
import json
import pathlib
import socket
import ssl
import struct
import tempfile
import threading
import unittest
from unittest import mock

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from levee import LeveeError, LeveeTimeout, Worker
from levee.errors import LeveeUnavailable
from levee.gateway import GatewayChannel, GatewayFiles

RUN = 5
ETAG = '"5-0-abc"'


def frame(run, version, block, size):
    """Bytes that name their place, as the head of a frame does; the channel looks at nothing else."""
    return struct.pack("<8xqq8xi", run, version, block) + bytes([block]) * size


class Gateway(http.server.ThreadingHTTPServer):
    """As much of a gateway as a device sees. Says what it was asked, and breaks off as a test wants."""

    daemon_threads = True

    def __init__(self, folder):
        super().__init__(("127.0.0.1", 0), Handler)
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "gateway")])
        now = datetime.datetime(2020, 1, 1)
        certificate = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(1)
            .not_valid_before(now)
            .not_valid_after(now + datetime.timedelta(days=36500))
            .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
            .sign(key, hashes.SHA256())
        )
        (folder / "gateway.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        (folder / "gateway.key").write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.load_cert_chain(folder / "gateway.pem", folder / "gateway.key")
        self.socket = context.wrap_socket(self.socket, server_side=True)
        frames = [frame(RUN, 0, 0, 300_000), frame(RUN, 0, 1, 10)]
        self.frames = frames
        self.model = b"".join(struct.pack("<i", len(each)) + each for each in frames)
        self.concerns = True
        self.nonsense = None  # what it says of the newest version instead
        self.version = -1
        self.hurries = False  # whether there is a newer version whenever one is asked for
        self.cuts = 0
        self.busy = 0  # how often it refuses to go on with a download
        self.refusals = []  # statuses of the next uploads
        self.asked = []
        self.uploads = []
        self.secret = None
        self.lock = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"https://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, *_):
        pass


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def authorized(self):
        gateway = self.server
        bearer = self.headers.get("Authorization", "")
        known = gateway.secret is not None and bearer.startswith("Bearer w3.")
        if known and hashlib.sha256(bearer[10:].encode()).hexdigest() == gateway.secret:
            return True
        self.answer(401, b'{"reason":"wrong_credentials","message":"no such account"}')
        return False

    def do_POST(self):
        gateway = self.server
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        gateway.asked.append(self.path)
        if self.headers["Authorization"] != "Bearer token":
            return self.answer(401, b'{"message":"no such token for this device"}')
        gateway.secret = body["secret_sha256"]
        return self.answer(201, b"{}")

    def do_GET(self):
        gateway = self.server
        if not self.authorized():
            return None
        gateway.asked.append(self.path.split("?")[0] + " " + self.headers.get("Range", ""))
        if "newest" in self.path:
            if "after=5-0" in self.path and not gateway.hurries:
                threading.Event().wait(30)  # nothing newer, as long as the test runs
                return self.answer(204)
            if gateway.nonsense is not None:
                return self.answer(200, gateway.nonsense)
            gateway.version += gateway.hurries or gateway.version < 0
            news = {"id": f"5-{gateway.version}", "bytes": len(gateway.model), "etag": ETAG, "concerns": gateway.concerns}
            return self.answer(200, json.dumps(news).encode())
        start = int(self.headers["Range"][6:-1])
        if start > 0 and gateway.busy > 0:
            gateway.busy -= 1
            return self.answer(429, b'{"message":"too many bytes of this device"}')
        rest = gateway.model[start:]
        if gateway.cuts > 0:
            gateway.cuts -= 1
            self.send_response(206)
            self.send_header("Content-Length", str(len(rest)))
            self.end_headers()
            self.wfile.write(rest[:100_000])
            self.wfile.flush()
            self.close_connection = True
            return None
        return self.answer(206, rest, ETag=ETAG)

    def do_PUT(self):
        gateway = self.server
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if not self.authorized():
            return None
        with gateway.lock:
            status = gateway.refusals.pop(0) if gateway.refusals else 204
            if status == 204:
                gateway.uploads.append((self.path, body))
        return self.answer(status, b"" if status == 204 else b'{"message":"said why"}')


class GatewayTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.gateway = Gateway(self.folder)
        self.addCleanup(self.gateway.server_close)
        self.addCleanup(self.gateway.shutdown)
        (self.folder / "w3.token").write_text("token\n")

    def channel(self):
        channel = GatewayChannel(self.gateway.address, "demo", GatewayFiles(self.folder, "w3"), 30)
        self.addCleanup(channel.close)
        return channel

    def test_enrolls_once_and_reads_the_frames_of_a_version(self):
        channel = self.channel()
        self.assertEqual(self.gateway.frames, [channel.poll(30).value, channel.poll(30).value])
        self.assertIsNone(channel.poll(0))
        self.assertFalse((self.folder / "w3.token").exists())
        self.assertEqual(0o600, (self.folder / "w3.account").stat().st_mode & 0o777)
        channel.close()
        self.assertEqual(self.gateway.frames[0], self.channel().poll(30).value)
        self.assertEqual(1, self.gateway.asked.count("/v1/runs/demo/devices/w3"))

    def test_enrolls_with_the_secret_that_was_chosen_before_it_was_killed(self):
        (self.folder / "w3.account").write_text("chosen")
        self.channel().poll(30)
        self.assertEqual(hashlib.sha256(b"chosen").hexdigest(), self.gateway.secret)

    def test_goes_on_with_a_download_that_was_interrupted(self):
        self.gateway.cuts = 2
        channel = self.channel()
        self.assertEqual(self.gateway.frames, [channel.poll(30).value, channel.poll(30).value])
        ranges = [each.split(" ")[1] for each in self.gateway.asked if "models/5-0" in each]
        self.assertEqual("bytes=0-", ranges[0])
        self.assertEqual(["bytes=100000-", "bytes=200000-"], ranges[1:])

    def test_keeps_what_it_has_while_the_gateway_refuses_the_rest(self):
        self.gateway.cuts, self.gateway.busy = 1, 2
        with mock.patch("levee.gateway._PAUSE", 0.001):
            channel = self.channel()
            self.assertEqual(self.gateway.frames, [channel.poll(30).value, channel.poll(30).value])
        ranges = [each.split(" ")[1] for each in self.gateway.asked if "models/5-" in each]
        self.assertEqual(["bytes=0-"] + 3 * ["bytes=100000-"], ranges)

    def test_reads_the_account_again_that_could_not_be_read(self):
        channel = self.channel()
        secrets = itertools.chain([OSError("stale"), OSError("stale")], itertools.repeat(GatewayFiles(self.folder, "w3").secret()))
        with mock.patch("levee.gateway._PAUSE", 0.001), mock.patch.object(GatewayFiles, "secret", side_effect=secrets):
            self.assertEqual(self.gateway.frames[0], channel.poll(30).value)

    def test_an_answer_that_cannot_be_read_ends_the_wait(self):
        for nonsense, why in (b"<html>", "JSONDecodeError"), (b'{"id": "5-0"}', r"KeyError\('concerns'\)"), (b"[]", "TypeError"):
            self.gateway.nonsense = nonsense
            channel = self.channel()
            for _ in range(2):
                with self.assertRaisesRegex(LeveeError, f"reading from the gateway failed: {why}"):
                    channel.poll(30)

    def test_a_worker_that_computes_downloads_nothing(self):
        self.gateway.hurries = True
        channel = self.channel()
        frames = [channel.poll(30).value, channel.poll(30).value]
        self.assertEqual(self.gateway.frames, frames)
        channel._thread.join(0.1)  # in which it would download many
        # One may come while the last frame is taken.
        self.assertLessEqual(channel._records.qsize(), 2)
        downloads = [each for each in self.gateway.asked if "models/5-" in each]
        self.assertLessEqual(len(downloads), 2)
        while channel.poll(0) is not None:
            pass
        self.assertIn(channel.poll(30).value, frames)

    def test_sends_block_by_block_and_again_what_nobody_acknowledged(self):
        self.gateway.refusals = [204, 503]
        channel = self.channel()
        blocks = [frame(RUN, 7, 0, 10), frame(RUN, 7, 1, 5)]
        channel.send(blocks)
        paths = [f"/v1/runs/demo/contributions/5-7/{block}" for block in (0, 1)]
        self.assertEqual(list(zip(paths, blocks)), self.gateway.uploads)
        self.gateway.refusals = [409]
        channel.send(blocks[:1])  # late, which is no fault
        self.gateway.refusals = [403]
        with self.assertRaisesRegex(LeveeError, r"said why \(HTTP 403\)"):
            channel.tell(blocks[0])

    def test_waits_for_a_gateway_as_long_as_the_timeout(self):
        with socket.socket() as nobody:
            nobody.bind(("127.0.0.1", 0))
            address = f"https://127.0.0.1:{nobody.getsockname()[1]}"
            with self.assertRaisesRegex(LeveeTimeout, "does not answer"):
                GatewayChannel(address, "demo", GatewayFiles(self.folder, "w3"), 0.1)
        channel = self.channel()
        self.gateway.refusals = [503] * 3
        with mock.patch("levee.gateway._TRIES", 2), self.assertRaisesRegex(LeveeUnavailable, "said why"):
            channel.send([frame(RUN, 7, 0, 10)])

    def test_says_what_it_lacks(self):
        (self.folder / "w3.token").write_text("another\n")
        with self.assertRaisesRegex(LeveeError, r"no such token for this device \(HTTP 401\)"):
            self.channel()
        (self.folder / "w3.token").unlink()
        (self.folder / "w3.token").mkdir()
        with self.assertRaisesRegex(LeveeError, "w3.token cannot be used: .*directory"):
            self.channel()
        with self.assertRaisesRegex(LeveeError, "has neither w4.token"):
            GatewayFiles(self.folder, "w4")
        with self.assertRaisesRegex(LeveeError, "needs account"):
            Worker("w3", self.gateway.address)
        with self.assertRaisesRegex(LeveeError, "in Python, devices speak HTTPS"):
            Worker("w3", "grpcs://gateway.example:8444", account=self.folder)
        with self.assertRaisesRegex(LeveeError, "for runs with one server"):
            Worker("w3", self.gateway.address, account=self.folder, parameter_servers=3)


if __name__ == "__main__":
    unittest.main()
