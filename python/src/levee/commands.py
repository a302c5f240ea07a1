"""Commands as functions, with the options of the command line. PythonCommandsTest generates this file."""

from __future__ import annotations

from typing import Any, Literal, Mapping, Optional, Sequence, Union

from .launch import PathLike, launch
from .run import Run, Simulation, Study


def train(
    *,
    data: Any = None,
    test_data: Any = None,
    data_options: Optional[Mapping[str, Any]] = None,
    config: Optional[PathLike] = None,
    dry_run: bool = False,
    overwrite: bool = False,
    detach: bool = False,
    queue: Union[bool, PathLike, None] = None,
    dataset: Optional[str] = None,
    partition: Optional[str] = None,
    model: Any = None,
    python: Optional[str] = None,
    device: Optional[str] = None,
    local_steps: Optional[int] = None,
    loss: Optional[str] = None,
    workers: Optional[int] = None,
    byzantine: Optional[Union[int, str]] = None,
    attackers: Optional[int] = None,
    attack: Optional[str] = None,
    aggregator: Optional[Union[str, Sequence[str]]] = None,
    coding: Optional[str] = None,
    combine: Optional[Literal["host"]] = None,
    oracle_batch: Optional[int] = None,
    rho: Optional[float] = None,
    topology: Optional[Literal["replicated", "decentralised", "crash-tolerant"]] = None,
    servers: Optional[int] = None,
    nodes: Optional[int] = None,
    byzantine_servers: Optional[int] = None,
    server_aggregator: Optional[str] = None,
    server_quorum: Optional[int] = None,
    server_attack: Optional[str] = None,
    server_attackers: Optional[int] = None,
    worker_models: Optional[Literal["aggregate", "per-server"]] = None,
    contract_every: Optional[int] = None,
    contract: Optional[str] = None,
    graph: Optional[str] = None,
    peers: Optional[str] = None,
    kill_server: Optional[str] = None,
    failover_timeout: Optional[str] = None,
    quorum: Optional[Union[int, str]] = None,
    staleness_bound: Optional[int] = None,
    transfers: Optional[Literal["ordered"]] = None,
    replica: Optional[float] = None,
    round_timeout: Optional[str] = None,
    non_finite: Optional[Literal["reject", "keep"]] = None,
    reputation: Optional[str] = None,
    rounds: Optional[int] = None,
    eval_interval: Optional[int] = None,
    batch_size: Optional[int] = None,
    micro_batch: Optional[int] = None,
    learning_rate: Optional[float] = None,
    schedule: Optional[str] = None,
    optimizer: Optional[Literal["sgd", "adam", "adamw", "rmsprop", "adagrad"]] = None,
    momentum: Optional[float] = None,
    momentum_side: Optional[Literal["server", "worker"]] = None,
    seed: Optional[int] = None,
    pipeline: Optional[str] = None,
    micro_batches: Optional[int] = None,
    pipeline_schedule: Optional[str] = None,
    recompute: bool = False,
    stage_memory: Optional[str] = None,
    elastic: Optional[str] = None,
    worker_memory: Optional[str] = None,
    target: Optional[str] = None,
    parallelism: Optional[int] = None,
    compute_threads: Optional[int] = None,
    control: Optional[str] = None,
    web_port: Optional[str] = None,
    prometheus_port: Optional[int] = None,
    prometheus_address: Optional[str] = None,
    checkpoint_interval: Optional[str] = None,
    checkpoint_dir: Optional[PathLike] = None,
    resume: Optional[PathLike] = None,
    output: Optional[PathLike] = None,
    audit: Optional[str] = None,
    tensorboard: Optional[PathLike] = None,
    mlflow: Optional[str] = None,
    mlflow_experiment: Optional[str] = None,
    show: bool = True,
) -> Run:
    """Train a model although some workers are Byzantine, and write a report.

    Args:
        data: Samples, in the place of dataset: a pair of NumPy arrays or tensors (X, y), where y of whole numbers or
            text are classes and y of other numbers are targets; a Dataset of PyTorch; a data frame of pandas with a
            column label or the labels last, or a pair of a frame and the name of its column.
        test_data: Samples to test on, of the same kind as data; a share of data is held out otherwise.
        data_options: Options of the data set's format, such as {"scale": "standard"}; docs/reference/datasets.md lists
            those of npz, which arrays become, and csv, which frames become.
        config: Read options from a YAML file.
        dry_run: Print the resolved options as YAML, readable by --config, and exit.
        overwrite: Write to --output even if it contains other files or the results of another run.
        detach: Return once the jobs are submitted to --target; levee attach reattaches to them.
        queue: Submit an elastic run to the allocator of --target, which starts it when there is room and may pause it.
            DIR is the allocator's --queue (default: .levee/queue). The command returns at once; levee queue shows the
            queue.
        dataset: cifar10:DIR, csv:FILE, idx:DIR, images:DIR, leaf:DIR, libsvm:FILE, npz:FILE, packed:DIR, parquet:PATH,
            python:FILE.py, strokes:, on any file system that Flink supports; levee datasets FORMAT prints the options
            of a format. [strokes:, or the data(id, of) of --model python:]
        partition: How samples are distributed to workers: iid, dirichlet(α), by-class, gamma(γ) or natural. [iid, or
            natural for --dataset python:]
        model: mnist-cnn, lenet, cifarnet, alexnet, resnet18, resnet50, vgg11, vgg19, densenet121, logistic, file:PATH
            (a TorchScript file) or python:PATH (a Python file). Also a path, a module that torch.jit.script can script,
            or a class or function of a .py file that makes a module. [mnist-cnn]
        python: Python interpreter with PyTorch for --model python:PATH, such as venv/bin/python. Every machine of the
            job must have it under this name. [python3]
        device: Where --model python:PATH computes: cpu, cuda (interpreters take the GPUs of their machine in turn) or
            cuda:N. [cpu]
        local_steps: Batches that a worker's own train() in --model python:PATH gets per round. [1]
        loss: Loss: cross-entropy, for classes; bce, for two classes or targets of 0 and 1; mse, mae, huber or
            huber(DELTA), for the targets that --dataset names with ?targets=; or module, the method loss(outputs,
            targets) of a TorchScript file. [cross-entropy]
        workers: Number of workers, n. [11]
        byzantine: Number of Byzantine workers that the rule must tolerate, f; or a share of the workers in a round,
            such as 20%, rounded down. [3]
        attackers: Number of workers that really attack: those with the highest ids. [--byzantine]
        attack: What attackers send: none, reversed, random, gaussian, dropped, drop, little-is-enough, fall-of-empires,
            sign-flip, equivocation, dissensus, mimic, min-max, min-sum, anti-cge, bulyan-attack,
            optimal-little-is-enough, optimal-fall-of-empires, nan, inf, silent, label-flip. levee rules explain lists
            the parameters, which follow in parentheses. [random]
        aggregator: Aggregation rule: average, median, trimmed-mean, meamed, phocas, geometric-median,
            centered-clipping, clipped-gossip, krum, multi-krum, bulyan, mda, smea, caf, flag, monna, aksel, dnc,
            sign-guard, clipped-clustering, cge, norm-threshold, zeno, zeno++. Pre-aggregations may precede it: clip,
            nnm, bucketing, arc, as in "clip(2) | nnm | trimmed-mean". See levee rules explain. Repeat the option to
            train with several rules side by side. [multi-krum and average]
        coding: Let each worker compute s + 1 shares of the data and send one combination, so that any n − s answers
            give the mean gradient of all shares: fractional(s), to the bit and with f liars if s ≥ 2f; cyclic(s), up to
            rounding; or approximate(s), which goes on with fewer answers. The defaults are then --aggregator average,
            --byzantine 0, --momentum-side server and --quorum n − s + 2f. [none]
        combine: host: the workers of a TaskManager add their gradients up, so that one record a block leaves it instead
            of one a worker. For rules that average; the defaults are then --aggregator average and --byzantine 0.
            [none]
        oracle_batch: Batch of held-out samples (a tenth of the training set that no worker gets) on which a rule such
            as zeno scores the gradients of a round. [100 for zeno]
        rho: Weight of the gradient's squared norm in the score of zeno. [0.0005 for zeno]
        topology: replicated: each worker answers several servers, some of which may be Byzantine; decentralised: each
            node is worker and server; crash-tolerant: each worker answers several servers and follows the first that
            has not crashed. [one server]
        servers: Number of parameter servers of a replicated or crash-tolerant run. [1]
        nodes: Number of nodes of a decentralized run; replaces --workers. [--workers]
        byzantine_servers: Number of Byzantine servers or nodes that the rule for models must tolerate. [0; --byzantine
            of a decentralized run]
        server_aggregator: Rule that combines models, at servers and at workers that read several. [median]
        server_quorum: Number of models that closes an exchange, including the server's or node's own, and that a worker
            combines. Fewer than exist makes exchanges asynchronous. [--servers; --nodes of a decentralized run]
        server_attack: What Byzantine servers send instead of their models: an attack, as for workers. [none]
        server_attackers: Number of servers that really attack: those with the highest ids; of crash-tolerant servers
            those with the lowest, which workers read. [--byzantine-servers; --attackers on a graph]
        worker_models: What workers do with several servers: aggregate combines their models and answers all with one
            gradient; per-server computes a gradient for each. [aggregate]
        contract_every: Rounds between exchanges of models. [1]
        contract: Number of exchanges of aggregates before each step, which reduce disagreement where data differ: a
            number, or log for ⌈log₂(t + 1)⌉ in round t. [0]
        graph: Communication graph. Each node steps along its own gradient only and combines its neighbors' models by
            --aggregator: complete, ring, torus, star, random-regular(k), erdos-renyi(p), or pull(s) for s nodes drawn
            anew each time. [all nodes, which also receive all gradients]
        peers: Which neighbors on the --graph a node reads: all, or pull(s) for s drawn anew each time. Without a graph,
            all other nodes are neighbors. [all]
        kill_server: Servers of a crash-tolerant run to crash on purpose, such as 0@round:200, separated by commas.
            [none]
        failover_timeout: How long workers wait for the server that they read once others offer a newer model. [2s]
        quorum: Number of gradients that closes a round; fewer than --workers makes rounds asynchronous. Or a share of
            the workers in a round, such as 80%, rounded up. [--workers]
        staleness_bound: Let rounds take gradients on models up to S versions old, so that workers wait for nobody. The
            defaults are then --aggregator average, --byzantine 0 and --quorum 1. [0]
        transfers: ordered: with --staleness-bound, a worker announces a gradient and sends it when asked. The gradient
            that arrives soonest goes first, and one that would be too old when it arrived is not sent. [gradients are
            sent when they are ready]
        replica: Keep a replica of the server in another TaskManager, whose model is at most D (Euclidean distance) from
            the server's. It goes on in the server's place when that is lost. 0 sends it every update. [none]
        round_timeout: How long a round waits for missing gradients; a worker that misses it has failed in that round.
            [unlimited]
        non_finite: reject treats gradients with NaN or infinity as proven faults; keep passes them to the rule.
            [reject]
        reputation: Exclude a worker for ROUNDS rounds after K proven faults, and again after each later one, such as
            3:100. Proven faults are NaN or infinity, a block of the wrong size and, over Kafka, two signed blocks that
            differ. [no worker is excluded]
        rounds: Number of rounds. [500]
        eval_interval: Rounds between evaluations on the test set. [50]
        batch_size: Samples per worker and round. [100]
        micro_batch: Samples per pass: a larger batch is computed in several passes, with the memory of one.
            [--batch-size]
        learning_rate: Step size before the schedule. [0.2]
        schedule: constant, step(every=1000, factor=0.1), exponential(decay=0.999), inverse(decay=0.01), cosine, or
            warmup(rounds=100) | any of these. [constant]
        optimizer: sgd, adam, adamw, rmsprop or adagrad. [sgd]
        momentum: Momentum factor; 0 for none. [0.9]
        momentum_side: Who keeps the momentum: worker, which prevents small deviations from adding up, or server.
            [worker]
        seed: Seed of all random choices. [1]
        pipeline: Cut the model of each worker into stages of neighboring layers, which run in different slots: a number
            of stages, which are then balanced by measured times, or the plan that levee place --json has written. [each
            worker has the whole model]
        micro_batches: Number of micro-batches into which each batch is cut. Several stages work at a time only if there
            are several. [the number of stages, or the plan's]
        pipeline_schedule: Order of micro-batches: gpipe, all forward passes before all backward passes, or 1f1b,
            alternating, which holds the activations of fewer. Does not change the model. [1f1b, or the plan's]
        recompute: Keep only the inputs of a stage between the two passes of a micro-batch, and compute the rest again.
            Does not change the model.
        stage_memory: Memory that the tensors of a stage may take, such as 300m; a pipeline that needs more is refused.
            [no limit, or the plan's devices]
        elastic: Let levee allocate change the batch and the number of workers, which starts at --workers:
            min=1,max=8,max-batch=512, where max-batch is samples per round over all workers. scaling=adascale, linear
            or sqrt sets the value of a larger batch and how the learning rate follows. [off]
        worker_memory: Memory that one gradient of an elastic run may take, such as 512m; a batch that takes more is
            halved. [no limit]
        target: REST address of a Flink cluster to submit to. [an embedded cluster]
        parallelism: Parallelism of each operator. [processors, or the cluster's free slots]
        compute_threads: Gradients that each subtask computes at the same time. [processors divided by --parallelism, or
            1 on a cluster]
        control: File in which levee allocate sets the batch of an elastic run; both must be able to access it.
            [control.json in --output]
        web_port: Ports to try for the web UI of the embedded cluster. [8081-8181]
        prometheus_port: Serve the embedded cluster's Prometheus metrics on this port. [off]
        prometheus_address: Address on which --prometheus-port listens; 0.0.0.0 for all. [127.0.0.1]
        checkpoint_interval: Time between checkpoints. [10s]
        checkpoint_dir: Directory for checkpoints, on any file system. [checkpoints in --output]
        resume: Continue from a savepoint, a checkpoint, or the newest checkpoint in a directory.
        output: Directory for summary.json, metrics.csv, report.html and the model. With several rules, the second and
            later ones get subdirectories. [levee-runs/<time>-<rule>]
        audit: Write audit.jsonl, a hash-chained and signed log of all rounds, which levee audit checks. new makes an
            Ed25519 key for this run; a directory has job.key and job.pub, from levee keys generate job. [no log]
        tensorboard: Write the curves for TensorBoard to this local directory.
        mlflow: Log options, curves and scores to this MLflow server.
        mlflow_experiment: MLflow experiment; it is created if it does not exist. [levee]
        show: Whether what the command says is printed while it runs; the result has it in said.

    Raises:
        LeveeError: if an option is wrong, or the command fails; one sentence.
    """
    return launch("train", locals())


