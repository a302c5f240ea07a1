"""Keys of a worker: its own, the job's, and what the two share."""

from __future__ import annotations

import hashlib
import pathlib
from typing import Dict, Sequence, Union

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from .errors import LeveeError
from .frames import DOMAIN

_PRIME = 2**255 - 19


class Keys:
    """A worker's key, the job's public key, and what both share; those of several servers; and where the public keys of others are."""

    def __init__(
        self,
        own: Ed25519PrivateKey,
        job: Ed25519PublicKey,
        folder: Union[None, str, "pathlib.PurePath"] = None,
        servers: Sequence[Ed25519PublicKey] = (),
    ):
        self.own = own
        self.job = job
        self.servers = tuple(servers)  # empty of one server, which signs with the job's key
        self.shared = share(own, job)
        self._folder = None if folder is None else pathlib.Path(folder)
        self._others: Dict[int, bytes] = {}

    def shared_with(self, worker: int) -> bytes:
        """What this worker shares with another one."""
        if worker not in self._others:
            if self._folder is None:
                raise LeveeError("a secure sum needs a directory with the public keys of all devices")
            other = _public(self._folder / f"w{worker}.pub")
            self._others[worker] = share(self.own, other)
        return self._others[worker]

    @classmethod
    def read(cls, directory: Union[str, "pathlib.PurePath"], worker: str, servers: int = 1) -> "Keys":
        """Reads WORKER.key, job.pub, and s0.pub, s1.pub, … of several servers, as `levee keys generate` writes them."""
        folder = pathlib.Path(directory)
        own = _pem(folder / f"{worker}.key", lambda data: load_pem_private_key(data, None))
        if not isinstance(own, Ed25519PrivateKey):
            raise LeveeError(_OTHER.format(folder))
        several = range(servers if servers > 1 else 0)
        return cls(own, _public(folder / "job.pub"), folder, [_public(folder / f"s{i}.pub") for i in several])


_OTHER = "{} has keys that are not Ed25519: levee keys generate makes them"


def _public(file: pathlib.Path) -> Ed25519PublicKey:
    key = _pem(file, load_pem_public_key)
    if not isinstance(key, Ed25519PublicKey):
        raise LeveeError(_OTHER.format(file.parent))
    return key


def _pem(file: pathlib.Path, load):  # type: ignore[no-untyped-def]
    try:
        return load(file.read_bytes())
    except FileNotFoundError as e:
        raise LeveeError(f"there is no key {file}: levee keys generate makes keys, and a worker needs its own and job.pub, of several servers their .pub, a device of a secure sum all .pub") from e
    except (OSError, ValueError, TypeError) as e:
        raise LeveeError(f"{file} is no key that can be read: {e}") from e


def share(own: Ed25519PrivateKey, job: Ed25519PublicKey) -> bytes:
    """What the owners of two Ed25519 keys share: X25519 over the same keys."""
    seed = own.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
    y = int.from_bytes(job.public_bytes(Encoding.Raw, PublicFormat.Raw), "little") & ~(1 << 255)
    u = (1 + y) * pow(1 - y, -1, _PRIME) % _PRIME
    scalar = X25519PrivateKey.from_private_bytes(hashlib.sha512(seed).digest()[:32])
    secret = scalar.exchange(X25519PublicKey.from_public_bytes(u.to_bytes(32, "little")))
    return hashlib.sha256(DOMAIN + secret).digest()
