package dev.levee.operators.flink.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Draws;

import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A job of a stateful rule that fails in the middle ends with the bits of an undisturbed one. */
@Tag("cluster")
class WindowRecoveryTest {
    private static final int KEYS = 4;
    private static final int WORKERS = 5;
    private static final int ROUNDS = 2000;
    private static final int FAIL_EVERY = 9000;
    private static final int FAILURES = 4;

    @RegisterExtension
    static final MiniClusterExtension CLUSTER =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(2)
                            .build());

    /** A block of a gradient. */
    record Sent(int block, long round, long worker, float[] values) implements WorkerRow {}

    /** Fails at every so many elements of the process while failures are left. */
    static final class Failing implements MapFunction<Sent, Sent> {
        private static final long serialVersionUID = 1L;
        private static final AtomicInteger LEFT = new AtomicInteger();
        private static final AtomicInteger SEEN = new AtomicInteger();

        @Override
        public Sent map(Sent sent) {
            if (SEEN.incrementAndGet() % FAIL_EVERY == 0
                    && LEFT.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IllegalStateException("injected failure");
            }
            return sent;
        }
    }

    /**
     * Keeps what came out, and refuses an aggregate that comes again with other bits. A collecting
     * sink would not do: Flink's ends the whole cluster when it is closed before it was opened.
     */
    static final class Kept implements MapFunction<Aggregate, Aggregate> {
        private static final long serialVersionUID = 1L;
        private static final Map<String, float[]> ALL = new ConcurrentHashMap<>();
        private static final AtomicInteger CONTRADICTED = new AtomicInteger();

        @Override
        public Aggregate map(Aggregate aggregate) {
            float[] before =
                    ALL.putIfAbsent(aggregate.key() + "/" + aggregate.round(), aggregate.values());
            if (before != null && !Arrays.equals(before, aggregate.values())) {
                CONTRADICTED.incrementAndGet();
            }
            return aggregate;
        }
    }

    private static Sent sent(long index) {
        long round = index / (KEYS * WORKERS);
        int block = (int) (index / WORKERS % KEYS);
        long worker = index % WORKERS;
        float shift = worker == 4 ? 100f : 0f;
        return new Sent(
                block,
                round,
                worker,
                new float[] {
                    (float) Draws.normal(11, 2 * index) + shift,
                    (float) Draws.normal(11, 2 * index + 1) - shift
                });
    }

    private static Map<String, float[]> run(int failures) throws Exception {
        Failing.LEFT.set(failures);
        Failing.SEEN.set(0);
        Configuration configuration = new Configuration();
        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(20));
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, Integer.MAX_VALUE);
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        environment.setParallelism(2);
        Kept.ALL.clear();
        environment
                .fromSequence(0, (long) ROUNDS * KEYS * WORKERS - 1)
                .setParallelism(1)
                .map(WindowRecoveryTest::sent)
                .returns(Sent.class)
                .setParallelism(1)
                .map(new Failing())
                .setParallelism(1)
                .keyBy(Sent::block)
                .window(Rounds.by(Sent::round))
                .trigger(Quorum.of(WORKERS, Duration.ofMinutes(5)))
                .process(Robust.<Sent, Integer, RoundWindow>aggregation("centered-clipping", 1))
                .map(new Kept())
                .sinkTo(new DiscardingSink<>());
        environment.execute();
        return Map.copyOf(Kept.ALL);
    }

    @Test
    void failuresChangeNoBitOfAStatefulRulesAggregates() throws Exception {
        Map<String, float[]> disturbed = run(FAILURES);
        assertThat(Failing.LEFT).hasValue(0);
        assertThat(Kept.CONTRADICTED).hasValue(0);
        Map<String, float[]> quiet = run(0);
        assertThat(quiet).hasSize(KEYS * ROUNDS);
        assertThat(disturbed.keySet()).isEqualTo(quiet.keySet());
        quiet.forEach(
                (round, values) -> assertThat(disturbed.get(round)).as(round).isEqualTo(values));
    }
}
