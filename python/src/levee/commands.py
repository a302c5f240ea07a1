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
    partition_seed: Optional[int] = None,
    partition_among: Optional[Literal["all", "honest"]] = None,
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
    combine: Optional[str] = None,
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
    weight_decay: Optional[float] = None,
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
    """Train a model that tolerates Byzantine workers, and write a report.

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
            DIR is the allocator's --queue (default: .levee/queue).
        dataset: cifar10:DIR, csv:FILE, idx:DIR, images:DIR, leaf:DIR, libsvm:FILE, npz:FILE, packed:DIR, parquet:PATH,
            python:FILE.py, strokes:, on any file system that Flink supports; levee datasets FORMAT prints the options
            of a format. [strokes:, or the data(id, of) of --model python:]
        partition: How samples are distributed to workers: iid, dirichlet(α), by-class, gamma(γ) or natural. [iid, or
            natural for --dataset python:]
        partition_seed: Seed of the partition, if it differs from --seed. [--seed]
        partition_among: Workers with samples of their own: all, or honest, where attackers hold copies of honest
            workers' samples. [all]
        model: mnist-cnn, lenet, cifarnet, alexnet, resnet18, resnet50, vgg11, vgg19, densenet121, logistic, layers:LIST
            (layers of your own), file:PATH (a TorchScript file) or python:PATH (a Python file). Also a path, a module
            that torch.jit.script can script, or a class or function of a .py file that makes a module. [mnist-cnn]
        python: Python interpreter for --model python:PATH, such as venv/bin/python, on every machine of the job.
            [python3]
        device: Where --model python:PATH computes: cpu, cuda (interpreters take the GPUs of their machine in turn) or
            cuda:N. [cpu]
        local_steps: Batches that a worker's own train() in --model python:PATH gets per round. [1]
        loss: cross-entropy for classes; bce for two classes or targets of 0 and 1; mse, mae, huber or huber(DELTA) for
            targets; or module, the method loss(outputs, targets) of a TorchScript file. [cross-entropy]
        workers: Number of workers, n. [11]
        byzantine: Byzantine workers that the rule must tolerate, f, or a share of the workers in a round, such as 20%,
            rounded down. [3]
        attackers: Workers that attack: those with the highest ids. [--byzantine]
        attack: What attackers send: none, reversed, random, gaussian, dropped, drop, little-is-enough, fall-of-empires,
            sign-flip, equivocation, dissensus, mimic, min-max, min-sum, anti-cge, bulyan-attack,
            optimal-little-is-enough, optimal-fall-of-empires, nan, inf, silent, label-flip, with parameters in
            parentheses (levee rules explain). [random]
        aggregator: Aggregation rule: average, median, trimmed-mean, meamed, phocas, geometric-median,
            centered-clipping, clipped-gossip, krum, multi-krum, bulyan, mda, smea, caf, flag, monna, aksel, dnc,
            sign-guard, clipped-clustering, cge, norm-threshold, zeno, zeno++. Pre-aggregations may precede it: clip,
            nnm, bucketing, arc, cap-weights, as in "clip(2) | nnm | trimmed-mean". Repeat the option to train with
            several rules side by side. [multi-krum and average]
        coding: Gradient code: each worker computes s + 1 shares of the data, and any n − s answers give the mean
            gradient. fractional(s) is exact to the bit, also with f Byzantine workers if s ≥ 2f; cyclic(s) is exact up
            to rounding; approximate(s) also works with fewer answers. [none]
        combine: host: each TaskManager sends the sum of its workers' gradients. tree(k): TaskManagers also add up the
            sums of others, so that at most k send to the server, if that is expected to be faster. For rules that
            average. [none]
        oracle_batch: Batch of held-out samples (a tenth of the training set) on which zeno scores gradients. [100 for
            zeno]
        rho: Weight of the gradient's squared norm in the score of zeno. [0.0005 for zeno]
        topology: replicated: several servers, some of which may be Byzantine; decentralised: each node is worker and
            server; crash-tolerant: workers follow the first server that has not crashed. [one server]
        servers: Servers of a replicated or crash-tolerant run. [1]
        nodes: Nodes of a decentralized run; replaces --workers. [--workers]
        byzantine_servers: Byzantine servers or nodes that the rule for models must tolerate. [0; --byzantine of a
            decentralized run]
        server_aggregator: Rule that combines models, at servers and at workers that read several. [median]
        server_quorum: Models that close an exchange, counting the server's own, and that a worker combines. Fewer than
            all make exchanges asynchronous. [--servers; --nodes of a decentralized run]
        server_attack: What Byzantine servers send: an attack, as for workers. [none]
        server_attackers: Servers that attack: those with the highest ids; of crash-tolerant servers the lowest, which
            workers read. [--byzantine-servers; --attackers on a graph]
        worker_models: aggregate: workers combine the models of several servers and answer all with one gradient;
            per-server: with a gradient for each. [aggregate]
        contract_every: Rounds between exchanges of models. [1]
        contract: Exchanges of aggregates before each step, for nodes whose data differ: a number, or log for ⌈log₂(t +
            1)⌉ in round t. [0]
        graph: Each node steps along its own gradient only and combines its neighbors' models by --aggregator: complete,
            ring, torus, star, random-regular(k), erdos-renyi(p), or pull(s) for s nodes drawn each time. [all nodes,
            which also receive all gradients]
        peers: Neighbors that a node reads: all, or pull(s) for s drawn each time. Without --graph, all nodes are
            neighbors. [all]
        kill_server: Servers of a crash-tolerant run to crash, such as 0@round:200, separated by commas. [none]
        failover_timeout: How long workers wait for their server once others offer a newer model. [2s]
        quorum: Gradients that close a round, or a share of the workers, such as 80%, rounded up, or all but some, such
            as n-2. Fewer than --workers make rounds asynchronous. [--workers]
        staleness_bound: Accept gradients on models up to S versions old, so that workers do not wait for each other.
            [0]
        transfers: ordered: with --staleness-bound, a worker announces a gradient and sends it when asked, unless it
            would arrive too old. [gradients are sent when they are ready]
        replica: Keep a copy of the server's model, at most D away (Euclidean distance), in another TaskManager, which
            continues if the server is lost. With 0, it receives every update. [none]
        round_timeout: How long a round waits for missing gradients; a worker that misses it counts as faulty in that
            round. [unlimited]
        non_finite: reject: gradients with NaN or infinity are proven faults; keep: the rule gets them. [reject]
        reputation: Exclude a worker for ROUNDS rounds after K proven faults, and again after each later one, such as
            3:100. [no worker is excluded]
        rounds: Number of rounds. [500]
        eval_interval: Rounds between evaluations on the test set. [50]
        batch_size: Samples per worker and round. [100]
        micro_batch: Samples per pass; a larger batch takes several passes, with the memory of one. [--batch-size]
        learning_rate: Step size before the schedule. [0.2]
        schedule: constant, step(every=1000, factor=0.1), exponential(decay=0.999), inverse(decay=0.01), cosine, or
            warmup(rounds=100) | any of these. [constant]
        optimizer: sgd, adam, adamw, rmsprop or adagrad. [sgd]
        momentum: Momentum factor; 0 for none. [0.9]
        momentum_side: Where the momentum is kept: worker or server. [worker]
        weight_decay: Weight decay λ: servers add λ·x to each aggregate; adamw applies it separately from its step.
            [none, 0.01 with adamw]
        seed: Seed of all random choices. [1]
        pipeline: Cut each worker's model into stages of layers in different slots: a number of stages, balanced by
            measured times, or a plan of levee place --json. [each worker has the whole model]
        micro_batches: Micro-batches per batch. Stages work at the same time only if there are several. [the number of
            stages, or the plan's]
        pipeline_schedule: Order of micro-batches: gpipe, all forward passes first, or 1f1b, alternating, which holds
            the activations of fewer. [1f1b, or the plan's]
        recompute: Keep only the inputs of a stage between the two passes of a micro-batch, and recompute the rest.
        stage_memory: Memory that the tensors of a stage may take, such as 300m; more is refused. [no limit, or the
            plan's devices]
        elastic: Let levee allocate change the batch and the number of workers: min=1,max=8,max-batch=512 (samples per
            round). scaling=adascale, linear or sqrt sets how much a larger batch is worth and how the learning rate
            follows. [off]
        worker_memory: Memory that one gradient of an elastic run may take, such as 512m; a larger batch is halved. [no
            limit]
        target: REST address of a Flink cluster to submit to. [an embedded cluster]
        parallelism: Parallelism of each operator. [processors, or the cluster's free slots]
        compute_threads: Gradients that each subtask computes at the same time. [processors divided by --parallelism, or
            1 on a cluster]
        control: File in which levee allocate sets the batch of an elastic run. [control.json in --output]
        web_port: Ports to try for the web UI of the embedded cluster. [8081-8181]
        prometheus_port: Serve the embedded cluster's Prometheus metrics on this port. [off]
        prometheus_address: Address on which --prometheus-port listens; 0.0.0.0 for all. [127.0.0.1]
        checkpoint_interval: Time between checkpoints. [10s]
        checkpoint_dir: Directory for checkpoints, on any file system. [checkpoints in --output]
        resume: Continue from a savepoint, a checkpoint, or the newest checkpoint in a directory. In a run's directory,
            options that are not given are the run's, unless --config is given.
        output: Directory for summary.json, metrics.csv, report.html and the model; further rules get subdirectories.
            [levee-runs/<time>-<rule>]
        audit: Write audit.jsonl, a signed log of all rounds for levee audit. KEY is new, which makes a key for this
            run, or a directory with job.key and job.pub (levee keys generate job). [no log]
        tensorboard: Write the curves for TensorBoard to this local directory.
        mlflow: Log options, curves and scores to this MLflow server.
        mlflow_experiment: MLflow experiment, created if it does not exist. [levee]
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
    compress: Optional[str] = None,
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
    personal: Optional[str] = None,
    local_test: Optional[float] = None,
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
    secure_sum: Union[bool, str, None] = None,
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
    """Train a model over many devices, in the job or, with --bootstrap-servers, as processes. Each round asks some of
    them, which train on their own data and send the change.

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
            options below, which --dry-run prints. [fedavg, or fegan with --gan]
        dataset: cifar10:DIR, csv:FILE, idx:DIR, images:DIR, leaf:DIR, libsvm:FILE, npz:FILE, packed:DIR, parquet:PATH,
            python:FILE.py, strokes:, on any file system that Flink supports; levee datasets FORMAT prints the options
            of a format. [strokes:, or the data(id, of) of --model python:]
        partition: How samples are distributed to devices: iid, dirichlet(α), by-class, gamma(γ), natural or
            fegan(max_class=C,max_samples=S). [fegan(max_class=4,max_samples=100), iid for diloco, cser, adaalter and
            mdgan, or natural for --dataset python:]
        model: mnist-cnn, lenet, cifarnet, resnet18, resnet50, logistic, file:PATH (a TorchScript file) or python:PATH
            (a Python file); or histogram:feature=I,low=A,high=B,bins=N, which counts instead of training. Also a path,
            a module that torch.jit.script can script, or a class or function of a .py file that makes a module.
            [mnist-cnn, or that of --gan]
        python: Python interpreter for --model python:PATH, such as venv/bin/python, on every machine of the job.
            [python3]
        device: Where --model python:PATH computes: cpu, cuda (interpreters take the GPUs of their machine in turn) or
            cuda:N. [cpu]
        loss: Loss: cross-entropy or bce, for classes; bce, mse, mae, huber or huber(DELTA), for the targets that
            --dataset names with ?targets=; or module, the method loss(outputs, targets) of a TorchScript file.
            [cross-entropy, or that of --gan]
        gan: Train a generator of images and its discriminator: lsgan or upsample-dcgan, perhaps with
            :width=N,latent=N,loss=squares|cross-entropy; or files:generator=PATH,discriminator=PATH,latent=N. [off, or
            lsgan for fegan, fl-vanilla and mdgan]
        score_network: With --gan: TorchScript file that maps images to the vectors by which they are compared. [a small
            classifier, trained on the same data]
        devices: Number of devices. [80, or 4 for diloco, cser, adaalter and mdgan]
        per_round: Devices asked per round, or that train at the same time without a barrier inside the job. [a fortieth
            of --devices, a tenth, or all for diloco, cser, adaalter and mdgan]
        sampling: uniform, poisson, balanced, balanced-repeating or capability. Repeat the option to train with several
            samplings side by side. [balanced and uniform, balanced for fegan, or uniform for fl-vanilla and where a
            round asks all]
        most_samples: Over Kafka: devices have their own data, which the job does not know, and may claim at most this
            many samples. [off]
        capability: Relative speed of devices for --sampling and --load capability: equal, uniform(LOW, HIGH),
            lognormal(SIGMA) or half-normal(LEAST). [equal]
        weighting: Weight of a device: equal, samples, kl, kl-unscaled or kl-code. [samples, kl for fegan, or equal for
            fl-vanilla, mdgan and rules that take no weights]
        speed: Speed of devices in virtual time, where a batch takes one second at speed 1: equal, uniform(LOW, HIGH),
            lognormal(SIGMA) or half-normal(LEAST); or wall, real time. [off, or lognormal(1) without a barrier, over
            Kafka wall]
        available: Share of the virtual time in which a device is available. [1 with --speed]
        buffer: Contributions that make a new version of the model. [1 for fedasync and zeno++, half of --per-round for
            fedbuff]
        staleness_weight: Weight of a contribution by its staleness: constant, polynomial(A) or hinge(A, B).
            [polynomial(0.5), or constant for zeno++]
        max_staleness: Contributions with greater staleness are dropped. [20]
        replay: Replay a run over Kafka inside the job, from its decisions.csv and the same options. [off]
        slices: Number of slices of the model; a round synchronizes one of them. [off, or 8 for cser]
        reset_every: Rounds after which a larger slice is synchronized instead. [--slices over --reset-slices]
        reset_slices: Number of larger slices of the model. [2 with --slices]
        compress: Code of a device's change: none, topk(share=S), qsgd(levels=S, bucket=N) or powersgd(rank=R). [none]
        swap_every: With --gan: train only the discriminators on the devices, and exchange them after this many rounds.
            [off, or 20 for mdgan]
        local_steps: Batches that a device processes in a round; 0 for devices that only score the model. [30, 500 for
            diloco, 8 for adaalter, or 1 for cser, zeno++ and mdgan]
        local_epochs: Passes over the device's samples in a round; replaces --local-steps. [off]
        load: Batches per device: equal, or linear in its capability. [equal]
        batch_size: Samples per batch. [50]
        learning_rate: The device's step size before the schedule. [0.05, 0.0004 for diloco, 0.5 for adaalter, or 0.0002
            for generators]
        schedule: The device's step size by round: constant, step(every=1000, factor=0.1), exponential(decay=0.999),
            inverse(decay=0.01), cosine, or warmup(rounds=100) | any of these. [constant]
        local_optimizer: The device's optimizer: sgd, adam, adamw, rmsprop, adagrad or adaalter. [sgd, adamw for diloco,
            adam for generators, or that of adaalter]
        local_momentum: Momentum factor of sgd and rmsprop on the device. [0]
        local_beta1: β₁ of adam and adamw on the device. [0.9, or 0.5 with --gan]
        local_epsilon: ε of adaalter on the device. [1 with adaalter]
        local_state: The device's optimizer state after a round: reset it, keep it, or average it over devices like the
            model. [reset, keep for diloco, cser, fegan, fl-vanilla and mdgan, or average for adaalter]
        proximal: Factor of the proximal term, which keeps devices near the server's model. [0, or 0.01 for fedprox]
        correction: What a device adds to its gradients against drift: none, control-variates, or dynamic(ALPHA),
            FedDyn's regularizer. [none, control-variates for scaffold, or dynamic(0.1) for feddyn]
        averaging: Scale of a device's change: plain, normalized by the number of its steps, or fair(Q), by its loss to
            the power of Q. [plain, normalized for fednova, or fair(1) for q-fedavg]
        personal: The device's own model: none, ditto(lambda=L), layers(NAMES, head-steps=N) with head for the last
            layer, pfedme(lambda=L, steps=K, rate=X) or finetune(steps=N, rate=X). [none]
        local_test: Share of each device's samples on which it scores models instead of training. --personal without it
            scores on test samples of the device's classes. [off]
        aggregator: Aggregation rule or pipeline, such as "clip(2) | nnm | trimmed-mean". [average, trimmed-mean for
            slsgd, or zeno++]
        byzantine: Byzantine devices per round that the rule must tolerate, f. [0]
        oracle_batch: Batch of held-out samples (a tenth of the training set) on which zeno++ scores contributions. [100
            for rules that need scores]
        oracle_every: Versions for which zeno++ uses the same gradient of the server. [10 for zeno++ without a barrier]
        server_step: The server's optimizer: sgd, momentum(MU), nesterov(MU), adam(BETA1, BETA2, TAU), yogi(…),
            adagrad(BETA1, TAU), or mix, which mixes in the devices' models. [sgd, or that of --algorithm]
        server_rate: The server's step size. [1, or that of --algorithm]
        attackers: Devices that attack: those with the highest ids. [--byzantine with --attack]
        attack: What attackers send: none, reversed, random, gaussian, dropped, drop, little-is-enough, fall-of-empires,
            sign-flip, equivocation, dissensus, mimic, min-max, min-sum, anti-cge, bulyan-attack,
            optimal-little-is-enough, optimal-fall-of-empires, nan, inf, silent, label-flip. [none]
        dp_clip: Norm to which contributions are clipped. [off]
        dp_noise: Standard deviation of the noise on the sum of a round, in units of --dp-clip. [off]
        dp_delta: Probability δ with which the privacy bound may fail. [0.00001 with --dp-noise]
        secure_sum: Let the server read only the sum of a round. Rates such as dropout=0.2,collude=0.1 are the shares of
            a round's devices that may drop out and that may collude with the server. Without rates, which needs
            --bootstrap-servers, a round is lost if a device leaves. [off]
        deadline: How long a round is open; later devices are late. With --speed, the time is virtual and may be
            adaptive(K): the median of the devices' times plus K (3) median deviations. [wait for all]
        min_devices: Contributions that a round waits for even after --deadline. [1 with --deadline or --speed]
        round_timeout: How long a round waits for missing devices, which then count toward --byzantine. [unlimited]
        non_finite: reject: contributions with NaN or infinity are proven faults; keep: the rule gets them. [reject, or
            keep for rules that reject such rows themselves]
        rounds: Number of rounds. [100, 10 for diloco, 400 for mdgan, or 40 with --gan]
        eval_interval: Rounds between evaluations on the test set. [a twentieth of --rounds, or a tenth with --gan]
        seed: Seed of all random choices. [1]
        bootstrap_servers: Kafka brokers to connect to first, separated by commas. Devices are then processes (levee
            device).
        kafka_config: Properties file for the Kafka clients, such as TLS and SASL settings.
        run: Name of the run; its topics are NAME.models, NAME.gradients, NAME.states and, in some runs, NAME.scores,
            NAME.sums and NAME.devices. [levee]
        keys: Directory of the keys: job.key and the devices' w0.pub, w1.pub, … [keys]
        unsigned: Run without keys: anyone who can write to the topic can send as any device.
        partitions: Partitions of each topic that is created. [blocks of the model, at most 8]
        replication: Replication factor of each topic that is created. [the brokers' default]
        compression: Compression of models: none, lz4, zstd, snappy or gzip. [none, or that of --kafka-config]
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
        resume: Continue from a savepoint, a checkpoint, or the newest checkpoint in a directory. In a run's directory,
            options that are not given are the run's, unless --config is given.
        output: Directory for summary.json, metrics.csv, report.html and the model; further samplings get
            subdirectories. [levee-runs/<time>-<rule>]
        audit: Write audit.jsonl, a signed log of all rounds for levee audit. KEY is new, which makes a key for this
            run, or a directory with job.key and job.pub (levee keys generate job). [no log]
        tensorboard: Write the curves for TensorBoard to this local directory.
        mlflow: Log options, curves and scores to this MLflow server.
        mlflow_experiment: MLflow experiment, created if it does not exist. [levee]
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
    """Fine-tune a network on packed images: the first layers run next to the object store, the last layers are trained
    here.

    Args:
        training: Options of train for the training of the last layers, such as {"workers": 5, "aggregator": "krum"}.
        config: Read options from a YAML file.
        dataset: Packed images, such as s3a://levee/flowers. Without it, a demo runs.
        network: alexnet, resnet18, resnet50, vgg11, vgg19, densenet121, cifarnet, or file:PATH, a list of your own
            layers. [resnet18]
        weights: Pre-trained weights in safetensors or npz format. [initial values]
        image_size: Height and width of the network's input. [224]
        scaling: Pixel scaling: imagenet (its means and deviations) or unit (0 to 1). [imagenet]
        freeze: Last layer that is not trained. [that of the paper]
        classes: Number of classes that the images must have. [those of the images]
        max_bad_images: Number of images that may be undecodable. [0]
        seed: Seed of initial values and of --augment. [1]
        augment: Train on this many views of each image, cropped and mirrored at random. [0]
        split: Where to split the network: auto, none, all, or the last layer that runs next to the store. [auto]
        split_rule: What --split auto minimizes: cost (predicted time) or thesis (HAPI's algorithm 2). [cost]
        baseline: Also run without a split, with all stored images crossing the link, and compare.
        encoding: Encoding of features on the link: exact, float16 (relative error up to 2^-11) or int8 (up to 1/254 of
            the largest value). [exact]
        images_per_request: Images per request; a request reads one object. [1000]
        micro_batch: Images that pass through the layers together. [8]
        storage: Storage tier: tcp://HOST:PORT, several separated by commas. [inside this process]
        tenant: Name of this client among those that share a storage tier. [that of the network]
        storage_patience: How long to wait for an answer before the run fails. [2m]
        bandwidth: Limit the link to this many bits per second in each direction, such as 50M. [not limited]
        link_rate: Bandwidth of an unlimited link that --split auto assumes at first. [fast]
        storage_slots: Requests that the storage tier computes at the same time. [1]
        memory: Memory of a storage tier inside this process, such as 2g. [1g]
        batch_size: Batch size for training the last layers. [that of levee train]
        keep_features: Space for features that are kept for the next run: all, off, or a size such as 2g. [all]
        output: Folder for the features and, in run/, the training run. [finetune]
        show: Whether what the command says is printed while it runs; the result has it in said.

    Raises:
        LeveeError: if an option is wrong, or the command fails; one sentence.
    """
    return launch("finetune", locals())


def study(
    grid: Union[PathLike, Mapping[str, Any]],
    *,
    data: Any = None,
    test_data: Any = None,
    data_options: Optional[Mapping[str, Any]] = None,
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
    """Train every combination of rules, attacks and other options, and write heat maps, curves and tables.

    Args:
        grid: A file of options, of which any may have several values; or these options as a dictionary, such as
            {"aggregator": ["median", "krum"], "learning-rate": [0.1, 0.5]}, where model is what it is in train, or a
            list of such.
        data: Samples, in the place of dataset: a pair of NumPy arrays or tensors (X, y), where y of whole numbers or
            text are classes and y of other numbers are targets; a Dataset of PyTorch; a data frame of pandas with a
            column label or the labels last, or a pair of a frame and the name of its column.
        test_data: Samples to test on, of the same kind as data; a share of data is held out otherwise.
        data_options: Options of the data set's format, such as {"scale": "standard"}; docs/reference/datasets.md lists
            those of npz, which arrays become, and csv, which frames become.
        dry_run: Print the cells, those that would fail, and an estimate of the time, and exit.
        overwrite: Write to --output even if it contains other files.
        detach: Return once the job is submitted to --target; levee attach writes the report.
        target: REST address of a Flink cluster to submit to. [an embedded cluster]
        parallelism: Parallelism of each operator. [processors, or the cluster's free slots]
        web_port: Ports to try for the web UI of the embedded cluster. [8081-8181]
        prometheus_port: Serve the embedded cluster's Prometheus metrics on this port. [off]
        prometheus_address: Address on which --prometheus-port listens; 0.0.0.0 for all. [127.0.0.1]
        output: Directory for report.html, cells.csv, table.tex and the cells. Existing cells are not run again.
            [levee-runs/<time>-study]
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
    speed_spread: Optional[float] = None,
    declare_speeds: bool = False,
    start_batch: Optional[str] = None,
    seed: Optional[int] = None,
    policy: Optional[Union[str, Sequence[str]]] = None,
    cluster: Optional[str] = None,
    measure_every: Optional[str] = None,
    decide_every: Optional[str] = None,
    pause: Optional[str] = None,
    longest_wait: Optional[str] = None,
    rho_bound: Optional[float] = None,
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
        traces: The artifact's measurements, one folder per application (default: traces next to the workload's folder).
        schedule: Arrival of jobs: csv (default with a file), poisson (default without), all-at-once or fixed.
        interval: Time between arrivals: the mean for poisson, exact for fixed (default: 2min).
        jobs: Number of synthetic jobs (default: 60).
        sync_cost: Cost of additional workers for synthetic jobs; 0 is free (default: 1).
        noise_scale: Gradient noise scale of synthetic jobs, above which a larger batch adds little (default: all
            samples count fully).
        speed_spread: How much synthetic jobs differ in their gain from faster slots: on slots of speed v, a job
            computes at v^a, with a from 1 − X to 1 + X (default: 0).
        declare_speeds: Tell policies the speeds of --speed-spread; otherwise they assume those of --cluster until a job
            has run on two kinds of slots.
        start_batch: Batch per worker of elastic jobs from a file: requested, a worker's share of the file's batch, or
            initial, the smallest validated one (default: requested). Policies that choose the batch by its value start
            from the smallest; with requested, only ncf keeps its own, as in the artifact.
        seed: Seed of all random choices (default: 1).
        policy: Policies, separated by commas or repeated (default: static,autoscaler,afs-p,era,era-curve,era-goodput).
        cluster: Size of the cluster (default: 16x4), or of its parts if nodes differ in speed, such as 8x4,8x4@0.5.
        measure_every: Time between measurements (default: 2min).
        decide_every: Time between decisions (default: 4min); the published results for Pollux's workloads use 60s.
        pause: How long a job stops when it starts or its number of workers changes (default: 30s).
        longest_wait: With era-goodput, era-goodput-unknown and power-mean: a suspended job runs again after this time
            at the latest (default: no limit); 0s suspends none.
        rho_bound: A job whose finish-time fairness would exceed this gets an equal share of the slots for itself,
            whatever the policy; at least 1 (default: no bound).
        slowdown: Also simulate each job alone, and print the largest slowdown that sharing causes.
        output: Folder for summary.json, jobs.csv and report.html. [levee-runs/<time>-<command>]
        overwrite: Write to --output even if it is not empty.
        coding: Instead, fit delays to the rounds of a run, and print how long rounds would take with quorums, gradient
            codes, coded products and copies.
        fast_share: With --coding: probability of a worker to be fast, in the columns of two speeds (default: 0.5).
        fast_speed: With --coding: how many times faster that is; it takes X³ times the power (default: 2.0).
        json: Print the forecast of --coding as a line of JSON.
        show: Whether what the command says is printed while it runs; the result has it in said.

    Raises:
        LeveeError: if an option is wrong, or the command fails; one sentence.
    """
    return launch("simulate", locals())

