package dev.levee.federated.devices;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.operators.rounds.training.Training;

import java.io.Serializable;

/**
 * The participants of a round and their weights.
 *
 * @param sampling selects the devices that are asked
 * @param perRound number of devices per round; without a barrier, number of devices that train at
 *     the same time
 * @param capabilities the devices' computing speeds
 * @param weighting the devices' weights
 */
public record Participation(
        Sampling sampling, int perRound, Capabilities capabilities, Weighting weighting)
        implements Serializable {
    /** Participation of devices with equal speed. */
    public Participation(Sampling sampling, int perRound, Weighting weighting) {
        this(sampling, perRound, Capabilities.parse("equal"), weighting);
    }

    /**
     * Checks that a run has enough devices, and a rule that takes their weights.
     *
     * @throws dev.levee.operators.rounds.fault.WrongTrainingException if not; one sentence
     */
    public void check(Training run) {
        require(
                perRound >= 1 && perRound <= run.workers(),
                "{perRound} must be from 1 to {workers}, which is %s, got %s",
                run.workers(),
                perRound);
        require(
                weighting == Weighting.EQUAL || run.rule().takesWeights(),
                "{weighting} must be equal for %s, which ignores weights, got %s",
                run.rule().name(),
                weighting.word());
    }

    /** True if each round asks all devices of a run and waits for them. */
    public boolean waitsForAll(Training run) {
        return perRound == run.workers() && run.admission().deadline() == null;
    }
}
