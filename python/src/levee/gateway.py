"""A gateway in front of a run's topics (`levee gateway`), for devices that reach no broker."""

from __future__ import annotations

import base64
import hashlib
import http.client
import itertools
import json
import os
import pathlib
import queue
import secrets
import socket
import ssl
import struct
import threading
import time
import urllib.parse
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from .errors import LeveeError, LeveeTimeout, LeveeUnavailable
from .topics import Record

_WAIT = 25  # seconds that a request for the newest version waits
_PATIENCE = 60  # seconds that an answer may take beyond that
_PAUSE = 1  # seconds before a request for the newest version is made again
_TRIES = 12  # with pauses that double from a quarter of a second up to 4 s: half a minute
_MOST = 1 << 31  # bytes of a model
_PIECE = 1 << 16
_LENGTH = struct.Struct("<i")
_PLACE = struct.Struct("<8xqq8xi")  # run, round and block of a frame


class _Answer(NamedTuple):
    status: int
    headers: Dict[str, str]
    body: bytes


class _Unreachable(Exception):
    """The gateway, or the broker behind it, does not answer now."""


class _Refused(LeveeError):
    """The gateway refuses something for good."""

    def __init__(self, status: int, message: str):
        super().__init__(message)
        self.status = status


def is_gateway(servers: str) -> bool:
    """True of an address that is a gateway's and no broker's."""
    if servers.startswith("grpcs://"):
        raise LeveeError(f"in Python, devices speak HTTPS to a gateway, such as https://gateway.example:8443, got {servers}")
    return servers.startswith("https://")


class GatewayFiles:
    """A device's files beside its keys: NAME.token, which is used once; NAME.account, the secret of its account;
    NAME.tls.crt and NAME.tls.key, a certificate instead of an account; gateway.pem, whom it believes."""

    def __init__(self, folder: Union[str, "os.PathLike[str]"], name: str):
        self.folder = pathlib.Path(folder)
        self.name = name
        self.token, self.account = self.folder / f"{name}.token", self.folder / f"{name}.account"
        self.certificate = self.folder / f"{name}.tls.crt"
        if not any(file.exists() for file in (self.token, self.account, self.certificate)):
            raise LeveeError(
                f"{folder} has neither {name}.token, which levee accounts offer {name} makes, nor {name}.account or {name}.tls.crt"
            )

    def context(self) -> ssl.SSLContext:
        """TLS 1.3 with whom the device believes, and what it shows."""
        believed = self.folder / "gateway.pem"
        try:
            context = ssl.create_default_context(cafile=str(believed) if believed.exists() else None)
            context.minimum_version = ssl.TLSVersion.TLSv1_3
            if self.certificate.exists():
                context.load_cert_chain(str(self.certificate), str(self.folder / f"{self.name}.tls.key"))
            return context
        except (OSError, ssl.SSLError) as e:
            raise LeveeError(f"{believed}, {self.name}.tls.crt or {self.name}.tls.key cannot be read: {e}") from e

    def secret(self) -> Optional[str]:
        """The secret of the account, which is enrolled or about to be."""
        return self.account.read_text().strip() if self.account.exists() else None

    def chosen(self) -> str:
        """The secret to enroll. It is on disk before anybody is asked: a device that is killed asks again with the same."""
        known = self.secret()
        if known is not None:
            return known
        secret = base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode()
        part = self.folder / f"{self.name}.account.part"
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secret)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, self.account)
        return secret