def federate(
    *,
    data: Any = None,
    test_data: Any = None,
    data_options: Optional[Mapping[str, Any]] = None,
    config: Optional[PathLike] = None,
    dry_run: bool = False,
    overwrite: bool = False,
    detach: bool = False,
    new: bool = False,
    algorithm: Optional[Literal["fedavg", "fedprox", "fednova", "q-fedavg", "scaffold", "feddyn", "fedavgm", "fedadam", "fedyogi", "fedadagrad", "diloco", "slsgd", "fedasync", "fedbuff", "zeno++", "cser", "adaalter", "fegan", "fl-vanilla", "mdgan"]] = None,
    dataset: Optional[str] = None,
    partition: Optional[str] = None,
    model: Any = None,
    python: Optional[str] = None,
    device: Optional[str] = None,
    loss: Optional[str] = None,
    gan: Optional[str] = None,
    score_network: Optional[PathLike] = None,
    devices: Optional[int] = None,
    per_round: Optional[int] = None,
    sampling: Optional[Union[str, Sequence[str]]] = None,
    most_samples: Optional[int] = None,
    capability: Optional[str] = None,
    weighting: Optional[Literal["equal", "samples", "kl", "kl-unscaled", "kl-code"]] = None,
    speed: Optional[str] = None,
    available: Optional[float] = None,
    buffer: Optional[int] = None,
    staleness_weight: Optional[str] = None,
    max_staleness: Optional[int] = None,
    replay: Optional[PathLike] = None,
    slices: Optional[int] = None,
    reset_every: Optional[int] = None,
    reset_slices: Optional[int] = None,
    swap_every: Optional[int] = None,
    local_steps: Optional[int] = None,
    local_epochs: Optional[float] = None,
    load: Optional[Literal["equal", "capability"]] = None,
    batch_size: Optional[int] = None,
    learning_rate: Optional[float] = None,
    schedule: Optional[str] = None,
    local_optimizer: Optional[Literal["sgd", "adam", "adamw", "rmsprop", "adagrad", "adaalter"]] = None,
    local_momentum: Optional[float] = None,
    local_beta1: Optional[float] = None,
    local_epsilon: Optional[float] = None,
    local_state: Optional[Literal["reset", "keep", "average"]] = None,
    proximal: Optional[float] = None,
    correction: Optional[str] = None,
    averaging: Optional[str] = None,
    aggregator: Optional[str] = None,
    byzantine: Optional[int] = None,
    oracle_batch: Optional[int] = None,
    oracle_every: Optional[int] = None,
    server_step: Optional[str] = None,
    server_rate: Optional[float] = None,
    attackers: Optional[int] = None,
    attack: Optional[str] = None,
    dp_clip: Optional[float] = None,
    dp_noise: Optional[float] = None,
    dp_delta: Optional[float] = None,
    secure_sum: bool = False,
    deadline: Optional[str] = None,
    min_devices: Optional[int] = None,
    round_timeout: Optional[str] = None,
    non_finite: Optional[Literal["reject", "keep"]] = None,
    rounds: Optional[int] = None,
    eval_interval: Optional[int] = None,
    seed: Optional[int] = None,
    bootstrap_servers: Optional[str] = None,
    kafka_config: Optional[PathLike] = None,
    run: Optional[str] = None,
    keys: Optional[PathLike] = None,
    unsigned: bool = False,
    partitions: Optional[int] = None,
    replication: Optional[int] = None,
    compression: Optional[Literal["none", "lz4", "zstd", "snappy", "gzip"]] = None,
    gradient_retention: Optional[str] = None,
    target: Optional[str] = None,
    parallelism: Optional[int] = None,
    compute_threads: Optional[int] = None,
    web_port: Optional[str] = None,
    prometheus_port: Optional[int] = None,
    prometheus_address: Optional[str] = None,
    checkpoint_interval: Optional[str] = None,
    checkpoint_dir: Optional[PathLike] = None,
    resume: Optional[PathLike] = None,
    output: Optional[PathLike] = None,
    audit: Optional[str] = None,
    tensorboard: Optional[PathLike] = None,
    mlflow: Optional[str] = None,
    mlflow_experiment: Optional[str] = None,
    show: bool = True,
) -> Run:
    """Train a model over many devices. Each round asks some of them, which train on their own data and send the change.
    Devices are part of the job or, with --bootstrap-servers, separate processes.

    Args:
        data: Samples, in the place of dataset: a pair of NumPy arrays or tensors (X, y), where y of whole numbers or
            text are classes and y of other numbers are targets; a Dataset of PyTorch; a data frame of pandas with a
            column label or the labels last, or a pair of a frame and the name of its column.
        test_data: Samples to test on, of the same kind as data; a share of data is held out otherwise.
        data_options: Options of the data set's format, such as {"scale": "standard"}; docs/reference/datasets.md lists
            those of npz, which arrays become, and csv, which frames become.
        config: Read options from a YAML file.
        dry_run: Print the resolved options as YAML, readable by --config, and exit.
        overwrite: Write to --output even if it contains other files or the results of another run.
        detach: Return once the jobs are submitted to --target; levee attach reattaches to them.
        new: With --bootstrap-servers: start a new run even if versions have been published.
        algorithm: One of fedavg, fedprox, fednova, q-fedavg, scaffold, feddyn, fedavgm, fedadam, fedyogi, fedadagrad,
            diloco, slsgd, fedasync, fedbuff, zeno++, cser, adaalter, fegan, fl-vanilla, mdgan. It sets defaults of the
            options below, each of which can be overridden; --dry-run prints them. [fedavg, or fegan with --gan]
        dataset: strokes:, idx:DIR, cifar10:DIR, libsvm:FILE or images:DIR, on any file system that Flink supports.
            [strokes:, or the data(id, of) of --model python:]
        partition: How samples are distributed to devices: iid, dirichlet(α), by-class, gamma(γ), or
            fegan(max_class=C,max_samples=S), whose devices overlap. [fegan(max_class=4,max_samples=100), iid for
            diloco, cser, adaalter and mdgan, or natural for --dataset python:]
        model: mnist-cnn, lenet, cifarnet, resnet18, resnet50, logistic, file:PATH (a TorchScript file) or python:PATH
            (a Python file). Also a path, a module that torch.jit.script can script, or a class or function of a .py
            file that makes a module. [mnist-cnn, or that of --gan]
        python: Python interpreter with PyTorch for --model python:PATH, such as venv/bin/python. Every machine of the
            job must have it under this name. [python3]
        device: Where --model python:PATH computes: cpu, cuda (interpreters take the GPUs of their machine in turn) or
            cuda:N. [cpu]
        loss: Loss: cross-entropy or bce, for classes; bce, mse, mae, huber or huber(DELTA), for the targets that
            --dataset names with ?targets=; or module, the method loss(outputs, targets) of a TorchScript file.
            [cross-entropy, or that of --gan]
        gan: Train a generator of images and its discriminator: lsgan or upsample-dcgan, optionally with
            :width=N,latent=N,loss=squares|cross-entropy; or your own TorchScript files,
            files:generator=PATH,discriminator=PATH,latent=N. [off, or lsgan for fegan, fl-vanilla and mdgan]
        score_network: With --gan: TorchScript file that maps images with pixels from 0 to 1 to one vector each, by
            which images are compared. [a small classifier, trained on the same data]
        devices: Number of devices. [80, or 4 for diloco, cser, adaalter and mdgan]
        per_round: Devices asked per round; without a barrier, a tenth train at the same time. [a fortieth of --devices,
            a tenth, or all for diloco, cser, adaalter and mdgan]
        sampling: How devices are sampled: uniform, poisson, balanced, balanced-repeating or capability. Repeat the
            option to train with several samplings side by side. [balanced and uniform, balanced for fegan, or uniform
            for fl-vanilla and where a round asks all]
        most_samples: Over Kafka: devices have their own data, which the job does not know, and may claim at most this
            many samples. Without it, they have what --partition deals and may claim nothing else. [off]
        capability: Computing speed of devices for --sampling capability and --load capability: equal, uniform(LOW,
            HIGH) or lognormal(SIGMA), drawn by seed. [equal]
        weighting: Weight of a device: equal, samples, kl, kl-unscaled or kl-code. [samples, kl for fegan, or equal for
            fl-vanilla, mdgan and rules that take no weights]
        speed: How long devices take in virtual time, where a batch takes one second at speed 1: equal, uniform(LOW,
            HIGH) or lognormal(SIGMA), drawn by seed. wall uses the real time. [off, or lognormal(1) without a barrier,
            over Kafka wall]
        available: Share of the virtual time in which a device is available; a device that is away starts later. [1 with
            --speed]
        buffer: Number of contributions that make a new version of the model. [1 for fedasync and zeno++, half of
            --per-round for fedbuff]
        staleness_weight: Weight of a contribution by its staleness, the number of versions made since the one it
            answers: constant, polynomial(A) or hinge(A, B). [polynomial(0.5), or constant for zeno++]
        max_staleness: Contributions with greater staleness are dropped. [20]
        replay: Replay a run over Kafka inside the job, from its decisions.csv and the same options, with bit-identical
            results. [off]
        slices: Number of slices of the model; a round synchronizes one. Changes elsewhere stay on the device. [off, or
            8 for cser]
        reset_every: Rounds after which a larger slice is synchronized instead. [--slices over --reset-slices]
        reset_slices: Number of larger slices of the model. [2 with --slices]
        swap_every: With --gan: train only discriminators on the devices, where they stay; they change places after this
            many rounds. [off, or 20 for mdgan]
        local_steps: Batches that a device processes in a round. [30, 500 for diloco, 8 for adaalter, or 1 for cser,
            zeno++ and mdgan]
        local_epochs: Passes over the device's samples in a round, in whole batches; replaces --local-steps. [off]
        load: Batches per device: equal, or capability, which makes them linear in the device's capability. [equal]
        batch_size: Samples per batch. [50]
        learning_rate: The device's step size before the schedule. [0.05, 0.0004 for diloco, 0.5 for adaalter, or 0.0002
            for generators]
        schedule: The device's step size by round: constant, step(every=1000, factor=0.1), exponential(decay=0.999),
            inverse(decay=0.01), cosine, or warmup(rounds=100) | any of these. [constant]
        local_optimizer: The device's optimizer: sgd, adam, adamw, rmsprop, adagrad or adaalter. [sgd, adamw for diloco,
            adam for generators, or that of adaalter]
        local_momentum: Momentum factor of sgd and rmsprop on the device; 0 for none. [0]
        local_beta1: β₁ of adam and adamw on the device. [0.9, or 0.5 with --gan]
        local_epsilon: ε of adaalter on the device, whose square root is the smallest divisor. [1 with adaalter]
        local_state: What happens to the device's optimizer state after a round: reset it, keep it on the device, or
            average it over devices like the model. [reset, keep for diloco, cser, fegan, fl-vanilla and mdgan, or
            average for adaalter]
        proximal: Factor of the proximal term, which keeps a device's model near the server's. [0, or 0.01 for fedprox]
        correction: What a device adds to its gradients against drift: none, control-variates, of which it keeps its
            own, or dynamic(ALPHA), FedDyn's regularizer. [none, control-variates for scaffold, or dynamic(0.1) for
            feddyn]
        averaging: How a device scales its change before it is averaged: plain, normalized by the number of its steps,
            or fair(Q), by its loss to the power of Q. [plain, normalized for fednova, or fair(1) for q-fedavg]
        aggregator: Aggregation rule or pipeline, such as "clip(2) | nnm | trimmed-mean". [average, trimmed-mean for
            slsgd, or zeno++]
        byzantine: Number of Byzantine devices per round that the rule must tolerate, f. [0]
        oracle_batch: Batch of held-out samples (a tenth of the training set that no device gets) on which a rule such
            as zeno++ scores contributions. [100 for rules that need scores]
        oracle_every: Number of versions for which zeno++ uses the same gradient of the server. [10 for zeno++ without a
            barrier]
        server_step: The server's optimizer: sgd, momentum(MU), nesterov(MU), adam(BETA1, BETA2, TAU), yogi(…),
            adagrad(BETA1, TAU), or mix, which mixes in the devices' models. [sgd, or that of --algorithm]
        server_rate: The server's step size; with sgd, the share of the devices' mean that is mixed into the model. [1,
            or that of --algorithm]
        attackers: Number of devices that really attack: those with the highest ids. [--byzantine with --attack]
        attack: What attackers send: none, reversed, random, gaussian, dropped, drop, little-is-enough, fall-of-empires,
            sign-flip, equivocation, dissensus, mimic, min-max, min-sum, anti-cge, bulyan-attack,
            optimal-little-is-enough, optimal-fall-of-empires, nan, inf, silent, label-flip. [none]
        dp_clip: Norm to which contributions are clipped. [off]
        dp_noise: Standard deviation of the noise on the sum of a round, in units of --dp-clip. Only --sampling poisson
            amplifies privacy. [off]
        dp_delta: Probability δ with which the privacy bound may fail. [0.00001 with --dp-noise]
        secure_sum: With --bootstrap-servers: devices mask their contributions so that only the sum of a round can be
            read.
        deadline: How long a round is open. It then continues with the devices that have answered; the others are late.
            With --speed, the time is virtual and may be adaptive(K): the median of the devices' times plus K median
            deviations; K is 3 by default. [wait for all]
        min_devices: Contributions that a round waits for even after --deadline. [1 with --deadline or --speed]
        round_timeout: How long a round waits for missing devices; a device that misses it has failed in that round and
            counts toward --byzantine. [unlimited]
        non_finite: reject treats contributions with NaN or infinity as proven faults; keep passes them to the rule.
            [reject, or keep for rules that reject such rows themselves]
        rounds: Number of rounds. [100, 10 for diloco, 400 for mdgan, or 40 with --gan]
        eval_interval: Rounds between evaluations on the test set. [a twentieth of --rounds, or a tenth with --gan]
        seed: Seed of all random choices. [1]
        bootstrap_servers: Kafka brokers to connect to first, separated by commas. Devices are then processes of their
            own (levee device).
        kafka_config: Properties file for the Kafka clients, for example with TLS and SASL settings.
        run: Name of the run; its topics are NAME.models, NAME.gradients and NAME.states. [levee]
        keys: Directory of the keys: job.key and the devices' w0.pub, w1.pub, … [keys]
        unsigned: Run without keys: anyone who can write to the topic can send as any device.
        partitions: Partitions of each topic that is created. [blocks of the model, at most 8]
        replication: Replication factor of each topic that is created. [the brokers' default]
        compression: Compression of models: none, lz4, zstd, snappy or gzip. [none]
        gradient_retention: How long a topic that is created keeps gradients. [10min]
        target: REST address of a Flink cluster to submit to. [an embedded cluster]
        parallelism: Parallelism of each operator. [processors, or the cluster's free slots]
        compute_threads: Gradients that each subtask computes at the same time. [processors divided by --parallelism, or
            1 on a cluster]
        web_port: Ports to try for the web UI of the embedded cluster. [8081-8181]
        prometheus_port: Serve the embedded cluster's Prometheus metrics on this port. [off]
        prometheus_address: Address on which --prometheus-port listens; 0.0.0.0 for all. [127.0.0.1]
        checkpoint_interval: Time between checkpoints. [10s]
        checkpoint_dir: Directory for checkpoints, on any file system. [checkpoints in --output]
        resume: Continue from a savepoint, a checkpoint, or the newest checkpoint in a directory.
        output: Directory for summary.json, metrics.csv, report.html and the model. With several samplings, the second
            and later ones get subdirectories. [levee-runs/<time>-<rule>]
        audit: Write audit.jsonl, a hash-chained and signed log of all rounds, which levee audit checks. new makes an
            Ed25519 key for this run; a directory has job.key and job.pub, from levee keys generate job. [no log]
        tensorboard: Write the curves for TensorBoard to this local directory.
        mlflow: Log options, curves and scores to this MLflow server.
        mlflow_experiment: MLflow experiment; it is created if it does not exist. [levee]
        show: Whether what the command says is printed while it runs; the result has it in said.

    Raises:
        LeveeError: if an option is wrong, or the command fails; one sentence.
    """
    return launch("federate", locals())


