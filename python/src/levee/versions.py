"""Versions of the model, as one server publishes them, or several of which some may lie."""

from __future__ import annotations

import logging
import time
from collections import Counter
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Set, Tuple

import numpy as np
from numpy.typing import NDArray
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from .errors import LeveeError
from .frames import OF_SERVERS, VERSION, Model, Settings, Told, authentic, peek, protocol
from .keys import Keys
from .server_rules import combined
from .topics import Channel, Record, micros

_LOG = logging.getLogger("levee")

_OPEN = 3  # versions of a server of which only some blocks are there that are kept


class Servers(NamedTuple):
    """What a worker knows of the servers: it must not have it from them."""

    count: int = 1
    byzantine: int = 0  # how many of several may lie, f
    patience: float = 2  # seconds that one of several which is silent is waited for
    each: bool = False  # whether each of several is answered with a gradient at its own model

    def check(self) -> "Servers":
        """Refuses numbers with which lies cannot be told from what is true."""
        if self.count < 1 or self.byzantine < 0 or self.patience <= 0:
            raise LeveeError(
                "parameter_servers has to be at least 1, byzantine_servers at least 0 and server_timeout above 0,"
                f" got {self.count}, {self.byzantine} and {self.patience:g}"
            )
        if self.each and self.count < 2:
            raise LeveeError(f"worker_models per-server needs parameter_servers of at least 2, got {self.count}")
        if self.byzantine > 0 and self.count <= 2 * self.byzantine:
            raise LeveeError(
                f"byzantine_servers {self.byzantine} needs parameter_servers of at least"
                f" {2 * self.byzantine + 1}, got {self.count}"
            )
        return self

    def keys(self, keys: Optional[Keys]) -> Sequence[Optional[Ed25519PublicKey]]:
        """Whose signatures are those of the servers, in order; None in a run without keys."""
        if keys is None:
            return [None] * self.count
        known = (keys.job,) if self.count == 1 else keys.servers
        if len(known) != self.count:
            raise LeveeError(f"there are {self.count} servers, but public keys of {len(known)}")
        return known


class Version(NamedTuple):
    """A whole version of the model."""

    run: int
    number: int
    settings: Settings
    parameters: NDArray[Any]
    had: int  # when it was whole, microseconds since the epoch
    server: int = 0  # whose it is, where each server gets a gradient of its own


class _Publication(NamedTuple):
    """What blocks that a server publishes together have in common; a greater one is newer.

    A run that goes on for longer publishes its final version once more, this time not as final.
    """

    run: int
    number: int
    goes_on: bool
    blocks: int

    @property
    def place(self) -> Tuple[int, int]:
        return self.run, self.number


class _Candidates:
    """The newest version of a server that is whole, and the few newer ones of which blocks are missing.

    The first word counts, and a second one proves that the server lies. All blocks of one place lie in one partition, so
    the first is the same for all who read along.
    """

    def __init__(self, server: int, key: Optional[Ed25519PublicKey], proves: bool):
        self._server = server
        self._key = key
        self._proves = proves
        self._open: Dict[_Publication, Dict[int, Model]] = {}
        self._proven: Optional[_Publication] = None
        self.best: Optional[_Publication] = None
        self._blocks: Dict[int, Model] = {}

    def add(self, model: Model, frame: bytes) -> bool:
        """Takes a block if the server has signed it; True if a newer version is whole now.

        What costs little is looked at first, the signature last.
        """
        which = _Publication(model.run, model.version, not model.settings.stop, model.blocks)
        if self.best is not None and which < self.best:
            return False
        blocks = self._blocks if which == self.best else self._open.get(which)
        if blocks is None and len(self._open) >= _OPEN and which < min(self._open):
            return False
        before = None if blocks is None else blocks.get(model.block)
        if before is not None:
            self._compare(which, before, model, frame)
            return False
        if not authentic(frame, self._key):
            return False
        blocks = self._open.setdefault(which, {})
        blocks[model.block] = model
        if len(blocks) == model.blocks:
            self.best, self._blocks = which, blocks
            self._open = {other: held for other, held in self._open.items() if other > which}
            return True
        if len(self._open) > _OPEN:
            del self._open[min(self._open)]
        return False

    def _compare(self, which: _Publication, before: Model, after: Model, frame: bytes) -> None:
        known = not self._proves or which == self._proven or before.checksum == after.checksum
        if not known and authentic(frame, self._key):
            self._proven = which  # one proof is enough, however many it signs
            _LOG.warning(
                "s%d is Byzantine: it signed two models of version %d, of which the first counts", self._server, which.number
            )

    def whole(self) -> List[Model]:
        """The blocks of the best, in order."""
        return [self._blocks[b] for b in sorted(self._blocks)]

    @property
    def partial(self) -> bool:
        """True if there are versions of which blocks are missing."""
        return bool(self._open)


