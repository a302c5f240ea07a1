"""A run's topics: the newest version of the model, and where answers go."""

from __future__ import annotations

import time
from typing import Any, Dict, List, NamedTuple, Optional, Protocol, Set, Tuple

import numpy as np
from numpy.typing import NDArray

from .errors import LeveeError, LeveeTimeout
from .frames import VERSION, Settings, decode, protocol, split
from .keys import Keys


class Version(NamedTuple):
    """A whole version of the model."""

    run: int
    number: int
    settings: Settings
    parameters: NDArray[Any]
    had: int  # when it was whole, microseconds since the epoch


class Channel(Protocol):
    """What a worker needs of a broker."""

    def poll(self, seconds: float) -> Optional[bytes]:
        """The next record of the topic of models, if one comes in time."""

    def send(self, frames: List[bytes]) -> None:
        """Sends the frames of an answer, block by block, and returns when the broker has them."""

    def tell(self, frame: bytes) -> None:
        """Sends a frame of scores, and returns when the broker has it."""

    def close(self) -> None:
        """Ends the connection."""


class KafkaChannel:
    """A broker's topics NAME.models and NAME.gradients."""

    def __init__(self, servers: str, run: str, worker: str, timeout: float, config: Optional[Dict[str, Any]] = None):
        try:
            from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaException, Producer, TopicPartition
        except ImportError as e:
            raise LeveeError("the Python package confluent-kafka is missing: pip install confluent-kafka") from e
        kafka: Dict[str, Any] = {"bootstrap.servers": servers, "log_level": 0, **(config or {})}
        self._models, self._gradients, self._scores = run + ".models", run + ".gradients", run + ".scores"
        self._worker = worker
        self._consumer = Consumer(
            {**kafka, "group.id": worker, "isolation.level": "read_committed", "enable.auto.commit": False}
        )
        self._producer = Producer({**kafka, "enable.idempotence": True})
        deadline = time.monotonic() + timeout
        while True:
            why = f"no broker answers at {servers}"
            try:
                topic = self._consumer.list_topics(self._models, timeout=2).topics[self._models]
                if topic.error is None and topic.partitions:
                    break
                why = f"there is no topic {self._models} at {servers}"
            except KafkaException:
                pass
            if time.monotonic() > deadline:
                self._consumer.close()
                raise LeveeTimeout(f"{why} after {timeout:g} s: is the run called {run}, and has its job started?")
            time.sleep(0.2)
        self._partitions = len(topic.partitions)
        self._consumer.assign([TopicPartition(self._models, p, OFFSET_BEGINNING) for p in range(self._partitions)])

    def poll(self, seconds: float) -> Optional[bytes]:
        record = self._consumer.poll(seconds)
        value: Optional[bytes] = None if record is None or record.error() else record.value()
        return value

    def send(self, frames: List[bytes]) -> None:
        self._produce(self._gradients, [(block % self._partitions, frame) for block, frame in enumerate(frames)])

    def tell(self, frame: bytes) -> None:
        self._produce(self._scores, [(0, frame)])

    def _produce(self, topic: str, frames: List[Tuple[int, bytes]]) -> None:
        failed: List[str] = []
        for partition, frame in frames:
            self._producer.produce(
                topic,
                frame,
                self._worker,
                partition,
                on_delivery=lambda error, _: failed.append(str(error)) if error else None,
            )
        if self._producer.flush(30) or failed:
            raise LeveeError(f"the broker did not take an answer for topic {topic}: {(failed or ['no answer'])[0]}")

    def close(self) -> None:
        self._consumer.close()


class Versions:
    """Puts blocks together to versions; the newest that is whole wins."""

    def __init__(self, channel: Channel, keys: Optional[Keys]):
        self._channel = channel
        self._keys = keys
        self._open: Dict[Tuple[int, int], Dict[int, NDArray[Any]]] = {}
        self._newest: Optional[Version] = None
        self.count = 0  # versions that were whole
        self._records = 0
        self._protocols: Set[int] = set()

    def newest(self, after: Tuple[int, int], seconds: float) -> Optional[Version]:
        """The newest version that is whole and newer than a run and number, if there is one in time."""
        deadline = time.monotonic() + seconds
        # What has already come is read to its end: a version that was overtaken is of no use.
        record = self._channel.poll(0)
        while True:
            while record is not None:
                self._take(record)
                record = self._channel.poll(0)
            newest = self._newest
            if newest is not None and (newest.run, newest.number) > after:
                return newest
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            record = self._channel.poll(min(left, 1))

    def why_none(self, topic: str) -> str:
        """Why no version has come so far."""
        if self._records == 0:
            return f"topic {topic} is empty"
        others = self._protocols - {VERSION}
        if others and VERSION not in self._protocols:
            return f"topic {topic} has protocol version {min(others)}, but this worker speaks {VERSION}"
        if self._open:
            return f"topic {topic} has no version whose blocks are all there"
        signed = " signed by the job whose key is job.pub" if self._keys else ""
        return f"topic {topic} has {self._records} records, but no model{signed}"

    def _take(self, record: bytes) -> None:
        self._records += 1
        claimed = protocol(record)
        if claimed is not None:
            self._protocols.add(claimed)
        model = decode(record, self._keys.job if self._keys else None)
        if model is None:
            return
        place = (model.run, model.version)
        if self._newest is not None and place <= (self._newest.run, self._newest.number):
            return
        blocks = self._open.setdefault(place, {})
        blocks[model.block] = model.values
        if len(blocks) == model.blocks:
            parameters = np.concatenate([blocks[b] for b in range(model.blocks)])
            self.count += 1
            self._newest = Version(*place, model.settings, parameters, micros())
            self._open = {other: held for other, held in self._open.items() if other > place}


def micros() -> int:
    """Microseconds since the epoch."""
    return time.time_ns() // 1000


def frames_of(answer: bytes) -> List[bytes]:
    """The frames of an answer, by their blocks."""
    return list(split(answer))
