"""Masks of secure sums, as docs/reference/wire-format.md has them: what a device sends says nothing but in the sum of its round."""

from __future__ import annotations

import hmac
import struct
from typing import Any, Sequence

import numpy as np
from numpy.typing import NDArray
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from .errors import LeveeError
from .keys import Keys

FEWEST = 3  # alone a device has no mask, and of two each knows what the other has sent
LARGEST = 64.0  # what the absolute values of a sum's terms may add up to
_UNITS = float(1 << 24)


def stream(shared: bytes, run: int, version: int, count: int) -> NDArray[Any]:
    """Integers that both owners of a shared key have for a round."""
    key = hmac.digest(shared, b"levee/mask:" + struct.pack("<qq", run, version) + b"\1", "sha256")
    cipher = Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor()
    return np.frombuffer(cipher.update(bytes(4 * count)), "<u4")


def hide(
    values: NDArray[Any], share: float, worker: int, devices: Sequence[int], keys: Keys, run: int, version: int
) -> NDArray[Any]:
    """A device's part of a sum, under its masks: integers of 32 bits.

    values: what it has to add, before it is weighed.
    share: how much of the sum that is; those of a round make 1.
    devices: numbers of all devices of the round.
    """
    if len(devices) < FEWEST:
        raise LeveeError(f"the job asks {len(devices)} for a secure sum, which needs at least {FEWEST} devices to hide a contribution")
    weighed = np.clip(np.nan_to_num(values.astype(np.float64), nan=0.0), -LARGEST, LARGEST) * share
    hidden = np.rint(weighed * _UNITS).astype(np.int64).astype(np.uint32)
    for other in devices:
        if other != worker:
            mask = stream(keys.shared_with(other), run, version, len(hidden))
            hidden = hidden + mask if worker < other else hidden - mask
    return hidden.view(np.int32)
