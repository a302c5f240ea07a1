"""PyTorch modules as functions of one vector."""

from __future__ import annotations

from typing import Any, Callable, Iterator, List, Mapping, Optional, Tuple

import numpy as np
from numpy.typing import NDArray
import torch

from .errors import LeveeError
from .layout import Layout
from .device import LocalWork
from .worker import Round


class ModuleGradient:
    """Gradients of a module: its float32 parameters in the order of `named_parameters`, then its float32 buffers."""

    def __init__(
        self,
        module: torch.nn.Module,
        loss: Callable[[Any, Any], Any],
        loader: Any,
        worker: int,
        layout: Optional[Layout] = None,
    ):
        self._module = module
        self._loss = loss
        self._worker = worker
        self._loader = loader
        self._batches: Iterator[Any] = iter(())
        self._parameters = [p for p in module.parameters() if p.requires_grad]
        self._buffers = [b for b in module.buffers() if b.dtype == torch.float32]
        if layout is not None:
            self._order(layout)
        for parameter in self._parameters:
            if parameter.dtype != torch.float32:
                raise LeveeError(f"parameters have to be float32, the module has {parameter.dtype}")
        self.trainable = sum(p.numel() for p in self._parameters)
        self.size = self.trainable + sum(b.numel() for b in self._buffers)
        if self.trainable == 0:
            raise LeveeError("the module has no parameters to train")

    def _order(self, layout: Layout) -> None:
        """Takes the tensors in the order of a file, which has to have them all."""
        named = {n: p for n, p in self._module.named_parameters() if p.requires_grad}
        buffers = {n: b for n, b in self._module.named_buffers() if b.dtype == torch.float32}
        for name, tensor in [*named.items(), *buffers.items()]:
            if layout.shapes.get(name) != tuple(tensor.shape):
                raise LeveeError(
                    f"the module has {name} of shape {tuple(tensor.shape)}, the file has {layout.shapes.get(name)}"
                )
        unknown = [name for name in layout.shapes if name not in named and name not in buffers]
        if unknown:
            raise LeveeError(f"the file has {unknown[0]}, which the module does not train")
        self._parameters = [named[name] for name in layout.shapes if name in named]
        self._buffers = [buffers[name] for name in layout.shapes if name in buffers]

    def load(self, vector: NDArray[Any]) -> None:
        """Writes a vector into the module."""
        if len(vector) != self.size:
            raise LeveeError(f"the job's model has {len(vector)} parameters and buffers, but the module has {self.size}")
        at = 0
        with torch.no_grad():
            for tensor in [*self._parameters, *self._buffers]:
                part = torch.from_numpy(np.array(vector[at : at + tensor.numel()]))
                tensor.copy_(part.reshape(tensor.shape))
                at += tensor.numel()

    def __call__(self, vector: NDArray[Any], round: Round) -> Tuple[NDArray[Any], float]:
        self.load(vector)
        self._module.train()
        for parameter in self._parameters:
            parameter.grad = None
        inputs, targets = self._draw(round)
        device = self._parameters[0].device
        loss = self._loss(self._module(inputs.to(device)), targets.to(device))
        loss.backward()
        parts: List[NDArray[Any]] = []
        for parameter in self._parameters:
            gradient = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
            parts.append(gradient.detach().cpu().numpy().ravel())
        parts += [buffer.detach().cpu().numpy().ravel() for buffer in self._buffers]
        return np.concatenate(parts).astype(np.float32), float(loss.detach())

    def evaluation(self, test: Any) -> Callable[[NDArray[Any], Round], Mapping[str, float]]:
        """A function that says how the module does with a vector, on test samples or as a function of it tells."""

        def evaluate(vector: NDArray[Any], round: Round) -> Mapping[str, float]:
            self.load(vector)
            self._module.eval()
            with torch.no_grad():
                told: Mapping[str, float] = test(self._module) if callable(test) else self._scores(test)
                return told

        return evaluate

    def _scores(self, test: Any) -> Mapping[str, float]:
        device = self._parameters[0].device
        samples, loss, right, numbers, squares, errors = 0, 0.0, 0, 0, 0.0, 0.0
        classes = False
        for inputs, targets in _batches(test):
            outputs, targets = self._module(inputs.to(device)), targets.to(device)
            samples += len(inputs)
            loss += float(self._loss(outputs, targets)) * len(inputs)
            classes = not targets.is_floating_point()
            if classes:
                right += int((outputs.argmax(1) == targets).sum())
            else:
                difference = (outputs.reshape(targets.shape) - targets).double()
                numbers += difference.numel()
                squares += float((difference**2).sum())
                errors += float(difference.abs().sum())
        if samples == 0:
            raise LeveeError("there are no samples to evaluate")
        if classes:
            return {"samples": samples, "loss": loss / samples, "accuracy": right / samples}
        return {
            "samples": samples,
            "loss": loss / samples,
            "rmse": float(np.sqrt(squares / numbers)),
            "mae": errors / numbers,
        }

    def _draw(self, round: Round) -> Tuple[Any, Any]:
        loader = _dataset(self._loader)
        if hasattr(loader, "__getitem__") and hasattr(loader, "__len__"):
            drawn = np.random.default_rng((self._worker, round.version)).integers(len(loader), size=round.batch)
            pairs = [loader[int(i)] for i in drawn]
            return torch.stack([torch.as_tensor(x) for x, _ in pairs]), torch.stack([torch.as_tensor(y) for _, y in pairs])
        inputs: List[Any] = []
        targets: List[Any] = []
        while sum(len(x) for x in inputs) < round.batch:
            x, y = self._next_batch()
            inputs.append(x)
            targets.append(y)
        return torch.cat(inputs)[: round.batch], torch.cat(targets)[: round.batch]

    def _next_batch(self) -> Tuple[Any, Any]:
        try:
            x, y = next(self._batches)
        except StopIteration:
            self._batches = iter(self._loader)
            try:
                x, y = next(self._batches)
            except StopIteration:
                raise LeveeError("the loader has no batches: it has to give some each time it is iterated") from None
        return x, y


