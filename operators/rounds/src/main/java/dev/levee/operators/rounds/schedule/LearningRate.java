package dev.levee.operators.rounds.schedule;

import dev.levee.gar.NamedParser;

import java.io.Serializable;

/** Step size as a pure function of the round. */
public interface LearningRate extends Serializable {
    /** The name with parameters, in the form that {@link #parse} reads. */
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
     * over the run's T rounds, and {@code warmup} multiplies the schedule after it by (t +
     * 1)/rounds until this factor is one.
     *
     * @param initial step size before the schedule
     * @param rounds length of the run
     * @throws IllegalArgumentException if the text has no known form; one sentence
     */
    static LearningRate parse(String text, double initial, long rounds) {
        int bar = text.indexOf('|');
        LearningRate after =
                bar < 0
                        ? new ScheduledRate.Constant(initial)
                        : parse(text.substring(bar + 1), initial, rounds);
        NamedParser<LearningRate> stages =
                new NamedParser<LearningRate>("schedule")
                        .add(
                                "warmup",
                                a -> new ScheduledRate.Warmup(a.whole("rounds"), after),
                                "rounds");
        if (bar >= 0) {
            String before = text.substring(0, bar);
            if (!stages.knows(before)) {
                throw new IllegalArgumentException(
                        "only warmup(rounds) can stand before a | in a schedule, got " + text);
            }
            return stages.parse(before);
        }
        return stages.add("constant", a -> after)
                .add(
                        "step",
                        a ->
                                new ScheduledRate.Step(
                                        initial, a.whole("every"), a.aboveZero("factor")),
                        "every",
                        "factor")
                .add(
                        "exponential",
                        a -> new ScheduledRate.Exponential(initial, a.aboveZero("decay")),
                        "decay")
                .add(
                        "inverse",
                        a -> new ScheduledRate.Inverse(initial, a.aboveZero("decay")),
                        "decay")
                .add("cosine", a -> new ScheduledRate.Cosine(initial, rounds))
                .parse(text);
    }
}