class _Client:
    """One connection to a gateway, made again when it breaks; for one thread."""

    def __init__(self, address: str, run: str, files: GatewayFiles, context: ssl.SSLContext):
        parts = urllib.parse.urlsplit(address)
        if parts.hostname is None or parts.path.strip("/"):
            raise LeveeError(f"a gateway's address is such as https://gateway.example:8443, got {address}")
        self._address = address
        self._base = f"/v1/runs/{run}/"
        self._host, self._port = parts.hostname, parts.port or 443
        self._files = files
        self._context = context
        self._connection: Optional[http.client.HTTPSConnection] = None

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def abort(self) -> None:
        """Lets a request of another thread end."""
        connection = self._connection
        if connection is not None and connection.sock is not None:
            try:
                connection.sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def _open(
        self, method: str, path: str, body: bytes, headers: Dict[str, str], seconds: float
    ) -> http.client.HTTPResponse:
        fresh = self._connection is None
        if self._connection is None:
            self._connection = http.client.HTTPSConnection(self._host, self._port, timeout=seconds, context=self._context)
        elif self._connection.sock is not None:
            self._connection.sock.settimeout(seconds)
        try:
            self._connection.request(method, self._base + path, body, headers)
            return self._connection.getresponse()
        except ssl.SSLCertVerificationError as e:
            self.close()
            raise LeveeError(f"gateway {self._address} has a certificate that gateway.pem does not know: {e}") from e
        except (OSError, http.client.HTTPException) as e:
            self.close()
            if not fresh:  # it may have been idle for too long
                return self._open(method, path, body, headers, seconds)
            raise _Unreachable(f"gateway {self._address} does not answer: {e}") from e

    def _authorization(self) -> Dict[str, str]:
        try:
            self.enroll()
            secret = self._files.secret()
        except OSError as e:
            raise _Unreachable(f"the account in {self._files.folder} cannot be read: {e}") from e
        return {} if secret is None else {"Authorization": f"Bearer {self._files.name}.{secret}"}

    def enroll(self) -> None:
        """Uses the token, if there is one."""
        if not self._files.token.exists():
            return
        hashed = hashlib.sha256(self._files.chosen().encode()).hexdigest()
        token = self._files.token.read_text().strip()
        body = json.dumps({"secret_sha256": hashed}).encode()
        headers = {"Authorization": f"Bearer {token}"}
        self._whole(self._open("POST", f"devices/{self._files.name}", body, headers, _PATIENCE))
        self._files.token.unlink()

    def _whole(self, response: http.client.HTTPResponse) -> _Answer:
        try:
            body = response.read()
        except (OSError, http.client.HTTPException) as e:
            self.close()
            raise _Unreachable(f"gateway {self._address} has broken off: {e}") from e
        if response.status >= 400:
            raise self._refused(response.status, body)
        return _Answer(response.status, dict(response.getheaders()), body)

    def _refused(self, status: int, body: bytes) -> Exception:
        try:
            why = json.loads(body)["message"]
        except (ValueError, KeyError, TypeError):
            why = ""
        sentence = f"gateway {self._address}: {why} (HTTP {status})"
        return _Unreachable(sentence) if status == 429 or status >= 500 else _Refused(status, sentence)

    def request(self, method: str, path: str, body: bytes = b"", seconds: float = _PATIENCE) -> _Answer:
        """A request and its whole answer."""
        return self._whole(self._open(method, path, body, self._authorization(), seconds))

    def read(self, path: str, etag: str, held: bytearray) -> bool:
        """Appends what is left of a download, as far as the connection lasts; False if there are other bytes now."""
        headers = {**self._authorization(), "If-Range": etag, "Range": f"bytes={len(held)}-"}
        response = self._open("GET", path, b"", headers, _PATIENCE)
        if response.status in (200, 404):
            self.close()
            return False
        if response.status != 206:
            self._whole(response)
        try:
            while True:
                piece = response.read(_PIECE)
                if not piece:
                    return True
                held += piece
        except (OSError, http.client.HTTPException) as e:
            self.close()
            raise _Unreachable(f"gateway {self._address} has broken off: {e}") from e


class _Download:
    """The bytes of a version that have come so far, also over several connections."""

    def __init__(self, news: Dict[str, Any]):
        self.path, self.etag, self.size = f"models/{news['id']}", str(news["etag"]), int(news["bytes"])
        if not 0 < self.size <= _MOST:
            raise LeveeError(f"the gateway offers a model of {self.size} bytes")
        self.held = bytearray()

    def same(self, other: "_Download") -> bool:
        """True if another one is of the same bytes."""
        return (self.path, self.etag, self.size) == (other.path, other.etag, other.size)


