"""Workers of Levee, robust distributed learning on Apache Flink, for models in Python."""

from .device import Device, LocalWork
from .errors import LeveeError, LeveeTimeout
from .keys import Keys
from .layout import Layout
from .models import load_into, read_model
from .worker import Progress, Round, Step, Worker

__all__ = [
    "Device",
    "Keys",
    "Layout",
    "LeveeError",
    "LeveeTimeout",
    "LocalWork",
    "Progress",
    "Round",
    "Step",
    "Worker",
    "load_into",
    "read_model",
]
