"""What can go wrong, each said in one sentence."""


class LeveeError(Exception):
    """A worker cannot start or go on; the message is one sentence that says why."""


class LeveeTimeout(LeveeError):
    """What a worker waited for did not come in time."""