def finetune(
    *,
    training: Optional[Mapping[str, Any]] = None,
    config: Optional[PathLike] = None,
    dataset: Optional[str] = None,
    network: Optional[str] = None,
    weights: Optional[PathLike] = None,
    image_size: Optional[int] = None,
    scaling: Optional[str] = None,
    freeze: Optional[int] = None,
    classes: Optional[int] = None,
    max_bad_images: Optional[int] = None,
    seed: Optional[int] = None,
    augment: Optional[int] = None,
    split: Optional[str] = None,
    split_rule: Optional[str] = None,
    baseline: bool = False,
    encoding: Optional[Literal["exact", "float16", "int8"]] = None,
    images_per_request: Optional[int] = None,
    micro_batch: Optional[int] = None,
    storage: Optional[str] = None,
    tenant: Optional[str] = None,
    storage_patience: Optional[str] = None,
    bandwidth: Optional[str] = None,
    link_rate: Optional[str] = None,
    storage_slots: Optional[int] = None,
    memory: Optional[str] = None,
    batch_size: Optional[int] = None,
    keep_features: Optional[str] = None,
    output: Optional[PathLike] = None,
    show: bool = True,
) -> Run:
    """Fine-tune a network on packed images: the first layers run next to the object store, features cross the link, and
    the last layers are trained here.

    Args:
        training: Options of train for the training of the last layers, such as {"workers": 5, "aggregator": "krum"}.
        config: Read options from a YAML file.
        dataset: Packed images, as levee pack writes them, such as s3a://levee/flowers. Without it, a demo runs with
            digits, a local S3 server and a slow link.
        network: alexnet, resnet18, resnet50, vgg11, vgg19, densenet121, cifarnet, or file:PATH, a list of your own
            layers. [resnet18]
        weights: Pre-trained weights in safetensors or npz format. [initial values]
        image_size: Height and width of the network's input. [224]
        scaling: Pixel scaling: imagenet, by ImageNet's means and deviations per channel, or unit, from 0 to 1.
            [imagenet]
        freeze: Last layer that is not trained. [that of the paper]
        classes: Number of classes that the images must have. [those of the images]
        max_bad_images: Number of images that may be undecodable. [0]
        seed: Seed of initial values and of --augment. [1]
        augment: Train on this many views of each image, cropped and mirrored at random; a fifth of the images is held
            out for the test. [0]
        split: Where to split the network: auto, none, all, or the last layer that runs next to the store. [auto]
        split_rule: What --split auto minimizes: cost (predicted time) or thesis (HAPI's algorithm 2). [cost]
        baseline: Also run without a split, with all stored images crossing the link, and compare.
        encoding: Encoding of features on the link: exact; float16, relative error up to 2^-11; int8, error up to 1/254
            of the image's largest value. [exact]
        images_per_request: Images per request; a request reads one object. [1000]
        micro_batch: Images that pass through the layers together. [8]
        storage: Storage tier, as levee storage serve prints it: tcp://HOST:PORT, several separated by commas. [inside
            this process]
        tenant: Name of this client among those that share a storage tier. [that of the network]
        storage_patience: How long to wait for an answer before the run fails. [2m]
        bandwidth: Limit the link to this many bits per second in each direction, such as 50M. [not limited]
        link_rate: Bandwidth of an unlimited link that --split auto assumes at first; it is then measured. [fast]
        storage_slots: Requests that the storage tier computes at the same time. [1]
        memory: Memory of a storage tier inside this process, such as 2g. [1g]
        batch_size: Batch size for training the last layers. [that of levee train]
        keep_features: Space for features that are kept for the next run: all, off, or a size such as 2g. Larger
            features are deleted after training. [all]
        output: Folder for the features (see --keep-features) and, in run/, the training run. [finetune]
        show: Whether what the command says is printed while it runs; the result has it in said.

    Raises:
        LeveeError: if an option is wrong, or the command fails; one sentence.
    """
    return launch("finetune", locals())