class GatewayChannel:
    """What a worker needs of a broker, from a gateway: outgoing HTTPS only."""

    def __init__(self, address: str, run: str, files: GatewayFiles, timeout: float):
        context = files.context()
        self._reading = _Client(address, run, files, context)
        self._writing = _Client(address, run, files, context)
        self._records: "queue.Queue[Union[bytes, LeveeError]]" = queue.Queue()
        self._closed = threading.Event()
        self._partial: Optional[_Download] = None  # what an interruption has left
        self._polling = False
        self._trouble = ""
        self._asked = threading.Condition()
        # Before the thread starts, so that both clients find the account.
        deadline = time.monotonic() + timeout
        for tries in itertools.count():
            try:
                self._reading.enroll()
                break
            except _Unreachable as e:
                if time.monotonic() >= deadline:
                    raise LeveeTimeout(str(e)) from e
                time.sleep(min(4, 0.25 * 2 ** min(tries, 4)))
            except LeveeError:
                self._reading.close()
                raise
            except OSError as e:
                self._reading.close()
                raise LeveeError(f"{files.token} cannot be used: {e}") from e
        self._thread = threading.Thread(target=self._listen, name="gateway", daemon=True)
        self._thread.start()

    @property
    def partitions(self) -> int:
        return 1

    @property
    def at_end(self) -> bool:
        return True  # a gateway offers the newest version only

    @property
    def trouble(self) -> str:
        return self._trouble

    def poll(self, seconds: float) -> Optional[Record]:
        try:
            found = self._waited(seconds) if seconds > 0 else self._records.get_nowait()
        except queue.Empty:
            return None
        if isinstance(found, LeveeError):
            self._records.put(found)
            raise found
        return Record(0, found)

    def _waited(self, seconds: float) -> "Union[bytes, LeveeError]":
        with self._asked:
            self._polling = True
            self._asked.notify()
        try:
            return self._records.get(timeout=seconds)
        finally:
            self._polling = False

    def _wanted(self) -> bool:
        """True while poll waits for a record. Nothing is downloaded while the worker computes: the version would take
        memory and be overtaken, and its bytes count in the same rate as the upload of the answer."""
        return self._polling and self._records.empty()

    def _listen(self) -> None:
        seen = "0-0"
        while not self._closed.is_set():
            with self._asked:
                self._asked.wait_for(lambda: self._wanted() or self._closed.is_set())
            try:
                seen = self._look(seen)
                self._trouble = ""
            except _Unreachable as e:
                self._trouble = str(e)
                self._closed.wait(_PAUSE)
            except Exception as e:  # whatever it is, poll waits for this thread
                self._records.put(e if isinstance(e, LeveeError) else LeveeError(f"reading from the gateway failed: {e!r}"))
                break
        self._reading.close()

    def _look(self, seen: str) -> str:
        answer = self._reading.request("GET", f"models/newest?after={seen}&wait={_WAIT}", seconds=_WAIT + _PATIENCE)
        if answer.status == 204:
            return seen
        news: Dict[str, Any] = json.loads(answer.body)
        if news["concerns"]:
            if not self._wanted():
                return seen  # the worker computes by now; asks for the newest version again when it has
            model = self._download(news)
            if model is None:
                return seen
            for frame in _frames(model):
                self._records.put(frame)
        return str(news["id"])

    def _download(self, news: Dict[str, Any]) -> Optional[bytearray]:
        download = _Download(news)
        if self._partial is not None and download.same(self._partial):
            download = self._partial
        self._partial = download
        held = download.held
        while len(held) < download.size:
            before = len(held)
            try:
                if not self._reading.read(download.path, download.etag, held):
                    return None
            except _Unreachable:
                if len(held) == before:
                    raise
            if len(held) == before:
                raise _Unreachable("no byte has come")
        self._partial = None
        return held

    def send(self, frames: List[bytes]) -> None:
        for frame in frames:
            run, version, block = _place(frame)
            self._put(f"contributions/{run}-{version}/{block}", frame)

    def tell(self, frame: bytes) -> None:
        run, version, _ = _place(frame)
        self._put(f"scores/{run}-{version}", frame)

    def _put(self, path: str, frame: bytes) -> None:
        """Returns when Kafka has the frame; goes on with the same frame where it was interrupted."""
        for tries in range(_TRIES):
            try:
                self._writing.request("PUT", path, frame)
                return
            except _Refused as e:
                if e.status in (404, 409):
                    return  # its round is over: there is a newer version to work at
                raise
            except _Unreachable as e:
                if tries == _TRIES - 1:
                    raise LeveeUnavailable(str(e)) from e
                time.sleep(min(4, 0.25 * 2**tries))

    def close(self) -> None:
        self._closed.set()
        with self._asked:
            self._asked.notify()
        self._reading.abort()
        self._writing.close()


def _place(frame: bytes) -> Tuple[int, int, int]:
    run, version, block = _PLACE.unpack_from(frame)
    return run, version, block


def _frames(model: bytearray) -> List[bytes]:
    """The frames of a download, each behind its length; none that it does not hold whole."""
    frames = []
    at = 0
    while at + _LENGTH.size <= len(model):
        (length,) = _LENGTH.unpack_from(model, at)
        at += _LENGTH.size
        if length < 0 or at + length > len(model):
            break
        frames.append(bytes(model[at : at + length]))
        at += length
    return frames
