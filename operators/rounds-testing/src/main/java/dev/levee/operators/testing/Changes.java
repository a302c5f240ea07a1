package dev.levee.operators.testing;

import dev.levee.gar.Draws;
import dev.levee.operators.rounds.plan.Elasticity;
import dev.levee.operators.rounds.training.CountOrShare;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import java.util.SplittableRandom;

/**
 * Outside changes of an elastic run, in addition to the number of subtasks after a restore.
 *
 * @param controls probability of a control before each event, from 0 to 1
 * @param fits largest batch that fits into a worker's memory, 0 for no limit
 */
public record Changes(double controls, int fits) {
    private static final long SHARES = 11;

    /** No changes. */
    public static final Changes NONE = new Changes(0, 0);

    /**
     * Makes a training elastic, with bounds around its number of workers, and adds rounds in which
     * changes can occur.
     */
    public static Training elastic(
            Training training, double learningRate, SplittableRandom random) {
        int n = training.workers();
        int f = training.byzantine();
        int nominal = n * training.data().batchSize();
        int least = Math.max(training.rule().minimumRows(f), f + 1);
        int batchThatFits = random.nextInt(training.data().batchSize(), 3 * nominal);
        boolean limited = random.nextInt(3) == 0;
        long rounds = training.rounds() + random.nextInt(8);
        Elasticity bounds =
                new Elasticity(
                        random.nextInt(least, n + 1),
                        n + random.nextInt(5),
                        nominal + random.nextInt(3 * nominal),
                        limited ? ElasticEnvironment.SAMPLE_BYTES * batchThatFits : 0,
                        learningRate,
                        null);
        return sharing(new TrainingBuilder(training).rounds(rounds).plan(bounds).build());
    }

    /**
     * Gives half of the trainings f as a share: f of the fewest workers, so that it is never less.
     * Half of these also get a quorum of n − f, if that gives the rule enough rows.
     */
    private static Training sharing(Training training) {
        SplittableRandom random = new SplittableRandom(Draws.key(training.seed(), SHARES));
        int f = training.byzantine();
        int min = training.permanentWorkers();
        if (f == 0 || random.nextBoolean()) {
            return training;
        }
        long share = (f * CountOrShare.Share.WHOLE + min - 1) / min;
        TrainingBuilder shared =
                new TrainingBuilder(training).byzantine(new CountOrShare.Share(share));
        int least = Math.max(training.rule().minimumRows(f), f + 1);
        boolean asynchronous = min - f >= least && random.nextBoolean();
        return asynchronous
                ? shared.quorum(new CountOrShare.Share(CountOrShare.Share.WHOLE - share)).build()
                : shared.build();
    }

    /** Draws the changes of an elastic training. */
    public static Changes of(Training training, SplittableRandom random) {
        long limit =
                ((Elasticity) training.plan()).workerMemory() / ElasticEnvironment.SAMPLE_BYTES;
        int found = random.nextInt(3) == 0 ? training.data().batchSize() + random.nextInt(8) : 0;
        return new Changes(
                random.nextInt(4) == 0 ? 0 : random.nextDouble(0.03),
                limit > 0 ? (int) limit : found);
    }
}
