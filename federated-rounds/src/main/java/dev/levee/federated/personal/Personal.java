package dev.levee.federated.personal;

import dev.levee.gar.NamedParser;
import dev.levee.learners.Layout;

import java.io.Serializable;

/** A device's own model. Its parameters are vectors of the device's state, which no server sees. */
public sealed interface Personal extends Serializable
        permits Personal.None, Ditto, OwnLayers, MoreauEnvelopes, FineTuning {
    /** Devices have the server's model. */
    Personal NONE = new None();

    /**
     * Reads {@code none}, {@code ditto(LAMBDA)}, {@code layers(NAMES, HEAD-STEPS)}, {@code
     * pfedme(LAMBDA, STEPS, RATE)} or {@code finetune(STEPS, RATE)}.
     *
     * @throws IllegalArgumentException if the text has no known form; one sentence
     */
    static Personal parse(String text) {
        return new NamedParser<Personal>("personal model")
                .add("none", a -> NONE)
                .add("ditto", a -> new Ditto(a.number("lambda", Ditto.LAMBDA)), "lambda")
                .add(
                        "layers",
                        a ->
                                OwnLayers.of(
                                        a.word("names", OwnLayers.HEAD), a.index("head-steps", 0)),
                        "names",
                        "head-steps")
                .add(
                        "pfedme",
                        a ->
                                new MoreauEnvelopes(
                                        a.number("lambda", MoreauEnvelopes.LAMBDA),
                                        a.positive("steps", MoreauEnvelopes.STEPS),
                                        a.has("rate") ? a.number("rate") : null),
                        "lambda",
                        "steps",
                        "rate")
                .add(
                        "finetune",
                        a ->
                                new FineTuning(
                                        a.positive("steps", FineTuning.STEPS),
                                        a.has("rate") ? a.number("rate") : null),
                        "steps",
                        "rate")
                .parse(text);
    }

    /** The name as users write it. */
    String name();

    /**
     * Checks that a model supports this.
     *
     * @throws dev.levee.operators.rounds.fault.WrongTrainingException if not; one sentence
     */
    default void check(Layout layout) {}

    /** Number of a model's floats that a device never sends. */
    default int unsent(Layout layout) {
        return 0;
    }

    /** True if it changes the contribution of a device; false if it is trained separately. */
    default boolean shared() {
        return false;
    }

    /** Number of steps at the start of a round that use only a part of the gradient. */
    default int partialSteps() {
        return 0;
    }

    /** The work of a device in a round. */
    PersonalRound round(DeviceRound device);

    /** Checks a number that must be above 0. */
    static void requirePositive(String name, String parameter, Double value) {
        if (value != null && !(value > 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "%s needs a %s above 0, got %s".formatted(name, parameter, value));
        }
    }

    /** Devices have no model of their own. */
    record None() implements Personal {
        @Override
        public String name() {
            return "none";
        }

        @Override
        public PersonalRound round(DeviceRound device) {
            return (w, keeps) -> device.x();
        }
    }
}
