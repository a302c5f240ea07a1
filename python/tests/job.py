"""A job for tests: writes models as docs/reference/wire-format.md says, and keeps what it is sent."""

import hashlib
import struct
import time

import numpy as np

from levee.frames import BLOCK, DOMAIN, decode_gradient
from levee.topics import Record


PARTITIONS = 3


def model(run, version, values, block=0, blocks=1, workers=2, batch=3, flags=0, key=None, protocol=2, evaluator=None, work=None, server=0, told=None):
    """The frame of a block of a model; of one of several servers with what it tells of them."""
    values = np.asarray(values, "<f4")
    fields = b"".join(
        struct.pack("<Hi", tag, len(value)) + value
        for tag, value in (
            (1, struct.pack("<i", workers)) if isinstance(workers, int) else (2, bytes(workers)),
            (5, struct.pack("<i", batch)),
            (6, struct.pack("<d", 0.1)),
            (7, struct.pack("<i", flags)),
            (257, None if evaluator is None else struct.pack("<i", evaluator)),
            (258, None if work is None else work.encode()),
            (259, None if told is None else told.encode()),
            (999, b"unknown"),
        )
        if value is not None
    )
    head = struct.pack(
        "<4sBBHqqiiiiqii32x", b"LEVE", protocol if told is None else 3, 1, 0, run, version, server, -1, block, 0, version, blocks, len(values)
    )
    rest = values.tobytes() + struct.pack("<i", len(fields)) + fields
    checksum = hashlib.sha256(head + rest).digest()
    signature = key.sign(DOMAIN + checksum + bytes(16)) if key else bytes(64)
    return head + checksum + signature + bytes(16) + rest


class Job:
    """A channel whose records tests publish."""

    def __init__(self):
        self.records = []
        self.sent = []
        self.told = []

    def publish(self, run, version, values, **settings):
        blocks = [values[i : i + BLOCK] for i in range(0, len(values), BLOCK)]
        for b, block in enumerate(blocks):
            server = settings.get("server", 0)
            self.put(model(run, version, block, b, len(blocks), **settings), server * len(blocks) + b)

    def put(self, frame, shard=0):
        """Writes a record to the partition of a shard."""
        self.records.append(Record(shard % PARTITIONS, frame))

    @property
    def partitions(self):
        return PARTITIONS

    @property
    def at_end(self):
        return True

    @property
    def trouble(self):
        return ""

    def poll(self, seconds):
        if self.records:
            return self.records.pop(0)
        time.sleep(min(seconds, 0.01))
        return None

    def send(self, frames):
        self.sent.append(list(frames))

    def tell(self, frame):
        self.told.append(frame)

    def close(self):
        pass

    def answers(self):
        """Version, loss and values of what was sent."""
        answers = []
        for frames in self.sent:
            blocks = [decode_gradient(frame) for frame in frames]
            answers.append((blocks[0].version, blocks[0].loss, np.concatenate([b.values for b in blocks])))
        return answers
