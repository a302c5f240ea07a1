"""levee-worker: a worker from the command line."""

from __future__ import annotations

import argparse
import importlib
import pathlib
import sys
from typing import Any, List, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from .errors import LeveeError
from .gateway import is_gateway
from .logistic import LogisticGradient, logistic_scores
from .worker import Progress, Worker


def samples(file: str) -> Tuple[NDArray[Any], NDArray[Any]]:
    """Features and labels of an .npz with arrays `features` and `labels`, or of a CSV without header, label last."""
    try:
        if file.endswith(".npz"):
            with np.load(file, allow_pickle=False) as data:
                return data["features"], data["labels"]
        rows = np.loadtxt(file, delimiter=",", ndmin=2)
        return rows[:, :-1], rows[:, -1]
    except (OSError, ValueError, KeyError) as e:
        raise LeveeError(f"{file} has no samples that can be read: {' '.join(str(e).split())}") from e


def parser() -> argparse.ArgumentParser:
    """The options."""
    options = argparse.ArgumentParser(
        prog="levee-worker",
        description="A worker of a Levee run: logistic regression on --data, or a function of yours, --gradient MODULE:NAME.",
    )
    options.add_argument("--id", required=True, metavar="w3")
    where = options.add_mutually_exclusive_group(required=True)
    where.add_argument("--bootstrap-servers", metavar="HOST:9092", help="Kafka brokers, separated by commas")
    where.add_argument("--gateway", metavar="https://HOST:8443", help="a gateway (levee gateway) instead of Kafka")
    options.add_argument(
        "--account", metavar="DIR", help="directory of ID.token and gateway.pem for --gateway (default: that of --keys)"
    )
    options.add_argument("--run", default="levee", metavar="NAME", help="name of the run (default levee)")
    what = options.add_mutually_exclusive_group(required=True)
    what.add_argument("--data", metavar="FILE", help=".npz with features and labels, or CSV with the label last")
    what.add_argument(
        "--gradient", metavar="MODULE:NAME", help="a function of (parameters, round) that returns (gradient, loss)"
    )
    options.add_argument(
        "--evaluate",
        metavar="MODULE:NAME",
        help="a function of (parameters, round) that returns scores by name, if the job asks this worker; with --data,"
        " a file like it has test samples instead",
    )
    options.add_argument(
        "--keys", metavar="DIR", help="directory of ID.key, job.pub and s0.pub, … of several servers, if the run has keys"
    )
    options.add_argument("--state", type=pathlib.Path, metavar="FILE", help="where the last answer is kept (default RUN.ID.answer)")
    options.add_argument("--momentum", type=float, default=0.9, help="the job's worker momentum (default 0.9)")
    options.add_argument("--timeout", type=float, default=300, metavar="SECONDS", help="longest wait for a version (default 300)")
    options.add_argument("--resend", type=float, default=2, metavar="SECONDS", help="when an answer is sent again (default 2)")
    options.add_argument("--servers", type=int, default=1, metavar="N", help="how many servers the run has (default 1)")
    options.add_argument(
        "--byzantine-servers", type=int, default=0, metavar="F", help="how many of several may lie (default 0)"
    )
    options.add_argument(
        "--server-timeout", type=float, default=2, metavar="SECONDS", help="longest wait for a silent server (default 2)"
    )
    options.add_argument(
        "--worker-models",
        choices=("aggregate", "per-server"),
        default="aggregate",
        help="as the job's: one gradient for all servers (the default), or one for each at its own model",
    )
    return options


def function(text: str, option: str):  # type: ignore[no-untyped-def]
    """A function by its module and name."""
    module, _, name = text.partition(":")
    sys.path.insert(0, "")
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as e:
        raise LeveeError(f"{option} {text} is no MODULE:NAME that Python finds: {e}") from e


def say(progress: Progress) -> None:
    """One line for an answer."""
    print(f"version {progress.version}: loss {progress.loss:.4f}, {progress.seconds * 1000:.0f} ms", file=sys.stderr)


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs a worker until its run is over: 0 then, 1 if it cannot go on, 130 if it is interrupted."""
    options = parser().parse_args(arguments)
    state = options.state or pathlib.Path(f"{options.run}.{options.id}.answer")
    try:
        if options.gateway and not is_gateway(options.gateway):
            raise LeveeError(f"--gateway must be an address such as https://gateway.example:8443, got {options.gateway}")
        worker_gradient = function(options.gradient, "--gradient") if options.gradient else None
        data = samples(options.data) if options.data else None
        evaluate = None
        if options.evaluate:
            evaluate = (
                function(options.evaluate, "--evaluate") if data is None else logistic_scores(*samples(options.evaluate))
            )
        with Worker(
            options.id,
            options.gateway or options.bootstrap_servers,
            options.keys,
            run=options.run,
            state=state,
            momentum=options.momentum,
            timeout=options.timeout,
            resend=options.resend,
            progress=say,
            parameter_servers=options.servers,
            byzantine_servers=options.byzantine_servers,
            server_timeout=options.server_timeout,
            worker_models=options.worker_models,
            account=options.account,
        ) as worker:
            gradient = worker_gradient if data is None else LogisticGradient(*data, worker.number)
            step = worker.step(gradient, evaluate=evaluate)
            while not step.over:
                step = worker.step(gradient, evaluate=evaluate)
        print(f"The run is over with version {step.version}.", file=sys.stderr)
        return 0
    except LeveeError as e:
        print(f"levee-worker: {e}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted. Run the same command to continue where it stopped.", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
