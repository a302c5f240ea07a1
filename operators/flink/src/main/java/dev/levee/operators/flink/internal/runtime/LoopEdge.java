package dev.levee.operators.flink.internal.runtime;

import dev.levee.connectors.kafka.job.PastModels;
import dev.levee.connectors.kafka.job.VersionPart;
import dev.levee.operators.flink.internal.kafka.PublishedVersion;
import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RunSink;
import dev.levee.operators.rounds.vector.Slices;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

import java.io.Serializable;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The side of a loop where its workers are: it receives models and returns gradients. By default,
 * nothing is published, so a run continues only from checkpoints.
 */
sealed interface LoopEdge extends Serializable permits InProcess, OverKafka {
    /**
     * Streams that enter the loop.
     *
     * @param blocks gradients for the parameter shards
     * @param reports further reports to coordinators, in addition to those of shards; null if there
     *     are none
     */
    record Incoming(DataStream<GradientBlock> blocks, DataStream<ShardReport> reports) {
        /** The union of the shards' reports and these, for coordinators. */
        DataStream<ShardReport> with(DataStream<ShardReport> shards) {
            return reports == null ? shards : shards.union(reports);
        }
    }

    /** The run's id in records. */
    long run();

    /** True if a round waits for late workers instead of failing the run. */
    boolean patient();

    /**
     * The newest version that an earlier attempt or job has published.
     *
     * @param shards the shards whose models and states are needed
     * @param states the shards of which only the state is needed
     * @throws RunFailedException if this run cannot continue
     */
    default Optional<PublishedVersion> published(Slices slices, BitSet shards, BitSet states) {
        return Optional.empty();
    }

    /**
     * Reports of the rounds of a server that led to a published version, from one round on, in
     * order; without those that no longer exist.
     *
     * @param memory the shard whose state contains them
     */
    default List<RoundReport> rounds(int memory, long from, PublishedVersion to) {
        return List.of();
    }

    /**
     * Passes on models that an earlier attempt or job had to evaluate and that are not offered
     * again, on the caller's thread. Versions that no longer exist and models of Byzantine servers
     * are left out.
     *
     * @param after iteration after which they begin
     */
    default void unevaluated(LoopJob job, long after, PastModels.Output output) {}

    /** Publishes a part of a version, if versions are published. */
    default void publish(Supplier<VersionPart> part, Consumer<VersionPart> publisher) {}

    /**
     * Sends a notice of a secure sum to devices.
     *
     * @param loop sends it to devices of this job
     * @param publisher publishes it for devices outside
     */
    void tell(SumNotice notice, Consumer<SumNotice> loop, Consumer<SumNotice> publisher);

    /** Adds the source of gradients to a job; {@code models} come from the head. */
    Incoming addGradients(LoopGraph graph, SingleOutputStreamOperator<LoopMessage> models);

    /**
     * Results of evaluations.
     *
     * @param events events for the recorder
     * @param reports reports to coordinators, null if there are none
     */
    record Evaluations(DataStream<RunEvent> events, DataStream<ShardReport> reports) {
        /** The union of other reports to coordinators and these. */
        DataStream<ShardReport> with(DataStream<ShardReport> others) {
            return reports == null ? others : others.union(reports);
        }
    }

    /** Adds the evaluation of models to a job; {@code models} are those to evaluate. */
    default Evaluations addEvaluation(
            LoopGraph graph, DataStream<LoopMessage> models, RunSink sink) {
        return new Evaluations(graph.evaluation(models, sink), null);
    }

    /** Adds the publisher of versions to a job. */
    default void addPublisher(LoopGraph graph, DataStream<VersionPart> parts) {}
}
