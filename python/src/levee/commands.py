"""Commands as functions, with the options of the command line. PythonCommandsTest generates this file."""

from __future__ import annotations

from typing import Any, Literal, Mapping, Optional, Sequence, Union

from .launch import PathLike, launch
from .run import Run, Simulation


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
    loss: Optional[str] = None,
    workers: Optional[int] = None,
    byzantine: Optional[Union[int, str]] = None,
    attackers: Optional[int] = None,
    attack: Optional[str] = None,
    aggregator: Optional[Union[str, Sequence[str]]] = None,
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
    tensorboard: Optional[PathLike] = None,
    mlflow: Optional[str] = None,
    mlflow_experiment: Optional[str] = None,
    show: bool = True,
) -> Run:
    """Train a model with workers some of whom lie, and write a report about it.

    Args:
        data: Samples, in the place of dataset: a pair of NumPy arrays or tensors (X, y), where y of whole numbers or
            text are classes and y of other numbers are targets; a Dataset of PyTorch; a data frame of pandas with a
            column label or the labels last, or a pair of a frame and the name of its column.
        test_data: Samples to test on, of the same kind as data; a share of data is held out otherwise.
        data_options: Options of the data set's format, such as {"scale": "standard"}; docs/reference/datasets.md lists
            those of npz, which arrays become, and csv, which frames become.
        config: Read options from a YAML file.
        dry_run: Print the resolved options as YAML that --config reads, and stop.
        overwrite: Write to --output even if it holds other files or the results of another run.
        detach: Return as soon as the jobs are submitted to --target; levee attach comes back to them.
        queue: Hand an elastic run to the allocator of --target, which starts it when there is room and may pause it;
            DIR is that allocator's --queue (default: .levee/queue). Returns at once; levee queue shows the line.
        dataset: cifar10:DIR, csv:FILE, idx:DIR, images:DIR, leaf:DIR, libsvm:FILE, npz:FILE, packed:DIR, parquet:PATH,
            strokes:, on any file system that Flink knows; levee datasets FORMAT tells the options of one. [strokes:]
        partition: How samples are dealt to workers: iid, dirichlet(α), by-class or gamma(γ). [iid]
        model: mnist-cnn, lenet, cifarnet, alexnet, resnet18, resnet50, vgg11, vgg19, densenet121, logistic, file:PATH
            of a TorchScript file, or python:PATH of a Python file. Also a path, a module that torch.jit.script can
            script, or a class or function of a .py file that makes a module. [mnist-cnn]
        python: Interpreter with PyTorch that runs the file of --model python:PATH, such as venv/bin/python; on every
            machine of the job under the same name. [python3]
        loss: What training makes small: cross-entropy of classes; bce of two classes or of targets of 0 and 1; mse,
            mae, huber or huber(DELTA) of targets, which --dataset names with ?targets=; or module, the method
            loss(outputs, targets) of a TorchScript file. [cross-entropy]
        workers: Number of workers, n. [11]
        byzantine: How many Byzantine workers the rule has to tolerate, f; or which share of the workers of a round,
            such as 20%, rounded down. [3]
        attackers: How many workers, those with the highest ids, really attack. [--byzantine]
        attack: What attackers send: none, reversed, random, gaussian, dropped, drop, little-is-enough, fall-of-empires,
            sign-flip, equivocation, dissensus, mimic, min-max, min-sum, anti-cge, bulyan-attack,
            optimal-little-is-enough, optimal-fall-of-empires, nan, inf, silent, label-flip; with parameters in
            brackets, which levee rules explain tells. [random]
        aggregator: Aggregation rule, average, median, trimmed-mean, meamed, phocas, geometric-median,
            centered-clipping, clipped-gossip, krum, multi-krum, bulyan, mda, smea, caf, flag, monna, aksel, dnc,
            sign-guard, clipped-clustering, cge, norm-threshold, zeno, zeno++, or pipeline that begins with
            pre-aggregations, clip, nnm, bucketing, arc, such as "clip(2) | nnm | trimmed-mean"; levee rules explain
            tells more. Repeat it to train several side by side. [multi-krum and average]
        oracle_batch: Samples of the server's own, a tenth of the training set that no worker gets, on which a rule such
            as zeno scores the gradients of a round. [100 for zeno]
        rho: How much the squared norm of a gradient counts against it in zeno. [0.0005 for zeno]
        topology: replicated: every worker answers several servers, of which some may lie; decentralised: every node is
            worker and server; crash-tolerant: every worker answers several servers and believes the first that has not
            crashed. [one server]
        servers: Number of parameter servers of a replicated or crash-tolerant run. [1]
        nodes: Number of nodes of a decentralized run, in the place of --workers. [--workers]
        byzantine_servers: How many lying servers, or nodes, the rule for models has to tolerate. [0; --byzantine of a
            decentralised run]
        server_aggregator: What servers make of each other's models, and workers that read several. [median]
        server_quorum: How many models close an exchange between servers, or nodes, their own among them, and how many a
            worker combines; fewer than there are makes exchanges asynchronous. [--servers; --nodes of a decentralised
            run]
        server_attack: What lying servers send instead of their models: an attack as of workers. [none]
        server_attackers: How many servers really lie: those with the highest ids, of crash-tolerant ones those with the
            lowest, which are read. [--byzantine-servers; --attackers on a graph]
        worker_models: What workers do with several servers: aggregate their models and answer all with one gradient, or
            compute one for each of them: per-server. [aggregate]
        contract_every: Rounds from one exchange of models to the next. [1]
        contract: How often nodes exchange aggregates before each step, which brings them together where data differs: a
            number, or log for ⌈log₂(t + 1)⌉ times in round t. [0]
        graph: Whom a node hears that steps along its own gradient only and makes one of models by --aggregator:
            complete, ring, torus, star, random-regular(k), erdos-renyi(p), or pull(s) for s others drawn anew each
            time. [everybody hears everybody, and gets all gradients]
        peers: Which neighbors on the --graph a node hears: all, or pull(s) for s of them drawn anew each time. Without
            a graph, of all others. [all]
        kill_server: Servers of a crash-tolerant run that crash, to watch a fail-over: such as 0@round:200, several with
            commas. [none]
        failover_timeout: How long other servers may offer a newer model before workers leave the one that they read.
            [2s]
        quorum: How many gradients close a round; fewer than --workers makes rounds asynchronous. Or which share of the
            workers of a round, such as 80%, rounded up. [--workers]
        round_timeout: How long a round waits for missing gradients; who misses it has failed in that round. [wait for
            ever]
        non_finite: reject gradients with NaN or infinity as proven faults, or keep them. [reject]
        reputation: Leave a worker out for so many rounds that has been proven faulty in K, and again after each later
            one: 3:100. What proves it is NaN or infinity, or a block of the wrong size; over Kafka NaN or infinity, or
            two signed blocks that differ. [nobody is left out]
        rounds: Number of rounds. [500]
        eval_interval: Rounds between evaluations on the test set. [50]
        batch_size: Samples per worker and round. [100]
        micro_batch: Samples that a worker computes at once: a larger batch is computed in several passes, in the memory
            of one. [--batch-size]
        learning_rate: Step size before the schedule. [0.2]
        schedule: constant, step(every=1000, factor=0.1), exponential(decay=0.999), inverse(decay=0.01), cosine, or
            warmup(rounds=100) | any of these. [constant]
        optimizer: sgd, adam, adamw, rmsprop or adagrad. [sgd]
        momentum: Momentum factor, 0 for none. [0.9]
        momentum_side: Who keeps the momentum: worker, which keeps small lies from adding up, or server. [worker]
        seed: Seed of everything drawn. [1]
        elastic: Let levee allocate change the number of workers, which starts at --workers, and the batch:
            min=1,max=8,max-batch=512, where max-batch is samples per round over all workers. scaling=adascale, linear
            or sqrt says what a larger batch is worth and how the learning rate follows. [off]
        worker_memory: Memory that one gradient of an elastic run may take, such as 512m; a batch that takes more is
            halved. [no limit]
        target: REST address of a Flink cluster to submit to. [an embedded cluster]
        parallelism: Parallel subtasks of each operator. [processors, or the cluster's free slots]
        compute_threads: Gradients computed at a time by each subtask. [processors divided by --parallelism, or 1 on a
            cluster]
        control: File in which levee allocate tells an elastic run its batch, on any file system that both reach.
            [control.json in --output]
        web_port: Ports tried for the web UI of the embedded cluster. [8081-8181]
        prometheus_port: Serve the embedded cluster's metrics to Prometheus here. [off]
        prometheus_address: Address on which --prometheus-port listens; 0.0.0.0 means all. [127.0.0.1]
        checkpoint_interval: Time between checkpoints. [10s]
        checkpoint_dir: Where checkpoints are kept, on any file system. [checkpoints in --output]
        resume: Go on from a savepoint, a checkpoint, or the newest checkpoint in a directory.
        output: Receives summary.json, metrics.csv, report.html and the model; of several rules, each but the first in a
            directory of its own below it. [levee-runs/<time>-<rule>]
        tensorboard: Write the curves for TensorBoard below this directory of this machine.
        mlflow: Log options, curves and scores to this MLflow server.
        mlflow_experiment: MLflow's experiment; it is made if it is not there. [levee]
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
    algorithm: Optional[Literal["fedavg", "fedprox", "fedavgm", "fedadam", "fedyogi", "fedadagrad", "diloco", "slsgd", "fedasync", "fedbuff", "zeno++", "cser", "adaalter", "fegan", "fl-vanilla", "mdgan"]] = None,
    dataset: Optional[str] = None,
    partition: Optional[str] = None,
    model: Any = None,
    python: Optional[str] = None,
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
    tensorboard: Optional[PathLike] = None,
    mlflow: Optional[str] = None,
    mlflow_experiment: Optional[str] = None,
    show: bool = True,
) -> Run:
    """Train a model over many devices, of which each round asks some, that train on data of their own and send what
    changed. They are part of the job or, with --bootstrap-servers, processes of their own.

    Args:
        data: Samples, in the place of dataset: a pair of NumPy arrays or tensors (X, y), where y of whole numbers or
            text are classes and y of other numbers are targets; a Dataset of PyTorch; a data frame of pandas with a
            column label or the labels last, or a pair of a frame and the name of its column.
        test_data: Samples to test on, of the same kind as data; a share of data is held out otherwise.
        data_options: Options of the data set's format, such as {"scale": "standard"}; docs/reference/datasets.md lists
            those of npz, which arrays become, and csv, which frames become.
        config: Read options from a YAML file.
        dry_run: Print the resolved options as YAML that --config reads, and stop.
        overwrite: Write to --output even if it holds other files or the results of another run.
        detach: Return as soon as the jobs are submitted to --target; levee attach comes back to them.
        new: With --bootstrap-servers: begin a new run, whatever has been published.
        algorithm: One of fedavg, fedprox, fedavgm, fedadam, fedyogi, fedadagrad, diloco, slsgd, fedasync, fedbuff,
            zeno++, cser, adaalter, fegan, fl-vanilla, mdgan: a choice of the options below, each of which can be given
            otherwise; --dry-run prints them. [fedavg, or fegan with --gan]
        dataset: strokes:, idx:DIR, cifar10:DIR, libsvm:FILE or images:DIR, on any file system that Flink knows.
            [strokes:]
        partition: What devices hold: iid, dirichlet(α), by-class, gamma(γ), or fegan(max_class=C,max_samples=S), whose
            devices overlap. [fegan(max_class=4,max_samples=100), or iid for diloco, cser, adaalter and mdgan]
        model: mnist-cnn, lenet, cifarnet, resnet18, resnet50, logistic, file:PATH of a TorchScript file, or python:PATH
            of a Python file. Also a path, a module that torch.jit.script can script, or a class or function of a .py
            file that makes a module. [mnist-cnn, or that of --gan]
        python: Interpreter with PyTorch that runs the file of --model python:PATH, such as venv/bin/python; on every
            machine of the job under the same name. [python3]
        loss: What training makes small: cross-entropy or bce of classes; bce, mse, mae, huber or huber(DELTA) of
            targets, which --dataset names with ?targets=; or module, the method loss(outputs, targets) of a TorchScript
            file. [cross-entropy, or that of --gan]
        gan: Train a generator of images and its discriminator: lsgan or upsample-dcgan, perhaps with
            :width=N,latent=N,loss=squares|cross-entropy, or your own, files:generator=PATH,discriminator=PATH,latent=N
            of TorchScript files. [off, or lsgan for fegan, fl-vanilla and mdgan]
        score_network: With --gan: by whose outputs images are compared, a TorchScript file that turns images with
            pixels of 0 to 1 into a vector each. [a small classifier, trained on the same data]
        devices: Number of devices. [80, or 4 for diloco, cser, adaalter and mdgan]
        per_round: How many of them a round asks; without a barrier a tenth, which train at the same time. [a fortieth
            of --devices, a tenth, or all for diloco, cser, adaalter and mdgan]
        sampling: Which ones: uniform, poisson, balanced, balanced-repeating or capability. Repeat it to train several
            side by side. [balanced and uniform, balanced for fegan, or uniform for fl-vanilla and where a round asks
            all]
        most_samples: Over Kafka: devices hold data of their own, of which the job knows nothing; the most samples that
            one may claim to hold. Without it they hold what --partition deals, and may claim nothing else. [off]
        capability: How fast devices compute, for --sampling capability and --load capability: equal, uniform(LOW, HIGH)
            or lognormal(SIGMA), by seed. [equal]
        weighting: How much a device counts: equal, samples, kl, kl-unscaled or kl-code. [samples, kl for fegan, or
            equal for fl-vanilla, mdgan and rules that take no weights]
        speed: Simulates how long devices take, a virtual second for a batch at speed 1: equal, uniform(LOW, HIGH) or
            lognormal(SIGMA), by seed; wall for the time that they really take. [off, or lognormal(1) without a barrier,
            over Kafka wall]
        available: Share of the virtual time that a device is there; one that is away when asked begins later. [1 with
            --speed]
        buffer: Contributions that make a new version of the model. [1 for fedasync and zeno++, half of --per-round for
            fedbuff]
        staleness_weight: How much a contribution counts by the versions made since the one that it answers: constant,
            polynomial(A) or hinge(A, B). [polynomial(0.5), or constant for zeno++]
        max_staleness: Contributions that are staler are dropped. [20]
        replay: Does a run over Kafka once more inside the job, by its decisions.csv and the same options, to the same
            bits. [off]
        slices: Parts of the model of which a round synchronizes one; what a device has changed elsewhere stays with it.
            [off, or 8 for cser]
        reset_every: Rounds after which a larger slice is synchronized instead. [--slices over --reset-slices]
        reset_slices: Parts of the model of which the larger slice is one. [2 with --slices]
        swap_every: With --gan: only discriminators are trained on the devices, and stay there; rounds after which they
            change places. [off, or 20 for mdgan]
        local_steps: Batches that a device computes on in a round. [30, 500 for diloco, 8 for adaalter, or 1 for cser,
            zeno++ and mdgan]
        local_epochs: Passes over the device's own samples in a round, in whole batches, instead of --local-steps. [off]
        load: equal, or capability for a number of batches that is linear in the device's capability. [equal]
        batch_size: Samples of a batch. [50]
        learning_rate: The device's step size before the schedule. [0.05, 0.0004 for diloco, 0.5 for adaalter, or 0.0002
            for generators]
        schedule: The device's step size by round: constant, step(every=1000, factor=0.1), exponential(decay=0.999),
            inverse(decay=0.01), cosine, or warmup(rounds=100) | any of these. [constant]
        local_optimizer: The device's step: sgd, adam, adamw, rmsprop, adagrad or adaalter. [sgd, adamw for diloco, adam
            for generators, or that of adaalter]
        local_momentum: Momentum factor of sgd and rmsprop on the device, 0 for none. [0]
        local_beta1: β₁ of adam and adamw on the device. [0.9, or 0.5 with --gan]
        local_epsilon: ε of adaalter on the device, below whose root it divides by nothing. [1 with adaalter]
        local_state: What becomes of the device's momentum and moments when a round is over: reset, keep them with the
            device, or average those of all like the model. [reset, keep for diloco, cser, fegan, fl-vanilla and mdgan,
            or average for adaalter]
        proximal: Factor of the term that holds a device to the server's model. [0, or 0.01 for fedprox]
        aggregator: Aggregation rule or pipeline such as "clip(2) | nnm | trimmed-mean". [average, trimmed-mean for
            slsgd, or zeno++]
        byzantine: How many Byzantine devices of a round the rule has to tolerate, f. [0]
        oracle_batch: Samples of the server's own, a tenth of the training set that no device gets, on which a rule such
            as zeno++ scores what devices send. [100 for rules that need scores]
        oracle_every: Versions for which the server's own gradient serves zeno++. [10 for zeno++ without a barrier]
        server_step: sgd, momentum(MU), nesterov(MU), adam(BETA1, BETA2, TAU), yogi(…), adagrad(BETA1, TAU), or mix of
            the devices' models. [sgd, or that of --algorithm]
        server_rate: The server's step size; with sgd, the share of the devices' mean that is mixed into the model. [1,
            or that of --algorithm]
        attackers: How many devices, those with the highest ids, really attack. [--byzantine with --attack]
        attack: What attackers send: none, reversed, random, gaussian, dropped, drop, little-is-enough, fall-of-empires,
            sign-flip, equivocation, dissensus, mimic, min-max, min-sum, anti-cge, bulyan-attack,
            optimal-little-is-enough, optimal-fall-of-empires, nan, inf, silent, label-flip. [none]
        dp_clip: Norm to which what a device sends is clipped. [off]
        dp_noise: Standard deviation of the noise on the sum of a round, in units of --dp-clip; only --sampling poisson
            amplifies what it does. [off]
        dp_delta: The probability for which the bound of --dp-noise may not hold. [0.00001 with --dp-noise]
        secure_sum: With --bootstrap-servers: devices hide what they send under masks that only the sum of all of a
            round sheds.
        deadline: How long a round is open; it then goes on with those who have answered, and who has not is late. With
            --speed, in virtual time, where it may be adaptive(K): the median and K times the median deviation of the
            times that devices took; K is 3 if left out. [wait for all]
        min_devices: Contributions that a round waits for even after --deadline. [1 with --deadline or --speed]
        round_timeout: How long a round waits for missing devices; who misses it has failed in that round, and counts
            towards --byzantine. [wait for ever]
        non_finite: reject contributions with NaN or infinity as proven faults, or keep them. [reject, or keep for rules
            that refuse what is no number]
        rounds: Number of rounds. [100, 10 for diloco, 400 for mdgan, or 40 with --gan]
        eval_interval: Rounds between evaluations on the test set. [a twentieth of --rounds, or a tenth with --gan]
        seed: Seed of everything drawn. [1]
        bootstrap_servers: Devices are processes of their own (levee device): brokers to begin with, several with commas
            between.
        kafka_config: Properties of Kafka's clients, such as those of TLS and SASL.
        run: Name of the run: its topics are NAME.models, .gradients and .states. [levee]
        keys: Keys of the job (job.key) and of the devices (w0.pub, …). [keys]
        unsigned: Do without keys: whoever can write to the topic can speak for any device.
        partitions: Partitions of each topic that is made. [blocks of the model, 8 at most]
        replication: Copies of each topic that is made. [the brokers' default]
        compression: How models are compressed: none, lz4, zstd, snappy or gzip. [none]
        gradient_retention: How long a topic that is made keeps gradients. [10min]
        target: REST address of a Flink cluster to submit to. [an embedded cluster]
        parallelism: Parallel subtasks of each operator. [processors, or the cluster's free slots]
        compute_threads: Gradients computed at a time by each subtask. [processors divided by --parallelism, or 1 on a
            cluster]
        web_port: Ports tried for the web UI of the embedded cluster. [8081-8181]
        prometheus_port: Serve the embedded cluster's metrics to Prometheus here. [off]
        prometheus_address: Address on which --prometheus-port listens; 0.0.0.0 means all. [127.0.0.1]
        checkpoint_interval: Time between checkpoints. [10s]
        checkpoint_dir: Where checkpoints are kept, on any file system. [checkpoints in --output]
        resume: Go on from a savepoint, a checkpoint, or the newest checkpoint in a directory.
        output: Receives summary.json, metrics.csv, report.html and the model; of several samplings, each but the first
            in a directory of its own below it. [levee-runs/<time>-<rule>]
        tensorboard: Write the curves for TensorBoard below this directory of this machine.
        mlflow: Log options, curves and scores to this MLflow server.
        mlflow_experiment: MLflow's experiment; it is made if it is not there. [levee]
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
    """Fine-tune a network on packed images: the first layers run next to the object store, features cross the link, the
    last layers are trained here.

    Args:
        training: Options of train for the training of the last layers, such as {"workers": 5, "aggregator": "krum"}.
        config: Read options from a YAML file.
        dataset: Packed images, as levee pack writes them: s3a://levee/flowers. Without it a demo runs: digits, a local
            S3 server, a slow link.
        network: alexnet, resnet18, resnet50, vgg11, vgg19, densenet121, cifarnet, or a list of your own layers,
            file:PATH. [resnet18]
        weights: Pre-trained weights, safetensors or npz. [initial values]
        image_size: Height and width of the network's input. [224]
        scaling: imagenet, by its channels' means and deviations, or unit, from 0 to 1. [imagenet]
        freeze: The last layer that is not trained. [the thesis's]
        classes: Classes that the images must have. [as many as there are]
        max_bad_images: Images that may be undecodable. [0]
        seed: Seed of initial values and of --augment. [1]
        augment: Train on so many views of each image, cropped and mirrored at random; a fifth of the images is left for
            the test. [0]
        split: auto, none, all, or the last layer that runs next to the store. [auto]
        split_rule: What --split auto goes by: cost or thesis. [cost]
        baseline: Read all stored images over the link and extract here too, as one would without Levee, and compare.
        encoding: How features cross the link: exact; float16, each within 2^-11 of itself; int8, each within a 254th of
            its image's largest. [exact]
        images_per_request: Images of a request, of one object each. [1000]
        micro_batch: Images that go through the layers together. [8]
        storage: The storage tier, as levee storage serve prints it: tcp://HOST:PORT, several with commas. [one of its
            own, in this process]
        tenant: Who this is among those that share a storage tier. [the network's]
        storage_patience: How long there may be no answer before it gives up. [2m]
        bandwidth: Slow the link to so many bits per second each way, such as 50M. [as fast as it is]
        link_rate: What the link carries per second without being slowed, which --split auto begins with; it is measured
            on the way. [fast]
        storage_slots: Requests that the storage tier computes at the same time. [1]
        memory: Memory of a storage tier of its own, such as 2g. [1g]
        batch_size: Samples of a batch that the last layers are trained on. [that of levee train]
        keep_features: What features may take that are kept for the next time: all, off, or a size such as 2g, above
            which they are deleted when the training is over. [all]
        output: Folder for features, which are kept for the next time as --keep-features says, and the run in run/.
            [finetune]
        show: Whether what the command says is printed while it runs; the result has it in said.

    Raises:
        LeveeError: if an option is wrong, or the command fails; one sentence.
    """
    return launch("finetune", locals())


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
    show: bool = True,
) -> Simulation:
    """Share a simulated cluster among training jobs, and compare policies.

    Args:
        workload: Workloads of the Pollux artifact; may be given again. Default: synthetic, jobs drawn at random.
        traces: The artifact's measurements, a folder for each application (default: traces beside the workload's
            folder).
        schedule: When jobs come: csv (default with a file), poisson (default without), all-at-once or fixed.
        interval: Time between jobs of poisson (its mean) and fixed (default: 2min).
        jobs: Number of synthetic jobs (default: 60).
        sync_cost: How dear more workers are to synthetic jobs; 0 is free (default: 1).
        noise_scale: The gradient's noise scale of synthetic jobs, beyond which samples of a larger batch count for
            little (default: all samples count fully).
        start_batch: Batch per worker of elastic jobs from a file: requested, a worker's share of the file's, or
            initial, the smallest validated (default: requested). Policies that choose the batch by its worth start from
            the smallest validated; with requested ncf alone has to keep its own, as in the artifact.
        seed: Seed of whatever is drawn (default: 1).
        policy: Policies, separated by commas or given again (default:
            static,autoscaler,afs-p,era,era-curve,era-goodput).
        cluster: Size of the cluster (default: 16x4), or of its parts where nodes differ in speed, such as 8x4,8x4@0.5.
        measure_every: Time between measurements (default: 2min).
        decide_every: Time between decisions (default: 4min); the published figures of Pollux's workloads are with 60s.
        pause: How long a job stands still when it starts or its workers change (default: 30s).
        longest_wait: After so long a suspended job has to run again; 0s suspends none (default: no limit). For policies
            that suspend jobs.
        slowdown: Also simulate each job alone, and print by how much the worst treated one was slowed down by the
            others.
        output: Where to write summary.json, jobs.csv and report.html. [levee-runs/<time>-<command>]
        overwrite: Write to --output even if it holds something already.
        show: Whether what the command says is printed while it runs; the result has it in said.

    Raises:
        LeveeError: if an option is wrong, or the command fails; one sentence.
    """
    return launch("simulate", locals())

