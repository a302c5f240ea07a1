package dev.levee.k8s.flink.rest;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Waits for a condition. */
public final class Await {
    /** A condition that becomes true; an exception counts as not yet true. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws IOException;
    }

    private Await() {}

    /** True as soon as the condition holds, false if it still does not after {@code patience}. */
    public static boolean until(Duration patience, Condition condition) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            if (holds(condition)) {
                return true;
            }
            if (System.nanoTime() > deadline) {
                return false;
            }
            try {
                TimeUnit.MILLISECONDS.sleep(100);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }

    private static boolean holds(Condition condition) {
        try {
            return condition.holds();
        } catch (IOException e) {
            return false;
        }
    }
}
