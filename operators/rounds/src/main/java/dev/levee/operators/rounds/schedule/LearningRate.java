package dev.levee.operators.rounds.schedule;

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
     * <p>With η the initial step size and t the round: {@code step} is η·factor^⌊t/every⌋, {@code
     * exponential} η·decay^t, {@code inverse} η/(1 + decay·t), {@code cosine} η·(1 + cos(πt/T))/2
     * over the run's T rounds, and {@code warmup} multiplies what follows by (t + 1)/rounds until
     * that is one.
     *
     * @param initial step size before the schedule
     * @param rounds length of the run
     * @throws IllegalArgumentException if the text has no known form; one sentence
     */
    static LearningRate parse(String text, double initial, long rounds) {
        return ScheduleParser.parse(text, initial, rounds);
    }
}
