package dev.levee.operators.flink.internal.runtime;

import dev.levee.connectors.kafka.job.PastModels;
import dev.levee.operators.flink.internal.kafka.PublishedVersion;
import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.flink.internal.records.VersionPart;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.RunFailedException;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RunSink;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

import java.io.Serializable;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The ends of a loop at its workers: they take models and bring gradients. */
sealed interface LoopEdge extends Serializable permits InProcess, OverKafka {
    /**
     * Streams that enter the loop.
     *
     * @param blocks gradients for the parameter shards
     * @param reports what the coordinator is told beside what the shards tell it, null if nothing
     */
    record Incoming(DataStream<GradientBlock> blocks, DataStream<ShardReport> reports) {
        /** The shards' reports together with these, for the coordinator. */
        DataStream<ShardReport> with(DataStream<ShardReport> shards) {
            return reports == null ? shards : shards.union(reports);
        }
    }

    /** The run's id as records carry it. */
    long run();

    /** True if a round waits for workers that are late, instead of ending the run. */
    boolean patient();

    /**
     * The newest version that an earlier attempt or job has published.
     *
     * @param shards whose models are needed, with what belongs to them
     * @param states of which shards what belongs to the model is needed alone
     * @throws RunFailedException if this run cannot continue
     */
    Optional<PublishedVersion> published(Slices slices, BitSet shards, BitSet states);

    /**
     * Reports of a server's rounds from one on that led to a published version, in order; without
     * those of which nothing is left.
     *
     * @param memory the shard beside whose state they are
     */
    List<RoundReport> rounds(int memory, long from, PublishedVersion to);

    /**
     * Hands out the models that an earlier attempt or job had to evaluate and that nobody offers
     * again, on the caller's thread; without versions that no longer exist and models of Byzantine
     * servers.
     *
     * @param after iteration behind which they begin
     */
    void unevaluated(LoopJob job, long after, PastModels.Output output);

    /** Has a part of a version published, where versions are published. */
    void publish(Supplier<VersionPart> part, Consumer<VersionPart> publisher);

    /**
     * Tells devices something in a secure sum.
     *
     * @param loop takes it to devices of this job
     * @param publisher has it published for others
     */
    void tell(SumNotice notice, Consumer<SumNotice> loop, Consumer<SumNotice> publisher);

    /** Adds what gradients come from to a job; {@code models} are the head's. */
    Incoming addGradients(LoopGraph graph, SingleOutputStreamOperator<LoopMessage> models);

    /**
     * Results of evaluations.
     *
     * @param events for the recorder
     * @param reports what the coordinator is told, null if nothing
     */
    record Evaluations(DataStream<RunEvent> events, DataStream<ShardReport> reports) {
        /** All reports to the coordinator: others together with these. */
        DataStream<ShardReport> with(DataStream<ShardReport> others) {
            return reports == null ? others : others.union(reports);
        }
    }

    /** Adds what evaluates models to a job; {@code models} are those to be evaluated. */
    Evaluations addEvaluation(LoopGraph graph, DataStream<LoopMessage> models, RunSink sink);

    /** Adds what publishes versions to a job. */
    void addPublisher(LoopGraph graph, DataStream<VersionPart> parts);
}