class ModuleTraining(ModuleGradient):
    """Local training of a module on the device's own samples."""

    def __init__(
        self,
        module: torch.nn.Module,
        loss: Callable[[Any, Any], Any],
        loader: Any,
        device: int,
        layout: Optional[Layout] = None,
        samples: Optional[int] = None,
        optimizer: Optional[Callable[[Any, LocalWork], torch.optim.Optimizer]] = None,
    ):
        super().__init__(module, loss, loader, device, layout)
        self._samples = _size(loader) if samples is None else samples
        self._make = optimizer or _optimizer
        self._kept: Optional[torch.optim.Optimizer] = None
        self._run = -1

    def train(self, vector: NDArray[Any], work: LocalWork) -> Tuple[NDArray[Any], float, int]:
        """The vector that the module comes to, the mean loss on the way, and the device's samples."""
        self.load(vector)
        self._module.train()
        start = [p.detach().clone() for p in self._parameters]
        kept = self._kept if self._run == work.run else None
        optimizer = self._make(self._parameters, work) if kept is None else kept
        self._kept, self._run = (optimizer if work.keep else None), work.run
        count, total = work.batches(self._samples), 0.0
        for inputs, targets in self._batches_of(work, count):
            optimizer.zero_grad()
            place = self._parameters[0].device
            loss = self._loss(self._module(inputs.to(place)), targets.to(place))
            loss.backward()
            if work.proximal:
                for parameter, begin in zip(self._parameters, start):
                    if parameter.grad is not None:
                        parameter.grad.add_(parameter.detach() - begin, alpha=work.proximal)
            optimizer.step()
            total += float(loss.detach())
        parts = [tensor.detach().cpu().numpy().ravel() for tensor in [*self._parameters, *self._buffers]]
        loss = total / count if count else float("nan")  # a device that only scores has trained on nothing
        return np.concatenate(parts).astype(np.float32), loss, self._samples

    def _batches_of(self, work: LocalWork, count: int) -> Iterator[Tuple[Any, Any]]:
        """Batches of a round: of samples in an order drawn for the round, pass by pass; of a loader as it gives them."""
        data = _dataset(self._loader)
        if not (hasattr(data, "__getitem__") and hasattr(data, "__len__")):
            for _ in range(count):
                yield self._next_batch()
            return
        draws = np.random.default_rng((self._worker, work.version))
        order: List[int] = []
        for _ in range(count):
            while len(order) < work.batch:
                order += draws.permutation(len(data)).tolist()
            pairs = [data[i] for i in order[: work.batch]]
            order = order[work.batch :]
            yield (
                torch.stack([torch.as_tensor(x) for x, _ in pairs]),
                torch.stack([torch.as_tensor(y) for _, y in pairs]),
            )


def _size(loader: Any) -> int:
    data = _dataset(getattr(loader, "dataset", loader))
    try:
        size = len(data)
    except TypeError:
        raise LeveeError("the loader does not say how many samples there are: give samples=") from None
    if size == 0:
        raise LeveeError("the device has no samples")
    return size


def _optimizer(parameters: Any, work: LocalWork) -> torch.optim.Optimizer:
    rate = work.learning_rate
    if work.optimizer == "sgd":
        return torch.optim.SGD(parameters, rate, momentum=work.momentum)
    if work.optimizer in ("adam", "adamw"):
        kind = torch.optim.Adam if work.optimizer == "adam" else torch.optim.AdamW
        return kind(parameters, rate, betas=(work.beta1, 0.999))
    if work.optimizer == "rmsprop":
        return torch.optim.RMSprop(parameters, rate, momentum=work.momentum)
    if work.optimizer == "adagrad":
        return torch.optim.Adagrad(parameters, rate)
    raise LeveeError(f"the job's --local-optimizer {work.optimizer} is not known here: give optimizer=")


_TEST_BATCH = 256  # samples that are evaluated at a time, if the user does not say


def _dataset(samples: Any) -> Any:
    """A tuple of inputs and targets as a Dataset; anything else as it is."""
    if isinstance(samples, (tuple, list)) and len(samples) == 2 and all(isinstance(t, torch.Tensor) for t in samples):
        return torch.utils.data.TensorDataset(*samples)
    return samples


def _batches(samples: Any) -> Any:
    """Batches of a Dataset; anything else gives batches itself."""
    data = _dataset(samples)
    if hasattr(data, "__getitem__") and hasattr(data, "__len__"):
        return torch.utils.data.DataLoader(data, batch_size=_TEST_BATCH)
    return data
