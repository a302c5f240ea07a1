package dev.levee.federated;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.WrappedLearner;
import dev.levee.learners.WrappedModel;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Another model, of which each {@code every}th gradient since its key's failures were set fails,
 * while failures are left.
 */
record Unsteady(Model model, String key, int every) implements WrappedModel {
    private static final Map<String, Failures> FAILURES = new ConcurrentHashMap<>();

    static void failures(String key, int count) {
        FAILURES.put(key, new Failures(new AtomicInteger(), new AtomicInteger(count)));
    }

    static int left(String key) {
        return FAILURES.get(key).left.get();
    }

    private record Failures(AtomicInteger calls, AtomicInteger left) {}

    @Override
    public Learner newLearner() {
        return new WrappedLearner(model.newLearner()) {
            @Override
            public Gradient gradient(float[] parameters, Batch batch, long seed) {
                Failures failures = FAILURES.get(key);
                if (failures.calls.incrementAndGet() % every == 0
                        && failures.left.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                    throw new IllegalStateException("injected failure");
                }
                return super.gradient(parameters, batch, seed);
            }
        };
    }
}
