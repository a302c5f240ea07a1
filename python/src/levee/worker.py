"""A worker: answers each version of a run's model with a gradient, once, until the run is over."""

from __future__ import annotations

import logging
import pathlib
import time
from typing import TYPE_CHECKING, Any, Callable, Dict, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from .errors import LeveeError, LeveeTimeout, LeveeUnavailable
from .frames import BLOCK, SCORES, encode, encode_scores
from .gateway import GatewayChannel, GatewayFiles, is_gateway
from .keys import Keys
from .layout import Layout
from .state import Answer, State
from .topics import Channel, KafkaChannel, frames_of, micros
from .versions import Servers, Version, Versions

if TYPE_CHECKING:
    import torch

_LOG = logging.getLogger("levee")

_RESEND_MOST = 30  # seconds between two times that an answer is sent again, unless the first pause is longer


class Round(NamedTuple):
    """What a gradient is asked for."""

    run: int
    version: int
    batch: int  # samples whose mean loss it is of
    learning_rate: float  # the job's, which multiplies and steps itself
    work: str = ""  # what the job tells devices to do; empty where it wants gradients
    workers: Sequence[int] = ()  # numbers of those who are asked
    server: int = 0  # whose model it is at, where each server gets a gradient of its own


class Contribution(NamedTuple):
    """What is sent for a version."""

    values: NDArray[Any]  # floats, or integers of 32 bits under masks
    loss: float
    weight: float = 1.0  # how much it counts


GradientFn = Callable[[NDArray[Any], Round], Tuple[NDArray[Any], float]]
EvaluateFn = Callable[[NDArray[Any], Round], Mapping[str, float]]


class Progress(NamedTuple):
    """An answer that was sent."""

    run: int
    version: int
    loss: float
    seconds: float  # that the gradient took
    answers: int  # of this worker since it started


class _Part:
    """What a worker has done for all servers, or for one of those that get gradients of their own."""

    def __init__(self, state: State):
        self.state = state
        # Whether the run has gone on since the last answer is not known yet.
        answer = state.answer
        self.seen: Tuple[int, int] = (-1, -1) if answer is None else (answer.run, answer.version - 1)

    def again(self) -> Optional[bytes]:
        """The answer to the newest version, if there is one."""
        answer = self.state.answer
        return answer.frames if answer is not None and answer.place == self.seen else None

    def takes(self, version: Version) -> bool:
        """True of a version that has not been answered; what it is told of is seen then."""
        answer = self.state.answer
        self.seen = version.run, version.number
        return answer is None or self.seen > answer.place or version.settings.stop


class Step(NamedTuple):
    """What a step came to: `over` is true of the final model, which is not answered."""

    version: int
    parameters: NDArray[Any]
    loss: Optional[float]
    over: bool


