package dev.levee.federated.steps;

import dev.levee.gar.NamedParser;
import dev.levee.operators.rounds.optimizer.Optimizer;

import java.io.Serializable;
import java.util.Map;

/**
 * A term that a device adds to each of its gradients, so that its steps do not drift toward the
 * optimum of its own data.
 */
public sealed interface Correction extends Serializable
        permits Correction.None, ControlVariates, DynamicRegularizer {
    /** Gradients are not changed. */
    Correction NONE = new None();

    /**
     * Reads {@code none}, {@code control-variates} or {@code dynamic(ALPHA)}.
     *
     * @throws IllegalArgumentException if the text has no known form; one sentence
     */
    static Correction parse(String text) {
        return new NamedParser<Correction>("correction")
                .add("none", a -> NONE)
                .add("control-variates", a -> new ControlVariates())
                .add(
                        "dynamic",
                        a -> new DynamicRegularizer(a.number("alpha", DynamicRegularizer.ALPHA)),
                        "alpha")
                .parse(text);
    }

    /** The name as users write it. */
    String name();

    /** Number of the server's vectors that follow the model, each as long as the trained part. */
    default int carried() {
        return 0;
    }

    /** The factor of the proximal term that the correction needs, 0 for none. */
    default double proximal() {
        return 0;
    }

    /**
     * The step of the server.
     *
     * @param own its step without a correction
     * @param share share of all devices that a round asks
     */
    default Optimizer server(Optimizer own, double share) {
        return own;
    }

    /**
     * The term for every gradient of a round.
     *
     * @param x the server's model, followed by the carried vectors; only read
     * @param kept vectors that the device kept; only read
     * @return a vector as long as the trained part, or empty if there is no term
     */
    default float[] term(float[] x, int trainable, Map<String, float[]> kept) {
        return new float[0];
    }

    /**
     * Ends a device's round.
     *
     * @param kept vectors that the device kept; only read
     * @param keeps receives vectors that it must keep
     */
    default void finish(Done done, Map<String, float[]> kept, Map<String, float[]> keeps) {}

    /**
     * The result of a device's round.
     *
     * @param x the server's model, followed by the carried vectors; only read
     * @param values x − w, followed by the new carried vectors, which are written here
     * @param trainable number of trained parameters
     * @param distance total length of the device's steps along a gradient of 1: their number times
     *     their size
     * @param share share of all devices that the round asks
     */
    record Done(float[] x, float[] values, int trainable, double distance, double share) {}

    /** No correction. */
    record None() implements Correction {
        @Override
        public String name() {
            return "none";
        }
    }
}
