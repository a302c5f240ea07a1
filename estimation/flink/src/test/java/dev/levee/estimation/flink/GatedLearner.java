package dev.levee.estimation.flink;

import dev.levee.estimation.learner.Learner;
import dev.levee.estimation.learner.LearnerProvider;
import dev.levee.estimation.learner.Learners;
import dev.levee.estimation.learner.Parameters;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A learner of the tests, found as anybody's own is: least squares that counts its fits by seed,
 * lets so many through, and holds the others at a gate. {@code gated(fails=N)} fails with fit N.
 */
public final class GatedLearner implements LearnerProvider {
    static final Map<Long, Integer> FINISHED = new ConcurrentHashMap<>();
    static final AtomicInteger BEGUN = new AtomicInteger();
    private static volatile int free = Integer.MAX_VALUE;
    private static volatile CountDownLatch gate = new CountDownLatch(0);

    /** Lets some fits through and holds the others until {@link #open}. */
    static void hold(int after) {
        FINISHED.clear();
        BEGUN.set(0);
        free = after;
        gate = new CountDownLatch(1);
    }

    static void open() {
        free = Integer.MAX_VALUE;
        gate.countDown();
    }

    @Override
    public String name() {
        return "gated";
    }

    @Override
    public Learner create(Parameters parameters) {
        int fails = parameters.only("fails").whole("fails", -1, 0, 1000);
        Learner linear = Learners.of("linear");
        return (features, target, seed) -> {
            int number = BEGUN.getAndIncrement();
            if (number == fails) {
                throw new IllegalArgumentException("it was asked to");
            }
            if (number >= free) {
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            var fitted = linear.fit(features, target, seed);
            FINISHED.merge(seed, 1, Integer::sum);
            return fitted;
        };
    }
}
