package dev.levee.federated;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.gar.Draws;
import dev.levee.operators.rounds.training.Training;

/**
 * Synchronizes a slice of the model in each round; changes of other slices stay on the device until
 * their round (Xie, Zheng, Koyejo, Gupta, Lin, "CSER: Communication-efficient SGD with Error
 * Reset", NeurIPS 2020, with globally random blocks). A slice is one of several equal parts of the
 * model, the same for all devices.
 *
 * @param slices number of parts of which one is synchronized, R₁
 * @param every number of rounds after which a larger slice is synchronized, H
 * @param resetSlices number of parts of which the larger slice is one, R₂
 */
public record PartialSync(int slices, int every, int resetSlices) implements Scope {
    private static final long STREAM = 0x2E94C7D15A3B806FL;

    /**
     * A range of coordinates.
     *
     * @param from the first coordinate
     * @param to the end, exclusive
     */
    public record Range(int from, int to) {
        /** Number of coordinates. */
        public int length() {
            return to - from;
        }
    }

    /**
     * Checks the numbers.
     *
     * @throws dev.levee.operators.rounds.fault.WrongTrainingException if one is below 1; one
     *     sentence
     */
    public PartialSync {
        require(slices >= 1, "{slices} must be at least 1, got %s", slices);
        require(every >= 1, "{resetEvery} must be at least 1, got %s", every);
        require(resetSlices >= 1, "{resetSlices} must be at least 1, got %s", resetSlices);
    }

    @Override
    public void check(Federation federation, Training run) {
        require(
                federation.stepsAlongAll(run),
                "{slices} is for rounds that ask all devices and wait for them, with a server that"
                        + " steps along their differences: {perRound} must be %s, without"
                        + " {deadline}, {buffer} and {optimizer} mix, got %s",
                run.workers(),
                federation.participation().perRound());
        require(federation.privacy().none(), "{dpClip} is for devices that send all their changes");
    }

    /**
     * The slice of a round.
     *
     * @param length the length of the model
     */
    Range slice(long seed, long round, int length) {
        int parts = (round + 1) % every == 0 ? resetSlices : slices;
        long part = (long) (Draws.uniform(Draws.key(seed, STREAM), round) * parts);
        return new Range((int) (length * part / parts), (int) (length * (part + 1) / parts));
    }

    /** The share of the model that is synchronized in a round, on average. */
    public double share() {
        return (1.0 / resetSlices + (every - 1.0) / slices) / every;
    }
}
