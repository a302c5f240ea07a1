"""Frames of docs/reference/wire-format.md: everything that depends on their layout is here."""

from __future__ import annotations

import hashlib
import hmac
import struct
from typing import Any, Dict, Iterator, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

VERSION = 2
OF_SERVERS = 3  # protocol version of models of several servers, and of nothing else
DOMAIN = b"levee/2:"
BLOCK = 1 << 17  # floats of a block; the last of a vector may have fewer
HEADER = 200  # bytes of a frame before its values

_HEAD = struct.Struct("<4sBBHqqiiiiqii")  # bytes 0 to 55 of every frame
_OF_GRADIENT = struct.Struct("<dqq8x")  # bytes 56 to 87
_FIELD = struct.Struct("<Hi")
_SECTION = struct.Struct("<iHid")  # behind the values of a gradient that has a weight
_WEIGHT, _WORK, _SERVERS = 1, 258, 259
_MAGIC, _MODEL, _GRADIENT, _SCORES = b"LEVE", 1, 2, 4
_FLOATS, _MASKED = 0, 2
_STOP, _EVALUATE = 1, 2

SCORES = ("accuracy", "auc", "f1", "rmse", "mae", "r2")  # in the order of their tags, from 1 on


class Settings(NamedTuple):
    """What the job asks of a round's workers."""

    learning_rate: float
    workers: Sequence[int]
    batch: int
    flags: int
    evaluator: int = -1  # the worker that is asked to evaluate, -1 if none is
    work: str = ""  # what devices do, a line for each option; empty where gradients are wanted

    def asks_to_evaluate(self, worker: int) -> bool:
        """True if a worker is asked how this version does."""
        return bool(self.flags & _EVALUATE) and self.evaluator == worker

    @property
    def stop(self) -> bool:
        """True of the final model, which nobody answers."""
        return bool(self.flags & _STOP)


class Told(NamedTuple):
    """What one of several servers says of them all."""

    servers: int
    byzantine: int  # how many of them the rule has to stand
    aggregator: str  # the rule that makes one model of theirs
    every: int  # versions from one exchange of models between them to the next
    each: bool = False  # whether each gets a gradient of its own, at its own model


class Model(NamedTuple):
    """One block of a version of the model."""

    run: int
    version: int
    block: int
    blocks: int
    settings: Settings
    values: NDArray[Any]
    server: int = 0  # which of several servers it claims to come from
    told: Optional[Told] = None  # what that says of them all; None if there is one
    checksum: bytes = b""

    @property
    def servers(self) -> int:
        """How many servers there are, as it says."""
        return 1 if self.told is None else self.told.servers


class Gradient(NamedTuple):
    """One block of a gradient."""

    run: int
    version: int
    worker: int
    block: int
    blocks: int
    loss: float
    values: NDArray[Any]
    weight: float = 1.0


def encode(
    run: int,
    version: int,
    worker: int,
    block: int,
    blocks: int,
    values: NDArray[Any],
    loss: float,
    times: Tuple[int, int],
    key: Optional[Ed25519PrivateKey] = None,
    shared: Optional[bytes] = None,
    weight: float = 1.0,
    server: int = 0,
) -> bytes:
    """The frame of one block of a gradient: of floats, or of integers of 32 bits under masks.

    times: when the worker had the model and the gradient, in microseconds since the epoch.
    key, shared: the worker's key and what it shares with the job; None in a run without keys.
    weight: how much it counts.
    server: whom it is for, where servers get gradients of their own.
    """
    masked = values.dtype == np.int32
    values = np.ascontiguousarray(values, "<i4" if masked else "<f4")
    encoding = _MASKED if masked else _FLOATS
    frame = _HEAD.pack(
        _MAGIC, VERSION, _GRADIENT, encoding, run, version, worker, server, block, 0, version, blocks, len(values)
    )
    fields = b"" if weight == 1 else _SECTION.pack(_SECTION.size - 4, _WEIGHT, 8, weight)
    return _sealed(frame + _OF_GRADIENT.pack(loss, *times), values.tobytes() + fields, key, shared)