def study(
    grid: Union[PathLike, Mapping[str, Any]],
    *,
    dry_run: bool = False,
    overwrite: bool = False,
    detach: bool = False,
    target: Optional[str] = None,
    parallelism: Optional[int] = None,
    web_port: Optional[str] = None,
    prometheus_port: Optional[int] = None,
    prometheus_address: Optional[str] = None,
    output: Optional[PathLike] = None,
    show: bool = True,
) -> Study:
    """Train every combination of rules, attacks and other options in one job, and write heat maps, curves and tables.

    Args:
        grid: A file of options, of which any may have several values; or these options as a dictionary, such as
            {"aggregator": ["median", "krum"], "learning-rate": [0.1, 0.5]}.
        dry_run: Print the number of cells, those that would fail and an estimate of the time, and exit.
        overwrite: Write to --output even if it contains files of others.
        detach: Return as soon as the job is submitted to --target; levee attach follows it and writes the report.
        target: REST address of a Flink cluster to submit to. [an embedded cluster]
        parallelism: Parallelism of each operator. [processors, or the cluster's free slots]
        web_port: Ports to try for the web UI of the embedded cluster. [8081-8181]
        prometheus_port: Serve the embedded cluster's Prometheus metrics on this port. [off]
        prometheus_address: Address on which --prometheus-port listens; 0.0.0.0 for all. [127.0.0.1]
        output: Directory for report.html, cells.csv, table.tex and the cells. Give the same one again to go on: cells
            that are there are not repeated. [levee-runs/<time>-study]
        show: Whether what the command says is printed while it runs; the result has it in said.

    Raises:
        LeveeError: if an option is wrong, or the command fails; one sentence.
    """
    return launch("study", locals())