class Versions:
    """Makes versions of blocks, and one model of those of several servers."""

    def __init__(self, channel: Channel, keys: Optional[Keys], servers: Servers = Servers()):
        self._channel = channel
        self._signed = keys is not None
        self._trust = servers
        self._servers = [_Candidates(i, key, servers.count > 1) for i, key in enumerate(servers.keys(keys))]
        self._waiting: Optional[_Publication] = None
        self._due = 0.0
        self._more = False
        self.count = 0  # versions that were whole
        self._records = 0
        self._protocols: Set[int] = set()
        self._others = 0  # servers that models say there are, where these are not as many as there should be

    def newest(self, after: Sequence[Tuple[int, int]], seconds: float) -> Optional[Version]:
        """The newest version that is whole and newer than a run and number, if there is one in time.

        after: one run and number; or as many as there are servers, where each gets a gradient of its own.
        """
        deadline = time.monotonic() + seconds
        # What has already come is read to its end: a version that was overtaken is of no use, and an earlier run's last
        # one would end the worker.
        record = self._channel.poll(0)
        while True:
            while record is not None:
                self._take(record)
                # Who writes without end holds nobody up.
                record = self._channel.poll(0) if time.monotonic() < deadline else None
            version = self._made(after) if self._channel.at_end else None
            if version is not None:
                return version
            now = time.monotonic()
            if now >= deadline:
                return None
            due = self._due if self._waiting is not None else deadline
            record = self._channel.poll(max(0, min(deadline - now, due - now, 1)))

    def why_none(self, topic: str) -> str:
        """Why no version comes; empty if one did and there is nothing to say."""
        if not self._channel.at_end:
            return f"topic {topic} has not been read to its end yet"
        if self._records == 0:
            return f"topic {topic} is empty"
        if self._waiting is not None:
            return self._held_up(self._waiting)
        if self.count > 0:
            return ""
        if self._protocols and not self._protocols & {VERSION, OF_SERVERS}:
            return f"topic {topic} has protocol version {min(self._protocols)}, but this worker speaks {VERSION}"
        if self._others:
            servers = "server" if self._others == 1 else "servers"
            return f"topic {topic} has models of {self._others} {servers}, and parameter_servers is {self._trust.count}"
        whole = [f"s{i}" for i, each in enumerate(self._servers) if each.best is not None]
        if whole and self._greatest() is None:
            have = "has one" if len(whole) == 1 else "have one each"
            return (
                f"topic {topic} has no version that more than {self._trust.byzantine} of the servers have;"
                f" {', '.join(whole)} {have}"
            )
        if any(each.partial for each in self._servers):
            return f"topic {topic} has no version whose blocks are all there"
        signers = "the job whose key is job.pub" if self._trust.count == 1 else "the servers whose keys there are"
        signed = f" signed by {signers}" if self._signed else ""
        return f"topic {topic} has {self._records} records, but no model{signed}"

    def _held_up(self, which: _Publication) -> str:
        silent = [f"s{i}" for i, each in enumerate(self._servers) if each.best != which]
        if not silent:
            return f"no {self._trust.byzantine + 1} servers agree on version {which.number}"
        return (
            f"too many servers are silent or at fault about version {which.number}, with f = {self._trust.byzantine};"
            f" of {', '.join(silent)} there is nothing"
        )

    def _take(self, record: Record) -> None:
        self._records += 1
        claimed = protocol(record.value)
        if claimed is not None:
            self._protocols.add(claimed)
        model = peek(record.value)
        if model is None or record.value is None:
            return
        if model.servers != self._trust.count:
            self._others = model.servers
            return
        shard = model.server * model.blocks + model.block
        if shard % self._channel.partitions == record.partition:
            self._more |= self._servers[model.server].add(model, record.value)

    def _made(self, after: Sequence[Tuple[int, int]]) -> Optional[Version]:
        """A version after another, if enough servers have it and none is to be waited for any longer."""
        which = self._greatest()
        if which is None or which.place <= min(after):
            self._waiting = None
            return None
        if self._trust.each and which.goes_on:
            return self._own(which, after)
        now = time.monotonic()
        if which != self._waiting:
            self._waiting, self._due = which, now + self._trust.patience
        all_there = self._more and all(each.best == which for each in self._servers)
        self._more = False
        if not all_there and now < self._due:
            return None
        version = self._combined(which)
        if version is None:
            self._due = now + self._trust.patience
        else:
            self._waiting = None
            self.count += 1
        return version

    def _greatest(self) -> Optional[_Publication]:
        """The greatest version that one of them has published at least who does not lie."""
        votes = Counter(each.best for each in self._servers if each.best is not None)
        return max((each for each, count in votes.items() if count > self._trust.byzantine), default=None)

    def _own(self, which: _Publication, after: Sequence[Tuple[int, int]]) -> Optional[Version]:
        """A server's own model, if it asks for what more servers ask for than may lie; nobody waits for another's."""
        models, word = self._said(which)
        for model in models:
            server = model[0].server
            if which.place > after[server] and _word(model) == word:
                values = np.concatenate([block.values for block in model])
                if np.isfinite(values).all():
                    self.count += 1
                    return Version(*which.place, model[0].settings, values, micros(), server)
        return None

    def _combined(self, which: _Publication) -> Optional[Version]:
        """One model of those that servers have published; None if too many of them are at fault."""
        models, word = self._said(which)
        if word is None:
            return None
        settings, told = word
        rows = [np.concatenate([block.values for block in model]) for model in models]
        if told is None:
            return Version(*which.place, settings, rows[0], micros())
        rows = [row for row in rows if np.isfinite(row).all()]
        f = self._trust.byzantine - (self._trust.count - len(rows))
        if f < 0:
            return None
        version = which.place[1]
        # Rules draw by the servers' versions, of which exchanges are some.
        model = combined(told.aggregator, np.stack(rows), f, version + version // told.every)
        return Version(*which.place, settings, model, micros())

    def _said(self, which: _Publication) -> Tuple[List[List[Model]], Optional[Tuple[Settings, Optional[Told]]]]:
        """The models that have the size, and the settings, which more servers say than may lie."""
        models = [each.whole() for each in self._servers if each.best == which]
        size = self._agreed([_size(model) for model in models])
        models = [model for model in models if _size(model) == size]
        word: Optional[Tuple[Settings, Optional[Told]]] = self._agreed([_word(model) for model in models])
        if word is not None and word[1] is not None:
            self._check(word[1])
        return models, word

    def _check(self, told: Told) -> None:
        if told.byzantine != self._trust.byzantine:
            raise LeveeError(
                f"the servers run with --byzantine-servers {told.byzantine},"
                f" and this worker with {self._trust.byzantine}"
            )
        if told.each and not self._trust.each:
            raise LeveeError("the servers run with --worker-models per-server, and this worker without")
        if self._trust.each and not told.each:
            raise LeveeError("worker_models per-server is for servers that run with it too")

    def _agreed(self, words: List[Any]) -> Any:
        """What more of them say than may lie."""
        return next((each for each in words if words.count(each) > self._trust.byzantine), None)


def _size(model: List[Model]) -> Tuple[int, ...]:
    return tuple(len(block.values) for block in model)


def _word(model: List[Model]) -> Tuple[Settings, Optional[Told]]:
    return model[0].settings, model[0].told
