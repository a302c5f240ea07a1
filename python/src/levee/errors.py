"""What can go wrong, each said in one sentence."""


class LeveeError(ValueError):
    """Levee cannot do what was asked; the message is one sentence that says why."""


class LeveeTimeout(LeveeError):
    """What a worker waited for did not come in time."""


class LeveeUnavailable(LeveeError):
    """A broker or gateway takes nothing now; a worker tries again until its timeout."""
