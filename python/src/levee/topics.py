"""A run's topics: where models come from, and where answers go."""

from __future__ import annotations

import time
from typing import Any, Dict, List, NamedTuple, Optional, Protocol, Tuple

from .errors import LeveeError, LeveeTimeout, LeveeUnavailable
from .frames import split

_PATIENCE = 30  # seconds that a broker may take for an answer


class Record(NamedTuple):
    """A record of the topic of models."""

    partition: int
    value: Optional[bytes]


class Channel(Protocol):
    """What a worker needs of a broker."""

    @property
    def partitions(self) -> int:
        """How many partitions each topic has."""

    @property
    def at_end(self) -> bool:
        """True once everything has been read that was on the topic of models when the worker started."""

    @property
    def trouble(self) -> str:
        """The client's last error since the last record; empty if there is none."""

    def poll(self, seconds: float) -> Optional[Record]:
        """The next record of the topic of models, if one comes in time; those of a partition in their order."""

    def send(self, frames: List[bytes]) -> None:
        """Sends the frames of an answer, block by block, and returns when the broker has them.

        Raises LeveeUnavailable if the broker takes nothing now.
        """

    def tell(self, frame: bytes) -> None:
        """Sends a frame of scores, and returns when the broker has it; raises as send does."""

    def close(self) -> None:
        """Ends the connection."""


class KafkaChannel:
    """A broker's topics NAME.models and NAME.gradients."""

    def __init__(self, servers: str, run: str, worker: str, timeout: float, config: Optional[Dict[str, Any]] = None):
        try:
            from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, KafkaException, Producer, TopicPartition
        except ImportError as e:
            raise LeveeError("the Python package confluent-kafka is missing: pip install confluent-kafka") from e
        kafka: Dict[str, Any] = {"bootstrap.servers": servers, "log_level": 0, **(config or {})}
        self._models, self._gradients, self._scores = run + ".models", run + ".gradients", run + ".scores"
        self._worker = worker
        self._trouble, self._denied = "", False
        self._consumer = Consumer(
            {
                "error_cb": self._heard,
                **kafka,
                "group.id": worker,
                "isolation.level": "read_committed",
                "enable.auto.commit": False,
                "enable.partition.eof": True,
            }
        )
        self._producer = Producer({**kafka, "enable.idempotence": True})
        self._timed_out, self._partition_end = KafkaError._MSG_TIMED_OUT, KafkaError._PARTITION_EOF
        self._refused = KafkaError.TOPIC_AUTHORIZATION_FAILED
        self._unread: Dict[int, int] = {}  # partitions that have not been read to the end that they had, and this end
        self._queued: Tuple[str, List[Tuple[int, bytes]]] = ("", [])  # what was given to the client last
        self._failed: List[Any] = []  # errors of these records
        deadline = time.monotonic() + timeout
        while True:
            why = f"no broker answers at {servers}"
            try:
                topic = self._consumer.list_topics(self._models, timeout=2).topics[self._models]
                if topic.error is not None:
                    self._heard(topic.error)
                partitions = [TopicPartition(self._models, p) for p in range(len(topic.partitions))]
                offsets = [self._consumer.get_watermark_offsets(each, timeout=2) for each in partitions]
                if topic.error is None and offsets and None not in offsets:
                    self._unread = {p: end for p, (first, end) in enumerate(offsets) if first < end}
                    break
                if None not in offsets:
                    why = f"there is no topic {self._models} at {servers}"
            except KafkaException as e:
                self._heard(e.args[0])
            if self._denied or time.monotonic() > deadline:
                self._consumer.close()
                self._check()
                error = f" ({self._trouble})" if self._trouble else ""
                raise LeveeTimeout(
                    f"{why}{error} after {timeout:g} s: is the run called {run}, and has its job started?"
                )
            time.sleep(0.2)
        self._trouble = ""
        self._partitions = len(topic.partitions)
        self._consumer.assign([TopicPartition(self._models, p, OFFSET_BEGINNING) for p in range(self._partitions)])

    @property
    def partitions(self) -> int:
        return self._partitions

    @property
    def at_end(self) -> bool:
        return not self._unread

    @property
    def trouble(self) -> str:
        return self._trouble

    def _heard(self, error: Any) -> None:
        self._trouble = error.str()
        self._denied = self._denied or error.code() == self._refused

    def _check(self) -> None:
        """Raises LeveeError if this client may not read the topic, because waiting does not help."""
        if self._denied:
            raise LeveeError(f"this client may not read topic {self._models}: {self._trouble}")

    def poll(self, seconds: float) -> Optional[Record]:
        while True:
            record = self._consumer.poll(seconds)
            if record is None:
                return None
            error, partition = record.error(), record.partition()
            if error is None:
                if record.offset() + 1 >= self._unread.get(partition, 0):
                    self._unread.pop(partition, None)
                self._trouble = ""
                return Record(partition, record.value())
            # Offsets of transactions follow the last record, so only the client knows that there is no more.
            if error.code() == self._partition_end:
                self._unread.pop(partition, None)
            else:
                self._heard(error)
                self._check()
            seconds = 0

    def send(self, frames: List[bytes]) -> None:
        self._produce(self._gradients, [(block % self._partitions, frame) for block, frame in enumerate(frames)])

    def tell(self, frame: bytes) -> None:
        self._produce(self._scores, [(0, frame)])

    def _produce(self, topic: str, frames: List[Tuple[int, bytes]]) -> None:
        # Records that are still in the client's queue are waited for, not sent twice.
        if len(self._producer) == 0 or self._queued != (topic, frames):
            failed: List[Any] = []
            self._queued, self._failed = (topic, frames), failed
            for partition, frame in frames:
                self._producer.produce(
                    topic,
                    frame,
                    self._worker,
                    partition,
                    on_delivery=lambda error, _: failed.append(error) if error else None,
                )
        left = self._producer.flush(_PATIENCE)
        why = f"the broker did not take an answer for topic {topic}: {(self._failed or ['no answer'])[0]}"
        if any(error.code() != self._timed_out for error in self._failed):
            raise LeveeError(why)
        if left or self._failed:
            raise LeveeUnavailable(why)

    def close(self) -> None:
        self._consumer.close()


def micros() -> int:
    """Microseconds since the epoch."""
    return time.time_ns() // 1000


def frames_of(answer: bytes) -> List[bytes]:
    """The frames of an answer, by their blocks."""
    return list(split(answer))