def simulate(
    *,
    workload: Optional[Union[str, Sequence[str]]] = None,
    traces: Optional[PathLike] = None,
    schedule: Optional[str] = None,
    interval: Optional[str] = None,
    jobs: Optional[int] = None,
    sync_cost: Optional[float] = None,
    noise_scale: Optional[float] = None,
    start_batch: Optional[str] = None,
    seed: Optional[int] = None,
    policy: Optional[Union[str, Sequence[str]]] = None,
    cluster: Optional[str] = None,
    measure_every: Optional[str] = None,
    decide_every: Optional[str] = None,
    pause: Optional[str] = None,
    longest_wait: Optional[str] = None,
    slowdown: bool = False,
    output: Optional[PathLike] = None,
    overwrite: bool = False,
    coding: Optional[PathLike] = None,
    fast_share: Optional[float] = None,
    fast_speed: Optional[float] = None,
    json: bool = False,
    show: bool = True,
) -> Simulation:
    """Simulate how training jobs share a cluster, and compare policies.

    Args:
        workload: Workload files of the Pollux artifact; may be repeated (default: synthetic jobs, drawn at random).
        traces: The artifact's measurements, one folder per application (default: traces beside the workload's folder).
        schedule: Arrival of jobs: csv (default with a file), poisson (default without), all-at-once or fixed.
        interval: Time between arrivals: the mean for poisson, exact for fixed (default: 2min).
        jobs: Number of synthetic jobs (default: 60).
        sync_cost: Cost of additional workers for synthetic jobs; 0 is free (default: 1).
        noise_scale: Gradient noise scale of synthetic jobs, above which a larger batch adds little (default: all
            samples count fully).
        start_batch: Batch per worker of elastic jobs from a file: requested, a worker's share of the file's batch, or
            initial, the smallest validated one (default: requested). Policies that choose the batch by its value start
            from the smallest; with requested, only ncf keeps its own, as in the artifact.
        seed: Seed of all random choices (default: 1).
        policy: Policies, separated by commas or repeated (default: static,autoscaler,afs-p,era,era-curve,era-goodput).
        cluster: Size of the cluster (default: 16x4), or of its parts if nodes differ in speed, such as 8x4,8x4@0.5.
        measure_every: Time between measurements (default: 2min).
        decide_every: Time between decisions (default: 4min); the published results for Pollux's workloads use 60s.
        pause: How long a job stops when it starts or its number of workers changes (default: 30s).
        longest_wait: A suspended job runs again after this time at the latest (default: no limit); 0s suspends none.
            For policies that suspend jobs.
        slowdown: Also simulate each job alone, and print the largest slowdown that sharing causes.
        output: Folder for summary.json, jobs.csv and report.html. [levee-runs/<time>-<command>]
        overwrite: Write to --output even if it is not empty.
        coding: Instead, fit shifted exponential delays to the rounds of a run, a folder with metrics.csv, and print how
            long rounds would take on average with quorums, gradient codes, coded products and copies. --output DIR gets
            a report.html with a picture of it.
        fast_share: With --coding: probability of a worker to be fast, in the columns of two speeds (default: 0.5).
        fast_speed: With --coding: how many times faster that is; it takes X³ times the power (default: 2.0).
        json: Print the forecast of --coding as a line of JSON.
        show: Whether what the command says is printed while it runs; the result has it in said.

    Raises:
        LeveeError: if an option is wrong, or the command fails; one sentence.
    """
    return launch("simulate", locals())