def encode_scores(
    run: int,
    version: int,
    worker: int,
    loss: float,
    samples: int,
    at: int,
    scores: Mapping[str, float],
    key: Optional[Ed25519PrivateKey] = None,
    shared: Optional[bytes] = None,
) -> bytes:
    """The frame of what a version scored.

    loss: mean over the samples, NaN if it is not known.
    at: when they had been evaluated, in microseconds since the epoch.
    scores: by their names in SCORES.
    key, shared: the worker's key and what it shares with the job; None in a run without keys.
    """
    frame = _HEAD.pack(_MAGIC, VERSION, _SCORES, _FLOATS, run, version, worker, 0, 0, 0, version, 1, 0)
    frame += struct.pack("<dqq8x", loss, samples, at)
    fields = b"".join(
        _FIELD.pack(tag, 8) + struct.pack("<d", scores[name]) for tag, name in enumerate(SCORES, 1) if name in scores
    )
    return _sealed(frame, struct.pack("<i", len(fields)) + fields, key, shared)


def _sealed(
    frame: bytes, payload: bytes, key: Optional[Ed25519PrivateKey], shared: Optional[bytes]
) -> bytes:
    """A frame of its bytes 0 to 87 and those behind the header, signed if there are keys."""
    checksum = hashlib.sha256(frame + payload).digest()
    if key is None or shared is None:
        return frame + checksum + bytes(64) + bytes(16) + payload
    tag = hmac.digest(shared, DOMAIN + checksum, "sha256")[:16]
    return frame + checksum + key.sign(DOMAIN + checksum + tag) + tag + payload


def decode(frame: Optional[bytes], key: Optional[Ed25519PublicKey] = None) -> Optional[Model]:
    """The block of a model in a frame; None if there is none, or if who has the key did not sign it."""
    model = peek(frame)
    return model if frame is not None and model is not None and authentic(frame, key) else None


def peek(frame: Optional[bytes]) -> Optional[Model]:
    """The block of a model that a frame claims to be, whoever made it; None if its layout is that of none."""
    head = _head(frame, _MODEL)
    if frame is None or head is None:
        return None
    run, version, server, _, block, _, _, blocks, length = head
    fields = _fields(frame[HEADER + 4 * length :])
    settings = None if fields is None else _settings(fields)
    if fields is None or settings is None:
        return None
    values = np.frombuffer(frame, "<f4", length, HEADER)
    told = None
    if frame[4] == OF_SERVERS:
        told = _told(fields.get(_SERVERS, b"").decode("utf-8", "replace"))
        if told is None or not 0 <= server < told.servers:
            return None
    return Model(run, version, block, blocks, settings, values, server if told else 0, told, frame[88:120])


def authentic(frame: bytes, key: Optional[Ed25519PublicKey]) -> bool:
    """True if a frame that was peeked at is intact, and who has the key has signed it; None believes all."""
    if not _intact(frame):
        return False
    if key is not None:
        try:
            key.verify(frame[120:184], DOMAIN + frame[88:120] + frame[184:HEADER])
        except InvalidSignature:
            return False
    return True


def decode_gradient(frame: Optional[bytes]) -> Optional[Gradient]:
    """The block of a gradient in a frame; None if there is none."""
    head = _head(frame, _GRADIENT)
    if frame is None or head is None or not _intact(frame):
        return None
    run, version, worker, _, block, _, _, blocks, length = head
    weight, end = 1.0, HEADER + 4 * length
    if len(frame) != end:
        if len(frame) != end + _SECTION.size:
            return None
        size, tag, value, weight = _SECTION.unpack_from(frame, end)
        if (size, tag, value) != (_SECTION.size - 4, _WEIGHT, 8):
            return None
    loss = _OF_GRADIENT.unpack_from(frame, _HEAD.size)[0]
    values = np.frombuffer(frame, "<i4" if frame[6] == _MASKED else "<f4", length, HEADER)
    return Gradient(run, version, worker, block, blocks, loss, values, weight)


