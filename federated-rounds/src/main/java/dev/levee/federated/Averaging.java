package dev.levee.federated;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.gar.NamedParser;
import dev.levee.operators.rounds.training.Training;

import java.io.Serializable;

/**
 * The values that a round averages: the devices' differences, plain or scaled by a factor for each
 * device. Each device scales its own difference, so rules, server steps and rows need no change.
 */
public sealed interface Averaging extends Serializable
        permits Averaging.Plain, NormalizedAveraging, FairAveraging {
    /** Plain differences. */
    Averaging PLAIN = new Plain();

    /**
     * Reads {@code plain}, {@code normalized} or {@code fair(Q)}.
     *
     * @throws IllegalArgumentException if the text has no known form; one sentence
     */
    static Averaging parse(String text) {
        return new NamedParser<Averaging>("averaging")
                .add("plain", a -> PLAIN)
                .add("normalized", a -> new NormalizedAveraging())
                .add("fair", a -> new FairAveraging(a.number("q", FairAveraging.Q)), "q")
                .parse(text);
    }

    /** The name as users write it. */
    String name();

    /**
     * Checks that an algorithm and a run support this average.
     *
     * @throws dev.levee.operators.rounds.fault.WrongTrainingException if not; one sentence
     */
    void check(Federation federation, Training run);

    /**
     * Scales a device's difference.
     *
     * @param local the devices' training
     * @param steps number of batches of each device in a round
     * @param weights the devices' weights
     */
    Upload sent(LocalTraining local, int[] steps, double[] weights);

    /** Refuses parts that are not compatible with scaled differences. */
    static void requireWholeDifferences(String averaging, Federation federation) {
        require(
                federation.sendsChanges() && !(federation.timing() instanceof WithoutBarrier),
                "{averaging} %s is for rounds with a barrier in which devices send the change of"
                        + " the whole model: leave {slices}, {swapEvery} and {optimizer} mix out",
                averaging);
    }

    /** x − w. */
    record Plain() implements Averaging {
        @Override
        public String name() {
            return "plain";
        }

        @Override
        public void check(Federation federation, Training run) {}

        @Override
        public Upload sent(LocalTraining local, int[] steps, double[] weights) {
            return new Upload.Difference();
        }
    }
}
