package dev.levee.operators.flink;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.WrappedLearner;
import dev.levee.learners.WrappedModel;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** A model whose very first gradient never comes, until released. */
record Stalling(Model model) implements WrappedModel {
    private static final AtomicBoolean STALLED = new AtomicBoolean();
    private static final CountDownLatch RELEASED = new CountDownLatch(1);

    static void release() {
        RELEASED.countDown();
    }

    @Override
    public Learner newLearner() {
        return new WrappedLearner(model.newLearner()) {
            @Override
            public Gradient gradient(float[] parameters, Batch batch, long seed) {
                if (STALLED.compareAndSet(false, true)) {
                    try {
                        RELEASED.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException("the run ended while stalled", e);
                    }
                }
                return super.gradient(parameters, batch, seed);
            }
        };
    }
}
