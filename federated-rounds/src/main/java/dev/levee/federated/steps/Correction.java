package dev.levee.federated.steps;

import dev.levee.gar.NamedParser;
import dev.levee.operators.rounds.optimizer.Optimizer;

import java.io.Serializable;
import java.util.Map;

/**
 * A term that a device adds to each of its gradients, so that its steps do not drift to the optimum
 * of its own data.
 */
public sealed interface Correction extends Serializable
        permits Correction.None, ControlVariates, DynamicRegularizer {
    /** Gradients stay as they are. */
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

    /** Vectors of the server, each as long as what is trained, that travel behind the model. */
    default int carried() {
        return 0;
    }

    /** Factor of the proximal term that the correction needs, 0 for none. */
    default double proximal() {
        return 0;
    }

    /**
     * The step of the server.
     *
     * @param own its step without a correction
     * @param share of the devices that a round asks, of all devices
     */
    default Optimizer server(Optimizer own, double share) {
        return own;
    }

    /**
     * The term for every gradient of a round.
     *
     * @param x the server's model and behind it the carried vectors; only read
     * @param kept by the device; only read
     * @return as long as what is trained, or empty if nothing is added
     */
    default float[] term(float[] x, int trainable, Map<String, float[]> kept) {
        return new float[0];
    }

    /**
     * Ends a device's round.
     *
     * @param kept the vectors that the device kept; only read
     * @param keeps receives what it must keep
     */
    default void finish(Done done, Map<String, float[]> kept, Map<String, float[]> keeps) {}

    /**
     * The result of a device's round.
     *
     * @param x the server's model and behind it the carried vectors; only read
     * @param values x − w, and behind it what becomes of the carried vectors, which is written here
     * @param trainable how many of the parameters are trained
     * @param distance how far the device's steps lead along a gradient of 1: their number times
     *     their size
     * @param share of the devices that the round asks, of all devices
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