class Worker:
    """One worker of a run.

    id: `w3`, or 3.
    servers: the broker's address, HOST:PORT, several with commas; or a gateway's, https://HOST:PORT.
    keys: directory with ID.key, job.pub and the public keys of several servers, or Keys; None in a run without keys.
    run: the run's name, as `levee serve --run NAME` has it.
    state: file for what the worker has to remember if it may be started again; the same command then goes on
        where it ended, and never contradicts itself. For each server, where these get gradients of their own, one
        whose name goes on with .s0, .s1, …
    momentum: as the job's; 0 where the job has it at the server.
    timeout: seconds to wait for the broker, also one that is lost on the way, the topic, and each next version; None
        waits for ever.
    resend: seconds without a newer version after which an answer is sent again; the pauses double, up to half a minute.
    progress: called after each answer.
    parameter_servers: how many servers the run has (`levee serve --servers`); their models are made one by the rule
        that more of them say than may lie.
    byzantine_servers: how many of several may lie. This and their number a worker must not have from the servers.
    server_timeout: seconds that a server is waited for which is silent about a version that others have published.
    worker_models: as the job's `--worker-models`: aggregate has one gradient for all servers; per-server has one for
        each, at its own model, of which each step is one.
    kafka: further settings of the Kafka client, as librdkafka calls them.
    account: directory with the enrollment token of a worker that uses a gateway, ID.token, and gateway.pem; the
        directory of the keys by default.
    """

    def __init__(
        self,
        id: Union[str, int],
        servers: str,
        keys: Union[None, str, pathlib.Path, Keys] = None,
        *,
        run: str = "levee",
        state: Union[None, str, pathlib.Path] = None,
        momentum: float = 0.9,
        timeout: Optional[float] = 300,
        resend: float = 2,
        progress: Optional[Callable[[Progress], None]] = None,
        parameter_servers: int = 1,
        byzantine_servers: int = 0,
        server_timeout: float = 2,
        worker_models: str = "aggregate",
        kafka: Optional[Dict[str, Any]] = None,
        account: Union[None, str, pathlib.Path] = None,
        channel: Optional[Channel] = None,
    ):
        self.number = _number(id)
        self.name = f"w{self.number}"
        if not 0 <= momentum < 1:
            raise LeveeError(f"momentum has to be at least 0 and below 1, got {momentum}")
        self.run_name = run
        if worker_models not in ("aggregate", "per-server"):
            raise LeveeError(f"worker_models has to be aggregate or per-server, got {worker_models}")
        each = worker_models == "per-server"
        trusted = Servers(parameter_servers, byzantine_servers, server_timeout, each).check()
        self._keys = keys if keys is None or isinstance(keys, Keys) else Keys.read(keys, self.name, trusted.count)
        self._momentum = np.float32(momentum)
        self._timeout = float("inf") if timeout is None else float(timeout)
        self._resend = resend
        self._progress = progress
        names = [f".s{i}" for i in range(parameter_servers)] if each else [""]
        files = [None if state is None else pathlib.Path(f"{state}{name}") for name in names]
        self._parts = [_Part(State(file, self.number)) for file in files]
        if channel is None and is_gateway(servers):
            folder = keys if account is None else account
            if folder is None or isinstance(folder, Keys):
                raise LeveeError("a worker that uses a gateway needs account, the directory of its token")
            if trusted.count > 1:
                raise LeveeError(f"a gateway is for runs with one server, got parameter_servers {trusted.count}")
            channel = GatewayChannel(servers, run, GatewayFiles(folder, self.name), self._timeout)
        self._channel = channel or KafkaChannel(servers, run, self.name, self._timeout, kafka)
        self._versions = Versions(self._channel, self._keys, trusted)
        self._answers = 0

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection; what has to be remembered is on disk already."""
        self._channel.close()

    def step(
        self, gradient_fn: GradientFn, *, trainable: Optional[int] = None, evaluate: Optional[EvaluateFn] = None
    ) -> Step:
        """Waits for the next version that asks this worker, and answers it.

        gradient_fn: takes the parameters, a vector of float32, and the Round, which says the batch; returns the
            gradient of the mean loss, as long as the parameters, and that loss. Behind the first `trainable`
            values, all by default, are buffers, of which it returns the new values.
        evaluate: takes the same, and returns numbers by name: `samples`, `loss`, and scores of docs/reference/tasks.md such as
            `accuracy` or `rmse`. It is called, after the answer, for versions that the job (`--evaluator`) asks this
            worker to evaluate, the final one among them.
        Raises LeveeTimeout if no version comes in time, LeveeError if the gradient does not fit the model.
        """
        while True:
            version, answered = self._next()
            settings = version.settings
            round = Round(
                version.run,
                version.number,
                settings.batch,
                settings.learning_rate,
                settings.work,
                settings.workers,
                version.server,
            )
            if settings.stop:
                self._evaluate(version, round, evaluate)
                return Step(version.number, version.parameters, None, True)
            if not answered:
                if self.number in settings.workers:
                    break
                _LOG.info("%s rests in round %d", self.name, version.number)
            self._evaluate(version, round, evaluate)
        began = time.monotonic()
        gradient, loss, weight = Contribution(*gradient_fn(version.parameters, round))
        values = np.asarray(gradient).ravel()
        values = values if values.dtype == np.int32 else values.astype(np.float32)
        if len(values) != len(version.parameters):
            raise LeveeError(
                f"the model on topic {self.run_name}.models has {len(version.parameters)} parameters,"
                f" but the gradient has {len(values)}"
            )
        self._answer(version, values, float(loss), len(values) if trainable is None else trainable, weight)
        if self._progress is not None:
            self._progress(
                Progress(version.run, version.number, float(loss), time.monotonic() - began, self._answers)
            )
        self._evaluate(version, round, evaluate)
        return Step(version.number, version.parameters, float(loss), False)

    def _evaluate(self, version: Version, round: Round, evaluate: Optional[EvaluateFn]) -> None:
        """Tells the job how a version does, if this worker is asked."""
        if not version.settings.asks_to_evaluate(self.number):
            return
        if evaluate is None:
            _LOG.warning("the job asks %s to evaluate, and it has no evaluate=", self.name)
            return
        told = dict(evaluate(version.parameters, round))
        samples, loss = int(told.pop("samples", 0)), float(told.pop("loss", float("nan")))
        unknown = [name for name in told if name not in SCORES]
        if unknown:
            raise LeveeError(f"evaluate returns {unknown[0]}, which is none of samples, loss, {', '.join(SCORES)}")
        own = self._keys.own if self._keys else None
        shared = self._keys.shared if self._keys else None
        scores = {name: float(value) for name, value in told.items()}
        frame = encode_scores(version.run, version.number, self.number, loss, samples, micros(), scores, own, shared)
        self._deliver(lambda: self._channel.tell(frame))
        _LOG.info("%s has evaluated version %d: loss %.4f %s", self.name, version.number, loss, scores)

    def run(
        self,
        module: "torch.nn.Module",
        loss: Callable[[Any, Any], Any],
        loader: Any,
        *,
        initial: Union[None, str, pathlib.Path] = None,
        evaluate: Any = None,
    ) -> Step:
        """Answers every version with gradients of a PyTorch module until the run is over, and leaves the final model in it.

        loss: of the module's output and the targets, such as `torch.nn.functional.cross_entropy`; a mean.
        loader: a DataLoader or other iterable of batches (inputs, targets), which starts again when it ends; or a
            Dataset, or a tuple of tensors, of which each round draws the batch that the job asks for.
        initial: the file given to `levee serve --initial`, whose order of tensors is the job's. Without it the order
            is that of the module's parameters and buffers, which `numpy.savez` of its `state_dict()` keeps.
        evaluate: what the job is told if it asks this worker (`--evaluator`): test samples in one of the loader's
            forms, of which mean loss and accuracy, or RMSE and MAE of targets that are numbers, are computed; or a
            function of the module, in eval mode, that returns numbers by name as in `step`.
        """
        from .modules import ModuleGradient

        layout = None if initial is None else Layout(initial)
        gradient = ModuleGradient(module, loss, loader, self.number, layout)
        scores = None if evaluate is None else gradient.evaluation(evaluate)
        while True:
            step = self.step(gradient, trainable=gradient.trainable, evaluate=scores)
            if step.over:
                gradient.load(step.parameters)
                return step

    def _next(self) -> Tuple[Version, bool]:
        """The next version; meanwhile the last answers are sent again, which a broker may have lost.

        The first one after a start may have been answered before. Then True comes with it: its scores may be missing.
        """
        waited, pause = 0.0, self._resend
        while True:
            patience = min(pause, self._timeout - waited)
            version = self._versions.newest([part.seen for part in self._parts], patience)
            if version is not None:
                # The final version is that of all servers.
                parts = self._parts if version.settings.stop else [self._parts[version.server]]
                answered = not any([part.takes(version) for part in parts])
                if answered:
                    self._send_again(parts)
                return version, answered
            waited = self._send_again(self._parts, waited + patience)
            pause = min(2 * pause, max(self._resend, _RESEND_MOST))
            if waited >= self._timeout:
                raise LeveeTimeout(self._nothing(waited))
            _LOG.info("%s waits: %s", self.name, self._nothing(waited))

    def _send_again(self, parts: Sequence[_Part], waited: float = 0.0) -> float:
        for part in parts:
            frames = part.again()
            if frames is not None:
                waited = self._send(frames, waited)
        return waited

    def _send(self, frames: bytes, waited: float = 0.0) -> float:
        return self._deliver(lambda: self._channel.send(frames_of(frames)), waited)

    def _deliver(self, send: Callable[[], None], waited: float = 0.0) -> float:
        """Sends something, again and again while the broker or gateway is away, and adds the time of attempts that failed.

        Raises LeveeTimeout when that is more than the timeout.
        """
        while True:
            began = time.monotonic()
            try:
                send()
                return waited
            except LeveeUnavailable as e:
                time.sleep(max(0, min(self._resend, self._timeout - waited)))
                waited += time.monotonic() - began
                if waited >= self._timeout:
                    raise LeveeTimeout(f"{e}, for {waited:.1f} s") from e
                _LOG.info("%s waits: %s", self.name, e)

    def _nothing(self, waited: float) -> str:
        topic = self.run_name + ".models"
        why = self._versions.why_none(topic)
        trouble = self._channel.trouble
        last = f"; the client's last error is {trouble}" if trouble else ""
        if why:
            return f"{why} after {waited:g} s{last}"
        number = min(part.seen for part in self._parts)[1]
        return f"no version after {number} has come on topic {topic} for {waited:g} s: has the job ended?{last}"

    def _answer(
        self, version: Version, gradient: NDArray[Any], loss: float, trainable: int, weight: float
    ) -> None:
        state = self._parts[version.server].state
        before = state.answer
        values = gradient.copy()
        if self._momentum and before is not None and before.run == version.run and len(before.values) == len(values):
            m = self._momentum
            values[:trainable] = m * before.values[:trainable] + (1 - m) * gradient[:trainable]
        blocks = [values[i : i + BLOCK] for i in range(0, len(values), BLOCK)]
        times = version.had, micros()
        own = self._keys.own if self._keys else None
        shared = self._keys.shared if self._keys else None
        frames = b"".join(
            encode(
                version.run,
                version.number,
                self.number,
                b,
                len(blocks),
                blocks[b],
                loss,
                times,
                own,
                shared,
                weight,
                version.server,
            )
            for b in range(len(blocks))
        )
        state.keep(Answer(version.run, version.number, frames, values))
        self._send(frames)
        self._answers += 1
        _LOG.info("%s has answered version %d, loss %.4f", self.name, version.number, loss)


def _number(id: Union[str, int]) -> int:
    text = str(id)
    digits = text[1:] if text.startswith("w") else text
    if not digits.isascii() or not digits.isdigit() or str(int(digits)) != digits:
        raise LeveeError(f"a worker is called w and its number, such as w3, got {id}")
    return int(digits)
