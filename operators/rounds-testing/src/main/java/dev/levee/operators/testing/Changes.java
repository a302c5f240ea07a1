package dev.levee.operators.testing;

import dev.levee.operators.rounds.Elasticity;
import dev.levee.operators.rounds.Training;
import dev.levee.operators.rounds.TrainingBuilder;

import java.util.SplittableRandom;

/**
 * What changes an elastic run from outside, besides the subtasks that a restore finds.
 *
 * @param controls chance of a control before each event, from 0 to 1
 * @param fits largest batch that a worker has the memory for, 0 for any
 */
record Changes(double controls, int fits) {
    /** Nothing. */
    static final Changes NONE = new Changes(0, 0);

    /** The same training with bounds around its workers, and more rounds to change in. */
    static Training elastic(Training training, double learningRate, SplittableRandom random) {
        int n = training.workers();
        int f = training.byzantine();
        int nominal = n * training.data().batchSize();
        int least = Math.max(training.rule().minimumRows(f), f + 1);
        int batchThatFits = random.nextInt(training.data().batchSize(), 3 * nominal);
        boolean limited = random.nextInt(3) == 0;
        return new TrainingBuilder(training)
                .rounds(training.rounds() + random.nextInt(8))
                .plan(
                        new Elasticity(
                                random.nextInt(least, n + 1),
                                n + random.nextInt(5),
                                nominal + random.nextInt(3 * nominal),
                                limited ? Surroundings.SAMPLE_BYTES * batchThatFits : 0,
                                learningRate,
                                null))
                .build();
    }

    /** Draws what changes an elastic training. */
    static Changes of(Training training, SplittableRandom random) {
        long limit = ((Elasticity) training.plan()).workerMemory() / Surroundings.SAMPLE_BYTES;
        int found = random.nextInt(3) == 0 ? training.data().batchSize() + random.nextInt(8) : 0;
        return new Changes(
                random.nextInt(4) == 0 ? 0 : random.nextDouble(0.03),
                limit > 0 ? (int) limit : found);
    }
}
