package dev.levee.operators.flink;

import dev.levee.connectors.data.Batch;
import dev.levee.connectors.data.Dataset;
import dev.levee.gar.Draws;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Gradient;
import dev.levee.learners.Layout;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Segment;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * ½‖x − t‖² with a noisy target t drawn anew for each gradient; as large as a test likes, so that
 * it spans blocks. The last {@code buffers} coordinates are buffers.
 */
record Quadratic(int dimension, int buffers, String failures) implements Model {
    private static final Map<String, Failures> FAILURES = new ConcurrentHashMap<>();
    private static final int FAIL_EVERY = 31;

    static void failures(String key, int count) {
        FAILURES.put(key, new Failures(new AtomicInteger(), new AtomicInteger(count)));
    }

    /** Has the next call fail. */
    static void failNext(String key) {
        FAILURES.put(key, new Failures(new AtomicInteger(FAIL_EVERY - 1), new AtomicInteger(1)));
    }

    static int failuresLeft(String key) {
        return FAILURES.get(key).left.get();
    }

    /** Every {@link #FAIL_EVERY}th call fails, while failures are left. */
    private record Failures(AtomicInteger calls, AtomicInteger left) {
        void call() {
            if (calls.incrementAndGet() % FAIL_EVERY == 0
                    && left.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                throw new IllegalStateException("injected failure");
            }
        }
    }

    @Override
    public String name() {
        return "quadratic";
    }

    @Override
    public Layout layout() {
        return new Layout(
                List.of(
                        new Segment("x", new long[] {dimension - buffers}, 0, true),
                        new Segment("b", new long[] {buffers}, dimension - buffers, false)));
    }

    @Override
    public float[] initialParameters(long seed) {
        float[] initial = new float[dimension];
        for (int i = 0; i < dimension; i++) {
            initial[i] = Draws.uniformFloat(seed, i);
        }
        return initial;
    }

    @Override
    public Learner newLearner() {
        return new QuadraticLearner();
    }

    private final class QuadraticLearner implements Learner {
        @Override
        public Gradient gradient(float[] parameters, Batch batch, long seed) {
            if (FAILURES.containsKey(failures)) {
                FAILURES.get(failures).call();
            }
            float[] gradient = new float[dimension];
            float shift = (float) Draws.normal(seed, 0);
            for (int i = 0; i < dimension - buffers; i++) {
                gradient[i] = parameters[i] - 1 - shift * ((i & 7) - 3);
            }
            for (int i = dimension - buffers; i < dimension; i++) {
                gradient[i] = shift;
            }
            return new Gradient(gradient, shift * shift);
        }

        @Override
        public Evaluation evaluate(float[] parameters, Dataset data) {
            double loss = 0;
            for (int i = 0; i < dimension - buffers; i++) {
                loss += 0.5 * (parameters[i] - 1.0) * (parameters[i] - 1.0);
            }
            return new Evaluation(1, loss, 0);
        }

        @Override
        public void close() {}
    }
}
