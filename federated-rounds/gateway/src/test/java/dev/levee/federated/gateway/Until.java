package dev.levee.federated.gateway;

import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for a condition; JUnit's timeout ends a wait that never succeeds. */
final class Until {
    private static final long PAUSE_NANOS = 2_000_000;

    private Until() {}

    static void holds(Callable<Boolean> condition) throws Exception {
        while (!condition.call()) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
