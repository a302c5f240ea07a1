package dev.levee.operators.flink.internal.runtime;

import dev.levee.operators.flink.internal.kafka.PublishedVersion;
import dev.levee.operators.flink.internal.loop.EvenKeys;
import dev.levee.operators.flink.internal.runtime.history.VectorStore;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.SharedValue;
import dev.levee.operators.rounds.StageMessage;
import dev.levee.operators.rounds.SumTree;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.pipeline.PipelinedModel;
import dev.levee.operators.rounds.pipeline.StageId;
import dev.levee.operators.rounds.pipeline.StageShares;
import dev.levee.operators.rounds.topology.ReadingGroup;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.transfer.SumScheduler;
import dev.levee.operators.rounds.vector.Slices;

import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The data that all operators of one loop share.
 *
 * @param maxParallelism largest parallelism to which the loop can be rescaled; keys are chosen for
 *     it
 * @param shardKeys key of each shard, by {@link #shard}
 * @param coordinatorKeys key of each server's coordinator
 * @param keys key of each worker, {@link #workerKeys}
 * @param stageKeys key of each stage of each worker's pipeline, and of the worker after them, by
 *     {@link #stage}; empty if workers are not pipelines
 */
record LoopJob(
        Training training,
        LoopEdge edge,
        int maxParallelism,
        Slices slices,
        int[] shardKeys,
        int[] coordinatorKeys,
        SharedValue<int[]> keys,
        int[] stageKeys)
        implements Serializable {
    static LoopJob of(Training training, LoopEdge edge, int maxParallelism) {
        Slices slices = Slices.of(training.model().layout());
        training.checkLength(slices.dimension());
        int servers = training.topology().servers();
        int participants = training.plan().participants(training);
        int[] workerKeys =
                training.plan().followsParallelism()
                        ? EvenKeys.growing(participants, maxParallelism)
                        : EvenKeys.of(participants, maxParallelism);
        return new LoopJob(
                training,
                edge,
                maxParallelism,
                slices,
                EvenKeys.of(servers * slices.count(), maxParallelism),
                EvenKeys.of(servers, maxParallelism),
                SharedValue.of(workerKeys),
                stageKeys(training, workerKeys, maxParallelism));
    }

    /**
     * Orders the first stages of all workers before the second ones, so that a worker's stages are
     * in different subtasks.
     */
    private static int[] stageKeys(Training training, int[] workerKeys, int maxParallelism) {
        if (!(training.model() instanceof PipelinedModel model)) {
            return new int[0];
        }
        int[] stages = EvenKeys.of(model.stages() * workerKeys.length, maxParallelism);
        int[] keys = Arrays.copyOf(stages, stages.length + workerKeys.length);
        System.arraycopy(workerKeys, 0, keys, stages.length, workerKeys.length);
        return keys;
    }

    /** The key of each worker; not to be changed. */
    int[] workerKeys() {
        return keys.get();
    }

    /** The index of the stage, or the worker, that a message is for. */
    int stage(StageMessage message) {
        return stage(message.stage(), message.worker());
    }

    /** The index of a stage of a worker. */
    int stage(int stage, int worker) {
        return stage * workerKeys().length + worker;
    }

    /**
     * The stages that each block of a model is sent to: one in each subtask whose stages have
     * parameters of the block.
     *
     * @param subtasks number of the job's subtasks
     * @return empty if stages receive no models
     */
    List<List<StageId>> hearing(int subtasks) {
        List<List<StageId>> readers = new ArrayList<>();
        if (!(training.model() instanceof PipelinedModel model) || !training.blockwise()) {
            return readers;
        }
        StageShares shares = StageShares.of(training, model);
        for (int block = 0; block < slices.count(); block++) {
            Map<Integer, StageId> one = new TreeMap<>();
            for (int index = 0; index < model.stages() * workerKeys().length; index++) {
                StageId id = new StageId(index / workerKeys().length, index % workerKeys().length);
                if (shares.hears(id.stage(), block)) {
                    one.putIfAbsent(subtask(stageKeys[index], subtasks), id);
                }
            }
            readers.add(List.copyOf(one.values()));
        }
        return readers;
    }

    /** Servers whose models are read together. */
    List<ReadingGroup> readingGroups() {
        return ReadingGroup.of(training.topology());
    }

    /**
     * The store for an operator's whole models, because large models of pipelines may not fit into
     * memory.
     */
    VectorStore vectors(Environment environment) {
        return training.model() instanceof PipelinedModel model && model.large()
                ? VectorStore.files(
                        Path.of(environment.getTaskManagerInfo().getTmpDirectories()[0]))
                : VectorStore.memory();
    }

    /** Number of parameter servers. */
    int servers() {
        return training.topology().servers();
    }

    /** Metric group of a server within an operator's: the operator's own if there is one server. */
    MetricGroup metrics(MetricGroup operator, int server) {
        return servers() == 1 ? operator : operator.addGroup("server", Integer.toString(server));
    }

    /** Number of shards of all servers. */
    int shards() {
        return shardKeys.length;
    }

    /** The index of a shard among all shards; an arbitrary index if the shard does not exist. */
    int shard(ShardId id) {
        int server = Math.floorMod(id.server(), servers());
        int block = Math.floorMod(id.block(), slices.count());
        return new ShardId(server, block).index(slices.count());
    }

    /**
     * Creates the scheduler of trees of sums.
     *
     * @param round the open round
     */
    SumScheduler sums(int server, int subtasks, long round, Consumer<SumTree> output) {
        int[] workers =
                IntStream.range(0, training.workers())
                        .map(worker -> HostPartitioner.subtask(this, worker, subtasks))
                        .toArray();
        return new SumScheduler(
                server,
                slices,
                shardSubtasks(subtasks),
                workers,
                training.admission().fanIn(),
                round,
                output);
    }

    /** The subtask of each shard if the job has this many subtasks. */
    int[] shardSubtasks(int subtasks) {
        return Arrays.stream(shardKeys).map(key -> subtask(key, subtasks)).toArray();
    }

    /** The subtask of a key if the job has this many subtasks. */
    int subtask(int key, int subtasks) {
        return KeyGroupRangeAssignment.assignKeyToParallelOperator(key, maxParallelism, subtasks);
    }

    /** The run's id in records. */
    long run() {
        return edge.run();
    }

    /** The uid of an operator of the run. */
    String uid(String operator) {
        return LoopNames.uid(training.runId(), operator);
    }

    /** The shard whose published state contains that of a server's coordinator. */
    int memory(int server) {
        return new ShardId(server, 0).index(slices.count());
    }

    /**
     * The version of servers' models that opens a round of workers. Published versions count rounds
     * of workers only, not the exchanges between them.
     */
    long version(long published) {
        return training.topology().version(published, training.rounds());
    }

    /**
     * The newest version published by an earlier attempt or job, if versions are published.
     *
     * @param shards the shards whose models and states are needed
     * @param states the shards of which only the state is needed
     * @throws SuppressRestartsException if this run cannot continue
     */
    Optional<PublishedVersion> published(BitSet shards, BitSet states) {
        try {
            return edge.published(slices, shards, states);
        } catch (RunFailedException e) {
            throw new SuppressRestartsException(e);
        }
    }

    /** The key of a shard; an arbitrary key if the shard does not exist. */
    int shardKey(ShardId id) {
        return shardKeys[shard(id)];
    }
}
