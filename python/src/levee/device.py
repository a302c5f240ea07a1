"""A device of a federated run: trains locally from each version that asks it, and sends what changed."""

from __future__ import annotations

import math
import pathlib
from typing import Any, Callable, Mapping, NamedTuple, Optional, Tuple, Union, TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .errors import LeveeError
from .layout import Layout
from .masks import hide
from .worker import Contribution, EvaluateFn, Round, Step, Worker

if TYPE_CHECKING:
    import torch


class LocalWork(NamedTuple):
    """What the job tells a device to do from one version to what it sends."""

    run: int
    version: int
    batch: int  # samples of a batch
    steps: Optional[int]  # batches of a round; None where passes are counted
    epochs: Optional[float]  # passes over the device's own samples
    learning_rate: float
    optimizer: str  # sgd, adam, adamw, rmsprop or adagrad
    momentum: float  # of sgd and rmsprop
    beta1: float  # of adam and adamw
    keep: bool  # whether the optimizer's vectors stay with the device from round to round
    proximal: float  # factor of what pulls the device to the job's model (FedProx)
    weighting: str  # samples or equal
    clip: float  # norm to which what is sent is clipped
    mixes: bool = False  # whether the server mixes models (FedAsync), so that the model itself is sent
    summed: bool = False  # whether what is sent goes under masks, which only the sum of a round sheds

    def batches(self, samples: int) -> int:
        """Batches of a round, of a device with so many samples: the steps, 0 among them; at least 1 of passes."""
        if self.steps is not None:
            return self.steps
        return max(1, math.ceil((self.epochs or 1) * samples / self.batch))


def local_work(round: Round) -> LocalWork:
    """Reads what the job tells in a version of the model."""
    if not round.work:
        raise LeveeError("the job wants gradients and not local training: levee.Worker takes part in it")
    told: Mapping[str, str] = {
        name.strip(): value.strip().strip('"')
        for name, _, value in (line.partition(":") for line in round.work.splitlines())
    }
    if told.get("schedule", "constant") != "constant":
        raise LeveeError(f"devices in Python know --schedule constant, got {told['schedule']}")
    weighting = told.get("weighting", "samples")
    if weighting not in ("samples", "equal"):
        raise LeveeError(f"a device that knows its own samples only knows --weighting samples and equal, got {weighting}")
    personal = told.get("personal", "none")
    if personal.startswith(("layers", "pfedme")):
        raise LeveeError(f"devices in Python train the job's model, and have none of their own as --personal {personal} wants")
    if "local-test" in told:
        raise LeveeError(f"devices in Python hold out no samples of their own, as --local-test {told['local-test']} wants")
    if told.get("secure-sum", "true") != "true":
        raise LeveeError("devices in Python take part in secure sums that nobody leaves only: leave the rates of --secure-sum out")
    summed = told.get("secure-sum") == "true"
    if summed and weighting != "equal":
        raise LeveeError(f"a device that knows its own samples only can take part in secure sums of --weighting equal, got {weighting}")
    try:
        return LocalWork(
            round.run,
            round.version,
            round.batch,
            int(told["local-steps"]) if "local-steps" in told else None,
            float(told["local-epochs"]) if "local-epochs" in told else None,
            float(told["learning-rate"]),
            told.get("local-optimizer", "sgd"),
            float(told.get("local-momentum", 0)),
            float(told.get("local-beta1", 0.9)),
            told.get("local-state") == "keep",
            float(told.get("proximal", 0)),
            weighting,
            float(told.get("dp-clip", "inf")),
            told.get("server-step") == "mix",
            summed,
        )
    except (KeyError, ValueError) as e:
        raise LeveeError(f"the job tells devices something that cannot be read: {e}") from e


TrainFn = Callable[[NDArray[Any], LocalWork], Tuple[NDArray[Any], float, int]]


class Device(Worker):
    """One device of a run that `levee federate --bootstrap-servers` leads. Options are those of a Worker without momentum.

    secure_sum: whether to send masked contributions only, and to fail if the job asks for others.
    """

    def __init__(
        self, id: Union[str, int], servers: str, keys: Any = None, *, secure_sum: bool = False, **options: Any
    ):
        super().__init__(id, servers, keys, **{"momentum": 0, **options})
        self._masked_only = secure_sum

    def train(
        self, train_fn: TrainFn, *, trainable: Optional[int] = None, evaluate: Optional[EvaluateFn] = None
    ) -> Step:
        """Waits for the next version that asks this device, trains from it, and sends what changed.

        train_fn: takes the parameters, a vector of float32 that it may write to, and the LocalWork; returns the
            vector that it has come to, the mean loss on the way, and how many samples the device holds. Behind the
            first `trainable` values, all by default, are buffers, of which the new values are sent.
        evaluate: as Worker.step takes it.
        """

        def difference(parameters: NDArray[Any], round: Round) -> Contribution:
            work = local_work(round)
            if self._masked_only and not work.summed:
                raise LeveeError("the job asks for contributions that are not masked, but this device has secure_sum")
            trained, loss, samples = train_fn(parameters.copy(), work)
            values = np.array(trained, np.float32).ravel()
            if len(values) != len(parameters):
                raise LeveeError(f"the job's model has {len(parameters)} parameters, but training returned {len(values)}")
            if samples < 1:
                raise LeveeError(f"a device has to hold at least 1 sample, got {samples}")
            end = len(values) if trainable is None else trainable
            if not work.mixes:
                values[:end] = parameters[:end] - values[:end]
            numbers = np.nan_to_num(values[:end].astype(np.float64), nan=0.0, posinf=np.inf, neginf=-np.inf)
            norm = float(np.linalg.norm(numbers))
            if norm > work.clip:
                values[:end] *= np.float32(work.clip / norm)
            if work.summed:
                if self._keys is None:
                    raise LeveeError("the job makes secure sums, for which a device needs keys")
                share = 1 / len(round.workers)
                return Contribution(
                    hide(values, share, self.number, round.workers, self._keys, round.run, round.version), loss
                )
            return Contribution(values, loss, float(samples) if work.weighting == "samples" else 1.0)

        return self.step(difference, trainable=trainable, evaluate=evaluate)

    def run(
        self,
        module: "torch.nn.Module",
        loss: Callable[[Any, Any], Any],
        loader: Any,
        *,
        initial: Union[None, str, pathlib.Path] = None,
        evaluate: Any = None,
        samples: Optional[int] = None,
        optimizer: Optional[Callable[[Any, LocalWork], "torch.optim.Optimizer"]] = None,
    ) -> Step:
        """Trains a PyTorch module from every version that asks this device, until the run is over, and leaves the final
        model in it.

        module, loss, loader, initial, evaluate: as Worker.run takes them; the loader's samples are the device's own.
        samples: how many there are, where the loader does not say.
        optimizer: makes another one than the job says, of the module's parameters and the LocalWork.
        """
        from .modules import ModuleTraining

        layout = None if initial is None else Layout(initial)
        training = ModuleTraining(module, loss, loader, self.number, layout, samples, optimizer)
        scores = None if evaluate is None else training.evaluation(evaluate)
        while True:
            step = self.train(training.train, trainable=training.trainable, evaluate=scores)
            if step.over:
                training.load(step.parameters)
                return step
