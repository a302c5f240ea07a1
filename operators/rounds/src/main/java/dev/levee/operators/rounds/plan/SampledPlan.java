package dev.levee.operators.rounds.plan;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.gar.Draws;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.training.Plan;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.Planner;
import dev.levee.operators.rounds.training.Training;

import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * A plan that draws a uniform sample of the participants in each round, without replacement. The
 * sample is a function of the run's seed and the round (McMahan et al., "Communication-Efficient
 * Learning of Deep Networks from Decentralized Data", AISTATS 2017, algorithm 1).
 *
 * @param perRound number of participants in a round
 */
public record SampledPlan(int perRound) implements Plan {
    private static final long STREAM = 0x5DEECE66D1CE4E5BL;

    /**
     * Checks the number.
     *
     * @throws WrongTrainingException if no participant would take part; one sentence
     */
    public SampledPlan {
        require(
                perRound >= 1,
                "{plan}: participants per round must be at least 1, got %s",
                perRound);
    }

    @Override
    public Settings at(Training training, long round) {
        return training.settings(
                round, sample(training.seed(), round, training.workers(), perRound));
    }

    @Override
    public int perRound(Training training) {
        return Math.min(perRound, training.workers());
    }

    @Override
    public Planner planner(Training training, PlanState state) {
        return (before, round) -> at(training, round);
    }

    @Override
    public int permanent(Training training) {
        return perRound == training.workers() ? perRound : 0;
    }

    @Override
    public boolean foreseen() {
        return true;
    }

    @Override
    public String crowd(Training training) {
        return perRound + " of " + training.workers();
    }

    /**
     * The sample of a round, by Floyd's algorithm, whose cost is proportional to the sample size.
     *
     * @param all size of the population, which has the ids 0 to all − 1
     * @param count size of the sample; limited to the population
     */
    public static Cohort sample(long seed, long round, int all, int count) {
        SplittableRandom random = new SplittableRandom(Draws.key(seed, round, STREAM));
        TreeSet<Integer> drawn = new TreeSet<>();
        for (int last = all - Math.min(count, all); last < all; last++) {
            int candidate = random.nextInt(last + 1);
            drawn.add(drawn.contains(candidate) ? last : candidate);
        }
        return Cohort.of(drawn.stream().mapToInt(Integer::intValue).toArray());
    }
}
