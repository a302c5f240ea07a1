package dev.levee.operators.rounds.sequential;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A queue of records between the parts of a run, in the order in which they were sent, and a clock
 * that moves only when the queue is empty.
 */
final class VirtualMail {
    private final Deque<Runnable> records = new ArrayDeque<>();
    private long micros = 1;

    /** Microseconds of virtual time. */
    long micros() {
        return micros;
    }

    /** Delivers a record after those that were sent before it. */
    void send(Runnable record) {
        records.add(record);
    }

    /** The next record; null if the queue is empty. */
    Runnable next() {
        return records.poll();
    }

    /** Moves the clock, never back. */
    void passTo(long time) {
        micros = Math.max(micros, time);
    }
}
