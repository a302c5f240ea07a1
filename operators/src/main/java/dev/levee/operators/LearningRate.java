package dev.levee.operators;

import java.io.Serializable;

/** Step size as a pure function of the round. */
public interface LearningRate extends Serializable {
    /** Name with parameters, in the form that {@link #parse} reads back. */
    String name();

    /** The step size of round {@code round}, from 0. */
    double at(long round);

    /**
     * Reads a schedule: {@code constant}, {@code step(every=1000, factor=0.1)}, {@code
     * exponential(decay=0.999)}, {@code inverse(decay=0.01)}, {@code cosine} or {@code
     * warmup(rounds=100) | cosine}.
     *
     * @param initial step size before the schedule
     * @param rounds length of the run
     */
    static LearningRate parse(String text, double initial, long rounds) {
        throw new IllegalArgumentException("unknown schedule " + text);
    }
}
