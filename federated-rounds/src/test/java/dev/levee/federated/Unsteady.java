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

/** Another model, whose gradients fail now and then while failures of its key are left. */
record Unsteady(Model model, String key, int every) implements WrappedModel {
    private static final Map<String, AtomicInteger> LEFT = new ConcurrentHashMap<>();
    private static final AtomicInteger CALLS = new AtomicInteger();

    static void failures(String key, int count) {
        LEFT.put(key, new AtomicInteger(count));
    }

    static int left(String key) {
        return LEFT.get(key).get();
    }

    @Override
    public Learner newLearner() {
        return new WrappedLearner(model.newLearner()) {
            @Override
            public Gradient gradient(float[] parameters, Batch batch, long seed) {
                if (CALLS.incrementAndGet() % every == 0
                        && LEFT.get(key).getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                    throw new IllegalStateException("injected failure");
                }
                return super.gradient(parameters, batch, seed);
            }
        };
    }
}