def split(frames: bytes) -> Iterator[bytes]:
    """The frames of a gradient's blocks that were written one behind the other."""
    start = 0
    while start < len(frames):
        whole = start + _HEAD.size <= len(frames)
        length = _HEAD.unpack_from(frames, start)[-1] if whole else 0
        end = start + HEADER + 4 * max(length, 0)
        if frames[end : end + 4] not in (b"", _MAGIC):
            end += _SECTION.size
        yield frames[start:end]
        start = end


def protocol(frame: Optional[bytes]) -> Optional[int]:
    """The protocol version that a frame claims; None if it claims nothing."""
    return frame[4] if frame is not None and len(frame) > 4 and frame[:4] == _MAGIC else None


def _head(frame: Optional[bytes], kind: int) -> Optional[Tuple[int, ...]]:
    """Run, round and all that follows of a frame that is none of the wrong kind, and whole."""
    if frame is None or len(frame) < HEADER:
        return None
    magic, version, found, encoding, *head = _HEAD.unpack_from(frame)
    block, blocks, length = head[4], head[7], head[8]
    versions = (VERSION, OF_SERVERS) if kind == _MODEL else (VERSION,)
    encodings = (_FLOATS, _MASKED) if kind == _GRADIENT else (_FLOATS,)
    if magic != _MAGIC or version not in versions or found != kind or encoding not in encodings:
        return None
    if not 0 <= block < blocks or head[1] < 0 or not 0 <= 4 * length <= len(frame) - HEADER:
        return None
    return tuple(head)


def _intact(frame: bytes) -> bool:
    return hashlib.sha256(frame[:88] + frame[HEADER:]).digest() == frame[88:120]


def _fields(section: bytes) -> Optional[Dict[int, bytes]]:
    """Values by their tags of a section of tagged fields; None if it is none."""
    fields: Dict[int, bytes] = {}
    at = 4
    while at + _FIELD.size <= len(section):
        tag, length = _FIELD.unpack_from(section, at)
        at += _FIELD.size + max(length, 0)
        fields[tag] = section[at - max(length, 0) : at]
    if len(section) < 4 or at != len(section) or at != 4 + struct.unpack_from("<i", section)[0]:
        return None
    return fields


def _settings(fields: Dict[int, bytes]) -> Optional[Settings]:
    """Settings of tagged fields; None if they have wrong sizes. Unknown tags are passed over."""
    try:
        workers: Sequence[int] = list(_ascending(fields[2])) if 2 in fields else range(int(_field(fields, 1, "<i", 0)))
        return Settings(
            float(_field(fields, 6, "<d", 0.0)),
            workers,
            int(_field(fields, 5, "<i", 1)),
            int(_field(fields, 7, "<i", 0)),
            int(_field(fields, 257, "<i", -1)),
            fields.get(_WORK, b"").decode("utf-8"),
        )
    except (struct.error, UnicodeDecodeError):
        return None


def _told(text: str) -> Optional[Told]:
    """Lines of a name, a colon, a space and a value; None if they do not say what they have to."""
    lines = dict(line.partition(": ")[::2] for line in text.splitlines())
    try:
        told = Told(
            int(lines["servers"]),
            int(lines["byzantine-servers"]),
            lines["server-aggregator"],
            int(lines["contract-every"]),
            {"": False, "per-server": True}[lines.get("worker-models", "")],
        )
    except (KeyError, ValueError):
        return None
    sound = told.servers >= 2 and 0 <= told.byzantine < told.servers and told.every >= 1
    return told if sound else None


def _field(fields: Dict[int, bytes], tag: int, code: str, default: Union[int, float]) -> Union[int, float]:
    value: Union[int, float] = struct.unpack(code, fields[tag])[0] if tag in fields else default
    return value


def _ascending(value: bytes) -> Iterator[int]:
    """Numbers of which the first is there, and how much greater each is than the one before it (LEB128).

    Raises struct.error if a number takes more than 5 bytes: its signature has not been checked yet, and a longer one would
    take time that grows with the square of its length.
    """
    number, delta, shift = 0, 0, 0
    for byte in value:
        if shift > 28:
            raise struct.error("a number of more than 32 bits")
        delta, shift = delta | (byte & 127) << shift, shift + 7
        if byte < 128:
            number, delta, shift = number + delta, 0, 0
            yield number
