package dev.levee.operators.flink.internal.kafka;

import dev.levee.connectors.kafka.job.KafkaEdge;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.SharedKey;
import dev.levee.connectors.kafka.wire.ToldScores;
import dev.levee.connectors.kafka.wire.VerifyingKey;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.training.Training;

import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/**
 * Decides which records of the scores topic come from the evaluating worker. Cheap checks come
 * first, as in {@link Gate}. The first scores of a version count. Single-threaded; knows no engine.
 */
final class ScoresGate {
    /**
     * Share of one processor for signatures of records that do not count. Those that count cost no
     * more than one signature per version.
     */
    private static final double SHARE = 0.2;

    private static final long BURST_NANOS = 1_000_000_000;

    private final KafkaEdge edge;
    private final Training training;
    private final VerifyingKey key;
    private final SharedKey shared;
    private final LongSupplier nanos;
    private final Budget budget;
    private final BitSet told = new BitSet();
    private final EnumMap<Rejection, Long> named = new EnumMap<>(Rejection.class);
    private final EnumMap<Rejection, Long> others = new EnumMap<>(Rejection.class);

    /**
     * Creates a gate.
     *
     * @param edge has the evaluator and its key
     * @param training determines which versions are evaluated
     * @param nanos a clock for measuring durations
     */
    ScoresGate(KafkaEdge edge, Training training, LongSupplier nanos) {
        this.edge = edge;
        this.training = training;
        this.key = edge.workers().of(edge.evaluator().worker());
        this.shared = key == null ? null : SharedKey.of(edge.signing(), key);
        this.nanos = nanos;
        this.budget = new Budget(SHARE, BURST_NANOS, nanos.getAsLong());
    }

    /** True if the scores of a version have arrived. */
    boolean told(long version) {
        return version <= Integer.MAX_VALUE && told.get((int) version);
    }

    /**
     * The scores of a record, if they are the evaluator's first scores of a version of this run.
     */
    Optional<ToldScores> accept(byte[] record) {
        Frame frame = Frame.read(record, FrameKind.SCORES).orElse(null);
        if (frame == null) {
            return refuse(others, Rejection.MALFORMED);
        }
        if (frame.run() != edge.run()) {
            return refuse(others, Rejection.FOREIGN_RUN);
        }
        if (frame.sender() != edge.evaluator().worker()) {
            return refuse(others, Rejection.UNKNOWN_WORKER);
        }
        if (!asked(frame.round())) {
            return refuse(named, Rejection.NOT_ASKED);
        }
        if (told(frame.round())) {
            return refuse(named, Rejection.DUPLICATE);
        }
        return verified(frame);
    }

    private boolean asked(long version) {
        return version <= Math.min(training.rounds(), Integer.MAX_VALUE)
                && training.evaluates(version);
    }

    private Optional<ToldScores> verified(Frame frame) {
        if (key != null && !frame.taggedBy(shared)) {
            return refuse(named, Rejection.FORGED);
        }
        if (!frame.intact()) {
            return refuse(named, Rejection.MALFORMED);
        }
        long start = nanos.getAsLong();
        if (key != null && !budget.allows(start)) {
            return refuse(named, Rejection.THROTTLED);
        }
        ToldScores scores = key == null || frame.signedBy(key) ? frame.scores() : null;
        if (scores == null || !scores.possible()) {
            budget.spend(nanos.getAsLong() - start);
            return refuse(named, scores == null ? Rejection.FORGED : Rejection.NON_FINITE);
        }
        told.set((int) frame.round());
        return Optional.of(scores);
    }

    private static Optional<ToldScores> refuse(Map<Rejection, Long> counts, Rejection reason) {
        counts.merge(reason, 1L, Long::sum);
        return Optional.empty();
    }

    /**
     * Passes on the counts of records refused since the last call, by reason.
     *
     * @param byEvaluator receives counts of records that name the evaluator
     * @param byOthers receives counts of all other records
     */
    void flush(BiConsumer<Rejection, Long> byEvaluator, BiConsumer<Rejection, Long> byOthers) {
        named.forEach(byEvaluator);
        others.forEach(byOthers);
        named.clear();
        others.clear();
    }
}
